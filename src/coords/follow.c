/* follow.c: room coords: along a path of coordinate targets, staying on one branch.
 *
 * Targets go linearly from the present values (s = 0) to the goals (s = 1). A step predicts along
 * the tangent and corrects by Newton. It is accepted when the correction is a small part of the step, so
 * that the new pose continues the old one; else it is halved. Where branches cross (a flat
 * parallelogram) the tangent is not unique: then the direction of the previous step is tried, which belongs
 * to the branch the mechanism came on.
 *
 * Ranges: a coordinate that would leave its range is held at its end for the step. If this leaves a
 * requested coordinate no freedom, the request gives way with the outcome "limited"; so does one at a
 * dead point. Requests without freedom because of earlier ones are "dependent". One that is free to first
 * order but does not move is at a crossing of branches: "singular".
 */
#include <math.h>
#include <string.h>

#include "coords/coords.h"

/* If tangent and last direction differ by more than this share, the tangent is doubtful. */
#define TN_FOLLOW_DOUBT 0.3
/* Steps shorter than this share of the one that gave the last direction try the tangent too. Near a dead point the
 * tangent turns faster and faster, and the last direction does not improve with shorter steps. */
#define TN_FOLLOW_STALE 0.1
/* Squared cosine between old and new speeds of the coordinates above which the direction counts as the same. */
#define TN_FOLLOW_SAME_WAY 0.99
/* rad or m: a path that needs steps shorter than this has come to its end. The first step may be shorter, as the way
 * back from a dead point begins with tiny ones; so may steps to a goal that is only a few of them away. */
#define TN_FOLLOW_LEAST_STEP  1e-6
#define TN_FOLLOW_LEAST_FIRST 1e-10
#define TN_FOLLOW_LEAST_LAST  1e-9
#define TN_FOLLOW_LAST        4.0
/* rad or m: the direction of a shorter step is round-off, most of all where branches cross. */
#define TN_FOLLOW_LEAST_WAY 1e-6
/* rad or m: a path shorter than this did not move. Where branches cross, errors are quadratic in the step, so tiny
 * steps along the tangent of neither branch pass as closed. */
#define TN_FOLLOW_NOWHERE 1e-3
/* A coordinate may pass the end of its range by this much, m or rad. */
#define TN_RANGE_SLACK 1e-11

typedef struct tn_path {
    int32_t block;
    double s, ds;  /* 0 .. 1 */
    double length; /* rad or m: the longest way of a request */
    uint64_t key;  /* hash of the requested coordinates */
    int8_t *outcome;
} tn_path;

static void set_targets(tn_coords *c, const tn_path *path, double s)
{
    TN_FOR_BLOCK_COORDINATES(c, path->block, j, i, at)
    if (c->hold[at] == TN_KEEP_REQUEST)
        c->target[at] = s >= 1.0 ? c->goal[at] : c->begin[at] + s * (c->goal[at] - c->begin[at]);
}

/* Begins a path from the present pose to the goals. */
static void begin_path(tn_coords *c, tn_path *path)
{
    tn_coords_keep_pose(c, TN_POSE_PATH);
    path->s = 0.0;
    path->ds = 1.0;
    path->length = 0.0;
    path->key = TN_COORDS_NO_KEY;
    TN_FOR_BLOCK_COORDINATES(c, path->block, j, i, at)
    {
        c->begin[at] = c->state->coordinates[at];
        if (c->hold[at] != TN_KEEP_REQUEST)
            continue;
        path->key = tn_coords_key(path->key, at);
        path->length = fmax(path->length, fabs(c->goal[at] - c->begin[at]));
    }
}

/* d pose / ds on the rows that count, for the targets' speeds. */
static tn_status find_tangent(tn_coords *c, const tn_path *path)
{
    tn_coords_activate(c);
    tn_status status = tn_coords_factor(c, 0.0);
    TN_FOR_BLOCK_COORDINATES(c, path->block, j, i, at)
    if (c->hold[at] == TN_KEEP_REQUEST) {
        const int64_t slot = tn_coords_slot(c, j, i);
        if (slot >= 0)
            c->sys->g[slot] = c->goal[at] - c->begin[at];
    }
    if (status == TN_OK)
        status = tn_coords_solve(c);
    memcpy(c->tangent, c->sys->du, sizeof(double) * (size_t)c->sys->layout->u_size);
    return status;
}

/* Copies the last direction to the tangent, scaled to the requests' speeds. Returns 0 if it cannot be used. */
static int use_last_direction(tn_coords *c, const tn_path *path)
{
    if (!c->has_last)
        return 0;
    double along = 0.0, square = 0.0, wanted = 0.0;
    tn_assemble_speeds(c->sys, c->state, c->last, c->lambda);
    TN_FOR_BLOCK_COORDINATES(c, path->block, j, i, at)
    if (c->hold[at] == TN_KEEP_REQUEST) {
        const int64_t slot = tn_coords_slot(c, j, i);
        const double speed = slot >= 0 ? c->lambda[slot] : 0.0;
        along += speed * (c->goal[at] - c->begin[at]);
        square += speed * speed;
        wanted += (c->goal[at] - c->begin[at]) * (c->goal[at] - c->begin[at]);
    }
    if (!(along * along > TN_FOLLOW_SAME_WAY * square * wanted))
        return 0;
    for (int64_t k = 0; k < c->sys->layout->u_size; k++)
        c->tangent[k] = c->last[k] * along / square;
    return 1;
}

/* The largest step that keeps every body's motion moderate. */
static double moderate(const tn_coords *c, double ds)
{
    for (int32_t i = 0; i < c->model->body_count; i++) {
        if (!c->moves[i] || c->model->bodies[i].dim == 0)
            continue;
        tn_vec3 v, w;
        tn_body_unpack(&c->model->bodies[i], c->tangent, &v, &w);
        ds = fmin(ds, TN_FOLLOW_MAX_TURN / fmax(v3_norm(w), 1e-300));
        ds = fmin(ds, TN_FOLLOW_MAX_MOVE * c->size / fmax(v3_norm(v), 1e-300));
    }
    return ds;
}

static void back_to_start(tn_coords *c)
{
    tn_coords_take_pose(c, TN_POSE_START);
    memcpy(c->state->coordinates, c->coordinate,
           sizeof(double) * TN_MAX_COORDINATES * (size_t)c->model->element_count);
    tn_coords_refresh(c);
}

/* Moves from the start pose along the tangent and back onto the constraints; 1 if the step is accepted. */
static int try_step(tn_coords *c, const tn_path *path, double ds, double trust, tn_status *status)
{
    const double s = path->s + ds;
    const int end = s >= 1.0;
    double error;
    back_to_start(c);
    set_targets(c, path, s);
    tn_coords_advance(c, c->tangent, ds);
    tn_coords_keep_pose(c, TN_POSE_PREDICTED);
    *status = tn_coords_correct(c, end ? TN_COORDS_ROUND_OFF : TN_FOLLOW_TOLERANCE,
                                TN_FOLLOW_PASSES, &error);
    const double good = end ? tn_coords_closed(c) : TN_FOLLOW_TOLERANCE;
    if (*status != TN_OK || !(error <= good))
        return 0;
    tn_coords_difference(c, TN_POSE_PREDICTED, c->sys->du);
    const double correction = tn_coords_norm(c, c->sys->du);
    tn_coords_difference(c, TN_POSE_START, c->sys->du);
    const double step = tn_coords_norm(c, c->sys->du);
    tn_coords_measure(c);
    return correction <= trust * step + 1e-12 * c->size;
}

/* Where branches cross, the tangent of least movement belongs to neither. It is doubtful if it differs much from the
 * direction in which the same requests came here. */
static int tangent_is_doubtful(tn_coords *c, const tn_path *path)
{
    if (!c->has_last || c->last_key != path->key)
        return 0;
    memcpy(c->pull, c->tangent, sizeof(double) * (size_t)c->sys->layout->u_size);
    if (!use_last_direction(c, path))
        return 0;
    double *d = c->sys->du;
    for (int64_t k = 0; k < c->sys->layout->u_size; k++)
        d[k] = c->pull[k] - c->tangent[k];
    const int doubtful = tn_coords_norm(c, d) > TN_FOLLOW_DOUBT * tn_coords_norm(c, c->tangent);
    memcpy(c->tangent, c->pull, sizeof(double) * (size_t)c->sys->layout->u_size);
    return doubtful;
}

/* One step of at most path->ds; *taken is its length, 0 if none is accepted. */
static tn_status step(tn_coords *c, tn_path *path, double *taken)
{
    const double longest = path->ds;
    tn_status status = find_tangent(c, path);
    *taken = 0.0;
    const int last_first = status == TN_OK && tangent_is_doubtful(c, path);
    const int last_only = last_first && longest * path->length > TN_FOLLOW_STALE * c->last_way;
    memcpy(c->true_tangent, c->tangent, sizeof(double) * (size_t)c->sys->layout->u_size);
    for (int attempt = 0; attempt < (last_only ? 1 : 2) && status == TN_OK; attempt++) {
        back_to_start(c);
        memcpy(c->tangent, c->true_tangent, sizeof(double) * (size_t)c->sys->layout->u_size);
        if ((attempt == 0) == last_first && !use_last_direction(c, path))
            continue;
        path->ds = moderate(c, longest);
        if (status == TN_OK && try_step(c, path, path->ds, TN_FOLLOW_TRUST, &status)) {
            *taken = path->ds;
            return status;
        }
    }
    back_to_start(c);
    return status;
}

/* The free coordinate that is furthest outside its range and going outwards; -1: none. */
int32_t tn_coords_find_violation(const tn_coords *c, int32_t block, double *bound)
{
    int32_t worst = -1;
    double largest = TN_RANGE_SLACK;
    TN_FOR_BLOCK_COORDINATES(c, block, j, i, at)
    {
        const double q = c->state->coordinates[at], before = c->coordinate[at];
        const double lower = fmin(c->lower[at], before), upper = fmax(c->upper[at], before);
        const double out = fmax(q - upper, lower - q);
        if (c->hold[at] == TN_KEEP_FREE && out > largest) {
            worst = at;
            largest = out;
            *bound = q > upper ? upper : lower;
        }
    }
    return worst;
}

static void release_limits(tn_coords *c, int32_t block)
{
    TN_FOR_BLOCK_COORDINATES(c, block, j, i, at)
    if (c->hold[at] == TN_KEEP_LIMIT)
        c->hold[at] = TN_KEEP_FREE;
}

/* The request of least priority among those that, left out, set coordinate `at` free. */
static tn_status find_loser(tn_coords *c, const tn_path *path, int32_t at, int32_t *loser)
{
    *loser = -1;
    TN_FOR_BLOCK_COORDINATES(c, path->block, j, i, k)
    {
        if (c->hold[k] != TN_KEEP_REQUEST || (*loser >= 0 && c->priority[k] < c->priority[*loser]))
            continue;
        double freedom;
        c->hold[k] = TN_KEEP_IDLE;
        const tn_status status =
            tn_coords_freedom(c, at / TN_MAX_COORDINATES, at % TN_MAX_COORDINATES, &freedom);
        c->hold[k] = TN_KEEP_REQUEST;
        if (status != TN_OK)
            return status;
        if (freedom > TN_AS_NONE)
            *loser = k;
    }
    return TN_OK;
}

/* For a step beyond the end of a range: holds the coordinate there. If the requests leave it no freedom, one of them is
 * released, and the coordinate is moved to its end instead. */
static tn_status meet_limit(tn_coords *c, tn_path *path, int32_t at, double bound)
{
    double freedom;
    back_to_start(c);
    tn_status status =
        tn_coords_freedom(c, at / TN_MAX_COORDINATES, at % TN_MAX_COORDINATES, &freedom);
    if (status != TN_OK)
        return status;
    if (freedom > TN_AS_NONE) {
        c->hold[at] = TN_KEEP_LIMIT;
        c->target[at] = bound;
        return TN_OK;
    }
    int32_t loser;
    status = find_loser(c, path, at, &loser);
    if (status != TN_OK || loser < 0)
        return status == TN_OK ? TN_ERROR_NOT_CONVERGED : status;
    path->outcome[loser] = TN_COORDINATE_LIMITED;
    c->hold[loser] = TN_KEEP_FREE;
    c->hold[at] = TN_KEEP_REQUEST; /* now a goal of the path */
    c->goal[at] = bound;
    c->priority[at] = c->priority[loser];
    begin_path(c, path);
    return TN_OK;
}

/* No step forward is left: the last request gives way. Either it is at a dead point, or, if it did not move at all,
 * it was free to first order only: it depends on the others, or alone does not determine a path. */
static void give_up_request(tn_coords *c, tn_path *path)
{
    int32_t last = -1, count = 0;
    TN_FOR_BLOCK_COORDINATES(c, path->block, j, i, at)
    if (c->hold[at] == TN_KEEP_REQUEST) {
        count++;
        if (last < 0 || c->priority[at] > c->priority[last])
            last = at;
    }
    if (last < 0)
        return;
    const int moved = fabs(c->state->coordinates[last] - c->begin[last]) > TN_FOLLOW_NOWHERE;
    path->outcome[last] = (int8_t)(moved       ? TN_COORDINATE_LIMITED
                                   : count > 1 ? TN_COORDINATE_DEPENDENT
                                               : TN_COORDINATE_SINGULAR);
    c->hold[last] = TN_KEEP_FREE;
    if (!moved) { /* no creeping up to a dead point, from where there is no way back */
        tn_coords_take_pose(c, TN_POSE_PATH);
        tn_coords_refresh(c);
        tn_coords_measure(c);
    }
    begin_path(c, path);
}

/* The direction at the end of a step: twice the mean one minus the one at its start. */
static void remember_direction(tn_coords *c, const tn_path *path, double ds)
{
    if (ds * path->length < TN_FOLLOW_LEAST_WAY)
        return;
    c->last_key = path->key;
    c->last_way = ds * path->length;
    tn_coords_difference(c, TN_POSE_START, c->last);
    for (int64_t k = 0; k < c->sys->layout->u_size; k++)
        c->last[k] = 2.0 * c->last[k] / ds - c->tangent[k];
    c->has_last = 1;
}

static void keep_start(tn_coords *c)
{
    tn_coords_keep_pose(c, TN_POSE_START);
    memcpy(c->coordinate, c->state->coordinates,
           sizeof(double) * TN_MAX_COORDINATES * (size_t)c->model->element_count);
}

static int32_t count_coordinates(const tn_coords *c, int32_t block)
{
    int32_t count = 0;
    TN_FOR_BLOCK_COORDINATES(c, block, j, i, at)
    count++;
    return count;
}

/* One step with the ranges respected. *taken 0: none is left. Each coordinate may be held at its limit once and
 * replace a request once; if coordinates replace each other alternately, there is no such step. */
static tn_status step_within_ranges(tn_coords *c, tn_path *path, double *taken)
{
    tn_status status = step(c, path, taken);
    int32_t left = 2 * count_coordinates(c, path->block);
    while (status == TN_OK && *taken > 0.0) {
        double bound = 0.0;
        const int32_t at = tn_coords_find_violation(c, path->block, &bound);
        if (at < 0)
            return TN_OK;
        if (left-- == 0)
            return TN_ERROR_NOT_CONVERGED;
        status = meet_limit(c, path, at, bound);
        if (status == TN_OK)
            status = step(c, path, taken);
    }
    return status;
}

/* Closes the loops at the present pose, with all that is still held. */
static tn_status settle(tn_coords *c, const tn_path *path)
{
    double error;
    set_targets(c, path, 1.0);
    tn_coords_activate(c);
    const tn_status status = tn_coords_correct(c, TN_COORDS_ROUND_OFF, TN_FOLLOW_PASSES, &error);
    tn_coords_measure(c);
    if (status != TN_OK)
        return status;
    return error <= tn_coords_closed(c) ? TN_OK : TN_ERROR_NOT_CONVERGED;
}

static double least_step(const tn_path *path)
{
    if (path->s == 0.0)
        return TN_FOLLOW_LEAST_FIRST;
    const double left = (1.0 - path->s) * path->length;
    return left > TN_FOLLOW_LAST * TN_FOLLOW_LEAST_STEP ? TN_FOLLOW_LEAST_STEP
                                                        : TN_FOLLOW_LEAST_LAST;
}

tn_status tn_coords_follow(tn_coords *c, int32_t block, int8_t *outcome)
{
    tn_path path = {.block = block, .outcome = outcome};
    tn_status status = TN_OK;
    begin_path(c, &path);
    for (int32_t n = 0; path.s < 1.0 && path.length > 0.0; n++) {
        if (n == TN_FOLLOW_MAX_STEPS)
            return TN_ERROR_NOT_CONVERGED;
        double taken;
        keep_start(c);
        c->steps++;
        path.ds = fmin(path.ds, 1.0 - path.s);
        status = step_within_ranges(c, &path, &taken);
        release_limits(c, block);
        if (status == TN_OK && taken > 0.0) {
            remember_direction(c, &path, taken);
            path.s = path.s + taken >= 1.0 ? 1.0 : path.s + taken;
            path.ds = TN_FOLLOW_GROWTH * taken;
            continue;
        }
        if (status != TN_OK && status != TN_ERROR_NOT_CONVERGED)
            return status;
        path.ds *= 0.5;
        if (path.ds * path.length < least_step(&path))
            give_up_request(c, &path);
    }
    return settle(c, &path);
}
