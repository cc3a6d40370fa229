/* loops_pairs.c: room method/loops: finds the links that pairs of cuts of a loop have in common. See loops.h. */
#include "base/base.h"
#include "method/loops/loops.h"

/* Links on the path of cut n that cut i of its loop moves. */
static int32_t count_common(const tn_loop_cut *cut, const tn_loop_set *moved,
                            tn_loop_common *common)
{
    int32_t count = 0;
    for (int32_t c = 0; c < cut->columns; c++) {
        const int32_t place = moved->place[cut->column[c]];
        if (place >= 0 && common)
            common[count] = (tn_loop_common){c, place};
        count += place >= 0;
    }
    return count;
}

/* The cuts of the loop between the first and the last one that share links with those in `moved`: [first, last). */
typedef struct tn_loop_span {
    int32_t first, last;
} tn_loop_span;

static tn_loop_span span_of(const tn_loop_matrix *V, int32_t n)
{
    tn_loop_span span = {n, n + 1};
    while (span.first > 0 && V->begin[span.first] > V->start[n])
        span.first--;
    for (int32_t b = n + 1; b < V->blocks; b++)
        span.last = V->start[b] <= V->begin[n] ? b + 1 : span.last;
    return span;
}

static tn_status make_pairs(tn_loop_cut *cuts, const tn_link_loop *of, int32_t n, tn_loop_set *set)
{
    tn_loop_cut *cut = &cuts[n];
    const tn_loop_span span = span_of(&of->V, n);
    int32_t at = 0;
    cut->pairs = TN_NEW_ARRAY(tn_loop_pair, span.last - span.first);
    cut->common =
        TN_NEW_ARRAY(tn_loop_common, (int64_t)(span.last - span.first) * cut->columns + 1);
    if (!cut->pairs || !cut->common)
        return TN_ERROR_MEMORY;
    for (int32_t i = span.first; i < span.last; i++) {
        for (int32_t c = 0; c < cuts[i].moved; c++)
            tn_loop_set_add(set, cuts[i].column[c]);
        const int32_t count = count_common(cut, set, cut->common + at);
        if (count > 0)
            cut->pairs[cut->pair_count++] = (tn_loop_pair){of->cut + i, at, count};
        at += count;
        tn_loop_set_clear(set);
    }
    return TN_OK;
}

static tn_status make_numbers_of_cut(tn_loop_cut *cut)
{
    const int64_t path = (int64_t)cut->count * cut->columns;
    cut->z = TN_NEW_ARRAY(double, 2 * path + (int64_t)cut->count * cut->moved + 1);
    cut->own = cut->z + path;
    cut->y = cut->own + path;
    return cut->z ? TN_OK : TN_ERROR_MEMORY;
}

tn_status tn_loop_cuts_pair(tn_loop_cut *cuts, const tn_link_loop *of, tn_loop_set *set)
{
    tn_status status = TN_OK;
    for (int32_t n = 0; n < of->cuts && status == TN_OK; n++) {
        status = make_pairs(cuts, of, n, set);
        if (status == TN_OK)
            status = make_numbers_of_cut(&cuts[n]);
    }
    return status;
}
