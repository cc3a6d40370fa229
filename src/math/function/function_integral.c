/* function_integral.c: room math/function: what is under a function, exactly: the energy of a spring whose force is one.
 *
 * Areas up to the points of tables and splines are summed up when the function is made; within a piece they are polynomials.
 */
#include "real/real.h"
#include "math/function/function.h"

#include <math.h>

/* From p[0] to p[0] + w on the piece between points p and p + 2, beyond them too, m: curvatures of a spline at both, or NULL. */
static double under_piece(const double *p, const double *m, double w)
{
    const double h = p[2] - p[0];
    double slope = (p[3] - p[1]) / h;
    if (!m)
        return w * (p[1] + 0.5 * w * slope);
    slope -= h / 6.0 * (2.0 * m[0] + m[1]);
    return w * (p[1] + w * (0.5 * slope + w * (m[0] / 6.0 + w * (m[1] - m[0]) / (24.0 * h))));
}

void tn_function_sum_areas(const tn_function_def *def, const double *curvature, double *area)
{
    area[0] = 0.0;
    for (int32_t k = 0; k + 1 < def->count / 2; k++) {
        const double *p = def->numbers + 2 * k;
        area[k + 1] = area[k] + under_piece(p, curvature ? curvature + k : NULL, p[2] - p[0]);
    }
}

/* Beyond its ends a spline goes on along its tangents. */
static double under_points(const tn_function *f, double x)
{
    const int32_t piece = tn_function_piece(&f->def, x);
    const double *p = f->def.numbers + 2 * piece;
    if (!f->curvature || (x >= p[0] && x <= p[2]))
        return f->area[piece] +
               under_piece(p, f->curvature ? f->curvature + piece : NULL, x - p[0]);
    const double end = x < p[0] ? p[0] : p[2], w = x - end;
    double out[3];
    tn_function_evaluate(f, end, out);
    return f->area[x < p[0] ? piece : piece + 1] + w * (out[0] + 0.5 * w * out[1]);
}

static double under_step(const double *n, double x)
{
    const double width = n[2] - n[0], rise = n[3] - n[1];
    const double s = fmin(fmax((x - n[0]) / width, 0.0), 1.0);
    return n[1] * (x - n[0]) + rise * width * (s * s * s * s * (2.5 + s * (s - 3.0))) +
           rise * fmax(0.0, x - n[2]);
}

static double under_polynomial(const tn_function_def *def, double x)
{
    double sum = 0.0;
    for (int32_t i = def->count - 1; i >= 0; i--)
        sum = sum * x + def->numbers[i] / (i + 1);
    return sum * x;
}

static double under_sine(const double *n, double x)
{
    if (n[1] == 0.0)
        return (n[3] + n[0] * tn_sin(n[2])) * x;
    return n[3] * x - n[0] / n[1] * (tn_cos(n[1] * x + n[2]) - tn_cos(n[2]));
}

double tn_function_integral(const tn_function *function, double x)
{
    const tn_function_def *def = &function->def;
    switch (def->kind) {
    case TN_FUNCTION_CONSTANT:
        return def->numbers[0] * x;
    case TN_FUNCTION_POLYNOMIAL:
        return under_polynomial(def, x);
    case TN_FUNCTION_SINE:
        return under_sine(def->numbers, x);
    case TN_FUNCTION_STEP:
        return under_step(def->numbers, x);
    case TN_FUNCTION_TABLE:
    case TN_FUNCTION_SPLINE:
        return under_points(function, x);
    case TN_FUNCTION_FORMULA:
        return tn_formula_area(function->formula, x);
    default:
        return (double)NAN;
    }
}
