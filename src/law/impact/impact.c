/* impact.c: room law/impact: velocities after an impact.
 *
 * The impact itself is solved in course.h. Here its consequences are drawn: a coordinate that leaves its limit is released,
 * one that would return at once rests there, and holds by drives are decided anew. Accelerations then keep only
 * rows whose speed is zero (acceleration.c).
 */
#include <math.h>

#include "law/impact/impact.h"

#include "law/impact/course.h"
#include "law/impact/problem.h"
#include "motion/closing/project.h"

/* Speed at which a held coordinate leaves its limit; 0 at one that yields. Reads impact->speeds. */
static double leaving_speed(const tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    return tn_limit_yields(sim, j, i) ? 0.0
                                      : tn_limit_inwards(sim, j, i) * sim->impact->speeds[slot];
}

/* Releases a coordinate that moves inwards. One that would return within the rest speed stays held and is counted: limits
 * that throw off each other's coordinates do so ever faster, and come to rest together. */
static void release_leaving(tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    const double inwards = leaving_speed(sim, j, i, slot);
    if (inwards <= TN_LEAVING_SPEED)
        return;
    if (sim->traits.accelerations && inwards <= tn_impact_rest_speed(sim, j, i)) {
        sim->impact->resting++;
    } else {
        tn_limit_release(sim, j, i);
    }
}

static void release_moving(tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    if (leaving_speed(sim, j, i, slot) > TN_LEAVING_SPEED)
        tn_limit_release(sim, j, i);
}

static void count_moving(tn_sim *sim, int32_t j, int32_t i, int64_t slot)
{
    sim->impact->resting += leaving_speed(sim, j, i, slot) > TN_LEAVING_SPEED;
}

/* Stops all coordinates that are to rest, where they can rest together. Where they cannot, as two feet on the ground
 * under one prescribed motion, the velocities of the impact are restored and the leaving ones released. */
static tn_status come_to_rest(tn_sim *sim, tn_step_report *report)
{
    const tn_status status = tn_project_velocity(sim, report);
    if (status != TN_OK)
        return status;
    tn_assemble_speeds(&sim->sys, &sim->state, sim->state.u, sim->impact->speeds);
    sim->impact->resting = 0;
    tn_impact_for_each_held(sim, count_moving);
    if (sim->impact->resting == 0)
        return TN_OK;
    tn_impact_add_change(sim, -1.0);
    tn_assemble_speeds(&sim->sys, &sim->state, sim->state.u, sim->impact->speeds);
    tn_impact_for_each_held(sim, release_moving);
    return TN_OK;
}

/* Has the impact changed any velocity? It has not where coordinates only came to lie on their limits. */
static bool changes_speeds(const tn_sim *sim)
{
    double most = 0.0;
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        most = fmax(most, fabs(sim->state.u[k] - sim->impact->course.start[k]));
    return most > TN_SAME_SPEED;
}

static tn_status collide(tn_sim *sim, tn_step_report *report)
{
    const tn_status status = tn_impact_change(sim, report);
    if (status != TN_OK)
        return status;
    sim->impact->struck = changes_speeds(sim);
    tn_assemble_speeds(&sim->sys, &sim->state, sim->state.u, sim->impact->speeds);
    sim->impact->resting = 0;
    tn_impact_for_each_held(sim, release_leaving);
    return sim->impact->resting > 0 ? come_to_rest(sim, report) : TN_OK;
}

/* First-order methods know speeds to the error of a step only. A drive therefore holds its coordinate if its cap can stop it
 * within one step, with all that hangs on it; else the cap brakes it over the following steps. */
static tn_status sort_by_impulses(tn_sim *sim, double step, tn_step_report *report)
{
    sim->impact->seconds = step;
    const tn_status status = tn_impact_solve(sim, 0, report);
    sim->impact->seconds = 0.0;
    if (status != TN_OK)
        return status;
    tn_impact_add_change(sim, 1.0);
    tn_drives_sort(sim, 0.0);
    tn_impact_add_change(sim, -1.0);
    return TN_OK;
}

tn_status tn_impact_resolve(tn_sim *sim, double step, tn_step_report *report)
{
    sim->impact->step = sim->traits.divides_steps ? 0.0 : step;
    tn_status status = collide(sim, report);
    if (status != TN_OK || sim->state.head->drive_count == 0)
        return status;
    if (!sim->traits.accelerations)
        status = sort_by_impulses(sim, step, report);
    else if (sim->impact->struck) /* else what has just let go at rest would be held again */
        tn_drives_sort(sim, 0.0);
    return status == TN_OK ? tn_project_velocity(sim, report) : status;
}

double tn_impact_take_lost(tn_sim *sim)
{
    const double lost = sim->impact->lost;
    sim->impact->lost = 0.0;
    return lost;
}
