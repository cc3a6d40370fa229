/* factor.c: block LDL^T of the regularised KKT matrix, no pivoting, right-looking.
 *
 * Room sparse/factor. In: symbolic object, values. Out: the factor (layout in kkt_impl.h).
 *
 * For each node k in elimination order, d = its active size:
 *     A_kk = L P L^T;   W_r = L^-1 A_kr, U_r = P^-1 W_r   for every later node r it couples to
 *     A_rq -= W_r^T U_q                                   for all pairs r <= q of those
 * The sign of every pivot is known (primal +, dual -); anything else is an error.
 * Columns in condensed form (kkt_impl.h) keep L^-T U_r instead of U_r, which only the updates need.
 *
 * A column is filled with its matrix entries just before its first update, not in a pass of its
 * own: on a chain all that a node needs is then in the cache, and memory is walked once. Almost all
 * nodes of a mechanism couple to one later node only; that case is one fused kernel. In nets columns form fronts
 * (panels.c) with dense rows: their contributions to later ones are summed in registers, in the same order.
 */
#include "sparse/factor/factor.h"

#include "base/base.h"
#include "sparse/factor/fronts.h"

#include <float.h>
#include <math.h>
#include <string.h>

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
    tn_kkt_forget(factor);
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
