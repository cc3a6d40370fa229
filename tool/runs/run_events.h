/* run_events.h: what happened during a run: limits, breaks, friction, motors, ropes, change points, cut
 * steps.
 */
#ifndef TN_TOOL_RUN_EVENTS_H
#define TN_TOOL_RUN_EVENTS_H

#include "json.h"
#include "load.h"
#include "tenon/record.h"

/* Beyond those of the library (tn_event_kind). */
enum {
    RUN_EVENT_TAUT = TN_EVENT_KIND_COUNT,
    RUN_EVENT_SLACK,
    RUN_EVENT_FOLD,
    RUN_EVENT_CUT,
    RUN_EVENT_FALLBACK,
    RUN_EVENT_KINDS
};

/* More are counted, but not kept. */
#define RUN_EVENTS_KEPT 10000

typedef struct run_event {
    int kind;
    double time;        /* s */
    tn_joint joint;     /* -1: no joint's */
    int32_t coordinate; /* -1: the whole joint's */
    int32_t side;
    double value; /* see tn_event; distance of a change point; parts of a cut step */
} run_event;

typedef struct run_events {
    run_event *list; /* [kept] */
    int64_t kept, capacity;
    int64_t count[RUN_EVENT_KINDS];
    int64_t lost; /* of the library's log, which was full */
    bool in_fold; /* the last step was near one: one event for each stay */
} run_events;

/* After a successful step. False: out of memory. */
bool run_events_add(run_events *events, const tool_loaded *loaded, const tn_step_report *report);
void run_events_free(run_events *events);

/* A few lines of the summary, members of the report, a table as CSV; the latter answers whether it
 * could be written. */
void run_events_print(const run_events *events, const tool_loaded *loaded);
void run_events_write(tool_json *json, const run_events *events, const tool_loaded *loaded);
bool run_events_save(const char *path, const run_events *events, const tool_loaded *loaded);
/* Into the HDF5 files of a recorder. */
tn_status run_events_record(tn_recorder *recorder, const run_events *events,
                            const tool_loaded *loaded);

/* The kind whose name that is, length bytes; -1: none. Its name; NULL after the last kind. */
int run_event_find(const char *name, size_t length);
const char *run_event_name(int kind);

#endif
