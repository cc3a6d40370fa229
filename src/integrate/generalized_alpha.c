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
 * (tn_purge_multipliers).
 *
 * Limits: the balance of a start (start_in_balance) belongs to its step size; after a change of h
 * the multipliers are first-order accurate for some ten steps.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "integrate/alpha.h"

/* A scaled pivot below this means rows that are, or nearly are, redundant. */
#define TN_REDUNDANT_PIVOT 1e-5

/* A step gives up when an iteration leaves more than this share of the residual ... */
#define TN_SLOW_CONTRACTION 0.9
/* ... this many times. */
#define TN_SLOW_LIMIT 3

/* Residual that round-off leaves, relative to the largest coordinate. */
#define TN_ROUND_OFF (32.0 * DBL_EPSILON)

/* At a start the change of the accelerations over the step is believed up to this share of them. */
#define TN_RESOLVED_CHANGE 0.5

static tn_alpha alpha_coefficients(double rho, double h)
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

/* Size of packed accelerations in the kinetic metric: root of the sum of inertia times square. */
static double acceleration_norm(const tn_model *model, const double *a)
{
    double sum = 0.0;
    for (int32_t i = 0; i < model->body_count; i++) {
        const tn_model_body *body = &model->bodies[i];
        for (int32_t k = 0; k < body->dim; k++)
            if (body->inverse_inertia[k] > 0.0)
                sum += a[body->u + k] * a[body->u + k] / body->inverse_inertia[k];
    }
    return sqrt(sum);
}

/* udot_rate and lambda_rate from the accelerations and multipliers a step ahead; 0 where the step
 * does not resolve them (stiff rows not in balance). The rest of the state is left as it was. */
static tn_status estimate_rates(tn_sim *sim, double h, tn_step_report *report)
{
    tn_state *s = &sim->state;
    const tn_model *model = sim->model;
    const int32_t n = model->size.velocities;
    tn_state_copy(&sim->start, s);
    for (int32_t k = 0; k < n; k++) {
        sim->dq[k] = s->u[k] + 0.5 * h * s->udot[k];
        s->u[k] += h * s->udot[k];
    }
    tn_move_bodies(model, sim->start.x, sim->start.q, sim->dq, h, s->x, s->q);
    tn_refresh_kinematics(sim);
    const tn_status status = tn_solve_acceleration(sim, report);
    for (int32_t k = 0; k < n; k++)
        sim->start.udot_rate[k] = (s->udot[k] - sim->start.udot[k]) / h;
    for (size_t k = 0; k < TN_MAX_ROWS * (size_t)model->joint_count; k++)
        sim->start.lambda_rate[k] = (s->lambda[k] - sim->start.lambda[k]) / h;
    const double rate = h * acceleration_norm(model, sim->start.udot_rate);
    const double size = acceleration_norm(model, sim->start.udot);
    tn_state_copy(s, &sim->start);
    if (status != TN_OK || !(rate <= TN_RESOLVED_CHANGE * size)) {
        memset(s->udot_rate, 0, sizeof(double) * (size_t)n);
        memset(s->lambda_rate, 0, sizeof(double) * TN_MAX_ROWS * (size_t)model->joint_count);
    }
    tn_refresh_kinematics(sim);
    return TN_OK;
}

/* The increment of a step misses h^3 defect: with am - af = s,
 *     defect = (1/6 - s/2 - beta) udot' + w x w' / 12 (rotations; fourth-order Magnus term). */
static void step_defect(const tn_sim *sim, const tn_alpha *c, double *defect)
{
    const tn_state *s = &sim->state;
    const double share = 1.0 / 6.0 - 0.5 * (c->am - c->af) - c->beta;
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        defect[k] = share * s->udot_rate[k];
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        if (body->dim != 6)
            continue;
        double *d = defect + body->u + 3;
        const tn_vec3 turn = v3_cross(v3_load(s->u + body->u + 3), v3_load(s->udot + body->u + 3));
        v3_store(d, v3_axpy(v3_load(d), 1.0 / 12.0, turn));
    }
}

/* Starts where the method itself would be had it run for long (Arnold, Bruels, Cardona 2015): a is
 * udot at t + (am - af) h, and the velocity is off the constraints by G u = h^2 G defect, which is
 * what keeps the pose on them. Otherwise the first multipliers are wrong to first order. */
static tn_status start_in_balance(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    tn_state *s = &sim->state;
    const int32_t n = sim->model->size.velocities;
    const double h2 = c->h * c->h;
    step_defect(sim, c, sim->dq);
    for (int32_t k = 0; k < n; k++)
        s->u[k] -= h2 * sim->dq[k];
    const tn_status status = tn_project_velocity(sim, report);
    for (int32_t k = 0; k < n; k++) {
        s->u[k] += h2 * sim->dq[k];
        s->acc[k] = s->udot[k] + (c->am - c->af) * c->h * s->udot_rate[k];
    }
    return status;
}

static tn_status restart(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    tn_refresh_kinematics(sim);
    tn_status status = tn_project_position(sim, sim->options.position_tolerance, report);
    if (status == TN_OK)
        status = tn_project_velocity(sim, report);
    if (status == TN_OK)
        status = tn_solve_acceleration(sim, report);
    if (status == TN_OK)
        status = estimate_rates(sim, c->h, report);
    if (status == TN_OK)
        status = start_in_balance(sim, c, report);
    if (status == TN_OK)
        sim->state.head->restart = 0;
    return status;
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
    for (size_t k = 0; k < TN_MAX_ROWS * (size_t)sim->model->joint_count; k++)
        s->lambda[k] += c->h * s->lambda_rate[k];
}

/* Matrix at the current kinematics, factored. */
static tn_status factor(tn_sim *sim, const tn_alpha *c, tn_step_report *report)
{
    const tn_row_law law = {.scale = c->beta_prime, .shift = 1.0, .rate = c->gamma_prime};
    tn_assemble_mass(&sim->sys, c->gamma_prime / c->beta_prime, sim->stiffness);
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
        if (it > 0 && r <= enough)
            return TN_OK;
        slow += r > TN_SLOW_CONTRACTION * before;
        if (it == sim->options.max_iterations || slow == TN_SLOW_LIMIT)
            return TN_ERROR_NOT_CONVERGED;
        before = r;
        if (it == 0) {
            const tn_status status = factor(sim, c, report);
            if (status != TN_OK)
                return status;
        }
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
    for (size_t k = 0; k < TN_MAX_ROWS * (size_t)sim->model->joint_count; k++)
        s->lambda_rate[k] = (s->lambda[k] - sim->start.lambda[k]) / c->h;
}

tn_status tn_step_generalized_alpha(tn_sim *sim, double h, tn_step_report *report)
{
    const tn_alpha c = alpha_coefficients(sim->options.spectral_radius, h);
    tn_status status = TN_OK;
    if (sim->state.head->restart)
        status = restart(sim, &c, report);
    if (status != TN_OK)
        return status;
    tn_state_copy_motion(&sim->start, &sim->state);
    predict(sim, &c);
    status = iterate(sim, &c, report);
    tn_measure_errors(sim, sim->sys.phi, report);
    if (status != TN_OK) {
        report->culprit_joint = report->worst_joint;
        return status;
    }
    if (sim->model->loop_joints > 0 && report->smallest_pivot < TN_REDUNDANT_PIVOT)
        tn_purge_multipliers(sim, report);
    finish(sim, &c);
    return TN_OK;
}
