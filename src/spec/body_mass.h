/* body_mass.h: the mass properties that a body definition stands for.
 *
 * Room spec. Used by the validation and by the compiler of models, so that both mean the same.
 */
#ifndef TN_SPEC_BODY_MASS_H
#define TN_SPEC_BODY_MASS_H

#include "tenon/spec.h"

/* Shapes are summed; then a given inertia and centre of mass replace theirs; a given mass replaces
 * theirs and, without a given inertia, scales their inertia. What neither the definition nor its
 * shapes say stays NaN (a missing centre of mass is the origin). A given mass makes densities
 * unnecessary: shapes without one then weigh as if they all had the same. Fixed bodies need none.
 * Bad shapes are reported and give TN_ERROR_INPUT; the numbers of the definition itself are not
 * checked here (validate.h). */
tn_status tn_body_mass_properties(const tn_body_def *def, tn_diagnostics *diags,
                                  tn_mass_properties *out);

#endif
