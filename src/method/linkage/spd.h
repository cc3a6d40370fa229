/* spd.h: room method/linkage: sparse symmetric positive definite systems of small blocks, all of one size.
 *
 * Analysed once, by minimum degree; then L D L^T by blocks, right-looking, no pivoting:
 *     U_kr = D_k^-1 A_kr,    A_rq -= U_kr^T A_kq    for all later r <= q that k is coupled to.
 * The numbers of a node are where the order has it. The size of blocks is a constant to the compiler.
 */
#ifndef TN_METHOD_LINKAGE_SPD_H
#define TN_METHOD_LINKAGE_SPD_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/base.h"
#include "math/lanes.h"
#include "tenon/status.h"

/* The largest block. */
enum { TN_SPD_MOST = 3 };

typedef struct tn_spd {
    int32_t n;
    int32_t *position; /* [n] of a node in the order */
    int32_t *start;    /* [n + 1] blocks right of the diagonal of each row */
    int32_t *row;      /* of each block: the later node it is coupled to */
    int32_t *target;   /* of each update of a block right of the diagonal, in their order */
    double *diagonal;  /* [n][size][size]; factored: the inverse of D_k */
    double *block;     /* [blocks][size][size]; factored: U_kr */
    double *scale;     /* [n][size] of the diagonal before */
} tn_spd;

/* Two nodes that are coupled, in any order, as often as one likes. */
typedef struct tn_spd_edge {
    int32_t a, b;
} tn_spd_edge;

/* *fits: whether the factor has at most so many blocks and updates a node; nothing is made otherwise. */
tn_status tn_spd_create(int32_t n, int size, const tn_spd_edge *edges, int64_t edge_count,
                        int32_t most, tn_spd *out, bool *fits);
void tn_spd_destroy(tn_spd *spd);

/* The block of two places, which are coupled; -1: not by a block. */
int32_t tn_spd_find(const tn_spd *spd, int32_t first, int32_t second);

/* All numbers 0. */
TN_INLINE void spd_clear(tn_spd *s, const int size)
{
    const size_t square = sizeof(double) * (size_t)(size * size);
    memset(s->diagonal, 0, square * (size_t)s->n);
    memset(s->block, 0, square * (size_t)s->start[s->n]);
}

/* A diagonal block becomes its inverse, one pivot after the other. Returns the smallest of them by the
 * scale. */
TN_INLINE double spd_invert(double *A, const double *scale, const int size)
{
    double smallest = INFINITY;
    TN_UNROLL
    for (int k = 0; k < size; k++) {
        const double pivot = A[k * size + k], by = 1.0 / pivot;
        smallest = fmin(smallest, pivot / scale[k]);
        double row[TN_SPD_MOST];
        TN_UNROLL
        for (int j = 0; j < size; j++)
            row[j] = A[k * size + j];
        TN_UNROLL
        for (int i = 0; i < size; i++) {
            TN_UNROLL
            for (int j = 0; j < size; j++) {
                if (i != k && j != k)
                    A[i * size + j] -= by * row[i] * row[j];
            }
        }
        TN_UNROLL
        for (int j = 0; j < size; j++)
            A[k * size + j] = A[j * size + k] = by * row[j];
        A[k * size + k] = -by;
    }
    TN_UNROLL
    for (int k = 0; k < size * size; k++)
        A[k] = -A[k];
    return smallest;
}

/* U = D^-1 W, both size x size. */
TN_INLINE void spd_times(const double *inverse, const double *W, double *U, const int size)
{
    TN_UNROLL
    for (int i = 0; i < size; i++) {
        TN_UNROLL
        for (int j = 0; j < size; j++) {
            double sum = 0.0;
            TN_UNROLL
            for (int l = 0; l < size; l++)
                sum += inverse[i * size + l] * W[l * size + j];
            U[i * size + j] = sum;
        }
    }
}

/* A -= U^T W. */
TN_INLINE void spd_update(double *A, const double *U, const double *W, const int size)
{
    TN_UNROLL
    for (int i = 0; i < size; i++) {
        TN_UNROLL
        for (int j = 0; j < size; j++) {
            double sum = A[i * size + j];
            TN_UNROLL
            for (int l = 0; l < size; l++)
                sum -= U[l * size + i] * W[l * size + j];
            A[i * size + j] = sum;
        }
    }
}

/* Returns the smallest pivot, in units of the diagonal that it began as. */
TN_INLINE double spd_factor(tn_spd *s, const int size)
{
    const int square = size * size;
    const int32_t *target = s->target;
    double smallest = INFINITY;
    for (int32_t k = 0; k < s->n; k++) {
        for (int i = 0; i < size; i++)
            s->scale[k * size + i] = s->diagonal[k * square + i * (size + 1)];
    }
    for (int32_t k = 0; k < s->n; k++) {
        double *D = s->diagonal + k * square;
        smallest = fmin(smallest, spd_invert(D, s->scale + k * size, size));
        for (int32_t i = s->start[k]; i < s->start[k + 1]; i++) {
            double U[TN_SPD_MOST * TN_SPD_MOST];
            double *W = s->block + i * square;
            spd_times(D, W, U, size);
            spd_update(s->diagonal + s->row[i] * square, U, W, size);
            for (int32_t j = i + 1; j < s->start[k + 1]; j++)
                spd_update(s->block + *target++ * square, U, s->block + j * square, size);
            memcpy(W, U, sizeof(double) * (size_t)square);
        }
    }
    return smallest;
}

/* y += sign A x, and with A^T. */
TN_INLINE void spd_add(double *y, double sign, const double *A, const double *x, const int size)
{
    TN_UNROLL
    for (int i = 0; i < size; i++) {
        double sum = 0.0;
        TN_UNROLL
        for (int l = 0; l < size; l++)
            sum += A[i * size + l] * x[l];
        y[i] += sign * sum;
    }
}

TN_INLINE void spd_add_transposed(double *y, double sign, const double *A, const double *x,
                                  const int size)
{
    TN_UNROLL
    for (int i = 0; i < size; i++) {
        double sum = 0.0;
        TN_UNROLL
        for (int l = 0; l < size; l++)
            sum += A[l * size + i] * x[l];
        y[i] += sign * sum;
    }
}

/* x <- A^-1 x, [n][size] in the order. */
TN_INLINE void spd_solve(const tn_spd *s, double *x, const int size)
{
    const int square = size * size;
    for (int32_t k = 0; k < s->n; k++) {
        for (int32_t i = s->start[k]; i < s->start[k + 1]; i++)
            spd_add_transposed(x + s->row[i] * size, -1.0, s->block + i * square, x + k * size,
                               size);
    }
    for (int32_t k = s->n - 1; k >= 0; k--) {
        double y[TN_SPD_MOST] = {0.0};
        spd_add(y, 1.0, s->diagonal + k * square, x + k * size, size);
        for (int32_t i = s->start[k]; i < s->start[k + 1]; i++)
            spd_add(y, -1.0, s->block + i * square, x + s->row[i] * size, size);
        memcpy(x + k * size, y, sizeof(double) * (size_t)size);
    }
}

#endif
