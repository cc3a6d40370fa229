/* spd.h: room method/blocks: sparse symmetric positive definite systems of small blocks, all of one size.
 *
 * Analysed once, by minimum degree; then L D L^T by blocks, right-looking, without pivoting:
 *     U_kr = D_k^-1 A_kr,    A_rq -= U_kr^T A_kq    for all later r <= q that k is coupled to.
 * Vectors have the nodes in the order of elimination. The rows of a block have an even stride, whole vectors; the
 * numbers of a node in a vector have that stride, too. The block size is a constant to the compiler.
 */
#ifndef TN_METHOD_BLOCKS_SPD_H
#define TN_METHOD_BLOCKS_SPD_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/base.h"
#include "math/dense/lane_loops.h"
#include "tenon/status.h"

/* The largest block. */
enum { TN_SPD_STRIDE = 6, TN_SPD_BLOCK = 5 * TN_SPD_STRIDE };
/* Spare diagonal blocks after the last, since some callers fill in four at a time. */
enum { TN_SPD_SPARE = 3 };

typedef struct tn_spd {
    int32_t n;
    int32_t *position; /* [n] position of a node in the order */
    int32_t *start;    /* [n + 1] blocks right of the diagonal of each row */
    int32_t *row;      /* of each block: the later node it is coupled to */
    int32_t *target;  /* of each update: the block right of the diagonal, in the order of updates */
    double *diagonal; /* [n][size][stride]; factored: the inverse of D_k, of 3 rows its factor */
    double *block;    /* [blocks][size][stride]; factored: U_kr */
    double *scale;    /* [n][stride] of the diagonal before */
} tn_spd;

/* Two nodes that are coupled, in any order; repetitions are allowed. */
typedef struct tn_spd_edge {
    int32_t a, b;
} tn_spd_edge;

/* *fits: has the factor at most this many blocks and updates a node? Otherwise nothing is created. */
tn_status tn_spd_create(int32_t n, int size, const tn_spd_edge *edges, int64_t edge_count,
                        int32_t most, tn_spd *out, bool *fits);
void tn_spd_destroy(tn_spd *spd);

/* The block of two positions; -1: they have none. */
int32_t tn_spd_find(const tn_spd *spd, int32_t first, int32_t second);

/* The stride of rows of this many numbers. */
TN_INLINE int spd_stride(const int size)
{
    return (size + 1) & ~1;
}

TN_INLINE int spd_block(const int size)
{
    return size * spd_stride(size);
}

/* The smaller; b, if one of them is NaN. */
TN_INLINE double spd_smaller(double a, double b)
{
    return a < b ? a : b;
}

/* Replaces a diagonal block of 2 by its inverse. Returns the smaller pivot, relative to the scale. */
TN_INLINE double spd_invert_2(double *A, const double *scale)
{
    const double first = 1.0 / A[0], l = A[1] * first, p = A[3] - l * A[1], second = 1.0 / p;
    const double smallest = spd_smaller(A[0] / scale[0], p / scale[1]);
    A[0] = first + l * l * second;
    A[1] = A[2] = -l * second;
    A[3] = second;
    return smallest;
}

/* Replaces a block of 3 by its factor, 1 / p on the diagonal and L^T right of it. An inverse would have errors of
 * 1e-16 of its largest numbers; the pivots of redundant rows in later blocks would then be off by as much as E. */
TN_INLINE double spd_factor_3(double *A, const double *scale)
{
    const double i0 = 1.0 / A[0], l1 = A[1] * i0, l2 = A[2] * i0;
    const double p1 = A[5] - l1 * A[1], c = A[6] - l1 * A[2], i1 = 1.0 / p1, m = c * i1;
    const double p2 = (A[10] - l2 * A[2]) - m * c;
    const double smallest = spd_smaller(A[0] / scale[0], spd_smaller(p1 / scale[1], p2 / scale[2]));
    A[0] = i0;
    A[1] = l1;
    A[2] = l2;
    A[5] = i1;
    A[6] = m;
    A[10] = 1.0 / p2;
    return smallest;
}

/* Replaces a block of any size by its inverse, one pivot after the other, in the lower half:
 * a_ij - a_ik a_jk / a_kk, and its column a_ik / a_kk; with the sign changed at the end. */
TN_INLINE double spd_invert_any(double *A, const double *scale, const int size)
{
    const int s = spd_stride(size);
    double a[TN_SPD_STRIDE][TN_SPD_STRIDE], smallest = INFINITY;
    TN_UNROLL
    for (int i = 0; i < size; i++) {
        TN_UNROLL
        for (int j = 0; j <= i; j++)
            a[i][j] = A[i * s + j];
    }
    TN_UNROLL
    for (int k = 0; k < size; k++) {
        const double pivot = a[k][k], by = 1.0 / pivot, share = pivot / scale[k];
        double row[TN_SPD_STRIDE], part[TN_SPD_STRIDE];
        smallest = share > 0.0 ? spd_smaller(share, smallest) : -INFINITY;
        TN_UNROLL
        for (int i = 0; i < size; i++) {
            row[i] = i < k ? a[k][i] : a[i][k];
            part[i] = by * row[i];
        }
        TN_UNROLL
        for (int i = 0; i < size; i++) {
            TN_UNROLL
            for (int j = 0; j <= i; j++) {
                if (i == k || j == k)
                    a[i][j] = i == j ? -by : part[i == k ? j : i];
                else
                    a[i][j] -= part[i] * row[j];
            }
        }
    }
    TN_UNROLL
    for (int i = 0; i < size; i++) {
        TN_UNROLL
        for (int j = 0; j <= i; j++)
            A[i * s + j] = A[j * s + i] = -a[i][j];
    }
    return smallest;
}

TN_INLINE double spd_invert(double *A, const double *scale, const int size)
{
    return size == 2   ? spd_invert_2(A, scale)
           : size == 3 ? spd_factor_3(A, scale)
                       : spd_invert_any(A, scale, size);
}

/* U = D^-1 W for a block of 3. */
TN_INLINE void spd_times_3(const double *F, const double *W, double *U){
    TN_LANE_LOOP(4,
                 {
                     const lane first = TN_CONST_LANE(W + at),
                                second = TN_CONST_LANE(W + 4 + at) - F[1] * first;
                     const lane third = (TN_CONST_LANE(W + 8 + at) - F[2] * first) - F[6] * second;
                     const lane z = F[10] * third, y = F[5] * second - F[6] * z;
                     TN_LANE(U + at) = (F[0] * first - F[1] * y) - F[2] * z;
                     TN_LANE(U + 4 + at) = y;
                     TN_LANE(U + 8 + at) = z;
                 })}

/* U = D^-1 W. */
TN_INLINE void spd_times(const double *inverse, const double *W, double *U, const int size)
{
    const int s = spd_stride(size);
    if (size == 3) {
        spd_times_3(inverse, W, U);
        return;
    }
    TN_UNROLL
    for (int i = 0; i < size; i++) {
        TN_LANE_LOOP(s, {
            lane sum = inverse[i * s] * TN_CONST_LANE(W + at);
            TN_UNROLL
            for (int l = 1; l < size; l++)
                sum += inverse[i * s + l] * TN_CONST_LANE(W + l * s + at);
            TN_LANE(U + i * s + at) = sum;
        })
    }
}

/* A -= U^T W. */
TN_INLINE void spd_update(double *A, const double *U, const double *W, const int size)
{
    const int s = spd_stride(size);
    TN_UNROLL
    for (int i = 0; i < size; i++) {
        TN_LANE_LOOP(s, {
            lane sum = TN_CONST_LANE(A + i * s + at);
            TN_UNROLL
            for (int l = 0; l < size; l++)
                sum -= U[l * s + i] * TN_CONST_LANE(W + l * s + at);
            TN_LANE(A + i * s + at) = sum;
        })
    }
}

/* A -= U^T W, which is symmetric. If its last column would be alone in a vector, it is copied from the last row. */
TN_INLINE void spd_update_own(double *A, const double *U, const double *W, const int size)
{
    const int s = spd_stride(size), whole = size & ~1;
    TN_UNROLL
    for (int i = 0; i < size; i++) {
        TN_LANE_LOOP(whole, {
            lane sum = TN_CONST_LANE(A + i * s + at);
            TN_UNROLL
            for (int l = 0; l < size; l++)
                sum -= U[l * s + i] * TN_CONST_LANE(W + l * s + at);
            TN_LANE(A + i * s + at) = sum;
        })
    }
    if (whole == size)
        return;
    double last = A[whole * s + whole];
    TN_UNROLL
    for (int l = 0; l < size; l++)
        last -= U[l * s + whole] * W[l * s + whole];
    A[whole * s + whole] = last;
    TN_UNROLL
    for (int l = 0; l < whole; l++)
        A[l * s + whole] = A[whole * s + l];
}

/* y -= A^T x. */
TN_INLINE void spd_take_rows(double *y, const double *A, const double *x, const int size)
{
    const int s = spd_stride(size);
    TN_LANE_LOOP(s, {
        lane sum = TN_CONST_LANE(y + at);
        TN_UNROLL
        for (int l = 0; l < size; l++)
            sum -= x[l] * TN_CONST_LANE(A + l * s + at);
        TN_LANE(y + at) = sum;
    })
}

/* Stores the scale of the pivots of nodes from `first` to `end`: their diagonal before the factorization. */
TN_INLINE void spd_note_scale(tn_spd *spd, int32_t first, int32_t end, const int size)
{
    const int s = spd_stride(size), block = spd_block(size);
    for (int32_t k = first; k < end; k++) {
        for (int i = 0; i < size; i++)
            spd->scale[k * s + i] = spd->diagonal[k * block + i * (s + 1)];
    }
}

/* Factorizes nodes from `first` to `end`, after those before them. Returns the smallest pivot; -INFINITY: one is not
 * positive. Does the first half of the solve of x too, if it is not NULL. *targets: position in spd->target. */
TN_INLINE double spd_factor_nodes(tn_spd *spd, double *x, int32_t first, int32_t end,
                                  const int32_t **targets, const int size)
{
    const int s = spd_stride(size), block = spd_block(size);
    const int32_t *target = *targets;
    double smallest = INFINITY;
    for (int32_t k = first; k < end; k++) {
        double *D = spd->diagonal + k * block;
        const double pivot = spd_invert(D, spd->scale + k * s, size);
        smallest = pivot > 0.0 ? spd_smaller(pivot, smallest) : -INFINITY;
        for (int32_t i = spd->start[k]; i < spd->start[k + 1]; i++) {
            double U[TN_SPD_BLOCK], *W = spd->block + i * block;
            spd_times(D, W, U, size);
            spd_update_own(spd->diagonal + spd->row[i] * block, U, W, size);
            for (int32_t j = i + 1; j < spd->start[k + 1]; j++)
                spd_update(spd->block + *target++ * block, U, spd->block + j * block, size);
            memcpy(W, U, sizeof(double) * (size_t)block);
            if (x)
                spd_take_rows(x + spd->row[i] * s, U, x + k * s, size);
        }
    }
    *targets = target;
    return smallest;
}

/* Factorizes all nodes. */
TN_INLINE double spd_factor(tn_spd *spd, double *x, const int size)
{
    const int32_t *target = spd->target;
    spd_note_scale(spd, 0, spd->n, size);
    return spd_factor_nodes(spd, x, 0, spd->n, &target, size);
}

/* y = D^-1 x for a block of 3. */
TN_INLINE void spd_put_rows_3(double *y, const double *F, const double *x)
{
    const double second = x[1] - F[1] * x[0], third = (x[2] - F[2] * x[0]) - F[6] * second;
    y[2] = F[10] * third;
    y[1] = F[5] * second - F[6] * y[2];
    y[0] = (F[0] * x[0] - F[1] * y[1]) - F[2] * y[2];
    y[3] = 0.0;
}

/* y = D x with an inverse D, which is symmetric. */
TN_INLINE void spd_put_rows(double *y, const double *D, const double *x, const int size)
{
    const int s = spd_stride(size);
    if (size == 3) {
        spd_put_rows_3(y, D, x);
        return;
    }
    TN_LANE_LOOP(s, {
        lane sum = x[0] * TN_CONST_LANE(D + at);
        TN_UNROLL
        for (int l = 1; l < size; l++)
            sum += x[l] * TN_CONST_LANE(D + l * s + at);
        TN_LANE(y + at) = sum;
    })
}

/* y -= A x. */
TN_INLINE void spd_take_columns(double *y, const double *A, const double *x, const int size)
{
    const int s = spd_stride(size);
    TN_UNROLL
    for (int l = 0; l < size; l++) {
        double sum = A[l * s] * x[0];
        TN_UNROLL
        for (int j = 1; j < size; j++)
            sum += A[l * s + j] * x[j];
        y[l] -= sum;
    }
}

/* The first half of a solve, for nodes from `first` to `end`. */
TN_INLINE void spd_forward_nodes(const tn_spd *spd, double *x, int32_t first, int32_t end,
                                 const int size)
{
    const int s = spd_stride(size), block = spd_block(size);
    for (int32_t k = first; k < end; k++) {
        for (int32_t i = spd->start[k]; i < spd->start[k + 1]; i++)
            spd_take_rows(x + spd->row[i] * s, spd->block + i * block, x + k * s, size);
    }
}

TN_INLINE void spd_forward(const tn_spd *spd, double *x, const int size)
{
    spd_forward_nodes(spd, x, 0, spd->n, size);
}

/* The second half, for nodes from `first` to `end`, after those behind them. */
TN_INLINE void spd_backward_nodes(const tn_spd *spd, double *x, int32_t first, int32_t end,
                                  const int size)
{
    const int s = spd_stride(size), block = spd_block(size);
    for (int32_t k = end - 1; k >= first; k--) {
        double y[TN_SPD_STRIDE];
        spd_put_rows(y, spd->diagonal + k * block, x + k * s, size);
        for (int32_t i = spd->start[k]; i < spd->start[k + 1]; i++)
            spd_take_columns(y, spd->block + i * block, x + spd->row[i] * s, size);
        memcpy(x + k * s, y, sizeof(double) * (size_t)s);
    }
}

TN_INLINE void spd_backward(const tn_spd *spd, double *x, const int size)
{
    spd_backward_nodes(spd, x, 0, spd->n, size);
}

/* x <- A^-1 x, [n][stride] in the order of elimination. */
TN_INLINE void spd_solve(const tn_spd *spd, double *x, const int size)
{
    spd_forward(spd, x, size);
    spd_backward(spd, x, size);
}

#endif
