/* ahead.h: room step/part: sub-steps that end after the end of their step.
 *
 * Where no event is possible within a sub-step (method/stages/choice.c), its length is set by the errors, not by what
 * remains of the step. The state at the end of the step is then a sample in the middle of the sub-step, computed from
 * its stages (tn_method.look), and the next step continues with the sub-step. So the motion does not depend on output
 * times, but for the round-off of the samples.
 *
 * A state in the middle of a sub-step keeps, after the memory of the method, everything that moves as it was at the
 * sub-step's start: after a restore the sub-step is taken again from there, bit for bit. A change from outside
 * restarts the state (tn_state_head.restart) and drops the sub-step.
 */
#ifndef TN_STEP_PART_AHEAD_H
#define TN_STEP_PART_AHEAD_H

#include "step/part/span.h"

/* Bytes of the memory of a simulation's states: that of the method, and what a state in the middle of a sub-step
 * keeps. */
size_t tn_ahead_memory_size(const tn_sim *sim);
tn_status tn_ahead_create(tn_sim *sim);
void tn_ahead_destroy(tn_sim *sim);

/* The state, and the simulation, are not in the middle of a sub-step any more. */
void tn_ahead_forget(tn_sim *sim);

/* The sub-step of `length` seconds from sim->mark has ended in sim->state, after the end of the step. Sets the state to
 * that at the end of the step and span->remaining to 0; on failure the state is undefined. */
tn_status tn_ahead_take(tn_sim *sim, tn_span *span, double length, tn_step_report *report);

/* At the start of a step that may be in the middle of a sub-step: continues to the end of the step, or to that of the
 * sub-step. */
tn_status tn_ahead_go_on(tn_sim *sim, tn_span *span, tn_step_report *report);

#endif
