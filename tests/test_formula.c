/* Formulas of one variable: values and derivatives against mpmath, bounds against what they bound, bends against a walk in small
 * steps, areas against closed forms and fine panels. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/formula/formula.h"
#include "math/formula/ranges.h"
#include "support/random_numbers.h"
#include "support/run_main.h"

static tn_arena arena;

static void empty_arena(void)
{
    tn_arena_free(&arena);
}

static tn_formula make(const char *text)
{
    tn_formula f;
    tn_expression_problem problem;
    const tn_status status = tn_formula_make(text, &arena, &f, &problem);
    ck_assert_msg(status == TN_OK, "%s: %s", text, problem.message);
    return f;
}

static double value(const tn_formula *f, double x)
{
    double out[3];
    tn_formula_evaluate(f, x, out);
    return out[0];
}

static FILE *open_jets(void)
{
    FILE *file = fopen(TN_TEST_DATA "/formula_jets.txt", "r");
    ck_assert_ptr_nonnull(file);
    return file;
}

/* A line of the table; 0: there is none left. */
static int read_jet(FILE *file, char formula[300], double jet[4])
{
    char line[600];
    while (fgets(line, sizeof line, file)) {
        if (line[0] != '#' && sscanf(line, "%299[^;]; %lf; %lf; %lf; %lf", formula, &jet[0],
                                     &jet[1], &jet[2], &jet[3]) == 5)
            return 1;
    }
    return 0;
}

/* To 1e-12 of what is there: the worst of them loses three digits within itself. */
START_TEST(test_jets)
{
    char formula[300];
    double jet[4], out[3];
    int lines = 0;
    FILE *file = open_jets();
    for (; read_jet(file, formula, jet); lines++) {
        const tn_formula f = make(formula);
        tn_formula_evaluate(&f, jet[0], out);
        for (int k = 0; k < 3; k++) {
            const double size = 1.0 + fabs(jet[1]) + fabs(jet[2]) + fabs(jet[3]);
            ck_assert_msg(fabs(out[k] - jet[1 + k]) <= 1e-12 * size,
                          "%s at %.17g, derivative %d: %.17g, not %.17g", formula, jet[0], k,
                          out[k], jet[1 + k]);
        }
        empty_arena();
    }
    fclose(file);
    ck_assert_int_ge(lines, 1400);
}
END_TEST

/* Every operation of the list stands in the table. */
START_TEST(test_all_operations_are_tried)
{
    bool tried[TN_TAPE_OP_COUNT] = {[TN_TAPE_NONE] = true};
    char formula[300];
    double jet[4];
    FILE *file = open_jets();
    while (read_jet(file, formula, jet)) {
        const tn_formula f = make(formula);
        for (int32_t k = 0; k < f.count; k++)
            tried[f.steps[k].op] = true;
        empty_arena();
    }
    fclose(file);
    for (int op = 0; op < TN_TAPE_OP_COUNT; op++)
        ck_assert_msg(tried[op], "operation %d", op);
}
END_TEST

/* The second double of a place changes the value by the slope, of the value nothing is lost. */
START_TEST(test_two_doubles)
{
    char formula[300];
    double jet[4];
    FILE *file = open_jets();
    while (read_jet(file, formula, jet)) {
        const tn_formula f = make(formula);
        const tn_dd x = {jet[0], 1e-17 * jet[0]}, got = tn_formula_value(&f, x);
        const double size = 1.0 + fabs(jet[1]) + fabs(jet[2]) + fabs(jet[3]);
        ck_assert_msg(fabs((got.hi - jet[1]) + got.lo - x.lo * jet[2]) <= 1e-12 * size,
                      "%s at %.17g: %.17g", formula, jet[0], got.hi);
        empty_arena();
    }
    fclose(file);
    /* as exact as a polynomial: a million turns to 1e-22 of a turn */
    const tn_formula f = make("6283185.3 + 300*x + 0.25*x^2");
    for (double hi = 1.7; hi < 1900.0; hi += 31.3) {
        const tn_dd x = {hi, 1e-17 * hi}, got = tn_formula_value(&f, x);
        const long double y = (long double)x.hi + (long double)x.lo;
        const long double wanted = 6283185.3 + y * (300.0L + y * 0.25L);
        ck_assert_double_le(fabs((double)(wanted - got.hi) - got.lo), 6e-12);
    }
}
END_TEST

static bool is_in(tn_range r, double v)
{
    return isnan(v) || (r.lo <= v && v <= r.hi);
}

/* At 40 places of 6 pieces each, of every step, value and slope are where they are said to be. */
START_TEST(test_bounds_hold)
{
    char formula[300], last[300] = "";
    double jet[4];
    uint64_t seed = 11;
    FILE *file = open_jets();
    while (read_jet(file, formula, jet)) {
        if (strcmp(last, formula) == 0)
            continue;
        strcpy(last, formula);
        const tn_formula f = make(formula);
        for (int n = 0; n < 6; n++) {
            const double from = random_between(&seed, -3.0, 3.0),
                         width = random_between(&seed, 0.0, n + 0.01);
            tn_spread spreads[TN_TAPE_STEPS];
            tn_jet jets[TN_TAPE_STEPS];
            tn_formula_spreads(&f, (tn_range){from, from + width * width}, spreads);
            for (int k = 0; k <= 40; k++) {
                tn_formula_jets(&f, f.all,
                                fmin(from + k * width * width / 40.0, from + width * width), jets);
                for (int32_t s = 0; s < f.all; s++) {
                    ck_assert_msg(is_in(spreads[s].v, jets[s].v) && is_in(spreads[s].d, jets[s].d),
                                  "%s: step %d of operation %d from %.17g", formula, (int)s,
                                  (int)f.steps[s].op, from);
                }
            }
        }
        empty_arena();
    }
    fclose(file);
}
END_TEST

/* Between one place and the next, values and slopes follow the derivatives: no bend lies between. */
static bool is_smooth(const tn_formula *f, double from, double to)
{
    enum { STEPS = 400 };
    double before[3], now[3];
    const double h = (to - from) / STEPS;
    tn_formula_evaluate(f, from, before);
    for (int k = 1; k <= STEPS; k++) {
        const double x = k == STEPS ? to : from + k * h;
        tn_formula_evaluate(f, x, now);
        const double bend = fabs(before[2]) + fabs(now[2]) + 1.0;
        if (fabs(now[0] - before[0] - 0.5 * h * (before[1] + now[1])) > 2.0 * h * h * bend + 1e-9 ||
            fabs(now[1] - before[1]) > 4.0 * h * bend + 1e-9)
            return false;
        memcpy(before, now, sizeof now);
    }
    return true;
}

static const char *const bent[] = {
    "x < 1 ? 0 : 5",
    "x <= 1 ? 0 : 5",
    "x > 0.3001 && x < 0.3011 ? 1000 : 0",
    "abs(sin(3*x))",
    "max(0, x - 2)*(x - 2)",
    "min(x, 2, 3 - x)",
    "floor(1.7*x)",
    "ceil(x) - round(2*x)",
    "(x % 0.7) < 0.2 ? 3 : x",
    "sign(x - 1.2)*sqrt(abs(x - 1.2) + 1)",
    "sin(x^2) > 0.5 ? 1 : -1",
    "exp(-x)*(cos(7*x) > 0.9 ? 1 : 0)",
    "x^3 - 6*x^2 + 11*x - 6 > 0 ? x : -x",
    "max(x^2, 2*x - 1) + max(x^2, 4*x - 3)",
    "atan2(sin(x), cos(x))",
    "hypot(x - 1, 0*x)",
    "sqrt((x - 1)^2 + 1e-3) < 0.2 ? 1 : 0",
    "!(x < 1) && !(x > 2) || x > 3 ? x^2 : 0",
    "floor(x) == 2 ? 1 : 0",
    "min(abs(x - 1), abs(x - 2), abs(x - 3))",
    "tanh(50*(x - 1)) > 0 ? 1 : 0",
    "x*x - 2*x*x + x*x < x - 1 ? 1 : 2",
};

START_TEST(test_bends)
{
    const tn_formula f = make(bent[_i]);
    double x = -0.5, back[2000];
    int count = 0;
    ck_assert(f.bend_count > 0);
    for (double next = x; x < 4.0; x = next) {
        next = tn_formula_next_bend(&f, x, 4.0);
        next = fmin(next, 4.0);
        ck_assert_double_gt(next, x);
        ck_assert_int_lt(count, 100);
        back[count++] = next;
        if (next - x > 1e-9)
            ck_assert_msg(
                is_smooth(&f, x + 1e-12 * (1.0 + fabs(x)), next - 1e-12 * (1.0 + fabs(next))),
                "%s between %.17g and %.17g", bent[_i], x, next);
    }
    /* the same ones from the other side */
    for (int k = count - 2; k >= 0; k--) {
        const double middle = 0.5 * (back[k] + back[k + 1]);
        if (back[k + 1] - back[k] > 1e-9)
            ck_assert_double_eq_tol(tn_formula_last_bend(&f, middle, -0.5), back[k],
                                    1e-12 * (1.0 + fabs(back[k])));
    }
}
END_TEST

/* Where it is written is where it is. */
START_TEST(test_bends_are_exact)
{
    const tn_formula f = make("x < 0.3 ? 1 : x < 0.7 ? 2 : 3"), g = make("exp(x) > 2 ? 1 : 0");
    const tn_formula h = make("sin(x) + x^3"), n = make("floor(x/0.1)"),
                     far = make("max(0, x - 4e8)");
    ck_assert_double_eq(tn_formula_next_bend(&f, -1.0, INFINITY), 0.3);
    ck_assert_double_eq(tn_formula_next_bend(&f, 0.3, INFINITY), 0.7);
    ck_assert(isinf(tn_formula_next_bend(&f, 0.7, INFINITY)));
    ck_assert_double_eq(tn_formula_last_bend(&f, 0.7, -INFINITY), 0.7);
    ck_assert_double_eq(tn_formula_last_bend(&f, 0.6, -INFINITY), 0.3);
    ck_assert(isinf(tn_formula_last_bend(&f, 0.2, -INFINITY)));
    ck_assert_double_eq_tol(tn_formula_next_bend(&f, -INFINITY, INFINITY), 0.3, 1e-15);
    ck_assert_double_eq_tol(tn_formula_last_bend(&f, INFINITY, -INFINITY), 0.7, 1e-15);
    const double two = tn_formula_next_bend(&g, 0.0, 5.0);
    ck_assert_double_eq_tol(two, log(2.0), 4e-16);
    ck_assert_double_eq(value(&g, two), 1.0);
    ck_assert_double_eq(value(&g, nextafter(two, 0.0)), 0.0);
    ck_assert_int_eq(h.bend_count, 0);
    ck_assert(isinf(tn_formula_next_bend(&h, 0.0, INFINITY)));
    for (int k = 1; k < 100; k++)
        ck_assert_double_eq_tol(tn_formula_next_bend(&n, 0.1 * (k - 0.5), INFINITY), 0.1 * k,
                                1e-14);
    ck_assert_double_eq_tol(tn_formula_next_bend(&far, 0.0, INFINITY), 4e8, 1e-6);
}
END_TEST

/* A pulse of any width, wherever it is, is seen from far away. */
START_TEST(test_no_pulse_is_missed)
{
    uint64_t seed = 3;
    for (int n = 0; n < 300; n++) {
        char text[200];
        const double at = random_between(&seed, 0.0, 100.0),
                     width = pow(10.0, random_between(&seed, -9.0, 0.0));
        snprintf(text, sizeof text,
                 n % 2 ? "abs(x - %.17g) < %.17g ? 1 : 0" : "(x - %.17g)^2 < %.17g^2 ? 1 : 0", at,
                 width);
        const tn_formula f = make(text);
        const double first = tn_formula_next_bend(&f, 0.0, 100.0);
        ck_assert_double_le(first, at + 1e-9);
        const double from = tn_formula_next_bend(&f, fmax(at - 1.5 * width, 0.0), INFINITY);
        if (at > 1.5 * width)
            ck_assert_double_eq_tol(from, at - width, 1e-13 * (1.0 + at));
    }
}
END_TEST

START_TEST(test_jumps)
{
    static const struct {
        const char *text;
        double at; /* NaN: none */
    } all[] = {{"x < 1 ? 0 : 5", 1.0},
               {"x < 1 ? x^2/2 : x - 0.5", NAN},
               {"x < 1 ? 0 : x < 2 ? sin(pi*x) : 0", NAN},
               {"floor(x)", 1.0},
               {"x % 2", 2.0},
               {"abs((x % 2) - 1)", NAN},
               {"sign(x - 3)*(x - 3)", NAN},
               {"x > -2 ? 0 : 1", -2.0},
               {"atan2(sin(x), cos(x))", 3.141592653589793}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const tn_formula f = make(all[k].text);
        const double of_time = tn_formula_jump(&f, 0.0), of_way = tn_formula_jump(&f, -INFINITY);
        if (isnan(all[k].at)) {
            ck_assert_msg(isnan(of_time) && isnan(of_way), "%s at %g, %g", all[k].text, of_time,
                          of_way);
        } else if (all[k].at > 0.0) {
            ck_assert_double_eq_tol(of_time, all[k].at, 1e-12);
        } else {
            ck_assert(isnan(of_time));
            ck_assert_double_eq_tol(of_way, all[k].at, 1e-12);
        }
    }
}
END_TEST

static double power_law(double x)
{
    return 50.0 * x * x + 1250.0 * x * x * x * x;
}

static double of_size(double x)
{
    return 0.5 * x * fabs(x);
}

static double logistic(double x)
{
    return log(1.0 + exp(4.0 * x)) / 4.0 - log(2.0) / 4.0;
}

static double of_sine(double x)
{
    return (1.0 - cos(30.0 * x)) / 30.0;
}

static double stop(double x)
{
    return x > 0.1 ? 500.0 * (x - 0.1) * (x - 0.1) : x < -0.2 ? 500.0 * (x + 0.2) * (x + 0.2) : 0.0;
}

static double hertz(double x)
{
    return x > 0.0 ? 400.0 * pow(x, 2.5) : 0.0;
}

/* Of two springs that draw a mass across: its formula cancels near 0, the closed form here does not. */
static double across(double x)
{
    const double root = sqrt(1.0 + x * x), longer = x * x / (root + 1.0);
    return 0.5 * longer * longer;
}

static double of_root(double x)
{
    return x / 2.0 * sqrt(1.0 + x * x) + asinh(x) / 2.0;
}

START_TEST(test_areas)
{
    static const struct {
        const char *text;
        double (*area)(double x);
    } all[] = {{"100*x + 5000*x^3", power_law},
               {"abs(x)", of_size},
               {"1/(1 + exp(-4*x))", logistic},
               {"sin(30*x)", of_sine},
               {"1000*max(0, x - 0.1) + 1000*min(0, x + 0.2)", stop},
               {"sqrt(1 + x^2)", of_root},
               {"1000*max(0, x)^1.5", hertz},
               {"x*(1 - 1/sqrt(1 + x^2))", across}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const tn_formula f = make(all[k].text);
        for (double x = -2.0; x < 2.01; x += 0.173) {
            const double wanted = all[k].area(x);
            ck_assert_double_eq_tol(tn_formula_area(&f, x), wanted, 4e-15 * (1.0 + fabs(wanted)));
        }
    }
}
END_TEST

START_TEST(test_shift)
{
    static const char *const all[] = {"10*sin(4*pi*t)*exp(-t)", "t < 1 ? t^2 : 2*t - 1", "t", "3",
                                      "max(t, 2)"};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        char text[200];
        ck_assert(tn_formula_shift(all[k], 0.35, text, sizeof text));
        const tn_formula f = make(all[k]), g = make(text);
        for (double x = 0.0; x < 3.0; x += 0.1)
            ck_assert_double_eq_tol(value(&g, x), value(&f, x + 0.35), 1e-14);
        ck_assert(!tn_formula_shift(all[k], 0.35, text, strlen(all[k])));
    }
}
END_TEST

START_TEST(test_refused)
{
    static const char *const bad[] = {"",
                                      "x +",
                                      "sin(x",
                                      "foo(x)",
                                      "x == 1 ? 0 : 1",
                                      "[x, 1].x",
                                      "norm([1, x])",
                                      "[1, 2]",
                                      "1/0 + x",
                                      "y",
                                      "x y",
                                      "turn([1, 0], x).x",
                                      "sqrt(-1)*x",
                                      "x ? [1, 2] : [2, 1]"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        tn_expression_problem problem;
        ck_assert_msg(tn_formula_problem(bad[k], '\0', &problem) != NULL, "%s", bad[k]);
        ck_assert_msg(problem.message[0] != '\0', "%s", bad[k]);
    }
    tn_expression_problem problem;
    ck_assert(tn_formula_problem("5*x", 't', &problem) != NULL);
    ck_assert_str_eq(problem.message, "its variable is 't' here");
    ck_assert(tn_formula_problem("5*t", 't', &problem) == NULL);
    /* too long */
    char text[4000] = "x";
    for (int k = 0; k < 300; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "+sin(%d*x)", k);
    ck_assert(tn_formula_problem(text, '\0', &problem) != NULL);
}
END_TEST

/* What has no value is none, and is not passed over by a comparison. */
START_TEST(test_no_value)
{
    static const char *const none[] = {"ln(x - 2)",
                                       "ln(x - 2) < 1 ? 0 : 5",
                                       "min(sqrt(x - 2), 5)",
                                       "max(5, sqrt(x - 2))",
                                       "sqrt(x - 2) > 0 && x > 0 ? 1 : 0",
                                       "asin(x + 3)",
                                       "sign(ln(x - 2))"};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        const tn_formula f = make(none[k]);
        ck_assert_msg(isnan(value(&f, 1.0)), "%s", none[k]);
    }
    const tn_formula f = make("x > 2 ? ln(x - 2) : 0"), g = make("x < 0 || sqrt(x) > 1 ? 7 : 8");
    ck_assert_double_eq(value(&f, 1.0), 0.0); /* the way not taken may have none */
    ck_assert_double_eq(value(&g, -1.0), 7.0);
}
END_TEST

Suite *make_suite(void)
{
    TCase *tcase = tcase_create("formula");
    tcase_set_timeout(tcase, 120);
    tcase_add_checked_fixture(tcase, NULL, empty_arena);
    tcase_add_test(tcase, test_jets);
    tcase_add_test(tcase, test_all_operations_are_tried);
    tcase_add_test(tcase, test_two_doubles);
    tcase_add_test(tcase, test_bounds_hold);
    tcase_add_loop_test(tcase, test_bends, 0, (int)(sizeof bent / sizeof *bent));
    tcase_add_test(tcase, test_bends_are_exact);
    tcase_add_test(tcase, test_no_pulse_is_missed);
    tcase_add_test(tcase, test_jumps);
    tcase_add_test(tcase, test_areas);
    tcase_add_test(tcase, test_shift);
    tcase_add_test(tcase, test_refused);
    tcase_add_test(tcase, test_no_value);
    Suite *suite = suite_create("formula");
    suite_add_tcase(suite, tcase);
    return suite;
}
