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

/* y_i of stages that are solved together, (1 - z a) y = what y holds, by elimination. */
static void solve_together(const tn_tableau *t, double complex z, double complex *y)
{
    double complex m[TN_RKMK_STAGES][TN_RKMK_STAGES];
    for (int i = 0; i <= t->last; i++) {
        for (int j = 0; j <= t->last; j++)
            m[i][j] = (i == j) - z * t->a[i][j];
    }
    for (int k = 0; k <= t->last; k++) {
        for (int i = 0; i <= t->last; i++) {
            const double complex share = m[i][k] / m[k][k];
            for (int j = k; j <= t->last && i != k; j++)
                m[i][j] -= share * m[k][j];
            y[i] -= i != k ? share * y[k] : 0.0;
        }
    }
    for (int i = 0; i <= t->last; i++)
        y[i] /= m[i][i];
}

/* What a part by such a method tells of its rates, smoothed by 1 - z L_ss. */
static double told_together(const tn_tableau *t, double complex z, const double complex *rate)
{
    return cabs(weigh(t, t->error, rate) / (1.0 - t->gamma * z));
}

static part_error take_together(const tn_tableau *t, double complex z)
{
    double complex y[TN_RKMK_STAGES], rate[TN_RKMK_STAGES] = {0.0};
    for (int i = 0; i <= t->last; i++)
        y[i] = 1.0;
    solve_together(t, z, y);
    for (int i = 0; i <= t->last; i++)
        rate[i] = z * y[i];
    return (part_error){cabs(y[t->last] - cexp(z)), told_together(t, z, rate)};
}

/* The same of y' = z (y - e^(iwt)) + iw e^(iwt), y = e^(iwt) (Prothero, Robinson): forced, and stiff. */
static part_error take_forced(const tn_tableau *t, double complex z, double w)
{
    double complex y[TN_RKMK_STAGES], rate[TN_RKMK_STAGES] = {0.0};
    for (int i = 0; i <= t->last; i++) {
        y[i] = 1.0;
        for (int j = 0; j <= t->last; j++)
            y[i] += t->a[i][j] * (I * w - z) * cexp(I * w * t->at[j]);
    }
    solve_together(t, z, y);
    for (int i = 0; i <= t->last; i++)
        rate[i] = z * (y[i] - cexp(I * w * t->at[i])) + I * w * cexp(I * w * t->at[i]);
    return (part_error){cabs(y[t->last] - cexp(I * w)), told_together(t, z, rate)};
}

/* Of a method whose stages are solved one after the other: its end, and their rates. */
static double complex take_stages(const tn_tableau *t, double complex z, double complex *rate)
{
    double complex y = 1.0;
    for (int i = 0; i <= t->last; i++) {
        const double own = i > 0 ? t->gamma : 0.0;
        y = 1.0;
        for (int j = 0; j < i; j++)
            y += t->a[i][j] * rate[j];
        y /= 1.0 - own * z;
        rate[i] = z * y;
    }
    return y;
}

/* The estimates by themselves and together. */
typedef struct two_estimates {
    double fine, coarse, told;
} two_estimates;

static two_estimates estimates_of(const tn_tableau *t, const double complex *rate)
{
    const double fine = cabs(weigh(t, t->error, rate)), coarse = cabs(weigh(t, t->coarse, rate));
    return (two_estimates){fine, coarse,
                           t->has_two_errors ? fine * fine / hypot(fine, 0.1 * coarse) : fine};
}

static part_error take(const tn_tableau *t, double complex z)
{
    double complex rate[TN_RKMK_STAGES] = {0.0};
    if (t->sweeps)
        return take_together(t, z);
    const double complex y = take_stages(t, z, rate);
    return (part_error){cabs(y - cexp(z)), estimates_of(t, rate).told};
}

typedef struct tableau_case {
    const tn_tableau *t;
    double order, told_order;   /* powers of h of what a part errs, and of what it tells */
    double length, told_length; /* of z, where rounding is far below both */
} tableau_case;
static const tableau_case cases[] = {
    {&tn_tableau_dormand_prince, 6.0, 5.0, 0.05, 0.05},
    {&tn_tableau_order_8, 9.0, 8.0, 0.5, 0.5},
    {&tn_tableau_kennedy_carpenter, 6.0, 5.0, 0.1, 0.1},
    {&tn_tableau_radau, 10.0, 6.0, 1.0, 0.5},
};

START_TEST(errors_go_with_the_order)
{
    const tableau_case *c = &cases[_i];
    const double complex ways[] = {1.0, -1.0, I};
    ck_assert_double_eq(c->t->order, c->told_order);
    for (int k = 0; k < 3; k++) {
        const double complex z = c->length * ways[k], told_z = c->told_length * ways[k];
        const double grown = cabs(cexp(0.5 * z)); /* by as much as the error */
        ck_assert_double_eq_tol(log2(take(c->t, z).made / take(c->t, 0.5 * z).made / grown),
                                c->order, 0.35);
        ck_assert_double_eq_tol(log2(take(c->t, told_z).told / take(c->t, 0.5 * told_z).told),
                                c->told_order, 0.35);
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

/* What tells rounding in a stage from what a motion errs: of each stage alone the finer estimate is a
 * larger share of the coarser one than that, of motions it is far less. */
START_TEST(estimates_tell_rounding_from_motion)
{
    const tn_tableau *t = &tn_tableau_order_8;
    for (int j = 0; j < t->last; j++) {
        ck_assert((t->error[j] != 0.0) == (t->coarse[j] != 0.0));
        ck_assert_double_ge(fabs(t->error[j]), 1.1 * TN_ALIKE * fabs(t->coarse[j]));
    }
    const double complex ways[] = {I, -1.0, 1.0, (I - 1.0) / sqrt(2.0)};
    for (int k = 0; k < 4; k++) {
        const double complex z = ways[k];
        two_estimates e = {.told = 0.0};
        for (double h = 0.3; e.told < 1e-5; h *= 1.1) {
            double complex rate[TN_RKMK_STAGES] = {0.0};
            take_stages(t, h * z, rate);
            e = estimates_of(t, rate);
            ck_assert_double_le(e.fine, 0.25 * TN_ALIKE * e.coarse);
        }
    }
}
END_TEST

/* Stages of collocation integrate powers to their own number exactly, and what is told is nothing
 * for rates of lower degree than that. */
START_TEST(collocation_integrates_powers)
{
    const tn_tableau *t = &tn_tableau_radau;
    for (int power = 0; power < t->last; power++) {
        double told = t->error[0] * (power == 0);
        for (int i = 1; i <= t->last; i++) {
            double sum = 0.0;
            for (int j = 1; j <= t->last; j++)
                sum += t->a[i][j] * pow(t->at[j], power);
            ck_assert_double_eq_tol(sum, pow(t->at[i], power + 1) / (power + 1), 1e-15);
            told += t->error[i] * pow(t->at[i], power);
        }
        ck_assert_double_eq_tol(told, 0.0, 1e-15);
    }
}
END_TEST

/* The sweeps' triangle: row by row L^-1 a is U, with ones and zeros before them. */
START_TEST(sweeps_go_by_a_factor)
{
    const tn_tableau *t = &tn_tableau_radau;
    double u[TN_RKMK_STAGES][TN_RKMK_STAGES];
    for (int i = 1; i <= t->last; i++) {
        for (int j = 1; j <= t->last; j++) {
            u[i][j] = t->a[i][j];
            for (int k = 1; k < i; k++)
                u[i][j] -= t->sweeps->by[i][k] * u[k][j];
            u[i][j] /= t->sweeps->by[i][i];
            ck_assert(i < j || fabs(u[i][j] - (i == j)) < 1e-14);
            ck_assert(i >= j || t->sweeps->by[i][j] == 0.0);
        }
    }
    ck_assert_double_eq(t->gamma, t->sweeps->by[t->last][t->last]);
}
END_TEST

/* What is made then is damped in the next part; as a share of what is told it has a bound. */
#define MADE_OF_FORCED 5.1
#define ROUNDING       1e-14
START_TEST(what_is_forced_errs_by_little_more_than_is_told)
{
    for (double z = 1e-3; z < 1e7; z *= 3.0) {
        for (double w = 0.05; w < 3.0; w *= 1.1) {
            const part_error e = take_forced(&tn_tableau_radau, -z, w),
                             swung = take_forced(&tn_tableau_radau, I * z, w);
            ck_assert_double_le(e.made, MADE_OF_FORCED * e.told + ROUNDING);
            ck_assert_double_le(swung.made, MADE_OF_FORCED * swung.told + ROUNDING);
        }
    }
}
END_TEST

/* Of what is far too fast for a part nothing is left, nor is it told for long. */
START_TEST(what_is_stiff_is_damped)
{
    const part_error e = take(&tn_tableau_radau, -1e6);
    ck_assert_double_lt(e.made, 1e-4);
    ck_assert_double_lt(e.told, 2.0);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("tableau");
    TCase *tcase = tcase_create("y' = z y");
    const int count = (int)(sizeof cases / sizeof *cases);
    tcase_add_loop_test(tcase, errors_go_with_the_order, 0, count);
    tcase_add_loop_test(tcase, a_swing_errs_by_less_than_is_told, 0, count);
    tcase_add_test(tcase, collocation_integrates_powers);
    tcase_add_test(tcase, estimates_tell_rounding_from_motion);
    tcase_add_test(tcase, sweeps_go_by_a_factor);
    tcase_add_test(tcase, what_is_forced_errs_by_little_more_than_is_told);
    tcase_add_test(tcase, what_is_stiff_is_damped);
    suite_add_tcase(suite, tcase);
    return suite;
}
