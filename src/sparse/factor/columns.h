/* columns.h: room sparse/factor: columns one by one: pivots, what they are divided by, what later columns take from
 * them. After fill.h.
 */
#ifndef TN_SPARSE_FACTOR_COLUMNS_H
#define TN_SPARSE_FACTOR_COLUMNS_H

#include <float.h>

#include "sparse/factor/fill.h"

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

#endif
