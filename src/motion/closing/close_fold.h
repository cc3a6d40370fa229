/* close_fold.h: room motion/closing: the ends of first-order steps near singular configurations. */
#ifndef TN_MOTION_CLOSING_CLOSE_FOLD_H
#define TN_MOTION_CLOSING_CLOSE_FOLD_H

#include "motion/simulation.h"

/* For loops without gaps. Where rows are off by eps, bodies may be off their branch by eps / x, with x the distance to
 * the singular configuration. All functions: TN_ERROR_NOT_CONVERGED means that a shorter step would end better. */

/* Notes how many rows depend on others at the start of a step, by the factor of its velocity solve. */
void tn_note_dependence(tn_sim *sim);
/* At the end of a step of h seconds: reduces errors from the tolerance to round-off near a singular configuration,
 * or if errors exceed a small share of the tolerance. */
tn_status tn_close_at_fold(tn_sim *sim, double h, tn_step_report *report);
/* A correction of the errors in sys.phi, the largest of which is `error`, with eigenvalues as small as those near
 * singular configurations. It is used only if it is a small part of the step's motion: *taken. */
tn_status tn_correct_at_fold(tn_sim *sim, double h, double error, tn_step_report *report,
                             int *taken);

/* The largest entry of sys.du, m and rad. */
double tn_largest_move(const tn_sim *sim);

/* In loops with redundant rows, errors above this share of the tolerance get one more correction: near a singular
 * configuration they turn the bodies by many times as much. */
#define TN_FOLD_SHARE 0.03
/* Share of the residual: a refined solve that leaves more, which with E regular rows never do, does not determine the
 * motion. */
#define TN_OUT_OF_REACH (1.0 / TN_FAR)
/* m and rad: how far bodies may be off in the direction that rows determine only up to round-off: a fifth of the
 * square root of the unit round-off, 1.5e-8, by which they are off on the singular configuration itself. For a
 * mechanism smaller than 1 m rotations are the larger figure and decide, independently of units; for a larger one
 * lengths do, which is stricter, never less strict. */
#define TN_FREE_MOTION 3e-9

#endif
