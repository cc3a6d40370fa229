/* spd.h: room method/linkage: sparse symmetric positive definite systems of small blocks, all of one size.
 *
 * Analysed once, by minimum degree; then L D L^T by blocks, right-looking, no pivoting:
 *     U_kr = D_k^-1 A_kr,    A_rq -= U_kr^T A_kq    for all later r <= q that k is coupled to.
 * The numbers of a node are where the order has it. A block is so many rows of a stride of 2 or 4 numbers, whole
 * vectors; a vector of a node has a stride of numbers, too. spd_kernel.h is included once for each size.
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

typedef struct tn_spd {
    int32_t n;
    int32_t *position; /* [n] of a node in the order */
    int32_t *start;    /* [n + 1] blocks right of the diagonal of each row */
    int32_t *row;      /* of each block: the later node it is coupled to */
    int32_t *target;   /* of each update of a block right of the diagonal, in their order */
    double *diagonal;  /* [n][size][stride]; factored: the inverse of D_k */
    double *block;     /* [blocks][size][stride]; factored: U_kr */
    double *scale;     /* [n][stride] of the diagonal before */
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

/* b, if one of them is NaN. */
TN_INLINE double spd_smaller(double a, double b)
{
    return a < b ? a : b;
}

/* A diagonal block of 2 becomes its inverse. Returns the smaller pivot by the scale. */
TN_INLINE double spd2_invert(double *A, const double *scale)
{
    const double first = 1.0 / A[0], l = A[1] * first, p = A[3] - l * A[1], second = 1.0 / p;
    const double smallest = spd_smaller(A[0] / scale[0], p / scale[1]);
    A[0] = first + l * l * second;
    A[1] = A[2] = -l * second;
    A[3] = second;
    return smallest;
}

/* The same of 3, rows of 4: with L^-1 = [1; -l1, 1; k, -m, 1]. */
TN_INLINE double spd3_invert(double *A, const double *scale)
{
    const double i0 = 1.0 / A[0], l1 = A[1] * i0, l2 = A[2] * i0;
    const double p1 = A[5] - l1 * A[1], c = A[6] - l1 * A[2], i1 = 1.0 / p1, m = c * i1;
    const double p2 = (A[10] - l2 * A[2]) - m * c, i2 = 1.0 / p2, k = l1 * m - l2;
    const double smallest = spd_smaller(A[0] / scale[0], spd_smaller(p1 / scale[1], p2 / scale[2]));
    A[0] = i0 + (l1 * l1 * i1 + k * k * i2);
    A[1] = A[4] = -(l1 * i1 + m * k * i2);
    A[2] = A[8] = k * i2;
    A[5] = i1 + m * m * i2;
    A[6] = A[9] = -m * i2;
    A[10] = i2;
    return smallest;
}

#define SPD_SIZE 2
#define SPD_ROW  tn_v2
#define SPD(of)  spd2_##of
#include "method/linkage/spd_kernel.h"
#undef SPD_SIZE
#undef SPD_ROW
#undef SPD

#define SPD_SIZE 3
#define SPD_ROW  tn_v4
#define SPD(of)  spd3_##of
#include "method/linkage/spd_kernel.h"
#undef SPD_SIZE
#undef SPD_ROW
#undef SPD

#endif
