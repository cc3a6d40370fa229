/* no_coordinates.h: room joint/point: the coordinate maps of types without coordinates. */
#ifndef TN_NO_COORDINATES_H
#define TN_NO_COORDINATES_H

#include "joint/joint_class.h"

/* Writes nothing. */
void tn_no_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD, const double *reference,
                       double *q);

/* C on D. */
void tn_identity_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD);

#endif
