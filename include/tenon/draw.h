/* draw.h: a mechanism as a list of things to draw, for any renderer: frames, shafts, slots, balls,
 * planes, limits and values of the joints, outlines of the bodies (ArtiSynth Modeling Guide
 * 3.3.10).
 *
 * One call goes through the simulation's present state and passes every primitive to a callback. Nothing is
 * rendered here, nothing is allocated, and the simulation is not changed. Sizes come from the joint
 * definitions (tn_joint_look); sizes not given there are a share of the model's extent.
 *
 *     static tn_status show(void *context, const tn_primitive *p) { ...; return TN_OK; }
 *     tn_draw_options options = tn_default_draw_options();
 *     tn_status status = tn_sim_draw(sim, &options, show, renderer);
 */
#ifndef TENON_DRAW_H
#define TENON_DRAW_H

#include "tenon/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Everything lies in the frame `pose`, which is a pose in the world. */
typedef enum tn_primitive_kind {
    TN_PRIMITIVE_LINE,      /* points[2] */
    TN_PRIMITIVE_ARROW,     /* points[2], from tail to tip */
    TN_PRIMITIVE_POLYLINE,  /* points[point_count]; closed: the last is joined to the first */
    TN_PRIMITIVE_ARC,       /* radius size.x about z, from angle `from` to `to`, 0 along x */
    TN_PRIMITIVE_QUAD,      /* rectangle size.x by size.y centred in the x-y plane */
    TN_PRIMITIVE_SPHERE,    /* radius size.x */
    TN_PRIMITIVE_ELLIPSOID, /* semi-axes size */
    TN_PRIMITIVE_CYLINDER,  /* radius size.x, length size.z along z, centred */
    TN_PRIMITIVE_CAPSULE,   /* the same closed by half-balls; size.z between their centres */
    TN_PRIMITIVE_BOX,       /* edges size, centred */
    TN_PRIMITIVE_PRISM,     /* polygon points[point_count] in x-y, height size.z, centred in z */
    TN_PRIMITIVE_MESH,      /* points, triangles */
    TN_PRIMITIVE_LABEL,     /* text at the origin of pose */
    TN_PRIMITIVE_KIND_COUNT
} tn_primitive_kind;

/* What a primitive means; it also gives the default colours. */
typedef enum tn_draw_role {
    TN_ROLE_BODY,   /* outline of a body that moves, or lines to its joints if it has no shape */
    TN_ROLE_FIXED,  /* outline of a body that does not */
    TN_ROLE_AXIS_X, /* axes of frames C and D */
    TN_ROLE_AXIS_Y,
    TN_ROLE_AXIS_Z,
    TN_ROLE_JOINT,   /* shaft, rail, slot, ball, block */
    TN_ROLE_SURFACE, /* plane, ellipsoid: to be shown transparent */
    TN_ROLE_LIMIT,   /* range of a coordinate */
    TN_ROLE_VALUE,   /* present value of a coordinate */
    TN_ROLE_LABEL,
    TN_ROLE_GROUND,   /* mark of a joint to the ground */
    TN_ROLE_COUPLING, /* pitch circles, racks, belts; springs along coordinates */
    TN_ROLE_COUNT
} tn_draw_role;

/* Which frame an axis belongs to. */
typedef enum tn_draw_frame { TN_DRAW_NO_FRAME, TN_DRAW_FRAME_C, TN_DRAW_FRAME_D } tn_draw_frame;

/* Pointers are valid during the callback only. */
typedef struct tn_primitive {
    tn_primitive_kind kind;
    tn_draw_role role;
    tn_body body;        /* of an outline, else index -1 */
    tn_joint joint;      /* of everything else, else index -1; a coupling as a joint */
    tn_draw_frame frame; /* of an axis: whose */
    int32_t coordinate;  /* of a limit or value, else -1 */
    tn_vec3 color;       /* red, green, blue in 0 .. 1 */
    tn_pose pose;
    tn_vec3 size;    /* m, by kind */
    double from, to; /* rad; an arc may go round more than once */
    const tn_vec3 *points;
    int32_t point_count;
    int32_t closed;
    const tn_triangle *triangles;
    int32_t triangle_count;
    const char *text; /* UTF-8 */
} tn_primitive;

/* What to draw. */
enum {
    TN_DRAW_BODIES = 1,
    TN_DRAW_FRAMES = 2,
    TN_DRAW_SHAPES = 4,      /* what the joint is made of: shafts and the like */
    TN_DRAW_LIMITS = 8,      /* range and value of the coordinates that have a range */
    TN_DRAW_VALUES = 16,     /* value of the others as well */
    TN_DRAW_LABELS = 32,     /* names of joints, values of coordinates */
    TN_DRAW_MARKS = 64,      /* ground, bodies that are points */
    TN_DRAW_COUPLINGS = 128, /* gears, racks, belts, springs along coordinates */
    TN_DRAW_ALL = 255
};

/* Options of drawing. Fill it from tn_default_draw_options. */
typedef struct tn_draw_options {
    uint32_t cookie;
    uint32_t what; /* TN_DRAW_...; all */
    double unit;   /* m: length of parts without a size in the model; 0: leave them out; NaN: a
                      share of the model's extent */
} tn_draw_options;

/* Everything, with a unit chosen from the model (NaN). */
TN_API tn_draw_options tn_default_draw_options(void);

/* Returns TN_OK to continue; any other status ends the drawing and is returned by it. The callback may read the
 * simulation but not change it. */
typedef tn_status (*tn_draw_callback)(void *context, const tn_primitive *primitive);

/* Draws bodies first, then joints, then couplings, each in order of the ids. options NULL: the
 * defaults. */
TN_API tn_status tn_sim_draw(const tn_sim *sim, const tn_draw_options *options,
                             tn_draw_callback callback, void *context);
/* One joint. */
TN_API tn_status tn_sim_draw_joint(const tn_sim *sim, tn_joint joint,
                                   const tn_draw_options *options, tn_draw_callback callback,
                                   void *context);
/* The outlines of one body. */
TN_API tn_status tn_sim_draw_body(const tn_sim *sim, tn_body body, const tn_draw_options *options,
                                  tn_draw_callback callback, void *context);

/* The unit used for NaN, m. */
TN_API double tn_sim_draw_unit(const tn_sim *sim);

#ifdef __cplusplus
}
#endif
#endif
