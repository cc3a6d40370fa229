/* test_arcs.c: angles of several directions at once (math/arcs.h) have the bits of tn_atan2, which test_real.c judges. */
#define TN_LANES 2
#include "math/arcs.h"

#include <check.h>
#include <string.h>

#include "random_numbers.h"
#include "run_main.h"

static void expect_same(const double *y, const double *x)
{
    const tn_real angle = r_atan2((tn_real){y[0], y[1]}, (tn_real){x[0], x[1]});
    for (int k = 0; k < TN_LANES; k++) {
        const double one = r_get(&angle, k), other = tn_atan2(y[k], x[k]);
        ck_assert_msg(memcmp(&one, &other, sizeof one) == 0 || (isnan(one) && isnan(other)),
                      "atan2(%.17g, %.17g): %.17g, not %.17g", y[k], x[k], one, other);
    }
}

static double any_size(uint64_t *r, double decades)
{
    const double size = pow(10.0, random_between(r, -decades, decades));
    return random_between(r, -1.0, 1.0) < 0.0 ? -size : size;
}

/* All around; near the sizes at which the way of working it out changes; and of all magnitudes. */
START_TEST(test_same_bits)
{
    const double borders[] = {1e-8, 0.4375, 0.6875, 1.1875, 2.4375, 1e8, 1e18};
    uint64_t r = 7;
    for (int n = 0; n < 400000; n++) {
        double y[2], x[2];
        for (int k = 0; k < 2; k++) {
            const double angle = random_between(&r, -3.2, 3.2);
            y[k] = n % 3 == 0 ? any_size(&r, n % 2 ? 20.0 : 300.0) : sin(angle);
            x[k] = n % 3 == 0 ? any_size(&r, n % 2 ? 20.0 : 300.0) : fabs(cos(angle));
            if (n % 3 == 1)
                y[k] = borders[n % 7] * x[k] * (1.0 + 1e-16 * floor(random_between(&r, -9.0, 9.0)));
        }
        expect_same(y, x);
    }
}
END_TEST

/* Beside one that is as all others. */
START_TEST(test_special)
{
    const double numbers[] = {0.0,     -0.0,  1.0,      -1.0,      5e-324,
                              -1e-310, 1e308, INFINITY, -INFINITY, NAN};
    const size_t count = sizeof numbers / sizeof *numbers;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            expect_same((double[]){numbers[i], 0.3}, (double[]){numbers[j], 0.7});
            expect_same((double[]){-0.9, numbers[i]}, (double[]){0.2, numbers[j]});
        }
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("arcs");
    TCase *tests = tcase_create("bits");
    tcase_add_test(tests, test_same_bits);
    tcase_add_test(tests, test_special);
    suite_add_tcase(suite, tests);
    return suite;
}
