/* locate.h: room step/event: locates an event within a sub-step.
 *
 * In: a sub-step that has been taken, and its start, sim->mark. Out: the first event in it (law/event_laws.h) and the
 * state there, found by trials from the start, or, where no joint or coupling yields, by interpolation between both
 * ends (dense.h).
 */
#ifndef TN_STEP_EVENT_LOCATE_H
#define TN_STEP_EVENT_LOCATE_H

#include "step/part/span.h"

/* An event is located when F is within this of zero (m, rad): well inside the deadband. */
#define TN_EVENT_TOLERANCE 1e-13

/* Locates the event, if any (*met), that lies within a sub-step of *taken seconds. The state is then that of the event,
 * *taken seconds from sim->mark. *taken = 0: it is at the start, with the multipliers of the sub-step, and the sub-step
 * itself is discarded. */
tn_status tn_span_find_event(tn_sim *sim, const tn_span *span, double *taken, bool *met,
                             tn_step_report *report);

#endif
