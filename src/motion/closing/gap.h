/* gap.h: room motion/closing: loops that no pose closes. */
#ifndef TN_MOTION_CLOSING_GAP_H
#define TN_MOTION_CLOSING_GAP_H

#include "motion/simulation.h"

/* Sets the zeros of rows back to those without gaps. */
void tn_gap_clear(tn_sim *sim);
/* Does nothing where loops close. Else it moves the part of sys.phi that no motion removes to sys.gap, by the current
 * factor, and adds it to g, a right-hand side of -phi (may be NULL). */
void tn_gap_take(tn_sim *sim, double *g, tn_step_report *report);
/* The same, starting from all errors again: another factor splits them differently. */
void tn_gap_retake(tn_sim *sim, tn_step_report *report);
/* Removes from any row vector the part that no motion removes, with gaps or without. */
void tn_gap_keep_in_reach(tn_sim *sim, double *v, tn_step_report *report);
tn_gap tn_gap_measure(const tn_sim *sim);
/* The regularisation, in units of rows' scales, for a gap or error relative to the mechanism's size; and the
 * function that sets it in the values. */
double tn_gap_epsilon(double relative);
/* Near singular configurations: its root, rounded up to a power of two so that it does not grow with every step. */
double tn_gap_fold_epsilon(double relative);
void tn_gap_set_epsilon(tn_sim *sim, double epsilon);
/* Gaps up to this share of the mechanism's size (rad for angles) may come from rounded numbers; those up to TN_ROUNDED
 * are no gaps. */
#define TN_GAP_LARGEST 1e-4

/* gap_fold.c: at singular configurations. */

/* Is the step from the backup, of h seconds, which ended with status, to be taken as one through a singular
 * configuration? */
int tn_gap_meets_fold(const tn_sim *sim, double h, tn_status status);
/* After a step that was not one: notes its largest gap, relative to the mechanism's size. */
void tn_gap_note(tn_sim *sim, double gap);

#endif
