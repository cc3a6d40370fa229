/* custom_search.h: room joint/custom: the legal pose of a custom joint nearest to a given one. */
#ifndef TN_JOINT_CUSTOM_CUSTOM_SEARCH_H
#define TN_JOINT_CUSTOM_CUSTOM_SEARCH_H

#include "joint/custom/pose_family.h"

/* What is searched for: the pose nearest to T_CD, which is wherever the bodies are; or coordinates
 * of T_CD, which is legal. */
typedef enum tn_search_for { TN_SEARCH_ANYWHERE, TN_SEARCH_LEGAL } tn_search_for;

/* From the coordinates q to those whose pose is nearest to T_CD: a local minimum of
 *     F = |p_C - p|^2 / 2 + (1 - cos angle(R_C, R)),   1 m counting as 1 rad.
 * Where q is not near, and where a legal pose is not reached, other starts are tried and the lowest
 * minimum taken. Answers 1 if a minimum was found. */
int tn_custom_search(const tn_pose_family *family, const tn_xform *T_CD, tn_search_for what,
                     double *q);

/* q' = D . twist, where q is of the pose nearest to T_CD (joint_class.h, rates). */
int tn_custom_search_rates(const tn_pose_family *family, const tn_xform *T_CD, const double *q,
                           double D[TN_MAX_ROWS][6]);

#endif
