/* events.c: room motion: stores and returns the events of a step. */
#include "base/base.h"
#include "motion/simulation.h"

static const char *const texts[TN_EVENT_KIND_COUNT] = {
#define TN_EVENT_TEXT(kind, text) text,
    TN_EVENT_LIST(TN_EVENT_TEXT)
#undef TN_EVENT_TEXT
};

const char *tn_event_text(tn_event_kind kind)
{
    return kind >= 0 && kind < TN_EVENT_KIND_COUNT ? texts[kind] : "unknown event";
}

void tn_event_log_add(tn_event_log *log, tn_event event)
{
    if (log->count < TN_EVENTS_KEPT)
        log->events[log->count] = event;
    log->count++;
}

int32_t tn_sim_event_count(const tn_sim *sim)
{
    TN_DEMAND(sim, 0);
    return sim->log.count;
}

const tn_event *tn_sim_event(const tn_sim *sim, int32_t index)
{
    TN_DEMAND(sim, NULL);
    return index >= 0 && index < sim->log.count && index < TN_EVENTS_KEPT ? &sim->log.events[index]
                                                                          : NULL;
}
