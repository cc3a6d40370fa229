/* books.h: room step/part: the books of energy of a part of a step: what it moved about, and what of
 * that came from nowhere. */
#ifndef TN_STEP_PART_BOOKS_H
#define TN_STEP_PART_BOOKS_H

#include "assemble/load/stored_energy.h"
#include "motion/simulation.h"

/* What a part of a step starts with. */
typedef struct tn_opening {
    const tn_state *from;
    const double *u;      /* [velocities] what the method starts with: from->u, or own_u */
    double *own_u;        /* [velocities] */
    double *gap;          /* [y_size] of loops with gaps */
    double *spin;         /* [2 armatures] rad/s, m/s along them, of u, and of the end */
    double spun;          /* J: their energy as from->u has it, where u is another one */
    double step;          /* s, the whole step */
    double stored;        /* J, of all springs and compliant rows */
    tn_stiff_store stiff; /* of those that a step is too long for */
    double mass, inertia; /* kg, and traces of inertias: kg m^2, of all that moves */
} tn_opening;

/* The books of a part, J. */
typedef struct tn_books {
    double made;      /* of nothing; negative: lost */
    double moved;     /* about */
    double uncertain; /* what `made` may be off by */
    double blurred;   /* of that: by the tolerance of the poses */
    double size;      /* of the energies that were added up */
    double kinetic;   /* in the middle */
    double
        noise; /* that the tolerance of the poses leaves of a state at rest after a whole step: after a part
                         up to an event, which may be as short as any, it would hide all that was made */
    double corrected; /* made, or lost, by what closed the joints: of poses alone */
    double changed;   /* made by the method's change to parts of this length */
} tn_books;

tn_status tn_books_create(const tn_sim *sim, tn_opening *opening);
void tn_books_destroy(tn_opening *opening);

/* Notes what a part of a step of so many seconds starts with. `from` is a copy of the state, kept
 * as it is until the books are closed; kinematics and coordinates are those of it. */
void tn_books_open(const tn_sim *sim, const tn_state *from, double step, tn_opening *opening);

/* The velocities are those that the method has for parts of this length. */
void tn_books_note_speeds(const tn_sim *sim, tn_opening *opening);

/* h seconds later. */
tn_books tn_books_close(const tn_sim *sim, const tn_opening *opening, double h);

/* The body that has the largest part in the energy moved; -1: none moves. */
int32_t tn_books_mover(const tn_sim *sim, const tn_opening *opening, double h);

#endif
