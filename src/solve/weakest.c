/* weakest.c: room solve: how far rows of loops are from repeating others (singular.h).
 *
 * In: the factor of a closed pose. Out: the least eigenvalue of S against A that does not belong to
 * repetitions, by inverse iteration: F = E (S + E)^-1 amplifies weak rows, and 1 - F removes those that
 * repeat others, for which F is 1.
 *
 * Limits: each solve moves 1e-16 / E of the other rows into repetitions. Eigenvalues below 1e-7 E are taken
 * for repetitions; those above 1e-2 are not distinguished. For eigenvalues within a factor of about two of
 * each other the result is a mean.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "solve/singular.h"

/* Of an eigenvalue half as large as the next a thousandth of the error remains after so many. */
#define TN_WEAKEST_PASSES 5

/* Numbers without a pattern, in (-1/2, 1/2): multiples of the golden section. */
#define TN_GOLDEN 0.6180339887498949

static void start(tn_singular *s)
{
    const tn_kkt_values *values = s->values;
    const tn_kkt_layout *layout = tn_kkt_get_layout(s->kkt);
    memset(s->part, 0, sizeof(double) * (size_t)layout->y_size);
    for (int32_t j = 0; j < layout->n_dual; j++) {
        for (int64_t k = layout->y_offset[j]; k < layout->y_offset[j] + values->rows[j]; k++) {
            const double multiple = (double)(k + 1) * TN_GOLDEN;
            s->part[k] =
                values->e[k] > 0.0 ? (multiple - floor(multiple) - 0.5) / sqrt(values->a[k]) : 0.0;
        }
    }
}

/* sum A x y of the rows that have E, which is a multiple of A. */
static double product(const tn_singular *s, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t k = 0; k < tn_kkt_get_layout(s->kkt)->y_size; k++)
        sum += s->values->e[k] * x[k] * y[k];
    return sum;
}

/* Units are lost on the way: v as long as one row of an energy of 1. */
static void normalize(tn_singular *s)
{
    const double length = sqrt(product(s, s->part, s->part));
    for (int64_t k = 0; k < tn_kkt_get_layout(s->kkt)->y_size; k++)
        s->part[k] *= length > 0.0 ? 1.0 / length : 0.0;
}

/* power = F v, v <- (1 - F) v; returns (v . F v) / (v . (1 - F) v) = E / sigma. */
static double divide(tn_singular *s, int32_t *solves)
{
    const int64_t size = tn_kkt_get_layout(s->kkt)->y_size;
    memcpy(s->power, s->part, sizeof(double) * (size_t)size);
    tn_singular_filter(s, s->power, solves);
    const double weak = product(s, s->part, s->power);
    for (int64_t k = 0; k < size; k++)
        s->part[k] -= s->power[k];
    return weak / (product(s, s->part, s->power) + product(s, s->part, s->part));
}

double tn_singular_weakest(tn_singular *s, int32_t *solves)
{
    const size_t bytes = sizeof(double) * (size_t)tn_kkt_get_layout(s->kkt)->y_size;
    double ratio = 0.0;
    start(s);
    divide(s, solves);
    for (int pass = 0; pass < TN_WEAKEST_PASSES; pass++) {
        normalize(s);
        ratio = divide(s, solves);
        memcpy(s->part, s->power, bytes);
        divide(s, solves);
    }
    return ratio > 0.0 ? tn_singular_epsilon(s) / ratio : INFINITY;
}
