/* hinge_inertia.h: room method/hinges: the matrix of hinge_kernel.h, limb by limb inward. */
#ifndef TN_METHOD_HINGES_HINGE_INERTIA_H
#define TN_METHOD_HINGES_HINGE_INERTIA_H

#include "method/hinges/hinge_kernel.h"

/* to += r f^T - (r . f) */
TN_INLINE void r33_add_couple(tn_real33 *to, tn_real3 r, tn_real3 f)
{
    const tn_real dot = r3_dot(r, f);
    to->m[0][0] += r.x * f.x - dot;
    to->m[0][1] += r.x * f.y;
    to->m[0][2] += r.x * f.z;
    to->m[1][0] += r.y * f.x;
    to->m[1][1] += r.y * f.y - dot;
    to->m[1][2] += r.y * f.z;
    to->m[2][0] += r.z * f.x;
    to->m[2][1] += r.z * f.y;
    to->m[2][2] += r.z * f.z - dot;
}

TN_INLINE void row_add(tn_real *to, tn_real3 a)
{
    to[0] += a.x;
    to[1] += a.y;
    to[2] += a.z;
}

/* The orientation half way between two that are near each other: of q + q', whose square is 4 but for the
 * square of the angle between them; 2 / (4 - 4 e) by a series in e. */
TN_INLINE tn_real33 hinge_half_way(tn_realq a, tn_realq b)
{
    const tn_realq q = {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
    const tn_real e = 1.0 - 0.25 * (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    const tn_real s = 0.5 + 0.5 * (e + e * e);
    return rq_scaled_to_r33(q, s);
}

/* Rows of J + [w] J - [J w], spin being J w. */
TN_INLINE void hinge_put_rows(const tn_sym3 *J, bool principal, tn_real3 w, tn_real3 spin,
                              tn_real3 *k)
{
    if (principal) {
        const tn_real x = J->zz - J->yy, y = J->xx - J->zz, z = J->yy - J->xx;
        k[0] = r3(J->xx, w.z * x, w.y * x);
        k[1] = r3(w.z * y, J->yy, w.x * y);
        k[2] = r3(w.y * z, w.x * z, J->zz);
        return;
    }
    const tn_real3 x = r3(J->xx, J->xy, J->xz), y = r3(J->xy, J->yy, J->yz),
                   z = r3(J->xz, J->yz, J->zz);
    const tn_real3 k_x = r3_add(x, r3_sub(r3_scale(w.y, z), r3_scale(w.z, y))),
                   k_y = r3_add(y, r3_sub(r3_scale(w.z, x), r3_scale(w.x, z))),
                   k_z = r3_add(z, r3_sub(r3_scale(w.x, y), r3_scale(w.y, x)));
    k[0] = r3(k_x.x, k_x.y + spin.z, k_x.z - spin.y);
    k[1] = r3(k_y.x - spin.z, k_y.y, k_y.z + spin.x);
    k[2] = r3(k_z.x + spin.y, k_z.y - spin.x, k_z.z);
}

/* Q + [m] / beta' */
TN_INLINE tn_real33 hinge_turns(const tn_hinge_rule *c, bool principal, const tn_hinge_effort *now,
                                const tn_hinge_pair *p)
{
    const tn_real3 m = r3_times(c->by_beta, now->m);
    tn_real3 k[3];
    hinge_put_rows(&p->own->link.J, principal, r3_times(c->eps, now->w),
                   r3_times(c->eps, now->spin), k);
    const tn_real33 H = hinge_half_way(p->from->pose.q, p->to->pose.q);
    tn_real33 Q;
    for (int j = 0; j < 3; j++) {
        const tn_real3 h = r3_load(H.m[j]);
        const tn_real3 turned =
            r33_mulv(&p->own->R, r3(r3_dot(k[0], h), r3_dot(k[1], h), r3_dot(k[2], h)));
        Q.m[0][j] = turned.x;
        Q.m[1][j] = turned.y;
        Q.m[2][j] = turned.z;
    }
    Q.m[0][1] -= m.z;
    Q.m[0][2] += m.y;
    Q.m[1][0] += m.z;
    Q.m[1][2] -= m.x;
    Q.m[2][0] -= m.y;
    Q.m[2][1] += m.x;
    return Q;
}

/* - m [r][r] */
TN_INLINE void r33_add_arm(tn_real33 *to, tn_real3 mr, tn_real3 r)
{
    const tn_real xx = mr.x * r.x, yy = mr.y * r.y, zz = mr.z * r.z;
    const tn_real xy = mr.x * r.y, xz = mr.x * r.z, yz = mr.y * r.z;
    row_add(to->m[0], r3(yy + zz, -xy, -xz));
    row_add(to->m[1], r3(-xy, xx + zz, -yz));
    row_add(to->m[2], r3(-xz, -yz, xx + yy));
}

/* C of the body alone. */
TN_INLINE void hinge_put_turns(const tn_hinge_rule *c, bool principal, const tn_hinge_effort *now,
                               const tn_hinge_pair *p)
{
    tn_hinge_limb *k = p->own;
    tn_real33 C = hinge_turns(c, principal, now, p);
    r33_add_arm(&C, r3_scale(k->link.mass, k->arm), k->arm);
    r33_add_couple(&C, k->arm, r3_times(c->by_beta, k->f));
    k->C = C;
}

/* Rows of A and of B = -D of the body alone are added to those given. */
TN_INLINE void hinge_add_mass(const tn_hinge_limb *k, tn_real3 *A, tn_real3 *B, tn_real3 *D)
{
    const tn_real m = k->link.mass;
    const tn_real3 r = r3_scale(m, k->arm);
    A[0].x += m;
    A[1].y += m;
    A[2].z += m;
    B[0] = r3(B[0].x, B[0].y - r.z, B[0].z + r.y);
    B[1] = r3(B[1].x + r.z, B[1].y, B[1].z - r.x);
    B[2] = r3(B[2].x - r.y, B[2].y + r.x, B[2].z);
    D[0] = r3(D[0].x, D[0].y + r.z, D[0].z - r.y);
    D[1] = r3(D[1].x - r.z, D[1].y, D[1].z + r.x);
    D[2] = r3(D[2].x + r.y, D[2].y - r.x, D[2].z);
}

/* Of the body alone. */
TN_INLINE void hinge_put_own(const tn_hinge_limb *k, tn_hinge_inertia *I)
{
    const tn_real3 zero = r3_zero();
    tn_real3 A[3] = {zero, zero, zero}, B[3] = {zero, zero, zero}, D[3] = {zero, zero, zero};
    hinge_add_mass(k, A, B, D);
    for (int i = 0; i < 3; i++) {
        r3_store(I->A.m[i], A[i]);
        r3_store(I->B.m[i], B[i]);
        r3_store(I->D.m[i], D[i]);
    }
    I->C = k->C;
}

/* a - s b */
TN_INLINE tn_real3 row_less(const tn_real *a, tn_real s, tn_real3 b)
{
    return r3(a[0] - s * b.x, a[1] - s * b.y, a[2] - s * b.z);
}

/* Rows of [l] M for M of these rows are added to `to`. */
TN_INLINE void rows_turned(tn_real3 *to, tn_real3 l, const tn_real3 *row)
{
    to[0] = r3_add(to[0], r3_sub(r3_scale(l.y, row[2]), r3_scale(l.z, row[1])));
    to[1] = r3_add(to[1], r3_sub(r3_scale(l.z, row[0]), r3_scale(l.x, row[2])));
    to[2] = r3_add(to[2], r3_sub(r3_scale(l.x, row[1]), r3_scale(l.y, row[0])));
}

TN_INLINE void row_put(tn_real *to, tn_real3 a, bool adds)
{
    r3_store(to, adds ? r3_add(r3_load(to), a) : a);
}

/* What the elimination of the angle leaves of limb k's inertia, I, about the hinge of the inner body;
 * `adds`: to what is there, else to that of the inner body alone. A row times -[l] is its product with -l. */
TN_INLINE void hinge_pass_on(const tn_hinge_rule *c, const tn_hinge_limb *k, tn_real3 force,
                             const tn_hinge_inertia *I, const tn_hinge_limb *inner, bool adds,
                             tn_hinge_inertia *to)
{
    const tn_real3 l = k->span, by_f = r3_scale(k->by_d, k->col_f),
                   by_m = r3_scale(k->by_d, k->col_m);
    const tn_real f[3] = {by_f.x, by_f.y, by_f.z}, m[3] = {by_m.x, by_m.y, by_m.z};
    tn_real33 turns = adds ? to->C : inner->C;
    tn_real3 A[3], B[3], C[3], D[3];
    r33_add_couple(&turns, l, r3_times(c->by_beta, force));
    for (int i = 0; i < 3; i++) {
        A[i] = row_less(I->A.m[i], f[i], k->row_f);
        B[i] = r3_sub(row_less(I->B.m[i], f[i], k->row_m), r3_cross(A[i], l));
        D[i] = row_less(I->D.m[i], m[i], k->row_f);
        C[i] = r3_add(r3_load(turns.m[i]),
                      r3_sub(row_less(I->C.m[i], m[i], k->row_m), r3_cross(D[i], l)));
    }
    rows_turned(D, l, A);
    rows_turned(C, l, B);
    if (!adds)
        hinge_add_mass(inner, A, B, D);
    for (int i = 0; i < 3; i++) {
        row_put(to->A.m[i], A[i], adds);
        row_put(to->B.m[i], B[i], adds);
        row_put(to->D.m[i], D[i], adds);
        r3_store(to->C.m[i], C[i]);
    }
}

TN_INLINE tn_mask hinge_eliminate(const tn_hinge_rule *c, tn_real3 moment,
                                  const tn_hinge_inertia *I, tn_hinge_limb *k)
{
    const tn_real3 z = k->axis;
    k->col_f = r33_mulv(&I->B, z);
    k->col_m = r33_mulv(&I->C, z);
    k->row_f = r33_tmulv(&I->D, z);
    k->row_m = r3_axpy(r33_tmulv(&I->C, z), r_splat(c->by_beta), r3_cross(z, moment));
    const tn_real d = r3_dot(z, k->col_m);
    k->by_d = 1.0 / d;
    return (d > 0.0) & (k->by_d <= DBL_MAX);
}

/* Where the inertia of a limb with what hangs on it is between the first that adds to it and itself:
 * slots are used again (tn_hinge_put_slots), so that few are in use at a time. */
typedef struct tn_hinge_slots {
    int32_t own, inner; /* -1: there is no inner one */
    tn_hinge_order order;
} tn_hinge_slots;

/* Of limb k after all that hangs on it. */
TN_INLINE tn_mask hinge_factor(const tn_hinge_rule *c, const tn_hinge_slots *slots,
                               const tn_hinge_pull *pull, tn_hinge_inertia *inertias,
                               tn_hinge_limb *k, tn_hinge_limb *inner)
{
    tn_hinge_inertia *I = &inertias[slots->own];
    if (slots->order.begins)
        hinge_put_own(k, I);
    const tn_mask good = hinge_eliminate(c, pull->moment, I, k);
    if (!inner)
        return good;
    if (slots->order.begins_inner) {
        hinge_pass_on(c, k, pull->force, I, inner, false, &inertias[slots->inner]);
    } else {
        hinge_pass_on(c, k, pull->force, I, inner, true, &inertias[slots->inner]);
    }
    return good;
}

#endif
