/* small_steps.c: planar mechanisms by very many very small steps: a judge that shares nothing with Tenon.
 *
 * Moreau's time stepping at velocity level: joints, drives, limits, capped motors and dry friction are rows of one problem
 * with bounds in every step; no event is looked for and none can be missed by more than a step. Its error is of the order of
 * a step, which the caller takes from two runs.
 *
 *     small_steps STEPS RECORDS < numbers
 *
 * numbers: planar.py writes them (Judge.numbers). Out: for each record a line: t, for each body x y angle vx vy w, for each
 * joint coordinate speed, and least and largest in the steps around it of effort, force (its length) and moment on a.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST   40 /* rows */
#define WINDOW 12 /* steps to each side of a record whose forces count */

typedef struct {
    int kind, n;
    double *x, *m;
} function; /* 0 none, 1 polynomial, 2 sine, 3 step, 4 table, 5 spline */
typedef struct {
    double x[3], v[3], m, J;
} body;
typedef struct {
    int kind, a, b, on; /* 0 hinge, 1 slider, 2 line (rope, distance), 3 rod, 4 solid */
    double pa[2], pb[2], axis[2], angle, length; /* in the bodies */
    double force, stick, viscous, lo, hi, bounce, k, c, rest, cap, breaks, coefficient;
    function motor, drive, effort;
    double q, speed, out_effort, out_force, out_moment, lam_friction, carried;
    int stuck;
} joint;
typedef struct {
    int body;
    double at[2];
    function fx, fy, moment;
} load;
typedef struct {
    int n, joint[4];
    double ratio[4], force, cap, lo, hi;
    int held;
    function motor;
} coupling;

static body B[32];
static joint J[40];
static load L[16];
static coupling C[8];
static int nb, nj, nl, nc;
static double gravity[2], duration;

static double number(void)
{
    double x;
    if (scanf("%lf", &x) != 1)
        exit(3);
    return x;
}

static function read_function(void)
{
    function f = {(int)number(), (int)number(), NULL, NULL};
    f.x = calloc((size_t)f.n + 1, sizeof *f.x);
    for (int i = 0; i < f.n; i++)
        f.x[i] = number();
    if (f.kind == 5) { /* natural spline: second derivatives by the tridiagonal system */
        const int n = f.n / 2;
        double *u = calloc((size_t)n, sizeof *u), *m = f.m = calloc((size_t)n, sizeof *m);
        for (int i = 1; i < n - 1; i++) {
            const double h0 = f.x[2 * i] - f.x[2 * i - 2], h1 = f.x[2 * i + 2] - f.x[2 * i],
                         s = h0 / (h0 + h1);
            const double p = s * m[i - 1] + 2;
            m[i] = (s - 1) / p;
            u[i] = (f.x[2 * i + 3] - f.x[2 * i + 1]) / h1 - (f.x[2 * i + 1] - f.x[2 * i - 1]) / h0;
            u[i] = (6 * u[i] / (h0 + h1) - s * u[i - 1]) / p;
        }
        m[n - 1] = 0;
        for (int i = n - 2; i >= 0; i--)
            m[i] = m[i] * m[i + 1] + u[i];
        free(u);
    }
    return f;
}

static double value(const function *f, double t)
{
    const double *x = f->x;
    double y = 0;
    if (f->kind == 1)
        for (int i = f->n - 1; i >= 0; i--)
            y = y * t + x[i];
    if (f->kind == 2)
        y = x[3] + x[0] * sin(x[1] * t + x[2]);
    if (f->kind == 3) {
        const double u = fmin(1, fmax(0, (t - x[0]) / (x[2] - x[0])));
        y = x[1] + (x[3] - x[1]) * u * u * u * (10 - 15 * u + 6 * u * u);
    }
    if (f->kind == 4 || f->kind == 5) {
        int k = 0;
        while (k + 2 < f->n / 2 && t > x[2 * k + 2])
            k++;
        const double h = x[2 * k + 2] - x[2 * k], b = (t - x[2 * k]) / h, a = 1 - b;
        y = a * x[2 * k + 1] + b * x[2 * k + 3];
        if (f->kind == 5) {
            const double end = t < x[0]          ? x[0]
                               : t > x[f->n - 2] ? x[f->n - 2]
                                                 : t; /* beyond: straight on */
            const double e = (end - x[2 * k]) / h, d = 1 - e;
            y = d * x[2 * k + 1] + e * x[2 * k + 3] +
                ((d * d * d - d) * f->m[k] + (e * e * e - e) * f->m[k + 1]) * h * h / 6;
            y +=
                (t - end) * ((x[2 * k + 3] - x[2 * k + 1]) / h - (3 * d * d - 1) / 6 * h * f->m[k] +
                             (3 * e * e - 1) / 6 * h * f->m[k + 1]);
        }
    }
    return y;
}

/* In the mean from t to t + h: of a table between its points, so that no pulse is lost. */
static double mean(const function *f, double t, double h)
{
    if (f->kind != 4)
        return value(f, t + 0.5 * h);
    double sum = 0, from = t;
    for (int k = 0; k < f->n; k += 2)
        if (f->x[k] > from && f->x[k] < t + h)
            sum += (f->x[k] - from) * value(f, 0.5 * (from + f->x[k])), from = f->x[k];
    return (sum + (t + h - from) * value(f, 0.5 * (from + t + h))) / h;
}

static void read_all(void)
{
    nb = (int)number(), nj = (int)number(), nl = (int)number(), nc = (int)number();
    duration = number(), gravity[0] = number(), gravity[1] = number();
    for (int i = 0; i < nb; i++) {
        for (int k = 0; k < 3; k++)
            B[i].x[k] = number();
        for (int k = 0; k < 3; k++)
            B[i].v[k] = number();
        B[i].m = number(), B[i].J = number();
    }
    for (int i = 0; i < nj; i++) {
        joint *j = &J[i];
        j->kind = (int)number(), j->a = (int)number(), j->b = (int)number(), j->on = 1;
        double *at[] = {&j->pa[0], &j->pa[1], &j->pb[0],   &j->pb[1], &j->axis[0], &j->axis[1],
                        &j->force, &j->stick, &j->viscous, &j->lo,    &j->hi,      &j->bounce,
                        &j->k,     &j->c,     &j->rest,    &j->cap,   &j->breaks,  &j->coefficient};
        for (size_t k = 0; k < sizeof at / sizeof *at; k++)
            *at[k] = number();
        j->motor = read_function(), j->drive = read_function(), j->effort = read_function();
        /* points of bodies that stand unturned at the start */
        j->pa[0] -= B[j->a].x[0], j->pa[1] -= B[j->a].x[1];
        if (j->b >= 0)
            j->pb[0] -= B[j->b].x[0], j->pb[1] -= B[j->b].x[1];
    }
    for (int i = 0; i < nl; i++) {
        L[i].body = (int)number(), L[i].at[0] = number(), L[i].at[1] = number();
        L[i].fx = read_function(), L[i].fy = read_function(), L[i].moment = read_function();
    }
    for (int i = 0; i < nc; i++) {
        C[i].n = (int)number();
        for (int k = 0; k < C[i].n; k++)
            C[i].joint[k] = (int)number(), C[i].ratio[k] = number();
        C[i].held = (int)number(), C[i].force = number(), C[i].cap = number(), C[i].lo = number(),
        C[i].hi = number();
        C[i].motor = read_function();
    }
}

/* A row: what it is for both bodies. */
typedef struct {
    int a, b;
    double g[6], bias, lo, hi;
    int joint, what;
} row;

static void arm(int b, const double p[2], double r[2], double at[2])
{
    const double c = b < 0 ? 1 : cos(B[b].x[2]), s = b < 0 ? 0 : sin(B[b].x[2]);
    r[0] = c * p[0] - s * p[1], r[1] = s * p[0] + c * p[1];
    at[0] = r[0] + (b < 0 ? 0 : B[b].x[0]), at[1] = r[1] + (b < 0 ? 0 : B[b].x[1]);
    if (b < 0)
        r[0] = r[1] = 0;
}

static void axis_of(const joint *j, double n[2])
{
    const double c = j->b < 0 ? 1 : cos(B[j->b].x[2]), s = j->b < 0 ? 0 : sin(B[j->b].x[2]);
    n[0] = c * j->axis[0] - s * j->axis[1], n[1] = s * j->axis[0] + c * j->axis[1];
}

/* The force n on a at its point, as a row. Of a direction that b carries, n acts on b at a's point. */
static row push(const joint *j, const double n[2], int carried)
{
    double ra[2], rb[2], xa[2], xb[2];
    arm(j->a, j->pa, ra, xa), arm(j->b, j->pb, rb, xb);
    row r = {.a = j->a, .b = j->b, .lo = -INFINITY, .hi = INFINITY};
    if (carried && j->b >= 0)
        rb[0] = xa[0] - B[j->b].x[0], rb[1] = xa[1] - B[j->b].x[1];
    const double g[6] = {n[0],  n[1],  ra[0] * n[1] - ra[1] * n[0],
                         -n[0], -n[1], -(rb[0] * n[1] - rb[1] * n[0])};
    memcpy(r.g, g, sizeof g);
    return r;
}

static row turn(const joint *j)
{
    row r = {.a = j->a, .b = j->b, .g = {0, 0, 1, 0, 0, -1}, .lo = -INFINITY, .hi = INFINITY};
    return r;
}

static double speed_of(const row *r)
{
    double u = 0;
    for (int k = 0; k < 3; k++)
        u += r->g[k] * B[r->a].v[k] + (r->b < 0 ? 0 : r->g[3 + k] * B[r->b].v[k]);
    return u;
}

static void gap_of(const joint *j, double d[2])
{
    double ra[2], rb[2], xa[2], xb[2];
    arm(j->a, j->pa, ra, xa), arm(j->b, j->pb, rb, xb);
    d[0] = xa[0] - xb[0], d[1] = xa[1] - xb[1];
}

static double angle_of(const joint *j)
{
    return B[j->a].x[2] - (j->b < 0 ? 0 : B[j->b].x[2]);
}

/* Rows that hold, with their errors; and the row and value of the joint's coordinate. */
static int holding(const joint *j, row *out, double *error)
{
    double d[2], n[2];
    gap_of(j, d), axis_of(j, n);
    if (j->kind == 0 || j->kind == 4) {
        out[0] = push(j, (double[2]){1, 0}, 0), out[1] = push(j, (double[2]){0, 1}, 0);
        error[0] = d[0], error[1] = d[1];
        if (j->kind == 4)
            out[2] = turn(j), error[2] = angle_of(j);
        return j->kind == 4 ? 3 : 2;
    }
    if (j->kind == 1) {
        out[0] = push(j, (double[2]){-n[1], n[0]}, 1), error[0] = -n[1] * d[0] + n[0] * d[1];
        out[1] = turn(j), error[1] = angle_of(j);
        return 2;
    }
    if (j->kind == 3) {
        const double l = hypot(d[0], d[1]);
        out[0] = push(j, (double[2]){d[0] / l, d[1] / l}, 0), error[0] = l - j->length;
        return 1;
    }
    return 0;
}

static row coordinate(joint *j)
{
    double d[2], n[2];
    gap_of(j, d), axis_of(j, n);
    if (j->kind == 0 || j->kind == 4) {
        j->q = angle_of(j);
        return turn(j);
    }
    if (j->kind == 1) {
        j->q = n[0] * d[0] + n[1] * d[1];
        return push(j, n, 1);
    }
    j->q = hypot(d[0], d[1]);
    return push(j, (double[2]){d[0] / j->q, d[1] / j->q}, 0);
}

static double W[MOST][MOST], S[MOST][MOST], lambda[MOST];
static row R[MOST];
static int order[MOST], rank;

/* Rows of couplings reach more than two bodies: all are dense here. */
static double D[MOST][96], MD[MOST][96];

static void spread(int k, const row *r, double ratio)
{
    for (int i = 0; i < 3; i++) {
        D[k][3 * r->a + i] += ratio * r->g[i];
        if (r->b >= 0)
            D[k][3 * r->b + i] += ratio * r->g[3 + i];
    }
}

static void delassus(int n)
{
    for (int i = 0; i < n; i++)
        for (int q = 0; q < 3 * nb; q++)
            MD[i][q] = D[i][q] / (q % 3 == 2 ? B[q / 3].J : B[q / 3].m);
    for (int i = 0; i < n; i++)
        for (int k = i; k < n; k++) {
            double w = 0;
            for (int q = 0; q < 3 * nb; q++)
                w += D[i][q] * MD[k][q];
            W[i][k] = W[k][i] = w;
        }
}

/* Cholesky with pivots of the first m rows; what depends on others is left out. */
static double F[MOST][MOST];
static void factor(int m)
{
    double d[MOST], most = 0;
    for (int i = 0; i < m; i++)
        order[i] = i, d[i] = 1; /* of rows scaled to length 1 */
    rank = 0;
    (void)most;
    for (int k = 0; k < m; k++) {
        int best = k;
        for (int i = k; i < m; i++)
            if (d[order[i]] > d[order[best]])
                best = i;
        const int o = order[best];
        order[best] = order[k], order[k] = o;
        if (d[o] < 1e-10)
            break;
        const double root = sqrt(d[o]);
        F[o][k] = root;
        for (int i = k + 1; i < m; i++) {
            const int p = order[i];
            double s = W[p][o] / sqrt(W[p][p] * W[o][o]);
            for (int c = 0; c < k; c++)
                s -= F[p][c] * F[o][c];
            F[p][k] = s / root;
            d[p] -= F[p][k] * F[p][k];
        }
        rank++;
    }
}

static void back(const double *rhs, double *x, int m)
{
    double y[MOST];
    for (int i = 0; i < m; i++)
        x[i] = 0;
    for (int k = 0; k < rank; k++) {
        const int o = order[k];
        y[k] = rhs[o] / sqrt(W[o][o]);
        for (int c = 0; c < k; c++)
            y[k] -= F[o][c] * y[c];
        y[k] /= F[o][k];
    }
    for (int k = rank - 1; k >= 0; k--) {
        const int o = order[k];
        double s = y[k];
        for (int i = k + 1; i < rank; i++)
            s -= F[order[i]][k] * x[order[i]];
        x[o] = s / F[o][k];
    }
    for (int k = 0; k < rank; k++)
        x[order[k]] /= sqrt(W[order[k]][order[k]]);
}

/* u + W lambda = 0 for the first m rows, within bounds for the others. */
static void solve(int m, int n, const double *u)
{
    double first[MOST], X[MOST][MOST], c[MOST];
    factor(m);
    back(u, first, m); /* W lambda = -u : lambda = -first */
    for (int k = m; k < n; k++)
        back(W[k], X[k], m);
    for (int i = m; i < n; i++) {
        c[i] = u[i];
        for (int q = 0; q < m; q++)
            c[i] -= W[i][q] * first[q];
        for (int k = m; k < n; k++) {
            S[i][k] = W[i][k];
            for (int q = 0; q < m; q++)
                S[i][k] -= W[i][q] * X[k][q];
        }
    }
    for (int i = m; i < n; i++)
        lambda[i] = fmin(R[i].hi, fmax(R[i].lo, lambda[i]));
    for (int pass = 0; pass < 3000; pass++) {
        double moved = 0;
        for (int i = m; i < n; i++) {
            double s = c[i];
            for (int k = m; k < n; k++)
                s += S[i][k] * lambda[k];
            if (S[i][i] <= 1e-9 * W[i][i]) { /* nothing that it does changes its speed */
                if (fabs(s) > 1e-9 && isfinite(R[i].lo) && isfinite(R[i].hi))
                    lambda[i] = s > 0 ? R[i].lo : R[i].hi;
                continue;
            }
            const double to = fmin(R[i].hi, fmax(R[i].lo, lambda[i] - s / S[i][i]));
            moved = fmax(moved, fabs(to - lambda[i]) * S[i][i]);
            lambda[i] = to;
        }
        if (moved < 1e-14)
            break;
    }
    for (int q = 0; q < m; q++) {
        lambda[q] = -first[q];
        for (int k = m; k < n; k++)
            lambda[q] -= X[k][q] * lambda[k];
    }
}

static double warm[MOST];

enum {
    HOLD,
    DRIVE,
    FRICTION,
    MOTOR,
    LOWER,
    UPPER,
    COUPLED,
    COUPLED_FRICTION,
    COUPLED_MOTOR,
    COUPLED_LOWER,
    COUPLED_UPPER
};

static int add(int n, row r, int joint, int what, double bias)
{
    R[n] = r, R[n].joint = joint, R[n].what = what, R[n].bias = bias;
    memset(D[n], 0, sizeof D[n]);
    spread(n, &r, 1);
    return n + 1;
}

static double sum_of(const coupling *c)
{
    double s = 0;
    for (int k = 0; k < c->n; k++)
        s += c->ratio[k] * J[c->joint[k]].q;
    return s;
}

static double rate_of(const coupling *c)
{
    double s = 0;
    for (int k = 0; k < c->n; k++)
        s += c->ratio[k] * J[c->joint[k]].speed;
    return s;
}

static int add_coupled(int n, const coupling *c, int index, int what, double bias)
{
    memset(D[n], 0, sizeof D[n]);
    R[n] = (row){.a = -1,
                 .b = -1,
                 .lo = -INFINITY,
                 .hi = INFINITY,
                 .bias = bias,
                 .joint = index,
                 .what = what};
    for (int k = 0; k < c->n; k++) {
        const row r = coordinate(&J[c->joint[k]]);
        spread(n, &r, c->ratio[k]);
    }
    return n + 1;
}

/* Impacts in which a coefficient rubs are gone through in so many parts, in each of which friction is against the motion that there
 * is at its end; what comes more slowly than this has none. */
#define PARTS 400
#define SLOW  2e-4

/* What lies at a limit may come off it by rounding, and is held back there, not hit again: else forces would come and go from step to
 * step, and what goes by their size, a coefficient, would be something else than by their mean. */
#define NEAR 2e-9

/* Which way joint j goes into a limit that it is at, and how fast; 0: it does not. */
static int runs_into(joint *j)
{
    const row r = coordinate(j);
    j->speed = speed_of(&r);
    return j->q <= j->lo && j->speed < -SLOW ? LOWER : j->q >= j->hi && j->speed > SLOW ? UPPER : 0;
}

/* Rows of one part that ends with this share of what limits change; m: those that hold. */
static int collision_rows(double t, double share, const double *came, int *m)
{
    int n = 0;
    for (int i = 0; i < nj; i++) {
        joint *j = &J[i];
        row hold[3];
        double e[3];
        const int count = j->on ? holding(j, hold, e) : 0;
        for (int k = 0; k < count; k++)
            n = add(n, hold[k], i, HOLD, 0);
        if (j->on && j->drive.kind)
            n = add(n, coordinate(j), i, DRIVE,
                    -(value(&j->drive, t + 1e-7) - value(&j->drive, t)) / 1e-7);
    }
    for (int i = 0; i < nc; i++)
        if (C[i].held)
            n = add_coupled(n, &C[i], i, COUPLED, 0);
    *m = n;
    for (int i = 0; i < nj; i++) {
        joint *j = &J[i];
        if (!j->on)
            continue;
        const row r = coordinate(j);
        const double to = came[i] * (1 - (1 + j->bounce) * share);
        if (j->coefficient > 0)
            n = add(n, r, i, FRICTION, 0), R[n - 1].lo = R[n - 1].hi = 0;
        if (j->q <= j->lo + NEAR)
            n = add(n, r, i, LOWER, came[i] < -SLOW ? -to : 0), R[n - 1].lo = 0;
        if (j->q >= j->hi - NEAR)
            n = add(n, r, i, UPPER, came[i] > SLOW ? -to : 0), R[n - 1].hi = 0;
    }
    for (int i = 0; i < nc; i++) {
        if (!C[i].held && sum_of(&C[i]) <= C[i].lo)
            n = add_coupled(n, &C[i], i, COUPLED_LOWER, 0), R[n - 1].lo = 0;
        if (!C[i].held && sum_of(&C[i]) >= C[i].hi)
            n = add_coupled(n, &C[i], i, COUPLED_UPPER, 0), R[n - 1].hi = 0;
    }
    return n;
}

/* Coulomb's law for the impulses of a part, whose bounds go by what it carries itself. */
static void collide_part(int m, int n)
{
    double u[MOST], before[40] = {0};
    delassus(n);
    for (int i = 0; i < n; i++) {
        u[i] = R[i].bias, lambda[i] = 0;
        for (int q = 0; q < 3 * nb; q++)
            u[i] += D[i][q] * B[q / 3].v[q % 3];
    }
    for (int pass = 0; pass < 200; pass++) {
        double carried[40][2] = {{0}}, moved = 0, most = 0;
        solve(m, n, u);
        for (int i = 0; i < m; i++)
            for (int k = 0; k < 2 && R[i].what == HOLD; k++)
                carried[R[i].joint][k] += R[i].g[k] * lambda[i];
        for (int i = 0; i < nj; i++) {
            const double now = hypot(carried[i][0], carried[i][1]);
            most = fmax(most, now), moved = fmax(moved, fabs(now - before[i]));
            before[i] = now;
        }
        for (int i = m; i < n; i++)
            if (R[i].what == FRICTION)
                R[i].hi = J[R[i].joint].coefficient * before[R[i].joint], R[i].lo = -R[i].hi;
        if (moved <= 1e-13 * most)
            break;
    }
    for (int q = 0; q < 3 * nb; q++)
        for (int i = 0; i < n; i++)
            B[q / 3].v[q % 3] += MD[i][q] * lambda[i];
}

/* What runs into limits, where friction by a coefficient has a part in it. */
static void collide(double t)
{
    double came[40] = {0};
    int hits = 0, rubs = 0, m = 0;
    for (int i = 0; i < nj; i++) {
        hits += J[i].on && runs_into(&J[i]);
        rubs += J[i].on && J[i].coefficient > 0;
        came[i] = J[i].speed;
    }
    for (int part = 1; part <= PARTS && hits > 0 && rubs > 0; part++) {
        const int n = collision_rows(t, (double)part / PARTS, came, &m);
        collide_part(m, n);
    }
}

static int lies_at(const joint *j, double gap)
{
    return gap > 0 && gap < NEAR && fabs(j->speed) < SLOW;
}

/* Of the row of a limit on this side: what bounces does, what lies there goes no further than it. */
static double bias_at(const joint *j, double gap, int side, double h)
{
    if (gap > 0)
        return -side * gap / h;
    return side * j->speed > 0 ? j->bounce * j->speed : 0;
}

static void one_step(double t, double h)
{
    double v0[96], f[96], u[MOST], error[MOST];
    memset(f, 0, sizeof f), memset(error, 0, sizeof error);
    for (int i = 0; i < nb; i++)
        for (int k = 0; k < 3; k++)
            B[i].x[k] += 0.5 * h * B[i].v[k];
    collide(t + 0.5 * h);
    for (int i = 0; i < nb; i++)
        for (int k = 0; k < 3; k++)
            v0[3 * i + k] = B[i].v[k];
    /* what pushes */
    for (int i = 0; i < nb; i++)
        f[3 * i] += B[i].m * gravity[0], f[3 * i + 1] += B[i].m * gravity[1];
    const double tm = t + 0.5 * h;
    for (int i = 0; i < nl; i++) {
        double r[2], x[2];
        arm(L[i].body, L[i].at, r, x);
        const double fx = mean(&L[i].fx, t, h), fy = mean(&L[i].fy, t, h);
        f[3 * L[i].body] += fx, f[3 * L[i].body + 1] += fy;
        f[3 * L[i].body + 2] += r[0] * fy - r[1] * fx + mean(&L[i].moment, t, h);
    }
    int n = 0;
    double own[40];
    for (int i = 0; i < nj; i++) {
        joint *j = &J[i];
        if (!j->on)
            continue;
        const row r = coordinate(j);
        j->speed = speed_of(&r);
        own[i] = -j->k * (j->q - j->rest) - (j->c + j->viscous) * j->speed;
        const double push_ = own[i] + mean(&j->effort, t, h);
        for (int k = 0; k < 3; k++) {
            f[3 * r.a + k] += r.g[k] * push_;
            if (r.b >= 0)
                f[3 * r.b + k] += r.g[3 + k] * push_;
        }
        row hold[3];
        double e[3];
        const int count = holding(j, hold, e);
        for (int k = 0; k < count; k++)
            error[n] = e[k], n = add(n, hold[k], i, HOLD, 0);
        if (j->drive.kind) {
            error[n] = j->q - value(&j->drive, tm);
            n = add(n, r, i, DRIVE, -(value(&j->drive, tm + h) - value(&j->drive, tm)) / h);
        }
    }
    for (int i = 0; i < nc; i++)
        if (C[i].held)
            error[n] = sum_of(&C[i]) - C[i].lo, n = add_coupled(n, &C[i], i, COUPLED, 0);
    const int m = n;
    for (int i = 0; i < nj; i++) {
        joint *j = &J[i];
        if (!j->on)
            continue;
        const row r = coordinate(j);
        const double bound =
            (j->stuck ? fmax(j->stick, j->force) : j->force) + j->coefficient * j->carried;
        if (bound > 0)
            n = add(n, r, i, FRICTION, 0), R[n - 1].lo = -bound * h, R[n - 1].hi = bound * h;
        if (j->motor.kind)
            n = add(n, r, i, MOTOR, -value(&j->motor, t + h)), R[n - 1].lo = -j->cap * h,
            R[n - 1].hi = j->cap * h;
        if (j->q <= j->lo || lies_at(j, j->q - j->lo))
            n = add(n, r, i, LOWER, bias_at(j, j->q - j->lo, -1, h)), R[n - 1].lo = 0;
        if (j->q >= j->hi || lies_at(j, j->hi - j->q))
            n = add(n, r, i, UPPER, bias_at(j, j->hi - j->q, 1, h)), R[n - 1].hi = 0;
    }
    for (int i = 0; i < nc; i++) {
        coupling *c = &C[i];
        if (c->held)
            continue;
        if (c->force > 0)
            n = add_coupled(n, c, i, COUPLED_FRICTION, 0), R[n - 1].lo = -c->force * h,
            R[n - 1].hi = c->force * h;
        if (c->motor.kind)
            n = add_coupled(n, c, i, COUPLED_MOTOR, -value(&c->motor, t + h)),
            R[n - 1].lo = -c->cap * h, R[n - 1].hi = c->cap * h;
        if (sum_of(c) <= c->lo)
            n = add_coupled(n, c, i, COUPLED_LOWER, 0), R[n - 1].lo = 0;
        if (sum_of(c) >= c->hi)
            n = add_coupled(n, c, i, COUPLED_UPPER, 0), R[n - 1].hi = 0;
    }
    if (n > MOST - 2)
        exit(4);
    delassus(n);
    for (int i = 0; i < n; i++) {
        u[i] = R[i].bias;
        for (int q = 0; q < 3 * nb; q++)
            u[i] += D[i][q] * (v0[q] + h * f[q] / (q % 3 == 2 ? B[q / 3].J : B[q / 3].m));
        lambda[i] = warm[i];
    }
    solve(m, n, u);
    memcpy(warm, lambda, sizeof warm);
    for (int q = 0; q < 3 * nb; q++) {
        double v = v0[q] + h * f[q] / (q % 3 == 2 ? B[q / 3].J : B[q / 3].m);
        for (int i = 0; i < n; i++)
            v += MD[i][q] * lambda[i];
        B[q / 3].v[q % 3] = v;
    }
    /* closed again, by the same factor */
    double x[MOST];
    back(error, x, m);
    for (int q = 0; q < 3 * nb; q++) {
        double dx = 0.5 * h * B[q / 3].v[q % 3];
        for (int i = 0; i < m; i++)
            dx -= MD[i][q] * x[i];
        B[q / 3].x[q % 3] += dx;
    }
    /* what is told */
    double F_[40][3] = {{0}};
    for (int i = 0; i < nj; i++)
        J[i].out_effort = 0;
    /* what is carried in an impact is no force that friction could be held against */
    double carried[40][2] = {{0}};
    int impact = 0;
    for (int i = 0; i < n; i++) {
        impact += (R[i].what == LOWER || R[i].what == UPPER) && fabs(J[R[i].joint].speed) > SLOW;
        impact += (R[i].what == COUPLED_LOWER || R[i].what == COUPLED_UPPER) &&
                  fabs(rate_of(&C[R[i].joint])) > SLOW;
        if (R[i].what >= COUPLED)
            continue;
        if (R[i].what == HOLD)
            for (int k = 0; k < 2; k++)
                carried[R[i].joint][k] += R[i].g[k] * lambda[i] / h;
        joint *j = &J[R[i].joint];
        const double force = lambda[i] / h;
        if (R[i].what != HOLD)
            j->out_effort += force;
        double ra[2], xa[2];
        arm(j->a, j->pa, ra, xa);
        F_[R[i].joint][0] += R[i].g[0] * force, F_[R[i].joint][1] += R[i].g[1] * force;
        F_[R[i].joint][2] += (R[i].g[2] - (ra[0] * R[i].g[1] - ra[1] * R[i].g[0])) * force;
        if (R[i].what == FRICTION) {
            const double after = speed_of(&R[i]);
            j->stuck = fabs(lambda[i]) < R[i].hi * (1 - 1e-12) && fabs(after) < 1e-9;
        }
    }
    for (int i = 0; i < nj; i++) {
        joint *j = &J[i];
        if (!j->on) {
            j->out_force = j->out_moment = j->out_effort = 0;
            continue;
        }
        if (!impact)
            j->carried = hypot(carried[i][0], carried[i][1]);
        const row r = coordinate(j);
        double ra[2], xa[2];
        arm(j->a, j->pa, ra, xa);
        for (int k = 0; k < 2; k++)
            F_[i][k] += r.g[k] * own[i];
        F_[i][2] += (r.g[2] - (ra[0] * r.g[1] - ra[1] * r.g[0])) * own[i];
        j->out_effort += own[i];
        j->out_force = hypot(F_[i][0], F_[i][1]), j->out_moment = F_[i][2];
        if (j->breaks > 0 && j->out_force > j->breaks)
            j->on = 0, fprintf(stderr, "joint %d broke at %.9g\n", i, t);
    }
}

int main(int count, char **argument)
{
    if (count < 3)
        return 1;
    const long records = atol(argument[2]), each = atol(argument[1]) / records,
               steps = each * records;
    read_all();
    const double h = duration / (double)steps;
    for (int i = 0; i < nj; i++) {
        const row r = coordinate(&J[i]);
        J[i].length = J[i].q, J[i].stuck = fabs(speed_of(&r)) < 1e-9;
    }
    for (int i = 0; i < nc; i++)
        if (C[i].held)
            C[i].lo = sum_of(&C[i]);
    double least[40][3], most[40][3],
        *lines = calloc((size_t)(records + 1) * (1 + 6 * 32 + 8 * 40), sizeof *lines);
    const int width = 1 + 6 * nb + 8 * nj;
    for (long k = 0; k <= steps + WINDOW; k++) {
        const long record = (k + each / 2) / each, off = k - record * each;
        if (off == 0 && record <= records) { /* k steps are done */
            double *line = lines + record * width;
            int n = 0;
            line[n++] = (double)k * h;
            for (int i = 0; i < nb; i++)
                for (int c = 0; c < 6; c++)
                    line[n++] = c < 3 ? B[i].x[c] : B[i].v[c - 3];
            for (int i = 0; i < nj; i++) {
                const row r = coordinate(&J[i]);
                line[n++] = J[i].q, line[n++] = speed_of(&r), n += 6;
            }
        }
        if (k == steps + WINDOW)
            break;
        one_step((double)k * h, h);
        const long after = k + 1, near = (after + each / 2) / each, away = after - near * each;
        if (labs(away) > WINDOW || near > records)
            continue;
        for (int i = 0; i < nj; i++) {
            const double now[3] = {J[i].out_effort, J[i].out_force, J[i].out_moment};
            for (int c = 0; c < 3; c++) {
                const int first = away == -WINDOW || (near == 0 && away == 1);
                least[i][c] = first ? now[c] : fmin(least[i][c], now[c]);
                most[i][c] = first ? now[c] : fmax(most[i][c], now[c]);
                double *at = lines + near * width + 1 + 6 * nb + 8 * i + 2 + 2 * c;
                at[0] = least[i][c], at[1] = most[i][c];
            }
        }
    }
    for (long k = 0; k <= records; k++) {
        for (int i = 0; i < width; i++)
            printf("%.15g%c", lines[k * width + i], i + 1 < width ? ' ' : '\n');
    }
    return 0;
}
