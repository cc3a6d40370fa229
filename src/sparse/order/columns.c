/* columns.c: elimination tree, postorder and column structures of the block factor.
 *
 * Room sparse/order. In: the graph and an elimination order. Out: which later nodes each node couples to.
 *
 * Parent of p in the elimination tree = first later node p couples to (Liu, "The role of
 * elimination trees in sparse factorization", SIAM J. Matrix Anal. 11, 1990). Listing the tree in
 * postorder changes neither fill nor work, but makes the factor stream through memory. The
 * structure of a column is its own neighbours joined with the structures of its children.
 */
#include "sparse/order/columns.h"

#include "base/base.h"

#include <string.h>

struct build {
    const tn_order_graph *graph;
    tn_columns *columns;
    int32_t n;
    int32_t *parent;   /* by position */
    int32_t *ancestor; /* path-compressed parent; later the child lists */
    int32_t *sibling;
    int32_t *mark;
    int64_t room;
};

static void set_positions(tn_columns *columns)
{
    for (int32_t p = 0; p < columns->n; p++) {
        columns->position[columns->order[p]] = p;
    }
}

/* Elimination tree of the given order, with path compression. */
static void find_parents(struct build *b)
{
    const tn_order_graph *graph = b->graph;
    for (int32_t p = 0; p < b->n; p++) {
        b->parent[p] = -1;
        b->ancestor[p] = -1;
        int32_t node = b->columns->order[p];
        for (int64_t t = graph->start[node]; t < graph->start[node + 1]; t++) {
            int32_t q = b->columns->position[graph->neighbour[t]];
            while (q >= 0 && q < p) {
                int32_t up = b->ancestor[q];
                b->ancestor[q] = p;
                if (up < 0) {
                    b->parent[q] = p;
                }
                q = up;
            }
        }
    }
}

/* Replaces the order by the postorder of its tree; children in ascending order. */
static void sort_postorder(struct build *b)
{
    int32_t *child = b->ancestor;
    int32_t *sorted = b->mark;
    int32_t roots = -1;
    for (int32_t p = 0; p < b->n; p++) {
        child[p] = -1;
    }
    for (int32_t p = b->n - 1; p >= 0; p--) {
        int32_t *list = b->parent[p] >= 0 ? &child[b->parent[p]] : &roots;
        b->sibling[p] = *list;
        *list = p;
    }
    int32_t count = 0;
    int32_t p = roots;
    while (p >= 0) {
        while (child[p] >= 0) { /* down to the first leaf */
            int32_t first = child[p];
            child[p] = -1;
            p = first;
        }
        sorted[count++] = b->columns->order[p];
        p = b->sibling[p] >= 0 ? b->sibling[p] : b->parent[p];
    }
    memcpy(b->columns->order, sorted, (size_t)b->n * sizeof *sorted);
    set_positions(b->columns);
}

static tn_status append_row(struct build *b, int64_t *used, int32_t row)
{
    if (*used == b->room) {
        int64_t room = b->room + b->room / 2 + 16;
        int32_t *grown = tn_realloc(b->columns->row, (size_t)room * sizeof *grown);
        if (grown == NULL) {
            return TN_ERROR_MEMORY;
        }
        b->columns->row = grown;
        b->room = room;
    }
    b->columns->row[(*used)++] = row;
    return TN_OK;
}

/* Own later neighbours of position p. */
static tn_status add_neighbours(struct build *b, int32_t p, int64_t *used)
{
    const tn_order_graph *graph = b->graph;
    int32_t node = b->columns->order[p];
    for (int64_t t = graph->start[node]; t < graph->start[node + 1]; t++) {
        int32_t q = b->columns->position[graph->neighbour[t]];
        if (q > p && b->mark[q] != p) {
            b->mark[q] = p;
            if (append_row(b, used, q) != TN_OK) {
                return TN_ERROR_MEMORY;
            }
        }
    }
    return TN_OK;
}

/* What child c leaves behind for p. */
static tn_status add_child(struct build *b, int32_t p, int32_t c, int64_t *used)
{
    for (int64_t t = b->columns->start[c]; t < b->columns->start[c + 1]; t++) {
        int32_t q = b->columns->row[t];
        if (q != p && b->mark[q] != p) {
            b->mark[q] = p;
            if (append_row(b, used, q) != TN_OK) {
                return TN_ERROR_MEMORY;
            }
        }
    }
    return TN_OK;
}

static tn_status fill_columns(struct build *b)
{
    tn_columns *columns = b->columns;
    int32_t *child = b->ancestor;
    for (int32_t p = 0; p < b->n; p++) {
        child[p] = -1;
        b->mark[p] = -1;
    }
    int64_t used = 0;
    for (int32_t p = 0; p < b->n; p++) {
        columns->start[p] = used;
        tn_status status = add_neighbours(b, p, &used);
        for (int32_t c = child[p]; c >= 0 && status == TN_OK; c = b->sibling[c]) {
            status = add_child(b, p, c, &used);
        }
        if (status != TN_OK) {
            return status;
        }
        columns->start[p + 1] = used;
        int32_t parent = b->n;
        for (int64_t t = columns->start[p]; t < used; t++) {
            parent = columns->row[t] < parent ? columns->row[t] : parent;
        }
        if (parent < b->n) {
            b->sibling[p] = child[parent];
            child[parent] = p;
        }
    }
    return TN_OK;
}

/* Sorts the rows of every column in linear time: columns -> rows -> columns. */
static tn_status sort_columns(tn_columns *columns)
{
    int32_t n = columns->n;
    int64_t total = columns->start[n];
    int64_t *place = TN_NEW_ARRAY(int64_t, n + 1);
    int32_t *column = TN_NEW_ARRAY(int32_t, total);
    if (place == NULL || column == NULL) {
        tn_free(place);
        tn_free(column);
        return TN_ERROR_MEMORY;
    }
    for (int64_t t = 0; t < total; t++) {
        place[columns->row[t] + 1]++;
    }
    for (int32_t p = 0; p < n; p++) {
        place[p + 1] += place[p];
    }
    for (int32_t p = 0; p < n; p++) {
        for (int64_t t = columns->start[p]; t < columns->start[p + 1]; t++) {
            column[place[columns->row[t]]++] = p;
        }
    }
    /* place[q] is now the end of row q's list; walk the rows again and append to the columns */
    int64_t t = 0;
    for (int32_t q = 0; q < n; q++) {
        for (; t < place[q]; t++) {
            columns->row[columns->start[column[t]]++] = q;
        }
    }
    for (int32_t p = n; p > 0; p--) {
        columns->start[p] = columns->start[p - 1];
    }
    columns->start[0] = 0;
    tn_free(place);
    tn_free(column);
    return TN_OK;
}

static tn_status build_all(struct build *b, const int32_t *order)
{
    tn_columns *columns = b->columns;
    memcpy(columns->order, order, (size_t)b->n * sizeof *order);
    set_positions(columns);
    find_parents(b);
    sort_postorder(b);
    tn_status status = fill_columns(b);
    return status == TN_OK ? sort_columns(columns) : status;
}

tn_status tn_columns_build(const tn_order_graph *graph, const int32_t *order, tn_columns *out)
{
    int32_t n = graph->n;
    *out = (tn_columns){.n = n,
                        .order = TN_NEW_ARRAY(int32_t, n),
                        .position = TN_NEW_ARRAY(int32_t, n),
                        .start = TN_NEW_ARRAY(int64_t, n + 1),
                        .row = TN_NEW_ARRAY(int32_t, graph->start[n] / 2 + 1)};
    struct build b = {.graph = graph,
                      .columns = out,
                      .n = n,
                      .parent = TN_NEW_ARRAY(int32_t, n),
                      .ancestor = TN_NEW_ARRAY(int32_t, n),
                      .sibling = TN_NEW_ARRAY(int32_t, n),
                      .mark = TN_NEW_ARRAY(int32_t, n),
                      .room = graph->start[n] / 2 + 1};
    bool complete = out->order != NULL && out->position != NULL && out->start != NULL &&
                    out->row != NULL && b.parent != NULL && b.ancestor != NULL &&
                    b.sibling != NULL && b.mark != NULL;
    tn_status status = complete ? build_all(&b, order) : TN_ERROR_MEMORY;
    tn_free(b.parent);
    tn_free(b.ancestor);
    tn_free(b.sibling);
    tn_free(b.mark);
    if (status != TN_OK) {
        tn_columns_free(out);
    }
    return status;
}

void tn_columns_free(tn_columns *columns)
{
    tn_free(columns->order);
    tn_free(columns->position);
    tn_free(columns->start);
    tn_free(columns->row);
    *columns = (tn_columns){0};
}
