/* The symmetric 3 x 3 eigen-solver, against LAPACK and its own definition. */
#include <check.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>

#include "math/dense/eig3.h"
#include "support/run_main.h"
#include "support/solids.h"

/* |A V - V diag|, |V^T V - 1| and det V - 1, each in units of the round-off that is allowed. */
static void expect_decomposition(const tn_mat3 *a, const double values[3], const tn_mat3 *v)
{
    double size = fmax(fabs(values[0]), fabs(values[2]));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double residual = -v->m[i][j] * values[j], product = 0;
            for (int k = 0; k < 3; k++) {
                residual += (k >= i ? a->m[i][k] : a->m[k][i]) * v->m[k][j];
                product += v->m[k][i] * v->m[k][j];
            }
            ck_assert_double_le(fabs(residual), 16 * DBL_EPSILON * size);
            ck_assert_double_eq_tol(product, i == j ? 1 : 0, 16 * DBL_EPSILON);
        }
    }
    double det = 0;
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        det += v->m[k][0] * (v->m[l][1] * v->m[m][2] - v->m[m][1] * v->m[l][2]);
    }
    ck_assert_double_eq_tol(det, 1, 16 * DBL_EPSILON);
}

static void expect_lapack(const tn_mat3 *a)
{
    double values[3], copy[9], lapack[3];
    tn_mat3 vectors;
    tn_eig3(a, values, &vectors);
    expect_decomposition(a, values, &vectors);
    for (int i = 0; i < 9; i++) {
        copy[i] = a->m[i / 3][i % 3];
    }
    ck_assert_int_eq(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'N', 'U', 3, copy, 3, lapack), 0);
    double size = fmax(fabs(lapack[0]), fabs(lapack[2]));
    for (int i = 0; i < 3; i++) {
        ck_assert_double_le(fabs(values[i] - lapack[i]), 16 * DBL_EPSILON * size);
    }
    ck_assert(values[0] <= values[1] && values[1] <= values[2]);
}

START_TEST(test_random_matrices)
{
    uint64_t seed = 11;
    for (int trial = 0; trial < 2000; trial++) {
        tn_mat3 a;
        double scale = pow(10, 100 * random_number(&seed));
        for (int i = 0; i < 3; i++) {
            for (int j = i; j < 3; j++) {
                /* off-diagonals from equal to the diagonal down to vanishing */
                double small = i == j ? 1 : pow(10, -8 * (1 + random_number(&seed)));
                a.m[i][j] = a.m[j][i] = scale * small * random_number(&seed);
            }
        }
        expect_lapack(&a);
    }
}
END_TEST

START_TEST(test_special_matrices)
{
    static const tn_mat3 special[] = {
        {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}, {{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}},
        {{{3, 0, 0}, {0, 2, 0}, {0, 0, 1}}}, {{{2, 0, 0}, {0, 3, 0}, {0, 0, 1}}},
        {{{2, 1, 0}, {1, 2, 0}, {0, 0, 3}}}, {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}},
        {{{0, 1, 0}, {1, 0, 0}, {0, 0, 0}}}, {{{1, 1e-17, 0}, {1e-17, 1, 1e-300}, {0, 1e-300, 1}}}};
    for (size_t k = 0; k < sizeof special / sizeof special[0]; k++) {
        expect_lapack(&special[k]);
    }
    /* 2 -1 0 -1 2 -1 0 -1 2: 2 - sqrt 2, 2, 2 + sqrt 2 */
    tn_mat3 chain = {{{2, -1, 0}, {-1, 2, -1}, {0, -1, 2}}};
    double values[3];
    tn_eig3(&chain, values, NULL);
    double tolerance = 16 * DBL_EPSILON * values[2];
    ck_assert_double_eq_tol(values[0], 2 - sqrt(2), tolerance);
    ck_assert_double_eq_tol(values[1], 2, tolerance);
    ck_assert_double_eq_tol(values[2], 2 + sqrt(2), tolerance);
}
END_TEST

START_TEST(test_not_finite)
{
    tn_mat3 a = {{{1, 0, (double)NAN}, {0, 1, 0}, {0, 0, 1}}}, vectors;
    double values[3];
    tn_eig3(&a, values, &vectors);
    ck_assert_double_nan(values[0]);
    ck_assert_double_eq(vectors.m[1][1], 1);
    a.m[0][2] = (double)INFINITY;
    tn_eig3(&a, values, &vectors);
    ck_assert_double_nan(values[2]);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("eig3");
    TCase *tests = tcase_create("eig3");
    tcase_add_test(tests, test_random_matrices);
    tcase_add_test(tests, test_special_matrices);
    tcase_add_test(tests, test_not_finite);
    suite_add_tcase(suite, tests);
    return suite;
}
