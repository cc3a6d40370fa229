/* planar_translation.c: room joint: slides in the x-y plane of D without turning.
 *
 * T_CD = trans(x, y, 0). G has D's orientation and keeps x and y. Rows are constant in G: fz, mx,
 * my, mz; the motion rows are fx (x) and fy (y).
 */
#include "joint/joint_class.h"

static const tn_row_info rows[] = {
    {"fz", TN_ROW_BILATERAL | TN_ROW_LINEAR, -1}, {"mx", TN_ROW_BILATERAL | TN_ROW_ROTARY, -1},
    {"my", TN_ROW_BILATERAL | TN_ROW_ROTARY, -1}, {"mz", TN_ROW_BILATERAL | TN_ROW_ROTARY, -1},
    {"x", TN_ROW_MOTION | TN_ROW_LINEAR, 0},      {"y", TN_ROW_MOTION | TN_ROW_LINEAR, 1},
};
static const int8_t axes[] = {TN_FZ, TN_MX, TN_MY, TN_MZ, TN_FX, TN_FY};
static const tn_coordinate_info coordinates[] = {{"x", 0}, {"y", 0}};

static int project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    (void)setup;
    T_GD->R = m3_identity();
    T_GD->p = v3(T_CD->p.x, T_CD->p.y, 0.0);
    return 1;
}

static void pose_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,
                                const double *reference, double *q)
{
    (void)setup;
    (void)reference;
    q[0] = T_GD->p.x;
    q[1] = T_GD->p.y;
}

static void coordinates_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    (void)setup;
    T_GD->R = m3_identity();
    T_GD->p = v3(q[0], q[1], 0.0);
}

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
             .dof = 2,
             .row_count = 6,
             .bilateral_count = 4,
             .coordinate_count = 2,
             .rows = rows,
             .coordinates = coordinates},
    .axes = axes,
    .draw = draw,
    .reliefs = reliefs,
    .project = project,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
};
