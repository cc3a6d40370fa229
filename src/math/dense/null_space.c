/* null_space.c: room math/dense: null space of a dense matrix by Householder QR with column pivoting.
 *
 *     A P = Q R,   R = [ R11 R12 ; 0 R22 ],   N = P [ R11^-1 R12 ; -1 ]
 *
 * (Businger, Golub 1965). The columns of N, orthonormalised, are turned to the singular vectors of
 * A N: their singular values come out as accurate as those of a full decomposition. The smallest
 * one of what is kept is that of [ R11 R12 ], by inverse iteration (within a percent or two). Both
 * are checked against the threshold: pivoting can fail to show a small singular value (Kahan 1966),
 * and where values lie near the threshold only a full decomposition decides. Cost: m n^2, a tenth
 * of Jacobi's.
 */
#include <math.h>
#include <string.h>

#include "math/dense/jacobi_svd.h"
#include "math/dense/null_space.h"

/* Values this close to the threshold, either way, are left to the full decomposition. */
#define TN_NULL_MARGIN  10.0
#define TN_NULL_INVERSE 300
#define TN_NULL_SETTLED 1e-6

static double dot(int32_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int32_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void swap_columns(int32_t m, double *a, double *b)
{
    for (int32_t i = 0; i < m; i++) {
        const double x = a[i];
        a[i] = b[i];
        b[i] = x;
    }
}

/* The column from k on that is longest below row k. */
static int32_t longest(int32_t m, int32_t n, const double *A, int32_t k)
{
    int32_t best = k;
    double length = -1.0;
    for (int32_t j = k; j < n; j++) {
        const double *a = A + (int64_t)j * m + k;
        const double square = dot(m - k, a, a);
        if (square > length) {
            length = square;
            best = j;
        }
    }
    return best;
}

/* Reflects column k to a multiple of e_k, and the later ones with it. */
static void reflect(int32_t m, int32_t n, double *A, int32_t k)
{
    double *v = A + (int64_t)k * m + k;
    const int32_t rows = m - k;
    const double length = sqrt(dot(rows, v, v));
    const double alpha = v[0] > 0.0 ? -length : length;
    if (length == 0.0)
        return;
    v[0] -= alpha;
    const double square = dot(rows, v, v);
    for (int32_t j = k + 1; j < n; j++) {
        double *a = A + (int64_t)j * m + k;
        const double f = 2.0 * dot(rows, v, a) / square;
        for (int32_t i = 0; i < rows; i++)
            a[i] -= f * v[i];
    }
    memset(v, 0, sizeof *v * (size_t)rows);
    v[0] = alpha;
}

/* R in place of A; pivot[k] is the column that went to k. Ends where columns are shorter than the
 * threshold; returns how many were longer. */
static int32_t factor(int32_t m, int32_t n, double *A, double threshold, int32_t *pivot)
{
    const int32_t most = m < n ? m : n;
    for (int32_t j = 0; j < n; j++)
        pivot[j] = j;
    for (int32_t k = 0; k < most; k++) {
        const int32_t j = longest(m, n, A, k);
        const double *a = A + (int64_t)j * m + k;
        if (dot(m - k, a, a) < threshold * threshold)
            return k;
        const int32_t was = pivot[k];
        swap_columns(m, A + (int64_t)k * m, A + (int64_t)j * m);
        pivot[k] = pivot[j];
        pivot[j] = was;
        reflect(m, n, A, k);
    }
    return most;
}

/* x <- R11^-1 x. */
static void solve(int32_t m, int32_t rank, const double *R, double *x)
{
    for (int32_t k = rank - 1; k >= 0; k--) {
        const double *r = R + (int64_t)k * m;
        x[k] /= r[k];
        for (int32_t i = 0; i < k; i++)
            x[i] -= r[i] * x[k];
    }
}

/* x <- R11^-T x. */
static void solve_transposed(int32_t m, int32_t rank, const double *R, double *x)
{
    for (int32_t k = 0; k < rank; k++)
        x[k] = (x[k] - dot(k, R + (int64_t)k * m, x)) / R[(int64_t)k * m + k];
}

/* Smallest singular value of R11; x is scratch. */
static double smallest_of(int32_t m, int32_t rank, const double *R, double *x)
{
    double value = INFINITY;
    for (int32_t i = 0; i < rank; i++)
        x[i] = 1.0 + 0.5 * (i % 7); /* nothing it is likely to be at right angles to */
    for (int32_t pass = 0; pass < TN_NULL_INVERSE && rank > 0; pass++) {
        const double size = sqrt(dot(rank, x, x)), before = value;
        for (int32_t i = 0; i < rank; i++)
            x[i] /= size;
        solve_transposed(m, rank, R, x);
        value = 1.0 / sqrt(dot(rank, x, x)); /* |R^-T x| <= 1 / sigma */
        solve(m, rank, R, x);
        if (before - value <= TN_NULL_SETTLED * value && pass > 2)
            break;
    }
    return value;
}

/* Smallest singular value of [ R11 R12 ]: that of a triangle T with [ R11 R12 ]^T = Q T. T (n x
 * rank) and x are scratch. */
static double smallest_kept(int32_t m, int32_t n, int32_t rank, const double *R, double *T,
                            double *x)
{
    if (rank == n)
        return smallest_of(m, rank, R, x);
    for (int32_t k = 0; k < rank; k++) {
        for (int32_t j = 0; j < n; j++)
            T[(int64_t)k * n + j] = j < k ? 0.0 : R[(int64_t)j * m + k];
    }
    for (int32_t k = 0; k < rank; k++)
        reflect(n, rank, T, k);
    return smallest_of(n, rank, T, x);
}

/* Columns of N, made orthonormal (twice, for the last digits). */
static void basis(int32_t m, int32_t n, int32_t rank, const double *R, const int32_t *pivot,
                  double *N, double *x)
{
    for (int32_t c = 0; c < n - rank; c++) {
        double *column = N + (int64_t)c * n;
        memset(column, 0, sizeof *column * (size_t)n);
        memcpy(x, R + (int64_t)(rank + c) * m, sizeof *x * (size_t)rank);
        solve(m, rank, R, x);
        for (int32_t k = 0; k < rank; k++)
            column[pivot[k]] = x[k];
        column[pivot[rank + c]] = -1.0;
        for (int32_t k = 0; k < 2 * c; k++) {
            const double *q = N + (int64_t)(k % c) * n;
            const double along = dot(n, q, column);
            for (int32_t i = 0; i < n; i++)
                column[i] -= along * q[i];
        }
        const double size = sqrt(dot(n, column, column));
        for (int32_t i = 0; i < n; i++)
            column[i] /= size;
    }
}

/* Turns the basis N to singular vectors of A; sigma[c] in any order. B (m x nulls), V (nulls x
 * nulls) and turned (n x nulls) are scratch. */
static void turn_basis(const tn_null_problem *p, int32_t nulls, double *N, double *scratch)
{
    double *B = scratch, *V = B + (int64_t)p->m * nulls, *turned = V + (int64_t)nulls * nulls;
    memset(B, 0, sizeof *B * (size_t)p->m * (size_t)nulls);
    for (int32_t c = 0; c < nulls; c++) {
        for (int32_t j = 0; j < p->n; j++) {
            for (int32_t i = 0; i < p->m && N[(int64_t)c * p->n + j] != 0.0; i++)
                B[(int64_t)c * p->m + i] += N[(int64_t)c * p->n + j] * p->A[(int64_t)j * p->m + i];
        }
    }
    tn_jacobi_svd(p->m, nulls, B, V, p->sigma);
    memset(turned, 0, sizeof *turned * (size_t)p->n * (size_t)nulls);
    for (int32_t c = 0; c < nulls; c++) {
        for (int32_t k = 0; k < nulls; k++) {
            for (int32_t i = 0; i < p->n; i++) {
                turned[(int64_t)c * p->n + i] +=
                    V[(int64_t)c * nulls + k] * N[(int64_t)k * p->n + i];
            }
        }
    }
    memcpy(N, turned, sizeof *N * (size_t)p->n * (size_t)nulls);
}

int32_t tn_null_space(const tn_null_problem *p)
{
    double *R = p->work, *T = R + (int64_t)p->m * p->n, *x = T + (int64_t)p->n * p->n;
    memcpy(R, p->A, sizeof *R * (size_t)p->m * (size_t)p->n);
    const int32_t rank = factor(p->m, p->n, R, p->threshold, p->pivot);
    const int32_t nulls = p->n - rank;
    *p->kept = smallest_kept(p->m, p->n, rank, R, T, x);
    if (rank > 0 && *p->kept < TN_NULL_MARGIN * p->threshold)
        return -1;
    basis(p->m, p->n, rank, R, p->pivot, p->N, x);
    if (nulls > 0)
        turn_basis(p, nulls, p->N, R);
    for (int32_t c = 0; c < nulls; c++) {
        if (p->sigma[c] > p->threshold / TN_NULL_MARGIN)
            return -1;
    }
    return nulls;
}
