/* kernel.h: room lanes: steps of a block, included by one file for each width.
 *
 * A step is that of generalized_alpha.c and of step.c where nothing but motion happens, in the same
 * order: prediction, Newton's iteration, multipliers in frames G (joint_rows.c), the books of energy
 * (books.c), one body asked about its reactions (reactions.c, force_balance.c), and the sums of the
 * run (judge.c). Everything is worked out beside the block, which is written at the end: a lane that
 * leaves is still at the start.
 */
#include "lanes/block.h"
#include "motion/force_balance.h"
#include "step/judge.h"

/* Beyond this a number is on its way to infinity, and its lane leaves. */
#define TN_LANE_LARGE 1e290

/* What a step works with, of a limb. */
typedef struct tn_lane_work {
    tn_limb limb;
    tn_alpha_link link;
    tn_real dq[6], u[6], udot[6], base[6]; /* base: of acc, without udot+ */
    tn_body_pose pose;
    tn_real33 R;
    tn_real33 R_GW;
    tn_real lambda[TN_LANE_ROWS];
    tn_real cosine, sine, turns;
} tn_lane_work;

/* The world, at the end. */
typedef struct tn_lane_end {
    tn_lane_world world;
    tn_lane_work limbs[];
} tn_lane_end;

typedef struct tn_lane_course {
    const tn_lane_shape *shape;
    const tn_lane_rule *rule;
    tn_lane_views block;
    tn_lane_world *world; /* the next one */
    tn_lane_work *work;
    tn_mask stays; /* lanes that are still in the step */
} tn_lane_course;

TN_INLINE tn_lane_course course_of(const tn_lane_shape *shape, const tn_lane_rule *rule,
                                   double *block, double *work)
{
    tn_lane_end *end = (tn_lane_end *)(void *)work;
    return (tn_lane_course){shape,       rule,       tn_lane_view(shape, block),
                            &end->world, end->limbs, r_yes()};
}

TN_INLINE tn_real3 r3_times(double a, tn_real3 v)
{
    return r3_scale(r_splat(a), v);
}

/* ---- structure and constants of the links ---- */

/* Once for many steps. */
static void put_links(const tn_lane_course *t)
{
    const tn_lane_shape *shape = t->shape;
    for (int32_t k = 0; k < shape->count; k++) {
        const tn_lane_body *body = &t->block.bodies[k];
        const bool is_a = shape->is_a[k];
        tn_lane_work *w = &t->work[k];
        w->limb.inner = shape->inner[k];
        w->limb.joint = TN_LIMB_HINGE;
        w->link.sign = is_a ? 1.0 : -1.0;
        w->link.mass = body->mass;
        w->link.J = body->J;
        w->link.at = is_a ? body->p_CA : body->p_DB;
        w->link.inner_at = is_a ? body->p_DB : body->p_CA;
        w->link.axis = r33_column(is_a ? &body->R_CA : &body->R_DB, 2);
        w->link.inner_axis = r33_column(is_a ? &body->R_DB : &body->R_CA, 2);
    }
}

typedef struct tn_lane_frame {
    const tn_real33 *R;
    tn_real3 x;
} tn_lane_frame;

TN_INLINE tn_lane_frame own_frame(const tn_lane_course *t, int32_t k)
{
    return (tn_lane_frame){&t->work[k].R, t->work[k].pose.x};
}

TN_INLINE tn_lane_frame inner_frame(const tn_lane_course *t, int32_t k)
{
    const int32_t inner = t->shape->inner[k];
    if (inner >= 0)
        return own_frame(t, inner);
    return (tn_lane_frame){&t->block.bodies[k].base_R, t->block.bodies[k].base_x};
}

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

/* ---- frames and turns ---- */

/* G of a hinge: update_hinge of joint_rows.c. */
TN_INLINE tn_mask find_frame(const tn_lane_course *t, int32_t k)
{
    const tn_lane_body *body = &t->block.bodies[k];
    tn_lane_work *w = &t->work[k];
    const bool is_a = t->shape->is_a[k];
    const tn_real33 *R_A = is_a ? &w->R : inner_frame(t, k).R;
    const tn_real33 *R_B = is_a ? inner_frame(t, k).R : &w->R;
    const tn_real3 x_C = r33_mulv(R_A, r33_column(&body->R_CA, 0)),
                   y_C = r33_mulv(R_A, r33_column(&body->R_CA, 1)),
                   x_D = r33_mulv(R_B, r33_column(&body->R_DB, 0)),
                   y_D = r33_mulv(R_B, r33_column(&body->R_DB, 1)), z = w->limb.of.hinge.axis;
    const tn_real c = r3_dot(x_D, x_C) + r3_dot(y_D, y_C), s = r3_dot(y_D, x_C) - r3_dot(x_D, y_C);
    const tn_real n = r_sqrt(c * c + s * s);
    w->cosine = c / n;
    w->sine = s / n;
    const tn_real3 x = r3_axpy(r3_scale(w->cosine, x_D), w->sine, y_D),
                   y = r3_axpy(r3_scale(w->cosine, y_D), -w->sine, x_D);
    w->R_GW = (tn_real33){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    return n > TN_OPPOSITE_AXES;
}

/* The multipliers of the wrench found. */
TN_INLINE void put_multipliers(tn_lane_work *w)
{
    const tn_real sign = r_splat(w->link.sign);
    const tn_real3 m = r3_scale(sign, w->link.moment);
    r3_store(w->lambda, r33_tmulv(&w->R_GW, r3_scale(sign, w->link.force)));
    w->lambda[3] = r3_dot(r33_column(&w->R_GW, 0), m);
    w->lambda[4] = r3_dot(r33_column(&w->R_GW, 1), m);
}

/* Turns: the coordinate is the one nearest to what the speed predicts. Where both that and the angle
 * change by less than a radian, it is the angle's own way round. */
TN_INLINE tn_mask count_turns(const tn_lane_course *t, int32_t k)
{
    const tn_lane_limb *from = &t->block.limbs[k];
    tn_lane_work *w = &t->work[k];
    const int32_t inner = t->shape->inner[k];
    tn_real speed = r3_dot(w->link.axis, r3_load(w->u + 3));
    if (inner >= 0)
        speed = speed - r3_dot(w->link.inner_axis, r3_load(t->work[inner].u + 3));
    const tn_mask before = (tn_mask)from->sine < 0, after = (tn_mask)w->sine < 0;
    const tn_mask crosses = (before ^ after) & (w->cosine < 0.0);
    const tn_real turn =
        r_select(crosses & after, r_splat(1.0), r_select(crosses, r_splat(-1.0), r_splat(0.0)));
    w->turns = from->turns + turn;
    const tn_real same = from->cosine * w->cosine + from->sine * w->sine;
    return (same > 0.6) & (r_abs(t->rule->c.h * speed) < 1.0);
}

static void find_frames(tn_lane_course *t)
{
    for (int32_t k = 0; k < t->shape->count; k++) {
        t->stays &= find_frame(t, k);
        put_multipliers(&t->work[k]);
        t->stays &= count_turns(t, k);
    }
}

/* ---- books ---- */

typedef struct tn_lane_books {
    tn_real made, moved, size, run, pushed, spun, twisted;
} tn_lane_books;

TN_INLINE void book_limb(const tn_lane_course *t, int32_t k, tn_lane_books *b)
{
    const tn_lane_limb *from = &t->block.limbs[k];
    const tn_lane_work *w = &t->work[k];
    const tn_real mass = w->link.mass;
    const tn_real3 v = r3_load(w->u), turn = r3_load(w->u + 3);
    const tn_real3 v0 = r3_load(from->u), turn0 = r3_load(from->u + 3);
    const tn_real3 dv = r3_sub(v, v0), dw = r3_sub(turn, turn0);
    const tn_real3 mean_v = r3_times(0.5, r3_add(v, v0)),
                   mean_w = r3_times(0.5, r3_add(turn, turn0));
    const tn_real3 dx = r3_sub(w->pose.x, from->pose.x);
    const tn_real3 turned = s3_mulv(&w->link.J, dw), spin = s3_mulv(&w->link.J, mean_w);
    const tn_real fallen = mass * r3_dot(t->block.world->gravity, dx);
    const tn_real run = mass * r3_dot(mean_v, mean_v), pushed = mass * r3_dot(dv, dv);
    const tn_real spun = r3_dot(spin, mean_w), twisted = r3_dot(turned, dw);
    b->made += mass * r3_dot(dv, mean_v) + r3_dot(turned, mean_w) - fallen;
    b->moved += r_sqrt(pushed * run) + r_sqrt(twisted * spun) +
                t->rule->c.h * spun * r3_norm(mean_w) + r_abs(fallen);
    b->size += r_abs(fallen);
    b->run += run;
    b->pushed += pushed;
    b->spun += spun;
    b->twisted += twisted;
}

/* The books, the verdict on the energy, and what is kept of both. */
static void judge_energy(tn_lane_course *t)
{
    const tn_lane_world *from = t->block.world;
    const tn_real zero = r_splat(0.0);
    const double h = t->rule->c.h, tolerance = t->rule->tolerance, blur = tolerance / h;
    tn_lane_books b = {zero, zero, zero, zero, zero, zero, zero};
    for (int32_t i = 0; i < t->shape->bodies; i++) /* in the order of the bodies */
        if (t->shape->limb[i] >= 0)
            book_limb(t, t->shape->limb[i], &b);
    const tn_real kinetic = 0.5 * (b.run + b.spun), mass = from->mass, inertia = from->inertia;
    b.size += 2.0 * kinetic;
    const tn_real noise =
        (mass + inertia) * blur * blur + mass * r3_norm(from->gravity) * tolerance;
    const tn_real uncertain =
        noise + blur * (r_sqrt(mass * (b.run + b.pushed)) + r_sqrt(inertia * (b.spun + b.twisted)));
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

/* ---- reactions ---- */

/* A body's residual and what acts on it. */
typedef struct tn_lane_load {
    tn_real3 f, m;
    tn_real force, moment;
} tn_lane_load;

TN_INLINE tn_lane_load own_load(const tn_lane_course *t, int32_t k)
{
    const tn_lane_work *w = &t->work[k];
    const tn_real3 gravity = t->block.world->gravity, turn = r3_load(w->u + 3);
    const tn_real3 a = r3_load(w->udot), alpha = r3_load(w->udot + 3);
    const tn_real3 spin = s3_mulv(&w->link.J, turn), swing = s3_mulv(&w->link.J, alpha);
    const tn_real load = r_max(r_max(r3_norm(a), r3_norm(gravity)), r_splat(TN_NO_LOAD));
    const tn_real floor = TN_NO_LOAD * t->block.bodies[k].largest_inertia;
    return (tn_lane_load){
        .f = r3_scale(w->link.mass, r3_sub(gravity, a)),
        .m = r3_sub(r3_cross(spin, turn), swing),
        .force = w->link.mass * load,
        .moment = r_max(r_max(r3_norm(r3_cross(turn, spin)), r3_norm(swing)), floor),
    };
}

/* Joint `by` on body k. */
TN_INLINE void add_load(const tn_lane_course *t, int32_t k, int32_t by, tn_lane_load *load)
{
    const tn_lane_work *w = &t->work[by];
    const tn_lane_body *body = &t->block.bodies[by];
    const bool is_a = t->shape->is_a[by], on_a = is_a == (k == by);
    const tn_lane_frame B = is_a ? inner_frame(t, by) : own_frame(t, by);
    const tn_real3 P = r3_add(r33_mulv(B.R, body->p_DB), B.x), r = r3_sub(P, t->work[k].pose.x);
    const tn_real zero = r_splat(0.0);
    const tn_real3 on_a_f = r33_mulv(&w->R_GW, r3_add(r3_zero(), r3_load(w->lambda)));
    const tn_real3 on_a_m = r33_mulv(&w->R_GW, r3(zero + w->lambda[3], zero + w->lambda[4], zero));
    const tn_real3 f = on_a ? on_a_f : r3_times(-1.0, on_a_f);
    const tn_real3 m = r3_add(on_a ? on_a_m : r3_times(-1.0, on_a_m), r3_cross(r, f));
    const tn_real force = r3_norm(on_a_f);
    load->f = r3_add(load->f, f);
    load->m = r3_add(load->m, r33_tmulv(&t->work[k].R, m));
    load->force = r_max(force, load->force);
    load->moment = r_max(r3_norm(on_a_m) + r3_norm(r) * force, load->moment);
}

TN_INLINE tn_real imbalance(tn_real3 residual, tn_real unknown, tn_real scale)
{
    const tn_real size = r3_norm(residual);
    return r_select(size <= unknown, r_splat(0.0), (size - unknown) / scale);
}

typedef struct tn_lane_balance {
    tn_real force, moment;
} tn_lane_balance;

static tn_lane_balance ask(const tn_lane_course *t, int32_t body)
{
    const tn_lane_shape *shape = t->shape;
    const int32_t k = shape->limb[body];
    const tn_real zero = r_splat(0.0);
    if (k < 0)
        return (tn_lane_balance){zero, zero};
    tn_lane_load load = own_load(t, k);
    for (int32_t n = shape->first[body]; n < shape->first[body + 1]; n++)
        add_load(t, k, shape->touching[n], &load);
    const double h = t->rule->c.h;
    const tn_real mass = t->work[k].link.mass;
    const tn_real unknown = t->block.world->mass * t->rule->tolerance / (h * h);
    load.moment =
        r_max(load.force * r_sqrt(t->block.bodies[k].largest_inertia / mass), load.moment);
    const tn_real arm = load.moment / load.force;
    const tn_lane_balance b = {imbalance(load.f, unknown, load.force),
                               imbalance(load.m, unknown * arm, load.moment)};
    return (tn_lane_balance){r_select(b.force <= 0.0, zero, b.force),
                             r_select(b.moment <= 0.0, zero, b.moment)};
}

/* Each lane asks its own body; most ask the same. */
static void judge_reactions(tn_lane_course *t)
{
    const tn_lane_world *from = t->block.world;
    const tn_real asked = from->asked, zero = r_splat(0.0);
    tn_lane_balance b = {zero, zero};
    tn_mask told = ~t->stays;
    for (int k = 0; k < TN_LANES; k++) {
        if (told[k])
            continue;
        const tn_mask these = asked == asked[k];
        const tn_lane_balance now = ask(t, (int32_t)asked[k]);
        b.force = r_select(these, now.force, b.force);
        b.moment = r_select(these, now.moment, b.moment);
        told |= these;
    }
    t->stays &= (b.force / TN_MISSED_SHARE <= 1.0) & (b.moment / TN_MISSED_SHARE <= 1.0);
    t->world->force = r_max(b.force, from->force);
    t->world->moment = r_max(b.moment, from->moment);
    t->world->asked = r_select(asked + 1.0 < t->shape->bodies, asked + 1.0, zero);
    const tn_real steps = from->steps_asked + 1.0;
    t->world->steps_asked = r_select(steps < TN_ASKED_IN_STEPS, steps, zero);
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
