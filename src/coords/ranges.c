/* ranges.c: room coords: coordinates of a loop that are outside their ranges to begin with.
 *
 * A range may have been narrowed, or a drawing closed outside one. Following a path only sees to it
 * that nothing goes further out; so before requests are met, what is outside is led back to the
 * nearer end of its range, everything else moving least, as requests of its own. What the locks do
 * not let back may yet come back with the requests (a crank is locked and now asked elsewhere);
 * what is still outside after them is named.
 */
#include <math.h>

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
