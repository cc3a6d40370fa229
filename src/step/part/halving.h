/* halving.h: room step/part: the length of sub-steps, for methods that do not choose it themselves. */
#ifndef TN_STEP_PART_HALVING_H
#define TN_STEP_PART_HALVING_H

#include "motion/simulation.h"

/* Most halvings of a step. */
#define TN_MOST_HALVINGS 6

/* At the start of a step; after its success. */
void tn_halving_begin(tn_sim *sim);
void tn_halving_end(tn_sim *sim);

/* true: only the sub-step that failed is halved. false: the whole step is repeated in equal sub-steps. */
bool tn_halving_is_local(const tn_sim *sim);

/* s, length of the next sub-step of a step of which `remaining` seconds are left. */
double tn_halving_length(const tn_sim *sim, double step, double remaining);

/* s, the shortest sub-step; in a section between events that is shorter still, a share of that section. */
double tn_halving_shortest(double step, double section);

/* Would a sub-step of twice the length be accurate, for a method of second order? */
bool tn_halving_is_easy(double error);

/* Sub-steps have this length from now on, since a longer one has failed with this status. */
void tn_halving_take(tn_sim *sim, double length, tn_status status);

/* Notes a sub-step that has been taken. error: as a factor of the allowed one. */
void tn_halving_note(tn_sim *sim, double step, double length, double error, tn_step_report *report);

#endif
