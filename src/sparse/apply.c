/* apply.c: products with H, G and G^T, and the residual of the unregularised system.
 *
 * Room sparse. In: values, vectors. Out: vectors in the caller's order.
 * Nodes are visited in elimination order because the blocks lie so.
 */
#include "sparse/kkt_impl.h"

#include "sparse/dense.h"

#include <string.h>

/* f -= A u with a symmetric d x d block. */
TN_INLINE void minus_symmetric(const double *a, const double *u, double *f, int d)
{
    for (int j = 0; j < d; j++) {
        for (int i = 0; i < d; i++) {
            f[i] -= a[j * d + i] * u[j];
        }
    }
}

/* f -= H u of the blocks off the diagonal. */
static void minus_pairs(const tn_kkt *kkt, const tn_kkt_values *values, const double *u, double *f)
{
    const tn_kkt_layout *l = &kkt->layout;
    for (int32_t p = 0; p < l->n_pair; p++) {
        if (l->pair_offset[p] < 0) {
            continue;
        }
        const int32_t i = l->pair_primal[2 * p], j = l->pair_primal[2 * p + 1];
        const int32_t n = l->primal_dim[j];
        const double *block = values->g + l->pair_offset[p];
        const double *u_i = u + l->u_offset[i], *u_j = u + l->u_offset[j];
        double *f_i = f + l->u_offset[i], *f_j = f + l->u_offset[j];
        for (int32_t r = 0; r < l->primal_dim[i]; r++) {
            for (int32_t c = 0; c < n; c++) {
                f_i[r] -= block[r * n + c] * u_j[c];
                f_j[c] -= block[r * n + c] * u_i[r];
            }
        }
    }
}

/* f -= H u. */
TN_INLINE void minus_h(const tn_kkt *kkt, const tn_kkt_values *values, const double *u, double *f)
{
    const tn_kkt_layout *l = &kkt->layout;
    for (int32_t p = 0; p < l->n_order; p++) {
        const tn_kkt_node *node = &kkt->node[p];
        if (node->dual) {
            continue;
        }
        const double *h = values->h + l->h_offset[node->index];
        if (node->size == 6) {
            const double *x = u + node->vector;
            double *y = f + node->vector;
            TN_LANE_LOOP(6, {
                lane sum = TN_CONST_LANE(y + at);
                TN_UNROLL
                for (int j = 0; j < 6; j++) {
                    sum -= x[j] * TN_CONST_LANE(h + j * 6 + at);
                }
                TN_LANE(y + at) = sum;
            })
        } else if (node->size == 3) {
            minus_symmetric(h, u + node->vector, f + node->vector, 3);
        } else {
            minus_symmetric(h, u + node->vector, f + node->vector, node->size);
        }
    }
    if (l->n_pair > 0) {
        minus_pairs(kkt, values, u, f);
    }
}

/* w -= G u on one block. */
TN_INLINE void minus_g_block(const double *g, const double *u, double *w, int rows, int d)
{
    for (int i = 0; i < rows; i++) {
        double sum = 0.0;
        TN_UNROLL
        for (int j = 0; j < d; j++) {
            sum += g[i * d + j] * u[j];
        }
        w[i] -= sum;
    }
}

TN_INLINE void minus_g_block_6(const double *g, const double *u, double *w, int rows)
{
    for (int i = 0; i < rows; i++) {
        w[i] -= tn_dot(g + i * 6, u, 6);
    }
}

/* f += G^T lambda on one block. */
TN_INLINE void plus_gt_block(const double *g, const double *lambda, double *f, int rows, int d)
{
    for (int i = 0; i < rows; i++) {
        TN_UNROLL
        for (int j = 0; j < d; j++) {
            f[j] += g[i * d + j] * lambda[i];
        }
    }
}

TN_INLINE void plus_gt_block_6(const double *g, const double *lambda, double *f, int rows){
    TN_LANE_LOOP(6,
                 {
                     lane sum = TN_CONST_LANE(f + at);
                     for (int i = 0; i < rows; i++) {
                         sum += lambda[i] * TN_CONST_LANE(g + i * 6 + at);
                     }
                     TN_LANE(f + at) = sum;
                 })}

/* One walk over G: w -= G u and f += G^T lambda, each optional. */
TN_INLINE void walk_g(const tn_kkt *kkt, const tn_kkt_values *values, const double *u, double *w,
                      const double *lambda, double *f)
{
    const tn_kkt_layout *l = &kkt->layout;
    for (int32_t p = 0; p < l->n_order; p++) {
        const tn_kkt_node *node = &kkt->node[p];
        if (!node->dual) {
            continue;
        }
        int rows = values->rows[node->index];
        for (int32_t t = l->dual_start[node->index]; t < l->dual_start[node->index + 1]; t++) {
            if (l->g_offset[t] < 0) {
                continue;
            }
            const double *g = values->g + l->g_offset[t];
            int64_t at_u = l->u_offset[l->dual_primal[t]];
            int d = l->primal_dim[l->dual_primal[t]];
            if (w != NULL) {
                if (d == 6 && rows == 5) {
                    minus_g_block_6(g, u + at_u, w + node->vector, 5);
                } else if (d == 6) {
                    minus_g_block_6(g, u + at_u, w + node->vector, rows);
                } else if (d == 3 && rows == 2) {
                    minus_g_block(g, u + at_u, w + node->vector, 2, 3);
                } else {
                    minus_g_block(g, u + at_u, w + node->vector, rows, d);
                }
            }
            if (f != NULL) {
                if (d == 6 && rows == 5) {
                    plus_gt_block_6(g, lambda + node->vector, f + at_u, 5);
                } else if (d == 6) {
                    plus_gt_block_6(g, lambda + node->vector, f + at_u, rows);
                } else if (d == 3 && rows == 2) {
                    plus_gt_block(g, lambda + node->vector, f + at_u, 2, 3);
                } else {
                    plus_gt_block(g, lambda + node->vector, f + at_u, rows, d);
                }
            }
        }
    }
}

/* w <- g - R lambda on active rows (g NULL: 0; lambda NULL: only g). */
static void start_rows(const tn_kkt *kkt, const tn_kkt_values *values, const double *g,
                       const double *lambda, double *w)
{
    const tn_kkt_layout *l = &kkt->layout;
    for (int32_t k = 0; k < l->n_dual; k++) {
        if (kkt->dual_position[k] < 0) {
            continue;
        }
        for (int64_t i = l->y_offset[k]; i < l->y_offset[k] + values->rows[k]; i++) {
            w[i] = (g != NULL ? g[i] : 0.0) - (lambda != NULL ? values->r[i] * lambda[i] : 0.0);
        }
    }
}

void tn_kkt_residual(const tn_kkt *kkt, const tn_kkt_values *values, const double *u,
                     const double *lambda, const double *b, const double *g, double *ru, double *rl)
{
    size_t bytes = (size_t)kkt->layout.u_size * sizeof *ru;
    if (b != NULL) {
        memcpy(ru, b, bytes);
    } else {
        memset(ru, 0, bytes);
    }
    minus_h(kkt, values, u, ru);
    start_rows(kkt, values, g, lambda, rl);
    walk_g(kkt, values, u, rl, lambda, ru);
}

void tn_kkt_apply_gt(const tn_kkt *kkt, const tn_kkt_values *values, const double *lambda,
                     double *f)
{
    walk_g(kkt, values, NULL, NULL, lambda, f);
}

void tn_kkt_apply_s(const tn_kkt *kkt, const tn_kkt_values *values, const double *u,
                    const double *lambda, double *w)
{
    const tn_kkt_layout *l = &kkt->layout;
    start_rows(kkt, values, NULL, lambda, w);
    walk_g(kkt, values, u, w, NULL, NULL);
    for (int32_t k = 0; k < l->n_dual; k++) {
        if (kkt->dual_position[k] < 0) {
            continue;
        }
        for (int64_t i = l->y_offset[k]; i < l->y_offset[k] + values->rows[k]; i++) {
            w[i] = -w[i];
        }
    }
}

void tn_kkt_apply_g(const tn_kkt *kkt, const tn_kkt_values *values, const double *u, double *w)
{
    tn_kkt_apply_s(kkt, values, u, NULL, w);
}

void tn_kkt_apply_h(const tn_kkt *kkt, const tn_kkt_values *values, const double *u, double *f)
{
    memset(f, 0, (size_t)kkt->layout.u_size * sizeof *f);
    minus_h(kkt, values, u, f);
    for (int64_t i = 0; i < kkt->layout.u_size; i++) {
        f[i] = -f[i];
    }
}
