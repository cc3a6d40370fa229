/* solids.h: room measure/lint: solids whose elements lock, for tn_sim_lint. */
#ifndef TN_MEASURE_LINT_SOLIDS_H
#define TN_MEASURE_LINT_SOLIDS_H

#include "tenon/sim.h"

/* One warning for each solid whose Poisson's ratio is above what its elements bear. */
void tn_lint_solids(const tn_spec *spec, tn_diagnostics *diags);

#endif
