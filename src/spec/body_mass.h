/* body_mass.h: the mass properties a body definition stands for.
 *
 * Room spec. Used by the validation and by the compiler of models, so that both mean the same.
 * Shapes are summed; then a given inertia and centre of mass replace theirs; a given mass replaces
 * theirs and, without a given inertia, scales their inertia. A missing centre of mass is the
 * origin. A given mass makes densities unnecessary: shapes without one then weigh as if they all
 * had the same. Bad shapes are reported at their own location and give TN_ERROR_INPUT; the numbers
 * of the definition itself are checked by the validation (validate.h).
 */
#ifndef TN_SPEC_BODY_MASS_H
#define TN_SPEC_BODY_MASS_H

#include "tenon/spec.h"

/* What is known: mass and inertia that neither the definition nor its shapes give are NaN. */
tn_status tn_body_known_mass(const tn_body_def *def, tn_mass_properties *out,
                             tn_diagnostics *diags);

/* What a body of this kind feels: a particle has no inertia, a planar body only that about z, and
 * whatever is not given is 0. *out is unchanged unless TN_OK. */
tn_status tn_body_def_mass(const tn_body_def *def, tn_mass_properties *out, tn_diagnostics *diags);

#endif
