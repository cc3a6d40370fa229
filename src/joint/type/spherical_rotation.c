/* spherical_rotation.c: room joint/type: a spherical joint that measures its angle of rotation.
 *
 * With v = angle * axis of R and the parameters a,
 *     rotation = |v|^2 / |a o v|,   a o v component by component: the angle divided by |a o axis|;
 * an upper limit r lets C turn by a_x r about x, a_y r about y, a_z r about z, and by |r a o axis|
 * about any axis. Its row is the gradient g = J^-T dr/dv with the right Jacobian of the exponential
 *     v' = J^-1 w = w + 1/2 v x w + c v x (v x w),   c = 1/|v|^2 - cot(|v|/2) / (2 |v|),
 *     dr/dv = (2 v - r a o a o v / |a o v|) / |a o v|.
 * Two unit rows across g, without coordinates, complete it. Singular at v = 0, where the direction
 * of v is taken as z; at half a turn, the most there is, v changes sign.
 */
#include "joint/turn/ball_rows.h"

static const tn_row_info rows[] = {
    {"fx", TN_FORCE_ROW},          {"fy", TN_FORCE_ROW},           {"fz", TN_FORCE_ROW},
    {"rotation", TN_ANGLE_ROW(0)}, {"across_1", TN_ANGLE_ROW(-1)}, {"across_2", TN_ANGLE_ROW(-1)},
};
static const tn_coordinate_info coordinates[] = {{"rotation", 1}};
static const tn_parameter_info parameter_list[] = {
    {"about_x", "1", 1.0, 0.0, INFINITY, "how far the joint turns about x, per unit of rotation"},
    {"about_y", "1", 1.0, 0.0, INFINITY, "how far the joint turns about y, per unit of rotation"},
    {"about_z", "1", 1.0, 0.0, INFINITY, "how far the joint turns about z, per unit of rotation"},
};

/* rad: below it the direction of v is z. */
#define TN_NO_ROTATION 1e-9

/* rad^2: below it c is its series; the term left out is then below 1e-15. */
#define TN_SMALL_ROTATION 1e-2

/* 1 + n_z below this: n is opposite to z. */
#define TN_OPPOSITE 1e-12

static tn_vec3 rotation_vector(const tn_xform *T_GD)
{
    const tn_vec3 v = m3_log(&T_GD->R);
    return v3_norm(v) > TN_NO_ROTATION ? v : v3(0.0, 0.0, TN_NO_ROTATION);
}

static tn_dual plus(tn_dual a, tn_dual b)
{
    return dual(a.v + b.v, a.d + b.d);
}

/* c of the head comment, s = |v|^2. */
static tn_dual jacobian_factor(tn_dual s)
{
    if (s.v < TN_SMALL_ROTATION) {
        const double c = 1.0 / 12 + s.v * (1.0 / 720 + s.v * (1.0 / 30240 + s.v * (1.0 / 1209600)));
        const double slope = 1.0 / 720 + s.v * (2.0 / 30240 + s.v * (3.0 / 1209600));
        return dual(c, slope * s.d);
    }
    const tn_dual angle = dual(sqrt(s.v), s.d / (2.0 * sqrt(s.v)));
    const tn_dual half = dual(0.5 * angle.v, 0.5 * angle.d);
    const tn_dual cot = dual_div(dual_cos(half), dual_sin(half));
    const tn_dual second = dual_div(cot, angle);
    return plus(dual_div(dual(1.0, 0.0), s), dual(-0.5 * second.v, -0.5 * second.d));
}

/* v and its rate J^-1 w. */
static tn_dual3 moving_vector(const tn_xform *T_GD, tn_vec3 w)
{
    const tn_vec3 v = rotation_vector(T_GD), vw = v3_cross(v, w);
    const double c = jacobian_factor(dual(v3_dot(v, v), 0.0)).v;
    return (tn_dual3){v, v3_axpy(v3_axpy(w, 0.5, vw), c, v3_cross(v, vw))};
}

static tn_vec3 scales(const tn_joint_setup *setup)
{
    return v3_load(setup->parameters);
}

static void pose_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,
                                const double *reference, double *q)
{
    (void)reference;
    const tn_vec3 v = m3_log(&T_GD->R), a = scales(setup);
    const double size = v3_norm(v3(a.x * v.x, a.y * v.y, a.z * v.z));
    q[0] = size > 0.0 ? v3_dot(v, v) / size : 0.0;
}

/* About the axis of the smallest allowance, so that every rotation is below half a turn. */
static void coordinates_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    int axis = setup->parameters[1] < setup->parameters[0] ? 1 : 0;
    axis = setup->parameters[2] < setup->parameters[axis] ? 2 : axis;
    *T_GD = tn_ball_pose(axis, q[0] * setup->parameters[axis], 0.0);
}

/* The axis of the rotation stays; at most half a turn. */
static void adjust(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    const double none[1] = {0.0};
    const tn_vec3 v = m3_log(&T_GD->R);
    double now[1];
    pose_to_coordinates(setup, T_GD, none, now);
    if (v3_norm(v) > TN_NO_ROTATION) {
        const double angle = fmin(TN_PI, fmax(q[0], 0.0) / now[0] * v3_norm(v));
        T_GD->R = q_to_m3(q_exp(v3_scale(angle / v3_norm(v), v)));
    } else {
        coordinates_to_pose(setup, q, T_GD);
    }
}

/* Two unit vectors across the unit vector n: x and y turned with z onto n. */
static void complete(tn_dual3 n, tn_dual3 m[2])
{
    if (1.0 + n.v.z < TN_OPPOSITE) {
        m[0] = (tn_dual3){v3(1.0, 0.0, 0.0), v3(0.0, 0.0, 0.0)};
        m[1] = (tn_dual3){v3(0.0, -1.0, 0.0), v3(0.0, 0.0, 0.0)};
        return;
    }
    const tn_dual x = dual(n.v.x, n.d.x), y = dual(n.v.y, n.d.y);
    const tn_dual f = dual_div(dual(-1.0, 0.0), dual(1.0 + n.v.z, n.d.z)), xy = dual_mul(x, y);
    m[0] =
        dual3(plus(dual(1.0, 0.0), dual_mul(f, dual_mul(x, x))), dual_mul(f, xy), dual(-x.v, -x.d));
    m[1] =
        dual3(dual_mul(f, xy), plus(dual(1.0, 0.0), dual_mul(f, dual_mul(y, y))), dual(-y.v, -y.d));
}

static void moments(const tn_joint_setup *setup, const tn_xform *T_GD, tn_vec3 w, tn_dual3 m[3])
{
    const tn_vec3 a = scales(setup), squares = v3(a.x * a.x, a.y * a.y, a.z * a.z);
    const tn_dual3 v = moving_vector(T_GD, w);
    const tn_dual s = dual3_dot(v, v), size = dual3_norm(dual3_stretch(a, v));
    const tn_dual share = dual_div(dual_div(s, size), size); /* r / |a o v| */
    const tn_dual3 slope = dual3_axpy(dual3_scale(dual(2.0, 0.0), v), dual(-share.v, -share.d),
                                      dual3_stretch(squares, v));
    const tn_dual3 p = dual3_scale(dual_div(dual(1.0, 0.0), size), slope);
    const tn_dual3 vp = dual3_cross(v, p);
    m[0] = dual3_axpy(dual3_axpy(p, dual(-0.5, 0.0), vp), jacobian_factor(s), dual3_cross(v, vp));
    complete(dual3_unit(m[0]), m + 1);
}

TN_BALL_MAPS(moments)

static const tn_draw_item draw[] = {{TN_DRAW_BALL, TN_DRAW_IN_C, 0, 0}, {TN_DRAW_END, 0, 0, 0}};

const tn_joint_class tn_joint_class_spherical_rotation = {
    .info = {.name = "spherical_rotation",
             .aliases = (const char *const[]){"ball_rotation", NULL},
             .summary = "turns about a point; the angle of its rotation can be limited, by axis",
             TN_JOINT_DOF(3),
             .parameter_count = 3,
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates),
             .parameters = parameter_list},
    .draw = draw,
    .turns_about_point = 1,
    .project = tn_ball_project,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
    .adjust = adjust,
    .wrenches = wrenches,
    .wrench_rates = wrench_rates,
    .twists = twists,
};
