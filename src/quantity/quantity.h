/* quantity.h: numbers that know what they measure.
 *
 * Room quantity. A value is one number or a vector of two or three, in SI units and rad, with the
 * exponents of length, mass, time and angle. The angle counts as a dimension, so that 30 deg is not
 * taken for the number 30 and 5 Hz not for 5 rad/s; everywhere else rad is the 1 it is in SI:
 * radius * angle is a length, N m a stiffness against turning (tn_dimension_fits).
 *
 * In: texts of numbers, units and formulas, and a source of the names in them. Out: values in SI
 * units and rad with their dimension, or what is wrong at which byte.
 */
#ifndef TN_QUANTITY_QUANTITY_H
#define TN_QUANTITY_QUANTITY_H

#include <stdbool.h>

#include "base/base.h"

enum { TN_LENGTH, TN_MASS, TN_TIME, TN_ANGLE, TN_DIMENSION_COUNT };

/* Exponents are counted in twelfths: square, cube and fourth roots stay exact. */
#define TN_WHOLE 12

typedef struct tn_dimension {
    int16_t exponent[TN_DIMENSION_COUNT]; /* in 1/TN_WHOLE */
} tn_dimension;

typedef struct tn_value {
    double v[3];
    int32_t count; /* 1: a number; 2, 3: a vector */
    tn_dimension dimension;
    int32_t
        from; /* the step of a tape that it comes from, counted from 1; 0: it is what it is (tape.h) */
} tn_value;

TN_SIBLING tn_value tn_plain(double number);

TN_SIBLING bool tn_dimension_is_plain(tn_dimension d);
TN_SIBLING bool tn_dimension_equal(tn_dimension a, tn_dimension b);

/* Whether a value of dimension a may stand where b is wanted, or be added to it. Angles may differ,
 * except where an angle and a plain number, or rad/s and 1/s, would be mistaken for each other. */
TN_SIBLING bool tn_dimension_fits(tn_dimension a, tn_dimension b);

/* a + times b (a product for 1, a quotient for -1). Exponents beyond 99 answer false. */
TN_SIBLING bool tn_dimension_add(tn_dimension a, tn_dimension b, int times, tn_dimension *out);

/* All exponents times power; false when they are no multiples of 1/TN_WHOLE then. */
TN_SIBLING bool tn_dimension_power(tn_dimension d, double power, tn_dimension *out);

/* "N m/rad"; "1" for a plain number. In buffer. */
#define TN_DIMENSION_TEXT 48
TN_SIBLING const char *tn_dimension_unit(tn_dimension d, char buffer[TN_DIMENSION_TEXT]);

/* "a mass", "a plain number", "in kg m^3": for messages. In buffer. */
TN_SIBLING const char *tn_dimension_name(tn_dimension d, char buffer[TN_DIMENSION_TEXT]);
/* Where a noun must stand: of what has no name of its own "a quantity in m^4". */
TN_SIBLING const char *tn_dimension_noun(tn_dimension d, char buffer[TN_DIMENSION_TEXT]);

#endif
