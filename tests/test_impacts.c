/* test_impacts.c: what hits its limits more often than one looks, with an accuracy asked for.
 *
 * Numbers are closed forms of free flight, or those of another method with a hundred-thousandth of
 * the accuracy.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/limit_scenes.h"
#include "support/run_main.h"
#include "support/saved_states.h"

static const tn_vec3 Z = {0.0, 0.0, 1.0}, zero = {0.0, 0.0, 0.0};

static const tn_integrator integrators[] = {TN_AUTO, TN_DORMAND_PRINCE};

static mechanism start_accurate(mechanism m, tn_integrator integrator, double accuracy)
{
    tn_sim_options options = mechanism_compile(&m, 0);
    options.integrator = integrator;
    options.accuracy = accuracy;
    ck_assert_int_eq(tn_sim_create(m.model, &options, NULL, &m.sim), TN_OK);
    return m;
}

/* A ball on a vertical slide between these ends. */
static mechanism ball(double g, range r, double velocity)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -g));
    const tn_body body = small_body(&m, zero, (tn_twist){{0.0, 0.0, velocity}, zero});
    limited_joint(&m, mechanism_axis_def("slider", body, tn_ground(), zero, Z), &r, 1);
    return m;
}

/* Where a ball is at t that is let go a height above the ground and bounces with restitution e. */
static double bounced(double height, double g, double e, double t)
{
    double v = sqrt(2.0 * g * height), flight = v / g;
    if (t < flight)
        return -0.5 * g * t * t;
    for (t -= flight; v > 1e-12 * g; t -= flight) {
        v *= e;
        flight = 2.0 * v / g;
        if (t < flight)
            return v * t - 0.5 * g * t * t - height;
    }
    return -height;
}

/* All of its bounces in one call, in a world of millimetres as in one of kilometres. */
START_TEST(a_ball_bounces_as_often_as_it_does)
{
    static const double restitutions[] = {0.0, 0.5, 0.9, 0.99}, sizes[] = {1e-3, 1.0, 1e3};
    double worst = 0.0;
    for (int r = 0; r < 4; r++) {
        for (int s = 0; s < 3; s++) {
            const double e = restitutions[r], size = sizes[s];
            const double unit = sqrt(size / 10.0);
            for (double t = 1.0; t < 30.0; t *= 3.0) {
                const range reach = {-size, INFINITY, e};
                mechanism m = start_accurate(ball(10.0, reach, 0.0), integrators[_i], 1e-6);
                ck_assert_int_eq(tn_sim_advance(m.sim, t * unit, NULL), TN_OK);
                const double off = coordinate(&m, 0, 0) - bounced(size, 10.0, e, t * unit);
                worst = fmax(worst, fabs(off) / size);
                mechanism_free(&m);
            }
        }
    }
    printf("bounces: off by %.1e of the height\n", worst);
    ck_assert_double_le(worst, 1e-5);
}
END_TEST

/* Thrown up, it knocks at a ceiling just below its highest point, and is far from it again when one
 * looks. */
START_TEST(a_limit_passed_between_two_looks_is_hit)
{
    const double v = 10.0, g = 10.0, apex = 0.5 * v * v / g;
    for (double below = 1e-1; below > 1e-9; below *= 0.1) {
        const double ceiling = apex - below, w = sqrt(2.0 * g * below), hit = (v - w) / g, t = 1.9;
        const range reach = {-INFINITY, ceiling, 0.5};
        mechanism m = start_accurate(ball(g, reach, v), integrators[_i], 1e-8);
        ck_assert_int_eq(tn_sim_advance(m.sim, t, NULL), TN_OK);
        const double after = t - hit, is = ceiling - 0.5 * w * after - 0.5 * g * after * after;
        ck_assert_double_eq_tol(coordinate(&m, 0, 0), is, 1e-7);
        mechanism_free(&m);
    }
}
END_TEST

/* Furthest that the bodies of both are apart, m. */
static double apart(const mechanism *a, const mechanism *b)
{
    double worst = 0.0;
    const tn_model_size size = tn_model_get_size(a->model);
    for (int32_t i = 0; i < size.bodies; i++) {
        const tn_vec3 p = tn_sim_body_pose(a->sim, (tn_body){i}).p,
                      q = tn_sim_body_pose(b->sim, (tn_body){i}).p;
        worst = fmax(worst, hypot(hypot(p.x - q.x, p.y - q.y), p.z - q.z));
    }
    return worst;
}

/* What the motion makes of an error at an impact is for the campaign; here, of the first six. */
START_TEST(ropes_that_go_taut_in_turn_rest_together)
{
    static const char path[] = "defects/ropes_in_turn.yaml";
    mechanism m = start_accurate(mechanism_read_file(path), TN_AUTO, 1e-6),
              fine = start_accurate(mechanism_read_file(path), TN_DORMAND_PRINCE, 1e-11);
    double worst = 0.0;
    for (int k = 1; k <= 10; k++) {
        ck_assert_int_eq(tn_sim_advance(m.sim, 1e-3 * k, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_advance(fine.sim, 1e-3 * k, NULL), TN_OK);
        worst = fmax(worst, apart(&m, &fine));
    }
    printf("ropes in turn: %.1e m apart\n", worst);
    ck_assert_double_le(worst, 1e-5 * 5e-3);
    mechanism_free(&m);
    mechanism_free(&fine);
}
END_TEST

/* A sledge that flies ahead takes the one along that rubs, when the rope between them goes taut: friction
 * has no impulse, whatever it could stop in a step. v = m V / (m + M), then - F / (m + M) until they rest. */
START_TEST(friction_stops_nothing_in_an_impact)
{
    static const char text[] =
        "tenon: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  slow: {position: [0, 0, 0], mass: 3, inertia: [1, 1, 1]}\n"
        "  fast: {position: [0.5, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"
        "joints:\n"
        "  rail: {type: slider, a: slow, origin: [0, 0, 0], axis: [1, 0, 0], friction: {z: {force: "
        "4}}}\n"
        "  air: {type: slider, a: fast, origin: [0.5, 0, 0], axis: [1, 0, 0], speed: {z: 2}}\n"
        "  line: {type: rope, a: slow, b: fast, frame_c: {position: [0, 0, 0]},\n"
        "         frame_d: {position: [0.5, 0, 0]}, range: {length: [0, 0.7]}}\n";
    for (double t = 0.2; t < 1.0; t += 0.2) {
        mechanism m = start_accurate(mechanism_read(text), integrators[_i], 1e-8);
        ck_assert_int_eq(tn_sim_advance(m.sim, t, NULL), TN_OK);
        const double after = fmin(fmax(0.0, t - 0.1), 0.5);
        const double way = 0.5 * after - 0.5 * after * after;
        ck_assert_double_eq_tol(fabs(coordinate(&m, 0, 0)), way, 1e-8);
        mechanism_free(&m);
    }
}
END_TEST

/* A light sled stops at its end, the load on it slides on, M v / F = 1 s long: friction that could stop both
 * if they were free within a step (h F / m of the sled alone) stops nothing of the load at once, in
 * steps of one length either, nor where the sled stands at its end as it starts, or somebody pushes the load on. */
static const char load_on_a_sled[] =
    "tenon: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  sled: {position: [0, 0, 0], mass: 0.1, inertia: [1, 1, 1], velocity: {linear: [1, 0, 0]}}\n"
    "  load: {position: [0, 0, 1], mass: 10, inertia: [1, 1, 1], velocity: {linear: [1, 0, 0]}}\n"
    "joints:\n"
    "  rail: {type: slider, a: sled, origin: [0, 0, 0], axis: [1, 0, 0], range: {z: [-9, %g]}}\n"
    "  bed: {type: slider, a: load, b: sled, origin: [0, 0, 1], axis: [1, 0, 0],\n"
    "        %s}\n";

static const char *const holds_of_load[] = {"friction: {z: {force: 10}}",
                                            "motor: {z: {speed: 0, max_force: 10}}"};

/* As far as it slides in 2 s; with methods of first order the event takes or leaves what friction does in a step. */
static void slide_on(mechanism *m, int integrator, double already)
{
    const double h = 1e-2, way = already + 0.5;
    const double allowed = method_order(integrator) > 1 ? 1e-9 : 0.75 * h;
    for (int step = 0; step < 200; step++)
        ck_assert_int_eq(tn_sim_step(m->sim, h, NULL), TN_OK);
    if (getenv("TENON_TELL"))
        printf("%s: %.9f\n", method_name(integrator), coordinate(m, 1, 0));
    ck_assert_double_eq_tol(coordinate(m, 1, 0), way, allowed);
    mechanism_free(m);
}

START_TEST(a_load_slides_on_where_its_sled_stops)
{
    static const double ends[] = {0.105, 0.0};
    static const tn_integrator methods[] = {TN_GENERALIZED_ALPHA, TN_CONSTRAINED_BACKWARD_EULER,
                                            TN_BACKWARD_EULER};
    for (int k = 0; k < 12; k++) {
        char model[1024];
        snprintf(model, sizeof(model), load_on_a_sled, ends[k / 6], holds_of_load[k % 2]);
        mechanism m = start_accurate(mechanism_read(model), methods[k / 2 % 3], 1e-6);
        slide_on(&m, (int)methods[k / 2 % 3], 0.0);
    }
}
END_TEST

START_TEST(a_load_that_is_pushed_on_slides)
{
    static const tn_integrator methods[] = {TN_GENERALIZED_ALPHA, TN_CONSTRAINED_BACKWARD_EULER,
                                            TN_BACKWARD_EULER};
    for (int k = 0; k < 6; k++) {
        char model[1024];
        snprintf(model, sizeof(model), load_on_a_sled, 0.0, holds_of_load[k % 2]);
        mechanism m = start_accurate(mechanism_read(model), methods[k / 2], 1e-6);
        for (int step = 0; step < 200; step++)
            ck_assert_int_eq(tn_sim_step(m.sim, 1e-2, NULL), TN_OK);
        const double there = coordinate(&m, 1, 0);
        ck_assert_int_eq(tn_sim_set_coordinate_speed(m.sim, (tn_joint){1}, 0, 1.0), TN_OK);
        const double speed = tn_sim_body_velocity(m.sim, (tn_body){1}).v.x;
        ck_assert_double_gt(speed, 0.0);
        slide_on(&m, (int)methods[k / 2], there + 0.5 * speed * speed - 0.5);
    }
}
END_TEST

/* A load lies at its limit on a sled; friction takes it over at 0.05 s, as what presses it there ends, and the sled
 * bounces at 0.08 s, whether that is the same step or a later one: load and sled turn back together, 0.16 - t. */
START_TEST(what_lies_at_its_limit_takes_part_in_an_impact)
{
    static const char text[] =
        "tenon: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  sled: {position: [0, 0, 0], mass: 1, inertia: [1, 1, 1], velocity: {linear: [1, 0, "
        "0]}}\n"
        "  load: {position: [0, 0, 1], mass: 1, inertia: [1, 1, 1], velocity: {linear: [1, 0, "
        "0]}}\n"
        "joints:\n"
        "  rail: {type: slider, a: sled, origin: [0, 0, 0], axis: [1, 0, 0], range: {z: [-9, "
        "0.08]},\n"
        "         restitution: {z: 1}}\n"
        "  bed: {type: slider, a: load, b: sled, origin: [0, 0, 1], axis: [1, 0, 0],\n"
        "        range: {z: [-9, 0]}, friction: {z: {force: 1.0e-3}}}\n"
        "loads:\n"
        "  push: {coordinate: bed.z, effort: {polynomial: [1.0e-4, -2.0e-3]}}\n";
    static const tn_integrator methods[] = {TN_AUTO, TN_DORMAND_PRINCE, TN_GENERALIZED_ALPHA,
                                            TN_CONSTRAINED_BACKWARD_EULER, TN_BACKWARD_EULER};
    static const int counts[] = {1, 5, 10};
    mechanism m = start_accurate(mechanism_read(text), methods[_i / 3], 1e-6);
    const int count = counts[_i % 3];
    for (int step = 0; step < count; step++)
        ck_assert_int_eq(tn_sim_step(m.sim, 0.1 / count, NULL), TN_OK);
    ck_assert_double_eq_tol(coordinate(&m, 0, 0), 0.06, 1e-9);
    ck_assert_double_eq_tol(coordinate(&m, 1, 0), 0.0, 1e-9);
    mechanism_free(&m);
}
END_TEST

/* A ball at rest that a racket meets with 5 m/s at 0.2 s leaves it with e 5 m/s: more than it came with, of which the
 * racket's motion puts in what it takes, 0.1 kg (5 + 5 e) m/s times 5 m/s. */
START_TEST(a_racket_drives_a_ball)
{
    static const char text[] =
        "tenon: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies:\n"
        "  racket: {position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"
        "  ball: {position: [1, 0, 0], mass: 0.1, inertia: [1, 1, 1]}\n"
        "joints:\n"
        "  arm: {type: slider, a: racket, origin: [0, 0, 0], axis: [1, 0, 0], %s}\n"
        "  gap: {type: slider, a: ball, b: racket, origin: [1, 0, 0], axis: [1, 0, 0],\n"
        "        range: {z: [-1, 99]}, restitution: {z: %g}, speed: {z: -5}}\n";
    static const char *const moved[] = {"drive: {z: {position: {polynomial: [0, 5]}}}",
                                        "motor: {z: {speed: 5}}, speed: {z: 5}"};
    static const tn_integrator methods[] = {TN_AUTO, TN_DORMAND_PRINCE, TN_GENERALIZED_ALPHA,
                                            TN_CONSTRAINED_BACKWARD_EULER, TN_BACKWARD_EULER};
    const double e = _i % 2 ? 1.0 : 0.5;
    char model[1024];
    snprintf(model, sizeof(model), text, moved[_i / 2 % 2], e);
    mechanism m = start_accurate(mechanism_read(model), methods[_i / 4], 1e-6);
    for (int step = 0; step < 50; step++)
        ck_assert_int_eq(tn_sim_step(m.sim, 1e-2, NULL), TN_OK);
    ck_assert_double_eq_tol(coordinate(&m, 1, 0), -1.0 + 0.3 * 5.0 * e, 1e-9);
    ck_assert_double_eq_tol(tn_sim_energy(m.sim).work, 0.1 * 5.0 * (1.0 + e) * 5.0, 1e-9);
    mechanism_free(&m);
}
END_TEST

/* Nothing of a flight is remembered beside the state: what goes on from a saved one has the same bits. */
START_TEST(saved_in_flight_lands_the_same)
{
    static const char *const paths[] = {"defects/ropes_in_turn.yaml",
                                        "../../examples/ragdoll.yaml"};
    for (int k = 0; k < 2; k++) {
        const double h = k == 0 ? 1e-4 : 1e-2;
        mechanism m = start_accurate(mechanism_read_file(paths[k]), integrators[_i], 1e-6);
        for (int step = 0; step < 30; step++) {
            void *before = saved_state(m.sim);
            ck_assert_int_eq(tn_sim_advance(m.sim, h * (step + 1), NULL), TN_OK);
            void *landed = saved_state(m.sim);
            ck_assert_int_eq(tn_sim_advance(m.sim, h * (step + 5), NULL), TN_OK);
            ck_assert_int_eq(tn_sim_restore(m.sim, before), TN_OK);
            ck_assert_int_eq(tn_sim_advance(m.sim, h * (step + 1), NULL), TN_OK);
            ck_assert(is_saved_as(m.sim, landed));
            free(before);
            free(landed);
        }
        mechanism_free(&m);
    }
}
END_TEST

/* Elbows and knees that start at their stops and throw each other off them. */
START_TEST(a_ragdoll_falls_the_same_way_at_any_accuracy)
{
    static const char path[] = "../../examples/ragdoll.yaml";
    mechanism m = start_accurate(mechanism_read_file(path), TN_AUTO, 1e-6),
              fine = start_accurate(mechanism_read_file(path), TN_AUTO, 1e-9);
    ck_assert_int_eq(tn_sim_advance(m.sim, 0.4, NULL), TN_OK);
    ck_assert_int_eq(tn_sim_advance(fine.sim, 0.4, NULL), TN_OK);
    printf("ragdoll: %.1e m apart\n", apart(&m, &fine));
    ck_assert_double_le(apart(&m, &fine), 2e-5);
    mechanism_free(&m);
    mechanism_free(&fine);
}
END_TEST

/* ---- friction on a coordinate that a limit of another joint blocks ---- */

/* A beam on a hinge with friction, B = 10 N m, lies with its end on the ground. A moment of 20 - 40 t N m
 * presses it down, later lifts it; it leaves when that overcomes friction, at t = 0.75 s, whatever ground
 * and friction had of it before: angle = 40 (t - 0.75)^3 / (6 J), J = 2 kg m^2. A ball that is thrown up
 * and lands at events of its own makes both be asked in between. */
static const char beam_on_the_ground[] =
    "tenon: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  beam: {position: [0, 0, 0], mass: 1, inertia: [2, 2, 2]}\n"
    "  ball: {position: [5, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  hinge: {type: hinge, a: beam, origin: [0, 0, 0], axis: [0, 1, 0], friction: {theta: {force: "
    "10}}}\n"
    "  ground: {type: half_space, a: beam, frame_c: {position: [1, 0, 0]}, frame_d: {position: [1, "
    "0, 0]}}\n"
    "  slide: {type: slider, a: ball, origin: [5, 0, 0], axis: [0, 0, 1], range: {z: [-0.05, "
    "0.05]},\n"
    "          restitution: {z: 1}, speed: {z: 1}}\n"
    "loads:\n"
    "  moment: {coordinate: hinge.theta, effort: {polynomial: [20, -40]}}\n";

START_TEST(what_is_blocked_is_not_stopped_by_friction)
{
    static const int looks[] = {20, 5,
                                1}; /* in one of 0.2 s an event is where nothing acts, at 0.5 s */
    for (int k = 0; k < 12; k++) {
        const double accuracy = pow(10.0, -4.0 - 2.0 * (k / 3));
        mechanism m = mechanism_read(beam_on_the_ground);
        m = start_accurate(m, TN_AUTO, accuracy);
        for (int look = 1; look <= looks[k % 3]; look++) {
            double angle;
            const double t = (double)look / looks[k % 3], since = fmax(0.0, t - 0.75);
            tn_step_report report;
            ck_assert_msg(tn_sim_advance(m.sim, t, &report) == TN_OK, "%g: %g s: %s, joint %d",
                          accuracy, tn_sim_time(m.sim), tn_status_text(report.status),
                          report.culprit_joint.i);
            tn_sim_joint_coordinates(m.sim, (tn_joint){0}, &angle);
            ck_assert_double_eq_tol(angle, -40.0 * since * since * since / 12.0, accuracy);
        }
        mechanism_free(&m);
    }
}
END_TEST

/* ---- two feet under one given motion ---- */

/* A bar is rocked slowly, by 0.5 mrad/s, on a frame that slides up and down: it stands on one end, then
 * on the other. Height L |sin(angle)|, L = 0.1 m; the end that comes down takes all the weight, 7 kg,
 * and the other one leaves, by 1e-4 m/s: no more than what would come back within a deadband, if the
 * one that has come down did not bear it. */
static const char rocked_bar[] =
    "tenon: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  frame: {position: [0, 0, 0], mass: 5, inertia: [0.1, 0.1, 0.1]}\n"
    "  bar: {position: [0, 0, 0], mass: 2, inertia: [0.01, 0.01, 0.01]}\n"
    "joints:\n"
    "  guide: {type: slider, a: frame, origin: [0, 0, 0], axis: [0, 1, 0]}\n"
    "  pivot: {type: hinge, a: bar, b: frame, origin: [0, 0, 0], axis: [0, 0, 1],\n"
    "          drive: {theta: {position: {polynomial: [-0.0005, 0.0005]}}}}\n"
    "  left: {type: half_space, a: bar, frame_c: {position: [-0.1, 0, 0]},\n"
    "         frame_d: {position: [0, 0, 0], axes: {x: [1, 0, 0], z: [0, 1, 0]}}}\n"
    "  right: {type: half_space, a: bar, frame_c: {position: [0.1, 0, 0]},\n"
    "          frame_d: {position: [0, 0, 0], axes: {x: [1, 0, 0], z: [0, 1, 0]}}}\n";

START_TEST(one_foot_leaves_when_the_other_comes_down)
{
    mechanism m = mechanism_read(rocked_bar);
    const tn_joint guide = {0}, left = {2}, right = {3};
    m = start_accurate(m, TN_AUTO, 1e-6);
    for (int look = 1; look <= 20; look++) {
        double height, on_left = 0.0, on_right = 0.0;
        const double t = 0.1 * look, angle = 0.0005 * (t - 1.0);
        tn_step_report report;
        ck_assert_msg(tn_sim_advance(m.sim, t, &report) == TN_OK, "%g s: %s", tn_sim_time(m.sim),
                      tn_status_text(report.status));
        ck_assert(report.gap == 0.0);
        tn_sim_joint_coordinates(m.sim, guide, &height);
        ck_assert_double_eq_tol(height, 0.1 * sin(fabs(angle)), 1e-12);
        tn_sim_at_limit(m.sim, left, 0, &on_left);
        tn_sim_at_limit(m.sim, right, 0, &on_right);
        if (look != 10) {
            ck_assert_double_eq_tol(t < 1.0 ? on_right : on_left, 7.0 * 9.81, 1e-6);
            ck_assert((t < 1.0 ? on_left : on_right) == 0.0);
        }
    }
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("impacts");
    TCase *one = tcase_create("one");
    tcase_add_loop_test(one, a_ball_bounces_as_often_as_it_does, 0, 2);
    tcase_add_loop_test(one, a_limit_passed_between_two_looks_is_hit, 0, 2);
    tcase_add_loop_test(one, friction_stops_nothing_in_an_impact, 0, 2);
    tcase_add_test(one, a_load_slides_on_where_its_sled_stops);
    tcase_add_test(one, a_load_that_is_pushed_on_slides);
    tcase_add_loop_test(one, a_racket_drives_a_ball, 0, 20);
    tcase_add_loop_test(one, what_lies_at_its_limit_takes_part_in_an_impact, 0, 15);
    tcase_add_loop_test(one, saved_in_flight_lands_the_same, 0, 2);
    tcase_add_test(one, ropes_that_go_taut_in_turn_rest_together);
    tcase_add_test(one, a_ragdoll_falls_the_same_way_at_any_accuracy);
    tcase_add_test(one, what_is_blocked_is_not_stopped_by_friction);
    tcase_add_test(one, one_foot_leaves_when_the_other_comes_down);
    suite_add_tcase(suite, one);
    return suite;
}
