/* fold_ahead.h: room motion/ahead: the distance to a change point, and the time until it can be reached.
 *
 * Loads of joints have a pole there: forces that no row carries at the change point itself grow like 1 / x with the
 * distance x, and decrease as fast on the other side.
 */
#ifndef TN_MOTION_AHEAD_FOLD_AHEAD_H
#define TN_MOTION_AHEAD_FOLD_AHEAD_H

#include "motion/simulation.h"

/* Loads are known from this distance on, 3e-3 rad or lengths of the mechanism, where sigma is well above that of rows
 * that are redundant but for round-off: an error of 1e-16 in a closed joint is 1e-16 / x^4 of a load, 1e-6 there.
 * Negative without loops, or if loops have gaps, where such rows count as redundant. */
double tn_fold_told_from(const tn_sim *sim);

/* Distance of the pose from a change point; larger ones than TN_FOLD_FAR are not distinguished. Kinematics are current;
 * the factor is overwritten. INFINITY if it could not be computed. */
#define TN_FOLD_FAR 0.1
double tn_fold_distance(tn_sim *sim, tn_step_report *report);
/* Speed of the fastest joint, rad/s; 0 at rest. */
double tn_fold_pace(const tn_sim *sim);
/* Distance from the change point that the present forces depend on, by that factor, however near; INFINITY: rows are
 * regular. */
double tn_fold_of_loads(tn_sim *sim);

/* Times ahead of the state's pose and velocity, s. */
typedef struct tn_fold_ahead {
    double half; /* until then the distance stays above half of what it is now */
    double told,
        other; /* when loads cease to be known, and when they are known again on the other side;
                          * INFINITY: not near, or already too near */
} tn_fold_ahead;

/* Moves the pose a little, and overwrites kinematics and the factor. */
tn_fold_ahead tn_fold_look_ahead(tn_sim *sim, tn_step_report *report);

#endif
