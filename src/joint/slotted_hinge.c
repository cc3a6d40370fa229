/* slotted_hinge.c: room joint: a pin turning about z in a slot along the x axis of D.
 *
 * T_CD = trans(x, 0, 0) Rz(theta). G turns z_C onto z_D by the shortest rotation and keeps x. With
 * ex, ey the axes of D seen in G, ex = (c, -s, 0) and ey = (s, c, 0), the rows are
 *     forces ey, z,   moments x, y,   motion rows: force ex (x) and moment z (theta),
 * and the twists are the same vectors. ex and ey turn in G with -theta'.
 */
#include "joint/row_vectors.h"
#include "joint/slide_pose.h"

static const tn_row_info rows[] = {
    {"fy", TN_FORCE_ROW},  {"fz", TN_FORCE_ROW},    {"mx", TN_MOMENT_ROW},
    {"my", TN_MOMENT_ROW}, {"x", TN_LENGTH_ROW(0)}, {"theta", TN_ANGLE_ROW(1)},
};
static const tn_coordinate_info coordinates[] = {{"x", 0}, {"theta", 1}};

TN_SLIDE_POSE(.turns = 1, .count = 1, .axis = {0})

static void wrenches(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                     double W[TN_MAX_ROWS][6])
{
    (void)setup;
    (void)q;
    tn_row_linear(W[0], tn_axis_of_d(T_GD, 1));
    tn_row_linear(W[1], tn_unit(2));
    tn_row_angular(W[2], tn_unit(0));
    tn_row_angular(W[3], tn_unit(1));
    tn_row_linear(W[4], tn_axis_of_d(T_GD, 0));
    tn_row_angular(W[5], tn_unit(2));
}

static void wrench_rates(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                         const double twist_GD[6], double dW[TN_MAX_ROWS][6])
{
    (void)setup;
    (void)q;
    tn_row_linear(dW[0], tn_axis_of_d_rate(T_GD, 1, twist_GD));
    tn_row_linear(dW[4], tn_axis_of_d_rate(T_GD, 0, twist_GD));
}

static const tn_draw_item draw[] = {
    {TN_DRAW_SLOT, TN_DRAW_IN_D, 0, 1},
    {TN_DRAW_SHAFT, TN_DRAW_IN_C, 2, 0},
    {TN_DRAW_END, 0, 0, 0},
};

enum { FY, FZ, MX, MY };

static const tn_joint_relief reliefs[] = {
    {TN_JOINT_planar, 1 << FY, 0},
    {TN_JOINT_point_plane, 1 << FY | 1 << MX | 1 << MY, 0},
    {0, 0, 0},
};

const tn_joint_class tn_joint_class_slotted_hinge = {
    .info = {.name = "slotted_hinge",
             .summary = "turns about one axis that slides along a slot across it",
             TN_JOINT_DOF(2),
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates)},
    .draw = draw,
    .reliefs = reliefs,
    .project = project,
    .whole_turns = 0x2,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
    .wrenches = wrenches,
    .wrench_rates = wrench_rates,
};
