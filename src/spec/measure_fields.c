/* measure_fields.c: the values a measure has (measure_fields.h). Room spec. */
#include "spec/measure_fields.h"

#include <stddef.h>

typedef enum form { SCALAR, VECTOR, WRENCH, MOMENT } form;

typedef struct quantity_row {
    form form;
    const char *linear, *angular; /* units: of lengths (or what has only one), of angles */
} quantity_row;

static const quantity_row quantities[TN_QUANTITY_COUNT] = {
    [TN_QUANTITY_VALUE] = {SCALAR, "m", "rad"},
    [TN_QUANTITY_SPEED] = {SCALAR, "m/s", "rad/s"},
    [TN_QUANTITY_ACCELERATION] = {SCALAR, "m/s^2", "rad/s^2"},
    [TN_QUANTITY_EFFORT] = {SCALAR, "N", "N m"},
    [TN_QUANTITY_POWER] = {SCALAR, "W", "W"},
    [TN_QUANTITY_WRENCH] = {WRENCH, "N", "N m"},
    [TN_QUANTITY_FORCE] = {VECTOR, "N", "N"},
    [TN_QUANTITY_MOMENT] = {MOMENT, "N m", "N m"},
    [TN_QUANTITY_POSITION] = {VECTOR, "m", "m"},
    [TN_QUANTITY_VELOCITY] = {VECTOR, "m/s", "m/s"},
    [TN_QUANTITY_POINT_ACCELERATION] = {VECTOR, "m/s^2", "m/s^2"},
    [TN_QUANTITY_DISTANCE] = {SCALAR, "m", "m"},
    [TN_QUANTITY_DISTANCE_SPEED] = {SCALAR, "m/s", "m/s"},
    [TN_QUANTITY_ANGLE] = {SCALAR, "rad", "rad"},
    [TN_QUANTITY_TOTAL] = {SCALAR, "J", "J"},
    [TN_QUANTITY_KINETIC] = {SCALAR, "J", "J"},
    [TN_QUANTITY_POTENTIAL] = {SCALAR, "J", "J"},
    [TN_QUANTITY_ELASTIC] = {SCALAR, "J", "J"},
    [TN_QUANTITY_WORK] = {SCALAR, "J", "J"},
    [TN_QUANTITY_LOST] = {SCALAR, "J", "J"},
    [TN_QUANTITY_LINEAR] = {VECTOR, "kg m/s", "kg m/s"},
    [TN_QUANTITY_ANGULAR] = {MOMENT, "kg m^2/s", "kg m^2/s"},
    [TN_QUANTITY_LOAD_POWER] = {SCALAR, "W", "W"},
    [TN_QUANTITY_LOAD_WORK] = {SCALAR, "J", "J"},
    [TN_QUANTITY_FORMULA] = {SCALAR, NULL, NULL},
};

/* In space and in the plane. */
static const tn_measure_fields forms[][2] = {
    [SCALAR] = {{1, {0}, {""}}, {1, {0}, {""}}},
    [VECTOR] = {{3, {0, 1, 2}, {"x", "y", "z"}}, {2, {0, 1}, {"x", "y"}}},
    [WRENCH] = {{6, {0, 1, 2, 3, 4, 5}, {"fx", "fy", "fz", "mx", "my", "mz"}},
                {3, {0, 1, 5}, {"fx", "fy", "m"}}},
    [MOMENT] = {{3, {0, 1, 2}, {"x", "y", "z"}}, {1, {2}, {""}}},
};

const tn_measure_fields *tn_measure_fields_of(tn_quantity quantity, int planar)
{
    return &forms[quantities[quantity].form][planar != 0];
}

const char *tn_measure_field_unit(const tn_measure_def *def, int planar, int angular, int32_t field)
{
    const quantity_row *row = &quantities[def->quantity];
    const int of_moment = row->form == WRENCH && def->component == TN_COMPONENT_ALL &&
                          forms[WRENCH][planar != 0].index[field] >= 3;
    return of_moment || angular ? row->angular : row->linear;
}
