/* test_short_parts.c: bounds that are met after a small part of a step: dry friction that stops a
 * body, a motor that reaches its speed, and friction that no motion fits (Painleve), with every
 * integrator.
 *
 * Right values: closed forms, given with each test.
 */
#include <math.h>
#include <stdio.h>

#include "mechanism.h"
#include "run_main.h"
#include "tenon/io.h"

static mechanism defect(const char *name, int method, double *step)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/defects/%s", TN_TEST_DATA, name);
    mechanism m = {NULL, NULL, NULL};
    ck_assert_int_eq(tn_spec_read_file(path, NULL, &m.spec), TN_OK);
    *step = tn_spec_simulation(m.spec)->step;
    mechanism_start(&m, method);
    return m;
}

static double coordinate(const mechanism *m)
{
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(m->sim, (tn_joint){0}, q);
    return q[0];
}

/* 1 kg at 1 m/s against 1e5 N stops after 1e-5 s, v^2 / 2 a = 5e-6 m on; the step is 0.01 s.
 * Methods of first order move by the speed of the end of each part: not at all, or by all of it. */
START_TEST(friction_in_a_short_step)
{
    double step;
    mechanism m = defect("friction_in_a_short_step.yaml", _i, &step);
    mechanism_run(&m, step, 2, NULL);
    const double tolerance = method_is_second_order(_i) ? 1e-11 : 5.1e-6;
    ck_assert_double_eq_tol(coordinate(&m), 5e-6, tolerance);
    const tn_energy energy = tn_sim_energy(m.sim);
    ck_assert_double_eq_tol(energy.kinetic, 0.0, 1e-18);
    ck_assert_double_eq_tol(energy.lost, 0.5, 1e-6);
    mechanism_free(&m);
}
END_TEST

/* 0.1 kg m^2 reach 1.5 rad/s after 1.5e-9 s; then the step's 1/60 s is left. */
START_TEST(motor_in_a_short_step)
{
    double step;
    mechanism m = defect("motor_in_a_short_step.yaml", _i, &step);
    mechanism_run(&m, step, 1, NULL);
    ck_assert_double_eq_tol(coordinate(&m), 1.5 / 60.0 - 0.5 * 1.5 * 1.5e-9, 2e-9);
    const tn_energy energy = tn_sim_energy(m.sim);
    ck_assert_double_eq_tol(energy.kinetic, 0.5 * 0.1 * 1.5 * 1.5, 1e-12);
    ck_assert_double_eq_tol(energy.work, energy.kinetic, 1e-6);
    mechanism_free(&m);
}
END_TEST

/* A rod on a shoe that rubs with 5 times its reaction: at first two forces fit, N = 2.815 N and -5.264 N, as the slide can
 * pull. The first is the one that stays where friction follows what presses (dN / d(mu N) is -3.3, and 3.3 of the other): methods that
 * divide their steps go by it; the numbers are those of the rod's own two equations with N > 0 in 75 000 midpoint steps. Others
 * swing ever wider, and refuse. Nobody makes energy. */
START_TEST(painleve)
{
    double step;
    mechanism m = defect("painleve_backward_euler.json", _i, &step);
    const double before = tn_sim_energy(m.sim).total;
    tn_status status = TN_OK;
    tn_step_report report;
    for (int k = 0; k < 500 && status == TN_OK; k++) {
        status = tn_sim_step(m.sim, step, &report);
        const tn_energy energy = tn_sim_energy(m.sim);
        ck_assert_double_eq_tol(energy.total + energy.lost, before, 0.02 * before);
        if (k == 149 && status == TN_OK)
            ck_assert_double_eq_tol(fabs(coordinate(&m)), 0.27591032485, 1e-7);
    }
    const bool divides = _i == TN_AUTO || _i == TN_DORMAND_PRINCE;
    ck_assert_int_eq(status, divides ? TN_OK : TN_ERROR_NOT_CONVERGED);
    if (!divides)
        ck_assert_str_eq(tn_model_joint_name(m.model, report.culprit_joint), "way");
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("short_parts");
    TCase *test = tcase_create("every integrator");
    tcase_set_timeout(test, 120.0);
    tcase_add_loop_test(test, friction_in_a_short_step, 0, METHODS);
    tcase_add_loop_test(test, motor_in_a_short_step, 0, METHODS);
    tcase_add_loop_test(test, painleve, 0, METHODS);
    suite_add_tcase(suite, test);
    return suite;
}
