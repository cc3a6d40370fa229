/* acceleration.c: room motion/closing: accelerations and multipliers that belong to a pose and velocities.
 *
 * The system of metric.c with all forces on the bodies, those of compliant rows included, and
 * g = v' - (dG/dt) u.
 */

#include <math.h>
#include <string.h>

#include "assemble/drive_terms.h"
#include "motion/closing/metric.h"
#include "motion/closing/project.h"
#include "motion/loads.h"
#include "motion/tree/tree.h"

/* lambda = -phi/C - D phi' on compliant rows, 0 on hard ones; speeds holds phi'. */
static void compliant_multipliers(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int64_t slot = sim->sys.layout->y_offset[j];
        double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
        memset(lambda, 0, sizeof(double) * TN_MAX_ROWS);
        for (int32_t n = 0; n < s->active_count; n++) {
            const int32_t row = s->active[n];
            if (s->compliance[row] > 0.0) {
                lambda[row] = -sim->sys.phi[slot + n] / s->compliance[row] -
                              s->damping[row] * sim->speeds[slot + n];
            }
        }
    }
}

/* Adds the multipliers of the hard rows, as solved. */
static void add_hard_multipliers(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int64_t slot = sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < s->active_count; n++) {
            if (tn_active_compliance(&sim->state, j, n) <= 0.0)
                sim->state.lambda[j * TN_MAX_ROWS + s->active[n]] = sim->sys.y[slot + n];
        }
    }
}

/* Sets the multipliers to those of compliant rows alone, and adds their forces to sys.f. */
static void add_compliant_forces(tn_sim *sim)
{
    tn_system *sys = &sim->sys;
    if (!tn_any_yields(sim)) {
        memset(sim->state.lambda, 0,
               sizeof(double) * TN_MAX_ROWS * (size_t)sim->model->element_count);
        return;
    }
    tn_assemble_speeds(sys, &sim->state, sim->state.u, sim->speeds);
    compliant_multipliers(sim);
    tn_assemble_joint_forces(sys, &sim->state, sys->f);
}

void tn_prepare_acceleration(tn_sim *sim)
{
    tn_system *sys = &sim->sys;
    tn_assemble_errors(sys, &sim->state, sys->phi);
    tn_assemble_forces(sys, &sim->state, sim->state.u, NULL, 1, sys->f);
    tn_assemble_drive_forces(sys, &sim->state, sim->state.u,
                             sys->f); /* with bounds by the present reactions */
    tn_loads_add(sim, sim->state.u, false, sys->f);
    add_compliant_forces(sim);
    tn_assemble_gamma(sys, &sim->state, sim->state.u, sys->g);
    for (int64_t k = 0; k < sys->layout->y_size; k++)
        sys->g[k] = -sys->g[k];
    tn_assemble_hold_rates(sys, &sim->state, 2, sys->g);
}

void tn_take_acceleration(tn_sim *sim)
{
    memcpy(sim->state.udot, sim->sys.du, sizeof(double) * (size_t)sim->sys.layout->u_size);
    add_hard_multipliers(sim);
}

/* sqrt(J): the change of velocities in a second by the forces, in the kinetic metric. */
static double size_of_forces(const tn_sim *sim)
{
    double most = 0.0;
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        most = fmax(most, sim->sys.f[k] * sim->sys.f[k] * sim->inverse_inertia[k]);
    return sqrt(most);
}

/* The same by forces and rows. */
static double size_of_change(const tn_sim *sim)
{
    return fmax(size_of_forces(sim), tn_size_of_rows(sim));
}

/* Accelerations and multipliers by the present factor. enough: residual of the velocities to which the accelerations
 * lead in h seconds, sqrt(J). */
static tn_status solve_acceleration(tn_sim *sim, double enough, double h, tn_step_report *report)
{
    tn_prepare_acceleration(sim);
    const tn_status status = tn_solve_for(sim, enough, h * size_of_change(sim), report);
    if (status == TN_OK)
        tn_take_acceleration(sim);
    return status;
}

/* The same by the present factor of the tree; false: the general method is needed. */
static bool solve_by_tree(tn_sim *sim, double enough, double h, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    tn_prepare_acceleration(sim);
    const double share = enough > 0.0 ? enough / (h * size_of_forces(sim)) : 0.0;
    const bool good = tn_body_tree_solve(sim, sys->f, sys->g, share, sys->du, sys->y, report);
    if (good)
        tn_take_acceleration(sim);
    return good;
}

tn_status tn_solve_acceleration_to(tn_sim *sim, double enough, double h, tn_step_report *report)
{
    if (tn_body_tree_serves(sim) && tn_body_tree_take_hard(sim, report) == TN_OK &&
        solve_by_tree(sim, enough, h, report))
        return TN_OK;
    tn_prepare_hard_rows(sim);
    const tn_status status = tn_factorize(sim, report);
    return status == TN_OK ? solve_acceleration(sim, enough, h, report) : status;
}

tn_status tn_solve_acceleration(tn_sim *sim, tn_step_report *report)
{
    return tn_solve_acceleration_to(sim, 0.0, 0.0, report);
}

bool tn_solve_acceleration_nearby(tn_sim *sim, double enough, double h, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    double *before = sim->speeds;
    if (tn_any_yields(sim) || tn_gap_is_on(&sim->state))
        return false;
    tn_prepare_hard_rows(sim);
    memcpy(sys->du, sim->state.udot, sizeof(double) * (size_t)sys->layout->u_size);
    tn_assemble_gather_lambda(sys, &sim->state, before);
    memcpy(sys->y, before, sizeof(double) * (size_t)sys->layout->y_size);
    tn_prepare_acceleration(sim);
    const double tolerance = tn_tolerance_for(enough, h * size_of_change(sim));
    const bool solved = tn_singular_solve_nearby(&sim->singular, sys->f, sys->g, sys->du, sys->y,
                                                 tolerance, &report->solves);
    if (solved)
        tn_take_acceleration(sim);
    else
        tn_assemble_scatter_lambda(sys, &sim->state, before, 1.0);
    return solved;
}

tn_status tn_solve_acceleration_roughly(tn_sim *sim, double share, tn_step_report *report)
{
    tn_prepare_hard_rows(sim);
    tn_status status = tn_factorize_to_keep(sim, report);
    if (status != TN_OK)
        return status;
    tn_prepare_acceleration(sim);
    status = tn_solve_for(sim, share, 1.0, report);
    if (status == TN_OK)
        tn_take_acceleration(sim);
    return status;
}

/* Velocities and accelerations, with one factor. */
static bool project_by_tree(tn_sim *sim, double enough, double h, tn_step_report *report)
{
    return tn_body_tree_serves(sim) && tn_body_tree_take_hard(sim, report) == TN_OK &&
           tn_velocity_with_tree(sim, report) && solve_by_tree(sim, enough, h, report);
}

tn_status tn_project_motion_to(tn_sim *sim, double enough, double h, tn_step_report *report)
{
    if (project_by_tree(sim, enough, h, report))
        return TN_OK;
    tn_prepare_hard_rows(sim);
    tn_status status = tn_factorize(sim, report);
    if (status == TN_OK)
        status = tn_solve_velocity(sim, enough, report);
    if (status != TN_OK)
        return status;
    memset(sim->sys.f, 0, sizeof(double) * (size_t)sim->sys.layout->u_size);
    return solve_acceleration(sim, enough, h, report);
}

tn_status tn_project_motion(tn_sim *sim, tn_step_report *report)
{
    return tn_project_motion_to(sim, 0.0, 0.0, report);
}

double tn_acceleration_size(const tn_sim *sim)
{
    const double *udot = sim->state.udot, *inverse = sim->inverse_inertia;
    double most = 0.0;
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++) {
        if (inverse[k] > 0.0)
            most = fmax(most, udot[k] * udot[k] / inverse[k]);
    }
    return sqrt(most);
}
