/* friction_fit.h: room motion: reactions together with the friction that depends on them.
 *
 * Friction with a coefficient is bounded by the reactions, and it changes them: a fixed point. In: accelerations solved
 * repeatedly, each time with the bounds that follow from the multipliers in the state. Out: the multipliers from which
 * the next bounds follow, by Aitken's iteration, and their distance from the solution that results.
 *
 * Limits: where friction unloads its joint by more than the change that caused it, plain passes diverge (by a factor of
 * 3.3 a pass for a rod on a shoe with mu 5, whose reaction is 2.8 N). Where friction adds more load than there was, no
 * fixed point is stable, and none is found (Painleve 1895).
 */
#ifndef TN_MOTION_FRICTION_FIT_H
#define TN_MOTION_FRICTION_FIT_H

#include "motion/simulation.h"

struct tn_friction_fit {
    double *before; /* [y_size] multipliers that gave the bounds of the last pass */
    double *wrong;  /* [y_size] multipliers that resulted, less `before` */
    double way;     /* factor of `wrong`: the change to the next pass */
    int32_t passes; /* since tn_friction_fit_begin */
    int32_t worst;  /* joint with such friction whose multipliers are furthest off; -1: none is */
};

tn_status tn_friction_fit_create(tn_sim *sim);
void tn_friction_fit_destroy(tn_sim *sim);

/* Begins: the bounds of the first pass follow from the multipliers in the state. */
void tn_friction_fit_begin(tn_sim *sim);
/* After a pass, whose multipliers are in the state: their difference from those before, as a share of the largest,
 * among multipliers that accelerate something. */
double tn_friction_fit_off(tn_sim *sim);
/* Sets in the state the multipliers for the next pass: this share of the way to those that resulted; 0: Aitken's
 * factor. */
void tn_friction_fit_next(tn_sim *sim, double share);

#endif
