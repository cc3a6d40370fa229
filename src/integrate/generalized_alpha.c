/* generalized_alpha.c: room integrate: the Lie group generalized-alpha method, index 3.
 *
 * Bruels & Cardona 2010; Bruels, Cardona & Arnold 2012; notation of ALGORITHMS 6.2. With rho the
 * spectral radius at infinite frequency,
 *     am = (2 rho - 1)/(rho + 1),  af = rho/(rho + 1),  gamma = 1/2 + af - am,
 *     beta = (gamma + 1/2)^2 / 4,
 *     dq = u + h (1/2 - beta) a + h beta a+,     u+ = u + h (1 - gamma) a + h gamma a+,
 *     (1 - am) a+ + am a = (1 - af) udot+ + af udot,     q+ = q o exp(h dq),
 * and at the end of the step M udot+ = f + G^T lambda, phi(q+) = 0. Constraint forces and
 * constraints are taken at the same pose, which is why folds (change points) are passed safely.
 *
 * Newton on d = h dq: u+ moves by gamma' d, udot+ by beta' d, gamma' = gamma/(beta h),
 * beta' = (1 - am)/(beta h^2 (1 - af)). Divided by beta' the matrix is
 *     [ M + (gamma'/beta') D + S,  -G^T ; G,  R ],   unknowns d and dlambda / beta',
 * S the stiffness of the joint forces (alpha_residual.c), without which the forces of a taut chain
 * make the iteration slow; it cannot change the result. The matrix is built and factored once per
 * step, at the predicted pose. A compliant row is phi + C (lambda + D phi') = 0. Hard rows of loops
 * carry E = TN_EPSILON A in the factor only, so that it exists under any redundancy; the iteration,
 * whose residual has no E, is then the proximal method of ALGORITHMS 2.4 and Newton's at once. What
 * round-off leaves in the multipliers' null space is taken out after each step
 * (purge.c).
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "integrate/alpha.h"
#include "integrate/force_balance.h"

/* A step gives up when an iteration leaves more than this share of the residual ... */
#define TN_SLOW_CONTRACTION 0.9
/* ... this many times. */
#define TN_SLOW_LIMIT 3

/* A factor is stale when an iteration leaves more than this share of the residual, and that often
 * for more iterations than these. */
#define TN_STALE_CONTRACTION 0.1
#define TN_STALE_ITERATIONS  3.0

/* An iteration that leaves more than this share of the residual has met round-off. */
#define TN_STAGNATION 0.25
/* ... but near a fold the first ones may do so too. */
#define TN_STAGNATION_AFTER 5

/* Residual that round-off leaves, relative to the largest coordinate. */
#define TN_ROUND_OFF (32.0 * DBL_EPSILON)

tn_alpha tn_alpha_coefficients(double rho, double h)
{
    tn_alpha c;
    c.h = h;
    c.am = (2.0 * rho - 1.0) / (rho + 1.0);
    c.af = rho / (rho + 1.0);
    c.gamma = 0.5 + c.af - c.am;
    c.beta = 0.25 * (c.gamma + 0.5) * (c.gamma + 0.5);
    c.gamma_prime = c.gamma / (c.beta * h);
    c.beta_prime = (1.0 - c.am) / (c.beta * h * h * (1.0 - c.af));
    return c;
}

/* The step with udot and lambda going on as they did. acc becomes the part of a+ that does not
 * change any more: a+ = acc + (1 - af)/(1 - am) udot+. */
static void predict(tn_sim *sim, const tn_alpha *c)
{
    tn_state *s = &sim->state;
    const double keep = (1.0 - c->af) / (1.0 - c->am);
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        const double a = s->acc[k];
        const double base = (c->af * s->udot[k] - c->am * a) / (1.0 - c->am);
        s->udot[k] += c->h * s->udot_rate[k];
        const double a_next = base + keep * s->udot[k];
        sim->dq[k] = s->u[k] + c->h * ((0.5 - c->beta) * a + c->beta * a_next);
        s->u[k] += c->h * ((1.0 - c->gamma) * a + c->gamma * a_next);
        s->acc[k] = base;
    }
    for (size_t k = 0; k < TN_MAX_ROWS * (size_t)sim->model->element_count; k++)
        s->lambda[k] += c->h * s->lambda_rate[k];
}

/* Matrix at the current kinematics, factored. */
static tn_status factor(tn_sim *sim, const tn_alpha *c, const double *stiffness,
                        tn_step_report *report)
{
    const tn_row_law law = {.scale = c->beta_prime, .shift = 1.0, .rate = c->gamma_prime};
    tn_assemble_mass(&sim->sys, c->gamma_prime / c->beta_prime, stiffness);
    tn_assemble_jacobian(&sim->sys, &sim->state);
    tn_assemble_row_law(&sim->sys, &sim->state, &law);
    return tn_factorize(sim, report);
}

/* The residual at which the iteration ends, m and rad: round-off of the largest coordinate sets a
 * floor, or the steps of a machine of kilometres would never end. */
static double tolerance(const tn_sim *sim)
{
    double largest = 0.0;
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_vec3 x = sim->start.x[i];
        largest = fmax(largest, fmax(fabs(x.x), fmax(fabs(x.y), fabs(x.z))));
    }
    return fmax(sim->options.position_tolerance, TN_ROUND_OFF * largest);
}

/* With a force_tolerance: are the bodies' equations met, or as well as round-off allows? r and
 * before are the residuals of this and the last iteration, within the position tolerance. */
static int forces_are_good(const tn_sim *sim, const tn_alpha *c, double r, double before,
                           int32_t iteration)
{
    const double wanted = sim->options.force_tolerance;
    if (isinf(wanted) || iteration == sim->options.max_iterations ||
        (iteration >= TN_STAGNATION_AFTER && r > TN_STAGNATION * before))
        return 1;
    /* what the rows are off is a force of the next step: it counts as an acceleration */
    if (r * c->beta_prime > wanted * fmax(v3_norm(sim->model->gravity), 1.0))
        return 0;
    const tn_force_balance b = tn_force_balance_of(sim, sim->sys.f, sim->stiffness);
    return fmax(b.force, b.moment) <= wanted;
}

/* Would the factor at hand need many more iterations from residual r to enough? */
static int is_stale(double r, double before, double enough)
{
    if (r <= enough || r <= TN_STALE_CONTRACTION * before)
        return 0;
    return r >= before || log(enough / r) < TN_STALE_ITERATIONS * log(r / before);
}

static tn_status iterate(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    const double enough = tolerance(sim);
    double before = INFINITY;
    int32_t slow = 0;
    for (int32_t it = 0;; it++) {
        const double r =
            tn_alpha_evaluate(sim, c, it == 0 ? TN_TRIAL_PREDICTED : TN_TRIAL_CORRECTED);
        if (isnan(r))
            return TN_ERROR_NOT_FINITE;
        if (it > 0 && r <= enough && forces_are_good(sim, c, r, before, it))
            return TN_OK;
        slow += r > TN_SLOW_CONTRACTION * before;
        if (it == sim->options.max_iterations || (slow >= TN_SLOW_LIMIT && r > enough))
            return TN_ERROR_NOT_CONVERGED;
        const int stale = it == 0 || is_stale(r, before, enough);
        before = r;
        if (stale) {
            const tn_status status = factor(sim, c, sim->stiffness, report);
            if (status != TN_OK)
                return status;
        }
        tn_gap_take(sim, sim->sys.g, report);
        tn_kkt_solve(sim->model->kkt, sim->sys.factor, sim->sys.du, sim->sys.g);
        report->solves++;
        report->iterations++;
    }
}

/* a+ from the udot+ found, and the rates for the next prediction. */
static void finish(tn_sim *sim, const tn_alpha *c)
{
    tn_state *s = &sim->state;
    const double keep = (1.0 - c->af) / (1.0 - c->am);
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        s->acc[k] += keep * s->udot[k];
        s->udot_rate[k] = (s->udot[k] - sim->start.udot[k]) / c->h;
    }
    for (size_t k = 0; k < TN_MAX_ROWS * (size_t)sim->model->element_count; k++)
        s->lambda_rate[k] = (s->lambda[k] - sim->start.lambda[k]) / c->h;
}

/* A purge with the null space of the end of the step, undone if it moves the forces all the same:
 * at a fold the smallest singular value passes through zero. */
static tn_status purge_tightly(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    double *before = sim->lo, *change = sim->hi; /* free between impacts */
    const tn_status status = factor(sim, c, NULL, report);
    if (status != TN_OK)
        return status;
    tn_assemble_gather_lambda(sys, &sim->state, before);
    tn_purge_multipliers(sim, report);
    tn_assemble_gather_lambda(sys, &sim->state, change);
    for (int64_t k = 0; k < sys->layout->y_size; k++)
        change[k] -= before[k];
    memset(sys->du, 0, sizeof(double) * (size_t)sys->layout->u_size);
    tn_kkt_apply_gt(sim->model->kkt, sys->values, change, sys->du);
    const tn_force_balance moved = tn_force_balance_of(sim, sys->du, sim->stiffness);
    if (fmax(moved.force, moved.moment) > 0.5 * sim->options.force_tolerance)
        tn_assemble_scatter_lambda(sys, &sim->state, before, 1.0);
    return TN_OK;
}

/* The factor of the predicted pose moves the forces by what G has changed since, times what is
 * taken out: no matter unless reactions are asked for to round-off. */
static tn_status purge(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    if (!tn_rows_repeat(sim, report))
        return TN_OK;
    if (!isinf(sim->options.force_tolerance))
        return purge_tightly(sim, c, report);
    tn_purge_multipliers(sim, report);
    return TN_OK;
}

tn_status tn_step_generalized_alpha(tn_sim *sim, double h, tn_step_report *report)
{
    const tn_alpha c = tn_alpha_coefficients(sim->options.spectral_radius, h);
    tn_state_copy_motion(&sim->start, &sim->state);
    tn_gap_clear(sim);
    predict(sim, &c);
    const tn_status status = iterate(sim, &c, report);
    tn_measure_errors(sim, sim->sys.phi, report);
    if (status != TN_OK) {
        report->culprit_joint = report->worst_joint;
        return status;
    }
    const tn_status purged = purge(sim, &c, report);
    finish(sim, &c);
    return purged;
}
