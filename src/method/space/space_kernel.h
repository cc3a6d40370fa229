/* space_kernel.h: room method/space: Newton's iteration of hinges in space, included by one file for each width. See
 * space.h.
 *
 * In: start and prediction of each body. Out: their end, or that there is none. Evaluations and corrections are those of
 * alpha_residual.c and hinge_terms.h, with moments and small turns in axes of the world. What is done to bodies is done
 * side by side (tn_real, math/reals.h), to hinges likewise; between the two numbers go by rows, and what several hinges
 * push is added up in their order: the bits are those of any width.
 */
#include <math.h>
#include <string.h>

#include "method/space/space_balls.h"
#include "method/space/space_evaluate.h"
#include "method/space/space_fill.h"
#include "method/space/space_tell.h"
#include "motion/closing/purge.h"
#include "solve/singular.h"

/* ---- the matrix ---- */

/* Of a symmetric matrix, by its minors: its inverse; where it is positive definite. */
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
TN_INLINE void turn_inertia(const tn_space_bodies *of, int at, tn_real *J)
{
    const tn_real33 R = four_33(of->R, at), own = four_33(of->J, at);
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

/* (J + S)^-1, S counting where it leaves half of the inertia, as in tn_body_fill. */
TN_INLINE bool invert_mass(const tn_alpha *c, tn_space_bodies *of, tn_space_body *rows, int at)
{
    const double by_beta = 1.0 / c->beta_prime;
    tn_real J[6], S[6], half[6], all[6], W[6];
    turn_inertia(of, at, J);
    rows_take(ROWS_OF(rows, S), 6, S);
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

/* ---- a correction ---- */

/* The way of forces alone; nothing pushes yet. */
TN_INLINE void fall_freely(const tn_space_bodies *of, tn_space_body *rows, int at)
{
    const tn_real none[6] = {r_splat(0.0), r_splat(0.0), r_splat(0.0),
                             r_splat(0.0), r_splat(0.0), r_splat(0.0)};
    const tn_space_wrench d = way_of(of, at, four_3(of->f, at), four_3(of->m, at));
    const tn_real way[6] = {d.force.x, d.force.y, d.force.z, d.moment.x, d.moment.y, d.moment.z};
    rows_put(ROWS_OF(rows, way), 6, way);
    rows_put(ROWS_OF(rows, push), 6, none);
}

/* Forces of a trial as tn_alpha_residual.all, what joints are off by being in `sizes`, and the way they alone would take;
 * with the inverse of the mass first, if this is its pose. NaN if anything is not finite; negative: a mass has no inverse. */
TN_INLINE double measure(const tn_alpha *c, tn_space *space, tn_space_sizes sizes, const bool first)
{
    bool good = true;
    for (int32_t k = 0; k < fours_of(space->moving); k++) {
        tn_space_bodies *of = &space->fours[k];
        for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
            tn_space_body *rows = space->bodies + TN_SPACE_SIDE * k + at;
            measure_body(c, of, rows, at, &sizes);
            if (first)
                good &= invert_mass(c, of, rows, at);
            fall_freely(of, rows, at);
        }
    }
    double largest = 0.0, sum = 0.0;
    for (int n = 0; n < TN_LANES; n++) {
        largest = fmax(largest, sizes.largest[n]);
        sum += sizes.sum[n];
    }
    return !isfinite(sum) ? NAN : good ? largest : -1.0;
}

/* What is left for the multipliers to close. */
TN_INLINE void ask_hinges(tn_space *space)
{
    for (int32_t k = 0; k < fours_of(space->hinge_count); k++) {
        const tn_space_hinges *of = &space->hinge_fours[k];
        for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
            double *to = space->y + TN_SPACE_STRIDE * (TN_SPACE_SIDE * k + at);
            const tn_real3 x = four_3(of->X, at), y = four_3(of->X + 3, at),
                           z = four_3(of->X + 6, at);
            tn_real a[6], b[6];
            rows_take(ROWS_OF_EACH(of->a + at, way), 6, a);
            rows_take(ROWS_OF_EACH(of->b + at, way), 6, b);
            const tn_real3 turn_a = r3_load(a + 3), turn_b = r3_load(b + 3);
            const tn_real3 turn = r3_sub(turn_b, turn_a);
            const tn_real3 way = r3_sub(r3_add(r3_load(b), r3_cross(turn_b, four_3(of->r_b, at))),
                                        r3_add(r3_load(a), r3_cross(turn_a, four_3(of->r_a, at))));
            const tn_real asked[6] = {
                r3_dot(x, way) - four(of->error[0], at),  r3_dot(y, way) - four(of->error[1], at),
                r3_dot(z, way) - four(of->error[2], at),  r3_dot(x, turn) - four(of->error[3], at),
                r3_dot(y, turn) - four(of->error[4], at), r_splat(0.0)};
            rows_put(rows_from(to, TN_SPACE_STRIDE), 6, asked);
        }
    }
}

/* G^T y. */
TN_INLINE void push_hinges(tn_space *space)
{
    for (int32_t k = 0; k < fours_of(space->hinge_count); k++) {
        const tn_space_hinges *of = &space->hinge_fours[k];
        tn_space_pushes pushes;
        for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
            double *from = space->y + TN_SPACE_STRIDE * (TN_SPACE_SIDE * k + at);
            tn_real y[TN_SPACE_STRIDE];
            rows_take(rows_from(from, TN_SPACE_STRIDE), TN_SPACE_STRIDE, y);
            const tn_space_wrench w =
                wrench_of(y, four_3(of->X, at), four_3(of->X + 3, at), four_3(of->X + 6, at));
            note_push(&w, four_3(of->r_a, at), four_3(of->r_b, at), at, &pushes);
        }
        add_pushes(of->a, of->b, &pushes, offsetof(tn_space_body, push));
    }
}

TN_INLINE void correct_body(const tn_alpha *c, tn_space_bodies *of, tn_space_body *rows, int at)
{
    const tn_real33 R = four_33(of->R, at);
    const double by_h = 1.0 / c->h;
    tn_real push[6];
    rows_take(ROWS_OF(rows, push), 6, push);
    const tn_space_wrench way = way_of(of, at, r3_add(four_3(of->f, at), r3_load(push)),
                                       r3_add(four_3(of->m, at), r3_load(push + 3)));
    const tn_real3 turn = r33_tmulv(&R, way.moment);
    const tn_real d[6] = {way.force.x, way.force.y, way.force.z, turn.x, turn.y, turn.z};
    for (int n = 0; n < 6; n++) {
        four_put(of->dq[n], at, four(of->dq[n], at) + by_h * d[n]);
        four_put(of->u[n], at, four(of->u[n], at) + c->gamma_prime * d[n]);
        four_put(of->udot[n], at, four(of->udot[n], at) + c->beta_prime * d[n]);
    }
}

TN_INLINE void ask_joints(tn_space *space, const bool balls)
{
    if (balls) {
        ask_balls(space);
    } else {
        ask_hinges(space);
    }
}

/* G H^-1 G^T + E, with the first half of the solve for what the prediction leaves. */
TN_INLINE bool factor(const tn_sim *sim, tn_space *space, tn_step_report *report, const bool balls)
{
    const double epsilon = tn_loop_epsilon(&sim->state);
    ask_joints(space, balls);
    if (balls) {
        fill_of_balls(space, epsilon);
    } else {
        space_fill(space, epsilon);
    }
    const double pivot = spd_factor(&space->matrix, space->y, balls ? TN_BALL_ROWS : TN_SPACE_ROWS);
    report->factorizations++;
    report->smallest_pivot = fmin(report->smallest_pivot, pivot);
    return pivot > 0.0;
}

/* Bodies to where a solve takes them, of which the first half is done if it is the first. */
TN_INLINE void solve(const tn_sim *sim, const tn_alpha *c, tn_space *space, bool first,
                     const bool balls)
{
    const int rows = balls ? TN_BALL_ROWS : TN_SPACE_ROWS;
    if (!first) {
        ask_joints(space, balls);
        spd_forward(&space->matrix, space->y, rows);
    }
    spd_backward(&space->matrix, space->y, rows);
    if (balls) {
        push_balls(space, space->y);
    } else {
        push_hinges(space);
    }
    for (int32_t k = 0; k < fours_of(space->moving); k++) {
        for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
            tn_space_body *rows_of = space->bodies + TN_SPACE_SIDE * k + at;
            correct_body(c, &space->fours[k], rows_of, at);
            move_body(c, sim->model->gravity, &space->fours[k], rows_of, at);
        }
    }
}

/* ---- the whole ---- */

TN_INLINE void begin_bodies(const tn_sim *sim, const tn_alpha *c, tn_space *space)
{
    const tn_space_past past = past_of(sim, &sim->state);
    for (int32_t k = 0; k < fours_of(space->moving); k++) {
        tn_space_bodies *of = &space->fours[k];
        for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
            tn_space_body *rows = space->bodies + TN_SPACE_SIDE * k + at;
            begin_body(c, &past, of, rows, at);
            move_body(c, sim->model->gravity, of, rows, at);
        }
    }
}

/* Multipliers of the wrenches. */
TN_INLINE void end_hinges(tn_space *space)
{
    for (int32_t k = 0; k < fours_of(space->hinge_count); k++) {
        const tn_space_hinges *of = &space->hinge_fours[k];
        for (int at = 0; at < TN_SPACE_SIDE; at += TN_LANES) {
            double *to = space->y + TN_SPACE_STRIDE * (TN_SPACE_SIDE * k + at);
            const tn_real3 x = four_3(of->axes, at), y = four_3(of->axes + 3, at);
            const tn_real3 force = four_3(of->force, at), moment = four_3(of->moment, at);
            const tn_real lambda[6] = {
                r3_dot(x, force),  r3_dot(y, force),  r3_dot(four_3(of->axes + 6, at), force),
                r3_dot(x, moment), r3_dot(y, moment), r_splat(0.0)};
            rows_put(rows_from(to, TN_SPACE_STRIDE), 6, lambda);
        }
    }
}

/* What joints are off by at a trial. */
TN_INLINE tn_space_sizes predict_joints(const tn_sim *sim, const tn_alpha *c, tn_space *space,
                                        const bool balls)
{
    tn_space_sizes sizes = {r_splat(0.0), r_splat(0.0)};
    if (balls) {
        predict_balls(sim, c, space, &sizes);
    } else {
        predict_hinges(sim, c, space, &sizes);
    }
    return sizes;
}

TN_INLINE tn_space_sizes correct_joints(const tn_alpha *c, tn_space *space, const bool balls)
{
    tn_space_sizes sizes = {r_splat(0.0), r_splat(0.0)};
    if (balls) {
        correct_balls(c, space, &sizes);
    } else {
        correct_hinges(c, space, &sizes);
    }
    return sizes;
}

TN_INLINE bool find_end(const tn_sim *sim, const tn_alpha *c, tn_space *space,
                        tn_step_report *report, const bool balls)
{
    const double enough = fmax(sim->options.position_tolerance, c->round_off);
    begin_bodies(sim, c, space);
    double before = measure(c, space, predict_joints(sim, c, space, balls), true);
    if (!(before >= 0.0) || !factor(sim, space, report, balls))
        return false;
    const int32_t most = sim->options.max_iterations - 1;
    for (int32_t left = most; left >= 0; left--) {
        report->iterations++;
        report->solves++;
        solve(sim, c, space, left == most, balls);
        const double now = measure(c, space, correct_joints(c, space, balls), false);
        if (now <= enough)
            return true;
        if (isnan(now) || tn_alpha_is_stale(now, before, enough, left))
            return false;
        before = now;
    }
    return false;
}

static bool iterate_hinges(const tn_sim *sim, const tn_alpha *c, tn_space *space,
                           tn_step_report *report)
{
    if (!find_end(sim, c, space, report, false))
        return false;
    end_hinges(space);
    return true;
}

static bool iterate_balls(const tn_sim *sim, const tn_alpha *c, tn_space *space,
                          tn_step_report *report)
{
    if (!find_end(sim, c, space, report, true))
        return false;
    end_balls(space);
    return true;
}

/* ---- the filter ---- */

/* y = F x. Returns the forces G^T x that are left in the metric of H^-1, squared: with (S + E) y = E x of the new y
 * that is y S y = y E (x - y), but for rounding of 1e-16 E of x, some 1e-12 of it. */
TN_INLINE double filter_hinges(const tn_space *space, double epsilon, const double *x, double *y)
{
    const int32_t end = TN_SPACE_STRIDE * space->hinge_count;
    const double *e = space->e;
    tn_v4 sum = {0.0};
    tn_v2 rest = {0.0};
    for (int32_t k = 0; k < end; k += TN_SPACE_STRIDE) {
        TN_LANE_LOOP(TN_SPACE_STRIDE, {
            TN_LANE(y + k + at) = epsilon * TN_CONST_LANE(e + k + at) * TN_CONST_LANE(x + k + at);
        })
    }
    spd_solve(&space->matrix, y, TN_SPACE_ROWS);
    for (int32_t k = 0; k < end; k += TN_SPACE_STRIDE) {
        const tn_v4 now = *(const tn_v4 *)(y + k), was = *(const tn_v4 *)(x + k);
        const tn_v2 now_2 = tn_v2_load(y + k + 4), was_2 = tn_v2_load(x + k + 4);
        sum += *(const tn_v4 *)(e + k) * now * (was - now);
        rest += tn_v2_load(e + k + 4) * now_2 * (was_2 - now_2);
    }
    return fabs(epsilon * (((sum[0] + sum[1]) + (sum[2] + sum[3])) + (rest[0] + rest[1])));
}

TN_INLINE double filter_joints(tn_space *space, double epsilon, double *x, double *y,
                               tn_step_report *report, const bool balls)
{
    report->solves++;
    return balls ? filter_balls(space, epsilon, x, y) : filter_hinges(space, epsilon, x, y);
}

/* Weak rows, those of long chains, need more passes than two. */
#define TN_SPACE_PASSES 12

/* The passes and the verdict of find_part, least_multipliers.c, forces being squared here. */
TN_INLINE bool find_part(const tn_sim *sim, tn_space *space, tn_step_report *report,
                         const bool balls)
{
    const double epsilon = tn_loop_epsilon(&sim->state);
    const double first = filter_joints(space, epsilon, space->y, space->once, report, balls);
    double left = filter_joints(space, epsilon, space->once, space->part, report, balls);
    if (left <= TN_FORCES_KNOWN * first && isfinite(first))
        return true;
    const double all = forces_of_joints(sim, space);
    const double nothing = TN_FORCES_KNOWN * TN_FORCES_KNOWN * all,
                 none = TN_AS_NONE * TN_AS_NONE * all;
    for (int pass = 0; pass < TN_SPACE_PASSES && left > nothing; pass++) {
        double *const free = space->once;
        space->once = space->part;
        space->part = free;
        left = filter_joints(space, epsilon, space->once, space->part, report, balls);
        if (!(left <= none))
            return false;
    }
    return left <= nothing;
}

static bool find_part_of_hinges(const tn_sim *sim, tn_space *space, tn_step_report *report)
{
    return find_part(sim, space, report, false);
}

static bool find_part_of_balls(const tn_sim *sim, tn_space *space, tn_step_report *report)
{
    return find_part(sim, space, report, true);
}

/* ---- what is told ---- */

static void tell_hinges_of(const tn_sim *sim, const tn_alpha *c, tn_space *space,
                           tn_space_told *told)
{
    *told = (tn_space_told){.worst_joint = -1};
    tell_bodies(sim, c, space, told);
    tell_hinges(space, told);
}

static void tell_balls(const tn_sim *sim, const tn_alpha *c, tn_space *space, tn_space_told *told)
{
    *told = (tn_space_told){.worst_joint = -1};
    tell_bodies(sim, c, space, told);
    show_balls(sim, space, told);
}
