/* kernel.h: room lanes: steps of a block, included by one file for each width.
 *
 * A step is that of generalized_alpha.c and of step.c where nothing but motion happens, in the same
 * order: prediction, Newton's iteration (alpha_hinges.c), multipliers and turns, the books of energy
 * (books.c), one body asked about its reactions (reactions.c, force_balance.c), and the sums of the
 * run (judge.c). Everything is worked out beside the block, which is written at the end: a lane that
 * leaves is still at the start.
 */
#include "lanes/kernel_base.h"
#include "lanes/kernel_end.h"

/* ---- prediction ---- */

/* m, rad: what rounding leaves in the errors of rows. */
TN_INLINE tn_real round_off(const tn_lane_course *t)
{
    tn_real largest = t->block.world->farthest;
    for (int32_t k = 0; k < t->shape->count; k++) {
        const tn_real3 x = t->block.limbs[k].pose.x;
        largest = r_max(r_max(r_abs(x.x), r_abs(x.y)), r_max(r_abs(x.z), largest));
    }
    return TN_ROUND_OFF * largest;
}

/* Bodies that rest are led otherwise: their lanes leave. */
TN_INLINE tn_mask all_move(const tn_lane_course *t, tn_real still)
{
    tn_mask all = r_yes();
    for (int32_t k = 0; k < t->shape->count; k++) {
        const tn_real *u = t->block.limbs[k].at.u;
        tn_mask moves = t->rule->c.h * r_abs(u[0]) > still;
        for (int i = 1; i < 6 && !r_every(moves); i++)
            moves |= t->rule->c.h * r_abs(u[i]) > still;
        all &= moves;
    }
    return all;
}

TN_INLINE tn_mask all_goes_smoothly(const tn_lane_course *t, tn_real still)
{
    const tn_real zero = r_splat(0.0);
    tn_hinge_trend trend = {zero, zero};
    for (int32_t k = 0; k < t->shape->count; k++)
        hinge_note_trend(&t->block.limbs[k].memory, &trend);
    return hinge_is_smooth(&trend, still);
}

/* ---- Newton ---- */

static tn_real predict(tn_lane_course *t)
{
    const tn_hinge_tree tree = t->tree;
    const tn_hinge_rule rule = t->rule->hinges;
    tn_hinge_sizes left;
    for (int32_t k = 0; k < tree.count; k++)
        hinge_predict(&rule, &t->block.limbs[k].at, &t->block.limbs[k].memory, &tree.limbs[k]);
    t->stays &= hinge_tree_predict(&tree, &rule, t->block.world->gravity, &left);
    return left.largest;
}

/* Where lanes are `moving`, which may be all. */
TN_INLINE tn_real correct(tn_lane_course *t, tn_mask moving, bool all)
{
    const tn_hinge_tree tree = t->tree;
    const tn_hinge_rule rule = t->rule->hinges;
    tn_hinge_sizes left;
    t->stays &= hinge_tree_correct(&tree, &rule, t->block.world->gravity, moving, all, &left);
    return left.largest;
}

/* Two copies, made for what is constant in them. */
static tn_real correct_all(tn_lane_course *t)
{
    return correct(t, r_yes(), true);
}

static tn_real correct_some(tn_lane_course *t, tn_mask moving)
{
    return correct(t, moving, false);
}

static tn_mask go_on(const tn_lane_rule *rule, tn_real now, tn_real before, tn_real enough,
                     int32_t iteration)
{
    tn_mask go = r_yes();
    for (int k = 0; k < TN_LANES; k++)
        if (!hinge_goes_on(now[k], before[k], enough[k], rule->most_iterations - iteration))
            go[k] = 0;
    return go;
}

/* Until all that stay are within the tolerance. */
static void iterate(tn_lane_course *t, tn_real still)
{
    const tn_real enough = r_max(r_splat(t->rule->tolerance), still);
    tn_real before = predict(t);
    tn_mask moving = r_yes();
    for (int32_t iteration = 1;; iteration++) {
        const tn_real now = r_every(moving) ? correct_all(t) : correct_some(t, moving);
        moving &= t->stays & ~hinge_is_met(now, before, enough);
        if (!r_some(moving))
            return;
        t->stays &= go_on(t->rule, now, before, enough, iteration) | ~moving;
        moving &= t->stays;
        if (!r_some(moving))
            return;
        before = r_select(moving, now, before);
    }
}

/* ---- a step ---- */

static void attempt(tn_lane_course *t, tn_mask lanes)
{
    const tn_real still = round_off(t);
    t->stays = lanes & all_move(t, still) & all_goes_smoothly(t, still);
    iterate(t, still);
    place_all(t);
    judge_energy(t);
    judge_reactions(t);
}

TN_INLINE void commit_limb(const tn_alpha *c, const tn_hinge_limb *limb, const tn_lane_work *w,
                           tn_lane_limb *to)
{
    const double keep = (1.0 - c->af) / (1.0 - c->am), by_h = 1.0 / c->h;
    const tn_hinge_motion *at = &limb->at;
    for (int i = 0; i < 6; i++) {
        to->at.acc[i] = at->acc[i] + keep * at->udot[i];
        to->udot_rate[i] = by_h * (at->udot[i] - to->at.udot[i]);
        to->at.udot[i] = at->udot[i];
        to->at.u[i] = at->u[i];
    }
    for (int n = 0; n < TN_LANE_ROWS; n++) {
        to->lambda_rate[n] = by_h * (w->lambda[n] - to->lambda[n]);
        to->lambda[n] = w->lambda[n];
    }
    hinge_remember(limb, &to->memory);
    to->pose = limb->pose;
    to->turns = w->turns;
}

/* As add_time of step.c. */
TN_INLINE void commit_world(double h, const tn_lane_world *w, tn_lane_world *to)
{
    const tn_real add = h + to->time_rest, time = to->time + add;
    to->time_rest = add - (time - to->time);
    to->time = time;
    to->moving = w->moving;
    to->made = w->made;
    to->most_made = w->most_made;
    to->most_lost = w->most_lost;
    to->kinetic = w->kinetic;
    to->size = w->size;
    to->noise = w->noise;
    to->force = w->force;
    to->moment = w->moment;
    to->asked = w->asked;
    to->steps_asked = w->steps_asked;
}

static void commit_all(tn_lane_course *t)
{
    for (int32_t k = 0; k < t->shape->count; k++)
        commit_limb(&t->rule->c, &t->tree.limbs[k], &t->work[k], &t->block.limbs[k]);
    commit_world(t->rule->c.h, t->world, t->block.world);
}

static void commit(const tn_lane_shape *shape, const tn_lane_rule *rule, double *block,
                   double *work)
{
    tn_lane_course t = course_of(shape, rule, block, work);
    commit_all(&t);
}

/* Poses and constants, once for many steps. */
static void put_start(const tn_lane_course *t)
{
    for (int32_t k = 0; k < t->shape->count; k++) {
        tn_hinge_limb *limb = &t->tree.limbs[k];
        limb->link = t->block.bodies[k].link;
        limb->pose = t->block.limbs[k].pose;
        limb->R = rq_to_r33(limb->pose.q);
        hinge_begin(hinge_inner(&t->tree, k), limb);
    }
}

static int64_t run(const tn_lane_shape *shape, const tn_lane_rule *rule, double *block,
                   double *work, unsigned lanes, int64_t steps, unsigned *left)
{
    tn_lane_course t = course_of(shape, rule, block, work);
    tn_mask wanted = r_yes();
    for (int k = 0; k < TN_LANES; k++)
        wanted[k] = lanes >> k & 1u ? -1 : 0;
    *left = 0;
    put_start(&t);
    for (int64_t n = 0; n < steps; n++) {
        attempt(&t, wanted);
        *left = r_bits(wanted & ~t.stays);
        if (*left)
            return n;
        commit_all(&t);
    }
    return steps;
}
