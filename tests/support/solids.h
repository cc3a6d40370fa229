/* solids.h: what the tests of shapes and meshes share: random poses, comparison, sample solids.
 */
#ifndef TN_TESTS_SOLIDS_H
#define TN_TESTS_SOLIDS_H

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_text.h"
#include "random_numbers.h"
#include "tenon/shape.h"

#define PI 3.14159265358979323846

static inline tn_pose random_pose(uint64_t *seed)
{
    tn_vec3 axis = random_vector(seed);
    return (tn_pose){random_vector(seed), tn_quat_from_axis_angle(axis, PI * random_number(seed))};
}

/* a and b agree to tolerance: mass relatively, centre relative to length (m), inertia relative to
 * its largest entry. */
static inline void expect_same(const tn_mass_properties *a, const tn_mass_properties *b,
                               double length, double tolerance)
{
    ck_assert_double_eq_tol(a->mass, b->mass, tolerance * fabs(b->mass));
    ck_assert_double_eq_tol(a->com.x, b->com.x, tolerance * length);
    ck_assert_double_eq_tol(a->com.y, b->com.y, tolerance * length);
    ck_assert_double_eq_tol(a->com.z, b->com.z, tolerance * length);
    double largest = 0;
    for (int i = 0; i < 3; i++) {
        largest = fmax(largest, fabs(b->inertia.m[i][i]));
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            ck_assert_double_eq_tol(a->inertia.m[i][j], b->inertia.m[i][j], tolerance * largest);
        }
    }
}

/* An unskewed inertia in its own axes. */
static inline tn_mass_properties centred(double mass, double xx, double yy, double zz)
{
    return (tn_mass_properties){.mass = mass, .inertia = {{{xx, 0, 0}, {0, yy, 0}, {0, 0, zz}}}};
}

static const tn_vec2 SAMPLE_L[6] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
static const tn_vec3 SAMPLE_CUBE[8] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                       {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const tn_triangle SAMPLE_CUBE_FACES[12] = {
    {{0, 2, 1}}, {{1, 2, 3}}, {{4, 5, 6}}, {{5, 7, 6}}, {{0, 1, 4}}, {{1, 5, 4}},
    {{2, 6, 3}}, {{3, 6, 7}}, {{0, 4, 2}}, {{2, 4, 6}}, {{1, 3, 5}}, {{3, 7, 5}}};

/* A valid shape of any kind, all dimensions different; density 3 kg/m^3. */
static inline tn_shape_def sample_shape(tn_shape_kind kind)
{
    tn_shape_def def = tn_default_shape_def(kind);
    def.density = 3;
    def.size = (tn_vec3){0.5, 0.7, 1.1};
    def.semi_axes = (tn_vec3){0.4, 0.6, 0.9};
    def.radius = 0.3;
    def.length = 1.3;
    def.width = 0.45;
    def.depth = 0.2;
    def.height = 0.8;
    def.points = SAMPLE_L;
    def.point_count = 6;
    def.vertices = SAMPLE_CUBE;
    def.vertex_count = 8;
    def.triangles = SAMPLE_CUBE_FACES;
    def.triangle_count = 12;
    return def;
}

static inline tn_mass_properties mass_of(const tn_shape_def *def)
{
    tn_mass_properties props = {.mass = (double)NAN};
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_status status = tn_shape_mass_properties(def, (double)NAN, &props, diags);
    expect_ok(status, diags, "a shape");
    tn_diagnostics_destroy(diags);
    return props;
}

/* Whether some message contains both texts. */
static inline bool says(const tn_diagnostics *diags, const char *first, const char *second)
{
    for (int32_t i = 0; i < tn_diagnostics_count(diags); i++) {
        const char *message = tn_diagnostics_get(diags, i)->message;
        if (strstr(message, first) != NULL && strstr(message, second) != NULL) {
            return true;
        }
    }
    return false;
}

#endif
