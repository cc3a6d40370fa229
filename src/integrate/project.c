/* project.c: room integrate: position and velocity projection, accelerations.
 *
 * All four are the same saddle-point problem with the mass matrix,
 *     [ M  -G^T ] [ d      ]   [ b ]
 *     [ G   R   ] [ lambda ] = [ g ],
 * solved exactly on the hard rows by refinement:
 *     position correction   b = 0,   g = -phi          R = C on compliant rows
 * (specification 4.9.1) velocity projection   b = 0,   g = -G u          compliant rows left out
 *     acceleration          b = f + compliant forces, g = -(dG/dt) u, compliant rows left out
 */
#include <math.h>
#include <string.h>

#include "integrate/sim_internal.h"

/* Refinement of one solve: relative scaled residual and most back-solves (ALGORITHMS 2.4). */
#define TN_SOLVE_TOLERANCE  1e-14
#define TN_SOLVE_MAX_PASSES 6

/* Passes of the position projection. Quadratic convergence needs few; a drawing that is far off
 * needs more. */
#define TN_PROJECT_MAX_PASSES 30

static const tn_row_law correction_law = {.scale = 1.0, .shift = 1.0, .rate = 0.0};
static const tn_row_law hard_rows_law = {.leave_out_compliant = 1};

tn_status tn_factorize(tn_sim *sim, tn_step_report *report)
{
    int32_t node = -1, dual = -1;
    report->factorizations++;
    const tn_status status =
        tn_kkt_factorize(sim->model->kkt, sim->sys.values, sim->sys.factor, &node);
    if (status != TN_OK) {
        if (node < sim->model->body_count)
            report->culprit_body.i = node;
        else
            report->culprit_joint.i = node - sim->model->body_count;
        return status;
    }
    const double pivot = tn_kkt_smallest_pivot(sim->sys.factor, &dual);
    report->smallest_pivot = fmin(report->smallest_pivot, pivot);
    return TN_OK;
}

tn_status tn_solve(tn_sim *sim, tn_step_report *report)
{
    const tn_kkt_refine_options options = {TN_SOLVE_MAX_PASSES, TN_SOLVE_TOLERANCE};
    tn_kkt_refine_stats stats;
    const tn_status status =
        tn_kkt_solve_refined(sim->model->kkt, sim->sys.values, sim->sys.factor, sim->sys.f,
                             sim->sys.g, sim->sys.du, sim->sys.y, &options, &stats);
    report->solves += stats.passes;
    return status;
}

static void clear_start(tn_sim *sim)
{
    memset(sim->sys.du, 0, sizeof(double) * (size_t)sim->sys.layout->u_size);
    memset(sim->sys.y, 0, sizeof(double) * (size_t)sim->sys.layout->y_size);
}

/* Matrix of the mass metric at the current kinematics; nothing applied, nothing known. */
static void prepare(tn_sim *sim, const tn_row_law *law)
{
    tn_assemble_mass(&sim->sys, 0.0, NULL);
    tn_assemble_jacobian(&sim->sys, &sim->state);
    tn_assemble_row_law(&sim->sys, &sim->state, law);
    clear_start(sim);
    memset(sim->sys.f, 0, sizeof(double) * (size_t)sim->sys.layout->u_size);
}

void tn_prepare_hard_rows(tn_sim *sim)
{
    prepare(sim, &hard_rows_law);
}

/* g = -phi on hard rows, 0 on compliant ones. */
static void correction_rhs(tn_sim *sim)
{
    tn_system *sys = &sim->sys;
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const int64_t slot = sys->layout->y_offset[j];
        for (int32_t n = 0; n < sim->state.switches[j].active_count; n++)
            sys->g[slot + n] =
                tn_active_compliance(&sim->state, j, n) > 0.0 ? 0.0 : -sys->phi[slot + n];
    }
}

/* Keeps the world angular velocity of a body that is turned by exp(d_w): w <- exp(-d_w) w. */
static void keep_world_velocity(tn_sim *sim, const double *d)
{
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        if (body->dim != 6)
            continue;
        double *w = sim->state.u + body->u + 3;
        const tn_mat3 R = q_to_m3(q_exp(v3_load(d + body->u + 3)));
        v3_store(w, m3_tmulv(&R, v3_load(w)));
    }
}

/* One solve for the correction, sys.phi being the errors. Where no row has E > 0 and no body a
 * stand-in inertia, the factor is that of the matrix itself and the next pass refines what a solve
 * leaves. */
static tn_status solve_correction(tn_sim *sim, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    correction_rhs(sim);
    if (sim->model->loop_joints > 0 || sim->model->stand_ins)
        return tn_solve(sim, report);
    tn_kkt_solve(sim->model->kkt, sys->factor, sys->du, sys->g);
    report->solves++;
    return TN_OK;
}

void tn_prepare_correction(tn_sim *sim)
{
    prepare(sim, &correction_law);
    correction_rhs(sim);
}

void tn_apply_correction(tn_sim *sim)
{
    const double *d = sim->sys.du;
    tn_move_bodies(sim->model, sim->state.x, sim->state.q, d, 1.0, sim->state.x, sim->state.q);
    keep_world_velocity(sim, d);
    tn_refresh_kinematics(sim);
}

/* A pass with the factor at hand. */
static tn_status correct_with_factor(tn_sim *sim, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    clear_start(sim);
    memset(sys->f, 0, sizeof(double) * (size_t)sys->layout->u_size);
    const tn_status status = solve_correction(sim, report);
    if (status == TN_OK)
        tn_apply_correction(sim);
    return status;
}

/* A pass with the matrix of the present pose. */
static tn_status correct_afresh(tn_sim *sim, tn_step_report *report)
{
    prepare(sim, &correction_law);
    const tn_status status = tn_factorize(sim, report);
    return status == TN_OK ? correct_with_factor(sim, report) : status;
}

tn_status tn_correct_position(tn_sim *sim, tn_step_report *report)
{
    tn_assemble_errors(&sim->sys, &sim->state, sim->sys.phi);
    return correct_afresh(sim, report);
}

/* The factor is kept for another pass as long as each leaves less than this share of the errors: a
 * pass without a new one costs less than half. */
#define TN_KEEP_FACTOR 0.05

tn_status tn_project_position(tn_sim *sim, double tolerance, tn_step_report *report)
{
    double before = INFINITY;
    for (int32_t pass = 0;; pass++) {
        tn_assemble_errors(&sim->sys, &sim->state, sim->sys.phi);
        tn_measure_errors(sim, sim->sys.phi, report);
        if (report->position_error <= tolerance && report->angle_error <= tolerance)
            return TN_OK;
        if (pass == TN_PROJECT_MAX_PASSES) {
            report->culprit_joint = report->worst_joint;
            return TN_ERROR_NOT_CONVERGED;
        }
        const double error = fmax(report->position_error, report->angle_error);
        const int keep =
            pass > 0 && sim->model->loop_joints == 0 && error <= TN_KEEP_FACTOR * before;
        const tn_status status =
            keep ? correct_with_factor(sim, report) : correct_afresh(sim, report);
        if (status != TN_OK)
            return status;
        before = error;
    }
}

tn_status tn_project_velocity(tn_sim *sim, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    tn_prepare_hard_rows(sim);
    tn_status status = tn_factorize(sim, report);
    if (status != TN_OK)
        return status;
    tn_assemble_speeds(sys, &sim->state, sim->state.u, sys->g);
    for (int64_t k = 0; k < sys->layout->y_size; k++)
        sys->g[k] = -sys->g[k];
    status = tn_solve(sim, report);
    for (int64_t k = 0; k < sys->layout->u_size && status == TN_OK; k++)
        sim->state.u[k] += sys->du[k];
    return status;
}

/* lambda = -phi/C - D phi' on compliant rows, 0 on hard ones; speeds holds phi'. */
static void compliant_multipliers(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int64_t slot = sim->sys.layout->y_offset[j];
        double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
        memset(lambda, 0, sizeof(double) * TN_MAX_ROWS);
        for (int32_t n = 0; n < s->active_count; n++) {
            const int32_t row = s->active[n];
            if (s->compliance[row] > 0.0)
                lambda[row] = -sim->sys.phi[slot + n] / s->compliance[row] -
                              s->damping[row] * sim->speeds[slot + n];
        }
    }
}

/* Adds the multipliers found for the hard rows. */
static void add_hard_multipliers(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int64_t slot = sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < s->active_count; n++)
            if (tn_active_compliance(&sim->state, j, n) <= 0.0)
                sim->state.lambda[j * TN_MAX_ROWS + s->active[n]] = sim->sys.y[slot + n];
    }
}

void tn_prepare_acceleration(tn_sim *sim)
{
    tn_system *sys = &sim->sys;
    tn_assemble_errors(sys, &sim->state, sys->phi);
    tn_assemble_speeds(sys, &sim->state, sim->state.u, sim->speeds);
    compliant_multipliers(sim);
    tn_assemble_forces(sys, sim->state.u, NULL, 1, sys->f);
    tn_assemble_joint_forces(sys, &sim->state, sys->f);
    tn_assemble_gamma(sys, &sim->state, sim->state.u, sys->g);
    for (int64_t k = 0; k < sys->layout->y_size; k++)
        sys->g[k] = -sys->g[k];
}

void tn_take_acceleration(tn_sim *sim)
{
    memcpy(sim->state.udot, sim->sys.du, sizeof(double) * (size_t)sim->sys.layout->u_size);
    add_hard_multipliers(sim);
}

tn_status tn_solve_acceleration(tn_sim *sim, tn_step_report *report)
{
    tn_prepare_hard_rows(sim);
    tn_prepare_acceleration(sim);
    tn_status status = tn_factorize(sim, report);
    if (status == TN_OK)
        status = tn_solve(sim, report);
    if (status == TN_OK)
        tn_take_acceleration(sim);
    return status;
}
