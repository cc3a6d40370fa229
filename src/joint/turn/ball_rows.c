/* ball_rows.c: room joint/turn: see ball_rows.h. */
#include "real/real.h"
#include "joint/turn/ball_rows.h"

int tn_ball_project(const tn_joint_setup *setup, const tn_xform *T_CD, tn_xform *T_GD)
{
    (void)setup;
    T_GD->R = T_CD->R;
    T_GD->p = v3(0.0, 0.0, 0.0);
    return 1;
}

void tn_ball_tilt_to(tn_xform *T_GD, double angle)
{
    const tn_ball_tilt tilt = tn_ball_tilt_at(T_GD, v3(0.0, 0.0, 0.0));
    const double by = fmax(0.0, fmin(TN_PI, angle)) - tn_ball_tilt_angle(&tilt);
    const tn_mat3 turn = q_to_m3(q_exp(v3_scale(by, tilt.n.v)));
    T_GD->R = m3_mul(&T_GD->R, &turn);
}

tn_xform tn_ball_pose(int axis, double angle, double twist)
{
    const tn_mat3 swing = q_to_m3(q_exp(v3_scale(angle, tn_unit(axis))));
    const tn_mat3 turn = m3_rot_z(tn_cos(twist), tn_sin(twist));
    return (tn_xform){m3_mul(&swing, &turn), v3(0.0, 0.0, 0.0)};
}

void tn_ball_wrench_rates(const tn_dual3 moments[3], double dW[TN_MAX_ROWS][6])
{
    for (int k = 0; k < 3; k++)
        tn_row_angular(dW[3 + k], moments[k].d);
}

void tn_ball_twists(const tn_dual3 moments[3], double T[TN_MAX_ROWS][6])
{
    const tn_vec3 a = moments[0].v, b = moments[1].v, c = moments[2].v;
    const double volume = 1.0 / v3_dot(a, v3_cross(b, c));
    tn_row_angular(T[0], v3_scale(volume, v3_cross(b, c)));
    tn_row_angular(T[1], v3_scale(volume, v3_cross(c, a)));
    tn_row_angular(T[2], v3_scale(volume, v3_cross(a, b)));
}
