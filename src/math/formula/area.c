/* area.c: room math/formula: what is under a formula, the energy of a spring whose force is one (formula.h).
 *
 * Between two bends by the rule of Gauss and Kronrod of 7 and 15 points, which is exact for polynomials up to degree 22, on
 * halves and halves of them until both agree to round-off (Piessens et al., QUADPACK, 1983), or to what the formula's own rounding
 * leaves: where a difference of what is nearly the same stands in it, halves are no better than the whole.
 */
#include <math.h>

#include "math/formula/formula.h"

/* Places on 0 .. 1 of half the interval, the middle last; the odd ones are Gauss's too. */
static const double places[8] = {
    0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
    0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
    0.586087235467691130294144691693331, 0.405845151377397166906606412076961,
    0.207784955007898467600689403773245, 0.0};
static const double kronrod[8] = {
    0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
    0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
    0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
    0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
static const double gauss[4] = {
    0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
    0.381830050505118944950369775488975, 0.417959183673469387755102040816327};

/* Of the size of what is under a piece: two rules that agree to this are exact. */
#define TN_EXACT 4e-15

/* Halves of halves, where a formula grows without bounds at an end; and panels in all. */
#define TN_DEEPEST     40
#define TN_MOST_PANELS 500

/* An error that halving does not divide by this, where it is that small a share, is of rounding: at a root's end a half has 1 / 2.8. */
#define TN_NO_BETTER 2.5
#define TN_SMALL     1e-9

typedef struct tn_panel {
    double from, to;
    int depth;
    double error; /* of the whole that it is a half of */
} tn_panel;

static double value_at(const tn_formula *f, double x)
{
    double out[3];
    tn_formula_evaluate(f, x, out);
    return out[0];
}

/* By 15 points; *error: what 7 of them make of it differs by, *size: of its absolute. */
static double by_rules(const tn_formula *f, const tn_panel *p, double *error, double *size)
{
    const double middle = 0.5 * (p->from + p->to), half = 0.5 * (p->to - p->from);
    double fine = 0.0, coarse = 0.0;
    *size = 0.0;
    for (int k = 0; k < 15; k++) {
        const int i = k < 8 ? k : 14 - k;
        const double y = value_at(f, k < 7 ? middle - half * places[i] : middle + half * places[i]);
        fine += kronrod[i] * y;
        coarse += i % 2 == 1 ? gauss[i / 2] * y : 0.0;
        *size += kronrod[i] * fabs(y) * fabs(half);
    }
    *error = fabs((fine - coarse) * half);
    return fine * half;
}

/* Between two bends. */
static double smooth_area(const tn_formula *f, double from, double to)
{
    tn_panel waiting[TN_DEEPEST + 2] = {{from, to, 0, INFINITY}};
    double sum = 0.0, whole = 0.0;
    int panels = 0;
    for (int count = 1; count > 0; panels++) {
        const tn_panel p = waiting[--count];
        double error, size;
        const double area = by_rules(f, &p, &error, &size);
        whole = fmax(whole, size);
        const double middle = 0.5 * (p.from + p.to);
        const bool rounded = error <= TN_SMALL * whole && error * TN_NO_BETTER > p.error;
        if (error <= TN_EXACT * whole || rounded || p.depth >= TN_DEEPEST ||
            panels >= TN_MOST_PANELS || !isfinite(area)) {
            sum += area;
        } else {
            waiting[count++] = (tn_panel){middle, p.to, p.depth + 1, error};
            waiting[count++] = (tn_panel){p.from, middle, p.depth + 1, error};
        }
    }
    return sum;
}

double tn_formula_area(const tn_formula *f, double x)
{
    const double low = fmin(0.0, x), high = fmax(0.0, x);
    double sum = 0.0, from = low;
    while (from < high) {
        const double to = fmin(high, tn_formula_next_bend(f, from, high));
        sum += smooth_area(f, from, to);
        from = to;
    }
    return x < 0.0 ? -sum : sum;
}
