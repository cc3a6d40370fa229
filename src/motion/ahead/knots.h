/* knots.h: room motion/ahead: the next time at which a prescribed function of time is not smooth.
 *
 * Loads, prescribed motions, motor targets and rest lengths of springs may be tables, or formulas with conditions. A
 * sub-step across a knot of one would lose its order there, and a pulse between its stages would be missed.
 *
 * A formula may jump at a knot. The sub-step that ends there uses the values before the jump, the one that begins there
 * those after it: times that round-off brings to the knot itself are moved to their side of it, sim->smooth_from and
 * smooth_to.
 */
#ifndef TN_MOTION_AHEAD_KNOTS_H
#define TN_MOTION_AHEAD_KNOTS_H

#include "motion/simulation.h"

/* At the start of a sub-step, sim->event_time: the knot there of a table or formula that moves or drives a
 * coordinate, or of a load that jumps, s; -INFINITY: there is none. Speeds or accelerations may jump there. */
double tn_knot_here(const tn_sim *sim);
/* s from the start to the next knot, of loads too; INFINITY: there is none within `longest`. *jump: the last time
 * before the first knot at which a formula may jump. */
double tn_knot_ahead(const tn_sim *sim, double longest, double *jump);
/* The end time of a sub-step that ends at a knot, this many seconds from its start: certainly before the knot,
 * whatever the round-off. */
double tn_knot_before(const tn_sim *sim, double knot);

/* The same two for methods whose steps have one length, h, and for bends of prescribed motions only, where speeds
 * jump: a step across one has an acceleration of dv / h, after which second order oscillates. A point of a table
 * with others within h before and after it is a sample of a smooth motion: steps go across it. Crests of formulas
 * count as bends ahead: a sub-step ends there without need. */
tn_status tn_knots_create(tn_sim *sim);
void tn_knots_destroy(tn_sim *sim);
double tn_bend_here(const tn_sim *sim, double h);
double tn_bend_ahead(const tn_sim *sim, double longest, double h);

#endif
