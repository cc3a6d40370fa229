/* function_formula.h: functions that are formulas of the time or of the way: "=10*sin(4*pi*t)", "=k*x + k3*x^3".
 *
 * Room io/value. In: a formula over parameters and one variable: t in a function of the time, x in any other. Out: a function
 * over SI units and rad, without the parameters.
 *
 * The variable is a time, a length or an angle, as everything has its unit; and where the formula makes no sense so, 5*t for a
 * force, it is a plain number of s, m or the file's angles, as plain numbers go. Of an angle in a file of degrees these are
 * not the same: there a formula that says no unit is tried with plain numbers first, any other with units.
 */
#ifndef TN_IO_VALUE_FUNCTION_FORMULA_H
#define TN_IO_VALUE_FUNCTION_FORMULA_H

#include "io/reader/number.h"
#include "io/text/emitter.h"
#include "tenon/function.h"

typedef enum tn_formula_answer {
    TN_FORMULA_NONE, /* it is no formula of a variable */
    TN_FORMULA_READ,
    TN_FORMULA_BROKEN /* which has been reported */
} tn_formula_answer;

/* What stands at node into *def, whose x and y measure this; with `demanded` it is a formula also without = and a variable. */
tn_formula_answer tn_read_formula_function(tn_reader *reader, int32_t node, const char *key,
                                           tn_measure x, tn_measure y, bool demanded,
                                           tn_function_def *def);

void tn_emit_formula_function(tn_emitter *emitter, const char *formula);

#endif
