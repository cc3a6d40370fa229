/* test_saved.c: blocks of saved states: the same bits again, and nothing else is taken for one. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "support/mechanism.h"
#include "support/run_main.h"

/* A pendulum of some mass; with a motor it saves more. */
static mechanism pendulum(double mass)
{
    mechanism m = mechanism_new((tn_vec3){0.0, 0.0, -9.81});
    tn_body_def body = tn_default_body_def();
    body.name = "bar";
    body.pose.p.x = 0.5;
    body.mass = mass;
    body.inertia = (tn_mat3){{{0.1, 0.0, 0.0}, {0.0, 0.1, 0.0}, {0.0, 0.0, 0.1}}};
    tn_body bar;
    ck_assert_int_eq(tn_spec_add_body(m.spec, &body, &bar), TN_OK);
    mechanism_axis_joint(&m, "hinge", bar, tn_ground(), (tn_vec3){0.0, 0.0, 0.0},
                         (tn_vec3){0.0, 1.0, 0.0});
    return m;
}

static unsigned char *saved(const mechanism *m, size_t *size)
{
    *size = tn_sim_state_size(m->sim);
    unsigned char *block = calloc(*size, 1);
    ck_assert_ptr_nonnull(block);
    tn_sim_save(m->sim, block);
    return block;
}

static void steps(mechanism *m, int count)
{
    for (int i = 0; i < count; i++)
        ck_assert_int_eq(tn_sim_step(m->sim, 1e-3, NULL), TN_OK);
}

/* What was there before a refused call is there after it. */
static void check_refused(mechanism *m, const void *block, tn_status status)
{
    size_t size;
    unsigned char *before = saved(m, &size), *after;
    ck_assert_int_eq(tn_sim_restore(m->sim, block), status);
    after = saved(m, &size);
    ck_assert_mem_eq(before, after, size);
    free(before);
    free(after);
}

START_TEST(the_same_bits_again)
{
    mechanism m = pendulum(1.0);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    steps(&m, 20);
    size_t size;
    unsigned char *middle = saved(&m, &size);
    steps(&m, 30);
    unsigned char *end = saved(&m, &size);
    ck_assert_int_eq(tn_sim_restore(m.sim, middle), TN_OK);
    steps(&m, 30);
    unsigned char *again = saved(&m, &size);
    ck_assert_mem_eq(end, again, size);
    free(middle);
    free(end);
    free(again);
    mechanism_free(&m);
}
END_TEST

/* A rope that is let go of at the start, on a chain that a motor turns. */
static const char *const roped =
    "tenon: 1\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [0.03, 0.08, 0.08, 0.01, 0.005, 0.002], position: [0.5, 0, 0]}\n"
    "  b: {mass: 1, inertia: [0.03, 0.08, 0.08, 0.01, 0.005, 0.002], position: [1.5, 0, 0.2]}\n"
    "joints:\n"
    "  swing: {type: hinge, a: a, axis: [0.1, 1, 0.2], origin: [0, 0, 0], motor: {theta: {speed: "
    "3}}, speed: {theta: 3}}\n"
    "  knee: {type: universal, a: b, b: a, origin: [1, 0, 0.1], axis: [1, 0, 0.3], y_axis: [0, 1, "
    "0]}\n"
    "  rope: {type: rope, a: b, frame_c: {position: [2, 0, 0.3]}, frame_d: {position: [2, 0.1, "
    "-1]}}\n";

/* The solve of a start goes by its rows alone, not by what slots without one have from before. */
START_TEST(another_simulation_starts_anew_with_the_same_bits)
{
    mechanism m = mechanism_of(roped, TN_GENERALIZED_ALPHA),
              other = mechanism_of(roped, TN_GENERALIZED_ALPHA);
    tn_joint knee;
    ck_assert_int_eq(tn_model_find_joint(m.model, "knee", &knee), TN_OK);
    steps(&m, 1);
    size_t size;
    unsigned char *middle = saved(&m, &size);
    ck_assert_int_eq(tn_sim_restore(other.sim, middle), TN_OK);
    mechanism *const both[] = {&m, &other};
    for (int n = 0; n < 2; n++) {
        ck_assert_int_eq(tn_sim_set_range(both[n]->sim, knee, 0, -1.0, 1.0), TN_OK);
        steps(both[n], 2);
    }
    unsigned char *end = saved(&m, &size), *again = saved(&other, &size);
    ck_assert_mem_eq(end, again, size);
    free(middle);
    free(end);
    free(again);
    mechanism_free(&other);
    mechanism_free(&m);
}
END_TEST

START_TEST(blocks_of_others_are_refused)
{
    mechanism a = pendulum(1.0), b = pendulum(2.0), c = pendulum(1.0);
    mechanism_start(&a, TN_GENERALIZED_ALPHA);
    mechanism_start(&b, TN_GENERALIZED_ALPHA);
    mechanism_start(&c, TN_BACKWARD_EULER);
    size_t size;
    unsigned char *block = saved(&a, &size);
    ck_assert_int_eq(tn_sim_restore(a.sim, block), TN_OK);
    check_refused(&b, block, TN_ERROR_ARGUMENT); /* another model */
    check_refused(&c, block, TN_ERROR_ARGUMENT); /* another integrator */
    unsigned char *none = calloc(size, 1);
    check_refused(&a, none, TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_restore(a.sim, NULL), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_restore(NULL, block), TN_ERROR_ARGUMENT);
    free(none);
    free(block);
    mechanism_free(&a);
    mechanism_free(&b);
    mechanism_free(&c);
}
END_TEST

/* A prescribed motion that was set while one simulation ran is a function of that one. */
static void follow_line(mechanism *m, double speed)
{
    const double numbers[] = {0.0, speed};
    const tn_function_def motion = {.kind = TN_FUNCTION_POLYNOMIAL, .numbers = numbers, .count = 2};
    ck_assert_int_eq(tn_sim_set_driver(m->sim, (tn_joint){0}, 0, &motion), TN_OK);
}

START_TEST(functions_of_others_are_refused)
{
    mechanism a = pendulum(1.0), b = pendulum(1.0);
    mechanism_start(&a, TN_GENERALIZED_ALPHA);
    mechanism_start(&b, TN_GENERALIZED_ALPHA);
    follow_line(&a, 1.0);
    steps(&a, 2);
    size_t size;
    unsigned char *block = saved(&a, &size);
    check_refused(&b, block, TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_restore(a.sim, block), TN_OK);
    steps(&a, 2);
    steps(&b, 2);
    free(block);
    mechanism_free(&a);
    mechanism_free(&b);
}
END_TEST

/* Its number alone would take b's own for that of a. */
START_TEST(other_functions_of_the_same_number_are_refused)
{
    mechanism a = pendulum(1.0), b = pendulum(1.0), c = pendulum(1.0);
    mechanism_start(&a, TN_GENERALIZED_ALPHA);
    mechanism_start(&b, TN_GENERALIZED_ALPHA);
    mechanism_start(&c, TN_GENERALIZED_ALPHA);
    follow_line(&a, 1.0);
    follow_line(&b, 2.0);
    follow_line(&c, 1.0);
    steps(&a, 2);
    size_t size;
    unsigned char *block = saved(&a, &size), *there;
    check_refused(&b, block, TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_restore(c.sim, block), TN_OK);
    free(block);
    steps(&a, 5);
    steps(&c, 5);
    block = saved(&a, &size);
    there = saved(&c, &size);
    ck_assert_mem_eq(block, there, size);
    free(there);
    free(block);
    mechanism_free(&a);
    mechanism_free(&b);
    mechanism_free(&c);
}
END_TEST

/* Any bit of it: 5.9 GB were copied where the count of drives was not what it said. */
START_TEST(damaged_blocks_are_refused)
{
    mechanism m = pendulum(1.0);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    steps(&m, 10);
    size_t size;
    unsigned char *block = saved(&m, &size);
    for (size_t bit = 0; bit < 8 * size; bit += 1 + bit % 5) {
        block[bit / 8] ^= (unsigned char)(1u << bit % 8);
        const tn_status status = tn_sim_restore(m.sim, block);
        ck_assert(status == TN_ERROR_ARGUMENT || status == TN_ERROR_INPUT);
        block[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    block[size / 2] ^= 1;
    check_refused(&m, block, TN_ERROR_INPUT);
    block[size / 2] ^= 1;
    ck_assert_int_eq(tn_sim_restore(m.sim, block), TN_OK);
    free(block);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("saved");
    TCase *tests = tcase_create("blocks");
    tcase_add_test(tests, the_same_bits_again);
    tcase_add_test(tests, another_simulation_starts_anew_with_the_same_bits);
    tcase_add_test(tests, blocks_of_others_are_refused);
    tcase_add_test(tests, functions_of_others_are_refused);
    tcase_add_test(tests, other_functions_of_the_same_number_are_refused);
    tcase_add_test(tests, damaged_blocks_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
