/* function_knots.c: room math/function: where a function is not smooth.
 *
 * A table bends at its inner points, a spline changes its third derivative at all, a step begins and ends, a formula has choices,
 * sizes, whole parts (math/formula/bends.c). Between such points functions are as smooth as one may ask; a pulse that stands
 * between two of them is all there.
 */
#include <math.h>

#include "math/function/function.h"

/* A table bends at a point where the slopes beside it differ by more than this share of them. */
#define TN_STRAIGHT 1e-14

static bool bends(const double *p)
{
    const double before = (p[1] - p[-1]) / (p[0] - p[-2]), after = (p[3] - p[1]) / (p[2] - p[0]);
    return fabs(after - before) > TN_STRAIGHT * fmax(fabs(before), fabs(after));
}

/* Is point k of a table or spline one? */
static bool is_knot(const tn_function_def *def, int32_t k)
{
    const bool inner = k > 0 && k < def->count / 2 - 1;
    return def->kind == TN_FUNCTION_SPLINE || (inner && bends(def->numbers + 2 * k));
}

double tn_function_next_knot_until(const tn_function *function, double x, double limit)
{
    double around[2];
    if (function->formula)
        return tn_formula_next_bend(function->formula, x, limit);
    tn_function_knots_around(function, x, around);
    return around[1];
}

double tn_function_next_knot(const tn_function *function, double x)
{
    return tn_function_next_knot_until(function, x, INFINITY);
}

bool tn_function_has_knots(const tn_function *function)
{
    const tn_function_kind kind = function->def.kind;
    return kind == TN_FUNCTION_TABLE || kind == TN_FUNCTION_SPLINE || kind == TN_FUNCTION_STEP ||
           (function->formula && function->formula->bend_count > 0);
}

bool tn_function_may_jump(const tn_function *function)
{
    return function->formula && function->formula->may_jump;
}

double tn_function_jump(const tn_function_def *def, double from)
{
    tn_arena arena = {0};
    tn_formula formula;
    tn_expression_problem problem;
    double found = (double)NAN;
    if (def->kind == TN_FUNCTION_FORMULA &&
        tn_formula_make(def->formula, &arena, &formula, &problem) == TN_OK)
        found = tn_formula_jump(&formula, from);
    tn_arena_free(&arena);
    return found;
}

static void around_step(const double *n, double x, double around[2])
{
    around[0] = x >= n[2] ? n[2] : x >= n[0] ? n[0] : -INFINITY;
    around[1] = x < n[0] ? n[0] : x < n[2] ? n[2] : INFINITY;
}

void tn_function_knots_around(const tn_function *function, double x, double around[2])
{
    const tn_function_def *def = &function->def;
    around[0] = -INFINITY;
    around[1] = INFINITY;
    if (function->formula) {
        around[0] = tn_formula_last_bend(function->formula, x, -INFINITY);
        around[1] = tn_formula_next_bend(function->formula, x, INFINITY);
    }
    if (def->kind == TN_FUNCTION_STEP)
        around_step(def->numbers, x, around);
    if (def->kind != TN_FUNCTION_TABLE && def->kind != TN_FUNCTION_SPLINE)
        return;
    const int32_t points = def->count / 2, piece = tn_function_piece(def, x);
    for (int32_t k = piece; k < points && isinf(around[1]); k++) {
        if (def->numbers[2 * k] > x && is_knot(def, k))
            around[1] = def->numbers[2 * k];
    }
    for (int32_t k = points - 1 < piece + 1 ? points - 1 : piece + 1; k >= 0 && isinf(around[0]);
         k--) {
        if (def->numbers[2 * k] <= x && is_knot(def, k))
            around[0] = def->numbers[2 * k];
    }
}
