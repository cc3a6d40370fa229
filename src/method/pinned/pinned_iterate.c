/* pinned_iterate.c: room method/pinned: Newton's iteration of a tree of planar bodies. See pinned.h.
 *
 * In: start and prediction of each body, and the forces of pins. Out: those at the end of the step, or a failure.
 */
#include <math.h>

#include "method/pinned/pinned_solve.h"

/* ---- an evaluation ---- */

TN_INLINE void note_link(tn_sizes *sizes, const tn_pinned_link *k)
{
    tn_sizes_note(sizes, 0, k->by_mass * tn_v2_abs(k->f));
    tn_sizes_note(sizes, 1, k->by_inertia * tn_v2_abs(k->n));
}

/* Residual force and moment of the motion and of the pin, whose reaction the inner body gets; the largest residual as a
 * distance, like tn_alpha_residual. */
TN_INLINE void push_link(tn_v2 gravity, tn_pinned_link *inner, tn_pinned_link *k, tn_sizes *sizes)
{
    const tn_v2 F = k->force, left = {0.0, -k->inertia * k->lag_turn};
    k->f = k->mass * (gravity - k->lag) + F;
    k->n = left + p2_turn_back(k->arm, F);
    tn_sizes_note(sizes, 1, tn_v2_abs(k->error));
    if (inner) {
        inner->f -= F;
        inner->n -= p2_turn_back(k->base, F);
        if (k->last)
            note_link(sizes, inner);
    }
    if (k->ends)
        note_link(sizes, k);
}

/* The force of the prediction, in which multipliers continue to change as they did. */
TN_INLINE tn_v2 predict_force(const tn_sim *sim, const tn_alpha *c, const double *rates,
                              const tn_pinned_place *place, tn_v2 axis_of_a)
{
    const size_t row = (size_t)place->joint * TN_MAX_ROWS;
    const tn_v2 lambda = tn_v2_load(sim->state.lambda + row) + c->h * tn_v2_load(rates + row);
    return place->sign * p2_turn(p2_turn(axis_of_a, place->axis_a), lambda);
}

/* The largest residual as a distance; NaN if anything is not finite. */
TN_INLINE double try_prediction(const tn_sim *sim, const tn_alpha *c, tn_v2 gravity,
                                tn_pinned *pinned)
{
    const double *rates = tn_alpha_remembers(sim->model, &sim->state).lambda_rate;
    const double by_beta = 1.0 / c->beta_prime;
    tn_sizes sizes = TN_NO_SIZES;
    for (int32_t n = 0; n < pinned->count; n++) {
        tn_pinned_link *k = &pinned->links[n], *inner = pinned_inner(pinned, k);
        const tn_pinned_place *place = &pinned->places[n];
        tn_v2 axis_of_a = {1.0, 0.0};
        pinned_turn(k);
        pinned_open(inner, k);
        if (place->sign > 0.0) {
            axis_of_a = k->axis;
        } else if (inner) {
            axis_of_a = inner->axis;
        }
        if (!k->floats)
            k->force = by_beta * predict_force(sim, c, rates, place, axis_of_a);
        push_link(gravity, inner, k, &sizes);
    }
    return tn_sizes_largest(&sizes);
}

/* ---- a correction ---- */

/* Outward: corrects and evaluates each link. Returns the largest residual as a distance. */
TN_INLINE double correct_links(tn_v2 gravity, tn_pinned *pinned)
{
    tn_sizes sizes = TN_NO_SIZES;
    tn_pinned_shift shift = {{0.0, 0.0}, 0.0};
    for (int32_t n = 0; n < pinned->count; n++) {
        tn_pinned_link *k = &pinned->links[n], *inner = pinned_inner(pinned, k);
        pinned_reach(n, inner, &shift, k);
        pinned_turn_on(shift.t, k);
        pinned_open(inner, k);
        push_link(gravity, inner, k, &sizes);
    }
    return tn_sizes_largest(&sizes);
}

TN_INLINE tn_pinned_end iterate(const tn_sim *sim, const tn_alpha *c, tn_pinned *pinned,
                                tn_step_report *report)
{
    const double enough = fmax(sim->options.position_tolerance, c->round_off);
    const tn_vec3 g = v3_scale(1.0 / c->beta_prime, sim->model->gravity);
    const tn_v2 gravity = {g.x, g.y};
    double before = try_prediction(sim, c, gravity, pinned);
    for (int32_t left = sim->options.max_iterations - 1; left >= 0 && !isnan(before); left--) {
        report->iterations++;
        report->solves++;
        if (!pinned_eliminate(pinned))
            return TN_PINNED_ELSEWHERE;
        const double now = correct_links(gravity, pinned);
        if (now <= enough)
            return TN_PINNED_DONE;
        if (isnan(now))
            return TN_PINNED_ELSEWHERE;
        if (tn_alpha_is_stale(now, before, enough, left))
            return TN_PINNED_FAR;
        before = now;
    }
    return TN_PINNED_ELSEWHERE;
}

static tn_pinned_end iterate_plain(const tn_sim *sim, const tn_alpha *c, tn_pinned *pinned,
                                   tn_step_report *report)
{
    return iterate(sim, c, pinned, report);
}

TN_WIDE static tn_pinned_end iterate_links_wide(const tn_sim *sim, const tn_alpha *c,
                                                tn_pinned *pinned, tn_step_report *report)
{
    return iterate(sim, c, pinned, report);
}

tn_pinned_end tn_pinned_iterate(const tn_sim *sim, const tn_alpha *c, tn_pinned *pinned,
                                tn_step_report *report)
{
    return TN_WIDE_COPIES && pinned->wide ? iterate_links_wide(sim, c, pinned, report)
                                          : iterate_plain(sim, c, pinned, report);
}
