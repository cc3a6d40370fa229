/* test_inertia.c: eigenvalues below a number, against LAPACK's eigenvalues and MUMPS's pivots.
 *
 * Matrices are S = P P^T of random sparse parts, like those of the loop equations: positive
 * semidefinite, some combinations of rows null on purpose.
 */
#include <check.h>
#include <dmumps_c.h>
#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#include "sparse/inertia.h"
#include "support/allocator.h"
#include "support/random_numbers.h"
#include "support/run_main.h"

enum { NODE = 3, MOTIONS = 6, MOST = 60000 };

/* Nodes of NODE rows; each link gives its two nodes a common part of MOTIONS random columns. */
typedef struct sample {
    int32_t nodes;
    int32_t size[512];
    int32_t row[MOST], column[MOST];
    int64_t at[MOST];
    double value[MOST * NODE * NODE];
    int64_t blocks;
} sample;

static sample *sample_new(int32_t nodes)
{
    sample *s = calloc(1, sizeof *s);
    ck_assert_ptr_nonnull(s);
    s->nodes = nodes;
    for (int32_t i = 0; i < nodes; i++)
        s->size[i] = NODE;
    return s;
}

static void add_product(sample *s, int32_t i, int32_t j, double a[NODE][MOTIONS],
                        double b[NODE][MOTIONS])
{
    const int64_t k = s->blocks++;
    ck_assert_int_lt(k, MOST);
    s->row[k] = i;
    s->column[k] = j;
    s->at[k] = k * NODE * NODE;
    for (int p = 0; p < NODE; p++)
        for (int q = 0; q < NODE; q++)
            for (int m = 0; m < MOTIONS; m++)
                s->value[s->at[k] + p * NODE + q] += a[p][m] * b[q][m];
}

/* A node whose third row is the sum of the other two, where it is told to be. */
static void random_part(uint64_t *seed, int null, double part[NODE][MOTIONS])
{
    for (int p = 0; p < NODE; p++)
        for (int m = 0; m < MOTIONS; m++)
            part[p][m] = random_between(seed, -1.0, 1.0);
    for (int m = 0; null && m < MOTIONS; m++)
        part[2][m] = part[0][m] + part[1][m];
}

static void add_link(sample *s, int32_t i, int32_t j, int32_t every, uint64_t *seed)
{
    double a[NODE][MOTIONS], b[NODE][MOTIONS];
    random_part(seed, i % every == 0, a);
    random_part(seed, j % every == 0, b);
    add_product(s, i, i, a, a);
    add_product(s, j, j, b, b);
    add_product(s, i < j ? i : j, i < j ? j : i, i < j ? a : b, i < j ? b : a);
}

static tn_block_matrix matrix_of(const sample *s)
{
    return (tn_block_matrix){s->nodes, s->size, s->blocks, s->row, s->column, s->at, s->value};
}

/* Every link twice or more: the sum of the blocks counts. */
static sample *random_sample(int32_t nodes, int32_t every, uint64_t *seed)
{
    sample *s = sample_new(nodes);
    for (int32_t i = 1; i < nodes; i++) {
        const int32_t j = (int32_t)random_between(seed, 0.0, i);
        add_link(s, i, j, every, seed);
        add_link(s, j, i, every, seed);
    }
    for (int32_t k = 0; k < nodes / 2; k++) {
        const int32_t i = (int32_t)random_between(seed, 0.0, nodes);
        const int32_t j = (int32_t)random_between(seed, 0.0, nodes);
        if (i != j)
            add_link(s, i, j, every, seed);
    }
    return s;
}

START_TEST(counts_are_lapacks)
{
    uint64_t seed = 5;
    for (int32_t trial = 0; trial < 60; trial++) {
        sample *s = random_sample(2 + trial % 23, 2 + trial % 4, &seed);
        const int n = s->nodes * NODE;
        double *dense = calloc((size_t)(n * n), sizeof *dense), *w = calloc((size_t)n, sizeof *w);
        for (int64_t b = 0; b < s->blocks; b++)
            for (int p = 0; p < NODE; p++)
                for (int q = 0; q < NODE; q++) {
                    const int i = s->row[b] * NODE + p, j = s->column[b] * NODE + q;
                    dense[j * n + i] += s->value[s->at[b] + p * NODE + q];
                    if (s->row[b] != s->column[b])
                        dense[i * n + j] += s->value[s->at[b] + p * NODE + q];
                }
        ck_assert_int_eq(LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'L', n, dense, n, w), 0);
        const tn_block_matrix matrix = matrix_of(s);
        tn_inertia *inertia;
        ck_assert_int_eq(tn_inertia_create(&matrix, &inertia), TN_OK);
        for (double shift = 1e-12; shift < 100.0; shift *= 7.0) {
            int below = 0;
            for (int i = 0; i < n; i++)
                below += w[i] < shift;
            ck_assert_int_eq(tn_inertia_below(inertia, shift), below);
        }
        ck_assert_int_eq(tn_inertia_below(inertia, 1e-10),
                         (s->nodes + 1 + trial % 4) / (2 + trial % 4));
        tn_inertia_destroy(inertia);
        free(dense);
        free(w);
        free(s);
    }
}
END_TEST

/* A net of 20 x 20 nodes: as many negative pivots as MUMPS, which pivots for stability. */
START_TEST(counts_are_those_of_mumps)
{
    enum { side = 20 };
    uint64_t seed = 9;
    sample *s = sample_new(side * side);
    for (int32_t i = 0; i < side * side; i++) {
        if (i % side > 0)
            add_link(s, i, i - 1, 5, &seed);
        if (i >= side)
            add_link(s, i, i - side, 5, &seed);
    }
    const tn_block_matrix matrix = matrix_of(s);
    tn_inertia *inertia;
    ck_assert_int_eq(tn_inertia_create(&matrix, &inertia), TN_OK);
    const int64_t most = s->blocks * NODE * NODE + side * side * NODE;
    MUMPS_INT *row = calloc((size_t)most, sizeof *row), *column = calloc((size_t)most, sizeof *row);
    double *value = calloc((size_t)most, sizeof *value);
    for (int shift = 0; shift < 3; shift++) {
        const double at[] = {1e-8, 0.5, 3.0};
        int64_t count = 0;
        for (int64_t b = 0; b < s->blocks; b++)
            for (int p = 0; p < NODE; p++)
                for (int q = s->row[b] == s->column[b] ? p : 0; q < NODE; q++) {
                    row[count] = s->row[b] * NODE + p + 1;
                    column[count] = s->column[b] * NODE + q + 1;
                    value[count++] = s->value[s->at[b] + p * NODE + q];
                }
        for (int32_t i = 0; i < side * side * NODE; i++) {
            row[count] = column[count] = i + 1;
            value[count++] = -at[shift];
        }
        DMUMPS_STRUC_C id = {.comm_fortran = -987654, .par = 1, .sym = 2, .job = -1};
        dmumps_c(&id);
        memset(id.icntl, 0, 4 * sizeof id.icntl[0]); /* silent */
        id.n = side * side * NODE;
        id.nnz = count;
        id.irn = row;
        id.jcn = column;
        id.a = value;
        id.job = 4;
        dmumps_c(&id);
        ck_assert_int_ge(id.infog[0], 0);
        ck_assert_int_eq(tn_inertia_below(inertia, at[shift]), id.infog[11]);
        ck_assert_int_gt(id.infog[11], 0);
        id.job = -2;
        dmumps_c(&id);
    }
    ck_assert_int_eq(tn_inertia_below(inertia, 1e-8), side * side / 5);
    tn_inertia_destroy(inertia);
    free(row);
    free(column);
    free(value);
    free(s);
}
END_TEST

START_TEST(every_allocation_fails)
{
    uint64_t seed = 2;
    sample *s = random_sample(12, 3, &seed);
    const tn_block_matrix matrix = matrix_of(s);
    test_allocator a = {.left = -1};
    tn_set_allocator(test_realloc, &a);
    tn_inertia *inertia;
    ck_assert_int_eq(tn_inertia_create(&matrix, &inertia), TN_OK);
    const int64_t calls = a.calls;
    ck_assert_int_eq(tn_inertia_below(inertia, 1e-9), 4);
    ck_assert_int_eq(a.calls, calls); /* counting allocates nothing */
    tn_inertia_destroy(inertia);
    for (int64_t k = 0; k < calls; k++) {
        a = (test_allocator){.left = k};
        ck_assert_int_eq(tn_inertia_create(&matrix, &inertia), TN_ERROR_MEMORY);
        ck_assert_ptr_null(inertia);
        ck_assert_int_eq(a.alive, 0);
    }
    tn_set_allocator(NULL, NULL);
    free(s);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("inertia");
    TCase *tests = tcase_create("counts");
    tcase_add_test(tests, counts_are_lapacks);
    tcase_add_test(tests, counts_are_those_of_mumps);
    tcase_add_test(tests, every_allocation_fails);
    suite_add_tcase(suite, tests);
    return suite;
}
