/* close_fold.h: room motion/closing: the ends of first-order steps near change points. */
#ifndef TN_MOTION_CLOSING_CLOSE_FOLD_H
#define TN_MOTION_CLOSING_CLOSE_FOLD_H

#include "motion/simulation.h"

/* Of loops without gaps. Where rows are off by eps, bodies may be off their branch by eps / x, x
 * being how far the fold is. For all, TN_ERROR_NOT_CONVERGED: a shorter step would end better. */

/* How many rows depend on others at the start of a step, with the factor of its velocity solve. */
void tn_note_dependence(tn_sim *sim);
/* At the end of a step of h seconds, from errors within tolerance to round-off where there is a
 * fold, or where errors are above a small share of the tolerance. */
tn_status tn_close_at_fold(tn_sim *sim, double h, tn_step_report *report);
/* A correction with eigenvalues as small as those near folds, of errors in sys.phi, the largest of
 * which is error. Only where that is a small part of the step's motion: *taken tells. */
tn_status tn_correct_at_fold(tn_sim *sim, double h, double error, tn_step_report *report,
                             int *taken);

/* The largest of sys.du, m and rad. */
double tn_largest_move(const tn_sim *sim);

/* In loops with repeated rows errors above this share of the tolerance get one more correction:
 * near a fold they turn the bodies by many times themselves. */
#define TN_FOLD_SHARE 0.03
/* Refined solves that leave more of the residual than one with E does of rows of their own: the
 * rows do not tell. */
#define TN_OUT_OF_REACH (1.0 / TN_FAR)
/* How far bodies may then be off that rows would hold but for round-off, m and rad: a fifth of the
 * root of a rounding, 1.5e-8, which is by how much they are off on the fold itself. Of a mechanism
 * smaller than 1 m turns are the larger and decide, free of units; of a larger one lengths do, and
 * more is asked than of turns, never less. */
#define TN_FREE_MOTION 3e-9

#endif
