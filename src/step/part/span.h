/* span.h: room step/part: the way from one event to the next, or to the end of the step.
 *
 * In: a state and a length. Out: the state after a sub-step of that length or at the first event in it, its energy
 * accounting, and the result of its verification.
 */
#ifndef TN_STEP_PART_SPAN_H
#define TN_STEP_PART_SPAN_H

#include "method/method.h"
#include "motion/simulation.h"

typedef struct tn_span {
    const tn_method *method;
    double step;      /* s, the whole step */
    double section;   /* s, from the last event to the end */
    double remaining; /* s, from sim->mark */
    double target;    /* m, rad: the value of F at which an event counts; see TN_LATER_TARGET */
    double longest;   /* s, of the next sub-step: a trial to the event in a longer one has failed */
} tn_span;

/* part.c: takes h seconds from sim->event_time on; and verifies h seconds of the method: *error, as a factor of the
 * allowed one. */
tn_status tn_part_take(tn_sim *sim, const tn_method *method, double h, tn_step_report *report);
tn_status tn_part_judge(tn_sim *sim, const tn_method *method, double h, double *error,
                        tn_step_report *report);

/* Takes h seconds from sim->mark: a trial, which may be repeated. */
tn_status tn_span_trial(tn_sim *sim, const tn_span *span, double h, tn_step_report *report);

/* From sim->mark as far as the method goes in one sub-step, *taken seconds: to the end, or less. */
tn_status tn_span_leap(tn_sim *sim, const tn_span *span, double *taken, tn_step_report *report);

/* m, rad: half the deadband. An event is located at this value of F where the one located at F = 0 was none, because a
 * coordinate that has just left its limit comes back to it. */
#define TN_LATER_TARGET (0.5 * TN_LIMIT_TOLERANCE)

#endif
