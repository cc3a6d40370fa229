/* summary.c: room study: one result over all cases, and how it goes with a parameter. */
#include <math.h>
#include <stdlib.h>

#include "study/study.h"

static double result_of(const tn_study_table *table, int64_t index, int32_t result)
{
    return table->results[index * table->study->kept_count + result];
}

static int up(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Between the values of an ordered list. */
static double quantile(const double *ordered, int64_t count, double share)
{
    const double at = share * (double)(count - 1);
    const int64_t below = (int64_t)floor(at);
    const double rest = at - (double)below;
    return rest > 0.0 ? ordered[below] + rest * (ordered[below + 1] - ordered[below])
                      : ordered[below];
}

static void add_moments(const double *values, int64_t count, tn_study_summary *out)
{
    double sum = 0.0, squares = 0.0;
    for (int64_t i = 0; i < count; i++)
        sum += values[i];
    out->mean = sum / (double)count;
    for (int64_t i = 0; i < count; i++)
        squares += (values[i] - out->mean) * (values[i] - out->mean);
    out->deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : 0.0;
}

tn_status tn_study_summarize(const tn_study_table *table, int32_t result, tn_study_summary *out)
{
    const int64_t cases = table->study->case_count;
    double *values = TN_NEW_ARRAY(double, cases);
    if (values == NULL)
        return TN_ERROR_MEMORY;
    *out = (tn_study_summary){0, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    for (int64_t i = 0; i < cases; i++) {
        if (table->status[i] == TN_OK && !isnan(result_of(table, i, result)))
            values[out->count++] = result_of(table, i, result);
    }
    if (out->count > 0) {
        add_moments(values, out->count, out);
        qsort(values, (size_t)out->count, sizeof *values, up);
        out->min = values[0];
        out->low = quantile(values, out->count, 0.05);
        out->median = quantile(values, out->count, 0.5);
        out->high = quantile(values, out->count, 0.95);
        out->max = values[out->count - 1];
    }
    tn_free(values);
    return TN_OK;
}

/* ---- correlation ---- */

static bool varies(const double *x, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        if (x[i] != x[0])
            return true;
    }
    return false;
}

static double mean_of(const double *x, int64_t count)
{
    double sum = 0.0;
    for (int64_t i = 0; i < count; i++)
        sum += x[i];
    return sum / (double)count;
}

static double correlation(const double *x, const double *y, int64_t count)
{
    double xx = 0.0, xy = 0.0, yy = 0.0;
    if (!varies(x, count) || !varies(y, count))
        return (double)NAN;
    const double mean_x = mean_of(x, count), mean_y = mean_of(y, count);
    for (int64_t i = 0; i < count; i++) {
        const double dx = x[i] - mean_x, dy = y[i] - mean_y;
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    return fmax(-1.0, fmin(1.0, xy / sqrt(xx * yy)));
}

typedef struct ranked {
    double value;
    int64_t index;
} ranked;

static int up_ranked(const void *left, const void *right)
{
    return up(&((const ranked *)left)->value, &((const ranked *)right)->value);
}

/* Each value becomes its place in the order, equal ones the mean of theirs. */
static void rank(double *values, int64_t count, ranked *order)
{
    for (int64_t i = 0; i < count; i++)
        order[i] = (ranked){values[i], i};
    qsort(order, (size_t)count, sizeof *order, up_ranked);
    for (int64_t i = 0, end = 0; i < count; i = end) {
        for (end = i; end < count && order[end].value == order[i].value; end++)
            ;
        for (int64_t k = i; k < end; k++)
            values[order[k].index] = 0.5 * (double)(i + end - 1);
    }
}

tn_status tn_study_sensitivity_of(const tn_study_table *table, int32_t result, int32_t parameter,
                                  tn_study_sensitivity *out)
{
    const tn_study *study = table->study;
    double *x = TN_NEW_ARRAY(double, study->case_count);
    double *y = TN_NEW_ARRAY(double, study->case_count);
    double *values = TN_NEW_ARRAY(double, study->varied_count);
    ranked *order = TN_NEW_ARRAY(ranked, study->case_count);
    const bool good = x != NULL && y != NULL && values != NULL && order != NULL;
    int64_t count = 0;
    for (int64_t i = 0; good && i < study->case_count; i++) {
        if (table->status[i] == TN_OK && isfinite(result_of(table, i, result))) {
            tn_study_values(study, i, values);
            x[count] = values[parameter];
            y[count++] = result_of(table, i, result);
        }
    }
    if (good) {
        out->linear = correlation(x, y, count);
        rank(x, count, order);
        rank(y, count, order);
        out->rank = correlation(x, y, count);
    }
    tn_free(x);
    tn_free(y);
    tn_free(values);
    tn_free(order);
    return good ? TN_OK : TN_ERROR_MEMORY;
}
