/* test_real.c: the functions of real numbers against the C library's in long doubles, which have
 * eleven bits more: the largest error in units of the last place, over all sizes of arguments. */
#include <check.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "real/real.h"
#include "support/random_numbers.h"
#include "support/run_main.h"

#define TRIALS 200000

/* Of the double nearest to x. */
static long double last_place(long double x)
{
    int e;
    const double nearest = fabs((double)x);
    if (nearest < DBL_MIN)
        return ldexpl(1.0L, -1074);
    frexp(nearest, &e);
    return ldexpl(1.0L, e - 53);
}

static double ulps(double found, long double right)
{
    if (isnan(found) || isinf(found))
        return isnan(right) || isinf((double)right) ? 0.0 : INFINITY;
    return (double)(fabsl((long double)found - right) / last_place(right));
}

typedef struct of_one {
    const char *name;
    double (*function)(double);
    long double (*right)(long double);
    double low, high;    /* of arguments of moderate size */
    double small, large; /* powers of ten between which sizes of arguments lie, both signs */
    double most;         /* ulp */
} of_one;

static const of_one functions[] = {
    {"sin", tn_sin, sinl, -10.0, 10.0, -300.0, 300.0, 0.9},
    {"cos", tn_cos, cosl, -10.0, 10.0, -300.0, 300.0, 0.9},
    {"tan", tn_tan, tanl, -10.0, 10.0, -300.0, 300.0, 0.6},
    {"asin", tn_asin, asinl, -1.0, 1.0, -300.0, 0.0, 1.0},
    {"acos", tn_acos, acosl, -1.0, 1.0, -300.0, 0.0, 1.0},
    {"atan", tn_atan, atanl, -10.0, 10.0, -300.0, 300.0, 1.0},
    {"exp", tn_exp, expl, -10.0, 10.0, -300.0, 2.8, 0.6},
    {"log", tn_log, logl, 0.5, 2.0, -300.0, 300.0, 0.6},
    {"log10", tn_log10, log10l, 0.5, 2.0, -300.0, 300.0, 0.6},
    {"sinh", tn_sinh, sinhl, -10.0, 10.0, -300.0, 2.8, 0.6},
    {"cosh", tn_cosh, coshl, -10.0, 10.0, -300.0, 2.8, 0.6},
    {"tanh", tn_tanh, tanhl, -10.0, 10.0, -300.0, 3.0, 0.6},
};

START_TEST(errors_of_one_argument)
{
    const of_one *f = &functions[_i];
    uint64_t seed = 1;
    double worst = 0.0, at = 0.0;
    for (int k = 0; k < TRIALS; k++) {
        double x = random_between(&seed, f->low, f->high);
        if (k % 2 == 1) {
            x = pow(10.0, random_between(&seed, f->small, f->large));
            x = random_between(&seed, -1.0, 1.0) < 0.0 && f->low < 0.0 ? -x : x;
        }
        const double error = ulps(f->function(x), f->right(x));
        if (!(error <= worst)) {
            worst = error;
            at = x;
        }
    }
    printf("%s: %.4f ulp at %.17g\n", f->name, worst, at);
    ck_assert_double_le(worst, f->most);
}
END_TEST

START_TEST(errors_of_two_arguments)
{
    uint64_t seed = 2;
    double angle = 0.0, power = 0.0, length = 0.0;
    for (int k = 0; k < TRIALS; k++) {
        const double size = k % 2 ? pow(10.0, random_between(&seed, -100.0, 100.0)) : 1.0;
        const double x = size * random_between(&seed, -10.0, 10.0);
        const double y = (k % 3 ? size : 1.0) * random_between(&seed, -10.0, 10.0);
        angle = fmax(angle, ulps(tn_atan2(y, x), atan2l(y, x)));
        length = fmax(length, ulps(tn_hypot(x, y), hypotl(x, y)));
        const double e = random_between(&seed, -300.0, 300.0) / fmax(1.0, fabs(log10(fabs(x))));
        power = fmax(power, ulps(tn_pow(fabs(x), e), powl(fabsl(x), e)));
        power = fmax(power, ulps(tn_pow(x, floor(e)), powl(x, floor(e))));
    }
    printf("atan2: %.4f ulp, pow: %.4f ulp, hypot: %.4f ulp\n", angle, power, length);
    ck_assert_double_le(angle, 1.0);
    ck_assert_double_le(power, 0.75); /* rounded twice where the result is subnormal */
    ck_assert_double_le(length, 0.6);
}
END_TEST

/* Arguments next to multiples of pi/2, where all digits of the reduction count: of a right angle the
 * sine is 1 and the cosine what is left, which long doubles do not know beyond 2^63. */
START_TEST(next_to_right_angles)
{
    /* Kahan, Muller: the double nearest to a multiple of pi/2, relative to its size */
    const double x = ldexp(6381956970095103.0, 797);
    ck_assert_double_eq(tn_cos(x), -4.6871659242546277e-19);
    ck_assert_double_eq(tn_sin(x), 1.0);
    uint64_t seed = 3;
    double worst = 0.0;
    for (int k = 0; k < TRIALS; k++) {
        const double a = floor(random_between(&seed, -1e6, 1e6)) * 1.5707963267948966;
        worst = fmax(worst, ulps(tn_cos(a), cosl(a)));
        worst = fmax(worst, ulps(tn_sin(a), sinl(a)));
    }
    printf("near right angles: %.4f ulp\n", worst);
    ck_assert_double_le(worst, 0.9);
}
END_TEST

static int same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && !signbit(a) == !signbit(b));
}

/* C17, annex F: what the C library answers. */
START_TEST(special_values)
{
    static const double values[] = {0.0,   -0.0,   1.0,    -1.0,     2.0,       -2.0,
                                    3.0,   -3.0,   0.5,    -0.5,     2.5,       -2.5,
                                    1e300, -1e300, 1e-310, INFINITY, -INFINITY, NAN};
    const int count = (int)(sizeof values / sizeof *values);
    for (int i = 0; i < count; i++) {
        const double x = values[i];
        for (int k = 0; k < count; k++) {
            const double y = values[k];
            ck_assert_msg(same(tn_pow(x, y), pow(x, y)), "pow(%g, %g): %g", x, y, tn_pow(x, y));
            ck_assert_msg(ulps(tn_atan2(x, y), atan2l(x, y)) <= 1.0 &&
                              !signbit(tn_atan2(x, y)) == !signbit(atan2(x, y)),
                          "atan2(%g, %g): %g", x, y, tn_atan2(x, y));
            ck_assert_msg(same(tn_hypot(x, y), hypot(x, y)) ||
                              ulps(tn_hypot(x, y), hypotl(x, y)) < 1.0,
                          "hypot(%g, %g): %g", x, y, tn_hypot(x, y));
        }
        for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
            const double found = functions[f].function(x);
            const double right = (double)functions[f].right(x);
            ck_assert_msg(same(found, right) || ulps(found, functions[f].right(x)) < 1.0,
                          "%s(%g): %g, not %g", functions[f].name, x, found, right);
        }
    }
}
END_TEST

/* Odd and even, to the bit; and what is exact. */
START_TEST(symmetries)
{
    uint64_t seed = 4;
    for (int k = 0; k < TRIALS; k++) {
        const double x = random_between(&seed, 0.0, 1e4), y = random_between(&seed, -1.0, 1.0);
        ck_assert(tn_sin(-x) == -tn_sin(x) && tn_cos(-x) == tn_cos(x));
        ck_assert(tn_tan(-x) == -tn_tan(x) && tn_atan(-x) == -tn_atan(x));
        ck_assert(tn_asin(-y) == -tn_asin(y) && tn_atan2(-x, y) == -tn_atan2(x, y));
        ck_assert_double_eq(tn_hypot(x, y), tn_hypot(y, x));
    }
    ck_assert_double_eq(tn_hypot(3.0, 4.0), 5.0);
    ck_assert_double_eq(tn_pow(3.0, 5.0), 243.0);
    ck_assert_double_eq(tn_pow(0.5, -3.0), 8.0);
    ck_assert_double_eq(tn_exp(1.0), 2.7182818284590452);
    ck_assert_double_eq(tn_log10(1e5), 5.0);
    ck_assert_double_eq(4.0 * tn_atan(1.0), 3.1415926535897932);
}
END_TEST

/* The bits themselves: the same number wherever this runs. */
START_TEST(the_same_bits)
{
    uint64_t seed = 5, hash = 14695981039346656037u;
    for (int k = 0; k < 20000; k++) {
        const double x = random_between(&seed, -100.0, 100.0), y = random_between(&seed, -3.0, 3.0);
        const double z = ldexp(x, (int)random_between(&seed, -900.0, 900.0));
        const double found[] = {
            tn_sin(x),      tn_cos(x),        tn_tan(x),       tn_sin(z),
            tn_cos(z),      tn_atan(x),       tn_atan2(x, y),  tn_asin(x / 100.0),
            tn_exp(y),      tn_acos(y / 3.0), tn_log(fabs(z)), tn_pow(fabs(x), y),
            tn_hypot(x, y), tn_sinh(y),       tn_cosh(x),      tn_tanh(y)};
        for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
            uint64_t bits;
            memcpy(&bits, &found[i], sizeof bits);
            hash = (hash ^ bits) * 1099511628211u;
        }
    }
    printf("bits: %016llx\n", (unsigned long long)hash);
    ck_assert_uint_eq(hash, 2896193376158074089u);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("real");
    TCase *tests = tcase_create("functions");
    tcase_add_loop_test(tests, errors_of_one_argument, 0,
                        (int)(sizeof functions / sizeof *functions));
    tcase_add_test(tests, errors_of_two_arguments);
    tcase_add_test(tests, next_to_right_angles);
    tcase_add_test(tests, special_values);
    tcase_add_test(tests, symmetries);
    tcase_add_test(tests, the_same_bits);
    suite_add_tcase(suite, tests);
    return suite;
}
