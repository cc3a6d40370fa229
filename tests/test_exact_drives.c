/* test_exact_drives.c: dormand_prince with what drives and brakes coordinates, against closed forms
 * to 1e-9 in long steps; and what it refuses. (Limits: test_dormand_prince.c; all integrators'
 * switches, breaking joints, contract: their own tests.)
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/drive_scenes.h"
#include "support/run_main.h"
#include "support/saved_states.h"

static const double tolerance = 1e-11; /* relative, of the runs here */

/* About z through its centre of mass. */
static const pendulum_data wheel = {2.0, 0.0, 0.3, 0.0, 0.0, 0.0};

static double time_of(const mechanism *m, tn_event_kind kind)
{
    for (int32_t k = 0; k < tn_sim_event_count(m->sim); k++)
        if (tn_sim_event(m->sim, k)->kind == kind)
            return tn_sim_event(m->sim, k)->time;
    return -1.0;
}

/* A pendulum on a prescribed sine: its place and the torque I q'' + m g l cos q. */
START_TEST(prescribed_sine)
{
    static const double swing[4] = {0.7, 5.0, 0.3, 0.4}; /* rad, rad/s, phase, offset */
    const pendulum_data data = {2.0, 0.6, 0.1, 0.0, 0.0, DRIVE_GRAVITY};
    tn_drive_def drive = tn_default_drive_def();
    drive.position = drive_sine(swing);
    mechanism m = drive_pendulum(&data, &drive);
    mechanism_start_exact(&m, tolerance);
    double place = 0.0, torque = 0.0;
    for (int k = 1; k <= 20; k++) {
        drive_run(&m, 0.1, 1);
        const double phase = swing[1] * tn_sim_time(m.sim) + swing[2];
        const double q = swing[3] + swing[0] * sin(phase);
        const double accelerates = -swing[0] * swing[1] * swing[1] * sin(phase);
        const double expected = (data.inertia + data.mass * data.arm * data.arm) * accelerates +
                                data.mass * DRIVE_GRAVITY * data.arm * cos(q);
        place = fmax(place, fabs(drive_coordinate(&m, 0, 0) - q));
        torque = fmax(torque,
                      fabs(tn_sim_coordinate_force(m.sim, joint0, 0, TN_WRENCH_DRIVER) - expected));
    }
    printf("prescribed sine: off by %.1e rad, %.1e N m\n", place, torque);
    ck_assert_double_le(place, 1e-9);
    ck_assert_double_le(torque, 1e-9);
    mechanism_free(&m);
}
END_TEST

/* q = 0.2 sin 2 pi t, as far as a range lets it: events that say that it is not followed, and the first of them. */
static int not_followed(double upper, double lower, tn_event *first)
{
    static const double swing[4] = {0.2, 6.283185307179586, 0.0, 0.0};
    const slope_data data = {1.0, 0.0, 0.0, 0.0, lower, upper};
    tn_drive_def drive = tn_default_drive_def();
    drive.position = drive_sine(swing);
    mechanism m = drive_slope(&data, &drive);
    mechanism_start_exact(&m, tolerance);
    int count = 0;
    for (int k = 0; k < 100; k++) {
        drive_run(&m, 0.01, 1);
        for (int32_t i = 0; i < tn_sim_event_count(m.sim); i++) {
            const tn_event *event = tn_sim_event(m.sim, i);
            if (event->kind == TN_EVENT_MOTION_HELD && count++ == 0)
                *first = *event;
        }
    }
    mechanism_free(&m);
    return count;
}

/* A range comes before a prescribed motion: the first step that ends away from it says so, once until it is followed again.
 * Ranges that it only touches, or has, change nothing. */
START_TEST(motion_that_a_range_holds_up_is_told)
{
    tn_event first = {.time = 0.0};
    ck_assert_int_eq(not_followed(0.1, -1.0, &first), 1);
    ck_assert_double_eq_tol(first.time, 0.09, 1e-12); /* beyond it at 1/12 s */
    ck_assert_double_eq_tol(first.value, 0.2 * sin(0.09 * 6.283185307179586) - 0.1, 1e-12);
    ck_assert_int_eq(first.side, 1);
    ck_assert_int_eq(first.coordinate, 0);
    ck_assert_int_eq(not_followed(0.1, -0.15, &first), 2);
    ck_assert_int_eq(not_followed(0.2, -0.2, &first), 0);
    ck_assert_int_eq(not_followed(1.0, -1.0, &first), 0);
}
END_TEST

/* A motor at its cap reaches its speed after I w / cap, and tracks from then on; one step. */
START_TEST(motor_leaves_its_cap_in_time)
{
    static const double wanted = 3.0, cap = 2.0;
    tn_drive_def drive = tn_default_drive_def();
    drive.motor.speed = drive_constant(&wanted);
    drive.motor.max_force = cap;
    mechanism m = drive_pendulum(&wheel, &drive);
    mechanism_start_exact(&m, tolerance);
    drive_run(&m, 1.0, 1);
    const double reached = wheel.inertia * wanted / cap;
    printf("motor: tracks at %.1e s off\n", fabs(time_of(&m, TN_EVENT_MOTOR_TRACKS) - reached));
    ck_assert_double_eq_tol(time_of(&m, TN_EVENT_MOTOR_TRACKS), reached, 1e-9);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), wanted * (1.0 - 0.5 * reached), 1e-9);
    ck_assert_double_eq_tol(drive_speed(&m, 0, 0), wanted, 1e-12);
    ck_assert_double_eq_tol(tn_sim_energy(m.sim).work, 0.5 * wheel.inertia * wanted * wanted, 1e-9);
    mechanism_free(&m);
}
END_TEST

/* Friction brings a wheel to rest after I w / F, and then holds it; one step. */
START_TEST(dry_friction_stops_in_time)
{
    pendulum_data data = wheel;
    data.speed = 2.0;
    tn_drive_def drive = tn_default_drive_def();
    drive.friction.force = 1.5;
    mechanism m = drive_pendulum(&data, &drive);
    mechanism_start_exact(&m, tolerance);
    drive_run(&m, 1.0, 1);
    const double stops = data.inertia * data.speed / 1.5;
    printf("friction: stops at %.1e s off\n", fabs(time_of(&m, TN_EVENT_STUCK) - stops));
    ck_assert_double_eq_tol(time_of(&m, TN_EVENT_STUCK), stops, 1e-9);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 0.5 * data.speed * stops, 1e-9);
    ck_assert_double_le(fabs(drive_speed(&m, 0, 0)), 1e-12);
    ck_assert_double_eq_tol(tn_sim_energy(m.sim).lost, 0.5 * data.inertia * 4.0, 1e-9);
    mechanism_free(&m);
}
END_TEST

/* Friction by the reaction: up a slope it stops after v^2 / (2 g (sin a + mu cos a)). */
START_TEST(friction_by_the_reaction_stops_in_time)
{
    const slope_data slope = {1.5, 0.3, 2.0, DRIVE_GRAVITY, 0.0, 0.0};
    tn_drive_def drive = tn_default_drive_def();
    drive.friction.coefficient = 0.5;
    mechanism m = drive_slope(&slope, &drive);
    mechanism_start_exact(&m, tolerance);
    drive_run(&m, 1.0, 1);
    const double a = DRIVE_GRAVITY * (sin(0.3) + 0.5 * cos(0.3));
    ck_assert_double_eq_tol(time_of(&m, TN_EVENT_STUCK), 2.0 / a, 1e-9);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 2.0 / a, 1e-9);
    mechanism_free(&m);
}
END_TEST

/* m x'' = -k x - d x' under gravity on a slope, from the spring's rest. */
START_TEST(spring_with_damper_swings)
{
    const slope_data slope = {1.5, 0.3, 0.0, DRIVE_GRAVITY, 0.0, 0.0};
    const double k = 60.0, d = 3.0;
    tn_drive_def drive = tn_default_drive_def();
    drive.spring.stiffness = k;
    drive.spring.damping = d;
    mechanism m = drive_slope(&slope, &drive);
    mechanism_start_exact(&m, tolerance);
    const double rest = -slope.mass * DRIVE_GRAVITY * sin(0.3) / k, s = 0.5 * d / slope.mass;
    const double w = sqrt(k / slope.mass - s * s);
    double off = 0.0;
    for (int n = 0; n < 10; n++) {
        drive_run(&m, 0.2, 1);
        const double t = tn_sim_time(m.sim);
        const double x = rest * (1.0 - exp(-s * t) * (cos(w * t) + s / w * sin(w * t)));
        off = fmax(off, fabs(drive_coordinate(&m, 0, 0) - x));
    }
    const double books = fabs(drive_balance_of_energy(&m));
    printf("spring: off by %.1e m, energy books %.1e J\n", off, books);
    ck_assert_double_le(off, 1e-9);
    ck_assert_double_le(books, 1e-8);
    mechanism_free(&m);
}
END_TEST

/* ---- what it refuses ---- */

static void expect_refusal(mechanism *m, double h, int32_t body, int32_t joint)
{
    void *before = saved_state(m->sim);
    tn_step_report report;
    ck_assert_int_eq(tn_sim_step(m->sim, h, &report), TN_ERROR_STIFF);
    ck_assert(is_saved_as(m->sim, before));
    ck_assert_ptr_nonnull(strstr(tn_status_text(report.status), "generalized_alpha"));
    printf("refused after %d parts and %d rejections\n", (int)report.parts, (int)report.rejections);
    ck_assert_int_eq(report.culprit_body.i, body);
    ck_assert_int_eq(report.culprit_joint.i, joint);
    ck_assert_int_le(report.parts + report.rejections, 1000);
    free(before);
}

/* sqrt(k / m) h = 8e6: the joint with the spring is named. generalized_alpha takes the same step.
 */
START_TEST(what_is_too_stiff_is_named)
{
    const slope_data slope = {1.5, 0.3, 0.0, DRIVE_GRAVITY, 0.0, 0.0};
    tn_drive_def drive = tn_default_drive_def();
    drive.spring.stiffness = 1e18;
    drive.spring.damping = 1e9;
    mechanism m = drive_slope(&slope, &drive);
    mechanism_start_exact(&m, 1e-9);
    expect_refusal(&m, 1e-2, -1, 0);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    drive_run(&m, 1e-2, 1);
    mechanism_free(&m);
}
END_TEST

/* A body damped by 1e9 kg/s answers in a nanosecond. */
START_TEST(what_is_too_damped_is_named)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -DRIVE_GRAVITY));
    tn_body_def ball = tn_default_body_def();
    ball.kind = TN_BODY_PARTICLE;
    ball.mass = 1.0;
    mechanism_body(&m, &ball);
    ball.frame_damping = 1e9;
    mechanism_body(&m, &ball);
    mechanism_start_exact(&m, 1e-9);
    expect_refusal(&m, 1e-2, 1, -1);
    mechanism_free(&m);
}
END_TEST

/* A wheel that turns a million times in a step would take a million parts: none is taken. */
START_TEST(what_is_too_fast_is_named)
{
    pendulum_data data = wheel;
    data.speed = 6e6;
    const tn_drive_def none = tn_default_drive_def();
    mechanism m = drive_pendulum(&data, &none);
    mechanism_start_exact(&m, 1e-9);
    expect_refusal(&m, 1.0, 0, -1);
    drive_run(&m, 1e-5, 10); /* shorter steps are taken */
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("exact drives");
    TCase *drives = tcase_create("closed forms");
    tcase_add_test(drives, prescribed_sine);
    tcase_add_test(drives, motion_that_a_range_holds_up_is_told);
    tcase_add_test(drives, motor_leaves_its_cap_in_time);
    tcase_add_test(drives, dry_friction_stops_in_time);
    tcase_add_test(drives, friction_by_the_reaction_stops_in_time);
    tcase_add_test(drives, spring_with_damper_swings);
    suite_add_tcase(suite, drives);
    TCase *refused = tcase_create("refusals");
    tcase_add_test(refused, what_is_too_stiff_is_named);
    tcase_add_test(refused, what_is_too_damped_is_named);
    tcase_add_test(refused, what_is_too_fast_is_named);
    suite_add_tcase(suite, refused);
    return suite;
}
