/* test_at_steps.c: steps of sequential impulses whose bounds hold for all of them.
 *
 * Discrete closed forms of one mass under such steps, what may not happen (forces beyond bounds,
 * creep, chatter, unbounded work), and that they lead where located events do as steps shrink.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/drive_scenes.h"
#include "support/run_main.h"
#include "support/saved_states.h"
#include "tenon/io.h"

#define G      9.81 /* m/s^2 */
#define SWEEPS 8
#define AT_STEPS                                                                                   \
    "simulation: {integrator: backward_euler, solver: sequential_impulses, iterations: 8, "        \
    "events: "                                                                                     \
    "at_steps}\n"

static mechanism start(const char *text)
{
    mechanism m = mechanism_read(text);
    ck_assert_int_eq(tn_model_compile(m.spec, NULL, &m.model), TN_OK);
    ck_assert_int_eq(tn_sim_create(m.model, NULL, NULL, &m.sim), TN_OK);
    return m;
}

/* 2 kg on a vertical slider, with what else the joint has. */
static mechanism block(const char *more)
{
    char text[1024];
    snprintf(text, sizeof text,
             "tenon: 1\nworld: planar\nbodies:\n  b: {mass: 2, inertia: 0.1}\n"
             "joints:\n  j: {type: slider, a: b, origin: [0, 0], axis: [0, 1]%s}\n" AT_STEPS,
             more);
    return start(text);
}

/* One step, at most three solves of SWEEPS sweeps and a position pass; how many events it told. */
static int step(mechanism *m, double h)
{
    tn_step_report report;
    ck_assert_int_eq(tn_sim_step(m->sim, h, &report), TN_OK);
    ck_assert_int_eq(report.fallbacks + report.halvings + report.factorizations, 0);
    ck_assert_int_le(report.sweeps, 4 * SWEEPS);
    return tn_sim_event_count(m->sim);
}

static double force_of(const mechanism *m, tn_wrench_part part)
{
    return tn_sim_coordinate_force(m->sim, joint0, 0, part);
}

/* It falls to its stop, is told to have reached it once, and rests there on m g for ever. */
START_TEST(falls_to_its_stop_and_rests)
{
    mechanism m = block(", range: {z: [-0.3, 1]}");
    int told = 0;
    for (int k = 0; k < 1000; k++) {
        const int events = step(&m, 0.01);
        told += events;
        ck_assert_double_ge(drive_coordinate(&m, 0, 0), -0.3 - 1e-12);
        if (events) {
            ck_assert_int_eq((int)tn_sim_event(m.sim, 0)->kind, (int)TN_EVENT_LIMIT_REACHED);
            ck_assert_double_eq_tol(tn_sim_event(m.sim, 0)->time, sqrt(0.6 / G), 0.011);
        }
    }
    ck_assert_int_eq(told, 1);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), -0.3, 1e-14);
    ck_assert_double_eq_tol(force_of(&m, TN_WRENCH_LIMIT), 2.0 * G, 1e-12);
    ck_assert_int_eq((int)tn_sim_coordinate_holder(m.sim, joint0, 0), (int)TN_HELD_BY_LIMIT);
    mechanism_free(&m);
}
END_TEST

/* Thrown back with half its speed: the impact gets the speed at the start of its step. */
START_TEST(bounces_by_its_restitution)
{
    mechanism m = block(", range: {z: [-0.3, 1]}, restitution: {z: 0.5}");
    double before = 0.0, after = 0.0;
    for (int k = 0; k < 40 && !(after > 0.0); k++) {
        before = drive_speed(&m, 0, 0);
        step(&m, 0.01);
        after = drive_speed(&m, 0, 0);
    }
    ck_assert_double_eq_tol(after, -0.5 * before, 1e-14);
    mechanism_free(&m);
}
END_TEST

/* Up at 0.5 m/s with at most 30 N against m g, then against a stop: cap, weight and stop balance.
 */
START_TEST(motor_tracks_and_then_presses)
{
    mechanism m = block(", range: {z: [-1, 0.2]}, motor: {z: {speed: 0.5, max_force: 30}}");
    const double gain = 15.0 - G;
    for (int k = 1; k <= 30; k++) {
        step(&m, 0.01);
        ck_assert_double_eq_tol(drive_speed(&m, 0, 0), fmin(gain * 0.01 * k, 0.5), 1e-13);
        ck_assert_double_le(force_of(&m, TN_WRENCH_MOTOR), 30.0 + 1e-12);
    }
    ck_assert_double_eq_tol(force_of(&m, TN_WRENCH_MOTOR), 2.0 * G, 1e-11);
    for (int k = 0; k < 100; k++)
        step(&m, 0.01);
    for (int k = 0; k < 1000; k++) {
        ck_assert_int_eq(step(&m, 0.01), 0);
        ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 0.2, 1e-14);
        ck_assert_double_eq_tol(force_of(&m, TN_WRENCH_MOTOR), 30.0, 1e-12);
        ck_assert_double_eq_tol(force_of(&m, TN_WRENCH_LIMIT), 2.0 * G - 30.0, 1e-12);
    }
    ck_assert_int_eq(tn_sim_set_motor_target(m.sim, joint0, 0, -0.5), TN_OK);
    step(&m, 0.01); /* and off it again, with no more than its cap */
    ck_assert_double_eq_tol(drive_speed(&m, 0, 0), fmax(-0.5, -0.01 * (15.0 + G)), 1e-13);
    mechanism_free(&m);
}
END_TEST

/* Thrown at 1 m/s against 5 N on the level: v - 2.5 t, then rest to the last bit. */
START_TEST(friction_slips_and_sticks)
{
    mechanism m = start("tenon: 1\nworld: planar\ngravity: [0.0, -9.81]\n"
                        "bodies:\n  b: {mass: 2, inertia: 0.1, velocity: {linear: [1, 0]}}\n"
                        "joints:\n  j: {type: slider, a: b, origin: [0, 0], axis: [1, 0], "
                        "friction: {z: {force: 5, static_force: 8}}}\n" AT_STEPS);
    int stuck = 0;
    for (int k = 1; k <= 60; k++) {
        step(&m, 0.01);
        ck_assert_double_eq_tol(drive_speed(&m, 0, 0), fmax(1.0 - 0.025 * k, 0.0), 1e-13);
        for (int32_t e = 0; e < tn_sim_event_count(m.sim); e++)
            stuck += tn_sim_event(m.sim, e)->kind == TN_EVENT_STUCK;
    }
    const double rest = drive_coordinate(&m, 0, 0);
    ck_assert_int_eq(stuck, 1);
    for (int k = 0; k < 100; k++)
        ck_assert_int_eq(step(&m, 0.01), 0);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), rest, 1e-15);
    /* its powers are summed by trapezoids, and at the very start there is none yet */
    ck_assert_double_eq_tol(tn_sim_energy(m.sim).lost, 1.0 - 0.5 * 0.01 * 5.0, 1e-12);
    mechanism_free(&m);
}
END_TEST

/* A spring far too stiff for the step, beside friction and beside a motor: it goes to its rest,
 * less what the other can hold, and stays. */
START_TEST(stiff_springs_are_stable)
{
    static const char *const others[] = {"friction: {z: {force: 1}}",
                                         "motor: {z: {speed: -1, max_force: 1}}"};
    char more[256];
    snprintf(more, sizeof more, ", %s, spring: {z: {stiffness: 1.0e6, rest: 0.01}}", others[_i]);
    mechanism m = block(more);
    for (int k = 0; k < 200; k++) {
        step(&m, 0.01);
        ck_assert_double_le(fabs(drive_coordinate(&m, 0, 0)), 0.02);
        ck_assert_double_le(fabs(drive_speed(&m, 0, 0)), 1.1);
    }
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 0.01, (2.0 * G + 1.0) / 1e6 + 1e-9);
    ck_assert_double_le(fabs(drive_speed(&m, 0, 0)), 1e-6);
    mechanism_free(&m);
}
END_TEST

/* A disc of 6 N, whatever the direction: the diagonal gets no more, and the way is straight. */
START_TEST(round_caps_are_round)
{
    for (int n = 0; n < 12; n++) {
        const double angle = 0.2 + 2.0 * 3.14159265358979 * n / 12;
        char text[1024];
        snprintf(
            text, sizeof text,
            "tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies:\n  b: {mass: 2, inertia: 0.1}\n"
            "joints:\n  j: {type: planar, a: b, origin: [0, 0], round: true, motor: {x: {speed: "
            "%.17g, max_force: 6}, y: {speed: %.17g, max_force: 6}}}\n" AT_STEPS,
            cos(angle), sin(angle));
        mechanism m = start(text);
        for (int k = 1; k <= 50; k++) {
            step(&m, 0.01);
            const double v = fmin(0.03 * k, 1.0);
            ck_assert_double_eq_tol(drive_speed(&m, 0, 0), v * cos(angle), 1e-12);
            ck_assert_double_eq_tol(drive_speed(&m, 0, 1), v * sin(angle), 1e-12);
        }
        mechanism_free(&m);
    }
}
END_TEST

/* A motor along a coupling: two weights on one rope (test_coupling_drives.c). */
START_TEST(motors_along_couplings_have_their_caps)
{
    mechanism m =
        start("tenon: 1\nworld: planar\ngravity: [0, -9.8]\n"
              "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 3, inertia: 1, position: [1, 0]}}\n"
              "joints:\n  ja: {type: slider, a: a, origin: [0, 0], axis: [0, 1]}\n"
              "  jb: {type: slider, a: b, origin: [1, 0], axis: [0, 1]}\n"
              "couplings:\n  c: {terms: [{coordinate: ja.z}, {coordinate: jb.z}], hold: in_range, "
              "motor: {speed: 0.5, max_force: 25}}\n" AT_STEPS);
    const double rate = 25.0 * 4.0 / 3.0 - 2.0 * 9.8;
    for (int k = 1; k <= 100; k++) {
        step(&m, 1e-3);
        ck_assert_double_eq_tol(tn_sim_coupling_speed(m.sim, (tn_coupling){0}),
                                fmin(rate * 1e-3 * k, 0.5), 1e-12);
    }
    ck_assert_double_eq_tol(tn_sim_coupling_force(m.sim, (tn_coupling){0}), 14.7, 1e-10);
    mechanism_free(&m);
}
END_TEST

/* A pendulum with friction that is thrown against a stop and comes to rest: as located events have
 * it, to first order. */
START_TEST(leads_where_located_events_do)
{
    static const char text[] =
        "tenon: 1\nworld: planar\nbodies:\n"
        "  b: {position: [1, 0], mass: 2, inertia: 0.1, velocity: {linear: [0, -2], angular: -2}}\n"
        "joints:\n  j: {type: hinge, a: b, origin: [0, 0], range: {theta: [-2, 0.5]}, "
        "friction: {theta: {force: 1}}}\n";
    char stepped[1024];
    snprintf(stepped, sizeof stepped, "%s" AT_STEPS, text);
    mechanism exact = mechanism_read(text);
    mechanism_start(&exact, TN_GENERALIZED_ALPHA);
    drive_run(&exact, 1e-3, 1000);
    double off[2];
    for (int n = 0; n < 2; n++) {
        mechanism m = start(stepped);
        for (int k = 0; k < 1000 << n; k++)
            step(&m, 1e-3 / (1 << n));
        off[n] = fabs(drive_coordinate(&m, 0, 0) - drive_coordinate(&exact, 0, 0));
        mechanism_free(&m);
    }
    printf("pendulum against a stop, after 1 s: off by %.1e rad at 1 ms, %.1e at 0.5 ms\n", off[0],
           off[1]);
    ck_assert_double_le(off[0], 0.02);
    ck_assert_double_le(off[1], 0.6 * off[0]);
    mechanism_free(&exact);
}
END_TEST

/* Saved and restored it goes on with the same bits. */
START_TEST(goes_on_with_the_same_bits)
{
    mechanism m = block(", range: {z: [-0.05, 0.02]}, friction: {z: {force: 3}}, "
                        "spring: {z: {stiffness: 4000, rest: 0.1, max_force: 60}}");
    for (int k = 0; k < 20; k++)
        step(&m, 0.01);
    void *saved = saved_state(m.sim);
    double q[2];
    for (int n = 0; n < 2; n++) {
        ck_assert_int_eq(tn_sim_restore(m.sim, saved), TN_OK);
        for (int k = 0; k < 50; k++)
            step(&m, 0.01);
        q[n] = drive_speed(&m, 0, 0) + 1e3 * drive_coordinate(&m, 0, 0);
    }
    ck_assert_int_eq(memcmp(&q[0], &q[1], sizeof q[0]), 0);
    free(saved);
    mechanism_free(&m);
}
END_TEST

START_TEST(only_sequential_impulses_have_such_steps)
{
    static const char text[] = "tenon: 1\nbodies:\n  b: {mass: 1, inertia: [1, 1, 1]}\n"
                               "simulation: {events: at_steps}\n";
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = NULL;
    ck_assert_int_ne(tn_spec_read_string(text, strlen(text), "text", diags, &spec), TN_OK);
    ck_assert_ptr_nonnull(strstr(tn_diagnostics_get(diags, 0)->message, "locates its events"));
    tn_spec_destroy(spec);
    mechanism m = block("");
    tn_sim_options options = tn_default_sim_options(m.model);
    tn_sim *sim = NULL;
    ck_assert_int_eq((int)options.events, (int)TN_EVENTS_AT_STEPS);
    options.solver = TN_SOLVER_DIRECT;
    ck_assert_int_eq(tn_sim_create(m.model, &options, diags, &sim), TN_ERROR_ARGUMENT);
    tn_diagnostics_destroy(diags);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("at steps");
    TCase *steps = tcase_create("steps");
    tcase_add_test(steps, falls_to_its_stop_and_rests);
    tcase_add_test(steps, bounces_by_its_restitution);
    tcase_add_test(steps, motor_tracks_and_then_presses);
    tcase_add_test(steps, friction_slips_and_sticks);
    tcase_add_loop_test(steps, stiff_springs_are_stable, 0, 2);
    tcase_add_test(steps, round_caps_are_round);
    tcase_add_test(steps, motors_along_couplings_have_their_caps);
    tcase_add_test(steps, leads_where_located_events_do);
    tcase_add_test(steps, goes_on_with_the_same_bits);
    tcase_add_test(steps, only_sequential_impulses_have_such_steps);
    suite_add_tcase(suite, steps);
    return suite;
}
