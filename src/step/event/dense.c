/* dense.c: room step/event: states within a part that has been taken, from both of its ends. */
#include "step/event/dense.h"

#include <math.h>
#include <string.h>

#include "assemble/body_terms.h"
#include "base/base.h"
#include "motion/closing/project.h"
#include "motion/kinematics.h"
#include "motion/tree/tree.h"

struct tn_dense {
    double length;           /* s, of the part */
    double time;             /* s, of the state made last */
    double *turn;            /* [velocities] m, rad: from mark to end */
    double *rate_0, *rate_1; /* [velocities] of that, at the ends, times the length */
    double *u_1, *udot_1;    /* [velocities] at the end */
    double *move;            /* [velocities] scratch */
    double *lambda_1;        /* [elements][TN_MAX_ROWS] at the end */
};

tn_status tn_dense_create(tn_sim *sim)
{
    const int64_t n = sim->model->size.velocities;
    const int64_t rows = TN_MAX_ROWS * (int64_t)sim->model->element_count;
    tn_dense *d = sim->dense = TN_NEW(tn_dense);
    double *at = d ? TN_ARENA_ARRAY(&sim->seldom, double, 6 * n + rows) : NULL;
    if (!at)
        return TN_ERROR_MEMORY;
    d->turn = at;
    d->rate_0 = at += n;
    d->rate_1 = at += n;
    d->u_1 = at += n;
    d->udot_1 = at += n;
    d->move = at += n;
    d->lambda_1 = at + n;
    return TN_OK;
}

void tn_dense_destroy(tn_sim *sim)
{
    tn_free(sim->dense);
}

/* q_0^-1 q_1 as a rotation vector. */
static tn_vec3 turn_between(tn_quat q_0, tn_quat q_1)
{
    const tn_mat3 R = q_to_m3(q_mul((tn_quat){q_0.w, -q_0.x, -q_0.y, -q_0.z}, q_1));
    return m3_log(&R);
}

static void keep_body(const tn_sim *sim, int32_t i, double length)
{
    const tn_model_body *body = &sim->model->bodies[i];
    const tn_state *from = &sim->mark, *to = &sim->state;
    tn_vec3 v_0, w_0, v_1, w_1;
    tn_body_unpack(body, from->u, &v_0, &w_0);
    tn_body_unpack(body, to->u, &v_1, &w_1);
    const tn_vec3 turn = turn_between(from->q[i], to->q[i]);
    tn_body_put(body, v3_sub(to->x[i], from->x[i]), turn, sim->dense->turn);
    tn_body_put(body, v3_scale(length, v_0), v3_scale(length, w_0), sim->dense->rate_0);
    tn_body_put(body, v3_scale(length, v_1), v3_scale(length, tn_m3_rate_of_turn(turn, w_1)),
                sim->dense->rate_1);
}

static void keep_bodies(const tn_sim *sim, double length)
{
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        if (sim->model->bodies[i].dim > 0)
            keep_body(sim, i, length);
    }
}

/* rad: bodies that turn further in the part, as their speeds at its ends have it, may do so by any number of turns. */
#define TN_FURTHEST_TURN 1.0

static bool tells_turns(const tn_sim *sim, const double *u, double length)
{
    double most = 0.0;
    for (int32_t i = 0; i < sim->model->body_count; i++)
        most = fmax(most, v3_norm(tn_assemble_twist(&sim->sys, u, i).w));
    return most * length <= TN_FURTHEST_TURN;
}

bool tn_dense_begin(tn_sim *sim, const tn_span *span, double length)
{
    const tn_method *method = span->method;
    tn_dense *d = sim->dense;
    const size_t bytes = sizeof(double) * (size_t)sim->model->size.velocities;
    if (!method->traits.accelerations || method->judge_part || sim->pieces ||
        !tn_body_tree_serves(sim) || !tells_turns(sim, sim->mark.u, length) ||
        !tells_turns(sim, sim->state.u, length))
        return false;
    keep_bodies(sim, length);
    memcpy(d->u_1, sim->state.u, bytes);
    memcpy(d->udot_1, sim->state.udot, bytes);
    memcpy(d->lambda_1, sim->state.lambda,
           sizeof(double) * TN_MAX_ROWS * (size_t)sim->model->element_count);
    d->length = length;
    return true;
}

/* The cubic with these values and rates at 0 and 1. */
static double cubic_between(double s, double w_0, double d_0, double w_1, double d_1)
{
    const double rise = w_1 - w_0, b = 3.0 * rise - 2.0 * d_0 - d_1, a = d_0 + d_1 - 2.0 * rise;
    return w_0 + s * (d_0 + s * (b + s * a));
}

/* Velocities, accelerations and multipliers at a share s of the part, by those of its ends. */
static void interpolate_motion(tn_sim *sim, double s)
{
    const tn_dense *d = sim->dense;
    const size_t rows = TN_MAX_ROWS * (size_t)sim->model->element_count;
    const tn_state *from = &sim->mark;
    tn_state *to = &sim->state;
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        to->u[k] = cubic_between(s, from->u[k], d->length * from->udot[k], d->u_1[k],
                                 d->length * d->udot_1[k]);
        to->udot[k] = from->udot[k] + s * (d->udot_1[k] - from->udot[k]);
    }
    for (size_t k = 0; k < rows; k++)
        to->lambda[k] = from->lambda[k] + s * (d->lambda_1[k] - from->lambda[k]);
}

/* The pose there, off the joints by what the polynomials miss. */
static void interpolate_pose(tn_sim *sim, double s)
{
    const tn_dense *d = sim->dense;
    const tn_state *from = &sim->mark;
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        d->move[k] = cubic_between(s, 0.0, d->rate_0[k], d->turn[k], d->rate_1[k]);
    tn_move_bodies(sim->model, from->x, from->q, d->move, 1.0, sim->state.x, sim->state.q);
    tn_refresh_kinematics(sim);
}

/* A part of the change of the accelerations over the part by which those found may be off it. */
#define TN_WITHIN 0.5

/* Are the accelerations, which were d->move before they were solved for, those of a smooth motion between the
 * ends? As what they move in the part; what poses are met to is no acceleration. */
static bool is_between(const tn_sim *sim)
{
    const tn_dense *d = sim->dense;
    const double h2 = d->length * d->length;
    double change = 0.0, off = 0.0;
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        change = fmax(change, fabs(d->udot_1[k] - sim->mark.udot[k]));
        off = fmax(off, fabs(sim->state.udot[k] - d->move[k]));
    }
    return h2 * off <= TN_WITHIN * h2 * change + sim->options.position_tolerance;
}

/* Its joints, and coordinates that are held. */
static tn_status close(tn_sim *sim, tn_step_report *report)
{
    tn_update_coordinates(sim, sim->dense->time);
    return tn_project_position(sim, sim->options.position_tolerance, report);
}

/* As the polynomials have it. */
static tn_status glance_step(tn_sim *sim, double t, tn_step_report *report)
{
    tn_dense *d = sim->dense;
    (void)report;
    d->time = sim->sys.lead = t;
    interpolate_motion(sim, t / d->length);
    memset(sim->state.memory, 0, sim->state.memory_size);
    interpolate_pose(sim, t / d->length);
    return TN_OK;
}

static tn_status dense_step(tn_sim *sim, double t, tn_step_report *report)
{
    const tn_status status = glance_step(sim, t, report);
    return status == TN_OK ? close(sim, report) : status;
}

static tn_status place_by(tn_sim *sim, const tn_method *method, double t, tn_step_report *report)
{
    tn_state_copy(&sim->state, &sim->mark);
    sim->from = &sim->mark;
    sim->sys.lead = 0.0;
    return tn_part_take(sim, method, t, report);
}

tn_status tn_dense_place(tn_sim *sim, double t, tn_step_report *report)
{
    static const tn_method dense = {.step = dense_step};
    return place_by(sim, &dense, t, report);
}

tn_status tn_dense_glance(tn_sim *sim, double t, tn_step_report *report)
{
    static const tn_method glance = {.step = glance_step};
    return place_by(sim, &glance, t, report);
}

/* So near, as a share of the part, that Taylor's series to second order misses less than rounding. */
#define TN_NEARBY 1e-3

bool tn_dense_reaches(const tn_sim *sim, double t)
{
    return fabs(t - sim->dense->time) <= TN_NEARBY * sim->dense->length;
}

/* x + h u + h^2 u' / 2. */
static void go_along(tn_sim *sim, double h)
{
    tn_state *s = &sim->state;
    double *velocity = sim->dense->move; /* mean of the way */
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        velocity[k] = s->u[k] + 0.5 * h * s->udot[k];
        s->u[k] += h * s->udot[k];
    }
    tn_move_bodies(sim->model, s->x, s->q, velocity, h, s->x, s->q);
    tn_refresh_kinematics(sim);
}

void tn_dense_go_on(tn_sim *sim, double t)
{
    const double h = t - sim->dense->time;
    sim->dense->time = sim->sys.lead = t;
    sim->now = sim->stage_time = sim->event_time + t;
    go_along(sim, h);
    tn_update_coordinates(sim, t);
}

tn_status tn_dense_finish(tn_sim *sim, tn_step_report *report)
{
    tn_dense *d = sim->dense;
    const size_t bytes = sizeof(double) * (size_t)sim->model->size.velocities;
    memcpy(d->move, sim->state.udot, bytes);
    const tn_status status = tn_project_motion(sim, report);
    if (status != TN_OK)
        return status;
    return is_between(sim) ? TN_OK : TN_ERROR_INACCURATE;
}
