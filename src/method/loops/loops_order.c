/* loops_order.c: room method/loops: the order of the cuts of a loop in its matrix. See loop_matrix.h.
 *
 * Cuts that share links are neighbours. From one at the end of the loop on, neighbours of the earliest cut come next
 * (Cuthill & McKee 1969), so that lines of the matrix reach back by as little as the loop is wide.
 */
#include <string.h>

#include "base/base.h"
#include "method/loops/loops.h"

/* Cuts by links. */
typedef struct tn_loop_graph {
    const tn_loop_cut *cuts;
    int32_t count, links;
    int32_t *start;   /* [links + 1] of `by_link` */
    int32_t *by_link; /* cuts that move each link */
    int8_t *is_done;  /* [links] its cuts are in the order */
    int8_t *is_in;    /* [count] */
    int32_t *order;   /* [count] */
} tn_loop_graph;

static void put_cuts_by_link(const tn_loop_graph *g, int32_t size)
{
    for (int32_t n = 0; n < g->count; n++) {
        for (int32_t c = 0; c < g->cuts[n].moved; c++)
            g->start[g->cuts[n].column[c] + 1]++;
    }
    for (int32_t k = 0; k < g->links; k++)
        g->start[k + 1] += g->start[k];
    for (int32_t n = g->count - 1; n >= 0;
         n--) { /* restores start, which the loop above has advanced */
        for (int32_t c = 0; c < g->cuts[n].moved; c++)
            g->by_link[--g->start[g->cuts[n].column[c] + 1]] = n;
    }
    for (int32_t k = 0; k < g->links; k++)
        g->start[k] = g->start[k + 1];
    g->start[g->links] = size;
}

/* The order from a cut on; returns the cut that comes last. */
static int32_t walk(const tn_loop_graph *g, int32_t from)
{
    int32_t count = 1;
    memset(g->is_done, 0, (size_t)g->links);
    memset(g->is_in, 0, (size_t)g->count);
    g->order[0] = from;
    g->is_in[from] = 1;
    for (int32_t n = 0; n < count; n++) {
        const tn_loop_cut *cut = &g->cuts[g->order[n]];
        for (int32_t c = 0; c < cut->moved; c++) {
            const int32_t k = cut->column[c];
            for (int32_t i = g->start[k]; i < g->start[k + 1] && !g->is_done[k]; i++) {
                if (!g->is_in[g->by_link[i]])
                    g->order[count++] = g->by_link[i];
                g->is_in[g->by_link[i]] = 1;
            }
            g->is_done[k] = 1;
        }
    }
    return g->order[count - 1];
}

/* Sorts the cuts, and finds how far each reaches back. `place`: [links] scratch. */
static void take_order(const tn_loop_graph *g, tn_loop_cut *cuts, tn_loop_cut *ordered,
                       int32_t *place, int32_t *first)
{
    for (int32_t n = 0; n < g->count; n++)
        ordered[n] = cuts[g->order[n]];
    memcpy(cuts, ordered, sizeof *cuts * (size_t)g->count);
    for (int32_t k = 0; k < g->links; k++)
        place[k] = g->count;
    for (int32_t n = 0; n < g->count; n++) {
        first[n] = n;
        for (int32_t c = 0; c < cuts[n].moved; c++) {
            int32_t *of = &place[cuts[n].column[c]];
            *of = *of < n ? *of : n;
            first[n] = *of < first[n] ? *of : first[n];
        }
    }
}

tn_status tn_loop_cuts_order(tn_loop_cut *cuts, int32_t count, int32_t links, int32_t *first)
{
    int32_t size = 0;
    for (int32_t n = 0; n < count; n++)
        size += cuts[n].moved;
    int32_t *at = TN_NEW_ARRAY(int32_t, 2 * (int64_t)links + 1 + (int64_t)size + count);
    int8_t *marks = TN_NEW_ARRAY(int8_t, (int64_t)links + count);
    tn_loop_cut *ordered = TN_NEW_ARRAY(tn_loop_cut, count);
    const tn_status status = at && marks && ordered ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        const tn_loop_graph g = {.cuts = cuts,
                                 .count = count,
                                 .links = links,
                                 .start = at,
                                 .by_link = at + links + 1,
                                 .is_done = marks,
                                 .is_in = marks + links,
                                 .order = at + links + 1 + size};
        put_cuts_by_link(&g, size);
        walk(&g, walk(&g, 0)); /* start at a cut that is furthest from another one */
        take_order(&g, cuts, ordered, g.order + count, first);
    }
    tn_free(at);
    tn_free(marks);
    tn_free(ordered);
    return status;
}
