/* test_light_links.c: links of next to no mass, as CAD exporters write frames: they do not decide what
 * is singular, and not how heavier bodies move.
 *
 * Right values: a Runge-Kutta integration of the symmetric half of the five-bar without its tips; the energy of a
 * platform on massless rods in closed form; free fall.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/heavy.h"
#include "support/mechanism.h"
#include "support/run_main.h"
#include "tenon/io.h"

/* A five-bar of four bars of 20 kg; its loop is closed between two tips, each welded to a bar. %s: mass and inertia
 * of a tip, twice; the joint between them. */
static const char *const five_bar =
    "tenon: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  a1: {position: [0, 0, -0.25], mass: 20, inertia: [0.5, 0.5, 0.1]}\n"
    "  a2: {position: [0.25, 0, -0.6], mass: 20, inertia: [0.5, 0.5, 0.1]}\n"
    "  b1: {position: [1, 0, -0.25], mass: 20, inertia: [0.5, 0.5, 0.1]}\n"
    "  b2: {position: [0.75, 0, -0.6], mass: 20, inertia: [0.5, 0.5, 0.1]}\n"
    "  tip_a: {position: [0.5, 0, -0.7], mass: %g, inertia: [%g, %g, %g]}\n"
    "  tip_b: {position: [0.5, 0, -0.7], mass: %g, inertia: [%g, %g, %g]}\n"
    "joints:\n"
    "  ga: {type: hinge, a: a1, origin: [0, 0, 0], axis: [0, 1, 0]}\n"
    "  aa: {type: hinge, a: a2, b: a1, origin: [0, 0, -0.5], axis: [0, 1, 0]}\n"
    "  gb: {type: hinge, a: b1, origin: [1, 0, 0], axis: [0, 1, 0]}\n"
    "  bb: {type: spherical, a: b2, b: b1, origin: [1, 0, -0.5]}\n"
    "  fa: {type: solid, a: tip_a, b: a2, origin: [0.5, 0, -0.7], axis: [0, 0, 1]}\n"
    "  fb: {type: solid, a: tip_b, b: b2, origin: [0.5, 0, -0.7], axis: [0, 0, 1]}\n"
    "  close: {type: %s, a: tip_a, b: tip_b, origin: [0.5, 0, -0.7]%s}\n";

static const double tip_masses[] = {1e-4, 1e-6, 1e-8, 1e-9, 1e-12}; /* kg */
static const int tip_methods[] = {TN_GENERALIZED_ALPHA, TN_AUTO};
enum { TIPS = 5, CLOSED_BY = 2, TIP_METHODS = 2 };
static const double tip_height = -0.8005473; /* m, at 1 s */
static const double second_order = 2e-5;     /* m, of steps of 1e-3 s */

static mechanism make_five_bar(double mass, bool hinge, int method)
{
    char text[4096];
    const double J = 1e-7 * mass; /* of a ball of half a millimetre */
    snprintf(text, sizeof text, five_bar, mass, J, J, J, mass, J, J, J,
             hinge ? "hinge" : "spherical", hinge ? ", axis: [0, 1, 0]" : "");
    return mechanism_of(text, method);
}

static double height(const mechanism *m, const char *body)
{
    tn_body found;
    ck_assert_int_eq(tn_model_find_body(m->model, body, &found), TN_OK);
    return tn_sim_body_pose(m->sim, found).p.z;
}

START_TEST(tips_do_not_matter)
{
    const double mass = tip_masses[_i % TIPS];
    mechanism m = make_five_bar(mass, _i / TIPS % CLOSED_BY, tip_methods[_i / TIPS / CLOSED_BY]);
    int32_t folds = 0, made = 0;
    for (int k = 0; k < 1000; k++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_step(m.sim, 1e-3, &report), TN_OK);
        folds += report.folds;
        made += report.factorizations;
    }
    const tn_accuracy accuracy = tn_sim_accuracy(m.sim);
    printf("%g kg: z %.7f, %d change points, %d factorizations\n", mass, height(&m, "tip_a"),
           (int)folds, (int)made);
    ck_assert_double_eq_tol(height(&m, "tip_a"), tip_height, second_order);
    ck_assert_int_eq(folds, 0);
    /* as many as of tips of 0.01 kg, and some to start */
    ck_assert_int_lt(made, tip_methods[_i / TIPS / CLOSED_BY] == TN_AUTO ? 3000 : 1100);
    ck_assert(accuracy.holds);
    mechanism_free(&m);
}
END_TEST

/* A platform of 20 kg hangs level on four rods of 1 m, 0.5 m off its middle, and turns with w = 0.4 rad/s. On massless
 * rods it rises by I w^2 / (2 m g). Rods may turn about themselves. */
START_TEST(platform_rises_as_on_massless_rods)
{
    static const double masses[] = {1e-3, 1e-5, 1e-7, 1e-9};
    const double mass = masses[_i], across = 0.08 * mass, along = 1e-4 * mass;
    char text[4096];
    int n = snprintf(text, sizeof text,
                     "tenon: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
                     "  top: {position: [0, 0, 1], mass: 20, inertia: [1, 1, 2], velocity: "
                     "{angular: [0, 0, 0.4]}}\n");
    static const double corners[4][2] = {{0.5, 0}, {0, 0.5}, {-0.5, 0}, {0, -0.5}};
    for (int k = 0; k < 4; k++) {
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  r%d: {position: [%g, %g, 1.5], mass: %g, inertia: [%g, %g, %g]}\n", k,
                      corners[k][0], corners[k][1], mass, across, across, along);
    }
    n += snprintf(text + n, sizeof text - (size_t)n, "joints:\n");
    for (int k = 0; k < 4; k++) {
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  u%d: {type: spherical, a: r%d, origin: [%g, %g, 2]}\n"
                      "  l%d: {type: spherical, a: r%d, b: top, origin: [%g, %g, 1]}\n",
                      k, k, corners[k][0], corners[k][1], k, k, corners[k][0], corners[k][1]);
    }
    mechanism m = mechanism_of(text, TN_GENERALIZED_ALPHA);
    double highest = 0.0;
    for (int k = 0; k < 500; k++) { /* of a swing of 1.27 s */
        tn_step_report report;
        ck_assert_int_eq(tn_sim_step(m.sim, 1e-3, &report), TN_OK);
        ck_assert_int_eq(report.folds, 0);
        highest = fmax(highest, height(&m, "top") - 1.0);
    }
    const double rise = 0.5 * 2.0 * 0.4 * 0.4 / (20.0 * 9.81);
    printf("%g kg: %.9f m, closed form %.9f m\n", mass, highest, rise);
    ck_assert_double_eq_tol(highest, rise, 2e-5 * rise + 1e-3 * mass);
    mechanism_free(&m);
}
END_TEST

static void let_go(mechanism *m, const char *joint)
{
    tn_joint found;
    ck_assert_int_eq(tn_model_find_joint(m->model, joint, &found), TN_OK);
    ck_assert_int_eq(tn_sim_set_enabled(m->sim, found, 0), TN_OK);
}

/* A tip that nothing holds any more falls as any body does. */
START_TEST(tip_falls_when_let_go)
{
    mechanism m = make_five_bar(1e-9, false, tip_methods[_i]);
    const double before = height(&m, "tip_a");
    let_go(&m, "fa");
    let_go(&m, "close");
    for (int k = 0; k < 100; k++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_step(m.sim, 1e-3, &report), TN_OK);
    }
    ck_assert_double_eq_tol(height(&m, "tip_a") - before, -0.5 * 9.81 * 0.01, 1e-6);
    mechanism_free(&m);
}
END_TEST

/* A body that turns on a frame of next to no mass, welded between its hinge and it, and carries a driven arm. */
START_TEST(speeds_through_light_frames)
{
    static const double masses[] = {1e-4, 1e-8, 1e-9, 1e-10}; /* kg */
    static const char *const bodies[] = {"frame", "body"};
    const double mass = masses[_i], J = 0.08 * mass, speed = 0.2335;
    char text[2048];
    snprintf(text, sizeof text,
             "tenon: 1\ngravity: [0, 0, 0]\nbodies:\n"
             "  frame: {position: [0, 0, 0], mass: %g, inertia: [%g, %g, %g], "
             "center_of_mass: [-0.055, -0.097, 0.05]}\n"
             "  body: {position: [0, 0.3, 0.1], mass: 0.35, inertia: [0.03, 0.03, 0.02]}\n"
             "  arm: {position: [0.6, 0.8, 0.5], mass: 0.67, inertia: [0.038, 0.038, 0.038]}\n"
             "joints:\n"
             "  weld: {type: solid, a: frame, b: body, origin: [-0.1648, -0.039, -1.1734]}\n"
             "  pin: {type: hinge, a: frame, origin: [-0.1648, -0.039, -1.1734], "
             "axis: [-0.38, -0.76, 0.39], speed: {theta: %g}}\n"
             "  top: {type: hinge, a: arm, b: body, origin: [0.22, -0.62, -0.645], "
             "axis: [0.27, -0.8, 0.66], drive: {theta: {position: {sine: [0.36, 3.5, 0, 0]}}}}\n",
             mass, J, J, J, speed);
    mechanism m = mechanism_of(text, TN_AUTO);
    for (int i = 0; i < 2; i++) {
        tn_body body;
        ck_assert_int_eq(tn_model_find_body(m.model, bodies[i], &body), TN_OK);
        const tn_vec3 w = tn_sim_body_velocity(m.sim, body).w;
        ck_assert_double_eq_tol(sqrt(w.x * w.x + w.y * w.y + w.z * w.z), speed, 1e-9);
    }
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("light links");
    TCase *tc = tcase_create("loops");
    tcase_set_timeout(tc, 60.0);
    tcase_add_loop_test(tc, tips_do_not_matter, 0,
                        ALL_OR_FEW(TIPS * CLOSED_BY * TIP_METHODS, TIPS));
    tcase_add_loop_test(tc, platform_rises_as_on_massless_rods, 0, ALL_OR_FEW(4, 1));
    tcase_add_loop_test(tc, tip_falls_when_let_go, 0, TIP_METHODS);
    tcase_add_loop_test(tc, speeds_through_light_frames, 0, 4);
    suite_add_tcase(suite, tc);
    return suite;
}
