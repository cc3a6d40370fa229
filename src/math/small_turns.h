/* small_turns.h: room math: rotations by the small angles of a step, with errors relative to the angles, of
 * one world or of several (math/reals.h). Larger ones are right too, and slower.
 */
#ifndef TN_MATH_SMALL_TURNS_H
#define TN_MATH_SMALL_TURNS_H

#include "math/reals.h"
#include "real/real.h"

/* The square of half an angle, or of its sine, up to which series are used: 0.126 rad. The terms left out
 * are below 1e-18. */
#define TN_SMALL_TURN 4e-3

TN_INLINE tn_real3 r3_times(double a, tn_real3 v)
{
    return r3_scale(r_splat(a), v);
}

/* The square of a length that is 1 but for round-off: the factor that makes it 1. */
TN_INLINE tn_real r_unit_again(tn_real square)
{
    return 1.5 - 0.5 * square;
}

TN_INLINE tn_realq rq_unit_again(tn_realq q)
{
    const tn_real s = r_unit_again(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (tn_realq){s * q.w, s * q.x, s * q.y, s * q.z};
}

/* q v less v, with d the vector of q: 2 w d x v + d x (2 d x v). */
TN_INLINE tn_real3 rq_moves(tn_realq q, tn_real3 v)
{
    const tn_real3 d = r3(q.x, q.y, q.z), across = r3_cross(d, v), twice = r3_add(across, across);
    return r3_axpy(r3_cross(d, twice), q.w, twice);
}

TN_SELDOM void r_half_turn_apart(const tn_real *half, tn_real *c, tn_real *s)
{
    for (int k = 0; k < TN_LANES; k++) {
        const double a = r_get(half, k);
        if (a * a < TN_SMALL_TURN)
            continue;
        r_put(c, k, tn_cos(a));
        r_put(s, k, tn_sin(a));
    }
}

/* Cosine and sine of half an angle; pairs of terms are summed side by side. */
TN_INLINE void r_half_turn(tn_real turn, tn_real *c, tn_real *s)
{
    const tn_real half = 0.5 * turn, a2 = half * half, a4 = a2 * a2;
    *c = (1.0 - 1.0 / 2 * a2) + a4 * ((1.0 / 24 - 1.0 / 720 * a2) + 1.0 / 40320 * a4);
    *s = half * ((1.0 - 1.0 / 6 * a2) + a4 * ((1.0 / 120 - 1.0 / 5040 * a2) + 1.0 / 362880 * a4));
    if (__builtin_expect(!r_every(a2 < TN_SMALL_TURN), 0)) {
        tn_real apart[3] = {half, *c, *s};
        r_half_turn_apart(&apart[0], &apart[1], &apart[2]);
        *c = apart[1];
        *s = apart[2];
    }
}

TN_SELDOM void r_arc_apart(const tn_real *s2, const tn_real *w, tn_real *by)
{
    for (int k = 0; k < TN_LANES; k++) {
        const double s = sqrt(r_get(s2, k));
        if (!(r_get(s2, k) < TN_SMALL_TURN && r_get(w, k) > 0.0))
            r_put(by, k, 2.0 * tn_atan2(s, r_get(w, k)) / s);
    }
}

/* The rotation vector of a unit quaternion, its angle up to 2 pi. */
TN_INLINE tn_real3 rq_small_log(tn_realq q)
{
    const tn_real s2 = q.x * q.x + q.y * q.y + q.z * q.z;
    const tn_real s4 = s2 * s2, s8 = s4 * s4;
    tn_real by = ((2.0 + 1.0 / 3 * s2) + s4 * (3.0 / 20 + 5.0 / 56 * s2)) +
                 s8 * ((35.0 / 576 + 63.0 / 1408 * s2) + 231.0 / 6656 * s4);
    if (__builtin_expect(!r_every((s2 < TN_SMALL_TURN) & (q.w > 0.0)), 0)) {
        tn_real apart[3] = {s2, q.w, by};
        r_arc_apart(&apart[0], &apart[1], &apart[2]);
        by = apart[2];
    }
    return r3_scale(by, r3(q.x, q.y, q.z));
}

#endif
