/* test_kkt_mumps.c: the factor's solution against MUMPS on a large mechanism with loops. */
#include "kkt_systems.h"
#include "run_main.h"
#include "sparse/factor/factor.h"

#include <check.h>
#include <dmumps_c.h>
#include <stdlib.h>
#include <string.h>

static double *numbers(int64_t n)
{
    double *x = calloc((size_t)n + 1, sizeof *x);
    ck_assert_ptr_nonnull(x);
    return x;
}

static void mumps(DMUMPS_STRUC_C *id, int job)
{
    id->job = job;
    dmumps_c(id);
    ck_assert_int_ge(id->infog[0], 0);
}

/* Lower triangle of [H G^T; G -R] as triplets. */
static void fill_triplets(const kkt_system *s, DMUMPS_STRUC_C *id)
{
    int64_t nu = s->l->u_size;
    int64_t m = kkt_active_rows(s, NULL);
    double *h = numbers(nu * nu);
    double *g = numbers(m * nu);
    int64_t *position = calloc((size_t)m + 1, sizeof *position);
    kkt_dense_h(s, h);
    kkt_dense_g(s, g);
    kkt_active_rows(s, position);
    id->n = (MUMPS_INT)(nu + m);
    id->irn = calloc((size_t)(nu * (nu + m) + m), sizeof *id->irn);
    id->jcn = calloc((size_t)(nu * (nu + m) + m), sizeof *id->jcn);
    id->a = calloc((size_t)(nu * (nu + m) + m), sizeof *id->a);
    ck_assert(id->irn != NULL && id->jcn != NULL && id->a != NULL);
    for (int64_t c = 0; c < nu + m; c++) {
        for (int64_t r = c; r < nu + m; r++) {
            double value = r < nu ? h[c * nu + r] : c < nu ? g[c * m + r - nu] : 0.0;
            if (c >= nu) {
                value = r == c ? -s->values->r[position[r - nu]] : 0.0;
            }
            if (value != 0.0) {
                id->irn[id->nnz] = (MUMPS_INT)r + 1;
                id->jcn[id->nnz] = (MUMPS_INT)c + 1;
                id->a[id->nnz++] = value;
            }
        }
    }
    free(h);
    free(g);
    free(position);
}

/* 300 bodies, full rank: the same solution as MUMPS. */
START_TEST(test_mumps_solution)
{
    kkt_system *s = kkt_random_mechanism(KKT_LOOPS, 300, 9);
    memset(s->values->r, 0, sizeof(double) * (size_t)s->l->y_size);
    /* the few rows a random mechanism has too many get some compliance */
    for (int32_t k = 299; k < s->n_dual; k++) {
        for (int32_t r = 0; r < s->dual_cap[k]; r++) {
            s->values->r[s->l->y_offset[k] + r] = 0.05;
        }
    }
    kkt_consistent_rhs(s);
    int64_t nu = s->l->u_size;
    int32_t m = kkt_active_rows(s, NULL);
    int64_t *position = calloc((size_t)m + 1, sizeof *position);
    kkt_active_rows(s, position);
    DMUMPS_STRUC_C id = {.comm_fortran = -987654, .par = 1, .sym = 2};
    mumps(&id, -1);
    memset(id.icntl, 0, 4 * sizeof id.icntl[0]);
    id.icntl[9] = 3; /* refinement steps */
    fill_triplets(s, &id);
    id.rhs = numbers(nu + m);
    memcpy(id.rhs, s->b, (size_t)nu * sizeof *id.rhs);
    for (int32_t r = 0; r < m; r++) {
        id.rhs[nu + r] = s->g[position[r]];
    }
    mumps(&id, 6);
    kkt_scale_rows(s, 1e-8);
    ck_assert_int_eq(tn_kkt_factorize(s->kkt, s->values, s->factor, NULL), TN_OK);
    tn_kkt_refine_options options = {20, 1e-14, 0.0};
    tn_kkt_refine_stats stats;
    ck_assert_int_eq(tn_kkt_solve_refined(s->kkt, s->values, s->factor, s->b, s->g, s->u, s->lambda,
                                          &options, &stats),
                     TN_OK);
    for (int64_t i = 0; i < nu; i++) {
        ck_assert_double_eq_tol(s->u[i], id.rhs[i], 1e-10);
    }
    for (int32_t r = 0; r < m; r++) {
        ck_assert_double_eq_tol(s->lambda[position[r]], -id.rhs[nu + r], 1e-8);
    }
    mumps(&id, -2);
    free(id.irn);
    free(id.jcn);
    free(id.a);
    free(id.rhs);
    free(position);
    kkt_system_free(s);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("kkt mumps");
    TCase *oracle = tcase_create("oracle");
    tcase_add_test(oracle, test_mumps_solution);
    suite_add_tcase(suite, oracle);
    return suite;
}
