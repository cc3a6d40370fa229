/* test_turns.c: coordinates that have turned far: a whole number of turns and an angle within one.
 * A million turns leave the number of an angle in rad a last digit of 1e-9; gears that mesh, where
 * something is held, what moves at a given speed are as exact as at the start.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "joint/rotation_about_z.h"
#include "joint_samples.h"
#include "support/heavy.h"
#include "support/mechanism.h"
#include "support/run_main.h"
#include "support/saved_states.h"

#define TURN 6.283185307179586
#define FAR  (1e6 * TURN) /* rad */

static const tn_vec3 Z = {0.0, 0.0, 1.0};

/* ---- types ------------------------------------------------------------------------------------- */

START_TEST(whole_turns_are_the_same_pose)
{
    const tn_joint_class *cls = tn_joint_class_get((tn_joint_type){_i});
    uint64_t seed = 500 + (uint64_t)_i;
    for (int32_t i = 0; i < cls->info.coordinate_count; i++) {
        for (int n = 0; n < 200 && (cls->whole_turns >> i & 1u); n++) {
            const joint_sample s = sample_joint((tn_joint_type){_i}, &seed);
            double q[TN_MAX_COORDINATES], back[TN_MAX_COORDINATES] = {0};
            tn_xform T;
            memcpy(q, s.q, sizeof q);
            q[i] += 7.0 * TURN;
            s.cls->coordinates_to_pose(&s.setup, q, &T);
            s.cls->pose_to_coordinates(&s.setup, &s.T_GD, q, back);
            if (cls->info.coordinate_count == cls->info.dof)
                ck_assert_double_le(pose_distance(&T, &s.T_GD), 1e-13);
            ck_assert_double_eq_tol(back[i], q[i], 1e-12);
        }
    }
    ck_assert_int_eq(cls->whole_turns >> cls->info.coordinate_count, 0);
}
END_TEST

/* 2^47 turns and an angle, against integers: n 2 pi modulo the spacing of doubles near it. */
START_TEST(turns_and_angle_are_exact)
{
    static const double turns[] = {0.0, 1.0, -3.0, 1e6, -123456789.0, 140737488355327.0};
    for (size_t k = 0; k < sizeof turns / sizeof *turns; k++) {
        const tn_dd q = tn_turned(turns[k], 0.25);
        const long double exact = (long double)turns[k] * 6.283185307179586476925286766559L + 0.25L;
        ck_assert_double_le(fabs((double)(exact - q.hi - q.lo)), fabs(turns[k]) * 1e-18);
        ck_assert_double_eq(tn_whole_turns(q.hi), turns[k]);
    }
}
END_TEST

/* ---- gears ------------------------------------------------------------------------------------- */

/* A wheel that starts at an angle and turns at w. */
static tn_joint wheel(mechanism *m, double x, double angle, double w)
{
    tn_body_def def = tn_default_body_def();
    def.mass = 1.0;
    def.inertia = mat_diagonal(0.1, 0.1, 0.1);
    def.pose.p = vec(x, 0.0, 0.0);
    def.velocity.w = vec(0.0, 0.0, w);
    const tn_body body = mechanism_body(m, &def);
    tn_joint_def joint = mechanism_axis_def("hinge", body, tn_ground(), def.pose.p, Z);
    joint.set[0] = angle;
    return mechanism_joint(m, &joint);
}

/* b turns by -3 a; a starts at an angle with the speed w. */
static mechanism gears_at(double angle, double w)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    const tn_joint a = wheel(&m, 0.0, angle, w), b = wheel(&m, 1.0, -3.0 * angle, -3.0 * w);
    const tn_coupling_term terms[] = {{.joint = a, .ratio = 3.0}, {.joint = b, .ratio = 1.0}};
    tn_coupling_def def = tn_default_coupling_def();
    def.terms = terms;
    def.term_count = 2;
    ck_assert_int_eq(tn_spec_add_coupling(m.spec, &def, NULL), TN_OK);
    return m;
}

static mechanism pair_of_gears(double w)
{
    return gears_at(0.0, w);
}

/* The angle of a body within a turn, from its pose alone. */
static double angle_of(const mechanism *m, int32_t body)
{
    const tn_pose pose = tn_sim_body_pose(m->sim, (tn_body){body});
    return 2.0 * atan2(pose.q.z, pose.q.w);
}

/* rad: how far the teeth are apart. */
static double out_of_mesh(const mechanism *m)
{
    return fabs(remainder(3.0 * angle_of(m, 0) + angle_of(m, 1), TURN));
}

static double coordinate(const mechanism *m, int32_t joint)
{
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(m->sim, (tn_joint){joint}, q);
    return q[0];
}

/* As far as one step of one second takes it, and on with small ones. */
static void turn_far(mechanism *m)
{
    while (fabs(coordinate(m, 0)) < FAR)
        ck_assert_int_eq(tn_sim_step(m->sim, 1.0, NULL), TN_OK);
}

START_TEST(gears_mesh_after_a_million_turns)
{
    mechanism m = gears_at(FAR, 300.0);
    mechanism_start(&m, _i);
    run_stats stats = {0};
    mechanism_run(&m, 1e-4, 200, &stats);
    ck_assert_double_gt(fabs(coordinate(&m, 1)), 3.0 * FAR);
    ck_assert_msg(out_of_mesh(&m) < 2e-12, "%s: out of mesh by %g", method_name(_i),
                  out_of_mesh(&m));
    ck_assert_msg(stats.angle_error < 2e-12, "%s: angle error %g", method_name(_i),
                  stats.angle_error);
    ck_assert_int_eq(stats.fallbacks, 0);
    mechanism_free(&m);
}
END_TEST

/* 300 rad/s for 200 s; it ended after 57 s. */
START_TEST(gears_at_300_rad_per_second)
{
    mechanism m = pair_of_gears(300.0);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    const double energy = tn_sim_energy(m.sim).kinetic;
    run_stats stats = {0};
    mechanism_run(&m, 1e-2, 20000, &stats);
    ck_assert_double_eq_tol(coordinate(&m, 0), 60000.0, 1e-6);
    ck_assert_double_le(out_of_mesh(&m), 2e-12);
    ck_assert_double_le(stats.angle_error, 2e-12);
    ck_assert_double_le(stats.energy_drift, 1e-11 * energy);
    ck_assert_int_eq(stats.fallbacks, 0);
    mechanism_free(&m);
}
END_TEST

/* What is saved far out goes on with the same bits. */
START_TEST(a_state_far_out_comes_back)
{
    mechanism m = pair_of_gears(3e4);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    turn_far(&m);
    void *middle = saved_state(m.sim);
    mechanism_run(&m, 1e-4, 100, NULL);
    void *end = saved_state(m.sim);
    ck_assert_int_eq(tn_sim_restore(m.sim, middle), TN_OK);
    mechanism_run(&m, 1e-4, 100, NULL);
    ck_assert(is_saved_as(m.sim, end));
    free(middle);
    free(end);
    mechanism_free(&m);
}
END_TEST

/* ---- what is held ------------------------------------------------------------------------------- */

START_TEST(locks_and_limits_hold_far_out)
{
    mechanism m = pair_of_gears(3e4);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    turn_far(&m);
    for (int32_t k = 0; k < 2; k++)
        ck_assert_int_eq(
            tn_sim_set_body_velocity(m.sim, (tn_body){k},
                                     (tn_twist){{0.0, 0.0, 0.0}, {0.0, 0.0, k ? -6.0 : 2.0}}),
            TN_OK);
    const double at = coordinate(&m, 0), stop = at + 0.5;
    run_stats stats = {0};
    ck_assert_int_eq(tn_sim_set_range(m.sim, (tn_joint){0}, 0, -INFINITY, stop), TN_OK);
    mechanism_run(&m, 1e-2, 100, &stats);
    /* half a radian on from where it was, told by the pose */
    ck_assert_double_eq(coordinate(&m, 0), stop);
    ck_assert_double_le(out_of_mesh(&m), 2e-12);
    const double where = angle_of(&m, 0);
    const tn_dd turned = tn_turned(tn_whole_turns(stop), where);
    ck_assert_double_le(fabs(remainder(turned.hi - stop + turned.lo, TURN)), 2e-12);
    ck_assert_int_eq(tn_sim_set_range(m.sim, (tn_joint){0}, 0, -INFINITY, INFINITY), TN_OK);
    ck_assert_int_eq(tn_sim_set_locked(m.sim, (tn_joint){0}, 0, 1), TN_OK);
    mechanism_run(&m, 1e-2, 100, &stats);
    ck_assert_double_le(fabs(remainder(angle_of(&m, 0) - where, TURN)), 2e-12);
    ck_assert_double_le(stats.angle_error, 2e-12);
    mechanism_free(&m);
}
END_TEST

/* Set a radian on: the other follows by three. */
START_TEST(coordinates_are_set_far_out)
{
    mechanism m = pair_of_gears(3e4);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    turn_far(&m);
    const double before = coordinate(&m, 0);
    const tn_coordinate_request set = {{0}, 0, before + 1.0};
    ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &set, 1, NULL, NULL, NULL), TN_OK);
    ck_assert_double_eq_tol(coordinate(&m, 0), before + 1.0, 2e-9); /* its last digit: 1e-9 */
    ck_assert_double_le(out_of_mesh(&m), 2e-12);
    mechanism_free(&m);
}
END_TEST

/* N m: the largest force of a motor that keeps gears at their speed, where none is needed. */
static double force_of_a_motor(double angle)
{
    const double speed = 300.0;
    mechanism m = gears_at(angle, speed);
    tn_motor_def motor = tn_default_motor_def();
    motor.speed = (tn_function_def){.kind = TN_FUNCTION_CONSTANT, .numbers = &speed, .count = 1};
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    ck_assert_int_eq(tn_sim_set_motor(m.sim, (tn_joint){0}, 0, &motor), TN_OK);
    run_stats stats = {0};
    double most = 0.0;
    for (int k = 0; k < 1000; k++) {
        mechanism_run(&m, 1e-3, 1, &stats);
        const double f = tn_sim_coordinate_force(m.sim, (tn_joint){0}, 0, TN_WRENCH_MOTOR);
        most = fmax(most, fabs(f));
    }
    ck_assert_double_le(stats.angle_error, 2e-12);
    ck_assert_double_le(out_of_mesh(&m), 2e-12);
    mechanism_free(&m);
    return most;
}

/* A place that is off by 1e-9 rad and to be reached in 1 ms takes 1e-3 N m. */
START_TEST(a_motor_runs_evenly_far_out)
{
    const double near = force_of_a_motor(0.0), far = force_of_a_motor(FAR);
    ck_assert_msg(far < 2.0 * near + 1e-7, "motor force %g N m, %g after a million turns", near,
                  far);
    ck_assert_double_le(far, 1e-5);
}
END_TEST

/* ---- prescribed motion ----------------------------------------------------------------------------- */

/* rad: the angle of a body within a turn, less one that is told to 64 bits. */
static double off_angle(const mechanism *m, int32_t body, long double angle)
{
    const long double turn = 6.283185307179586476925286766559L;
    return (double)remainderl((long double)angle_of(m, body) - angle, turn);
}

#define CRANK 0.1
#define ROD   0.4

/* A slider-crank whose crank turns as a polynomial of the time says, from its first number on. */
static mechanism driven_crank(const double *numbers, int32_t count)
{
    mechanism m = mechanism_new(vec(0.0, -9.81, 0.0));
    const double c = cos(numbers[0]), s = sin(numbers[0]), lean = asin(-CRANK / ROD * s);
    const double x = CRANK * c + ROD * cos(lean);
    tn_body_def def = tn_default_body_def();
    def.mass = 1.0;
    def.inertia = mat_diagonal(0.01, 0.01, 0.01);
    const tn_body crank = mechanism_body(&m, &def);
    def.pose.p = vec(x, 0.0, 0.0);
    const tn_body block = mechanism_body(&m, &def);
    def.pose.p = vec(CRANK * c, CRANK * s, 0.0);
    const tn_body middle = mechanism_body(&m, &def);
    tn_joint_def joint = mechanism_axis_def("hinge", crank, tn_ground(), vec(0.0, 0.0, 0.0), Z);
    tn_drive_def drive = tn_default_drive_def();
    drive.position =
        (tn_function_def){.kind = TN_FUNCTION_POLYNOMIAL, .numbers = numbers, .count = count};
    joint.initial[0] = numbers[0];
    joint.drives = &drive;
    joint.drive_count = 1;
    mechanism_joint(&m, &joint);
    mechanism_axis_joint(&m, "hinge", middle, crank, vec(CRANK * c, CRANK * s, 0.0), Z);
    mechanism_axis_joint(&m, "hinge", block, middle, vec(x, 0.0, 0.0), Z);
    mechanism_axis_joint(&m, "slider", block, tn_ground(), vec(x, 0.0, 0.0), vec(1.0, 0.0, 0.0));
    return m;
}

/* The crank is where the motion says, within a turn, after a million of them: 300 rad/s. */
START_TEST(a_driven_crank_keeps_its_place_far_out)
{
    const double motion[] = {FAR, 300.0};
    mechanism m = driven_crank(motion, 2);
    mechanism_start(&m, _i);
    const double start = angle_of(&m, 0), h = 1e-4;
    double most = 0.0;
    for (int k = 1; k <= 300; k++) {
        mechanism_run(&m, h, 1, NULL);
        const long double turned = 300.0L * (long double)k * (long double)h;
        most = fmax(most, fabs(off_angle(&m, 0, start + turned)));
    }
    ck_assert_double_gt(fabs(coordinate(&m, 0)), FAR);
    ck_assert_msg(most < 2e-12, "%s: off by %g rad", method_name(_i), most);
    mechanism_free(&m);
}
END_TEST

/* 14 000 turns in 30 000 steps of 0.01 s, which is no number of doubles: the last digit of the time, in one
 * double, is worth 1e-11 rad there. */
START_TEST(a_wheel_is_driven_for_many_steps)
{
    const double rate = 300.0, h = 0.01;
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    wheel(&m, 0.0, 0.0, rate);
    mechanism_start(&m, _i);
    ck_assert_int_eq(tn_sim_set_driver_motion(m.sim, (tn_joint){0}, 0, 0.0, rate, 0.0), TN_OK);
    const int steps = ALL_OR_FEW(30000, 6000);
    for (int k = 1; k <= steps; k++) {
        ck_assert_int_eq(tn_sim_step(m.sim, h, NULL), TN_OK);
        const double off = off_angle(&m, 0, (long double)rate * (long double)h * k);
        ck_assert_msg(fabs(off) < 2e-12, "%s: off by %g rad at step %d", method_name(_i), off, k);
    }
    ck_assert_double_eq_tol(coordinate(&m, 0), rate * h * steps, 1e-9);
    mechanism_free(&m);
}
END_TEST

/* N m, what drives the crank, over three turns. */
static void torques(double start, double *out, int count)
{
    const double motion[] = {start, 100.0};
    mechanism m = driven_crank(motion, 2);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    for (int k = 0; k < count; k++) {
        mechanism_run(&m, 1e-3, 1, NULL);
        out[k] = tn_sim_coordinate_force(m.sim, (tn_joint){0}, 0, TN_WRENCH_DRIVER);
    }
    mechanism_free(&m);
}

/* An angle that is off by 1e-9 rad in a step of 1 ms is 1e-3 rad/s^2 off. A million times 2 pi in a double
 * is 2.4e-10 rad from a whole number of turns. */
START_TEST(a_driver_pushes_evenly_far_out)
{
    enum { STEPS = 180 };
    static double near[STEPS], far[STEPS];
    double most = 0.0, largest = 0.0;
    torques(0.0, near, STEPS);
    torques(FAR, far, STEPS);
    for (int k = 0; k < STEPS; k++) {
        most = fmax(most, fabs(far[k] - near[k]));
        largest = fmax(largest, fabs(near[k]));
    }
    ck_assert_double_gt(largest, 10.0);
    ck_assert_msg(most < 1e-8 * largest, "%g of %g N m", most, largest);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("turns");
    TCase *tests = tcase_create("turns");
    tcase_add_loop_test(tests, whole_turns_are_the_same_pose, 0, tn_joint_type_count());
    tcase_add_test(tests, turns_and_angle_are_exact);
    tcase_add_loop_test(tests, gears_mesh_after_a_million_turns, 0, METHODS);
    tcase_add_test(tests, gears_at_300_rad_per_second);
    tcase_add_test(tests, a_state_far_out_comes_back);
    tcase_add_test(tests, locks_and_limits_hold_far_out);
    tcase_add_test(tests, coordinates_are_set_far_out);
    tcase_add_test(tests, a_motor_runs_evenly_far_out);
    tcase_add_loop_test(tests, a_driven_crank_keeps_its_place_far_out, 0, METHODS);
    tcase_add_loop_test(tests, a_wheel_is_driven_for_many_steps, 0, METHODS);
    tcase_add_test(tests, a_driver_pushes_evenly_far_out);
    tcase_set_timeout(tests, 120.0);
    suite_add_tcase(suite, tests);
    return suite;
}
