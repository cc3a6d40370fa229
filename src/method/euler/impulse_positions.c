/* impulse_positions.c: room method/euler: closes joints one after the other, by moving the bodies of one at a time.
 *
 * In: a pose whose joints are open. Out: one whose joints are less open, after a number of visits of every joint: the
 * nonlinear projected Gauss-Seidel method of game engines (Catto, Box2D 2.4: the position pass). Every visit computes
 * errors, arms and K at the poses that the visits before have left,
 *
 *     K_k = G_k M^-1 G_k^T + R_k,    K_k dlambda = -phi_k,    q <- q o exp(M^-1 G_k^T dlambda),
 *
 * so that it converges from large errors too; with constant rows of the start long chains diverge. Compliant rows yield
 * by their compliance. Velocities do not change.
 */
#include <math.h>
#include <string.h>

#include "assemble/elements.h"
#include "assemble/load/stored_energy.h"
#include "method/euler/euler.h"
#include "motion/kinematics.h"
#include "motion/closing/project.h"

/* rad: largest rotation of a body in a visit; beyond it the rows change too much. */
#define TN_FURTHEST_VISIT 0.5

static const tn_row_law law = {.scale = 1.0, .shift = 1.0, .rate = 0.0};

/* Kinematics of an element at the present poses. The errors are those of C's own origin, which is apart from G in an
 * open joint, so the rows that act there on A are their derivatives. Reactions need both arms at one point to
 * balance: their kinematics do not change. */
static void refresh(tn_sim *sim, int32_t j)
{
    tn_system *sys = &sim->sys;
    for (int32_t p = sim->model->through_start[j]; p < sim->model->through_start[j + 1]; p++) {
        const int32_t through = sim->model->through[p];
        const tn_model_joint *joint = &sim->model->joints[through];
        tn_joint_refresh(sys, &sim->state, through);
        sys->kin[through].r_A = m3_mulv(&sys->T[joint->a].R, joint->geometry.T_CA.p);
    }
    if (j >= sim->model->joint_count)
        tn_coupling_ops.refresh(sys, &sim->state, j);
}

/* -phi of the rows of an element; for compliant ones the changes of error and force since the start, whose error is in
 * g. */
static void measure(tn_sim *sim, int32_t j, double *w)
{
    const tn_system *sys = &sim->sys;
    const int64_t slot = sys->layout->y_offset[j];
    tn_element_errors(sys, &sim->state, j, w);
    for (int32_t n = 0; n < sim->state.switches[j].active_count; n++) {
        if (tn_active_compliance(&sim->state, j, n) > 0.0)
            w[n] += sys->values->r[slot + n] * sys->y[slot + n] - sys->g[slot + n];
    }
}

/* The largest rotation by du among the bodies of an element, rad. */
static double largest_turn(const tn_sim *sim, int32_t j)
{
    const tn_kkt_layout *l = sim->sys.layout;
    double largest = 0.0;
    for (int32_t t = l->dual_start[j]; t < l->dual_start[j + 1]; t++) {
        tn_vec3 v, w;
        tn_body_unpack(&sim->model->bodies[l->dual_primal[t]], sim->sys.du, &v, &w);
        largest = fmax(largest, v3_norm(w));
    }
    return largest;
}

static tn_status visit(tn_sim *sim, int32_t j)
{
    tn_system *sys = &sim->sys;
    const tn_kkt_layout *l = sys->layout;
    double w[TN_MAX_ROWS], change[TN_MAX_ROWS];
    refresh(sim, j);
    tn_element_fill(sys, &sim->state, &law, j);
    measure(sim, j, w);
    const tn_status status =
        tn_impulses_visit(((tn_euler_work *)sim->work)->sweeps, sys->values, j, w, sys->du, change);
    if (status != TN_OK)
        return status;
    const double turn = largest_turn(sim, j);
    const double share = turn > TN_FURTHEST_VISIT ? TN_FURTHEST_VISIT / turn : 1.0;
    for (int32_t n = 0; n < sim->state.switches[j].active_count; n++)
        sys->y[l->y_offset[j] + n] += share * change[n];
    for (int32_t t = l->dual_start[j]; t < l->dual_start[j + 1]; t++) {
        const tn_model_body *body = &sim->model->bodies[l->dual_primal[t]];
        for (int32_t k = 0; k < body->dim; k++)
            sys->du[body->u + k] *= share;
        tn_apply_body_correction(sim, l->dual_primal[t]);
    }
    return TN_OK;
}

static bool has_rows(const tn_sim *sim, int32_t j)
{
    return tn_state_is_on(sim->model, &sim->state, j) && sim->state.switches[j].active_count > 0;
}

static tn_status sweep(tn_sim *sim, tn_step_report *report)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_status status = has_rows(sim, j) ? visit(sim, j) : TN_OK;
        if (status != TN_OK) {
            report->culprit_joint.i = j;
            return status;
        }
    }
    return TN_OK;
}

/* J, kinetic and potential energy that the pose determines. */
static double energy_of_pose(const tn_sim *sim)
{
    double kinetic, potential;
    tn_body_energy(&sim->sys, &sim->state, &kinetic, &potential);
    return potential + tn_stored_energy(&sim->sys, &sim->state);
}

tn_status tn_correct_by_impulses(tn_sim *sim, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    const double before = energy_of_pose(sim);
    int32_t node = -1;
    tn_assemble_mass(sys, &sim->state, 0.0, NULL);
    tn_assemble_errors(sys, &sim->state, sys->g);
    memset(sys->y, 0, sizeof(double) * (size_t)sys->layout->y_size);
    tn_status status =
        tn_impulses_prepare_bodies(((tn_euler_work *)sim->work)->sweeps, sys->values, &node);
    if (status != TN_OK && node >= 0)
        report->culprit_body.i = node;
    for (int32_t k = 0; k < sim->options.iterations && status == TN_OK; k++) {
        status = sweep(sim, report);
        report->sweeps++;
    }
    tn_refresh_kinematics(sim);
    sim->corrected = energy_of_pose(sim) - before;
    return status;
}
