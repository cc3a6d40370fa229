/* test_threads.c: simulations of one model in four threads at a time: each gives the bits it gives alone; and passes
 * of several stages by any number of threads.
 * `make races` runs this and test_batch under ThreadSanitizer.
 */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "crew/crew.h"
#include "support/alpha_sims.h"
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

/* ---- stages ---- */

enum { MOST_ITEMS = 20000 };

/* What three stages make of numbers: each on its own, a recursion that rounds at each item, each on its own. */
typedef struct chain_of_numbers {
    double first[MOST_ITEMS], sum[MOST_ITEMS], last[MOST_ITEMS];
    double so_far;
    int32_t times[MOST_ITEMS];
} chain_of_numbers;

static void put_first(void *context, int32_t thread, int32_t first, int32_t count)
{
    chain_of_numbers *numbers = context;
    (void)thread;
    for (int32_t i = first; i < first + count; i++) {
        numbers->first[i] = 1.0 / (1 + i);
        numbers->times[i]++;
    }
}

static void put_sums(void *context, int32_t thread, int32_t first, int32_t count)
{
    chain_of_numbers *numbers = context;
    (void)thread;
    for (int32_t i = first; i < first + count; i++)
        numbers->sum[i] = numbers->so_far = 0.99 * numbers->so_far + numbers->first[i];
}

static void put_last(void *context, int32_t thread, int32_t first, int32_t count)
{
    chain_of_numbers *numbers = context;
    (void)thread;
    for (int32_t i = first; i < first + count; i++)
        numbers->last[i] = numbers->sum[i] * numbers->sum[i];
}

static void go_through(tn_crew *crew, int32_t count, int32_t run, bool backward,
                       chain_of_numbers *numbers)
{
    memset(numbers, 0, sizeof *numbers);
    const tn_crew_pass pass = {
        .count = count,
        .run = run,
        .backward = backward,
        .stage_count = 3,
        .stages = {{put_first, false}, {put_sums, true}, {put_last, false}},
        .context = numbers,
    };
    tn_crew_do(crew, &pass);
}

/* More runs than are ever under way, fewer, one, none; more threads than runs. */
START_TEST(passes_of_stages_have_the_bits_of_one_thread)
{
    static const int32_t counts[] = {0, 1, 63, 64, 1000, 8191, MOST_ITEMS};
    chain_of_numbers *alone = malloc(sizeof *alone), *together = malloc(sizeof *together);
    ck_assert(alone && together);
    tn_crew *crew = tn_crew_create(_i + 2);
    ck_assert_int_eq(tn_crew_size(crew), _i + 2);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        for (int way = 0; way < 6; way++) {
            const int32_t run = way < 2 ? 8 : way < 4 ? 100 : 4096;
            go_through(NULL, counts[k], run, way % 2, alone);
            go_through(crew, counts[k], run, way % 2, together);
            ck_assert(memcmp(alone, together, sizeof *alone) == 0);
            for (int32_t i = 0; i < counts[k]; i++)
                ck_assert_int_eq(together->times[i], 1);
        }
    }
    ck_assert_double_gt(alone->last[MOST_ITEMS - 1], 0.0);
    tn_crew_destroy(crew);
    free(alone);
    free(together);
}
END_TEST

/* ---- threads within a step ---- */

enum { LIMBS = 4400, SHARED_STEPS = 30 };

/* A row of links on hinges across each other, or a tree of them. */
static tn_model *make_hinges(bool branches)
{
    tn_spec *spec = tn_spec_create();
    for (int32_t k = 0; k < LIMBS; k++) {
        tn_body_def body = tn_default_body_def();
        tn_joint_def joint = tn_default_joint_def();
        const int32_t inner = !branches || k == 0 ? k - 1 : (k - 1) / 2;
        const double at = inner < 0 ? 0.0 : tn_spec_body(spec, (tn_body){inner})->pose.p.x + 0.05;
        body.pose.p.x = at + 0.05;
        body.mass = 1.0;
        body.com = (tn_vec3){0.0, 0.0, 0.0};
        body.inertia = (tn_mat3){{{1e-3, 0.0, 0.0}, {0.0, 2e-3, 0.0}, {0.0, 0.0, 2e-3}}};
        joint.type = "hinge";
        joint.a.i = k;
        joint.b.i = inner;
        joint.placement = TN_PLACE_AXIS;
        joint.origin = (tn_vec3){at, 0.0, 0.0};
        joint.axis = k % 2 ? (tn_vec3){1.0, 0.0, 0.2} : (tn_vec3){0.0, 1.0, 0.0};
        tn_spec_add_body(spec, &body, NULL);
        tn_spec_add_joint(spec, &joint, NULL);
    }
    return compiled(spec);
}

/* The state after steps by so many threads. */
static void *end_by(const tn_model *model, int32_t threads, size_t *size)
{
    tn_sim *sim = alpha_sim(model);
    ck_assert_int_eq(tn_sim_threads(sim), 1);
    ck_assert_int_eq(tn_sim_set_threads(sim, threads), TN_OK);
    ck_assert_int_eq(tn_sim_threads(sim), threads);
    for (int k = 0; k < SHARED_STEPS; k++)
        ck_assert_int_eq(tn_sim_step(sim, 1e-3, NULL), TN_OK);
    *size = tn_sim_state_size(sim);
    void *end = malloc(*size);
    ck_assert(end);
    tn_sim_save(sim, end);
    ck_assert_int_eq(tn_sim_set_threads(sim, 0), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_threads(sim, 1025), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_threads(sim), threads);
    tn_sim_destroy(sim);
    return end;
}

START_TEST(steps_by_threads_have_the_bits_of_one)
{
    tn_model *model = make_hinges(_i == 1);
    size_t size = 0;
    void *alone = end_by(model, 1, &size);
    for (int32_t threads = 2; threads <= 4; threads++) {
        void *together = end_by(model, threads, &size);
        ck_assert(memcmp(alone, together, size) == 0);
        free(together);
    }
    free(alone);
    tn_model_destroy(model);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("threads");
    TCase *tests = tcase_create("threads");
    tcase_add_loop_test(tests, simulations_of_one_model_in_four_threads, 0, 2);
    tcase_add_loop_test(tests, passes_of_stages_have_the_bits_of_one_thread, 0, 3);
    tcase_add_loop_test(tests, steps_by_threads_have_the_bits_of_one, 0, 2);
    tcase_set_timeout(tests, 300.0);
    suite_add_tcase(suite, tests);
    return suite;
}
