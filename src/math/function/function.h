/* function.h (internal): room math/function: scalar functions ready to be evaluated (tenon/function.h).
 *
 * In: a definition of a function of one variable. Out: its value and derivatives at a point, its
 * kinks, in units that its owner knows.
 */
#ifndef TN_MATH_FUNCTION_FUNCTION_H
#define TN_MATH_FUNCTION_FUNCTION_H

#include <stdbool.h>

#include "base/arena.h"
#include "math/formula/formula.h"
#include "real/double_double.h"
#include "tenon/function.h"

/* Owns nothing: numbers and curvatures are in the arena it was made in. */
typedef struct tn_function {
    tn_function_def def;
    const double *curvature; /* [points] second derivatives of a spline at its points */
    const double *area;      /* [points] of a table or spline: what is under it up to there */
    const tn_formula *formula;
} tn_function;

/* A copy of def with its own numbers in the arena, prepared for evaluation. def must have no
 * problem. TN_ERROR_MEMORY leaves *out alone. */
TN_SIBLING tn_status tn_function_make(const tn_function_def *def, tn_arena *arena,
                                      tn_function *out);

/* Numbers given in units of x and y (rad per degree, say) into those of the library. numbers[count]
 * must suit the kind. The rate and phase of a sine are then in rad; angle is the unit they were in.
 */
TN_SIBLING void tn_function_convert(tn_function_kind kind, double *numbers, int32_t count,
                                    double x_unit, double y_unit, double angle);

/* Of what came before and what the function is (base/hash.h). What a callback computes is not known: all are alike. */
uint64_t tn_function_hash(uint64_t hash, const tn_function *function);

/* out[3]: f(x), f'(x), f''(x). At the points of a table the slope is that to the right. Constant
 * time but for tables and splines, which search their points by halving. */
TN_SIBLING void tn_function_evaluate(const tn_function *function, double x, double out[3]);

/* function_value.c: f(x) alone, to the last digit of two doubles. */
tn_dd tn_function_value(const tn_function *function, tn_dd x);
/* function_knots.c: the first place behind x where it is not smooth; INFINITY: there is none, or it is unknown. */
double tn_function_next_knot(const tn_function *function, double x);
/* The same as far as `limit`, beyond which it need not be known. */
double tn_function_next_knot_until(const tn_function *function, double x, double limit);
/* And the last one before it, which x may be: [0] <= x < [1]; infinite: there is none. */
void tn_function_knots_around(const tn_function *function, double x, double around[2]);
/* Has it any? And may its value jump at one? */
bool tn_function_has_knots(const tn_function *function);
bool tn_function_may_jump(const tn_function *function);
/* Where the value of a definition without a problem jumps, behind `from` or, if that is -INFINITY, anywhere; NaN: nowhere that
 * was found. */
double tn_function_jump(const tn_function_def *def, double from);
/* function_integral.c: a function whose derivative it is; NaN of a callback. The areas of points, when it is made. */
double tn_function_integral(const tn_function *function, double x);
void tn_function_sum_areas(const tn_function_def *def, const double *curvature, double *area);
/* The piece of a table or spline that x is in: first and last also serve beyond the ends. */
int32_t tn_function_piece(const tn_function_def *def, double x);
/* Is x where a bounded table or spline has no value? */
bool tn_function_ends_before(const tn_function *function, double x);

#endif
