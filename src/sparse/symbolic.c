/* symbolic.c: analysis of a KKT pattern: from the graph of nodes to the complete factor layout.
 *
 * Room sparse. In: tn_kkt_pattern. Out: the immutable tn_kkt.
 * Stages: check -> copy -> graph of present nodes -> order -> columns -> offsets and sources.
 *
 * Gates: the rows of a dual node have no pivot of their own, they need a primal node in front of
 * them. One primal node suffices when its dimension reaches the rank the rows can have, which
 * for one or two primal nodes is at most their larger dimension (both blocks of a row are the same
 * wrench); otherwise all of them must go first. A dual node with a key waits for that one: its rows
 * may then have E = 0.
 */
#include "sparse/kkt_impl.h"

#include "base/base.h"
#include "sparse/order/columns.h"
#include "sparse/order/dissection.h"
#include "sparse/order/ordering.h"

#include <string.h>

struct analysis {
    const tn_kkt_pattern *pattern;
    tn_kkt *kkt;
    int32_t n;          /* present nodes */
    int32_t *compact;   /* node -> present node or -1; dual k is node n_primal + k */
    int32_t *node_of;   /* back */
    int64_t *start;     /* graph */
    int32_t *neighbour; /* graph */
    int32_t *weight, *wait, *enough, *key;
    int32_t *order;
    tn_columns columns;
};

/* Sizes in range and few enough scalars, padding included, for 32-bit vector offsets. */
static bool sizes_ok(const int32_t *size, int32_t n)
{
    if (n > INT32_MAX / (4 * TN_KKT_MAX_BLOCK)) {
        return false;
    }
    for (int32_t i = 0; i < n; i++) {
        if (size[i] < 0 || size[i] > TN_KKT_MAX_BLOCK) {
            return false;
        }
    }
    return true;
}

/* A key is one of the node's own primal nodes. */
static bool keys_ok(const tn_kkt_pattern *p)
{
    for (int32_t k = 0; k < p->n_dual && p->dual_key != NULL; k++) {
        bool found = p->dual_key[k] == -1;
        for (int32_t t = p->dual_start[k]; t < p->dual_start[k + 1]; t++) {
            found = found || p->dual_key[k] == p->dual_primal[t];
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static bool pairs_ok(const tn_kkt_pattern *p)
{
    for (int32_t k = 0; k < p->n_pair; k++) {
        const int32_t i = p->pair_primal[2 * k], j = p->pair_primal[2 * k + 1];
        if (i < 0 || i >= p->n_primal || j < 0 || j >= p->n_primal || i == j) {
            return false;
        }
    }
    return p->n_pair >= 0 && p->n_pair <= INT32_MAX / 2;
}

/* Indices in range, incidences ascending lists. Repeats are found when the graph is built. */
static bool pattern_ok(const tn_kkt_pattern *p)
{
    if (p->n_primal < 0 || p->n_dual < 0 || p->n_primal > INT32_MAX / 2 - p->n_dual ||
        !sizes_ok(p->primal_dim, p->n_primal) || !sizes_ok(p->dual_cap, p->n_dual) ||
        (p->n_dual > 0 && p->dual_start[0] != 0)) {
        return false;
    }
    for (int32_t k = 0; k < p->n_dual; k++) {
        if (p->dual_start[k + 1] < p->dual_start[k]) {
            return false;
        }
    }
    int32_t n_incidence = p->n_dual > 0 ? p->dual_start[p->n_dual] : 0;
    for (int32_t t = 0; t < n_incidence; t++) {
        if (p->dual_primal[t] < 0 || p->dual_primal[t] >= p->n_primal) {
            return false;
        }
    }
    return keys_ok(p) && pairs_ok(p);
}

/* A copy of count ints; for count 0 an empty block. */
static int32_t *copy_ints(const int32_t *from, int32_t count)
{
    int32_t *to = TN_NEW_ARRAY(int32_t, count);
    if (to != NULL && count > 0) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
    return to;
}

static tn_status copy_pattern(const tn_kkt_pattern *p, tn_kkt *kkt)
{
    int32_t n_incidence = p->n_dual > 0 ? p->dual_start[p->n_dual] : 0;
    kkt->primal_dim = copy_ints(p->primal_dim, p->n_primal);
    kkt->dual_cap = copy_ints(p->dual_cap, p->n_dual);
    kkt->dual_start = copy_ints(p->dual_start, p->n_dual > 0 ? p->n_dual + 1 : 0);
    kkt->dual_primal = copy_ints(p->dual_primal, n_incidence);
    kkt->pair_primal = copy_ints(p->pair_primal, 2 * p->n_pair);
    kkt->pair_offset = TN_NEW_ARRAY(int64_t, p->n_pair);
    kkt->u_offset = TN_NEW_ARRAY(int64_t, p->n_primal + 1);
    kkt->y_offset = TN_NEW_ARRAY(int64_t, p->n_dual + 1);
    kkt->h_offset = TN_NEW_ARRAY(int64_t, p->n_primal);
    kkt->g_offset = TN_NEW_ARRAY(int64_t, n_incidence);
    kkt->dual_position = TN_NEW_ARRAY(int32_t, p->n_dual);
    if (kkt->primal_dim == NULL || kkt->dual_cap == NULL || kkt->dual_start == NULL ||
        kkt->dual_primal == NULL || kkt->u_offset == NULL || kkt->y_offset == NULL ||
        kkt->h_offset == NULL || kkt->g_offset == NULL || kkt->dual_position == NULL ||
        kkt->pair_primal == NULL || kkt->pair_offset == NULL) {
        return TN_ERROR_MEMORY;
    }
    tn_kkt_layout *layout = &kkt->layout;
    *layout = (tn_kkt_layout){.n_primal = p->n_primal,
                              .n_dual = p->n_dual,
                              .n_incidence = n_incidence,
                              .n_pair = p->n_pair,
                              .pair_primal = kkt->pair_primal,
                              .pair_offset = kkt->pair_offset,
                              .primal_dim = kkt->primal_dim,
                              .dual_cap = kkt->dual_cap,
                              .dual_start = kkt->dual_start,
                              .dual_primal = kkt->dual_primal,
                              .u_offset = kkt->u_offset,
                              .y_offset = kkt->y_offset,
                              .h_offset = kkt->h_offset,
                              .g_offset = kkt->g_offset};
    return TN_OK;
}

/* Numbers the present nodes and fixes the caller's vector offsets. */
static void number_nodes(struct analysis *a)
{
    tn_kkt *kkt = a->kkt;
    const tn_kkt_layout *l = &kkt->layout;
    for (int32_t i = 0; i < l->n_primal; i++) {
        a->compact[i] = l->primal_dim[i] > 0 ? a->n++ : -1;
        kkt->u_offset[i + 1] = kkt->u_offset[i] + l->primal_dim[i];
    }
    for (int32_t k = 0; k < l->n_dual; k++) {
        bool present = false;
        for (int32_t t = l->dual_start[k]; t < l->dual_start[k + 1]; t++) {
            present = present || l->primal_dim[l->dual_primal[t]] > 0;
        }
        a->compact[l->n_primal + k] = present && l->dual_cap[k] > 0 ? a->n++ : -1;
        kkt->y_offset[k + 1] = kkt->y_offset[k] + l->dual_cap[k];
    }
    kkt->layout.u_size = kkt->u_offset[l->n_primal];
    kkt->layout.y_size = kkt->y_offset[l->n_dual];
    kkt->layout.n_order = a->n;
}

/* One pair of coupled nodes, if both are present: the first pass counts degrees in start[i + 1],
 * the second stores the neighbours. */
static void couple(struct analysis *a, int32_t i, int32_t j, bool store)
{
    if (i < 0 || j < 0) {
        return;
    }
    if (store) {
        a->neighbour[a->start[i]++] = j;
        a->neighbour[a->start[j]++] = i;
    } else {
        a->start[i + 1]++;
        a->start[j + 1]++;
    }
}

static void couple_all(struct analysis *a, bool store)
{
    const tn_kkt_layout *l = &a->kkt->layout;
    for (int32_t k = 0; k < l->n_dual; k++) {
        for (int32_t t = l->dual_start[k]; t < l->dual_start[k + 1]; t++) {
            couple(a, a->compact[l->n_primal + k], a->compact[l->dual_primal[t]], store);
        }
    }
    for (int32_t p = 0; p < l->n_pair; p++) {
        couple(a, a->compact[l->pair_primal[2 * p]], a->compact[l->pair_primal[2 * p + 1]], store);
    }
}

static void set_gates(struct analysis *a)
{
    const tn_kkt_layout *l = &a->kkt->layout;
    for (int32_t i = 0; i < l->n_primal; i++) {
        if (a->compact[i] >= 0) {
            a->node_of[a->compact[i]] = i;
            a->weight[a->compact[i]] = l->primal_dim[i];
        }
    }
    for (int32_t k = 0; k < l->n_dual; k++) {
        int32_t c = a->compact[l->n_primal + k];
        if (c < 0) {
            continue;
        }
        int32_t present = 0;
        int32_t largest = 0;
        for (int32_t t = l->dual_start[k]; t < l->dual_start[k + 1]; t++) {
            int32_t dim = l->primal_dim[l->dual_primal[t]];
            present += dim > 0;
            largest = dim > largest ? dim : largest;
        }
        a->node_of[c] = l->n_primal + k;
        a->weight[c] = l->dual_cap[k];
        a->wait[c] = present;
        bool pair = present <= 2 && largest < l->dual_cap[k];
        a->enough[c] = pair ? largest : l->dual_cap[k];
        if (a->pattern->dual_waits != NULL && a->pattern->dual_waits[k]) {
            a->enough[c] = TN_KKT_MAX_BLOCK + 1; /* none alone suffices */
        }
        const int32_t key = a->pattern->dual_key != NULL ? a->pattern->dual_key[k] : -1;
        a->key[c] = key >= 0 ? a->compact[key] : -1;
    }
}

/* No pair twice. The array of the order, not yet needed, holds the marks. */
static bool graph_is_simple(struct analysis *a)
{
    for (int32_t i = 0; i < a->n; i++) {
        a->order[i] = -1;
    }
    for (int32_t i = 0; i < a->n; i++) {
        for (int64_t t = a->start[i]; t < a->start[i + 1]; t++) {
            if (a->order[a->neighbour[t]] == i) {
                return false;
            }
            a->order[a->neighbour[t]] = i;
        }
    }
    return true;
}

static tn_status build_graph(struct analysis *a)
{
    size_t all = (size_t)a->kkt->layout.n_primal + (size_t)a->kkt->layout.n_dual;
    a->compact = TN_NEW_ARRAY(int32_t, all);
    if (a->compact == NULL) {
        return TN_ERROR_MEMORY;
    }
    number_nodes(a);
    size_t n = (size_t)a->n;
    a->start = TN_NEW_ARRAY(int64_t, n + 1);
    a->node_of = TN_NEW_ARRAY(int32_t, n);
    a->weight = TN_NEW_ARRAY(int32_t, n);
    a->wait = TN_NEW_ARRAY(int32_t, n);
    a->enough = TN_NEW_ARRAY(int32_t, n);
    a->key = TN_NEW_ARRAY(int32_t, n);
    a->order = TN_NEW_ARRAY(int32_t, n);
    if (a->start == NULL || a->node_of == NULL || a->weight == NULL || a->wait == NULL ||
        a->enough == NULL || a->key == NULL || a->order == NULL) {
        return TN_ERROR_MEMORY;
    }
    couple_all(a, false);
    for (int32_t i = 0; i < a->n; i++) {
        a->start[i + 1] += a->start[i];
    }
    a->neighbour = TN_NEW_ARRAY(int32_t, a->start[a->n]);
    if (a->neighbour == NULL) {
        return TN_ERROR_MEMORY;
    }
    couple_all(a, true);
    for (int32_t i = a->n; i > 0; i--) {
        a->start[i] = a->start[i - 1];
    }
    a->start[0] = 0;
    set_gates(a);
    return graph_is_simple(a) ? TN_OK : TN_ERROR_ARGUMENT;
}

/* Size of a node in scalars, at capacity. */
static int32_t node_size(const tn_kkt_layout *l, int32_t node)
{
    return node < l->n_primal ? l->primal_dim[node] : l->dual_cap[node - l->n_primal];
}

/* The nodes in elimination order with all their offsets; rows without sources yet. */
static void place_nodes(struct analysis *a)
{
    tn_kkt *kkt = a->kkt;
    tn_kkt_layout *l = &kkt->layout;
    int64_t factor = 0;
    for (int32_t p = 0; p < a->n; p++) {
        int32_t node = a->node_of[a->columns.order[p]];
        bool dual = node >= l->n_primal;
        int32_t index = dual ? node - l->n_primal : node;
        int32_t size = node_size(l, node);
        kkt->order[p] = node;
        kkt->node[p] =
            (tn_kkt_node){.diagonal = factor,
                          .row = (int32_t)a->columns.start[p],
                          .vector = (int32_t)(dual ? l->y_offset[index] : l->u_offset[index]),
                          .work = (int32_t)kkt->work_size,
                          .index = index,
                          .size = (int16_t)size,
                          .dual = dual,
                          .untouched = true};
        kkt->work_size += tn_stride(size);
        factor += tn_upper_doubles(size);
        int64_t blocks = factor;
        for (int64_t t = a->columns.start[p]; t < a->columns.start[p + 1]; t++) {
            int32_t later = a->node_of[a->columns.order[a->columns.row[t]]];
            kkt->row[t] = (tn_kkt_row){.block = factor, .node = a->columns.row[t]};
            factor += size * tn_stride(node_size(l, later));
        }
        kkt->widest = factor - blocks > kkt->widest ? factor - blocks : kkt->widest;
    }
    kkt->node[a->n] = (tn_kkt_node){.diagonal = factor, .row = (int32_t)a->columns.start[a->n]};
    l->factor_doubles = factor;
    l->factor_blocks = a->columns.start[a->n];
    l->fill_blocks = l->factor_blocks - a->start[a->n] / 2;
    l->order = kkt->order;
}

/* Blocks of the matrix in elimination order, so that the factor reads them as a stream. */
static void place_values(struct analysis *a)
{
    tn_kkt *kkt = a->kkt;
    tn_kkt_layout *l = &kkt->layout;
    for (int32_t t = 0; t < l->n_incidence; t++) {
        kkt->g_offset[t] = -1;
    }
    for (int32_t k = 0; k < l->n_dual; k++) {
        kkt->dual_position[k] = -1;
    }
    for (int32_t p = 0; p < a->n; p++) {
        tn_kkt_node *node = &kkt->node[p];
        if (!node->dual) {
            kkt->h_offset[node->index] = l->h_size;
            l->h_size += node->size * node->size;
            continue;
        }
        kkt->dual_position[node->index] = p;
        for (int32_t t = l->dual_start[node->index]; t < l->dual_start[node->index + 1]; t++) {
            int32_t dim = l->primal_dim[l->dual_primal[t]];
            if (dim > 0) {
                kkt->g_offset[t] = l->g_size;
                l->g_size += node->size * dim;
            }
        }
    }
}

/* Behind those of the rows. */
static void place_pairs(struct analysis *a)
{
    tn_kkt_layout *l = &a->kkt->layout;
    l->pair_start = l->g_size;
    for (int32_t p = 0; p < l->n_pair; p++) {
        const int32_t i = l->pair_primal[2 * p], j = l->pair_primal[2 * p + 1];
        const int32_t size = l->primal_dim[i] * l->primal_dim[j];
        a->kkt->pair_offset[p] = size > 0 ? l->g_size : -1;
        l->g_size += size;
    }
}

/* Binds a block of values (rows of node i, columns of node j) to its place in the factor. */
static void bind(struct analysis *a, int32_t i, int32_t j, int64_t source)
{
    if (a->compact[i] < 0 || a->compact[j] < 0) {
        return;
    }
    int32_t pi = a->columns.position[a->compact[i]];
    int32_t pj = a->columns.position[a->compact[j]];
    int32_t column = pi < pj ? pi : pj;
    int32_t row = pi < pj ? pj : pi;
    int64_t low = a->columns.start[column];
    int64_t high = a->columns.start[column + 1];
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (a->columns.row[middle] <= row) {
            low = middle;
        } else {
            high = middle;
        }
    }
    a->kkt->source[low] = source;
    a->kkt->row[low].kind = (uint8_t)(pi < pj ? TN_SOURCE_G : TN_SOURCE_G_TRANSPOSED);
}

static void bind_all(struct analysis *a)
{
    const tn_kkt_layout *l = &a->kkt->layout;
    for (int32_t k = 0; k < l->n_dual; k++) {
        for (int32_t t = l->dual_start[k]; t < l->dual_start[k + 1]; t++) {
            bind(a, l->n_primal + k, l->dual_primal[t], l->g_offset[t]);
        }
    }
    for (int32_t p = 0; p < l->n_pair; p++) {
        bind(a, l->pair_primal[2 * p], l->pair_primal[2 * p + 1], l->pair_offset[p]);
    }
    for (int32_t p = 0; p < a->n; p++) {
        for (int64_t t = a->columns.start[p]; t < a->columns.start[p + 1]; t++) {
            tn_kkt_node *later = &a->kkt->node[a->kkt->row[t].node];
            a->kkt->row[t].first = later->untouched;
            later->untouched = false;
        }
    }
}

/* Fronts wider than this, in scalars, are those of nets; trees and rows of loops have narrow ones,
 * and minimum degree orders them well. */
#define TN_WIDE_FRONT 48

/* What eliminating in the order of these columns takes. */
struct effort {
    double flops;
    int64_t widest; /* scalars coupled to a node */
};

static struct effort effort_of(const tn_order_graph *graph, const tn_columns *columns)
{
    struct effort e = {0.0, 0};
    for (int32_t p = 0; p < columns->n; p++) {
        int64_t front = 0;
        for (int64_t t = columns->start[p]; t < columns->start[p + 1]; t++) {
            front += graph->weight[columns->order[columns->row[t]]];
        }
        e.flops += (double)graph->weight[columns->order[p]] * (double)front * (double)front;
        e.widest = front > e.widest ? front : e.widest;
    }
    return e;
}

typedef tn_status (*order_function)(const tn_order_graph *graph, int32_t *order);

/* The columns of another order instead, if they take less. */
static tn_status try_order(struct analysis *a, const tn_order_graph *graph, order_function find)
{
    tn_columns other = {0};
    tn_status status = find(graph, a->order);
    if (status == TN_OK) {
        status = tn_columns_build(graph, a->order, &other);
    }
    if (status != TN_OK) {
        return status;
    }
    if (effort_of(graph, &other).flops < effort_of(graph, &a->columns).flops) {
        const tn_columns swapped = a->columns;
        a->columns = other;
        other = swapped;
    }
    tn_columns_free(&other);
    return TN_OK;
}

/* Duals weigh as many as the rows that are active as a rule. */
static void set_usual_weights(struct analysis *a)
{
    for (int32_t i = 0; i < a->n; i++) {
        const int32_t dual = a->node_of[i] - a->kkt->layout.n_primal;
        if (dual >= 0 && a->pattern->dual_usual != NULL && a->pattern->dual_usual[dual] > 0) {
            a->weight[i] = a->pattern->dual_usual[dual];
        }
    }
}

static tn_status order_and_build(struct analysis *a, const tn_order_graph *graph)
{
    tn_status status = tn_order_minimum_degree(graph, a->order);
    if (status == TN_OK) {
        status = tn_columns_build(graph, a->order, &a->columns);
    }
    if (status != TN_OK) {
        return status;
    }
    set_usual_weights(a);
    if (effort_of(graph, &a->columns).widest > TN_WIDE_FRONT) {
        status = try_order(a, graph, tn_order_minimum_degree);
        status = status == TN_OK ? try_order(a, graph, tn_order_dissect) : status;
    }
    return status;
}

static tn_status run(struct analysis *a)
{
    tn_status status = copy_pattern(a->pattern, a->kkt);
    if (status == TN_OK) {
        status = build_graph(a);
    }
    tn_order_graph graph = {a->n, a->start, a->neighbour, a->weight, a->wait, a->enough, a->key};
    if (status == TN_OK) {
        status = order_and_build(a, &graph);
    }
    if (status == TN_OK && a->columns.start[a->n] >= INT32_MAX) {
        status = TN_ERROR_UNSUPPORTED;
    }
    if (status != TN_OK) {
        return status;
    }
    a->kkt->order = TN_NEW_ARRAY(int32_t, a->n);
    a->kkt->node = TN_NEW_ARRAY(tn_kkt_node, a->n + 1);
    a->kkt->row = TN_NEW_ARRAY(tn_kkt_row, a->columns.start[a->n]);
    a->kkt->source = TN_NEW_ARRAY(int64_t, a->columns.start[a->n]);
    if (a->kkt->order == NULL || a->kkt->node == NULL || a->kkt->row == NULL ||
        a->kkt->source == NULL) {
        return TN_ERROR_MEMORY;
    }
    place_nodes(a);
    place_values(a);
    place_pairs(a);
    bind_all(a);
    return tn_kkt_find_panels(a->kkt);
}

tn_status tn_kkt_analyze(const tn_kkt_pattern *pattern, tn_kkt **out)
{
    *out = NULL;
    if (!pattern_ok(pattern)) {
        return TN_ERROR_ARGUMENT;
    }
    struct analysis a = {.pattern = pattern, .kkt = TN_NEW(tn_kkt)};
    tn_status status = a.kkt != NULL ? run(&a) : TN_ERROR_MEMORY;
    tn_columns_free(&a.columns);
    tn_free(a.compact);
    tn_free(a.node_of);
    tn_free(a.start);
    tn_free(a.neighbour);
    tn_free(a.weight);
    tn_free(a.wait);
    tn_free(a.enough);
    tn_free(a.key);
    tn_free(a.order);
    if (status != TN_OK) {
        tn_kkt_destroy(a.kkt);
        return status;
    }
    *out = a.kkt;
    return TN_OK;
}

void tn_kkt_destroy(tn_kkt *kkt)
{
    if (kkt == NULL) {
        return;
    }
    void *owned[] = {kkt->node,
                     kkt->row,
                     kkt->dual_position,
                     kkt->primal_dim,
                     kkt->dual_cap,
                     kkt->dual_start,
                     kkt->dual_primal,
                     kkt->order,
                     kkt->u_offset,
                     kkt->y_offset,
                     kkt->h_offset,
                     kkt->g_offset,
                     kkt->source,
                     kkt->front_of,
                     kkt->pair_primal,
                     kkt->pair_offset,
                     kkt};
    for (size_t k = 0; k < TN_COUNT_OF(owned); k++) {
        tn_free(owned[k]);
    }
}

const tn_kkt_layout *tn_kkt_get_layout(const tn_kkt *kkt)
{
    return &kkt->layout;
}
