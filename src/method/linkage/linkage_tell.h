/* linkage_tell.h: room method/linkage: the results of a step of a planar linkage, from each bar and pin as it is
 * written back: whether forces balance, the energy accounting (step/part/books.c), errors of joints, and whether all
 * numbers are finite.
 *
 * In: the end of the iteration, residual forces, and the residual across the plane. Out: sums, and the worst joint.
 */
#ifndef TN_METHOD_LINKAGE_LINKAGE_TELL_H
#define TN_METHOD_LINKAGE_LINKAGE_TELL_H

#include <math.h>

#include "method/linkage/linkage_show.h"

/* The results so far. */
typedef struct tn_linkage_tally {
    tn_linkage_show show;
    tn_v2 gravity;
    double unknown, beta_prime; /* unknown: N^2, square of the uncertainty of forces */
    tn_linkage_results results;
    tn_v4 bars; /* sums of numbers, to detect any that is not finite */
    double pins;
} tn_linkage_tally;

TN_INLINE tn_linkage_tally begin_tally(const tn_sim *sim, const tn_alpha *c,
                                       const tn_linkage *linkage)
{
    const double force = linkage->mass * sim->options.position_tolerance / (c->h * c->h);
    return (tn_linkage_tally){.show = show_of(sim, c, linkage),
                              .gravity = bar_in_plane(linkage, sim->model->gravity),
                              .unknown = force * force,
                              .beta_prime = c->beta_prime,
                              .results = {.of = {.worst_joint = -1, .balances = true}}};
}

/* The same as body_book (method/alpha/body_books.h), for a rotation about the normal. */
TN_INLINE void add_book(const tn_bar *bar, tn_v2 gravity, double h, tn_moved *b)
{
    const tn_v4 inertia = TN_BAR(bar->inertia), now = TN_BAR(bar->u),
                before = TN_BAR(bar->u_before);
    const tn_v4 change = now - before, both = now + before;
    const tn_v4 gained = inertia * change * both, ran = inertia * both * both,
                pushed = inertia * change * change;
    const double fallen = bar->inertia[0] * p2_dot(gravity, bar->x - bar->x_before);
    const double run = ran[0] + ran[1], push = pushed[0] + pushed[1];
    b->made += 0.5 * (gained[0] + gained[1] + gained[2]) - fallen;
    b->moved +=
        0.5 * (sqrt(push * run) + sqrt(pushed[2] * ran[2]) + 0.25 * h * ran[2] * fabs(both[2])) +
        fabs(fallen);
    b->size += fabs(fallen);
    b->run += 0.25 * run;
    b->pushed += push;
    b->spun += 0.25 * ran[2];
    b->twisted += pushed[2];
}

/* Are residual forces uncertain only, compared by their squares, and residual moments so at the radius of gyration?
 * The same bound as in tn_force_balance_among, whose arms are at least as long. */
TN_INLINE bool is_balanced(const tn_linkage *linkage, int32_t k, double beta_prime, double unknown)
{
    const tn_bar *bar = &linkage->bars[k];
    const tn_v4 f = beta_prime * TN_BAR(bar->f), square = f * f;
    const tn_v4 lack = TN_BAR(linkage->lack + TN_BAR_STRIDE * k), other = lack * lack;
    return square[0] + square[1] + other[0] <= unknown &&
           square[2] + other[1] + other[2] <= unknown * bar->gyration;
}

TN_INLINE void finish_bar(tn_linkage_tally *tally, int32_t k)
{
    const tn_linkage *linkage = tally->show.linkage;
    const tn_bar *bar = &linkage->bars[k];
    show_bar(&tally->show, bar);
    add_book(bar, tally->gravity, tally->show.h, &tally->results.of.moved);
    tally->results.of.balances &= is_balanced(linkage, k, tally->beta_prime, tally->unknown);
    tally->bars += TN_BAR(bar->u) + TN_BAR(bar->udot);
    tally->bars += (tn_v4){bar->x[0], bar->x[1], bar->half[0], bar->half[1]};
}

/* The first of the joints with the largest error. */
TN_INLINE void note_worst(double off, int32_t joint, tn_linkage_results *results)
{
    if (off < results->worst || off == 0.0)
        return;
    results->of.worst_joint =
        off == results->worst && results->of.worst_joint < joint ? results->of.worst_joint : joint;
    results->worst = off;
}

TN_INLINE void finish_pin(tn_linkage_tally *tally, int32_t k)
{
    const tn_linkage_pin *pin = &tally->show.linkage->pins[k];
    const double sum = show_pin(&tally->show, pin);
    const double *error = tally->show.sim->sys.kin[pin->joint].error;
    const double off = tn_worst(tn_worst(fabs(error[0]), fabs(error[1])), fabs(error[2]));
    tally->results.of.position = tn_worst(tally->results.of.position, off);
    note_worst(off, pin->joint, &tally->results);
    tally->pins += sum + off;
}

/* The same with held angles. */
TN_INLINE tn_linkage_results results_of(const tn_linkage_tally *tally)
{
    const tn_linkage *linkage = tally->show.linkage;
    tn_linkage_results results = tally->results;
    const tn_v4 sum = tally->bars;
    results.of.sum = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + tally->pins;
    for (int32_t n = 0; n < linkage->held_count; n++) {
        const double off = fabs(linkage->held[n].error);
        results.of.angle = tn_worst(results.of.angle, off);
        note_worst(off, linkage->pins[linkage->held[n].pin].joint, &results);
        results.of.sum += off;
    }
    return results;
}

#endif
