/* refusals.h: room motion/ahead: what there is no motion to go on with.
 *
 * In: a pose and velocities on the joints, or the way of a step. Out: how far the next change point
 * is (fold_ahead.h), and whose joint there is no motion to go on with, so that the step is refused.
 */
#ifndef TN_MOTION_AHEAD_REFUSALS_H
#define TN_MOTION_AHEAD_REFUSALS_H

#include "motion/simulation.h"

/* beginning.c: the joint that would open because the velocities are the beginning of no motion, at
 * a change point those of no branch, or because at rest the loads lead along a freedom that is one
 * to first order only; -1: there is none. Works in the backup. */
int32_t tn_joint_without_motion(tn_sim *sim);

/* lines.c: TN_ERROR_SINGULAR, naming the joint, when the step, or part of one, to the state went
 * through the end of a line along which something acts. */
tn_status tn_lines_check(const tn_sim *sim, const tn_state *from, tn_step_report *report);
/* lines.c: how fast the line along which something acts that is next to its end comes there: its speed by its length, 1/s,
 * and whose it is; 0 and -1: no line shortens. */
double tn_lines_rate(const tn_sim *sim, int32_t *joint);

#endif
