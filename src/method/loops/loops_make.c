/* loops_make.c: room method/loops: finds which cuts form one loop, where it is eliminated, and its links. See
 * loops.h. */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "method/loops/loops.h"

/* Most links on the path of a cut: with more of them the general iteration, which pivots on bodies, is more exact. */
enum { TN_LOOP_COLUMNS = 256 };
/* Largest mean square of the lengths of lines in the matrix of a loop, as of a dense matrix of 64 rows: with longer
 * ones the factors cost more than the general iteration. */
#define TN_LOOP_REACH (64.0 * 64.0 / 3.0)

/* Scratch for creating loops. */
typedef struct tn_loop_making {
    const int32_t *inner;
    int32_t links;
    int32_t *host;  /* [cuts] */
    int32_t *order; /* [cuts] by host, those furthest out first */
    int32_t *root;  /* [cuts] of a host: the first cut of the same loop */
    int32_t *owner; /* [links] of a host: the last cut, in order, whose path has the link */
    int8_t *mark;   /* [links] */
    /* [links] the host furthest in among cuts whose paths have the link; `links`: no path has it */
    int32_t *last_host;
    tn_loop_set set;   /* links of a loop */
    tn_loop_set moved; /* and of a cut */
    tn_link_loops *loops;
} tn_loop_making;

/* The outermost link that both hang on, or that is one of them. */
static int32_t meet(const tn_loop_making *m, int32_t a, int32_t b)
{
    for (int32_t k = a; k >= 0; k = m->inner[k])
        m->mark[k] = 1;
    while (b >= 0 && !m->mark[b])
        b = m->inner[b];
    for (int32_t k = a; k >= 0; k = m->inner[k])
        m->mark[k] = 0;
    return b;
}

static int32_t host_of(const tn_loop_making *m, const tn_loop_cut *cut)
{
    int32_t host = cut->ends[0].link;
    for (int32_t e = 1; e < cut->end_count; e++)
        host = meet(m, host, cut->ends[e].link);
    return host;
}

static bool shares(const tn_loop_set *set, const tn_link_loop *of)
{
    bool any = false;
    for (int32_t n = 0; n < of->columns && !any; n++)
        any = set->place[of->column[n]] >= 0;
    return any;
}

static void put_path(const tn_loop_making *m, const tn_loop_cut *cut, int32_t host,
                     tn_loop_set *set)
{
    for (int32_t e = 0; e < cut->end_count; e++) {
        for (int32_t n = cut->ends[e].link; n != host && n >= 0; n = m->inner[n])
            tn_loop_set_add(set, n);
    }
}

/* Counts the loops of a host, one after the other. */
static int32_t first_hosted(const tn_loop_making *m, int32_t k)
{
    return m->loops->hosted[k + 1];
}

static bool is_hosted(const tn_loop_making *m, int32_t i, int32_t k)
{
    return i >= 0 && i < m->loops->count && m->loops->all[i].host == k;
}

/* Does a loop of a host further in, which is created later, pass link k? */
static bool is_passed_later(const tn_loop_making *m, int32_t host, int32_t k)
{
    return m->last_host[k] < host;
}

/* The links that move under a cut and are needed: those of its path, and, of the loops that it passes, those that
 * loops of hosts further in pass. */
static void put_support(const tn_loop_making *m, const tn_loop_cut *cut, int32_t host,
                        tn_loop_set *set)
{
    const int32_t before = set->count;
    put_path(m, cut, host, set);
    for (int32_t n = before, end = set->count; n < end; n++) {
        for (int32_t i = first_hosted(m, set->links[n]); is_hosted(m, i, set->links[n]); i++) {
            const tn_link_loop *of = &m->loops->all[i];
            for (int32_t c = 0; shares(set, of) && c < of->columns; c++) {
                if (is_passed_later(m, host, of->column[c]))
                    tn_loop_set_add(set, of->column[c]);
            }
        }
    }
}

static int32_t root_of(const tn_loop_making *m, int32_t n)
{
    while (m->root[n] != n)
        n = m->root[n];
    return n;
}

/* Cuts order[first] .. order[last - 1] have one host: joins those that share links. */
static void unite(const tn_loop_making *m, const tn_loop_cut *cuts, int32_t first, int32_t last)
{
    for (int32_t n = first; n < last; n++) {
        const int32_t cut = m->order[n];
        tn_loop_set set = m->set;
        m->root[n] = n;
        put_support(m, &cuts[cut], m->host[cut], &set);
        for (int32_t i = 0; i < set.count; i++) {
            int32_t *owner = &m->owner[set.links[i]];
            if (*owner >= first) {
                const int32_t a = root_of(m, *owner), b = root_of(m, n);
                m->root[a > b ? a : b] = a < b ? a : b;
            }
            *owner = n;
        }
        tn_loop_set_clear(&set);
    }
}

static int by_link(const void *a, const void *b)
{
    const int32_t one = *(const int32_t *)a, other = *(const int32_t *)b;
    return (one < other) - (one > other);
}

/* The index of link k among `count` links; -1: it is none of them. */
static int32_t place_among(const int32_t *links, int32_t count, int32_t k)
{
    int32_t place = -1;
    for (int32_t n = 0; n < count && place < 0; n++)
        place = links[n] == k ? n : -1;
    return place;
}

/* The links on the path of the cut, outer ones first, and for each the end from which it is reached first. */
static void put_columns(const tn_loop_making *m, int32_t host, tn_loop_cut *cut)
{
    qsort(cut->column, (size_t)cut->columns, sizeof *cut->column, by_link);
    for (int32_t c = 0; c < cut->columns; c++)
        cut->from[c] = -1;
    for (int32_t e = 0; e < cut->end_count; e++) {
        tn_loop_end *end = &cut->ends[e];
        end->joins = -1;
        for (int32_t k = end->link; k != host && k >= 0 && end->joins < 0; k = m->inner[k]) {
            const int32_t c = place_among(cut->column, cut->columns, k);
            if (cut->from[c] >= 0) {
                end->joins = c;
            } else {
                cut->from[c] = e;
            }
        }
    }
}

/* The path of a cut, as links. */
static void put_path_of(const tn_loop_making *m, int32_t host, tn_loop_cut *cut)
{
    cut->columns = 0;
    for (int32_t e = 0; e < cut->end_count; e++) {
        for (int32_t n = cut->ends[e].link; n != host && n >= 0; n = m->inner[n]) {
            if (place_among(cut->column, cut->columns, n) < 0)
                cut->column[cut->columns++] = n;
        }
    }
    put_columns(m, host, cut);
}

/* The links that a cut moves, those of its path first; m->moved has them afterwards, in that order. */
static tn_status make_path(const tn_loop_making *m, int32_t host, tn_loop_cut *cut)
{
    tn_loop_set support = m->moved;
    put_support(m, cut, host, &support);
    cut->moved = support.count;
    cut->column = TN_NEW_ARRAY(int32_t, 2 * (int64_t)cut->moved + 1);
    if (!cut->column) {
        tn_loop_set_clear(&support);
        return TN_ERROR_MEMORY;
    }
    cut->from = cut->column + cut->moved;
    put_path_of(m, host, cut);
    for (int32_t n = 0, at = cut->columns; n < cut->moved; n++) {
        if (place_among(cut->column, cut->columns, support.links[n]) < 0)
            cut->column[at++] = support.links[n];
    }
    tn_loop_set_clear(&support);
    if (cut->end_count > m->loops->most_ends)
        m->loops->most_ends = cut->end_count;
    return TN_OK;
}

static bool has_inner(const tn_loop_cut *cut, int32_t loop)
{
    bool any = false;
    for (int32_t n = 0; n < cut->inner_count && !any; n++)
        any = cut->inner[n].loop == loop;
    return any;
}

/* set: the links that the cut moves. */
static tn_status add_inner(const tn_loop_making *m, tn_loop_cut *cut, const tn_loop_set *set,
                           int32_t loop)
{
    const tn_link_loop *in = &m->loops->all[loop];
    tn_loop_inner *more = tn_realloc(cut->inner, sizeof *more * (size_t)(cut->inner_count + 1));
    if (!more)
        return TN_ERROR_MEMORY;
    cut->inner = more;
    tn_loop_inner *to = &cut->inner[cut->inner_count++];
    *to = (tn_loop_inner){.loop = loop,
                          .column = TN_NEW_ARRAY(int32_t, in->columns),
                          .response = TN_NEW_ARRAY(double, (int64_t)cut->count * in->rows)};
    if (!to->column || !to->response)
        return TN_ERROR_MEMORY;
    for (int32_t n = 0; n < in->columns; n++)
        to->column[n] = set->place[in->column[n]];
    return TN_OK;
}

/* The loops that the cut passes. */
static tn_status make_inner(const tn_loop_making *m, tn_loop_cut *cut)
{
    tn_status status = TN_OK;
    tn_loop_set set = m->moved;
    for (int32_t n = 0; n < cut->moved; n++)
        tn_loop_set_add(&set, cut->column[n]);
    for (int32_t n = 0; n < cut->moved && status == TN_OK; n++) {
        const int32_t k = cut->column[n];
        for (int32_t i = first_hosted(m, k); is_hosted(m, i, k) && status == TN_OK; i++) {
            if (shares(&set, &m->loops->all[i]) && !has_inner(cut, i))
                status = add_inner(m, cut, &set, i);
        }
    }
    tn_loop_set_clear(&set);
    return status;
}

static tn_status make_numbers(tn_link_loop *of)
{
    const int64_t rows = of->rows;
    of->added = TN_NEW_ARRAY(double, 2 * (int64_t)of->columns + 14 * rows);
    if (!of->added)
        return TN_ERROR_MEMORY;
    of->more = of->added + of->columns;
    of->left = of->more + of->columns;
    of->g = of->left + 6 * rows;
    of->by_most = of->g + 6 * rows;
    of->c = of->by_most + rows;
    return TN_OK;
}

/* The cuts of one host that belong to root n, in the order of their blocks (loops_order.c). */
static tn_status take_cuts(const tn_loop_making *m, tn_loop_cut *cuts, int32_t n, int32_t last,
                           tn_link_loop *of)
{
    tn_link_loops *loops = m->loops;
    tn_status status = TN_OK;
    for (int32_t i = n; i < last && status == TN_OK; i++) {
        if (root_of(m, i) != n)
            continue;
        tn_loop_cut *cut = &loops->cuts[loops->cut_count++];
        *cut = cuts[m->order[i]];
        cuts[m->order[i]].ends = NULL; /* the loops own them now */
        cut->loop = loops->count;
        cut->given = m->order[i];
        of->couples |= cut->couples;
        of->rows += cut->count;
        of->cuts++;
        status = make_path(m, of->host, cut);
    }
    return status;
}

/* The cuts of a loop in their order, and the blocks of its matrix. *fits: are they small enough to be eliminated? */
static tn_status order_cuts(const tn_loop_making *m, tn_link_loop *of, bool *fits)
{
    tn_loop_cut *cuts = m->loops->cuts + of->cut;
    int32_t *count = TN_NEW_ARRAY(int32_t, 2 * (int64_t)of->cuts);
    if (!count)
        return TN_ERROR_MEMORY;
    int32_t *first = count + of->cuts;
    tn_status status = tn_loop_cuts_order(cuts, of->cuts, m->links, first);
    double reach = 0.0;
    int32_t row = 0;
    for (int32_t n = 0; n < of->cuts && status == TN_OK; n++) {
        count[n] = cuts[n].count;
        cuts[n].first = m->loops->row_count + row;
        row += count[n];
        const double back = cuts[n].first + count[n] - cuts[first[n]].first;
        reach += count[n] * back * back;
        *fits &= cuts[n].columns <= TN_LOOP_COLUMNS;
    }
    *fits &= reach <= TN_LOOP_REACH * of->rows;
    if (status == TN_OK && *fits)
        status = tn_loop_matrix_create(count, first, of->cuts, &of->V);
    m->loops->row_count += of->rows;
    tn_free(count);
    return status;
}

/* Replaces links of the loop's cuts by columns of the loop. */
static tn_status make_columns(const tn_loop_making *m, tn_link_loop *of)
{
    tn_loop_set set = m->set;
    tn_loop_cut *cuts = m->loops->cuts + of->cut;
    for (int32_t n = 0; n < of->cuts; n++) {
        for (int32_t c = 0; c < cuts[n].moved; c++)
            tn_loop_set_add(&set, cuts[n].column[c]);
    }
    of->columns = set.count;
    of->column = TN_NEW_ARRAY(int32_t, set.count + 1);
    of->is_last = TN_NEW_ARRAY(int8_t, set.count + 1);
    const tn_status status = of->column && of->is_last ? TN_OK : TN_ERROR_MEMORY;
    for (int32_t i = 0; i < set.count && status == TN_OK; i++) {
        of->column[i] = set.links[i];
        m->loops->in_loops[set.links[i]] = 1;
    }
    for (int32_t n = 0; n < of->cuts; n++) {
        for (int32_t c = 0; c < cuts[n].moved; c++)
            cuts[n].column[c] = set.place[cuts[n].column[c]];
    }
    tn_loop_set_clear(&set);
    return status;
}

/* Creates the loop of the cuts that belong to root n. */
static tn_status make_loop(const tn_loop_making *m, tn_loop_cut *cuts, int32_t n, int32_t last,
                           bool *fits)
{
    tn_link_loops *loops = m->loops;
    tn_link_loop *of = &loops->all[loops->count];
    *of = (tn_link_loop){
        .host = m->host[m->order[n]], .first = loops->row_count, .cut = loops->cut_count};
    tn_status status = take_cuts(m, cuts, n, last, of);
    if (status == TN_OK)
        status = order_cuts(m, of, fits);
    tn_loop_cut *own = loops->cuts + of->cut;
    tn_loop_set moved = m->moved;
    for (int32_t i = 0; i < of->cuts && status == TN_OK && *fits; i++)
        status = make_inner(m, &own[i]);
    if (status == TN_OK && *fits)
        status = tn_loop_cuts_pair(own, of, &moved);
    if (status == TN_OK && *fits)
        status = make_columns(m, of);
    if (status == TN_OK && *fits)
        status = make_numbers(of);
    if (loops->hosted[of->host + 1] < 0)
        loops->hosted[of->host + 1] = loops->count;
    loops->count++;
    return status;
}

/* Marks, for each link, the loop that is eliminated last among those that have it. */
static void mark_last(const tn_loop_making *m)
{
    for (int32_t k = 0; k < m->links; k++)
        m->mark[k] = 0;
    for (int32_t i = m->loops->count - 1; i >= 0; i--) {
        tn_link_loop *of = &m->loops->all[i];
        for (int32_t n = 0; n < of->columns; n++) {
            of->is_last[n] = !m->mark[of->column[n]];
            m->mark[of->column[n]] = 1;
        }
    }
}

static void sort_by_host(const tn_loop_making *m, int32_t count)
{
    for (int32_t n = 0; n < count; n++) {
        int32_t at = n;
        while (at > 0 && m->host[m->order[at - 1]] < m->host[n]) {
            m->order[at] = m->order[at - 1];
            at--;
        }
        m->order[at] = n;
    }
}

static void put_last_hosts(const tn_loop_making *m, const tn_loop_cut *cuts, int32_t count)
{
    for (int32_t k = 0; k < m->links; k++)
        m->last_host[k] = m->links;
    for (int32_t n = 0; n < count; n++) {
        tn_loop_set set = m->set;
        put_path(m, &cuts[n], m->host[n], &set);
        for (int32_t i = 0; i < set.count; i++) {
            int32_t *host = &m->last_host[set.links[i]];
            *host = m->host[n] < *host ? m->host[n] : *host;
        }
        tn_loop_set_clear(&set);
    }
}

/* *all_fit: are all loops small enough to be eliminated? */
static tn_status make_all(const tn_loop_making *m, tn_loop_cut *cuts, int32_t count, bool *all_fit)
{
    tn_status status = TN_OK;
    for (int32_t n = 0; n < count; n++)
        m->host[n] = host_of(m, &cuts[n]);
    sort_by_host(m, count);
    put_last_hosts(m, cuts, count);
    *all_fit = true;
    for (int32_t first = 0, last; first < count && status == TN_OK && *all_fit; first = last) {
        for (last = first + 1; last < count && m->host[m->order[last]] == m->host[m->order[first]];
             last++)
            ;
        unite(m, cuts, first, last);
        for (int32_t n = first; n < last && status == TN_OK && *all_fit; n++) {
            if (m->root[n] != n)
                continue;
            status = make_loop(m, cuts, n, last, all_fit);
        }
    }
    if (status == TN_OK && *all_fit) {
        mark_last(m);
        m->loops->wide = TN_WIDE_COPIES && tn_wide_lanes();
        m->loops->carried = TN_NEW_ARRAY(tn_loop_carried, m->loops->most_ends);
        status = m->loops->carried ? TN_OK : TN_ERROR_MEMORY;
    }
    return status;
}

static tn_status make_arrays(tn_link_loops *loops, int32_t links, const tn_loop_cut *cuts,
                             int32_t count)
{
    int64_t rows = 0;
    for (int32_t n = 0; n < count; n++)
        rows += cuts[n].count;
    loops->all = TN_NEW_ARRAY(tn_link_loop, count);
    loops->cuts = TN_NEW_ARRAY(tn_loop_cut, count);
    loops->rows = TN_NEW_ARRAY(tn_loop_row, rows);
    loops->hosted = TN_NEW_ARRAY(int32_t, links + 1);
    loops->in_loops = TN_NEW_ARRAY(int8_t, links);
    for (int32_t k = 0; loops->hosted && k <= links; k++)
        loops->hosted[k] = -1;
    return loops->all && loops->cuts && loops->rows && loops->hosted && loops->in_loops
               ? TN_OK
               : TN_ERROR_MEMORY;
}

tn_status tn_loops_create(const int32_t *inner, int32_t links, tn_loop_cut *cuts, int32_t cut_count,
                          tn_link_loops **out)
{
    bool all_fit = true;
    *out = NULL;
    tn_link_loops *loops = TN_NEW(tn_link_loops);
    int32_t *block = TN_NEW_ARRAY(int32_t, 3 * (int64_t)cut_count + 6 * (int64_t)links);
    int8_t *mark = TN_NEW_ARRAY(int8_t, links);
    tn_status status =
        loops && block && mark ? make_arrays(loops, links, cuts, cut_count) : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        int32_t *at = block + 3 * (size_t)cut_count;
        const tn_loop_making m = {.inner = inner,
                                  .links = links,
                                  .host = block,
                                  .order = block + cut_count,
                                  .root = block + 2 * (size_t)cut_count,
                                  .owner = at,
                                  .mark = mark,
                                  .last_host = at + 3 * (size_t)links,
                                  .set = {at + links, at + 2 * (size_t)links, 0},
                                  .moved = {at + 4 * (size_t)links, at + 5 * (size_t)links, 0},
                                  .loops = loops};
        for (int32_t k = 0; k < links; k++)
            m.set.place[k] = m.moved.place[k] = m.owner[k] = -1;
        status = make_all(&m, cuts, cut_count, &all_fit);
    }
    tn_free(block);
    tn_free(mark);
    if (status == TN_OK && all_fit) {
        *out = loops;
    } else {
        tn_loops_destroy(loops);
    }
    return status;
}

static void destroy_cut(tn_loop_cut *cut)
{
    for (int32_t n = 0; n < cut->inner_count; n++) {
        tn_free(cut->inner[n].column);
        tn_free(cut->inner[n].response);
    }
    tn_free(cut->inner);
    tn_free(cut->ends);
    tn_free(cut->column);
    tn_free(cut->pairs);
    tn_free(cut->common);
    tn_free(cut->z);
}

void tn_loops_destroy(tn_link_loops *loops)
{
    if (!loops)
        return;
    for (int32_t i = 0; loops->all && i < loops->count; i++) {
        tn_free(loops->all[i].column);
        tn_free(loops->all[i].is_last);
        tn_free(loops->all[i].added);
        tn_loop_matrix_destroy(&loops->all[i].V);
    }
    for (int32_t n = 0; loops->cuts && n < loops->cut_count; n++)
        destroy_cut(&loops->cuts[n]);
    tn_free(loops->carried);
    tn_free(loops->all);
    tn_free(loops->cuts);
    tn_free(loops->rows);
    tn_free(loops->hosted);
    tn_free(loops->in_loops);
    tn_free(loops);
}
