/* tape.h: a formula of one variable as a list of operations, to be worked out again and again.
 *
 * Room quantity. In: the operations that the reader of formulas meets (expression.h), in their order. Out: steps, each over
 * steps before it, each only once: what stands twice in a formula is one step. What they come to, and how fast it changes, is
 * worked out by room math/formula.
 */
#ifndef TN_QUANTITY_TAPE_H
#define TN_QUANTITY_TAPE_H

#include <stdbool.h>

#include "base/base.h"

/* enum, operands, name of what works it out (math/formula). Truths are 1 and 0. A remainder has the sign of the divisor. */
#define TN_TAPE_RULES(X)                                                                           \
    X(TN_TAPE_SUM, 2, sum)                                                                         \
    X(TN_TAPE_DIFFERENCE, 2, difference)                                                           \
    X(TN_TAPE_PRODUCT, 2, product)                                                                 \
    X(TN_TAPE_QUOTIENT, 2, quotient)                                                               \
    X(TN_TAPE_REMAINDER, 2, remainder_of)                                                          \
    X(TN_TAPE_POWER, 2, power)                                                                     \
    X(TN_TAPE_NEGATIVE, 1, negative)                                                               \
    X(TN_TAPE_SIN, 1, sine)                                                                        \
    X(TN_TAPE_COS, 1, cosine)                                                                      \
    X(TN_TAPE_TAN, 1, tangent)                                                                     \
    X(TN_TAPE_ASIN, 1, arc_sine)                                                                   \
    X(TN_TAPE_ACOS, 1, arc_cosine)                                                                 \
    X(TN_TAPE_ATAN, 1, arc_tangent)                                                                \
    X(TN_TAPE_ATAN2, 2, angle_of_point)                                                            \
    X(TN_TAPE_HYPOT, 2, hypotenuse)                                                                \
    X(TN_TAPE_ROOT, 1, root)                                                                       \
    X(TN_TAPE_EXP, 1, exponential)                                                                 \
    X(TN_TAPE_LN, 1, logarithm)                                                                    \
    X(TN_TAPE_LOG10, 1, decimal_logarithm)                                                         \
    X(TN_TAPE_SINH, 1, hyperbolic_sine)                                                            \
    X(TN_TAPE_COSH, 1, hyperbolic_cosine)                                                          \
    X(TN_TAPE_TANH, 1, hyperbolic_tangent)                                                         \
    X(TN_TAPE_ABS, 1, size)                                                                        \
    X(TN_TAPE_SIGN, 1, sign_of)                                                                    \
    X(TN_TAPE_MIN, 2, least)                                                                       \
    X(TN_TAPE_MAX, 2, greatest)                                                                    \
    X(TN_TAPE_FLOOR, 1, whole_below)                                                               \
    X(TN_TAPE_CEIL, 1, whole_above)                                                                \
    X(TN_TAPE_ROUND, 1, whole_nearest)                                                             \
    X(TN_TAPE_LESS, 2, less)                                                                       \
    X(TN_TAPE_AT_MOST, 2, at_most)                                                                 \
    X(TN_TAPE_EQUAL, 2, equal)                                                                     \
    X(TN_TAPE_DIFFERENT, 2, different)                                                             \
    X(TN_TAPE_NOT, 1, opposite)                                                                    \
    X(TN_TAPE_AND, 2, both)                                                                        \
    X(TN_TAPE_OR, 2, either)                                                                       \
    X(TN_TAPE_CHOICE, 3, choice)

#define TN_TAPE_LIST(X)                                                                            \
    X(TN_TAPE_CONSTANT, 0, none)                                                                   \
    X(TN_TAPE_VARIABLE, 0, none)                                                                   \
    TN_TAPE_RULES(X)

typedef enum tn_tape_op {
    TN_TAPE_NONE,
#define TN_TAPE_ENUM(op, operands, rule) op,
    TN_TAPE_LIST(TN_TAPE_ENUM)
#undef TN_TAPE_ENUM
        TN_TAPE_OP_COUNT
} tn_tape_op;

#define TN_TAPE_OPERANDS 3

typedef struct tn_tape_step {
    tn_tape_op op;
    int32_t of[TN_TAPE_OPERANDS]; /* steps, counted from 1; 0: none */
    bool in_steps; /* the same between places where it jumps: a truth, a whole number */
    double number; /* of a constant */
} tn_tape_step;

/* Steps that a formula has at most, and those that are added to see where it is not smooth. */
#define TN_TAPE_STEPS 256

typedef struct tn_tape {
    tn_tape_step steps[TN_TAPE_STEPS];
    int32_t count;
} tn_tape;

/* Steps by their number, counted from 1; 0: the tape is full. */
TN_SIBLING int32_t tn_tape_variable(tn_tape *tape);
TN_SIBLING int32_t tn_tape_constant(tn_tape *tape, double number);
TN_SIBLING int32_t tn_tape_add(tn_tape *tape, tn_tape_op op, const int32_t *of);

TN_SIBLING int32_t tn_tape_operands(tn_tape_op op);

/* Whether what comes from a step, 0 being a constant, changes by jumps only. */
TN_SIBLING bool tn_tape_is_in_steps(const tn_tape *tape, int32_t step);

#endif
