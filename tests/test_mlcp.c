/* test_mlcp.c: rows with bounds against enumeration of all active sets, on random KKT systems. */
#include "mlcp_problem.h"
#include "mlcp_respond.h"
#include "run_main.h"
#include "sparse/factor/factor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROBLEMS 400 /* of each kind */

static tn_status solve(mlcp_problem *p, const tn_mlcp_options *options, tn_mlcp_stats *stats)
{
    kkt_system *s = p->s;
    return tn_mlcp_solve(p->mlcp, s->values, s->factor, s->b, s->g, p->lo, p->hi, p->state, s->u,
                         s->lambda, options, stats);
}

static double difference(const double *a, const double *b, int64_t n)
{
    double size = 1.0;
    double error = 0.0;
    for (int64_t i = 0; i < n; i++) {
        size = fmax(size, fabs(b[i]));
        error = fmax(error, fabs(a[i] - b[i]));
    }
    return error / size;
}

/* What TN_OK promises, in dense algebra; and the final state describes the solution. */
static void check_solution(mlcp_problem *p, const tn_mlcp_stats *stats, const double *expected)
{
    kkt_system *s = p->s;
    double size = 1.0;
    for (int64_t i = 0; i < s->l->y_size; i++) {
        size = fmax(size, fabs(s->lambda[i]));
    }
    ck_assert_double_le(stats->violation, 2e-10);
    ck_assert_double_lt(mlcp_dense_violation(p, s->u, s->lambda), 1e-8 * size);
    ck_assert_double_lt(difference(s->u, expected, s->l->u_size), 1e-6);
    for (int32_t b = 0; b < p->n_bounded; b++) {
        int64_t i = p->bounded[b];
        ck_assert(s->lambda[i] >= p->lo[i] && s->lambda[i] <= p->hi[i]);
        ck_assert(p->state[i] != TN_MLCP_LO || s->lambda[i] == p->lo[i]);
        ck_assert(p->state[i] != TN_MLCP_HI || s->lambda[i] == p->hi[i]);
    }
    tn_mlcp_residual residual;
    tn_mlcp_check(p->mlcp, s->values, s->b, s->g, p->lo, p->hi, s->u, s->lambda, &residual);
    ck_assert_double_eq(residual.violation, stats->violation);
}

typedef struct tally {
    int solved, refused, conflicts;
    int most_sets, most_interior;
    int by_method[TN_MLCP_INTERIOR + 1];
} tally;

static void count(tally *t, const tn_mlcp_stats *stats, bool solved)
{
    t->solved += solved;
    t->refused += !solved;
    t->conflicts += stats->conflict;
    t->by_method[stats->method]++;
    t->most_sets = stats->sets > t->most_sets ? stats->sets : t->most_sets;
    t->most_interior = stats->interior > t->most_interior ? stats->interior : t->most_interior;
}

static void check_problem(mlcp_kind kind, uint64_t seed, const tn_mlcp_options *options, tally *t)
{
    mlcp_problem *p = mlcp_problem_random(kind, seed);
    kkt_system *s = p->s;
    double *expected = calloc((size_t)s->l->u_size + 1, sizeof *expected);
    double *r = calloc((size_t)s->l->y_size + 1, sizeof *r);
    memcpy(r, s->values->r, (size_t)s->l->y_size * sizeof *r);
    if (seed % 2 == 0) {
        mlcp_random_start(p);
    }
    bool solvable = mlcp_enumerate(p, expected);
    tn_mlcp_stats stats;
    tn_status status = solve(p, options, &stats);
    if (status != (solvable ? TN_OK : TN_ERROR_NOT_CONVERGED)) {
        printf("kind %d seed %d: %s, violation %g, sets %d, interior %d\n", (int)kind, (int)seed,
               tn_status_text(status), stats.violation, (int)stats.sets, (int)stats.interior);
    }
    ck_assert_int_eq(status, solvable ? TN_OK : TN_ERROR_NOT_CONVERGED);
    ck_assert_mem_eq(r, s->values->r, (size_t)s->l->y_size * sizeof *r);
    count(t, &stats, solvable);
    if (solvable) {
        check_solution(p, &stats, expected);
        ck_assert(!stats.conflict);
    } else {
        ck_assert(stats.conflict);
        ck_assert_double_gt(stats.violation, 1e-9);
        ck_assert(stats.worst_row >= 0 && stats.worst_row < s->l->y_size);
    }
    free(expected);
    free(r);
    mlcp_problem_free(p);
}

static void check_kind(mlcp_kind kind, const tn_mlcp_options *options, const char *name)
{
    static const char *const kinds[] = {"regular",   "compliant", "degenerate",
                                        "redundant", "zero rows", "random g"};
    tally t = {0};
    for (uint64_t seed = 1; seed <= PROBLEMS; seed++) {
        check_problem(kind, seed, options, &t);
    }
    printf("%s, %s: %d solved (block %d, pivot %d, interior %d), %d refused, %d proved; "
           "most sets %d, interior %d\n",
           kinds[kind], name, t.solved, t.by_method[TN_MLCP_BLOCK], t.by_method[TN_MLCP_PIVOT],
           t.by_method[TN_MLCP_INTERIOR], t.refused, t.conflicts, t.most_sets, t.most_interior);
}

START_TEST(test_enumeration)
{
    tn_mlcp_options options = tn_mlcp_default_options();
    check_kind((mlcp_kind)_i, &options, "default");
}
END_TEST

START_TEST(test_single_pivots)
{
    tn_mlcp_options options = tn_mlcp_default_options();
    options.patience = 0;
    check_kind((mlcp_kind)_i, &options, "pivots");
}
END_TEST

START_TEST(test_interior)
{
    tn_mlcp_options options = tn_mlcp_default_options();
    options.max_sets = 0;
    check_kind((mlcp_kind)_i, &options, "interior");
}
END_TEST

/* The solution with all rows bilateral; false: they repeat each other. */
static bool hold_all(mlcp_problem *p)
{
    const tn_mlcp_options options = tn_mlcp_default_options();
    kkt_system *s = p->s;
    tn_kkt_refine_stats stats;
    int32_t node;
    memset(s->values->e, 0, (size_t)s->l->y_size * sizeof *s->values->e);
    memset(s->u, 0, (size_t)s->l->u_size * sizeof *s->u);
    memset(s->lambda, 0, (size_t)s->l->y_size * sizeof *s->lambda);
    return tn_kkt_factorize(s->kkt, s->values, s->factor, &node) == TN_OK &&
           tn_kkt_smallest_pivot(s->factor, NULL) > 1e-12 &&
           tn_kkt_solve_refined(s->kkt, s->values, s->factor, s->b, s->g, s->u, s->lambda,
                                &options.refine, &stats) == TN_OK &&
           !stats.stagnated;
}

/* From there, beginning with the rows of the state at their bounds. off: of a solution that is none. */
static bool let_go(mlcp_problem *p, double off)
{
    kkt_system *s = p->s;
    int32_t solves = 0;
    ck_assert(hold_all(p));
    for (int64_t k = 0; k < s->l->u_size; k++) {
        s->u[k] += off;
    }
    return tn_mlcp_respond(p->mlcp, s->values, s->factor, s->b, s->g, p->lo, p->hi, p->state, 1e-11,
                           1e-10, s->u, s->lambda, &solves);
}

/* It is the solution, and the state says which rows are where. */
static void check_answer(const mlcp_problem *p, const double *expected)
{
    const kkt_system *s = p->s;
    double size = 1.0;
    for (int64_t i = 0; i < s->l->y_size; i++) {
        size = fmax(size, fabs(s->lambda[i]));
    }
    ck_assert_double_lt(mlcp_dense_violation(p, s->u, s->lambda), 1e-8 * size);
    ck_assert_double_lt(difference(s->u, expected, s->l->u_size), 1e-6);
    for (int32_t b = 0; b < p->n_bounded; b++) {
        const int64_t i = p->bounded[b];
        ck_assert(s->lambda[i] >= p->lo[i] && s->lambda[i] <= p->hi[i]);
        ck_assert(p->state[i] != TN_MLCP_LO || s->lambda[i] == p->lo[i]);
        ck_assert(p->state[i] != TN_MLCP_HI || s->lambda[i] == p->hi[i]);
    }
}

/* The other rows' answers to those that are let go lead to the solution, from wherever, and never to what is none. */
START_TEST(test_answers)
{
    const tn_mlcp_options options = tn_mlcp_default_options();
    int asked = 0, answered = 0, cold = 0;
    for (uint64_t seed = 1; seed <= PROBLEMS; seed++) {
        mlcp_problem *p = mlcp_problem_random((mlcp_kind)_i, seed);
        kkt_system *s = p->s;
        tn_mlcp_stats stats;
        double *expected = calloc((size_t)s->l->u_size + 1, sizeof *expected);
        ck_assert(mlcp_enumerate(p, expected));
        ck_assert_int_eq(solve(p, &options, &stats), TN_OK);
        const bool regular = hold_all(p);
        if (regular) {
            ck_assert(let_go(p, 0.0)); /* the set it is */
            check_answer(p, expected);
            ck_assert(!let_go(p, 0.1));
        }
        for (int start = 0; start < 4 && regular; start++) {
            memset(p->state, 0, (size_t)s->l->y_size);
            if (start > 0) {
                mlcp_random_start(p);
            }
            const bool found = let_go(p, 0.0);
            asked++;
            answered += found;
            cold += found && start == 0;
            if (found) {
                check_answer(p, expected);
            }
        }
        free(expected);
        mlcp_problem_free(p);
    }
    printf("answers: %d of %d, %d of them with all rows held at first\n", answered, asked, cold);
    ck_assert_int_gt(asked, 3 * PROBLEMS);
    ck_assert_int_gt(answered, asked - asked / 4);
    ck_assert_int_gt(cold, asked / 5);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("mlcp");
    TCase *random = tcase_create("against enumeration");
    tcase_add_loop_test(random, test_enumeration, 0, MLCP_KINDS);
    tcase_add_loop_test(random, test_answers, MLCP_REGULAR, MLCP_COMPLIANT + 1);
    tcase_add_loop_test(random, test_single_pivots, 0, MLCP_KINDS);
    tcase_add_loop_test(random, test_interior, 0, MLCP_KINDS);
    suite_add_tcase(suite, random);
    return suite;
}
