/* custom_plain.h: room joint/custom: coordinates of axes at right angles, without a search. */
#ifndef TN_JOINT_CUSTOM_CUSTOM_PLAIN_H
#define TN_JOINT_CUSTOM_CUSTOM_PLAIN_H

#include "joint/custom/custom_axes.h"

/* Is the joint such a one (custom_plain.c)? Sets what it is known by. */
void tn_custom_plain_make(tn_custom *custom);

/* The family's closed form. */
tn_closed_form tn_custom_plain(const tn_pose_family *family, const tn_xform *T_CD, double *q);

#endif
