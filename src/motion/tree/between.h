/* between.h: room motion/tree: poses of a tree between the two ends of a sub-step.
 *
 * What moves is C against D of each joint, or a body that hangs on none against the world: the shift of C's origin in axes of D and
 * the turn from its start in axes of C. The ends give both the cubic Hermite polynomials
 * of their values and rates. Components that a joint keeps are left out of them, so that hinges, sliders, cylindrical, solid and
 * ball joints are met to rounding wherever they are between: the poses of the bodies follow from the root outwards.
 *
 * In: two states, and the kinematics and switches of the later one. Out: the pose of a third.
 *
 * Limits: coordinates that move as they are told to, and joints whose rows are no axes, are off by what the polynomials miss,
 * (h w)^4 / 384.
 */
#ifndef TN_MOTION_TREE_BETWEEN_H
#define TN_MOTION_TREE_BETWEEN_H

#include "motion/simulation.h"

/* What moves is that from one state to a later one, which is the simulation's, by so many seconds. true: all joints are met in
 * between; else some are off by what the polynomials miss. */
bool tn_body_tree_between_begin(tn_sim *sim, const tn_state *from, double length);

/* The pose at a share s of the time, into the state. */
void tn_body_tree_between_put(tn_sim *sim, double s);

#endif
