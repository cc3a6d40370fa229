/* tree.h: room motion/tree: velocities, accelerations and multipliers of a tree of bodies at one pose, by one elimination
 * through the motions that its joints leave free (sparse/tree/branches.h).
 *
 * In: kinematics, switches, forces on bodies f and required speeds of rows g. Out: u and the multipliers of
 *
 *     M u - G^T lambda = f,     G u = g
 *
 * with hard rows, armatures as a part of M, and rows that yield left out or as the law of tn_row_law has them: the system
 * of motion/closing/metric.h without its matrix. A joint of any type gives the dual basis of its rows (freedoms.h).
 * Multipliers follow from the equations of Newton and Euler. Their residual is computed for every body, and refined where it
 * is larger than the caller accepts.
 *
 * Limits: no loops, no couplings; all bodies have six motions, or all move in the plane; each has inertia. Where the rows of
 * a joint are nearly dependent, tn_body_tree_take refuses, and the caller takes the general way.
 */
#ifndef TN_MOTION_TREE_TREE_H
#define TN_MOTION_TREE_TREE_H

#include "motion/simulation.h"

/* Makes sim->tree; leaves it NULL if the model is no such tree. */
tn_status tn_body_tree_create(tn_sim *sim);
void tn_body_tree_destroy(tn_sim *sim);

/* Can the tree serve in this state? */
bool tn_body_tree_serves(const tn_sim *sim);

/* Factorizes at the current kinematics, with rows by this law. TN_ERROR_SINGULAR: the general way is to be taken. */
tn_status tn_body_tree_take(tn_sim *sim, const tn_row_law *law, tn_step_report *report);
/* The same where rows that yield are left out. */
tn_status tn_body_tree_take_hard(tn_sim *sim, tn_step_report *report);

/* Solves by the last factor: u, packed, and y, by slots of rows. f or g NULL: 0. `enough`: accepted residual relative to what acts on
 * the bodies, not less than rounding. false: the residual stays above it, and u and y are as before. */
bool tn_body_tree_solve(tn_sim *sim, const double *f, const double *g, double enough, double *u,
                        double *y, tn_step_report *report);

#endif
