/* polygon.c (room: spec/shape): is an outline simple, and what are its area moments.
 *
 * Integrals by Green's theorem, edge by edge, with c = x_i y_j - x_j y_i and j = i + 1:
 *     A = sum c / 2,  A x_c = sum (x_i + x_j) c / 6,  int x^2 = sum (x_i^2 + x_i x_j + x_j^2) c /
 * 12, int x y = sum (x_i y_j + 2 x_i y_i + 2 x_j y_j + x_j y_i) c / 24 taken about the first
 * corner, so that a distant polygon loses no digits.
 *
 * Simplicity: edges sorted by their left end are compared with those that start before they end
 * (sweep and prune: near n log n for outlines people draw, n^2 at worst). Whether three points turn
 * left or right is decided with Shewchuk's error bound ("Adaptive precision floating-point
 * arithmetic and fast robust geometric predicates", 1997); what cannot be distinguished from a straight line
 * in double precision counts as touching, so a polygon is never accepted wrongly.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "tenon/shape.h"

#include "base/base.h"
#include "spec/shape/moments.h"

/* Integrals over a simple polygon, either way round. */
typedef struct tn_area_moments {
    double area;       /* m^2, >= 0 */
    tn_vec2 centroid;  /* m */
    double xx, xy, yy; /* m^4, about the centroid */
} tn_area_moments;

/* Relative error of the 2 x 2 determinant below: (3 + 16 u) u with u = DBL_EPSILON / 2. */
#define TURN_ERROR ((3.0 + 8.0 * DBL_EPSILON) * 0.5 * DBL_EPSILON)

typedef struct edge {
    tn_vec2 from, to;
    double left, right; /* extent in x */
    int32_t index;      /* of the corner it starts from */
} edge;

/* +1: a, b, c turn left, -1: right, 0: straight as far as double precision can decide. */
static int turn(tn_vec2 a, tn_vec2 b, tn_vec2 c)
{
    double left = (a.x - c.x) * (b.y - c.y), right = (a.y - c.y) * (b.x - c.x);
    double det = left - right, bound = TURN_ERROR * (fabs(left) + fabs(right));
    return (det > bound) - (det < -bound);
}

/* c lies on the segment a-b, given that the three are in line. */
static bool between(tn_vec2 a, tn_vec2 b, tn_vec2 c)
{
    return fmin(a.x, b.x) <= c.x && c.x <= fmax(a.x, b.x) && fmin(a.y, b.y) <= c.y &&
           c.y <= fmax(a.y, b.y);
}

static bool segments_meet(const edge *e, const edge *f)
{
    if (fmax(e->from.y, e->to.y) < fmin(f->from.y, f->to.y) ||
        fmax(f->from.y, f->to.y) < fmin(e->from.y, e->to.y)) {
        return false;
    }
    int e_from = turn(f->from, f->to, e->from), e_to = turn(f->from, f->to, e->to);
    int f_from = turn(e->from, e->to, f->from), f_to = turn(e->from, e->to, f->to);
    if (e_from * e_to < 0 && f_from * f_to < 0) {
        return true;
    }
    return (e_from == 0 && between(f->from, f->to, e->from)) ||
           (e_to == 0 && between(f->from, f->to, e->to)) ||
           (f_from == 0 && between(e->from, e->to, f->from)) ||
           (f_to == 0 && between(e->from, e->to, f->to));
}

/* The second edge starts where the first ends: they overlap when it runs straight back. */
static bool folds_back(const edge *first, const edge *second)
{
    double dot = (first->to.x - first->from.x) * (second->to.x - second->from.x) +
                 (first->to.y - first->from.y) * (second->to.y - second->from.y);
    return dot <= 0.0 && turn(first->from, first->to, second->to) == 0;
}

static bool edges_conflict(const edge *e, const edge *f, int32_t count)
{
    bool e_then_f = (e->index + 1) % count == f->index;
    bool f_then_e = (f->index + 1) % count == e->index;
    if (e_then_f || f_then_e) {
        return (e_then_f && folds_back(e, f)) || (f_then_e && folds_back(f, e));
    }
    return segments_meet(e, f);
}

static int compare_edges(const void *a, const void *b)
{
    const edge *e = a, *f = b;
    if (e->left != f->left) {
        return e->left < f->left ? -1 : 1;
    }
    return (e->index > f->index) - (e->index < f->index);
}

static void collect_edges(const tn_vec2 *points, int32_t count, edge *edges)
{
    for (int32_t i = 0; i < count; i++) {
        tn_vec2 from = points[i], to = points[(i + 1) % count];
        edges[i] = (edge){from, to, fmin(from.x, to.x), fmax(from.x, to.x), i};
    }
    qsort(edges, (size_t)count, sizeof *edges, compare_edges);
}

/* The first conflicting pair in the order of the sweep; false when there is none. */
static bool find_conflict(const edge *edges, int32_t count, int32_t pair[2])
{
    for (int32_t i = 0; i < count; i++) {
        for (int32_t j = i + 1; j < count && edges[j].left <= edges[i].right; j++) {
            if (edges_conflict(&edges[i], &edges[j], count)) {
                bool in_order = edges[i].index < edges[j].index;
                pair[0] = in_order ? edges[i].index : edges[j].index;
                pair[1] = in_order ? edges[j].index : edges[i].index;
                return true;
            }
        }
    }
    return false;
}

/* A corner given twice in a row (the last and the first count as neighbours) has its own message.
 */
static tn_status check_distinct(const tn_vec2 *points, int32_t count, const char *what,
                                tn_location at, tn_diagnostics *diags)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t next = (i + 1) % count;
        if (points[i].x == points[next].x && points[i].y == points[next].y) {
            tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at,
                               "The outline closes by itself: do not repeat a corner.",
                               "%s: points[%d] and points[%d] coincide", what, (int)i, (int)next);
            return TN_ERROR_INPUT;
        }
    }
    return TN_OK;
}

/* TN_OK when no two edges cross or touch except neighbours at their corner; otherwise one
 * diagnostic at `at`, headed by `what`. count >= 3, all finite. */
static tn_status check_simple(const tn_vec2 *points, int32_t count, const char *what,
                              tn_location at, tn_diagnostics *diags)
{
    tn_status status = check_distinct(points, count, what, at, diags);
    if (status != TN_OK) {
        return status;
    }
    edge *edges = TN_NEW_ARRAY(edge, count);
    if (edges == NULL) {
        return TN_ERROR_MEMORY;
    }
    collect_edges(points, count, edges);
    int32_t pair[2] = {0, 0};
    bool conflict = find_conflict(edges, count, pair);
    tn_free(edges);
    if (!conflict) {
        return TN_OK;
    }
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_INPUT, at, NULL,
                       "%s: the edges points[%d]-points[%d] and points[%d]-points[%d] cross, touch "
                       "or overlap",
                       what, (int)pair[0], (int)((pair[0] + 1) % count), (int)pair[1],
                       (int)((pair[1] + 1) % count));
    return TN_ERROR_INPUT;
}

static tn_area_moments moments_of(const tn_vec2 *points, int32_t count)
{
    tn_vec2 origin = points[0];
    double area = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const tn_vec2 *from = &points[i], *to = &points[(i + 1) % count];
        double xi = from->x - origin.x, yi = from->y - origin.y;
        double xj = to->x - origin.x, yj = to->y - origin.y;
        double c = xi * yj - xj * yi;
        area += c / 2.0;
        x += (xi + xj) * c / 6.0;
        y += (yi + yj) * c / 6.0;
        xx += (xi * xi + xi * xj + xj * xj) * c / 12.0;
        yy += (yi * yi + yi * yj + yj * yj) * c / 12.0;
        xy += (xi * yj + 2.0 * (xi * yi + xj * yj) + xj * yi) * c / 24.0;
    }
    /* Clockwise outlines give every integral the other sign. */
    double sign = area < 0.0 ? -1.0 : 1.0, xc = x / area, yc = y / area;
    return (tn_area_moments){
        .area = sign * area,
        .centroid = {origin.x + xc, origin.y + yc},
        .xx = sign * (xx - area * xc * xc),
        .xy = sign * (xy - area * xc * yc),
        .yy = sign * (yy - area * yc * yc),
    };
}

tn_status tn_moments_extrusion(const tn_shape_def *def, tn_moments *out, tn_diagnostics *diags)
{
    tn_status status = check_simple(def->points, def->point_count,
                                    tn_shape_kind_get(def->kind)->name, def->at, diags);
    if (status != TN_OK) {
        return status;
    }
    tn_area_moments plane = moments_of(def->points, def->point_count);
    double h = def->height, volume = plane.area * h;
    *out = (tn_moments){
        .volume = volume,
        .centroid = {plane.centroid.x, plane.centroid.y, 0.0},
        .second = {{{plane.xx * h, plane.xy * h, 0.0},
                    {plane.xy * h, plane.yy * h, 0.0},
                    {0.0, 0.0, volume * h * h / 12.0}}},
    };
    return TN_OK;
}
