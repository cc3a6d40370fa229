/* test_between_ends.c: what happens between the ends of a part of a step, however long it is: loads that come and go while
 * nothing moves, pulses, tables that bend, joints that break after an impact.
 *
 * A mass m on a slider, by itself or on a stop; looks are as far apart as _i says. Expected: closed forms.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/mechanism.h"
#include "support/run_main.h"

static const double pi = 3.14159265358979323846;
static const int by_accuracy[] = {TN_AUTO, TN_DORMAND_PRINCE};
static const double looks[] = {0.5, 0.1, 0.01};
enum { WAYS = 6 };

static double look_of(int i)
{
    return looks[i / 2];
}

/* A slider along x, with what is said of it, under a force along x. */
static mechanism slider(int i, const char *of_joint, const char *force)
{
    char text[1000];
    snprintf(text, sizeof text,
             "tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies: {a: {mass: 1, inertia: 1}}\n"
             "joints: {s: {type: slider, a: a, origin: [0, 0], axis: [1, 0]%s}}\n"
             "loads: {f: {body: a, force: [%s, 0]}}\n",
             of_joint, force);
    mechanism m = mechanism_read(text);
    mechanism_start(&m, by_accuracy[i % 2]);
    return m;
}

/* To a time, in looks; the time of the first such event, or NaN. */
static double run_to(mechanism *m, double end, double look, tn_event_kind kind)
{
    double when = (double)NAN;
    while (tn_sim_time(m->sim) < end - 0.5 * look) {
        ck_assert_int_eq(tn_sim_advance(m->sim, tn_sim_time(m->sim) + look, NULL), TN_OK);
        for (int32_t e = 0; e < tn_sim_event_count(m->sim); e++) {
            const tn_event *event = tn_sim_event(m->sim, e);
            if (isnan(when) && event->kind == kind)
                when = event->time;
        }
    }
    ck_assert_int_eq(tn_sim_accuracy(m->sim).holds, 1);
    return when;
}

static double place(const mechanism *m)
{
    double q[TN_MAX_COORDINATES] = {0};
    tn_sim_joint_coordinates(m->sim, (tn_joint){0}, q);
    return q[0];
}

static double speed(const mechanism *m)
{
    double v[TN_MAX_COORDINATES] = {0};
    tn_sim_joint_speeds(m->sim, (tn_joint){0}, v);
    return v[0];
}

/* It leaves its stop at once: x = A / w (t - sin(w t) / w). Where looks are a period apart no end of one pulls. */
START_TEST(a_stop_lets_go_between_looks)
{
    mechanism m = slider(_i, ", range: {z: [0, 5]}", "{sine: [10, 12.566370614359172, 0, 0]}");
    run_to(&m, 2.0, look_of(_i), TN_EVENT_LIMIT_RELEASED);
    ck_assert_double_eq_tol(place(&m), 10.0 / (4.0 * pi) * 2.0, 2e-5);
    mechanism_free(&m);
}
END_TEST

/* 9 + 2 sin(20 t) against a static bound of 10 and a kinetic one of 8. */
START_TEST(friction_slips_between_looks)
{
    mechanism m =
        slider(_i, ", friction: {z: {force: 8, static_force: 10}}", "{sine: [2, 20, 0, 9]}");
    const double from = asin(0.5) / 20.0, t = 2.0;
    const double slips = run_to(&m, t, look_of(_i), TN_EVENT_SLIPPING);
    ck_assert_double_eq_tol(slips, from, 1e-9);
    ck_assert_double_eq_tol(speed(&m), t - from + 0.1 * (cos(20.0 * from) - cos(20.0 * t)), 1e-5);
    mechanism_free(&m);
}
END_TEST

START_TEST(a_joint_breaks_between_looks)
{
    mechanism m = mechanism_read(
        "tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies: {a: {mass: 1, inertia: 1}}\n"
        "joints: {s: {type: solid, a: a, origin: [0, 0], break_force: 9.2}}\n"
        "loads: {f: {body: a, force: [{sine: [10, 12.566370614359172, 0, 0]}, 0]}}\n");
    mechanism_start(&m, by_accuracy[_i % 2]);
    const double breaks = run_to(&m, 1.0, look_of(_i), TN_EVENT_JOINT_BROKE);
    ck_assert_double_eq_tol(breaks, asin(0.92) / (4.0 * pi), 1e-9);
    mechanism_free(&m);
}
END_TEST

/* A load of 10 - 10 t on a body welded to a cart that meets its stop at 0.09 s: then the weld carries all of it. */
START_TEST(a_joint_breaks_at_once_after_an_impact)
{
    static const double breaks_at[] = {9.09, 4.2};
    char text[1000];
    const double stop = 5.0 * (0.09 * 0.09 / 2.0 - 0.09 * 0.09 * 0.09 / 6.0);
    for (int k = 0; k < 2; k++) {
        snprintf(
            text, sizeof text,
            "tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies:\n"
            "  a: {mass: 1, inertia: 1}\n  b: {position: [1, 0], mass: 1, inertia: 1}\njoints:\n"
            "  s: {type: slider, a: a, origin: [0, 0], axis: [1, 0], range: {z: [-1, %.17g]}}\n"
            "  w: {type: solid, a: b, b: a, origin: [1, 0], break_force: %.17g}\n"
            "loads: {f: {body: b, force: [{table: [[0, 10], [1, 0]]}, 0]}}\n",
            stop, breaks_at[k]);
        mechanism m = mechanism_read(text);
        mechanism_start(&m, by_accuracy[_i % 2]);
        const double broke = run_to(&m, 0.5, look_of(_i), TN_EVENT_JOINT_BROKE);
        /* before it the weld carries half: 5 N, at once above 4.2 */
        ck_assert_double_eq_tol(broke, k == 0 ? 0.09 : 0.0, 1e-8);
        mechanism_free(&m);
    }
}
END_TEST

/* A pulse of 1 N s in 1 ms, wherever it is: a speed of 1 m/s, from its middle on. */
START_TEST(no_pulse_is_lost)
{
    static const double at[] = {0.301, 1.0013, 4.99999};
    for (int k = 0; k < 3; k++) {
        char force[300];
        const double t = at[k];
        snprintf(force, sizeof force,
                 "{table: [[0, 0], [%.17g, 0], [%.17g, 2000], [%.17g, 0], [20, 0]]}", t, t + 5e-4,
                 t + 1e-3);
        mechanism m = slider(_i, "", force);
        run_to(&m, 5.5, look_of(_i), TN_EVENT_JOINT_BROKE);
        ck_assert_double_eq_tol(speed(&m), 1.0, 1e-9);
        ck_assert_double_eq_tol(place(&m), tn_sim_time(m.sim) - t - 5e-4, 1e-8);
        mechanism_free(&m);
    }
}
END_TEST

/* A prescribed place that is a table has speeds that jump: the drive does the work, and takes it. A motor's speed that is one is
 * led over its area. */
START_TEST(tables_that_move_are_followed)
{
    mechanism m =
        slider(_i, ", drive: {z: {position: {table: [[0, 0], [0.3, 0], [0.5, 1], [1, 1]]}}}", "0");
    run_to(&m, 0.4, fmin(0.1, look_of(_i)), TN_EVENT_JOINT_BROKE);
    ck_assert_double_eq_tol(place(&m), 0.5, 1e-12);
    ck_assert_double_eq_tol(speed(&m), 5.0, 1e-12);
    ck_assert_double_eq_tol(tn_sim_energy(m.sim).work, 12.5, 1e-9);
    run_to(&m, 1.0, look_of(_i), TN_EVENT_JOINT_BROKE);
    ck_assert_double_eq_tol(place(&m), 1.0, 1e-12);
    ck_assert_double_eq_tol(speed(&m), 0.0, 1e-12);
    ck_assert_double_eq_tol(tn_sim_energy(m.sim).lost, 12.5, 1e-9);
    mechanism_free(&m);
    m = slider(
        _i,
        ", motor: {z: {speed: {table: [[0, 0], [1.0003, 0], [1.0008, 1], [1.0013, 0], [9, 0]]}}}",
        "0");
    run_to(&m, 2.0, look_of(_i), TN_EVENT_JOINT_BROKE);
    ck_assert_double_eq_tol(place(&m), 5e-4, 1e-11);
    mechanism_free(&m);
}
END_TEST

/* Looks that end a hair before a point, or behind it, as times that were added up do: it is met all the same. */
START_TEST(a_look_beside_a_point_hides_nothing)
{
    static const double off[] = {1e-10, 1e-12, 1e-13, 1e-14, 1e-15, 0.0, -1e-15, -1e-13, -1e-11};
    for (size_t k = 0; k < sizeof off / sizeof off[0]; k++) {
        mechanism m = slider(
            _i, ", drive: {z: {position: {table: [[0, 0], [3, 0], [5, 10], [9, 10]]}}}", "0");
        static const double ends[] = {1.0, 3.0, 4.0, 5.0, 6.0};
        for (size_t n = 0; n < sizeof ends / sizeof ends[0]; n++) {
            const double t = ends[n] - off[k], within = 1e-11 + 5.0 * fabs(off[k]);
            ck_assert_int_eq(tn_sim_advance(m.sim, t, NULL), TN_OK);
            ck_assert_double_eq_tol(place(&m), 5.0 * fmin(fmax(t - 3.0, 0.0), 2.0), within);
            if (n % 2 == 0)
                ck_assert_double_eq_tol(speed(&m), n == 2 ? 5.0 : 0.0, 1e-11);
        }
        ck_assert_double_eq_tol(tn_sim_energy(m.sim).work, 12.5, 1e-9);
        ck_assert_double_eq_tol(tn_sim_energy(m.sim).lost, 12.5, 1e-9);
        ck_assert_int_eq(tn_sim_accuracy(m.sim).holds, 1);
        mechanism_free(&m);
    }
}
END_TEST

/* A double pendulum whose knee rests until its friction is exceeded, just before the peak of the moment, and a slider-crank whose
 * slider is stopped: nothing could happen to them where the part begins. Times of an independent integration (Runge-Kutta, all
 * coordinates, modes by hand). */
START_TEST(an_event_is_found_where_none_could_be_before)
{
    static const struct {
        const char *text;
        double slips, sticks, within;
    } cases[] = {
        {"tenon: 1\nworld: planar\nbodies:\n"
         "  a: {position: [0.25, 0], mass: 1, inertia: 0.02}\n"
         "  b: {position: [0.5, -0.25], angle: -1.5707963267948966, mass: 1, inertia: 0.02}\n"
         "joints:\n  h: {type: hinge, a: a, origin: [0, 0]}\n"
         "  k: {type: hinge, a: b, b: a, origin: [0.5, 0], friction: {theta: {force: "
         "5.562469398}}}\n",
         0.37821, 0.0, 1e-5},
        {"tenon: 1\nworld: planar\ngravity: [0, -9.81]\nbodies:\n"
         "  b0: {position: [0.076, 0.1715], mass: 0.37, inertia: 0.004019710833333334}\n"
         "  b1: {position: [0.554, 0.1535], mass: 1.31, inertia: 0.07903415583333333}\n"
         "  b2: {position: [0.942, -0.021], mass: 1.76, inertia: 0.0014666666666666693}\n"
         "joints:\n  j0: {type: hinge, a: b0, origin: [-0.014, 0.015]}\n"
         "  j1: {type: hinge, a: b1, b: b0, origin: [0.166, 0.328]}\n"
         "  j2: {type: hinge, a: b2, b: b1, origin: [0.942, -0.021]}\n"
         "  j3: {type: slider, a: b2, origin: [0.942, -0.021], axis: [0.9648265440679319, "
         "0.2628873139996128], friction: {z: {force: 3.76, viscous: 0.49}}}\n"
         "loads: {f: {body: b2, force: [{sine: [20.7, 9.3, 0, 0]}, -4.8]}}\n",
         0.0447, 0.0058, 6e-5}};
    for (int k = 0; k < 2; k++) {
        for (int e = 0; e < 2; e++) {
            mechanism m = mechanism_read(cases[k].text);
            mechanism_start(&m, by_accuracy[_i % 2]);
            const tn_event_kind kind = e ? TN_EVENT_SLIPPING : TN_EVENT_STUCK;
            const double when = run_to(&m, 0.8, k ? fmin(0.1, look_of(_i)) : look_of(_i), kind);
            ck_assert_double_eq_tol(when, e ? cases[k].slips : cases[k].sticks, cases[k].within);
            mechanism_free(&m);
        }
    }
}
END_TEST

/* An arm with two motors of a largest torque and a gear: the second one gives way for a while, and then again. What has just happened
 * is not what happens next. Times of an independent integration, to five digits. */
START_TEST(a_motor_gives_way_for_as_long_as_it_must)
{
    static const double accuracies[] = {1e-4, 1e-5, 1e-6, 1e-7};
    for (int k = 0; k < 4; k++) {
        mechanism m = mechanism_read(
            "tenon: 1\nworld: planar\ngravity: [0, -9.81]\nbodies:\n"
            "  b0: {position: [0.1865, 0.0235], mass: 1.63, inertia: 0.026263918333333334}\n"
            "  b1: {position: [0.5895, 0.1585], mass: 1.62, inertia: 0.02306691}\n"
            "  b2: {position: [1.029, 0.243], mass: 1.29, inertia: 0.026876719999999993}\njoints:\n"
            "  j0: {type: hinge, a: b0, origin: [-0.027, -0.029]}\n"
            "  j1: {type: hinge, a: b1, b: b0, origin: [0.4, 0.076], motor: {theta: {speed: -2.19, "
            "max_force: 8.49}}}\n"
            "  j2: {type: hinge, a: b2, b: b1, origin: [0.779, 0.241], motor: {theta: {speed: "
            "-1.05, "
            "max_force: 6.91}}}\n"
            "couplings: {g: {gear: {a: j1.theta, b: j0.theta, ratio: 1.5}}}\n");
        tn_sim_options options = mechanism_compile(&m, by_accuracy[_i % 2]);
        options.accuracy = accuracies[k];
        mechanism_start_with(&m, &options);
        run_to(&m, 0.3, 0.1, TN_EVENT_MOTOR_TRACKS);
        const double tracks = run_to(&m, 0.35, 0.01, TN_EVENT_MOTOR_TRACKS),
                     gives_way = run_to(&m, 0.4, 0.01, TN_EVENT_MOTOR_AT_CAP);
        ck_assert_double_eq_tol(gives_way, 0.36121, 6e-6);
        ck_assert_double_eq_tol(tracks, 0.34244, 6e-6);
        mechanism_free(&m);
    }
}
END_TEST

/* A barrier of force, 1 mm wide, of twice what the mass has in energy, or half: it is thrown back, or passes with what is left. */
START_TEST(no_barrier_is_jumped)
{
    for (int k = 0; k < 2; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 ", speed: {z: 1}, spring: {z: {force: {table: [[0, 0], [5.001, 0], [5.0015, %d], "
                 "[5.002, 0], [20, 0]]}}}",
                 k ? -500 : -2000);
        mechanism m = slider(_i, text, "0");
        run_to(&m, 5.3, fmin(0.1, look_of(_i)), TN_EVENT_JOINT_BROKE);
        ck_assert_double_eq_tol(speed(&m), k ? sqrt(0.5) : -1.0, 1e-6);
        if (k == 0) /* by steps of 0.1 ms of an independent program */
            ck_assert_double_eq_tol(place(&m), 4.7036, 6e-5);
        mechanism_free(&m);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("between_ends");
    TCase *tc = tcase_create("core");
    tcase_add_loop_test(tc, a_stop_lets_go_between_looks, 0, WAYS);
    tcase_add_loop_test(tc, friction_slips_between_looks, 0, WAYS);
    tcase_add_loop_test(tc, a_joint_breaks_between_looks, 0, WAYS);
    tcase_add_loop_test(tc, a_joint_breaks_at_once_after_an_impact, 0, WAYS);
    tcase_add_loop_test(tc, no_pulse_is_lost, 0, WAYS);
    tcase_add_loop_test(tc, tables_that_move_are_followed, 0, WAYS);
    tcase_add_loop_test(tc, an_event_is_found_where_none_could_be_before, 0, WAYS);
    tcase_add_loop_test(tc, a_motor_gives_way_for_as_long_as_it_must, 0, 2);
    tcase_add_loop_test(tc, no_barrier_is_jumped, 0, WAYS);
    tcase_add_loop_test(tc, a_look_beside_a_point_hides_nothing, 0, 2);
    suite_add_tcase(suite, tc);
    return suite;
}
