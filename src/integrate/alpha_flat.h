/* alpha_flat.h: room integrate: planar bodies and the joints between them in the evaluation of
 * alpha_residual.c.
 *
 * The same equations in the three components a planar body has, f_x, f_y and m_z: a third of the
 * instructions of the general ones. With F and r force and arm, the stiffness of a body is the
 * number F . r, which is the same in any axes.
 *
 * Limits: bodies without damping, hard joints that stay in the plane (geometry.flat), hold no
 * coordinate, keep no gap and have nothing that drives them.
 */
#ifndef TN_INTEGRATE_ALPHA_FLAT_H
#define TN_INTEGRATE_ALPHA_FLAT_H

#include "assemble/body_terms.h"
#include "assemble/joint_terms.h"
#include "integrate/alpha.h"

static inline int tn_flat_body(const tn_model_body *body)
{
    return body->kind == TN_BODY_PLANAR && !tn_body_is_damped(body);
}

/* The velocities of a body after a correction. Values first: no store can then be in the way of a
 * load. */
static inline void tn_flat_correct_body(tn_sim *sim, const tn_alpha *c, int64_t at)
{
    double *dq = sim->dq + at, *u = sim->state.u + at, *udot = sim->state.udot + at;
    const double *du = sim->sys.du + at;
    const double x = du[0], y = du[1], z = du[2];
    const double by_h = 1.0 / c->h, gamma = c->gamma_prime, beta = c->beta_prime;
    v3_store(dq, v3(dq[0] + by_h * x, dq[1] + by_h * y, dq[2] + by_h * z));
    v3_store(u, v3(u[0] + gamma * x, u[1] + gamma * y, u[2] + gamma * z));
    v3_store(udot, v3(udot[0] + beta * x, udot[1] + beta * y, udot[2] + beta * z));
}

/* Velocities after a correction, pose, T, and the forces but those of joints. */
static inline void tn_flat_evaluate_body(tn_sim *sim, const tn_alpha *c, int32_t i, tn_trial trial)
{
    const tn_model_body *body = &sim->model->bodies[i];
    if (trial == TN_TRIAL_CORRECTED)
        tn_flat_correct_body(sim, c, body->u);
    else
        sim->stiffness[6 * (size_t)i + 2] = 0.0;
    const double *dq = sim->dq + body->u, *a = sim->state.udot + body->u;
    const double mass = body->mass, J = body->J.m[2][2], ax = a[0], ay = a[1], az = a[2];
    const tn_vec3 g = sim->model->gravity, before = sim->start.x[i];
    const tn_vec3 x = {before.x + c->h * dq[0], before.y + c->h * dq[1], before.z};
    const tn_quat q = tn_body_turned_z(sim->start.q[i], c->h * dq[2]);
    sim->state.x[i] = x;
    sim->state.q[i] = q;
    sim->sys.T[i] = (tn_xform){q_to_m3_z(q), x};
    v3_store(sim->sys.f + body->u, v3(mass * (g.x - ax), mass * (g.y - ay), -J * az));
}

static inline int tn_flat_joint(const tn_sim *sim, int32_t j)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    const tn_switches *s = &sim->state.switches[j];
    return joint->geometry.flat && !s->compliant && s->drive == TN_NO_DRIVE &&
           s->active_count <= joint->kept_bilateral && !tn_gap_is_on(&sim->state);
}

/* A force and moment at arm r on a body; the first evaluation also gathers its stiffness. */
static inline void tn_flat_apply(tn_sim *sim, int32_t body, tn_vec3 r, double x, double y, double m,
                                 double share)
{
    double *f = sim->sys.f + sim->model->bodies[body].u;
    f[0] += x;
    f[1] += y;
    f[2] += m + (r.x * y - r.y * x);
    if (share > 0.0)
        sim->stiffness[6 * (size_t)body + 2] += share * (x * r.x + y * r.y);
}

/* Multipliers after a correction, kinematics, phi, g, and the joint's forces added to f. After a
 * correction the force is kept in the world while the joint moves, but for what no row carries. */
static inline void tn_flat_evaluate_joint(tn_sim *sim, const tn_alpha *c, int32_t j, tn_trial trial)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    const tn_switches *s = &sim->state.switches[j];
    const int8_t *axes = joint->geometry.cls->axes;
    const int64_t slot = sim->sys.layout->y_offset[j];
    const int32_t rows = s->active_count;
    const int corrected = trial == TN_TRIAL_CORRECTED;
    tn_joint_kinematics *kin = &sim->sys.kin[j];
    double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
    double *phi = sim->sys.phi + slot, *g = sim->sys.g + slot;
    double W[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, kept[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    double x = 0.0, y = 0.0;
    if (corrected) {
        for (int32_t n = 0; n < rows; n++)
            kept[axes[s->active[n]]] = lambda[s->active[n]] - c->beta_prime * g[n];
        x = kin->R_GW.m[0][0] * kept[TN_FX] - kin->R_GW.m[1][0] * kept[TN_FY];
        y = kin->R_GW.m[1][0] * kept[TN_FX] + kin->R_GW.m[0][0] * kept[TN_FY];
    }
    tn_joint_refresh(&sim->sys, &sim->state, j);
    const double cosine = kin->R_GW.m[0][0], sine = kin->R_GW.m[1][0];
    kept[TN_FX] = cosine * x + sine * y;
    kept[TN_FY] = cosine * y - sine * x;
    for (int32_t n = 0; n < rows; n++) {
        const int32_t row = s->active[n], axis = axes[row];
        const double value = corrected ? kept[axis] : lambda[row];
        lambda[row] = value;
        W[axis] = value;
        phi[n] = kin->error[axis];
        g[n] = -phi[n];
    }
    x = cosine * W[TN_FX] - sine * W[TN_FY];
    y = sine * W[TN_FX] + cosine * W[TN_FY];
    const double share = corrected ? 0.0 : 1.0 / c->beta_prime;
    tn_flat_apply(sim, joint->a, kin->r_A, x, y, W[TN_MZ], share);
    if (joint->b >= 0)
        tn_flat_apply(sim, joint->b, kin->r_B, -x, -y, -W[TN_MZ], share);
}

#endif
