/* cylindrical.c: room joint: translation along and rotation about the common z axis.
 *
 * T_CD = trans(0, 0, z) Rz(theta). G turns z_C onto z_D by the shortest rotation and keeps z. Rows
 * are constant in G: fx, fy, mx, my; the motion rows are fz (z) and mz (theta).
 */
#include "joint/joint_class.h"
#include "joint/rotation_about_z.h"

static const tn_row_info rows[] = {
    {"fx", TN_ROW_BILATERAL | TN_ROW_LINEAR, -1}, {"fy", TN_ROW_BILATERAL | TN_ROW_LINEAR, -1},
    {"mx", TN_ROW_BILATERAL | TN_ROW_ROTARY, -1}, {"my", TN_ROW_BILATERAL | TN_ROW_ROTARY, -1},
    {"z", TN_ROW_MOTION | TN_ROW_LINEAR, 0},      {"theta", TN_ROW_MOTION | TN_ROW_ROTARY, 1},
};
static const int8_t axes[] = {TN_FX, TN_FY, TN_MX, TN_MY, TN_FZ, TN_MZ};
static const tn_coordinate_info coordinates[] = {{"z", 0}, {"theta", 1}};

static int project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    (void)setup;
    T_GD->p = v3(0.0, 0.0, T_CD->p.z);
    return tn_nearest_rotation_about_z(&T_CD->R, &T_GD->R);
}

static void pose_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,
                                const double *reference, double *q)
{
    (void)setup;
    q[0] = T_GD->p.z;
    q[1] = tn_nearest_turn(atan2(T_GD->R.m[1][0], T_GD->R.m[0][0]), reference[1]);
}

static void coordinates_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    (void)setup;
    T_GD->R = m3_rot_z(cos(q[1]), sin(q[1]));
    T_GD->p = v3(0.0, 0.0, q[0]);
}

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
