/* run.c: `tenon run MODEL`: simulates a model file. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runs/run.h"
#include "tenon/limits.h"
#include "output.h"
#include "signals.h"
#include "tool.h"

enum {
    TIME,
    STEP,
    ACCURACY,
    TOLERANCE,
    INTEGRATOR,
    FORMULATION,
    SOLVER,
    ITERATIONS,
    EVENTS,
    STOP_WHEN,
    EVENT_TABLE,
    CSV,
    HDF5,
    GLTF,
    EVERY,
    WHAT,
    REPORT,
    AUDIT,
    ESTIMATE,
    THREADS,
    QUIET
};

#define LINE_OF_NAME(id, name, text, order, controls) "\n" #name

static const tool_option options[] = {
    [TIME] = {"--time", "S", TOOL_POSITIVE, "seconds to simulate (default: the model's duration)"},
    [STEP] = {"--step", "H", TOOL_POSITIVE, "seconds a step (default: the model's)"},
    [ACCURACY] = {"--accuracy", "A", TOOL_POSITIVE,
                  "requested relative error, 1e-12 to 0.1, with an integrator that\n"
                  "controls its errors (default: the model's)"},
    [TOLERANCE] = {"--relative-tolerance", "T", TOOL_POSITIVE,
                   "error of a part of a step, instead of an accuracy, with an integrator that\n"
                   "controls its errors (default: the model's)"},
    [INTEGRATOR] = {"--integrator", "NAME", TOOL_TEXT,
                    "the model's if not given; one of" TN_INTEGRATOR_LIST(LINE_OF_NAME)},
    [FORMULATION] = {"--formulation", "NAME", TOOL_TEXT,
                     "index_3 or stabilized_index_2, of generalized_alpha\n"
                     "(default: the model's)"},
    [SOLVER] = {"--solver", "NAME", TOOL_TEXT,
                "direct or sequential_impulses (default: the model's); the\n"
                "latter with the integrators of first order only"},
    [ITERATIONS] = {"--iterations", "N", TOOL_POSITIVE,
                    "sweeps of sequential impulses (default: the model's)"},
    [EVENTS] = {"--events", "NAME", TOOL_TEXT,
                "located within steps, or with sequential impulses at_steps\n"
                "(default: the model's)"},
    [STOP_WHEN] = {"--stop-when", "WHAT", TOOL_TEXT,
                   "end after the step in which this happens: an event of the\n"
                   "report such as 'joint broke' or 'limit reached: door', or a\n"
                   "formula as measures have it is true, such as 'pull < 3',\n"
                   "'crank.theta > 90 deg', 't > 2 s && abs(arm.theta.speed) < 1 rpm'"},
    [EVENT_TABLE] = {"--event-table", "FILE", TOOL_TEXT,
                     "write what happened as comma-separated values"},
    [CSV] = {"--csv", "FILE", TOOL_TEXT,
             "write the motion as comma-separated values; - for standard\n"
             "output, without the summary"},
    [HDF5] = {"--hdf5", "FILE", TOOL_TEXT, "write the motion as HDF5"},
    [GLTF] = {"--gltf", "FILE", TOOL_TEXT,
              "write bodies and motion as binary glTF (.glb), for 3-D programs"},
    [EVERY] = {"--every", "S", TOOL_POSITIVE,
               "seconds between records, at least a step (default: the model's, else\nevery step "
               "or about 1000 frames)"},
    [WHAT] = {"--what", "WORD,...", TOOL_TEXT,
              "what is recorded, instead of the model's record: coordinates,\n"
              "reactions and the like, or all; see 'tenon help columns'"},
    [REPORT] = {"--report", "FILE", TOOL_TEXT,
                "write a report as one JSON object; - for standard output"},
    [AUDIT] = {"--audit", NULL, TOOL_FLAG,
               "check balance, joints and energy at every step, with tight\n"
               "reactions; exit code 2 if a tolerance is exceeded"},
    [ESTIMATE] = {"--estimate", NULL, TOOL_FLAG,
                  "how far a run of half the step beside this one is off at worst, with an\n"
                  "integrator that controls its errors one of a tenth of the accuracy;\n"
                  "--audit does so too"},
    [THREADS] = {"--threads", "N", TOOL_POSITIVE,
                 "that work on each step, with the same bits (default: 1); they have\n"
                 "something to do in trees of some ten thousand bodies on hinges"},
    [QUIET] = {"--quiet", NULL, TOOL_FLAG, "no summary and no progress"},
    {NULL, NULL, TOOL_FLAG, NULL},
};

/* Shares of a step that two ways of writing its length may differ by. */
#define TOOL_SAME_STEP 1e-9

#define MOST_ITERATIONS 1000000
#define MOST_THREADS    1024

/* *count as it was where the option is not given. */
static int read_count(const tool_arguments *arguments, int option, int most, int *count)
{
    const tool_value *value = &arguments->value[option];
    if (!value->given)
        return TOOL_OK;
    if (value->number > most || value->number != floor(value->number)) {
        tool_error("%s must be a whole number up to %d", options[option].name, most);
        return TOOL_USAGE;
    }
    *count = (int)value->number;
    return TOOL_OK;
}

/* s, where an accuracy is requested instead of the model's steps. */
static double time_between_looks(double duration, double every)
{
    return every > 0.0 ? fmin(every, duration) : duration / TN_USUAL_LOOKS;
}

/* s: as the user says, or the model. Steps to an accuracy may be any: frames between them are not
 * passed over. */
static double choose_step(const tool_value *value, const tool_loaded *loaded, double duration,
                          double every)
{
    const tn_simulation_def *simulation = tn_model_simulation(loaded->model);
    if (value[STEP].given)
        return value[STEP].number;
    if (value[ACCURACY].given && simulation->accuracy == 0.0)
        return time_between_looks(duration, every);
    const double usual = tn_usual_step(loaded->model, duration);
    return loaded->options.accuracy > 0.0 && every > 0.0 ? fmin(usual, every) : usual;
}

#define WORD_OF_RECORD(name, bit, word, columns, in_plane, meaning) {word, name},
static const struct {
    const char *word;
    uint32_t what;
} recordable[] = {TN_RECORD_LIST(WORD_OF_RECORD){"all", TN_RECORD_ALL}};
#undef WORD_OF_RECORD

enum { RECORDABLE = sizeof recordable / sizeof recordable[0] };

static const char *recordable_at(const void *context, int index)
{
    (void)context;
    return index < RECORDABLE ? recordable[index].word : NULL;
}

/* "coordinates,efforts". */
static int read_what(const char *text, uint32_t *out)
{
    bool more = true;
    *out = 0;
    for (const char *at = text; more;) {
        char word[64];
        const size_t length = strcspn(at, ",");
        int k = 0;
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        while (k < RECORDABLE && strcmp(recordable[k].word, word) != 0)
            k++;
        if (k == RECORDABLE) {
            tool_unknown("such thing to record as", word, recordable_at, NULL);
            return TOOL_USAGE;
        }
        *out |= recordable[k].what;
        more = at[length] == ',';
        at += length + more;
    }
    return TOOL_OK;
}

static int make_plan(const tool_arguments *arguments, const tool_loaded *loaded, run_plan *plan)
{
    const tool_value *value = arguments->value;
    const tn_simulation_def *simulation = tn_model_simulation(loaded->model);
    const double duration = value[TIME].given ? value[TIME].number : simulation->duration;
    const double every =
        value[EVERY].given ? value[EVERY].number : tn_model_record(loaded->model)->every;
    const double step = choose_step(value, loaded, duration, every);
    plan->tells = !value[QUIET].given || value[REPORT].given;
    plan->progress = isatty(STDERR_FILENO) == 1 && !value[QUIET].given;
    if (value[EVERY].given && every < (1.0 - TOOL_SAME_STEP) * step) {
        tool_error("--every %g s is less than a step of %g s, and a step has one record: give a "
                   "shorter --step",
                   every, step);
        return TOOL_USAGE;
    }
    if (!(duration / step < TN_MOST_STEPS_OF_RUN)) {
        tool_error("%g s in steps of %g s are too many steps", duration, step);
        return TOOL_USAGE;
    }
    plan->grid =
        tn_time_grid_of(step, duration, isnan(every) ? tn_usual_every(step, duration) : every);
    plan->record = *tn_model_record(loaded->model);
    return value[WHAT].given ? read_what(value[WHAT].text, &plan->record.what) : TOOL_OK;
}

/* The files a run may write its motion to. */
static const struct {
    int option;
    tn_status (*add)(tn_recorder *recorder, const char *path, tn_diagnostics *diags);
} formats[] = {
    {CSV, tn_recorder_add_csv}, {HDF5, tn_recorder_add_hdf5}, {GLTF, tn_recorder_add_gltf}};

enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

static bool opens_any(const tool_arguments *arguments)
{
    bool any = false;
    for (int k = 0; k < FORMAT_COUNT; k++)
        any |= arguments->value[formats[k].option].given;
    return any;
}

/* A recorder with the requested files, or none. */
static tn_status open_files(const tool_arguments *arguments, const run_plan *plan,
                            tool_loaded *loaded, tn_recorder **out)
{
    tn_status status = TN_OK;
    *out = NULL;
    for (int k = 0; k < FORMAT_COUNT && status == TN_OK; k++) {
        const tool_value *file = &arguments->value[formats[k].option];
        if (file->given && *out == NULL)
            status = tn_recorder_create(loaded->sim, &plan->record, out);
        if (file->given && status == TN_OK)
            status = formats[k].add(*out, file->text, loaded->diags);
    }
    return status;
}

/* Files say what is not unique where they are opened: as for the first frame, the simulation stands as its first step
 * begins, with what holds it there, and is then left as it was. */
static tn_status open_files_at_start(const tool_arguments *arguments, const run_plan *plan,
                                     tool_loaded *loaded, tn_recorder **out)
{
    *out = NULL;
    void *block = malloc(tn_sim_state_size(loaded->sim));
    if (block == NULL)
        return TN_ERROR_MEMORY;
    tn_sim_save(loaded->sim, block);
    tn_sim_start(loaded->sim, tn_time_grid_step(&plan->grid, 0, 0.0), NULL);
    const tn_status status = open_files(arguments, plan, loaded, out);
    tn_sim_restore(loaded->sim, block);
    free(block);
    return status;
}

/* Takes over a failure before the first step, with the first error as message. */
static int not_started(const tool_loaded *loaded, const char *status, int code, run_result *result)
{
    result->status = status;
    result->exit_code = code;
    for (int32_t i = 0; i < tn_diagnostics_count(loaded->diags); i++) {
        const tn_diagnostic *problem = tn_diagnostics_get(loaded->diags, i);
        if (problem->severity == TN_ERROR && result->message[0] == '\0')
            snprintf(result->message, sizeof result->message, "%s", problem->message);
    }
    return code;
}

static const char *failure_word(int code)
{
    return code == TOOL_NUMERICAL ? "numerical" : code == TOOL_USAGE ? "usage" : "input";
}

/* The simulation again, with reactions to round-off. */
static int start_audit(tool_loaded *loaded, run_result *result)
{
    loaded->options.force_tolerance = fmin(loaded->options.force_tolerance, 0.5 * RUN_AUDIT_FORCE);
    loaded->options.max_iterations = RUN_AUDIT_ITERATIONS;
    tn_sim_destroy(loaded->sim);
    loaded->sim = NULL;
    result->audit.on = true;
    return tool_exit_code(
        tn_sim_create(loaded->model, &loaded->options, loaded->diags, &loaded->sim));
}

static int refuse_files(const tool_arguments *arguments, const tool_loaded *loaded)
{
    const char *const files[] = {arguments->value[CSV].text, arguments->value[HDF5].text,
                                 arguments->value[GLTF].text, arguments->value[REPORT].text,
                                 arguments->value[EVENT_TABLE].text};
    return tool_refuse_outputs(arguments->operand, loaded->spec, files,
                               (int)(sizeof files / sizeof files[0]));
}

static int simulate(const tool_arguments *arguments, tool_loaded *loaded, run_plan *plan,
                    run_result *result, int64_t *frames)
{
    tool_choice choice = {
        .integrator = arguments->value[INTEGRATOR].text,
        .formulation = arguments->value[FORMULATION].text,
        .solver = arguments->value[SOLVER].text,
        .events = arguments->value[EVENTS].text,
        .accuracy = arguments->value[ACCURACY].given ? arguments->value[ACCURACY].number : 0.0,
        .relative_tolerance =
            arguments->value[TOLERANCE].given ? arguments->value[TOLERANCE].number : 0.0};
    int threads = 1;
    int code = read_count(arguments, ITERATIONS, MOST_ITERATIONS, &choice.iterations);
    if (code == TOOL_OK)
        code = read_count(arguments, THREADS, MOST_THREADS, &threads);
    if (code == TOOL_OK)
        code = tool_load(arguments, &choice, loaded);
    if (code == TOOL_OK) {
        code = refuse_files(arguments, loaded);
        result->refused = code != TOOL_OK;
    }
    if (code == TOOL_OK)
        code = make_plan(arguments, loaded, plan);
    if (code == TOOL_OK && arguments->value[STOP_WHEN].given &&
        !run_stop_parse(arguments->value[STOP_WHEN].text, loaded, &plan->stop))
        code = TOOL_USAGE;
    if (code == TOOL_OK && arguments->value[AUDIT].given)
        code = start_audit(loaded, result);
    result->estimate.on = arguments->value[ESTIMATE].given || arguments->value[AUDIT].given;
    if (code == TOOL_OK && result->estimate.on)
        code = run_estimate_begin(loaded, &result->estimate);
    if (code == TOOL_OK)
        code = tool_exit_code(tn_sim_set_threads(loaded->sim, threads));
    if (code != TOOL_OK)
        return not_started(loaded, failure_word(code), code, result);

    tn_recorder *recorder = NULL;
    tn_status status =
        opens_any(arguments) ? open_files_at_start(arguments, plan, loaded, &recorder) : TN_OK;
    if (status != TN_OK) {
        if (tn_diagnostics_error_count(loaded->diags) == 0)
            tool_error("%s", tn_status_text(status));
        code = not_started(loaded, tool_status_word(status), tool_exit_code(status), result);
    } else {
        tool_show_diagnostics(loaded); /* warnings come before the progress line */
        result->moved = tool_find_moved(loaded);
        result->is_moved = tool_is_seen(loaded, result->moved);
        run_loop(loaded, plan, recorder, result);
        code = result->exit_code;
        *frames = recorder == NULL ? 0 : tn_recorder_frame_count(recorder);
    }
    tn_recorder_destroy(recorder);
    return code;
}

static void print_summary(const tool_arguments *arguments, const tool_loaded *loaded,
                          const run_plan *plan, const run_result *result, int64_t frames)
{
    const char *files[FORMAT_COUNT + 1] = {NULL};
    int count = 0;
    for (int k = 0; k < FORMAT_COUNT; k++) {
        if (arguments->value[formats[k].option].given)
            files[count++] = arguments->value[formats[k].option].text;
    }
    run_print_summary(tool_title(loaded, arguments->operand), loaded, plan, result, files, frames);
}

static int run(const tool_arguments *arguments)
{
    const tool_value *value = arguments->value;
    bool report_on_stdout = value[REPORT].given && strcmp(value[REPORT].text, "-") == 0;
    const bool csv_on_stdout = value[CSV].given && strcmp(value[CSV].text, "-") == 0;
    if (report_on_stdout && csv_on_stdout) {
        tool_error("--csv and --report cannot both be written to standard output");
        return TOOL_USAGE;
    }
    for (int k = 0; k < FORMAT_COUNT; k++) {
        if (formats[k].option != CSV && value[formats[k].option].given &&
            strcmp(value[formats[k].option].text, "-") == 0) {
            tool_error("%s needs a file: only --csv goes to standard output",
                       options[formats[k].option].name);
            return TOOL_USAGE;
        }
    }
    tool_output report = {0};
    tool_loaded loaded = {0};
    int code = refuse_files(arguments, &loaded); /* and again when its meshes are known */
    if (code == TOOL_OK && value[REPORT].given)
        code = tool_output_open(value[REPORT].text, &report);
    if (code != TOOL_OK)
        return code;
    run_plan plan = {0};
    run_result result = {0};
    int64_t frames = 0;
    tool_listen_in_order(true);
    code = simulate(arguments, &loaded, &plan, &result, &frames);
    if (!result.started && tool_signal() != 0) {
        code = result.exit_code = TOOL_SIGNALLED + tool_signal();
        result.status = "interrupted";
        snprintf(result.message, sizeof result.message, "interrupted before the first step");
    }
    tool_show_diagnostics(&loaded);
    if ((result.started || tool_signal() != 0) && result.message[0] != '\0')
        tool_error("%s", result.message);
    run_measures_warn(&result.measures, &loaded);
    if (result.started && !value[QUIET].given && !report_on_stdout && !csv_on_stdout)
        print_summary(arguments, &loaded, &plan, &result, frames);
    if (report.stream != NULL)
        run_write_report(report.stream, arguments->operand, &loaded, &plan, &result);
    code = tool_output_close(&report, !result.refused, code);
    if (result.started && value[EVENT_TABLE].given &&
        !run_events_save(value[EVENT_TABLE].text, &result.events, &loaded) && code == TOOL_OK)
        code = TOOL_BAD_INPUT;
    run_events_free(&result.events);
    run_estimate_free(&result.estimate);
    run_measures_free(&result.measures);
    tool_unload(&loaded);
    return code;
}

const tool_command tool_run = {
    .name = "run",
    .operand = "MODEL",
    .summary = "simulate a model file",
    .details =
        "The last step is shortened when the steps do not fit into the time. Frames are written\n"
        "at the start, at each multiple of --every, and at the end. One within a step is that of\n"
        "a shorter step to it, which is then taken back.\n"
        "energy_work and energy_lost are what drives and loads put in and what friction,\n"
        "damping and impacts took. energy_max_drift of the report is the largest distance of\n"
        "the total energy from its initial value over 1000 to 2000 samples (every step if there\n"
        "are fewer).\n"
        "accuracy is what all steps together made of nothing or lost, of the energy turned over;\n"
        "a run beyond what may be ends with exit code 2.\n"
        "Progress appears on standard error if that is a terminal. A failing step ends the run\n"
        "with exit code 2; what was recorded until then is kept, and so it is after Ctrl-C.\n",
    .options = options,
    .run = run,
    .reads_model = true,
};
