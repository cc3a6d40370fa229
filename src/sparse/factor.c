/* factor.c: block LDL^T of the regularised KKT matrix, no pivoting, right-looking.
 *
 * Room sparse. In: symbolic object, values. Out: the factor (layout in kkt_impl.h).
 *
 * For each node k in elimination order, d = its active size:
 *     A_kk = L P L^T;   W_r = L^-1 A_kr, U_r = P^-1 W_r   for every later node r it couples to
 *     A_rq -= W_r^T U_q                                   for all pairs r <= q of those
 * The sign of every pivot is known (primal +, dual -); anything else is an error.
 * Folded columns (kkt_impl.h) keep L^-T U_r instead of U_r, which only the updates need.
 *
 * A column is filled with its matrix entries just before its first update, not in a pass of its
 * own: on a chain all that a node needs is then in the cache, and memory is walked once. Almost all
 * nodes of a mechanism couple to one later node only; that case is one fused kernel. In nets columns come in fronts
 * (panels.c), whose rows are dense: what they take from later ones is added up in registers, in the same order.
 */
#include "sparse/kkt_impl.h"

#include "base/base.h"
#include "sparse/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Everything one factorisation works on. */
struct pass {
    const tn_kkt_node *node;
    const tn_kkt_row *row;
    const int64_t *source;   /* of rows */
    const int64_t *h_offset; /* by primal index */
    const tn_kkt_values *values;
    tn_kkt_factor *factor;
    int32_t n;
    int32_t failed;
    bool far;              /* as of a sweep */
    const tn_sweep *sweep; /* a right-hand side on the way; NULL: none */
};

/* Scale of residuals of a primal node: H_ii; a zero inertia borrows the largest of its block. */
static void repair_scale(double *scale, int d)
{
    double largest = 0.0;
    for (int i = 0; i < d; i++) {
        largest = scale[i] > largest ? scale[i] : largest;
    }
    for (int i = 0; i < d; i++) {
        scale[i] = scale[i] > 0.0 ? scale[i] : largest > 0.0 ? largest : 1.0;
    }
}

/* Row i begins at an even column: for odd i that is one below the diagonal, never used. */
TN_INLINE void fill_primal(double *a, const double *h, const double *delta, double *scale, int d)
{
    int s = tn_stride(d);
    bool positive = true;
    TN_UNROLL
    for (int i = 0; i < d; i++) {
        double *row = a + tn_upper(i, s);
        if (d == s) {
            TN_LANE_LOOP_FROM(i & ~1, s, TN_LANE(row + at) = TN_CONST_LANE(h + i * d + at);)
        } else {
            memcpy(row + i, h + i * d + i, (size_t)(d - i) * sizeof *a);
            row[i & ~1] = (i & 1) != 0 ? 0.0 : row[i & ~1];
            row[d] = 0.0;
        }
        scale[i] = h[i * d + i];
        positive = positive && scale[i] > 0.0;
        row[i] = h[i * d + i] + delta[i];
    }
    if (!positive) {
        repair_scale(scale, d);
    }
}

TN_INLINE void fill_dual(double *a, const double *r, const double *e, int d)
{
    int s = tn_stride(d);
    TN_UNROLL
    for (int i = 0; i < d; i++) {
        double *row = a + tn_upper(i, s);
        TN_LANE_LOOP_FROM(i & ~1, s, TN_LANE(row + at) = (lane){0.0};)
        row[i] = -(r[i] + e[i]);
    }
}

/* A d x n block from a source whose rows are the block's rows (plain) or columns (transposed); n is
 * n or n-1 rounded up to s. */
TN_INLINE void fill_plain(double *v, const double *source, int d, int n, int s)
{
    TN_UNROLL
    for (int i = 0; i < d; i++) {
        if (n == s) {
            TN_LANE_LOOP(s, TN_LANE(v + i * s + at) = TN_CONST_LANE(source + i * n + at);)
        } else {
            memcpy(v + i * s, source + i * n, (size_t)n * sizeof *v);
            v[i * s + n] = 0.0;
        }
    }
}

TN_INLINE void fill_transposed(double *v, const double *source, int d, int n, int s)
{
    TN_UNROLL
    for (int i = 0; i < d; i++) {
        TN_UNROLL
        for (int j = 0; j < n; j++) {
            v[i * s + j] = source[j * d + i];
        }
        if (n < s) {
            v[i * s + n] = 0.0;
        }
    }
}

TN_INLINE void fill_block(const struct pass *f, const tn_kkt_row *row, int d, int n)
{
    double *v = f->factor->block + row->block;
    int64_t source = f->source[row - f->row];
    const double *g = f->values->g + source;
    switch ((tn_source_kind)row->kind) {
    case TN_SOURCE_FILL:
        memset(v, 0, (size_t)(d * tn_stride(n)) * sizeof *v);
        break;
    case TN_SOURCE_G:
        if (d == 5 && n == 6) {
            fill_plain(v, g, 5, 6, 6);
        } else if (d == 3 && n == 6) {
            fill_plain(v, g, 3, 6, 6);
        } else if (d == 2 && n == 3) {
            fill_plain(v, g, 2, 3, 4);
        } else {
            fill_plain(v, g, d, n, tn_stride(n));
        }
        break;
    case TN_SOURCE_G_TRANSPOSED:
        if (d == 6 && n == 5) {
            fill_transposed(v, g, 6, 5, 6);
        } else if (d == 6 && n == 3) {
            fill_transposed(v, g, 6, 3, 4);
        } else if (d == 3 && n == 2) {
            fill_transposed(v, g, 3, 2, 2);
        } else {
            fill_transposed(v, g, d, n, tn_stride(n));
        }
        break;
    }
}

/* Pivots of one node of d rows of a front, whose rows are zero. */
TN_INLINE void fill_front_pivots(const struct pass *f, int32_t k, double *a, int s, int d)
{
    const tn_kkt_node *node = &f->node[k];
    const tn_kkt_values *values = f->values;
    const int first = f->factor->place[k];
    if (node->dual) {
        TN_UNROLL
        for (int i = 0; i < d; i++) {
            a[tn_upper(first + i, s) + first + i] =
                -(values->r[node->vector + i] + values->e[node->vector + i]);
        }
        return;
    }
    double *scale = f->factor->h_scale + node->vector;
    const double *h = values->h + f->h_offset[node->index];
    bool positive = true;
    TN_UNROLL
    for (int i = 0; i < d; i++) {
        double *row = a + tn_upper(first + i, s) + first;
        TN_UNROLL
        for (int j = i; j < d; j++) {
            row[j] = h[i * d + j];
        }
        scale[i] = row[i];
        positive = positive && scale[i] > 0.0;
        row[i] += values->delta[node->vector + i];
    }
    if (!positive) {
        repair_scale(scale, d);
    }
}

/* d rows of n numbers, of a source whose rows they are, or columns. */
TN_INLINE void fill_front_block(double *v, int stride, const double *g, int d, int n,
                                bool transposed)
{
    TN_UNROLL
    for (int i = 0; i < d; i++) {
        TN_UNROLL
        for (int j = 0; j < n; j++) {
            v[i * stride + j] = transposed ? g[j * d + i] : g[i * n + j];
        }
    }
}

/* What couples d rows of a node to a later node that is behind the pivots, or among them. */
static void fill_front_row(const struct pass *f, const tn_kkt_row *row, int d, int stride)
{
    const bool transposed = row->kind == TN_SOURCE_G_TRANSPOSED;
    const double *g = f->values->g + f->source[row - f->row];
    const int n = f->factor->size[row->node];
    double *v = f->factor->block + row->block;
    if (transposed && d == 6 && n == 3) {
        fill_front_block(v, stride, g, 6, 3, true);
    } else if (!transposed && d == 3 && n == 6) {
        fill_front_block(v, stride, g, 3, 6, false);
    } else {
        fill_front_block(v, stride, g, d, n, transposed);
    }
}

static void fill_front_inside(const struct pass *f, const tn_kkt_row *row, int32_t k, double *a,
                              int s)
{
    const double *g = f->values->g + f->source[row - f->row];
    const int d = f->factor->size[k], n = f->factor->size[row->node];
    for (int i = 0; i < d; i++) {
        double *v = a + tn_upper(f->factor->place[k] + i, s) + f->factor->place[row->node];
        for (int j = 0; j < n; j++) {
            v[j] = row->kind == TN_SOURCE_G_TRANSPOSED ? g[j * d + i] : g[i * n + j];
        }
    }
}

/* The matrix entries of a front; most of it is zero. */
static void fill_front(const struct pass *f, int32_t k)
{
    const int32_t behind = k + f->node[k].panel;
    const tn_kkt_front *front = &f->factor->front[f->factor->front_of[k]];
    const int s = tn_stride(front->depth);
    double *a = f->factor->block + front->pivots;
    memset(a, 0, (size_t)(f->node[behind].diagonal - front->pivots) * sizeof *a);
    for (int32_t i = k; i < behind; i++) {
        const int d = f->factor->size[i];
#define TN_FILL(D) fill_front_pivots(f, i, a, s, D)
        TN_BY_DIMENSION(d, TN_FILL)
#undef TN_FILL
        const tn_kkt_row *end = f->row + f->node[i + 1].row;
        for (const tn_kkt_row *row = f->row + f->node[i].row; row < end; row++) {
            if (row->kind != TN_SOURCE_FILL && row->node < behind) {
                fill_front_inside(f, row, i, a, s);
            } else if (row->kind != TN_SOURCE_FILL) {
                fill_front_row(f, row, d, front->stride);
            }
        }
    }
}

/* The matrix entries of column k. */
TN_INLINE void fill_column(const struct pass *f, int32_t k)
{
    const tn_kkt_node *node = &f->node[k];
    const tn_kkt_values *values = f->values;
    double *a = f->factor->block + node->diagonal;
    int d = f->factor->size[k];
    if (node->dual) {
        const double *r = values->r + node->vector;
        const double *e = values->e + node->vector;
        if (d == 3) {
            fill_dual(a, r, e, 3);
        } else if (d == 5) {
            fill_dual(a, r, e, 5);
        } else if (d == 2) {
            fill_dual(a, r, e, 2);
        } else {
            fill_dual(a, r, e, d);
        }
    } else {
        const double *delta = values->delta + node->vector;
        double *scale = f->factor->h_scale + node->vector;
        const double *h = values->h + f->h_offset[node->index];
        if (d == 6) {
            fill_primal(a, h, delta, scale, 6);
        } else if (d == 3) {
            fill_primal(a, h, delta, scale, 3);
        } else {
            fill_primal(a, h, delta, scale, d);
        }
    }
    for (const tn_kkt_row *row = f->row + node->row; row < f->row + node[1].row; row++) {
        fill_block(f, row, d, f->factor->size[row->node]);
    }
}

/* Those of the panel that begins with column k. */
TN_INLINE void fill_panel(const struct pass *f, int32_t k)
{
    if (f->node[k].front) {
        fill_front(f, k);
    } else {
        fill_column(f, k);
    }
}

/* A node with one later neighbour r: pivot, U and the update of A_rr in one go. */
TN_INLINE void eliminate_single(double *a, double *v, double *t, int d, int s, int rows)
{
    double unscaled[TN_BLOCK_DOUBLES];
    double w[TN_BLOCK_DOUBLES];
    int sa = tn_stride(d);
    TN_UNROLL
    for (int j = 0; j < d; j++) {
        tn_block_pivot_row(a, unscaled, sa, j);
        tn_block_right_row(a, sa, v, w, s, j);
    }
    tn_block_update_upper(t, w, v, d, rows, s);
}

TN_INLINE void eliminate_one(const struct pass *f, const tn_kkt_node *node, int d)
{
    const tn_kkt_row *row = f->row + node->row;
    double *a = f->factor->block + node->diagonal;
    double *v = f->factor->block + row->block;
    double *t = f->factor->block + f->node[row->node].diagonal;
    int rows = f->factor->size[row->node];
    int s = tn_stride(rows);
#define TN_ELIMINATE(D, S)                                                                         \
    if (rows == (S)) {                                                                             \
        eliminate_single(a, v, t, D, S, S);                                                        \
    } else {                                                                                       \
        eliminate_single(a, v, t, D, S, (S)-1);                                                    \
    }
    TN_BY_SIZE(d, s, TN_ELIMINATE)
#undef TN_ELIMINATE
}

TN_INLINE void fold_column(const struct pass *f, int32_t k)
{
    const tn_kkt_node *node = &f->node[k];
    const double *a = f->factor->block + node->diagonal;
    double *v = f->factor->block + f->row[node->row].block;
#define TN_FOLD(D, S) tn_block_fold(a, v, D, S)
    TN_BY_FOLDED(f->factor->shape[k], TN_FOLD, (void)0)
#undef TN_FOLD
}

/* U of one block, its unscaled twin in w. */
TN_INLINE void divide_block(const double *a, double *v, double *w, int d, int s)
{
    TN_UNROLL
    for (int j = 0; j < d; j++) {
        tn_block_right_row(a, tn_stride(d), v, w, s, j);
    }
}

/* Pivots of a node, and the blocks below divided by them. */
TN_INLINE void factor_pivots(double *a, int d)
{
    double unscaled[TN_BLOCK_DOUBLES];
    TN_UNROLL
    for (int j = 0; j < d; j++) {
        tn_block_pivot_row(a, unscaled, tn_stride(d), j);
    }
}

TN_INLINE void divide_column(const struct pass *f, const tn_kkt_node *node, int d)
{
    double *a = f->factor->block + node->diagonal;
    double *w = f->factor->unscaled;
#define TN_PIVOTS(D) factor_pivots(a, D)
    TN_BY_DIMENSION(d, TN_PIVOTS)
#undef TN_PIVOTS
    for (const tn_kkt_row *r = f->row + node->row; r < f->row + node[1].row; r++) {
        double *v = f->factor->block + r->block;
        int s = tn_stride(f->factor->size[r->node]);
#define TN_DIVIDE(D, S) divide_block(a, v, w, D, S)
        TN_BY_SIZE(d, s, TN_DIVIDE)
#undef TN_DIVIDE
        w += d * s;
    }
}

/* ---- updates of fronts ---- */

/* The pivots that rows of node r are among, from its first row and the column of node q on. */
TN_INLINE void aim_at_pivots(const struct pass *f, int32_t r, int32_t q, tn_front_product *p)
{
    const tn_kkt_node *node = &f->node[r];
    const bool dense = node->front;
    const int32_t row = dense ? f->factor->place[r] : 0, column = dense ? f->factor->place[q] : 0;
    const int32_t d = dense ? f->factor->front[f->factor->front_of[r]].depth : f->factor->size[r];
    p->row = row;
    p->t_stride = tn_stride(d);
    p->t = f->factor->block + node->diagonal + tn_upper(row, p->t_stride) + column;
}

/* What couples it to others behind them: `at` is of the first row. */
TN_INLINE void aim_behind(const struct pass *f, int32_t r, double *at, int32_t stride,
                          tn_front_product *p)
{
    p->row = -1;
    p->t_stride = stride;
    p->t = f->node[r].front ? at + f->factor->place[r] * stride : at;
}

/* Updates of a node of a front by a column of d rows that is in none, of blocks w and U. */
static void update_front_by_column(const struct pass *f, const tn_kkt_row *r, const tn_kkt_row *end,
                                   const double *w, int d)
{
    const int32_t head = tn_panel_head(f->node, r->node), last = head + f->node[head].panel - 1;
    const tn_kkt_front *front = &f->factor->front[f->factor->front_of[head]];
    const tn_kkt_row *target = f->row + tn_rest_begin(f->node, head);
    const int32_t rows = f->factor->size[r->node];
    double *block = f->factor->block;
    tn_front_product p = {.w = w, .w_stride = tn_stride(rows), .depth = d, .rows = rows};
    for (const tn_kkt_row *q = r; q < end; q++) {
        p.u = block + q->block;
        p.columns = f->factor->size[q->node];
        p.u_stride = tn_stride(p.columns);
        p.upper = q == r;
        if (q->node <= last) {
            aim_at_pivots(f, r->node, q->node, &p);
        } else {
            while (target->node < q->node) {
                target++;
            }
            aim_behind(f, r->node, block + target->block, front->stride, &p);
        }
        f->factor->kernel->update(&p);
    }
}

/* The block of a later node with itself, and with another one: those of bodies and ball joints, of three rows, with
 * all sizes constant. */
TN_INLINE void update_own(double *t, const double *w, const double *u, int d, int rows)
{
    if (rows == 3 && d == 6) {
        tn_block_update_upper(t, w, u, 6, 3, 4);
    } else if (rows == 3 && d == 3) {
        tn_block_update_upper(t, w, u, 3, 3, 4);
    } else {
#define TN_UPDATE(D, S) tn_block_update_upper(t, w, u, D, rows, S)
        TN_BY_SIZE(d, tn_stride(rows), TN_UPDATE)
#undef TN_UPDATE
    }
}

TN_INLINE void update_other(double *t, const double *w, const double *u, int d, int rows, int s)
{
    if (rows == 3 && s == 4 && d == 6) {
        tn_block_update(t, w, 4, u, 6, 3, 4);
    } else if (rows == 3 && s == 4 && d == 3) {
        tn_block_update(t, w, 4, u, 3, 3, 4);
    } else {
#define TN_UPDATE(D, S) tn_block_update(t, w, tn_stride(rows), u, D, rows, S)
        TN_BY_SIZE(d, s, TN_UPDATE)
#undef TN_UPDATE
    }
}

/* Updates of the pairs (r, q), q >= r, of a column's later nodes. */
TN_INLINE void update_pairs(const struct pass *f, const tn_kkt_node *node, int d)
{
    const tn_kkt_row *begin = f->row + node->row;
    const tn_kkt_row *end = f->row + node[1].row;
    double *block = f->factor->block;
    const double *w = f->factor->unscaled;
    for (const tn_kkt_row *r = begin; r < end; r++) {
        int rows = f->factor->size[r->node];
        int sr = tn_stride(rows);
        if (f->node[r->node].front) {
            update_front_by_column(f, r, end, w, d);
            w += d * sr;
            continue;
        }
        double *t = block + f->node[r->node].diagonal;
        update_own(t, w, block + r->block, d, rows);
        const tn_kkt_row *target = f->row + f->node[r->node].row;
        for (const tn_kkt_row *q = r + 1; q < end; q++) {
            int s = tn_stride(f->factor->size[q->node]);
            while (target->node < q->node) {
                target++;
            }
            update_other(block + target->block, w, block + q->block, d, rows, s);
        }
        w += d * sr;
    }
}

/* All inverse pivots of a node finite and of the right sign? Keeps the pivot watch. */
TN_INLINE bool check_pivots_of(const struct pass *f, const tn_kkt_node *node, int d, int first,
                               int s)
{
    const double *a = f->factor->block + node->diagonal;
    bool good = true;
    if (!node->dual) {
        for (int j = first; j < first + d; j++) {
            good = good && a[tn_upper(j, s) + j] > 0.0 && a[tn_upper(j, s) + j] <= DBL_MAX;
        }
        return good;
    }
    double smallest = f->factor->smallest_pivot;
    for (int j = 0; j < d; j++) {
        double inverse = -a[tn_upper(first + j, s) + first + j];
        good = good && inverse > 0.0 && inverse <= DBL_MAX;
        double size = f->values->a[node->vector + j] + f->values->r[node->vector + j];
        if (smallest * size * inverse > 1.0) {
            smallest = 1.0 / (size * inverse);
            f->factor->smallest_dual = node->index;
        }
    }
    f->factor->smallest_pivot = smallest;
    return good;
}

TN_INLINE bool check_pivots(const struct pass *f, const tn_kkt_node *node, int d)
{
    switch (d) {
    case 2:
        return check_pivots_of(f, node, 2, 0, 2);
    case 3:
        return check_pivots_of(f, node, 3, 0, 4);
    case 6:
        return check_pivots_of(f, node, 6, 0, 6);
    default:
        return check_pivots_of(f, node, d, 0, tn_stride(d));
    }
}

/* Asks for so many numbers. */
TN_INLINE void prefetch_block(const double *p, int32_t doubles)
{
    for (int32_t at = 0; at < doubles; at += TN_LINE_DOUBLES) {
        __builtin_prefetch(p + at);
    }
    __builtin_prefetch(p + doubles - 1);
}

/* Asks for what is filled in of a column, and checked. */
TN_INLINE void prefetch_column_values(const struct pass *f, int32_t k)
{
    const tn_kkt_node *node = &f->node[k];
    for (const tn_kkt_row *row = f->row + node->row; row < f->row + node[1].row; row++) {
        if (row->kind != TN_SOURCE_FILL) {
            prefetch_block(f->values->g + f->source[row - f->row],
                           f->factor->size[k] * f->factor->size[row->node]);
        }
    }
    if (node->dual) {
        __builtin_prefetch(f->values->r + node->vector);
        __builtin_prefetch(f->values->e + node->vector);
        __builtin_prefetch(f->values->a + node->vector);
    } else {
        prefetch_block(f->values->h + f->h_offset[node->index], node->size * node->size);
        __builtin_prefetch(f->values->delta + node->vector);
    }
}

TN_INLINE void prefetch_panel_values(const struct pass *f, int32_t k)
{
    for (int32_t i = k; i < k + f->node[k].panel; i++) {
        prefetch_column_values(f, i);
    }
}

/* Asks for what is filled in with column k. */
TN_INLINE void prefetch_rows(const struct pass *f, int32_t k)
{
    const tn_kkt_node *node = &f->node[k];
    if (node->opens) {
        prefetch_panel_values(f, k);
    }
    for (const tn_kkt_row *row = f->row + node->row; row < f->row + node[1].row; row++) {
        if (row->opens) {
            prefetch_panel_values(f, tn_panel_head(f->node, row->node));
        }
    }
}

/* A few columns later, of as many as there are now. */
TN_INLINE void prefetch_later(const struct pass *f, int32_t k)
{
    const int32_t begin = k + TN_PREFETCH_NODES, end = begin + f->node[k].panel;
    for (int32_t i = begin; f->far && i < end && i < f->n; i++) {
        prefetch_rows(f, i);
    }
}

/* Matrix entries that are needed from column k on. */
TN_INLINE void begin_column(const struct pass *f, int32_t k)
{
    const tn_kkt_node *node = &f->node[k];
    prefetch_later(f, k);
    if (node->opens) {
        fill_panel(f, k);
    }
    for (const tn_kkt_row *row = f->row + node->row; row < f->row + node[1].row; row++) {
        if (row->opens) {
            fill_panel(f, tn_panel_head(f->node, row->node));
        }
    }
}

/* ---- fronts ---- */

/* Pivots of a front. */
TN_INLINE void factor_front_pivots(double *a, int depth)
{
    double unscaled[TN_FRONT_DEPTH * TN_FRONT_DEPTH];
    for (int j = 0; j < depth; j++) {
        tn_block_pivot_row(a, unscaled, tn_stride(depth), j);
    }
}

/* Runs of the nodes q .. end - 1 of the rest of a front among those behind the pivots of a later one, or among the blocks of a
 * later column. */
static int32_t list_runs(const struct pass *f, const tn_kkt_front *front, int32_t head,
                         const tn_kkt_row *q, const tn_kkt_row *end)
{
    const bool dense = f->node[head].front;
    const int32_t stride = dense ? f->factor->front[f->factor->front_of[head]].stride : 0;
    const tn_kkt_row *target = f->row + tn_rest_begin(f->node, head);
    tn_run *run = f->factor->run;
    int32_t n = 0;
    for (; q < end; q++) {
        while (target->node < q->node) {
            target++;
        }
        const int32_t columns = f->factor->size[q->node];
        const int32_t from = (int32_t)(q->block - front->rest);
        double *at = f->factor->block + target->block;
        if (dense && n > 0 && run[n - 1].at + run[n - 1].columns == at) {
            run[n - 1].columns += columns;
        } else if (columns > 0) {
            run[n++] = (tn_run){at, dense ? stride : tn_stride(columns), from, columns};
        }
    }
    return n;
}

/* How many rows of nodes from r on, up to `next`, lie side by side in a later front? *after is the first that
 * does not. */
static int32_t count_beside(const struct pass *f, const tn_kkt_row *r, const tn_kkt_row *next,
                            const tn_kkt_row **after)
{
    const int16_t *place = f->factor->place;
    int32_t rows = f->factor->size[r->node];
    const tn_kkt_row *q = r + 1;
    for (; q < next && place[q->node] == place[r->node] + rows; q++) {
        rows += f->factor->size[q->node];
    }
    *after = q;
    return rows;
}

/* Updates of the rows of nodes r .. last - 1, side by side in a later front, or one later column: among its pivots up to
 * `next`, and behind them. */
static void update_beside(const struct pass *f, const tn_kkt_front *front, const tn_kkt_row *r,
                          const tn_kkt_row *next, int32_t rows, int32_t n_runs)
{
    const double *rest = f->factor->block + front->rest;
    tn_front_product p = {.w = f->factor->panel + (r->block - front->rest),
                          .w_stride = front->stride,
                          .u_stride = front->stride,
                          .depth = front->depth,
                          .rows = rows,
                          .upper = true};
    for (const tn_kkt_row *q = r, *after = r; q < next; q = after) {
        p.u = f->factor->block + q->block;
        p.columns = count_beside(f, q, next, &after);
        aim_at_pivots(f, r->node, q->node, &p);
        f->factor->kernel->update(&p);
        p.upper = false;
    }
    for (const tn_run *run = f->factor->run; run < f->factor->run + n_runs; run++) {
        p.u = rest + run->from;
        p.columns = run->columns;
        aim_behind(f, r->node, run->at, run->stride, &p);
        f->factor->kernel->update(&p);
    }
}

/* Updates of one later front, or column, whose nodes are r .. next - 1 of the rest. */
static void update_later(const struct pass *f, const tn_kkt_front *front, const tn_kkt_row *r,
                         const tn_kkt_row *next, const tn_kkt_row *end)
{
    const int32_t n = list_runs(f, front, tn_panel_head(f->node, r->node), next, end);
    for (const tn_kkt_row *after = r; r < next; r = after) {
        const int32_t rows = count_beside(f, r, next, &after);
        update_beside(f, front, r, next, rows, n);
    }
}

static bool check_front(struct pass *f, int32_t k, const tn_kkt_front *front)
{
    for (int32_t i = k; i < k + f->node[k].panel; i++) {
        if (!check_pivots_of(f, &f->node[i], f->factor->size[i], f->factor->place[i],
                             tn_stride(front->depth))) {
            f->failed = i;
            return false;
        }
    }
    return true;
}

static bool eliminate_front(struct pass *f, int32_t k)
{
    const tn_kkt_front *front = &f->factor->front[f->factor->front_of[k]];
    double *a = f->factor->block + front->pivots;
    begin_column(f, k);
    if (front->depth == 0) {
        return true;
    }
#define TN_PIVOTS(D) factor_front_pivots(a, D)
    TN_BY_DIMENSION(front->depth, TN_PIVOTS)
#undef TN_PIVOTS
    if (!check_front(f, k, front)) {
        return false;
    }
    f->factor->kernel->divide(a, front->depth, f->factor->block + front->rest, f->factor->panel,
                              front->stride);
    const tn_kkt_row *begin = f->row + tn_rest_begin(f->node, k),
                     *end = f->row + f->node[k + 1].row;
    for (const tn_kkt_row *r = begin, *next = begin; r < end; r = next) {
        const int32_t head = tn_panel_head(f->node, r->node);
        const int32_t behind = head + f->node[head].panel;
        while (next < end && next->node < behind) {
            next++;
        }
        update_later(f, front, r, next, end);
    }
    return true;
}

/* ---- all ---- */

/* Has the node one later neighbour, with rows and in no front? */
TN_INLINE bool is_single(const struct pass *f, const tn_kkt_node *node)
{
    if (node[1].row - node->row != 1) {
        return false;
    }
    const int32_t later = f->row[node->row].node;
    return f->factor->size[later] > 0 && !f->node[later].front;
}

/* Any other column. */
TN_INLINE bool eliminate_any(struct pass *f, int32_t k)
{
    const tn_kkt_node *node = &f->node[k];
    const int d = f->factor->size[k];
    begin_column(f, k);
    if (d == 0) {
        return true;
    }
    divide_column(f, node, d);
    update_pairs(f, node, d);
    if (node[1].row - node->row == 1) {
        fold_column(f, k);
    }
    if (!check_pivots(f, node, d)) {
        f->failed = k;
        return false;
    }
    return true;
}

TN_INLINE bool eliminate_alone(struct pass *f, int32_t k)
{
    const tn_kkt_node *node = &f->node[k];
    const int d = f->factor->size[k];
    begin_column(f, k);
    if (d == 0) {
        return true;
    }
    eliminate_one(f, node, d);
    fold_column(f, k);
    if (!check_pivots(f, node, d)) {
        f->failed = k;
        return false;
    }
    return true;
}

/* The whole elimination; inlined into one copy per instruction set. */
TN_INLINE bool eliminate_all(struct pass *f)
{
    bool good = true;
    for (int32_t k = 0; k < f->n && good; k += f->node[k].panel) {
        good = f->node[k].front            ? eliminate_front(f, k)
               : is_single(f, &f->node[k]) ? eliminate_alone(f, k)
                                           : eliminate_any(f, k);
        if (f->sweep != NULL && good) {
            f->sweep->forward(f->sweep, k);
        }
    }
    return good;
}

static bool eliminate_plain(struct pass *f)
{
    return eliminate_all(f);
}

TN_WIDE static bool eliminate_wide(struct pass *f)
{
    return eliminate_all(f);
}

/* Why the pivots of the failed node are wrong. */
static tn_status classify(const struct pass *f)
{
    const tn_kkt_node *node = &f->node[f->failed];
    const double *a = f->factor->block + node->diagonal;
    const int d = f->factor->size[f->failed];
    const int first = node->front ? f->factor->place[f->failed] : 0;
    const int s =
        tn_stride(node->front ? f->factor->front[f->factor->front_of[f->failed]].depth : d);
    for (int j = 0; j < d; j++) {
        double inverse = a[tn_upper(first + j, s) + first + j];
        if (isnan(inverse) || inverse == 0.0) {
            return TN_ERROR_NOT_FINITE;
        }
        if ((node->dual ? -inverse : inverse) < 0.0 || isinf(inverse)) {
            return TN_ERROR_SINGULAR;
        }
    }
    return TN_ERROR_NOT_FINITE;
}

/* Of a node whose later neighbour has some rows. */
static int16_t shape_of(const struct pass *f, const tn_kkt_node *node, int32_t d, int32_t rows)
{
    const int32_t shape = TN_SHAPE(d, tn_stride(rows));
    const double *e = f->values->e + node->vector;
    const int folded = node->dual ? shape == TN_SHAPE(2, 4) && e[0] == 0.0 && e[1] == 0.0
                                  : shape == TN_SHAPE(3, 2);
    return (int16_t)(folded ? TN_FOLDED(d, tn_stride(rows)) : shape);
}

/* Active sizes and shapes. Later nodes first: a shape needs the size of one. Has a size changed? */
static bool set_sizes(const struct pass *f)
{
    bool changed = false;
    for (int32_t k = f->n - 1; k >= 0; k--) {
        const tn_kkt_node *at = &f->node[k];
        const int16_t d = at->dual ? (int16_t)f->values->rows[at->index] : at->size;
        TN_ASSERT(d >= 0 && d <= at->size);
        changed = changed || f->factor->size[k] != d;
        f->factor->size[k] = d;
        f->factor->shape[k] = 0;
        if (d > 0 && at[1].row == at->row + 1) {
            const int32_t rows = f->factor->size[f->row[at->row].node];
            f->factor->shape[k] = rows > 0 ? shape_of(f, at, d, rows) : 0;
        }
    }
    return changed;
}

static tn_status factorize(const tn_kkt *kkt, const tn_kkt_values *values, tn_kkt_factor *factor,
                           const tn_sweep *sweep, int32_t *node)
{
    struct pass f = {.node = factor->node,
                     .row = factor->row,
                     .source = kkt->source,
                     .h_offset = kkt->h_offset,
                     .values = values,
                     .factor = factor,
                     .n = kkt->layout.n_order,
                     .far =
                         kkt->layout.factor_doubles > TN_CACHED_DOUBLES && kkt->panel_doubles > 0,
                     .sweep = sweep};
    if (set_sizes(&f)) {
        tn_kkt_place_blocks(kkt, factor);
    }
    factor->smallest_pivot = DBL_MAX;
    factor->smallest_dual = -1;
    bool good = TN_WIDE_COPIES && factor->wide ? eliminate_wide(&f) : eliminate_plain(&f);
    if (node != NULL) {
        *node = good ? -1 : kkt->layout.order[f.failed];
    }
    return good ? TN_OK : classify(&f);
}

tn_status tn_kkt_factorize(const tn_kkt *kkt, const tn_kkt_values *values, tn_kkt_factor *factor,
                           int32_t *node)
{
    return factorize(kkt, values, factor, NULL, node);
}

tn_status tn_kkt_factorize_and_solve(const tn_kkt *kkt, const tn_kkt_values *values,
                                     tn_kkt_factor *factor, double *u_inout, double *y_inout,
                                     int32_t *node)
{
    const tn_sweep sweep = tn_sweep_of(kkt, factor, u_inout, y_inout);
    const tn_status status = factorize(kkt, values, factor, sweep.far ? &sweep : NULL, node);
    if (status != TN_OK) {
        return status;
    }
    if (sweep.far) {
        tn_kkt_solve_backward(kkt, factor, u_inout, y_inout);
    } else {
        tn_kkt_solve(kkt, factor, u_inout, y_inout);
    }
    return TN_OK;
}
