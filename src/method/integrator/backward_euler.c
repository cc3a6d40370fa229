/* backward_euler.c: room method/integrator: the two methods of first order, one velocity solve each.
 *
 *     [ M + h D,  -G^T ] [ u+ ]   [ M u + h f ]
 *     [ G,         R   ] [ L  ] = [ g         ],      lambda = L / h,      q+ = q o exp(h u+),
 *
 * with rows and forces at the start of the step; the damping -D u is inside the matrix. So are the derivatives of
 * loads: D u is added to f, and h^2 times their stiffness to the matrix.
 *
 * constrained_backward_euler is that of the ArtiSynth Modeling Guide, (3.18) and (3.22): compliant rows use the
 * mid-point of phi over the step, s = 1/(h/2 + D C), R = s C/h, g = -s phi - h (dG/dt) u; hard rows R = 0,
 * g = -h (dG/dt) u. One mass-weighted position correction follows; in loops with redundant rows as many as needed,
 * since near a singular configuration a single one leaves errors that lead off the branch.
 *
 * backward_euler is the robust variant: compliant rows at the end of the step, s = 1/(h + C D), R = s C/h, g = -s
 * phi; hard rows R = 0, g = 0; the gyroscopic moment implicit for each body; position corrections until the
 * tolerance is met, with compliant rows at the deflection of their force.
 *
 * A step leaves the rows of its end with the speeds dG u, and the next step removes them: the force that turns the
 * rows acts over that next step. In a sub-step, before or after an event, that force would be too large, without
 * bound in short ones. There the right-hand side contains the acceleration instead, g = G u - h (dG/dt) u.
 *
 * Joints do the work L . G (u + u+) / 2. With w = G u+ and the work of the bodies' own forces it is
 * L . w - |u+ - u|^2 / 2 in the metric of M. g = 0 creates no energy where L . w is not positive, which sequential
 * impulses ensure (solve/impulses.c). With the guide's rows, w = -h (dG/dt) u, a body that turns by h w gains an
 * energy of (h w)^2 / 2, and with the errors of sweeps long chains diverge. So sequential impulses use g = 0 in both
 * methods.
 */
#include <math.h>
#include <string.h>

#include "assemble/drive_terms.h"
#include "base/base.h"
#include "law/at_steps.h"
#include "law/drives/drives.h"
#include "method/euler/euler.h"
#include "motion/kinematics.h"
#include "law/impact/impact.h"
#include "law/limits/limits.h"
#include "method/method.h"
#include "motion/closing/purge.h"
#include "motion/closing/project.h"
#include "motion/closing/gap.h"
#include "motion/closing/close_fold.h"
#include "motion/loads.h"

typedef struct tn_euler {
    double phi_share; /* share of the step at which compliance is evaluated: 1/2 mid-point, 1 end */
    int moving_rows;  /* 1: right-hand side -h (dG/dt) u */
    int implicit_gyro; /* 1: gyroscopic moment at the end of the step */
    int project_fully; /* 1: position correction to tolerance; 0: one pass */
} tn_euler;

static const tn_euler guide = {0.5, 1, 0, 0};
static const tn_euler robust = {1.0, 0, 1, 1};

/* One position correction must leave at most this share of a joint error above this size (m, rad).
 */
#define TN_LOST_SHARE 0.5
#define TN_LOST_ERROR 1e-6

/* rad: when bodies turn further than this in a step along their velocities, loops with redundant rows need not
 * return to their branch. Two bodies of a joint turn by twice that relative to each other, which opens it by
 * (2 x)^2 / 2 of an arm. Newton's first pass is that long, and the curvature is 1 per rad. Convergence to the near
 * branch is certain while length times curvature is at most 1/2 (Kantorovich): x = 1/2. (N-four-bars leave their
 * branch from 0.58 on.) */
#define TN_FURTHEST_TURN 0.5

/* With redundant rows: a step that creates more than this share of the kinetic energy is refused. Loops whose energy
 * grows so (which takes some 30 steps a turn) leave their branch in the end. */
#define TN_MOST_CREATED 0.02

/* A joint that is open by this share of the mechanism's size, or by this angle (rad), does not hold its bodies any
 * more, and later passes do not repair that. */
#define TN_LOST_OPENING 0.1
#define TN_LOST_ANGLE   0.5

/* Newton steps of the implicit gyroscopic equation; it converges in two or three. */
#define TN_GYRO_ITERATIONS 3

/* Solves A x = b for a 3 x 3 matrix by Cramer's rule. */
static tn_vec3 solve3(const tn_mat3 *A, tn_vec3 b)
{
    const tn_vec3 c0 = m3_column(A, 0), c1 = m3_column(A, 1), c2 = m3_column(A, 2);
    const double det = v3_dot(c0, v3_cross(c1, c2));
    if (det == 0.0)
        return v3(0.0, 0.0, 0.0);
    return v3(v3_dot(b, v3_cross(c1, c2)) / det, v3_dot(c0, v3_cross(b, c2)) / det,
              v3_dot(c0, v3_cross(c1, b)) / det);
}

/* w* with J (w* - w) + h w* x J w* = 0: unconditionally stable. */
static tn_vec3 gyroscopic_velocity(const tn_mat3 *J, tn_vec3 w, double h)
{
    tn_vec3 s = w;
    for (int it = 0; it < TN_GYRO_ITERATIONS; it++) {
        const tn_vec3 Js = m3_mulv(J, s);
        const tn_vec3 r = v3_axpy(m3_mulv(J, v3_sub(s, w)), h, v3_cross(s, Js));
        tn_mat3 A; /* J + h ([s]x J - [J s]x) */
        for (int c = 0; c < 3; c++) {
            const tn_vec3 e = v3(c == 0, c == 1, c == 2);
            const tn_vec3 Je = m3_mulv(J, e);
            const tn_vec3 col = v3_axpy(Je, h, v3_sub(v3_cross(s, Je), v3_cross(Js, e)));
            A.m[0][c] = col.x;
            A.m[1][c] = col.y;
            A.m[2][c] = col.z;
        }
        s = v3_sub(s, solve3(&A, r));
    }
    return s;
}

/* Replaces the explicit gyroscopic impulse in f by the implicit one. */
static void implicit_gyroscopic(tn_sim *sim, double h, double *f)
{
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        if (body->dim != 6)
            continue;
        const tn_vec3 w = v3_load(sim->state.u + body->u + 3);
        const tn_vec3 s = gyroscopic_velocity(&body->J, w, h);
        const tn_vec3 explicit_moment = v3_cross(m3_mulv(&body->J, w), w);
        const tn_vec3 change =
            v3_sub(m3_mulv(&body->J, v3_sub(s, w)), v3_scale(h, explicit_moment));
        v3_store(f + body->u + 3, v3_add(v3_load(f + body->u + 3), change));
    }
}

static void body_rhs(tn_sim *sim, const tn_euler *scheme, double h)
{
    tn_system *sys = &sim->sys;
    tn_assemble_forces(sys, &sim->state, sim->state.u, NULL, 0, sys->f);
    tn_assemble_drive_forces(sys, &sim->state, sim->state.u, sys->f);
    tn_loads_add(sim, sim->state.u, true, sys->f);
    tn_loads_fill(sim, h * h, h, sim->state.u, sys->f);
    for (int64_t k = 0; k < sys->layout->u_size; k++)
        sys->f[k] *= h;
    if (scheme->implicit_gyro)
        implicit_gyroscopic(sim, h, sys->f);
    tn_assemble_momentum(sys, &sim->state, sim->state.u, sys->f);
}

static int by_impulses(const tn_sim *sim)
{
    return sim->options.solver == TN_SOLVER_SEQUENTIAL_IMPULSES;
}

/* Is this a sub-step in a model with motors or friction, whose events divide steps? */
static bool is_part(const tn_sim *sim, double h)
{
    return h < sim->step && sim->state.head->drive_count > 0 && !sim->traits.accelerations &&
           !by_impulses(sim);
}

/* Right-hand side of rows that keep the speeds they have, less those of moving targets, which the rates at the end
 * contain. */
static void add_speeds(tn_sim *sim)
{
    tn_system *sys = &sim->sys;
    tn_assemble_speeds(sys, &sim->state, sim->state.u, sim->speeds);
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive *drive = &sim->state.drives[k];
        const int64_t slot = tn_drive_slot(sys, &sim->state, drive);
        if (slot >= 0 && tn_drive_kind(sim, drive)->moves)
            sim->speeds[slot] -= sim->mark.drives[k].rate;
    }
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const int64_t slot = sys->layout->y_offset[j];
        for (int32_t n = 0; n < sim->state.switches[j].active_count; n++) {
            if (tn_active_compliance(&sim->state, j, n) <= 0.0)
                sys->g[slot + n] += sim->speeds[slot + n];
        }
    }
}

static void row_rhs(tn_sim *sim, const tn_euler *scheme, double h)
{
    tn_system *sys = &sim->sys;
    const bool part = is_part(sim, h);
    tn_assemble_errors(sys, &sim->state, sys->phi);
    memset(sys->g, 0, sizeof(double) * (size_t)sys->layout->y_size);
    const bool all_move = part || (scheme->moving_rows && !by_impulses(sim));
    if (all_move || sim->state.head->limited > 0)
        tn_assemble_gamma(sys, &sim->state, sim->state.u, sys->g);
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int64_t slot = sys->layout->y_offset[j];
        for (int32_t n = 0; n < s->active_count; n++) {
            const int32_t row = s->active[n];
            const double C = s->compliance[row], D = s->damping[row];
            /* a limit pushes or releases by the speed of its row at the end of the step, moving rows or not */
            const int moving = all_move || tn_row_is_at_limit(&sim->model->joints[j], s, row);
            sys->g[slot + n] *= moving ? -h : 0.0;
            if (C > 0.0)
                sys->g[slot + n] -= sys->phi[slot + n] / (scheme->phi_share * h + C * D);
        }
    }
    if (part)
        add_speeds(sim);
    tn_assemble_hold_rates(sys, &sim->state, 1, sys->g); /* at the end of the step */
}

/* Errors of compliant rows at the end of the step according to the solve, phi - h s (phi + C L / h): linear in the
 * step. A body that turns by h w ends off that by (h w)^2 / 2 of its arm; a stiff row would treat this as a
 * deflection, with forces that no load requires. */
static void note_yields(tn_sim *sim, const tn_euler *scheme, double h)
{
    const tn_system *sys = &sim->sys;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int64_t slot = sys->layout->y_offset[j];
        for (int32_t n = 0; n < s->active_count; n++) {
            const double C = s->compliance[s->active[n]], D = s->damping[s->active[n]];
            const double pull = sys->phi[slot + n] / (scheme->phi_share * h + C * D);
            sim->yields[slot + n] =
                sys->phi[slot + n] - h * (pull + sys->values->r[slot + n] * sys->y[slot + n]);
        }
    }
}

static tn_status solve_directly(tn_sim *sim, tn_step_report *report)
{
    const tn_status status = tn_factorize(sim, report);
    if (status != TN_OK)
        return status;
    tn_note_dependence(sim);
    return tn_solve(sim, report);
}

/* The first body that turns by more than an angle in the step; -1: none. */
static int32_t turns_beyond(const tn_sim *sim, const double *u, double h, double angle)
{
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        tn_vec3 v, w;
        tn_body_unpack(&sim->model->bodies[i], u, &v, &w);
        if (h * v3_norm(w) > angle)
            return i;
    }
    return -1;
}

/* Between velocity solve and move: does the energy of a loop with redundant rows grow too fast? Only bodies that
 * turn at w create (h w)^2 / 2; what slower ones seem to create is the error in speed of rows that are nearly
 * redundant. */
static int runs_away(tn_sim *sim, double h, const tn_step_report *report)
{
    return tn_rows_repeat(sim, report) && !tn_gap_is_on(&sim->state) &&
           turns_beyond(sim, sim->sys.du, h, sqrt(TN_MOST_CREATED)) >= 0 &&
           tn_created_share(sim) > TN_MOST_CREATED;
}

/* The velocity solve: u+ to sys.du, impulses to sys.y. */
static tn_status solve_once(tn_sim *sim, const tn_euler *scheme, double h, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    const tn_row_law law = {.scale = 1.0 / h, .shift = scheme->phi_share * h, .rate = 1.0};
    tn_assemble_mass(sys, &sim->state, h, NULL);
    tn_assemble_jacobian(sys, &sim->state);
    tn_assemble_row_law(sys, &sim->state, &law);
    body_rhs(sim, scheme, h);
    row_rhs(sim, scheme, h);
    return by_impulses(sim) ? tn_velocity_by_impulses(sim, h, report) : solve_directly(sim, report);
}

static tn_status velocity_solve(tn_sim *sim, const tn_euler *scheme, double h,
                                tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    tn_status status = solve_once(sim, scheme, h, report);
    for (int pass = 0; status == TN_OK && tn_at_steps_again(sim, h, pass); pass++)
        status = solve_once(sim, scheme, h, report);
    if (status != TN_OK)
        return status;
    if (scheme->moving_rows && !by_impulses(sim) && runs_away(sim, h, report))
        return TN_ERROR_UNSTABLE;
    note_yields(sim, scheme, h);
    memcpy(sim->state.u, sys->du, sizeof(double) * (size_t)sys->layout->u_size);
    if (!by_impulses(sim) && tn_rows_repeat(sim, report))
        tn_purge_rows(sim, sys->y, true, report);
    tn_assemble_scatter_lambda(sys, &sim->state, sys->y, 1.0 / h);
    return TN_OK;
}

static double largest_error(const tn_step_report *report)
{
    return fmax(report->position_error, report->angle_error);
}

/* The single pass of the guide. Near its solution it squares the error; if an error remains as large as it was, the
 * pass does not converge and the step is refused. */
static tn_status correct_once(tn_sim *sim, double h, tn_step_report *report)
{
    tn_gap_clear(sim);
    tn_assemble_errors(&sim->sys, &sim->state, sim->sys.phi);
    tn_measure_errors(sim, sim->sys.phi, report);
    const double before = largest_error(report);
    const tn_status status = tn_correct_position(sim, h, report);
    if (status != TN_OK)
        return status;
    tn_assemble_errors(&sim->sys, &sim->state, sim->sys.phi);
    tn_measure_errors(sim, sim->sys.phi, report);
    const double after = largest_error(report);
    if (after <= TN_LOST_ERROR || after <= TN_LOST_SHARE * before)
        return TN_OK;
    report->culprit_joint = report->worst_joint;
    return TN_ERROR_NOT_CONVERGED;
}

/* Is there anything to correct? */
static bool has_hard_rows(const tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        for (int32_t n = 0; n < sim->state.switches[j].active_count; n++) {
            if (tn_active_compliance(&sim->state, j, n) <= 0.0)
                return true;
        }
    }
    return false;
}

/* Passes that move compliant rows to their errors in the step: each squares the remaining error, (h w)^2 / 2 at
 * first. */
#define TN_YIELD_PASSES 4

/* Are they further from these than the tolerance, in the part that a correction moves, A / (A + R)? */
static bool yields_are_off(const tn_sim *sim, double h)
{
    const tn_system *sys = &sim->sys;
    double worst = 0.0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int64_t slot = sys->layout->y_offset[j];
        for (int32_t n = 0; n < s->active_count; n++) {
            const double C = s->compliance[s->active[n]], D = s->damping[s->active[n]];
            const double A = sys->values->a[slot + n], R = C / (h * (h + C * D));
            if (C > 0.0)
                worst = fmax(worst, fabs(sys->phi[slot + n] - sim->yields[slot + n]) * A / (A + R));
        }
    }
    return worst > sim->options.position_tolerance;
}

/* The passes, before hard rows are closed: an error that remains is a force of the next step. */
static tn_status correct_yields(tn_sim *sim, double h, tn_step_report *report)
{
    tn_status status = TN_OK;
    for (int pass = 0; pass < TN_YIELD_PASSES && status == TN_OK; pass++) {
        tn_assemble_errors(&sim->sys, &sim->state, sim->sys.phi);
        if (!yields_are_off(sim, h))
            break;
        status = tn_correct_yields(sim, h, report);
    }
    return status;
}

/* With redundant rows: does a body turn too far for its loop? */
static tn_status check_turns(const tn_sim *sim, double h, tn_step_report *report)
{
    const int32_t body = turns_beyond(sim, sim->state.u, h, TN_FURTHEST_TURN);
    if (!tn_rows_repeat(sim, report) || body < 0)
        return TN_OK;
    report->culprit_body.i = body;
    return TN_ERROR_NOT_CONVERGED;
}

/* Corrects to the tolerance at limits, where an error would be an event, and in loops with redundant rows near a
 * singular configuration. */
static tn_status correct(tn_sim *sim, const tn_euler *scheme, double h, tn_step_report *report)
{
    tn_status status = TN_OK;
    if (by_impulses(sim))
        return tn_correct_by_impulses(sim, report);
    if (scheme->project_fully)
        status = correct_yields(sim, h, report);
    if (status != TN_OK)
        return status;
    if (scheme->project_fully || tn_limits_held(sim) > 0 || tn_rows_repeat(sim, report)) {
        status = tn_project_step(sim, h, sim->options.position_tolerance, report);
    } else if (has_hard_rows(sim)) {
        status = correct_once(sim, h, report);
    }
    if (status != TN_OK || !tn_rows_repeat(sim, report))
        return status;
    if (!tn_gap_is_on(&sim->state))
        return tn_close_at_fold(sim, h, report);
    return largest_error(report) > TN_FOLD_SHARE * sim->options.position_tolerance
               ? tn_correct_position(sim, h, report)
               : TN_OK;
}

/* After corrections that leave errors: is a joint open too far? */
static tn_status check_joints(const tn_sim *sim, tn_step_report *report)
{
    const double size = ((const tn_euler_work *)sim->work)->size;
    if (report->position_error <= TN_LOST_OPENING * size && report->angle_error <= TN_LOST_ANGLE)
        return TN_OK;
    report->culprit_joint = report->worst_joint;
    return TN_ERROR_NOT_CONVERGED;
}

static tn_status step(tn_sim *sim, const tn_euler *scheme, double h, tn_step_report *report)
{
    tn_refresh_kinematics(sim);
    tn_status status = velocity_solve(sim, scheme, h, report);
    if (status == TN_OK)
        status = check_turns(sim, h, report);
    if (status != TN_OK)
        return status;
    tn_swap_reaction_kinematics(sim);
    tn_move_bodies(sim->model, sim->state.x, sim->state.q, sim->state.u, h, sim->state.x,
                   sim->state.q);
    sim->sys.lead = h;
    tn_refresh_kinematics(sim);
    tn_at_steps_settle(sim);
    status = correct(sim, scheme, h, report);
    tn_assemble_errors(&sim->sys, &sim->state, sim->sys.phi);
    tn_measure_errors(sim, sim->sys.phi, report);
    report->iterations++;
    const int closed = scheme->project_fully && !by_impulses(sim);
    return status == TN_OK && !closed ? check_joints(sim, report) : status;
}

static tn_status step_as_specified(tn_sim *sim, double h, tn_step_report *report)
{
    return step(sim, &guide, h, report);
}

static tn_status step_robustly(tn_sim *sim, double h, tn_step_report *report)
{
    return step(sim, &robust, h, report);
}

/* Without drives a start needs nothing: the first solve computes all. */
static tn_status start(tn_sim *sim, double h, tn_step_report *report)
{
    (void)h;
    return sim->state.head->drive_count > 0 ? tn_impact_accelerate(sim, report) : TN_OK;
}

static tn_status create(tn_sim *sim)
{
    const int64_t n = sim->model->size.velocities, rows = sim->sys.layout->y_size;
    tn_euler_work *w = sim->work = TN_NEW(tn_euler_work);
    if (!w)
        return TN_ERROR_MEMORY;
    w->size = tn_size_of_mechanism(sim->model);
    double *at = w->block = TN_NEW_ARRAY(double, n + 3 * rows);
    if (!at)
        return TN_ERROR_MEMORY;
    w->sum = at;
    w->speeds = at += n;
    w->lo = at += rows;
    w->hi = at + rows;
    return by_impulses(sim) ? tn_impulses_create(sim->model->kkt, &w->sweeps) : TN_OK;
}

static void destroy(tn_sim *sim)
{
    tn_euler_work *w = sim->work;
    if (!w)
        return;
    tn_impulses_destroy(w->sweeps);
    tn_free(w->block);
    tn_free(w);
}

const tn_method tn_method_constrained_backward_euler = {
    .traits = {.reactions_at_start = 1},
    .legal_rows = true,
    .fallback = &tn_method_backward_euler,
    .create = create,
    .destroy = destroy,
    .start = start,
    .step = step_as_specified,
};

const tn_method tn_method_backward_euler = {
    .traits = {.reactions_at_start = 1, .closes_joints = 1},
    .create = create,
    .destroy = destroy,
    .start = start,
    .step = step_robustly,
};
