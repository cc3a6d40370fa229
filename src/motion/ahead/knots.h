/* knots.h: room motion/ahead: when what is given over the time is not smooth next.
 *
 * Loads, prescribed motions, what motors want and where springs rest may be tables: a part that went over a point of one would lose
 * its order there, and a pulse that lies between its stages would be none.
 */
#ifndef TN_MOTION_AHEAD_KNOTS_H
#define TN_MOTION_AHEAD_KNOTS_H

#include "motion/simulation.h"

/* At the start of a part, sim->event_time: the point at which a table that moves or drives a coordinate bends there, s; -INFINITY: none
 * does. Speeds or accelerations are other ones from then on. */
double tn_knot_here(const tn_sim *sim);
/* s from there to the first point that is yet to come, of loads too; INFINITY: there is none. */
double tn_knot_ahead(const tn_sim *sim);

#endif
