/* test_beam_statics.c: beams at rest, against closed forms and against exact rods by shooting.
 *
 * Loads rise, and material damping lets the beam come to rest. Values with more than six digits are from a
 * program that solves the equations of an exact rod between the ends by shooting (residuals of 1e-15).
 */
#include <check.h>
#include <math.h>

#include "support/beam_models.h"
#include "support/heavy.h"
#include "support/run_main.h"

#define PI 3.14159265358979323846

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* ---- pure bending and twisting: exact with any number of elements ---- */

#define SOFT "section: {EI: 1, EA: 100, GA: 50, GJ: 0.8, mass: 1, inertia: 0.01}, damping: 0.2"

/* A moment 2 pi EI / L bends a straight bar of four elements to a full circle. */
START_TEST(moment_closes_a_circle)
{
    mechanism m = beam_model(
        "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 4}\n"
        "flexible: {rod: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: =n}, " SOFT "}}\n"
        "joints: {clamp: {type: solid, a: rod.start, origin: [0, 0, 0]}}\n"
        "loads: {bend: {body: rod.end, moment: [0, 0, {step: [0, 0, 10, 6.283185307179586]}]}}\n"
        "measures: {end: {marker: rod.end}, middle: {section: \"rod[1]\"}, clamp: {reaction: "
        "clamp}}\n",
        4);
    double end[3], middle[6], clamp[6], origin[3] = {0.0, 0.0, 0.0};
    mechanism_run(&m, 0.02, 2000, NULL);
    beam_measure(&m, "end", end);
    beam_measure(&m, "middle", middle);
    beam_measure(&m, "clamp", clamp);
    ck_assert_double_le(distance(end, origin), 1e-10);
    ck_assert_double_eq_tol(middle[5], 2.0 * PI, 1e-10);
    ck_assert_double_eq_tol(clamp[5], -2.0 * PI, 1e-10);
    for (int i = 0; i < 5; i++)
        ck_assert_double_le(fabs(middle[i]), 1e-9);
    mechanism_free(&m);
}
END_TEST

/* A wrench along the axis stretches and twists by N/EA and T/GJ, whatever the elements. */
START_TEST(torque_and_tension_are_exact)
{
    static const char *const text =
        "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 4}\n"
        "flexible: {rod: {beam: {from: [0, 0, 0], to: [0, 0, 1], elements: =n}, " SOFT "}}\n"
        "joints: {clamp: {type: solid, a: rod.start, origin: [0, 0, 0]}}\n"
        "loads: {pull: {body: rod.end, force: [0, 0, {step: [0, 0, 2, 5]}], moment: [0, 0, {step: "
        "[0, 0, 2, 0.4]}]}}\n"
        "measures: {end: {marker: rod.end}, turn: {marker: rod.end, quantity: rotation, "
        "relative_to: rod.start}, cut: {section: \"rod[0]\"}}\n";
    double end[3], turn[3], cut[6];
    for (int n = 1; n <= 3; n += 2) {
        beam_settled(text, n, 0.02, 2000, "end", end);
        beam_settled(text, n, 0.02, 2000, "turn", turn);
        beam_settled(text, n, 0.02, 2000, "cut", cut);
        ck_assert_double_eq_tol(end[2], 1.05, 1e-9);
        ck_assert_double_eq_tol(turn[0], 0.5, 1e-9); /* about the axis, x of the nodes */
        ck_assert_double_eq_tol(cut[0], 5.0, 1e-9);
        ck_assert_double_eq_tol(cut[3], 0.4, 1e-9);
    }
}
END_TEST

/* ---- small deflections ---- */

#define STEEL "materials: {steel: {density: 7850, young: 210 GPa, poisson: 0.3, damping: 20 ms}}\n"

/* Timoshenko's cantilever: P L^3/3EI + P L/kGA. With the bending moment of the middle of each of n
 * elements the first part is 1 - 1/(4 n^2) of that. */
START_TEST(cantilever_of_timoshenko)
{
    static const char *const text =
        "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 4}\n" STEEL
        "flexible: {bar: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: =n}, section: "
        "{rectangle: "
        "[10 cm, 10 cm]}, material: steel}}\n"
        "joints: {clamp: {type: solid, a: bar.start, origin: [0, 0, 0]}}\n"
        "loads: {tip: {body: bar.end, force: [0, 0, {step: [0, 0, 0.1, 1]}]}}\n"
        "measures: {end: {marker: bar.end}, first: {section: \"bar[0]\"}}\n";
    const double EI = 210e9 * 1e-4 / 12.0, GA = 210e9 / 2.6 * 0.01 * 5.0 / 6.0;
    for (int n = 2; n <= 8; n *= 2) {
        double end[3], first[6];
        const double wanted = (1.0 - 0.25 / (n * n)) / (3.0 * EI) + 1.0 / GA;
        beam_settled(text, n, 1e-3, 600, "end", end);
        beam_settled(text, n, 1e-3, 600, "first", first);
        ck_assert_double_eq_tol(end[2] / wanted, 1.0, 1e-8);
        ck_assert_double_eq_tol(first[2], 1.0, 1e-7);              /* shear */
        ck_assert_double_eq_tol(first[4], -(1.0 - 0.5 / n), 1e-7); /* bending */
        ck_assert_double_le(fabs(first[0]) + fabs(first[3]), 1e-6);
    }
    ck_assert_double_eq_tol(1.0 / (3.0 * EI) + 1.0 / GA, 1.919619047619e-7, 1e-17);
}
END_TEST

/* Clamped at both ends, loaded in the middle: F/2 and F L/8 at each end, whatever its stiffness. */
START_TEST(clamped_bar_shares_its_load)
{
    static const char *const text =
        "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 4, k: %g}\n"
        "flexible: {bar: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: =n}, section: {EI: "
        "=100*k, EA: =1e6*k, GA: =4e5*k, GJ: =80*k, mass: 1, inertia: 1e-4}, damping: 20 ms}}\n"
        "joints:\n  a: {type: solid, a: bar.start, origin: [0, 0, 0]}\n"
        "  b: {type: solid, a: bar.end, origin: [1, 0, 0]}\n"
        "loads: {push: {body: \"bar[n/2]\", force: [0, 0, {step: [0, 0, 0.1, -0.01]}]}}\n"
        "measures: {left: {reaction: a}, right: {reaction: b}}\n";
    for (double k = 1.0; k < 2e6; k *= 1e3) {
        char scaled[1024];
        double left[6], right[6];
        snprintf(scaled, sizeof scaled, text, k);
        mechanism m = beam_model(scaled, 4);
        tn_analysis analysis;
        ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, &analysis), TN_OK);
        ck_assert_int_eq(analysis.redundant, 0);
        tn_analysis_free(&analysis);
        mechanism_run(&m, 2e-3, 1000, NULL);
        beam_measure(&m, "left", left);
        beam_measure(&m, "right", right);
        ck_assert_double_eq_tol(left[2], 0.005, 1e-8);
        ck_assert_double_eq_tol(right[2], 0.005, 1e-8);
        ck_assert_double_eq_tol(left[4], -0.00125, 1e-8);
        ck_assert_double_eq_tol(right[4], 0.00125, 1e-8);
        mechanism_free(&m);
    }
}
END_TEST

/* ---- large deflections ---- */

/* Bathe, Bolourchi 1979: an arc of 45 degrees, radius 100, loaded across its plane. The end of an exact
 * rod by shooting; GJ of the literature. */
START_TEST(bend_of_45_degrees_converges_with_order_two)
{
    static const char *const text =
        "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 4}\n"
        "flexible:\n  bend: {beam: {arc: {center: [0, 100, 0], radius: 100, from: -90 deg, to: -45 "
        "deg}, elements: =n}, section: {EA: 1e7, GA: 5e6, GJ: 833333.333333333, EI: "
        "833333.333333333, mass: 1, inertia: =1/12}, damping: 2}\n"
        "joints: {clamp: {type: solid, a: bend.start, origin: [0, 0, 0]}}\n"
        "loads: {tip: {body: bend.end, force: [0, 0, {step: [0, 0, 100, 600]}]}}\n"
        "measures: {end: {marker: bend.end}, root: {reaction: clamp, axes: world, quantity: "
        "moment}}\n";
    static const double wanted[3] = {47.15043857363077, 15.68480053403963, 53.474858791827394};
    static const double root[3] = {9410.880320423787, -28290.26314417849, 0.0};
    double end[3], error[4];
    const int most = ALL_OR_FEW(4, 2);
    for (int k = 0; k < most; k++) {
        beam_settled(text, 4 << k, 0.1, 2500, "end", end);
        error[k] = distance(end, wanted);
        if (k > 0) /* 2.008, 2.002, 2.000 */
            ck_assert_double_eq_tol(log2(error[k - 1] / error[k]), 2.0, 0.05);
    }
    ck_assert_double_le(error[most - 1], ALL_OR_FEW(1.1e-2, 0.17));
    beam_settled(text, 8, 0.1, 2500, "root", end);
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(end[i], -root[i], 60.0); /* 2e-3, of 8 elements */
}
END_TEST

/* Bisshopp, Drucker 1945: a cantilever without stretch and shear under a dead load: P L^2/EI = 1 and 10. */
START_TEST(elastica_under_a_tip_load)
{
    static const char *const text =
        "tenon: 1\nworld: planar\ngravity: [0, 0]\nparameters: {n: 4, load: %d}\n"
        "flexible: {rod: {beam: {from: [0, 0], to: [1, 0], elements: =n}, section: {EI: 1, mass: "
        "1, "
        "inertia: 0.01}, damping: 0.2}}\n"
        "joints: {clamp: {type: solid, a: rod.start, origin: [0, 0]}}\n"
        "loads: {tip: {body: rod.end, force: [0, {step: [0, 0, 5, =-load]}]}}\n"
        "measures: {end: {marker: rod.end}}\n";
    static const struct {
        int load;
        double down, shortening, allowed;
    } of[] = {{1, 0.30172077379981, 0.056433236283377, 2e-6},
              {10, 0.8106090248803, 0.55499559775375, 1e-4}};
    for (int i = 0; i < 2; i++) {
        char model[1024];
        double coarse[2], fine[2];
        snprintf(model, sizeof model, text, of[i].load);
        beam_settled(model, 8, 0.02, 1200, "end", coarse);
        beam_settled(model, 16, 0.02, 1200, "end", fine);
        ck_assert_double_eq_tol(richardson(coarse[0], fine[0]), 1.0 - of[i].shortening,
                                of[i].allowed);
        ck_assert_double_eq_tol(richardson(coarse[1], fine[1]), -of[i].down, of[i].allowed);
    }
}
END_TEST

/* A flat strip set up at 45 degrees bends sideways and twists under its load: section, torsion constant and
 * `up` all count. Data near the Princeton beam experiment (Dowell, Traybar 1975). */
START_TEST(pitched_strip_bends_sideways)
{
    static const char *const text =
        "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 4}\n"
        "materials: {aluminium: {density: 2700, young: 71.7 GPa, poisson: 0.31, damping: 20 ms}}\n"
        "flexible: {strip: {beam: {from: [0, 0, 0], to: [508 mm, 0, 0], up: [0, -1, 1], elements: "
        "=n}, section: {rectangle: [3.2 mm, 12.7 mm]}, material: aluminium}}\n"
        "joints: {clamp: {type: solid, a: strip.start, origin: [0, 0, 0]}}\n"
        "loads: {tip: {body: strip.end, force: [0, 0, {step: [0, 0, 0.5, -4.448]}]}}\n"
        "measures: {end: {marker: strip.end}}\n";
    static const double wanted[3] = {0.5044244283037915, -0.03613459324174219,
                                     -0.04133326948964643};
    double coarse[3], fine[3];
    beam_settled(text, 8, 5e-3, 400, "end", coarse);
    beam_settled(text, 16, 5e-3, 400, "end", fine);
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(richardson(coarse[i], fine[i]), wanted[i], 2e-7);
}
END_TEST

/* ---- cables ---- */

/* m: how high its middle hangs; N: what its first hook pulls with. */
static void cable_at_rest(const char *text, double *height, double *pull)
{
    double low[2][3], hook[2][6];
    for (int i = 0; i < 2; i++) {
        mechanism m = beam_model(text, 10 << i);
        mechanism_run(&m, ALL_OR_FEW(0.01, 0.02), ALL_OR_FEW(4000, 2000), NULL);
        beam_measure(&m, "middle", low[i]);
        beam_measure(&m, "hook", hook[i]);
        mechanism_free(&m);
    }
    *height = richardson(low[0][2], low[1][2]);
    *pull = richardson(hook[0][0], hook[1][0]);
}

/* Irvine 1981: a cable of 12 m between hooks 10 m apart, inextensible: sag and pull across are those of the catenary. */
START_TEST(cable_hangs_as_a_catenary)
{
    static const char *const text =
        "tenon: 1\ngravity: [0, 0, -9.81]\ndamping: {frame: 0.6}\nparameters: {n: 10, h: "
        "=sqrt(11)}\n"
        "flexible: {chain: {cable: {through: [[0, 0, 0], [5, 0, =-h], [10, 0, 0]], elements: =n}, "
        "section: {mass: 1}}}\n"
        "joints:\n  a: {type: spherical, a: chain.start, origin: [0, 0, 0]}\n"
        "  b: {type: spherical, a: chain.end, origin: [10, 0, 0]}\n"
        "markers: {middle: {body: \"chain[n/2]\"}}\n"
        "measures: {hook: {reaction: a}, middle: {marker: middle}}\n";
    double height, pull;
    cable_at_rest(text, &height, &pull);
    ck_assert_double_eq_tol(height, -2.9234379760093, 1e-4);
    ck_assert_double_eq_tol(pull / (-9.81 * 4.6954152312653), 1.0, 1e-4);
}
END_TEST

/* The same reference, elastic: 10 m without load between hooks 10 m apart, EA 1000 N. */
START_TEST(cable_stretches)
{
    static const char *const text =
        "tenon: 1\ngravity: [0, 0, -9.81]\ndamping: {frame: 0.6}\nparameters: {n: 10}\n"
        "flexible: {wire: {cable: {through: [[0, 0, 0], [10, 0, 0]], elements: =n}, section: "
        "{mass: 1, EA: 1000}, "
        "damping: 50 ms}}\n"
        "joints:\n  a: {type: spherical, a: wire.start, origin: [0, 0, 0]}\n"
        "  b: {type: spherical, a: wire.end, origin: [10, 0, 0]}\n"
        "markers: {middle: {body: \"wire[n/2]\"}}\n"
        "measures: {hook: {reaction: a}, middle: {marker: middle}}\n";
    double height, pull;
    cable_at_rest(text, &height, &pull);
    ck_assert_double_eq_tol(height, -1.7160192297772, 1e-4);
    ck_assert_double_eq_tol(pull, -69.142757062237, 1e-2);
}
END_TEST

/* ---- reactions of a mechanism that is overconstrained when its bars are rigid ---- */

static const char *const tilted_four_bar =
    "tenon: 1\nangle: deg\ngravity: [0, 0, 0]\nparameters: {n: 4}\n"
    "materials: {steel: {density: 7850, young: 207 GPa, poisson: 0.3, damping: 5 ms}}\n"
    "flexible:\n"
    "  crank: {beam: {from: [0, 0, 0], to: [0, 120 mm, 0], elements: =n}, section: {rectangle: "
    "[16 mm, 16 mm]}, material: steel}\n"
    "  coupler: {beam: {from: [0, 120 mm, 0], to: [240 mm, 120 mm, 0], elements: =n}, section: "
    "{rectangle: [16 mm, 16 mm]}, material: steel}\n"
    "  rocker: {beam: {from: [240 mm, 120 mm, 0], to: [240 mm, 0, 0], elements: =n}, section: "
    "{rectangle: [8 mm, 8 mm]}, material: steel}\n"
    "joints:\n"
    "  A: {type: hinge, a: crank.start, origin: [0, 0, 0], drive: {theta: {position: {step: "
    "[0, "
    "0, 10, -30]}}}}\n"
    "  B: {type: hinge, a: coupler.start, b: crank.end, origin: [0, 120 mm, 0]}\n"
    "  C: {type: hinge, a: rocker.start, b: coupler.end, origin: [240 mm, 120 mm, 0], axis: "
    "[=sin(5 deg), 0, =cos(5 deg)]}\n"
    "  D: {type: hinge, a: rocker.end, origin: [240 mm, 0, 0]}\n"
    "measures: {load: {reaction: A, axes: world, quantity: force}}\n";

/* Bauchau et al. 2016: a four-bar whose hinge C is off by 5 degrees, at a crank angle of -30 degrees: what the
 * ground exerts on the crank; three exact rods by shooting. */
START_TEST(tilted_four_bar_has_unique_reactions)
{
    static const double wanted[3] = {-21.12497819, 11.79773527, -193.48887738};
    double coarse[3], fine[3];
    const int n = ALL_OR_FEW(8, 4);
    mechanism m = beam_model(tilted_four_bar, n);
    tn_analysis analysis;
    ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, &analysis), TN_OK);
    ck_assert_int_eq(analysis.redundant, 0);
    ck_assert_int_eq(analysis.rigid_dof, 0);
    tn_analysis_free(&analysis);
    mechanism_free(&m);
    beam_settled(tilted_four_bar, n, 0.02, 600, "load", coarse);
    beam_settled(tilted_four_bar, 2 * n, 0.02, 600, "load", fine);
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(richardson(coarse[i], fine[i]) / -wanted[i], 1.0,
                                ALL_OR_FEW(1e-5, 2e-4));
}
END_TEST

/* Loops that close through beams are no loops of hard rows: no change point is told, and no pass is needed to
 * find what rows that repeat others leave open. */
START_TEST(loops_of_beams_cost_no_more_than_their_motion)
{
    mechanism m = beam_model(tilted_four_bar, 8);
    int32_t factorizations = 0, solves = 0;
    for (int k = 0; k < 400; k++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_step(m.sim, 0.01, &report), TN_OK);
        ck_assert_int_eq(report.folds, 0);
        factorizations += report.factorizations;
        solves += report.solves;
    }
    ck_assert_int_le(factorizations, 3 * 400);
    ck_assert_int_le(solves, 8 * 400);
    mechanism_free(&m);
}
END_TEST

/* All rows of an element at once; share 0: hard. */
static void set_element(mechanism *m, tn_joint element, double share)
{
    const tn_joint_def *def = tn_spec_joint(m->spec, element);
    for (int32_t k = 0; k < TN_MAX_ROWS; k++)
        ck_assert_int_eq(tn_sim_set_compliance(m->sim, element, k, share * def->compliance[k],
                                               share * def->damping[k]),
                         TN_OK);
}

/* The same mechanism goes on when the first element of its crank is made rigid while it runs, and yields again:
 * then rows are hard that were not when the model was compiled. */
START_TEST(an_element_may_become_rigid_while_it_runs)
{
    mechanism m = beam_model(tilted_four_bar, 2);
    const tn_joint element = {.i = 0};
    mechanism_run(&m, 0.01, 100, NULL);
    set_element(&m, element, 0.0);
    mechanism_run(&m, 0.01, 20, NULL);
    ck_assert_double_le(tn_sim_residuals(m.sim).position, 1e-8);
    set_element(&m, element, 1.0);
    mechanism_run(&m, 0.01, 20, NULL);
    ck_assert_double_le(tn_sim_residuals(m.sim).position, 1e-8);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("beams at rest");
    TCase *tc = tcase_create("statics");
    tcase_set_timeout(tc, 120.0);
    tcase_add_test(tc, moment_closes_a_circle);
    tcase_add_test(tc, torque_and_tension_are_exact);
    tcase_add_test(tc, cantilever_of_timoshenko);
    tcase_add_test(tc, clamped_bar_shares_its_load);
    tcase_add_test(tc, bend_of_45_degrees_converges_with_order_two);
    tcase_add_test(tc, elastica_under_a_tip_load);
    tcase_add_test(tc, pitched_strip_bends_sideways);
    tcase_add_test(tc, cable_hangs_as_a_catenary);
    tcase_add_test(tc, cable_stretches);
    tcase_add_test(tc, tilted_four_bar_has_unique_reactions);
    tcase_add_test(tc, loops_of_beams_cost_no_more_than_their_motion);
    tcase_add_test(tc, an_element_may_become_rigid_while_it_runs);
    suite_add_tcase(suite, tc);
    return suite;
}
