/* read_against.c: room study: what a study says, against its model: parameters and their units,
 * coordinates of the sweep, what is kept, how many cases there are.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "io/reader/number.h"
#include "study/read.h"
#include "tenon/limits.h"
#include "tenon/parameter.h"

/* Kept of every measure where a study does not say what to keep: min, max, mean, last. */
static const int32_t usual_statistics[] = {0, 1, 2, 4};

#define NAME_SIZE 512

/* ---- parameters ---- */

static const tn_parameter *find_parameter(const tn_spec *spec, const char *name,
                                          tn_suggestion *suggestion)
{
    for (int32_t i = 0; i < tn_spec_parameter_count(spec); i++) {
        const tn_parameter *p = tn_spec_parameter(spec, i);
        if (strcmp(p->name, name) == 0)
            return p;
        tn_suggestion_offer(suggestion, p->name);
    }
    return NULL;
}

static void check_parameter(tn_reader *reader, const tn_spec *spec, const tn_varied *varied,
                            int32_t key)
{
    char hint[TN_HINT_SIZE];
    tn_suggestion suggestion = tn_suggestion_for(varied->name);
    const tn_parameter *p = find_parameter(spec, varied->name, &suggestion);
    if (p == NULL) {
        tn_problem(reader, key, tn_suggestion_hint(&suggestion, NULL, hint),
                   "the model has no parameter '%.100s'", varied->name);
    } else if (p->count != 1) {
        tn_problem(reader, key, "make its numbers parameters of their own",
                   "'%.100s' is a vector, which cannot be varied", varied->name);
    } else if (varied->unit[0] != '\0' && strcmp(p->unit, varied->unit) != 0) {
        tn_problem(reader, key, NULL, "'%.100s' is in %s in the model, not in %s", varied->name,
                   strcmp(p->unit, "1") == 0 ? "plain numbers" : p->unit,
                   strcmp(varied->unit, "1") == 0 ? "plain numbers" : varied->unit);
    }
}

static void count_cases(tn_reader *reader, tn_study *study, const tn_study_draft *draft)
{
    study->case_count = (int64_t)study->samples * tn_study_sets(study);
    for (int32_t i = 0; i < study->varied_count; i++) {
        if (study->varied[i].axis < 0)
            study->case_count *= study->varied[i].count;
        if (study->case_count > TN_MOST_CASES) {
            tn_problem(reader, draft->parameters, NULL, "more than %d cases are too many",
                       TN_MOST_CASES);
            return;
        }
    }
}

/* ---- the sweep ---- */

static void offer_coordinates(const tn_model *model, tn_suggestion *suggestion)
{
    const int32_t joints = tn_model_get_size(model).joints;
    for (int32_t j = 0; j < joints; j++) {
        const tn_joint_type_info *info = tn_model_joint_info(model, (tn_joint){j});
        for (int32_t i = 0; i < info->coordinate_count; i++) {
            char path[NAME_SIZE];
            snprintf(path, sizeof path, "%s.%s", tn_model_joint_name(model, (tn_joint){j}),
                     info->coordinates[i].name);
            tn_suggestion_offer(suggestion, path);
        }
    }
}

static void report_joint(tn_reader *reader, const tn_model *model, int32_t node, const char *name)
{
    tn_suggestion suggestion = tn_suggestion_for(name);
    char hint[TN_HINT_SIZE];
    for (int32_t j = 0; j < tn_model_get_size(model).joints; j++)
        tn_suggestion_offer(&suggestion, tn_model_joint_name(model, (tn_joint){j}));
    tn_problem(reader, node, tn_suggestion_hint(&suggestion, NULL, hint),
               "the model has no joint '%.100s'", name);
}

static bool read_coordinate(tn_reader *reader, const tn_model *model, int32_t node, const char *key,
                            const char **name, tn_joint *joint, int32_t *coordinate)
{
    if (node == TN_NO_NODE || !tn_read_text(reader, node, key, name))
        return false;
    if (tn_study_coordinate(model, *name, strlen(*name), joint, coordinate))
        return true;
    tn_suggestion suggestion = tn_suggestion_for(*name);
    char hint[TN_HINT_SIZE];
    offer_coordinates(model, &suggestion);
    tn_problem(reader, node, tn_suggestion_hint(&suggestion, NULL, hint),
               "the model has no coordinate '%.100s'", *name);
    return false;
}

static void read_end(tn_reader *reader, int32_t node, const char *key, bool angular, double *out)
{
    if (node != TN_NO_NODE)
        tn_read_quantity(reader, node, key, tn_coordinate_measure(reader, angular), out);
}

static void read_sweep(tn_reader *reader, const tn_model *model, tn_study *study,
                       const tn_study_draft *d)
{
    tn_study_sweep *sweep = &study->sweep;
    tn_joint joint, output, through;
    int32_t coordinate = 0;
    if (read_coordinate(reader, model, d->sweep_coordinate, "coordinate", &sweep->coordinate,
                        &joint, &coordinate)) {
        const tn_joint_type_info *info = tn_model_joint_info(model, joint);
        const bool angular = info->coordinates[coordinate].angular != 0;
        read_end(reader, d->sweep_from, "from", angular, &sweep->from);
        read_end(reader, d->sweep_to, "to", angular, &sweep->to);
    }
    read_coordinate(reader, model, d->sweep_output, "output", &sweep->output, &output, &coordinate);
    if (d->sweep_through == TN_NO_NODE ||
        !tn_read_text(reader, d->sweep_through, "through", &sweep->through))
        return;
    if (sweep->output == NULL)
        tn_problem(reader, d->sweep_through, NULL, "'through' needs 'output'");
    if (tn_model_find_joint(model, sweep->through, &through) != TN_OK)
        report_joint(reader, model, d->sweep_through, sweep->through);
}

/* ---- what is kept ---- */

static const char *unit_of(const tn_model *model, const tn_series *series, int32_t statistic,
                           const tn_study *study)
{
    if (statistic < 5) /* min, max, mean, rms, last */
        return tn_series_unit(model, series);
    if (study->task == TN_TASK_SIMULATION)
        return "s";
    tn_series driven = {.source = TN_SOURCE_COORDINATE};
    return tn_study_coordinate(model, study->sweep.coordinate, strlen(study->sweep.coordinate),
                               &driven.joint, &driven.coordinate)
               ? tn_series_unit(model, &driven)
               : "1";
}

/* Adds one; false: there is none of this name. */
static bool add(tn_reader *reader, const tn_model *model, tn_study *study, const char *name,
                size_t source_name, int32_t statistic, const char **why)
{
    tn_series series;
    if (!tn_series_find(study, model, name, source_name, &series, why))
        return false;
    char *copy = tn_arena_text(&reader->arena, name, strlen(name));
    const char *text = unit_of(model, &series, statistic, study);
    char *unit = tn_arena_text(&reader->arena, text, strlen(text));
    if (copy == NULL || unit == NULL)
        reader->status = TN_ERROR_MEMORY;
    study->kept[study->kept_count++] = (tn_kept){copy, source_name, statistic, unit};
    return true;
}

/* Bytes of "tip.x" in "tip.x.max", and which statistic; a check has none. */
static size_t split(const tn_study *study, const char *name, int32_t *statistic)
{
    const char *dot = strrchr(name, '.');
    *statistic = study->task == TN_TASK_CHECK ? 4 : -1;
    if (study->task == TN_TASK_CHECK)
        return strlen(name);
    for (int32_t i = 0; dot != NULL && tn_kept_statistic(i) != NULL; i++) {
        if (strcmp(dot + 1, tn_kept_statistic(i)) == 0)
            *statistic = i;
    }
    return *statistic >= 0 ? (size_t)(dot - name) : strlen(name);
}

static void report_kept(tn_reader *reader, const tn_model *model, const tn_study *study,
                        int32_t node, const char *name, const char *why)
{
    char hint[TN_HINT_SIZE], buffer[NAME_SIZE];
    int32_t statistic;
    char source[NAME_SIZE];
    snprintf(source, sizeof source, "%.*s", (int)split(study, name, &statistic), name);
    tn_suggestion suggestion = tn_suggestion_for(source);
    const char *other = NULL;
    for (int32_t i = 0; (other = tn_series_name(study, model, i, buffer, sizeof buffer)) != NULL;
         i++) {
        tn_suggestion_offer(&suggestion, other);
    }
    if (why != NULL) {
        tn_problem(reader, node, NULL, "'%.100s' cannot be kept: %s", name, why);
    } else if (statistic < 0) {
        tn_problem(reader, node, "min, max, mean, rms, last, min_time, max_time, above_time",
                   "'%.100s' must end in what to keep of it, as in '%.100s.max'", name, name);
    } else {
        tn_problem(reader, node, tn_suggestion_hint(&suggestion, NULL, hint),
                   "there is no '%.100s' to keep", source);
    }
}

static void keep_named(tn_reader *reader, const tn_model *model, tn_study *study, int32_t list)
{
    if (!tn_want_sequence(reader, list, "keep"))
        return;
    study->kept = tn_reader_alloc(reader, tn_get(reader, list)->count + 1, sizeof *study->kept);
    if (study->kept == NULL)
        return;
    TN_EACH(reader, list, node)
    {
        const char *name = NULL, *why = NULL;
        int32_t statistic;
        if (!tn_read_text(reader, node, "keep", &name))
            continue;
        const size_t length = split(study, name, &statistic);
        if (statistic < 0 || !add(reader, model, study, name, length, statistic, &why))
            report_kept(reader, model, study, node, name, why);
    }
}

/* All counts of a check; of everything else the usual statistics of transmissions and measures. */
static void keep_usual(tn_reader *reader, const tn_model *model, tn_study *study)
{
    char buffer[NAME_SIZE], name[NAME_SIZE + 16];
    int32_t count = 0;
    while (tn_series_name(study, model, count, buffer, sizeof buffer) != NULL)
        count++;
    study->kept = tn_reader_alloc(reader, 4 * count + 1, sizeof *study->kept);
    for (int32_t i = 0; study->kept != NULL && i < count; i++) {
        const char *source = tn_series_name(study, model, i, buffer, sizeof buffer), *why = NULL;
        tn_series series;
        if (!tn_series_find(study, model, source, strlen(source), &series, &why) ||
            series.source == TN_SOURCE_COORDINATE)
            continue;
        if (series.source == TN_SOURCE_CHECK) {
            add(reader, model, study, source, strlen(source), 4, &why);
            continue;
        }
        for (size_t k = 0; k < TN_COUNT_OF(usual_statistics); k++) {
            snprintf(name, sizeof name, "%s.%s", source, tn_kept_statistic(usual_statistics[k]));
            add(reader, model, study, name, strlen(source), usual_statistics[k], &why);
        }
    }
}

void tn_study_read_against(tn_reader *reader, const tn_spec *spec, const tn_model *model,
                           tn_study *study, const tn_study_draft *draft)
{
    study->degrees = tn_model_record(model)->degrees != 0;
    for (int32_t i = 0; i < study->varied_count; i++)
        check_parameter(reader, spec, &study->varied[i], draft->keys[i]);
    count_cases(reader, study, draft);
    if (study->task == TN_TASK_SWEEP)
        read_sweep(reader, model, study, draft);
    if (reader->problems > 0)
        return; /* what can be kept depends on the sweep */
    if (draft->keep != TN_NO_NODE) {
        keep_named(reader, model, study, draft->keep);
    } else {
        keep_usual(reader, model, study);
    }
    if (reader->problems == 0 && study->kept_count == 0) {
        tn_problem(reader, draft->keep != TN_NO_NODE ? draft->keep : draft->model_node,
                   "name measures in the model, or coordinates in 'keep'",
                   "there is nothing to keep");
    }
}
