/* body_mass.h: room spec: the mass properties a body definition stands for. */
#ifndef TN_SPEC_BODY_MASS_H
#define TN_SPEC_BODY_MASS_H

#include "tenon/spec.h"

/* Explicit values win; what is unset comes from the shapes; a mass with shapes but without inertia
 * scales the shapes' properties. Particles and planar bodies keep only what they can feel. Fixed
 * bodies may have no mass. Problems are reported at the definition's location; *out is then
 * unchanged and the status TN_ERROR_INPUT. */
tn_status tn_body_def_mass(const tn_body_def *def, tn_mass_properties *out,
                           tn_diagnostics *diags);

#endif
