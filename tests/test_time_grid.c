/* The times of a run: as many steps as fit, records where they are due, nothing drifts. */
#include <check.h>
#include <math.h>

#include "support/run_main.h"
#include "tenon/sim.h"

/* How many steps there are, and how long the last one is. */
START_TEST(whole_steps_and_a_rest)
{
    static const struct {
        double step, duration;
        int64_t steps;
        double last;
    } runs[] = {{0.1, 1.0, 10, 0.1},
                {0.3, 1.0, 4, 0.1},
                {1e-3, 10.0, 10000, 1e-3},
                {2.0, 0.5, 1, 0.5},
                {0.1, 0.3, 3, 0.1}, /* 0.3 is 2.9999999999999996 of them */
                {1.0 / 60.0, 5.0, 300, 1.0 / 60.0}};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        const tn_time_grid grid = tn_time_grid_of(runs[i].step, runs[i].duration, (double)NAN);
        double time = 0.0, step = 0.0;
        ck_assert_int_eq(grid.steps, runs[i].steps);
        for (int64_t k = 0; k < grid.steps; k++) {
            step = tn_time_grid_step(&grid, k, time);
            time += step;
        }
        ck_assert_double_eq_tol(step, runs[i].last, 1e-12);
        ck_assert_double_eq_tol(time, runs[i].duration, 1e-12);
    }
}
END_TEST

/* A time that has drifted is brought back to the grid by one step; rounding is left alone. */
START_TEST(drift_is_made_up_for)
{
    const tn_time_grid grid = tn_time_grid_of(0.01, 1.0, (double)NAN);
    ck_assert_double_eq(tn_time_grid_step(&grid, 4, 0.04 + 1e-15), 0.01);
    ck_assert_double_eq_tol(tn_time_grid_step(&grid, 4, 0.0401), 0.0099, 1e-15);
}
END_TEST

/* Records are at the first step at or after each multiple of their period, and at the end. */
START_TEST(records_are_in_time)
{
    static const int64_t thirds[] = {0, 4, 7, 10, 14, 15};
    const tn_time_grid uneven = tn_time_grid_of(0.1, 1.5, 1.0 / 3.0);
    for (size_t i = 1; i < sizeof thirds / sizeof thirds[0]; i++) {
        ck_assert_int_eq(tn_time_grid_next_record(&uneven, thirds[i - 1]), thirds[i]);
    }
    const tn_time_grid every_step = tn_time_grid_of(0.1, 1.5, (double)NAN);
    ck_assert_int_eq(tn_time_grid_next_record(&every_step, 3), 4);
    ck_assert_int_eq(tn_time_grid_next_record(&every_step, 15), 15);
    const tn_time_grid shorter = tn_time_grid_of(0.1, 1.5, 0.01);
    ck_assert_int_eq(tn_time_grid_next_record(&shorter, 3), 4);
}
END_TEST

/* What is no run has no steps. */
START_TEST(what_is_no_grid)
{
    static const struct {
        double step, duration;
    } none[] = {{0.0, 1.0},      {-1.0, 1.0},     {(double)NAN, 1.0}, {(double)INFINITY, 1.0},
                {1.0, 0.0},      {1.0, -1.0},     {1.0, (double)NAN}, {1.0, (double)INFINITY},
                {1e-300, 1e300}, {1e-16, 1.0e+3}, {1.0, 2e15}};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        const tn_time_grid grid = tn_time_grid_of(none[i].step, none[i].duration, (double)NAN);
        ck_assert_msg(grid.steps == 0, "%g s of %g s", none[i].duration, none[i].step);
        ck_assert(isnan(grid.step));
    }
    ck_assert_int_eq(tn_time_grid_of(1e-3, 1e12, (double)NAN).steps, 1000000000000000);
}
END_TEST

/* Beyond the last step the records are over; an index that is none of the steps is the caller's bug:
 * no number where assertions are off. */
START_TEST(what_is_no_step)
{
    const tn_time_grid grid = tn_time_grid_of(0.1, 1.5, 1e300);
    static const int64_t beyond[] = {15, 16, INT64_MAX - 1, INT64_MAX};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        ck_assert_int_eq(tn_time_grid_next_record(&grid, beyond[i]), 15);
        ck_assert_double_eq(tn_time_grid_record_time(&grid, beyond[i]), 1.5);
    }
    ck_assert_int_eq(tn_time_grid_next_record(&grid, 0), 15);
#ifndef TN_ASSERTIONS
    static const int64_t wrong[] = {-1, INT64_MIN, INT64_MAX, INT64_MAX - 1, 16};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        ck_assert(isnan(tn_time_grid_step(&grid, wrong[i], 0.0)));
        ck_assert_double_eq(tn_time_grid_within(&grid, wrong[i], 0.0), 0.0);
    }
    ck_assert(isnan(tn_time_grid_record_time(&grid, -1)));
    ck_assert_int_eq(tn_time_grid_next_record(&grid, -1), 0);
#endif
}
END_TEST

/* The times that these records are for: the multiples themselves, whatever the steps. */
START_TEST(records_have_the_times_asked_for)
{
    const tn_time_grid uneven = tn_time_grid_of(0.1, 1.5, 1.0 / 3.0);
    int64_t k = 0;
    for (int i = 1; i <= 4; i++) {
        k = tn_time_grid_next_record(&uneven, k);
        ck_assert_double_eq_tol(tn_time_grid_record_time(&uneven, k), i / 3.0, 1e-15);
    }
    ck_assert(tn_time_grid_record_time(&uneven, 15) == 1.5);
    const tn_time_grid even = tn_time_grid_of(0.1, 1.5, 0.3);
    for (int i = 1; i <= 4; i++)
        ck_assert(tn_time_grid_record_time(&even, 3 * i) == 3 * i * 0.1);
    const tn_time_grid every_step = tn_time_grid_of(0.1, 1.5, (double)NAN);
    ck_assert(tn_time_grid_record_time(&every_step, 7) == 7 * 0.1);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("time grid");
    TCase *tests = tcase_create("time grid");
    tcase_add_test(tests, whole_steps_and_a_rest);
    tcase_add_test(tests, drift_is_made_up_for);
    tcase_add_test(tests, records_are_in_time);
    tcase_add_test(tests, what_is_no_grid);
    tcase_add_test(tests, what_is_no_step);
    tcase_add_test(tests, records_have_the_times_asked_for);
    suite_add_tcase(suite, tests);
    return suite;
}
