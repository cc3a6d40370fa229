/* Reading model files: every key does what it says, every problem is found where it is. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/text/scalar.h"
#include "io/tree/tree.h"
#include "support/allocator.h"
#include "support/model_text.h"
#include "support/run_main.h"
#include "support/solids.h"
#include "tenon/io.h"
#include "tenon/model.h"

#define DEGREE (PI / 180.0)

static tn_spec *read_good(const char *text)
{
    tn_spec *spec = NULL;
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_status status = tn_spec_read_string(text, strlen(text), "test.yaml", diags, &spec);
    expect_ok(status, diags, "test.yaml");
    ck_assert_int_eq(tn_diagnostics_count(diags), 0);
    tn_diagnostics_destroy(diags);
    return spec;
}

/* The problems of a bad text; the caller destroys them. */
static tn_diagnostics *read_bad(const char *text)
{
    tn_spec *spec = NULL;
    tn_diagnostics *diags = tn_diagnostics_create();
    ck_assert_int_eq(tn_spec_read_string(text, strlen(text), "test.yaml", diags, &spec),
                     TN_ERROR_INPUT);
    ck_assert_ptr_null(spec);
    ck_assert_int_gt(tn_diagnostics_error_count(diags), 0);
    return diags;
}

/* The only problem of a text; its hint starts so. */
static void expect_problem(const char *text, int line, int column, const char *message,
                           const char *hint)
{
    tn_diagnostics *diags = read_bad(text);
    const tn_diagnostic *d = tn_diagnostics_get(diags, 0);
    ck_assert_str_eq(d->message, message);
    ck_assert_str_eq(d->at.file, "test.yaml");
    ck_assert_int_eq(d->at.line, line);
    ck_assert_int_eq(d->at.column, column);
    if (hint != NULL) {
        ck_assert_ptr_nonnull(d->hint);
        ck_assert_msg(strncmp(d->hint, hint, strlen(hint)) == 0, "%s", d->hint);
    }
    ck_assert_int_eq(tn_diagnostics_count(diags), 1);
    tn_diagnostics_destroy(diags);
}

#define HEAD  "tenon: 1\n"
#define LINK  "  link: {mass: 2, inertia: [1, 1, 1]}\n"
#define MODEL HEAD "bodies:\n" LINK

static const tn_body_def *body(const tn_spec *spec, int32_t i)
{
    return tn_spec_body(spec, (tn_body){i});
}

static const tn_joint_def *joint(const tn_spec *spec, int32_t i)
{
    return tn_spec_joint(spec, (tn_joint){i});
}

static void expect_vector(tn_vec3 v, double x, double y, double z)
{
    ck_assert_double_eq(v.x, x);
    ck_assert_double_eq(v.y, y);
    ck_assert_double_eq(v.z, z);
}

static void expect_quaternion(tn_quat q, double w, double x, double y, double z)
{
    ck_assert_double_eq_tol(q.w, w, 1e-15);
    ck_assert_double_eq_tol(q.x, x, 1e-15);
    ck_assert_double_eq_tol(q.y, y, 1e-15);
    ck_assert_double_eq_tol(q.z, z, 1e-15);
}

START_TEST(test_head)
{
    tn_spec *spec = read_good(HEAD "name: four bars\n"
                                   "gravity: [0, 1.5, -9.8]\n"
                                   "damping: {frame: 1.0, rotary: 4.0}\n"
                                   "bodies: {}\n"
                                   "simulation: {integrator: backward_euler, step: 2e-3, "
                                   "duration: 10, spectral_radius: 0.2, position_tolerance: 1e-8, "
                                   "force_tolerance: 1e-10, formulation: stabilized_index_2, "
                                   "relative_tolerance: 1e-7, absolute_tolerance: 0}\n");
    ck_assert_str_eq(tn_spec_world(spec)->name, "four bars");
    expect_vector(tn_spec_world(spec)->gravity, 0, 1.5, -9.8);
    ck_assert_double_eq(tn_spec_world(spec)->frame_damping, 1.0);
    ck_assert_double_eq(tn_spec_world(spec)->rotary_damping, 4.0);
    ck_assert_int_eq(tn_spec_simulation(spec)->integrator, TN_BACKWARD_EULER);
    ck_assert_double_eq(tn_spec_simulation(spec)->step, 2e-3);
    ck_assert_double_eq(tn_spec_simulation(spec)->duration, 10);
    ck_assert_double_eq(tn_spec_simulation(spec)->spectral_radius, 0.2);
    ck_assert_double_eq(tn_spec_simulation(spec)->position_tolerance, 1e-8);
    ck_assert_double_eq(tn_spec_simulation(spec)->force_tolerance, 1e-10);
    ck_assert_double_eq(tn_spec_simulation(spec)->relative_tolerance, 1e-7);
    ck_assert_double_eq(tn_spec_simulation(spec)->absolute_tolerance, 0.0);
    ck_assert_int_eq((int)tn_spec_simulation(spec)->formulation, (int)TN_STABILIZED_INDEX_2);
    tn_spec_destroy(spec);
}
END_TEST

START_TEST(test_json)
{
    tn_spec *spec = read_good("{\"tenon\": 1, \"angle\": \"deg\",\n\t\"bodies\": {\"link\":\n"
                              "\t\t{\"mass\": 1e0, \"inertia\": [1, 1, 1.0]}},\n"
                              "\t\"joints\": {\"j\": {\"type\": \"hinge\", \"a\": \"link\",\n"
                              "\t\t\"origin\": [0, 0, 0], \"enabled\": false}}\n}\n");
    ck_assert_str_eq(joint(spec, 0)->name, "j");
    ck_assert_int_eq(joint(spec, 0)->disabled, 1);
    tn_spec_destroy(spec);
}
END_TEST

START_TEST(test_body)
{
    tn_spec *spec = read_good(
        HEAD "angle: deg\n"
             "materials: {steel: {density: 7850}}\n"
             "bodies:\n"
             "  a:\n"
             "    kind: planar\n"
             "    position: [1, 2, 3]\n"
             "    rpy: [90, 0, 0]\n"
             "    velocity: {linear: [1, 2, 0], angular: [0, 0, 180]}\n"
             "    mass: 2\n"
             "    center_of_mass: [0.1, 0.2, 0.3]\n"
             "    inertia: 0.5\n"
             "    damping: {frame: 3, rotary: 4}\n"
             "  b: {mass: 1, inertia: [1, 2, 2.5, 0.1, 0.2, 0.3], axis_angle: [0, 0, 7, -90]}\n"
             "  c: {mass: 1, inertia: [[1, 0.1, 0], [0.1, 1, 0], [0, 0, 1]], quaternion: [0, 3, 0, "
             "4]}\n"
             "  d: {kind: particle, mass: 5, quaternion: [1.000001, 0, 0, 0]}\n"
             "  e: {kind: fixed}\n"
             "  f: {material: steel, shapes: [sphere: {radius: 0.5}]}\n");
    const tn_body_def *a = body(spec, 0);
    ck_assert_int_eq(a->kind, TN_BODY_PLANAR);
    expect_vector(a->pose.p, 1, 2, 3);
    expect_quaternion(a->pose.q, sqrt(0.5), 0, 0, sqrt(0.5));
    expect_vector(a->velocity.v, 1, 2, 0);
    ck_assert_double_eq(a->velocity.w.z, 180 * DEGREE);
    expect_vector(a->com, 0.1, 0.2, 0.3);
    ck_assert_double_eq(a->inertia.m[2][2], 0.5);
    ck_assert_double_eq(a->frame_damping, 3);
    ck_assert_double_eq(a->rotary_damping, 4);
    ck_assert_int_eq(a->at.line, 5);
    ck_assert_int_eq(a->at.column, 3);
    expect_quaternion(body(spec, 1)->pose.q, sqrt(0.5), 0, 0, -sqrt(0.5));
    const double six[3][3] = {{1, 0.1, 0.2}, {0.1, 2, 0.3}, {0.2, 0.3, 2.5}};
    ck_assert_mem_eq(body(spec, 1)->inertia.m, six, sizeof(six));
    expect_quaternion(body(spec, 2)->pose.q, 0, 0.6, 0, 0.8);
    ck_assert_double_eq(body(spec, 2)->inertia.m[1][0], 0.1);
    ck_assert_double_eq(body(spec, 3)->pose.q.w, 1.000001); /* as written */
    ck_assert_int_eq(body(spec, 4)->kind, TN_BODY_FIXED);
    ck_assert_double_eq(body(spec, 5)->density, 7850);
    ck_assert_double_eq(body(spec, 5)->shapes[0].radius, 0.5);
    tn_spec_destroy(spec);
}
END_TEST

START_TEST(test_shapes)
{
    tn_spec *spec =
        read_good(HEAD "bodies:\n"
                       "  a:\n"
                       "    density: 10\n"
                       "    shapes:\n"
                       "      - box: {size: [1, 2, 3]}\n"
                       "        position: [1, 0, 0]\n"
                       "      - mass: 5\n"
                       "        extrusion: {points: [[0, 0], [1, 0], [0, 1]], height: 0.5}\n"
                       "      - rounded_cylinder: {radius: 0.1, length: 1, slices: 12}\n"
                       "      - mesh:\n"
                       "          vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]\n"
                       "          triangles: [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]\n"
                       "          scale: 0.1\n");
    const tn_body_def *a = body(spec, 0);
    ck_assert_int_eq(a->shape_count, 4);
    ck_assert_int_eq(a->shapes[0].kind, TN_SHAPE_BOX);
    expect_vector(a->shapes[0].size, 1, 2, 3);
    expect_vector(a->shapes[0].pose.p, 1, 0, 0);
    ck_assert_double_eq(a->shapes[1].mass, 5);
    ck_assert_int_eq(a->shapes[1].point_count, 3);
    ck_assert_double_eq(a->shapes[1].points[2].y, 1);
    ck_assert_int_eq(a->shapes[2].slices, 12);
    ck_assert_int_eq(a->shapes[3].triangle_count, 4);
    ck_assert_int_eq(a->shapes[3].triangles[3].v[2], 3);
    ck_assert_int_eq(a->shapes[3].at.line, 11);
    tn_spec_destroy(spec);
}
END_TEST

/* What is accepted with a warning is accepted; the compiler of models tells the warning. */
START_TEST(test_warning)
{
    tn_spec *spec = read_good(
        HEAD "bodies: {a: {density: 1, shapes: [mesh: {vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], "
             "[0, 0, 1]], triangles: [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]], scale: 1}]}}\n");
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_model *model = NULL;
    ck_assert_int_eq(tn_model_compile(spec, diags, &model), TN_OK);
    ck_assert_int_eq(tn_diagnostics_count(diags), 1);
    ck_assert_int_eq(tn_diagnostics_get(diags, 0)->severity, TN_WARNING);
    ck_assert_int_eq(tn_diagnostics_get(diags, 0)->at.line, 2);
    tn_model_destroy(model);
    tn_diagnostics_destroy(diags);
    tn_spec_destroy(spec);
}
END_TEST

START_TEST(test_mesh_file)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/mesh_model.yaml", TN_TEST_OUTPUT);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(HEAD "bodies: {a: {density: 12, shapes: [mesh: {file: tetra.obj, scale: 0.5}]}}\n", file);
    fclose(file);
    char mesh[512];
    snprintf(mesh, sizeof(mesh), "%s/tetra.obj", TN_TEST_OUTPUT);
    file = fopen(mesh, "w");
    ck_assert_ptr_nonnull(file);
    fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", file);
    fclose(file);
    tn_spec *spec = NULL;
    ck_assert_int_eq(tn_spec_read_file(path, NULL, &spec), TN_OK);
    ck_assert_int_eq(body(spec, 0)->shapes[0].triangle_count, 4);
    ck_assert_str_eq(body(spec, 0)->shapes[0].file, "tetra.obj");
    tn_spec_destroy(spec);
    remove(mesh);
    tn_diagnostics *diags = tn_diagnostics_create();
    ck_assert_int_eq(tn_spec_read_file(path, diags, &spec), TN_ERROR_INPUT);
    ck_assert_ptr_null(spec);
    ck_assert(says(diags, "tetra.obj' cannot be used", ""));
    tn_diagnostics_destroy(diags);
    remove(path);
}
END_TEST

START_TEST(test_joint)
{
    tn_spec *spec = read_good(MODEL "  base: {kind: fixed}\n"
                                    "angle: deg\n"
                                    "joints:\n"
                                    "  j:\n"
                                    "    frame: {position: [1, 2, 3], rpy: [0, 0, 180]}\n"
                                    "    initial: {theta: 35}\n"
                                    "    set: {z: 0.25, theta: -10}\n"
                                    "    compliance: 1.0e-6\n"
                                    "    damping: [1, null, 3]\n"
                                    "    linear_compliance: 2e-6\n"
                                    "    rotary_compliance: 3e-6\n"
                                    "    range: {theta: [-60, .inf], z: [-1, 2]}\n"
                                    "    locked: [theta]\n"
                                    "    enabled: false\n"
                                    "    b: base\n"
                                    "    a: link\n"
                                    "    type: cylindrical\n");
    const tn_joint_def *j = joint(spec, 0);
    ck_assert_str_eq(j->type, "cylindrical");
    ck_assert_int_eq(j->a.i, 0);
    ck_assert_int_eq(j->b.i, 1);
    ck_assert_int_eq(j->placement, TN_PLACE_WORLD_FRAME);
    expect_vector(j->frame_d.p, 1, 2, 3);
    tn_joint_type type;
    ck_assert_int_eq(tn_joint_type_find("cylindrical", &type), TN_OK);
    const tn_joint_type_info *info = tn_joint_type_get(type);
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        int angle = strcmp(info->coordinates[i].name, "theta") == 0;
        ck_assert_double_eq(j->set[i], angle ? -10 * DEGREE : 0.25);
        ck_assert_double_eq(j->lower[i], angle ? -60 * DEGREE : -1);
        ck_assert_double_eq(j->upper[i], angle ? (double)INFINITY : 2);
        ck_assert_int_eq(j->locked[i], angle);
        ck_assert(angle ? j->initial[i] == 35 * DEGREE : isnan(j->initial[i]) != 0);
    }
    for (int32_t i = 0; i < info->row_count; i++) {
        ck_assert(i < info->bilateral_count ? j->compliance[i] == 1e-6
                                            : isnan(j->compliance[i]) != 0);
    }
    ck_assert_double_eq(j->damping[0], 1);
    ck_assert(isnan(j->damping[1]));
    ck_assert_double_eq(j->damping[2], 3);
    ck_assert_double_eq(j->linear_compliance, 2e-6);
    ck_assert_double_eq(j->rotary_compliance, 3e-6);
    ck_assert_int_eq(j->disabled, 1);
    tn_spec_destroy(spec);
}
END_TEST

START_TEST(test_placements)
{
    tn_spec *spec = read_good(
        MODEL "joints:\n"
              "  j0: {type: hinge, a: link, frame: {}}\n"
              "  j1: {type: hinge, a: link, frame_a: {position: [1, 0, 0]}, frame_b: {position: "
              "[2, 0, 0]}}\n"
              "  j2: {type: hinge, a: link, frame_c: {position: [1, 0, 0]}, frame_d: {position: "
              "[2, 0, 0]}}\n"
              "  j3: {type: hinge, a: link, axis: [0, 2, 0], origin: [1, 2, 3]}\n"
              "  j4: {type: ball, a: link, b: ground, origin: [1, 2, 3]}\n");
    static const tn_placement expected[] = {TN_PLACE_WORLD_FRAME, TN_PLACE_BODY_FRAMES,
                                            TN_PLACE_WORLD_FRAMES, TN_PLACE_AXIS, TN_PLACE_ORIGIN};
    for (int32_t i = 0; i < 5; i++) {
        ck_assert_int_eq(joint(spec, i)->placement, expected[i]);
        ck_assert_int_eq(joint(spec, i)->b.i, TN_GROUND_INDEX);
    }
    for (int32_t i = 1; i < 3; i++) {
        ck_assert_double_eq(joint(spec, i)->frame_c.p.x, 1);
        ck_assert_double_eq(joint(spec, i)->frame_d.p.x, 2);
    }
    expect_vector(joint(spec, 3)->axis, 0, 2, 0);
    expect_vector(joint(spec, 3)->origin, 1, 2, 3);
    ck_assert_str_eq(joint(spec, 4)->type, "ball");
    tn_spec_destroy(spec);
}
END_TEST

START_TEST(test_markers_and_record)
{
    tn_spec *spec = read_good(MODEL "joints:\n"
                                    "  j: {type: hinge, a: link, origin: [0, 0, 0]}\n"
                                    "markers:\n"
                                    "  tip: {body: link, position: [0, 0, 0.5]}\n"
                                    "  pole: {body: ground}\n"
                                    "record: {every: 0.01, what: [poses, energy], bodies: [link], "
                                    "joints: all, markers: [pole, tip]}\n");
    ck_assert_int_eq(tn_spec_marker_count(spec), 2);
    ck_assert_double_eq(tn_spec_marker(spec, (tn_marker){0})->position.z, 0.5);
    ck_assert_int_eq(tn_spec_marker(spec, (tn_marker){1})->body.i, TN_GROUND_INDEX);
    const tn_record_def *record = tn_spec_record(spec);
    ck_assert_double_eq(record->every, 0.01);
    ck_assert_uint_eq(record->what, TN_RECORD_POSES | TN_RECORD_ENERGY);
    ck_assert_int_eq(record->body_count, 1);
    ck_assert_int_eq(record->joint_count, -1);
    ck_assert_int_eq(record->marker_count, 2);
    ck_assert_int_eq(record->markers[0].i, 1);
    ck_assert_int_eq(record->markers[1].i, 0);
    tn_spec_destroy(spec);
}
END_TEST

/* Every flag has its word, in the order of the bits. */
START_TEST(test_record_words)
{
    static const struct {
        const char *word;
        uint32_t flag;
    } words[] = {{"poses", TN_RECORD_POSES},
                 {"velocities", TN_RECORD_VELOCITIES},
                 {"coordinates", TN_RECORD_COORDINATES},
                 {"multipliers", TN_RECORD_MULTIPLIERS},
                 {"reactions", TN_RECORD_REACTIONS},
                 {"markers", TN_RECORD_MARKERS},
                 {"energy", TN_RECORD_ENERGY},
                 {"measures", TN_RECORD_MEASURES},
                 {"speeds", TN_RECORD_SPEEDS},
                 {"efforts", TN_RECORD_EFFORTS}};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        char text[200];
        snprintf(text, sizeof(text), MODEL "record: {what: [%s]}\n", words[i].word);
        tn_spec *spec = read_good(text);
        ck_assert_uint_eq(tn_spec_record(spec)->what, words[i].flag);
        tn_spec_destroy(spec);
    }
}
END_TEST

START_TEST(test_scalars)
{
    static const struct {
        const char *text;
        tn_scalar_kind kind;
        double number;
    } samples[] = {
        {"1", TN_SCALAR_NUMBER, 1},        {"-.5", TN_SCALAR_NUMBER, -0.5},
        {"+12.", TN_SCALAR_NUMBER, 12},    {"1e-3", TN_SCALAR_NUMBER, 1e-3},
        {"1.5E+2", TN_SCALAR_NUMBER, 150}, {"007", TN_SCALAR_NUMBER, 7},
        {"1e999", TN_SCALAR_TOO_LARGE, 0}, {"1e", TN_SCALAR_TEXT, 0},
        {".", TN_SCALAR_TEXT, 0},          {"-", TN_SCALAR_TEXT, 0},
        {"0x10", TN_SCALAR_TEXT, 0},       {"1_000", TN_SCALAR_TEXT, 0},
        {"1,5", TN_SCALAR_TEXT, 0},        {"1 2", TN_SCALAR_TEXT, 0},
        {"inf", TN_SCALAR_TEXT, 0},        {".inf", TN_SCALAR_INFINITE, (double)INFINITY},
        {"nan", TN_SCALAR_TEXT, 0},        {".NaN", TN_SCALAR_NAN, 0},
        {"true", TN_SCALAR_BOOL, 1},       {"False", TN_SCALAR_BOOL, 0},
        {"yes", TN_SCALAR_TEXT, 0},        {"", TN_SCALAR_NULL, 0},
        {"~", TN_SCALAR_NULL, 0},          {"null", TN_SCALAR_NULL, 0},
        {"1.2.3", TN_SCALAR_TEXT, 0},      {"--1", TN_SCALAR_TEXT, 0},
    };
    for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
        tn_scalar scalar = tn_scalar_read(samples[i].text);
        ck_assert_msg(scalar.kind == samples[i].kind, "%s", samples[i].text);
        if (scalar.kind == TN_SCALAR_NUMBER) {
            ck_assert_double_eq(scalar.number, samples[i].number);
        }
    }
}
END_TEST

START_TEST(test_located_problems)
{
    expect_problem(HEAD "bodys: {}\nbodies: {}\n", 2, 1, "unknown key 'bodys' in a model",
                   "did you mean 'bodies'?");
    expect_problem(MODEL "joints:\n  j:\n    type: hinge\n    origin: [0, 0, 0]\n    a: lnk\n", 8,
                   8, "joint 'j': unknown body 'lnk'", "did you mean 'link'?");
    expect_problem(MODEL "gravity: [0, \"0\", 1]\n", 4, 14,
                   "'gravity' must be a number, not the text '0'", NULL);
    expect_problem(HEAD "bodies:\n  l: {mass: -1, inertia: [1, 1, 1]}\n", 3, 13,
                   "body 'l': mass must be positive, is -1", NULL);
    expect_problem(HEAD "bodies:\n  l:\n    mas: 1\n    inertia: [1, 1, 1]\n", 4, 5,
                   "body 'l': unknown key 'mas' in a body", "did you mean 'mass'?");
    expect_problem(HEAD "bodies:\n  \xc3\xbc\xc3\xb6: {mass: x, inertia: [1, 1, 1]}\n", 3, 14,
                   "body '\xc3\xbc\xc3\xb6': 'mass' must be a number, not the text 'x'", NULL);
    expect_problem(MODEL "  link: {kind: fixed}\n", 4, 3, "body 'link': the name is used twice",
                   NULL);
    expect_problem(MODEL
                   "joints:\n  j: {type: hinge, a: link, frame: {}, range: {theta: [2, 1]}}\n",
                   5, 55, "joint 'j': range of theta: lower 2 is above upper 1", NULL);
    expect_problem("bodies: {}\n", 1, 1, "the key 'tenon' is missing in a model", NULL);
    expect_problem("tenon: 2\nbodies: {}\n", 1, 8, "unknown version 2 of the model format", NULL);
    expect_problem("", 1, 1, "the text is empty", NULL);
    expect_problem("- 1\n", 1, 1, "a model must be a mapping (key: value), not a list", NULL);
}
END_TEST

START_TEST(test_all_problems_in_order)
{
    tn_diagnostics *diags = read_bad(HEAD "record: {every: -1}\n"
                                          "bodies:\n"
                                          "  a: {mass: x, inertia: [1, 1, 1], density: -5}\n"
                                          "  b: {mass: 1, inertia: [1, 1, 9]}\n"
                                          "gravity: down\n");
    static const int lines[] = {2, 4, 4, 5, 6};
    ck_assert_int_eq(tn_diagnostics_count(diags), 5);
    for (int32_t i = 0; i < 5; i++) {
        ck_assert_int_eq(tn_diagnostics_get(diags, i)->at.line, lines[i]);
    }
    tn_diagnostics_destroy(diags);
}
END_TEST

START_TEST(test_many_problems_are_counted)
{
    enum { COUNT = 3000 };
    char *text = malloc(COUNT * 40 + 100);
    size_t length = (size_t)sprintf(text, HEAD "bodies:\n");
    for (int i = 0; i < COUNT; i++) {
        length += (size_t)sprintf(text + length, "  b%d: {mass: x, kind: fixed}\n", i);
    }
    tn_diagnostics *diags = read_bad(text);
    ck_assert_int_eq(tn_diagnostics_count(diags), 1001);
    ck_assert_str_eq(tn_diagnostics_get(diags, 1000)->message, "2000 more problems not shown");
    tn_diagnostics_destroy(diags);
    free(text);
}
END_TEST

START_TEST(test_yaml_that_is_refused)
{
    expect_problem(HEAD "bodies: *x\n", 2, 10, "this alias has no anchor before it",
                   "an anchor stands before its aliases: &name");
    expect_problem(HEAD "bodies: &x {a: *x}\n", 2, 17, "this alias would hold itself", NULL);
    expect_problem(HEAD "bodies: !!map {}\n", 2, 15,
                   "tags (!name) are not part of the model format", NULL);
    expect_problem(HEAD "bodies: {}\n---\ntenon: 1\n", 3, 1,
                   "a second document starts here, a file holds one model", NULL);
    expect_problem(HEAD "[1, 2]: 3\n", 2, 1, "a key must be a text", NULL);
    expect_problem(HEAD "? a: 3\n", 2, 1, "complex keys (? key) are not part of the model format",
                   NULL);
    expect_problem("tenon: '\xee\x80\x80'\n", 1, 9, "the private character U+E000 is not allowed",
                   NULL);
    expect_problem("tenon: 1\xff\n", 1, 9, "the byte 0xff is not UTF-8 text", NULL);
    expect_problem("tenon: 1\n\x07\n", 2, 1, "the character U+0007 is not allowed", NULL);
    expect_problem("tenon: \"\\0\"\n", 1, 9, "a text must not contain the character U+0000", NULL);
    char deep[200];
    size_t length = 0;
    for (; length < 40; length++) {
        deep[length] = '[';
    }
    deep[length] = '\0';
    expect_problem(deep, 1, 33, "nested too deeply for a model", NULL);
}
END_TEST

/* Bytes that are no UTF-8, each cut out of an otherwise good text. */
START_TEST(test_text_check)
{
    static const char *const bad[] = {"\xc0\x80",
                                      "\xc1\xbf",
                                      "\xe0\x80\x80",
                                      "\xed\xa0\x80",
                                      "\xf4\x90\x80\x80",
                                      "\xf8\x88\x80\x80\x80",
                                      "\x80",
                                      "\xe2\x82",
                                      "\xef\xbf\xbe",
                                      "\xc2\x80",
                                      "\x7f",
                                      "\x1b"};
    static const char *const good[] = {"\xc3\xbc", "\xe2\x82\xac", "\xf0\x9f\x94\xa9",
                                       "a\tb\r\n", "\xc2\x85",     "\xef\xbf\xbd"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        ck_assert_msg(tn_text_check(bad[i], strlen(bad[i]), NULL, NULL) == TN_ERROR_INPUT, "%zu",
                      i);
    }
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        ck_assert_msg(tn_text_check(good[i], strlen(good[i]), NULL, NULL) == TN_OK, "%zu", i);
    }
    tn_spec *spec = read_good("\xef\xbb\xbf" HEAD "bodies: {}\n"); /* byte order mark */
    tn_spec_destroy(spec);
}
END_TEST

/* Question marks and quotes, which the parser below needs help with. */
START_TEST(test_odd_texts)
{
    static const struct {
        const char *yaml, *text;
    } samples[] = {
        {"what? yes", "what? yes"},
        {"?x", "?x"},
        {"\"? \\u003f ?\"", "? ? ?"},
        {"'? s:\t?'", "? s:\t?"},
        {"''", ""},
        {"''''", "'"},
        {"''''''", "''"},
        {"''''''''''''", "'''''"},
        {"'a''b''''c'''", "a'b''c'"},
        {"'it''s?'", "it's?"},
        {"\"a\\tb\\u20ac\\\"\"", "a\tb\xe2\x82\xac\""},
        {"two words # why? because", "two words"},
    };
    for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
        char text[200];
        snprintf(text, sizeof(text), HEAD "name: %s\nbodies: {}\n", samples[i].yaml);
        tn_spec *spec = read_good(text);
        ck_assert_str_eq(tn_spec_world(spec)->name, samples[i].text);
        tn_spec_destroy(spec);
    }
    expect_problem("? s:\t?", 1, 1, "complex keys (? key) are not part of the model format", NULL);
    expect_problem(HEAD "name: 'a\n  ''''?'\nbodies: {}\n", 2, 8,
                   "too many quotes in a text of several lines", NULL);
}
END_TEST

START_TEST(test_missing_file)
{
    tn_spec *spec = NULL;
    tn_diagnostics *diags = tn_diagnostics_create();
    ck_assert_int_eq(tn_spec_read_file("/nowhere/model.yaml", diags, &spec), TN_ERROR_IO);
    ck_assert_ptr_null(spec);
    ck_assert_str_eq(tn_diagnostics_get(diags, 0)->at.file, "/nowhere/model.yaml");
    ck_assert_int_eq(tn_spec_read_file(TN_TEST_OUTPUT, diags, &spec), TN_ERROR_IO);
    ck_assert_int_eq(tn_diagnostics_count(diags), 2);
    tn_diagnostics_destroy(diags);
}
END_TEST

START_TEST(test_out_of_memory)
{
    static const char text[] = HEAD
        "materials: {steel: {density: 7850}}\n"
        "bodies:\n"
        "  a: {material: steel, shapes: [box: {size: [1, 1, 1]}]}\n"
        "  b: {material: steel, shapes: [extrusion: {points: [[0, 0], [1, 0], [0, 1]], height: "
        "1}]}\n"
        "joints: {j: {type: hinge, a: a, b: b, origin: [0, 0, 0], range: {theta: [0, 1]}}}\n"
        "markers: {m: {body: a}}\n"
        "record: {bodies: [a]}\n";
    test_allocator allocator = {.left = -1};
    tn_set_allocator(test_realloc, &allocator);
    tn_status status = TN_ERROR_MEMORY;
    int allowed = 0;
    for (; status != TN_OK; allowed++) {
        allocator = (test_allocator){.left = allowed};
        tn_spec *spec = NULL;
        status = tn_spec_read_string(text, sizeof(text) - 1, "m", NULL, &spec);
        ck_assert_msg(status == TN_OK || status == TN_ERROR_MEMORY, "%s after %d",
                      tn_status_text(status), allowed);
        ck_assert_int_eq(spec != NULL, status == TN_OK);
        tn_spec_destroy(spec);
        ck_assert_int_eq(allocator.alive, 0);
    }
    ck_assert_int_gt(allowed, 20);
    tn_set_allocator(NULL, NULL);
}
END_TEST

/* How problems look to people. */
START_TEST(test_print)
{
    static const char text[] = HEAD "bodies:\n"
                                    "\tx: 1\n";
    static const char model[] = HEAD "bodies:\n"
                                     "  link: {kind: fixed}\n"
                                     "joints:\n"
                                     "  j: {type: hinge, a: link, b: lnk, frame: {}}\n";
    static const char expected[] = "test.yaml:5:32: error: joint 'j': unknown body 'lnk'\n"
                                   "      j: {type: hinge, a: link, b: lnk, frame: {}}\n"
                                   "                                   ^\n"
                                   "    hint: did you mean 'link'?\n";
    char *printed = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&printed, &size);
    tn_diagnostics *diags = read_bad(model);
    tn_diagnostics_print(diags, stream, model, sizeof(model) - 1);
    fflush(stream);
    ck_assert_str_eq(printed, expected);
    tn_diagnostics_destroy(diags);
    fclose(stream);
    free(printed);

    stream = open_memstream(&printed, &size);
    diags = read_bad(text);
    tn_diagnostics_print(diags, stream, NULL, 0); /* there is no file test.yaml: no line is shown */
    fclose(stream);
    ck_assert_ptr_nonnull(strstr(printed, "test.yaml:3:"));
    ck_assert_ptr_null(strchr(printed, '^'));
    tn_diagnostics_destroy(diags);
    free(printed);
}
END_TEST

START_TEST(test_print_long_line)
{
    char text[600] = HEAD "bodies: {";
    for (int i = 0; i < 10; i++) {
        sprintf(text + strlen(text), "\"body number %d\": {kind: fixed}, ", i);
    }
    strcat(text, "b: {kind: fixd}}\n");
    tn_diagnostics *diags = read_bad(text);
    char *printed = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&printed, &size);
    tn_diagnostics_print(diags, stream, text, strlen(text));
    fclose(stream);
    const char *shown = strstr(printed, "    ...");
    const char *caret = strchr(printed, '^');
    ck_assert_ptr_nonnull(shown);
    ck_assert_ptr_nonnull(caret);
    const char *second = strchr(shown, '\n') + 1;
    ck_assert_int_lt(second - shown, 120);
    ck_assert_int_eq(strncmp(shown + (caret - second), "fixd", 4), 0);
    tn_diagnostics_destroy(diags);
    free(printed);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("model_read");
    TCase *meaning = tcase_create("meaning");
    tcase_add_test(meaning, test_head);
    tcase_add_test(meaning, test_json);
    tcase_add_test(meaning, test_body);
    tcase_add_test(meaning, test_shapes);
    tcase_add_test(meaning, test_warning);
    tcase_add_test(meaning, test_mesh_file);
    tcase_add_test(meaning, test_joint);
    tcase_add_test(meaning, test_placements);
    tcase_add_test(meaning, test_markers_and_record);
    tcase_add_test(meaning, test_record_words);
    tcase_add_test(meaning, test_scalars);
    suite_add_tcase(suite, meaning);
    TCase *problems = tcase_create("problems");
    tcase_add_test(problems, test_located_problems);
    tcase_add_test(problems, test_all_problems_in_order);
    tcase_add_test(problems, test_many_problems_are_counted);
    tcase_add_test(problems, test_yaml_that_is_refused);
    tcase_add_test(problems, test_text_check);
    tcase_add_test(problems, test_odd_texts);
    tcase_add_test(problems, test_missing_file);
    tcase_add_test(problems, test_out_of_memory);
    tcase_add_test(problems, test_print);
    tcase_add_test(problems, test_print_long_line);
    suite_add_tcase(suite, problems);
    return suite;
}
