/* load_io.h: loads in model files.
 *
 * Room io/field. The kind of a load follows from its keys (force, thrust, effort, drag, ...): each kind has its own,
 * and keys of other kinds are errors. Tables read into a form, which separates values that share a field of
 * tn_load_def.
 */
#ifndef TN_IO_FIELD_LOAD_IO_H
#define TN_IO_FIELD_LOAD_IO_H

#include "io/field/tables.h"
#include "tenon/load.h"

typedef struct tn_load_form {
    tn_load_def def;
    tn_body body;           /* instead of a list; -2: not given */
    tn_marker marker;       /* where it acts; -1: not given */
    tn_coupling_term along; /* joint and coordinate of an effort */
    tn_vec3 at;             /* m, x NaN: not given; of force and moment */
    tn_vec3 drag_at;        /* m, likewise; of drag */
    tn_marker centre;
    tn_vec3 centre_point;
    const char *surface; /* of a pressure, SOLID.NAME; NULL: not given */
} tn_load_form;

/* field_load.c */
extern const tn_field_kind tn_field_loaded_body, tn_field_marker, tn_field_between, tn_field_along,
    tn_field_components, tn_field_moment;

extern const tn_table tn_load_table;

#endif
