/* parts.c: room method/stages: how long the parts of a step may be that are taken by the methods of
 * rkmk.c, whose errors are of order p.
 *
 * In: the error of the last part in units of the tolerance, and of the one before. Out: the length
 * of the next, by the PI controller of Gustafsson (Hairer, Wanner II, IV.2),
 *     h_new = h min(5, max(1/5, 0.9 e^(-0.7/p) e_before^(0.4/p))),
 * not longer after a rejection. A part turns no body by more than a radian, so that turns are
 * counted and laws of springs that turn are right at every stage. What stiffness or speed would
 * cut into more parts than TN_MOST_PARTS is refused.
 */
#include <float.h>
#include <math.h>

#include "real/real.h"
#include "tenon/limits.h"

#include "law/impact/impact.h"
#include "law/event_laws.h"
#include "method/method.h"
#include "method/stages/rkmk.h"
#include "motion/ahead/refusals.h"
#include "motion/closing/project.h"

/* Parts of a step, rejected ones too. A pendulum's swing takes some fifty at 1e-9. */
#define TN_MOST_PARTS 1000

/* rad: the furthest that a body may be expected to turn in a part. */
#define TN_MOST_TURN 1.0

/* Shorter than this share of what is to be done: no number of parts would get there. */
#define TN_SHORTEST_PART 1e-10
/* Nor where the time does not tell a part's end from its start: the motion ends there, at a dead point say. */
#define TN_NO_TIME DBL_EPSILON

/* The controller: safety, smallest and largest change, exponents of this error and the last, of
 * which errors of order p take the p-th part. */
#define TN_SAFETY       0.9
#define TN_SHRINK       0.2
#define TN_GROW         5.0
#define TN_THIS         0.7
#define TN_BEFORE       0.4
#define TN_NO_ERROR     1e-4 /* errors below count as this when they are the last */
#define TN_ASTRAY_TRIES 3    /* next to a fold: stages rarely meet it so often in a row */
#define TN_FAILED       0.25 /* a part that could not be taken at all is tried with this share of it */

static tn_course *remembered(const tn_sim *sim)
{
    return tn_choice_course(sim);
}

/* A relative tolerance of all there is, or more, asks for whole steps. */
static int is_divided(const tn_sim *sim)
{
    return sim->options.relative_tolerance < 1.0;
}

double tn_parts_first_length(const tn_sim *sim, double pace)
{
    const double change = sqrt(tn_rkmk_pace(sim, sim->state.udot).any);
    const double fastest = fmax(pace, change);
    return fastest > 0.0 ? tn_rkmk_followed(sim) / fastest : INFINITY;
}

/* s: behind the step no part ends that is so many times as long as first ones are; what moves evenly
 * allows any, but what is seen within is rounded as its whole way. */
#define TN_FURTHEST 20.0
static double furthest(const tn_sim *sim, double pace, double remaining)
{
    const double length = TN_FURTHEST * tn_parts_first_length(sim, pace);
    return length < TN_LONGEST_STEP ? fmax(length, remaining) : remaining;
}

static double clamp(double value, double lowest, double highest)
{
    return fmin(fmax(value, lowest), highest);
}

/* How fast a body answers to its damping, 1/s; frame damping acts at its origin. */
static double rate_of_body(const tn_model_body *body)
{
    const tn_motion_subspace *space = tn_motion_subspace_get(body->kind);
    const double turning =
        body->rotary_damping + body->frame_damping * v3_dot(body->com, body->com);
    double rate = 0.0;
    for (int32_t k = 0; k < body->dim; k++) {
        rate = fmax(rate, (space->column[k] < 3 ? body->frame_damping : turning) *
                              body->inverse_inertia[k]);
    }
    return rate;
}

/* And to the rows of an element that yield: sqrt(A / C) and D A with A the inverse of the mass that
 * a row moves. */
static double rate_of_element(const tn_sim *sim, int32_t j)
{
    const tn_switches *s = &sim->state.switches[j];
    double rate = 0.0;
    for (int32_t n = 0; n < s->active_count; n++) {
        const int32_t row = s->active[n];
        const double A = sim->model->joints[j].row_scale[row], C = s->compliance[row];
        if (C > 0.0)
            rate = fmax(rate, fmax(sqrt(A / C), s->damping[row] * A));
    }
    return rate;
}

/* The culprit is what is stiffest, if anything answers faster than the bodies turn, or a line that comes to its end
 * faster still, where it has no direction to act in: sooner than the shortest parts that the rest has room for. */
static tn_status refuse(const tn_sim *sim, double remaining, tn_step_report *report)
{
    double worst = tn_rkmk_pace(sim, sim->state.u).any;
    report->culprit_body.i = report->culprit_joint.i = -1;
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const double rate = rate_of_body(&sim->model->bodies[i]);
        if (rate > worst) {
            worst = rate;
            report->culprit_body.i = i;
        }
    }
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const double rate = rate_of_element(sim, j);
        if (rate > worst) {
            worst = rate;
            report->culprit_body.i = -1;
            report->culprit_joint.i = j;
        }
    }
    int32_t line;
    const double rate = tn_lines_rate(sim, &line);
    if (rate <= worst || rate * remaining <= TN_MOST_PARTS)
        return TN_ERROR_STIFF;
    report->culprit_body.i = -1;
    report->culprit_joint.i = line;
    return TN_ERROR_SINGULAR;
}

static int32_t parts_left(const tn_sim *sim, const tn_step_report *report)
{
    return TN_MOST_PARTS + sim->knots - report->parts - report->rejections;
}

tn_status tn_parts_begin(tn_sim *sim, double remaining, tn_part *part, tn_step_report *report)
{
    const tn_pace pace = tn_rkmk_pace(sim, sim->state.u);
    tn_choice_begin(sim, remaining, report);
    const double known = remembered(sim)->size;
    const double size = fmin(known > 0.0 ? known : tn_parts_first_length(sim, pace.any),
                             pace.turn > 0.0 ? TN_MOST_TURN / pace.turn : INFINITY);
    *part = (tn_part){remaining, remaining, known, 0};
    if (!is_divided(sim))
        return TN_OK;
    if (tn_rkmk_of(sim)->looks) {
        part->length = fmin(size, furthest(sim, pace.any, remaining));
    } else if (size < remaining) { /* no scrap at the end */
        part->length = fmin(size, 0.5 * remaining);
    }
    return parts_left(sim, report) <= 0 ||
                   pace.turn * remaining > TN_MOST_TURN * parts_left(sim, report)
               ? refuse(sim, remaining, report)
               : TN_OK;
}

/* What the end of the step cuts short says little about longer parts. */
static void remember(tn_sim *sim, const tn_part *part)
{
    tn_course *last = remembered(sim);
    const double e = tn_rkmk_of(sim)->error, before = fmax(last->error, TN_NO_ERROR);
    const double p = tn_rkmk_of(sim)->tableau->order;
    const double factor = TN_SAFETY * tn_pow(e, -TN_THIS / p) * tn_pow(before, TN_BEFORE / p);
    const double next = part->length * clamp(factor, TN_SHRINK, part->rejected ? 1.0 : TN_GROW);
    last->size = part->rejected || part->length >= part->known ? next : fmax(next, part->known);
    last->error = e;
}

static void note_length(double length, double *shortest, double *longest)
{
    *shortest = *longest == 0.0 ? length : fmin(*shortest, length);
    *longest = fmax(*longest, length);
}

static tn_part_history *history_of(const tn_sim *sim, tn_step_report *report)
{
    const bool implicit = tn_rkmk_of(sim)->tableau->gamma > 0.0;
    return &report->history[implicit ? TN_PARTS_IMPLICIT : TN_PARTS_EXPLICIT];
}

static void note_taken(const tn_sim *sim, double length, tn_step_report *report)
{
    tn_part_history *history = history_of(sim, report);
    report->parts++;
    history->taken++;
    note_length(length, &report->shortest_part, &report->longest_part);
    note_length(length, &history->shortest, &history->longest);
}

static void note_rejected(const tn_sim *sim, tn_status status, tn_step_report *report)
{
    tn_part_history *history = history_of(sim, report);
    report->rejections++;
    history->off += status == TN_OK;
    history->unbalanced += status == TN_ERROR_INACCURATE;
    history->unsolved += status != TN_OK && status != TN_ERROR_INACCURATE;
}

/* Another length for one that is rejected. Where rounding near a fold shows in what comes out, one
 * of the stages is too near it: any other length will do, and parts shorter and shorter would end
 * there; unless that does not help. */
static double retry(const tn_sim *sim, const tn_part *part, double e)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    if (r->astray > 1.0 && part->rejected <= TN_ASTRAY_TRIES)
        return TN_SAFETY;
    return clamp(TN_SAFETY * tn_pow(e, -1.0 / r->tableau->order), TN_SHRINK, TN_SAFETY);
}

/* With one estimate of its error a method takes rounding near a fold for the motion's own: parts shorter and
 * shorter, of this share of what the motion there asks for and less, end there, and what comes out is made of
 * rounding: of speeds TN_CLOSED / x at a distance x, and x = sqrt(E) is where rows count as repetitions. Ten parts
 * may come to that, and each may err by half of it. */
#define TN_FAR_TOO_SHORT 1e-2
static bool ends_at_fold(const tn_sim *sim, const tn_part *part, const tn_step_report *report)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    const double told = 0.5 * TN_CLOSED / sqrt(TN_EPSILON) / TN_CLEAR;
    return !r->chooses && !r->tableau->has_two_errors && r->closes && report->folds > 0 &&
           sim->options.relative_tolerance < told &&
           part->length < TN_FAR_TOO_SHORT * tn_parts_first_length(sim, r->pace);
}

static tn_status refuse_fold(const tn_sim *sim, double error, tn_step_report *report)
{
    report->imbalance = TN_IMBALANCE_ROUNDING;
    report->allowed = sim->options.relative_tolerance;
    report->unbalanced = error * report->allowed;
    report->culprit_joint = report->fold_joint;
    return TN_ERROR_INACCURATE;
}

/* A part that was begun as one in which nothing happens: does something, or may it, when? s; NaN, INFINITY: it is not known. */
static bool is_reached(tn_sim *sim, const tn_part *part, tn_status status, double *when)
{
    if (status != TN_OK || !tn_rkmk_of(sim)->is_clear || !tn_events_possible(sim))
        return false;
    *when = (double)NAN;
    if (tn_events_beyond(sim, sim->step) > TN_LIMIT_TOLERANCE) {
        *when = tn_events_first(sim, 0.0, part->length);
        return true;
    }
    return tn_events_passed(sim, part->length, when) || tn_events_nearly(sim);
}

/* To what comes before that, if it is behind the step; else by the method for parts in which something happens. */
static void end_before(tn_sim *sim, tn_part *part, double when)
{
    if (TN_SAFETY * when > part->remaining && when <= part->length)
        part->length = TN_SAFETY * when;
    else
        tn_choice_lower(sim, part);
}

static bool has_time(const tn_sim *sim, const tn_part *part)
{
    return part->length > TN_NO_TIME * fabs(sim->event_time);
}

/* No shorter part would do. Where the motion has no time near weak rows it ends at them. */
static tn_status give_up(const tn_sim *sim, const tn_part *part, tn_status status,
                         tn_step_report *report)
{
    const bool ends = status == TN_OK && !has_time(sim, part) && report->folds > 0;
    if (status == TN_OK || parts_left(sim, report) <= 0)
        status = refuse(sim, part->remaining, report);
    if (ends) {
        report->culprit_body.i = -1;
        report->culprit_joint = report->fold_joint;
    }
    return status;
}

int tn_parts_judge(tn_sim *sim, tn_part *part, tn_status *status, tn_step_report *report)
{
    const double e = tn_rkmk_larger(tn_rkmk_of(sim)->error, tn_rkmk_of(sim)->astray);
    double when;
    const bool reached = is_reached(sim, part, *status, &when);
    if (*status == TN_OK && !reached && (e <= 1.0 || !is_divided(sim))) {
        note_taken(sim, part->length, report);
        if (is_divided(sim)) {
            remember(sim, part);
            tn_choice_taken(sim, part->length, report);
        }
        return 1;
    }
    if (!is_divided(sim) || tn_is_final(*status))
        return 1;
    note_rejected(sim, *status, report);
    part->rejected++;
    if (*status == TN_OK && ends_at_fold(sim, part, report)) {
        *status = refuse_fold(sim, e, report);
        return 1;
    }
    if (reached) {
        end_before(sim, part, when);
    } else {
        part->length *= *status == TN_OK && isfinite(e) ? retry(sim, part, e) : TN_FAILED;
        tn_choice_rejected(sim, part, *status);
    }
    if (parts_left(sim, report) > 0 && has_time(sim, part) &&
        part->length >= TN_SHORTEST_PART * part->remaining)
        return 0;
    *status = give_up(sim, part, *status, report);
    return 1;
}

tn_status tn_parts_start(tn_sim *sim, double h, tn_step_report *report)
{
    (void)h;
    const tn_state_head *head = sim->state.head;
    ((tn_choice *)sim->state.memory)->kept = 0;
    return head->drive_count > 0 || head->limited > 0 ? tn_impact_accelerate(sim, report)
                                                      : tn_solve_acceleration(sim, report);
}

size_t tn_parts_memory_size(const tn_model *model)
{
    return sizeof(tn_choice) + sizeof(double) * TN_MOST_TOGETHER * (size_t)model->size.velocities;
}
