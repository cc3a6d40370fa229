/* draw_shapes.c: room measure/drawing: the shafts, rails, balls, planes a joint is shown with.
 *
 * In: the list of shapes of the joint's type (joint_class.h) and the resolved look. One function
 * per shape; which type has which is the type's own table.
 */
#include <math.h>

#include "real/real.h"
#include "joint/point/rounded_line.h"
#include "measure/drawing/drawing.h"

/* Proportions, in radii of the shaft. */
#define SLEEVE_RADIUS 2.0
#define SLEEVE_LENGTH 7.0
#define BLOCK_EDGE    4.5
#define BLOCK_LENGTH  6.0
#define THREAD_RADIUS 1.03 /* so that the chords of the helix lie on the shaft, not in it */

#define PLANE_MARGIN 1.3 /* how far a plane of automatic size reaches beyond the point on it */

/* A helix finer than this many turns along its shaft is a grey tint, not a line. */
#define MOST_TURNS    40
#define TURN_SEGMENTS 24
#define END_SEGMENTS  12 /* of a slot's half circles */

/* The shape's frame: z along its axis. */
static tn_xform place(const tn_drawing *d, const tn_draw_item *item)
{
    if (item->place == TN_DRAW_OF_MOTION) {
        const tn_mat3 R_GW = m3_mul(&d->T_DW.R, &d->T_GD.R);
        const tn_vec3 axis = m3_mulv(&R_GW, v3_load(d->motions[item->axis] + 3));
        return (tn_xform){tn_m3_from_z_axis(axis), d->T_CW.p};
    }
    const tn_xform *T = item->place == TN_DRAW_IN_C ? &d->T_CW : &d->T_DW;
    tn_xform out = {.p = T->p};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            out.R.m[i][k] = T->R.m[i][(item->axis + 1 + k) % 3];
    }
    return out;
}

/* The stretch of the axis that a coordinate along it uses, 0 and its value included, and its range
 * where that is finite. */
static void stretch(const tn_drawing *d, const tn_draw_item *item, double *low, double *high)
{
    *low = *high = 0.0;
    const int32_t coordinate = item->coordinate_after - 1;
    if (coordinate < 0)
        return;
    double lower, upper;
    tn_draw_range(d, coordinate, &lower, &upper);
    *low = fmin(0.0, fmin(d->q[coordinate], isfinite(lower) ? lower : 0.0));
    *high = fmax(0.0, fmax(d->q[coordinate], isfinite(upper) ? upper : 0.0));
}

/* Length and place of a shaft: as given, or so that it covers what the coordinate uses. */
static double shaft_length(const tn_drawing *d, const tn_draw_item *item, tn_xform *T)
{
    double low = 0.0, high = 0.0;
    if (d->auto_shaft)
        stretch(d, item, &low, &high);
    T->p = v3_axpy(T->p, 0.5 * (low + high), m3_column(&T->R, 2));
    return d->look.shaft_length + (high - low);
}

static void draw_bar(tn_drawing *d, const tn_draw_item *item, tn_primitive_kind kind)
{
    if (d->look.shaft_length == 0.0)
        return;
    tn_xform T = place(d, item);
    const double length = shaft_length(d, item, &T), radius = d->look.shaft_radius;
    tn_primitive p = tn_draw_start(d, kind, TN_ROLE_JOINT, &T);
    p.size = kind == TN_PRIMITIVE_BOX ? v3(2.0 * radius, 2.0 * radius, length)
                                      : v3(radius, radius, length);
    tn_draw_emit(d, &p);
}

static void draw_shaft(tn_drawing *d, const tn_draw_item *item)
{
    draw_bar(d, item, TN_PRIMITIVE_CYLINDER);
}

static void draw_rail(tn_drawing *d, const tn_draw_item *item)
{
    draw_bar(d, item, TN_PRIMITIVE_BOX);
}

static void draw_piece(tn_drawing *d, const tn_draw_item *item, tn_primitive_kind kind, double wide,
                       double length)
{
    const double radius = d->look.shaft_radius;
    if (d->look.shaft_length == 0.0)
        return;
    const tn_xform T = place(d, item);
    tn_primitive p = tn_draw_start(d, kind, TN_ROLE_JOINT, &T);
    p.size = v3(wide * radius, wide * radius, length * radius);
    tn_draw_emit(d, &p);
}

static void draw_sleeve(tn_drawing *d, const tn_draw_item *item)
{
    draw_piece(d, item, TN_PRIMITIVE_CYLINDER, SLEEVE_RADIUS, SLEEVE_LENGTH);
}

static void draw_block(tn_drawing *d, const tn_draw_item *item)
{
    draw_piece(d, item, TN_PRIMITIVE_BOX, BLOCK_EDGE, BLOCK_LENGTH);
}

static void draw_thread(tn_drawing *d, const tn_draw_item *item)
{
    tn_xform T = place(d, item);
    const double pitch = d->joint->geometry.setup.parameters[0]; /* m/rad */
    const double length = shaft_length(d, item, &T), radius = THREAD_RADIUS * d->look.shaft_radius;
    const double turns = length / (2.0 * TN_PI * fabs(pitch));
    if (!(turns > 0.0 && turns <= MOST_TURNS))
        return;
    tn_vec3 points[MOST_TURNS * TURN_SEGMENTS + 1];
    const int32_t segments = (int32_t)(turns * TURN_SEGMENTS);
    const double start = -0.5 * length / pitch;
    for (int32_t i = 0; i <= segments; i++) {
        const double angle = start * (1.0 - 2.0 * i / fmax(segments, 1));
        points[i] = v3(radius * tn_cos(angle), radius * tn_sin(angle), pitch * angle);
    }
    tn_primitive p = tn_draw_start(d, TN_PRIMITIVE_POLYLINE, TN_ROLE_JOINT, &T);
    p.points = points;
    p.point_count = segments + 1;
    tn_draw_emit(d, &p);
}

/* Lies across the axis that follows the slot's own but one: with the slot along x, in x-y. */
static void draw_slot(tn_drawing *d, const tn_draw_item *item)
{
    const double radius = 0.5 * d->look.slot_width;
    if (radius == 0.0)
        return;
    const tn_xform T = place(d, item); /* z along the slot, x across it */
    double low, high;
    stretch(d, item, &low, &high);
    double lower, upper;
    tn_draw_range(d, item->coordinate_after - 1, &lower, &upper);
    low -= isfinite(lower) ? 0.0 : d->unit;
    high += isfinite(upper) ? 0.0 : d->unit;
    tn_vec3 points[2 * (END_SEGMENTS + 1)];
    for (int i = 0; i <= END_SEGMENTS; i++) {
        const double angle = TN_PI * i / END_SEGMENTS;
        points[i] = v3(radius * tn_cos(angle), 0.0, high + radius * tn_sin(angle));
        points[END_SEGMENTS + 1 + i] =
            v3(-radius * tn_cos(angle), 0.0, low - radius * tn_sin(angle));
    }
    tn_primitive p = tn_draw_start(d, TN_PRIMITIVE_POLYLINE, TN_ROLE_JOINT, &T);
    p.points = points;
    p.point_count = (int32_t)TN_COUNT_OF(points);
    p.closed = 1;
    tn_draw_emit(d, &p);
}

static void draw_ball(tn_drawing *d, const tn_draw_item *item)
{
    if (d->look.joint_radius == 0.0)
        return;
    const tn_xform T = place(d, item);
    tn_primitive p = tn_draw_start(d, TN_PRIMITIVE_SPHERE, TN_ROLE_JOINT, &T);
    p.size.x = d->look.joint_radius;
    tn_draw_emit(d, &p);
}

static void draw_plane(tn_drawing *d, const tn_draw_item *item)
{
    double size = d->look.plane_size;
    if (size == 0.0)
        return;
    const tn_xform T = place(d, item);
    if (isnan(d->sim->model->drawing.looks[d->index].plane_size)) {
        const tn_vec3 at = m3_tmulv(&T.R, v3_sub(d->T_CW.p, T.p));
        size = fmax(size, 2.0 * PLANE_MARGIN * fmax(fabs(at.x), fabs(at.y)));
    }
    tn_primitive p = tn_draw_start(d, TN_PRIMITIVE_QUAD, TN_ROLE_SURFACE, &T);
    p.size = v3(size, size, 0.0);
    tn_draw_emit(d, &p);
}

static void draw_ellipsoid(tn_drawing *d, const tn_draw_item *item)
{
    (void)item;
    tn_primitive p = tn_draw_start(d, TN_PRIMITIVE_ELLIPSOID, TN_ROLE_SURFACE, &d->T_DW);
    p.size = v3_load(d->joint->geometry.setup.parameters);
    tn_draw_emit(d, &p);
}

static void draw_line(tn_drawing *d, const tn_draw_item *item)
{
    (void)item;
    tn_draw_line(d, TN_ROLE_JOINT, -1, d->T_DW.p, d->T_CW.p);
}

/* A quad per straight or round piece; beyond its ends the line goes on for a unit, or as far as C.
 */
static void draw_strips(tn_drawing *d, const tn_draw_item *item)
{
    (void)item;
    const tn_rounded_line *line = d->joint->geometry.setup.data;
    const tn_vec3 at = m3_tmulv(&d->T_DW.R, v3_sub(d->T_CW.p, d->T_DW.p));
    tn_line_place here, a, b;
    tn_rounded_line_nearest(line, (const double[2]){at.x, at.z}, &here);
    const tn_line_piece *last = &line->pieces[line->count - 1];
    const double begin = fmin(0.0, here.s) - d->unit;
    const double end = fmax(last->from + last->length, here.s) + d->unit;
    for (int32_t i = 0; i < line->count && d->look.plane_size > 0.0; i++) {
        const tn_line_piece *piece = &line->pieces[i];
        tn_rounded_line_at(line, i == 0 ? begin : piece->from, &a);
        tn_rounded_line_at(line, i == line->count - 1 ? end : piece[1].from, &b);
        const tn_vec3 from = v3(a.point[0], at.y, a.point[1]),
                      to = v3(b.point[0], at.y, b.point[1]);
        const double length = v3_norm(v3_sub(to, from));
        const tn_vec3 x = v3_scale(1.0 / length, v3_sub(to, from)),
                      z = v3_cross(x, v3(0.0, 1.0, 0.0));
        const tn_xform T = {{{{x.x, 0.0, z.x}, {x.y, 1.0, z.y}, {x.z, 0.0, z.z}}},
                            v3_scale(0.5, v3_add(from, to))};
        const tn_xform T_W = xf_mul(&d->T_DW, &T);
        tn_primitive p = tn_draw_start(d, TN_PRIMITIVE_QUAD, TN_ROLE_SURFACE, &T_W);
        p.size = v3(length, d->look.plane_size, 0.0);
        tn_draw_emit(d, &p);
    }
}

void tn_draw_shapes(tn_drawing *d)
{
    static void (*const shapes[])(tn_drawing *, const tn_draw_item *) = {
        [TN_DRAW_SHAFT] = draw_shaft,         [TN_DRAW_RAIL] = draw_rail,
        [TN_DRAW_SLEEVE] = draw_sleeve,       [TN_DRAW_BLOCK] = draw_block,
        [TN_DRAW_THREAD] = draw_thread,       [TN_DRAW_SLOT] = draw_slot,
        [TN_DRAW_BALL] = draw_ball,           [TN_DRAW_PLANE] = draw_plane,
        [TN_DRAW_ELLIPSOID] = draw_ellipsoid, [TN_DRAW_LINE] = draw_line,
        [TN_DRAW_STRIPS] = draw_strips,       [TN_DRAW_TRACE] = NULL,
    };
    const tn_draw_item *item = d->joint->geometry.cls->draw;
    for (; item && item->shape != TN_DRAW_END; item++) {
        if (shapes[item->shape])
            shapes[item->shape](d, item);
    }
}
