/* gap.c: room motion/closing: loops that no pose closes, because their geometry is not quite exact.
 *
 * In: row errors, the factor of a solve. Out: the part of the errors that no motion removes, which the solves then
 * leave alone.
 *
 * Overconstrained mechanisms can move only because of their exact geometry. With joints off by e (numbers rounded in
 * a file) a loop closes but for about e, and its redundant row becomes independent with a singular value of about
 * e / 2. An exact solution would lock the mechanism, or make it creep towards a pose that closes. So rows closer
 * than that to others must still count as redundant: solve/reach.c with E = eps A. The error of leaving such a row
 * out is only (sigma / eps)^2, with sigma an eigenvalue of G H^-1 G^T. That matters, because closing a share x of
 * the gap moves the mechanism by x gap / sqrt(sigma). The errors are split into a gap, which is kept as the rows'
 * new zero, and a part that Newton's method closes. The gap is computed again at every pose: it changes as the
 * mechanism moves, and it is zero where the loop does close. eps is the square of some hundred times the gap
 * relative to the mechanism's size: the rank is decided no finer than the geometry is exact.
 *
 * The same split keeps the right-hand sides of velocity and acceleration solves in reach.
 *
 * Limits: with gaps the mechanism is the one of least squares: reactions and motion are uncertain by gap / size.
 */
#include <math.h>
#include <string.h>

#include "motion/closing/gap.h"

/* eps = (this * gap / size)^2, never finer than the plain one, and never coarser than the largest allowed gap needs,
 * which is far above the eigenvalue of that gap. */
#define TN_GAP_MARGIN   300.0
#define TN_GAP_COARSEST (TN_FAR * TN_GAP_LARGEST * TN_FAR * TN_GAP_LARGEST)

void tn_gap_clear(tn_sim *sim)
{
    if (tn_gap_is_on(&sim->state))
        memset(sim->sys.gap, 0, sizeof(double) * (size_t)sim->sys.layout->y_size);
}

void tn_gap_take(tn_sim *sim, double *g, tn_step_report *report)
{
    if (!tn_gap_is_on(&sim->state))
        return;
    double *d = sim->gap_rows;
    tn_singular_out_of_reach(&sim->singular, sim->sys.phi, d, &report->solves);
    for (int64_t k = 0; k < sim->sys.layout->y_size; k++) {
        sim->sys.gap[k] += d[k];
        sim->sys.phi[k] -= d[k];
        if (g)
            g[k] += d[k];
    }
}

void tn_gap_retake(tn_sim *sim, tn_step_report *report)
{
    if (!tn_gap_is_on(&sim->state))
        return;
    for (int64_t k = 0; k < sim->sys.layout->y_size; k++)
        sim->sys.phi[k] += sim->sys.gap[k];
    tn_gap_clear(sim);
    tn_gap_take(sim, NULL, report);
}

void tn_gap_keep_in_reach(tn_sim *sim, double *v, tn_step_report *report)
{
    tn_singular_keep_in_reach(&sim->singular, v, &report->solves);
}

tn_gap tn_gap_measure(const tn_sim *sim)
{
    tn_gap gap = {0.0, 0.0, 0.0, -1};
    if (!tn_gap_is_on(&sim->state))
        return gap;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const tn_joint_type_info *info = &sim->model->joints[j].geometry.cls->info;
        for (int32_t n = 0; n < s->active_count; n++) {
            const double open = fabs(sim->sys.gap[sim->sys.layout->y_offset[j] + n]);
            const int linear = (info->rows[s->active[n]].flags & TN_ROW_LINEAR) != 0;
            double *largest = linear ? &gap.position : &gap.angle;
            const double relative = linear ? open / sim->size : open;
            *largest = fmax(*largest, open);
            if (!(relative <= gap.relative)) {
                gap.relative = relative;
                gap.worst = j;
            }
        }
    }
    return gap;
}

void tn_gap_set_epsilon(tn_sim *sim, double epsilon)
{
    const tn_kkt_values *values = sim->sys.values;
    for (int64_t k = 0; k < sim->sys.layout->y_size; k++) {
        if (values->e[k] > 0.0)
            values->e[k] = epsilon * values->a[k];
    }
}

/* The smallest power of two that is not smaller than x. */
static double power_of_two_above(double x)
{
    int k;
    const double m = frexp(x, &k);
    return x > 0.0 ? ldexp(1.0, m == 0.5 ? k - 1 : k) : 0.0;
}

double tn_gap_fold_epsilon(double relative)
{
    return fmin(sqrt(TN_GAP_COARSEST), power_of_two_above(TN_GAP_MARGIN * relative));
}

double tn_gap_epsilon(double relative)
{
    const double margin = TN_GAP_MARGIN * relative;
    return fmin(TN_GAP_COARSEST, fmax(TN_EPSILON, margin * margin));
}
