/* linkage_iterate.c: room method/linkage: Newton's iteration of a planar linkage. See linkage.h.
 *
 * In: start and prediction of each body, and what the hinges bear. Out: their end, or that there is none.
 * Evaluations and corrections are those of alpha_residual.c in the components of the plane.
 */
#include <math.h>
#include <string.h>

#include "method/linkage/linkage.h"
#include "method/linkage/linkage_held.h"

/* ---- an evaluation ---- */

/* Poses, and forces but those of pins. */
TN_INLINE void move_bars(const tn_alpha *c, tn_v2 gravity, tn_linkage *linkage)
{
    const tn_v4 g = {gravity[0], gravity[1], 0.0, 0.0};
    for (int32_t k = 0; k < linkage->bar_count; k++) {
        tn_bar *bar = &linkage->bars[k];
        const double angle = c->h * bar->dq[2];
        double cosine, sinc;
        tn_half_angle(0.25 * angle * angle, &cosine, &sinc);
        bar->x = bar->x_before + c->h * tn_v2_load(bar->dq);
        bar->half = p2_turn(bar->half_before, (tn_v2){cosine, 0.5 * sinc * angle});
        bar->axis = bar_double(bar->half);
        TN_BAR_AT(bar->f) = TN_BAR(bar->inertia) * (g - TN_BAR(bar->udot));
    }
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

/* What its force adds to the turns of its bars. */
TN_INLINE void stiffen(const tn_linkage_pin *pin, tn_bar *a, tn_bar *b)
{
    a->S += p2_dot(pin->arm_a, pin->force);
    b->S -= p2_dot(pin->arm_b, pin->force);
}

/* The pins of the prediction, with the multipliers going on as they did. */
TN_INLINE void predict_pins(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage)
{
    const double *rates = tn_alpha_remembers(sim->model, &sim->state).lambda_rate;
    for (int32_t k = 0; k < linkage->bar_count; k++)
        linkage->bars[k].S = 0.0;
    for (int32_t k = 0; k < linkage->pin_count; k++) {
        tn_linkage_pin *pin = &linkage->pins[k];
        tn_bar *a = &linkage->bars[pin->a], *b = &linkage->bars[pin->b];
        const size_t row = (size_t)pin->joint * TN_MAX_ROWS;
        const tn_v2 lambda = tn_v2_load(sim->state.lambda + row) + c->h * tn_v2_load(rates + row);
        place_pin(pin, a, b);
        const tn_v2 axis = p2_turn(a->axis, pin->axis_a);
        pin->force = lambda[0] * axis + pin->side * lambda[1] * p2_across(axis);
        stiffen(pin, a, b);
        push_both(linkage, pin, pin->force);
    }
    held_place(linkage);
}

/* Those after a correction of their forces. */
TN_INLINE void correct_pins(const tn_alpha *c, tn_linkage *linkage)
{
    for (int32_t k = 0; k < linkage->pin_count; k++) {
        tn_linkage_pin *pin = &linkage->pins[k];
        place_pin(pin, &linkage->bars[pin->a], &linkage->bars[pin->b]);
        pin->force += c->beta_prime * tn_v2_load(linkage->y + TN_PIN_ROWS * k);
        push_both(linkage, pin, pin->force);
    }
    for (int32_t n = 0; n < linkage->held_count; n++)
        linkage->held[n].moment += c->beta_prime * linkage->held[n].more;
    held_place(linkage);
}

/* The largest residual as a distance, m or rad, as tn_alpha_residual.all; NaN if anything is not finite. f becomes
 * the right-hand side. */
TN_INLINE double measure(const tn_alpha *c, tn_linkage *linkage)
{
    const double by_beta = 1.0 / c->beta_prime;
    tn_sizes sizes = TN_NO_SIZES;
    for (int32_t k = 0; k < linkage->bar_count; k++) {
        tn_bar *bar = &linkage->bars[k];
        TN_BAR_AT(bar->f) *= by_beta;
        tn_sizes_note(&sizes, 0, tn_v2_abs(tn_v2_load(bar->f)) * tn_v2_load(bar->by_inertia));
        tn_sizes_note(&sizes, 1,
                      tn_v2_abs(tn_v2_load(bar->f + 2)) * tn_v2_load(bar->by_inertia + 2));
    }
    for (int32_t k = 0; k < linkage->pin_count; k++)
        tn_sizes_note(&sizes, k % 2, tn_v2_abs(linkage->pins[k].error));
    for (int32_t n = 0; n < linkage->held_count; n++)
        tn_sizes_note(&sizes, 0, (tn_v2){fabs(linkage->held[n].error)});
    return tn_sizes_largest(&sizes);
}

/* ---- the matrix ---- */

TN_INLINE void invert_masses(const tn_alpha *c, tn_linkage *linkage)
{
    const double by_beta = 1.0 / c->beta_prime;
    for (int32_t k = 0; k < linkage->bar_count; k++) {
        tn_bar *bar = &linkage->bars[k];
        const double S = by_beta * bar->S, J = bar->inertia[2];
        const bool bearable = 0.5 * J + S > 0.0; /* as in tn_body_fill */
        TN_BAR_AT(bar->inverse) = TN_BAR(bar->by_inertia);
        bar->inverse[2] = 1.0 / (bearable ? J + S : J);
    }
}

/* What a force at one arm moves at another of the same body, times sign. */
TN_INLINE void add_mobility(tn_v2 block[2], const tn_bar *bar, double sign, tn_v2 first,
                            tn_v2 second)
{
    const tn_v2 p = sign * bar->inverse[2] * p2_across(first), q = p2_across(second);
    const double run = sign * bar->inverse[0];
    block[0] += p[0] * q + (tn_v2){run, 0.0};
    block[1] += p[1] * q + (tn_v2){0.0, run};
}

TN_INLINE void fill_pins(tn_linkage *linkage)
{
    for (int32_t k = 0; k < linkage->pin_count; k++) {
        const tn_linkage_pin *pin = &linkage->pins[k];
        tn_v2 block[2] = {{0.0}, {0.0}};
        add_mobility(block, &linkage->bars[pin->a], 1.0, pin->arm_a, pin->arm_a);
        add_mobility(block, &linkage->bars[pin->b], 1.0, pin->arm_b, pin->arm_b);
        memcpy(linkage->along.diagonal + spd_block(TN_PIN_ROWS) * k, block, sizeof block);
    }
}

TN_INLINE void fill_pairs(tn_linkage *linkage)
{
    tn_spd *K = &linkage->along;
    memset(K->block, 0, sizeof(double) * (size_t)spd_block(TN_PIN_ROWS) * (size_t)K->start[K->n]);
    for (int32_t p = 0; p < linkage->pairs.count; p++) {
        const tn_pair *pair = &linkage->pairs.pairs[p];
        const tn_linkage_pin *one = &linkage->pins[pair->first],
                             *other = &linkage->pins[pair->second];
        const bool on_a = one->a == pair->bar, on_other_a = other->a == pair->bar;
        add_mobility((tn_v2 *)(void *)(K->block + spd_block(TN_PIN_ROWS) * pair->block),
                     &linkage->bars[pair->bar], on_a == on_other_a ? 1.0 : -1.0,
                     on_a ? one->arm_a : one->arm_b, on_other_a ? other->arm_a : other->arm_b);
    }
}

/* G H^-1 G^T. Is it regular, or will it be told (linkage_rows.c)? */
TN_INLINE bool factor(const tn_alpha *c, tn_linkage *linkage, tn_step_report *report)
{
    invert_masses(c, linkage);
    fill_pins(linkage);
    fill_pairs(linkage);
    const double pivot = linkage->pivot = spd_factor(&linkage->along, NULL, TN_PIN_ROWS);
    report->factorizations++;
    report->smallest_pivot = fmin(report->smallest_pivot, pivot);
    return pivot >= linkage->least_pivot &&
           (linkage->held_count == 0 ||
            (pivot >= TN_CLEARLY_REGULAR && held_factor(linkage) >= TN_CLEARLY_REGULAR));
}

/* Where the matrix of the prediction has proved stale: that of here. Forces on weak rows are not predicted well; where none
 * are weak, the other iteration knows better. */
TN_INLINE bool factor_anew(const tn_alpha *c, tn_linkage *linkage, tn_step_report *report)
{
    if (linkage->pivot >= TN_CLEARLY_REGULAR)
        return false;
    for (int32_t k = 0; k < linkage->bar_count; k++)
        linkage->bars[k].S = 0.0;
    for (int32_t k = 0; k < linkage->pin_count; k++) {
        const tn_linkage_pin *pin = &linkage->pins[k];
        stiffen(pin, &linkage->bars[pin->a], &linkage->bars[pin->b]);
    }
    return factor(c, linkage, report);
}

/* ---- a correction ---- */

/* Where a body's point goes that has this arm. */
TN_INLINE tn_v2 way_of(const tn_bar *bar, tn_v2 arm)
{
    return tn_v2_load(bar->d) + bar->d[2] * p2_across(arm);
}

TN_INLINE void fall_freely(tn_linkage *linkage)
{
    for (int32_t k = 0; k < linkage->bar_count; k++) {
        tn_bar *bar = &linkage->bars[k];
        TN_BAR_AT(bar->d) = TN_BAR(bar->inverse) * TN_BAR(bar->f);
    }
}

TN_INLINE void correct_bars(const tn_alpha *c, tn_linkage *linkage)
{
    const double by_h = 1.0 / c->h;
    fall_freely(linkage);
    for (int32_t k = 0; k < linkage->bar_count; k++) {
        tn_bar *bar = &linkage->bars[k];
        TN_BAR_AT(bar->dq) += by_h * TN_BAR(bar->d);
        TN_BAR_AT(bar->u) += c->gamma_prime * TN_BAR(bar->d);
        TN_BAR_AT(bar->udot) += c->beta_prime * TN_BAR(bar->d);
    }
}

TN_INLINE void solve(const tn_alpha *c, tn_linkage *linkage)
{
    fall_freely(linkage);
    for (int32_t k = 0; k < linkage->pin_count; k++) {
        const tn_linkage_pin *pin = &linkage->pins[k];
        tn_v2_store(linkage->y + TN_PIN_ROWS * k, way_of(&linkage->bars[pin->b], pin->arm_b) -
                                                      way_of(&linkage->bars[pin->a], pin->arm_a) -
                                                      pin->error);
    }
    spd_solve(&linkage->along, linkage->y, TN_PIN_ROWS);
    if (linkage->held_count > 0)
        held_solve(linkage);
    for (int32_t k = 0; k < linkage->pin_count; k++)
        push_both(linkage, &linkage->pins[k], tn_v2_load(linkage->y + TN_PIN_ROWS * k));
    correct_bars(c, linkage);
}

TN_INLINE bool iterate(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage,
                       tn_step_report *report)
{
    const double enough = fmax(sim->options.position_tolerance, c->round_off);
    const tn_v2 gravity = bar_in_plane(linkage, sim->model->gravity);
    move_bars(c, gravity, linkage);
    predict_pins(sim, c, linkage);
    double before = measure(c, linkage);
    if (isnan(before) || !factor(c, linkage, report))
        return false;
    for (int32_t left = sim->options.max_iterations - 1; left >= 0; left--) {
        report->iterations++;
        report->solves++;
        solve(c, linkage);
        move_bars(c, gravity, linkage);
        correct_pins(c, linkage);
        const double now = measure(c, linkage);
        if (now <= enough)
            return true;
        const bool stale = tn_alpha_is_stale(now, before, enough, left);
        if (isnan(now) || (stale && !(now < before && factor_anew(c, linkage, report))))
            return false;
        before = now;
    }
    return false;
}

static bool iterate_narrow(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage,
                           tn_step_report *report)
{
    return iterate(sim, c, linkage, report);
}

TN_WIDE static bool iterate_wide(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage,
                                 tn_step_report *report)
{
    return iterate(sim, c, linkage, report);
}

bool tn_linkage_iterate(const tn_sim *sim, const tn_alpha *c, tn_linkage *linkage,
                        tn_step_report *report)
{
    return TN_WIDE_COPIES && linkage->wide ? iterate_wide(sim, c, linkage, report)
                                           : iterate_narrow(sim, c, linkage, report);
}
