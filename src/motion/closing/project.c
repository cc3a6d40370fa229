/* project.c: room motion/closing: projects positions onto the joints.
 *
 * A pass is the correction of the ArtiSynth Modeling Guide, 4.9.1, in the mass metric (metric.c): least motion with
 * G d = -phi on hard rows, while compliant rows yield as in the step.
 */

#include <math.h>

#include "assemble/body_terms.h"
#include "math/dense/worst.h"
#include "motion/kinematics.h"
#include "motion/closing/metric.h"
#include "motion/closing/purge.h"
#include "motion/closing/project.h"
#include "motion/closing/gap.h"
#include "motion/closing/close_fold.h"
#include "motion/tree/tree.h"
#include "sparse/factor/factor.h"

/* Most passes of the position projection. Quadratic convergence needs few; a drawing that is far from closed needs
 * more. */
#define TN_PROJECT_MAX_PASSES 30

/* Compliant rows at the end of a step of h seconds, as in an implicit step, M + h D + h^2 / C: rows that are stiff
 * on the time scale of the step are not strained, and softer rows do not resist the correction. A soft line nearly
 * in line with a ball joint would otherwise turn the bodies by far more than the joint is open. */
static tn_row_law correction_law(double h)
{
    const double time = h > 0.0 ? h : 1.0; /* s; any value will do outside of steps */
    return (tn_row_law){.scale = 1.0, .shift = time * time, .rate = time};
}

/* g = -phi on hard rows; on compliant ones 0, or what moves them to their errors in the step, sim->yields. */
static void correction_rhs(tn_sim *sim, bool moves_yields)
{
    tn_system *sys = &sim->sys;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const int64_t slot = sys->layout->y_offset[j];
        for (int32_t n = 0; n < sim->state.switches[j].active_count; n++) {
            double *g = &sys->g[slot + n];
            if (tn_active_compliance(&sim->state, j, n) <= 0.0)
                *g = -sys->phi[slot + n];
            else
                *g = moves_yields ? sim->yields[slot + n] - sys->phi[slot + n] : 0.0;
        }
    }
}

/* Keeps the world angular velocity of a body that is rotated by exp(d_w): w <- exp(-d_w) w. */
static void keep_world_velocity(tn_sim *sim, const tn_model_body *body, const double *d)
{
    if (body->dim != 6)
        return;
    double *w = sim->state.u + body->u + 3;
    const tn_mat3 R = q_to_m3(q_exp(v3_load(d + body->u + 3)));
    v3_store(w, m3_tmulv(&R, v3_load(w)));
}

static tn_status solve_correction(tn_sim *sim, double tolerance, tn_step_report *report)
{
    if (!tn_factor_is_exact(sim))
        return tn_solve_to(sim, tolerance, report);
    tn_system_solve(&sim->sys);
    report->solves++;
    return TN_OK;
}

void tn_prepare_correction(tn_sim *sim, double h)
{
    const tn_row_law law = correction_law(h);
    tn_prepare_rows(sim, &law);
    correction_rhs(sim, false);
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

/* Regularisation of loops' rows at a pose whose bodies are off by this much. Redundant rows look like regular rows
 * there, at a distance of half of that from a singular configuration, and an exact solution would undo the motion of
 * the step along the mechanism's path. An E above the square of that distance leaves them out (gap.c). */
static double correction_epsilon(const tn_sim *sim, double off)
{
    const double least = tn_gap_is_on(&sim->state) ? sim->state.head->gap_epsilon : TN_EPSILON;
    return fmax(least, tn_gap_epsilon(off / sim->size));
}

/* The correction of a tree; false: the general method is needed. at_hand: the factor of the last pass is used. */
static bool correct_by_tree(tn_sim *sim, double h, bool at_hand, tn_step_report *report)
{
    const tn_row_law law = correction_law(h);
    if (!tn_body_tree_serves(sim) || (!at_hand && tn_body_tree_take(sim, &law, report) != TN_OK))
        return false;
    correction_rhs(sim, false);
    if (!tn_body_tree_solve(sim, NULL, sim->sys.g, 0.0, sim->sys.du, sim->sys.y, report))
        return false;
    tn_apply_correction(sim);
    return true;
}

/* Position correction of the errors in sys.phi, at a pose that is off by `off`, with this tolerance of the solve. */
static tn_status correct(tn_sim *sim, double h, double off, double tolerance, bool moves_yields,
                         tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    const double epsilon = correction_epsilon(sim, off);
    const tn_row_law law = correction_law(h);
    tn_prepare_rows(sim, &law);
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
    correction_rhs(sim, moves_yields);
    if (sim->model->loop_joints > 0 &&
        tn_kkt_smallest_pivot(sys->factor, NULL) < fmax(TN_REDUNDANT_PIVOT, TN_CLEAR * epsilon))
        tn_gap_keep_in_reach(sim, sys->g, report);
    status = solve_correction(sim, tolerance, report);
    if (status == TN_OK)
        tn_apply_correction(sim);
    return status;
}

/* A pass with the present factor. */
static tn_status correct_with_factor(tn_sim *sim, double tolerance, tn_step_report *report)
{
    tn_clear_system(sim);
    correction_rhs(sim, false);
    const tn_status status = solve_correction(sim, tolerance, report);
    if (status == TN_OK)
        tn_apply_correction(sim);
    return status;
}

tn_status tn_correct_position(tn_sim *sim, double h, tn_step_report *report)
{
    tn_gap_clear(sim);
    sim->gap_split = 0.0;
    const double off = tn_measure_position(sim, report);
    return correct_by_tree(sim, h, false, report)
               ? TN_OK
               : correct(sim, h, off, TN_SOLVE_TOLERANCE, false, report);
}

tn_status tn_correct_yields(tn_sim *sim, double h, tn_step_report *report)
{
    tn_gap_clear(sim);
    sim->gap_split = 0.0;
    const double off = tn_measure_position(sim, report);
    return correct(sim, h, off, TN_SOLVE_TOLERANCE, true, report);
}

/* The factor is used for another pass while each pass leaves less than this share of the errors: a pass without a
 * factorization costs less than half. */
#define TN_KEEP_FACTOR 0.05

/* Is one of the rows below E near a singular configuration only? Signs: passes converge slowly with the finest E.
 * Then one pass with a finer E follows. */
static int may_fold(const tn_sim *sim, double share, const tn_step_report *report)
{
    return sim->gap_split <= TN_EPSILON && share > TN_CRAWLING && tn_rows_repeat(sim, report) &&
           !tn_gap_is_on(&sim->state);
}

/* Poses that are closed less accurately than ends of steps are intermediate: their errors do not add up, so the
 * equations need only be solved to well below the tolerance. */
static double worth_closing(const tn_sim *sim, double error, double tolerance)
{
    const double enough = tn_worth_solving(sim, error, tolerance);
    return tolerance <= sim->options.position_tolerance
               ? enough
               : fmax(enough, fmin(tolerance / error, 1.0) / TN_FAR);
}

/* At the end of a step of h seconds; 0: outside of steps. A pose is off by at most its errors, and at most by its last
 * move: if errors remain though bodies hardly move, rows are merely weak, and E decreases until they close. Outside of
 * steps, where no motion has to be kept, E decreases as fast as passes converge slowly. */
static tn_status project(tn_sim *sim, double h, double tolerance, double unit,
                         tn_step_report *report)
{
    tn_gap_clear(sim);
    sim->gap_split = 0.0;
    double before = INFINITY, moved = INFINITY, believed = INFINITY;
    const double finest = fmax(TN_EPSILON, sim->state.head->gap_epsilon);
    int try_fold = h > 0.0;
    bool tree = true;
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
        const bool was_tree = tree;
        tree = status == TN_OK && !taken && tree && correct_by_tree(sim, h, keep, report);
        if (status == TN_OK && !taken && !tree) {
            status = keep && !was_tree ? correct_with_factor(sim, enough, report)
                                       : correct(sim, h, believed, enough, false, report);
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
