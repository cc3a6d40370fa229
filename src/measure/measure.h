/* measure.h: room measure: read-only evaluations of a simulation shared by its files.
 *
 * In: a simulation at rest between steps. Out: numbers about it, in world axes and SI units; the
 * simulation stays as it is.
 */
#ifndef TN_MEASURE_MEASURE_H
#define TN_MEASURE_MEASURE_H

#include "base/base.h"
#include "math/m3.h"
#include "tenon/results.h"

/* The kinematics the multipliers belong to: those of the state, or of the velocity solve. Borrows
 * from the simulation. */
struct tn_system;
struct tn_system tn_measure_reactions(const tn_sim *sim);

/* The wrench moved from one point to another. */
static inline tn_wrench tn_wrench_at(tn_wrench w, tn_vec3 from, tn_vec3 to)
{
    return (tn_wrench){w.f, v3_add(w.m, v3_cross(v3_sub(from, to), w.f))};
}

/* The body's origin in the world; the world's for ground. */
tn_vec3 tn_measure_origin(const tn_sim *sim, const struct tn_system *sys, int32_t body);

/* In a planar world vectors are given by x and y and turns by z of the axes R of a joint's frame. Those with z in the
 * plane, along which a slider goes, are turned for it: x along that, y across, z out of the plane. */
bool tn_measure_lies_in_plane(const tn_model *model, const tn_mat3 *R);
tn_mat3 tn_measure_plane_axes(const tn_model *model, const tn_mat3 *R);
/* On body a, at the origin of C, in these axes. */
TN_SIBLING tn_wrench tn_measure_plane_wrench(const tn_sim *sim, tn_joint joint);
TN_SIBLING bool tn_measure_slides_in_plane(const tn_sim *sim, tn_joint joint);

#endif
