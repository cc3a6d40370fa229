/* implicit_stage.c: room method/stages: a stage of a Runge-Kutta method whose own weight is gamma > 0.
 *
 * In: what the stages before give (rkmk.h), the start of the part in sim->mark. Out: the state at
 * the stage: with s = h gamma
 *     u = u0 + h known' + s u',    T = h known + s dexp^-1(T) w,
 *     M u' = f(t, q, u) + G^T l,    G u' = v' - (dG/dt) u.
 * Newton's iteration on u' and the multipliers l of hard rows, with the matrix of the stage as it is
 * begun, for what is stiff turns with the bodies,
 *     [ M + s D + s^2 K,  -G^T ; G,  R ],    R = C / (s (s + C D)) on rows that yield,
 * D and K of bodies, loads and soft rows. What the matrix lacks (gyroscopic terms, what turns of
 * rows do to forces, springs between two bodies, whose block it has no place for) is made up for by
 * mixing the iterates (solve/mixing.h). In loops of hard rows pose and velocity are closed at every
 * iterate, by the same matrix, which is that of the part's first stage there: closing moves what is
 * soft and leaves stiff springs alone.
 *
 * Limits: an iteration that does not get there in TN_STAGE_ITERATIONS, with a matrix of its own
 * stage too, fails, and the part is tried again, shorter.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "method/stages/rkmk.h"
#include "law/drives/drives.h"
#include "motion/kinematics.h"
#include "motion/loads.h"
#include "motion/closing/project.h"
#include "solve/mixing.h"

#define TN_STAGE_ITERATIONS 16

/* A stage is solved when a correction, the error of the iterate before it, is this share of what a
 * part may err: over a run such errors add up while those of parts, of order 6, are far below what
 * their estimate, of order 5, may be. Where round-off keeps corrections from shrinking, by that
 * share of the last one, so much more is enough. */
#define TN_STAGE_SHARE   1e-3
#define TN_STAGE_ROUNDED 100.0
/* Of whole steps no error is asked for: stages are solved as for this tolerance. */
#define TN_STAGE_FINEST 1e-9

/* In loops rows are met when they are off by no more than this, m and rad, or open by that in the
 * part; or when round-off keeps them from it: a pass leaves more than a share of what was. */
#define TN_STAGE_CLOSED   1e-11
#define TN_STAGE_OPEN     1e-9
#define TN_STAGE_CRAWLING 0.5

/* Passes that find the coordinates of a turn from its rate; each gains some digits where a part
 * turns by less than a radian. */
#define TN_TURN_PASSES 40
#define TN_SAME_TURN   1e-16 /* rad */

struct tn_implicit {
    double *weight;    /* [velocities] of the norm of corrections: 1 / size, or 1 of turns */
    double *lambda;    /* [elements][TN_MAX_ROWS] of hard rows, those of the iterate */
    double *iterate;   /* [numbers] u' and multipliers */
    double *change;    /* [numbers] likewise, of Newton */
    double *speeds;    /* [y_size] of the rows */
    double *closing_q; /* [velocities] m, rad: what closes the loops of the stage */
    double *closing_u; /* [velocities] and makes its velocities fit */
    double closed;     /* how far the rows of loops were off at the last iterate, m or rad */
    tn_mixing mixing;
    int factored; /* the matrix is of this part */
    double *block;
};

static size_t rows_of(const tn_sim *sim)
{
    return TN_MAX_ROWS * (size_t)sim->model->element_count;
}

/* Lengths count by the size of the model. */
static void set_weights(const tn_sim *sim, double *weight)
{
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        const tn_motion_subspace *space = tn_motion_subspace_get(body->kind);
        for (int32_t k = 0; k < body->dim; k++)
            weight[body->u + k] = space->column[k] < 3 ? 1.0 / tn_rkmk_of(sim)->length : 1.0;
    }
}

tn_status tn_implicit_create(tn_sim *sim)
{
    const int64_t n = sim->model->size.velocities, rows = (int64_t)rows_of(sim), all = n + rows;
    tn_implicit *w = tn_rkmk_of(sim)->implicit = TN_NEW(tn_implicit);
    if (!w)
        return TN_ERROR_MEMORY;
    double *at = w->block = TN_NEW_ARRAY(double, 3 * n + rows + 2 * all + sim->sys.layout->y_size +
                                                     tn_mixing_numbers(all));
    if (!at)
        return TN_ERROR_MEMORY;
    w->weight = at;
    w->closing_q = at += n;
    w->closing_u = at += n;
    w->lambda = at += n;
    w->iterate = at += rows;
    w->change = at += all;
    w->speeds = at += all;
    w->mixing = tn_mixing_of((int32_t)all, (int32_t)n, w->weight, at + sim->sys.layout->y_size);
    set_weights(sim, w->weight);
    return TN_OK;
}

void tn_implicit_destroy(tn_implicit *w)
{
    if (w)
        tn_free(w->block);
    tn_free(w);
}

void tn_implicit_begin(tn_sim *sim)
{
    tn_rkmk_of(sim)->implicit->factored = 0;
}

/* s of the head comment. */
static double own_time(const tn_sim *sim, double h)
{
    return h * tn_rkmk_of(sim)->tableau->gamma;
}

/* dq of the turn of a spatial body with velocity w, known the rest of it. */
static void find_turn(const tn_sim *sim, const tn_model_body *body, double h)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    const double gamma = r->tableau->gamma;
    const tn_vec3 known = v3_load(r->known_rate + body->u + 3);
    const tn_vec3 w = v3_load(sim->state.u + body->u + 3);
    tn_vec3 rate = v3_axpy(known, gamma, w);
    for (int pass = 0; pass < TN_TURN_PASSES; pass++) {
        const tn_vec3 own = tn_m3_rate_of_turn(v3_scale(h, rate), w);
        const tn_vec3 next = v3_axpy(known, gamma, own);
        const double change = h * v3_norm(v3_sub(next, rate));
        rate = next;
        if (!(change > TN_SAME_TURN))
            break;
    }
    v3_store(r->dq + body->u + 3, rate);
}

/* Pose, velocity and kinematics of the accelerations in the state. */
static void place(tn_sim *sim, int i, double h)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    const tn_implicit *w = r->implicit;
    const double s = own_time(sim, h), gamma = r->tableau->gamma;
    double *u = sim->state.u;
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        u[k] = sim->mark.u[k] + (h * r->known_udot[k] + s * sim->state.udot[k]) + w->closing_u[k];
        r->dq[k] = r->known_rate[k] + gamma * u[k];
    }
    for (int32_t b = 0; b < sim->model->body_count; b++)
        if (sim->model->bodies[b].dim == 6)
            find_turn(sim, &sim->model->bodies[b], h);
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        r->dq[k] += w->closing_q[k] / h;
    tn_rkmk_move(sim, i, h);
}

/* The matrix at the state, factored. */
static tn_status factor(tn_sim *sim, double h, tn_step_report *report)
{
    const double s = own_time(sim, h);
    const tn_row_law law = {.scale = 1.0 / (s * s), .shift = 1.0, .rate = 1.0 / s};
    memset(sim->sys.f, 0, sizeof(double) * (size_t)sim->sys.layout->u_size);
    tn_loads_add(sim, sim->state.u, true, sim->sys.f);
    tn_assemble_mass(&sim->sys, s, NULL);
    tn_assemble_jacobian(&sim->sys, &sim->state);
    tn_assemble_row_law(&sim->sys, &sim->state, &law);
    tn_loads_fill(sim, s * s, s, NULL, NULL);
    const double pivot = report->smallest_pivot; /* of masses, which tell whether rows repeat */
    const tn_status status = tn_factorize(sim, report);
    report->smallest_pivot = pivot;
    tn_implicit *w = tn_rkmk_of(sim)->implicit;
    w->factored = status == TN_OK;
    return status;
}

static int is_hard(const tn_sim *sim, int32_t j, int32_t n)
{
    return tn_active_compliance(&sim->state, j, n) <= 0.0;
}

/* The multipliers of hard rows, as the state has them, apart. */
static void take_hard_multipliers(const tn_sim *sim, double *lambda)
{
    memset(lambda, 0, sizeof(double) * rows_of(sim));
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        for (int32_t n = 0; n < s->active_count; n++) {
            const size_t at = (size_t)j * TN_MAX_ROWS + (size_t)s->active[n];
            lambda[at] = is_hard(sim, j, n) ? sim->state.lambda[at] : 0.0;
        }
    }
}

/* Right-hand sides of the bodies' equations: forces and reactions less M u'. */
static void bodies_residual(tn_sim *sim)
{
    const tn_implicit *w = tn_rkmk_of(sim)->implicit;
    tn_system *sys = &sim->sys;
    tn_state hard = sim->state;
    hard.lambda = w->lambda;
    tn_assemble_joint_forces(sys, &hard, sys->f);
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        sys->du[k] = -sim->state.udot[k];
    tn_assemble_momentum(sys, sys->du, sys->f);
}

/* Those of hard rows, v' - (dG/dt) u - G u'; all multipliers together again in the state. */
static void rows_residual(tn_sim *sim)
{
    const tn_implicit *w = tn_rkmk_of(sim)->implicit;
    tn_system *sys = &sim->sys;
    tn_assemble_speeds(sys, &sim->state, sim->state.udot, w->speeds);
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        const int64_t slot = sys->layout->y_offset[j];
        for (int32_t n = 0; n < s->active_count; n++) {
            const size_t at = (size_t)j * TN_MAX_ROWS + (size_t)s->active[n];
            sys->g[slot + n] = is_hard(sim, j, n) ? sys->g[slot + n] - w->speeds[slot + n] : 0.0;
            sim->state.lambda[at] += w->lambda[at];
        }
    }
}

/* With the E of the factor on rows of loops: the next iterate mends what it does to rows, and what
 * it leaves in the multipliers' null space moves nothing, unless friction goes by the reactions. */
static tn_status solve_from_nothing(tn_sim *sim, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    if (!tn_drives_need_reactions(sim) && !tn_gap_is_on(&sim->state)) {
        memcpy(sys->du, sys->f, sizeof(double) * (size_t)sys->layout->u_size);
        tn_kkt_solve(sim->model->kkt, sys->factor, sys->du, sys->g);
        for (int64_t k = 0; k < sys->layout->y_size; k++)
            sys->y[k] = -sys->g[k];
        report->solves++;
        return TN_OK;
    }
    memset(sim->sys.du, 0, sizeof(double) * (size_t)sim->sys.layout->u_size);
    memset(sim->sys.y, 0, sizeof(double) * (size_t)sim->sys.layout->y_size);
    return tn_solve(sim, report);
}

/* The correction of Newton, into change. */
static tn_status correction(tn_sim *sim, tn_step_report *report)
{
    const tn_implicit *w = tn_rkmk_of(sim)->implicit;
    const int32_t n = sim->model->size.velocities;
    take_hard_multipliers(sim, w->lambda);
    tn_prepare_acceleration(sim);
    bodies_residual(sim);
    rows_residual(sim);
    const tn_status status = solve_from_nothing(sim, report);
    memcpy(w->change, sim->sys.du, sizeof(double) * (size_t)n);
    memset(w->change + n, 0, sizeof(double) * rows_of(sim));
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        for (int32_t k = 0; k < s->active_count; k++)
            if (is_hard(sim, j, k))
                w->change[n + j * TN_MAX_ROWS + s->active[k]] =
                    sim->sys.y[sim->sys.layout->y_offset[j] + k];
    }
    return status;
}

/* The next iterate. */
static void mix(tn_sim *sim)
{
    tn_implicit *w = tn_rkmk_of(sim)->implicit;
    const size_t n = (size_t)sim->model->size.velocities, rows = rows_of(sim);
    memcpy(w->iterate, sim->state.udot, sizeof(double) * n);
    memcpy(w->iterate + n, sim->state.lambda, sizeof(double) * rows);
    tn_mixing_next(&w->mixing, w->iterate, w->change);
    memcpy(sim->state.udot, w->iterate, sizeof(double) * n);
    memcpy(sim->state.lambda, w->iterate + n, sizeof(double) * rows);
}

/* g of hard rows = -of (what they are off, or their speeds), of others 0, and nothing else. */
static void ask_rows(tn_sim *sim, const double *of)
{
    tn_system *sys = &sim->sys;
    memset(sys->f, 0, sizeof(double) * (size_t)sys->layout->u_size);
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const int64_t slot = sys->layout->y_offset[j];
        for (int32_t n = 0; n < sim->state.switches[j].active_count; n++)
            sys->g[slot + n] = is_hard(sim, j, n) ? -of[slot + n] : 0.0;
    }
}

/* The largest right-hand side of a row. */
static double largest_of_rows(const tn_sim *sim)
{
    double largest = 0.0;
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const int64_t slot = sim->sys.layout->y_offset[j];
        for (int32_t n = 0; n < sim->state.switches[j].active_count; n++)
            largest = fmax(largest, fabs(sim->sys.g[slot + n]));
    }
    return largest;
}

/* What the rows ask for, if it is more than enough, added to closing. Returns how much it is. */
static double close_by(tn_sim *sim, double enough, double *closing, tn_status *status,
                       tn_step_report *report)
{
    const double largest = largest_of_rows(sim);
    if (*status != TN_OK || largest <= enough)
        return largest;
    *status = solve_from_nothing(sim, report);
    for (int32_t k = 0; k < sim->model->size.velocities && *status == TN_OK; k++)
        closing[k] += sim->sys.du[k];
    return largest;
}

/* Pose and velocity of the next iterate nearer to where the loops close; the errors of this one are
 * in sys.phi. */
static tn_status close_loops(tn_sim *sim, double h, tn_step_report *report)
{
    tn_implicit *w = tn_rkmk_of(sim)->implicit;
    tn_system *sys = &sim->sys;
    const double enough = TN_STAGE_CLOSED * tn_length_unit(sim);
    tn_status status = TN_OK;
    ask_rows(sim, sys->phi);
    const double open = close_by(sim, enough, w->closing_q, &status, report);
    tn_assemble_speeds(sys, &sim->state, sim->state.u, w->speeds);
    ask_rows(sim, w->speeds);
    tn_assemble_hold_rates(sys, &sim->state, 1, sys->g);
    w->closed = fmax(open, h * close_by(sim, enough / h, w->closing_u, &status, report));
    return status;
}

static bool is_closed(const tn_sim *sim, double before)
{
    const tn_implicit *w = tn_rkmk_of(sim)->implicit;
    const double unit = tn_length_unit(sim);
    return w->closed <= TN_STAGE_CLOSED * unit ||
           (w->closed <= TN_STAGE_OPEN * unit && w->closed >= TN_STAGE_CRAWLING * before);
}

/* Of the tolerance. */
static double stage_share(const tn_sim *sim)
{
    const double tolerance = sim->options.relative_tolerance;
    return TN_STAGE_SHARE * (tolerance < 1.0 ? 1.0 : TN_STAGE_FINEST / tolerance);
}

/* A correction is the error of the iterate before it; what is left goes on as the last two did
 * (Hairer, Wanner II, IV.8). */
static bool is_solved(double off, double before)
{
    const double share =
        before < INFINITY ? off / before : (double)NAN; /* of the first: not known */
    return off <= 1.0 || (share < 1.0 && off * share <= 1.0 - share) ||
           (off <= TN_STAGE_ROUNDED && share >= TN_STAGE_CRAWLING);
}

/* One iteration; *off: its correction in units of what a stage may be off. */
static tn_status iterate(tn_sim *sim, double h, double *off, tn_step_report *report)
{
    tn_implicit *w = tn_rkmk_of(sim)->implicit;
    const double s = own_time(sim, h);
    tn_status status = w->factored ? TN_OK : factor(sim, h, report);
    if (status == TN_OK)
        status = correction(sim, report);
    if (status != TN_OK)
        return status;
    *off = tn_rkmk_in_tolerances(sim, w->change, s * s, w->change, s) / stage_share(sim);
    if (!isfinite(*off))
        return TN_ERROR_NOT_FINITE;
    mix(sim);
    report->iterations++;
    return tn_rkmk_of(sim)->closes ? close_loops(sim, h, report) : TN_OK;
}

/* From the accelerations and multipliers in the state. */
static tn_status solve(tn_sim *sim, int i, double h, tn_step_report *report)
{
    tn_implicit *w = tn_rkmk_of(sim)->implicit;
    const size_t bytes = sizeof(double) * (size_t)sim->model->size.velocities;
    memset(w->closing_q, 0, bytes);
    memset(w->closing_u, 0, bytes);
    w->closed = 0.0;
    tn_mixing_begin(&w->mixing);
    double off = INFINITY;
    for (int k = 0; k < TN_STAGE_ITERATIONS; k++) {
        const double closed = w->closed, before = off;
        place(sim, i, h);
        const tn_status status = iterate(sim, h, &off, report);
        if (status != TN_OK)
            return status;
        if (is_solved(off, before) && is_closed(sim, closed)) {
            place(sim, i, h);
            return TN_OK;
        }
    }
    return TN_ERROR_NOT_CONVERGED;
}

/* Where the iteration starts: the accelerations of the polynomial through those of the stages
 * before, and the multipliers of the last one. */
static void guess(tn_sim *sim, int i)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    const double *at = r->tableau->at;
    memset(sim->state.udot, 0, sizeof(double) * (size_t)sim->model->size.velocities);
    for (int j = 0; j < i; j++) {
        double weight = 1.0;
        for (int k = 0; k < i; k++)
            weight *= k == j ? 1.0 : (at[i] - at[k]) / (at[j] - at[k]);
        for (int32_t k = 0; k < sim->model->size.velocities; k++)
            sim->state.udot[k] += weight * r->udot[j][k];
    }
}

tn_status tn_implicit_stage(tn_sim *sim, int i, double h, tn_step_report *report)
{
    tn_implicit *w = tn_rkmk_of(sim)->implicit;
    w->factored = w->factored && tn_rkmk_of(sim)->closes;
    const int fresh = !w->factored;
    guess(sim, i);
    const tn_status status = solve(sim, i, h, report);
    if (status != TN_ERROR_NOT_CONVERGED || fresh)
        return status;
    w->factored = 0;
    guess(sim, i);
    return solve(sim, i, h, report);
}

tn_status tn_implicit_smooth(tn_sim *sim, double *udot, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    memset(sys->f, 0, sizeof(double) * (size_t)sys->layout->u_size);
    memset(sys->g, 0, sizeof(double) * (size_t)sys->layout->y_size);
    tn_assemble_momentum(sys, udot, sys->f);
    const tn_status status = solve_from_nothing(sim, report);
    memcpy(udot, sys->du, sizeof(double) * (size_t)sim->model->size.velocities);
    return status;
}
