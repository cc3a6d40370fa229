/* draw_coordinates.c: room measure/drawing: ranges and present values of a joint's coordinates.
 *
 * An angle is an arc about the axis a its motion turns about, at C's origin, from 0 to its value,
 * or from one limit to the other. Its zero is an axis of C as it stands when this coordinate and
 * those after it are zero: of Rz(roll) Ry(pitch) Rx(yaw), pitch is counted from x after roll, and
 * the tilt of a ball joint from z of D. A length is a line along the way of C's origin, counted
 * from where this coordinate and those after it are zero; it stands aside by a unit's share, like a
 * dimension in a drawing. Types whose coordinates are neither (bends of a shaft, longitude on an
 * ellipsoid) show the way of a point.
 */
#include <math.h>
#include <stdio.h>

#include "real/real.h"
#include "measure/drawing/drawing.h"

#define VALUE_RADIUS   0.9  /* of the arc, in units */
#define LIMIT_RADIUS   1.1  /* likewise */
#define LABEL_RADIUS   1.35 /* likewise, of the text at it */
#define ASIDE          0.7  /* distance of a length's line from the way itself, in units */
#define LIMIT_ASIDE    0.95 /* of its range */
#define TICK           0.25 /* half length of the mark at a limit, in units */
#define ACROSS         1e-6 /* cosine below which an axis lies across another */
#define NOT_ACROSS     0.9  /* cosine above which an axis is no zero direction */
#define TRACE_SEGMENTS 48
#define LABEL_SIZE     96

void tn_draw_range(const tn_drawing *d, int32_t coordinate, double *lower, double *upper)
{
    const tn_switches *now = &d->sim->state.switches[d->index];
    *lower = now->lower[coordinate];
    *upper = now->upper[coordinate];
}

/* The item that draws the coordinate's value as the path of a point; NULL: it is not drawn so. */
static const tn_draw_item *trace_of(const tn_joint_class *cls, int32_t coordinate)
{
    const tn_draw_item *item = cls->draw;
    for (; item && item->shape != TN_DRAW_END; item++) {
        if (item->shape == TN_DRAW_TRACE && item->coordinate_after - 1 == coordinate)
            return item;
    }
    return NULL;
}

/* T_CD with coordinate i at value; the coordinates after it zero or as they are. */
static tn_xform pose_at(const tn_drawing *d, int32_t i, double value, int keep_after)
{
    const tn_joint_geometry *geometry = &d->joint->geometry;
    double q[TN_MAX_COORDINATES] = {0.0};
    for (int32_t k = 0; k < geometry->cls->info.coordinate_count; k++)
        q[k] = k < i || keep_after ? d->q[k] : 0.0;
    q[i] = value;
    tn_xform T;
    geometry->cls->coordinates_to_pose(&geometry->setup, q, &T);
    return T;
}

/* What is shown of a coordinate: its value, and the limits it has. */
typedef struct shown {
    int32_t i;
    double value, lower, upper; /* m or rad */
} shown;

static bool has_both(const shown *c)
{
    return isfinite(c->lower) && isfinite(c->upper);
}

static void draw_value_label(tn_drawing *d, const shown *c, tn_vec3 at)
{
    char text[LABEL_SIZE];
    const tn_coordinate_info *info = &d->joint->geometry.cls->info.coordinates[c->i];
    if (info->angular) {
        snprintf(text, sizeof text, "%s = %.1f\xc2\xb0", info->name, c->value * (180.0 / TN_PI));
    } else {
        snprintf(text, sizeof text, "%s = %.3g m", info->name, c->value);
    }
    tn_draw_label(d, c->i, at, text);
}

/* angles --------------------------------------------------------------------------------------- */

/* v turned by angle about the unit axis across it. */
static tn_vec3 turned(tn_vec3 v, tn_vec3 axis, double angle)
{
    return v3_add(v3_scale(tn_cos(angle), v), v3_scale(tn_sin(angle), v3_cross(axis, v)));
}

/* The direction of zero, across the axis, in D. It is an axis of C at zero, in the order x, z, y: the first that the
 * coordinate turns into the present axis of C, else the first that lies across, else the part of x or y that does. */
static tn_vec3 zero_direction(const tn_drawing *d, int32_t i, tn_vec3 axis)
{
    const tn_xform T0 = pose_at(d, i, 0.0, 0);
    int across = -1;
    for (int n = 0; n < 3; n++) {
        static const int order[] = {0, 2, 1};
        const int k = order[n];
        const tn_vec3 zero = m3_column(&T0.R, k);
        if (fabs(v3_dot(zero, axis)) > ACROSS)
            continue;
        across = across < 0 ? k : across;
        const tn_vec3 end = turned(zero, axis, d->q[i]);
        if (v3_norm(v3_sub(end, m3_column(&d->T_GD.R, k))) < ACROSS)
            return zero;
    }
    if (across >= 0)
        return m3_column(&T0.R, across);
    tn_vec3 zero = m3_column(&T0.R, 0);
    if (fabs(v3_dot(zero, axis)) > NOT_ACROSS)
        zero = m3_column(&T0.R, 1);
    zero = v3_axpy(zero, -v3_dot(zero, axis), axis);
    return v3_scale(1.0 / v3_norm(zero), zero);
}

/* z: the axis, x: the direction of zero, at C's origin, in the world. 0: there is no axis now. */
static int arc_frame(const tn_drawing *d, int32_t i, tn_xform *T)
{
    const tn_vec3 turn = v3_load(d->motions[i] + 3);
    const double speed = v3_norm(turn);
    if (!(speed > 0.0 && isfinite(speed)))
        return 0;
    const tn_vec3 axis = m3_mulv(&d->T_GD.R, v3_scale(1.0 / speed, turn)); /* in D */
    const tn_vec3 zero = zero_direction(d, i, axis);
    const tn_vec3 columns[3] = {zero, v3_cross(axis, zero), axis};
    T->p = d->T_CW.p;
    for (int k = 0; k < 3; k++) {
        const tn_vec3 c = m3_mulv(&d->T_DW.R, columns[k]);
        T->R.m[0][k] = c.x;
        T->R.m[1][k] = c.y;
        T->R.m[2][k] = c.z;
    }
    return 1;
}

static tn_vec3 on_arc(const tn_xform *T, double radius, double angle)
{
    return xf_point(T, v3(radius * tn_cos(angle), radius * tn_sin(angle), 0.0));
}

static void draw_arc(tn_drawing *d, const shown *c, const tn_xform *T, tn_draw_role role,
                     double radius, double from, double to)
{
    tn_primitive p = tn_draw_start(d, TN_PRIMITIVE_ARC, role, T);
    p.coordinate = c->i;
    p.size.x = radius;
    p.from = from;
    p.to = to;
    tn_draw_emit(d, &p);
}

static void draw_angle(tn_drawing *d, const shown *c)
{
    tn_xform T;
    if (!arc_frame(d, c->i, &T))
        return;
    const double inner = VALUE_RADIUS * d->unit, outer = LIMIT_RADIUS * d->unit;
    const double limits[2] = {c->lower, c->upper};
    if (has_both(c))
        draw_arc(d, c, &T, TN_ROLE_LIMIT, outer, c->lower, c->upper);
    for (int k = 0; k < 2; k++) {
        if (isfinite(limits[k]))
            tn_draw_line(d, TN_ROLE_LIMIT, c->i, T.p, on_arc(&T, outer, limits[k]));
    }
    draw_arc(d, c, &T, TN_ROLE_VALUE, inner, 0.0, c->value);
    tn_draw_line(d, TN_ROLE_VALUE, c->i, T.p, on_arc(&T, inner, c->value));
    draw_value_label(d, c, on_arc(&T, LABEL_RADIUS * d->unit, 0.5 * c->value));
}

/* lengths -------------------------------------------------------------------------------------- */

static tn_vec3 on_way(const tn_drawing *d, int32_t i, double value)
{
    return xf_point(&d->T_DW, pose_at(d, i, value, 0).p);
}

/* An axis of D across the way: x, or y for the way along x. */
static tn_vec3 across_way(const tn_drawing *d, int32_t i)
{
    const tn_vec3 way = v3_load(d->motions[i]);
    const tn_vec3 in_D = m3_mulv(&d->T_GD.R, way);
    return m3_column(&d->T_DW.R, fabs(in_D.x) > NOT_ACROSS * v3_norm(way) ? 1 : 0);
}

static void draw_length(tn_drawing *d, const shown *c)
{
    const tn_vec3 aside = across_way(d, c->i);
    const double inner = ASIDE * d->unit, outer = LIMIT_ASIDE * d->unit, tick = TICK * d->unit;
    const double limits[2] = {c->lower, c->upper};
    if (has_both(c)) {
        tn_draw_line(d, TN_ROLE_LIMIT, c->i, v3_axpy(on_way(d, c->i, c->lower), outer, aside),
                     v3_axpy(on_way(d, c->i, c->upper), outer, aside));
    }
    for (int k = 0; k < 2; k++) {
        if (!isfinite(limits[k]))
            continue;
        const tn_vec3 at = on_way(d, c->i, limits[k]);
        tn_draw_line(d, TN_ROLE_LIMIT, c->i, v3_axpy(at, outer - tick, aside),
                     v3_axpy(at, outer + tick, aside));
    }
    const tn_vec3 zero = v3_axpy(on_way(d, c->i, 0.0), inner, aside);
    const tn_vec3 now = v3_axpy(on_way(d, c->i, c->value), inner, aside);
    tn_draw_line(d, TN_ROLE_VALUE, c->i, zero, now);
    draw_value_label(d, c, v3_scale(0.5, v3_add(zero, now)));
}

/* ways ----------------------------------------------------------------------------------------- */

/* The point shown: C's origin, or half a shaft along an axis of C. */
static tn_vec3 on_trace(const tn_drawing *d, const tn_draw_item *item, int32_t i, double value)
{
    const tn_xform T = pose_at(d, i, value, 1);
    tn_vec3 p = T.p;
    if (item->axis < 3)
        p = v3_axpy(p, 0.5 * d->look.shaft_length, m3_column(&T.R, item->axis));
    return xf_point(&d->T_DW, p);
}

static void draw_way(tn_drawing *d, const shown *c, const tn_draw_item *item, tn_draw_role role,
                     double from, double to)
{
    static const tn_xform identity = {{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}},
                                      {0.0, 0.0, 0.0}};
    tn_vec3 points[TRACE_SEGMENTS + 1];
    for (int k = 0; k <= TRACE_SEGMENTS; k++)
        points[k] = on_trace(d, item, c->i, from + (to - from) * k / TRACE_SEGMENTS);
    tn_primitive p = tn_draw_start(d, TN_PRIMITIVE_POLYLINE, role, &identity);
    p.coordinate = c->i;
    p.points = points;
    p.point_count = TRACE_SEGMENTS + 1;
    tn_draw_emit(d, &p);
}

static void draw_trace(tn_drawing *d, const shown *c, const tn_draw_item *item)
{
    if (has_both(c))
        draw_way(d, c, item, TN_ROLE_LIMIT, c->lower, c->upper);
    draw_way(d, c, item, TN_ROLE_VALUE, 0.0, c->value);
    draw_value_label(d, c, on_trace(d, item, c->i, 0.5 * c->value));
}

/* ---------------------------------------------------------------------------------------------- */

void tn_draw_coordinates(tn_drawing *d)
{
    const tn_joint_class *cls = d->joint->geometry.cls;
    for (int32_t i = 0; d->unit > 0.0 && i < cls->info.coordinate_count; i++) {
        shown c = {.i = i, .value = d->q[i]};
        tn_draw_range(d, i, &c.lower, &c.upper);
        const int limited = isfinite(c.lower) || isfinite(c.upper);
        if (!(d->what & (limited ? TN_DRAW_LIMITS : TN_DRAW_VALUES)))
            continue;
        const tn_draw_item *trace = trace_of(cls, i);
        if (trace) {
            draw_trace(d, &c, trace);
        } else if (cls->info.coordinates[i].angular) {
            draw_angle(d, &c);
        } else {
            draw_length(d, &c);
        }
    }
}
