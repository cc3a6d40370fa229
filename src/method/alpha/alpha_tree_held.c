/* alpha_tree_held.c: room method/alpha: joints of a tree (alpha_tree.h) that hold coordinates, by a limit, a
 * lock or a range without width.
 *
 * A held coordinate q is a row n of the relative turn, n . w = q'. With the rows n_k of what is held and
 * their dual basis d_k, d_k . n_l = 1 where k = l and else 0, in the plane, or line, that they span, the twist
 * asked for is e = -sum (q_k - held_k) d_k, and what is square to all n_k stays free: two directions of a ball
 * of which one coordinate is held, one where two are, as of a hinge, none of three, or of a hinge. The joint's
 * moment is sum lambda_k n_k: lambda_k = M . d_k.
 *
 * In: a link whose bodies have moved. Out: its limb, and the wrench on both bodies.
 */
#include <math.h>

#include "assemble/elements.h"
#include "base/base.h"
#include "method/alpha/alpha_tree.h"

/* Sine below which rows of held coordinates do not tell turns apart: what rounding leaves of them grows as its
 * inverse, to the tolerance of a step. Squared. */
#define TN_NO_SPAN 1e-6

/* What holds the turns of a joint, for A against B, world axes. */
typedef struct tn_held_turns {
    int32_t count;
    int8_t row[3];
    tn_vec3 n[3], dual[3];
} tn_held_turns;

static bool find_dual(tn_held_turns *held)
{
    const tn_vec3 *n = held->n;
    const double first = v3_dot(n[0], n[0]);
    if (held->count == 1) {
        held->dual[0] = v3_scale(1.0 / first, n[0]);
        return first > 0.0;
    }
    const tn_vec3 across = v3_cross(n[0], n[1]);
    const double square = v3_dot(across, across), both = first * v3_dot(n[1], n[1]);
    if (held->count == 2) {
        held->dual[0] = v3_scale(1.0 / square, v3_cross(n[1], across));
        held->dual[1] = v3_scale(1.0 / square, v3_cross(across, n[0]));
        return square > TN_NO_SPAN * both;
    }
    const double volume = v3_dot(across, n[2]);
    held->dual[0] = v3_scale(1.0 / volume, v3_cross(n[1], n[2]));
    held->dual[1] = v3_scale(1.0 / volume, v3_cross(n[2], n[0]));
    held->dual[2] = v3_scale(1.0 / volume, across);
    return volume * volume > TN_NO_SPAN * both * v3_dot(n[2], n[2]);
}

/* At the kinematics of now; false: they do not tell turns apart. */
static bool find_turns(const tn_sim *sim, int32_t j, tn_held_turns *held)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    const tn_row_list rows = tn_active_rows(sim->model, &sim->state, j);
    held->count = 0;
    for (int32_t i = joint->kept_bilateral; i < rows.count; i++) {
        tn_vec3 force;
        const int32_t k = held->count++;
        held->row[k] = rows.row[i];
        tn_joint_row_wrench(&joint->geometry, &sim->sys.kin[j], rows.row[i], &force, &held->n[k]);
    }
    return find_dual(held);
}

/* A unit vector square to another. */
static tn_vec3 square_to(tn_vec3 n)
{
    const double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    const tn_vec3 other = x <= y && x <= z ? v3(1.0, 0.0, 0.0)
                          : y <= z         ? v3(0.0, 1.0, 0.0)
                                           : v3(0.0, 0.0, 1.0);
    const tn_vec3 across = v3_cross(n, other);
    return v3_scale(1.0 / v3_norm(across), across);
}

/* The limb's joint while these turns are held. */
static void leave_free(const tn_held_turns *held, bool is_hinge, tn_limb *limb)
{
    const tn_vec3 n = held->n[0];
    limb->joint = is_hinge || held->count == 3 ? TN_LIMB_WELD
                  : held->count == 2           ? TN_LIMB_HINGE
                                               : TN_LIMB_CROSS;
    if (limb->joint == TN_LIMB_HINGE) {
        const tn_vec3 axis = v3_cross(n, held->n[1]);
        limb->of.hinge.axis = v3_scale(1.0 / v3_norm(axis), axis);
    } else if (limb->joint == TN_LIMB_CROSS) {
        const tn_vec3 y = square_to(n);
        limb->of.cross.axis[0] = y;
        limb->of.cross.axis[1] = v3_scale(1.0 / v3_norm(n), v3_cross(n, y));
    }
}

/* Of the multipliers predicted; after a correction a hinge's is what it is, and a ball's in the span of what
 * is held. */
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

/* The turn that is asked for beside what closes the joint. */
static void put_turn(const tn_sim *sim, const tn_held_turns *held, const tn_alpha_link *link,
                     tn_limb *limb)
{
    for (int32_t k = 0; k < held->count; k++) {
        const double off = tn_element_hold_error(&sim->sys, &sim->state, link->joint, held->row[k]);
        limb->w = v3_axpy(limb->w, -link->sign * off, held->dual[k]);
    }
}

/* Where the bodies rest, rows that are met to round-off are led by their speeds, as those of other joints
 * are. */
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
    const bool is_hinge = tn_alpha_is_hinge(&sim->model->joints[link->joint]);
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
    const bool good = find_turns(sim, link->joint, &held);
    put_turn(sim, &held, link, limb);
    lead_by_speeds(sim, c, &held, link, limb);
    put_moment(sim, &held, is_hinge, trial, link);
    leave_free(&held, is_hinge, limb);
    tree_apply(c, link, limb, on_ground ? NULL : &tree->links[limb->inner],
               on_ground ? NULL : &tree->limbs[limb->inner], trial);
    return good || trial == TN_TRIAL_CORRECTED;
}

void tn_alpha_tree_show_held(tn_sim *sim, const tn_alpha_link *link)
{
    const int32_t j = link->joint;
    double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
    tn_held_turns held;
    find_turns(sim, j, &held);
    for (int32_t k = 0; k < held.count; k++)
        lambda[held.row[k]] = link->sign * v3_dot(link->moment, held.dual[k]);
    tn_element_errors(&sim->sys, &sim->state, j, sim->sys.phi + sim->sys.layout->y_offset[j]);
}
