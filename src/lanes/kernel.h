/* kernel.h: room lanes: steps of a block, included by one file for each width.
 *
 * A step is that of generalized_alpha.c and of step.c where nothing but motion happens, in the same
 * order: prediction, Newton's iteration, multipliers in frames G (joint_rows.c), the books of energy
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
        const tn_real *u = t->block.limbs[k].u;
        /* NOLINTNEXTLINE(misc-redundant-expression): none as yet */
        tn_mask moves = u[0] != u[0];
        for (int i = 0; i < 6; i++)
            moves |= t->rule->c.h * r_abs(u[i]) > still;
        all &= moves;
    }
    return all;
}

TN_INLINE void predict_limb(const tn_alpha *c, const tn_lane_limb *from, tn_lane_work *w)
{
    const double h = c->h, af = c->af, am = c->am, rest = 1.0 / (1.0 - am),
                 keep = (1.0 - af) * rest;
    const double x_old = h * (0.5 - c->beta), x_new = h * c->beta;
    const double u_old = h * (1.0 - c->gamma), u_new = h * c->gamma;
    for (int i = 0; i < 6; i++) {
        const tn_real a = from->acc[i], before = from->u[i],
                      next = from->udot[i] + h * from->udot_rate[i];
        const tn_real base = (af * from->udot[i] - am * a) * rest, a_next = base + keep * next;
        w->udot[i] = next;
        w->dq[i] = before + (x_old * a + x_new * a_next);
        w->u[i] = before + (u_old * a + u_new * a_next);
        w->base[i] = base;
    }
    for (int n = 0; n < TN_LANE_ROWS; n++)
        w->lambda[n] = from->lambda[n] + h * from->lambda_rate[n];
    const tn_real zero = r_splat(0.0);
    w->link.stiffness = (tn_sym3){zero, zero, zero, zero, zero, zero};
}

/* ---- one evaluation ---- */

/* Squares of the distances that joints are off. */
typedef struct tn_lane_errors {
    tn_real largest, sum;
} tn_lane_errors;

/* Pose and own forces. `moving`: the lanes that are corrected, which may be all. */
TN_INLINE void move_limb(const tn_lane_course *t, tn_trial trial, tn_mask moving, bool all,
                         int32_t k)
{
    const tn_alpha *c = &t->rule->c;
    tn_lane_work *w = &t->work[k];
    const tn_body_motion at = {w->dq, w->u, w->udot};
    if (trial == TN_TRIAL_CORRECTED)
        tree_correct(c, &w->R, &w->limb, moving, all, at);
    w->pose = tree_pose(c, t->block.limbs[k].pose, w->dq);
    w->R = rq_to_r33(w->pose.q);
    tree_own_forces(&w->link, t->block.world->gravity, &w->R, at, &w->limb);
}

/* Errors and forces of the joint once all bodies have moved. */
TN_INLINE void join_limb(const tn_lane_course *t, tn_trial trial, tn_mask moving, bool all,
                         int32_t k, tn_lane_errors *errors)
{
    const tn_alpha *c = &t->rule->c;
    tn_lane_work *w = &t->work[k];
    tn_limb *limb = &w->limb;
    const int32_t inner = t->shape->inner[k];
    const tn_lane_frame here = own_frame(t, k), there = inner_frame(t, k);
    if (trial == TN_TRIAL_PREDICTED)
        tree_predict_wrench(&w->link, limb, w->lambda, t->shape->is_a[k] ? here.R : there.R,
                            &t->block.bodies[k].R_CA);
    else
        tree_correct_wrench(c, limb, moving, all, &w->link);
    tree_move_joint(&w->link, here.R, here.x, there.R, there.x, limb);
    tree_project_moment(limb, moving, all, &w->link);
    tree_apply(c, &w->link, limb, inner < 0 ? NULL : &t->work[inner].link,
               inner < 0 ? NULL : &t->work[inner].limb, trial);
    const tn_real square = r_max(r3_dot(limb->v, limb->v), r3_dot(limb->w, limb->w));
    errors->largest = r_max(errors->largest, square);
    errors->sum += square;
}

/* Right-hand side of a body; notes how far its residual forces would move it. */
TN_INLINE void finish_limb(const tn_lane_course *t, int32_t k, tn_lane_errors *sizes)
{
    const double scale = 1.0 / t->rule->c.beta_prime;
    const tn_real *inverse = t->block.bodies[k].inverse;
    tn_limb *limb = &t->work[k].limb;
    tn_real f[6];
    r3_store(f, limb->f);
    r3_store(f + 3, r33_tmulv(&t->work[k].R, limb->m));
    limb->f = r3_times(scale, limb->f);
    limb->m = r3_times(scale, limb->m);
    for (int i = 0; i < 6; i++) {
        const tn_real size = r_abs(scale * f[i]) * inverse[i];
        sizes->sum += size;
        sizes->largest = r_max(size, sizes->largest);
    }
}

/* The residual, m and rad; lanes in which it is no number leave. */
TN_INLINE tn_real evaluate(tn_lane_course *t, tn_trial trial, tn_mask moving, bool all)
{
    const tn_real zero = r_splat(0.0);
    tn_lane_errors errors = {zero, zero}, sizes = {zero, zero};
    for (int32_t k = 0; k < t->shape->count; k++)
        move_limb(t, trial, moving, all, k);
    for (int32_t k = 0; k < t->shape->count; k++)
        join_limb(t, trial, moving, all, k, &errors);
    for (int32_t k = 0; k < t->shape->count; k++)
        finish_limb(t, k, &sizes);
    t->stays &= (errors.sum < TN_LANE_LARGE) & (sizes.sum < TN_LANE_LARGE);
    return r_max(r_sqrt(errors.largest), sizes.largest);
}

/* Three copies, made for what is constant in them. */
static tn_real evaluate_predicted(tn_lane_course *t)
{
    return evaluate(t, TN_TRIAL_PREDICTED, r_yes(), true);
}

static tn_real evaluate_all(tn_lane_course *t)
{
    return evaluate(t, TN_TRIAL_CORRECTED, r_yes(), true);
}

static tn_real evaluate_some(tn_lane_course *t, tn_mask moving)
{
    return evaluate(t, TN_TRIAL_CORRECTED, moving, false);
}

/* ---- the matrix ---- */

static void factor_all(tn_lane_course *t)
{
    tn_lane_work *w = t->work;
    for (int32_t k = 0; k < t->shape->count; k++)
        tree_put_inertia(&w[k].link, &w[k].R, &w[k].limb);
    for (int32_t k = t->shape->count - 1; k >= 0; k--) {
        const int32_t inner = t->shape->inner[k];
        tn_inertia6 left;
        limb_shift(&w[k].limb.I, w[k].limb.arm);
        t->stays &= limb_factor_hinge(&w[k].limb, &left);
        if (inner >= 0)
            limb_pass_on(&w[k].limb, &left, &w[inner].limb);
    }
}

static void solve_all(tn_lane_course *t)
{
    tn_lane_work *w = t->work;
    for (int32_t k = t->shape->count - 1; k >= 0; k--) {
        const int32_t inner = t->shape->inner[k];
        limb_gather_hinge(&w[k].limb, inner < 0 ? NULL : &w[inner].limb);
    }
    for (int32_t k = 0; k < t->shape->count; k++) {
        const int32_t inner = t->shape->inner[k];
        limb_scatter_hinge(&w[k].limb, inner < 0 ? NULL : &w[inner].limb);
    }
}

/* ---- Newton ---- */

/* Lanes that go on without a new factor. Most tell at a glance: three more like the last iteration would
 * do, with as much to spare as logarithms are rounded by. */
static tn_mask is_fresh(const tn_lane_rule *rule, tn_mask asked, tn_real r, tn_real before,
                        tn_real enough, int32_t iteration)
{
    const int32_t left = rule->most_iterations - iteration;
    const tn_real left_over = r / before;
    tn_mask fresh = (left_over <= TN_SLOW_CONTRACTION) &
                    (left_over * left_over * left_over * r <= 0.99 * enough);
    if (left >= 3 && r_every(fresh | ~asked))
        return fresh;
    for (int k = 0; k < TN_LANES; k++)
        fresh[k] = r[k] <= TN_SLOW_CONTRACTION * before[k] && left > 0 &&
                           !tn_alpha_is_stale(r[k], before[k], enough[k], left)
                       ? -1
                       : 0;
    return fresh;
}

/* Until all that stay are within the tolerance. */
static void iterate(tn_lane_course *t, tn_real still)
{
    const tn_real enough = r_max(r_splat(t->rule->tolerance), still);
    tn_real before = evaluate_predicted(t);
    factor_all(t);
    solve_all(t);
    tn_mask moving = r_yes();
    for (int32_t iteration = 1;; iteration++) {
        const tn_real r = r_every(moving) ? evaluate_all(t) : evaluate_some(t, moving);
        moving &= t->stays & ~(r <= enough);
        if (!r_some(moving))
            return;
        t->stays &= is_fresh(t->rule, moving, r, before, enough, iteration) | ~moving;
        moving &= t->stays;
        if (!r_some(moving))
            return;
        before = r_select(moving, r, before);
        solve_all(t);
    }
}

/* ---- a step ---- */

static void attempt(tn_lane_course *t, tn_mask lanes)
{
    const tn_real still = round_off(t);
    t->stays = lanes & all_move(t, still);
    for (int32_t k = 0; k < t->shape->count; k++)
        predict_limb(&t->rule->c, &t->block.limbs[k], &t->work[k]);
    iterate(t, still);
    find_frames(t);
    judge_energy(t);
    judge_reactions(t);
}

TN_INLINE void commit_limb(const tn_alpha *c, const tn_lane_work *w, tn_lane_limb *to)
{
    const double keep = (1.0 - c->af) / (1.0 - c->am), by_h = 1.0 / c->h;
    for (int i = 0; i < 6; i++) {
        to->acc[i] = w->base[i] + keep * w->udot[i];
        to->udot_rate[i] = by_h * (w->udot[i] - to->udot[i]);
        to->udot[i] = w->udot[i];
        to->u[i] = w->u[i];
    }
    for (int n = 0; n < TN_LANE_ROWS; n++) {
        to->lambda_rate[n] = by_h * (w->lambda[n] - to->lambda[n]);
        to->lambda[n] = w->lambda[n];
    }
    to->pose = w->pose;
    to->cosine = w->cosine;
    to->sine = w->sine;
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
        commit_limb(&t->rule->c, &t->work[k], &t->block.limbs[k]);
    commit_world(t->rule->c.h, t->world, t->block.world);
}

static void commit(const tn_lane_shape *shape, const tn_lane_rule *rule, double *block,
                   double *work)
{
    tn_lane_course t = course_of(shape, rule, block, work);
    commit_all(&t);
}

static int64_t run(const tn_lane_shape *shape, const tn_lane_rule *rule, double *block,
                   double *work, unsigned lanes, int64_t steps, unsigned *left)
{
    tn_lane_course t = course_of(shape, rule, block, work);
    tn_mask wanted = r_yes();
    for (int k = 0; k < TN_LANES; k++)
        wanted[k] = lanes >> k & 1u ? -1 : 0;
    *left = 0;
    put_links(&t);
    for (int64_t n = 0; n < steps; n++) {
        attempt(&t, wanted);
        *left = r_bits(wanted & ~t.stays);
        if (*left)
            return n;
        commit_all(&t);
    }
    return steps;
}
