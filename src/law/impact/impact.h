/* impact.h: room law/impact: what happens at limits at once.
 *
 * In: a state in which limits are reached (law/limits), with all that touches held. Out: the velocities after the impact, and the
 * accelerations and multipliers with which motion goes on; what leaves its limit is let go.
 */
#ifndef TN_LAW_IMPACT_IMPACT_H
#define TN_LAW_IMPACT_IMPACT_H

#include "motion/simulation.h"

tn_status tn_impact_create(tn_sim *sim);
void tn_impact_destroy(tn_sim *sim);
/* With all touching limits held: the velocities after the impact (course.h) in a step of so many seconds; what leaves is let go.
 * Needs current kinematics. */
tn_status tn_impact_resolve(tn_sim *sim, double step, tn_step_report *report);
/* J that limits have taken in impacts since the last call. */
double tn_impact_take_lost(tn_sim *sim);
/* The accelerations and multipliers of the state, after an impact or at a start; what does not push is let go. */
tn_status tn_impact_accelerate(tn_sim *sim, tn_step_report *report);
/* tn_joint_without_motion (motion/ahead/refusals.h), of a start at rest with the limits too that hold it. Works in the mark. */
int32_t tn_impact_without_motion(tn_sim *sim);

#endif
