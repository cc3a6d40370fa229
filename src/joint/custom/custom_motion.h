/* custom_motion.h: room joint/custom: a custom joint whose pose is computed by a callback of the program.
 *
 * The callback gives T_CD(q), the twists T_j of the coordinates and their derivatives
 * (tn_joint_motion). With T = Q R, Q the twists made orthonormal in their order (1 m counts as 1
 * rad), the motion rows are the columns of Q R^-T, so that W_j . T_k = 1 if j = k, else 0. The
 * bilateral rows complete Q. With E the Q of coordinates zero and N a complement of that along the
 * axes of D as far as possible,
 *     B = N - (Q + E) X,     (1 + Q^T E) X = Q^T N,
 * the image of N under the product of a reflection that takes E to -Q (for one coordinate it is
 * Householder's): B is orthonormal, square to Q, equal to N at zero, and smooth as long as no
 * direction of Q comes to be the opposite of that of E. Where one does, E takes it with the other
 * sign, and the rows, not their forces, jump.
 */
#ifndef TN_JOINT_CUSTOM_CUSTOM_MOTION_H
#define TN_JOINT_CUSTOM_CUSTOM_MOTION_H

#include "joint/custom/pose_family.h"

/* A wrench or twist: linear part, angular part. */
typedef struct tn_dual6 {
    tn_dual3 f, m;
} tn_dual6;

typedef struct tn_custom_motion {
    tn_pose_family family;
    tn_joint_motion_function motion;
    void *context;
    tn_dual6 start[TN_MAX_ROWS]; /* E, then N; constant */
} tn_custom_motion;

/* data must have no faults, but for describe, which takes any. */
void tn_custom_motion_make(const tn_joint_data *data, tn_custom_motion *motion);
void tn_custom_motion_describe(const tn_joint_data *data, const tn_joint_type_info *type,
                               tn_joint_own_info *own);

/* The family's pose and twists, and its rows. */
void tn_custom_motion_point(const tn_pose_family *family, const double *q, const double *speeds,
                            tn_family_point *out);
void tn_custom_motion_rows(const tn_pose_family *family, const double *q, const double *speeds,
                           tn_dual3 force[6], tn_dual3 moment[6]);

#endif
