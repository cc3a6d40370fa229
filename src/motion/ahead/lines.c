/* lines.c: room motion/ahead: refuses steps in which the line between two points shrinks to nothing.
 *
 * The distance of two points has no gradient where they meet, and beyond that point the force of its row has the wrong
 * sign: it pushes where it pulled. That does no harm while nothing acts along the line. If a coupling, a lock or a
 * spring does, as on a rope that runs out through its pulley, the motion cannot continue: the step is refused and the
 * joint named.
 */
#include <math.h>

#include "motion/ahead/refusals.h"

/* A line has passed through zero length if its direction reverses and the straight way between both ends passes within
 * this share of their distances: a reversal with some length left would need more than 174 degrees in one step. */
#define TN_LINE_THROUGH 0.05

static tn_vec3 point_of(const tn_state *state, int32_t body, tn_vec3 p)
{
    if (body < 0)
        return p;
    const tn_mat3 R = q_to_m3(state->q[body]);
    return v3_add(state->x[body], m3_mulv(&R, p));
}

static tn_vec3 line_of(const tn_state *state, const tn_model_joint *joint)
{
    return v3_sub(point_of(state, joint->a, joint->geometry.T_CA.p),
                  point_of(state, joint->b, joint->geometry.T_DB.p));
}

static int went_through(tn_vec3 before, tn_vec3 after)
{
    const tn_vec3 way = v3_sub(after, before);
    const double square = v3_dot(way, way);
    if (!(v3_dot(before, after) < 0.0) || !(square > 0.0))
        return 0;
    const tn_vec3 nearest = v3_axpy(before, -v3_dot(before, way) / square, way);
    return v3_norm(nearest) < TN_LINE_THROUGH * fmax(v3_norm(before), v3_norm(after));
}

static bool is_coupled(const tn_sim *sim, int32_t j)
{
    const tn_model *model = sim->model;
    for (int32_t k = 0; k < model->coupling_count; k++) {
        const int32_t element = model->joint_count + k;
        const tn_switches *s = &sim->state.switches[element];
        if (!tn_state_is_on(model, &sim->state, element) ||
            (s->active_count == 0 && s->drive == TN_NO_DRIVE))
            continue;
        for (int32_t t = model->term_start[k]; t < model->term_start[k + 1]; t++) {
            if (model->terms[t].joint == j)
                return true;
        }
    }
    return false;
}

/* Does something act along the line of joint j? */
static bool is_in_use(const tn_sim *sim, int32_t j)
{
    const tn_switches *s = &sim->state.switches[j];
    return tn_state_is_on(sim->model, &sim->state, j) &&
           (s->active_count > 0 || s->drive != TN_NO_DRIVE || is_coupled(sim, j));
}

/* Velocity of a point of a body, m/s. */
static tn_vec3 velocity_of(const tn_sim *sim, int32_t body, tn_vec3 p)
{
    if (body < 0)
        return v3(0.0, 0.0, 0.0);
    const tn_twist twist = tn_assemble_twist(&sim->sys, sim->state.u, body);
    const tn_mat3 R = q_to_m3(sim->state.q[body]);
    return v3_add(twist.v, v3_cross(twist.w, m3_mulv(&R, p)));
}

double tn_lines_rate(const tn_sim *sim, int32_t *joint)
{
    const tn_model *model = sim->model;
    double most = 0.0;
    *joint = -1;
    for (int32_t j = 0; j < model->joint_count && model->lines > 0; j++) {
        const tn_model_joint *of = &model->joints[j];
        if (!of->geometry.cls->rows_may_vanish || !is_in_use(sim, j))
            continue;
        const tn_vec3 line = line_of(&sim->state, of),
                      rate = v3_sub(velocity_of(sim, of->a, of->geometry.T_CA.p),
                                    velocity_of(sim, of->b, of->geometry.T_DB.p));
        const double square = v3_dot(line, line);
        const double shrinks = square > 0.0 ? -v3_dot(line, rate) / square : INFINITY;
        if (shrinks > most) {
            most = shrinks;
            *joint = j;
        }
    }
    return most;
}

tn_status tn_lines_check(const tn_sim *sim, const tn_state *from, tn_step_report *report)
{
    const tn_model *model = sim->model;
    for (int32_t j = 0; j < model->joint_count && model->lines > 0; j++) {
        const tn_model_joint *joint = &model->joints[j];
        if (!joint->geometry.cls->rows_may_vanish || !is_in_use(sim, j) ||
            !went_through(line_of(from, joint), line_of(&sim->state, joint)))
            continue;
        report->culprit_joint.i = j;
        return TN_ERROR_SINGULAR;
    }
    return TN_OK;
}
