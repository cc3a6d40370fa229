/* pinned_step.c: room method/pinned: one step of a tree of planar bodies: may it be taken, and what it begins with. See
 * pinned.h.
 */
#include "method/alpha/alpha_tree.h"
#include "method/pinned/pinned.h"

/* Steps for which one whose iteration did not end is not tried again. */
#define TN_PINNED_PAUSE 4.0

/* ---- the start ---- */

/* With udot going on as it did: its lag, and the increment without it. */
#define LAG(c, udot, rate) ((c)->by_beta * ((udot) + (c)->h * (rate)))
#define DRIFT(c, u, acc, coast)                                                                    \
    ((c)->h * (u) + ((c)->drift_acc * (acc) + (c)->drift_coast * (coast)))

TN_INLINE void begin_link(const tn_sim *sim, const tn_pinned_rule *c, const tn_alpha_memory *m,
                          const tn_pinned_place *place, tn_pinned_link *k)
{
    const tn_state *s = &sim->state;
    const tn_vec3 *x = &s->x[place->body];
    const tn_quat *q = &s->q[place->body];
    const double *u = s->u + place->u, *udot = s->udot + place->u, *acc = m->acc + place->u,
                 *rate = m->udot_rate + place->u;
    const tn_v2 a = tn_v2_load(acc), coast = TN_PINNED_COAST(c, tn_v2_load(udot), a);
    k->lag = LAG(c, tn_v2_load(udot), tn_v2_load(rate));
    k->lag_turn = LAG(c, udot[2], rate[2]);
    k->x_drift = (tn_v2){x->x, x->y} + DRIFT(c, tn_v2_load(u), a, coast);
    k->drift = DRIFT(c, u[2], acc[2], TN_PINNED_COAST(c, udot[2], acc[2]));
    k->half_before = (tn_v2){q->w, q->z};
    k->about_pin = pinned_about(k, k->at);
}

TN_INLINE void begin_all(const tn_sim *sim, const tn_pinned_rule *c, tn_pinned *pinned)
{
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, &sim->state);
    for (int32_t n = 0; n < pinned->count; n++)
        begin_link(sim, c, &m, &pinned->places[n], &pinned->links[n]);
}

TN_WIDE static void begin_all_wide(const tn_sim *sim, const tn_pinned_rule *c, tn_pinned *pinned)
{
    begin_all(sim, c, pinned);
}

static void begin_links(const tn_sim *sim, const tn_pinned_rule *c, tn_pinned *pinned)
{
    if (TN_WIDE_COPIES && pinned->wide) {
        begin_all_wide(sim, c, pinned);
    } else {
        begin_all(sim, c, pinned);
    }
}

bool tn_pinned_serves(const tn_sim *sim)
{
    return tn_alpha_of(sim)->pinned && tn_alpha_is_left_alone(sim);
}

bool tn_pinned_goes_on(const tn_sim *sim, double h)
{
    return tn_pinned_serves(sim) && tn_alpha_keeps_balance(sim, h, false) &&
           tn_alpha_remembers(sim->model, &sim->state).balance->pinned_steps >= 0.0;
}

/* Nothing but motion happens, and it is to be tried. */
static bool may_try(tn_sim *sim, const tn_alpha *c)
{
    double *steps = &tn_alpha_remembers(sim->model, &sim->state).balance->pinned_steps;
    if (c->index_2 || c->needs_reactions || c->some_rest)
        return false;
    *steps = *steps < 0.0 ? *steps + 1.0 : *steps;
    return *steps >= 0.0;
}

/* ---- the end ---- */

/* Where Newton's iteration with the matrix of each pose is not near, one with that of the prediction is not either.
 * What a step does not resolve has then piled up since a start, and another start is rid of it: the step is cut at
 * once. The first step after a start, and those that look for events, are tried by the general iteration all the
 * same. */
static tn_pinned_end give_up(const tn_sim *sim, tn_pinned_end end)
{
    double *steps = &tn_alpha_remembers(sim->model, &sim->state).balance->pinned_steps;
    const bool cut = *steps > 0.0 && sim->state.head->limited == 0;
    *steps = -TN_PINNED_PAUSE;
    return cut ? end : TN_PINNED_ELSEWHERE;
}

tn_pinned_end tn_pinned_step(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    tn_pinned *pinned = tn_alpha_of(sim)->pinned;
    if (!may_try(sim, c))
        return TN_PINNED_ELSEWHERE;
    const tn_pinned_rule rule = tn_pinned_rule_of(c);
    begin_links(sim, &rule, pinned);
    const tn_pinned_end end = tn_pinned_iterate(sim, c, pinned, report);
    if (end != TN_PINNED_DONE) {
        tn_state_copy_start(sim->crew, &sim->state, &sim->backup);
        return give_up(sim, end);
    }
    tn_pinned_show(sim, &rule, report);
    tn_alpha_balance *balance = tn_alpha_arrive(sim);
    balance->pinned_steps = 1.0;
    balance->hinge_steps = 0.0; /* angles were not followed */
    return TN_PINNED_DONE;
}
