/* ordering.c: minimum-degree ordering on a quotient graph.
 *
 * Room sparse/order. In: a weighted graph with gates (ordering.h). Out: an elimination order.
 *
 * Amestoy, Davis, Duff, "An approximate minimum degree ordering algorithm", SIAM J. Matrix Anal. 17
 * (1996): eliminated nodes become elements (cliques kept as one list), degrees are bounded from
 * above by the sizes of the elements around a node, indistinguishable nodes are merged, nodes that
 * touch nothing but the pivot's clique go with it, elements inside another one are absorbed.
 *
 * Three additions. Twigs of trees go first, in linear time. Nodes weigh as many as their scalars. Nodes may be gated: a joint's rows have no
 * pivot of their own (R may be 0), so it must wait until a body that can carry them is gone. Gated
 * nodes are kept out of the degree lists until their gate opens, and are never merged before.
 *
 * Among equal degrees the node touched last goes first, at the start the lowest index: a chain is
 * then eaten from one end, which keeps its factor contiguous. No address or random number decides,
 * so the order is the same everywhere.
 *
 * Limits: lists of dead elements are not reclaimed; memory is that of the factor's block structure.
 */
#include "sparse/order/ordering.h"

#include "base/base.h"

#include <string.h>

/* Degrees above this share one list: only hubs and dense cores get there, where order is moot. */
#define TN_LARGEST_DEGREE 65535

enum tn_order_state { TN_LIVE, TN_ELEMENT, TN_GONE };

struct order {
    const tn_order_graph *graph;
    int32_t n;
    int32_t *list;      /* all adjacency lists: elements first, then nodes */
    int64_t used, room; /* of list */
    int64_t *begin;     /* start of the list of a node or element */
    int32_t *length;    /* of that list */
    int32_t *elements;  /* how many of a node's list are elements */
    int32_t *size;      /* scalars of a merged node; negative while it is in the pivot's clique */
    int32_t *degree;    /* bound for nodes, exact scalars for elements */
    int64_t *mark;      /* see stamp */
    int32_t *wait;      /* gates still closed when > 0 */
    int32_t *member_next, *member_last; /* nodes merged into one, a list */
    int32_t *head, *next, *previous; /* degree lists; next and previous also serve as hash lists */
    int32_t *hash_head;
    int32_t *hash_of;
    uint8_t *state;
    int64_t stamp; /* elements with mark >= stamp were met in this pivot; 0 means absorbed */
    int32_t lowest;
    int32_t largest_degree;
    int64_t left; /* scalars not yet eliminated */
    int32_t *out;
    int32_t count;
};

static int32_t bucket_of(int64_t degree)
{
    return degree < TN_LARGEST_DEGREE ? (int32_t)degree : TN_LARGEST_DEGREE;
}

static void bucket_insert(struct order *o, int32_t i)
{
    int32_t d = bucket_of(o->degree[i]);
    o->next[i] = o->head[d];
    o->previous[i] = -1;
    if (o->head[d] >= 0) {
        o->previous[o->head[d]] = i;
    }
    o->head[d] = i;
    if (d < o->lowest) {
        o->lowest = d;
    }
}

static void bucket_remove(struct order *o, int32_t i)
{
    int32_t before = o->previous[i];
    int32_t after = o->next[i];
    if (after >= 0) {
        o->previous[after] = before;
    }
    if (before >= 0) {
        o->next[before] = after;
    } else {
        o->head[bucket_of(o->degree[i])] = after;
    }
}

static int32_t bucket_take_lowest(struct order *o)
{
    while (o->head[o->lowest] < 0) {
        o->lowest++;
    }
    int32_t p = o->head[o->lowest];
    bucket_remove(o, p);
    return p;
}

/* What is left of the wait of a gated node once its neighbour was eliminated. */
static int32_t wait_after(const tn_order_graph *graph, int32_t gated, int32_t gone, int32_t wait)
{
    if (graph->key[gated] >= 0) {
        return graph->key[gated] == gone ? 0 : wait;
    }
    return graph->weight[gone] >= graph->enough[gated] ? 0 : wait - 1;
}

/* Writes a merged node to the order and opens the gates its parts hold. */
static void emit(struct order *o, int32_t i)
{
    const tn_order_graph *graph = o->graph;
    for (int32_t part = i; part >= 0; part = o->member_next[part]) {
        o->out[o->count++] = part;
        if (graph->wait[part] > 0) {
            continue;
        }
        for (int64_t t = graph->start[part]; t < graph->start[part + 1]; t++) {
            int32_t gated = graph->neighbour[t];
            if (o->wait[gated] > 0) {
                o->wait[gated] = wait_after(graph, gated, part, o->wait[gated]);
            }
        }
    }
}

static void *allocate_lists(struct order *o)
{
    size_t n = (size_t)o->n;
    o->begin = TN_NEW_ARRAY(int64_t, n);
    o->mark = TN_NEW_ARRAY(int64_t, n);
    o->head = TN_NEW_ARRAY(int32_t, TN_LARGEST_DEGREE + 1);
    o->state = TN_NEW_ARRAY(uint8_t, n);
    int32_t **arrays[] = {&o->length,      &o->elements,    &o->size,   &o->degree,
                          &o->wait,        &o->member_next, &o->next,   &o->previous,
                          &o->member_last, &o->hash_head,   &o->hash_of};
    void *good = o->begin != NULL && o->mark != NULL && o->head != NULL ? o->state : NULL;
    for (size_t k = 0; k < TN_COUNT_OF(arrays); k++) {
        *arrays[k] = TN_NEW_ARRAY(int32_t, n);
        good = *arrays[k] != NULL ? good : NULL;
    }
    o->room = o->graph->start[o->n] + o->n;
    o->list = TN_NEW_ARRAY(int32_t, o->room);
    return o->list != NULL ? good : NULL;
}

static void free_lists(struct order *o)
{
    void *arrays[] = {o->list,  o->begin,   o->length,      o->elements,    o->size, o->degree,
                      o->mark,  o->wait,    o->head,        o->member_next, o->next, o->previous,
                      o->state, o->hash_of, o->member_last, o->hash_head};
    for (size_t k = 0; k < TN_COUNT_OF(arrays); k++) {
        tn_free(arrays[k]);
    }
}

static void start_lists(struct order *o)
{
    const tn_order_graph *graph = o->graph;
    o->used = graph->start[o->n];
    memcpy(o->list, graph->neighbour, (size_t)o->used * sizeof *o->list);
    o->stamp = 2;
    o->lowest = TN_LARGEST_DEGREE;
    for (int32_t d = 0; d <= TN_LARGEST_DEGREE; d++) {
        o->head[d] = -1;
    }
    for (int32_t i = o->n - 1; i >= 0; i--) {
        o->begin[i] = graph->start[i];
        o->length[i] = (int32_t)(graph->start[i + 1] - graph->start[i]);
        o->size[i] = graph->weight[i];
        o->left += graph->weight[i];
        o->mark[i] = 1;
        o->wait[i] = graph->wait[i];
        o->member_next[i] = -1;
        o->member_last[i] = i;
        o->hash_head[i] = -1;
        int64_t degree = 0;
        for (int64_t t = graph->start[i]; t < graph->start[i + 1]; t++) {
            degree += graph->weight[graph->neighbour[t]];
        }
        o->degree[i] = degree < INT32_MAX ? (int32_t)degree : INT32_MAX;
        if (o->wait[i] <= 0) {
            bucket_insert(o, i);
        }
    }
}

/* Makes room for a clique of at most n_left nodes at the end of the lists. */
static tn_status reserve(struct order *o, int64_t wanted)
{
    if (o->used + wanted <= o->room) {
        return TN_OK;
    }
    int64_t room = o->room + o->room / 2 + wanted;
    int32_t *grown = tn_realloc(o->list, (size_t)room * sizeof *grown);
    if (grown == NULL) {
        return TN_ERROR_MEMORY;
    }
    o->list = grown;
    o->room = room;
    return TN_OK;
}

/* Appends the live nodes of one list to the clique being built. Returns their scalars. */
static int64_t gather(struct order *o, int64_t from, int32_t length)
{
    int64_t scalars = 0;
    for (int64_t t = from; t < from + length; t++) {
        int32_t i = o->list[t];
        if (o->state[i] != TN_LIVE || o->size[i] <= 0) {
            continue;
        }
        scalars += o->size[i];
        o->size[i] = -o->size[i];
        o->list[o->used++] = i;
        if (o->wait[i] <= 0) {
            bucket_remove(o, i);
        }
    }
    return scalars;
}

/* The clique that eliminating p creates: p's nodes and those of p's elements, which it absorbs. */
static tn_status build_clique(struct order *o, int32_t p, int64_t *scalars)
{
    int64_t bound = o->length[p] - o->elements[p];
    for (int32_t k = 0; k < o->elements[p]; k++) {
        bound += o->length[o->list[o->begin[p] + k]];
    }
    tn_status status = reserve(o, bound);
    if (status != TN_OK) {
        return status;
    }
    int64_t start = o->used;
    o->size[p] = -o->size[p];
    *scalars = 0;
    for (int32_t k = 0; k < o->elements[p]; k++) {
        int32_t e = o->list[o->begin[p] + k];
        if (o->state[e] == TN_ELEMENT) {
            *scalars += gather(o, o->begin[e], o->length[e]);
            o->state[e] = TN_GONE;
            o->mark[e] = 0;
        }
    }
    *scalars += gather(o, o->begin[p] + o->elements[p], o->length[p] - o->elements[p]);
    o->begin[p] = start;
    o->length[p] = (int32_t)(o->used - start);
    o->elements[p] = 0;
    o->state[p] = TN_ELEMENT;
    return TN_OK;
}

/* mark[e] - stamp becomes the scalars of element e outside p's clique. */
static void measure_elements(struct order *o, int32_t p)
{
    for (int32_t k = 0; k < o->length[p]; k++) {
        int32_t i = o->list[o->begin[p] + k];
        int32_t size = -o->size[i];
        for (int32_t t = 0; t < o->elements[i]; t++) {
            int32_t e = o->list[o->begin[i] + t];
            if (o->mark[e] >= o->stamp) {
                o->mark[e] -= size;
            } else if (o->mark[e] != 0) {
                o->mark[e] = o->stamp + o->degree[e] - size;
            }
        }
    }
}

/* Keeps of node i's elements those not inside p's clique; returns the scalars they add. */
static int64_t prune_elements(struct order *o, int32_t i, int64_t *fill, uint32_t *hash)
{
    int64_t degree = 0;
    int64_t to = o->begin[i];
    for (int64_t t = to, end = to + o->elements[i]; t < end; t++) {
        int32_t e = o->list[t];
        if (o->mark[e] == 0) {
            continue;
        }
        int64_t outside = o->mark[e] - o->stamp;
        if (outside > 0) {
            degree += outside;
            o->list[to++] = e;
            *hash += (uint32_t)e;
        } else {
            o->mark[e] = 0;
            o->state[e] = TN_GONE;
        }
    }
    *fill = to;
    return degree;
}

/* Cleans node i's list, puts p in it and bounds its degree outside the clique. Returns false when
 * nothing is left outside: then i can go together with p. */
static bool update_node(struct order *o, int32_t p, int32_t i)
{
    uint32_t hash = (uint32_t)p;
    int64_t nodes = o->begin[i] + o->elements[i];
    int64_t end = o->begin[i] + o->length[i];
    int64_t to = 0;
    int64_t degree = prune_elements(o, i, &to, &hash);
    int64_t first_node = to;
    /* the place of p or of an absorbed element is free, so the list never outgrows itself */
    int64_t write = to;
    int32_t carried = p;
    o->elements[i] = (int32_t)(to - o->begin[i]) + 1;
    for (int64_t t = nodes; t < end; t++) {
        int32_t j = o->list[t];
        if (o->state[j] == TN_LIVE && o->size[j] > 0) {
            degree += o->size[j];
            hash += (uint32_t)j;
            o->list[write++] = carried;
            carried = j;
        }
    }
    o->list[write++] = carried;
    o->length[i] = (int32_t)(write - o->begin[i]);
    bool alone = degree == 0 && first_node == o->begin[i] && o->length[i] == 1;
    if (degree < o->degree[i]) {
        o->degree[i] = (int32_t)degree;
    }
    o->hash_of[i] = (int32_t)(hash % (uint32_t)o->n);
    return !alone;
}

static void merge(struct order *o, int32_t into, int32_t j)
{
    o->size[into] += o->size[j];
    o->size[j] = 0;
    o->state[j] = TN_GONE;
    o->member_next[o->member_last[into]] = j;
    o->member_last[into] = o->member_last[j];
}

/* Are the lists of j the ones just marked? */
static bool same_lists(const struct order *o, int32_t i, int32_t j)
{
    if (o->length[i] != o->length[j] || o->elements[i] != o->elements[j]) {
        return false;
    }
    for (int64_t t = o->begin[j]; t < o->begin[j] + o->length[j]; t++) {
        if (o->mark[o->list[t]] != o->stamp) {
            return false;
        }
    }
    return true;
}

/* Merges the nodes of one hash list that have equal adjacency: they stay equal for ever. */
static void merge_hash_list(struct order *o, int32_t first)
{
    for (int32_t i = first; i >= 0 && o->next[i] >= 0; i = o->next[i]) {
        for (int64_t t = o->begin[i]; t < o->begin[i] + o->length[i]; t++) {
            o->mark[o->list[t]] = o->stamp;
        }
        int32_t before = i;
        for (int32_t j = o->next[i]; j >= 0; j = o->next[j]) {
            if (same_lists(o, i, j)) {
                merge(o, i, j);
                o->next[before] = o->next[j];
            } else {
                before = j;
            }
        }
        o->stamp++;
    }
}

/* Second half of an elimination: the nodes of p's clique see p instead of what it absorbed. */
static int64_t update_clique(struct order *o, int32_t p, int64_t scalars)
{
    int64_t begin = o->begin[p];
    int64_t end = begin + o->length[p];
    for (int64_t t = begin; t < end; t++) {
        int32_t i = o->list[t];
        if (!update_node(o, p, i) && o->wait[i] <= 0) {
            scalars += o->size[i]; /* negative */
            o->left += o->size[i];
            o->size[i] = 0;
            o->state[i] = TN_GONE;
            emit(o, i);
        }
    }
    o->degree[p] = (int32_t)scalars;
    o->mark[p] = o->stamp;
    o->largest_degree = scalars > o->largest_degree ? (int32_t)scalars : o->largest_degree;
    o->stamp += o->largest_degree + 1;
    for (int64_t t = begin; t < end; t++) {
        int32_t i = o->list[t];
        if (o->state[i] == TN_LIVE && o->wait[i] <= 0) {
            o->next[i] = o->hash_head[o->hash_of[i]];
            o->hash_head[o->hash_of[i]] = i;
        }
    }
    for (int64_t t = begin; t < end; t++) {
        int32_t i = o->list[t];
        if (o->state[i] == TN_LIVE && o->wait[i] <= 0) {
            int32_t first = o->hash_head[o->hash_of[i]];
            o->hash_head[o->hash_of[i]] = -1;
            merge_hash_list(o, first);
        }
    }
    return scalars;
}

/* Final degrees of the clique's nodes; those whose gate is open go back to the degree lists. */
static void finish_clique(struct order *o, int32_t p, int64_t scalars)
{
    int64_t to = o->begin[p];
    for (int64_t t = to, end = to + o->length[p]; t < end; t++) {
        int32_t i = o->list[t];
        if (o->state[i] != TN_LIVE) {
            continue;
        }
        o->size[i] = -o->size[i];
        int64_t degree = o->degree[i] + scalars - o->size[i];
        int64_t most = o->left - o->size[i];
        degree = degree < most ? degree : most;
        o->degree[i] = degree < INT32_MAX ? (int32_t)degree : INT32_MAX;
        o->list[to++] = i;
        if (o->wait[i] <= 0) {
            bucket_insert(o, i);
        }
    }
    o->length[p] = (int32_t)(to - o->begin[p]);
    o->used = to;
    if (o->length[p] == 0) {
        o->state[p] = TN_GONE;
        o->mark[p] = 0;
    }
}

/* Takes a live node out of the degree lists and writes it to the order. */
static void peel_off(struct order *o, int32_t i)
{
    if (o->wait[i] <= 0) {
        bucket_remove(o, i);
    }
    o->left -= o->size[i];
    o->size[i] = 0;
    o->state[i] = TN_GONE;
    emit(o, i);
}

/* The only live neighbour of node i but `other`; -1: there is none, or several. */
static int32_t only_neighbour(const struct order *o, int32_t i, int32_t other)
{
    int32_t found = -1;
    for (int64_t t = o->graph->start[i]; t < o->graph->start[i + 1]; t++) {
        int32_t j = o->graph->neighbour[t];
        if (o->state[j] == TN_LIVE && j != other) {
            if (found >= 0) {
                return -1;
            }
            found = j;
        }
    }
    return found;
}

/* Twigs first: a body that hangs on one joint, of which it is the key, then the joint, and so on
 * inwards. There is no fill in that, and the clique lists of a hub need not be gone through once
 * for each. live[i]: live neighbours of node i. */
static void peel_twigs(struct order *o, int32_t *live)
{
    for (int32_t i = 0; i < o->n; i++) {
        live[i] = o->length[i];
    }
    for (int32_t first = 0; first < o->n; first++) {
        int32_t i = first;
        while (i >= 0 && o->state[i] == TN_LIVE && live[i] == 1 && o->graph->wait[i] <= 0) {
            int32_t joint = only_neighbour(o, i, -1);
            int32_t inner = only_neighbour(o, joint, i);
            if (o->graph->key[joint] != i || live[joint] != (inner >= 0 ? 2 : 1)) {
                break;
            }
            peel_off(o, i);
            bool opened = o->wait[joint] <= 0;
            o->wait[joint] = 1; /* it is in no degree list */
            peel_off(o, joint);
            TN_ASSERT(opened);
            (void)opened;
            if (inner >= 0) {
                live[inner]--;
                bucket_remove(o, inner);
                o->degree[inner] -= o->graph->weight[joint];
                bucket_insert(o, inner);
            }
            i = inner;
        }
    }
}

static tn_status eliminate_all(struct order *o)
{
    peel_twigs(o, o->hash_of);
    while (o->count < o->n) {
        int32_t p = bucket_take_lowest(o);
        int64_t scalars = 0;
        o->left -= o->size[p];
        tn_status status = build_clique(o, p, &scalars);
        if (status != TN_OK) {
            return status;
        }
        measure_elements(o, p);
        emit(o, p);
        scalars = update_clique(o, p, scalars);
        finish_clique(o, p, scalars);
    }
    return TN_OK;
}

tn_status tn_order_minimum_degree(const tn_order_graph *graph, int32_t *order)
{
    struct order o = {.graph = graph, .n = graph->n, .out = order};
    tn_status status = TN_ERROR_MEMORY;
    if (allocate_lists(&o) != NULL) {
        start_lists(&o);
        status = eliminate_all(&o);
    }
    free_lists(&o);
    return status;
}
