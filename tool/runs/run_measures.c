/* run_measures.c: what the model's measures did during a run: minimum, maximum, mean, root of the
 * mean square, first time above, of every value at the ends of all steps.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runs/run.h"
#include "tool.h"

bool run_measures_begin(run_measures *measures, const tool_loaded *loaded)
{
    const int32_t count = tn_model_measure_count(loaded->model);
    *measures = (run_measures){0};
    for (int32_t i = 0; i < count; i++)
        measures->count += tn_measure_width(loaded->model, (tn_measure_id){i});
    if (measures->count == 0)
        return true;
    measures->values = calloc((size_t)measures->count, sizeof *measures->values);
    measures->missing = calloc((size_t)count, sizeof *measures->missing);
    if (!measures->values || !measures->missing)
        return false;
    int32_t at = 0;
    for (int32_t i = 0; i < count; i++) {
        const int32_t width = tn_measure_width(loaded->model, (tn_measure_id){i});
        const double above = tn_model_measure(loaded->model, (tn_measure_id){i})->above;
        measures->missing[i] = NAN;
        for (int32_t k = 0; k < width; k++)
            measures->values[at++] = tn_statistics_begin(k == 0 ? above : (double)NAN);
    }
    return true;
}

/* Other measures without a value are documented: what a method or a pose does not have. */
static void note_missing(run_measures *measures, const tool_loaded *loaded, int32_t i, double time,
                         double value)
{
    const tn_measure_def *def = tn_model_measure(loaded->model, (tn_measure_id){i});
    if (def->quantity == TN_QUANTITY_FORMULA && !isfinite(value) && isnan(measures->missing[i]))
        measures->missing[i] = time;
}

void run_measures_step(run_measures *measures, const tool_loaded *loaded)
{
    const double time = tn_sim_time(loaded->sim);
    int32_t at = 0;
    for (int32_t i = 0; at < measures->count; i++) {
        double values[TN_MEASURE_MOST];
        const int32_t width = tn_measure_width(loaded->model, (tn_measure_id){i});
        tn_sim_measure(loaded->sim, (tn_measure_id){i}, values);
        note_missing(measures, loaded, i, time, values[0]);
        for (int32_t k = 0; k < width; k++)
            tn_statistics_add(&measures->values[at++], time, values[k]);
    }
}

void run_measures_free(run_measures *measures)
{
    free(measures->values);
    free(measures->missing);
    *measures = (run_measures){0};
}

/* "pin.fx", or "pull" of a single value. */
static const char *name_of(const tool_loaded *loaded, tn_measure_id measure, int32_t field,
                           char *buffer, size_t size)
{
    const char *part = tn_measure_field(loaded->model, measure, field);
    snprintf(buffer, size, "%s%s%s", tn_model_measure_name(loaded->model, measure),
             part[0] ? "." : "", part);
    return buffer;
}

/* As results of the model are written: angles in degrees where its file counts so. */
static tn_statistics told(const tool_loaded *loaded, const tn_statistics *s, const char *unit,
                          const char **told_unit)
{
    const double scale = tn_record_scale(tn_model_record(loaded->model), unit, told_unit);
    tn_statistics out = *s;
    out.min *= scale;
    out.max *= scale;
    out.mean *= scale;
    out.rms *= scale;
    out.last *= scale;
    out.above *= scale;
    return out;
}

/* Below this share of the largest value one is what rounding leaves of zero. */
#define NO_VALUE 1e-12

static double tidy(double value, const tn_statistics *s)
{
    const bool none = fabs(value) <= NO_VALUE * fmax(fabs(s->min), fabs(s->max));
    return none ? 0.0 : value;
}

/* Do two values read alike? */
static bool read_alike(double a, double b)
{
    char one[32], two[32];
    snprintf(one, sizeof one, "%.6g", a);
    snprintf(two, sizeof two, "%.6g", b);
    return strcmp(one, two) == 0;
}

static void print_value(const tool_loaded *loaded, tn_measure_id measure, int32_t field,
                        const tn_statistics *statistics)
{
    char name[128];
    const char *unit = tn_measure_unit(loaded->model, measure, field);
    const tn_statistics in_its_unit = told(loaded, statistics, unit, &unit), *s = &in_its_unit;
    printf("  measure      %s: %.6g .. %.6g %s, mean %.6g, rms %.6g",
           name_of(loaded, measure, field, name, sizeof name), tidy(s->min, s), tidy(s->max, s),
           unit, tidy(s->mean, s), s->rms);
    if (!isnan(s->above) && isnan(s->above_time)) {
        printf(", never above %.6g", s->above);
    } else if (!isnan(s->above)) {
        printf(", above %.6g from %.6g s", s->above, s->above_time);
    }
    if (s->max > s->min && !read_alike(s->min, s->max)) {
        printf("; least at %.6g s, most at %.6g s, %.6g at the end", s->min_time, s->max_time,
               tidy(s->last, s));
    }
    putchar('\n');
}

static void write_value(tool_json *json, const tool_loaded *loaded, tn_measure_id measure,
                        int32_t field, const tn_statistics *statistics)
{
    char name[128];
    const char *unit = tn_measure_unit(loaded->model, measure, field);
    const tn_statistics in_its_unit = told(loaded, statistics, unit, &unit), *s = &in_its_unit;
    tool_json_open(json, name_of(loaded, measure, field, name, sizeof name), '{');
    tool_json_text(json, "unit", unit);
    tool_json_number(json, "min", s->count > 0 ? s->min : (double)NAN);
    tool_json_number(json, "min_time", s->min_time);
    tool_json_number(json, "max", s->count > 0 ? s->max : (double)NAN);
    tool_json_number(json, "max_time", s->max_time);
    tool_json_number(json, "mean", s->mean);
    tool_json_number(json, "rms", s->rms);
    tool_json_number(json, "last", s->last);
    if (!isnan(s->above))
        tool_json_number(json, "above_time", s->above_time);
    tool_json_close(json, '}');
}

void run_measures_print(const run_measures *measures, const tool_loaded *loaded)
{
    int32_t at = 0;
    for (int32_t i = 0; at < measures->count; i++) {
        for (int32_t k = 0; k < tn_measure_width(loaded->model, (tn_measure_id){i}); k++, at++) {
            if (measures->values[at].count > 0)
                print_value(loaded, (tn_measure_id){i}, k, &measures->values[at]);
        }
    }
}

void run_measures_warn(const run_measures *measures, const tool_loaded *loaded)
{
    const int32_t count = measures->missing ? tn_model_measure_count(loaded->model) : 0;
    for (int32_t i = 0; i < count; i++) {
        if (!isnan(measures->missing[i])) {
            tool_error("the formula of measure '%s' has no value, first at t = %.9g s: nan or inf "
                       "is recorded",
                       tn_model_measure_name(loaded->model, (tn_measure_id){i}),
                       measures->missing[i]);
        }
    }
}

void run_measures_write(tool_json *json, const run_measures *measures, const tool_loaded *loaded)
{
    int32_t at = 0;
    tool_json_open(json, "measures", '{');
    for (int32_t i = 0; at < measures->count; i++) {
        for (int32_t k = 0; k < tn_measure_width(loaded->model, (tn_measure_id){i}); k++, at++)
            write_value(json, loaded, (tn_measure_id){i}, k, &measures->values[at]);
    }
    tool_json_close(json, '}');
}
