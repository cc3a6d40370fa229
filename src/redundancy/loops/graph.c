/* graph.c: room redundancy/loops: the loops of a mechanism.
 *
 * Bodies are nodes, ground with all fixed bodies one node, joints edges in order. An edge whose
 * ends are already linked by earlier ones closes a loop; the shortest way between its ends over
 * earlier edges is the rest of that loop. The way goes over joints alone where they link the ends,
 * so that a planar mechanism has the loops that it has in space; over the pseudo-joints of planar
 * bodies only otherwise. Every loop has an edge no earlier loop has, so they are independent, and
 * there are as many as the graph has (edges - nodes + components). Couplings are no edges: they tie
 * the loops of their joints together, and joints in no loop to them.
 */
#include <stdbool.h>
#include <string.h>

#include "redundancy/loops/loops.h"

typedef struct tn_search {
    int32_t *start, *edge; /* edges of node i: edge[start[i]] .. */
    int32_t *root;         /* union-find over nodes: by all edges */
    int32_t *linked;       /* and by joints alone */
    int32_t *entry;        /* per node: edge it was reached by */
    int32_t *seen;         /* per node: number of the search that reached it */
    int32_t *queue;
} tn_search;

static int32_t find_root(int32_t *root, int32_t i)
{
    while (root[i] != i) {
        root[i] = root[root[i]];
        i = root[i];
    }
    return i;
}

/* False if a and b were in one set before. */
static bool unite(int32_t *root, int32_t a, int32_t b)
{
    const int32_t from = find_root(root, a), to = find_root(root, b);
    root[from] = to;
    return from != to;
}

static int32_t node_of(const tn_model *model, int32_t body)
{
    return body < 0 || model->bodies[body].dim == 0 ? model->body_count : body;
}

static void add_edge(tn_red_graph *graph, int32_t joint, int32_t a, int32_t b)
{
    if (joint >= 0)
        graph->edge_of[joint] = graph->edge_count;
    graph->edges[graph->edge_count++] = (tn_red_edge){joint, a, b, -1};
}

/* Does it hold anything, or lead a coordinate? A joint on the frame of a set of nodes closes no loop: these move against each
 * other, and its rows are independent of all others. */
static bool links(const tn_red_pose *pose, int32_t j)
{
    if (pose->model->joints[j].mean > 0)
        return false;
    return !pose->yields || pose->state.switches[j].active_count > 0 ||
           pose->model->joints[j].geometry.cls->info.coordinate_count > 0;
}

/* Pseudo-joints first, so that real joints close the loops. */
static void collect_edges(const tn_red_pose *pose, tn_red_graph *graph)
{
    const tn_model *model = pose->model;
    for (int32_t i = 0; i < model->body_count; i++) {
        if (model->bodies[i].dim > 0 && model->bodies[i].dim < 6)
            add_edge(graph, -1, i, model->body_count);
    }
    for (int32_t j = 0; j < model->joint_count; j++) {
        const int32_t a = node_of(model, model->joints[j].a),
                      b = node_of(model, model->joints[j].b);
        if (a != b && pose->state.switches[j].enabled && links(pose, j))
            add_edge(graph, j, a, b);
    }
}

static tn_status search_create(const tn_model *model, const tn_red_graph *graph, tn_arena *arena,
                               tn_search *s)
{
    const int32_t n = model->body_count + 1;
    s->start = TN_ARENA_ARRAY(arena, int32_t, n + 2);
    s->edge = TN_ARENA_ARRAY(arena, int32_t, 2 * graph->edge_count);
    s->root = TN_ARENA_ARRAY(arena, int32_t, n);
    s->linked = TN_ARENA_ARRAY(arena, int32_t, n);
    s->entry = TN_ARENA_ARRAY(arena, int32_t, n);
    s->seen = TN_ARENA_ARRAY(arena, int32_t, n);
    s->queue = TN_ARENA_ARRAY(arena, int32_t, n);
    if (!s->start || !s->edge || !s->root || !s->linked || !s->entry || !s->seen || !s->queue)
        return TN_ERROR_MEMORY;
    for (int32_t e = 0; e < graph->edge_count; e++) {
        s->start[graph->edges[e].a + 2]++;
        s->start[graph->edges[e].b + 2]++;
    }
    for (int32_t i = 0; i < n; i++) {
        s->start[i + 2] += s->start[i + 1];
        s->root[i] = s->linked[i] = i;
    }
    for (int32_t e = 0; e < graph->edge_count; e++) {
        s->edge[s->start[graph->edges[e].a + 1]++] = e;
        s->edge[s->start[graph->edges[e].b + 1]++] = e;
    }
    return TN_OK;
}

static int32_t far_end(const tn_red_edge *edge, int32_t node)
{
    return edge->a == node ? edge->b : edge->a;
}

/* Breadth first from `from` to `to` over edges before `limit`, which are known to link them: joints,
 * and pseudo-joints if `pseudo`. */
static void search_path(const tn_red_graph *graph, tn_search *s, int32_t from, int32_t to,
                        int32_t limit, bool pseudo)
{
    int32_t count = 0;
    s->queue[count++] = from;
    s->seen[from] = limit;
    s->entry[from] = -1;
    for (int32_t head = 0; head < count && s->seen[to] != limit; head++) {
        const int32_t node = s->queue[head];
        for (int32_t k = s->start[node]; k < s->start[node + 1]; k++) {
            const int32_t e = s->edge[k];
            if (e >= limit)
                break; /* edges of a node are in order */
            const int32_t next = far_end(&graph->edges[e], node);
            if (s->seen[next] == limit || (graph->edges[e].joint < 0 && !pseudo))
                continue;
            s->seen[next] = limit;
            s->entry[next] = e;
            s->queue[count++] = next;
        }
    }
}

/* The loop that edge `closing` closes: along the path from its B to its A, back over itself. */
static tn_status make_loop(tn_red_graph *graph, tn_search *s, int32_t closing, bool pseudo,
                           tn_arena *arena)
{
    const tn_red_edge *last = &graph->edges[closing];
    tn_red_loop *loop = &graph->loops[graph->loop_count];
    search_path(graph, s, last->b, last->a, closing, pseudo);
    int32_t count = 1;
    for (int32_t node = last->a; node != last->b; count++)
        node = far_end(&graph->edges[s->entry[node]], node);
    loop->edge = TN_ARENA_ARRAY(arena, int32_t, count);
    loop->direction = TN_ARENA_ARRAY(arena, int8_t, count);
    loop->node = TN_ARENA_ARRAY(arena, int32_t, count);
    if (!loop->edge || !loop->direction || !loop->node)
        return TN_ERROR_MEMORY;
    loop->count = count;
    int32_t node = last->a;
    for (int32_t k = count - 2; k >= 0; k--) { /* the path was searched from B */
        const int32_t e = s->entry[node];
        loop->edge[k] = e;
        loop->direction[k] = graph->edges[e].a == node ? 1 : -1;
        loop->node[k] = node;
        node = far_end(&graph->edges[e], node);
    }
    loop->edge[count - 1] = closing;
    loop->direction[count - 1] = -1; /* from A back to B */
    loop->node[count - 1] = last->b;
    graph->loop_count++;
    return TN_OK;
}

/* Unites what shares an edge: roots of loops, then of couplings; owner[e] is the first to meet e.
 */
static void meet(int32_t *root, int32_t *owner, int32_t edge, int32_t who)
{
    if (owner[edge] < 0)
        owner[edge] = who;
    root[find_root(root, who)] = find_root(root, owner[edge]);
}

static int acts(const tn_model *model, const tn_state *state, int32_t coupling)
{
    const int32_t j = model->joint_count + coupling;
    return tn_state_is_on(model, state, j) && state->switches[j].active_count > 0;
}

/* The group of a root, a new one if it has none yet. */
static int32_t group_of(tn_red_graph *graph, int32_t *group, int32_t root)
{
    if (group[root] < 0)
        group[root] = graph->group_count++;
    return group[root];
}

/* Loops and couplings that share an edge, directly or through others, get one group number. */
static tn_status group_all(const tn_model *model, const tn_state *state, tn_red_graph *graph,
                           tn_arena *arena)
{
    const int32_t loops = graph->loop_count, all = loops + model->coupling_count;
    int32_t *root = TN_ARENA_ARRAY(arena, int32_t, all + 1);
    int32_t *group = TN_ARENA_ARRAY(arena, int32_t, all + 1);
    int32_t *owner = TN_ARENA_ARRAY(arena, int32_t, graph->edge_count + 1);
    if (!root || !owner || !group)
        return TN_ERROR_MEMORY;
    for (int32_t e = 0; e < graph->edge_count; e++)
        owner[e] = -1;
    for (int32_t i = 0; i < all; i++) {
        root[i] = i;
        group[i] = -1;
    }
    for (int32_t l = 0; l < loops; l++) {
        for (int32_t k = 0; k < graph->loops[l].count; k++)
            meet(root, owner, graph->loops[l].edge[k], l);
    }
    for (int32_t k = 0; k < model->coupling_count; k++) {
        for (int32_t t = model->term_start[k];
             t < model->term_start[k + 1] && acts(model, state, k); t++) {
            if (graph->edge_of[model->terms[t].joint] >= 0)
                meet(root, owner, graph->edge_of[model->terms[t].joint], loops + k);
        }
    }
    for (int32_t l = 0; l < loops; l++)
        graph->loops[l].group = group_of(graph, group, find_root(root, l));
    for (int32_t k = 0; k < model->coupling_count; k++) {
        graph->coupling_group[k] =
            acts(model, state, k) ? group_of(graph, group, find_root(root, loops + k)) : -1;
    }
    for (int32_t e = 0; e < graph->edge_count; e++) {
        if (owner[e] >= 0)
            graph->edges[e].group = group[find_root(root, owner[e])];
    }
    return TN_OK;
}

tn_status tn_red_graph_build(const tn_red_pose *pose, tn_arena *arena, tn_red_graph *graph)
{
    const tn_model *model = pose->model;
    const tn_state *state = &pose->state;
    tn_search s = {0};
    memset(graph, 0, sizeof *graph);
    const int32_t most = model->body_count + model->joint_count;
    graph->edges = TN_ARENA_ARRAY(arena, tn_red_edge, most);
    graph->loops = TN_ARENA_ARRAY(arena, tn_red_loop, model->joint_count);
    graph->edge_of = TN_ARENA_ARRAY(arena, int32_t, model->joint_count + 1);
    graph->coupling_group = TN_ARENA_ARRAY(arena, int32_t, model->coupling_count + 1);
    if (!graph->edges || !graph->loops || !graph->edge_of || !graph->coupling_group)
        return TN_ERROR_MEMORY;
    for (int32_t j = 0; j < model->joint_count; j++)
        graph->edge_of[j] = -1;
    collect_edges(pose, graph);
    tn_status status = search_create(model, graph, arena, &s);
    for (int32_t i = 0; i <= model->body_count && status == TN_OK; i++)
        s.seen[i] = -1;
    for (int32_t e = 0; e < graph->edge_count && status == TN_OK; e++) {
        const tn_red_edge *edge = &graph->edges[e];
        const bool linked = edge->joint >= 0 && !unite(s.linked, edge->a, edge->b);
        if (!unite(s.root, edge->a, edge->b))
            status = make_loop(graph, &s, e, !linked, arena);
    }
    if (status == TN_OK)
        status = group_all(model, state, graph, arena);
    return status;
}
