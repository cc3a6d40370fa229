/* targets.c: room coords: bringing points of bodies to places in the world, and bodies to
 * orientations, loops included.
 *
 * With r = p - p* of each place, J its gradient and s = m_mean / mu, each pass solves
 *     min 1/2 d^T M d + sum s w / 2 |r + J d|^2   with   G d = -phi,
 * Levenberg-Marquardt in the mass metric, and closes the joints again; s grows when the errors
 * fall, so that targets get more weight and the mass metric less. A target touches
 * one body, so its J^T J goes into the body's own block. Coordinates that meet the end of their
 * range are held there until the step would take them back into it.
 *
 * The miss of an orientation is the rotation vector e = log(R*^T R) in body axes, times the arm.
 * Its angle is at most pi, so it shrinks by the shorter way and nothing flips. With R exp(d) for R,
 *     d(|e|^2 / 2) = e . d   exactly,   the second derivative is 1 along e and
 *     (t / 2) cot(t / 2) <= 1 across it, t = |e|
 * (Park 1995, on the distance of rotations), so J = 1 gives the gradient as it is and a step that
 * never overshoots; at t = 0 it is Newton's.
 *
 * Hard targets weigh a million times more than soft ones; then, the soft ones left out, the hard
 * ones are met with the least movement, which is about a millionth of what the soft ones miss.
 */
#include <math.h>
#include <string.h>

#include "coords/coords.h"

#define TN_REACH_PASSES 300
/* s over the mean mass: first, growth per pass, last. */
#define TN_REACH_FIRST 1e-1
#define TN_REACH_GROW  2.0
#define TN_REACH_LAST  1e4
/* Weight of a soft target of weight 1 if there are hard ones. */
#define TN_REACH_SOFT 1e-6
/* Targets with a larger ratio of weights get separate scales, for conditioning. */
#define TN_REACH_SPREAD 1e6
/* Largest rotation (rad) and displacement (share of the size) of a body in one pass. */
#define TN_REACH_MAX_TURN 0.2
#define TN_REACH_MAX_MOVE 0.1
/* Share of the size: a pass that moves less is the last; a hard target must be this near
 * (angles: rad). */
#define TN_REACH_STILL 1e-12
#define TN_REACH_HIT   1e-9
/* Passes that close the joints on the way. */
#define TN_REACH_CLOSE_PASSES 10
/* s is divided by this after a pass without success; below the second number the search ends. */
#define TN_REACH_SHRINK 8.0
#define TN_REACH_LEAST  1e-9

/* Row a of J on the body's (v, w). */
static void gradient(const tn_mat3 *R, tn_vec3 p, int a, double row[6])
{
    const tn_vec3 axis = {a == 0, a == 1, a == 2};
    v3_store(row, axis);
    v3_store(row + 3, v3_cross(p, m3_tmulv(R, axis)));
}

/* Weight of the squared error of a target, per m^2. */
static double weight_of(const tn_coords *c, const tn_coords_target *t)
{
    return t->hard ? 1.0 : c->soft * t->weight;
}

static bool can_move(const tn_coords *c, const tn_coords_target *t)
{
    return t->body >= 0 && c->model->bodies[t->body].dim > 0;
}

/* scale row row^T into the body's own block of the matrix. */
static void add_square(tn_coords *c, int32_t body, double scale, const double row[6])
{
    const tn_motion_subspace *space = tn_motion_subspace_get(c->model->bodies[body].kind);
    double *block = c->sys->values->h + c->sys->layout->h_offset[body];
    for (int32_t i = 0; i < space->dim; i++) {
        for (int32_t j = 0; j < space->dim; j++)
            block[i * space->dim + j] += scale * row[space->column[i]] * row[space->column[j]];
    }
}

void tn_coords_add_targets(tn_coords *c)
{
    for (int32_t k = 0; k < c->target_count; k++) {
        const tn_coords_target *t = &c->targets[k];
        const double scale = c->pull_scale * weight_of(c, t);
        if (!can_move(c, t))
            continue;
        for (int a = 0; a < 3; a++) {
            double row[6];
            gradient(&c->sys->T[t->body].R, t->p, a, row);
            const double turn[6] = {0.0, 0.0, 0.0, a == 0, a == 1, a == 2};
            if (t->place)
                add_square(c, t->body, scale, row);
            if (t->turn)
                add_square(c, t->body, scale * t->arm * t->arm, turn);
        }
    }
}

/* m, world */
static tn_vec3 place_miss(const tn_coords *c, const tn_coords_target *t)
{
    if (!t->place)
        return v3(0.0, 0.0, 0.0);
    return v3_sub(xf_point(tn_system_xform(c->sys, t->body), t->p), t->goal);
}

/* rad, body axes */
static tn_vec3 turn_miss(const tn_coords *c, const tn_coords_target *t)
{
    static const tn_quat ground = {1.0, 0.0, 0.0, 0.0};
    if (!t->turn)
        return v3(0.0, 0.0, 0.0);
    return tn_coords_turn(t->q, t->body < 0 ? ground : c->state->q[t->body]);
}

static void pull(tn_coords *c)
{
    for (int32_t k = 0; k < c->target_count; k++) {
        const tn_coords_target *t = &c->targets[k];
        const double scale = -c->pull_scale * weight_of(c, t);
        if (!can_move(c, t))
            continue;
        const tn_vec3 f = v3_scale(scale, place_miss(c, t));
        const tn_vec3 arm = v3_cross(t->p, m3_tmulv(&c->sys->T[t->body].R, f));
        const tn_vec3 m = v3_axpy(arm, scale * t->arm * t->arm, turn_miss(c, t));
        tn_body_add(&c->model->bodies[t->body], f, m, c->sys->f);
    }
}

static double moderate(const tn_coords *c, double *largest)
{
    double turn = 0.0, move = 0.0;
    for (int32_t i = 0; i < c->model->body_count; i++) {
        tn_vec3 v, w;
        if (c->model->bodies[i].dim == 0)
            continue;
        tn_body_unpack(&c->model->bodies[i], c->sys->du, &v, &w);
        turn = fmax(turn, v3_norm(w));
        move = fmax(move, v3_norm(v) / c->size);
    }
    *largest = fmax(turn, move);
    return fmin(
        1.0, fmin(TN_REACH_MAX_TURN / fmax(turn, 1e-300), TN_REACH_MAX_MOVE / fmax(move, 1e-300)));
}

static void hold_at_limits(tn_coords *c)
{
    for (int32_t j = 0; j < c->model->element_count; j++) {
        for (int32_t i = 0; i < c->model->joints[j].geometry.cls->info.coordinate_count; i++) {
            const int32_t at = j * TN_MAX_COORDINATES + i;
            const double q = c->state->coordinates[at];
            if (!c->in[j] || c->hold[at] != TN_KEEP_FREE ||
                (q <= c->upper[at] && q >= c->lower[at]))
                continue;
            c->hold[at] = TN_KEEP_LIMIT;
            c->target[at] = q > c->upper[at] ? c->upper[at] : c->lower[at];
        }
    }
    tn_coords_activate(c);
}

/* Weighted sum of the squared errors. */
static double merit(const tn_coords *c)
{
    double sum = 0.0;
    for (int32_t k = 0; k < c->target_count; k++) {
        const tn_coords_target *t = &c->targets[k];
        const tn_vec3 r = place_miss(c, t), e = v3_scale(t->arm, turn_miss(c, t));
        sum += weight_of(c, t) * (v3_dot(r, r) + v3_dot(e, e));
    }
    return sum;
}

/* Closes the joints, without regard to the targets. */
static tn_status close_joints(tn_coords *c, double *error)
{
    const int32_t count = c->target_count;
    c->target_count = 0;
    const tn_status status =
        tn_coords_correct(c, TN_COORDS_ROUND_OFF, TN_REACH_CLOSE_PASSES, error);
    c->target_count = count;
    return status;
}

/* Releases the coordinate that its limit would have to pull outwards most; returns 0 if there is none. */
static int release_limit(tn_coords *c)
{
    int32_t worst = -1;
    double most = 0.0;
    for (int32_t j = 0; j < c->model->element_count; j++) {
        for (int32_t i = 0; i < c->model->joints[j].geometry.cls->info.coordinate_count; i++) {
            const int32_t at = j * TN_MAX_COORDINATES + i;
            if (!c->in[j] || c->hold[at] != TN_KEEP_LIMIT)
                continue;
            const int64_t slot = tn_coords_slot(c, j, i);
            const double push = slot < 0 ? 0.0 : c->sys->y[slot]; /* > 0: upwards */
            const double outwards = c->target[at] <= c->lower[at] ? -push : push;
            worst = outwards > most ? at : worst;
            most = fmax(most, outwards);
        }
    }
    if (worst < 0)
        return 0;
    c->hold[worst] = TN_KEEP_FREE;
    tn_coords_activate(c);
    return 1;
}

/* Computes the step, into sys->du. Each round but the last releases one more held coordinate. */
static tn_status find_step(tn_coords *c)
{
    tn_status status;
    do {
        tn_coords_errors(c);
        status = tn_coords_factor(c, 0.0);
        if (status != TN_OK)
            return status;
        pull(c);
        for (int64_t k = 0; k < c->sys->layout->y_size; k++)
            c->sys->g[k] = -c->sys->phi[k];
        status = tn_coords_solve(c);
    } while (status == TN_OK && release_limit(c));
    return status;
}

/* One step, then closes the joints; *value is the merit there. */
static tn_status pass(tn_coords *c, double *largest, double *value)
{
    double error;
    const tn_status status = find_step(c);
    if (status != TN_OK)
        return status;
    tn_coords_keep_pose(c, TN_POSE_START);
    tn_coords_advance(c, c->sys->du, moderate(c, largest));
    const tn_status closed = close_joints(c, &error);
    *value = error <= tn_coords_closed(c) ? merit(c) : INFINITY;
    return closed;
}

/* Last value of s: at which the target of least weight is as effective as a single target. */
static double last_scale(const tn_coords *c)
{
    double least = INFINITY, most = 0.0;
    for (int32_t k = 0; k < c->target_count; k++) {
        const double weight = weight_of(c, &c->targets[k]);
        least = weight > 0.0 ? fmin(least, weight) : least;
        most = fmax(most, weight);
    }
    return TN_REACH_LAST * fmin(TN_REACH_SPREAD, most / least);
}

/* Descends from the present pose to a minimum of the merit. */
static tn_status descend(tn_coords *c)
{
    double mass = 0.0, largest = INFINITY;
    const double last = last_scale(c), hit = TN_REACH_STILL * c->size;
    for (int32_t i = 0; i < c->model->body_count; i++)
        mass += c->model->bodies[i].mass / c->model->body_count;
    c->pull_scale = TN_REACH_FIRST * mass;
    tn_status status = TN_OK;
    double value = merit(c);
    for (int32_t n = 0; n < TN_REACH_PASSES && status == TN_OK && value > hit * hit; n++) {
        double now;
        status = pass(c, &largest, &now);
        if (status == TN_OK && now < value) {
            value = now;
            tn_coords_measure(c);
            hold_at_limits(c);
            c->pull_scale = fmin(c->pull_scale * TN_REACH_GROW, last * mass);
            continue;
        }
        tn_coords_take_pose(c, TN_POSE_START);
        tn_coords_refresh(c);
        c->pull_scale /= TN_REACH_SHRINK;
        if (largest <= TN_REACH_STILL || c->pull_scale < TN_REACH_LEAST * mass)
            break;
    }
    return status;
}

/* Fills in default arms; returns the number of hard targets. */
static int32_t begin_targets(tn_coords *c)
{
    int32_t hard = 0;
    for (int32_t k = 0; k < c->target_count; k++) {
        tn_coords_target *t = &c->targets[k];
        t->arm = t->arm > 0.0 ? t->arm : c->size;
        hard += t->hard;
    }
    return hard;
}

/* Writes the error of each target; returns 0 if a hard one is not met. */
static int measure_misses(const tn_coords *c, tn_marker_answer *misses)
{
    int met = 1;
    for (int32_t k = 0; k < c->target_count; k++) {
        const tn_coords_target *t = &c->targets[k];
        misses[k].distance = v3_norm(place_miss(c, t));
        misses[k].angle = v3_norm(turn_miss(c, t));
        met = met && (!t->hard || (misses[k].distance <= TN_REACH_HIT * c->size &&
                                   misses[k].angle <= TN_REACH_HIT));
    }
    return met;
}

static tn_status reach(tn_coords *c, tn_marker_answer *misses)
{
    const int32_t hard = begin_targets(c);
    c->soft = hard > 0 ? TN_REACH_SOFT : 1.0;
    tn_status status = descend(c);
    if (status == TN_OK && hard > 0 && hard < c->target_count) {
        c->soft = 0.0;
        status = descend(c);
    }
    return !measure_misses(c, misses) && status == TN_OK ? TN_ERROR_NOT_CONVERGED : status;
}

tn_status tn_coords_reach(tn_coords *c, tn_coords_target *targets, int32_t count,
                          const tn_coordinate_request *held, int32_t held_count,
                          tn_marker_answer *misses, tn_placement_report *report)
{
    tn_coords_save(c);
    c->beyond = -1;
    tn_coords_enter_whole(c);
    for (int32_t k = 0; k < held_count; k++) {
        const int32_t at = tn_coords_element(c, &held[k]) * TN_MAX_COORDINATES + held[k].coordinate;
        c->hold[at] = TN_KEEP_REQUEST;
        c->target[at] = c->state->coordinates[at];
    }
    tn_coords_activate(c);
    c->targets = targets;
    c->target_count = count;
    tn_status status = reach(c, misses);
    c->target_count = 0;
    c->has_last = 0;
    tn_coords_measure(c);
    tn_coords_write_switches(c);
    tn_coords_keep_velocities(c);
    c->state->head->restart = 1;
    tn_coords_report(c, report);
    if (status == TN_OK && !report->converged)
        status = TN_ERROR_NOT_CONVERGED;
    if (status != TN_OK) {
        tn_coords_restore(c);
    }
    return report->status = status;
}
