/* acceleration_near.c: room motion/closing: accelerations from those of a pose nearby, by its factor.
 *
 * A pass solves what the accelerations and multipliers at hand leave of the equations at this pose
 * with the matrix of the other; it leaves the share by which the matrix has changed.
 */

#include <math.h>
#include <string.h>

#include "motion/closing/project.h"
#include "solve/singular.h"
#include "sparse/factor/factor.h"

/* lambda: those of hard rows from y; into g those of compliant ones, whose forces are in f. */
static void take_apart(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int64_t slot = sim->sys.layout->y_offset[j];
        double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
        for (int32_t n = 0; n < s->active_count; n++) {
            const bool yields = tn_active_compliance(&sim->state, j, n) > 0.0;
            if (yields)
                sim->sys.g[slot + n] = lambda[s->active[n]];
            lambda[s->active[n]] = yields ? 0.0 : sim->sys.y[slot + n];
        }
    }
}

/* One pass: du = f + G^T lambda - M udot, y = g - G udot, solved, and taken. */
static void follow(tn_sim *sim)
{
    tn_system *sys = &sim->sys;
    double *udot = sim->state.udot;
    memset(sys->du, 0, sizeof(double) * (size_t)sys->layout->u_size);
    tn_assemble_momentum(sys, &sim->state, udot, sys->du);
    for (int64_t k = 0; k < sys->layout->u_size; k++)
        sys->du[k] = sys->f[k] - sys->du[k];
    tn_assemble_joint_forces(sys, &sim->state, sys->du);
    tn_assemble_speeds(sys, &sim->state, udot, sys->y);
    for (int64_t k = 0; k < sys->layout->y_size; k++)
        sys->y[k] = sys->g[k] - sys->y[k];
    tn_kkt_solve(sim->model->kkt, sys->factor, sys->du, sys->y);
    for (int64_t k = 0; k < sys->layout->u_size; k++)
        udot[k] += sys->du[k];
}

/* Of hard rows what a pass has found, or, at the end, of compliant ones what is kept in g. */
static void take_multipliers(tn_sim *sim, bool at_end)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int64_t slot = sim->sys.layout->y_offset[j];
        double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
        for (int32_t n = 0; n < s->active_count; n++) {
            const bool yields = tn_active_compliance(&sim->state, j, n) > 0.0;
            if (yields && at_end)
                lambda[s->active[n]] = sim->sys.g[slot + n];
            else if (!yields && !at_end)
                lambda[s->active[n]] -= sim->sys.y[slot + n];
        }
    }
}

/* In the kinetic metric. */
static double size_of(const tn_sim *sim, const double *a)
{
    double sum = 0.0;
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++) {
        if (sim->inverse_inertia[k] > 0.0)
            sum += a[k] * a[k] / sim->inverse_inertia[k];
    }
    return sqrt(sum);
}

bool tn_follow_acceleration(tn_sim *sim, int passes, double enough, tn_step_report *report)
{
    const double rounding = TN_SOLVE_TOLERANCE * size_of(sim, sim->state.udot);
    double first = 0.0, change = INFINITY;
    tn_assemble_gather_lambda(&sim->sys, &sim->state, sim->sys.y);
    tn_prepare_acceleration(sim);
    take_apart(sim);
    for (int pass = 0; pass < passes && change > fmax(enough * first, rounding); pass++) {
        follow(sim);
        take_multipliers(sim, false);
        report->solves++;
        change = size_of(sim, sim->sys.du);
        first = pass == 0 ? change : first;
    }
    take_multipliers(sim, true);
    return change <= fmax(enough * first, rounding);
}
