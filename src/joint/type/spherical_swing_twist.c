/* spherical_swing_twist.c: room joint/type: a spherical joint that measures swing and twist.
 *
 * R = S T: a twist about z_C, then the swing S, the shortest rotation that takes z_D onto z_C, with
 * axis e in the x-y plane of D and angle t.
 *     swing = t k(e),   k = sqrt((e_x/a_x)^2 + (e_y/a_y)^2),    twist = angle of T, counting turns;
 * an upper limit s of the swing is an elliptic cone that lets C swing by a_x s about x and a_y s
 * about y. Gradients against the angular velocity of C in D, seen in G (= C):
 *     swing   k n + (t / sin t) k' z_C x n,   k' = e_x e_y (1/a_y^2 - 1/a_x^2) / k
 *     twist   (z_C + z_D) / (1 + z_C . z_D)
 * with n = e in G; the direction of e changes by w . (z_C x n) / sin t. The third row, z_C x the
 * first, belongs to no coordinate. Singular at t = 0 for the swing (n is then x of C) and at t = pi
 * for both.
 */
#include "real/real.h"
#include "joint/turn/ball_rows.h"
#include "joint/rotation_about_z.h"

enum { ABOUT_X, ABOUT_Y };

static const tn_row_info rows[] = {
    {"fx", TN_FORCE_ROW},       {"fy", TN_FORCE_ROW},       {"fz", TN_FORCE_ROW},
    {"swing", TN_ANGLE_ROW(0)}, {"twist", TN_ANGLE_ROW(1)}, {"orbit", TN_ANGLE_ROW(-1)},
};
static const tn_coordinate_info coordinates[] = {{"swing", 1}, {"twist", 1}};
static const tn_parameter_info parameter_list[] = {
    {"about_x", "1", 1.0, 0.0, INFINITY, "how far the joint swings about x, per unit of swing"},
    {"about_y", "1", 1.0, 0.0, INFINITY, "how far the joint swings about y, per unit of swing"},
};

/* 1 + cos t below this: the swing is half a turn and the twist undefined. */
#define TN_HALF_TURN 1e-12

/* k of the head comment. */
TN_INLINE tn_dual stretch(const double *a, tn_dual ex, tn_dual ey)
{
    return dual3_norm(dual3(dual(ex.v / a[ABOUT_X], ex.d / a[ABOUT_X]),
                            dual(ey.v / a[ABOUT_Y], ey.d / a[ABOUT_Y]), dual(0.0, 0.0)));
}

/* e in D: n of the tilt turned by R. n moves in G, and G in D. */
TN_INLINE tn_dual3 swing_axis(const tn_xform *T_GD, tn_vec3 w, const tn_dual3 *n)
{
    return (tn_dual3){m3_mulv(&T_GD->R, n->v), m3_mulv(&T_GD->R, v3_add(n->d, v3_cross(w, n->v)))};
}

static void pose_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,
                                const double *reference, double *q)
{
    const tn_vec3 still = {0.0, 0.0, 0.0};
    const tn_ball_tilt tilt = tn_ball_tilt_at(T_GD, still);
    const tn_dual3 e = swing_axis(T_GD, still, &tilt.n);
    tn_mat3 twist;
    tn_nearest_rotation_about_z(&T_GD->R, &twist);
    q[1] = tn_nearest_turn(tn_atan2(twist.m[1][0], twist.m[0][0]), reference[1]);
    q[0] = tn_ball_tilt_angle(&tilt) *
           stretch(setup->parameters, dual(e.v.x, 0.0), dual(e.v.y, 0.0)).v;
}

/* Along the axis of the smaller allowance, so that every swing is below half a turn. */
static void coordinates_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    const int axis = setup->parameters[ABOUT_X] <= setup->parameters[ABOUT_Y] ? 0 : 1;
    *T_GD = tn_ball_pose(axis, q[0] * setup->parameters[axis], q[1]);
}

/* The axis of the swing stays. */
static void adjust(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    const tn_vec3 still = {0.0, 0.0, 0.0};
    const tn_ball_tilt tilt = tn_ball_tilt_at(T_GD, still);
    if (tilt.sine.v < TN_BALL_NO_AXIS) {
        coordinates_to_pose(setup, q, T_GD);
        return;
    }
    const tn_dual3 e = swing_axis(T_GD, still, &tilt.n);
    const double k = stretch(setup->parameters, dual(e.v.x, 0.0), dual(e.v.y, 0.0)).v;
    const double angle = fmax(0.0, fmin(TN_PI, q[0] / k));
    const tn_mat3 swing = q_to_m3(q_exp(v3_scale(angle, e.v)));
    const tn_mat3 twist = m3_rot_z(tn_cos(q[1]), tn_sin(q[1]));
    T_GD->R = m3_mul(&swing, &twist);
}

/* (z_C + z_D) / (1 + z_C . z_D); at half a turn z_C. */
TN_INLINE tn_dual3 twist_gradient(const tn_ball_tilt *tilt)
{
    const tn_dual3 z = {tn_unit(2), v3(0.0, 0.0, 0.0)};
    const tn_dual sum = dual(1.0 + tilt->cosine.v, tilt->cosine.d);
    return sum.v > TN_HALF_TURN ? dual3_scale(dual_div(dual(1.0, 0.0), sum), dual3_add(z, tilt->u))
                                : z;
}

/* t / sin t, with its change while the tilt grows by n . w. */
TN_INLINE tn_dual angle_by_sine(const tn_ball_tilt *tilt, tn_vec3 w)
{
    if (tilt->sine.v < TN_BALL_NO_AXIS)
        return dual(1.0, 0.0);
    return dual_div(dual(tn_ball_tilt_angle(tilt), v3_dot(tilt->n.v, w)), tilt->sine);
}

/* k n + (t / sin t) k' z_C x n; of a round cone k' is zero. */
TN_INLINE tn_dual3 swing_gradient(const tn_joint_setup *setup, const tn_xform *T_GD, tn_vec3 w,
                                  const tn_ball_tilt *tilt)
{
    const double ax = setup->parameters[ABOUT_X], ay = setup->parameters[ABOUT_Y];
    const tn_dual3 z = {tn_unit(2), v3(0.0, 0.0, 0.0)}, e = swing_axis(T_GD, w, &tilt->n);
    const tn_dual ex = dual(e.v.x, e.d.x), ey = dual(e.v.y, e.d.y),
                  k = stretch(setup->parameters, ex, ey);
    const tn_dual3 along = dual3_scale(k, tilt->n);
    if (ax == ay)
        return along;
    const tn_dual slope =
        dual_div(dual_mul(dual(1.0 / (ay * ay) - 1.0 / (ax * ax), 0.0), dual_mul(ex, ey)), k);
    return dual3_axpy(along, dual_mul(angle_by_sine(tilt, w), slope), dual3_cross(z, tilt->n));
}

TN_INLINE void moments(const tn_joint_setup *setup, const tn_xform *T_GD, tn_vec3 w, tn_dual3 m[3])
{
    const tn_ball_tilt tilt = tn_ball_tilt_at(T_GD, w);
    const tn_dual3 z = {tn_unit(2), v3(0.0, 0.0, 0.0)};
    m[0] = swing_gradient(setup, T_GD, w, &tilt);
    m[1] = twist_gradient(&tilt);
    m[2] = dual3_cross(z, m[0]);
}

TN_BALL_MAPS(moments)

static const tn_draw_item draw[] = {{TN_DRAW_BALL, TN_DRAW_IN_C, 0, 0}, {TN_DRAW_END, 0, 0, 0}};

const tn_joint_class tn_joint_class_spherical_swing_twist = {
    .info = {.name = "spherical_swing_twist",
             .aliases = (const char *const[]){"ball_swing_twist", NULL},
             .summary = "turns about a point; its swing can be limited to an elliptic cone, its "
                        "twist to a range",
             TN_JOINT_DOF(3),
             .parameter_count = 2,
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates),
             .parameters = parameter_list},
    .draw = draw,
    .turns_about_point = 1,
    .project = tn_ball_project,
    .whole_turns = 0x2,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
    .adjust = adjust,
    .wrenches = wrenches,
    .wrench_rates = wrench_rates,
    .twists = twists,
};
