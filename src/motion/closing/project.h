/* project.h: room motion/closing: mass-weighted least changes that satisfy the joints.
 *
 * In: a pose whose joints are open after a step or a change by the user, or velocities that open them. Out: the nearest
 * ones in the mass metric that satisfy the joints, or the reason why there are none, with the joint: gap, dead point,
 * contradiction.
 */
#ifndef TN_MOTION_CLOSING_PROJECT_H
#define TN_MOTION_CLOSING_PROJECT_H

#include "motion/simulation.h"

/* All functions need current kinematics and leave them current. */

/* One pass of min 1/2 d^T M d, G d = -phi, at the end of a step of h seconds (0: of none); compliant
 * rows yield as in an implicit step. The bodies keep their world velocities. */
tn_status tn_correct_position(tn_sim *sim, double h, tn_step_report *report);
/* The same, but compliant rows are moved towards their errors in the step, sim->yields. */
tn_status tn_correct_yields(tn_sim *sim, double h, tn_step_report *report);
/* Passes until the hard rows are within tolerance (m, rad), or TN_ERROR_NOT_CONVERGED. */
tn_status tn_project_position(tn_sim *sim, double tolerance, tn_step_report *report);
/* The same at the end of a step of h seconds, which may be near a singular configuration. */
tn_status tn_project_step(tn_sim *sim, double h, double tolerance, tn_step_report *report);
/* The same with lengths to within tolerance times unit (at most 1 m), or to the tolerance itself where passes converge
 * slowly. */
tn_status tn_project_finely(tn_sim *sim, double h, double tolerance, double unit,
                            tn_step_report *report);
/* min 1/2 |u' - u|_M^2 with G u' = v on the hard rows, v the speeds of driven coordinates. */
tn_status tn_project_velocity(tn_sim *sim, tn_step_report *report);
/* The same with residuals up to `enough`, sqrt(J); 0: to round-off. at_hand: the factor of the hard rows of this
 * pose is available. */
tn_status tn_project_velocity_to(tn_sim *sim, double enough, bool at_hand, tn_step_report *report);
/* Gives its speed to each coordinate that a motor or friction has caught in this step; errors of other rows do not
 * change. */
tn_status tn_project_caught(tn_sim *sim, tn_step_report *report);
/* The same for coordinates that hard limits hold, so that they leave from rest when released. */
tn_status tn_project_limits(tn_sim *sim, tn_step_report *report);
/* Do the velocities satisfy all of these rows to round-off? Usually at rest. */
bool tn_velocity_fits(tn_sim *sim);
/* The largest of udot in the kinetic metric, sqrt(J) / s. */
double tn_acceleration_size(const tn_sim *sim);
/* Computes udot and lambda for the pose and velocities. */
tn_status tn_solve_acceleration(tn_sim *sim, tn_step_report *report);
/* Is the factor that of the matrix itself: no row has E > 0, since there are no loops, and no body a stand-in
 * inertia? */
bool tn_factor_is_exact(const tn_sim *sim);
/* Velocities, then accelerations, with one factor. */
tn_status tn_project_motion(tn_sim *sim, tn_step_report *report);
/* The same two for a stage of a sub-step of h seconds, with residuals up to `enough`, sqrt(J), of velocities and of
 * accelerations times h; 0: to round-off. */
tn_status tn_solve_acceleration_to(tn_sim *sim, double enough, double h, tn_step_report *report);
/* The first, starting from the accelerations in the state, by the present factor, of a pose nearby where no rows are
 * redundant. false, and the state is unchanged: the pose is not near enough, rows yield, or loops have gaps. */
bool tn_solve_acceleration_nearby(tn_sim *sim, double enough, double h, tn_step_report *report);
/* The first with a residual up to this share of the forces. */
tn_status tn_solve_acceleration_roughly(tn_sim *sim, double share, tn_step_report *report);
tn_status tn_project_motion_to(tn_sim *sim, double enough, double h, tn_step_report *report);
/* The parts of these, for limits.c: the matrix without compliant rows and with zero right-hand sides; the right-hand
 * sides of the acceleration problem; and the copy of its solution sys.du, sys.y to the state. */
void tn_prepare_hard_rows(tn_sim *sim);
/* That matrix, without changing the right-hand sides. */
void tn_assemble_hard_rows(tn_sim *sim);
void tn_prepare_acceleration(tn_sim *sim);
void tn_take_acceleration(tn_sim *sim);

/* The parts of tn_correct_position: matrix and right-hand sides at the current kinematics, with the errors in sys.phi;
 * then the move of the bodies by sys.du. */
void tn_prepare_correction(tn_sim *sim, double h);
void tn_apply_correction(tn_sim *sim);
/* The same for one body, whose T is current afterwards; the kinematics of joints are not. */
void tn_apply_body_correction(tn_sim *sim, int32_t body);

/* Factorizes the current values; a failure names the body or joint in the report. */
tn_status tn_factorize(tn_sim *sim, tn_step_report *report);
/* The same, and the factor is cached for the next factorization of the very same values, if there is room
 * (tn_kkt_make_room). */
tn_status tn_factorize_to_keep(tn_sim *sim, tn_step_report *report);
/* tn_factorize and a solution in place, (b, g) -> (u, y), with the same bits as one after the other. */
tn_status tn_factorize_and_solve(tn_sim *sim, double *u, double *y, tn_step_report *report);
/* Refined solve of the system (sys.f, sys.g) into sys.du, sys.y, which hold the start. */
tn_status tn_solve(tn_sim *sim, tn_step_report *report);

/* The same near singular configurations, as far as possible: returns the share of the residual that is out of reach. */
double tn_solve_at_fold(tn_sim *sim, tn_step_report *report);

/* How far below E eigenvalues are still resolved by refinement (tn_kkt_refine_options.reach). */
double tn_reach(const tn_sim *sim);

#endif
