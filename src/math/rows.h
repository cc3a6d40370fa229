/* rows.h: room math: numbers of four arrays side by side, a lane each: TN_LANES is 4.
 */
#ifndef TN_MATH_ROWS_H
#define TN_MATH_ROWS_H

#include "math/lanes.h"
#include "math/reals.h"

/* Each lane's own array. */
typedef struct tn_rows {
    double *of[TN_LANES];
} tn_rows;

/* Number n of them. */
TN_INLINE tn_real tn_rows_get_one(const tn_rows *rows, size_t n)
{
    return (tn_real){rows->of[0][n], rows->of[1][n], rows->of[2][n], rows->of[3][n]};
}

TN_INLINE void tn_rows_put_one(const tn_rows *rows, size_t n, tn_real a)
{
    for (int k = 0; k < TN_LANES; k++)
        rows->of[k][n] = a[k];
}

/* Four numbers of four lanes: rows to columns. */
TN_INLINE void tn_rows_turn(tn_real *a)
{
#if __has_builtin(__builtin_shufflevector)
    const tn_real ab_02 = __builtin_shufflevector(a[0], a[1], 0, 4, 2, 6);
    const tn_real ab_13 = __builtin_shufflevector(a[0], a[1], 1, 5, 3, 7);
    const tn_real cd_02 = __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6);
    const tn_real cd_13 = __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7);
    a[0] = __builtin_shufflevector(ab_02, cd_02, 0, 1, 4, 5);
    a[1] = __builtin_shufflevector(ab_13, cd_13, 0, 1, 4, 5);
    a[2] = __builtin_shufflevector(ab_02, cd_02, 2, 3, 6, 7);
    a[3] = __builtin_shufflevector(ab_13, cd_13, 2, 3, 6, 7);
#else
    const tn_real from[4] = {a[0], a[1], a[2], a[3]};
    for (int i = 0; i < 4; i++)
        a[i] = (tn_real){from[0][i], from[1][i], from[2][i], from[3][i]};
#endif
}

/* Numbers n and n + 1 of all lanes. */
TN_INLINE void tn_rows_get_two(const tn_rows *rows, size_t n, tn_real *to)
{
#if __has_builtin(__builtin_shufflevector)
    tn_v2 a[TN_LANES];
    for (int k = 0; k < TN_LANES; k++)
        a[k] = tn_v2_load(rows->of[k] + n);
    const tn_real even = __builtin_shufflevector(a[0], a[2], 0, 1, 2, 3),
                  odd = __builtin_shufflevector(a[1], a[3], 0, 1, 2, 3);
    to[0] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
    to[1] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
#else
    to[0] = tn_rows_get_one(rows, n);
    to[1] = tn_rows_get_one(rows, n + 1);
#endif
}

TN_INLINE void tn_rows_put_two(const tn_rows *rows, size_t n, const tn_real *from)
{
#if __has_builtin(__builtin_shufflevector)
    const tn_real even = __builtin_shufflevector(from[0], from[1], 0, 4, 2, 6),
                  odd = __builtin_shufflevector(from[0], from[1], 1, 5, 3, 7);
    tn_v2_store(rows->of[0] + n, __builtin_shufflevector(even, even, 0, 1));
    tn_v2_store(rows->of[1] + n, __builtin_shufflevector(odd, odd, 0, 1));
    tn_v2_store(rows->of[2] + n, __builtin_shufflevector(even, even, 2, 3));
    tn_v2_store(rows->of[3] + n, __builtin_shufflevector(odd, odd, 2, 3));
#else
    tn_rows_put_one(rows, n, from[0]);
    tn_rows_put_one(rows, n + 1, from[1]);
#endif
}

/* Numbers first .. first + count of all lanes. */
TN_INLINE void tn_rows_get(const tn_rows *rows, size_t first, size_t count, tn_real *to)
{
    size_t n = 0;
    for (; n + 4 <= count; n += 4) {
        tn_real a[4];
        for (int k = 0; k < TN_LANES; k++)
            a[k] = (tn_real) * (const tn_v4 *)(rows->of[k] + first + n);
        tn_rows_turn(a);
        for (int i = 0; i < 4; i++)
            to[n + (size_t)i] = a[i];
    }
    if (n + 2 <= count) {
        tn_rows_get_two(rows, first + n, to + n);
        n += 2;
    }
    if (n < count)
        to[n] = tn_rows_get_one(rows, first + n);
}

TN_INLINE void tn_rows_put(const tn_rows *rows, size_t first, size_t count, const tn_real *from)
{
    size_t n = 0;
    for (; n + 4 <= count; n += 4) {
        tn_real a[4] = {from[n], from[n + 1], from[n + 2], from[n + 3]};
        tn_rows_turn(a);
        for (int k = 0; k < TN_LANES; k++)
            *(tn_v4 *)(rows->of[k] + first + n) = (tn_v4)a[k];
    }
    if (n + 2 <= count) {
        tn_rows_put_two(rows, first + n, from + n);
        n += 2;
    }
    if (n < count)
        tn_rows_put_one(rows, first + n, from[n]);
}

#endif
