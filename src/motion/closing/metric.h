/* metric.h: room motion/closing: the solves that positions, velocities and accelerations share. */
#ifndef TN_MOTION_CLOSING_METRIC_H
#define TN_MOTION_CLOSING_METRIC_H

#include "motion/simulation.h"

/* Sets forces, sys.f, and the starting values, sys.du and sys.y, to 0. */
void tn_clear_system(tn_sim *sim);
/* The matrix of the mass metric at the current kinematics; right-hand sides are cleared. */
void tn_prepare_rows(tn_sim *sim, const tn_row_law *law);
/* Has any joint compliant rows? */
bool tn_any_yields(const tn_sim *sim);
/* tn_solve with this relative residual. */
tn_status tn_solve_to(tn_sim *sim, double tolerance, tn_step_report *report);
/* Relative residual for an absolute one of `enough`, with right-hand sides of this size, sqrt(J); enough = 0: to
 * round-off. */
double tn_tolerance_for(double enough, double size);
/* Solves by the present factor up to that residual.
 */
tn_status tn_solve_for(tn_sim *sim, double enough, double size, tn_step_report *report);
/* sqrt(J), in the kinetic metric: the largest right-hand side of a row. */
double tn_size_of_rows(const tn_sim *sim);
/* velocity.c: projects the velocities onto the hard rows by the present factor, with a residual up to `enough`. */
tn_status tn_solve_velocity(tn_sim *sim, double enough, tn_step_report *report);
/* The same for a tree, whose own factor of the hard rows is then available; false: the general method is needed. */
bool tn_velocity_with_tree(tn_sim *sim, tn_step_report *report);

#endif
