/* test_mlcp_chain.c: the ill-conditioned problem: a planar chain with a limit in every hinge.
 *
 * A after elimination of the hinges is the inverse of the joint-space inertia of the chain, whose
 * condition grows like n^4. Random right-hand side, cold and warm starts; also contradictions,
 * prescribed multipliers, failing allocation.
 */
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
    ck_assert_int_eq(tn_kkt_scale_rows(s->kkt, s->values, 1e-8, NULL), TN_OK);
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
        for (int64_t i = 0; i < s->l->u_size && first == TN_OK && second == TN_OK; i++) {
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

Suite *make_suite(void)
{
    Suite *suite = suite_create("mlcp_chain");
    TCase *chains = tcase_create("chains");
    tcase_add_test(chains, test_chain_60);
    tcase_add_test(chains, test_chain_200);
    tcase_add_test(chains, test_straight);
    suite_add_tcase(suite, chains);
    return suite;
}
