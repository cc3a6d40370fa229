/* custom_search.h: room joint/custom: the legal pose of a custom joint nearest to a given one. */
#ifndef TN_JOINT_CUSTOM_CUSTOM_SEARCH_H
#define TN_JOINT_CUSTOM_CUSTOM_SEARCH_H

#include "joint/custom/pose_family.h"

/* What is searched for: the legal pose nearest to any T_CD; or the coordinates of a T_CD that is
 * legal. */
typedef enum tn_search_for { TN_SEARCH_ANYWHERE, TN_SEARCH_LEGAL } tn_search_for;

/* Starts at coordinates q and computes those whose pose is nearest to T_CD: a local minimum of
 *     F = |p_C - p|^2 / 2 + (1 - cos angle(R_C, R)),   1 m counting as 1 rad.
 * If q is not near, or a legal T_CD is not reached, tries other starts and takes the lowest minimum. Returns 1 if a
 * minimum was found. */
int tn_custom_search(const tn_pose_family *family, const tn_xform *T_CD, tn_search_for what,
                     double *q);

/* D of q' = D . twist, with q the coordinates of the pose nearest to T_CD (joint_class.h, rates). */
int tn_custom_search_rates(const tn_pose_family *family, const tn_xform *T_CD, const double *q,
                           double D[TN_MAX_ROWS][6]);

#endif
