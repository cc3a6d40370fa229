/* pinned_solve.h: room method/pinned: arms and openings of links, and a solution of the matrix of a tree (pinned.h).
 *
 * In: f, n and error of each link. Out: its motion p and t.
 */
#ifndef TN_METHOD_PINNED_PINNED_SOLVE_H
#define TN_METHOD_PINNED_PINNED_SOLVE_H

#include <math.h>

#include "method/pinned/pinned.h"

TN_INLINE void pinned_turn(tn_pinned_link *k)
{
    const tn_v2 half = pinned_half(k);
    const double twice = 2.0 * half[1];
    k->axis = (tn_v2){1.0 - twice * half[1], twice * half[0]};
    k->arm = p2_turn(k->axis, k->at);
}

/* rad: below it the neglected terms of the series of a rotation are below round-off. */
#define TN_PINNED_SMALL (1.0 / 256)

/* The axis after a correction by t, which is usually small. */
TN_INLINE void pinned_turn_on(double t, tn_pinned_link *k)
{
    const double t2 = t * t;
    if (!(t2 <= TN_PINNED_SMALL * TN_PINNED_SMALL)) {
        pinned_turn(k);
        return;
    }
    const double cosine = 1.0 - t2 * (0.5 - t2 * (1.0 / 24)),
                 sine = t - t * t2 * (1.0 / 6 - t2 * (1.0 / 120));
    k->axis = p2_turn((tn_v2){cosine, sine}, k->axis);
    k->arm = p2_turn(k->axis, k->at);
}

/* The opening of the pin; call it after the inner body is in place. */
TN_INLINE void pinned_open(const tn_pinned_link *inner, tn_pinned_link *k)
{
    const tn_v2 tip = pinned_place(k) + k->arm;
    if (inner) {
        k->base = p2_turn(inner->axis, k->inner_at);
        k->error = tip - (pinned_place(inner) + k->base);
    } else {
        k->base = k->inner_at;
        k->error = k->floats ? tip - tip : tip - k->inner_at;
    }
}

TN_INLINE tn_pinned_link *pinned_inner(tn_pinned *pinned, const tn_pinned_link *k)
{
    return k->inner < 0 ? NULL : &pinned->links[k->inner];
}

/* ---- a solve ---- */

TN_INLINE tn_v2 pinned_apply(const tn_v2 A[2], tn_v2 v)
{
    return A[0] * v[0] + A[1] * v[1];
}

/* Eliminates a link after those that hang on it. Returns D; it is not positive if the matrix is not definite. */
TN_INLINE double pinned_reduce(const tn_pinned_load *hung, tn_pinned_link *k)
{
    const double S = k->n[0], J = k->inertia;
    const double stiff = 0.5 * J + S > 0.0 ? S : 0.0; /* as in tn_body_fill */
    const tn_v2 across = p2_across(k->arm), c = hung->w - k->mass * across;
    const double D = k->about_pin + stiff + hung->e, by_D = 1.0 / D;
    const double moment = k->n[1] - pinned_dot(across, k->f) - hung->n;
    const tn_v2 g = by_D * c, mass = {k->mass, 0.0}, mass_y = {0.0, k->mass};
    k->g = g;
    k->A[0] = (hung->A[0] + mass) - c * g[0];
    k->A[1] = (hung->A[1] + mass_y) - c * g[1];
    k->w = by_D * moment;
    k->b = (hung->b - k->f) + moment * g;
    return D;
}

/* Adds the link to the sums of its inner body. */
TN_INLINE tn_pinned_load pinned_weigh(const tn_pinned_link *inner, tn_pinned_link *k)
{
    const tn_v2 span = p2_across(k->base - inner->arm);
    const tn_v2 b = k->b - pinned_apply(k->A, k->error), w = pinned_apply(k->A, span);
    k->span = span;
    return (tn_pinned_load){.A = {k->A[0], k->A[1]},
                            .w = w,
                            .b = b,
                            .e = pinned_dot(span, w),
                            .n = pinned_dot(span, b)};
}

TN_INLINE void pinned_add(const tn_pinned_load *more, tn_pinned_load *to)
{
    to->A[0] += more->A[0];
    to->A[1] += more->A[1];
    to->w += more->w;
    to->b += more->b;
    to->e += more->e;
    to->n += more->n;
}

/* Inward; false: the matrix is not that of a connected tree, or not positive definite. */
TN_INLINE bool pinned_eliminate(tn_pinned *pinned)
{
    static const tn_pinned_load none = {.e = 0.0};
    tn_pinned_load hung = none;
    double least = INFINITY;
    for (int32_t n = pinned->count - 1; n >= 0; n--) {
        tn_pinned_link *k = &pinned->links[n];
        if (k->ends) {
            hung = none;
        } else if (!k->passes) {
            hung = pinned->loads[n];
        }
        const double D = k->by_inertia[1] * pinned_reduce(&hung, k);
        least = D > least ? least : D;
        if (k->inner < 0)
            continue;
        hung = pinned_weigh(&pinned->links[k->inner], k);
        if (pinned->links[k->inner].passes)
            continue;
        if (k->last) { /* the first one met, going inward */
            pinned->loads[k->inner] = hung;
        } else {
            pinned_add(&hung, &pinned->loads[k->inner]);
        }
    }
    return least > 0.0;
}

/* p of a floating root: A p + b = 0. */
TN_INLINE tn_v2 pinned_float(const tn_v2 A[2], tn_v2 b)
{
    const double by = -1.0 / p2_cross(A[0], A[1]);
    return by * (tn_v2){p2_cross(b, A[1]), p2_cross(A[0], b)};
}

/* The motion of a body by a solution: of its pin, and its rotation. */
typedef struct tn_pinned_shift {
    tn_v2 p;
    double t;
} tn_pinned_shift;

TN_INLINE tn_pinned_shift pinned_move(const tn_pinned_shift *from, tn_pinned_link *k)
{
    const tn_v2 p = from->p - k->error;
    const tn_pinned_shift shift = {p, k->w - pinned_dot(k->g, p)};
    k->lag += p - shift.t * p2_across(k->arm);
    k->lag_turn += shift.t;
    if (!k->floats)
        k->force += pinned_apply(k->A, p) + k->b;
    return shift;
}

/* Outward, for link n: its motion, from that of the link before it in the tree. */
TN_INLINE void pinned_reach(int32_t n, const tn_pinned_link *inner, tn_pinned_shift *shift,
                            tn_pinned_link *k)
{
    if (inner) {
        if (k->inner != n - 1)
            *shift = (tn_pinned_shift){inner->p, inner->t};
        shift->p += shift->t * k->span;
    } else {
        shift->p = k->floats ? pinned_float(k->A, k->b) : (tn_v2){0.0, 0.0};
    }
    *shift = pinned_move(shift, k);
    k->p = shift->p;
    k->t = shift->t;
}

#endif
