/* slider.c: room joint/type: translation along the common z axis, no rotation.
 *
 * T_CD = trans(0, 0, z). G has D's orientation and keeps the z of C's origin. Rows are constant in
 * G: fx, fy, mx, my, mz; the motion row is fz.
 */
#include "joint/point/slide_pose.h"

static const tn_row_info rows[] = {
    {"fx", TN_FORCE_ROW},  {"fy", TN_FORCE_ROW},  {"mx", TN_MOMENT_ROW},
    {"my", TN_MOMENT_ROW}, {"mz", TN_MOMENT_ROW}, {"z", TN_LENGTH_ROW(0)},
};
static const int8_t axes[] = {TN_FX, TN_FY, TN_MX, TN_MY, TN_MZ, TN_FZ};
static const tn_coordinate_info coordinates[] = {{"z", 0}};

TN_SLIDE_POSE(.count = 1, .axis = {2})

static const tn_draw_item draw[] = {
    {TN_DRAW_RAIL, TN_DRAW_IN_D, 2, 1},
    {TN_DRAW_BLOCK, TN_DRAW_IN_C, 2, 0},
    {TN_DRAW_END, 0, 0, 0},
};

enum { FX, FY, MX, MY, MZ };

static const tn_joint_relief reliefs[] = {
    {TN_JOINT_free, TN_FIRST_ROWS(5), 0},
    {TN_JOINT_cylindrical, 1 << MZ, 0},
    {TN_JOINT_point_line, 1 << MX | 1 << MY | 1 << MZ, 0},
    {0, 0, 0},
};

const tn_joint_class tn_joint_class_slider = {
    .info = {.name = "slider",
             .aliases = (const char *const[]){"prismatic", NULL},
             .summary = "slides along one axis without turning",
             TN_JOINT_DOF(1),
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates)},
    .axes = axes,
    .screws_along_z = 1,
    .draw = draw,
    .reliefs = reliefs,
    .project = project,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
};
