/* project.c: room motion/closing: position and velocity projection, accelerations.
 *
 * All four are the same saddle-point problem with the mass matrix,
 *     [ M  -G^T ] [ d      ]   [ b ]
 *     [ G   R   ] [ lambda ] = [ g ],
 * solved exactly on the hard rows by refinement:
 *     position correction   b = 0,   g = -phi,      R = C on compliant rows
 *     velocity projection   b = 0,   g = v - G u,   compliant rows left out
 *     acceleration          b = f + compliant forces,   g = v' - (dG/dt) u,   these left out too
 * v the speeds that prescribed motions and motors give to the rows they hold, else 0. The
 * correction is that of the ArtiSynth Modeling Guide, 4.9.1.
 */
#include <math.h>
#include <string.h>

#include "tenon/limits.h"

#include "assemble/body_terms.h"
#include "assemble/drive_terms.h"
#include "math/dense/worst.h"
#include "motion/kinematics.h"
#include "motion/closing/purge.h"
#include "motion/closing/project.h"
#include "motion/closing/gap.h"
#include "motion/closing/close_fold.h"
#include "motion/loads.h"
#include "sparse/factor/factor.h"

/* Passes of the position projection. Quadratic convergence needs few; a drawing that is far off
 * needs more. */
#define TN_PROJECT_MAX_PASSES 30

/* Rows that yield, where the end of a step of h seconds is closed, as an implicit step has them, in
 * M + h D + h^2 / C: what is stiff against the step is not strained, and what is not does not hold
 * up the rest. A soft line that is nearly in line with a ball joint would turn the bodies by far more
 * than the joint is open. */
static tn_row_law correction_law(double h)
{
    const double time = h > 0.0 ? h : 1.0; /* s, of what is closed in no step */
    return (tn_row_law){.scale = 1.0, .shift = time * time, .rate = time};
}

static const tn_row_law hard_rows_law = {.leave_out_compliant = 1};

/* What a factor has come to. */
static tn_status told_of_factor(tn_sim *sim, tn_status status, int32_t node, tn_step_report *report)
{
    int32_t dual = -1;
    if (status != TN_OK) {
        if (node < sim->model->body_count) {
            report->culprit_body.i = node;
        } else {
            report->culprit_joint.i = node - sim->model->body_count;
        }
        return status;
    }
    const double pivot = tn_kkt_smallest_pivot(sim->sys.factor, &dual);
    report->smallest_pivot = fmin(report->smallest_pivot, pivot);
    return TN_OK;
}

tn_status tn_factorize(tn_sim *sim, tn_step_report *report)
{
    int32_t node = -1;
    if (report->factorizations++ >= TN_MOST_FACTORIZATIONS)
        return TN_ERROR_WORK;
    const tn_status status =
        tn_kkt_factorize(sim->model->kkt, sim->sys.values, sim->sys.factor, &node);
    return told_of_factor(sim, status, node, report);
}

tn_status tn_factorize_and_solve(tn_sim *sim, double *u, double *y, tn_step_report *report)
{
    int32_t node = -1;
    if (report->factorizations++ >= TN_MOST_FACTORIZATIONS)
        return TN_ERROR_WORK;
    const tn_status status =
        tn_kkt_factorize_and_solve(sim->model->kkt, sim->sys.values, sim->sys.factor, u, y, &node);
    report->solves++;
    return told_of_factor(sim, status, node, report);
}

double tn_reach(const tn_sim *sim)
{
    return tn_singular_reach(tn_gap_is_on(&sim->state), sim->model->loop_joints);
}

/* To this residual, relative. */
static tn_status solve_to(tn_sim *sim, double tolerance, tn_step_report *report)
{
    const tn_system *sys = &sim->sys;
    if (tn_gap_is_on(&sim->state))
        tn_gap_keep_in_reach(sim, sim->sys.g, report);
    return tn_singular_solve(&sim->singular, sys->f, sys->g, sys->du, sys->y, tn_reach(sim),
                             tolerance, NULL, &report->solves);
}

tn_status tn_solve(tn_sim *sim, tn_step_report *report)
{
    return solve_to(sim, TN_SOLVE_TOLERANCE, report);
}

double tn_solve_at_fold(tn_sim *sim, tn_step_report *report)
{
    const tn_system *sys = &sim->sys;
    double left = 0.0;
    tn_singular_solve(&sim->singular, sys->f, sys->g, sys->du, sys->y, tn_reach(sim),
                      TN_SOLVE_TOLERANCE, &left, &report->solves);
    return left;
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
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const int64_t slot = sys->layout->y_offset[j];
        for (int32_t n = 0; n < sim->state.switches[j].active_count; n++) {
            sys->g[slot + n] =
                tn_active_compliance(&sim->state, j, n) > 0.0 ? 0.0 : -sys->phi[slot + n];
        }
    }
}

/* Keeps the world angular velocity of a body that is turned by exp(d_w): w <- exp(-d_w) w. */
static void keep_world_velocity(tn_sim *sim, const tn_model_body *body, const double *d)
{
    if (body->dim != 6)
        return;
    double *w = sim->state.u + body->u + 3;
    const tn_mat3 R = q_to_m3(q_exp(v3_load(d + body->u + 3)));
    v3_store(w, m3_tmulv(&R, v3_load(w)));
}

/* Without loops no row has E > 0; where no body has a stand-in inertia either, the factor is that
 * of the matrix itself, and the next pass refines what a solve leaves. */
bool tn_factor_is_exact(const tn_sim *sim)
{
    return sim->model->loop_joints == 0 && !sim->model->stand_ins;
}

bool tn_holds_hard(const tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        if (sim->state.switches[j].compliant)
            return false;
    }
    return tn_factor_is_exact(sim) && sim->model->load_count == 0 &&
           sim->state.head->drive_count == 0 && !sim->pieces;
}

static tn_status solve_correction(tn_sim *sim, double tolerance, tn_step_report *report)
{
    if (!tn_factor_is_exact(sim))
        return solve_to(sim, tolerance, report);
    tn_kkt_solve(sim->model->kkt, sim->sys.factor, sim->sys.du, sim->sys.g);
    report->solves++;
    return TN_OK;
}

void tn_prepare_correction(tn_sim *sim, double h)
{
    const tn_row_law law = correction_law(h);
    prepare(sim, &law);
    correction_rhs(sim);
}

void tn_apply_correction(tn_sim *sim)
{
    const double *d = sim->sys.du;
    tn_move_bodies(sim->model, sim->state.x, sim->state.q, d, 1.0, sim->state.x, sim->state.q);
    for (int32_t i = 0; i < sim->model->body_count; i++)
        keep_world_velocity(sim, &sim->model->bodies[i], d);
    tn_refresh_kinematics(sim);
}

void tn_apply_body_correction(tn_sim *sim, int32_t i)
{
    const tn_model_body *body = &sim->model->bodies[i];
    tn_state *s = &sim->state;
    tn_body_move(body, sim->sys.du, 1.0, &s->x[i], &s->q[i]);
    keep_world_velocity(sim, body, sim->sys.du);
    sim->sys.T[i] = (tn_xform){tn_body_rotation(body, s->q[i]), s->x[i]};
}

/* Regularisation of loops' rows at a pose whose bodies are off by so much. Rows that repeat others
 * look like rows of their own there, at a distance of half of that, and ask for a motion along the
 * mechanism's path that undoes that of the step. They are kept out (gap.c) by an E above the square
 * of it. */
static double correction_epsilon(const tn_sim *sim, double off)
{
    const double least = tn_gap_is_on(&sim->state) ? sim->state.head->gap_epsilon : TN_EPSILON;
    return fmax(least, tn_gap_epsilon(off / sim->size));
}

/* Position correction of errors in sys.phi, at a pose that is off by so much, solved to so much. */
static tn_status correct(tn_sim *sim, double h, double off, double tolerance,
                         tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    const double epsilon = correction_epsilon(sim, off);
    const tn_row_law law = correction_law(h);
    prepare(sim, &law);
    tn_gap_set_epsilon(sim, epsilon);
    tn_status status = tn_factorize(sim, report);
    if (status != TN_OK)
        return status;
    if (epsilon < sim->gap_split) {
        tn_gap_retake(sim, report);
    } else {
        tn_gap_take(sim, NULL, report);
    }
    sim->gap_split = epsilon;
    correction_rhs(sim);
    if (sim->model->loop_joints > 0 &&
        tn_kkt_smallest_pivot(sys->factor, NULL) < fmax(TN_REDUNDANT_PIVOT, TN_CLEAR * epsilon))
        tn_gap_keep_in_reach(sim, sys->g, report);
    status = solve_correction(sim, tolerance, report);
    if (status == TN_OK)
        tn_apply_correction(sim);
    return status;
}

/* A pass with the factor at hand. */
static tn_status correct_with_factor(tn_sim *sim, double tolerance, tn_step_report *report)
{
    clear_start(sim);
    memset(sim->sys.f, 0, sizeof(double) * (size_t)sim->sys.layout->u_size);
    correction_rhs(sim);
    const tn_status status = solve_correction(sim, tolerance, report);
    if (status == TN_OK)
        tn_apply_correction(sim);
    return status;
}

tn_status tn_correct_position(tn_sim *sim, double h, tn_step_report *report)
{
    tn_gap_clear(sim);
    sim->gap_split = 0.0;
    return correct(sim, h, tn_measure_position(sim, report), TN_SOLVE_TOLERANCE, report);
}

/* The factor is kept for another pass as long as each leaves less than this share of the errors: a
 * pass without a new one costs less than half. */
#define TN_KEEP_FACTOR 0.05

/* May one of the rows be below E for a moment only? Then passes crawl, once E is the finest, and
 * one is taken with a finer E. */
static int may_fold(const tn_sim *sim, double share, const tn_step_report *report)
{
    return sim->gap_split <= TN_EPSILON && share > TN_CRAWLING && tn_rows_repeat(sim, report) &&
           !tn_gap_is_on(&sim->state);
}

/* What is closed less than ends of steps are is on the way to one: nothing of it adds up, and its
 * equations are solved to well below what it is closed to. */
static double worth_closing(const tn_sim *sim, double error, double tolerance)
{
    const double enough = tn_worth_solving(sim, error, tolerance);
    return tolerance <= sim->options.position_tolerance
               ? enough
               : fmax(enough, fmin(tolerance / error, 1.0) / TN_FAR);
}

/* Of the end of a step of h seconds; 0: of no step. A pose is off by its errors, and by no more
 * than it has just been moved: where little moves any more and errors remain, rows are merely weak,
 * and E falls until they close; as fast as passes crawl where no motion of a step is to be kept. */
static tn_status project(tn_sim *sim, double h, double tolerance, double unit,
                         tn_step_report *report)
{
    tn_gap_clear(sim);
    sim->gap_split = 0.0;
    double before = INFINITY, moved = INFINITY, believed = INFINITY;
    const double finest = fmax(TN_EPSILON, sim->state.head->gap_epsilon);
    int try_fold = h > 0.0;
    for (int32_t pass = 0;; pass++) {
        const double off = tn_measure_position(sim, report);
        const double error = tn_worst(off, report->position_error / (unit * tn_length_unit(sim)));
        const bool rounding = pass > 0 && off <= sim->options.position_tolerance &&
                              error > TN_CRAWLING * before && tn_move_is_rounding(sim);
        const bool closed =
            error <= tolerance || (off <= tolerance && error > TN_CRAWLING * before) || rounding;
        if (closed && (sim->gap_split <= finest || !tn_gap_is_on(&sim->state)))
            return TN_OK;
        if (pass == TN_PROJECT_MAX_PASSES) {
            report->culprit_joint = report->worst_joint;
            return TN_ERROR_NOT_CONVERGED;
        }
        const int keep = pass > 0 && tn_factor_is_exact(sim) && error <= TN_KEEP_FACTOR * before;
        int taken = 0;
        tn_status status = TN_OK;
        if (try_fold && pass > 0 && may_fold(sim, error / before, report)) {
            status = tn_correct_at_fold(sim, h, off, report, &taken);
            try_fold = taken;
        }
        const bool crawls = h == 0.0 && error > TN_CRAWLING * before;
        const double enough = worth_closing(sim, error, tolerance);
        believed = fmin(fmin(off, moved), crawls ? TN_CRAWLING * believed : INFINITY);
        if (status == TN_OK && !taken) {
            status = keep ? correct_with_factor(sim, enough, report)
                          : correct(sim, h, believed, enough, report);
        }
        if (status != TN_OK)
            return status;
        before = error;
        moved = tn_largest_move(sim);
    }
}

tn_status tn_project_position(tn_sim *sim, double tolerance, tn_step_report *report)
{
    return project(sim, 0.0, tolerance, 1.0, report);
}

tn_status tn_project_step(tn_sim *sim, double h, double tolerance, tn_step_report *report)
{
    return project(sim, h, tolerance, 1.0, report);
}

tn_status tn_project_finely(tn_sim *sim, double h, double tolerance, double unit,
                            tn_step_report *report)
{
    return project(sim, h, tolerance, unit, report);
}

/* sqrt(J), in the kinetic metric: the largest right-hand side of a row, and of what changes velocities
 * in a second, forces and rows. */
static double size_of_rows(const tn_sim *sim)
{
    const double *a = sim->sys.values->a, *g = sim->sys.g;
    double most = 0.0;
    for (int64_t k = 0; k < sim->sys.layout->y_size; k++) {
        if (g[k] != 0.0 && a[k] > 0.0)
            most = fmax(most, g[k] * g[k] / a[k]);
    }
    return sqrt(most);
}

static double size_of_change(const tn_sim *sim)
{
    double most = 0.0;
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        most = fmax(most, sim->sys.f[k] * sim->sys.f[k] * sim->inverse_inertia[k]);
    return fmax(sqrt(most), size_of_rows(sim));
}

/* By the factor at hand, to what leaves so much of right-hand sides of this size, sqrt(J); 0: to
 * rounding. What rounding leaves of a solve with the matrix itself is less than half of the digits,
 * E, unless it is next to singular. */
static tn_status solve_for(tn_sim *sim, double enough, double size, tn_step_report *report)
{
    const double share = size > 0.0 ? enough / size : 0.0;
    const double tolerance = fmin(fmax(share, TN_SOLVE_TOLERANCE), 1.0 / TN_FAR);
    if (tolerance < TN_EPSILON || !tn_factor_is_exact(sim))
        return solve_to(sim, tolerance, report);
    memcpy(sim->sys.du, sim->sys.f, sizeof(double) * (size_t)sim->sys.layout->u_size);
    memcpy(sim->sys.y, sim->sys.g, sizeof(double) * (size_t)sim->sys.layout->y_size);
    tn_kkt_solve(sim->model->kkt, sim->sys.factor, sim->sys.du, sim->sys.y);
    for (int64_t k = 0; k < sim->sys.layout->y_size; k++)
        sim->sys.y[k] = -sim->sys.y[k];
    report->solves++;
    return TN_OK;
}

/* g = v - G u. */
static void speeds_wanted(tn_sim *sim)
{
    tn_system *sys = &sim->sys;
    tn_assemble_speeds(sys, &sim->state, sim->state.u, sys->g);
    for (int64_t k = 0; k < sys->layout->y_size; k++)
        sys->g[k] = -sys->g[k];
    tn_assemble_hold_rates(sys, &sim->state, 1, sys->g);
}

/* The velocities on the hard rows, by the factor at hand, to what leaves so much. */
static tn_status solve_velocity(tn_sim *sim, double enough, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    speeds_wanted(sim);
    const tn_status status = solve_for(sim, enough, size_of_rows(sim), report);
    for (int64_t k = 0; k < sys->layout->u_size && status == TN_OK; k++)
        sim->state.u[k] += sys->du[k];
    return status;
}

tn_status tn_project_velocity_to(tn_sim *sim, double enough, tn_step_report *report)
{
    tn_prepare_hard_rows(sim);
    const tn_status status = tn_factorize(sim, report);
    return status == TN_OK ? solve_velocity(sim, enough, report) : status;
}

tn_status tn_project_velocity(tn_sim *sim, tn_step_report *report)
{
    return tn_project_velocity_to(sim, 0.0, report);
}

bool tn_velocity_fits(tn_sim *sim)
{
    speeds_wanted(sim);
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const double *g = sim->sys.g + sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < sim->state.switches[j].active_count; n++) {
            if (!(g[n] == 0.0))
                return false;
        }
    }
    return true;
}

double tn_acceleration_size(const tn_sim *sim)
{
    const double *udot = sim->state.udot, *inverse = sim->inverse_inertia;
    double most = 0.0;
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++) {
        if (inverse[k] > 0.0)
            most = fmax(most, udot[k] * udot[k] / inverse[k]);
    }
    return sqrt(most);
}

void tn_project_velocity_again(tn_sim *sim, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    memset(sys->du, 0, sizeof(double) * (size_t)sys->layout->u_size);
    speeds_wanted(sim);
    tn_kkt_solve(sim->model->kkt, sys->factor, sys->du, sys->g);
    report->solves++;
    for (int64_t k = 0; k < sys->layout->u_size; k++)
        sim->state.u[k] += sys->du[k];
}

/* lambda = -phi/C - D phi' on compliant rows, 0 on hard ones; speeds holds phi'. */
static void compliant_multipliers(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int64_t slot = sim->sys.layout->y_offset[j];
        double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
        memset(lambda, 0, sizeof(double) * TN_MAX_ROWS);
        for (int32_t n = 0; n < s->active_count; n++) {
            const int32_t row = s->active[n];
            if (s->compliance[row] > 0.0) {
                lambda[row] = -sim->sys.phi[slot + n] / s->compliance[row] -
                              s->damping[row] * sim->speeds[slot + n];
            }
        }
    }
}

/* Adds the multipliers found for the hard rows. */
static void add_hard_multipliers(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int64_t slot = sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < s->active_count; n++) {
            if (tn_active_compliance(&sim->state, j, n) <= 0.0)
                sim->state.lambda[j * TN_MAX_ROWS + s->active[n]] = sim->sys.y[slot + n];
        }
    }
}

static bool any_yields(const tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        if (sim->state.switches[j].compliant)
            return true;
    }
    return false;
}

/* The multipliers become those of what yields alone, and their forces are added to sys.f. */
static void add_compliant_forces(tn_sim *sim)
{
    tn_system *sys = &sim->sys;
    if (!any_yields(sim)) {
        memset(sim->state.lambda, 0,
               sizeof(double) * TN_MAX_ROWS * (size_t)sim->model->element_count);
        return;
    }
    tn_assemble_speeds(sys, &sim->state, sim->state.u, sim->speeds);
    compliant_multipliers(sim);
    tn_assemble_joint_forces(sys, &sim->state, sys->f);
}

void tn_prepare_acceleration(tn_sim *sim)
{
    tn_system *sys = &sim->sys;
    tn_assemble_errors(sys, &sim->state, sys->phi);
    tn_assemble_forces(sys, sim->state.u, NULL, 1, sys->f);
    tn_assemble_drive_forces(sys, &sim->state, sim->state.u, sys->f); /* by the reactions so far */
    tn_loads_add(sim, sim->state.u, false, sys->f);
    add_compliant_forces(sim);
    tn_assemble_gamma(sys, &sim->state, sim->state.u, sys->g);
    for (int64_t k = 0; k < sys->layout->y_size; k++)
        sys->g[k] = -sys->g[k];
    tn_assemble_hold_rates(sys, &sim->state, 2, sys->g);
}

void tn_take_acceleration(tn_sim *sim)
{
    memcpy(sim->state.udot, sim->sys.du, sizeof(double) * (size_t)sim->sys.layout->u_size);
    add_hard_multipliers(sim);
}

/* Accelerations and multipliers, by the factor at hand, to what leaves so much of what they come to
 * in h seconds. */
static tn_status solve_acceleration(tn_sim *sim, double enough, double h, tn_step_report *report)
{
    tn_prepare_acceleration(sim);
    const tn_status status = solve_for(sim, enough, h * size_of_change(sim), report);
    if (status == TN_OK)
        tn_take_acceleration(sim);
    return status;
}

/* lambda: those of hard rows from y; into g those of compliant ones, whose forces are in f. */
static void take_apart(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int64_t slot = sim->sys.layout->y_offset[j];
        double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
        for (int32_t n = 0; n < s->active_count; n++) {
            const bool yields = tn_active_compliance(&sim->state, j, n) > 0.0;
            if (yields)
                sim->sys.g[slot + n] = lambda[s->active[n]];
            lambda[s->active[n]] = yields ? 0.0 : sim->sys.y[slot + n];
        }
    }
}

/* One pass: du = f + G^T lambda - M udot, y = g - G udot, solved, and taken. */
static void follow(tn_sim *sim)
{
    tn_system *sys = &sim->sys;
    double *udot = sim->state.udot;
    memset(sys->du, 0, sizeof(double) * (size_t)sys->layout->u_size);
    tn_assemble_momentum(sys, udot, sys->du);
    for (int64_t k = 0; k < sys->layout->u_size; k++)
        sys->du[k] = sys->f[k] - sys->du[k];
    tn_assemble_joint_forces(sys, &sim->state, sys->du);
    tn_assemble_speeds(sys, &sim->state, udot, sys->y);
    for (int64_t k = 0; k < sys->layout->y_size; k++)
        sys->y[k] = sys->g[k] - sys->y[k];
    tn_kkt_solve(sim->model->kkt, sys->factor, sys->du, sys->y);
    for (int64_t k = 0; k < sys->layout->u_size; k++)
        udot[k] += sys->du[k];
}

/* Of hard rows what a pass has found, or, at the end, of compliant ones what is kept in g. */
static void take_multipliers(tn_sim *sim, bool at_end)
{
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int64_t slot = sim->sys.layout->y_offset[j];
        double *lambda = sim->state.lambda + (size_t)j * TN_MAX_ROWS;
        for (int32_t n = 0; n < s->active_count; n++) {
            const bool yields = tn_active_compliance(&sim->state, j, n) > 0.0;
            if (yields && at_end)
                lambda[s->active[n]] = sim->sys.g[slot + n];
            else if (!yields && !at_end)
                lambda[s->active[n]] -= sim->sys.y[slot + n];
        }
    }
}

/* In the kinetic metric. */
static double size_of(const tn_sim *sim, const double *a)
{
    double sum = 0.0;
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++) {
        if (sim->inverse_inertia[k] > 0.0)
            sum += a[k] * a[k] / sim->inverse_inertia[k];
    }
    return sqrt(sum);
}

bool tn_follow_acceleration(tn_sim *sim, int passes, double enough, tn_step_report *report)
{
    const double rounding = TN_SOLVE_TOLERANCE * size_of(sim, sim->state.udot);
    double first = 0.0, change = INFINITY;
    tn_assemble_gather_lambda(&sim->sys, &sim->state, sim->sys.y);
    tn_prepare_acceleration(sim);
    take_apart(sim);
    for (int pass = 0; pass < passes && change > fmax(enough * first, rounding); pass++) {
        follow(sim);
        take_multipliers(sim, false);
        report->solves++;
        change = size_of(sim, sim->sys.du);
        first = pass == 0 ? change : first;
    }
    take_multipliers(sim, true);
    return change <= fmax(enough * first, rounding);
}

tn_status tn_project_nearby(tn_sim *sim, double tolerance, tn_step_report *report)
{
    tn_gap_clear(sim);
    tn_prepare_hard_rows(sim);
    tn_status status = tn_factorize(sim, report);
    for (int pass = 0; status == TN_OK && tn_measure_position(sim, report) > tolerance; pass++)
        status = pass < TN_NEWTON_PASSES ? correct_with_factor(sim, tolerance, report)
                                         : TN_ERROR_NOT_CONVERGED;
    if (status == TN_OK)
        tn_project_velocity_again(sim, report);
    return status;
}

tn_status tn_solve_acceleration(tn_sim *sim, tn_step_report *report)
{
    return tn_solve_acceleration_to(sim, 0.0, 0.0, report);
}

tn_status tn_project_motion(tn_sim *sim, tn_step_report *report)
{
    return tn_project_motion_to(sim, 0.0, 0.0, report);
}

tn_status tn_solve_acceleration_to(tn_sim *sim, double enough, double h, tn_step_report *report)
{
    tn_prepare_hard_rows(sim);
    const tn_status status = tn_factorize(sim, report);
    return status == TN_OK ? solve_acceleration(sim, enough, h, report) : status;
}

tn_status tn_solve_acceleration_roughly(tn_sim *sim, double share, tn_step_report *report)
{
    tn_prepare_hard_rows(sim);
    tn_status status = tn_factorize(sim, report);
    if (status != TN_OK)
        return status;
    tn_prepare_acceleration(sim);
    status = solve_for(sim, share, 1.0, report);
    if (status == TN_OK)
        tn_take_acceleration(sim);
    return status;
}

tn_status tn_project_motion_to(tn_sim *sim, double enough, double h, tn_step_report *report)
{
    tn_prepare_hard_rows(sim);
    tn_status status = tn_factorize(sim, report);
    if (status == TN_OK)
        status = solve_velocity(sim, enough, report);
    if (status != TN_OK)
        return status;
    memset(sim->sys.f, 0, sizeof(double) * (size_t)sim->sys.layout->u_size);
    return solve_acceleration(sim, enough, h, report);
}
