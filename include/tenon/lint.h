/* lint.h: findings in a model that is valid but probably not as intended.
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

/* Adds the findings to diags:
 *
 * - from the model's file: ranges that look like the other unit of angle; unused materials, parts and
 *   parameters;
 * - masses and sizes decades apart; bodies held by nothing; joints twice, or far from their bodies;
 * - coordinates at an end of their range at the present pose;
 * - settings without effect: coefficients of friction, compliance and damping, restitution, break
 *   thresholds, parts of efforts, tables that end.
 *
 * spec: the one the simulation's model was compiled from. TN_ERROR_MEMORY; TN_ERROR_ARGUMENT: spec has other
 * items than the model, nothing is added. */
TN_API tn_status tn_sim_lint(const tn_sim *sim, const tn_spec *spec, tn_diagnostics *diags);

#ifdef __cplusplus
}
#endif
#endif
