/* hinge_inertia.h: room method/angles: eliminates the matrix of hinge_kernel.h, link by link inward. */
#ifndef TN_METHOD_ANGLES_HINGE_INERTIA_H
#define TN_METHOD_ANGLES_HINGE_INERTIA_H

#include "method/angles/hinge_solve.h"

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

/* The orientation half way between two that are close: q + q', normalised. Its square is 4 less the square of the
 * angle between them; 2 / (4 - 4 e) by a series in e. */
TN_INLINE tn_real33 hinge_half_way(tn_realq a, tn_realq b)
{
    const tn_realq q = {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
    const tn_real e = 1.0 - 0.25 * (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    const tn_real s = 0.5 + 0.5 * (e + e * e);
    return rq_scaled_to_r33(q, s);
}

/* Rows of J + [w] J - [J w], with spin = J w. */
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

/* The terms of the body alone in the matrix. */
TN_INLINE tn_hinge_part hinge_part(const tn_hinge_rule *c, bool principal,
                                   const tn_hinge_effort *now, const tn_hinge_pair *p)
{
    const tn_hinge_limb *k = p->own;
    const tn_real3 r = r3_sub(k->arm, k->place), f = r3_times(c->by_beta, k->f);
    tn_hinge_part part = {.C = hinge_turns(c, principal, now, p)};
    part.B = r3_scale(k->link.mass, r);
    part.D = r3_sub(f, part.B);
    r33_add_arm(&part.C, part.B, r);
    r33_add_couple(&part.C, r, f);
    return part;
}

/* a - s b */
TN_INLINE tn_real3 row_less(const tn_real *a, tn_real s, tn_real3 b)
{
    return r3(a[0] - s * b.x, a[1] - s * b.y, a[2] - s * b.z);
}

/* Row i of a and of the cross-product matrix [v]. */
TN_INLINE tn_real3 row_turned(tn_real3 a, int i, tn_real3 v)
{
    if (i == 0)
        return r3(a.x, a.y - v.z, a.z + v.y);
    return i == 1 ? r3(a.x + v.z, a.y, a.z - v.x) : r3(a.x - v.y, a.y + v.x, a.z);
}

/* The inertia of the body alone. */
TN_INLINE void hinge_put_own(const tn_hinge_limb *k, tn_hinge_inertia *I)
{
    const tn_real m = k->link.mass, zero = r_splat(0.0);
    const tn_real A[3][3] = {{m, zero, zero}, {zero, m, zero}, {zero, zero, m}};
    for (int i = 0; i < 3; i++) {
        r3_store(I->A.m[i], r3_load(A[i]));
        r3_store(I->B.m[i], row_turned(r3_zero(), i, k->part.B));
        r3_store(I->D.m[i], row_turned(r3_zero(), i, k->part.D));
    }
    I->C = k->part.C;
}

/* Adds row i of the body alone to the sums of what hangs on it. */
TN_INLINE void hinge_add_own(const tn_hinge_limb *k, int i, tn_real3 *A, tn_real3 *B, tn_real3 *D,
                             tn_real3 *C)
{
    tn_real *diagonal = i == 0 ? &A->x : i == 1 ? &A->y : &A->z;
    *diagonal += k->link.mass;
    *B = row_turned(*B, i, k->part.B);
    *D = row_turned(*D, i, k->part.D);
    *C = r3_add(*C, r3_load(k->part.C.m[i]));
}

TN_INLINE void row_put(tn_real *to, tn_real3 a, bool adds)
{
    r3_store(to, adds ? r3_add(r3_load(to), a) : a);
}

/* The rest of link k's inertia I after the elimination of its angle. adds: it is added to the sums of the inner
 * body, else to the inertia of that body alone. */
TN_INLINE void hinge_pass_on(const tn_hinge_limb *k, const tn_hinge_inertia *I,
                             const tn_hinge_limb *inner, bool adds, tn_hinge_inertia *to)
{
    tn_real f[3], m[3];
    r3_store(f, r3_scale(k->by_d, k->col_f));
    r3_store(m, r3_scale(k->by_d, k->col_m));
    for (int i = 0; i < 3; i++) {
        tn_real3 A = row_less(I->A.m[i], f[i], k->row_f), B = row_less(I->B.m[i], f[i], k->row_m),
                 D = row_less(I->D.m[i], m[i], k->row_f), C = row_less(I->C.m[i], m[i], k->row_m);
        if (!adds)
            hinge_add_own(inner, i, &A, &B, &D, &C);
        row_put(to->A.m[i], A, adds);
        row_put(to->B.m[i], B, adds);
        row_put(to->D.m[i], D, adds);
        row_put(to->C.m[i], C, adds);
    }
}

/* col += M v, row += M^T w, in one pass over M. */
TN_INLINE void both_ways(const tn_real33 *M, tn_real3 v, tn_real3 w, tn_real3 *col, tn_real3 *row)
{
    const tn_real3 x = r3_load(M->m[0]), y = r3_load(M->m[1]), z = r3_load(M->m[2]);
    col->x += r3_dot(x, v);
    *row = r3_axpy(*row, w.x, x);
    col->y += r3_dot(y, v);
    *row = r3_axpy(*row, w.y, y);
    col->z += r3_dot(z, v);
    *row = r3_axpy(*row, w.z, z);
}

/* z x F, and z x M + p x (z x F): the change of its wrench as it turns with a hinge. */
TN_INLINE tn_hinge_pull hinge_turned_pull(const tn_hinge_pull *pull, tn_real3 z, tn_real3 place)
{
    const tn_real3 turned = r3_cross(z, pull->force);
    return (tn_hinge_pull){turned, r3_add(r3_cross(z, pull->moment), r3_cross(place, turned))};
}

TN_INLINE tn_mask hinge_eliminate(const tn_hinge_rule *c, const tn_hinge_pull *pull,
                                  const tn_hinge_inertia *I, tn_hinge_limb *k)
{
    const tn_real by_beta = r_splat(c->by_beta);
    const tn_real3 z = k->axis, a = r3_cross(k->place, z), none = r3_zero();
    tn_real3 col_f = none, col_m = none, row_f = none, row_m = none;
    both_ways(&I->A, a, a, &col_f, &row_f);
    both_ways(&I->D, a, z, &col_m, &row_f);
    both_ways(&I->C, z, z, &col_m, &row_m);
    both_ways(&I->B, z, a, &col_f, &row_m);
    const tn_real d = r3_dot(a, col_f) + r3_dot(z, col_m);
    k->by_d = 1.0 / d; /* a long latency */
    k->screw = a;
    k->col_f = col_f;
    k->col_m = col_m;
    const tn_hinge_pull turned = hinge_turned_pull(pull, z, k->place);
    k->row_f = r3_axpy(row_f, by_beta, turned.force);
    k->row_m = r3_axpy(row_m, by_beta, turned.moment);
    return (d > 0.0) & (k->by_d <= DBL_MAX);
}

/* Where the sums over all that hangs on a link are stored, from the first link that adds to them until the link
 * itself is eliminated. Slots are reused (tn_hinge_put_slots), so that few are in use at a time. */
typedef struct tn_hinge_slots {
    int32_t own, inner; /* -1: there is no inner one */
    tn_hinge_order order;
} tn_hinge_slots;

/* Eliminates link k, after all that hangs on it. `inner` and its sums are NULL if its inner body is fixed. */
TN_INLINE tn_mask hinge_factor(const tn_hinge_rule *c, tn_hinge_order order,
                               const tn_hinge_pull *pull, tn_hinge_limb *k, tn_hinge_inertia *hung,
                               const tn_hinge_limb *inner, tn_hinge_inertia *inner_hung)
{
    if (order.begins)
        hinge_put_own(k, hung);
    const tn_mask good = hinge_eliminate(c, pull, hung, k);
    if (!inner)
        return good;
    if (order.begins_inner) {
        hinge_pass_on(k, hung, inner, false, inner_hung);
    } else {
        hinge_pass_on(k, hung, inner, true, inner_hung);
    }
    return good;
}

#endif
