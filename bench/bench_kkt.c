/* bench_kkt.c: cost of the KKT kernel on a chain of hinges, in ns per joint.
 *
 * A chain hanging from ground: rigid links of 1 m, joint k is a hinge (5 rows) between link k-1 and
 * link k. Prints factor, one back-solve, one residual, a refined solve to 1e-12 and the analysis,
 * with the residual reached. `bench_kkt --million` adds n = 1e6; `bench_kkt --net` adds square nets
 * of bodies and hinges (chain mail).
 */
#include "sparse/factor/factor.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Every figure is the best of this many repetitions at least, and of this time. */
#define REPETITIONS 3
#define SECONDS     0.3

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Hinge rows on a body whose joint point is at (x, y, 0): velocity of the point, and the angular
 * velocity across the axis, which is z or y in turn. */
static void hinge_rows(double *g, double sign, double x, double y, int32_t k)
{
    double odd = k % 2;
    double rows[5][6] = {{1, 0, 0, 0, 0, -y},
                         {0, 1, 0, 0, 0, x},
                         {0, 0, 1, y, -x, 0},
                         {0, 0, 0, 1, 0, 0},
                         {0, 0, 0, 0, 1 - odd, odd}};
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 6; j++) {
            g[6 * i + j] = sign * rows[i][j];
        }
    }
}

struct problem {
    tn_kkt *kkt;
    tn_kkt_values *values;
    tn_kkt_factor *factor;
    int32_t joints;
    double analysis; /* s */
};

static void die(const char *what)
{
    fprintf(stderr, "bench_kkt: %s\n", what);
    exit(1);
}

static void *reserve(size_t n, size_t size)
{
    void *block = calloc(n + 1, size);
    if (block == NULL) {
        die("out of memory");
    }
    return block;
}

/* Natural scales of the rows, of bodies with diagonal H. */
static void scale_rows(struct problem *p, const tn_kkt_layout *l)
{
    for (int32_t k = 0; k < l->n_dual; k++) {
        for (int32_t i = 0; i < p->values->rows[k]; i++) {
            double scale = 0.0;
            for (int32_t t = l->dual_start[k]; t < l->dual_start[k + 1]; t++) {
                const double *h = p->values->h + l->h_offset[l->dual_primal[t]];
                const double *g = p->values->g + l->g_offset[t] + 6 * i;
                for (int j = 0; j < 6; j++) {
                    scale += g[j] * g[j] / h[7 * j];
                }
            }
            p->values->a[l->y_offset[k] + i] = scale;
            p->values->e[l->y_offset[k] + i] = 1e-8 * scale;
        }
    }
}

/* Bodies and a list of joints (pairs; -1 is ground). */
static struct problem build(int32_t bodies, int32_t joints, const int32_t (*pair)[2])
{
    int32_t *dim = reserve((size_t)bodies, sizeof *dim);
    int32_t *cap = reserve((size_t)joints, sizeof *cap);
    int32_t *start = reserve((size_t)joints, sizeof *start);
    int32_t *primal = reserve(2 * (size_t)joints, sizeof *primal);
    for (int32_t i = 0; i < bodies; i++) {
        dim[i] = 6;
    }
    for (int32_t k = 0; k < joints; k++) {
        cap[k] = 5;
        start[k + 1] = start[k];
        for (int end = 0; end < 2; end++) {
            if (pair[k][end] >= 0) {
                primal[start[k + 1]++] = pair[k][end];
            }
        }
    }
    tn_kkt_pattern pattern = {bodies, dim, joints, cap, start, primal, NULL, NULL};
    struct problem p = {.joints = joints};
    double t = now();
    if (tn_kkt_analyze(&pattern, &p.kkt) != TN_OK) {
        die("analysis failed");
    }
    p.analysis = now() - t;
    if (tn_kkt_values_create(p.kkt, &p.values) != TN_OK ||
        tn_kkt_factor_create(p.kkt, &p.factor) != TN_OK) {
        die("out of memory");
    }
    const tn_kkt_layout *l = tn_kkt_get_layout(p.kkt);
    for (int32_t i = 0; i < bodies; i++) {
        double *h = p.values->h + l->h_offset[i];
        for (int j = 0; j < 6; j++) {
            h[7 * j] = j < 3 ? 1.0 + 0.01 * (i % 7) : 0.1 + 0.01 * j;
        }
    }
    for (int32_t k = 0; k < joints; k++) {
        int32_t at = start[k];
        for (int end = 0; end < 2; end++) {
            if (pair[k][end] >= 0) {
                double x = end == 0 ? 0.5 : -0.5;
                double y = 0.05 * (k % 3);
                hinge_rows(p.values->g + l->g_offset[at++], end == 0 ? -1.0 : 1.0, x, y, k);
            }
        }
    }
    scale_rows(&p, l);
    free(dim);
    free(cap);
    free(start);
    free(primal);
    return p;
}

static void destroy(struct problem *p)
{
    tn_kkt_factor_destroy(p->factor);
    tn_kkt_values_destroy(p->values);
    tn_kkt_destroy(p->kkt);
}

struct vectors {
    double *b, *g, *u, *lambda, *ru, *rl;
};

enum task { FACTOR, SOLVE, RESIDUAL, REFINED };

static tn_kkt_refine_stats run(struct problem *p, struct vectors *v, enum task task)
{
    const tn_kkt_layout *l = tn_kkt_get_layout(p->kkt);
    tn_kkt_refine_options options = {5, 1e-12, 0.0};
    tn_kkt_refine_stats stats = {0};
    switch (task) {
    case FACTOR:
        if (tn_kkt_factorize(p->kkt, p->values, p->factor, NULL) != TN_OK) {
            die("factorization failed");
        }
        break;
    case SOLVE:
        tn_kkt_solve(p->kkt, p->factor, v->ru, v->rl);
        break;
    case RESIDUAL:
        tn_kkt_residual(p->kkt, p->values, v->u, v->lambda, v->b, v->g, v->ru, v->rl);
        break;
    case REFINED:
        memset(v->u, 0, (size_t)l->u_size * sizeof *v->u);
        memset(v->lambda, 0, (size_t)l->y_size * sizeof *v->lambda);
        tn_kkt_solve_refined(p->kkt, p->values, p->factor, v->b, v->g, v->u, v->lambda, &options,
                             &stats);
        break;
    }
    return stats;
}

/* Best time of a task in ns per joint. */
static double measure(struct problem *p, struct vectors *v, enum task task)
{
    double best = INFINITY;
    double begin = now();
    for (int i = 0; i < REPETITIONS || now() - begin < SECONDS; i++) {
        if (task == SOLVE) {
            run(p, v, RESIDUAL);
        }
        double t = now();
        run(p, v, task);
        t = now() - t;
        best = t < best ? t : best;
    }
    return 1e9 * best / p->joints;
}

static double largest(const double *x, int64_t n)
{
    double most = 0.0;
    for (int64_t i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* Prints a row; returns the seconds of one factorization and one solve. */
static double report(const char *name, struct problem *p)
{
    const tn_kkt_layout *l = tn_kkt_get_layout(p->kkt);
    size_t nu = (size_t)l->u_size;
    size_t ny = (size_t)l->y_size;
    struct vectors v = {reserve(nu, 8), reserve(ny, 8), reserve(nu, 8),
                        reserve(ny, 8), reserve(nu, 8), reserve(ny, 8)};
    for (size_t i = 0; i < nu; i++) {
        v.b[i] = i % 6 < 2 ? -9.81 : 0.1 * sin((double)i);
    }
    double factor = measure(p, &v, FACTOR);
    double residual = measure(p, &v, RESIDUAL);
    double solve = measure(p, &v, SOLVE);
    double refined = measure(p, &v, REFINED);
    tn_kkt_refine_stats stats = run(p, &v, REFINED);
    tn_kkt_apply_g(p->kkt, p->values, v.u, v.rl);
    printf("%-8s %8d %9.1f %7.1f %9.1f %8.1f %6d %9.1e %9.1e %9.1f %8.1f\n", name, p->joints,
           factor, solve, residual, refined, stats.passes,
           fmax(stats.primal_residual, stats.dual_residual),
           largest(v.rl, l->y_size) / largest(v.u, l->u_size), 1e9 * p->analysis / p->joints,
           (double)l->factor_doubles * 8.0 / p->joints);
    free(v.b);
    free(v.g);
    free(v.u);
    free(v.lambda);
    free(v.ru);
    free(v.rl);
    return 1e-9 * (factor + solve) * p->joints;
}

static double chain(int32_t n)
{
    int32_t(*pair)[2] = reserve((size_t)n, sizeof *pair);
    for (int32_t k = 0; k < n; k++) {
        pair[k][0] = k - 1;
        pair[k][1] = k;
    }
    struct problem p = build(n, n, (const int32_t(*)[2])pair);
    double seconds = report("chain", &p);
    destroy(&p);
    free(pair);
    return seconds;
}

/* side x side bodies, hinges between neighbours, one corner held. */
static void net(int32_t side)
{
    int32_t(*pair)[2] = reserve(2 * (size_t)(side * side), sizeof *pair);
    int32_t n = 0;
    for (int32_t y = 0; y < side; y++) {
        for (int32_t x = 0; x < side; x++) {
            int32_t body = y * side + x;
            if (x > 0) {
                pair[n][0] = body - 1;
                pair[n++][1] = body;
            }
            if (y > 0) {
                pair[n][0] = body - side;
                pair[n++][1] = body;
            }
        }
    }
    pair[n][0] = -1;
    pair[n++][1] = 0;
    struct problem p = build(side * side, n, (const int32_t(*)[2])pair);
    report("net", &p);
    destroy(&p);
    free(pair);
}

int main(int argc, char **argv)
{
    bool million = false;
    bool nets = false;
    for (int i = 1; i < argc; i++) {
        million = million || strcmp(argv[i], "--million") == 0;
        nets = nets || strcmp(argv[i], "--net") == 0;
    }
    printf("%-8s %8s %9s %7s %9s %8s %6s %9s %9s %9s %8s\n", "ns/joint", "joints", "factor",
           "solve", "residual", "refined", "passes", "residual", "|Gu|/|u|", "analysis", "bytes");
    int32_t last = million ? 1000000 : 100000;
    double first_time = 0.0;
    double last_time = 0.0;
    for (int32_t n = 100; n <= last; n *= 10) {
        last_time = chain(n);
        first_time = n == 1000 ? last_time : first_time;
    }
    printf("exponent of factor + solve from 1e3 to %g joints: %.3f\n", (double)last,
           log(last_time / first_time) / log(last / 1000.0));
    for (int32_t side = 10; nets && side <= 80; side *= 2) {
        net(side);
    }
    return 0;
}
