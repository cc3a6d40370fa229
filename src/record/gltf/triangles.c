/* triangles.c: room record/gltf: solids of the draw list as triangles. Round ones get facets. */
#include "real/real.h"
#include "record/gltf/triangles.h"

#include <math.h>

#include "base/base.h"
#include "math/m3.h"
#include "math/dense/triangulate.h"

#define AROUND 32 /* facets around a round solid */
#define RINGS  16 /* from pole to pole */

static tn_status put(tn_triangles *t, tn_vec3 a, tn_vec3 b, tn_vec3 c)
{
    float *grown = tn_grow(t->points, &t->capacity, 3 * (t->count + 3), sizeof *t->points);
    if (grown == NULL)
        return TN_ERROR_MEMORY;
    t->points = grown;
    const tn_vec3 corners[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        float *out = t->points + 3 * (size_t)t->count++;
        out[0] = (float)corners[i].x;
        out[1] = (float)corners[i].y;
        out[2] = (float)corners[i].z;
    }
    return TN_OK;
}

static tn_status put_quad(tn_triangles *t, tn_vec3 a, tn_vec3 b, tn_vec3 c, tn_vec3 d)
{
    const tn_status status = put(t, a, b, c);
    return status == TN_OK ? put(t, a, c, d) : status;
}

static tn_status add_box(tn_triangles *t, const tn_primitive *p)
{
    static const int8_t sides[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    tn_vec3 corner[8];
    for (int i = 0; i < 8; i++) {
        corner[i] = v3(i & 1 ? 0.5 * p->size.x : -0.5 * p->size.x,
                       i & 2 ? 0.5 * p->size.y : -0.5 * p->size.y,
                       i & 4 ? 0.5 * p->size.z : -0.5 * p->size.z);
    }
    tn_status status = TN_OK;
    for (int s = 0; s < 6 && status == TN_OK; s++) {
        status = put_quad(t, corner[sides[s][0]], corner[sides[s][1]], corner[sides[s][2]],
                          corner[sides[s][3]]);
    }
    return status;
}

/* Point of a ball with semi-axes r, ring i of RINGS from below, spoke k; the halves `apart`. */
static tn_vec3 ball_point(tn_vec3 r, double apart, int i, int k)
{
    const double up = TN_PI * ((double)i / RINGS - 0.5), angle = 2.0 * TN_PI * k / AROUND;
    const double z = i == 0 ? -1.0 : i == RINGS ? 1.0 : tn_sin(up);
    const double wide = i == 0 || i == RINGS ? 0.0 : tn_cos(up);
    return v3(r.x * wide * tn_cos(angle), r.y * wide * tn_sin(angle),
              r.z * z + (2 * i < RINGS ? -0.5 : 0.5) * apart);
}

/* Of a capsule the ring at the equator is there twice: its lower half ends where its upper one
 * begins. */
static tn_status add_ball(tn_triangles *t, tn_vec3 r, double apart)
{
    tn_status status = TN_OK;
    for (int i = 0; i < RINGS; i++) {
        for (int k = 0; k < AROUND && status == TN_OK; k++) {
            const tn_vec3 a = ball_point(r, apart, i, k), b = ball_point(r, apart, i, k + 1);
            const tn_vec3 c = ball_point(r, apart, i + 1, k + 1);
            const tn_vec3 d = ball_point(r, apart, i + 1, k);
            if (i > 0)
                status = put(t, a, b, c);
            if (i + 1 < RINGS && status == TN_OK)
                status = put(t, a, c, d);
        }
    }
    return status;
}

static tn_status add_cylinder(tn_triangles *t, const tn_primitive *p)
{
    const double r = p->size.x, half = 0.5 * p->size.z;
    tn_status status = TN_OK;
    for (int k = 0; k < AROUND && status == TN_OK; k++) {
        const double from = 2.0 * TN_PI * k / AROUND, to = 2.0 * TN_PI * (k + 1) / AROUND;
        const tn_vec3 a = v3(r * tn_cos(from), r * tn_sin(from), -half);
        const tn_vec3 b = v3(r * tn_cos(to), r * tn_sin(to), -half);
        const tn_vec3 c = v3(b.x, b.y, half), d = v3(a.x, a.y, half);
        status = put_quad(t, a, b, c, d);
        if (status == TN_OK)
            status = put(t, v3(0.0, 0.0, -half), b, a);
        if (status == TN_OK)
            status = put(t, v3(0.0, 0.0, half), d, c);
    }
    return status;
}

static tn_vec3 at_height(tn_vec3 p, double z)
{
    return v3(p.x, p.y, z);
}

static tn_status add_ends(tn_triangles *t, const tn_primitive *p, const int32_t *triangles)
{
    const double half = 0.5 * p->size.z;
    tn_status status = TN_OK;
    for (int32_t k = 0; k < p->point_count - 2 && status == TN_OK; k++) {
        const tn_vec3 a = p->points[triangles[3 * k]], b = p->points[triangles[3 * k + 1]];
        const tn_vec3 c = p->points[triangles[3 * k + 2]];
        status = put(t, at_height(a, half), at_height(b, half), at_height(c, half));
        if (status == TN_OK)
            status = put(t, at_height(c, -half), at_height(b, -half), at_height(a, -half));
    }
    return status;
}

/* Twice the area of the outline, positive when it runs counter-clockwise. */
static double area_of(const tn_primitive *p)
{
    double sum = 0.0;
    for (int32_t k = 0; k < p->point_count; k++) {
        const tn_vec3 a = p->points[k], b = p->points[(k + 1) % p->point_count];
        sum += a.x * b.y - a.y * b.x;
    }
    return sum;
}

static tn_status add_prism(tn_triangles *t, const tn_primitive *p)
{
    const double half = area_of(p) > 0.0 ? 0.5 * p->size.z : -0.5 * p->size.z;
    int32_t *triangles = TN_NEW_ARRAY(int32_t, 3 * p->point_count);
    tn_status status =
        triangles ? tn_triangulate(p->points, p->point_count, triangles) : TN_ERROR_MEMORY;
    if (status == TN_OK)
        status = add_ends(t, p, triangles);
    tn_free(triangles);
    for (int32_t k = 0; k < p->point_count && status == TN_OK; k++) {
        const tn_vec3 a = p->points[k], b = p->points[(k + 1) % p->point_count];
        status = put_quad(t, at_height(a, -half), at_height(b, -half), at_height(b, half),
                          at_height(a, half));
    }
    return status;
}

static tn_status add_mesh(tn_triangles *t, const tn_primitive *p)
{
    tn_status status = TN_OK;
    for (int32_t k = 0; k < p->triangle_count && status == TN_OK; k++) {
        const int32_t *v = p->triangles[k].v;
        status = put(t, p->points[v[0]], p->points[v[1]], p->points[v[2]]);
    }
    return status;
}

tn_status tn_triangles_add(tn_triangles *t, const tn_primitive *p)
{
    const double r = p->size.x;
    switch (p->kind) {
    case TN_PRIMITIVE_SPHERE:
        return add_ball(t, v3(r, r, r), 0.0);
    case TN_PRIMITIVE_ELLIPSOID:
        return add_ball(t, p->size, 0.0);
    case TN_PRIMITIVE_CAPSULE:
        return add_ball(t, v3(r, r, r), p->size.z);
    case TN_PRIMITIVE_CYLINDER:
        return add_cylinder(t, p);
    case TN_PRIMITIVE_BOX:
        return add_box(t, p);
    case TN_PRIMITIVE_PRISM:
        return add_prism(t, p);
    case TN_PRIMITIVE_MESH:
        return add_mesh(t, p);
    default:
        return TN_OK;
    }
}
