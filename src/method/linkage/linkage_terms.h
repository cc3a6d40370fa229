/* linkage_terms.h: room method/linkage: the terms of a trial, of one bar or pin at a time: poses and forces, the
 * matrix, and corrections. See linkage.h. The equations are those of alpha_residual.c in the components of the
 * plane.
 *
 * In: start and prediction of each bar. Out: residual forces and errors; the matrix; the trial after a correction.
 */
#ifndef TN_METHOD_LINKAGE_LINKAGE_TERMS_H
#define TN_METHOD_LINKAGE_LINKAGE_TERMS_H

#include <math.h>
#include <string.h>

#include "method/linkage/linkage_begin.h"
#include "method/linkage/linkage_held.h"

/* ---- an evaluation ---- */

/* The pose, and all forces but those of pins. */
TN_INLINE void move_bar(const tn_alpha *c, tn_v2 gravity, tn_bar *bar)
{
    const double angle = c->h * bar->dq[2];
    double cosine, sinc;
    tn_half_angle(0.25 * angle * angle, &cosine, &sinc);
    bar->x = bar->x_before + c->h * tn_v2_load(bar->dq);
    bar->half = p2_turn(bar->half_before, (tn_v2){cosine, 0.5 * sinc * angle});
    bar->axis = bar_double(bar->half);
    TN_BAR_AT(bar->f) =
        TN_BAR(bar->inertia) * ((tn_v4){gravity[0], gravity[1]} - TN_BAR(bar->udot));
}

TN_INLINE void place_pin(tn_linkage_pin *pin, const tn_bar *a, const tn_bar *b)
{
    pin->arm_a = p2_turn(a->axis, pin->at_a);
    pin->arm_b = p2_turn(b->axis, pin->at_b);
    pin->error = (a->x - b->x) + (pin->arm_a - pin->arm_b);
}

TN_INLINE void push(tn_bar *bar, tn_v2 arm, tn_v2 force)
{
    tn_v2_store(bar->f, tn_v2_load(bar->f) + force);
    bar->f[2] += p2_cross(arm, force);
}

TN_INLINE void push_both(tn_linkage *linkage, const tn_linkage_pin *pin, tn_v2 force)
{
    push(&linkage->bars[pin->a], pin->arm_a, force);
    push(&linkage->bars[pin->b], pin->arm_b, -force);
}

/* Adds the moments of the pin's force to its bars. */
TN_INLINE void stiffen(const tn_linkage_pin *pin, tn_bar *a, tn_bar *b)
{
    a->S += p2_dot(pin->arm_a, pin->force);
    b->S -= p2_dot(pin->arm_b, pin->force);
}

/* The force of the prediction, in which multipliers continue to change as they did. */
TN_INLINE void predict_pin(const tn_alpha *c, const tn_linkage_past *past, tn_linkage *linkage,
                           tn_linkage_pin *pin)
{
    tn_bar *a = &linkage->bars[pin->a], *b = &linkage->bars[pin->b];
    const size_t row = (size_t)pin->joint * TN_MAX_ROWS;
    const tn_v2 lambda =
        tn_v2_load(past->lambda + row) + c->h * tn_v2_load(past->lambda_rate + row);
    place_pin(pin, a, b);
    const tn_v2 axis = p2_turn(a->axis, pin->axis_a);
    pin->force = lambda[0] * axis + pin->side * lambda[1] * p2_across(axis);
    stiffen(pin, a, b);
    push_both(linkage, pin, pin->force);
}

/* The pin after a correction of its force. */
TN_INLINE void correct_pin(const tn_alpha *c, tn_linkage *linkage, tn_linkage_pin *pin,
                           const double *y)
{
    place_pin(pin, &linkage->bars[pin->a], &linkage->bars[pin->b]);
    pin->force += c->beta_prime * tn_v2_load(y);
    push_both(linkage, pin, pin->force);
}

/* f becomes the right-hand side, and d = H^-1 f. */
TN_INLINE void measure_bar(double by_beta, tn_bar *bar, tn_sizes *sizes)
{
    TN_BAR_AT(bar->f) *= by_beta;
    tn_sizes_note(sizes, 0, tn_v2_abs(tn_v2_load(bar->f)) * tn_v2_load(bar->by_inertia));
    tn_sizes_note(sizes, 1, tn_v2_abs(tn_v2_load(bar->f + 2)) * tn_v2_load(bar->by_inertia + 2));
}

/* Size of the pins' forces, in the metric of the masses: a reference for weak rows. */
TN_INLINE double size_of_push(tn_v2 gravity, const tn_bar *bar)
{
    const tn_v4 own = TN_BAR(bar->inertia) * ((tn_v4){gravity[0], gravity[1]} - TN_BAR(bar->udot)),
                pins = TN_BAR(bar->f) - own, size = TN_BAR(bar->inverse) * pins * pins;
    return (size[0] + size[1]) + size[2];
}

/* ---- the matrix ---- */

TN_INLINE void invert_mass(double by_beta, tn_bar *bar)
{
    const double S = by_beta * bar->S, J = bar->inertia[2];
    const bool definite = 0.5 * J + S > 0.0; /* as in tn_body_fill */
    TN_BAR_AT(bar->inverse) = TN_BAR(bar->by_inertia);
    bar->inverse[2] = 1.0 / (definite ? J + S : J);
}

/* Motion of the point at one arm by a force at another arm of the same body, times sign. */
TN_INLINE void add_mobility(tn_v2 block[2], const tn_bar *bar, double sign, tn_v2 first,
                            tn_v2 second)
{
    const tn_v2 p = sign * bar->inverse[2] * p2_across(first), q = p2_across(second);
    const double run = sign * bar->inverse[0];
    block[0] += p[0] * q + run * (tn_v2){1.0, 0.0};
    block[1] += p[1] * q + run * (tn_v2){0.0, 1.0};
}

TN_INLINE void fill_pair(const tn_linkage *linkage, const tn_pair *pair)
{
    const tn_linkage_pin *one = &linkage->pins[pair->first], *other = &linkage->pins[pair->second];
    const bool on_a = one->a == pair->bar, on_other_a = other->a == pair->bar;
    tn_v2 *to = (tn_v2 *)(void *)(linkage->along.block + spd_block(TN_PIN_ROWS) * pair->block);
    tn_v2 block[2] = {{0.0}, {0.0}};
    if (!pair->opens)
        memcpy(block, to, sizeof block);
    add_mobility(block, &linkage->bars[pair->bar], on_a == on_other_a ? 1.0 : -1.0,
                 on_a ? one->arm_a : one->arm_b, on_other_a ? other->arm_a : other->arm_b);
    memcpy(to, block, sizeof block);
}

TN_INLINE void fill_pin(const tn_linkage *linkage, int32_t k)
{
    const tn_linkage_pin *pin = &linkage->pins[k];
    tn_v2 block[2] = {{0.0}, {0.0}};
    add_mobility(block, &linkage->bars[pin->a], 1.0, pin->arm_a, pin->arm_a);
    add_mobility(block, &linkage->bars[pin->b], 1.0, pin->arm_b, pin->arm_b);
    memcpy(linkage->along.diagonal + spd_block(TN_PIN_ROWS) * k, block, sizeof block);
}

/* Rows of G H^-1 G^T from `first` to `end`. */
TN_INLINE void fill_rows(tn_linkage *linkage, int32_t first, int32_t end)
{
    const tn_pairs *pairs = &linkage->pairs;
    for (int32_t k = first; k < end; k++)
        fill_pin(linkage, k);
    spd_note_scale(&linkage->along, first, end, TN_PIN_ROWS);
    for (int32_t p = pairs->start[first]; p < pairs->start[end]; p++)
        fill_pair(linkage, &pairs->pairs[p]);
    for (int32_t p = pairs->bare_start[first]; p < pairs->bare_start[end]; p++)
        memset(linkage->along.block + spd_block(TN_PIN_ROWS) * pairs->bare[p], 0,
               sizeof(double) * (size_t)spd_block(TN_PIN_ROWS));
}

/* ---- a correction ---- */

/* The correction of a bar without its pins. */
TN_INLINE void fall_freely(tn_bar *bar)
{
    TN_BAR_AT(bar->d) = TN_BAR(bar->inverse) * TN_BAR(bar->f);
}

/* The correction of the body's point at this arm. */
TN_INLINE tn_v2 way_of(const tn_bar *bar, tn_v2 arm)
{
    return tn_v2_load(bar->d) + bar->d[2] * p2_across(arm);
}

TN_INLINE void set_rhs_of_pin(const tn_linkage *linkage, const tn_linkage_pin *pin, double *y)
{
    tn_v2_store(y, way_of(&linkage->bars[pin->b], pin->arm_b) -
                       way_of(&linkage->bars[pin->a], pin->arm_a) - pin->error);
}

TN_INLINE void correct_bar(const tn_alpha *c, double by_h, tn_bar *bar)
{
    const tn_v4 d = TN_BAR(bar->inverse) * TN_BAR(bar->f);
    TN_BAR_AT(bar->dq) += by_h * d;
    TN_BAR_AT(bar->u) += c->gamma_prime * d;
    TN_BAR_AT(bar->udot) += c->beta_prime * d;
}

#endif
