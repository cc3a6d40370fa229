/* implicit_system.c: room method/stages: the equations of an implicit stage.
 *
 * With s = h a_ii the stage is at
 *     u = u0 + h known' + s u',    T = h known + s dexp^-1(T) w,
 *     M u' = f(t, q, u) + G^T l,    G u' = v' - (dG/dt) u.
 * Newton's iteration is on u' and the multipliers l of hard rows, with the matrix
 *     [ M + s D + s^2 K,  -G^T ; G,  R ],    R = C / (s (s + C D)) on rows that yield,
 * D and K of bodies, loads and soft rows. What the matrix lacks (gyroscopic terms, what turns of
 * rows do to forces, springs between two bodies, whose block it has no place for) is made up for by
 * who iterates. In loops of hard rows pose and velocity are closed at every iterate, by the same
 * matrix: closing moves what is soft and leaves stiff springs alone.
 */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "law/drives/drives.h"
#include "method/stages/implicit.h"
#include "motion/closing/project.h"
#include "motion/kinematics.h"
#include "motion/loads.h"

/* Where round-off keeps corrections from shrinking by the share of the last one that a pass over
 * loops leaves too, so much more than what a stage may be off is enough. */
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
    const int64_t n = sim->model->size.velocities, rows = (int64_t)tn_implicit_rows(sim),
                  all = n + rows;
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
    return tn_together_create(sim, &w->together);
}

void tn_implicit_destroy(tn_implicit *w)
{
    if (!w)
        return;
    tn_together_destroy(w->together);
    tn_free(w->block);
    tn_free(w);
}

void tn_implicit_begin(tn_sim *sim)
{
    tn_rkmk_of(sim)->implicit->factored = 0;
}

/* dq of the turn of a spatial body with velocity w, known the rest of it. */
static void find_turn(const tn_sim *sim, const tn_model_body *body, double h)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    const double gamma = r->implicit->own;
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
void tn_implicit_place(tn_sim *sim, int i, double h)
{
    const tn_rkmk *r = tn_rkmk_of(sim);
    const tn_implicit *w = r->implicit;
    const double s = tn_implicit_own_time(sim, h), gamma = w->own;
    double *u = sim->state.u;
    for (int32_t k = 0; k < sim->model->size.velocities; k++) {
        u[k] = sim->mark.u[k] + (h * r->known_udot[k] + s * sim->state.udot[k]) + w->closing_u[k];
        r->dq[k] = r->known_rate[k] + gamma * u[k];
    }
    for (int32_t b = 0; b < sim->model->body_count; b++) {
        if (sim->model->bodies[b].dim == 6)
            find_turn(sim, &sim->model->bodies[b], h);
    }
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        r->dq[k] += w->closing_q[k] / h;
    tn_rkmk_move(sim, i, h);
}

static void fill_matrix(tn_sim *sim, double s)
{
    const tn_row_law law = {.scale = 1.0 / (s * s), .shift = 1.0, .rate = 1.0 / s};
    memset(sim->sys.f, 0, sizeof(double) * (size_t)sim->sys.layout->u_size);
    tn_loads_add(sim, sim->state.u, true, sim->sys.f);
    tn_assemble_mass(&sim->sys, &sim->state, s, NULL);
    tn_assemble_jacobian(&sim->sys, &sim->state);
    tn_assemble_row_law(&sim->sys, &sim->state, &law);
    tn_loads_fill(sim, s * s, s, NULL, NULL);
}

/* The matrix at the state, factored. */
tn_status tn_implicit_factor(tn_sim *sim, double h, tn_step_report *report)
{
    const double s = tn_implicit_own_time(sim, h);
    fill_matrix(sim, s);
    const double pivot = report->smallest_pivot; /* of masses, which tell whether rows repeat */
    tn_status status = tn_factorize(sim, report);
    if (status == TN_ERROR_SINGULAR && tn_loads_make_positive(sim, true)) {
        fill_matrix(sim, s);
        status = tn_factorize(sim, report);
        tn_loads_make_positive(sim, false);
    }
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
    memset(lambda, 0, sizeof(double) * tn_implicit_rows(sim));
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
    tn_assemble_momentum(sys, &sim->state, sys->du, sys->f);
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
        tn_system_solve(sys);
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
tn_status tn_implicit_correct(tn_sim *sim, tn_step_report *report)
{
    const tn_implicit *w = tn_rkmk_of(sim)->implicit;
    const int32_t n = sim->model->size.velocities;
    take_hard_multipliers(sim, w->lambda);
    tn_prepare_acceleration(sim);
    bodies_residual(sim);
    rows_residual(sim);
    const tn_status status = solve_from_nothing(sim, report);
    memcpy(w->change, sim->sys.du, sizeof(double) * (size_t)n);
    memset(w->change + n, 0, sizeof(double) * tn_implicit_rows(sim));
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        for (int32_t k = 0; k < s->active_count; k++) {
            if (is_hard(sim, j, k)) {
                w->change[n + j * TN_MAX_ROWS + s->active[k]] =
                    sim->sys.y[sim->sys.layout->y_offset[j] + k];
            }
        }
    }
    return status;
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
tn_status tn_implicit_close(tn_sim *sim, double h, tn_step_report *report)
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

bool tn_implicit_is_closed(const tn_sim *sim, double now, double before)
{
    const double unit = tn_length_unit(sim);
    return now <= TN_STAGE_CLOSED * unit ||
           (now <= TN_STAGE_OPEN * unit && now >= TN_STAGE_CRAWLING * before);
}

double tn_implicit_off(const tn_sim *sim, double h, double share)
{
    const double s = tn_implicit_own_time(sim, h), *change = tn_rkmk_of(sim)->implicit->change;
    const double rtol = sim->options.relative_tolerance;
    return tn_rkmk_in_tolerances(sim, change, s * s, change, s) /
           (share * (rtol < 1.0 ? 1.0 : TN_STAGE_FINEST / rtol));
}

bool tn_implicit_is_rounding(double off, double before)
{
    return off <= TN_STAGE_ROUNDED && off >= TN_STAGE_CRAWLING * before;
}

tn_status tn_implicit_smooth(tn_sim *sim, double *udot, tn_step_report *report)
{
    tn_system *sys = &sim->sys;
    memset(sys->f, 0, sizeof(double) * (size_t)sys->layout->u_size);
    memset(sys->g, 0, sizeof(double) * (size_t)sys->layout->y_size);
    tn_assemble_momentum(sys, &sim->state, udot, sys->f);
    const tn_status status = solve_from_nothing(sim, report);
    memcpy(udot, sys->du, sizeof(double) * (size_t)sim->model->size.velocities);
    return status;
}
