/* space_purge.c: room method/linkage: multipliers of hinges in space without what nothing determines. See space.h.
 *
 * What least_multipliers.c does with two passes of the filter F = E (S + E)^-1 that leave no forces, with the matrix at
 * hand, which is S + E. Where that does not tell, nobody here does.
 */
#include <math.h>
#include <string.h>

#include "method/linkage/space.h"
#include "motion/closing/purge.h"
#include "solve/singular.h"

/* x <- F x. Returns the forces G^T x that are left in the metric of H^-1, squared: with (S + E) y = E x of the new y
 * that is y S y = y E (x - y), but for rounding of 1e-16 E of x, some 1e-12 of it. */
TN_INLINE double filter(const tn_space *space, double epsilon, double *x, double *y)
{
    double sum = 0.0;
    for (int32_t k = 0; k < space->hinge_count; k++) {
        for (int n = 0; n < TN_SPACE_ROWS; n++) {
            const int32_t at = TN_SPACE_STRIDE * k + n;
            y[at] = epsilon * space->hinges[k].e[n] * x[at];
        }
        y[TN_SPACE_STRIDE * k + TN_SPACE_ROWS] = 0.0;
    }
    spd_solve(&space->matrix, y, TN_SPACE_ROWS);
    for (int32_t k = 0; k < space->hinge_count; k++) {
        for (int n = 0; n < TN_SPACE_ROWS; n++) {
            const int32_t at = TN_SPACE_STRIDE * k + n;
            sum += epsilon * space->hinges[k].e[n] * y[at] * (x[at] - y[at]);
        }
    }
    return fabs(sum);
}

static void take_multipliers(const tn_space_hinge *hinge, double *lambda)
{
    for (int n = 0; n < 3; n++)
        lambda[n] = v3_dot(hinge->axes[n], hinge->force);
    for (int n = 0; n < 2; n++)
        lambda[3 + n] = v3_dot(hinge->axes[n], hinge->moment);
    lambda[TN_SPACE_ROWS] = 0.0;
}

/* Into space->part what is to be taken from the multipliers in space->y; false: forces hang on it. */
TN_INLINE bool find_part(tn_space *space, double epsilon)
{
    const double first = filter(space, epsilon, space->y, space->once);
    const double left = filter(space, epsilon, space->once, space->part);
    return left <= TN_FORCES_KNOWN * first && isfinite(first);
}

static bool find_narrow(tn_space *space, double epsilon)
{
    return find_part(space, epsilon);
}

TN_WIDE static bool find_wide(tn_space *space, double epsilon)
{
    return find_part(space, epsilon);
}

bool tn_space_purge(const tn_sim *sim, tn_space *space, tn_step_report *report)
{
    for (int32_t k = 0; k < space->hinge_count; k++)
        take_multipliers(&space->hinges[k], space->y + TN_SPACE_STRIDE * k);
    if (!tn_rows_repeat(sim, report))
        return true;
    const double epsilon = tn_loop_epsilon(&sim->state);
    report->solves += 2;
    if (!(TN_WIDE_COPIES && space->wide ? find_wide(space, epsilon) : find_narrow(space, epsilon)))
        return false;
    for (int32_t k = 0; k < TN_SPACE_STRIDE * space->hinge_count; k++)
        space->y[k] -= space->part[k];
    return true;
}
