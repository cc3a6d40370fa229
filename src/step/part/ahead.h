/* ahead.h: room step/part: parts of a step that end behind it.
 *
 * Where nothing can happen within a part (method/stages/choice.c), its length is what the errors
 * allow, not what remains of the step. What is handed out at the end of the step is the state in the
 * middle of the part, as it follows from its stages (tn_method.look), and the next step goes on with
 * the part. So the motion is the same whoever looks at it when, but for rounding of what is seen.
 *
 * A state in the middle of a part remembers, behind what its method does, all that moves as it was at
 * the part's start: from there the part is taken again, bit for bit, after a restore. Whatever is
 * changed from outside makes it a state of its own (tn_state_head.restart): the part counts no more.
 */
#ifndef TN_STEP_PART_AHEAD_H
#define TN_STEP_PART_AHEAD_H

#include "step/part/span.h"

/* Bytes of the memory of a simulation's states: the method's, and what a state in the middle of a part
 * remembers. */
size_t tn_ahead_memory_size(const tn_sim *sim);
tn_status tn_ahead_create(tn_sim *sim);
void tn_ahead_destroy(tn_sim *sim);

/* The state, and the simulation, are not in the middle of a part any more. */
void tn_ahead_forget(tn_sim *sim);

/* The part of so many seconds from sim->mark has ended in sim->state, behind the step: the state at
 * the end of the step instead, span->remaining being 0; or, with a failure, any. */
tn_status tn_ahead_take(tn_sim *sim, tn_span *span, double length, tn_step_report *report);

/* At the start of a step that may be in the middle of a part: on to the end of the step, or to that of
 * the part. */
tn_status tn_ahead_go_on(tn_sim *sim, tn_span *span, tn_step_report *report);

#endif
