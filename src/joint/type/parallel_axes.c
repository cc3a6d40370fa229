/* parallel_axes.c: room joint/type: the z axes of C and D stay parallel.
 *
 * R_CD = Rz(any), p free. G turns z_C onto z_D by the shortest rotation and stays at C's origin.
 * Rows are constant in G: mx, my; the motion rows fx, fy, fz, mz belong to no coordinate.
 */
#include "joint/point/no_coordinates.h"
#include "joint/rotation_about_z.h"

static const tn_row_info rows[] = {
    {"mx", TN_MOMENT_ROW},     {"my", TN_MOMENT_ROW},     {"fx", TN_LENGTH_ROW(-1)},
    {"fy", TN_LENGTH_ROW(-1)}, {"fz", TN_LENGTH_ROW(-1)}, {"mz", TN_ANGLE_ROW(-1)},
};
static const int8_t axes[] = {TN_MX, TN_MY, TN_FX, TN_FY, TN_FZ, TN_MZ};

static int project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    (void)setup;
    T_GD->p = T_CD->p;
    return tn_nearest_rotation_about_z(&T_CD->R, &T_GD->R);
}

static const tn_draw_item draw[] = {
    {TN_DRAW_SHAFT, TN_DRAW_IN_D, 2, 0},
    {TN_DRAW_SHAFT, TN_DRAW_IN_C, 2, 0},
    {TN_DRAW_END, 0, 0, 0},
};

const tn_joint_class tn_joint_class_parallel_axes = {
    .info = {.name = "parallel_axes",
             .summary = "keeps two axes parallel and leaves everything else free",
             TN_JOINT_DOF(4),
             .coordinate_count = 0,
             .rows = rows},
    .axes = axes,
    .draw = draw,
    .project = project,
    .pose_to_coordinates = tn_no_coordinates,
    .coordinates_to_pose = tn_identity_pose,
};
