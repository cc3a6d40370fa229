/* test_batch.c: a batch has the bits of single simulations, whatever the number of threads; members fail
 * alone; nothing is allocated by a step.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocator.h"
#include "support/run_main.h"
#include "support/sample_mechanisms.h"

enum { MEMBERS = 37, LINKS = 10, STEPS = 40 };
#define STEP 2e-3

/* Coordinates and speeds that are different for every member. */
static void fill_start(double *q, double *speed)
{
    for (int i = 0; i < MEMBERS * LINKS; i++) {
        q[i] = 0.3 * sin(1.7 * i);
        speed[i] = 0.5 * cos(2.3 * i);
    }
}

static tn_batch *make_chains(const tn_model *model, int threads)
{
    tn_batch *batch = NULL;
    double q[MEMBERS * LINKS], speed[MEMBERS * LINKS];
    fill_start(q, speed);
    ck_assert_int_eq(tn_batch_create(&model, 1, MEMBERS, NULL, threads, NULL, &batch), TN_OK);
    ck_assert_int_eq(tn_batch_count(batch), MEMBERS);
    ck_assert_int_eq(tn_batch_threads(batch), threads);
    ck_assert_int_eq(tn_batch_width(batch, TN_BATCH_COORDINATES), LINKS);
    ck_assert_int_eq(tn_batch_place(batch, q, speed, NULL), TN_OK);
    return batch;
}

/* One member as a simulation of its own; its poses to out[LINKS][7]. */
static void run_alone(const tn_model *model, int member, double *out)
{
    double q[MEMBERS * LINKS], speed[MEMBERS * LINKS];
    tn_coordinate_request places[LINKS], speeds[LINKS];
    const tn_sim_options options = tn_default_sim_options(model);
    tn_sim *sim = NULL;
    fill_start(q, speed);
    for (int j = 0; j < LINKS; j++) {
        places[j] = (tn_coordinate_request){{j}, 0, q[member * LINKS + j]};
        speeds[j] = (tn_coordinate_request){{j}, 0, speed[member * LINKS + j]};
    }
    ck_assert_int_eq(tn_sim_create(model, &options, NULL, &sim), TN_OK);
    ck_assert_int_eq(tn_sim_set_coordinates(sim, places, LINKS, NULL, NULL, NULL), TN_OK);
    ck_assert_int_eq(tn_sim_set_coordinate_speeds(sim, speeds, LINKS, NULL, NULL, NULL), TN_OK);
    for (int k = 0; k < STEPS; k++) {
        for (int j = 0; j < LINKS; j++)
            tn_sim_apply_effort(sim, (tn_joint){j}, 0, 0.1 * (member % 5) * (j % 3));
        ck_assert_int_eq(tn_sim_step(sim, STEP, NULL), TN_OK);
    }
    tn_sim_get_poses(sim, out);
    tn_sim_destroy(sim);
}

static void fill_efforts(double *efforts)
{
    for (int i = 0; i < MEMBERS; i++)
        for (int j = 0; j < LINKS; j++)
            efforts[i * LINKS + j] = 0.1 * (i % 5) * (j % 3);
}

START_TEST(test_same_bits)
{
    mechanism m = sample_hinge_chain(LINKS);
    mechanism_compile(&m, TN_GENERALIZED_ALPHA);
    double efforts[MEMBERS * LINKS];
    fill_efforts(efforts);
    static double alone[MEMBERS][LINKS][7], together[MEMBERS][LINKS][7];
    for (int i = 0; i < MEMBERS; i++)
        run_alone(m.model, i, alone[i][0]);
    static const int threads[] = {1, 2, 3, 5};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        tn_batch *batch = make_chains(m.model, threads[t]);
        tn_status status[MEMBERS];
        memset(together, 0, sizeof together);
        ck_assert_int_eq(tn_batch_step(batch, STEP, STEPS / 2, efforts, status), TN_OK);
        for (int k = 0; k < STEPS / 2; k++) /* in one call or in many */
            ck_assert_int_eq(tn_batch_step(batch, STEP, 1, efforts, NULL), TN_OK);
        tn_batch_get(batch, TN_BATCH_POSES, together[0][0]);
        ck_assert_mem_eq(alone, together, sizeof alone);
        double times[MEMBERS], q[MEMBERS][LINKS], speed[MEMBERS][LINKS], one;
        tn_batch_get(batch, TN_BATCH_TIMES, times);
        tn_batch_get(batch, TN_BATCH_COORDINATES, q[0]);
        tn_batch_get(batch, TN_BATCH_SPEEDS, speed[0]);
        for (int i = 0; i < MEMBERS; i++) {
            ck_assert_double_eq_tol(times[i], STEPS * STEP, 1e-14);
            tn_sim_joint_coordinates(tn_batch_sim(batch, i), (tn_joint){3}, &one);
            ck_assert_double_eq(q[i][3], one);
            tn_sim_joint_speeds(tn_batch_sim(batch, i), (tn_joint){7}, &one);
            ck_assert_double_eq(speed[i][7], one);
        }
        tn_batch_destroy(batch);
    }
    mechanism_free(&m);
}
END_TEST

START_TEST(test_reset)
{
    mechanism m = sample_hinge_chain(LINKS);
    mechanism_compile(&m, TN_GENERALIZED_ALPHA);
    tn_batch *batch = NULL;
    const tn_model *model = m.model;
    ck_assert_int_eq(tn_batch_create(&model, 1, 3, NULL, 1000000, NULL, &batch), TN_OK);
    ck_assert_int_eq(tn_batch_threads(batch), 1); /* three members are one thread's work */
    double start[3][LINKS][7], now[3][LINKS][7];
    const unsigned char marks[3] = {0, 1, 0};
    tn_batch_get(batch, TN_BATCH_POSES, start[0][0]);
    tn_batch_step(batch, STEP, 20, NULL, NULL);
    tn_batch_reset(batch, marks);
    tn_batch_get(batch, TN_BATCH_POSES, now[0][0]);
    ck_assert_mem_eq(start[1], now[1], sizeof now[1]);
    ck_assert_mem_ne(start[0], now[0], sizeof now[0]);
    tn_batch_reset(batch, NULL);
    tn_batch_get(batch, TN_BATCH_POSES, now[0][0]);
    ck_assert_mem_eq(start, now, sizeof now);
    tn_batch_destroy(batch);
    mechanism_free(&m);
}
END_TEST

/* A member with a wrong effort fails, tells so, stays where it was, and goes on after a reset. */
START_TEST(test_one_fails)
{
    mechanism m = sample_hinge_chain(LINKS);
    mechanism_compile(&m, TN_GENERALIZED_ALPHA);
    tn_batch *batch = make_chains(m.model, 2);
    double efforts[MEMBERS * LINKS], before[MEMBERS][LINKS], after[MEMBERS][LINKS];
    tn_status status[MEMBERS];
    fill_efforts(efforts);
    efforts[11 * LINKS + 4] = (double)NAN;
    tn_batch_get(batch, TN_BATCH_COORDINATES, before[0]);
    ck_assert_int_eq(tn_batch_step(batch, STEP, 5, efforts, status), TN_ERROR_ARGUMENT);
    tn_batch_get(batch, TN_BATCH_COORDINATES, after[0]);
    for (int i = 0; i < MEMBERS; i++) {
        ck_assert_int_eq(status[i], i == 11 ? TN_ERROR_ARGUMENT : TN_OK);
        ck_assert_int_eq(memcmp(before[i], after[i], sizeof before[i]) == 0, i == 11);
    }
    fill_efforts(efforts);
    ck_assert_int_eq(tn_batch_step(batch, STEP, 1, efforts, NULL), TN_ERROR_ARGUMENT);
    unsigned char marks[MEMBERS] = {0};
    marks[11] = 1;
    tn_batch_reset(batch, marks);
    ck_assert_int_eq(tn_batch_step(batch, STEP, 1, efforts, status), TN_OK);
    /* what is no time is refused, and fails nobody */
    ck_assert_int_eq(tn_batch_step(batch, -STEP, 1, NULL, status), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_batch_step(batch, (double)NAN, 1, NULL, NULL), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_batch_step(batch, STEP, -1, NULL, NULL), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_batch_step(batch, STEP, 1, NULL, status), TN_OK);
    tn_batch_destroy(batch);
    mechanism_free(&m);
}
END_TEST

/* Pendulums of different masses under the same moment: models differ. */
START_TEST(test_models_differ)
{
    mechanism m[4];
    const tn_model *models[4];
    for (int i = 0; i < 4; i++) {
        char text[512];
        snprintf(
            text, sizeof text,
            "{tenon: 1, gravity: [0, 0, 0], bodies: {b: {mass: 1, inertia: [3, 3, %d]}}, joints: "
            "{h: {type: hinge, a: b, origin: [0, 0, 0], axis: [0, 0, 1]}}}",
            i + 1);
        m[i] = mechanism_read(text);
        mechanism_compile(&m[i], TN_GENERALIZED_ALPHA);
        models[i] = m[i].model;
    }
    tn_batch *batch = NULL;
    ck_assert_int_eq(tn_batch_create(models, 4, 4, NULL, 2, NULL, &batch), TN_OK);
    const double moments[4] = {1.0, 1.0, 1.0, 1.0};
    double speed[4];
    ck_assert_int_eq(tn_batch_step(batch, 1e-3, 1000, moments, NULL), TN_OK);
    tn_batch_get(batch, TN_BATCH_SPEEDS, speed);
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq_tol(speed[i], 1.0 / (i + 1), 1e-9); /* M t / J */
    tn_batch_destroy(batch);
    mechanism other = sample_hinge_chain(2);
    mechanism_compile(&other, TN_GENERALIZED_ALPHA);
    models[2] = other.model;
    ck_assert_int_eq(tn_batch_create(models, 4, 4, NULL, 1, NULL, &batch), TN_ERROR_ARGUMENT);
    ck_assert_ptr_null(batch);
    ck_assert_int_eq(tn_batch_create(models, 3, 4, NULL, 1, NULL, &batch), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_batch_create(models, 1, 0, NULL, 1, NULL, &batch), TN_ERROR_ARGUMENT);
    mechanism_free(&other);
    for (int i = 0; i < 4; i++)
        mechanism_free(&m[i]);
}
END_TEST

START_TEST(test_memory)
{
    test_allocator counter = {.left = -1};
    tn_set_allocator(test_realloc, &counter);
    mechanism m = sample_hinge_chain(LINKS);
    mechanism_compile(&m, TN_GENERALIZED_ALPHA);
    const int64_t alive = counter.alive;
    tn_batch *batch = make_chains(m.model, 1);
    const int64_t calls = counter.calls;
    tn_batch_step(batch, STEP, 5, NULL, NULL);
    tn_batch_reset(batch, NULL);
    ck_assert_int_eq(counter.calls, calls);
    tn_batch_destroy(batch);
    ck_assert_int_eq(counter.alive, alive);
    const tn_model *model = m.model;
    tn_status status = TN_ERROR_MEMORY;
    for (int64_t n = 0; status != TN_OK && n < 100000; n++) { /* every allocation fails once */
        counter.left = n;
        status = tn_batch_create(&model, 1, 2, NULL, 1, NULL, &batch);
        counter.left = -1;
        if (status != TN_OK) {
            ck_assert_int_eq(status, TN_ERROR_MEMORY);
            ck_assert_ptr_null(batch);
            ck_assert_int_eq(counter.alive, alive);
        }
    }
    ck_assert_int_eq(status, TN_OK);
    tn_batch_destroy(batch);
    mechanism_free(&m);
    tn_set_allocator(NULL, NULL);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("batch");
    TCase *tests = tcase_create("batch");
    tcase_add_test(tests, test_same_bits);
    tcase_add_test(tests, test_reset);
    tcase_add_test(tests, test_one_fails);
    tcase_add_test(tests, test_models_differ);
    tcase_add_test(tests, test_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
