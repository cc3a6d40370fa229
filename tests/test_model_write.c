/* What the writer writes reads back to the same spec, bit for bit: example files and random specs.
 * What could not be read back is not written. */
#include <check.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/field/tables.h"
#include "support/allocator.h"
#include "support/joint_data.h"
#include "support/model_text.h"
#include "support/run_main.h"
#include "support/same_spec.h"
#include "support/solids.h"
#include "tenon/io.h"

/* Writes a spec, reads it back, compares; writes again and expects the same text. */
static void expect_round_trip(const tn_spec *spec, const char *what)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    char *text = NULL, *again = NULL;
    size_t length = 0;
    expect_ok(tn_spec_write_string(spec, diags, &text, &length), diags, what);
    ck_assert_uint_eq(strlen(text), length);
    tn_spec *back = NULL;
    expect_ok(tn_spec_read_string(text, length, what, diags, &back), diags, what);
    expect_same_spec(spec, back);
    expect_ok(tn_spec_write_string(back, diags, &again, NULL), diags, what);
    ck_assert_str_eq(text, again);
    tn_text_free(text);
    tn_text_free(again);
    tn_spec_destroy(back);
    tn_diagnostics_destroy(diags);
}

/* All model files of a directory; answers how many. */
static int round_trip_directory(const char *path)
{
    DIR *directory = opendir(path);
    int count = 0;
    struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        const char *ending = strrchr(entry->d_name, '.');
        if (ending == NULL || strcmp(ending, ".yaml") != 0) {
            continue;
        }
        char file[1024];
        snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
        tn_spec *spec = NULL;
        tn_diagnostics *diags = tn_diagnostics_create();
        expect_ok(tn_spec_read_file(file, diags, &spec), diags, file);
        if (tn_spec_solid_count(spec) == 0) /* others are not written: test_solid_meshes */
            expect_round_trip(spec, file);
        tn_spec_destroy(spec);
        tn_diagnostics_destroy(diags);
        count++;
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return count;
}

START_TEST(test_files)
{
    ck_assert_int_ge(round_trip_directory(TN_TEST_DATA "/models"), 1);
    round_trip_directory(TN_EXAMPLES);
    ck_assert_int_ge(round_trip_directory(TN_EXAMPLES "/joints"), tn_joint_type_count());
}
END_TEST

/* random specs ----------------------------------------------------------------------------------
 */

static int chance(uint64_t *seed)
{
    return random_number(seed) > 0;
}

static int below(uint64_t *seed, int count)
{
    int i = (int)((random_number(seed) + 1) / 2 * count);
    return i < count ? i : count - 1;
}

/* A positive number of any size. */
static double positive(uint64_t *seed)
{
    return exp(30 * random_number(seed));
}

/* Names that need care: what YAML takes for something else, quotes, blanks, other scripts. */
static const char *odd_name(uint64_t *seed, int index, char *buffer, size_t size)
{
    static const char *const odd[] = {"true",
                                      "1e3",
                                      "null",
                                      "~",
                                      "yes",
                                      ".inf",
                                      "a: b",
                                      "#x",
                                      "it's",
                                      "\"q\"",
                                      "a\\nb",
                                      "- x",
                                      "[a]",
                                      "{b}",
                                      "all",
                                      "\xc3\xbc\xe2\x82\xac",
                                      "x y",
                                      "&anchor",
                                      "*alias",
                                      "!tag",
                                      "%x",
                                      "@y",
                                      "\xe2\x80\xa8",
                                      "\xef\xbb\xbf",
                                      ("a\xc2\x85"
                                       "b"),
                                      "? k",
                                      "a,b",
                                      "'",
                                      "0x1f",
                                      "-",
                                      "ground ",
                                      "\xf0\x9f\x94\xa9"};
    snprintf(buffer, size, "%s%d",
             chance(seed) ? "link" : odd[below(seed, (int)(sizeof(odd) / sizeof(odd[0])))], index);
    return buffer;
}

static void random_shape(uint64_t *seed, tn_shape_def *shape)
{
    *shape = sample_shape((tn_shape_kind)below(seed, TN_SHAPE_KIND_COUNT));
    tn_shape_def plain = tn_default_shape_def(shape->kind);
    const tn_shape_kind_info *kind = tn_shape_kind_get(shape->kind);
    for (int32_t i = 0; i < kind->parameter_count; i++) {
        const tn_shape_parameter *p = &kind->parameters[i];
        for (int32_t k = 0; p->type == TN_SHAPE_PARAMETER_REAL && k < p->count; k++) {
            tn_shape_reals(&plain, p)[k] = 0.3 + 0.2 * random_number(seed);
        }
        if (p->type == TN_SHAPE_PARAMETER_INTEGER && chance(seed)) {
            *tn_shape_integer(&plain, p) = 12;
        }
    }
    plain.points = shape->points;
    plain.vertices = shape->vertices;
    plain.triangles = shape->triangles;
    plain.point_count = shape->kind == TN_SHAPE_EXTRUSION ? shape->point_count : 0;
    plain.vertex_count = shape->kind == TN_SHAPE_MESH ? shape->vertex_count : 0;
    plain.triangle_count = shape->kind == TN_SHAPE_MESH ? shape->triangle_count : 0;
    plain.pose = random_pose(seed);
    if (chance(seed)) {
        plain.density = 1000 + random_number(seed);
    } else {
        plain.mass = 3 + random_number(seed);
    }
    *shape = plain;
}

/* Turns and moves in the plane only. */
static void lay_flat(tn_body_def *def)
{
    const double angle = 7.0 * def->pose.q.w;
    def->pose.q = (tn_quat){cos(angle), 0.0, 0.0, sin(angle)};
    def->velocity.v.z = 0.0;
    def->velocity.w.x = def->velocity.w.y = 0.0;
}

static void random_body(uint64_t *seed, int index, tn_spec *spec)
{
    char name[64];
    tn_shape_def shapes[3];
    tn_body_def def = tn_default_body_def();
    def.name = odd_name(seed, index, name, sizeof(name));
    def.kind = (tn_body_kind)below(seed, TN_BODY_KIND_COUNT);
    def.pose = random_pose(seed);
    if (chance(seed)) {
        def.velocity.v = random_vector(seed);
    }
    if (chance(seed)) {
        def.velocity.w = random_vector(seed);
    }
    if (def.kind == TN_BODY_PLANAR) {
        lay_flat(&def);
    }
    if (def.kind == TN_BODY_PLANAR_PARTICLE) {
        def.velocity.v.z = 0.0;
    }
    def.frame_damping = chance(seed) ? positive(seed) : (double)NAN;
    def.rotary_damping = chance(seed) ? positive(seed) : (double)NAN;
    if (chance(seed)) {
        def.shapes = shapes;
        def.shape_count = 1 + below(seed, 3);
        for (int32_t i = 0; i < def.shape_count; i++) {
            random_shape(seed, &shapes[i]);
        }
        def.density = chance(seed) ? positive(seed) : (double)NAN;
    }
    if (def.shape_count == 0 || chance(seed)) {
        double size = positive(seed);
        def.mass = size;
        def.com = chance(seed) ? random_vector(seed) : def.com;
        if (def.kind != TN_BODY_PARTICLE && def.kind != TN_BODY_PLANAR_PARTICLE) {
            double xy = 0.05 * size * random_number(seed);
            def.inertia = (tn_mat3){{{size, xy, 0}, {xy, 1.25 * size, 0}, {0, 0, 1.5 * size}}};
        }
    }
    ck_assert_int_eq(tn_spec_add_body(spec, &def, NULL), TN_OK);
}

static void random_values(uint64_t *seed, double *values, int32_t count, int negative)
{
    for (int32_t i = 0; i < count; i++) {
        if (chance(seed)) {
            values[i] = positive(seed) * (negative && chance(seed) ? -1 : 1);
        }
    }
}

static void random_joint(uint64_t *seed, int index, int bodies, tn_spec *spec)
{
    char name[64];
    tn_joint_def def = tn_default_joint_def();
    const tn_joint_type type = {below(seed, tn_joint_type_count())};
    tn_joint_own_info own;
    def.data = sample_joint_data(type, seed);
    const tn_joint_type_info *info = tn_joint_info(type, def.data, &own);
    def.name = odd_name(seed, index, name, sizeof(name));
    def.type = info->name;
    def.a.i = below(seed, bodies);
    def.b.i = chance(seed) ? TN_GROUND_INDEX : (def.a.i + 1) % bodies;
    for (int32_t i = 0; i < info->parameter_count; i++) {
        const tn_parameter_info *p = &info->parameters[i];
        double middle = isfinite(p->lower) && isfinite(p->upper) ? (p->lower + p->upper) / 2
                        : isfinite(p->lower)                     ? p->lower + positive(seed)
                                                                 : random_number(seed);
        def.parameters[i] = chance(seed) ? middle : (double)NAN;
    }
    def.placement = (tn_placement)below(seed, TN_PLACE_ORIGIN + 1);
    def.frame_c = random_pose(seed);
    def.frame_d = random_pose(seed);
    def.origin = random_vector(seed);
    def.axis = random_vector(seed);
    if (def.placement == TN_PLACE_AXIS && chance(seed)) {
        const tn_vec3 z = def.axis, along = random_vector(seed);
        const tn_vec3 across = {z.y * along.z - z.z * along.y, z.z * along.x - z.x * along.z,
                                z.x * along.y - z.y * along.x};
        *(chance(seed) ? &def.x_axis : &def.y_axis) = across;
    }
    if (def.placement != TN_PLACE_BODY_FRAMES && def.placement != TN_PLACE_WORLD_FRAMES) {
        random_values(seed, def.initial, info->coordinate_count, 1);
    }
    random_values(seed, def.set, info->coordinate_count, 1);
    random_values(seed, chance(seed) ? def.compliance : def.frequency, info->row_count, 0);
    random_values(seed, chance(seed) ? def.damping : def.damping_ratio, info->row_count, 0);
    random_values(seed, chance(seed) ? &def.linear_compliance : &def.linear_frequency, 1, 0);
    random_values(seed, chance(seed) ? &def.rotary_compliance : &def.rotary_frequency, 1, 0);
    random_values(seed, &def.linear_damping_ratio, 1, 0);
    random_values(seed, &def.rotary_damping_ratio, 1, 0);
    def.relative_compliance = chance(seed) ? 0.5 : def.relative_compliance;
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        def.lower[i] = chance(seed) ? -positive(seed) : def.lower[i];
        def.upper[i] = chance(seed) ? positive(seed) : def.upper[i];
        def.locked[i] = chance(seed);
    }
    def.disabled = chance(seed);
    random_values(seed, &def.look.axis_length, 1, 0);
    random_values(seed, &def.look.shaft_length, 1, 0);
    random_values(seed, &def.look.shaft_radius, 1, 0);
    random_values(seed, &def.look.joint_radius, 1, 0);
    random_values(seed, &def.look.slot_width, 1, 0);
    random_values(seed, &def.look.plane_size, 1, 0);
    if (chance(seed)) {
        def.look.color = (tn_vec3){0.25, 1.0 / 3.0, 0.0};
    }
    def.look.draw_frame_c = (tn_frame_style)below(seed, TN_FRAME_STYLE_COUNT);
    def.look.draw_frame_d = (tn_frame_style)below(seed, TN_FRAME_STYLE_COUNT);
    ck_assert_int_eq(tn_spec_add_joint(spec, &def, NULL), TN_OK);
}

static void random_head(uint64_t *seed, tn_spec *spec)
{
    tn_world_def world = tn_default_world_def();
    world.name = chance(seed) ? "two\nlines \"quoted\" \x01 \\ \xe2\x80\xa9 end" : NULL;
    world.gravity = random_vector(seed);
    world.gravity.x = -0.0;
    world.frame_damping = chance(seed) ? positive(seed) : 0;
    ck_assert_int_eq(tn_spec_set_world(spec, &world), TN_OK);
    tn_simulation_def simulation = tn_default_simulation_def();
    simulation.integrator = (tn_integrator)below(seed, TN_INTEGRATOR_COUNT);
    simulation.relative_tolerance = positive(seed);
    simulation.absolute_tolerance = chance(seed) ? 0.0 : positive(seed);
    simulation.step = positive(seed);
    simulation.duration = chance(seed) ? 0 : positive(seed);
    ck_assert_int_eq(tn_spec_set_simulation(spec, &simulation), TN_OK);
    static const tn_body bodies[] = {{1}, {0}};
    static const tn_joint joints[] = {{1}};
    static const tn_marker markers[] = {{0}};
    static const tn_coupling couplings[] = {{0}};
    tn_record_def record = tn_default_record_def();
    record.every = chance(seed) ? positive(seed) : record.every;
    record.what = (uint32_t)below(seed, TN_RECORD_ALL + 1);
    if (chance(seed)) {
        record.bodies = bodies;
        record.body_count = below(seed, 3);
        record.joints = joints;
        record.joint_count = below(seed, 2);
        record.markers = markers;
        record.marker_count = 1;
        record.couplings = couplings;
        record.coupling_count = below(seed, 2) - 1; /* none, or all of none */
    }
    ck_assert_int_eq(tn_spec_set_record(spec, &record), TN_OK);
}

START_TEST(test_random_specs)
{
    uint64_t seed = 20240611;
    for (int round = 0; round < 300; round++) {
        tn_spec *spec = tn_spec_create();
        int bodies = 2 + below(&seed, 5);
        for (int i = 0; i < bodies; i++) {
            random_body(&seed, i, spec);
        }
        for (int i = 0; i < 5; i++) {
            random_joint(&seed, i, bodies, spec);
        }
        tn_marker_def marker = tn_default_marker_def();
        marker.position = random_vector(&seed);
        marker.rotation = random_pose(&seed).q;
        marker.body.i = below(&seed, bodies + 1) - 1;
        ck_assert_int_eq(tn_spec_add_marker(spec, &marker, NULL), TN_OK);
        random_head(&seed, spec);
        char what[32];
        snprintf(what, sizeof(what), "random %d", round);
        expect_round_trip(spec, what);
        tn_spec_destroy(spec);
    }
}
END_TEST

START_TEST(test_empty_spec)
{
    tn_spec *spec = tn_spec_create();
    expect_round_trip(spec, "empty");
    tn_spec_destroy(spec);
}
END_TEST

START_TEST(test_invalid_is_not_written)
{
    tn_spec *spec = tn_spec_create();
    tn_body_def def = tn_default_body_def();
    tn_diagnostics *diags = tn_diagnostics_create();
    char *text = NULL;
    ck_assert_int_eq(tn_spec_add_body(spec, &def, NULL), TN_OK);
    ck_assert_int_eq(tn_spec_write_string(spec, diags, &text, NULL), TN_ERROR_INPUT);
    ck_assert_ptr_null(text);
    ck_assert_int_eq(tn_diagnostics_error_count(diags), 1);
    tn_spec_destroy(spec);

    spec = tn_spec_create();
    def.kind = TN_BODY_FIXED;
    def.name = "not \xff text";
    ck_assert_int_eq(tn_spec_add_body(spec, &def, NULL), TN_OK);
    ck_assert_int_eq(tn_spec_write_string(spec, diags, &text, NULL), TN_ERROR_INPUT);
    ck_assert_ptr_null(text);
    ck_assert(says(diags, "not UTF-8", ""));
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
}
END_TEST

START_TEST(test_write_file)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/written.yaml", TN_TEST_OUTPUT);
    tn_spec *spec = NULL, *back = NULL;
    tn_diagnostics *diags = tn_diagnostics_create();
    expect_ok(tn_spec_read_file(TN_TEST_DATA "/models/everything.yaml", diags, &spec), diags, "");
    expect_ok(tn_spec_write_file(spec, path, diags), diags, path);
    expect_ok(tn_spec_read_file(path, diags, &back), diags, path);
    expect_same_spec(spec, back);
    ck_assert_int_eq(tn_spec_write_file(spec, "/nowhere/x.yaml", diags), TN_ERROR_IO);
    ck_assert_str_eq(tn_diagnostics_get(diags, 0)->at.file, "/nowhere/x.yaml");
    tn_spec_destroy(spec);
    tn_spec_destroy(back);
    tn_diagnostics_destroy(diags);
    remove(path);
}
END_TEST

START_TEST(test_out_of_memory)
{
    test_allocator allocator = {.left = -1};
    tn_set_allocator(test_realloc, &allocator);
    tn_spec *spec = NULL;
    ck_assert_int_eq(tn_spec_read_file(TN_TEST_DATA "/models/everything.yaml", NULL, &spec), TN_OK);
    int64_t alive = allocator.alive;
    tn_status status = TN_ERROR_MEMORY;
    for (int allowed = 0; status != TN_OK; allowed++) {
        char *text = NULL;
        allocator.left = allowed;
        status = tn_spec_write_string(spec, NULL, &text, NULL);
        ck_assert(status == TN_OK || status == TN_ERROR_MEMORY);
        tn_text_free(text);
        ck_assert_int_eq(allocator.alive, alive);
    }
    status = TN_ERROR_MEMORY;
    for (int allowed = 0; status != TN_OK; allowed++) {
        char *text = NULL;
        allocator.left = allowed;
        status = tn_schema_write(&text, NULL);
        ck_assert(status == TN_OK || status == TN_ERROR_MEMORY);
        tn_text_free(text);
        ck_assert_int_eq(allocator.alive, alive);
    }
    tn_spec_destroy(spec);
    ck_assert_int_eq(allocator.alive, 0);
    tn_set_allocator(NULL, NULL);
}
END_TEST

/* A parameter of a joint type is a key of the joint: it must not be one already. */
START_TEST(test_parameters_are_keys_of_their_own)
{
    for (int32_t t = 0; t < tn_joint_type_count(); t++) {
        const tn_joint_type_info *info = tn_joint_type_get((tn_joint_type){t});
        for (int32_t p = 0; p < info->parameter_count; p++) {
            for (int32_t i = 0; i < tn_joint_table.field_count; i++) {
                ck_assert_str_ne(tn_joint_table.fields[i].key, info->parameters[p].name);
            }
        }
    }
}
END_TEST

/* The schema in the documentation is the one the tables give now. */
START_TEST(test_schema_file)
{
    static char kept[1 << 20];
    FILE *file = fopen(TN_DOCS "/tenon-model.schema.json", "rb");
    ck_assert_ptr_nonnull(file);
    size_t length = fread(kept, 1, sizeof(kept) - 1, file);
    fclose(file);
    kept[length] = '\0';
    char *text = NULL;
    ck_assert_int_eq(tn_schema_write(&text, NULL), TN_OK);
    ck_assert_msg(strcmp(text, kept) == 0, "write it anew: tenon schema > "
                                           "docs/tenon-model.schema.json");
    tn_text_free(text);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("model_write");
    TCase *tcase = tcase_create("model_write");
    tcase_add_test(tcase, test_files);
    tcase_add_test(tcase, test_random_specs);
    tcase_add_test(tcase, test_empty_spec);
    tcase_add_test(tcase, test_invalid_is_not_written);
    tcase_add_test(tcase, test_write_file);
    tcase_add_test(tcase, test_out_of_memory);
    tcase_add_test(tcase, test_parameters_are_keys_of_their_own);
    tcase_add_test(tcase, test_schema_file);
    suite_add_tcase(suite, tcase);
    return suite;
}
