/* linkage_rows.c: room method/linkage: do forces of a planar linkage depend on rows that are nearly redundant?
 *
 * The test of solve/singular.h, by a factor without E: with S = G H^-1 G^T of the pins, A its diagonal and
 * E = epsilon A,
 *     F' = S^-1 E,    F' v = E / sigma v for an eigenvalue sigma of S with respect to A,
 * which is at least that of F = E (S + E)^-1, and far more where rows are redundant. What several passes leave of the
 * multipliers, as forces G^T y in the metric of H^-1, is (x^T E y)^(1/2) for a pass from x to y. In long loops rows are
 * weak because of the number of joints: E is then made finer, as in motion/closing/purge.h, and the passes leave less
 * in proportion.
 *
 * In: the end of the iteration and its factor, of a pose nearby. Out: the verdict, and E.
 */
#include <math.h>

#include "method/linkage/linkage.h"
#include "motion/closing/purge.h"

/* y <- F' y. Returns the size of the forces that remain. */
static double pass(tn_linkage *linkage, double epsilon)
{
    const int64_t count = TN_PIN_ROWS * (int64_t)linkage->pin_count;
    double *y = linkage->y, *scaled = linkage->columns, sum = 0.0;
    for (int64_t k = 0; k < count; k++)
        y[k] = scaled[k] = epsilon * linkage->along.scale[k] * y[k];
    spd_solve(&linkage->along, y, TN_PIN_ROWS);
    for (int64_t k = 0; k < count; k++)
        sum += scaled[k] * y[k];
    return sqrt(fabs(sum));
}

bool tn_linkage_rows_are_clear(tn_sim *sim, tn_linkage *linkage, tn_step_report *report)
{
    if (linkage->pivot >= TN_CLEARLY_REGULAR)
        return true;
    const double epsilon = tn_loop_epsilon(&sim->state), all = linkage->forces;
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
