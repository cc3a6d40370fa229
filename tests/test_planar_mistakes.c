/* test_planar_mistakes.c: mistakes other planar engines make with joints: one named test each, by
 * every integrator. The models are texts of planar worlds.
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "support/run_main.h"
#include "tenon/io.h"
#include "tenon/tenon.h"

typedef struct scene {
    tn_model *model;
    tn_sim *sim;
} scene;

static scene start(int integrator, const char *text)
{
    scene s = {NULL, NULL};
    tn_spec *spec = NULL;
    tn_diagnostics *diags = tn_diagnostics_create();
    const tn_status status = tn_spec_read_string(text, strlen(text), "scene", diags, &spec);
    tn_diagnostics_print(diags, stdout, NULL, 0);
    tn_diagnostics_destroy(diags);
    ck_assert_int_eq(status, TN_OK);
    ck_assert_int_eq(tn_model_compile(spec, NULL, &s.model), TN_OK);
    tn_sim_options options = tn_default_sim_options(s.model);
    options.integrator = (tn_integrator)integrator;
    ck_assert_int_eq(tn_sim_create(s.model, &options, NULL, &s.sim), TN_OK);
    tn_spec_destroy(spec);
    return s;
}

static void run(const scene *s, int steps)
{
    for (int k = 0; k < steps; k++)
        ck_assert_int_eq(tn_sim_step(s->sim, 0.01, NULL), TN_OK);
}

/* The only coordinate of a joint, all or nothing. */
static tn_status set(tn_sim *sim, int32_t joint, double value)
{
    const tn_coordinate_request request = {{joint}, 0, value};
    return tn_sim_set_coordinates(sim, &request, 1, NULL, NULL, NULL);
}

static void finish(scene *s)
{
    tn_sim_destroy(s->sim);
    tn_model_destroy(s->model);
}

static double coordinate(const scene *s, int32_t i)
{
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(s->sim, (tn_joint){0}, q);
    return q[i];
}

/* The first coordinate of a joint, and its speed. */
static double coordinate_of(const scene *s, int32_t joint, double *speed)
{
    double q[TN_MAX_COORDINATES], v[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(s->sim, (tn_joint){joint}, q);
    tn_sim_joint_speeds(s->sim, (tn_joint){joint}, v);
    *speed = v[0];
    return q[0];
}

#define WORLD "tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies:\n"

/* -30 N m without any impulse: the limit's angle had been taken for a torque. */
START_TEST(limits_that_do_nothing_carry_no_torque)
{
    scene s =
        start(_i, WORLD "  a: {mass: 1, inertia: 1}\njoints:\n"
                        "  j: {type: hinge, a: a, origin: [0, 0], range: {theta: [-0.5, 0.5]}}\n");
    run(&s, 10);
    const tn_wrench w = tn_sim_joint_wrench(s.sim, (tn_joint){0}, TN_WRENCH_ON_A);
    ck_assert_double_eq(w.m.z, 0.0);
    finish(&s);
}
END_TEST

/* Bodies drawn 0.4 rad apart were driven to 0.8. */
START_TEST(an_angle_is_kept_as_drawn)
{
    scene s =
        start(_i, WORLD
              "  a: {mass: 1, inertia: 1}\n"
              "  b: {position: [1, 0], angle: 0.4, mass: 1, inertia: 2, velocity: {angular: 3}}\n"
              "joints:\n  j: {type: rotation_lock, a: b, b: a, origin: [0, 0]}\n");
    run(&s, 100);
    const tn_quat a = tn_sim_body_pose(s.sim, (tn_body){0}).q;
    const tn_quat b = tn_sim_body_pose(s.sim, (tn_body){1}).q;
    const double apart = 2.0 * (atan2(b.z, b.w) - atan2(a.z, a.w));
    ck_assert_double_eq_tol(remainder(apart - 0.4, 2.0 * acos(-1.0)), 0.0, 1e-12);
    /* 2 kg m^2 at 3 rad/s shared with 1 kg m^2 */
    ck_assert_double_eq_tol(tn_sim_body_velocity(s.sim, (tn_body){0}).w.z, 2.0, 1e-12);
    finish(&s);
}
END_TEST

/* lower = upper = 1 pulled the slider to 0; so it did the wheel. */
static const char *const equal_limits[] = {
    "{type: slider, a: a, origin: [0, 0], axis: [3, 4], initial: {z: 1}, range: {z: [1, 1]}}",
    "{type: slotted_hinge, a: a, origin: [0, 0], axis: [3, 4], initial: {x: 1}, range: {x: [1, "
    "1]}}"};

START_TEST(equal_limits_hold_where_they_are)
{
    for (int k = 0; k < 2; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 WORLD
                 "  a: {position: [0.6, 0.8], mass: 1, inertia: 1, velocity: {linear: [1, 2]}}\n"
                 "joints:\n  j: %s\n",
                 equal_limits[k]);
        scene s = start(_i, text);
        run(&s, 50);
        ck_assert_double_eq_tol(coordinate(&s, 0), 1.0, 1e-12);
        finish(&s);
    }
}
END_TEST

/* A limit at -300 rad/s but none at +300: both ways must be mirror images, at any speed. */
START_TEST(turning_left_mirrors_turning_right)
{
    double turns[2];
    for (int k = 0; k < 2; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 WORLD "  a: {mass: 1, inertia: 1, velocity: {angular: %d}}\njoints:\n"
                       "  j: {type: hinge, a: a, origin: [0, 0]}\n",
                 k ? -300 : 300);
        scene s = start(_i, text);
        run(&s, 100);
        turns[k] = coordinate(&s, 0);
        finish(&s);
    }
    ck_assert_double_eq_tol(turns[0], 300.0, 1e-9); /* rad in 1 s: 48 turns, counted */
    ck_assert_double_eq(turns[0], -turns[1]);
}
END_TEST

/* Rotating before translating moved the common centre of mass in the position pass. */
START_TEST(corrections_keep_the_centre_of_mass)
{
    scene s = start(
        _i, WORLD
        "  a: {position: [0.5, 0], mass: 2, inertia: 0.3, velocity: {linear: [0, 1], angular: 7}}\n"
        "  b: {position: [1.5, 0], mass: 1, inertia: 0.1, velocity: {linear: [0, 4], angular: "
        "-9}}\n"
        "joints:\n  j: {type: hinge, a: b, b: a, origin: [1, 0]}\n");
    const double momentum = 2.0 * 1.0 + 1.0 * 4.0;
    run(&s, 200);
    const tn_vec3 a = tn_sim_body_pose(s.sim, (tn_body){0}).p;
    const tn_vec3 b = tn_sim_body_pose(s.sim, (tn_body){1}).p;
    ck_assert_double_eq_tol((2.0 * a.x + b.x) / 3.0, 2.5 / 3.0, 1e-12);
    ck_assert_double_eq_tol((2.0 * a.y + b.y) / 3.0, momentum / 3.0 * 2.0, 1e-11);
    finish(&s);
}
END_TEST

/* A prismatic joint at its upper limit pushed along z, and twice. */
START_TEST(a_slider_at_its_limit_pushes_along_its_axis)
{
    scene s =
        start(_i, "tenon: 1\nworld: planar\ngravity: [10, 0]\nbodies:\n"
                  "  a: {mass: 1, inertia: 1}\njoints:\n"
                  "  j: {type: slider, a: a, origin: [0, 0], axis: [1, 0], range: {z: [-1, 0]}}\n");
    run(&s, 100);
    const tn_wrench w = tn_sim_joint_wrench(s.sim, (tn_joint){0}, TN_WRENCH_ON_A);
    ck_assert_double_eq_tol(w.f.x, -10.0, 1e-9);
    ck_assert_double_eq_tol(w.f.y, 0.0, 1e-9);
    ck_assert_double_eq(w.f.z, 0.0);
    finish(&s);
}
END_TEST

/* A welded cantilever sagged, and reported a seventh of its root moment in the first step. */
START_TEST(a_cantilever_carries_its_moment_from_the_first_step)
{
    char text[2048] = "tenon: 1\nworld: planar\ngravity: [0, -9.8]\nbodies:\n";
    for (int k = 0; k < 5; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "  p%d: {position: [%d.5, 0], mass: 1, inertia: 0.0833}\n", k, k);
    snprintf(text + strlen(text), sizeof text - strlen(text),
             "joints:\n  w0: {type: solid, a: p0, origin: [0, 0]}\n");
    for (int k = 1; k < 5; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "  w%d: {type: solid, a: p%d, b: p%d, origin: [%d, 0]}\n", k, k, k - 1, k);
    scene s = start(_i, text);
    run(&s, 1);
    const tn_wrench w = tn_sim_joint_wrench(s.sim, (tn_joint){0}, TN_WRENCH_IN_C);
    ck_assert_double_eq_tol(w.f.y, 49.0, 1e-9);
    ck_assert_double_eq_tol(w.m.z, 122.5, 1e-9);
    run(&s, 300);
    ck_assert_double_eq_tol(tn_sim_body_pose(s.sim, (tn_body){4}).p.y, 0.0, 1e-12);
    finish(&s);
}
END_TEST

/* Two wheels; a gear of ratio -1 went from an error of 1.2 to 1.5e5 in five steps, and unequal
 * inertias were weighed with |r| instead of r^2. */
START_TEST(negative_gear_ratio_does_not_diverge)
{
    static const double ratios[] = {-1.0, -2.0, 0.5};
    for (int k = 0; k < 3; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 WORLD "  a: {mass: 1, inertia: 1, velocity: {angular: 3}}\n"
                       "  b: {position: [1, 0], mass: 1, inertia: 2}\njoints:\n"
                       "  ja: {type: hinge, a: a, origin: [0, 0]}\n"
                       "  jb: {type: hinge, a: b, origin: [1, 0]}\n"
                       "couplings:\n  g: {gear: {a: ja.theta, b: jb.theta, ratio: %g}}\n",
                 ratios[k]);
        scene s = start(_i, text);
        run(&s, 100);
        double wa, wb;
        const double a = coordinate_of(&s, 0, &wa), b = coordinate_of(&s, 1, &wb);
        const double r = ratios[k], expected = 3.0 / (1.0 + 2.0 * r * r);
        ck_assert_double_eq_tol(b, r * a, 1e-12);
        ck_assert_double_eq_tol(wa, expected, 1e-12);
        ck_assert_double_eq_tol(wb, r * expected, 1e-12);
        finish(&s);
    }
}
END_TEST

/* The velocities kept l_a + r l_b, the position pass l_a + l_b: 15 went to 14.62 in half a second.
 */
START_TEST(pulley_keeps_one_ratio_in_position_and_velocity)
{
    scene s = start(_i, "tenon: 1\nworld: planar\ngravity: [0, -9.8]\nbodies:\n"
                        "  a: {kind: particle, position: [-1, -5], mass: 1}\n"
                        "  b: {kind: particle, position: [1, -5], mass: 3}\njoints:\n"
                        "  la: {type: distance, a: a, frame_c: {position: [-1, -5]}, "
                        "frame_d: {position: [-1, 0]}}\n"
                        "  lb: {type: distance, a: b, frame_c: {position: [1, -5]}, "
                        "frame_d: {position: [1, 0]}}\n"
                        "couplings:\n  p: {pulley: {a: la.length, b: lb.length, ratio: 2}}\n");
    run(&s, 50);
    double va, vb;
    const double a = coordinate_of(&s, 0, &va), b = coordinate_of(&s, 1, &vb);
    ck_assert_double_eq_tol(a + 2.0 * b, 15.0, 1e-10);
    ck_assert_double_eq_tol(va + 2.0 * vb, 0.0, 1e-10);
    ck_assert_double_gt(fabs(va), 0.1);
    finish(&s);
}
END_TEST

/* Spring and both ends of the range saw the speed from before any of them had acted: the upper end
 * left +24 m/s. */
START_TEST(spring_and_ends_of_a_distance_see_the_speed_of_now)
{
    static const double starts[][2] = {{2.0, 24.0}, {1.0, -24.0}, {1.999, 24.0}, {1.001, -24.0}};
    for (int k = 0; k < 4; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 WORLD
                 "  a: {position: [%g, 0], mass: 1, inertia: 1, velocity: {linear: [%g, 0]}}\n"
                 "joints:\n"
                 "  j: {type: distance, a: a, frame_c: {position: [%g, 0]}, frame_d: {position: "
                 "[0, 0]},\n"
                 "      range: {length: [1, 2]},\n"
                 "      spring: {length: {stiffness: 500, rest: 1.5, damping: 3}}}\n",
                 starts[k][0], starts[k][1], starts[k][0]);
        scene s = start(_i, text);
        for (int n = 0; n < 20; n++) {
            double v;
            run(&s, 1);
            const double length = coordinate_of(&s, 0, &v);
            ck_assert_double_ge(length, 1.0 - 1e-10);
            ck_assert_double_le(length, 2.0 + 1e-10);
            if (n == 0) /* away from the end it has hit, at no more than the spring gives it */
                ck_assert(k % 2 ? v >= -1e-12 && v < 5.0 : v <= 1e-12 && v > -5.0);
        }
        finish(&s);
    }
}
END_TEST

/* NaN and infinity passed as mass, anchor, axis, limit. */
START_TEST(what_is_no_number_is_refused)
{
    static const char *const bad[] = {
        "  a: {mass: .nan, inertia: 1}\n",
        "  a: {mass: 1, inertia: .inf}\n",
        "  a: {mass: 1, inertia: 1, angle: .nan}\n",
        "  a: {mass: 1, inertia: 1}\njoints:\n  j: {type: slider, a: a, origin: [.nan, 0], axis: "
        "[1, 0]}\n",
        "  a: {mass: 1, inertia: 1}\njoints:\n  j: {type: slider, a: a, origin: [0, 0], axis: [0, "
        "0]}\n",
        "  a: {mass: 1, inertia: 1}\njoints:\n  j: {type: slider, a: a, origin: [0, 0], axis: "
        "[.inf, 0]}\n",
        "  a: {mass: 1, inertia: 1}\njoints:\n  j: {type: hinge, a: a, origin: [0, 0], range: "
        "{theta: [.nan, 1]}}\n",
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        char text[512];
        tn_spec *spec = NULL;
        snprintf(text, sizeof text, WORLD "%s", bad[k]);
        ck_assert_msg(tn_spec_read_string(text, strlen(text), "bad", NULL, &spec) == TN_ERROR_INPUT,
                      "accepted: %s", bad[k]);
    }
}
END_TEST

/* A slide that points out of the plane of its planar body: along it there is no place for the body,
 * and nothing is "set". Along a slide in the plane the body stays in it exactly. */
START_TEST(set_out_of_the_plane)
{
    scene s = start(_i, "tenon: 1\nbodies:\n"
                        "  a: {kind: planar, mass: 1, inertia: 1, position: [0.3, 0, 2]}\n"
                        "  b: {kind: planar, mass: 1, inertia: 1, position: [0.3, 0, 2]}\n"
                        "joints:\n"
                        "  out: {type: slider, a: a, origin: [0, 0, 0], axis: [1, 0, 1]}\n"
                        "  along: {type: slider, a: b, origin: [0, 0, 0],"
                        " axis: [1, 1, 0]}\n");
    const tn_body a = {0}, b = {1};
    double before[14], after[14];
    tn_sim_get_poses(s.sim, before);
    ck_assert_int_eq(set(s.sim, 0, 0.5), TN_ERROR_NOT_CONVERGED);
    tn_sim_get_poses(s.sim, after);
    ck_assert(memcmp(before, after, sizeof before) == 0);
    ck_assert_int_eq(set(s.sim, 1, 0.5), TN_OK);
    const tn_pose moved = tn_sim_body_pose(s.sim, b);
    ck_assert(moved.p.z == 2.0 && moved.q.x == 0.0 && moved.q.y == 0.0);
    ck_assert_double_eq_tol(moved.p.x, 0.3 + 0.5 * sqrt(0.5), 1e-9);
    tn_pose tilted = tn_sim_body_pose(s.sim, a);
    tilted.q = (tn_quat){0.8, 0.6, 0.0, 0.0};
    ck_assert_int_eq(tn_sim_set_body_pose(s.sim, a, tilted), TN_ERROR_ARGUMENT);
    finish(&s);
}
END_TEST

/* The same where the model is compiled: told, with its place. */
START_TEST(set_out_of_the_plane_in_a_file)
{
    static const char text[] = "tenon: 1\nbodies: {a: {kind: planar, mass: 1, inertia: 1}}\n"
                               "joints:\n  out: {type: slider, a: a, origin: [0, 0, 0],"
                               " axis: [1, 0, 1], set: {z: 0.5}}\n";
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = NULL;
    tn_model *model = NULL;
    ck_assert_int_eq(tn_spec_read_string(text, strlen(text), "scene", diags, &spec), TN_OK);
    ck_assert_int_eq(tn_model_compile(spec, diags, &model), TN_ERROR_INPUT);
    ck_assert_ptr_null(model);
    ck_assert_int_eq(tn_diagnostics_get(diags, 0)->at.line, 4);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("planar_mistakes");
    TCase *tc = tcase_create("planar_mistakes");
    tcase_add_loop_test(tc, limits_that_do_nothing_carry_no_torque, 0, TN_INTEGRATOR_COUNT);
    tcase_add_loop_test(tc, an_angle_is_kept_as_drawn, 0, TN_INTEGRATOR_COUNT);
    tcase_add_loop_test(tc, equal_limits_hold_where_they_are, 0, TN_INTEGRATOR_COUNT);
    tcase_add_loop_test(tc, turning_left_mirrors_turning_right, 0, TN_INTEGRATOR_COUNT);
    tcase_add_loop_test(tc, corrections_keep_the_centre_of_mass, 0, TN_INTEGRATOR_COUNT);
    tcase_add_loop_test(tc, a_slider_at_its_limit_pushes_along_its_axis, 0, TN_INTEGRATOR_COUNT);
    tcase_add_loop_test(tc, a_cantilever_carries_its_moment_from_the_first_step, 0,
                        TN_INTEGRATOR_COUNT);
    tcase_add_loop_test(tc, negative_gear_ratio_does_not_diverge, 0, TN_INTEGRATOR_COUNT);
    tcase_add_loop_test(tc, pulley_keeps_one_ratio_in_position_and_velocity, 0,
                        TN_INTEGRATOR_COUNT);
    tcase_add_loop_test(tc, spring_and_ends_of_a_distance_see_the_speed_of_now, 0,
                        TN_INTEGRATOR_COUNT);
    tcase_add_loop_test(tc, set_out_of_the_plane, 0, TN_INTEGRATOR_COUNT);
    tcase_add_test(tc, set_out_of_the_plane_in_a_file);
    tcase_add_test(tc, what_is_no_number_is_refused);
    suite_add_tcase(suite, tc);
    return suite;
}
