/* hinge.c: room joint/type: rotation about the common z axis of C and D.
 *
 * T_CD = Rz(theta) (3.7). G is C with its z axis turned onto z_D by the shortest rotation and its
 * origin put on D's. Rows are constant in G: fx, fy, fz, mx, my; the motion row is mz.
 *
 * Room joint/type, as of every file of it. In: a pose of C in D, or coordinates. Out: one
 * tn_joint_class, which joint_list.h names.
 */
#include "joint/point/slide_pose.h"

static const tn_row_info rows[] = {
    {"fx", TN_FORCE_ROW},  {"fy", TN_FORCE_ROW},  {"fz", TN_FORCE_ROW},
    {"mx", TN_MOMENT_ROW}, {"my", TN_MOMENT_ROW}, {"theta", TN_ANGLE_ROW(0)},
};
static const int8_t axes[] = {TN_FX, TN_FY, TN_FZ, TN_MX, TN_MY, TN_MZ};
static const tn_coordinate_info coordinates[] = {{"theta", 1}};

TN_SLIDE_POSE(.turns = 1)

static const tn_draw_item draw[] = {{TN_DRAW_SHAFT, TN_DRAW_IN_D, 2, 0}, {TN_DRAW_END, 0, 0, 0}};

enum { FX, FY, FZ, MX, MY };

static const tn_joint_relief reliefs[] = {
    {TN_JOINT_cylindrical, 1 << FZ, 0},
    {TN_JOINT_spherical, 1 << MX | 1 << MY, 0},
    {TN_JOINT_point_line, 1 << FZ | 1 << MX | 1 << MY, 0},
    {TN_JOINT_slotted_hinge, 1 << FX, 0},
    {TN_JOINT_slotted_hinge, 1 << FY, 1},
    {TN_JOINT_planar, 1 << FX | 1 << FY, 0},
    {TN_JOINT_free, TN_FIRST_ROWS(5), 0},
    {0, 0, 0},
};

const tn_joint_class tn_joint_class_hinge = {
    .info = {.name = "hinge",
             .aliases = (const char *const[]){"revolute", NULL},
             .summary = "turns about one axis",
             TN_JOINT_DOF(1),
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates)},
    .axes = axes,
    .pin_in_plane = 1,
    .turns_about_z = 1,
    .screws_along_z = 1,
    .draw = draw,
    .reliefs = reliefs,
    .project = project,
    .whole_turns = 0x1,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
};
