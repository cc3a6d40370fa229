/* outline.c (room: spec/shape): shapes as primitives to draw (outline.h).
 *
 * In: checked definitions. Out: copies of what is needed to draw them, mesh vertices scaled. Round
 * parts stay round, but a round-ended bar becomes a polygon of at most MOST_FACETS facets an end.
 */
#include "real/real.h"
#include "spec/shape/outline.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Facets of a rounded end that is exactly round or has more than an eye can see. */
#define MOST_FACETS 24

tn_status tn_outline_box(const tn_shape_def *def, tn_arena *arena, tn_primitive *out)
{
    (void)arena;
    out->kind = TN_PRIMITIVE_BOX;
    out->size = def->size;
    return TN_OK;
}

tn_status tn_outline_sphere(const tn_shape_def *def, tn_arena *arena, tn_primitive *out)
{
    (void)arena;
    out->kind = TN_PRIMITIVE_SPHERE;
    out->size.x = def->radius;
    return TN_OK;
}

static tn_status round_bar(const tn_shape_def *def, tn_primitive_kind kind, tn_primitive *out)
{
    out->kind = kind;
    out->size = (tn_vec3){def->radius, def->radius, def->length};
    return TN_OK;
}

tn_status tn_outline_cylinder(const tn_shape_def *def, tn_arena *arena, tn_primitive *out)
{
    (void)arena;
    return round_bar(def, TN_PRIMITIVE_CYLINDER, out);
}

tn_status tn_outline_capsule(const tn_shape_def *def, tn_arena *arena, tn_primitive *out)
{
    (void)arena;
    return round_bar(def, TN_PRIMITIVE_CAPSULE, out);
}

tn_status tn_outline_rounded_cylinder(const tn_shape_def *def, tn_arena *arena, tn_primitive *out)
{
    (void)arena;
    return round_bar(def, TN_PRIMITIVE_CAPSULE, out);
}

tn_status tn_outline_ellipsoid(const tn_shape_def *def, tn_arena *arena, tn_primitive *out)
{
    (void)arena;
    out->kind = TN_PRIMITIVE_ELLIPSOID;
    out->size = def->semi_axes;
    return TN_OK;
}

/* The plate's x-z outline becomes the prism's x-y polygon by a quarter turn about x. */
tn_status tn_outline_rounded_box(const tn_shape_def *def, tn_arena *arena, tn_primitive *out)
{
    const tn_pose upright = {.q = {sqrt(0.5), sqrt(0.5), 0.0, 0.0}};
    const int32_t facets = def->slices > 0 && def->slices < MOST_FACETS ? def->slices : MOST_FACETS;
    const int32_t count = 2 * (facets + 1);
    tn_vec3 *points = tn_arena_alloc(arena, sizeof(*points) * (size_t)count);
    if (points == NULL) {
        return TN_ERROR_MEMORY;
    }
    const double radius = 0.5 * def->width;
    for (int32_t i = 0; i < count; i++) {
        const int32_t end = i > facets; /* 0: at +z, 1: at -z */
        const double angle = PI * ((double)(i - end) / facets);
        const double middle = (end ? -0.5 : 0.5) * def->length;
        points[i] = (tn_vec3){radius * tn_cos(angle), middle + radius * tn_sin(angle), 0.0};
    }
    out->kind = TN_PRIMITIVE_PRISM;
    out->pose = tn_pose_multiply(out->pose, upright);
    out->size.z = def->depth;
    out->points = points;
    out->point_count = count;
    return TN_OK;
}

tn_status tn_outline_extrusion(const tn_shape_def *def, tn_arena *arena, tn_primitive *out)
{
    tn_vec3 *points = tn_arena_alloc(arena, sizeof(*points) * (size_t)def->point_count);
    if (points == NULL) {
        return TN_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < def->point_count; i++) {
        points[i] = (tn_vec3){def->points[i].x, def->points[i].y, 0.0};
    }
    out->kind = TN_PRIMITIVE_PRISM;
    out->size.z = def->height;
    out->points = points;
    out->point_count = def->point_count;
    return TN_OK;
}

tn_status tn_outline_mesh(const tn_shape_def *def, tn_arena *arena, tn_primitive *out)
{
    const size_t corners = sizeof(*def->triangles) * (size_t)def->triangle_count;
    tn_vec3 *points = tn_arena_alloc(arena, sizeof(*points) * (size_t)def->vertex_count);
    tn_triangle *triangles = tn_arena_alloc(arena, corners);
    if (points == NULL || triangles == NULL) {
        return TN_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < def->vertex_count; i++) {
        const tn_vec3 v = def->vertices[i];
        points[i] = (tn_vec3){def->scale * v.x, def->scale * v.y, def->scale * v.z};
    }
    memcpy(triangles, def->triangles, corners);
    out->kind = TN_PRIMITIVE_MESH;
    out->points = points;
    out->point_count = def->vertex_count;
    out->triangles = triangles;
    out->triangle_count = def->triangle_count;
    return TN_OK;
}
