/* rounded_line.h: room joint/point: a line through points of a plane, its corners rounded by arcs.
 *
 * Each corner is replaced by the arc that touches both segments at the distance share * (length of
 * the shorter one) from the corner, so that the tangent is continuous. The first and last segment
 * go on beyond their ends. With s the arc length from the first point, t the tangent and n the
 * normal to its left (t_x, t_z) -> (-t_z, t_x): u x y of ArtiSynth's segmented plane,
 *     dc/ds = t,   dt/ds = k n,   dn/ds = -k t,   k the curvature: 0 or +- 1/radius.
 *
 * k jumps from piece to piece. Each piece alone is a line too, which goes on beyond its ends:
 * what crosses a joint of pieces does so at a moment of its own (law/pieces.c).
 */
#ifndef TN_JOINT_POINT_ROUNDED_LINE_H
#define TN_JOINT_POINT_ROUNDED_LINE_H

#include <stdbool.h>

#include "base/arena.h"

/* A straight or circular piece. */
typedef struct tn_line_piece {
    double start[2], tangent[2]; /* m; where it begins */
    double from, length;         /* m, arc length */
    double curvature;            /* 1/m */
    bool begins, ends;           /* false: it goes on for ever */
} tn_line_piece;

typedef struct tn_rounded_line tn_rounded_line;
struct tn_rounded_line {
    int32_t count;
    tn_line_piece *pieces;
    tn_rounded_line *alone; /* [count] a line of each piece; NULL: it is one of these */
};

/* A point of the line, with the distance of another point from it. */
typedef struct tn_line_place {
    double s, distance; /* m; arc length; distance, positive on the normal's side */
    double point[2], tangent[2], normal[2];
    double curvature;
    int32_t piece;
} tn_line_place;

/* points[count][2] that are a line (spec/joint/joint_data.h); share below a half. */
tn_status tn_rounded_line_make(const double (*points)[2], int32_t count, double share,
                               tn_arena *arena, const tn_rounded_line **out);

/* The place nearest to a point. Answers 0 if another one, elsewhere, is as near. */
int tn_rounded_line_nearest(const tn_rounded_line *line, const double point[2],
                            tn_line_place *place);

/* The place at arc length s, distance 0. */
void tn_rounded_line_at(const tn_rounded_line *line, double s, tn_line_place *place);

#endif
