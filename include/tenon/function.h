/* function.h: scalar functions y = f(x) with their derivatives: prescribed motions q(t), couplings
 * of coordinates, laws of springs, axes of custom joints.
 *
 * A definition is a kind and a list of numbers, or a formula. Calls that take a definition copy it.
 */
#ifndef TENON_FUNCTION_H
#define TENON_FUNCTION_H

#include "tenon/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One line per kind: enum, name in model files, numbers it takes (0: any, in groups of the next
 * column), group, what it is. Beyond their first and last points, tables and splines go on along
 * straight lines. */
#define TN_FUNCTION_LIST(X)                                                                        \
    X(TN_FUNCTION_CONSTANT, "constant", 1, 1, "the same everywhere: [y]")                          \
    X(TN_FUNCTION_POLYNOMIAL, "polynomial", 0, 1, "c0 + c1 x + c2 x^2 + ...: [c0, c1, ...]")       \
    X(TN_FUNCTION_SINE, "sine", 4, 4,                                                              \
      "offset + amplitude sin(rate x + phase): [amplitude, rate, phase, offset]; rate in rad per " \
      "unit of x, phase in rad")                                                                   \
    X(TN_FUNCTION_STEP, "step", 4, 4,                                                              \
      "from y0 at x0 smoothly to y1 at x1, two continuous derivatives: [x0, y0, x1, y1]")          \
    X(TN_FUNCTION_TABLE, "table", 0, 2, "straight lines between points: [x0, y0, x1, y1, ...]")    \
    X(TN_FUNCTION_SPLINE, "spline", 0, 2,                                                          \
      "natural cubic spline through points: [x0, y0, x1, y1, ...]")                                \
    X(TN_FUNCTION_FORMULA, "formula", 0, 0,                                                        \
      "a formula of t, the time, or of x, the way: 10*sin(4*pi*t), k*x + k3*x^3, t < 1 ? 0 : 5")

typedef enum tn_function_kind {
    TN_FUNCTION_NONE, /* no function was given */
#define TN_FUNCTION_ENUM(kind, name, numbers, group, text) kind,
    TN_FUNCTION_LIST(TN_FUNCTION_ENUM)
#undef TN_FUNCTION_ENUM
        TN_FUNCTION_CALLBACK, /* computed by the program; has no form in model files */
    TN_FUNCTION_KIND_COUNT
} tn_function_kind;

/* out[3]: f(x), f'(x), f''(x); an entry that is not written is NaN. Must be pure: the same x gives the same bits.
 * Which calls are allowed inside: docs/howto/c_interface.md, Callbacks. */
typedef void (*tn_function_callback)(void *context, double x, double out[3]);

/* Zeroed: no function. */
typedef struct tn_function_def {
    tn_function_kind kind;
    const double *numbers; /* [count], see TN_FUNCTION_LIST */
    int32_t count;
    tn_function_callback callback; /* of TN_FUNCTION_CALLBACK */
    void *context;                 /* handed to the callback; not copied */
    int32_t bounded; /* 1: of tables and splines, no value (NaN) beyond the first and last points */
    /* For TN_FUNCTION_FORMULA, in the language of model files: t is the variable of a function of time, x that of any
     * other; units count as their value in SI units and rad. */
    const char *formula;
} tn_function_def;

/* Name in model files; NULL for TN_FUNCTION_NONE, TN_FUNCTION_CALLBACK and unknown kinds. */
TN_API const char *tn_function_kind_name(tn_function_kind kind);
/* What it is and what its numbers mean; NULL for the same kinds. */
TN_API const char *tn_function_kind_text(tn_function_kind kind);
/* TN_ERROR_NOT_FOUND leaves *out unchanged. */
TN_API tn_status tn_function_kind_find(const char *name, tn_function_kind *out);
/* What is wrong with a definition, as the end of a sentence ("needs two points at least"); NULL:
 * nothing. TN_FUNCTION_NONE is fine. */
TN_API const char *tn_function_problem(const tn_function_def *def);
/* Bytes of the text below. */
#define TN_FUNCTION_TEXT 320
/* The same, for a formula with the error in it, written to text. variable: 't' for a function of time, 'x' for one of a
 * coordinate, 0: either. */
TN_API const char *tn_function_explain(const tn_function_def *def, char variable,
                                       char text[TN_FUNCTION_TEXT]);

#ifdef __cplusplus
}
#endif
#endif
