/* articulated.c: see articulated.h. */
#include "sparse/articulated.h"

#include <float.h>

#include "base/base.h"

TN_INLINE tn_vec3 s3_mulv(const tn_sym3 *a, tn_vec3 v)
{
    return v3(a->xx * v.x + a->xy * v.y + a->xz * v.z, a->xy * v.x + a->yy * v.y + a->yz * v.z,
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

/* to -= a b^T, where that is symmetric. */
TN_INLINE void s3_take(tn_sym3 *to, tn_vec3 a, tn_vec3 b)
{
    to->xx -= a.x * b.x;
    to->yy -= a.y * b.y;
    to->zz -= a.z * b.z;
    to->xy -= a.x * b.y;
    to->xz -= a.x * b.z;
    to->yz -= a.y * b.z;
}

/* The inverse; *good stays true if a is positive definite. */
TN_INLINE tn_sym3 s3_inverse(const tn_sym3 *a, bool *good)
{
    const double xx = a->yy * a->zz - a->yz * a->yz, xy = a->xz * a->yz - a->xy * a->zz;
    const double xz = a->xy * a->yz - a->xz * a->yy, minor = a->xx * a->yy - a->xy * a->xy;
    const double determinant = a->xx * xx + a->xy * xy + a->xz * xz, by = 1.0 / determinant;
    *good = *good && a->xx > 0.0 && minor > 0.0 && determinant > 0.0 && by <= DBL_MAX;
    return (tn_sym3){.xx = by * xx,
                     .yy = by * (a->xx * a->zz - a->xz * a->xz),
                     .zz = by * minor,
                     .xy = by * xy,
                     .xz = by * xz,
                     .yz = by * (a->xy * a->xz - a->xx * a->yz)};
}

TN_INLINE tn_vec3 wrench_f(const tn_inertia6 *I, tn_vec3 v, tn_vec3 w)
{
    return v3_add(s3_mulv(&I->A, v), m3_mulv(&I->B, w));
}

TN_INLINE tn_vec3 wrench_m(const tn_inertia6 *I, tn_vec3 v, tn_vec3 w)
{
    return v3_add(m3_tmulv(&I->B, v), s3_mulv(&I->C, w));
}

/* The same inertia about a point p further on: with v = v_p + p x w and P = [p]x,
 *     A' = A,  B' = B + A P,  C' = C + P^T B' + (P^T B)^T. */
TN_INLINE void shift(tn_inertia6 *I, tn_vec3 p)
{
    const tn_sym3 *A = &I->A;
    const double a[3][3] = {{A->xx, A->xy, A->xz}, {A->xy, A->yy, A->yz}, {A->xz, A->yz, A->zz}};
    tn_mat3 n;
    for (int i = 0; i < 3; i++) {
        n.m[i][0] = I->B.m[i][0] + (a[i][1] * p.z - a[i][2] * p.y);
        n.m[i][1] = I->B.m[i][1] + (a[i][2] * p.x - a[i][0] * p.z);
        n.m[i][2] = I->B.m[i][2] + (a[i][0] * p.y - a[i][1] * p.x);
    }
    const double(*b)[3] = I->B.m;
    I->C.xx += (p.z * n.m[1][0] - p.y * n.m[2][0]) + (p.z * b[1][0] - p.y * b[2][0]);
    I->C.yy += (p.x * n.m[2][1] - p.z * n.m[0][1]) + (p.x * b[2][1] - p.z * b[0][1]);
    I->C.zz += (p.y * n.m[0][2] - p.x * n.m[1][2]) + (p.y * b[0][2] - p.x * b[1][2]);
    I->C.xy += (p.z * n.m[1][1] - p.y * n.m[2][1]) + (p.x * b[2][0] - p.z * b[0][0]);
    I->C.xz += (p.z * n.m[1][2] - p.y * n.m[2][2]) + (p.y * b[0][0] - p.x * b[1][0]);
    I->C.yz += (p.x * n.m[2][2] - p.z * n.m[0][2]) + (p.y * b[0][1] - p.x * b[1][1]);
    I->B = n;
}

TN_INLINE void add_inertia(tn_inertia6 *to, const tn_inertia6 *a)
{
    s3_add(&to->A, &a->A);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to->B.m[i][j] += a->B.m[i][j];
    s3_add(&to->C, &a->C);
}

TN_INLINE bool factor_hinge(tn_limb *k, tn_inertia6 *left)
{
    k->of.hinge.zf = m3_mulv(&k->I.B, k->of.hinge.axis);
    k->of.hinge.zm = s3_mulv(&k->I.C, k->of.hinge.axis);
    const double d = v3_dot(k->of.hinge.axis, k->of.hinge.zm);
    k->of.hinge.by_d = 1.0 / d;
    const tn_vec3 f = v3_scale(k->of.hinge.by_d, k->of.hinge.zf),
                  m = v3_scale(k->of.hinge.by_d, k->of.hinge.zm);
    *left = k->I;
    s3_take(&left->A, f, k->of.hinge.zf);
    s3_take(&left->C, m, k->of.hinge.zm);
    const double row[3] = {f.x, f.y, f.z};
    for (int i = 0; i < 3; i++) {
        left->B.m[i][0] -= row[i] * k->of.hinge.zm.x;
        left->B.m[i][1] -= row[i] * k->of.hinge.zm.y;
        left->B.m[i][2] -= row[i] * k->of.hinge.zm.z;
    }
    return d > 0.0 && k->of.hinge.by_d <= DBL_MAX;
}

/* A - B C^-1 B^T. */
TN_INLINE bool factor_ball(tn_limb *k)
{
    bool good = true;
    k->of.ball.by_C = s3_inverse(&k->I.C, &good);
    k->of.ball.A = k->I.A;
    tn_vec3 b[3], by[3];
    for (int i = 0; i < 3; i++) {
        b[i] = v3_load(k->I.B.m[i]);
        by[i] = s3_mulv(&k->of.ball.by_C, b[i]);
    }
    k->of.ball.A.xx -= v3_dot(b[0], by[0]);
    k->of.ball.A.yy -= v3_dot(b[1], by[1]);
    k->of.ball.A.zz -= v3_dot(b[2], by[2]);
    k->of.ball.A.xy -= v3_dot(b[0], by[1]);
    k->of.ball.A.xz -= v3_dot(b[0], by[2]);
    k->of.ball.A.yz -= v3_dot(b[1], by[2]);
    return good;
}

/* All of limb k, once all that hangs on it has been added. */
TN_INLINE bool factor(tn_limb *limbs, tn_limb *k)
{
    tn_inertia6 left;
    bool good = true;
    if (k->joint == TN_LIMB_FREE) {
        good = factor_ball(k);
        const tn_sym3 A = k->of.ball.A;
        k->of.ball.A = s3_inverse(&A, &good);
        return good;
    }
    shift(&k->I, k->arm);
    if (k->joint == TN_LIMB_HINGE) {
        good = factor_hinge(k, &left);
    } else {
        good = factor_ball(k);
        left = (tn_inertia6){.A = k->of.ball.A};
    }
    if (k->inner < 0)
        return good;
    shift(&left, v3_scale(-1.0, k->base));
    add_inertia(&limbs[k->inner].I, &left);
    return good;
}

int32_t tn_limbs_factorize(tn_limb *limbs, int32_t count)
{
    for (int32_t i = count - 1; i >= 0; i--)
        if (!factor(limbs, &limbs[i]))
            return i;
    return -1;
}

/* b of limb k, about P and with what hangs on it; s without the inner body's motion; the rest goes to
 * the inner body. */
TN_INLINE void gather(tn_limb *limbs, tn_limb *k)
{
    tn_vec3 f = k->f, m = v3_sub(k->m, v3_cross(k->arm, k->f));
    k->m = m;
    if (k->joint == TN_LIMB_FREE)
        return;
    if (k->joint == TN_LIMB_HINGE) {
        f = v3_sub(f, wrench_f(&k->I, k->v, k->w));
        m = v3_sub(m, wrench_m(&k->I, k->v, k->w));
        k->s = v3_dot(k->of.hinge.axis, m) * k->of.hinge.by_d;
        f = v3_axpy(f, -k->s, k->of.hinge.zf);
        m = v3_axpy(m, -k->s, k->of.hinge.zm);
    } else {
        f = v3_sub(v3_sub(f, m3_mulv(&k->I.B, s3_mulv(&k->of.ball.by_C, m))),
                   s3_mulv(&k->of.ball.A, k->v));
        m = v3(0.0, 0.0, 0.0);
    }
    if (k->inner < 0)
        return;
    tn_limb *inner = &limbs[k->inner];
    inner->f = v3_add(inner->f, f);
    inner->m = v3_add(inner->m, v3_add(m, v3_cross(k->base, f)));
}

/* Twist and pull of limb k from the twist of the inner body. */
TN_INLINE void scatter(const tn_limb *limbs, tn_limb *k)
{
    tn_vec3 v = k->v, w = k->w;
    if (k->joint == TN_LIMB_FREE) {
        const tn_vec3 rest = v3_sub(k->f, m3_mulv(&k->I.B, s3_mulv(&k->of.ball.by_C, k->m)));
        k->v = s3_mulv(&k->of.ball.A, rest);
        k->w = s3_mulv(&k->of.ball.by_C, v3_sub(k->m, m3_tmulv(&k->I.B, k->v)));
        return;
    }
    double s = k->s;
    if (k->inner >= 0) {
        const tn_limb *inner = &limbs[k->inner];
        const tn_vec3 at_p = v3_add(inner->v, v3_cross(inner->w, k->base));
        s -= k->of.hinge.by_d * (v3_dot(k->of.hinge.zf, at_p) + v3_dot(k->of.hinge.zm, inner->w));
        v = v3_add(v, at_p);
        w = v3_add(w, inner->w);
    }
    if (k->joint == TN_LIMB_HINGE)
        w = v3_axpy(w, s, k->of.hinge.axis);
    else
        w = s3_mulv(&k->of.ball.by_C, v3_sub(k->m, m3_tmulv(&k->I.B, v)));
    k->pull_f = v3_sub(wrench_f(&k->I, v, w), k->f);
    k->pull_m = v3_sub(wrench_m(&k->I, v, w), k->m);
    k->v = v3_sub(v, v3_cross(w, k->arm));
    k->w = w;
}

void tn_limbs_solve(tn_limb *limbs, int32_t count)
{
    for (int32_t i = count - 1; i >= 0; i--)
        gather(limbs, &limbs[i]);
    for (int32_t i = 0; i < count; i++)
        scatter(limbs, &limbs[i]);
}
