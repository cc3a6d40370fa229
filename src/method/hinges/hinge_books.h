/* hinge_books.h: room method/hinges: what a limb adds to the books of energy of a step (step/part/books.c), in one
 * world or in several side by side.
 *
 * Sums go by limbs, in runs of TN_HINGE_RUN of them, which are then added in turn: with the same bits however many threads
 * have found them.
 */
#ifndef TN_METHOD_HINGES_HINGE_BOOKS_H
#define TN_METHOD_HINGES_HINGE_BOOKS_H

#include "method/hinges/hinge_kernel.h"

enum { TN_HINGE_RUN = 64 };

/* tn_moved, in numbers side by side. */
typedef struct tn_hinge_books {
    tn_real made, moved, size, run, pushed, spun, twisted;
} tn_hinge_books;

TN_INLINE tn_hinge_books hinge_no_books(void)
{
    const tn_real zero = r_splat(0.0);
    return (tn_hinge_books){zero, zero, zero, zero, zero, zero, zero};
}

TN_INLINE void hinge_add_books(const tn_hinge_books *more, tn_hinge_books *b)
{
    b->made += more->made;
    b->moved += more->moved;
    b->size += more->size;
    b->run += more->run;
    b->pushed += more->pushed;
    b->spun += more->spun;
    b->twisted += more->twisted;
}

/* Of a body that moved with u0 from x0, and is at `to`. */
TN_INLINE tn_hinge_books hinge_book(const tn_hinge_link *link, tn_real3 gravity, bool principal,
                                    double h, const tn_real *u0, tn_real3 x0,
                                    const tn_hinge_state *to)
{
    const tn_real3 v = r3_load(to->at.u), turn = r3_load(to->at.u + 3);
    const tn_real3 v0 = r3_load(u0), turn0 = r3_load(u0 + 3);
    const tn_real3 dv = r3_sub(v, v0), dw = r3_sub(turn, turn0);
    const tn_real3 both_v = r3_add(v, v0), both_w = r3_add(turn, turn0);
    const tn_real3 dx = r3_sub(to->pose.x, x0);
    const tn_real3 turned = hinge_spin(&link->J, principal, dw),
                   spin = hinge_spin(&link->J, principal, both_w);
    const tn_real mass = link->mass, fallen = mass * r3_dot(gravity, dx);
    const tn_real run = mass * r3_dot(both_v, both_v), pushed = mass * r3_dot(dv, dv);
    const tn_real spun = r3_dot(spin, both_w), twisted = r3_dot(turned, dw);
    return (tn_hinge_books){
        .made = 0.5 * (mass * r3_dot(dv, both_v) + r3_dot(turned, both_w)) - fallen,
        .moved = 0.5 * (r_sqrt(pushed * run) + r_sqrt(twisted * spun) +
                        0.25 * h * spun * r3_norm(both_w)) +
                 r_abs(fallen),
        .size = r_abs(fallen),
        .run = run,
        .pushed = pushed,
        .spun = spun,
        .twisted = twisted,
    };
}

#endif
