/* circle.c: room real: sine, cosine, tangent.
 *
 * The argument is brought to |r| <= pi/4 as r = x - n pi/2 in two doubles: up to 2^20 pi/2 by pi/2 in
 * four parts (Cody, Waite), beyond by the bits of 2/pi that matter (Payne, Hanek 1983). There the
 * polynomials of FDLIBM 5.3:
 *     Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Permission to use, copy,
 *     modify, and distribute this software is freely granted, provided that this notice is
 *     preserved.
 */
#include <stdint.h>
#include <string.h>

#include "real/double_double.h"
#include "real/real.h"

#define QUARTER_PI 0.78539816339744830962

/* x = n pi/2 + (hi + lo), n modulo 4. */
typedef struct reduced {
    double hi, lo;
    int n;
} reduced;

/* ---- up to 2^20 quarters ---------------------------------------------------------------------- */

#define MEDIUM 1647099.0 /* 2^20 pi/2 */

/* pi/2 in parts of 33 bits, whose products with n are exact, and the rest. */
static const double part_1 = 1.57079632673412561417e+00, part_2 = 6.07710050630396597660e-11,
                    part_3 = 2.02226624871116645580e-21, rest_3 = 8.47842766036889956997e-32;

static reduced reduce_medium(double x)
{
    const double two_over_pi = 6.36619772367581382433e-01;
    const double shift = 6755399441055744.0; /* 1.5 * 2^52: rounds to whole numbers */
    const double n = (x * two_over_pi + shift) - shift;
    const tn_dd first = dd_sum(x - n * part_1, -(n * part_2));
    const tn_dd second = dd_sum(first.hi, -(n * part_3));
    const double low = (first.lo + second.lo) - n * rest_3;
    const tn_dd r = dd_fast_sum(second.hi, low);
    return (reduced){r.hi, r.lo, (int)((int64_t)n & 3)};
}

/* ---- beyond ------------------------------------------------------------------------------------- */

/* 2/pi, 32 bits a word. */
static const uint32_t two_over_pi_bits[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d,
    0xa9e39161, 0x5ee61b08, 0x6599855f, 0x14a06840};

/* Words of 2/pi that count, and of their product with the 53 bits of x. */
enum { TAKEN = 8, PRODUCT = TAKEN + 2 };

/* x = m 2^e with m of 53 bits; the product of m with the words from `first` on, most significant
 * word first. */
static void multiply(uint64_t m, int first, uint32_t product[PRODUCT])
{
    const uint64_t low = m & 0xffffffffu, high = m >> 32;
    uint64_t sum[PRODUCT + 1] = {0}; /* of halves, carried afterwards */
    for (int k = 0; k < TAKEN; k++) {
        const uint64_t word = two_over_pi_bits[first + k];
        const uint64_t a = word * low, b = word * high;
        sum[k + 2] += a & 0xffffffffu;
        sum[k + 1] += (a >> 32) + (b & 0xffffffffu);
        sum[k] += b >> 32;
    }
    for (int k = PRODUCT - 1; k > 0; k--) {
        sum[k - 1] += sum[k] >> 32;
        product[k] = (uint32_t)sum[k];
    }
    product[0] = (uint32_t)sum[0];
}

/* The word of 32 bits that begins `at` bits after the start of the product. */
static uint32_t word_at(const uint32_t product[PRODUCT], int at)
{
    const int word = at >> 5, shift = at & 31;
    const uint64_t high = word < PRODUCT ? product[word] : 0;
    const uint64_t low = word + 1 < PRODUCT ? product[word + 1] : 0;
    return (uint32_t)(((high << 32 | low) << shift) >> 32);
}

static reduced reduce_large(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int e = (int)(bits >> 52 & 0x7ff) - 1075; /* >= -32 */
    const uint64_t m = (bits & 0xfffffffffffffu) | (uint64_t)1 << 52;
    const int first = e >= 2 ? (e - 2) / 32 : 0; /* words before make multiples of four */
    uint32_t product[PRODUCT];
    multiply(m, first, product);
    /* the point of x 2/pi is 64 + e - 32 first bits after the product's start; n are two before it */
    const int point = 64 + e - 32 * first;
    int n = (int)(word_at(product, point - 2) >> 30);
    uint32_t fraction[6];
    for (int k = 0; k < 6; k++)
        fraction[k] = word_at(product, point + 32 * k);
    const int beyond_half = (int)(fraction[0] >> 31);
    if (beyond_half) { /* to the next quarter, from there back */
        n++;
        for (int k = 0; k < 6; k++)
            fraction[k] = ~fraction[k];
    }
    tn_dd sum = {0.0, 0.0};
    double unit = 1.0 / 4294967296.0;
    for (int k = 0; k < 6; k++, unit /= 4294967296.0)
        sum = dd_add(sum, (tn_dd){unit * (double)fraction[k], 0.0});
    tn_dd r = dd_mul(sum, (tn_dd){1.5707963267948966, 6.123233995736766e-17});
    const int negative = beyond_half ^ (x < 0.0);
    if (x < 0.0)
        n = -n;
    return negative ? (reduced){-r.hi, -r.lo, n & 3} : (reduced){r.hi, r.lo, n & 3};
}

static reduced reduce(double x)
{
    return fabs(x) <= MEDIUM ? reduce_medium(x) : reduce_large(x);
}

/* ---- polynomials on |x + y| <= pi/4 ------------------------------------------------------------- */

static double sine(double x, double y)
{
    const double z = x * x, v = z * x;
    const double r = 8.33333333332248946124e-03 +
                     z * (-1.98412698298579493134e-04 +
                          z * (2.75573137070700676789e-06 +
                               z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
    return x - ((z * (0.5 * y - v * r) - y) - v * -1.66666666666666324348e-01);
}

static double cosine(double x, double y)
{
    const double z = x * x;
    const double r =
        z * (4.16666666666666019037e-02 +
             z * (-1.38888888888741095749e-03 +
                  z * (2.48015872894767294178e-05 +
                       z * (-2.75573143513906633035e-07 +
                            z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
    const double half = 0.5 * z, w = 1.0 - half;
    return w + (((1.0 - w) - half) + (z * r - x * y));
}

double tn_sin(double x)
{
    if (fabs(x) <= QUARTER_PI)
        return x == 0.0 ? x : sine(x, 0.0);
    if (!isfinite(x))
        return x - x;
    const reduced r = reduce(x);
    const double size = r.n & 1 ? cosine(r.hi, r.lo) : sine(r.hi, r.lo);
    return r.n & 2 ? -size : size;
}

double tn_cos(double x)
{
    if (fabs(x) <= QUARTER_PI)
        return cosine(x, 0.0);
    if (!isfinite(x))
        return x - x;
    const reduced r = reduce(x);
    const double size = r.n & 1 ? sine(r.hi, r.lo) : cosine(r.hi, r.lo);
    return (r.n + 1) & 2 ? -size : size;
}

/* Both in two doubles, for quotients: the series to the power that 2^-70 takes at pi/4. */
static tn_dd long_series(tn_dd r, int power)
{
    tn_dd z = dd_mul(r, r), term = power ? r : (tn_dd){1.0, 0.0}, sum = term;
    for (int k = power + 1; k < 24; k += 2) {
        term = dd_div(dd_mul(term, z), (tn_dd){-(double)(k * (k + 1)), 0.0});
        sum = dd_add(sum, term);
    }
    return sum;
}

double tn_tan(double x)
{
    if (x == 0.0 || !isfinite(x))
        return x == 0.0 ? x : x - x;
    const reduced r = fabs(x) <= QUARTER_PI ? (reduced){x, 0.0, 0} : reduce(x);
    if (fabs(r.hi) < 1e-150) /* squares would be lost */
        return r.n & 1 ? -1.0 / r.hi : r.hi;
    const tn_dd s = long_series((tn_dd){r.hi, r.lo}, 1), c = long_series((tn_dd){r.hi, r.lo}, 0);
    const tn_dd t = r.n & 1 ? dd_div(c, s) : dd_div(s, c);
    return r.n & 1 ? -(t.hi + t.lo) : t.hi + t.lo;
}
