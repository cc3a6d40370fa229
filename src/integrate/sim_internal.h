/* sim_internal.h: room integrate: a simulation and the steppers' seam.
 *
 * A stepper is a row of a table: it advances the state by h and says what it met. Rolling back,
 * halving and falling back are done once, in step.c, for all of them.
 */
#ifndef TN_INTEGRATE_SIM_INTERNAL_H
#define TN_INTEGRATE_SIM_INTERNAL_H

#include "coords/coords.h"
#include "integrate/events.h"
#include "solve/impulses.h"
#include "solve/mlcp.h"
#include "tenon/sim.h"

/* Kinematics kept from the solve that gave the multipliers. */
typedef struct tn_snapshot {
    tn_xform *T;              /* [bodies] */
    tn_joint_kinematics *kin; /* [joints] */
} tn_snapshot;

/* Of a component that floats (momentum.c). */
typedef struct tn_momentum {
    tn_vec3 linear;  /* kg m/s */
    tn_vec3 angular; /* kg m^2/s, about the component's centre of mass */
} tn_momentum;

struct tn_sim {
    const tn_model *model;
    tn_sim_options options;
    tn_state state;
    tn_state backup;       /* the state before tn_sim_step */
    tn_state start;        /* the state before the stepper's own step, which may be a part of it */
    tn_system sys;         /* between steps the kinematics are those of the state */
    double *dq;            /* [velocities] increment of the pose per second over the step */
    double *speeds;        /* [y_size] */
    double *stiffness;     /* [bodies][6] kg m^2, of the joint forces (tn_assemble_mass) */
    tn_mlcp *mlcp;         /* complementarity at impacts */
    tn_impulses *impulses; /* of that solver, else NULL */
    double *lo, *hi;       /* [y_size] bounds of the multipliers */
    int8_t *row_state;     /* [y_size] TN_MLCP_FREE ... */
    tn_state part;         /* the state before a part of a step between events */
    tn_event_log log;      /* of the last step */
    double event_time;     /* s, of the event being resolved */
    tn_momentum *momenta;  /* [floating components] before tn_sim_step */
    tn_snapshot reactions; /* what the multipliers belong to, where that is not the state's pose */
    tn_coords *coords;     /* made when first needed */
};

/* Advances pose, velocity and multipliers by h; time and coordinates are step.c's. A failing
 * stepper may leave the state anyhow. */
typedef tn_status (*tn_stepper)(tn_sim *sim, double h, tn_step_report *report);

tn_status tn_step_generalized_alpha(tn_sim *sim, double h, tn_step_report *report);
tn_status tn_step_constrained_backward_euler(tn_sim *sim, double h, tn_step_report *report);
tn_status tn_step_backward_euler(tn_sim *sim, double h, tn_step_report *report);

/* project.c: mass-weighted least changes; all need current kinematics and leave them current. */

/* One pass of min 1/2 d^T M d, G d = -phi; compliant rows yield by their compliance (R = C). The
 * bodies keep their world velocities. */
tn_status tn_correct_position(tn_sim *sim, tn_step_report *report);
/* Passes until the hard rows are within tolerance (m, rad), or TN_ERROR_NOT_CONVERGED. */
tn_status tn_project_position(tn_sim *sim, double tolerance, tn_step_report *report);
/* min 1/2 |u' - u|_M^2 with G u' = 0 on the hard rows. */
tn_status tn_project_velocity(tn_sim *sim, tn_step_report *report);
/* udot and lambda that go with the pose and velocity. */
tn_status tn_solve_acceleration(tn_sim *sim, tn_step_report *report);
/* Their parts, for limits.c: the matrix with compliant rows left out and zero right-hand sides; the
 * right-hand sides of the acceleration problem; its solution sys.du, sys.y into the state. */
void tn_prepare_hard_rows(tn_sim *sim);
void tn_prepare_acceleration(tn_sim *sim);
void tn_take_acceleration(tn_sim *sim);

/* purge.c: of all multipliers with the same G^T lambda those of least sum A lambda^2, with the
 * current factor; both use sim->speeds. */

/* A scaled pivot below this means rows that are, or nearly are, redundant. */
#define TN_REDUNDANT_PIVOT 1e-5
/* Has the step met such? */
int tn_rows_repeat(const tn_sim *sim, const tn_step_report *report);
/* In the slots of the rows; those of rows that are not active are of no meaning. */
void tn_purge_rows(tn_sim *sim, double *lambda, tn_step_report *report);
/* The state's. */
void tn_purge_multipliers(tn_sim *sim, tn_step_report *report);

/* The parts of tn_correct_position: matrix and right-hand sides at the current kinematics, sys.phi
 * being the errors; then sys.du moves the bodies. */
void tn_prepare_correction(tn_sim *sim);
void tn_apply_correction(tn_sim *sim);

/* impulse_steps.c: the same two solves of a step by sequential impulses, with the systems prepared:
 * velocities u+ into sys.du and impulses into sys.y over h seconds; one position pass. */
tn_status tn_velocity_by_impulses(tn_sim *sim, double h, tn_step_report *report);
tn_status tn_correct_by_impulses(tn_sim *sim, tn_step_report *report);

/* restart.c: makes the state consistent after a jump, for steps of h seconds. */
tn_status tn_restart(tn_sim *sim, double h, tn_step_report *report);
/* alpha_start.c: accelerations, multipliers and the memory of generalized_alpha at a consistent
 * pose and velocity. */
tn_status tn_alpha_start(tn_sim *sim, double h, tn_step_report *report);

/* advance.c: h seconds by a stepper, restarting first if need be, from event to event. */
tn_status tn_advance(tn_sim *sim, tn_stepper stepper, double h, tn_step_report *report);

/* momentum.c: what floats keeps its momenta exactly: note them before a step, restore them after.
 */
void tn_momentum_note(tn_sim *sim);
void tn_momentum_restore(tn_sim *sim, double h);

/* events.c: switches off the joints whose load exceeds their thresholds. */
void tn_break_joints(tn_sim *sim);

/* placement.c */

/* Closes a drawing whose joints are further open than text rounds; tells how far bodies moved, or
 * which joints cannot close. */
tn_status tn_close_drawing(tn_sim *sim, tn_diagnostics *diags);
/* The model's `set` coordinates of joints in loops: those of trees are set when it is compiled. */
tn_status tn_set_loop_coordinates(tn_sim *sim, tn_diagnostics *diags);
/* Made when first needed; NULL when out of memory. */
tn_coords *tn_sim_coords(tn_sim *sim);

/* kinematics.c */

/* Keeps T and kin as those the multipliers belong to. */
void tn_keep_reaction_kinematics(tn_sim *sim);

/* The same where T and kin are refreshed next: nothing is copied. Of joints that are switched off
 * neither means anything. */
void tn_swap_reaction_kinematics(tn_sim *sim);

/* T and kin of the state's pose. */
void tn_refresh_kinematics(tn_sim *sim);
/* Largest errors of the hard rows into the report. */
void tn_measure_errors(const tn_sim *sim, const double *phi, tn_step_report *report);
/* Coordinates, turns counted from a prediction over h seconds; kinematics must be current. */
void tn_update_coordinates(tn_sim *sim, double h);
/* x += scale v, q <- q exp(scale w) for every body, d packed. Input and output may be the same. */
void tn_move_bodies(const tn_model *model, const tn_vec3 *x, const tn_quat *q, const double *d,
                    double scale, tn_vec3 *x_out, tn_quat *q_out);

/* Factors the current values; a failure names its culprit in the report. */
tn_status tn_factorize(tn_sim *sim, tn_step_report *report);
/* Refined solve of the system (sys.f, sys.g) into sys.du, sys.y, which hold the start. */
tn_status tn_solve(tn_sim *sim, tn_step_report *report);

tn_step_report tn_empty_report(void);

#endif
