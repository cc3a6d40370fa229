/* function_knots.c: room math/function: where a function is not smooth.
 *
 * A table bends at its inner points, a spline changes its third derivative at all, a step begins and ends. Between such points
 * functions are as smooth as one may ask; a pulse that stands between two of them is all there.
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

double tn_function_next_knot(const tn_function *function, double x)
{
    double around[2];
    tn_function_knots_around(function, x, around);
    return around[1];
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
