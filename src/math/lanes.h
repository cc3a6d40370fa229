/* lanes.h: room math: several numbers at once, and passes over long arrays.
 *
 * Vector types of the compiler, which every machine runs: 4 doubles are one register with AVX, two
 * with SSE2, and the same bits on all. A pass keeps four sums or maxima that run side by side: one
 * alone would wait for every addition.
 */
#ifndef TN_MATH_LANES_H
#define TN_MATH_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

typedef double tn_v2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef double tn_v4 __attribute__((vector_size(32), aligned(8), may_alias));

/* clang unrolls loops of constant length by itself */
#if defined(__clang__)
#define TN_UNROLL
#else
#define TN_UNROLL _Pragma("GCC unroll 6")
#endif

/* Two copies of a hot loop: `name` for every machine and `name_wide` for AVX2, of the inlined
 * function `body`. tn_wide_lanes says whether this machine has AVX2; code that stores the answer checks TN_WIDE_COPIES
 * as well, so that machines without AVX2, as the page's, do not carry the copies. */
#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)
#define TN_WIDE        __attribute__((target("avx2")))
#define TN_WIDE_COPIES true
static inline bool tn_wide_lanes(void)
{
    return __builtin_cpu_supports("avx2") != 0;
}
#else
#define TN_WIDE
#define TN_WIDE_COPIES false
static inline bool tn_wide_lanes(void)
{
    return false;
}
#endif

typedef int64_t tn_m2 __attribute__((vector_size(16), aligned(8), may_alias));

TN_INLINE tn_v2 tn_v2_load(const double *p)
{
    return *(const tn_v2 *)p;
}

TN_INLINE void tn_v2_store(double *p, tn_v2 a)
{
    *(tn_v2 *)p = a;
}

TN_INLINE tn_v2 tn_v2_abs(tn_v2 a)
{
    return (tn_v2)((tn_m2)a & INT64_MAX);
}

/* b where a is NaN. */
TN_INLINE tn_v2 tn_v2_max(tn_v2 a, tn_v2 b)
{
#ifdef __SSE2__
    return (tn_v2)__builtin_ia32_maxpd(a, b);
#else
    const tn_m2 greater = a > b;
    return (tn_v2)(((tn_m2)a & greater) | ((tn_m2)b & ~greater));
#endif
}

/* The largest of some sizes, and whether all are finite. */
typedef struct tn_sizes {
    tn_v2 sum[2], largest[2];
} tn_sizes;

#define TN_NO_SIZES                                                                                \
    {                                                                                              \
        {{0.0}, {0.0}},                                                                            \
        {                                                                                          \
            {0.0},                                                                                 \
            {                                                                                      \
                0.0                                                                                \
            }                                                                                      \
        }                                                                                          \
    }

/* Two sizes, to one of the pairs 0 and 1. */
TN_INLINE void tn_sizes_note(tn_sizes *of, int pair, tn_v2 sizes)
{
    of->sum[pair] += sizes;
    of->largest[pair] = tn_v2_max(sizes, of->largest[pair]);
}

/* NaN if one of them is not finite. */
TN_INLINE double tn_sizes_largest(const tn_sizes *of)
{
    const tn_v2 s = of->sum[0] + of->sum[1], l = tn_v2_max(of->largest[0], of->largest[1]);
    return isfinite(s[0] + s[1]) ? fmax(l[0], l[1]) : NAN;
}

/* The largest size of n numbers; NaN if one is not finite. */
static inline double tn_largest_size(const double *a, size_t n)
{
    tn_sizes sizes = TN_NO_SIZES;
    size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        tn_sizes_note(&sizes, 0, tn_v2_abs(tn_v2_load(a + k)));
        tn_sizes_note(&sizes, 1, tn_v2_abs(tn_v2_load(a + k + 2)));
    }
    for (; k < n; k++) { /* a may be the first number of an array of vectors */
        // cppcheck-suppress objectIndex
        tn_sizes_note(&sizes, 0, (tn_v2){fabs(a[k])});
    }
    return tn_sizes_largest(&sizes);
}

/* x - x is 0, or no number. */
static inline bool tn_all_finite(const double *a, size_t n)
{
    tn_v2 first = {0.0}, second = {0.0};
    size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        const tn_v2 one = tn_v2_load(a + k), two = tn_v2_load(a + k + 2);
        first += one - one;  // NOLINT(misc-redundant-expression): 0, or no number
        second += two - two; // NOLINT(misc-redundant-expression)
    }
    double rest = 0.0;
    for (; k < n; k++) { /* a may be the first number of an array of vectors */
        // cppcheck-suppress objectIndex
        rest += a[k] - a[k];
    }
    first += second;
    return first[0] + first[1] + rest == 0.0;
}

/* The same of long arrays with AVX2. */
TN_WIDE static inline bool tn_all_finite_wide(const double *a, size_t n)
{
    tn_v4 sum[4] = {{0.0}, {0.0}, {0.0}, {0.0}};
    size_t k = 0;
    for (; k + 16 <= n; k += 16) {
        for (int i = 0; i < 4; i++) {
            const tn_v4 x = *(const tn_v4 *)(a + k + 4 * i);
            sum[i] += x - x; // NOLINT(misc-redundant-expression): 0, or no number
        }
    }
    const tn_v4 all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    return (all[0] + all[1]) + (all[2] + all[3]) == 0.0 && tn_all_finite(a + k, n - k);
}

static inline double tn_sum_of_squares(const double *a, size_t n)
{
    tn_v2 first = {0.0}, second = {0.0};
    size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        first += tn_v2_load(a + k) * tn_v2_load(a + k);
        second += tn_v2_load(a + k + 2) * tn_v2_load(a + k + 2);
    }
    for (; k < n; k++)
        first[0] += a[k] * a[k];
    return (first[0] + first[1]) + (second[0] + second[1]);
}

/* The same of long arrays with AVX2, in another order: not for numbers that others see. */
TN_WIDE static inline double tn_sum_of_squares_wide(const double *a, size_t n)
{
    tn_v4 sum[4] = {{0.0}, {0.0}, {0.0}, {0.0}};
    size_t k = 0;
    for (; k + 16 <= n; k += 16) {
        for (int i = 0; i < 4; i++) {
            const tn_v4 x = *(const tn_v4 *)(a + k + 4 * i);
            sum[i] += x * x;
        }
    }
    const tn_v4 all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    return (all[0] + all[1]) + (all[2] + all[3]) + tn_sum_of_squares(a + k, n - k);
}

#endif
