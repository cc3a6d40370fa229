/* loads.h: room assemble/load: the sums of loads over bodies (force/load.h).
 *
 * In: poses and kinematics of a system, velocities, a time. Out: forces, added to those of the
 * bodies; on request minus their derivatives by pose and velocity, one matrix per body, for the
 * matrices of implicit steps. Derivatives between two bodies are left out: the matrix has no block
 * there. This changes the convergence and no result.
 */
#ifndef TN_ASSEMBLE_LOAD_LOADS_H
#define TN_ASSEMBLE_LOAD_LOADS_H

#include "assemble/system.h"

/* Matrices of one body in its full motions (v of the centre of mass, w in body axes). */
typedef struct tn_load_matrix {
    double stiffness[6][6], damping[6][6];
} tn_load_matrix;

/* Where loads go to. */
typedef struct tn_load_sums {
    double *f;                /* [velocities], added to */
    tn_load_matrix *matrices; /* [bodies], added to; NULL: no derivatives */
    int32_t undefined;        /* index of a load without a value; -1: none so far */
} tn_load_sums;

/* All loads of the model. kin must be current of joints with efforts. */
void tn_assemble_loads(const tn_system *sys, const tn_state *state, const double *u, double time,
                       tn_load_sums *sums);

/* Those of them that act on bodies, all but efforts. */
void tn_assemble_body_loads(const tn_system *sys, const double *u, double time, tn_load_sums *sums);

/* One load on one of its bodies, about the body's centre of mass, world axes. 0: no value. */
int tn_assemble_load_wrench(const tn_system *sys, const tn_state *state, const double *u,
                            double time, int32_t load, int32_t body, tn_wrench *out);

/* Its power, W; NaN: no value. *push (N, may be NULL) += what it works where the poses of its bodies are off by 1 m and
 * 1 rad, about, in J. */
double tn_assemble_load_power(const tn_system *sys, const tn_state *state, const double *u,
                              double time, int32_t load, double *push);

/* A wrench on a body about its origin, world axes, added. */
void tn_add_wrench_at_origin(const tn_system *sys, int32_t body, tn_wrench w, double *f);
/* An effort along the coordinate of a joint that is on, added. */
void tn_add_effort(const tn_system *sys, const tn_state *state, int32_t joint, int32_t coordinate,
                   double effort, double *f);
/* Matrices of the wrench on a point at arm r (world axes) from the centre of mass into those of the
 * body, in world axes, row-major 6 x 6; their symmetric part. */
void tn_add_derivative(const tn_system *sys, int32_t body, tn_vec3 r, const double at_point[36],
                       double out[6][6]);

/* Derivative of the moment of a force F at the arm c as the body turns, body axes: (c . F) 1 minus the symmetric
 * part of F c^T. */
void tn_add_turning_arm(tn_vec3 c, tn_vec3 F, double out[6][6]);

/* stiffness_factor K + damping_factor D of a body in its own motions, out[dim * dim], as far as half of its inertia,
 * block and delta (which may be NULL), stays: else the damping alone; false: nothing. */
bool tn_load_matrix_of(const tn_model_body *body, const tn_load_matrix *matrix, const double *block,
                       const double *delta, double stiffness_factor, double damping_factor,
                       double *out);

/* The h of values, of every body, += stiffness_factor K + damping_factor D, as far as half of its inertia
 * stays: else the damping alone, or nothing. f (may be NULL) += what the damping that is in the
 * matrix takes from velocities u. */
void tn_assemble_load_matrices(tn_system *sys, const tn_load_matrix *matrices,
                               double stiffness_factor, double damping_factor, const double *u,
                               double *f);

#endif
