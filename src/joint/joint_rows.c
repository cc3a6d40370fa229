/* joint_rows.c: room joint: frame G, errors, relative motion and row derivatives of one joint. */
#include <string.h>

#include "joint/joint_rows.h"

void tn_joint_kinematics_update(const tn_joint_geometry *geometry, const tn_xform *T_A,
                                const tn_xform *T_B, const double *reference,
                                tn_joint_kinematics *kin)
{
    const tn_joint_class *cls = geometry->cls;
    const tn_xform T_CW = xf_mul(T_A, &geometry->T_CA);
    const tn_xform T_DW = xf_mul(T_B, &geometry->T_DB);
    const tn_xform T_CD = xf_inv_mul(&T_DW, &T_CW);
    kin->unique = cls->project(geometry->parameters, &T_CD, &kin->T_GD);
    tn_joint_error(&kin->T_GD, &T_CD, kin->error);

    const tn_xform T_GW = xf_mul(&T_DW, &kin->T_GD);
    kin->R_GW = T_GW.R;
    kin->r_A = v3_sub(T_GW.p, T_A->p);
    kin->r_B = v3_sub(T_GW.p, T_B->p);

    if (!cls->axes) {
        cls->pose_to_coordinates(geometry->parameters, &kin->T_GD, reference, kin->q);
        cls->wrenches(geometry->parameters, &kin->T_GD, kin->q, kin->W);
    }
}

/* Velocity of the point at arm r from the centre of mass. */
static tn_vec3 point_velocity(tn_twist body, tn_vec3 r)
{
    return v3_add(body.v, v3_cross(body.w, r));
}

void tn_joint_relative_twist(const tn_joint_kinematics *kin, tn_twist A, tn_twist B,
                             double twist[6])
{
    const tn_vec3 v = v3_sub(point_velocity(A, kin->r_A), point_velocity(B, kin->r_B));
    v3_store(twist, m3_tmulv(&kin->R_GW, v));
    v3_store(twist + 3, m3_tmulv(&kin->R_GW, v3_sub(A.w, B.w)));
}

void tn_joint_motion_speeds(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                            const double twist[6], double *speeds)
{
    const tn_joint_class *cls = geometry->cls;
    const int32_t first = cls->info.bilateral_count;
    for (int32_t i = 0; i < cls->info.dof; i++) {
        if (cls->axes) {
            speeds[i] = twist[cls->axes[first + i]];
            continue;
        }
        speeds[i] = 0.0;
        for (int j = 0; j < 6; j++)
            speeds[i] += kin->W[first + i][j] * twist[j];
    }
}

/* How G moves in D: the motions at their speeds, in G axes. What the constraints forbid is left
 * out, so that rows have the derivative of the legal motion nearest to the actual one. */
static void legal_twist(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                        const double twist[6], double legal[6])
{
    double speeds[TN_MAX_ROWS], T[TN_MAX_ROWS][6];
    tn_joint_motion_speeds(geometry, kin, twist, speeds);
    tn_joint_twists(geometry->cls, geometry->parameters, &kin->T_GD, kin->q, T);
    memset(legal, 0, sizeof(double) * 6);
    for (int32_t i = 0; i < geometry->cls->info.dof; i++)
        for (int j = 0; j < 6; j++)
            legal[j] += speeds[i] * T[i][j];
}

/* A row's speed is s = f_w . (v_A(x_G) - v_B(x_G)) + m_w . (w_A - w_B). At constant twists
 *   ds/dt = f_w' . v_rel + f_w . (w_A x (x_G' - v_A) - w_B x (x_G' - v_B)) + m_w' . w_rel,
 * with x_G' the velocity of G's origin, f_w' = w_G x f_w + R_GW f' and the same for m_w. */
void tn_joint_row_accelerations(const tn_joint_geometry *geometry, const tn_joint_kinematics *kin,
                                tn_twist A, tn_twist B, double *gamma)
{
    const tn_joint_class *cls = geometry->cls;
    double twist[6], legal[6], dW[TN_MAX_ROWS][6];
    tn_joint_relative_twist(kin, A, B, twist);
    legal_twist(geometry, kin, twist, legal);
    if (cls->wrench_rates)
        cls->wrench_rates(geometry->parameters, &kin->T_GD, kin->q, legal, dW);

    const tn_vec3 v_rel = m3_mulv(&kin->R_GW, v3_load(twist));
    const tn_vec3 w_rel = v3_sub(A.w, B.w);
    const tn_vec3 w_G = v3_add(B.w, m3_mulv(&kin->R_GW, v3_load(legal + 3)));
    const tn_vec3 x_rate =
        v3_add(point_velocity(B, kin->r_B), m3_mulv(&kin->R_GW, v3_load(legal)));
    const tn_vec3 arm_rate = v3_sub(v3_cross(A.w, v3_sub(x_rate, A.v)),
                                    v3_cross(B.w, v3_sub(x_rate, B.v)));

    for (int32_t k = 0; k < cls->info.row_count; k++) {
        tn_vec3 f, m;
        tn_joint_row_wrench(geometry, kin, k, &f, &m);
        tn_vec3 f_rate = v3_cross(w_G, f), m_rate = v3_cross(w_G, m);
        if (cls->wrench_rates) {
            f_rate = v3_add(f_rate, m3_mulv(&kin->R_GW, v3_load(dW[k])));
            m_rate = v3_add(m_rate, m3_mulv(&kin->R_GW, v3_load(dW[k] + 3)));
        }
        gamma[k] = v3_dot(f_rate, v_rel) + v3_dot(f, arm_rate) + v3_dot(m_rate, w_rel);
    }
}
