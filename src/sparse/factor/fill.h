/* fill.h: room sparse/factor: how a factorization reads the matrix: entries of columns and fronts, filled in just
 * before their first update and prefetched a few columns earlier.
 */
#ifndef TN_SPARSE_FACTOR_FILL_H
#define TN_SPARSE_FACTOR_FILL_H

#include <string.h>

#include "sparse/dense.h"
#include "sparse/kkt_impl.h"

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
        row[i] = h[i * d + i] + delta[i];
        scale[i] = h[i * d + i] > 0.0 ? row[i] : 0.0;
        positive = positive && scale[i] > 0.0;
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

/* Prefetches this many numbers. */
TN_INLINE void prefetch_block(const double *p, int32_t doubles)
{
    for (int32_t at = 0; at < doubles; at += TN_LINE_DOUBLES) {
        __builtin_prefetch(p + at);
    }
    __builtin_prefetch(p + doubles - 1);
}

/* Prefetches the values that are filled into a column, and checked. */
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

/* Prefetches the values that are filled in with column k. */
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

#endif
