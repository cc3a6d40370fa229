/* indices.c: room study: Sobol's indices, shares of a result's variance that are a parameter's.
 *
 * From the cases of design.c: fA, fB of two independent sets of samples, fC of the first one with the
 * parameter's values of the second. With V the variance and N samples,
 *     first order  S = mean of fB (fC - fA) / V           (Saltelli et al., Computer Physics
 *     total        T = mean of (fA - fC)^2 / 2 V           Communications 181, 2010, table 2 b, f),
 * results counted from their mean, which leaves S as it is and less of it to chance. The error is the
 * standard one of the mean.
 */
#include <math.h>

#include "study/study.h"

int32_t tn_study_sets(const tn_study *study)
{
    return study->indices ? study->axes + 2 : 1;
}

/* The result of a sample in a set; NaN: there is none. */
static double result_of(const tn_study_table *table, int32_t result, int32_t set, int32_t sample)
{
    const int64_t at = (int64_t)set * table->study->samples + sample;
    return table->status[at] == TN_OK ? table->results[at * table->study->kept_count + result]
                                      : (double)NAN;
}

typedef struct moments {
    int64_t count;
    double mean, squares; /* of what was added, and of its distances from the mean */
} moments;

/* Welford (1962). */
static void add(moments *m, double value)
{
    const double off = value - m->mean;
    m->count++;
    m->mean += off / (double)m->count;
    m->squares += off * (value - m->mean);
}

/* Of a mean. */
static double standard_error(const moments *m)
{
    const double n = (double)m->count;
    return n > 1.0 ? sqrt(m->squares / (n - 1.0) / n) : (double)NAN;
}

/* Of both sets of independent samples. */
static moments spread_of(const tn_study_table *table, int32_t result)
{
    moments all = {0};
    for (int32_t set = 0; set < 2; set++) {
        for (int32_t k = 0; k < table->study->samples; k++) {
            const double value = result_of(table, result, set, k);
            if (isfinite(value))
                add(&all, value);
        }
    }
    return all;
}

tn_status tn_study_indices_of(const tn_study_table *table, int32_t result, int32_t parameter,
                              tn_study_indices *out)
{
    *out = (tn_study_indices){(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    if (table == NULL || result < 0 || result >= table->study->kept_count || parameter < 0 ||
        parameter >= table->study->varied_count || !table->study->indices)
        return TN_ERROR_ARGUMENT;
    const int32_t own = 2 + table->study->varied[parameter].axis;
    const moments all = spread_of(table, result);
    if (all.count < 2 || !(all.squares > 0.0))
        return TN_OK;
    const double variance = all.squares / (double)(all.count - 1);
    moments first = {0}, total = {0};
    for (int32_t k = 0; k < table->study->samples; k++) {
        const double a = result_of(table, result, 0, k) - all.mean;
        const double b = result_of(table, result, 1, k) - all.mean;
        const double c = result_of(table, result, own, k) - all.mean;
        if (isfinite(a + b + c))
            add(&first, b * (c - a) / variance);
        if (isfinite(a + c))
            add(&total, 0.5 * (a - c) * (a - c) / variance);
    }
    if (first.count > 0) {
        *out = (tn_study_indices){first.mean, total.mean, standard_error(&first),
                                  standard_error(&total)};
    }
    return TN_OK;
}

bool tn_study_has_indices(const tn_study *study)
{
    return study != NULL && study->indices;
}
