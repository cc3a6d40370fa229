/* advance.h: room step: one step made safe.
 *
 * In: a simulation at the start of a step, a method. Out: the state h seconds later, which passes
 * what step.c judges, or the state as it was, and a report that names the culprit. step.c tries the
 * whole step, then parts, then the method's fallback; here a part is taken from event to event.
 */
#ifndef TN_STEP_ADVANCE_H
#define TN_STEP_ADVANCE_H

#include "motion/simulation.h"

/* restart.c: makes the state consistent after a jump, for steps of h seconds. */
tn_status tn_restart(tn_sim *sim, double h, tn_step_report *report);

/* What has happened at once since the energy was `before`: lost in limits that were hit, and what else went, or put in
 * where there is more. */
void tn_account_jump(tn_sim *sim, double before);
/* The same of an event: more is put in only where a motion is given, else it was made of nothing. */
void tn_account_event(tn_sim *sim, double before, tn_step_report *report);

/* advance.c: h seconds by a method, restarting first if need be, from event to event. */
tn_status tn_advance(tn_sim *sim, const tn_method *method, double h, tn_step_report *report);

/* May the state share the arrays of its start in a step of h seconds (tn_method.shares_start)? */
bool tn_advance_shares_start(const tn_sim *sim, double h);

#endif
