/* test_null_space.c: null spaces of random matrices of known rank, against LAPACK. */
#include <check.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/dense/null_space.h"
#include "support/run_main.h"
#include "support/solids.h"

enum { LARGEST = 60 };

static double random_entry(uint64_t *seed)
{
    return random_vector(seed).x;
}

/* m x n of rank r: a product of factors, columns one after another; `extra` is added noise. */
static void fill(int m, int n, int r, double extra, uint64_t *seed, double *A)
{
    double left[LARGEST * LARGEST], right[LARGEST * LARGEST];
    for (int k = 0; k < m * r; k++)
        left[k] = random_entry(seed);
    for (int k = 0; k < n * r; k++)
        right[k] = random_entry(seed);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++) {
            double sum = extra * random_entry(seed);
            for (int k = 0; k < r; k++)
                sum += left[i * r + k] * right[j * r + k];
            A[j * m + i] = sum;
        }
    }
}

/* |A N_c| must be sigma_c, the columns orthonormal, sigma the smallest ones of LAPACK. */
static void check_null(const tn_null_problem *p, int nulls, const double *singular)
{
    const int least = p->m < p->n ? p->m : p->n, rank = p->n - nulls;
    for (int c = 0; c < nulls; c++) {
        const double *v = p->N + c * p->n;
        double length = 0.0;
        for (int i = 0; i < p->m; i++) {
            double sum = 0.0;
            for (int j = 0; j < p->n; j++)
                sum += p->A[j * p->m + i] * v[j];
            length = hypot(length, sum);
        }
        ck_assert_double_le(fabs(length - p->sigma[c]), 1e-13);
        for (int d = 0; d <= c; d++) {
            double along = 0.0;
            for (int j = 0; j < p->n; j++)
                along += v[j] * p->N[d * p->n + j];
            ck_assert_double_eq_tol(along, c == d ? 1.0 : 0.0, 1e-12);
        }
    }
    double largest = 0.0;
    for (int c = 0; c < nulls; c++)
        largest = fmax(largest, p->sigma[c]);
    if (rank < least)
        ck_assert_double_le(fabs(largest - singular[rank]), 1e-12);
    if (rank > 0)
        ck_assert_double_eq_tol(*p->kept / singular[rank - 1], 1.0, 0.05);
}

START_TEST(random_matrices)
{
    uint64_t seed = 11;
    static double A[LARGEST * LARGEST], copy[LARGEST * LARGEST], N[LARGEST * LARGEST],
        work[4 * LARGEST * LARGEST];
    double sigma[LARGEST], kept, singular[LARGEST];
    int pivot[LARGEST], clear = 0;
    for (int trial = 0; trial < 300; trial++) {
        const int m = 1 + trial % LARGEST, n = 1 + (trial * 7) % LARGEST;
        const int least = m < n ? m : n, r = trial % (least + 1);
        fill(m, n, r, trial % 3 == 0 ? 1e-10 : 0.0, &seed, A);
        memcpy(copy, A, sizeof A);
        LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', m, n, copy, m, singular, NULL, m, NULL, n);
        const tn_null_problem p = {m, n, A, 1e-7, N, sigma, &kept, pivot, work};
        ck_assert_int_le((int)tn_null_work(m, n), 4 * LARGEST * LARGEST);
        const int nulls = tn_null_space(&p);
        if (nulls < 0) /* only where a value is near the threshold */
            continue;
        clear++;
        ck_assert_int_eq(nulls, n - r);
        check_null(&p, nulls, singular);
    }
    ck_assert_int_ge(clear, 290);
}
END_TEST

/* A singular value at the threshold is left to others; Kahan's matrix hides one from pivoting. */
START_TEST(unclear_is_said)
{
    enum { n = 50 };
    static double A[n * n], N[n * n], work[4 * n * n];
    double sigma[n], kept;
    int pivot[n];
    const tn_null_problem p = {n, n, A, 1e-7, N, sigma, &kept, pivot, work};
    for (int k = 0; k < n; k++)
        A[k * n + k] = k == 3 ? 2e-7 : 1.0;
    ck_assert_int_eq(tn_null_space(&p), -1);
    A[3 * n + 3] = 0.5e-7;
    ck_assert_int_eq(tn_null_space(&p), -1);
    const double c = 0.6, s = 0.8; /* smallest value far below the last diagonal entry */
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            A[j * n + i] = pow(s, i) * (i == j ? 1.0 : i < j ? -c : 0.0);
    ck_assert_double_gt(pow(s, n - 1), 1e-7);
    ck_assert_int_ne(tn_null_space(&p), 0); /* found, or left to others */
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("null_space");
    TCase *tests = tcase_create("null");
    tcase_add_test(tests, random_matrices);
    tcase_add_test(tests, unclear_is_said);
    suite_add_tcase(suite, tests);
    return suite;
}
