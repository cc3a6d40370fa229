/* poles.h: room law: loads that a change point makes infinite.
 *
 * In: poses on the way to a change point, at distances x at which loads are told
 * (motion/ahead/fold_ahead.h). Out: the loads nearer to it: with L = a + b / x + c x + ..., forces
 * and moments, x L is a polynomial in x, of which b is the value at the change point. A joint whose
 * load has a pole breaks on the way; of one without, what is not told is nothing. A pole that is a hundredth
 * of the load where that is told last is as good as none: it is beyond a threshold within 5e-5 rad only.
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

/* Were the loads on the way that the simulation is on looked at? */
bool tn_poles_on_the_way(const tn_sim *sim);
/* How far the pose is from the change point at a time of the simulation, s, after those of the poses noted, as they go on; negative
 * behind it. There rows repeat each other to rounding, and no factor tells. INFINITY: none were noted. */
double tn_poles_distance(const tn_sim *sim, double time);
/* Has any? */
bool tn_poles_any(const tn_sim *sim);
/* Of element j at a distance x; 0 without a pole. */
double tn_poles_share(const tn_sim *sim, int32_t j, double x);
/* Is a load with a pole beyond what breaks its joint within h seconds from sim->mark? *when: by far, s. */
bool tn_poles_passed(const tn_sim *sim, double h, double *when);

#endif
