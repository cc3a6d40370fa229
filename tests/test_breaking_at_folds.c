/* test_breaking_at_folds.c: joints that break where their mechanism passes a change point.
 *
 * Two equal cranks (length r, inertia I about their feet, d apart) carry a bar (mass m) through the pose where
 * all lie in one line; a moment M turns one of them. One freedom, theta'' = alpha = M / (2 I + m r^2). On the
 * bar its head pushes with T = (M - I alpha) / r across the crank and, as both heads push the bar
 * equally far across it, N = -(m r omega^2 + M / r cot theta) / 2 along it: a pole at theta = 0,
 * however small M is. Without M there is none.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/heavy.h"
#include "support/mechanism.h"
#include "support/run_main.h"

static const double r = 1.0, bar = 1.0, inertia = 1.0 / 3.0, first = -0.5, omega = 2.0;

static double acceleration(double moment)
{
    return moment / (2.0 * inertia + bar * r * r);
}

static double load(double moment, double theta)
{
    const double alpha = acceleration(moment);
    const double square = omega * omega + 2.0 * alpha * (theta - first);
    const double across = (moment - inertia * alpha) / r;
    const double along = 0.5 * (bar * r * square + moment / r / tan(theta));
    return hypot(across, along);
}

static double time_at(double moment, double theta)
{
    const double alpha = acceleration(moment), way = theta - first;
    return 2.0 * way / (omega + sqrt(omega * omega + 2.0 * alpha * way));
}

static mechanism parallelogram(double moment, double break_force)
{
    char text[2000];
    const double x = r * cos(first), y = r * sin(first);
    snprintf(
        text, sizeof text,
        "tenon: 1\ngravity: [0, 0, 0]\nbodies:\n"
        "  c0: {position: [%.17g, %.17g, 0], mass: 1, inertia: [%.17g, %.17g, %.17g]}\n"
        "  c1: {position: [%.17g, %.17g, 0], mass: 1, inertia: [%.17g, %.17g, %.17g]}\n"
        "  bar: {position: [%.17g, %.17g, 0], mass: %.17g, inertia: [0.1, 0.1, 0.1]}\n"
        "joints:\n"
        "  f0: {type: hinge, a: c0, origin: [0, 0, 0], axis: [0, 0, 1], speed: {theta: %.17g}}\n"
        "  f1: {type: hinge, a: c1, origin: [1, 0, 0], axis: [0, 0, 1]}\n"
        "  h0: {type: hinge, a: c0, b: bar, origin: [%.17g, %.17g, 0], axis: [0, 0, 1]}\n"
        "  h1: {type: hinge, a: c1, b: bar, origin: [%.17g, %.17g, 0], axis: [0, 0, 1], "
        "break_force: %.17g}\n"
        "loads:\n  push: {body: c1, axes: world, moment: [0, 0, %.17g]}\n",
        0.5 * x, 0.5 * y, 1.0 / 12.0, 1.0 / 12.0, 1.0 / 12.0, 1.0 + 0.5 * x, 0.5 * y, 1.0 / 12.0,
        1.0 / 12.0, 1.0 / 12.0, 0.5 + x, y, bar, omega, x, y, 1.0 + x, y, break_force, moment);
    return mechanism_read(text);
}

/* Of the break, if there was one within a second, looked at so often; NaN. */
static double time_of_break_in(mechanism *m, int looks)
{
    double time = (double)NAN;
    for (int k = 1; k <= looks; k++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_advance(m->sim, (double)k / looks, &report), TN_OK);
        for (int32_t e = 0; e < tn_sim_event_count(m->sim); e++) {
            if (tn_sim_event(m->sim, e)->kind == TN_EVENT_JOINT_BROKE)
                time = tn_sim_event(m->sim, e)->time;
        }
    }
    return time;
}

static double time_of_break(mechanism *m)
{
    return time_of_break_in(m, 10);
}

static const double accuracies[] = {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
enum { ACCURACIES = sizeof accuracies / sizeof accuracies[0] };
static const int by_accuracy[] = {TN_AUTO, TN_DORMAND_PRINCE};

static void start(mechanism *m, int i)
{
    tn_sim_options options = mechanism_compile(m, by_accuracy[i / ACCURACIES]);
    options.accuracy = accuracies[i % ACCURACIES];
    mechanism_start_with(m, &options);
}

/* The load reaches its threshold so far (rad) before the change point: where it is told, and nearer. */
START_TEST(a_load_with_a_pole_breaks_its_joint)
{
    static const double before[] = {0.3, 0.03, 3e-3, 2e-3, 6e-4};
    for (int k = 0; k < 5; k++) {
        const double moment = 2.2 * bar * r * omega * omega * before[k];
        mechanism m = parallelogram(moment, load(moment, -before[k]));
        start(&m, _i);
        const double off = time_of_break(&m) - time_at(moment, -before[k]);
        printf("accuracy %g, %g rad before: %.1e s off\n", accuracies[_i % ACCURACIES], before[k],
               off);
        ck_assert_double_le(fabs(off), fmin(10.0 * accuracies[_i % ACCURACIES], 1e-7));
        mechanism_free(&m);
    }
}
END_TEST

START_TEST(a_load_without_one_breaks_nothing)
{
    mechanism m = parallelogram(0.0, 1.01 * load(0.0, -0.1));
    start(&m, _i);
    ck_assert(isnan(time_of_break(&m)));
    mechanism_free(&m);
}
END_TEST

/* In steps of a ten-thousandth of a rad, which come upon the change point in thirty from where loads are not told. */
START_TEST(short_steps_break_it_at_the_same_time)
{
    static const double before[] = {2e-3, 6e-4};
    const double moment = 2.2 * bar * r * omega * omega * before[_i];
    mechanism m = parallelogram(moment, load(moment, -before[_i]));
    start(&m, 3);
    ck_assert_double_le(fabs(time_of_break_in(&m, 20000) - time_at(moment, -before[_i])), 1e-7);
    mechanism_free(&m);
}
END_TEST

/* A look at the change point itself, where rows repeat each other to the last digit and loads are rounding. */
START_TEST(a_look_at_the_change_point_breaks_nothing)
{
    static const int looks[] = {4, 20, 100, 1000};
    mechanism m = parallelogram(0.0, 1.01 * load(0.0, -0.1));
    start(&m, _i / 4 * ACCURACIES + 3);
    ck_assert_double_eq(time_at(0.0, 0.0), 0.25);
    ck_assert(isnan(time_of_break_in(&m, looks[_i % 4])));
    mechanism_free(&m);
}
END_TEST

static const int by_steps[] = {TN_GENERALIZED_ALPHA, TN_BACKWARD_EULER,
                               TN_CONSTRAINED_BACKWARD_EULER};
static const double lengths[] = {2e-4, 1e-3, 1e-2, 0.05};

/* Steps of one length do not see the break, or see it late: that is no run within tolerance, whether a step ends
 * near the change point or goes past it. On the way to it alone nothing is amiss. */
START_TEST(steps_of_one_length_say_that_they_do_not_look)
{
    const double h = lengths[_i % 4];
    mechanism m = parallelogram(0.0, 1e9);
    tn_sim_options options = mechanism_compile(&m, by_steps[_i / 4]);
    mechanism_start_with(&m, &options);
    tn_step_report report;
    while (tn_sim_time(m.sim) + h < 0.2 + 1e-9)
        ck_assert_int_eq(tn_sim_step(m.sim, h, &report), TN_OK);
    ck_assert_int_eq(tn_sim_accuracy(m.sim).unwatched, 0);
    while (tn_sim_time(m.sim) < 0.3 - 1e-9)
        ck_assert_int_eq(tn_sim_step(m.sim, h, &report), TN_OK);
    const tn_accuracy seen = tn_sim_accuracy(m.sim);
    ck_assert_int_gt(seen.unwatched, 0);
    ck_assert_int_le(seen.unwatched,
                     4 + (int)(2.0 * 6e-3 / (omega * h))); /* loads are told from 5.6e-3 rad on */
    ck_assert_int_eq(seen.holds, 0);
    mechanism_free(&m);
}
END_TEST

/* Rows that repeat each other for good are no change point. */
START_TEST(a_door_on_three_hinges_is_watched)
{
    mechanism m =
        mechanism_read("tenon: 1\nbodies: {door: {position: [0.5, 0, 0], mass: 10, inertia: [0.1, "
                       "1, 1]}}\njoints:\n"
                       "  a: {type: hinge, a: door, origin: [0, 0.5, 0], axis: [0, 1, 0.3], "
                       "break_force: 300, speed: {theta: 1}}\n"
                       "  b: {type: hinge, a: door, origin: [0, -0.5, -0.3], axis: [0, 1, 0.3], "
                       "break_force: 300}\n"
                       "  c: {type: hinge, a: door, origin: [0, 0, -0.15], axis: [0, 1, 0.3]}\n");
    tn_sim_options options = mechanism_compile(&m, by_steps[_i]);
    mechanism_start_with(&m, &options);
    for (int k = 0; k < 300; k++)
        ck_assert_int_eq(tn_sim_step(m.sim, 0.01, NULL), TN_OK);
    ck_assert_int_eq(tn_sim_accuracy(m.sim).unwatched, 0);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("breaking_at_folds");
    TCase *tc = tcase_create("core");
    tcase_add_loop_test(tc, a_load_with_a_pole_breaks_its_joint, 0, 2 * ACCURACIES);
    tcase_add_loop_test(tc, a_load_without_one_breaks_nothing, 0, 2 * ACCURACIES);
    tcase_add_loop_test(tc, short_steps_break_it_at_the_same_time, ALL_OR_FEW(0, 1), 2);
    tcase_add_loop_test(tc, a_look_at_the_change_point_breaks_nothing, 0, 8);
    tcase_add_loop_test(tc, steps_of_one_length_say_that_they_do_not_look, 0, 12);
    tcase_add_loop_test(tc, a_door_on_three_hinges_is_watched, 0, 3);
    suite_add_tcase(suite, tc);
    return suite;
}
