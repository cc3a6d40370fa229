/* span.h: room step/part: the way from one event to the next, or to the end of the step.
 *
 * Room step/part, in: a state and a length. Out: the state after a part of that length or up to
 * the first event in it, its books of energy, and the verdict of the judge.
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
    double target;    /* m, rad: what F is at an event; see TN_LATER_TARGET */
    double longest;   /* s, of the next part: what was longer could not be taken to its event */
} tn_span;

/* part.c: h seconds from sim->event_time on; and on h seconds of the method: *error, in units of
 * what may be. */
tn_status tn_part_take(tn_sim *sim, const tn_method *method, double h, tn_step_report *report);
tn_status tn_part_judge(tn_sim *sim, const tn_method *method, double h, double *error,
                        tn_step_report *report);

/* h seconds from sim->mark: a trial, any number of which may be made. */
tn_status tn_span_trial(tn_sim *sim, const tn_span *span, double h, tn_step_report *report);

/* From sim->mark as far as the method goes at once, *taken seconds: to the end, or a part of it. */
tn_status tn_span_leap(tn_sim *sim, const tn_span *span, double *taken, tn_step_report *report);

/* Half the deadband: where an event is looked for when the one found at F = 0 was none, because
 * what has just left its limit comes back to it. */
#define TN_LATER_TARGET (0.5 * TN_LIMIT_TOLERANCE)

#endif
