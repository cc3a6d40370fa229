/* sides.c: room batch: see sides.h.
 *
 * All members of a block that are computed in SIMD lanes have the same number of steps left. If one member had to take
 * a step by itself, the others take their surplus steps by themselves (catch_up).
 */
#include "batch/sides.h"

#include "base/base.h"
#include "motion/kinematics.h"
#include "tenon/load.h"

/* ---- making ---- */

static unsigned char *aligned(unsigned char *at)
{
    const uintptr_t over = (uintptr_t)at % TN_LANE_ALIGNMENT;
    return over ? at + (TN_LANE_ALIGNMENT - over) : at;
}

static tn_status make_memory(tn_sides *sides, int32_t threads)
{
    const size_t blocks = (size_t)((sides->count + sides->width - 1) / sides->width);
    sides->block_size = tn_lane_block_size(sides->shape);
    sides->work_size = tn_lane_work_size(sides->shape);
    const size_t works = sides->work_size * (size_t)threads;
    sides->memory = tn_alloc(blocks * sides->block_size + works + TN_LANE_ALIGNMENT, 1);
    sides->fits = tn_alloc((size_t)sides->count, 2);
    sides->taken = TN_NEW_ARRAY(int64_t, sides->count);
    if (!sides->memory || !sides->fits || !sides->taken)
        return TN_ERROR_MEMORY;
    sides->in = sides->fits + sides->count;
    sides->works = aligned(sides->memory);
    sides->blocks = sides->works + works;
    for (int32_t i = 0; i < sides->count; i++)
        sides->fits[i] = tn_lane_fits(sides->shape, sides->sims[i]);
    return TN_OK;
}

tn_status tn_sides_create(tn_sides *sides, tn_sim **sims, tn_status *status, int32_t count,
                          int32_t threads, int32_t most)
{
    tn_status made = TN_OK;
    *sides = (tn_sides){.sims = sims, .status = status, .count = count, .width = 1};
    sides->shape = tn_lane_shape_create(sims[0], most, &made);
    if (!sides->shape)
        return made;
    sides->width = tn_lane_shape_width(sides->shape);
    return make_memory(sides, threads);
}

void tn_sides_destroy(tn_sides *sides)
{
    tn_lane_shape_destroy(sides->shape);
    tn_free(sides->memory);
    tn_free(sides->fits);
    tn_free(sides->taken);
}

/* ---- in and out ---- */

static double *block_of(const tn_sides *sides, int32_t i)
{
    return (double *)(void *)(sides->blocks + (size_t)(i / sides->width) * sides->block_size);
}

void tn_sides_leave(tn_sides *sides, int32_t i, bool for_ever)
{
    if (!sides->shape)
        return;
    if (sides->in[i])
        tn_lane_unpack(sides->shape, block_of(sides, i), i % sides->width, sides->sims[i]);
    sides->in[i] = 0;
    if (for_ever)
        sides->fits[i] = 0;
}

void tn_sides_forget(tn_sides *sides, int32_t i)
{
    if (sides->shape)
        sides->in[i] = 0;
}

void tn_sides_show(const tn_sides *sides, int32_t i)
{
    if (sides->shape && sides->in[i])
        tn_lane_show(sides->shape, block_of(sides, i), i % sides->width, sides->sims[i]);
}

/* ---- stepping ---- */

static bool enter(tn_sides *sides, int32_t i)
{
    if (sides->shape && sides->fits[i] && !sides->in[i]) {
        sides->in[i] = tn_lane_pack(sides->shape, sides->sims[i], sides->h, block_of(sides, i),
                                    i % sides->width);
    }
    return sides->shape && sides->in[i];
}

static void step_alone(const tn_sides *sides, int32_t i)
{
    sides->status[i] = tn_sim_step(sides->sims[i], sides->h, NULL);
    if (sides->status[i] != TN_OK)
        tn_sim_clear_applied(sides->sims[i]);
}

/* Steps a member by itself until it can be computed in lanes again. Returns the number of steps left. */
static int64_t step_until_in(tn_sides *sides, int32_t i, int64_t steps)
{
    while (steps > 0 && sides->status[i] == TN_OK && !enter(sides, i)) {
        step_alone(sides, i);
        steps--;
    }
    return sides->status[i] == TN_OK ? steps : 0;
}

static void step_to_end(tn_sides *sides, int32_t i, int64_t steps)
{
    tn_sides_leave(sides, i, false);
    for (int64_t k = 0; k < steps && sides->status[i] == TN_OK; k++)
        step_alone(sides, i);
}

/* Steps member i by itself until it has, like the others, `steps` left. */
static void catch_up(tn_sides *sides, int32_t i, int64_t left, int64_t steps)
{
    if (left <= steps)
        return;
    step_to_end(sides, i, left - steps);
    if (sides->status[i] == TN_OK && !enter(sides, i))
        step_to_end(sides, i, steps);
}

/* The members of a block. */
typedef struct tn_row {
    int32_t first, count;
    double *block, *work;
} tn_row;

static unsigned lanes_in(const tn_sides *sides, const tn_row *row)
{
    unsigned lanes = 0;
    for (int32_t k = 0; k < row->count; k++)
        lanes |= sides->in[row->first + k] ? 1u << k : 0u;
    return lanes;
}

/* Fills lanes without a member with a copy of one with a member, so that every lane has valid numbers. */
static void fill_lanes(const tn_sides *sides, const tn_row *row, unsigned lanes)
{
    int32_t from = 0;
    while (!(lanes >> from & 1u))
        from++;
    for (int32_t k = 0; k < sides->width; k++) {
        if (!(lanes >> k & 1u))
            tn_lane_copy(sides->shape, row->block, from, k);
    }
}

/* Members that cannot take a step in lanes take it by themselves; the others continue in lanes. */
static void part(tn_sides *sides, const tn_row *row, unsigned left, int64_t steps)
{
    for (int32_t k = 0; k < row->count; k++) {
        if (left >> k & 1u)
            tn_sides_leave(sides, row->first + k, false);
    }
    tn_lane_commit(sides->shape, sides->h, row->block, row->work);
    for (int32_t k = 0; k < row->count; k++) {
        const int32_t i = row->first + k;
        if (!(left >> k & 1u))
            continue;
        step_alone(sides, i);
        if (sides->status[i] == TN_OK && !enter(sides, i))
            step_to_end(sides, i, steps - 1);
    }
}

/* Adds to `taken` of all members, and one more for those that are not out. */
static void count_steps(tn_sides *sides, const tn_row *row, unsigned lanes, int64_t taken,
                        unsigned out)
{
    for (int32_t k = 0; k < row->count; k++) {
        if (lanes >> k & 1u)
            sides->taken[row->first + k] += taken + (out && !(out >> k & 1u));
    }
}

/* Steps in vectors of the machine between two questions whether to stop: 0.1 s of chains of 1000 links. */
#define TN_STEPS_AT_ONCE 64

/* The members that are in go on another time from where they are. */
static void stop(tn_sides *sides, const tn_row *row, unsigned lanes)
{
    for (int32_t k = 0; k < row->count; k++) {
        if (lanes >> k & 1u)
            sides->status[row->first + k] = TN_ERROR_STOPPED;
    }
}

static void step_row(tn_sides *sides, const tn_row *row, int64_t steps)
{
    int64_t left[TN_MOST_LANES], least = steps;
    for (int32_t k = 0; k < row->count; k++) {
        left[k] = step_until_in(sides, row->first + k, steps);
        if (sides->shape && sides->in[row->first + k] && left[k] < least)
            least = left[k];
    }
    if (!sides->shape)
        return;
    for (int32_t k = 0; k < row->count; k++) {
        if (sides->in[row->first + k])
            catch_up(sides, row->first + k, left[k], least);
    }
    unsigned lanes = lanes_in(sides, row);
    if (lanes && least > 0)
        fill_lanes(sides, row, lanes);
    while (lanes && least > 0) {
        unsigned out = 0;
        const int64_t some = least < TN_STEPS_AT_ONCE ? least : TN_STEPS_AT_ONCE;
        const int64_t taken =
            tn_lane_run(sides->shape, sides->h, row->block, row->work, lanes, some, &out);
        count_steps(sides, row, lanes, taken, out);
        least -= taken;
        if (least > 0 && tn_is_stopped()) {
            stop(sides, row, lanes);
            return;
        }
        if (!out)
            continue;
        part(sides, row, out, least--);
        lanes = lanes_in(sides, row);
    }
}

void tn_sides_begin(tn_sides *sides, double h)
{
    for (int32_t i = 0; i < sides->count && sides->h != h; i++)
        tn_sides_leave(sides, i, false);
    sides->h = h;
}

void tn_sides_step(tn_sides *sides, int64_t steps, int32_t thread, int32_t first, int32_t count)
{
    for (int32_t at = 0; at < count; at += sides->width) {
        const int32_t rest = count - at;
        tn_row row = {first + at, rest < sides->width ? rest : sides->width, NULL, NULL};
        if (sides->shape) {
            row.block = block_of(sides, first + at);
            row.work = (double *)(void *)(sides->works + (size_t)thread * sides->work_size);
        }
        step_row(sides, &row, steps);
    }
}
