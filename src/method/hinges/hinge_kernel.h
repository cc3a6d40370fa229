/* hinge_kernel.h: room method/hinges: a step of generalized-alpha of a tree of bodies on hinges, in the angles of
 * the hinges: what it does to one body, in one world or in several side by side (math/reals.h).
 *
 * The equations are those of generalized_alpha.c. On a tree the constraints are solved by going outward: the
 * pose at the end of the step follows from the angles d by which the hinges turn in it, and velocity and
 * udot from the pose, both being linear in dq. Going inward, forces F and moments M of the joints follow
 * from the balance of each body. What is left to be zero is z . M of every hinge, and Newton's
 * unknowns are the angles. With P the hinge, r = P - x, b from the inner body's x to P, l from the
 * inner body's hinge to P, D the rotation of a body in the step and E that about z by d:
 *     D = D_i E,   Dx = Dx_i + (D_i - 1) b - (D - 1) r,   h dq = (Dx, R^T log D),
 *     F = sum F_c - f,   M = sum (M_c + b_c x F_c) - m - r x F         (c: what hangs on it).
 * Nothing is a difference of poses, which would leave their round-off, divided by h^2, in udot.
 *
 * For the matrix all is about one point O that rests, the hinge a tree hangs by. A small twist of the body, v of
 * what is at O and w, changes F and the moment about O of what acts on the body by
 *     dF = A v + B w,  dM = D v + C w
 * (in units of beta'). Of the body alone, with r' = O - x, I = R J R^T, eps = gamma'/beta' and p = log(D)/2, in
 * which gyroscopic moments and turns that do not commute are what Q differs by from I:
 *     A = m,  B = m [r'],  D = [f] / beta' - m [r'],  Q = (I + eps ([u] I - [I u])) (1 + [p] + [p]^2/3),
 *     C = Q - m [r'][r'] + ([m] + r' f^T - (r' . f)) / beta'.
 * 1 + [p] + [p]^2/3 is exp [p] but for p^2/6, and R^T exp [p] = H^T, with H the orientation half way:
 *     Q = R (J + eps ([w] J - [J w])) H^T, w in body axes.
 * What hangs on a body adds to these after its own angle is eliminated. With the screw S = (p x z, z) of a hinge at
 * p from O, which goes along with the inner body's twist,
 *     d = S^T I S,  col = I S,  row = I^T S + (z x F, z x M + p x (z x F)) / beta',  I - col row^T / d.
 * Sums alone: nothing is moved from point to point. What the matrix loses by it, round-off times the square of the
 * tree's size to that of what hangs on a hinge, costs an iteration at worst; forces and moments themselves are
 * summed from hinge to hinge. The matrix is no symmetric one, but that of the equations but for p^2/6: one
 * correction of a good prediction is at round-off.
 */
#ifndef TN_METHOD_HINGES_HINGE_KERNEL_H
#define TN_METHOD_HINGES_HINGE_KERNEL_H

#include <float.h>

#include "math/small_turns.h"
#include "method/alpha/alpha.h"
#include "sparse/articulated_kernel.h"

/* Angles are met to this share of the tolerance if round-off lets them: what is left is a torque too, and may
 * turn a body of little inertia so many times as far as it turns what hangs on it. */
#define TN_HINGE_MET (1.0 / 64)

/* rad: a correction leaves some square of what a prediction is off. From here three end at round-off, 1e-3, 1e-6 and
 * 1e-12; from further off steps by the other iteration cost less. */
#define TN_HINGE_NEAR 1e-3

/* Beyond this a number is on its way to infinity. */
#define TN_HINGE_LARGE 1e290

/* Of the model. */
typedef struct tn_hinge_link {
    tn_real3 at, inner_at; /* m, P from the centres of mass, body axes */
    tn_real3 axis;         /* the hinge's, body axes */
    tn_realq rel[2];       /* the body's orientation in the inner one's: cos rel[0] + sin rel[1] of
                              half the angle */
    tn_sym3 J;             /* kg m^2, body axes */
    tn_real mass;          /* kg */
    /* of what does not move, where it hangs on that */
    tn_realq ground;
    tn_real3 ground_at; /* P, world */
} tn_hinge_link;

/* What is remembered of a hinge between steps. */
typedef struct tn_hinge_memory {
    tn_real half[2];                /* cosine and sine of half the angle */
    tn_real turns[TN_HINGE_DEGREE]; /* rad: what it turned by in the last step, and the backward
                                       differences of that */
} tn_hinge_memory;

/* Motion of a body, packed as velocities are. */
typedef struct tn_hinge_motion {
    tn_real u[6], udot[6], acc[6];
} tn_hinge_motion;

/* A body between steps. */
typedef struct tn_hinge_state {
    tn_body_pose pose; /* closed, of the angles */
    tn_hinge_motion at;
    tn_hinge_memory memory;
    tn_real3 force, moment; /* of the hinge on it, at P, world axes: of the step that ended here */
} tn_hinge_state;

/* F = A v + B w, M = D v + C w. */
typedef struct tn_hinge_inertia {
    tn_real33 A, B, D, C;
} tn_hinge_inertia;

/* Of a limb, in a step. */
typedef struct tn_hinge_limb {
    tn_hinge_link link;
    /* of the start, world axes */
    tn_real3 arm0, base0, axis0; /* m: r, b and z */
    tn_real drift[6], coast[6];  /* h dq and u+ without udot+ */
    tn_real acc[6];              /* a+ without udot+ */
    /* of the trial */
    tn_real turn;       /* rad: d */
    tn_realq turned;    /* D */
    tn_real3 moved;     /* m: Dx */
    tn_real33 R;        /* of the pose */
    tn_real3 arm, axis; /* m: r and z */
    tn_real3 span;      /* m: l */
    tn_real3 place;     /* m: p, of the hinge from O */
    /* what acts on it but joints: the force, and the moment at P */
    tn_real3 f, n;
    /* at P, of all that hangs on it: wrenches, in the matrix what the solve leaves of them */
    tn_real3 hung_f, hung_n;
    /* of the body alone about O, at the prediction: m r', its part in D, and C */
    tn_real3 B, D;
    tn_real33 C;
    /* the factor, about O */
    tn_real3 screw, row_f, row_m, col_f, col_m;
    tn_real by_d;
    /* of a solve, about O: wrenches of all that hangs on it, the angle, and the body's twist */
    tn_real3 left_f, left_n;
    tn_real s;
    tn_real3 v, w;
} tn_hinge_limb;

/* What moves a body, for its part in the matrix: angular velocity w and J w in body axes, the moment at
 * its centre of mass. */
typedef struct tn_hinge_effort {
    tn_real3 w, spin, m;
} tn_hinge_effort;

/* A wrench of a hinge, at P. */
typedef struct tn_hinge_pull {
    tn_real3 force, moment;
} tn_hinge_pull;

/* The method's numbers for a step, made of those of tn_alpha once. */
typedef struct tn_hinge_rule {
    double h;
    double acc_udot, acc_acc, acc_new;  /* a+ of udot, a and udot+ */
    double drift_u, drift_a, drift_acc; /* h dq of u, a and that */
    double coast_a, coast_acc, u_udot;  /* u+ of a, that and udot+ */
    double beta, by_beta, eps;          /* beta', 1/beta', gamma'/beta' */
} tn_hinge_rule;

static inline tn_hinge_rule tn_hinge_rule_of(const tn_alpha *c)
{
    const double rest = 1.0 / (1.0 - c->am), u_new = c->h * c->gamma;
    return (tn_hinge_rule){.h = c->h,
                           .acc_udot = c->af * rest,
                           .acc_acc = -c->am * rest,
                           .acc_new = (1.0 - c->af) / (1.0 - c->am),
                           .drift_u = c->h,
                           .drift_a = c->h * c->h * (0.5 - c->beta),
                           .drift_acc = c->h * c->h * c->beta,
                           .coast_a = c->h * (1.0 - c->gamma),
                           .coast_acc = u_new,
                           .u_udot = u_new * (1.0 - c->af) * rest,
                           .beta = c->beta_prime,
                           .by_beta = 1.0 / c->beta_prime,
                           .eps = c->gamma_prime / c->beta_prime};
}

/* ---- prediction ---- */

/* How far a prediction is off, by the last of the differences it goes by: the sum of squares, rad^2. */
TN_INLINE void hinge_note_change(const tn_hinge_memory *memory, tn_real *sum)
{
    const tn_real last = memory->turns[TN_HINGE_DEGREE - 1];
    *sum += last * last;
}

/* Near enough for Newton's iteration? */
TN_INLINE tn_mask hinge_is_near(tn_real sum)
{
    return sum <= TN_HINGE_NEAR * TN_HINGE_NEAR;
}

/* Parts of h dq, u+ and a+ that do not change in the step, and the angle as it went on. */
TN_INLINE void hinge_predict(const tn_hinge_rule *c, const tn_hinge_state *from, tn_hinge_limb *k)
{
    for (int i = 0; i < 6; i++) {
        const tn_real a = from->at.acc[i], u = from->at.u[i];
        const tn_real acc = c->acc_udot * from->at.udot[i] + c->acc_acc * a;
        k->acc[i] = acc;
        k->drift[i] = c->drift_u * u + (c->drift_a * a + c->drift_acc * acc);
        k->coast[i] = u + (c->coast_a * a + c->coast_acc * acc);
    }
    k->turn = from->memory.turns[TN_HINGE_DEGREE - 1];
    for (int i = TN_HINGE_DEGREE - 2; i >= 0; i--)
        k->turn += from->memory.turns[i];
}

/* The arms of a start, R and the axis being those of its pose; after the inner body's. */
TN_INLINE void hinge_begin(const tn_hinge_limb *inner, tn_hinge_limb *k)
{
    k->axis0 = k->axis;
    k->arm0 = r33_mulv(&k->R, k->link.at);
    if (inner)
        k->base0 = r33_mulv(&inner->R, k->link.inner_at);
}

/* R and the axis of a pose. */
TN_INLINE void hinge_orient(const tn_body_pose *pose, tn_hinge_limb *k)
{
    k->R = rq_to_r33(pose->q);
    k->axis = r33_mulv(&k->R, k->link.axis);
}

/* ---- outward: the trial of the angles ---- */

/* Trials differ in what is looked at afterwards. */
typedef enum tn_hinge_trial {
    TN_HINGE_PREDICTED, /* the matrix */
    TN_HINGE_CORRECTED  /* the motion: it may be the end */
} tn_hinge_trial;

/* A body and the one it hangs on, before and after the step; inner ones NULL: the ground. */
typedef struct tn_hinge_pair {
    tn_hinge_limb *own, *inner;
    const tn_hinge_state *from;
    tn_hinge_state *to, *inner_to;
} tn_hinge_pair;

/* D and the orientation, whose length is rounded as often as there are hinges. */
TN_INLINE void hinge_turn(const tn_hinge_pair *p)
{
    tn_hinge_limb *k = p->own;
    const tn_realq *rel = k->link.rel;
    const tn_real *half0 = p->from->memory.half;
    tn_real c = k->turn, s = c;
    r_half_turn(k->turn, &c, &s);
    const tn_realq own = {c, s * k->axis0.x, s * k->axis0.y, s * k->axis0.z};
    const tn_real half_c = half0[0] * c - half0[1] * s, half_s = half0[1] * c + half0[0] * s;
    const tn_realq q = {
        half_c * rel[0].w + half_s * rel[1].w, half_c * rel[0].x + half_s * rel[1].x,
        half_c * rel[0].y + half_s * rel[1].y, half_c * rel[0].z + half_s * rel[1].z};
    p->to->memory.half[0] = half_c;
    p->to->memory.half[1] = half_s;
    k->turned = p->inner ? rq_mul(p->inner->turned, own) : own;
    p->to->pose.q = rq_mul(p->inner ? p->inner_to->pose.q : k->link.ground, q);
}

/* Dx, arms and axis; once all have turned. */
TN_INLINE void hinge_follow(const tn_hinge_pair *p)
{
    tn_hinge_limb *k = p->own;
    const tn_real3 arm = rq_moves(k->turned, k->arm0);
    k->arm = r3_add(k->arm0, arm);
    k->place = r3_zero();
    if (p->inner) {
        const tn_real3 base = rq_moves(p->inner->turned, k->base0);
        k->span = r3_sub(r3_add(k->base0, base), p->inner->arm);
        k->place = r3_add(p->inner->place, k->span);
        k->moved = r3_add(p->inner->moved, r3_sub(base, arm));
    } else {
        k->moved = r3_sub(r3_zero(), arm);
    }
    p->to->pose.q = rq_unit_again(p->to->pose.q);
    hinge_orient(&p->to->pose, k);
}

/* J w; of principal axes J has its diagonal only. */
TN_INLINE tn_real3 hinge_spin(const tn_sym3 *J, bool principal, tn_real3 w)
{
    return principal ? r3(J->xx * w.x, J->yy * w.y, J->zz * w.z) : s3_mulv(J, w);
}

/* Velocity and udot, and what they ask of the joints. D is about its own vector: log D is the same in the
 * axes of the start and of the end. */
TN_INLINE tn_hinge_effort hinge_move(const tn_hinge_rule *c, tn_real3 gravity, tn_hinge_trial trial,
                                     bool principal, const tn_hinge_pair *p)
{
    tn_hinge_limb *k = p->own;
    const tn_real3 turn = r33_tmulv(&k->R, rq_small_log(k->turned));
    const tn_real moved[6] = {k->moved.x, k->moved.y, k->moved.z, turn.x, turn.y, turn.z};
    tn_real u[6], udot[6];
    for (int i = 0; i < 6; i++) {
        udot[i] = c->beta * (moved[i] - k->drift[i]);
        u[i] = k->coast[i] + c->u_udot * udot[i];
        if (trial == TN_HINGE_CORRECTED) {
            p->to->at.u[i] = u[i];
            p->to->at.udot[i] = udot[i];
        }
    }
    tn_hinge_effort now = {.w = r3_load(u + 3)};
    now.spin = hinge_spin(&k->link.J, principal, now.w);
    const tn_real3 f = r3_scale(k->link.mass, r3_sub(gravity, r3_load(udot)));
    now.m = r33_mulv(&k->R, r3_sub(r3_cross(now.spin, now.w),
                                   hinge_spin(&k->link.J, principal, r3_load(udot + 3))));
    k->f = f;
    k->n = r3_sub(now.m, r3_cross(k->arm, f));
    return now;
}

/* ---- inward: wrenches ---- */

/* Which limbs of a tree come first going inward. */
typedef struct tn_hinge_order {
    bool begins;       /* nothing hangs on it */
    bool begins_inner; /* it is the first on the inner one */
} tn_hinge_order;

/* Wrench of the hinge, after those of all that hangs on the body. */
TN_INLINE tn_hinge_pull hinge_weigh(tn_hinge_order order, const tn_hinge_limb *k,
                                    tn_hinge_limb *inner)
{
    const tn_real3 none = r3_zero();
    const tn_hinge_pull pull = {r3_sub(order.begins ? none : k->hung_f, k->f),
                                r3_sub(order.begins ? none : k->hung_n, k->n)};
    if (!inner)
        return pull;
    const tn_real3 n = r3_add(pull.moment, r3_cross(k->span, pull.force));
    inner->hung_f = order.begins_inner ? pull.force : r3_add(inner->hung_f, pull.force);
    inner->hung_n = order.begins_inner ? n : r3_add(inner->hung_n, n);
    return pull;
}

/* ---- a solve ---- */

/* Angles by which hinges are to turn, rad, as going inward tells: what the trial is off. */
typedef struct tn_hinge_sizes {
    tn_real largest, sum;
} tn_hinge_sizes;

/* Inward. */
TN_INLINE void hinge_gather(const tn_hinge_rule *c, tn_hinge_order order, const tn_hinge_pull *pull,
                            tn_hinge_limb *k, tn_hinge_limb *inner, tn_hinge_sizes *sizes)
{
    tn_real torque = c->by_beta * r3_dot(k->axis, pull->moment);
    if (!order.begins)
        torque += r3_dot(k->screw, k->left_f) + r3_dot(k->axis, k->left_n);
    k->s = -torque * k->by_d;
    const tn_real size = r_abs(k->s);
    sizes->sum += size;
    sizes->largest = r_max(size, sizes->largest);
    if (!inner)
        return;
    const tn_real3 own_f = r3_scale(k->s, k->col_f), own_n = r3_scale(k->s, k->col_m);
    const tn_real3 f = order.begins ? own_f : r3_add(k->left_f, own_f),
                   n = order.begins ? own_n : r3_add(k->left_n, own_n);
    inner->left_f = order.begins_inner ? f : r3_add(inner->left_f, f);
    inner->left_n = order.begins_inner ? n : r3_add(inner->left_n, n);
}

/* Is what is left met, `before` having been left by the iteration before? */
TN_INLINE tn_mask hinge_is_met(tn_real left, tn_real before, tn_real enough)
{
    return (left <= TN_HINGE_MET * enough) |
           ((left <= enough) & (left > TN_STALE_CONTRACTION * before));
}

/* May another iteration, of so many that are left, bring it about? */
static inline bool hinge_goes_on(double left, double before, double enough, int32_t iterations)
{
    return left <= TN_SLOW_CONTRACTION * before && iterations > 0 &&
           (left <= enough || left * left <= 0.5 * before * enough ||
            !tn_alpha_is_stale(left, before, enough, iterations));
}

/* Outward: by what the angle is to change. */
TN_INLINE tn_real hinge_scatter(const tn_hinge_limb *inner, tn_hinge_limb *k)
{
    if (!inner) {
        k->v = r3_zero(); /* O is on its axis */
        k->w = r3_scale(k->s, k->axis);
        return k->s;
    }
    const tn_real turn = k->s - k->by_d * (r3_dot(k->row_f, inner->v) + r3_dot(k->row_m, inner->w));
    k->v = r3_axpy(inner->v, turn, k->screw);
    k->w = r3_axpy(inner->w, turn, k->axis);
    return turn;
}

/* ---- the end ---- */

/* Where it is: closed, not where Dx has brought it. That is the start of the next step. */
TN_INLINE void hinge_place(const tn_hinge_pair *p)
{
    tn_hinge_limb *k = p->own;
    hinge_begin(p->inner, k);
    p->to->pose.x =
        r3_sub(p->inner ? r3_add(p->inner_to->pose.x, k->base0) : k->link.ground_at, k->arm0);
}

/* What the hinge carries: nothing about its axis. On a body whose frame has these axes. */
TN_INLINE void hinge_multipliers(const tn_hinge_state *at, const tn_real3 *axes, double sign,
                                 tn_real *lambda)
{
    const tn_real3 F = r3_times(sign, at->force), M = r3_times(sign, at->moment);
    lambda[0] = r3_dot(axes[0], F);
    lambda[1] = r3_dot(axes[1], F);
    lambda[2] = r3_dot(axes[2], F);
    lambda[3] = r3_dot(axes[0], M);
    lambda[4] = r3_dot(axes[1], M);
}

/* The angle it turned by, and is at, become those remembered. */
TN_INLINE void hinge_remember(tn_real turn, const tn_hinge_memory *from, tn_hinge_memory *to)
{
    const tn_real by = r_unit_again(to->half[0] * to->half[0] + to->half[1] * to->half[1]);
    to->half[0] = by * to->half[0];
    to->half[1] = by * to->half[1];
    tn_real next = turn;
    for (int i = 0; i < TN_HINGE_DEGREE; i++) {
        const tn_real last = from->turns[i];
        to->turns[i] = next;
        next = next - last;
    }
}

/* The rest of what is kept. */
TN_INLINE void hinge_keep(const tn_hinge_rule *c, const tn_hinge_pair *p)
{
    for (int i = 0; i < 6; i++)
        p->to->at.acc[i] = p->own->acc[i] + c->acc_new * p->to->at.udot[i];
    hinge_remember(p->own->turn, &p->from->memory, &p->to->memory);
}

#endif
