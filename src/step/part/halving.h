/* halving.h: room step/part: how long the parts of a step may be, of methods that take what they are
 * told. */
#ifndef TN_STEP_PART_HALVING_H
#define TN_STEP_PART_HALVING_H

#include "motion/simulation.h"

/* A part is halved at most so often. */
#define TN_MOST_HALVINGS 6

/* A step begins; it has ended well. */
void tn_halving_begin(tn_sim *sim);
void tn_halving_end(tn_sim *sim);

/* Are the parts of a step that fails halved where they fail? Else all are of one length. */
bool tn_halving_is_local(const tn_sim *sim);

/* Seconds of the next part of a step of which so much remains. */
double tn_halving_length(const tn_sim *sim, double step, double remaining);

/* And how short one may become: of sections between events that are shorter still, a share. */
double tn_halving_shortest(double step, double section);

/* Would a part of twice the length do, of a method of second order? */
bool tn_halving_is_easy(double error);

/* A longer part has failed with this status. */
void tn_halving_take(tn_sim *sim, double length, tn_status status);

/* A part of such a length of a step has been taken, with an error in units of what may be. */
void tn_halving_note(tn_sim *sim, double step, double length, double error, tn_step_report *report);

#endif
