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

Suite *make_suite(void)
{
    Suite *suite = suite_create("beside_others");
    TCase *tc = tcase_create("core");
    tcase_add_loop_test(tc, a_pulse_of_a_motor_beside_what_lies, 0, 24);
    tcase_add_loop_test(tc, places_off_by_rounding, 0, 8);
    suite_add_tcase(suite, tc);
    return suite;
}
