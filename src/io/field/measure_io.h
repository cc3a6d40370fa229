/* measure_io.h: measures in model files.
 *
 * Room io/field. The key that says what a measure is of gives its kind; quantity, part, axes and the like
 * are read after it. The tables are those of a form, which keeps apart what shares a place in
 * tn_measure_def.
 */
#ifndef TN_IO_FIELD_MEASURE_IO_H
#define TN_IO_FIELD_MEASURE_IO_H

#include "io/field/tables.h"
#include "tenon/measure.h"

typedef struct tn_measure_form {
    tn_measure_def def;
    tn_coupling_term coordinate; /* its joint may be a coupling */
    tn_marker marker, relative_to;
    tn_marker distance[2], angle[2];
    tn_joint reaction, moving, section;
    const char *quantity; /* a word of the kind; NULL: its first */
    tn_quantity energy;   /* of TN_MEASURE_ENERGY, whose key has it; so _MOMENTUM */
    tn_quantity momentum;
    int32_t on_b;
} tn_measure_form;

/* field_measure.c */
extern const tn_field_kind tn_field_measured_coordinate, tn_field_measured_joint,
    tn_field_measured_bound, tn_field_measured_load, tn_field_quantity_of, tn_field_quantity_word;

/* field_formula.c. Formulas of measures may name measures that follow: once all are read,
 * tn_read_waiting_formulas finds those. */
void tn_read_waiting_formulas(tn_reader *reader);
extern const tn_field_kind tn_field_measured_formula;

extern const tn_table tn_measure_table;

#endif
