/* mlcp_check.c: how far a candidate (u, lambda) is from solving the complementarity problem.
 *
 * Room solve/mlcp. In: values, right-hand side, bounds, candidate. Out: tn_mlcp_residual. Uses the
 * definition only, nothing of how the candidate was found.
 *
 *     primal row p:  |b - H u + G^T lambda|_p / sqrt(H_pp)
 *     row i:         |min(x - l, max(x - h, w))|,  x = lambda sqrt(a), w = (G u + R lambda - g) /
 *                    sqrt(a), l and h the bounds times sqrt(a)
 *
 * The second is the natural residual x - clamp(x - w) of box complementarity, written without the
 * cancellation: 0 exactly at solutions, and w itself for a bilateral row. Both are relative to the
 * largest of b, u and lambda-at-a-bound in that measure; a row also to its own g, which is huge and
 * harmless when a limit is far away. Multipliers of opposing rows may grow together until G^T
 * lambda is only round-off: the primal residual is never taken for less than eps max lambda
 * sqrt(a).
 */
#include "solve/mlcp/mlcp_impl.h"

#include <float.h>
#include <math.h>

/* H_ii of a primal node; a zero inertia borrows the largest of its block, as the kernel does. */
static double inertia(const double *h, int32_t d, int32_t i)
{
    double own = h[i * d + i];
    double largest = 0.0;
    for (int32_t j = 0; j < d && !(own > 0.0); j++) {
        largest = h[j * d + j] > largest ? h[j * d + j] : largest;
    }
    return own > 0.0 ? own : largest > 0.0 ? largest : 1.0;
}

static double primal_norm(const tn_mlcp *m, const tn_kkt_values *values, const double *x,
                          bool force)
{
    double worst = 0.0;
    for (int32_t p = 0; p < m->l->n_primal; p++) {
        int32_t d = m->l->primal_dim[p];
        for (int32_t i = 0; i < d; i++) {
            double scale = inertia(values->h + m->l->h_offset[p], d, i);
            double entry = x[m->l->u_offset[p] + i];
            double square = force ? entry * entry / scale : entry * entry * scale;
            if (!(square <= worst)) {
                worst = isfinite(square) ? square : (double)INFINITY;
            }
        }
    }
    return sqrt(worst);
}

double tn_mlcp_force_norm(const tn_mlcp *m, const tn_kkt_values *values, const double *x)
{
    return primal_norm(m, values, x, true);
}

double tn_mlcp_velocity_norm(const tn_mlcp *m, const tn_kkt_values *values, const double *x)
{
    return primal_norm(m, values, x, false);
}

/* sqrt of the least normal double: what is smaller, the last of what decays, is nothing. Its squares
 * are 0, and no residual is small against it. */
#define TN_MLCP_NOTHING 1.5e-154

/* The scale of the whole problem: b, u, and the multipliers that sit at a bound other than 0. */
static double find_reference(const tn_mlcp *m, const tn_kkt_values *values, const double *b,
                             const double *lo, const double *hi, const double *u,
                             const double *lambda)
{
    double reference = fmax(tn_mlcp_force_norm(m, values, b), tn_mlcp_velocity_norm(m, values, u));
    TN_MLCP_ROWS(m, values, i)
    {
        if (lambda[i] <= lo[i] || lambda[i] >= hi[i]) {
            reference =
                fmax(reference, fabs(fmin(fmax(lambda[i], lo[i]), hi[i])) * sqrt(values->a[i]));
        }
    }
    return fmax(reference, TN_MLCP_NOTHING);
}

/* Largest |lambda_i| sqrt(a_i). */
static double row_norm(const tn_mlcp *m, const tn_kkt_values *values, const double *lambda)
{
    double size = 0.0;
    TN_MLCP_ROWS(m, values, i)
    {
        size = fmax(size, fabs(lambda[i]) * sqrt(values->a[i]));
    }
    return size;
}

void tn_mlcp_check(tn_mlcp *m, const tn_kkt_values *values, const double *b, const double *g,
                   const double *lo, const double *hi, const double *u, const double *lambda,
                   tn_mlcp_residual *residual)
{
    *residual = (tn_mlcp_residual){.worst_row = -1};
    residual->reference = find_reference(m, values, b, lo, hi, u, lambda);
    tn_kkt_residual(m->kkt, values, u, lambda, b, g, m->ru, m->rl);
    residual->primal =
        fmax(tn_mlcp_force_norm(m, values, m->ru), DBL_EPSILON * row_norm(m, values, lambda)) /
        residual->reference;
    TN_MLCP_ROWS(m, values, i)
    {
        double scale = sqrt(values->a[i]);
        double inside =
            fmin((lambda[i] - lo[i]) * scale, fmax((lambda[i] - hi[i]) * scale, -m->rl[i] / scale));
        double relative = fabs(inside) / fmax(residual->reference, fabs(g[i]) / scale);
        relative = isnan(lambda[i] + m->rl[i]) ? (double)INFINITY : relative;
        if (relative > residual->complementarity) {
            residual->complementarity = relative;
            residual->worst_row = i;
        }
    }
    residual->violation = fmax(residual->primal, residual->complementarity);
    if (!isfinite(residual->violation) || !isfinite(residual->reference)) {
        residual->violation = (double)INFINITY;
    }
}

/* Feasible velocities would have to be this much larger than the reference: there are none. */
#define TN_MLCP_PROOF 1e2

/* Sum of |f_i| / sqrt(H_ii): f u <= this times max |u_i| sqrt(H_ii). */
static double force_sum(const tn_mlcp *m, const tn_kkt_values *values, const double *f)
{
    double sum = 0.0;
    for (int32_t p = 0; p < m->l->n_primal; p++) {
        int32_t d = m->l->primal_dim[p];
        for (int32_t i = 0; i < d; i++) {
            sum +=
                fabs(f[m->l->u_offset[p] + i]) / sqrt(inertia(values->h + m->l->h_offset[p], d, i));
        }
    }
    return sum;
}

/* Every u that satisfies the rows has v.G u >= v.g for each v whose entries point where lambda is
 * unbounded (a row at a finite bound, or with compliance, may have any w). */
bool tn_mlcp_proves_conflict(tn_mlcp_run *run, const double *v, double reference)
{
    tn_mlcp *m = run->m;
    double gain = 0.0;
    TN_MLCP_ROWS(m, run->values, i)
    {
        bool open = v[i] > 0.0 ? isinf(run->hi[i]) : isinf(run->lo[i]);
        m->proof[i] = open && run->values->r[i] == 0.0 ? v[i] : 0.0;
        gain += run->g[i] * m->proof[i];
    }
    for (int64_t i = 0; i < m->l->u_size; i++) {
        m->ru[i] = 0.0;
    }
    tn_kkt_apply_gt(m->kkt, run->values, m->proof, m->ru);
    return gain > TN_MLCP_PROOF * fmax(reference, run->options->at_hand) *
                      force_sum(m, run->values, m->ru);
}
