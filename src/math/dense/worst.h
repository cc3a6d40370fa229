/* worst.h: room math/dense: maxima of errors. fmax drops what is not a number, which is the worst error of
 * all: here it stays. */
#ifndef TN_MATH_DENSE_WORST_H
#define TN_MATH_DENSE_WORST_H

static inline double tn_worst(double most, double value)
{
    return value <= most || most != most ? most : value;
}

/* The larger of both; the first where the second is not a number. Of two numbers as fmax, which is a call. */
static inline double tn_larger(double a, double b)
{
    return a < b ? b : a;
}

#endif
