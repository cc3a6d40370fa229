/* test_drive_springs.c: springs and viscous friction along coordinates.
 *
 * Closed forms: static deflection, frequency, decay; and balances of energy.
 */
#include <check.h>
#include <math.h>

#include "support/drive_scenes.h"
#include "support/run_main.h"

#define PI 3.14159265358979323846

static const int steppers[] = {TN_GENERALIZED_ALPHA, TN_CONSTRAINED_BACKWARD_EULER,
                               TN_BACKWARD_EULER, TN_DORMAND_PRINCE};

static tn_drive_def spring_def(double stiffness, double damping)
{
    tn_drive_def drive = tn_default_drive_def();
    drive.spring.stiffness = stiffness;
    drive.spring.damping = damping;
    return drive;
}

static double spring_force(const mechanism *m)
{
    return tn_sim_coordinate_force(m->sim, joint0, 0, TN_WRENCH_SPRING);
}

/* The amplitude of an undamped oscillator, from its state. */
static double amplitude(const mechanism *m, double rate)
{
    const double q = drive_coordinate(m, 0, 0), v = drive_speed(m, 0, 0) / rate;
    return sqrt(q * q + v * v);
}

START_TEST(undamped_1_hz_spring_keeps_its_amplitude)
{
    tn_drive_def drive = tn_default_drive_def();
    drive.spring.frequency = 1.0;
    const slope_data flat = {1.5, 0.0, 2.0 * PI * 0.1, 0.0, 0.0, 0.0};
    mechanism m = drive_slope(&flat, &drive);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    drive_run(&m, 1.0 / 60.0, 6000); /* 100 periods */
    ck_assert_double_eq_tol(amplitude(&m, 2.0 * PI), 0.1, 1e-3);
    mechanism_free(&m);
}
END_TEST

START_TEST(weight_on_a_spring_rests_at_its_static_deflection)
{
    /* ArtiSynth's mid-point rule rings for ever where the step does not resolve the spring
     */
    const double k = _i < 3 ? 800.0 : 1e12, d = _i < 3 ? 60.0 : 1e7;
    const slope_data steep = {1.5, 0.5 * PI, 0.0, DRIVE_GRAVITY, 0.0, 0.0};
    tn_drive_def drive = spring_def(k, d);
    static const double rest = 0.25;
    drive.spring.rest = drive_constant(&rest);
    mechanism m = drive_slope(&steep, &drive);
    mechanism_start(&m, steppers[_i < 3 ? _i : _i == 3 ? 0 : 2]);
    drive_run(&m, 1e-2, 400);
    const double weight = 1.5 * DRIVE_GRAVITY;
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), rest - weight / k, 1e-6);
    ck_assert_double_eq_tol(spring_force(&m), weight, 1e-4 * weight);
    ck_assert_double_eq_tol(tn_sim_energy(m.sim).elastic, 0.5 * weight * weight / k, 1e-4);
    drive_check_parts(&m, joint0);
    mechanism_free(&m);
}
END_TEST

/* q = A exp(-z w t) cos(...): the envelope of a damped oscillator after whole damped periods. */
START_TEST(damping_ratio_is_that_of_the_envelope)
{
    const double z = 0.1, w = 2.0 * PI * 2.0, wd = w * sqrt(1.0 - z * z);
    tn_drive_def drive = tn_default_drive_def();
    drive.spring.frequency = 2.0;
    drive.spring.damping_ratio = z;
    const slope_data flat = {1.5, 0.0, 1.0, 0.0, 0.0, 0.0};
    mechanism m = drive_slope(&flat, &drive);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    const double before = drive_balance_of_energy(&m);
    const int count = 4000;
    const double time = 3.0 * 2.0 * PI / wd;
    drive_run(&m, time / count, count);
    ck_assert_double_eq_tol(drive_speed(&m, 0, 0), exp(-z * w * time), 1e-4);
    ck_assert_double_eq_tol(drive_balance_of_energy(&m), before, 1e-5);
    mechanism_free(&m);
}
END_TEST

START_TEST(spring_is_stable_at_any_stiffness_and_step)
{
    static const double stiffness[] = {1e4, 1e8, 1e12};
    const pendulum_data pendulum = {2.0, 0.7, 0.3, 0.0, 0.5, DRIVE_GRAVITY};
    tn_drive_def drive = spring_def(stiffness[_i % 3], 0.0);
    mechanism m = drive_pendulum(&pendulum, &drive);
    mechanism_start(&m, steppers[_i / 3]);
    for (int k = 0; k < 200; k++) {
        drive_run(&m, 0.05, 1);
        ck_assert_double_le(fabs(drive_coordinate(&m, 0, 0)), 0.05);
    }
    mechanism_free(&m);
}
END_TEST

/* The cap: beyond it the spring is a constant force. F = cap: from q0 at rest, q = q0 - cap t^2 /
 * 2m. */
START_TEST(spring_at_its_cap_is_a_constant_force)
{
    static const double rest = 1.0;
    const slope_data flat = {1.5, 0.0, 0.0, 0.0, 0.0, 0.0};
    tn_drive_def drive = spring_def(1e5, 0.0);
    drive.spring.max_force = 3.0;
    drive.spring.rest = drive_constant(&rest);
    mechanism m = drive_slope(&flat, &drive);
    mechanism_start(&m, steppers[_i]);
    const double start = drive_balance_of_energy(&m);
    drive_run(&m, 1e-3, 800);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 0.5 * 2.0 * 0.64, _i ? 2e-3 : 1e-6);
    ck_assert_double_eq_tol(spring_force(&m), 3.0, 1e-12);
    if (_i == 0)
        ck_assert_double_eq_tol(drive_balance_of_energy(&m), start, 1e-6);
    drive_run(&m, 1e-3, 1200); /* there and back: the spring is soft on the way through */
    ck_assert_double_le(fabs(drive_coordinate(&m, 0, 0)), 2.01);
    if (_i == 0)
        ck_assert_double_eq_tol(drive_balance_of_energy(&m), start, 2e-2);
    mechanism_free(&m);
}
END_TEST

/* Against a limit the spring's force is known and the limit takes the rest; both are reported. */
START_TEST(spring_presses_against_a_limit)
{
    static const double rest = 0.3;
    const slope_data flat = {1.5, 0.0, 0.0, DRIVE_GRAVITY, -0.1, 0.1};
    tn_drive_def drive = spring_def(200.0, 20.0);
    drive.spring.rest = drive_constant(&rest);
    mechanism m = drive_slope(&flat, &drive);
    mechanism_start(&m, steppers[_i]);
    drive_run(&m, 1e-3, 1000);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 0.1, 1e-9);
    ck_assert_double_eq_tol(spring_force(&m), 40.0, 1e-6);
    ck_assert_double_eq_tol(tn_sim_coordinate_force(m.sim, joint0, 0, TN_WRENCH_LIMIT), -40.0,
                            1e-6);
    drive_check_parts(&m, joint0);
    ck_assert_int_eq(tn_sim_set_spring_rest(m.sim, joint0, 0, 0.0), TN_OK);
    drive_run(&m, 1e-3, 2000);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 0.0, 1e-3);
    mechanism_free(&m);
}
END_TEST

/* Duffing's spring F = -k x - c x^3: energy k x^2 / 2 + c x^4 / 4 is kept; a softening one too. */
START_TEST(law_of_a_spring_keeps_its_energy)
{
    static const double hard[4] = {0.0, -50.0, 0.0, -400.0}, soft[4] = {0.0, -50.0, 0.0, 60.0};
    const double *law = _i ? soft : hard;
    const slope_data flat = {1.5, 0.0, 2.0, 0.0, 0.0, 0.0};
    tn_drive_def drive = tn_default_drive_def();
    drive.spring.force = drive_polynomial(law, 4);
    mechanism m = drive_slope(&flat, &drive);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    for (int k = 0; k < 20; k++) {
        drive_run(&m, 1e-3, 100);
        const double x = drive_coordinate(&m, 0, 0), v = drive_speed(&m, 0, 0);
        const double elastic = -0.5 * law[1] * x * x - 0.25 * law[3] * x * x * x * x;
        ck_assert_double_eq_tol(tn_sim_energy(m.sim).elastic, elastic, 1e-9);
        ck_assert_double_eq_tol(0.75 * v * v + elastic, 3.0, 1e-3);
        tn_balance balance;
        ck_assert_int_eq(tn_sim_balance(m.sim, &balance), TN_OK);
    }
    mechanism_free(&m);
}
END_TEST

/* m v' = -c v: v = v0 exp(-c t / m), whatever the step. */
START_TEST(viscous_friction_decays)
{
    tn_drive_def drive = tn_default_drive_def();
    drive.friction.viscous = 3.0;
    const slope_data flat = {1.5, 0.0, 2.0, DRIVE_GRAVITY, 0.0, 0.0};
    mechanism m = drive_slope(&flat, &drive);
    mechanism_start(&m, steppers[_i]);
    const double start = drive_balance_of_energy(&m);
    drive_run(&m, 1e-3, 500);
    ck_assert_double_eq_tol(drive_speed(&m, 0, 0), 2.0 * exp(-1.0), _i ? 2e-3 : 1e-6);
    if (_i == 0)
        ck_assert_double_eq_tol(drive_balance_of_energy(&m), start, 1e-5);
    drive_run(&m, 10.0, 10);
    ck_assert_double_le(fabs(drive_speed(&m, 0, 0)), 2.0);
    mechanism_free(&m);
}
END_TEST

/* The rest of two springs is the same side: +0.5 is +0.5 for a length and for an angle. */
START_TEST(spring_rest_has_one_sign_in_all_joints)
{
    static const double rest = 0.5;
    const slope_data flat = {1.5, 0.0, 0.0, 0.0, 0.0, 0.0};
    const pendulum_data wheel = {2.0, 0.0, 0.3, 0.0, 0.0, 0.0};
    tn_drive_def drive = tn_default_drive_def();
    drive.spring.frequency = 1.0;
    drive.spring.damping_ratio = 1.0;
    drive.spring.rest = drive_constant(&rest);
    mechanism m = _i ? drive_slope(&flat, &drive) : drive_pendulum(&wheel, &drive);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    drive_run(&m, 0.01, 500);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 0.5, 1e-6);
    mechanism_free(&m);
}
END_TEST

/* A body hanging on a slider's spring: the joint's wrench carries its weight. */
START_TEST(reaction_of_a_slider_on_its_spring_is_the_weight)
{
    const slope_data steep = {1.0, 0.5 * PI, 0.0, 10.0, 0.0, 0.0};
    tn_drive_def drive = spring_def(1000.0, 60.0);
    mechanism m = drive_slope(&steep, &drive);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    drive_run(&m, 5e-3, 600);
    const tn_wrench w = tn_sim_joint_wrench(m.sim, joint0, TN_WRENCH_ON_A);
    ck_assert_double_eq_tol(w.f.y, 10.0, 1e-6);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("drive_springs");
    TCase *springs = tcase_create("springs");
    tcase_add_test(springs, undamped_1_hz_spring_keeps_its_amplitude);
    tcase_add_loop_test(springs, weight_on_a_spring_rests_at_its_static_deflection, 0, 5);
    tcase_add_test(springs, damping_ratio_is_that_of_the_envelope);
    tcase_add_loop_test(springs, spring_is_stable_at_any_stiffness_and_step, 0, 9);
    tcase_add_loop_test(springs, spring_at_its_cap_is_a_constant_force, 0, 4);
    tcase_add_loop_test(springs, spring_presses_against_a_limit, 0, 4);
    tcase_add_loop_test(springs, law_of_a_spring_keeps_its_energy, 0, 2);
    tcase_add_loop_test(springs, viscous_friction_decays, 0, 4);
    tcase_add_loop_test(springs, spring_rest_has_one_sign_in_all_joints, 0, 2);
    tcase_add_test(springs, reaction_of_a_slider_on_its_spring_is_the_weight);
    tcase_set_timeout(springs, 60);
    suite_add_tcase(suite, springs);
    return suite;
}
