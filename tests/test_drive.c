/* test_drive.c: prescribed motions: the force they take, what they do beside locks and limits, the
 * work they do.
 *
 * Numbers are closed forms given with each test, or balances: Newton and Euler, power, energy.
 */
#include <check.h>
#include <math.h>

#include "support/drive_scenes.h"
#include "support/run_main.h"
#include "support/saved_states.h"

static const pendulum_data pendulum = {2.0, 0.7, 0.3, 0.2, 0.0, DRIVE_GRAVITY};
static const double swing[4] = {0.8, 3.0, 0.4, 0.3};

/* Value, rate and acceleration of the sine. */
static void sine_at(const double n[4], double t, double out[3])
{
    out[0] = n[3] + n[0] * sin(n[1] * t + n[2]);
    out[1] = n[0] * n[1] * cos(n[1] * t + n[2]);
    out[2] = -n[0] * n[1] * n[1] * sin(n[1] * t + n[2]);
}

static double driver_force(const mechanism *m, int32_t joint)
{
    return tn_sim_coordinate_force(m->sim, (tn_joint){joint}, 0, TN_WRENCH_DRIVER);
}

/* tau = (I + m l^2) q'' + m g l cos q at every step: q on the sine to round-off, the torque to
 * second order. */
static double torque_error(double h)
{
    tn_drive_def drive = tn_default_drive_def();
    drive.position = drive_sine(swing);
    mechanism m = drive_pendulum(&pendulum, &drive);
    mechanism_start_tight(&m, TN_GENERALIZED_ALPHA);
    double q[3], worst = 0.0;
    sine_at(swing, 0.0, q);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), q[0], 1e-12);
    ck_assert_double_eq_tol(drive_speed(&m, 0, 0), q[1], 1e-12);
    const double inertia = pendulum.inertia + pendulum.mass * pendulum.arm * pendulum.arm;
    for (int k = 1; k * h < 1.0; k++) {
        drive_run(&m, h, 1);
        sine_at(swing, tn_sim_time(m.sim), q);
        ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), q[0], 1e-12);
        const double torque =
            inertia * q[2] + pendulum.mass * DRIVE_GRAVITY * pendulum.arm * cos(q[0]);
        worst = fmax(worst, fabs(driver_force(&m, 0) - torque));
        tn_balance balance;
        ck_assert_int_eq(tn_sim_balance(m.sim, &balance), TN_OK);
        ck_assert_double_le(fmax(balance.force, balance.moment), 1e-10);
        drive_check_parts(&m, joint0);
    }
    mechanism_free(&m);
    return worst;
}

START_TEST(pendulum_on_a_sine_takes_the_torque_of_inverse_dynamics)
{
    const double coarse = torque_error(4e-3), fine = torque_error(2e-3);
    ck_assert_double_le(fine, 2e-3);
    ck_assert_double_ge(coarse / fine, 3.5);
    ck_assert_double_le(coarse / fine, 4.5);
}
END_TEST

START_TEST(parabola_takes_a_constant_force_exactly)
{
    static const double parabola[3] = {0.1, 0.5, 1.5};
    const slope_data slope = {1.5, 0.4, 0.0, DRIVE_GRAVITY, 0.0, 0.0};
    tn_drive_def drive = tn_default_drive_def();
    drive.position = drive_polynomial(parabola, 3);
    mechanism m = drive_slope(&slope, &drive);
    mechanism_start_tight(&m, TN_GENERALIZED_ALPHA);
    for (int k = 0; k < 200; k++) {
        drive_run(&m, 5e-3, 1);
        const double force = 1.5 * (3.0 + DRIVE_GRAVITY * sin(0.4));
        ck_assert_double_eq_tol(driver_force(&m, 0), force, 1e-8);
        ck_assert_double_eq_tol(tn_sim_coordinate_power(m.sim, joint0, 0, TN_WRENCH_DRIVER),
                                force * (0.5 + 3.0 * tn_sim_time(m.sim)), 1e-8);
    }
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 0.1 + 0.5 + 1.5, 1e-11);
    mechanism_free(&m);
}
END_TEST

START_TEST(work_of_a_driver_closes_the_audit)
{
    tn_drive_def drive = tn_default_drive_def();
    drive.position = drive_sine(swing);
    double error[2];
    for (int k = 0; k < 2; k++) {
        mechanism m = drive_pendulum(&pendulum, &drive);
        mechanism_start_tight(&m, TN_GENERALIZED_ALPHA);
        const double h = k ? 1e-3 : 2e-3, before = drive_balance_of_energy(&m);
        drive_run(&m, h, k ? 2000 : 1000);
        error[k] = fabs(drive_balance_of_energy(&m) - before);
        mechanism_free(&m);
    }
    ck_assert_double_le(error[1], 1e-4);
    ck_assert_double_le(error[1], 0.3 * error[0]);
}
END_TEST

static const int steppers[] = {TN_GENERALIZED_ALPHA, TN_CONSTRAINED_BACKWARD_EULER,
                               TN_BACKWARD_EULER, TN_DORMAND_PRINCE};

START_TEST(all_steppers_keep_the_coordinate_on_its_motion)
{
    tn_drive_def drive = tn_default_drive_def();
    drive.position = drive_sine(swing);
    mechanism m = drive_pendulum(&pendulum, &drive);
    mechanism_start(&m, steppers[_i]);
    const double inertia = pendulum.inertia + pendulum.mass * pendulum.arm * pendulum.arm;
    for (int k = 0; k < 500; k++) {
        drive_run(&m, 1e-3, 1);
        double q[3];
        sine_at(swing, tn_sim_time(m.sim), q);
        ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), q[0], 1e-9);
        const double torque =
            inertia * q[2] + pendulum.mass * DRIVE_GRAVITY * pendulum.arm * cos(q[0]);
        ck_assert_double_eq_tol(driver_force(&m, 0), torque, 0.15);
    }
    mechanism_free(&m);
}
END_TEST

START_TEST(driven_joint_far_from_its_start_is_placed_there)
{
    static const double ramp[2] = {2.5, 1.0};
    tn_drive_def drive = tn_default_drive_def();
    drive.position = drive_polynomial(ramp, 2);
    mechanism m = drive_pendulum(&pendulum, &drive);
    mechanism_start(&m, steppers[_i]);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 2.5, 1e-12);
    ck_assert_double_eq_tol(drive_speed(&m, 0, 0), 1.0, 1e-12);
    drive_run(&m, 1e-3, 100);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 2.6, 1e-11);
    mechanism_free(&m);
}
END_TEST

/* Switching: driven, locked, driven again, free; and a program's own motion. */
START_TEST(switching_between_driven_locked_and_free)
{
    mechanism m = drive_pendulum(&pendulum, NULL);
    mechanism_start(&m, steppers[_i]);
    drive_run(&m, 1e-3, 50);
    const double q = drive_coordinate(&m, 0, 0);
    ck_assert_int_eq(tn_sim_set_driver_motion(m.sim, joint0, 0, q, 2.0, -1.0), TN_OK);
    ck_assert_int_eq(tn_sim_coordinate_holder(m.sim, joint0, 0), TN_HELD_BY_NOTHING);
    drive_run(&m, 1e-3, 100);
    ck_assert_int_eq(tn_sim_coordinate_holder(m.sim, joint0, 0), TN_HELD_BY_DRIVER);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), q + 0.2 - 0.005, 1e-9);
    ck_assert_int_eq(tn_sim_set_locked(m.sim, joint0, 0, 1), TN_OK);
    drive_run(&m, 1e-3, 100);
    ck_assert_int_eq(tn_sim_coordinate_holder(m.sim, joint0, 0), TN_HELD_BY_LOCK);
    ck_assert_double_eq(driver_force(&m, 0), 0.0);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), q + 0.2 - 0.005, 1e-9);
    ck_assert_int_eq(tn_sim_set_locked(m.sim, joint0, 0, 0), TN_OK);
    drive_run(&m, 1e-3, 100);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), q + 0.6 - 0.045, 1e-9);
    ck_assert_int_eq(tn_sim_set_driver(m.sim, joint0, 0, NULL), TN_OK);
    drive_run(&m, 1e-3, 1);
    ck_assert_int_eq(tn_sim_coordinate_holder(m.sim, joint0, 0), TN_HELD_BY_NOTHING);
    ck_assert_double_eq(driver_force(&m, 0), 0.0);
    mechanism_free(&m);
}
END_TEST

/* A prescribed motion that leads out of the range rests at the limit and is taken up again when it
 * comes back: q = max(-0.5, min(0.5, h(t))). */
START_TEST(limit_holds_against_a_prescribed_motion)
{
    static const double wide[4] = {0.8, 2.0, 0.0, 0.0};
    const slope_data flat = {1.5, 0.0, 0.0, DRIVE_GRAVITY, -0.5, 0.5};
    tn_drive_def drive = tn_default_drive_def();
    drive.position = drive_sine(wide);
    mechanism m = drive_slope(&flat, &drive);
    mechanism_start(&m, steppers[_i]);
    int events = 0, held = 0;
    for (int k = 0; k < 700; k++) {
        events += drive_run(&m, 5e-3, 1);
        double q[3];
        sine_at(wide, tn_sim_time(m.sim), q);
        const double wanted = fmax(-0.5, fmin(0.5, q[0]));
        ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), wanted, 1e-9);
        held += tn_sim_coordinate_holder(m.sim, joint0, 0) == TN_HELD_BY_LIMIT;
    }
    ck_assert_int_gt(held, 100);
    ck_assert_int_le(events, 12);
    mechanism_free(&m);
}
END_TEST

START_TEST(saved_state_goes_on_with_the_same_bits)
{
    tn_drive_def drive = tn_default_drive_def();
    drive.position = drive_sine(swing);
    mechanism m = drive_pendulum(&pendulum, &drive);
    mechanism_start(&m, steppers[_i]);
    drive_run(&m, 1e-3, 20);
    void *middle = saved_state(m.sim);
    drive_run(&m, 1e-3, 30);
    void *end = saved_state(m.sim);
    ck_assert_int_eq(tn_sim_restore(m.sim, middle), TN_OK);
    drive_run(&m, 1e-3, 30);
    ck_assert(is_saved_as(m.sim, end));
    free(middle);
    free(end);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("drive");
    TCase *motions = tcase_create("motions");
    tcase_add_test(motions, pendulum_on_a_sine_takes_the_torque_of_inverse_dynamics);
    tcase_add_test(motions, parabola_takes_a_constant_force_exactly);
    tcase_add_test(motions, work_of_a_driver_closes_the_audit);
    tcase_add_loop_test(motions, all_steppers_keep_the_coordinate_on_its_motion, 0, 4);
    tcase_add_loop_test(motions, driven_joint_far_from_its_start_is_placed_there, 0, 4);
    tcase_add_loop_test(motions, switching_between_driven_locked_and_free, 0, 4);
    tcase_add_loop_test(motions, limit_holds_against_a_prescribed_motion, 0, 4);
    tcase_add_loop_test(motions, saved_state_goes_on_with_the_same_bits, 0, 4);
    tcase_set_timeout(motions, 60);
    suite_add_tcase(suite, motions);
    return suite;
}
