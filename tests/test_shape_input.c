/* Shape definitions that describe no solid are refused, each with a message that names the culprit;
 * and the table of kinds is what readers may rely on. */
#include <check.h>
#include <math.h>

#include "support/allocator.h"
#include "support/run_main.h"
#include "support/solids.h"

/* Refused, with `first` and `second` in one message at def->at, and out untouched. */
static void expect_refused(const tn_shape_def *def, double density, const char *first,
                           const char *second)
{
    tn_shape_def placed = *def;
    placed.at = (tn_location){"model.yaml", 7, 5};
    tn_mass_properties out = {.mass = 123};
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_status status = tn_shape_mass_properties(&placed, density, &out, diags);
    ck_assert_int_ne(status, TN_OK);
    ck_assert(out.mass == 123);
    ck_assert_int_ge(tn_diagnostics_error_count(diags), 1);
    ck_assert_msg(says(diags, first, second), "no message with '%s' and '%s', but '%s'", first,
                  second, tn_diagnostics_get(diags, 0)->message);
    for (int32_t i = 0; i < tn_diagnostics_count(diags); i++) {
        ck_assert_int_eq(tn_diagnostics_get(diags, i)->at.line, 7);
    }
    ck_assert_int_eq(tn_shape_mass_properties(&placed, density, &out, NULL), status);
    tn_diagnostics_destroy(diags);
}

static const double unset = (double)NAN;

START_TEST(test_table)
{
    for (int k = 0; k < TN_SHAPE_KIND_COUNT; k++) {
        const tn_shape_kind_info *info = tn_shape_kind_get((tn_shape_kind)k);
        ck_assert_ptr_nonnull(info);
        tn_shape_kind found = TN_SHAPE_KIND_COUNT;
        ck_assert_int_eq(tn_shape_kind_find(info->name, &found), TN_OK);
        ck_assert_int_eq(found, k);
        ck_assert_int_gt(info->parameter_count, 0);
        for (int32_t p = 0; p < info->parameter_count; p++) {
            const tn_shape_parameter *parameter = &info->parameters[p];
            ck_assert(parameter->name[0] != 0 && parameter->doc[0] != 0);
            ck_assert(parameter->unit != NULL && parameter->count >= 1);
            ck_assert_int_ge(parameter->multiple_of, 1);
            ck_assert_uint_lt(parameter->offset, sizeof(tn_shape_def));
            for (int32_t q = 0; q < p; q++) {
                ck_assert_str_ne(parameter->name, info->parameters[q].name);
            }
        }
    }
    tn_shape_kind found;
    ck_assert_int_eq(tn_shape_kind_find("sphere", &found), TN_OK);
    ck_assert_int_eq(found, TN_SHAPE_SPHERE);
    ck_assert_int_eq(tn_shape_kind_find("spheres", &found), TN_ERROR_NOT_FOUND);
    ck_assert_ptr_null(tn_shape_kind_get(TN_SHAPE_KIND_COUNT));
    ck_assert_ptr_null(tn_shape_kind_get((tn_shape_kind)-1));
}
END_TEST

/* Every number of every kind: written through the table it changes the mass; NaN, infinity, zero
 * and negative values are refused by name. */
START_TEST(test_every_real)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 0, -0.5};
    for (int k = 0; k < TN_SHAPE_KIND_COUNT; k++) {
        const tn_shape_kind_info *info = tn_shape_kind_get((tn_shape_kind)k);
        for (int32_t p = 0; p < info->parameter_count; p++) {
            const tn_shape_parameter *parameter = &info->parameters[p];
            for (int32_t i = 0; parameter->type == TN_SHAPE_PARAMETER_REAL && i < parameter->count;
                 i++) {
                tn_shape_def def = sample_shape((tn_shape_kind)k);
                double mass = mass_of(&def).mass;
                tn_shape_reals(&def, parameter)[i] *= 1.5;
                ck_assert_double_gt(mass_of(&def).mass, 1.1 * mass);
                for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) {
                    tn_shape_reals(&def, parameter)[i] = bad[b];
                    expect_refused(&def, unset, info->name, parameter->name);
                }
            }
        }
    }
}
END_TEST

START_TEST(test_integers)
{
    static const int32_t bad_box[] = {-1, 1, 1000001}, bad_cylinder[] = {-4, 2, 6, 17, 1000004};
    tn_shape_def box = sample_shape(TN_SHAPE_ROUNDED_BOX);
    tn_shape_def cylinder = sample_shape(TN_SHAPE_ROUNDED_CYLINDER);
    for (size_t i = 0; i < sizeof bad_box / sizeof bad_box[0]; i++) {
        box.slices = bad_box[i];
        expect_refused(&box, unset, "rounded_box: slices", "from 2");
    }
    for (size_t i = 0; i < sizeof bad_cylinder / sizeof bad_cylinder[0]; i++) {
        cylinder.slices = bad_cylinder[i];
        expect_refused(&cylinder, unset, "rounded_cylinder: slices", "multiple of 4");
    }
}
END_TEST

/* A fresh definition lacks every required number: all of them are reported in one go. */
START_TEST(test_all_problems_at_once)
{
    for (int k = 0; k < TN_SHAPE_KIND_COUNT; k++) {
        const tn_shape_kind_info *info = tn_shape_kind_get((tn_shape_kind)k);
        tn_shape_def def = tn_default_shape_def((tn_shape_kind)k);
        expect_refused(&def, unset, "neither density nor mass", info->name);
        for (int32_t p = 0; p < info->parameter_count; p++) {
            if (!info->parameters[p].optional) {
                expect_refused(&def, unset, info->name, info->parameters[p].name);
            }
        }
    }
}
END_TEST

START_TEST(test_matter)
{
    static const double bad[] = {(double)INFINITY, 0, -2};
    tn_shape_def def = sample_shape(TN_SHAPE_SPHERE), inherits = def;
    def.mass = 2;
    expect_refused(&def, unset, "sphere", "both set");
    inherits.density = unset;
    expect_refused(&inherits, unset, "sphere", "neither");
    for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) {
        expect_refused(&inherits, bad[b], "sphere", "density of the body");
        def = inherits;
        def.mass = bad[b];
        expect_refused(&def, 1, "sphere", "mass must be");
        def.mass = unset;
        def.density = bad[b];
        expect_refused(&def, 1, "sphere", "density must be");
    }
}
END_TEST

START_TEST(test_pose_and_cookie)
{
    tn_shape_def def = sample_shape(TN_SHAPE_BOX);
    def.pose.p.y = unset;
    expect_refused(&def, unset, "box", "position is not finite");
    def = sample_shape(TN_SHAPE_BOX);
    def.pose.q.w = 2;
    expect_refused(&def, unset, "box", "length 2");
    def.pose.q.w = 0;
    expect_refused(&def, unset, "box", "unit quaternion");
    def.pose.q.w = unset;
    expect_refused(&def, unset, "box", "unit quaternion");
    def = sample_shape(TN_SHAPE_BOX);
    def.kind = (tn_shape_kind)99;
    expect_refused(&def, unset, "definition", "not set");
    tn_shape_def zero = {0};
    expect_refused(&zero, 1, "definition", "not set");
    tn_mass_properties out;
    ck_assert_int_eq(tn_shape_mass_properties(&zero, 1, &out, NULL), TN_ERROR_ARGUMENT);
}
END_TEST

/* Dimensions that are fine one by one but leave the range of double together. */
START_TEST(test_out_of_range)
{
    tn_shape_def def = sample_shape(TN_SHAPE_SPHERE);
    def.radius = 1e150;
    expect_refused(&def, unset, "mass", "not finite");
    def.radius = 1e-150;
    expect_refused(&def, unset, "mass", "positive");
    def.radius = 1e70;
    expect_refused(&def, unset, "inertia", "not finite");
}
END_TEST

static void expect_polygon_refused(const tn_vec2 *points, int32_t count, const char *message)
{
    tn_shape_def def = sample_shape(TN_SHAPE_EXTRUSION);
    def.points = points;
    def.point_count = count;
    expect_refused(&def, unset, "extrusion", message);
}

START_TEST(test_polygons_refused)
{
    static const tn_vec2 bow_tie[] = {{0, 0}, {1, 1}, {1, 0}, {0, 1}};
    expect_polygon_refused(bow_tie, 4, "points[0]-points[1] and points[2]-points[3]");
    static const tn_vec2 closed[] = {{0, 0}, {1, 0}, {0, 1}, {0, 0}};
    expect_polygon_refused(closed, 4, "points[3] and points[0] coincide");
    static const tn_vec2 touching[] = {{0, 0}, {4, 0}, {4, 2}, {2, 0}, {0, 2}};
    expect_polygon_refused(touching, 5, "cross, touch");
    static const tn_vec2 pinched[] = {{0, 0}, {2, 0}, {1, 1}, {2, 2}, {0, 2}, {1, 1}};
    expect_polygon_refused(pinched, 6, "cross, touch");
    static const tn_vec2 flat[] = {{0, 0}, {1, 1}, {2, 2}};
    expect_polygon_refused(flat, 3, "overlap");
    static const tn_vec2 spike[] = {{0, 0}, {2, 0}, {2, 1}, {2, 3}, {2, 1}, {0, 1}};
    expect_polygon_refused(spike, 6, "cross, touch");
    static const tn_vec2 back[] = {{0, 0}, {3, 0}, {1, 0}, {1, 2}};
    expect_polygon_refused(back, 4, "overlap");
    static const tn_vec2 overlap[] = {{0, 0}, {4, 0}, {4, 1}, {3, 0}, {1, 0}, {0, 1}};
    expect_polygon_refused(overlap, 6, "overlap");
    expect_polygon_refused(bow_tie, 2, "at least 3");
    expect_polygon_refused(bow_tie, -1, "at least 3");
    expect_polygon_refused(NULL, 4, "at least 3");
    const tn_vec2 infinite[] = {{0, 0}, {1, 0}, {0, (double)INFINITY}};
    expect_polygon_refused(infinite, 3, "points[2] is not finite");
}
END_TEST

/* Star-shaped outlines are simple; exchanging two corners of a big one makes edges cross. */
START_TEST(test_polygons_random)
{
    enum { CORNERS = 60 };
    uint64_t seed = 21;
    for (int trial = 0; trial < 50; trial++) {
        tn_vec2 star[CORNERS];
        double area = 0;
        for (int i = 0; i < CORNERS; i++) {
            double t = 2 * PI * i / CORNERS, r = 2 + random_number(&seed);
            star[i] = (tn_vec2){r * cos(t), r * sin(t)};
        }
        for (int i = 0; i < CORNERS; i++) {
            tn_vec2 p = star[i], q = star[(i + 1) % CORNERS];
            area += 0.5 * (p.x * q.y - p.y * q.x);
        }
        tn_shape_def def = sample_shape(TN_SHAPE_EXTRUSION);
        def.points = star;
        def.point_count = CORNERS;
        ck_assert_double_eq_tol(mass_of(&def).mass, 3 * 0.8 * area, 1e-12);
        tn_vec2 keep = star[10];
        star[10] = star[40];
        star[40] = keep;
        expect_refused(&def, unset, "extrusion", "cross");
    }
}
END_TEST

START_TEST(test_collinear_corners_are_fine)
{
    static const tn_vec2 square[] = {{0, 0}, {1, 0}, {2, 0}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    tn_shape_def def = sample_shape(TN_SHAPE_EXTRUSION);
    def.points = square;
    def.point_count = 7;
    ck_assert_double_eq_tol(mass_of(&def).mass, 3 * 4 * 0.8, 1e-14);
}
END_TEST

static void expect_mesh_refused(const tn_triangle *triangles, int32_t count, const char *message)
{
    tn_shape_def def = sample_shape(TN_SHAPE_MESH);
    def.triangles = triangles;
    def.triangle_count = count;
    expect_refused(&def, unset, "mesh", message);
}

START_TEST(test_meshes_refused)
{
    tn_triangle faces[16];
    memcpy(faces, SAMPLE_CUBE_FACES, sizeof SAMPLE_CUBE_FACES);
    expect_mesh_refused(faces, 11, "open: edge");
    expect_mesh_refused(faces, 3, "at least 4");
    expect_mesh_refused(faces, -1, "at least 4");
    expect_mesh_refused(NULL, 12, "at least 4");
    expect_mesh_refused(faces, 4, "more edges");
    faces[3] = (tn_triangle){{5, 6, 7}};
    expect_mesh_refused(faces, 12, "turned against each other");
    faces[3] = (tn_triangle){{5, 7, 8}};
    expect_mesh_refused(faces, 12, "triangles[3] names vertex 8");
    faces[3] = (tn_triangle){{5, -1, 6}};
    expect_mesh_refused(faces, 12, "triangles[3] names vertex -1");
    faces[3] = (tn_triangle){{5, 5, 6}};
    expect_mesh_refused(faces, 12, "names a vertex twice");
    faces[3] = SAMPLE_CUBE_FACES[3];
    faces[12] = faces[3];
    expect_mesh_refused(faces, 13, "triangles[3] and triangles[12] are the same");
    expect_mesh_refused(faces, 13, "from vertex 5 to 7, but 1 back");
    tn_triangle twice[24]; /* the whole cube twice leaves no edge open, but counts double */
    memcpy(twice, SAMPLE_CUBE_FACES, sizeof SAMPLE_CUBE_FACES);
    for (int t = 0; t < 12; t++) {
        const int32_t *v = twice[t].v;
        twice[12 + t] = (tn_triangle){{v[1], v[2], v[0]}};
    }
    expect_mesh_refused(twice, 24, "are the same");
}
END_TEST

START_TEST(test_mesh_numbers_refused)
{
    tn_shape_def def = sample_shape(TN_SHAPE_MESH);
    tn_vec3 vertices[8];
    memcpy(vertices, SAMPLE_CUBE, sizeof vertices);
    def.vertices = vertices;
    vertices[5].z = unset;
    expect_refused(&def, unset, "mesh", "vertices[5] is not finite");
    def.vertex_count = 3;
    expect_refused(&def, unset, "mesh", "at least 4");
    def = sample_shape(TN_SHAPE_MESH);
    def.file = "gone.stl";
    def.triangle_count = 0;
    expect_refused(&def, unset, "mesh", "no triangles have been read from 'gone.stl'");
}
END_TEST

/* A closed surface without inside: the cube pressed flat, in a slanted plane. */
START_TEST(test_flat_mesh_refused)
{
    tn_shape_def def = sample_shape(TN_SHAPE_MESH);
    tn_vec3 vertices[8];
    for (int i = 0; i < 8; i++) {
        double x = SAMPLE_CUBE[i].x + 0.3 * SAMPLE_CUBE[i].z, y = SAMPLE_CUBE[i].y;
        vertices[i] = (tn_vec3){x, y, 0.1 * x + 0.7 * y + 0.3};
    }
    def.vertices = vertices;
    expect_refused(&def, unset, "mesh", "encloses no volume");
    for (int i = 0; i < 8; i++) { /* a micrometre of thickness on a metre is a solid again */
        vertices[i].z += 1e-6 * SAMPLE_CUBE[i].z;
    }
    ck_assert_double_eq_tol(mass_of(&def).mass, 3e-6, 1e-12);
}
END_TEST

/* All triangles inwards: taken the other way round, with a warning. */
START_TEST(test_inverted_mesh)
{
    tn_triangle faces[12];
    for (int t = 0; t < 12; t++) {
        const int32_t *v = SAMPLE_CUBE_FACES[t].v;
        faces[t] = (tn_triangle){{v[1], v[0], v[2]}};
    }
    tn_shape_def def = sample_shape(TN_SHAPE_MESH), inverted = def;
    inverted.triangles = faces;
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_mass_properties got, expected = mass_of(&def);
    ck_assert_int_eq(tn_shape_mass_properties(&inverted, unset, &got, diags), TN_OK);
    ck_assert_int_eq(tn_diagnostics_count(diags), 1);
    ck_assert_int_eq(tn_diagnostics_get(diags, 0)->severity, TN_WARNING);
    ck_assert(says(diags, "face inwards", "mesh"));
    expect_same(&got, &expected, 1, 1e-14);
    tn_diagnostics_destroy(diags);
}
END_TEST

/* Every allocation of the two kinds that allocate fails in turn: a status, no leak, no crash. */
START_TEST(test_out_of_memory)
{
    static const tn_shape_kind kinds[] = {TN_SHAPE_EXTRUSION, TN_SHAPE_MESH};
    for (int k = 0; k < 2; k++) {
        tn_shape_def def = sample_shape(kinds[k]);
        tn_mass_properties out;
        test_allocator memory = {.left = 0};
        tn_set_allocator(test_realloc, &memory);
        tn_status starved = tn_shape_mass_properties(&def, unset, &out, NULL);
        memory.left = 2;
        tn_status fed = tn_shape_mass_properties(&def, unset, &out, NULL);
        tn_set_allocator(NULL, NULL);
        ck_assert_int_eq(starved, TN_ERROR_MEMORY);
        ck_assert_int_eq(fed, TN_OK);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("shape_input");
    TCase *tests = tcase_create("shape_input");
    tcase_add_test(tests, test_table);
    tcase_add_test(tests, test_every_real);
    tcase_add_test(tests, test_integers);
    tcase_add_test(tests, test_all_problems_at_once);
    tcase_add_test(tests, test_matter);
    tcase_add_test(tests, test_pose_and_cookie);
    tcase_add_test(tests, test_out_of_range);
    tcase_add_test(tests, test_polygons_refused);
    tcase_add_test(tests, test_polygons_random);
    tcase_add_test(tests, test_collinear_corners_are_fine);
    tcase_add_test(tests, test_meshes_refused);
    tcase_add_test(tests, test_mesh_numbers_refused);
    tcase_add_test(tests, test_flat_mesh_refused);
    tcase_add_test(tests, test_inverted_mesh);
    tcase_add_test(tests, test_out_of_memory);
    suite_add_tcase(suite, tests);
    return suite;
}
