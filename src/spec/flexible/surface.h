/* surface.h: room spec/flexible: faces of a mesh of solid elements. */
#ifndef TN_SPEC_FLEXIBLE_SURFACE_H
#define TN_SPEC_FLEXIBLE_SURFACE_H

#include "spec/spec_internal.h"

/* The faces that one element has alone, *faces of which this gives the number; -1: no memory. tn_free(*faces). */
int32_t tn_solid_outer_faces(const tn_solid_element *elements, int32_t count,
                             tn_solid_face **faces);

#endif
