/* tree.h: room motion/tree: how a tree of bodies answers at one pose, by one elimination through what its joints leave
 * free (sparse/tree/branches.h).
 *
 * In: kinematics, switches, forces on bodies f and what rows are asked for, g. Out: u and the multipliers of
 *
 *     M u - G^T lambda = f,     G u = g
 *
 * with rows that hold hard, armatures as a part of M, and rows that yield left out or as the law of tn_row_law has them:
 * the system of motion/closing/metric.h without its matrix. No row is written down: a joint of any type gives its dual
 * twists (freedoms.h). Multipliers are what Newton and Euler leave; what that is off by is looked at on every body, and
 * solved for where it is more than is accepted.
 *
 * Limits: no loops, no couplings; bodies with six motions, or all of them in the plane, with inertia of their own. Where
 * rows of a joint do not tell motions apart the general way is to be taken.
 */
#ifndef TN_MOTION_TREE_TREE_H
#define TN_MOTION_TREE_TREE_H

#include "motion/simulation.h"

/* sim->tree; NULL: the model is no such tree. */
tn_status tn_body_tree_create(tn_sim *sim);
void tn_body_tree_destroy(tn_sim *sim);

/* May it be asked now? */
bool tn_body_tree_serves(const tn_sim *sim);

/* The factor at the kinematics of now, of rows by this law. TN_ERROR_SINGULAR: the general way is to be taken. */
tn_status tn_body_tree_take(tn_sim *sim, const tn_row_law *law, tn_step_report *report);
/* The same where rows that yield are left out. */
tn_status tn_body_tree_take_hard(tn_sim *sim, tn_step_report *report);

/* By the factor at hand: u, packed, and y, by slots of rows. f and g NULL: 0. `enough`: of what acts on bodies, the share
 * that their equations may be off; less than rounding is rounding. false: it stays above that. */
bool tn_body_tree_solve(tn_sim *sim, const double *f, const double *g, double enough, double *u,
                        double *y, tn_step_report *report);

#endif
