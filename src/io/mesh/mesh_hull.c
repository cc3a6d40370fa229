/* mesh_hull.c (room: io/mesh): the convex hull of points, one point after the other.
 *
 * The hull begins as a tetrahedron of points far apart. A point outside of some faces replaces these by the triangles
 * between itself and their horizon, the edges that only one of these faces has.
 */
#include "io/mesh/mesh_hull.h"

#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "math/m3.h"

/* Of the largest distance: nearer to a plane a point lies in it; twice what files round to with six digits is more. */
#define IN_PLANE 1e-10

typedef struct hull_face {
    int32_t v[3];
    tn_vec3 normal; /* outward, of length 1 */
    double offset;  /* normal . p on the face */
} hull_face;

typedef struct hull_edge {
    int32_t from, to;
} hull_edge;

typedef struct hull {
    const tn_vec3 *points;
    hull_face *faces; /* [count] */
    hull_edge *edges; /* [edge_count] of the faces that a point sees */
    int32_t count, capacity, edge_count, edge_capacity;
    double flat; /* m: distances below are 0 */
    tn_status status;
} hull;

static void add_face(hull *h, int32_t a, int32_t b, int32_t c)
{
    const tn_vec3 p = h->points[a];
    const tn_vec3 n = v3_cross(v3_sub(h->points[b], p), v3_sub(h->points[c], p));
    const double length = v3_norm(n);
    hull_face *grown = tn_grow(h->faces, &h->capacity, h->count + 1, sizeof *h->faces);
    if (grown == NULL) {
        h->status = TN_ERROR_MEMORY;
        return;
    }
    h->faces = grown;
    const tn_vec3 unit = length > 0.0 ? v3_scale(1.0 / length, n) : v3(0.0, 0.0, 0.0);
    h->faces[h->count++] = (hull_face){{a, b, c}, unit, v3_dot(unit, p)};
}

static bool sees(const hull *h, const hull_face *face, tn_vec3 p)
{
    return v3_dot(face->normal, p) - face->offset > h->flat;
}

/* Edges are sorted by their ends, whatever the direction. */
static int by_ends(const void *left, const void *right)
{
    const hull_edge *a = left, *b = right;
    const int32_t low_a = a->from < a->to ? a->from : a->to,
                  low_b = b->from < b->to ? b->from : b->to;
    const int32_t high_a = a->from + a->to - low_a, high_b = b->from + b->to - low_b;
    return low_a != low_b ? (low_a < low_b ? -1 : 1) : (high_a > high_b) - (high_a < high_b);
}

static void add_edges(hull *h, const hull_face *face)
{
    hull_edge *grown = tn_grow(h->edges, &h->edge_capacity, h->edge_count + 3, sizeof *h->edges);
    if (grown == NULL) {
        h->status = TN_ERROR_MEMORY;
        return;
    }
    h->edges = grown;
    for (int k = 0; k < 3; k++) {
        h->edges[h->edge_count++] = (hull_edge){face->v[k], face->v[(k + 1) % 3]};
    }
}

static void add_point(hull *h, int32_t index)
{
    int32_t kept = 0;
    h->edge_count = 0;
    for (int32_t i = 0; i < h->count && h->status == TN_OK; i++) {
        if (sees(h, &h->faces[i], h->points[index])) {
            add_edges(h, &h->faces[i]);
        } else {
            h->faces[kept++] = h->faces[i];
        }
    }
    if (h->status != TN_OK || h->edge_count == 0)
        return;
    h->count = kept;
    qsort(h->edges, (size_t)h->edge_count, sizeof *h->edges, by_ends);
    for (int32_t i = 0; i < h->edge_count && h->status == TN_OK; i++) {
        if (i + 1 < h->edge_count && by_ends(&h->edges[i], &h->edges[i + 1]) == 0) {
            i++; /* two of the faces have it */
        } else {
            add_face(h, h->edges[i].from, h->edges[i].to, index);
        }
    }
}

static double distance_from_line(tn_vec3 p, tn_vec3 a, tn_vec3 b)
{
    return v3_norm(v3_cross(v3_sub(p, a), v3_sub(b, a))) / v3_norm(v3_sub(b, a));
}

/* The corners of the first tetrahedron, far apart; false: all points lie in a plane. */
static bool find_corners(hull *h, int32_t count, int32_t corner[4])
{
    const tn_vec3 *p = h->points;
    double far = 0.0;
    corner[0] = corner[1] = corner[2] = corner[3] = 0;
    for (int32_t i = 0; i < count; i++) {
        const double d = v3_norm(v3_sub(p[i], p[0]));
        corner[1] = d > far ? i : corner[1];
        far = fmax(far, d);
    }
    h->flat = IN_PLANE * far;
    double off = 0.0, away = 0.0;
    for (int32_t i = 0; i < count && far > 0.0; i++) {
        const double d = distance_from_line(p[i], p[0], p[corner[1]]);
        corner[2] = d > off ? i : corner[2];
        off = fmax(off, d);
    }
    if (!(off > h->flat))
        return false;
    const tn_vec3 n = v3_cross(v3_sub(p[corner[1]], p[0]), v3_sub(p[corner[2]], p[0]));
    for (int32_t i = 0; i < count; i++) {
        const double d = fabs(v3_dot(n, v3_sub(p[i], p[0]))) / v3_norm(n);
        corner[3] = d > away ? i : corner[3];
        away = fmax(away, d);
    }
    return away > h->flat;
}

static void begin(hull *h, int32_t c[4])
{
    const tn_vec3 o = h->points[c[0]],
                  n = v3_cross(v3_sub(h->points[c[1]], o), v3_sub(h->points[c[2]], o));
    if (v3_dot(n, v3_sub(h->points[c[3]], o)) > 0.0) {
        const int32_t other = c[1];
        c[1] = c[2];
        c[2] = other;
    }
    add_face(h, c[0], c[1], c[2]);
    add_face(h, c[0], c[3], c[1]);
    add_face(h, c[1], c[3], c[2]);
    add_face(h, c[2], c[3], c[0]);
}

static void hand_on(hull *h, tn_mesh_builder *builder)
{
    for (int32_t i = 0; i < h->count && h->status == TN_OK; i++) {
        int32_t v[3];
        for (int k = 0; k < 3 && h->status == TN_OK; k++) {
            h->status = tn_mesh_builder_vertex(builder, h->points[h->faces[i].v[k]], &v[k]);
        }
        if (h->status == TN_OK)
            h->status = tn_mesh_builder_triangle(builder, v[0], v[1], v[2]);
    }
}

tn_status tn_mesh_hull(const tn_vec3 *points, int32_t count, tn_mesh_builder *builder)
{
    int32_t corner[4];
    hull h = {.points = points};
    if (count > TN_HULL_MOST_POINTS)
        return TN_ERROR_UNSUPPORTED;
    if (count < 4 || !find_corners(&h, count, corner))
        return TN_ERROR_INPUT;
    begin(&h, corner);
    for (int32_t i = 0; i < count && h.status == TN_OK; i++) {
        add_point(&h, i);
    }
    hand_on(&h, builder);
    tn_free(h.faces);
    tn_free(h.edges);
    return h.status;
}
