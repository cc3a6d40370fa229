/* flexible_io.h: flexible bodies in model files.
 *
 * Room io/field. A beam or a cable is a line, a section and a number of elements; io/section/flexible.c makes the
 * definition of the library (tenon/beam.h) of them. Of what may be missing a NaN says that it is.
 */
#ifndef TN_IO_FIELD_FLEXIBLE_IO_H
#define TN_IO_FIELD_FLEXIBLE_IO_H

#include "io/field/tables.h"
#include "tenon/beam.h"
#include "tenon/solid.h"

/* Which numbers a key takes. */
typedef struct tn_bounds {
    double lower, upper; /* upper is included */
    bool with_lower;     /* lower too */
    const char *must;    /* "positive": what the message says it must be */
} tn_bounds;

extern const tn_bounds tn_positive, tn_not_negative;

typedef struct tn_arc_form {
    tn_vec3 center, axis; /* m; of any length */
    double radius;        /* m */
    double from, to;      /* rad about axis */
} tn_arc_form;

typedef struct tn_beam_form {
    tn_vec3 from, to, up; /* m; of any length */
    tn_arc_form arc;
    int32_t elements;
} tn_beam_form;

typedef struct tn_cable_form {
    const tn_vec3 *points; /* [count] m */
    int32_t count;
    int32_t elements;
} tn_cable_form;

/* A section by its shape or by numbers. */
typedef struct tn_section_form {
    double rectangle[2]; /* m: along y and z */
    double circle;       /* m: diameter */
    double tube[2];      /* m: outer and inner diameter */
    tn_beam_section given;
} tn_section_form;

/* Directions in which a beam is rigid: bits of a form. */
enum { TN_RIGID_STRETCH = 1, TN_RIGID_SHEAR = 2, TN_RIGID_TWIST = 4 };

/* A set of nodes of a solid: of all sets named, or all nodes, those within a box. */
typedef struct tn_hold_form {
    const char *name;
    int32_t node;            /* its key */
    const char *const *sets; /* [set_count] */
    int32_t set_count;
    int32_t sets_node;
    tn_vec3 within[2];    /* m, in the axes of the mesh; x NaN: everywhere */
    int32_t as;           /* tn_patch_kind; of a hold */
    tn_material material; /* of a part */
} tn_hold_form;

typedef struct tn_grid_form {
    tn_vec3 size;
    int32_t cells[3];
    int32_t element; /* tn_element_kind */
} tn_grid_form;

typedef struct tn_solid_form {
    const char *mesh; /* NULL: not given */
    tn_grid_form grid;
    double scale; /* m; NaN: 1 */
    tn_pose pose;
    tn_solid_modal modal;      /* modes -1: not given */
    const tn_hold_form *holds; /* [hold_count] */
    int32_t hold_count;
    const tn_hold_form *surfaces; /* [surface_count] */
    int32_t surface_count;
    const tn_hold_form *parts; /* [part_count] of elements */
    int32_t part_count;
    bool given;
} tn_solid_form;

typedef struct tn_flexible_form tn_flexible_form;
struct tn_flexible_form {
    tn_beam_form beam;
    tn_cable_form cable; /* instead; elements 0: not given */
    tn_section_form section;
    tn_material material;
    double damping; /* s */
    int32_t rigid;  /* TN_RIGID_... */
    tn_solid_form solid;
};

extern const tn_table tn_flexible_table, tn_beam_table, tn_cable_table, tn_arc_table,
    tn_section_table, tn_solid_table, tn_grid_table, tn_hold_table, tn_surface_table, tn_part_table,
    tn_modal_table;

#endif
