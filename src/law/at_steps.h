/* at_steps.h: room law: steps of sequential impulses without events within them. */
#ifndef TN_LAW_AT_STEPS_H
#define TN_LAW_AT_STEPS_H

#include "law/drives/drive_changes.h"

/* Does the simulation take such steps? The calls below that may be made otherwise do nothing. */
int tn_at_steps(const tn_sim *sim);

/* Before a step: chooses what holds each coordinate. After it, h seconds later: advances the time and logs what changed. */
void tn_at_steps_begin(tn_sim *sim);
void tn_at_steps_end(tn_sim *sim, double h);

/* Bounds of the impulses, and speeds of bounded rows into sys.g: of the velocity solve that is
 * prepared. */
void tn_at_steps_bound(tn_sim *sim, double h, double *lo, double *hi);
/* After the solve with this number, whose velocities are sys.du: what holds has changed, and the
 * velocities are to be solved again? */
int tn_at_steps_again(tn_sim *sim, double h, int pass);
/* After the move, before the position pass: what has no part in that. */
void tn_at_steps_settle(tn_sim *sim);

#endif
