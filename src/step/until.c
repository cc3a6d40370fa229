/* until.c: room step: steps until a time.
 *
 * In: a simulation, a time to come. Out: the simulation at that time, or at the last one that could
 * be reached, and one report of all steps. An integrator that controls its errors is asked for all
 * that remains at once; where that are too many parts for a step (TN_ERROR_STIFF), or too much work
 * for one (TN_ERROR_WORK), steps get shorter, and longer again where parts are few. Others take steps of the model's length.
 */
#include <float.h>
#include <math.h>

#include "tenon/limits.h"

#include "tenon/results.h"
#include "method/method.h"
#include "motion/kinematics.h"

/* Parts of steps until the time, rejected ones too: hours of work, and what goes on is no progress.
 */
#define TN_MOST_PARTS_IN_ALL 10000000

/* A step that has too many parts is tried again with this share of it, but for what is left of the
 * time no shorter than the other. */
#define TN_SHORTER        0.0625
#define TN_SHORTEST_SHARE 1e-9
/* Between two steps that were too much work at least this share of what remains was covered: what
 * stalls, at a dead point that a motor drives into say, is as much work in steps of any length. */
#define TN_LEAST_PROGRESS 1e-3
/* One that had fewer than these is followed by one of twice its length. */
#define TN_FEW_PARTS 250

/* Of the time: what rounding leaves of it is no step. */
#define TN_NO_TIME (4.0 * DBL_EPSILON)

/* The last step may be this much longer than the others, relative: no scrap at the end. */
#define TN_NO_SCRAP 1e-6

static double remaining_of(const tn_sim *sim, double time)
{
    const double left = time - sim->state.head->time;
    return left > TN_NO_TIME * fabs(time) ? left : 0.0;
}

static double larger(double a, double b)
{
    return fmax(a, b);
}

static void add_counts(tn_step_report *sum, const tn_step_report *step)
{
    sum->iterations += step->iterations;
    sum->factorizations += step->factorizations;
    sum->solves += step->solves;
    sum->fallbacks += step->fallbacks;
    sum->halvings += step->halvings;
    sum->parts += step->parts;
    sum->implicit_parts += step->implicit_parts;
    sum->rejections += step->rejections;
    sum->events += step->events;
    sum->folds |= step->folds;
    sum->sweeps += step->sweeps;
    sum->energy_made += step->energy_made;
}

static void add_history(tn_part_history *sum, const tn_part_history *step)
{
    if (step->taken > 0)
        sum->shortest = sum->taken == 0 ? step->shortest : fmin(sum->shortest, step->shortest);
    sum->longest = fmax(sum->longest, step->longest);
    sum->taken += step->taken;
    sum->off += step->off;
    sum->unsolved += step->unsolved;
    sum->unbalanced += step->unbalanced;
}

/* Lengths of parts, and the nearest fold. */
static void add_least(tn_step_report *sum, const tn_step_report *step)
{
    if (step->parts > 0) {
        sum->shortest_part = sum->longest_part == 0.0
                                 ? step->shortest_part
                                 : fmin(sum->shortest_part, step->shortest_part);
    }
    sum->longest_part = larger(sum->longest_part, step->longest_part);
    for (int k = 0; k < TN_PARTS_KIND_COUNT; k++)
        add_history(&sum->history[k], &step->history[k]);
    sum->smallest_pivot = fmin(sum->smallest_pivot, step->smallest_pivot);
    if (step->folds && !(sum->fold_joint.i >= 0 && sum->fold_distance <= step->fold_distance)) {
        sum->fold_distance = step->fold_distance;
        sum->fold_joint = step->fold_joint;
    }
}

/* What a step says of its end, and the worst of all ends. */
static void add_end(tn_step_report *sum, const tn_step_report *step)
{
    if (step->status != TN_OK || step->position_error >= sum->position_error)
        sum->worst_joint = step->worst_joint;
    sum->position_error = larger(sum->position_error, step->position_error);
    sum->angle_error = larger(sum->angle_error, step->angle_error);
    sum->sweep_residual = larger(sum->sweep_residual, step->sweep_residual);
    sum->energy_share = larger(sum->energy_share, step->energy_share);
    sum->gap = larger(sum->gap, step->gap);
    sum->gap_angle = larger(sum->gap_angle, step->gap_angle);
    sum->skipped_rows = step->skipped_rows;
    sum->culprit_body = step->culprit_body;
    sum->culprit_joint = step->culprit_joint;
    sum->culprit_load = step->culprit_load;
    sum->imbalance = step->imbalance;
    sum->unbalanced = step->unbalanced;
    sum->allowed = step->allowed;
    sum->status = step->status;
}

/* Does a step fail for its length only? A shorter one does less. */
static bool is_too_long(tn_status status)
{
    return status == TN_ERROR_STIFF || status == TN_ERROR_WORK;
}

static void add(tn_step_report *sum, const tn_step_report *step)
{
    add_counts(sum, step);
    add_least(sum, step);
    if (!is_too_long(step->status))
        add_end(sum, step);
}

/* The log of a step behind that of the steps before. */
static void add_events(tn_event_log *all, const tn_event_log *step)
{
    for (int32_t k = 0; k < step->count && k < TN_EVENTS_KEPT; k++) {
        if (all->count + k < TN_EVENTS_KEPT)
            all->events[all->count + k] = step->events[k];
    }
    all->count += step->count;
}

/* The next step of what remains: none of scraps. */
static double length_of(double remaining, double longest)
{
    return remaining <= (1.0 + TN_NO_SCRAP) * longest ? remaining : longest;
}

/* Steps on the way to a time. */
typedef struct tn_way {
    double longest; /* s, of the next step */
    double stalled; /* s, the time at which the last one that was too much work had ended */
} tn_way;

/* Has too much work stopped within so little of the way since the last time that the rest would take
 * for ever? */
static bool stalls(const tn_sim *sim, const tn_step_report *step, double remaining, tn_way *way)
{
    if (step->status != TN_ERROR_WORK)
        return false;
    const double reached = sim->event_time, covered = reached - way->stalled;
    way->stalled = reached;
    return covered <= TN_LEAST_PROGRESS * remaining;
}

/* Was the step too long only? The next one is shorter then. */
static bool shorten(const tn_sim *sim, const tn_step_report *step, const tn_step_report *sum,
                    double remaining, double h, tn_way *way)
{
    if (!is_too_long(step->status) || h <= TN_SHORTEST_SHARE * remaining ||
        sum->parts + sum->rejections > TN_MOST_PARTS_IN_ALL || stalls(sim, step, remaining, way))
        return false;
    way->longest = TN_SHORTER * h;
    return true;
}

tn_status tn_sim_advance(tn_sim *sim, double time, tn_step_report *report)
{
    tn_step_report local, step;
    report = report ? report : &local;
    *report = tn_empty_report();
    TN_COME_IN(sim, report->status = TN_ERROR_BUSY);
    if (!sim || !isfinite(time) || remaining_of(sim, time) == 0.0)
        return report->status = TN_ERROR_ARGUMENT;
    const bool divides = sim->method->judge_part && sim->options.relative_tolerance < 1.0;
    tn_way way = {divides ? INFINITY : tn_model_simulation(sim->model)->step, -INFINITY};
    tn_event_log log = {.count = 0};
    if (remaining_of(sim, time) > TN_MOST_STEPS * way.longest)
        return report->status = TN_ERROR_WORK;
    for (double left = remaining_of(sim, time); left > 0.0; left = remaining_of(sim, time)) {
        const double h = length_of(left, way.longest);
        const tn_status status = tn_sim_step(sim, h, &step);
        add(report, &step);
        add_events(&log, &sim->log);
        if (status == TN_OK && divides && step.parts + step.rejections < TN_FEW_PARTS)
            way.longest = 2.0 * h;
        if (status != TN_OK && !(divides && shorten(sim, &step, report, left, h, &way))) {
            add_end(report, &step);
            break;
        }
    }
    sim->log = log;
    return report->status;
}

tn_status tn_sim_take_step(tn_sim *sim, double h, tn_step_report *report)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    TN_DEMAND(sim, TN_ERROR_ARGUMENT);
    const double now = sim->state.head->time;
    const tn_status status = tn_sim_step(sim, h, report);
    return is_too_long(status) && sim->options.accuracy > 0.0 ? tn_sim_advance(sim, now + h, report)
                                                              : status;
}
