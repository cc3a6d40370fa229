/* pinned_start.c: room method/pinned: a balanced start of a tree of planar bodies (alpha_start.c): velocity and
 * accelerations that satisfy the pins, their rates, and the defect of the method. See pinned.h.
 *
 * The same systems as those of the general start, with the mass matrix, each solved in two passes:
 *     velocity: e = G u;   accelerations: f = m g, e = (dG/dt) u.
 * Rates come from the accelerations at a guess of the state a step ahead.
 */
#include <math.h>
#include <string.h>

#include "method/alpha/alpha_tree.h"
#include "method/pinned/pinned_solve.h"

/* Poses of links after `way` times the last solution, m and rad; arms to the origin of D, as the rows have them. */
static void pose_link(const tn_sim *sim, const tn_pinned *pinned, int32_t n, tn_v2 way, double turn)
{
    tn_pinned_place *place = &pinned->places[n];
    tn_pinned_link *k = &pinned->links[n];
    const tn_vec3 x = sim->state.x[place->body];
    const tn_quat q = sim->state.q[place->body];
    k->x_drift = (tn_v2){x.x, x.y};
    k->half_before = (tn_v2){q.w, q.z};
    k->drift = 0.0;
    k->lag = way;
    k->lag_turn = turn;
    pinned_turn(k);
    pinned_open(k->inner < 0 ? NULL : &pinned->links[k->inner], k);
    place->gap = place->sign * k->error;
    if (place->sign > 0.0) {
        k->arm -= k->error;
    } else {
        k->base += k->error;
    }
    k->about_pin = pinned_about(k, k->arm);
}

static void pose_links(const tn_sim *sim, const tn_pinned *pinned)
{
    for (int32_t n = 0; n < pinned->count; n++)
        pose_link(sim, pinned, n, (tn_v2){0.0, 0.0}, 0.0);
}

/* ---- solutions ---- */

/* Solves for f, n and error; the solution is in lag, lag_turn and force. */
static bool solve_links(tn_pinned *pinned, tn_step_report *report)
{
    tn_pinned_shift shift = {{0.0, 0.0}, 0.0};
    for (int32_t n = 0; n < pinned->count; n++) {
        tn_pinned_link *k = &pinned->links[n];
        k->lag = k->force = (tn_v2){0.0, 0.0};
        k->lag_turn = 0.0;
    }
    report->solves++;
    if (!pinned_eliminate(pinned))
        return false;
    for (int32_t n = 0; n < pinned->count; n++) {
        tn_pinned_link *k = &pinned->links[n];
        pinned_reach(n, pinned_inner(pinned, k), &shift, k);
    }
    return true;
}

/* Velocity of a point of a body at an arm; ground rests. */
static tn_v2 velocity_at(const tn_pinned_place *place, tn_v2 arm, const double *u)
{
    return tn_v2_load(u + place->u) + u[place->u + 2] * p2_across(arm);
}

/* Right-hand side: the speeds at which velocities open the pins. */
static bool solve_speeds(tn_pinned *pinned, const double *u, tn_step_report *report)
{
    for (int32_t n = 0; n < pinned->count; n++) {
        tn_pinned_link *k = &pinned->links[n];
        k->f = k->n = k->error = (tn_v2){0.0, 0.0};
        if (!k->floats)
            k->error = velocity_at(&pinned->places[n], k->arm, u);
        if (k->inner >= 0)
            k->error -= velocity_at(&pinned->places[k->inner], k->base, u);
    }
    return solve_links(pinned, report);
}

/* A body at its pin: velocity, angular velocity, and the arm to D. */
typedef struct tn_pinned_view {
    tn_v2 v, arm;
    double w;
} tn_pinned_view;

static tn_pinned_view view_of(const tn_pinned *pinned, const double *u, int32_t n, tn_v2 arm)
{
    if (n < 0)
        return (tn_pinned_view){.arm = arm};
    const double *at = u + pinned->places[n].u;
    return (tn_pinned_view){tn_v2_load(at), arm, at[2]};
}

/* (dG/dt) u of a pin of bodies a and b, as in tn_joint_row_accelerations. */
static tn_v2 bend_of(const tn_pinned_view *a, const tn_pinned_view *b, tn_v2 gap)
{
    const tn_v2 to_c = a->arm + gap, past = (a->v + a->w * p2_across(to_c)) - b->v;
    const tn_v2 apart = past - b->w * p2_across(b->arm + gap);
    return -(a->w * a->w) * to_c - b->w * p2_across(past) - a->w * p2_across(apart);
}

/* Accelerations at these velocities. */
static bool solve_forces(const tn_sim *sim, tn_pinned *pinned, const double *u,
                         tn_step_report *report)
{
    const tn_v2 gravity = {sim->model->gravity.x, sim->model->gravity.y};
    for (int32_t n = 0; n < pinned->count; n++) {
        tn_pinned_link *k = &pinned->links[n];
        const tn_pinned_place *place = &pinned->places[n];
        const tn_pinned_view own = view_of(pinned, u, n, k->arm),
                             inner = view_of(pinned, u, k->inner, k->base);
        k->f = k->mass * gravity;
        k->n = k->error = (tn_v2){0.0, 0.0};
        if (place->sign > 0.0) {
            k->error = bend_of(&own, &inner, place->gap);
        } else if (!k->floats) {
            k->error = -bend_of(&inner, &own, place->gap);
        }
    }
    return solve_links(pinned, report);
}

/* ---- stages of a start ---- */

/* by + scale (lag, lag_turn), packed. */
static void take_links(const tn_pinned *pinned, double scale, const double *by, double *to)
{
    for (int32_t n = 0; n < pinned->count; n++) {
        const int64_t at = pinned->places[n].u;
        tn_v2_store(to + at, tn_v2_load(by + at) + scale * pinned->links[n].lag);
        to[at + 2] = by[at + 2] + scale * pinned->links[n].lag_turn;
    }
}

/* Multipliers of the pin of link n, in axes of G. */
static tn_v2 multipliers_of(const tn_pinned *pinned, int32_t n)
{
    const tn_pinned_link *k = &pinned->links[n];
    const tn_pinned_place *place = &pinned->places[n];
    tn_v2 axis = {1.0, 0.0};
    if (place->sign > 0.0) {
        axis = k->axis;
    } else if (k->inner >= 0) {
        axis = pinned->links[k->inner].axis;
    }
    return place->sign * p2_turn_back(p2_turn(axis, place->axis_a), k->force);
}

static void take_accelerations(tn_sim *sim, const tn_pinned *pinned)
{
    double *udot = sim->state.udot;
    memset(udot, 0, sizeof(double) * (size_t)sim->model->size.velocities);
    take_links(pinned, 1.0, udot, udot);
    for (int32_t n = 0; n < pinned->count; n++) {
        if (!pinned->links[n].floats)
            tn_v2_store(sim->state.lambda + (size_t)pinned->places[n].joint * TN_MAX_ROWS,
                        multipliers_of(pinned, n));
    }
}

/* Poses a step ahead with constant udot; their velocities go to `ahead`. */
static void guess_ahead(const tn_sim *sim, double h, const tn_pinned *pinned, double *ahead)
{
    const double *u = sim->state.u, *udot = sim->state.udot;
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        ahead[k] = u[k] + h * udot[k];
    for (int32_t n = 0; n < pinned->count; n++) {
        const int64_t at = pinned->places[n].u;
        const tn_v2 mean = 0.5 * (tn_v2_load(u + at) + tn_v2_load(ahead + at));
        pose_link(sim, pinned, n, h * mean, h * (0.5 * (u[at + 2] + ahead[at + 2])));
    }
}

/* Sums of squares in the kinetic metric. */
static double energy_like(const tn_pinned *pinned, const double *a)
{
    double sum = 0.0;
    for (int32_t n = 0; n < pinned->count; n++) {
        const tn_pinned_link *k = &pinned->links[n];
        const double *at = a + pinned->places[n].u;
        sum += k->mass * (at[0] * at[0] + at[1] * at[1]) + k->inertia * at[2] * at[2];
    }
    return sum;
}

/* Rates, from the accelerations a step ahead. Does a step resolve them? */
static bool take_rates(tn_sim *sim, double h, const tn_pinned *pinned)
{
    const tn_state *s = &sim->state;
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, s);
    const tn_v2 by_h = {1.0 / h, 1.0 / h};
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        m.udot_rate[k] = -s->udot[k] / h;
    take_links(pinned, 1.0 / h, m.udot_rate, m.udot_rate);
    memset(m.lambda_rate, 0, sizeof(double) * TN_MAX_ROWS * (size_t)sim->model->element_count);
    for (int32_t n = 0; n < pinned->count; n++) {
        const size_t row = (size_t)pinned->places[n].joint * TN_MAX_ROWS;
        if (!pinned->links[n].floats)
            tn_v2_store(m.lambda_rate + row,
                        by_h * (multipliers_of(pinned, n) - tn_v2_load(s->lambda + row)));
    }
    const double share = TN_RESOLVED_CHANGE * TN_RESOLVED_CHANGE;
    return h * h * energy_like(pinned, m.udot_rate) <= share * energy_like(pinned, s->udot);
}

/* tn_alpha_work.off: the part of the defect that violates the pins. */
static bool find_off(tn_sim *sim, const tn_alpha *c, tn_pinned *pinned, tn_step_report *report)
{
    tn_alpha_work *w = tn_alpha_of(sim);
    const tn_state *s = &sim->state;
    const double *udot_rate = tn_alpha_remembers(sim->model, s).udot_rate;
    const double share = tn_alpha_defect_share(c), h2 = c->h * c->h;
    double *speeds = w->dq;
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        speeds[k] = s->u[k] - h2 * (share * udot_rate[k]);
    pose_links(sim, pinned);
    const bool good = solve_speeds(pinned, speeds, report);
    memset(w->off, 0, sizeof(double) * (size_t)sim->model->size.velocities);
    take_links(pinned, 1.0 / h2, w->off, w->off);
    return good;
}

static bool prepare(tn_sim *sim, const tn_alpha *c, tn_pinned *pinned, tn_step_report *report)
{
    tn_state *s = &sim->state;
    double *ahead = tn_alpha_of(sim)->dq;
    pose_links(sim, pinned);
    if (!solve_speeds(pinned, s->u, report))
        return false;
    take_links(pinned, 1.0, s->u, s->u);
    if (!solve_forces(sim, pinned, s->u, report))
        return false;
    take_accelerations(sim, pinned);
    guess_ahead(sim, c->h, pinned, ahead);
    return solve_forces(sim, pinned, ahead, report) && take_rates(sim, c->h, pinned) &&
           find_off(sim, c, pinned, report);
}

void tn_pinned_prepare(tn_sim *sim, double h, tn_step_report *report)
{
    tn_alpha_work *w = tn_alpha_of(sim);
    if (!w->pinned)
        return;
    const tn_alpha c = tn_alpha_coefficients(sim, h);
    tn_alpha_balance *balance = tn_alpha_remembers(sim->model, &sim->state).balance;
    if (c.index_2 || !tn_alpha_is_left_alone(sim) || !tn_alpha_is_to_prepare(sim, h) ||
        !prepare(sim, &c, w->pinned, report))
        return;
    w->rates_are_known = true;
    w->start_is_factored = false;
    balance->is_ready = 1.0;
    balance->ready_at = sim->now;
}
