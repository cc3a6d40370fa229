/* space_step.c: room method/linkage: one step of hinges in space: may it be taken, what it begins with, and what was
 * found, to where everybody else looks for it. See space.h.
 */
#include <math.h>
#include <string.h>

#include "joint/rotation_about_z.h"
#include "method/alpha/alpha_tree.h"
#include "method/linkage/space.h"
#include "motion/kinematics.h"

/* Steps for which an iteration that did not end is not tried again. */
#define TN_SPACE_PAUSE 16.0

/* ---- the beginning ---- */

/* What the prediction goes by, packed as velocities are. */
typedef struct tn_space_past {
    const double *u, *udot, *rate, *acc;
} tn_space_past;

/* With udot going on as it did (generalized_alpha.c). */
static void predict(const tn_alpha *c, const tn_space_past *past, tn_space_body *body)
{
    const double rest = 1.0 / (1.0 - c->am), keep = (1.0 - c->af) * rest;
    const double x_old = c->h * (0.5 - c->beta), x_new = c->h * c->beta;
    const double u_old = c->h * (1.0 - c->gamma), u_new = c->h * c->gamma;
    TN_UNROLL
    for (int64_t k = 0; k < 6; k += 2) {
        const int64_t at = body->at + k;
        const tn_v2 u = tn_v2_load(past->u + at), udot = tn_v2_load(past->udot + at);
        const tn_v2 a = tn_v2_load(past->acc + at),
                    next = udot + c->h * tn_v2_load(past->rate + at);
        const tn_v2 base = (c->af * udot - c->am * a) * rest, a_next = base + keep * next;
        tn_v2_store(body->dq + k, u + (x_old * a + x_new * a_next));
        tn_v2_store(body->u + k, u + (u_old * a + u_new * a_next));
        tn_v2_store(body->udot + k, next);
        tn_v2_store(body->base + k, base);
    }
}

static void begin(const tn_sim *sim, const tn_alpha *c, tn_space *space)
{
    const tn_state *s = &sim->state;
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, s);
    const tn_space_past past = {s->u, s->udot, m.udot_rate, m.acc};
    for (int32_t k = 0; k < space->moving; k++) {
        tn_space_body *body = &space->bodies[k];
        body->x_before = s->x[body->body];
        body->q_before = s->q[body->body];
        predict(c, &past, body);
    }
    for (int32_t k = space->moving; k < space->moving + space->standing; k++) {
        tn_space_body *body = &space->bodies[k];
        const tn_xform *T = tn_system_xform(&sim->sys, body->body);
        body->x = T->p;
        body->R = T->R;
        body->f = body->m = v3(0.0, 0.0, 0.0);
    }
}

/* ---- the end ---- */

static void show_body(tn_sim *sim, const tn_space_body *body)
{
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, &sim->state);
    sim->state.x[body->body] = body->x;
    sim->state.q[body->body] = body->q;
    sim->sys.T[body->body] = (tn_xform){body->R, body->x};
    memcpy(sim->state.u + body->at, body->u, sizeof body->u);
    memcpy(sim->state.udot + body->at, body->udot, sizeof body->udot);
    memcpy(m.acc + body->at, body->base, sizeof body->base);
}

/* As tn_joint_refresh has it; returns the angle, its turns counted as by tn_joint_follow. */
static double show_frames(const tn_space *space, const tn_space_hinge *hinge, double h,
                          double before, tn_joint_kinematics *kin)
{
    const tn_space_body *a = &space->bodies[hinge->a], *b = &space->bodies[hinge->b];
    const tn_vec3 x = hinge->axes[0], y = hinge->axes[1], z = hinge->axes[2];
    const tn_vec3 x_D = m3_mulv(&b->R, hinge->x_b);
    const double cosine = v3_dot(x_D, x), sine = v3_dot(z, v3_cross(x_D, x));
    const double unit = tn_unit_again(cosine * cosine + sine * sine);
    const double speed =
        v3_dot(hinge->z_a, v3_load(a->u + 3)) - v3_dot(hinge->z_b, v3_load(b->u + 3));
    kin->R_GW = (tn_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    kin->r_A = hinge->arm_a;
    kin->r_B = hinge->arm_b;
    kin->T_GD = (tn_xform){m3_rot_z(unit * cosine, unit * sine), {0.0, 0.0, 0.0}};
    kin->unique = 1;
    kin->off = 0;
    kin->vanished = 0;
    memcpy(kin->error, hinge->error, sizeof kin->error);
    return tn_nearest_turn(tn_atan2(sine, cosine), before + h * speed);
}

static void show_hinge(tn_sim *sim, const tn_space *space, int32_t k, double h)
{
    const tn_space_hinge *hinge = &space->hinges[k];
    const size_t j = (size_t)hinge->joint;
    double *angle = sim->state.coordinates + j * TN_MAX_COORDINATES;
    *angle = show_frames(space, hinge, h, *angle, &sim->sys.kin[j]);
    memcpy(sim->state.lambda + j * TN_MAX_ROWS, space->y + TN_SPACE_STRIDE * k,
           TN_SPACE_ROWS * sizeof(double));
    memcpy(sim->sys.phi + hinge->y, hinge->error, TN_SPACE_ROWS * sizeof(double));
}

static void show(tn_sim *sim, const tn_space *space, double h)
{
    for (int32_t k = 0; k < space->moving; k++)
        show_body(sim, &space->bodies[k]);
    for (int32_t k = 0; k < space->hinge_count; k++)
        show_hinge(sim, space, k, h);
    sim->sys.lead = 0.0;
    sim->coordinates_known = sim->factor_is_old = true;
}

/* Nothing but motion happens, and it is to be tried. */
static bool may_step(tn_sim *sim, const tn_alpha *c)
{
    double *pause = &tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps;
    if (c->index_2 || c->needs_reactions || c->some_rest || !tn_alpha_is_left_alone(sim))
        return false;
    *pause = fmin(*pause + 1.0, 0.0);
    return *pause == 0.0;
}

bool tn_space_step(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    tn_space *space = tn_alpha_of(sim)->space;
    if (!space || !may_step(sim, c))
        return false;
    begin(sim, c, space);
    if (!tn_space_iterate(sim, c, space, report) || !tn_space_purge(sim, space, report)) {
        tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps = -TN_SPACE_PAUSE;
        return false;
    }
    show(sim, space, c->h);
    return true;
}
