/* faces.c: solids and surfaces of a picture as shaded polygons, with the edges worth drawing.
 *
 * A primitive becomes a mesh: corners, and polygons that run counter-clockwise seen from outside.
 * Of these only the ones turned to the viewer are kept. An edge is drawn where the surface ends,
 * turns away from the viewer, or has a crease.
 */
#include <math.h>
#include <stdlib.h>

#include "base/base.h"
#include "math/m3.h"
#include "math/dense/triangulate.h"
#include "picture/picture.h"

#define AROUND  32   /* facets around a round solid; half as many in a coarse picture */
#define QUARTER 8    /* facets from equator to pole, likewise */
#define CREASE  0.87 /* cosine of the angle between faces that meet in a visible crease: 30 deg */
#define EDGE_ON                                                                                    \
    1e-9 /* a face whose normal has no more than this towards the viewer is not seen               \
          */
#define SURFACE_FADE 0.28 /* opacity of planes and the like */
#define DARKEST      0.78 /* share of its colour a face turned away from the light keeps */

/* Corners of one primitive and the polygons on them. */
typedef struct mesh {
    picture *pic;
    tn_vec3 *corners; /* view coordinates */
    int32_t *indices; /* of the polygons, one after the other */
    int32_t *starts;  /* [face_count + 1] in indices */
    int32_t corner_count, face_count;
} mesh;

/* An edge of a polygon, smaller corner first. */
typedef struct half_edge {
    int32_t a, b;
    int32_t face, at; /* polygon, and which of its corners it starts at */
} half_edge;

static int mesh_create(mesh *m, picture *pic, int32_t corners, int32_t faces, int32_t indices)
{
    *m = (mesh){.pic = pic};
    m->corners = TN_NEW_ARRAY(tn_vec3, corners);
    m->indices = TN_NEW_ARRAY(int32_t, indices);
    m->starts = TN_NEW_ARRAY(int32_t, faces + 1);
    if (m->corners && m->indices && m->starts)
        return 1;
    pic->status = TN_ERROR_MEMORY;
    return 0;
}

static void mesh_free(mesh *m)
{
    tn_free(m->corners);
    tn_free(m->indices);
    tn_free(m->starts);
}

static void put_corner(mesh *m, const tn_primitive *p, tn_vec3 at)
{
    m->corners[m->corner_count++] = picture_project(m->pic, p, at);
}

static void put_face(mesh *m, int32_t count, const int32_t *corners)
{
    const int32_t start = m->starts[m->face_count];
    for (int32_t i = 0; i < count; i++)
        m->indices[start + i] = corners[i];
    m->starts[++m->face_count] = start + count;
}

/* from the mesh to faces ----------------------------------------------------------------------- */

/* Newell's normal: good for any polygon, not unit. */
static tn_vec3 face_normal(const mesh *m, int32_t face)
{
    const int32_t start = m->starts[face], count = m->starts[face + 1] - start;
    tn_vec3 n = {0.0, 0.0, 0.0};
    for (int32_t i = 1; i + 1 < count; i++) {
        const tn_vec3 o = m->corners[m->indices[start]];
        const tn_vec3 a = v3_sub(m->corners[m->indices[start + i]], o);
        const tn_vec3 b = v3_sub(m->corners[m->indices[start + i + 1]], o);
        n = v3_add(n, v3_cross(a, b));
    }
    const double length = v3_norm(n);
    return length > 0.0 ? v3_scale(1.0 / length, n) : n;
}

static int compare_edges(const void *left, const void *right)
{
    const half_edge *a = left, *b = right;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    if (a->b != b->b)
        return a->b < b->b ? -1 : 1;
    return a->face < b->face ? -1 : a->face > b->face;
}

static half_edge *collect_edges(const mesh *m)
{
    const int32_t count = m->starts[m->face_count];
    half_edge *edges = TN_NEW_ARRAY(half_edge, count);
    for (int32_t f = 0; edges && f < m->face_count; f++) {
        const int32_t start = m->starts[f], n = m->starts[f + 1] - start;
        for (int32_t i = 0; i < n; i++) {
            const int32_t a = m->indices[start + i], b = m->indices[start + (i + 1) % n];
            edges[start + i] = (half_edge){a < b ? a : b, a < b ? b : a, f, start + i};
        }
    }
    if (edges)
        qsort(edges, (size_t)count, sizeof(*edges), compare_edges);
    return edges;
}

/* drawn[k]: whether the edge that starts at index k is drawn. */
static void mark_edges(const mesh *m, const tn_vec3 *normals, const half_edge *edges,
                       int32_t *drawn)
{
    const int32_t count = m->starts[m->face_count];
    for (int32_t k = 0; k < count; k++) {
        const half_edge *e = &edges[k];
        const half_edge *twin = NULL;
        if (k + 1 < count && edges[k + 1].a == e->a && edges[k + 1].b == e->b) {
            twin = &edges[k + 1];
        } else if (k > 0 && edges[k - 1].a == e->a && edges[k - 1].b == e->b) {
            twin = &edges[k - 1];
        }
        drawn[e->at] = twin == NULL || normals[twin->face].z <= EDGE_ON ||
                       v3_dot(normals[e->face], normals[twin->face]) < CREASE;
    }
}

/* From the left, above and in front. */
static tn_vec3 shade(tn_vec3 color, tn_vec3 normal)
{
    const tn_vec3 light = {-0.37, 0.56, 0.74};
    const double lit = fmax(0.0, v3_dot(light, normal));
    return v3_scale(DARKEST + (1.0 - DARKEST) * lit, color);
}

static void keep_face(const mesh *m, int32_t f, tn_vec3 normal, const int32_t *drawn,
                      const tn_primitive *p)
{
    const int32_t start = m->starts[f], count = m->starts[f + 1] - start;
    const int surface = p->role == TN_ROLE_SURFACE;
    picture_face face = {.first = m->pic->corner_count,
                         .count = count,
                         .normal = normal,
                         .color = shade(p->color, normal),
                         .opacity = surface ? SURFACE_FADE : 1.0,
                         .of_joint = p->joint.i >= 0 && !surface,
                         .next = PICTURE_NONE};
    for (int32_t i = 0; i < count; i++) {
        const tn_vec3 c = m->corners[m->indices[start + i]];
        face.offset += v3_dot(normal, c) / count;
        picture_corner_add(m->pic, c, drawn[start + i]);
    }
    if (m->pic->status == TN_OK)
        picture_face_add(m->pic, face);
}

static void mesh_finish(mesh *m, const tn_primitive *p)
{
    tn_vec3 *normals = TN_NEW_ARRAY(tn_vec3, m->face_count);
    int32_t *drawn = TN_NEW_ARRAY(int32_t, m->starts[m->face_count]);
    half_edge *edges = collect_edges(m);
    if (normals && drawn && edges) {
        for (int32_t f = 0; f < m->face_count; f++)
            normals[f] = face_normal(m, f);
        mark_edges(m, normals, edges, drawn);
        for (int32_t f = 0; f < m->face_count; f++) {
            if (normals[f].z > EDGE_ON)
                keep_face(m, f, normals[f], drawn, p);
        }
    } else {
        m->pic->status = TN_ERROR_MEMORY;
    }
    tn_free(normals);
    tn_free(drawn);
    tn_free(edges);
    mesh_free(m);
}

/* the kinds ------------------------------------------------------------------------------------ */

/* A solid of revolution about z from its lower to its upper pole, stretched along x and y. Rings
 * are given as (radius, z) without the poles. */
static void add_round(picture *pic, const tn_primitive *p, const tn_vec2 *rings, int32_t count,
                      double bottom, double top, tn_vec2 stretch)
{
    mesh m;
    const int32_t n = pic->coarse ? AROUND / 2 : AROUND;
    if (!mesh_create(&m, pic, count * n + 2, (count + 1) * n, (count + 1) * n * 4)) {
        mesh_free(&m);
        return;
    }
    for (int32_t k = 0; k < count; k++) {
        for (int32_t i = 0; i < n; i++) {
            const double angle = 2.0 * TN_PI * i / n;
            put_corner(&m, p,
                       v3(stretch.x * rings[k].x * cos(angle), stretch.y * rings[k].x * sin(angle),
                          rings[k].y));
        }
    }
    put_corner(&m, p, v3(0.0, 0.0, bottom));
    put_corner(&m, p, v3(0.0, 0.0, top));
    const int32_t south = count * n, north = south + 1, last = (count - 1) * n;
    for (int32_t i = 0; i < n; i++) {
        const int32_t j = (i + 1) % n;
        put_face(&m, 3, (int32_t[]){south, j, i});
        for (int32_t k = 0; k + 1 < count; k++) {
            const int32_t low = k * n, high = low + n;
            put_face(&m, 4, (int32_t[]){low + i, low + j, high + j, high + i});
        }
        put_face(&m, 3, (int32_t[]){north, last + i, last + j});
    }
    mesh_finish(&m, p);
}

static void add_cylinder(picture *pic, const tn_primitive *p)
{
    const double half = 0.5 * p->size.z;
    const tn_vec2 rings[] = {{p->size.x, -half}, {p->size.x, half}};
    add_round(pic, p, rings, 2, -half, half, (tn_vec2){1.0, 1.0});
}

/* Two half-balls of height `height` and radius 1 * stretch, `length` apart. */
static void add_ball(picture *pic, const tn_primitive *p, tn_vec2 stretch, double height,
                     double length)
{
    tn_vec2 rings[2 * QUARTER];
    const int quarter = pic->coarse ? QUARTER / 2 : QUARTER;
    for (int k = 0; k < quarter; k++) {
        const double angle = 0.5 * TN_PI * k / quarter;
        const tn_vec2 ring = {cos(angle), 0.5 * length + height * sin(angle)};
        rings[quarter + k] = ring;
        rings[quarter - 1 - k] = (tn_vec2){ring.x, -ring.y};
    }
    const double pole = 0.5 * length + height;
    /* without a straight part the two equators are one ring */
    const int twice = length == 0.0;
    if (twice) {
        for (int k = quarter; k + 1 < 2 * quarter; k++)
            rings[k] = rings[k + 1];
    }
    add_round(pic, p, rings, 2 * quarter - twice, -pole, pole, stretch);
}

static void add_sphere(picture *pic, const tn_primitive *p)
{
    add_ball(pic, p, (tn_vec2){p->size.x, p->size.x}, p->size.x, 0.0);
}

static void add_capsule(picture *pic, const tn_primitive *p)
{
    add_ball(pic, p, (tn_vec2){p->size.x, p->size.x}, p->size.x, p->size.z);
}

static void add_ellipsoid(picture *pic, const tn_primitive *p)
{
    add_ball(pic, p, (tn_vec2){p->size.x, p->size.y}, p->size.z, 0.0);
}

/* Twice the signed area, and in *convex whether no corner turns the other way. */
static double outline_area(const tn_vec3 *points, int32_t n, int *convex)
{
    double area = 0.0, least = INFINITY, most = -INFINITY;
    for (int32_t i = 0; i < n; i++) {
        const tn_vec3 a = points[i], b = points[(i + 1) % n], c = points[(i + 2) % n];
        const double turn = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
        area += a.x * b.y - a.y * b.x;
        least = fmin(least, turn);
        most = fmax(most, turn);
    }
    *convex = least >= 0.0 || most <= 0.0;
    return area;
}

/* Both ends of a prism whose lower corners are 0 .. n-1, its upper ones n .. 2n-1; ring: the lower
 * ones counter-clockwise seen from above. */
static tn_status put_ends(mesh *m, const tn_vec3 *points, int32_t n, const int32_t *ring,
                          int convex)
{
    int32_t *list = TN_NEW_ARRAY(int32_t, 3 * n);
    tn_status status = list ? TN_OK : TN_ERROR_MEMORY;
    if (list && convex) {
        for (int32_t i = 0; i < n; i++)
            list[i] = ring[n - 1 - i];
        put_face(m, n, list);
        for (int32_t i = 0; i < n; i++)
            list[i] = n + ring[i];
        put_face(m, n, list);
    } else if (list) {
        status = tn_triangulate(points, n, list);
        for (int32_t k = 0; status == TN_OK && k < n - 2; k++) {
            const int32_t *t = list + (size_t)3 * (size_t)k;
            put_face(m, 3, (int32_t[]){t[0], t[2], t[1]});
            put_face(m, 3, (int32_t[]){n + t[0], n + t[1], n + t[2]});
        }
    }
    tn_free(list);
    return status;
}

/* The box is the prism of its rectangle. */
static void add_prism_of(picture *pic, const tn_primitive *p, const tn_vec3 *points, int32_t n)
{
    mesh m;
    int convex;
    const int clockwise = outline_area(points, n, &convex) < 0.0;
    int32_t *ring = TN_NEW_ARRAY(int32_t, n);
    if (!mesh_create(&m, pic, 2 * n, 3 * n, 10 * n) || !ring) {
        pic->status = TN_ERROR_MEMORY;
        tn_free(ring);
        mesh_free(&m);
        return;
    }
    for (int32_t i = 0; i < n; i++)
        ring[i] = clockwise ? n - 1 - i : i;
    for (int side = -1; side <= 1; side += 2) {
        for (int32_t i = 0; i < n; i++)
            put_corner(&m, p, v3(points[i].x, points[i].y, 0.5 * side * p->size.z));
    }
    for (int32_t i = 0; i < n; i++) {
        const int32_t a = ring[i], b = ring[(i + 1) % n];
        put_face(&m, 4, (int32_t[]){a, b, n + b, n + a});
    }
    if (put_ends(&m, points, n, ring, convex) != TN_OK)
        pic->status = TN_ERROR_MEMORY;
    tn_free(ring);
    mesh_finish(&m, p);
}

static void add_prism(picture *pic, const tn_primitive *p)
{
    add_prism_of(pic, p, p->points, p->point_count);
}

static void add_box(picture *pic, const tn_primitive *p)
{
    const double x = 0.5 * p->size.x, y = 0.5 * p->size.y;
    const tn_vec3 points[] = {{-x, -y, 0.0}, {x, -y, 0.0}, {x, y, 0.0}, {-x, y, 0.0}};
    add_prism_of(pic, p, points, 4);
}

/* Seen from both sides. */
static void add_quad(picture *pic, const tn_primitive *p)
{
    const double x = 0.5 * p->size.x, y = 0.5 * p->size.y;
    mesh m;
    if (!mesh_create(&m, pic, 4, 1, 4)) {
        mesh_free(&m);
        return;
    }
    put_corner(&m, p, v3(-x, -y, 0.0));
    put_corner(&m, p, v3(x, -y, 0.0));
    put_corner(&m, p, v3(x, y, 0.0));
    put_corner(&m, p, v3(-x, y, 0.0));
    const tn_vec3 normal = tn_pose_rotate_vector(p->pose, v3(0.0, 0.0, 1.0));
    if (v3_dot(normal, pic->view.toward) > 0.0) {
        put_face(&m, 4, (int32_t[]){0, 1, 2, 3});
    } else {
        put_face(&m, 4, (int32_t[]){3, 2, 1, 0});
    }
    mesh_finish(&m, p);
}

static void add_mesh(picture *pic, const tn_primitive *p)
{
    mesh m;
    if (!mesh_create(&m, pic, p->point_count, p->triangle_count, 3 * p->triangle_count)) {
        mesh_free(&m);
        return;
    }
    for (int32_t i = 0; i < p->point_count; i++)
        put_corner(&m, p, p->points[i]);
    for (int32_t i = 0; i < p->triangle_count; i++)
        put_face(&m, 3, p->triangles[i].v);
    mesh_finish(&m, p);
}

void picture_add_faces(picture *pic, const tn_primitive *primitive)
{
    static void (*const adders[TN_PRIMITIVE_KIND_COUNT])(picture *, const tn_primitive *) = {
        [TN_PRIMITIVE_QUAD] = add_quad,           [TN_PRIMITIVE_SPHERE] = add_sphere,
        [TN_PRIMITIVE_ELLIPSOID] = add_ellipsoid, [TN_PRIMITIVE_CYLINDER] = add_cylinder,
        [TN_PRIMITIVE_CAPSULE] = add_capsule,     [TN_PRIMITIVE_BOX] = add_box,
        [TN_PRIMITIVE_PRISM] = add_prism,         [TN_PRIMITIVE_MESH] = add_mesh,
    };
    adders[primitive->kind](pic, primitive);
}
