/* constant_velocity.c: room joint/type: two shafts that turn at exactly the same speed at any bend.
 *
 * The origins coincide and C is D bent about an axis of the x-y plane, without twist:
 * R_CD = exp(r), r = (a, b, 0), the coordinates bend_x, bend_y. Rz(-t) exp(r) Rz(t) is again such a
 * bend for every t: when one shaft turns by t about its z axis, so does the other. As a unit
 * quaternion R_CD is (u0, ux, uy, 0); the twist uz stays zero when the angular velocity is across
 *     m = (-uy, ux, u0)   in G, along the bisector of the two shafts: the half-angle plane.
 * With f = |r|, the motion rows are the first two rows of the inverse of the right Jacobian of exp
 * and the twists its first two columns:
 *     W_a = (g + h a^2, h a b, b/2),     W_b = (h a b, g + h b^2, -a/2)
 *     T_a = (1 - k b^2, k a b, j b),     T_b = (k a b, 1 - k a^2, -j a)
 *     g = (f/2) cot(f/2),  h = (1 - g)/f^2,  j = (1 - cos f)/f^2,  k = (f - sin f)/f^3
 * G is the nearest such rotation: the quaternion of C without its z. Limits: W is singular at a
 * bend of 360 degrees; a C twisted by 180 degrees against D has no nearest bend.
 */
#include <string.h>

#include "real/real.h"
#include "joint/rotation_about_z.h"
#include "joint/row_vectors.h"

/* Below this square of the bend (rad^2) series replace differences that cancel; the first term left
 * out is below 1e-16. */
#define TN_SMALL_BEND 0.25

/* Below this length the quaternion without its z has no direction: twisted by 180 degrees. */
#define TN_NO_BEND 1e-12

static const tn_row_info rows[] = {
    {"fx", TN_FORCE_ROW},     {"fy", TN_FORCE_ROW},        {"fz", TN_FORCE_ROW},
    {"twist", TN_MOMENT_ROW}, {"bend_x", TN_ANGLE_ROW(0)}, {"bend_y", TN_ANGLE_ROW(1)},
};
static const tn_coordinate_info coordinates[] = {{"bend_x", 1}, {"bend_y", 1}};

static int project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    (void)setup;
    tn_quat u = tn_quat_from_matrix(&T_CD->R);
    u.z = 0.0;
    const int unique = sqrt(u.w * u.w + u.x * u.x + u.y * u.y) > TN_NO_BEND;
    T_GD->R = unique ? q_to_m3(q_normalize(u)) : m3_identity();
    T_GD->p = v3(0.0, 0.0, 0.0);
    return unique;
}

/* r = f n, where f may have any number of turns: the ones nearest to the reference along n. */
static void pose_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,
                                const double *reference, double *q)
{
    (void)setup;
    const tn_quat u = tn_quat_from_matrix(&T_GD->R);
    double n[2] = {u.x, u.y};
    double s = tn_hypot(n[0], n[1]);
    const double f = 2.0 * tn_atan2(s, u.w);
    if (s == 0.0) { /* no bend, or whole turns about any axis: the reference's */
        memcpy(n, reference, sizeof n);
        s = tn_hypot(n[0], n[1]);
    }
    const double along = s > 0.0 ? (reference[0] * n[0] + reference[1] * n[1]) / s : 0.0;
    const double size = s > 0.0 ? tn_nearest_turn(f, along) / s : 0.0;
    q[0] = size * n[0];
    q[1] = size * n[1];
}

static void coordinates_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    (void)setup;
    T_GD->R = q_to_m3(q_exp(v3(q[0], q[1], 0.0)));
    T_GD->p = v3(0.0, 0.0, 0.0);
}

/* g, h and their derivatives by f^2. */
typedef struct tn_bend {
    double g, h, dg, dh;
} tn_bend;

/* 1 - g = sum of |B_2n| f^2n / (2n)!, Bernoulli's numbers B_2 .. B_14. */
static tn_bend small_bend(double f2)
{
    static const double c[] = {1.0 / 12,          1.0 / 720,      1.0 / 30240,
                               1.0 / 1209600,     1.0 / 47900160, 691.0 / 1307674368000,
                               7.0 / 523069747200};
    tn_bend bend = {0.0, 0.0, 0.0, 0.0};
    for (int i = (int)(sizeof c / sizeof c[0]) - 1; i >= 0; i--) {
        bend.dh = bend.dh * f2 + bend.h;
        bend.h = bend.h * f2 + c[i];
    }
    bend.g = 1.0 - f2 * bend.h;
    bend.dg = -bend.h - f2 * bend.dh;
    return bend;
}

static tn_bend bend_functions(double f2)
{
    if (f2 < TN_SMALL_BEND)
        return small_bend(f2);
    const double f = sqrt(f2), s = tn_sin(0.5 * f) / f;
    tn_bend bend;
    bend.g = tn_cos(0.5 * f) / (2.0 * s);
    bend.h = (1.0 - bend.g) / f2;
    bend.dg = (0.5 * bend.g - 0.125 / (s * s)) / f2;
    bend.dh = -(bend.h + bend.dg) / f2;
    return bend;
}

static void wrenches(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                     double W[TN_MAX_ROWS][6])
{
    (void)setup;
    (void)T_GD;
    const double a = q[0], b = q[1];
    const tn_bend bend = bend_functions(a * a + b * b);
    const tn_quat u = q_exp(v3(a, b, 0.0));
    for (int i = 0; i < 3; i++)
        tn_row_linear(W[i], tn_unit(i));
    tn_row_angular(W[3], v3(-u.y, u.x, u.w));
    tn_row_angular(W[4], v3(bend.g + bend.h * a * a, bend.h * a * b, 0.5 * b));
    tn_row_angular(W[5], v3(bend.h * a * b, bend.g + bend.h * b * b, -0.5 * a));
}

/* m' from the quaternion's own law u' = u w / 2. */
static void wrench_rates(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                         const double twist_GD[6], double dW[TN_MAX_ROWS][6])
{
    double W[TN_MAX_ROWS][6];
    wrenches(setup, T_GD, q, W);
    const double a = q[0], b = q[1];
    const tn_vec3 w = v3_load(twist_GD + 3);
    const double da = v3_dot(v3_load(W[4] + 3), w), db = v3_dot(v3_load(W[5] + 3), w);
    const tn_bend bend = bend_functions(a * a + b * b);
    const double df2 = 2.0 * (a * da + b * db), dg = bend.dg * df2, dh = bend.dh * df2;
    const double dab = dh * a * b + bend.h * (da * b + a * db);
    const tn_quat u = q_exp(v3(a, b, 0.0));
    tn_row_angular(dW[3], v3_scale(0.5, v3(u.x * w.z - u.w * w.y, u.w * w.x + u.y * w.z,
                                           -u.x * w.x - u.y * w.y)));
    tn_row_angular(dW[4], v3(dg + dh * a * a + 2.0 * bend.h * a * da, dab, 0.5 * db));
    tn_row_angular(dW[5], v3(dab, dg + dh * b * b + 2.0 * bend.h * b * db, -0.5 * da));
}

/* j = 2 (sin(f/2)/f)^2, and k by its series where f - sin f cancels. */
static void twists(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                   double T[TN_MAX_ROWS][6])
{
    (void)setup;
    (void)T_GD;
    const double a = q[0], b = q[1], f2 = a * a + b * b, f = sqrt(f2);
    double half = 0.5 - f2 / 48 * (1.0 - f2 / 80 * (1.0 - f2 / 168 * (1.0 - f2 / 288)));
    double k = (1.0 - f2 / 20 * (1.0 - f2 / 42 * (1.0 - f2 / 72 * (1.0 - f2 / 110)))) / 6.0;
    if (f2 >= TN_SMALL_BEND) {
        half = tn_sin(0.5 * f) / f;
        k = (f - tn_sin(f)) / (f * f2);
    }
    const double j = 2.0 * half * half;
    tn_row_angular(T[0], v3(1.0 - k * b * b, k * a * b, j * b));
    tn_row_angular(T[1], v3(k * a * b, 1.0 - k * a * a, -j * a));
}

static const tn_draw_item draw[] = {
    {TN_DRAW_SHAFT, TN_DRAW_IN_D, 2, 0}, {TN_DRAW_SHAFT, TN_DRAW_IN_C, 2, 0},
    {TN_DRAW_BALL, TN_DRAW_IN_C, 0, 0},  {TN_DRAW_TRACE, TN_DRAW_IN_C, 2, 1},
    {TN_DRAW_TRACE, TN_DRAW_IN_C, 2, 2}, {TN_DRAW_END, 0, 0, 0},
};

const tn_joint_class tn_joint_class_constant_velocity = {
    .info = {.name = "constant_velocity",
             .summary = "joins two shafts that turn at the same speed at any bend",
             TN_JOINT_DOF(2),
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates)},
    .draw = draw,
    .project = project,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
    .wrenches = wrenches,
    .wrench_rates = wrench_rates,
    .twists = twists,
};
