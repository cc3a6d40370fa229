/* locate.h: room step/event: where in a part of a step something happens.
 *
 * Room step/event, in: a part that has been taken, and its start, sim->mark. Out: the first event in it
 * (law/event_laws.h) and the state there: found by trials from the start, or, where nothing yields, from
 * both ends of the part (dense.h).
 */
#ifndef TN_STEP_EVENT_LOCATE_H
#define TN_STEP_EVENT_LOCATE_H

#include "step/part/span.h"

/* An event is located when F is within this of zero (m, rad): well inside the deadband. */
#define TN_EVENT_TOLERANCE 1e-13

/* The event that a part of *taken seconds has gone past, if any: *met. The state is then that of the event, *taken seconds
 * from sim->mark; *taken = 0: it is at the start, with the multipliers of the part, and nothing of the part is kept. */
tn_status tn_span_find_event(tn_sim *sim, const tn_span *span, double *taken, bool *met,
                             tn_step_report *report);

#endif
