/* test_coords_many.c: coordinates and speeds of many mechanisms in one world.
 *
 * What one mechanism is asked for is no matter of the others: each comes to what it comes to in a world of its own, and
 * the number of factorizations does not grow with the number of mechanisms.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assemble/elements.h"
#include "model_text.h"
#include "motion/simulation.h"
#include "run_main.h"
#include "tenon/io.h"

/* Cars from number `first` on: a chassis on a rail and a crank-rocker on it (crank 0.2, coupler 0.51, rocker 0.3, base 0.5
 * m), each with `wish` at its crank and a range of its rocker. */
static tn_sim *cars(int first, int count, const char *wish)
{
    static const char form[] =
        "tenon: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "parameters: {n: %d, at: %d}\n"
        "bodies:\n"
        "  chassis: {repeat: {k: =n}, position: [0, =at+k, 0.5], mass: 10, inertia: [1, 1, 1]}\n"
        "  crank: {repeat: {k: =n}, position: [0, =at+k, 0.1], mass: 1, inertia: [0.01, 0.01, "
        "0.01]}\n"
        "  coupler: {repeat: {k: =n}, position: [0.25, =at+k, 0.25], mass: 1, inertia: [0.02, "
        "0.02, 0.02]}\n"
        "  rocker: {repeat: {k: =n}, position: [0.5, =at+k, 0.15], mass: 1, inertia: [0.02, 0.02, "
        "0.02]}\n"
        "joints:\n"
        "  rail: {repeat: {k: =n}, type: slider, a: 'chassis[k]', origin: [0, =at+k, 0.5], axis: "
        "[1, 0, 0]}\n"
        "  drive: {repeat: {k: =n}, type: hinge, a: 'crank[k]', b: 'chassis[k]', origin: [0, "
        "=at+k, 0], axis: [0, 1, 0]%s}\n"
        "  knee: {repeat: {k: =n}, type: hinge, a: 'coupler[k]', b: 'crank[k]', origin: [0, =at+k, "
        "0.2], axis: [0, 1, 0]}\n"
        "  hip: {repeat: {k: =n}, type: hinge, a: 'rocker[k]', b: 'coupler[k]', origin: [0.5, "
        "=at+k, 0.3], axis: [0, 1, 0]}\n"
        "  base: {repeat: {k: =n}, type: hinge, a: 'rocker[k]', b: 'chassis[k]', origin: [0.5, "
        "=at+k, 0], axis: [0, 1, 0], range: {theta: [-3, 0.4]}}\n";
    char text[4096];
    snprintf(text, sizeof text, form, count, first, wish);
    tn_spec *spec = read_text(text);
    tn_model *model = NULL;
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_model_compile(spec, NULL, &model), TN_OK);
    ck_assert_int_eq(tn_sim_create(model, NULL, NULL, &sim), TN_OK);
    tn_spec_destroy(spec);
    return sim;
}

static void destroy(tn_sim *sim)
{
    tn_model *model = (tn_model *)(uintptr_t)tn_sim_model(sim);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}

static tn_joint joint_of(const tn_sim *sim, const char *name, int car)
{
    char full[64];
    snprintf(full, sizeof full, "%s[%d]", name, car);
    tn_joint joint = {-1};
    ck_assert_int_eq(tn_model_find_joint(tn_sim_model(sim), full, &joint), TN_OK);
    return joint;
}

static double value_of(const tn_sim *sim, const char *name, int car)
{
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(sim, joint_of(sim, name, car), q);
    return q[0];
}

/* Of the crank, relative to its chassis. */
static double crank_speed(const tn_sim *sim, int car)
{
    double speed;
    const int32_t j = tn_sim_element(sim, joint_of(sim, "drive", car));
    const int8_t row = (int8_t)tn_motion_row(&sim->model->joints[j], 0);
    tn_element_ops_of(&sim->sys, j)
        ->speeds(&sim->sys, j, sim->state.u, (tn_row_list){&row, 1}, &speed);
    return speed;
}

/* Prescribed motions, speeds and values at the start: the last of them to be placed is what is counted. */
START_TEST(a_start_costs_as_many_factorizations_for_many)
{
    const char *wishes[] = {", drive: {theta: {position: {polynomial: [0, 2]}}}",
                            ", speed: {theta: 2}", ", set: {theta: 0.3}"};
    for (int k = 0; k < 3; k++) {
        int32_t counts[2];
        const int sizes[2] = {2, 40};
        for (int n = 0; n < 2; n++) {
            tn_sim *sim = cars(0, sizes[n], wishes[k]);
            counts[n] = sim->coords->factorizations;
            for (int i = 0; i < sizes[n]; i++) {
                ck_assert_double_eq_tol(value_of(sim, "drive", i), k == 2 ? 0.3 : 0.0, 1e-9);
                ck_assert_double_eq_tol(crank_speed(sim, i), k == 2 ? 0.0 : 2.0, 1e-9);
            }
            destroy(sim);
        }
        ck_assert_int_le(counts[1], counts[0] + 1); /* rounding may want one pass of Newton more */
        ck_assert_int_gt(counts[0], 0);
    }
}
END_TEST

/* Cranks to angles that are met in one step, in several, and that the range of the rocker does not allow; and rockers of
 * every third car beyond their dead point. */
START_TEST(each_comes_to_what_it_comes_to_alone)
{
    enum { N = 12 };
    tn_sim *all = cars(0, N, "");
    tn_coordinate_request requests[N];
    tn_coordinate_answer answers[N];
    tn_placement_report report;
    int set = 0;
    for (int i = 0; i < N; i++) {
        const bool rocker = i % 3 == 2;
        requests[i] = (tn_coordinate_request){joint_of(all, rocker ? "base" : "drive", i), 0,
                                              rocker ? -0.1 * i : 0.45 * i};
    }
    ck_assert_int_eq(tn_sim_set_coordinates(all, requests, N, NULL, answers, &report), TN_OK);
    for (int i = 0; i < N; i++) {
        tn_sim *one = cars(i, 1, "");
        tn_coordinate_answer a;
        const tn_coordinate_request r = {joint_of(one, i % 3 == 2 ? "base" : "drive", 0), 0,
                                         requests[i].value};
        ck_assert_int_eq(tn_sim_set_coordinates(one, &r, 1, NULL, &a, &report), TN_OK);
        ck_assert_int_eq(answers[i].outcome, a.outcome);
        ck_assert_double_eq_tol(answers[i].value, a.value, 1e-9);
        set += a.outcome == TN_COORDINATE_SET;
        const char *names[] = {"rail", "drive", "knee", "hip", "base"};
        for (int k = 0; k < 5; k++) {
            ck_assert_double_eq_tol(value_of(all, names[k], i), value_of(one, names[k], 0), 1e-9);
        }
        destroy(one);
    }
    ck_assert_int_gt(set, 3); /* some get there, some do not */
    ck_assert_int_lt(set, N);
    destroy(all);
}
END_TEST

/* Speeds of crank and rail in every car: two rounds, one for each. A second wish for the same loop has no freedom left. */
START_TEST(speeds_are_admitted_by_mechanism)
{
    int32_t counts[2];
    const int sizes[2] = {1, 30};
    for (int n = 0; n < 2; n++) {
        tn_sim *sim = cars(0, sizes[n], "");
        tn_coordinate_request requests[90];
        tn_coordinate_answer answers[90];
        tn_placement_report report;
        for (int i = 0; i < sizes[n]; i++) {
            requests[3 * i] = (tn_coordinate_request){joint_of(sim, "drive", i), 0, 1.0 + i};
            requests[3 * i + 1] = (tn_coordinate_request){joint_of(sim, "rail", i), 0, -0.5 * i};
            requests[3 * i + 2] = (tn_coordinate_request){joint_of(sim, "knee", i), 0, 100.0};
        }
        ck_assert_int_eq(
            tn_sim_set_coordinate_speeds(sim, requests, 3 * sizes[n], NULL, answers, &report),
            TN_OK);
        for (int i = 0; i < 3 * sizes[n]; i++) {
            ck_assert_int_eq(answers[i].outcome,
                             i % 3 == 2 ? TN_COORDINATE_DEPENDENT : TN_COORDINATE_SET);
            if (i % 3 != 2)
                ck_assert_double_eq_tol(answers[i].value, requests[i].value, 1e-9);
        }
        counts[n] = report.factorizations;
        destroy(sim);
    }
    ck_assert_int_eq(counts[0], counts[1]);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("coordinates of many mechanisms");
    TCase *all = tcase_create("all");
    tcase_add_test(all, a_start_costs_as_many_factorizations_for_many);
    tcase_add_test(all, each_comes_to_what_it_comes_to_alone);
    tcase_add_test(all, speeds_are_admitted_by_mechanism);
    suite_add_tcase(suite, all);
    return suite;
}
