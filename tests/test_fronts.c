/* test_fronts.c: the kernels of dense rows (sparse/front/front.h) give, with every number of lanes, the bits of one number
 * after the other in the order that is promised, and touch nothing else.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "random_numbers.h"
#include "run_main.h"
#include "sparse/front/front.h"

enum { ROOM = 40000, ROWS = 14, COLUMNS = 150, WIDTHS = 3 };

static const tn_front_kernel *kernel_of(int width)
{
    return tn_front_kernel_of(2 << width);
}

static double *random_numbers(uint64_t *r, size_t n)
{
    double *x = malloc(n * sizeof *x);
    for (size_t k = 0; k < n; k++)
        x[k] = random_between(r, -1.0, 1.0);
    return x;
}

static int32_t pick(uint64_t *r, int32_t least, int32_t most)
{
    return least + (int32_t)(random_between(r, 0.0, 0.999999) * (most - least + 1));
}

/* ---- updates ---- */

static double *row_of(const tn_front_product *p, double *t, int32_t i)
{
    return p->row < 0 ? t + i * p->t_stride
                      : t + tn_upper(p->row + i, p->t_stride) - tn_upper(p->row, p->t_stride);
}

static void update_one_by_one(const tn_front_product *p, double *t)
{
    for (int32_t i = 0; i < p->rows; i++) {
        for (int32_t c = p->upper ? i : 0; c < p->columns; c++) {
            double sum = row_of(p, t, i)[c];
            for (int32_t l = 0; l < p->depth; l++) {
                const volatile double product =
                    p->w[l * p->w_stride + i] * p->u[l * p->u_stride + c];
                sum -= product;
            }
            row_of(p, t, i)[c] = sum;
        }
    }
}

/* Rows of pivots overlap what is before and behind them, and hold all columns of a front at most. */
static tn_front_product random_product(uint64_t *r)
{
    const bool pivots = pick(r, 0, 1) > 0;
    tn_front_product p = {.row = -1, .depth = pick(r, 1, TN_FRONT_DEPTH), .rows = pick(r, 1, ROWS)};
    p.upper = pick(r, 0, 1) > 0;
    p.columns = pick(r, p.upper ? p.rows : 1, pivots ? 2 * ROWS : COLUMNS);
    p.w_stride = p.rows + pick(r, 0, 9);
    p.u_stride = p.columns + pick(r, 0, 9);
    p.t_stride = p.columns + pick(r, 0, 9);
    if (pivots) {
        p.row = pick(r, 0, 7);
        p.t_stride = (p.row + p.rows + p.columns + 1) & ~1;
    }
    return p;
}

START_TEST(test_updates)
{
    uint64_t r = (uint64_t)_i + 1;
    double *start = random_numbers(&r, ROOM), *w = random_numbers(&r, ROOM);
    double *u = random_numbers(&r, ROOM), *expected = malloc(ROOM * sizeof(double));
    double *got = malloc(ROOM * sizeof(double));
    for (int trial = 0; trial < 300; trial++) {
        tn_front_product p = random_product(&r);
        /* as the front has it: own columns begin with the row's own, others behind all rows */
        const int32_t at = p.row < 0 ? pick(&r, 0, 9)
                           : p.upper ? tn_upper(p.row, p.t_stride) + p.row
                                     : tn_upper(p.row, p.t_stride) + p.row + p.rows;
        p.w = w;
        p.u = u;
        memcpy(expected, start, ROOM * sizeof(double));
        update_one_by_one(&p, expected + at);
        for (int width = 0; width < WIDTHS; width++) {
            memcpy(got, start, ROOM * sizeof(double));
            p.t = got + at;
            kernel_of(width)->update(&p);
            ck_assert_mem_eq(got, expected, ROOM * sizeof(double));
        }
    }
    free(start);
    free(w);
    free(u);
    free(expected);
    free(got);
}
END_TEST

/* ---- division ---- */

START_TEST(test_division)
{
    uint64_t r = (uint64_t)_i + 77;
    double *pivots = random_numbers(&r, ROOM), *start = random_numbers(&r, ROOM);
    double *v = malloc(ROOM * sizeof(double)), *w = malloc(ROOM * sizeof(double));
    double *got = malloc(ROOM * sizeof(double)), *unscaled = malloc(ROOM * sizeof(double));
    for (int trial = 0; trial < 60; trial++) {
        const int32_t depth = pick(&r, 1, TN_FRONT_DEPTH), s = (depth + 1) & ~1;
        const int32_t stride = tn_front_stride(pick(&r, 1, COLUMNS));
        memcpy(v, start, ROOM * sizeof(double));
        memset(w, 0, ROOM * sizeof(double));
        for (int32_t j = 0; j < depth; j++) {
            for (int32_t c = 0; c < stride; c++) {
                double sum = v[j * stride + c];
                for (int32_t i = 0; i < j; i++) {
                    const volatile double product = pivots[tn_upper(i, s) + j] * w[i * stride + c];
                    sum -= product;
                }
                w[j * stride + c] = sum;
                v[j * stride + c] = sum * pivots[tn_upper(j, s) + j];
            }
        }
        for (int width = 0; width < WIDTHS; width++) {
            memcpy(got, start, ROOM * sizeof(double));
            memset(unscaled, 0, ROOM * sizeof(double));
            kernel_of(width)->divide(pivots, depth, got, unscaled, stride);
            ck_assert_mem_eq(got, v, ROOM * sizeof(double));
            ck_assert_mem_eq(unscaled, w, ROOM * sizeof(double));
        }
    }
    free(pivots);
    free(start);
    free(v);
    free(w);
    free(got);
    free(unscaled);
}
END_TEST

/* ---- solves ---- */

/* Products of a row, in the order of eight lanes. */
static double add_up(const double *v, const double *y, int32_t stride)
{
    double lane[8] = {0.0};
    for (int32_t c = 0; c < stride; c++) {
        const volatile double product = v[c] * y[c];
        lane[c % 8] += product;
    }
    for (int32_t c = 0; c < 4; c++)
        lane[c] += lane[c + 4];
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

START_TEST(test_solves)
{
    uint64_t r = (uint64_t)_i + 177;
    double *v = random_numbers(&r, ROOM), *x = random_numbers(&r, TN_FRONT_DEPTH);
    double *start = random_numbers(&r, 2 * COLUMNS);
    double y[2 * COLUMNS], got[2 * COLUMNS], products[TN_FRONT_DEPTH];
    for (int trial = 0; trial < 100; trial++) {
        const int32_t depth = pick(&r, 1, TN_FRONT_DEPTH);
        const int32_t stride = tn_front_stride(pick(&r, 1, COLUMNS));
        memcpy(y, start, sizeof y);
        for (int32_t l = 0; l < depth; l++) {
            for (int32_t c = 0; c < stride; c++) {
                const volatile double product = x[l] * v[l * stride + c];
                y[c] -= product;
            }
        }
        for (int width = 0; width < WIDTHS; width++) {
            memcpy(got, start, sizeof got);
            kernel_of(width)->push(v, stride, depth, x, got, trial % 2 == 0 ? 0 : 64);
            ck_assert_mem_eq(got, y, sizeof y);
            kernel_of(width)->pull(v, stride, depth, got, products, trial % 2 == 0 ? 0 : 64);
            for (int32_t l = 0; l < depth; l++) {
                const double sum = add_up(v + l * stride, got, stride);
                ck_assert_mem_eq(&products[l], &sum, sizeof sum);
            }
        }
    }
    free(v);
    free(x);
    free(start);
}
END_TEST

/* Those that there are have the lanes they are asked for, at most. */
START_TEST(test_widths)
{
    ck_assert_int_eq(tn_front_kernel_of(2)->lanes, 2);
    ck_assert_int_le(tn_front_kernel_of(4)->lanes, 4);
    ck_assert_int_le(tn_front_kernel_of(8)->lanes, 8);
    ck_assert_int_ge(tn_front_kernel_of(8)->lanes, tn_front_kernel_of(4)->lanes);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("fronts");
    TCase *tests = tcase_create("beside one number after the other");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, test_updates, 0, 4);
    tcase_add_loop_test(tests, test_division, 0, 3);
    tcase_add_loop_test(tests, test_solves, 0, 3);
    tcase_add_test(tests, test_widths);
    suite_add_tcase(suite, tests);
    return suite;
}
