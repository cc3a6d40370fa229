/* linkage_rows.c: room method/linkage: do forces hang on rows of a planar linkage that nearly repeat others?
 *
 * The verdict of solve/singular.h by a factor without E: with S = G H^-1 G^T of the pins, A its diagonal and E =
 * epsilon A,
 *     F' = S^-1 E,    F' v = E / sigma v for an eigenvalue sigma of S against A,
 * which is at least what F = E (S + E)^-1 has, and far more where rows repeat others. What so many passes leave of the
 * multipliers, as forces G^T y in the metric of H^-1, is (x^T E y)^(1/2) of a pass from x to y. In long loops rows are
 * weak for their length alone: E is then made finer, as everywhere (motion/closing/purge.h), and what the passes leave
 * is less by as much.
 *
 * In: the end of the iteration and its factor, of a pose nearby. Out: the verdict, and E.
 */
#include <math.h>
#include <string.h>

#include "method/linkage/linkage.h"
#include "motion/closing/purge.h"

static void note_push(const tn_linkage *linkage, int32_t bar, tn_v2 arm, tn_v2 force)
{
    double *at = linkage->load + TN_BAR_STRIDE * bar;
    if (bar >= linkage->bar_count)
        return;
    tn_v2_store(at, tn_v2_load(at) + force);
    at[2] += p2_cross(arm, force);
}

/* The forces of the pins in the metric of the masses. */
static double size_of_forces(const tn_linkage *linkage)
{
    double sum = 0.0;
    memset(linkage->load, 0, sizeof(double) * TN_BAR_STRIDE * (size_t)linkage->bar_count);
    for (int32_t k = 0; k < linkage->pin_count; k++) {
        const tn_linkage_pin *pin = &linkage->pins[k];
        note_push(linkage, pin->a, pin->arm_a, pin->force);
        note_push(linkage, pin->b, pin->arm_b, -pin->force);
    }
    for (int32_t k = 0; k < linkage->bar_count; k++) {
        const double *f = linkage->load + TN_BAR_STRIDE * k, *by = linkage->bars[k].inverse;
        sum += by[0] * f[0] * f[0] + by[1] * f[1] * f[1] + by[2] * f[2] * f[2];
    }
    return sqrt(sum);
}

/* y <- F' y. Returns what forces that leaves. */
static double pass(tn_linkage *linkage, double epsilon)
{
    const int64_t count = TN_PIN_ROWS * (int64_t)linkage->pin_count;
    double *y = linkage->y, *asked = linkage->columns, sum = 0.0;
    for (int64_t k = 0; k < count; k++)
        y[k] = asked[k] = epsilon * linkage->along.scale[k] * y[k];
    spd_solve(&linkage->along, y, TN_PIN_ROWS);
    for (int64_t k = 0; k < count; k++)
        sum += asked[k] * y[k];
    return sqrt(fabs(sum));
}

bool tn_linkage_rows_are_clear(tn_sim *sim, tn_linkage *linkage, tn_step_report *report)
{
    if (linkage->pivot >= TN_CLEARLY_REGULAR)
        return true;
    const double epsilon = tn_loop_epsilon(&sim->state), all = size_of_forces(linkage);
    double before = all, left = all;
    for (int32_t k = 0; k < linkage->pin_count; k++)
        tn_v2_store(linkage->y + TN_PIN_ROWS * k, linkage->pins[k].force);
    for (int passes = 0; passes < TN_FILTERINGS; passes++) {
        if (left <= TN_FORCES_HANG * all)
            return true;
        before = left;
        left = pass(linkage, epsilon);
        report->solves++;
    }
    if (left <= TN_FORCES_HANG * all)
        return true;
    const double finer = tn_finer_epsilon(sim, epsilon * before / left), share = finer / epsilon;
    if (!(left * share * share * share <= TN_FORCES_HANG * all))
        return false;
    sim->state.head->weak_epsilon = finer;
    return true;
}
