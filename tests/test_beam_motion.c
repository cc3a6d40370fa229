/* test_beam_motion.c: beams in motion: frequencies, prescribed and free motion, what is conserved, and that nothing
 * depends on where a beam is.
 *
 * References with more than six digits: beams of Reissner with three to five elements of order 4 and 5 by Radau.
 */
#include <check.h>
#include <math.h>

#include "support/beam_models.h"
#include "support/heavy.h"
#include "support/run_main.h"

#define PI 3.14159265358979323846

/* ---- frequencies ---- */

/* Of a damped swing, from the times at which a measure rises through zero: the first after a time, and so
 * many later. */
static double frequency(mechanism *m, const char *name, double step, double after, int periods)
{
    double before = 0.0, now[3], first = 0.0;
    beam_measure(m, name, now);
    for (int risen = -1; risen < periods;) {
        before = now[2];
        ck_assert_int_eq(tn_sim_step(m->sim, step, NULL), TN_OK);
        beam_measure(m, name, now);
        const double t = tn_sim_time(m->sim);
        if (t < after || !(before < 0.0 && now[2] >= 0.0))
            continue;
        const double at = t - step * now[2] / (now[2] - before);
        first = risen < 0 ? at : first;
        if (++risen == periods)
            return periods / (at - first);
    }
    return 0.0;
}

/* Cowper's cantilever, length 10 times the height: 82.8944 Hz. Damping of 0.5 % lets the higher ones fade first;
 * it lowers the frequency by 1.25e-5, and the steps by 1.6e-5. */
START_TEST(first_frequency_of_timoshenko)
{
    static const char *const text =
        "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 4}\n"
        "materials: {steel: {density: 7850, young: 210 GPa, poisson: 0.3, damping: 2e-5}}\n"
        "flexible: {bar: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: =n}, section: "
        "{rectangle: "
        "[10 cm, 10 cm]}, material: steel}}\n"
        "joints: {clamp: {type: solid, a: bar.start, origin: [0, 0, 0]}}\n"
        "loads: {tip: {body: bar.end, force: [0, 0, {step: [0, 1000, 1e-3, 0]}]}}\n"
        "measures: {end: {marker: bar.end}}\n";
    double f[2];
    for (int i = 0; i < 2; i++) {
        mechanism m = beam_model(text, 4 << i);
        f[i] = frequency(&m, "end", 2.5e-5, 0.12, 10);
        mechanism_free(&m);
    }
    ck_assert_double_eq_tol(richardson(f[0], f[1]) / 82.8943626933, 1.0, 1e-4);
    ck_assert_double_eq_tol((f[0] - 82.894) / (f[1] - 82.894), 4.0, 0.1);
}
END_TEST

/* ---- prescribed motion ---- */

/* Kane, Ryan, Banerjee 1987; Simo, Vu-Quoc 1986: a bar is spun up to 6 rad/s in 15 s. How far its tip stays
 * behind, which a beam without centrifugal stiffening gets wrong. */
START_TEST(bar_is_spun_up)
{
    static const char *const text =
        "tenon: 1\nworld: planar\ngravity: [0, 0]\nparameters: {n: 8, w: =15/(2*pi)}\n"
        "flexible: {bar: {beam: {from: [0, 0], to: [10, 0], elements: =n}, section: {EA: 2.8e7, "
        "GA: "
        "1e7, EI: 1.4e4, mass: 1.2, inertia: 6e-4}}}\n"
        "joints: {hub: {type: hinge, a: bar.start, origin: [0, 0], drive: {theta: {position: \"=t "
        "< "
        "15 ? 0.4*(t^2/2 + w^2*(cos(t/w) - 1)) : 45 + 6*(t - 15)\"}}}}\n"
        "measures: {tip: {marker: bar.end, relative_to: bar.start}}\n";
    static const double across[] = {-0.151283559, -0.468476184, -0.559083455, -0.362814483};
    const int n = ALL_OR_FEW(16, 4);
    double tip[2][4][2];
    for (int i = 0; i < 2; i++) {
        mechanism m = beam_model(text, n << i);
        for (int k = 0; k < 4; k++) {
            mechanism_run(&m, 1e-3, 2500, NULL);
            beam_measure(&m, "tip", tip[i][k]);
        }
        mechanism_free(&m);
    }
    for (int k = 0; k < 4; k++)
        ck_assert_double_eq_tol(richardson(tip[0][k][1], tip[1][k][1]), across[k],
                                ALL_OR_FEW(2e-5, 1e-3));
}
END_TEST

/* ---- free motion ---- */

static const char *const flying =
    "tenon: 1\nworld: planar\ngravity: [0, 0]\nparameters: {n: 8}\n"
    "flexible: {bar: {beam: {from: [6, 0], to: [0, 8], elements: =n}, section: {EA: 1e4, GA: 1e4, "
    "EI: 500, mass: 1, inertia: 10}}}\n"
    "loads: {push: {body: bar.start, force: [{table: [[0, 0], [2.5, 8], [5, 0], [100, 0]]}, 0], "
    "moment: {table: [[0, 0], [2.5, -80], [5, 0], [100, 0]]}}}\n"
    "measures: {start: {marker: bar.start}, p: {momentum: linear}, L: {momentum: angular}, total: "
    "{energy: total}}\n";

/* Simo, Vu-Quoc 1986: a flexible bar is thrown. */
START_TEST(thrown_bar_flies)
{
    static const double wanted[2][2] = {{4.299398150637681, 0.6402402296807096},
                                        {21.065026276799472, 7.951512527115051}};
    double at[2][2][2];
    const int n = ALL_OR_FEW(16, 8);
    for (int i = 0; i < 2; i++) {
        mechanism m = beam_model(flying, n << i);
        for (int k = 0; k < 2; k++) {
            mechanism_run(&m, 5e-3, 1000, NULL);
            beam_measure(&m, "start", at[i][k]);
        }
        mechanism_free(&m);
    }
    for (int k = 0; k < 4; k++)
        ck_assert_double_eq_tol(richardson(at[0][k / 2][k % 2], at[1][k / 2][k % 2]),
                                wanted[k / 2][k % 2], ALL_OR_FEW(1e-3, 1e-2));
}
END_TEST

/* Once it is thrown, momentum and energy stay; by the method with an accuracy to rounding of the momentum. */
START_TEST(thrown_bar_keeps_momentum_and_energy)
{
    static const struct {
        int method;
        double step, momentum, angular, energy;
    } by[] = {{TN_GENERALIZED_ALPHA, 5e-3, 1e-12, 1e-4, 1e-4}, {TN_AUTO, 0.5, 1e-12, 1e-9, 1e-7}};
    double p[2][2], L[2], total[2];
    mechanism m = beam_model(flying, 8);
    mechanism_start(&m, by[_i].method);
    mechanism_run(&m, by[_i].step, (int)lround(5.0 / by[_i].step), NULL);
    for (int k = 0; k < 2; k++) {
        mechanism_run(&m, by[_i].step, (int)lround(2.0 / by[_i].step), NULL);
        beam_measure(&m, "p", p[k]);
        beam_measure(&m, "L", &L[k]);
        beam_measure(&m, "total", &total[k]);
    }
    ck_assert_double_eq_tol(p[1][0], p[0][0], by[_i].momentum * 20.0);
    ck_assert_double_eq_tol(p[1][1], p[0][1], by[_i].momentum * 20.0);
    ck_assert_double_eq_tol(L[1], L[0], by[_i].angular * 188.0);
    ck_assert_double_eq_tol(total[1], total[0], by[_i].energy * 52.0);
    ck_assert_double_eq_tol(p[0][0], 20.0, 1e-5);
    mechanism_free(&m);
}
END_TEST

/* ---- objectivity ---- */

/* A tumbling bent bar in space, and the same turned and moved: section forces do not tell them apart. */
START_TEST(section_forces_do_not_depend_on_the_place)
{
    static const char *const text =
        "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 4}\n"
        "parts:\n  bar:\n"
        "    flexible: {rod: {beam: {arc: {center: [0, 0, 0], radius: 1, from: 0.2, to: 1.7}, "
        "elements: =n}, section: {EA: 1e4, GA: 4e3, GJ: 8, EI: [10, 5], mass: 2, inertia: [1e-3, "
        "5e-4]}}}\n"
        "    loads: {push: {body: rod.start, axes: body, force: [{step: [0, 3, 1, 0]}, 1, -2], "
        "moment: [0.2, 0.5, {step: [0, 1, 1, 0]}]}}\n"
        "    measures: {cut: {section: \"rod[2]\"}, clamp: {energy: elastic}}\n"
        "instances:\n  here: {part: bar}\n"
        "  there: {part: bar, position: [3, -2, 1], axis_angle: [1, 2, -1, 2.2]}\n";
    mechanism m = beam_model(text, 4);
    double here[6], there[6], largest = 0.0;
    for (int k = 0; k < 20; k++) {
        mechanism_run(&m, 2e-3, 100, NULL);
        beam_measure(&m, "here.cut", here);
        beam_measure(&m, "there.cut", there);
        for (int i = 0; i < 6; i++) {
            ck_assert_double_eq_tol(here[i], there[i], 1e-9);
            largest = fmax(largest, fabs(here[i]));
        }
    }
    ck_assert_double_ge(largest, 1.0);
    mechanism_free(&m);
}
END_TEST

/* The same bar as a planar and as a spatial model. */
START_TEST(planar_beams_are_spatial_ones_in_a_plane)
{
    static const char *const texts[] = {
        "tenon: 1\nworld: planar\nparameters: {n: 4}\n"
        "flexible: {rod: {beam: {from: [0, 0], to: [1, 0.5], elements: =n}, section: {EA: 1e5, GA: "
        "4e4, EI: 5, mass: 2, inertia: 1e-3}, damping: 1 ms}}\n"
        "joints: {pin: {type: hinge, a: rod.start, origin: [0, 0]}}\n"
        "measures: {end: {marker: rod.end}, cut: {section: \"rod[1]\"}}\n",
        "tenon: 1\ngravity: [0, -9.81, 0]\nparameters: {n: 4}\n"
        "flexible: {rod: {beam: {from: [0, 0, 0], to: [1, 0.5, 0], elements: =n}, section: {EA: "
        "1e5, "
        "GA: 4e4, GJ: 4, EI: 5, mass: 2, inertia: 1e-3}, damping: 1 ms}}\n"
        "joints: {pin: {type: hinge, a: rod.start, origin: [0, 0, 0]}}\n"
        "measures: {end: {marker: rod.end}, cut: {section: \"rod[1]\"}}\n"};
    mechanism flat = beam_model(texts[0], 4), space = beam_model(texts[1], 4);
    double a[3], b[3], cut_a[6], cut_b[6];
    mechanism_run(&flat, 2e-3, 500, NULL);
    mechanism_run(&space, 2e-3, 500, NULL);
    beam_measure(&flat, "end", a);
    beam_measure(&space, "end", b);
    beam_measure(&flat, "cut", cut_a);
    beam_measure(&space, "cut", cut_b);
    ck_assert_double_eq_tol(a[0], b[0], 1e-10);
    ck_assert_double_eq_tol(a[1], b[1], 1e-10);
    ck_assert_double_eq_tol(cut_a[0], cut_b[0], 1e-7);
    ck_assert_double_eq_tol(cut_a[1], cut_b[1], 1e-7);
    ck_assert_double_eq_tol(cut_a[2], cut_b[5], 1e-7);
    ck_assert_double_ge(fabs(cut_a[2]), 0.1);
    mechanism_free(&flat);
    mechanism_free(&space);
}
END_TEST

/* What the load put in is in the beam, moves it or was lost in its damping, and the run is judged by it. */
START_TEST(energy_of_a_damped_beam_is_accounted_for)
{
    mechanism m = beam_model(
        "tenon: 1\ngravity: [0, 0, 0]\nparameters: {n: 6}\n"
        "flexible: {rod: {beam: {from: [0, 0, 0], to: [1, 0, 0], elements: =n}, section: {EA: 1e5, "
        "GA: 4e4, GJ: 4, EI: 5, mass: 2, inertia: 1e-3}, damping: 10 ms}}\n"
        "joints: {clamp: {type: solid, a: rod.start, origin: [0, 0, 0]}}\n"
        "loads: {push: {body: rod.end, force: [0, 2, 1], moment: [0.1, 0, 0]}}\n",
        6);
    mechanism_run(&m, 1e-3, 1500, NULL);
    const tn_energy e = tn_sim_energy(m.sim);
    ck_assert_double_ge(e.elastic, 0.1);
    ck_assert_double_ge(e.lost, 0.01);
    ck_assert_double_eq_tol((e.kinetic + e.elastic + e.lost) / e.work, 1.0, 1e-4);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("beams in motion");
    TCase *tc = tcase_create("motion");
    tcase_set_timeout(tc, 120.0);
    tcase_add_test(tc, first_frequency_of_timoshenko);
    tcase_add_test(tc, bar_is_spun_up);
    tcase_add_test(tc, thrown_bar_flies);
    tcase_add_loop_test(tc, thrown_bar_keeps_momentum_and_energy, 0, 2);
    tcase_add_test(tc, section_forces_do_not_depend_on_the_place);
    tcase_add_test(tc, planar_beams_are_spatial_ones_in_a_plane);
    tcase_add_test(tc, energy_of_a_damped_beam_is_accounted_for);
    suite_add_tcase(suite, tc);
    return suite;
}
