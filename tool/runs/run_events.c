/* run_events.c: what happened during a run (run_events.h). */
#include "runs/run_events.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "runs/run.h"
#include "tool.h"

static const char *const texts[RUN_EVENT_KINDS] = {
    [RUN_EVENT_TAUT] = "rope taut",           [RUN_EVENT_SLACK] = "rope slack",
    [RUN_EVENT_FOLD] = "near a change point", [RUN_EVENT_CUT] = "step cut",
    [RUN_EVENT_FALLBACK] = "fallback",
};

static const char *text_of(int kind)
{
    return kind < TN_EVENT_KIND_COUNT ? tn_event_text((tn_event_kind)kind) : texts[kind];
}

const char *run_event_name(int kind)
{
    return kind < RUN_EVENT_KINDS ? text_of(kind) : NULL;
}

int run_event_find(const char *name, size_t length)
{
    for (int kind = 0; kind < RUN_EVENT_KINDS; kind++) {
        if (strlen(text_of(kind)) == length && strncmp(text_of(kind), name, length) == 0)
            return kind;
    }
    return -1;
}

static bool keep(run_events *events, run_event event)
{
    events->count[event.kind]++;
    if (events->kept == RUN_EVENTS_KEPT)
        return true;
    if (events->kept == events->capacity) {
        const int64_t capacity = events->capacity > 0 ? 2 * events->capacity : 64;
        run_event *grown = realloc(events->list, sizeof *grown * (size_t)capacity);
        if (!grown)
            return false;
        events->list = grown;
        events->capacity = capacity;
    }
    events->list[events->kept++] = event;
    return true;
}

/* Limits of ropes are what makes them taut. */
static bool is_rope(const tn_model *model, tn_joint joint)
{
    const tn_model_size size = tn_model_get_size(model);
    return joint.i < size.joints && strcmp(tn_model_joint_info(model, joint)->name, "rope") == 0;
}

static run_event of_library(const tool_loaded *loaded, const tn_event *e)
{
    int kind = (int)e->kind;
    const bool limit = e->kind == TN_EVENT_LIMIT_REACHED || e->kind == TN_EVENT_LIMIT_RELEASED;
    if (limit && is_rope(loaded->model, e->joint))
        kind = e->kind == TN_EVENT_LIMIT_REACHED ? RUN_EVENT_TAUT : RUN_EVENT_SLACK;
    return (run_event){kind, e->time, e->joint, e->coordinate, e->side, e->value};
}

static run_event of_step(int kind, const tool_loaded *loaded, tn_joint joint, double value)
{
    return (run_event){kind, tn_sim_time(loaded->sim), joint, -1, 0, value};
}

bool run_events_add(run_events *events, const tool_loaded *loaded, const tn_step_report *report)
{
    const int32_t all = tn_sim_event_count(loaded->sim);
    const int32_t logged = all < TN_EVENTS_KEPT ? all : TN_EVENTS_KEPT;
    const tn_joint none = {-1};
    bool good = true;
    events->lost += all - logged;
    for (int32_t k = 0; k < logged && good; k++)
        good = keep(events, of_library(loaded, tn_sim_event(loaded->sim, k)));
    if (good && report->halvings > 0)
        good = keep(events, of_step(RUN_EVENT_CUT, loaded, none, (double)(1 << report->halvings)));
    if (good && report->fallbacks > 0)
        good = keep(events, of_step(RUN_EVENT_FALLBACK, loaded, none, report->fallbacks));
    if (good && report->folds > 0 && !events->in_fold) {
        good = keep(events,
                    of_step(RUN_EVENT_FOLD, loaded, report->fold_joint, report->fold_distance));
    }
    events->in_fold = report->folds > 0;
    return good;
}

void run_events_free(run_events *events)
{
    free(events->list);
    *events = (run_events){0};
}

/* "joint pin", "theta of joint crank", or "". In buffer. */
static const char *place_of(const run_event *e, const tool_loaded *loaded, char *buffer,
                            size_t size)
{
    buffer[0] = '\0';
    if (e->joint.i < 0)
        return buffer;
    const char *name = tn_model_joint_name(loaded->model, e->joint);
    const tn_joint_type_info *info = tn_model_joint_info(loaded->model, e->joint);
    if (e->coordinate >= 0) {
        snprintf(buffer, size, "%s.%s", name, info->coordinates[e->coordinate].name);
    } else {
        snprintf(buffer, size, "%s", name);
    }
    return buffer;
}

/* Does friction by a coefficient act along lengths with round bounds? */
static bool rubs_in_rounds(const tool_loaded *loaded)
{
    bool some = false;
    for (int32_t j = 0; j < tn_spec_joint_count(loaded->spec); j++) {
        const tn_joint_def *def = tn_spec_joint(loaded->spec, (tn_joint){.i = j});
        for (int32_t k = 0; k < def->drive_count && def->round; k++)
            some |= def->drives[k].friction.static_coefficient > 0.0 ||
                    def->drives[k].friction.coefficient > 0.0;
    }
    return some;
}

/* Have there been impacts where that could have taken a share of them, and does not (tenon/drive.h)? Where steps look for
 * nothing within them it does. */
static bool spares_impulses(const run_events *events, const tool_loaded *loaded)
{
    return loaded->options.events != TN_EVENTS_AT_STEPS &&
           events->count[TN_EVENT_LIMIT_REACHED] + events->count[RUN_EVENT_TAUT] > 0 &&
           rubs_in_rounds(loaded);
}

/* One line per kind: how often, and the first of them. */
void run_events_print(const run_events *events, const tool_loaded *loaded)
{
    if (spares_impulses(events, loaded))
        printf(
            "  impacts      have no friction along lengths with round bounds: coefficients act on "
            "forces alone there\n");
    if (events->count[TN_EVENT_MOTION_JUMPS] > 0)
        printf("  impulses     of a prescribed motion that jumps are in no force; a spline through "
               "its "
               "points has none\n");
    if (events->count[TN_EVENT_MOTION_HELD] > 0)
        printf("  drives       a prescribed motion was not followed: the range or the lock of its "
               "coordinate comes first\n");
    for (int kind = 0; kind < RUN_EVENT_KINDS; kind++) {
        char place[160];
        const run_event *first = NULL;
        for (int64_t k = 0; k < events->kept && !first; k++)
            first = events->list[k].kind == kind ? &events->list[k] : NULL;
        if (!first)
            continue;
        place_of(first, loaded, place, sizeof place);
        printf("  event        %s%s%s at %.6g s", text_of(kind), place[0] ? ": " : "", place,
               first->time);
        if (events->count[kind] > 1)
            printf(", and %" PRId64 " more", events->count[kind] - 1);
        putchar('\n');
    }
}

static void write_event(tool_json *json, const run_event *e, const tool_loaded *loaded)
{
    const bool joint = e->joint.i >= 0, coordinate = joint && e->coordinate >= 0;
    tool_json_open(json, NULL, '{');
    tool_json_number(json, "time", e->time);
    tool_json_text(json, "event", text_of(e->kind));
    tool_json_text(json, "joint", joint ? tn_model_joint_name(loaded->model, e->joint) : NULL);
    tool_json_text(
        json, "coordinate",
        coordinate ? tn_model_joint_info(loaded->model, e->joint)->coordinates[e->coordinate].name
                   : NULL);
    tool_json_integer(json, "side", e->side);
    tool_json_number(json, "value", e->value);
    tool_json_close(json, '}');
}

void run_events_write(tool_json *json, const run_events *events, const tool_loaded *loaded)
{
    int64_t count = events->lost;
    for (int kind = 0; kind < RUN_EVENT_KINDS; kind++)
        count += events->count[kind];
    tool_json_integer(json, "event_count", count);
    tool_json_integer(json, "friction_spares_impulses", spares_impulses(events, loaded));
    tool_json_open(json, "events", '[');
    for (int64_t k = 0; k < events->kept; k++)
        write_event(json, &events->list[k], loaded);
    tool_json_close(json, ']');
}

/* In quotes if need be (RFC 4180). */
static void put_cell(FILE *file, const char *text)
{
    const bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (quoted)
        fputc('"', file);
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            fputc('"', file);
        fputc(*c, file);
    }
    if (quoted)
        fputc('"', file);
}

bool run_events_save(const char *path, const run_events *events, const tool_loaded *loaded)
{
    tool_output out;
    if (tool_output_open(path, &out) != TOOL_OK)
        return false;
    FILE *file = out.stream;
    fputs("t [s],event,where,side,value\n", file);
    for (int64_t k = 0; k < events->kept; k++) {
        char place[160];
        const run_event *e = &events->list[k];
        fprintf(file, "%.17g,%s,", e->time, text_of(e->kind));
        put_cell(file, place_of(e, loaded, place, sizeof place));
        fprintf(file, ",%d,%.17g\n", (int)e->side, e->value);
    }
    return tool_output_close(&out, true, TOOL_OK) == TOOL_OK;
}

tn_status run_events_record(tn_recorder *recorder, const run_events *events,
                            const tool_loaded *loaded)
{
    enum { PLACE = 160 };
    const size_t n = (size_t)events->kept;
    tn_record_event *list = calloc(n + 1, sizeof *list);
    char *places = calloc(n + 1, PLACE);
    tn_status status = list && places ? TN_OK : TN_ERROR_MEMORY;
    for (size_t k = 0; k < n && status == TN_OK; k++) {
        const run_event *e = &events->list[k];
        list[k] =
            (tn_record_event){e->time, text_of(e->kind),
                              place_of(e, loaded, places + PLACE * k, PLACE), e->side, e->value};
    }
    if (status == TN_OK)
        status = tn_recorder_write_events(recorder, list, (int32_t)n, loaded->diags);
    free(list);
    free(places);
    return status;
}
