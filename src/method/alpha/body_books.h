/* body_books.h: room method/alpha: the contribution of a body to the energy accounting of a step
 * (step/part/books.c), one body or several side by side (math/reals.h).
 */
#ifndef TN_METHOD_ALPHA_BODY_BOOKS_H
#define TN_METHOD_ALPHA_BODY_BOOKS_H

#include "math/reals.h"

/* tn_moved with lanes. */
typedef struct tn_body_books {
    tn_real made, moved, size, run, pushed, spun, twisted;
} tn_body_books;

TN_INLINE tn_body_books body_no_books(void)
{
    const tn_real zero = r_splat(0.0);
    return (tn_body_books){zero, zero, zero, zero, zero, zero, zero};
}

TN_INLINE void body_add_books(const tn_body_books *more, tn_body_books *b)
{
    b->made += more->made;
    b->moved += more->moved;
    b->size += more->size;
    b->run += more->run;
    b->pushed += more->pushed;
    b->spun += more->spun;
    b->twisted += more->twisted;
}

/* Changes of the velocities in a step, and sums of those before and after it: of the centre of mass, and of rotations,
 * also multiplied by J. */
typedef struct tn_body_change {
    tn_real3 dv, both_v;
    tn_real3 dw, both_w, turned, spin; /* turned: J dw; spin: J both_w */
} tn_body_change;

/* `fallen`: J, the work of the weight. run and spun are four times those of the mean velocities. */
TN_INLINE tn_body_books body_book(tn_real mass, const tn_body_change *of, tn_real fallen, double h)
{
    const tn_real run = mass * r3_dot(of->both_v, of->both_v),
                  pushed = mass * r3_dot(of->dv, of->dv);
    const tn_real spun = r3_dot(of->spin, of->both_w), twisted = r3_dot(of->turned, of->dw);
    return (tn_body_books){
        .made = 0.5 * (mass * r3_dot(of->dv, of->both_v) + r3_dot(of->turned, of->both_w)) - fallen,
        .moved = 0.5 * (r_sqrt(pushed * run) + r_sqrt(twisted * spun) +
                        0.25 * h * spun * r3_norm(of->both_w)) +
                 r_abs(fallen),
        .size = r_abs(fallen),
        .run = run,
        .pushed = pushed,
        .spun = spun,
        .twisted = twisted,
    };
}

#endif
