/* events.h: room motion: the log of the events within a step. */
#ifndef TN_MOTION_EVENTS_H
#define TN_MOTION_EVENTS_H

#include "tenon/sim.h"

typedef struct tn_event_log {
    int32_t count; /* of all events, including those that were not stored */
    tn_event events[TN_EVENTS_KEPT];
} tn_event_log;

void tn_event_log_add(tn_event_log *log, tn_event event);

#endif
