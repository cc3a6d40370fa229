/* test_at_rest.c: what forces do to the verdict on a run whose bodies stand still, and bodies without inertia.
 *
 * Poses are met to 1e-12 m and rad; what forces work over that is no energy that anything made or lost.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/mechanism.h"
#include "support/run_main.h"

static const double step = 1e-3; /* s */

/* Each stands still under its forces: a load that the hinge bears, a motor of 5000 N m at a stop, one that holds 300 N m
 * and dry friction, a beam whose clamped ends are loaded. */
static const char *const loaded[] = {
    "tenon: 1\ngravity: [0, 0, 0]\n"
    "bodies: {a: {position: [0.3, 0, 0], mass: 2, inertia: [0.01, 0.01, 0.01]}}\n"
    "joints: {h: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 0, 1]}}\n"
    "loads: {w: {body: a, force: [1000, 0, 500]}}\n",
    "tenon: 1\ngravity: [0, 0, 0]\n"
    "bodies: {a: {position: [0.3, 0, 0], mass: 2, inertia: [0.01, 0.01, 0.01]}}\n"
    "joints: {h: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 0, 1], range: {theta: [-1, 0]}, "
    "motor: {theta: {speed: 60 rpm, max_force: 5000}}}}\n",
    "tenon: 1\ngravity: [0, 0, 0]\n"
    "bodies: {a: {position: [0.3, 0, 0], mass: 2, inertia: [0.01, 0.01, 0.01]}}\n"
    "joints: {h: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 0, 1], friction: {theta: {force: "
    "10}}, "
    "motor: {theta: {position: 0, max_force: 5000, time_constant: 0.02}}}}\n"
    "loads: {w: {body: a, force: [1000, 0, 500]}, m: {body: a, moment: [0, 0, 300]}}\n",
    "tenon: 1\ngravity: [0, 0, 0]\n"
    "materials: {steel: {density: 7850, young: 210 GPa, poisson: 0.3, damping: 2 ms}}\n"
    "bodies: {}\n"
    "flexible: {arm: {beam: {from: [0, 0, 0], to: [0.8, 0, 0], elements: 8}, section: {rectangle: "
    "[30 mm, 4 mm]}, material: steel}}\n"
    "joints: {one: {type: solid, a: arm.start, origin: [0, 0, 0]}, other: {type: solid, a: "
    "arm.end, origin: [0.8, 0, 0]}}\n"
    "loads: {w: {body: arm.end, force: [-300, 0, -50]}, v: {body: arm.start, force: [-300, 0, "
    "-50]}}\n",
};
enum { LOADED = sizeof loaded / sizeof loaded[0] };

static const int fixed_steps[] = {TN_GENERALIZED_ALPHA, TN_CONSTRAINED_BACKWARD_EULER,
                                  TN_BACKWARD_EULER};

/* For 1 s, in so many parts at most, with that verdict. */
static void stands_still(const char *text, int method, tn_verdict verdict, int32_t most_parts)
{
    mechanism m = mechanism_of(text, method);
    int32_t parts = 0;
    for (int k = 0; k < 1000; k++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_step(m.sim, step, &report), TN_OK);
        parts += report.parts + report.rejections;
    }
    ck_assert_int_eq(tn_sim_accuracy(m.sim).verdict, verdict);
    ck_assert_int_le(parts, most_parts);
    mechanism_free(&m);
}

START_TEST(rounding_of_loads_at_rest_is_no_energy)
{
    stands_still(loaded[_i % LOADED], fixed_steps[_i / LOADED], TN_VERDICT_BALANCES, 2000);
}
END_TEST

/* No part of a step is taken again for such rounding: one a step at most, where the beam starts a few more. */
START_TEST(auto_does_not_divide_rest)
{
    stands_still(loaded[_i], TN_AUTO, TN_VERDICT_WITHIN, 1200);
}
END_TEST

/* What is made of nothing is told as before: a driven crank by steps of first order that are far too long. */
START_TEST(motion_is_judged_as_before)
{
    mechanism m = mechanism_of(
        "tenon: 1\ngravity: [0, -9.81, 0]\n"
        "bodies: {a: {position: [0.3, 0, 0], mass: 2, inertia: [0.01, 0.01, 0.01]}, b: {position: "
        "[0.9, 0, 0], mass: 2, inertia: [0.01, 0.01, 0.01]}}\n"
        "joints: {h: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 0, 1]}, k: {type: hinge, a: "
        "b, b: a, origin: [0.6, 0, 0], axis: [0, 0, 1]}}\n",
        TN_CONSTRAINED_BACKWARD_EULER);
    for (int k = 0; k < 200; k++)
        ck_assert_int_eq(tn_sim_step(m.sim, 5e-3, NULL), TN_OK);
    const tn_accuracy accuracy = tn_sim_accuracy(m.sim);
    ck_assert_int_eq(accuracy.verdict, TN_VERDICT_UNBALANCED);
    ck_assert_double_gt(fmax(accuracy.energy_made, accuracy.energy_faded), 0.1);
    mechanism_free(&m);
}
END_TEST

/* By steps of first order a mass in a point falls on its hinge as one of 1e-12 kg m^2 does, in the plane and in space. */
static const char *const points[] = {
    "tenon: 1\nworld: planar\ngravity: [0, -9.81]\nparameters: {J: 0}\n"
    "bodies: {a: {position: [0.3, 0], mass: 2, inertia: =J}}\n"
    "joints: {h: {type: hinge, a: a, origin: [0, 0]}}\n",
    "tenon: 1\ngravity: [0, -9.81, 0]\nparameters: {J: 0}\n"
    "bodies: {a: {position: [0.3, 0, 0], mass: 2, inertia: [=J, =J, =J]}}\n"
    "joints: {h: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 0, 1]}}\n",
};
enum { POINTS = sizeof points / sizeof points[0] };

static double fallen(const char *text, int method)
{
    mechanism m = mechanism_of(text, method);
    for (int k = 0; k < 500; k++)
        ck_assert_int_eq(tn_sim_step(m.sim, step, NULL), TN_OK);
    const double y = tn_sim_body_pose(m.sim, (tn_body){0}).p.y;
    mechanism_free(&m);
    return y;
}

START_TEST(points_fall_as_small_bodies)
{
    const int method = fixed_steps[1 + _i / POINTS];
    const char *text = points[_i % POINTS], *inertia = strstr(text, "J: 0") + 3;
    char other[512];
    snprintf(other, sizeof other, "%.*s1e-12%s", (int)(inertia - text), text, inertia + 1);
    const double y = fallen(text, method);
    ck_assert_double_lt(y, -0.1);
    ck_assert_double_eq_tol(y, fallen(other, method), 1e-9);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("at rest");
    TCase *tc = tcase_create("forces");
    tcase_set_timeout(tc, 60.0);
    const int methods = (int)(sizeof fixed_steps / sizeof fixed_steps[0]);
    tcase_add_loop_test(tc, rounding_of_loads_at_rest_is_no_energy, 0, methods * LOADED);
    tcase_add_loop_test(tc, auto_does_not_divide_rest, 0, LOADED);
    tcase_add_test(tc, motion_is_judged_as_before);
    tcase_add_loop_test(tc, points_fall_as_small_bodies, 0, (methods - 1) * POINTS);
    suite_add_tcase(suite, tc);
    return suite;
}
