/* restart.c: room step: makes a state consistent after a jump.
 *
 * After the start, a change from outside, or an impact: coordinates beyond their limits are held there, positions
 * and velocities satisfy the constraints again, and accelerations, multipliers and the memory of the method are
 * those of this state.
 */
#include "tenon/limits.h"

#include "step/advance.h"
#include "law/drives/drives.h"
#include "law/poles.h"
#include "motion/kinematics.h"
#include "law/impact/impact.h"
#include "law/limits/limits.h"
#include "method/method.h"
#include "motion/closing/project.h"
#include "step/part/ahead.h"
#include "step/part/judge.h"

/* Methods that solve for velocities accept inconsistent ones: their first solve makes them consistent. (The runs of
 * the reference start so.) */
static tn_status restart_velocities(tn_sim *sim, double h, tn_step_report *report)
{
    if (sim->state.head->limited)
        return tn_impact_resolve(sim, h, report);
    if (!sim->traits.accelerations || tn_velocity_fits(sim))
        return TN_OK;
    return tn_project_velocity(sim, report);
}

/* rad, m: largest move of a coordinate at a time, small enough to follow angles through their turns. */
#define TN_RANGE_STRIDE 1.0

/* Moves coordinates that a new range leaves outside to their limits, one stride at a time. All move together, so the
 * number of strides is that of the furthest. Joints that do not close at the end mean a contradiction: of a range with
 * a lock, or of two ranges in one loop. */
static tn_status move_into_ranges(tn_sim *sim, tn_step_report *report)
{
    const double tolerance = sim->options.position_tolerance;
    tn_joint whose = {-1};
    double furthest = tn_limits_stride(sim, TN_RANGE_STRIDE, &whose);
    tn_status status = furthest > TN_MOST_STRIDES * TN_RANGE_STRIDE ? TN_ERROR_WORK : TN_OK;
    for (double left = furthest; status == TN_OK && furthest > 0.0; left -= TN_RANGE_STRIDE) {
        status = tn_project_position(sim, tolerance, report);
        tn_update_coordinates(sim, 0.0);
        furthest = tn_limits_stride(sim, TN_RANGE_STRIDE, &whose);
        if (left <= 0.0 && furthest > 0.0) /* the moves of others took it outside again */
            status = TN_ERROR_CONFLICT;
    }
    if (status != TN_OK && report->culprit_joint.i < 0 && furthest > 0.0)
        report->culprit_joint = whose;
    if (status == TN_OK)
        status = tn_project_position(sim, tolerance, report);
    return status == TN_ERROR_NOT_CONVERGED ? TN_ERROR_CONFLICT : status;
}

/* J, the energy that has come with the change; a loss is accounted as lost. */
static double account_loss(tn_sim *sim, double before)
{
    const double in_limits = tn_impact_take_lost(sim);
    const double change = tn_judge_energy(sim) - before + in_limits;
    sim->state.head->lost += in_limits + fmax(0.0, -change);
    return fmax(0.0, change);
}

void tn_account_jump(tn_sim *sim, double before)
{
    sim->state.head->work += account_loss(sim, before);
}

/* Does a prescribed motion or a motor give its coordinate a speed? Then it does work on what an impact changes. */
static bool is_driven(const tn_sim *sim)
{
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive *d = &sim->state.drives[k];
        if (tn_drive_kind(sim, d)->moves && d->rate != 0.0)
            return true;
    }
    return false;
}

void tn_account_event(tn_sim *sim, double before, tn_step_report *report)
{
    const double come = account_loss(sim, before);
    if (is_driven(sim)) {
        sim->state.head->work += come;
    } else if (come > 0.0) {
        tn_judge_add(sim, come, report);
    }
}

tn_status tn_restart(tn_sim *sim, double h, tn_step_report *report)
{
    tn_ahead_forget(sim);
    tn_poles_clear(sim);
    tn_refresh_kinematics(sim);
    sim->stage_time = sim->now;
    tn_drives_move(sim, 0.0);
    tn_drives_sort(sim, h);
    if (sim->state.head->limited)
        tn_limits_hold_touching(sim, TN_TOUCH_NOT_LEAVING);
    const double before = tn_judge_energy(sim);
    tn_status status = TN_OK;
    tn_impact_take_lost(sim);
    if (sim->state.head->limited || sim->state.head->drive_count || sim->traits.accelerations)
        status = move_into_ranges(sim, report);
    if (status == TN_OK)
        status = restart_velocities(sim, h, report);
    if (status == TN_OK)
        status = sim->method->start(sim, h, report);
    tn_drives_tell(sim);
    tn_round_note(sim, 0.0);
    tn_drives_power(sim, false);
    if (status == TN_OK) {
        tn_account_jump(sim, before);
        sim->state.head->restart = 0;
    }
    return status;
}
