/* course.h: room law/impact: an impact in its course.
 *
 * With every touching limit held (rows N, pushing inwards only):
 *   M (u+ - u) = G^T L + N^T p,  G u+ = 0,  0 <= p  _|_  N u+ + e N u >= 0
 * e is the restitution of the coordinate, 0 of what hardly bounces (rest_speed). At an upper limit the signs of p and of the row
 * turn round. A limit whose motion row is compliant takes no part. Friction by a coefficient has its part in the impulses (rub.h).
 *
 * In: velocities, and every touching limit held. Out: the velocities after the impact and the impulses: in phases that end where sliding
 * stops; restitution is Newton's or, where friction has impulses, that of energy.
 */
#ifndef TN_LAW_IMPACT_COURSE_H
#define TN_LAW_IMPACT_COURSE_H

#include "motion/simulation.h"

/* All at once: the change of the velocities in sys.du and the impulses in sys.y, with or without restitution. */
tn_status tn_impact_solve(tn_sim *sim, int bouncing, tn_step_report *report);
/* u += share times sys.du. */
void tn_impact_add_change(tn_sim *sim, double share);

/* The velocities of the state become those after the impact; those before are in impact->course.start, what it has
 * taken is added to impact->lost. */
tn_status tn_impact_change(tn_sim *sim, tn_step_report *report);

/* What leaves its limit more slowly rests (m/s, rad/s). */
double tn_impact_rest_speed(const tn_sim *sim, int32_t j, int32_t i);

#endif
