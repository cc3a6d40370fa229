/* purge.h: room motion/closing: the multipliers of redundant rows. */
#ifndef TN_MOTION_CLOSING_PURGE_H
#define TN_MOTION_CLOSING_PURGE_H

#include "motion/simulation.h"

/* All functions: of all multipliers with the same G^T lambda the minimum-norm ones, of least sum A lambda^2, by the
 * current factor (solve/least_multipliers.c); change points go into the report. */

/* A scaled pivot below this means rows that are, or nearly are, redundant. */
#define TN_REDUNDANT_PIVOT (TN_CLEAR * TN_FAR * TN_EPSILON)
/* Has the step met such rows? */
int tn_rows_repeat(const tn_sim *sim, const tn_step_report *report);
/* Are rows of loops of this many joints weak in every pose, by 1 / n^2 to 1 / n^4, because of that number? */
bool tn_loops_are_long(int32_t loop_joints);
/* E of the loops' rows, as fine as weak rows with an eigenvalue sigma away from change points need; the present E
 * unless loops are long. */
double tn_finer_epsilon(const tn_sim *sim, double sigma);
/* lambda: in the slots of the rows; entries of inactive rows have no meaning. at_closed_pose: is the factor that of a
 * closed pose? */
tn_rows_verdict tn_purge_rows(tn_sim *sim, double *lambda, bool at_closed_pose,
                              tn_step_report *report);
/* The same for the multipliers of the state. */
tn_rows_verdict tn_purge_multipliers(tn_sim *sim, bool at_closed_pose, tn_step_report *report);
/* The same where reactions are required to round-off: undone if it changes the forces on a body by more than `most`, a
 * share of the largest. */
void tn_purge_tightly(tn_sim *sim, double most, tn_step_report *report);

#endif
