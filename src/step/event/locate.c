/* locate.c: room step/event: locates an event within a sub-step.
 *
 * F(t) is the largest of all event functions (law/event_laws.h): negative before an event, positive
 * after it. When a sub-step ends with F > 0, the first zero of F in it is located. Each trial is
 * taken from the start of the sub-step, at a time that comes from
 *   - the parabola of a coordinate, where F is the distance of a coordinate from its limit;
 *   - else the Illinois method: false position that halves the weight of an end kept twice
 *     (Dahlquist and Bjorck, Numerical Methods, 6.3.2), and bisection every third time;
 *   - the line through the last two trials after the event, where F is zero at the start because an
 *     event has just been resolved there.
 * Out: the state at the event.
 */
#include <math.h>

#include "law/event_laws.h"
#include "motion/kinematics.h"
#include "step/event/dense.h"
#include "step/event/locate.h"

/* Most trials for one event. Two or three suffice where F is a coordinate, about ten elsewhere. */
#define TN_MAX_TRIALS 60

/* Most evaluations of F by the polynomials alone for one event. */
#define TN_GLANCES 12

/* Width of the bracket, as a share of the step, at which the search ends. */
#define TN_SAME_TIME 1e-15

/* F at the current state, less the value at which the event counts. */
static double event_function(tn_sim *sim, const tn_span *span)
{
    return tn_events_beyond(sim, span->step) - span->target;
}

/* F at a time from sim->mark, s. */
typedef struct tn_sample {
    double t, f;
} tn_sample;

/* The bracket: F < 0 at a, F > 0 at b; s from sim->mark. */
typedef struct tn_bracket {
    double a, fa, b, fb;
    int kept;  /* the end that was kept last: 1 a, -1 b */
    bool left; /* F was below zero in some trial: the event of the start is over */
    /* the last two trials before the event had about the same F: it belongs to another event law */
    bool rests;
    bool known;          /* it is known what F depends on near its zero: */
    tn_dense_need need;  /* that */
    bool dense;          /* trials are interpolated between the ends of the sub-step, not stepped */
    double was;          /* F at a */
    double slope;        /* 1/s: slope of F at its zero by the polynomials; NaN: not known */
    tn_sample last[3];   /* trials, the latest first */
    tn_sample behind[2]; /* trials after the event, the latest first */
    double moved[2];     /* s, distances of successive trials, the latest first */
} tn_bracket;

/* F before the event, for interpolation. Minus infinity means only "no event is possible": it is replaced by minus the
 * value at the other end. */
static double before(double f, double behind)
{
    return isinf(f) ? -behind : f;
}

/* The value of F that is located: 0; or twice the tolerance while F is still near zero from the event of the start,
 * which would hide the next one. */
static double at_event(const tn_bracket *at)
{
    return at->left ? 0.0 : 2.0 * TN_EVENT_TOLERANCE;
}

static bool is_event(const tn_bracket *at, double f)
{
    return fabs(f - at_event(at)) <= TN_EVENT_TOLERANCE;
}

/* F is taken to rest, not to approach zero, where a later trial still has this share of it. */
#define TN_AS_FAR 0.9

/* Illinois: false position that halves the weight of an end kept twice. */
static void narrow(tn_bracket *at, double t, double f)
{
    if (at->left || fabs(f) > TN_EVENT_TOLERANCE) {
        at->left |= f < 0.0;
    } else {
        f = -INFINITY;
    }
    if (f > 0.0) {
        at->b = t;
        at->fb = f;
        at->fa *= at->kept == 1 ? 0.5 : 1.0;
        at->kept = 1;
    } else {
        at->rests = f <= TN_AS_FAR * at->was;
        at->was = at->left ? f : (double)NAN;
        at->a = t;
        at->fa = before(f, at->fb);
        at->fb *= at->kept == -1 ? 0.5 : 1.0;
        at->kept = -1;
    }
}

/* The first time at which a free coordinate reaches its limit, where F is that of coordinates; else NaN. f: F at t.
 * Coordinates beyond their limits at t are cubics through values and speeds at 0 and t; where those are not known, the
 * one that is furthest beyond is a parabola. */
static double course_root(const tn_sim *sim, const tn_span *span, double t, double f)
{
    tn_limit_course course;
    if (!tn_events_course(sim, span->target, f, &course))
        return (double)NAN;
    const double first = f > 0.0 ? tn_events_first(sim, span->target, t) : (double)NAN;
    if (!isnan(first))
        return first;
    const double before = course.before - span->target, rate = course.rate;
    const double bend = (before - f + rate * t) / (t * t);
    const double d = rate * rate - 4.0 * bend * f;
    return d >= 0.0 ? t - 2.0 * f / (rate + sqrt(d)) : (double)NAN;
}

/* Where the next trial is, as a share of the bracket, if the last two trials put the root before it. */
#define TN_AT_THE_START 1e-6

static void note(tn_bracket *at, double t, double f)
{
    if (f > at_event(at)) {
        at->behind[1] = at->behind[0];
        at->behind[0] = (tn_sample){t, f};
    }
    at->moved[1] = at->moved[0];
    at->moved[0] = fabs(t - at->last[0].t);
    at->last[2] = at->last[1];
    at->last[1] = at->last[0];
    at->last[0] = (tn_sample){t, f};
}

/* Root of the inverse parabola, t as a function of F, through three samples; NaN: two have the same F. */
static double inverse_parabola(const tn_sample *p)
{
    const double ab = p[0].f - p[1].f, ac = p[0].f - p[2].f, bc = p[1].f - p[2].f;
    if (ab == 0.0 || ac == 0.0 || bc == 0.0)
        return (double)NAN;
    return p[0].t * p[1].f * p[2].f / (ab * ac) - p[1].t * p[0].f * p[2].f / (ab * bc) +
           p[2].t * p[0].f * p[1].f / (ac * bc);
}

/* Root of the line through the last two trials after the event; NaN: there are no two, or it has none. */
static double line_behind(const tn_bracket *at)
{
    const tn_sample p = at->behind[0], q = at->behind[1];
    return q.f > p.f ? p.t - (p.f - at_event(at)) * (q.t - p.t) / (q.f - p.f) : (double)NAN;
}

/* Each distance of trials is at most half of the one before. */
static bool converges(const tn_bracket *at)
{
    return at->moved[0] <= 0.5 * at->moved[1];
}

/* The next trial while F was not below zero yet, or rests: its value before the event does not predict the zero. */
static double next_at_rest(const tn_bracket *at, int k)
{
    const double next = k % 3 == 2 ? (double)NAN : line_behind(at);
    return next > at->a && next < at->b ? next : at->a + 0.5 * (at->b - at->a);
}

/* The next trial after one at t with F = f: the root of the coordinate's parabola, of the inverse parabola, or of false
 * position, in this order; every third time the middle, unless trials converge. */
static double next_trial(const tn_sim *sim, const tn_span *span, const tn_bracket *at, int k,
                         double t, double f)
{
    const double width = at->b - at->a,
                 secant = (at->a * at->fb - at->b * at->fa) / (at->fb - at->fa);
    const double root = course_root(sim, span, t, f);
    const double inverse = inverse_parabola(at->last);
    const double guess = inverse > at->a && inverse < at->b ? inverse : secant;
    const double next = root > at->a && root < at->b ? root : guess;
    const bool halve = k % 3 == 2 && !converges(at);
    return halve || !(next > at->a && next < at->b) ? at->a + 0.5 * width : next;
}

/* Does the line through two trials, b the later one, meet zero before the bracket begins? */
static bool begins_beyond(const tn_bracket *at, double t, double f)
{
    return f > 0.0 && at->fb > f && t - f * (at->b - t) / (at->fb - f) <= at->a;
}

/* The state from which all trials start, into sim->mark. */
static tn_status prepare(tn_sim *sim, const tn_span *span, tn_step_report *report)
{
    if (!span->method->prepare)
        return TN_OK;
    tn_state_copy(&sim->state, &sim->mark);
    sim->sys.lead = 0.0;
    sim->now = sim->stage_time = sim->event_time;
    const tn_status status = span->method->prepare(sim, span->remaining, report);
    tn_state_copy(&sim->mark, &sim->state);
    return status;
}

/* F at the start of the sub-step. */
static double value_at_mark(tn_sim *sim, const tn_span *span)
{
    tn_state_copy(&sim->state, &sim->mark);
    sim->sys.lead = 0.0;
    tn_refresh_kinematics(sim);
    return event_function(sim, span);
}

static tn_bracket first_bracket(tn_sim *sim, const tn_span *span, double f_end, double end,
                                double *t)
{
    tn_bracket at = {.fa = -TN_LIMIT_TOLERANCE,
                     .b = end,
                     .fb = f_end,
                     .left = true,
                     .was = NAN,
                     .slope = NAN,
                     .last = {{end, f_end}, {0.0, NAN}, {0.0, NAN}},
                     .behind = {{end, f_end}, {0.0, NAN}},
                     .moved = {end, end}};
    *t = course_root(sim, span, end, f_end);
    if (*t > 0.0 && *t < end)
        return at;
    const double start = value_at_mark(sim, span);
    at.left = fabs(start) > TN_EVENT_TOLERANCE;
    at.fa = at.left ? fmin(before(start, f_end), -TN_LIMIT_TOLERANCE) : -f_end;
    at.last[1].f = at.fa;
    *t = end * at.fa / (at.fa - f_end);
    return at;
}

/* A trial of t seconds failed. A method that divides its steps takes the known time before the event instead, and
 * goes on from there; for others *taken is the time that was tried. */
static tn_status stop_before(tn_sim *sim, const tn_span *span, const tn_bracket *at,
                             tn_status failed, double t, double *taken, bool *met,
                             tn_step_report *report)
{
    *taken = t;
    if (!span->method->judge_part || !(at->a > 0.0) || tn_is_final(failed))
        return failed;
    *taken = at->a;
    *met = false;
    return tn_span_trial(sim, span, at->a, report);
}

/* Most moves from a solved state to the zero of F: one Newton step, then secants, which converge fast. */
#define TN_MOVES 4

/* Moves from such a state at *t to the zero of F, as far as the polynomials' correction reaches. *f_there: F at the
 * new *t. */
static tn_status move_to_event(tn_sim *sim, const tn_span *span, const tn_bracket *at, double *t,
                               double *f_there, tn_step_report *report)
{
    double f = event_function(sim, span), slope = at->slope;
    *f_there = f;
    for (int k = 0; k < TN_MOVES && !is_event(at, f); k++) {
        const double next = *t - (f - at_event(at)) / slope;
        if (!(next > at->a && next < at->b && next != *t) || !tn_dense_reaches(sim, next))
            break;
        const tn_status status = tn_dense_go_on(sim, next, report);
        if (status != TN_OK)
            return status;
        const double g = event_function(sim, span);
        slope = (g - f) / (next - *t);
        *t = next;
        *f_there = f = g;
    }
    return TN_OK;
}

/* What F depends on at this state, t seconds from sim->mark: F changes if forces, or speeds, are replaced by those
 * of the start. */
static tn_dense_need need_of(tn_sim *sim, const tn_span *span, double t)
{
    const double now = event_function(sim, span);
    tn_dense_take_motion(sim, t, TN_NEEDS_FORCES);
    const double by_forces = event_function(sim, span);
    tn_dense_take_motion(sim, t, TN_NEEDS_SPEEDS);
    const double by_speeds = event_function(sim, span);
    tn_dense_take_motion(sim, t, TN_NEEDS_NOTHING);
    return now != by_forces   ? TN_NEEDS_FORCES
           : now != by_speeds ? TN_NEEDS_SPEEDS
                              : TN_NEEDS_NOTHING;
}

/* A trial by interpolation between the ends of the sub-step, at *t or near it, where F is zero. */
static tn_status try_between(tn_sim *sim, const tn_span *span, const tn_bracket *at, double *t,
                             double *f, tn_step_report *report)
{
    tn_status status = tn_dense_place(sim, *t, report);
    if (status == TN_OK)
        status = tn_dense_finish(sim, at->known ? at->need : need_of(sim, span, *t), report);
    return status == TN_OK ? move_to_event(sim, span, at, t, f, report) : status;
}

/* A trial of *t seconds: interpolated while that is accurate, else stepped from the start. *f: F there. */
static tn_status try_at(tn_sim *sim, const tn_span *span, tn_bracket *at, double *t, double *f,
                        tn_step_report *report)
{
    if (at->dense && try_between(sim, span, at, t, f, report) == TN_OK)
        return TN_OK;
    tn_status status = at->dense ? prepare(sim, span, report) : TN_OK;
    at->dense = false;
    if (status == TN_OK)
        status = tn_span_trial(sim, span, *t, report);
    *f = status == TN_OK ? event_function(sim, span) : 0.0;
    return status;
}

/* Share of the sub-step within which the search by polynomials ends where F depends on solved speeds or forces. */
#define TN_NEAR_ZERO 2e-3

/* Finds the zero of F of the polynomials, from a first guess t on. Sets in the bracket the slope of F there and what
 * F depends on. F of a state with closed joints differs by the error of the polynomials. */
static double glance(tn_sim *sim, const tn_span *span, tn_bracket *of, double t,
                     tn_step_report *report)
{
    tn_step_report seen = *report; /* these evaluations add nothing to the report */
    tn_bracket at = *of;
    for (int k = 0; k < TN_GLANCES; k++) {
        if (tn_dense_glance(sim, t, &seen) != TN_OK)
            break;
        const double f = event_function(sim, span);
        if (isfinite(f) && t != at.last[0].t)
            of->slope = (f - at.last[0].f) / (t - at.last[0].t);
        const bool met = is_event(&at, f);
        narrow(&at, t, f);
        note(&at, t, f);
        const bool over = !at.left || at.rests || at.b - at.a <= TN_SAME_TIME * span->step;
        const double next = met || over ? t : next_trial(sim, span, &at, k, t, f);
        if (!of->known && !(over && !met) && fabs(next - t) <= TN_NEAR_ZERO * of->b) {
            of->need = need_of(sim, span, t);
            of->known = true;
        }
        if (met || over || (of->known && of->need != TN_NEEDS_NOTHING))
            break;
        t = next;
    }
    return t;
}

/* Ends at the event or just after it, never before: F may jump, as multipliers of a first-order method do at the
 * start of a sub-step. In: *taken, the time at which F is f_end. Out: *taken, the time of the event. */
static tn_status locate(tn_sim *sim, const tn_span *span, double f_end, double *taken, bool *met,
                        tn_step_report *report)
{
    double t, f;
    const bool dense = tn_dense_begin(sim, span, *taken);
    tn_bracket at = first_bracket(sim, span, f_end, *taken, &t);
    tn_status status = dense ? TN_OK : prepare(sim, span, report);
    if (status != TN_OK)
        return status;
    at.dense = dense;
    if (dense && at.left)
        t = glance(sim, span, &at, t, report);
    for (int k = 0; k < TN_MAX_TRIALS; k++) {
        status = try_at(sim, span, &at, &t, &f, report);
        if (status != TN_OK)
            return stop_before(sim, span, &at, status, t, taken, met, report);
        *taken = t;
        if (is_event(&at, f))
            return TN_OK;
        const int early = begins_beyond(&at, t, f);
        narrow(&at, t, f);
        note(&at, t, f);
        if (at.b - at.a <= TN_SAME_TIME * span->step)
            break;
        if (!at.left || at.rests) {
            t = next_at_rest(&at, k);
            continue;
        }
        const double along = k == 0 ? t - f / at.slope : (double)NAN;
        t = early                          ? at.a + TN_AT_THE_START * (at.b - at.a)
            : along > at.a && along < at.b ? along
                                           : next_trial(sim, span, &at, k, t, f);
    }
    *taken = at.b;
    return try_at(sim, span, &at, taken, &f, report);
}

/* Most searches in one sub-step for limits that were passed and left again. */
#define TN_MAX_PASSED 8

/* F may be zero more than once in a sub-step: before the result is kept, tn_events_passed finds limits that were passed
 * between its ends. */
static tn_status find_within(tn_sim *sim, const tn_span *span, double *taken, bool *met,
                             tn_step_report *report)
{
    double when, f = event_function(sim, span);
    tn_status status = TN_OK;
    *met = false;
    for (int k = 0; k < TN_MAX_PASSED && status == TN_OK; k++) {
        if (f > TN_LIMIT_TOLERANCE - span->target) {
            *met = true;
            status = locate(sim, span, f, taken, met, report);
        }
        if (status != TN_OK || !tn_events_passed(sim, *taken, &when))
            break;
        const double whole = *taken;
        status = tn_span_trial(sim, span, when, report);
        f = status == TN_OK ? event_function(sim, span) : 0.0;
        *taken = when;
        if (status != TN_OK || f > TN_LIMIT_TOLERANCE - span->target)
            continue;
        *taken = whole; /* only the interpolation passed it */
        return tn_span_trial(sim, span, whole, report);
    }
    return status;
}

/* Restores the start of the sub-step, with the multipliers of the sub-step: they decide what is released. */
static void go_back(tn_sim *sim)
{
    tn_assemble_gather_lambda(&sim->sys, &sim->state, sim->speeds);
    tn_state_copy(&sim->state, &sim->mark);
    tn_assemble_scatter_lambda(&sim->sys, &sim->state, sim->speeds, 1.0);
    sim->sys.lead = 0.0;
    sim->now = sim->stage_time = sim->event_time;
    tn_refresh_kinematics(sim);
}

tn_status tn_span_find_event(tn_sim *sim, const tn_span *span, double *taken, bool *met,
                             tn_step_report *report)
{
    const tn_status status = find_within(sim, span, taken, met, report);
    if (status != TN_OK || !(tn_events_of_part(sim, span->step) > TN_LIMIT_TOLERANCE))
        return status;
    go_back(sim);
    *taken = 0.0;
    *met = true;
    return TN_OK;
}
