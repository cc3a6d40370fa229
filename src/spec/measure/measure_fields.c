/* measure_fields.c: the values a measure has (measure_fields.h). Room spec/measure. */
#include "spec/measure/measure_fields.h"

#include <stddef.h>

typedef struct quantity_row {
    tn_measure_form_kind form;
    const char *linear, *angular; /* units: of lengths (or what has only one), of angles */
} quantity_row;

static const quantity_row quantities[TN_QUANTITY_COUNT] = {
    [TN_QUANTITY_VALUE] = {TN_FORM_SCALAR, "m", "rad"},
    [TN_QUANTITY_SPEED] = {TN_FORM_SCALAR, "m/s", "rad/s"},
    [TN_QUANTITY_ACCELERATION] = {TN_FORM_SCALAR, "m/s^2", "rad/s^2"},
    [TN_QUANTITY_EFFORT] = {TN_FORM_SCALAR, "N", "N m"},
    [TN_QUANTITY_POWER] = {TN_FORM_SCALAR, "W", "W"},
    [TN_QUANTITY_WRENCH] = {TN_FORM_WRENCH, "N", "N m"},
    [TN_QUANTITY_FORCE] = {TN_FORM_VECTOR, "N", "N"},
    [TN_QUANTITY_MOMENT] = {TN_FORM_MOMENT, "N m", "N m"},
    [TN_QUANTITY_JOINT_ROTATION] = {TN_FORM_MOMENT, "rad", "rad"},
    [TN_QUANTITY_JOINT_SPIN] = {TN_FORM_MOMENT, "rad/s", "rad/s"},
    [TN_QUANTITY_JOINT_POSITION] = {TN_FORM_VECTOR, "m", "m"},
    [TN_QUANTITY_JOINT_VELOCITY] = {TN_FORM_VECTOR, "m/s", "m/s"},
    [TN_QUANTITY_POSITION] = {TN_FORM_VECTOR, "m", "m"},
    [TN_QUANTITY_VELOCITY] = {TN_FORM_VECTOR, "m/s", "m/s"},
    [TN_QUANTITY_POINT_ACCELERATION] = {TN_FORM_VECTOR, "m/s^2", "m/s^2"},
    [TN_QUANTITY_ROTATION] = {TN_FORM_MOMENT, "rad", "rad"},
    [TN_QUANTITY_SPIN] = {TN_FORM_MOMENT, "rad/s", "rad/s"},
    [TN_QUANTITY_DISTANCE] = {TN_FORM_SCALAR, "m", "m"},
    [TN_QUANTITY_DISTANCE_SPEED] = {TN_FORM_SCALAR, "m/s", "m/s"},
    [TN_QUANTITY_ANGLE] = {TN_FORM_SCALAR, "rad", "rad"},
    [TN_QUANTITY_TOTAL] = {TN_FORM_SCALAR, "J", "J"},
    [TN_QUANTITY_KINETIC] = {TN_FORM_SCALAR, "J", "J"},
    [TN_QUANTITY_POTENTIAL] = {TN_FORM_SCALAR, "J", "J"},
    [TN_QUANTITY_ELASTIC] = {TN_FORM_SCALAR, "J", "J"},
    [TN_QUANTITY_WORK] = {TN_FORM_SCALAR, "J", "J"},
    [TN_QUANTITY_LOST] = {TN_FORM_SCALAR, "J", "J"},
    [TN_QUANTITY_LINEAR] = {TN_FORM_VECTOR, "kg m/s", "kg m/s"},
    [TN_QUANTITY_ANGULAR] = {TN_FORM_MOMENT, "kg m^2/s", "kg m^2/s"},
    [TN_QUANTITY_LOAD_POWER] = {TN_FORM_SCALAR, "W", "W"},
    [TN_QUANTITY_LOAD_WORK] = {TN_FORM_SCALAR, "J", "J"},
    [TN_QUANTITY_FORMULA] = {TN_FORM_SCALAR, NULL, NULL},
    [TN_QUANTITY_SECTION_WRENCH] = {TN_FORM_WRENCH, "N", "N m"},
    [TN_QUANTITY_SECTION_FORCE] = {TN_FORM_VECTOR, "N", "N"},
    [TN_QUANTITY_SECTION_MOMENT] = {TN_FORM_MOMENT, "N m", "N m"},
};

/* In space and in the plane. */
static const tn_measure_fields forms[][2] = {
    [TN_FORM_SCALAR] = {{1, {0}, {""}}, {1, {0}, {""}}},
    [TN_FORM_VECTOR] = {{3, {0, 1, 2}, {"x", "y", "z"}}, {2, {0, 1}, {"x", "y"}}},
    [TN_FORM_WRENCH] = {{6, {0, 1, 2, 3, 4, 5}, {"fx", "fy", "fz", "mx", "my", "mz"}},
                        {3, {0, 1, 5}, {"fx", "fy", "m"}}},
    [TN_FORM_MOMENT] = {{3, {0, 1, 2}, {"x", "y", "z"}}, {1, {2}, {""}}},
};

tn_measure_form_kind tn_measure_form_of(tn_quantity quantity)
{
    return quantities[quantity].form;
}

const tn_measure_fields *tn_measure_fields_of(tn_quantity quantity, int planar)
{
    return &forms[quantities[quantity].form][planar != 0];
}

const char *tn_measure_field_unit(const tn_measure_def *def, int planar, int angular, int32_t field)
{
    const quantity_row *row = &quantities[def->quantity];
    const int of_moment = row->form == TN_FORM_WRENCH && def->component == TN_COMPONENT_ALL &&
                          forms[TN_FORM_WRENCH][planar != 0].index[field] >= 3;
    return of_moment || angular ? row->angular : row->linear;
}
