/* alpha_start.c: room method/alpha: accelerations of a start, and a start in balance.
 *
 * In: consistent pose and velocity. Out: udot, lambda, acc and the rates that the method would have after a long run
 * (balanced). They depend on the length of the step and on the formulation: when one of these changes, the method
 * restarts. Otherwise the multipliers have an error of order h, which the method's triple root rho amplifies ten times
 * before it decays.
 */
#include <math.h>
#include <string.h>

#include "method/alpha/alpha.h"
#include "method/alpha/alpha_tree.h"
#include "law/drives/drives.h"
#include "motion/kinematics.h"
#include "law/impact/impact.h"
#include "law/limits/limits.h"
#include "motion/closing/purge.h"
#include "motion/closing/project.h"
#include "motion/tree/tree.h"

/* Step lengths this close, relative, count as equal: the error is this share of the first order. */
#define TN_SAME_STEP 1e-6

tn_alpha tn_alpha_scheme(double rho, double h)
{
    tn_alpha c = {0};
    c.h = h;
    c.am = (2.0 * rho - 1.0) / (rho + 1.0);
    c.af = rho / (rho + 1.0);
    c.gamma = 0.5 + c.af - c.am;
    c.beta = 0.25 * (c.gamma + 0.5) * (c.gamma + 0.5);
    c.gamma_prime = c.gamma / (c.beta * h);
    c.beta_prime = (1.0 - c.am) / (c.beta * h * h * (1.0 - c.af));
    return c;
}

static bool is_index_2(const tn_sim *sim)
{
    return sim->options.formulation == TN_STABILIZED_INDEX_2 && !tn_gap_is_on(&sim->state);
}

tn_alpha tn_alpha_coefficients(const tn_sim *sim, double h)
{
    tn_alpha c = tn_alpha_scheme(sim->options.spectral_radius, h);
    c.index_2 = is_index_2(sim);
    return c;
}

/* Size of packed accelerations in the kinetic metric: root of the sum of inertia times square. */
static double acceleration_norm(const tn_model *model, const double *a)
{
    double sum = 0.0;
    for (int32_t i = 0; i < model->body_count; i++) {
        const tn_model_body *body = &model->bodies[i];
        for (int32_t k = 0; k < body->dim; k++) {
            if (body->inverse_inertia[k] > 0.0)
                sum += a[body->u + k] * a[body->u + k] / body->inverse_inertia[k];
        }
    }
    return sqrt(sum);
}

/* Accuracy of the forces at a start, sqrt(J) / s, from the size of udot in the kinetic metric. 0, that is to
 * round-off, where the factor is exact and needs no refinement, or where udot is zero. */
static double least_force(const tn_sim *sim)
{
    return tn_factor_is_exact(sim) ? 0.0 : TN_FORCES_KNOWN * tn_acceleration_size(sim);
}

/* udot and lambda of a guess, starting from those of the start: by the factor of the start where that is near
 * enough, else by a new one. The accuracy is that of forces: the start only uses the difference, h times a rate,
 * divided by h and later multiplied by h again. */
static tn_status solve_ahead(tn_sim *sim, tn_step_report *report)
{
    bool *at_hand = &tn_alpha_of(sim)->start_is_factored;
    const double enough = least_force(sim);
    *at_hand = *at_hand && tn_solve_acceleration_nearby(sim, enough, 1.0, report);
    return *at_hand ? TN_OK : tn_solve_acceleration_to(sim, enough, 1.0, report);
}

/* Replaces the state, which is the start, by a guess of the state h seconds later, with its accelerations and
 * multipliers. `rates`: the guess extrapolates by the start's udot_rate, else with constant udot. */
static tn_status guess_ahead(tn_sim *sim, double h, int rates, tn_step_report *report)
{
    tn_alpha_work *w = tn_alpha_of(sim);
    tn_state *s = &sim->state;
    const double *udot_rate = tn_alpha_remembers(sim->model, &w->start).udot_rate;
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        const double rate = rates ? udot_rate[k] : 0.0;
        w->dq[k] = s->u[k] + 0.5 * h * (s->udot[k] + h * rate / 3.0);
        s->u[k] += h * (s->udot[k] + 0.5 * h * rate);
    }
    tn_move_bodies(sim->model, w->start.x, w->start.q, w->dq, h, s->x, s->q);
    tn_drives_move(sim, h);
    sim->sys.lead = h;
    sim->stage_time = sim->now + h;
    tn_refresh_kinematics(sim);
    return solve_ahead(sim, report);
}

/* Does a guess with this change of the accelerations reproduce the change? With stiff forces it does not; a
 * prescribed sine, which starts with zero acceleration, does. */
static int change_is_found_again(tn_sim *sim, double h, double change, tn_step_report *report)
{
    const tn_alpha_work *w = tn_alpha_of(sim);
    const double *udot_rate = tn_alpha_remembers(sim->model, &w->start).udot_rate;
    tn_state_copy(&sim->state, &w->start);
    if (guess_ahead(sim, h, 1, report) != TN_OK)
        return 0;
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        w->dq[k] = sim->state.udot[k] - w->start.udot[k] - h * udot_rate[k];
    return acceleration_norm(sim->model, w->dq) <= TN_RESOLVED_CHANGE * change;
}

/* lambda_rate from the multipliers a step ahead, at a pose that violates its constraints. Redundant rows contradict
 * each other there: the null-space component that results is no reaction and is removed. */
static void settle_lambda_rate(tn_sim *sim, double h, const tn_alpha_memory *rates,
                               tn_step_report *report)
{
    const size_t n = TN_MAX_ROWS * (size_t)sim->model->element_count;
    const double *lambda = tn_alpha_of(sim)->start.lambda;
    const int repeat = tn_rows_repeat(sim, report);
    const int regular = !repeat || tn_purge_multipliers(sim, false, report) == TN_ROWS_REPEAT;
    for (size_t k = 0; k < n; k++)
        rates->lambda_rate[k] = regular ? (sim->state.lambda[k] - lambda[k]) / h : 0.0;
}

/* Exchanges the kinematics of the start with spare arrays for those of a guess, if the model has such (alpha_tree.h). A
 * second call exchanges them back. */
static bool put_kinematics_aside(tn_sim *sim)
{
    tn_alpha_tree *tree = tn_alpha_of(sim)->tree;
    const tn_alpha_aside kept = {sim->sys.T, sim->sys.kin};
    if (!tree->aside.kin)
        return false;
    sim->sys.T = tree->aside.T;
    sim->sys.kin = tree->aside.kin;
    tree->aside = kept;
    return true;
}

/* udot_rate and lambda_rate from the accelerations and multipliers a step ahead; 0 where the step does not resolve them
 * (stiff rows that are not in balance). The rest of the state is unchanged. */
static tn_status estimate_rates(tn_sim *sim, double h, tn_step_report *report)
{
    tn_alpha_work *w = tn_alpha_of(sim);
    tn_state *s = &sim->state;
    const tn_model *model = sim->model;
    const int32_t n = model->size.velocities;
    const tn_alpha_memory mine = tn_alpha_remembers(model, s);
    const tn_alpha_memory rates = tn_alpha_remembers(model, &w->start);
    tn_state_copy(&w->start, s);
    const bool aside = put_kinematics_aside(sim);
    const tn_status status = guess_ahead(sim, h, 0, report);
    for (int32_t k = 0; k < n; k++)
        rates.udot_rate[k] = (s->udot[k] - w->start.udot[k]) / h;
    settle_lambda_rate(sim, h, &rates, report);
    const double rate = h * acceleration_norm(model, rates.udot_rate);
    const double size = acceleration_norm(model, w->start.udot);
    const int resolved = status == TN_OK && (rate <= TN_RESOLVED_CHANGE * size ||
                                             change_is_found_again(sim, h, rate, report));
    tn_state_copy(s, &w->start);
    if (!resolved) {
        memset(mine.udot_rate, 0, sizeof(double) * (size_t)n);
        memset(mine.lambda_rate, 0, sizeof(double) * TN_MAX_ROWS * (size_t)model->element_count);
    }
    w->rates_are_known = resolved;
    sim->sys.lead = 0.0;
    sim->stage_time = sim->now;
    if (aside)
        put_kinematics_aside(sim);
    else
        tn_refresh_kinematics(sim);
    return TN_OK;
}

/* The increment of a step has an error h^3 defect: with am - af = s,
 *     defect = (1/6 - s/2 - beta) udot' + w x w' / 12 (rotations; fourth-order Magnus term). */
static void step_defect(const tn_sim *sim, const tn_alpha *c, double *defect)
{
    const tn_state *s = &sim->state;
    const double *udot_rate = tn_alpha_remembers(sim->model, s).udot_rate;
    const double share = tn_alpha_defect_share(c);
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        defect[k] = share * udot_rate[k];
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        if (body->dim != 6)
            continue;
        double *d = defect + body->u + 3;
        const tn_vec3 turn = v3_cross(v3_load(s->u + body->u + 3), v3_load(s->udot + body->u + 3));
        v3_store(d, v3_axpy(v3_load(d), 1.0 / 12.0, turn));
    }
}

/* Is the state that of an event within a step, in a tree, where everything that moves moves smoothly? */
static bool is_within(const tn_sim *sim)
{
    return sim->event_time > sim->state.head->time && tn_body_tree_serves(sim);
}

/* Sets the values that the method would have after a long run (Arnold, Bruels, Cardona 2015): a is udot at
 * t + (am - af) h, and the velocity violates the constraints by G u = h^2 G defect, which keeps the pose on them.
 * Otherwise the first multipliers have an error of first order. With the index-2 formulation the closing increment
 * keeps the pose on the constraints, and the velocity satisfies them. */
static void take_balance(tn_sim *sim, const tn_alpha *c)
{
    const double *off = tn_alpha_of(sim)->off;
    tn_state *s = &sim->state;
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, s);
    const double h2 = c->h * c->h;
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        s->u[k] += c->index_2 ? 0.0 : h2 * off[k];
        m.closing[k] = c->index_2 ? h2 * off[k] : off[k];
        m.acc[k] = s->udot[k] + (c->am - c->af) * c->h * m.udot_rate[k];
    }
    const bool known = is_within(sim) && tn_alpha_of(sim)->rates_are_known && !c->index_2;
    *m.balance =
        (tn_alpha_balance){.step = c->h, .is_apart = c->index_2, .parts = known ? 0.0 : 2.0};
}

/* Least length of a sub-step, as a share of the next one, after which the memory is reused: the iteration error of
 * its poses, divided by its length, would otherwise be an error of the speeds. */
#define TN_KNOWN_SHARE 0.1

/* Has one sub-step been taken since the start, so that the start's rates and `off` are still valid to the order of its
 * length? */
static bool knows_start(const tn_alpha_balance *balance, const tn_alpha *c)
{
    return balance->parts == 1.0 && !c->index_2 && !(balance->is_apart > 0.0) &&
           balance->step >= TN_KNOWN_SHARE * c->h;
}

/* From the balance of one step length to that of the next: a and u change by the difference of their terms in h. */
static void retake_balance(tn_sim *sim, const tn_alpha *c)
{
    tn_state *s = &sim->state;
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, s);
    const double last = m.balance->step, longer = c->h * c->h - last * last;
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        s->u[k] += longer * m.closing[k];
        m.acc[k] += (c->am - c->af) * (c->h - last) * m.udot_rate[k];
    }
    *m.balance = (tn_alpha_balance){.step = c->h, .parts = 2.0};
}

/* off = defect less its projection onto the rows, with the accuracy of the forces of a step. */
static tn_status find_off(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    tn_alpha_work *w = tn_alpha_of(sim);
    tn_state *s = &sim->state;
    const int32_t n = sim->model->size.velocities;
    const double *before = tn_alpha_remembers(sim->model, s).acc; /* scratch until acc is set */
    step_defect(sim, c, w->off);
    memcpy(tn_alpha_remembers(sim->model, s).acc, s->u, sizeof(double) * (size_t)n);
    for (int32_t k = 0; k < n; k++)
        s->u[k] -= c->h * c->h * w->off[k];
    const tn_status status =
        tn_project_velocity_to(sim, c->h * least_force(sim), w->start_is_factored, report);
    for (int32_t k = 0; k < n; k++) {
        w->off[k] += (s->u[k] - before[k]) / (c->h * c->h);
        s->u[k] = before[k];
    }
    return status;
}

/* Rates and `off` at a consistent pose, velocity and acceleration. at_hand: the factor is that of the start, if it has
 * one. */
static tn_status foresee(tn_sim *sim, const tn_alpha *c, bool at_hand, tn_step_report *report)
{
    tn_alpha_of(sim)->start_is_factored =
        at_hand && !tn_factor_is_exact(sim) && !tn_rows_repeat(sim, report);
    const tn_status status = estimate_rates(sim, c->h, report);
    return status == TN_OK ? find_off(sim, c, report) : status;
}

/* Projects the motion, then computes rates and `off` for steps of about h seconds. */
static tn_status prepare(tn_sim *sim, double h, tn_step_report *report)
{
    const tn_alpha c = tn_alpha_coefficients(sim, h);
    tn_refresh_kinematics(sim);
    const tn_status status = tn_project_motion(sim, report);
    return status == TN_OK ? foresee(sim, &c, true, report) : status;
}

tn_status tn_alpha_prepare(tn_sim *sim, double h, tn_step_report *report)
{
    const tn_status status = prepare(sim, h, report);
    tn_alpha_balance *balance = tn_alpha_remembers(sim->model, &sim->state).balance;
    balance->is_ready = 1.0;
    balance->ready_at = sim->now;
    return status;
}

bool tn_alpha_keeps_balance(const tn_sim *sim, double h, bool index_2)
{
    const tn_alpha_balance *balance = tn_alpha_remembers(sim->model, &sim->state).balance;
    return fabs(h - balance->step) <= TN_SAME_STEP * h && index_2 == (balance->is_apart > 0.0);
}

static bool is_ready(const tn_sim *sim, const tn_alpha_balance *balance)
{
    return balance->is_ready > 0.0 && balance->ready_at == sim->now;
}

bool tn_alpha_is_to_prepare(const tn_sim *sim, double h)
{
    const tn_alpha c = tn_alpha_coefficients(sim, h);
    const tn_alpha_balance *balance = tn_alpha_remembers(sim->model, &sim->state).balance;
    return !tn_alpha_keeps_balance(sim, h, c.index_2) && !knows_start(balance, &c) &&
           !is_ready(sim, balance) && !is_within(sim);
}

tn_status tn_alpha_change_step(tn_sim *sim, double h, tn_step_report *report)
{
    if (tn_alpha_keeps_balance(sim, h, is_index_2(sim)))
        return TN_OK;
    const tn_alpha c = tn_alpha_coefficients(sim, h);
    const tn_alpha_balance *balance = tn_alpha_remembers(sim->model, &sim->state).balance;
    sim->from = NULL;
    if (knows_start(balance, &c)) {
        retake_balance(sim, &c);
        return TN_OK;
    }
    tn_status status = TN_OK;
    if (is_ready(sim, balance)) {
        tn_refresh_kinematics(sim);
    } else {
        status = prepare(sim, h, report);
    }
    if (status == TN_OK)
        take_balance(sim, &c);
    return status;
}

/* Accelerations at limits; *same: the rows are all those of before. */
static tn_status accelerations_at_limits(tn_sim *sim, bool *same, tn_step_report *report)
{
    const int32_t held = tn_limits_held(sim);
    const tn_status status = tn_impact_accelerate(sim, report);
    *same = tn_limits_held(sim) == held && sim->state.head->drive_count == 0;
    return status;
}

tn_status tn_alpha_start(tn_sim *sim, double h, tn_step_report *report)
{
    const tn_alpha c = tn_alpha_coefficients(sim, h);
    bool at_hand = true;
    const bool limited = sim->state.head->limited > 0;
    tn_status status = limited ? accelerations_at_limits(sim, &at_hand, report)
                               : tn_solve_acceleration(sim, report);
    if (status == TN_OK)
        status = foresee(sim, &c, at_hand, report);
    if (status == TN_OK)
        take_balance(sim, &c);
    return status;
}
