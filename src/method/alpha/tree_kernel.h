/* tree_kernel.h: room method/alpha: the evaluation of generalized-alpha for one body of a tree and the joint to its
 * inner body (alpha_tree.h).
 *
 * With P the origin of D, r the arms from the centres of mass to P, F and M the force and moment of
 * the joint on the outer body at P, and p and z the points and axes of C and D as outer (o) and
 * inner (i) ones:
 *     e = -(p_o - p_i),   -(z_i x z_o) asin(s) / s,     f_o += (F, M + r_o x F),
 *                                                       f_i -= (F, M + r_i x F).
 * After a correction F and M are kept in the world while frame G turns, and the component of M along the new axis is
 * removed (alpha_residual.c). The stiffness of the joint forces is the same tensor in any axes.
 */
#ifndef TN_METHOD_ALPHA_TREE_KERNEL_H
#define TN_METHOD_ALPHA_TREE_KERNEL_H

#include "joint/rotation_about_z.h"
#include "method/alpha/alpha.h"
#include "sparse/tree/articulated_kernel.h"

/* The data of a body and of the joint to its inner body, apart from those of the elimination (tn_limb). */
typedef struct tn_alpha_link {
    /* of the trial, world axes */
    tn_real3 force, moment; /* N, N m: of the joint on the body, at P */
    tn_sym3 stiffness;      /* kg m^2, of the joint forces at the prediction */
    /* of the model */
    tn_real3 at, inner_at;     /* m, the joint's points from the centres of mass, body axes */
    tn_real3 axis, inner_axis; /* of a hinge, body axes */
    tn_sym3 J;                 /* kg m^2, body axes */
    tn_real mass;              /* kg */
    double sign;               /* 1: the body is a of its joint; -1: b */
    int64_t u;                 /* offset in velocities */
    int32_t body, inner_body;  /* -1: ground */
    int32_t joint;             /* -1: it floats */
    int32_t held;              /* 1: the joint holds coordinates (alpha_tree_held.c) */
    bool in_coordinates;       /* the tree has other joints: steps are taken by method/hinges */
} tn_alpha_link;

/* A body's motion during the iteration: [3], or packed [6] as the velocities of a rigid body are. */
typedef struct tn_body_motion {
    tn_real *dq, *u, *udot;
} tn_body_motion;

/* The velocities after the correction of the link. */
TN_INLINE void tree_correct(const tn_alpha *c, const tn_real33 *R, const tn_limb *limb,
                            tn_body_motion at)
{
    const double by_h = 1.0 / c->h, gamma = c->gamma_prime, beta = c->beta_prime;
    const tn_real3 turn = r33_tmulv(R, limb->w);
    tn_real du[6];
    r3_store(du, limb->v);
    r3_store(du + 3, turn);
    for (int k = 0; k < 6; k++) {
        at.dq[k] += by_h * du[k];
        at.u[k] += gamma * du[k];
        at.udot[k] += beta * du[k];
    }
}

/* The pose from that of the start. */
TN_INLINE tn_body_pose tree_pose(const tn_alpha *c, tn_body_pose start, const tn_real *dq)
{
    const tn_real h = r_splat(c->h);
    const tn_realq turned = rq_mul(start.q, rq_exp(r3_scale(h, r3_load(dq + 3))));
    return (tn_body_pose){r3_axpy(start.x, h, r3_load(dq)), rq_normalize(turned)};
}

/* All forces but those of joints. */
TN_INLINE void tree_own_forces(const tn_alpha_link *link, tn_real3 gravity, const tn_real33 *R,
                               tn_body_motion at, tn_limb *limb)
{
    const tn_real3 turn = r3_load(at.u + 3);
    const tn_real3 own =
        r3_sub(r3_cross(s3_mulv(&link->J, turn), turn), s3_mulv(&link->J, r3_load(at.udot + 3)));
    limb->f = r3_scale(link->mass, r3_sub(gravity, r3_load(at.udot)));
    limb->m = r33_mulv(R, own);
}

/* P, the arms, the axis and the errors after both bodies have moved. */
TN_INLINE void tree_move_joint(const tn_alpha_link *link, const tn_real33 *R, tn_real3 x,
                               const tn_real33 *inner_R, tn_real3 inner_x, tn_limb *limb)
{
    const tn_real3 own = r33_mulv(R, link->at), other = r33_mulv(inner_R, link->inner_at);
    const tn_real3 p_o = r3_add(x, own), p_i = r3_add(inner_x, other);
    const bool is_a = link->sign > 0.0;
    limb->arm = is_a ? r3_sub(p_i, x) : own;
    limb->base = is_a ? other : r3_sub(p_o, inner_x);
    limb->v = r3_sub(p_i, p_o);
    limb->w = r3_zero();
    if (limb->joint == TN_LIMB_BALL)
        return;
    const tn_real3 z_o = r33_mulv(R, link->axis), z_i = r33_mulv(inner_R, link->inner_axis);
    limb->w = tn_tilt(z_o, z_i);
    limb->of.hinge.axis = is_a ? z_i : z_o;
}

/* The wrench of the predicted multipliers. Its axes are those of C, which differ from G's by the errors only. */
TN_INLINE void tree_predict_wrench(tn_alpha_link *link, const tn_limb *limb, const tn_real *lambda,
                                   const tn_real33 *R_A, const tn_real33 *R_CA)
{
    const tn_real sign = r_splat(link->sign);
    const tn_real3 force = r33_mulv(R_CA, r3_load(lambda));
    link->force = r3_scale(sign, r33_mulv(R_A, force));
    link->moment = r3_zero();
    if (limb->joint == TN_LIMB_HINGE) {
        const tn_real3 moment = r33_mulv(R_CA, r3(lambda[3], lambda[4], r_splat(0.0)));
        link->moment = r3_scale(sign, r33_mulv(R_A, moment));
    }
}

/* The wrench after the correction of the link. */
TN_INLINE void tree_correct_wrench(const tn_alpha *c, const tn_limb *limb, tn_alpha_link *link)
{
    const tn_real beta = r_splat(c->beta_prime);
    link->force = r3_axpy(link->force, beta, limb->pull_f);
    link->moment = r3_axpy(link->moment, beta, limb->pull_m);
}

/* Removes the component along the axis, which no hinge carries. */
TN_INLINE void tree_project_moment(const tn_limb *limb, tn_alpha_link *link)
{
    const tn_real3 axis = limb->of.hinge.axis;
    link->moment = r3_axpy(link->moment, -r3_dot(axis, link->moment), axis);
}

/* (c . F) 1 - sym(F c^T). */
TN_INLINE void tree_stiffen(tn_sym3 *S, tn_real3 F, tn_real3 c)
{
    S->xx += F.y * c.y + F.z * c.z;
    S->yy += F.x * c.x + F.z * c.z;
    S->zz += F.x * c.x + F.y * c.y;
    S->xy -= 0.5 * (F.x * c.y + F.y * c.x);
    S->xz -= 0.5 * (F.x * c.z + F.z * c.x);
    S->yz -= 0.5 * (F.y * c.z + F.z * c.y);
}

/* The joint's wrench on both bodies; hung: the data of the inner one, NULL: ground. */
TN_INLINE void tree_apply(const tn_alpha *c, tn_alpha_link *link, tn_limb *limb,
                          tn_alpha_link *inner, tn_limb *hung, tn_trial trial)
{
    const double scale = 1.0 / c->beta_prime;
    const tn_real3 F = link->force, M = link->moment;
    limb->f = r3_add(limb->f, F);
    limb->m = r3_add(limb->m, r3_add(M, r3_cross(limb->arm, F)));
    if (trial == TN_TRIAL_PREDICTED)
        tree_stiffen(&link->stiffness, r3_scale(r_splat(scale), F), limb->arm);
    if (!hung)
        return;
    hung->f = r3_sub(hung->f, F);
    hung->m = r3_sub(hung->m, r3_add(M, r3_cross(limb->base, F)));
    if (trial == TN_TRIAL_PREDICTED)
        tree_stiffen(&inner->stiffness, r3_scale(r_splat(-scale), F), limb->base);
}

TN_INLINE tn_sym3 tree_select(tn_mask m, const tn_sym3 *a, const tn_sym3 *b)
{
    return (tn_sym3){r_select(m, a->xx, b->xx), r_select(m, a->yy, b->yy),
                     r_select(m, a->zz, b->zz), r_select(m, a->xy, b->xy),
                     r_select(m, a->xz, b->xz), r_select(m, a->yz, b->yz)};
}

/* R J R^T, plus the stiffness if that leaves at least half of the inertia about every axis. */
TN_INLINE tn_sym3 tree_inertia(const tn_alpha_link *link, const tn_real33 *R)
{
    const tn_sym3 *S = &link->stiffness;
    const tn_sym3 J = s3_turned(&link->J, R);
    const tn_real xx = 0.5 * J.xx + S->xx, yy = 0.5 * J.yy + S->yy, zz = 0.5 * J.zz + S->zz;
    const tn_real xy = 0.5 * J.xy + S->xy, xz = 0.5 * J.xz + S->xz, yz = 0.5 * J.yz + S->yz;
    const tn_real minor = xx * yy - xy * xy;
    const tn_sym3 both = {J.xx + S->xx, J.yy + S->yy, J.zz + S->zz,
                          J.xy + S->xy, J.xz + S->xz, J.yz + S->yz};
    const tn_mask definite = (xx > 0.0) & (minor > 0.0) &
                             (zz * minor + 2.0 * xy * xz * yz - xx * yz * yz - yy * xz * xz > 0.0);
    return tree_select(definite, &both, &J);
}

TN_INLINE void tree_put_inertia(const tn_alpha_link *link, const tn_real33 *R, tn_limb *limb)
{
    const tn_real zero = r_splat(0.0);
    limb->I.A = (tn_sym3){link->mass, link->mass, link->mass, zero, zero, zero};
    for (int i = 0; i < 3; i++)
        r3_store(limb->I.B.m[i], r3_zero());
    limb->I.C = tree_inertia(link, R);
}

#endif
