/* short_loops.c: room model/graph: shortens the loops of a spanning tree.
 *
 * In: a spanning tree and its cuts. Out: a tree with shorter loops. Exchanges a cut and a joint of the tree in its
 * loop as long as the sum of the lengths of all loops of the component falls. The cost of a step depends on these
 * lengths (method/loops/loops.h).
 */
#include "model/graph/graph.h"

/* Most bodies visited in a component in search of shorter loops: some 10 ms. */
enum { TN_SWAPS_WORTH = 4000000 };

/* The tree as links from bodies inward, and the present component. */
typedef struct tn_loop_lengths {
    tn_model *model;
    const int8_t *rank;
    int32_t *hung;       /* [bodies + 1] joint to the inner body; -1: a root */
    int32_t *up;         /* [bodies + 1] the inner body */
    int32_t *far;        /* [bodies + 1] distance in joints of a visited body; -1: not visited */
    int32_t *cuts;       /* [joints] by component */
    int32_t *root;       /* [joints] of cuts[n] */
    int32_t first, last; /* cuts of the component */
    int64_t passed;      /* bodies visited */
} tn_loop_lengths;

static int32_t root_of(const tn_loop_lengths *l, int32_t node)
{
    while (l->up[node] >= 0)
        node = l->up[node];
    return node;
}

/* Number of joints of the tree between the bodies of a cut. */
static int32_t length_of(tn_loop_lengths *l, int32_t joint)
{
    const int32_t a = tn_graph_node(l->model, l->model->joints[joint].a),
                  b = tn_graph_node(l->model, l->model->joints[joint].b);
    int32_t to_root = 0, length = 0, node = b;
    for (int32_t i = a; i >= 0; i = l->up[i])
        l->far[i] = to_root++;
    for (; node >= 0 && l->far[node] < 0; node = l->up[node])
        length++;
    l->passed += to_root + length;
    length += node >= 0 ? l->far[node] : 0;
    for (int32_t i = a; i >= 0; i = l->up[i])
        l->far[i] = -1;
    return length;
}

static int64_t length_of_all(tn_loop_lengths *l)
{
    int64_t sum = 0;
    for (int32_t n = l->first; n < l->last; n++)
        sum += length_of(l, l->cuts[n]);
    return sum;
}

/* Hangs body u on v by the joint, and reverses the branch from u to x, which then hangs on u. */
static void hang_on(tn_loop_lengths *l, int32_t joint, int32_t u, int32_t v, int32_t x)
{
    for (;;) {
        const int32_t by = l->hung[u], on = l->up[u];
        l->hung[u] = joint;
        l->up[u] = v;
        if (u == x)
            return;
        joint = by;
        v = u;
        u = on;
    }
}

/* Exchanges cut n and a joint of the tree between one of its bodies and their common inner body, if the sum of all
 * loops falls. */
static bool swap_on(tn_loop_lengths *l, int32_t n, int32_t u, int32_t v, int64_t *best)
{
    const int32_t cut = l->cuts[n];
    int32_t meet = v;
    for (int32_t node = u; node >= 0; node = l->up[node])
        l->far[node] = 0;
    while (meet >= 0 && l->far[meet] < 0)
        meet = l->up[meet];
    for (int32_t node = u; node >= 0; node = l->up[node])
        l->far[node] = -1;
    for (int32_t x = u; x != meet && x >= 0 && l->passed < TN_SWAPS_WORTH; x = l->up[x]) {
        const int32_t other = l->hung[x], on = l->up[x];
        if (l->rank[other] > l->rank[cut])
            continue;
        hang_on(l, cut, u, v, x);
        l->cuts[n] = other;
        const int64_t now = length_of_all(l);
        if (now < *best) {
            *best = now;
            return true;
        }
        hang_on(l, other, x, on, u);
        l->cuts[n] = cut;
    }
    return false;
}

static void shorten(tn_loop_lengths *l)
{
    l->passed = 0;
    int64_t best = length_of_all(l);
    bool goes_on = true;
    while (goes_on) {
        goes_on = false;
        for (int32_t n = l->first; n < l->last && l->passed < TN_SWAPS_WORTH; n++) {
            const int32_t a = tn_graph_node(l->model, l->model->joints[l->cuts[n]].a),
                          b = tn_graph_node(l->model, l->model->joints[l->cuts[n]].b);
            goes_on |= swap_on(l, n, a, b, &best) || swap_on(l, n, b, a, &best);
        }
    }
}

/* Sorts the cuts by the roots of their components. */
static void sort_cuts(const tn_loop_lengths *l, int32_t count)
{
    for (int32_t n = 0; n < count; n++) {
        const int32_t cut = l->cuts[n],
                      root = root_of(l, tn_graph_node(l->model, l->model->joints[cut].a));
        int32_t at = n;
        for (; at > 0 && l->root[at - 1] > root; at--) {
            l->cuts[at] = l->cuts[at - 1];
            l->root[at] = l->root[at - 1];
        }
        l->cuts[at] = cut;
        l->root[at] = root;
    }
}

/* Reads the present tree; returns the number of its cuts. */
static int32_t read_tree(tn_loop_lengths *l)
{
    int32_t count = 0;
    for (int32_t i = 0; i <= l->model->body_count; i++)
        l->hung[i] = l->up[i] = l->far[i] = -1;
    for (int32_t j = 0; j < l->model->joint_count; j++) {
        const int32_t body = l->model->joints[j].hangs;
        if (body >= 0) {
            l->hung[body] = j;
            l->up[body] = tn_graph_other_end(l->model, j, body);
        } else if (l->model->joints[j].in_loop) {
            l->cuts[count++] = j;
        }
    }
    return count;
}

static void write_tree(const tn_loop_lengths *l)
{
    for (int32_t j = 0; j < l->model->joint_count; j++)
        l->model->joints[j].hangs = -1;
    for (int32_t i = 0; i <= l->model->body_count; i++) {
        if (l->hung[i] >= 0)
            l->model->joints[l->hung[i]].hangs = i;
    }
}

tn_status tn_graph_shorten(tn_model *model, const int8_t *rank)
{
    const int64_t n = (int64_t)model->body_count + 1, joints = model->joint_count;
    int32_t *block = TN_NEW_ARRAY(int32_t, 3 * n + 2 * joints);
    if (!block)
        return TN_ERROR_MEMORY;
    tn_loop_lengths l = {.model = model,
                         .rank = rank,
                         .hung = block,
                         .up = block + n,
                         .far = block + 2 * n,
                         .cuts = block + 3 * n,
                         .root = block + 3 * n + joints};
    const int32_t count = read_tree(&l);
    sort_cuts(&l, count);
    for (l.first = 0; l.first < count; l.first = l.last) {
        for (l.last = l.first + 1; l.last < count && l.root[l.last] == l.root[l.first]; l.last++)
            ;
        shorten(&l);
    }
    write_tree(&l);
    tn_free(block);
    return TN_OK;
}
