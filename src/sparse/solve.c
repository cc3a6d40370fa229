/* solve.c: one back-solve with the block LDL^T factor.
 *
 * Room sparse. In: factor, right-hand side in the caller's vectors. Out: the solution in place.
 *
 *     forward:  x_k <- L^-1 x_k ;  x_r -= U_r^T x_k          nodes k in elimination order
 *     backward: x_k <- L^-T (P^-1 x_k - sum_r U_r x_r)       nodes k in reverse order
 *
 * Columns in condensed form (kkt_impl.h), with W = A_kk^-1 A_kr in the place of U:
 *
 *     forward:  x_r -= W^T x_k ;  x_k <- A_kk^-1 x_k            backward: x_k -= W x_r
 *
 * The work vector is in elimination order with padded nodes, so both passes stream memory. Contributions
 * of earlier nodes to a later one are summed from zero; its own right-hand side is added when it is reached.
 */
#include "sparse/dense.h"
#include "sparse/kkt_impl.h"

/* Right-hand side of a node, minus the contributions of earlier nodes, if there are any. */
TN_INLINE void load_node(const double *from, double *x, int d, bool untouched)
{
    if (untouched) {
        TN_UNROLL
        for (int i = 0; i < d; i++) {
            x[i] = from[i];
        }
        return;
    }
    TN_UNROLL
    for (int i = 0; i < d; i++) {
        x[i] += from[i];
    }
}

/* One by one: wide stores would have to wait for what was computed one by one. */
TN_INLINE void store_node(const double *x, double *to, int d)
{
    TN_UNROLL
    for (int i = 0; i < d; i++) {
        to[i] = x[i];
    }
}

TN_INLINE void forward_self(const double *from, const double *a, double *x, int d, bool untouched)
{
#define TN_FORWARD(D)                                                                              \
    load_node(from, x, D, untouched);                                                              \
    tn_block_forward(a, tn_stride(D), x, D)
    TN_BY_DIMENSION(d, TN_FORWARD)
#undef TN_FORWARD
}

/* Prefetches the column of node k before it is reached: the hardware's own prefetch stops at every page.
 */
TN_INLINE void prefetch_column(const tn_sweep *w, int32_t k)
{
    if (!w->prefetch || k < 0 || k >= w->n || w->node[k].panel != 1) {
        return;
    }
    const double *end = w->block + w->node[k + 1].diagonal;
    for (const double *p = w->block + w->node[k].diagonal; p < end; p += TN_LINE_DOUBLES) {
        __builtin_prefetch(p);
    }
}

/* Any node of no panel. */
TN_INLINE void forward_any(const tn_sweep *w, int32_t k)
{
    const tn_kkt_node *node = &w->node[k];
    const double *block = w->block;
    double *x = w->work + node->work;
    int d = w->size[k];
    if ((d & 1) != 0) {
        x[d] = 0.0;
    }
    forward_self(w->vector[node->dual] + node->vector, block + node->diagonal, x, d,
                 node->untouched);
    for (const tn_kkt_row *row = w->row + node->row; row < w->row + node[1].row; row++) {
        double *y = w->work + w->node[row->node].work;
        int s = tn_stride(w->size[row->node]);
#define TN_PUSH(D, S) tn_block_push(block + row->block, S, x, y, D, row->first)
        TN_BY_SIZE(d, s, TN_PUSH)
#undef TN_PUSH
    }
}

/* What of a node with one later neighbour stays in registers: its part of the right-hand side, with
 * all that was pushed to it; the push to the neighbour; keeping it. */
TN_INLINE void gather_single(const tn_sweep *w, const tn_kkt_node *node, int d, double *x)
{
    const double *work = w->work + node->work;
    TN_UNROLL
    for (int i = 0; i < d; i++) {
        x[i] = work[i];
    }
    load_node(w->vector[node->dual] + node->vector, x, d, node->untouched);
}

TN_INLINE void push_single(const tn_sweep *w, const tn_kkt_node *node, int d, int s,
                           const double *x)
{
    const tn_kkt_row *row = w->row + node->row;
    double *y = w->work + w->node[row->node].work;
    if (row->first) {
        tn_block_push(w->block + row->block, s, x, y, d, true);
    } else {
        tn_block_push(w->block + row->block, s, x, y, d, false);
    }
}

TN_INLINE void keep_single(const tn_sweep *w, const tn_kkt_node *node, int d, const double *x)
{
    double *work = w->work + node->work;
    store_node(x, work, d);
    if ((d & 1) != 0) {
        work[d] = 0.0;
    }
}

TN_INLINE void forward_single(const tn_sweep *w, const tn_kkt_node *node, int d, int s)
{
    double x[TN_KKT_MAX_BLOCK];
    gather_single(w, node, d, x);
    tn_block_forward(w->block + node->diagonal, tn_stride(d), x, d);
    push_single(w, node, d, s, x);
    keep_single(w, node, d, x);
}

/* x <- A_kk^-1 x; what is pushed does not wait for it. */
TN_INLINE void forward_folded(const tn_sweep *w, const tn_kkt_node *node, int d, int s)
{
    const double *a = w->block + node->diagonal;
    double x[TN_KKT_MAX_BLOCK];
    gather_single(w, node, d, x);
    push_single(w, node, d, s, x);
    tn_block_forward(a, tn_stride(d), x, d);
    TN_UNROLL
    for (int i = 0; i < d; i++) {
        x[i] *= a[tn_upper(i, tn_stride(d)) + i];
    }
    tn_block_backward(a, tn_stride(d), x, d);
    keep_single(w, node, d, x);
}

#define TN_FORWARD_FOLDED(D, S) forward_folded(w, &w->node[k], D, S)
#define TN_FORWARD(D, S)        forward_single(w, &w->node[k], D, S)
TN_INLINE void forward_node(const tn_sweep *w, int32_t k)
{
    TN_BY_COLUMN(w->shape[k], TN_FORWARD_FOLDED, TN_FORWARD, forward_any(w, k));
}
#undef TN_FORWARD_FOLDED
#undef TN_FORWARD

/* ---- fronts ---- */

/* Numbers ahead of those at hand. */
enum { AHEAD = 1024 };

/* What a node has in a vector, and back. */
TN_INLINE void copy_node(const double *from, double *to, int d)
{
    if (d == 3) {
        to[0] = from[0];
        to[1] = from[1];
        to[2] = from[2];
        return;
    }
    for (int i = 0; i < d; i++) {
        to[i] = from[i];
    }
}

/* The right-hand side of a front, with what was pushed to it. */
TN_INLINE void gather_front(const tn_sweep *w, int32_t k, double *x)
{
    for (int32_t i = k; i < k + w->node[k].panel; i++) {
        const tn_kkt_node *node = &w->node[i];
        const int d = w->size[i];
        if (!node->untouched) {
            copy_node(w->work + node->work, x, d);
        }
        load_node(w->vector[node->dual] + node->vector, x, d, node->untouched);
        x += d;
    }
}

/* x of a front to where its nodes have it; what pads them is zero. */
TN_INLINE void keep_front(const tn_sweep *w, int32_t k, const double *x)
{
    for (int32_t i = k; i < k + w->node[k].panel; i++) {
        double *to = w->work + w->node[i].work;
        const int d = w->size[i];
        copy_node(x, to, d);
        if ((d & 1) != 0) {
            to[d] = 0.0;
        }
        x += d;
    }
}

/* What the later nodes of a front have, side by side; if `pushed` what was pushed to them, by now. */
TN_INLINE void gather_rest(const tn_sweep *w, const tn_kkt_front *front, bool pushed)
{
    const tn_kkt_later *end = w->later + front[1].later;
    double *y = w->gather;
    for (const tn_kkt_later *later = w->later + front->later; later < end; later++) {
        const int d = later->size;
        if (pushed && later->first) {
            for (int i = 0; i < d; i++) {
                y[i] = 0.0;
            }
        } else {
            copy_node(w->work + later->work, y, d);
        }
        y += d;
    }
    for (; y < w->gather + front->stride; y++) {
        *y = 0.0;
    }
}

TN_INLINE void keep_rest(const tn_sweep *w, const tn_kkt_front *front)
{
    const tn_kkt_later *end = w->later + front[1].later;
    const double *y = w->gather;
    for (const tn_kkt_later *later = w->later + front->later; later < end; later++) {
        copy_node(y, w->work + later->work, later->size);
        y += later->size;
    }
}

/* Prefetches pivots that are `ahead` numbers after those of this front. */
TN_INLINE void prefetch_pivots(const tn_sweep *w, const tn_kkt_front *front, int64_t ahead)
{
    if (w->prefetch) {
        const double *end = w->block + front->rest + ahead;
        for (const double *p = w->block + front->pivots + ahead; p < end; p += TN_LINE_DOUBLES) {
            __builtin_prefetch(p);
        }
    }
}

TN_INLINE void forward_front(const tn_sweep *w, int32_t k)
{
    const tn_kkt_front *front = &w->front[w->front_of[k]];
    const double *a = w->block + front->pivots;
    double x[TN_FRONT_DEPTH];
    prefetch_pivots(w, front, AHEAD);
    gather_front(w, k, x);
#define TN_FORWARD(D) tn_block_forward(a, tn_stride(D), x, D)
    TN_BY_DIMENSION(front->depth, TN_FORWARD)
#undef TN_FORWARD
    keep_front(w, k, x);
    gather_rest(w, front, true);
    w->kernel->push(w->block + front->rest, front->stride, front->depth, x, w->gather,
                    w->prefetch ? AHEAD : 0);
    keep_rest(w, front);
}

/* Prefetches the entries of the next nodes in the caller's vectors, which are in another order. */
TN_INLINE void prefetch_vectors(const tn_sweep *w, int32_t k, int32_t count)
{
    if (!w->far) {
        return;
    }
    for (int32_t i = k; i < k + count; i++) {
        if (i >= 0 && i < w->n) {
            const double *at = w->vector[w->node[i].dual] + w->node[i].vector;
            __builtin_prefetch(at);
            __builtin_prefetch(at + w->node[i].size - 1);
        }
    }
}

/* Node k, or all of the panel that begins there. */
TN_INLINE void forward_from(const tn_sweep *w, int32_t k)
{
    prefetch_vectors(w, k + TN_PREFETCH_NODES, w->node[k].panel);
    if (w->node[k].front) {
        forward_front(w, k);
        return;
    }
    prefetch_column(w, k + TN_PREFETCH_NODES);
    forward_node(w, k);
}

/* x <- P^-1 x. */
TN_INLINE void scale_self(const double *a, double *x, int d)
{
#define TN_SCALE(D)                                                                                \
    TN_UNROLL                                                                                      \
    for (int i = 0; i < D; i++) {                                                                  \
        x[i] *= a[tn_upper(i, tn_stride(D)) + i];                                                  \
    }
    TN_BY_DIMENSION(d, TN_SCALE)
#undef TN_SCALE
}

/* x <- L^-T x, also stored in the caller's vector. */
TN_INLINE void backward_self(const double *a, double *x, double *to, int d)
{
#define TN_BACKWARD(D)                                                                             \
    tn_block_backward(a, tn_stride(D), x, D);                                                      \
    TN_UNROLL                                                                                      \
    for (int i = 0; i < D; i++) {                                                                  \
        to[i] = x[i];                                                                              \
    }
    TN_BY_DIMENSION(d, TN_BACKWARD)
#undef TN_BACKWARD
}

TN_INLINE void backward_any(const tn_sweep *w, int32_t k)
{
    const tn_kkt_node *node = &w->node[k];
    const double *block = w->block;
    const double *a = block + node->diagonal;
    double *x = w->work + node->work;
    int d = w->size[k];
    scale_self(a, x, d);
    for (const tn_kkt_row *row = w->row + node->row; row < w->row + node[1].row; row++) {
        const double *y = w->work + w->node[row->node].work;
        int s = tn_stride(w->size[row->node]);
        if (s == 0) {
            continue;
        }
#define TN_PULL(D, S) tn_block_pull(block + row->block, S, x, y, D)
        TN_BY_SIZE(d, s, TN_PULL)
#undef TN_PULL
    }
    backward_self(a, x, w->vector[node->dual] + node->vector, d);
}

/* As forward_single. */
TN_INLINE void backward_single(const tn_sweep *w, const tn_kkt_node *node, int d, int s)
{
    const tn_kkt_row *row = w->row + node->row;
    const double *block = w->block;
    const double *a = block + node->diagonal;
    double *work = w->work + node->work;
    double x[TN_KKT_MAX_BLOCK];
    TN_UNROLL
    for (int i = 0; i < d; i++) {
        x[i] = work[i] * a[tn_upper(i, tn_stride(d)) + i];
    }
    tn_block_pull(block + row->block, s, x, w->work + w->node[row->node].work, d);
    tn_block_backward(a, tn_stride(d), x, d);
    store_node(x, work, d);
    store_node(x, w->vector[node->dual] + node->vector, d);
}

TN_INLINE void backward_folded(const tn_sweep *w, const tn_kkt_node *node, int d, int s)
{
    const tn_kkt_row *row = w->row + node->row;
    double *work = w->work + node->work;
    double x[TN_KKT_MAX_BLOCK];
    TN_UNROLL
    for (int i = 0; i < d; i++) {
        x[i] = work[i];
    }
    tn_block_pull(w->block + row->block, s, x, w->work + w->node[row->node].work, d);
    store_node(x, work, d);
    store_node(x, w->vector[node->dual] + node->vector, d);
}

#define TN_BACKWARD_FOLDED(D, S) backward_folded(w, &w->node[k], D, S)
#define TN_BACKWARD(D, S)        backward_single(w, &w->node[k], D, S)
TN_INLINE void backward_node(const tn_sweep *w, int32_t k)
{
    TN_BY_COLUMN(w->shape[k], TN_BACKWARD_FOLDED, TN_BACKWARD, backward_any(w, k));
}
#undef TN_BACKWARD_FOLDED
#undef TN_BACKWARD

/* ---- fronts ---- */

/* x <- L^-T (P^-1 x - products). */
TN_INLINE void backward_pivots(const double *a, double *x, const double *products, int d)
{
    TN_UNROLL
    for (int l = 0; l < d; l++) {
        x[l] = x[l] * a[tn_upper(l, tn_stride(d)) + l] - products[l];
    }
    tn_block_backward(a, tn_stride(d), x, d);
}

TN_INLINE void backward_front(const tn_sweep *w, int32_t k)
{
    const tn_kkt_front *front = &w->front[w->front_of[k]];
    const double *a = w->block + front->pivots;
    double x[TN_FRONT_DEPTH], products[TN_FRONT_DEPTH], *at = x;
    prefetch_pivots(w, front, -AHEAD);
    gather_rest(w, front, false);
    w->kernel->pull(w->block + front->rest, front->stride, front->depth, w->gather, products,
                    w->prefetch ? -AHEAD : 0);
    for (int32_t i = k; i < k + w->node[k].panel; at += w->size[i], i++) {
        copy_node(w->work + w->node[i].work, at, w->size[i]);
    }
#define TN_BACKWARD(D) backward_pivots(a, x, products, D)
    TN_BY_DIMENSION(front->depth, TN_BACKWARD)
#undef TN_BACKWARD
    keep_front(w, k, x);
    at = x;
    for (int32_t i = k; i < k + w->node[k].panel; at += w->size[i], i++) {
        copy_node(at, w->vector[w->node[i].dual] + w->node[i].vector, w->size[i]);
    }
}

/* ---- all ---- */

TN_INLINE void forward_all(const tn_sweep *of)
{
    const tn_sweep local = *of; /* what no store can change */
    for (int32_t k = 0; k < local.n; k += local.node[k].panel)
        forward_from(&local, k);
}

TN_INLINE void backward_all(const tn_sweep *of)
{
    const tn_sweep local = *of;
    const tn_sweep *w = &local;
    for (int32_t k = w->n - 1; k >= 0; k--) {
        if (w->node[k].front) {
            k = tn_panel_head(w->node, k);
            prefetch_vectors(w, k - TN_PREFETCH_NODES, w->node[k].panel);
            backward_front(w, k);
            continue;
        }
        prefetch_vectors(w, k - TN_PREFETCH_NODES, 1);
        prefetch_column(w, k - TN_PREFETCH_NODES);
        backward_node(w, k);
    }
}

static void sweep_plain(const tn_sweep *w, bool forward)
{
    if (forward) {
        forward_all(w);
    }
    backward_all(w);
}

TN_WIDE static void sweep_wide(const tn_sweep *w, bool forward)
{
    if (forward) {
        forward_all(w);
    }
    backward_all(w);
}

static void forward_plain(const tn_sweep *w, int32_t k)
{
    forward_from(w, k);
}

TN_WIDE static void forward_wide(const tn_sweep *w, int32_t k)
{
    forward_from(w, k);
}

tn_sweep tn_sweep_of(const tn_kkt *kkt, tn_kkt_factor *factor, double *u, double *y)
{
    const bool large = kkt->layout.factor_doubles > TN_CACHED_DOUBLES;
    return (tn_sweep){.node = factor->node,
                      .row = factor->row,
                      .block = factor->block,
                      .work = factor->work,
                      .gather = factor->gather,
                      .front = factor->front,
                      .later = factor->later,
                      .front_of = factor->front_of,
                      .kernel = factor->kernel,
                      .size = factor->size,
                      .shape = factor->shape,
                      .n = kkt->layout.n_order,
                      .vector = {u, y},
                      .prefetch = large,
                      .far = large && kkt->panel_doubles > 0,
                      .forward = TN_WIDE_COPIES && factor->wide ? forward_wide : forward_plain};
}

static void sweep(const tn_kkt *kkt, tn_kkt_factor *factor, double *u, double *y, bool forward)
{
    const tn_sweep w = tn_sweep_of(kkt, factor, u, y);
    if (TN_WIDE_COPIES && factor->wide) {
        sweep_wide(&w, forward);
    } else {
        sweep_plain(&w, forward);
    }
}

void tn_kkt_solve(const tn_kkt *kkt, tn_kkt_factor *factor, double *u_inout, double *y_inout)
{
    sweep(kkt, factor, u_inout, y_inout, true);
}

void tn_kkt_solve_backward(const tn_kkt *kkt, tn_kkt_factor *factor, double *u_inout,
                           double *y_inout)
{
    sweep(kkt, factor, u_inout, y_inout, false);
}
