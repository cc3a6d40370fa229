/* screw.c: room joint/type: a nut on a thread: advances along z by pitch per radian of turn.
 *
 * T_CD = trans(0, 0, pitch theta) Rz(theta). G turns z_C onto z_D by the shortest rotation, keeps
 * the angle and takes the thread nearest to C's z: the turn count follows from z alone, so an
 * error of more than half a lead, pi |pitch|, skips a thread. Rows, constant in G:
 *     fx, fy, mx, my,   fz - pitch mz  (the thread),   motion row mz,   T = (0, 0, pitch; 0, 0, 1).
 * The motion row is a pure moment, as a motor on the nut gives; its reaction along z is in the
 * thread's row. A pitch of 0 makes a hinge.
 */
#include "real/real.h"
#include "joint/rotation_about_z.h"
#include "joint/row_vectors.h"

/* Below this pitch (m/rad) z is too coarse to count turns: the reference does. A lead of 6e-10 m
 * is no thread. */
#define TN_NO_PITCH 1e-10

enum { PITCH };

static const tn_row_info rows[] = {
    {"fx", TN_FORCE_ROW},  {"fy", TN_FORCE_ROW},     {"mx", TN_MOMENT_ROW},
    {"my", TN_MOMENT_ROW}, {"thread", TN_FORCE_ROW}, {"theta", TN_ANGLE_ROW(0)},
};
static const tn_coordinate_info coordinates[] = {{"theta", 1}};
static const tn_parameter_info parameter_infos[] = {
    {"pitch", "m/rad", 1e-3, -INFINITY, INFINITY, "advance along z per radian of turn"}};

/* The angle on the thread; the number of turns follows from z, or without pitch from the reference. */
static double thread_angle(double pitch, const tn_xform *T, double reference)
{
    const double z_angle = fabs(pitch) > TN_NO_PITCH ? T->p.z / pitch : reference;
    return tn_nearest_turn(tn_atan2(T->R.m[1][0], T->R.m[0][0]), z_angle);
}

static int project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    const int unique = tn_nearest_rotation_about_z(&T_CD->R, &T_GD->R);
    T_GD->p = v3(0.0, 0.0, T_CD->p.z);
    T_GD->p.z = setup->parameters[PITCH] * thread_angle(setup->parameters[PITCH], T_GD, 0.0);
    return unique;
}

static void pose_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,
                                const double *reference, double *q)
{
    q[0] = thread_angle(setup->parameters[PITCH], T_GD, reference[0]);
}

static void coordinates_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    T_GD->R = m3_rot_z(tn_cos(q[0]), tn_sin(q[0]));
    T_GD->p = v3(0.0, 0.0, setup->parameters[PITCH] * q[0]);
}

static void wrenches(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                     double W[TN_MAX_ROWS][6])
{
    (void)T_GD;
    (void)q;
    tn_row_linear(W[0], tn_unit(0));
    tn_row_linear(W[1], tn_unit(1));
    tn_row_angular(W[2], tn_unit(0));
    tn_row_angular(W[3], tn_unit(1));
    tn_row_set(W[4], tn_unit(2), v3(0.0, 0.0, -setup->parameters[PITCH]));
    tn_row_angular(W[5], tn_unit(2));
}

static void twists(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                   double T[TN_MAX_ROWS][6])
{
    (void)T_GD;
    (void)q;
    tn_row_set(T[0], v3(0.0, 0.0, setup->parameters[PITCH]), tn_unit(2));
}

static const tn_draw_item draw[] = {
    {TN_DRAW_SHAFT, TN_DRAW_IN_D, 2, 0},
    {TN_DRAW_THREAD, TN_DRAW_IN_D, 2, 0},
    {TN_DRAW_SLEEVE, TN_DRAW_IN_C, 2, 0},
    {TN_DRAW_END, 0, 0, 0},
};

const tn_joint_class tn_joint_class_screw = {
    .info = {.name = "screw",
             .aliases = (const char *const[]){"helical", NULL},
             .summary = "advances along one axis in proportion to its turn about it",
             TN_JOINT_DOF(1),
             .parameter_count = 1,
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates),
             .parameters = parameter_infos},
    .screws_along_z = 1,
    .draw = draw,
    .project = project,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
    .wrenches = wrenches,
    .twists = twists,
};
