/* articulated_kernel.h: room sparse/tree: one link of articulated.h, of one world or of several in SIMD lanes
 * (math/reals.h).
 */
#ifndef TN_SPARSE_ARTICULATED_KERNEL_H
#define TN_SPARSE_ARTICULATED_KERNEL_H

#include <float.h>
#include <stdbool.h>

#include "math/reals.h"

/* A symmetric matrix. */
typedef struct tn_sym3 {
    tn_real xx, yy, zz, xy, xz, yz;
} tn_sym3;

/* Wrench of a twist about one point: f = A v + B w, m = B^T v + C w. */
typedef struct tn_inertia6 {
    tn_sym3 A;
    tn_real33 B;
    tn_sym3 C;
} tn_inertia6;

/* What a body is held by. */
typedef enum tn_limb_joint {
    TN_LIMB_HINGE,
    TN_LIMB_BALL,
    TN_LIMB_CROSS, /* it turns about two axes */
    TN_LIMB_WELD,  /* not at all */
    TN_LIMB_FREE   /* by nothing: it floats */
} tn_limb_joint;

/* A body with the joint at its inner end; inner ones come first. Input and output share their
 * places, because the time for a long tree is that of its memory traffic. */
typedef struct tn_limb {
    int32_t inner; /* the link it hangs on; -1: the ground */
    tn_limb_joint joint;
    tn_real3 arm, base; /* m, from its and the inner body's centre of mass to P; free ones: 0 */
    /* in: of the body alone, about its centre of mass; the factor: of the body and all that hangs on
     * it, about P */
    tn_inertia6 I;
    union {
        struct {
            tn_real3 axis;   /* in */
            tn_real3 zf, zm; /* the factor: I Z ... */
            tn_real by_d;    /* ... and 1 / Z^T I Z */
        } hinge;
        struct {
            tn_sym3 by_C; /* the factor: C^-1 ... */
            tn_sym3 A;    /* ... and A - B C^-1 B^T; of free ones its inverse */
        } ball;
        struct {
            tn_real3 axis[2]; /* in: Z, two directions that are not parallel */
            tn_sym3 K;        /* the factor: Z (Z^T C Z)^-1 Z^T */
        } cross;
    } of;
    /* in: the required twist e at P relative to the inner body, 0 if free; out: the twist of its
     * centre of mass */
    tn_real3 v, w;
    /* in: b, about its centre of mass; overwritten */
    tn_real3 f, m;
    tn_real3 pull_f, pull_m; /* out: the wrench of the joint on it, at P */
    tn_real s;
} tn_limb;

TN_INLINE tn_real3 s3_mulv(const tn_sym3 *a, tn_real3 v)
{
    return r3(a->xx * v.x + a->xy * v.y + a->xz * v.z, a->xy * v.x + a->yy * v.y + a->yz * v.z,
              a->xz * v.x + a->yz * v.y + a->zz * v.z);
}

TN_INLINE void s3_add(tn_sym3 *to, const tn_sym3 *a)
{
    to->xx += a->xx;
    to->yy += a->yy;
    to->zz += a->zz;
    to->xy += a->xy;
    to->xz += a->xz;
    to->yz += a->yz;
}

/* R J R^T. */
TN_INLINE tn_sym3 s3_turned(const tn_sym3 *J, const tn_real33 *R)
{
    tn_real3 row[3], by[3];
    for (int i = 0; i < 3; i++) {
        row[i] = r3(R->m[i][0], R->m[i][1], R->m[i][2]);
        by[i] = s3_mulv(J, row[i]);
    }
    return (tn_sym3){r3_dot(row[0], by[0]), r3_dot(row[1], by[1]), r3_dot(row[2], by[2]),
                     r3_dot(row[0], by[1]), r3_dot(row[0], by[2]), r3_dot(row[1], by[2])};
}

/* to -= a b^T, where that is symmetric. */
TN_INLINE void s3_take(tn_sym3 *to, tn_real3 a, tn_real3 b)
{
    to->xx -= a.x * b.x;
    to->yy -= a.y * b.y;
    to->zz -= a.z * b.z;
    to->xy -= a.x * b.y;
    to->xz -= a.x * b.z;
    to->yz -= a.y * b.z;
}

/* The inverse; *good stays true if a is positive definite. */
TN_INLINE tn_sym3 s3_inverse(const tn_sym3 *a, tn_mask *good)
{
    const tn_real xx = a->yy * a->zz - a->yz * a->yz, xy = a->xz * a->yz - a->xy * a->zz;
    const tn_real xz = a->xy * a->yz - a->xz * a->yy, minor = a->xx * a->yy - a->xy * a->xy;
    const tn_real determinant = a->xx * xx + a->xy * xy + a->xz * xz, by = 1.0 / determinant;
    *good = *good & (a->xx > 0.0) & (minor > 0.0) & (determinant > 0.0) & (by <= DBL_MAX);
    return (tn_sym3){.xx = by * xx,
                     .yy = by * (a->xx * a->zz - a->xz * a->xz),
                     .zz = by * minor,
                     .xy = by * xy,
                     .xz = by * xz,
                     .yz = by * (a->xy * a->xz - a->xx * a->yz)};
}

TN_INLINE tn_real3 limb_wrench_f(const tn_inertia6 *I, tn_real3 v, tn_real3 w)
{
    return r3_add(s3_mulv(&I->A, v), r33_mulv(&I->B, w));
}

TN_INLINE tn_real3 limb_wrench_m(const tn_inertia6 *I, tn_real3 v, tn_real3 w)
{
    return r3_add(r33_tmulv(&I->B, v), s3_mulv(&I->C, w));
}

/* The same inertia about a point p further on: with v = v_p + p x w and P = [p]x,
 *     A' = A,  B' = B + A P,  C' = C + P^T B' + (P^T B)^T. */
TN_INLINE void limb_shift(tn_inertia6 *I, tn_real3 p)
{
    const tn_sym3 *A = &I->A;
    const tn_real a[3][3] = {{A->xx, A->xy, A->xz}, {A->xy, A->yy, A->yz}, {A->xz, A->yz, A->zz}};
    tn_real33 n;
    for (int i = 0; i < 3; i++) {
        n.m[i][0] = I->B.m[i][0] + (a[i][1] * p.z - a[i][2] * p.y);
        n.m[i][1] = I->B.m[i][1] + (a[i][2] * p.x - a[i][0] * p.z);
        n.m[i][2] = I->B.m[i][2] + (a[i][0] * p.y - a[i][1] * p.x);
    }
    const tn_real(*b)[3] = I->B.m;
    I->C.xx += (p.z * n.m[1][0] - p.y * n.m[2][0]) + (p.z * b[1][0] - p.y * b[2][0]);
    I->C.yy += (p.x * n.m[2][1] - p.z * n.m[0][1]) + (p.x * b[2][1] - p.z * b[0][1]);
    I->C.zz += (p.y * n.m[0][2] - p.x * n.m[1][2]) + (p.y * b[0][2] - p.x * b[1][2]);
    I->C.xy += (p.z * n.m[1][1] - p.y * n.m[2][1]) + (p.x * b[2][0] - p.z * b[0][0]);
    I->C.xz += (p.z * n.m[1][2] - p.y * n.m[2][2]) + (p.y * b[0][0] - p.x * b[1][0]);
    I->C.yz += (p.x * n.m[2][2] - p.z * n.m[0][2]) + (p.y * b[0][1] - p.x * b[1][1]);
    I->B = n;
}

TN_INLINE void limb_add_inertia(tn_inertia6 *to, const tn_inertia6 *a)
{
    s3_add(&to->A, &a->A);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            to->B.m[i][j] += a->B.m[i][j];
    }
    s3_add(&to->C, &a->C);
}

TN_INLINE tn_mask limb_factor_hinge(tn_limb *k, tn_inertia6 *left)
{
    k->of.hinge.zf = r33_mulv(&k->I.B, k->of.hinge.axis);
    k->of.hinge.zm = s3_mulv(&k->I.C, k->of.hinge.axis);
    const tn_real d = r3_dot(k->of.hinge.axis, k->of.hinge.zm);
    k->of.hinge.by_d = 1.0 / d;
    const tn_real3 f = r3_scale(k->of.hinge.by_d, k->of.hinge.zf),
                   m = r3_scale(k->of.hinge.by_d, k->of.hinge.zm);
    *left = k->I;
    s3_take(&left->A, f, k->of.hinge.zf);
    s3_take(&left->C, m, k->of.hinge.zm);
    const tn_real row[3] = {f.x, f.y, f.z};
    for (int i = 0; i < 3; i++) {
        left->B.m[i][0] -= row[i] * k->of.hinge.zm.x;
        left->B.m[i][1] -= row[i] * k->of.hinge.zm.y;
        left->B.m[i][2] -= row[i] * k->of.hinge.zm.z;
    }
    return (d > 0.0) & (k->of.hinge.by_d <= DBL_MAX);
}

/* A - B C^-1 B^T. */
TN_INLINE tn_mask limb_factor_ball(tn_limb *k)
{
    tn_mask good = r_yes();
    k->of.ball.by_C = s3_inverse(&k->I.C, &good);
    k->of.ball.A = k->I.A;
    tn_real3 b[3], by[3];
    for (int i = 0; i < 3; i++) {
        b[i] = r3_load(k->I.B.m[i]);
        by[i] = s3_mulv(&k->of.ball.by_C, b[i]);
    }
    k->of.ball.A.xx -= r3_dot(b[0], by[0]);
    k->of.ball.A.yy -= r3_dot(b[1], by[1]);
    k->of.ball.A.zz -= r3_dot(b[2], by[2]);
    k->of.ball.A.xy -= r3_dot(b[0], by[1]);
    k->of.ball.A.xz -= r3_dot(b[0], by[2]);
    k->of.ball.A.yz -= r3_dot(b[1], by[2]);
    return good;
}

/* Z (Z^T C Z)^-1 Z^T, and I - I Z (Z^T I Z)^-1 Z^T I. */
TN_INLINE tn_mask limb_factor_cross(tn_limb *k, tn_inertia6 *left)
{
    const tn_real3 y = k->of.cross.axis[0], z = k->of.cross.axis[1];
    const tn_real3 by_y = s3_mulv(&k->I.C, y), by_z = s3_mulv(&k->I.C, z);
    const tn_real yy = r3_dot(y, by_y), zz = r3_dot(z, by_z), yz = r3_dot(y, by_z);
    const tn_real determinant = yy * zz - yz * yz, by = 1.0 / determinant;
    const tn_real3 to_y = r3_axpy(r3_scale(by * zz, y), -by * yz, z);
    const tn_real3 to_z = r3_axpy(r3_scale(by * yy, z), -by * yz, y);
    const tn_real zero = 0.0 * by;
    tn_sym3 K = {zero, zero, zero, zero, zero, zero};
    s3_take(&K, r3_scale(-1.0 + zero, to_y), y);
    s3_take(&K, r3_scale(-1.0 + zero, to_z), z);
    k->of.cross.K = K;
    const tn_sym3 *C = &k->I.C;
    const tn_real3 rows[6] = {r3_load(k->I.B.m[0]),    r3_load(k->I.B.m[1]),
                              r3_load(k->I.B.m[2]),    r3(C->xx, C->xy, C->xz),
                              r3(C->xy, C->yy, C->yz), r3(C->xz, C->yz, C->zz)};
    tn_real taken[6][6];
    for (int i = 0; i < 6; i++) {
        const tn_real3 turned = s3_mulv(&K, rows[i]);
        for (int j = 0; j < 6; j++)
            taken[i][j] = r3_dot(turned, rows[j]);
    }
    *left = k->I;
    left->A.xx -= taken[0][0], left->A.yy -= taken[1][1], left->A.zz -= taken[2][2];
    left->A.xy -= taken[0][1], left->A.xz -= taken[0][2], left->A.yz -= taken[1][2];
    left->C.xx -= taken[3][3], left->C.yy -= taken[4][4], left->C.zz -= taken[5][5];
    left->C.xy -= taken[3][4], left->C.xz -= taken[3][5], left->C.yz -= taken[4][5];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            left->B.m[i][j] -= taken[i][3 + j];
    }
    return (yy > 0.0) & (determinant > 0.0) & (by <= DBL_MAX);
}

/* Adds what is left of a link's inertia to that of the inner body. */
TN_INLINE void limb_pass_on(const tn_limb *k, tn_inertia6 *left, tn_limb *inner)
{
    limb_shift(left, r3_scale(r_splat(-1.0), k->base));
    limb_add_inertia(&inner->I, left);
}

/* Factorizes link k, after everything that hangs on it has been added. */
TN_INLINE tn_mask limb_factor(tn_limb *limbs, tn_limb *k)
{
    tn_inertia6 left;
    tn_mask good = r_yes();
    if (k->joint == TN_LIMB_FREE) {
        good = limb_factor_ball(k);
        const tn_sym3 A = k->of.ball.A;
        k->of.ball.A = s3_inverse(&A, &good);
        return good;
    }
    limb_shift(&k->I, k->arm);
    if (k->joint == TN_LIMB_HINGE) {
        good = limb_factor_hinge(k, &left);
    } else if (k->joint == TN_LIMB_CROSS) {
        good = limb_factor_cross(k, &left);
    } else if (k->joint == TN_LIMB_WELD) {
        left = k->I;
    } else {
        good = limb_factor_ball(k);
        left = (tn_inertia6){.A = k->of.ball.A};
    }
    if (k->inner >= 0)
        limb_pass_on(k, &left, &limbs[k->inner]);
    return good;
}

/* What the inner body gets of a right-hand side. */
TN_INLINE void limb_push(const tn_limb *k, tn_real3 f, tn_real3 m, tn_limb *inner)
{
    inner->f = r3_add(inner->f, f);
    inner->m = r3_add(inner->m, r3_add(m, r3_cross(k->base, f)));
}

/* For a hinge: b of link k about P, with what hangs on it; s without the inner body's motion; the rest is added to
 * the inner body (NULL: there is none). */
TN_INLINE void limb_gather_hinge(tn_limb *k, tn_limb *inner)
{
    tn_real3 f = k->f, m = r3_sub(k->m, r3_cross(k->arm, k->f));
    k->m = m;
    f = r3_sub(f, limb_wrench_f(&k->I, k->v, k->w));
    m = r3_sub(m, limb_wrench_m(&k->I, k->v, k->w));
    k->s = r3_dot(k->of.hinge.axis, m) * k->of.hinge.by_d;
    f = r3_axpy(f, -k->s, k->of.hinge.zf);
    m = r3_axpy(m, -k->s, k->of.hinge.zm);
    if (inner)
        limb_push(k, f, m, inner);
}

/* Of one that turns about two axes, or not at all. */
TN_INLINE void limb_gather_held(tn_limb *k, tn_limb *inner)
{
    tn_real3 f = k->f, m = r3_sub(k->m, r3_cross(k->arm, k->f));
    k->m = m;
    f = r3_sub(f, limb_wrench_f(&k->I, k->v, k->w));
    m = r3_sub(m, limb_wrench_m(&k->I, k->v, k->w));
    if (k->joint == TN_LIMB_CROSS) {
        const tn_real3 turn = s3_mulv(&k->of.cross.K, m);
        f = r3_sub(f, r33_mulv(&k->I.B, turn));
        m = r3_sub(m, s3_mulv(&k->I.C, turn));
    }
    if (inner)
        limb_push(k, f, m, inner);
}

TN_INLINE bool limb_is_held(const tn_limb *k)
{
    return k->joint == TN_LIMB_CROSS || k->joint == TN_LIMB_WELD;
}

/* Of any joint. */
TN_INLINE void limb_gather(tn_limb *limbs, tn_limb *k)
{
    tn_limb *inner = k->inner < 0 ? NULL : &limbs[k->inner];
    if (k->joint == TN_LIMB_HINGE) {
        limb_gather_hinge(k, inner);
        return;
    }
    if (limb_is_held(k)) {
        limb_gather_held(k, inner);
        return;
    }
    k->m = r3_sub(k->m, r3_cross(k->arm, k->f));
    if (k->joint == TN_LIMB_FREE || !inner)
        return;
    const tn_real3 f = r3_sub(r3_sub(k->f, r33_mulv(&k->I.B, s3_mulv(&k->of.ball.by_C, k->m))),
                              s3_mulv(&k->of.ball.A, k->v));
    limb_push(k, f, r3_zero(), inner);
}

/* Twist of link k at P to that of its centre of mass, and the pull at P. */
TN_INLINE void limb_put(tn_limb *k, tn_real3 v, tn_real3 w)
{
    k->pull_f = r3_sub(limb_wrench_f(&k->I, v, w), k->f);
    k->pull_m = r3_sub(limb_wrench_m(&k->I, v, w), k->m);
    k->v = r3_sub(v, r3_cross(w, k->arm));
    k->w = w;
}

/* For a hinge: twist and pull of link k from the twist of the inner body. */
TN_INLINE void limb_scatter_hinge(tn_limb *k, const tn_limb *inner)
{
    tn_real3 v = k->v, w = k->w;
    tn_real s = k->s;
    if (inner) {
        const tn_real3 at_p = r3_add(inner->v, r3_cross(inner->w, k->base));
        s -= k->of.hinge.by_d * (r3_dot(k->of.hinge.zf, at_p) + r3_dot(k->of.hinge.zm, inner->w));
        v = r3_add(v, at_p);
        w = r3_add(w, inner->w);
    }
    limb_put(k, v, r3_axpy(w, s, k->of.hinge.axis));
}

/* Of one that turns about two axes, or not at all. */
TN_INLINE void limb_scatter_held(tn_limb *k, const tn_limb *inner)
{
    tn_real3 v = k->v, w = k->w;
    if (inner) {
        v = r3_add(v, r3_add(inner->v, r3_cross(inner->w, k->base)));
        w = r3_add(w, inner->w);
    }
    if (k->joint == TN_LIMB_CROSS)
        w = r3_add(w, s3_mulv(&k->of.cross.K, r3_sub(k->m, limb_wrench_m(&k->I, v, w))));
    limb_put(k, v, w);
}

/* Of any joint. */
TN_INLINE void limb_scatter(const tn_limb *limbs, tn_limb *k)
{
    const tn_limb *inner = k->inner < 0 ? NULL : &limbs[k->inner];
    if (k->joint == TN_LIMB_HINGE) {
        limb_scatter_hinge(k, inner);
        return;
    }
    if (limb_is_held(k)) {
        limb_scatter_held(k, inner);
        return;
    }
    if (k->joint == TN_LIMB_FREE) {
        const tn_real3 rest = r3_sub(k->f, r33_mulv(&k->I.B, s3_mulv(&k->of.ball.by_C, k->m)));
        k->v = s3_mulv(&k->of.ball.A, rest);
        k->w = s3_mulv(&k->of.ball.by_C, r3_sub(k->m, r33_tmulv(&k->I.B, k->v)));
        return;
    }
    const tn_real3 v = inner ? r3_add(k->v, r3_add(inner->v, r3_cross(inner->w, k->base))) : k->v;
    limb_put(k, v, s3_mulv(&k->of.ball.by_C, r3_sub(k->m, r33_tmulv(&k->I.B, v))));
}

#endif
