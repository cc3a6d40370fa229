/* within.h: room law: what is beyond its event within a part of a step and back before its end.
 *
 * Forces may be anything between the ends of a part: a load that swings presses a body onto its limit, pulls and presses
 * again while nothing moves. Event functions of forces are sampled at the stages of the part; parabolas through the
 * samples give their largest values between them.
 */
#ifndef TN_LAW_WITHIN_H
#define TN_LAW_WITHIN_H

#include "motion/simulation.h"

/* Where a time (s from sim->mark) stands among those noted, which then are in order; -1: there is no room. */
int tn_within_place(tn_within *w, double t);

/* Is a law, with these values, beyond its event by so much (m, rad) in between 0 and h? *when: s */
bool tn_within_passed(const tn_within *w, const double *beyond, double much, double h,
                      double *when);

/* Do noted values come so near to an event, compared with how far they go in the part, that parabolas may miss it? */
bool tn_within_nearly(const tn_within *w, const double *beyond);

#endif
