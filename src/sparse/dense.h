/* dense.h: straight-line kernels on small dense blocks. Room sparse, private.
 *
 * Blocks are row-major with an even row stride s. Every kernel is an always-inlined function of the
 * block sizes: called with constants it becomes unrolled code, called with variables a loop. Lanes
 * are written with vector types, 4 doubles then 2, so that nothing is left to the vectoriser; there
 * are no fused operations and no sums across lanes except in tn_dot, whose order is written out. An
 * SSE2, an AVX2 and a scalar build therefore give the same bits.
 *
 * The maths is LDL^T with signed pivots: A = L P L^T, rows of U = L^T kept, 1/p on the diagonal.
 */
#ifndef TN_SPARSE_DENSE_H
#define TN_SPARSE_DENSE_H

#include "math/dense/lane_loops.h"
#include "sparse/kkt_impl.h"

/* Room for one unscaled block. */
#define TN_BLOCK_DOUBLES (TN_KKT_MAX_BLOCK * TN_KKT_MAX_BLOCK)

/* Row j of the factorization of a pivot block of stride s (upper part, tn_upper), in place:
 * 1/p_j and the rest of U_j. unscaled (square) gets the row p_j U_j. */
TN_INLINE void tn_block_pivot_row(double *a, double *unscaled, int s, int j)
{
    double *row = a + tn_upper(j, s);
    TN_LANE_LOOP_FROM(j & ~1, s, {
        lane sum = TN_CONST_LANE(row + at);
        TN_UNROLL
        for (int i = 0; i < j; i++) {
            sum -= a[tn_upper(i, s) + j] * TN_CONST_LANE(unscaled + i * s + at);
        }
        TN_LANE(unscaled + j * s + at) = sum;
    })
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): written above */
    double inverse = 1.0 / unscaled[j * s + j];
    TN_LANE_LOOP_FROM(j & ~1, s,
                      { TN_LANE(row + at) = TN_CONST_LANE(unscaled + j * s + at) * inverse; })
    row[j] = inverse;
}

/* Row j of an off-diagonal block v (d rows, stride s) behind the factored block a (stride sa):
 * w_j = v_j - sum_{i<j} U_ij w_i, v_j = w_j / p_j. */
TN_INLINE void tn_block_right_row(const double *a, int sa, double *v, double *w, int s, int j)
{
    double inverse = a[tn_upper(j, sa) + j];
    TN_LANE_LOOP(s, {
        lane sum = TN_CONST_LANE(v + j * s + at);
        TN_UNROLL
        for (int i = 0; i < j; i++) {
            sum -= a[tn_upper(i, sa) + j] * TN_CONST_LANE(w + i * s + at);
        }
        TN_LANE(w + j * s + at) = sum;
        TN_LANE(v + j * s + at) = sum * inverse;
    })
}

/* t -= wb^T ua: t has rows x s, wb d x rows of stride sb, ua d x s. */
TN_INLINE void tn_block_update(double *t, const double *wb, int sb, const double *ua, int d,
                               int rows, int s)
{
    TN_UNROLL
    for (int i = 0; i < rows; i++) {
        TN_LANE_LOOP(s, {
            lane sum = TN_CONST_LANE(t + i * s + at);
            TN_UNROLL
            for (int l = 0; l < d; l++) {
                sum -= wb[l * sb + i] * TN_CONST_LANE(ua + l * s + at);
            }
            TN_LANE(t + i * s + at) = sum;
        })
    }
}

/* t -= w^T u for a pivot block t of size rows (upper part), w and u d x s. */
TN_INLINE void tn_block_update_upper(double *t, const double *w, const double *u, int d, int rows,
                                     int s)
{
    TN_UNROLL
    for (int i = 0; i < rows; i++) {
        double *row = t + tn_upper(i, s);
        TN_LANE_LOOP_FROM(i & ~1, s, {
            lane sum = TN_CONST_LANE(row + at);
            TN_UNROLL
            for (int l = 0; l < d; l++) {
                sum -= w[l * s + i] * TN_CONST_LANE(u + l * s + at);
            }
            TN_LANE(row + at) = sum;
        })
    }
}

/* x <- L^-1 x. */
TN_INLINE void tn_block_forward(const double *a, int s, double *x, int d)
{
    TN_UNROLL
    for (int j = 0; j < d; j++) {
        TN_UNROLL
        for (int i = j + 1; i < d; i++) {
            x[i] -= a[tn_upper(j, s) + i] * x[j];
        }
    }
}

/* y -= U^T x with a d x s block; the first push to y starts from zero. */
TN_INLINE void tn_block_push(const double *v, int s, const double *x, double *y, int d, bool first){
    TN_LANE_LOOP(s,
                 {
                     lane sum = {0.0};
                     if (!first)
                         sum = TN_CONST_LANE(y + at);
                     TN_UNROLL
                     for (int l = 0; l < d; l++) {
                         sum -= x[l] * TN_CONST_LANE(v + l * s + at);
                     }
                     TN_LANE(y + at) = sum;
                 })}

/* Sum of products, pairs first: (0,1) + (2,3) + ..., then the two halves. */
TN_INLINE double tn_dot(const double *a, const double *b, int s)
{
    /* short vectors one by one, in the same order: their parts have just been stored one by one,
     * and a wide load would have to wait until they are all in the cache */
    if (s == 2) {
        return a[0] * b[0] + a[1] * b[1];
    }
    if (s == 4) {
        return (a[0] * b[0] + a[2] * b[2]) + (a[1] * b[1] + a[3] * b[3]);
    }
    tn_v2 sum = *(const tn_v2 *)a * *(const tn_v2 *)b;
    TN_UNROLL
    for (int at = 2; at < s; at += 2) {
        sum += *(const tn_v2 *)(a + at) * *(const tn_v2 *)(b + at);
    }
    return sum[0] + sum[1];
}

/* x -= U y with a d x s block. */
TN_INLINE void tn_block_pull(const double *v, int s, double *x, const double *y, int d)
{
    TN_UNROLL
    for (int l = 0; l < d; l++) {
        x[l] -= tn_dot(v + l * s, y, s);
    }
}

/* x <- L^-T x. */
TN_INLINE void tn_block_backward(const double *a, int s, double *x, int d)
{
    TN_UNROLL
    for (int i = d - 1; i >= 0; i--) {
        TN_UNROLL
        for (int j = d - 1; j > i; j--) {
            x[i] -= a[tn_upper(i, s) + j] * x[j];
        }
    }
}

/* v <- L^-T v with a d x s block. */
TN_INLINE void tn_block_fold(const double *a, double *v, int d, int s)
{
    TN_UNROLL
    for (int i = d - 2; i >= 0; i--) {
        TN_LANE_LOOP(s, {
            lane sum = TN_CONST_LANE(v + i * s + at);
            TN_UNROLL
            for (int j = i + 1; j < d; j++) {
                sum -= a[tn_upper(i, tn_stride(d)) + j] * TN_CONST_LANE(v + j * s + at);
            }
            TN_LANE(v + i * s + at) = sum;
        })
    }
}

/* Calls macro(d, s) with constants for the shapes that occur in mechanisms (rigid 6, planar and
 * particle 3, joints of 1 to 6 rows), otherwise the statement. */
#define TN_BY_SHAPE(shape, macro, otherwise)                                                       \
    switch (shape) {                                                                               \
    case TN_SHAPE(6, 6):                                                                           \
        macro(6, 6);                                                                               \
        break;                                                                                     \
    case TN_SHAPE(5, 6):                                                                           \
        macro(5, 6);                                                                               \
        break;                                                                                     \
    case TN_SHAPE(4, 6):                                                                           \
        macro(4, 6);                                                                               \
        break;                                                                                     \
    case TN_SHAPE(3, 6):                                                                           \
        macro(3, 6);                                                                               \
        break;                                                                                     \
    case TN_SHAPE(6, 4):                                                                           \
        macro(6, 4);                                                                               \
        break;                                                                                     \
    case TN_SHAPE(6, 2):                                                                           \
        macro(6, 2);                                                                               \
        break;                                                                                     \
    case TN_SHAPE(3, 4):                                                                           \
        macro(3, 4);                                                                               \
        break;                                                                                     \
    case TN_SHAPE(3, 2):                                                                           \
        macro(3, 2);                                                                               \
        break;                                                                                     \
    case TN_SHAPE(2, 4):                                                                           \
        macro(2, 4);                                                                               \
        break;                                                                                     \
    case TN_SHAPE(2, 6):                                                                           \
        macro(2, 6);                                                                               \
        break;                                                                                     \
    case TN_SHAPE(5, 4):                                                                           \
        macro(5, 4);                                                                               \
        break;                                                                                     \
    case TN_SHAPE(1, 4):                                                                           \
        macro(1, 4);                                                                               \
        break;                                                                                     \
    case TN_SHAPE(2, 2):                                                                           \
        macro(2, 2);                                                                               \
        break;                                                                                     \
    case TN_SHAPE(1, 2):                                                                           \
        macro(1, 2);                                                                               \
        break;                                                                                     \
    case TN_SHAPE(1, 6):                                                                           \
        macro(1, 6);                                                                               \
        break;                                                                                     \
    default:                                                                                       \
        otherwise;                                                                                 \
        break;                                                                                     \
    }

/* Calls the macro for a column of condensed form (kkt_impl.h, TN_FOLDED), otherwise the statement. */
#define TN_BY_FOLDED(shape, folded, otherwise)                                                     \
    switch (shape) {                                                                               \
    case TN_FOLDED(3, 2):                                                                          \
        folded(3, 2);                                                                              \
        break;                                                                                     \
    case TN_FOLDED(2, 4):                                                                          \
        folded(2, 4);                                                                              \
        break;                                                                                     \
    default:                                                                                       \
        otherwise;                                                                                 \
        break;                                                                                     \
    }

/* Both. */
#define TN_BY_COLUMN(shape, folded, macro, otherwise)                                              \
    TN_BY_FOLDED(shape, folded, TN_BY_SHAPE(shape, macro, otherwise))

/* The same with the variables otherwise. */
#define TN_BY_SIZE(d, s, macro) TN_BY_SHAPE(TN_SHAPE(d, s), macro, macro(d, s))

/* The same for one dimension. */
#define TN_BY_DIMENSION(d, macro)                                                                  \
    switch (d) {                                                                                   \
    case 6:                                                                                        \
        macro(6);                                                                                  \
        break;                                                                                     \
    case 5:                                                                                        \
        macro(5);                                                                                  \
        break;                                                                                     \
    case 3:                                                                                        \
        macro(3);                                                                                  \
        break;                                                                                     \
    case 2:                                                                                        \
        macro(2);                                                                                  \
        break;                                                                                     \
    default:                                                                                       \
        macro(d);                                                                                  \
        break;                                                                                     \
    }

#endif
