/* space_bodies.h: room method/space: functions of four bodies at a time: start and corrections, residual forces, and
 * the inverse of their inertia. Part of space_kernel.h.
 *
 * In: forces of joints. Out: the motion of a trial, in fours and rows.
 */
#ifndef TN_METHOD_SPACE_SPACE_BODIES_H
#define TN_METHOD_SPACE_SPACE_BODIES_H

#include <math.h>
#include <string.h>

#include "method/space/space_evaluate.h"

/* ---- their masses ---- */

/* The inverse of a symmetric 3 x 3 matrix by its minors, if it is positive definite. */
TN_INLINE tn_mask invert(const tn_real *H, tn_real *W)
{
    const tn_real xx = H[1] * H[2] - H[5] * H[5], xy = H[4] * H[5] - H[3] * H[2];
    const tn_real xz = H[3] * H[5] - H[4] * H[1], yy = H[0] * H[2] - H[4] * H[4];
    const tn_real zz = H[0] * H[1] - H[3] * H[3], yz = H[3] * H[4] - H[0] * H[5];
    const tn_real det = H[0] * xx + H[3] * xy + H[4] * xz, by = 1.0 / det;
    W[0] = by * xx;
    W[1] = by * yy;
    W[2] = by * zz;
    W[3] = by * xy;
    W[4] = by * xz;
    W[5] = by * yz;
    return (H[0] > 0.0) & (zz > 0.0) & (det > 0.0);
}

/* Is it positive definite? */
TN_INLINE tn_mask is_definite(const tn_real *H)
{
    const tn_real zz = H[0] * H[1] - H[3] * H[3], xx = H[1] * H[2] - H[5] * H[5];
    const tn_real xy = H[4] * H[5] - H[3] * H[2], xz = H[3] * H[5] - H[4] * H[1];
    return (H[0] > 0.0) & (zz > 0.0) & (H[0] * xx + H[3] * xy + H[4] * xz > 0.0);
}

/* R J R^T. */
TN_INLINE void turn_inertia(const tn_space_bodies *of, const tn_real33 *turn, int at, tn_real *J)
{
    const tn_real33 R = *turn, own = four_33(of->J, at);
    const tn_real3 x = {R.m[0][0], R.m[0][1], R.m[0][2]}, y = {R.m[1][0], R.m[1][1], R.m[1][2]},
                   z = {R.m[2][0], R.m[2][1], R.m[2][2]};
    const tn_real3 Jx = r33_mulv(&own, x), Jy = r33_mulv(&own, y), Jz = r33_mulv(&own, z);
    J[0] = r3_dot(x, Jx);
    J[1] = r3_dot(y, Jy);
    J[2] = r3_dot(z, Jz);
    J[3] = r3_dot(x, Jy);
    J[4] = r3_dot(x, Jz);
    J[5] = r3_dot(y, Jz);
}

/* (J + S)^-1; S is used if it leaves half of the inertia, as in tn_body_fill. */
TN_INLINE bool invert_mass(const tn_alpha *c, tn_space_bodies *of, tn_space_body *rows,
                           const tn_real33 *R, int at)
{
    const double by_beta = 1.0 / c->beta_prime;
    tn_real J[6], S[6], half[6], all[6], W[6];
    turn_inertia(of, R, at, J);
    rows_take(ROWS_OF(rows, push), 6, S);
    for (int n = 0; n < 6; n++) {
        const tn_real s = by_beta * S[n];
        half[n] = 0.5 * J[n] + s;
        all[n] = J[n] + s;
    }
    const tn_mask good = is_definite(half) & invert(all, W);
    bool any = true;
    if (__builtin_expect(!r_every(good), 0)) {
        tn_real plain[6];
        any = r_every(good | invert(J, plain));
        for (int n = 0; n < 6; n++)
            W[n] = r_select(good, W[n], plain[n]);
    }
    for (int n = 0; n < 6; n++)
        four_put(of->W[n], at, W[n]);
    rows_put(ROWS_OF(rows, W), 6, W);
    return any;
}

/* ---- forces ---- */

/* H^-1 (f, m) */
TN_INLINE tn_space_wrench way_of(const tn_space_bodies *of, int at, tn_real3 f, tn_real3 m)
{
    tn_real W[6];
    for (int n = 0; n < 6; n++)
        W[n] = four(of->W[n], at);
    return (tn_space_wrench){r3_scale(four(of->by_own, at), f),
                             {W[0] * m.x + W[3] * m.y + W[4] * m.z,
                              W[3] * m.x + W[1] * m.y + W[5] * m.z,
                              W[4] * m.x + W[5] * m.y + W[2] * m.z}};
}

/* The motion of the bodies under residual forces alone; `push` is cleared. */
TN_INLINE void fall_freely(const tn_space_bodies *of, tn_space_body *rows,
                           const tn_space_wrench *left, int at)
{
    const tn_real none[6] = {r_splat(0.0), r_splat(0.0), r_splat(0.0),
                             r_splat(0.0), r_splat(0.0), r_splat(0.0)};
    const tn_space_wrench d = way_of(of, at, left->force, left->moment);
    const tn_real way[6] = {d.force.x, d.force.y, d.force.z, d.moment.x, d.moment.y, d.moment.z};
    rows_put(ROWS_OF(rows, way), 6, way);
    rows_put(ROWS_OF(rows, push), 6, none);
}

/* Residual forces of four bodies, and the motion under these alone. first: at the pose of the matrix, whose inverse
 * inertia is computed here. false: one has none. */
TN_INLINE bool measure_four(const tn_alpha *c, tn_space *space, int32_t k, tn_space_sizes *sizes,
                            const bool first)
{
    bool good = true;
    tn_space_bodies *of = &space->fours[k];
    for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
        tn_space_body *rows = space->bodies + TN_SPACE_SIDE * k + at;
        const tn_real33 R = rq_to_r33(four_q(of->q, at));
        const tn_space_wrench left = left_of(c, rows);
        measure_body(of, &R, &left, at, sizes);
        if (first)
            good &= invert_mass(c, of, rows, &R, at);
        fall_freely(of, rows, &left, at);
    }
    return good;
}

/* Residuals of a trial, like tn_alpha_residual.all. NaN if anything is not finite; negative: an inertia has no
 * inverse. */
TN_INLINE double largest_of(const tn_space_sizes *sizes, bool good)
{
    double largest = 0.0, sum = 0.0;
    for (int n = 0; n < TN_LANES; n++) {
        largest = fmax(largest, sizes->largest[n]);
        sum += sizes->sum[n];
    }
    return !isfinite(sum) ? NAN : good ? largest : -1.0;
}

/* ---- the trial ---- */

TN_INLINE void correct_body(const tn_alpha *c, tn_space_bodies *of, tn_space_body *rows, int at)
{
    const tn_real33 R = rq_to_r33(four_q(of->q, at));
    const tn_space_wrench left = left_of(c, rows);
    const double by_h = 1.0 / c->h;
    tn_real push[6];
    rows_take(ROWS_OF(rows, push), 6, push);
    const tn_space_wrench way =
        way_of(of, at, r3_add(left.force, r3_load(push)), r3_add(left.moment, r3_load(push + 3)));
    const tn_real3 turn = r33_tmulv(&R, way.moment);
    const tn_real d[6] = {way.force.x, way.force.y, way.force.z, turn.x, turn.y, turn.z};
    for (int n = 0; n < 6; n++) {
        four_put(of->dq[n], at, four(of->dq[n], at) + by_h * d[n]);
        four_put(of->u[n], at, four(of->u[n], at) + c->gamma_prime * d[n]);
        four_put(of->udot[n], at, four(of->udot[n], at) + c->beta_prime * d[n]);
    }
}

TN_INLINE void correct_four(const tn_sim *sim, const tn_alpha *c, tn_space *space, int32_t k)
{
    for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
        tn_space_body *rows = space->bodies + TN_SPACE_SIDE * k + at;
        correct_body(c, &space->fours[k], rows, at);
        move_body(c, sim->model->gravity, &space->fours[k], rows, at);
    }
}

/* Start and prediction of four bodies, with stiffness cleared. Returns whether one of them rests. */
TN_INLINE bool begin_four(const tn_sim *sim, const tn_alpha *c, const tn_space_past *past,
                          tn_space *space, int32_t k)
{
    bool moves = true;
    tn_space_bodies *of = &space->fours[k];
    for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
        tn_space_body *rows = space->bodies + TN_SPACE_SIDE * k + at;
        moves &= r_every(~begin_body(c, past, of, rows, at));
        move_body(c, sim->model->gravity, of, rows, at);
        for (int n = 0; n < TN_LANES; n++)
            memset(rows[n].push, 0, sizeof rows[n].push);
    }
    return !moves;
}

#endif
