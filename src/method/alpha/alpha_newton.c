/* alpha_newton.c: room method/alpha: the Newton iteration of a generalized-alpha step.
 *
 * In: the predicted state of the end of the step. Out: that state with rows and equations satisfied, or a failure.
 * The equations are at the head of generalized_alpha.c.
 *
 * Rows of loops are solved with E = TN_EPSILON A in the factor. A correction leaves E / (E + sigma) of the error
 * that belongs to an eigenvalue sigma of G H^-1 G^T. Near a singular configuration (bars in line, a parallelogram
 * about to turn over) sigma = c x^2 passes through zero, with x the distance from it, and the multiplier has a pole
 * F / x, so that it cannot be predicted. The error of the force moves the bodies by y along the other branch, and
 * each correction reduces y by that small share only. There each correction is solved by conjugate gradients instead
 * (tn_kkt_solve_refined), again from the prediction, so that y never arises. At the end rows are off by x y only, so
 * that near a singular configuration they do not limit y; the iteration then continues to round-off.
 *
 * The round-off of the rows, divided by E, leaves a null-space component in the multipliers, 1e-2 N for a kilogram at
 * h = 1e-3 s. It moves nothing and is removed at the end; where friction depends on the reactions it would change the
 * friction, and is removed from each plain correction.
 *
 * Limits: eigenvalues far below E are left alone (tn_solve_at_fold): they may be those of rows that are redundant
 * but for inexact geometry, which must not be satisfied (gap.c).
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "assemble/armature.h"
#include "method/alpha/alpha_plane.h"
#include "method/alpha/alpha_tree.h"
#include "method/alpha/hinge_terms.h"
#include "motion/closing/close_fold.h"
#include "motion/force_balance.h"
#include "motion/closing/purge.h"
#include "motion/closing/project.h"
#include "motion/closing/gap.h"
#include "motion/loads.h"

/* Round-off of a sum of forces or moments on a body, relative to the largest. */
#define TN_FORCES_MET (64.0 * DBL_EPSILON)

/* Iterations before slow convergence (TN_CRAWLING) counts as round-off: near a singular configuration the first ones
 * may be slow for other reasons.
 */
#define TN_STAGNATION_AFTER 5

static void fill_matrix(tn_sim *sim, const tn_alpha *c)
{
    const tn_alpha_work *w = tn_alpha_of(sim);
    const tn_row_law law = {.scale = c->beta_prime, .shift = 1.0, .rate = c->gamma_prime};
    const double damping_factor = c->gamma_prime / c->beta_prime;
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        if (w->plane->place[i] < 0)
            tn_body_fill(&sim->sys, i, damping_factor, w->stiffness + 6 * (size_t)i);
    }
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        if (w->plane->is_packed[j])
            continue;
        if (tn_alpha_straightens(sim, c, j)) {
            straight_fill(&sim->sys, tn_rows_epsilon(&sim->sys, &sim->state), j);
        } else {
            tn_element_fill(&sim->sys, &sim->state, &law, j);
        }
    }
    tn_armatures_fill(&sim->sys, &sim->state);
    tn_plane_assemble(sim, damping_factor);
    tn_loads_fill(sim, 1.0 / c->beta_prime, damping_factor, NULL, NULL);
}

tn_status tn_alpha_factor(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    if (tn_alpha_of(sim)->tree->on)
        return tn_alpha_tree_factor(sim, report);
    fill_matrix(sim, c);
    tn_status status = tn_factorize(sim, report);
    if (status == TN_ERROR_SINGULAR && tn_loads_make_positive(sim, true)) {
        fill_matrix(sim, c);
        status = tn_factorize(sim, report);
        tn_loads_make_positive(sim, false);
    }
    return status;
}

/* The residual that a new factor leaves is due to terms that the matrix lacks at any pose. Another factor is no better
 * until an iteration leaves this factor times the share that the first iteration with it left. */
#define TN_WORN 2.0

/* The progress of an iteration. */
typedef struct tn_progress {
    tn_alpha_residual now, before; /* of this iteration and of the last one */
    double balance;                /* of the bodies' equations, relative, when last computed */
    double renewed; /* share of the residual that the first iteration with a new factor left */
    int32_t iteration, made; /* the iteration of the last factorization; -1: none so far */
} tn_progress;

/* Do the bodies' equations hold to the force_tolerance, or as well as round-off allows? */
static int forces_are_good(const tn_sim *sim, const tn_alpha *c, tn_progress *at)
{
    const double wanted = sim->options.force_tolerance;
    const tn_force_balance b = tn_force_balance_of(sim, sim->sys.f, tn_alpha_of(sim)->force_scale);
    const double balance = fmax(b.force, b.moment), last = at->balance;
    at->balance = balance;
    if (at->iteration >= TN_STAGNATION_AFTER && at->now.forces > TN_CRAWLING * at->before.forces)
        return balance <= wanted || balance >= last;
    /* errors of rows become forces of the next step: they count as accelerations */
    return balance <= wanted &&
           at->now.forces * c->beta_prime <= wanted * fmax(v3_norm(sim->model->gravity), 1.0);
}

/* Are the rows satisfied, and are the residual forces no more than their round-off? The motion of a body under a
 * residual force alone may be far more than the position tolerance then: in a step of minutes, or where a body has
 * next to no inertia of its own. */
static bool is_round_off(tn_sim *sim, const tn_progress *at, double enough)
{
    if (at->now.rows > enough)
        return false;
    tn_plane_show(sim);
    tn_alpha_tree_show(sim);
    const tn_force_balance b = tn_force_balance_of(sim, sim->sys.f, tn_alpha_of(sim)->force_scale);
    return fmax(b.force, b.moment) <= TN_FORCES_MET;
}

/* Trees. Are the rows satisfied, do the residual forces no longer decrease, and did the last correction move bodies
 * by no more than the round-off of so many rows in series? Each such move turns forces that are far larger than
 * those which move bodies, for example in a hanging chain of a hundred kilometres. */
static bool moves_by_rounding(const tn_sim *sim, const tn_alpha *c, const tn_progress *at,
                              double enough)
{
    const tn_alpha_tree *tree = tn_alpha_of(sim)->tree;
    return tree->on && at->now.rows <= enough && at->now.all > TN_CRAWLING * at->before.all &&
           tree->moved <= c->round_off * sqrt((double)tree->count);
}

/* Elastic solids. Residual forces move a single node by more than nodes that are connected by stiff elements would
 * move, so the residual as a distance is no criterion. The forces are accurate enough if they balance to the
 * tolerance of poses (tn_force_balance). */
static bool solids_are_met(tn_sim *sim, tn_alpha_solver solver, const tn_progress *at,
                           double enough)
{
    return sim->model->solid_count > 0 && solver != TN_ALPHA_TIGHT && at->iteration > 0 &&
           is_round_off(sim, at, enough);
}

static void take_null_part(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    if (c->needs_reactions && tn_rows_repeat(sim, report))
        tn_singular_take_null_part(&sim->singular, sim->sys.g, &report->solves);
}

static void solve_plainly(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    if (tn_alpha_of(sim)->tree->on) {
        tn_alpha_tree_solve(sim, report);
        return;
    }
    tn_system_solve(&sim->sys);
    report->solves++;
    take_null_part(sim, c, report);
}

/* Factorization and solution together, where the right-hand side does not depend on the factor. */
static tn_status factor_and_solve(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    fill_matrix(sim, c);
    const tn_status status = tn_factorize_and_solve(sim, sim->sys.du, sim->sys.g, report);
    tn_clear_armatures(&sim->sys, sim->sys.g);
    if (status == TN_OK)
        take_null_part(sim, c, report);
    return status;
}

/* The solution without E. Returns the share of the residual that is out of reach. */
static double solve_refined(tn_sim *sim, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    /* the forces are computed again before they are read */
    memcpy(sys->f, sys->du, sizeof(double) * (size_t)sys->layout->u_size);
    const double left = tn_solve_at_fold(sim, report);
    for (int64_t k = 0; k < sys->layout->y_size; k++)
        sys->g[k] = -sys->y[k];
    return left;
}

/* Would the present factor need many more iterations to reach `enough`, or more than are left? With gaps it is kept:
 * another factor would split errors and gaps differently in the middle of the iteration. */
static bool is_stale(const tn_sim *sim, const tn_progress *at, double enough)
{
    const double r = at->now.all, before = at->before.all;
    if (r <= enough || tn_gap_is_on(&sim->state) ||
        (at->made >= 0 && r <= TN_WORN * at->renewed * before))
        return false;
    return tn_alpha_is_stale(r, before, enough, sim->options.max_iterations - at->iteration);
}

/* Is a residual that is within the position tolerance good enough to stop? */
static bool is_done(const tn_sim *sim, const tn_alpha *c, tn_alpha_solver solver, tn_progress *at)
{
    if (solver == TN_ALPHA_PLAIN || at->iteration == sim->options.max_iterations)
        return true;
    return solver == TN_ALPHA_TIGHT ? forces_are_good(sim, c, at)
                                    : at->now.all > TN_CRAWLING * at->before.all;
}

/* Is the matrix factorized at the start of the iteration, so that the prediction is corrected in any case? The
 * factor of a nearby pose is not good enough with redundant rows: it turns the round-off in the null space of the
 * multipliers into forces, and after a pole the stiffness of the predicted multipliers is far off. */
static int starts_anew(const tn_sim *sim, tn_alpha_solver solver, const tn_step_report *report)
{
    return solver == TN_ALPHA_PLAIN || (solver == TN_ALPHA_TIGHT && tn_rows_repeat(sim, report));
}

/* Do plain solves hardly reduce the residual, because rows are redundant? */
static int crawls(const tn_sim *sim, tn_alpha_solver solver, const tn_progress *at,
                  const tn_step_report *report)
{
    return solver == TN_ALPHA_PLAIN && at->now.all > TN_STALE_CONTRACTION * at->before.all &&
           tn_rows_repeat(sim, report) && !tn_gap_is_on(&sim->state);
}

/* The correction of an iteration; `renew`: with a new factor. */
static tn_status correct(tn_sim *sim, const tn_alpha *c, tn_alpha_solver solver, int renew,
                         tn_step_report *report)
{
    const bool at_once = renew && solver != TN_ALPHA_REFINED && !tn_gap_is_on(&sim->state) &&
                         !tn_alpha_of(sim)->tree->on;
    const tn_status status = at_once ? factor_and_solve(sim, c, report)
                             : renew ? tn_alpha_factor(sim, c, report)
                                     : TN_OK;
    if (status != TN_OK)
        return status;
    if (!at_once) {
        tn_gap_take(sim, sim->sys.g, report);
        if (solver == TN_ALPHA_REFINED) {
            sim->out_of_reach = solve_refined(sim, report);
        } else {
            solve_plainly(sim, c, report);
        }
    }
    if (c->index_2)
        tn_alpha_correct_pose(sim, c, report);
    report->iterations++;
    return TN_OK;
}

/* Is the prediction corrected in any case, while no coupling or load reads joints? */
static bool is_in_passing(const tn_sim *sim, tn_alpha_solver solver)
{
    const tn_model *model = sim->model;
    return solver == TN_ALPHA_PLAIN && model->element_count == model->joint_count &&
           model->load_count == 0 && model->solid_count == 0 && !tn_loads_read_joints(sim);
}

static tn_status iterate(tn_sim *sim, const tn_alpha *c, tn_alpha_solver solver,
                         tn_step_report *report)
{
    /* the residual of a machine of kilometres cannot fall below round-off */
    const double enough = fmax(sim->options.position_tolerance, c->round_off);
    tn_progress at = {.before = {INFINITY, INFINITY, INFINITY}, .balance = INFINITY, .made = -1};
    int32_t slow = 0;
    int fresh = 0; /* the factor is that of the last pose, not of the predicted one */
    tn_status status = TN_OK;
    for (; status == TN_OK; at.iteration++) {
        const int first = at.iteration == 0, anew = first && starts_anew(sim, solver, report);
        tn_alpha_of(sim)->in_passing = first && is_in_passing(sim, solver);
        at.now = tn_alpha_evaluate(sim, c, first ? TN_TRIAL_PREDICTED : TN_TRIAL_CORRECTED);
        const double r = at.now.all;
        if (isnan(r))
            return TN_ERROR_NOT_FINITE;
        if (solver == TN_ALPHA_TIGHT) /* forces_are_good() reads them */
            tn_plane_show(sim);
        if (!anew && r <= enough && is_done(sim, c, solver, &at))
            return TN_OK;
        if (r > enough &&
            (moves_by_rounding(sim, c, &at, enough) || solids_are_met(sim, solver, &at, enough)))
            return TN_OK;
        if (at.iteration == at.made + 1)
            at.renewed = r / at.before.all;
        slow += r > TN_SLOW_CONTRACTION * at.before.all;
        const int crawling = r > enough && crawls(sim, solver, &at, report);
        if (at.iteration == sim->options.max_iterations || (r > enough && slow >= TN_SLOW_LIMIT) ||
            (crawling && fresh))
            return is_round_off(sim, &at, enough) ? TN_OK : TN_ERROR_NOT_CONVERGED;
        const int renew = first ? anew : crawling || is_stale(sim, &at, enough);
        fresh = renew && !first;
        at.made = fresh ? at.iteration : at.made;
        if (fresh) /* intermediate forces of joints are less accurate than predicted ones, except near a pole */
            tn_alpha_stiffen(sim, c, tn_rows_repeat(sim, report));
        at.before = at.now;
        status = correct(sim, c, solver, renew, report);
    }
    return status;
}

tn_status tn_alpha_iterate(tn_sim *sim, const tn_alpha *c, tn_alpha_solver solver,
                           tn_step_report *report)
{
    const tn_status status = iterate(sim, c, solver, report);
    tn_plane_show(sim);
    tn_alpha_tree_show(sim);
    return status;
}
