/* kernel.h: room lanes: steps of a block, included by one file for each width.
 *
 * A step is that of generalized_alpha.c and step.c with motion only, in the same order: prediction, Newton's
 * iteration (alpha_hinges.c), multipliers and turns, the energy accounting (books.c), and the sums of the run
 * (judge.c). Results are computed beside the block and written to it at the end: a lane that drops out of the
 * step still has the state at its start.
 */
#include "lanes/kernel_base.h"
#include "lanes/kernel_end.h"

/* ---- Newton ---- */

static tn_real predict(tn_lane_course *t)
{
    const tn_hinge_tree tree = t->tree;
    const tn_hinge_rule rule = t->rule->hinges;
    tn_hinge_sizes left;
    t->stays &= hinge_tree_predict(&tree, &rule, t->block.world->gravity, &left);
    return left.largest;
}

/* Corrects the lanes in `moving`; all: every lane is. */
TN_INLINE void correct(tn_lane_course *t, tn_real small, tn_mask moving, bool all)
{
    const tn_hinge_tree tree = t->tree;
    const tn_hinge_rule rule = t->rule->hinges;
    hinge_tree_correct(&tree, &rule, small, moving, all);
}

/* Two copies of `correct`, each compiled for its constant arguments. */
static void correct_all(tn_lane_course *t, const tn_real *small)
{
    correct(t, *small, r_yes(), true);
}

static void correct_some(tn_lane_course *t, const tn_real *small, tn_mask moving)
{
    correct(t, *small, moving, false);
}

/* Largest error left after a correction. Lanes that do not need it stay in the step whatever it is. */
static tn_real look(tn_lane_course *t, tn_mask asked)
{
    const tn_hinge_tree tree = t->tree;
    const tn_hinge_rule rule = t->rule->hinges;
    tn_hinge_sizes left;
    t->stays &= hinge_tree_look(&tree, &rule, t->block.world->gravity, &left) | ~asked;
    return left.largest;
}

/* Those of the given lanes whose iteration converges fast enough to continue. */
static tn_mask go_on(const tn_lane_rule *rule, tn_real now, tn_real before, tn_real enough,
                     int32_t iteration, tn_mask asked)
{
    tn_mask go = asked;
    for (int k = 0; k < TN_LANES; k++) {
        if (asked[k] &&
            !hinge_goes_on(now[k], before[k], enough[k], rule->most_iterations - iteration))
            go[k] = 0;
    }
    return go;
}

/* Iterates until all lanes in the step are within the tolerance: the same as iterate of alpha_hinges.c. */
static void iterate(tn_lane_course *t, tn_real farthest, tn_real still)
{
    const tn_real enough = r_max(r_splat(t->rule->tolerance), still);
    const tn_real small = hinge_small(enough, farthest);
    tn_hinge_trust trust = t->block.world->trust;
    tn_real before = predict(t);
    tn_mask asked = t->stays & ~hinge_will_be_met(&trust, before, enough);
    correct_all(t, &small);
    if (!r_some(asked))
        hinge_learn(asked, before, before, &trust);
    for (int32_t iteration = 1; r_some(asked); iteration++) {
        const tn_real now = look(t, asked);
        if (iteration == 1)
            hinge_learn(asked, now, before, &trust);
        asked &= t->stays & ~hinge_is_met(now, before, enough);
        if (!r_some(asked))
            break;
        t->stays &= go_on(t->rule, now, before, enough, iteration, asked) | ~asked;
        asked &= t->stays;
        if (!r_some(asked))
            break;
        correct_some(t, &small, asked);
        asked &= ~hinge_will_be_met_now(now, before, enough);
        before = now;
    }
    t->world->trust = trust;
}

/* ---- a step ---- */

/* One step. Lanes with bodies at rest, or without a valid prediction, drop out: their simulations step differently. */
static void attempt(tn_lane_course *t, tn_mask lanes)
{
    const tn_lane_look at = t->look;
    const tn_real still =
        TN_ROUND_OFF * at.farthest; /* m, rad: left by rounding in the errors of rows */
    t->stays = lanes & (t->rule->c.h * at.slowest > still) & hinge_is_near(at.change) &
               (still <= t->rule->tolerance); /* else fewer differences may be better */
    iterate(t, at.farthest, still);
    judge_energy(t, settle(t));
    t->stays &= TN_LANE_SPEEDS * t->rule->c.h * t->look.fastest < 1.0;
    count_step(t);
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
    to->steps_asked = w->steps_asked;
    to->trust = w->trust;
}

/* ---- in and out of the block ---- */

static void load_limb(tn_lane_course *t, int32_t k)
{
    const tn_lane_limb *limb = &t->block.limbs[k];
    tn_hinge_limb *own = &t->tree.limbs[k];
    tn_hinge_state *at = &t->from.limbs[k];
    at->pose = limb->pose;
    at->at = limb->at;
    at->memory = limb->memory;
    t->from.turns[k] = limb->turns;
    own->link = t->block.bodies[k].link;
    look_at(at, &t->look);
}

static void load(tn_lane_course *t)
{
    look_up(t);
    for (int32_t k = 0; k < t->shape->count; k++)
        load_limb(t, k);
    hinge_tree_begin(&t->tree, &t->rule->hinges);
}

/* Writes a state, one step after that of the block, to the block. */
static void keep_limb(const tn_lane_course *t, const tn_lane_moment *moment, int32_t k)
{
    const tn_hinge_state *at = &moment->limbs[k];
    tn_lane_limb *limb = &t->block.limbs[k];
    const double by_h = 1.0 / t->rule->c.h;
    tn_real lambda[TN_LANE_ROWS];
    put_multipliers(t, k, lambda);
    for (int i = 0; i < 6; i++)
        limb->udot_rate[i] = by_h * (at->at.udot[i] - limb->at.udot[i]);
    for (int n = 0; n < TN_LANE_ROWS; n++) {
        limb->lambda_rate[n] = by_h * (lambda[n] - limb->lambda[n]);
        limb->lambda[n] = lambda[n];
    }
    limb->pose = at->pose;
    limb->at = at->at;
    limb->memory = at->memory;
    limb->turns = moment->turns[k];
}

static void keep(const tn_lane_course *t, const tn_lane_moment *moment)
{
    find_pulls(t, moment);
    for (int32_t k = 0; k < t->shape->count; k++)
        keep_limb(t, moment, k);
}

/* Writes the state after `taken` steps to the block. */
static void store(const tn_lane_course *t, int64_t taken)
{
    if (taken > 1)
        keep(t, &t->before);
    if (taken > 0)
        keep(t, &t->from);
}

static void commit(const tn_lane_shape *shape, const tn_lane_rule *rule, double *block,
                   double *work)
{
    const tn_lane_course t = course_of(shape, rule, block, work);
    keep(&t, &t.to);
    commit_world(rule->c.h, t.world, t.block.world);
}

/* Copies the result of the step to the place in `work` where commit reads it. */
static void leave(const tn_lane_course *t)
{
    const tn_lane_course fresh =
        course_of(t->shape, t->rule, (double *)(void *)t->block.world, (double *)(void *)t->world);
    for (int32_t k = 0; k < t->shape->count && fresh.to.limbs != t->to.limbs; k++) {
        fresh.to.limbs[k] = t->to.limbs[k];
        fresh.to.turns[k] = t->to.turns[k];
    }
}

static int64_t run(const tn_lane_shape *shape, const tn_lane_rule *rule, double *block,
                   double *work, unsigned lanes, int64_t steps, unsigned *left)
{
    tn_lane_course t = course_of(shape, rule, block, work);
    tn_mask wanted = r_yes();
    int64_t taken = 0;
    for (int k = 0; k < TN_LANES; k++)
        wanted[k] = lanes >> k & 1u ? -1 : 0;
    *left = 0;
    load(&t);
    for (; taken < steps; taken++) {
        attempt(&t, wanted);
        *left = r_bits(wanted & ~t.stays);
        if (*left)
            break;
        commit_world(rule->c.h, t.world, t.block.world);
        turn_over(&t);
    }
    store(&t, taken);
    if (*left)
        leave(&t);
    return taken;
}
