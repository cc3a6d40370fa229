/* load.c: see load.h. */
#include "load.h"

#include <stdio.h>
#include <string.h>

#include "file/plain_text.h"
#include "tool.h"

/* Bytes of a model's name that are shown. */
#define LONGEST_TITLE 1024

int tool_exit_code(tn_status status)
{
    switch (status) {
    case TN_OK:
        return TOOL_OK;
    case TN_ERROR_NOT_CONVERGED:
    case TN_ERROR_NOT_FINITE:
    case TN_ERROR_SINGULAR:
    case TN_ERROR_CONFLICT:
    case TN_ERROR_UNSTABLE:
    case TN_ERROR_STIFF:
    case TN_ERROR_LOAD:
    case TN_ERROR_WORK:
    case TN_ERROR_INACCURATE:
    case TN_ERROR_STOPPED:
        return TOOL_NUMERICAL;
    default:
        return TOOL_BAD_INPUT;
    }
}

const char *tool_status_word(tn_status status)
{
    static const char *const words[TN_STATUS_COUNT] = {
        [TN_OK] = "ok",
        [TN_ERROR_MEMORY] = "memory",
        [TN_ERROR_ARGUMENT] = "argument",
        [TN_ERROR_INPUT] = "input",
        [TN_ERROR_IO] = "io",
        [TN_ERROR_NOT_FOUND] = "not_found",
        [TN_ERROR_UNSUPPORTED] = "unsupported",
        [TN_ERROR_NOT_CONVERGED] = "not_converged",
        [TN_ERROR_NOT_FINITE] = "not_finite",
        [TN_ERROR_SINGULAR] = "singular",
        [TN_ERROR_CONFLICT] = "conflict",
        [TN_ERROR_UNSTABLE] = "unstable",
        [TN_ERROR_LOAD] = "load",
        [TN_ERROR_STIFF] = "stiff",
        [TN_ERROR_WORK] = "work",
        [TN_ERROR_INACCURATE] = "inaccurate",
        [TN_ERROR_BUSY] = "busy",
        [TN_ERROR_STOPPED] = "stopped",
    };
    return words[status];
}

const char *tool_title(const tool_loaded *loaded, const char *path)
{
    static char title[LONGEST_TITLE];
    const char *name = tn_model_name(loaded->model);
    return tn_plain_text(name[0] == '\0' ? path : name, title, sizeof title);
}

/* Notes up to this many are shown with their lines, more as one line a kind, of at most so many kinds. */
#define FEW_NOTES  3
#define MOST_KINDS 16
/* Bytes of the words that make a kind. */
#define KIND_SIZE 160

typedef struct note_kind {
    char words[KIND_SIZE];
    const tn_diagnostic *first;
    int count;
} note_kind;

/* The reason that a note ends with, behind its colon; where there is none, its words without what stands in quotes. */
static void find_kind(const char *message, char words[KIND_SIZE])
{
    const char *reason = strstr(message, ": ");
    bool quoted = false;
    size_t used = 0;
    for (const char *c = reason != NULL ? reason : message; *c != '\0' && used + 1 < KIND_SIZE;
         c++) {
        if (strncmp(c, " (also in", 9) == 0)
            break;
        quoted ^= *c == '\'';
        if (!quoted && (*c < '0' || *c > '9'))
            words[used++] = *c;
    }
    words[used] = '\0';
}

/* false: no room for one more kind. */
static bool add_note(note_kind *kinds, int *count, const tn_diagnostic *note)
{
    char words[KIND_SIZE];
    find_kind(note->message, words);
    for (int i = 0; i < *count; i++) {
        if (strcmp(kinds[i].words, words) == 0) {
            kinds[i].count++;
            return true;
        }
    }
    if (*count == MOST_KINDS)
        return false;
    kinds[*count].first = note;
    kinds[*count].count = 1;
    strcpy(kinds[(*count)++].words, words);
    return true;
}

static void show_kinds(const note_kind *kinds, int count, int others)
{
    for (int i = 0; i < count; i++) {
        char text[LONGEST_TITLE], file[LONGEST_TITLE];
        const tn_diagnostic *d = kinds[i].first;
        const size_t length = strcspn(d->message, "\n");
        const char *lines = strstr(d->message, " (also in");
        tn_plain_text(d->message, text, sizeof text);
        if (d->at.file != NULL)
            fprintf(stderr, "%s:%d:%d: ", tn_plain_text(d->at.file, file, sizeof file),
                    (int)d->at.line, (int)d->at.column);
        fprintf(stderr, "note: %.*s",
                (int)(lines != NULL && kinds[i].count > 1 ? (size_t)(lines - d->message) : length),
                text);
        if (kinds[i].count > 1)
            fprintf(stderr, " (and %d more of the kind)", kinds[i].count - 1);
        fputc('\n', stderr);
    }
    if (others > 0)
        fprintf(stderr, "tenon: %d more notes of other kinds\n", others);
    fputs("tenon: --notes all shows every note with its line\n", stderr);
}

/* The notes of what was read as one line a kind, all else as it is. */
static void show_in_short(const tn_diagnostics *diags)
{
    note_kind kinds[MOST_KINDS];
    int count = 0, others = 0;
    tn_diagnostics *rest = tn_diagnostics_create();
    for (int32_t i = 0; i < tn_diagnostics_count(diags); i++) {
        const tn_diagnostic *d = tn_diagnostics_get(diags, i);
        if (d->severity != TN_NOTE) {
            tn_diagnostics_add(rest, d->severity, d->code, d->at, d->hint, "%s", d->message);
        } else if (!add_note(kinds, &count, d)) {
            others++;
        }
    }
    tn_diagnostics_print(rest, stderr, NULL, 0);
    tn_diagnostics_destroy(rest);
    show_kinds(kinds, count, others);
}

int32_t tool_count_warnings(const tn_diagnostics *diags)
{
    int32_t count = 0;
    for (int32_t i = 0; i < tn_diagnostics_count(diags); i++) {
        count += tn_diagnostics_get(diags, i)->severity == TN_WARNING;
    }
    return count;
}

static int count_notes(const tn_diagnostics *diags)
{
    int notes = 0;
    for (int32_t i = 0; i < tn_diagnostics_count(diags); i++) {
        notes += tn_diagnostics_get(diags, i)->severity == TN_NOTE;
    }
    return notes;
}

void tool_show_diagnostics(tool_loaded *loaded)
{
    if (loaded->all_notes || tn_diagnostics_error_count(loaded->diags) > 0 ||
        count_notes(loaded->diags) <= FEW_NOTES) {
        tn_diagnostics_print(loaded->diags, stderr, NULL, 0);
    } else {
        show_in_short(loaded->diags);
    }
    tn_diagnostics_clear(loaded->diags);
}

static const char *integrator_at(const void *context, int index)
{
    (void)context;
    return index < (int)TN_INTEGRATOR_COUNT ? tn_integrator_name((tn_integrator)index) : NULL;
}

static const char *solver_at(const void *context, int index)
{
    (void)context;
    return index < (int)TN_SOLVER_COUNT ? tn_solver_name((tn_solver)index) : NULL;
}

static const char *timing_at(const void *context, int index)
{
    (void)context;
    return index < (int)TN_EVENT_TIMING_COUNT ? tn_event_timing_name((tn_event_timing)index) : NULL;
}

static const char *formulation_at(const void *context, int index)
{
    (void)context;
    return index < (int)TN_FORMULATION_COUNT ? tn_formulation_name((tn_formulation)index) : NULL;
}

/* The direct solver locates its events whatever the model says, unless an option says otherwise. */
static int choose_events(const tool_choice *choice, tn_sim_options *options)
{
    if (options->solver == TN_SOLVER_DIRECT)
        options->events = TN_EVENTS_LOCATED;
    if (choice->events == NULL)
        return TOOL_OK;
    if (tn_event_timing_find(choice->events, &options->events) != TN_OK) {
        tool_unknown("timing of events", choice->events, timing_at, NULL);
        return TOOL_USAGE;
    }
    return TOOL_OK;
}

/* An accuracy needs an integrator with error control; any other takes steps as they are. */
static int choose_accuracy(const tool_choice *choice, tn_sim_options *options)
{
    const bool controls = tn_integrator_controls_errors(options->integrator);
    if (choice->accuracy == 0.0) {
        options->accuracy = controls ? options->accuracy : 0.0;
        return TOOL_OK;
    }
    if (!(choice->accuracy >= TN_LEAST_ACCURACY && choice->accuracy <= TN_MOST_ACCURACY)) {
        tool_error("--accuracy must be between %g and %g", TN_LEAST_ACCURACY, TN_MOST_ACCURACY);
        return TOOL_USAGE;
    }
    if (!controls && choice->integrator != NULL) {
        tool_error("%s takes steps of one length: it has no accuracy to ask for",
                   choice->integrator);
        return TOOL_USAGE;
    }
    if (!controls)
        options->integrator = TN_ACCURATE_INTEGRATOR;
    options->accuracy = choice->accuracy;
    return TOOL_OK;
}

/* Of integrators that have it; an accuracy says itself what the tolerances are. */
static int choose_tolerance(const tool_choice *choice, tn_sim_options *options)
{
    if (choice->relative_tolerance == 0.0)
        return TOOL_OK;
    if (!tn_integrator_controls_errors(options->integrator) || choice->accuracy > 0.0) {
        tool_error("--relative-tolerance is for integrators that control their errors, such as "
                   "dormand_prince, without --accuracy");
        return TOOL_USAGE;
    }
    options->accuracy = 0.0;
    options->relative_tolerance = choice->relative_tolerance;
    return TOOL_OK;
}

static int choose(const tool_choice *choice, tn_sim_options *options)
{
    if (choice == NULL)
        return TOOL_OK;
    if (choice->integrator != NULL &&
        tn_integrator_find(choice->integrator, &options->integrator) != TN_OK) {
        tool_unknown("integrator", choice->integrator, integrator_at, NULL);
        return TOOL_USAGE;
    }
    if (choose_accuracy(choice, options) != TOOL_OK || choose_tolerance(choice, options) != TOOL_OK)
        return TOOL_USAGE;
    if (choice->formulation != NULL &&
        tn_formulation_find(choice->formulation, &options->formulation) != TN_OK) {
        tool_unknown("formulation", choice->formulation, formulation_at, NULL);
        return TOOL_USAGE;
    }
    if (choice->solver != NULL && tn_solver_find(choice->solver, &options->solver) != TN_OK) {
        tool_unknown("solver", choice->solver, solver_at, NULL);
        return TOOL_USAGE;
    }
    if (choice->iterations > 0)
        options->iterations = choice->iterations;
    return choose_events(choice, options);
}

/* A status without a diagnostic (out of memory, say) must be reported too. */
static int failed(tool_loaded *loaded, const char *path, tn_status status)
{
    if (tn_diagnostics_error_count(loaded->diags) == 0)
        tool_error("%s: %s", path, tn_status_text(status));
    return tool_exit_code(status);
}

static tn_status read_spec(const tool_arguments *arguments, tn_diagnostics *diags, tn_spec **out)
{
    tn_setting settings[TOOL_MAX_SETTINGS];
    for (int i = 0; i < arguments->setting_count; i++)
        settings[i] = (tn_setting){arguments->settings[i].name, arguments->settings[i].value};
    return tn_spec_read_file_with(arguments->operand, settings, arguments->setting_count, diags,
                                  out);
}

int tool_load_description(const tool_arguments *arguments, tool_loaded *out)
{
    *out = (tool_loaded){.diags = tn_diagnostics_create(), .all_notes = arguments->all_notes};
    const tn_status status =
        out->diags != NULL ? read_spec(arguments, out->diags, &out->spec) : TN_ERROR_MEMORY;
    return status == TN_OK ? TOOL_OK : failed(out, arguments->operand, status);
}

int tool_read_spec(const tool_arguments *arguments, tn_spec **out)
{
    tool_loaded loaded;
    const int code = tool_load_description(arguments, &loaded);
    tool_show_diagnostics(&loaded);
    *out = loaded.spec;
    tn_diagnostics_destroy(loaded.diags);
    return code;
}

static int load(const tool_arguments *arguments, const tool_choice *choice, int keep_velocities,
                tool_loaded *out)
{
    const char *path = arguments->operand;
    *out = (tool_loaded){.all_notes = arguments->all_notes};
    out->diags = tn_diagnostics_create();
    if (out->diags == NULL)
        return failed(out, path, TN_ERROR_MEMORY);
    tn_status status = read_spec(arguments, out->diags, &out->spec);
    if (status == TN_OK)
        status = tn_model_compile(out->spec, out->diags, &out->model);
    if (status != TN_OK)
        return failed(out, path, status);
    out->options = tn_default_sim_options(out->model);
    out->options.keep_velocities = keep_velocities;
    int code = choose(choice, &out->options);
    if (code != TOOL_OK)
        return code;
    status = tn_sim_create(out->model, &out->options, out->diags, &out->sim);
    return status == TN_OK ? TOOL_OK : failed(out, path, status);
}

int tool_load(const tool_arguments *arguments, const tool_choice *choice, tool_loaded *out)
{
    return load(arguments, choice, 0, out);
}

int tool_load_as_written(const tool_arguments *arguments, tool_loaded *out)
{
    return load(arguments, NULL, 1, out);
}

void tool_unload(tool_loaded *loaded)
{
    tn_sim_destroy(loaded->sim);
    tn_model_destroy(loaded->model);
    tn_spec_destroy(loaded->spec);
    tn_diagnostics_destroy(loaded->diags);
    *loaded = (tool_loaded){0};
}

static const char *joint_at(const void *model, int index)
{
    return index < tn_model_get_size(model).joints ? tn_model_joint_name(model, (tn_joint){index})
                                                   : NULL;
}

int tool_find_joint(const tool_loaded *loaded, const char *name, tn_joint *out)
{
    *out = (tn_joint){-1};
    if (name == NULL || tn_model_find_joint(loaded->model, name, out) == TN_OK)
        return TOOL_OK;
    tn_coupling coupling;
    if (tn_model_find_coupling(loaded->model, name, &coupling) == TN_OK) {
        tool_error("'%s' is a coupling, which has no place and no frames of its own: name one of "
                   "the joints it couples",
                   name);
    } else {
        tool_unknown("joint", name, joint_at, loaded->model);
    }
    return TOOL_BAD_INPUT;
}
