/* momentum.h: room motion: what floats keeps its momenta exactly. */
#ifndef TN_MOTION_MOMENTUM_H
#define TN_MOTION_MOMENTUM_H

#include "motion/simulation.h"

tn_status tn_momenta_create(tn_sim *sim);
void tn_momenta_destroy(tn_sim *sim);

/* Notes them before a step; restores them after h seconds. */
void tn_momentum_note(tn_sim *sim);
void tn_momentum_restore(tn_sim *sim, double h);

#endif
