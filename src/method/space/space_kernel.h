/* space_kernel.h: room method/space: Newton's iteration of hinges in space, included by one file for each vector
 * width. See space.h.
 *
 * In: start and prediction of each body. Out: the end of the step, or a failure. Evaluations and corrections are
 * those of alpha_residual.c and hinge_terms.h, with moments and small rotations in axes of the world. Bodies are
 * computed side by side (tn_real, math/reals.h), and so are hinges; between the two, numbers are passed in rows, and
 * the forces of several hinges are added in their order, so that the bits do not depend on the width.
 */
#include <math.h>
#include <string.h>

#include "method/space/space_balls.h"
#include "method/space/space_bodies.h"
#include "method/space/space_evaluate.h"
#include "method/space/space_fill.h"
#include "method/space/space_tell.h"
#include "method/space/space_tiles.h"
#include "motion/closing/purge.h"
#include "solve/singular.h"

/* ---- a correction ---- */

/* The right-hand side of the multipliers: errors that remain. */
TN_INLINE void set_rhs_of_hinges(tn_space *space)
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
            const tn_real rhs[6] = {
                r3_dot(x, way) - four(of->error[0], at),  r3_dot(y, way) - four(of->error[1], at),
                r3_dot(z, way) - four(of->error[2], at),  r3_dot(x, turn) - four(of->error[3], at),
                r3_dot(y, turn) - four(of->error[4], at), r_splat(0.0)};
            rows_put(rows_from(to, TN_SPACE_STRIDE), 6, rhs);
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

/* G H^-1 G^T + E, and the first half of the solve for the residual of the prediction. */
TN_INLINE bool factor(const tn_sim *sim, tn_space *space, tn_step_report *report)
{
    set_rhs_of_hinges(space);
    space_fill(space, tn_loop_epsilon(&sim->state));
    const double pivot = spd_factor(&space->matrix, space->y, TN_SPACE_ROWS);
    report->factorizations++;
    report->smallest_pivot = fmin(report->smallest_pivot, pivot);
    return pivot > 0.0;
}

/* ---- the iteration ---- */

TN_INLINE double measure_all(const tn_alpha *c, tn_space *space, tn_space_sizes sizes,
                             const bool first)
{
    bool good = true;
    for (int32_t k = 0; k < fours_of(space->moving); k++)
        good &= measure_four(c, space, k, &sizes, first);
    return largest_of(&sizes, good);
}

/* The prediction and its factor; *before: its residual. false: the matrix has no factor, or a body rests. */
TN_INLINE bool begin_hinges(const tn_sim *sim, const tn_alpha *c, tn_space *space,
                            tn_step_report *report, double *before)
{
    const tn_space_past past = past_of(sim, &sim->state);
    tn_space_sizes sizes = {r_splat(0.0), r_splat(0.0)};
    forget_standing(space);
    space->some_rest = false;
    for (int32_t k = 0; k < fours_of(space->moving); k++)
        space->some_rest |= begin_four(sim, c, &past, space, k);
    if (space->some_rest)
        return false;
    predict_hinges(sim, c, space, &sizes);
    *before = measure_all(c, space, sizes, true);
    return *before >= 0.0 && factor(sim, space, report);
}

/* Solves and corrects the bodies. first: the first half of the solve has been done. Returns the residual there. */
TN_INLINE double correct_all(const tn_sim *sim, const tn_alpha *c, tn_space *space, bool first)
{
    tn_space_sizes sizes = {r_splat(0.0), r_splat(0.0)};
    if (!first) {
        set_rhs_of_hinges(space);
        spd_forward(&space->matrix, space->y, TN_SPACE_ROWS);
    }
    spd_backward(&space->matrix, space->y, TN_SPACE_ROWS);
    push_hinges(space);
    for (int32_t k = 0; k < fours_of(space->moving); k++)
        correct_four(sim, c, space, k);
    correct_hinges(c, space, &sizes);
    return measure_all(c, space, sizes, false);
}

/* The same for balls. If this is as many corrections as the last step needed, the trial is also written back with
 * its results: that requires separate states before and after the step, so that the start still exists if the
 * iteration continues. */
TN_INLINE double correct_by_tiles(const tn_sim *sim, const tn_alpha *c, tn_space *space,
                                  int32_t count)
{
    if (count > 1)
        solve_forward(space);
    return correct_tiles(
        sim, c, space, count == space->corrections && tn_state_own(&sim->state).u != sim->state.u);
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

TN_INLINE bool find_end(const tn_sim *sim, const tn_alpha *c, tn_space *space,
                        tn_step_report *report, const bool balls)
{
    const double enough = fmax(sim->options.position_tolerance, c->round_off);
    double before = 0.0;
    if (!(balls ? predict_and_factor(sim, c, space, report, &before)
                : begin_hinges(sim, c, space, report, &before)))
        return false;
    const int32_t most = sim->options.max_iterations - 1;
    for (int32_t left = most; left >= 0; left--) {
        report->iterations++;
        report->solves++;
        const double now = balls ? correct_by_tiles(sim, c, space, most - left + 1)
                                 : correct_all(sim, c, space, left == most);
        if (now <= enough) {
            space->corrections = most - left + 1;
            return true;
        }
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
    space->has_results = false;
    return find_end(sim, c, space, report, true);
}

/* ---- the filter ---- */

/* y = F x. Returns the square of the forces G^T x that remain, in the metric of H^-1: since (S + E) y = E x, that is
 * y S y = y E (x - y), up to round-off of 1e-16 E of x, about 1e-12 of it. */
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

/* Most passes of the filter: weak rows of long chains need more than two. */
#define TN_SPACE_PASSES 12

/* The passes and the verdict of least_multipliers.c; forces are squares here. */
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
    end_balls(space);
    return find_part(sim, space, report, true);
}

/* ---- results ---- */

static void finish_hinges_of(const tn_sim *sim, const tn_alpha *c, tn_space *space,
                             tn_loop_step_results *results)
{
    *results = finish_hinges(sim, c, space);
}

/* Writes back and computes results, unless the iteration has done so. */
static void finish_balls(const tn_sim *sim, const tn_alpha *c, tn_space *space,
                         tn_loop_step_results *results)
{
    *results = space->has_results ? space->results : finish_tiles(sim, c, space);
    space->has_results = false;
}
