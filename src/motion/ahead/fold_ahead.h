/* fold_ahead.h: room motion/ahead: how near a change point is, and how soon it can be met.
 *
 * Loads have a pole there: forces that no row carries at the change point itself grow as 1 / x with the
 * distance x, and are gone again as fast on the other side.
 */
#ifndef TN_MOTION_AHEAD_FOLD_AHEAD_H
#define TN_MOTION_AHEAD_FOLD_AHEAD_H

#include "motion/simulation.h"

/* Loads are told from this distance on, 3e-3 rad or lengths of the mechanism, where sigma is well above
 * that of rows that nearly repeat others: rounding, 1e-16 of a closed joint, is 1e-16 / x^4 of a load, 1e-6 there.
 * Negative where there are no loops, or loops with gaps, of which such rows count as repetitions. */
double tn_fold_told_from(const tn_sim *sim);

/* How far the pose is from a change point; up to TN_FOLD_FAR is told. Kinematics are current; the factor
 * is another afterwards. INFINITY where none could be had. */
#define TN_FOLD_FAR 0.1
double tn_fold_distance(tn_sim *sim, tn_step_report *report);
/* The fastest joint, rad/s; 0 at rest. */
double tn_fold_pace(const tn_sim *sim);
/* The same with that factor from what forces hang on, however near it is; INFINITY: on regular rows. */
double tn_fold_of_loads(tn_sim *sim);

/* What is ahead of the state's pose and velocity, s. */
typedef struct tn_fold_ahead {
    double half; /* in this time the motion comes no nearer than half of what it is away */
    double told,
        other; /* where loads are no longer told, and where they are again on the other side;
                         * INFINITY: not near, or inside already */
} tn_fold_ahead;

/* The pose is moved a little, kinematics and the factor with it. */
tn_fold_ahead tn_fold_look_ahead(tn_sim *sim, tn_step_report *report);

#endif
