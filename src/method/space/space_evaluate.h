/* space_evaluate.h: room method/space: one evaluation of bodies on hinges in space, several side by side. Part of
 * space_kernel.h.
 *
 * In: a trial of each body's motion, predicted or corrected. Out: poses, frames, errors of rows, residual forces of
 * each body, and the sizes of all these, as in alpha_residual.c.
 */
#ifndef TN_METHOD_SPACE_SPACE_EVALUATE_H
#define TN_METHOD_SPACE_SPACE_EVALUATE_H

#include <math.h>
#include <string.h>

#include "joint/rotation_about_z.h"
#include "math/reals.h"
#include "method/space/space.h"
#include "method/space/space_rows.h"

TN_INLINE int32_t fours_of(int32_t count)
{
    return (count + TN_SPACE_SIDE - 1) / TN_SPACE_SIDE;
}

/* A state from which a step starts, or to which it is written (tn_state_own); velocities and the like are packed. */
typedef struct tn_space_past {
    tn_vec3 *x;
    tn_quat *q;
    double *u, *udot, *rate, *acc;
    double *lambda, *lambda_rate;
} tn_space_past;

TN_INLINE tn_space_past past_of(const tn_sim *sim, const tn_state *s)
{
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, s);
    return (tn_space_past){s->x, s->q, s->u, s->udot, m.udot_rate, m.acc, s->lambda, m.lambda_rate};
}

/* The numbers of bodies in such a vector; lanes without a body use the second argument. */
TN_INLINE tn_rows velocities_of(const tn_space_body *rows, double *of, double *no_body)
{
    tn_rows to;
    for (int n = 0; n < TN_LANES; n++)
        to.of[n] = rows[n].body < 0 ? no_body : of + rows[n].at;
    return to;
}

/* The part of the method's acceleration that is constant within the step (generalized_alpha.c). */
TN_INLINE tn_real base_of(const tn_alpha *c, tn_real udot, tn_real a)
{
    return (c->af * udot - c->am * a) * (1.0 / (1.0 - c->am));
}

/* The prediction, in which udot continues to change as it did. Returns which bodies rest, as in
 * tn_alpha_some_body_rests. */
TN_INLINE tn_mask predict_body(const tn_alpha *c, const tn_space_past *past, tn_space_bodies *of,
                               const tn_space_body *rows, int at)
{
    const double keep = (1.0 - c->af) * (1.0 / (1.0 - c->am));
    const double x_old = c->h * (0.5 - c->beta), x_new = c->h * c->beta;
    const double u_old = c->h * (1.0 - c->gamma), u_new = c->h * c->gamma;
    double no_body[6] = {0.0};
    tn_real u[6], udot[6], rate[6], acc[6];
    rows_take(velocities_of(rows, past->u, no_body), 6, u);
    rows_take(velocities_of(rows, past->udot, no_body), 6, udot);
    rows_take(velocities_of(rows, past->rate, no_body), 6, rate);
    rows_take(velocities_of(rows, past->acc, no_body), 6, acc);
    for (int n = 0; n < 6; n++) {
        const tn_real next = udot[n] + c->h * rate[n];
        const tn_real a_next = base_of(c, udot[n], acc[n]) + keep * next;
        four_put(of->dq[n], at, u[n] + (x_old * acc[n] + x_new * a_next));
        four_put(of->u[n], at, u[n] + (u_old * acc[n] + u_new * a_next));
        four_put(of->udot[n], at, next);
    }
    tn_real most = r_abs(u[0]);
    for (int n = 1; n < 6; n++)
        most = r_max(r_abs(u[n]), most);
    return (c->h * most <= c->round_off) & (four(of->by_own, at) > 0.0);
}

/* Start and prediction. Returns which bodies rest. */
TN_INLINE tn_mask begin_body(const tn_alpha *c, const tn_space_past *past, tn_space_bodies *of,
                             const tn_space_body *rows, int at)
{
    double origin[4] = {0.0}, unturned[4] = {1.0, 0.0, 0.0, 0.0};
    tn_rows x, q;
    tn_real place[2], turn[4];
    for (int n = 0; n < TN_LANES; n++) {
        const int32_t i = rows[n].body;
        x.of[n] = i < 0 ? origin : &past->x[i].x;
        q.of[n] = i < 0 ? unturned : &past->q[i].w;
        of->x_before[2][at + n] = x.of[n][2];
    }
    rows_take(x, 2, place);
    rows_take(q, 4, turn);
    four_put(of->x_before[0], at, place[0]);
    four_put(of->x_before[1], at, place[1]);
    for (int n = 0; n < 4; n++)
        four_put(of->q_before[n], at, turn[n]);
    return predict_body(c, past, of, rows, at);
}

TN_INLINE void move_body(const tn_alpha *c, tn_vec3 gravity, tn_space_bodies *of,
                         tn_space_body *rows, int at)
{
    const tn_real3 w = four_3(of->u + 3, at), a = four_3(of->udot, at);
    const tn_real h = r_splat(c->h), mass = four(of->mass, at);
    const tn_real33 J = four_33(of->J, at);
    const tn_real3 x = r3_axpy(four_3(of->x_before, at), h, four_3(of->dq, at));
    const tn_realq q =
        rq_normalize(rq_mul(four_q(of->q_before, at), rq_exp(r3_scale(h, four_3(of->dq + 3, at)))));
    const tn_real33 R = rq_to_r33(q);
    const tn_real3 g = {r_splat(gravity.x), r_splat(gravity.y), r_splat(gravity.z)};
    const tn_real3 f = r3_scale(mass, r3_sub(g, a));
    const tn_real3 spin = r3_cross(r33_mulv(&J, w), w);
    const tn_real3 m = r33_mulv(&R, r3_sub(spin, r33_mulv(&J, four_3(of->udot + 3, at))));
    const tn_real pose[12] = {R.m[0][0], R.m[0][1], R.m[0][2], R.m[1][0], R.m[1][1], R.m[1][2],
                              R.m[2][0], R.m[2][1], R.m[2][2], x.x,       x.y,       x.z};
    const tn_real pull[6] = {f.x, f.y, f.z, m.x, m.y, m.z};
    four_put_q(of->q, at, q);
    rows_put(ROWS_OF(rows, pose), 12, pose);
    rows_put(ROWS_OF(rows, pull), 6, pull);
}

/* The largest residual, and a sum of residuals that is not finite if one of them is not. */
typedef struct tn_space_sizes {
    tn_real largest, sum;
} tn_space_sizes;

TN_INLINE void note_size(tn_space_sizes *sizes, tn_real a)
{
    const tn_real size = r_abs(a);
    sizes->largest = r_max(size, sizes->largest);
    sizes->sum += size;
}

TN_INLINE void note_size_3(tn_space_sizes *sizes, tn_real3 a)
{
    note_size(sizes, a.x);
    note_size(sizes, a.y);
    note_size(sizes, a.z);
}

typedef struct tn_space_pose {
    tn_real33 R;
    tn_real3 x;
} tn_space_pose;

TN_INLINE tn_space_pose pose_of(tn_space_body *const *bodies)
{
    tn_real p[12];
    rows_take(ROWS_OF_EACH(bodies, pose), 12, p);
    return (tn_space_pose){{{{p[0], p[1], p[2]}, {p[3], p[4], p[5]}, {p[6], p[7], p[8]}}},
                           {p[9], p[10], p[11]}};
}

/* The same as tn_tilt. */
TN_SELDOM void tilt_apart(const tn_real3 *from, const tn_real3 *to, tn_real3 *out)
{
    for (int k = 0; k < TN_LANES; k++) {
        const tn_vec3 tilt =
            tn_tilt(v3(from->x[k], from->y[k], from->z[k]), v3(to->x[k], to->y[k], to->z[k]));
        out->x[k] = tilt.x;
        out->y[k] = tilt.y;
        out->z[k] = tilt.z;
    }
}

TN_INLINE tn_real3 tilt_of(tn_real3 from, tn_real3 to)
{
    const tn_real3 across = r3_cross(from, to);
    const tn_real s2 = r3_dot(across, across), along = r3_dot(from, to);
    if (__builtin_expect(!r_every((s2 < 1e-4) & (along > 0.0)), 0)) {
        tn_real3 ends[3] = {from, to, across};
        tilt_apart(&ends[0], &ends[1], &ends[2]);
        return ends[2];
    }
    const tn_real asin =
        1.0 + s2 * (1.0 / 6 + s2 * (3.0 / 40 + s2 * (15.0 / 336 + s2 * 105.0 / 3456)));
    return r3_scale(asin, across);
}

typedef struct tn_space_frame {
    tn_real3 x, y, z, arm_a, arm_b;
} tn_space_frame;

/* Axes, arms, errors of the rows, and the angle. */
TN_INLINE tn_space_frame place_hinge(tn_space_hinges *of, int at, tn_space_sizes *sizes)
{
    const tn_space_pose a = pose_of(of->a + at), b = pose_of(of->b + at);
    const tn_real3 z = r33_mulv(&b.R, four_3(of->z_b, at)),
                   x_C = r33_mulv(&a.R, four_3(of->x_a, at));
    const tn_real3 x = r3_axpy(x_C, -r3_dot(x_C, z), z), y = r3_cross(z, x);
    const tn_real3 tilt = tilt_of(z, r33_mulv(&a.R, four_3(of->z_a, at)));
    const tn_real3 arm_b = r33_mulv(&b.R, four_3(of->at_b, at));
    const tn_real3 arm_a = r3_add(r3_sub(b.x, a.x), arm_b);
    const tn_real3 apart = r3_sub(r33_mulv(&a.R, four_3(of->at_a, at)), arm_a);
    const tn_real3 x_D = r33_mulv(&b.R, four_3(of->x_b, at));
    four_put(of->error[0], at, r3_dot(x, apart));
    four_put(of->error[1], at, r3_dot(y, apart));
    four_put(of->error[2], at, r3_dot(z, apart));
    four_put(of->error[3], at, r3_dot(x, tilt));
    four_put(of->error[4], at, r3_dot(y, tilt));
    for (int n = 0; n < TN_SPACE_ROWS; n++)
        note_size(sizes, four(of->error[n], at));
    four_put(of->turn[0], at, r3_dot(x_D, x));
    four_put(of->turn[1], at, r3_dot(z, r3_cross(x_D, x)));
    four_put_3(of->axes, at, x);
    four_put_3(of->axes + 3, at, y);
    four_put_3(of->axes + 6, at, z);
    four_put_3(of->arm_a, at, arm_a);
    four_put_3(of->arm_b, at, arm_b);
    return (tn_space_frame){x, y, z, arm_a, arm_b};
}

typedef struct tn_space_wrench {
    tn_real3 force, moment;
} tn_space_wrench;

/* The wrench of the multipliers along these axes. */
TN_INLINE tn_space_wrench wrench_of(const tn_real *y, tn_real3 x_axis, tn_real3 y_axis,
                                    tn_real3 z_axis)
{
    return (tn_space_wrench){r3_axpy(r3_axpy(r3_scale(y[0], x_axis), y[1], y_axis), y[2], z_axis),
                             r3_axpy(r3_scale(y[3], x_axis), y[4], y_axis)};
}

/* The wrenches of four hinges on their bodies. They are added when all four are known, on all bodies a before all
 * bodies b, so that the order of the sums is the same for any width. */
typedef struct tn_space_pushes {
    tn_real a[TN_SPACE_SIDE / TN_LANES][6], b[TN_SPACE_SIDE / TN_LANES][6];
} tn_space_pushes;

TN_INLINE void note_push(const tn_space_wrench *w, tn_real3 arm_a, tn_real3 arm_b, int at,
                         tn_space_pushes *pushes)
{
    const tn_real3 f = w->force;
    tn_real *a = pushes->a[at / TN_LANES], *b = pushes->b[at / TN_LANES];
    r3_store(a, f);
    r3_store(a + 3, r3_add(w->moment, r3_cross(arm_a, f)));
    r3_store(b, r3(-f.x, -f.y, -f.z));
    r3_store(b + 3, r3_sub(r3_cross(f, arm_b), w->moment));
}

TN_INLINE void add_pushes(tn_space_body *const *on_a, tn_space_body *const *on_b,
                          const tn_space_pushes *pushes, size_t member)
{
    for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES)
        rows_add(rows_of_each(on_a + at, member), 6, pushes->a[at / TN_LANES]);
    for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES)
        rows_add(rows_of_each(on_b + at, member), 6, pushes->b[at / TN_LANES]);
}

/* Minus the symmetric part of F c^T - (c . F) 1. */
TN_INLINE void stiffness_of(tn_real3 F, tn_real3 c, tn_real *S)
{
    const tn_real xx = F.x * c.x, yy = F.y * c.y, zz = F.z * c.z;
    S[0] = yy + zz;
    S[1] = xx + zz;
    S[2] = xx + yy;
    S[3] = -0.5 * (F.x * c.y + F.y * c.x);
    S[4] = -0.5 * (F.x * c.z + F.z * c.x);
    S[5] = -0.5 * (F.y * c.z + F.z * c.y);
}

/* Clears the sums of fixed bodies, which have no meaning but must stay finite. */
TN_INLINE void forget_standing(tn_space *space)
{
    for (int32_t k = 0; k < space->standing; k++)
        memset(space->bodies[space->first_standing + k].push, 0, sizeof space->bodies[k].push);
}

/* Stores the pose for the matrix, in vectors along its blocks. */
TN_INLINE void keep_pose(tn_space_hinges *of, tn_space_hinge *rows, int at, const tn_space_frame *g)
{
    const tn_real x[3] = {g->x.x, g->x.y, g->x.z}, y[3] = {g->y.x, g->y.y, g->y.z};
    const tn_real z[3] = {g->z.x, g->z.y, g->z.z}, none = r_splat(0.0);
    const tn_real r_a[4] = {g->arm_a.x, g->arm_a.y, g->arm_a.z, none};
    const tn_real r_b[4] = {g->arm_b.x, g->arm_b.y, g->arm_b.z, none};
    for (int n = 0; n < 3; n++) {
        rows_put_pair(ROWS_OF(rows, force[n]), x[n], y[n]);
        rows_put_pair(ROWS_OF(rows, force[n][2]), z[n], none);
        rows_put_pair(ROWS_OF(rows, moment[n][3]), x[n], y[n]);
    }
    rows_put(ROWS_OF(rows, r_a), 4, r_a);
    rows_put(ROWS_OF(rows, r_b), 4, r_b);
    four_put_3(of->X, at, g->x);
    four_put_3(of->X + 3, at, g->y);
    four_put_3(of->X + 6, at, g->z);
    four_put_3(of->r_a, at, g->arm_a);
    four_put_3(of->r_b, at, g->arm_b);
}

/* Multipliers at the end of the step if they continue to change as they did. */
TN_INLINE void predict_multipliers(const tn_sim *sim, const tn_alpha *c, const int32_t *joints,
                                   const int stride, tn_real *lambda)
{
    double *rates = tn_alpha_remembers(sim->model, &sim->state).lambda_rate;
    tn_rows was, by;
    tn_real rate[TN_SPACE_STRIDE];
    for (int n = 0; n < TN_LANES; n++) {
        const size_t joint = (size_t)(joints[n] < 0 ? 0 : joints[n]);
        was.of[n] = sim->state.lambda + joint * TN_MAX_ROWS;
        by.of[n] = rates + joint * TN_MAX_ROWS;
    }
    rows_take(was, stride, lambda);
    rows_take(by, stride, rate);
    for (int n = 0; n < stride - 1; n++)
        lambda[n] = lambda[n] + c->h * rate[n];
}

/* The wrenches of the prediction, from those multipliers. */
TN_INLINE void predict_hinges(const tn_sim *sim, const tn_alpha *c, tn_space *space,
                              tn_space_sizes *sizes)
{
    for (int32_t k = 0; k < fours_of(space->hinge_count); k++) {
        tn_space_hinges *of = &space->hinge_fours[k];
        tn_space_pushes pushes, stiffness;
        for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
            tn_real lambda[TN_SPACE_STRIDE];
            predict_multipliers(sim, c, of->joint + at, TN_SPACE_STRIDE, lambda);
            const tn_space_frame g = place_hinge(of, at, sizes);
            const tn_space_wrench w = wrench_of(lambda, g.x, g.y, g.z);
            four_put_3(of->force, at, w.force);
            four_put_3(of->moment, at, w.moment);
            keep_pose(of, space->hinges + TN_SPACE_SIDE * k + at, at, &g);
            stiffness_of(w.force, g.arm_a, stiffness.a[at / TN_LANES]);
            stiffness_of(w.force, r3_scale(r_splat(-1.0), g.arm_b), stiffness.b[at / TN_LANES]);
            note_push(&w, g.arm_a, g.arm_b, at, &pushes);
        }
        add_pushes(of->a, of->b, &stiffness, offsetof(tn_space_body, push));
        add_pushes(of->a, of->b, &pushes, offsetof(tn_space_body, pull));
    }
}

/* The wrenches after a correction; components of a moment that no row carries any more are removed. */
TN_INLINE void correct_hinges(const tn_alpha *c, tn_space *space, tn_space_sizes *sizes)
{
    for (int32_t k = 0; k < fours_of(space->hinge_count); k++) {
        tn_space_hinges *of = &space->hinge_fours[k];
        tn_space_pushes pushes;
        for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
            const int32_t first = TN_SPACE_SIDE * k + at;
            tn_real y[TN_SPACE_STRIDE];
            rows_take(rows_from(space->y + TN_SPACE_STRIDE * first, TN_SPACE_STRIDE),
                      TN_SPACE_STRIDE, y);
            const tn_space_wrench more = wrench_of(
                y, four_3(of->axes, at), four_3(of->axes + 3, at), four_3(of->axes + 6, at));
            const tn_real by = r_splat(c->beta_prime);
            const tn_space_frame g = place_hinge(of, at, sizes);
            const tn_real3 m = r3_axpy(four_3(of->moment, at), by, more.moment);
            const tn_space_wrench w = {r3_axpy(four_3(of->force, at), by, more.force),
                                       r3_axpy(m, -r3_dot(g.z, m), g.z)};
            four_put_3(of->force, at, w.force);
            four_put_3(of->moment, at, w.moment);
            note_push(&w, g.arm_a, g.arm_b, at, &pushes);
        }
        add_pushes(of->a, of->b, &pushes, offsetof(tn_space_body, pull));
    }
}

/* Residual forces and moments, divided by beta'. */
TN_INLINE tn_space_wrench left_of(const tn_alpha *c, tn_space_body *rows)
{
    const tn_real by_beta = r_splat(1.0 / c->beta_prime);
    tn_real pull[6];
    rows_take(ROWS_OF(rows, pull), 6, pull);
    return (tn_space_wrench){r3_scale(by_beta, r3_load(pull)),
                             r3_scale(by_beta, r3_load(pull + 3))};
}

/* Their size as a distance. */
TN_INLINE void measure_body(const tn_space_bodies *of, const tn_real33 *R,
                            const tn_space_wrench *left, int at, tn_space_sizes *sizes)
{
    const tn_real3 by_inertia = four_3(of->by_inertia, at), turn = r33_tmulv(R, left->moment);
    note_size_3(sizes, r3_scale(four(of->by_own, at), left->force));
    note_size_3(sizes, r3(by_inertia.x * turn.x, by_inertia.y * turn.y, by_inertia.z * turn.z));
}

#endif
