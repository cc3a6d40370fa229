/* test_kkt_rank.c: rank of constraint rows and the relations between them.
 *
 * Oracles: singular values (LAPACK dgesvd) on random mechanisms; mechanisms whose mobility is
 * known: parallelogram four-bar, doors, N-four-bar, Bricard; null pivots of MUMPS.
 */
#include "kkt_systems.h"

#include <check.h>
#include <dmumps_c.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Singular values below this, relative to the largest, count as zero. */
#define SINGULAR 1e-9

static double *numbers(int64_t n)
{
    double *x = calloc((size_t)n + 1, sizeof *x);
    ck_assert_ptr_nonnull(x);
    return x;
}

/* Rank of G with unit rows, by singular values. */
static int32_t dense_rank(const kkt_system *s)
{
    int32_t m = kkt_active_rows(s, NULL);
    int32_t n = (int32_t)s->l->u_size;
    double *g = numbers((int64_t)m * n);
    double *sigma = numbers(m < n ? m : n);
    double *work = numbers(m < n ? m : n);
    kkt_dense_g(s, g);
    for (int32_t r = 0; r < m; r++) {
        double length = 0.0;
        for (int32_t c = 0; c < n; c++) {
            length += g[c * m + r] * g[c * m + r];
        }
        for (int32_t c = 0; c < n && length > 0.0; c++) {
            g[c * m + r] /= sqrt(length);
        }
    }
    int32_t rank = 0;
    if (m > 0 && n > 0) {
        ck_assert_int_eq(
            LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', m, n, g, m, sigma, NULL, 1, NULL, 1, work),
            0);
        for (int32_t i = 0; i < (m < n ? m : n); i++) {
            rank += sigma[i] > SINGULAR * sigma[0];
        }
    }
    free(g);
    free(sigma);
    free(work);
    return rank;
}

struct seen {
    kkt_system *s;
    int32_t count;
    double worst; /* largest relative error of a relation */
};

/* Checks row = sum coefficient_i row_i. */
static void check_relation(void *context, const tn_kkt_dependent *dependent)
{
    struct seen *seen = context;
    kkt_system *s = seen->s;
    int32_t m = kkt_active_rows(s, NULL);
    int32_t n = (int32_t)s->l->u_size;
    double *g = numbers((int64_t)m * n);
    int64_t *position = calloc((size_t)m + 1, sizeof *position);
    kkt_dense_g(s, g);
    kkt_active_rows(s, position);
    int32_t own = -1;
    for (int32_t r = 0; r < m; r++) {
        own = position[r] == s->l->y_offset[dependent->dual] + dependent->row ? r : own;
    }
    ck_assert_int_ge(own, 0);
    ck_assert(dependent->coefficient[position[own]] == 0.0);
    double size = 0.0;
    double error = 0.0;
    for (int32_t c = 0; c < n; c++) {
        double sum = -g[c * m + own];
        for (int32_t r = 0; r < m; r++) {
            sum += dependent->coefficient[position[r]] * g[c * m + r];
        }
        size = fmax(size, fabs(g[c * m + own]));
        error = fmax(error, fabs(sum));
    }
    seen->worst = fmax(seen->worst, size > 0.0 ? error / size : error);
    seen->count++;
    free(g);
    free(position);
}

/* Rank, number of dependent rows, their relations; returns the report. */
static tn_kkt_rank_report check_rank(kkt_system *s, int32_t expected)
{
    struct seen seen = {s, 0, 0.0};
    tn_kkt_rank_report report;
    ck_assert_int_eq(tn_kkt_rank(s->kkt, s->values, NULL, check_relation, &seen, &report), TN_OK);
    ck_assert_int_eq(report.rows, kkt_active_rows(s, NULL));
    ck_assert_int_eq(report.rank, expected);
    ck_assert_int_eq(seen.count, report.rows - report.rank);
    ck_assert_double_lt(seen.worst, 1e-8);
    ck_assert_double_lt(report.largest_dropped, 1e-6);
    ck_assert_double_ge(report.smallest_kept, 1e-6);
    return report;
}

/* Hinge rows of a body at p about the unit axis through point x; plus one sign per end. */
static void hinge_rows(double *g, double sign, const double *p, const double *x, const double *axis)
{
    double r[3] = {x[0] - p[0], x[1] - p[1], x[2] - p[2]};
    double cross[3][3] = {{0, r[2], -r[1]}, {-r[2], 0, r[0]}, {r[1], -r[0], 0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            g[6 * i + j] = i == j ? sign : 0.0;
            g[6 * i + 3 + j] = sign * cross[i][j];
        }
    }
    int least = fabs(axis[0]) < 0.6 ? 0 : 1;
    double a[3] = {-axis[least] * axis[0], -axis[least] * axis[1], -axis[least] * axis[2]};
    a[least] += 1.0;
    double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (int j = 0; j < 3; j++) {
        a[j] /= length;
    }
    double b[3] = {axis[1] * a[2] - axis[2] * a[1], axis[2] * a[0] - axis[0] * a[2],
                   axis[0] * a[1] - axis[1] * a[0]};
    for (int j = 0; j < 3; j++) {
        g[18 + j] = g[24 + j] = 0.0;
        g[18 + 3 + j] = sign * a[j];
        g[24 + 3 + j] = sign * b[j];
    }
}

/* A mechanism of links with given centres and hinges; ground is -1. */
struct hinge {
    int32_t a, b;
    double x[3], axis[3];
};

static kkt_system *linkage(int32_t bodies, double (*centre)[3], const struct hinge *hinges,
                           int32_t count)
{
    kkt_system *s = kkt_system_new(1);
    for (int32_t i = 0; i < bodies; i++) {
        kkt_add_body(s, 6);
    }
    for (int32_t k = 0; k < count; k++) {
        kkt_add_pair(s, 5, hinges[k].a, hinges[k].b);
    }
    kkt_build(s);
    for (int32_t i = 0; i < bodies; i++) {
        static const double mass[6] = {2.0, 2.0, 2.0, 0.3, 0.1, 0.2};
        for (int32_t j = 0; j < 6; j++) {
            s->values->h[s->l->h_offset[i] + 7 * j] = mass[j];
        }
    }
    for (int32_t k = 0; k < count; k++) {
        const struct hinge *hinge = &hinges[k];
        int32_t t = s->l->dual_start[k];
        hinge_rows(s->values->g + s->l->g_offset[t], 1.0, centre[hinge->a], hinge->x, hinge->axis);
        if (hinge->b >= 0) {
            hinge_rows(s->values->g + s->l->g_offset[t + 1], -1.0, centre[hinge->b], hinge->x,
                       hinge->axis);
        }
    }
    return s;
}

static kkt_system *four_bar(double angle)
{
    double c = cos(angle);
    double n = sin(angle);
    double centre[3][3] = {{0.5 * c, 0.5 * n, 0}, {1 + c, n, 0}, {2 + 0.5 * c, 0.5 * n, 0}};
    struct hinge hinges[4] = {{0, -1, {0, 0, 0}, {0, 0, 1}},
                              {1, 0, {c, n, 0}, {0, 0, 1}},
                              {2, 1, {2 + c, n, 0}, {0, 0, 1}},
                              {2, -1, {2, 0, 0}, {0, 0, 1}}};
    return linkage(3, centre, hinges, 4);
}

/* 18 velocities, 20 rows, one degree of freedom; two of them when all links are in line. */
START_TEST(test_four_bar)
{
    for (int i = 1; i < 10; i++) {
        kkt_system *s = four_bar(0.3 * i);
        tn_kkt_rank_report report = check_rank(s, 17);
        ck_assert_double_gt(report.smallest_kept, 1e-3);
        kkt_system_free(s);
    }
    kkt_system *s = four_bar(0.0);
    check_rank(s, 16);
    kkt_system_free(s);
}
END_TEST

/* A door on any number of hinges has rank 5. */
START_TEST(test_door)
{
    for (int32_t count = 1; count <= 10; count++) {
        double centre[1][3] = {{0.4, 0, 1}};
        struct hinge hinges[10];
        for (int32_t k = 0; k < count; k++) {
            hinges[k] = (struct hinge){0, -1, {0, 0, 0.2 * k}, {0, 0, 1}};
        }
        kkt_system *s = linkage(1, centre, hinges, count);
        check_rank(s, 5);
        kkt_system_free(s);
    }
}
END_TEST

/* N-four-bar, N = 40: 81 bodies, 605 rows, rank 485. */
START_TEST(test_n_four_bar)
{
    enum { N = 40 };
    static double centre[2 * N + 1][3];
    static struct hinge hinges[3 * N + 1];
    int32_t count = 0;
    for (int32_t i = 0; i <= N; i++) {
        centre[i][0] = i + 0.15;
        centre[i][1] = 0.45;
        hinges[count++] = (struct hinge){i, -1, {i, 0, 0}, {0, 0, 1}};
    }
    for (int32_t i = 0; i < N; i++) {
        centre[N + 1 + i][0] = i + 0.8;
        centre[N + 1 + i][1] = 0.9;
        hinges[count++] = (struct hinge){N + 1 + i, i, {i + 0.3, 0.9, 0}, {0, 0, 1}};
        hinges[count++] = (struct hinge){N + 1 + i, i + 1, {i + 1.3, 0.9, 0}, {0, 0, 1}};
    }
    kkt_system *s = linkage(2 * N + 1, centre, hinges, count);
    tn_kkt_rank_report report = check_rank(s, 485);
    ck_assert_int_eq(report.rows, 605);
    kkt_system_free(s);
}
END_TEST

/* A door on two hinges at the end of a chain so long that its pivots look like those of dependent
 * rows: only the door's rows are in question. */
START_TEST(test_long_chain)
{
    enum { N = 20000 };
    static double centre[N][3];
    static struct hinge hinges[N + 1];
    static bool suspect[N + 1];
    for (int32_t i = 0; i < N; i++) {
        centre[i][0] = i + 0.5;
        hinges[i] = (struct hinge){i, i - 1, {i, 0, 0}, {0, i % 2, 1 - i % 2}};
    }
    hinges[N] = hinges[N - 1];
    hinges[N].x[1] += 0.2; /* along its axis */
    kkt_system *s = linkage(N, centre, hinges, N + 1);
    suspect[N - 1] = suspect[N] = true;
    tn_kkt_rank_report report;
    ck_assert_int_eq(tn_kkt_rank(s->kkt, s->values, suspect, NULL, NULL, &report), TN_OK);
    ck_assert_int_eq(report.rows, 5 * (N + 1));
    ck_assert_int_eq(report.rank, 5 * N);
    suspect[N - 1] = suspect[N] = false;
    s->values->rows[N] = 0;
    ck_assert_int_eq(tn_kkt_rank(s->kkt, s->values, suspect, NULL, NULL, &report), TN_OK);
    ck_assert_int_eq(report.rank, 5 * N);
    kkt_system_free(s);
}
END_TEST

/* Bricard's mechanism on the edges of a cube: 30 rows, 30 velocities, one degree of freedom. */
START_TEST(test_bricard)
{
    double corner[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
    double axis[6][3] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
    double centre[5][3];
    struct hinge hinges[6];
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 3; j++) {
            centre[i][j] = 0.5 * (corner[i][j] + corner[i + 1][j]);
        }
    }
    for (int k = 0; k < 6; k++) {
        hinges[k].a = k < 5 ? k : 4;
        hinges[k].b = k == 0 || k == 5 ? -1 : k - 1;
        memcpy(hinges[k].x, corner[k], sizeof corner[k]);
        memcpy(hinges[k].axis, axis[k], sizeof axis[k]);
    }
    kkt_system *s = linkage(5, centre, hinges, 6);
    check_rank(s, 29);
    kkt_system_free(s);
}
END_TEST

/* Random mechanisms of every family, some rows made to repeat others. */
START_TEST(test_random)
{
    for (uint64_t seed = 1; seed <= 15; seed++) {
        kkt_system *s = kkt_random_mechanism((kkt_family)_i, 16, 77 * seed);
        for (int32_t k = 0; k < s->n_dual; k++) {
            if (kkt_uniform(s) < 0.4) {
                kkt_repeat_row(s, k, s->values->rows[k] - 1, k);
            }
            if (kkt_uniform(s) < 0.2) {
                s->values->rows[k] = kkt_pick(s, s->dual_cap[k] + 1);
            }
        }
        check_rank(s, dense_rank(s));
        kkt_system_free(s);
    }
}
END_TEST

/* Many more rows than velocities, joints whose first block says nothing about their rank. */
START_TEST(test_crowded)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        kkt_system *s = kkt_system_new(seed);
        for (int32_t i = 0; i < 6; i++) {
            kkt_add_body(s, 1 + kkt_pick(s, 6));
        }
        for (int32_t k = 0; k < 14; k++) {
            int32_t a = kkt_pick(s, 6);
            int32_t b = kkt_pick(s, 6);
            kkt_add_pair(s, 1 + kkt_pick(s, 5), a, a == b ? -1 : b);
        }
        kkt_build(s);
        kkt_fill_random(s, 0.0);
        for (int64_t i = 0; i < s->l->g_size; i++) {
            if (kkt_uniform(s) < 0.5) {
                s->values->g[i] = 0.0;
            }
        }
        check_rank(s, dense_rank(s));
        kkt_system_free(s);
    }
}
END_TEST

/* Row and column units change nothing. */
START_TEST(test_units)
{
    kkt_system *s = four_bar(0.7);
    for (int32_t k = 0; k < s->n_dual; k++) {
        for (int32_t t = s->l->dual_start[k]; t < s->l->dual_start[k + 1]; t++) {
            for (int32_t i = 0; i < 30; i++) {
                double row = pow(10.0, i / 6 - 2 * k);
                double column = i % 6 < 3 ? 1e-3 : 1.0;
                s->values->g[s->l->g_offset[t] + i] *= row * column;
            }
        }
    }
    for (int32_t i = 0; i < s->n_primal; i++) {
        for (int32_t j = 0; j < 3; j++) {
            s->values->h[s->l->h_offset[i] + 7 * j] *= 1e-6;
        }
    }
    check_rank(s, 17);
    kkt_system_free(s);
}
END_TEST

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

static kkt_system *large_mechanism(uint64_t seed, int32_t repeated)
{
    kkt_system *s = kkt_random_mechanism(KKT_LOOPS, 300, seed);
    for (int64_t i = 0; i < s->l->y_size; i++) {
        s->values->r[i] = 0.0;
    }
    for (int32_t k = 0; k < s->n_dual && repeated > 0; k++) {
        if (s->dual_cap[k] > 2 && kkt_repeat_row(s, k, s->dual_cap[k] - 1, k)) {
            repeated--;
        }
    }
    return s;
}

/* 300 bodies: MUMPS finds as many null pivots as we find dependent rows. */
START_TEST(test_mumps_rank)
{
    kkt_system *s = large_mechanism(8, 25);
    DMUMPS_STRUC_C id = {.comm_fortran = -987654, .par = 1, .sym = 2};
    mumps(&id, -1);
    memset(id.icntl, 0, 4 * sizeof id.icntl[0]); /* silent */
    id.icntl[23] = 1;                            /* null pivots */
    id.cntl[2] = 1e-9;                           /* their size, relative to the matrix */
    fill_triplets(s, &id);
    mumps(&id, 4);
    int32_t null_pivots = id.infog[27];
    ck_assert_int_ge(null_pivots, 25);
    tn_kkt_rank_report report;
    ck_assert_int_eq(tn_kkt_rank(s->kkt, s->values, NULL, NULL, NULL, &report), TN_OK);
    ck_assert_int_eq(report.rows - report.rank, null_pivots);
    mumps(&id, -2);
    free(id.irn);
    free(id.jcn);
    free(id.a);
    kkt_system_free(s);
}
END_TEST

/* 300 bodies, full rank: the same solution as MUMPS. */
START_TEST(test_mumps_solution)
{
    kkt_system *s = large_mechanism(9, 0);
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

START_TEST(test_not_finite)
{
    kkt_system *s = four_bar(0.5);
    tn_kkt_rank_report report;
    s->values->g[3] = (double)NAN;
    ck_assert_int_eq(tn_kkt_rank(s->kkt, s->values, NULL, NULL, NULL, &report),
                     TN_ERROR_NOT_FINITE);
    kkt_system_free(s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kkt rank");
    TCase *known = tcase_create("known mechanisms");
    tcase_add_test(known, test_four_bar);
    tcase_add_test(known, test_door);
    tcase_add_test(known, test_n_four_bar);
    tcase_add_test(known, test_long_chain);
    tcase_add_test(known, test_bricard);
    tcase_add_test(known, test_units);
    tcase_add_test(known, test_not_finite);
    suite_add_tcase(suite, known);
    TCase *oracle = tcase_create("oracles");
    tcase_add_loop_test(oracle, test_random, 0, KKT_FAMILIES);
    tcase_add_test(oracle, test_crowded);
    tcase_add_test(oracle, test_mumps_rank);
    tcase_add_test(oracle, test_mumps_solution);
    suite_add_tcase(suite, oracle);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
