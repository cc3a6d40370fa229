/* test_drive_friction.c: friction that holds more than it takes to slip, and friction under a
 * motion that turns: closed forms of a block on a belt, a block on a slope, a wheel that swings.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/drive_scenes.h"
#include "support/run_main.h"

#define PI 3.14159265358979323846

static const int steppers[] = {TN_GENERALIZED_ALPHA, TN_CONSTRAINED_BACKWARD_EULER,
                               TN_BACKWARD_EULER, TN_DORMAND_PRINCE};

/* ---- a block on a belt, held by a spring ---- */

enum { BELT, GRIP, SPRING };

static const double belt_speed = 0.3, stiffness = 200.0, block_mass = 2.0; /* m/s; N/m; kg */
static const double kinetic = 6.0, sticking = 10.0;                        /* N */

static mechanism block_on_belt(void)
{
    char text[1024];
    snprintf(text, sizeof text,
             "tenon: 1\nworld: planar\ngravity: [0, -9.81]\nbodies:\n"
             "  belt: {position: [0, 0], mass: 1, inertia: 1}\n"
             "  block: {position: [0, 0.1], mass: %g, inertia: 0.1}\n"
             "joints:\n"
             "  belt: {type: slider, a: belt, origin: [0, 0], axis: [1, 0],\n"
             "    drive: {z: {position: {polynomial: [0, %g]}}}}\n"
             "  grip: {type: slider, a: block, b: belt, origin: [0, 0.1], axis: [1, 0],\n"
             "    friction: {z: {force: %g, static_force: %g}}}\n"
             "  spring: {type: distance, a: block, frame_c: {position: [0, 0.1]},\n"
             "    frame_d: {position: [-1, 0.1]}, spring: {length: {stiffness: %g, rest: 1}}}\n",
             block_mass, belt_speed, kinetic, sticking, stiffness);
    return mechanism_read(text);
}

/* Times of the k-th slip and stick: the block rides until the spring pulls with the static bound;
 * it slips, y'' = -w^2 y, y = x - kinetic / k, from y = (static - kinetic) / k and y' = V until y'
 * = V again, (2 / w) (pi - atan(y w / V)) later at -y; and rides from there. */
static double slip_time(int k)
{
    const double w = sqrt(stiffness / block_mass), y = (sticking - kinetic) / stiffness;
    const double slips = 2.0 / w * (PI - atan(y * w / belt_speed)), rides = 2.0 * y / belt_speed;
    return sticking / stiffness / belt_speed + k / 2 * (slips + rides) + k % 2 * slips;
}

typedef struct event_times {
    double error; /* s, the worst */
    int count;
} event_times;

static event_times run_belt(double h)
{
    mechanism m = block_on_belt();
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    event_times times = {0.0, 0};
    while (tn_sim_time(m.sim) < 4.0) {
        drive_run(&m, h, 1);
        for (int32_t k = 0; k < tn_sim_event_count(m.sim); k++) {
            const tn_event *e = tn_sim_event(m.sim, k);
            if (e->joint.i != GRIP || (times.count == 0 && e->kind == TN_EVENT_STUCK))
                continue; /* it sticks from the start */
            ck_assert_int_eq(e->kind, times.count % 2 ? TN_EVENT_STUCK : TN_EVENT_SLIPPING);
            times.error = fmax(times.error, fabs(e->time - slip_time(times.count++)));
        }
    }
    const tn_energy energy = tn_sim_energy(m.sim);
    ck_assert_double_eq_tol(energy.total - energy.work + energy.lost,
                            0.5 * 3.0 * 0.09 + 19.62 * 0.1, 1e-4);
    mechanism_free(&m);
    return times;
}

START_TEST(block_on_a_belt_sticks_and_slips_in_time)
{
    const event_times coarse = run_belt(4e-3), fine = run_belt(2e-3);
    ck_assert_int_ge(fine.count, 12);
    ck_assert_int_eq(coarse.count, fine.count);
    ck_assert_double_le(fine.error, 1.5e-4);
    ck_assert_double_le(fine.error, 0.3 * coarse.error);
}
END_TEST

/* ---- a block on a slope: it holds to its static bound, then slides at once with its kinetic ----
 */

static double slide(double angle, int stepper, double *force)
{
    const slope_data slope = {2.0, angle, 0.0, 10.0, 0.0, 0.0};
    tn_drive_def drive = tn_default_drive_def();
    drive.friction.coefficient = 0.3;
    drive.friction.static_coefficient = 0.5;
    mechanism m = drive_slope(&slope, &drive);
    mechanism_start(&m, stepper);
    drive_run(&m, 1e-3, 500);
    *force = tn_sim_coordinate_force(m.sim, joint0, 0, TN_WRENCH_FRICTION);
    const double speed = drive_speed(&m, 0, 0);
    mechanism_free(&m);
    return speed;
}

START_TEST(static_friction_holds_more_than_kinetic)
{
    const double steep = atan(0.5) + 1e-3, flat = atan(0.5) - 1e-3;
    double force;
    ck_assert_double_eq_tol(slide(flat, steppers[_i], &force), 0.0, 1e-16);
    ck_assert_double_eq_tol(force, 20.0 * sin(flat), 1e-9);
    ck_assert_double_eq_tol(slide(steep, steppers[_i], &force),
                            -10.0 * (sin(steep) - 0.3 * cos(steep)) * 0.5, 1e-9);
    ck_assert_double_eq_tol(force, 0.3 * 20.0 * cos(steep), 1e-9);
}
END_TEST

/* What is let go of slips ever after: the bound that held it is not reached again. */
START_TEST(changed_friction_is_the_new_one)
{
    const slope_data slope = {2.0, atan(0.4), 0.0, 10.0, 0.0, 0.0};
    tn_drive_def drive = tn_default_drive_def();
    drive.friction.coefficient = 0.5;
    mechanism m = drive_slope(&slope, &drive);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    drive_run(&m, 1e-3, 10);
    tn_friction_def friction = tn_default_friction_def();
    friction.coefficient = 0.1;
    friction.static_coefficient = 0.05;
    ck_assert_int_eq(tn_sim_set_friction(m.sim, joint0, 0, &friction), TN_ERROR_ARGUMENT);
    friction.static_coefficient = 0.5;
    ck_assert_int_eq(tn_sim_set_friction(m.sim, joint0, 0, &friction), TN_OK);
    drive_run(&m, 1e-3, 100);
    ck_assert_double_eq_tol(drive_speed(&m, 0, 0), 0.0, 1e-16);
    friction.static_coefficient = 0.3;
    ck_assert_int_eq(tn_sim_set_friction(m.sim, joint0, 0, &friction), TN_OK);
    drive_run(&m, 1e-3, 100);
    ck_assert_double_eq_tol(drive_speed(&m, 0, 0), -10.0 * (0.4 - 0.1) * cos(atan(0.4)) * 0.1,
                            1e-9);
    mechanism_free(&m);
}
END_TEST

/* ---- a wheel that swings against friction ---- */

static const pendulum_data wheel = {2.0, 0.0, 0.3, 0.0, 0.0, 0.0};
static const double swing[4] = {2.0, 5.0, 0.4, 0.0}; /* 2 sin(5 t + 0.4) */

/* Work against friction, F times the way: between turns at cos = 0 the way of 2 sin(5 t + 0.4) is
 * 4, and it is known at both ends. */
static double friction_loss(double force, double t)
{
    double way = 0.0, from = 0.0;
    for (int k = 0; from < t; k++) {
        const double turn = fmin(t, ((k + 0.5) * PI - swing[2]) / swing[1]);
        way += fabs(sin(swing[1] * turn + swing[2]) - sin(swing[1] * from + swing[2]));
        from = turn;
    }
    return 2.0 * force * way;
}

typedef struct swing_run {
    double lost, torque; /* J, N m: the worst errors */
} swing_run;

/* Its angle is prescribed, or its speed is a motor's: torque I q'' + F sign(q'). */
static swing_run run_swing(int by_motor, double h)
{
    static const double speed[4] = {10.0, 5.0, 0.4 + 0.5 * PI, 0.0};
    tn_drive_def drive = tn_default_drive_def();
    drive.friction.force = 0.7;
    if (by_motor) {
        drive.motor.speed = drive_sine(speed);
        drive.motor.max_force = 50.0;
    } else {
        drive.position = drive_sine(swing);
    }
    pendulum_data start = wheel;
    start.speed = 10.0 * cos(0.4);
    mechanism m = drive_pendulum(&start, &drive);
    mechanism_start_tight(&m, TN_GENERALIZED_ALPHA);
    swing_run worst = {0.0, 0.0};
    for (int k = 1; k <= 2.0 / h; k++) {
        drive_run(&m, h, 1);
        const double t = tn_sim_time(m.sim), phase = swing[1] * t + swing[2];
        const double wanted = -0.3 * 50.0 * sin(phase) + 0.7 * (cos(phase) > 0.0 ? 1.0 : -1.0);
        const tn_wrench_part part = by_motor ? TN_WRENCH_MOTOR : TN_WRENCH_DRIVER;
        worst.torque =
            fmax(worst.torque, fabs(tn_sim_coordinate_force(m.sim, joint0, 0, part) - wanted));
        worst.lost = fmax(worst.lost, fabs(tn_sim_energy(m.sim).lost - friction_loss(0.7, t)));
    }
    mechanism_free(&m);
    return worst;
}

/* The moment at which it turns is met: what friction takes is second order in the step, as between
 * turns, and every torque is that of the side it is on. */
START_TEST(friction_turns_with_the_motion)
{
    const swing_run coarse = run_swing(_i, 1e-2), fine = run_swing(_i, 5e-3);
    ck_assert_double_le(fine.lost, 0.3 * coarse.lost);
    ck_assert_double_le(fine.lost, 0.7 * 20.0 * 2.0 * 25e-6); /* F v'' T h^2 / 12, and room */
    ck_assert_double_le(fine.torque, 0.3 * coarse.torque);
    ck_assert_double_le(fine.torque, 15.0 * 25.0 * 25e-6);
}
END_TEST

/* A motor of 4 N m turns 0.3 kg m^2 with 2 - 4 t^2: while the wheel slows down friction helps, once
 * it has turned friction is on the other side, and 0.3 times 8 t reaches 4 - 0.7, not 4 + 0.7. */
START_TEST(motor_meets_its_cap_on_the_right_side_of_the_turn)
{
    static const double speed[3] = {2.0, 0.0, -4.0}; /* turns at t = 1/sqrt 2 */
    tn_drive_def drive = tn_default_drive_def();
    drive.motor.speed = drive_polynomial(speed, 3);
    drive.motor.max_force = 4.0;
    drive.friction.force = 0.7;
    pendulum_data start = wheel;
    start.speed = 2.0;
    mechanism m = drive_pendulum(&start, &drive);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    double at_cap = 0.0;
    for (int k = 0; k < 250; k++) {
        drive_run(&m, 7e-3, 1);
        for (int32_t e = 0; e < tn_sim_event_count(m.sim); e++)
            if (tn_sim_event(m.sim, e)->kind == TN_EVENT_MOTOR_AT_CAP)
                at_cap = tn_sim_event(m.sim, e)->time;
    }
    ck_assert_double_eq_tol(at_cap, 3.3 / 0.3 / 8.0, 1e-6);
    mechanism_free(&m);
}
END_TEST

/* ---- a bob that spins on a sled ---- */

/* 16 N sin 4 t pull the sled along its rail; 6 N hold it until asin(6 / 16) / 4 s. */
static mechanism spinning_bob(const char *hold)
{
    char text[1024];
    snprintf(text, sizeof text,
             "tenon: 1\ngravity: [0, 0, 0]\nbodies:\n"
             "  sled: {position: [0, 0, 0], mass: 3, inertia: [1, 1, 1]}\n"
             "  bob: {position: [0, 1, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
             "joints:\n"
             "  rail: {type: slider, a: sled, origin: [0, 0, 0], axis: [1, 0, 0], %s}\n"
             "  pin: {type: hinge, a: bob, b: sled, origin: [0, 0, 0], axis: [0, 0, 1],\n"
             "    speed: {theta: -4}}\n",
             hold);
    return mechanism_read(text);
}

/* What joints pull with as bodies turn counts against what holds, in parts of steps too: with methods of first order
 * the sled leaves within two steps of its time, goes as far as with an accuracy but for the share of a step, and is
 * held and let go no more. */
START_TEST(what_turns_pulls_a_sled_off)
{
    static const char *const holds[] = {"friction: {z: {force: 6}}",
                                        "motor: {z: {speed: 0, max_force: 6}}"};
    mechanism exact = spinning_bob(holds[_i % 2]);
    mechanism_start(&exact, TN_DORMAND_PRINCE);
    drive_run(&exact, 1e-2, 100);
    for (int k = 0; k < 3; k++) {
        const double h = 1e-2 / (1 << 2 * k);
        mechanism m = spinning_bob(holds[_i % 2]);
        mechanism_start(&m, steppers[_i / 2]);
        double leaves = 0.0;
        int changes = 0;
        for (int step = 0; step < 100 << 2 * k; step++) {
            drive_run(&m, h, 1);
            for (int32_t e = 0; e < tn_sim_event_count(m.sim); e++) {
                const tn_event *event = tn_sim_event(m.sim, e);
                const bool left =
                    event->kind == TN_EVENT_SLIPPING || event->kind == TN_EVENT_MOTOR_AT_CAP;
                changes += event->time > 0.0;
                leaves = left ? event->time : leaves;
            }
        }
        ck_assert_int_eq(changes, 1);
        ck_assert_double_eq_tol(leaves, asin(6.0 / 16.0) / 4.0, 2.0 * h);
        for (int32_t j = 0; j < 2; j++)
            ck_assert_double_eq_tol(drive_coordinate(&m, j, 0), drive_coordinate(&exact, j, 0),
                                    15.0 * h);
        mechanism_free(&m);
    }
    mechanism_free(&exact);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("drive_friction");
    TCase *tc = tcase_create("drive_friction");
    tcase_add_test(tc, block_on_a_belt_sticks_and_slips_in_time);
    tcase_add_loop_test(tc, static_friction_holds_more_than_kinetic, 0, 4);
    tcase_add_test(tc, changed_friction_is_the_new_one);
    tcase_add_loop_test(tc, friction_turns_with_the_motion, 0, 2);
    tcase_add_test(tc, motor_meets_its_cap_on_the_right_side_of_the_turn);
    tcase_add_loop_test(tc, what_turns_pulls_a_sled_off, 0, 8);
    suite_add_tcase(suite, tc);
    return suite;
}
