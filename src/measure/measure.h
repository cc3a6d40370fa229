/* measure.h: room measure: read-only evaluations of a simulation shared by its files. */
#ifndef TN_MEASURE_MEASURE_H
#define TN_MEASURE_MEASURE_H

#include "base/base.h"
#include "tenon/results.h"

/* The wrench that the multipliers lambda[TN_MAX_ROWS] of a joint make, in the given frame. */
tn_wrench tn_measure_wrench(const tn_sim *sim, int32_t joint, const double *lambda,
                            tn_wrench_frame frame);

/* A workspace at the state of a simulation, with kinematics and Jacobian, for analyses that must
 * not touch the simulation's own. Destroy with tn_system_destroy. */
struct tn_system;
tn_status tn_measure_system(const tn_sim *sim, struct tn_system *sys);

#endif
