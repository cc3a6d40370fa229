/* Scalar functions: values against closed forms, derivatives against finite differences, the spline
 * against its defining equations, and what is refused. */
#include <check.h>
#include <math.h>

#include "math/function/function.h"
#include "run_main.h"

static tn_arena arena;

static void empty_arena(void)
{
    tn_arena_free(&arena);
}

static tn_function make(tn_function_kind kind, const double *numbers, int32_t count)
{
    const tn_function_def def = {.kind = kind, .numbers = numbers, .count = count};
    tn_function made = {.curvature = NULL};
    ck_assert_ptr_null(tn_function_problem(&def));
    ck_assert_int_eq(tn_function_make(&def, &arena, &made), TN_OK);
    return made;
}

#define MAKE(kind, numbers) make(kind, numbers, (int32_t)(sizeof(numbers) / sizeof(double)))

static double value(const tn_function *f, double x)
{
    double out[3];
    tn_function_evaluate(f, x, out);
    return out[0];
}

/* f' and f'' against central differences of f and f': O(d^2) with d = 1e-5. */
static void expect_derivatives(const tn_function *f, double x, double size)
{
    const double d = 1e-5;
    double at[3], before[3], after[3];
    tn_function_evaluate(f, x, at);
    tn_function_evaluate(f, x - d, before);
    tn_function_evaluate(f, x + d, after);
    ck_assert_double_eq_tol(at[1], (after[0] - before[0]) / (2 * d), 1e-7 * size);
    ck_assert_double_eq_tol(at[2], (after[1] - before[1]) / (2 * d), 1e-7 * size);
}

static const double cubic[] = {1.0, -2.0, 0.5, 3.0};
static const double wave[] = {2.0, 3.0, 0.4, -1.0};
static const double rise[] = {0.5, -1.0, 2.5, 4.0};
static const double points[] = {-1.0, 2.0, 0.5, 1.0, 1.0, 3.0, 2.5, -1.0, 4.0, 0.0};

/* Values of 6e6, a million turns, to 6e-12, what 64 bits leave of the formulas. x is the sum of two doubles. */
START_TEST(test_values_of_two_doubles)
{
    static const double climb[] = {6283185.3, 300.0, 0.01}, far_wave[] = {2.0, 3e3, 0.4, 6e6};
    static const double far_rise[] = {0.5, -1.0, 2000.5, 6e6}, line[] = {0.1, 0.0, 3000.3, 6e6};
    const tn_function p = MAKE(TN_FUNCTION_POLYNOMIAL, climb), s = MAKE(TN_FUNCTION_SINE, far_wave);
    const tn_function r = MAKE(TN_FUNCTION_STEP, far_rise), t = MAKE(TN_FUNCTION_TABLE, line);
    const tn_function c = MAKE(TN_FUNCTION_SPLINE, line), k = make(TN_FUNCTION_CONSTANT, climb, 1);
    for (double hi = 1.7; hi < 1900.0; hi += 31.3) {
        const tn_dd x = {hi, 1e-17 * hi};
        const long double y = (long double)x.hi + (long double)x.lo;
        const long double u = (y - 0.5L) / 2000.0L, v = (y - 0.1) / ((long double)3000.3 - 0.1);
        const long double wanted[] = {6283185.3 + y * (300.0 + y * (long double)0.01),
                                      6e6 + 2.0L * sinl(3e3L * y + 0.4),
                                      -1.0L + 6000001.0L *
                                                  (u * u * u * (10.0L + u * (6.0L * u - 15.0L))),
                                      6e6L * v,
                                      6e6L * v,
                                      6283185.3};
        const tn_function *f[] = {&p, &s, &r, &t, &c, &k};
        for (size_t n = 0; n < sizeof f / sizeof *f; n++) {
            const tn_dd got = tn_function_value(f[n], x);
            ck_assert_double_le(fabs((double)(wanted[n] - got.hi) - got.lo), 6e-12);
            ck_assert_double_le(fabs(got.hi - value(f[n], hi)), 1e-8); /* the last digits of one */
        }
    }
}
END_TEST

/* Beyond their ends and between the points of what bends: as in one double. */
START_TEST(test_values_are_the_same_functions)
{
    const tn_function all[] = {
        MAKE(TN_FUNCTION_POLYNOMIAL, cubic), MAKE(TN_FUNCTION_SINE, wave),
        MAKE(TN_FUNCTION_STEP, rise),        MAKE(TN_FUNCTION_TABLE, points),
        MAKE(TN_FUNCTION_SPLINE, points),
    };
    for (size_t n = 0; n < sizeof all / sizeof *all; n++)
        for (double x = -3.0; x < 6.0; x += 0.0625)
            ck_assert_double_eq_tol(tn_function_value(&all[n], (tn_dd){x, 0.0}).hi,
                                    value(&all[n], x), 2e-13);
    const tn_function_def def = {
        .kind = TN_FUNCTION_TABLE, .numbers = points, .count = 10, .bounded = 1};
    tn_function ends;
    ck_assert_int_eq(tn_function_make(&def, &arena, &ends), TN_OK);
    ck_assert(isnan(tn_function_value(&ends, (tn_dd){4.1, 0.0}).hi));
    ck_assert(!isnan(tn_function_value(&ends, (tn_dd){3.9, 0.0}).hi));
}
END_TEST

START_TEST(test_closed_forms)
{
    const tn_function p = MAKE(TN_FUNCTION_POLYNOMIAL, cubic), s = MAKE(TN_FUNCTION_SINE, wave);
    const tn_function c = make(TN_FUNCTION_CONSTANT, cubic, 1), r = MAKE(TN_FUNCTION_STEP, rise);
    const tn_function t = MAKE(TN_FUNCTION_TABLE, points);
    for (double x = -3.0; x < 6.0; x += 0.31) {
        ck_assert_double_eq_tol(value(&p, x), 1 - 2 * x + 0.5 * x * x + 3 * x * x * x, 1e-12);
        ck_assert_double_eq_tol(value(&s, x), 2 * sin(3 * x + 0.4) - 1, 1e-14);
        ck_assert_double_eq(value(&c, x), 1.0);
    }
    ck_assert_double_eq(value(&r, 0.0), -1.0);
    ck_assert_double_eq(value(&r, 9.0), 4.0);
    ck_assert_double_eq_tol(value(&r, 1.5), 1.5, 1e-15);
    ck_assert_double_eq_tol(value(&t, 0.75), 2.0, 1e-15);
    ck_assert_double_eq_tol(value(&t, 7.0), 2.0, 1e-14); /* 0 + 3 (1 / 1.5) */
    ck_assert_double_eq_tol(value(&t, -4.0), 4.0, 1e-14);
}
END_TEST

START_TEST(test_derivatives)
{
    const tn_function all[] = {MAKE(TN_FUNCTION_POLYNOMIAL, cubic), MAKE(TN_FUNCTION_SINE, wave),
                               MAKE(TN_FUNCTION_STEP, rise), MAKE(TN_FUNCTION_SPLINE, points)};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        for (double x = -2.03; x < 5.0; x += 0.097)
            expect_derivatives(&all[k], x, 100.0);
}
END_TEST

/* The interpolating cubic of least bending: through the points, twice differentiable across them,
 * straight at the ends. */
START_TEST(test_natural_spline)
{
    const tn_function f = MAKE(TN_FUNCTION_SPLINE, points);
    const double tiny = 1e-9;
    for (int i = 0; i < 5; i++) {
        const double x = points[2 * i];
        double before[3], after[3];
        tn_function_evaluate(&f, x - tiny, before);
        tn_function_evaluate(&f, x + tiny, after);
        ck_assert_double_eq_tol(value(&f, x), points[2 * i + 1], 1e-14);
        for (int k = 0; k < 3; k++)
            ck_assert_double_eq_tol(before[k], after[k], 1e-7);
    }
    double end[3];
    tn_function_evaluate(&f, -1.0, end);
    ck_assert_double_eq_tol(end[2], 0.0, 1e-14);
    /* a straight line is its own spline */
    const double line[] = {0.0, 1.0, 1.0, 3.0, 5.0, 11.0};
    const tn_function straight = MAKE(TN_FUNCTION_SPLINE, line);
    for (double x = -2.0; x < 8.0; x += 0.3)
        ck_assert_double_eq_tol(value(&straight, x), 1.0 + 2.0 * x, 1e-13);
}
END_TEST

static void square(void *context, double x, double out[3])
{
    const double scale = *(const double *)context;
    out[0] = scale * x * x;
    out[1] = 2.0 * scale * x;
    out[2] = 2.0 * scale;
}

START_TEST(test_callback)
{
    double scale = 3.0;
    const tn_function_def def = {
        .kind = TN_FUNCTION_CALLBACK, .callback = square, .context = &scale};
    tn_function f;
    ck_assert_ptr_null(tn_function_problem(&def));
    ck_assert_int_eq(tn_function_make(&def, &arena, &f), TN_OK);
    ck_assert_double_eq(value(&f, 2.0), 12.0);
}
END_TEST

/* f converted from degrees is f of the angle in degrees. */
START_TEST(test_units)
{
    const double degree = M_PI / 180.0;
    const tn_function_kind kinds[] = {TN_FUNCTION_POLYNOMIAL, TN_FUNCTION_STEP, TN_FUNCTION_SPLINE,
                                      TN_FUNCTION_TABLE};
    const double *numbers[] = {cubic, rise, points, points};
    const int32_t counts[] = {4, 4, 10, 10};
    for (int k = 0; k < 4; k++) {
        double copy[10];
        for (int i = 0; i < counts[k]; i++)
            copy[i] = numbers[k][i];
        tn_function_convert(kinds[k], copy, counts[k], degree, 0.5, degree);
        const tn_function raw = make(kinds[k], numbers[k], counts[k]);
        const tn_function converted = make(kinds[k], copy, counts[k]);
        for (double x = -1.5; x < 5.0; x += 0.37)
            ck_assert_double_eq_tol(value(&converted, x * degree), 0.5 * value(&raw, x), 1e-11);
    }
    double w[4] = {2.0, 90.0, 45.0, 1.0}; /* degrees per second of time */
    tn_function_convert(TN_FUNCTION_SINE, w, 4, 1.0, degree, degree);
    const tn_function f = MAKE(TN_FUNCTION_SINE, w);
    ck_assert_double_eq_tol(value(&f, 0.5), degree * 3.0, 1e-15);
}
END_TEST

START_TEST(test_refused)
{
    const double backwards[] = {0.0, 1.0, 0.0, 2.0}, infinite[] = {1.0, INFINITY};
    const tn_function_def bad[] = {
        {.kind = TN_FUNCTION_POLYNOMIAL},
        {.kind = TN_FUNCTION_POLYNOMIAL, .numbers = infinite, .count = 2},
        {.kind = TN_FUNCTION_SINE, .numbers = cubic, .count = 3},
        {.kind = TN_FUNCTION_CONSTANT, .numbers = cubic, .count = 2},
        {.kind = TN_FUNCTION_STEP, .numbers = backwards, .count = 4},
        {.kind = TN_FUNCTION_TABLE, .numbers = points, .count = 3},
        {.kind = TN_FUNCTION_SPLINE, .numbers = points, .count = 2},
        {.kind = TN_FUNCTION_SPLINE, .numbers = backwards, .count = 4},
        {.kind = TN_FUNCTION_CALLBACK},
        {.kind = (tn_function_kind)99},
    };
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        ck_assert_ptr_nonnull(tn_function_problem(&bad[k]));
    tn_function_kind kind = TN_FUNCTION_NONE;
    ck_assert_int_eq(tn_function_kind_find("spline", &kind), TN_OK);
    ck_assert_int_eq(kind, TN_FUNCTION_SPLINE);
    ck_assert_int_eq(tn_function_kind_find("splin", &kind), TN_ERROR_NOT_FOUND);
    ck_assert_ptr_null(tn_function_kind_name(TN_FUNCTION_CALLBACK));
}
END_TEST

/* Between two of its knots, and beyond, each is a polynomial of fifth degree at most, or a sine: three Gauss points on short panels. */
static double area(const tn_function *f, double from, double to)
{
    static const double at[] = {0.1127016653792583, 0.5, 0.8872983346207417},
                        weight[] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    double sum = 0.0;
    while (from < to) {
        const double end = fmin(fmin(to, from + 0.05), tn_function_next_knot(f, from));
        for (int k = 0; k < 3; k++)
            sum += weight[k] * (end - from) * value(f, from + at[k] * (end - from));
        from = end;
    }
    return sum;
}

START_TEST(test_integrals)
{
    const tn_function all[] = {
        make(TN_FUNCTION_CONSTANT, wave, 1), MAKE(TN_FUNCTION_POLYNOMIAL, cubic),
        MAKE(TN_FUNCTION_SINE, wave),        MAKE(TN_FUNCTION_STEP, rise),
        MAKE(TN_FUNCTION_TABLE, points),     MAKE(TN_FUNCTION_SPLINE, points)};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
        const double from = -3.2, start = tn_function_integral(&all[k], from);
        for (double x = -3.0; x < 6.0; x += 0.37) {
            ck_assert_double_eq_tol(tn_function_integral(&all[k], x) - start,
                                    area(&all[k], from, x), 1e-9);
        }
    }
}
END_TEST

/* Points at which a table bends, all of a spline, both of a step; none of what is smooth. */
START_TEST(test_knots)
{
    static const double straight[] = {0.0, 0.0, 1.0, 2.0, 2.0, 4.0, 3.0, 1.0, 4.0, 0.0};
    const tn_function t = MAKE(TN_FUNCTION_TABLE, straight), s = MAKE(TN_FUNCTION_SPLINE, straight),
                      r = MAKE(TN_FUNCTION_STEP, rise), w = MAKE(TN_FUNCTION_SINE, wave);
    double around[2];
    ck_assert_double_eq(tn_function_next_knot(&t, -1.0), 2.0);
    ck_assert_double_eq(tn_function_next_knot(&t, 2.0), 3.0);
    ck_assert(isinf(tn_function_next_knot(&t, 3.0)));
    ck_assert_double_eq(tn_function_next_knot(&s, -1.0), 0.0);
    ck_assert_double_eq(tn_function_next_knot(&s, 3.5), 4.0);
    ck_assert_double_eq(tn_function_next_knot(&r, 0.0), 0.5);
    ck_assert_double_eq(tn_function_next_knot(&r, 0.5), 2.5);
    ck_assert(isinf(tn_function_next_knot(&w, 0.0)));
    tn_function_knots_around(&t, 2.5, around);
    ck_assert_double_eq(around[0], 2.0);
    ck_assert_double_eq(around[1], 3.0);
    tn_function_knots_around(&t, 9.0, around);
    ck_assert_double_eq(around[0], 3.0);
    tn_function_knots_around(&t, 1.5, around);
    ck_assert(isinf(around[0]));
    tn_function_knots_around(&r, 3.0, around);
    ck_assert_double_eq(around[0], 2.5);
}
END_TEST

Suite *make_suite(void)
{
    TCase *tcase = tcase_create("function");
    tcase_add_checked_fixture(tcase, NULL, empty_arena);
    tcase_add_test(tcase, test_closed_forms);
    tcase_add_test(tcase, test_values_of_two_doubles);
    tcase_add_test(tcase, test_values_are_the_same_functions);
    tcase_add_test(tcase, test_derivatives);
    tcase_add_test(tcase, test_natural_spline);
    tcase_add_test(tcase, test_integrals);
    tcase_add_test(tcase, test_knots);
    tcase_add_test(tcase, test_callback);
    tcase_add_test(tcase, test_units);
    tcase_add_test(tcase, test_refused);
    Suite *suite = suite_create("function");
    suite_add_tcase(suite, tcase);
    return suite;
}
