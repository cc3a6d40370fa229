/* events.h: room motion: the list of what happened within a step. */
#ifndef TN_MOTION_EVENTS_H
#define TN_MOTION_EVENTS_H

#include "tenon/sim.h"

typedef struct tn_event_log {
    int32_t count; /* of all, also those that were not kept */
    tn_event events[TN_EVENTS_KEPT];
} tn_event_log;

void tn_event_log_add(tn_event_log *log, tn_event event);

#endif
