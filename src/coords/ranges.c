/* ranges.c: room coords: coordinates of a loop that are outside their ranges at the start of a call.
 *
 * A range may have been narrowed, or a drawing closed outside one. Following a path only prevents
 * coordinates from going further out. So before requests are met, coordinates outside are moved back to the
 * nearer end of their ranges, like requests, with everything else moving least. Some that locks prevent from
 * moving back may still come back with the requests (a locked crank that is now requested elsewhere).
 * Those that remain outside after them are reported.
 *
 * A loop may have poses inside all ranges only on another branch. If the way back on its own branch fails, poses of
 * small loops are closed from starting values all over the ranges, and the first pose inside all of them is taken.
 */
#include <math.h>
#include <string.h>

#include "real/real.h"

#include "coords/coords.h"

static double outside_by(const tn_coords *c, int32_t at)
{
    const double q = c->state->coordinates[at];
    return fmax(q - c->upper[at], c->lower[at] - q);
}

/* Locks are the user's own word against the range. */
static bool is_outside(const tn_coords *c, int32_t at)
{
    return c->hold[at] != TN_KEEP_LOCK && outside_by(c, at) > TN_COORDS_MET;
}

int32_t tn_coords_find_beyond(const tn_coords *c, int32_t block, double *by)
{
    int32_t worst = -1;
    TN_FOR_BLOCK_COORDINATES(c, block, j, i, at)
    if (is_outside(c, at) && (worst < 0 || outside_by(c, at) > *by)) {
        worst = at;
        *by = outside_by(c, at);
    }
    return worst;
}

/* Marks what is outside and free to move; *count of them. */
static tn_status ask_back(tn_coords *c, int32_t block, int32_t *count)
{
    *count = 0;
    TN_FOR_BLOCK_COORDINATES(c, block, j, i, at)
    {
        double freedom;
        if (c->hold[at] != TN_KEEP_FREE || !is_outside(c, at))
            continue;
        const tn_status status = tn_coords_freedom(c, j, i, &freedom);
        if (status != TN_OK)
            return status;
        if (freedom <= TN_AS_NONE)
            continue;
        const double q = c->state->coordinates[at];
        c->hold[at] = TN_KEEP_REQUEST;
        c->target[at] = q;
        c->goal[at] = q > c->upper[at] ? c->upper[at] : c->lower[at];
        c->priority[at] = (*count)++;
    }
    return TN_OK;
}

tn_status tn_coords_pull_into_ranges(tn_coords *c, int32_t block)
{
    int32_t count = 0;
    tn_status status = ask_back(c, block, &count);
    if (status == TN_OK && count > 0)
        status = tn_coords_follow(c, block, c->outcome);
    TN_FOR_BLOCK_COORDINATES(c, block, j, i, at)
    if (c->hold[at] == TN_KEEP_REQUEST) {
        c->hold[at] = TN_KEEP_FREE;
        c->outcome[at] = TN_COORDINATE_SET;
    }
    return status;
}

/* Poses that are tried, and joints of the largest block that they are enough for: 64 starts come to each of two
 * branches of equal catchment but once in 2^64, and to each of 16 but once in 4. */
#define TN_BRANCH_TRIES  64
#define TN_BRANCH_JOINTS 12

static double within(double lower, double upper, double now, double reach, double share)
{
    lower = isfinite(lower) ? lower : fmin(now, upper) - reach;
    upper = isfinite(upper) ? upper : fmax(now, lower) + reach;
    return lower + share * (upper - lower);
}

/* Goals of all coordinates of the block: as requested, as locked, else somewhere in their ranges; the first try:
 * where they are, or at the nearer end. */
static void choose_goals(tn_coords *c, int32_t block, bool first, uint64_t *seed)
{
    TN_FOR_BLOCK_COORDINATES(c, block, j, i, at)
    {
        const bool turns = c->model->joints[j].geometry.cls->info.coordinates[i].angular != 0;
        const double now = c->saved.coordinates[at], share = 0.5 + 0.5 * tn_coords_scatter(seed);
        if (c->kept_hold[at] == TN_KEEP_LOCK || c->kept_hold[at] == TN_KEEP_LINK) {
            c->goal[at] = c->target[at];
        } else if (c->kept_hold[at] == TN_KEEP_FREE) {
            c->goal[at] =
                first ? fmax(c->lower[at], fmin(c->upper[at], now))
                      : within(c->lower[at], c->upper[at], now, turns ? TN_PI : c->size, share);
        }
        c->hold[at] = TN_KEEP_REQUEST;
    }
}

/* Requested coordinates are held again; whole turns are counted from the middle of a range. */
static void hold_as_requested(tn_coords *c, int32_t block)
{
    TN_FOR_BLOCK_COORDINATES(c, block, j, i, at)
    {
        const double middle = 0.5 * (c->lower[at] + c->upper[at]);
        c->hold[at] = c->kept_hold[at] == TN_KEEP_IDLE ? TN_KEEP_REQUEST : c->kept_hold[at];
        c->target[at] = c->hold[at] == TN_KEEP_FREE ? c->target[at] : c->goal[at];
        c->state->coordinates[at] =
            c->hold[at] == TN_KEEP_FREE && isfinite(middle) ? middle : c->goal[at];
    }
}

static bool is_inside(const tn_coords *c, int32_t block)
{
    double by;
    bool met = tn_coords_find_beyond(c, block, &by) < 0;
    TN_FOR_BLOCK_COORDINATES(c, block, j, i, at)
    met = met && (c->kept_hold[at] != TN_KEEP_IDLE ||
                  fabs(c->state->coordinates[at] - c->goal[at]) <= TN_COORDS_MET);
    return met;
}

static tn_status try_pose(tn_coords *c, int32_t block, bool first, uint64_t *seed, bool *inside)
{
    int closed = 0;
    tn_coords_take_pose(c, TN_POSE_BLOCK);
    tn_coords_refresh(c);
    choose_goals(c, block, first, seed);
    tn_coords_turn_block(c, block);
    hold_as_requested(c, block);
    tn_coords_activate(c);
    tn_status status = tn_coords_close_from_here(c, &closed);
    tn_coords_measure(c);
    if (status == TN_OK && closed && tn_coords_find_beyond(c, block, &(double){0.0}) >= 0)
        status = tn_coords_pull_into_ranges(c, block);
    *inside = status == TN_OK && closed && is_inside(c, block);
    return status == TN_ERROR_NOT_CONVERGED ? TN_OK : status;
}

bool tn_coords_find_branch(tn_coords *c, int32_t block)
{
    bool inside = false;
    uint64_t seed = 1;
    tn_status status =
        c->tree.joint_count[block] <= TN_BRANCH_JOINTS ? TN_OK : TN_ERROR_UNSUPPORTED;
    for (int32_t k = 0; k < TN_BRANCH_TRIES && status == TN_OK && !inside; k++) {
        c->poses_tried++;
        status = try_pose(c, block, k == 0, &seed, &inside);
    }
    c->has_last = 0;
    TN_FOR_BLOCK_COORDINATES(c, block, j, i, at)
    {
        if (inside)
            c->outcome[at] = TN_COORDINATE_SET;
    }
    return inside;
}
