/* universal_axes.h: room joint/turn: two crossing axes, the maths of universal and skewed_universal.
 *
 * R_CD = Rz(roll) Rot(k, pitch), p = 0, with the pitch axis k = (0, cos a, sin a) fixed in C and
 * the roll axis z fixed in D; the skew a = setup->parameters[0] is zero for the plain universal
 * joint. In G the roll axis is r = R_GD^T z, and k . r = sin a at every pose. Rows, twists and
 * rates:
 *     bilateral  fx, fy, fz,   moment b = k x r / cos a,  across both axes, unit
 *     W_roll = (r - sin a k) / cos^2 a,   W_pitch = (k - sin a r) / cos^2 a
 *     T_roll = r,   T_pitch = k,   r' = -w x r,   k' = 0
 *
 * Limits: |a| < 90 degrees; at 90 the axes coincide.
 */
#ifndef TN_UNIVERSAL_AXES_H
#define TN_UNIVERSAL_AXES_H

#include "joint/joint_class.h"

extern const tn_row_info tn_universal_rows[6];
extern const tn_coordinate_info tn_universal_coordinates[2];

int tn_universal_project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD);
void tn_universal_to_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD,
                                 const double *reference, double *q);
void tn_universal_to_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD);
void tn_universal_wrenches(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                           double W[TN_MAX_ROWS][6]);
void tn_universal_wrench_rates(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                               const double twist_GD[6], double dW[TN_MAX_ROWS][6]);
void tn_universal_twists(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                         double T[TN_MAX_ROWS][6]);

#endif
