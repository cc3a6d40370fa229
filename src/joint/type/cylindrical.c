/* cylindrical.c: room joint/type: translation along and rotation about the common z axis.
 *
 * T_CD = trans(0, 0, z) Rz(theta). G turns z_C onto z_D by the shortest rotation and keeps z. Rows
 * are constant in G: fx, fy, mx, my; the motion rows are fz (z) and mz (theta).
 */
#include "joint/point/slide_pose.h"

static const tn_row_info rows[] = {
    {"fx", TN_FORCE_ROW},  {"fy", TN_FORCE_ROW},    {"mx", TN_MOMENT_ROW},
    {"my", TN_MOMENT_ROW}, {"z", TN_LENGTH_ROW(0)}, {"theta", TN_ANGLE_ROW(1)},
};
static const int8_t axes[] = {TN_FX, TN_FY, TN_MX, TN_MY, TN_FZ, TN_MZ};
static const tn_coordinate_info coordinates[] = {{"z", 0}, {"theta", 1}};

TN_SLIDE_POSE(.turns = 1, .count = 1, .axis = {2})

static const tn_draw_item draw[] = {
    {TN_DRAW_SHAFT, TN_DRAW_IN_D, 2, 1},
    {TN_DRAW_SLEEVE, TN_DRAW_IN_C, 2, 0},
    {TN_DRAW_END, 0, 0, 0},
};

enum { FX, FY, MX, MY };

static const tn_joint_relief reliefs[] = {
    {TN_JOINT_point_line, 1 << MX | 1 << MY, 0},
    {TN_JOINT_free, TN_FIRST_ROWS(4), 0},
    {0, 0, 0},
};

const tn_joint_class tn_joint_class_cylindrical = {
    .info = {.name = "cylindrical",
             .summary = "slides along and turns about one axis",
             TN_JOINT_DOF(2),
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates)},
    .axes = axes,
    .draw = draw,
    .reliefs = reliefs,
    .chain = tn_chain_in_order,
    .project = project,
    .whole_turns = 0x2,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
};
