/* kkt_systems.c: see kkt_systems.h. */
#include "kkt_systems.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void need(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "kkt_systems: %s\n", what);
        abort();
    }
}

static void *zeroed(int64_t count, size_t size)
{
    void *block = calloc((size_t)count + 1, size);
    need(block != NULL, "out of memory");
    return block;
}

/* splitmix64 (Steele, Lea, Flood 2014) */
double kkt_uniform(kkt_system *s)
{
    uint64_t z = (s->seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-53;
}

double kkt_random(kkt_system *s)
{
    return 2.0 * kkt_uniform(s) - 1.0;
}

int32_t kkt_pick(kkt_system *s, int32_t n)
{
    return (int32_t)(kkt_uniform(s) * n);
}

kkt_system *kkt_system_new(uint64_t seed)
{
    kkt_system *s = zeroed(1, sizeof *s);
    s->seed = seed;
    s->dual_start = zeroed(1, sizeof *s->dual_start);
    return s;
}

void kkt_system_free(kkt_system *s)
{
    tn_kkt_factor_destroy(s->factor);
    tn_kkt_values_destroy(s->values);
    tn_kkt_destroy(s->kkt);
    void *owned[] = {s->primal_dim, s->dual_cap, s->dual_start, s->dual_primal, s->b, s->g,
                     s->u,          s->lambda,   s->ru,         s->rl,          s};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) {
        free(owned[k]);
    }
}

static int32_t *append(int32_t *list, int32_t count, int32_t value)
{
    if ((count & (count - 1)) == 0) { /* 0 or a power of two: full */
        list = realloc(list, sizeof *list * (size_t)(count > 0 ? 2 * count : 1));
        need(list != NULL, "out of memory");
    }
    list[count] = value;
    return list;
}

int32_t kkt_add_body(kkt_system *s, int32_t dim)
{
    s->primal_dim = append(s->primal_dim, s->n_primal, dim);
    return s->n_primal++;
}

int32_t kkt_add_joint(kkt_system *s, int32_t cap, const int32_t *primals, int32_t count)
{
    for (int32_t k = 0; k < count; k++) {
        s->dual_primal = append(s->dual_primal, s->n_incidence++, primals[k]);
    }
    s->dual_cap = append(s->dual_cap, s->n_dual, cap);
    s->n_dual++;
    s->dual_start = realloc(s->dual_start, sizeof(int32_t) * (size_t)(s->n_dual + 1));
    need(s->dual_start != NULL, "out of memory");
    s->dual_start[s->n_dual] = s->n_incidence;
    return s->n_dual - 1;
}

int32_t kkt_add_pair(kkt_system *s, int32_t cap, int32_t a, int32_t b)
{
    int32_t pair[2] = {a, b};
    return kkt_add_joint(s, cap, pair, b < 0 ? 1 : 2);
}

tn_kkt_pattern kkt_pattern_of(const kkt_system *s)
{
    return (tn_kkt_pattern){
        s->n_primal, s->primal_dim, s->n_dual, s->dual_cap, s->dual_start, s->dual_primal,
        NULL,        NULL,          NULL,      0,           NULL};
}

void kkt_build(kkt_system *s)
{
    tn_kkt_pattern pattern = kkt_pattern_of(s);
    need(tn_kkt_analyze(&pattern, &s->kkt) == TN_OK, "analysis failed");
    need(tn_kkt_values_create(s->kkt, &s->values) == TN_OK, "values failed");
    need(tn_kkt_factor_create(s->kkt, &s->factor) == TN_OK, "factor failed");
    s->l = tn_kkt_get_layout(s->kkt);
    s->b = zeroed(s->l->u_size, sizeof(double));
    s->u = zeroed(s->l->u_size, sizeof(double));
    s->ru = zeroed(s->l->u_size, sizeof(double));
    s->g = zeroed(s->l->y_size, sizeof(double));
    s->lambda = zeroed(s->l->y_size, sizeof(double));
    s->rl = zeroed(s->l->y_size, sizeof(double));
}

/* B B^T / d + 1/2 */
static void fill_h(kkt_system *s, double *h, int32_t d)
{
    double b[TN_KKT_MAX_BLOCK * TN_KKT_MAX_BLOCK];
    for (int32_t i = 0; i < d * d; i++) {
        b[i] = kkt_random(s);
    }
    for (int32_t i = 0; i < d; i++) {
        for (int32_t j = 0; j < d; j++) {
            double sum = i == j ? 0.5 : 0.0;
            for (int32_t k = 0; k < d; k++) {
                sum += b[i * d + k] * b[j * d + k] / d;
            }
            h[i * d + j] = sum;
        }
    }
}

void kkt_fill_random(kkt_system *s, double share_compliant)
{
    const tn_kkt_layout *l = s->l;
    for (int32_t i = 0; i < l->n_primal; i++) {
        fill_h(s, s->values->h + l->h_offset[i], l->primal_dim[i]);
    }
    for (int64_t i = 0; i < l->g_size; i++) {
        s->values->g[i] = kkt_random(s);
    }
    for (int64_t i = 0; i < l->y_size; i++) {
        s->values->r[i] = kkt_uniform(s) < share_compliant ? 0.1 * kkt_uniform(s) : 0.0;
    }
}

bool kkt_repeat_row(kkt_system *s, int32_t dual, int32_t row, int32_t other)
{
    const tn_kkt_layout *l = s->l;
    int32_t count = l->dual_start[dual + 1] - l->dual_start[dual];
    int32_t available = dual == other ? row : s->values->rows[other];
    if (l->dual_start[other + 1] - l->dual_start[other] != count || available < 1) {
        return false;
    }
    for (int32_t t = 0; t < count; t++) {
        if (l->dual_primal[l->dual_start[dual] + t] != l->dual_primal[l->dual_start[other] + t]) {
            return false;
        }
    }
    double weight[TN_KKT_MAX_BLOCK];
    for (int32_t k = 0; k < available; k++) {
        weight[k] = kkt_random(s);
    }
    for (int32_t t = 0; t < count; t++) {
        int32_t d = l->primal_dim[l->dual_primal[l->dual_start[dual] + t]];
        for (int32_t j = 0; j < d; j++) {
            double sum = 0.0;
            for (int32_t k = 0; k < available; k++) {
                sum += weight[k] * s->values->g[l->g_offset[l->dual_start[other] + t] + k * d + j];
            }
            s->values->g[l->g_offset[l->dual_start[dual] + t] + row * d + j] = sum;
        }
    }
    s->values->r[l->y_offset[dual] + row] = 0.0;
    return true;
}

/* row (H + delta)^-1 row^T of one body, by Cholesky. */
static double row_energy(const double *h, const double *delta, int d, const double *row)
{
    double L[TN_KKT_MAX_BLOCK][TN_KKT_MAX_BLOCK], y[TN_KKT_MAX_BLOCK], sum = 0.0;
    for (int i = 0; i < d; i++) {
        y[i] = row[i];
        for (int j = 0; j <= i; j++) {
            double a = h[i * d + j] + (i == j ? delta[i] : 0.0);
            for (int k = 0; k < j; k++) {
                a -= L[i][k] * L[j][k];
            }
            L[i][j] = i == j ? sqrt(a) : a / L[j][j];
        }
        for (int k = 0; k < i; k++) {
            y[i] -= L[i][k] * y[k];
        }
        y[i] /= L[i][i];
        sum += y[i] * y[i];
    }
    return sum;
}

void kkt_scale_rows(kkt_system *s, double eps)
{
    const tn_kkt_layout *l = s->l;
    for (int32_t k = 0; k < l->n_dual; k++) {
        for (int32_t i = 0; i < s->values->rows[k]; i++) {
            double scale = 0.0;
            for (int32_t t = l->dual_start[k]; t < l->dual_start[k + 1]; t++) {
                const int32_t p = l->dual_primal[t], d = l->primal_dim[p];
                if (l->g_offset[t] >= 0) {
                    scale +=
                        row_energy(s->values->h + l->h_offset[p], s->values->delta + l->u_offset[p],
                                   d, s->values->g + l->g_offset[t] + i * d);
                }
            }
            s->values->a[l->y_offset[k] + i] = scale > 0.0 ? scale : 1.0;
            s->values->e[l->y_offset[k] + i] = eps * s->values->a[l->y_offset[k] + i];
        }
    }
}

void kkt_consistent_rhs(kkt_system *s)
{
    const tn_kkt_layout *l = s->l;
    double *u = zeroed(l->u_size, sizeof(double));
    double *lambda = zeroed(l->y_size, sizeof(double));
    for (int64_t i = 0; i < l->u_size; i++) {
        u[i] = kkt_random(s);
    }
    for (int64_t i = 0; i < l->y_size; i++) {
        lambda[i] = kkt_random(s);
    }
    memset(s->g, 0, (size_t)l->y_size * sizeof(double));
    tn_kkt_residual(s->kkt, s->values, u, lambda, NULL, NULL, s->b, s->g);
    for (int64_t i = 0; i < l->u_size; i++) {
        s->b[i] = -s->b[i];
    }
    for (int64_t i = 0; i < l->y_size; i++) {
        s->g[i] = -s->g[i];
    }
    free(u);
    free(lambda);
}

static bool present(const kkt_system *s, int32_t dual)
{
    for (int32_t t = s->dual_start[dual]; t < s->dual_start[dual + 1]; t++) {
        if (s->primal_dim[s->dual_primal[t]] > 0) {
            return true;
        }
    }
    return false;
}

int32_t kkt_active_rows(const kkt_system *s, int64_t *position)
{
    int32_t count = 0;
    for (int32_t k = 0; k < s->n_dual; k++) {
        for (int32_t r = 0; r < s->values->rows[k] && present(s, k); r++) {
            if (position != NULL) {
                position[count] = s->l->y_offset[k] + r;
            }
            count++;
        }
    }
    return count;
}

int32_t kkt_dense_size(const kkt_system *s)
{
    return (int32_t)s->l->u_size + kkt_active_rows(s, NULL);
}

void kkt_dense_h(const kkt_system *s, double *h)
{
    const tn_kkt_layout *l = s->l;
    int64_t n = l->u_size;
    memset(h, 0, (size_t)(n * n) * sizeof *h);
    for (int32_t i = 0; i < l->n_primal; i++) {
        int32_t d = l->primal_dim[i];
        for (int32_t r = 0; r < d; r++) {
            for (int32_t c = 0; c < d; c++) {
                h[(l->u_offset[i] + c) * n + l->u_offset[i] + r] =
                    s->values->h[l->h_offset[i] + r * d + c];
            }
        }
    }
}

void kkt_dense_g(const kkt_system *s, double *g)
{
    const tn_kkt_layout *l = s->l;
    int64_t m = kkt_active_rows(s, NULL);
    memset(g, 0, (size_t)(m * l->u_size) * sizeof *g);
    int64_t row = 0;
    for (int32_t k = 0; k < l->n_dual; k++) {
        for (int32_t r = 0; r < s->values->rows[k] && present(s, k); r++, row++) {
            for (int32_t t = l->dual_start[k]; t < l->dual_start[k + 1]; t++) {
                int32_t p = l->dual_primal[t];
                for (int32_t c = 0; c < l->primal_dim[p]; c++) {
                    g[(l->u_offset[p] + c) * m + row] =
                        s->values->g[l->g_offset[t] + r * l->primal_dim[p] + c];
                }
            }
        }
    }
}

/* Mostly rigid bodies, some planar ones and particles, a few of one or two scalars. */
static int32_t some_dim(kkt_system *s)
{
    static const int32_t dims[] = {6, 6, 6, 6, 3, 3, 6, 6, 1, 2, 4, 5};
    return dims[kkt_pick(s, (int32_t)(sizeof dims / sizeof *dims))];
}

/* Never more rows than the smaller body can carry. */
static int32_t some_cap(kkt_system *s, int32_t a, int32_t b)
{
    int32_t most = s->primal_dim[a];
    most = b >= 0 && s->primal_dim[b] < most ? s->primal_dim[b] : most;
    return 1 + kkt_pick(s, most);
}

static void join(kkt_system *s, int32_t a, int32_t b)
{
    kkt_add_pair(s, some_cap(s, a, b), a, b);
}

static void add_loops(kkt_system *s, int32_t bodies)
{
    for (int32_t k = 0; k < 1 + bodies / 4; k++) {
        int32_t a = kkt_pick(s, bodies);
        int32_t b = kkt_pick(s, bodies);
        if (a != b) {
            kkt_add_pair(s, 1 + kkt_pick(s, 2), a, b);
        }
    }
}

static void add_grid(kkt_system *s, int32_t bodies)
{
    int32_t side = 2;
    while (side * side < bodies) {
        side++;
    }
    for (int32_t i = 0; i < bodies; i++) {
        if (i % side > 0) {
            kkt_add_pair(s, 1 + kkt_pick(s, 3), i, i - 1);
        }
        if (i >= side) {
            kkt_add_pair(s, 1 + kkt_pick(s, 2), i, i - side);
        }
    }
}

kkt_system *kkt_random_mechanism(kkt_family family, int32_t bodies, uint64_t seed)
{
    kkt_system *s = kkt_system_new(seed);
    for (int32_t i = 0; i < bodies; i++) {
        bool rigid = family == KKT_GRID || family == KKT_RING || family == KKT_CHAIN;
        kkt_add_body(s, rigid ? 6 : some_dim(s));
    }
    for (int32_t i = 1; i < bodies; i++) {
        switch (family) {
        case KKT_HUB:
            join(s, i, 0);
            break;
        case KKT_GRID:
            break;
        case KKT_CHAIN:
        case KKT_RING:
            kkt_add_pair(s, 5, i, i - 1);
            break;
        case KKT_FOREST:
            if (i % 5 != 0) {
                join(s, i, i - 1 - kkt_pick(s, i % 5));
            }
            break;
        default:
            join(s, i, kkt_pick(s, i));
            break;
        }
    }
    switch (family) {
    case KKT_GRID:
        add_grid(s, bodies);
        break;
    case KKT_RING:
        kkt_add_pair(s, 5, bodies - 1, bodies > 1 ? 0 : -1);
        break;
    case KKT_LOOPS:
        add_loops(s, bodies);
        break;
    case KKT_COUPLED:
        for (int32_t i = 0; i + 3 < bodies; i += 3) {
            int32_t bodies_of_gear[4] = {i, i + 1, i + 2, i + 3};
            kkt_add_joint(s, 1, bodies_of_gear, 3 + kkt_pick(s, 2));
        }
        break;
    default:
        break;
    }
    if (family == KKT_CHAIN || family == KKT_LOOPS) {
        kkt_add_pair(s, some_cap(s, 0, -1), 0, -1);
    }
    kkt_build(s);
    kkt_fill_random(s, 0.3);
    return s;
}
