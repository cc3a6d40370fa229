/* solid.c: room joint: C stays on D: the weld.
 *
 * T_CD = I. All six rows fx .. mz are constraints, constant in G. Between planar bodies three of
 * them remain (fx, fy, mz): the specification's planar weld.
 */
#include "joint/joint_class.h"

static const char *const aliases[] = {"weld", "fixed", NULL};

static const tn_row_info rows[] = {
    {"fx", TN_ROW_BILATERAL | TN_ROW_LINEAR, -1}, {"fy", TN_ROW_BILATERAL | TN_ROW_LINEAR, -1},
    {"fz", TN_ROW_BILATERAL | TN_ROW_LINEAR, -1}, {"mx", TN_ROW_BILATERAL | TN_ROW_ROTARY, -1},
    {"my", TN_ROW_BILATERAL | TN_ROW_ROTARY, -1}, {"mz", TN_ROW_BILATERAL | TN_ROW_ROTARY, -1},
};
static const int8_t axes[] = {TN_FX, TN_FY, TN_FZ, TN_MX, TN_MY, TN_MZ};

static int project(const double *parameters, const tn_xform *T_CD, tn_xform *T_GD)
{
    (void)parameters;
    (void)T_CD;
    *T_GD = xf_identity();
    return 1;
}

static void pose_to_coordinates(const double *parameters, const tn_xform *T_GD,
                                const double *reference, double *q)
{
    (void)parameters;
    (void)T_GD;
    (void)reference;
    (void)q;
}

static void coordinates_to_pose(const double *parameters, const double *q, tn_xform *T_GD)
{
    (void)parameters;
    (void)q;
    *T_GD = xf_identity();
}

const tn_joint_class tn_joint_class_solid = {
    .info = {.name = "solid",
             .aliases = aliases,
             .summary = "holds two bodies rigidly together",
             .dof = 0,
             .row_count = 6,
             .bilateral_count = 6,
             .coordinate_count = 0,
             .rows = rows},
    .axes = axes,
    .project = project,
    .pose_to_coordinates = pose_to_coordinates,
    .coordinates_to_pose = coordinates_to_pose,
};
