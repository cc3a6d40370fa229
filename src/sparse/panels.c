/* panels.c: which columns of the factor are eliminated together, and where all blocks are stored.
 *
 * Room sparse. In: columns and their rows. Out: panels: runs of columns that couple to each other and to the same
 * later nodes, called the rest. Nodes of a wide front are mostly eliminated one after the other. Their rows are
 * dense, and what they take from the rest is summed in registers (sparse/front/front.h); column by column each number
 * would be read and written once per column.
 */
#include "sparse/kkt_impl.h"

#include "base/base.h"

/* With fewer nodes in the rest, dense rows are no gain. */
enum { LEAST_REST = 4 };

static int32_t row_count(const tn_kkt *kkt, int32_t k)
{
    return kkt->node[k + 1].row - kkt->node[k].row;
}

/* True if column k couples exactly to the next column and to the nodes that the next one couples to. Comparing counts
 * is enough: the rows of column k, except the first, are always among those of its first row's column. */
static bool goes_on(const tn_kkt *kkt, int32_t k)
{
    const int32_t rows = row_count(kkt, k);
    return rows > LEAST_REST && kkt->row[kkt->node[k].row].node == k + 1 &&
           row_count(kkt, k + 1) == rows - 1;
}

/* Number of scalars in the rest of a panel whose last column is k, with all rows active. */
static int32_t rest_of(const tn_kkt *kkt, int32_t k)
{
    int32_t scalars = 0;
    for (int32_t t = kkt->node[k].row; t < kkt->node[k + 1].row; t++)
        scalars += kkt->node[kkt->row[t].node].size;
    return scalars;
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Marks the nodes of a panel. */
static void mark(tn_kkt *kkt, int32_t first, int32_t last)
{
    for (int32_t k = first; k <= last; k++) {
        kkt->node[k].panel = (int16_t)(first - k);
        kkt->front_of[k] = -1;
    }
    kkt->node[first].panel = (int16_t)(last + 1 - first);
}

/* Marks a panel with dense rows. Updates among its columns happen inside the front and are not stored. */
static void mark_front(tn_kkt *kkt, int32_t first, int32_t last, int32_t rows)
{
    const int32_t columns = rest_of(kkt, last);
    for (int32_t k = first; k <= last; k++) {
        kkt->node[k].front = true;
        kkt->front_of[k] = kkt->n_fronts;
    }
    for (int32_t t = kkt->node[first].row; t < tn_rest_begin(kkt->node, first); t++)
        kkt->node[kkt->row[t].node].untouched = kkt->row[t].first;
    kkt->n_fronts++;
    const int64_t doubles = (int64_t)rows * tn_front_stride(columns);
    kkt->panel_doubles = doubles > kkt->panel_doubles ? doubles : kkt->panel_doubles;
    kkt->widest_rest = most(kkt->widest_rest, tn_front_stride(columns));
    kkt->most_rest = most(kkt->most_rest, row_count(kkt, last));
    kkt->n_later += row_count(kkt, last);
}

/* Marks, for each panel, the column that updates it first. */
static void mark_openings(tn_kkt *kkt)
{
    const int32_t n = kkt->layout.n_order;
    for (int32_t k = 0; k < n; k++)
        kkt->node[k].opens = kkt->node[k].panel > 0;
    for (int32_t k = 0; k < n; k++) {
        for (int32_t t = kkt->node[k].row; t < kkt->node[k + 1].row; t++) {
            const int32_t head = tn_panel_head(kkt->node, kkt->row[t].node);
            kkt->row[t].opens = head > k && kkt->node[head].opens;
            kkt->node[head].opens = kkt->node[head].opens && head <= k;
        }
    }
}

static void find_panels(tn_kkt *kkt)
{
    const int32_t n = kkt->layout.n_order;
    int32_t last = 0;
    for (int32_t k = 0; k < n; k = last + 1) {
        int32_t rows = kkt->node[k].size;
        last = k;
        while (last + 1 < n && goes_on(kkt, last) &&
               rows + kkt->node[last + 1].size <= TN_FRONT_DEPTH)
            rows += kkt->node[++last].size;
        mark(kkt, k, last);
        if (row_count(kkt, last) >= LEAST_REST)
            mark_front(kkt, k, last, rows);
    }
}

/* ---- where blocks are ---- */

/* The nodes and rows to be placed, of an analysis or of a factor, and the sizes of the nodes. */
struct places {
    const tn_kkt *kkt;
    tn_kkt_node *node;
    tn_kkt_row *row;
    tn_kkt_front *front;
    int16_t *place;
    const int16_t *size;
};

/* Places the pivot block of column k, then one block per row. Returns the next free place. */
static int64_t place_column(const struct places *p, int32_t k, int64_t at)
{
    tn_kkt_node *node = &p->node[k];
    const int32_t d = p->size[k];
    node->diagonal = at;
    at += tn_upper_doubles(d);
    for (int32_t t = node->row; t < node[1].row; t++) {
        p->row[t].block = at;
        at += d * tn_stride(p->size[p->row[t].node]);
    }
    return at;
}

/* Places the rows of a panel's nodes one after the other; they share one block of pivots. Returns the depth. */
static int32_t place_rows(const struct places *p, int32_t k, int64_t at)
{
    int32_t depth = 0;
    for (int32_t i = k; i < k + p->node[k].panel; i++) {
        p->node[i].diagonal = at;
        p->place[i] = (int16_t)depth;
        depth += p->size[i];
    }
    return depth;
}

/* Where the columns of later nodes begin in the rows of node i. */
static int32_t place_rest(const struct places *p, int32_t i, int32_t row, int64_t at)
{
    int32_t columns = 0;
    for (int32_t t = row; t < p->node[i + 1].row; t++) {
        p->row[t].block = at + columns;
        columns += p->size[p->row[t].node];
    }
    return columns;
}

static int64_t place_front(const struct places *p, int32_t k, int64_t at)
{
    const int32_t count = p->node[k].panel, depth = place_rows(p, k, at);
    tn_kkt_front *front = &p->front[p->kkt->front_of[k]];
    const int64_t begin = at + tn_upper_doubles(depth), lanes = TN_FRONT_LANES;
    const int64_t rest = (begin + lanes - 1) / lanes * lanes;
    const int32_t last = p->node[k + count - 1].row;
    const int32_t stride = tn_front_stride(place_rest(p, k + count - 1, last, rest));
    *front = (tn_kkt_front){at, rest, depth, stride, front->later};
    front[1].later = front->later + p->node[k + count].row - last;
    for (int32_t i = k; i < k + count; i++)
        place_rest(p, i, p->node[i].row + k + count - 1 - i, rest + p->place[i] * stride);
    return rest + (int64_t)depth * stride;
}

static int64_t place_all(const struct places *p)
{
    const int32_t n = p->kkt->layout.n_order;
    int64_t at = 0;
    for (int32_t k = 0; k < n; k += p->node[k].panel)
        at = p->node[k].front ? place_front(p, k, at) : place_column(p, k, at);
    p->node[n].diagonal = at;
    return at;
}

/* Lists the later nodes of the front that begins with node k, for solves. */
static void list_later(const tn_kkt_factor *factor, int32_t k)
{
    const tn_kkt_row *row = factor->row + tn_rest_begin(factor->node, k);
    const tn_kkt_front *front = &factor->front[factor->front_of[k]];
    for (int32_t i = front->later; i < front[1].later; i++, row++)
        factor->later[i] =
            (tn_kkt_later){factor->node[row->node].work, factor->size[row->node], row->first};
}

void tn_kkt_place_blocks(const tn_kkt *kkt, tn_kkt_factor *factor)
{
    const struct places p = {kkt,           factor->node,  factor->row,
                             factor->front, factor->place, factor->size};
    place_all(&p);
    for (int32_t k = 0; k < kkt->layout.n_order; k += factor->node[k].panel) {
        if (factor->node[k].front)
            list_later(factor, k);
    }
}

/* The largest size of a factor: that with all rows active, because more rows never need less room. */
static tn_status place_most(tn_kkt *kkt)
{
    const int32_t n = kkt->layout.n_order;
    struct places p = {kkt, kkt->node, kkt->row, TN_NEW_ARRAY(tn_kkt_front, kkt->n_fronts + 1),
                       TN_NEW_ARRAY(int16_t, n)};
    int16_t *size = TN_NEW_ARRAY(int16_t, n);
    const bool there = p.front != NULL && p.place != NULL && size != NULL;
    if (there) {
        for (int32_t k = 0; k < n; k++)
            size[k] = kkt->node[k].size;
        p.size = size;
        kkt->layout.factor_doubles = place_all(&p);
    }
    tn_free(p.front);
    tn_free(p.place);
    tn_free(size);
    return there ? TN_OK : TN_ERROR_MEMORY;
}

tn_status tn_kkt_find_panels(tn_kkt *kkt)
{
    kkt->front_of = TN_NEW_ARRAY(int32_t, kkt->layout.n_order);
    if (kkt->front_of == NULL)
        return TN_ERROR_MEMORY;
    find_panels(kkt);
    mark_openings(kkt);
    return kkt->n_fronts > 0 ? place_most(kkt) : TN_OK;
}
