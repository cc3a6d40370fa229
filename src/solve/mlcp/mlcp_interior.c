/* mlcp_interior.c: Mehrotra's predictor-corrector interior point on the factor of the kernel.
 *
 * Room solve/mlcp. In: the problem, ill-conditioned perhaps. Out: an active set that solves it.
 *
 * Each finite bound has a gap z > 0 (lambda - lo or hi - lambda) and a multiplier w > 0 with
 * z w = mu; the row's w is w_lo - w_hi. Eliminating them from Newton's equations leaves the KKT
 * system with a larger diagonal, so the symbolic factor is the same:
 *
 *     H du - G^T dlambda = b - H u + G^T lambda
 *     G du + (R + w_lo/z_lo + w_hi/z_hi) dlambda
 *                        = g - G u - R lambda + (s - c_lo)/z_lo - (s - c_hi)/z_hi
 *     dw = (s - c)/z - w - w/z dz,     dz_lo = dlambda, dz_hi = -dlambda
 *
 * predictor: s = c = 0; corrector: s = mu (mu_aff/mu)^3, c = dz dw of the predictor (Mehrotra
 * 1992). u, lambda and w take the same step, as a monotone complementarity problem needs.
 *
 * Where z a > w the row looks free. Once that guess stands still it is tried as an active set (at
 * most once each), which ends the iteration exactly and long before mu is at round-off.
 */
#include "solve/mlcp/mlcp_impl.h"

#include <math.h>
#include <string.h>

/* Part of the way to the boundary that a step goes. */
#define TN_MLCP_STEP 0.99
/* mu relative to its start: from here on guesses are tried; here they are final. */
#define TN_MLCP_MU_TRY   1e-3
#define TN_MLCP_MU_FINAL 1e-16
/* Multipliers relative to their start from where they may be running away along a contradiction. */
#define TN_MLCP_RUNAWAY 1e1
/* The start lies this far out: beyond the multipliers of ill-conditioned rows, so that
 * infeasibility shrinks along with mu. 1e3 to 1e5 took a third of the iterations that 1 took
 * (chains of 60 links). */
#define TN_MLCP_FAR 1e4
/* A shorter step does not move any more. */
#define TN_MLCP_SHORTEST 1e-8

static bool fixed(const tn_mlcp_run *run, int64_t i)
{
    return run->lo[i] == run->hi[i];
}

/* R of every bounded row as it is without barriers. */
static void restore(tn_mlcp_run *run)
{
    for (int64_t k = 0; k < run->m->n_bounded; k++) {
        run->values->r[run->m->bounded[k]] = run->m->r[run->m->bounded[k]];
    }
}

/* Factorises with the barriers in R; without any yet, a takes their place. */
static bool factorize(tn_mlcp_run *run)
{
    tn_mlcp *m = run->m;
    for (int64_t k = 0; k < m->n_bounded; k++) {
        int64_t i = m->bounded[k];
        if (fixed(run, i)) {
            tn_mlcp_hold_row(m, run->values, i);
        } else if (m->n_barriers == 0) {
            run->values->r[i] += run->values->a[i];
        }
    }
    for (int64_t k = 0; k < m->n_barriers; k++) {
        run->values->r[m->barrier[k].row] += m->barrier[k].w / m->barrier[k].gap;
    }
    return tn_mlcp_factorize(run) == TN_OK;
}

/* ru, rl of the iterate without the w: right-hand side of the predictor. */
static void find_residual(tn_mlcp_run *run)
{
    tn_mlcp *m = run->m;
    tn_kkt_residual(m->kkt, run->values, m->interior_u, m->interior_lambda, run->b, run->g, m->ru,
                    m->rl);
    for (int64_t k = 0; k < m->n_bounded; k++) {
        if (fixed(run, m->bounded[k])) {
            m->rl[m->bounded[k]] = 0.0;
        }
    }
}

/* step = K^-1 (ru, right); false when the kernel refuses. */
static bool find_step(tn_mlcp_run *run, const double *right)
{
    tn_mlcp *m = run->m;
    memset(m->step_u, 0, (size_t)m->l->u_size * sizeof(double));
    memset(m->step_lambda, 0, (size_t)m->l->y_size * sizeof(double));
    return tn_mlcp_refined(run, m->ru, right, m->step_u, m->step_lambda) == TN_OK;
}

static void add_barrier(tn_mlcp *m, int64_t row, double sign, double gap, double mu)
{
    m->barrier[m->n_barriers++] =
        (tn_mlcp_barrier){.row = row, .sign = sign, .gap = gap, .w = mu / gap};
}

/* lambda and the gaps of one row: nu away from a bound, but never beyond the middle of a box. */
static void start_row(tn_mlcp_run *run, int64_t i, double nu)
{
    double lo = run->lo[i];
    double hi = run->hi[i];
    double gap = fmin(nu / sqrt(run->values->a[i]), 0.5 * (hi - lo));
    bool below = isfinite(lo);
    run->m->interior_lambda[i] = below ? lo + gap : hi - gap;
    if (below) {
        add_barrier(run->m, i, 1.0, gap, nu * nu);
    }
    if (isfinite(hi)) {
        add_barrier(run->m, i, -1.0, below ? hi - lo - gap : gap, nu * nu);
    }
}

/* The start; nu is well above the multipliers that a barrier of a in every row gives. */
static bool start(tn_mlcp_run *run, double *nu)
{
    tn_mlcp *m = run->m;
    m->n_barriers = 0;
    memset(m->interior_u, 0, (size_t)m->l->u_size * sizeof(double));
    TN_MLCP_ROWS(m, run->values, i)
    {
        m->r[i] = run->values->r[i];
        m->interior_lambda[i] = fmin(fmax(0.0, run->lo[i]), run->hi[i]);
    }
    find_residual(run);
    bool good = factorize(run) && find_step(run, m->rl);
    restore(run);
    *nu = 0.0;
    for (int64_t k = 0; k < m->n_bounded && good; k++) {
        int64_t i = m->bounded[k];
        *nu = fmax(*nu, fabs(m->step_lambda[i]) * sqrt(run->values->a[i]));
    }
    *nu = *nu > 0.0 ? *nu : tn_mlcp_force_norm(m, run->values, run->b);
    *nu = TN_MLCP_FAR * (*nu > 0.0 ? *nu : 1.0);
    for (int64_t k = 0; k < m->n_bounded && isfinite(*nu); k++) {
        if (!fixed(run, m->bounded[k])) {
            start_row(run, m->bounded[k], *nu);
        }
    }
    return good && isfinite(*nu) && m->n_barriers > 0;
}

/* dw of one barrier for the step at hand and the target s - c. */
static double change_of_w(const tn_mlcp *m, const tn_mlcp_barrier *t, double target)
{
    return (target - t->w * t->sign * m->step_lambda[t->row]) / t->gap - t->w;
}

/* Mean of gap * w at this length along the predictor's step. */
static double mu_at(const tn_mlcp *m, double length)
{
    double sum = 0.0;
    for (int64_t k = 0; k < m->n_barriers; k++) {
        const tn_mlcp_barrier *t = &m->barrier[k];
        double gap = t->gap + length * t->sign * m->step_lambda[t->row];
        sum += gap * (t->w + length * change_of_w(m, t, 0.0));
    }
    return sum / (double)m->n_barriers;
}

/* Longest step (at most 1) that keeps every gap and w positive. */
static double longest_step(const tn_mlcp *m, double s)
{
    double inverse = 1.0;
    for (int64_t k = 0; k < m->n_barriers; k++) {
        const tn_mlcp_barrier *t = &m->barrier[k];
        double dz = t->sign * m->step_lambda[t->row];
        double dw = change_of_w(m, t, s - t->correction);
        inverse = fmax(inverse, fmax(-dz / t->gap, -dw / t->w));
    }
    return 1.0 / inverse;
}

/* Turns the residual in rl into the right-hand side of the corrector; returns its target s. The
 * second-order term counts as far as the predictor can be trusted: with full weight after a short
 * predictor, iterates may circle (Cartis 2009). */
static double correct(tn_mlcp_run *run, double mu)
{
    tn_mlcp *m = run->m;
    double trust = longest_step(m, 0.0);
    double ratio = fmin(mu_at(m, trust) / mu, 1.0);
    double s = mu * ratio * ratio * ratio;
    for (int64_t k = 0; k < m->n_barriers; k++) {
        tn_mlcp_barrier *t = &m->barrier[k];
        double dz = t->sign * m->step_lambda[t->row];
        t->correction = trust * dz * change_of_w(m, t, 0.0);
    }
    for (int64_t k = 0; k < m->n_barriers; k++) {
        tn_mlcp_barrier *t = &m->barrier[k];
        m->rl[t->row] += t->sign * (s - t->correction) / t->gap;
    }
    return s;
}

/* Moves along the step; returns the length gone. */
static double advance(tn_mlcp_run *run, double s)
{
    tn_mlcp *m = run->m;
    double longest = longest_step(m, s);
    double length = longest < 1.0 ? TN_MLCP_STEP * longest : 1.0;
    for (int64_t k = 0; k < m->n_barriers; k++) {
        tn_mlcp_barrier *t = &m->barrier[k];
        double dw = change_of_w(m, t, s - t->correction);
        t->gap += length * t->sign * m->step_lambda[t->row];
        t->w += length * dw;
        t->correction = 0.0;
    }
    for (int64_t i = 0; i < m->l->u_size; i++) {
        m->interior_u[i] += length * m->step_u[i];
    }
    TN_MLCP_ROWS(m, run->values, i)
    {
        m->interior_lambda[i] += length * m->step_lambda[i];
    }
    return length;
}

/* One iteration; false when it leads nowhere. */
static bool iterate(tn_mlcp_run *run, double mu, double *length)
{
    tn_mlcp *m = run->m;
    find_residual(run);
    bool good = factorize(run) && find_step(run, m->rl);
    if (!good) {
        restore(run);
        return false;
    }
    double s = correct(run, mu);
    good = find_step(run, m->rl);
    restore(run);
    *length = good ? advance(run, s) : 0.0;
    return good;
}

/* The set that the iterate points at. */
static void guess(tn_mlcp_run *run)
{
    tn_mlcp *m = run->m;
    for (int64_t k = 0; k < m->n_bounded; k++) {
        int64_t i = m->bounded[k];
        run->state[i] = fixed(run, i) ? TN_MLCP_LO : TN_MLCP_FREE;
    }
    for (int64_t k = 0; k < m->n_barriers; k++) {
        const tn_mlcp_barrier *t = &m->barrier[k];
        if (t->gap * run->values->a[t->row] <= t->w) {
            run->state[t->row] = t->sign > 0.0 ? TN_MLCP_LO : TN_MLCP_HI;
        }
    }
}

/* Multipliers that grow without end prove that the rows contradict each other. */
static bool runs_away(tn_mlcp_run *run, double nu)
{
    tn_mlcp *m = run->m;
    double largest = 0.0;
    for (int64_t k = 0; k < m->n_barriers; k++) {
        const tn_mlcp_barrier *t = &m->barrier[k];
        largest = fmax(largest, t->gap * sqrt(run->values->a[t->row]));
    }
    if (largest < TN_MLCP_RUNAWAY * nu) {
        return false;
    }
    double reference = fmax(tn_mlcp_force_norm(m, run->values, run->b),
                            tn_mlcp_velocity_norm(m, run->values, m->interior_u));
    return tn_mlcp_proves_conflict(run, m->interior_lambda, reference);
}

/* Does the set that the iterate points at solve the problem? Preferably with the multipliers of
 * least energy; with redundant rows these may have wrong signs where those near the iterate's, all
 * inside their bounds, have not. */
static bool polish(tn_mlcp_run *run, bool last)
{
    const tn_mlcp *m = run->m;
    bool good = tn_mlcp_try(run, NULL, NULL) == TN_OK && tn_mlcp_done(run);
    return good || (last && tn_mlcp_try(run, m->interior_u, m->interior_lambda) == TN_OK &&
                    tn_mlcp_done(run));
}

bool tn_mlcp_interior(tn_mlcp_run *run)
{
    tn_mlcp *m = run->m;
    double nu;
    double length = 1.0;
    uint64_t before = 0;
    uint64_t tried = 0;
    if (!start(run, &nu)) {
        return false;
    }
    for (;;) {
        double mu = mu_at(m, 0.0);
        guess(run);
        uint64_t now = tn_mlcp_fingerprint(run);
        run->stats->conflict = runs_away(run, nu);
        bool more = !run->stats->conflict && run->stats->interior < run->options->max_interior &&
                    mu > TN_MLCP_MU_FINAL * nu * nu && length > TN_MLCP_SHORTEST;
        bool ripe = mu < TN_MLCP_MU_TRY * nu * nu && now == before;
        if (!more || (ripe && now != tried)) {
            tried = now;
            if (polish(run, !more)) {
                return true;
            }
        }
        if (!more || !iterate(run, mu, &length)) {
            return false;
        }
        run->stats->interior++;
        before = now;
    }
}
