/* alpha_newton.c: room method/alpha: the Newton iteration of a generalized-alpha step.
 *
 * In: the predicted state of the end of the step. Out: that state with rows and equations met, or a
 * failure. What is solved stands at the head of generalized_alpha.c.
 *
 * Rows of loops are solved with E = TN_EPSILON A in the factor. A correction leaves E / (E + sigma)
 * of the error that belongs to an eigenvalue sigma of G H^-1 G^T. Near a fold (bars in line, a
 * parallelogram about to turn over) sigma = c x^2 passes through zero, x the distance from the
 * fold, and the multiplier has a pole F / x, so that no prediction of it is good. The force that is
 * missing moves the bodies along the branch that is not theirs, by y, and y comes back by that
 * share only. Then each correction is a linear solve by conjugate gradients (tn_kkt_solve_refined)
 * instead, from the prediction anew: y never arises. At the end rows are off by x y only, so that
 * near a fold they say little about y; there the iteration goes on as far as round-off lets it.
 *
 * Corrections leave in the null space of the multipliers what rounding of the rows leaves there,
 * divided by E, 1e-2 N for a kilogram at h = 1e-3 s. It moves nothing and is taken out at the end;
 * where friction goes by the reactions it would be friction, and is taken out of plain corrections
 * at once.
 *
 * Limits: eigenvalues far below E are left alone (tn_solve_at_fold): they may be those of rows that
 * repeat others but for inexact geometry, and must not be met (gap.c).
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

/* What rounding of a body's forces, or moments, leaves of their sum, relative to the largest. */
#define TN_FORCES_MET (64.0 * DBL_EPSILON)

/* An iteration that crawls (TN_CRAWLING) has met round-off; near a fold the first ones may do so
 * too.
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

/* A factor made anew leaves of the residual what the matrix lacks, at any pose: one more is no
 * better until an iteration leaves this many times the share that the first one with it left. */
#define TN_WORN 2.0

/* Where an iteration stands. */
typedef struct tn_progress {
    tn_alpha_residual now, before; /* of this iteration and of the last one */
    double balance;                /* of the bodies' equations, relative, when last asked */
    double renewed;                /* share of the residual that a factor made anew left at once */
    int32_t iteration, made;       /* in which the factor was made anew; -1: it is the first one */
} tn_progress;

/* Are the bodies' equations met to the force_tolerance, or as well as round-off allows? */
static int forces_are_good(const tn_sim *sim, const tn_alpha *c, tn_progress *at)
{
    const double wanted = sim->options.force_tolerance;
    const tn_force_balance b = tn_force_balance_of(sim, sim->sys.f, tn_alpha_of(sim)->force_scale);
    const double balance = fmax(b.force, b.moment), last = at->balance;
    at->balance = balance;
    if (at->iteration >= TN_STAGNATION_AFTER && at->now.forces > TN_CRAWLING * at->before.forces)
        return balance <= wanted || balance >= last;
    /* what the rows are off is a force of the next step: it counts as an acceleration */
    return balance <= wanted &&
           at->now.forces * c->beta_prime <= wanted * fmax(v3_norm(sim->model->gravity), 1.0);
}

/* Rows are met, and of the forces is left what their own round-off leaves? What a residual force
 * would move its body in the step, alone, may be far more than the position tolerance then: in a
 * step of minutes, or where a body has next to no inertia of its own. */
static bool is_round_off(tn_sim *sim, const tn_progress *at, double enough)
{
    if (at->now.rows > enough)
        return false;
    tn_plane_show(sim);
    tn_alpha_tree_show(sim);
    const tn_force_balance b = tn_force_balance_of(sim, sim->sys.f, tn_alpha_of(sim)->force_scale);
    return fmax(b.force, b.moment) <= TN_FORCES_MET;
}

/* Does what is left of the forces of a tree no longer get less, rows being met, and did the last correction move bodies
 * by no more than rounding of so many rows in a row may? It moves them again, and with them turn forces that are
 * far larger than what moves bodies: where a chain of a hundred kilometres hangs. */
static bool moves_by_rounding(const tn_sim *sim, const tn_alpha *c, const tn_progress *at,
                              double enough)
{
    const tn_alpha_tree *tree = tn_alpha_of(sim)->tree;
    return tree->on && at->now.rows <= enough && at->now.all > TN_CRAWLING * at->before.all &&
           tree->moved <= c->round_off * sqrt((double)tree->count);
}

/* Elastic solids: what residual forces would move a node alone says nothing of nodes that stiff elements hold. Their forces are met
 * where poses are known to the tolerance (tn_force_balance). */
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

/* Both of a correction whose right-hand side does not ask the factor anything. */
static tn_status factor_and_solve(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    fill_matrix(sim, c);
    const tn_status status = tn_factorize_and_solve(sim, sim->sys.du, sim->sys.g, report);
    tn_clear_armatures(&sim->sys, sim->sys.g);
    if (status == TN_OK)
        take_null_part(sim, c, report);
    return status;
}

/* The same without E. Returns the share of the residual that is out of reach. */
static double solve_refined(tn_sim *sim, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    /* the forces are found anew before they are needed again */
    memcpy(sys->f, sys->du, sizeof(double) * (size_t)sys->layout->u_size);
    const double left = tn_solve_at_fold(sim, report);
    for (int64_t k = 0; k < sys->layout->y_size; k++)
        sys->g[k] = -sys->y[k];
    return left;
}

/* Would the factor at hand need many more iterations to enough, or more than there are? With gaps
 * it is kept: another one would split rows and gaps otherwise, half-way. */
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

/* The matrix of the start of the iteration is new, and what is predicted always corrected: where
 * rows repeat, those of a pose nearby put into the forces what round-off puts into the null space
 * of the multipliers, and after a pole the stiffness of the multipliers predicted is far off. */
static int starts_anew(const tn_sim *sim, tn_alpha_solver solver, const tn_step_report *report)
{
    return solver == TN_ALPHA_PLAIN || (solver == TN_ALPHA_TIGHT && tn_rows_repeat(sim, report));
}

/* Rows that repeat, and plain solves that hardly help. */
static int crawls(const tn_sim *sim, tn_alpha_solver solver, const tn_progress *at,
                  const tn_step_report *report)
{
    return solver == TN_ALPHA_PLAIN && at->now.all > TN_STALE_CONTRACTION * at->before.all &&
           tn_rows_repeat(sim, report) && !tn_gap_is_on(&sim->state);
}

/* The correction of an iteration, with a new factor first if need be. */
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

/* A prediction that is corrected in any case, and no coupling or load that reads joints. */
static bool is_in_passing(const tn_sim *sim, tn_alpha_solver solver)
{
    const tn_model *model = sim->model;
    return solver == TN_ALPHA_PLAIN && model->element_count == model->joint_count &&
           model->load_count == 0 && model->solid_count == 0 && !tn_loads_read_joints(sim);
}

static tn_status iterate(tn_sim *sim, const tn_alpha *c, tn_alpha_solver solver,
                         tn_step_report *report)
{
    /* below round-off the steps of a machine of kilometres would never end */
    const double enough = fmax(sim->options.position_tolerance, c->round_off);
    tn_progress at = {.before = {INFINITY, INFINITY, INFINITY}, .balance = INFINITY, .made = -1};
    int32_t slow = 0;
    int fresh = 0; /* the factor is that of the last pose, not of the one predicted */
    tn_status status = TN_OK;
    for (; status == TN_OK; at.iteration++) {
        const int first = at.iteration == 0, anew = first && starts_anew(sim, solver, report);
        tn_alpha_of(sim)->in_passing = first && is_in_passing(sim, solver);
        at.now = tn_alpha_evaluate(sim, c, first ? TN_TRIAL_PREDICTED : TN_TRIAL_CORRECTED);
        const double r = at.now.all;
        if (isnan(r))
            return TN_ERROR_NOT_FINITE;
        if (solver == TN_ALPHA_TIGHT) /* forces_are_good() looks at them */
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
        if (fresh) /* joints' forces half-way are further off than those predicted, but near a pole */
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
