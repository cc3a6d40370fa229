/* wheel.c: room joint/type: a wheel that springs along the x axis of D, steers about it and spins.
 *
 * T_CD = trans(suspension, 0, 0) Rx(steering) Rz(spin): the strut is x of D, on the chassis, the
 * axle z of C, always square to the strut. G stands on the strut below C's origin and has the
 * orientation nearest to C's with z_C square to x_D. With r = x_D seen in G, z the axle and
 * b = z x r across both, three unit axes at right angles, the rows are
 *     forces b, z,   moment b,   motion rows: force r (suspension), moment r (steering), moment z
 * (spin), and the twists are the same vectors. With R = Rx(s) Rz(t), r = (cos t, -sin t, 0): in G
 * it turns as axes of D do, r' = -w x r, and b with it.
 * Between planar bodies force b, the suspension and the spin are left: a line and a wheel on it.
 */
#include "real/real.h"
#include "joint/rotation_about_z.h"
#include "joint/row_vectors.h"
#include "joint/turn/tilt.h"

static const tn_row_info rows[] = {
    {"fy", TN_FORCE_ROW},          {"fz", TN_FORCE_ROW},
    {"cross", TN_MOMENT_ROW},      {"suspension", TN_LENGTH_ROW(0)},
    {"steering", TN_ANGLE_ROW(1)}, {"spin", TN_ANGLE_ROW(2)},
};
static const tn_coordinate_info coordinates[] = {{"suspension", 0}, {"steering", 1}, {"spin", 1}};

static int project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    (void)setup;
    T_GD->p = v3(T_CD->p.x, 0.0, 0.0);
    return tn_tilt_axis(&T_CD->R, tn_unit(2), tn_unit(0), 1.0, 0.0, &T_GD->R);
}

/* z_G in D is (0, -sin steering, cos steering); x_D in G is (cos spin, -sin spin, 0). */
static void pose_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,
                                const double *reference, double *q)
{
    (void)setup;
    const tn_mat3 *R = &T_GD->R;
    q[0] = T_GD->p.x;
    q[1] = tn_nearest_turn(tn_atan2(-R->m[1][2], R->m[2][2]), reference[1]);
    q[2] = tn_nearest_turn(tn_atan2(-R->m[0][1], R->m[0][0]), reference[2]);
}

static void coordinates_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    (void)setup;
    const double cs = tn_cos(q[1]), ss = tn_sin(q[1]), ct = tn_cos(q[2]), st = tn_sin(q[2]);
    T_GD->R = (tn_mat3){{{ct, -st, 0.0}, {cs * st, cs * ct, -ss}, {ss * st, ss * ct, cs}}};
    T_GD->p = v3(q[0], 0.0, 0.0);
}

/* b = z x r for any r. */
static tn_vec3 across(tn_vec3 r)
{
    return v3_cross(tn_unit(2), r);
}

static void wrenches(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                     double W[TN_MAX_ROWS][6])
{
    (void)setup;
    (void)q;
    const tn_vec3 r = tn_axis_of_d(T_GD, 0);
    tn_row_linear(W[0], across(r));
    tn_row_linear(W[1], tn_unit(2));
    tn_row_angular(W[2], across(r));
    tn_row_linear(W[3], r);
    tn_row_angular(W[4], r);
    tn_row_angular(W[5], tn_unit(2));
}

static void wrench_rates(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                         const double twist_GD[6], double dW[TN_MAX_ROWS][6])
{
    (void)setup;
    (void)q;
    const tn_vec3 dr = tn_axis_of_d_rate(T_GD, 0, twist_GD);
    tn_row_linear(dW[0], across(dr));
    tn_row_angular(dW[2], across(dr));
    tn_row_linear(dW[3], dr);
    tn_row_angular(dW[4], dr);
}

static const tn_draw_item draw[] = {
    {TN_DRAW_SHAFT, TN_DRAW_IN_D, 0, 1},
    {TN_DRAW_SHAFT, TN_DRAW_IN_C, 2, 0},
    {TN_DRAW_SLEEVE, TN_DRAW_OF_MOTION, 0, 0},
    {TN_DRAW_END, 0, 0, 0},
};

const tn_joint_class tn_joint_class_wheel = {
    .info = {.name = "wheel",
             .summary = "lets a wheel spring along a strut, steer about it and spin",
             TN_JOINT_DOF(3),
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates)},
    .draw = draw,
    .project = project,
    .whole_turns = 0x6,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
    .wrenches = wrenches,
    .wrench_rates = wrench_rates,
};
