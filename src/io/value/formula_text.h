/* formula_text.h: formulas that are kept: parameters in them become their values.
 *
 * Room io/value. In: a formula of the file and, while it is read (quantity/expression.h), what its names stand for. Out: the
 * text without them, which means the same wherever it is read again, to the last bit.
 */
#ifndef TN_IO_VALUE_FORMULA_TEXT_H
#define TN_IO_VALUE_FORMULA_TEXT_H

#include "io/reader/reader.h"
#include "quantity/expression.h"
#include "spec/measure/measure_formula.h"

/* Longest path or value in a formula. */
#define TN_FORMULA_PATH 256

/* What stands for the name at a place of the text. */
typedef struct tn_replacement {
    size_t at, length;
    const char *text;
} tn_replacement;

typedef struct tn_rewriting {
    tn_reader *reader;
    int32_t node;
    const char *text;
    tn_replacement list[TN_MOST_TERMS];
    int32_t count;
} tn_rewriting;

/* Puts `by` for a name, which points into the text. TN_NAME_BROKEN: there is no room, which has been reported. */
tn_name_answer tn_replace_name(tn_rewriting *r, const char *name, size_t length, const char *by);
/* (0.35 * 1 m), or a list of such. */
tn_name_answer tn_replace_by_value(tn_rewriting *r, const char *name, size_t length,
                                   const tn_value *value);
/* v.x or v[1] of a parameter v: the formula needs v next. */
bool tn_is_part_of_parameter(const tn_rewriting *r, const char *name, size_t length);
/* The text with what stands for its names; NULL: out of memory, which is in the reader. */
const char *tn_rewritten(const tn_rewriting *r);

#endif
