/* space_tell.h: room method/space: the results of a step: whether forces balance, the energy accounting, errors of
 * joints, and whether all numbers are finite. Part of space_kernel.h.
 *
 * In: the end of an iteration, multipliers, and their null-space component. Out: tn_loop_step_results. Sums have four
 * lanes for any vector width: the bits do not depend on it.
 */
#ifndef TN_METHOD_SPACE_SPACE_TELL_H
#define TN_METHOD_SPACE_SPACE_TELL_H

#include <math.h>

#include "method/alpha/body_books.h"
#include "method/space/space_evaluate.h"

/* Subtracts the null-space component from the multipliers, and its wrenches from the bodies. */
static void take_part(tn_space *space)
{
    for (int32_t k = 0; k < fours_of(space->hinge_count); k++) {
        const tn_space_hinges *of = &space->hinge_fours[k];
        tn_space_pushes pushes;
        for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
            const int32_t first = TN_SPACE_STRIDE * (TN_SPACE_SIDE * k + at);
            const tn_rows rows = rows_from(space->y + first, TN_SPACE_STRIDE);
            tn_real y[TN_SPACE_STRIDE], part[TN_SPACE_STRIDE], less[TN_SPACE_STRIDE];
            rows_take(rows, TN_SPACE_STRIDE, y);
            rows_take(rows_from(space->part + first, TN_SPACE_STRIDE), TN_SPACE_STRIDE, part);
            for (int n = 0; n < TN_SPACE_STRIDE; n++) {
                y[n] -= part[n];
                less[n] = -part[n];
            }
            rows_put(rows, TN_SPACE_STRIDE, y);
            const tn_space_wrench w = wrench_of(less, four_3(of->axes, at),
                                                four_3(of->axes + 3, at), four_3(of->axes + 6, at));
            note_push(&w, four_3(of->arm_a, at), four_3(of->arm_b, at), at, &pushes);
        }
        add_pushes(of->a, of->b, &pushes, offsetof(tn_space_body, pull));
    }
}

/* ---- bodies ---- */

/* A pose as a row. */
enum { TN_XFORM_NUMBERS = 12 };
_Static_assert(offsetof(tn_xform, p) == 9 * sizeof(double), "a row of numbers");

/* The results of bodies, of one lane in each four. */
typedef struct tn_space_results {
    tn_body_books books;
    tn_real sum;
    tn_mask balanced;
} tn_space_results;

/* Are residual forces uncertain only, compared by their squares, and residual moments so at the radius of gyration?
 * The same bound as in tn_force_balance_among, whose arms are at least as long. */
TN_INLINE tn_mask is_balanced(const tn_space_bodies *of, tn_space_body *rows, int at,
                              double unknown)
{
    tn_real pull[6];
    rows_take(ROWS_OF(rows, pull), 6, pull);
    const tn_real3 f = r3_load(pull), m = r3_load(pull + 3);
    return (r3_dot(f, f) <= unknown) & (r3_dot(m, m) <= unknown * four(of->gyration, at));
}

/* Adds the results of bodies; returns their positions. */
TN_INLINE tn_real3 add_body(const tn_alpha *c, tn_vec3 gravity, const tn_space_past *past,
                            const tn_space_bodies *of, tn_space_body *rows, int at, double unknown,
                            tn_space_results *results)
{
    double no_body[6] = {0.0};
    const tn_real33 J = four_33(of->J, at);
    const tn_real mass = four(of->mass, at);
    const tn_real3 g = {r_splat(gravity.x), r_splat(gravity.y), r_splat(gravity.z)};
    const tn_real3 v = four_3(of->u, at), w = four_3(of->u + 3, at),
                   before = four_3(of->x_before, at);
    const tn_real3 x = r3_axpy(before, r_splat(c->h), four_3(of->dq, at));
    tn_real u0[6];
    rows_take(velocities_of(rows, past->u, no_body), 6, u0);
    tn_body_change change = {.dv = r3_sub(v, r3_load(u0)),
                             .both_v = r3_add(v, r3_load(u0)),
                             .dw = r3_sub(w, r3_load(u0 + 3)),
                             .both_w = r3_add(w, r3_load(u0 + 3))};
    change.turned = r33_mulv(&J, change.dw);
    change.spin = r33_mulv(&J, change.both_w);
    const tn_body_books b = body_book(mass, &change, mass * r3_dot(g, r3_sub(x, before)), c->h);
    body_add_books(&b, &results->books);
    for (int n = 0; n < 6; n++)
        results->sum += four(of->u[n], at) + four(of->udot[n], at);
    for (int n = 0; n < 4; n++)
        results->sum += four(of->q[n], at);
    results->sum += x.x + x.y + x.z;
    results->balanced &= is_balanced(of, rows, at, unknown);
    return x;
}

/* Adds the four lanes in a fixed order. */
TN_INLINE double sum_four(const double *a)
{
    return (a[0] + a[1]) + (a[2] + a[3]);
}

/* N: forces below this are uncertain, since poses have a tolerance. */
TN_INLINE double unknown_force(const tn_sim *sim, const tn_alpha *c, const tn_space *space)
{
    return space->mass * sim->options.position_tolerance / (c->h * c->h);
}

/* The errors of the joints of a lane, and the first of the joints with the largest one. */
typedef struct tn_space_off {
    tn_real position, angle, worst, joint, sum;
} tn_space_off;

/* The results of bodies and joints so far, and their data: the states before and after the step. */
typedef struct tn_space_tally {
    tn_space_past past, to;
    double unknown; /* N^2 */
    double by_h;    /* 1/s */
    bool has_rates; /* rates are stored: after a start its own are kept (generalized_alpha.c) */
    tn_space_results lane[TN_SPACE_SIDE / TN_LANES];
    tn_space_off off;
} tn_space_tally;

TN_INLINE tn_space_tally begin_tally(const tn_sim *sim, const tn_alpha *c, const tn_space *space)
{
    const tn_real none = r_splat(0.0);
    const tn_state own = tn_state_own(&sim->state);
    const double unknown = unknown_force(sim, c, space);
    tn_space_tally tally = {.past = past_of(sim, &sim->state),
                            .to = past_of(sim, &own),
                            .unknown = unknown * unknown,
                            .by_h = 1.0 / c->h,
                            .has_rates = tn_alpha_has_rates(sim),
                            .off = {none, none, none, r_splat(space->hinge_count), none}};
    for (int n = 0; n < TN_SPACE_SIDE / TN_LANES; n++)
        tally.lane[n] = (tn_space_results){body_no_books(), none, r_yes()};
    return tally;
}

/* Writes back the pose and the memory for the next step: the method's acceleration, and the rate of udot. */
TN_INLINE void show_body(const tn_sim *sim, const tn_alpha *c, const tn_space_tally *tally,
                         const tn_space_bodies *of, const tn_space_body *rows, tn_real3 x, int at)
{
    const tn_space_past *past = &tally->past, *to = &tally->to;
    const double keep = (1.0 - c->af) / (1.0 - c->am);
    double no_body[TN_XFORM_NUMBERS] = {0.0};
    const tn_realq q = four_q(of->q, at);
    const tn_real33 R = rq_to_r33(q);
    const tn_real turn[4] = {q.w, q.x, q.y, q.z};
    const tn_real T[TN_XFORM_NUMBERS] = {R.m[0][0], R.m[0][1], R.m[0][2], R.m[1][0],
                                         R.m[1][1], R.m[1][2], R.m[2][0], R.m[2][1],
                                         R.m[2][2], x.x,       x.y,       x.z};
    tn_rows places, turns, poses;
    tn_real u[6], udot[6], was[6], acc[6], rate[6];
    rows_take(velocities_of(rows, past->udot, no_body), 6, was);
    rows_take(velocities_of(rows, past->acc, no_body), 6, acc);
    for (int n = 0; n < 6; n++) {
        u[n] = four(of->u[n], at);
        udot[n] = four(of->udot[n], at);
        acc[n] = base_of(c, was[n], acc[n]) + keep * udot[n];
        rate[n] = tally->by_h * (udot[n] - was[n]);
    }
    for (int n = 0; n < TN_LANES; n++) {
        const int32_t i = rows[n].body;
        places.of[n] = i < 0 ? no_body : &to->x[i].x;
        turns.of[n] = i < 0 ? no_body : &to->q[i].w;
        poses.of[n] = i < 0 ? no_body : &sim->sys.T[i].R.m[0][0];
        places.of[n][2] = x.z[n];
    }
    rows_put_pair(places, x.x, x.y);
    rows_put(turns, 4, turn);
    rows_put(poses, TN_XFORM_NUMBERS, T);
    rows_put(velocities_of(rows, to->u, no_body), 6, u);
    rows_put(velocities_of(rows, to->udot, no_body), 6, udot);
    rows_put(velocities_of(rows, to->acc, no_body), 6, acc);
    if (tally->has_rates)
        rows_put(velocities_of(rows, to->rate, no_body), 6, rate);
}

/* Adds the results of bodies, and writes them back. */
TN_INLINE void finish_four(const tn_sim *sim, const tn_alpha *c, tn_space *space, int32_t k,
                           tn_space_tally *tally)
{
    const tn_space_bodies *of = &space->fours[k];
    for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
        tn_space_body *rows = space->bodies + TN_SPACE_SIDE * k + at;
        const tn_real3 x = add_body(c, sim->model->gravity, &tally->past, of, rows, at,
                                    tally->unknown, &tally->lane[at / TN_LANES]);
        show_body(sim, c, tally, of, rows, x, at);
    }
}

TN_INLINE void sum_moved(const tn_space_tally *tally, tn_loop_step_results *results)
{
    _Alignas(sizeof(tn_four)) tn_four sums[8];
    results->balances = true;
    for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
        const tn_space_results *lane = &tally->lane[at / TN_LANES];
        const tn_real all[8] = {lane->books.made,    lane->books.moved,  lane->books.size,
                                lane->books.run,     lane->books.pushed, lane->books.spun,
                                lane->books.twisted, lane->sum};
        for (int n = 0; n < 8; n++)
            four_put(sums[n], at, all[n]);
        results->balances &= r_every(lane->balanced);
    }
    results->moved = (tn_moved){.made = sum_four(sums[0]),
                                .moved = sum_four(sums[1]),
                                .size = sum_four(sums[2]),
                                .run = 0.25 * sum_four(sums[3]),
                                .pushed = sum_four(sums[4]),
                                .spun = 0.25 * sum_four(sums[5]),
                                .twisted = sum_four(sums[6])};
    results->sum = sum_four(sums[7]);
}

/* ---- hinges ---- */

TN_INLINE void note_hinge(const tn_space_hinges *of, int at, tn_space_off *off)
{
    tn_real e[TN_SPACE_ROWS];
    for (int n = 0; n < TN_SPACE_ROWS; n++) {
        e[n] = r_abs(four(of->error[n], at));
        off->sum += e[n];
    }
    const tn_real joint = four(of->number, at), position = r_max(r_max(e[0], e[1]), e[2]),
                  angle = r_max(e[3], e[4]), worst = r_max(position, angle);
    off->joint = r_select((worst > off->worst) | ((worst == off->worst) & (joint < off->joint)),
                          joint, off->joint);
    off->worst = r_max(worst, off->worst);
    off->position = r_max(position, off->position);
    off->angle = r_max(angle, off->angle);
}

/* The worst of all lanes. */
TN_INLINE void sum_off(const tn_space_off *off, tn_loop_step_results *results)
{
    double worst = 0.0, joint = -1.0;
    for (int n = 0; n < TN_LANES; n++) {
        const bool further = off->worst[n] > worst;
        joint = further || (off->worst[n] == worst && worst > 0.0 && off->joint[n] < joint)
                    ? off->joint[n]
                    : joint;
        worst = further ? off->worst[n] : worst;
        results->position = fmax(results->position, off->position[n]);
        results->angle = fmax(results->angle, off->angle[n]);
        results->sum += off->sum[n];
    }
    results->worst_joint = (int32_t)joint;
}

/* The results of the step, from those of all bodies and joints. */
TN_INLINE tn_loop_step_results results_of(const tn_space_tally *tally)
{
    tn_loop_step_results results = {.worst_joint = -1};
    sum_moved(tally, &results);
    sum_off(&tally->off, &results);
    return results;
}

TN_INLINE tn_loop_step_results finish_hinges(const tn_sim *sim, const tn_alpha *c, tn_space *space)
{
    tn_space_tally tally = begin_tally(sim, c, space);
    for (int32_t k = 0; k < fours_of(space->moving); k++)
        finish_four(sim, c, space, k, &tally);
    for (int32_t k = 0; k < fours_of(space->hinge_count); k++) {
        for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES)
            note_hinge(&space->hinge_fours[k], at, &tally.off);
    }
    return results_of(&tally);
}

#endif
