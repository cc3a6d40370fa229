/* gap.h: room motion/closing: loops that no pose closes. */
#ifndef TN_MOTION_CLOSING_GAP_H
#define TN_MOTION_CLOSING_GAP_H

#include "motion/simulation.h"

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
/* Gaps up to this share of the mechanism's size (rad for angles) are what rounded numbers leave; up
 * to TN_ROUNDED, none. */
#define TN_GAP_LARGEST 1e-4

/* gap_fold.c: at folds. */

/* Is the step from the backup, of h seconds, which ended with status, to be taken as one that
 * passes a fold? */
int tn_gap_meets_fold(const tn_sim *sim, double h, tn_status status);
/* After a step that was not: its largest gap, relative to the mechanism's size. */
void tn_gap_note(tn_sim *sim, double gap);

#endif
