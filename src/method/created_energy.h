/* created_energy.h: room method: energy that a step of first order makes from nothing. */
#ifndef TN_METHOD_CREATED_ENERGY_H
#define TN_METHOD_CREATED_ENERGY_H

#include "motion/simulation.h"

/* Between velocity solve and move: the energy that the joints have created, relative to the kinetic
 * energy. */
double tn_created_share(tn_sim *sim);

#endif
