/* step.c: room step: one step, verified, or undone.
 *
 * The method tries h. If it fails, or its result fails the verification (judge.c), the step is taken in up to 64
 * sub-steps (halving.c), unless the method divides its steps itself. If that fails too, one robust step of the
 * method's fallback follows, if it has one, with the same verification. The call fails only when everything fails:
 * the state is then as before and the report names the body or joint.
 */
#include <math.h>

#include "tenon/limits.h"

#include "law/at_steps.h"
#include "motion/closing/project.h"
#include "redundancy/loops/loops.h"
#include "step/advance.h"
#include "step/apart.h"
#include "law/breaks.h"
#include "law/drives/drives.h"
#include "motion/kinematics.h"
#include "method/method.h"
#include "motion/momentum.h"
#include "motion/closing/purge.h"
#include "motion/closing/gap.h"
#include "motion/loads.h"
#include "law/impact/impact.h"
#include "law/limits/limits.h"
#include "motion/ahead/refusals.h"
#include "step/part/halving.h"
#include "step/part/judge.h"

/* The step from its start again, in this many equal sub-steps or more. */
static tn_status advance_in_parts(tn_sim *sim, const tn_method *method, double h, int32_t parts,
                                  tn_step_report *report)
{
    tn_state_copy(&sim->state, &sim->backup);
    tn_state_head *head = sim->state.head;
    if (parts > 1 && !(head->part_size > 0.0 && head->part_size <= h / parts))
        head->part_size = h / parts;
    sim->sys.lead = 0.0;
    sim->log.count = 0;
    tn_time_begin(sim);
    report->energy_made = report->energy_share = 0.0;
    tn_refresh_kinematics(sim);
    return tn_advance(sim, method, h, report);
}

/* The whole step again in twice as many sub-steps each time: the error may have begun before the sub-step that
 * failed. */
static tn_status in_more_parts(tn_sim *sim, const tn_method *method, double h,
                               tn_step_report *report)
{
    tn_status status = TN_ERROR_NOT_CONVERGED;
    const int before = sim->only_whole;
    sim->only_whole = !tn_halving_is_local(sim);
    for (int32_t k = 1; k <= TN_MOST_HALVINGS && status != TN_OK; k++) {
        report->halvings++;
        status = advance_in_parts(sim, method, h, 1 << k, report);
        sim->missed = TN_ERROR_NOT_CONVERGED;
    }
    sim->only_whole = before;
    return status;
}

/* After a failure: more sub-steps, then the robust method. Where that leaves no accelerations, those of its end are
 * computed, with the reactions that belong to them. */
static tn_status recover(tn_sim *sim, const tn_method *method, double h, tn_step_report *report)
{
    tn_status status = in_more_parts(sim, method, h, report);
    if (status == TN_OK || !method->fallback)
        return status;
    report->fallbacks++;
    status = advance_in_parts(sim, method->fallback, h, 1, report);
    sim->now = sim->event_time;
    sim->state.head->restart = 1; /* it leaves neither accelerations nor forces of an instant */
    const double energy = tn_judge_energy(sim);
    if (status == TN_OK)
        status = tn_restart(sim, h, report);
    if (status == TN_OK) {
        tn_update_coordinates(sim, 0.0);
        tn_judge_add(sim, tn_judge_energy(sim) - energy, report);
    }
    return status;
}

/* Are rows so nearly dependent where the step begins that joints may be off by the singular direction? Rows that differ
 * by e have sigma = e^2 / 4 (solve/singular.h); a larger sigma is a dead point nearby. */
static bool rows_repeat_before(tn_sim *sim)
{
    tn_step_report report = tn_empty_report();
    tn_state_copy(&sim->state, &sim->backup);
    tn_refresh_kinematics(sim);
    tn_prepare_hard_rows(sim);
    return tn_factorize(sim, &report) == TN_OK && tn_rows_repeat(sim, &report) &&
           (tn_purge_multipliers(sim, true, &report) != TN_ROWS_CHANGE_POINT ||
            report.fold_distance <= 0.5 * TN_GAP_LARGEST);
}

/* Releases what prescribed motions, motors and friction hold. Was there any? */
static bool let_drives_go(tn_sim *sim)
{
    bool any = false;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive *d = &sim->state.drives[k];
        const int8_t hold = sim->state.switches[d->joint].hold[d->coordinate];
        if (hold != TN_HOLD_DRIVER && hold != TN_HOLD_MOTOR && hold != TN_HOLD_FRICTION)
            continue;
        any = true;
        tn_state_hold(sim->model, &sim->state, d->joint, d->coordinate, TN_HOLD_NONE);
    }
    return any;
}

/* Factor of a loop gap: a gap this much smaller than the first one counts as closed. */
#define TN_CLOSES (1.0 / (TN_CLEAR * TN_FAR))

/* Do the loops close nearby, within a few relative gaps of this size, once driven coordinates are free? Then their
 * geometry is exact, and the drive is at a dead point beyond which there is no pose. The state does not change. */
static bool closes_without_drives(tn_sim *sim, double gap)
{
    tn_step_report report = tn_empty_report();
    tn_state_copy(&sim->mark, &sim->state);
    bool closes = let_drives_go(sim);
    if (closes) {
        sim->state.head->gap_epsilon = 0.0;
        tn_refresh_kinematics(sim);
        closes =
            tn_project_position(sim, TN_CLOSES * gap * fmin(1.0, sim->size), &report) == TN_OK &&
            tn_red_distance(sim->model, &sim->state, &sim->mark, sim->size) <= TN_CLEAR * gap;
    }
    tn_state_copy(&sim->state, &sim->mark);
    tn_refresh_kinematics(sim);
    return closes;
}

/* After a failure. Loops that were closed but do not stay closed as they move have a geometry that is not quite exact:
 * from now on they keep gaps. If no gaps remain, the loops close and the failure stands. It also stands where only a
 * drive keeps loops of exact geometry open. */
static tn_status open_gaps(tn_sim *sim, const tn_method *method, double h, tn_status failure,
                           tn_step_report *report)
{
    sim->backup.head->gap_epsilon = TN_EPSILON;
    tn_status status = advance_in_parts(sim, method, h, 1, report);
    if (status != TN_OK)
        status = in_more_parts(sim, method, h, report);
    sim->backup.head->gap_epsilon = 0.0;
    if (status != TN_OK)
        return status;
    const double gap = tn_gap_measure(sim).relative;
    return gap <= TN_ROUNDED / TN_CLEAR || closes_without_drives(sim, gap) ? failure : TN_OK;
}

/* Is the gap round-off, or does the user accept it? */
static int gap_is_fine(const tn_sim *sim, const tn_gap *gap)
{
    return gap->relative <= TN_GAP_LARGEST || sim->options.loops == TN_LOOPS_LEAST_SQUARES;
}

/* After a first failure: tries again with the rows that block a singular configuration among the gaps. *through: it
 * helped. If not, the report names the singular configuration that could not be passed. */
static tn_status pass_with_gaps(tn_sim *sim, const tn_method *method, double h, tn_status first,
                                int *through, tn_step_report *report)
{
    tn_state_head *start = sim->backup.head;
    const double kept = start->gap_epsilon;
    start->gap_epsilon = start->fold_epsilon;
    tn_status status = advance_in_parts(sim, method, h, 1, report);
    if (status != TN_OK)
        status = in_more_parts(sim, method, h, report);
    start->gap_epsilon = sim->state.head->gap_epsilon = kept;
    sim->state.head->part_size = start->part_size;
    const tn_gap gap = tn_gap_measure(sim);
    *through = status == TN_OK && gap_is_fine(sim, &gap);
    if (!*through)
        return first == TN_OK ? advance_in_parts(sim, method, h, 1, report) : first;
    report->folds = first != TN_OK;
    report->fold_distance = report->folds ? sqrt(start->fold_epsilon) : 0.0;
    report->fold_joint.i = report->folds ? gap.worst : -1;
    return TN_OK;
}

/* After a first failure. Shorter steps do not help against rows that contradict each other: the report then is that
 * of the first failure. */
static tn_status try_harder(tn_sim *sim, const tn_method *method, double h, tn_status first,
                            tn_step_report *report)
{
    const tn_step_report seen = *report;
    tn_status status = first;
    if (first == TN_ERROR_UNSTABLE || first == TN_ERROR_STIFF || tn_is_final(first) ||
        tn_loads_undefined(sim) >= 0)
        return first; /* the motion grows without bound: shorter steps would only take longer */
    if (first != TN_ERROR_CONFLICT &&
        !method->judge_part) /* methods with judge_part have tried shorter ones */
        status = recover(sim, method, h, report);
    if (status != TN_OK && status != TN_ERROR_INACCURATE && !tn_gap_is_on(&sim->backup) &&
        rows_repeat_before(sim))
        status = open_gaps(sim, method, h, status, report);
    if (status == TN_OK || first != TN_ERROR_CONFLICT)
        return status;
    report->position_error = seen.position_error;
    report->angle_error = seen.angle_error;
    report->worst_joint = report->culprit_joint = seen.worst_joint;
    return TN_ERROR_CONFLICT;
}

/* Reports the gaps. They must stay at round-off unless the user accepts gaps; larger ones are the errors of a step
 * that is refused. Gaps of a step through a singular configuration do not count for other poses. */
static tn_status judge_gaps(tn_sim *sim, int through, tn_step_report *report)
{
    if (!tn_gap_is_on(&sim->state))
        return TN_OK;
    const tn_gap gap = tn_gap_measure(sim);
    report->gap = gap.position;
    report->gap_angle = gap.angle;
    if (through)
        return TN_OK;
    report->folds = 0; /* the singular configuration seen before the gaps were opened was none */
    report->fold_joint.i = -1;
    if (!gap_is_fine(sim, &gap)) {
        report->culprit_joint.i = report->worst_joint.i = gap.worst;
        report->position_error = fmax(report->position_error, gap.position);
        report->angle_error = fmax(report->angle_error, gap.angle);
        return TN_ERROR_CONFLICT;
    }
    tn_gap_note(sim, gap.relative);
    double *epsilon = &sim->state.head->gap_epsilon;
    *epsilon = fmax(*epsilon, tn_gap_epsilon(gap.relative));
    return TN_OK;
}

/* The first cause of a failure, wherever the failure showed: a load without a value, or a line that shrank to a point
 * within a sub-step. */
static tn_status find_cause(const tn_sim *sim, tn_status status, tn_step_report *report)
{
    if (status == TN_ERROR_STOPPED)
        return status;
    report->culprit_load.i = tn_loads_undefined(sim);
    if (report->culprit_load.i >= 0)
        return TN_ERROR_LOAD;
    if (status != TN_ERROR_INACCURATE || sim->line_passed < 0)
        return status;
    report->culprit_joint.i = sim->line_passed;
    return TN_ERROR_SINGULAR;
}

/* A drive whose function of time ends within the step is the cause; bodies without numbers are its consequence. */
static void name_drive(const tn_sim *sim, tn_step_report *report)
{
    const int32_t joint = tn_drives_without_value(sim, sim->state.head->time + sim->step);
    if (joint < 0)
        return;
    report->culprit_joint.i = joint;
    report->culprit_body.i = -1;
}

/* A failure without a named body or joint came from numbers that are too large: names the fastest body. */
static void name_culprit(const tn_sim *sim, tn_step_report *report)
{
    double fastest = -1.0;
    if (report->culprit_body.i >= 0 || report->culprit_joint.i >= 0 || report->culprit_load.i >= 0)
        return;
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        for (int32_t k = 0; k < body->dim; k++) {
            if (fabs(sim->state.u[body->u + k]) > fastest) {
                fastest = fabs(sim->state.u[body->u + k]);
                report->culprit_body.i = i;
            }
        }
    }
}

/* Where rows contradict each other while a limit holds that was reached in this step, that limit is the cause. Call it
 * before the step is undone. */
static void name_limit(const tn_sim *sim, tn_step_report *report)
{
    const int32_t count = sim->log.count < TN_EVENTS_KEPT ? sim->log.count : TN_EVENTS_KEPT;
    for (int32_t k = count - 1; k >= 0; k--) {
        const tn_event *event = &sim->log.events[k];
        if (event->kind != TN_EVENT_LIMIT_REACHED ||
            sim->state.switches[event->joint.i].hold[event->coordinate] < TN_HOLD_PINNED)
            continue;
        report->culprit_joint = event->joint;
        return;
    }
}

/* time += h with the round-off of the sum kept (Kahan). */
static void add_time(tn_state_head *head, double h)
{
    const double add = h + head->time_rest;
    const double time = head->time + add;
    head->time_rest = add - (time - head->time);
    head->time = time;
}

/* Before the first step: refuses velocities of the model that no motion can have, since a step would remove most of
 * them without notice. Velocities that a user sets later at such a pose are accepted: the step chooses the branch.
 */
static tn_status refuse_no_motion(tn_sim *sim, tn_step_report *report)
{
    if (sim->begins_nothing < 0 || !sim->state.head->restart || sim->state.head->time != 0.0)
        return TN_OK;
    report->culprit_joint.i = tn_impact_without_motion(sim);
    return report->culprit_joint.i < 0 ? TN_OK : TN_ERROR_CONFLICT;
}

/* Every step that succeeds passes here: checks its state, and clears the names of culprits. */
static tn_status check_sound(tn_sim *sim, tn_step_report *report)
{
    const bool sound = (sim->told.sound && isfinite(sim->state.head->time)) ||
                       tn_state_is_sound(sim->model, &sim->state, &report->culprit_body.i,
                                         &report->culprit_joint.i);
    sim->state.sound = sound;
    return sound && isfinite(report->position_error + report->angle_error) ? TN_OK
                                                                           : TN_ERROR_NOT_FINITE;
}

/* Is the state at the start of a step finite? */
static bool is_finite(const tn_sim *sim, tn_step_report *report)
{
    return (sim->state.sound && !sim->state.head->restart) ||
           tn_state_is_finite(sim->model, &sim->state, &report->culprit_body.i);
}

static bool is_step(double h)
{
    return h >= TN_SHORTEST_STEP && h <= TN_LONGEST_STEP;
}

static void keep_start(tn_sim *sim, double h)
{
    if (tn_advance_shares_start(sim, h)) {
        tn_state_share_start(&sim->state, &sim->backup);
    } else {
        tn_state_copy_by(sim->crew, &sim->backup, &sim->state);
    }
}

/* Notes the time and the state before anything moves. */
static void begin(tn_sim *sim, double h)
{
    tn_halving_begin(sim);
    sim->line_passed = -1;
    keep_start(sim, h);
    tn_apart_leave(sim);
    if (sim->method->restores_momenta || !sim->traits.accelerations)
        tn_momentum_note(sim);
    tn_judge_begin_step(sim);
    sim->log.count = 0;
    sim->knots = 0;
    tn_time_begin(sim);
}

/* The step: as a whole, then by every other way. */
static tn_status go(tn_sim *sim, double h, tn_step_report *report)
{
    const tn_method *method = sim->method;
    int through = 0;
    tn_status status = refuse_no_motion(sim, report);
    if (status != TN_OK)
        return status;
    /* where loops have gaps, a failure may mean a singular configuration, which is passed in other ways */
    sim->only_whole = tn_gap_is_on(&sim->backup) || !tn_halving_is_local(sim);
    status = tn_advance(sim, method, h, report);
    if (tn_gap_meets_fold(sim, h, status))
        status = pass_with_gaps(sim, method, h, status, &through, report);
    sim->only_whole = 0;
    if (status != TN_OK)
        status = try_harder(sim, method, h, status, report);
    if (status == TN_OK)
        status = judge_gaps(sim, through, report);
    return status == TN_OK && !method->judge_part ? tn_lines_check(sim, &sim->backup, report)
                                                  : status;
}

static tn_status end(tn_sim *sim, double h, tn_step_report *report)
{
    if (sim->method->restores_momenta)
        tn_momentum_restore(sim, h);
    add_time(sim->state.head, h);
    tn_halving_end(sim);
    tn_breaks_watch_to(sim, h, report);
    tn_breaks_at_end(sim);
    tn_loads_end_step(sim);
    tn_judge_end_step(sim, h);
    return check_sound(sim, report);
}

/* Restores the state before the step; the report keeps why it failed. */
static tn_status undo(tn_sim *sim, const tn_state_head *before, tn_status status,
                      tn_step_report *report)
{
    if (status == TN_ERROR_CONFLICT)
        name_limit(sim, report);
    *sim->backup.head = *before;
    tn_state_copy(&sim->state, &sim->backup);
    sim->sys.lead = 0.0;
    tn_refresh_kinematics(sim);
    sim->log.count = 0;
    const tn_status cause = find_cause(sim, status, report);
    if (cause == TN_ERROR_NOT_FINITE)
        name_drive(sim, report);
    if (cause != TN_ERROR_STOPPED)
        name_culprit(sim, report);
    return cause;
}

/* The step of a world whose trees are stepped apart. */
static tn_status step_apart(tn_sim *sim, double h, const tn_state_head *before,
                            tn_step_report *report)
{
    const tn_status status = tn_apart_go(sim, h, tn_sim_step, report);
    if (status == TN_OK) {
        tn_apart_tally(sim);
        tn_loads_end_step(sim);
    } else {
        *sim->state.head = *before;
    }
    return status;
}

static tn_status step_whole(tn_sim *sim, double h, const tn_state_head *before,
                            tn_step_report *report)
{
    if (tn_at_steps(sim)) /* such methods do not restart within a step */
        tn_drives_note_damping(sim);
    begin(sim, h);
    tn_breaks_watch_from(sim, report);
    tn_status status = go(sim, h, report);
    if (status == TN_OK)
        status = end(sim, h, report);
    if (tn_is_stopped()) /* what was tried after the request to stop may have taken another way */
        status = TN_ERROR_STOPPED;
    return status == TN_OK ? TN_OK : undo(sim, before, status, report);
}

tn_status tn_sim_step(tn_sim *sim, double h, tn_step_report *report)
{
    tn_step_report local;
    report = report ? report : &local;
    *report = tn_empty_report();
    TN_COME_IN(sim, report->status = TN_ERROR_BUSY);
    if (!sim || !is_step(h))
        return report->status = TN_ERROR_ARGUMENT;
    if (!is_finite(sim, report))
        return report->status = TN_ERROR_NOT_FINITE;
    const tn_state_head before = *sim->state.head;
    sim->step = h;
    tn_loads_begin_step(sim);
    const tn_status status = tn_apart_takes(sim) ? step_apart(sim, h, &before, report)
                                                 : step_whole(sim, h, &before, report);
    sim->stage_time = sim->state.head->time;
    tn_report_ids(sim, report);
    return report->status = status;
}

/* Methods of first order have no forces of an instant: those that belong to the accelerations are computed instead.
 */
static tn_status forces_of_start(tn_sim *sim, tn_step_report *report)
{
    if (sim->traits.accelerations)
        return TN_OK;
    const tn_status status = tn_solve_acceleration(sim, report);
    tn_keep_reaction_kinematics(sim);
    return status;
}

static tn_status start_whole(tn_sim *sim, double h, tn_step_report *report)
{
    tn_state_copy_by(sim->crew, &sim->backup, &sim->state);
    tn_apart_leave(sim);
    tn_time_begin(sim);
    sim->stage_time = sim->now;
    tn_status status = tn_restart(sim, h, report);
    if (status == TN_OK) {
        tn_update_coordinates(sim, 0.0);
        status = forces_of_start(sim, report);
    }
    if (status != TN_OK) {
        tn_state_copy(&sim->state, &sim->backup);
        tn_refresh_kinematics(sim);
    }
    return status;
}

tn_status tn_sim_start(tn_sim *sim, double h, tn_step_report *report)
{
    tn_step_report local;
    report = report ? report : &local;
    *report = tn_empty_report();
    TN_COME_IN(sim, report->status = TN_ERROR_BUSY);
    if (!sim || !is_step(h))
        return report->status = TN_ERROR_ARGUMENT;
    if (!sim->state.head->restart || tn_at_steps(sim))
        return report->status = TN_OK;
    const tn_status status = tn_apart_takes(sim) ? tn_apart_go(sim, h, tn_sim_start, report)
                                                 : start_whole(sim, h, report);
    sim->log.count = 0;
    tn_report_ids(sim, report);
    return report->status = status;
}
