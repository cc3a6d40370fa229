/* custom_rows.h: room joint/custom: the rows of a custom joint as combinations of its dual slots.
 *
 * The slots I_j that coordinate j moves have speeds c = df/dq; u = c / |c|. Of one slot per
 * coordinate, the pivot p, comes the motion row, of every other slot k a bilateral row:
 *     motion:     sum_I u_i e_i / |c|
 *     bilateral:  e_k                                                  if nothing moves slot k
 *                 e_k - u_k (sum_I u_i e_i + s e_p) / (1 + s u_p)      otherwise
 * the columns of the Householder reflection that takes u to -s e_p: all of them are reciprocal to
 * the twists, orthonormal in the slots (where 1 m counts as 1 rad), and smooth in q as long as u
 * does not come to -s e_p, that is: as long as the pivot does not turn back while all other slots
 * of its coordinate stand still. s is the sign of u_p where the joint is made. The pivot is the
 * first axis that is its coordinate itself, else the first turn, else the first shift.
 */
#ifndef TN_JOINT_CUSTOM_CUSTOM_ROWS_H
#define TN_JOINT_CUSTOM_CUSTOM_ROWS_H

#include "joint/custom/custom_axes.h"

/* pivot[coordinate] from the form of the data alone; slot of each axis as by
 * tn_custom_axes_slots. -1: nothing moves the coordinate. */
void tn_custom_rows_pivots(const tn_joint_data *data, const int32_t *slot,
                           int8_t pivot[TN_MAX_COORDINATES]);

/* Info of the joint: names, flags, counts. */
void tn_custom_rows_describe(const tn_joint_data *data, const tn_joint_type_info *type,
                             tn_joint_own_info *own);

/* Sets the signs, at coordinates zero. */
void tn_custom_rows_make(tn_custom *custom);

/* The family's rows. */
void tn_custom_rows_at(const tn_pose_family *family, const double *q, const double *speeds,
                       tn_dual3 force[6], tn_dual3 moment[6]);

#endif
