/* purge.c: room motion/closing: removes null-space components from the multipliers of the state.
 *
 * In: multipliers and the factor of a solve. Out: the minimum-norm ones (solve/least_multipliers.c), and the change
 * point for the report.
 */
#include <math.h>
#include <string.h>

#include "motion/force_balance.h"
#include "motion/closing/purge.h"

int tn_rows_repeat(const tn_sim *sim, const tn_step_report *report)
{
    return sim->model->loop_joints > 0 && !sim->sys.regular_rows &&
           (report->smallest_pivot < TN_REDUNDANT_PIVOT || tn_gap_is_on(&sim->state));
}

/* Keeps the nearest change point of the step in the report. */
static void report_change_point(const tn_rows_told *told, tn_step_report *report)
{
    if (report->folds && told->distance >= report->fold_distance)
        return;
    report->folds = 1;
    report->fold_distance = told->distance;
    report->fold_joint.i = told->dual;
}

/* E for rows that carry force, relative to their eigenvalue: the filter then changes the forces by the cube of it,
 * TN_ROUNDED. */
#define TN_WEAK_SHARE 1e-4

bool tn_loops_are_long(int32_t loop_joints)
{
    return tn_singular_reach(false, loop_joints) > TN_FAR;
}

/* In loops of many joints rows are weak in every pose, because of the number of joints, without a change point. E is
 * made finer for them, as far as eigenvalues of such loops still count as those of independent rows
 * (tn_singular_reach). */
double tn_finer_epsilon(const tn_sim *sim, double sigma)
{
    const double reach = tn_singular_reach(false, sim->model->loop_joints);
    const double finest = fmax(TN_EPSILON / reach, TN_ROUNDED);
    const double now = tn_loop_epsilon(&sim->state), wanted = fmax(TN_WEAK_SHARE * sigma, finest);
    return reach > TN_FAR && TN_CLEAR * wanted <= now ? wanted : now;
}

/* Makes E finer for good if needed. Was it? */
static bool sharpen(tn_sim *sim, double distance)
{
    const double finer = tn_finer_epsilon(sim, distance * distance);
    if (finer == tn_loop_epsilon(&sim->state))
        return false;
    sim->state.head->weak_epsilon = finer;
    return true;
}

tn_rows_verdict tn_purge_rows(tn_sim *sim, double *lambda, bool at_closed_pose,
                              tn_step_report *report)
{
    if (tn_gap_is_on(&sim->state)) { /* rows that are nearly redundant count as redundant */
        tn_singular_take_null_part(&sim->singular, lambda, &report->solves);
        return TN_ROWS_REPEAT;
    }
    const tn_rows_told told =
        tn_singular_least_multipliers(&sim->singular, lambda, at_closed_pose, &report->solves);
    const bool sharper = told.distance > 0.0 && at_closed_pose && sharpen(sim, told.distance);
    if (sharper && told.verdict == TN_ROWS_CHANGE_POINT)
        return TN_ROWS_UNTOLD;
    if (told.verdict == TN_ROWS_CHANGE_POINT)
        report_change_point(&told, report);
    return told.verdict;
}

tn_rows_verdict tn_purge_multipliers(tn_sim *sim, bool at_closed_pose, tn_step_report *report)
{
    tn_assemble_gather_lambda(&sim->sys, &sim->state, sim->sys.y);
    const tn_rows_verdict verdict = tn_purge_rows(sim, sim->sys.y, at_closed_pose, report);
    tn_assemble_scatter_lambda(&sim->sys, &sim->state, sim->sys.y, 1.0);
    return verdict;
}

void tn_purge_tightly(tn_sim *sim, double most, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    double *before = sim->purge.before, *change = sim->purge.change;
    tn_assemble_gather_lambda(sys, &sim->state, before);
    tn_purge_multipliers(sim, true, report);
    tn_assemble_gather_lambda(sys, &sim->state, change);
    for (int64_t k = 0; k < sys->layout->y_size; k++)
        change[k] -= before[k];
    memset(sys->du, 0, sizeof(double) * (size_t)sys->layout->u_size);
    tn_kkt_apply_gt(sim->model->kkt, sys->values, change, sys->du);
    const tn_force_balance moved = tn_force_balance_of(sim, sys->du, sim->purge.force_scale);
    if (fmax(moved.force, moved.moment) > most)
        tn_assemble_scatter_lambda(sys, &sim->state, before, 1.0);
}
