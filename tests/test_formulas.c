/* Parameters, formulas, units and aliases in model files: what they give, bit for bit. What is
 * wrong with them is in test_language_mistakes.py. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/allocator.h"
#include "support/model_text.h"
#include "support/run_main.h"
#include "support/solids.h"
#include "tenon/io.h"

#define DEGREE (PI / 180.0)
#define HEAD   "tenon: 1\n"

static tn_spec *read_with(const char *text, const tn_setting *settings, int32_t count)
{
    tn_spec *spec = NULL;
    tn_diagnostics *diags = tn_diagnostics_create();
    const tn_status status =
        tn_spec_read_string_with(text, strlen(text), "test.yaml", settings, count, diags, &spec);
    expect_ok(status, diags, "test.yaml");
    tn_diagnostics_destroy(diags);
    return spec;
}

static tn_spec *read_good(const char *text)
{
    return read_with(text, NULL, 0);
}

static const tn_body_def *body(const tn_spec *spec, int32_t i)
{
    return tn_spec_body(spec, (tn_body){i});
}

static const tn_joint_def *joint(const tn_spec *spec, int32_t i)
{
    return tn_spec_joint(spec, (tn_joint){i});
}

START_TEST(test_parameters)
{
    tn_spec *spec = read_good(HEAD "parameters:\n"
                                   "  crank: =0.3*length\n"
                                   "  length: 350 mm\n"
                                   "  shift: [1, 2, =3*half]\n"
                                   "  half: 0.5\n"
                                   "bodies:\n"
                                   "  a: {mass: =2*half, inertia: [1, 1, =1/2],\n"
                                   "      position: [=crank, =-length/2, 0]}\n"
                                   "  b: {mass: 500 g, inertia: [1 kg m^2, 1, 1e4 kg cm^2],\n"
                                   "      position: \"=shift + [0, 0, 1]\"}\n");
    ck_assert_double_eq(body(spec, 0)->mass, 1.0);
    ck_assert_double_eq(body(spec, 0)->inertia.m[2][2], 0.5);
    ck_assert_double_eq(body(spec, 0)->pose.p.x, 0.3 * 0.35);
    ck_assert_double_eq(body(spec, 0)->pose.p.y, -0.175);
    ck_assert_double_eq(body(spec, 1)->mass, 0.5);
    ck_assert_double_eq(body(spec, 1)->inertia.m[2][2], 1.0);
    ck_assert_double_eq(body(spec, 1)->pose.p.z, 2.5);
    ck_assert_int_eq(tn_spec_parameter_count(spec), 4);
    const tn_parameter *crank = tn_spec_parameter(spec, 0);
    ck_assert_str_eq(crank->name, "crank");
    ck_assert_str_eq(crank->unit, "m");
    ck_assert_str_eq(crank->text, "=0.3*length");
    ck_assert_double_eq(crank->value[0], 0.3 * 0.35);
    ck_assert_int_eq(crank->at.line, 3);
    ck_assert_int_eq(tn_spec_parameter(spec, 2)->count, 3);
    ck_assert_ptr_null(tn_spec_parameter(spec, 2)->text);
    tn_spec_destroy(spec);
}
END_TEST

START_TEST(test_settings)
{
    static const char text[] = HEAD "parameters: {length: 350 mm, mass: =2 kg*length/(1 m)}\n"
                                    "bodies: {a: {mass: =mass, inertia: [1, 1, 1]}}\n";
    const tn_setting length = {"length", "0.5 m"}, both[] = {{"mass", "=length*3 kg/m"}, length};
    tn_spec *spec = read_with(text, &length, 1);
    ck_assert_double_eq(body(spec, 0)->mass, 1.0);
    tn_spec_destroy(spec);
    spec = read_with(text, both, 2);
    ck_assert_double_eq(body(spec, 0)->mass, 1.5);
    ck_assert_int_eq(tn_spec_parameter(spec, 0)->at.line, 0);
    ck_assert_str_eq(tn_spec_parameter(spec, 1)->text, "=length*3 kg/m");
    tn_spec_destroy(spec);
}
END_TEST

/* Every place where an angle stands, in degrees by the file, by its unit, and as a formula. */
START_TEST(test_angles)
{
    static const char format[] =
        HEAD "angle: deg\nparameters: {turn: 30 deg, plain: 30, rate: 5 rpm}\nbodies:\n"
             "  a: {mass: 1, inertia: [1, 1, 1], rpy: [%s, 0, 0],\n"
             "      velocity: {angular: [0, 0, %s]}}\n"
             "joints:\n"
             "  h: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 0, 1],\n"
             "      range: {theta: [-.inf, %s]}, set: {theta: %s}, speed: {theta: %s},\n"
             "      restitution: {theta: 0.5}, drive: {theta: {position: %s}}}\n";
    static const struct {
        const char *angle, *rate;
    } ways[] = {
        {"30", "30"},
        {"30 deg", "30 deg/s"},
        {"=turn", "=rate"},
        {"=plain", "=plain"},
        {"=turn/2 + 15 deg", "=turn/(1 s)"},
        {"=atan2(sin(turn), cos(turn))", "=2*rate - 30 deg/s"},
    };
    char text[2000];
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        const char *angle = ways[i].angle, *rate = ways[i].rate;
        char quoted[100], second[100];
        snprintf(quoted, sizeof(quoted), "\"%s\"", angle);
        snprintf(second, sizeof(second), "\"%s\"", rate);
        const bool plain = i == 0; /* a number in quotes would be a text */
        angle = plain ? angle : quoted;
        rate = plain ? rate : second;
        snprintf(text, sizeof(text), format, angle, rate, angle, angle, rate, angle);
        tn_spec *spec = read_good(text);
        const tn_joint_def *h = joint(spec, 0);
        const double turn = 30.0 * DEGREE;
        ck_assert_double_eq_tol(body(spec, 0)->pose.q.z, sin(turn / 2.0), 1e-15);
        ck_assert_double_eq_tol(body(spec, 0)->velocity.w.z, turn, 1e-15);
        ck_assert_double_eq_tol(h->upper[0], turn, 1e-15);
        ck_assert_double_eq_tol(h->set[0], turn, 1e-15);
        ck_assert_double_eq_tol(h->speed[0], turn, 1e-15);
        ck_assert_double_eq_tol(h->drives[0].position.numbers[0], turn, 1e-15);
        ck_assert_double_eq(h->restitution[0], 0.5); /* no angle: never in degrees */
        tn_spec_destroy(spec);
    }
}
END_TEST

#define BODY "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints:\n"
#define AT   ", a: a, origin: [0, 0, 0], axis: [0, 0, 1]"

START_TEST(test_rates)
{
    static const char hinge[] = BODY "  h: {type: hinge" AT ", motor: {theta: {speed: ";
    static const char hinge_deg[] =
        "angle: deg\n" BODY "  h: {type: hinge" AT ", motor: {theta: {speed: ";
    static const char rail[] = BODY "  h: {type: slider" AT ", motor: {z: {speed: ";
    static const struct {
        const char *before, *number;
        double value;
    } cases[] = {
        {hinge, "2", 2.0},
        {hinge, "60 rpm", 2.0 * PI},
        {hinge, "=2*60 rpm", 4.0 * PI},
        {hinge, "90 deg/s", 0.5 * PI},
        {hinge, "1 rev/min", 2.0 * PI / 60.0},
        {hinge_deg, "90", 0.5 * PI},
        {hinge_deg, "60 rpm", 2.0 * PI},
        {hinge_deg, "{constant: [60 rpm]}", 2.0 * PI},
        {rail, "3.6 km/h", 1.0},
        {rail, "=0.1 m*60 rpm", 0.1 * 2.0 * PI},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char whole[1000];
        snprintf(whole, sizeof(whole), HEAD "%s%s}}}\n", cases[i].before, cases[i].number);
        tn_spec *spec = read_good(whole);
        ck_assert_double_eq_tol(joint(spec, 0)->drives[0].motor.speed.numbers[0], cases[i].value,
                                4e-16 * cases[i].value);
        tn_spec_destroy(spec);
    }
}
END_TEST

/* What each number of a function measures. Degrees are meant only where x or y is an angle. */
START_TEST(test_functions)
{
    static const struct {
        const char *type, *coordinate, *function;
        double numbers[4];
    } cases[] = {
        {"hinge", "theta", "{sine: [30, 90, 0, 0]}", {30 * DEGREE, 90 * DEGREE, 0, 0}},
        {"hinge",
         "theta",
         "{sine: [30 deg, 15 rpm, 90, 0]}",
         {30 * DEGREE, 90 * DEGREE, 90 * DEGREE, 0}},
        {"slider", "z", "{sine: [0.1, 3, 1, 0]}", {0.1, 3.0, 1.0, 0.0}},
        {"slider", "z", "{sine: [10 cm, 30 rpm, 90 deg, 5 mm]}", {0.1, PI, 90 * DEGREE, 0.005}},
        {"slider", "z", "{polynomial: [1 cm, 1 cm/s, 1 cm/s^2, 3]}", {0.01, 0.01, 0.01, 3.0}},
        {"hinge",
         "theta",
         "{polynomial: [90, 1 rpm, 1 deg/s^2, 3]}",
         {90 * DEGREE, 2 * PI / 60, DEGREE, 3 * DEGREE}},
        {"slider", "z", "{step: [10 ms, 0, 1 min, 10 mm]}", {0.01, 0.0, 60.0, 0.01}},
        {"slider",
         "z",
         "{step: {x0: 10 ms, y0: 0, x1: 1 min, y1: 10 mm}}",
         {0.01, 0.0, 60.0, 0.01}},
        {"hinge",
         "theta",
         "{sine: {amplitude: 20, frequency: 0.25, phase: 90}}",
         {20 * DEGREE, 0.5 * PI, 90 * DEGREE, 0}},
        {"hinge",
         "theta",
         "{sine: {rate: 90, offset: 1 rad, amplitude: 20 deg}}",
         {20 * DEGREE, 90 * DEGREE, 0, 1}},
        {"slider", "z", "{sine: {amplitude: 1 mm, frequency: =5 Hz/2}}", {0.001, 5 * PI, 0, 0}},
        {"slider", "z", "{sine: {amplitude: 1 mm, frequency: =5/2}}", {0.001, 5 * PI, 0, 0}},
        {"hinge", "theta", "{table: [[0 s, 90], [1 s, 1 rev]]}", {0, 90 * DEGREE, 1, 2 * PI}},
        {"hinge", "theta", "{spline: [0, 90, 1 s, =1 rev/2]}", {0, 90 * DEGREE, 1, PI}},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[1000];
        snprintf(text, sizeof(text),
                 HEAD "angle: deg\n" BODY "  h: {type: %s" AT ", drive: {%s: {position: %s}}}\n",
                 cases[i].type, cases[i].coordinate, cases[i].function);
        tn_spec *spec = read_good(text);
        const tn_function_def *f = &joint(spec, 0)->drives[0].position;
        ck_assert_int_eq(f->count, 4);
        for (int k = 0; k < 4; k++) {
            ck_assert_msg(fabs(f->numbers[k] - cases[i].numbers[k]) <=
                              1e-15 * (1.0 + fabs(cases[i].numbers[k])),
                          "%s: %d: %.17g", cases[i].function, k, f->numbers[k]);
        }
        tn_spec_destroy(spec);
    }
}
END_TEST

/* A stiffness by coordinate has the unit of its coordinate. */
START_TEST(test_units_by_coordinate)
{
    tn_spec *spec =
        read_good(HEAD BODY "  h: {type: cylindrical" AT ", spring: {theta: {stiffness: 2 N m/deg},"
                            " z: {stiffness: 3 N/mm, damping: 1 kN s/m, max_force: 2 kN}}}\n"
                            "  k: {type: hinge" AT ", stiffness: 1 kN/mm, break_torque: 3 kNm}\n");
    const tn_joint_def *h = joint(spec, 0);
    ck_assert_double_eq_tol(h->drives[0].spring.stiffness, 2.0 / DEGREE, 1e-13);
    ck_assert_double_eq(h->drives[1].spring.stiffness, 3000.0);
    ck_assert_double_eq(h->drives[1].spring.damping, 1000.0);
    ck_assert_double_eq(h->drives[1].spring.max_force, 2000.0);
    ck_assert_double_eq(joint(spec, 1)->compliance[0], 1e-6);
    ck_assert_double_eq(joint(spec, 1)->break_torque, 3000.0);
    tn_spec_destroy(spec);
}
END_TEST

START_TEST(test_planar_vectors)
{
    tn_spec *spec = read_good(HEAD "world: planar\nparameters: {p: [1 cm, 2 cm], w: 60 rpm}\n"
                                   "bodies:\n  a: {mass: 1, inertia: 1 kg cm^2, position: =p,\n"
                                   "      angle: =direction(p), velocity: {angular: =w}}\n");
    ck_assert_double_eq(body(spec, 0)->pose.p.x, 0.01);
    ck_assert_double_eq(body(spec, 0)->pose.p.y, 0.02);
    ck_assert_double_eq_tol(body(spec, 0)->pose.q.z, sin(0.5 * atan2(2.0, 1.0)), 1e-15);
    ck_assert_double_eq(body(spec, 0)->velocity.w.z, 60.0 * 2.0 * PI / 60.0);
    tn_spec_destroy(spec);
}
END_TEST

START_TEST(test_aliases)
{
    tn_spec *spec = read_good(HEAD "bodies:\n"
                                   "  a: &bar {mass: 2, inertia: &round [1, 1, 1]}\n"
                                   "  b: *bar\n"
                                   "  c: {<<: *bar, mass: 3}\n"
                                   "  d: {<<: [{mass: 4}, *bar], position: [1, 0, 0]}\n"
                                   "  e: {mass: 5, inertia: *round}\n");
    static const double masses[] = {2, 2, 3, 4, 5};
    for (int32_t i = 0; i < 5; i++) {
        ck_assert_double_eq(body(spec, i)->mass, masses[i]);
        ck_assert_double_eq(body(spec, i)->inertia.m[1][1], 1.0);
    }
    tn_spec_destroy(spec);
}
END_TEST

/* All ways of writing a rotation say the same. */
START_TEST(test_rotations)
{
    static const char *const ways[] = {
        "rpy: [90 deg, 0, 0]",
        "angle: 90 deg",
        "axis_angle: [0, 0, 2 m, 90 deg]",
        "quaternion: [1, 0, 0, 1]",
        "matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]",
        "matrix: [[0, \"=cos(180 deg)\", 0], [1, 0, 0.00001], [0, 0, 1]]",
        "axes: {x: [0, 1, 0], z: [0, 0, 3]}",
        "axes: {y: [-2, 0, 0], x: [0, 1 m, 0]}",
        "axes: {z: [0, 0, 1], y: [-1, 0, 0]}",
    };
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        char text[300];
        snprintf(text, sizeof(text), HEAD "bodies: {a: {mass: 1, inertia: [1, 1, 1], %s}}\n",
                 ways[i]);
        tn_spec *spec = read_good(text);
        const tn_quat q = body(spec, 0)->pose.q;
        ck_assert_msg(fabs(q.w - sqrt(0.5)) < 1e-5 && fabs(q.z - sqrt(0.5)) < 1e-5, "%s", ways[i]);
        ck_assert_double_eq_tol(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1.0, 1e-14);
        tn_spec_destroy(spec);
    }
}
END_TEST

/* However memory runs out: no model, no leak, no crash. */
START_TEST(test_out_of_memory)
{
    static const char text[] =
        HEAD "parameters: {a: =b, b: =2*c, c: 3 mm, d: [1, 2]}\n"
             "bodies:\n  a: &x {mass: 1, inertia: [1, 1, 1], position: [=a, 0, =b]}\n"
             "  b: {<<: *x, mass: 2}\n"
             "joints: {h: {type: hinge, a: a, b: b, origin: [0, 0, 0], axis: [0, 0, 1],\n"
             "  drive: {theta: {position: {sine: [10 deg, 60 rpm, =0, 0]}}}}}\n";
    const tn_setting setting = {"c", "4 mm"};
    test_allocator allocator = {.left = -1};
    tn_set_allocator(test_realloc, &allocator);
    tn_status status = TN_ERROR_MEMORY;
    int64_t allowed = 0;
    for (; status == TN_ERROR_MEMORY; allowed++) {
        tn_spec *spec = NULL;
        allocator = (test_allocator){.left = allowed};
        status =
            tn_spec_read_string_with(text, sizeof(text) - 1, "test.yaml", &setting, 1, NULL, &spec);
        ck_assert((status == TN_OK) == (spec != NULL));
        tn_spec_destroy(spec);
        ck_assert_int_eq(allocator.alive, 0);
    }
    ck_assert_int_eq(status, TN_OK);
    ck_assert_int_gt(allowed, 30);
    tn_set_allocator(NULL, NULL);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("formulas");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, test_parameters);
    tcase_add_test(tests, test_settings);
    tcase_add_test(tests, test_angles);
    tcase_add_test(tests, test_rates);
    tcase_add_test(tests, test_functions);
    tcase_add_test(tests, test_units_by_coordinate);
    tcase_add_test(tests, test_planar_vectors);
    tcase_add_test(tests, test_aliases);
    tcase_add_test(tests, test_rotations);
    tcase_add_test(tests, test_out_of_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
