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
           s->active_count == joint->kept_bilateral && !tn_gap_is_on(&sim->state);
}

/* Multipliers as (f_x, f_y, m_z) in G. */
static inline tn_vec3 tn_flat_gather(const int8_t *slot, const int8_t *rows, const double *lambda)
{
    return v3(slot[0] < 0 ? 0.0 : lambda[rows[slot[0]]], slot[1] < 0 ? 0.0 : lambda[rows[slot[1]]],
              slot[2] < 0 ? 0.0 : lambda[rows[slot[2]]]);
}

/* Multiplier and error of the row of an axis; returns the multiplier, 0 if there is no row. */
static inline double tn_flat_set_row(tn_sim *sim, int32_t j, int8_t slot, double value,
                                     double error, double *phi)
{
    if (slot < 0)
        return 0.0;
    sim->state.lambda[j * TN_MAX_ROWS + sim->state.switches[j].active[slot]] = value;
    phi[slot] = error;
    return value;
}

/* w in world axes, at arm r, on a body. */
static inline void tn_flat_apply(tn_sim *sim, int32_t body, tn_vec3 r, tn_vec3 w)
{
    double *f = sim->sys.f + sim->model->bodies[body].u;
    v3_store(f, v3(f[0] + w.x, f[1] + w.y, f[2] + (w.z + (r.x * w.y - r.y * w.x))));
}

/* The stiffness of a joint's force on a body, divided by beta'. */
static inline void tn_flat_stiffen(tn_sim *sim, const tn_alpha *c, int32_t body, tn_vec3 r,
                                   tn_vec3 w)
{
    sim->stiffness[6 * (size_t)body + 2] += (w.x * r.x + w.y * r.y) / c->beta_prime;
}

static inline void tn_flat_refresh_joint(tn_sim *sim, int32_t j)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    if (joint->geometry.cls->pin_in_plane)
        tn_joint_update_pin(&joint->geometry, tn_system_xform(&sim->sys, joint->a),
                            tn_system_xform(&sim->sys, joint->b), &sim->sys.kin[j]);
    else
        tn_joint_refresh(&sim->sys, &sim->state, j);
}

/* Multipliers after a correction, kinematics, phi, and the joint's forces added to f. After a
 * correction the force is kept in the world while the joint moves, but for what no row carries. */
static inline void tn_flat_evaluate_joint(tn_sim *sim, const tn_alpha *c, int32_t j, tn_trial trial,
                                          double *phi)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    const int8_t *rows = sim->state.switches[j].active, *slot = joint->plane_slot;
    double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
    const double *y = sim->sys.g + sim->sys.layout->y_offset[j];
    tn_vec3 w, kept = {0.0, 0.0, 0.0};
    if (trial == TN_TRIAL_CORRECTED) {
        for (int32_t n = 0; n < sim->state.switches[j].active_count; n++)
            lambda[rows[n]] -= c->beta_prime * y[n];
        kept = m3_turn_z(&kin->R_GW, tn_flat_gather(slot, rows, lambda));
    }
    tn_flat_refresh_joint(sim, j);
    w = trial == TN_TRIAL_CORRECTED ? m3_turn_back_z(&kin->R_GW, kept)
                                    : tn_flat_gather(slot, rows, lambda);
    w.x = tn_flat_set_row(sim, j, slot[0], w.x, kin->error[TN_FX], phi);
    w.y = tn_flat_set_row(sim, j, slot[1], w.y, kin->error[TN_FY], phi);
    w.z = tn_flat_set_row(sim, j, slot[2], w.z, kin->error[TN_MZ], phi);
    w = m3_turn_z(&kin->R_GW, w);
    tn_flat_apply(sim, joint->a, kin->r_A, w);
    if (joint->b >= 0)
        tn_flat_apply(sim, joint->b, kin->r_B, v3_scale(-1.0, w));
    if (trial == TN_TRIAL_CORRECTED)
        return;
    tn_flat_stiffen(sim, c, joint->a, kin->r_A, w);
    if (joint->b >= 0)
        tn_flat_stiffen(sim, c, joint->b, kin->r_B, v3_scale(-1.0, w));
}

#endif
