/* point_line.c: room joint/type: the origin of C stays on the z axis of D.
 *
 * p = (0, 0, z), any rotation. G has C's orientation at C's origin dropped onto the line. With ex,
 * ey, ez the axes of D seen in G (rows of R_GD), the rows are
 *     forces ex, ey,   motion rows: force ez (z) and, without coordinates, moments x, y, z of G,
 * and the twists are the same vectors. The axes of D turn in G: n' = -w x n.
 */
#include "joint/point/point_rows.h"

static const tn_row_info rows[] = {
    {"fx", TN_FORCE_ROW},     {"fy", TN_FORCE_ROW},     {"z", TN_LENGTH_ROW(0)},
    {"mx", TN_ANGLE_ROW(-1)}, {"my", TN_ANGLE_ROW(-1)}, {"mz", TN_ANGLE_ROW(-1)},
};
static const tn_coordinate_info coordinates[] = {{"z", 0}};

static int project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    (void)setup;
    T_GD->R = T_CD->R;
    T_GD->p = v3(0.0, 0.0, T_CD->p.z);
    return 1;
}

static const tn_draw_item draw[] = {
    {TN_DRAW_SHAFT, TN_DRAW_IN_D, 2, 1},
    {TN_DRAW_BALL, TN_DRAW_IN_C, 0, 0},
    {TN_DRAW_END, 0, 0, 0},
};

const tn_joint_class tn_joint_class_point_line = {
    .info = {.name = "point_line",
             .aliases = (const char *const[]){"point_on_axis", NULL},
             .summary = "keeps a point of one body on a line of the other",
             TN_JOINT_DOF(4),
             .rows = rows,
             TN_JOINT_COORDINATES(coordinates)},
    .draw = draw,
    .project = project,
    .pose_to_coordinates = tn_point_height,
    .coordinates_to_pose = tn_point_at_height,
    .wrenches = tn_point_wrenches_xyz,
    .wrench_rates = tn_point_wrench_rates_xyz,
};
