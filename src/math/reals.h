/* reals.h: room math: a number, or as many numbers side by side as TN_LANES says before this header is
 * included.
 *
 * What is written on tn_real runs for one world (TN_LANES 1, plain doubles) or for several that do the
 * same at once, one in each lane of a vector of the compiler, operation by operation in the same
 * order: each lane has the bits that it would have alone. Where worlds differ in what they do, masks
 * choose: 0 or 1 of one world, all bits of a lane of several.
 */
#ifndef TN_MATH_REALS_H
#define TN_MATH_REALS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "math/m3.h"

#ifndef TN_LANES
#define TN_LANES 1
#endif

#if TN_LANES == 1

typedef double tn_real;
typedef int tn_mask;
typedef tn_vec3 tn_real3;
typedef tn_mat3 tn_real33;
typedef tn_quat tn_realq;

TN_INLINE tn_real r_splat(double a)
{
    return a;
}

TN_INLINE tn_real r_select(tn_mask m, tn_real a, tn_real b)
{
    return m ? a : b;
}

/* The larger; b where one is no number. */
TN_INLINE tn_real r_max(tn_real a, tn_real b)
{
    return a > b ? a : b;
}

TN_INLINE tn_real r_abs(tn_real a)
{
    return fabs(a);
}

/* Of the size of a, with the sign of b. */
TN_INLINE tn_real r_copysign(tn_real a, tn_real b)
{
    return copysign(a, b);
}

TN_INLINE tn_real r_floor(tn_real a)
{
    return floor(a);
}

TN_INLINE tn_real r_sqrt(tn_real a)
{
    return sqrt(a);
}

TN_INLINE tn_mask r_yes(void)
{
    return 1;
}

TN_INLINE bool r_every(tn_mask m)
{
    return m != 0;
}

TN_INLINE bool r_some(tn_mask m)
{
    return m != 0;
}

TN_INLINE double r_get(const tn_real *a, int k)
{
    return a[k];
}

TN_INLINE void r_put(tn_real *a, int k, double value)
{
    a[k] = value;
}

#else

typedef double tn_real __attribute__((vector_size(8 * TN_LANES)));
typedef int64_t tn_mask __attribute__((vector_size(8 * TN_LANES)));
typedef struct tn_real3 {
    tn_real x, y, z;
} tn_real3;
typedef struct tn_real33 {
    tn_real m[3][3];
} tn_real33;
typedef struct tn_realq {
    tn_real w, x, y, z;
} tn_realq;

TN_INLINE tn_real r_splat(double a)
{
    return a - (tn_real){0.0}; /* in all lanes, the sign of zero too */
}

TN_INLINE tn_real r_select(tn_mask m, tn_real a, tn_real b)
{
#if TN_LANES == 4 && defined(TN_LANES_AVX2)
    return (tn_real)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)m);
#else
    return (tn_real)(((tn_mask)a & m) | ((tn_mask)b & ~m));
#endif
}

/* The larger; b where one is no number. */
TN_INLINE tn_real r_max(tn_real a, tn_real b)
{
#if TN_LANES == 2 && defined(__SSE2__)
    return (tn_real)__builtin_ia32_maxpd(a, b);
#elif TN_LANES == 4 && defined(TN_LANES_AVX2)
    return (tn_real)_mm256_max_pd((__m256d)a, (__m256d)b);
#elif TN_LANES == 8 && defined(TN_LANES_AVX512)
    return (tn_real)_mm512_max_pd((__m512d)a, (__m512d)b);
#else
    return r_select(a > b, a, b);
#endif
}

TN_INLINE tn_real r_abs(tn_real a)
{
    return (tn_real)((tn_mask)a & INT64_MAX);
}

/* Of the size of a, with the sign of b. */
TN_INLINE tn_real r_copysign(tn_real a, tn_real b)
{
    return (tn_real)(((tn_mask)a & INT64_MAX) | ((tn_mask)b & INT64_MIN));
}

TN_INLINE tn_real r_floor(tn_real a)
{
#if TN_LANES == 4 && defined(TN_LANES_AVX2)
    return (tn_real)_mm256_floor_pd((__m256d)a);
#else
    for (int k = 0; k < TN_LANES; k++)
        a[k] = floor(a[k]);
    return a;
#endif
}

/* Square roots are exact to the last bit, in lanes too. */
TN_INLINE tn_real r_sqrt(tn_real a)
{
#if TN_LANES == 2 && defined(__SSE2__)
    return (tn_real)__builtin_ia32_sqrtpd(a);
#elif TN_LANES == 4 && defined(TN_LANES_AVX2)
    return (tn_real)__builtin_ia32_sqrtpd256(a);
#elif TN_LANES == 8 && defined(TN_LANES_AVX512)
    return (tn_real)_mm512_sqrt_pd((__m512d)a);
#else
    for (int k = 0; k < TN_LANES; k++)
        a[k] = sqrt(a[k]);
    return a;
#endif
}

TN_INLINE tn_mask r_yes(void)
{
    const tn_mask none = {0};
    return none == 0;
}

/* One bit for each lane. */
TN_INLINE unsigned r_bits(tn_mask m)
{
#if TN_LANES == 2 && defined(__SSE2__)
    return (unsigned)__builtin_ia32_movmskpd((tn_real)m);
#elif TN_LANES == 4 && defined(TN_LANES_AVX2)
    return (unsigned)__builtin_ia32_movmskpd256((tn_real)m);
#elif TN_LANES == 8 && defined(TN_LANES_AVX512)
    return (unsigned)_mm512_movepi64_mask((__m512i)m);
#else
    unsigned bits = 0;
    for (int k = 0; k < TN_LANES; k++)
        bits |= m[k] ? 1u << k : 0u;
    return bits;
#endif
}

TN_INLINE bool r_some(tn_mask m)
{
    return r_bits(m) != 0;
}

TN_INLINE bool r_every(tn_mask m)
{
    return r_bits(m) == (1u << TN_LANES) - 1;
}

/* That of lane k. */
TN_INLINE double r_get(const tn_real *a, int k)
{
    return (*a)[k];
}

TN_INLINE void r_put(tn_real *a, int k, double value)
{
    (*a)[k] = value;
}

#endif

/* What seldom happens stays out of the way of what does. */
#define TN_SELDOM __attribute__((noinline, cold, unused)) static

typedef struct tn_body_pose {
    tn_real3 x; /* m */
    tn_realq q;
} tn_body_pose;

TN_INLINE tn_real3 r3(tn_real x, tn_real y, tn_real z)
{
    return (tn_real3){x, y, z};
}

TN_INLINE tn_real3 r3_zero(void)
{
    return r3(r_splat(0.0), r_splat(0.0), r_splat(0.0));
}

TN_INLINE tn_real3 r3_load(const tn_real *a)
{
    return (tn_real3){a[0], a[1], a[2]};
}

TN_INLINE void r3_store(tn_real *a, tn_real3 v)
{
    a[0] = v.x;
    a[1] = v.y;
    a[2] = v.z;
}

TN_INLINE tn_real3 r3_add(tn_real3 a, tn_real3 b)
{
    return (tn_real3){a.x + b.x, a.y + b.y, a.z + b.z};
}

TN_INLINE tn_real3 r3_sub(tn_real3 a, tn_real3 b)
{
    return (tn_real3){a.x - b.x, a.y - b.y, a.z - b.z};
}

TN_INLINE tn_real3 r3_scale(tn_real s, tn_real3 a)
{
    return (tn_real3){s * a.x, s * a.y, s * a.z};
}

/* a + s b */
TN_INLINE tn_real3 r3_axpy(tn_real3 a, tn_real s, tn_real3 b)
{
    return (tn_real3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

TN_INLINE tn_real r3_dot(tn_real3 a, tn_real3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

TN_INLINE tn_real3 r3_cross(tn_real3 a, tn_real3 b)
{
    return (tn_real3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

TN_INLINE tn_real r3_norm(tn_real3 a)
{
    return r_sqrt(r3_dot(a, a));
}

TN_INLINE tn_real3 r3_select(tn_mask m, tn_real3 a, tn_real3 b)
{
    return (tn_real3){r_select(m, a.x, b.x), r_select(m, a.y, b.y), r_select(m, a.z, b.z)};
}

/* Where worlds are `moving`, which may be `all`. */
TN_INLINE void r_set(tn_real *to, tn_real a, tn_mask moving, bool all)
{
    *to = all ? a : r_select(moving, a, *to);
}

TN_INLINE void r3_set(tn_real3 *to, tn_real3 a, tn_mask moving, bool all)
{
    *to = all ? a : r3_select(moving, a, *to);
}

TN_INLINE void rq_set(tn_realq *to, tn_realq a, tn_mask moving, bool all)
{
    r_set(&to->w, a.w, moving, all);
    r_set(&to->x, a.x, moving, all);
    r_set(&to->y, a.y, moving, all);
    r_set(&to->z, a.z, moving, all);
}

TN_INLINE tn_real3 r33_column(const tn_real33 *R, int j)
{
    return (tn_real3){R->m[0][j], R->m[1][j], R->m[2][j]};
}

/* R v */
TN_INLINE tn_real3 r33_mulv(const tn_real33 *R, tn_real3 v)
{
    return (tn_real3){R->m[0][0] * v.x + R->m[0][1] * v.y + R->m[0][2] * v.z,
                      R->m[1][0] * v.x + R->m[1][1] * v.y + R->m[1][2] * v.z,
                      R->m[2][0] * v.x + R->m[2][1] * v.y + R->m[2][2] * v.z};
}

/* R^T v */
TN_INLINE tn_real3 r33_tmulv(const tn_real33 *R, tn_real3 v)
{
    return (tn_real3){R->m[0][0] * v.x + R->m[1][0] * v.y + R->m[2][0] * v.z,
                      R->m[0][1] * v.x + R->m[1][1] * v.y + R->m[2][1] * v.z,
                      R->m[0][2] * v.x + R->m[1][2] * v.y + R->m[2][2] * v.z};
}

/* As q_mul, q_normalize, q_to_m3 and q_exp. */
TN_INLINE tn_realq rq_mul(tn_realq a, tn_realq b)
{
    return (tn_realq){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

TN_INLINE tn_realq rq_normalize(tn_realq q)
{
    const tn_real s = 1.0 / r_sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (tn_realq){s * q.w, s * q.x, s * q.y, s * q.z};
}

/* Of a quaternion whose square is 2 / s. */
TN_INLINE tn_real33 rq_scaled_to_r33(tn_realq q, tn_real s)
{
    const tn_real x = s * q.x, y = s * q.y, z = s * q.z;
    const tn_real xx = x * q.x, yy = y * q.y, zz = z * q.z;
    const tn_real xy = x * q.y, xz = x * q.z, yz = y * q.z;
    const tn_real wx = x * q.w, wy = y * q.w, wz = z * q.w;
    return (tn_real33){{{1.0 - (yy + zz), xy - wz, xz + wy},
                        {xy + wz, 1.0 - (xx + zz), yz - wx},
                        {xz - wy, yz + wx, 1.0 - (xx + yy)}}};
}

/* Products with 2 are exact: the bits of q_to_m3. */
TN_INLINE tn_real33 rq_to_r33(tn_realq q)
{
    return rq_scaled_to_r33(q, r_splat(2.0));
}

#if TN_LANES == 1

TN_INLINE tn_realq rq_exp(tn_real3 r)
{
    return q_exp(r);
}

#else

TN_SELDOM void r_half_angle_apart(const tn_real *a2, tn_real *c, tn_real *sinc)
{
    for (int k = 0; k < TN_LANES; k++) {
        double cosine, quotient;
        tn_half_angle((*a2)[k], &cosine, &quotient);
        (*c)[k] = cosine;
        (*sinc)[k] = quotient;
    }
}

/* The series of tn_half_angle in all lanes where all are on it, else each lane by itself. */
TN_INLINE void r_half_angle(tn_real a2, tn_real *c, tn_real *sinc)
{
    const double most = TN_EXP_SERIES_HALF_ANGLE * TN_EXP_SERIES_HALF_ANGLE;
    *c = 1.0 +
         a2 * (-1.0 / 2 +
               a2 * (1.0 / 24 + a2 * (-1.0 / 720 + a2 * (1.0 / 40320 + a2 * (-1.0 / 3628800 +
                                                                             a2 / 479001600.0)))));
    *sinc =
        1.0 + a2 * (-1.0 / 6 +
                    a2 * (1.0 / 120 +
                          a2 * (-1.0 / 5040 +
                                a2 * (1.0 / 362880 + a2 * (-1.0 / 39916800 + a2 / 6227020800.0)))));
    if (__builtin_expect(!r_every(a2 < most), 0)) {
        tn_real apart[3] = {a2, *c, *sinc};
        r_half_angle_apart(&apart[0], &apart[1], &apart[2]);
        *c = apart[1];
        *sinc = apart[2];
    }
}

TN_INLINE tn_realq rq_exp(tn_real3 r)
{
    tn_real c = r_splat(0.0), sinc = c;
    r_half_angle(0.25 * r3_dot(r, r), &c, &sinc);
    const tn_real s = 0.5 * sinc;
    return (tn_realq){c, s * r.x, s * r.y, s * r.z};
}

#endif

#endif
