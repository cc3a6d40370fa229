/* impulse_block.c: factor, solve and the bounded problem of one block (impulse_block.h). */
#include "solve/impulse_block.h"

#include "sparse/kkt.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Of a row's size: what is left of it after the rows before it were taken out, and less, is
 * round-off of rows that repeat them. */
#define TN_REPEATED_ROW 1e-12

/* Changes of side with the worst row first; then the first one, which cannot go in circles. */
#define TN_WORST_FIRST 16
/* Changes in all: 2^n sets at most, and far fewer ever met. */
#define TN_MOST_CHANGES 256

/* How far beyond a bound or on the wrong side counts, relative to the largest number involved. */
#define TN_BLOCK_TOLERANCE 1e-14

tn_status tn_impulse_factor(double *a, int32_t n, int32_t stride, const double *scale)
{
    for (int32_t j = 0; j < n; j++) {
        double pivot = a[j * stride + j];
        for (int32_t i = 0; i < j; i++) {
            pivot -= a[j * stride + i] * a[j * stride + i] / a[i * stride + i];
        }
        if (!isfinite(pivot)) {
            return TN_ERROR_NOT_FINITE;
        }
        if (scale != NULL && pivot < TN_REPEATED_ROW * scale[j]) {
            pivot = TN_REPEATED_ROW * scale[j];
        }
        if (scale != NULL && pivot == 0.0) {
            pivot = 1.0; /* a row of zeros: nothing acts on it, and its w is not helped by any x */
        }
        if (!(pivot > 0.0)) {
            return TN_ERROR_SINGULAR;
        }
        a[j * stride + j] = 1.0 / pivot;
        for (int32_t r = j + 1; r < n; r++) {
            double sum = a[r * stride + j];
            for (int32_t i = 0; i < j; i++) {
                sum -= a[r * stride + i] * a[j * stride + i] / a[i * stride + i];
            }
            a[r * stride + j] = sum / pivot;
        }
    }
    return TN_OK;
}

void tn_impulse_back_solve(const double *factor, int32_t n, int32_t stride, double *x)
{
    for (int32_t r = 0; r < n; r++) {
        for (int32_t c = 0; c < r; c++) {
            x[r] -= factor[r * stride + c] * x[c];
        }
    }
    for (int32_t r = n - 1; r >= 0; r--) {
        x[r] *= factor[r * stride + r];
        for (int32_t c = r + 1; c < n; c++) {
            x[r] -= factor[c * stride + r] * x[c];
        }
    }
}

/* Which side a row is on. */
enum { AT_LO = -1, INSIDE = 0, AT_HI = 1 };

typedef struct bounded {
    const double *k, *w, *lambda, *lo, *hi;
    int32_t n, stride;
    int8_t side[TN_KKT_MAX_BLOCK];
    double *x;
} bounded;

/* x with the rows at a bound there and w + K x = 0 in the others. */
static void solve_sides(bounded *b)
{
    double a[TN_KKT_MAX_BLOCK * TN_KKT_MAX_BLOCK], y[TN_KKT_MAX_BLOCK], scale[TN_KKT_MAX_BLOCK];
    int32_t inside[TN_KKT_MAX_BLOCK], m = 0;
    for (int32_t r = 0; r < b->n; r++) {
        if (b->side[r] == INSIDE) {
            inside[m++] = r;
        } else {
            b->x[r] = (b->side[r] == AT_LO ? b->lo[r] : b->hi[r]) - b->lambda[r];
        }
    }
    for (int32_t i = 0; i < m; i++) {
        const int32_t r = inside[i];
        y[i] = -b->w[r];
        for (int32_t c = 0; c < b->n; c++) {
            y[i] -= b->side[c] != INSIDE ? b->k[r * b->stride + c] * b->x[c] : 0.0;
        }
        for (int32_t j = 0; j < m; j++) {
            a[i * m + j] = b->k[r * b->stride + inside[j]];
        }
        scale[i] = a[i * m + i];
    }
    if (tn_impulse_factor(a, m, m, scale) != TN_OK) {
        memset(y, 0, sizeof y); /* not finite: the caller's residual says so */
    } else {
        tn_impulse_back_solve(a, m, m, y);
    }
    for (int32_t i = 0; i < m; i++) {
        b->x[inside[i]] = y[i];
    }
}

/* By how much row r is on the wrong side, and on which it belongs. */
static double wrongness(const bounded *b, int32_t r, int8_t *belongs)
{
    *belongs = b->side[r];
    if (b->side[r] == INSIDE) {
        const double value = b->lambda[r] + b->x[r];
        const double below = b->lo[r] - value, above = value - b->hi[r];
        const double size = fabs(b->lambda[r]) + fabs(b->x[r]);
        *belongs = below > 0.0 ? AT_LO : above > 0.0 ? AT_HI : INSIDE;
        const double out = fmax(below, above);
        return out > TN_BLOCK_TOLERANCE * size ? out * b->k[r * b->stride + r] : 0.0;
    }
    double w = b->w[r], size = fabs(w);
    for (int32_t c = 0; c < b->n; c++) {
        const double part = b->k[r * b->stride + c] * b->x[c];
        w += part;
        size += fabs(part);
    }
    const double wrong = b->lo[r] == b->hi[r] ? 0.0 : b->side[r] == AT_LO ? -w : w;
    *belongs = wrong > 0.0 ? INSIDE : b->side[r];
    return wrong > TN_BLOCK_TOLERANCE * size ? wrong : 0.0;
}

/* Moves one row to where it belongs; false when all are there. */
static bool change_side(bounded *b, bool worst_first)
{
    double most = 0.0;
    int32_t chosen = -1;
    int8_t to = INSIDE;
    for (int32_t r = 0; r < b->n; r++) {
        int8_t belongs;
        const double wrong = wrongness(b, r, &belongs);
        if (wrong > most && (worst_first || chosen < 0)) {
            most = wrong;
            chosen = r;
            to = belongs;
        }
    }
    if (chosen >= 0) {
        b->side[chosen] = to;
    }
    return chosen >= 0;
}

void tn_impulse_bounded(const double *k, int32_t n, int32_t stride, const double *w,
                        const double *lambda, const double *lo, const double *hi, double *x)
{
    bounded b = {
        .k = k, .w = w, .lambda = lambda, .lo = lo, .hi = hi, .n = n, .stride = stride, .x = x};
    solve_sides(&b);
    for (int32_t i = 0; i < TN_MOST_CHANGES && change_side(&b, i < TN_WORST_FIRST); i++) {
        solve_sides(&b);
    }
    for (int32_t r = 0; r < n; r++) { /* whatever happened, the bounds hold */
        x[r] = fmin(fmax(lambda[r] + x[r], lo[r]), hi[r]) - lambda[r];
    }
}
