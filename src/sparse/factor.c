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
 * nodes of a mechanism couple to one later node only; that case is one fused kernel. In nets columns come in panels
 * (panels.c), whose updates of what is below are added up in registers, in the same order.
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

/* cleared: the block is zero. */
TN_INLINE void fill_block(const struct pass *f, const tn_kkt_row *row, int d, int n, bool cleared)
{
    if (cleared && row->kind == TN_SOURCE_FILL) {
        return;
    }
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

/* The matrix entries of column k. */
TN_INLINE void fill_column(const struct pass *f, int32_t k, bool cleared)
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
        fill_block(f, row, d, f->factor->size[row->node], cleared);
    }
}

/* Those of the panel that begins with column k, or of that column. Most blocks of a panel are zero, and lie side by
 * side. */
TN_INLINE void fill_panel(const struct pass *f, int32_t k)
{
    const int32_t count = f->node[k].panel;
    if (count == 1) {
        fill_column(f, k, false);
        return;
    }
    const int64_t begin = f->node[k].diagonal, end = f->node[k + count].diagonal;
    memset(f->factor->block + begin, 0, (size_t)(end - begin) * sizeof(double));
    for (int32_t i = k; i < k + count; i++) {
        fill_column(f, i, true);
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

/* Updates of the pairs (r, q), q >= r, of a column's later nodes, r of the first `count`. */
TN_INLINE void update_pairs(const struct pass *f, const tn_kkt_node *node, int d, int32_t count)
{
    const tn_kkt_row *begin = f->row + node->row;
    const tn_kkt_row *end = f->row + node[1].row;
    double *block = f->factor->block;
    const double *w = f->factor->unscaled;
    for (const tn_kkt_row *r = begin; r < begin + count; r++) {
        int rows = f->factor->size[r->node];
        int sr = tn_stride(rows);
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

/* All inverse pivots of a node finite and of the right sign? Keeps the pivot watch. */
TN_INLINE bool check_pivots_of(const struct pass *f, const tn_kkt_node *node, int d)
{
    const double *a = f->factor->block + node->diagonal;
    int s = tn_stride(d);
    bool good = true;
    if (!node->dual) {
        for (int j = 0; j < d; j++) {
            good = good && a[tn_upper(j, s) + j] > 0.0 && a[tn_upper(j, s) + j] <= DBL_MAX;
        }
        return good;
    }
    double smallest = f->factor->smallest_pivot;
    for (int j = 0; j < d; j++) {
        double inverse = -a[tn_upper(j, s) + j];
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
        return check_pivots_of(f, node, 2);
    case 3:
        return check_pivots_of(f, node, 3);
    case 6:
        return check_pivots_of(f, node, 6);
    default:
        return check_pivots_of(f, node, d);
    }
}

/* Asks for what is filled in, from the caller's vectors, a few columns later, and checked. */
TN_INLINE void prefetch_rows(const struct pass *f, int32_t k)
{
    if (!f->far || k >= f->n) {
        return;
    }
    const tn_kkt_node *node = &f->node[k];
    for (const tn_kkt_row *row = f->row + node->row; row < f->row + node[1].row; row++) {
        const tn_kkt_node *later = &f->node[row->node];
        if (row->opens && later->dual) {
            __builtin_prefetch(f->values->r + later->vector);
            __builtin_prefetch(f->values->e + later->vector);
        }
    }
    if (node->dual) {
        __builtin_prefetch(f->values->a + node->vector);
        __builtin_prefetch(f->values->r + node->vector);
    }
}

/* Matrix entries that are needed from column k on. */
TN_INLINE void begin_column(const struct pass *f, int32_t k)
{
    const tn_kkt_node *node = &f->node[k];
    prefetch_rows(f, k + TN_PREFETCH_NODES);
    if (node->opens) {
        fill_panel(f, k);
    }
    for (const tn_kkt_row *row = f->row + node->row; row < f->row + node[1].row; row++) {
        if (row->opens) {
            const int32_t panel = f->node[row->node].panel;
            fill_panel(f, panel > 0 ? row->node : row->node + panel);
        }
    }
}

/* ---- panels ---- */

/* P U of a column below its panel, `inside` of whose nodes come after it, to those of all its columns: for each later
 * node `depth` rows, of which `done` are there. U is so already (kkt_impl.h). */
TN_INLINE void keep_rest(const struct pass *f, const tn_kkt_node *node, int d, int32_t inside,
                         int32_t depth, int32_t done)
{
    const tn_kkt_row *begin = f->row + node->row, *end = f->row + node[1].row;
    const double *w = f->factor->unscaled;
    double *to = f->factor->panel;
    for (const tn_kkt_row *r = begin; r < end; r++) {
        const int s = tn_stride(f->factor->size[r->node]);
        if (r >= begin + inside) {
            memcpy(to + done * s, w, (size_t)(d * s) * sizeof *w);
            to += depth * s;
        }
        w += d * s;
    }
}

/* How many nodes from q on, TN_ABREAST at most, have blocks of stride 4? */
TN_INLINE int32_t count_abreast(const struct pass *f, const tn_kkt_row *q, const tn_kkt_row *end)
{
    int32_t n = 0;
    while (n < TN_ABREAST && q + n < end && tn_stride(f->factor->size[q[n].node]) == 4) {
        n++;
    }
    return n;
}

/* Updates of the blocks of node r below a panel by all of its columns. */
TN_INLINE void update_row(const struct pass *f, const tn_kkt_row *r, const tn_kkt_row *end,
                          const double *w, int32_t depth)
{
    double *block = f->factor->block;
    const int rows = f->factor->size[r->node], sr = tn_stride(rows);
    const tn_kkt_row *target = f->row + f->node[r->node].row;
    for (const tn_kkt_row *q = r + 1; q < end;) {
        const int32_t abreast = rows == 3 ? count_abreast(f, q, end) : 0;
        const int32_t count = abreast == TN_ABREAST ? TN_ABREAST : 1;
        double *t[TN_ABREAST];
        for (int32_t n = 0; n < count; n++) {
            while (target->node < q[n].node) {
                target++;
            }
            t[n] = block + target->block;
        }
        if (count == TN_ABREAST) {
            tn_panel_update_abreast(t, w, block + q->block, depth);
        } else {
            const int s = tn_stride(f->factor->size[q->node]);
            tn_panel_update(t[0], w, sr, block + q->block, depth, rows, s);
        }
        q += count;
    }
}

/* Updates of all pairs of nodes below a panel, whose first column has these rows. */
TN_INLINE void update_rest(const struct pass *f, const tn_kkt_row *begin, const tn_kkt_row *end,
                           int32_t depth)
{
    double *block = f->factor->block;
    const double *w = f->factor->panel;
    for (const tn_kkt_row *r = begin; r < end; r++) {
        const int rows = f->factor->size[r->node], sr = tn_stride(rows);
        double *t = block + f->node[r->node].diagonal;
        if (rows == 3) {
            tn_panel_update_upper3(t, w, block + r->block, depth);
        } else {
            tn_block_update_upper(t, w, block + r->block, depth, rows, sr);
        }
        update_row(f, r, end, w, depth);
        w += depth * sr;
    }
}

/* `count` columns from k on that couple to each other and to the same later nodes, or one with any number of them. */
TN_INLINE bool eliminate_panel(struct pass *f, int32_t k, int32_t count)
{
    int32_t depth = 0, done = 0;
    for (int32_t i = 0; i < count; i++) {
        depth += f->factor->size[k + i];
    }
    for (int32_t i = 0; i < count; i++) {
        const tn_kkt_node *node = &f->node[k + i];
        const int d = f->factor->size[k + i], inside = count - 1 - i;
        begin_column(f, k + i);
        if (d == 0) {
            continue;
        }
        divide_column(f, node, d);
        update_pairs(f, node, d, count > 1 ? inside : node[1].row - node->row);
        if (count > 1) {
            keep_rest(f, node, d, inside, depth, done);
        }
        done += d;
        if (!check_pivots(f, node, d)) {
            f->failed = k + i;
            return false;
        }
    }
    if (count > 1) {
        update_rest(f, f->row + f->node[k].row + count - 1, f->row + f->node[k + 1].row, depth);
    }
    return true;
}

/* ---- all ---- */

/* Has the node one later neighbour, with rows? */
TN_INLINE bool is_single(const struct pass *f, const tn_kkt_node *node)
{
    return node[1].row - node->row == 1 && f->factor->size[f->row[node->row].node] > 0;
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
        const int32_t count = f->node[k].panel;
        good = is_single(f, &f->node[k]) ? eliminate_alone(f, k) : eliminate_panel(f, k, count);
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
    const double *a = f->factor->block + f->node[f->failed].diagonal;
    int d = f->factor->size[f->failed];
    for (int j = 0; j < d; j++) {
        double inverse = a[tn_upper(j, tn_stride(d)) + j];
        if (isnan(inverse) || inverse == 0.0) {
            return TN_ERROR_NOT_FINITE;
        }
        if ((f->node[f->failed].dual ? -inverse : inverse) < 0.0 || isinf(inverse)) {
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
