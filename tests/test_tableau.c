/* test_tableau.c: the methods of parts of steps (method/rkmk.h) on y' = z y, y(0) = 1, one part of
 * length 1, whose solution is e^z.
 */
#include <check.h>
#include <complex.h>
#include <math.h>

#include "method/stages/rkmk.h"
#include "support/run_main.h"

/* What a part errs, and what it tells. */
typedef struct part_error {
    double made, told;
} part_error;

static double complex weigh(const tn_tableau *t, const double *weight, const double complex *rate)
{
    double complex sum = 0.0;
    for (int j = 0; j <= t->last; j++)
        sum += weight[j] * rate[j];
    return sum;
}

static part_error take(const tn_tableau *t, double complex z)
{
    double complex rate[TN_RKMK_STAGES] = {0.0}, y = 1.0;
    for (int i = 0; i <= t->last; i++) {
        const double own = i > 0 ? t->gamma : 0.0;
        y = 1.0;
        for (int j = 0; j < i; j++)
            y += t->a[i][j] * rate[j];
        y /= 1.0 - own * z;
        rate[i] = z * y;
    }
    const double fine = cabs(weigh(t, t->error, rate)), coarse = cabs(weigh(t, t->coarse, rate));
    const double told = t->has_two_errors ? fine * fine / hypot(fine, 0.1 * coarse) : fine;
    return (part_error){cabs(y - cexp(z)), told};
}

typedef struct tableau_case {
    const tn_tableau *t;
    double order, told_order; /* powers of h of what a part errs, and of what it tells */
    double length;            /* of z, where rounding is far below both */
} tableau_case;
static const tableau_case cases[] = {
    {&tn_tableau_dormand_prince, 6.0, 5.0, 0.05},
    {&tn_tableau_order_8, 9.0, 8.0, 0.5},
    {&tn_tableau_kennedy_carpenter, 6.0, 5.0, 0.1},
};

START_TEST(errors_go_with_the_order)
{
    const tableau_case *c = &cases[_i];
    const double complex ways[] = {1.0, -1.0, I};
    ck_assert_double_eq(c->t->order, c->told_order);
    for (int k = 0; k < 3; k++) {
        const part_error whole = take(c->t, c->length * ways[k]),
                         half = take(c->t, 0.5 * c->length * ways[k]);
        ck_assert_double_eq_tol(log2(whole.made / half.made), c->order, 0.35);
        ck_assert_double_eq_tol(log2(whole.told / half.told), c->told_order, 0.35);
    }
}
END_TEST

/* Of what swings a part errs by less than it tells, by any method, at tolerances up to this. */
#define COARSEST 1e-3
START_TEST(a_swing_errs_by_less_than_is_told)
{
    const tableau_case *c = &cases[_i];
    part_error e = take(c->t, I * c->length);
    for (double z = c->length; e.told < COARSEST; z *= 1.1, e = take(c->t, I * z))
        ck_assert_double_lt(e.made, e.told);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("tableau");
    TCase *tcase = tcase_create("y' = z y");
    const int count = (int)(sizeof cases / sizeof *cases);
    tcase_add_loop_test(tcase, errors_go_with_the_order, 0, count);
    tcase_add_loop_test(tcase, a_swing_errs_by_less_than_is_told, 0, count);
    suite_add_tcase(suite, tcase);
    return suite;
}
