/* advance.c: room step: a method taken from event to event.
 *
 * Without limits it is one call, or one for each part that a method allows itself. With
 * limits, F(t) says how far the worst free coordinate is beyond its limit, or how much a held limit
 * pulls (as the distance that force would move it in the step), or a load exceeds what breaks its
 * joint: F <= 0 means nothing happened. When the step ends with F > 0, the first zero of F is
 * located on the step length by Newton's and the Illinois method, each trial from the same start, and the state
 * there is kept: touching coordinates are held and hit, rows without force are released, and the
 * rest of the step follows. Parts too short for a method's arithmetic (beta' of
 * generalized alpha grows like 1/h^2) are taken by a Taylor step and projections. Methods that
 * divide their steps take parts as long as their error allows, and F is asked for after each.
 */
#include <math.h>

#include "step/advance.h"
#include "law/at_steps.h"
#include "law/breaks.h"
#include "law/drives.h"
#include "motion/kinematics.h"
#include "law/limits.h"
#include "method/method.h"
#include "motion/project.h"
#include "motion/refusals.h"
#include "step/halving.h"
#include "step/judge.h"

/* Events in one step; more is chatter, and the step is cut. */
#define TN_MAX_EVENTS       64
#define TN_EVENTS_PER_LIMIT 8

/* The same of methods that divide their steps: a ball of restitution 0.999 comes to rest in some ten
 * thousand bounces, which may all be in one step. */
#define TN_MAX_BOUNCES 100000

/* Trials to locate an event. Where F is a coordinate two or three are enough, else about ten. */
#define TN_MAX_TRIALS 60

/* Ends of the bracket this close, relative to the step, are one instant. */
#define TN_SAME_TIME 1e-15

/* An event is located when F is within this of zero (m, rad): well inside the deadband. */
#define TN_EVENT_TOLERANCE 1e-13

/* Parts of methods with accelerations that are shorter than this share of the step are Taylor
 * steps: their error, (share h)^3, is below that of the step. */
#define TN_SHORT_SHARE 1e-2

typedef struct tn_span {
    const tn_method *method;
    double step;      /* s, the whole step */
    double section;   /* s, from the last event to the end */
    double remaining; /* s, from sim->mark */
    double target;    /* m, rad: what F is at an event; see TN_LATER_TARGET */
} tn_span;

static tn_status check_finite(tn_sim *sim, tn_step_report *report)
{
    return tn_state_is_finite(sim->model, &sim->state, &report->culprit_body.i)
               ? TN_OK
               : TN_ERROR_NOT_FINITE;
}

/* The work done in h seconds by the powers of one end, by the trapezoidal rule. */
static void account_end(tn_sim *sim, const tn_method *method, double h)
{
    if (!method->sums_work)
        tn_drives_account(sim, 0.5 * h);
}

/* h seconds from sim->event_time on. */
static tn_status plain(tn_sim *sim, const tn_method *method, double h, tn_step_report *report)
{
    tn_status status = TN_OK;
    account_end(sim, method, h);
    sim->now = sim->stage_time = sim->event_time;
    if (method->change_step) /* a start, so before anything moves */
        status = method->change_step(sim, h, report);
    tn_judge_note_speeds(sim);
    tn_drives_move(sim, sim->event_time, h);
    sim->now = sim->stage_time = sim->event_time + h;
    if (status == TN_OK)
        status = method->step(sim, h, report);
    if (status == TN_OK)
        status = check_finite(sim, report);
    if (status == TN_OK) {
        tn_update_coordinates(sim, h);
        tn_round_note(sim, h);
        tn_drives_power(sim);
        account_end(sim, method, h);
    }
    return status;
}

/* x += h u + h^2/2 u', u += h u', then back onto the constraints, with the multipliers of there. */
static tn_status taylor_step(tn_sim *sim, double h, tn_step_report *report)
{
    tn_state *s = &sim->state;
    double *velocity = sim->sys.du; /* mean of the step */
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        velocity[k] = s->u[k] + 0.5 * h * s->udot[k];
        s->u[k] += h * s->udot[k];
    }
    tn_move_bodies(sim->model, s->x, s->q, velocity, h, s->x, s->q);
    sim->sys.lead = h;
    tn_refresh_kinematics(sim);
    tn_status status = tn_project_position(sim, sim->options.position_tolerance, report);
    if (status == TN_OK)
        status = tn_project_motion(sim, report);
    tn_keep_reaction_kinematics(sim);
    return status;
}

static const tn_method taylor = {.step = taylor_step};

/* h seconds from sim->mark. */
static tn_status trial(tn_sim *sim, const tn_span *span, double h, tn_step_report *report)
{
    tn_state_copy(&sim->state, &sim->mark);
    sim->sys.lead = 0.0;
    const int expands = span->method->traits.accelerations && !span->method->judge_part;
    const int too_short = expands && h < TN_SHORT_SHARE * span->step;
    return plain(sim, too_short ? &taylor : span->method, h, report);
}

/* On h seconds of the method: *error, in units of what may be. */
static tn_status verdict(tn_sim *sim, const tn_method *method, double h, double *error,
                         tn_step_report *report)
{
    const tn_status status = tn_judge_part(sim, method, h, error, report);
    tn_step_report told = *report;
    const tn_state *from = method->judge_part ? &sim->mark : &sim->backup;
    if (status != TN_OK && tn_lines_check(sim, from, &told) != TN_OK)
        sim->line_passed = told.culprit_joint.i;
    return status;
}

/* A part of h seconds and its verdict. */
static tn_status judged_trial(tn_sim *sim, const tn_span *span, double h, double *error,
                              tn_step_report *report)
{
    const tn_status status = trial(sim, span, h, report);
    *error = 0.0;
    return status == TN_OK ? verdict(sim, span->method, h, error, report) : status;
}

/* As long a part as is accurate, each try half as long as the last. One that is cut is cut until it
 * is well within what may be, unless that helps no more: motions that need it do so for long. */
static tn_status tread(tn_sim *sim, const tn_span *span, double *taken, tn_step_report *report)
{
    double error = 0.0, before = INFINITY,
           length = tn_halving_length(sim, span->step, span->remaining);
    const double shortest = tn_halving_shortest(span->step, span->section);
    tn_status status = TN_OK;
    for (int cuts = 0;; cuts++) {
        const bool last = length <= shortest || sim->only_whole;
        sim->last_resort = length <= shortest;
        status = judged_trial(sim, span, length, &error, report);
        const bool done = cuts == 0 || tn_halving_is_easy(error) || error > 0.5 * before;
        before = error > 0.0 ? error : INFINITY;
        if ((status == TN_OK && done) || last || (status != TN_OK && status != TN_ERROR_INACCURATE))
            break;
        length *= 0.5;
        tn_halving_take(sim, length, TN_ERROR_INACCURATE);
        report->halvings++;
    }
    sim->last_resort = 0;
    *taken = length;
    if (status == TN_OK)
        tn_halving_note(sim, span->step, length, error, report);
    return status;
}

/* The same of a method that divides its steps as its own errors ask. */
static tn_status stride(tn_sim *sim, const tn_span *span, double *taken, tn_step_report *report)
{
    tn_part part;
    double error = 0.0;
    tn_status status = span->method->begin_part(sim, span->remaining, &part, report);
    if (status != TN_OK)
        return status;
    do
        status = judged_trial(sim, span, part.length, &error, report);
    while (!span->method->judge_part(sim, &part, &status, report));
    *taken = part.length;
    return status;
}

/* From sim->mark as far as the method goes at once: to the end, or a part of the way. */
static tn_status leap(tn_sim *sim, const tn_span *span, double *taken, tn_step_report *report)
{
    tn_judge_begin(sim, &sim->mark, span->step);
    return span->method->begin_part ? stride(sim, span, taken, report)
                                    : tread(sim, span, taken, report);
}

static int may_have_events(const tn_sim *sim)
{
    return sim->state.head->limited > 0 || sim->state.head->breakable > 0;
}

/* F of the head comment at the current state. */
static double event_function(const tn_sim *sim, double step)
{
    if (!may_have_events(sim))
        return -INFINITY;
    const double beyond = tn_limits_violation(sim);
    const double pull = tn_limits_largest_pull(sim, step);
    return fmax(fmax(beyond, pull), fmax(tn_drives_event(sim, step), tn_breaks_event(sim)));
}

/* The bracket: F < 0 at a, F > 0 at b; s from sim->mark. */
typedef struct tn_bracket {
    double a, fa, b, fb;
    int kept; /* the end that was kept last: 1 a, -1 b */
} tn_bracket;

/* Illinois: false position that halves the weight of an end kept twice. */
static void narrow(tn_bracket *at, double t, double f)
{
    if (f > 0.0) {
        at->b = t;
        at->fb = f;
        at->fa *= at->kept == 1 ? 0.5 : 1.0;
        at->kept = 1;
    } else {
        at->a = t;
        at->fa = f;
        at->fb *= at->kept == -1 ? 0.5 : 1.0;
        at->kept = -1;
    }
}

/* Where F of the free coordinate that is furthest beyond its limit at t is zero, by the parabola
 * through what it was at 0 and its value f and speed at t; NaN where F is something else. */
static double parabola_root(const tn_sim *sim, const tn_span *span, double t, double f)
{
    tn_limit_course course;
    if (!tn_limits_course(sim, &course) || course.beyond - span->target != f)
        return (double)NAN;
    const double before = course.before - span->target, rate = course.rate;
    const double bend = (before - f + rate * t) / (t * t);
    const double d = rate * rate - 4.0 * bend * f;
    return d >= 0.0 ? t - 2.0 * f / (rate + sqrt(d)) : (double)NAN;
}

/* A root that the last two trials, both behind it, put before the bracket is looked for so near to
 * its start. */
#define TN_AT_THE_START 1e-6

/* The next trial after one at t with F = f and one at b: the root of the parabola; without it false
 * position; and in the middle every third time. */
static double next_trial(const tn_sim *sim, const tn_span *span, const tn_bracket *at, int k,
                         double t, double f)
{
    const double width = at->b - at->a,
                 secant = (at->a * at->fb - at->b * at->fa) / (at->fb - at->fa);
    const double root = parabola_root(sim, span, t, f);
    const double next = root > at->a && root < at->b ? root : secant;
    return k % 3 == 2 || !(next > at->a && next < at->b) ? at->a + 0.5 * width : next;
}

/* Does the line through two trials, b the later one, meet zero before the bracket begins? */
static int begins_beyond(const tn_bracket *at, double t, double f)
{
    return f > 0.0 && at->fb > f && t - f * (at->b - t) / (at->fb - f) <= at->a;
}

/* What all trials begin with, into sim->mark. */
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

/* F at the start, where there was no event yet. */
static double value_at_mark(tn_sim *sim, const tn_span *span)
{
    tn_state_copy(&sim->state, &sim->mark);
    sim->sys.lead = 0.0;
    tn_refresh_kinematics(sim);
    return fmin(event_function(sim, span->step) - span->target, -TN_LIMIT_TOLERANCE);
}

static tn_bracket first_bracket(tn_sim *sim, const tn_span *span, double f_end, double end,
                                double *t)
{
    tn_bracket at = {0.0, -TN_LIMIT_TOLERANCE, end, f_end, 0};
    *t = parabola_root(sim, span, end, f_end);
    if (*t > 0.0 && *t < end)
        return at;
    at.fa = value_at_mark(sim, span);
    *t = end * at.fa / (at.fa - f_end);
    return at;
}

/* F may jump (the multipliers of a first-order method do at the start of a part): the state ends at
 * or just after the event, never before it. In: *taken, where F is f_end; out: how far it went. */
static tn_status locate(tn_sim *sim, const tn_span *span, double f_end, double *taken,
                        tn_step_report *report)
{
    double t;
    tn_bracket at = first_bracket(sim, span, f_end, *taken, &t);
    const tn_status prepared = prepare(sim, span, report);
    if (prepared != TN_OK)
        return prepared;
    for (int k = 0; k < TN_MAX_TRIALS; k++) {
        const tn_status status = trial(sim, span, t, report);
        if (status != TN_OK)
            return status;
        const double f = event_function(sim, span->step) - span->target;
        *taken = t;
        if (fabs(f) <= TN_EVENT_TOLERANCE)
            return TN_OK;
        const int early = begins_beyond(&at, t, f);
        narrow(&at, t, f);
        if (at.b - at.a <= TN_SAME_TIME * span->step)
            break;
        t = early ? at.a + TN_AT_THE_START * (at.b - at.a) : next_trial(sim, span, &at, k, t, f);
    }
    *taken = at.b;
    return trial(sim, span, at.b, report);
}

/* Half the deadband: where an event is looked for when the one found at F = 0 was none, because
 * what has just left its limit comes back to it. */
#define TN_LATER_TARGET (0.5 * TN_LIMIT_TOLERANCE)

/* Velocities and forces after an event at which limits were hit, or none. Methods meet the speeds
 * of held rows only to their order: what is let go leaves from rest. */
static tn_status go_on(tn_sim *sim, const tn_span *span, int hit, tn_step_report *report)
{
    const double step = span->step, next = span->remaining > 0.0 ? span->remaining : step;
    const int driven = sim->state.head->drive_count > 0;
    tn_status status = hit ? tn_limits_impact(sim, report) : tn_project_velocity(sim, report);
    if (status == TN_OK && hit && driven) {
        tn_drives_sort(sim, step);
        status = tn_project_velocity(sim, report);
    }
    if (tn_limits_release_marked(sim) && status == TN_OK && driven)
        status = tn_project_velocity(sim, report); /* a prescribed motion takes its own again */
    if (status == TN_OK)
        status = sim->method->start(sim, next, report);
    tn_drives_tell(sim);
    tn_round_note(sim, 0.0);
    tn_drives_power(sim);
    return status;
}

/* What drives hold from now on holds exactly, then others let go. Returns how many changed. */
static tn_status change_drives(tn_sim *sim, double step, int32_t *changed, tn_step_report *report)
{
    *changed = 0;
    if (sim->state.head->drive_count == 0)
        return TN_OK;
    *changed = tn_drives_catch(sim, step);
    const tn_status status = tn_project_velocity(sim, report);
    tn_drives_let_go(sim);
    return status;
}

/* At an event: holds and hits what touches, or lets go what does not push. */
static tn_status resolve(tn_sim *sim, tn_span *span, tn_step_report *report)
{
    int32_t changed;
    report->events++;
    const int32_t broken = tn_breaks_at_event(sim);
    span->section = span->remaining;
    const tn_status caught = change_drives(sim, span->step, &changed, report);
    if (caught != TN_OK)
        return caught;
    changed += broken + tn_limits_mark_pulling(sim);
    const int32_t before = tn_limits_held(sim);
    int32_t after = tn_limits_hold_touching(sim, TN_TOUCH_NOT_LEAVING);
    if (after == before && changed == 0) {
        if (span->target == 0.0) {
            span->target = TN_LATER_TARGET;
            return TN_OK;
        }
        after = tn_limits_hold_touching(sim, TN_TOUCH_ALL);
    }
    tn_refresh_kinematics(sim);
    span->target = 0.0;
    if (after > before) { /* what the location leaves would be a speed of the next part */
        tn_status moved = tn_correct_position(sim, report);
        if (moved == TN_OK) /* where F jumps it is far, and one pass leaves joints open */
            moved = tn_project_position(sim, sim->options.position_tolerance, report);
        if (moved != TN_OK)
            return moved;
    }
    return go_on(sim, span, after > before, report);
}

/* Of what has happened so often that it is not to happen again, nothing is left. */
static void begin(tn_sim *sim, double step)
{
    tn_limits_begin_step(sim);
    tn_drives_begin_step(sim, step);
}

/* What an event changes at once: impacts, what breaks, what catches. */
static tn_status resolve_and_account(tn_sim *sim, tn_span *span, tn_step_report *report)
{
    tn_state_head *head = sim->state.head;
    const double before = tn_judge_energy(sim);
    const tn_status status = resolve(sim, span, report);
    const double change = status == TN_OK ? tn_judge_energy(sim) - before : 0.0;
    head->lost += fmax(0.0, -change);
    head->work += fmax(0.0, change);
    return status;
}

/* A method that divides its steps could take the part, but not a shorter one to the event in it:
 * will it try otherwise? */
static bool take_back(tn_sim *sim, const tn_span *span, double taken, tn_step_report *report)
{
    if (!span->method->judge_part)
        return false;
    tn_state_copy(&sim->state, &sim->mark);
    sim->sys.lead = 0.0;
    tn_part part = {taken, span->remaining, 0.0, 0};
    tn_status status = TN_ERROR_NOT_CONVERGED;
    return !span->method->judge_part(sim, &part, &status, report);
}

/* Limits passed and left again in between may be asked for so often in one part. */
#define TN_MAX_PASSED 8

/* The event that a part of *taken seconds has gone past, if any: *met. F may be zero more than once:
 * before a part, or the way to an event, is kept, it is asked what was passed between its ends. */
static tn_status find_event(tn_sim *sim, const tn_span *span, double *taken, bool *met,
                            tn_step_report *report)
{
    double when, f = event_function(sim, span->step) - span->target;
    tn_status status = TN_OK;
    *met = false;
    for (int k = 0; k < TN_MAX_PASSED && status == TN_OK; k++) {
        if (f > TN_LIMIT_TOLERANCE - span->target) {
            *met = true;
            status = locate(sim, span, f, taken, report);
        }
        if (status != TN_OK || !tn_limits_passed_between(sim, *taken, &when))
            break;
        const double whole = *taken;
        status = trial(sim, span, when, report);
        f = status == TN_OK ? event_function(sim, span->step) - span->target : 0.0;
        *taken = when;
        if (status != TN_OK || f > TN_LIMIT_TOLERANCE - span->target)
            continue;
        *taken = whole; /* only the polynomial did */
        return trial(sim, span, whole, report);
    }
    return status;
}

/* What came back to its limit so often that it was kept there may pull by the end of the step, and
 * an event is located to its tolerance only: what is told, and what the next step begins with, is
 * decided anew. */
static tn_status let_go_at_end(tn_sim *sim, double step, tn_step_report *report)
{
    if (sim->state.head->limited == 0 || !tn_limits_reconsider(sim, step))
        return TN_OK;
    tn_status status = sim->traits.accelerations ? sim->method->start(sim, step, report) : TN_OK;
    if (status == TN_OK) /* of the velocities with which the method has started */
        status = tn_limits_acceleration(sim, report);
    tn_keep_reaction_kinematics(sim);
    tn_drives_tell(sim);
    tn_round_note(sim, 0.0);
    tn_drives_power(sim);
    return status;
}

static tn_status from_event_to_event(tn_sim *sim, tn_span span, tn_step_report *report)
{
    const int32_t most = sim->traits.divides_steps
                             ? TN_MAX_BOUNCES
                             : TN_MAX_EVENTS + TN_EVENTS_PER_LIMIT * sim->state.head->limited +
                                   sim->state.head->breakable;
    begin(sim, span.step);
    for (int32_t event = 0; event < most && span.remaining > 0.0; event++) {
        double taken = 0.0, error = 0.0;
        bool met = false;
        tn_state_copy(&sim->mark, &sim->state);
        tn_limits_begin_part(sim);
        tn_status status = leap(sim, &span, &taken, report);
        if (status != TN_OK)
            return status;
        status = find_event(sim, &span, &taken, &met, report);
        if (status != TN_OK && take_back(sim, &span, taken, report))
            continue;
        if (met && status == TN_OK) /* the part is another now */
            tn_judge_part(sim, span.method, taken, &error, report);
        if (status == TN_OK &&
            span.method->judge_part) /* turns of its steps are any, of parts not */
            status = tn_lines_check(sim, &sim->mark, report);
        if (status == TN_OK)
            tn_judge_keep(sim, report);
        tn_limits_end_part(sim, taken);
        sim->event_time += taken;
        span.remaining -= taken;
        if (status == TN_OK)
            status = tn_limits_bring_back(sim, report);
        if (status == TN_OK && met)
            status = resolve_and_account(sim, &span, report);
        if (status != TN_OK)
            return status;
        if (!met && span.remaining > 0.0) { /* what came before is over */
            begin(sim, span.step);
            span.target = 0.0;
            event = -1;
        }
    }
    return span.remaining > 0.0 ? TN_ERROR_NOT_CONVERGED : let_go_at_end(sim, span.step, report);
}

/* Without events: a step, whose bounds its own solves keep. */
static tn_status whole(tn_sim *sim, const tn_method *method, const tn_state *from, double h,
                       tn_step_report *report)
{
    double error = 0.0;
    tn_at_steps_begin(sim);
    tn_judge_begin(sim, from, h);
    tn_status status = plain(sim, method, h, report);
    if (status == TN_OK)
        status = verdict(sim, method, h, &error, report);
    if (status != TN_OK)
        return status;
    tn_judge_keep(sim, report);
    tn_at_steps_end(sim, h);
    return TN_OK;
}

/* As many of them as a step is to be taken in. */
static tn_status wholes(tn_sim *sim, const tn_method *method, double h, tn_step_report *report)
{
    const double size = sim->state.head->part_size;
    const int parts = size > 0.0 && size < h ? (int)lround(h / size) : 1;
    tn_status status = parts == 1 ? whole(sim, method, &sim->backup, h, report) : TN_OK;
    for (int k = 0; k < parts && parts > 1 && status == TN_OK; k++) {
        tn_state_copy(&sim->mark, &sim->state);
        status = whole(sim, method, &sim->mark, h / parts, report);
    }
    return status;
}

/* Nothing can happen within the step, and the last one went well: the state before it, sim->backup,
 * is all there is to go back to. */
static bool is_plain(const tn_sim *sim, const tn_method *method)
{
    const tn_state_head *head = sim->state.head;
    return !may_have_events(sim) && !method->judge_part && !head->restart && head->part_size == 0.0;
}

static tn_status with_care(tn_sim *sim, const tn_method *method, double h, tn_step_report *report)
{
    if (sim->state.head->restart) {
        const tn_status status = tn_restart(sim, h, report);
        if (status != TN_OK)
            return status;
        tn_update_coordinates(sim, 0.0);
    }
    return from_event_to_event(sim, (tn_span){method, h, h, h, 0.0}, report);
}

/* The step in one part; and where that is not accurate, in as many as it takes. */
static tn_status at_once(tn_sim *sim, const tn_method *method, double h, tn_step_report *report)
{
    tn_judge_begin(sim, &sim->backup, h);
    tn_status status = plain(sim, method, h, report);
    double error = 0.0;
    if (status == TN_OK)
        status = verdict(sim, method, h, &error, report);
    if (status == TN_OK)
        tn_judge_keep(sim, report);
    if (status != TN_ERROR_INACCURATE || sim->only_whole)
        return status;
    tn_state_copy(&sim->state, &sim->backup);
    sim->sys.lead = 0.0;
    tn_refresh_kinematics(sim);
    tn_halving_take(sim, 0.5 * h, status);
    report->halvings++;
    return with_care(sim, method, h, report);
}

static tn_status by_any_way(tn_sim *sim, const tn_method *method, double h, tn_step_report *report)
{
    if (tn_at_steps(sim))
        return wholes(sim, method, h, report);
    if (is_plain(sim, method))
        return at_once(sim, method, h, report);
    return with_care(sim, method, h, report);
}

tn_status tn_advance(tn_sim *sim, const tn_method *method, double h, tn_step_report *report)
{
    const tn_status status = by_any_way(sim, method, h, report);
    return status == TN_OK ? tn_judge_end(sim, method, h, report) : status;
}
