/* hinge_solve.h: room method/angles: forces and moments of hinges, and the residual angles after a trial of
 * hinge_kernel.h, going inward; then the correction, going outward.
 */
#ifndef TN_METHOD_ANGLES_HINGE_SOLVE_H
#define TN_METHOD_ANGLES_HINGE_SOLVE_H

#include "method/angles/hinge_kernel.h"

/* ---- inward: wrenches ---- */

/* The position of a link among those that add to the same sums. */
typedef struct tn_hinge_order {
    bool begins;       /* nothing hangs on it */
    bool begins_inner; /* it is the first of those that hang on its inner body */
} tn_hinge_order;

/* Wrench of the hinge, after those of all that hangs on the body. `hung`: sums of the body; `inner`: those of its
 * inner body, NULL: that is fixed. */
TN_INLINE tn_hinge_pull hinge_weigh(tn_hinge_order order, const tn_hinge_limb *k,
                                    const tn_hinge_inertia *hung, tn_hinge_inertia *inner)
{
    const tn_real3 none = r3_zero();
    const tn_hinge_pull pull = {r3_sub(order.begins ? none : hung->hung_f, k->f),
                                r3_sub(order.begins ? none : hung->hung_n, k->n)};
    if (!inner)
        return pull;
    const tn_real3 n = r3_add(pull.moment, r3_cross(k->span, pull.force));
    inner->hung_f = order.begins_inner ? pull.force : r3_add(inner->hung_f, pull.force);
    inner->hung_n = order.begins_inner ? n : r3_add(inner->hung_n, n);
    return pull;
}

/* ---- a solve ---- */

/* Estimated corrections of the angles, rad, going inward: the residual of a trial. */
typedef struct tn_hinge_sizes {
    tn_real largest, sum;
} tn_hinge_sizes;

/* Going inward; `along`: the residual effort along the joint. */
TN_INLINE void hinge_gather(const tn_hinge_rule *c, tn_hinge_order order, tn_real along,
                            tn_hinge_limb *k, const tn_hinge_inertia *hung, tn_hinge_inertia *inner,
                            tn_hinge_sizes *sizes)
{
    tn_real torque = c->by_beta * along;
    if (!order.begins)
        torque += r3_dot(k->screw, hung->left_f) + r3_dot(k->axis, hung->left_n);
    k->s = -torque * k->by_d;
    const tn_real size = r_abs(k->s);
    sizes->sum += size;
    sizes->largest = r_max(size, sizes->largest);
    if (!inner)
        return;
    const tn_real3 own_f = r3_scale(k->s, k->col_f), own_n = r3_scale(k->s, k->col_m);
    const tn_real3 f = order.begins ? own_f : r3_add(hung->left_f, own_f),
                   n = order.begins ? own_n : r3_add(hung->left_n, own_n);
    inner->left_f = order.begins_inner ? f : r3_add(inner->left_f, f);
    inner->left_n = order.begins_inner ? n : r3_add(inner->left_n, n);
}

/* Is this residual small enough, where `before` was that of the last iteration? */
TN_INLINE tn_mask hinge_is_met(tn_real left, tn_real before, tn_real enough)
{
    return (left <= TN_HINGE_MET * enough) |
           ((left <= enough) & (left > TN_STALE_CONTRACTION * before));
}

/* The contraction of the iteration, as measured when the residual after a correction was last computed. */
typedef struct tn_hinge_trust {
    tn_real rate;   /* residual after a correction divided by that before */
    tn_real growth; /* 1/rad: the rate divided by the residual before */
    tn_real steps;  /* for which it is valid; 0: nothing has been measured */
} tn_hinge_trust;

/* Is the residual after a correction small enough, as estimated from the one before? It is `rate` of that, due to
 * terms that the matrix lacks, plus `growth` times its square, of second order; both are of earlier motion. */
TN_INLINE tn_mask hinge_will_be_met(const tn_hinge_trust *trust, tn_real before, tn_real enough)
{
    const tn_real met = TN_HINGE_MET * enough;
    const tn_real rate = r_max(trust->rate, trust->growth * before);
    return (before <= met) | ((trust->steps > 0.0) & (TN_HINGE_DOUBT * rate * before <= met));
}

/* The same after a further correction, with the residual `before`. */
TN_INLINE tn_mask hinge_will_be_met_now(tn_real left, tn_real before, tn_real enough)
{
    return TN_HINGE_DOUBT * left * left <= TN_HINGE_MET * enough * before;
}

/* Measures the contraction of the first correction, where its residual was computed: `before` exceeds the tolerance
 * and is not 0. */
TN_INLINE void hinge_learn(tn_mask looked, tn_real left, tn_real before, tn_hinge_trust *trust)
{
    const tn_real rate = left / before, fewer = trust->steps - 1.0, none = r_splat(0.0);
    trust->rate = r_select(looked, rate, trust->rate);
    trust->growth = r_select(looked, rate / before, trust->growth);
    trust->steps = r_select(looked, r_splat(TN_HINGE_BELIEVED), r_select(fewer > 0.0, fewer, none));
}

/* Can the iterations that are left reach the tolerance? */
static inline bool hinge_goes_on(double left, double before, double enough, int32_t iterations)
{
    return left <= TN_SLOW_CONTRACTION * before && iterations > 0 &&
           (left <= enough || left * left <= 0.5 * before * enough ||
            !tn_alpha_is_stale(left, before, enough, iterations));
}

/* rad^2: square of a body's rotation up to which a correction may be linearised. The error of poses, m and rad, is
 * half the square times the distance of bodies from the axis, and has to be within the tolerance of the angles. */
TN_INLINE tn_real hinge_small(tn_real enough, tn_real farthest)
{
    return 2.0 * TN_HINGE_MET * enough / farthest;
}

/* Going outward: the correction of the angle, and the twist of the body by it. */
TN_INLINE void hinge_scatter(const tn_hinge_limb *inner, tn_hinge_limb *k)
{
    if (!inner) {
        k->v = r3_zero(); /* O is on its axis */
        k->w = r3_scale(k->s, k->axis);
        return;
    }
    k->s = k->s - k->by_d * (r3_dot(k->row_f, inner->v) + r3_dot(k->row_m, inner->w));
    k->v = r3_axpy(inner->v, k->s, k->screw);
    k->w = r3_axpy(inner->w, k->s, k->axis);
}

/* Half the angle after it. */
TN_INLINE tn_hinge_swing hinge_swing_on(const tn_hinge_limb *k, const tn_real *half)
{
    const tn_real s = 0.5 * k->s;
    return (tn_hinge_swing){.half = {half[0] - s * half[1], half[1] + s * half[0]}};
}

/* The change of h dq by a small twist, to first order. In the axes of the body log D changes by
 *     w + [log D] w / 2 + [log D]^2 w / 12. */
TN_INLINE void hinge_twist(const tn_hinge_limb *k, tn_real *moved)
{
    const tn_real3 w = k->w, across = r3_cross(k->spun, w);
    const tn_real3 more = r3_axpy(r3_times(0.5, w), r_splat(1.0 / 12), across);
    r3_store(moved, r3_add(k->v, r3_cross(w, r3_sub(k->place, k->arm))));
    r3_store(moved + 3, r33_tmulv(&k->R, r3_add(w, r3_cross(k->spun, more))));
}

/* Applies the correction to pose and motion. */
TN_INLINE void hinge_nudge(const tn_hinge_rule *c, const tn_hinge_pair *p, tn_mask moving, bool all)
{
    tn_hinge_limb *k = p->own;
    tn_real moved[6];
    hinge_twist(k, moved);
    r_set(&k->turn, k->turn + k->s, moving, all);
    for (int i = 0; i < 6; i++) {
        const tn_real udot = p->to->at.udot[i] + c->beta * moved[i];
        r_set(&p->to->at.udot[i], udot, moving, all);
        r_set(&p->to->at.u[i], hinge_velocity(c, k, udot, i), moving, all);
    }
}

#endif
