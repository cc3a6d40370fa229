/* test_finite.c: no number that is none gets out with TN_OK: what is absurd is refused where it is
 * said, and every step is looked at as a whole. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/dense/worst.h"
#include "math/lanes.h"
#include "state/state.h"
#include "support/mechanism.h"
#include "support/run_main.h"
#include "tenon/io.h"

/* A body on a joint of some type, placed by an axis. */
static const char pattern[] = "tenon: 1\n"
                              "bodies: {p: {position: %s, mass: %s, inertia: [1, 1, 1]}}\n"
                              "joints: {f: {type: %s, a: p, b: ground, origin: [0, 0, 0], %s}}\n"
                              "simulation: {step: %s, duration: 1}\n";

typedef struct absurdity {
    const char *position, *mass, *type, *more, *step;
    const char *told; /* what the message says; NULL: it is none */
} absurdity;

#define USUAL "[1, 0, 0]", "1"

static const absurdity absurdities[] = {
    {USUAL, "hinge", "axis: [0, 1.0e+160, 0]", "0.001", "axis is too large"},
    {USUAL, "hinge", "axis: [0, 1.0e-170, 0]", "0.001", "no direction"},
    {USUAL, "hinge", "axis: [1.0e-320, 0, 0]", "0.001", "no direction"},
    {USUAL, "hinge", "axis: [1.0e+308, 1.0e+308, 0]", "0.001", "axis is too large"},
    {USUAL, "hinge", "axis: [0, 1.0e+100, 0]", "0.001", NULL},
    {USUAL, "hinge", "axis: [0, 1.0e-100, 0]", "0.001", NULL},
    {USUAL, "hinge", "axis: [0, 0, 1], x_axis: [1.0e-120, 0, 0]", "0.001", "no direction"},
    {USUAL, "hinge", "axis: [0, 0, 1], y_axis: [0, 1.0e+160, 0]", "0.001", "y_axis is too large"},
    {USUAL, "spherical_tilt", "axis: [0, 0, 1], initial: {tilt: 1.0e+300}", "0.001", "tilt is"},
    {USUAL, "hinge", "axis: [0, 0, 1], initial: {theta: 1.1e+15}", "0.001", "the limit is 1e+15"},
    {USUAL, "hinge", "axis: [0, 0, 1], initial: {theta: 1.0e+15}", "0.001", NULL},
    {"[1.0e+101, 0, 0]", "1", "hinge", "axis: [0, 0, 1]", "0.001", "too large"},
    {"[1, 0, 0]", "1.0e+101", "hinge", "axis: [0, 0, 1]", "0.001", "too large"},
    {"[1, 0, 0]", "1.0e-101", "hinge", "axis: [0, 0, 1]", "0.001", "too small"},
    {USUAL, "hinge", "axis: [0, 0, 1]", "1.0e-310", "step is too small"},
    {USUAL, "hinge", "axis: [0, 0, 1]", "1.0e+308", "step is too large"},
};

/* Finite and explained, or refused and located. */
static void check_run(const tn_spec *spec)
{
    tn_model *model = NULL;
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_model_compile(spec, NULL, &model), TN_OK);
    if (tn_sim_create(model, NULL, NULL, &sim) != TN_OK) {
        tn_model_destroy(model);
        return;
    }
    double poses[7], coordinates[TN_MAX_COORDINATES], forces[TN_MAX_ROWS];
    for (int k = 0; k < 5; k++) {
        if (tn_sim_step(sim, tn_model_simulation(model)->step, NULL) != TN_OK)
            break;
        tn_sim_get_poses(sim, poses);
        tn_sim_get_coordinates(sim, coordinates);
        tn_sim_get_multipliers(sim, forces);
        for (int i = 0; i < 7; i++)
            ck_assert(isfinite(poses[i]));
        for (int i = 0; i < TN_MAX_COORDINATES; i++)
            ck_assert(isfinite(coordinates[i]));
        for (int i = 0; i < TN_MAX_ROWS; i++)
            ck_assert(isfinite(forces[i]));
    }
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}

START_TEST(absurd_numbers)
{
    const absurdity *a = &absurdities[_i];
    char text[1000];
    snprintf(text, sizeof text, pattern, a->position, a->mass, a->type, a->more, a->step);
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = NULL;
    const tn_status status = tn_spec_read_string(text, strlen(text), "absurd", diags, &spec);
    if (a->told == NULL) {
        ck_assert_int_eq(status, TN_OK);
        check_run(spec);
    } else {
        ck_assert_int_eq(status, TN_ERROR_INPUT);
        ck_assert_int_eq(tn_diagnostics_error_count(diags), 1);
        const tn_diagnostic *d = tn_diagnostics_get(diags, 0);
        ck_assert_msg(strstr(d->message, a->told) != NULL, "%s", d->message);
        ck_assert_int_gt(d->at.line, 0);
    }
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
}
END_TEST

static mechanism pendulum(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    const rod bar = {.q = vec(1.0, 0.0, 0.0), .mass = 1.0, .along = 0.01, .across = 0.1};
    mechanism_axis_joint(&m, "hinge", mechanism_rod(&m, &bar), tn_ground(), vec(0.0, 0.0, 0.0),
                         vec(0.0, 1.0, 0.0));
    return m;
}

START_TEST(absurd_steps)
{
    static const double refused[] = {1e-310, 9e-101, 1.1e100, 1e308, INFINITY, NAN, 0.0, -1.0};
    mechanism m = pendulum();
    mechanism_start(&m, _i);
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        ck_assert_int_eq(tn_sim_step(m.sim, refused[k], NULL), TN_ERROR_ARGUMENT);
        ck_assert_int_eq(tn_sim_start(m.sim, refused[k], NULL), TN_ERROR_ARGUMENT);
    }
    static const double tried[] = {TN_SHORTEST_STEP, 1e-50, 1e20, 1e60, TN_LONGEST_STEP};
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
        double pose[7], twist[6], force[TN_MAX_ROWS];
        if (tn_sim_step(m.sim, tried[k], NULL) != TN_OK)
            continue;
        tn_sim_get_poses(m.sim, pose);
        tn_sim_get_velocities(m.sim, twist);
        tn_sim_get_multipliers(m.sim, force);
        for (int i = 0; i < 7; i++)
            ck_assert(isfinite(pose[i]));
        for (int i = 0; i < 6; i++)
            ck_assert(isfinite(twist[i]));
        for (int i = 0; i < TN_MAX_ROWS; i++)
            ck_assert(isfinite(force[i]));
        ck_assert(isfinite(tn_sim_time(m.sim)));
    }
    mechanism_free(&m);
}
END_TEST

/* Whatever number of a state is none, it is found, and whose it is. */
START_TEST(states_are_looked_at_whole)
{
    mechanism m = pendulum();
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    tn_state state;
    ck_assert_int_eq(tn_state_create(m.model, 0, &state), TN_OK);
    double *const numbers[] = {&state.x->y, &state.q->z,       state.udot + 5,   state.lambda + 1,
                               state.u,     state.coordinates, &state.head->time};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        static const double bad[] = {NAN, INFINITY, -INFINITY};
        for (int n = 0; n < 3; n++) {
            const double kept = *numbers[k];
            int32_t body, joint;
            ck_assert(tn_state_is_sound(m.model, &state, &body, &joint));
            *numbers[k] = bad[n];
            ck_assert(!tn_state_is_sound(m.model, &state, &body, &joint));
            ck_assert_int_eq(body, k == 0 || k == 1 || k == 2 || k == 4 ? 0 : -1);
            ck_assert_int_eq(joint, k == 3 || k == 5 ? 0 : -1);
            *numbers[k] = kept;
        }
    }
    tn_state_destroy(&state);
    mechanism_free(&m);
}
END_TEST

/* At every place of arrays of every length, by every copy of the passes. */
START_TEST(no_number_hides_in_a_long_array)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e200};
    double a[75];
    for (size_t n = 0; n < 75; n++)
        a[n] = 1e100 * ((double)(n % 7) - 3.0);
    for (size_t n = 0; n <= 75; n++) {
        ck_assert(tn_all_finite(a, n) && isfinite(tn_sum_of_squares(a, n)));
        ck_assert(!tn_wide_lanes() ||
                  (tn_all_finite_wide(a, n) && isfinite(tn_sum_of_squares_wide(a, n))));
        for (size_t k = 0; k < 4 * n; k++) {
            const double kept = a[k / 4];
            const bool number = isfinite(bad[k % 4]); /* whose square is none */
            a[k / 4] = bad[k % 4];
            ck_assert(tn_all_finite(a, n) == number && !isfinite(tn_sum_of_squares(a, n)));
            ck_assert(!tn_wide_lanes() || (tn_all_finite_wide(a, n) == number &&
                                           !isfinite(tn_sum_of_squares_wide(a, n))));
            a[k / 4] = kept;
        }
    }
}
END_TEST

START_TEST(worst_errors_keep_what_is_no_number)
{
    ck_assert_double_eq(tn_worst(1.0, 2.0), 2.0);
    ck_assert_double_eq(tn_worst(2.0, 1.0), 2.0);
    ck_assert(isnan(tn_worst(NAN, 1.0)));
    ck_assert(isnan(tn_worst(1.0, NAN)));
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("finite");
    TCase *tests = tcase_create("numbers");
    tcase_add_loop_test(tests, absurd_numbers, 0, (int)(sizeof absurdities / sizeof *absurdities));
    tcase_add_loop_test(tests, absurd_steps, 0, METHODS);
    tcase_add_test(tests, states_are_looked_at_whole);
    tcase_add_test(tests, no_number_hides_in_a_long_array);
    tcase_add_test(tests, worst_errors_keep_what_is_no_number);
    suite_add_tcase(suite, tests);
    return suite;
}
