/* test_formula_motion.c: what moves by formulas of the time and of the way: loads, drives, motors, springs, couplings, axes.
 *
 * A mass on a slider, or a bar on a hinge. Expected: closed forms, the same motion by another kind of function, energy.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/heavy.h"
#include "support/mechanism.h"
#include "support/run_main.h"
#include "tenon/io.h"

static const int by_accuracy[] = {TN_AUTO, TN_DORMAND_PRINCE};
static const double looks[] = {0.5, 0.1, 0.01};
enum { WAYS = 6 };

static double look_of(int i)
{
    return looks[i / 2];
}

#define HEAD                                                                                       \
    "tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies: {a: {mass: 1, inertia: 1}}\n"               \
    "joints: {s: {type: slider, a: a, origin: [0, 0], axis: [1, 0]%s}}\n"

/* A slider along x, with what is said of it, under a force along x. */
static mechanism slider(int i, const char *of_joint, const char *force)
{
    char text[1000];
    snprintf(text, sizeof text, HEAD "loads: {f: {body: a, force: [%s, 0]}}\n", of_joint, force);
    mechanism m = mechanism_read(text);
    mechanism_start(&m, by_accuracy[i % 2]);
    return m;
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

static void run_to(mechanism *m, double end, double look)
{
    while (tn_sim_time(m->sim) < end - 0.5 * look)
        ck_assert_int_eq(tn_sim_advance(m->sim, tn_sim_time(m->sim) + look, NULL), TN_OK);
    ck_assert_int_eq(tn_sim_accuracy(m->sim).holds, 1);
}

/* F = 10 sin(w t) e^-t:  v' = F, x'' = F. With s = -1 + i w:  v = 10 Im((e^(s t) - 1) / s), x = 10 Im((e^(s t) - 1 - s t) / s^2). */
START_TEST(a_force_that_dies_away)
{
    mechanism m = slider(_i, "", "\"=10*sin(4*pi*t)*exp(-t)\"");
    const double t = 2.0, w = 4.0 * 3.14159265358979323846, n = 1.0 + w * w;
    const double re = exp(-t) * cos(w * t) - 1.0, im = exp(-t) * sin(w * t);
    run_to(&m, t, look_of(_i));
    ck_assert_double_eq_tol(speed(&m), 10.0 * (-im - w * re) / n, 1e-5);
    /* 1 / s^2 = (conj s)^2 / n^2 */
    const double a = re + t, b = im - w * t, p = 1.0 - w * w, q = 2.0 * w;
    ck_assert_double_eq_tol(place(&m), 10.0 * (b * p + a * q) / (n * n), 1e-5);
    mechanism_free(&m);
}
END_TEST

/* A pulse of 1 N s in 1 ms, by a choice, wherever it is: v = 1, x = t - its middle, exactly. */
START_TEST(no_pulse_is_lost)
{
    static const char *const pulses[] = {"\"=t > %.17g && t < %.17g ? 1000 : 0\"",
                                         "\"=t <= %.17g || t >= %.17g ? 0 N : 1 kN\""};
    static const double at[] = {0.301, 1.0013, 4.99999};
    for (int k = 0; k < 6; k++) {
        char force[300];
        const double t = at[k / 2];
        snprintf(force, sizeof force, pulses[k % 2], t, t + 1e-3);
        mechanism m = slider(_i, "", force);
        run_to(&m, 5.5, look_of(_i));
        ck_assert_double_eq_tol(speed(&m), 1.0, 1e-9);
        ck_assert_double_eq_tol(place(&m), tn_sim_time(m.sim) - t - 5e-4, 1e-8);
        mechanism_free(&m);
    }
}
END_TEST

/* Smooth ones too: of 1 N s in a millisecond. */
START_TEST(no_smooth_pulse_is_lost)
{
    static const char *const pulses[] = {
        "\"=1/(w*sqrt(pi))*exp(-((t - 1.3)/w)^2)\"",
        "\"=1/(pi*w)/(1 + ((t - 1.3)/w)^2)\"",
        "\"=1/(2*w)/cosh((t - 1.3)/w)^2\"",
        "\"=1/(2*w)*(1 - tanh((t - 1.3)/w)^2)\"",
        "\"=(1/(1 + exp(-50*(t - 1.3)/w)) - 1/(1 + exp(-50*(t - 1.3 - w)/w)))/w\"",
        "\"=0.5/w*(1 + ((t - 1.3)/w)^2)^-1.5\""};
    for (size_t k = 0; k < sizeof pulses / sizeof *pulses; k++) {
        char text[1000];
        snprintf(text, sizeof text,
                 HEAD "parameters: {w: 0.0005}\nloads: {f: {body: a, force: [%s, 0]}}\n", "",
                 pulses[k]);
        mechanism m = mechanism_read(text);
        mechanism_start(&m, by_accuracy[_i % 2]);
        run_to(&m, 3.0, look_of(_i));
        const double tails = k == 1 ? 5e-4 / 3.14159 * (1 / 1.3 + 1 / 1.7) : 0.0;
        ck_assert_msg(fabs(speed(&m) - 1.0 + tails) < 2e-5, "%s: %.17g", pulses[k], speed(&m));
        mechanism_free(&m);
    }
}
END_TEST

/* Steps of a force that stand one after the other, and where bends are no straight lines: v = sum of F dt. */
START_TEST(forces_that_jump)
{
    static const struct {
        const char *force;
        double speed; /* at 3 s */
    } all[] = {{"=floor(t)", 0.0 + 1.0 + 2.0},
               {"=t > 0 ? 5 : 0", 15.0},
               {"=t < 0.3 ? 7 : t < 2 ? -1 : 4", 2.1 - 1.7 + 4.0},
               {"=(t % 0.5) < 0.1 ? 10 : 0", 6.0},
               {"=t^2 > 2 ? 1 : 0", 3.0 - 1.4142135623730951},
               {"=exp(t) > 3 ? 2 : 0", 2.0 * (3.0 - 1.0986122886681098)},
               {"=sign(sin(pi*t/1.5))", 0.0},
               {"=max(0, t - 1)", 2.0},
               {"=abs(t - 1)", 2.5},
               {"=t < 1 ? 0 : 3*(t - 1)^2", 8.0}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        char force[200];
        snprintf(force, sizeof force, "\"%s\"", all[k].force);
        mechanism m = slider(_i, "", force);
        run_to(&m, 3.0, look_of(_i));
        ck_assert_msg(fabs(speed(&m) - all[k].speed) < 2e-9, "%s: %.17g", force, speed(&m));
        mechanism_free(&m);
    }
}
END_TEST

/* The same motion as by other kinds, to round-off. */
START_TEST(drives_move_as_other_kinds)
{
    static const char *const same[][2] = {
        {"drive: {z: {position: \"=0.3*sin(7*t + 0.2) + 0.1\"}}",
         "drive: {z: {position: {sine: [0.3, 7, 0.2, 0.1]}}}"},
        {"drive: {z: {position: \"=0.1 + 0.2*t - 0.05*t^2\"}}",
         "drive: {z: {position: {polynomial: [0.1, 0.2, -0.05]}}}"},
        {"motor: {z: {speed: \"=0.3*cos(5*t)\"}}",
         "motor: {z: {speed: {sine: [0.3, 5, 1.5707963267948966, 0]}}}"},
        {"drive: {z: {position: \"=t < 1 ? t : t < 2 ? 1 : 3 - t\"}}",
         "drive: {z: {position: {table: [[0, 0], [1, 1], [2, 1], [3, 0]]}}}"},
        {"motor: {z: {speed: \"=t < 1 ? t : 2 - t\", max_force: 50}}",
         "motor: {z: {speed: {table: [[0, 0], [1, 1], [2, 0]]}, max_force: 50}}"},
        {"spring: {z: {stiffness: 40, rest: \"=0.1*sin(3*t)\"}}",
         "spring: {z: {stiffness: 40, rest: {sine: [0.1, 3, 0, 0]}}}"},
        {"spring: {z: {force: \"=-40*x - 900*x^3\"}}, set: {z: 0.2}",
         "spring: {z: {force: {polynomial: [0, -40, 0, -900]}}}, set: {z: 0.2}"}};
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        double at[2], fast[2];
        for (int n = 0; n < 2; n++) {
            char of_joint[300];
            snprintf(of_joint, sizeof of_joint, ", %s", same[k][n]);
            mechanism m = slider(_i, of_joint, "{sine: [1, 4, 0, 0]}");
            run_to(&m, 2.5, look_of(_i));
            at[n] = place(&m);
            fast[n] = speed(&m);
            mechanism_free(&m);
        }
        ck_assert_msg(fabs(at[0] - at[1]) < 2e-13 && fabs(fast[0] - fast[1]) < 2e-12,
                      "%s: %.17g, not %.17g; %.17g, not %.17g", same[k][0], at[0], at[1], fast[0],
                      fast[1]);
    }
}
END_TEST

/* A hardening spring, one with stops in it, one of a logistic law: energy stays. */
START_TEST(springs_keep_energy)
{
    static const char *const laws[] = {
        "=-40*x - 900*x^3", "=-1000*max(0, x - 0.1) - 1000*min(0, x + 0.05)", "=-20*tanh(8*x)",
        "=x < 0 ? -50*x : -400*x", "=-30*sinh(4*x)*cosh(x)"};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        char text[1000], of_joint[300];
        snprintf(of_joint, sizeof of_joint,
                 ", set: {z: 0.15}, speed: {z: 1}, spring: {z: {force: \"%s\"}}", laws[k]);
        snprintf(text, sizeof text, HEAD, of_joint);
        mechanism m = mechanism_read(text);
        mechanism_start(&m, by_accuracy[_i % 2]);
        const tn_energy before = tn_sim_energy(m.sim);
        double least = place(&m), most = least;
        for (int n = 0; n < 300; n++) {
            ck_assert_int_eq(tn_sim_advance(m.sim, tn_sim_time(m.sim) + 0.02, NULL), TN_OK);
            const tn_energy now = tn_sim_energy(m.sim);
            ck_assert_msg(fabs(now.total - before.total) < 1e-5 * before.total,
                          "%s at %g s: %.10g of %.10g", laws[k], tn_sim_time(m.sim), now.total,
                          before.total);
            least = fmin(least, place(&m));
            most = fmax(most, place(&m));
        }
        ck_assert_double_lt(least, -0.02);
        ck_assert_double_gt(most, 0.1);
        ck_assert_int_eq(tn_sim_accuracy(m.sim).holds, 1);
        mechanism_free(&m);
    }
}
END_TEST

/* A motor's target that jumps is followed in its own time: e = e^(-t / T) of the way. */
START_TEST(targets_of_motors_may_jump)
{
    mechanism m =
        slider(_i, ", motor: {z: {position: \"=t < 1 ? 0 : 0.4\", time_constant: 0.1}}", "0");
    run_to(&m, 1.5, look_of(_i));
    ck_assert_double_eq_tol(place(&m), 0.4 * (1.0 - exp(-5.0)), 1e-6);
    mechanism_free(&m);
    m = slider(_i, ", motor: {z: {speed: \"=t < 0.7 ? 0.5 : -0.5\"}}", "0");
    run_to(&m, 1.5, look_of(_i));
    ck_assert_double_eq_tol(place(&m), 0.35 - 0.4, 1e-10);
    ck_assert_double_eq_tol(speed(&m), -0.5, 1e-10);
    mechanism_free(&m);
}
END_TEST

/* Where a load has no value the step fails, names it and leaves the state. Poles are approached in a hundred thousand
 * parts: with one kind of looks. */
START_TEST(what_has_no_value_fails)
{
    static const char *const loads[] = {"\"=1/(t - 1)\"", "\"=sqrt(1 - t)\"", "\"=ln(1 - t)\"",
                                        "\"=tan(pi*t/2)\""};
    for (size_t k = 0; k < sizeof loads / sizeof *loads; k++) {
        const int is_pole = k == 0 || k == 3;
        if (is_pole && _i >= 2)
            continue;
        mechanism m = slider(_i, "", loads[k]);
        tn_status status = TN_OK;
        tn_step_report report = {0};
        while (status == TN_OK && tn_sim_time(m.sim) < 3.0)
            status = tn_sim_advance(m.sim, tn_sim_time(m.sim) + look_of(_i), &report);
        ck_assert_msg(status != TN_OK, "%s", loads[k]);
        ck_assert_double_le(tn_sim_time(m.sim), 1.0 + 1e-9);
        ck_assert(isfinite(place(&m)) && isfinite(speed(&m)));
        mechanism_free(&m);
    }
}
END_TEST

Suite *make_suite(void)
{
    TCase *tcase = tcase_create("formulas that move");
    tcase_set_timeout(tcase, 300);
    tcase_add_loop_test(tcase, a_force_that_dies_away, 0, WAYS);
    tcase_add_loop_test(tcase, no_pulse_is_lost, 0, WAYS);
    tcase_add_loop_test(tcase, no_smooth_pulse_is_lost, 0, WAYS);
    tcase_add_loop_test(tcase, forces_that_jump, 0, WAYS);
    tcase_add_loop_test(tcase, drives_move_as_other_kinds, 0, WAYS);
    tcase_add_loop_test(tcase, springs_keep_energy, 0, 2);
    tcase_add_loop_test(tcase, targets_of_motors_may_jump, 0, WAYS);
    tcase_add_loop_test(tcase, what_has_no_value_fails, ALL_OR_FEW(0, 1), WAYS);
    Suite *suite = suite_create("formulas that move");
    suite_add_tcase(suite, tcase);
    return suite;
}
