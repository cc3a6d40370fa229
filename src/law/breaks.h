/* breaks.h: room law: joints that break under their load. */
#ifndef TN_LAW_BREAKS_H
#define TN_LAW_BREAKS_H

#include "motion/simulation.h"

/* How far the worst load is beyond its threshold, as a distance (negative: none is). Then
 * switching off what has reached its own: at an event (how many), and at the end of a step, where
 * less than the deadband counts too. */
double tn_breaks_event(tn_sim *sim);
int32_t tn_breaks_at_event(tn_sim *sim);
/* A load that passes its threshold and is back at the end of a part: noted at the part's stages, t
 * seconds from sim->mark, and looked for between them by parabolas (tn_limits_passed_between). */
void tn_breaks_note(tn_sim *sim, double t);
bool tn_breaks_passed_between(const tn_sim *sim, double h, double *when);
/* How long a part from sim->mark may be, s, that would be `length` otherwise: a change point, where loads have a
 * pole that no polynomial sees, is come upon in parts that halve the distance. *untold_at: of a part that goes through
 * where loads are not told, or comes near, the time up to which they are, else 0; what they become there is to be found
 * from poses up to then, noted t seconds from sim->mark: TN_POLE_SAMPLES of them, the first of which is noted already. */
double tn_breaks_longest(tn_sim *sim, double length, double *untold_at, tn_step_report *report);
void tn_breaks_note_pole(tn_sim *sim, double t, tn_step_report *report);
void tn_breaks_at_end(tn_sim *sim);

#endif
