/* hinge_kernel.h: room method/angles: a step of generalized-alpha of a tree of bodies on hinges, in the angles of
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
 *
 * A joint of another screw, one that slides or advances as it turns, is the case of the same column with an angular
 * part c and a linear part e, both along z: a hinge has c = 1 and e = 0, a slider c = 0 and e = 1, a screw c = 1 and its
 * pitch. With d its coordinate's change, E is about z by c d, b is b and e q z, z . M is c z . M + e z . F, and
 *     S = (c p x z + e z, c z),   row = I^T S + (c z x F, c (z x M + p x (z x F)) + e z x F) / beta'.
 * P is a point of the body itself; O is where that of a tree's first joint is when the step begins. Blocks of
 * bodies with such joints are marked (hinge_block.h); the others leave out what is 0.
 *
 * Room method/angles, in: what bodies and hinges are in the model, a state, how the method weighs. Out: predictions, what is
 * left of torques, the matrix and its solutions, books of energy; numbers alone, of no simulation.
 */
#ifndef TN_METHOD_ANGLES_HINGE_KERNEL_H
#define TN_METHOD_ANGLES_HINGE_KERNEL_H

#include <float.h>

#include "math/small_turns.h"
#include "method/alpha/alpha.h"
#include "sparse/tree/articulated_kernel.h"

/* Angles are met to this share of the tolerance if round-off lets them: what is left is a torque too, and may
 * turn a body of little inertia so many times as far as it turns what hangs on it. */
#define TN_HINGE_MET (1.0 / 64)

/* rad: a correction leaves some square of what a prediction is off. From here three end at round-off, 1e-3, 1e-6 and
 * 1e-12; from further off steps by the other iteration cost less. */
#define TN_HINGE_NEAR 1e-3

/* What a correction leaves is told by how the iteration contracted when that was last worked out, if it may
 * have come to contract so many times worse since, */
#define TN_HINGE_DOUBT 8.0
/* and for so many steps. */
#define TN_HINGE_BELIEVED 64.0

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
} tn_hinge_state;

/* Of all that hangs on a link while that is summed inward. */
typedef struct tn_hinge_inertia {
    tn_real33 A, B, D, C;    /* F = A v + B w, M = D v + C w */
    tn_real3 hung_f, hung_n; /* wrenches, at P */
    tn_real3 left_f, left_n; /* what a solve leaves of them, about O */
} tn_hinge_inertia;

/* A wrench of a hinge on its body, at P, world axes. */
typedef struct tn_hinge_pull {
    tn_real3 force, moment;
} tn_hinge_pull;

/* Of a body alone in the matrix, about O, at the prediction: m r', its part in D, and C. */
typedef struct tn_hinge_part {
    tn_real3 B, D;
    tn_real33 C;
} tn_hinge_part;

/* Of a link, in a step. */
typedef struct tn_hinge_limb {
    tn_hinge_link link;
    tn_real drift[6], coast[6]; /* h dq and u+ without udot+ */
    tn_real acc[6];             /* a+ without udot+ */
    /* of the trial; until that is made, of the start */
    tn_real turn;             /* rad: d */
    tn_realq turned;          /* D */
    tn_real3 moved;           /* m: Dx */
    tn_real3 spun;            /* rad: log D */
    tn_real33 R;              /* of the pose */
    tn_real3 arm, base, axis; /* m: r, b and z */
    tn_real3 span;            /* m: l */
    tn_real3 place;           /* m: p, of the hinge from O */
    /* what acts on it but joints: the force, and the moment at P */
    tn_real3 f, n;
    tn_real3 screw;     /* of the factor, about O */
    tn_real3 v, w;      /* of a solve: the body's twist about O */
    tn_real s;          /* and the angle */
    tn_hinge_pull pull; /* of the motion that was looked at last */
    tn_hinge_part part; /* in blocks of one world what follows is in tn_hinge_record */
    /* the rest of the factor, about O */
    tn_real3 row_f, row_m, col_f, col_m;
    tn_real by_d;
} tn_hinge_limb;

/* What moves a body, for its part in the matrix: angular velocity w and J w in body axes, the moment at
 * its centre of mass. */
typedef struct tn_hinge_effort {
    tn_real3 w, spin, m;
} tn_hinge_effort;

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

/* How far predictions are off, rad, by the last of the differences they go by: of the worst. */
TN_INLINE void hinge_note_change(const tn_hinge_memory *memory, tn_real *worst)
{
    *worst = r_max(r_abs(memory->turns[TN_HINGE_DEGREE - 1]), *worst);
}

/* Near enough for Newton's iteration? */
TN_INLINE tn_mask hinge_is_near(tn_real worst)
{
    return worst <= TN_HINGE_NEAR;
}

/* The arms of a start, R and the axis being those of its pose; after the inner body's. */
TN_INLINE void hinge_begin(const tn_hinge_limb *inner, tn_hinge_limb *k)
{
    k->arm = r33_mulv(&k->R, k->link.at);
    if (inner)
        k->base = r33_mulv(&inner->R, k->link.inner_at);
}

/* R and the axis of a pose. */
TN_INLINE void hinge_orient(const tn_body_pose *pose, tn_hinge_limb *k)
{
    k->R = rq_to_r33(pose->q);
    k->axis = r33_mulv(&k->R, k->link.axis);
}

/* Of number i of h dq, u+ and a+ what does not change in the step. */
TN_INLINE void hinge_coast(const tn_hinge_rule *c, const tn_hinge_motion *at, tn_real a, int i,
                           tn_hinge_limb *k)
{
    const tn_real u = at->u[i], acc = c->acc_udot * at->udot[i] + c->acc_acc * a;
    k->acc[i] = acc;
    k->drift[i] = c->drift_u * u + (c->drift_a * a + c->drift_acc * acc);
    k->coast[i] = u + (c->coast_a * a + c->coast_acc * acc);
}

/* Of all six. */
TN_INLINE void hinge_coasts(const tn_hinge_rule *c, const tn_hinge_motion *at, tn_hinge_limb *k)
{
    for (int i = 0; i < 6; i++)
        hinge_coast(c, at, at->acc[i], i, k);
}

/* What the hinge turns by, as it went on. */
TN_INLINE tn_real hinge_foresee(const tn_hinge_memory *memory)
{
    tn_real turn = memory->turns[0];
    for (int i = 1; i < TN_HINGE_DEGREE; i++)
        turn += memory->turns[i];
    return turn;
}

/* A step from a state. */
TN_INLINE void hinge_predict(const tn_hinge_rule *c, const tn_hinge_state *from, tn_hinge_limb *k)
{
    hinge_coasts(c, &from->at, k);
    k->turn = hinge_foresee(&from->memory);
}

/* ---- outward: the trial of the angles ---- */

/* A body and the one it hangs on, before and after the step; inner ones NULL: the ground. */
typedef struct tn_hinge_pair {
    tn_hinge_limb *own, *inner;
    const tn_hinge_state *from;
    tn_hinge_state *to, *inner_to;
} tn_hinge_pair;

/* The orientation in the inner body's, of half the angle. */
TN_INLINE tn_realq hinge_bent(const tn_realq *rel, tn_real c, tn_real s)
{
    return (tn_realq){c * rel[0].w + s * rel[1].w, c * rel[0].x + s * rel[1].x,
                      c * rel[0].y + s * rel[1].y, c * rel[0].z + s * rel[1].z};
}

/* The orientation of that and the inner body's. */
TN_INLINE tn_realq hinge_compose(tn_realq inner, tn_realq bent)
{
    return rq_unit_again(rq_mul(inner, bent));
}

/* Half the angle, and the orientation. */
TN_INLINE void hinge_close(const tn_hinge_pair *p, tn_real c, tn_real s, tn_mask moving, bool all)
{
    const tn_realq q = hinge_compose(p->inner ? p->inner_to->pose.q : p->own->link.ground,
                                     hinge_bent(p->own->link.rel, c, s));
    r_set(&p->to->memory.half[0], c, moving, all);
    r_set(&p->to->memory.half[1], s, moving, all);
    rq_set(&p->to->pose.q, q, moving, all);
}

/* What the hinge turns by in the step, E, and half the angle after it. */
typedef struct tn_hinge_swing {
    tn_realq own;
    tn_real half[2];
} tn_hinge_swing;

TN_INLINE tn_hinge_swing hinge_swing(const tn_hinge_limb *k, const tn_real *half0)
{
    tn_real c = k->turn, s = c;
    r_half_turn(k->turn, &c, &s);
    return (tn_hinge_swing){{c, s * k->axis.x, s * k->axis.y, s * k->axis.z},
                            {half0[0] * c - half0[1] * s, half0[1] * c + half0[0] * s}};
}

/* r, of D. Out: by how much it changes. */
TN_INLINE tn_real3 hinge_turn_arm(tn_hinge_limb *k)
{
    const tn_real3 arm = rq_moves(k->turned, k->arm);
    k->arm = r3_add(k->arm, arm);
    return arm;
}

/* l, of what the inner body's D and r are. Out: by how much b changes. */
TN_INLINE tn_real3 hinge_turn_base(tn_realq inner_turned, tn_real3 inner_arm, tn_hinge_limb *k)
{
    const tn_real3 base = rq_moves(inner_turned, k->base);
    k->span = r3_sub(r3_add(k->base, base), inner_arm);
    return base;
}

/* D, Dx and arms, from those of the start. */
TN_INLINE void hinge_turn(const tn_hinge_pair *p, tn_mask moving, bool all)
{
    tn_hinge_limb *k = p->own;
    const tn_hinge_swing swing = hinge_swing(k, p->from->memory.half);
    k->turned = p->inner ? rq_mul(p->inner->turned, swing.own) : swing.own;
    r3_set(&k->spun, rq_small_log(k->turned), moving, all);
    hinge_close(p, swing.half[0], swing.half[1], moving, all);
    const tn_real3 arm = hinge_turn_arm(k);
    if (!p->inner) {
        k->place = r3_zero();
        k->moved = r3_sub(k->place, arm);
        return;
    }
    const tn_real3 base = hinge_turn_base(p->inner->turned, p->inner->arm, k);
    r3_set(&k->place, r3_add(p->inner->place, k->span), moving, all);
    k->moved = r3_add(p->inner->moved, r3_sub(base, arm));
}

/* R, the axis and the arms of the pose found, after the inner body's. */
TN_INLINE void hinge_settle(const tn_hinge_pair *p)
{
    hinge_orient(&p->to->pose, p->own);
    hinge_begin(p->inner, p->own);
    if (p->inner)
        p->own->span = r3_sub(p->own->base, p->inner->arm);
}

/* Number i of u+, after udot+. */
TN_INLINE tn_real hinge_velocity(const tn_hinge_rule *c, const tn_hinge_limb *k, tn_real udot,
                                 int i)
{
    return k->coast[i] + c->u_udot * udot;
}

/* Velocity and udot. D is about its own vector: log D is the same in the axes of the start and of the end. */
TN_INLINE void hinge_move(const tn_hinge_rule *c, const tn_hinge_pair *p, tn_mask moving, bool all)
{
    const tn_hinge_limb *k = p->own;
    const tn_real3 turn = r33_tmulv(&k->R, k->spun);
    const tn_real moved[6] = {k->moved.x, k->moved.y, k->moved.z, turn.x, turn.y, turn.z};
    for (int i = 0; i < 6; i++) {
        const tn_real udot = c->beta * (moved[i] - k->drift[i]);
        r_set(&p->to->at.udot[i], udot, moving, all);
        r_set(&p->to->at.u[i], hinge_velocity(c, k, udot, i), moving, all);
    }
}

/* J w; of principal axes J has its diagonal only. */
TN_INLINE tn_real3 hinge_spin(const tn_sym3 *J, bool principal, tn_real3 w)
{
    return principal ? r3(J->xx * w.x, J->yy * w.y, J->zz * w.z) : s3_mulv(J, w);
}

/* What the motion asks of the joints. */
TN_INLINE tn_hinge_effort hinge_strive(tn_real3 gravity, bool principal, const tn_hinge_pair *p)
{
    tn_hinge_limb *k = p->own;
    const tn_real *udot = p->to->at.udot;
    tn_hinge_effort now = {.w = r3_load(p->to->at.u + 3)};
    now.spin = hinge_spin(&k->link.J, principal, now.w);
    const tn_real3 f = r3_scale(k->link.mass, r3_sub(gravity, r3_load(udot)));
    now.m = r33_mulv(&k->R, r3_sub(r3_cross(now.spin, now.w),
                                   hinge_spin(&k->link.J, principal, r3_load(udot + 3))));
    k->f = f;
    k->n = r3_sub(now.m, r3_cross(k->arm, f));
    return now;
}

/* ---- the end ---- */

/* Where it is: closed, not where Dx has brought it. */
TN_INLINE void hinge_place(const tn_hinge_pair *p)
{
    const tn_hinge_limb *k = p->own;
    p->to->pose.x =
        r3_sub(p->inner ? r3_add(p->inner_to->pose.x, k->base) : k->link.ground_at, k->arm);
}

/* What the hinge carries: nothing about its axis. On a body whose frame has these axes. */
TN_INLINE void hinge_multipliers(const tn_hinge_pull *pull, const tn_real3 *axes, double sign,
                                 tn_real *lambda)
{
    const tn_real3 F = r3_times(sign, pull->force), M = r3_times(sign, pull->moment);
    lambda[0] = r3_dot(axes[0], F);
    lambda[1] = r3_dot(axes[1], F);
    lambda[2] = r3_dot(axes[2], F);
    lambda[3] = r3_dot(axes[0], M);
    lambda[4] = r3_dot(axes[1], M);
}

/* The angle it turned by, and is at, become those remembered. Out: that of the next step as it goes on. */
TN_INLINE tn_real hinge_remember(tn_real turn, const tn_hinge_memory *from, tn_hinge_memory *to)
{
    const tn_real by = r_unit_again(to->half[0] * to->half[0] + to->half[1] * to->half[1]);
    to->half[0] = by * to->half[0];
    to->half[1] = by * to->half[1];
    tn_real last = from->turns[0], next = turn, sum = turn;
    to->turns[0] = next;
    for (int i = 1; i < TN_HINGE_DEGREE; i++) {
        next = next - last;
        last = from->turns[i];
        to->turns[i] = next;
        sum = sum + next;
    }
    return sum;
}

/* The rest of what is kept, and hinge_predict of the next step: one after the other, at once. */
TN_INLINE void hinge_go_on(const tn_hinge_rule *c, const tn_hinge_pair *p)
{
    tn_hinge_limb *k = p->own;
    for (int i = 0; i < 6; i++) {
        const tn_real a = k->acc[i] + c->acc_new * p->to->at.udot[i];
        p->to->at.acc[i] = a;
        hinge_coast(c, &p->to->at, a, i, k);
    }
    k->turn = hinge_remember(k->turn, &p->from->memory, &p->to->memory);
}

#endif
