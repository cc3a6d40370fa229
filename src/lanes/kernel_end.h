/* kernel_end.h: room lanes: what follows Newton's iteration in a step of a block: multipliers, turns and the
 * energy accounting. Part of kernel.h.
 */
#ifndef TN_LANES_KERNEL_END_H
#define TN_LANES_KERNEL_END_H

#include "lanes/kernel_base.h"
#include "method/angles/hinge_books.h"
#include "step/part/judge.h"

/* ---- multipliers and turns ---- */

/* Wrenches of the hinges at a state; computed only when a state is written to the block. */
TN_INLINE void find_pulls(const tn_lane_course *t, const tn_lane_moment *moment)
{
    tn_hinge_tree tree = t->tree;
    tree.to = moment->limbs;
    for (int32_t k = 0; k < tree.count; k++) {
        const tn_hinge_pair pair = hinge_pair(&tree, k);
        hinge_settle(&pair);
    }
    hinge_tree_pull(&tree, t->block.world->gravity);
}

/* Multipliers of link k, after find_pulls. */
TN_INLINE void put_multipliers(const tn_lane_course *t, int32_t k, tn_real *lambda)
{
    const tn_lane_body *body = &t->block.bodies[k];
    const bool is_a = t->shape->is_a[k];
    const tn_hinge_limb *own = &t->tree.limbs[k], *inner = hinge_inner(&t->tree, k);
    const tn_real33 *R_A = is_a ? &own->R : inner ? &inner->R : &body->base_R;
    const tn_real3 axes[3] = {r33_mulv(R_A, r33_column(&body->R_CA, 0)),
                              r33_mulv(R_A, r33_column(&body->R_CA, 1)), own->axis};
    hinge_multipliers(&own->pull, axes, is_a ? 1.0 : -1.0, lambda);
}

/* Turns: the coordinate is the one nearest to the value predicted from the speed. If the prediction (TN_LANE_SPEEDS)
 * and the angle both change by less than one radian, this is the shorter way round. */
TN_INLINE tn_mask count_turns(const tn_lane_course *t, int32_t k)
{
    const tn_hinge_pair p = hinge_pair(&t->tree, k);
    const tn_hinge_limb *w = p.own;
    const tn_mask crosses = (p.from->memory.half[0] < 0.0) ^ (p.to->memory.half[0] < 0.0);
    const tn_mask up = t->shape->is_a[k] ? w->turn > 0.0 : w->turn < 0.0;
    t->to.turns[k] = t->from.turns[k] +
                     r_select(crosses, r_select(up, r_splat(1.0), r_splat(-1.0)), r_splat(0.0));
    return r_abs(w->turn) < 1.0;
}

TN_INLINE void place(tn_lane_course *t, int32_t k)
{
    const tn_hinge_pair pair = hinge_pair(&t->tree, k);
    t->stays &= count_turns(t, k);
    hinge_place(&pair);
    hinge_go_on(&t->rule->hinges, &pair);
    look_at(pair.to, &t->look);
}

/* ---- energy accounting ---- */

/* Poses of all links, and the energy accounting, in runs of TN_HINGE_RUN links. */
TN_INLINE tn_body_books settle_as(tn_lane_course *t, bool principal)
{
    const tn_lane_shape *shape = t->shape;
    tn_body_books all = body_no_books();
    look_up(t);
    for (int32_t first = 0; first < shape->count; first += TN_HINGE_RUN) {
        const int32_t rest = shape->count - first,
                      last = first + (rest < TN_HINGE_RUN ? rest : TN_HINGE_RUN);
        tn_body_books run = body_no_books();
        for (int32_t k = first; k < last; k++) {
            const tn_hinge_state *from = &t->from.limbs[k];
            place(t, k);
            const tn_body_books more =
                hinge_book(&t->tree.limbs[k].link, t->block.world->gravity, principal, t->rule->c.h,
                           from->at.u, from->pose.x, &t->to.limbs[k]);
            body_add_books(&more, &run);
        }
        body_add_books(&run, &all);
    }
    return all;
}

static tn_body_books settle(tn_lane_course *t)
{
    return t->shape->principal ? settle_as(t, true) : settle_as(t, false);
}

/* The verdict on the energy, and what is kept of it. */
static void judge_energy(tn_lane_course *t, tn_body_books b)
{
    const tn_lane_world *from = t->block.world;
    const tn_real zero = r_splat(0.0);
    const double h = t->rule->c.h, tolerance = t->rule->tolerance, blur = tolerance / h;
    const tn_real run = 0.25 * b.run, spun = 0.25 * b.spun, kinetic = 0.5 * (run + spun);
    const tn_real mass = from->mass, inertia = from->inertia;
    b.size += 2.0 * kinetic;
    const tn_real noise =
        (mass + inertia) * blur * blur + from->lever * r3_norm(from->gravity) * tolerance;
    const tn_real uncertain =
        noise + blur * (r_sqrt(mass * (run + b.pushed)) + r_sqrt(inertia * (spun + b.twisted)));
    const tn_real power = r_max(b.moved / h, TN_KEPT_POWER * from->moving);
    const tn_real missed = r_abs(b.made - r_max(from->corrected, zero));
    const tn_real counted = missed - uncertain - TN_ENERGY_ROUND_OFF * b.size;
    const tn_real share = r_select(counted > 0.0, counted / (power * h), zero);
    t->stays &= (share / TN_MISSED_SHARE <= 1.0) & (b.moved < TN_LANE_LARGE) &
                (b.size < TN_LANE_LARGE) & (power < TN_LANE_LARGE) & (uncertain < TN_LANE_LARGE);

    tn_lane_world *to = t->world;
    const tn_real told = r_max(r_abs(b.made) - uncertain, zero);
    to->made = from->made + (r_select(b.made < 0.0, -told, told) + 0.0);
    to->most_made = r_max(to->made, from->most_made);
    to->most_lost = r_max(-to->made, from->most_lost);
    to->kinetic = r_max(kinetic - r_max(to->made, zero), from->kinetic);
    to->size = r_max(b.size, from->size);
    to->noise = r_max(noise, from->noise);
    to->moving = power;
}

/* The turn of the multipliers of loops, of which there are none. */
TN_INLINE void count_step(tn_lane_course *t)
{
    const tn_real steps = t->block.world->steps_asked + 1.0;
    t->world->steps_asked = r_select(steps < TN_CHECKED_IN_STEPS, steps, r_splat(0.0));
}

#endif
