/* mesh_surface.c (room: spec/shape): closed and consistently oriented triangle meshes.
 *
 * In: triangles with valid indices. Out: a verdict and located messages about edges.
 *
 * All 3 n directed edges are sorted by their undirected key; each run of equal keys must go one way
 * as often as the other. This is the condition under which volume integrals over the surface are
 * those of a solid: no boundary is left. It allows several shells, also such that meet along an
 * edge or a face. A triangle given twice is refused, since it would count its matter twice. Not
 * detected: a surface that passes through itself, and one of several shells turned inside out (it
 * counts as a cavity, which is legal).
 */
#include "spec/shape/mesh_surface.h"

#include <stdlib.h>

#include "base/base.h"

/* Edges described one by one; a mesh with a thousand holes needs no thousand messages. */
#define MAX_EDGES_SHOWN 4

typedef struct half_edge {
    int32_t low, high; /* vertices, low < high */
    int32_t triangle;
    int32_t forward; /* 1: runs from low to high, 0: back */
} half_edge;

static int compare_half_edges(const void *a, const void *b)
{
    const half_edge *e = a, *f = b;
    if (e->low != f->low) {
        return e->low < f->low ? -1 : 1;
    }
    if (e->high != f->high) {
        return e->high < f->high ? -1 : 1;
    }
    return (e->triangle > f->triangle) - (e->triangle < f->triangle);
}

static void collect_half_edges(const tn_triangle *triangles, size_t count, half_edge *edges)
{
    for (size_t t = 0; t < count; t++) {
        for (int k = 0; k < 3; k++) {
            int32_t from = triangles[t].v[k], to = triangles[t].v[(k + 1) % 3];
            bool forward = from < to;
            edges[3 * t + (size_t)k] =
                (half_edge){forward ? from : to, forward ? to : from, (int32_t)t, forward ? 1 : 0};
        }
    }
    qsort(edges, 3 * count, sizeof *edges, compare_half_edges);
}

/* Says what is wrong with the run of half edges e[0 .. length-1], which share their vertices. */
static void report_edge(const half_edge *e, int32_t length, int32_t forward, const char *what,
                        tn_location at, tn_diagnostics *diags)
{
    if (length == 1) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at,
                           "Close the hole; vertices at one place must be one vertex.",
                           "%s: the surface is open: edge %d-%d belongs to triangles[%d] only",
                           what, (int)e->low, (int)e->high, (int)e->triangle);
    } else if (length == 2) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at,
                           "Order the corners of every triangle counter-clockwise from outside.",
                           "%s: triangles[%d] and triangles[%d] are turned against each other at "
                           "edge %d-%d",
                           what, (int)e[0].triangle, (int)e[1].triangle, (int)e->low, (int)e->high);
    } else {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at,
                           "Each surface that reaches an edge must leave it again.",
                           "%s: %d triangles run from vertex %d to %d, but %d back", what,
                           (int)forward, (int)e->low, (int)e->high, (int)(length - forward));
    }
}

/* Walks the sorted runs; the number of edges that are not run equally often both ways. */
static size_t report_bad_edges(const half_edge *edges, size_t count, const char *what,
                               tn_location at, tn_diagnostics *diags)
{
    size_t bad = 0;
    for (size_t begin = 0, end; begin < count; begin = end) {
        int32_t forward = 0, length = 0;
        for (end = begin; end < count && edges[end].low == edges[begin].low &&
                          edges[end].high == edges[begin].high;
             end++) {
            forward += edges[end].forward;
            length++;
        }
        if (2 * forward == length) {
            continue;
        }
        if (bad < MAX_EDGES_SHOWN) {
            report_edge(&edges[begin], length, forward, what, at, diags);
        }
        bad++;
    }
    return bad;
}

static tn_status check_edges(const tn_triangle *triangles, size_t count, const char *what,
                             tn_location at, tn_diagnostics *diags)
{
    half_edge *edges = TN_NEW_ARRAY(half_edge, 3 * count);
    if (edges == NULL) {
        return TN_ERROR_MEMORY;
    }
    collect_half_edges(triangles, count, edges);
    size_t bad = report_bad_edges(edges, 3 * count, what, at, diags);
    tn_free(edges);
    if (bad > MAX_EDGES_SHOWN) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, NULL,
                           "%s: %zu more edges are open or badly oriented", what,
                           bad - MAX_EDGES_SHOWN);
    }
    return bad == 0 ? TN_OK : TN_ERROR_INPUT;
}

/* A triangle with its smallest vertex first, so that equal ones compare equal. */
typedef struct turned_triangle {
    int32_t v[3];
    int32_t index;
} turned_triangle;

static turned_triangle turn_smallest_first(const tn_triangle *triangle, int32_t index)
{
    const int32_t *v = triangle->v;
    int first = v[0] < v[1] ? (v[0] < v[2] ? 0 : 2) : (v[1] < v[2] ? 1 : 2);
    return (turned_triangle){{v[first], v[(first + 1) % 3], v[(first + 2) % 3]}, index};
}

static int compare_vertices(const turned_triangle *s, const turned_triangle *t)
{
    for (int k = 0; k < 3; k++) {
        if (s->v[k] != t->v[k]) {
            return s->v[k] < t->v[k] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_turned(const void *a, const void *b)
{
    const turned_triangle *s = a, *t = b;
    int order = compare_vertices(s, t);
    return order != 0 ? order : (s->index > t->index) - (s->index < t->index);
}

static tn_status check_repeated(const tn_triangle *triangles, size_t count, const char *what,
                                tn_location at, tn_diagnostics *diags)
{
    turned_triangle *turned = TN_NEW_ARRAY(turned_triangle, count);
    if (turned == NULL) {
        return TN_ERROR_MEMORY;
    }
    for (size_t t = 0; t < count; t++) {
        turned[t] = turn_smallest_first(&triangles[t], (int32_t)t);
    }
    qsort(turned, count, sizeof *turned, compare_turned);
    tn_status status = TN_OK;
    for (size_t t = 1; t < count && status == TN_OK; t++) {
        if (compare_vertices(&turned[t - 1], &turned[t]) == 0) {
            status = TN_ERROR_INPUT;
            tn_diagnostics_add(diags, TN_ERROR, status, at, NULL,
                               "%s: triangles[%d] and triangles[%d] are the same", what,
                               (int)turned[t - 1].index, (int)turned[t].index);
        }
    }
    tn_free(turned);
    return status;
}

tn_status tn_mesh_check_closed(const tn_triangle *triangles, int32_t triangle_count,
                               const char *what, tn_location at, tn_diagnostics *diags)
{
    size_t count = (size_t)triangle_count;
    tn_status edges = check_edges(triangles, count, what, at, diags);
    tn_status repeated = check_repeated(triangles, count, what, at, diags);
    return edges != TN_OK ? edges : repeated;
}
