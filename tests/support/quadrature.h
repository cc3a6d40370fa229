/* quadrature.h: test support: integrals of smooth functions, to round-off. */
#ifndef TENON_TESTS_QUADRATURE_H
#define TENON_TESTS_QUADRATURE_H

typedef double (*integrand)(double x, const void *context);

/* Gauss's rule of five points in 64 pieces: the error is of order (width / 64)^10. */
static inline double integral(integrand f, const void *context, double from, double to)
{
    static const double x[5] = {0.0, 0.538469310105683091, -0.538469310105683091,
                                0.906179845938663993, -0.906179845938663993};
    static const double w[5] = {0.568888888888888889, 0.478628670499366468, 0.478628670499366468,
                                0.236926885056189088, 0.236926885056189088};
    enum { PIECES = 64 };
    const double half = 0.5 * (to - from) / PIECES;
    double sum = 0.0;
    for (int piece = 0; piece < PIECES; piece++)
        for (int k = 0; k < 5; k++)
            sum += w[k] * half * f(from + half * (2 * piece + 1 + x[k]), context);
    return sum;
}

#endif
