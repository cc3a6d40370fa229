/* panels.c: which columns of the factor are eliminated together.
 *
 * Room sparse. In: columns and their rows. Out: panels, runs of columns that couple to each other and to the same
 * later nodes, the rest. Where a node of a wide front is eliminated, those after it mostly are of one: what
 * they take from the rest is added up while it is in the registers, where column by column it would be read and
 * written once each (factor.c).
 */
#include "sparse/kkt_impl.h"

/* Nodes of the rest below which a panel is no gain. */
enum { LEAST_REST = 4 };

static int32_t row_count(const tn_kkt *kkt, int32_t k)
{
    return kkt->node[k + 1].row - kkt->node[k].row;
}

/* Does column k couple to the next one and to what that one couples to, alone? Of two columns the rows of the
 * earlier one but the first are among those of that first. */
static bool goes_on(const tn_kkt *kkt, int32_t k)
{
    const int32_t rows = row_count(kkt, k);
    return rows > LEAST_REST && kkt->row[kkt->node[k].row].node == k + 1 &&
           row_count(kkt, k + 1) == rows - 1;
}

/* Strides of the rest of a panel whose last column is k. */
static int64_t rest_of(const tn_kkt *kkt, int32_t k)
{
    int64_t strides = 0;
    for (int32_t t = kkt->node[k].row; t < kkt->node[k + 1].row; t++)
        strides += tn_stride(kkt->node[kkt->row[t].node].size);
    return strides;
}

/* Marks the nodes of a panel. */
static void mark(tn_kkt *kkt, int32_t first, int32_t last)
{
    for (int32_t k = first; k <= last; k++)
        kkt->node[k].panel = (int16_t)(first - k);
    kkt->node[first].panel = (int16_t)(last + 1 - first);
}

/* The first node of the panel of node k. */
static int32_t head_of(const tn_kkt *kkt, int32_t k)
{
    return kkt->node[k].panel > 0 ? k : k + kkt->node[k].panel;
}

/* Which column is the first to touch a panel? */
static void mark_openings(tn_kkt *kkt)
{
    const int32_t n = kkt->layout.n_order;
    for (int32_t k = 0; k < n; k++)
        kkt->node[k].opens = kkt->node[k].panel > 0;
    for (int32_t k = 0; k < n; k++) {
        for (int32_t t = kkt->node[k].row; t < kkt->node[k + 1].row; t++) {
            const int32_t head = head_of(kkt, kkt->row[t].node);
            kkt->row[t].opens = head > k && kkt->node[head].opens;
            kkt->node[head].opens = kkt->node[head].opens && head <= k;
        }
    }
}

void tn_kkt_find_panels(tn_kkt *kkt)
{
    const int32_t n = kkt->layout.n_order;
    int32_t last = 0;
    for (int32_t k = 0; k < n; k = last + 1) {
        int32_t columns = kkt->node[k].size;
        last = k;
        while (last + 1 < n && goes_on(kkt, last) &&
               columns + kkt->node[last + 1].size <= TN_PANEL_COLUMNS)
            columns += kkt->node[++last].size;
        mark(kkt, k, last);
        const int64_t doubles = last > k ? columns * rest_of(kkt, last) : 0;
        kkt->panel_doubles = doubles > kkt->panel_doubles ? doubles : kkt->panel_doubles;
    }
    mark_openings(kkt);
}

/* ---- where blocks are ---- */

/* A place in the factor for the block of a row in a column of d rows; behind it the next one. */
static int64_t place_block(tn_kkt_factor *factor, tn_kkt_row *row, int32_t d, int64_t at)
{
    row->block = at;
    return at + d * tn_stride(factor->size[row->node]);
}

/* Pivot block of column k and the blocks of its first rows. */
static int64_t place_column(tn_kkt_factor *factor, int32_t k, int32_t rows, int64_t at)
{
    tn_kkt_node *node = &factor->node[k];
    const int32_t d = factor->size[k];
    node->diagonal = at;
    at += tn_upper_doubles(d);
    for (int32_t t = node->row; t < node->row + rows; t++)
        at = place_block(factor, &factor->row[t], d, at);
    return at;
}

/* What couples the panel's columns, then the blocks below, those of a later node side by side. */
static int64_t place_panel(tn_kkt_factor *factor, int32_t k, int32_t count, int64_t at)
{
    const int32_t rest = factor->node[k + count].row - factor->node[k + count - 1].row;
    for (int32_t i = 0; i < count; i++)
        at = place_column(factor, k + i, count - 1 - i, at);
    for (int32_t r = 0; r < rest; r++) {
        for (int32_t i = 0; i < count; i++) {
            tn_kkt_row *row = &factor->row[factor->node[k + i].row + count - 1 - i + r];
            at = place_block(factor, row, factor->size[k + i], at);
        }
    }
    return at;
}

void tn_kkt_place_blocks(const tn_kkt *kkt, tn_kkt_factor *factor)
{
    int64_t at = 0;
    for (int32_t k = 0; k < kkt->layout.n_order; k += kkt->node[k].panel) {
        const tn_kkt_node *node = &factor->node[k];
        at = node->panel > 1 ? place_panel(factor, k, node->panel, at)
                             : place_column(factor, k, node[1].row - node->row, at);
    }
    factor->node[kkt->layout.n_order].diagonal = at;
}
