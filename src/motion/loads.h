/* loads.h: room motion: the loads of a simulation: those of the model, those applied for one
 * step, those the program computes (tenon/load.h).
 */
#ifndef TN_MOTION_LOADS_H
#define TN_MOTION_LOADS_H

#include "assemble/load/loads.h"
#include "motion/simulation.h"

tn_status tn_loads_create(tn_sim *sim);
void tn_loads_destroy(tn_sim *sim);

/* f += all loads at sim->stage_time, for the pose of the system and velocities u. `derivatives`: computes theirs too
 * and stores them for tn_loads_fill. */
void tn_loads_add(const tn_sim *sim, const double *u, bool derivatives, double *f);
/* The same for models whose loads act on bodies alone, without any from the program. Returns their derivatives,
 * [bodies], of the bodies they act on; NULL: there are none. */
const tn_load_matrix *tn_loads_add_to_bodies(const tn_sim *sim, const double *u, bool derivatives,
                                             double *f);
/* Loads along coordinates, N or N m, [joints][TN_MAX_COORDINATES], at sim->stage_time; false: there are none. */
bool tn_loads_efforts(const tn_sim *sim, double *efforts);
/* A load that had no value in this step; -1: none. */
int32_t tn_loads_undefined(const tn_sim *sim);
/* Adds the stored derivatives to the bodies' blocks, see tn_assemble_load_matrices. */
void tn_loads_fill(tn_sim *sim, double stiffness_factor, double damping_factor, const double *u,
                   double *f);

/* Chooses whether elements of solids enter the matrix without their stress stiffness, so that it stays positive
 * definite. Returns whether that is a change. */
bool tn_loads_make_positive(tn_sim *sim, bool positive);
/* An element of a solid that was inverted in this step, counted through all solids; -1: none. */
int32_t tn_loads_inverted(const tn_sim *sim);

/* Powers at the state's pose; then the work of this many seconds by the powers computed last. */
void tn_loads_power(tn_sim *sim);
void tn_loads_account(tn_sim *sim, double seconds);

/* At the start of a step: requests a restart if the applied loads differ from those of the last step. After a step that
 * succeeded: the applied loads are used up. */
void tn_loads_begin_step(tn_sim *sim);
void tn_loads_end_step(tn_sim *sim);

/* Does anything from outside the model act? Then no component floats, and a callback may read every pose; with efforts
 * or a callback also every coordinate. */
/* Copies what was applied, and the callback, to a simulation that replaces this one and has as many bodies and
 * joints or more; TN_ERROR_MEMORY. */
tn_status tn_loads_carry(const tn_sim *from, tn_sim *to);
bool tn_loads_from_outside(const tn_sim *sim);
/* Does the program compute any load? */
bool tn_loads_are_computed(const tn_sim *sim);
/* Is there any load at all? Is there a wrench that was applied to a body? */
bool tn_loads_are(const tn_sim *sim);
bool tn_loads_are_applied(const tn_sim *sim);
bool tn_loads_read_joints(const tn_sim *sim);

#endif
