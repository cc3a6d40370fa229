/* impulse_steps.h: room method: the solves of a first-order step by sequential impulses. */
#ifndef TN_METHOD_IMPULSE_STEPS_H
#define TN_METHOD_IMPULSE_STEPS_H

#include "motion/simulation.h"

/* The workspace of a method; nothing where the solver is another. */
tn_status tn_impulse_steps_create(tn_sim *sim);
void tn_impulse_steps_destroy(tn_sim *sim);

/* The two solves of a step, with the systems prepared: velocities u+ into sys.du and impulses into
 * sys.y over h seconds; one position pass. */
tn_status tn_velocity_by_impulses(tn_sim *sim, double h, tn_step_report *report);
tn_status tn_correct_by_impulses(tn_sim *sim, tn_step_report *report);

#endif
