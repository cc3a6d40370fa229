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

static double next_point(const tn_function_def *def, double x, bool spline)
{
    const int32_t points = def->count / 2;
    for (int32_t k = tn_function_piece(def, x); k < points; k++) {
        const double *p = def->numbers + 2 * k;
        const bool inner = k > 0 && k < points - 1;
        if (p[0] > x && (spline || (inner && bends(p))))
            return p[0];
    }
    return INFINITY;
}

double tn_function_next_knot(const tn_function *function, double x)
{
    const tn_function_def *def = &function->def;
    switch (def->kind) {
    case TN_FUNCTION_STEP:
        return def->numbers[0] > x   ? def->numbers[0]
               : def->numbers[2] > x ? def->numbers[2]
                                     : INFINITY;
    case TN_FUNCTION_TABLE:
        return next_point(def, x, false);
    case TN_FUNCTION_SPLINE:
        return next_point(def, x, true);
    default:
        return INFINITY;
    }
}
