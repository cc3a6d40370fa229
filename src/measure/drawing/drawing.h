/* drawing.h: room measure/drawing: what the parts of tn_sim_draw share (draw.h).
 *
 * In: a simulation. Out: primitives in the world that say what it looks like, and how it may move.
 */
#ifndef TN_MEASURE_DRAWING_DRAWING_H
#define TN_MEASURE_DRAWING_DRAWING_H

#include "motion/simulation.h"
#include "tenon/draw.h"

typedef struct tn_drawing {
    const tn_sim *sim;
    uint32_t what; /* TN_DRAW_... */
    double unit;   /* m */
    tn_draw_callback callback;
    void *context;
    tn_status status; /* TN_OK until the callback ends the drawing */

    /* the joint being drawn */
    int32_t index;
    const tn_model_joint *joint;
    tn_joint_look look; /* every size resolved */
    int32_t auto_shaft; /* the shaft's length was not given: it may cover a range */
    tn_xform T_CW, T_DW;
    tn_xform T_GD;
    const double *q;
    double motions[TN_MAX_ROWS][6]; /* twists of the motions, in G */
} tn_drawing;

/* A primitive of the present joint in the given frame, coloured by its role. */
tn_primitive tn_draw_start(const tn_drawing *d, tn_primitive_kind kind, tn_draw_role role,
                           const tn_xform *T);
/* Hands it to the callback unless the drawing has ended. */
void tn_draw_emit(tn_drawing *d, const tn_primitive *primitive);
/* A line between two points of the world. */
void tn_draw_line(tn_drawing *d, tn_draw_role role, int32_t coordinate, tn_vec3 from, tn_vec3 to);
/* A text at a point of the world. */
void tn_draw_label(tn_drawing *d, int32_t coordinate, tn_vec3 at, const char *text);

/* Range of a coordinate as it is now; infinite where there is none. */
void tn_draw_range(const tn_drawing *d, int32_t coordinate, double *lower, double *upper);

/* A polyline through points of the world, of the present joint. */
void tn_draw_way(tn_drawing *d, tn_draw_role role, const tn_vec3 *points, int32_t count,
                 int closed);
/* Makes a joint the present one. */
void tn_draw_enter(tn_drawing *d, int32_t index);

void tn_draw_ground(tn_drawing *d);  /* draw_marks.c: a joint to the ground */
void tn_draw_springs(tn_drawing *d); /* likewise, along its coordinates */
void tn_draw_coupling(tn_drawing *d, int32_t k);
void tn_draw_solids(tn_drawing *d); /* surfaces of all solids */
void tn_draw_shapes(tn_drawing *d);
void tn_draw_coordinates(tn_drawing *d);

#endif
