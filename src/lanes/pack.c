/* pack.c: room lanes: worlds into lanes of a block and back. A world alone has the same numbers in the
 * same order as a lane (block.h). */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "joint/rotation_about_z.h"
#include "lanes/block.h"
#include "lanes/lanes.h"
#include "law/at_steps.h"
#include "math/lanes.h"
#include "method/hinges/alpha_hinges.h"
#include "motion/closing/gap.h"
#include "motion/kinematics.h"

/* Beyond this, m, m/s and so on, nothing is packed: squares of squares are to be numbers. */
#define TN_LANE_SMALL 1e60

/* ---- whether ---- */

static bool is_zero(double a)
{
    return a == 0.0 && !signbit(a);
}

/* Nothing acts but the joints, nothing can happen, and the step before went well. */
static bool is_quiet(const tn_sim *sim)
{
    const tn_state_head *head = sim->state.head;
    return !head->restart && !sim->apart && head->part_size == 0.0 && head->limited == 0 &&
           head->applied == 0 && head->losing == 0.0 && head->breakable == 0 &&
           sim->model->floating_count == 0 && sim->model->load_count == 0 &&
           sim->model->solid_count == 0 && is_zero(sim->state.load_power[0]) &&
           is_zero(sim->state.load_power[1]) && !tn_at_steps(sim) &&
           sim->options.solver != TN_SOLVER_SEQUENTIAL_IMPULSES;
}

static bool is_moderate(const tn_sim *sim)
{
    const tn_state *s = &sim->state;
    const size_t bodies = (size_t)sim->model->body_count;
    const size_t n = (size_t)sim->model->size.velocities;
    return tn_largest_size(&s->x->x, 3 * bodies) < TN_LANE_SMALL &&
           tn_largest_size(&s->q->w, 4 * bodies) < 2.0 &&
           tn_largest_size(s->u, n) < TN_LANE_SMALL && tn_largest_size(s->udot, n) < TN_LANE_SMALL;
}

/* ---- a world alone ---- */

static tn_mat3 rotation_of(const tn_sim *sim, int32_t body)
{
    return tn_system_xform(&sim->sys, body)->R;
}

static bool is_symmetric(const tn_mat3 *J)
{
    return J->m[0][1] == J->m[1][0] && J->m[0][2] == J->m[2][0] && J->m[1][2] == J->m[2][1];
}

static bool put_body(const tn_lane_shape *shape, const tn_sim *sim, int32_t k, tn_lane_body *out)
{
    const tn_model_body *body = &sim->model->bodies[shape->body[k]];
    const tn_joint_geometry *geometry = &sim->model->joints[shape->joint[k]].geometry;
    const tn_mat3 *J = &body->J;
    *out = (tn_lane_body){
        .link = tn_alpha_hinge_link(sim, k),
        .R_CA = geometry->T_CA.R,
        .R_DB = geometry->T_DB.R,
        .base_R = rotation_of(sim, shape->inner_body[k]),
    };
    return is_symmetric(J);
}

/* The angle of a hinge, rad, within half a turn. */
static double remembered_angle(const tn_lane_shape *shape, int32_t k, const tn_hinge_memory *memory)
{
    return tn_alpha_hinge_coordinate(memory, shape->is_a[k], 0.0);
}

/* Is the coordinate, to the last bit, what the angle and the turns give? */
static bool put_turns(const tn_lane_shape *shape, const tn_sim *sim, int32_t k, tn_lane_limb *out)
{
    const double q = tn_state_coordinate(&sim->state, shape->joint[k], 0);
    out->turns = tn_whole_turns(q - remembered_angle(shape, k, &out->memory));
    return tn_alpha_hinge_coordinate(&out->memory, shape->is_a[k], q) == q;
}

static bool put_limb(const tn_lane_shape *shape, const tn_sim *sim, int32_t k, tn_lane_limb *out)
{
    const tn_state *s = &sim->state;
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, s);
    const int32_t i = shape->body[k], j = shape->joint[k];
    const int64_t u = sim->model->bodies[i].u;
    const double *lambda = s->lambda + (size_t)j * TN_MAX_ROWS;
    const double *rate = m.lambda_rate + (size_t)j * TN_MAX_ROWS;
    out->pose = (tn_body_pose){s->x[i], s->q[i]};
    memcpy(out->at.u, s->u + u, sizeof out->at.u);
    memcpy(out->at.udot, s->udot + u, sizeof out->at.udot);
    memcpy(out->at.acc, m.acc + u, sizeof out->at.acc);
    memcpy(out->udot_rate, m.udot_rate + u, sizeof out->udot_rate);
    memcpy(out->lambda, lambda, sizeof out->lambda);
    memcpy(out->lambda_rate, rate, sizeof out->lambda_rate);
    out->memory = *tn_alpha_hinge_memory(sim, s, k);
    return is_zero(lambda[TN_LANE_ROWS]) && is_zero(rate[TN_LANE_ROWS]) &&
           put_turns(shape, sim, k, out);
}

static void put_world(const tn_lane_shape *shape, const tn_sim *sim, tn_lane_world *out)
{
    const tn_state_head *head = sim->state.head;
    const tn_tally *tally = &head->tally;
    const tn_alpha_balance *balance = tn_alpha_remembers(sim->model, &sim->state).balance;
    *out = (tn_lane_world){
        .time = head->time,
        .time_rest = head->time_rest,
        .moving = head->moving,
        .made = tally->made,
        .most_made = tally->most_made,
        .most_lost = tally->most_lost,
        .kinetic = tally->kinetic,
        .size = tally->size,
        .noise = tally->noise,
        .steps_asked = head->steps_asked,
        .trust = {balance->hinge_rate, balance->hinge_growth, balance->hinge_believed},
        .corrected = sim->corrected,
        .gravity = sim->model->gravity,
        .lever = sim->model->lever,
        .farthest = 1.0};
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        if (shape->limb[i] < 0) {
            out->farthest = fmax(out->farthest, tn_largest_size(&sim->state.x[i].x, 3));
            continue;
        }
        out->mass += body->mass;
        out->inertia += body->J.m[0][0] + body->J.m[1][1] + body->J.m[2][2];
    }
}

/* ---- lanes ---- */

static void to_lane(const double *alone, size_t count, double *block, int32_t width, int32_t lane)
{
    for (size_t n = 0; n < count; n++)
        block[n * (size_t)width + (size_t)lane] = alone[n];
}

static void from_lane(const double *block, size_t count, int32_t width, int32_t lane, double *alone)
{
    for (size_t n = 0; n < count; n++)
        alone[n] = block[n * (size_t)width + (size_t)lane];
}

enum {
    WORLD = sizeof(tn_lane_world) / sizeof(double),
    LIMB = sizeof(tn_lane_limb) / sizeof(double),
    BODY = sizeof(tn_lane_body) / sizeof(double)
};

/* Index of the first number of link k. */
static size_t limb_at(int32_t k)
{
    return WORLD + (size_t)k * LIMB;
}

static size_t body_at(const tn_lane_shape *shape, int32_t k)
{
    return limb_at(shape->count) + (size_t)k * BODY;
}

bool tn_lane_pack(const tn_lane_shape *shape, const tn_sim *sim, double h, double *block,
                  int32_t lane)
{
    const int32_t width = shape->kernel->width;
    tn_lane_world world;
    if (!is_quiet(sim) || !tn_alpha_tree_goes_on(sim, h) || !tn_alpha_hinges_go_on(sim, h) ||
        !is_moderate(sim))
        return false;
    for (int32_t k = 0; k < shape->count; k++) {
        tn_lane_limb limb;
        tn_lane_body body;
        if (!put_limb(shape, sim, k, &limb) || !put_body(shape, sim, k, &body))
            return false;
        to_lane((double *)&limb, LIMB, block + limb_at(k) * (size_t)width, width, lane);
        to_lane((double *)&body, BODY, block + body_at(shape, k) * (size_t)width, width, lane);
    }
    put_world(shape, sim, &world);
    to_lane((double *)&world, WORLD, block, width, lane);
    return true;
}

void tn_lane_copy(const tn_lane_shape *shape, double *block, int32_t from, int32_t to)
{
    const size_t width = (size_t)shape->kernel->width;
    for (size_t n = 0; n < tn_lane_numbers(shape); n++)
        block[n * width + (size_t)to] = block[n * width + (size_t)from];
}

static void take_limb(const tn_lane_shape *shape, const tn_lane_limb *in, int32_t k, tn_sim *sim)
{
    tn_state *s = &sim->state;
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, s);
    const int64_t u = sim->model->bodies[shape->body[k]].u;
    const size_t rows = (size_t)shape->joint[k] * TN_MAX_ROWS;
    memcpy(s->udot + u, in->at.udot, sizeof in->at.udot);
    memcpy(m.acc + u, in->at.acc, sizeof in->at.acc);
    memcpy(m.udot_rate + u, in->udot_rate, sizeof in->udot_rate);
    memcpy(s->lambda + rows, in->lambda, sizeof in->lambda);
    memcpy(m.lambda_rate + rows, in->lambda_rate, sizeof in->lambda_rate);
    *tn_alpha_hinge_memory(sim, s, k) = in->memory;
}

static void take_placement(const tn_lane_shape *shape, const tn_lane_limb *in, int32_t k,
                           tn_sim *sim)
{
    tn_state *s = &sim->state;
    const int32_t i = shape->body[k];
    s->x[i] = in->pose.x;
    s->q[i] = in->pose.q;
    memcpy(s->u + sim->model->bodies[i].u, in->at.u, sizeof in->at.u);
}

static void take_coordinate(const tn_lane_shape *shape, const tn_lane_limb *in, int32_t k,
                            tn_sim *sim)
{
    const int32_t j = shape->joint[k];
    const double near = remembered_angle(shape, k, &in->memory) + 2.0 * TN_PI * in->turns;
    sim->state.coordinates[(size_t)j * TN_MAX_COORDINATES] =
        tn_alpha_hinge_coordinate(&in->memory, shape->is_a[k], near);
}

static void take_world(const tn_lane_world *in, tn_sim *sim)
{
    tn_state_head *head = sim->state.head;
    tn_tally *tally = &head->tally;
    tn_alpha_balance *balance = tn_alpha_remembers(sim->model, &sim->state).balance;
    head->moving = in->moving;
    head->steps_asked = (int32_t)in->steps_asked;
    tally->made = in->made;
    tally->most_made = in->most_made;
    tally->most_lost = in->most_lost;
    tally->kinetic = in->kinetic;
    tally->size = in->size;
    tally->noise = in->noise;
    balance->hinge_rate = in->trust.rate;
    balance->hinge_growth = in->trust.growth;
    balance->hinge_believed = in->trust.steps;
}

void tn_lane_show(const tn_lane_shape *shape, const double *block, int32_t lane, tn_sim *sim)
{
    const int32_t width = shape->kernel->width;
    tn_lane_world world;
    from_lane(block, WORLD, width, lane, (double *)&world);
    sim->state.sound = false;
    sim->state.head->time = world.time;
    sim->state.head->time_rest = world.time_rest;
    for (int32_t k = 0; k < shape->count; k++) {
        tn_lane_limb limb;
        from_lane(block + limb_at(k) * (size_t)width, LIMB, width, lane, (double *)&limb);
        take_placement(shape, &limb, k, sim);
    }
    tn_refresh_kinematics(sim);
    for (int32_t k = 0; k < shape->count; k++) {
        tn_lane_limb limb;
        from_lane(block + limb_at(k) * (size_t)width, LIMB, width, lane, (double *)&limb);
        take_coordinate(shape, &limb, k, sim);
    }
}

void tn_lane_unpack(const tn_lane_shape *shape, const double *block, int32_t lane, tn_sim *sim)
{
    const int32_t width = shape->kernel->width;
    tn_lane_world world;
    from_lane(block, WORLD, width, lane, (double *)&world);
    take_world(&world, sim);
    for (int32_t k = 0; k < shape->count; k++) {
        tn_lane_limb limb;
        from_lane(block + limb_at(k) * (size_t)width, LIMB, width, lane, (double *)&limb);
        take_limb(shape, &limb, k, sim);
    }
    tn_lane_show(shape, block, lane, sim);
    sim->log.count = 0;
    tn_time_begin(sim);
    sim->stage_time = sim->now;
    sim->sys.lead = 0.0;
}
