/* test_mlcp_chain.c: the ill-conditioned problem: a planar chain with a limit in every hinge.
 *
 * A after elimination of the hinges is the inverse of the joint-space inertia of the chain, whose
 * condition grows like n^4. Random right-hand side, cold and warm starts; also contradictions,
 * prescribed multipliers, failing allocation.
 */
#include "allocator.h"
#include "mlcp_problem.h"
#include "run_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rods of 1 kg and 1 m, uniform, at random angles of up to +-bend. The hinge of link i on link i-1
 * (or ground) has two rows at its near end and one for the relative rate, with lambda >= 0. */
static mlcp_problem *chain(int32_t n, double bend, uint64_t seed)
{
    kkt_system *s = kkt_system_new(seed);
    for (int32_t i = 0; i < n; i++) {
        kkt_add_body(s, 3);
    }
    for (int32_t i = 0; i < n; i++) {
        kkt_add_pair(s, 3, i, i - 1);
    }
    kkt_build(s);
    double arm[2] = {0.0, 0.0}; /* half of the previous rod */
    for (int32_t i = 0; i < n; i++) {
        double angle = bend * kkt_random(s);
        double half[2] = {0.5 * cos(angle), 0.5 * sin(angle)};
        double *h = s->values->h + s->l->h_offset[i];
        h[0] = h[4] = 1.0;
        h[8] = 1.0 / 12.0;
        double own[9] = {1, 0, half[1], 0, 1, -half[0], 0, 0, 1};
        double other[9] = {-1, 0, arm[1], 0, -1, -arm[0], 0, 0, -1};
        int32_t t = s->l->dual_start[i];
        memcpy(s->values->g + s->l->g_offset[t], own, sizeof own);
        if (i > 0) {
            memcpy(s->values->g + s->l->g_offset[t + 1], other, sizeof other);
        }
        memcpy(arm, half, sizeof arm);
    }
    kkt_scale_rows(s, 1e-8);
    mlcp_problem *p = mlcp_problem_of(s);
    for (int32_t i = 0; i < n; i++) {
        p->lo[3 * i + 2] = 0.0;
        s->g[3 * i + 2] = kkt_random(s);
    }
    mlcp_cold_start(p);
    return p;
}

static tn_status solve(mlcp_problem *p, const tn_mlcp_options *options, tn_mlcp_stats *stats)
{
    kkt_system *s = p->s;
    return tn_mlcp_solve(p->mlcp, s->values, s->factor, s->b, s->g, p->lo, p->hi, p->state, s->u,
                         s->lambda, options, stats);
}

typedef struct tally {
    int trials, failures;
    int by_method[TN_MLCP_INTERIOR + 1];
    int factorizations, most_factorizations, passes, solves, interior, most_interior, sets;
    double worst;
} tally;

static void count(tally *t, const tn_mlcp_stats *stats, tn_status status)
{
    t->trials++;
    t->failures += status != TN_OK;
    t->by_method[stats->method]++;
    t->factorizations += stats->factorizations;
    t->most_factorizations = stats->factorizations > t->most_factorizations
                                 ? stats->factorizations
                                 : t->most_factorizations;
    t->passes += stats->passes;
    t->solves += stats->solves;
    t->sets += stats->sets;
    t->interior += stats->interior;
    t->most_interior = stats->interior > t->most_interior ? stats->interior : t->most_interior;
    t->worst = fmax(t->worst, stats->violation);
}

static void report(const tally *t, int32_t n, const char *name)
{
    double trials = t->trials;
    printf(
        "chain %d, %-9s block %d pivot %d interior %d, failed %d; factorizations %.1f (most %d), "
        "sets %.1f, interior %.1f (most %d), passes per solve %.1f, violation %.1e\n",
        (int)n, name, t->by_method[TN_MLCP_BLOCK], t->by_method[TN_MLCP_PIVOT],
        t->by_method[TN_MLCP_INTERIOR], t->failures, t->factorizations / trials,
        t->most_factorizations, t->sets / trials, t->interior / trials, t->most_interior,
        (double)t->passes / t->solves, t->worst);
    fflush(stdout);
}

/* 2 % of g's size. */
static void change_a_little(mlcp_problem *p)
{
    for (int64_t i = 0; i < p->s->l->y_size; i++) {
        p->s->g[i] += isfinite(p->lo[i]) ? 0.02 * kkt_random(p->s) : 0.0;
    }
}

static void run_chains(int32_t n, int trials, double bend)
{
    tn_mlcp_options cold = tn_mlcp_default_options();
    tn_mlcp_options interior = cold;
    interior.max_sets = 0;
    tally a = {0}, b = {0}, w = {0};
    for (int trial = 1; trial <= trials; trial++) {
        mlcp_problem *p = chain(n, bend, (uint64_t)trial);
        kkt_system *s = p->s;
        double *u = calloc((size_t)s->l->u_size, sizeof *u);
        tn_mlcp_stats stats;
        tn_status first = solve(p, &interior, &stats);
        count(&b, &stats, first);
        memcpy(u, s->u, (size_t)s->l->u_size * sizeof *u);
        mlcp_cold_start(p);
        tn_status second = solve(p, &cold, &stats);
        count(&a, &stats, second);
        for (int64_t i = 0; i < s->l->u_size && first == TN_OK && second == TN_OK;
             i++) { /* unique */
            ck_assert_double_le(fabs(u[i] - s->u[i]), 1e-6);
        }
        change_a_little(p);
        count(&w, &stats, solve(p, &cold, &stats));
        free(u);
        mlcp_problem_free(p);
    }
    report(&a, n, "cold");
    report(&b, n, "interior");
    report(&w, n, "warm 2 %");
    ck_assert_int_le(w.factorizations, 3 * trials);
    ck_assert_int_le(a.most_factorizations, 60);
    ck_assert_int_le(b.most_factorizations, 60);
    ck_assert_int_eq(a.failures + b.failures + w.failures, 0);
}

START_TEST(test_chain_60)
{
    run_chains(60, 60, 1.0);
}
END_TEST

START_TEST(test_chain_200)
{
    run_chains(200, 6, 1.0);
}
END_TEST

/* A straight chain is the worst conditioned. */
START_TEST(test_straight)
{
    run_chains(60, 20, 0.0);
}
END_TEST

/* Nothing is allocated by a solve, whichever method ends it. */
START_TEST(test_allocations)
{
    test_allocator allocator = {.left = -1};
    tn_set_allocator(test_realloc, &allocator);
    mlcp_problem *p = chain(30, 1.0, 4);
    tn_mlcp_options options = tn_mlcp_default_options();
    for (options.max_sets = 0; options.max_sets <= 30; options.max_sets += 10) {
        int64_t before = allocator.calls;
        tn_mlcp_stats stats;
        mlcp_cold_start(p);
        ck_assert_int_eq(solve(p, &options, &stats), TN_OK);
        ck_assert_int_eq(allocator.calls, before);
    }
    tn_mlcp *m = NULL;
    int64_t alive = allocator.alive;
    for (int64_t left = 0; left < 5; left++) {
        allocator.left = left;
        ck_assert_int_eq(tn_mlcp_create(p->s->kkt, &m), TN_ERROR_MEMORY);
        ck_assert_ptr_null(m);
        ck_assert_int_eq(allocator.alive, alive);
    }
    allocator.left = -1;
    mlcp_problem_free(p);
    tn_set_allocator(NULL, NULL);
    ck_assert_int_eq(allocator.alive, 0);
}
END_TEST

START_TEST(test_bad_bounds)
{
    const double inf = (double)INFINITY;
    const double bad[][2] = {
        {1.0, 0.0}, {inf, inf}, {-inf, -inf}, {(double)NAN, 1.0}, {0.0, (double)NAN}};
    mlcp_problem *p = chain(4, 1.0, 1);
    tn_mlcp_options options = tn_mlcp_default_options();
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        tn_mlcp_stats stats;
        p->lo[5] = bad[k][0];
        p->hi[5] = bad[k][1];
        ck_assert_int_eq(solve(p, &options, &stats), TN_ERROR_ARGUMENT);
        ck_assert_int_eq(stats.worst_row, 5);
    }
    p->lo[5] = 0.0;
    p->hi[5] = inf;
    p->s->b[1] = (double)NAN;
    tn_mlcp_stats stats;
    ck_assert_int_eq(solve(p, &options, &stats), TN_ERROR_NOT_FINITE);
    p->s->b[1] = 0.0;
    p->s->g[5] = (double)NAN;
    ck_assert_int_eq(solve(p, &options, &stats), TN_ERROR_NOT_FINITE);
    p->s->g[5] = 0.0;
    p->s->values->h[p->s->l->h_offset[2]] = -1.0;
    ck_assert_int_eq(solve(p, &options, &stats), TN_ERROR_SINGULAR);
    ck_assert_int_eq(stats.node, 2);
    ck_assert(p->s->values->r[5] == 0.0);
    mlcp_problem_free(p);
}
END_TEST

/* Out of iterations: the best candidate, with its own violation, and no TN_OK. */
START_TEST(test_out_of_iterations)
{
    mlcp_problem *p = chain(200, 1.0, 2);
    kkt_system *s = p->s;
    tn_mlcp_options options = tn_mlcp_default_options();
    options.max_sets = 2;
    options.max_interior = 1;
    tn_mlcp_stats stats;
    ck_assert_int_eq(solve(p, &options, &stats), TN_ERROR_NOT_CONVERGED);
    ck_assert_int_eq(stats.method, TN_MLCP_NONE);
    ck_assert_double_gt(stats.violation, options.tolerance);
    ck_assert(!stats.conflict);
    tn_mlcp_residual residual;
    tn_mlcp_check(p->mlcp, s->values, s->b, s->g, p->lo, p->hi, s->u, s->lambda, &residual);
    ck_assert_double_eq(residual.violation, stats.violation);
    ck_assert_int_eq(residual.worst_row, stats.worst_row);
    mlcp_problem_free(p);
}
END_TEST

/* One rod on a hinge: two limits that leave no rate between them; the row named is one of theirs.
 */
START_TEST(test_contradiction)
{
    kkt_system *s = kkt_system_new(1);
    kkt_add_body(s, 3);
    kkt_add_pair(s, 4, 0, -1);
    kkt_build(s);
    const double h[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1.0 / 12.0};
    const double g[12] = {1, 0, 0, 0, 1, -0.5, 0, 0, 1, 0, 0, -1};
    memcpy(s->values->h, h, sizeof h);
    memcpy(s->values->g, g, sizeof g);
    kkt_scale_rows(s, 1e-8);
    mlcp_problem *p = mlcp_problem_of(s);
    p->lo[2] = p->lo[3] = 0.0;
    tn_mlcp_options options = tn_mlcp_default_options();
    tn_mlcp_stats stats;
    for (int trial = 0; trial < 4; trial++) {
        options.max_sets = trial % 2 == 0 ? 10 : 0;
        bool possible = trial >= 2;
        s->g[2] = 1.0;
        s->g[3] = possible ? -1.0 : -0.5; /* rate >= 1 and rate <= 1 or 0.5 */
        mlcp_cold_start(p);
        tn_status status = solve(p, &options, &stats);
        ck_assert_int_eq(status, possible ? TN_OK : TN_ERROR_NOT_CONVERGED);
        ck_assert_int_eq(stats.conflict, !possible);
        if (possible) { /* moment of inertia about the hinge: 1/12 + 1/4 */
            ck_assert_double_eq_tol(s->u[2], 1.0, 1e-9);
            ck_assert_double_eq_tol(s->lambda[2] - s->lambda[3], 1.0 / 3.0, 1e-8);
        } else {
            ck_assert(stats.worst_row == 2 || stats.worst_row == 3);
            ck_assert_double_gt(stats.violation, 1e-2);
        }
    }
    mlcp_problem_free(p);
}
END_TEST

/* More solves on the final set: held rows keep lambda = 0, free ones take the new g. */
START_TEST(test_hold)
{
    mlcp_problem *p = chain(20, 1.0, 1);
    kkt_system *s = p->s;
    tn_mlcp_options options = tn_mlcp_default_options();
    tn_mlcp_stats stats;
    ck_assert_int_eq(solve(p, &options, &stats), TN_OK);
    double *g = calloc((size_t)s->l->y_size, sizeof *g);
    double *w = calloc((size_t)s->l->y_size, sizeof *w);
    int32_t free_rows = 0;
    for (int64_t i = 0; i < s->l->y_size; i++) {
        g[i] = p->state[i] == TN_MLCP_FREE ? kkt_random(s) : 0.0;
        s->lambda[i] = 0.0;
    }
    memset(s->u, 0, (size_t)s->l->u_size * sizeof *g);
    tn_mlcp_hold(p->mlcp, s->values, p->state);
    tn_kkt_refine_stats refine;
    ck_assert_int_eq(tn_kkt_solve_refined(s->kkt, s->values, s->factor, s->b, g, s->u, s->lambda,
                                          &options.refine, &refine),
                     TN_OK);
    tn_mlcp_release(p->mlcp, s->values, p->state);
    tn_kkt_apply_g(s->kkt, s->values, s->u, w);
    for (int64_t i = 0; i < s->l->y_size; i++) {
        ck_assert(s->values->r[i] == 0.0);
        if (p->state[i] == TN_MLCP_FREE) {
            free_rows++;
            ck_assert_double_eq_tol(w[i], g[i], 1e-9);
        } else {
            ck_assert_double_le(fabs(s->lambda[i]), 1e-20);
        }
    }
    ck_assert_int_gt(free_rows, 40);
    ck_assert_int_lt(free_rows, 60);
    free(g);
    free(w);
    mlcp_problem_free(p);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("mlcp_chain");
    TCase *chains = tcase_create("chains");
    tcase_add_test(chains, test_chain_60);
    tcase_add_test(chains, test_chain_200);
    tcase_add_test(chains, test_straight);
    suite_add_tcase(suite, chains);
    TCase *contract = tcase_create("contract");
    tcase_add_test(contract, test_allocations);
    tcase_add_test(contract, test_bad_bounds);
    tcase_add_test(contract, test_out_of_iterations);
    tcase_add_test(contract, test_contradiction);
    tcase_add_test(contract, test_hold);
    suite_add_tcase(suite, contract);
    return suite;
}
