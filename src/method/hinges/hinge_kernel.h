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
 * A small turn w of the body about P, and v of P, change F and M by
 *     dF = A v + B w,  dM = D v + C w,  z . dM + (z x M) . w = -z . M
 * (in units of beta'). Of the body alone, with I = R J R^T, eps = gamma'/beta' and p = log(D)/2, in which
 * gyroscopic moments and turns that do not commute are what Q differs by from I:
 *     A = m,  B = m [r],  D = -m [r],  Q = (I + eps ([u] I - [I u])) (1 + [p] + [p]^2/3),
 *     C = Q - m [r][r] + ([m] + r f^T - (r . f)) / beta';
 * and of what hangs on it, after its own angle is eliminated by col, row and 1/d,
 *     A,  B - A [l],  D + [l] A,  C - D [l] + [l] B' + (l F^T - (l . F)) / beta'.
 * The matrix is no symmetric one, but that of the equations: one correction of a good prediction is
 * at round-off.
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

/* F = A v + B w, M = D v + C w. */
typedef struct tn_hinge_inertia {
    tn_real33 A, B, D, C;
} tn_hinge_inertia;

/* Forces and moments but those of joints, and log D, of a trial. */
typedef struct tn_hinge_own {
    tn_real3 f, m, turn;
} tn_hinge_own;

typedef struct tn_hinge_limb {
    tn_hinge_link link;
    /* of the start, world axes */
    tn_real33 R0;
    tn_real3 arm0, base0, axis0; /* m: r, b and z */
    tn_real drift[6], coast[6];  /* h dq and u+ without udot+ */
    tn_real half0[2];            /* as remembered */
    /* of the trial */
    tn_real turn;        /* rad: d */
    tn_realq turned;     /* D */
    tn_real3 moved;      /* m: Dx */
    tn_real half[2];     /* as remembered */
    tn_body_pose pose;   /* closed, of the angles */
    tn_real33 R;         /* likewise */
    tn_real3 arm, axis;  /* m: r and z */
    tn_real3 base, span; /* m: b and l */
    tn_hinge_motion at;  /* acc: that of the method but for udot+ */
    tn_real3 force, moment;
    tn_real torque; /* N m: z . M */
    tn_hinge_own own;
    /* the factor */
    tn_real3 row_f, row_m, col_f, col_m;
    tn_real by_d;
    /* of a solve */
    tn_real3 f, m; /* at P */
    tn_real s;
    tn_real3 v, w;
} tn_hinge_limb;

/* The method's numbers for a step, made of those of tn_alpha once. */
typedef struct tn_hinge_rule {
    double h;
    double acc_udot, acc_acc;           /* a+ of udot and a, but for udot+ */
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

/* Squares of the last of the differences, and of one before: the ratio of two of them is that of h to
 * the time in which motion changes. */
typedef struct tn_hinge_trend {
    tn_real last, early;
} tn_hinge_trend;

TN_INLINE void hinge_note_trend(const tn_hinge_memory *memory, tn_hinge_trend *trend)
{
    const tn_real last = memory->turns[TN_HINGE_DEGREE - 1],
                  early = memory->turns[TN_HINGE_DEGREE - 3];
    trend->last += last * last;
    trend->early += early * early;
}

/* Have they halved at each degree, or are they round-off? */
TN_INLINE tn_mask hinge_is_smooth(const tn_hinge_trend *trend, tn_real round_off)
{
    return trend->last <= (1.0 / 16) * trend->early + round_off * round_off;
}

/* Parts of h dq, u+ and a+ that do not change in the step, and the angle as it went on. */
TN_INLINE void hinge_predict(const tn_hinge_rule *c, const tn_hinge_motion *from,
                             const tn_hinge_memory *memory, tn_hinge_limb *k)
{
    for (int i = 0; i < 6; i++) {
        const tn_real a = from->acc[i], u = from->u[i];
        const tn_real acc = c->acc_udot * from->udot[i] + c->acc_acc * a;
        k->at.acc[i] = acc;
        k->drift[i] = c->drift_u * u + (c->drift_a * a + c->drift_acc * acc);
        k->coast[i] = u + (c->coast_a * a + c->coast_acc * acc);
    }
    k->half0[0] = memory->half[0];
    k->half0[1] = memory->half[1];
    k->turn = memory->turns[TN_HINGE_DEGREE - 1];
    for (int i = TN_HINGE_DEGREE - 2; i >= 0; i--)
        k->turn += memory->turns[i];
}

/* The pose there is becomes the start, after the inner body's. */
TN_INLINE void hinge_begin(const tn_hinge_limb *inner, tn_hinge_limb *k)
{
    for (int i = 0; i < 3; i++)
        r3_store(k->R0.m[i], r3_load(k->R.m[i]));
    k->arm0 = r33_mulv(&k->R0, k->link.at);
    k->axis0 = r33_mulv(&k->R0, k->link.axis);
    if (inner)
        k->base0 = r33_mulv(&inner->R0, k->link.inner_at);
}

/* ---- outward: the trial of the angles ---- */

/* What is the hinge's own of D and of the orientation. */
TN_INLINE void hinge_turn(tn_hinge_limb *k)
{
    const tn_realq *rel = k->link.rel;
    tn_real c = k->turn, s = c;
    r_half_turn(k->turn, &c, &s);
    k->turned = (tn_realq){c, s * k->axis0.x, s * k->axis0.y, s * k->axis0.z};
    const tn_real half_c = k->half0[0] * c - k->half0[1] * s,
                  half_s = k->half0[1] * c + k->half0[0] * s;
    k->half[0] = half_c;
    k->half[1] = half_s;
    k->pose.q =
        (tn_realq){half_c * rel[0].w + half_s * rel[1].w, half_c * rel[0].x + half_s * rel[1].x,
                   half_c * rel[0].y + half_s * rel[1].y, half_c * rel[0].z + half_s * rel[1].z};
}

/* D and the orientation, whose length is rounded as often as there are hinges. */
TN_INLINE void hinge_turn_along(const tn_hinge_limb *inner, tn_hinge_limb *k)
{
    if (inner)
        k->turned = rq_mul(inner->turned, k->turned);
    k->pose.q = rq_mul(inner ? inner->pose.q : k->link.ground, k->pose.q);
}

/* Dx, arms and axis; once all have turned. */
TN_INLINE void hinge_follow(const tn_hinge_limb *inner, tn_hinge_limb *k)
{
    const tn_real3 arm = rq_moves(k->turned, k->arm0);
    k->arm = r3_add(k->arm0, arm);
    k->moved = r3_times(-1.0, arm);
    if (inner) {
        const tn_real3 base = rq_moves(inner->turned, k->base0);
        k->base = r3_add(k->base0, base);
        k->span = r3_sub(k->base, inner->arm);
        k->moved = r3_add(inner->moved, r3_sub(base, arm));
    }
    k->pose.q = rq_unit_again(k->pose.q);
    k->R = rq_to_r33(k->pose.q);
    k->axis = r33_mulv(&k->R, k->link.axis);
}

/* Velocity and udot, and what they ask of the joints. */
TN_INLINE void hinge_move(const tn_hinge_rule *c, tn_real3 gravity, tn_hinge_limb *k)
{
    tn_hinge_own own = {.turn = rq_small_log(k->turned)};
    const tn_real3 turn = r33_tmulv(&k->R0, own.turn);
    const tn_real moved[6] = {k->moved.x, k->moved.y, k->moved.z, turn.x, turn.y, turn.z};
    for (int i = 0; i < 6; i++) {
        const tn_real udot = c->beta * (moved[i] - k->drift[i]);
        k->at.udot[i] = udot;
        k->at.u[i] = k->coast[i] + c->u_udot * udot;
    }
    const tn_real3 u = r3_load(k->at.u + 3);
    const tn_real3 spin =
        r3_sub(r3_cross(s3_mulv(&k->link.J, u), u), s3_mulv(&k->link.J, r3_load(k->at.udot + 3)));
    own.f = r3_scale(k->link.mass, r3_sub(gravity, r3_load(k->at.udot)));
    own.m = r33_mulv(&k->R, spin);
    k->force = r3_times(-1.0, own.f);
    k->moment = r3_times(-1.0, own.m);
    k->f = k->m = r3_zero();
    k->own = own;
}

/* Where it is, at the end: closed, not where Dx has brought it. That is the start of the next step. */
TN_INLINE void hinge_place(const tn_hinge_limb *inner, tn_hinge_limb *k)
{
    hinge_begin(inner, k);
    k->pose.x = r3_sub(inner ? r3_add(inner->pose.x, k->base0) : k->link.ground_at, k->arm0);
}

/* ---- inward: wrenches ---- */

/* Wrench and torque of the hinge, after those of all that hangs on the body. */
TN_INLINE void hinge_weigh(tn_hinge_limb *k, tn_hinge_limb *inner)
{
    k->moment = r3_sub(k->moment, r3_cross(k->arm, k->force));
    k->torque = r3_dot(k->axis, k->moment);
    if (!inner)
        return;
    inner->force = r3_add(inner->force, k->force);
    inner->moment = r3_add(inner->moment, r3_add(k->moment, r3_cross(k->base, k->force)));
}

/* ---- a solve ---- */

/* Angles by which hinges are to turn, rad, as going inward tells: what the trial is off. */
typedef struct tn_hinge_sizes {
    tn_real largest, sum;
} tn_hinge_sizes;

/* Inward. */
TN_INLINE void hinge_gather(const tn_hinge_rule *c, tn_hinge_limb *k, tn_hinge_limb *inner,
                            tn_hinge_sizes *sizes)
{
    k->s = -(c->by_beta * k->torque + r3_dot(k->axis, k->m)) * k->by_d;
    const tn_real size = r_abs(k->s);
    sizes->sum += size;
    sizes->largest = r_max(size, sizes->largest);
    if (!inner)
        return;
    const tn_real3 f = r3_axpy(k->f, k->s, k->col_f), m = r3_axpy(k->m, k->s, k->col_m);
    inner->f = r3_add(inner->f, f);
    inner->m = r3_add(inner->m, r3_add(m, r3_cross(k->span, f)));
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
        k->v = r3_zero();
        k->w = r3_scale(k->s, k->axis);
        return k->s;
    }
    k->v = r3_add(inner->v, r3_cross(inner->w, k->span));
    const tn_real turn = k->s - k->by_d * (r3_dot(k->row_f, k->v) + r3_dot(k->row_m, inner->w));
    k->w = r3_axpy(inner->w, turn, k->axis);
    return turn;
}

/* ---- the end ---- */

/* What the hinge carries: nothing about its axis. On a body whose frame has these axes. */
TN_INLINE void hinge_multipliers(const tn_hinge_limb *k, tn_real3 x, tn_real3 y, double sign,
                                 tn_real *lambda)
{
    const tn_real3 F = r3_times(sign, k->force), M = r3_times(sign, k->moment);
    lambda[0] = r3_dot(x, F);
    lambda[1] = r3_dot(y, F);
    lambda[2] = r3_dot(k->axis, F);
    lambda[3] = r3_dot(x, M);
    lambda[4] = r3_dot(y, M);
}

/* The angle it turned by becomes one of those remembered. */
TN_INLINE void hinge_remember(const tn_hinge_limb *k, tn_hinge_memory *to)
{
    const tn_real by = r_unit_again(k->half[0] * k->half[0] + k->half[1] * k->half[1]);
    to->half[0] = by * k->half[0];
    to->half[1] = by * k->half[1];
    tn_real next = k->turn;
    for (int i = 0; i < TN_HINGE_DEGREE; i++) {
        const tn_real last = to->turns[i];
        to->turns[i] = next;
        next = next - last;
    }
}

#endif
