/* Formulas as functions in model files and in C: what they are in SI units, written and read again, refused. What is wrong with
 * them in a file is in test_language_mistakes.py. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/function/function.h"
#include "spec/spec_internal.h"
#include "support/mechanism.h"
#include "support/model_text.h"
#include "support/run_main.h"
#include "support/same_spec.h"

#define DEGREE 0.017453292519943295
#define HEAD                                                                                       \
    "tenon: 1\nangle: deg\nparameters: {amp: 30, part: 20 deg, k: 0.02 N m/deg, r: 0.05 m, f: 2 "  \
    "Hz, w: 3 rad/s, "                                                                             \
    "v: [1, 2, 3], forces: [1 N, 2 N, 3 N, 4 N]}\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
#define AT "a: a, origin: [0, 0, 0], axis: [0, 0, 1]"

static double value_of(const tn_function_def *def, double x)
{
    tn_arena arena = {0};
    tn_function f;
    double out[3];
    ck_assert_int_eq((int)def->kind, TN_FUNCTION_FORMULA);
    ck_assert_int_eq(tn_function_make(def, &arena, &f), TN_OK);
    tn_function_evaluate(&f, x, out);
    tn_arena_free(&arena);
    return out[0];
}

static tn_spec *read(const char *format, const char *formula)
{
    char text[1500];
    snprintf(text, sizeof text, format, formula);
    return read_text(text);
}

/* Numbers of a file of degrees, at 0.3 s. */
START_TEST(test_functions_of_the_time)
{
    static const struct {
        const char *formula;
        double value; /* rad */
    } all[] = {{"=amp*sin(360 deg*t)", 30 * DEGREE * 0.95105651629515357},
               {"=part*sin(w*t)", 20 * DEGREE * 0.78332690962748341},
               {"=90*t", 27 * DEGREE},
               {"=90 deg/s*t", 27 * DEGREE},
               {"=1 rad*t^2/(1 s^2)", 0.09},
               {"=v.y*t + v[2]", 3.6 * DEGREE},
               {"=atan2(t, 1 s)", 0.2914567944778671},
               {"=t < 1 s ? part : 1 rev", 20 * DEGREE},
               {"=min(part, 90 deg/s*t)", 20 * DEGREE},
               {"=t/(1 s)", 0.3 * DEGREE},
               {"=t*f", 0.6 * DEGREE}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        tn_spec *spec =
            read(HEAD "joints: {h: {type: hinge, " AT ", motor: {theta: {position: \"%s\"}}}}\n",
                 all[k].formula);
        const tn_function_def *f = &tn_spec_joint(spec, (tn_joint){0})->drives[0].motor.position;
        ck_assert_msg(fabs(value_of(f, 0.3) - all[k].value) < 1e-15, "%s: %.17g, not %.17g",
                      all[k].formula, value_of(f, 0.3), all[k].value);
        tn_spec *again = written_and_read(spec);
        expect_same_function(f, &tn_spec_joint(again, (tn_joint){0})->drives[0].motor.position);
        tn_spec_destroy(again);
        tn_spec_destroy(spec);
    }
}
END_TEST

/* Of an angle of 10 degrees; plain numbers count degrees where no unit is said, radius times angle is a length. */
START_TEST(test_functions_of_the_way)
{
    static const struct {
        const char *formula;
        double value; /* N m */
    } all[] = {{"=-k*x", -0.2},
               {"=-0.02*x", -0.2},
               {"=-0.02*x - 0.001*x^3", -1.2},
               {"=-2*sin(x)", -2.0 * 0.17364817766693033},
               {"=-3 N*r*x/(1 rad)", -0.15 * 10 * DEGREE},
               {"=-1 N m/rad*max(x, 5 deg)", -10 * DEGREE}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        tn_spec *spec =
            read(HEAD "joints: {h: {type: hinge, " AT ", spring: {theta: {force: \"%s\"}}}}\n",
                 all[k].formula);
        const tn_function_def *f = &tn_spec_joint(spec, (tn_joint){0})->drives[0].spring.force;
        ck_assert_msg(fabs(value_of(f, 10 * DEGREE) - all[k].value) < 2e-15, "%s: %.17g",
                      all[k].formula, value_of(f, 10 * DEGREE));
        tn_spec *again = written_and_read(spec);
        expect_same_function(f, &tn_spec_joint(again, (tn_joint){0})->drives[0].spring.force);
        tn_spec_destroy(again);
        tn_spec_destroy(spec);
    }
}
END_TEST

/* Repeated, and in parts: parameters are those of the place. */
START_TEST(test_where_formulas_stand)
{
    tn_spec *spec = read_text(
        HEAD "loads: {l: {repeat: {k: 4}, body: a, force: [\"=forces[k]*sin(w*t)\", 0, 0]}}\n"
             "parts: {p: {parameters: {size: 1}, bodies: {b: {mass: 1, inertia: [1, 1, 1]}},\n"
             "            loads: {l: {body: b, force: [{formula: \"size*t\"}, 0, 0]}}}}\n"
             "instances: {i: {part: p, parameters: {size: 7 N/s}}}\n");
    int32_t found = 0;
    for (int32_t k = 0; k < tn_spec_load_count(spec); k++) {
        const tn_load_def *def = tn_spec_load(spec, (tn_load){k});
        const bool own = strchr(def->name, '.') != NULL;
        ck_assert_double_eq_tol(value_of(&def->force[0], 0.5),
                                own ? 3.5 : (def->name[2] - '0' + 1) * sin(1.5), 1e-15);
        found++;
    }
    ck_assert_int_eq(found, 5);
    tn_spec_destroy(spec);
}
END_TEST

/* No variable: a number. */
START_TEST(test_constant_formula)
{
    tn_spec *spec = read_text(
        HEAD
        "loads: {l: {body: a, force: [{formula: \"2*pi*forces[0]\"}, \"=3*forces[1]\", 0]}}\n");
    const tn_function_def *f = tn_spec_load(spec, (tn_load){0})->force;
    ck_assert_int_eq((int)f[0].kind, TN_FUNCTION_CONSTANT);
    ck_assert_double_eq(f[0].numbers[0], 2.0 * 3.14159265358979323846);
    ck_assert_double_eq(f[1].numbers[0], 6.0);
    tn_spec_destroy(spec);
}
END_TEST

/* A parameter t is what it was, which is told. */
START_TEST(test_parameters_hide_the_time)
{
    tn_spec *spec =
        read_text("tenon: 1\nparameters: {t: 3}\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                  "loads: {l: {body: a, force: [=2*t, 0, 0]}}\n");
    const tn_function_def *f = &tn_spec_load(spec, (tn_load){0})->force[0];
    ck_assert_int_eq((int)f->kind, TN_FUNCTION_CONSTANT);
    ck_assert_double_eq(f->numbers[0], 6.0);
    const tn_diagnostics *remarks = tn_spec_remarks(spec);
    ck_assert_int_eq(tn_diagnostics_count(remarks), 1);
    ck_assert_str_eq(tn_diagnostics_get(remarks, 0)->message,
                     "'t' is the parameter here, not the time");
    tn_spec_destroy(spec);
}
END_TEST

static double place_after(const char *text, double time)
{
    double q[TN_MAX_COORDINATES];
    mechanism m = mechanism_of(text, TN_AUTO);
    while (tn_sim_time(m.sim) < time - 1e-9)
        ck_assert_int_eq(tn_sim_advance(m.sim, tn_sim_time(m.sim) + 0.1, NULL), TN_OK);
    tn_sim_joint_coordinates(m.sim, (tn_joint){0}, q);
    mechanism_free(&m);
    return q[0];
}

#define TWO_SLIDERS                                                                                \
    "tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 2, "   \
    "inertia: 1}}\n"                                                                               \
    "joints:\n  s: {type: slider, a: a, origin: [0, 0], axis: [1, 0], speed: {z: 0.4}}\n"          \
    "  u: {type: slider, a: b, origin: [0, 0], axis: [0, 1], set: {z: 0.3}}\n"

/* Couplings and axes of custom joints by a formula move as by a polynomial. */
START_TEST(test_couplings_and_axes)
{
    static const char *const couplings[] = {"{polynomial: [0, 0.5, 2]}", "\"=0.5*x + 2*x^2\""};
    static const char *const axes[] = {"{polynomial: [0, 0.3, 0.1]}", "\"=0.3*x + 0.1*x^2\""};
    double at[2][2];
    for (int n = 0; n < 2; n++) {
        char text[1500];
        snprintf(text, sizeof text,
                 "%scouplings: {c: {terms: [{coordinate: u.z, ratio: -1}, {coordinate: s.z, "
                 "function: %s}]}}\n"
                 "loads: {f: {body: a, force: [\"=sin(3*t)\", 0]}}\n",
                 TWO_SLIDERS, couplings[n]);
        at[n][0] = place_after(text, 1.0);
        snprintf(text, sizeof text,
                 "tenon: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints:\n"
                 "  k: {type: custom, a: a, frame: {position: [0, 0, 0]}, coordinates: {q: angle}, "
                 "axes: [{rotation: [0, 0, 1], coordinate: q},\n"
                 "      {translation: [1, 0, 0], coordinate: q, function: %s}], speed: {q: 0.5}}\n",
                 axes[n]);
        at[n][1] = place_after(text, 1.0);
    }
    ck_assert_double_eq_tol(at[0][0], at[1][0], 1e-13);
    ck_assert_double_eq_tol(at[0][1], at[1][1], 1e-13);
}
END_TEST

/* What a program gives: t of the time, x of the way, in SI units. */
START_TEST(test_in_c)
{
    static const struct {
        const char *formula, *said; /* NULL: it is fine */
    } all[] = {{"3*sin(2*t) + 1 kN*exp(-t)", NULL},
               {"3*x", "its variable is 't' here"},
               {"3*foo(t)", "unknown name 'foo'"},
               {"3*(t", "')' is missing at the end"},
               {NULL, "needs a formula"}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        mechanism m = mechanism_new((tn_vec3){0, 0, 0});
        tn_body_def body = tn_default_body_def();
        body.mass = 1.0;
        body.inertia = mat_diagonal(1, 1, 1);
        tn_load_def load = tn_default_load_def(TN_LOAD_WRENCH);
        const tn_body bodies[] = {mechanism_body(&m, &body)};
        load.bodies = bodies;
        load.body_count = 1;
        load.force[0] = (tn_function_def){.kind = TN_FUNCTION_FORMULA, .formula = all[k].formula};
        ck_assert_int_eq(tn_spec_add_load(m.spec, &load, NULL), TN_OK);
        tn_diagnostics *diags = tn_diagnostics_create();
        const tn_status status = tn_model_compile(m.spec, diags, &m.model);
        ck_assert_int_eq(status == TN_OK, all[k].said == NULL);
        if (all[k].said)
            ck_assert_msg(strstr(tn_diagnostics_get(diags, 0)->message, all[k].said) != NULL, "%s",
                          tn_diagnostics_get(diags, 0)->message);
        tn_diagnostics_destroy(diags);
        mechanism_free(&m);
    }
}
END_TEST

START_TEST(test_set_while_running)
{
    mechanism m = mechanism_of(
        "tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies: {a: {mass: 1, inertia: 1}}\n"
        "joints: {s: {type: slider, a: a, origin: [0, 0], axis: [1, 0]}}\n",
        TN_AUTO);
    const tn_function_def good = {.kind = TN_FUNCTION_FORMULA, .formula = "0.2*sin(3*t)"};
    const tn_function_def jumps = {.kind = TN_FUNCTION_FORMULA, .formula = "t < 1 ? 0 : 1"};
    const tn_function_def bad = {.kind = TN_FUNCTION_FORMULA, .formula = "sin("};
    ck_assert_int_eq(tn_sim_set_driver(m.sim, (tn_joint){0}, 0, &jumps), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_driver(m.sim, (tn_joint){0}, 0, &bad), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_driver(m.sim, (tn_joint){0}, 0, &good), TN_OK);
    double q[TN_MAX_COORDINATES];
    for (int k = 0; k < 20; k++)
        ck_assert_int_eq(tn_sim_step(m.sim, 0.01, NULL), TN_OK);
    tn_sim_joint_coordinates(m.sim, (tn_joint){0}, q);
    ck_assert_double_eq_tol(q[0], 0.2 * sin(0.6), 1e-12);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    TCase *tcase = tcase_create("formulas in files");
    tcase_add_test(tcase, test_functions_of_the_time);
    tcase_add_test(tcase, test_functions_of_the_way);
    tcase_add_test(tcase, test_where_formulas_stand);
    tcase_add_test(tcase, test_constant_formula);
    tcase_add_test(tcase, test_parameters_hide_the_time);
    tcase_add_test(tcase, test_couplings_and_axes);
    tcase_add_test(tcase, test_in_c);
    tcase_add_test(tcase, test_set_while_running);
    Suite *suite = suite_create("formulas in files");
    suite_add_tcase(suite, tcase);
    return suite;
}
