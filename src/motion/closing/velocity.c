/* velocity.c: room motion/closing: projects velocities onto the hard rows.
 *
 * min 1/2 |u' - u|_M^2 with G u' = v: the system of metric.c with g = v - G u.
 */

#include <float.h>
#include <math.h>
#include <string.h>

#include "assemble/drive_terms.h"
#include "math/dense/worst.h"
#include "motion/closing/metric.h"
#include "motion/closing/project.h"
#include "motion/tree/tree.h"

/* g = v - G u. */
static void speeds_wanted(tn_sim *sim)
{
    tn_system *sys = &sim->sys;
    tn_assemble_speeds(sys, &sim->state, sim->state.u, sys->g);
    for (int64_t k = 0; k < sys->layout->y_size; k++)
        sys->g[k] = -sys->g[k];
    tn_assemble_hold_rates(sys, &sim->state, 1, sys->g);
}

/* Round-off of the speed of a row, relative to the largest speed. */
#define TN_SPEED_ROUNDING (64.0 * DBL_EPSILON)

/* Is the right-hand side of hard rows, sys.g, no more than round-off? */
static bool speeds_fit(const tn_sim *sim)
{
    double most = 0.0, off = 0.0;
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        most = fmax(most, fabs(sim->state.u[k]));
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const double *g = sim->sys.g + sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < sim->state.switches[j].active_count; n++) {
            if (tn_active_compliance(&sim->state, j, n) <= 0.0)
                off = tn_worst(off, fabs(g[n]));
        }
    }
    return off <= TN_SPEED_ROUNDING * fmax(1.0, sim->size) * most;
}

/* Solves and updates by the factor of a tree. */
static bool change_with_tree(tn_sim *sim, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    if (!tn_body_tree_solve(sim, NULL, sys->g, 0.0, sys->du, sys->y, report))
        return false;
    for (int64_t k = 0; k < sys->layout->u_size; k++)
        sim->state.u[k] += sys->du[k];
    return true;
}

/* The same, factorizing first. wanted: sets sys.g. false: the general method is needed. */
static bool change_by_tree(tn_sim *sim, void (*wanted)(tn_sim *sim), tn_step_report *report)
{
    if (!tn_body_tree_serves(sim))
        return false;
    wanted(sim);
    return speeds_fit(sim) ||
           (tn_body_tree_take_hard(sim, report) == TN_OK && change_with_tree(sim, report));
}

/* Adds the solution for sys.g to the velocities. */
static tn_status change(tn_sim *sim, double enough, tn_step_report *report)
{
    const tn_status status = tn_solve_for(sim, enough, tn_size_of_rows(sim), report);
    for (int64_t k = 0; k < sim->sys.layout->u_size && status == TN_OK; k++)
        sim->state.u[k] += sim->sys.du[k];
    return status;
}

tn_status tn_solve_velocity(tn_sim *sim, double enough, tn_step_report *report)
{
    speeds_wanted(sim);
    return change(sim, enough, report);
}

bool tn_velocity_with_tree(tn_sim *sim, tn_step_report *report)
{
    speeds_wanted(sim);
    return speeds_fit(sim) || change_with_tree(sim, report);
}

tn_status tn_project_velocity_to(tn_sim *sim, double enough, bool at_hand, tn_step_report *report)
{
    if (change_by_tree(sim, speeds_wanted, report))
        return TN_OK;
    tn_prepare_hard_rows(sim);
    const tn_status status = at_hand ? TN_OK : tn_factorize(sim, report);
    return status == TN_OK ? tn_solve_velocity(sim, enough, report) : status;
}

tn_status tn_project_velocity(tn_sim *sim, tn_step_report *report)
{
    return tn_project_velocity_to(sim, 0.0, false, report);
}

/* g = v - G u for rows of hard limits, 0 for all others. */
static void speeds_at_limits_wanted(tn_sim *sim)
{
    speeds_wanted(sim);
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        double *g = sim->sys.g + sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < s->active_count; n++) {
            if (!tn_row_is_at_limit(&sim->model->joints[j], s, s->active[n]) ||
                tn_active_compliance(&sim->state, j, n) > 0.0)
                g[n] = 0.0;
        }
    }
}

/* g = v - G u for coordinates that have been caught, 0 for all others. */
static void speeds_of_caught_wanted(tn_sim *sim)
{
    tn_system *sys = &sim->sys;
    speeds_wanted(sim);
    memcpy(sim->speeds, sys->g, sizeof(double) * (size_t)sys->layout->y_size);
    memset(sys->g, 0, sizeof(double) * (size_t)sys->layout->y_size);
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive *drive = &sim->state.drives[k];
        const int64_t slot = tn_drive_slot(sys, &sim->state, drive);
        if (slot >= 0 && drive->caught)
            sys->g[slot] = sim->speeds[slot];
    }
}

/* The least change of velocities that gives some rows their speeds and does not change those of others. */
static tn_status change_some(tn_sim *sim, void (*wanted)(tn_sim *sim), tn_step_report *report)
{
    if (change_by_tree(sim, wanted, report))
        return TN_OK;
    tn_prepare_hard_rows(sim);
    const tn_status status = tn_factorize(sim, report);
    wanted(sim);
    return status == TN_OK ? change(sim, 0.0, report) : status;
}

tn_status tn_project_caught(tn_sim *sim, tn_step_report *report)
{
    return change_some(sim, speeds_of_caught_wanted, report);
}

tn_status tn_project_limits(tn_sim *sim, tn_step_report *report)
{
    return change_some(sim, speeds_at_limits_wanted, report);
}

bool tn_velocity_fits(tn_sim *sim)
{
    speeds_wanted(sim);
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const double *g = sim->sys.g + sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < sim->state.switches[j].active_count; n++) {
            if (!(g[n] == 0.0))
                return false;
        }
    }
    return true;
}
