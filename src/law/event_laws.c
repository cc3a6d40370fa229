/* event_laws.c: room law: what can happen between two moments: the one list of it. */
#include <math.h>

#include "law/breaks.h"
#include "law/drives/drive_changes.h"
#include "law/event_laws.h"
#include "law/pieces.h"
#include "law/within.h"
#include "motion/closing/project.h"

static double load_beyond(tn_sim *sim, double step)
{
    (void)step;
    return tn_breaks_event(sim);
}

static tn_status break_joints(tn_sim *sim, double step, tn_happened *out, tn_step_report *report)
{
    (void)step;
    (void)report;
    out->changed += tn_breaks_at_event(sim);
    return TN_OK;
}

static double drive_beyond(tn_sim *sim, double step)
{
    return tn_drives_event(sim, step);
}

/* What drives hold from now on holds exactly, then others let go. */
static tn_status change_drives(tn_sim *sim, double step, tn_happened *out, tn_step_report *report)
{
    if (sim->state.head->drive_count == 0)
        return TN_OK;
    const int32_t caught = tn_drives_catch(sim, step);
    tn_status status = TN_OK;
    out->changed += caught;
    if (sim->traits.accelerations)
        status = tn_project_velocity(sim, report);
    else if (caught > 0)
        status = tn_project_caught(sim, report);
    tn_drives_let_go(sim);
    return status;
}

static double pull_beyond(tn_sim *sim, double step)
{
    return tn_limits_largest_pull(sim, step);
}

static double lead_beyond(tn_sim *sim, double step)
{
    return tn_limits_largest_lead(sim, step);
}

static tn_status mark_pulling(tn_sim *sim, double step, tn_happened *out, tn_step_report *report)
{
    (void)report;
    out->changed += tn_limits_mark_pulling(sim, step);
    return TN_OK;
}

static double coordinate_beyond(tn_sim *sim, double step)
{
    (void)step;
    return tn_limits_violation(sim);
}

static void hold(tn_sim *sim, tn_touching which, tn_happened *out)
{
    const int32_t before = tn_limits_held(sim);
    out->hit += tn_limits_hold_touching(sim, which) - before;
}

static tn_status hold_touching(tn_sim *sim, double step, tn_happened *out, tn_step_report *report)
{
    (void)step;
    (void)report;
    hold(sim, TN_TOUCH_NOT_LEAVING, out);
    return TN_OK;
}

static void hold_all(tn_sim *sim, tn_happened *out)
{
    hold(sim, TN_TOUCH_ALL, out);
}

static double piece_beyond(tn_sim *sim, double step)
{
    (void)step;
    return tn_pieces_beyond(sim);
}

static tn_status cross_seams(tn_sim *sim, double step, tn_happened *out, tn_step_report *report)
{
    (void)step;
    (void)report;
    out->changed += tn_pieces_cross(sim);
    return TN_OK;
}

static double knot_beyond(tn_sim *sim, double step)
{
    (void)step;
    return tn_drive_knots_beyond(sim);
}

static tn_status pass_knots(tn_sim *sim, double step, tn_happened *out, tn_step_report *report)
{
    (void)step;
    (void)report;
    out->changed += tn_drive_knots_choose(sim);
    return TN_OK;
}

/* What breaks, or is passed, is so however short it is. */
static double least_of_all(const tn_sim *sim, double h)
{
    (void)sim;
    (void)h;
    return TN_LIMIT_TOLERANCE;
}

/* Events that move things by less than the error allowed to a sub-step are ignored. F of a force is the distance that it
 * moves things in a step; in short sub-steps the stages have forces to no better accuracy than that. */
static double least_force(const tn_sim *sim, double h)
{
    const double share = sim->step / h, least = TN_BOUND_DISTANCE * sim->options.relative_tolerance;
    return fmax(TN_LIMIT_TOLERANCE, least) * fmax(1.0, share * share);
}

/* In the order in which they happen at one instant: what breaks holds nothing of what follows, and
 * limits are hit by what drives leave free. */
static const tn_event_law laws[] = {
    /* a load reaches what breaks its joint */
    {.beyond = load_beyond,
     .least = least_of_all,
     .passed = tn_breaks_passed_between,
     .happen = break_joints},
    /* a motor or friction is at its bound, or has its speed again; a spring is at its cap */
    {.beyond = drive_beyond, .least = least_force, .happen = change_drives},
    /* a limit, or a rope, that holds its coordinate pulls: it is let go, which goes slack */
    {.beyond = pull_beyond, .least = least_force, .happen = mark_pulling, .is_mean = true},
    /* a prescribed motion that a limit stops leads away from it */
    {.beyond = lead_beyond, .least = least_force, .happen = mark_pulling},
    /* a coordinate reaches its limit, a rope its length: it is hit and held, which is taut */
    {.beyond = coordinate_beyond,
     .course = tn_limits_course,
     .first = tn_limits_first,
     .passed = tn_limits_passed_between,
     .happen = hold_touching,
     .insist = hold_all},
    /* a point comes to the end of a piece of its surface: it goes to the next */
    {.beyond = piece_beyond, .passed = tn_pieces_passed_between, .happen = cross_seams},
    /* a spring whose force is given by points over the way comes to one of them: it goes on to the next */
    {.beyond = knot_beyond, .least = least_of_all, .happen = pass_knots},
};
#define TN_EVENT_LAWS ((int)(sizeof laws / sizeof laws[0]))
_Static_assert(sizeof laws / sizeof laws[0] == TN_WITHIN_LAWS, "a course for each law");

/* The largest F of the laws whose events are at a time within a part, or of the others. */
static double largest(tn_sim *sim, double step, bool within)
{
    double worst = -INFINITY;
    for (int k = 0; k < TN_EVENT_LAWS && tn_events_possible(sim); k++) {
        if (within == (sim->traits.accelerations || !laws[k].is_mean))
            worst = fmax(worst, laws[k].beyond(sim, step));
    }
    return worst;
}

double tn_events_beyond(tn_sim *sim, double step)
{
    return largest(sim, step, true);
}

double tn_events_of_part(tn_sim *sim, double step)
{
    return largest(sim, step, false);
}

bool tn_events_course(const tn_sim *sim, double target, double above, tn_limit_course *out)
{
    for (int k = 0; k < TN_EVENT_LAWS; k++) {
        if (laws[k].course && laws[k].course(sim, out) && out->beyond - target == above)
            return true;
    }
    return false;
}

double tn_events_first(const tn_sim *sim, double target, double t)
{
    double first = INFINITY;
    for (int k = 0; k < TN_EVENT_LAWS; k++) {
        if (laws[k].first)
            first = fmin(first, laws[k].first(sim, target, t)); /* of NaN the other */
    }
    return isinf(first) ? (double)NAN : first;
}

void tn_events_note(tn_sim *sim, double t)
{
    tn_within *w = &sim->within;
    const int at = tn_events_possible(sim) ? tn_within_place(w, t) : -1;
    for (int k = 0; k < TN_EVENT_LAWS && at >= 0; k++) {
        if (laws[k].least)
            w->beyond[k][at] = laws[k].beyond(sim, sim->step);
    }
}

bool tn_events_passed(const tn_sim *sim, double h, double *when)
{
    bool passed = false;
    *when = INFINITY;
    for (int k = 0; k < TN_EVENT_LAWS; k++) {
        double at;
        if ((laws[k].passed && laws[k].passed(sim, h, &at)) ||
            (laws[k].least && tn_within_passed(&sim->within, sim->within.beyond[k],
                                               laws[k].least(sim, h), h, &at))) {
            passed = true;
            *when = fmin(*when, at);
        }
    }
    return passed;
}

bool tn_events_nearly(const tn_sim *sim)
{
    bool nearly = false;
    for (int k = 0; k < TN_EVENT_LAWS && !nearly; k++)
        nearly = laws[k].least && tn_within_nearly(&sim->within, sim->within.beyond[k]);
    return nearly;
}

tn_status tn_events_happen(tn_sim *sim, double step, tn_happened *out, tn_step_report *report)
{
    tn_status status = TN_OK;
    for (int k = 0; k < TN_EVENT_LAWS && status == TN_OK; k++)
        status = laws[k].happen(sim, step, out, report);
    return status;
}

void tn_events_insist(tn_sim *sim, tn_happened *out)
{
    for (int k = 0; k < TN_EVENT_LAWS; k++) {
        if (laws[k].insist)
            laws[k].insist(sim, out);
    }
}
