/* function_value.c: room math/function: values of functions to the last digit of two doubles.
 *
 * In: a function and x as the sum of two doubles, a time say. Out: f(x) as such a sum. A motion that has
 * gone far, a million turns, has in one double no more than 1e-9 rad left: 300 rad/s times a time
 * that is rounded itself. The formulas are those of function.c.
 *
 * Limits: what a callback answers is one double, and its slope corrects for the rest of x. Sines are
 * exact in their argument, and to one double in what they add to the offset.
 */
#include <math.h>

#include "math/function/function.h"
#include "real/real.h"

static tn_dd one(double a)
{
    return (tn_dd){a, 0.0};
}

/* Where x is between two points: 0 .. 1. */
static tn_dd share(tn_dd x, double from, double to)
{
    const tn_dd s = dd_div(dd_add(x, one(-from)), dd_sum(to, -from));
    return s.hi <= 0.0 ? one(0.0) : s.hi >= 1.0 ? one(1.0) : s;
}

static tn_dd constant(const tn_function *f, tn_dd x)
{
    (void)x;
    return one(f->def.numbers[0]);
}

static tn_dd polynomial(const tn_function *f, tn_dd x)
{
    tn_dd value = one(0.0);
    for (int32_t i = f->def.count - 1; i >= 0; i--)
        value = dd_add(dd_mul(value, x), one(f->def.numbers[i]));
    return value;
}

static tn_dd sine(const tn_function *f, tn_dd x)
{
    const double *n = f->def.numbers;
    const tn_dd angle = dd_add(dd_mul(one(n[1]), x), one(n[2]));
    return dd_sum(n[3], n[0] * (tn_sin(angle.hi) + angle.lo * tn_cos(angle.hi)));
}

static tn_dd step(const tn_function *f, tn_dd x)
{
    const double *n = f->def.numbers;
    const tn_dd s = share(x, n[0], n[2]);
    const tn_dd bend = dd_add(dd_mul(dd_add(dd_mul(s, one(6.0)), one(-15.0)), s), one(10.0));
    const tn_dd risen = dd_mul(dd_mul(s, dd_mul(s, s)), bend);
    return dd_add(one(n[1]), dd_mul(dd_sum(n[3], -n[1]), risen));
}

static tn_dd table(const tn_function *f, tn_dd x)
{
    const double *p = f->def.numbers + 2 * tn_function_piece(&f->def, x.hi);
    const tn_dd slope = dd_div(dd_sum(p[3], -p[1]), dd_sum(p[2], -p[0]));
    return dd_add(one(p[1]), dd_mul(dd_add(x, one(-p[0])), slope));
}

/* a y0 + b y1 + h^2 / 6 ((a^3 - a) m0 + (b^3 - b) m1), b the share and a = 1 - b. */
static tn_dd spline(const tn_function *f, tn_dd x)
{
    const int32_t piece = tn_function_piece(&f->def, x.hi);
    const double *p = f->def.numbers + 2 * piece, *m = f->curvature + piece;
    const tn_dd b = share(x, p[0], p[2]), a = dd_add(one(1.0), (tn_dd){-b.hi, -b.lo});
    const double h = p[2] - p[0], bend_a = a.hi * (a.hi * a.hi - 1.0),
                 bend_b = b.hi * (b.hi * b.hi - 1.0);
    const tn_dd straight = dd_add(dd_mul(a, one(p[1])), dd_mul(b, one(p[3])));
    const tn_dd value = dd_add(straight, one(h * h / 6.0 * (bend_a * m[0] + bend_b * m[1])));
    double out[3];
    if (x.hi >= p[0] && x.hi <= p[2])
        return value;
    tn_function_evaluate(f, x.hi, out);
    return dd_add(value, dd_mul(dd_add(x, one(x.hi < p[0] ? -p[0] : -p[2])), one(out[1])));
}

static tn_dd formula(const tn_function *f, tn_dd x)
{
    return tn_formula_value(f->formula, x);
}

static tn_dd callback(const tn_function *f, tn_dd x)
{
    double out[3] = {NAN, NAN, NAN};
    tn_callback_begin();
    f->def.callback(f->def.context, x.hi, out);
    tn_callback_end();
    return dd_sum(out[0], out[1] * x.lo);
}

tn_dd tn_function_value(const tn_function *function, tn_dd x)
{
    static tn_dd (*const values[TN_FUNCTION_KIND_COUNT])(const tn_function *f, tn_dd x) = {
        [TN_FUNCTION_CONSTANT] = constant, [TN_FUNCTION_POLYNOMIAL] = polynomial,
        [TN_FUNCTION_SINE] = sine,         [TN_FUNCTION_STEP] = step,
        [TN_FUNCTION_TABLE] = table,       [TN_FUNCTION_SPLINE] = spline,
        [TN_FUNCTION_FORMULA] = formula,   [TN_FUNCTION_CALLBACK] = callback,
    };
    if (tn_function_ends_before(function, x.hi))
        return one((double)NAN);
    return values[function->def.kind](function, x);
}
