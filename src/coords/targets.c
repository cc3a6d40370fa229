/* targets.c: room coords: bringing points of bodies to places in the world, loops included.
 *
 * With r = p - p* of each target, J its gradient and s = m_mean / mu, each pass solves
 *     min 1/2 d^T M d + sum s w / 2 |r + J d|^2   with   G d = -phi,
 * Levenberg-Marquardt in the mass metric, and goes back onto the joints; s grows when the misses
 * fall, so the places count more and more and the pull of the mass less and less. A target touches
 * one body, so its J^T J goes into the body's own block. Hard targets weigh a million times more
 * than soft ones. Coordinates that meet the end of their range are held there.
 */
#include <math.h>
#include <string.h>

#include "coords/coords.h"

#define TN_REACH_PASSES 300
/* s over the mean mass: first, growth per pass, last. */
#define TN_REACH_FIRST 1e-1
#define TN_REACH_GROW  2.0
#define TN_REACH_LAST  1e4
/* Targets whose weights differ by more share a scale no more: conditioning. */
#define TN_REACH_SPREAD 1e6
/* Most a body turns (rad) or goes (share of the size) in one pass. */
#define TN_REACH_MAX_TURN 0.2
#define TN_REACH_MAX_MOVE 0.1
/* Share of the size: a pass that moves less is the last; a hard target must be this near. */
#define TN_REACH_STILL 1e-12
#define TN_REACH_HIT   1e-9
/* The joints on the way: aimed at, and good enough per metre of size; passes. */
#define TN_REACH_CLOSED       2e-14
#define TN_REACH_CLOSED_WELL  1e-12
#define TN_REACH_CLOSE_PASSES 10
/* s after a pass that did not help, and below which none will. */
#define TN_REACH_SHRINK 8.0
#define TN_REACH_LEAST  1e-9

/* Row a of J on the body's (v, w). */
static void gradient(const tn_mat3 *R, tn_vec3 p, int a, double row[6])
{
    const tn_vec3 axis = {a == 0, a == 1, a == 2};
    v3_store(row, axis);
    v3_store(row + 3, v3_cross(p, m3_tmulv(R, axis)));
}

void tn_coords_add_targets(tn_coords *c)
{
    for (int32_t k = 0; k < c->target_count; k++) {
        const tn_coords_target *t = &c->targets[k];
        if (t->body < 0 || c->model->bodies[t->body].dim == 0)
            continue;
        const tn_motion_subspace *space = tn_motion_subspace_get(c->model->bodies[t->body].kind);
        double *block = c->sys->values->h + c->sys->layout->h_offset[t->body];
        for (int a = 0; a < 3; a++) {
            double row[6];
            gradient(&c->sys->T[t->body].R, t->p, a, row);
            for (int32_t i = 0; i < space->dim; i++)
                for (int32_t j = 0; j < space->dim; j++)
                    block[i * space->dim + j] +=
                        c->pull_scale * t->weight * row[space->column[i]] * row[space->column[j]];
        }
    }
}

static tn_vec3 miss(const tn_coords *c, const tn_coords_target *t)
{
    return v3_sub(xf_point(tn_system_xform(c->sys, t->body), t->p), t->goal);
}

static void pull(tn_coords *c)
{
    for (int32_t k = 0; k < c->target_count; k++) {
        const tn_coords_target *t = &c->targets[k];
        if (t->body < 0 || c->model->bodies[t->body].dim == 0)
            continue;
        const tn_vec3 r = miss(c, t);
        const tn_vec3 f = v3_scale(-c->pull_scale * t->weight, r);
        const tn_vec3 m = v3_cross(t->p, m3_tmulv(&c->sys->T[t->body].R, f));
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
    for (int32_t j = 0; j < c->model->element_count; j++)
        for (int32_t i = 0; i < c->model->joints[j].geometry.cls->info.coordinate_count; i++) {
            const int32_t at = j * TN_MAX_COORDINATES + i;
            const double q = c->state->coordinates[at];
            if (!c->in[j] || c->hold[at] != TN_KEEP_FREE ||
                (q <= c->upper[at] && q >= c->lower[at]))
                continue;
            c->hold[at] = TN_KEEP_LIMIT;
            c->target[at] = q > c->upper[at] ? c->upper[at] : c->lower[at];
        }
    tn_coords_activate(c);
}

/* Weighted squares of the misses. */
static double merit(const tn_coords *c)
{
    double sum = 0.0;
    for (int32_t k = 0; k < c->target_count; k++) {
        const tn_vec3 r = miss(c, &c->targets[k]);
        sum += c->targets[k].weight * v3_dot(r, r);
    }
    return sum;
}

/* Back onto the joints, whatever that does to the targets. */
static tn_status close_joints(tn_coords *c, double *error)
{
    const int32_t count = c->target_count;
    c->target_count = 0;
    const tn_status status = tn_coords_correct(c, TN_REACH_CLOSED, TN_REACH_CLOSE_PASSES, error);
    c->target_count = count;
    return status;
}

/* One step and back onto the joints; *value is the merit there. */
static tn_status pass(tn_coords *c, double *largest, double *value)
{
    double error;
    tn_coords_errors(c);
    tn_status status = tn_coords_factor(c, 0.0);
    if (status != TN_OK)
        return status;
    pull(c);
    for (int64_t k = 0; k < c->sys->layout->y_size; k++)
        c->sys->g[k] = -c->sys->phi[k];
    status = tn_coords_solve(c);
    if (status != TN_OK)
        return status;
    tn_coords_keep_pose(c, TN_POSE_START);
    tn_coords_advance(c, c->sys->du, moderate(c, largest));
    status = close_joints(c, &error);
    *value = error <= TN_REACH_CLOSED_WELL * fmax(1.0, c->size) ? merit(c) : INFINITY;
    return status;
}

/* s grows until the least of the targets counts as one alone would. */
static double last_scale(const tn_coords *c)
{
    double least = INFINITY, most = 0.0;
    for (int32_t k = 0; k < c->target_count; k++) {
        least = fmin(least, c->targets[k].weight);
        most = fmax(most, c->targets[k].weight);
    }
    return TN_REACH_LAST * fmin(TN_REACH_SPREAD, most / least);
}

static tn_status reach(tn_coords *c)
{
    double mass = 0.0, largest = INFINITY;
    const double last = last_scale(c);
    for (int32_t i = 0; i < c->model->body_count; i++)
        mass += c->model->bodies[i].mass / c->model->body_count;
    c->pull_scale = TN_REACH_FIRST * mass;
    tn_status status = TN_OK;
    double value = merit(c);
    const double hit = TN_REACH_STILL * c->size;
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
    for (int32_t k = 0; k < c->target_count && status == TN_OK; k++)
        if (c->targets[k].hard && !(v3_norm(miss(c, &c->targets[k])) <= TN_REACH_HIT * c->size))
            status = TN_ERROR_NOT_CONVERGED;
    return status;
}

tn_status tn_coords_reach(tn_coords *c, tn_coords_target *targets, int32_t count,
                          const tn_coordinate_request *held, int32_t held_count,
                          tn_placement_report *report)
{
    tn_state_copy(&c->saved, c->state);
    c->beyond = -1;
    tn_coords_enter_whole(c);
    for (int32_t k = 0; k < held_count; k++) {
        const int32_t at = held[k].joint.i * TN_MAX_COORDINATES + held[k].coordinate;
        c->hold[at] = TN_KEEP_REQUEST;
        c->target[at] = c->state->coordinates[at];
    }
    tn_coords_activate(c);
    c->targets = targets;
    c->target_count = count;
    tn_status status = reach(c);
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
        tn_state_copy(c->state, &c->saved);
        tn_coords_refresh(c);
    }
    return report->status = status;
}
