/* test_study_design.c: designs of studies against what defines them, quantiles against erfc, summaries against
 * closed forms, the file against the table.
 */
#include <check.h>
#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/study.h"
#include "support/run_main.h"
#include "tenon/io.h"

static tn_study random_study(tn_sampling sampling, int32_t samples, uint64_t seed)
{
    return (tn_study){.sampling = sampling, .samples = samples, .seed = seed};
}

/* ---- designs ---- */

/* Each of n equal parts of (0, 1) has one sample, on every axis. */
static void check_one_each(const tn_study *study, int32_t axis, int32_t first, int32_t n)
{
    char *met = calloc((size_t)n, 1);
    for (int32_t i = 0; i < n; i++) {
        const double u = tn_study_draw(study, axis, first + i);
        ck_assert_double_gt(u, 0.0);
        ck_assert_double_lt(u, 1.0);
        const int32_t part = (int32_t)(u * n);
        ck_assert_int_eq(met[part], 0);
        met[part] = 1;
    }
    free(met);
}

START_TEST(test_latin_hypercube)
{
    static const int32_t sizes[] = {1, 2, 3, 5, 64, 100, 1000, 4097};
    for (size_t k = 0; k < TN_COUNT_OF(sizes); k++) {
        const tn_study study = random_study(TN_SAMPLING_LATIN_HYPERCUBE, sizes[k], 7);
        for (int32_t axis = 0; axis < 9; axis++)
            check_one_each(&study, axis, 0, sizes[k]);
    }
}
END_TEST

/* Sobol's axes are (0, 1)-sequences each: any aligned 2^k points, shifted or not. */
START_TEST(test_sobol_axes)
{
    const tn_study study = random_study(TN_SAMPLING_SOBOL, 4096, 3);
    for (int32_t axis = 0; axis < TN_SOBOL_AXES; axis++)
        for (int32_t n = 1; n <= 1024; n *= 4)
            check_one_each(&study, axis, 3 * n, n);
}
END_TEST

/* The first points of Joe and Kuo's program for their table, in the order of the numbers (theirs is by
 * Gray code: point i here is theirs at i ^ i >> 1). */
START_TEST(test_sobol_points)
{
    static const double points[8][3] = {{0, 0, 0},
                                        {0.5, 0.5, 0.5},
                                        {0.75, 0.25, 0.25},
                                        {0.25, 0.75, 0.75},
                                        {0.375, 0.375, 0.625},
                                        {0.875, 0.875, 0.125},
                                        {0.625, 0.125, 0.875},
                                        {0.125, 0.625, 0.375}};
    for (uint32_t i = 0; i < 8; i++)
        for (int32_t axis = 0; axis < 3; axis++)
            ck_assert_double_eq(tn_sobol(axis, i ^ (i >> 1)) * 0x1p-32, points[i][axis]);
}
END_TEST

/* Two axes of the first 16 points: pairs of axes 0, 1 fill every 4 x 4 box (t = 0). */
START_TEST(test_sobol_pair)
{
    int met[16] = {0};
    for (uint32_t i = 0; i < 16; i++)
        met[(tn_sobol(0, i) >> 30) * 4 + (tn_sobol(1, i) >> 30)]++;
    for (int k = 0; k < 16; k++)
        ck_assert_int_eq(met[k], 1);
}
END_TEST

/* Moments of what is random, and that axes and seeds have nothing to do with each other. */
START_TEST(test_random)
{
    enum { N = 20000 };
    const tn_study one = random_study(TN_SAMPLING_RANDOM, N, 1);
    const tn_study other = random_study(TN_SAMPLING_RANDOM, N, 2);
    double mean = 0.0, square = 0.0, axes = 0.0, seeds = 0.0, next = 0.0;
    for (int32_t i = 0; i < N; i++) {
        const double u = tn_study_draw(&one, 0, i) - 0.5;
        mean += u / N;
        square += u * u / N;
        axes += u * (tn_study_draw(&one, 1, i) - 0.5) / N;
        seeds += u * (tn_study_draw(&other, 0, i) - 0.5) / N;
        next += u * (tn_study_draw(&one, 0, i + 1) - 0.5) / N;
    }
    const double sigma = 1.0 / sqrt(12.0 * N); /* of the mean; of products 1/12/sqrt(N) */
    ck_assert_double_lt(fabs(mean), 4 * sigma);
    ck_assert_double_lt(fabs(square - 1.0 / 12.0), 4 * sqrt(1.0 / 180.0 / N));
    ck_assert_double_lt(fabs(axes), 4.0 / 12.0 / sqrt(N));
    ck_assert_double_lt(fabs(seeds), 4.0 / 12.0 / sqrt(N));
    ck_assert_double_lt(fabs(next), 4.0 / 12.0 / sqrt(N));
}
END_TEST

/* ---- distributions ---- */

START_TEST(test_normal)
{
    const tn_varied normal = {.way = TN_WAY_NORMAL,
                              .mean = 0.0,
                              .deviation = 1.0,
                              .from = -(double)INFINITY,
                              .to = (double)INFINITY};
    for (double u = 1e-300; u < 1.0; u = u < 1e-3 ? u * 31.0 : u + 1.7e-3) {
        const double x = tn_varied_quantile(&normal, u);
        ck_assert_double_lt(fabs(0.5 * erfc(-x / sqrt(2.0)) - u), 2e-14 * u * (1.0 + x * x));
    }
    ck_assert_double_eq(tn_varied_quantile(&normal, 0.5), 0.0);
    ck_assert_double_eq_tol(tn_varied_quantile(&normal, 0.975), 1.9599639845400542355, 1e-15);
}
END_TEST

START_TEST(test_cut_normal)
{
    const tn_varied cut = {
        .way = TN_WAY_NORMAL, .mean = 3.0, .deviation = 2.0, .from = 2.0, .to = 7.0};
    const double low = 0.5 * erfc(0.5 / sqrt(2.0)), high = 0.5 * erfc(-2.0 / sqrt(2.0));
    for (double u = 0.001; u < 1.0; u += 0.001) {
        const double x = tn_varied_quantile(&cut, u);
        ck_assert(x >= 2.0 && x <= 7.0);
        const double share = 0.5 * erfc(-(x - 3.0) / 2.0 / sqrt(2.0));
        ck_assert_double_eq_tol((share - low) / (high - low), u, 1e-13);
    }
}
END_TEST

START_TEST(test_table_and_uniform)
{
    double values[] = {5.0, 1.0, 3.0}, weights[] = {0.25, 0.25, 1.0};
    const tn_varied table = {.way = TN_WAY_TABLE, .values = values, .weights = weights, .count = 3};
    int met[3] = {0};
    for (int i = 0; i < 1000; i++) {
        const double v = tn_varied_quantile(&table, (i + 0.5) / 1000.0);
        for (int k = 0; k < 3; k++)
            met[k] += v == values[k];
    }
    ck_assert_int_eq(met[0], 250);
    ck_assert_int_eq(met[1], 0); /* of weight 0 */
    ck_assert_int_eq(met[2], 750);
    const tn_varied uniform = {.way = TN_WAY_UNIFORM, .from = -1.0, .to = 3.0};
    ck_assert_double_eq(tn_varied_quantile(&uniform, 0.25), 0.0);
}
END_TEST

/* ---- summaries ---- */

/* y = 3 x and z = x^3 over a uniform x, w unrelated, a failed case in between. */
START_TEST(test_summary)
{
    enum { N = 101 };
    tn_varied varied[2] = {
        {.name = "x", .way = TN_WAY_RANGE, .from = -1.0, .to = 1.0, .count = N, .axis = -1},
        {.name = "one", .way = TN_WAY_RANGE, .from = 1.0, .to = 1.0, .count = 1, .axis = -1}};
    tn_kept kept[2] = {{.name = "y"}, {.name = "z"}};
    const tn_study study = {.varied = varied,
                            .varied_count = 2,
                            .samples = 1,
                            .case_count = N,
                            .kept = kept,
                            .kept_count = 2};
    double results[N][2];
    int32_t status[N] = {0};
    const char *messages[N] = {NULL};
    for (int i = 0; i < N; i++) {
        double x[2];
        tn_study_values(&study, i, x);
        ck_assert_double_eq_tol(x[0], -1.0 + 0.02 * i, 1e-15);
        results[i][0] = 3.0 * x[0];
        results[i][1] = x[0] * x[0] * x[0];
    }
    const tn_study_table table = {&study, results[0], status, messages};
    tn_study_summary s;
    tn_study_sensitivity r;
    ck_assert_int_eq(tn_study_summarize(&table, 0, &s), TN_OK);
    ck_assert_int_eq(s.count, N);
    ck_assert_double_eq_tol(s.mean, 0.0, 1e-14);
    ck_assert_double_eq_tol(s.median, 0.0, 1e-15);
    ck_assert_double_eq_tol(s.low, -2.7, 1e-14);
    ck_assert_double_eq_tol(s.high, 2.7, 1e-14);
    ck_assert_double_eq_tol(s.deviation, 0.06 * sqrt(N * (N + 1) / 12.0),
                            1e-13); /* of 0, 1, 2, ... */
    ck_assert_int_eq(tn_study_sensitivity_of(&table, 0, 0, &r), TN_OK);
    ck_assert_double_eq_tol(r.linear, 1.0, 1e-14);
    tn_study_sensitivity_of(&table, 1, 0, &r);
    ck_assert_double_eq_tol(r.rank, 1.0, 1e-14);
    ck_assert_double_eq_tol(r.linear, sqrt(21.0) / 5.0, 1e-3); /* of x and x^3, many points */
    tn_study_sensitivity_of(&table, 0, 1, &r);
    ck_assert(isnan(r.rank) && isnan(r.linear));
    status[0] = TN_ERROR_CONFLICT;
    tn_study_summarize(&table, 0, &s);
    ck_assert_int_eq(s.count, N - 1);
    ck_assert_double_eq_tol(s.min, -2.94, 1e-14);
}
END_TEST

/* ---- Sobol's indices ---- */

static void read_numbers(hid_t file, const char *path, hid_t type, void *out, hsize_t expected)
{
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT), space = H5Dget_space(set);
    ck_assert_int_eq(H5Sget_simple_extent_npoints(space), (hssize_t)expected);
    ck_assert_int_ge(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out), 0);
    H5Sclose(space);
    H5Dclose(set);
}

#define MOST_AXES 6

typedef double (*function_of)(const double *x, int32_t count);

/* Ishigami and Homma (1990), a = 7, b = 0.1, of x in -pi .. pi. */
static double ishigami(const double *x, int32_t count)
{
    ck_assert_int_eq(count, 3);
    return sin(x[0]) + 7.0 * sin(x[1]) * sin(x[1]) + 0.1 * pow(x[2], 4) * sin(x[0]);
}

/* Sobol's g (1993), of x in 0 .. 1. */
static const double g_a[MOST_AXES] = {0.0, 0.5, 3.0, 9.0, 99.0, 99.0};
static double g_function(const double *x, int32_t count)
{
    double product = 1.0;
    for (int32_t i = 0; i < count; i++)
        product *= (fabs(4.0 * x[i] - 2.0) + g_a[i]) / (1.0 + g_a[i]);
    return product;
}

/* What the file has of them. */
static void check_file(const tn_study_table *table, int32_t axes, const tn_study_indices *of)
{
    double first[MOST_AXES], total_error[MOST_AXES];
    ck_assert_int_eq(tn_study_write(table, TN_TEST_OUTPUT "/indices.h5", NULL), TN_OK);
    const hid_t file = H5Fopen(TN_TEST_OUTPUT "/indices.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    read_numbers(file, "indices/first", H5T_NATIVE_DOUBLE, first, (hsize_t)axes);
    read_numbers(file, "indices/total_error", H5T_NATIVE_DOUBLE, total_error, (hsize_t)axes);
    for (int32_t i = 0; i < axes; i++) {
        ck_assert_double_eq(first[i], of[i].first);
        ck_assert_double_eq(total_error[i], of[i].total_error);
    }
    H5Fclose(file);
}

/* All cases of a study of `axes` uniform parameters, and the indices of its only result. Every
 * `failing`-th case fails (0: none). */
static void indices_of(function_of f, int32_t axes, double from, double to, tn_sampling sampling,
                       int32_t samples, int64_t failing, tn_study_indices *out)
{
    tn_varied varied[MOST_AXES];
    for (int32_t i = 0; i < axes; i++)
        varied[i] =
            (tn_varied){.way = TN_WAY_UNIFORM, .from = from, .to = to, .axis = i, .unit = "1"};
    tn_kept kept = {.name = "f", .unit = "1"};
    const int64_t cases = (int64_t)samples * (axes + 2);
    const tn_study study = {.path = "i.yaml",
                            .model_path = "f.yaml",
                            .varied = varied,
                            .varied_count = axes,
                            .axes = axes,
                            .samples = samples,
                            .sampling = sampling,
                            .seed = 5,
                            .indices = true,
                            .case_count = cases,
                            .kept = &kept,
                            .kept_count = 1};
    double *results = calloc((size_t)cases, sizeof *results);
    int32_t *status = calloc((size_t)cases, sizeof *status);
    for (int64_t i = 0; i < cases; i++) {
        double x[MOST_AXES];
        tn_study_values(&study, i, x);
        results[i] = f(x, axes);
        status[i] = failing > 0 && i % failing == 0 ? TN_ERROR_CONFLICT : TN_OK;
        if (status[i] != TN_OK)
            results[i] = NAN;
    }
    const char **messages = calloc((size_t)cases, sizeof *messages);
    const tn_study_table table = {&study, results, status, messages};
    for (int32_t i = 0; i < axes; i++)
        ck_assert_int_eq(tn_study_indices_of(&table, 0, i, &out[i]), TN_OK);
    ck_assert_int_eq(tn_study_indices_of(&table, 1, 0, &out[0]), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_study_indices_of(&table, 0, 0, &out[0]), TN_OK);
    check_file(&table, axes, out);
    free(messages);
    free(results);
    free(status);
}

static const double ishigami_first[] = {0.313905, 0.442411, 0.0},
                    ishigami_total[] = {0.557589, 0.442411, 0.243684};

START_TEST(test_indices_of_ishigami)
{
    tn_study_indices is[MOST_AXES];
    const double pi = acos(-1.0);
    indices_of(ishigami, 3, -pi, pi, TN_SAMPLING_SOBOL, 8192, 0, is);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_eq_tol(is[i].first, ishigami_first[i], 2e-3);
        ck_assert_double_eq_tol(is[i].total, ishigami_total[i], 2e-3);
    }
    /* by chance: what the standard errors say, and those fall as 1 / sqrt(N) */
    tn_study_indices more[MOST_AXES];
    indices_of(ishigami, 3, -pi, pi, TN_SAMPLING_RANDOM, 4000, 0, is);
    indices_of(ishigami, 3, -pi, pi, TN_SAMPLING_RANDOM, 16000, 0, more);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_le(fabs(is[i].first - ishigami_first[i]), 4.0 * is[i].first_error);
        ck_assert_double_le(fabs(is[i].total - ishigami_total[i]), 4.0 * is[i].total_error);
        ck_assert_double_eq_tol(more[i].first_error / is[i].first_error, 0.5, 0.05);
        ck_assert_double_eq_tol(more[i].total_error / is[i].total_error, 0.5, 0.05);
    }
    /* a fifth of the cases missing: still those */
    indices_of(ishigami, 3, -pi, pi, TN_SAMPLING_RANDOM, 4001, 5, is);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_le(fabs(is[i].first - ishigami_first[i]), 4.0 * is[i].first_error);
        ck_assert_double_le(fabs(is[i].total - ishigami_total[i]), 4.0 * is[i].total_error);
    }
}
END_TEST

/* V_i = 1 / 3 (1 + a_i)^2, V + 1 = product of 1 + V_i, T_i = V_i / (1 + V_i) (V + 1) / V. */
START_TEST(test_indices_of_g)
{
    static const tn_sampling samplings[] = {TN_SAMPLING_SOBOL, TN_SAMPLING_LATIN_HYPERCUBE};
    for (size_t k = 0; k < TN_COUNT_OF(samplings); k++) {
        tn_study_indices is[MOST_AXES];
        indices_of(g_function, MOST_AXES, 0.0, 1.0, samplings[k], 8192, 0, is);
        double product = 1.0;
        for (int i = 0; i < MOST_AXES; i++)
            product *= 1.0 + 1.0 / (3.0 * (1.0 + g_a[i]) * (1.0 + g_a[i]));
        for (int i = 0; i < MOST_AXES; i++) {
            const double v = 1.0 / (3.0 * (1.0 + g_a[i]) * (1.0 + g_a[i]));
            const double first = v / (product - 1.0),
                         total = v / (1.0 + v) * product / (product - 1.0);
            const double bound = samplings[k] == TN_SAMPLING_SOBOL ? 4e-3 : 4e-2;
            ck_assert_double_eq_tol(is[i].first, first, bound);
            ck_assert_double_eq_tol(is[i].total, total, bound);
        }
    }
}
END_TEST

START_TEST(test_indices_are_refused)
{
    tn_study_indices out;
    const tn_study study = {.samples = 1, .case_count = 1};
    const tn_study_table table = {&study, NULL, NULL, NULL};
    ck_assert(!tn_study_has_indices(&study) && !tn_study_has_indices(NULL));
    ck_assert_int_eq(tn_study_indices_of(&table, 0, 0, &out), TN_ERROR_ARGUMENT);
    ck_assert(isnan(out.first) && isnan(out.total));
}
END_TEST

/* ---- the file ---- */

START_TEST(test_file)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_study *study = NULL;
    tn_status read = tn_study_read_file(TN_EXAMPLES "/studies/tolerances.yaml", diags, &study);
    tn_diagnostics_print(diags, stderr, NULL, 0);
    ck_assert_int_eq(read, TN_OK);
    const int64_t n = tn_study_case_count(study);
    const int32_t r = tn_study_result_count(study), p = tn_study_parameter_count(study);
    ck_assert_int_eq(n, 1000);
    ck_assert_int_eq(p, 8);
    double *results = calloc((size_t)(n * r), sizeof *results),
           *back = calloc((size_t)(n * (r + p)), sizeof *back);
    int32_t *status = calloc((size_t)n, sizeof *status),
            *status_back = calloc((size_t)n, sizeof *status_back);
    const char **messages = calloc((size_t)n, sizeof *messages);
    for (int64_t i = 0; i < n * r; i++)
        results[i] = sin((double)i);
    status[17] = TN_ERROR_CONFLICT;
    messages[17] = "why not";
    status[20] = TN_STUDY_NOT_RUN;
    const tn_study_table table = {study, results, status, messages};
    ck_assert_int_eq(tn_study_write(&table, TN_TEST_OUTPUT "/study.h5", diags), TN_OK);
    const hid_t file = H5Fopen(TN_TEST_OUTPUT "/study.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    read_numbers(file, "results", H5T_NATIVE_DOUBLE, back, (hsize_t)(n * r));
    for (int64_t i = 0; i < n * r; i++) /* the model's file counts in degrees */
        ck_assert(back[i] == tn_study_result(study, (int32_t)(i % r)).scale * results[i]);
    ck_assert_str_eq(tn_study_result(study, 0).told, "deg");
    ck_assert_str_eq(tn_study_result(study, 0).unit, "rad");
    ck_assert_double_eq_tol(tn_study_result(study, 0).scale, 180.0 / acos(-1.0), 1e-13);
    read_numbers(file, "parameters", H5T_NATIVE_DOUBLE, back, (hsize_t)(n * p));
    double values[8];
    for (int64_t i = 0; i < n; i++) {
        tn_study_values(study, i, values);
        ck_assert_mem_eq(back + 8 * i, values, sizeof values);
    }
    read_numbers(file, "status", H5T_NATIVE_INT32, status_back, (hsize_t)n);
    ck_assert_mem_eq(status, status_back, (size_t)n * sizeof *status);
    int64_t failed;
    char *message = NULL;
    read_numbers(file, "failures/case", H5T_NATIVE_INT64, &failed, 1);
    ck_assert_int_eq(failed, 17);
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, H5T_VARIABLE);
    H5Tset_cset(text, H5T_CSET_UTF8);
    read_numbers(file, "failures/message", text, &message, 1);
    ck_assert_str_eq(message, "why not");
    H5free_memory(message);
    H5Tclose(text);
    H5Fclose(file);
    ck_assert_int_eq(tn_study_write(&table, "/nowhere/study.h5", diags), TN_ERROR_IO);
    free(results);
    free(back);
    free(status);
    free(status_back);
    free(messages);
    tn_study_destroy(study);
    tn_diagnostics_destroy(diags);
}
END_TEST

/* A case is the same whatever was run before it. */
START_TEST(test_cases_alone)
{
    tn_study *study = NULL;
    ck_assert_int_eq(tn_study_read_file(TN_EXAMPLES "/studies/tolerances.yaml", NULL, &study),
                     TN_OK);
    double a[4], b[4];
    char message[TN_STUDY_MESSAGE];
    ck_assert_int_eq(tn_study_run_case(study, 12, a, message), TN_OK);
    ck_assert_int_eq(tn_study_run_case(study, 900, b, message), TN_OK);
    ck_assert_int_eq(tn_study_run_case(study, 12, b, message), TN_OK);
    ck_assert_mem_eq(a, b, sizeof a);
    tn_study_destroy(study);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("study");
    TCase *tests = tcase_create("study");
    tcase_set_timeout(tests, 60.0);
    tcase_add_test(tests, test_latin_hypercube);
    tcase_add_test(tests, test_sobol_axes);
    tcase_add_test(tests, test_sobol_points);
    tcase_add_test(tests, test_sobol_pair);
    tcase_add_test(tests, test_random);
    tcase_add_test(tests, test_normal);
    tcase_add_test(tests, test_cut_normal);
    tcase_add_test(tests, test_table_and_uniform);
    tcase_add_test(tests, test_summary);
    tcase_add_test(tests, test_indices_of_ishigami);
    tcase_add_test(tests, test_indices_of_g);
    tcase_add_test(tests, test_indices_are_refused);
    tcase_add_test(tests, test_file);
    tcase_add_test(tests, test_cases_alone);
    suite_add_tcase(suite, tests);
    return suite;
}
