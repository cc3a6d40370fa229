/* check_turns.h: whether motors that are to turn on and on get round. */
#ifndef TENON_CHECK_TURNS_H
#define TENON_CHECK_TURNS_H

#include "tenon/sim.h"

/* Warns of those that a dead point stops, at their joints. TN_ERROR_MEMORY. */
tn_status tool_check_turns(tn_sim *sim, const tn_spec *spec, tn_diagnostics *diags);

#endif
