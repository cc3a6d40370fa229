/* test_coupling_file.c: couplings in model files: every form, degrees, writing back, mistakes. */
#include <check.h>
#include <math.h>

#include "support/model_text.h"
#include "support/run_main.h"
#include "tenon/tenon.h"

static const char head[] = "tenon: 1\nangle: deg\nbodies:\n"
                           "  w1: {mass: 1, inertia: [1, 1, 1]}\n"
                           "  w2: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
                           "  s1: {mass: 1, inertia: [1, 1, 1], position: [2, 0, 0]}\n"
                           "  s2: {mass: 1, inertia: [1, 1, 1], position: [3, 0, 0]}\n"
                           "joints:\n"
                           "  j1: {type: hinge, a: w1, b: ground, frame: {}}\n"
                           "  j2: {type: hinge, a: w2, b: ground, frame: {position: [1, 0, 0]}}\n"
                           "  k1: {type: slider, a: s1, b: ground, frame: {position: [2, 0, 0]}}\n"
                           "  k2: {type: slider, a: s2, b: ground, frame: {position: [3, 0, 0]}}\n"
                           "couplings:\n";

static tn_spec *read(const char *couplings, tn_diagnostics *diags)
{
    tn_spec *spec = NULL;
    read_pieces(head, couplings, diags, &spec);
    return spec;
}

static const tn_coupling_def *only(const tn_spec *spec)
{
    ck_assert_ptr_nonnull(spec);
    ck_assert_int_eq(tn_spec_coupling_count(spec), 1);
    return tn_spec_coupling(spec, (tn_coupling){0});
}

/* Joints and ratios of two terms, as written and after writing and reading again. */
static void expect_terms(const char *text, int a, double ra, int b, double rb, double value,
                         tn_coupling_hold hold)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = read(text, diags);
    for (int k = 0; k < 2; k++) {
        const tn_coupling_def *def = only(spec);
        ck_assert_int_eq(def->term_count, 2);
        ck_assert_int_eq(def->terms[0].joint.i, a);
        ck_assert_int_eq(def->terms[1].joint.i, b);
        ck_assert_double_eq(isnan(def->terms[0].ratio) ? 1.0 : def->terms[0].ratio, ra);
        ck_assert_double_eq_tol(def->terms[1].ratio, rb, 1e-15);
        if (isnan(value))
            ck_assert(isnan(def->value));
        else
            ck_assert_double_eq_tol(def->value, value, 1e-15);
        ck_assert_int_eq((int)def->hold, (int)hold);
        tn_spec *again = written_and_read(spec);
        tn_spec_destroy(spec);
        spec = again;
    }
    tn_model *model = NULL;
    ck_assert_int_eq(tn_model_compile(spec, diags, &model), TN_OK);
    tn_model_destroy(model);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
}

START_TEST(forms_are_two_terms)
{
    static const struct {
        const char *text;
        int ring;
    } drawn[] = {{"  c: {gear: {a: j1.theta, b: j2.theta, ratio: 1/6}}\n", 1},
                 {"  c: {gear: {a: j1.theta, b: j2.theta, ratio: -1/6}}\n", 0},
                 {"  c: {belt: {a: j1.theta, b: j2.theta, ratio: 1/6}}\n", 0}};
    for (int k = 0; k < 3; k++) { /* a ring stays one when it is written as terms */
        tn_spec *spec = read(drawn[k].text, NULL), *again = written_and_read(spec);
        ck_assert_int_eq(only(spec)->ring, drawn[k].ring);
        ck_assert_int_eq(only(again)->ring, drawn[k].ring);
        tn_spec_destroy(spec);
        tn_spec_destroy(again);
    }
    const double at_start = (double)NAN, degree = acos(-1.0) / 180.0;
    expect_terms("  c: {gear: {a: j1.theta, b: j2.theta, ratio: -2/3}}\n", 1, 1.0, 0, 2.0 / 3.0,
                 at_start, TN_COUPLING_HELD);
    expect_terms("  c: {belt: {a: j1.theta, b: j2.theta, ratio: 0.5}}\n", 1, 1.0, 0, -0.5, at_start,
                 TN_COUPLING_HELD);
    expect_terms("  c: {rack_and_pinion: {rack: k1.z, pinion: j1.theta, radius: 0.2}}\n", 2, 1.0, 0,
                 -0.2, at_start, TN_COUPLING_HELD);
    expect_terms("  c: {screw: {advance: k1.z, turn: j2.theta, pitch: 0.01}}\n", 2, 1.0, 1, -0.01,
                 at_start, TN_COUPLING_HELD);
    expect_terms("  c: {pulley: {a: k1.z, b: k2.z, ratio: 2, slack: true}}\n", 2, 1.0, 3, 2.0,
                 at_start, TN_COUPLING_AT_MOST);
    expect_terms("  c: {mimic: {coordinate: j2.theta, of: j1.theta, ratio: 3, offset: 0}}\n", 1,
                 1.0, 0, -3.0, 0.0, TN_COUPLING_HELD);
    expect_terms("  c: {terms: [{coordinate: j1.theta, ratio: 2}, {coordinate: k1.z, ratio: 7}],"
                 " hold: at_least, value: -90}\n",
                 0, 2.0, 2, 7.0, -90.0 * degree, TN_COUPLING_AT_LEAST);
}
END_TEST

/* In degrees: x = 0.001 per degree + ..., a length over an angle. */
START_TEST(functions_take_the_units_of_their_coordinates)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = read("  c: {mimic: {coordinate: k1.z, of: j1.theta, function: {polynomial: [0, "
                         "0.001]}}}\n",
                         diags);
    const tn_function_def *f = &only(spec)->terms[1].function;
    ck_assert_int_eq((int)f->kind, TN_FUNCTION_POLYNOMIAL);
    ck_assert_double_eq_tol(f->numbers[1], 0.001 * 180.0 / acos(-1.0), 1e-15);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
}
END_TEST

START_TEST(infinite_bounds_are_written_and_read)
{
    static const char text[] = "  c: {terms: [{coordinate: k1.z}, {coordinate: k2.z}],"
                               " hold: in_range, range: [-.inf, 0.5]}\n";
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = read(text, diags), *again = written_and_read(spec);
    ck_assert(only(again)->lower == (double)-INFINITY);
    ck_assert_double_eq(only(again)->upper, 0.5);
    tn_spec_destroy(spec);
    tn_spec_destroy(again);
    tn_diagnostics_destroy(diags);
}
END_TEST

static const mistake mistakes[] = {
    {"  c: {gear: {a: j1.theta, b: j3.theta, ratio: 1}}\n", "unknown joint 'j3'", "j"},
    {"  c: {gear: {a: j1.theta, b: j2.teta, ratio: 1}}\n", "no coordinate 'teta'", "theta"},
    {"  c: {gear: {a: j1, b: j2.theta, ratio: 1}}\n", "names no coordinate", "joint.coordinate"},
    {"  c: {gear: {a: j1.theta, b: j2.theta}}\n", "ratio", NULL},
    {"  c: {gear: {a: j1.theta, b: j2.theta, ratio: 0}}\n", "ratio is zero", NULL},
    {"  c: {gear: {a: j1.theta, b: j1.theta, ratio: 2}}\n", "named twice", NULL},
    {"  c: {gears: {a: j1.theta, b: j2.theta, ratio: 2}}\n", "unknown key 'gears'", "gear"},
    {"  c: {}\n", "no terms", NULL},
    {"  j1: {gear: {a: j1.theta, b: j2.theta, ratio: 2}}\n", "used twice", NULL},
    {"  c: {gear: {a: j1.theta, b: j2.theta, ratio: 2}, motor: {speed: 1}}\n",
     "held is not moved by a motor", "in_range"},
    {"  c: {terms: [{coordinate: k1.z}], drive: {position: 1}}\n", "held is not moved by a drive",
     "in_range"},
    {"  c: {terms: [{coordinate: k1.z}], hold: in_range, friction: {coefficient: 0.2}}\n",
     "neither coefficient nor radius", "force"},
    {"  c: {terms: [{coordinate: k1.z}], hold: in_range, motor: {max_force: 1}}\n",
     "motor of the value has neither", "speed"},
    {"  c: {terms: [{coordinate: k1.z}], hold: in_range, spring: {stiffness: -1}}\n",
     "spring stiffness of the value", NULL},
    {"  c: {terms: [{coordinate: k1.z}], hold: in_range, spring: {stifness: 1}}\n",
     "unknown key 'stifness'", "stiffness"},
};

/* Of angles a motor's speed is in the file's unit, of lengths in m/s. */
START_TEST(what_drives_a_value_is_in_its_unit)
{
    static const char *const texts[] = {
        "  c: {gear: {a: j1.theta, b: j2.theta, ratio: 2}, hold: in_range, motor: {speed: 90}}\n",
        "  c: {terms: [{coordinate: k1.z}, {coordinate: j1.theta}], hold: in_range, motor: {speed: "
        "90}}\n"};
    static const double speeds[] = {1.5707963267948966, 90.0};
    for (int i = 0; i < 2; i++) {
        tn_diagnostics *diags = tn_diagnostics_create();
        tn_spec *spec = read(texts[i], diags);
        ck_assert_double_eq_tol(only(spec)->drive.motor.speed.numbers[0], speeds[i], 1e-15);
        tn_spec_destroy(spec);
        tn_diagnostics_destroy(diags);
    }
}
END_TEST

START_TEST(mistakes_are_located)
{
    expect_mistake(head, &mistakes[_i], 14, 14);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("couplings in files");
    TCase *files = tcase_create("files");
    tcase_add_test(files, forms_are_two_terms);
    tcase_add_test(files, functions_take_the_units_of_their_coordinates);
    tcase_add_test(files, infinite_bounds_are_written_and_read);
    tcase_add_test(files, what_drives_a_value_is_in_its_unit);
    tcase_add_loop_test(files, mistakes_are_located, 0, (int)(sizeof mistakes / sizeof *mistakes));
    suite_add_tcase(suite, files);
    return suite;
}
