/* space_step.c: room method/space: one step of hinges in space: may it be taken, what it begins with, and what was
 * found, to where everybody else looks for it. See space.h.
 */
#include <math.h>
#include <string.h>

#include "joint/rotation_about_z.h"
#include "method/alpha/alpha_tree.h"
#include "method/space/space.h"
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
        tn_v2_store(body->u_before + k, u);
        tn_v2_store(body->dq + k, u + (x_old * a + x_new * a_next));
        tn_v2_store(body->u + k, u + (u_old * a + u_new * a_next));
        tn_v2_store(body->udot + k, next);
        tn_v2_store(body->base + k, base);
    }
}

static void put_pose(tn_space_body *body, const tn_xform *T)
{
    memcpy(body->pose, &T->R, sizeof T->R);
    v3_store(body->pose + 9, T->p);
}

static void begin(const tn_sim *sim, const tn_alpha *c, tn_space *space)
{
    const tn_state *s = &sim->state;
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, s);
    const tn_space_past past = {s->u, s->udot, m.udot_rate, m.acc};
    for (int32_t k = 0; k < space->standing; k++) {
        tn_space_body *body = &space->bodies[space->first_standing + k];
        put_pose(body, tn_system_xform(&sim->sys, body->body));
        memset(body->pull, 0, sizeof body->pull);
    }
    for (int32_t k = 0; k < space->moving; k++) {
        tn_space_body *body = &space->bodies[k];
        const tn_vec3 *x = &s->x[body->body];
        const tn_quat *q = &s->q[body->body];
        tn_v2_store(body->x_before, tn_v2_load(&x->x));
        tn_v2_store(body->x_before + 2, (tn_v2){x->z, 0.0});
        tn_v2_store(body->q_before, tn_v2_load(&q->w));
        tn_v2_store(body->q_before + 2, tn_v2_load(&q->y));
        predict(c, &past, body);
    }
}

/* ---- the end ---- */

static void show_body(tn_sim *sim, const tn_space_body *body)
{
    const tn_alpha_memory m = tn_alpha_remembers(sim->model, &sim->state);
    const tn_vec3 x = v3_load(body->pose + 9);
    tn_xform *T = &sim->sys.T[body->body];
    memcpy(&T->R, body->pose, sizeof T->R);
    T->p = x;
    sim->state.x[body->body] = x;
    sim->state.q[body->body] = (tn_quat){body->q[0], body->q[1], body->q[2], body->q[3]};
    memcpy(sim->state.u + body->at, body->u, sizeof body->u);
    memcpy(sim->state.udot + body->at, body->udot, sizeof body->udot);
    memcpy(m.acc + body->at, body->base, sizeof body->base);
}

/* That of one of them. */
static tn_vec3 one_of(const tn_four *of, int n)
{
    return v3(of[0][n], of[1][n], of[2][n]);
}

/* As tn_joint_refresh has it. */
static void show_frames(const tn_space_hinges *of, int n, tn_joint_kinematics *kin)
{
    const tn_vec3 x = one_of(of->axes, n), y = one_of(of->axes + 3, n), z = one_of(of->axes + 6, n);
    const double cosine = of->turn[0][n], sine = of->turn[1][n];
    const double unit = tn_unit_again(cosine * cosine + sine * sine);
    kin->R_GW = (tn_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
    kin->r_A = one_of(of->arm_a, n);
    kin->r_B = one_of(of->arm_b, n);
    kin->T_GD = (tn_xform){m3_rot_z(unit * cosine, unit * sine), {0.0, 0.0, 0.0}};
    kin->unique = 1;
    kin->off = 0;
    kin->vanished = 0;
    for (int i = 0; i < TN_SPACE_ROWS; i++)
        kin->error[i] = of->error[i][n];
    kin->error[TN_SPACE_ROWS] = 0.0;
}

/* The angle, its turns counted as by tn_joint_follow. */
static double show_angle(const tn_space *space, int32_t k, double h, double before)
{
    const tn_space_hinge *hinge = &space->hinges[k];
    const tn_space_hinges *of = &space->hinge_fours[k / TN_SPACE_SIDE];
    const int n = k % TN_SPACE_SIDE;
    const double speed = v3_dot(hinge->z_a, v3_load(space->bodies[hinge->a].u + 3)) -
                         v3_dot(hinge->z_b, v3_load(space->bodies[hinge->b].u + 3));
    return tn_nearest_turn(tn_atan2(of->turn[1][n], of->turn[0][n]), before + h * speed);
}

/* A sum of the numbers shown. */
static double show_hinge(tn_sim *sim, const tn_space *space, int32_t k, double h)
{
    const tn_space_hinge *hinge = &space->hinges[k];
    const size_t j = (size_t)hinge->joint;
    tn_joint_kinematics *kin = &sim->sys.kin[j];
    double *angle = sim->state.coordinates + j * TN_MAX_COORDINATES;
    show_frames(&space->hinge_fours[k / TN_SPACE_SIDE], k % TN_SPACE_SIDE, kin);
    *angle = show_angle(space, k, h, *angle);
    double *lambda = sim->state.lambda + j * TN_MAX_ROWS, sum = *angle;
    memcpy(lambda, space->y + TN_SPACE_STRIDE * k, TN_SPACE_ROWS * sizeof(double));
    memcpy(sim->sys.phi + hinge->y, kin->error, TN_SPACE_ROWS * sizeof(double));
    for (int n = 0; n < TN_MAX_ROWS; n++)
        sum += lambda[n];
    return sum;
}

static double show(tn_sim *sim, const tn_space *space, double h)
{
    double sum = 0.0;
    for (int32_t k = 0; k < space->moving; k++)
        show_body(sim, &space->bodies[k]);
    for (int32_t k = 0; space->hinge_fours && k < space->hinge_count; k++)
        sum += show_hinge(sim, space, k, h);
    sim->sys.lead = 0.0;
    sim->coordinates_known = sim->factor_is_old = true;
    return sum;
}

/* So that nobody has to look again. */
static void put_told(tn_sim *sim, const tn_space_told *told, tn_step_report *report)
{
    sim->told = (tn_told){.moves = true,
                          .sound = isfinite(told->sum),
                          .errors = true,
                          .balances = told->balances,
                          .moved = told->moved};
    report->position_error = told->position;
    report->angle_error = told->angle;
    report->worst_joint.i = told->worst_joint;
    report->skipped_rows = 0;
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
    if (!space->kernel->iterate(sim, c, space, report) || !tn_space_purge(sim, space, report)) {
        tn_alpha_remembers(sim->model, &sim->state).balance->hinge_steps = -TN_SPACE_PAUSE;
        return false;
    }
    tn_space_told told;
    space->kernel->tell(sim, c, space, &told);
    told.sum += show(sim, space, c->h);
    put_told(sim, &told, report);
    return true;
}
