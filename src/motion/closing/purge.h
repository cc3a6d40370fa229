/* purge.h: room motion/closing: the multipliers of rows that repeat others. */
#ifndef TN_MOTION_CLOSING_PURGE_H
#define TN_MOTION_CLOSING_PURGE_H

#include "motion/simulation.h"

/* Of all multipliers with the same G^T lambda those of least sum A lambda^2, with the current
 * factor (solve/least_multipliers.c); the report tells of change points. */

/* A scaled pivot below this means rows that are, or nearly are, redundant. */
#define TN_REDUNDANT_PIVOT (TN_CLEAR * TN_FAR * TN_EPSILON)
/* Has the step met such? */
int tn_rows_repeat(const tn_sim *sim, const tn_step_report *report);
/* Are loops of so many joints in all weak for their length alone, by 1 / n^2 to 1 / n^4, in every pose? */
bool tn_loops_are_long(int32_t loop_joints);
/* E of the loops' rows, as fine as rows of an eigenvalue sigma ask for that is no change point's: that of now unless loops
 * are long. */
double tn_finer_epsilon(const tn_sim *sim, double sigma);
/* In the slots of the rows; those of rows that are not active are of no meaning. at_closed_pose: is
 * the factor that of a closed pose? */
tn_rows_verdict tn_purge_rows(tn_sim *sim, double *lambda, bool at_closed_pose,
                              tn_step_report *report);
/* The state's. */
tn_rows_verdict tn_purge_multipliers(tn_sim *sim, bool at_closed_pose, tn_step_report *report);
/* The same where reactions are asked for to round-off, undone if it moves the forces on a body by
 * more than this share of the largest all the same. */
void tn_purge_tightly(tn_sim *sim, double most, tn_step_report *report);

#endif
