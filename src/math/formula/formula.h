/* formula.h: room math/formula: formulas of one variable, worked out.
 *
 * In: the text of a formula (quantity/expression.h) of one variable, x or t, in SI units and rad; its units are the numbers
 * they are. Out: its value and two derivatives at a place, exactly; where it is not smooth; what is under it.
 *
 * Nothing is allocated once it is made, and the same place gives the same bits.
 */
#ifndef TN_MATH_FORMULA_FORMULA_H
#define TN_MATH_FORMULA_FORMULA_H

#include "base/arena.h"
#include "quantity/expression.h"
#include "real/double_double.h"
#include "tenon/status.h"

/* It bends where the value of a step goes through 0, or through any whole number, or where its slope goes through 0. */
typedef enum tn_bend_level { TN_LEVEL_0, TN_LEVEL_WHOLE, TN_LEVEL_SLOPE } tn_bend_level;

typedef struct tn_formula_bend {
    int32_t step;
    tn_bend_level level;
} tn_formula_bend;

typedef struct tn_formula {
    const char *text;
    const tn_tape_step *steps; /* [all] */
    int32_t count;             /* up to the one that is its value */
    int32_t all;               /* and those that show where it bends */
    const tn_formula_bend *bends;
    int32_t bend_count;
    bool may_jump; /* its value may, not only its slope */
} tn_formula;

/* Value, first and second derivative. */
typedef struct tn_jet {
    double v, d, c;
} tn_jet;

/* What a name is in the text of a formula: the variable? */
static inline bool tn_is_variable(const char *name, size_t length)
{
    return length == 1 && (name[0] == 'x' || name[0] == 't');
}

/* make.c: into the arena. TN_ERROR_ARGUMENT: *problem says why not; TN_ERROR_MEMORY. */
tn_status tn_formula_make(const char *text, tn_arena *arena, tn_formula *out,
                          tn_expression_problem *problem);
/* NULL: nothing is wrong with it. variable: 't', 'x', or 0 for either. */
TN_SIBLING const char *tn_formula_problem(const char *text, char variable,
                                          tn_expression_problem *problem);
/* The same of x + by, in out[size]; false: there is no room. */
TN_SIBLING bool tn_formula_shift(const char *text, double by, char *out, size_t size);

/* jets.c: at a place where it bends, the derivatives to the right. */
void tn_formula_jets(const tn_formula *f, int32_t count, double x, tn_jet *jets);
void tn_formula_evaluate(const tn_formula *f, double x, double out[3]);
tn_dd tn_formula_value(const tn_formula *f, tn_dd x);
/* One operation, of two operands at most. */
tn_jet tn_formula_rule(tn_tape_op op, const tn_jet *a, const tn_jet *b);

/* bends.c: the first place behind x, and the last at it or before, where the formula bends or jumps, as far as `limit`;
 * infinite: there is none. It is as it is behind the place from there on. */
double tn_formula_next_bend(const tn_formula *f, double x, double limit);
double tn_formula_last_bend(const tn_formula *f, double x, double limit);
/* The first place beyond `from`, where the value jumps, both ways from 0 on if that is -INFINITY; NaN: none was found. */
double tn_formula_jump(const tn_formula *f, double from);

/* area.c: from 0 to x. */
double tn_formula_area(const tn_formula *f, double x);

#endif
