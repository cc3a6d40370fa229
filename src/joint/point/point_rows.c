/* point_rows.c: room joint/point: see point_rows.h. */
#include "joint/point/point_rows.h"

#include "joint/row_vectors.h"

/* Forces along the axes of D in cyclic order beginning with number `first`; moments about the axes of G. */
static void wrenches(const tn_xform *T_GD, int first, double W[TN_MAX_ROWS][6])
{
    for (int k = 0; k < 3; k++) {
        tn_row_linear(W[k], tn_axis_of_d(T_GD, (first + k) % 3));
        tn_row_angular(W[3 + k], tn_unit(k));
    }
}

static void wrench_rates(const tn_xform *T_GD, int first, const double twist_GD[6],
                         double dW[TN_MAX_ROWS][6])
{
    for (int k = 0; k < 3; k++)
        tn_row_linear(dW[k], tn_axis_of_d_rate(T_GD, (first + k) % 3, twist_GD));
}

void tn_point_wrenches_xyz(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                           double W[TN_MAX_ROWS][6])
{
    (void)setup;
    (void)q;
    wrenches(T_GD, 0, W);
}

void tn_point_wrench_rates_xyz(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                               const double twist_GD[6], double dW[TN_MAX_ROWS][6])
{
    (void)setup;
    (void)q;
    wrench_rates(T_GD, 0, twist_GD, dW);
}

void tn_point_wrenches_zxy(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                           double W[TN_MAX_ROWS][6])
{
    (void)setup;
    (void)q;
    wrenches(T_GD, 2, W);
}

void tn_point_wrench_rates_zxy(const tn_joint_setup *setup, const tn_xform *T_GD, const double *q,
                               const double twist_GD[6], double dW[TN_MAX_ROWS][6])
{
    (void)setup;
    (void)q;
    wrench_rates(T_GD, 2, twist_GD, dW);
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
