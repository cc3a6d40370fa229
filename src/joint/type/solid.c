/* solid.c: room joint/type: C stays on D: the weld.
 *
 * T_CD = I. All six rows fx .. mz are constraints, constant in G. Between planar bodies three of
 * them remain (fx, fy, mz): the planar weld constraint (Bittle 2010).
 */
#include "joint/point/no_coordinates.h"

static const tn_row_info rows[] = {
    {"fx", TN_FORCE_ROW},  {"fy", TN_FORCE_ROW},  {"fz", TN_FORCE_ROW},
    {"mx", TN_MOMENT_ROW}, {"my", TN_MOMENT_ROW}, {"mz", TN_MOMENT_ROW},
};
static const int8_t axes[] = {TN_FX, TN_FY, TN_FZ, TN_MX, TN_MY, TN_MZ};

static int project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    (void)setup;
    (void)T_CD;
    *T_GD = xf_identity();
    return 1;
}

static const tn_draw_item draw[] = {{TN_DRAW_BLOCK, TN_DRAW_IN_C, 2, 0}, {TN_DRAW_END, 0, 0, 0}};

enum { FX, FY, FZ, MX, MY, MZ };

static const tn_joint_relief reliefs[] = {
    {TN_JOINT_hinge, 1 << MZ, 0},
    {TN_JOINT_slider, 1 << FZ, 0},
    {TN_JOINT_cylindrical, 1 << FZ | 1 << MZ, 0},
    {TN_JOINT_spherical, 1 << MX | 1 << MY | 1 << MZ, 0},
    {TN_JOINT_point_line, 1 << FZ | 1 << MX | 1 << MY | 1 << MZ, 0},
    {TN_JOINT_point_plane, 1 << FX | 1 << FY | 1 << MX | 1 << MY | 1 << MZ, 0},
    {TN_JOINT_free, TN_FIRST_ROWS(6), 0},
    {0, 0, 0},
};

const tn_joint_class tn_joint_class_solid = {
    .info = {.name = "solid",
             .aliases = (const char *const[]){"weld", "fixed", NULL},
             .summary = "holds two bodies rigidly together",
             TN_JOINT_DOF(0),
             .coordinate_count = 0,
             .rows = rows},
    .axes = axes,
    .draw = draw,
    .reliefs = reliefs,
    .project = project,
    .pose_to_coordinates = tn_no_coordinates,
    .coordinates_to_pose = tn_identity_pose,
};
