/* refusals.h: room motion/ahead: conditions under which a step cannot continue.
 *
 * In: a pose and velocities that satisfy the joints, or the start and end of a step. Out: the distance to the next
 * change point (fold_ahead.h), or the joint for which no motion continues, so that the step is refused.
 */
#ifndef TN_MOTION_AHEAD_REFUSALS_H
#define TN_MOTION_AHEAD_REFUSALS_H

#include "motion/simulation.h"

/* beginning.c: the joint that would open because no motion can begin: at a change point with velocities of no
 * branch, or at rest with loads along a degree of freedom that exists to first order only. -1: there is none. Uses
 * the backup as scratch. */
int32_t tn_joint_without_motion(tn_sim *sim);

/* lines.c: TN_ERROR_SINGULAR, naming the joint, if a line along which something acts passed through zero length between
 * `from` and the state. */
tn_status tn_lines_check(const tn_sim *sim, const tn_state *from, tn_step_report *report);
/* lines.c: rate of shortening of the line, among those along which something acts, that reaches zero length first:
 * its speed divided by its length, 1/s, and its joint; 0 and -1: no line shortens. */
double tn_lines_rate(const tn_sim *sim, int32_t *joint);

#endif
