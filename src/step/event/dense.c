/* dense.c: room step/event: states within a sub-step that has been taken, interpolated from both of its ends. */
#include "step/event/dense.h"

#include <math.h>
#include <string.h>

#include "assemble/body_terms.h"
#include "base/base.h"
#include "motion/closing/project.h"
#include "motion/kinematics.h"
#include "motion/tree/between.h"
#include "motion/tree/tree.h"

struct tn_dense {
    double length;    /* s, of the sub-step */
    double time;      /* s, of the state made last, */
    bool is_closed;   /* its joints are closed, */
    bool is_glance;   /* or it is as the polynomials have it */
    double *u_1;      /* [velocities] at the end */
    double *udot_1;   /* [velocities] at the end */
    double *lambda_1; /* [elements][TN_MAX_ROWS] at the end */
    /* [2 velocities + elements TN_MAX_ROWS] velocities, accelerations and multipliers of the last solution, less the
     * polynomials' */
    double *solved;
    double solved_at; /* s */
};

tn_status tn_dense_create(tn_sim *sim)
{
    const int64_t n = sim->model->size.velocities;
    const int64_t rows = TN_MAX_ROWS * (int64_t)sim->model->element_count;
    tn_dense *d = sim->dense = TN_NEW(tn_dense);
    double *at = d ? TN_ARENA_ARRAY(&sim->seldom, double, 4 * n + 2 * rows) : NULL;
    if (!at)
        return TN_ERROR_MEMORY;
    d->u_1 = at;
    d->udot_1 = at += n;
    d->lambda_1 = at += n;
    d->solved = at + rows;
    return TN_OK;
}

void tn_dense_destroy(tn_sim *sim)
{
    tn_free(sim->dense);
}

/* rad: a body whose speeds at the ends turn it by more than this in a sub-step is not interpolated, as full turns
 * may be missed. */
#define TN_FURTHEST_TURN 1.0

static bool knows_turns(const tn_sim *sim, const double *u, double length)
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
        !tn_body_tree_serves(sim) || !knows_turns(sim, sim->mark.u, length) ||
        !knows_turns(sim, sim->state.u, length))
        return false;
    d->is_closed = tn_body_tree_between_begin(sim, &sim->mark, length);
    memcpy(d->u_1, sim->state.u, bytes);
    memcpy(d->udot_1, sim->state.udot, bytes);
    memcpy(d->lambda_1, sim->state.lambda,
           sizeof(double) * TN_MAX_ROWS * (size_t)sim->model->element_count);
    d->length = length;
    d->is_glance = false;
    return true;
}

/* The cubic with these values and rates at 0 and 1. */
static double cubic_between(double s, double w_0, double d_0, double w_1, double d_1)
{
    const double rise = w_1 - w_0, b = 3.0 * rise - 2.0 * d_0 - d_1, a = d_0 + d_1 - 2.0 * rise;
    return w_0 + s * (d_0 + s * (b + s * a));
}

/* Accelerations and multipliers at a share s of the sub-step, interpolated between those of its ends. */
static void interpolate_forces(tn_sim *sim, double s)
{
    const tn_dense *d = sim->dense;
    const size_t rows = TN_MAX_ROWS * (size_t)sim->model->element_count;
    const tn_state *from = &sim->mark;
    tn_state *to = &sim->state;
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        to->udot[k] = from->udot[k] + s * (d->udot_1[k] - from->udot[k]);
    for (size_t k = 0; k < rows; k++)
        to->lambda[k] = from->lambda[k] + s * (d->lambda_1[k] - from->lambda[k]);
}

/* Velocities too. */
static void interpolate_motion(tn_sim *sim, double s)
{
    const tn_dense *d = sim->dense;
    const tn_state *from = &sim->mark;
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        sim->state.u[k] = cubic_between(s, from->u[k], d->length * from->udot[k], d->u_1[k],
                                        d->length * d->udot_1[k]);
    interpolate_forces(sim, s);
}

/* Largest difference between solved and interpolated accelerations, as a share of their change over the sub-step. */
#define TN_WITHIN 0.5

/* Do the solved accelerations fit a smooth motion between the ends? They are compared by the distance they move
 * bodies within the sub-step, less the tolerance of poses. */
static bool is_between(const tn_sim *sim)
{
    const tn_dense *d = sim->dense;
    const double h2 = d->length * d->length;
    double change = 0.0, off = 0.0;
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        change = fmax(change, fabs(d->udot_1[k] - sim->mark.udot[k]));
        off = fmax(off, fabs(d->solved[sim->model->size.velocities + k]));
    }
    return h2 * off <= TN_WITHIN * h2 * change + sim->options.position_tolerance;
}

/* Closes joints and puts held coordinates on their values. */
static tn_status close(tn_sim *sim, tn_step_report *report)
{
    tn_update_coordinates(sim, sim->dense->time);
    return sim->dense->is_closed
               ? TN_OK
               : tn_project_position(sim, sim->options.position_tolerance, report);
}

/* Sets the state of the polynomials, without closing joints. */
static tn_status glance_step(tn_sim *sim, double t, tn_step_report *report)
{
    tn_dense *d = sim->dense;
    (void)report;
    d->time = sim->sys.lead = t;
    interpolate_motion(sim, t / d->length);
    tn_body_tree_between_put(sim, t / d->length);
    tn_refresh_kinematics(sim);
    return TN_OK;
}

tn_status tn_dense_glance(tn_sim *sim, double t, tn_step_report *report)
{
    static const tn_method glance = {.step = glance_step};
    if (sim->dense->is_glance && sim->dense->time == t)
        return TN_OK;
    tn_state_copy(&sim->state, &sim->mark);
    sim->from = &sim->mark;
    sim->sys.lead = 0.0;
    sim->dense->is_glance = true;
    return tn_part_take(sim, &glance, t, report);
}

tn_status tn_dense_place(tn_sim *sim, double t, tn_step_report *report)
{
    const tn_status status = tn_dense_glance(sim, t, report);
    sim->dense->is_glance = false;
    return status == TN_OK ? close(sim, report) : status;
}

void tn_dense_take_motion(tn_sim *sim, double t, tn_dense_need of_start)
{
    const tn_dense *d = sim->dense;
    const size_t bytes = sizeof(double) * (size_t)sim->model->size.velocities;
    interpolate_motion(sim, t / d->length);
    if (of_start == TN_NEEDS_FORCES)
        interpolate_forces(sim, 0.0);
    if (of_start == TN_NEEDS_SPEEDS)
        memcpy(sim->state.u, sim->mark.u, bytes);
}

/* Share of the sub-step within which the polynomials' error is taken as constant; its relative change there is of
 * this size. */
#define TN_NEARBY 2e-2

bool tn_dense_reaches(const tn_sim *sim, double t)
{
    return fabs(t - sim->dense->solved_at) <= TN_NEARBY * sim->dense->length;
}

/* to += sign * velocities, accelerations and multipliers of the state. */
static void add_motion(const tn_sim *sim, double sign, double *to)
{
    const tn_state *s = &sim->state;
    const size_t n = (size_t)sim->model->size.velocities,
                 rows = TN_MAX_ROWS * (size_t)sim->model->element_count;
    for (size_t k = 0; k < n; k++)
        to[k] += sign * s->u[k];
    for (size_t k = 0; k < n; k++)
        to[n + k] += sign * s->udot[k];
    for (size_t k = 0; k < rows; k++)
        to[2 * n + k] += sign * s->lambda[k];
}

/* The state's, corrected by the last solution less the polynomials there. */
static void take_solved(tn_sim *sim)
{
    const double *by = sim->dense->solved;
    tn_state *s = &sim->state;
    const size_t n = (size_t)sim->model->size.velocities,
                 rows = TN_MAX_ROWS * (size_t)sim->model->element_count;
    for (size_t k = 0; k < n; k++)
        s->u[k] += by[k];
    for (size_t k = 0; k < n; k++)
        s->udot[k] += by[n + k];
    for (size_t k = 0; k < rows; k++)
        s->lambda[k] += by[2 * n + k];
}

tn_status tn_dense_go_on(tn_sim *sim, double t, tn_step_report *report)
{
    sim->now = sim->stage_time = sim->event_time + t;
    glance_step(sim, t, report);
    take_solved(sim);
    return close(sim, report);
}

/* Solves for what is needed with the factors of the joints. */
static tn_status solve_for(tn_sim *sim, tn_dense_need need, tn_step_report *report)
{
    return need == TN_NEEDS_FORCES   ? tn_project_motion(sim, report)
           : need == TN_NEEDS_SPEEDS ? tn_project_velocity(sim, report)
                                     : TN_OK;
}

tn_status tn_dense_finish(tn_sim *sim, tn_dense_need need, tn_step_report *report)
{
    tn_dense *d = sim->dense;
    const size_t n = (size_t)sim->model->size.velocities,
                 rows = TN_MAX_ROWS * (size_t)sim->model->element_count;
    memset(sim->state.memory, 0, sim->state.memory_size); /* it was the memory at the start */
    memset(d->solved, 0, sizeof(double) * (2 * n + rows));
    add_motion(sim, -1.0, d->solved);
    const tn_status status = solve_for(sim, need, report);
    if (status != TN_OK)
        return status;
    add_motion(sim, 1.0, d->solved);
    d->solved_at = d->time;
    return is_between(sim) ? TN_OK : TN_ERROR_INACCURATE;
}
