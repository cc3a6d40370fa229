/* poles.h: room law: loads that a change point makes infinite.
 *
 * In: poses on the way to a change point, at distances x at which loads are told
 * (motion/closing/fold_ahead.h). Out: the loads nearer to it: with L = a + b / x + c x + ... the
 * square of x |L| is a polynomial in x, of which b^2 is the value at the change point. A joint whose
 * load has a pole breaks on the way, however little b is; of one without, what is not told is nothing.
 */
#ifndef TN_LAW_POLES_H
#define TN_LAW_POLES_H

#include "motion/simulation.h"

enum { TN_POLE_SAMPLES = 4 };

tn_status tn_poles_create(tn_sim *sim);
void tn_poles_destroy(tn_sim *sim);

/* Nothing is known. */
void tn_poles_clear(tn_sim *sim);
/* Of element j, in shares of what breaks it. */
typedef double tn_share_of(const tn_sim *sim, int32_t j);
/* Another pose, t seconds from sim->mark and x away. */
void tn_poles_note(tn_sim *sim, double t, double x, tn_share_of *share);
/* After TN_POLE_SAMPLES of them: which loads have poles? */
void tn_poles_find(tn_sim *sim);

/* Has any? */
bool tn_poles_any(const tn_sim *sim);
/* Of element j at a distance x; 0 without a pole. */
double tn_poles_share(const tn_sim *sim, int32_t j, double x);
/* Is a load with a pole beyond what breaks its joint within h seconds from sim->mark? *when: by far, s. */
bool tn_poles_passed(const tn_sim *sim, double h, double *when);

#endif
