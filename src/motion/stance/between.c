/* between.c: room motion/stance: see between.h. */
#include "motion/stance/between.h"

#include <float.h>
#include <math.h>

#include "assemble/body_terms.h"
#include "assemble/elements.h"
#include "motion/stance/held_turns.h"
#include "motion/stance/stance_impl.h"

/* rad: a turn along held coordinates below this is rounding, and is left. */
#define TN_HELD_ENOUGH (8.0 * DBL_EPSILON)

/* Rotation of a link relative to the inner one, q_inner^-1 q_outer; relative to the world where that does not move. */
static tn_quat against(const tn_state *state, const tn_stance *stance, const tn_tree_link *link)
{
    const tn_quat q = state->q[link->body];
    return link->inner < 0 ? q : q_mul(q_conjugate(state->q[stance->links[link->inner].body]), q);
}

/* Angular velocity against the inner body, body axes; R of q_inner^-1 q_outer. */
static tn_vec3 rate_against(const tn_state *state, const tn_stance *stance,
                            const tn_tree_link *link, tn_quat q)
{
    const tn_vec3 w = v3_load(state->u + link->u + 3);
    if (link->inner < 0)
        return w;
    const tn_mat3 R = q_to_m3(q);
    return v3_sub(w, m3_tmulv(&R, v3_load(state->u + stance->links[link->inner].u + 3)));
}

/* The component of a turn that the joint allows: of a hinge along its axis. */
static tn_vec3 of_axis(const tn_tree_link *link, tn_vec3 turn)
{
    return link->is_hinge ? v3_scale(v3_dot(link->axis, turn), link->axis) : turn;
}

static void keep_course(const tn_sim *sim, const tn_tree_link *link, double length,
                        tn_stance_course *course)
{
    const tn_state *from = &sim->mark, *to = &sim->state;
    const tn_quat q_0 = against(from, sim->stance, link), q_1 = against(to, sim->stance, link);
    const tn_mat3 R = q_to_m3(q_mul(q_conjugate(q_0), q_1));
    const tn_vec3 turn = m3_log(&R);
    const tn_vec3 w_0 = rate_against(from, sim->stance, link, q_0);
    const tn_vec3 w_1 = rate_against(to, sim->stance, link, q_1);
    course->q = q_0;
    course->turn = of_axis(link, turn);
    course->turn_0 = of_axis(link, v3_scale(length, w_0));
    course->turn_1 = of_axis(link, v3_scale(length, tn_m3_rate_of_turn(turn, w_1)));
    if (link->joint >= 0)
        return;
    course->way = v3_sub(to->x[link->body], from->x[link->body]);
    course->way_0 = v3_scale(length, v3_load(from->u + link->u));
    course->way_1 = v3_scale(length, v3_load(to->u + link->u));
}

void tn_stance_ends(tn_sim *sim, double length)
{
    for (int32_t k = 0; k < sim->stance->count; k++)
        keep_course(sim, &sim->stance->links[k], length, &sim->stance->courses[k]);
}

static tn_vec3 cubic(double s, tn_vec3 w, tn_vec3 d_0, tn_vec3 d_1)
{
    return v3(tn_cubic_between(s, 0.0, d_0.x, w.x, d_1.x),
              tn_cubic_between(s, 0.0, d_0.y, w.y, d_1.y),
              tn_cubic_between(s, 0.0, d_0.z, w.z, d_1.z));
}

/* Places a body with this orientation so that its joint is closed. */
static void put_body(tn_sim *sim, const tn_tree_link *link, tn_quat q)
{
    const tn_xform *base = tn_system_xform(&sim->sys, link->inner_body);
    tn_xform *T = &sim->sys.T[link->body];
    sim->state.q[link->body] = q_normalize(q);
    T->R = q_to_m3(sim->state.q[link->body]);
    T->p = v3_sub(v3_add(base->p, m3_mulv(&base->R, link->inner_at)), m3_mulv(&T->R, link->at));
    sim->state.x[link->body] = T->p;
}

/* Removes from the turn of a ball joint the components along its held coordinates. */
static void put_onto_held(tn_sim *sim, const tn_tree_link *link)
{
    tn_vec3 turn = v3(0.0, 0.0, 0.0);
    tn_held_turns held;
    if (!tn_held_turns_find(sim, link->joint, &held))
        return;
    for (int32_t k = 0; k < held.count; k++) {
        const double off = tn_element_hold_error(&sim->sys, &sim->state, link->joint, held.row[k]);
        turn = v3_axpy(turn, -link->sign * off, held.dual[k]);
    }
    if (v3_norm(turn) <= TN_HELD_ENOUGH)
        return;
    put_body(sim, link, q_mul(q_exp(turn), sim->state.q[link->body]));
    tn_joint_refresh(&sim->sys, &sim->state, link->joint);
}

static bool holds_some(const tn_sim *sim, int32_t j)
{
    return !sim->state.plain[j] &&
           sim->state.switches[j].active_count > sim->model->joints[j].kept_bilateral;
}

static void put_floating(tn_sim *sim, const tn_tree_link *link, const tn_stance_course *course,
                         double s, tn_quat q)
{
    tn_vec3 *x = &sim->state.x[link->body];
    *x = v3_add(sim->mark.x[link->body], cubic(s, course->way, course->way_0, course->way_1));
    sim->state.q[link->body] = q_normalize(q);
    sim->sys.T[link->body] = (tn_xform){q_to_m3(sim->state.q[link->body]), *x};
}

void tn_stance_between(tn_sim *sim, double s)
{
    const tn_stance *stance = sim->stance;
    for (int32_t k = 0; k < stance->count; k++) {
        const tn_tree_link *link = &stance->links[k];
        const tn_stance_course *course = &stance->courses[k];
        tn_quat q = q_mul(course->q, q_exp(cubic(s, course->turn, course->turn_0, course->turn_1)));
        if (link->inner >= 0)
            q = q_mul(sim->state.q[stance->links[link->inner].body], q);
        if (link->joint < 0) {
            put_floating(sim, link, course, s, q);
            continue;
        }
        put_body(sim, link, q);
        tn_joint_refresh(&sim->sys, &sim->state, link->joint);
        if (!link->is_hinge && holds_some(sim, link->joint))
            put_onto_held(sim, link);
    }
}
