/* impulse_steps.c: room method: the solves of a first-order step by sequential impulses.
 *
 * In: the system of velocity_solve (backward_euler.c) or of a position correction (project.c). Out:
 * what the sweeps reach; they never fail but for numbers that are not finite. Velocities start from
 * the multipliers of the last step (warm start), corrections from nothing. Rows with bounds are the
 * limits' business (limits.c): while a limit is held its row is an equation like any other; where
 * no events are looked for within steps the impulses keep the bounds themselves (at_steps.c).
 */
#include <math.h>
#include <string.h>

#include "law/at_steps.h"
#include "method/euler.h"
#include "motion/project.h"

static tn_status sweep(tn_sim *sim, const double *lo, const double *hi, tn_impulses_stats *stats,
                       tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    tn_impulses *sweeps = ((tn_euler_work *)sim->work)->sweeps;
    const tn_impulses_options options = {sim->options.iterations, 0.0};
    int32_t node = -1;
    tn_status status = tn_impulses_prepare(sweeps, sys->values, &node);
    if (status == TN_OK)
        status = tn_impulses_solve(sweeps, sys->values, sys->f, sys->g, lo, hi, sys->du, sys->y,
                                   &options, stats);
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

/* Errors are those of C's own origin, which an open joint has not in common with G: rows that act
 * there on A are their derivative, so that of one joint a sweep is a Gauss-Newton step. Reactions
 * have both their arms at one point, or they would not balance; those are left alone. */
static void take_own_arms(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_model_joint *joint = &sim->model->joints[j];
        if (sim->state.switches[j].active_count > 0)
            sim->sys.kin[j].r_A = m3_mulv(&sim->sys.T[joint->a].R, joint->geometry.T_CA.p);
    }
}

tn_status tn_correct_by_impulses(tn_sim *sim, tn_step_report *report)
{
    tn_impulses_stats stats;
    tn_assemble_errors(&sim->sys, &sim->state, sim->sys.phi);
    take_own_arms(sim);
    tn_prepare_correction(sim);
    const tn_status status = sweep(sim, NULL, NULL, &stats, report);
    if (status == TN_OK) {
        report->sweeps += stats.iterations;
        tn_apply_correction(sim);
    }
    return status;
}
