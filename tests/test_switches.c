/* test_switches.c: locks, enabling and breaking while a simulation runs. */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/run_main.h"
#include "support/sample_mechanisms.h"

static const tn_vec3 X = {1.0, 0.0, 0.0}, Z = {0.0, 0.0, 1.0}, zero = {0.0, 0.0, 0.0};
static const double gravity = 9.81, mass = 2.0;
static const tn_joint hinge = {0};

/* A rod of 1 m, 2 kg on a hinge along z, from the x axis, gravity along -y. */
static mechanism pendulum(double break_force, double lower)
{
    mechanism m = mechanism_new(vec(0.0, -gravity, 0.0));
    const tn_body body = mechanism_rod(
        &m, &(rod){.p = zero, .q = X, .mass = mass, .along = 0.01, .across = mass / 12.0});
    tn_joint_def def = tn_default_joint_def();
    def.type = "hinge";
    def.a = body;
    def.b = tn_ground();
    def.placement = TN_PLACE_AXIS;
    def.axis = Z;
    def.break_force = break_force;
    def.lower[0] = lower;
    mechanism_joint(&m, &def);
    return m;
}

static double angle(const mechanism *m)
{
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(m->sim, hinge, q);
    return q[0];
}

static double speed(const mechanism *m)
{
    double v[TN_MAX_COORDINATES];
    tn_sim_joint_speeds(m->sim, hinge, v);
    return v[0];
}

static double lock_torque(const mechanism *m)
{
    return tn_sim_joint_wrench_part(m->sim, hinge, TN_WRENCH_LOCK, TN_WRENCH_IN_D).m.z;
}

/* Locked in full swing it stops and carries the weight; let go it swings on from rest. */
START_TEST(lock_and_unlock_while_running)
{
    mechanism m = pendulum((double)NAN, -INFINITY);
    mechanism_start_tight(&m, _i);
    mechanism_run(&m, 1e-2, 20, NULL);
    ck_assert_double_lt(speed(&m), -1.0);
    const double held = angle(&m), needed = mass * gravity * 0.5 * cos(held);
    ck_assert_int_eq(tn_sim_set_locked(m.sim, hinge, 0, 1), TN_OK);
    ck_assert_int_eq(tn_sim_is_locked(m.sim, hinge, 0), 1);
    double off = 0.0, torque = 0.0;
    for (int k = 0; k < 100; k++) {
        mechanism_run(&m, 1e-2, 1, NULL);
        off = fmax(off, fabs(angle(&m) - held));
        if (k > 3) /* the steppers take rows at the start of a step */
            torque = fmax(torque, fabs(lock_torque(&m) / needed - 1.0));
    }
    printf("%-27s locked: off by %.1e rad, torque by %.1e\n", method_name(_i), off, torque);
    ck_assert_double_le(off, 1e-12);
    ck_assert_double_le(torque, 1e-9);
    ck_assert_int_eq(tn_sim_set_locked(m.sim, hinge, 0, 0), TN_OK);
    mechanism_run(&m, 1e-3, 1, NULL);
    ck_assert_double_eq(lock_torque(&m), 0.0);
    const double rate = -needed / (mass / 3.0) * 1e-3; /* from rest */
    ck_assert_double_eq_tol(speed(&m), rate, 1e-4 * fabs(rate));
    mechanism_free(&m);
}
END_TEST

/* Switched off the rod falls freely, its range forgotten; closed again it is a pendulum. */
START_TEST(disable_and_enable_while_running)
{
    mechanism m = pendulum((double)NAN, -0.5);
    mechanism_start(&m, _i);
    mechanism_run(&m, 1e-3, 10, NULL);
    const tn_pose closed = tn_sim_body_pose(m.sim, (tn_body){0});
    const double v0 = tn_sim_body_velocity(m.sim, (tn_body){0}).v.y;
    ck_assert_int_eq(tn_sim_set_enabled(m.sim, hinge, 0), TN_OK);
    ck_assert_int_eq(tn_sim_is_enabled(m.sim, hinge), 0);
    mechanism_run(&m, 1e-3, 1000, NULL);
    ck_assert_double_eq_tol(tn_sim_body_velocity(m.sim, (tn_body){0}).v.y, v0 - gravity, 1e-9);
    ck_assert_int_eq(tn_sim_at_limit(m.sim, hinge, 0, NULL), 0);
    ck_assert_double_eq(vec_norm(tn_sim_joint_wrench(m.sim, hinge, TN_WRENCH_ON_A).f), 0.0);
    /* switched on open: closed by the next step, or refused; never half */
    ck_assert_int_eq(tn_sim_set_body_pose(m.sim, (tn_body){0}, closed), TN_OK);
    ck_assert_int_eq(tn_sim_set_enabled(m.sim, hinge, 1), TN_OK);
    mechanism_run(&m, 1e-3, 1, NULL);
    ck_assert_double_le(tn_sim_residuals(m.sim).position, 1e-5);
    ck_assert_double_ge(angle(&m), -0.5 - 1e-10);
    mechanism_run(&m, 1e-3, 1000, NULL);
    ck_assert_int_eq(tn_sim_at_limit(m.sim, hinge, 0, NULL), -1);
    mechanism_free(&m);
}
END_TEST

/* What a motor and a spring push along a joint that is switched off acts on nothing, and is no reaction. */
START_TEST(what_is_off_has_no_reaction)
{
    mechanism m = mechanism_of(
        "tenon: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {wheel: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  axle: {type: hinge, a: wheel, axis: [0, 0, 1], origin: [0, 0, 0], motor: {theta: "
        "{speed: 10, max_force: 2}}, spring: {theta: {stiffness: 3, rest: 1}}}\n",
        _i);
    mechanism_run(&m, 1e-3, 10, NULL);
    ck_assert_double_eq_tol(tn_sim_joint_wrench(m.sim, hinge, TN_WRENCH_ON_A).m.z, 5.0, 1e-3);
    const double before = speed(&m);
    double lambda[TN_MAX_ROWS];
    ck_assert_int_eq(tn_sim_set_enabled(m.sim, hinge, 0), TN_OK);
    mechanism_run(&m, 1e-3, 10, NULL);
    ck_assert_double_eq_tol(speed(&m), before, 1e-12);
    ck_assert_double_eq(vec_norm(tn_sim_joint_wrench(m.sim, hinge, TN_WRENCH_ON_A).m), 0.0);
    tn_sim_joint_multipliers(m.sim, hinge, lambda);
    for (int row = 0; row < 6; row++)
        ck_assert_double_eq(lambda[row], 0.0);
    mechanism_free(&m);
}
END_TEST

/* Swinging down the hinge carries up to 5/2 m g; it breaks at 2 m g, on the way, and says so. */
START_TEST(breaks_at_its_threshold)
{
    mechanism m = pendulum(2.0 * mass * gravity, -INFINITY);
    mechanism_start(&m, _i);
    double broke = -1.0, load = 0.0;
    for (int k = 0; k < 600 && broke < 0.0; k++) {
        mechanism_run(&m, 1e-3, 1, NULL);
        for (int n = 0; n < tn_sim_event_count(m.sim); n++) {
            ck_assert_int_eq(tn_sim_event(m.sim, n)->kind, TN_EVENT_JOINT_BROKE);
            broke = tn_sim_event(m.sim, n)->time;
            load = tn_sim_event(m.sim, n)->value;
        }
    }
    ck_assert_double_gt(broke, 0.1);
    ck_assert_double_ge(load, 2.0 * mass * gravity);
    ck_assert_double_le(load, 2.05 * mass * gravity);
    ck_assert_int_eq(tn_sim_is_enabled(m.sim, hinge), 0);
    mechanism_run(&m, 1e-3, 10, NULL);
    mechanism_free(&m);
}
END_TEST

START_TEST(holds_below_its_threshold)
{
    mechanism m = pendulum(3.0 * mass * gravity, -INFINITY);
    mechanism_start(&m, _i);
    mechanism_run(&m, 1e-3, 2000, NULL);
    ck_assert_int_eq(tn_sim_is_enabled(m.sim, hinge), 1);
    mechanism_free(&m);
}
END_TEST

/* Upper and lower limit push in opposite directions, and the wrenches say so. */
START_TEST(limits_push_inwards_on_both_sides)
{
    double torque[2], force[2];
    for (int side = 0; side < 2; side++) {
        mechanism m = pendulum((double)NAN, -INFINITY);
        mechanism_start_tight(&m, _i);
        const double pi = acos(-1.0);
        /* the rod comes to rest below the x axis, or, from the other side, below -x */
        ck_assert_int_eq(side ? tn_sim_set_range(m.sim, hinge, 0, -4.0 * pi, pi - 1.0)
                              : tn_sim_set_range(m.sim, hinge, 0, -0.4, 4.0 * pi),
                         TN_OK);
        if (side) {
            ck_assert_int_eq(tn_sim_set_range(m.sim, hinge, 0, pi - 1.0, pi - 1.0), TN_OK);
            mechanism_run(&m, 1e-2, 3, NULL);
            ck_assert_int_eq(tn_sim_set_range(m.sim, hinge, 0, -4.0 * pi, pi - 1.0), TN_OK);
        }
        mechanism_run(&m, 1e-2, 200, NULL);
        const int at = tn_sim_at_limit(m.sim, hinge, 0, &force[side]);
        ck_assert_int_eq(at, side ? 1 : -1);
        torque[side] = tn_sim_joint_wrench_part(m.sim, hinge, TN_WRENCH_LIMIT, TN_WRENCH_ON_A).m.z;
        mechanism_free(&m);
    }
    ck_assert_double_gt(force[0], 1.0);
    ck_assert_double_lt(force[1], -1.0);
    ck_assert_double_eq_tol(torque[0], mass * gravity * 0.5 * cos(0.4), 1e-8);
    ck_assert_double_eq_tol(torque[1], -mass * gravity * 0.5 * cos(1.0), 1e-8);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("switches");
    TCase *tcase = tcase_create("switches");
    tcase_add_loop_test(tcase, lock_and_unlock_while_running, 0, METHODS);
    tcase_add_loop_test(tcase, disable_and_enable_while_running, 0, METHODS);
    tcase_add_loop_test(tcase, what_is_off_has_no_reaction, 0, METHODS);
    tcase_add_loop_test(tcase, breaks_at_its_threshold, 0, METHODS);
    tcase_add_loop_test(tcase, holds_below_its_threshold, 0, METHODS);
    tcase_add_loop_test(tcase, limits_push_inwards_on_both_sides, 0, METHODS);
    suite_add_tcase(suite, tcase);
    return suite;
}
