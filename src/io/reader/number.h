/* number.h: numbers of the file: plain, with a unit, or by a formula.
 *
 * Room io/reader. A number may stand as 0.35, as "350 mm" or as "=0.3*length". What comes out is in SI
 * units and rad, and measures what the key requires: a plain number counts in the unit of the key, any
 * other must have its dimension. Problems point into the formula.
 */
#ifndef TN_IO_READER_NUMBER_H
#define TN_IO_READER_NUMBER_H

#include "io/reader/reader.h"
#include "quantity/quantity.h"

/* The kind of quantity that a number of the file must have. */
typedef struct tn_measure {
    /* "N/m"; of a coordinate that may be a length or an angle both, "N/m, N m/rad"; NULL: a plain
     * number; TN_DIRECTION: of a vector whose length does not count. */
    const char *unit;
    const char *per; /* divided by this unit to a power, NULL: by nothing */
    int32_t power;
    double plain; /* SI per 1 of a plain number: rad per unit of angle of the file, or 1 */
} tn_measure;

#define TN_DIRECTION "direction"

static inline tn_measure tn_measure_of(const char *unit)
{
    return (tn_measure){.unit = unit, .plain = 1.0};
}

/* An angle, or a quantity in the file's unit of angle. */
static inline tn_measure tn_angle_measure(const tn_reader *reader, const char *unit)
{
    return (tn_measure){.unit = unit, .plain = reader->angle};
}

/* A coordinate of this kind. */
static inline tn_measure tn_coordinate_measure(const tn_reader *reader, bool angular)
{
    return angular ? tn_angle_measure(reader, "rad") : tn_measure_of("m");
}

/* The dimension of the quantity; of several the first. */
tn_dimension tn_measured_dimension(const tn_reader *reader, const tn_measure *measure);
/* True if a value has this quantity's dimension; plain numbers count as such. If not, that is reported. */
bool tn_measures(const tn_reader *reader, const tn_measure *measure, const tn_value *value);
void tn_report_measure(tn_reader *reader, int32_t node, const char *key, const tn_measure *measure,
                       const tn_value *value, const char *hint);

/* The quantity of a field of a table. */
tn_measure tn_field_measure(const tn_reader *reader, const tn_field *field);

/* Reads any value: a number with its dimension, a formula's value, a list of two or three numbers. Returns false after
 * reporting if it is none. */
bool tn_read_value(tn_reader *reader, int32_t node, const char *key, tn_value *out);

/* Each of these returns 0 after reporting if the node is not as required. */
int tn_read_quantity(tn_reader *reader, int32_t node, const char *key, tn_measure measure,
                     double *value);
/* A list of exactly count numbers of one measure, or a formula for a vector of so many. */
int tn_read_quantities(tn_reader *reader, int32_t node, const char *key, tn_measure measure,
                       int32_t count, double *values);
/* The same with a measure for each. */
int tn_read_mixed(tn_reader *reader, int32_t node, const char *key, const tn_measure *measures,
                  int32_t count, double *values);
/* How many numbers a vector has: entries of a list, or what its formula gives; 0: none of both,
 * which tn_read_quantities reports. */
int32_t tn_vector_size(tn_reader *reader, int32_t node);
/* [lower, upper], each a number or infinite. */
int tn_read_bounds(tn_reader *reader, int32_t node, const char *key, tn_measure measure,
                   double bounds[2]);

/* Members of the schema of a number. */
void tn_schema_number(tn_json *json);

#endif
