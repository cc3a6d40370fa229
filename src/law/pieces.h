/* pieces.h: room law: joints on surfaces that are smooth piece by piece (pieces.c). */
#ifndef TN_LAW_PIECES_H
#define TN_LAW_PIECES_H

#include "motion/simulation.h"

/* Can a seam between two pieces be crossed within a step? */
bool tn_pieces_are(const tn_sim *sim);

/* Keeps what has none to a piece: the one it is on, or goes to. True: one of them is at a seam, and
 * its acceleration may be that of the other side. Needs current kinematics. */
bool tn_pieces_begin_part(tn_sim *sim);

/* At an event: what is at a seam is kept to the piece it goes to. How many changed. */
int32_t tn_pieces_cross(tn_sim *sim);

/* None is kept any more; the kinematics follow. */
void tn_pieces_end(tn_sim *sim);

/* How far, m, what is kept to a piece is beyond its end, largest first; negative: nothing is. */
double tn_pieces_beyond(const tn_sim *sim);

/* As tn_limits_passed_between of limits. */
bool tn_pieces_passed_between(const tn_sim *sim, double h, double *when);

tn_status tn_pieces_create(tn_sim *sim);
void tn_pieces_destroy(tn_sim *sim);

#endif
