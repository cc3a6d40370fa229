/* momentum.h: room integrate: what floats keeps its momenta exactly. */
#ifndef TN_INTEGRATE_MOMENTUM_H
#define TN_INTEGRATE_MOMENTUM_H

#include "integrate/sim_internal.h"

tn_status tn_momenta_create(tn_sim *sim);
void tn_momenta_destroy(tn_sim *sim);

/* Notes them before a step; restores them after h seconds. */
void tn_momentum_note(tn_sim *sim);
void tn_momentum_restore(tn_sim *sim, double h);

#endif
