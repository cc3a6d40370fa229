/* project.h: room motion/closing: mass-weighted least changes that fit the joints.
 *
 * In: a pose whose joints are open by what a step or a user left, or velocities that open them.
 * Out: the nearest in the mass metric that fit, or the verdict that there is none: gap, dead
 * point, conflict, and whose.
 */
#ifndef TN_MOTION_CLOSING_PROJECT_H
#define TN_MOTION_CLOSING_PROJECT_H

#include "motion/simulation.h"

/* All need current kinematics and leave them current. */

/* One pass of min 1/2 d^T M d, G d = -phi, at the end of a step of h seconds (0: of none); compliant
 * rows yield as in an implicit step. The bodies keep their world velocities. */
tn_status tn_correct_position(tn_sim *sim, double h, tn_step_report *report);
/* The same, that moves compliant rows towards where the step has them, sim->yields. */
tn_status tn_correct_yields(tn_sim *sim, double h, tn_step_report *report);
/* Passes until the hard rows are within tolerance (m, rad), or TN_ERROR_NOT_CONVERGED. */
tn_status tn_project_position(tn_sim *sim, double tolerance, tn_step_report *report);
/* The same at the end of a step of h seconds, which may be near a fold. */
tn_status tn_project_step(tn_sim *sim, double h, double tolerance, tn_step_report *report);
/* The same with lengths to within tolerance times unit (at most 1 m), or to the tolerance itself
 * where passes crawl. */
tn_status tn_project_finely(tn_sim *sim, double h, double tolerance, double unit,
                            tn_step_report *report);
/* min 1/2 |u' - u|_M^2 with G u' = v on the hard rows, v the speeds of moving holds. */
tn_status tn_project_velocity(tn_sim *sim, tn_step_report *report);
/* The same with residuals up to `enough`, sqrt(J); 0: to rounding. at_hand: the factor of the hard rows of this
 * pose is. */
tn_status tn_project_velocity_to(tn_sim *sim, double enough, bool at_hand, tn_step_report *report);
/* What motors and friction have caught in this step gets its speed; what all other rows are off, they stay. */
tn_status tn_project_caught(tn_sim *sim, tn_step_report *report);
/* The same of coordinates that hard limits hold: what lets go of them leaves from rest. */
tn_status tn_project_limits(tn_sim *sim, tn_step_report *report);
/* Are they on all of these rows, to the last bit? At rest, as a rule. */
bool tn_velocity_fits(tn_sim *sim);
/* The largest of udot in the kinetic metric, sqrt(J) a second. */
double tn_acceleration_size(const tn_sim *sim);
/* udot and lambda that go with the pose and velocity. */
tn_status tn_solve_acceleration(tn_sim *sim, tn_step_report *report);
/* Without loops no row has E > 0, and no body a stand-in inertia: the factor is that of the matrix. */
bool tn_factor_is_exact(const tn_sim *sim);
/* Both, one after the other, with one factor. */
tn_status tn_project_motion(tn_sim *sim, tn_step_report *report);
/* The same two of a stage of a part of h seconds, with residuals up to `enough`, sqrt(J), of velocities
 * and of what accelerations make of them; 0: to rounding. */
tn_status tn_solve_acceleration_to(tn_sim *sim, double enough, double h, tn_step_report *report);
/* The first from those that the state has, by the factor at hand, of a pose nearby where no rows repeat each
 * other; false, and the state is as it was: it is not near enough, rows yield, or loops have gaps. */
bool tn_solve_acceleration_nearby(tn_sim *sim, double enough, double h, tn_step_report *report);
/* To this share of what acts. */
tn_status tn_solve_acceleration_roughly(tn_sim *sim, double share, tn_step_report *report);
tn_status tn_project_motion_to(tn_sim *sim, double enough, double h, tn_step_report *report);
/* Their parts, for limits.c: the matrix with compliant rows left out and zero right-hand sides; the
 * right-hand sides of the acceleration problem; its solution sys.du, sys.y into the state. */
void tn_prepare_hard_rows(tn_sim *sim);
/* That matrix, with the right-hand sides there are. */
void tn_assemble_hard_rows(tn_sim *sim);
void tn_prepare_acceleration(tn_sim *sim);
void tn_take_acceleration(tn_sim *sim);

/* The parts of tn_correct_position: matrix and right-hand sides at the current kinematics, sys.phi
 * being the errors; then sys.du moves the bodies. */
void tn_prepare_correction(tn_sim *sim, double h);
void tn_apply_correction(tn_sim *sim);
/* The same of one body, whose T is current then; the joints' kinematics are not. */
void tn_apply_body_correction(tn_sim *sim, int32_t body);

/* Factors the current values; a failure names its culprit in the report. */
tn_status tn_factorize(tn_sim *sim, tn_step_report *report);
/* The same, and whoever asks for a factor of the very same values next has it, where there is room
 * (tn_kkt_make_room). */
tn_status tn_factorize_to_keep(tn_sim *sim, tn_step_report *report);
/* As the first, and a back-solve in place, (b, g) -> (u, y), with the same bits as one after the other. */
tn_status tn_factorize_and_solve(tn_sim *sim, double *u, double *y, tn_step_report *report);
/* Refined solve of the system (sys.f, sys.g) into sys.du, sys.y, which hold the start. */
tn_status tn_solve(tn_sim *sim, tn_step_report *report);

/* The same near folds, as far as may be: returns the share of the residual that is out of reach. */
double tn_solve_at_fold(tn_sim *sim, tn_step_report *report);

/* How far below E eigenvalues are still resolved by refinement (tn_kkt_refine_options.reach). */
double tn_reach(const tn_sim *sim);

#endif
