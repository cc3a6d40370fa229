/* picture.h: a picture of a mechanism in parallel projection: what `tenon draw` collects.
 *
 * View coordinates: x to the right, y up, z towards the viewer, in metres. Primitives (draw.h)
 * become faces (faces.c), strokes and texts (strokes.c); hidden.c puts the faces in an order in
 * which the nearer cover the farther; svg.c writes the picture.
 *
 * Room tool/picture, in: primitives, and a direction to look from. Out: a picture as SVG.
 */
#ifndef TN_TOOL_PICTURE_H
#define TN_TOOL_PICTURE_H

#include <stdint.h>
#include <stdio.h>

#include "tenon/draw.h"

#define PICTURE_NONE (-1)

/* Rows of the rotation from the world to the view. */
typedef struct picture_view {
    const char *name;
    tn_vec3 right, up, toward;
} picture_view;

/* A corner of a face; edge: the line to the next corner is drawn. */
typedef struct picture_corner {
    tn_vec3 p; /* m */
    int32_t edge;
} picture_corner;

/* A convex polygon seen from its front, or with two corners a piece of a line. */
typedef struct picture_face {
    int32_t first, count; /* corners */
    tn_vec3 normal;       /* unit; z > 0 */
    double offset;        /* m, normal . p */
    tn_vec3 color;        /* shaded */
    double opacity;
    int32_t of_joint; /* shown faintly where bodies hide it */
    int32_t next;     /* in a list of hidden.c, or PICTURE_NONE */
} picture_face;

/* A line on top of everything. */
typedef struct picture_stroke {
    int32_t first, count; /* points */
    tn_draw_role role;
    tn_vec3 color;
    int32_t arrow;  /* a head at the last point */
    int32_t closed; /* the last point is joined to the first */
    int32_t sector; /* first point is the centre of the arc the others are */
} picture_stroke;

typedef struct picture_text {
    tn_vec3 p;
    char *text;
    int32_t of_value; /* a coordinate's value, not a name */
} picture_text;

typedef struct picture {
    picture_view view;
    bool coarse;      /* round things get fewer facets: a smaller file */
    tn_status status; /* TN_OK, or TN_ERROR_MEMORY: the picture is not complete */
    picture_corner *corners;
    picture_face *faces;
    tn_vec3 *points;
    picture_stroke *strokes;
    picture_text *texts;
    int32_t *order; /* [order_count] faces, farthest first (hidden.c) */
    int32_t corner_count, face_count, point_count, stroke_count, text_count, order_count;
    int32_t corner_capacity, face_capacity, point_capacity, stroke_capacity, text_capacity,
        order_capacity;
} picture;

void picture_free(picture *pic);

/* Adds a primitive; a tn_draw_callback with a picture as context. */
tn_status picture_add(void *context, const tn_primitive *primitive);

tn_vec3 picture_project(const picture *pic, const tn_primitive *primitive, tn_vec3 point);
/* Add to the end; on failure the status is set and nothing is added. */
void picture_corner_add(picture *pic, tn_vec3 p, int32_t edge);
int32_t picture_face_add(picture *pic, picture_face face); /* its index, or PICTURE_NONE */
void picture_point_add(picture *pic, tn_vec3 p);
void picture_stroke_add(picture *pic, picture_stroke stroke);
void picture_order_add(picture *pic, int32_t face);

void picture_add_faces(picture *pic, const tn_primitive *primitive);   /* faces.c */
void picture_add_strokes(picture *pic, const tn_primitive *primitive); /* strokes.c */
void picture_sort(picture *pic);                                       /* hidden.c */

/* Writes the picture; title and note (may be empty) stand above it. */
void picture_write_svg(const picture *pic, const char *title, const char *note, FILE *stream);

#endif
