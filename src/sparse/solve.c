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
#include "sparse/dense.h"
#include "sparse/kkt_impl.h"

#define TN_CACHE_LINE_DOUBLES 8

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
TN_INLINE void prefetch_column(const tn_sweep *w, int32_t k)
{
    if (!w->prefetch || k < 0 || k >= w->n || w->node[k].panel != 1) {
        return;
    }
    const double *end = w->block + w->node[k + 1].diagonal;
    for (const double *p = w->block + w->node[k].diagonal; p < end; p += TN_CACHE_LINE_DOUBLES) {
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

/* ---- panels ---- */

/* The rows of column k + i below the panel of `count` columns from k on. */
TN_INLINE const tn_kkt_row *rest_of(const tn_sweep *w, int32_t k, int32_t count, int32_t i)
{
    return w->row + w->node[k + i].row + (count - 1 - i);
}

/* y -= U^T x of `depth` rows of a panel, x one after the other, y of stride s and in registers; the first push to y
 * starts from zero. */
TN_INLINE void push_held(const double *v, const double *x, int32_t depth, double *y, int s,
                         bool first)
{
    tn_v4 four = {0.0};
    tn_v2 two = {0.0};
    if (!first) {
        four = s >= 4 ? *(const tn_v4 *)y : four;
        two = (s & 2) != 0 ? *(const tn_v2 *)(y + s - 2) : two;
    }
    for (int32_t l = 0; l < depth; l++) {
        if (s >= 4)
            four -= x[l] * *(const tn_v4 *)(v + l * s);
        if ((s & 2) != 0)
            two -= x[l] * *(const tn_v2 *)(v + l * s + s - 2);
    }
    if (s >= 4)
        *(tn_v4 *)y = four;
    if ((s & 2) != 0)
        *(tn_v2 *)(y + s - 2) = two;
}

/* x of the columns of a panel, without what pads them, to or from an array. */
TN_INLINE int32_t pack_panel(const tn_sweep *w, int32_t k, int32_t count, double *x)
{
    int32_t depth = 0;
    for (int32_t i = 0; i < count; i++) {
        const double *from = w->work + w->node[k + i].work;
        for (int32_t l = 0; l < w->size[k + i]; l++)
            x[depth++] = from[l];
    }
    return depth;
}

/* Asks for so many doubles of what is gone through next, on to where it ends. */
TN_INLINE const double *ask_ahead(const double *p, const double *end, int64_t doubles)
{
    const double *last = p + doubles < end ? p + doubles : end;
    for (; p < last; p += TN_CACHE_LINE_DOUBLES)
        __builtin_prefetch(p);
    return p;
}

TN_INLINE void push_panel(const tn_sweep *w, int32_t k, int32_t count)
{
    const double *ahead = w->block + w->node[k + count].diagonal;
    const double *ahead_end = w->prefetch ? w->block + w->node[w->n].diagonal : ahead;
    double x[TN_PANEL_COLUMNS];
    const int32_t depth = pack_panel(w, k, count, x);
    const tn_kkt_row *end = w->row + w->node[k + 1].row;
    for (const tn_kkt_row *row = rest_of(w, k, count, 0); row < end; row++) {
        const double *v = w->block + row->block;
        double *y = w->work + w->node[row->node].work;
        const int s = tn_stride(w->size[row->node]);
        ahead = ask_ahead(ahead, ahead_end, (int64_t)depth * s);
        switch (s) {
        case 6:
            push_held(v, x, depth, y, 6, row->first);
            break;
        case 4:
            push_held(v, x, depth, y, 4, row->first);
            break;
        default:
            tn_block_push(v, s, x, y, depth, row->first);
            break;
        }
    }
}

TN_INLINE void push_inside(const tn_sweep *w, int32_t k, int32_t inside)
{
    const tn_kkt_node *node = &w->node[k];
    const double *x = w->work + node->work;
    const int d = w->size[k];
    for (const tn_kkt_row *row = w->row + node->row; row < w->row + node->row + inside; row++) {
        double *y = w->work + w->node[row->node].work;
        const int s = tn_stride(w->size[row->node]);
#define TN_PUSH(D, S) tn_block_push(w->block + row->block, S, x, y, D, row->first)
        TN_BY_SIZE(d, s, TN_PUSH)
#undef TN_PUSH
    }
}

TN_INLINE void forward_panel(const tn_sweep *w, int32_t k, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        const tn_kkt_node *node = &w->node[k + i];
        double *x = w->work + node->work;
        const int d = w->size[k + i];
        if ((d & 1) != 0) {
            x[d] = 0.0;
        }
        forward_self(w->vector[node->dual] + node->vector, w->block + node->diagonal, x, d,
                     node->untouched);
        push_inside(w, k + i, count - 1 - i);
    }
    push_panel(w, k, count);
}

/* Asks for what the caller's vectors have of the nodes to come, which are in another order. */
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
    if (w->node[k].panel > 1) {
        forward_panel(w, k, w->node[k].panel);
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

/* ---- panels ---- */

/* Products of the rows of a panel's blocks below it with what is there: sums of their lanes. */
typedef struct row_sums {
    tn_v4 four[TN_PANEL_COLUMNS];
    tn_v2 two[TN_PANEL_COLUMNS];
} row_sums;

TN_INLINE void add_products(const double *v, const double *y, int32_t depth, int s, row_sums *sums)
{
    for (int32_t l = 0; l < depth; l++) {
        for (int at = 0; at + 4 <= s; at += 4)
            sums->four[l] += *(const tn_v4 *)(v + l * s + at) * *(const tn_v4 *)(y + at);
        if ((s & 2) != 0)
            sums->two[l] += *(const tn_v2 *)(v + l * s + s - 2) * *(const tn_v2 *)(y + s - 2);
    }
}

/* U y of all blocks below a panel. */
TN_INLINE void pull_panel(const tn_sweep *w, int32_t k, int32_t count, int32_t depth,
                          double *products)
{
    const int32_t before = k == 0                     ? 0
                           : w->node[k - 1].panel < 0 ? k - 1 + w->node[k - 1].panel
                                                      : k - 1;
    const double *ahead = w->block + w->node[before].diagonal;
    const double *ahead_end = w->prefetch ? w->block + w->node[k].diagonal : ahead;
    row_sums sums;
    for (int32_t l = 0; l < depth; l++) {
        sums.four[l] = (tn_v4){0.0};
        sums.two[l] = (tn_v2){0.0};
    }
    const tn_kkt_row *end = w->row + w->node[k + 1].row;
    for (const tn_kkt_row *row = rest_of(w, k, count, 0); row < end; row++) {
        const double *v = w->block + row->block, *y = w->work + w->node[row->node].work;
        const int s = tn_stride(w->size[row->node]);
        ahead = ask_ahead(ahead, ahead_end, (int64_t)depth * s);
        if (s == 6) {
            add_products(v, y, depth, 6, &sums);
        } else if (s == 4) {
            add_products(v, y, depth, 4, &sums);
        } else {
            add_products(v, y, depth, s, &sums);
        }
    }
    for (int32_t l = 0; l < depth; l++) {
        const tn_v4 a = sums.four[l];
        const tn_v2 b = sums.two[l];
        products[l] = ((a[0] + a[2]) + (a[1] + a[3])) + (b[0] + b[1]);
    }
}

TN_INLINE void pull_inside(const tn_sweep *w, const tn_kkt_row *row, const tn_kkt_row *end,
                           double *x, int d)
{
    for (; row < end; row++) {
        const double *y = w->work + w->node[row->node].work;
        const int s = tn_stride(w->size[row->node]);
        if (s == 0) {
            continue;
        }
#define TN_PULL(D, S) tn_block_pull(w->block + row->block, S, x, y, D)
        TN_BY_SIZE(d, s, TN_PULL)
#undef TN_PULL
    }
}

TN_INLINE void backward_panel(const tn_sweep *w, int32_t k, int32_t count)
{
    double products[TN_PANEL_COLUMNS];
    int32_t depth = 0;
    for (int32_t i = 0; i < count; i++) {
        depth += w->size[k + i];
    }
    pull_panel(w, k, count, depth, products);
    for (int32_t i = count - 1; i >= 0; i--) {
        const tn_kkt_node *node = &w->node[k + i];
        const double *a = w->block + node->diagonal;
        double *x = w->work + node->work;
        const int d = w->size[k + i];
        depth -= d;
        scale_self(a, x, d);
        for (int l = 0; l < d; l++) {
            x[l] -= products[depth + l];
        }
        pull_inside(w, w->row + node->row, rest_of(w, k, count, i), x, d);
        backward_self(a, x, w->vector[node->dual] + node->vector, d);
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
        if (w->node[k].panel < 0) {
            const int32_t count = 1 - w->node[k].panel;
            k -= count - 1;
            prefetch_vectors(w, k - TN_PREFETCH_NODES, count);
            backward_panel(w, k, count);
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
