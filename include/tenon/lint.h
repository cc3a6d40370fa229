/* lint.h: what is allowed in a model and probably not meant.
 *
 * Each finding is a warning with its place and its reason. Nothing here is an error: a model with
 * findings runs, and may be right.
 */
#ifndef TENON_LINT_H
#define TENON_LINT_H

#include "tenon/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds the findings: what the reader of the model's file remarked (ranges that look like the other
 * unit of angle, materials, parts and parameters that nothing uses), masses and sizes decades
 * apart, bodies held by nothing, joints twice or far from their bodies, at the present pose
 * coordinates at an end of their range, and what is said to act and does not (coefficients of friction,
 * compliance and damping, restitution, thresholds of breaking, parts of efforts, tables that end). spec is what the simulation's model was compiled from.
 * TN_ERROR_MEMORY; TN_ERROR_ARGUMENT: spec has other items than the model, nothing is added. */
TN_API tn_status tn_sim_lint(const tn_sim *sim, const tn_spec *spec, tn_diagnostics *diags);

#ifdef __cplusplus
}
#endif
#endif
