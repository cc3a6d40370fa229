/* breaks.c: room law: joints that break under their load.
 *
 * In: a state, its multipliers. A joint with a threshold is switched off when the force or the
 * moment at its frame C, all that it carries counted, exceeds it. How far the worst joint is from
 * that is part of the event function (event_laws.h), so that a joint breaks at the instant its load
 * reaches the threshold, and what its load falls on after that, in the same step. The steppers of
 * first order break joints at the end of a step: their multipliers in a part of one also close what
 * the step before left of the velocities, and grow as the part shrinks. Impacts, which have no load
 * but an impulse, break nothing.
 *
 * Near a change point loads have a pole. Within 3e-3 rad of it rounding hides their values: they are extrapolated
 * from samples farther away (poles.h). The lengths of sub-steps are chosen so that these samples exist.
 *
 * Limits: a load may pass its threshold and return within a sub-step. Runge-Kutta methods search their stages and the
 * times between these (within.h); other methods check loads at the ends of steps only, and not within 3e-3 rad of a
 * change point. Steps that may have come so near are counted, and the verdict on the run is then not "within". After one
 * joint has broken on the way to a change point, the loads of the others are not extrapolated there.
 */
#include <math.h>

#include "assemble/elements.h"
#include "base/base.h"
#include "law/breaks.h"
#include "law/poles.h"
#include "law/switches.h"
#include "motion/ahead/fold_ahead.h"
#include "motion/kinematics.h"

/* A load of twice the threshold is as far off as this distance (m): 1e-7 of a threshold, which is
 * what the multipliers of a millisecond's step are good for, is then the deadband of limits.h. */
#define TN_BREAK_DISTANCE 1e-3

/* Events are located where a load exceeds its threshold by this share of it, to half of that: no joint breaks below
 * its threshold. */
#define TN_JUST_BEYOND 2e-10

/* Loads this close to their thresholds, relative, break together: what twins differ by. */
#define TN_SAME_LOAD 1e-9

/* What a joint carries, at frame C, against its thresholds; of the two that which is nearer. */
typedef struct tn_carried {
    double value, threshold; /* N or N m */
} tn_carried;

static double share_of(tn_carried load)
{
    return load.value / load.threshold;
}

/* Of an element that can break, else nothing that does. */
static tn_carried load_of(const tn_sim *sim, int32_t j)
{
    const tn_switches *s = &sim->state.switches[j];
    if (!tn_state_is_on(sim->model, &sim->state, j) ||
        (isinf(s->break_force) && isinf(s->break_torque)))
        return (tn_carried){0.0, 1.0};
    const tn_wrench load = tn_element_ops_of(&sim->sys, j)->load(&sim->sys, &sim->state, j);
    const tn_carried force = {v3_norm(load.f), s->break_force};
    const tn_carried moment = {v3_norm(load.m), s->break_torque};
    return share_of(moment) > share_of(force) ? moment : force;
}

/* Can a joint break within a step? */
static bool are_events(const tn_sim *sim)
{
    return sim->state.head->breakable > 0 && sim->traits.accelerations;
}

/* The distance of a pose from the change point near which loads are not known, rad or lengths; INFINITY: they are
 * known. It is computed only where a load exceeds a share of what breaks its joint, or on the way to a pole. */
static double untold(tn_sim *sim, double share, bool on_the_way)
{
    const double told = tn_fold_told_from(sim);
    double worst = 0.0;
    for (int32_t j = 0; j < sim->model->element_count; j++)
        worst = fmax(worst, share_of(load_of(sim, j)));
    if (told < 0.0 || (worst <= share && !on_the_way))
        return INFINITY;
    tn_step_report report = tn_empty_report();
    const double distance = fmin(tn_fold_distance(sim, &report), tn_fold_of_loads(sim));
    if (distance < told)
        return distance;
    const double on = fabs(tn_poles_distance(sim, sim->now));
    return on < told / TN_CLEAR ? on : INFINITY;
}

/* Of what breaks element j, so near to a change point. */
static double share_at(const tn_sim *sim, int32_t j, double near)
{
    return near < INFINITY ? tn_poles_share(sim, j, near) : share_of(load_of(sim, j));
}

double tn_breaks_event(tn_sim *sim)
{
    const double beyond = 1.0 + TN_JUST_BEYOND;
    double worst = 0.0;
    if (!are_events(sim))
        return -INFINITY;
    const double near = untold(sim, beyond, tn_poles_any(sim));
    for (int32_t j = 0; j < sim->model->element_count; j++)
        worst = fmax(worst, share_at(sim, j, near));
    return TN_BREAK_DISTANCE * (worst - beyond);
}

bool tn_breaks_passed_between(const tn_sim *sim, double h, double *when)
{
    return are_events(sim) && tn_poles_passed(sim, h, when);
}

/* Poles are found from poses that span at least this share of the way on which loads are not known. So far apart the
 * poses differ by more than rounding, and the loads of the nearest one still have the accuracy 1e-16 / x^4. */
#define TN_POLE_WAY 0.1

double tn_breaks_longest(tn_sim *sim, tn_untold *untold, tn_step_report *report)
{
    *untold = (tn_untold){0.0, 0.0};
    if (!are_events(sim) || !sim->poles)
        return INFINITY;
    tn_state_copy(&sim->state, &sim->mark);
    const tn_fold_ahead ahead = tn_fold_look_ahead(sim, report);
    tn_state_copy(&sim->state, &sim->mark);
    tn_refresh_kinematics(sim);
    const bool inside = ahead.other < INFINITY && ahead.told == INFINITY;
    if (inside || tn_poles_on_the_way(sim))
        return fmin(ahead.half, ahead.other);
    tn_poles_clear(sim);
    if (ahead.told < INFINITY) {
        *untold =
            (tn_untold){ahead.told, fmax(ahead.told, TN_POLE_WAY * (ahead.other - ahead.told))};
        tn_breaks_note_pole(sim, 0.0, report);
    }
    return fmin(ahead.half, ahead.other);
}

static tn_wrench shares_of(const tn_sim *sim, int32_t j)
{
    const tn_switches *s = &sim->state.switches[j];
    if (!tn_state_is_on(sim->model, &sim->state, j))
        return (tn_wrench){v3(0.0, 0.0, 0.0), v3(0.0, 0.0, 0.0)};
    const tn_wrench load = tn_element_ops_of(&sim->sys, j)->load(&sim->sys, &sim->state, j);
    return (tn_wrench){v3_scale(1.0 / s->break_force, load.f),
                       v3_scale(1.0 / s->break_torque, load.m)};
}

void tn_breaks_note_pole(tn_sim *sim, double t, tn_step_report *report)
{
    tn_poles_note(sim, t, tn_fold_distance(sim, report), shares_of);
}

static int32_t break_beyond(tn_sim *sim, double share, double time)
{
    const double near =
        sim->state.head->breakable ? untold(sim, share, tn_poles_any(sim)) : INFINITY;
    int32_t broken = 0;
    for (int32_t j = 0; j < sim->model->element_count && sim->state.head->breakable; j++) {
        const double reached = share_at(sim, j, near);
        if (!(reached > share))
            continue;
        const double load = reached * load_of(sim, j).threshold;
        tn_switch_element(sim, j, 0);
        broken++;
        tn_event_log_add(&sim->log, (tn_event){TN_EVENT_JOINT_BROKE, time, {j}, -1, 0, load});
    }
    if (broken)
        tn_poles_clear(sim); /* those of a mechanism that is no more */
    return broken;
}

int32_t tn_breaks_at_event(tn_sim *sim)
{
    return are_events(sim) ? break_beyond(sim, 1.0 - TN_SAME_LOAD, sim->event_time) : 0;
}

void tn_breaks_at_end(tn_sim *sim)
{
    if (break_beyond(sim, 1.0, sim->state.head->time))
        sim->state.head->restart = 1;
}

/* Of steps of one length. */
static bool are_watched(const tn_sim *sim)
{
    return sim->state.head->breakable > 0 && sim->poles && !sim->traits.divides_steps &&
           tn_fold_told_from(sim) >= 0.0;
}

void tn_breaks_watch_from(tn_sim *sim, tn_step_report *report)
{
    if (!are_watched(sim) || (!sim->state.head->restart && tn_poles_begin(sim)))
        return;
    tn_refresh_kinematics(sim);
    tn_poles_end(sim, (tn_fold_end){tn_fold_distance(sim, report), tn_fold_pace(sim)});
    tn_poles_begin(sim);
}

/* A distance changes no faster than the fastest joint moves: on the way it was nowhere less than what is left of both
 * ends' when that has gone there and back. */
void tn_breaks_watch_to(tn_sim *sim, double h, tn_step_report *report)
{
    if (!are_watched(sim))
        return;
    const tn_fold_end end = {tn_fold_distance(sim, report), tn_fold_pace(sim)};
    const tn_fold_end start = tn_poles_end(sim, end);
    const double way = h * fmax(start.pace, end.pace);
    sim->state.head->tally.unwatched +=
        0.5 * (start.distance + end.distance - way) < tn_fold_told_from(sim);
}

tn_status tn_sim_set_break(tn_sim *sim, tn_joint joint, double force, double torque)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    const int32_t j = tn_sim_element(sim, joint);
    if (j < 0 || !(force > 0.0) || !(torque > 0.0) ||
        (j >= sim->model->joint_count && !isinf(torque)))
        return TN_ERROR_ARGUMENT;
    const tn_switches *now = &sim->state.switches[j];
    if (now->break_force == force && now->break_torque == torque)
        return TN_OK;
    tn_switches *s = tn_state_edit(&sim->state, j);
    s->break_force = force;
    s->break_torque = torque;
    tn_state_count_breakable(sim->model, &sim->state);
    sim->state.head->restart = 1;
    return TN_OK;
}

tn_status tn_sim_get_break(const tn_sim *sim, tn_joint joint, double *force, double *torque)
{
    const int32_t j = tn_sim_element(sim, joint);
    if (j < 0 || !force || !torque)
        return TN_ERROR_ARGUMENT;
    *force = sim->state.switches[j].break_force;
    *torque = sim->state.switches[j].break_torque;
    return TN_OK;
}
