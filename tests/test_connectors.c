/* test_connectors.c: pins that drag, blocks of three distances, ropes over pulleys given by points:
 * closed forms, balance, and what bad input is told.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/drive_scenes.h"
#include "support/run_main.h"
#include "tenon/io.h"

#define PI 3.14159265358979323846

/* ---- pin ---- */

/* In the plane and in space, a body of 2 kg pulled by its centre of mass from (1, 0) to (0, 0). */
static const char *const pulled[] = {
    "tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies:\n"
    "  b: {position: [1, 0], mass: 2, inertia: 0.1}\n"
    "joints:\n  p: {type: pin, a: b, frame_c: {position: [1, 0]}, frame_d: {position: [0, 0]}, "
    "pull: {%s}}\n",
    "tenon: 1\ngravity: [0, 0, 0]\nbodies:\n"
    "  b: {position: [1, 0, 0], mass: 2, inertia: [0.1, 0.2, 0.3]}\n"
    "joints:\n  p: {type: mouse, a: b, frame_c: {position: [1, 0, 0]}, frame_d: {position: [0, 0, "
    "0]}, pull: {%s}}\n"};

static mechanism pulled_by(int world, const char *pull)
{
    char text[1024];
    snprintf(text, sizeof text, pulled[world], pull);
    mechanism m = mechanism_of(text, TN_GENERALIZED_ALPHA);
    return m;
}

/* x = e^(-z w t) (cos wd t + z w/wd sin wd t) */
START_TEST(pin_pulls_with_its_frequency_and_damping)
{
    mechanism m = pulled_by(_i, "frequency: 1.5, damping_ratio: 0.4");
    const double w = 3.0 * PI, z = 0.4, wd = w * sqrt(1.0 - z * z);
    for (int k = 0; k < 1000; k++) {
        drive_run(&m, 1e-3, 1);
        const double t = tn_sim_time(m.sim);
        ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0),
                                exp(-z * w * t) * (cos(wd * t) + z * w / wd * sin(wd * t)), 1e-5);
        ck_assert_double_eq_tol(drive_coordinate(&m, 0, 1), 0.0, 1e-12);
    }
    mechanism_free(&m);
}
END_TEST

/* A target that moves in a circle; after the transient the undamped-by-itself body follows it with
 * amplitude |(k + i d w) / (k - m w^2 + i d w)|. */
START_TEST(pin_follows_a_moving_target)
{
    mechanism m = pulled_by(
        _i, "stiffness: 800, damping: 80, "
            "target: {x: {sine: [0.3, 5, 0, 0]}, y: {sine: [0.3, 5, 1.5707963267948966, 0]}}");
    drive_run(&m, 1e-3, 3000);
    const double re = 800.0, im = 80.0 * 5.0, mass = 2.0 * 25.0;
    const double wanted = 0.3 * sqrt((re * re + im * im) / ((re - mass) * (re - mass) + im * im));
    for (int k = 0; k < 500; k++) {
        drive_run(&m, 1e-3, 1);
        ck_assert_double_eq_tol(hypot(drive_coordinate(&m, 0, 0), drive_coordinate(&m, 0, 1)),
                                wanted, 1e-5);
    }
    mechanism_free(&m);
}
END_TEST

/* The target set by hand before every step; the force is that of the spring, and the ground feels
 * its opposite at the point. */
START_TEST(pin_target_is_set_between_steps)
{
    mechanism m = pulled_by(_i, "stiffness: 50, damping: 20");
    for (int k = 0; k < 400; k++) {
        const double target = 1.0 + 1e-3 * k;
        ck_assert_int_eq(tn_sim_set_spring_rest(m.sim, joint0, 0, target), TN_OK);
        ck_assert_int_eq(tn_sim_step(m.sim, 5e-3, NULL), TN_OK);
        const double wanted =
            -50.0 * (drive_coordinate(&m, 0, 0) - target) - 20.0 * drive_speed(&m, 0, 0);
        ck_assert_double_eq_tol(tn_sim_coordinate_force(m.sim, joint0, 0, TN_WRENCH_SPRING), wanted,
                                1e-3);
        tn_balance balance;
        ck_assert_int_eq(tn_sim_balance(m.sim, &balance), TN_OK);
        ck_assert_double_le(fmax(balance.force, balance.moment), 1e-6);
    }
    ck_assert_double_ge(drive_coordinate(&m, 0, 0), 1.25);
    mechanism_free(&m);
}
END_TEST

/* ---- block of distances ---- */

/* A bar hung by one end swings as on a ball joint, step by step; together, and 0.2 m apart, which
 * is a ball joint beside the beam. */
START_TEST(block_holds_a_point_at_any_distance)
{
    static const char *const text = "tenon: 1\ngravity: [1, 2, -9.81]\nbodies:\n"
                                    "  bar: {position: [0.5, 0, 0], mass: 2, inertia: [0.01, 0.2, "
                                    "0.2], velocity: {angular: [3, 0, 0]}}\n"
                                    "joints:\n  j: {%s, a: bar, %s}\n";
    static const char *const types[][2] = {
        {"type: spherical", "origin: [0, 0, 0]"},
        {"type: rod, block: true",
         "frame_c: {position: [0, 0, 0]}, frame_d: {position: [0, 0, 0]}"},
        {"type: block", "frame_c: {position: [0, 0, 0]}, frame_d: {position: [0, 0.2, 0]}"}};
    tn_pose end[3];
    for (int k = 0; k < 3; k++) {
        char model[1024];
        snprintf(model, sizeof model, text, types[k][0], types[k][1]);
        mechanism m = mechanism_of(model, TN_GENERALIZED_ALPHA);
        run_stats stats = {0};
        mechanism_run(&m, 1e-3, 1000, &stats);
        ck_assert_double_le(stats.position_error, 1e-12);
        end[k] = tn_sim_body_pose(m.sim, (tn_body){0});
        mechanism_free(&m);
    }
    for (int k = 1; k < 3; k++)
        ck_assert_double_le(vec_norm(vec_sub(end[k].p, end[0].p)), 1e-9);
}
END_TEST

START_TEST(block_lies_in_the_plane_too)
{
    mechanism m =
        mechanism_read("tenon: 1\nworld: planar\nbodies:\n"
                       "  bar: {position: [1, 0], mass: 2, inertia: 0.4}\n"
                       "joints:\n  j: {type: rod, block: true, a: bar, origin: [0, 0]}\n");
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    ck_assert_int_eq(tn_model_get_size(m.model).rows, 2);
    run_stats stats = {0};
    mechanism_run(&m, 1e-3, 500, &stats);
    ck_assert_double_le(stats.position_error, 1e-12);
    ck_assert_double_le(stats.energy_drift, 1e-4);
    mechanism_free(&m);
}
END_TEST

/* ---- a rope over pulleys ---- */

static const char *const tackle[] = {
    "tenon: 1\nworld: planar\ngravity: [0, -10]\nbodies:\n"
    "  a: {position: [0, -1], mass: 1, inertia: 0.1, velocity: {linear: [%g, 0]}}\n"
    "  b: {position: [2, -2], mass: 5, inertia: 0.1}\n"
    "couplings:\n  rope: {rope_over_pulleys: {a: a, end_a: [0, -1], pulley_a: [0, 0],\n"
    "    b: b, end_b: [2, -2], pulley_b: [2, 0], ratio: 2}}\n",
    "tenon: 1\ngravity: [0, -10, 0]\nbodies:\n"
    "  a: {position: [0, -1, 0], mass: 1, inertia: [0.1, 0.1, 0.1], velocity: {linear: [%g, 0, "
    "0.5]}}\n"
    "  b: {position: [2, -2, 0], mass: 5, inertia: [0.1, 0.1, 0.1]}\n"
    "couplings:\n  rope: {rope_over_pulleys: {a: a, end_a: [0, -1, 0], pulley_a: [0, 0, 0],\n"
    "    b: b, end_b: [2, -2, 0], pulley_b: [2, 0, 0], ratio: 2}}\n"};

static mechanism tackle_with(int world, double push)
{
    char text[1024];
    snprintf(text, sizeof text, tackle[world], push);
    return mechanism_read(text);
}

/* l_a + 2 l_b stays, in position and velocity, while both sides swing. */
START_TEST(pulley_conserves_the_rope)
{
    mechanism m = tackle_with(_i, 1.5);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    for (int k = 0; k < 1000; k++) {
        drive_run(&m, 1e-3, 1);
        tn_balance balance;
        const double rope = drive_coordinate(&m, 0, 0) + 2.0 * drive_coordinate(&m, 1, 0);
        ck_assert_double_eq_tol(rope, 5.0, 1e-10);
        ck_assert_double_eq_tol(tn_sim_coupling_value(m.sim, (tn_coupling){0}), 5.0, 1e-10);
        ck_assert_int_eq(tn_sim_balance(m.sim, &balance), TN_OK);
        ck_assert_double_le(fmax(balance.force, balance.moment), 1e-5);
    }
    ck_assert_int_eq(tn_sim_project(m.sim, NULL), TN_OK);
    ck_assert_double_eq_tol(drive_speed(&m, 0, 0) + 2.0 * drive_speed(&m, 1, 0), 0.0, 1e-10);
    mechanism_free(&m);
}
END_TEST

/* l_b'' = g (m_b - 2 m_a) / (m_b + 4 m_a) = 10 / 3, and the rope pulls with m_a (g + 2 l_b''). */
START_TEST(pulley_falls_as_a_tackle)
{
    mechanism m = tackle_with(0, 0.0);
    mechanism_start_tight(&m, TN_GENERALIZED_ALPHA);
    drive_run(&m, 1e-3, 300);
    ck_assert_double_eq_tol(drive_coordinate(&m, 1, 0), 2.0 + 0.5 * 10.0 / 3.0 * 0.09, 1e-9);
    ck_assert_double_eq_tol(fabs(tn_sim_coupling_force(m.sim, (tn_coupling){0})), 10.0 + 20.0 / 3.0,
                            1e-7);
    mechanism_free(&m);
}
END_TEST

/* Thrown up, one side goes slack: free fall until the rope is taut again. Through the C interface.
 */
START_TEST(slack_rope_lets_fall_freely)
{
    mechanism m = mechanism_new(vec(0.0, -10.0, 0.0));
    tn_body bodies[2];
    for (int k = 0; k < 2; k++) {
        tn_body_def def = tn_default_body_def();
        def.kind = TN_BODY_PARTICLE;
        def.mass = 1.0;
        def.pose.p = vec(k, -1.0, 0.0);
        def.velocity.v = vec(0.0, k ? 2.0 : 1.0, 0.0);
        bodies[k] = mechanism_body(&m, &def);
    }
    tn_pulley_def rope = tn_default_pulley_def();
    rope.name = "rope";
    rope.a = bodies[0];
    rope.b = bodies[1];
    rope.end_a = vec(0.0, -1.0, 0.0);
    rope.end_b = vec(1.0, -1.0, 0.0);
    rope.pulley_b = vec(1.0, 0.0, 0.0);
    rope.slack = 1;
    tn_coupling coupling;
    ck_assert_int_eq(tn_spec_add_pulley(m.spec, &rope, &coupling), TN_OK);
    ck_assert_str_eq(tn_spec_joint(m.spec, (tn_joint){1})->name, "rope_b");
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    /* sum of lengths 2 - 3 t + 10 t^2: taut again at t = 0.3 */
    double taut = 0.0;
    for (int k = 0; k < 400; k++) {
        drive_run(&m, 1e-3, 1);
        const double t = tn_sim_time(m.sim), sum = tn_sim_coupling_value(m.sim, coupling);
        ck_assert_double_le(sum, 2.0 + 1e-9);
        if (t < 0.299)
            ck_assert_double_eq_tol(sum, 2.0 - 3.0 * t + 10.0 * t * t, 1e-9);
        for (int32_t e = 0; e < tn_sim_event_count(m.sim); e++)
            if (tn_sim_event(m.sim, e)->kind == TN_EVENT_LIMIT_REACHED && t > 0.1)
                taut = tn_sim_event(m.sim, e)->time;
    }
    ck_assert_double_eq_tol(taut, 0.3, 1e-8);
    mechanism_free(&m);
}
END_TEST

/* ---- bad input ---- */

static void expect_problem(const char *text, int32_t line, const char *message)
{
    tn_spec *spec = NULL;
    tn_diagnostics *diags = tn_diagnostics_create();
    ck_assert_int_eq(tn_spec_read_string(text, strlen(text), "bad", diags, &spec), TN_ERROR_INPUT);
    const tn_diagnostic *first = tn_diagnostics_get(diags, 0);
    ck_assert_msg(strstr(first->message, message) != NULL, "%s", first->message);
    ck_assert_int_eq(first->at.line, line);
    tn_diagnostics_destroy(diags);
}

START_TEST(bad_connectors_are_told_where_they_stand)
{
    expect_problem("tenon: 1\nbodies:\n  b: {mass: 1, inertia: [1, 1, 1]}\n"
                   "joints:\n  j: {type: hinge, block: true, a: b, origin: [0, 0, 0]}\n",
                   5, "only a rod or a distance");
    expect_problem("tenon: 1\nbodies:\n  b: {mass: 1, inertia: [1, 1, 1]}\n"
                   "joints:\n  j: {type: pin, a: b, origin: [0, 0, 0], pull: {frequency: -1}}\n",
                   5, "frequency");
    expect_problem(
        "tenon: 1\nbodies:\n  b: {mass: 1, inertia: [1, 1, 1]}\n  c: {mass: 1, inertia: [1, 1, "
        "1]}\n"
        "joints:\n  r_a: {type: hinge, a: b, origin: [0, 0, 0]}\n"
        "couplings:\n  r: {rope_over_pulleys: {a: b, end_a: [0, 0, 0], pulley_a: [0, 0, 1],\n"
        "    b: c, end_b: [0, 0, 0], pulley_b: [0, 0, 1]}}\n",
        8, "'r_a' has the name of another joint");
    expect_problem(
        "tenon: 1\nbodies:\n  b: {mass: 1, inertia: [1, 1, 1]}\n"
        "couplings:\n  r: {rope_over_pulleys: {a: b, end_a: [0, 0, 0], pulley_a: [0, 0, 1],\n"
        "    b: c, end_b: [0, 0, 0], pulley_b: [0, 0, 1]}}\n",
        6, "unknown body 'c'");
}
END_TEST

/* What is written for them reads back as the same model. */
START_TEST(connectors_are_written_as_what_they_stand_for)
{
    char text[1024];
    snprintf(text, sizeof text, tackle[0], 1.0);
    strcat(text, "joints:\n  j: {type: rod, block: true, a: a, origin: [0, -1]}\n"
                 "  p: {type: pin, a: b, origin: [2, -2], pull: {frequency: 2, target: {x: 1}}}\n");
    mechanism m = mechanism_read(text);
    char *written = NULL;
    size_t length;
    ck_assert_int_eq(tn_spec_write_string(m.spec, NULL, &written, &length), TN_OK);
    mechanism again = mechanism_read(written);
    char *twice = NULL;
    ck_assert_int_eq(tn_spec_write_string(again.spec, NULL, &twice, &length), TN_OK);
    ck_assert_str_eq(written, twice);
    ck_assert_int_eq(tn_spec_joint_count(again.spec), 4);
    tn_text_free(written);
    tn_text_free(twice);
    mechanism_free(&m);
    mechanism_free(&again);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("connectors");
    TCase *tc = tcase_create("connectors");
    tcase_add_loop_test(tc, pin_pulls_with_its_frequency_and_damping, 0, 2);
    tcase_add_loop_test(tc, pin_follows_a_moving_target, 0, 2);
    tcase_add_loop_test(tc, pin_target_is_set_between_steps, 0, 2);
    tcase_add_test(tc, block_holds_a_point_at_any_distance);
    tcase_add_test(tc, block_lies_in_the_plane_too);
    tcase_add_loop_test(tc, pulley_conserves_the_rope, 0, 2);
    tcase_add_test(tc, pulley_falls_as_a_tackle);
    tcase_add_test(tc, slack_rope_lets_fall_freely);
    tcase_add_test(tc, bad_connectors_are_told_where_they_stand);
    tcase_add_test(tc, connectors_are_written_as_what_they_stand_for);
    suite_add_tcase(suite, tc);
    return suite;
}
