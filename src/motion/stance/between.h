/* between.h: room motion/stance: poses of a tree (tree_order.h) between two that it has had.
 *
 * In: two states a time apart, and a share of that. Out: the pose there, by the cubic Hermite polynomials of what
 * each joint turns by, and of the ways of bodies that float, and its kinematics. Joints hold by construction: of a hinge
 * the polynomial is of its angle, and turns that a ball's held coordinates do not have are taken back from it.
 */
#ifndef TN_MOTION_STANCE_BETWEEN_H
#define TN_MOTION_STANCE_BETWEEN_H

#include "motion/simulation.h"

/* The cubic with these values and rates at 0 and 1. */
static inline double tn_cubic_between(double s, double w_0, double d_0, double w_1, double d_1)
{
    const double rise = w_1 - w_0, b = 3.0 * rise - 2.0 * d_0 - d_1, a = d_0 + d_1 - 2.0 * rise;
    return w_0 + s * (d_0 + s * (b + s * a));
}

/* From sim->mark to the state, so many seconds later; where tn_stance_serves. */
void tn_stance_ends(tn_sim *sim, double length);
/* The pose at a share s of that, and its kinematics; all else of the state is as it is. */
void tn_stance_between(tn_sim *sim, double s);

#endif
