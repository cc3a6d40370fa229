/* friction_fit.h: room motion: reactions and friction that goes by them.
 *
 * Friction by a coefficient has bounds by the reactions, which friction changes: a fixed point. In: accelerations solved again and
 * again, each time with the bounds of the multipliers that are in the state. Out: multipliers to go by next, by Aitken's iteration;
 * how far they are from those that come of them.
 *
 * Where friction takes force off its joint, by more than it was, plain passes swing ever wider (3.3 times as wide each for a rod on a
 * shoe with mu 5, whose reaction is 2.8 N); where it adds more than there was, no place stays, and none is found (Painleve 1895).
 */
#ifndef TN_MOTION_FRICTION_FIT_H
#define TN_MOTION_FRICTION_FIT_H

#include "motion/simulation.h"

struct tn_friction_fit {
    double *before; /* [y_size] multipliers that the bounds of the last pass went by */
    double *wrong;  /* [y_size] by how much those that came of it differ from them */
    double way;     /* times that: the change to the next */
    int32_t passes; /* since it began */
    int32_t worst;  /* joint with such friction whose multipliers are furthest off; -1: none is */
};

tn_status tn_friction_fit_create(tn_sim *sim);
void tn_friction_fit_destroy(tn_sim *sim);

/* The state's multipliers are those that the bounds of the first pass go by. */
void tn_friction_fit_begin(tn_sim *sim);
/* The state's are those that came of it; the share of the largest by which they are others, of those that move something. */
double tn_friction_fit_off(tn_sim *sim);
/* Then: the state has those that the next pass goes by, this share of the way to those that came of the last; 0: Aitken's. */
void tn_friction_fit_next(tn_sim *sim, double share);

#endif
