/* front.h: operations on the dense rows of a front: rows of columns that are eliminated together.
 *
 * Room sparse/front: knows no nodes. A front has `depth` rows, those of the factor's U. A row has the columns of all
 * later nodes side by side, with padding only at its end (TN_FRONT_LANES). In: rows, pivots, vectors. Out: rows
 * divided by pivots, updates of rows by others, products with vectors.
 *
 * Compiled for 2 lanes (every machine), 4 (AVX2) and 8 (AVX-512): a lane is a column. Sums in a column have one
 * order, without fused products; sums along a row are those of eight lanes, then of their halves. So all have the
 * same bits. Up to TN_FRONT_SLACK numbers beyond the given columns are read, and written back unchanged.
 */
#ifndef TN_SPARSE_FRONT_FRONT_H
#define TN_SPARSE_FRONT_FRONT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TN_FRONT_LANES = 4, /* a row begins at a multiple of these */
    TN_FRONT_SLACK = 8, /* numbers behind the last row */
    TN_FRONT_DEPTH = 48 /* most rows */
};

/* t -= w^T u, of some rows and columns. */
typedef struct tn_front_product {
    double *t;
    int32_t t_stride;
    int32_t
        row; /* of pivots: t is row `row` of a block of pivots of that stride (tn_upper); -1: of other rows */
    const double *w, *u; /* depth x rows and depth x columns */
    int32_t w_stride, u_stride;
    int32_t depth, rows, columns;
    bool upper; /* row i begins at column i */
} tn_front_product;

typedef struct tn_front_kernel {
    int32_t lanes;
    /* The rows v behind factored pivots (tn_upper): w_j = v_j - sum_{i<j} U_ij w_i, v_j = w_j / p_j. */
    void (*divide)(const double *pivots, int32_t depth, double *v, double *w, int32_t stride);
    void (*update)(const tn_front_product *p);
    /* y -= V^T x; products = V y. Prefetches memory `ahead` numbers further on; 0: nothing. */
    void (*push)(const double *v, int32_t stride, int32_t depth, const double *x, double *y,
                 int64_t ahead);
    void (*pull)(const double *v, int32_t stride, int32_t depth, const double *y, double *products,
                 int64_t ahead);
} tn_front_kernel;

extern const tn_front_kernel tn_front_kernel_2, tn_front_kernel_4, tn_front_kernel_8;

/* The widest that this machine runs, of at most so many lanes. */
const tn_front_kernel *tn_front_kernel_of(int32_t most);

static inline int32_t tn_front_stride(int32_t columns)
{
    return (columns + TN_FRONT_LANES - 1) & ~(TN_FRONT_LANES - 1);
}

/* The upper part of a block of pivots of even stride s: offset of row j, as if it began at column 0. Row i really
 * begins at column i & ~1, so rows 0 .. j-1 take j s - sum (i & ~1) doubles. */
static inline int32_t tn_upper(int32_t j, int32_t s)
{
    int32_t half = j >> 1;
    return j * s - 2 * half * (half - 1 + (j & 1)) - 2 * half;
}

#endif
