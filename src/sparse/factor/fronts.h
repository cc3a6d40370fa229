/* fronts.h: room sparse/factor: columns of a front together (panels.c): its rows are dense, and what they take from later
 * ones is added up in registers (sparse/front). After columns.h.
 */
#ifndef TN_SPARSE_FACTOR_FRONTS_H
#define TN_SPARSE_FACTOR_FRONTS_H

#include "sparse/factor/columns.h"

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

#endif
