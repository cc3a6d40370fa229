/* rkmk.c: room method: one part of a step by Dormand and Prince's Runge-Kutta method 5(4) on the
 * Lie group (Munthe-Kaas).
 *
 * In: sim->mark, the state t seconds after the start, with its accelerations; what is held stays
 * so. Out: the state h seconds later, on its constraints, with the accelerations and multipliers of
 * that very state, and the error. With the poses q = q0 o exp(T), T = (shift, turn in body axes),
 *     T_i = h sum a_ij K_j,    u_i = u0 + h sum a_ij u'_j,
 *     K_i = u_i, but for the turning of spatial bodies dexp^-1(T_i) w_i
 *         = w + T x w / 2 + c(|T|) T x (T x w),    c(x) = (1 - (x/2) cot(x/2)) / x^2,
 *     M u'_i = f(t_i, q_i, u_i) + G^T l_i,    G u'_i = v' - (dG/dt) u_i:   index 1,
 *     error = h sum e_i (K_i, u'_i),    a_7j = b_j.
 *
 * Then momenta of what floats are restored, pose and velocity projected in the mass metric; the
 * seventh stage is at what comes out, and is the first of the next part. The projections move by as
 * much as the step errs, h^6, and do not change the order (Hairer, Lubich, Wanner, IV.4). In loops
 * every stage is projected: off their constraints rows that repeat others are no repetitions, and
 * hold the motion up. That is the same method for u' of the projected pose and velocity, which has
 * the same solutions; Bennett's linkage is 4000 times as near to its path at a tolerance of 1e-8.
 * Dry friction that depends on reactions is iterated at each stage; what slips in a plane turns
 * with its speed. The work of drives is summed with the weights b_i.
 *
 * Limits: the accelerations of rows that yield are explicit, sqrt(m C) limits h. Near a fold, at a
 * distance x, a loop is held on its branch to round-off / x only: parts get short there, and two
 * parallelograms have lost 5e-8 m of their place after 13 folds in 10 s, whatever the tolerance.
 * The report tells (folds).
 */
#include <math.h>
#include <string.h>

#include "real/real.h"
#include "base/base.h"
#include "law/drives.h"
#include "method/rkmk.h"
#include "motion/kinematics.h"
#include "motion/momentum.h"
#include "motion/purge.h"
#include "motion/project.h"

/* Dormand, Prince 1980: c, a, then the last row's a = b; e = b - b^, b^ of order 4. */
typedef struct tn_stage {
    double at; /* of the step */
    double a[TN_RKMK_STAGES - 1];
} tn_stage;

static const tn_stage tableau[TN_RKMK_STAGES] = {
    {0.0, {0.0}},
    {1.0 / 5.0, {1.0 / 5.0}},
    {3.0 / 10.0, {3.0 / 40.0, 9.0 / 40.0}},
    {4.0 / 5.0, {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0}},
    {8.0 / 9.0, {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0}},
    {1.0, {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0}},
    {1.0, {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}},
};
enum { LAST = TN_RKMK_STAGES - 1 };

static const double error_weight[TN_RKMK_STAGES] = {
    71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
    -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};

/* c(x) of the head comment by its series below this angle, rad: what is left out is 1e-17. */
#define TN_SMALL_TURN 1e-2

/* Friction by reactions: passes of a stage, and the share of the largest acceleration by which the
 * last may change it. */
#define TN_STAGE_PASSES 30
#define TN_SAME_UDOT    1e-14

/* Poses are projected this close to their constraints, m and rad, if round-off lets them, or else
 * to the position tolerance: what is left is noise in the accelerations. */
#define TN_CLOSED 1e-13

/* Taking out of the multipliers what nothing determines may change the forces on a body by this
 * share of the largest. */
#define TN_SAME_FORCES 1e-12

tn_status tn_rkmk_create(tn_sim *sim)
{
    const int64_t n = sim->model->size.velocities;
    tn_rkmk *r = sim->work = TN_NEW(tn_rkmk);
    if (!r)
        return TN_ERROR_MEMORY;
    r->block = TN_NEW_ARRAY(double, (2 * TN_RKMK_STAGES + 1) * n);
    if (!r->block)
        return TN_ERROR_MEMORY;
    for (int i = 0; i < TN_RKMK_STAGES; i++) {
        r->rate[i] = r->block + 2 * i * n;
        r->udot[i] = r->rate[i] + n;
    }
    r->dq = r->block + 2 * TN_RKMK_STAGES * n;
    r->length = tn_size_of_mechanism(sim->model);
    return TN_OK;
}

void tn_rkmk_destroy(tn_sim *sim)
{
    if (sim->work)
        tn_free(tn_rkmk_of(sim)->block);
    tn_free(sim->work);
}

tn_pace tn_rkmk_pace(const tn_sim *sim, const double *u)
{
    tn_pace pace = {0.0, 0.0};
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        tn_vec3 v, w;
        tn_body_unpack(&sim->model->bodies[i], u, &v, &w);
        pace.turn = fmax(pace.turn, v3_norm(w));
        pace.any = fmax(pace.any, v3_norm(v) / tn_rkmk_of(sim)->length);
    }
    pace.any = fmax(pace.any, pace.turn);
    return pace;
}

/* Drives as at the start of the part, then at t seconds after it, at the coordinates of the pose.
 */
static void move_drives(tn_sim *sim, double t)
{
    tn_state *s = &sim->state;
    const int32_t count = s->head->drive_count;
    memcpy(s->coordinates, sim->mark.coordinates,
           sizeof(double) * TN_MAX_COORDINATES * (size_t)sim->model->element_count);
    for (int32_t k = 0; k < count; k++) {
        const int32_t j = sim->mark.drives[k].joint;
        s->drives[k] = sim->mark.drives[k];
        *tn_state_edit(s, j) = sim->mark.switches[j];
    }
    tn_update_coordinates(sim, t);
    sim->now = sim->event_time + t;
    tn_drives_move(sim, sim->event_time, t);
    tn_round_turn(sim);
}

/* dq = T_i / h, and the state's pose and velocity those of stage i. */
static void move_to_stage(tn_sim *sim, int i, double h)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    tn_state *s = &sim->state;
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        double rate = 0.0, udot = 0.0;
        for (int j = 0; j < i; j++) {
            rate += tableau[i].a[j] * r->rate[j][k];
            udot += tableau[i].a[j] * r->udot[j][k];
        }
        r->dq[k] = rate;
        s->u[k] = sim->mark.u[k] + h * udot;
    }
    tn_move_bodies(sim->model, sim->mark.x, sim->mark.q, r->dq, h, s->x, s->q);
    sim->sys.lead = h * tableau[i].at;
    tn_refresh_kinematics(sim);
    sim->stage_time = sim->event_time + h * tableau[i].at;
    if (s->head->drive_count > 0)
        move_drives(sim, h * tableau[i].at);
}

/* dexp^-1 of the head comment. */
static tn_vec3 rate_of_turn(tn_vec3 T, tn_vec3 w)
{
    const double x2 = v3_dot(T, T), x = sqrt(x2);
    const double c = x < TN_SMALL_TURN ? 1.0 / 12.0 + x2 * (1.0 / 720.0 + x2 / 30240.0)
                                       : (1.0 - 0.5 * x / tn_tan(0.5 * x)) / x2;
    const tn_vec3 Tw = v3_cross(T, w);
    return v3_axpy(v3_axpy(w, 0.5, Tw), c, v3_cross(T, Tw));
}

/* K_i and u'_i of the state, whose T_i / h is in dq. */
static void keep_stage(tn_sim *sim, int i, double h)
{
    const size_t bytes = sizeof(double) * (size_t)sim->model->size.velocities;
    double *rate = tn_rkmk_of(sim)->rate[i];
    memcpy(rate, sim->state.u, bytes);
    memcpy(tn_rkmk_of(sim)->udot[i], sim->state.udot, bytes);
    for (int32_t k = 0; k < sim->model->body_count; k++) {
        const tn_model_body *body = &sim->model->bodies[k];
        if (body->dim != 6)
            continue;
        const tn_vec3 T = v3_scale(h, v3_load(tn_rkmk_of(sim)->dq + body->u + 3));
        v3_store(rate + body->u + 3, rate_of_turn(T, v3_load(rate + body->u + 3)));
    }
}

/* Largest change of the accelerations against those kept, relative to the largest. */
static double change_of_udot(const tn_sim *sim, double *kept)
{
    double largest = 0.0, change = 0.0;
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        largest = fmax(largest, fabs(sim->state.udot[k]));
        change = fmax(change, fabs(sim->state.udot[k] - kept[k]));
        kept[k] = sim->state.udot[k];
    }
    return largest > 0.0 ? change / largest : 0.0;
}

/* More passes after a first solve where friction depends on the reactions. */
static tn_status settle_friction(tn_sim *sim, int i, tn_step_report *report)
{
    double *kept = tn_rkmk_of(sim)->udot[i];
    tn_status status = TN_OK;
    if (!tn_drives_need_reactions(sim))
        return TN_OK;
    change_of_udot(sim, kept);
    for (int pass = 1; pass < TN_STAGE_PASSES && status == TN_OK; pass++) {
        status = tn_solve_acceleration(sim, report);
        if (status == TN_OK && change_of_udot(sim, kept) <= TN_SAME_UDOT)
            break;
    }
    return status;
}

/* Pose and velocity on their constraints, and the accelerations of there. */
static tn_status close_stage(tn_sim *sim, double h, tn_step_report *report)
{
    const double accepted = sim->options.position_tolerance;
    tn_status status = tn_project_step(sim, h, fmin(TN_CLOSED, accepted), report);
    if (status == TN_ERROR_NOT_CONVERGED && report->position_error <= accepted &&
        report->angle_error <= accepted)
        status = TN_OK;
    return status == TN_OK ? tn_project_motion(sim, report) : status;
}

/* Stage i of the first six, where the state already is; and the work it stands for. */
static tn_status solve_stage(tn_sim *sim, int i, double h, tn_step_report *report)
{
    tn_status status = sim->model->loop_joints > 0 ? close_stage(sim, h, report)
                                                   : tn_solve_acceleration(sim, report);
    if (status == TN_OK)
        status = settle_friction(sim, i, report);
    if (status != TN_OK)
        return status;
    keep_stage(sim, i, h);
    if (tableau[LAST].a[i] != 0.0) {
        tn_drives_power(sim);
        tn_drives_account(sim, h * tableau[LAST].a[i]);
    }
    return TN_OK;
}

/* The end: on the constraints, with the accelerations of there. */
static tn_status solve_end(tn_sim *sim, double h, tn_step_report *report)
{
    tn_momentum_restore(sim, h);
    tn_status status = close_stage(sim, h, report);
    if (status == TN_OK)
        status = settle_friction(sim, LAST, report);
    if (status != TN_OK)
        return status;
    keep_stage(sim, LAST, h);
    if (tn_rows_repeat(sim, report))
        tn_purge_tightly(sim, TN_SAME_FORCES, report);
    return TN_OK;
}

/* The largest error of a body in units of what is allowed. */
static double error_of(const tn_sim *sim, double h)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    const double rtol = sim->options.relative_tolerance, atol = sim->options.absolute_tolerance;
    const double pace =
        fmax(tn_rkmk_pace(sim, sim->mark.u).any, tn_rkmk_pace(sim, sim->state.u).any);
    double worst_pose = 0.0, worst_speed = 0.0;
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        tn_vec3 e[4] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        for (int j = 0; j < TN_RKMK_STAGES; j++) {
            tn_vec3 part[4];
            tn_body_unpack(body, r->rate[j], &part[0], &part[1]);
            tn_body_unpack(body, r->udot[j], &part[2], &part[3]);
            for (int k = 0; k < 4; k++)
                e[k] = v3_axpy(e[k], h * error_weight[j], part[k]);
        }
        worst_pose = fmax(worst_pose, fmax(v3_norm(e[0]) / r->length, v3_norm(e[1])));
        worst_speed = fmax(worst_speed, fmax(v3_norm(e[2]) / r->length, v3_norm(e[3])));
    }
    return fmax(worst_pose / (rtol + atol), worst_speed / (rtol * pace + atol));
}

tn_status tn_rkmk_step(tn_sim *sim, double h, tn_step_report *report)
{
    const size_t bytes = sizeof(double) * (size_t)sim->model->size.velocities;
    tn_state *s = &sim->state;
    memcpy(tn_rkmk_of(sim)->rate[0], sim->mark.u, bytes);
    memcpy(tn_rkmk_of(sim)->udot[0], sim->mark.udot, bytes);
    tn_momentum_note(sim);
    tn_drives_account(sim, h * tableau[LAST].a[0]);
    tn_status status = TN_OK;
    for (int i = 1; i < LAST && status == TN_OK; i++) {
        move_to_stage(sim, i, h);
        status = solve_stage(sim, i, h, report);
    }
    if (status == TN_OK) {
        move_to_stage(sim, LAST, h);
        status = solve_end(sim, h, report);
    }
    tn_measure_errors(sim, sim->sys.phi, report);
    tn_rkmk_of(sim)->error = status == TN_OK ? error_of(sim, h) : INFINITY;
    sim->sys.lead = h;
    memcpy(s->coordinates, sim->mark.coordinates,
           sizeof(double) * TN_MAX_COORDINATES * (size_t)sim->model->element_count);
    return status;
}
