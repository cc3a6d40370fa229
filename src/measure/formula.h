/* formula.h: room measure: what a name of a formula (spec/measure/measure_formula.h) is in a state. */
#ifndef TN_MEASURE_FORMULA_H
#define TN_MEASURE_FORMULA_H

#include "spec/measure/measure_formula.h"
#include "tenon/sim.h"

/* SI units and rad. */
TN_SIBLING double tn_formula_term_value(const tn_sim *sim, const tn_formula_term *term);

/* Does it follow from poses alone, whatever the motion and the forces? Coordinates, places, angles, and formulas
 * of such. */
TN_SIBLING bool tn_measure_is_of_pose(const tn_model *model, tn_measure_id measure);

#endif
