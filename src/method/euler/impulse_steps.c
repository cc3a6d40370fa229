/* impulse_steps.c: room method/euler: the velocities of a first-order step by sequential impulses.
 *
 * In: the system of velocity_solve (backward_euler.c). Out: the velocities after the sweeps, which fail only if
 * numbers are not finite. They start from the multipliers of the last step (warm start). Bounds of rows are treated
 * in limits.c: while a limit is held its row is an equation like any other. Where events are not located within
 * steps the impulses keep the bounds themselves (at_steps.c).
 */
#include <math.h>
#include <string.h>

#include "law/at_steps.h"
#include "method/euler/euler.h"
#include "motion/closing/project.h"

static tn_status sweep(tn_sim *sim, const double *lo, const double *hi, tn_impulses_stats *stats,
                       tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    tn_impulses *sweeps = ((tn_euler_work *)sim->work)->sweeps;
    const tn_impulses_options options = {sim->options.iterations, sim->state.u, 0.0};
    int32_t node = -1;
    tn_status status = tn_impulses_prepare(sweeps, sys->values, &node);
    if (status == TN_OK) {
        status = tn_impulses_solve(sweeps, sys->values, sys->f, sys->g, lo, hi, sys->du, sys->y,
                                   &options, stats);
    }
    if (status != TN_OK && node >= 0 && node < sim->model->body_count)
        report->culprit_body.i = node;
    return status;
}

tn_status tn_velocity_by_impulses(tn_sim *sim, double h, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    tn_impulses_stats stats;
    const tn_euler_work *w = sim->work;
    tn_assemble_gather_lambda(sys, &sim->state, sys->y);
    for (int64_t k = 0; k < sys->layout->y_size; k++)
        sys->y[k] *= h;
    const int bounded = tn_at_steps(sim);
    if (bounded)
        tn_at_steps_bound(sim, h, w->lo, w->hi);
    const tn_status status =
        sweep(sim, bounded ? w->lo : NULL, bounded ? w->hi : NULL, &stats, report);
    if (status == TN_OK) {
        report->sweeps += stats.iterations;
        report->sweep_residual = fmax(report->sweep_residual, stats.residual);
    }
    return status;
}
