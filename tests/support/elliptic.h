/* elliptic.h: test support: the plane pendulum in closed form, for swings of any size. */
#ifndef TENON_TESTS_ELLIPTIC_H
#define TENON_TESTS_ELLIPTIC_H

#include <math.h>

/* K(k): quarter period of the elliptic functions, by the arithmetic-geometric mean. */
static inline double elliptic_quarter(double k)
{
    double a = 1.0, b = sqrt(1.0 - k * k);
    for (int i = 0; i < 8; i++) { /* quadratic: 8 are plenty for k < 0.999 */
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 0.5 * 3.14159265358979323846 / a;
}

/* sn(u, k) by descending Landen steps (Abramowitz & Stegun 16.4). */
static inline double elliptic_sn(double u, double k)
{
    enum { STEPS = 8 };
    double a[STEPS + 1], c[STEPS + 1], b = sqrt(1.0 - k * k);
    a[0] = 1.0;
    c[0] = k;
    for (int i = 0; i < STEPS; i++) {
        a[i + 1] = 0.5 * (a[i] + b);
        c[i + 1] = 0.5 * (a[i] - b);
        b = sqrt(a[i] * b);
    }
    double phi = ldexp(a[STEPS] * u, STEPS);
    for (int i = STEPS; i > 0; i--)
        phi = 0.5 * (phi + asin(c[i] * sin(phi) / a[i]));
    return sin(phi);
}

/* theta'' = -rate_squared sin(theta), theta(0) = theta0, theta'(0) = 0. */
static inline double pendulum_angle(double theta0, double rate_squared, double t)
{
    const double k = sin(0.5 * theta0);
    return 2.0 * asin(k * elliptic_sn(elliptic_quarter(k) - sqrt(rate_squared) * t, k));
}

#endif
