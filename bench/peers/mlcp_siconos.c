/* mlcp_siconos.c: rows with bounds: Tenon's solver beside Siconos' enumeration (mlcp_enum, Acary et
 * al., Apache-2.0) on the random problems of the tests, degenerate and redundant ones among them.
 *
 * The problem of solve/mlcp/mlcp.h, z = (u, lambda of rows without bounds, v of rows with one),
 *     0 = H u - G^T lambda - b,   0 = G u + R lambda - g (free rows),
 *     0 <= w  _|_  v >= 0:        lambda = lo + v, w = G u + R lambda - g         (lo finite)
 *                                 lambda = hi - v, w = -(G u + R lambda - g)      (only hi finite)
 *     and for boxes a second pair,  w + v', (hi - lo) - v  _|_  v',
 * as dense matrix. lambda need not be unique, u is: compared are u, and whether there is a
 * solution.
 *
 *     mlcp_siconos [problems of each kind, default 500]
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <siconos/numerics/MLCP_Solvers.h>
#include <siconos/numerics/MixedLinearComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/mlcp_cst.h>

#include "mlcp_problem.h"

#define MOST_PAIRS 16   /* 2^16 sets */
#define SAME       1e-7 /* of the largest velocity */
#define VIOLATED   1e-8 /* absolute, of what counts as a solution */

static const char *const kinds[] = {"regular",   "compliant", "degenerate",
                                    "redundant", "zero rows", "random g"};

/* Where a row is in z. */
typedef struct place {
    int32_t at;      /* of lambda, or of v */
    int32_t cap;     /* of v' of a box; -1: none */
    double sign, lo; /* lambda = lo + sign v */
} place;

typedef struct dense {
    int32_t n, rows; /* velocities, active rows */
    int32_t equations, pairs;
    double *H, *G; /* column-major */
    int64_t *slot; /* of the rows */
    place *of;     /* the rows */
} dense;

static int is_bounded(const mlcp_problem *p, int64_t slot)
{
    return isfinite(p->lo[slot]) || isfinite(p->hi[slot]);
}

static dense make_dense(const mlcp_problem *p)
{
    dense d = {.n = (int32_t)p->s->l->u_size};
    d.rows = kkt_dense_size(p->s) - d.n;
    d.H = calloc((size_t)(d.n * d.n) + 1, sizeof *d.H);
    d.G = calloc((size_t)(d.rows * d.n) + 1, sizeof *d.G);
    d.slot = calloc((size_t)d.rows + 1, sizeof *d.slot);
    d.of = calloc((size_t)d.rows + 1, sizeof *d.of);
    kkt_active_rows(p->s, d.slot);
    kkt_dense_h(p->s, d.H);
    kkt_dense_g(p->s, d.G);
    d.equations = d.n;
    for (int32_t r = 0; r < d.rows; r++)
        if (!is_bounded(p, d.slot[r]))
            d.of[r] = (place){d.equations++, -1, 1.0, 0.0};
    int32_t next = d.equations;
    for (int32_t r = 0; r < d.rows; r++) {
        const double lo = p->lo[d.slot[r]], hi = p->hi[d.slot[r]];
        if (!is_bounded(p, d.slot[r]))
            continue;
        d.of[r] = isfinite(lo) ? (place){next, -1, 1.0, lo} : (place){next, -1, -1.0, hi};
        next++;
        if (isfinite(lo) && isfinite(hi))
            d.of[r].cap = next++;
    }
    d.pairs = next - d.equations;
    return d;
}

static void free_dense(dense *d)
{
    free(d->H);
    free(d->G);
    free(d->slot);
    free(d->of);
}

/* M z + q. */
static void fill(const mlcp_problem *p, const dense *d, double *M, double *q)
{
    const int32_t size = d->equations + d->pairs;
    for (int32_t i = 0; i < d->n; i++) {
        q[i] = -p->s->b[i];
        for (int32_t k = 0; k < d->n; k++)
            M[(int64_t)k * size + i] = d->H[(int64_t)k * d->n + i];
    }
    for (int32_t r = 0; r < d->rows; r++) {
        const place *at = &d->of[r];
        const double R = p->s->values->r[d->slot[r]];
        for (int32_t i = 0; i < d->n; i++) {
            const double g = d->G[(int64_t)i * d->rows + r];
            M[(int64_t)at->at * size + i] -= g * at->sign;
            q[i] -= g * at->lo;
            M[(int64_t)i * size + at->at] += g * at->sign;
        }
        M[(int64_t)at->at * size + at->at] += R;
        q[at->at] += at->sign * (R * at->lo - p->s->g[d->slot[r]]);
        if (at->cap < 0)
            continue;
        M[(int64_t)at->cap * size + at->at] = 1.0;
        M[(int64_t)at->at * size + at->cap] = -1.0;
        q[at->cap] = p->hi[d->slot[r]] - p->lo[d->slot[r]];
    }
}

/* Siconos' answer; 0: it has none. */
static int by_siconos(const mlcp_problem *p, const dense *d, int use_dgels, double *u,
                      double *lambda)
{
    const int32_t size = d->equations + d->pairs;
    MixedLinearComplementarityProblem *problem = mixedLinearComplementarity_new();
    problem->isStorageType1 = 1;
    problem->n = d->equations;
    problem->m = d->pairs;
    problem->blocksRows = malloc(3 * sizeof(int));
    problem->blocksIsComp = malloc(2 * sizeof(int));
    problem->blocksRows[0] = 0;
    problem->blocksRows[1] = d->equations;
    problem->blocksRows[2] = size;
    problem->blocksIsComp[0] = 0;
    problem->blocksIsComp[1] = 1;
    problem->M = NM_create(NM_DENSE, size, size);
    problem->q = calloc((size_t)size, sizeof(double));
    memset(problem->M->matrix0, 0, sizeof(double) * (size_t)(size * size));
    fill(p, d, problem->M->matrix0, problem->q);
    double *z = calloc(2 * (size_t)size, sizeof *z), *w = z + size;
    SolverOptions *options = solver_options_create(SICONOS_MLCP_ENUM);
    options->iparam[SICONOS_IPARAM_MLCP_ENUM_USE_DGELS] = use_dgels;
    options->dparam[SICONOS_DPARAM_TOL] = 1e-9;
    mlcp_driver_init(problem, options);
    const int info = mlcp_driver(problem, z, w, options);
    mlcp_driver_reset(problem, options);
    memcpy(u, z, sizeof(double) * (size_t)d->n);
    for (int32_t r = 0; r < d->rows; r++)
        lambda[d->slot[r]] = d->of[r].lo + d->of[r].sign * z[d->of[r].at];
    solver_options_delete(options);
    mixedLinearComplementarity_free(problem);
    free(z);
    return info == 0;
}

typedef struct tally {
    int solved, both_refuse, only_tenon, only_siconos, differ, too_large;
    double worst; /* u, relative */
} tally;

static double largest(const double *v, int64_t n)
{
    double most = 0.0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fabs(v[i]));
    return most;
}

static void compare(mlcp_kind kind, uint64_t seed, tally *t)
{
    mlcp_problem *p = mlcp_problem_random(kind, seed);
    const kkt_system *s = p->s;
    dense d = make_dense(p);
    double *u = calloc((size_t)s->l->u_size + 1, sizeof *u);
    double *lambda = calloc((size_t)s->l->y_size + 1, sizeof *lambda);
    if (d.pairs > MOST_PAIRS) {
        t->too_large++;
    } else {
        const tn_mlcp_options options = tn_mlcp_default_options();
        tn_mlcp_stats stats;
        const tn_status status = tn_mlcp_solve(p->mlcp, s->values, s->factor, s->b, s->g, p->lo,
                                               p->hi, p->state, s->u, s->lambda, &options, &stats);
        int found = by_siconos(p, &d, 0, u, lambda);
        if (!found || mlcp_dense_violation(p, u, lambda) > VIOLATED)
            found =
                by_siconos(p, &d, 1, u, lambda) && mlcp_dense_violation(p, u, lambda) <= VIOLATED;
        t->only_tenon += status == TN_OK && !found;
        t->only_siconos += status != TN_OK && found;
        t->both_refuse += status != TN_OK && !found;
        if (status == TN_OK && found) {
            const double size = fmax(largest(u, s->l->u_size), 1e-3);
            for (int64_t i = 0; i < s->l->u_size; i++)
                u[i] -= s->u[i];
            const double off = largest(u, s->l->u_size) / size;
            t->worst = fmax(t->worst, off);
            t->differ += off > SAME;
            t->solved++;
        }
    }
    free(u);
    free(lambda);
    free_dense(&d);
    mlcp_problem_free(p);
}

static int problems = 500;

/* The problems' maker asserts what it makes, so it runs in a test. */
START_TEST(all_kinds)
{
    for (int kind = 0; kind < MLCP_KINDS; kind++) {
        tally t = {0};
        for (int seed = 1; seed <= problems; seed++)
            compare((mlcp_kind)kind, (uint64_t)seed, &t);
        printf(
            "%-10s  both solve %d, u off by %.1e at most, %d by more than %g; both refuse %d; only "
            "Tenon %d, only Siconos %d; %d left out\n",
            kinds[kind], t.solved, t.worst, t.differ, SAME, t.both_refuse, t.only_tenon,
            t.only_siconos, t.too_large);
        fflush(stdout);
    }
}
END_TEST

int main(int argc, char **argv)
{
    problems = argc > 1 ? atoi(argv[1]) : problems;
    Suite *suite = suite_create("mlcp_siconos");
    TCase *tc = tcase_create("mlcp_siconos");
    tcase_add_test(tc, all_kinds);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_MINIMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
