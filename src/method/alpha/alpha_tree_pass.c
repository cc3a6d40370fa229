/* alpha_tree_pass.c: room method/alpha: one evaluation of a tree, its matrix and its solutions. See alpha_tree.h; the
 * equations are those of tree_kernel.h.
 */
#include <math.h>
#include <string.h>

#include "assemble/body_terms.h"
#include "assemble/elements.h"
#include "base/base.h"
#include "math/lanes.h"
#include "method/alpha/alpha_tree.h"
#include "tenon/limits.h"

TN_INLINE tn_body_motion motion_of(tn_sim *sim, const tn_alpha_link *link)
{
    return (tn_body_motion){tn_alpha_of(sim)->dq + link->u, sim->state.u + link->u,
                            sim->state.udot + link->u};
}

/* Pose, and all forces but those of joints. */
TN_INLINE void move_body(tn_sim *sim, const tn_alpha *c, const tn_alpha_link *link, tn_limb *limb)
{
    const tn_alpha_work *w = tn_alpha_of(sim);
    const tn_body_motion at = motion_of(sim, link);
    const tn_body_pose start = {w->from->x[link->body], w->from->q[link->body]};
    const tn_body_pose pose = tree_pose(c, start, at.dq);
    sim->state.x[link->body] = pose.x;
    sim->state.q[link->body] = pose.q;
    tn_xform *T = &sim->sys.T[link->body];
    *T = (tn_xform){rq_to_r33(pose.q), pose.x};
    tree_own_forces(link, sim->model->gravity, &T->R, at, limb);
}

TN_INLINE void predict_wrench(const tn_sim *sim, tn_alpha_link *link, const tn_limb *limb)
{
    const tn_model_joint *joint = &sim->model->joints[link->joint];
    tree_predict_wrench(link, limb, sim->state.lambda + (size_t)link->joint * TN_MAX_ROWS,
                        &tn_system_xform(&sim->sys, joint->a)->R, &joint->geometry.T_CA.R);
}

/* P, arms and errors, then the joint's wrench on both bodies. */
TN_INLINE void apply_joint(tn_sim *sim, const tn_alpha *c, tn_alpha_link *link, tn_limb *limb,
                           tn_trial trial)
{
    const tn_alpha_tree *tree = tn_alpha_of(sim)->tree;
    const tn_xform *here = &sim->sys.T[link->body];
    const tn_xform *there = tn_system_xform(&sim->sys, link->inner_body);
    const bool on_ground = limb->inner < 0;
    tree_move_joint(link, &here->R, here->p, &there->R, there->p, limb);
    if (limb->joint == TN_LIMB_HINGE)
        tree_project_moment(limb, link);
    tree_apply(c, link, limb, on_ground ? NULL : &tree->links[limb->inner],
               on_ground ? NULL : &tree->limbs[limb->inner], trial);
}

/* Where the bodies rest, the right-hand side of rows that are satisfied to round-off is made of their speeds. */
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

/* Compiled inline, unlike fmax, whose treatment of NaN needs a call. NaN is detected by sums instead. */
TN_INLINE double larger_of(double a, double b)
{
    return a > b ? a : b;
}

/* m^2: the square of the distance by which a correction moves the body, or the turn of its joint moves it. */
TN_INLINE double distance_moved(const tn_alpha_link *link, const tn_limb *limb)
{
    return larger_of(v3_dot(limb->v, limb->v),
                     v3_dot(limb->w, limb->w) * v3_dot(link->at, link->at));
}

/* One body and its joint, after the inner one. Returns the square of the joint's error as a distance. */
TN_INLINE double evaluate_link(tn_sim *sim, const tn_alpha *c, tn_trial trial, int32_t k,
                               double *moved)
{
    tn_alpha_tree *tree = tn_alpha_of(sim)->tree;
    tn_alpha_link *link = &tree->links[k];
    tn_limb *limb = &tree->limbs[k];
    if (trial == TN_TRIAL_CORRECTED) {
        *moved = larger_of(*moved, distance_moved(link, limb));
        tree_correct(c, &sim->sys.T[link->body].R, limb, motion_of(sim, link));
    } else {
        link->stiffness = (tn_sym3){0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    }
    move_body(sim, c, link, limb);
    if (limb->joint == TN_LIMB_FREE)
        return 0.0;
    if (link->held) {
        tree->on &= tn_alpha_tree_apply_held(sim, c, k, trial);
        return larger_of(v3_dot(limb->v, limb->v), v3_dot(limb->w, limb->w));
    }
    if (trial == TN_TRIAL_PREDICTED) {
        predict_wrench(sim, link, limb);
    } else {
        tree_correct_wrench(c, limb, link);
    }
    apply_joint(sim, c, link, limb, trial);
    if (c->some_rest)
        lead_by_speeds(sim, c, link, limb);
    return larger_of(v3_dot(limb->v, limb->v), v3_dot(limb->w, limb->w));
}

/* Right-hand side of a body; notes its residuals as distances. */
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
    for (int pair = 0; pair < 3; pair++) {
        tn_sizes_note(sizes, pair & 1,
                      tn_v2_abs(scale * tn_v2_load(f + 2 * pair)) * tn_v2_load(inverse + 2 * pair));
    }
}

tn_alpha_residual tn_alpha_tree_evaluate(tn_sim *sim, const tn_alpha *c, tn_trial trial)
{
    tn_alpha_tree *tree = tn_alpha_of(sim)->tree;
    double largest = 0.0, sum = 0.0, moved = 0.0;
    tn_sizes sizes = TN_NO_SIZES;
    for (int32_t k = 0; k < tree->count; k++) {
        const double square = evaluate_link(sim, c, trial, k, &moved);
        largest = larger_of(largest, square);
        sum += square;
    }
    tree->moved = trial == TN_TRIAL_CORRECTED ? sqrt(moved) : INFINITY;
    for (int32_t k = 0; k < tree->count; k++)
        finish_link(sim, c, &tree->links[k], &tree->limbs[k], &sizes);
    const double bodies = tn_sizes_largest(&sizes);
    if (!isfinite(sum) || isnan(bodies))
        return (tn_alpha_residual){NAN, NAN, NAN};
    const double rows = sqrt(largest), all = fmax(rows, bodies);
    return (tn_alpha_residual){all, all, rows};
}

tn_status tn_alpha_tree_factor(tn_sim *sim, tn_step_report *report)
{
    const tn_alpha_tree *tree = tn_alpha_of(sim)->tree;
    for (int32_t k = 0; k < tree->count; k++)
        tree_put_inertia(&tree->links[k], &sim->sys.T[tree->links[k].body].R, &tree->limbs[k]);
    const tn_status spent = tn_spend(&report->factorizations, TN_MOST_FACTORIZATIONS);
    if (spent != TN_OK)
        return spent;
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
    if (!link->held) /* else the last evaluation has computed them */
        tn_joint_refresh(&sim->sys, &sim->state, j);
    double force[6];
    v3_store(force, m3_tmulv(&kin->R_GW, v3_scale(link->sign, link->force)));
    v3_store(force + 3, m3_tmulv(&kin->R_GW, v3_scale(link->sign, link->moment)));
    for (int32_t n = 0; n < rows; n++) { /* in the order of G's axes */
        lambda[n] = force[n];
        phi[n] = kin->error[n];
    }
    if (link->held)
        tn_alpha_tree_show_held(sim, link);
}

void tn_alpha_tree_show(tn_sim *sim)
{
    const tn_alpha_tree *tree = tn_alpha_of(sim)->tree;
    for (int32_t k = 0; tree->on && k < tree->count; k++)
        show_link(sim, &tree->links[k]);
}
