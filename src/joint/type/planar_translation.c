/* planar_translation.c: room joint/type: slides in the x-y plane of D without turning.
 *
 * T_CD = trans(x, y, 0). G has D's orientation and keeps x and y. Rows are constant in G: fz, mx,
 * my, mz; the motion rows are fx (x) and fy (y).
 */
#include "joint/point/slide_pose.h"

static const tn_row_info rows[] = {
    {"fz", TN_FORCE_ROW},  {"mx", TN_MOMENT_ROW},   {"my", TN_MOMENT_ROW},
    {"mz", TN_MOMENT_ROW}, {"x", TN_LENGTH_ROW(0)}, {"y", TN_LENGTH_ROW(1)},
};
static const int8_t axes[] = {TN_FZ, TN_MX, TN_MY, TN_MZ, TN_FX, TN_FY};
static const tn_coordinate_info coordinates[] = {{"x", 0}, {"y", 0}};

TN_SLIDE_POSE(.count = 2, .axis = {0, 1})

static const tn_draw_item draw[] = {
    {TN_DRAW_PLANE, TN_DRAW_IN_D, 2, 0},
    {TN_DRAW_BLOCK, TN_DRAW_IN_C, 2, 0},
    {TN_DRAW_END, 0, 0, 0},
};

enum { FZ, MX, MY, MZ };

static const tn_joint_relief reliefs[] = {
    {TN_JOINT_planar, 1 << MZ, 0},
    {TN_JOINT_point_plane, 1 << MX | 1 << MY | 1 << MZ, 0},
    {0, 0, 0},
};

const tn_joint_class tn_joint_class_planar_translation = {
    .info = {.name = "planar_translation",
             .summary = "slides in a plane without turning",
             TN_JOINT_DOF(2),
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates)},
    .axes = axes,
    .draw = draw,
    .reliefs = reliefs,
    .chain = tn_chain_in_order,
    .project = project,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
};
