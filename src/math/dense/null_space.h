/* null_space.h: room math/dense: null space of a dense matrix, fast where the answer is clear.
 *
 * Room math/dense, in: small dense matrices. Out: their singular values, eigenvectors, null
 * spaces; triangles of outlines.
 */
#ifndef TN_MATH_DENSE_NULL_SPACE_H
#define TN_MATH_DENSE_NULL_SPACE_H

#include <stdint.h>

typedef struct tn_null_problem {
    int32_t m, n;
    const double *A;  /* m x n, column after column */
    double threshold; /* singular values below count as zero */
    /* out */
    double *N;     /* n x nulls, column after column: singular vectors; room for n x n */
    double *sigma; /* [n] their singular values */
    double *kept;  /* [1] the smallest other one, within some percent; infinite: none */
    /* scratch */
    int32_t *pivot; /* [n] */
    double *work;   /* [tn_null_work(m, n)] */
} tn_null_problem;

static inline int64_t tn_null_work(int32_t m, int32_t n)
{
    const int64_t larger = m > n ? m : n;
    return (int64_t)(m + 2 * n) * n + larger;
}

/* Columns of N, or -1: some value is too near the threshold to decide without a full decomposition.
 */
int32_t tn_null_space(const tn_null_problem *problem);

#endif
