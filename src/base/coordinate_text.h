/* coordinate_text.h: the value of a coordinate as text for messages, with its unit; in degrees if the model's file uses
 * degrees.
 */
#ifndef TN_BASE_COORDINATE_TEXT_H
#define TN_BASE_COORDINATE_TEXT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct tn_coordinate_text {
    char text[40]; /* "-1.23456789e-100 deg/s" */
} tn_coordinate_text;

/* per: "" of values, "/s" of speeds. */
static inline tn_coordinate_text tn_write_coordinate(double value, int digits, bool angular,
                                                     bool degrees, const char *per)
{
    tn_coordinate_text told;
    const double rad = 3.14159265358979323846 / 180.0; /* of a degree */
    snprintf(told.text, sizeof told.text, "%.*g %s%s", digits,
             angular && degrees ? value / rad : value,
             !angular  ? "m"
             : degrees ? "deg"
                       : "rad",
             per);
    return told;
}

#endif
