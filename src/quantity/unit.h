/* unit.h: units by name: "mm", "N m/rad", "rpm", "kg/m^3".
 *
 * Room quantity. SI units with their prefixes, and what engineers write beside them. A product is
 * written with a space, a point or a star, a quotient with a slash: what follows a slash is divided
 * by, N m s/rad is (N m s)/rad. Powers are whole numbers: m^2.
 */
#ifndef TN_QUANTITY_UNIT_H
#define TN_QUANTITY_UNIT_H

#include "base/suggest.h"
#include "quantity/quantity.h"

/* SI units are up / down of this one: 1000 mm are divided by 1000, which is exact, where times
 * 0.001 is not. */
typedef struct tn_unit {
    double up, down;
    tn_dimension dimension;
} tn_unit;

/* A unit alone, without powers; length bytes of name. */
TN_SIBLING bool tn_unit_find(const char *name, size_t length, tn_unit *out);

/* The unit that starts at text[*at] and goes on to the end of the text or to a character that
 * cannot belong to it; *at is moved behind. False: *at is where it is wrong. */
TN_SIBLING bool tn_unit_read(const char *text, size_t *at, tn_unit *out);

/* Whether text is a number and a unit, "150 mm"; TN_QUANTITY_WRONG: it starts with a number and
 * goes on with what is no unit, at *at. */
typedef enum tn_quantity_form {
    TN_QUANTITY_NONE,
    TN_QUANTITY_GOOD,
    TN_QUANTITY_WRONG
} tn_quantity_form;
TN_SIBLING tn_quantity_form tn_quantity_read(const char *text, size_t *at, tn_value *out);

/* What a word may have meant, of the units of a dimension (NULL: of all), and where all units are
 * listed. */
TN_SIBLING tn_suggestion tn_unit_suggest(const char *word, const tn_dimension *wanted);
#define TN_WHERE_UNITS "'tenon functions'"

/* Names of the units, without prefixes; NULL after the last one. */
TN_SIBLING const char *tn_unit_name(int32_t index);

/* Letters, digits and _, also above ASCII; not a digit at the start. Bytes of the name at text. */
TN_SIBLING size_t tn_name_length(const char *text);

/* Bytes of the decimal number at text, 0 when there is none. */
TN_SIBLING size_t tn_number_length(const char *text);

#endif
