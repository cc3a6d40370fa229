/* double_double.h: room real: numbers as the sum of two doubles, some 106 bits (Dekker 1971, Knuth),
 * without fused operations, so that the bits are the same where there are none. Sizes that matter
 * here are far from overflow. */
#ifndef TN_REAL_DOUBLE_DOUBLE_H
#define TN_REAL_DOUBLE_DOUBLE_H

typedef struct tn_dd {
    double hi, lo;
} tn_dd;

/* a + b exactly, |a| >= |b|. */
static inline tn_dd dd_fast_sum(double a, double b)
{
    const double s = a + b;
    return (tn_dd){s, b - (s - a)};
}

/* a + b exactly. */
static inline tn_dd dd_sum(double a, double b)
{
    const double s = a + b, back = s - a;
    return (tn_dd){s, (a - (s - back)) + (b - back)};
}

/* a b exactly; each factor is cut into halves of 26 bits. */
static inline tn_dd dd_product(double a, double b)
{
    const double cut = 134217729.0; /* 2^27 + 1 */
    const double ca = cut * a, cb = cut * b;
    const double ah = ca - (ca - a), al = a - ah, bh = cb - (cb - b), bl = b - bh;
    const double p = a * b;
    return (tn_dd){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static inline tn_dd dd_add(tn_dd a, tn_dd b)
{
    const tn_dd high = dd_sum(a.hi, b.hi), low = dd_sum(a.lo, b.lo);
    const tn_dd first = dd_fast_sum(high.hi, high.lo + low.hi);
    return dd_fast_sum(first.hi, first.lo + low.lo);
}

static inline tn_dd dd_mul(tn_dd a, tn_dd b)
{
    const tn_dd p = dd_product(a.hi, b.hi);
    return dd_fast_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline tn_dd dd_div(tn_dd a, tn_dd b)
{
    const double q = a.hi / b.hi;
    const tn_dd back = dd_mul(b, (tn_dd){q, 0.0});
    const double rest = ((a.hi - back.hi) - back.lo) + a.lo;
    return dd_fast_sum(q, rest / b.hi);
}

#endif
