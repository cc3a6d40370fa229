/* point_plane.c: room joint/type: the origin of C stays in the x-y plane of D.
 *
 * p_z = 0, any rotation. G has C's orientation at C's origin dropped onto the plane. With ex, ey,
 * ez the axes of D seen in G (rows of R_GD), the rows are
 *     force ez,   motion rows: forces ex, ey and moments x, y, z of G, without coordinates,
 * and the twists are the same vectors. The axes of D turn in G: n' = -w x n.
 */
#include "joint/point/point_rows.h"
#include "joint/point/no_coordinates.h"

static const tn_row_info rows[] = {
    {"fz", TN_FORCE_ROW},     {"fx", TN_LENGTH_ROW(-1)}, {"fy", TN_LENGTH_ROW(-1)},
    {"mx", TN_ANGLE_ROW(-1)}, {"my", TN_ANGLE_ROW(-1)},  {"mz", TN_ANGLE_ROW(-1)},
};

static int project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    (void)setup;
    T_GD->R = T_CD->R;
    T_GD->p = v3(T_CD->p.x, T_CD->p.y, 0.0);
    return 1;
}

static const tn_draw_item draw[] = {
    {TN_DRAW_PLANE, TN_DRAW_IN_D, 2, 0},
    {TN_DRAW_BALL, TN_DRAW_IN_C, 0, 0},
    {TN_DRAW_END, 0, 0, 0},
};

const tn_joint_class tn_joint_class_point_plane = {
    .info = {.name = "point_plane",
             .aliases = (const char *const[]){"planar_connector", NULL},
             .summary = "keeps a point of one body in a plane of the other",
             TN_JOINT_DOF(5),
             .coordinate_count = 0,
             .rows = rows},
    .draw = draw,
    .project = project,
    .pose_to_coordinates = tn_no_coordinates,
    .coordinates_to_pose = tn_identity_pose,
    .wrenches = tn_point_wrenches_zxy,
    .wrench_rates = tn_point_wrench_rates_zxy,
};
