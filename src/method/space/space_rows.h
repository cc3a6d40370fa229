/* space_rows.h: room method/space: copies of numbers of bodies and hinges between lanes and rows. Part of
 * space_kernel.h.
 *
 * Rows have an even length and are copied in pairs of numbers.
 */
#ifndef TN_METHOD_SPACE_SPACE_ROWS_H
#define TN_METHOD_SPACE_SPACE_ROWS_H

#include "math/lanes.h"
#include "math/reals.h"
#include "method/space/space.h"

#if TN_LANES == 2
typedef tn_v2 tn_some;
#else
typedef tn_v4 tn_some;
#endif

/* ---- lanes ---- */

TN_INLINE tn_real four(const double *of, int at)
{
    return *(const tn_some *)(of + at);
}

TN_INLINE void four_put(double *of, int at, tn_real a)
{
    *(tn_some *)(of + at) = a;
}

TN_INLINE tn_real3 four_3(const tn_four *of, int at)
{
    return (tn_real3){four(of[0], at), four(of[1], at), four(of[2], at)};
}

TN_INLINE void four_put_3(tn_four *of, int at, tn_real3 a)
{
    four_put(of[0], at, a.x);
    four_put(of[1], at, a.y);
    four_put(of[2], at, a.z);
}

TN_INLINE tn_realq four_q(const tn_four *of, int at)
{
    return (tn_realq){four(of[0], at), four(of[1], at), four(of[2], at), four(of[3], at)};
}

TN_INLINE void four_put_q(tn_four *of, int at, tn_realq q)
{
    four_put(of[0], at, q.w);
    four_put(of[1], at, q.x);
    four_put(of[2], at, q.y);
    four_put(of[3], at, q.z);
}

TN_INLINE tn_real33 four_33(const tn_four *of, int at)
{
    return (tn_real33){{{four(of[0], at), four(of[1], at), four(of[2], at)},
                        {four(of[3], at), four(of[4], at), four(of[5], at)},
                        {four(of[6], at), four(of[7], at), four(of[8], at)}}};
}

/* ---- rows ---- */

/* The start of the row of each lane. */
typedef struct tn_rows {
    double *of[TN_LANES];
} tn_rows;

/* The first row is here, each of the others this many numbers further. */
TN_INLINE tn_rows rows_from(double *first, size_t apart)
{
    tn_rows rows;
    for (int n = 0; n < TN_LANES; n++)
        rows.of[n] = first + (size_t)n * apart;
    return rows;
}

/* A member, as a row, of bodies that follow each other; below, of bodies anywhere. */
#define ROWS_OF(bodies, member)                                                                    \
    rows_from((double *)&(bodies)->member, sizeof *(bodies) / sizeof(double))
#define ROWS_OF_EACH(bodies, member) rows_of_each(bodies, offsetof(tn_space_body, member))

TN_INLINE tn_rows rows_of_each(tn_space_body *const *bodies, size_t offset)
{
    tn_rows rows;
    for (int n = 0; n < TN_LANES; n++)
        rows.of[n] = (double *)(void *)((char *)bodies[n] + offset);
    return rows;
}

/* Two numbers of each lane, lane by lane. */
typedef struct tn_pairs_of_lanes {
    tn_v2 of[TN_LANES];
} tn_pairs_of_lanes;

TN_INLINE tn_pairs_of_lanes pairs_of(tn_real first, tn_real second)
{
#if TN_LANES == 2
    return (tn_pairs_of_lanes){{{first[0], second[0]}, {first[1], second[1]}}};
#else
    const tn_real even = _mm256_unpacklo_pd(first, second), odd = _mm256_unpackhi_pd(first, second);
    return (tn_pairs_of_lanes){{_mm256_castpd256_pd128(even), _mm256_castpd256_pd128(odd),
                                _mm256_extractf128_pd(even, 1), _mm256_extractf128_pd(odd, 1)}};
#endif
}

TN_INLINE void rows_put_pair(tn_rows rows, tn_real first, tn_real second)
{
    const tn_pairs_of_lanes pairs = pairs_of(first, second);
    for (int n = 0; n < TN_LANES; n++)
        tn_v2_store(rows.of[n], pairs.of[n]);
}

TN_INLINE tn_rows rows_beyond(tn_rows rows, int count)
{
    for (int n = 0; n < TN_LANES; n++)
        rows.of[n] += count;
    return rows;
}

TN_INLINE void rows_put(tn_rows rows, const int count, const tn_real *a)
{
    TN_UNROLL
    for (int k = 0; k < count; k += 2)
        rows_put_pair(rows_beyond(rows, k), a[k], a[k + 1]);
}

/* Adds lane by lane, since two rows may be the same. */
TN_INLINE void rows_add(tn_rows rows, const int count, const tn_real *a)
{
    TN_UNROLL
    for (int k = 0; k < count; k += 2) {
        const tn_pairs_of_lanes pairs = pairs_of(a[k], a[k + 1]);
        TN_UNROLL
        for (int n = 0; n < TN_LANES; n++)
            tn_v2_store(rows.of[n] + k, tn_v2_load(rows.of[n] + k) + pairs.of[n]);
    }
}

TN_INLINE void rows_take(tn_rows rows, const int count, tn_real *a)
{
    TN_UNROLL
    for (int k = 0; k < count; k += 2) {
#if TN_LANES == 2
        const tn_v2 one = tn_v2_load(rows.of[0] + k), other = tn_v2_load(rows.of[1] + k);
        a[k] = (tn_real){one[0], other[0]};
        a[k + 1] = (tn_real){one[1], other[1]};
#else
        const tn_real even = _mm256_insertf128_pd(
            _mm256_castpd128_pd256(_mm_loadu_pd(rows.of[0] + k)), _mm_loadu_pd(rows.of[2] + k), 1);
        const tn_real odd = _mm256_insertf128_pd(
            _mm256_castpd128_pd256(_mm_loadu_pd(rows.of[1] + k)), _mm_loadu_pd(rows.of[3] + k), 1);
        a[k] = _mm256_unpacklo_pd(even, odd);
        a[k + 1] = _mm256_unpackhi_pd(even, odd);
#endif
    }
}

#endif
