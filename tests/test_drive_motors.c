/* test_drive_motors.c: motors with caps and dry friction: tracking, saturating, sticking, slipping.
 *
 * Closed forms of a mass or wheel under constant forces, and what may not happen: chatter, creep,
 * forces beyond their bounds.
 */
#include <check.h>
#include <math.h>

#include "support/drive_scenes.h"
#include "support/run_main.h"

#define PI 3.14159265358979323846

static const int steppers[] = {TN_GENERALIZED_ALPHA, TN_CONSTRAINED_BACKWARD_EULER,
                               TN_BACKWARD_EULER, TN_DORMAND_PRINCE};

static const pendulum_data wheel = {2.0, 0.0, 0.3, 0.0, 0.0, 0.0};
static const double motor_speed = 3.0;

static tn_drive_def motor_def(const double *speed, double cap)
{
    tn_drive_def drive = tn_default_drive_def();
    drive.motor.speed = drive_constant(speed);
    drive.motor.max_force = cap;
    return drive;
}

static double force_of(const mechanism *m, tn_wrench_part part)
{
    return tn_sim_coordinate_force(m->sim, joint0, 0, part);
}

static int count_events(const mechanism *m, tn_event_kind kind)
{
    int count = 0;
    for (int32_t k = 0; k < tn_sim_event_count(m->sim); k++)
        count += tn_sim_event(m->sim, k)->kind == kind;
    return count;
}

/* w = (cap / I) t up to the wanted speed at t = 3 I / cap = 0.45 s, then just that. */
START_TEST(motor_accelerates_with_its_cap_and_then_tracks)
{
    tn_drive_def drive = motor_def(&motor_speed, 2.0);
    mechanism m = drive_pendulum(&wheel, &drive);
    mechanism_start(&m, steppers[_i]);
    int reached = 0, events = 0;
    for (int k = 1; k <= 1000; k++) {
        events += drive_run(&m, 1e-3, 1);
        const double t = tn_sim_time(m.sim);
        const double wanted = fmin(2.0 / 0.3 * t, motor_speed);
        ck_assert_double_eq_tol(drive_speed(&m, 0, 0), wanted, 1e-8);
        if (fabs(t - 0.45) > 1e-6)
            ck_assert_double_eq_tol(force_of(&m, TN_WRENCH_MOTOR), t < 0.45 ? 2.0 : 0.0, 1e-7);
        reached += count_events(&m, TN_EVENT_MOTOR_TRACKS);
    }
    ck_assert_int_eq(reached, 1);
    ck_assert_int_le(events, 2);
    if (_i == 0)
        ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 3.0 - 0.5 * 3.0 * 0.45, 1e-8);
    ck_assert_double_eq_tol(tn_sim_energy(m.sim).work, 0.5 * 0.3 * 9.0, 3e-3);
    drive_check_parts(&m, joint0);
    mechanism_free(&m);
}
END_TEST

/* A motor that presses against a stop rests there: motor +cap, limit -cap, for 1e4 steps. */
START_TEST(motor_against_a_limit_rests_with_steady_forces)
{
    const slope_data flat = {1.5, 0.3, 0.0, DRIVE_GRAVITY, -0.2, 0.2};
    tn_drive_def drive = motor_def(&motor_speed, 20.0);
    mechanism m = drive_slope(&flat, &drive);
    mechanism_start(&m, steppers[_i]);
    drive_run(&m, 1e-3, 1000);
    const double limit = force_of(&m, TN_WRENCH_LIMIT);
    ck_assert_double_eq_tol(limit, -(20.0 - 1.5 * DRIVE_GRAVITY * sin(0.3)), 1e-6);
    for (int k = 0; k < 10000; k++) {
        const int events = drive_run(&m, 1e-3, 1);
        ck_assert_int_eq(events, 0);
        ck_assert_double_eq_tol(force_of(&m, TN_WRENCH_LIMIT), limit, 1e-9 * 20.0);
        ck_assert_double_eq(force_of(&m, TN_WRENCH_MOTOR), 20.0);
        ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 0.2, 1e-9);
    }
    drive_check_parts(&m, joint0);
    ck_assert_int_eq(tn_sim_set_motor_target(m.sim, joint0, 0, -1.0), TN_OK);
    drive_run(&m, 1e-3, 200);
    ck_assert_double_le(drive_coordinate(&m, 0, 0), 0.15);
    mechanism_free(&m);
}
END_TEST

/* A motor without a cap stops at a limit and goes back when its speed turns. */
START_TEST(motor_without_cap_stops_at_a_limit)
{
    static const double turning[4] = {1.0, PI, 0.0, 0.0}; /* q = (1 - cos(pi t)) / pi */
    const slope_data flat = {1.5, 0.0, 0.0, DRIVE_GRAVITY, -0.4, 0.4};
    tn_drive_def drive = tn_default_drive_def();
    drive.motor.speed = drive_sine(turning);
    mechanism m = drive_slope(&flat, &drive);
    mechanism_start(&m, steppers[_i]);
    for (int k = 0; k < 1500; k++) {
        drive_run(&m, 1e-3, 1);
        ck_assert_double_le(fabs(drive_coordinate(&m, 0, 0)), 0.4 + 1e-9);
    }
    const double t = tn_sim_time(m.sim); /* it has left the limit at t = 1 */
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 0.4 + (-1.0 - cos(PI * t)) / PI, 1e-6);
    mechanism_free(&m);
}
END_TEST

/* q' = (target - q) / T: what is to go shrinks to 1/e in T; with a cap it starts slower. */
START_TEST(position_motor_reaches_its_target)
{
    static const double target = 0.5;
    tn_drive_def drive = tn_default_drive_def();
    drive.motor.position = drive_constant(&target);
    drive.motor.time_constant = 0.1;
    if (_i >= 3)
        drive.motor.max_force = 5.0;
    const slope_data flat = {1.5, 0.0, 0.0, DRIVE_GRAVITY, 0.0, 0.0};
    mechanism m = drive_slope(&flat, &drive);
    mechanism_start(&m, steppers[_i % 3]);
    double most = 0.0;
    for (int k = 0; k < 1000; k++) {
        drive_run(&m, 1e-3, 1);
        most = fmax(most, fabs(force_of(&m, TN_WRENCH_MOTOR)));
        if (_i < 3)
            ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0),
                                    0.5 * (1.0 - exp(-10.0 * tn_sim_time(m.sim))), 1e-9);
    }
    if (_i >= 3)
        ck_assert_double_le(most, 5.0 * (1.0 + 1e-6));
    drive_run(&m, 1e-3, 2000);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 0.5, 1e-6);
    mechanism_free(&m);
}
END_TEST

/* A motor holds a pendulum level: its torque is m g l, reported once. */
START_TEST(motor_torque_is_reported_once)
{
    static const double still = 0.0;
    const pendulum_data level = {2.0, 0.7, 0.3, 0.0, 0.0, DRIVE_GRAVITY};
    tn_drive_def drive = motor_def(&still, 50.0);
    mechanism m = drive_pendulum(&level, &drive);
    mechanism_start(&m, steppers[_i]);
    drive_run(&m, 1e-3, 200);
    const double torque = 2.0 * DRIVE_GRAVITY * 0.7;
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 0.0, 1e-9);
    ck_assert_double_eq_tol(force_of(&m, TN_WRENCH_MOTOR), torque, 1e-6);
    double lambda[TN_MAX_ROWS];
    tn_sim_joint_multipliers(m.sim, joint0, lambda);
    ck_assert_double_eq_tol(lambda[5], torque, 1e-6);
    ck_assert_double_eq_tol(tn_sim_joint_wrench(m.sim, joint0, TN_WRENCH_ON_A).m.z, torque, 1e-6);
    drive_check_parts(&m, joint0);
    mechanism_free(&m);
}
END_TEST

static tn_drive_def friction_def(double force, double coefficient)
{
    tn_drive_def drive = tn_default_drive_def();
    drive.friction.force = force;
    drive.friction.coefficient = coefficient;
    return drive;
}

/* mu N >= m g sin a: it does not move at all, and friction is m g sin a. */
START_TEST(block_sticks_exactly_below_its_bound)
{
    const slope_data slope = {1.5, 0.3, 0.0, DRIVE_GRAVITY, 0.0, 0.0};
    tn_drive_def drive = _i < 3 ? friction_def(6.0, NAN) : friction_def(NAN, 0.5);
    mechanism m = drive_slope(&slope, &drive);
    mechanism_start(&m, steppers[_i % 3]);
    for (int k = 0; k < 1000; k++) {
        const int events = drive_run(&m, 1e-3, 1);
        ck_assert_int_eq(events, 0);
        ck_assert_double_le(fabs(drive_speed(&m, 0, 0)), 1e-13);
        ck_assert_double_le(fabs(drive_coordinate(&m, 0, 0)), 1e-13);
        ck_assert_double_eq_tol(force_of(&m, TN_WRENCH_FRICTION), 1.5 * DRIVE_GRAVITY * sin(0.3),
                                1e-9);
    }
    ck_assert_int_eq(tn_sim_coordinate_holder(m.sim, joint0, 0), TN_HELD_BY_FRICTION);
    drive_check_parts(&m, joint0);
    mechanism_free(&m);
}
END_TEST

/* mu < tan a: a = g (sin a - mu cos a), from rest. */
START_TEST(block_slides_when_it_is_too_steep)
{
    const slope_data slope = {1.5, 0.5, 0.0, DRIVE_GRAVITY, 0.0, 0.0};
    tn_drive_def drive = friction_def(NAN, 0.3);
    mechanism m = drive_slope(&slope, &drive);
    mechanism_start(&m, steppers[_i]);
    const double a = DRIVE_GRAVITY * (sin(0.5) - 0.3 * cos(0.5));
    const double start = drive_balance_of_energy(&m);
    drive_run(&m, 1e-3, 500);
    ck_assert_double_eq_tol(drive_speed(&m, 0, 0), -0.5 * a, 1e-8);
    ck_assert_double_eq_tol(force_of(&m, TN_WRENCH_FRICTION), 0.3 * 1.5 * DRIVE_GRAVITY * cos(0.5),
                            1e-7);
    if (_i == 0)
        ck_assert_double_eq_tol(drive_balance_of_energy(&m), start, 1e-8);
    mechanism_free(&m);
}
END_TEST

/* Pushed up the slope at 2 m/s with mu > tan a: it stops after v / (g (sin a + mu cos a)) and
 * stays. */
START_TEST(block_that_is_thrown_up_stops_and_stays)
{
    const slope_data slope = {1.5, 0.3, 2.0, DRIVE_GRAVITY, 0.0, 0.0};
    tn_drive_def drive = friction_def(NAN, 0.5);
    mechanism m = drive_slope(&slope, &drive);
    mechanism_start(&m, steppers[_i]);
    const double a = DRIVE_GRAVITY * (sin(0.3) + 0.5 * cos(0.3));
    int stuck = 0, events = 0;
    for (int k = 0; k < 600; k++) {
        events += drive_run(&m, 1e-3, 1);
        stuck += count_events(&m, TN_EVENT_STUCK);
        ck_assert_int_eq(count_events(&m, TN_EVENT_SLIPPING), 0);
    }
    ck_assert_int_eq(stuck, 1);
    ck_assert_int_le(events, 2);
    ck_assert_double_le(fabs(drive_speed(&m, 0, 0)), 1e-13);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 2.0 / a, _i ? 2e-3 : 1e-7);
    mechanism_free(&m);
}
END_TEST

/* Coulomb's oscillator loses 4 F / k of amplitude in a cycle and stops where k |x| <= F. */
START_TEST(oscillator_with_dry_friction_stops_in_the_dead_zone)
{
    const double k = 100.0, F = 2.0;
    tn_drive_def drive = friction_def(F, NAN);
    static const double rest = 0.5; /* starts at -0.5 from rest: amplitude 0.5 */
    drive.spring.stiffness = k;
    drive.spring.rest = drive_constant(&rest);
    const slope_data flat = {1.5, 0.0, 0.0, DRIVE_GRAVITY, 0.0, 0.0};
    mechanism m = drive_slope(&flat, &drive);
    mechanism_start(&m, steppers[_i]);
    const double period = 2.0 * PI * sqrt(1.5 / k), start = drive_balance_of_energy(&m);
    drive_run(&m, period / 2000.0, 2000);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0) - rest, -0.5 + 4.0 * F / k,
                            _i ? 2e-2 : 1e-5);
    drive_run(&m, period / 2000.0, 20000);
    ck_assert_double_le(fabs(drive_coordinate(&m, 0, 0) - rest), F / k);
    ck_assert_double_le(fabs(drive_speed(&m, 0, 0)), 1e-13);
    ck_assert_int_eq(tn_sim_coordinate_holder(m.sim, joint0, 0), TN_HELD_BY_FRICTION);
    if (_i == 0)
        ck_assert_double_eq_tol(drive_balance_of_energy(&m), start, 1e-4);
    mechanism_free(&m);
}
END_TEST

/* Friction that a spring pulled to and fro overcomes twice a cycle: stick and slip. The first slip
 * is where k rest + d rest' = F. */
START_TEST(block_pulled_to_and_fro_sticks_and_slips)
{
    static const double pull[4] = {0.1, PI, 0.0, 0.0};
    tn_drive_def drive = friction_def(2.0, NAN);
    drive.spring.stiffness = 100.0;
    drive.spring.damping = 4.0;
    drive.spring.rest = drive_sine(pull);
    const slope_data flat = {1.5, 0.0, 0.0, DRIVE_GRAVITY, 0.0, 0.0};
    mechanism m = drive_slope(&flat, &drive);
    mechanism_start(&m, steppers[_i]);
    int stuck = 0, slipping = 0;
    const double start = drive_balance_of_energy(&m);
    double first_slip = 0.0;
    for (int k = 0; k < 4000; k++) {
        const int events = drive_run(&m, 1e-3, 1);
        ck_assert_int_le(events, 4);
        stuck += count_events(&m, TN_EVENT_STUCK);
        slipping += count_events(&m, TN_EVENT_SLIPPING);
        if (slipping == 1 && first_slip == 0.0)
            first_slip = tn_sim_event(m.sim, 0)->time;
    }
    ck_assert_double_eq_tol(10.0 * sin(PI * first_slip) + 0.4 * PI * cos(PI * first_slip), 2.0,
                            1e-5);
    ck_assert_int_ge(slipping, 4);
    ck_assert_int_le(slipping, 16);
    ck_assert_int_le(abs(slipping - stuck), 1);
    if (_i == 0)
        ck_assert_double_eq_tol(drive_balance_of_energy(&m), start, 1e-4);
    mechanism_free(&m);
}
END_TEST

/* A motor with friction in its bearing: tracking takes the friction, a brake shares it. */
START_TEST(motor_overcomes_friction)
{
    tn_drive_def drive = motor_def(&motor_speed, 2.0);
    drive.friction.force = 0.5;
    drive.friction.viscous = 0.1;
    mechanism m = drive_pendulum(&wheel, &drive);
    mechanism_start(&m, steppers[_i]);
    drive_run(&m, 1e-3, 1500);
    ck_assert_double_eq_tol(drive_speed(&m, 0, 0), 3.0, 1e-9);
    ck_assert_double_eq_tol(force_of(&m, TN_WRENCH_MOTOR), 0.8, 1e-6);
    ck_assert_double_eq_tol(force_of(&m, TN_WRENCH_FRICTION), -0.8, 1e-6);
    ck_assert_int_eq(tn_sim_set_motor_target(m.sim, joint0, 0, 0.0), TN_OK);
    drive_run(&m, 1e-3, 1000);
    ck_assert_double_le(fabs(drive_speed(&m, 0, 0)), 1e-13);
    ck_assert_int_eq(tn_sim_set_motor(m.sim, joint0, 0, NULL), TN_OK);
    drive_run(&m, 1e-3, 10);
    ck_assert_int_eq(tn_sim_coordinate_holder(m.sim, joint0, 0), TN_HELD_BY_FRICTION);
    mechanism_free(&m);
}
END_TEST

/* Friction gives no impulse: a block that hits its stop with e = 1 comes back with the speed it
 * had. */
START_TEST(friction_takes_no_part_in_an_impact)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    tn_body_def body = tn_default_body_def();
    body.mass = 1.5;
    body.inertia = mat_diagonal(0.1, 0.2, 0.25);
    body.com = vec(0.0, 0.0, 0.0);
    body.velocity.v = vec(2.0, 0.0, 0.0);
    tn_drive_def drive = friction_def(3.0, NAN);
    tn_joint_def def = tn_default_joint_def();
    def.type = "slider";
    def.a = mechanism_body(&m, &body);
    def.placement = TN_PLACE_AXIS;
    def.axis = vec(1.0, 0.0, 0.0);
    def.lower[0] = -5.0;
    def.upper[0] = 0.5;
    def.restitution[0] = 1.0;
    def.drives = &drive;
    def.drive_count = 1;
    mechanism_joint(&m, &def);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    drive_run(&m, 1e-3, 2000);
    /* v0^2 / (2 a) = 1 m in all with a = 2: 0.5 m there, 0.5 m back */
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 0.0, 1e-6);
    ck_assert_double_le(fabs(drive_speed(&m, 0, 0)), 1e-13);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("drive_motors");
    TCase *motors = tcase_create("motors");
    tcase_add_loop_test(motors, motor_accelerates_with_its_cap_and_then_tracks, 0, 4);
    tcase_add_loop_test(motors, motor_against_a_limit_rests_with_steady_forces, 0, 4);
    tcase_add_loop_test(motors, motor_without_cap_stops_at_a_limit, 0, 4);
    tcase_add_loop_test(motors, position_motor_reaches_its_target, 0, 6);
    tcase_add_loop_test(motors, motor_torque_is_reported_once, 0, 4);
    TCase *friction = tcase_create("friction");
    tcase_add_loop_test(friction, block_sticks_exactly_below_its_bound, 0, 6);
    tcase_add_loop_test(friction, block_slides_when_it_is_too_steep, 0, 4);
    tcase_add_loop_test(friction, block_that_is_thrown_up_stops_and_stays, 0, 4);
    tcase_add_loop_test(friction, oscillator_with_dry_friction_stops_in_the_dead_zone, 0, 4);
    tcase_add_loop_test(friction, block_pulled_to_and_fro_sticks_and_slips, 0, 4);
    tcase_add_loop_test(friction, motor_overcomes_friction, 0, 4);
    tcase_add_test(friction, friction_takes_no_part_in_an_impact);
    tcase_set_timeout(motors, 60);
    tcase_set_timeout(friction, 60);
    suite_add_tcase(suite, motors);
    suite_add_tcase(suite, friction);
    return suite;
}
