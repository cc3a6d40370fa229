/* no_coordinates.c: room joint/point: the coordinate maps of types without coordinates. */
#include "joint/point/no_coordinates.h"

void tn_no_coordinates(const tn_joint_setup *setup, const tn_xform *T_GD, const double *reference,
                       double *q)
{
    (void)setup;
    (void)T_GD;
    (void)reference;
    (void)q;
}

void tn_identity_pose(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    (void)setup;
    (void)q;
    *T_GD = xf_identity();
}
