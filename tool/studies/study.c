/* study.c: `tenon study STUDY`: one model many times, with other values for its parameters.
 *
 * Cases are run by processes, here or by mpirun's on other machines (study.h); results are one HDF5
 * file, the same bytes however many ran them. What is done is in a journal beside it until the study
 * is whole, so that it can be interrupted at any time.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "studies/study.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "record/format/hdf5_library.h"
#include "table/gnuplot.h"
#include "load.h"
#include "output.h"
#include "signals.h"
#include "tool.h"

enum { OUT, CSV, SVG, JOBS, RESTART, ALLOW, QUIET };

static const tool_option options[] = {
    [OUT] = {"--out", "FILE", TOOL_TEXT,
             "the results, as HDF5 (default: the name of the study with .h5)"},
    [CSV] = {"--csv", "FILE", TOOL_TEXT,
             "parameters and results as comma-separated values too; - for\nstandard output"},
    [SVG] = {"--svg", "FILE", TOOL_TEXT,
             "histograms and dependences as SVG or (.png) PNG, with gnuplot"},
    [JOBS] = {"--jobs", "N", TOOL_POSITIVE, "processes at a time (default: one a core)"},
    [RESTART] = {"--restart", NULL, TOOL_FLAG, "do not go on where an interrupted study was"},
    [ALLOW] = {"--allow", "FOLDER", TOOL_LIST,
               "let the study and its model name files below this folder too; may be\n"
               "given again"},
    [QUIET] = {"--quiet", NULL, TOOL_FLAG, "no summary and no progress"},
    {NULL, NULL, TOOL_FLAG, NULL},
};

/* s between two lines of progress, and between two writings of the journal. */
#define PROGRESS_SECONDS 0.2
#define JOURNAL_SECONDS  0.2

double study_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void study_wait(double seconds)
{
    const double whole = floor(seconds);
    const struct timespec pause = {(time_t)whole, (long)(1e9 * (seconds - whole))};
    nanosleep(&pause, NULL);
}

/* ---- while it runs ---- */

static void show_progress(const study_job *job, double now)
{
    int64_t done = 0, failed = 0;
    for (int64_t i = 0; i < job->store.cases; i++) {
        done += study_is_done(&job->store, i);
        failed += study_is_done(&job->store, i) && job->store.status[i] != TN_OK;
    }
    const double speed = (double)(done - job->done_before) / fmax(now - job->started, 1e-9);
    const double left = (double)(job->store.cases - done) / speed;
    fprintf(stderr, "\r\033[K%3.0f %%  %" PRId64 " of %" PRId64 " cases",
            100.0 * (double)done / (double)job->store.cases, done, job->store.cases);
    if (failed > 0)
        fprintf(stderr, "  %" PRId64 " failed", failed);
    if (isfinite(left) && left < 1e8)
        fprintf(stderr, "  %d:%02d left", (int)(left / 60.0), (int)fmod(left, 60.0));
    fflush(stderr);
}

void study_note(study_job *job)
{
    const double now = study_clock();
    if (now - job->noted > JOURNAL_SECONDS) {
        study_journal_write(&job->journal, &job->store);
        job->noted = now;
    }
    if (job->progress && now - job->shown > PROGRESS_SECONDS) {
        show_progress(job, now);
        job->shown = now;
    }
}

static int count_cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/* ---- before and after ---- */

/* The study's name with another ending. */
static char *name_with(const char *study, const char *ending)
{
    const char *slash = strrchr(study, '/'), *dot = strrchr(study, '.');
    const bool has = dot != NULL && (slash == NULL || dot > slash + 1) && dot != study;
    const size_t length = has ? (size_t)(dot - study) : strlen(study);
    char *name = malloc(length + strlen(ending) + 1);
    if (name != NULL)
        sprintf(name, "%.*s%s", (int)length, study, ending);
    return name;
}

static int refuse_files(const tool_arguments *arguments, const tn_study *study, const char *out,
                        const char *journal)
{
    const char *const files[] = {out, arguments->value[CSV].text, arguments->value[SVG].text,
                                 journal};
    const int count = (int)(sizeof files / sizeof *files);
    const char *missing = tn_hdf5_load(); /* reported before hours of work, not after them */
    if (missing != NULL) {
        tool_error("%s: cannot be written: %s", out, missing);
        return TOOL_BAD_INPUT;
    }
    const int code = tool_refuse_outputs(arguments->operand, NULL, files, count);
    return code == TOOL_OK ? tool_refuse_outputs(tn_study_model_path(study), NULL, files, count)
                           : code;
}

/* Names what is missing: 3-17, 40, 100-199. */
static void tell_missing(const study_job *job)
{
    enum { MOST = 12 };
    int64_t missing = 0;
    int ranges = 0;
    for (int64_t i = 0; i < job->store.cases; i++)
        missing += !study_is_done(&job->store, i);
    fprintf(stderr, "tenon: %" PRId64 " of %" PRId64 " cases are missing:", missing,
            job->store.cases);
    for (int64_t i = study_next(&job->store, 0); i < job->store.cases && ranges < MOST;
         i = study_next(&job->store, i)) {
        const int64_t first = i;
        while (i < job->store.cases && !study_is_done(&job->store, i))
            i++;
        fprintf(stderr, first + 1 < i ? "%s %" PRId64 "-%" PRId64 : "%s %" PRId64,
                ranges > 0 ? "," : "", first, i - 1);
        ranges++;
    }
    fprintf(stderr, "%s\ntenon: the same command goes on with them\n",
            ranges == MOST ? ", ..." : "");
}

static int64_t count_done(const study_store *store)
{
    int64_t done = 0;
    for (int64_t i = 0; i < store->cases; i++)
        done += study_is_done(store, i);
    return done;
}

/* Runs what is not done. */
static void run_cases(study_job *job, bool spread)
{
    tool_listen_in_order(false);
    job->done_before = job->journal.count;
    job->started = job->shown = job->noted = study_clock();
    if (spread) {
        study_spread_run(job);
    } else if (job->done_before < job->store.cases) {
        study_run_here(job);
    }
    study_journal_write(&job->journal, &job->store);
    if (job->progress)
        fputs("\r\033[K", stderr);
}

/* The table of the store; messages[cases] is filled. */
static tn_study_table table_of(study_job *job, const char **messages)
{
    for (int64_t i = 0; i < job->store.cases; i++) {
        messages[i] = job->store.messages + i * TN_STUDY_MESSAGE;
        if (study_is_done(&job->store, i))
            continue;
        job->store.status[i] = TN_STUDY_NOT_RUN;
        for (int32_t k = 0; k < job->store.results; k++)
            job->store.values[i * job->store.results + k] = NAN;
    }
    return (tn_study_table){job->store.study, job->store.values, job->store.status, messages};
}

static int write_files(const tool_arguments *arguments, study_job *job, const char *out)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    const char **messages = calloc((size_t)job->store.cases + 1, sizeof *messages);
    if (diags == NULL || messages == NULL) {
        tool_error("out of memory");
        free(messages);
        tn_diagnostics_destroy(diags);
        return TOOL_BAD_INPUT;
    }
    const tn_study_table table = table_of(job, messages);
    const tool_value *value = arguments->value;
    int code = tool_exit_code(tn_study_write(&table, out, diags));
    tn_diagnostics_print(diags, stderr, NULL, 0);
    if (code == TOOL_OK && value[CSV].given)
        code = study_write_csv(&table, value[CSV].text);
    if (code == TOOL_OK && value[SVG].given)
        code = study_draw(&table, value[SVG].text);
    const bool csv_on_stdout = value[CSV].given && strcmp(value[CSV].text, "-") == 0;
    if (code == TOOL_OK && !value[QUIET].given && !csv_on_stdout)
        study_print(stdout, &table, out);
    free(messages);
    tn_diagnostics_destroy(diags);
    return code;
}

/* Cases that failed are said also where no summary is; where there is no other, the study has failed. */
static int tell_failed(const study_job *job)
{
    int64_t failed = 0;
    for (int64_t i = 0; i < job->store.cases; i++)
        failed += job->store.status[i] != TN_OK;
    if (failed > 0)
        tool_error("%" PRId64 " of %" PRId64
                   " cases failed: they have no results, and a message each",
                   failed, job->store.cases);
    return failed > 0 && failed == job->store.cases ? TOOL_NUMERICAL : TOOL_OK;
}

/* Where mpirun ends all because one of them has ended, there is no time for large files: what is done
 * is in the journal. */
static int finish(const tool_arguments *arguments, study_job *job, const char *out, bool spread)
{
    const bool whole = count_done(&job->store) == job->store.cases;
    if (!whole)
        tell_missing(job);
    const int code = whole || !spread ? write_files(arguments, job, out) : TOOL_OK;
    study_journal_close(&job->journal, whole && code == TOOL_OK);
    if (code != TOOL_OK || whole)
        return code != TOOL_OK ? code : tell_failed(job);
    return tool_signal() != 0 ? TOOL_SIGNALLED + tool_signal() : TOOL_STOPPED;
}

static int go(const tool_arguments *arguments, const tn_study *study, bool spread)
{
    const tool_value *value = arguments->value;
    study_job job = {.jobs = value[JOBS].given ? (int)fmax(1.0, fmin(value[JOBS].number, 1e6))
                                               : count_cores(),
                     .progress = isatty(STDERR_FILENO) == 1 && !value[QUIET].given};
    char *usual = name_with(arguments->operand, ".h5");
    const char *out = value[OUT].given ? value[OUT].text : usual;
    char *journal = out != NULL ? name_with(out, ".journal") : NULL;
    int code = journal != NULL && study_store_create(study, &job.store) ? TOOL_OK : TOOL_BAD_INPUT;
    if (code != TOOL_OK)
        tool_error("out of memory");
    if (code == TOOL_OK)
        code = refuse_files(arguments, study, out, journal);
    if (code == TOOL_OK && value[SVG].given)
        code = tool_refuse_ending(options[SVG].name, value[SVG].text, ".svg", ".png");
    if (code == TOOL_OK && value[SVG].given && !tool_gnuplot_is_there()) {
        tool_error("--svg needs gnuplot, which is not there; on Debian: apt-get install "
                   "gnuplot-nox");
        code = TOOL_BAD_INPUT;
    }
    if (code == TOOL_OK)
        code = study_journal_open(journal, value[RESTART].given, &job.store, &job.journal);
    if (code == TOOL_OK) {
        if (job.journal.count > 0 && !value[QUIET].given) {
            fprintf(stderr, "%s: %" PRId64 " cases are there already\n", journal,
                    job.journal.count);
        }
        run_cases(&job, spread);
        code = finish(arguments, &job, out, spread);
    }
    study_store_destroy(&job.store);
    free(usual);
    free(journal);
    return code;
}

static int read_study(const tool_arguments *arguments, bool tells, tn_study **out)
{
    for (int i = 0; i < arguments->listed_count; i++) {
        if (arguments->listed_option[i] == ALLOW && tool_allow(arguments->listed[i]) != TOOL_OK)
            return TOOL_USAGE;
    }
    tn_diagnostics *diags = tn_diagnostics_create();
    const tn_status status =
        diags == NULL ? TN_ERROR_MEMORY : tn_study_read_file(arguments->operand, diags, out);
    if (tells)
        tn_diagnostics_print(diags, stderr, NULL, 0);
    if (tells && status != TN_OK && tn_diagnostics_error_count(diags) == 0)
        tool_error("%s: %s", arguments->operand, tn_status_text(status));
    tn_diagnostics_destroy(diags);
    return tool_exit_code(status);
}

static int run(const tool_arguments *arguments)
{
    const bool spread = study_is_spread();
    bool first = true;
    tn_study *study = NULL;
    int code = spread ? study_spread_begin(&first) : TOOL_OK;
    if (code != TOOL_OK)
        return code;
    code = read_study(arguments, first, &study);
    if (!first) {
        study_spread_serve(study);
    } else {
        if (spread)
            study_spread_open(study);
        if (code == TOOL_OK)
            code = go(arguments, study, spread);
    }
    tn_study_destroy(study);
    if (spread)
        study_spread_end(tool_signal() == 0);
    return first ? code : TOOL_OK;
}

const tool_command tool_study = {
    .name = "study",
    .operand = "STUDY",
    .summary = "run a model with many values of its parameters",
    .details =
        "The study says which parameters vary and how, what is done and what is kept of it:\n"
        "docs/howto/studies.md. Under mpirun its processes share the work, on any number of "
        "machines.\n"
        "Results do not depend on how many there are. Cases that fail are recorded with their\n"
        "message and counted on standard error; if all do, the exit code is 2. Interrupted, the "
        "same command goes on where it was; what is missing is named,\n"
        "and the exit code is 4, or 128 and the number of the signal.\n",
    .options = options,
    .run = run,
};
