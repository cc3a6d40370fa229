/* arc.c: room real: the inverses of the functions of the circle, by FDLIBM 5.3:
 *     Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Permission to use, copy,
 *     modify, and distribute this software is freely granted, provided that this notice is
 *     preserved.
 */
#include <stdint.h>
#include <string.h>

#include "real/atan_terms.h"
#include "real/double_double.h"
#include "real/real.h"

static const double half_pi = 1.57079632679489655800e+00, half_pi_low = 6.12323399573676603587e-17,
                    quarter_pi = 7.85398163397448278999e-01, pi = 3.1415926535897931160,
                    pi_low = 1.2246467991473531772e-16;

/* Without its lower 32 bits, so that squares are exact. */
static double upper_half(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= 0xffffffff00000000u;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

/* ---- atan --------------------------------------------------------------------------------------- */

/* x - atan x, over x, on |x| <= 7/16. */
static double atan_rest(double x)
{
    const double z = x * x, w = z * z;
    return TN_ATAN_EVEN(z, w) + TN_ATAN_ODD(w);
}

/* Which of the four angles is near, and the tangent of the difference. */
static int nearest_angle(double size, double *rest)
{
    if (size < atan_bound[1]) {
        *rest = (2.0 * size - 1.0) / (2.0 + size);
        return 0;
    }
    if (size < atan_bound[2]) {
        *rest = (size - 1.0) / (size + 1.0);
        return 1;
    }
    if (size < atan_bound[3]) {
        *rest = (size - 1.5) / (1.0 + 1.5 * size);
        return 2;
    }
    *rest = -1.0 / size;
    return 3;
}

/* atan(size + little), size > 0, little a rounding error of it; in two doubles, of which the second
 * is good for some bits beyond the first. */
static tn_dd atan_of(double size, double little)
{
    const double more = little / (1.0 + size * size);
    if (size < atan_bound[0])
        return dd_fast_sum(size, more - size * atan_rest(size));
    double rest;
    const int k = nearest_angle(size, &rest);
    return dd_fast_sum(atan_high[k], rest - (rest * atan_rest(rest) - (atan_low[k] + more)));
}

double tn_atan(double x)
{
    const double size = fabs(x);
    if (size < 1e-8 || isnan(x))
        return x;
    return copysign(size < 1e20 ? atan_of(size, 0.0).hi : half_pi + half_pi_low, x);
}

/* Where y or x is zero or infinite. */
static double atan2_special(double y, double x)
{
    const int left = signbit(x) != 0;
    if (isinf(x) && isinf(y))
        return copysign(left ? 3.0 * quarter_pi : quarter_pi, y);
    if (y == 0.0 || isinf(x))
        return left ? copysign(pi, y) : copysign(0.0, y);
    return copysign(half_pi, y); /* x == 0 or y infinite */
}

double tn_atan2(double y, double x)
{
    if (isnan(x) || isnan(y))
        return x + y;
    if (x == 0.0 || y == 0.0 || isinf(x) || isinf(y))
        return atan2_special(y, x);
    const double ratio = fabs(y / x);
    tn_dd angle = {half_pi, half_pi_low};
    if (ratio < 1e-8) {
        angle = (tn_dd){ratio, 0.0};
    } else if (ratio < 1e18) {
        const double up = fabs(y) > 1e200 || fabs(x) > 1e200     ? 1e-250
                          : fabs(y) < 1e-200 || fabs(x) < 1e-200 ? 1e200
                                                                 : 1.0;
        const double a = up * fabs(y), b = up * fabs(x);
        const tn_dd back = dd_product(a / b, b);
        angle = atan_of(a / b, ((a - back.hi) - back.lo) / b);
    }
    if (x > 0.0)
        return copysign(angle.hi, y);
    return copysign(pi - (angle.hi - (pi_low - angle.lo)), y);
}

/* ---- asin, acos --------------------------------------------------------------------------------- */

/* (asin x - x) / x of z = x^2 <= 1/4. */
static double asin_rest(double z)
{
    const double p =
        z * (1.66666666666666657415e-01 +
             z * (-3.25565818622400915405e-01 +
                  z * (2.01212532134862925881e-01 +
                       z * (-4.00555345006794114027e-02 +
                            z * (7.91534994289814532176e-04 + z * 3.47933107596021167570e-05)))));
    const double q =
        1.0 + z * (-2.40339491173441421878e+00 +
                   z * (2.02094576023350569471e+00 +
                        z * (-6.88283971605453293030e-01 + z * 7.70381505559019352791e-02)));
    return p / q;
}

double tn_asin(double x)
{
    const double size = fabs(x);
    if (!(size <= 1.0))
        return (x - x) / (x - x);
    if (size < 0.5)
        return size < 1e-8 ? x : x + x * asin_rest(x * x);
    const double z = 0.5 * (1.0 - size), s = sqrt(z), r = asin_rest(z);
    double angle;
    if (size >= 0.975) {
        angle = half_pi - (2.0 * (s + s * r) - half_pi_low);
    } else {
        const double w = upper_half(s), c = (z - w * w) / (s + w);
        const double p = 2.0 * s * r - (half_pi_low - 2.0 * c), q = quarter_pi - 2.0 * w;
        angle = quarter_pi - (p - q);
    }
    return x < 0.0 ? -angle : angle;
}

double tn_acos(double x)
{
    const double size = fabs(x);
    if (!(size <= 1.0))
        return (x - x) / (x - x);
    if (size < 0.5)
        return half_pi - (x - (half_pi_low - x * asin_rest(x * x)));
    const double z = 0.5 * (1.0 - size), s = sqrt(z), r = asin_rest(z);
    if (x < 0.0)
        return x == -1.0 ? pi : pi - 2.0 * (s + (r * s - half_pi_low));
    const double w = upper_half(s), c = s == 0.0 ? 0.0 : (z - w * w) / (s + w);
    return 2.0 * (w + (r * s + c));
}
