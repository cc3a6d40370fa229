/* sim_internal.h: room integrate: a simulation. */
#ifndef TN_INTEGRATE_SIM_INTERNAL_H
#define TN_INTEGRATE_SIM_INTERNAL_H

#include "coords/coords.h"
#include "integrate/events.h"
#include "solve/singular.h"
#include "tenon/sim.h"

/* Kinematics kept from the solve that gave the multipliers. */
typedef struct tn_snapshot {
    tn_xform *T;              /* [bodies] */
    tn_joint_kinematics *kin; /* [elements] */
    tn_term_state *terms;     /* [terms of couplings] */
} tn_snapshot;

/* What stays open in loops that do not close: largest errors (m, rad), the larger of them relative
 * to the mechanism's size, and whose it is (-1: nobody's). */
typedef struct tn_gap {
    double position, angle, relative;
    int32_t worst;
} tn_gap;

/* Scratch of purge.c. */
typedef struct tn_purge {
    double *before, *change; /* [y_size] N, N m */
    double *force_scale;     /* [bodies][2] N, N m */
} tn_purge;

/* What single files work with, known to them only. */
typedef struct tn_momentum tn_momentum; /* momentum.c */
typedef struct tn_impact tn_impact;     /* limits_impact.c */

/* method/method.h: an integrator. */
typedef struct tn_method tn_method;

struct tn_sim {
    const tn_model *model;
    const tn_method *method;
    tn_integrator_traits traits; /* the method's */
    void *work;                  /* the method's own */
    tn_sim_options options;
    tn_state state;
    tn_state backup; /* the state before tn_sim_step */
    tn_state mark;   /* one within a call to come back to, as the start of a part of a step */
    tn_system sys;   /* between steps the kinematics are those of the state */
    double *speeds;  /* [y_size] scratch of project.c */
    tn_purge purge;
    double *inverse_inertia; /* [velocities] tn_model_body.inverse_inertia, packed */
    tn_impact *impact;
    tn_event_log log;           /* of the last step */
    double event_time;          /* s, of the event being resolved */
    double now;                 /* s, of the state, within a step too */
    tn_function_list functions; /* of drives set while running, beyond the model's */
    tn_momentum *momenta;       /* [floating components] as noted last */
    tn_snapshot reactions; /* what the multipliers belong to, where that is not the state's pose */
    tn_coords *coords;     /* made when first needed */
    tn_singular singular;  /* of sys */
    double *gap_u;         /* [velocities] scratch */
    double *gap_rows;      /* [2 y_size] scratch of gap.c */
    double gap_split;      /* E / A by which a position correction has told gaps from errors */
    double out_of_reach;   /* share of the residual that refined solves of the last step left */
    int32_t dependent;     /* scalar rows, at the start of a first-order step (close_fold.c) */
    int last_resort;       /* 1: what a shorter step would do better is accepted */
    double size; /* m, half the extent of the joints' places at the start; of loops only */
};

/* project.c: mass-weighted least changes; all need current kinematics and leave them current. */

/* One pass of min 1/2 d^T M d, G d = -phi; compliant rows yield by their compliance (R = C). The
 * bodies keep their world velocities. */
tn_status tn_correct_position(tn_sim *sim, tn_step_report *report);
/* Passes until the hard rows are within tolerance (m, rad), or TN_ERROR_NOT_CONVERGED. */
tn_status tn_project_position(tn_sim *sim, double tolerance, tn_step_report *report);
/* The same at the end of a step of h seconds, which may be near a fold. */
tn_status tn_project_step(tn_sim *sim, double h, double tolerance, tn_step_report *report);
/* min 1/2 |u' - u|_M^2 with G u' = v on the hard rows, v the speeds of moving holds. */
tn_status tn_project_velocity(tn_sim *sim, tn_step_report *report);
/* udot and lambda that go with the pose and velocity. */
tn_status tn_solve_acceleration(tn_sim *sim, tn_step_report *report);
/* Both, one after the other, with one factor. */
tn_status tn_project_motion(tn_sim *sim, tn_step_report *report);
/* Their parts, for limits.c: the matrix with compliant rows left out and zero right-hand sides; the
 * right-hand sides of the acceleration problem; its solution sys.du, sys.y into the state. */
void tn_prepare_hard_rows(tn_sim *sim);
void tn_prepare_acceleration(tn_sim *sim);
void tn_take_acceleration(tn_sim *sim);

/* close_fold.c: the ends of first-order steps near folds, of loops without gaps. Where rows are off
 * by eps, bodies may be off their branch by eps / x, x being how far the fold is. For all,
 * TN_ERROR_NOT_CONVERGED: a shorter step would end better. */

/* How many rows depend on others at the start of a step, with the factor of its velocity solve. */
void tn_note_dependence(tn_sim *sim);
/* At the end of a step of h seconds, from errors within tolerance to round-off where there is a
 * fold, or where errors are above a small share of the tolerance. */
tn_status tn_close_at_fold(tn_sim *sim, double h, tn_step_report *report);
/* A correction with eigenvalues as small as those near folds, of errors in sys.phi, the largest of
 * which is error. Only where that is a small part of the step's motion: *taken tells. */
tn_status tn_correct_at_fold(tn_sim *sim, double h, double error, tn_step_report *report,
                             int *taken);

/* In loops with repeated rows errors above this share of the tolerance get one more correction:
 * near a fold they turn the bodies by many times themselves. */
#define TN_FOLD_SHARE 0.03
/* Refined solves that leave more than this share of the residual: the rows do not tell. */
#define TN_OUT_OF_REACH 0.01
/* How far bodies may then be off that rows would hold but for round-off, m and rad. */
#define TN_FREE_MOTION 3e-9

/* gap.c: loops that no pose closes. */

/* Back to errors from the rows' own zeros. */
void tn_gap_clear(tn_sim *sim);
/* Where loops close this does nothing, else it moves what no motion takes away from sys.phi to
 * sys.gap, with the current factor, and adds it to g, a right-hand side of -phi (may be NULL). */
void tn_gap_take(tn_sim *sim, double *g, tn_step_report *report);
/* The same anew, of all errors: another factor splits them otherwise. */
void tn_gap_retake(tn_sim *sim, tn_step_report *report);
/* Takes what no motion takes away out of any row vector, gaps or not. */
void tn_gap_keep_in_reach(tn_sim *sim, double *v, tn_step_report *report);
tn_gap tn_gap_measure(const tn_sim *sim);
/* The regularisation, in units of rows' scales, for a gap or error relative to the mechanism's
 * size; and setting it in the values. */
double tn_gap_epsilon(double relative);
/* Near folds: its root, or twice that, for it must not grow with every step. */
double tn_gap_fold_epsilon(double relative);
void tn_gap_set_epsilon(tn_sim *sim, double epsilon);
/* Gaps up to this share of the mechanism's size (rad for angles) are what rounding leaves. */
#define TN_GAP_LARGEST 1e-4
/* gap_fold.c: at folds. */

/* Is the step from the backup, of h seconds, which ended with status, to be taken as one that
 * passes a fold? */
int tn_gap_meets_fold(const tn_sim *sim, double h, tn_status status);
/* After a step that was not: its largest gap, relative to the mechanism's size. */
void tn_gap_note(tn_sim *sim, double gap);

/* purge.c: of all multipliers with the same G^T lambda those of least sum A lambda^2, with the
 * current factor (solve/least_multipliers.c); the report tells of change points. */

/* A scaled pivot below this means rows that are, or nearly are, redundant. */
#define TN_REDUNDANT_PIVOT 1e-5
/* Has the step met such? */
int tn_rows_repeat(const tn_sim *sim, const tn_step_report *report);
/* In the slots of the rows; those of rows that are not active are of no meaning. at_closed_pose: is
 * the factor that of a closed pose? */
tn_rows_verdict tn_purge_rows(tn_sim *sim, double *lambda, bool at_closed_pose,
                              tn_step_report *report);
/* The state's. */
tn_rows_verdict tn_purge_multipliers(tn_sim *sim, bool at_closed_pose, tn_step_report *report);
/* The same where reactions are asked for to round-off, undone if it moves the forces on a body by
 * more than this share of the largest all the same. */
void tn_purge_tightly(tn_sim *sim, double most, tn_step_report *report);

/* The parts of tn_correct_position: matrix and right-hand sides at the current kinematics, sys.phi
 * being the errors; then sys.du moves the bodies. */
void tn_prepare_correction(tn_sim *sim);
void tn_apply_correction(tn_sim *sim);

/* Factors the current values; a failure names its culprit in the report. */
tn_status tn_factorize(tn_sim *sim, tn_step_report *report);
/* Refined solve of the system (sys.f, sys.g) into sys.du, sys.y, which hold the start. */
tn_status tn_solve(tn_sim *sim, tn_step_report *report);

/* The same near folds, as far as may be: returns the share of the residual that is out of reach. */
double tn_solve_at_fold(tn_sim *sim, tn_step_report *report);

/* How far below E eigenvalues are still resolved by refinement (tn_kkt_refine_options.reach). */
double tn_reach(const tn_sim *sim);

#endif
