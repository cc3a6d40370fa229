/* advance.h: room step: one step by a method, through all its events.
 *
 * In: a simulation at the start of a step, a method. Out: the state h seconds later, which has passed the
 * verification of step.c, or a failure with a report that names the body or joint. step.c tries the whole step, then
 * sub-steps, then the method's fallback; here a sub-step is taken from event to event.
 */
#ifndef TN_STEP_ADVANCE_H
#define TN_STEP_ADVANCE_H

#include "motion/simulation.h"

/* restart.c: makes the state consistent after a jump. h: s, of the steps that follow. */
tn_status tn_restart(tn_sim *sim, double h, tn_step_report *report);

/* Accounts a change of energy at one instant, since it was `before` (J): first the losses of limits that were hit, then
 * the rest, as a loss if energy went and as work if it came. */
void tn_account_jump(tn_sim *sim, double before);
/* The same of an event, where energy may only come from a prescribed motion: any other gain is an energy error. */
void tn_account_event(tn_sim *sim, double before, tn_step_report *report);

/* advance.c: h seconds by a method, from event to event, with a restart first if one is pending. */
tn_status tn_advance(tn_sim *sim, const tn_method *method, double h, tn_step_report *report);

/* May the state share the arrays of its start in a step of h seconds (tn_method.shares_start)? */
bool tn_advance_shares_start(const tn_sim *sim, double h);

#endif
