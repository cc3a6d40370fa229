/* knots.h: room motion/ahead: when what is given over the time is not smooth next.
 *
 * Loads, prescribed motions, what motors want and where springs rest may be tables, or formulas with choices: a part that went over
 * a point of one would lose its order there, and a pulse that lies between its stages would be none.
 *
 * A formula may jump at such a point. The part that ends there sees it as it is before, the one that begins there as it is behind:
 * times that rounding brings to the point itself are moved to their side of it, sim->smooth_from and smooth_to.
 */
#ifndef TN_MOTION_AHEAD_KNOTS_H
#define TN_MOTION_AHEAD_KNOTS_H

#include "motion/simulation.h"

/* At the start of a part, sim->event_time: the point at which a table or formula that moves or drives a coordinate bends there, or a load
 * jumps, s; -INFINITY: none does. Speeds or accelerations are other ones from then on. */
double tn_knot_here(const tn_sim *sim);
/* s from there to the first point that is yet to come, of loads too; INFINITY: there is none, or it is further than `longest`. *jump: the
 * last time before the first one at which a formula may jump. */
double tn_knot_ahead(const tn_sim *sim, double longest, double *jump);
/* The last time of a part that ends at a knot, so many seconds from its start: before the knot, wherever rounding has put it. */
double tn_knot_before(const tn_sim *sim, double knot);

/* The same of methods whose steps have one length, h, for the bends of given motions alone, at which speeds jump: a step over one is an
 * acceleration of dv / h, after which second order rings. A point of a table that has others no more than h before and behind it is a
 * sample of a motion that has no such bends: steps go over it. Crests of formulas count as bends ahead, where a part ends for no reason. */
tn_status tn_knots_create(tn_sim *sim);
void tn_knots_destroy(tn_sim *sim);
double tn_bend_here(const tn_sim *sim, double h);
double tn_bend_ahead(const tn_sim *sim, double longest, double h);

#endif
