/* tree.c: room coords: spanning tree, blocks and roots of the enabled joints.
 *
 * The root of a component is ground if it hangs on it, else its centre of mass in the sense of
 * graphs: the node none of whose branches weighs more than half of the whole. So the side away from
 * the root is the one that moves: the one that is not grounded, or the lighter one.
 *
 * Blocks: every tree edge (node, parent) starts alone; a joint that closes a loop unites the edges
 * on the tree path between its ends. United edges are climbed in one leap, so all of this is close
 * to linear in the number of joints (union-find; Tarjan 1975). A coupling unites its joints' edges
 * and those on the tree paths between them, climbed edge by edge.
 */
#include <string.h>

#include "base/base.h"
#include "coords/coords.h"

enum { UNSEEN = -2, ROOT = -1 };
#define NOT_BUILT (-2)

void tn_tree_destroy(tn_tree *tree)
{
    tn_free(tree->enabled);
    tn_free(tree->order);
    tn_free(tree->parent);
    tn_free(tree->depth);
    tn_free(tree->leader);
    tn_free(tree->anchor);
    tn_free(tree->joint_count);
    tn_free(tree->block);
    tn_free(tree->link);
    tn_free(tree->first_joint);
    tn_free(tree->next_joint);
    tn_free(tree->start);
    tn_free(tree->incident);
    tn_free(tree->weight);
    memset(tree, 0, sizeof *tree);
}

tn_status tn_tree_create(const tn_model *model, tn_tree *tree)
{
    const int32_t n = model->body_count + 1, joints = model->joint_count;
    const int32_t elements = model->element_count;
    memset(tree, 0, sizeof *tree);
    tree->nodes = n;
    tree->preferred = NOT_BUILT;
    tree->enabled = TN_NEW_ARRAY(int8_t, elements);
    tree->order = TN_NEW_ARRAY(int32_t, n);
    tree->parent = TN_NEW_ARRAY(int32_t, n);
    tree->depth = TN_NEW_ARRAY(int32_t, n);
    tree->leader = TN_NEW_ARRAY(int32_t, n);
    tree->anchor = TN_NEW_ARRAY(int32_t, n);
    tree->joint_count = TN_NEW_ARRAY(int32_t, n);
    tree->first_joint = TN_NEW_ARRAY(int32_t, n);
    tree->start = TN_NEW_ARRAY(int32_t, n + 2);
    tree->weight = TN_NEW_ARRAY(double, n);
    tree->block = TN_NEW_ARRAY(int32_t, elements);
    tree->next_joint = TN_NEW_ARRAY(int32_t, elements);
    tree->link = TN_NEW_ARRAY(int8_t, joints);
    tree->incident = TN_NEW_ARRAY(int32_t, 2 * (int64_t)joints);
    return tree->enabled && tree->order && tree->parent && tree->depth && tree->leader &&
                   tree->anchor && tree->joint_count && tree->first_joint && tree->start &&
                   tree->weight && tree->block && tree->next_joint && tree->link && tree->incident
               ? TN_OK
               : TN_ERROR_MEMORY;
}

/* The two nodes of a joint; 0 if it cannot matter. */
static int ends(const tn_model *model, const tn_state *state, int32_t j, int32_t *a, int32_t *b)
{
    *a = tn_tree_node(model, model->joints[j].a);
    *b = tn_tree_node(model, model->joints[j].b);
    return state->switches[j].enabled && *a != *b;
}

static void list_incidences(const tn_model *model, const tn_state *state, tn_tree *tree)
{
    int32_t a, b;
    memset(tree->start, 0, sizeof(int32_t) * (size_t)(tree->nodes + 2));
    for (int32_t j = 0; j < model->joint_count; j++) {
        if (ends(model, state, j, &a, &b)) {
            tree->start[a + 2]++;
            tree->start[b + 2]++;
        }
    }
    for (int32_t i = 0; i < tree->nodes; i++)
        tree->start[i + 2] += tree->start[i + 1];
    for (int32_t j = 0; j < model->joint_count; j++) {
        if (ends(model, state, j, &a, &b)) {
            tree->incident[tree->start[a + 1]++] = j;
            tree->incident[tree->start[b + 1]++] = j;
        }
    }
}

static int32_t other_end(const tn_model *model, int32_t joint, int32_t node)
{
    const int32_t a = tn_tree_node(model, model->joints[joint].a);
    return a == node ? tn_tree_node(model, model->joints[joint].b) : a;
}

/* Breadth first from a root; order grows from `from`. */
static void grow(const tn_model *model, tn_tree *tree, int32_t root)
{
    int32_t head = tree->visited;
    tree->order[tree->visited++] = root;
    tree->parent[root] = ROOT;
    tree->depth[root] = 0;
    for (; head < tree->visited; head++) {
        const int32_t node = tree->order[head];
        for (int32_t k = tree->start[node]; k < tree->start[node + 1]; k++) {
            const int32_t next = other_end(model, tree->incident[k], node);
            if (tree->parent[next] != UNSEEN)
                continue;
            tree->parent[next] = node;
            tree->depth[next] = tree->depth[node] + 1;
            tree->order[tree->visited++] = next;
        }
    }
}

/* Of the component order[from ..], grown from any node. */
static int32_t heaviest_middle(const tn_model *model, tn_tree *tree, int32_t from)
{
    for (int32_t k = from; k < tree->visited; k++)
        tree->weight[tree->order[k]] = model->bodies[tree->order[k]].mass;
    for (int32_t k = tree->visited - 1; k > from; k--)
        tree->weight[tree->parent[tree->order[k]]] += tree->weight[tree->order[k]];
    const double half = 0.5 * tree->weight[tree->order[from]];
    int32_t middle = tree->order[from];
    for (int32_t k = from + 1; k < tree->visited; k++) {
        if (tree->parent[tree->order[k]] == middle && tree->weight[tree->order[k]] > half)
            middle = tree->order[k];
    }
    return middle;
}

static void grow_floating(const tn_model *model, tn_tree *tree, int32_t first, int32_t prefer)
{
    const int32_t from = tree->visited;
    grow(model, tree, first);
    int32_t root = heaviest_middle(model, tree, from);
    for (int32_t k = from; k < tree->visited; k++) {
        if (tree->order[k] == prefer)
            root = prefer;
        tree->parent[tree->order[k]] = UNSEEN;
    }
    tree->visited = from;
    grow(model, tree, root);
}

/* Of a set in a forest of nodes, the one that stands for it. */
static int32_t find_in(int32_t *forest, int32_t node)
{
    while (forest[node] != node) {
        forest[node] = forest[forest[node]];
        node = forest[node];
    }
    return node;
}

static int32_t find(tn_tree *tree, int32_t node)
{
    return find_in(tree->leader, node);
}

/* Unites two sets of edges, the first -1 for none; the leader has the anchor nearest to the root.
 */
static int32_t unite(tn_tree *tree, int32_t all, int32_t edge)
{
    if (all < 0 || edge == all)
        return edge;
    const int32_t keep =
        tree->depth[tree->anchor[edge]] < tree->depth[tree->anchor[all]] ? edge : all;
    tree->leader[keep == edge ? all : edge] = keep;
    return keep;
}

/* Unites the tree path between two nodes; returns the leader. */
static int32_t close_loop(tn_tree *tree, int32_t a, int32_t b)
{
    int32_t all = -1;
    while (a != b) {
        int32_t *deeper = tree->depth[a] >= tree->depth[b] ? &a : &b;
        const int32_t edge = find(tree, *deeper);
        all = unite(tree, all, edge);
        *deeper = tree->anchor[edge];
    }
    return all;
}

/* The node whose edge stands for a joint; -1 if it cannot matter. */
static int32_t edge_of(const tn_model *model, const tn_state *state, const tn_tree *tree, int32_t j)
{
    int32_t a, b;
    if (!ends(model, state, j, &a, &b))
        return -1;
    return tree->depth[a] > tree->depth[b] ? a : b;
}

/* Unites the edges of two nodes and those between them. Sets of different trees may be one: each
 * has its own end that is held. */
static void unite_path(tn_tree *tree, int32_t a, int32_t b)
{
    int32_t all = unite(tree, find(tree, a), find(tree, b));
    while (a != b) {
        int32_t *deeper = tree->depth[a] >= tree->depth[b] ? &a : &b;
        if (tree->parent[*deeper] < 0)
            return;
        all = unite(tree, all, find(tree, *deeper));
        *deeper = tree->parent[*deeper];
    }
}

static void count_joints(const tn_model *model, const tn_state *state, tn_tree *tree)
{
    memset(tree->joint_count, 0, sizeof(int32_t) * (size_t)tree->nodes);
    for (int32_t j = 0; j < model->joint_count; j++) {
        const int32_t edge = edge_of(model, state, tree, j);
        if (edge >= 0)
            tree->joint_count[find(tree, edge)]++;
    }
}

/* Marks the joints outside loops as links, then takes the coupled ones out again. */
static void couple_blocks(const tn_model *model, const tn_state *state, tn_tree *tree)
{
    count_joints(model, state, tree);
    for (int32_t j = 0; j < model->joint_count; j++) {
        const int32_t edge = edge_of(model, state, tree, j);
        tree->link[j] = edge >= 0 && tree->joint_count[find(tree, edge)] == 1;
    }
    for (int32_t k = 0; k < model->coupling_count; k++) {
        int32_t first = -1;
        if (!tn_state_is_on(model, state, model->joint_count + k))
            continue;
        for (int32_t t = model->term_start[k]; t < model->term_start[k + 1]; t++) {
            const int32_t edge = edge_of(model, state, tree, model->terms[t].joint);
            tree->link[model->terms[t].joint] = 0;
            if (edge >= 0 && first >= 0)
                unite_path(tree, first, edge);
            first = first < 0 ? edge : first;
        }
    }
}

/* The leader of an element's block; -1 if it does not count. */
static int32_t block_of(const tn_model *model, const tn_state *state, tn_tree *tree, int32_t j)
{
    int32_t edge = -1;
    for (int32_t p = model->through_start[j];
         p < model->through_start[j + 1] && edge < 0 && tn_state_is_on(model, state, j); p++)
        edge = edge_of(model, state, tree, model->through[p]);
    return edge < 0 ? -1 : find(tree, edge);
}

static void find_blocks(const tn_model *model, const tn_state *state, tn_tree *tree)
{
    for (int32_t i = 0; i < tree->nodes; i++) {
        tree->leader[i] = i;
        tree->anchor[i] = tree->parent[i];
        tree->first_joint[i] = -1;
    }
    int32_t a, b;
    for (int32_t j = 0; j < model->joint_count; j++) {
        if (ends(model, state, j, &a, &b))
            close_loop(tree, a, b);
    }
    couple_blocks(model, state, tree);
    memset(tree->joint_count, 0, sizeof(int32_t) * (size_t)tree->nodes);
    for (int32_t j = model->element_count - 1; j >= 0; j--) {
        const int32_t leader = tree->block[j] = block_of(model, state, tree, j);
        if (leader < 0)
            continue;
        tree->joint_count[leader]++;
        tree->next_joint[j] = tree->first_joint[leader];
        tree->first_joint[leader] = j;
    }
    for (int32_t j = 0; j < model->joint_count; j++)
        tree->link[j] = tree->link[j] && tree->joint_count[tree->block[j]] > 1;
    for (int32_t i = 0; i < tree->nodes; i++) /* from now on leader is the block itself */
        tree->leader[i] = find(tree, i);
}

/* Has nothing changed since the tree was built? Notes what there is now. */
static int is_built(const tn_model *model, const tn_state *state, int32_t prefer, tn_tree *tree)
{
    int same = tree->preferred == prefer;
    tree->preferred = prefer;
    for (int32_t j = 0; j < model->element_count; j++) {
        same = same && tree->enabled[j] == state->switches[j].enabled;
        tree->enabled[j] = state->switches[j].enabled;
    }
    return same;
}

void tn_tree_build(const tn_model *model, const tn_state *state, int32_t prefer, tn_tree *tree)
{
    if (is_built(model, state, prefer, tree))
        return;
    list_incidences(model, state, tree);
    for (int32_t i = 0; i < tree->nodes; i++)
        tree->parent[i] = UNSEEN;
    tree->visited = 0;
    grow(model, tree, model->body_count);
    for (int32_t i = 0; i < model->body_count; i++) {
        if (tree->parent[i] == UNSEEN && model->bodies[i].dim > 0)
            grow_floating(model, tree, i, prefer);
    }
    find_blocks(model, state, tree);
}

void tn_tree_components(const tn_tree *tree, int32_t *component)
{
    const int32_t ground = tree->nodes - 1;
    for (int32_t i = 0; i < tree->nodes; i++)
        component[i] = i;
    for (int32_t i = 0; i < tree->nodes; i++) {
        const int32_t parent = tree->parent[i];
        component[find_in(component, i)] = find_in(component, tree->leader[i]); /* its block */
        if (parent >= 0 && parent != ground)
            component[find_in(component, i)] = find_in(component, parent);
    }
    for (int32_t i = 0; i < tree->nodes; i++)
        component[i] = find_in(component, i);
}
