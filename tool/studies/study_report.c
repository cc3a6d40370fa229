/* study_report.c: the report of a study: a summary for people, a table, pictures (study.h). */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "table/gnuplot.h"
#include "output.h"
#include "studies/study.h"
#include "tool.h"

#define MOST_MESSAGES 5
#define LEAST_COLUMN  10

static int64_t count_status(const tn_study_table *table, bool (*is)(int32_t status))
{
    int64_t count = 0;
    for (int64_t i = 0; i < tn_study_case_count(table->study); i++)
        count += is(table->status[i]);
    return count;
}

static bool is_good(int32_t status)
{
    return status == TN_OK;
}

static bool has_failed(int32_t status)
{
    return status != TN_OK && status != TN_STUDY_NOT_RUN;
}

static int widest_name(const tn_study *study)
{
    int width = 8;
    for (int32_t i = 0; i < tn_study_result_count(study); i++) {
        const int length = (int)strlen(tn_study_result(study, i).name);
        width = length > width ? length : width;
    }
    return width;
}

/* Columns of parameters: whole names. */
static int column_of(const tn_study *study, int32_t parameter)
{
    const int length = (int)strlen(tn_study_parameter(study, parameter).name);
    return length > LEAST_COLUMN ? length : LEAST_COLUMN;
}

static void print_heads(FILE *stream, const tn_study *study)
{
    for (int32_t p = 0; p < tn_study_parameter_count(study); p++)
        fprintf(stream, " %*s", column_of(study, p), tn_study_parameter(study, p).name);
    fputc('\n', stream);
}

static void print_share(FILE *stream, const tn_study *study, int32_t p, bool known, double value)
{
    if (known) {
        fprintf(stream, " %*.3f", column_of(study, p), value);
    } else {
        fprintf(stream, " %*s", column_of(study, p), "-");
    }
}

/* ---- text ---- */

static void print_failures(FILE *stream, const tn_study_table *table)
{
    int told = 0;
    for (int64_t i = 0; i < tn_study_case_count(table->study) && told < MOST_MESSAGES; i++) {
        if (has_failed(table->status[i])) {
            fprintf(stream, "    case %" PRId64 ": %s\n", i, table->message[i]);
            told++;
        }
    }
    if (count_status(table, has_failed) > told)
        fprintf(stream, "    ... the others are in /failures\n");
}

static void print_results(FILE *stream, const tn_study_table *table)
{
    const tn_study *study = table->study;
    const int width = widest_name(study);
    fprintf(stream, "\n  %-*s %11s %11s %11s %11s %11s %11s %11s  unit\n", width, "", "mean",
            "deviation", "min", "5 %", "median", "95 %", "max");
    for (int32_t i = 0; i < tn_study_result_count(study); i++) {
        tn_study_summary s;
        const tn_study_column c = tn_study_result(study, i);
        if (tn_study_summarize(table, i, &s) != TN_OK)
            continue;
        const double told[] = {s.mean, s.deviation, s.min, s.low, s.median, s.high, s.max};
        fprintf(stream, "  %-*s", width, c.name);
        for (size_t k = 0; k < sizeof told / sizeof told[0]; k++)
            fprintf(stream, " %11.5g", c.scale * told[k]);
        fprintf(stream, "  %s\n", c.told);
    }
}

static void print_sensitivities(FILE *stream, const tn_study_table *table)
{
    const tn_study *study = table->study;
    const int width = widest_name(study);
    fprintf(stream, "\n  correlation of ranks (-1 .. 1)\n  %-*s", width, "");
    print_heads(stream, study);
    for (int32_t i = 0; i < tn_study_result_count(study); i++) {
        fprintf(stream, "  %-*s", width, tn_study_result(study, i).name);
        for (int32_t p = 0; p < tn_study_parameter_count(study); p++) {
            tn_study_sensitivity s = {0};
            const bool known = tn_study_sensitivity_of(table, i, p, &s) == TN_OK;
            print_share(stream, study, p, known && !isnan(s.rank), s.rank);
        }
        fputc('\n', stream);
    }
}

/* Two lines for each result: what a parameter makes of its variance alone, and with all others. */
static void print_indices(FILE *stream, const tn_study_table *table)
{
    const tn_study *study = table->study;
    const int width = widest_name(study);
    double worst = 0.0;
    fprintf(stream, "\n  Sobol's indices: share of the variance\n  %-*s      ", width, "");
    print_heads(stream, study);
    for (int32_t i = 0; i < tn_study_result_count(study); i++) {
        for (int total = 0; total <= 1; total++) {
            fprintf(stream, "  %-*s %s", width, total ? "" : tn_study_result(study, i).name,
                    total ? "total" : "alone");
            for (int32_t p = 0; p < tn_study_parameter_count(study); p++) {
                tn_study_indices of = {0};
                const bool known = tn_study_indices_of(table, i, p, &of) == TN_OK;
                print_share(stream, study, p, known && !isnan(of.first),
                            total ? of.total : of.first);
                worst = fmax(worst, fmax(of.first_error, of.total_error));
            }
            fputc('\n', stream);
        }
    }
    fprintf(stream, "  each to %.2g (standard error) or better\n", worst);
}

void study_print(FILE *stream, const tn_study_table *table, const char *path)
{
    const int64_t good = count_status(table, is_good), failed = count_status(table, has_failed);
    fprintf(stream, "%s: %" PRId64 " cases, %" PRId64 " of them good",
            tn_study_model_path(table->study), tn_study_case_count(table->study), good);
    if (failed > 0)
        fprintf(stream, ", %" PRId64 " failed", failed);
    fprintf(stream, "\n");
    print_failures(stream, table);
    if (good > 0)
        print_results(stream, table);
    if (good > 2 && tn_study_parameter_count(table->study) > 0)
        print_sensitivities(stream, table);
    if (good > 2 && tn_study_has_indices(table->study))
        print_indices(stream, table);
    fprintf(stream, "\nResults: %s\n", path);
}

/* ---- table ---- */

static void put_name(FILE *stream, const char *name)
{
    const bool quoted = strpbrk(name, ",\"") != NULL;
    if (quoted)
        fputc('"', stream);
    for (const char *c = name; *c != '\0'; c++)
        fprintf(stream, *c == '"' ? "\"\"" : "%c", *c);
    if (quoted)
        fputc('"', stream);
}

static void put_heads(FILE *stream, const tn_study *study)
{
    fputs("# units: 1", stream);
    for (int32_t p = 0; p < tn_study_parameter_count(study); p++)
        fprintf(stream, ",%s", tn_study_parameter(study, p).told);
    for (int32_t i = 0; i < tn_study_result_count(study); i++)
        fprintf(stream, ",%s", tn_study_result(study, i).told);
    fputs(",1\ncase", stream);
    for (int32_t p = 0; p < tn_study_parameter_count(study); p++) {
        fputc(',', stream);
        put_name(stream, tn_study_parameter(study, p).name);
    }
    for (int32_t i = 0; i < tn_study_result_count(study); i++) {
        fputc(',', stream);
        put_name(stream, tn_study_result(study, i).name);
    }
    fputs(",status\n", stream);
}

static void put_numbers(FILE *stream, const tn_study *study, const double *values,
                        tn_study_column (*at)(const tn_study *study, int32_t index), int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        if (isnan(values[i])) {
            fputc(',', stream);
        } else {
            fprintf(stream, ",%.17g", at(study, i).scale * values[i]);
        }
    }
}

int study_write_csv(const tn_study_table *table, const char *path)
{
    const tn_study *study = table->study;
    const int32_t results = tn_study_result_count(study), n = tn_study_parameter_count(study);
    double *values = malloc(((size_t)n + 1) * sizeof *values);
    tool_output out;
    int code = values != NULL ? tool_output_open(path, &out) : TOOL_BAD_INPUT;
    if (code == TOOL_OK) {
        put_heads(out.stream, study);
        for (int64_t i = 0; i < tn_study_case_count(study); i++) {
            tn_study_values(study, i, values);
            fprintf(out.stream, "%" PRId64, i);
            put_numbers(out.stream, study, values, tn_study_parameter, n);
            put_numbers(out.stream, study, table->results + i * results, tn_study_result, results);
            fprintf(out.stream, ",%d\n", (int)table->status[i]);
        }
        code = tool_output_close(&out, true, code);
    }
    free(values);
    return code;
}

/* ---- pictures ---- */

#define PICTURE_WIDTH  460
#define PICTURE_HEIGHT 300
/* Points of a scatter picture at most: more are only ink. */
#define MOST_POINTS 5000
/* Results in one picture at most. */
#define MOST_ROWS 40

static int32_t strongest(const tn_study_table *table, int32_t result)
{
    int32_t best = -1;
    double most = 0.0;
    for (int32_t p = 0; p < tn_study_parameter_count(table->study); p++) {
        tn_study_sensitivity s;
        if (tn_study_sensitivity_of(table, result, p, &s) == TN_OK && fabs(s.rank) > most) {
            most = fabs(s.rank);
            best = p;
        }
    }
    return best;
}

static void put_label(const tool_gnuplot *plot, const char *axis, tn_study_column column)
{
    char text[256];
    const bool plain = strcmp(column.told, "1") == 0;
    snprintf(text, sizeof text, "%s%s%s%s", column.name, plain ? "" : " (",
             plain ? "" : column.told, plain ? "" : ")");
    fprintf(plot->commands, "set %s ", axis);
    tool_gnuplot_text(plot, text);
    fputc('\n', plot->commands);
}

/* In the unit of the report. */
static double result_at(const tn_study_table *table, int64_t index, int32_t result)
{
    return tn_study_result(table->study, result).scale *
           table->results[index * tn_study_result_count(table->study) + result];
}

/* Counts in bins of equal width, about as many as Sturges' rule has for the cases (1926). */
static void put_histogram(const tool_gnuplot *plot, const tn_study_table *table, int32_t result,
                          const tn_study_summary *s)
{
    enum { MOST = 64 };
    const int bins = (int)fmin(MOST, 2.0 * ceil(log2((double)s->count)) + 1.0);
    const double scale = tn_study_result(table->study, result).scale;
    const double min = scale * s->min, width = scale * (s->max - s->min) / bins;
    int64_t counts[MOST] = {0};
    for (int64_t i = 0; i < tn_study_case_count(table->study); i++) {
        const double value = result_at(table, i, result);
        if (table->status[i] != TN_OK || isnan(value))
            continue;
        const int bin = width > 0.0 ? (int)((value - min) / width) : 0;
        counts[bin < bins ? bin : bins - 1]++;
    }
    fputs("$data << EOD\n", plot->commands);
    for (int k = 0; k < bins; k++) {
        tool_gnuplot_number(plot, min + (k + 0.5) * width);
        fprintf(plot->commands, " %" PRId64 "\n", counts[k]);
    }
    fputs("EOD\n", plot->commands);
    put_label(plot, "xlabel", tn_study_result(table->study, result));
    fprintf(plot->commands,
            "set ylabel \"cases\"\nset yrange [0:*]\nset boxwidth %.9g\n"
            "plot $data using 1:2 with boxes lt 1 notitle\nset yrange [*:*]\n",
            width > 0.0 ? width : 1.0);
}

static void put_scatter(const tool_gnuplot *plot, const tn_study_table *table, int32_t result,
                        int32_t parameter)
{
    const int64_t cases = tn_study_case_count(table->study);
    const int64_t stride = (cases + MOST_POINTS - 1) / MOST_POINTS;
    double *values = calloc((size_t)tn_study_parameter_count(table->study) + 1, sizeof *values);
    fputs("$data << EOD\n", plot->commands);
    for (int64_t i = 0; values != NULL && i < cases; i += stride) {
        if (table->status[i] != TN_OK)
            continue;
        tn_study_values(table->study, i, values);
        tool_gnuplot_number(plot,
                            tn_study_parameter(table->study, parameter).scale * values[parameter]);
        fputc(' ', plot->commands);
        tool_gnuplot_number(plot, result_at(table, i, result));
        fputc('\n', plot->commands);
    }
    free(values);
    fputs("EOD\n", plot->commands);
    put_label(plot, "xlabel", tn_study_parameter(table->study, parameter));
    put_label(plot, "ylabel", tn_study_result(table->study, result));
    fputs("plot $data using 1:2 with points lt 1 pt 7 ps 0.15 notitle\n", plot->commands);
}

int study_draw(const tn_study_table *table, const char *path)
{
    const int32_t count = tn_study_result_count(table->study);
    const int32_t rows = count < MOST_ROWS ? count : MOST_ROWS;
    tool_gnuplot plot;
    int code = tool_gnuplot_open(path, 2 * PICTURE_WIDTH, rows * PICTURE_HEIGHT, &plot);
    if (code != TOOL_OK)
        return code;
    fprintf(plot.commands, "set multiplot layout %d,2\nset xtics rotate by -30\nset rmargin 6\n",
            (int)rows);
    for (int32_t i = 0; i < rows; i++) {
        tn_study_summary s;
        const int32_t parameter = strongest(table, i);
        const bool some = tn_study_summarize(table, i, &s) == TN_OK && s.count > 0;
        if (some) {
            put_histogram(&plot, table, i, &s);
        } else {
            fputs("set multiplot next\n", plot.commands);
        }
        if (some && parameter >= 0) {
            put_scatter(&plot, table, i, parameter);
        } else {
            fputs("set multiplot next\n", plot.commands);
        }
    }
    fputs("unset multiplot\n", plot.commands);
    return tool_gnuplot_close(&plot, code);
}
