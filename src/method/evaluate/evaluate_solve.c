/* evaluate_solve.c: room method/evaluate: a stage placed, and its accelerations. See evaluate.h. */
#include <math.h>
#include <string.h>

#include "assemble/body_terms.h"
#include "assemble/drive_terms.h"
#include "assemble/holds.h"
#include "base/base.h"
#include "math/m3.h"
#include "method/evaluate/evaluate.h"
#include "motion/loads.h"

/* ---- a stage is placed ---- */

/* h sum w_i y_i, added to y_0; NULL: 0. */
static void add_up(const tn_joint_stages *w, const tn_stage_sum *sum, const double *of,
                   const double *y_0, double *y)
{
    for (int32_t n = 0; n < w->size; n++) {
        double all = 0.0;
        for (int i = 0; i < sum->count; i++)
            all += sum->weights[i] * of[(size_t)i * (size_t)w->size + (size_t)n];
        y[n] = (y_0 ? y_0[n] : 0.0) + sum->h * all;
    }
}

/* The rotation vector of q from q_0 in its axes. Of those that are the same turn, a whole turn apart, the one that is nearest to
 * what the body was about to turn by. */
static tn_vec3 turn_between(tn_quat q_0, tn_quat q, tn_vec3 expected)
{
    const tn_quat by = q_mul(q_conjugate(q_0), q);
    const tn_vec3 v = v3(by.x, by.y, by.z);
    const double sine = v3_norm(v);
    if (sine == 0.0)
        return v;
    const double angle = 2.0 * tn_atan2(sine, by.w);
    const tn_vec3 axis = v3_scale(1.0 / sine, v);
    const double turns = round((v3_dot(axis, expected) - angle) / (2.0 * TN_PI));
    return v3_scale(angle + 2.0 * TN_PI * turns, axis);
}

/* What the body has moved by, a second. */
static void put_increment(const tn_sim *sim, const tn_tree_link *link, const tn_stage_sum *sum,
                          double *dq)
{
    const int32_t i = link->body;
    const double per_second = 1.0 / sum->h;
    const tn_vec3 expected = v3_scale(sum->at * sum->h, v3_load(sim->mark.u + link->u + 3));
    v3_store(dq + link->u, v3_scale(per_second, v3_sub(sim->state.x[i], sim->mark.x[i])));
    v3_store(dq + link->u + 3,
             v3_scale(per_second, turn_between(sim->mark.q[i], sim->state.q[i], expected)));
}

/* Of what floats, and of a ball joint on what does not move, the speeds of turning are the body's angular velocity: they are copied, as
 * rounding of two turns adds up. NULL: they are not. */
static double *turning_of(const tn_stage_joint *joint, double *s)
{
    const bool is_own = joint->link.inner < 0 && joint->kind != TN_STAGE_SCREWS;
    return is_own ? s + joint->first + joint->count - 3 : NULL;
}

/* Of a body, axes of the world, as the state has it. */
static void put_twist(double *u, const tn_tree_link *link, tn_twist twist, const tn_mat3 *R)
{
    v3_store(u + link->u, twist.v);
    v3_store(u + link->u + 3, m3_tmulv(R, twist.w));
}

void tn_joint_stages_place(tn_joint_stages *w, tn_sim *sim, const tn_stage_sum *sum, double *dq)
{
    add_up(w, sum, w->rates, NULL, w->d);
    add_up(w, sum, w->sdots, w->s_0, w->s);
    for (int32_t k = 0; k < w->count; k++) {
        const tn_tree_link *link = &w->joints[k].link;
        const tn_stage_body *b = &w->bodies[k + 1];
        tn_stage_put_pose(w, sim, k);
        tn_stage_put_motion(w, k);
        put_twist(sim->state.u, link, (tn_twist){b->v, b->w}, &b->R);
        const double *turning = turning_of(&w->joints[k], w->s);
        if (turning)
            memcpy(sim->state.u + link->u + 3, turning, 3 * sizeof *turning);
        put_increment(sim, link, sum, dq);
    }
}

/* ---- its accelerations ---- */

/* What acts along coordinate n, and the acceleration of what holds it. */
static void act_along(tn_sim *sim, const tn_stage_joint *joint, int32_t n, double speed,
                      tn_stage_body *b)
{
    const int32_t j = joint->link.joint, i = joint->coordinate[n];
    const tn_state *s = &sim->state;
    b->effort[n] = 0.0;
    b->given[n] = (double)NAN;
    if (j < 0 || joint->kind != TN_STAGE_SCREWS || s->plain[j])
        return;
    tn_drive *drive = tn_state_drive(s, j, i);
    if (drive) {
        const double q = tn_state_coordinate(s, j, i),
                     soft = tn_soft_row_force(&sim->sys, s, drive, q, speed);
        tn_drive_apply_at(&sim->sys, s, drive, q, speed);
        b->effort[n] = tn_drive_applied(drive) + soft;
        sim->state
            .lambda[(size_t)j * TN_MAX_ROWS + (size_t)tn_motion_row(&sim->model->joints[j], i)] =
            soft;
    }
    if (s->switches[j].hold[i] > TN_HOLD_SPRING)
        b->given[n] = drive && tn_hold_kind_of(s, j, i)->moves ? drive->acceleration : 0.0;
}

/* The body alone, with what acts on it. */
static void put_body(const tn_tree_link *link, const tn_stage_body *b, const double *f,
                     tn_branch *to)
{
    const double m = link->mass;
    memset(&to->I.B, 0, sizeof to->I.B);
    to->I.A = (tn_sym3){m, m, m, 0.0, 0.0, 0.0};
    to->I.C = s3_turned(&link->J, &b->R);
    to->inner = link->inner;
    to->arm = v3(0.0, 0.0, 0.0);
    to->base = b->base;
    to->twist = b->bias;
    to->f = v3_load(f + link->u);
    to->m = m3_mulv(&b->R, v3_load(f + link->u + 3));
}

/* Coordinates that are free, and the twist of those that are held. */
static void put_columns(const tn_stage_joint *joint, const tn_stage_body *b, tn_branch *to)
{
    to->free = 0;
    for (int32_t n = 0; n < joint->count; n++) {
        if (isnan(b->given[n])) {
            tn_branch_motion *motion = &to->motions[to->free++];
            motion->z = b->z[n];
            motion->own = joint->armature[n];
            motion->effort = b->effort[n];
            continue;
        }
        to->twist.v = v3_axpy(to->twist.v, b->given[n], b->z[n].v);
        to->twist.w = v3_axpy(to->twist.w, b->given[n], b->z[n].w);
    }
}

/* All that acts on the bodies. */
static void put_forces(tn_sim *sim)
{
    tn_system *sys = &sim->sys;
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        if (body->dim > 0)
            tn_body_force(body, &sys->T[i].R, sim->model->gravity, sim->state.u, NULL, 1, sys->f);
    }
    if (tn_loads_are(sim))
        tn_loads_add(sim, sim->state.u, false, sys->f);
    memset(sim->state.lambda, 0, sizeof(double) * TN_MAX_ROWS * (size_t)sim->model->element_count);
}

/* s' of its coordinates, and the multipliers of those that are held: what the joint bears along them beside known efforts. */
static void take_coordinates(const tn_joint_stages *w, tn_sim *sim, int32_t k, double *sdot)
{
    const tn_stage_joint *joint = &w->joints[k];
    const tn_stage_body *b = &w->bodies[k + 1];
    const tn_branch *branch = &w->branches[k];
    const int32_t j = joint->link.joint;
    double found[TN_BRANCH_MOTIONS];
    tn_branch_rates(branch, found);
    for (int32_t n = 0, at = 0; n < joint->count; n++) {
        if (isnan(b->given[n])) {
            sdot[joint->first + n] = found[at++];
            continue;
        }
        const int32_t row = tn_motion_row(&sim->model->joints[j], joint->coordinate[n]);
        sdot[joint->first + n] = b->given[n];
        sim->state.lambda[(size_t)j * TN_MAX_ROWS + (size_t)row] =
            v3_dot(b->z[n].v, branch->pull_f) + v3_dot(b->z[n].w, branch->pull_m) +
            joint->armature[n] * b->given[n] - b->effort[n];
    }
}

bool tn_joint_stages_solve(tn_joint_stages *w, tn_sim *sim, int i, tn_step_report *report)
{
    double *sdot = w->sdots + (size_t)i * (size_t)w->size,
           *rate = w->rates + (size_t)i * (size_t)w->size;
    put_forces(sim);
    for (int32_t k = 0; k < w->count; k++) {
        const tn_stage_joint *joint = &w->joints[k];
        for (int32_t n = 0; n < joint->count; n++)
            act_along(sim, joint, n, w->s[joint->first + n], &w->bodies[k + 1]);
        put_body(&joint->link, &w->bodies[k + 1], sim->sys.f, &w->branches[k]);
        put_columns(joint, &w->bodies[k + 1], &w->branches[k]);
    }
    if (tn_branches_factorize(w->branches, w->count) >= 0)
        return false;
    report->factorizations++;
    report->solves++;
    tn_branches_solve(w->branches, w->count);
    for (int32_t k = 0; k < w->count; k++) {
        const tn_tree_link *link = &w->joints[k].link;
        put_twist(sim->state.udot, link, w->branches[k].twist, &w->bodies[k + 1].R);
        take_coordinates(w, sim, k, sdot);
        tn_stage_put_rates(w, k, rate);
    }
    return tn_stage_is_solved(w, sim, sdot);
}

/* ---- from the bodies' motion ---- */

/* World axes, of a body's centre of mass. */
static tn_twist twist_of(const double *u, const tn_tree_link *link, const tn_mat3 *R)
{
    return (tn_twist){v3_load(u + link->u), m3_mulv(R, v3_load(u + link->u + 3))};
}

/* Of a body against the inner one, as if that carried it, of velocities or accelerations. */
static tn_twist against_inner(const tn_joint_stages *w, int32_t k, const double *u)
{
    const tn_tree_link *link = &w->joints[k].link;
    const tn_stage_body *b = &w->bodies[k + 1];
    tn_twist twist = twist_of(u, link, &b->R);
    if (link->inner < 0)
        return twist;
    const tn_twist inner = twist_of(u, &w->joints[link->inner].link, &w->bodies[link->inner + 1].R);
    twist.v = v3_sub(v3_sub(twist.v, inner.v), v3_cross(inner.w, b->base));
    twist.w = v3_sub(twist.w, inner.w);
    return twist;
}

/* Speeds, or accelerations, of the coordinates of body k from those of the bodies, less so much. */
static void read(const tn_joint_stages *w, int32_t k, const double *u, tn_twist less, double *s)
{
    const tn_stage_joint *joint = &w->joints[k];
    tn_twist twist = against_inner(w, k, u);
    twist.v = v3_sub(twist.v, less.v);
    twist.w = v3_sub(twist.w, less.w);
    tn_stage_resolve(w, k, twist, s + joint->first);
    double *turning = turning_of(joint, s);
    if (turning)
        memcpy(turning, u + joint->link.u + 3, 3 * sizeof *turning);
}

void tn_joint_stages_read(tn_joint_stages *w, const tn_sim *sim, int i)
{
    const tn_vec3 none = {0.0, 0.0, 0.0};
    double *sdot = w->sdots + (size_t)i * (size_t)w->size,
           *rate = w->rates + (size_t)i * (size_t)w->size;
    for (int32_t k = 0; k < w->count; k++) {
        read(w, k, sim->state.u, (tn_twist){none, none}, w->s);
        tn_stage_put_motion(w, k);
        read(w, k, sim->state.udot, w->bodies[k + 1].bias, sdot);
        tn_stage_put_rates(w, k, rate);
    }
}
