/* switches.h: room law: what is on and what is off. */
#ifndef TN_LAW_SWITCHES_H
#define TN_LAW_SWITCHES_H

#include "motion/simulation.h"

/* Switches an element on or off; the caller sees to what follows. */
void tn_switch_element(tn_sim *sim, int32_t element, int enabled);

#endif
