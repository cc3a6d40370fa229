/* shape_check.h (room: spec/shape): refuses shape definitions that describe no solid. */
#ifndef TN_SPEC_SHAPE_SHAPE_CHECK_H
#define TN_SPEC_SHAPE_SHAPE_CHECK_H

#include "tenon/shape.h"

/* Distinguishes a definition made by tn_default_shape_def from a zeroed one. */
#define TN_SHAPE_DEF_COOKIE 0x53484150u /* "SHAP" */

/* Facets beyond which the round solid is reached to the last digit and only time is lost. */
#define TN_SHAPE_MAX_SLICES 1000000

/* Every parameter of the kind, the pose, density and mass; all problems at once. */
tn_status tn_shape_check(const tn_shape_def *def, double density, tn_diagnostics *diags);

#endif
