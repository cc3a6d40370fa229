/* mlcp_problem.c: see mlcp_problem.h. */
#include "mlcp_problem.h"

#include <check.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Signs and bounds in the enumeration hold to this. */
#define SIGN_TOLERANCE 1e-8
/* A pivot below this share of its diagonal: the set is singular and another one has the solution.
 */
#define PIVOT_TOLERANCE 1e-10

static void *zeroed(int64_t count, size_t size)
{
    void *block = calloc((size_t)count + 1, size);
    ck_assert_ptr_nonnull(block);
    return block;
}

mlcp_problem *mlcp_problem_of(kkt_system *s)
{
    mlcp_problem *p = zeroed(1, sizeof *p);
    p->s = s;
    p->lo = zeroed(s->l->y_size, sizeof(double));
    p->hi = zeroed(s->l->y_size, sizeof(double));
    p->state = zeroed(s->l->y_size, sizeof(int8_t));
    for (int64_t i = 0; i < s->l->y_size; i++) {
        p->lo[i] = -(double)INFINITY;
        p->hi[i] = (double)INFINITY;
    }
    ck_assert_int_eq(tn_mlcp_create(s->kkt, &p->mlcp), TN_OK);
    return p;
}

void mlcp_problem_free(mlcp_problem *p)
{
    tn_mlcp_destroy(p->mlcp);
    kkt_system_free(p->s);
    free(p->lo);
    free(p->hi);
    free(p->state);
    free(p);
}

static void choose_bounds(mlcp_problem *p, int64_t i)
{
    kkt_system *s = p->s;
    double share = kkt_uniform(s);
    double lo = 0.0;
    double hi = (double)INFINITY;
    if (share < 0.15) {
        lo = -(double)INFINITY;
        hi = 0.0;
    } else if (share < 0.4) {
        lo = -kkt_uniform(s);
        hi = kkt_uniform(s);
    } else if (share < 0.45) {
        lo = kkt_random(s);
    } else if (share < 0.5) {
        lo = hi = kkt_random(s);
    }
    p->lo[i] = lo;
    p->hi[i] = hi;
    p->bounded[p->n_bounded++] = i;
}

static void choose_rows(mlcp_problem *p)
{
    int64_t *row = zeroed(p->s->l->y_size, sizeof *row);
    int32_t count = kkt_active_rows(p->s, row);
    int32_t wanted = 1 + kkt_pick(p->s, MLCP_MOST_BOUNDED);
    for (int32_t k = 0; k < wanted && k < count; k++) {
        int32_t other = k + kkt_pick(p->s, count - k);
        int64_t chosen = row[other];
        row[other] = row[k];
        choose_bounds(p, chosen);
    }
    free(row);
}

/* The row of a dual := factor * another one. */
static void copy_row(kkt_system *s, int32_t dual, int32_t to, int32_t from, double factor)
{
    const tn_kkt_layout *l = s->l;
    for (int32_t t = l->dual_start[dual]; t < l->dual_start[dual + 1]; t++) {
        int32_t d = l->primal_dim[l->dual_primal[t]];
        double *g = s->values->g + l->g_offset[t];
        for (int32_t j = 0; j < d; j++) {
            g[to * d + j] = factor * g[from * d + j];
        }
    }
}

/* Makes bounded rows copies of a neighbour, a combination of neighbours, or zero. */
static void spoil_rows(mlcp_problem *p, bool zeros)
{
    kkt_system *s = p->s;
    for (int32_t b = 0; b < p->n_bounded; b++) {
        int32_t dual = 0;
        while (s->l->y_offset[dual + 1] <= p->bounded[b]) {
            dual++;
        }
        int32_t row = (int32_t)(p->bounded[b] - s->l->y_offset[dual]);
        int32_t rows = s->values->rows[dual];
        double share = kkt_uniform(s);
        if (share < 0.2 && zeros) {
            copy_row(s, dual, row, row, 0.0);
        } else if (share < 0.5 && rows > 1) {
            int32_t from = (row + 1 + kkt_pick(s, rows - 1)) % rows;
            copy_row(s, dual, row, from, kkt_pick(s, 2) == 0 ? -1.0 : 0.5 + kkt_uniform(s));
        } else if (share < 0.7) {
            kkt_repeat_row(s, dual, row, kkt_pick(s, dual + 1));
        }
    }
}

/* A random solution in which bounded rows have random states; b and g follow. */
static void choose_solution(mlcp_problem *p, double share_degenerate)
{
    kkt_system *s = p->s;
    double *w = zeroed(s->l->y_size, sizeof *w);
    for (int64_t i = 0; i < s->l->u_size; i++) {
        s->u[i] = kkt_random(s);
    }
    for (int64_t i = 0; i < s->l->y_size; i++) {
        s->lambda[i] = kkt_random(s);
    }
    for (int32_t b = 0; b < p->n_bounded; b++) {
        int64_t i = p->bounded[b];
        double inside = kkt_uniform(s);
        double lo = isfinite(p->lo[i]) ? p->lo[i] : p->hi[i] - 1.0;
        double hi = isfinite(p->hi[i]) ? p->hi[i] : p->lo[i] + 1.0;
        bool degenerate = kkt_uniform(s) < share_degenerate;
        s->lambda[i] = lo + inside * (hi - lo);
        if (kkt_pick(s, 2) == 0 || degenerate) {
            bool at_lo = isfinite(p->lo[i]) && (kkt_pick(s, 2) == 0 || !isfinite(p->hi[i]));
            s->lambda[i] = at_lo ? p->lo[i] : p->hi[i];
            w[i] = degenerate ? 0.0 : (at_lo ? 1.0 : -1.0) * kkt_uniform(s);
        }
    }
    memset(s->b, 0, (size_t)s->l->u_size * sizeof *w);
    tn_kkt_residual(s->kkt, s->values, s->u, s->lambda, NULL, NULL, s->b, s->g);
    for (int64_t i = 0; i < s->l->u_size; i++) {
        s->b[i] = -s->b[i];
    }
    for (int64_t i = 0; i < s->l->y_size; i++) {
        s->g[i] = -s->g[i] - w[i];
    }
    free(w);
}

mlcp_problem *mlcp_problem_random(mlcp_kind kind, uint64_t seed)
{
    kkt_system *s = kkt_random_mechanism((kkt_family)(seed % KKT_FAMILIES),
                                         2 + (int32_t)(seed / KKT_FAMILIES % 5), seed);
    mlcp_problem *p = mlcp_problem_of(s);
    kkt_fill_random(s, kind == MLCP_COMPLIANT ? 0.5 : 0.0);
    choose_rows(p);
    if (kind == MLCP_REDUNDANT || kind == MLCP_ZERO_ROWS || kind == MLCP_RANDOM_G) {
        spoil_rows(p, kind == MLCP_ZERO_ROWS);
    }
    choose_solution(p, kind == MLCP_DEGENERATE ? 0.7 : 0.0);
    if (kind == MLCP_RANDOM_G || (kind == MLCP_ZERO_ROWS && kkt_pick(s, 2) == 0)) {
        for (int32_t b = 0; b < p->n_bounded; b++) {
            s->g[p->bounded[b]] = kkt_random(s);
        }
    }
    kkt_scale_rows(s, 1e-8);
    mlcp_cold_start(p);
    return p;
}

void mlcp_cold_start(mlcp_problem *p)
{
    for (int64_t i = 0; i < p->s->l->y_size; i++) {
        bool lo = isfinite(p->lo[i]);
        bool hi = isfinite(p->hi[i]);
        p->state[i] = lo == hi ? TN_MLCP_FREE : lo ? TN_MLCP_LO : TN_MLCP_HI;
    }
}

void mlcp_random_start(mlcp_problem *p)
{
    for (int64_t i = 0; i < p->s->l->y_size; i++) {
        p->state[i] = (int8_t)(kkt_pick(p->s, 3) - 1);
    }
}

/* w = A z + q over the bounded rows, u = u0 + U z; all column-major. */
typedef struct reduced {
    int32_t n, k;
    double *response; /* n columns of u0, U */
    double A[MLCP_MOST_BOUNDED * MLCP_MOST_BOUNDED], q[MLCP_MOST_BOUNDED];
    double z[MLCP_MOST_BOUNDED];
} reduced;

/* Which of the active rows are bounded: index among them, or -1. */
static int32_t place_of(const mlcp_problem *p, int64_t row)
{
    for (int32_t b = 0; b < p->n_bounded; b++) {
        if (p->bounded[b] == row) {
            return b;
        }
    }
    return -1;
}

/* Eliminates u and the bilateral rows, which may be redundant (dgelsd). */
static reduced reduce(const mlcp_problem *p)
{
    kkt_system *s = p->s;
    int32_t n = (int32_t)s->l->u_size;
    int32_t size = kkt_dense_size(s);
    int32_t m = size - n;
    reduced r = {.n = n, .k = p->n_bounded};
    double *K = zeroed((int64_t)size * size, sizeof(double));
    double *right = zeroed((int64_t)size * (r.k + 1), sizeof(double));
    double *h = zeroed((int64_t)n * n, sizeof(double));
    double *g = zeroed((int64_t)m * n, sizeof(double));
    double *sigma = zeroed(size, sizeof(double));
    int64_t *row = zeroed(m, sizeof *row);
    kkt_active_rows(s, row);
    kkt_dense_h(s, h);
    kkt_dense_g(s, g);
    int32_t c = n; /* bilateral rows follow u */
    for (int32_t i = 0; i < n; i++) {
        memcpy(K + (int64_t)i * size, h + (int64_t)i * n, (size_t)n * sizeof *h);
        right[i] = s->b[i];
    }
    for (int32_t j = 0; j < m; j++) {
        int32_t place = place_of(p, row[j]);
        for (int32_t i = 0; i < n; i++) {
            if (place >= 0) {
                right[(place + 1) * size + i] = g[i * m + j];
            } else {
                K[(int64_t)i * size + c] = K[(int64_t)c * size + i] = g[i * m + j];
            }
        }
        if (place < 0) {
            K[(int64_t)c * size + c] = -s->values->r[row[j]];
            right[c++] = s->g[row[j]];
        }
    }
    lapack_int rank;
    ck_assert_int_eq(
        LAPACKE_dgelsd(LAPACK_COL_MAJOR, c, c, r.k + 1, K, size, right, size, sigma, 1e-10, &rank),
        0);
    for (int32_t j = 0; j < m; j++) {
        int32_t place = place_of(p, row[j]);
        for (int32_t t = 0; t <= r.k && place >= 0; t++) {
            double sum = t == 0 ? -s->g[row[j]] : t == place + 1 ? s->values->r[row[j]] : 0.0;
            for (int32_t i = 0; i < n; i++) {
                sum += g[i * m + j] * right[t * size + i];
            }
            *(t == 0 ? &r.q[place] : &r.A[(t - 1) * r.k + place]) = sum;
        }
    }
    r.response = zeroed((int64_t)n * (r.k + 1), sizeof(double));
    for (int32_t t = 0; t <= r.k; t++) {
        memcpy(r.response + t * n, right + t * size, (size_t)n * sizeof(double));
    }
    void *owned[] = {K, right, h, g, sigma, row};
    for (size_t t = 0; t < sizeof owned / sizeof *owned; t++) {
        free(owned[t]);
    }
    return r;
}

/* Cholesky solve of the free part of A z = -q - A z_bound; false when singular. */
static bool solve_free(reduced *r, const int8_t *state)
{
    int32_t list[MLCP_MOST_BOUNDED];
    double L[MLCP_MOST_BOUNDED][MLCP_MOST_BOUNDED];
    double x[MLCP_MOST_BOUNDED];
    int32_t n = 0;
    for (int32_t i = 0; i < r->k; i++) {
        if (state[i] == TN_MLCP_FREE) {
            list[n++] = i;
        }
    }
    for (int32_t i = 0; i < n; i++) {
        x[i] = -r->q[list[i]];
        for (int32_t j = 0; j < r->k; j++) {
            x[i] -= state[j] != TN_MLCP_FREE ? r->A[j * r->k + list[i]] * r->z[j] : 0.0;
        }
        for (int32_t j = 0; j <= i; j++) {
            double sum = r->A[list[j] * r->k + list[i]];
            for (int32_t t = 0; t < j; t++) {
                sum -= L[i][t] * L[j][t];
            }
            if (i == j && !(sum > PIVOT_TOLERANCE * fmax(1e-3, r->A[list[i] * r->k + list[i]]))) {
                return false;
            }
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
        for (int32_t t = 0; t < i; t++) {
            x[i] -= L[i][t] * x[t];
        }
        x[i] /= L[i][i];
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t t = i + 1; t < n; t++) {
            x[i] -= L[t][i] * x[t];
        }
        x[i] /= L[i][i];
        r->z[list[i]] = x[i];
    }
    return true;
}

static bool signs_right(const mlcp_problem *p, const reduced *r, const int8_t *state)
{
    double size = 1.0;
    for (int32_t i = 0; i < r->k; i++) {
        size = fmax(size, fabs(r->z[i]));
    }
    for (int32_t i = 0; i < r->k; i++) {
        int64_t at = p->bounded[i];
        double w = r->q[i];
        for (int32_t j = 0; j < r->k; j++) {
            w += r->A[j * r->k + i] * r->z[j];
        }
        bool right = p->lo[at] == p->hi[at] ||
                     (state[i] == TN_MLCP_FREE ? r->z[i] >= p->lo[at] - SIGN_TOLERANCE * size &&
                                                     r->z[i] <= p->hi[at] + SIGN_TOLERANCE * size
                                               : -state[i] * w >= -SIGN_TOLERANCE * size);
        if (!right) {
            return false;
        }
    }
    return true;
}

bool mlcp_enumerate(const mlcp_problem *p, double *u)
{
    reduced r = reduce(p);
    int32_t sets = 1;
    bool found = false;
    for (int32_t i = 0; i < r.k; i++) {
        sets *= 3;
    }
    for (int32_t set = 0; set < sets && !found; set++) {
        int8_t state[MLCP_MOST_BOUNDED];
        bool legal = true;
        for (int32_t i = 0, rest = set; i < r.k; i++, rest /= 3) {
            double lo = p->lo[p->bounded[i]];
            double hi = p->hi[p->bounded[i]];
            state[i] = (int8_t)(rest % 3 - 1);
            r.z[i] = state[i] == TN_MLCP_LO ? lo : hi;
            legal = legal && (state[i] == TN_MLCP_FREE ? lo < hi : isfinite(r.z[i]) != 0);
        }
        found = legal && solve_free(&r, state) && signs_right(p, &r, state);
    }
    for (int32_t i = 0; i < r.n && found; i++) {
        u[i] = r.response[i];
        for (int32_t j = 0; j < r.k; j++) {
            u[i] += r.response[(j + 1) * r.n + i] * r.z[j];
        }
    }
    free(r.response);
    return found;
}

double mlcp_dense_violation(const mlcp_problem *p, const double *u, const double *lambda)
{
    kkt_system *s = p->s;
    int32_t n = (int32_t)s->l->u_size;
    int32_t m = kkt_dense_size(s) - n;
    double *h = zeroed((int64_t)n * n, sizeof(double));
    double *g = zeroed((int64_t)m * n, sizeof(double));
    int64_t *row = zeroed(m, sizeof *row);
    double worst = 0.0;
    kkt_active_rows(s, row);
    kkt_dense_h(s, h);
    kkt_dense_g(s, g);
    for (int32_t i = 0; i < n; i++) {
        double sum = -s->b[i];
        for (int32_t j = 0; j < n; j++) {
            sum += h[(int64_t)j * n + i] * u[j];
        }
        for (int32_t j = 0; j < m; j++) {
            sum -= g[(int64_t)i * m + j] * lambda[row[j]];
        }
        worst = fmax(worst, fabs(sum));
    }
    for (int32_t j = 0; j < m; j++) {
        int64_t at = row[j];
        double w = s->values->r[at] * lambda[at] - s->g[at];
        for (int32_t i = 0; i < n; i++) {
            w += g[(int64_t)i * m + j] * u[i];
        }
        double outside = fmax(p->lo[at] - lambda[at], lambda[at] - p->hi[at]);
        double positive = lambda[at] > p->lo[at] ? w : 0.0;  /* must not be > 0 */
        double negative = lambda[at] < p->hi[at] ? -w : 0.0; /* must not be > 0 */
        /* next to a bound either the distance or w is small */
        positive = fmin(positive, lambda[at] - p->lo[at]);
        negative = fmin(negative, p->hi[at] - lambda[at]);
        worst = fmax(worst, fmax(outside, fmax(positive, negative)));
    }
    free(h);
    free(g);
    free(row);
    return worst;
}
