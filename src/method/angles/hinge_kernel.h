/* hinge_kernel.h: room method/angles: a step of generalized-alpha of a tree of bodies on hinges, with the angles of
 * the hinges as unknowns: the functions of one body, in one world or in several side by side (math/reals.h).
 *
 * The equations are those of generalized_alpha.c. On a tree the constraints are satisfied by construction, going
 * outward: the pose at the end of the step follows from the angles d by which the hinges turn in it, and velocity
 * and udot from the pose, both being linear in dq. Going inward, forces F and moments M of the joints follow from
 * the balance of each body. The residual is z . M of every hinge, and Newton's unknowns are the angles. With P the
 * hinge, r = P - x, b from the inner body's x to P, l from the inner body's hinge to P, D the rotation of a body in
 * the step and E that about z by d:
 *     D = D_i E,   Dx = Dx_i + (D_i - 1) b - (D - 1) r,   h dq = (Dx, R^T log D),
 *     F = sum F_c - f,   M = sum (M_c + b_c x F_c) - m - r x F         (c: what hangs on it).
 * No term is a difference of poses, whose round-off, divided by h^2, would appear in udot.
 *
 * The matrix is formed about one fixed point O, the position of a tree's first hinge. A small twist of the body, v
 * of its point at O and w, changes F and the moment about O of the forces on the body by
 *     dF = A v + B w,  dM = D v + C w
 * (in units of beta'). Of the body alone, with r' = O - x, I = R J R^T, eps = gamma'/beta' and p = log(D)/2, where Q
 * differs from I by gyroscopic moments and by rotations that do not commute:
 *     A = m,  B = m [r'],  D = [f] / beta' - m [r'],  Q = (I + eps ([u] I - [I u])) (1 + [p] + [p]^2/3),
 *     C = Q - m [r'][r'] + ([m] + r' f^T - (r' . f)) / beta'.
 * 1 + [p] + [p]^2/3 is exp [p] up to p^2/6, and R^T exp [p] = H^T, with H the orientation half way:
 *     Q = R (J + eps ([w] J - [J w])) H^T, w in body axes.
 * Outer bodies add to these after their own angles have been eliminated. With the screw S = (p x z, z) of a hinge at
 * p from O, which moves with the inner body's twist,
 *     d = S^T I S,  col = I S,  row = I^T S + (z x F, z x M + p x (z x F)) / beta',  I - col row^T / d.
 * These are sums only: nothing is transformed from point to point. The loss of accuracy in the matrix, round-off
 * times the squared ratio of the tree's size to that of the part that hangs on a hinge, costs an iteration at worst;
 * forces and moments themselves are summed from hinge to hinge. The matrix is not symmetric, but exact up to p^2/6:
 * one correction of a good prediction reaches round-off.
 *
 * Joints with another screw, which slide or advance as they turn, have the same column with an angular part c and a
 * linear part e, both along z: a hinge has c = 1 and e = 0, a slider c = 0 and e = 1, a screw c = 1 and its pitch.
 * With d the change of the coordinate q, E is a rotation about z by c d, b becomes b and e q z, z . M becomes
 * c z . M + e z . F, and
 *     S = (c p x z + e z, c z),   row = I^T S + (c z x F, c (z x M + p x (z x F)) + e z x F) / beta'.
 * P is a point of the body itself; O is the position of the tree's first joint at the start of the step. Blocks of
 * bodies with such joints are marked (hinge_block.h); the others omit the terms that are 0.
 *
 * In: bodies and hinges of the model, a state, the coefficients of the method. Out: predictions, residual torques,
 * the matrix and its solutions, energy accounting. The functions work on numbers alone and use no simulation.
 */
#ifndef TN_METHOD_ANGLES_HINGE_KERNEL_H
#define TN_METHOD_ANGLES_HINGE_KERNEL_H

#include <float.h>

#include "math/small_turns.h"
#include "method/alpha/alpha.h"
#include "sparse/tree/articulated_kernel.h"

/* Angles are solved to this share of the tolerance if round-off allows: a residual is a torque too, which may turn a
 * body of little inertia by this factor further than it turns all that hangs on the hinge. */
#define TN_HINGE_MET (1.0 / 64)

/* rad: largest error of a prediction. A correction squares the error, more or less: from here three reach round-off,
 * 1e-3, 1e-6 and 1e-12; from larger errors the general iteration is cheaper. */
#define TN_HINGE_NEAR 1e-3

/* The error left after a correction is estimated from the last measured contraction rate, assumed to have worsened
 * by at most this factor, */
#define TN_HINGE_DOUBT 8.0
/* for this number of steps after the measurement. */
#define TN_HINGE_BELIEVED 64.0

/* A number beyond this counts as not finite. */
#define TN_HINGE_LARGE 1e290

/* Data of the model. */
typedef struct tn_hinge_link {
    tn_real3 at, inner_at; /* m, P from the centres of mass, body axes */
    tn_real3 axis;         /* the hinge's, body axes */
    tn_realq rel[2];       /* the body's orientation in the inner one's: cos rel[0] + sin rel[1] of
                              half the angle */
    tn_sym3 J;             /* kg m^2, body axes */
    tn_real mass;          /* kg */
    /* of the fixed inner body, if it has such a one */
    tn_realq ground;
    tn_real3 ground_at; /* P, world */
} tn_hinge_link;

/* The memory of a hinge between steps. */
typedef struct tn_hinge_memory {
    tn_real half[2]; /* cosine and sine of half the angle */
    /* rad: rotation in the last step, and the backward differences of these rotations */
    tn_real turns[TN_HINGE_DEGREE];
} tn_hinge_memory;

/* Motion of a body, packed as velocities are. */
typedef struct tn_hinge_motion {
    tn_real u[6], udot[6], acc[6];
} tn_hinge_motion;

/* A body between steps. */
typedef struct tn_hinge_state {
    tn_body_pose pose; /* computed from the angles, so that joints are closed */
    tn_hinge_motion at;
    tn_hinge_memory memory;
} tn_hinge_state;

/* Sums over all that hangs on a link, going inward. */
typedef struct tn_hinge_inertia {
    tn_real33 A, B, D, C;    /* F = A v + B w, M = D v + C w */
    tn_real3 hung_f, hung_n; /* wrenches, at P */
    tn_real3 left_f, left_n; /* residual wrenches of a solve, about O */
} tn_hinge_inertia;

/* A wrench of a hinge on its body, at P, world axes. */
typedef struct tn_hinge_pull {
    tn_real3 force, moment;
} tn_hinge_pull;

/* Terms of a body alone in the matrix, about O, at the prediction: m r', its part of D, and C. */
typedef struct tn_hinge_part {
    tn_real3 B, D;
    tn_real33 C;
} tn_hinge_part;

/* A link in a step. */
typedef struct tn_hinge_limb {
    tn_hinge_link link;
    tn_real drift[6], coast[6]; /* h dq and u+ without udot+ */
    tn_real acc[6];             /* a+ without udot+ */
    /* of the trial; before it, of the start */
    tn_real turn;             /* rad: d */
    tn_realq turned;          /* D */
    tn_real3 moved;           /* m: Dx */
    tn_real3 spun;            /* rad: log D */
    tn_real33 R;              /* of the pose */
    tn_real3 arm, base, axis; /* m: r, b and z */
    tn_real3 span;            /* m: l */
    tn_real3 place;           /* m: p, of the hinge from O */
    /* all forces on it but those of joints: the force, and the moment at P */
    tn_real3 f, n;
    tn_real3 screw;     /* of the factor, about O */
    tn_real3 v, w;      /* of a solution: the body's twist about O */
    tn_real s;          /* and the angle */
    tn_hinge_pull pull; /* of the motion evaluated last */
    tn_hinge_part part; /* in blocks of one world all from here on is in tn_hinge_record */
    /* the rest of the factor, about O */
    tn_real3 row_f, row_m, col_f, col_m;
    tn_real by_d;
} tn_hinge_limb;

/* The motion and load of a body that its part of the matrix depends on: angular velocity w and J w in body axes, the
 * moment at its centre of mass. */
typedef struct tn_hinge_effort {
    tn_real3 w, spin, m;
} tn_hinge_effort;

/* The coefficients of the method for a step, computed from tn_alpha once. */
typedef struct tn_hinge_rule {
    double h;
    double acc_udot, acc_acc, acc_new;  /* a+ of udot, a and udot+ */
    double drift_u, drift_a, drift_acc; /* h dq of u, a and a+ */
    double coast_a, coast_acc, u_udot;  /* u+ of a, a+ and udot+ */
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

/* Estimated error of the predictions, rad: the largest of the last differences used. */
TN_INLINE void hinge_note_change(const tn_hinge_memory *memory, tn_real *worst)
{
    *worst = r_max(r_abs(memory->turns[TN_HINGE_DEGREE - 1]), *worst);
}

/* Is the prediction accurate enough for Newton's iteration? */
TN_INLINE tn_mask hinge_is_near(tn_real worst)
{
    return worst <= TN_HINGE_NEAR;
}

/* The arms of a start, with R and the axis of its pose; call it after the inner body's. */
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

/* The part of number i of h dq, u+ and a+ that is constant in the step. */
TN_INLINE void hinge_coast(const tn_hinge_rule *c, const tn_hinge_motion *at, tn_real a, int i,
                           tn_hinge_limb *k)
{
    const tn_real u = at->u[i], acc = c->acc_udot * at->udot[i] + c->acc_acc * a;
    k->acc[i] = acc;
    k->drift[i] = c->drift_u * u + (c->drift_a * a + c->drift_acc * acc);
    k->coast[i] = u + (c->coast_a * a + c->coast_acc * acc);
}

/* All six numbers. */
TN_INLINE void hinge_coasts(const tn_hinge_rule *c, const tn_hinge_motion *at, tn_hinge_limb *k)
{
    for (int i = 0; i < 6; i++)
        hinge_coast(c, at, at->acc[i], i, k);
}

/* The predicted rotation of the hinge, by extrapolation. */
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

/* A body and its inner body, before and after the step; inner ones NULL: ground. */
typedef struct tn_hinge_pair {
    tn_hinge_limb *own, *inner;
    const tn_hinge_state *from;
    tn_hinge_state *to, *inner_to;
} tn_hinge_pair;

/* The orientation relative to the inner body, from half the angle. */
TN_INLINE tn_realq hinge_bent(const tn_realq *rel, tn_real c, tn_real s)
{
    return (tn_realq){c * rel[0].w + s * rel[1].w, c * rel[0].x + s * rel[1].x,
                      c * rel[0].y + s * rel[1].y, c * rel[0].z + s * rel[1].z};
}

/* The orientation in the world, from that and the inner body's. */
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

/* The rotation of the hinge in the step, E, and half the angle after it. */
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

/* r, rotated by D. Returns its change. */
TN_INLINE tn_real3 hinge_turn_arm(tn_hinge_limb *k)
{
    const tn_real3 arm = rq_moves(k->turned, k->arm);
    k->arm = r3_add(k->arm, arm);
    return arm;
}

/* l, from the inner body's D and r. Returns the change of b. */
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

/* R, the axis and the arms of the final pose; call it after the inner body's. */
TN_INLINE void hinge_settle(const tn_hinge_pair *p)
{
    hinge_orient(&p->to->pose, p->own);
    hinge_begin(p->inner, p->own);
    if (p->inner)
        p->own->span = r3_sub(p->own->base, p->inner->arm);
}

/* Number i of u+, from udot+. */
TN_INLINE tn_real hinge_velocity(const tn_hinge_rule *c, const tn_hinge_limb *k, tn_real udot,
                                 int i)
{
    return k->coast[i] + c->u_udot * udot;
}

/* Velocity and udot. D rotates about log D, which is therefore the same in the axes of the start and of the end. */
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

/* J w; in principal axes J is diagonal. */
TN_INLINE tn_real3 hinge_spin(const tn_sym3 *J, bool principal, tn_real3 w)
{
    return principal ? r3(J->xx * w.x, J->yy * w.y, J->zz * w.z) : s3_mulv(J, w);
}

/* The wrench of inertia and weight that the joints must balance. */
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

/* The position, computed so that the joint is closed, rather than from Dx. */
TN_INLINE void hinge_place(const tn_hinge_pair *p)
{
    const tn_hinge_limb *k = p->own;
    p->to->pose.x =
        r3_sub(p->inner ? r3_add(p->inner_to->pose.x, k->base) : k->link.ground_at, k->arm);
}

/* The multipliers of the hinge, none about its axis, for a body whose frame C has these axes. */
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

/* Stores the angle and its change in the step in the memory. Returns the predicted change of the next step. */
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

/* The rest of the memory, and hinge_predict of the next step: both in one pass. */
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
