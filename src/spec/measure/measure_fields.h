/* measure_fields.h: the values a measure has: how many, their names and units, in space and in the
 * plane.
 *
 * Room spec/measure. Units are SI and rad.
 */
#ifndef TN_SPEC_MEASURE_MEASURE_FIELDS_H
#define TN_SPEC_MEASURE_MEASURE_FIELDS_H

#include "tenon/measure.h"

/* Of a quantity with all its components. */
typedef struct tn_measure_fields {
    int32_t count;
    int8_t index[TN_MEASURE_MOST]; /* of force or vector x 0, y 1, z 2, then of the moment */
    const char *names[TN_MEASURE_MOST];
} tn_measure_fields;

/* What turns, moments and the like, has one number in the plane: about z. */
typedef enum tn_measure_form_kind {
    TN_FORM_SCALAR,
    TN_FORM_VECTOR,
    TN_FORM_WRENCH,
    TN_FORM_MOMENT
} tn_measure_form_kind;

tn_measure_form_kind tn_measure_form_of(tn_quantity quantity);
const tn_measure_fields *tn_measure_fields_of(tn_quantity quantity, int planar);

/* Of value `field`; angular: of a coordinate that is an angle. NULL: of a formula, its own. */
const char *tn_measure_field_unit(const tn_measure_def *def, int planar, int angular,
                                  int32_t field);

#endif
