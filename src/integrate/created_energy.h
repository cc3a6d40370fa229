/* created_energy.h: room integrate: energy that a step of first order makes from nothing. */
#ifndef TN_INTEGRATE_CREATED_ENERGY_H
#define TN_INTEGRATE_CREATED_ENERGY_H

#include "integrate/sim_internal.h"

/* Between velocity solve and move: the energy that the joints have created, relative to the kinetic
 * energy. */
double tn_created_share(tn_sim *sim);

#endif
