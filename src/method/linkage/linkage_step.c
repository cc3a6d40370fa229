/* linkage_step.c: room method/linkage: one step of a planar linkage. See linkage.h.
 *
 * Evaluations, corrections and what is predicted are those of alpha_residual.c and generalized_alpha.c in the
 * components of the plane.
 */
#include <math.h>
#include <string.h>

#include "method/linkage/linkage.h"
#include "method/alpha/alpha_tree.h"
#include "method/alpha/hinge_terms.h"
#include "motion/closing/purge.h"
#include "motion/kinematics.h"

/* Steps for which a linkage that is singular, or whose iteration did not end, is not tried again. */
#define TN_LINKAGE_PAUSE 16.0

/* ---- from the state ---- */

static double q_dot(tn_quat a, tn_quat b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

/* The components of the plane of a packed velocity. */
TN_INLINE void take_velocity(const tn_linkage *linkage, const tn_bar *bar, const double *u,
                             double *to)
{
    tn_v2_store(to, bar_in_plane(linkage, v3_load(u + bar->at)));
    to[2] = v3_dot(bar->normal, v3_load(u + bar->at + 3));
}

/* And what of it is across the plane, m/s or rad/s. */
TN_INLINE double across_of(const tn_linkage *linkage, const tn_bar *bar, const double *u)
{
    const tn_vec3 w = v3_load(u + bar->at + 3);
    const tn_vec3 tilt = v3_axpy(w, -bar->u[2], bar->normal);
    const double out = fabs(v3_dot(linkage->e[2], v3_load(u + bar->at)));
    return fmax(out, fmax(fabs(tilt.x), fmax(fabs(tilt.y), fabs(tilt.z))));
}

/* Orientation and place; returns how far they are off the plane, m or rad. */
static double take_pose(const tn_linkage *linkage, tn_bar *bar, tn_vec3 x, tn_quat q)
{
    const tn_v2 half = {q_dot(q, bar->turn[0]), q_dot(q, bar->turn[1])};
    const double tilt = fmax(fabs(q_dot(q, bar->turn[2])), fabs(q_dot(q, bar->turn[3])));
    bar->x_before = bar_in_plane(linkage, x);
    bar->half_before = tn_unit_again(p2_dot(half, half)) * half;
    return fmax(2.0 * tilt, fabs(v3_dot(linkage->e[2], x) - bar->z));
}

static void turn_axis(tn_bar *bar)
{
    const double c = bar->half[0], s = bar->half[1];
    bar->axis = (tn_v2){c * c - s * s, 2.0 * c * s};
}

/* Is what stands where it may be? */
static bool begin_standing(const tn_sim *sim, tn_linkage *linkage)
{
    bool good = true;
    for (int32_t k = linkage->bar_count; k < linkage->bar_count + linkage->standing_count; k++) {
        static const tn_vec3 origin = {0.0, 0.0, 0.0};
        static const tn_quat no_turn = {1.0, 0.0, 0.0, 0.0};
        tn_bar *bar = &linkage->bars[k];
        const tn_vec3 x = bar->body < 0 ? origin : sim->state.x[bar->body];
        const tn_quat q = bar->body < 0 ? no_turn : sim->state.q[bar->body];
        good &= take_pose(linkage, bar, x, q) <= sim->options.position_tolerance;
        memset(bar->f, 0, sizeof bar->f);
        bar->x = bar->x_before;
        bar->half = bar->half_before;
        turn_axis(bar);
    }
    return good;
}

/* With udot going on as it did (generalized_alpha.c). */
static void predict_bar(const tn_alpha *c, const double *rate, const double *acc, tn_bar *bar)
{
    const double rest = 1.0 / (1.0 - c->am), keep = (1.0 - c->af) * rest;
    for (int k = 0; k < 3; k++) {
        const double before = bar->u[k], next = bar->udot[k] + c->h * rate[k];
        const double base = (c->af * bar->udot[k] - c->am * acc[k]) * rest;
        const double a_next = base + keep * next;
        bar->dq[k] = before + c->h * ((0.5 - c->beta) * acc[k] + c->beta * a_next);
        bar->u[k] = before + c->h * ((1.0 - c->gamma) * acc[k] + c->gamma * a_next);
        bar->udot[k] = next;
        bar->base[k] = base;
    }
}

/* Start and prediction of what moves; false: it has left the plane. */
static bool begin_bars(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage)
{
    const tn_state *s = &sim->state;
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, s);
    double off = 0.0;
    for (int32_t k = 0; k < linkage->bar_count; k++) {
        tn_bar *bar = &linkage->bars[k];
        double rate[3], acc[3];
        const double pose = take_pose(linkage, bar, s->x[bar->body], s->q[bar->body]);
        take_velocity(linkage, bar, s->u, bar->u);
        take_velocity(linkage, bar, s->udot, bar->udot);
        take_velocity(linkage, bar, m.udot_rate, rate);
        take_velocity(linkage, bar, m.acc, acc);
        off = fmax(off, fmax(pose, c->h * across_of(linkage, bar, s->u)));
        predict_bar(c, rate, acc, bar);
    }
    return off <= sim->options.position_tolerance;
}

/* ---- an evaluation ---- */

/* Poses, and forces but those of pins. */
static void move_bars(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage)
{
    const tn_v2 g = bar_in_plane(linkage, sim->model->gravity);
    for (int32_t k = 0; k < linkage->bar_count; k++) {
        tn_bar *bar = &linkage->bars[k];
        const double angle = c->h * bar->dq[2];
        double cosine, sinc;
        tn_half_angle(0.25 * angle * angle, &cosine, &sinc);
        bar->x = bar->x_before + c->h * tn_v2_load(bar->dq);
        bar->half = p2_turn(bar->half_before, (tn_v2){cosine, 0.5 * sinc * angle});
        turn_axis(bar);
        tn_v2_store(bar->f, bar->mass * (g - tn_v2_load(bar->udot)));
        bar->f[2] = -bar->inertia * bar->udot[2];
    }
}

TN_INLINE void place_pin(tn_linkage_pin *pin, const tn_bar *a, const tn_bar *b)
{
    pin->arm_a = p2_turn(a->axis, pin->at_a);
    pin->arm_b = p2_turn(b->axis, pin->at_b);
    pin->error = (a->x - b->x) + (pin->arm_a - pin->arm_b);
}

TN_INLINE void push(tn_bar *bar, tn_v2 arm, tn_v2 force)
{
    tn_v2_store(bar->f, tn_v2_load(bar->f) + force);
    bar->f[2] += p2_cross(arm, force);
}

/* The pins of the prediction, with the multipliers going on as they did. */
static void predict_pins(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage)
{
    const double *rates = tn_alpha_remembers(sim->model, &sim->state).lambda_rate;
    for (int32_t k = 0; k < linkage->bar_count; k++)
        linkage->bars[k].S = 0.0;
    for (int32_t k = 0; k < linkage->pin_count; k++) {
        tn_linkage_pin *pin = &linkage->pins[k];
        tn_bar *a = &linkage->bars[pin->a], *b = &linkage->bars[pin->b];
        const size_t row = (size_t)pin->joint * TN_MAX_ROWS;
        const tn_v2 lambda = tn_v2_load(sim->state.lambda + row) + c->h * tn_v2_load(rates + row);
        place_pin(pin, a, b);
        pin->axis = p2_turn(a->axis, pin->axis_a);
        pin->force = lambda[0] * pin->axis + pin->side * lambda[1] * p2_across(pin->axis);
        a->S += p2_dot(pin->arm_a, pin->force);
        b->S -= p2_dot(pin->arm_b, pin->force);
        push(a, pin->arm_a, pin->force);
        push(b, pin->arm_b, -pin->force);
    }
}

/* Those after a correction of their forces. */
static void correct_pins(const tn_alpha *c, tn_linkage *linkage)
{
    for (int32_t k = 0; k < linkage->pin_count; k++) {
        tn_linkage_pin *pin = &linkage->pins[k];
        tn_bar *a = &linkage->bars[pin->a], *b = &linkage->bars[pin->b];
        place_pin(pin, a, b);
        pin->force += c->beta_prime * tn_v2_load(linkage->y + TN_PIN_ROWS * k);
        push(a, pin->arm_a, pin->force);
        push(b, pin->arm_b, -pin->force);
    }
}

/* The largest residual as a distance, m or rad, as tn_alpha_residual.all; NaN if anything is not finite. f becomes
 * the right-hand side. */
static double measure(const tn_alpha *c, tn_linkage *linkage)
{
    const double by_beta = 1.0 / c->beta_prime;
    double largest = 0.0, sum = 0.0;
    for (int32_t k = 0; k < linkage->bar_count; k++) {
        tn_bar *bar = &linkage->bars[k];
        const double by_mass = 1.0 / bar->mass, by_inertia = 1.0 / bar->inertia;
        for (int n = 0; n < 3; n++) {
            bar->f[n] *= by_beta;
            const double distance = fabs(bar->f[n]) * (n < 2 ? by_mass : by_inertia);
            largest = fmax(largest, distance);
            sum += distance;
        }
    }
    for (int32_t k = 0; k < linkage->pin_count; k++) {
        const tn_v2 error = tn_v2_abs(linkage->pins[k].error);
        largest = fmax(largest, fmax(error[0], error[1]));
        sum += error[0] + error[1];
    }
    return isfinite(sum) ? largest : NAN;
}

/* ---- a correction ---- */

static void invert_masses(const tn_alpha *c, tn_linkage *linkage)
{
    const double by_beta = 1.0 / c->beta_prime;
    for (int32_t k = 0; k < linkage->bar_count; k++) {
        tn_bar *bar = &linkage->bars[k];
        const double S = by_beta * bar->S;
        const bool bearable = 0.5 * bar->inertia + S > 0.0; /* as in tn_body_fill */
        bar->inverse[0] = bar->inverse[1] = 1.0 / bar->mass;
        bar->inverse[2] = 1.0 / (bearable ? bar->inertia + S : bar->inertia);
    }
}

/* What a force at one arm moves at another of the same body, times sign. */
TN_INLINE void add_mobility(double *block, const tn_bar *bar, double sign, tn_v2 first,
                            tn_v2 second)
{
    const tn_v2 p = p2_across(first), q = p2_across(second);
    const double by_mass = sign * bar->inverse[0], by_inertia = sign * bar->inverse[2];
    block[0] += by_mass + by_inertia * p[0] * q[0];
    block[1] += by_inertia * p[0] * q[1];
    block[2] += by_inertia * p[1] * q[0];
    block[3] += by_mass + by_inertia * p[1] * q[1];
}

/* G H^-1 G^T. Is it regular? */
static bool factor(const tn_alpha *c, tn_linkage *linkage, tn_step_report *report)
{
    tn_spd *K = &linkage->along;
    invert_masses(c, linkage);
    spd_clear(K, TN_PIN_ROWS);
    for (int32_t k = 0; k < linkage->pin_count; k++) {
        const tn_linkage_pin *pin = &linkage->pins[k];
        double *block = K->diagonal + TN_PIN_ROWS * TN_PIN_ROWS * k;
        add_mobility(block, &linkage->bars[pin->a], 1.0, pin->arm_a, pin->arm_a);
        add_mobility(block, &linkage->bars[pin->b], 1.0, pin->arm_b, pin->arm_b);
    }
    for (int32_t p = 0; p < linkage->pair_count; p++) {
        const tn_pin_pair *pair = &linkage->pairs[p];
        const tn_linkage_pin *one = &linkage->pins[pair->first],
                             *other = &linkage->pins[pair->second];
        const bool on_a = one->a == pair->bar, on_other_a = other->a == pair->bar;
        add_mobility(K->block + TN_PIN_ROWS * TN_PIN_ROWS * pair->block, &linkage->bars[pair->bar],
                     on_a == on_other_a ? 1.0 : -1.0, on_a ? one->arm_a : one->arm_b,
                     on_other_a ? other->arm_a : other->arm_b);
    }
    const double pivot = spd_factor(K, TN_PIN_ROWS);
    report->factorizations++;
    report->smallest_pivot = fmin(report->smallest_pivot, pivot);
    return pivot >= TN_REDUNDANT_PIVOT;
}

/* Where a body's point goes that has this arm. */
TN_INLINE tn_v2 speed_at(const tn_bar *bar, tn_v2 arm)
{
    const tn_v2 v = {bar->inverse[0] * bar->f[0], bar->inverse[1] * bar->f[1]};
    return v + bar->inverse[2] * bar->f[2] * p2_across(arm);
}

static void solve(const tn_alpha *c, tn_linkage *linkage)
{
    for (int32_t k = 0; k < linkage->pin_count; k++) {
        const tn_linkage_pin *pin = &linkage->pins[k];
        tn_v2_store(linkage->y + TN_PIN_ROWS * k, speed_at(&linkage->bars[pin->b], pin->arm_b) -
                                                      speed_at(&linkage->bars[pin->a], pin->arm_a) -
                                                      pin->error);
    }
    spd_solve(&linkage->along, linkage->y, TN_PIN_ROWS);
    for (int32_t k = 0; k < linkage->pin_count; k++) {
        const tn_linkage_pin *pin = &linkage->pins[k];
        const tn_v2 force = tn_v2_load(linkage->y + TN_PIN_ROWS * k);
        push(&linkage->bars[pin->a], pin->arm_a, force);
        push(&linkage->bars[pin->b], pin->arm_b, -force);
    }
    const double by_h = 1.0 / c->h;
    for (int32_t k = 0; k < linkage->bar_count; k++) {
        tn_bar *bar = &linkage->bars[k];
        for (int n = 0; n < 3; n++) {
            const double d = bar->inverse[n] * bar->f[n];
            bar->dq[n] += by_h * d;
            bar->u[n] += c->gamma_prime * d;
            bar->udot[n] += c->beta_prime * d;
        }
    }
}

static bool iterate(tn_sim *sim, const tn_alpha *c, tn_linkage *linkage, tn_step_report *report)
{
    const double enough = fmax(sim->options.position_tolerance, c->round_off);
    move_bars(sim, c, linkage);
    predict_pins(sim, c, linkage);
    double before = measure(c, linkage);
    if (isnan(before) || !factor(c, linkage, report))
        return false;
    for (int32_t left = sim->options.max_iterations - 1; left >= 0; left--) {
        report->iterations++;
        report->solves++;
        solve(c, linkage);
        move_bars(sim, c, linkage);
        correct_pins(c, linkage);
        const double now = measure(c, linkage);
        if (now <= enough)
            return true;
        if (isnan(now) || tn_alpha_is_stale(now, before, enough, left))
            return false;
        before = now;
    }
    return false;
}

/* Nothing but motion happens, and it is to be tried. */
static bool may_step(tn_sim *sim, const tn_alpha *c)
{
    double *pause = &tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps;
    if (c->index_2 || c->needs_reactions || c->some_rest || !tn_alpha_is_left_alone(sim))
        return false;
    *pause = fmin(*pause + 1.0, 0.0);
    return *pause == 0.0;
}

bool tn_linkage_step(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    tn_linkage *linkage = tn_alpha_of(sim)->linkage;
    if (!linkage || !may_step(sim, c) || !begin_standing(sim, linkage) ||
        !begin_bars(sim, c, linkage))
        return false;
    if (!iterate(sim, c, linkage, report) || !tn_linkage_bear(sim, linkage)) {
        tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps = -TN_LINKAGE_PAUSE;
        return false;
    }
    tn_linkage_show(sim, c->h, linkage);
    return true;
}
