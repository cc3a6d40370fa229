/* part.c: room step/part: one verified sub-step by its method.
 *
 * In: the state it starts from, sim->mark, and the time that remains. Out: the state after the longest sub-step that
 * passes the verification, and its length. A method that divides its steps takes sub-steps as long as its error
 * estimate allows; for others, each try is half as long as the last. Sub-steps too short for a method's arithmetic
 * (beta' of generalized alpha grows like 1/h^2) are taken by a Taylor step and projections.
 */
#include <math.h>

#include "law/at_steps.h"
#include "law/breaks.h"
#include "law/drives/drives.h"
#include "law/poles.h"
#include "motion/kinematics.h"
#include "motion/closing/project.h"
#include "motion/ahead/knots.h"
#include "motion/ahead/refusals.h"
#include "step/part/halving.h"
#include "step/part/judge.h"
#include "step/part/span.h"

/* Sub-steps of methods with accelerations that are shorter than this share of the step are Taylor steps: their error,
 * (share h)^3, is below that of the step. */
#define TN_SHORT_SHARE 1e-2

static tn_status check_finite(tn_sim *sim, tn_step_report *report)
{
    return sim->told.sound || tn_state_is_finite(sim->model, &sim->state, &report->culprit_body.i)
               ? TN_OK
               : TN_ERROR_NOT_FINITE;
}

/* A drive without a value is the cause of a failure; bodies without values are its consequence. */
static tn_status check_given(const tn_sim *sim, tn_step_report *report)
{
    if (tn_drives_have_values(sim, &report->culprit_joint.i))
        return TN_OK;
    report->culprit_body.i = -1;
    return TN_ERROR_NOT_FINITE;
}

/* The work done in h seconds by the trapezoidal rule: half of the powers at one end. */
static void account_end(tn_sim *sim, const tn_method *method, double h)
{
    if (!method->sums_work)
        tn_drives_account(sim, 0.5 * h);
}

tn_status tn_part_take(tn_sim *sim, const tn_method *method, double h, tn_step_report *report)
{
    tn_status status = TN_OK;
    if (tn_is_stopped())
        return TN_ERROR_STOPPED;
    account_end(sim, method, h);
    sim->now = sim->stage_time = sim->event_time;
    if (method->change_step) /* at a start, so before anything moves */
        status = method->change_step(sim, h, report);
    tn_judge_note_speeds(sim);
    tn_drives_move(sim, h);
    sim->now = sim->stage_time = sim->event_time + h;
    sim->reactions_balance = sim->coordinates_known = sim->factor_is_old = false;
    sim->told = (tn_told){0};
    if (status == TN_OK)
        status = check_given(sim, report);
    if (status == TN_OK)
        status = method->step(sim, h, report);
    if (status == TN_OK)
        status = check_finite(sim, report);
    if (status == TN_ERROR_NOT_FINITE)
        check_given(sim, report); /* at a time within the sub-step */
    if (status == TN_OK) {
        if (!sim->coordinates_known)
            tn_update_coordinates(sim, h);
        tn_round_note(sim, h);
        tn_drives_power(sim, sim->told.speeds);
        account_end(sim, method, h);
        if (!method->sums_work)
            tn_drives_account_rests(sim, tn_judge_from(sim), h);
    }
    sim->from = NULL;
    return status;
}

/* x += h u + h^2/2 u', u += h u', then a projection onto the constraints, with the multipliers of the new pose. */
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
    tn_status status = tn_project_step(sim, h, sim->options.position_tolerance, report);
    if (status == TN_OK)
        status = tn_project_motion(sim, report);
    tn_keep_reaction_kinematics(sim);
    return status;
}

static const tn_method taylor = {.step = taylor_step};

tn_status tn_span_trial(tn_sim *sim, const tn_span *span, double h, tn_step_report *report)
{
    if (sim->from != &sim->mark)
        tn_state_copy(&sim->state, &sim->mark);
    sim->from = &sim->mark;
    sim->sys.lead = 0.0;
    const int expands = span->method->traits.accelerations && !span->method->judge_part;
    const int too_short = expands && h < TN_SHORT_SHARE * span->step;
    return tn_part_take(sim, too_short ? &taylor : span->method, h, report);
}

tn_status tn_part_judge(tn_sim *sim, const tn_method *method, double h, double *error,
                        tn_step_report *report)
{
    const tn_status status = tn_judge_part(sim, method, h, error, report);
    if (status == TN_OK)
        return status;
    tn_step_report seen = *report;
    const tn_state *from = method->judge_part ? &sim->mark : &sim->backup;
    if (tn_lines_check(sim, from, &seen) != TN_OK)
        sim->line_passed = seen.culprit_joint.i;
    return status;
}

/* A sub-step of h seconds, verified. */
static tn_status judged_trial(tn_sim *sim, const tn_span *span, double h, double *error,
                              tn_step_report *report)
{
    const tn_status status = tn_span_trial(sim, span, h, report);
    *error = 0.0;
    return status == TN_OK ? tn_part_judge(sim, span->method, h, error, report) : status;
}

/* The length up to the next bend of a prescribed motion, where a sub-step ends. */
static double to_bend(tn_sim *sim, const tn_span *span, double length)
{
    const double bend =
        sim->traits.accelerations ? tn_bend_ahead(sim, length, span->step) : INFINITY;
    sim->smooth_to = bend <= length ? tn_knot_before(sim, bend) : INFINITY;
    return fmin(length, bend);
}

/* A sub-step of a method with fixed steps: it is halved until its errors are allowed. Once it is halved, it is
 * halved on until they are well below that, as long as halving helps: such motions need short sub-steps for a while. */
static tn_status tread(tn_sim *sim, const tn_span *span, double *taken, tn_step_report *report)
{
    double error = 0.0, before = INFINITY,
           length = to_bend(sim, span, tn_halving_length(sim, span->step, span->remaining));
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

/* Samples the loads of joints that may break at poses on the next `way` seconds; the first pose is noted already. */
static tn_status note_poles(tn_sim *sim, const tn_span *span, double way, tn_step_report *report)
{
    tn_status status = TN_OK;
    for (int k = 1; k < TN_POLE_SAMPLES && status == TN_OK; k++) {
        const double t = way * k / (TN_POLE_SAMPLES - 1);
        status = tn_span_trial(sim, span, t, report);
        if (status == TN_OK)
            tn_breaks_note_pole(sim, t, report);
    }
    return status;
}

/* Samples the loads of joints that may break on the way to a change point. Where trials do not reach it, half the
 * way is sampled, and so on, but at least up to its `at`. Where that fails too and the sub-step ends earlier, the
 * next sub-step decides: slow motion near weak rows may never come there. */
static tn_status look_for_poles(tn_sim *sim, const tn_span *span, const tn_untold *untold,
                                double length, tn_step_report *report)
{
    const tn_joint culprit = report->culprit_joint, worst = report->worst_joint;
    double way = untold->way;
    tn_status status = note_poles(sim, span, way, report);
    while (status != TN_OK && way > untold->at) {
        way = fmax(0.5 * way, untold->at);
        tn_poles_keep_first(sim);
        status = note_poles(sim, span, way, report);
    }
    if (status == TN_OK && !tn_poles_find(sim, &report->culprit_joint.i))
        status = TN_ERROR_SINGULAR;
    if (status != TN_OK && length >= untold->at)
        return status;
    if (status != TN_OK)
        tn_poles_clear(sim);
    report->culprit_joint = culprit;
    report->worst_joint = worst;
    return TN_OK;
}

/* The length up to the next time at which a given function is not smooth, where a sub-step ends. These sub-steps are
 * counted (knots), since short ones are no sign of stiffness there. */
static double to_knot(tn_sim *sim, double length)
{
    double jump;
    const double knot = tn_knot_ahead(sim, length, &jump);
    const bool ends = knot <= length;
    sim->knots += ends;
    sim->smooth_to = ends ? tn_knot_before(sim, knot) : INFINITY;
    sim->smooth_to = fmin(sim->smooth_to, jump);
    return fmin(length, knot);
}

/* A sub-step of a method that chooses its length by its own error estimate. */
static tn_status stride(tn_sim *sim, const tn_span *span, double *taken, tn_step_report *report)
{
    tn_part part;
    double error = 0.0;
    tn_untold untold;
    sim->from = NULL; /* what follows may move the state before the sub-step begins */
    tn_status status = span->method->begin_part(sim, span->remaining, &part, report);
    if (status != TN_OK)
        return status;
    const double breaks = tn_breaks_longest(sim, &untold, report);
    part.length = fmin(part.length, fmin(span->longest, breaks));
    part.length = to_knot(sim, part.length);
    if (untold.at > 0.0)
        status = look_for_poles(sim, span, &untold, part.length, report);
    if (status != TN_OK)
        return status;
    do {
        status = judged_trial(sim, span, part.length, &error, report);
    } while (!span->method->judge_part(sim, &part, &status, report));
    *taken = part.length;
    return status;
}

tn_status tn_span_leap(tn_sim *sim, const tn_span *span, double *taken, tn_step_report *report)
{
    tn_judge_begin(sim, &sim->mark, span->step);
    return span->method->begin_part ? stride(sim, span, taken, report)
                                    : tread(sim, span, taken, report);
}
