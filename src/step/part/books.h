/* books.h: room step/part: the energy accounting of a sub-step: the energy it exchanged, and the error of the
 * balance. */
#ifndef TN_STEP_PART_BOOKS_H
#define TN_STEP_PART_BOOKS_H

#include "assemble/load/stored_energy.h"
#include "motion/simulation.h"

/* The start of a sub-step. */
typedef struct tn_opening {
    const tn_state *from;
    const double *u;      /* [velocities] with which the method starts: from->u, or own_u */
    double *own_u;        /* [velocities] */
    double *gap;          /* [y_size] of loops with gaps */
    double *spin;         /* [2 armatures] rad/s, m/s along them: of u, then of the end */
    double spun;          /* J: their energy with from->u, if u differs from that */
    double step;          /* s, the whole step */
    double stored;        /* J, of all springs and compliant rows */
    tn_stiff_store stiff; /* of those too fast for the step */
    double mass, inertia; /* kg, and traces of inertias: kg m^2, of all that moves */
} tn_opening;

/* The energy accounting of a sub-step, J. */
typedef struct tn_books {
    double made;      /* the error of the balance; negative: energy was lost */
    double moved;     /* exchanged */
    double uncertain; /* the error that `made` itself may have */
    double blurred;   /* the share of that due to the tolerance of poses */
    double size;      /* sum of the absolute energies added up: their round-off is a share of it */
    double kinetic;   /* in the middle */
    /* of `blurred`, the part of a state at rest, computed for a whole step: with the length of a sub-step up to an
     * event, which may be arbitrarily short, it would hide every energy error */
    double noise;
    double corrected; /* gained or lost as joints were closed: by poses alone */
    double changed;   /* gained as the method changed its velocities to sub-steps of this length */
} tn_books;

tn_status tn_books_create(const tn_sim *sim, tn_opening *opening);
void tn_books_destroy(tn_opening *opening);

/* Notes the start of a sub-step of a step of `step` seconds. `from` is a copy of the state that stays unchanged until
 * tn_books_close; kinematics and coordinates are current. */
void tn_books_open(const tn_sim *sim, const tn_state *from, double step, tn_opening *opening);

/* Notes the velocities once the method has changed them to sub-steps of this length. */
void tn_books_note_speeds(const tn_sim *sim, tn_opening *opening);

/* The accounting, h seconds later. */
tn_books tn_books_close(const tn_sim *sim, const tn_opening *opening, double h);

/* The body with the largest share of the exchanged energy; -1: none moves. */
int32_t tn_books_mover(const tn_sim *sim, const tn_opening *opening, double h);

#endif
