/* test_threads.c: simulations of one model in four threads at a time: each gives the bits it gives alone.
 * `make races` runs this and test_batch under ThreadSanitizer.
 */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "support/mechanism.h"
#include "support/run_main.h"
#include "support/sample_mechanisms.h"

enum { THREADS = 4, STEPS = 60 };

typedef struct job {
    const tn_model *model;
    int number;
    unsigned char *end; /* the state at the end */
    size_t size;
    tn_status status;
} job;

static tn_status count(void *context, const tn_primitive *primitive)
{
    (void)primitive;
    ++*(int *)context;
    return TN_OK;
}

/* Steps of a method of its own, with all that may be asked meanwhile. */
static tn_status work(job *j, tn_sim *sim)
{
    tn_status status = TN_OK;
    int drawn = 0;
    const tn_draw_options draw = tn_default_draw_options();
    for (int k = 0; k < STEPS && status == TN_OK; k++) {
        tn_sim_apply_effort(sim, (tn_joint){0}, 0, 0.1 * (j->number + 1));
        status = tn_sim_step(sim, 2e-3, NULL);
        (void)tn_sim_energy(sim);
        (void)tn_sim_residuals(sim);
        if (k % 20 == 0) {
            tn_analysis analysis;
            if (tn_sim_analyze(sim, NULL, &analysis) == TN_OK)
                tn_analysis_free(&analysis);
            (void)tn_sim_draw(sim, &draw, count, &drawn);
        }
    }
    return status;
}

static void *run(void *argument)
{
    job *j = argument;
    tn_sim *sim = NULL;
    tn_sim_options options = tn_default_sim_options(j->model);
    options.integrator = j->number % 2 ? TN_BACKWARD_EULER : TN_GENERALIZED_ALPHA;
    j->status = tn_sim_create(j->model, &options, NULL, &sim);
    if (j->status == TN_OK)
        j->status = work(j, sim);
    if (j->status == TN_OK) {
        j->size = tn_sim_state_size(sim);
        j->end = malloc(j->size);
        if (j->end)
            tn_sim_save(sim, j->end);
    }
    tn_sim_destroy(sim);
    return NULL;
}

START_TEST(simulations_of_one_model_in_four_threads)
{
    mechanism m = _i == 0 ? mechanism_read_file("models/governor.yaml")
                          : mechanism_read_file("models/everything.yaml");
    ck_assert_int_eq(tn_model_compile(m.spec, NULL, &m.model), TN_OK);
    job alone[THREADS], together[THREADS];
    pthread_t thread[THREADS];
    for (int k = 0; k < THREADS; k++) {
        alone[k] = together[k] = (job){.model = m.model, .number = k};
        run(&alone[k]);
    }
    for (int k = 0; k < THREADS; k++)
        ck_assert_int_eq(pthread_create(&thread[k], NULL, run, &together[k]), 0);
    for (int k = 0; k < THREADS; k++)
        ck_assert_int_eq(pthread_join(thread[k], NULL), 0);
    for (int k = 0; k < THREADS; k++) {
        ck_assert_int_eq(together[k].status, alone[k].status);
        ck_assert_uint_eq(together[k].size, alone[k].size);
        ck_assert(alone[k].size == 0 || memcmp(together[k].end, alone[k].end, alone[k].size) == 0);
        free(alone[k].end);
        free(together[k].end);
    }
    ck_assert_int_eq(alone[0].status, TN_OK);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("threads");
    TCase *tests = tcase_create("threads");
    tcase_add_loop_test(tests, simulations_of_one_model_in_four_threads, 0, 2);
    tcase_set_timeout(tests, 300.0);
    suite_add_tcase(suite, tests);
    return suite;
}
