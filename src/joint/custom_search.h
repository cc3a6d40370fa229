/* custom_search.h: room joint: the legal pose of a custom joint nearest to a given one. */
#ifndef TN_JOINT_CUSTOM_SEARCH_H
#define TN_JOINT_CUSTOM_SEARCH_H

#include "joint/custom_axes.h"

/* From the coordinates q to those whose pose is nearest to T_CD: a local minimum of
 *     F = |p_C - p|^2 / 2 + (1 - cos angle(R_C, R)),   1 m counting as 1 rad.
 * Only if that is far off other starts are tried. Answers 1 if a minimum was found; *distance2 is 2
 * F there. */
int tn_custom_search(const tn_custom *custom, const tn_xform *T_CD, double *q, double *distance2);

#endif
