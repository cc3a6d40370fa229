/* alpha_flat.h: room integrate: planar bodies and the pins between them (hinges, ball joints) in
 * the evaluation of alpha_residual.c.
 *
 * The same equations in the three components a planar body has, f_x, f_y and m_z: a quarter of the
 * instructions of the general ones. Constraints of a pin are its rows 0 and 1, along x and y of G.
 * With F and r force and arm, the stiffness of a body is the number F . r, which is the same in any
 * axes.
 *
 * Limits: bodies without damping, hard pins that hold no coordinate, keep no gap and have nothing
 * that drives them.
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

static inline int tn_is_free_pin(const tn_sim *sim, int32_t j)
{
    return sim->state.plain[j] && sim->model->joints[j].geometry.pin && !tn_gap_is_on(&sim->state);
}

/* A force in world axes at arm r on a body. */
static inline void tn_flat_apply(tn_sim *sim, int32_t body, tn_vec3 r, double x, double y)
{
    double *f = sim->sys.f + sim->model->bodies[body].u;
    v3_store(f, v3(f[0] + x, f[1] + y, f[2] + (r.x * y - r.y * x)));
}

/* Its stiffness, divided by beta'. */
static inline void tn_flat_stiffen(tn_sim *sim, const tn_alpha *c, int32_t body, tn_vec3 r,
                                   double x, double y)
{
    sim->stiffness[6 * (size_t)body + 2] += (x * r.x + y * r.y) / c->beta_prime;
}

/* Multipliers after a correction, kinematics, phi, and the joint's forces added to f. After a
 * correction the force is kept in the world while the joint moves. */
static inline void tn_pin_evaluate(tn_sim *sim, const tn_alpha *c, int32_t j, tn_trial trial,
                                   double *phi)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    tn_joint_kinematics *kin = &sim->sys.kin[j];
    double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
    tn_vec3 force = {lambda[0], lambda[1], 0.0};
    if (trial == TN_TRIAL_CORRECTED) {
        const double *y = sim->sys.g + sim->sys.layout->y_offset[j];
        force.x -= c->beta_prime * y[0];
        force.y -= c->beta_prime * y[1];
        force = m3_turn_z(&kin->R_GW, force);
    }
    tn_joint_update_pin(&joint->geometry, &sim->sys.T[joint->a],
                        tn_system_xform(&sim->sys, joint->b), kin);
    if (trial == TN_TRIAL_CORRECTED) {
        const tn_vec3 in_G = m3_turn_back_z(&kin->R_GW, force);
        lambda[0] = in_G.x;
        lambda[1] = in_G.y;
    } else {
        force = m3_turn_z(&kin->R_GW, force);
        tn_flat_stiffen(sim, c, joint->a, kin->r_A, force.x, force.y);
        if (joint->b >= 0)
            tn_flat_stiffen(sim, c, joint->b, kin->r_B, -force.x, -force.y);
    }
    phi[0] = kin->error[TN_FX];
    phi[1] = kin->error[TN_FY];
    tn_flat_apply(sim, joint->a, kin->r_A, force.x, force.y);
    if (joint->b >= 0)
        tn_flat_apply(sim, joint->b, kin->r_B, -force.x, -force.y);
}

#endif
