/* ranges.h: room math/formula: between what bounds the steps of a formula, and their slopes, lie on a piece of the variable.
 *
 * In: a formula and a piece. Out: bounds that hold at every place of it (interval arithmetic; Moore, Kearfott and Cloud,
 * Introduction to Interval Analysis, 2009), of the slope too where the step neither jumps nor has a pole there. They are
 * wider than need be where the variable stands more than once, less so the shorter the piece.
 */
#ifndef TN_MATH_FORMULA_RANGES_H
#define TN_MATH_FORMULA_RANGES_H

#include "math/formula/formula.h"

typedef struct tn_range {
    double lo, hi;
} tn_range;

typedef struct tn_spread {
    tn_range v, d; /* value, slope */
} tn_spread;

/* spreads[f->all] */
void tn_formula_spreads(const tn_formula *f, tn_range x, tn_spread *spreads);

tn_range tn_range_add(tn_range a, tn_range b);
tn_range tn_range_times(tn_range a, tn_range b);

#endif
