/* solve.c: one back-solve with the block LDL^T factor.
 *
 * Room sparse. In: factor, right-hand side in the caller's vectors. Out: the solution in place.
 *
 *     forward:  x_k <- L^-1 x_k ;  x_r -= U_r^T x_k          nodes k in elimination order
 *     backward: x_k <- L^-T (P^-1 x_k - sum_r U_r x_r)       nodes k in reverse order
 *
 * Folded columns (kkt_impl.h), with W = A_kk^-1 A_kr in the place of U:
 *
 *     forward:  x_r -= W^T x_k ;  x_k <- A_kk^-1 x_k            backward: x_k -= W x_r
 *
 * The work vector is in elimination order with padded nodes, so both sweeps stream memory. What
 * nodes push to a later one gathers there from zero; its own right-hand side joins at its turn.
 */
#include "sparse/kkt_impl.h"

#include "sparse/dense.h"

#define TN_CACHE_LINE_DOUBLES 8
/* Columns to ask for in advance; a chain's column is about half a kilobyte. */
#define TN_PREFETCH_NODES 8

/* A factor of this size stays in the cache between the sweeps. */
#define TN_CACHED_DOUBLES 100000

struct sweep {
    const tn_kkt_node *node;
    const tn_kkt_row *row;
    const double *block; /* these four of the factor */
    double *work;
    const int16_t *size, *shape;
    int32_t n;
    double *vector[2]; /* the caller's u and y, by tn_kkt_node.dual */
    bool prefetch;
};

/* Node's part of the right-hand side, minus what earlier nodes have pushed, if any did. */
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

/* Asks for the column of node k before its turn: the hardware's own prefetch stops at every page.
 */
TN_INLINE void prefetch_column(const struct sweep *w, int32_t k)
{
    if (!w->prefetch || k < 0 || k >= w->n) {
        return;
    }
    const double *end = w->block + w->node[k + 1].diagonal;
    for (const double *p = w->block + w->node[k].diagonal; p < end; p += TN_CACHE_LINE_DOUBLES) {
        __builtin_prefetch(p);
    }
}

/* Any node. */
TN_INLINE void forward_any(const struct sweep *w, int32_t k)
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
TN_INLINE void gather_single(const struct sweep *w, const tn_kkt_node *node, int d, double *x)
{
    const double *work = w->work + node->work;
    TN_UNROLL
    for (int i = 0; i < d; i++) {
        x[i] = work[i];
    }
    load_node(w->vector[node->dual] + node->vector, x, d, node->untouched);
}

TN_INLINE void push_single(const struct sweep *w, const tn_kkt_node *node, int d, int s,
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

TN_INLINE void keep_single(const struct sweep *w, const tn_kkt_node *node, int d, const double *x)
{
    double *work = w->work + node->work;
    store_node(x, work, d);
    if ((d & 1) != 0) {
        work[d] = 0.0;
    }
}

TN_INLINE void forward_single(const struct sweep *w, const tn_kkt_node *node, int d, int s)
{
    double x[TN_KKT_MAX_BLOCK];
    gather_single(w, node, d, x);
    tn_block_forward(w->block + node->diagonal, tn_stride(d), x, d);
    push_single(w, node, d, s, x);
    keep_single(w, node, d, x);
}

/* x <- A_kk^-1 x; what is pushed does not wait for it. */
TN_INLINE void forward_folded(const struct sweep *w, const tn_kkt_node *node, int d, int s)
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
TN_INLINE void forward_node(const struct sweep *w, int32_t k)
{
    TN_BY_COLUMN(w->shape[k], TN_FORWARD_FOLDED, TN_FORWARD, forward_any(w, k));
}
#undef TN_FORWARD_FOLDED
#undef TN_FORWARD

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

TN_INLINE void backward_any(const struct sweep *w, int32_t k)
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
TN_INLINE void backward_single(const struct sweep *w, const tn_kkt_node *node, int d, int s)
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

TN_INLINE void backward_folded(const struct sweep *w, const tn_kkt_node *node, int d, int s)
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
TN_INLINE void backward_node(const struct sweep *w, int32_t k)
{
    TN_BY_COLUMN(w->shape[k], TN_BACKWARD_FOLDED, TN_BACKWARD, backward_any(w, k));
}
#undef TN_BACKWARD_FOLDED
#undef TN_BACKWARD

TN_INLINE void sweep_all(const struct sweep *of)
{
    const struct sweep local = *of; /* what no store can change */
    const struct sweep *w = &local;
    for (int32_t k = 0; k < w->n; k++) {
        prefetch_column(w, k + TN_PREFETCH_NODES);
        forward_node(w, k);
    }
    for (int32_t k = w->n - 1; k >= 0; k--) {
        prefetch_column(w, k - TN_PREFETCH_NODES);
        backward_node(w, k);
    }
}

static void sweep_plain(const struct sweep *w)
{
    sweep_all(w);
}

TN_WIDE static void sweep_wide(const struct sweep *w)
{
    sweep_all(w);
}

void tn_kkt_solve(const tn_kkt *kkt, tn_kkt_factor *factor, double *u_inout, double *y_inout)
{
    struct sweep w = {
        kkt->node,           kkt->row,           factor->block,
        factor->work,        factor->size,       factor->shape,
        kkt->layout.n_order, {u_inout, y_inout}, kkt->layout.factor_doubles > TN_CACHED_DOUBLES};
    if (TN_WIDE_COPIES && factor->wide) {
        sweep_wide(&w);
    } else {
        sweep_plain(&w);
    }
}
