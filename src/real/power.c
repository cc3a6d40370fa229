/* power.c: room real: exponential, logarithm, powers and what is made of them, in two doubles:
 *     x = 2^k m,  sqrt(1/2) < m < sqrt(2):   log x = k log 2 + 2 atanh((m - 1) / (m + 1))
 *     x = k log 2 + r,  |r| <= log(2) / 2:   exp x = 2^k exp r
 * by their series. The leading terms are carried in two doubles, what is a millionth of them in one.
 */
#include <stdint.h>
#include <string.h>

#include "real/double_double.h"
#include "real/real.h"

static const tn_dd log_2 = {0.6931471805599453, 2.3190468138462996e-17};

/* log 2 with 20 zero bits at its end, and the rest in two doubles. */
#define LOG_2_UPPER 0x1.62e42fefap-1
static const double log_2_rest = 0x1.cf79abc9e3b3ap-40;

/* ---- the logarithm -------------------------------------------------------------------------------- */

/* x > 0, finite. */
static tn_dd long_log(double x)
{
    int k;
    double m = frexp(x, &k); /* 1/2 .. 1 */
    if (m < 0.70710678118654752440) {
        m *= 2.0;
        k--;
    }
    const tn_dd s = dd_div((tn_dd){m - 1.0, 0.0}, dd_sum(m, 1.0));
    const tn_dd z = dd_mul(s, s);
    double tail = 0.0;
    for (int n = 35; n > 9; n -= 2)
        tail = z.hi * (tail + 1.0 / n);
    tn_dd sum = {tail, 0.0};
    for (int n = 9; n > 0; n -= 2) {
        sum = dd_add(sum, dd_div((tn_dd){1.0, 0.0}, (tn_dd){n, 0.0}));
        if (n > 1)
            sum = dd_mul(sum, z);
    }
    const tn_dd part = dd_mul(s, sum);
    return dd_add(dd_mul((tn_dd){k, 0.0}, log_2), (tn_dd){2.0 * part.hi, 2.0 * part.lo});
}

double tn_log(double x)
{
    if (!(x > 0.0) || isinf(x))
        return x == 0.0 ? -INFINITY : x < 0.0 ? (x - x) / 0.0 : x;
    const tn_dd y = long_log(x);
    return y.hi + y.lo;
}

double tn_log10(double x)
{
    if (!(x > 0.0) || isinf(x))
        return tn_log(x);
    const tn_dd y = dd_mul(long_log(x), (tn_dd){0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57});
    return y.hi + y.lo;
}

/* ---- the exponential ------------------------------------------------------------------------------ */

/* exp of a number of moderate size: 2^*k times the answer. */
static tn_dd long_exp(tn_dd x, int *k)
{
    const double shift = 6755399441055744.0; /* 1.5 * 2^52 */
    const double n = (x.hi * 1.4426950408889634 + shift) - shift;
    const tn_dd first = dd_sum(x.hi - n * LOG_2_UPPER, -(n * log_2_rest));
    const tn_dd r = dd_fast_sum(first.hi, first.lo + x.lo);
    double tail = 0.0;
    for (int i = 15; i > 3; i--)
        tail = r.hi * (1.0 + tail) / i;
    const tn_dd square = dd_mul(r, r);
    const tn_dd cube = dd_div(dd_mul(square, r), (tn_dd){6.0, 0.0});
    tn_dd sum = dd_mul(cube, (tn_dd){1.0 + tail, 0.0});
    sum = dd_add((tn_dd){0.5 * square.hi, 0.5 * square.lo}, sum);
    sum = dd_add(r, sum);
    *k = (int)n;
    return dd_add((tn_dd){1.0, 0.0}, sum);
}

/* Beyond these exp overflows, or is nothing. */
#define LARGEST_EXPONENT 709.79
#define LEAST_EXPONENT   -745.2

static double exp_of(tn_dd x)
{
    if (x.hi > LARGEST_EXPONENT || x.hi < LEAST_EXPONENT)
        return x.hi > 0.0 ? INFINITY : 0.0;
    int k;
    const tn_dd y = long_exp(x, &k);
    return ldexp(y.hi + y.lo, k);
}

double tn_exp(double x)
{
    return isnan(x) ? x : exp_of((tn_dd){x, 0.0});
}

/* ---- powers --------------------------------------------------------------------------------------- */

/* 0: not whole, 1: odd, 2: even. */
static int parity(double y)
{
    const double size = fabs(y);
    if (size >= 9007199254740992.0) /* 2^53: all are even */
        return 2;
    if (floor(size) != size)
        return 0;
    return (int64_t)size & 1 ? 1 : 2;
}

/* Where x is zero or infinite, or y is infinite. */
static double special_power(double x, double y)
{
    if (isinf(y)) {
        const double size = fabs(x);
        return size == 1.0 ? 1.0 : (size > 1.0) == (y > 0.0) ? INFINITY : 0.0;
    }
    const double size = (x == 0.0) == (y > 0.0) ? 0.0 : INFINITY;
    return signbit(x) && parity(y) == 1 ? -size : size;
}

double tn_pow(double x, double y)
{
    if (y == 0.0 || x == 1.0)
        return 1.0;
    if (isnan(x) || isnan(y))
        return x + y;
    if (x == 0.0 || isinf(x) || isinf(y))
        return special_power(x, y);
    const int kind = x < 0.0 ? parity(y) : 2;
    if (kind == 0)
        return (x - x) / (x - x);
    const tn_dd log = long_log(fabs(x));
    double size;
    if (fabs(log.hi * y) > 1000.0) {
        size = log.hi * y > 0.0 ? INFINITY : 0.0;
    } else if (fabs(y) > 1e250 || fabs(y) < 1e-250) { /* products of halves would be lost */
        size = exp_of((tn_dd){log.hi * y, 0.0});
    } else {
        size = exp_of(dd_mul(log, (tn_dd){y, 0.0}));
    }
    return kind == 1 ? -size : size;
}

double tn_hypot(double x, double y)
{
    double a = fabs(x), b = fabs(y);
    if (isinf(a) || isinf(b))
        return INFINITY;
    if (isnan(a) || isnan(b))
        return a + b;
    if (a < b) {
        const double c = a;
        a = b;
        b = c;
    }
    if (b == 0.0 || b < a * 1e-17)
        return a;
    int k = 0;
    if (a > 1e150 || b < 1e-100) { /* squares, or what they lose, would not be numbers */
        frexp(a, &k);
        a = ldexp(a, -k);
        b = ldexp(b, -k);
    }
    const tn_dd square = dd_add(dd_product(a, a), dd_product(b, b));
    const double r = sqrt(square.hi);
    const tn_dd back = dd_product(r, r);
    const double rest = ((square.hi - back.hi) - back.lo) + square.lo;
    const double length = r + rest / (2.0 * r);
    return k == 0 ? length : ldexp(length, k);
}

/* ---- hyperbolic functions ------------------------------------------------------------------------- */

/* exp x and its inverse, |x| < 40, in two doubles. */
static void both(double x, tn_dd *up, tn_dd *down)
{
    int k;
    const tn_dd y = long_exp((tn_dd){x, 0.0}, &k);
    *up = (tn_dd){ldexp(y.hi, k), ldexp(y.lo, k)};
    *down = dd_div((tn_dd){1.0, 0.0}, *up);
}

/* Up to here by the series, where the difference of exponentials would lose bits. */
#define SMALL_HYPERBOLIC 0.5

/* x (1 + z/3! + z^2/5! + ...), z = x^2. */
static tn_dd sinh_series(double x)
{
    const tn_dd z = dd_product(x, x);
    tn_dd sum = {1.0, 0.0};
    for (int k = 20; k > 0; k -= 2) {
        sum =
            dd_add((tn_dd){1.0, 0.0}, dd_mul(dd_div(z, (tn_dd){(double)(k * (k + 1)), 0.0}), sum));
    }
    return dd_mul(sum, (tn_dd){x, 0.0});
}

static tn_dd long_sinh(double x)
{
    tn_dd up, down;
    if (fabs(x) < SMALL_HYPERBOLIC)
        return sinh_series(x);
    both(x, &up, &down);
    const tn_dd twice = dd_add(up, (tn_dd){-down.hi, -down.lo});
    return (tn_dd){0.5 * twice.hi, 0.5 * twice.lo};
}

static tn_dd long_cosh(double x)
{
    tn_dd up, down;
    both(x, &up, &down);
    const tn_dd twice = dd_add(up, down);
    return (tn_dd){0.5 * twice.hi, 0.5 * twice.lo};
}

/* exp(|x|) / 2 where the rest is nothing; halves of the exponent, since exp x may overflow before. */
static double half_exp(double size)
{
    int k;
    if (size > LARGEST_EXPONENT + 1.0)
        return INFINITY;
    const tn_dd y = long_exp((tn_dd){size, 0.0}, &k);
    return ldexp(y.hi + y.lo, k - 1);
}

double tn_sinh(double x)
{
    if (isnan(x) || isinf(x) || fabs(x) < 1e-8)
        return x;
    if (fabs(x) > 40.0)
        return copysign(half_exp(fabs(x)), x);
    const tn_dd y = long_sinh(x);
    return y.hi + y.lo;
}

double tn_cosh(double x)
{
    if (isnan(x) || isinf(x))
        return x * x;
    if (fabs(x) > 40.0)
        return half_exp(fabs(x));
    const tn_dd y = long_cosh(x);
    return y.hi + y.lo;
}

double tn_tanh(double x)
{
    if (isnan(x) || fabs(x) < 1e-8)
        return x;
    if (fabs(x) > 22.0)
        return copysign(1.0, x);
    const tn_dd y = dd_div(long_sinh(x), long_cosh(x));
    return y.hi + y.lo;
}
