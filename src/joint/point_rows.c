/* point_rows.c: room joint: see point_rows.h. */
#include "joint/point_rows.h"

#include "joint/row_vectors.h"

void tn_point_wrenches(const tn_xform *T_GD, const int force_axis[3], double W[TN_MAX_ROWS][6])
{
    for (int k = 0; k < 3; k++) {
        tn_row_linear(W[k], tn_axis_of_d(T_GD, force_axis[k]));
        tn_row_angular(W[3 + k], tn_unit(k));
    }
}

void tn_point_wrench_rates(const tn_xform *T_GD, const int force_axis[3], const double twist_GD[6],
                           double dW[TN_MAX_ROWS][6])
{
    for (int k = 0; k < 3; k++)
        tn_row_linear(dW[k], tn_axis_of_d_rate(T_GD, force_axis[k], twist_GD));
}

int tn_any_pose_is_legal(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    (void)setup;
    *T_GD = *T_CD;
    return 1;
}

void tn_point_height(const tn_joint_setup *setup, const tn_xform *T_GD, const double *reference,
                     double *q)
{
    (void)setup;
    (void)reference;
    q[0] = T_GD->p.z;
}

void tn_point_at_height(const tn_joint_setup *setup, const double *q, tn_xform *T_GD)
{
    (void)setup;
    T_GD->R = m3_identity();
    T_GD->p = v3(0.0, 0.0, q[0]);
}
