/* A spec copies all it is given, grows at constant cost, survives running out of memory at any
 * allocation, and its validation names item, field and value. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "spec/spec_internal.h"
#include "spec/validate/validate.h"
#include "support/allocator.h"
#include "support/run_main.h"
#include "support/same_spec.h"
#include "support/solids.h"
#include "tenon/tenon.h"

static const double nan_value = (double)NAN;
static const double infinite = (double)INFINITY;

/* A rigid body that is fine. */
static tn_body_def good_body(const char *name)
{
    tn_body_def def = tn_default_body_def();
    def.name = name;
    def.mass = 2.0;
    def.inertia = (tn_mat3){{{0.1, 0, 0}, {0, 0.2, 0}, {0, 0, 0.15}}};
    return def;
}

/* A hinge of body 0 on the ground that is fine. */
static tn_joint_def good_joint(const char *name)
{
    tn_joint_def def = tn_default_joint_def();
    def.name = name;
    def.type = "hinge";
    def.a.i = 0;
    return def;
}

START_TEST(test_cookie)
{
    tn_spec *spec = tn_spec_create();
    const tn_body_def body = {.mass = 1.0};
    const tn_joint_def joint = {.type = "hinge"};
    const tn_marker_def marker = {.name = "m"};
    const tn_world_def world = {.gravity = {0, 0, 1}};
    const tn_simulation_def simulation = {.step = 1};
    const tn_record_def record = {.body_count = -1};
    ck_assert_int_eq(tn_spec_add_body(spec, &body, NULL), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_spec_add_marker(spec, &marker, NULL), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_spec_set_world(spec, &world), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_spec_set_simulation(spec, &simulation), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_spec_set_record(spec, &record), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_spec_body_count(spec), 0);
    tn_spec_destroy(spec);
    tn_spec_destroy(NULL);
}
END_TEST

/* A program that does not read the status of a refused definition hears of it when it compiles. */
START_TEST(test_refused_definitions_are_reported)
{
    tn_spec *spec = tn_spec_create();
    tn_diagnostics *diags = tn_diagnostics_create();
    const tn_world_def world = {.gravity = {0, 0, 1}};
    tn_model *model = NULL;
    tn_spec_set_world(spec, &world);
    ck_assert_int_eq(tn_model_compile(spec, diags, &model), TN_OK);
    ck_assert_int_eq(tn_diagnostics_count(diags), 1);
    ck_assert_int_eq(tn_diagnostics_get(diags, 0)->severity, TN_WARNING);
    ck_assert_str_eq(tn_diagnostics_get(diags, 0)->message,
                     "tn_spec_set_world has refused a definition: it is not in the model");
    tn_model_destroy(model);
    tn_diagnostics_destroy(diags);
    tn_spec_destroy(spec);
}
END_TEST

START_TEST(test_defaults)
{
    tn_spec *spec = tn_spec_create();
    ck_assert_double_eq(tn_spec_world(spec)->gravity.z, -9.81);
    ck_assert_double_eq(tn_spec_simulation(spec)->step, 1e-3);
    ck_assert_int_eq(tn_spec_simulation(spec)->integrator, TN_GENERALIZED_ALPHA);
    ck_assert_uint_eq(tn_spec_record(spec)->what, TN_RECORD_ALL);
    tn_body_def body = tn_default_body_def();
    tn_body id = {-5};
    ck_assert_int_eq(tn_spec_add_body(spec, &body, NULL), TN_OK);
    ck_assert_int_eq(tn_spec_add_body(spec, &body, &id), TN_OK);
    ck_assert_int_eq(id.i, 1);
    ck_assert_str_eq(tn_spec_body(spec, id)->name, "body1");
    tn_joint_def joint = tn_default_joint_def();
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
    ck_assert_str_eq(tn_spec_joint(spec, (tn_joint){0})->name, "joint0");
    tn_marker_def marker = tn_default_marker_def();
    ck_assert_int_eq(tn_spec_add_marker(spec, &marker, NULL), TN_OK);
    ck_assert_str_eq(tn_spec_marker(spec, (tn_marker){0})->name, "marker0");
    tn_spec_destroy(spec);
}
END_TEST

START_TEST(test_names_of_kinds)
{
    for (int i = 0; i < TN_BODY_KIND_COUNT; i++) {
        tn_body_kind kind = TN_BODY_KIND_COUNT;
        ck_assert_int_eq(tn_body_kind_find(tn_body_kind_name((tn_body_kind)i), &kind), TN_OK);
        ck_assert_int_eq(kind, i);
    }
    for (int i = 0; i < TN_INTEGRATOR_COUNT; i++) {
        tn_integrator integrator = TN_INTEGRATOR_COUNT;
        ck_assert_int_eq(tn_integrator_find(tn_integrator_name((tn_integrator)i), &integrator),
                         TN_OK);
        ck_assert_int_eq(integrator, i);
        ck_assert_ptr_nonnull(tn_integrator_summary((tn_integrator)i));
    }
    tn_body_kind kind = TN_BODY_FIXED;
    ck_assert_int_eq(tn_body_kind_find("wobbly", &kind), TN_ERROR_NOT_FOUND);
    ck_assert_int_eq(kind, TN_BODY_FIXED);
    ck_assert_ptr_null(tn_body_kind_name(TN_BODY_KIND_COUNT));
    ck_assert_ptr_null(tn_integrator_name(TN_INTEGRATOR_COUNT));
    ck_assert_ptr_null(tn_integrator_summary(TN_INTEGRATOR_COUNT));
}
END_TEST

/* Everything a definition can point to, in memory that is overwritten after adding. */
typedef struct scratch {
    char name[8], type[8], file[8], mesh[8];
    tn_shape_def shapes[2];
    tn_vec2 points[6];
    tn_vec3 vertices[8];
    tn_triangle triangles[12];
    tn_body bodies[2];
    tn_joint joints[1];
    tn_marker markers[1];
} scratch;

static void fill_scratch(scratch *s)
{
    strcpy(s->name, "link");
    strcpy(s->type, "hinge");
    strcpy(s->file, "a.yaml");
    strcpy(s->mesh, "a.stl");
    memcpy(s->points, SAMPLE_L, sizeof(s->points));
    memcpy(s->vertices, SAMPLE_CUBE, sizeof(s->vertices));
    memcpy(s->triangles, SAMPLE_CUBE_FACES, sizeof(s->triangles));
    s->shapes[0] = sample_shape(TN_SHAPE_EXTRUSION);
    s->shapes[0].points = s->points;
    s->shapes[1] = sample_shape(TN_SHAPE_MESH);
    s->shapes[1].vertices = s->vertices;
    s->shapes[1].triangles = s->triangles;
    s->shapes[1].scale = 0.5;
    s->shapes[1].file = s->mesh;
    s->shapes[1].at.file = s->file;
    s->bodies[0] = (tn_body){0};
    s->bodies[1] = (tn_body){1};
    s->joints[0] = (tn_joint){0};
    s->markers[0] = (tn_marker){0};
}

/* Adds one of everything; TN_OK or the first failure. */
static tn_status add_all(tn_spec *spec, scratch *s)
{
    tn_body_def body = good_body(s->name);
    body.shapes = s->shapes;
    body.shape_count = 2;
    body.at = (tn_location){s->file, 3, 4};
    tn_status status = tn_spec_add_body(spec, &body, NULL);
    tn_body_def plain = good_body(NULL);
    status = status != TN_OK ? status : tn_spec_add_body(spec, &plain, NULL);
    tn_joint_def joint = good_joint(s->name);
    joint.type = s->type;
    joint.at = (tn_location){s->file, 5, 6};
    status = status != TN_OK ? status : tn_spec_add_joint(spec, &joint, NULL);
    tn_marker_def marker = tn_default_marker_def();
    marker.name = s->name;
    marker.at.file = s->file;
    status = status != TN_OK ? status : tn_spec_add_marker(spec, &marker, NULL);
    tn_world_def world = tn_default_world_def();
    world.name = s->name;
    world.at.file = s->file;
    status = status != TN_OK ? status : tn_spec_set_world(spec, &world);
    tn_simulation_def simulation = tn_default_simulation_def();
    simulation.at.file = s->file;
    status = status != TN_OK ? status : tn_spec_set_simulation(spec, &simulation);
    tn_record_def record = tn_default_record_def();
    record.bodies = s->bodies;
    record.body_count = 2;
    record.joints = s->joints;
    record.joint_count = 1;
    record.markers = s->markers;
    record.marker_count = 1;
    record.at.file = s->file;
    return status != TN_OK ? status : tn_spec_set_record(spec, &record);
}

START_TEST(test_deep_copies)
{
    scratch a, b;
    memset(&a, 0, sizeof(a));
    memset(&b, 0, sizeof(b));
    fill_scratch(&a);
    fill_scratch(&b);
    tn_spec *first = tn_spec_create(), *second = tn_spec_create();
    ck_assert_int_eq(add_all(first, &a), TN_OK);
    ck_assert_int_eq(add_all(first, &a), TN_OK); /* the single sections are replaced */
    memset(&a, 0x5a, sizeof(a));
    ck_assert_int_eq(add_all(second, &b), TN_OK);
    ck_assert_int_eq(add_all(second, &b), TN_OK);
    expect_same_spec(first, second);
    const tn_body_def *body = tn_spec_body(first, (tn_body){0});
    ck_assert_str_eq(body->at.file, "a.yaml");
    ck_assert_ptr_eq(body->shapes[1].at.file, body->at.file); /* kept once */
    ck_assert_ptr_eq(tn_spec_record(first)->at.file, body->at.file);
    ck_assert_double_eq(body->shapes[0].points[4].y, SAMPLE_L[4].y);
    ck_assert_str_eq(body->shapes[1].file, "a.stl");
    tn_spec_destroy(first);
    tn_spec_destroy(second);
}
END_TEST

START_TEST(test_out_of_memory)
{
    test_allocator allocator = {.left = -1};
    scratch s;
    memset(&s, 0, sizeof(s));
    fill_scratch(&s);
    tn_set_allocator(test_realloc, &allocator);
    tn_status status = TN_ERROR_MEMORY;
    int allowed = 0;
    for (; status != TN_OK; allowed++) {
        allocator = (test_allocator){.left = allowed};
        tn_spec *spec = tn_spec_create();
        ck_assert_int_eq(spec == NULL, allowed == 0);
        if (spec != NULL) {
            status = add_all(spec, &s);
            ck_assert(status == TN_OK || status == TN_ERROR_MEMORY);
            int32_t before = tn_spec_body_count(spec);
            tn_body_def body = good_body("late");
            tn_body id = {77};
            allocator.left = 0;
            /* either there was room, or nothing is added */
            tn_status late = tn_spec_add_body(spec, &body, &id);
            ck_assert_int_eq(late, TN_ERROR_MEMORY);
            ck_assert_int_eq(tn_spec_body_count(spec), before);
            ck_assert_int_eq(id.i, 77);
        }
        tn_spec_destroy(spec);
        ck_assert_int_eq(allocator.alive, 0);
    }
    ck_assert_int_gt(allowed, 10);
    tn_set_allocator(NULL, NULL);
}
END_TEST

/* Bytes moved while growing stay in proportion to what is stored: adding is constant on average. */
START_TEST(test_cost_of_adding)
{
    enum { COUNT = 100000 };
    test_allocator allocator = {.left = -1};
    tn_set_allocator(test_realloc, &allocator);
    tn_spec *spec = tn_spec_create();
    tn_body_def body = good_body(NULL);
    for (int i = 0; i < COUNT; i++) {
        ck_assert_int_eq(tn_spec_add_body(spec, &body, NULL), TN_OK);
    }
    ck_assert_int_lt(allocator.calls, COUNT + 64);
    ck_assert_int_lt(allocator.moved, (int64_t)COUNT * 4 * (int64_t)sizeof(tn_body_entry));
    tn_spec_destroy(spec);
    ck_assert_int_eq(allocator.alive, 0);
    tn_set_allocator(NULL, NULL);
}
END_TEST

START_TEST(test_places)
{
    tn_spec *spec = tn_spec_create();
    for (int32_t item = 0; item < 50; item++) {
        tn_place mass = {"mass", item, TN_WHOLE_FIELD, 10 * item + 1, 3, 0};
        tn_place range = {"range", item, 2, 10 * item + 2, 5, 1};
        ck_assert_int_eq(tn_spec_note_place(spec, TN_SECTION_BODY, &mass), TN_OK);
        ck_assert_int_eq(tn_spec_note_place(spec, TN_SECTION_BODY, &range), TN_OK);
    }
    for (int32_t item = 0; item < 50; item++) {
        const tn_place *place =
            tn_spec_find_place(spec, TN_SECTION_BODY, item, "mass", TN_WHOLE_FIELD);
        ck_assert_ptr_nonnull(place);
        ck_assert_int_eq(place->line, 10 * item + 1);
        ck_assert_int_eq(tn_spec_find_place(spec, TN_SECTION_BODY, item, "range", 2)->bad, 1);
    }
    ck_assert_ptr_null(tn_spec_find_place(spec, TN_SECTION_BODY, 50, "mass", TN_WHOLE_FIELD));
    ck_assert_ptr_null(tn_spec_find_place(spec, TN_SECTION_BODY, 3, "range", TN_WHOLE_FIELD));
    ck_assert_ptr_null(tn_spec_find_place(spec, TN_SECTION_JOINT, 3, "mass", TN_WHOLE_FIELD));
    tn_spec_destroy(spec);
}
END_TEST

/* validation ---------------------------------------------------------------------------------- */

/* A good mechanism in which one thing is then broken. */
typedef struct sample {
    tn_world_def world;
    tn_body_def bodies[2];
    tn_joint_def joint;
    tn_marker_def marker;
    tn_simulation_def simulation;
    tn_record_def record;
    tn_shape_def shape;
    tn_body recorded;
} sample;

static void good_sample(sample *s)
{
    s->world = tn_default_world_def();
    s->bodies[0] = good_body("link0");
    s->bodies[1] = good_body("link1");
    s->bodies[0].at = (tn_location){"m.yaml", 7, 3};
    s->joint = good_joint("j");
    s->marker = tn_default_marker_def();
    s->simulation = tn_default_simulation_def();
    s->record = tn_default_record_def();
    s->shape = sample_shape(TN_SHAPE_BOX);
    s->recorded.i = 0;
}

static tn_spec *build(const sample *s)
{
    tn_spec *spec = tn_spec_create();
    ck_assert_int_eq(tn_spec_set_world(spec, &s->world), TN_OK);
    ck_assert_int_eq(tn_spec_add_body(spec, &s->bodies[0], NULL), TN_OK);
    ck_assert_int_eq(tn_spec_add_body(spec, &s->bodies[1], NULL), TN_OK);
    ck_assert_int_eq(tn_spec_add_joint(spec, &s->joint, NULL), TN_OK);
    ck_assert_int_eq(tn_spec_add_marker(spec, &s->marker, NULL), TN_OK);
    ck_assert_int_eq(tn_spec_set_simulation(spec, &s->simulation), TN_OK);
    ck_assert_int_eq(tn_spec_set_record(spec, &s->record), TN_OK);
    return spec;
}

/* The one message a broken sample gives must contain `expected`. */
static void expect_problem(const sample *s, const char *expected)
{
    tn_spec *spec = build(s);
    tn_diagnostics *diags = tn_diagnostics_create();
    ck_assert_msg(tn_spec_validate(spec, diags) == TN_ERROR_INPUT, "accepted: %s", expected);
    ck_assert_msg(says(diags, expected, ""), "expected '%s', got '%s'", expected,
                  tn_diagnostics_get(diags, 0)->message);
    tn_diagnostics_destroy(diags);
    tn_spec_destroy(spec);
}

START_TEST(test_good_sample)
{
    sample s;
    good_sample(&s);
    tn_spec *spec = build(&s);
    tn_diagnostics *diags = tn_diagnostics_create();
    ck_assert_int_eq(tn_spec_validate(spec, diags), TN_OK);
    ck_assert_int_eq(tn_diagnostics_count(diags), 0);
    tn_diagnostics_destroy(diags);
    tn_spec_destroy(spec);
}
END_TEST

/* Each line breaks one thing of a good sample and says what must be told. */
#define BREAK(change, expected)                                                                    \
    do {                                                                                           \
        sample s;                                                                                  \
        good_sample(&s);                                                                           \
        change;                                                                                    \
        expect_problem(&s, expected);                                                              \
    } while (0)

START_TEST(test_bad_bodies)
{
    BREAK(s.bodies[0].name = "ground", "'ground' stands for the world");
    BREAK(s.bodies[0].name = "", "must not be empty");
    BREAK(s.bodies[0].name = "a ", "end with a blank");
    BREAK(s.bodies[0].name = "a\nb", "control characters");
    BREAK(s.bodies[0].name = "link1", "the name is used twice");
    BREAK(s.bodies[0].kind = (tn_body_kind)9, "no body kind number 9");
    BREAK(s.bodies[0].mass = 0.0, "body 'link0': mass must be positive, is 0");
    BREAK(s.bodies[0].mass = -2.0, "mass must be positive, is -2");
    BREAK(s.bodies[0].mass = infinite, "mass is not finite");
    BREAK(s.bodies[0].mass = nan_value, "a rigid body needs a mass");
    BREAK(s.bodies[0].inertia.m[0][0] = nan_value, "a rigid body needs an inertia");
    BREAK(s.bodies[0].inertia.m[0][0] = 9.0, "no body has this inertia");
    BREAK(s.bodies[0].inertia.m[1][1] = -0.1, "negative principal moment");
    BREAK(s.bodies[0].inertia.m[0][1] = 0.01, "not symmetric");
    BREAK(s.bodies[0].inertia.m[2][2] = nan_value, "inertia is not finite");
    BREAK(s.bodies[0].pose.q.w = 0.0, "zero quaternion");
    BREAK(s.bodies[0].pose.q.w = 1.1, "quaternion of length 1.1");
    BREAK(s.bodies[0].pose.q.x = nan_value, "quaternion of length");
    BREAK(s.bodies[0].pose.p.y = infinite, "pose is not finite");
    BREAK(s.bodies[0].velocity.v.x = nan_value, "linear velocity is not finite");
    BREAK(s.bodies[0].velocity.w.x = nan_value, "angular velocity is not finite");
    BREAK(s.bodies[0].com = ((tn_vec3){0, infinite, 0}), "centre of mass is not finite");
    BREAK(s.bodies[0].density = 0.0, "density must be positive");
    BREAK(s.bodies[0].frame_damping = -1.0, "frame damping must not be negative, is -1");
    BREAK(s.bodies[0].rotary_damping = infinite, "rotary damping is not finite");
    BREAK(s.bodies[0].kind = TN_BODY_PARTICLE, "has no inertia");
    BREAK(s.bodies[0].kind = TN_BODY_PLANAR;
          s.bodies[0].inertia.m[2][2] = -1.0, "moment of inertia about z must not be negative");
}
END_TEST

START_TEST(test_bad_shapes)
{
    BREAK(s.shape.size.y = -1.0; s.bodies[0].shapes = &s.shape;
          s.bodies[0].shape_count = 1, "body 'link0': box: size[1] must be positive");
    BREAK(s.shape.density = nan_value; s.bodies[0].shapes = &s.shape; s.bodies[0].shape_count = 1;
          s.bodies[0].mass = nan_value, "density");
}
END_TEST

START_TEST(test_bad_joints)
{
    BREAK(s.joint.a.i = TN_GROUND_INDEX, "cannot be the ground");
    BREAK(s.joint.a.i = 2, "body a has index 2, but there are 2");
    BREAK(s.joint.b.i = -7, "body b has index -7");
    BREAK(s.joint.b.i = 0, "joins body 'link0' to itself");
    BREAK(s.joint.type = NULL, "has no type");
    BREAK(s.joint.type = "hing", "unknown joint type 'hing'");
    BREAK(s.joint.name = "", "must not be empty");
    BREAK(s.joint.placement = (tn_placement)7, "no way of placing number 7");
    BREAK(s.joint.frame_d.q.w = 0.0, "frame has a zero quaternion");
    BREAK(s.joint.placement = TN_PLACE_BODY_FRAMES;
          s.joint.frame_c.p.x = nan_value, "frame_a is not finite");
    BREAK(s.joint.placement = TN_PLACE_WORLD_FRAMES;
          s.joint.frame_d.p.x = nan_value, "frame_d is not finite");
    BREAK(s.joint.placement = TN_PLACE_AXIS; s.joint.axis.z = 0.0, "the axis is zero");
    BREAK(s.joint.placement = TN_PLACE_AXIS; s.joint.axis.z = infinite, "axis is not finite");
    BREAK(s.joint.placement = TN_PLACE_ORIGIN; s.joint.origin.z = infinite, "origin is not finite");
    const tn_vec3 ex = {1.0, 0.0, 0.0}, zero = {0.0, 0.0, 0.0};
    BREAK(s.joint.x_axis = ex, "x_axis goes with origin and axis only");
    BREAK(s.joint.placement = TN_PLACE_AXIS;
          s.joint.axis = s.joint.x_axis = ex, "axis and x_axis point the same way");
    BREAK(s.joint.placement = TN_PLACE_AXIS; s.joint.x_axis = zero, "x_axis is zero");
    BREAK(s.joint.placement = TN_PLACE_AXIS; s.joint.y_axis = ex;
          s.joint.y_axis.z = infinite, "y_axis is not finite");
    BREAK(s.joint.placement = TN_PLACE_AXIS; s.joint.y_axis = ex; s.joint.axis = ex;
          s.joint.axis.z = 1.0, "y_axis is not square to axis");
    BREAK(s.joint.placement = TN_PLACE_AXIS; s.joint.axis = ex; s.joint.y_axis = ex;
          s.joint.x_axis = ex, "x_axis and y_axis cannot both be given");
    BREAK(s.joint.parameters[0] = 1.0, "hinge has no parameter number 0");
    BREAK(s.joint.initial[1] = 1.0, "hinge has no coordinate number 1");
    BREAK(s.joint.initial[0] = infinite, "theta is not finite");
    BREAK(s.joint.placement = TN_PLACE_BODY_FRAMES;
          s.joint.initial[0] = 1.0, "two frames define the coordinates already");
    BREAK(s.joint.set[0] = infinite, "theta is not finite");
    BREAK(s.joint.armature[0] = -1.0, "armature of theta must not be negative, is -1");
    BREAK(s.joint.armature[1] = 1.0, "armature: hinge has no coordinate number 1");
    BREAK(s.joint.compliance[0] = -1.0, "compliance of row fx must not be negative");
    BREAK(s.joint.damping[4] = infinite, "damping of row my is not finite");
    BREAK(s.joint.linear_compliance = -1.0, "linear compliance must not be negative");
    BREAK(s.joint.rotary_compliance = -1.0, "rotary compliance must not be negative");
    BREAK(s.joint.relative_compliance = 1e-4, "relative compliance must be between");
    BREAK(s.joint.relative_compliance = 1e4, "relative compliance must be between");
    BREAK(s.joint.lower[0] = 2.0; s.joint.upper[0] = 1.0, "lower 2 is above upper 1");
    BREAK(s.joint.lower[0] = nan_value, "range of theta is not a number");
    BREAK(s.joint.lower[0] = infinite, "range of theta is empty");
    BREAK(s.joint.upper[3] = 0.0, "no coordinate number 3 to limit or lock");
    BREAK(s.joint.locked[1] = 1, "no coordinate number 1 to limit or lock");
}
END_TEST

/* ---- ids ------------------------------------------------------------------------------------------- */

/* Two bodies, named so, on a hinge of this type, with a marker and a load on the second. */
typedef struct pair {
    tn_spec *spec;
    tn_model *model;
    tn_body a, b;
    tn_joint joint;
    tn_marker marker;
    tn_load load;
} pair;

static pair pair_of(const char *a, const char *b, const char *type)
{
    pair p = {.spec = tn_spec_create()};
    tn_body_def body = tn_default_body_def();
    body.mass = 1.0;
    body.inertia = (tn_mat3){{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    body.name = a;
    ck_assert_int_eq(tn_spec_add_body(p.spec, &body, &p.a), TN_OK);
    body.name = b;
    ck_assert_int_eq(tn_spec_add_body(p.spec, &body, &p.b), TN_OK);
    tn_joint_def joint = tn_default_joint_def();
    joint.type = type;
    joint.a = p.b;
    joint.b = p.a;
    joint.axis = (tn_vec3){0.0, 0.0, 1.0};
    ck_assert_int_eq(tn_spec_add_joint(p.spec, &joint, &p.joint), TN_OK);
    tn_marker_def marker = tn_default_marker_def();
    marker.body = p.b;
    ck_assert_int_eq(tn_spec_add_marker(p.spec, &marker, &p.marker), TN_OK);
    tn_load_def load = tn_default_load_def(TN_LOAD_WRENCH);
    load.bodies = &p.b;
    load.body_count = 1;
    load.force[0] =
        (tn_function_def){.kind = TN_FUNCTION_CONSTANT, .numbers = &body.mass, .count = 1};
    ck_assert_int_eq(tn_spec_add_load(p.spec, &load, &p.load), TN_OK);
    ck_assert_int_eq(tn_model_compile(p.spec, NULL, &p.model), TN_OK);
    return p;
}

static void free_pair(pair *p)
{
    tn_model_destroy(p->model);
    tn_spec_destroy(p->spec);
}

/* A description that joins bodies of another one does not compile, and says why. */
static void expect_refused_joint(pair *own, tn_body foreign)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_model *model = NULL;
    tn_joint_def joint = tn_default_joint_def();
    joint.type = "hinge";
    joint.a = foreign;
    ck_assert_int_eq(tn_spec_add_joint(own->spec, &joint, NULL), TN_OK);
    ck_assert_int_eq(tn_model_compile(own->spec, diags, &model), TN_ERROR_INPUT);
    ck_assert_ptr_null(model);
    ck_assert_ptr_nonnull(
        strstr(tn_diagnostics_get(diags, 0)->message, "is of another description"));
    tn_diagnostics_destroy(diags);
}

START_TEST(ids_of_other_descriptions)
{
    pair p = pair_of("crank", "rod", "hinge"), same = pair_of("crank", "rod", "hinge"),
         other = pair_of("wheel", "rod", "spherical");
    tn_body found;
    ck_assert_int_eq(tn_model_find_body(p.model, "crank", &found), TN_OK);
    ck_assert(found.i == p.a.i && found.of == p.a.of && found.of != 0);
    /* one build: they are the same */
    ck_assert(tn_model_has_body(same.model, p.a) && tn_model_has_joint(same.model, p.joint));
    ck_assert(tn_model_has_marker(same.model, p.marker) && tn_model_has_load(same.model, p.load));
    /* another: what stands in the place is something else, but for the rod */
    ck_assert(!tn_model_has_body(other.model, p.a) && tn_model_has_body(other.model, p.b));
    ck_assert(!tn_model_has_joint(other.model, p.joint));
    ck_assert_str_eq(tn_model_body_name(other.model, p.a), "");
    ck_assert_str_eq(tn_model_joint_name(other.model, p.joint), "");
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_sim_create(other.model, NULL, NULL, &sim), TN_OK);
    ck_assert_int_eq(tn_sim_set_enabled(sim, p.joint, 0), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_enabled(sim, other.joint, 0), TN_OK);
    ck_assert_int_eq(tn_sim_set_enabled(sim, (tn_joint){0}, 1), TN_OK); /* the place alone */
    tn_sim_destroy(sim);
    expect_refused_joint(&other, p.a);
    free_pair(&p);
    free_pair(&same);
    free_pair(&other);
}
END_TEST

START_TEST(test_bad_rest)
{
    BREAK(s.world.gravity.x = nan_value, "gravity is not finite");
    BREAK(s.world.frame_damping = -1.0, "model: frame damping must not be negative");
    BREAK(s.world.rotary_damping = nan_value, "rotary damping is not finite");
    BREAK(s.marker.body.i = 2, "body has index 2");
    BREAK(s.marker.position.x = infinite, "position is not finite");
    BREAK(s.simulation.step = 0.0, "simulation: step must be positive, is 0");
    BREAK(s.simulation.duration = -1.0, "duration must not be negative");
    BREAK(s.simulation.spectral_radius = 1.5, "spectral_radius must be between 0 and 1");
    BREAK(s.simulation.position_tolerance = 0.0, "position_tolerance must be positive");
    BREAK(s.simulation.force_tolerance = NAN, "force_tolerance must be positive");
    BREAK(s.simulation.relative_tolerance = 0.0, "relative_tolerance must be positive");
    BREAK(s.simulation.absolute_tolerance = -1e-12, "absolute_tolerance must not be negative");
    BREAK(s.simulation.formulation = TN_FORMULATION_COUNT, "there is no formulation number 2");
    BREAK(s.simulation.integrator = (tn_integrator)17, "no integrator number 17");
    BREAK(s.record.every = 0.0, "record: every must be positive");
    BREAK(s.record.what = 1024, "unknown flags 0x400");
    BREAK(s.recorded.i = 5; s.record.bodies = &s.recorded;
          s.record.body_count = 1, "a body has index 5, but there are 2");
}
END_TEST

START_TEST(test_location_and_all_at_once)
{
    sample s;
    good_sample(&s);
    s.bodies[0].mass = -1.0;
    s.joint.type = "hing";
    s.simulation.step = -1.0;
    tn_spec *spec = build(&s);
    tn_diagnostics *diags = tn_diagnostics_create();
    ck_assert_int_eq(tn_spec_validate(spec, diags), TN_ERROR_INPUT);
    ck_assert_int_eq(tn_diagnostics_error_count(diags), 3);
    const tn_diagnostic *first = tn_diagnostics_get(diags, 0);
    ck_assert_str_eq(first->at.file, "m.yaml");
    ck_assert_int_eq(first->at.line, 7);
    ck_assert_int_eq(first->at.column, 3);
    static const char meant[] = "did you mean 'hinge'? There are: hinge, slider, ";
    ck_assert_int_eq(strncmp(tn_diagnostics_get(diags, 1)->hint, meant, sizeof(meant) - 1), 0);
    tn_diagnostics_destroy(diags);
    tn_spec_destroy(spec);
}
END_TEST

START_TEST(test_validation_out_of_memory)
{
    test_allocator allocator = {.left = -1};
    scratch s;
    memset(&s, 0, sizeof(s));
    fill_scratch(&s);
    tn_set_allocator(test_realloc, &allocator);
    tn_spec *spec = tn_spec_create();
    ck_assert_int_eq(add_all(spec, &s), TN_OK);
    int64_t alive = allocator.alive;
    tn_status status = TN_ERROR_MEMORY;
    int allowed = 0;
    for (; status != TN_OK; allowed++) {
        allocator.left = allowed;
        status = tn_spec_validate(spec, NULL);
        ck_assert_msg(status == TN_OK || status == TN_ERROR_MEMORY, "status %d after %d", status,
                      allowed);
        ck_assert_int_eq(allocator.alive, alive);
    }
    ck_assert_int_gt(allowed, 5);
    tn_spec_destroy(spec);
    tn_set_allocator(NULL, NULL);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("spec");
    TCase *building = tcase_create("building");
    tcase_add_test(building, test_cookie);
    tcase_add_test(building, test_refused_definitions_are_reported);
    tcase_add_test(building, test_defaults);
    tcase_add_test(building, test_names_of_kinds);
    tcase_add_test(building, test_deep_copies);
    tcase_add_test(building, test_out_of_memory);
    tcase_add_test(building, test_cost_of_adding);
    tcase_add_test(building, test_places);
    tcase_add_test(building, ids_of_other_descriptions);
    suite_add_tcase(suite, building);
    TCase *validation = tcase_create("validation");
    tcase_add_test(validation, test_good_sample);
    tcase_add_test(validation, test_bad_bodies);
    tcase_add_test(validation, test_bad_shapes);
    tcase_add_test(validation, test_bad_joints);
    tcase_add_test(validation, test_bad_rest);
    tcase_add_test(validation, test_location_and_all_at_once);
    tcase_add_test(validation, test_validation_out_of_memory);
    suite_add_tcase(suite, validation);
    return suite;
}
