/* breaks.h: room law: joints that break under their load. */
#ifndef TN_LAW_BREAKS_H
#define TN_LAW_BREAKS_H

#include "motion/simulation.h"

/* How far the worst load is beyond its threshold, as a distance (negative: none is). Then
 * switching off what has reached its own: at an event (how many), and at the end of a step, where
 * less than the deadband counts too. */
double tn_breaks_event(const tn_sim *sim);
int32_t tn_breaks_at_event(tn_sim *sim);
void tn_breaks_at_end(tn_sim *sim);

#endif
