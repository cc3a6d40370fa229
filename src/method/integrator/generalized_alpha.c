/* generalized_alpha.c: room method/integrator: the Lie group generalized-alpha method, index 3.
 *
 * Bruels & Cardona 2010; Bruels, Cardona & Arnold 2012: the Lie group method. With rho the
 * spectral radius at infinite frequency,
 *     am = (2 rho - 1)/(rho + 1),  af = rho/(rho + 1),  gamma = 1/2 + af - am,
 *     beta = (gamma + 1/2)^2 / 4,
 *     dq = u + h (1/2 - beta) a + h beta a+,     u+ = u + h (1 - gamma) a + h gamma a+,
 *     (1 - am) a+ + am a = (1 - af) udot+ + af udot,     q+ = q o exp(h dq),
 * and at the end of the step M udot+ = f + G^T lambda, phi(q+) = 0. Constraint forces and constraints are evaluated
 * at the same pose, which is why singular configurations (change points) can be passed.
 *
 * Newton's method on d = h dq: u+ changes by gamma' d, udot+ by beta' d, with gamma' = gamma/(beta h),
 * beta' = (1 - am)/(beta h^2 (1 - af)). Divided by beta' the matrix is
 *     [ M + (gamma'/beta') D + S,  -G^T ; G,  R ],   unknowns d and dlambda / beta',
 * S the stiffness of the joint forces (alpha_residual.c), without which the iteration converges slowly on a taut
 * chain; it cannot change the result. The matrix is built and factorized at the predicted pose, and again where that
 * factor proves stale (alpha_newton.c). A compliant row is phi + C (lambda + D phi') = 0. Hard rows of loops have
 * E = TN_EPSILON A in the factor only, so that it exists with any redundant rows; the iteration, whose residual has
 * no E, is then both the proximal method of docs/explanation/constraint_solver.md and Newton's method. Null-space
 * components of the multipliers due to round-off are removed after each step (purge.c).
 *
 * In: the functions of the rooms above. Out: one row of the table of integrators, a tn_method.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "method/hinges/alpha_hinges.h"
#include "method/alpha/alpha_plane.h"
#include "method/alpha/alpha_tree.h"
#include "method/alpha/hinge_terms.h"
#include "method/linkage/linkage.h"
#include "method/pinned/pinned.h"
#include "method/space/space.h"
#include "law/drives/drives.h"
#include "motion/kinematics.h"
#include "method/method.h"
#include "math/lanes.h"
#include "motion/closing/purge.h"
#include "motion/closing/gap.h"
#include "motion/closing/close_fold.h"

static size_t velocity_bytes(const tn_sim *sim)
{
    return sizeof(double) * (size_t)sim->model->size.velocities;
}

/* The prediction, in which udot and lambda continue to change as they did. acc becomes the part of a+ that is constant
 * within the step: a+ = acc + (1 - af)/(1 - am) udot+. */
static void predict(tn_sim *sim, const tn_alpha *c)
{
    tn_alpha_work *w = tn_alpha_of(sim);
    tn_state *s = &sim->state;
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, s);
    double *restrict udot = s->udot, *restrict acc = m.acc, *restrict u = s->u;
    double *restrict dq = w->dq, *restrict lambda = s->lambda;
    const double *restrict udot_rate = m.udot_rate, *restrict lambda_rate = m.lambda_rate;
    const double h = c->h, af = c->af, am = c->am, rest = 1.0 / (1.0 - am),
                 keep = (1.0 - af) * rest;
    const double x_old = h * (0.5 - c->beta), x_new = h * c->beta;
    const double u_old = h * (1.0 - c->gamma), u_new = h * c->gamma;
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        const double a = acc[k], before = u[k], next = udot[k] + h * udot_rate[k];
        const double base = (af * udot[k] - am * a) * rest, a_next = base + keep * next;
        udot[k] = next;
        dq[k] = before + (x_old * a + x_new * a_next);
        u[k] = before + (u_old * a + u_new * a_next);
        acc[k] = base;
    }
    for (int32_t k = 0; k < sim->model->size.velocities && c->index_2; k++)
        dq[k] += m.closing[k];
    for (size_t k = 0; k < TN_MAX_ROWS * (size_t)sim->model->element_count; k++)
        lambda[k] += h * lambda_rate[k];
    w->closing_is_guess = c->index_2;
}

TN_INLINE void rates_of(const double *restrict now, const double *restrict before, double by_h,
                        size_t count, double *restrict rates)
{
    for (size_t k = 0; k < count; k++)
        rates[k] = by_h * (now[k] - before[k]);
}

TN_WIDE static void put_rates_wide(const double *now, const double *before, double by_h,
                                   size_t count, double *rates)
{
    rates_of(now, before, by_h, count, rates);
}

static void put_rates(const double *now, const double *before, double by_h, size_t count,
                      double *rates)
{
    if (TN_WIDE_COPIES && tn_wide_lanes()) {
        put_rates_wide(now, before, by_h, count, rates);
    } else {
        rates_of(now, before, by_h, count, rates);
    }
}

/* The rates of udot and lambda over the step, for the next prediction. */
static void keep_rates(tn_sim *sim, const tn_alpha *c)
{
    const tn_state *s = &sim->state, *start = tn_alpha_of(sim)->from;
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, s);
    const size_t speeds = (size_t)sim->model->size.velocities,
                 rows = TN_MAX_ROWS * (size_t)sim->model->element_count;
    put_rates(s->udot, start->udot, 1.0 / c->h, speeds, m.udot_rate);
    put_rates(s->lambda, start->lambda, 1.0 / c->h, rows, m.lambda_rate);
}

static void count_part(const tn_sim *sim)
{
    tn_alpha_balance *balance = tn_alpha_remembers(sim->model, &sim->state).balance;
    balance->parts = fmin(balance->parts + 1.0, 2.0);
}

/* a+ from the new udot+, and the rates; after a start its own rates are kept for the step that follows. */
static void finish(tn_sim *sim, const tn_alpha *c)
{
    const tn_state *s = &sim->state;
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, s);
    const double *restrict udot = s->udot;
    double *restrict acc = m.acc;
    const double keep = (1.0 - c->af) / (1.0 - c->am);
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        acc[k] += keep * udot[k];
    if (tn_alpha_has_rates(sim))
        keep_rates(sim, c);
    count_part(sim);
    if (c->index_2)
        tn_alpha_keep_closing(sim, c);
}

static void copy_start(const tn_sim *sim, tn_state *to, const tn_state *from)
{
    tn_state_copy_motion(to, from);
    memcpy(to->u, from->u, velocity_bytes(sim));
    memcpy(tn_alpha_remembers(sim->model, to).acc, tn_alpha_remembers(sim->model, from).acc,
           velocity_bytes(sim));
}

/* The start of the step is stored already if nothing has moved since. */
static void keep_start(tn_sim *sim, tn_alpha *c)
{
    tn_alpha_work *w = tn_alpha_of(sim);
    TN_ASSERT(!sim->from || memcmp(sim->from->x, sim->state.x, sim->state.motion) == 0);
    TN_ASSERT(!sim->from || memcmp(sim->from->u, sim->state.u, velocity_bytes(sim)) == 0);
    w->from = sim->from ? sim->from : &w->start;
    if (!sim->from)
        copy_start(sim, &w->start, &sim->state);
    c->u_before = w->from->u;
}

/* The step from its start, which is the state. */
static tn_status attempt(tn_sim *sim, const tn_alpha *c, tn_alpha_solver solver,
                         tn_step_report *report)
{
    tn_gap_clear(sim);
    predict(sim, c);
    return tn_alpha_iterate(sim, c, solver, report);
}

/* At a singular configuration itself some motion is undetermined: is it larger than a shorter step would leave? */
static bool leaves_branch(const tn_sim *sim, const tn_alpha *c)
{
    const tn_alpha_work *w = tn_alpha_of(sim);
    const tn_state *s = &sim->state;
    const double *udot_rate = tn_alpha_remembers(sim->model, s).udot_rate;
    double largest = 0.0;
    if (sim->last_resort || tn_gap_is_on(s) || sim->out_of_reach < TN_OUT_OF_REACH)
        return false;
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        largest = fmax(largest, fabs(s->udot[k] - w->from->udot[k] - c->h * udot_rate[k]));
    return largest / c->beta_prime > TN_FREE_MOTION;
}

/* Minimum-norm multipliers, and the verdict on the rows. If the factor, which is that of the predicted pose, does not
 * decide, that of the final pose does. */
static tn_status judge_rows(tn_sim *sim, const tn_alpha *c, tn_rows_verdict *verdict,
                            tn_step_report *report)
{
    tn_status status = TN_OK;
    *verdict = tn_purge_multipliers(sim, false, report);
    while (*verdict == TN_ROWS_UNTOLD && status == TN_OK) {
        status = tn_alpha_factor(sim, c, report);
        if (status == TN_OK)
            *verdict = tn_purge_multipliers(sim, true, report);
    }
    return status;
}

/* Near a singular configuration: refined solves, until round-off limits them. If plain solves have failed they begin at
 * the step's start. */
static tn_status refine(tn_sim *sim, const tn_alpha *c, tn_status before, tn_step_report *report)
{
    tn_status status = TN_OK;
    sim->out_of_reach = 0.0;
    if (before == TN_OK) {
        status = tn_alpha_iterate(sim, c, TN_ALPHA_REFINED, report);
    } else {
        copy_start(sim, &sim->state, tn_alpha_of(sim)->from);
        status = attempt(sim, c, TN_ALPHA_REFINED, report);
    }
    if (status == TN_OK && leaves_branch(sim, c))
        return TN_ERROR_NOT_CONVERGED;
    if (status == TN_OK)
        tn_purge_multipliers(sim, true, report);
    return status;
}

/* After plain solves with redundant rows, which ended with status: near singular configurations refined solves follow,
 * *refined. Removes null-space components from the multipliers. */
static tn_status pass_fold(tn_sim *sim, const tn_alpha *c, tn_status status, bool *refined,
                           tn_step_report *report)
{
    tn_rows_verdict verdict = TN_ROWS_UNTOLD;
    if (status == TN_OK)
        status = judge_rows(sim, c, &verdict, report);
    if (verdict == TN_ROWS_REPEAT || tn_gap_is_on(&sim->state))
        return status;
    *refined = true;
    return refine(sim, c, status, report);
}

static tn_status solve(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    tn_status status = attempt(sim, c, TN_ALPHA_PLAIN, report);
    const int repeat = tn_rows_repeat(sim, report);
    bool refined = false;
    if (repeat && (status == TN_OK || status == TN_ERROR_NOT_CONVERGED))
        status = pass_fold(sim, c, status, &refined, report);
    if (status != TN_OK || isinf(sim->options.force_tolerance))
        return status;
    status = tn_alpha_iterate(sim, c, TN_ALPHA_TIGHT, report);
    if (refined && status == TN_ERROR_NOT_CONVERGED) /* this iteration solves plainly */
        return refine(sim, c, status, report);
    if (repeat && status == TN_OK)
        tn_purge_tightly(sim, 0.5 * sim->options.force_tolerance, report);
    return status;
}

/* Tries special iterations that take a whole step: planar bodies on pins on which nothing acts; planar linkages, or
 * other bodies and joints in space, on which nothing else acts; trees in coordinates of joints. */
static bool finished(tn_sim *sim, tn_alpha *c, tn_pinned_end *end, tn_step_report *report)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    *end = TN_PINNED_ELSEWHERE;
    if (tn_pinned_serves(sim)) {
        sim->reactions_balance = false;
        c->some_rest = !c->index_2 && tn_alpha_some_body_rests(sim, c);
        *end = tn_pinned_step(sim, c, report);
        return *end == TN_PINNED_DONE;
    }
    if ((!hinges || hinges->loops) &&
        (tn_space_step(sim, c, report) || tn_linkage_step(sim, c, report)))
        return true;
    sim->reactions_balance = tn_alpha_hinges_step(sim, c, report);
    if (sim->reactions_balance)
        return true;
    c->some_rest = !c->index_2 && tn_alpha_some_body_rests(sim, c);
    return false;
}

static bool holds_hard(const tn_sim *sim, int32_t j)
{
    for (int32_t n = 0; n < sim->state.switches[j].active_count; n++) {
        if (tn_active_compliance(&sim->state, j, n) <= 0.0)
            return true;
    }
    return false;
}

/* Do loops close only through compliant joints? */
static bool are_regular(const tn_sim *sim)
{
    const tn_model *model = sim->model;
    bool some = false;
    if (model->loop_joints == 0 || model->coupling_count > 0 || model->stand_ins)
        return false;
    for (int32_t j = 0; j < model->joint_count; j++) {
        if (!model->joints[j].in_loop)
            continue;
        const bool hard = holds_hard(sim, j);
        if (hard && model->joints[j].hard_outer < 0)
            return false;
        some |= !hard;
    }
    return some;
}

static tn_status solve_generally(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    sim->sys.regular_rows = are_regular(sim);
    const tn_status status = solve(sim, c, report);
    sim->sys.regular_rows = false;
    return status;
}

static tn_status step(tn_sim *sim, double h, tn_step_report *report)
{
    tn_alpha c = tn_alpha_coefficients(sim, h);
    c.round_off = TN_ROUND_OFF * tn_largest_coordinate(sim);
    keep_start(sim, &c);
    c.needs_reactions = tn_drives_need_reactions(sim);
    tn_pinned_end end;
    if (finished(sim, &c, &end, report)) {
        count_part(sim);
        if (!sim->told.errors)
            tn_measure_errors(sim, sim->sys.phi, report);
        return TN_OK;
    }
    tn_state_copy_start(sim->crew, &sim->state, &sim->backup);
    const tn_status status =
        end == TN_PINNED_FAR ? TN_ERROR_NOT_CONVERGED : solve_generally(sim, &c, report);
    if (!sim->told.errors)
        tn_measure_errors(sim, sim->sys.phi, report);
    if (status != TN_OK) {
        report->culprit_joint = report->worst_joint;
        return status;
    }
    finish(sim, &c);
    tn_alpha_hinges_follow(sim);
    return TN_OK;
}

static bool shares_start(const tn_sim *sim, double h)
{
    const bool by_hinges = sim->reactions_balance && tn_alpha_hinges_go_on(sim, h);
    return by_hinges || tn_pinned_goes_on(sim, h) || tn_space_goes_on(sim, h) ||
           tn_linkage_goes_on(sim, h);
}

static tn_status change_step(tn_sim *sim, double h, tn_step_report *report)
{
    tn_pinned_prepare(sim, h, report);
    return tn_alpha_change_step(sim, h, report);
}

static tn_status create(tn_sim *sim)
{
    const tn_model *model = sim->model;
    const int64_t bodies = model->body_count, n = model->size.velocities;
    const int64_t rows = sim->sys.layout->y_size;
    tn_alpha_work *w = sim->work = TN_NEW(tn_alpha_work);
    if (!w)
        return TN_ERROR_MEMORY;
    double *at = TN_ARENA_ARRAY(&sim->seldom, double, 8 * bodies + 3 * n + 2 * rows);
    if (!at)
        return TN_ERROR_MEMORY;
    w->dq = at;
    w->taken = at += n;
    w->off = at += n;
    w->stiffness = at += n;
    w->force_scale = at += 6 * bodies;
    w->speeds = at += 2 * bodies;
    w->rest = at + rows;
    w->straight = TN_NEW_ARRAY(int8_t, model->element_count);
    if (!w->straight)
        return TN_ERROR_MEMORY;
    for (int32_t j = 0; j < model->joint_count; j++)
        w->straight[j] = (int8_t)tn_is_straight(model, j);
    const tn_status status = tn_state_create(model, sim->state.memory_size, &w->start);
    if (status != TN_OK)
        return status;
    const tn_status planar = tn_plane_create(model, &w->plane);
    const tn_status tree = planar == TN_OK ? tn_alpha_tree_create(model, &w->tree) : planar;
    const tn_status hinges =
        tree == TN_OK ? tn_alpha_hinges_create(sim, w->tree, &w->hinges) : tree;
    const tn_status pinned = hinges == TN_OK ? tn_pinned_create(model, &w->pinned) : hinges;
    const tn_status linkage = pinned == TN_OK ? tn_linkage_create(model, &w->linkage) : pinned;
    return linkage == TN_OK && !w->linkage ? tn_space_create(model, &w->space) : linkage;
}

static void destroy(tn_sim *sim)
{
    tn_alpha_work *w = sim->work;
    if (!w)
        return;
    tn_plane_destroy(w->plane);
    tn_alpha_tree_destroy(w->tree);
    tn_alpha_hinges_destroy(w->hinges);
    tn_pinned_destroy(w->pinned);
    tn_linkage_destroy(w->linkage);
    tn_space_destroy(w->space);
    tn_state_destroy(&w->start);
    tn_free(w->straight);
    tn_free(w);
}

static size_t memory_size(const tn_model *model)
{
    const size_t numbers = 3 * (size_t)model->size.velocities +
                           TN_MAX_ROWS * (size_t)model->element_count +
                           tn_alpha_hinges_memory(model);
    return sizeof(tn_alpha_balance) + sizeof(double) * numbers;
}

const tn_method tn_method_generalized_alpha = {
    .traits = {.accelerations = 1, .closes_joints = 1, .formulations = 1},
    .restores_momenta = true,
    .fallback = &tn_method_backward_euler,
    .memory_size = memory_size,
    .create = create,
    .destroy = destroy,
    .start = tn_alpha_start,
    .change_step = change_step,
    .prepare = tn_alpha_prepare,
    .step = step,
    .shares_start = shares_start,
};
