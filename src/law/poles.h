/* poles.h: room law: loads that a change point makes infinite.
 *
 * In: poses on the way to a change point, at distances x at which rounding leaves the loads known
 * (motion/ahead/fold_ahead.h). Out: the loads nearer to it. Forces and moments are L = a + b / x + c x + ...,
 * so x L is a polynomial in x whose value at the change point is b. A joint whose load has a pole (b not 0)
 * breaks on the way; one without a pole does not break where its load is not known. A pole below a hundredth of
 * the last known load is neglected: it could exceed a threshold within 5e-5 rad only.
 */
#ifndef TN_LAW_POLES_H
#define TN_LAW_POLES_H

#include "motion/simulation.h"

enum { TN_POLE_SAMPLES = 4 };

tn_status tn_poles_create(tn_sim *sim);
void tn_poles_destroy(tn_sim *sim);

/* Nothing is known: after anything but motion. */
void tn_poles_clear(tn_sim *sim);
/* Force and moment of element j, in shares of what breaks it. */
typedef tn_wrench tn_shares_of(const tn_sim *sim, int32_t j);
/* Another pose, t seconds from sim->mark and x away. */
void tn_poles_note(tn_sim *sim, double t, double x, tn_shares_of *shares);
/* Of those noted the first alone. */
void tn_poles_keep_first(tn_sim *sim);
/* After TN_POLE_SAMPLES of them: which loads have poles? False, and whose: rounding hides more than is as good as none. */
bool tn_poles_find(tn_sim *sim, int32_t *whose);

/* An end of a step that nothing looks ahead of. */
typedef struct tn_fold_end {
    double distance, pace; /* rad or lengths; of the fastest joint, per s */
} tn_fold_end;
/* Where the step before ended this one begins; false: nothing is known of that. */
bool tn_poles_begin(tn_sim *sim);
/* It ends here; where it began. */
tn_fold_end tn_poles_end(tn_sim *sim, tn_fold_end end);

/* Have loads been sampled on the present way to a change point? */
bool tn_poles_on_the_way(const tn_sim *sim);
/* The distance from the change point at a time of the simulation, s, extrapolated from the sampled poses; negative behind it.
 * It is extrapolated because near the point rows are dependent to rounding and the factor gives no distance. INFINITY: no samples. */
double tn_poles_distance(const tn_sim *sim, double time);
/* Has any? */
bool tn_poles_any(const tn_sim *sim);
/* Of element j at a distance x; 0 without a pole. */
double tn_poles_share(const tn_sim *sim, int32_t j, double x);
/* Is a load with a pole beyond what breaks its joint within h seconds from sim->mark? *when: by far, s. */
bool tn_poles_passed(const tn_sim *sim, double h, double *when);

#endif
