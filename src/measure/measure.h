/* measure.h: room measure: read-only evaluations of a simulation shared by its files. */
#ifndef TN_MEASURE_MEASURE_H
#define TN_MEASURE_MEASURE_H

#include "base/base.h"
#include "math/m3.h"
#include "tenon/results.h"

/* The wrench that the multipliers lambda[TN_MAX_ROWS] of a joint's rows, active or not, make, in
 * the given frame. */
tn_wrench tn_measure_wrench(const tn_sim *sim, int32_t joint, const double *lambda,
                            tn_wrench_frame frame);

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

/* A workspace at a state of a simulation, with kinematics and Jacobian, for analyses that must
 * not touch the simulation's own. Destroy with tn_system_destroy. */
struct tn_state;
tn_status tn_measure_system(const tn_sim *sim, const struct tn_state *state, struct tn_system *sys);

#endif
