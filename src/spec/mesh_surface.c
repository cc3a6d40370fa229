/* mesh_surface.c (room: spec): closed and consistently oriented triangle meshes.
 *
 * In: triangles with valid indices. Out: a verdict and located messages about edges.
 *
 * All 3 n directed edges are sorted by their undirected key; each run of equal keys must be one
 * pair of opposite directions. This is the condition under which volume integrals over the surface
 * are those of a solid. Not detected: a surface that passes through itself, and one of several
 * shells turned inside out (it counts as a cavity, which is legal).
 */
#include "spec/mesh_surface.h"

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
static void report_edge(const half_edge *e, size_t length, const char *what, tn_location at,
                        tn_diagnostics *diags)
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
        tn_diagnostics_add(
            diags, TN_ERROR, TN_ERROR_INPUT, at, "Two triangles meet at each edge of a solid.",
            "%s: edge %d-%d belongs to %zu triangles", what, (int)e->low, (int)e->high, length);
    }
}

/* Walks the sorted runs; the number of edges that are not a pair of opposite directions. */
static size_t report_bad_edges(const half_edge *edges, size_t count, const char *what,
                               tn_location at, tn_diagnostics *diags)
{
    size_t bad = 0;
    for (size_t begin = 0, end; begin < count; begin = end) {
        int32_t forward = 0;
        for (end = begin; end < count && edges[end].low == edges[begin].low &&
                          edges[end].high == edges[begin].high;
             end++) {
            forward += edges[end].forward;
        }
        if (end - begin == 2 && forward == 1) {
            continue;
        }
        if (bad < MAX_EDGES_SHOWN) {
            report_edge(&edges[begin], end - begin, what, at, diags);
        }
        bad++;
    }
    return bad;
}

tn_status tn_mesh_check_closed(const tn_triangle *triangles, int32_t triangle_count,
                               const char *what, tn_location at, tn_diagnostics *diags)
{
    size_t count = (size_t)triangle_count;
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
