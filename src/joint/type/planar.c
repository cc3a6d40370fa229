/* planar.c: room joint/type: the x-y planes of C and D coincide.
 *
 * T_CD = trans(x, y, 0) Rz(theta). G turns z_C onto z_D by the shortest rotation and keeps x and y.
 * With ex = (c, -s, 0) and ey = (s, c, 0) the axes of D seen in G, the rows are
 *     force z,   moments x, y,   motion rows: forces ex (x), ey (y) and moment z (theta),
 * and the twists are the same vectors. ex and ey turn in G with -theta'.
 */
#include "joint/point/slide_pose.h"

static const tn_row_info rows[] = {
    {"fz", TN_FORCE_ROW},    {"mx", TN_MOMENT_ROW},   {"my", TN_MOMENT_ROW},
    {"x", TN_LENGTH_ROW(0)}, {"y", TN_LENGTH_ROW(1)}, {"theta", TN_ANGLE_ROW(2)},
};
static const tn_coordinate_info coordinates[] = {{"x", 0}, {"y", 0}, {"theta", 1}};

TN_SLIDE_POSE(.turns = 1, .count = 2, .axis = {0, 1})
TN_SLIDE_ROWS(TN_FZ, TN_MX, TN_MY, TN_DX, TN_DY, TN_MZ)

static const tn_draw_item draw[] = {
    {TN_DRAW_PLANE, TN_DRAW_IN_D, 2, 0},
    {TN_DRAW_SHAFT, TN_DRAW_IN_C, 2, 0},
    {TN_DRAW_END, 0, 0, 0},
};

enum { FZ, MX, MY };

static const tn_joint_relief reliefs[] = {
    {TN_JOINT_point_plane, 1 << MX | 1 << MY, 0},
    {0, 0, 0},
};

const tn_joint_class tn_joint_class_planar = {
    .info = {.name = "planar",
             .summary = "slides in a plane and turns about its normal",
             TN_JOINT_DOF(3),
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates)},
    .draw = draw,
    .reliefs = reliefs,
    .chain = tn_chain_in_order,
    .project = project,
    .whole_turns = 0x4,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
    .wrenches = wrenches,
    .wrench_rates = wrench_rates,
};
