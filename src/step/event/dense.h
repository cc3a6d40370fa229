/* dense.h: room step/event: states within a part that has been taken, from both of its ends.
 *
 * In: sim->mark, where the part began, and sim->state, where it ended. Out: the state in between: pose
 * and velocities by the cubic Hermite polynomials of the ends, put onto the joints; accelerations and
 * multipliers solved for there. What the polynomials miss, (h w)^4 / 384, is below what a step of second
 * order does, and is no other motion than that of the step.
 *
 * Limits: trees (motion/tree/tree.h). A state whose accelerations are not between those of the ends is refused. It remembers
 * nothing: the next step of the method begins anew.
 */
#ifndef TN_STEP_EVENT_DENSE_H
#define TN_STEP_EVENT_DENSE_H

#include "step/part/span.h"

tn_status tn_dense_create(tn_sim *sim);
void tn_dense_destroy(tn_sim *sim);

/* The state ends a part of so many seconds from sim->mark, in which others are going to be asked for.
 * false: they are to be found by the method itself. */
bool tn_dense_begin(tn_sim *sim, const tn_span *span, double length);

/* Pose and velocities t seconds from sim->mark, as tn_span_trial has them, with accelerations and multipliers
 * between those of the ends; a failure: the method is to find it. */
tn_status tn_dense_place(tn_sim *sim, double t, tn_step_report *report);
/* The same as the polynomials have it: joints are open by what these miss. */
tn_status tn_dense_glance(tn_sim *sim, double t, tn_step_report *report);
/* What of the motion there is wanted as the equations have it: velocities on the joints; and accelerations and multipliers. */
typedef enum tn_dense_need {
    TN_NEEDS_NOTHING, /* poses alone */
    TN_NEEDS_SPEEDS,
    TN_NEEDS_FORCES
} tn_dense_need;

/* The motion of the polynomials at t, with speeds or forces of the start, for who asks whether he needs them. */
void tn_dense_take_motion(tn_sim *sim, double t, tn_dense_need of_start);
/* Then that is found. */
tn_status tn_dense_finish(tn_sim *sim, tn_dense_need need, tn_step_report *report);
/* Is t so near to where that was done that what the polynomials missed there is what they miss at t? To go there by them, less
 * that. */
bool tn_dense_reaches(const tn_sim *sim, double t);
tn_status tn_dense_go_on(tn_sim *sim, double t, tn_step_report *report);

#endif
