/* dissection.c: nested dissection of a graph of bodies and joints.
 *
 * Room sparse/order. In: a graph with gates (ordering.h). Out: an elimination order.
 *
 * George, "Nested dissection of a regular finite element mesh", SIAM J. Numer. Anal. 10 (1973): a
 * set of bodies is cut into two of about the same size, the joints that cross the cut come after
 * both, and each half is ordered alike. In an n x n net the joints of a cut are n, and the factor
 * takes n^3, whereas minimum degree, kept off the joints until their gates open, takes three to five
 * times as much.
 *
 * The cut follows from distances along the graph from three corners: a, far from anywhere; b,
 * far from a; c, far from both. Distances from a and their differences d_a - d_b, d_a - d_c,
 * d_b - d_c run across a net in straight lines; of all cuts between two values of one of these the
 * one with the fewest scalars per bodies parted is taken (ratio cut).
 *
 * Limits: no exchange of bodies between the halves afterwards.
 */
#include "sparse/order/dissection.h"

#include <math.h>

#include "base/base.h"

/* Both halves have at least this part of the bodies. */
#define TN_LEAST_SHARE 4

enum { TN_FROM_A, TN_FROM_B, TN_FROM_C, TN_CORNERS };

struct dissection {
    const tn_order_graph *graph;
    int32_t *list;                 /* the bodies, sets are ranges of it */
    int32_t *place;                /* of a body in the list; -1: a joint */
    int32_t *distance[TN_CORNERS]; /* of bodies in the set */
    int32_t *key;                  /* of bodies: what they are cut by */
    int32_t *queue, *seen;         /* seen: stamp of the search that met a node */
    int32_t *left, *first;         /* of joints: bodies still to come; when the first one came */
    int64_t *bodies, *crossing;    /* by value of the key: bodies; change of the scalars crossing */
    int32_t stamp;
    int32_t *out;
    int32_t count;
};

/* A set of bodies: list[from .. to). */
struct set {
    int32_t from, to;
};

static bool is_in(const struct dissection *d, struct set s, int32_t body)
{
    return d->place[body] >= s.from && d->place[body] < s.to;
}

/* Appends what of the set lies next to a node and is new; at such a distance. */
static int32_t spread(struct dissection *d, struct set s, int32_t node, int32_t *distance,
                      int32_t how_far, int32_t used)
{
    const tn_order_graph *g = d->graph;
    for (int64_t t = g->start[node]; t < g->start[node + 1]; t++) {
        const int32_t next = g->neighbour[t];
        if (d->seen[next] == d->stamp) {
            continue;
        }
        if (d->place[next] < 0) {
            d->seen[next] = d->stamp;
            used = spread(d, s, next, distance, how_far, used);
        } else if (is_in(d, s, next)) {
            d->seen[next] = d->stamp;
            distance[next] = how_far;
            d->queue[used++] = next;
        }
    }
    return used;
}

/* Distances from a body within the set, from of the queue on; returns its new end. Their order is
 * that of the queue. */
static int32_t search(struct dissection *d, struct set s, int32_t from, int32_t *distance,
                      int32_t used)
{
    int32_t next = used;
    d->seen[from] = d->stamp;
    distance[from] = 0;
    d->queue[used++] = from;
    while (next < used) {
        const int32_t body = d->queue[next++];
        used = spread(d, s, body, distance, distance[body] + 1, used);
    }
    return used;
}

static void put(struct dissection *d, int32_t at, int32_t body)
{
    d->list[at] = body;
    d->place[body] = at;
}

/* A set in several pieces: pieces until they are half of it. Returns where they end; s.to: the set
 * is in one piece. */
static int32_t part_pieces(struct dissection *d, struct set s)
{
    const int32_t half = s.from + (s.to - s.from + 1) / 2;
    d->stamp++;
    int32_t used = search(d, s, d->list[s.from], d->distance[TN_FROM_A], 0);
    if (used == s.to - s.from) {
        return s.to;
    }
    for (int32_t t = s.from; t < s.to && s.from + used < half; t++) {
        if (d->seen[d->list[t]] != d->stamp) {
            used = search(d, s, d->list[t], d->distance[TN_FROM_A], used);
        }
    }
    const int32_t end = s.from + used;
    for (int32_t t = s.from; t < s.to; t++) {
        if (d->seen[d->list[t]] != d->stamp) {
            d->queue[used++] = d->list[t];
        }
    }
    for (int32_t t = s.from; t < s.to; t++) {
        put(d, t, d->queue[t - s.from]);
    }
    return end;
}

/* Distances from a body; returns the last one met, which is as far as any. */
static int32_t measure(struct dissection *d, struct set s, int32_t from, int32_t *distance)
{
    d->stamp++;
    return d->queue[search(d, s, from, distance, 0) - 1];
}

static int32_t nearer(const struct dissection *d, int32_t body)
{
    const int32_t a = d->distance[TN_FROM_A][body], b = d->distance[TN_FROM_B][body];
    return a < b ? a : b;
}

/* The corners. c: of what is far from a and b, the end. */
static void find_corners(struct dissection *d, struct set s)
{
    int32_t *third = d->distance[TN_FROM_C];
    const int32_t a = measure(d, s, d->list[s.from], third);
    const int32_t b = measure(d, s, a, d->distance[TN_FROM_A]);
    measure(d, s, b, d->distance[TN_FROM_B]);
    int32_t middle = a, c = a;
    for (int32_t t = s.from; t < s.to; t++) {
        middle = nearer(d, d->list[t]) > nearer(d, middle) ? d->list[t] : middle;
    }
    measure(d, s, middle, third);
    for (int32_t t = s.from; t < s.to; t++) {
        const int32_t i = d->list[t];
        c = 2 * nearer(d, i) + third[i] > 2 * nearer(d, c) + third[c] ? i : c;
    }
    measure(d, s, c, third);
}

/* The keys, made not negative; returns how many values they have. */
static int32_t set_keys(struct dissection *d, struct set s, const int32_t *plus,
                        const int32_t *minus)
{
    int32_t least = INT32_MAX, most = INT32_MIN;
    for (int32_t t = s.from; t < s.to; t++) {
        const int32_t i = d->list[t], key = plus[i] - (minus != NULL ? minus[i] : 0);
        d->key[i] = key;
        least = key < least ? key : least;
        most = key > most ? key : most;
    }
    for (int32_t t = s.from; t < s.to; t++) {
        d->key[d->list[t]] -= least;
    }
    return most - least + 1;
}

/* A joint crosses all cuts between the least and the largest key of its bodies. */
static void note_joint(struct dissection *d, struct set s, int32_t joint)
{
    const tn_order_graph *g = d->graph;
    int32_t least = INT32_MAX, most = -1;
    for (int64_t t = g->start[joint]; t < g->start[joint + 1]; t++) {
        const int32_t body = g->neighbour[t];
        if (d->place[body] >= 0 && is_in(d, s, body)) {
            least = d->key[body] < least ? d->key[body] : least;
            most = d->key[body] > most ? d->key[body] : most;
        }
    }
    if (most >= 0) {
        d->crossing[least] += g->weight[joint];
        d->crossing[most] -= g->weight[joint];
    }
}

/* A cut: bodies whose key is at most so much on one side. */
struct cut {
    int32_t which, key;
    double cost; /* scalars crossing over the product of the sizes */
};

/* The best cut by the keys there are. */
static struct cut best_by_keys(struct dissection *d, struct set s, int32_t which, int32_t values)
{
    const tn_order_graph *g = d->graph;
    struct cut best = {which, -1, INFINITY};
    for (int32_t v = 0; v < values; v++) {
        d->bodies[v] = d->crossing[v] = 0;
    }
    d->stamp++;
    for (int32_t t = s.from; t < s.to; t++) {
        const int32_t i = d->list[t];
        d->bodies[d->key[i]]++;
        for (int64_t n = g->start[i]; n < g->start[i + 1]; n++) {
            const int32_t joint = g->neighbour[n];
            if (d->place[joint] < 0 && d->seen[joint] != d->stamp) {
                d->seen[joint] = d->stamp;
                note_joint(d, s, joint);
            }
        }
    }
    const int64_t all = s.to - s.from, least = (all + TN_LEAST_SHARE - 1) / TN_LEAST_SHARE;
    int64_t below = 0, crossing = 0;
    for (int32_t v = 0; v < values; v++) {
        below += d->bodies[v];
        crossing += d->crossing[v];
        const double cost = (double)crossing / ((double)below * (double)(all - below));
        if (below >= least && all - below >= least && cost < best.cost) {
            best = (struct cut){which, v, cost};
        }
    }
    return best;
}

/* Bodies on one side of the cut first; returns where they end. Without a cut: half of them. */
static int32_t part_at(struct dissection *d, struct set s, int32_t key)
{
    int32_t below = 0, above = 0;
    if (key < 0) {
        return s.from + (s.to - s.from) / 2;
    }
    for (int32_t t = s.from; t < s.to; t++) {
        below += d->key[d->list[t]] <= key;
    }
    const int32_t end = s.from + below;
    for (int32_t t = s.from, k = 0; t < s.to; t++) {
        const int32_t i = d->list[t];
        d->queue[d->key[i] <= key ? k++ : below + above++] = i;
    }
    for (int32_t t = s.from; t < s.to; t++) {
        put(d, t, d->queue[t - s.from]);
    }
    return end;
}

/* Cuts a set of several bodies; returns where its first half ends. */
static int32_t part(struct dissection *d, struct set s)
{
    const int32_t *const sides[][2] = {
        {d->distance[TN_FROM_A], NULL},
        {d->distance[TN_FROM_A], d->distance[TN_FROM_B]},
        {d->distance[TN_FROM_A], d->distance[TN_FROM_C]},
        {d->distance[TN_FROM_B], d->distance[TN_FROM_C]},
    };
    const int32_t pieces = part_pieces(d, s);
    if (pieces < s.to) {
        return pieces;
    }
    find_corners(d, s);
    struct cut best = {0, -1, INFINITY};
    for (int32_t k = 0; k < (int32_t)TN_COUNT_OF(sides); k++) {
        const struct cut cut = best_by_keys(d, s, k, set_keys(d, s, sides[k][0], sides[k][1]));
        best = cut.cost < best.cost ? cut : best;
    }
    set_keys(d, s, sides[best.which][0], sides[best.which][1]);
    return part_at(d, s, best.key);
}

static void emit_body(struct dissection *d, int32_t body)
{
    const tn_order_graph *g = d->graph;
    for (int64_t t = g->start[body]; t < g->start[body + 1]; t++) {
        const int32_t joint = g->neighbour[t];
        if (d->first[joint] < 0) {
            d->first[joint] = d->place[body];
        }
        d->left[joint]--;
    }
    d->out[d->count++] = body;
}

/* The joints of the bodies from such a place on that have no others. */
static void emit_joints(struct dissection *d, struct set s)
{
    const tn_order_graph *g = d->graph;
    for (int32_t k = s.from; k < s.to; k++) {
        const int32_t body = d->list[k];
        for (int64_t t = g->start[body]; t < g->start[body + 1]; t++) {
            const int32_t joint = g->neighbour[t];
            if (d->place[joint] < 0 && d->left[joint] == 0 && d->first[joint] >= s.from) {
                d->left[joint] = -1;
                d->out[d->count++] = joint;
            }
        }
    }
}

/* As deep as the logarithm of the set's size. */
static void order_set(struct dissection *d, struct set s)
{
    if (s.to - s.from == 1) {
        emit_body(d, d->list[s.from]);
        emit_joints(d, s);
        return;
    }
    const int32_t middle = part(d, s);
    const struct set one = {s.from, middle}, other = {middle, s.to};
    order_set(d, one);
    order_set(d, other);
    emit_joints(d, one);
}

/* Bodies are the nodes without gates. */
static struct set begin(struct dissection *d)
{
    const tn_order_graph *g = d->graph;
    struct set all = {0, 0};
    for (int32_t i = 0; i < g->n; i++) {
        d->place[i] = -1;
        d->first[i] = -1;
        d->left[i] = 0;
        if (g->wait[i] <= 0) {
            put(d, all.to++, i);
        }
    }
    for (int32_t i = 0; i < g->n; i++) {
        for (int64_t t = g->start[i]; t < g->start[i + 1]; t++) {
            d->left[i] += d->place[g->neighbour[t]] >= 0;
        }
    }
    return all;
}

static bool allocate(struct dissection *d)
{
    const int64_t n = d->graph->n;
    int32_t **const arrays[] = {&d->list,
                                &d->place,
                                &d->distance[TN_FROM_A],
                                &d->distance[TN_FROM_B],
                                &d->distance[TN_FROM_C],
                                &d->key,
                                &d->queue,
                                &d->seen,
                                &d->left,
                                &d->first};
    d->bodies = TN_NEW_ARRAY(int64_t, 2 * n + 1);
    d->crossing = TN_NEW_ARRAY(int64_t, 2 * n + 1);
    bool good = d->bodies != NULL && d->crossing != NULL;
    for (size_t k = 0; k < TN_COUNT_OF(arrays); k++) {
        *arrays[k] = TN_NEW_ARRAY(int32_t, n);
        good = good && *arrays[k] != NULL;
    }
    return good;
}

static void release(struct dissection *d)
{
    void *const arrays[] = {d->list,
                            d->place,
                            d->distance[TN_FROM_A],
                            d->distance[TN_FROM_B],
                            d->distance[TN_FROM_C],
                            d->key,
                            d->queue,
                            d->seen,
                            d->left,
                            d->first,
                            d->bodies,
                            d->crossing};
    for (size_t k = 0; k < TN_COUNT_OF(arrays); k++) {
        tn_free(arrays[k]);
    }
}

tn_status tn_order_dissect(const tn_order_graph *graph, int32_t *order)
{
    struct dissection d = {.graph = graph, .out = order};
    tn_status status = TN_ERROR_MEMORY;
    if (allocate(&d)) {
        const struct set all = begin(&d);
        if (all.to > 0) {
            order_set(&d, all);
        }
        status = TN_OK;
        TN_ASSERT(d.count == graph->n);
    }
    release(&d);
    return status;
}
