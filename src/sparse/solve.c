/* solve.c: one back-solve with the block LDL^T factor.
 *
 * Room sparse. In: factor, right-hand side in the caller's vectors. Out: the solution in place.
 *
 *     forward:  x_k <- L^-1 x_k ;  x_r -= U_r^T x_k          nodes k in elimination order
 *     backward: x_k <- L^-T (P^-1 x_k - sum_r U_r x_r)       nodes k in reverse order
 *
 * The work vector is in elimination order with padded nodes, so both sweeps stream memory.
 */
#include "sparse/kkt_impl.h"

#include "sparse/dense.h"

#include <string.h>

struct sweep {
    const tn_kkt_node *node;
    const tn_kkt_row *row;
    tn_kkt_factor *factor;
    int32_t n;
    double *u, *y;
};

/* Caller's vectors -> work vector (padding cleared). */
TN_INLINE void gather(const struct sweep *w)
{
    for (int32_t k = 0; k < w->n; k++) {
        const tn_kkt_node *node = &w->node[k];
        const double *from = (node->dual ? w->y : w->u) + node->vector;
        double *x = w->factor->work + node->work;
        int d = w->factor->size[k];
        if (d == 6) {
            TN_LANES(6, TN_LANE(x + at) = TN_CONST_LANE(from + at);)
            continue;
        }
        for (int i = 0; i < d; i++) {
            x[i] = from[i];
        }
        if ((d & 1) != 0) {
            x[d] = 0.0;
        }
    }
}

TN_INLINE void scatter(const struct sweep *w)
{
    for (int32_t k = 0; k < w->n; k++) {
        const tn_kkt_node *node = &w->node[k];
        double *to = (node->dual ? w->y : w->u) + node->vector;
        const double *x = w->factor->work + node->work;
        int d = w->factor->size[k];
        for (int i = 0; i < d; i++) {
            to[i] = x[i];
        }
    }
}

TN_INLINE void forward_self(const double *a, double *x, int d)
{
    switch (d) {
    case 6:
        tn_block_forward(a, 6, x, 6);
        break;
    case 5:
        tn_block_forward(a, 6, x, 5);
        break;
    case 3:
        tn_block_forward(a, 4, x, 3);
        break;
    default:
        tn_block_forward(a, tn_stride(d), x, d);
        break;
    }
}

TN_INLINE void forward_node(const struct sweep *w, int32_t k)
{
    const tn_kkt_node *node = &w->node[k];
    const double *block = w->factor->block;
    double *x = w->factor->work + node->work;
    int d = w->factor->size[k];
    forward_self(block + node->diagonal, x, d);
    for (const tn_kkt_row *row = w->row + node->row; row < w->row + node[1].row; row++) {
        double *y = w->factor->work + w->node[row->node].work;
        int s = tn_stride(w->factor->size[row->node]);
#define TN_PUSH(D, S) tn_block_push(block + row->block, S, x, y, D)
        TN_BY_SIZE(d, s, TN_PUSH)
#undef TN_PUSH
    }
}

TN_INLINE void backward_self(const double *a, double *x, int d)
{
    switch (d) {
    case 6:
        tn_block_backward(a, 6, x, 6);
        break;
    case 5:
        tn_block_backward(a, 6, x, 5);
        break;
    case 3:
        tn_block_backward(a, 4, x, 3);
        break;
    default:
        tn_block_backward(a, tn_stride(d), x, d);
        break;
    }
}

TN_INLINE void backward_node(const struct sweep *w, int32_t k)
{
    const tn_kkt_node *node = &w->node[k];
    const double *block = w->factor->block;
    const double *a = block + node->diagonal;
    double *x = w->factor->work + node->work;
    int d = w->factor->size[k];
    int sa = tn_stride(d);
    for (int i = 0; i < d; i++) {
        x[i] *= a[i * sa + i];
    }
    for (const tn_kkt_row *row = w->row + node->row; row < w->row + node[1].row; row++) {
        const double *y = w->factor->work + w->node[row->node].work;
        int s = tn_stride(w->factor->size[row->node]);
        if (s == 0) {
            continue;
        }
#define TN_PULL(D, S) tn_block_pull(block + row->block, S, x, y, D)
        TN_BY_SIZE(d, s, TN_PULL)
#undef TN_PULL
    }
    backward_self(a, x, d);
}

TN_INLINE void sweep_all(const struct sweep *w)
{
    gather(w);
    for (int32_t k = 0; k < w->n; k++) {
        forward_node(w, k);
    }
    for (int32_t k = w->n - 1; k >= 0; k--) {
        backward_node(w, k);
    }
    scatter(w);
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
    struct sweep w = {kkt->node, kkt->row, factor, kkt->layout.n_order, u_inout, y_inout};
    if (factor->wide) {
        sweep_wide(&w);
    } else {
        sweep_plain(&w);
    }
}
