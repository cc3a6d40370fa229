/* alpha_tree_pass.c: room method: one evaluation of a tree, its matrix and its solves. See
 * alpha_tree.h.
 *
 * With P the origin of D, r the arms from the centres of mass to P, F and M the force and moment of
 * the joint on the outer body at P, and p and z the points and axes of C and D as outer (o) and
 * inner (i) ones:
 *     e = -(p_o - p_i),   -(z_i x z_o) asin(s) / s,     f_o += (F, M + r_o x F),
 *                                                       f_i -= (F, M + r_i x F).
 * After a correction F and M are kept in the world while frame G turns, and M loses what is along
 * the new axis (alpha_residual.c). The stiffness of the joint forces is the same tensor in any
 * axes.
 */
#include <math.h>
#include <string.h>

#include "assemble/body_terms.h"
#include "assemble/elements.h"
#include "base/base.h"
#include "joint/rotation_about_z.h"
#include "math/lanes.h"
#include "method/alpha_tree.h"
#include "tenon/limits.h"

TN_INLINE tn_vec3 s3_mulv(const tn_sym3 *a, tn_vec3 v)
{
    return v3(a->xx * v.x + a->xy * v.y + a->xz * v.z, a->xy * v.x + a->yy * v.y + a->yz * v.z,
              a->xz * v.x + a->yz * v.y + a->zz * v.z);
}

/* The velocities of a body after the correction its limb has. */
TN_INLINE void correct_velocities(tn_sim *sim, const tn_alpha *c, const tn_alpha_link *link,
                                  const tn_limb *limb)
{
    const double by_h = 1.0 / c->h, gamma = c->gamma_prime, beta = c->beta_prime;
    double *restrict dq = tn_alpha_of(sim)->dq + link->u, *restrict u = sim->state.u + link->u,
                     *restrict udot = sim->state.udot + link->u;
    const tn_vec3 turn = m3_tmulv(&sim->sys.T[link->body].R, limb->w);
    double du[6];
    v3_store(du, limb->v);
    v3_store(du + 3, turn);
    for (int k = 0; k < 6; k++) {
        dq[k] += by_h * du[k];
        u[k] += gamma * du[k];
        udot[k] += beta * du[k];
    }
}

/* Pose, and the forces but those of joints. */
TN_INLINE void move_body(tn_sim *sim, const tn_alpha *c, const tn_alpha_link *link, tn_limb *limb)
{
    const tn_alpha_work *w = tn_alpha_of(sim);
    const double *dq = w->dq + link->u, *u = sim->state.u + link->u;
    const double *udot = sim->state.udot + link->u;
    const tn_vec3 x = v3_axpy(w->start.x[link->body], c->h, v3_load(dq));
    const tn_quat turned = q_mul(w->start.q[link->body], q_exp(v3_scale(c->h, v3_load(dq + 3))));
    const tn_quat q = q_normalize(turned);
    sim->state.x[link->body] = x;
    sim->state.q[link->body] = q;
    tn_xform *T = &sim->sys.T[link->body];
    *T = (tn_xform){q_to_m3(q), x};
    const tn_vec3 turn = v3_load(u + 3);
    const tn_vec3 own =
        v3_sub(v3_cross(s3_mulv(&link->J, turn), turn), s3_mulv(&link->J, v3_load(udot + 3)));
    limb->f = v3_scale(link->mass, v3_sub(sim->model->gravity, v3_load(udot)));
    limb->m = m3_mulv(&T->R, own);
}

/* P, the arms, the axis and the errors after both bodies have moved. */
TN_INLINE void move_joint(const tn_sim *sim, const tn_alpha_link *link, tn_limb *limb)
{
    const tn_xform *here = &sim->sys.T[link->body];
    const tn_xform *there = tn_system_xform(&sim->sys, link->inner_body);
    const tn_vec3 own = m3_mulv(&here->R, link->at), other = m3_mulv(&there->R, link->inner_at);
    const tn_vec3 p_o = v3_add(here->p, own), p_i = v3_add(there->p, other);
    const bool is_a = link->sign > 0.0;
    limb->arm = is_a ? v3_sub(p_i, here->p) : own;
    limb->base = is_a ? other : v3_sub(p_o, there->p);
    limb->v = v3_sub(p_i, p_o);
    limb->w = v3(0.0, 0.0, 0.0);
    if (limb->joint == TN_LIMB_BALL)
        return;
    const tn_vec3 z_o = m3_mulv(&here->R, link->axis), z_i = m3_mulv(&there->R, link->inner_axis);
    limb->w = tn_tilt(z_o, z_i);
    limb->of.hinge.axis = is_a ? z_i : z_o;
}

/* The wrench of the multipliers predicted: their axes are C's, which G's are but for the errors. */
TN_INLINE void predict_wrench(const tn_sim *sim, tn_alpha_link *link, const tn_limb *limb)
{
    const tn_model_joint *joint = &sim->model->joints[link->joint];
    const double *lambda = sim->state.lambda + (size_t)link->joint * TN_MAX_ROWS;
    const tn_mat3 *R_A = &tn_system_xform(&sim->sys, joint->a)->R, *R_CA = &joint->geometry.T_CA.R;
    const tn_vec3 force = m3_mulv(R_CA, v3_load(lambda));
    link->force = v3_scale(link->sign, m3_mulv(R_A, force));
    link->moment = v3(0.0, 0.0, 0.0);
    if (limb->joint == TN_LIMB_HINGE) {
        const tn_vec3 moment = m3_mulv(R_CA, v3(lambda[3], lambda[4], 0.0));
        link->moment = v3_scale(link->sign, m3_mulv(R_A, moment));
    }
}

/* (c . F) 1 - sym(F c^T). */
TN_INLINE void stiffen(tn_sym3 *S, tn_vec3 F, tn_vec3 c)
{
    S->xx += F.y * c.y + F.z * c.z;
    S->yy += F.x * c.x + F.z * c.z;
    S->zz += F.x * c.x + F.y * c.y;
    S->xy -= 0.5 * (F.x * c.y + F.y * c.x);
    S->xz -= 0.5 * (F.x * c.z + F.z * c.x);
    S->yz -= 0.5 * (F.y * c.z + F.z * c.y);
}

/* The joint's wrench on both bodies. */
TN_INLINE void apply(tn_alpha_tree *tree, const tn_alpha *c, tn_alpha_link *link, tn_limb *limb,
                     tn_trial trial)
{
    const double scale = 1.0 / c->beta_prime;
    if (limb->joint == TN_LIMB_HINGE)
        link->moment =
            v3_axpy(link->moment, -v3_dot(limb->of.hinge.axis, link->moment), limb->of.hinge.axis);
    const tn_vec3 F = link->force, M = link->moment;
    limb->f = v3_add(limb->f, F);
    limb->m = v3_add(limb->m, v3_add(M, v3_cross(limb->arm, F)));
    if (trial == TN_TRIAL_PREDICTED)
        stiffen(&link->stiffness, v3_scale(scale, F), limb->arm);
    if (limb->inner < 0)
        return;
    tn_alpha_link *inner = &tree->links[limb->inner];
    tn_limb *hung = &tree->limbs[limb->inner];
    hung->f = v3_sub(hung->f, F);
    hung->m = v3_sub(hung->m, v3_add(M, v3_cross(limb->base, F)));
    if (trial == TN_TRIAL_PREDICTED)
        stiffen(&inner->stiffness, v3_scale(-scale, F), limb->base);
}

/* Where the bodies rest, rows that are met to round-off are led by their speeds. */
static void lead_by_speeds(tn_sim *sim, const tn_alpha *c, const tn_alpha_link *link, tn_limb *limb)
{
    const int32_t j = link->joint;
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    const tn_row_list rows = tn_active_rows(sim->model, &sim->state, j);
    double speeds[TN_MAX_ROWS], led[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    if (!tn_alpha_joint_rests(sim, c, j))
        return;
    tn_joint_refresh(&sim->sys, &sim->state, j);
    tn_joint_speeds(&sim->sys, j, sim->state.u, rows, speeds);
    for (int32_t n = 0; n < rows.count; n++) {
        const double phi = tn_joint_row_error(&sim->model->joints[j].geometry, kin, rows.row[n]);
        if (fabs(phi) > c->round_off)
            return;
        led[n] = tn_alpha_led_row(c, phi, speeds[n]); /* rows in the order of G's axes */
    }
    limb->v = v3_scale(link->sign, m3_mulv(&kin->R_GW, v3_load(led)));
    limb->w = v3_scale(link->sign, m3_mulv(&kin->R_GW, v3_load(led + 3)));
}

/* One body and its joint, after the inner one. Returns the square of the distance that the joint is
 * off. */
TN_INLINE double evaluate_link(tn_sim *sim, const tn_alpha *c, tn_trial trial, int32_t k)
{
    tn_alpha_tree *tree = tn_alpha_of(sim)->tree;
    tn_alpha_link *link = &tree->links[k];
    tn_limb *limb = &tree->limbs[k];
    if (trial == TN_TRIAL_CORRECTED)
        correct_velocities(sim, c, link, limb);
    else
        link->stiffness = (tn_sym3){0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    move_body(sim, c, link, limb);
    if (limb->joint == TN_LIMB_FREE)
        return 0.0;
    if (trial == TN_TRIAL_PREDICTED) {
        predict_wrench(sim, link, limb);
    } else {
        link->force = v3_axpy(link->force, c->beta_prime, limb->pull_f);
        link->moment = v3_axpy(link->moment, c->beta_prime, limb->pull_m);
    }
    move_joint(sim, link, limb);
    apply(tree, c, link, limb, trial);
    if (c->some_rest)
        lead_by_speeds(sim, c, link, limb);
    return fmax(v3_dot(limb->v, limb->v), v3_dot(limb->w, limb->w));
}

/* Right-hand side of a body; notes its distances. */
TN_INLINE void finish_link(const tn_sim *sim, const tn_alpha *c, const tn_alpha_link *link,
                           tn_limb *limb, tn_sizes *sizes)
{
    const double scale = 1.0 / c->beta_prime;
    const double *inverse = sim->inverse_inertia + link->u;
    double *f = sim->sys.f + link->u;
    v3_store(f, limb->f);
    v3_store(f + 3, m3_tmulv(&sim->sys.T[link->body].R, limb->m));
    limb->f = v3_scale(scale, limb->f);
    limb->m = v3_scale(scale, limb->m);
    for (int pair = 0; pair < 3; pair++)
        tn_sizes_note(sizes, pair & 1,
                      tn_v2_abs(scale * tn_v2_load(f + 2 * pair)) * tn_v2_load(inverse + 2 * pair));
}

tn_alpha_residual tn_alpha_tree_evaluate(tn_sim *sim, const tn_alpha *c, tn_trial trial)
{
    const tn_alpha_tree *tree = tn_alpha_of(sim)->tree;
    double largest = 0.0, sum = 0.0;
    tn_sizes sizes = TN_NO_SIZES;
    for (int32_t k = 0; k < tree->count; k++) {
        const double square = evaluate_link(sim, c, trial, k);
        largest = fmax(largest, square);
        sum += square;
    }
    for (int32_t k = 0; k < tree->count; k++)
        finish_link(sim, c, &tree->links[k], &tree->limbs[k], &sizes);
    const double bodies = tn_sizes_largest(&sizes);
    if (!isfinite(sum) || isnan(bodies))
        return (tn_alpha_residual){NAN, NAN, NAN};
    const double rows = sqrt(largest), all = fmax(rows, bodies);
    return (tn_alpha_residual){all, all, rows};
}

/* R J R^T, and the stiffness where it leaves at least half of the inertia about every axis. */
TN_INLINE tn_sym3 inertia_of(const tn_sim *sim, const tn_alpha_link *link)
{
    const tn_mat3 *R = &sim->sys.T[link->body].R;
    const tn_sym3 *S = &link->stiffness;
    tn_vec3 row[3], by[3];
    for (int i = 0; i < 3; i++) {
        row[i] = v3_load(R->m[i]);
        by[i] = s3_mulv(&link->J, row[i]);
    }
    const tn_sym3 J = {v3_dot(row[0], by[0]), v3_dot(row[1], by[1]), v3_dot(row[2], by[2]),
                       v3_dot(row[0], by[1]), v3_dot(row[0], by[2]), v3_dot(row[1], by[2])};
    const double xx = 0.5 * J.xx + S->xx, yy = 0.5 * J.yy + S->yy, zz = 0.5 * J.zz + S->zz;
    const double xy = 0.5 * J.xy + S->xy, xz = 0.5 * J.xz + S->xz, yz = 0.5 * J.yz + S->yz;
    const double minor = xx * yy - xy * xy;
    if (!(xx > 0.0 && minor > 0.0 &&
          zz * minor + 2.0 * xy * xz * yz - xx * yz * yz - yy * xz * xz > 0.0))
        return J;
    return (tn_sym3){J.xx + S->xx, J.yy + S->yy, J.zz + S->zz,
                     J.xy + S->xy, J.xz + S->xz, J.yz + S->yz};
}

static void put_inertia(const tn_sim *sim, const tn_alpha_link *link, tn_limb *limb)
{
    limb->I.A = (tn_sym3){link->mass, link->mass, link->mass, 0.0, 0.0, 0.0};
    limb->I.B = (tn_mat3){{{0.0}}};
    limb->I.C = inertia_of(sim, link);
}

tn_status tn_alpha_tree_factor(tn_sim *sim, tn_step_report *report)
{
    const tn_alpha_tree *tree = tn_alpha_of(sim)->tree;
    for (int32_t k = 0; k < tree->count; k++)
        put_inertia(sim, &tree->links[k], &tree->limbs[k]);
    if (report->factorizations++ >= TN_MOST_FACTORIZATIONS)
        return TN_ERROR_WORK;
    const int32_t failed = tn_limbs_factorize(tree->limbs, tree->count);
    if (failed < 0)
        return TN_OK;
    report->culprit_body.i = tree->links[failed].body;
    return TN_ERROR_SINGULAR;
}

void tn_alpha_tree_solve(tn_sim *sim, tn_step_report *report)
{
    const tn_alpha_tree *tree = tn_alpha_of(sim)->tree;
    tn_limbs_solve(tree->limbs, tree->count);
    report->solves++;
}

/* Wrench, kinematics and errors of a joint. */
static void show_link(tn_sim *sim, const tn_alpha_link *link)
{
    const int32_t j = link->joint;
    if (j < 0)
        return;
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
    double *phi = sim->sys.phi + sim->sys.layout->y_offset[j];
    const int32_t rows = sim->model->joints[j].kept_bilateral;
    tn_joint_refresh(&sim->sys, &sim->state, j);
    double force[6];
    v3_store(force, m3_tmulv(&kin->R_GW, v3_scale(link->sign, link->force)));
    v3_store(force + 3, m3_tmulv(&kin->R_GW, v3_scale(link->sign, link->moment)));
    for (int32_t n = 0; n < rows; n++) { /* in the order of G's axes */
        lambda[n] = force[n];
        phi[n] = kin->error[n];
    }
}

void tn_alpha_tree_show(tn_sim *sim)
{
    const tn_alpha_tree *tree = tn_alpha_of(sim)->tree;
    for (int32_t k = 0; tree->on && k < tree->count; k++)
        show_link(sim, &tree->links[k]);
}
