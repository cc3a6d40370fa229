/* space_tiles.h: room method/space: Newton's iteration of ball joints, tile by tile of the order of the matrix
 * (method/blocks/tiles.h), in fours. Part of space_kernel.h.
 *
 * In: start and prediction of each body. Out: the same bits as those of the stages one after the other over all of
 * them.
 */
#ifndef TN_METHOD_SPACE_SPACE_TILES_H
#define TN_METHOD_SPACE_SPACE_TILES_H

#include "method/space/space_balls.h"
#include "method/space/space_bodies.h"
#include "method/space/space_fetch.h"

/* The data of a step, and its results so far. */
typedef struct tn_space_way {
    const tn_sim *sim;
    const tn_alpha *c;
    tn_space *space;
    double epsilon, pivot;
    tn_space_sizes sizes;
    const int32_t *target; /* position in the updates of the factor */
    bool good;             /* all inertias have an inverse */
    bool rests;            /* a body is at rest */
    /* this may be the last trial: it is written back, with its results in `tally` */
    bool writes_back;
    tn_space_tally tally;
} tn_space_way;

TN_INLINE tn_space_way begin_way(const tn_sim *sim, const tn_alpha *c, tn_space *space)
{
    return (tn_space_way){.sim = sim,
                          .c = c,
                          .space = space,
                          .epsilon = tn_loop_epsilon(&sim->state),
                          .pivot = INFINITY,
                          .sizes = {r_splat(0.0), r_splat(0.0)},
                          .target = space->matrix.target,
                          .good = true};
}

/* ---- forwards ---- */

TN_INLINE void predict_tile(tn_space_way *way, const tn_space_past *past, int32_t t)
{
    tn_space *space = way->space;
    const tn_tiles *tiles = &space->tiles;
    EACH_TURN(&tiles->begun, t, k, {
        fetch_bodies(space, turn_ahead(&tiles->begun, turn, TN_SPACE_FURTHER), true);
        fetch_past(space, past, turn_ahead(&tiles->begun, turn, TN_SPACE_AHEAD));
        way->rests |= begin_four(way->sim, way->c, past, space, k);
    })
    EACH_TURN(&tiles->predicted, t, k, {
        fetch_balls(space, turn_ahead(&tiles->predicted, turn, TN_SPACE_FURTHER),
                    sizeof(tn_space_balls));
        fetch_multipliers(way->sim, space, turn_ahead(&tiles->predicted, turn, TN_SPACE_AHEAD));
        predict_balls(way->sim, way->c, space, k, &way->sizes);
    })
    EACH_TURN(&tiles->measured, t, k,
              way->good &= measure_four(way->c, space, k, &way->sizes, true);)
}

TN_INLINE void factor_tile(tn_space_way *way, int32_t t)
{
    tn_space *space = way->space;
    EACH_TURN(&space->tiles.filled, t, k, {
        fetch_columns(space, turn_ahead(&space->tiles.filled, turn, TN_SPACE_AHEAD));
        set_rhs_of_balls(space, space->y, k);
        fill_of_balls(space, way->epsilon, k);
    })
    const int32_t size = space->tiles.size, first = TN_SPACE_SIDE * size * t,
                  end = ends_at(space, size * (t + 1) - 1);
    const double pivot =
        spd_factor_nodes(&space->matrix, space->y, first, end, &way->target, TN_BALL_ROWS);
    way->pivot = pivot > 0.0 ? spd_smaller(pivot, way->pivot) : -INFINITY;
}

/* The prediction, and the factor with the first half of its solve, like measure_all and factor; false also if a body
 * rests. */
TN_INLINE bool predict_and_factor(const tn_sim *sim, const tn_alpha *c, tn_space *space,
                                  tn_step_report *report, double *before)
{
    tn_space_way way = begin_way(sim, c, space);
    const tn_space_past past = past_of(sim, &sim->state);
    forget_standing(space);
    for (int32_t t = 0; t < space->tiles.count && !way.rests; t++) {
        predict_tile(&way, &past, t);
        factor_tile(&way, t);
    }
    space->some_rest = way.rests;
    *before = largest_of(&way.sizes, way.good);
    if (way.rests || !(*before >= 0.0))
        return false;
    report->factorizations++;
    report->smallest_pivot = fmin(report->smallest_pivot, way.pivot);
    return way.pivot > 0.0;
}

/* ---- backwards ---- */

TN_INLINE void correct_tile(tn_space_way *way, int32_t t)
{
    tn_space *space = way->space;
    const tn_tiles *tiles = &space->tiles;
    const int32_t fours = fours_of(space->hinge_count),
                  first = tiles->size * (tiles->count - 1 - t),
                  end = first + tiles->size < fours ? first + tiles->size : fours;
    for (int32_t k = end - 1; k >= first; k--) {
        fetch_columns(space, k - TN_SPACE_AHEAD);
        spd_backward_nodes(&space->matrix, space->y, TN_SPACE_SIDE * k, ends_at(space, k),
                           TN_BALL_ROWS);
    }
    for (int32_t k = first; k < end; k++) {
        fetch_balls(space, tiles->far ? k - tiles->size : -1,
                    way->writes_back ? offsetof(tn_space_balls, x) : offsetof(tn_space_balls, x_b));
        push_balls(space, space->y, k);
    }
    EACH_TURN(&tiles->corrected, t, k, {
        fetch_bodies(space, turn_ahead(&tiles->corrected, turn, TN_SPACE_FURTHER), false);
        correct_four(way->sim, way->c, space, k);
    })
    EACH_TURN(&tiles->placed, t, k, correct_balls(way->c, space, k, &way->sizes);)
    EACH_TURN(&tiles->residual, t, k, measure_four(way->c, space, k, &way->sizes, false);)
}

/* Writes back bodies and balls that have reached their place with this tile. */
TN_INLINE void write_tile_back(tn_space_way *way, int32_t t)
{
    tn_space *space = way->space;
    const tn_tiles *tiles = &space->tiles;
    EACH_TURN(&tiles->placed, t, k, {
        fetch_shown_joints(way->sim, space, &way->tally,
                           turn_ahead(&tiles->placed, turn, TN_SPACE_AHEAD));
        show_balls(way->sim, space, k, &way->tally);
    })
    EACH_TURN(&tiles->residual, t, k, {
        fetch_shown(way->sim, space, &way->tally,
                    turn_ahead(&tiles->residual, turn, TN_SPACE_AHEAD));
        finish_four(way->sim, way->c, space, k, &way->tally);
    })
}

TN_INLINE void set_rhs_of_tile(tn_space_way *way, int32_t t)
{
    tn_space *space = way->space;
    EACH_TURN(&space->tiles.rhs, t, k, set_rhs_of_balls(space, space->once, k);)
}

TN_INLINE void begin_results(tn_space_way *way)
{
    way->tally = begin_tally(way->sim, way->c, way->space);
}

/* The second half of a solve, and the trial to which it leads. writes_back: writes back on the way, with results in
 * space->results, where that can be undone; else computes the next right-hand side, into `once`, which becomes y. */
TN_INLINE double correct_tiles(const tn_sim *sim, const tn_alpha *c, tn_space *space,
                               bool writes_back)
{
    tn_space_way way = begin_way(sim, c, space);
    begin_results(&way);
    space->has_results = way.writes_back = writes_back;
    for (int32_t t = 0; t < space->tiles.count; t++) {
        correct_tile(&way, t);
        if (writes_back) {
            write_tile_back(&way, t);
        } else {
            set_rhs_of_tile(&way, t);
        }
    }
    if (writes_back)
        space->results = results_of(&way.tally);
    return largest_of(&way.sizes, true);
}

/* The first half of the next solve; if the last trial was written back, its right-hand side is computed first. */
TN_INLINE void solve_forward(tn_space *space)
{
    if (space->has_results) {
        for (int32_t k = 0; k < fours_of(space->hinge_count); k++)
            set_rhs_of_balls(space, space->y, k);
    } else {
        double *const rhs = space->once;
        space->once = space->y;
        space->y = rhs;
    }
    for (int32_t k = 0; k < fours_of(space->hinge_count); k++) {
        fetch_columns(space, k + TN_SPACE_AHEAD);
        spd_forward_nodes(&space->matrix, space->y, TN_SPACE_SIDE * k, ends_at(space, k),
                          TN_BALL_ROWS);
    }
}

/* Writes back a step that was not written back during the iteration. */
TN_INLINE tn_loop_step_results finish_tiles(const tn_sim *sim, const tn_alpha *c, tn_space *space)
{
    tn_space_way way = begin_way(sim, c, space);
    begin_results(&way);
    for (int32_t t = 0; t < space->tiles.count; t++)
        write_tile_back(&way, t);
    return results_of(&way.tally);
}

#endif
