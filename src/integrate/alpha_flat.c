/* alpha_flat.c: room integrate: a joint between planar bodies in the evaluation of
 * alpha_residual.c.
 *
 * The same equations in the three components a planar body has, f_x, f_y and m_z: a fifth of the
 * instructions of the general ones. With F and r force and arm, the stiffness of a body is the
 * number F . r, which is the same in any axes.
 *
 * In: a hard joint with geometry.flat that nothing drives. Out: its kinematics, its multipliers,
 * its forces in f, their stiffness.
 */
#include "assemble/joint_terms.h"
#include "integrate/alpha.h"

/* Multipliers as a wrench in G. */
static void gather(const int8_t *axes, const tn_switches *s, const double *lambda, double W[6])
{
    W[TN_FX] = W[TN_FY] = W[TN_MZ] = 0.0;
    for (int32_t n = 0; n < s->active_count; n++)
        W[axes[s->active[n]]] = lambda[s->active[n]];
}

/* The wrench and the multipliers after a correction: the force is kept in the world while the joint
 * moves, but for what no row carries. */
static void correct(tn_sim *sim, const tn_alpha *c, int32_t j, double *lambda, double W[6])
{
    const tn_switches *s = &sim->state.switches[j];
    const int8_t *axes = sim->model->joints[j].geometry.cls->axes;
    const tn_mat3 *R = &sim->sys.kin[j].R_GW;
    const double *y = sim->sys.g + sim->sys.layout->y_offset[j];
    for (int32_t n = 0; n < s->active_count; n++)
        lambda[s->active[n]] -= c->beta_prime * y[n];
    gather(axes, s, lambda, W);
    const double x = R->m[0][0] * W[TN_FX] + R->m[0][1] * W[TN_FY];
    const double z = R->m[1][0] * W[TN_FX] + R->m[1][1] * W[TN_FY];
    tn_joint_refresh(&sim->sys, &sim->state, j);
    W[TN_FX] = R->m[0][0] * x + R->m[1][0] * z;
    W[TN_FY] = R->m[0][1] * x + R->m[1][1] * z;
    for (int32_t n = 0; n < s->active_count; n++)
        lambda[s->active[n]] = W[axes[s->active[n]]];
    gather(axes, s, lambda, W);
}

/* A force and moment at arm r on a body. */
static void apply(tn_sim *sim, int32_t body, tn_vec3 r, double x, double y, double m)
{
    double *f = sim->sys.f + sim->model->bodies[body].u;
    f[0] += x;
    f[1] += y;
    f[2] += m + (r.x * y - r.y * x);
}

void tn_alpha_apply_flat(tn_sim *sim, const tn_alpha *c, int32_t j, tn_trial trial)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS, W[6];
    if (trial == TN_TRIAL_CORRECTED) {
        correct(sim, c, j, lambda, W);
    } else {
        tn_joint_refresh(&sim->sys, &sim->state, j);
        gather(joint->geometry.cls->axes, &sim->state.switches[j], lambda, W);
    }
    const tn_mat3 *R = &kin->R_GW;
    const double x = R->m[0][0] * W[TN_FX] + R->m[0][1] * W[TN_FY];
    const double y = R->m[1][0] * W[TN_FX] + R->m[1][1] * W[TN_FY];
    apply(sim, joint->a, kin->r_A, x, y, W[TN_MZ]);
    if (joint->b >= 0)
        apply(sim, joint->b, kin->r_B, -x, -y, -W[TN_MZ]);
    if (trial == TN_TRIAL_CORRECTED)
        return;
    const double share = 1.0 / c->beta_prime;
    sim->stiffness[6 * (size_t)joint->a + 2] += share * (x * kin->r_A.x + y * kin->r_A.y);
    if (joint->b >= 0)
        sim->stiffness[6 * (size_t)joint->b + 2] -= share * (x * kin->r_B.x + y * kin->r_B.y);
}
