/* momentum.h: room motion: conserves the momenta of floating components exactly. */
#ifndef TN_MOTION_MOMENTUM_H
#define TN_MOTION_MOMENTUM_H

#include "motion/simulation.h"

tn_status tn_momenta_create(tn_sim *sim);
void tn_momenta_destroy(tn_sim *sim);

/* Notes the momenta before a step; restores them after h seconds. */
void tn_momentum_note(tn_sim *sim);
void tn_momentum_restore(tn_sim *sim, double h);

/* The change of the momenta of all floating components since they were noted, h seconds ago, and the sums of the
 * magnitudes of the bodies' own, for comparison: kg m/s, and about the centre of each component kg m^2/s. */
typedef struct tn_momentum_change {
    double linear, angular, linear_size, angular_size;
} tn_momentum_change;
tn_momentum_change tn_momentum_changed(const tn_sim *sim, double h);

#endif
