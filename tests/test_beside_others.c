/* test_beside_others.c: what happens is found where it is, whatever else rests beside it; and the size of a mechanism is not what
 * rounding leaves of its places.
 *
 * Bodies on sliders that touch nothing of each other. Expected: closed forms.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/mechanism.h"
#include "support/run_main.h"

static const int by_accuracy[] = {TN_AUTO, TN_DORMAND_PRINCE};

static void run_to(mechanism *m, double end, double look)
{
    while (tn_sim_time(m->sim) < end - 1e-9)
        ck_assert_int_eq(tn_sim_advance(m->sim, fmin(end, tn_sim_time(m->sim) + look), NULL),
                         TN_OK);
    ck_assert_int_eq(tn_sim_accuracy(m->sim).holds, 1);
}

static double place(const mechanism *m, int joint)
{
    double q[TN_MAX_COORDINATES] = {0};
    tn_sim_joint_coordinates(m->sim, (tn_joint){joint}, q);
    return q[0];
}

/* A motor with a cap of 5 N on 1 kg is asked for a pulse of -400 m/s, and its line goes on beyond the last point: it pushes back
 * until the wanted speed has come to its own, s after the pulse began, and forth from then on. Beside it a body lies lightly
 * on its stop, and its push does not change. */
START_TEST(a_pulse_of_a_motor_beside_what_lies)
{
    static const double looks[] = {0.26, 0.05, 0.001}, press[] = {0.0, 1e-5, 1e-3, 1e-2};
    char text[1500];
    snprintf(text, sizeof text,
             "tenon: 1\nworld: planar\ngravity: [0, 0]\n"
             "bodies: {b: {position: [0, 0], mass: 1, inertia: 0.1}, r: {position: [1, 0], mass: "
             "1, inertia: 0.1}}\n"
             "joints:\n  s: {type: slider, a: b, origin: [0, 0], axis: [1, 0], motor: {z: "
             "{max_force: 5, speed: "
             "{table: [0, 0, 0.25, 0, 0.2502, -400, 0.2505, -400, 0.2507, 0]}}}}\n"
             "  f: {type: slider, a: r, origin: [1, 0], axis: [0, 1], range: {z: [0, 1]}}\n"
             "loads: {l: {body: r, force: [0, %g]}}\n",
             -press[_i / 6]);
    mechanism m = mechanism_read(text);
    mechanism_start(&m, by_accuracy[_i % 2]);
    run_to(&m, 0.26, looks[_i / 2 % 3]);
    const double s = 1400.0 / 2000005.0, rest = 0.01 - s;
    ck_assert_double_eq_tol(place(&m, 0), -2.5 * s * s - 5.0 * s * rest + 2.5 * rest * rest, 1e-8);
    ck_assert_double_eq_tol(place(&m, 1), 0.0, 1e-12);
    mechanism_free(&m);
}
END_TEST

/* Viscous friction takes the speed v of 1 kg in 1 / d s: z = v (1 - exp(-d t)) / d. The slider is drawn where the body is, but for
 * what rounding left of it. */
START_TEST(places_off_by_rounding)
{
    static const double off[] = {0.0, 1e-17, 6e-17, 1.3e-16};
    char text[1000];
    snprintf(text, sizeof text,
             "tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies: {b: {position: [0, 0], mass: 1, "
             "inertia: 0.1}}\n"
             "joints: {s: {type: slider, a: b, origin: [%g, 0], axis: [1, 0], speed: {z: 1}, "
             "friction: {z: {viscous: 6}}}}\n",
             off[_i / 2]);
    mechanism m = mechanism_read(text);
    mechanism_start(&m, by_accuracy[_i % 2]);
    run_to(&m, 1.0, 0.1);
    ck_assert_double_eq_tol(place(&m, 0), (1.0 - exp(-6.0)) / 6.0, 1e-6);
    mechanism_free(&m);
}
END_TEST

/* A ladder on two walls lies on its stop; friction holds at both of its ends and lets go while the load on it grows. What has let go at its
 * bound is not held again by the stop that it lies on: friction stays within what it may hold. Where it is at the end: Moreau's time
 * stepping with 8e5 steps (bench/truth/small_steps.c). */
START_TEST(friction_lets_go_beside_a_stop)
{
    static const double looks[] = {0.015, 0.05, 0.3};
    mechanism m = mechanism_read(
        "tenon: 1\nworld: planar\ngravity: [3, -5]\nbodies:\n"
        "  b0: {position: [0.4878127035874259, -0.05449406464356496], mass: 0.3588958438775174, "
        "inertia: 0.0014355833755100688}\n"
        "  b1: {position: [-0.04586286609308631, 0.6653503295389772], mass: 2.3188207694074428, "
        "inertia: 0.009275283077629768}\n"
        "  b2: {position: [0.2209749187471698, 0.3054281324477061], mass: 0.2089635480534487, "
        "inertia: 0.016779471280464333}\n"
        "joints:\n"
        "  j0: {type: slider, a: b0, origin: [0.4878127035874259, -0.05449406464356496], axis: [1, "
        "0], friction: {z: {force: "
        "0.8472261592107445, viscous: 0.15570060886918516}}}\n"
        "  j1: {type: slider, a: b1, origin: [-0.04586286609308631, 0.6653503295389772], axis: "
        "[0.2, 1], friction: {z: {force: "
        "0.039625134991899694, static_force: 0.05216048543065715}}}\n"
        "  j2: {type: hinge, a: b2, b: b0, origin: [0.4878127035874259, -0.05449406464356496], "
        "speed: {theta: -1.9210218210364909}, "
        "range: {theta: [-0.115693686062534, 0.15627058145856415]}}\n"
        "  j3: {type: hinge, a: b2, b: b1, origin: [-0.04586286609308631, 0.6653503295389772]}\n"
        "loads: {f: {coordinate: j0.z, effort: {polynomial: [0, -17.962295278085133]}}}\n");
    mechanism_start(&m, TN_AUTO);
    double longest = 0.0;
    while (tn_sim_time(m.sim) < 1.35 - 1e-9) {
        run_to(&m, fmin(1.35, tn_sim_time(m.sim) + looks[_i]), looks[_i]);
        longest = fmax(longest,
                       fabs(tn_sim_coordinate_force(m.sim, (tn_joint){1}, 0, TN_WRENCH_FRICTION)));
    }
    ck_assert_double_le(longest, 0.05216048543065715 * (1.0 + 1e-6));
    ck_assert_double_eq_tol(place(&m, 2), -0.02483, 5e-5);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("beside_others");
    TCase *tc = tcase_create("core");
    tcase_add_loop_test(tc, a_pulse_of_a_motor_beside_what_lies, 0, 24);
    tcase_add_loop_test(tc, places_off_by_rounding, 0, 8);
    tcase_add_loop_test(tc, friction_lets_go_beside_a_stop, 0, 3);
    suite_add_tcase(suite, tc);
    return suite;
}
