/* breaks.h: room law: joints that break under their load. */
#ifndef TN_LAW_BREAKS_H
#define TN_LAW_BREAKS_H

#include "motion/simulation.h"

/* How far the worst load is beyond its threshold, as a distance (negative: none is). Then
 * switching off what has reached its own: at an event (how many), and at the end of a step, where
 * less than the deadband counts too. */
double tn_breaks_event(const tn_sim *sim);
int32_t tn_breaks_at_event(tn_sim *sim);
/* A load that passes its threshold and is back at the end of a part: noted at the part's stages, t
 * seconds from sim->mark, and looked for between them by parabolas (tn_limits_passed_between). */
void tn_breaks_note(tn_sim *sim, double t);
bool tn_breaks_passed_between(const tn_sim *sim, double h, double *when);
void tn_breaks_at_end(tn_sim *sim);

#endif
