/* acts.h: room measure/lint: what is said to act and does not, for tn_sim_lint. */
#ifndef TN_MEASURE_LINT_ACTS_H
#define TN_MEASURE_LINT_ACTS_H

#include "tenon/sim.h"

/* Friction of a coefficient where no constraint carries a force; compliance of what nothing holds, damping of
 * what is hard, bouncing without a limit and thresholds of what is not carried; measures of a part that the coordinate
 * does not have; tables of loads that end before the simulation does. */
void tn_lint_acts(const tn_sim *sim, const tn_spec *spec, tn_diagnostics *diags);

#endif
