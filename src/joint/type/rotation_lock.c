/* rotation_lock.c: room joint/type: C keeps the orientation of D, its origin is free.
 *
 * R_CD = I. G has D's orientation at C's origin. Rows are constant in G: mx, my, mz; the motion
 * rows fx, fy, fz belong to no coordinate. Between planar bodies mz alone remains: the
 * planar angle constraint (Bittle 2010).
 */
#include "joint/point/no_coordinates.h"

static const tn_row_info rows[] = {
    {"mx", TN_MOMENT_ROW},     {"my", TN_MOMENT_ROW},     {"mz", TN_MOMENT_ROW},
    {"fx", TN_LENGTH_ROW(-1)}, {"fy", TN_LENGTH_ROW(-1)}, {"fz", TN_LENGTH_ROW(-1)},
};
static const int8_t axes[] = {TN_MX, TN_MY, TN_MZ, TN_FX, TN_FY, TN_FZ};

static int project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    (void)setup;
    T_GD->R = m3_identity();
    T_GD->p = T_CD->p;
    return 1;
}

const tn_joint_class tn_joint_class_rotation_lock = {
    .info = {.name = "rotation_lock",
             .aliases = (const char *const[]){"angle", NULL},
             .summary = "keeps the relative orientation and leaves the position free",
             TN_JOINT_DOF(3),
             .coordinate_count = 0,
             .rows = rows},
    .axes = axes,
    .project = project,
    .pose_to_coordinates = tn_no_coordinates,
    .coordinates_to_pose = tn_identity_pose,
};
