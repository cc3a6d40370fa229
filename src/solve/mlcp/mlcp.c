/* mlcp.c: workspace, the solve with one active set, and the order of the methods.
 *
 * Room solve/mlcp. In: a KKT system with bounds. Out: its complementary solution (mlcp.h).
 *
 * One active set: rows at a bound are held by a large R while their known multiplier moves to the
 * right-hand side, b + G^T lambda_bound, so that nothing large ever meets the residual norms:
 *
 *     [ H  -G^T ] [u      ]   [b + G_h^T bound]
 *     [ G   R'  ] [lambda'] = [g; 0 if held   ]      R' = R, or 1e30 (a + R) if held
 */
#include "solve/mlcp/mlcp_impl.h"

#include "base/base.h"
#include "sparse/factor/factor.h"

#include <math.h>
#include <string.h>

/* R of a held row relative to a + R: lambda' is then G u / 1e30 a, far below round-off. */
#define TN_MLCP_HOLD 1e30
/* Single pivots granted after the interior point has named a set that is not quite the one. */
#define TN_MLCP_AFTERMATH 20

tn_mlcp_options tn_mlcp_default_options(void)
{
    return (tn_mlcp_options){.tolerance = 1e-10,
                             .max_sets = 10,
                             .max_interior = 100,
                             .patience = 3,
                             .refine = {.max_passes = 30, .tolerance = 1e-13}};
}

static void find_present(tn_mlcp *m)
{
    for (int32_t k = 0; k < m->l->n_dual; k++) {
        for (int32_t t = m->l->dual_start[k]; t < m->l->dual_start[k + 1]; t++) {
            m->present[k] = m->present[k] || m->l->g_offset[t] >= 0;
        }
    }
}

/* The arrays of doubles, those of u first. */
#define TN_MLCP_U_ARRAYS 5
#define TN_MLCP_Y_ARRAYS 7

static void list_arrays(tn_mlcp *m, double **arrays[TN_MLCP_U_ARRAYS + TN_MLCP_Y_ARRAYS])
{
    double **all[] = {
        &m->b_shifted, &m->ru, &m->best_u,      &m->interior_u,      &m->step_u,      &m->r,
        &m->g_shifted, &m->rl, &m->best_lambda, &m->interior_lambda, &m->step_lambda, &m->proof};
    memcpy(arrays, all, sizeof all);
}

tn_status tn_mlcp_create(const tn_kkt *kkt, tn_mlcp **out)
{
    tn_mlcp *m = TN_NEW(tn_mlcp);
    double **arrays[TN_MLCP_U_ARRAYS + TN_MLCP_Y_ARRAYS];
    *out = NULL;
    if (m == NULL) {
        return TN_ERROR_MEMORY;
    }
    m->kkt = kkt;
    m->l = tn_kkt_get_layout(kkt);
    list_arrays(m, arrays);
    double *at = m->block = TN_NEW_ARRAY(double, TN_MLCP_U_ARRAYS * m->l->u_size +
                                                     (TN_MLCP_Y_ARRAYS + 1) * m->l->y_size);
    m->present = TN_NEW_ARRAY(bool, m->l->n_dual);
    m->best_state = TN_NEW_ARRAY(int8_t, m->l->y_size);
    m->barrier = TN_NEW_ARRAY(tn_mlcp_barrier, 2 * m->l->y_size);
    if (at == NULL || m->present == NULL || m->best_state == NULL || m->barrier == NULL) {
        tn_mlcp_destroy(m);
        return TN_ERROR_MEMORY;
    }
    for (size_t k = 0; k < TN_COUNT_OF(arrays); k++) {
        *arrays[k] = at;
        at += k < TN_MLCP_U_ARRAYS ? m->l->u_size : m->l->y_size;
    }
    m->bounded = (int64_t *)(void *)at;
    find_present(m);
    *out = m;
    return TN_OK;
}

void tn_mlcp_destroy(tn_mlcp *m)
{
    if (m == NULL) {
        return;
    }
    tn_free(m->block);
    tn_free(m->present);
    tn_free(m->best_state);
    tn_free(m->barrier);
    tn_free(m);
}

void tn_mlcp_hold_row(tn_mlcp *m, tn_kkt_values *values, int64_t i)
{
    values->r[i] = TN_MLCP_HOLD * (values->a[i] + m->r[i]);
}

void tn_mlcp_hold(tn_mlcp *m, tn_kkt_values *values, const int8_t *state)
{
    TN_MLCP_ROWS(m, values, i)
    {
        m->r[i] = values->r[i];
        if (state[i] != TN_MLCP_FREE) {
            tn_mlcp_hold_row(m, values, i);
        }
    }
}

void tn_mlcp_release(tn_mlcp *m, tn_kkt_values *values, const int8_t *state)
{
    TN_MLCP_ROWS(m, values, i)
    {
        if (state[i] != TN_MLCP_FREE) {
            values->r[i] = m->r[i];
        }
    }
}

tn_status tn_mlcp_factorize(tn_mlcp_run *run)
{
    run->stats->factorizations++;
    return tn_kkt_factorize(run->m->kkt, run->values, run->factor, &run->stats->node);
}

tn_status tn_mlcp_refined(tn_mlcp_run *run, const double *b, const double *g, double *u,
                          double *lambda)
{
    tn_kkt_refine_stats refine;
    tn_status status = tn_kkt_solve_refined(run->m->kkt, run->values, run->factor, b, g, u, lambda,
                                            &run->options->refine, &refine);
    run->stats->solves++;
    run->stats->passes += refine.passes;
    return status;
}

static double bound_of(const tn_mlcp_run *run, int64_t i)
{
    return run->state[i] == TN_MLCP_LO ? run->lo[i] : run->hi[i];
}

/* Right-hand side and start for run->state. */
static void prepare(tn_mlcp_run *run, const double *start_u, const double *start_lambda)
{
    tn_mlcp *m = run->m;
    TN_MLCP_ROWS(m, run->values, i)
    {
        run->lambda[i] = 0.0;
        m->g_shifted[i] = run->g[i];
    }
    for (int64_t k = 0; k < m->n_bounded; k++) {
        int64_t i = m->bounded[k];
        if (run->state[i] != TN_MLCP_FREE) {
            run->lambda[i] = bound_of(run, i);
            m->g_shifted[i] = 0.0;
        }
    }
    memcpy(m->b_shifted, run->b, (size_t)m->l->u_size * sizeof(double));
    tn_kkt_apply_gt(m->kkt, run->values, run->lambda, m->b_shifted);
    TN_MLCP_ROWS(m, run->values, i)
    {
        bool given = start_lambda != NULL && run->state[i] == TN_MLCP_FREE;
        run->lambda[i] = given ? start_lambda[i] : 0.0;
    }
    for (int64_t i = 0; i < m->l->u_size; i++) {
        run->u[i] = start_u != NULL ? start_u[i] : 0.0;
    }
}

static void keep_best(tn_mlcp_run *run)
{
    tn_mlcp *m = run->m;
    if (!(run->now.violation < run->best.violation)) {
        return;
    }
    run->best = run->now;
    memcpy(m->best_u, run->u, (size_t)m->l->u_size * sizeof(double));
    TN_MLCP_ROWS(m, run->values, i)
    {
        m->best_lambda[i] = run->lambda[i];
        m->best_state[i] = run->state[i];
    }
}

static void measure(tn_mlcp_run *run)
{
    tn_mlcp_check(run->m, run->values, run->b, run->g, run->lo, run->hi, run->u, run->lambda,
                  &run->now);
}

tn_status tn_mlcp_try(tn_mlcp_run *run, const double *start_u, const double *start_lambda)
{
    tn_mlcp *m = run->m;
    run->stats->sets++;
    prepare(run, start_u, start_lambda);
    tn_mlcp_hold(m, run->values, run->state);
    tn_status status = tn_mlcp_factorize(run);
    if (status == TN_OK) {
        status = tn_mlcp_refined(run, m->b_shifted, m->g_shifted, run->u, run->lambda);
    }
    tn_mlcp_release(m, run->values, run->state);
    if (status != TN_OK) {
        return status;
    }
    for (int64_t k = 0; k < m->n_bounded; k++) {
        int64_t i = m->bounded[k];
        if (run->state[i] != TN_MLCP_FREE) {
            run->lambda[i] = bound_of(run, i);
        }
    }
    measure(run);
    keep_best(run);
    return TN_OK;
}

bool tn_mlcp_done(const tn_mlcp_run *run)
{
    return run->now.violation <= run->options->tolerance;
}

/* Finds the rows with bounds and makes the warm start legal. Returns the row whose bounds make no
 * sense, or -1. */
static int64_t read_bounds(tn_mlcp_run *run)
{
    tn_mlcp *m = run->m;
    m->n_bounded = 0;
    TN_MLCP_ROWS(m, run->values, i)
    {
        double lo = run->lo[i];
        double hi = run->hi[i];
        bool no_lo = isinf(lo);
        bool no_hi = isinf(hi);
        if (!(lo <= hi) || (no_lo && lo > 0.0) || (no_hi && hi < 0.0)) {
            return i;
        }
        if (!no_lo || !no_hi) {
            m->bounded[m->n_bounded++] = i;
        }
        if (lo == hi) {
            run->state[i] = TN_MLCP_LO;
        } else if ((run->state[i] < 0 && no_lo) || (run->state[i] > 0 && no_hi)) {
            run->state[i] = TN_MLCP_FREE;
        }
    }
    return -1;
}

/* Multipliers of free rows may be outside by less than the tolerance. */
static void clamp(tn_mlcp_run *run)
{
    bool moved = false;
    for (int64_t k = 0; k < run->m->n_bounded; k++) {
        int64_t i = run->m->bounded[k];
        double inside = fmin(fmax(run->lambda[i], run->lo[i]), run->hi[i]);
        moved = moved || inside != run->lambda[i];
        run->lambda[i] = inside;
    }
    if (moved) {
        measure(run);
    }
}

/* Are the equations of the free rows contradictory? (S + E)^-1 of their residual is the direction
 * in which lambda runs away, but for what can be satisfied, which the second time shrinks by E. */
static bool stuck_in_conflict(tn_mlcp_run *run)
{
    tn_mlcp *m = run->m;
    measure(run); /* fills rl */
    for (int time = 0; time < 2; time++) {
        memset(m->step_u, 0, (size_t)m->l->u_size * sizeof(double));
        TN_MLCP_ROWS(m, run->values, i)
        {
            double right = time == 0 ? m->rl[i] : -m->rl[i] * run->values->e[i];
            m->rl[i] = run->state[i] == TN_MLCP_FREE ? right : 0.0;
        }
        tn_kkt_solve(m->kkt, run->factor, m->step_u, m->rl);
    }
    TN_MLCP_ROWS(m, run->values, i)
    {
        m->rl[i] = -m->rl[i]; /* y = -lambda */
    }
    return tn_mlcp_proves_conflict(run, m->rl, run->now.reference);
}

/* Tries the methods one after the other; true when one of them solved it. */
static bool solve(tn_mlcp_run *run, tn_status *status)
{
    tn_mlcp_stats *stats = run->stats;
    if (run->options->max_sets > 0) {
        tn_mlcp_end end = tn_mlcp_active_set(run, run->options->max_sets, status);
        if (end == TN_MLCP_END_SOLVED || end == TN_MLCP_END_FAILED) {
            return end == TN_MLCP_END_SOLVED;
        }
        stats->conflict = end == TN_MLCP_END_STUCK && stuck_in_conflict(run);
    }
    if (stats->conflict || run->m->n_bounded == 0) {
        return false;
    }
    stats->method = TN_MLCP_INTERIOR;
    if (tn_mlcp_interior(run)) {
        return true;
    }
    if (stats->conflict) {
        return false;
    }
    tn_mlcp_end end = tn_mlcp_active_set(run, TN_MLCP_AFTERMATH, status);
    stats->method = TN_MLCP_INTERIOR;
    stats->conflict = end == TN_MLCP_END_STUCK && stuck_in_conflict(run);
    return end == TN_MLCP_END_SOLVED;
}

static void return_best(tn_mlcp_run *run)
{
    tn_mlcp *m = run->m;
    run->now = run->best;
    memcpy(run->u, m->best_u, (size_t)m->l->u_size * sizeof(double));
    TN_MLCP_ROWS(m, run->values, i)
    {
        run->lambda[i] = m->best_lambda[i];
        run->state[i] = m->best_state[i];
    }
}

tn_status tn_mlcp_solve(tn_mlcp *m, tn_kkt_values *values, tn_kkt_factor *factor, const double *b,
                        const double *g, const double *lo, const double *hi, int8_t *state,
                        double *u, double *lambda, const tn_mlcp_options *options,
                        tn_mlcp_stats *stats)
{
    tn_mlcp_run run = {.m = m,
                       .values = values,
                       .factor = factor,
                       .b = b,
                       .g = g,
                       .lo = lo,
                       .hi = hi,
                       .state = state,
                       .u = u,
                       .lambda = lambda,
                       .options = options,
                       .stats = stats,
                       .best = {.violation = (double)INFINITY, .worst_row = -1}};
    *stats = (tn_mlcp_stats){.worst_row = -1, .node = -1, .violation = (double)INFINITY};
    stats->worst_row = read_bounds(&run);
    if (stats->worst_row >= 0) {
        return TN_ERROR_ARGUMENT;
    }
    tn_status status = TN_OK;
    bool solved = solve(&run, &status);
    if (solved) {
        stats->conflict = false;
        clamp(&run);
    } else {
        stats->method = TN_MLCP_NONE;
        if (!isfinite(run.best.violation)) {
            return status != TN_OK ? status : TN_ERROR_NOT_FINITE;
        }
        return_best(&run);
    }
    stats->violation = run.now.violation;
    stats->worst_row = run.now.worst_row;
    return solved ? TN_OK : TN_ERROR_NOT_CONVERGED;
}
