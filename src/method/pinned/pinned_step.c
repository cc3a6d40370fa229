/* pinned_step.c: room method/pinned: one step of a tree of planar bodies: whether it can be taken, and its start. See
 * pinned.h.
 */
#include "method/alpha/alpha_tree.h"
#include "method/pinned/pinned.h"

/* Number of steps for which it is not tried again after an iteration has failed. */
#define TN_PINNED_PAUSE 4.0

/* ---- the start ---- */

/* The prediction, in which udot continues to change as it did: lag from it, and the increment without it. */
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

/* Is the formulation index 3, does no friction depend on reactions, does no body rest, and is there no pause? */
static bool may_try(tn_sim *sim, const tn_alpha *c)
{
    double *steps = &tn_alpha_remembers(sim->model, &sim->state).balance->pinned_steps;
    if (c->index_2 || c->needs_reactions || c->some_rest)
        return false;
    *steps = *steps < 0.0 ? *steps + 1.0 : *steps;
    return *steps >= 0.0;
}

/* ---- the end ---- */

/* Newton's iteration with the matrix of each pose has failed because the prediction is too far off: the general
 * iteration, with the matrix of the prediction, would fail too. Motion that a step does not resolve has then
 * accumulated since the last start, and a restart removes it: so the step is cut at once. The first step after a
 * start, and trials for events, are left to the general iteration in any case. */
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
    balance->hinge_steps = 0.0; /* no angles are stored */
    return TN_PINNED_DONE;
}
