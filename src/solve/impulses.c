/* impulses.c: the blocks of sequential impulses and the iteration over them (impulses.h). */
#include "solve/impulses.h"

#include "base/base.h"
#include "solve/impulse_block.h"

#include <math.h>
#include <string.h>

struct tn_impulses {
    const tn_kkt_layout *l;
    int64_t *k_offset; /* per dual: its block in k and k_factor */
    double *h_factor;  /* h_size: LDL^T of the blocks of H + delta */
    double *k;         /* K of every dual, row-major, stride its capacity */
    double *k_factor;
    double *gh;   /* g_size: G H^-1, laid out like G */
    double *free; /* u_size: H^-1 b */
};

tn_status tn_impulses_create(const tn_kkt *kkt, tn_impulses **out)
{
    tn_impulses *m = TN_NEW(tn_impulses);
    *out = NULL;
    if (m == NULL) {
        return TN_ERROR_MEMORY;
    }
    m->l = tn_kkt_get_layout(kkt);
    m->k_offset = TN_NEW_ARRAY(int64_t, m->l->n_dual + 1);
    int64_t size = 0;
    for (int32_t k = 0; k < m->l->n_dual && m->k_offset != NULL; k++) {
        m->k_offset[k] = size;
        size += (int64_t)m->l->dual_cap[k] * m->l->dual_cap[k];
    }
    m->h_factor = TN_NEW_ARRAY(double, m->l->h_size);
    m->gh = TN_NEW_ARRAY(double, m->l->g_size);
    m->free = TN_NEW_ARRAY(double, m->l->u_size);
    m->k = TN_NEW_ARRAY(double, size);
    m->k_factor = TN_NEW_ARRAY(double, size);
    if (m->k_offset == NULL || m->h_factor == NULL || m->gh == NULL || m->free == NULL ||
        m->k == NULL || m->k_factor == NULL) {
        tn_impulses_destroy(m);
        return TN_ERROR_MEMORY;
    }
    *out = m;
    return TN_OK;
}

void tn_impulses_destroy(tn_impulses *m)
{
    if (m == NULL) {
        return;
    }
    tn_free(m->k_offset);
    tn_free(m->h_factor);
    tn_free(m->gh);
    tn_free(m->free);
    tn_free(m->k);
    tn_free(m->k_factor);
    tn_free(m);
}

/* One dual node during a call. */
typedef struct dual {
    int32_t first, end; /* incidences */
    int32_t rows, cap;
    int64_t y;
    double *k, *k_factor;
} dual;

static dual dual_of(const tn_impulses *m, const tn_kkt_values *values, int32_t k)
{
    return (dual){m->l->dual_start[k],         m->l->dual_start[k + 1], values->rows[k],
                  m->l->dual_cap[k],           m->l->y_offset[k],       m->k + m->k_offset[k],
                  m->k_factor + m->k_offset[k]};
}

/* Has the node a body that moves? Its rows are skipped otherwise. */
static bool is_present(const tn_impulses *m, const dual *d)
{
    bool present = false;
    for (int32_t t = d->first; t < d->end; t++) {
        present = present || m->l->g_offset[t] >= 0;
    }
    return present && d->rows > 0;
}

static tn_status factor_bodies(tn_impulses *m, const tn_kkt_values *values, int32_t *node)
{
    for (int32_t i = 0; i < m->l->n_primal; i++) {
        const int32_t n = m->l->primal_dim[i];
        if (n == 0) {
            continue;
        }
        double *h = m->h_factor + m->l->h_offset[i];
        memcpy(h, values->h + m->l->h_offset[i], sizeof(double) * (size_t)(n * n));
        for (int32_t c = 0; c < n; c++) {
            h[c * n + c] += values->delta[m->l->u_offset[i] + c];
        }
        const tn_status status = tn_impulse_factor(h, n, n, NULL);
        if (status != TN_OK) {
            *node = i;
            return status;
        }
    }
    return TN_OK;
}

/* K = G H^-1 G^T + R of one dual node, and its factor. */
static tn_status factor_dual(tn_impulses *m, const tn_kkt_values *values, const dual *d)
{
    memset(d->k, 0, sizeof(double) * (size_t)(d->cap * d->cap));
    for (int32_t t = d->first; t < d->end; t++) {
        const int64_t at = m->l->g_offset[t];
        if (at < 0) {
            continue;
        }
        const int32_t i = m->l->dual_primal[t], n = m->l->primal_dim[i];
        const double *g = values->g + at;
        double *gh = m->gh + at;
        memcpy(gh, g, sizeof(double) * (size_t)(d->rows * n));
        for (int32_t r = 0; r < d->rows; r++) {
            tn_impulse_back_solve(m->h_factor + m->l->h_offset[i], n, n, gh + r * n);
        }
        for (int32_t r = 0; r < d->rows; r++) {
            for (int32_t c = 0; c < d->rows; c++) {
                for (int32_t a = 0; a < n; a++) {
                    d->k[r * d->cap + c] += gh[r * n + a] * g[c * n + a];
                }
            }
        }
    }
    double scale[TN_KKT_MAX_BLOCK];
    for (int32_t r = 0; r < d->rows; r++) {
        d->k[r * d->cap + r] += values->r[d->y + r];
        scale[r] = d->k[r * d->cap + r];
    }
    memcpy(d->k_factor, d->k, sizeof(double) * (size_t)(d->cap * d->cap));
    return tn_impulse_factor(d->k_factor, d->rows, d->cap, scale);
}

tn_status tn_impulses_prepare(tn_impulses *m, const tn_kkt_values *values, int32_t *node)
{
    *node = -1;
    tn_status status = factor_bodies(m, values, node);
    for (int32_t k = 0; k < m->l->n_dual && status == TN_OK; k++) {
        const dual d = dual_of(m, values, k);
        if (!is_present(m, &d)) {
            continue;
        }
        status = factor_dual(m, values, &d);
        if (status != TN_OK) {
            *node = m->l->n_primal + k;
        }
    }
    return status;
}

/* u += H^-1 G_k^T x. */
static void push(const tn_impulses *m, const dual *d, const double *x, double *u)
{
    for (int32_t t = d->first; t < d->end; t++) {
        if (m->l->g_offset[t] < 0) {
            continue;
        }
        const int32_t i = m->l->dual_primal[t], n = m->l->primal_dim[i];
        const double *gh = m->gh + m->l->g_offset[t];
        double *to = u + m->l->u_offset[i];
        for (int32_t r = 0; r < d->rows; r++) {
            for (int32_t a = 0; a < n; a++) {
                to[a] += gh[r * n + a] * x[r];
            }
        }
    }
}

/* w = G_k u + R lambda - g of the rows of one node. */
static void row_speeds(const tn_impulses *m, const tn_kkt_values *values, const dual *d,
                       const double *g, const double *u, const double *lambda, double *w)
{
    for (int32_t r = 0; r < d->rows; r++) {
        w[r] = values->r[d->y + r] * lambda[d->y + r] - g[d->y + r];
    }
    for (int32_t t = d->first; t < d->end; t++) {
        if (m->l->g_offset[t] < 0) {
            continue;
        }
        const int32_t i = m->l->dual_primal[t], n = m->l->primal_dim[i];
        const double *block = values->g + m->l->g_offset[t];
        const double *from = u + m->l->u_offset[i];
        for (int32_t r = 0; r < d->rows; r++) {
            for (int32_t a = 0; a < n; a++) {
                w[r] += block[r * n + a] * from[a];
            }
        }
    }
}

tn_status tn_impulses_prepare_bodies(tn_impulses *m, const tn_kkt_values *values, int32_t *node)
{
    *node = -1;
    return factor_bodies(m, values, node);
}

tn_status tn_impulses_visit(tn_impulses *m, const tn_kkt_values *values, int32_t k, const double *w,
                            double *u, double *dlambda)
{
    const dual d = dual_of(m, values, k);
    double sum = 0.0;
    for (int32_t t = d.first; t < d.end; t++) {
        const int32_t i = m->l->dual_primal[t];
        memset(u + m->l->u_offset[i], 0, sizeof(double) * (size_t)m->l->primal_dim[i]);
    }
    for (int32_t r = 0; r < d.rows; r++) {
        dlambda[r] = -w[r];
    }
    const tn_status status = is_present(m, &d) ? factor_dual(m, values, &d) : TN_OK;
    if (status != TN_OK || !is_present(m, &d)) {
        memset(dlambda, 0, sizeof(double) * (size_t)d.rows);
        return status;
    }
    tn_impulse_back_solve(d.k_factor, d.rows, d.cap, dlambda);
    push(m, &d, dlambda, u);
    for (int32_t r = 0; r < d.rows; r++) {
        sum += dlambda[r];
    }
    return isfinite(sum) ? TN_OK : TN_ERROR_NOT_FINITE;
}

/* H^-1 b, of bodies that nothing holds. */
static void let_go(const tn_impulses *m, const double *b, double *u)
{
    memcpy(u, b, sizeof(double) * (size_t)m->l->u_size);
    for (int32_t i = 0; i < m->l->n_primal; i++) {
        const int32_t n = m->l->primal_dim[i];
        if (n > 0) {
            tn_impulse_back_solve(m->h_factor + m->l->h_offset[i], n, n, u + m->l->u_offset[i]);
        }
    }
}

/* What lambda does at the u that goes with it. */
typedef struct effect {
    double made; /* by rows off their condition */
    double c, a; /* lambda . w = c + a; c is what it would be of free bodies */
} effect;

/* Of a row at its speed v, off by w: a bound is work that is accounted for; a hard row should not
 * move. A soft one has pushed by w / R too much, and a whole step at the end of the step takes
 * v^2 / 2 R from what it stores. */
static double made_by_row(double w, double v, double r, double lambda, double lo, double hi)
{
    if (lambda <= lo || lambda >= hi) {
        return 0.0;
    }
    return r > 0.0 ? v * (w - 0.5 * v) / r : lambda * w;
}

static effect effect_of(const tn_impulses *m, const tn_kkt_values *values, const double *g,
                        const double *lo, const double *hi, const double *u, const double *lambda)
{
    double held[TN_KKT_MAX_BLOCK], free[TN_KKT_MAX_BLOCK];
    effect sum = {0.0, 0.0, 0.0};
    for (int32_t k = 0; k < m->l->n_dual; k++) {
        const dual d = dual_of(m, values, k);
        if (!is_present(m, &d)) {
            continue;
        }
        row_speeds(m, values, &d, g, u, lambda, held);
        row_speeds(m, values, &d, g, m->free, lambda, free);
        for (int32_t r = 0; r < d.rows; r++) {
            const int64_t y = d.y + r;
            const double soft = values->r[y] * lambda[y];
            sum.a += lambda[y] * (held[r] - free[r] + soft);
            sum.c += lambda[y] * (free[r] - soft);
            sum.made += made_by_row(held[r], held[r] - soft + g[y], values->r[y], lambda[y],
                                    lo ? lo[y] : -INFINITY, hi ? hi[y] : INFINITY);
        }
    }
    return sum;
}

/* |u - before|^2 / 2 in the metric of H. */
static double given(const tn_impulses *m, const tn_kkt_values *values, const double *before,
                    const double *u)
{
    double sum = 0.0;
    for (int32_t i = 0; i < m->l->n_primal; i++) {
        const int32_t n = m->l->primal_dim[i];
        const double *h = values->h + m->l->h_offset[i];
        const double *to = u + m->l->u_offset[i], *from = before + m->l->u_offset[i];
        const double *delta = values->delta + m->l->u_offset[i];
        for (int32_t r = 0; r < n; r++) {
            double force = delta[r] * (to[r] - from[r]);
            for (int32_t c = 0; c < n; c++) {
                force += h[r * n + c] * (to[c] - from[c]);
            }
            sum += 0.5 * force * (to[r] - from[r]);
        }
    }
    return sum;
}

/* Where sweeps that end too early have left more work in than the step takes away, no more of
 * lambda than comes nearest to the solution: with f(s lambda) = s^2 a / 2 + s c least at
 * s = -c / a, and lambda . w = 0 there. */
static void take_back(const tn_impulses *m, const tn_kkt_values *values, const double *g,
                      const double *lo, const double *hi, const double *before, double *u,
                      double *lambda)
{
    const effect f = effect_of(m, values, g, lo, hi, u, lambda);
    if (!(f.made > given(m, values, before, u)) || !(f.a + f.c > 0.0)) {
        return;
    }
    const double share = fmax(0.0, -f.c / f.a);
    for (int64_t y = 0; y < m->l->y_size; y++) {
        lambda[y] *= share;
    }
    for (int64_t i = 0; i < m->l->u_size; i++) {
        u[i] = m->free[i] + share * (u[i] - m->free[i]);
    }
}

/* lambda within its bounds, and u = H^-1 (b + G^T lambda). */
static void start(const tn_impulses *m, const tn_kkt_values *values, const double *b,
                  const double *lo, const double *hi, double *u, double *lambda)
{
    let_go(m, b, m->free);
    memcpy(u, m->free, sizeof(double) * (size_t)m->l->u_size);
    for (int32_t k = 0; k < m->l->n_dual; k++) {
        const dual d = dual_of(m, values, k);
        for (int64_t y = d.y; y < d.y + d.rows && lo != NULL; y++) {
            lambda[y] = fmin(fmax(lambda[y], lo[y]), hi[y]);
        }
        if (is_present(m, &d)) {
            push(m, &d, lambda + d.y, u);
        }
    }
}

static bool has_bounds(const dual *d, const double *lo, const double *hi)
{
    bool bounded = false;
    for (int64_t y = d->y; y < d->y + d->rows && lo != NULL; y++) {
        bounded = bounded || lo[y] > -INFINITY || hi[y] < INFINITY;
    }
    return bounded;
}

/* How far row y is from its condition. */
static double violation(double w, double lambda, double lo, double hi)
{
    if (lambda <= lo && w >= 0.0) {
        return 0.0;
    }
    return lambda >= hi && w <= 0.0 ? 0.0 : fabs(w);
}

static void measure(const tn_impulses *m, const tn_kkt_values *values, const double *g,
                    const double *lo, const double *hi, const double *u, const double *lambda,
                    tn_impulses_stats *stats)
{
    stats->residual = 0.0;
    stats->worst_row = -1;
    for (int32_t k = 0; k < m->l->n_dual; k++) {
        const dual d = dual_of(m, values, k);
        if (!is_present(m, &d)) {
            continue;
        }
        double w[TN_KKT_MAX_BLOCK];
        row_speeds(m, values, &d, g, u, lambda, w);
        for (int32_t r = 0; r < d.rows; r++) {
            const double off = violation(w[r], lambda[d.y + r], lo ? lo[d.y + r] : -INFINITY,
                                         hi ? hi[d.y + r] : INFINITY);
            if (!(off <= stats->residual)) {
                stats->residual = off;
                stats->worst_row = d.y + r;
            }
        }
    }
}

/* One visit of a node. */
static void visit(const tn_impulses *m, const tn_kkt_values *values, const dual *d, const double *g,
                  const double *lo, const double *hi, double *u, double *lambda)
{
    double w[TN_KKT_MAX_BLOCK], change[TN_KKT_MAX_BLOCK];
    row_speeds(m, values, d, g, u, lambda, w);
    if (has_bounds(d, lo, hi)) {
        tn_impulse_bounded(d->k, d->rows, d->cap, w, lambda + d->y, lo + d->y, hi + d->y, change);
    } else {
        for (int32_t r = 0; r < d->rows; r++) {
            change[r] = -w[r];
        }
        tn_impulse_back_solve(d->k_factor, d->rows, d->cap, change);
    }
    for (int32_t r = 0; r < d->rows; r++) {
        lambda[d->y + r] += change[r];
    }
    push(m, d, change, u);
}

tn_status tn_impulses_solve(tn_impulses *m, const tn_kkt_values *values, const double *b,
                            const double *g, const double *lo, const double *hi, double *u,
                            double *lambda, const tn_impulses_options *options,
                            tn_impulses_stats *stats)
{
    *stats = (tn_impulses_stats){0};
    start(m, values, b, lo, hi, u, lambda);
    measure(m, values, g, lo, hi, u, lambda, stats);
    while (stats->iterations < options->iterations && stats->residual > options->tolerance) {
        for (int32_t k = 0; k < m->l->n_dual; k++) {
            const dual d = dual_of(m, values, k);
            if (is_present(m, &d)) {
                visit(m, values, &d, g, lo, hi, u, lambda);
            }
        }
        stats->iterations++;
        if (options->tolerance > 0.0) {
            measure(m, values, g, lo, hi, u, lambda, stats);
        }
    }
    if (options->before != NULL) {
        take_back(m, values, g, lo, hi, options->before, u, lambda);
    }
    measure(m, values, g, lo, hi, u, lambda, stats);
    double sum = stats->residual;
    for (int64_t i = 0; i < m->l->u_size; i++) {
        sum += u[i] - u[i];
    }
    return isfinite(sum) ? TN_OK : TN_ERROR_NOT_FINITE;
}
