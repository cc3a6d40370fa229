/* worst.h: room math/dense: maxima of errors. fmax drops what is not a number, which is the worst error of
 * all: here it stays. */
#ifndef TN_MATH_DENSE_WORST_H
#define TN_MATH_DENSE_WORST_H

static inline double tn_worst(double most, double value)
{
    return value <= most || most != most ? most : value;
}

#endif
