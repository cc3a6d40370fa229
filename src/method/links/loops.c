/* loops.c: room method/links: the elimination of loops at their hosts. See loops.h. */
#include "method/links/loops.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/singular.h"

/* Shares of what links can move a point by. Pivots above are those of rows of their own, ten times as far from change points as where
 * general steps report one (solve/singular.h). Below is what rounding leaves of rows that repeat others: at a change point a row
 * seems to, and where it does so here it is closed to that share. Between them the step is left to the general iteration. */
#define TN_ROW_OF_ITS_OWN (TN_CLEAR * TN_CLEAR * TN_FAR * TN_EPSILON)
#define TN_ROW_REPEATS    (512.0 * DBL_EPSILON)

/* A link as loops see it: its screw S = (v, w), and its factor. */
typedef struct tn_loop_column {
    tn_vec3 v, w;
    const tn_hinge_record *record;
} tn_loop_column;

static tn_loop_column column_of(const tn_hinge_world *w, int32_t k)
{
    const double *own = hinge_limb_at(w, k);
    tn_vec3 axis = limb_v3(own + TN_LIMB_FIELD(axis));
    if (hinge_slides(w, k))
        axis = v3_scale(hinge_kind_at(w, k)[TN_KIND_FIELD(column.spin)], axis);
    return (tn_loop_column){limb_v3(own + TN_LIMB_FIELD(screw)), axis, &w->records[k]};
}

static double along(const tn_loop_column *s, const tn_loop_wrench *of)
{
    return v3_dot(s->v, of->f) + v3_dot(s->w, of->m);
}

static tn_loop_wrench less(const tn_loop_wrench *a, double by, tn_vec3 f, tn_vec3 m)
{
    return (tn_loop_wrench){v3_axpy(a->f, -by, f), v3_axpy(a->m, -by, m)};
}

static tn_loop_wrench six_of(const double *six)
{
    return (tn_loop_wrench){v3_load(six), v3_load(six + 3)};
}

static void add_to(double *six, const tn_loop_wrench *more)
{
    v3_store(six, v3_add(v3_load(six), more->f));
    v3_store(six + 3, v3_add(v3_load(six + 3), more->m));
}

/* ---- solves of the rows that are kept ---- */

void tn_loop_solve(const tn_link_loop *of, double *b)
{
    const int32_t n = of->kept;
    double *x = of->once;
    for (int32_t i = 0; i < n; i++) {
        x[i] = b[of->order[i]];
        for (int32_t j = 0; j < i; j++)
            x[i] -= of->factor[i * of->rows + j] * x[j];
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t j = i + 1; j < n; j++)
            x[i] -= of->factor[i * of->rows + j] * x[j];
        x[i] /= of->factor[i * of->rows + i];
    }
    memset(b, 0, sizeof(double) * (size_t)of->rows);
    for (int32_t i = 0; i < n; i++)
        b[of->order[i]] = x[i];
}

/* The same of V^T. */
static void solve_transposed(const tn_link_loop *of, double *b)
{
    const int32_t n = of->kept;
    double *x = of->once;
    for (int32_t i = 0; i < n; i++) {
        x[i] = b[of->order[i]];
        for (int32_t j = 0; j < i; j++)
            x[i] -= of->factor[j * of->rows + i] * x[j];
        x[i] /= of->factor[i * of->rows + i];
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        for (int32_t j = i + 1; j < n; j++)
            x[i] -= of->factor[j * of->rows + i] * x[j];
    }
    memset(b, 0, sizeof(double) * (size_t)of->rows);
    for (int32_t i = 0; i < n; i++)
        b[of->order[i]] = x[i];
}

static void swap_rows(tn_link_loop *of, int32_t i, int32_t k)
{
    const int32_t n = of->rows, other = of->order[i];
    of->order[i] = of->order[k];
    of->order[k] = other;
    for (int32_t j = 0; j < n && i != k; j++) {
        const double t = of->factor[i * n + j];
        of->factor[i * n + j] = of->factor[k * n + j];
        of->factor[k * n + j] = t;
    }
    for (int32_t j = 0; j < n && i != k; j++) {
        const double t = of->factor[j * n + i];
        of->factor[j * n + i] = of->factor[j * n + k];
        of->factor[j * n + k] = t;
    }
}

/* Its share of what it is seen against. */
static double pivot_of(const tn_link_loop *of, int32_t k)
{
    return of->by_most[of->order[k]] * of->factor[k * of->rows + k];
}

static void factorize(tn_link_loop *of)
{
    const int32_t n = of->rows;
    memcpy(of->factor, of->V, sizeof(double) * (size_t)n * (size_t)n);
    for (int32_t k = 0; k < n; k++) {
        of->order[k] = k;
        of->by_most[k] = of->by_most[k] > 0.0 ? 1.0 / of->by_most[k] : 0.0;
    }
    of->clear = true;
    for (of->kept = 0; of->kept < n; of->kept++) {
        const int32_t k = of->kept;
        int32_t best = k;
        for (int32_t i = k + 1; i < n; i++)
            best = pivot_of(of, i) > pivot_of(of, best) ? i : best;
        const double share = pivot_of(of, best);
        if (!(share > TN_ROW_OF_ITS_OWN)) {
            of->clear = fabs(share) <= TN_ROW_REPEATS && (!of->couples || of->kept == of->active);
            return;
        }
        swap_rows(of, k, best);
        for (int32_t i = k + 1; i < n; i++) {
            const double by = of->factor[i * n + k] /= of->factor[k * n + k];
            for (int32_t j = k + 1; j < n; j++)
                of->factor[i * n + j] -= by * of->factor[k * n + j];
        }
    }
}

/* ---- rows, carried inward ---- */

/* Row r through the elimination of a loop of a host further out, there. */
static void carry_through(const tn_link_loops *loops, const tn_link_loop *of, int32_t r,
                          const tn_loop_inner *inner, tn_loop_carried *at)
{
    const tn_link_loop *in = &loops->all[inner->loop];
    double *mu = inner->response + (size_t)r * (size_t)in->rows, *d = in->c;
    double *z = of->z + (size_t)r * (size_t)of->columns,
           *y = of->y + (size_t)r * (size_t)of->columns;
    for (int32_t i = 0; i < in->rows; i++) {
        const double *z_in = in->z + (size_t)i * (size_t)in->columns,
                     *y_in = in->y + (size_t)i * (size_t)in->columns;
        mu[i] = d[i] = 0.0;
        for (int32_t n = 0; n < in->columns; n++) {
            const int32_t column = inner->column[n];
            if (column < 0)
                continue;
            mu[i] -= z_in[n] * y[column];
            d[i] += z[column] * y_in[n];
        }
    }
    tn_loop_solve(in, mu);
    solve_transposed(in, d);
    for (int32_t i = 0; i < in->rows; i++) {
        const double *y_in = in->y + (size_t)i * (size_t)in->columns;
        const tn_loop_wrench left = six_of(in->left + 6 * (size_t)i),
                             g = six_of(in->g + 6 * (size_t)i);
        for (int32_t n = 0; n < in->columns; n++) {
            if (inner->column[n] >= 0)
                y[inner->column[n]] += mu[i] * y_in[n];
        }
        at->left = less(&at->left, -mu[i], left.f, left.m);
        at->g = less(&at->g, d[i], g.f, g.m);
    }
}

/* The square of what a link can move a point, or turn, in whatever direction that is. */
typedef struct tn_loop_reach {
    double moves, turns;
} tn_loop_reach;

static tn_loop_reach reach_of(const tn_hinge_world *w, int32_t k, const tn_loop_column *s,
                              tn_vec3 at)
{
    const tn_vec3 place = limb_v3(hinge_limb_at(w, k) + TN_LIMB_FIELD(place));
    const tn_vec3 across = v3_cross(s->w, v3_sub(at, place)),
                  slide = v3_sub(s->v, v3_cross(place, s->w));
    return (tn_loop_reach){v3_dot(across, across) + v3_dot(slide, slide), v3_dot(s->w, s->w)};
}

static void add_wrench(tn_loop_wrench *to, const tn_loop_wrench *more)
{
    to->f = v3_add(to->f, more->f);
    to->m = v3_add(to->m, more->m);
}

/* Rows of a cut through the elimination of the link of its column c. */
static void carry_by(const tn_hinge_world *w, const tn_link_loop *of, const tn_loop_cut *cut,
                     int32_t c, tn_loop_carried *at)
{
    const int32_t k = of->column[cut->column[c]];
    const tn_loop_row *rows = &w->loops->rows[cut->first];
    const tn_loop_column s = column_of(w, k);
    const tn_loop_reach reach = reach_of(w, k, &s, cut->ends[cut->from[c]].at);
    const tn_vec3 col_f = v3_load((const double *)&s.record->factor.col_f),
                  col_m = v3_load((const double *)&s.record->factor.col_m),
                  row_f = v3_load(s.record->factor.row_f), row_m = v3_load(s.record->factor.row_m);
    const double by_d = s.record->factor.by_d, size = fabs(by_d);
    for (int32_t n = 0; n < cut->count; n++) {
        if (rows[n].compliance < 0.0)
            continue;
        const int32_t r = cut->first - of->first + n;
        const size_t i = (size_t)r * (size_t)of->columns + (size_t)cut->column[c];
        const double z = along(&s, &at[n].g), y = -by_d * along(&s, &at[n].left);
        of->z[i] = z;
        of->y[i] = of->own[i] = y;
        of->by_most[r] += size * (cut->couples ? z * z : rows[n].turns ? reach.turns : reach.moves);
        at[n].left = less(&at[n].left, -y, col_f, col_m);
        at[n].g = less(&at[n].g, z * by_d, row_f, row_m);
    }
}

static void carry_all_through(const tn_link_loops *loops, const tn_link_loop *of,
                              const tn_loop_cut *cut, const tn_loop_inner *inner,
                              tn_loop_carried *at)
{
    for (int32_t n = 0; n < cut->count; n++) {
        if (loops->rows[cut->first + n].compliance >= 0.0)
            carry_through(loops, of, cut->first - of->first + n, inner, &at[n]);
    }
}

/* A row that is none moves nothing. */
static void clear_row(const tn_link_loop *of, int32_t r)
{
    const size_t at = (size_t)r * (size_t)of->columns, size = sizeof(double) * (size_t)of->columns;
    memset(of->z + at, 0, size);
    memset(of->y + at, 0, size);
    memset(of->own + at, 0, size);
}

/* Rows of a cut at its ends. */
static void begin_rows(const tn_link_loops *loops, const tn_loop_cut *cut)
{
    for (int32_t e = 0; e < cut->end_count; e++) {
        const tn_loop_end *end = &cut->ends[e];
        tn_loop_carried *at = loops->carried + (size_t)e * TN_MAX_ROWS;
        for (int32_t n = 0; n < cut->count && end->link >= 0; n++) {
            at[n].g = end->W[n];
            at[n].left = (tn_loop_wrench){v3_scale(-1.0, end->W[n].f), v3_scale(-1.0, end->W[n].m)};
        }
    }
}

/* Ends that are carried by column c too, onto what it carries. */
static void join_ends(const tn_link_loops *loops, const tn_loop_cut *cut, int32_t c,
                      tn_loop_carried *at)
{
    for (int32_t e = 0; e < cut->end_count; e++) {
        const tn_loop_carried *more = loops->carried + (size_t)e * TN_MAX_ROWS;
        for (int32_t n = 0; n < cut->count && cut->ends[e].joins == c; n++) {
            add_wrench(&at[n].left, &more[n].left);
            add_wrench(&at[n].g, &more[n].g);
        }
    }
}

/* What comes to the host. */
static void end_rows(const tn_link_loops *loops, const tn_link_loop *of, const tn_loop_cut *cut)
{
    for (int32_t e = 0; e < cut->end_count && of->host >= 0; e++) {
        const tn_loop_carried *at = loops->carried + (size_t)e * TN_MAX_ROWS;
        if (cut->ends[e].link < 0 || cut->ends[e].joins >= 0)
            continue;
        for (int32_t n = 0; n < cut->count; n++) {
            const size_t r = 6 * (size_t)(cut->first - of->first + n);
            if (loops->rows[cut->first + n].compliance < 0.0)
                continue;
            add_to(of->left + r, &at[n].left);
            add_to(of->g + r, &at[n].g);
        }
    }
}

/* To the host. */
static void carry(const tn_hinge_world *w, const tn_link_loop *of, const tn_loop_cut *cut)
{
    begin_rows(w->loops, cut);
    for (int32_t c = 0; c < cut->columns; c++) {
        tn_loop_carried *at = w->loops->carried + (size_t)cut->from[c] * TN_MAX_ROWS;
        if (cut->couples) /* ends of a joint meet at the host alone */
            join_ends(w->loops, cut, c, at);
        for (int32_t i = 0; i < of->inner_count; i++) {
            if (w->loops->all[of->inner[i].loop].host == of->column[cut->column[c]])
                carry_all_through(w->loops, of, cut, &of->inner[i], at);
        }
        carry_by(w, of, cut, c, at);
    }
    end_rows(w->loops, of, cut);
}

/* Rows of V of a cut; their z are on its columns. */
static void put_products(const tn_link_loop *of, const tn_loop_row *rows, const tn_loop_cut *cut)
{
    for (int32_t r = cut->first - of->first; r < cut->first - of->first + cut->count; r++) {
        const double *z = of->z + (size_t)r * (size_t)of->columns;
        double *V = of->V + (size_t)r * (size_t)of->rows;
        memset(V, 0, sizeof *V * (size_t)of->rows);
        if (rows[r].compliance < 0.0)
            continue;
        for (int32_t s = 0; s < of->rows; s++) {
            const double *y = of->y + (size_t)s * (size_t)of->columns;
            double sum = 0.0;
            for (int32_t c = 0; c < cut->columns; c++)
                sum += z[cut->column[c]] * y[cut->column[c]];
            V[s] = sum;
        }
        V[r] += rows[r].compliance;
    }
}

static void carry_rows(const tn_hinge_world *w, tn_link_loop *of)
{
    if (of->inner_count > 0) /* else each y is where it was at the last time */
        memset(of->y, 0, sizeof(double) * (size_t)of->rows * (size_t)of->columns);
    if (of->host >= 0) {
        memset(of->left, 0, sizeof(double) * 6 * (size_t)of->rows);
        memset(of->g, 0, sizeof(double) * 6 * (size_t)of->rows);
    }
    memset(of->by_most, 0, sizeof(double) * (size_t)of->rows);
    of->active = of->rows;
    for (int32_t r = 0; r < of->rows; r++) {
        if (w->loops->rows[of->first + r].compliance >= 0.0)
            continue;
        clear_row(of, r);
        of->active--;
    }
    for (int32_t n = 0; n < of->cuts; n++)
        carry(w, of, &w->loops->cuts[of->cut + n]);
    for (int32_t n = 0; n < of->cuts; n++)
        put_products(of, w->loops->rows + of->first, &w->loops->cuts[of->cut + n]);
}

/* ---- the host ---- */

/* -left V^-1 g, onto the inertia of the host. */
static void add_to_host(const tn_hinge_world *w, const tn_link_loop *of)
{
    tn_hinge_load *I = &w->loads[w->slots[of->host].own];
    for (int n = 0; n < 6; n++) {
        for (int32_t r = 0; r < of->rows; r++)
            of->c[r] = of->g[6 * r + n];
        tn_loop_solve(of, of->c);
        double sum[6] = {0.0};
        for (int32_t r = 0; r < of->rows; r++) {
            for (int i = 0; i < 6; i++)
                sum[i] -= of->left[6 * r + i] * of->c[r];
        }
        tn_v4 *force = n < 3 ? I->A : I->B, *moment = n < 3 ? I->D : I->C;
        for (int i = 0; i < 3; i++) {
            force[i][n % 3] += sum[i];
            moment[i][n % 3] += sum[3 + i];
        }
    }
}

bool tn_loops_factor(const tn_hinge_world *w, int32_t k)
{
    bool good = true;
    for (int32_t i = w->loops->hosted[k + 1];
         i >= 0 && i < w->loops->count && w->loops->all[i].host == k; i++) {
        tn_link_loop *of = &w->loops->all[i];
        carry_rows(w, of);
        factorize(of);
        good &= of->clear;
        if (k >= 0 && of->clear)
            add_to_host(w, of);
    }
    return good;
}

/* ---- a solve ---- */

static void close_one(const tn_hinge_world *w, const tn_link_loop *of, double *left,
                      tn_hinge_off *off)
{
    double *mu = of->c;
    for (int32_t r = 0; r < of->rows; r++) {
        const double *z = of->z + (size_t)r * (size_t)of->columns;
        mu[r] = -w->loops->rows[of->first + r].off;
        for (int32_t n = 0; n < of->columns; n++)
            mu[r] -= z[n] * w->records[of->column[n]].factor.s;
    }
    tn_loop_solve(of, mu);
    memset(of->added, 0, sizeof(double) * (size_t)of->columns);
    for (int32_t r = 0; r < of->rows; r++) {
        const double *y = of->y + (size_t)r * (size_t)of->columns;
        w->loops->rows[of->first + r].mu = mu[r];
        w->loops->rows[of->first + r].inherited = 0.0;
        for (int32_t n = 0; n < of->columns; n++)
            of->added[n] += mu[r] * y[n];
        for (int i = 0; i < 6 && of->host >= 0; i++)
            left[i] += mu[r] * of->left[6 * r + i];
    }
    for (int32_t n = 0; n < of->columns; n++) {
        double *s = &w->records[of->column[n]].factor.s;
        const double size = fabs(*s += of->added[n]);
        if (!of->is_last[n])
            continue;
        off->sum += size;
        off->largest = size > off->largest ? size : off->largest;
    }
}

void tn_loops_close(const tn_hinge_world *w, int32_t k, tn_vec3 *left_f, tn_vec3 *left_n,
                    tn_hinge_off *off)
{
    double left[6] = {0.0};
    for (int32_t i = w->loops->hosted[k + 1];
         i >= 0 && i < w->loops->count && w->loops->all[i].host == k; i++)
        close_one(w, &w->loops->all[i], left, off);
    *left_f = v3_load(left);
    *left_n = v3_load(left + 3);
}

/* What loops of hosts further out answer to it, and what links move by: that of all loops' multipliers themselves, in place of what
 * was added when they were closed. */
static void move_on(const tn_hinge_world *w, const tn_link_loop *of)
{
    for (int32_t n = 0; n < of->columns; n++) {
        double more = -of->added[n];
        for (int32_t r = 0; r < of->rows; r++)
            more += w->loops->rows[of->first + r].mu *
                    of->own[(size_t)r * (size_t)of->columns + (size_t)n];
        w->records[of->column[n]].factor.s += more;
    }
    for (int32_t i = 0; i < of->inner_count; i++) {
        const tn_link_loop *in = &w->loops->all[of->inner[i].loop];
        for (int32_t r = 0; r < of->rows; r++) {
            const double *response = of->inner[i].response + (size_t)r * (size_t)in->rows;
            for (int32_t n = 0; n < in->rows; n++)
                w->loops->rows[in->first + n].inherited +=
                    w->loops->rows[of->first + r].mu * response[n];
        }
    }
}

void tn_loops_follow(const tn_hinge_world *w, int32_t k, tn_vec3 v, tn_vec3 turn)
{
    for (int32_t i = w->loops->hosted[k + 1];
         i >= 0 && i < w->loops->count && w->loops->all[i].host == k; i++) {
        const tn_link_loop *of = &w->loops->all[i];
        for (int32_t r = 0; r < of->rows && k >= 0; r++)
            of->c[r] = -(v3_dot(v3_load(of->g + 6 * (size_t)r), v) +
                         v3_dot(v3_load(of->g + 6 * (size_t)r + 3), turn));
        if (k >= 0)
            tn_loop_solve(of, of->c);
        for (int32_t r = 0; r < of->rows; r++) {
            tn_loop_row *row = &w->loops->rows[of->first + r];
            row->mu += row->inherited + (k >= 0 ? of->c[r] : 0.0);
        }
        move_on(w, of);
    }
}
