/* spherical.c: room joint/type: the origins of C and D coincide, any rotation.
 *
 * T_CD = R, p = 0. G keeps C's orientation at D's origin. Rows are constant in G: fx, fy, fz; the
 * motion rows mx, my, mz are angular velocity components and belong to no coordinate: a rotation
 * has no three coordinates without a singularity.
 */
#include "joint/point/no_coordinates.h"

static const tn_row_info rows[] = {
    {"fx", TN_FORCE_ROW},     {"fy", TN_FORCE_ROW},     {"fz", TN_FORCE_ROW},
    {"mx", TN_ANGLE_ROW(-1)}, {"my", TN_ANGLE_ROW(-1)}, {"mz", TN_ANGLE_ROW(-1)},
};
static const int8_t axes[] = {TN_FX, TN_FY, TN_FZ, TN_MX, TN_MY, TN_MZ};

static int project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    (void)setup;
    T_GD->R = T_CD->R;
    T_GD->p = v3(0.0, 0.0, 0.0);
    return 1;
}

static const tn_draw_item draw[] = {{TN_DRAW_BALL, TN_DRAW_IN_C, 0, 0}, {TN_DRAW_END, 0, 0, 0}};

enum { FX, FY, FZ };

static const tn_joint_relief reliefs[] = {
    {TN_JOINT_point_line, 1 << FZ, 0},
    {TN_JOINT_point_plane, 1 << FX | 1 << FY, 0},
    {TN_JOINT_free, TN_FIRST_ROWS(3), 0},
    {0, 0, 0},
};

const tn_joint_class tn_joint_class_spherical = {
    .info = {.name = "spherical",
             .aliases = (const char *const[]){"ball", NULL},
             .summary = "turns about a point in every direction",
             TN_JOINT_DOF(3),
             .coordinate_count = 0,
             .rows = rows},
    .axes = axes,
    .pin_in_plane = 1,
    .draw = draw,
    .reliefs = reliefs,
    .turns_about_point = 1,
    .project = project,
    .pose_to_coordinates = tn_no_coordinates,
    .coordinates_to_pose = tn_identity_pose,
};
