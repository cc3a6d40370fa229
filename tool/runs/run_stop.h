/* run_stop.h: --stop-when: "joint broke", "joint broke: pin", or a formula over what measures may
 * name: "crank.theta > 90deg", "pull < 3", "t > 2 s && abs(arm.theta.speed) < 1 deg/s".
 */
#ifndef TN_TOOL_RUN_STOP_H
#define TN_TOOL_RUN_STOP_H

#include "load.h"
#include "runs/run_events.h"
#include "spec/measure/measure_formula.h"

enum { RUN_STOP_TERMS = 16, RUN_STOP_TEXT = 512 };

typedef struct run_stop {
    bool on;
    int kind;       /* of an event; -1: a formula */
    tn_joint joint; /* of the event; -1: any */
    char text[RUN_STOP_TEXT];
    tn_formula_term terms[RUN_STOP_TERMS]; /* the names in the formula, by their places in it */
    int32_t term_count;
} run_stop;

/* False after a message. */
bool run_stop_parse(const char *text, const tool_loaded *loaded, run_stop *out);
/* Since the event number `from` of the list. */
bool run_stop_met(const run_stop *stop, const tool_loaded *loaded, const run_events *events,
                  int64_t from);

#endif
