/* custom_search.h: room joint: the legal pose of a custom joint nearest to a given one. */
#ifndef TN_JOINT_CUSTOM_SEARCH_H
#define TN_JOINT_CUSTOM_SEARCH_H

#include "joint/pose_family.h"

/* From the coordinates q to those whose pose is nearest to T_CD: a local minimum of
 *     F = |p_C - p|^2 / 2 + (1 - cos angle(R_C, R)),   1 m counting as 1 rad.
 * Only if that is far off, 2 F > far (m^2), other starts are tried. Answers 1 if a minimum was
 * found. */
#define TN_SEARCH_ANYWHERE 1e-4  /* C is wherever the bodies are */
#define TN_SEARCH_LEGAL    1e-16 /* the pose is legal, so that one minimum is zero */
int tn_custom_search(const tn_pose_family *family, const tn_xform *T_CD, double far, double *q);

#endif
