/* test_coupling_drives.c: motors, friction, springs and prescribed motions along couplings.
 *
 * Closed forms of two weights on one rope and of two wheels: c = q_0 + r q_1 under a force F has
 * c'' = F (1/m_0 + r^2/m_1) + what gravity does, and each coordinate gets its share of F.
 */
#include <check.h>
#include <math.h>

#include "support/drive_scenes.h"
#include "support/model_text.h"
#include "support/run_main.h"

#define PI 3.14159265358979323846

static const int steppers[] = {TN_GENERALIZED_ALPHA, TN_CONSTRAINED_BACKWARD_EULER,
                               TN_BACKWARD_EULER, TN_DORMAND_PRINCE};
static const tn_coupling coupling0 = {0};

/* 1 kg and another mass on vertical sliders. */
#define WEIGHTS(mass)                                                                              \
    "tenon: 1\nworld: planar\ngravity: [0, -9.8]\n"                                                \
    "bodies: {a: {mass: 1, inertia: 1}, b: {mass: " mass ", inertia: 1, position: [1, 0]}}\n"      \
    "joints:\n"                                                                                    \
    "  ja: {type: slider, a: a, origin: [0, 0], axis: [0, 1]}\n"                                   \
    "  jb: {type: slider, a: b, origin: [1, 0], axis: [0, 1]}\n"                                   \
    "couplings:\n  c: {terms: [{coordinate: ja.z}, {coordinate: jb.z}], "

/* 0.3 kg m^2 at 4 rad/s and 0.7 kg m^2 at rest: b - 2 a. */
#define WHEELS                                                                                     \
    "tenon: 1\nworld: planar\ngravity: [0, 0]\n"                                                   \
    "bodies:\n  a: {mass: 1, inertia: 0.3, velocity: {angular: 4}}\n"                              \
    "  b: {mass: 1, inertia: 0.7, position: [1, 0]}\n"                                             \
    "joints:\n  ja: {type: hinge, a: a, origin: [0, 0]}\n"                                         \
    "  jb: {type: hinge, a: b, origin: [1, 0]}\n"                                                  \
    "couplings:\n  c: {gear: {a: ja.theta, b: jb.theta, ratio: 2}, "

static tn_joint as_joint(const mechanism *m)
{
    return tn_model_coupling_joint(m->model, coupling0);
}

static double part(const mechanism *m, tn_wrench_part which)
{
    return tn_sim_coordinate_force(m->sim, as_joint(m), 0, which);
}

static tn_coordinate_holder holder(const mechanism *m)
{
    return tn_sim_coordinate_holder(m->sim, as_joint(m), 0);
}

/* The one event of this kind of the last step; NULL: there was none. */
static const tn_event *event_of(const mechanism *m, tn_event_kind kind)
{
    for (int32_t k = 0; k < tn_sim_event_count(m->sim); k++)
        if (tn_sim_event(m->sim, k)->kind == kind)
            return tn_sim_event(m->sim, k);
    return NULL;
}

/* Atwood with a motor at 25 N: c'' = 25 4/3 - 19.6 until c' = 0.5, then the rope carries 14.7 N. */
START_TEST(motor_along_a_rope)
{
    mechanism m = mechanism_of(WEIGHTS("3") "hold: in_range, motor: {speed: 0.5, max_force: 25}}\n",
                               steppers[_i]);
    const double rate = 25.0 * 4.0 / 3.0 - 2.0 * 9.8, reached = 0.5 / rate;
    int tracks = 0;
    for (int k = 0; k < 500; k++) {
        drive_run(&m, 1e-3, 1);
        const double t = tn_sim_time(m.sim), force = tn_sim_coupling_force(m.sim, coupling0);
        ck_assert_double_eq_tol(tn_sim_coupling_speed(m.sim, coupling0), fmin(rate * t, 0.5), 1e-9);
        ck_assert_double_eq_tol(force, t < reached ? 25.0 : 14.7, 1e-7);
        ck_assert_double_eq_tol(part(&m, TN_WRENCH_MOTOR), force, 1e-12);
        ck_assert_double_eq_tol(tn_sim_coupling_term_force(m.sim, coupling0, 0), force, 1e-12);
        ck_assert_double_eq_tol(tn_sim_coupling_wrench(m.sim, coupling0, (tn_body){1}).f.y, force,
                                1e-12);
        ck_assert_double_eq_tol(tn_sim_coordinate_power(m.sim, as_joint(&m), 0, TN_WRENCH_MOTOR),
                                force * tn_sim_coupling_speed(m.sim, coupling0), 1e-9);
        const tn_event *e = event_of(&m, TN_EVENT_MOTOR_TRACKS);
        if (e && tracks++ == 0) {
            ck_assert_double_eq_tol(e->time, reached, 1e-9);
            ck_assert_int_eq(e->joint.i, as_joint(&m).i);
        }
    }
    ck_assert_int_eq(tracks, 1);
    ck_assert_int_eq((int)holder(&m), (int)TN_HELD_BY_MOTOR);
    /* power balance: what the motor puts in is kinetic and potential energy */
    if (_i == 0)
        ck_assert_double_eq_tol(drive_balance_of_energy(&m), 0.0, 1e-9);
    mechanism_free(&m);
}
END_TEST

/* A slipping clutch of 1.4 N m between wheels geared 2 : 1: I_a w_a + 2 I_b w_b stays, b - 2 a
 * sticks when b turns twice as fast as a, and the energy that is gone is friction's. */
START_TEST(friction_in_a_gear_slips_and_then_sticks)
{
    mechanism m = mechanism_of(WHEELS "hold: in_range, friction: {force: 1.4, static_force: 2}}\n",
                               steppers[_i]);
    const double wa = 0.3 * 4.0 / (0.3 + 4.0 * 0.7), stuck = 0.7 * 2.0 * wa / 1.4;
    const double energy = 0.5 * 0.3 * 16.0, left = 0.5 * (0.3 + 4.0 * 0.7) * wa * wa;
    double found = -1.0;
    while (found < 0.0 && tn_sim_time(m.sim) < 1.0) {
        const double before = part(&m, TN_WRENCH_FRICTION);
        drive_run(&m, 1e-3, 1);
        const tn_event *e = event_of(&m, TN_EVENT_STUCK);
        if (e)
            found = e->time;
        else if (tn_sim_time(m.sim) > 2e-3)
            ck_assert_double_eq_tol(before, 1.4, 1e-9);
    }
    ck_assert_double_eq_tol(found, stuck, 1e-8);
    drive_run(&m, 1e-3, 100);
    ck_assert_double_le(fabs(tn_sim_coupling_speed(m.sim, coupling0)), 1e-11);
    ck_assert_double_eq_tol(drive_speed(&m, 0, 0), wa, 1e-9);
    ck_assert_double_eq_tol(drive_speed(&m, 1, 0), 2.0 * wa, 1e-9);
    ck_assert_int_eq((int)holder(&m), (int)TN_HELD_BY_FRICTION);
    ck_assert_double_eq_tol(tn_sim_energy(m.sim).kinetic, left, 1e-8);
    if (_i == 0)
        ck_assert_double_eq_tol(tn_sim_energy(m.sim).lost, energy - left, 1e-8);
    mechanism_free(&m);
}
END_TEST

/* 2 Hz along b - 2 a: of the mass 1 / (1/0.7 + 4/0.3), whatever both do together. */
START_TEST(spring_along_a_gear_swings_at_its_frequency)
{
    mechanism m =
        mechanism_of(WHEELS "hold: in_range, spring: {frequency: 2}}\n", TN_GENERALIZED_ALPHA);
    const double mass = 1.0 / (1.0 / 0.7 + 4.0 / 0.3), w = 4.0 * PI;
    ck_assert_double_eq_tol(tn_sim_coordinate_mass(m.sim, as_joint(&m), 0), mass, 1e-15);
    for (int k = 0; k < 4000; k++) {
        drive_run(&m, 2.5e-4, 1);
        const double c = -8.0 / w * sin(w * tn_sim_time(m.sim));
        ck_assert_double_eq_tol(tn_sim_coupling_value(m.sim, coupling0), c, 1e-4);
        ck_assert_double_eq_tol(tn_sim_coupling_force(m.sim, coupling0), -mass * w * w * c, 2e-3);
    }
    ck_assert_double_eq_tol(drive_balance_of_energy(&m), 0.5 * 0.3 * 16.0, 1e-5);
    mechanism_free(&m);
}
END_TEST

/* c = 0.2 sin 3 t to round-off; F (4/3) = c'' + 19.6; the work is the change of energy. */
START_TEST(prescribed_length_of_a_rope)
{
    mechanism m =
        mechanism_of(WEIGHTS("3") "hold: in_range, drive: {position: {sine: [0.2, 3, 0, 0]}}}\n",
                     TN_GENERALIZED_ALPHA);
    for (int k = 0; k < 1000; k++) {
        drive_run(&m, 1e-3, 1);
        const double t = tn_sim_time(m.sim), c = 0.2 * sin(3.0 * t);
        ck_assert_double_eq_tol(tn_sim_coupling_value(m.sim, coupling0), c, 1e-12);
        ck_assert_double_eq_tol(tn_sim_coupling_force(m.sim, coupling0),
                                (19.6 - 9.0 * c) * 3.0 / 4.0, 1e-5);
    }
    const double start_energy = 0.5 * 0.6 * 0.6 / (4.0 / 3.0); /* of c' = 0.6 alone */
    ck_assert_double_eq_tol(drive_balance_of_energy(&m), start_energy, 1e-6);
    mechanism_free(&m);
}
END_TEST

/* Equal weights: a motor of 25 N that presses against a stop at 0.1 m rests there, limit 9.8 - 25.
 */
START_TEST(motor_against_a_stop_rests_with_steady_forces)
{
    mechanism m = mechanism_of(
        WEIGHTS("1") "hold: in_range, range: [-1, 0.1], motor: {speed: 0.5, max_force: 25}}\n",
        steppers[_i]);
    drive_run(&m, 1e-3, 1000);
    const double limit = part(&m, TN_WRENCH_LIMIT);
    ck_assert_double_eq_tol(limit, 9.8 - 25.0, 1e-6);
    for (int k = 0; k < 1000; k++) {
        ck_assert_int_eq(drive_run(&m, 1e-3, 1), 0);
        ck_assert_double_eq_tol(part(&m, TN_WRENCH_LIMIT), limit, 1e-9 * 25.0);
        ck_assert_double_eq_tol(part(&m, TN_WRENCH_MOTOR), 25.0, 1e-12);
        ck_assert_double_eq_tol(tn_sim_coupling_force(m.sim, coupling0), 9.8, 1e-6);
    }
    ck_assert_double_eq_tol(tn_sim_coupling_value(m.sim, coupling0), 0.1, 1e-12);
    mechanism_free(&m);
}
END_TEST

/* What is set while it runs is what the file says, bit by bit; a joint that is off takes the drive
 * with it. */
START_TEST(drives_are_set_while_running)
{
    static const double speed = 0.5;
    tn_motor_def motor = tn_default_motor_def();
    motor.speed = drive_constant(&speed);
    motor.max_force = 25.0;
    mechanism set = mechanism_of(WEIGHTS("3") "hold: in_range}\n", TN_GENERALIZED_ALPHA);
    mechanism read = mechanism_of(
        WEIGHTS("3") "hold: in_range, motor: {speed: 0.5, max_force: 25}}\n", TN_GENERALIZED_ALPHA);
    ck_assert_int_eq(tn_sim_set_motor(set.sim, as_joint(&set), 0, &motor), TN_OK);
    drive_run(&set, 1e-3, 200);
    drive_run(&read, 1e-3, 200);
    const size_t size = tn_sim_state_size(set.sim);
    ck_assert_uint_eq(size, tn_sim_state_size(read.sim));
    for (int32_t j = 0; j < 2; j++)
        ck_assert_double_eq(drive_coordinate(&set, j, 0), drive_coordinate(&read, j, 0));
    ck_assert_int_eq(tn_sim_set_enabled(set.sim, joint0, 0), TN_OK);
    drive_run(&set, 1e-3, 1);
    ck_assert_double_eq(part(&set, TN_WRENCH_MOTOR), 0.0);
    ck_assert_int_eq((int)holder(&set), (int)TN_HELD_BY_NOTHING);
    const double before = drive_speed(&set, 1, 0);
    drive_run(&set, 1e-3, 100);
    ck_assert_double_eq_tol(drive_speed(&set, 1, 0), before - 0.98, 1e-9); /* free fall */
    tn_friction_def friction = tn_default_friction_def();
    friction.coefficient = 0.2;
    ck_assert_int_eq(tn_sim_set_friction(set.sim, as_joint(&set), 0, &friction), TN_ERROR_ARGUMENT);
    mechanism_free(&set);
    mechanism_free(&read);
}
END_TEST

/* The definition of C and the file's are one: written and read again it says the same. */
START_TEST(what_is_written_is_read_again)
{
    mechanism m = mechanism_read(
        WHEELS
        "hold: in_range, motor: {speed: 3, max_force: 2}, friction: {force: 1, viscous: 0.1}, "
        "spring: {stiffness: 5, rest: 0.2}}\n");
    mechanism again = {.spec = written_and_read(m.spec)};
    const tn_coupling_def *def = tn_spec_coupling(again.spec, coupling0);
    ck_assert_double_eq(def->drive.motor.speed.numbers[0], 3.0);
    ck_assert_double_eq(def->drive.motor.max_force, 2.0);
    ck_assert_double_eq(def->drive.friction.force, 1.0);
    ck_assert_double_eq(def->drive.friction.viscous, 0.1);
    ck_assert_double_eq(def->drive.spring.stiffness, 5.0);
    ck_assert_double_eq(def->drive.spring.rest.numbers[0], 0.2);
    mechanism_free(&m);
    mechanism_free(&again);
}
END_TEST

Suite *make_suite(void)
{
    const int count = (int)(sizeof steppers / sizeof *steppers);
    Suite *suite = suite_create("drives along couplings");
    TCase *drives = tcase_create("drives");
    tcase_add_loop_test(drives, motor_along_a_rope, 0, count);
    tcase_add_loop_test(drives, friction_in_a_gear_slips_and_then_sticks, 0, count);
    tcase_add_test(drives, spring_along_a_gear_swings_at_its_frequency);
    tcase_add_test(drives, prescribed_length_of_a_rope);
    tcase_add_loop_test(drives, motor_against_a_stop_rests_with_steady_forces, 0, count);
    tcase_add_test(drives, drives_are_set_while_running);
    tcase_add_test(drives, what_is_written_is_read_again);
    suite_add_tcase(suite, drives);
    return suite;
}
