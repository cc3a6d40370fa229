/* loads.h: room motion: the loads of a simulation: those of the model, those applied for one
 * step, those the program computes (tenon/load.h).
 */
#ifndef TN_MOTION_LOADS_H
#define TN_MOTION_LOADS_H

#include "assemble/load/loads.h"
#include "motion/simulation.h"

tn_status tn_loads_create(tn_sim *sim);
void tn_loads_destroy(tn_sim *sim);

/* f += all loads at sim->stage_time, the pose of the system and velocities u; their derivatives are
 * kept for tn_loads_fill where asked for. */
void tn_loads_add(const tn_sim *sim, const double *u, bool derivatives, double *f);
/* Those on bodies alone, where nothing is computed by the program; their derivatives,
 * [bodies], of those that they act on; NULL: there are none. */
const tn_load_matrix *tn_loads_add_to_bodies(const tn_sim *sim, const double *u, bool derivatives,
                                             double *f);
/* N or N m of those along coordinates, [joints][TN_MAX_COORDINATES], at sim->stage_time; false: there are none. */
bool tn_loads_efforts(const tn_sim *sim, double *efforts);
/* A load that had no value in this step; -1: none. */
int32_t tn_loads_undefined(const tn_sim *sim);
/* The kept derivatives into the bodies' blocks, see tn_assemble_load_matrices. */
void tn_loads_fill(tn_sim *sim, double stiffness_factor, double damping_factor, const double *u,
                   double *f);

/* Are elements of solids from now on to be in the matrix without what their stress does to it, so that it stays positive
 * definite? Returns whether that changes it. */
bool tn_loads_make_positive(tn_sim *sim, bool positive);
/* An element of a solid that was turned inside out in this step, counted through all solids; -1: none. */
int32_t tn_loads_inverted(const tn_sim *sim);

/* Powers at the state's pose; the work of so many seconds with the powers found last. */
void tn_loads_power(tn_sim *sim);
void tn_loads_account(tn_sim *sim, double seconds);

/* At the start of a step, whose state is there: another set of applied loads than in the last step
 * asks for a restart. After it, if it succeeded: they are used up. */
void tn_loads_begin_step(tn_sim *sim);
void tn_loads_end_step(tn_sim *sim);

/* Is anything from outside the model acting? Then nothing floats, and every pose may be asked for;
 * with efforts or a callback every coordinate too. */
/* What was applied, and the callback, of a simulation that goes on as another one with as many
 * bodies and joints or more; TN_ERROR_MEMORY. */
tn_status tn_loads_carry(const tn_sim *from, tn_sim *to);
bool tn_loads_from_outside(const tn_sim *sim);
/* Does the program compute any? */
bool tn_loads_are_computed(const tn_sim *sim);
/* Is there any load at all? Is there a wrench that was applied to a body? */
bool tn_loads_are(const tn_sim *sim);
bool tn_loads_are_applied(const tn_sim *sim);
bool tn_loads_read_joints(const tn_sim *sim);

#endif
