/* space_fetch.h: room method/space: prefetches for the stages of ball joints. Part of space_kernel.h.
 *
 * Stages go through lists of fours (method/blocks/tiles.h), so the fours that follow are known. A stage that is the
 * first of a pass to read or write the data of a four prefetches that data some fours ahead.
 */
#ifndef TN_METHOD_SPACE_SPACE_FETCH_H
#define TN_METHOD_SPACE_SPACE_FETCH_H

#include "method/space/space_evaluate.h"
#include "method/space/space_tell.h"

/* Fours by which a prefetch is ahead, and by which the indices that it needs are. */
enum { TN_SPACE_AHEAD = 4, TN_SPACE_FURTHER = 8, TN_SPACE_CACHE_LINE = 64 };

TN_INLINE void fetch_bytes(const void *from, size_t bytes)
{
    for (size_t n = 0; n < bytes; n += TN_SPACE_CACHE_LINE)
        __builtin_prefetch((const char *)from + n);
}

TN_INLINE void fetch_vector(const double *from, size_t numbers)
{
    __builtin_prefetch(from);
    __builtin_prefetch(from + numbers - 1);
}

/* Bodies of a four. `all`: with the data of the matrix. */
TN_INLINE void fetch_bodies(const tn_space *space, int32_t k, const bool all)
{
    if (k < 0)
        return;
    fetch_bytes(&space->fours[k], sizeof(tn_space_bodies));
    for (int n = 0; n < TN_SPACE_SIDE; n++)
        fetch_bytes(&space->bodies[TN_SPACE_SIDE * k + n],
                    all ? sizeof(tn_space_body) : offsetof(tn_space_body, W));
}

/* Their states at the start of the step. */
TN_INLINE void fetch_past(const tn_space *space, const tn_space_past *past, int32_t k)
{
    for (int n = 0; k >= 0 && n < TN_SPACE_SIDE; n++) {
        const tn_space_body *body = &space->bodies[TN_SPACE_SIDE * k + n];
        const int64_t i = body->body < 0 ? 0 : body->body, at = body->body < 0 ? 0 : body->at;
        fetch_vector(&past->x[i].x, 3);
        fetch_vector(&past->q[i].w, 4);
        fetch_vector(past->u + at, 6);
        fetch_vector(past->udot + at, 6);
        fetch_vector(past->rate + at, 6);
        fetch_vector(past->acc + at, 6);
    }
}

/* This many bytes of a four of balls. */
TN_INLINE void fetch_balls(const tn_space *space, int32_t k, const size_t bytes)
{
    if (k >= 0)
        fetch_bytes(&space->ball_fours[k], bytes);
}

TN_INLINE void fetch_multipliers(const tn_sim *sim, const tn_space *space, int32_t k)
{
    const double *rates = tn_alpha_remembers(sim->model, &sim->state).lambda_rate;
    for (int n = 0; k >= 0 && n < TN_SPACE_SIDE; n++) {
        const int32_t j = space->ball_fours[k].joint[n];
        const size_t at = (size_t)(j < 0 ? 0 : j) * TN_MAX_ROWS;
        fetch_vector(sim->state.lambda + at, 4);
        fetch_vector(rates + at, 4);
    }
}

/* The columns of four balls in the matrix. */
TN_INLINE void fetch_columns(const tn_space *space, int32_t k)
{
    const tn_spd *spd = &space->matrix;
    if (k < 0 || TN_SPACE_SIDE * k >= spd->n || !space->tiles.far)
        return;
    const int32_t first = TN_SPACE_SIDE * k,
                  end = first + TN_SPACE_SIDE < spd->n ? first + TN_SPACE_SIDE : spd->n;
    const size_t numbers = (size_t)spd_block(TN_BALL_ROWS), block = numbers * sizeof(double);
    fetch_bytes(spd->diagonal + (size_t)first * numbers, TN_SPACE_SIDE * block);
    fetch_bytes(spd->block + (size_t)spd->start[first] * numbers,
                (size_t)(spd->start[end] - spd->start[first]) * block);
}

/* The arrays to which bodies are written back, and what their energy accounting reads. */
TN_INLINE void fetch_shown(const tn_sim *sim, const tn_space *space, const tn_space_tally *tally,
                           int32_t k)
{
    for (int n = 0; k >= 0 && n < TN_SPACE_SIDE; n++) {
        const tn_space_body *body = &space->bodies[TN_SPACE_SIDE * k + n];
        const int64_t i = body->body < 0 ? 0 : body->body, at = body->body < 0 ? 0 : body->at;
        fetch_vector(tally->past.u + at, 6);
        fetch_vector(tally->past.udot + at, 6);
        fetch_vector(tally->past.acc + at, 6);
        fetch_vector(&tally->to.x[i].x, 3);
        fetch_vector(&tally->to.q[i].w, 4);
        fetch_vector(tally->to.u + at, 6);
        fetch_vector(tally->to.udot + at, 6);
        fetch_vector(tally->to.acc + at, 6);
        fetch_vector(tally->to.rate + at, 6);
        fetch_vector(&sim->sys.T[i].R.m[0][0], TN_XFORM_NUMBERS);
    }
}

TN_INLINE void fetch_shown_joints(const tn_sim *sim, const tn_space *space,
                                  const tn_space_tally *tally, int32_t k)
{
    for (int n = 0; k >= 0 && n < TN_SPACE_SIDE; n++) {
        const tn_space_ball *ball = &space->balls[TN_SPACE_SIDE * k + n];
        fetch_bytes(&sim->sys.kin[ball->joint], offsetof(tn_joint_kinematics, moving));
        const size_t at = (size_t)ball->joint * TN_MAX_ROWS;
        fetch_vector(tally->past.lambda + at, TN_BALL_ROWS);
        fetch_vector(tally->to.lambda + at, TN_BALL_ROWS);
        fetch_vector(tally->to.lambda_rate + at, TN_BALL_ROWS);
        fetch_vector(sim->sys.phi + ball->y, TN_BALL_ROWS);
    }
}

#endif
