/* spd.c: room method/blocks: symbolic analysis of spd.h.
 *
 * In: which nodes are coupled. Out: an order by minimum degree, the blocks of the factor in that order, and the target
 * block of each update.
 */
#include "method/blocks/spd.h"

#include <stdlib.h>

#include "sparse/order/columns.h"

static int compare_edges(const void *left, const void *right)
{
    const tn_spd_edge *l = left, *r = right;
    if (l->a != r->a)
        return l->a < r->a ? -1 : 1;
    return (l->b > r->b) - (l->b < r->b);
}

/* The graph for the ordering. */
typedef struct tn_spd_graph {
    tn_spd_edge *edges; /* in both directions, each once, sorted */
    int64_t edge_count;
    int64_t *start; /* [n + 1] */
    int32_t *neighbour;
    int32_t *weight, *none, *key; /* [n] */
    int32_t *order;               /* [n] */
} tn_spd_graph;

static bool make_graph(int32_t n, int64_t edge_count, tn_spd_graph *graph)
{
    *graph = (tn_spd_graph){.edges = TN_NEW_ARRAY(tn_spd_edge, 2 * edge_count + 1),
                            .start = TN_NEW_ARRAY(int64_t, n + 1),
                            .neighbour = TN_NEW_ARRAY(int32_t, 2 * edge_count + 1),
                            .weight = TN_NEW_ARRAY(int32_t, n + 1),
                            .none = TN_NEW_ARRAY(int32_t, n + 1),
                            .key = TN_NEW_ARRAY(int32_t, n + 1),
                            .order = TN_NEW_ARRAY(int32_t, n + 1)};
    return graph->edges && graph->start && graph->neighbour && graph->weight && graph->none &&
           graph->key && graph->order;
}

static void free_graph(tn_spd_graph *graph)
{
    tn_free(graph->edges);
    tn_free(graph->start);
    tn_free(graph->neighbour);
    tn_free(graph->weight);
    tn_free(graph->none);
    tn_free(graph->key);
    tn_free(graph->order);
}

static void fill_graph(int32_t n, int size, const tn_spd_edge *edges, int64_t edge_count,
                       tn_spd_graph *graph)
{
    for (int64_t e = 0; e < edge_count; e++) {
        graph->edges[2 * e] = edges[e];
        graph->edges[2 * e + 1] = (tn_spd_edge){edges[e].b, edges[e].a};
    }
    qsort(graph->edges, (size_t)(2 * edge_count), sizeof *graph->edges, compare_edges);
    for (int64_t e = 0; e < 2 * edge_count; e++) {
        if (e > 0 && compare_edges(&graph->edges[e], &graph->edges[e - 1]) == 0)
            continue;
        graph->neighbour[graph->edge_count++] = graph->edges[e].b;
        graph->start[graph->edges[e].a + 1] = graph->edge_count;
    }
    for (int32_t k = 0; k < n; k++) {
        graph->start[k + 1] = graph->start[k + 1] > 0 ? graph->start[k + 1] : graph->start[k];
        graph->weight[k] = size;
        graph->key[k] = -1;
    }
}

static int64_t count_updates(const tn_columns *columns)
{
    int64_t count = 0;
    for (int32_t k = 0; k < columns->n; k++) {
        const int64_t blocks = columns->start[k + 1] - columns->start[k];
        count += blocks * (blocks - 1) / 2;
    }
    return count;
}

int32_t tn_spd_find(const tn_spd *spd, int32_t first, int32_t second)
{
    for (int32_t i = spd->start[first]; i < spd->start[first + 1]; i++) {
        if (spd->row[i] == second)
            return i;
    }
    return -1;
}

static void put_targets(tn_spd *spd)
{
    int32_t count = 0;
    for (int32_t k = 0; k < spd->n; k++) {
        for (int32_t i = spd->start[k]; i < spd->start[k + 1]; i++) {
            for (int32_t j = i + 1; j < spd->start[k + 1]; j++)
                spd->target[count++] = tn_spd_find(spd, spd->row[i], spd->row[j]);
        }
    }
}

static tn_status take_columns(const tn_columns *columns, int size, int64_t updates, tn_spd *out)
{
    const int64_t n = columns->n, blocks = columns->start[n], stride = spd_stride(size),
                  square = size * stride;
    out->n = columns->n;
    out->position = TN_NEW_ARRAY(int32_t, n + 1);
    out->start = TN_NEW_ARRAY(int32_t, n + 1);
    out->row = TN_NEW_ARRAY(int32_t, blocks + 1);
    out->target = TN_NEW_ARRAY(int32_t, updates + 1);
    out->diagonal = TN_NEW_ARRAY(double, square *(n + TN_SPD_SPARE));
    out->block = TN_NEW_ARRAY(double, square *blocks + 1);
    out->scale = TN_NEW_ARRAY(double, stride *n + 1);
    if (!out->position || !out->start || !out->row || !out->target || !out->diagonal ||
        !out->block || !out->scale)
        return TN_ERROR_MEMORY;
    for (int32_t k = 0; k < columns->n; k++) {
        out->position[k] = columns->position[k];
        out->start[k + 1] = (int32_t)columns->start[k + 1];
    }
    for (int64_t i = 0; i < blocks; i++)
        out->row[i] = columns->row[i];
    put_targets(out);
    return TN_OK;
}

tn_status tn_spd_create(int32_t n, int size, const tn_spd_edge *edges, int64_t edge_count,
                        int32_t most, tn_spd *out, bool *fits)
{
    tn_spd_graph graph;
    tn_columns columns = {0};
    *fits = false;
    tn_status status = make_graph(n, edge_count, &graph) ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        fill_graph(n, size, edges, edge_count, &graph);
        const tn_order_graph input = {.n = n,
                                      .start = graph.start,
                                      .neighbour = graph.neighbour,
                                      .weight = graph.weight,
                                      .wait = graph.none,
                                      .enough = graph.none,
                                      .key = graph.key};
        status = tn_order_minimum_degree(&input, graph.order);
        if (status == TN_OK)
            status = tn_columns_build(&input, graph.order, &columns);
    }
    if (status == TN_OK) {
        const int64_t updates = count_updates(&columns);
        *fits = columns.start[n] + updates <= (int64_t)most * n;
        if (*fits)
            status = take_columns(&columns, size, updates, out);
    }
    tn_columns_free(&columns);
    free_graph(&graph);
    return status;
}

void tn_spd_destroy(tn_spd *spd)
{
    tn_free(spd->position);
    tn_free(spd->start);
    tn_free(spd->row);
    tn_free(spd->target);
    tn_free(spd->diagonal);
    tn_free(spd->block);
    tn_free(spd->scale);
}
