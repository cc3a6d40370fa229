/* advance.h: room step: a step taken from event to event. */
#ifndef TN_STEP_ADVANCE_H
#define TN_STEP_ADVANCE_H

#include "motion/simulation.h"

/* restart.c: makes the state consistent after a jump, for steps of h seconds. */
tn_status tn_restart(tn_sim *sim, double h, tn_step_report *report);

/* advance.c: h seconds by a method, restarting first if need be, from event to event. */
tn_status tn_advance(tn_sim *sim, const tn_method *method, double h, tn_step_report *report);

#endif
