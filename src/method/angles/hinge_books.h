/* hinge_books.h: room method/angles: the contribution of a link to the energy accounting of a step
 * (step/part/books.c), in one world or in several side by side.
 *
 * Sums go by links, in runs of TN_HINGE_RUN of them, which are then added in a fixed order: the bits do not depend
 * on the number of threads.
 */
#ifndef TN_METHOD_ANGLES_HINGE_BOOKS_H
#define TN_METHOD_ANGLES_HINGE_BOOKS_H

#include "method/alpha/body_books.h"
#include "method/angles/hinge_kernel.h"

enum { TN_HINGE_RUN = 64 };

/* Of a body that started with velocity u0 at x0, and ends in `to`. */
TN_INLINE tn_body_books hinge_book(const tn_hinge_link *link, tn_real3 gravity, bool principal,
                                   double h, const tn_real *u0, tn_real3 x0,
                                   const tn_hinge_state *to)
{
    const tn_real3 v = r3_load(to->at.u), turn = r3_load(to->at.u + 3);
    const tn_real3 v0 = r3_load(u0), turn0 = r3_load(u0 + 3);
    tn_body_change of = {.dv = r3_sub(v, v0),
                         .both_v = r3_add(v, v0),
                         .dw = r3_sub(turn, turn0),
                         .both_w = r3_add(turn, turn0)};
    of.turned = hinge_spin(&link->J, principal, of.dw);
    of.spin = hinge_spin(&link->J, principal, of.both_w);
    const tn_real mass = link->mass;
    return body_book(mass, &of, mass * r3_dot(gravity, r3_sub(to->pose.x, x0)), h);
}

#endif
