/* coupling_tables.h: the sections of couplings of coordinates.
 *
 * Room io/field. The core is a list of terms; gears, racks, pulleys and the like are other ways of
 * writing two of them. Ratios are those of the library's units (rad, m) whatever the file's unit of
 * angle.
 */
#ifndef TN_IO_FIELD_COUPLING_TABLES_H
#define TN_IO_FIELD_COUPLING_TABLES_H

#include "io/field/tables.h"

/* How two coordinates are written: first + sign factor f(second) = offset. */
typedef struct tn_coupling_form {
    tn_coupling_term first, second;
    double factor;            /* NaN: 1 */
    double offset;            /* NaN: what it is at the start */
    tn_function_def function; /* none: q itself */
    int32_t slack;            /* 1: the sum may be less */
} tn_coupling_form;

typedef struct tn_coupling_form_class {
    tn_table table;
    double sign;  /* of the second term */
    double value; /* of the coupling without an offset; NaN: its value at the start */
    bool teeth;   /* wheels mesh: with a positive ratio one of them is a ring */
} tn_coupling_form_class;

/* field_pulley.c: a rope over pulleys that are points, tn_pulley_def */
extern const tn_field_kind tn_field_pulley;

/* field_coupling.c */
extern const tn_field_kind tn_field_coupled, tn_field_ratio, tn_field_term_function,
    tn_field_form_function, tn_field_coupling_form, tn_field_terms, tn_field_coupling_number,
    tn_field_coupling_range;

extern const tn_table tn_term_table, tn_pulley_table, tn_coupling_table;

#endif
