/* run_loop.c: the loop over the steps: time grid, records, statistics, failure, interruption.
 *
 * Steps are taken in batches that end where something else has to be done: a record, a sample of
 * the energy, a look at the clock. Only the batches are timed as step time. The energy is sampled
 * between 1000 and 2000 times over the run (at every step if there are fewer), and at the end.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/dense/worst.h"
#include "pick/marker.h"
#include "runs/run.h"
#include "signals.h"
#include "tool.h"

#define ENERGY_SAMPLES 1000
#define LONGEST_BATCH  64 /* steps between two readings of the clock */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void add_lengths(run_result *result, const tn_step_report *report)
{
    if (report->parts == 0)
        return;
    result->shortest_part = result->parts == 0 ? report->shortest_part
                                               : fmin(result->shortest_part, report->shortest_part);
    result->longest_part = fmax(result->longest_part, report->longest_part);
}

/* The errors of a failed step are not those of a state. */
static void add_step(run_result *result, const tn_step_report *report)
{
    add_lengths(result, report);
    result->factorizations += report->factorizations;
    result->solves += report->solves;
    result->fallbacks += report->fallbacks;
    result->halvings += report->halvings;
    result->parts += report->parts;
    result->implicit_parts += report->implicit_parts;
    result->rejections += report->rejections;
    run_history_add(result, report);
    result->sweeps += report->sweeps;
    if (report->status != TN_OK)
        return;
    result->sweep_residual = tn_worst(result->sweep_residual, report->sweep_residual);
    result->max_position_error = tn_worst(result->max_position_error, report->position_error);
    result->max_angle_error = tn_worst(result->max_angle_error, report->angle_error);
    result->max_gap = tn_worst(result->max_gap, report->gap);
    result->max_gap_angle = tn_worst(result->max_gap_angle, report->gap_angle);
}

/* Steps near change points: how many, and the nearest. */
static void add_fold(const tool_loaded *loaded, const tn_step_report *report, run_result *result)
{
    if (report->status != TN_OK || !report->folds)
        return;
    if (result->folds == 0 || report->fold_distance < result->fold_distance) {
        result->fold_distance = report->fold_distance;
        result->fold_time = tn_sim_time(loaded->sim);
        result->fold_joint = tn_model_joint_name(loaded->model, report->fold_joint);
    }
    result->folds++;
}

int run_advance(tool_loaded *loaded, double duration)
{
    const double step = tn_model_simulation(loaded->model)->step;
    const run_plan plan = {.grid = tn_time_grid_of(step, duration, (double)NAN)};
    run_result result = {0};
    if (duration > 0.0)
        run_loop(loaded, &plan, NULL, &result);
    if (result.exit_code != TOOL_OK)
        tool_error("%s", result.message);
    run_events_free(&result.events);
    run_measures_free(&result.measures);
    return result.exit_code;
}

/* After a successful step. False: out of memory. */
static bool note_step(tool_loaded *loaded, const run_plan *plan, const tn_step_report *report,
                      run_result *result)
{
    const int64_t before = result->events.kept;
    const bool good = run_events_add(&result->events, loaded, report);
    run_audit_step(loaded, &result->audit);
    run_measures_step(&result->measures, loaded);
    result->stopped = run_stop_met(&plan->stop, loaded, &result->events, before);
    return good;
}

static bool out_of_memory(run_result *result)
{
    result->status = tool_status_word(TN_ERROR_MEMORY);
    result->exit_code = tool_exit_code(TN_ERROR_MEMORY);
    snprintf(result->message, sizeof result->message, "out of memory");
    return false;
}

/* Steps until result->steps is `until`, or a failure. */
static bool take_steps(tool_loaded *loaded, const run_plan *plan, int64_t until, run_result *result)
{
    tn_step_report report;
    tn_status status = TN_OK;
    double before = run_cpu_clock();
    bool good = true;
    while (result->steps < until && status == TN_OK && good && !result->stopped) {
        const double now = tn_sim_time(loaded->sim);
        const double h = tn_time_grid_step(&plan->grid, result->steps, now);
        status = tn_sim_take_step(loaded->sim, h, &report);
        if (status == TN_OK)
            run_estimate_step(loaded, h, &result->estimate);
        add_step(result, &report);
        add_fold(loaded, &report, result);
        if (status == TN_OK)
            good = note_step(loaded, plan, &report, result);
        result->steps += status == TN_OK;
    }
    result->step_cpu_s += run_cpu_clock() - before;
    if (status == TN_ERROR_STOPPED)
        return true; /* by a signal: the step is rolled back, and the run ends in order */
    if (status != TN_OK) {
        run_step_failed(loaded, plan, &report, result);
    } else if (!good) {
        return out_of_memory(result);
    }
    return status == TN_OK;
}

static void sample_energy(const tool_loaded *loaded, run_result *result)
{
    const tn_energy energy = tn_sim_energy(loaded->sim);
    result->energy_final = energy.total;
    result->energy_work = energy.work;
    result->energy_lost = energy.lost;
    double drift = fabs(result->energy_final - result->energy_initial);
    result->energy_max_drift = tn_worst(result->energy_max_drift, drift);
}

static bool record(tool_loaded *loaded, tn_recorder *recorder, run_result *result)
{
    if (recorder == NULL)
        return true;
    tn_status status = tn_recorder_write(recorder, loaded->diags);
    if (status == TN_OK)
        return true;
    result->status = tool_status_word(status);
    result->exit_code = tool_exit_code(status);
    snprintf(result->message, sizeof result->message, "the results cannot be written");
    return false;
}

/* The first frame and sample, with the forces that the first step starts from; the simulation
 * itself is left as it is. */
static bool record_start(tool_loaded *loaded, const run_plan *plan, tn_recorder *recorder,
                         run_result *result)
{
    void *block = malloc(tn_sim_state_size(loaded->sim));
    if (block == NULL)
        return out_of_memory(result);
    tn_sim_save(loaded->sim, block);
    tn_sim_start(loaded->sim, tn_time_grid_step(&plan->grid, 0, 0.0), NULL);
    run_measures_step(&result->measures, loaded);
    const bool good = record(loaded, recorder, result);
    tn_sim_restore(loaded->sim, block);
    free(block);
    return good;
}

/* The state at a requested time within the next step: a shorter step there, which is taken back, so
 * that records change no bit of the run. False: that cannot be (it fails, or the time is the step's
 * end), and the end of the step is to be recorded. */
static bool record_within(tool_loaded *loaded, const run_plan *plan, int64_t record_at,
                          tn_recorder *recorder, run_result *result, bool *good)
{
    const double within = tn_time_grid_within(&plan->grid, record_at, tn_sim_time(loaded->sim));
    if (recorder == NULL || within == 0.0)
        return false;
    void *block = malloc(tn_sim_state_size(loaded->sim));
    if (block == NULL) {
        *good = out_of_memory(result);
        return true;
    }
    tn_sim_save(loaded->sim, block);
    const bool there = tn_sim_step(loaded->sim, within, NULL) == TN_OK;
    if (there)
        *good = record(loaded, recorder, result);
    tn_sim_restore(loaded->sim, block);
    free(block);
    return there;
}

/* -1 where it is unknown or not requested. */
static void count_rank(const tool_loaded *loaded, const run_plan *plan, run_result *result)
{
    tn_rank rank;
    const bool told = plan->tells && tn_sim_rank(loaded->sim, &rank) == TN_OK;
    result->rows = told ? rank.rows + rank.compliant : tn_model_get_size(loaded->model).rows;
    result->compliant = told ? rank.compliant : 0;
    result->rank = told ? rank.rank + rank.compliant : -1; /* a compliant row repeats none */
    result->redundant = told ? rank.redundant : -1;
    result->dof = told ? rank.dof : -1;
}

static void begin(const tool_loaded *loaded, const run_plan *plan, run_result *result)
{
    tn_model_size size = tn_model_get_size(loaded->model);
    tn_residuals residuals = tn_sim_residuals(loaded->sim);
    result->started = true;
    result->status = tool_status_word(TN_OK);
    result->bodies = size.bodies;
    result->joints = size.joints;
    count_rank(loaded, plan, result);
    result->max_position_error = residuals.position;
    result->max_angle_error = residuals.angle;
    result->energy_initial = tn_sim_energy(loaded->sim).total;
    result->energy_final = result->energy_initial;
    run_audit_begin(loaded, &result->audit);
}

/* The loop proper: from record to sample to record. */
static void go(tool_loaded *loaded, const run_plan *plan, tn_recorder *recorder, run_result *result)
{
    int64_t stride = plan->grid.steps / ENERGY_SAMPLES > 0 ? plan->grid.steps / ENERGY_SAMPLES : 1;
    int64_t recorded = 0;
    run_progress progress = run_progress_begin(plan->progress);
    bool good = run_measures_begin(&result->measures, loaded) || out_of_memory(result);
    good = good && record_start(loaded, plan, recorder, result);
    while (good && result->steps < plan->grid.steps && !tool_signal() && !result->stopped) {
        int64_t record_at = tn_time_grid_next_record(&plan->grid, recorded);
        int64_t sample_at = least((result->steps / stride + 1) * stride, plan->grid.steps);
        int64_t until = least(result->steps + LONGEST_BATCH, sample_at);
        if (recorder != NULL && result->steps < record_at - 1) {
            until = least(until, record_at - 1);
        } else if (record_within(loaded, plan, record_at, recorder, result, &good)) {
            recorded = record_at;
        }
        good = good &&
               take_steps(loaded, plan, recorder == NULL ? until : least(until, record_at), result);
        if (good && result->steps == sample_at)
            sample_energy(loaded, result);
        if (good && ((result->steps == record_at && recorded < record_at) || result->stopped)) {
            good = record(loaded, recorder, result);
            recorded = record_at;
        }
        run_progress_show(&progress, tn_sim_time(loaded->sim), plan->grid.duration,
                          fmax(result->max_position_error, result->max_angle_error));
    }
    run_progress_end(&progress);
    if (good && tool_signal() != 0 && result->steps > recorded)
        good = record(loaded, recorder, result);
    sample_energy(loaded, result);
    if (good && tool_signal() != 0) {
        result->status = "interrupted";
        result->exit_code = TOOL_SIGNALLED + tool_signal();
        snprintf(result->message, sizeof result->message, "interrupted at t = %.9g s",
                 tn_sim_time(loaded->sim));
    }
}

void run_loop(tool_loaded *loaded, const run_plan *plan, tn_recorder *recorder, run_result *result)
{
    begin(loaded, plan, result);

    double wall = run_wall_clock();
    double cpu = run_cpu_clock();
    go(loaded, plan, recorder, result);
    if (recorder != NULL && run_events_record(recorder, &result->events, loaded) != TN_OK)
        result->exit_code = tool_exit_code(TN_ERROR_IO);
    tn_status closed = recorder == NULL ? TN_OK : tn_recorder_close(recorder, loaded->diags);
    if (closed != TN_OK && result->exit_code == TOOL_OK) {
        result->status = tool_status_word(closed);
        result->exit_code = tool_exit_code(closed);
        snprintf(result->message, sizeof result->message, "the results cannot be written");
    }
    result->wall_s = run_wall_clock() - wall;
    result->cpu_s = run_cpu_clock() - cpu;
    result->sim_time = tn_sim_time(loaded->sim);
    run_audit_end(result);
    run_accuracy_end(loaded, result);
    if (result->steps > 0 && result->joints > 0) {
        result->step_us_per_joint =
            1e6 * result->step_cpu_s / (double)result->steps / (double)result->joints;
    }
}
