/* drive_changes.h: room law/drives: what may change about a drive at an event. */
#ifndef TN_LAW_DRIVES_DRIVE_CHANGES_H
#define TN_LAW_DRIVES_DRIVE_CHANGES_H

#include "law/drives/drives.h"

/* A bound exceeded by all of itself is as far off as this distance (m, rad): 1e-7 of a bound, which
 * is what the multipliers of a millisecond's step are good for, is then the deadband of limits.h.
 */
#define TN_BOUND_DISTANCE 1e-3

/* Bounds below this are taken as this (N, N m). */
#define TN_LEAST_BOUND 1e-9

/* A coordinate that changes more often in one step stays held until the step ends. */
#define TN_MAX_CHANGES 4

typedef enum tn_change {
    TN_CHANGE_NONE,
    TN_CHANGE_LET_GO, /* the bound of what holds is reached */
    TN_CHANGE_TRACK,  /* the motor's speed is reached */
    TN_CHANGE_STICK,  /* dry friction has stopped it */
    TN_CHANGE_TURN,   /* its prescribed motion turns back or starts: friction changes its side */
    TN_CHANGE_SPRING  /* the spring's cap is passed, either way */
} tn_change;

static inline void tn_keep_larger(double value, tn_change change, double *largest, tn_change *which)
{
    if (value > *largest) {
        *largest = value;
        *which = change;
    }
}

/* drive_round.c: the same for round bounds; a drive of them stands for all of its joint's. */

/* How far the drives of a vector are beyond their nearest event; computed for the first of them only. */
double tn_round_event(const tn_sim *sim, const tn_drive *d, double step, tn_change *which);
void tn_round_stick(tn_sim *sim, const tn_drive *d);
void tn_round_let_go(tn_sim *sim, const tn_drive *d);
void tn_round_turn_spring(tn_sim *sim, const tn_drive *d);

#endif
