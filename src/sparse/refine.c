/* refine.c: proximal passes that remove the regularisation of the factor.
 *
 * Room sparse. In: factor of K_E, values, right-hand side, start. Out: solution of the system with
 * the target R, statistics.
 *
 *     repeat:  ru = b - H u + G^T lambda,  rl = g - G u - R lambda
 *              K_E (du, -dlambda) = (ru, rl);   u += du, lambda += dlambda
 *
 * Error factor per pass: E/(E + sigma) for each non-zero eigenvalue sigma of G H^-1 G^T + R
 * (Carpentier, Budhiraja, Mansard 2021). On redundant rows lambda moves only within the range of G:
 * from 0 it reaches the solution of least sum E_i lambda_i^2. Contradictory rows show as stagnation.
 */
#include "sparse/kkt_impl.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

/* A pass must at least halve the residual, or it is round-off or a contradiction. */
#define TN_STAGNATION 0.5

/* max x_i^2 / scale_i; false when some x_i is not finite. */
static bool scaled_maximum(const double *x, const double *scale, int64_t n, double *maximum)
{
    double largest = *maximum;
    double poison = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double square = x[i] * x[i];
        poison += x[i] - x[i];
        if (square > largest * scale[i]) {
            largest = square / scale[i];
        }
    }
    *maximum = largest;
    return poison == 0.0;
}

/* The two scaled norms of (x over primal, z over active rows); false when not finite. */
static bool norms(const tn_kkt *kkt, const tn_kkt_values *values, const tn_kkt_factor *factor,
                  const double *x, const double *z, double *primal, double *dual)
{
    const tn_kkt_layout *l = &kkt->layout;
    double pu = 0.0;
    double pl = 0.0;
    bool finite = x == NULL || scaled_maximum(x, factor->h_scale, l->u_size, &pu);
    for (int32_t k = 0; k < l->n_dual && z != NULL; k++) {
        if (kkt->dual_position[k] >= 0) {
            int64_t at = l->y_offset[k];
            finite &= scaled_maximum(z + at, values->a + at, values->rows[k], &pl);
        }
    }
    *primal = sqrt(pu);
    *dual = sqrt(pl);
    return finite;
}

/* u += du, lambda -= dy on what is active. */
static void advance(const tn_kkt *kkt, const tn_kkt_values *values, const tn_kkt_factor *factor,
                    double *u, double *lambda)
{
    const tn_kkt_layout *l = &kkt->layout;
    for (int64_t i = 0; i < l->u_size; i++) {
        u[i] += factor->ru[i];
    }
    for (int32_t k = 0; k < l->n_dual; k++) {
        if (kkt->dual_position[k] < 0) {
            continue;
        }
        for (int64_t i = l->y_offset[k]; i < l->y_offset[k] + values->rows[k]; i++) {
            lambda[i] -= factor->rl[i];
        }
    }
}

static void copy(double *to, const double *from, int64_t n)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

struct iterate {
    double primal, dual; /* relative scaled residuals */
};

static double worst(struct iterate a)
{
    return a.primal > a.dual ? a.primal : a.dual;
}

static bool measure(const tn_kkt *kkt, const tn_kkt_values *values, tn_kkt_factor *factor,
                    const double *b, const double *g, const double *u, const double *lambda,
                    double reference, struct iterate *out)
{
    tn_kkt_residual(kkt, values, u, lambda, b, g, factor->ru, factor->rl);
    bool finite = norms(kkt, values, factor, factor->ru, factor->rl, &out->primal, &out->dual);
    out->primal /= reference;
    out->dual /= reference;
    return finite;
}

/* Size of the right-hand side, with the size of a warm start as a floor for homogeneous systems. */
static bool reference_size(const tn_kkt *kkt, const tn_kkt_values *values, tn_kkt_factor *factor,
                           const double *b, const double *g, const double *u, const double *lambda,
                           double *reference)
{
    double primal = 0.0;
    double dual = 0.0;
    if (!norms(kkt, values, factor, b, g, &primal, &dual)) {
        return false;
    }
    *reference = primal > dual ? primal : dual;
    if (*reference > 0.0) {
        return true;
    }
    tn_kkt_residual(kkt, values, u, lambda, NULL, NULL, factor->ru, factor->rl);
    if (!norms(kkt, values, factor, factor->ru, factor->rl, &primal, &dual)) {
        return false;
    }
    *reference = primal > dual ? primal : dual;
    *reference = *reference > 0.0 ? *reference : 1.0;
    return true;
}

tn_status tn_kkt_solve_refined(const tn_kkt *kkt, const tn_kkt_values *values,
                               tn_kkt_factor *factor, const double *b, const double *g, double *u,
                               double *lambda, const tn_kkt_refine_options *options,
                               tn_kkt_refine_stats *stats)
{
    int64_t nu = kkt->layout.u_size;
    int64_t ny = kkt->layout.y_size;
    double reference = 1.0;
    struct iterate now = {0.0, 0.0};
    *stats = (tn_kkt_refine_stats){0};
    if (!reference_size(kkt, values, factor, b, g, u, lambda, &reference) ||
        !measure(kkt, values, factor, b, g, u, lambda, reference, &now)) {
        return TN_ERROR_NOT_FINITE;
    }
    while (worst(now) > options->tolerance && stats->passes < options->max_passes) {
        struct iterate before = now;
        copy(factor->best_u, u, nu);
        copy(factor->best_l, lambda, ny);
        tn_kkt_solve(kkt, factor, factor->ru, factor->rl);
        advance(kkt, values, factor, u, lambda);
        bool finite = measure(kkt, values, factor, b, g, u, lambda, reference, &now);
        stats->passes++;
        if (!finite || worst(now) > TN_STAGNATION * worst(before)) {
            stats->stagnated = finite ? worst(now) > options->tolerance : true;
            if (!finite || worst(now) > worst(before)) {
                copy(u, factor->best_u, nu);
                copy(lambda, factor->best_l, ny);
                now = before;
            }
            break;
        }
    }
    stats->primal_residual = now.primal;
    stats->dual_residual = now.dual;
    return TN_OK;
}
