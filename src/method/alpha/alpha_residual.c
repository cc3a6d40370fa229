/* alpha_residual.c: room method/alpha: one evaluation of the generalized-alpha equations.
 *
 * In: the start of the step, the trial's increments, the last correction. Out: see alpha.h. There are two passes
 * over memory, one over the bodies and one over the joints: the time of a step on large models is the time to move
 * that data.
 *
 * The multipliers are components in frame G, which turns with the bodies in a correction. If they were kept, the
 * forces would turn too, which the Newton matrix does not contain. So after a correction the force and moment of a
 * hard joint are kept in the world, and the multipliers are computed from them. The arms of the forces change as
 * body b turns by t; that is a stiffness of b alone: with F and c force and arm in its axes, the moments change by
 *     ([sum m]x + sum [c]x [F]x) t,    [c]x [F]x = F c^T - (c . F) 1,
 * whose antisymmetric part is that of the total moment, which only turns the body, and is small. The symmetric part,
 * negated and divided by beta', is added to the matrix. On a taut chain it is larger than the inertia.
 *
 * At rest the errors of rows are round-off, which the method divides by h^2: 3e-16 m at h = 1e-3 s changes the
 * reactions of a kilogram by 4e-8 N. So for rows of resting bodies that are satisfied to round-off, and whose speeds
 * keep them so for the step, the right-hand side is made of their speeds instead. Those decay, and the reactions
 * become constant to the last bit.
 */
#include <math.h>
#include <string.h>

#include "assemble/armature.h"
#include "assemble/body_terms.h"
#include "assemble/elements.h"
#include "method/alpha/alpha_plane.h"
#include "method/alpha/alpha_tree.h"
#include "method/alpha/hinge_terms.h"
#include "motion/loads.h"
#include "math/lanes.h"

/* Velocities of all bodies after a correction. */
static void correct_velocities(tn_sim *sim, const tn_alpha *c)
{
    const double by_h = 1.0 / c->h, gamma = c->gamma_prime, beta = c->beta_prime;
    const double *restrict du = sim->sys.du;
    double *restrict dq = tn_alpha_of(sim)->dq, *restrict u = sim->state.u,
                     *restrict udot = sim->state.udot;
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        dq[k] += by_h * du[k];
        u[k] += gamma * du[k];
        udot[k] += beta * du[k];
    }
}

/* Pose, T and forces of the bodies that are not planar. */
static void evaluate_bodies(tn_sim *sim, const tn_alpha *c)
{
    const tn_alpha_work *w = tn_alpha_of(sim);
    const int32_t *place = w->plane->place;
    const tn_vec3 *x_before = w->from->x;
    const tn_quat *q_before = w->from->q;
    const double *dq = w->dq;
    tn_system *sys = &sim->sys;
    tn_state *state = &sim->state;
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        if (place[i] >= 0)
            continue;
        tn_vec3 x = x_before[i];
        tn_quat q = q_before[i];
        tn_body_move(body, dq, c->h, &x, &q);
        state->x[i] = x;
        state->q[i] = q;
        sys->T[i] = (tn_xform){tn_body_rotation(body, q), x};
        if (body->dim > 0) {
            tn_body_force(body, &sys->T[i].R, sim->model->gravity, state->u, state->udot, 1,
                          sys->f);
        }
    }
}

static void clear_stiffness(tn_sim *sim)
{
    const tn_v2 none = {0.0, 0.0};
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        double *S = tn_alpha_of(sim)->stiffness + 6 * (size_t)i;
        tn_v2_store(S, none);
        tn_v2_store(S + 2, none);
        tn_v2_store(S + 4, none);
    }
}

/* Stiffness of a force at an arm, world axes, divided by beta'. */
static void add_stiffness(tn_sim *sim, const tn_alpha *c, int32_t body, tn_vec3 r, tn_vec3 f,
                          double sign)
{
    if (body < 0)
        return;
    const tn_vec3 F = m3_tmulv(&sim->sys.T[body].R, v3_scale(sign / c->beta_prime, f));
    straight_stiffen(tn_alpha_of(sim)->stiffness + 6 * (size_t)body, F,
                     m3_tmulv(&sim->sys.T[body].R, r));
}

static void correct_multipliers(tn_sim *sim, const tn_alpha *c, int32_t j)
{
    const tn_switches *s = &sim->state.switches[j];
    const double *y = sim->sys.g + sim->sys.layout->y_offset[j];
    double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
    for (int32_t n = 0; n < s->active_count; n++)
        lambda[s->active[n]] -= c->beta_prime * y[n];
}

/* Kinematics and multipliers after the bodies have moved. For types whose rows are axes of G the wrench is kept in the
 * world. */
TN_INLINE void move_element(const tn_element_ops *ops, tn_sim *sim, int32_t j, tn_trial trial)
{
    const tn_joint_geometry *geometry = &sim->model->joints[j].geometry;
    const tn_joint_kinematics *kin = &sim->sys.kin[j];
    const tn_switches *s = &sim->state.switches[j];
    double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
    if (trial == TN_TRIAL_PREDICTED || s->compliant || !geometry->cls->axes) {
        ops->refresh(&sim->sys, &sim->state, j);
        return;
    }
    const tn_wrench kept = tn_joint_wrench(geometry, kin, s, lambda);
    ops->refresh(&sim->sys, &sim->state, j);
    tn_joint_take_wrench(geometry, kin, s, kept, lambda);
}

/* Stiffness of the wrench of joint k on its bodies. */
TN_INLINE void stiffen_joint(tn_sim *sim, const tn_alpha *c, int32_t k, tn_wrench w)
{
    const tn_model_joint *joint = &sim->model->joints[k];
    const tn_joint_kinematics *kin = &sim->sys.kin[k];
    add_stiffness(sim, c, joint->a, kin->r_A, w.f, 1.0);
    add_stiffness(sim, c, joint->b, kin->r_B, w.f, -1.0);
}

/* Adds the forces of an element to f, and their stiffness to the next matrix. */
TN_INLINE void apply_element(const tn_element_ops *ops, tn_sim *sim, const tn_alpha *c, int32_t j,
                             tn_trial trial)
{
    const tn_model *model = sim->model;
    const tn_switches *s = &sim->state.switches[j];
    const double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
    if (trial == TN_TRIAL_CORRECTED)
        correct_multipliers(sim, c, j);
    move_element(ops, sim, j, trial);
    for (int32_t p = model->through_start[j]; p < model->through_start[j + 1]; p++) {
        const tn_wrench w = ops->wrench(&sim->sys, &sim->state, j, p, lambda);
        tn_joint_add_wrench(&sim->sys, model->through[p], w, sim->sys.f);
        if (trial == TN_TRIAL_PREDICTED && !s->compliant)
            stiffen_joint(sim, c, model->through[p], w);
    }
    if (s->drive != TN_NO_DRIVE) {
        tn_drive_apply(&sim->sys, &sim->state, j, sim->state.u);
        tn_element_add_known(&sim->sys, &sim->state, j, sim->sys.f);
    }
}

/* Did a body start the step at rest? */
static int body_rests(const tn_sim *sim, const tn_alpha *c, int32_t i)
{
    if (i < 0)
        return 1;
    const tn_model_body *body = &sim->model->bodies[i];
    for (int32_t k = 0; k < body->dim; k++) {
        if (c->h * fabs(c->u_before[body->u + k]) > c->round_off)
            return 0;
    }
    return 1;
}

int tn_alpha_some_body_rests(const tn_sim *sim, const tn_alpha *c)
{
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        if (sim->model->bodies[i].dim > 0 && body_rests(sim, c, i))
            return 1;
    }
    return 0;
}

int tn_alpha_joint_rests(const tn_sim *sim, const tn_alpha *c, int32_t j)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    return body_rests(sim, c, joint->a) && body_rests(sim, c, joint->b);
}

/* Do the bodies of an element rest, and are its hard rows satisfied to round-off? */
static bool rests(const tn_sim *sim, const tn_alpha *c, int32_t j, const double *phi)
{
    const tn_switches *s = &sim->state.switches[j];
    for (int32_t n = 0; n < s->active_count; n++) {
        if (fabs(phi[n]) > c->round_off && s->compliance[s->active[n]] == 0.0)
            return false;
    }
    for (int32_t p = sim->model->through_start[j]; p < sim->model->through_start[j + 1]; p++) {
        if (!tn_alpha_joint_rests(sim, c, sim->model->through[p]))
            return false;
    }
    return true;
}

/* g of the rows of an element. Hard ones: -phi; at rest what their speeds require. Compliant ones:
 * phi + C (lambda + D phi'), divided by the scale of their row in the matrix. */
static void right_hand_side(tn_sim *sim, const tn_alpha *c, int32_t j, const double *phi, double *g)
{
    const tn_switches *s = &sim->state.switches[j];
    const double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
    const int still = c->some_rest && rests(sim, c, j, phi);
    double speeds[TN_MAX_ROWS];
    if (still || s->compliant) {
        tn_element_speeds(tn_element_ops_of(&sim->sys, j), &sim->sys, &sim->state, j, sim->state.u,
                          speeds);
    }
    for (int32_t n = 0; n < s->active_count; n++) {
        const int32_t row = s->active[n];
        const double C = s->compliance[row], D = s->damping[row];
        if (C > 0.0) {
            /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): compliant, so computed */
            g[n] = -(phi[n] + C * (lambda[row] + D * speeds[n])) / (1.0 + C * D * c->gamma_prime);
        } else {
            g[n] = still ? tn_alpha_led_row(c, phi[n], speeds[n]) : -phi[n];
        }
    }
}

/* Residuals of the rows evaluated so far. */
typedef struct tn_row_sizes {
    double largest, sum; /* residuals */
} tn_row_sizes;

/* Adds the stiffness of the forces of one kind of elements that are not packed. */
TN_INLINE void stiffen_kind(const tn_element_ops *ops, int32_t first, int32_t end, tn_sim *sim,
                            const tn_alpha *c)
{
    const tn_model *model = sim->model;
    for (int32_t j = first; j < end; j++) {
        const double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
        if (tn_alpha_of(sim)->plane->is_packed[j] || !tn_state_is_on(model, &sim->state, j) ||
            (!sim->state.plain[j] && sim->state.switches[j].compliant))
            continue;
        for (int32_t p = model->through_start[j]; p < model->through_start[j + 1]; p++) {
            stiffen_joint(sim, c, model->through[p],
                          ops->wrench(&sim->sys, &sim->state, j, p, lambda));
        }
    }
}

void tn_alpha_stiffen(tn_sim *sim, const tn_alpha *c, bool joints)
{
    if (joints) {
        clear_stiffness(sim);
        tn_plane_stiffen(sim, c);
        TN_BOTH_KINDS(stiffen_kind, sim->model, sim, c);
    }
    /* the forces themselves are computed again before they are read */
    tn_loads_add(sim, sim->state.u, true, sim->sys.f);
}

static inline void note_size(tn_row_sizes *sizes, double error)
{
    const double distance = fabs(error);
    sizes->sum += distance;
    sizes->largest = distance > sizes->largest ? distance : sizes->largest;
}

/* Evaluates the elements of one kind that are not packed. */
TN_INLINE void evaluate_kind(const tn_element_ops *ops, int32_t first, int32_t end, tn_sim *sim,
                             const tn_alpha *c, tn_trial trial, tn_row_sizes *sizes)
{
    const int8_t *is_packed = tn_alpha_of(sim)->plane->is_packed;
    for (int32_t j = first; j < end; j++) {
        const int64_t slot = sim->sys.layout->y_offset[j];
        double *phi = sim->sys.phi + slot, *g = sim->sys.g + slot;
        if (is_packed[j] || !tn_state_is_on(sim->model, &sim->state, j))
            continue;
        if (tn_alpha_straightens(sim, c, j)) {
            straight_evaluate(sim, c, j, trial);
            for (int n = 0; n < TN_STRAIGHT_ROWS; n++)
                note_size(sizes, g[n]);
            continue;
        }
        apply_element(ops, sim, c, j, trial);
        tn_element_errors(&sim->sys, &sim->state, j, phi);
        const int plain = sim->state.plain[j] && !c->some_rest;
        const int32_t count = tn_active_rows(sim->model, &sim->state, j).count;
        if (!plain)
            right_hand_side(sim, c, j, phi, g);
        for (int32_t n = 0; n < count; n++) {
            g[n] = plain ? -phi[n] : g[n];
            note_size(sizes, g[n]);
        }
    }
}

/* All elements; returns the largest residual of a row. */
static double evaluate_elements(tn_sim *sim, const tn_alpha *c, tn_trial trial)
{
    tn_row_sizes sizes = {0.0, 0.0};
    if (tn_alpha_of(sim)->plane->packed_count == sim->model->element_count)
        return 0.0;
    TN_BOTH_KINDS(evaluate_kind, sim->model, sim, c, trial, &sizes);
    return isfinite(sizes.sum) ? sizes.largest : NAN;
}

/* Right-hand side of the bodies; returns the largest distance. */
static double finish_bodies(tn_sim *sim, const tn_alpha *c)
{
    const int32_t n = sim->model->size.velocities;
    const double scale = 1.0 / c->beta_prime;
    const double *f = sim->sys.f, *inverse = sim->inverse_inertia;
    double *du = sim->sys.du;
    tn_sizes sizes = TN_NO_SIZES;
    int32_t k = 0;
    for (; k + 4 <= n; k += 4) {
        for (int pair = 0; pair < 2; pair++) {
            const int32_t at = k + 2 * pair;
            const tn_v2 d = scale * tn_v2_load(f + at);
            tn_sizes_note(&sizes, pair, tn_v2_abs(d) * tn_v2_load(inverse + at));
            tn_v2_store(du + at, d);
        }
    }
    for (; k < n; k++) {
        du[k] = scale * f[k];
        tn_sizes_note(&sizes, 0, (tn_v2){fabs(du[k]) * inverse[k]});
    }
    return tn_sizes_largest(&sizes);
}

tn_alpha_residual tn_alpha_evaluate(tn_sim *sim, const tn_alpha *c, tn_trial trial)
{
    sim->sys.lead = c->h;
    if (trial == TN_TRIAL_PREDICTED)
        tn_alpha_tree_begin(sim, c);
    if (tn_alpha_of(sim)->tree->on) {
        const tn_alpha_residual r = tn_alpha_tree_evaluate(sim, c, trial);
        if (tn_alpha_of(sim)->tree->on)
            return r;
    }
    if (trial == TN_TRIAL_CORRECTED) {
        correct_velocities(sim, c);
    } else {
        clear_stiffness(sim);
        tn_plane_begin(sim);
    }
    tn_plane_evaluate_bodies(sim, c);
    if (tn_alpha_of(sim)->plane->body_count < sim->model->body_count)
        evaluate_bodies(sim, c);
    const double pins = tn_plane_evaluate_pins(sim, c, trial);
    const double rows = evaluate_elements(sim, c, trial);
    tn_loads_add(sim, sim->state.u, trial == TN_TRIAL_PREDICTED, sim->sys.f);
    tn_armatures_add_forces(&sim->sys, &sim->state, sim->state.u, sim->state.udot, sim->sys.f);
    tn_clear_armatures(&sim->sys, sim->sys.g);
    const double bodies = finish_bodies(sim, c);
    if (isnan(pins) || isnan(rows) || isnan(bodies))
        return (tn_alpha_residual){NAN, NAN, NAN};
    const double all = fmax(pins, rows), led = c->index_2 ? tn_alpha_lead_by_speeds(sim, c) : all;
    return (tn_alpha_residual){fmax(fmax(all, led), bodies), fmax(led, bodies), fmax(all, led)};
}
