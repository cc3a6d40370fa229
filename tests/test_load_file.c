/* test_load_file.c: loads in model files: planar ones written back, tables of files, mistakes with
 * their places.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/model_text.h"
#include "support/run_main.h"
#include "support/same_spec.h"
#include "tenon/tenon.h"

static const char head[] = "tenon: 1\nangle: deg\nbodies:\n"
                           "  b1: {mass: 1, inertia: [1, 1, 1]}\n"
                           "  b2: {mass: 1, inertia: [1, 1, 1], position: [1, 0, 0]}\n"
                           "  post: {kind: fixed}\n"
                           "joints:\n"
                           "  j1: {type: hinge, a: b1, b: ground, frame: {}}\n"
                           "markers:\n"
                           "  m1: {body: b1}\n"
                           "  m2: {body: b2}\n"
                           "  m3: {body: b1, position: [0, 0, 1]}\n"
                           "  m4: {body: ground}\n"
                           "loads:\n"; /* the loads are in line 14 */

static const mistake mistakes[] = {
    {"  l: {}\n", "not what it is", "force"},
    {"  l: 5\n", "must be a mapping", NULL},
    {"  l: {body: b1}\n", "not what it is", NULL},
    {"  l: {body: b3, force: [1, 0, 0]}\n", "unknown body 'b3'", "b1"},
    {"  l: {body: ground, force: [1, 0, 0]}\n", "ground does not move", NULL},
    {"  l: {body: post, force: [1, 0, 0]}\n", "'post' does not move", NULL},
    {"  l: {marker: m5, force: [1, 0, 0]}\n", "unknown marker 'm5'", "m"},
    {"  l: {marker: m4, force: [1, 0, 0]}\n", "the marker does not move", NULL},
    {"  l: {body: b1, marker: m1, force: [1, 0, 0]}\n", "only one of 'body' and 'marker'", NULL},
    {"  l: {force: [1, 0, 0]}\n", "acts on one body or at one marker", NULL},
    {"  l: {marker: m1, at: [0, 0, 1], force: [1, 0, 0]}\n", "the marker is the point", NULL},
    {"  l: {body: b1, axes: marker, force: [1, 0, 0]}\n", "there is no marker", "axes: body"},
    {"  l: {body: b1, axes: wrold, force: [1, 0, 0]}\n", "wrold", "world"},
    {"  l: {body: b1, force: [1, 0]}\n", "has 2 numbers, needs 3", NULL},
    {"  l: {body: b1, force: 5}\n", "a list of three numbers", NULL},
    {"  l: {body: b1, force: [1, x, 0]}\n", "'force'", NULL},
    {"  l: {body: b1, force: [.inf, 0, 0]}\n", "'force'", NULL},
    {"  l: {body: b1, force: [{sin: [1, 2, 0, 0]}, 0, 0]}\n", "unknown function 'sin'", "sine"},
    {"  l: {body: b1, force: [{sine: [1, 2]}, 0, 0]}\n", "needs four numbers", NULL},
    {"  l: {body: b1, force: [{table: [0, 1]}, 0, 0]}\n", "two points", NULL},
    {"  l: {body: b1, force: [{table: [1, 1, 0, 2]}, 0, 0]}\n", "increasing x", NULL},
    {"  l: {body: b1, force: [{table: [0, 1, 1, 2], outside: error}, 0, 0]}\n",
     "'error' is no way to go on", "refuse"},
    {"  l: {body: b1, force: [{sine: [1, 2, 0, 0], outside: refuse}, 0, 0]}\n",
     "only tables and splines", NULL},
    {"  l: {body: b1, force: [{sine: [1, 2, 0, 0], step: [0, 0, 1, 1]}, 0, 0]}\n",
     "is one function", NULL},
    {"  l: {body: b1, force: [{outside: refuse}, 0, 0]}\n", "must be a number or a function", NULL},
    {"  l: {body: b1, forse: [1, 0, 0]}\n", "unknown key 'forse'", "force"},
    {"  l: {body: b1, drag: {quadratic: 1}, force: [1, 0, 0]}\n", "'drag' does not belong", NULL},
    {"  l: {bodies: [b1], force: [1, 0, 0]}\n", "'bodies' does not belong", NULL},
    {"  l: {axes: body, gravity_scale: 0}\n", "'axes' does not belong", NULL},
    {"  l: {body: b1, thrust: 5}\n", "'body' does not belong", NULL},
    {"  l: {thrust: 5}\n", "marker", NULL},
    {"  l: {between: [m1], thrust: 5}\n", "a list of two markers", NULL},
    {"  l: {between: [m1, m2, m3], thrust: 5}\n", "a list of two markers", NULL},
    {"  l: {between: [m1, n2], thrust: 5}\n", "unknown marker 'n2'", "m2"},
    {"  l: {between: [m1, m3], thrust: 5}\n", "on the same body", NULL},
    {"  l: {between: [m4, m4], thrust: 5}\n", "on the same body", NULL},
    {"  l: {between: [m1, m2]}\n", "neither a thrust nor", "thrust"},
    {"  l: {between: [m1, m2], thrust: [5]}\n", "must be a number or a function", NULL},
    {"  l: {effort: 5}\n", "joint", NULL},
    {"  l: {coordinate: j1, effort: 5}\n", "names no coordinate", "joint.coordinate"},
    {"  l: {coordinate: j1.z, effort: 5}\n", "has no coordinate 'z'", "theta"},
    {"  l: {coordinate: j2.theta, effort: 5}\n", "unknown joint 'j2'", "j1"},
    {"  l: {coordinate: j1.theta}\n", "not what it is", NULL},
    {"  l: {acceleration: [1]}\n", "has 1 number, needs 3", NULL},
    {"  l: {bodies: b1, acceleration: [1, 0, 0]}\n", "'all' or a list", NULL},
    {"  l: {bodies: [b1, post], acceleration: [1, 0, 0]}\n", "'post' does not move", NULL},
    {"  l: {gravity_scale: none}\n", "gravity_scale", NULL},
    {"  l: {drag: {}}\n", "no coefficient", "linear"},
    {"  l: {drag: 3}\n", "must be a mapping", NULL},
    {"  l: {drag: {linear: -3}}\n", "linear", NULL},
    {"  l: {drag: {quadratc: 3}}\n", "unknown key 'quadratc'", "quadratic"},
    {"  l: {drag: {linear: 3, at: [0, 0, 1]}}\n", "that of one body", NULL},
    {"  l: {drag: {linear: 3, medium: [1]}}\n", "has 1 number, needs 3", NULL},
    {"  l: {central: {strength: 3}}\n", "one marker or one point", NULL},
    {"  l: {central: {point: [0, 0, 0]}}\n", "'strength' is missing", NULL},
    {"  l: {central: {point: [0, 0, 0], marker: m4, strength: 1}}\n", "only one of", NULL},
    {"  l: {gravity_scale: 0}\n  l: {gravity_scale: 1}\n", "used twice", NULL},
    {"  l: {body: b1, force: [{csv: {file: none.csv, column: F}}, 0, 0]}\n", "cannot be read",
     NULL},
    {"  l: {body: b1, force: [{csv: {file: ../gust.csv, column: F}}, 0, 0]}\n", "leads out", NULL},
    {"  l: {body: b1, force: [{csv: {file: /etc/passwd, column: F}}, 0, 0]}\n", "leads out", NULL},
    {"  l: {body: b1, force: [{csv: {file: a/../../x, column: F}}, 0, 0]}\n", "leads out", NULL},
    {"  l: {body: b1, force: [{csv: {file: gust.csv}}, 0, 0]}\n", "'column' is missing", NULL},
    {"  l: {body: b1, force: [{csv: {file: gust.csv, column: Fy}}, 0, 0]}\n", "has no column 'Fy'",
     "Fx"},
    {"  l: {body: b1, force: [{csv: {file: gust.csv, column: Fx, x: s}}, 0, 0]}\n",
     "has no column 's'", NULL},
    {"  l: {body: b1, force: [{csv: {file: gust.csv, column: Fx, interpolation: quadratic}}, 0, 0]}"
     "\n",
     "quadratic", NULL},
    {"  l: {body: b1, force: [{csv: {file: gust.csv, column: note}}, 0, 0]}\n",
     "line 4: a cell that is used holds no number", NULL},
    {"  l: {body: b1, force: [{csv: {file: short.csv, column: F}}, 0, 0]}\n",
     "line 3: the line is too short", NULL},
    {"  l: {body: b1, force: [{csv: {file: back.csv, column: F}}, 0, 0]}\n", "line 4: x must grow",
     NULL},
    {"  l: {body: b1, force: [{csv: {file: one.csv, column: F}}, 0, 0]}\n", "two points", NULL},
    {"  l: {body: b1, force: [{csv: {file: empty.csv, column: F}}, 0, 0]}\n", "no column", NULL},
};

static void write_file(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", TN_TEST_OUTPUT, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void write_tables(void)
{
    write_file("gust.csv",
               "# wind, N\ntime,\"Fx\" , note\r\n\n0,1.5,calm\n0.5, -2 ,\n2,8,\"a, b\"\n");
    write_file("short.csv", "t,F\n0,1\n1\n");
    write_file("back.csv", "t,F\n0,1\n1,2\n1,3\n");
    write_file("one.csv", "t,F\n0,1\n");
    write_file("empty.csv", "");
}

START_TEST(mistakes_are_located)
{
    write_tables();
    expect_mistake(head, &mistakes[_i], 14, 16);
}
END_TEST

START_TEST(columns_of_files_are_tables)
{
    static const double linear[] = {0, 3, 0.5, -4, 2, 16};
    write_tables();
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = NULL;
    const char *loads = "  l: {body: b1, force: [{csv: {file: gust.csv, column: Fx, scale: 2}},\n"
                        "    {csv: {file: gust.csv, column: Fx, x: time, interpolation: cubic},\n"
                        "      outside: straight}, 0]}\n";
    expect_ok(read_pieces(head, loads, diags, &spec), diags, "tables");
    const tn_load_def *def = tn_spec_load(spec, (tn_load){0});
    ck_assert_int_eq(def->force[0].kind, TN_FUNCTION_TABLE);
    ck_assert_int_eq(def->force[0].count, 6);
    ck_assert_int_eq(def->force[0].bounded, 1);
    ck_assert_mem_eq(def->force[0].numbers, linear, sizeof linear);
    ck_assert_int_eq(def->force[1].kind, TN_FUNCTION_SPLINE);
    ck_assert_int_eq(def->force[1].bounded, 0);
    ck_assert_double_eq(def->force[1].numbers[3], -2.0);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
}
END_TEST

START_TEST(planar_loads_are_written_and_read)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = NULL;
    const char *world = "tenon: 1\nworld: planar\nbodies: {b: {mass: 1, inertia: 1}}\n"
                        "markers: {m: {body: b, position: [1, 0]}, p: {body: ground}}\nloads:\n";
    const char *loads = "  a: {body: b, at: [1, 2], force: [1, {sine: [1, 2, 0, 0]}], moment: 3}\n"
                        "  c: {between: [m, p], thrust: 4, moment: {step: [0, 0, 1, 1]}}\n"
                        "  d: {drag: {linear: 1, medium: [3, 0]}}\n"
                        "  e: {central: {point: [1, 2], strength: 3}}\n";
    expect_ok(read_pieces(world, loads, diags, &spec), diags, "planar loads");
    tn_spec *back = written_and_read(spec);
    expect_same_spec(spec, back);
    tn_model *model = NULL;
    ck_assert_int_eq(tn_model_compile(back, diags, &model), TN_OK);
    ck_assert_int_eq(tn_model_load_count(model), 4);
    tn_load load;
    ck_assert_int_eq(tn_model_find_load(model, "d", &load), TN_OK);
    ck_assert_str_eq(tn_model_load_name(model, load), "d");
    tn_model_destroy(model);
    tn_spec_destroy(spec);
    tn_spec_destroy(back);
    tn_diagnostics_destroy(diags);
}
END_TEST

/* What only a program can write. */
START_TEST(bad_definitions_are_refused)
{
    tn_spec *spec = tn_spec_create();
    tn_load_def def = {.kind = TN_LOAD_WRENCH};
    ck_assert_int_eq(tn_spec_add_load(spec, &def, NULL), TN_ERROR_ARGUMENT);
    const tn_body nobody = {7};
    const double numbers[] = {NAN};
    for (int kind = -1; kind <= TN_LOAD_KIND_COUNT; kind++) {
        def = tn_default_load_def((tn_load_kind)kind);
        def.bodies = &nobody;
        def.body_count = 1;
        def.force[0] =
            (tn_function_def){.kind = TN_FUNCTION_CONSTANT, .numbers = numbers, .count = 1};
        def.scale = INFINITY;
        def.strength = NAN;
        def.linear = -1.0;
        ck_assert_int_eq(tn_spec_add_load(spec, &def, NULL), TN_OK);
    }
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_model *model = NULL;
    ck_assert_int_eq(tn_model_compile(spec, diags, &model), TN_ERROR_INPUT);
    ck_assert_int_ge(tn_diagnostics_count(diags), TN_LOAD_KIND_COUNT + 2);
    tn_diagnostics_destroy(diags);
    tn_spec_destroy(spec);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("loads in files");
    TCase *files = tcase_create("files");
    tcase_add_loop_test(files, mistakes_are_located, 0, (int)(sizeof mistakes / sizeof *mistakes));
    tcase_add_test(files, columns_of_files_are_tables);
    tcase_add_test(files, planar_loads_are_written_and_read);
    tcase_add_test(files, bad_definitions_are_refused);
    suite_add_tcase(suite, files);
    return suite;
}
