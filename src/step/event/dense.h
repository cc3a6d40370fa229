/* dense.h: room step/event: states within a sub-step that has been taken, interpolated from both of its ends.
 *
 * In: sim->mark, the start of the sub-step, and sim->state, its end. Out: the state in between: pose and velocities
 * from the cubic Hermite polynomials of the ends, with joints closed; accelerations and multipliers solved for there.
 * The error of the polynomials, (h w)^4 / 384, is below that of a step of second order: they describe the motion of
 * the step itself.
 *
 * Limits: trees (motion/tree/tree.h). A state whose accelerations are not between those of the ends is refused. The
 * memory of the method is lost: its next step is a restart.
 */
#ifndef TN_STEP_EVENT_DENSE_H
#define TN_STEP_EVENT_DENSE_H

#include "step/part/span.h"

tn_status tn_dense_create(tn_sim *sim);
void tn_dense_destroy(tn_sim *sim);

/* The state ends a sub-step of `length` seconds from sim->mark, between whose ends states are going to be requested.
 * false: interpolation is not possible, and the method itself has to compute them. */
bool tn_dense_begin(tn_sim *sim, const tn_span *span, double length);

/* Pose and velocities t seconds from sim->mark, as tn_span_trial has them, with accelerations and multipliers
 * interpolated between those of the ends. On failure the method has to compute them. */
tn_status tn_dense_place(tn_sim *sim, double t, tn_step_report *report);
/* The same without closing joints: they are open by the error of the polynomials. */
tn_status tn_dense_glance(tn_sim *sim, double t, tn_step_report *report);
/* What is solved for there, beyond the polynomials: velocities that satisfy the joints; accelerations and
 * multipliers. */
typedef enum tn_dense_need {
    TN_NEEDS_NOTHING, /* poses alone */
    TN_NEEDS_SPEEDS,
    TN_NEEDS_FORCES
} tn_dense_need;

/* The motion of the polynomials at t, but with the speeds or forces of the start: tests whether F depends on them. */
void tn_dense_take_motion(tn_sim *sim, double t, tn_dense_need of_start);
/* Solves for what is needed at the state made last. */
tn_status tn_dense_finish(tn_sim *sim, tn_dense_need need, tn_step_report *report);
/* Is t so near to the state solved last that the polynomials have the same error there? tn_dense_go_on then moves to
 * t by the polynomials less that error. */
bool tn_dense_reaches(const tn_sim *sim, double t);
tn_status tn_dense_go_on(tn_sim *sim, double t, tn_step_report *report);

#endif
