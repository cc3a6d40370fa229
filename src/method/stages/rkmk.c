/* rkmk.c: room method/stages: one part of a step by a Runge-Kutta method 5(4) on the Lie group
 * (Munthe-Kaas): Dormand and Prince's, or an implicit one.
 *
 * In: sim->mark, the state t seconds after the start, with its accelerations; what is held stays
 * so. Out: the state h seconds later, on its constraints, with the accelerations and multipliers of
 * that very state, and the error. With the poses q = q0 o exp(T), T = (shift, turn in body axes),
 *     T_i = h sum a_ij K_j,    u_i = u0 + h sum a_ij u'_j,
 *     K_i = u_i, but for the turning of spatial bodies dexp^-1(T_i) w_i
 *         = w + T x w / 2 + c(|T|) T x (T x w),    c(x) = (1 - (x/2) cot(x/2)) / x^2,
 *     M u'_i = f(t_i, q_i, u_i) + G^T l_i,    G u'_i = v' - (dG/dt) u_i:   index 1,
 *     error = h sum e_i (K_i, u'_i),    a_7j = b_j.
 * Stages with a_ii > 0 are solved by implicit_stage.c.
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
 * Limits: explicit accelerations of rows that yield limit h by sqrt(m C). Near a fold, at a
 * distance x, a loop is held on its branch to round-off / x only: part_error.c.
 */
#include <math.h>
#include <string.h>

#include "real/real.h"
#include "base/base.h"
#include "law/drives/drives.h"
#include "method/evaluate/evaluate.h"
#include "method/stages/rkmk.h"
#include "motion/friction_fit.h"
#include "motion/kinematics.h"
#include "motion/loads.h"
#include "motion/momentum.h"
#include "law/event_laws.h"
#include "motion/closing/purge.h"
#include "motion/closing/project.h"

/* Friction by reactions: passes of a stage, and the share of the largest acceleration by which the
 * last may change it. */
#define TN_STAGE_PASSES 30
#define TN_SAME_UDOT    1e-14

/* Taking out of the multipliers what nothing determines may change the forces on a body by this
 * share of the largest. */
#define TN_SAME_FORCES 1e-12

/* sqrt(kg m^2): the root of the smallest inertia of a body, or of its mass at the size of the model. */
static double lightest_of(const tn_model *model, double length)
{
    double most = 0.0;
    for (int32_t i = 0; i < model->body_count; i++) {
        const tn_model_body *body = &model->bodies[i];
        const tn_motion_subspace *space = tn_motion_subspace_get(body->kind);
        for (int32_t k = 0; k < body->dim; k++) {
            most = fmax(most, body->inverse_inertia[k] *
                                  (space->column[k] < 3 ? 1.0 / (length * length) : 1.0));
        }
    }
    return most > 0.0 ? sqrt(1.0 / most) : 0.0;
}

tn_status tn_rkmk_create(tn_sim *sim, const tn_tableau *tableau)
{
    const int64_t n = sim->model->size.velocities;
    tn_rkmk *r = sim->work = TN_NEW(tn_rkmk);
    if (!r)
        return TN_ERROR_MEMORY;
    r->tableau = tableau;
    r->length = tn_size_of_mechanism(sim->model);
    r->lightest = lightest_of(sim->model, r->length);
    r->root = TN_NEW_ARRAY(int32_t, sim->model->body_count + 1);
    const int64_t powers = tn_rkmk_powers(sim->model);
    double *at = r->block =
        TN_NEW_ARRAY(double, (2 * TN_RKMK_STAGES + 5) * n + TN_RKMK_STAGES * powers);
    if (!at || !r->root)
        return TN_ERROR_MEMORY;
    for (int i = 0; i < TN_RKMK_STAGES; i++) {
        r->rate[i] = at + 2 * i * n;
        r->udot[i] = r->rate[i] + n;
    }
    r->dq = at += 2 * TN_RKMK_STAGES * n;
    r->known_rate = at += n;
    r->known_udot = at += n;
    r->error_rate = at += n;
    r->error_udot = at += n;
    at += n;
    for (int i = 0; i < TN_RKMK_STAGES; i++)
        r->power[i] = at + i * powers;
    const tn_status status = tn_joint_stages_create(sim, TN_RKMK_STAGES, &r->joints);
    return status == TN_OK && tableau->gamma > 0.0 ? tn_implicit_create(sim) : status;
}

tn_status tn_rkmk_create_both(tn_sim *sim)
{
    const tn_status status = tn_rkmk_create(sim, &tn_tableau_kennedy_carpenter);
    if (status == TN_OK)
        tn_rkmk_of(sim)->chooses = true;
    return status;
}

void tn_rkmk_destroy(tn_sim *sim)
{
    tn_rkmk *r = sim->work;
    if (!r)
        return;
    tn_implicit_destroy(r->implicit);
    tn_joint_stages_destroy(r->joints);
    tn_free(r->block);
    tn_free(r->root);
    tn_free(r);
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

/* Coordinates, which turns are counted from, are those of the start of the part. */
static void take_coordinates_of_start(tn_sim *sim)
{
    memcpy(sim->state.coordinates, sim->mark.coordinates,
           sizeof(double) * TN_MAX_COORDINATES * (size_t)sim->model->element_count);
}

/* Drives as at the start of the part, then at t seconds after it, at the coordinates of the pose, which `update` measures. */
static void move_drives(tn_sim *sim, double t, void (*update)(tn_sim *sim, double t))
{
    tn_state *s = &sim->state;
    const int32_t count = s->head->drive_count;
    take_coordinates_of_start(sim);
    for (int32_t k = 0; k < count; k++) {
        const int32_t j = sim->mark.drives[k].joint;
        s->drives[k] = sim->mark.drives[k];
        *tn_state_edit(s, j) = sim->mark.switches[j];
    }
    update(sim, t);
    sim->now = sim->event_time + t;
    tn_drives_move(sim, t);
    tn_round_turn(sim);
}

/* What the stages before stage i give it. */
static void gather_known(const tn_sim *sim, int i)
{
    tn_rkmk *r = tn_rkmk_of(sim);
    tn_rkmk_weigh(sim, r->tableau->a[i], i, r->known_rate, r->known_udot);
}

/* Drives and loads at the state's pose with its kinematics, t seconds after the start. */
static void arrive(tn_sim *sim, double t, void (*update)(tn_sim *sim, double t))
{
    sim->stage_time = sim->event_time + t;
    if (sim->state.head->drive_count > 0)
        move_drives(sim, t, update);
}

void tn_rkmk_move_to(tn_sim *sim, double t, double h)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    tn_state *s = &sim->state;
    tn_move_bodies(sim->model, sim->mark.x, sim->mark.q, r->dq, h, s->x, s->q);
    sim->sys.lead = t;
    tn_refresh_kinematics(sim);
    arrive(sim, t, tn_update_coordinates);
}

void tn_rkmk_move(tn_sim *sim, int i, double h)
{
    tn_rkmk_move_to(sim, h * tn_rkmk_of(sim)->tableau->at[i], h);
}

/* Of the stage at hand in joint coordinates, for tn_rkmk_stiffness: T / h in known_rate, the velocity in known_udot. */
static void keep_placed(const tn_sim *sim)
{
    const size_t bytes = sizeof(double) * (size_t)sim->model->size.velocities;
    memcpy(tn_rkmk_of(sim)->known_rate, tn_rkmk_of(sim)->dq, bytes);
    memcpy(tn_rkmk_of(sim)->known_udot, sim->state.u, bytes);
}

/* The same by joint coordinates. Stages within a sub-step need no more than joints along whose coordinates something acts,
 * unless there are loads, which may ask for any. */
static void move_in_joints(tn_sim *sim, int i, double h)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    const double t = h * r->tableau->at[i];
    const tn_stage_sum sum = {r->tableau->a[i], i, h, r->tableau->at[i]};
    const bool all = i == r->tableau->last || tn_loads_are(sim);
    if (i == r->tableau->last)
        keep_placed(sim);
    tn_joint_stages_place(r->joints, sim, &sum, r->dq);
    take_coordinates_of_start(sim);
    sim->sys.lead = t;
    if (all)
        tn_refresh_kinematics(sim);
    else
        tn_refresh_special_kinematics(sim);
    arrive(sim, t, all ? tn_update_coordinates : tn_update_special_coordinates);
}

/* dq = T_i / h, and the state's pose and velocity those of stage i. */
static void move_to_stage(tn_sim *sim, int i, double h)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    if (r->in_joints) {
        move_in_joints(sim, i, h);
        return;
    }
    gather_known(sim, i);
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        r->dq[k] = r->known_rate[k];
        sim->state.u[k] = sim->mark.u[k] + h * r->known_udot[k];
    }
    tn_rkmk_move(sim, i, h);
}

void tn_rkmk_find_rate(const tn_sim *sim, double h, double *rate)
{
    memcpy(rate, sim->state.u, sizeof(double) * (size_t)sim->model->size.velocities);
    for (int32_t k = 0; k < sim->model->body_count; k++) {
        const tn_model_body *body = &sim->model->bodies[k];
        if (body->dim != 6)
            continue;
        const tn_vec3 T = v3_scale(h, v3_load(tn_rkmk_of(sim)->dq + body->u + 3));
        v3_store(rate + body->u + 3, tn_m3_rate_of_turn(T, v3_load(rate + body->u + 3)));
    }
}

/* K_i and u'_i of the state. */
static void keep_stage(tn_sim *sim, int i, double h)
{
    tn_rkmk_find_rate(sim, h, tn_rkmk_of(sim)->rate[i]);
    memcpy(tn_rkmk_of(sim)->udot[i], sim->state.udot,
           sizeof(double) * (size_t)sim->model->size.velocities);
    tn_events_note(sim, h * tn_rkmk_of(sim)->tableau->at[i]);
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
    tn_friction_fit_begin(sim);
    for (int pass = 1; pass < TN_STAGE_PASSES && status == TN_OK; pass++) {
        status = tn_solve_acceleration(sim, report);
        if (status != TN_OK || change_of_udot(sim, kept) <= TN_SAME_UDOT)
            break;
        tn_friction_fit_off(sim);
        if (pass + 1 < TN_STAGE_PASSES)
            tn_friction_fit_next(sim, 0.0);
    }
    return status;
}

/* m, at most 1: what lengths are measured by where poses are closed. Near a change point, at a distance x
 * of it in sizes of the mechanism, speeds are off by e / x where joints are open by e sizes. Rounding
 * leaves as much of a place as of an arm. */
static double unit_of_closing(const tn_sim *sim)
{
    return fmin(1.0, fmax(tn_rkmk_of(sim)->length, tn_largest_place(sim)));
}

/* The pose on its constraints. */
static tn_status close_pose(tn_sim *sim, double h, double tolerance, tn_step_report *report)
{
    const double accepted = sim->options.position_tolerance;
    tn_status status = tn_project_finely(sim, h, tolerance, unit_of_closing(sim), report);
    if (status == TN_ERROR_NOT_CONVERGED && report->position_error <= accepted &&
        report->angle_error <= accepted)
        status = TN_OK;
    return status;
}

/* Of a stage: what is left of its errors is so little of what the part may err. Weights of the
 * stages come to up to 95 (the ninth of order 8): all together put off the next by a tenth of that.
 * Near a fold they are off by more: where that is not far above rounding, which parts are tried again
 * for there, and by methods with one estimate, which cannot tell it from the motion's (part_error.c),
 * stages are closed as ends of steps are, and solved to rounding. */
#define TN_STAGE_SHARE     1e-3
#define TN_FAR_ABOVE_ROUND 1e4  /* times TN_CLOSED */
#define TN_COARSE          1e-3 /* and of whole steps, whose tolerance is none, as of this one */
static double stage_share(const tn_sim *sim)
{
    const double share = TN_STAGE_SHARE * fmin(sim->options.relative_tolerance, TN_COARSE);
    const bool told = tn_rkmk_of(sim)->tableau->has_two_errors;
    return told && share >= TN_FAR_ABOVE_ROUND * TN_CLOSED ? share : 0.0;
}

/* What parts of finer tolerances have been closed to. */
#define TN_FINE_STAGE_SHARE 1e-4
static double stage_closed(const tn_sim *sim)
{
    const double share = stage_share(sim),
                 fine = fmax(TN_CLOSED, TN_FINE_STAGE_SHARE *
                                            fmin(sim->options.relative_tolerance, TN_COARSE));
    return share > 0.0 ? share : fmin(fine, sim->options.position_tolerance);
}

/* sqrt(J): the same of velocities; of the lightest body, which hides behind no other. */
static double stage_solved(const tn_sim *sim)
{
    return stage_share(sim) * tn_rkmk_of(sim)->pace * tn_rkmk_of(sim)->lightest;
}

/* Pose, velocity and accelerations of stage i, explicit but the last: on their constraints where rows
 * may repeat others. */
static tn_status solve_stage(tn_sim *sim, double h, tn_step_report *report)
{
    if (!tn_rkmk_of(sim)->closes)
        return tn_solve_acceleration_to(sim, stage_solved(sim), h, report);
    const tn_status status = close_pose(sim, h, stage_closed(sim), report);
    return status == TN_OK ? tn_project_motion_to(sim, stage_solved(sim), h, report) : status;
}

/* In joint coordinates, where these move all that has inertia. */
static tn_status solve_in_joints(tn_sim *sim, int i, double h, tn_step_report *report)
{
    if (tn_joint_stages_solve(tn_rkmk_of(sim)->joints, sim, i, report))
        return TN_OK;
    tn_refresh_kinematics(sim);
    const tn_status status = tn_solve_acceleration_to(sim, stage_solved(sim), h, report);
    tn_joint_stages_read(tn_rkmk_of(sim)->joints, sim, i);
    return status;
}

tn_status tn_rkmk_stage(tn_sim *sim, int i, double h, tn_step_report *report)
{
    move_to_stage(sim, i, h);
    tn_status status = tn_rkmk_of(sim)->in_joints ? solve_in_joints(sim, i, h, report)
                                                  : solve_stage(sim, h, report);
    if (status == TN_OK)
        status = settle_friction(sim, i, report);
    if (status == TN_OK)
        keep_stage(sim, i, h);
    return status;
}

static tn_status implicit_stage(tn_sim *sim, int i, double h, tn_step_report *report)
{
    gather_known(sim, i);
    const tn_status status = tn_implicit_stage(sim, i, h, report);
    if (status == TN_OK)
        keep_stage(sim, i, h);
    return status;
}

/* Those of what comes out. */
static const double *weights_of(const tn_sim *sim)
{
    const tn_tableau *t = tn_rkmk_of(sim)->tableau;
    return t->a[t->last];
}

/* The work that stage i stands for, at its pose. */
static void account_stage(tn_sim *sim, int i, double h)
{
    const double weight = weights_of(sim)[i];
    if (weight == 0.0)
        return;
    tn_drives_power(sim, false);
    tn_drives_account(sim, h * weight);
    if (tn_rkmk_of(sim)->looks)
        tn_rkmk_note_power(sim, tn_rkmk_of(sim)->power[i]);
}

/* All stages together. */
static tn_status solve_together(tn_sim *sim, double h, tn_step_report *report)
{
    const tn_status status = tn_collocation_solve(sim, h, report);
    for (int i = 1; i <= tn_rkmk_of(sim)->tableau->last && status == TN_OK; i++) {
        tn_collocation_place(sim, i, h);
        account_stage(sim, i, h);
        tn_events_note(sim, h * tn_rkmk_of(sim)->tableau->at[i]);
    }
    if (status == TN_OK)
        tn_collocation_keep(sim, h);
    return status;
}

/* Stages up to the last one before the end. */
static tn_status solve_stages(tn_sim *sim, double h, tn_step_report *report)
{
    if (tn_rkmk_of(sim)->tableau->sweeps)
        return solve_together(sim, h, report);
    ((tn_choice *)sim->state.memory)->kept = 0;
    const int implicit = tn_rkmk_of(sim)->tableau->gamma > 0.0;
    tn_status status = TN_OK;
    if (implicit)
        tn_implicit_begin(sim);
    for (int i = 1; i < tn_rkmk_of(sim)->tableau->last + implicit && status == TN_OK; i++) {
        status = implicit ? implicit_stage(sim, i, h, report) : tn_rkmk_stage(sim, i, h, report);
        if (status == TN_OK)
            account_stage(sim, i, h);
    }
    return status;
}

tn_status tn_rkmk_solve_end(tn_sim *sim, double h, tn_step_report *report)
{
    tn_momentum_restore(sim, h);
    tn_status status = close_pose(sim, h, fmin(TN_CLOSED, sim->options.position_tolerance), report);
    if (status == TN_OK)
        status = tn_project_motion(sim, report);
    if (status == TN_OK)
        status = settle_friction(sim, tn_rkmk_of(sim)->tableau->last, report);
    if (status == TN_OK && tn_rows_repeat(sim, report))
        tn_purge_tightly(sim, TN_SAME_FORCES, report);
    return status;
}

/* After the stages: the end by an explicit method is its last stage, and tells the error. */
static tn_status finish(tn_sim *sim, double h, tn_step_report *report)
{
    tn_status status;
    if (tn_rkmk_of(sim)->tableau->gamma > 0.0) {
        status = tn_rkmk_find_implicit_error(sim, h, report);
        return status == TN_OK ? tn_rkmk_solve_end(sim, h, report) : status;
    }
    move_to_stage(sim, tn_rkmk_of(sim)->tableau->last, h);
    status = tn_rkmk_solve_end(sim, h, report);
    if (status != TN_OK)
        return status;
    keep_stage(sim, tn_rkmk_of(sim)->tableau->last, h);
    if (tn_rkmk_of(sim)->in_joints && tn_rkmk_of(sim)->looks)
        tn_joint_stages_read(tn_rkmk_of(sim)->joints, sim, tn_rkmk_of(sim)->tableau->last);
    if (tn_rkmk_of(sim)->looks) {
        tn_drives_power(sim, false);
        tn_rkmk_note_power(sim, tn_rkmk_of(sim)->power[tn_rkmk_of(sim)->tableau->last]);
    }
    if (tn_rkmk_of(sim)->chooses)
        tn_rkmk_of(sim)->stiffness = tn_rkmk_stiffness(sim, h);
    tn_rkmk_find_error(sim, h, report);
    return TN_OK;
}

tn_status tn_rkmk_step(tn_sim *sim, double h, tn_step_report *report)
{
    const size_t bytes = sizeof(double) * (size_t)sim->model->size.velocities;
    tn_rkmk *r = tn_rkmk_of(sim);
    r->part = h;
    sim->within.count = 0;
    r->pace = tn_rkmk_pace(sim, sim->mark.u).any;
    r->closes = tn_hard_rows_close(sim, r->root);
    memcpy(r->rate[0], sim->mark.u, bytes);
    memcpy(r->udot[0], sim->mark.udot, bytes);
    r->has_more = false;
    tn_momentum_note(sim);
    tn_drives_account(sim, h * weights_of(sim)[0]);
    if (r->looks)
        tn_rkmk_note_power(sim, r->power[0]);
    r->in_joints = r->joints && !(r->tableau->gamma > 0.0) && tn_joint_stages_begin(r->joints, sim);
    tn_status status = solve_stages(sim, h, report);
    if (status == TN_OK)
        status = finish(sim, h, report);
    tn_measure_errors(sim, sim->sys.phi, report);
    if (status != TN_OK)
        r->error = r->astray = INFINITY;
    sim->sys.lead = h;
    take_coordinates_of_start(sim);
    return status;
}
