/* test_loop_matrix.c: factors of the matrix of a loop's rows (method/loops/loop_matrix.h) beside dense solutions, of random matrices
 * V = G A G^T and of such with small terms that are not symmetric, of rows of blocks, of which some repeat others or are moved by
 * nothing.
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "method/loops/loop_matrix.h"
#include "random_numbers.h"
#include "run_main.h"

enum { BLOCKS = 9, ROWS = 6 * BLOCKS, WIDE = 7, LINKS = WIDE * (BLOCKS + 1) };

static const tn_loop_shares shares = {1e-6, 1e-11};

/* Rows that move links of their own block and of so many before. */
typedef struct rows_of_loops {
    tn_loop_matrix V;
    int32_t count[BLOCKS], first[BLOCKS], rows;
    double G[ROWS][LINKS], dense[ROWS][ROWS], bound[ROWS];
    int repeated;
} rows_of_loops;

static void put_rows(rows_of_loops *of, int reach, uint64_t *r)
{
    memset(of, 0, sizeof *of);
    for (int b = 0; b < BLOCKS; b++) {
        of->count[b] = 1 + (int32_t)random_between(r, 0.0, 5.99);
        of->first[b] = b > reach ? b - reach : 0;
        for (int row = 0; row < of->count[b]; row++) {
            double *own = of->G[of->rows + row];
            for (int k = b > reach ? WIDE * (of->first[b] + 1) : 0; k < WIDE * (b + 2); k++)
                own[k] = random_between(r, -0.5, 0.5);
        }
        /* the last one repeats the first */
        if (of->count[b] > 2 && random_between(r, 0.0, 1.0) < 0.6) {
            for (int k = 0; k < LINKS; k++)
                of->G[of->rows + of->count[b] - 1][k] = -2.0 * of->G[of->rows][k];
            of->repeated++;
        }
        of->rows += of->count[b];
    }
}

static void put_matrix(rows_of_loops *of, double skew, uint64_t *r)
{
    double A[LINKS];
    for (int k = 0; k < LINKS; k++)
        A[k] = random_between(r, 0.2, 1.2);
    for (int i = 0; i < of->rows; i++) {
        for (int j = 0; j < of->rows; j++) {
            for (int k = 0; k < LINKS; k++)
                of->dense[i][j] += of->G[i][k] * A[k] * of->G[j][k] * (1.0 + skew * (i - j));
        }
    }
    ck_assert_int_eq(tn_loop_matrix_create(of->count, of->first, BLOCKS, &of->V), TN_OK);
    for (int i = 0; i < of->rows; i++) {
        of->bound[i] = 4.0 * of->dense[i][i];
        for (int b = 0; b < BLOCKS; b++) {
            int64_t stride;
            const int own = of->V.block[i], far = b > own ? of->first[b] > own : b < of->first[own];
            double *to = far ? NULL : tn_loop_matrix_entries(&of->V, i, b, &stride);
            for (int n = 0; n < of->count[b] && to; n++)
                to[n * stride] = of->dense[i][of->V.begin[b] + n];
        }
    }
}

/* The largest entry of V x - b, or V^T x - b, in rows that are kept. */
static double left_of(const rows_of_loops *of, bool transposed, const double *x, const double *b)
{
    double most = 0.0;
    for (int p = 0; p < of->rows; p++) {
        const int i = of->V.order[p];
        double sum = -b[i];
        for (int j = 0; j < of->rows; j++)
            sum += (transposed ? of->dense[j][i] : of->dense[i][j]) * x[j];
        if (!tn_loop_matrix_leaves_out(&of->V, p))
            most = fmax(most, fabs(sum));
        else
            ck_assert(x[i] == 0.0);
    }
    return most;
}

static void check_solutions(const rows_of_loops *of, uint64_t *r)
{
    double b[ROWS], x[ROWS];
    for (int way = 0; way < 2; way++) {
        for (int i = 0; i < of->rows; i++)
            x[i] = b[i] = random_between(r, -0.5, 0.5);
        (way == 0 ? tn_loop_matrix_solve : tn_loop_matrix_solve_transposed)(&of->V, x);
        ck_assert_double_le(left_of(of, way == 1, x, b), 1e-9);
    }
}

START_TEST(test_as_dense)
{
    rows_of_loops of;
    uint64_t r = 11u + (uint64_t)_i;
    double column[ROWS];
    put_rows(&of, 1 + _i % 3, &r);
    put_matrix(&of, _i % 2 ? 1e-4 : 0.0, &r);
    for (int j = 0; j < of.rows; j++) {
        tn_loop_matrix_column(&of.V, j, column);
        for (int i = 0; i < of.rows; i++)
            ck_assert_double_eq_tol(column[i], of.dense[i][j], 1e-14);
    }
    if (_i % 2 == 0) { /* a skewed row repeats others but for the skew */
        ck_assert(tn_loop_matrix_factorize(&of.V, of.bound, shares));
        ck_assert_int_eq(of.V.kept, of.rows - of.repeated);
    } else {
        tn_loop_matrix_factorize(&of.V, of.bound, shares);
    }
    check_solutions(&of, &r);
    tn_loop_matrix_destroy(&of.V);
}
END_TEST

/* Rows without a bound are left out, whatever stands in them. */
START_TEST(test_still_rows)
{
    rows_of_loops of;
    uint64_t r = 91u + (uint64_t)_i;
    put_rows(&of, 2, &r);
    put_matrix(&of, 0.0, &r);
    for (int i = 0; i < of.rows; i += 3)
        of.bound[i] = 0.0;
    ck_assert(tn_loop_matrix_factorize(&of.V, of.bound, shares));
    for (int p = 0; p < of.rows; p++)
        ck_assert(of.bound[of.V.order[p]] > 0.0 || tn_loop_matrix_leaves_out(&of.V, p));
    check_solutions(&of, &r);
    tn_loop_matrix_destroy(&of.V);
}
END_TEST

/* A row that nearly repeats another one is neither. */
START_TEST(test_unclear)
{
    rows_of_loops of;
    uint64_t r = 5;
    do {
        put_rows(&of, 1, &r);
    } while (of.count[4] < 3);
    const int at = of.count[0] + of.count[1] + of.count[2] + of.count[3];
    memcpy(of.G[at + 1], of.G[at], sizeof of.G[at]);
    of.G[at + 1][WIDE * 5] += 3e-5;
    put_matrix(&of, 0.0, &r);
    ck_assert(!tn_loop_matrix_factorize(&of.V, of.bound, shares));
    tn_loop_matrix_destroy(&of.V);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("loop_matrix");
    TCase *all = tcase_create("loop_matrix");
    tcase_add_loop_test(all, test_as_dense, 0, 60);
    tcase_add_loop_test(all, test_still_rows, 0, 20);
    tcase_add_test(all, test_unclear);
    suite_add_tcase(suite, all);
    return suite;
}
