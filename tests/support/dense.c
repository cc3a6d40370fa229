/* dense.c: test support: see dense.h. */
#include <check.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense.h"

/* Below this share of the largest a singular value is zero. */
#define RANK_TOLERANCE 1e-9

static double *array(int n)
{
    double *a = calloc((size_t)(n > 0 ? n : 1), sizeof *a);
    ck_assert_ptr_nonnull(a);
    return a;
}

void dense_solve(int n, const double *A, const double *b, double *x)
{
    double *LU = array(n * n);
    int *pivot = calloc((size_t)n, sizeof *pivot);
    memcpy(LU, A, sizeof *A * (size_t)(n * n));
    memcpy(x, b, sizeof *b * (size_t)n);
    ck_assert_int_eq(LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, 1, LU, n, pivot, x, 1), 0);
    free(LU);
    free(pivot);
}

/* S = J L^-T with M = L L^T, so that S S^T = J M^-1 J^T. L is returned in place of M's copy. */
static void scale_rows(int n, int m, double *L, double *S)
{
    ck_assert_int_eq(LAPACKE_dpotrf(LAPACK_ROW_MAJOR, 'L', n, L, n), 0);
    for (int r = 0; r < m; r++)
        ck_assert_int_eq(LAPACKE_dtrtrs(LAPACK_ROW_MAJOR, 'L', 'N', 'N', n, 1, L, n, S + r * n, 1),
                         0);
}

dense_projection dense_project(int n, int m, const double *M, const double *J, const double *u,
                               double *du)
{
    dense_projection found = {0, 1.0, 0.0};
    memset(du, 0, sizeof *du * (size_t)n);
    if (n == 0 || m == 0)
        return found;
    const int most = n > m ? n : m, least = n < m ? n : m;
    double *L = array(n * n), *S = array(m * n), *b = array(most), *sigma = array(least);
    memcpy(L, M, sizeof *M * (size_t)(n * n));
    memcpy(S, J, sizeof *J * (size_t)(m * n));
    scale_rows(n, m, L, S);
    for (int r = 0; r < m; r++)
        for (int k = 0; k < n; k++)
            b[r] -= J[r * n + k] * u[k];
    ck_assert_int_eq(
        LAPACKE_dgelsd(LAPACK_ROW_MAJOR, m, n, 1, S, n, b, 1, sigma, RANK_TOLERANCE, &found.rank),
        0);
    memcpy(du, b, sizeof *du * (size_t)n); /* L^T du = b */
    ck_assert_int_eq(LAPACKE_dtrtrs(LAPACK_ROW_MAJOR, 'L', 'T', 'N', n, 1, L, n, du, 1), 0);
    if (found.rank > 0)
        found.gap_high = sigma[found.rank - 1] / sigma[0];
    if (found.rank < least)
        found.gap_low = sigma[found.rank] / sigma[0];
    free(L);
    free(S);
    free(b);
    free(sigma);
    return found;
}
