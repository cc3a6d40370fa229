/* breaks.h: room law: joints that break under their load. */
#ifndef TN_LAW_BREAKS_H
#define TN_LAW_BREAKS_H

#include "motion/simulation.h"

/* How far the worst load is beyond its threshold, as a distance (negative: none is). Then
 * switching off what has reached its own: at an event (how many), and at the end of a step, where
 * less than the deadband counts too. */
double tn_breaks_event(tn_sim *sim);
int32_t tn_breaks_at_event(tn_sim *sim);
/* A load with a pole, that the other side of a change point has left behind. */
bool tn_breaks_passed_between(const tn_sim *sim, double h, double *when);
/* Near a change point, s from sim->mark; 0: not so, or loads are known there. */
typedef struct tn_untold {
    double at;  /* from here on loads are not known */
    double way; /* up to here, or a little before, their poles are to be found */
} tn_untold;

/* How long a part from sim->mark may be, s: a change point, where loads have a pole that no polynomial
 * follows, is approached in parts that halve the distance. Loads nearer to it are extrapolated from TN_POLE_SAMPLES poses,
 * noted t seconds from sim->mark; the first of them is noted already. */
double tn_breaks_longest(tn_sim *sim, tn_untold *untold, tn_step_report *report);
void tn_breaks_note_pole(tn_sim *sim, double t, tn_step_report *report);
void tn_breaks_at_end(tn_sim *sim);
/* A step that nothing looks ahead of begins; and is over, after h seconds: that it may have passed a change point is
 * counted. */
void tn_breaks_watch_from(tn_sim *sim, tn_step_report *report);
void tn_breaks_watch_to(tn_sim *sim, double h, tn_step_report *report);

#endif
