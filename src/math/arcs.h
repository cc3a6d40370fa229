/* arcs.h: room math: the angle of a direction, of as many side by side as math/reals.h has, each with the bits of
 * tn_atan2 (real/arc.c).
 */
#ifndef TN_MATH_ARCS_H
#define TN_MATH_ARCS_H

#include "math/reals.h"
#include "real/atan_terms.h"
#include "real/real.h"

/* Between these, and their negatives, no sum or product here leaves the range of numbers. */
#define TN_ARC_SMALL 1e-150
#define TN_ARC_LARGE 1e150

/* What a quotient of a and b is off, by b (dd_product). */
TN_INLINE tn_real r_rest_of_quotient(tn_real a, tn_real b, tn_real quotient)
{
    const double cut = 134217729.0; /* 2^27 + 1 */
    const tn_real cq = cut * quotient, cb = cut * b;
    const tn_real qh = cq - (cq - quotient), ql = quotient - qh, bh = cb - (cb - b), bl = b - bh;
    const tn_real p = quotient * b, low = ((qh * bh - p) + qh * bl + ql * bh) + ql * bl;
    return ((a - p) - low) / b;
}

/* atan(size + little), as atan_of has it; size > 0. */
TN_INLINE tn_real r_atan_of(tn_real size, tn_real little)
{
    const tn_real more = little / (1.0 + size * size);
    const tn_mask own = size < atan_bound[0], half = size < atan_bound[1],
                  one = size < atan_bound[2], most = size < atan_bound[3];
    const tn_real above =
        r_select(half, 2.0 * size - 1.0,
                 r_select(one, size - 1.0, r_select(most, size - 1.5, r_splat(-1.0))));
    const tn_real below = r_select(
        half, 2.0 + size, r_select(one, size + 1.0, r_select(most, 1.0 + 1.5 * size, size)));
    const tn_real high =
        r_select(half, r_splat(atan_high[0]),
                 r_select(one, r_splat(atan_high[1]),
                          r_select(most, r_splat(atan_high[2]), r_splat(atan_high[3]))));
    const tn_real low =
        r_select(half, r_splat(atan_low[0]),
                 r_select(one, r_splat(atan_low[1]),
                          r_select(most, r_splat(atan_low[2]), r_splat(atan_low[3]))));
    const tn_real rest = r_select(own, size, above / below);
    const tn_real z = rest * rest, w = z * z, off = rest * (TN_ATAN_EVEN(z, w) + TN_ATAN_ODD(w));
    return r_select(own, size + (more - off), high + (rest - (off - (low + more))));
}

TN_SELDOM void atan2_apart(const tn_real *y, const tn_real *x, tn_real *angle)
{
    for (int k = 0; k < TN_LANES; k++)
        r_put(angle, k, tn_atan2(r_get(y, k), r_get(x, k)));
}

/* The angle of (x, y). */
TN_INLINE tn_real r_atan2(tn_real y, tn_real x)
{
    const tn_real a = r_abs(y), size = a / x;
    tn_real angle = size;
    if (__builtin_expect(
            !r_every((x > TN_ARC_SMALL) & (x < TN_ARC_LARGE) & (a < TN_ARC_LARGE) & (size < 1e18)),
            0)) {
        atan2_apart(&y, &x, &angle);
        return angle;
    }
    angle = r_select(size < 1e-8, size, r_atan_of(size, r_rest_of_quotient(a, x, size)));
    return r_copysign(angle, y);
}

#endif
