/* ahead.c: room step/part: see ahead.h.
 *
 * In: a sub-step that ended after the end of the step, or a state in the middle of one. Out: the state at the end of
 * the step, or at the end of the sub-step, and how much of the step is left.
 */
#include "step/part/ahead.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "law/drives/drives.h"
#include "law/event_laws.h"
#include "motion/ahead/knots.h"
#include "motion/kinematics.h"
#include "step/part/judge.h"

/* Round-off of a time that has been added up, relative. */
#define TN_SAME_MOMENT (4.0 * DBL_EPSILON)

/* The sub-step taken last: its start and its end, as long as the workspace of the method still has its stages. */
struct tn_ahead {
    unsigned char *start; /* [start_size] */
    size_t start_size;
    tn_state end;
    bool known;
};

static size_t own_memory_size(const tn_sim *sim)
{
    return sim->method->memory_size ? sim->method->memory_size(sim->model) : 0;
}

/* Bytes of a state from which a sub-step starts: all up to the part of the method's memory that it reads. */
static size_t start_size(const tn_sim *sim)
{
    return tn_state_moving_size(sim->model) + sim->method->looks_from;
}

size_t tn_ahead_memory_size(const tn_sim *sim)
{
    return own_memory_size(sim) + (sim->method->look ? start_size(sim) : 0);
}

tn_status tn_ahead_create(tn_sim *sim)
{
    if (!sim->method->look)
        return TN_OK;
    tn_ahead *ahead = sim->ahead = TN_NEW(tn_ahead);
    if (!ahead)
        return TN_ERROR_MEMORY;
    ahead->start_size = start_size(sim);
    ahead->start = tn_alloc(1, ahead->start_size);
    return ahead->start ? tn_state_create(sim->model, sim->state.memory_size, &ahead->end)
                        : TN_ERROR_MEMORY;
}

void tn_ahead_destroy(tn_sim *sim)
{
    if (!sim->ahead)
        return;
    tn_state_destroy(&sim->ahead->end);
    tn_free(sim->ahead->start);
    tn_free(sim->ahead);
}

/* Where a state in the middle of a sub-step keeps the start of that sub-step; other states have zeros there. */
static unsigned char *start_in(const tn_sim *sim)
{
    return (unsigned char *)sim->state.memory + own_memory_size(sim);
}

static void clear_start(tn_sim *sim)
{
    memset(start_in(sim), 0, sim->ahead->start_size);
}

/* Copies which sub-step the state is in the middle of, and where in it. */
static void keep_under_way(tn_state_head *to, const tn_state_head *from)
{
    to->whole = from->whole;
    to->passed = from->passed;
    to->remained = from->remained;
    to->began = from->began;
    to->began_rest = from->began_rest;
}

void tn_ahead_forget(tn_sim *sim)
{
    tn_state_head *head = sim->state.head;
    if (!(head->whole > 0.0))
        return;
    keep_under_way(head, &(tn_state_head){.whole = 0.0});
    sim->ahead->known = false;
    clear_start(sim);
}

/* Restores the clock: the time of the state is that of the step. */
static void keep_clock(tn_sim *sim)
{
    sim->state.head->time = sim->backup.head->time;
    sim->state.head->time_rest = sim->backup.head->time_rest;
}

/* Figures of the verdict that samples have raised, and the group to check next, go to the state that continues. */
static void keep_figures(tn_state_head *to, const tn_state_head *seen)
{
    tn_tally *all = &to->tally;
    const tn_tally *some = &seen->tally;
    all->force = fmax(all->force, some->force);
    all->moment = fmax(all->moment, some->moment);
    all->open = fmax(all->open, some->open);
    all->pull = fmax(all->pull, some->pull);
    all->beyond = fmax(all->beyond, some->beyond);
    all->idle = fmax(all->idle, some->idle);
    all->exceeded_at = all->exceeded_at > 0.0 ? all->exceeded_at : some->exceeded_at;
    to->asked = seen->asked;
    to->steps_asked = seen->steps_asked;
}

/* A sub-step up to a sample, as a method takes it. */
static tn_status sample_within(tn_sim *sim, double t, tn_step_report *report)
{
    return sim->method->look(sim, sim->state.head->whole, t, report);
}

static const tn_method sampler = {.sums_work = true, .step = sample_within};

/* The state t seconds after sim->mark, the start of the sub-step taken last, verified like the end of a sub-step. In:
 * sim->state is that of sim->mark. */
static tn_status take_sample(tn_sim *sim, const tn_span *span, double t, tn_step_report *report)
{
    tn_step_report whole = *report; /* a copy: energy errors are reported of whole sub-steps only */
    double error = 0.0;
    sim->state.head->passed = t;
    tn_status status = tn_part_take(sim, &sampler, t, report);
    if (status == TN_OK)
        status = tn_part_judge(sim, span->method, t, &error, report);
    if (status == TN_OK && tn_events_beyond(sim, sim->step) > TN_LIMIT_TOLERANCE)
        status = TN_ERROR_INACCURATE; /* an event lies between both ends */
    if (status != TN_OK)
        return status;
    tn_judge_keep(sim, &whole);
    memcpy(sim->state.memory, sim->ahead->end.memory, own_memory_size(sim));
    memcpy(start_in(sim), sim->ahead->start, sim->ahead->start_size);
    keep_clock(sim);
    return TN_OK;
}

tn_status tn_ahead_take(tn_sim *sim, tn_span *span, double length, tn_step_report *report)
{
    tn_ahead *ahead = sim->ahead;
    tn_state_copy(&ahead->end, &sim->state);
    memcpy(ahead->start, sim->mark.block, ahead->start_size);
    ahead->known = true;
    tn_state_copy(&sim->state, &sim->mark);
    sim->sys.lead = 0.0;
    keep_under_way(sim->state.head, &(tn_state_head){.whole = length,
                                                     .remained = span->remaining,
                                                     .began = sim->event_time,
                                                     .began_rest = sim->event_rest});
    const tn_status status = take_sample(sim, span, span->remaining, report);
    if (status == TN_OK) {
        tn_time_pass(sim, span->remaining);
        span->remaining = 0.0;
    }
    return status;
}

static void take_start(tn_sim *sim)
{
    memcpy(sim->state.block, sim->ahead->start, sim->ahead->start_size);
    clear_start(sim);
    keep_clock(sim);
}

/* Sets the state and sim->mark to the start of the sub-step that the state is in the middle of. The values of drives
 * there are computed again; those of loads are stored. */
static void go_back(tn_sim *sim, const tn_span *span)
{
    take_start(sim);
    sim->sys.lead = 0.0;
    tn_refresh_kinematics(sim);
    sim->now = sim->stage_time = sim->event_time;
    sim->smooth_from = tn_knot_here(sim);
    tn_drives_move(sim, 0.0);
    tn_drives_power(sim, false);
    take_start(sim);
    tn_limits_begin_part(sim);
    tn_state_copy(&sim->mark, &sim->state);
    tn_judge_begin(sim, &sim->mark, span->step);
}

/* Takes the sub-step again from its start, which is the state: only the start was known. */
static tn_status take_again(tn_sim *sim, const tn_span *span, const tn_state_head *now,
                            tn_step_report *report)
{
    tn_span whole = *span;
    double taken = 0.0;
    whole.remaining = now->remained;
    const tn_status status = tn_span_leap(sim, &whole, &taken, report);
    if (status != TN_OK)
        return status;
    tn_judge_keep(sim, report);
    tn_state_copy(&sim->ahead->end, &sim->state);
    tn_state_copy(&sim->state, &sim->mark);
    sim->sys.lead = 0.0;
    sim->ahead->known = taken == now->whole;
    return sim->ahead->known ? TN_OK : TN_ERROR_INACCURATE;
}

/* Is the sub-step taken last the one that the state is in the middle of? */
static bool is_known(const tn_sim *sim)
{
    const tn_ahead *ahead = sim->ahead;
    return ahead->known && memcmp(ahead->start, start_in(sim), ahead->start_size) == 0;
}

static void go_to_end(tn_sim *sim)
{
    tn_state_copy(&sim->state, &sim->ahead->end);
    keep_clock(sim);
    sim->ahead->known = false;
    sim->sys.lead = 0.0;
    tn_refresh_kinematics(sim);
}

/* Continues from the state in the middle of a sub-step, whose head is `now`: through to its end, or to a sample in
 * it. */
static tn_status go_on(tn_sim *sim, tn_span *span, const tn_state_head *now, bool through,
                       tn_step_report *report)
{
    const bool known = is_known(sim);
    tn_status status = TN_OK;
    if (!known)
        memcpy(sim->ahead->start, start_in(sim), sim->ahead->start_size);
    if (!known || !through)
        go_back(sim, span);
    if (!known)
        status = take_again(sim, span, now, report);
    if (status == TN_OK && through) {
        go_to_end(sim);
    } else if (status == TN_OK) {
        keep_under_way(sim->state.head, now);
        status = take_sample(sim, span, now->passed + span->remaining, report);
    }
    keep_figures(sim->state.head, now);
    return status;
}

/* s: round-off of the sum of lengths that makes a time. */
static double rounding_of(const tn_sim *sim, const tn_state_head *now)
{
    return TN_SAME_MOMENT * (fabs(sim->event_time) + now->whole);
}

/* Sets the time to the end of the sub-step exactly as it was found: prescribed values may jump there. */
static void go_on_to_end(tn_sim *sim, tn_span *span, const tn_state_head *now)
{
    const double begin = sim->event_time, rest = sim->event_rest;
    sim->event_time = now->began;
    sim->event_rest = now->began_rest;
    tn_time_pass(sim, now->whole);
    sim->now = sim->stage_time = sim->event_time;
    span->remaining -= (sim->event_time - begin) + (sim->event_rest - rest);
}

tn_status tn_ahead_go_on(tn_sim *sim, tn_span *span, tn_step_report *report)
{
    const tn_state_head now = *sim->state.head;
    const double left = now.whole - now.passed, rounding = rounding_of(sim, &now);
    const double begin = sim->event_time, rest = sim->event_rest;
    const bool through = span->remaining >= left - rounding;
    if (!(now.whole > 0.0))
        return TN_OK;
    sim->event_time = now.began;
    sim->event_rest = now.began_rest;
    const tn_status status = go_on(sim, span, &now, through, report);
    sim->event_time = begin;
    sim->event_rest = rest;
    if (tn_is_final(status))
        return status;
    if (status != TN_OK) { /* the state then is not in the middle of a sub-step any more */
        tn_state_copy(&sim->state, &sim->backup);
        tn_ahead_forget(sim);
        sim->sys.lead = 0.0;
        tn_refresh_kinematics(sim);
        return TN_OK;
    }
    if (span->remaining > left + rounding) {
        go_on_to_end(sim, span, &now);
    } else {
        tn_time_pass(sim, span->remaining);
        span->remaining = 0.0;
    }
    return TN_OK;
}
