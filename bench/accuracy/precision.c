/* precision.c: bench/accuracy: error and time of engines that are asked for an accuracy, of the same
 * mechanisms, against the same references, in turns.
 *
 * Prints lines MECHANISM ENGINE ASKED ERROR SECONDS: the largest deviation at some times of the run
 * from the reference data, of lengths and angles to the larger of 1 and what they come to; and the
 * processor's time from the first look to the last, the least of some runs.
 */
#include "precision.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define COARSEST 1e-1
#define FINEST   1e-10

/* Runs of each: at least so many, and for so many seconds. */
#define LEAST_RUNS  3
#define LEAST_TIME  0.2
#define LONGEST_RUN 20.0 /* s: one that takes longer is taken once */

typedef struct outcome {
    double error, seconds;
} outcome;

typedef struct tenon_run {
    mechanism m;
    const trajectory *t;
} tenon_run;

static void *create(const accuracy_case *c, const mechanism *like, double accuracy)
{
    (void)like;
    tenon_run *run = malloc(sizeof *run);
    run->t = &c->t;
    run->m = run->t->build();
    tn_sim_options options = mechanism_compile(&run->m, 0);
    options.integrator = TN_ACCURATE_INTEGRATOR;
    options.accuracy = accuracy;
    mechanism_start_with(&run->m, &options);
    return run;
}

static int go(void *run, double time)
{
    return tn_sim_advance(((tenon_run *)run)->m.sim, time, NULL) == TN_OK;
}

static void see(void *run, double *seen)
{
    ((tenon_run *)run)->t->observe(&((tenon_run *)run)->m, seen);
}

static void destroy(void *run)
{
    mechanism_free(&((tenon_run *)run)->m);
    free(run);
}

const engine engine_tenon = {"Tenon", create, go, see, destroy};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double largest_of(const csv_table *table, const char *column)
{
    double largest = 1.0;
    for (int row = 0; row < table->row_count; row++)
        largest = fmax(largest, fabs(csv_table_at(table, row, column)));
    return largest;
}

static double deviation(const trajectory *t, const csv_table *table, int row, const double *seen)
{
    double worst = 0.0;
    for (int k = 0; t->columns[k]; k++) {
        const double off = fabs(seen[k] - csv_table_at(table, row, t->columns[k]));
        worst = fmax(worst, off / largest_of(table, t->columns[k]));
    }
    return worst;
}

static outcome run_once(const engine *e, const accuracy_case *c, const csv_table *table,
                        const mechanism *m, double accuracy)
{
    double seen[CASE_LOOKS + 1][MAX_SEEN];
    int rows[CASE_LOOKS + 1], looks = 0;
    outcome out = {0.0, 0.0};
    void *run = e->create(c, m, accuracy);
    if (!run)
        return (outcome){INFINITY, INFINITY};
    const int stride = (table->row_count - 1) / CASE_LOOKS;
    for (int row = stride; row < table->row_count && looks < CASE_LOOKS; row += stride) {
        const double time = csv_table_at(table, row, "t"), begin = now();
        if (time > 1.000001 * c->t.duration)
            break;
        if (!e->go(run, time)) {
            out.error = INFINITY;
            break;
        }
        out.seconds += now() - begin;
        rows[looks] = row;
        e->see(run, seen[looks++]);
    }
    for (int k = 0; k < looks; k++)
        out.error = fmax(out.error, deviation(&c->t, table, rows[k], seen[k]));
    e->destroy(run);
    return out;
}

/* The engines in turns: what else the machine does falls on both. */
static void compare(const engine *const *engines, int count, const accuracy_case *c,
                    double accuracy)
{
    csv_table table = csv_table_read(c->t.file);
    mechanism m = c->t.build();
    mechanism_start(&m, 0);
    outcome best[4] = {{0.0, 0.0}};
    double spent = 0.0;
    for (int k = 0; k < LEAST_RUNS || spent < LEAST_TIME; k++) {
        for (int e = 0; e < count; e++) {
            if (k > 0 && best[e].seconds > LONGEST_RUN)
                continue;
            const outcome o = run_once(engines[e], c, &table, &m, accuracy);
            best[e] = k == 0 || o.seconds < best[e].seconds ? o : best[e];
            spent += o.seconds;
        }
    }
    for (int e = 0; e < count; e++)
        printf("%s\t%s\t%.0e\t%.3e\t%.3e\n", c->title, engines[e]->name, accuracy, best[e].error,
               best[e].seconds);
    fflush(stdout);
    mechanism_free(&m);
    csv_table_free(&table);
}

/* In a test of Check's, whose assertions the mechanisms are made with. */
START_TEST(all)
{
    static const engine *const engines[] = {
        &engine_tenon,
#ifdef BENCH_SIMBODY
        &engine_simbody,
#endif
    };
    const int count = (int)(sizeof engines / sizeof engines[0]);
    for (int k = 0; k < CASES; k++) {
        const accuracy_case c = accuracy_case_of(k);
        for (double accuracy = COARSEST; accuracy > 0.5 * FINEST; accuracy *= 0.1)
            compare(engines, count, &c, accuracy);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("work and precision");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 0.0);
    tcase_add_test(tcase, all);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_SILENT);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
