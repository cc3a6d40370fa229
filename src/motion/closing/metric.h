/* metric.h: room motion/closing: what positions, velocities and accelerations ask of one system. */
#ifndef TN_MOTION_CLOSING_METRIC_H
#define TN_MOTION_CLOSING_METRIC_H

#include "motion/simulation.h"

/* Nothing applied, nothing known: sys.f, and the start in sys.du and sys.y, become 0. */
void tn_clear_system(tn_sim *sim);
/* Matrix of the mass metric at the current kinematics, cleared. */
void tn_prepare_rows(tn_sim *sim, const tn_row_law *law);
/* Is a joint compliant? */
bool tn_any_yields(const tn_sim *sim);
/* tn_solve, to this residual, relative. */
tn_status tn_solve_to(tn_sim *sim, double tolerance, tn_step_report *report);
/* What leaves so much of right-hand sides of this size, sqrt(J), relative; 0: to rounding. */
double tn_tolerance_for(double enough, double size);
/* By the factor at hand, to what leaves so much of right-hand sides of this size, sqrt(J); 0: to
 * rounding. */
tn_status tn_solve_for(tn_sim *sim, double enough, double size, tn_step_report *report);
/* sqrt(J), in the kinetic metric: the largest right-hand side of a row. */
double tn_size_of_rows(const tn_sim *sim);
/* velocity.c: the velocities on the hard rows, by the factor at hand, to what leaves so much. */
tn_status tn_solve_velocity(tn_sim *sim, double enough, tn_step_report *report);
/* The same of a tree, whose own factor of the hard rows is at hand then; false: the general way is to be taken. */
bool tn_velocity_with_tree(tn_sim *sim, tn_step_report *report);

#endif
