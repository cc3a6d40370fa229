/* alpha_tree_held.c: room method/alpha: joints of a tree (alpha_tree.h) that hold coordinates
 * (motion/tree/held_turns.h): their correction is the twist e = -sum (q_k - held_k) d_k.
 *
 * In: a link whose bodies have moved. Out: its data for the elimination, and the wrench on both bodies.
 */
#include <math.h>

#include "assemble/elements.h"
#include "base/base.h"
#include "method/alpha/alpha_tree.h"
#include "motion/tree/held_turns.h"

/* The moment from the predicted multipliers. After a correction that of a hinge is unchanged, and that of a ball
 * joint is projected onto the held directions. */
static void put_moment(const tn_sim *sim, const tn_held_turns *held, bool is_hinge, tn_trial trial,
                       tn_alpha_link *link)
{
    const double *lambda = sim->state.lambda + (size_t)link->joint * TN_MAX_ROWS;
    const tn_vec3 M = link->moment;
    if (trial == TN_TRIAL_CORRECTED && is_hinge)
        return;
    if (trial == TN_TRIAL_CORRECTED)
        link->moment = v3(0.0, 0.0, 0.0);
    for (int32_t k = 0; k < held->count; k++) {
        const double force = trial == TN_TRIAL_CORRECTED ? v3_dot(M, held->dual[k])
                                                         : link->sign * lambda[held->row[k]];
        link->moment = v3_axpy(link->moment, force, held->n[k]);
    }
}

/* The rotation that corrects held coordinates, in addition to what closes the joint. */
static void put_turn(const tn_sim *sim, const tn_held_turns *held, const tn_alpha_link *link,
                     tn_limb *limb)
{
    for (int32_t k = 0; k < held->count; k++) {
        const double off = tn_element_hold_error(&sim->sys, &sim->state, link->joint, held->row[k]);
        limb->w = v3_axpy(limb->w, -link->sign * off, held->dual[k]);
    }
}

/* Where the bodies rest, the right-hand side of rows that are satisfied to round-off is made of their speeds, as for
 * other joints. */
static void lead_by_speeds(const tn_sim *sim, const tn_alpha *c, const tn_held_turns *held,
                           const tn_alpha_link *link, tn_limb *limb)
{
    const int32_t j = link->joint, first = sim->model->joints[j].kept_bilateral;
    const tn_mat3 *R = &sim->sys.kin[j].R_GW;
    double phi[TN_MAX_ROWS], speeds[TN_MAX_ROWS], led[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    if (!c->some_rest || !tn_alpha_joint_rests(sim, c, j))
        return;
    tn_element_errors(&sim->sys, &sim->state, j, phi);
    tn_joint_speeds(&sim->sys, j, sim->state.u, tn_active_rows(sim->model, &sim->state, j), speeds);
    for (int32_t n = 0; n < first + held->count; n++) {
        if (fabs(phi[n]) > c->round_off)
            return;
    }
    for (int32_t n = 0; n < first; n++) /* in the order of G's axes */
        led[n] = tn_alpha_led_row(c, phi[n], speeds[n]);
    limb->v = v3_scale(link->sign, m3_mulv(R, v3_load(led)));
    limb->w = v3_scale(link->sign, m3_mulv(R, v3_load(led + 3)));
    for (int32_t k = 0; k < held->count; k++) {
        const double by = tn_alpha_led_row(c, phi[first + k], speeds[first + k]);
        limb->w = v3_axpy(limb->w, link->sign * by, held->dual[k]);
    }
}

static void predict(const tn_sim *sim, tn_alpha_link *link, const tn_limb *limb)
{
    const tn_model_joint *joint = &sim->model->joints[link->joint];
    tree_predict_wrench(link, limb, sim->state.lambda + (size_t)link->joint * TN_MAX_ROWS,
                        &tn_system_xform(&sim->sys, joint->a)->R, &joint->geometry.T_CA.R);
}

bool tn_alpha_tree_apply_held(tn_sim *sim, const tn_alpha *c, int32_t k, tn_trial trial)
{
    tn_alpha_tree *tree = tn_alpha_of(sim)->tree;
    tn_alpha_link *link = &tree->links[k];
    tn_limb *limb = &tree->limbs[k];
    const tn_xform *here = &sim->sys.T[link->body];
    const tn_xform *there = tn_system_xform(&sim->sys, link->inner_body);
    const bool is_hinge = tn_tree_is_hinge(&sim->model->joints[link->joint]);
    const bool on_ground = limb->inner < 0;
    tn_held_turns held;
    limb->joint = is_hinge ? TN_LIMB_HINGE : TN_LIMB_BALL;
    if (trial == TN_TRIAL_PREDICTED) {
        predict(sim, link, limb);
    } else {
        tree_correct_wrench(c, limb, link);
    }
    tree_move_joint(link, &here->R, here->p, &there->R, there->p, limb);
    tn_joint_refresh(&sim->sys, &sim->state, link->joint);
    const bool good = tn_held_turns_find(sim, link->joint, &held);
    put_turn(sim, &held, link, limb);
    lead_by_speeds(sim, c, &held, link, limb);
    put_moment(sim, &held, is_hinge, trial, link);
    tn_held_turns_leave(&held, is_hinge, limb);
    tree_apply(c, link, limb, on_ground ? NULL : &tree->links[limb->inner],
               on_ground ? NULL : &tree->limbs[limb->inner], trial);
    return good || trial == TN_TRIAL_CORRECTED;
}

void tn_alpha_tree_show_held(tn_sim *sim, const tn_alpha_link *link)
{
    const int32_t j = link->joint;
    double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
    tn_held_turns held;
    tn_held_turns_find(sim, j, &held);
    for (int32_t k = 0; k < held.count; k++)
        lambda[held.row[k]] = link->sign * v3_dot(link->moment, held.dual[k]);
    tn_element_errors(&sim->sys, &sim->state, j, sim->sys.phi + sim->sys.layout->y_offset[j]);
}
