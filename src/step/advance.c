/* advance.c: room step: takes a method from event to event.
 *
 * Without events this is one call of the method, or one for each sub-step that the method chooses (part.c).
 * With events, the first event of a sub-step is located (locate.c) and all that law/event_laws.h lists is
 * resolved there: coordinates at their limits are held and get their impacts, rows without force are
 * released, and the rest of the step follows.
 */
#include <float.h>
#include <math.h>

#include "step/advance.h"
#include "law/impact/impact.h"
#include "law/at_steps.h"
#include "law/breaks.h"
#include "law/drives/drives.h"
#include "law/event_laws.h"
#include "motion/ahead/knots.h"
#include "motion/kinematics.h"
#include "motion/closing/project.h"
#include "motion/ahead/refusals.h"
#include "step/event/locate.h"
#include "step/part/ahead.h"
#include "step/part/halving.h"
#include "step/part/judge.h"
#include "step/part/span.h"

/* Most events in one step. More than these are chatter, and the step is cut. */
#define TN_MAX_EVENTS       64
#define TN_EVENTS_PER_LIMIT 8

/* The same limit for methods that divide their steps: a ball of restitution 0.999 comes to rest in about ten
 * thousand bounces, which may all fall into one step. */
#define TN_MAX_BOUNCES 100000

/* Velocities and forces after an event. `hit`: limits were hit, so there is an impact to resolve. Methods meet the
 * speeds of held rows only to their order, so the projection makes a released row leave from rest. Methods of first
 * order keep the velocity errors of all other rows that turn: their next sub-step uses them to turn these rows
 * (backward_euler.c). */
static tn_status go_on(tn_sim *sim, const tn_span *span, int hit, tn_step_report *report)
{
    const double step = span->step, next = span->remaining > 0.0 ? span->remaining : step;
    const int driven = sim->state.head->drive_count > 0;
    tn_status status = TN_OK;
    if (hit)
        status = tn_impact_resolve(sim, step, report);
    else if (sim->traits.accelerations)
        status = tn_project_velocity(sim, report);
    else if (tn_limits_held(sim) > 0)
        status = tn_project_limits(sim, report);
    if (tn_limits_release_marked(sim) && status == TN_OK && driven)
        status = tn_project_velocity(
            sim, report); /* the prescribed motion acts again on what was released */
    if (status == TN_OK)
        status = sim->method->start(sim, next, report);
    tn_drives_tell(sim);
    tn_round_note(sim, 0.0);
    tn_drives_power(sim, false);
    return status;
}

/* Factor of the step: an event later than this after the last one is at another moment. */
#define TN_ONE_MOMENT 1e-6

/* Once time has passed, the counts of changes start anew: only what changes repeatedly at one moment stays held. */
static void forget_changes(tn_sim *sim, double taken, double step)
{
    if (sim->traits.divides_steps && taken > TN_ONE_MOMENT * step)
        tn_drives_forget_changes(sim);
}

/* Round-off of coordinates, relative to the largest. */
#define TN_ON_LIMITS (32.0 * DBL_EPSILON)

/* Corrects positions at a hit. The error of locating the hit would otherwise become a speed in the next sub-step.
 * Where F jumps that error is large, and one correction leaves joints open: a projection follows. Coordinates are
 * updated too: near a pole a small motion turns them far, and the step may end here. */
static tn_status put_on_limits(tn_sim *sim, double step, tn_step_report *report)
{
    const bool plain = !sim->traits.divides_steps && sim->state.head->drive_count == 0;
    if (plain && tn_measure_position(sim, report) <= TN_ON_LIMITS * tn_largest_coordinate(sim))
        return TN_OK;
    tn_status status = tn_correct_position(sim, step, report);
    if (status == TN_OK)
        status = tn_project_step(sim, step, sim->options.position_tolerance, report);
    tn_update_coordinates(sim, 0.0);
    return status;
}

/* Do the kinematics of the last trial differ from those at the event? They are the same only where nothing but hits
 * happened and the model has joints alone. */
static bool moves_kinematics(const tn_sim *sim, const tn_happened *happened)
{
    const bool joints = sim->model->element_count == sim->model->joint_count && !sim->pieces;
    return happened->changed > 0 || !joints || !sim->traits.accelerations ||
           sim->traits.divides_steps;
}

/* Forces jump after an event and at a start. Joints that these forces break do so at once, one after the other. */
static tn_status break_at_once(tn_sim *sim, const tn_span *span, tn_step_report *report)
{
    tn_status status = TN_OK;
    for (int32_t n = sim->state.head->breakable; n > 0 && status == TN_OK; n--) {
        if (!(tn_breaks_event(sim) > 0.0) || tn_breaks_at_event(sim) == 0)
            break;
        tn_refresh_kinematics(sim);
        status = go_on(sim, span, 0, report);
    }
    return status;
}

/* Resolves the event: coordinates at their limits are held and get their impacts, limits that pull are released. */
static tn_status resolve(tn_sim *sim, tn_span *span, tn_step_report *report)
{
    tn_happened happened = {0};
    report->events++;
    span->section = span->remaining;
    tn_status status = tn_events_happen(sim, span->step, &happened, report);
    if (status != TN_OK)
        return status;
    if (happened.hit == 0 && happened.changed == 0) {
        if (span->target == 0.0) {
            span->target = TN_LATER_TARGET;
            return TN_OK;
        }
        tn_events_insist(sim, &happened);
    }
    if (moves_kinematics(sim, &happened))
        tn_refresh_kinematics(sim);
    span->target = 0.0;
    if (happened.hit > 0)
        status = put_on_limits(sim, span->step, report);
    if (status == TN_OK)
        status = go_on(sim, span, happened.hit > 0, report);
    return status == TN_OK ? break_at_once(sim, span, report) : status;
}

/* Clears the records of what changed so often in the last step that it was kept from changing again. */
static void begin(tn_sim *sim, double step)
{
    tn_limits_begin_step(sim);
    tn_drives_begin_step(sim, step);
}

/* What an event changes at once: impacts, joints that break, connections that catch. */
static tn_status resolve_and_account(tn_sim *sim, tn_span *span, tn_step_report *report)
{
    const double before = tn_judge_energy(sim);
    tn_impact_take_lost(sim);
    const tn_status status = resolve(sim, span, report);
    if (status == TN_OK)
        tn_account_event(sim, before, report);
    return status;
}

/* The method could take the whole sub-step, but the trial of `tried` seconds to the event in it failed or was not
 * accurate. Does a method that divides its steps try a shorter one? */
static bool take_back(tn_sim *sim, tn_span *span, double tried, tn_status status,
                      tn_step_report *report)
{
    if (!span->method->judge_part)
        return false;
    tn_state_copy(&sim->state, &sim->mark);
    sim->sys.lead = 0.0;
    tn_part part = {tried, span->remaining, 0.0, 0};
    if (span->method->judge_part(sim, &part, &status, report))
        return false;
    span->longest = part.length;
    return true;
}

/* A coordinate that came back to its limit so often that it was kept there may pull by the end of the step, and an
 * event is located to its tolerance only. So the held limits are decided anew before the step reports its state and
 * the next step starts from it. */
static tn_status let_go_at_end(tn_sim *sim, double step, tn_step_report *report)
{
    if (sim->state.head->limited == 0 || !tn_limits_reconsider(sim, step))
        return TN_OK;
    sim->state.twin = NULL;
    tn_status status = sim->traits.accelerations ? sim->method->start(sim, step, report)
                                                 : tn_project_limits(sim, report);
    if (status == TN_OK) /* for the velocities with which the method has started */
        status = tn_impact_accelerate(sim, report);
    tn_keep_reaction_kinematics(sim);
    tn_drives_tell(sim);
    tn_round_note(sim, 0.0);
    tn_drives_power(sim, false);
    return status;
}

/* Restarts velocities and forces, since switches or prescribed values have changed. */
static tn_status begin_anew(tn_sim *sim, const tn_span *span, tn_step_report *report)
{
    tn_status status = tn_restart(sim, span->step, report);
    if (status != TN_OK)
        return status;
    tn_update_coordinates(sim, 0.0);
    const double before = tn_judge_energy(sim);
    status = break_at_once(sim, span, report);
    if (status == TN_OK)
        tn_account_jump(sim, before);
    return status;
}

/* Restarts where a table that prescribes a motion or a drive has a knot: speeds or forces jump there. */
static tn_status begin_at_knot(tn_sim *sim, const tn_span *span, tn_step_report *report)
{
    sim->smooth_from = sim->traits.divides_steps   ? tn_knot_here(sim)
                       : sim->traits.accelerations ? tn_bend_here(sim, span->step)
                                                   : -INFINITY;
    sim->smooth_to = INFINITY;
    if (isinf(sim->smooth_from))
        return TN_OK;
    tn_drives_tell_jumps(sim);
    return begin_anew(sim, span, report);
}

/* Copies the state at the start of a sub-step to sim->mark. `at_start`: nothing has moved since the step began. */
static void mark_start(tn_sim *sim, bool at_start)
{
    if (at_start && tn_same_edition(sim->state.edition, sim->backup.edition)) {
        tn_state_view(&sim->mark, &sim->backup, &sim->state);
    } else {
        tn_state_copy_start(sim->crew, &sim->state, &sim->backup);
        tn_state_copy_by(sim->crew, &sim->mark, &sim->state);
    }
    sim->from = &sim->mark;
}

/* Prepares a sub-step and marks its start, with which its end will be compared. */
static tn_status begin_part(tn_sim *sim, const tn_span *span, bool at_start, tn_step_report *report)
{
    tn_status status = begin_at_knot(sim, span, report);
    if (status != TN_OK)
        return status;
    tn_limits_begin_part(sim);
    tn_drive_knots_choose(sim);
    if (tn_pieces_begin_part(sim))
        status = sim->method->start(sim, span->remaining, report);
    mark_start(sim, at_start);
    return status;
}

/* Verifies the shortened sub-step that ends at an event. */
static tn_status judge_shorter(tn_sim *sim, const tn_span *span, double taken,
                               tn_step_report *report)
{
    double error = 0.0;
    sim->told = (tn_told){0};
    return tn_part_judge(sim, span->method, taken, &error, report);
}

/* A sub-step has ended after the end of the step. true: the state is now that at the end of the step, or the failure
 * is final. false: that state could not be found, and the sub-step is to be repeated so that it ends with the step. */
static bool ends_ahead(tn_sim *sim, tn_span *span, double taken, tn_status *status,
                       tn_step_report *report)
{
    *status = tn_ahead_take(sim, span, taken, report);
    if (*status == TN_OK || tn_is_final(*status))
        return true;
    tn_state_copy(&sim->state, &sim->mark);
    sim->sys.lead = 0.0;
    tn_refresh_kinematics(sim);
    span->longest = span->remaining;
    return false;
}

/* Releases held limits that a prescribed motion is about to move. Where the motion begins with neither speed nor
 * acceleration, no force or speed would release them. */
static tn_status give_way(tn_sim *sim, const tn_span *span, tn_step_report *report)
{
    double jump;
    const double way = fmin(span->remaining, tn_knot_ahead(sim, span->remaining, &jump));
    if (!tn_limits_set_out(sim, way, report))
        return TN_OK;
    const tn_status status = go_on(sim, span, 0, report);
    tn_state_copy_by(sim->crew, &sim->mark, &sim->state);
    return status;
}

/* Accepts a sub-step. Those of methods that divide their steps are checked for lines that turned too far; fixed steps
 * are not, since a user may choose them as coarse as he likes. */
static tn_status keep_part(tn_sim *sim, const tn_span *span, tn_step_report *report)
{
    const tn_status status =
        span->method->judge_part ? tn_lines_check(sim, &sim->mark, report) : TN_OK;
    if (status == TN_OK)
        tn_judge_keep(sim, report);
    return status;
}

/* `at_start`: nothing has moved since the step began. */
static tn_status from_event_to_event(tn_sim *sim, tn_span span, bool at_start,
                                     tn_step_report *report)
{
    const int32_t most = sim->traits.divides_steps
                             ? TN_MAX_BOUNCES
                             : TN_MAX_EVENTS + TN_EVENTS_PER_LIMIT * sim->state.head->limited +
                                   sim->state.head->breakable;
    begin(sim, span.step);
    tn_status status = tn_ahead_go_on(sim, &span, report);
    if (status != TN_OK)
        return status;
    for (int32_t event = 0; event < most && span.remaining > 0.0; event++) {
        double taken = 0.0, judged = 0.0;
        bool met = false;
        status = begin_part(sim, &span, at_start, report);
        at_start = false;
        if (status == TN_OK)
            status = give_way(sim, &span, report);
        if (status == TN_OK)
            status = tn_span_leap(sim, &span, &taken, report);
        if (status != TN_OK)
            return status;
        judged = taken;
        status = tn_span_find_event(sim, &span, &taken, &met, report);
        if (met && taken == 0.0 && status == TN_OK) { /* nothing has moved */
            status = resolve_and_account(sim, &span, report);
            sim->state.twin = NULL;
            if (status != TN_OK)
                return status;
            continue;
        }
        if ((met || taken != judged) && status == TN_OK)
            status = judge_shorter(sim, &span, taken, report);
        if (status != TN_OK && take_back(sim, &span, taken, status, report))
            continue;
        span.longest = INFINITY;
        if (status == TN_OK)
            status = keep_part(sim, &span, report);
        if (status == TN_OK && taken > span.remaining) {
            if (!ends_ahead(sim, &span, taken, &status, report))
                continue;
            return status;
        }
        tn_limits_end_part(sim, taken);
        forget_changes(sim, taken, span.step);
        tn_time_pass(sim, taken);
        span.remaining -= taken;
        if (status == TN_OK)
            status = tn_limits_bring_back(sim, report);
        if (status == TN_OK && met)
            status = resolve_and_account(sim, &span, report);
        if (status != TN_OK)
            return status;
        if (met || span.remaining > 0.0)
            sim->state.twin = NULL;         /* what was written is more than this sub-step */
        if (!met && span.remaining > 0.0) { /* no event is pending any more */
            begin(sim, span.step);
            span.target = 0.0;
            event = -1;
        }
    }
    return span.remaining > 0.0 ? TN_ERROR_NOT_CONVERGED : let_go_at_end(sim, span.step, report);
}

/* A step without events, of a method that keeps limits within its own solves. */
static tn_status whole(tn_sim *sim, const tn_method *method, const tn_state *from, double h,
                       tn_step_report *report)
{
    double error = 0.0;
    tn_at_steps_begin(sim);
    tn_judge_begin(sim, from, h);
    tn_status status = tn_part_take(sim, method, h, report);
    if (status == TN_OK)
        status = tn_part_judge(sim, method, h, &error, report);
    if (status != TN_OK)
        return status;
    tn_judge_keep(sim, report);
    tn_at_steps_end(sim, h);
    return TN_OK;
}

/* The same in as many equal sub-steps as the step is to be divided into. */
static tn_status wholes(tn_sim *sim, const tn_method *method, double h, tn_step_report *report)
{
    const double size = sim->state.head->part_size;
    const int parts = size > 0.0 && size < h ? (int)lround(h / size) : 1;
    tn_status status = parts == 1 ? whole(sim, method, &sim->backup, h, report) : TN_OK;
    for (int k = 0; k < parts && parts > 1 && status == TN_OK; k++) {
        tn_state_copy_by(sim->crew, &sim->mark, &sim->state);
        status = whole(sim, method, &sim->mark, h / parts, report);
    }
    return status;
}

/* Has a prescribed motion a bend where a step of h begins, or within it? */
static bool bends(const tn_sim *sim, double h)
{
    return sim->state.head->drive_count > 0 && sim->traits.accelerations &&
           (isfinite(tn_bend_here(sim, h)) || tn_bend_ahead(sim, h, h) <= h);
}

/* Does the step continue the last one, which succeeded whole, without a restart and without a bend? */
static bool goes_on(const tn_sim *sim, const tn_method *method, double h)
{
    const tn_state_head *head = sim->state.head;
    return !method->judge_part && !head->restart && head->part_size == 0.0 && !bends(sim, h);
}

/* The same, and no event is possible within it: a failure then needs no other state than sim->backup. */
static bool is_plain(const tn_sim *sim, const tn_method *method, double h)
{
    return !tn_events_possible(sim) && goes_on(sim, method, h);
}

bool tn_advance_shares_start(const tn_sim *sim, double h)
{
    const tn_method *method = sim->method;
    return method->shares_start && sim->state.sound &&
           tn_state_are_twins(&sim->state, &sim->backup) && !sim->pieces && !tn_at_steps(sim) &&
           goes_on(sim, method, h) && method->shares_start(sim, h);
}

static tn_status with_care(tn_sim *sim, const tn_method *method, double h, tn_step_report *report)
{
    const tn_span span = {method, h, h, h, 0.0, INFINITY};
    const bool at_start = goes_on(sim, method, h) && !sim->pieces;
    tn_status status = sim->state.head->restart ? begin_anew(sim, &span, report) : TN_OK;
    if (status == TN_OK)
        status = from_event_to_event(sim, span, at_start, report);
    tn_pieces_end(sim);
    tn_state_end_view(&sim->mark);
    sim->told.sound =
        false; /* it is of the last sub-step alone, and events may have come after it */
    return status;
}

/* The step in one sub-step; if that is not accurate, in as many as it takes. */
static tn_status at_once(tn_sim *sim, const tn_method *method, double h, tn_step_report *report)
{
    sim->from = &sim->backup;
    tn_judge_begin(sim, &sim->backup, h);
    tn_status status = tn_part_take(sim, method, h, report);
    double error = 0.0;
    if (status == TN_OK)
        status = tn_part_judge(sim, method, h, &error, report);
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
    if (is_plain(sim, method, h))
        return at_once(sim, method, h, report);
    return with_care(sim, method, h, report);
}

tn_status tn_advance(tn_sim *sim, const tn_method *method, double h, tn_step_report *report)
{
    const tn_status status = by_any_way(sim, method, h, report);
    if (status == TN_OK)
        tn_drives_tell_held(sim);
    return status == TN_OK ? tn_judge_end(sim, method, h, report) : status;
}
