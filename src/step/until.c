/* until.c: room step: steps until a time.
 *
 * In: a simulation, a time to come. Out: the simulation at that time, or at the last one that could be reached, and
 * one report of all steps. An integrator that controls its errors takes all that remains as one step. If that needs
 * too many sub-steps (TN_ERROR_STIFF) or too much work (TN_ERROR_WORK) for one step, steps get shorter, and longer
 * again once sub-steps are few. Other integrators take steps of the model's length.
 */
#include <float.h>
#include <math.h>

#include "tenon/limits.h"

#include "tenon/results.h"
#include "method/method.h"
#include "motion/kinematics.h"

/* Most sub-steps until the time, rejected ones included: hours of work. More than these are no progress.
 */
#define TN_MOST_PARTS_IN_ALL 10000000

/* Factor by which a step with too many sub-steps is shortened, and the shortest step as a share of the time that
 * remains. */
#define TN_SHORTER        0.0625
#define TN_SHORTEST_SHARE 1e-9
/* Least share of the remaining time that must pass between two steps of too much work. Less is a stall, for example at
 * a dead point that a motor drives into: it is as much work in steps of any length. */
#define TN_LEAST_PROGRESS 1e-3
/* After a step of fewer sub-steps than these, the next one is twice as long. */
#define TN_FEW_PARTS 250

/* Round-off of the time, relative: less than this remaining is no step. */
#define TN_NO_TIME (4.0 * DBL_EPSILON)

/* The last step may be longer than the others by this, relative, so that no tiny step is left at the end. */
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

/* Keeps the least: lengths of sub-steps, and the distance to the nearest singular configuration. */
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

/* Keeps what a step reports of its end, and the largest values of all ends. */
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

/* Does a step fail only because it is long? */
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

/* Appends the events of a step to those of the steps before. */
static void add_events(tn_event_log *all, const tn_event_log *step)
{
    for (int32_t k = 0; k < step->count && k < TN_EVENTS_KEPT; k++) {
        if (all->count + k < TN_EVENTS_KEPT)
            all->events[all->count + k] = step->events[k];
    }
    all->count += step->count;
}

/* s, length of the next step; what would remain as a tiny step is added to it. */
static double length_of(double remaining, double longest)
{
    return remaining <= (1.0 + TN_NO_SCRAP) * longest ? remaining : longest;
}

/* The steps on the way to a time. */
typedef struct tn_way {
    double longest; /* s, of the next step */
    double stalled; /* s, the time at which the last step of too much work had ended */
} tn_way;

/* Has so little time passed since the last step of too much work that the rest would practically never end?
 */
static bool stalls(const tn_sim *sim, const tn_step_report *step, double remaining, tn_way *way)
{
    if (step->status != TN_ERROR_WORK)
        return false;
    const double reached = sim->event_time, covered = reached - way->stalled;
    way->stalled = reached;
    return covered <= TN_LEAST_PROGRESS * remaining;
}

/* Did the step fail only because it was too long? Then the next one is shorter. */
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
