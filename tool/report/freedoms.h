/* freedoms.h: the ways a mechanism can move, in words. */
#ifndef TN_TOOL_FREEDOMS_H
#define TN_TOOL_FREEDOMS_H

#include "tenon/sim.h"

/* Sentences on stdout: each freedom by a coordinate that moves it and those that follow. Sets the
 * simulation's velocities. dof: how many there are. */
void freedoms_print(tn_sim *sim, const tn_model *model, int32_t dof);

#endif
