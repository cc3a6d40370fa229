/* hinge_loops.c: room method/links: the elimination of loops at their hosts. See method/loops/loops.h. */
#include "method/links/hinge_loops.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/singular.h"

/* Shares of what links can move a point by. Pivots above are those of rows of their own, ten times as far from change points as where
 * general steps report one (solve/singular.h). Below TN_ROW_REPEATS is what rounding leaves of rows that repeat others: at a change
 * point a row seems to, and where it does so here it is closed to that share. Between them the step is left to the general
 * iteration. */
#define TN_ROW_OF_ITS_OWN (TN_CLEAR * TN_CLEAR * TN_FAR * TN_EPSILON)

/* A link as loops see it: its screw S and its factor, forces before moments. */
typedef struct tn_loop_column {
    double S[6], row[6], col[6];
    double by_d;
} tn_loop_column;

static tn_loop_column column_of(const tn_hinge_world *w, int32_t k)
{
    const double *own = hinge_limb_at(w, k);
    const tn_hinge_record *record = &w->records[k];
    tn_vec3 axis = limb_v3(own + TN_LIMB_FIELD(axis));
    tn_loop_column column = {.by_d = record->factor.by_d};
    if (hinge_slides(w, k))
        axis = v3_scale(hinge_kind_at(w, k)[TN_KIND_FIELD(column.spin)], axis);
    v3_store(column.S, limb_v3(own + TN_LIMB_FIELD(screw)));
    v3_store(column.S + 3, axis);
    memcpy(column.row, record->factor.row_f, 3 * sizeof(double));
    memcpy(column.row + 3, record->factor.row_m, 3 * sizeof(double));
    memcpy(column.col, &record->factor.col_f, 3 * sizeof(double));
    memcpy(column.col + 3, &record->factor.col_m, 3 * sizeof(double));
    return column;
}

/* ---- rows, carried inward ---- */

/* Rows of a cut in those of a loop of a host further out: what that changes by as the cut's links move, and the other way. */
static void put_responses(const tn_link_loops *loops, const tn_loop_inner *inner, const double *z,
                          int32_t columns, const double *y, double *mu, double *d)
{
    const tn_link_loop *in = &loops->all[inner->loop];
    for (int32_t n = 0; n < in->cuts; n++) {
        const tn_loop_cut *cut = &loops->cuts[in->cut + n];
        for (int32_t row = 0; row < cut->count; row++) {
            const double *z_in = cut->z + row * cut->columns, *y_in = cut->y + row * cut->moved;
            double moved = 0.0, moves = 0.0;
            for (int32_t c = 0; c < cut->moved; c++) {
                const int32_t own = inner->column[cut->column[c]];
                if (own < 0)
                    continue;
                moved -= c < cut->columns ? z_in[c] * y[own] : 0.0;
                moves += own < columns ? z[own] * y_in[c] : 0.0;
            }
            mu[cut->first - in->first + row] = moved;
            d[cut->first - in->first + row] = moves;
        }
    }
}

/* A row of a cut through the elimination of a loop of a host further out, there. */
static void carry_through(const tn_link_loops *loops, const tn_loop_cut *cut, int32_t row,
                          const tn_loop_inner *inner, tn_loop_carried *at)
{
    const tn_link_loop *in = &loops->all[inner->loop];
    double *mu = inner->response + row * in->rows, *d = in->c, *y = cut->y + row * cut->moved;
    put_responses(loops, inner, cut->z + row * cut->columns, cut->columns, y, mu, d);
    tn_loop_matrix_solve(&in->V, mu);
    tn_loop_matrix_solve_transposed(&in->V, d);
    for (int32_t n = 0; n < in->cuts; n++) {
        const tn_loop_cut *other = &loops->cuts[in->cut + n];
        for (int32_t i = 0; i < other->count; i++) {
            const double *y_in = other->y + i * other->moved, by = mu[other->first - in->first + i];
            for (int32_t c = 0; c < other->moved; c++) {
                if (inner->column[other->column[c]] >= 0)
                    y[inner->column[other->column[c]]] += by * y_in[c];
            }
        }
    }
    for (int32_t i = 0; i < in->rows; i++) {
        for (int n = 0; n < 6; n++) {
            at->left.of[n][row] += mu[i] * in->left[6 * i + n];
            at->g.of[n][row] -= d[i] * in->g[6 * i + n];
        }
    }
}

/* The square of what a link can move a point, or turn, in whatever direction that is. */
typedef struct tn_loop_reach {
    double moves, turns;
} tn_loop_reach;

static tn_loop_reach reach_of(const tn_hinge_world *w, int32_t k, const tn_loop_column *s,
                              tn_vec3 at)
{
    const tn_vec3 place = limb_v3(hinge_limb_at(w, k) + TN_LIMB_FIELD(place)), v = v3_load(s->S),
                  turn = v3_load(s->S + 3);
    const tn_vec3 across = v3_cross(turn, v3_sub(at, place)),
                  slide = v3_sub(v, v3_cross(place, turn));
    return (tn_loop_reach){v3_dot(across, across) + v3_dot(slide, slide), v3_dot(turn, turn)};
}

/* What the rows of a cut are at a link: their parts of it, z, and y. */
typedef struct tn_loop_parts {
    double z[TN_LOOP_LANES], y[TN_LOOP_LANES];
} tn_loop_parts;

/* Rows of so many vectors through the elimination of a link. */
TN_INLINE void carry_vectors(const tn_loop_column *s, int vectors, tn_loop_carried *at,
                             tn_loop_parts *parts)
{
    for (int n = 0; n < vectors; n++) {
        tn_v4 g[6], left[6];
        for (int i = 0; i < 6; i++) {
            g[i] = *(const tn_v4 *)(at->g.of[i] + 4 * n);
            left[i] = *(const tn_v4 *)(at->left.of[i] + 4 * n);
        }
        const tn_v4 z = (s->S[0] * g[0] + s->S[1] * g[1] + s->S[2] * g[2]) +
                        (s->S[3] * g[3] + s->S[4] * g[4] + s->S[5] * g[5]);
        const tn_v4 y = -s->by_d * ((s->S[0] * left[0] + s->S[1] * left[1] + s->S[2] * left[2]) +
                                    (s->S[3] * left[3] + s->S[4] * left[4] + s->S[5] * left[5]));
        *(tn_v4 *)(parts->z + 4 * n) = z;
        *(tn_v4 *)(parts->y + 4 * n) = y;
        for (int i = 0; i < 6; i++) {
            *(tn_v4 *)(at->left.of[i] + 4 * n) = left[i] + y * s->col[i];
            *(tn_v4 *)(at->g.of[i] + 4 * n) = g[i] - (z * s->by_d) * s->row[i];
        }
    }
}

TN_INLINE void carry_lanes(const tn_loop_column *s, bool two, tn_loop_carried *at,
                           tn_loop_parts *parts)
{
    if (two)
        carry_vectors(s, 2, at, parts);
    else
        carry_vectors(s, 1, at, parts);
}

TN_WIDE static void carry_lanes_wide(const tn_loop_column *s, bool two, tn_loop_carried *at,
                                     tn_loop_parts *parts)
{
    carry_lanes(s, two, at, parts);
}

/* Rows of a cut through the elimination of the link of its column c. */
static void carry_by(const tn_hinge_world *w, const tn_link_loop *of, const tn_loop_cut *cut,
                     int32_t c, tn_loop_carried *at)
{
    const int32_t k = of->column[cut->column[c]];
    const tn_loop_row *rows = &w->loops->rows[cut->first];
    const tn_loop_column s = column_of(w, k);
    const tn_loop_reach reach = reach_of(w, k, &s, cut->ends[cut->from[c]].at);
    const double size = fabs(s.by_d);
    tn_loop_parts parts;
    if (TN_WIDE_COPIES && w->loops->wide)
        carry_lanes_wide(&s, cut->count > 4, at, &parts);
    else
        carry_lanes(&s, cut->count > 4, at, &parts);
    double *most = of->by_most + (cut->first - of->first);
    for (int32_t n = 0; n < cut->count; n++) {
        const double z = parts.z[n], y = parts.y[n];
        if (rows[n].compliance < 0.0)
            continue;
        cut->z[n * cut->columns + c] = z;
        cut->own[n * cut->columns + c] = cut->y[n * cut->moved + c] = y;
        most[n] += size * (cut->couples ? z * z : rows[n].turns ? reach.turns : reach.moves);
    }
}

static void carry_all_through(const tn_link_loops *loops, const tn_loop_cut *cut,
                              const tn_loop_inner *inner, tn_loop_carried *at)
{
    for (int32_t row = 0; row < cut->count; row++) {
        if (loops->rows[cut->first + row].compliance >= 0.0)
            carry_through(loops, cut, row, inner, at);
    }
}

/* Rows of a cut at its ends. */
static void begin_rows(const tn_link_loops *loops, const tn_loop_cut *cut)
{
    for (int32_t e = 0; e < cut->end_count; e++) {
        const tn_loop_wrenches *W = &cut->ends[e].W;
        tn_loop_carried *at = &loops->carried[e];
        if (cut->ends[e].link < 0)
            continue;
        at->g = *W;
        for (int i = 0; i < 6; i++) {
            for (int n = 0; n < TN_LOOP_LANES; n++)
                at->left.of[i][n] = -W->of[i][n];
        }
    }
}

static void add_wrenches(tn_loop_wrenches *to, const tn_loop_wrenches *more)
{
    for (int i = 0; i < 6; i++) {
        for (int n = 0; n < TN_LOOP_LANES; n++)
            to->of[i][n] += more->of[i][n];
    }
}

/* Ends that are carried by column c too, onto what it carries. */
static void join_ends(const tn_link_loops *loops, const tn_loop_cut *cut, int32_t c,
                      tn_loop_carried *at)
{
    for (int32_t e = 0; e < cut->end_count; e++) {
        if (cut->ends[e].joins != c)
            continue;
        add_wrenches(&at->left, &loops->carried[e].left);
        add_wrenches(&at->g, &loops->carried[e].g);
    }
}

/* What comes to the host. */
static void end_rows(const tn_link_loops *loops, const tn_link_loop *of, const tn_loop_cut *cut)
{
    for (int32_t e = 0; e < cut->end_count && of->host >= 0; e++) {
        const tn_loop_carried *at = &loops->carried[e];
        if (cut->ends[e].link < 0 || cut->ends[e].joins >= 0)
            continue;
        for (int32_t n = 0; n < cut->count; n++) {
            const size_t r = 6 * (size_t)(cut->first - of->first + n);
            if (loops->rows[cut->first + n].compliance < 0.0)
                continue;
            for (int i = 0; i < 6; i++) {
                of->left[r + (size_t)i] += at->left.of[i][n];
                of->g[r + (size_t)i] += at->g.of[i][n];
            }
        }
    }
}

/* To the host. */
static void carry(const tn_hinge_world *w, const tn_link_loop *of, const tn_loop_cut *cut)
{
    begin_rows(w->loops, cut);
    for (int32_t c = 0; c < cut->columns; c++) {
        tn_loop_carried *at = &w->loops->carried[cut->from[c]];
        if (cut->couples) /* ends of a joint meet at the host alone */
            join_ends(w->loops, cut, c, at);
        for (int32_t i = 0; i < cut->inner_count; i++) {
            if (w->loops->all[cut->inner[i].loop].host == of->column[cut->column[c]])
                carry_all_through(w->loops, cut, &cut->inner[i], at);
        }
        carry_by(w, of, cut, c, at);
    }
    end_rows(w->loops, of, cut);
}

/* Hard rows that no link moves by more than rounding have no part in V. V is G A G^T but for small terms, so V_ir^2 <= V_ii V_rr: no other
 * row answers to them either. Loops of planar mechanisms drawn in space have three of them. */
static void find_live_rows(const tn_link_loops *loops, const tn_link_loop *of, tn_loop_cut *cut)
{
    cut->live_count = 0;
    for (int32_t row = 0; row < cut->count; row++) {
        double *most = &of->by_most[cut->first - of->first + row],
               sum = fmax(loops->rows[cut->first + row].compliance, 0.0);
        const double *z = cut->z + row * cut->columns, *y = cut->y + row * cut->moved;
        *most += sum;
        for (int32_t c = 0; c<cut->columns && * most> 0.0; c++)
            sum += fabs(z[c] * y[c]);
        if (sum <= TN_ROW_REPEATS * TN_ROW_REPEATS * *most)
            *most = 0.0;
        else
            cut->live[cut->live_count++] = (int8_t)row;
    }
}

/* Rows of V of a cut in the columns of another one, where something moves both. */
static void put_product(const tn_link_loops *loops, const tn_link_loop *of, const tn_loop_cut *cut,
                        const tn_loop_pair *pair)
{
    const tn_loop_cut *other = &loops->cuts[pair->cut];
    const tn_loop_common *common = cut->common + pair->first;
    for (int32_t i = 0; i < cut->live_count; i++) {
        const int32_t row = cut->live[i];
        const double *z = cut->z + row * cut->columns;
        int64_t stride;
        double *V = tn_loop_matrix_entries(&of->V, cut->first - of->first + row,
                                           pair->cut - of->cut, &stride);
        for (int32_t s = 0; s < other->live_count; s++) {
            const double *y = other->y + other->live[s] * other->moved;
            double sum = 0.0;
            for (int32_t n = 0; n < pair->count; n++)
                sum += z[common[n].path] * y[common[n].moved];
            V[other->live[s] * stride] = sum;
        }
    }
}

static void put_products(const tn_link_loops *loops, const tn_link_loop *of, int32_t n)
{
    const tn_loop_cut *cut = &loops->cuts[of->cut + n];
    for (int32_t i = 0; i < cut->pair_count; i++)
        put_product(loops, of, cut, &cut->pairs[i]);
    for (int32_t row = 0; row < cut->count; row++) {
        const double compliance = loops->rows[cut->first + row].compliance;
        int64_t stride;
        if (compliance > 0.0)
            tn_loop_matrix_entries(&of->V, cut->first - of->first + row, n, &stride)[row] +=
                compliance;
    }
}

/* Of rows that are none all is 0, and so is what nothing has moved yet. */
static void clear_rows(const tn_link_loops *loops, tn_link_loop *of, const tn_loop_cut *cut)
{
    for (int32_t row = 0; row < cut->count; row++) {
        const bool is_none = loops->rows[cut->first + row].compliance < 0.0;
        if (is_none) {
            memset(cut->z + row * cut->columns, 0, sizeof(double) * (size_t)cut->columns);
            memset(cut->own + row * cut->columns, 0, sizeof(double) * (size_t)cut->columns);
        }
        if (is_none || cut->inner_count > 0)
            memset(cut->y + row * cut->moved, 0, sizeof(double) * (size_t)cut->moved);
        of->active -= is_none;
    }
}

static void carry_rows(const tn_hinge_world *w, tn_link_loop *of)
{
    if (of->host >= 0) {
        memset(of->left, 0, sizeof(double) * 6 * (size_t)of->rows);
        memset(of->g, 0, sizeof(double) * 6 * (size_t)of->rows);
    }
    memset(of->by_most, 0, sizeof(double) * (size_t)of->rows);
    of->active = of->rows;
    for (int32_t n = 0; n < of->cuts; n++) {
        clear_rows(w->loops, of, &w->loops->cuts[of->cut + n]);
        carry(w, of, &w->loops->cuts[of->cut + n]);
        find_live_rows(w->loops, of, &w->loops->cuts[of->cut + n]);
    }
    for (int32_t n = 0; n < of->cuts; n++)
        put_products(w->loops, of, n);
}

/* ---- the host ---- */

/* -left V^-1 g, onto the inertia of the host. */
static void add_to_host(const tn_hinge_world *w, const tn_link_loop *of)
{
    tn_hinge_load *I = &w->loads[w->slots[of->host].own];
    for (int n = 0; n < 6; n++) {
        for (int32_t r = 0; r < of->rows; r++)
            of->c[r] = of->g[6 * r + n];
        tn_loop_matrix_solve(&of->V, of->c);
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
        of->clear = tn_loop_matrix_factorize(&of->V, of->by_most,
                                             (tn_loop_shares){TN_ROW_OF_ITS_OWN, TN_ROW_REPEATS}) &&
                    (!of->couples || of->V.kept == of->active);
        good &= of->clear;
        if (k >= 0 && of->clear)
            add_to_host(w, of);
    }
    return good;
}

/* ---- a solve ---- */

/* What a row is off by with links where they go without multipliers. */
static double opening_of(const tn_hinge_world *w, const tn_link_loop *of, const tn_loop_cut *cut,
                         int32_t row)
{
    const double *z = cut->z + row * cut->columns;
    double off = w->loops->rows[cut->first + row].off;
    for (int32_t c = 0; c < cut->columns; c++)
        off += z[c] * w->records[of->column[cut->column[c]]].factor.s;
    return off;
}

/* What links move by under the multipliers of a cut. */
static void add_moves(const tn_link_loop *of, const tn_loop_cut *cut, const double *mu)
{
    for (int32_t i = 0; i < cut->live_count; i++) {
        const double *y = cut->y + cut->live[i] * cut->moved, by = mu[cut->live[i]];
        for (int32_t c = 0; c < cut->moved && by != 0.0; c++)
            of->added[cut->column[c]] += by * y[c];
    }
}

static void close_one(const tn_hinge_world *w, const tn_link_loop *of, double *left,
                      tn_hinge_off *off)
{
    double *mu = of->c;
    const tn_loop_cut *cuts = w->loops->cuts + of->cut;
    memset(mu, 0, sizeof *mu * (size_t)of->rows);
    for (int32_t n = 0; n < of->cuts; n++) {
        for (int32_t i = 0; i < cuts[n].live_count; i++)
            mu[cuts[n].first - of->first + cuts[n].live[i]] =
                -opening_of(w, of, &cuts[n], cuts[n].live[i]);
    }
    tn_loop_matrix_solve(&of->V, mu);
    memset(of->added, 0, sizeof(double) * (size_t)of->columns);
    for (int32_t n = 0; n < of->cuts; n++)
        add_moves(of, &cuts[n], mu + (cuts[n].first - of->first));
    for (int32_t r = 0; r < of->rows; r++) {
        w->loops->rows[of->first + r].mu = mu[r];
        w->loops->rows[of->first + r].inherited = 0.0;
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

/* What loops of hosts further out answer to the multipliers of a cut. */
static void hand_outward(const tn_link_loops *loops, const tn_loop_cut *cut)
{
    for (int32_t i = 0; i < cut->inner_count; i++) {
        const tn_link_loop *in = &loops->all[cut->inner[i].loop];
        for (int32_t row = 0; row < cut->count; row++) {
            const double *response = cut->inner[i].response + row * in->rows;
            for (int32_t n = 0; n < in->rows; n++)
                loops->rows[in->first + n].inherited +=
                    loops->rows[cut->first + row].mu * response[n];
        }
    }
}

/* What links move by: that of all loops' multipliers themselves, in place of what was added when they were closed. */
static void move_on(const tn_hinge_world *w, const tn_link_loop *of)
{
    for (int32_t n = 0; n < of->columns; n++)
        of->more[n] = -of->added[n];
    for (int32_t n = 0; n < of->cuts; n++) {
        const tn_loop_cut *cut = &w->loops->cuts[of->cut + n];
        for (int32_t i = 0; i < cut->live_count; i++) {
            const int32_t row = cut->live[i];
            const double mu = w->loops->rows[cut->first + row].mu;
            for (int32_t c = 0; c < cut->columns; c++)
                of->more[cut->column[c]] += mu * cut->own[row * cut->columns + c];
        }
        hand_outward(w->loops, cut);
    }
    for (int32_t n = 0; n < of->columns; n++)
        w->records[of->column[n]].factor.s += of->more[n];
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
            tn_loop_matrix_solve(&of->V, of->c);
        for (int32_t r = 0; r < of->rows; r++) {
            tn_loop_row *row = &w->loops->rows[of->first + r];
            row->mu += row->inherited + (k >= 0 ? of->c[r] : 0.0);
        }
        move_on(w, of);
    }
}
