/* test_kkt.c: the KKT kernel against dense LAPACK, on every family of mechanisms. */
#include "kkt_systems.h"
#include "run_main.h"
#include "sparse/factor/factor.h"
#include "sparse/kkt_impl.h"
#include "support/heavy.h"

#include <check.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS    1e-8
#define PASSES 30

static double *dense(int64_t n)
{
    double *x = calloc((size_t)n + 1, sizeof *x);
    ck_assert_ptr_nonnull(x);
    return x;
}

/* Column-major [H + delta, G^T; G, -(R + E)] of size n. */
static void dense_kkt(const kkt_system *s, bool regularised, double *k)
{
    int64_t nu = s->l->u_size;
    int64_t n = kkt_dense_size(s);
    int64_t m = n - nu;
    double *h = dense(nu * nu);
    double *g = dense(m * nu);
    int64_t *position = calloc((size_t)m + 1, sizeof *position);
    kkt_dense_h(s, h);
    kkt_dense_g(s, g);
    kkt_active_rows(s, position);
    memset(k, 0, (size_t)(n * n) * sizeof *k);
    for (int64_t c = 0; c < nu; c++) {
        for (int64_t r = 0; r < nu; r++) {
            k[c * n + r] = h[c * nu + r];
        }
        k[c * n + c] += regularised ? s->values->delta[c] : 0.0;
        for (int64_t r = 0; r < m; r++) {
            k[c * n + nu + r] = g[c * m + r];
            k[(nu + r) * n + c] = g[c * m + r];
        }
    }
    for (int64_t r = 0; r < m; r++) {
        double e = regularised ? s->values->e[position[r]] : 0.0;
        k[(nu + r) * n + nu + r] = -(s->values->r[position[r]] + e);
    }
    free(h);
    free(g);
    free(position);
}

/* u and y stacked, active rows only. */
static void stack(const kkt_system *s, const double *u, const double *y, double *x)
{
    int64_t nu = s->l->u_size;
    int64_t *position = calloc((size_t)kkt_dense_size(s) + 1, sizeof *position);
    int32_t m = kkt_active_rows(s, position);
    memcpy(x, u, (size_t)nu * sizeof *x);
    for (int32_t r = 0; r < m; r++) {
        x[nu + r] = y[position[r]];
    }
    free(position);
}

static double difference(const double *a, const double *b, int64_t n)
{
    double size = 0.0;
    double error = 0.0;
    for (int64_t i = 0; i < n; i++) {
        size = fmax(size, fabs(b[i]));
        error = fmax(error, fabs(a[i] - b[i]));
    }
    return size > 0.0 ? error / size : error;
}

static void factorize(kkt_system *s)
{
    int32_t node = 7;
    kkt_scale_rows(s, EPS);
    ck_assert_int_eq(tn_kkt_factorize(s->kkt, s->values, s->factor, &node), TN_OK);
    ck_assert_int_eq(node, -1);
}

/* One solve equals dsysv on the regularised matrix. */
static void check_solve(kkt_system *s)
{
    int32_t n = kkt_dense_size(s);
    int64_t nu = s->l->u_size;
    double *k = dense((int64_t)n * n);
    double *expected = dense(n);
    double *got = dense(n);
    lapack_int *pivot = calloc((size_t)n + 1, sizeof *pivot);
    dense_kkt(s, true, k);
    for (int64_t i = 0; i < nu; i++) {
        s->ru[i] = kkt_random(s);
    }
    for (int64_t i = 0; i < s->l->y_size; i++) {
        s->rl[i] = kkt_random(s);
    }
    stack(s, s->ru, s->rl, expected);
    ck_assert_int_eq(
        LAPACKE_dsysv(LAPACK_COL_MAJOR, 'U', n, 1, k, n, pivot, expected, n > 0 ? n : 1), 0);
    tn_kkt_solve(s->kkt, s->factor, s->ru, s->rl);
    stack(s, s->ru, s->rl, got);
    /* both solvers lose what the conditioning takes: redundant rows make it 1/EPS */
    ck_assert_double_lt(difference(got, expected, nu), 1e-6);
    free(k);
    free(expected);
    free(got);
    free(pivot);
}

/* The refined solution equals the least-norm one of dgelsd in the metric sum a_i lambda_i^2. */
static void check_refined(kkt_system *s)
{
    int32_t n = kkt_dense_size(s);
    int64_t nu = s->l->u_size;
    double *k = dense((int64_t)n * n);
    double *expected = dense(n);
    double *got = dense(n);
    double *sigma = dense(n);
    double *scale = dense(n);
    dense_kkt(s, false, k);
    stack(s, s->b, s->g, expected);
    for (int64_t i = 0; i < nu; i++) {
        scale[i] = 1.0;
    }
    stack(s, scale, s->values->a, scale);
    for (int64_t i = nu; i < n; i++) {
        scale[i] = 1.0 / sqrt(scale[i]);
        expected[i] *= scale[i];
    }
    for (int64_t c = 0; c < n; c++) {
        for (int64_t r = 0; r < n; r++) {
            k[c * n + r] *= scale[c] * scale[r];
        }
    }
    lapack_int rank = 0;
    ck_assert_int_eq(LAPACKE_dgelsd(LAPACK_COL_MAJOR, n, n, 1, k, n, expected, n > 0 ? n : 1, sigma,
                                    1e-11, &rank),
                     0);
    tn_kkt_refine_options options = {PASSES, 1e-13, 0.0};
    tn_kkt_refine_stats stats;
    memset(s->u, 0, (size_t)nu * sizeof(double));
    memset(s->lambda, 0, (size_t)s->l->y_size * sizeof(double));
    ck_assert_int_eq(tn_kkt_solve_refined(s->kkt, s->values, s->factor, s->b, s->g, s->u, s->lambda,
                                          &options, &stats),
                     TN_OK);
    ck_assert_double_lt(stats.primal_residual, 1e-11);
    ck_assert_double_lt(stats.dual_residual, 1e-11);
    stack(s, s->u, s->lambda, got);
    for (int64_t i = nu; i < n; i++) {
        expected[i] *= -scale[i];
    }
    ck_assert_double_lt(difference(got, expected, nu), 1e-10);
    ck_assert_double_lt(difference(got + nu, expected + nu, n - nu), 1e-6);
    free(k);
    free(expected);
    free(got);
    free(sigma);
    free(scale);
}

/* Residual and products against dense ones. */
static void check_products(kkt_system *s)
{
    int32_t n = kkt_dense_size(s);
    int64_t nu = s->l->u_size;
    double *k = dense((int64_t)n * n);
    double *x = dense(n);
    double *expected = dense(n);
    double *got = dense(n);
    dense_kkt(s, false, k);
    tn_kkt_residual(s->kkt, s->values, s->b, s->g, s->u, s->lambda, s->ru, s->rl);
    stack(s, s->b, s->g, x);
    stack(s, s->u, s->lambda, expected);
    for (int64_t i = nu; i < n; i++) {
        x[i] = -x[i];
    }
    for (int64_t c = 0; c < n; c++) {
        for (int64_t r = 0; r < n; r++) {
            expected[r] -= k[c * n + r] * x[c];
        }
    }
    stack(s, s->ru, s->rl, got);
    ck_assert_double_lt(difference(got, expected, n), 1e-13);
    /* ru = b - H u + G^T l, rl = g - G u - R l from the single products */
    double *hu = dense(nu);
    memcpy(s->ru, s->u, (size_t)nu * sizeof *x);
    tn_kkt_apply_h(s->kkt, s->values, s->b, hu);
    tn_kkt_apply_gt(s->kkt, s->values, s->g, s->ru);
    tn_kkt_apply_g(s->kkt, s->values, s->b, s->rl);
    for (int64_t i = 0; i < nu; i++) {
        s->ru[i] -= hu[i];
    }
    for (int64_t i = 0; i < s->l->y_size; i++) {
        s->rl[i] = s->lambda[i] - s->rl[i] - s->values->r[i] * s->g[i];
    }
    stack(s, s->ru, s->rl, got);
    ck_assert_double_lt(difference(got, expected, n), 1e-13);
    free(hu);
    free(k);
    free(x);
    free(expected);
    free(got);
}

/* Same bits on repetition, and from the kernels of every instruction set. */
static void check_same_bits(kkt_system *s)
{
    int64_t nu = s->l->u_size;
    int64_t ny = s->l->y_size;
    double *u = dense(nu);
    double *y = dense(ny);
    const bool wide = s->factor->wide;
    const tn_front_kernel *kernel = s->factor->kernel;
    for (int variant = 0; variant < 4; variant++) {
        s->factor->wide = wide && variant < 2;
        s->factor->kernel = variant < 2 ? kernel : tn_front_kernel_of(variant == 2 ? 4 : 2);
        ck_assert_int_eq(tn_kkt_factorize(s->kkt, s->values, s->factor, NULL), TN_OK);
        memcpy(s->ru, s->b, (size_t)nu * sizeof *u);
        memcpy(s->rl, s->g, (size_t)ny * sizeof *y);
        tn_kkt_solve(s->kkt, s->factor, s->ru, s->rl);
        if (variant == 0) {
            memcpy(u, s->ru, (size_t)nu * sizeof *u);
            memcpy(y, s->rl, (size_t)ny * sizeof *y);
        }
        ck_assert_mem_eq(u, s->ru, (size_t)nu * sizeof *u);
        ck_assert_mem_eq(y, s->rl, (size_t)ny * sizeof *y);
    }
    s->factor->wide = wide;
    s->factor->kernel = kernel;
    free(u);
    free(y);
}

static void check_all(kkt_system *s)
{
    kkt_consistent_rhs(s);
    factorize(s);
    check_solve(s);
    check_refined(s);
    check_products(s);
    check_same_bits(s);
}

START_TEST(test_families)
{
    for (uint64_t seed = 1; seed <= ALL_OR_FEW(12, 2); seed++) {
        for (int32_t bodies = 1; bodies <= 22; bodies += 7) {
            kkt_system *s =
                kkt_random_mechanism((kkt_family)_i, bodies, 1000 * seed + (uint64_t)bodies);
            check_all(s);
            kkt_system_free(s);
        }
    }
}
END_TEST

/* Rows come and go: the same analysis, any number of active rows. */
START_TEST(test_active_rows)
{
    for (uint64_t seed = 1; seed <= 4; seed++) {
        kkt_system *s = kkt_random_mechanism((kkt_family)_i, 17, seed);
        for (int trial = 0; trial < 5; trial++) {
            for (int32_t k = 0; k < s->n_dual; k++) {
                s->values->rows[k] = kkt_pick(s, s->dual_cap[k] + 1);
            }
            check_all(s);
        }
        kkt_system_free(s);
    }
}
END_TEST

/* Inactive entries are neither read nor written. */
START_TEST(test_inactive_untouched)
{
    kkt_system *s = kkt_random_mechanism(KKT_LOOPS, 20, 5);
    for (int32_t k = 0; k < s->n_dual; k++) {
        s->values->rows[k] = kkt_pick(s, s->dual_cap[k] + 1);
        for (int32_t r = s->values->rows[k]; r < s->dual_cap[k]; r++) {
            int64_t at = s->l->y_offset[k] + r;
            s->values->r[at] = s->values->e[at] = s->values->a[at] = (double)NAN;
            s->g[at] = s->lambda[at] = s->rl[at] = (double)NAN;
        }
    }
    factorize(s);
    for (int64_t i = 0; i < s->l->u_size; i++) {
        s->b[i] = kkt_random(s);
    }
    tn_kkt_refine_options options = {PASSES, 1e-12, 0.0};
    tn_kkt_refine_stats stats;
    ck_assert_int_eq(tn_kkt_solve_refined(s->kkt, s->values, s->factor, s->b, s->g, s->u, s->lambda,
                                          &options, &stats),
                     TN_OK);
    ck_assert_double_lt(fmax(stats.primal_residual, stats.dual_residual), 1e-12);
    for (int32_t k = 0; k < s->n_dual; k++) {
        for (int32_t r = 0; r < s->dual_cap[k]; r++) {
            int64_t at = s->l->y_offset[k] + r;
            ck_assert_int_eq(isnan(s->lambda[at]) != 0, r >= s->values->rows[k]);
        }
    }
    kkt_system_free(s);
}
END_TEST

/* Rows that repeat others, within a joint and between two joints on the same bodies. */
START_TEST(test_redundant)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        kkt_system *s = kkt_system_new(seed);
        for (int32_t i = 0; i < 12; i++) {
            kkt_add_body(s, i % 4 == 3 ? 3 : 6);
        }
        for (int32_t i = 1; i < 12; i++) {
            kkt_add_pair(s, 3, i, kkt_pick(s, i));
        }
        int32_t joints = s->n_dual;
        for (int32_t k = 0; k < joints; k += 2) {
            int32_t *pair = s->dual_primal + 2 * k;
            kkt_add_pair(s, 2, pair[0], pair[1]);
        }
        kkt_build(s);
        kkt_fill_random(s, 0.0);
        for (int32_t k = joints; k < s->n_dual; k++) {
            ck_assert(kkt_repeat_row(s, k, 1, 2 * (k - joints)));
            if (kkt_uniform(s) < 0.5) {
                ck_assert(kkt_repeat_row(s, k, 0, 2 * (k - joints)));
            }
        }
        ck_assert(kkt_repeat_row(s, 1, 2, 1));
        kkt_consistent_rhs(s);
        factorize(s);
        check_refined(s);
        check_products(s);
        kkt_system_free(s);
    }
}
END_TEST

/* Bodies of zero dimension and joints between them do not take part. */
START_TEST(test_absent)
{
    kkt_system *s = kkt_system_new(3);
    static const int32_t dims[] = {6, 0, 3, 0, 6, 0};
    for (int32_t i = 0; i < 6; i++) {
        kkt_add_body(s, dims[i]);
    }
    kkt_add_pair(s, 3, 0, 1);
    kkt_add_pair(s, 3, 1, 3); /* absent */
    kkt_add_pair(s, 2, 2, 4);
    kkt_add_pair(s, 0, 0, 4);  /* absent */
    kkt_add_pair(s, 4, 5, -1); /* absent */
    kkt_add_pair(s, 2, 4, 0);
    kkt_build(s);
    ck_assert_int_eq(s->l->n_order, 3 + 3);
    kkt_fill_random(s, 0.2);
    check_all(s);
    kkt_system_free(s);
}
END_TEST

START_TEST(test_empty)
{
    kkt_system *s = kkt_system_new(1);
    kkt_build(s);
    ck_assert_int_eq(tn_kkt_factorize(s->kkt, s->values, s->factor, NULL), TN_OK);
    tn_kkt_solve(s->kkt, s->factor, s->ru, s->rl);
    kkt_system_free(s);
}
END_TEST

/* Joints with more rows than a body has velocities; all of them active is redundant. */
START_TEST(test_many_rows)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        kkt_system *s = kkt_system_new(seed);
        for (int32_t i = 0; i < 8; i++) {
            kkt_add_body(s, 6);
        }
        for (int32_t i = 1; i < 8; i++) {
            kkt_add_pair(s, 12, i, kkt_pick(s, i));
        }
        kkt_build(s);
        kkt_fill_random(s, 0.0);
        for (int32_t k = 0; k < s->n_dual; k++) {
            s->values->rows[k] = 4 + kkt_pick(s, 9);
            for (int32_t r = 5; r < s->values->rows[k]; r++) {
                kkt_repeat_row(s, k, r, k);
            }
        }
        kkt_consistent_rhs(s);
        factorize(s);
        check_refined(s);
        kkt_system_free(s);
    }
}
END_TEST

/* Columns that are eliminated together (sparse/panels.c), below which are more than one block of four. */
static int32_t widest_panel(const kkt_system *s)
{
    int32_t widest = 0;
    for (int32_t k = 0; k < s->l->n_order; k++) {
        const int32_t panel = s->kkt->node[k].panel;
        if (panel > widest && s->kkt->node[k + panel].row - s->kkt->node[k + panel - 1].row > 8) {
            widest = panel;
        }
    }
    return widest;
}

static kkt_system *make_net(int32_t side, uint64_t seed)
{
    kkt_system *s = kkt_system_new(seed);
    for (int32_t i = 0; i < side * side; i++) {
        kkt_add_body(s, kkt_uniform(s) < 0.8 ? 6 : 3);
    }
    for (int32_t i = 0; i < side * side; i++) {
        if (i % side > 0) {
            kkt_add_pair(s, 3 + kkt_pick(s, 4), i, i - 1);
        }
        if (i >= side) {
            kkt_add_pair(s, 3 + kkt_pick(s, 4), i, i - side);
        }
    }
    kkt_build(s);
    kkt_fill_random(s, 0.3);
    return s;
}

static void set_rows(kkt_system *s, bool mostly_three)
{
    for (int32_t k = 0; k < s->n_dual; k++) {
        const int32_t cap = s->dual_cap[k];
        s->values->rows[k] = mostly_three && kkt_uniform(s) < 0.9 ? 3 : kkt_pick(s, cap + 1);
    }
}

/* Nets, with the rows that their joints have as a rule, and with any; what is left of other rows is not seen. */
START_TEST(test_panels)
{
    kkt_system *s = make_net(10, (uint64_t)_i + 1);
    ck_assert_int_ge(widest_panel(s), 2);
    for (int trial = 0; trial < 2; trial++) {
        set_rows(s, trial % 2 == 0);
        factorize(s);
        check_solve(s);
        check_same_bits(s);
    }
    kkt_system_free(s);
}
END_TEST

/* Of a factor larger than the cache the first half of a solve is done on the way: the same bits as one after the other,
 * with whatever rows, in both copies; and the same answer where a body's inertia is negative. */
START_TEST(test_factor_and_solve)
{
    kkt_system *s = make_net(22, (uint64_t)_i + 11);
    const size_t nu = (size_t)s->l->u_size * sizeof(double),
                 ny = (size_t)s->l->y_size * sizeof(double);
    double *u = dense(s->l->u_size), *y = dense(s->l->y_size);
    ck_assert(tn_sweep_of(s->kkt, s->factor, NULL, NULL).far);
    for (int trial = 0; trial < 4; trial++) {
        if (trial > 0)
            set_rows(s, trial % 2 == 0);
        kkt_consistent_rhs(s);
        factorize(s);
        memcpy(u, s->b, nu);
        memcpy(y, s->g, ny);
        tn_kkt_solve(s->kkt, s->factor, u, y);
        for (int wide = 0; wide < 2; wide++) {
            int32_t node = 7;
            const bool had = s->factor->wide;
            const tn_front_kernel *kernel = s->factor->kernel;
            memcpy(s->ru, s->b, nu);
            memcpy(s->rl, s->g, ny);
            memset(s->factor->block, 0xff, (size_t)s->l->factor_doubles * sizeof(double)); /* NaN */
            s->factor->wide = had && wide > 0;
            s->factor->kernel = wide > 0 ? kernel : tn_front_kernel_of(2);
            ck_assert_int_eq(
                tn_kkt_factorize_and_solve(s->kkt, s->values, s->factor, s->ru, s->rl, &node),
                TN_OK);
            s->factor->wide = had;
            s->factor->kernel = kernel;
            ck_assert_int_eq(node, -1);
            ck_assert_mem_eq(u, s->ru, nu);
            ck_assert_mem_eq(y, s->rl, ny);
        }
    }
    const int32_t body = 217;
    int32_t one = -1, other = -1;
    s->values->h[s->l->h_offset[body]] *= -1.0;
    const tn_status status = tn_kkt_factorize(s->kkt, s->values, s->factor, &one);
    ck_assert_int_eq(status, TN_ERROR_SINGULAR);
    ck_assert_int_eq(tn_kkt_factorize_and_solve(s->kkt, s->values, s->factor, s->ru, s->rl, &other),
                     status);
    ck_assert_int_eq(one, other);
    free(u);
    free(y);
    kkt_system_free(s);
}
END_TEST

/* Illegal patterns are refused. */
START_TEST(test_bad_patterns)
{
    int32_t dim[] = {6, 6};
    int32_t cap[] = {5};
    int32_t start[] = {0, 2};
    int32_t primal[] = {0, 1};
    tn_kkt *kkt = NULL;
    tn_kkt_pattern good = {2, dim, 1, cap, start, primal, NULL, NULL, NULL, 0, NULL};
    ck_assert_int_eq(tn_kkt_analyze(&good, &kkt), TN_OK);
    tn_kkt_destroy(kkt);
    primal[1] = 0;
    ck_assert_int_eq(tn_kkt_analyze(&good, &kkt), TN_ERROR_ARGUMENT);
    ck_assert_ptr_null(kkt);
    primal[1] = 2;
    ck_assert_int_eq(tn_kkt_analyze(&good, &kkt), TN_ERROR_ARGUMENT);
    primal[1] = 1;
    cap[0] = TN_KKT_MAX_BLOCK + 1;
    ck_assert_int_eq(tn_kkt_analyze(&good, &kkt), TN_ERROR_ARGUMENT);
    cap[0] = 5;
    start[1] = -1;
    ck_assert_int_eq(tn_kkt_analyze(&good, &kkt), TN_ERROR_ARGUMENT);
}
END_TEST

/* A wrong pivot is reported with the node it belongs to. */
START_TEST(test_bad_values)
{
    kkt_system *s = kkt_random_mechanism(KKT_TREE, 9, 11);
    kkt_consistent_rhs(s);
    factorize(s);
    int32_t node = -1;
    double *h = s->values->h + s->l->h_offset[4];
    double keep = h[0];
    h[0] = -1e9;
    ck_assert_int_eq(tn_kkt_factorize(s->kkt, s->values, s->factor, &node), TN_ERROR_SINGULAR);
    ck_assert_int_eq(node, 4);
    h[0] = (double)NAN;
    ck_assert_int_eq(tn_kkt_factorize(s->kkt, s->values, s->factor, &node), TN_ERROR_NOT_FINITE);
    ck_assert_int_eq(node, 4);
    h[0] = (double)INFINITY;
    ck_assert_int_eq(tn_kkt_factorize(s->kkt, s->values, s->factor, &node), TN_ERROR_NOT_FINITE);
    h[0] = keep;
    s->values->r[s->l->y_offset[3]] = -1e6;
    ck_assert_int_eq(tn_kkt_factorize(s->kkt, s->values, s->factor, &node), TN_ERROR_SINGULAR);
    ck_assert_int_eq(node, s->n_primal + 3);
    s->values->r[s->l->y_offset[3]] = 0.0;
    factorize(s);
    tn_kkt_refine_options options = {3, 1e-12, 0.0};
    tn_kkt_refine_stats stats;
    s->b[2] = (double)NAN;
    ck_assert_int_eq(tn_kkt_solve_refined(s->kkt, s->values, s->factor, s->b, s->g, s->u, s->lambda,
                                          &options, &stats),
                     TN_ERROR_NOT_FINITE);
    for (int64_t i = 0; i < s->l->u_size; i++) {
        ck_assert(s->u[i] == 0.0);
    }
    kkt_system_free(s);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("kkt");
    TCase *solve = tcase_create("against LAPACK");
    tcase_add_loop_test(solve, test_families, 0, KKT_FAMILIES);
    tcase_add_loop_test(solve, test_active_rows, 0, KKT_FAMILIES);
    tcase_add_loop_test(solve, test_panels, 0, ALL_OR_FEW(3, 1));
    tcase_add_loop_test(solve, test_factor_and_solve, 0, 2);
    tcase_add_test(solve, test_redundant);
    tcase_add_test(solve, test_many_rows);
    tcase_add_test(solve, test_absent);
    tcase_add_test(solve, test_empty);
    suite_add_tcase(suite, solve);
    TCase *edges = tcase_create("edges");
    tcase_add_test(edges, test_inactive_untouched);
    tcase_add_test(edges, test_bad_patterns);
    tcase_add_test(edges, test_bad_values);
    suite_add_tcase(suite, edges);
    return suite;
}
