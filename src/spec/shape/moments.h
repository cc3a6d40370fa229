/* moments.h (room: spec/shape): the volume integrals of a solid, the step between a shape's dimensions
 * and its mass properties. One function per kind of TN_SHAPE_LIST, named tn_moments_<kind>, in the
 * shape's own frame; dimensions have been checked before (shape_check.h).
 *
 * In: shapes as the user gives them. Out: mass properties, outlines to draw, or what makes one no
 * solid.
 */
#ifndef TN_SPEC_SHAPE_MOMENTS_H
#define TN_SPEC_SHAPE_MOMENTS_H

#include "tenon/shape.h"

typedef struct tn_moments {
    double volume;    /* m^3 */
    tn_vec3 centroid; /* m */
    tn_mat3 second;   /* m^5, integral of (r - centroid) (r - centroid)^T dV */
} tn_moments;

/* Fails with a diagnostic at def->at when the shape encloses nothing or, for outlines and surfaces,
 * does not bound a solid. */
typedef tn_status (*tn_moments_function)(const tn_shape_def *def, tn_moments *out,
                                         tn_diagnostics *diags);

#define TN_MOMENTS_DECLARE(id, name, doc)                                                          \
    tn_status tn_moments_##name(const tn_shape_def *def, tn_moments *out, tn_diagnostics *diags);
TN_SHAPE_LIST(TN_MOMENTS_DECLARE)
#undef TN_MOMENTS_DECLARE

/* The function of a kind; the kind must be valid. */
tn_moments_function tn_moments_of_kind(tn_shape_kind kind);

#endif
