/* slotted_hinge.c: room joint/type: a pin turning about z in a slot along the x axis of D.
 *
 * T_CD = trans(x, 0, 0) Rz(theta). G turns z_C onto z_D by the shortest rotation and keeps x. With
 * ex, ey the axes of D seen in G, ex = (c, -s, 0) and ey = (s, c, 0), the rows are
 *     forces ey, z,   moments x, y,   motion rows: force ex (x) and moment z (theta),
 * and the twists are the same vectors. ex and ey turn in G with -theta'.
 */
#include "joint/point/slide_pose.h"

static const tn_row_info rows[] = {
    {"fy", TN_FORCE_ROW},  {"fz", TN_FORCE_ROW},    {"mx", TN_MOMENT_ROW},
    {"my", TN_MOMENT_ROW}, {"x", TN_LENGTH_ROW(0)}, {"theta", TN_ANGLE_ROW(1)},
};
static const tn_coordinate_info coordinates[] = {{"x", 0}, {"theta", 1}};

TN_SLIDE_POSE(.turns = 1, .count = 1, .axis = {0})
TN_SLIDE_ROWS(TN_DY, TN_FZ, TN_MX, TN_MY, TN_DX, TN_MZ)

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
    .chain = tn_chain_in_order,
    .project = project,
    .whole_turns = 0x2,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
    .wrenches = wrenches,
    .wrench_rates = wrench_rates,
};
