/* strokes.c: lines of a picture: axes, arcs, dimension lines on top of everything; threads and
 * slots among the faces, so that solids hide them.
 */
#include <math.h>

#include "math/m3.h"
#include "picture/picture.h"

#define ARC_STEP (3.0 * TN_PI / 180.0) /* rad between the points of an arc */

/* A thin line in the tint of a body would not be seen. */
#define BODY_DARKER 0.8

/* Pieces of two corners each. */
static void add_among_faces(picture *pic, const tn_primitive *p)
{
    const int32_t pieces = p->closed ? p->point_count : p->point_count - 1;
    for (int32_t i = 0; i < pieces; i++) {
        const picture_face piece = {.first = pic->corner_count,
                                    .count = 2,
                                    .color = v3_scale(0.6, p->color),
                                    .opacity = 1.0,
                                    .of_joint = 1,
                                    .next = PICTURE_NONE};
        picture_corner_add(pic, picture_project(pic, p, p->points[i]), 1);
        picture_corner_add(pic, picture_project(pic, p, p->points[(i + 1) % p->point_count]), 0);
        if (pic->status == TN_OK)
            picture_face_add(pic, piece);
    }
}

static void add_points(picture *pic, const tn_primitive *p)
{
    for (int32_t i = 0; i < p->point_count; i++)
        picture_point_add(pic, picture_project(pic, p, p->points[i]));
}

/* Centre first, then the arc; more than a turn is a circle. */
static void add_arc(picture *pic, const tn_primitive *p)
{
    const double turn = 2.0 * TN_PI;
    const double sweep = fmin(fmax(p->to - p->from, -turn), turn);
    const int32_t steps = (int32_t)ceil(fabs(sweep) / ARC_STEP);
    picture_point_add(pic, picture_project(pic, p, v3(0.0, 0.0, 0.0)));
    for (int32_t i = 0; i <= steps; i++) {
        const double angle = p->to - sweep * (steps > 0 ? (double)(steps - i) / steps : 0.0);
        const tn_vec3 at = {p->size.x * cos(angle), p->size.x * sin(angle), 0.0};
        picture_point_add(pic, picture_project(pic, p, at));
    }
}

void picture_add_strokes(picture *pic, const tn_primitive *p)
{
    if (p->role == TN_ROLE_JOINT) {
        add_among_faces(pic, p);
        return;
    }
    const int arc = p->kind == TN_PRIMITIVE_ARC;
    picture_stroke stroke = {.first = pic->point_count,
                             .role = p->role,
                             .color = p->body.i >= 0 ? v3_scale(BODY_DARKER, p->color) : p->color,
                             .arrow = p->kind == TN_PRIMITIVE_ARROW,
                             .closed = p->closed,
                             .sector = arc};
    if (arc) {
        add_arc(pic, p);
    } else {
        add_points(pic, p);
    }
    stroke.count = pic->point_count - stroke.first;
    picture_stroke_add(pic, stroke);
}
