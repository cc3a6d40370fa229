/* case.c: room study: one case, from the values of its parameters to its results.
 *
 * Each case reads the model anew, so that none knows of another. A simulation is the one of `tenon
 * run`: the same steps, and measures at the same times.
 */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/base.h"
#include "base/coordinate_text.h"
#include "study/study.h"
#include "tenon/coords.h"
#include "tenon/io.h"
#include "tenon/limits.h"
#include "tenon/results.h"

/* Room for "1.2345678901234567e-123 " and a unit. */
#define SETTING_SIZE (32 + TN_DIMENSION_TEXT)

typedef struct study_case {
    const tn_study *study;
    tn_diagnostics *diags;
    tn_spec *spec;
    tn_model *model;
    tn_sim *sim;
    tn_series *series;    /* [kept_count] */
    tn_statistics *found; /* [kept_count] */
    char *message;
} study_case;

static void say(study_case *c, const char *text)
{
    snprintf(c->message, TN_STUDY_MESSAGE, "%s", text);
}

/* ---- the model ---- */

tn_status tn_study_model(const tn_study *study, const double *values, tn_diagnostics *diags,
                         tn_spec **spec, tn_model **model)
{
    const int32_t count = values != NULL ? study->varied_count : 0;
    tn_setting *settings = TN_NEW_ARRAY(tn_setting, count);
    char(*texts)[SETTING_SIZE] = tn_alloc((size_t)count, sizeof *texts);
    tn_status status = settings != NULL && texts != NULL ? TN_OK : TN_ERROR_MEMORY;
    for (int32_t i = 0; status == TN_OK && i < count; i++) {
        const tn_varied *varied = &study->varied[i];
        const bool plain = strcmp(varied->unit, "1") == 0;
        snprintf(texts[i], SETTING_SIZE, "%.17g%s%s", values[i], plain ? "" : " ",
                 plain ? "" : varied->unit);
        settings[i] = (tn_setting){varied->name, texts[i]};
    }
    if (status == TN_OK) {
        status = tn_spec_read_string_with(study->model_text, study->model_length, study->model_path,
                                          settings, count, diags, spec);
    }
    if (status == TN_OK)
        status = tn_model_compile(*spec, diags, model);
    tn_free(settings);
    tn_free(texts);
    return status;
}

static tn_status make(study_case *c, const double *values)
{
    tn_status status = tn_study_model(c->study, values, c->diags, &c->spec, &c->model);
    if (status != TN_OK)
        return status;
    return tn_sim_create(c->model, NULL, c->diags, &c->sim);
}

static tn_status find_series(study_case *c)
{
    for (int32_t i = 0; i < c->study->kept_count; i++) {
        const tn_kept *kept = &c->study->kept[i];
        const char *why = NULL;
        c->found[i] = tn_statistics_begin(NAN);
        if (!tn_series_find(c->study, c->model, kept->name, kept->source_name, &c->series[i],
                            &why)) {
            snprintf(c->message, TN_STUDY_MESSAGE, "this model has no '%.*s'",
                     (int)kept->source_name, kept->name);
            return TN_ERROR_NOT_FOUND;
        }
        if (c->series[i].source == TN_SOURCE_MEASURE)
            c->found[i].above = tn_model_measure(c->model, c->series[i].measure)->above;
    }
    return TN_OK;
}

/* ---- what is read ---- */

static double coordinate_now(const study_case *c, const tn_series *series)
{
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(c->sim, series->joint, q);
    return q[series->coordinate];
}

/* One reading of all series; of several statistics of one measure the first reads it. */
static void take(study_case *c, double time, const tn_transmission *transmission)
{
    double values[TN_MEASURE_MOST];
    int32_t read = -1;
    for (int32_t i = 0; i < c->study->kept_count; i++) {
        const tn_series *series = &c->series[i];
        double value = NAN;
        if (series->source == TN_SOURCE_MEASURE) {
            if (read != series->measure.i)
                tn_sim_measure(c->sim, series->measure, values);
            read = series->measure.i;
            value = values[series->field];
        } else if (series->source == TN_SOURCE_COORDINATE) {
            value = coordinate_now(c, series);
        } else if (transmission != NULL) {
            value = series->field == 0 ? transmission->index : transmission->angle;
        }
        tn_statistics_add(&c->found[i], time, value);
    }
}

static double statistic(const tn_statistics *s, int32_t which)
{
    const double all[] = {s->min,  s->max,      s->mean,     s->rms,
                          s->last, s->min_time, s->max_time, s->above_time};
    return s->count > 0 ? all[which] : (double)NAN;
}

/* ---- simulation ---- */

/* As the first frame of a record: with the forces that the first step starts from. */
static tn_status take_start(study_case *c, double step)
{
    void *block = tn_alloc(1, tn_sim_state_size(c->sim));
    if (block == NULL)
        return TN_ERROR_MEMORY;
    tn_sim_save(c->sim, block);
    tn_sim_start(c->sim, step, NULL);
    take(c, 0.0, NULL);
    const tn_status status = tn_sim_restore(c->sim, block);
    tn_free(block);
    return status;
}

static void say_step(study_case *c, const tn_step_report *report)
{
    const char *culprit = "";
    if (report->culprit_joint.i >= 0) {
        culprit = tn_model_joint_name(c->model, report->culprit_joint);
    } else if (report->culprit_body.i >= 0) {
        culprit = tn_model_body_name(c->model, report->culprit_body);
    }
    snprintf(c->message, TN_STUDY_MESSAGE, "a step failed at t = %.9g s: %s%s%.64s",
             tn_sim_time(c->sim), tn_status_text(report->status), culprit[0] != '\0' ? ": " : "",
             culprit);
}

static tn_status simulate(study_case *c)
{
    const tn_simulation_def *own = tn_model_simulation(c->model);
    const tn_study_simulation *asked = &c->study->simulation;
    const tn_time_grid grid =
        tn_time_grid_of(isnan(asked->step) ? own->step : asked->step,
                        isnan(asked->duration) ? own->duration : asked->duration, NAN);
    tn_step_report report;
    if (grid.steps == 0) {
        snprintf(c->message, TN_STUDY_MESSAGE, "more than %g steps", TN_MOST_STEPS_OF_RUN);
        return TN_ERROR_WORK;
    }
    tn_status status = take_start(c, tn_time_grid_step(&grid, 0, 0.0));
    for (int64_t k = 0; status == TN_OK && k < grid.steps; k++) {
        status =
            tn_sim_take_step(c->sim, tn_time_grid_step(&grid, k, tn_sim_time(c->sim)), &report);
        if (status == TN_OK) {
            take(c, tn_sim_time(c->sim), NULL);
        } else {
            say_step(c, &report);
        }
    }
    return status;
}

/* ---- sweep ---- */

typedef struct case_sweep {
    tn_coordinate_request driven;
    tn_joint output, through;
    int32_t output_coordinate;
} case_sweep;

static bool find_sweep(const study_case *c, case_sweep *s)
{
    const tn_study_sweep *sweep = &c->study->sweep;
    int32_t none;
    *s = (case_sweep){.output = {-1}, .through = {-1}};
    return tn_study_coordinate(c->model, sweep->coordinate, strlen(sweep->coordinate),
                               &s->driven.joint, &s->driven.coordinate) &&
           (sweep->output == NULL ||
            tn_study_coordinate(c->model, sweep->output, strlen(sweep->output), &s->output,
                                &s->output_coordinate)) &&
           (sweep->through == NULL ||
            tn_study_coordinate(c->model, sweep->through, strlen(sweep->through), &s->through,
                                &none) ||
            tn_model_find_joint(c->model, sweep->through, &s->through) == TN_OK);
}

/* A value of the driven coordinate, as the model's file counts. */
static tn_coordinate_text tell(const study_case *c, const case_sweep *s, double value)
{
    const tn_joint_type_info *info = tn_model_joint_info(c->model, s->driven.joint);
    return tn_write_coordinate(value, 9, info->coordinates[s->driven.coordinate].angular,
                               tn_model_record(c->model)->degrees != 0, "");
}

/* To a value of the coordinate, all the way. */
static tn_status go_to(study_case *c, const case_sweep *s, double value)
{
    tn_coordinate_request request = s->driven;
    tn_coordinate_answer answer;
    request.value = value;
    const tn_status status = tn_sim_set_coordinates(c->sim, &request, 1, NULL, &answer, NULL);
    if (status != TN_OK) {
        snprintf(c->message, TN_STUDY_MESSAGE, "no pose at %s: %s", tell(c, s, value).text,
                 tn_status_text(status));
        return status;
    }
    if (answer.outcome == TN_COORDINATE_SET)
        return TN_OK;
    snprintf(c->message, TN_STUDY_MESSAGE, "the sweep stops at %s on its way to %s: %s",
             tell(c, s, answer.value).text, tell(c, s, value).text,
             tn_coordinate_outcome_word(answer.outcome));
    return TN_ERROR_CONFLICT;
}

static tn_status sweep(study_case *c)
{
    const tn_study_sweep *asked = &c->study->sweep;
    case_sweep s;
    if (!find_sweep(c, &s)) {
        say(c, "this model has not the coordinates of the sweep");
        return TN_ERROR_NOT_FOUND;
    }
    tn_status status = TN_OK;
    for (int32_t k = 0; status == TN_OK && k < asked->count; k++) {
        const double share = asked->count > 1 ? (double)k / (double)(asked->count - 1) : 0.0;
        const double value = asked->from + share * (asked->to - asked->from);
        tn_transmission transmission = {NAN, NAN, {-1}};
        status = go_to(c, &s, value);
        if (status == TN_OK && s.output.i >= 0) {
            status = tn_sim_transmission(c->sim, s.driven.joint, s.driven.coordinate, s.output,
                                         s.output_coordinate, s.through, &transmission);
        }
        if (status == TN_OK)
            take(c, value, &transmission);
    }
    return status;
}

/* ---- check ---- */

static tn_status check(study_case *c)
{
    tn_rank rank;
    const tn_status status = tn_sim_rank(c->sim, &rank);
    const tn_residuals residuals = tn_sim_residuals(c->sim);
    const double counts[TN_CHECK_COUNT] = {[TN_CHECK_DOF] = rank.dof,
                                           [TN_CHECK_ROWS] = rank.rows,
                                           [TN_CHECK_RANK] = rank.rank,
                                           [TN_CHECK_REDUNDANT] = rank.redundant,
                                           [TN_CHECK_POSITION_ERROR] = residuals.position,
                                           [TN_CHECK_ANGLE_ERROR] = residuals.angle};
    for (int32_t i = 0; status == TN_OK && i < c->study->kept_count; i++)
        tn_statistics_add(&c->found[i], 0.0, counts[c->series[i].field]);
    return status;
}

/* ---- a case ---- */

/* What went wrong, if it is not set yet: the first error among the diagnostics, or the status. */
static void explain(study_case *c, tn_status status)
{
    for (int32_t i = 0; i < tn_diagnostics_count(c->diags) && c->message[0] == '\0'; i++) {
        const tn_diagnostic *d = tn_diagnostics_get(c->diags, i);
        if (d->severity == TN_ERROR)
            say(c, d->message);
    }
    if (c->message[0] == '\0')
        say(c, tn_status_text(status));
}

static tn_status run(study_case *c, const double *values)
{
    static tn_status (*const tasks[])(study_case *) = {
        [TN_TASK_SIMULATION] = simulate, [TN_TASK_SWEEP] = sweep, [TN_TASK_CHECK] = check};
    tn_status status = make(c, values);
    if (status == TN_OK)
        status = find_series(c);
    return status == TN_OK ? tasks[c->study->task](c) : status;
}

/* ---- its time ---- */

/* Until when a case may go on, and what else stops the thread's calls. */
typedef struct deadline {
    double until; /* s of the clock */
    tn_stop before;
    atomic_bool passed;
} deadline;

static double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int is_over(void *context)
{
    deadline *d = context;
    if (d->before.function != NULL && d->before.function(d->before.context) != 0)
        return 1;
    if (!atomic_load(&d->passed) && clock_now() > d->until)
        atomic_store(&d->passed, true);
    return atomic_load(&d->passed);
}

/* A case that takes longer than the study allows is stopped, and has failed. */
static tn_status run_in_time(study_case *c, const double *values)
{
    if (isinf(c->study->limit))
        return run(c, values);
    deadline d = {clock_now() + c->study->limit, tn_get_stop(), false};
    tn_set_stop(is_over, &d);
    const tn_status status = run(c, values);
    tn_set_stop(d.before.function, d.before.context);
    if (status == TN_ERROR_STOPPED && atomic_load(&d.passed)) {
        snprintf(c->message, TN_STUDY_MESSAGE, "not done within the limit of %g s: t = %.6g s",
                 c->study->limit, c->sim != NULL ? tn_sim_time(c->sim) : 0.0);
    }
    return status;
}

tn_status tn_study_run_case(const tn_study *study, int64_t index, double *results,
                            char message[TN_STUDY_MESSAGE])
{
    study_case c = {.study = study,
                    .diags = tn_diagnostics_create(),
                    .series = TN_NEW_ARRAY(tn_series, study->kept_count),
                    .found = TN_NEW_ARRAY(tn_statistics, study->kept_count),
                    .message = message};
    double *values = TN_NEW_ARRAY(double, study->varied_count);
    tn_status status = TN_ERROR_MEMORY;
    message[0] = '\0';
    if (c.diags != NULL && c.series != NULL && c.found != NULL && values != NULL) {
        tn_study_values(study, index, values);
        status = run_in_time(&c, values);
    }
    if (status != TN_OK)
        explain(&c, status);
    for (int32_t i = 0; i < study->kept_count; i++) {
        results[i] =
            status != TN_OK ? (double)NAN : statistic(&c.found[i], study->kept[i].statistic);
    }
    tn_sim_destroy(c.sim);
    tn_model_destroy(c.model);
    tn_spec_destroy(c.spec);
    tn_diagnostics_destroy(c.diags);
    tn_free(c.series);
    tn_free(c.found);
    tn_free(values);
    return status;
}
