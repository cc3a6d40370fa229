/* sim.h: a model in motion: state, stepping, save and restore.
 *
 * tn_sim_step allocates nothing, never aborts and never lets a NaN out: a step that fails leaves
 * the state as it was before the step, and the report names the culprit.
 */
#ifndef TENON_SIM_H
#define TENON_SIM_H

#include "tenon/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tn_sim tn_sim;

typedef struct tn_sim_options {
    uint32_t cookie;
    tn_integrator integrator;
    double spectral_radius;    /* generalized_alpha's damping at infinite frequency, 0 .. 1; 0.8 */
    double position_tolerance; /* m and rad: joint error accepted after a step; 1e-11 */
    int32_t max_iterations;    /* Newton iterations of a step; 8 */
} tn_sim_options;

/* The defaults with the integrator of the model's simulation section. */
TN_API tn_sim_options tn_default_sim_options(const tn_model *model);

/* Makes a simulation at the model's initial state. The model must outlive it. The initial poses
 * are corrected to satisfy the joints; a joint that cannot be satisfied is an error. */
TN_API tn_status tn_sim_create(const tn_model *model, const tn_sim_options *options,
                               tn_diagnostics *diags, tn_sim **out);
TN_API void tn_sim_destroy(tn_sim *sim);
TN_API const tn_model *tn_sim_model(const tn_sim *sim);

/* What a step met. Numerical events are counted, never hidden. */
typedef struct tn_step_report {
    tn_status status;
    int32_t iterations;     /* Newton iterations */
    int32_t factorizations; /* of the KKT matrix */
    int32_t solves;         /* back-solves */
    int32_t fallbacks;      /* sub-steps taken with a more robust method */
    int32_t halvings;       /* times the step was halved */
    double position_error;  /* m, largest error of a hard linear row after the step */
    double angle_error;     /* rad, largest error of a hard rotary row */
    double smallest_pivot;  /* scaled; near the regularisation where rows are redundant */
    tn_joint worst_joint;   /* joint with the largest error; index -1 if none */
    tn_body culprit_body;   /* on failure: the body, or index -1 */
    tn_joint culprit_joint; /* on failure: the joint, or index -1 */
} tn_step_report;

/* Advances by h > 0 seconds. report may be NULL. On any status but TN_OK the state is unchanged. */
TN_API tn_status tn_sim_step(tn_sim *sim, double h, tn_step_report *report);

TN_API double tn_sim_time(const tn_sim *sim); /* s */

/* The whole state as one block of tn_sim_state_size bytes: what restore needs to go on with the
 * same bits. Only for simulations of the same model with the same options. */
TN_API size_t tn_sim_state_size(const tn_sim *sim);
TN_API void tn_sim_save(const tn_sim *sim, void *block);
TN_API tn_status tn_sim_restore(tn_sim *sim, const void *block);

/* One body. The velocity is in world axes at the body's origin. Setting poses or velocities
 * restarts the integrator's memory; joints are not re-assembled. */
TN_API tn_pose tn_sim_body_pose(const tn_sim *sim, tn_body body);
TN_API tn_twist tn_sim_body_velocity(const tn_sim *sim, tn_body body);
TN_API tn_status tn_sim_set_body_pose(tn_sim *sim, tn_body body, tn_pose pose);
TN_API tn_status tn_sim_set_body_velocity(tn_sim *sim, tn_body body, tn_twist velocity);
TN_API tn_vec3 tn_sim_marker_position(const tn_sim *sim, tn_marker marker);

/* Moves poses and velocities onto the constraints (mass-weighted least change). */
TN_API tn_status tn_sim_project(tn_sim *sim, tn_step_report *report);

/* Bulk access, row-major, in order of the ids. */
TN_API void tn_sim_get_poses(const tn_sim *sim, double *out);       /* [bodies][7]: p, q (w first) */
TN_API void tn_sim_get_velocities(const tn_sim *sim, double *out);  /* [bodies][6]: v, w */
TN_API void tn_sim_get_coordinates(const tn_sim *sim, double *out); /* [joints][TN_MAX_COORDINATES] */
TN_API void tn_sim_get_multipliers(const tn_sim *sim, double *out); /* [joints][TN_MAX_ROWS] N, N m */

/* One joint: coordinates and their speeds [coordinate_count], multipliers [row_count]. */
TN_API void tn_sim_joint_coordinates(const tn_sim *sim, tn_joint joint, double *q);
TN_API void tn_sim_joint_speeds(const tn_sim *sim, tn_joint joint, double *qdot);
TN_API void tn_sim_joint_multipliers(const tn_sim *sim, tn_joint joint, double *lambda);
/* Error of each row, [row_count]: phi = W . (p, angle axis) of T_CG; motion rows 0. m and rad. */
TN_API void tn_sim_joint_error(const tn_sim *sim, tn_joint joint, double *phi);

#ifdef __cplusplus
}
#endif
#endif
