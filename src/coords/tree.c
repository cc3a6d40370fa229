/* tree.c: room coords: spanning tree, blocks and roots of the enabled joints.
 *
 * The root of a component is ground if it hangs on it, else its centre of mass in the sense of
 * graphs: the node none of whose branches weighs more than half of the whole. So the side away from
 * the root is the one that moves: the one that is not grounded, or the lighter one.
 *
 * Blocks: every tree edge (node, parent) starts alone; a joint that closes a loop unites the edges
 * on the tree path between its ends. United edges are climbed in one leap, so all of this is close
 * to linear in the number of joints (union-find; Tarjan 1975).
 */
#include <string.h>

#include "base/base.h"
#include "coords/coords.h"

enum { UNSEEN = -2, ROOT = -1 };

void tn_tree_destroy(tn_tree *tree)
{
    tn_free(tree->order);
    tn_free(tree->parent);
    tn_free(tree->depth);
    tn_free(tree->leader);
    tn_free(tree->anchor);
    tn_free(tree->joint_count);
    tn_free(tree->block);
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
    memset(tree, 0, sizeof *tree);
    tree->nodes = n;
    tree->order = TN_NEW_ARRAY(int32_t, n);
    tree->parent = TN_NEW_ARRAY(int32_t, n);
    tree->depth = TN_NEW_ARRAY(int32_t, n);
    tree->leader = TN_NEW_ARRAY(int32_t, n);
    tree->anchor = TN_NEW_ARRAY(int32_t, n);
    tree->joint_count = TN_NEW_ARRAY(int32_t, n);
    tree->first_joint = TN_NEW_ARRAY(int32_t, n);
    tree->start = TN_NEW_ARRAY(int32_t, n + 2);
    tree->weight = TN_NEW_ARRAY(double, n);
    tree->block = TN_NEW_ARRAY(int32_t, joints);
    tree->next_joint = TN_NEW_ARRAY(int32_t, joints);
    tree->incident = TN_NEW_ARRAY(int32_t, 2 * (int64_t)joints);
    return tree->order && tree->parent && tree->depth && tree->leader && tree->anchor &&
                   tree->joint_count && tree->first_joint && tree->start && tree->weight &&
                   tree->block && tree->next_joint && tree->incident
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
    for (int32_t j = 0; j < model->joint_count; j++)
        if (ends(model, state, j, &a, &b)) {
            tree->start[a + 2]++;
            tree->start[b + 2]++;
        }
    for (int32_t i = 0; i < tree->nodes; i++)
        tree->start[i + 2] += tree->start[i + 1];
    for (int32_t j = 0; j < model->joint_count; j++)
        if (ends(model, state, j, &a, &b)) {
            tree->incident[tree->start[a + 1]++] = j;
            tree->incident[tree->start[b + 1]++] = j;
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
    for (int32_t k = from + 1; k < tree->visited; k++)
        if (tree->parent[tree->order[k]] == middle && tree->weight[tree->order[k]] > half)
            middle = tree->order[k];
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

static int32_t find(tn_tree *tree, int32_t node)
{
    while (tree->leader[node] != node) {
        tree->leader[node] = tree->leader[tree->leader[node]];
        node = tree->leader[node];
    }
    return node;
}

/* Unites the tree path between two nodes; returns the leader. */
static int32_t close_loop(tn_tree *tree, int32_t a, int32_t b)
{
    int32_t all = -1;
    while (a != b) {
        int32_t *deeper = tree->depth[a] >= tree->depth[b] ? &a : &b;
        const int32_t edge = find(tree, *deeper);
        if (all >= 0 && edge != all) {
            const int32_t keep =
                tree->depth[tree->anchor[edge]] < tree->depth[tree->anchor[all]] ? edge : all;
            tree->leader[keep == edge ? all : edge] = keep;
            all = keep;
        } else {
            all = edge;
        }
        *deeper = tree->anchor[edge];
    }
    return all;
}

static void find_blocks(const tn_model *model, const tn_state *state, tn_tree *tree)
{
    for (int32_t i = 0; i < tree->nodes; i++) {
        tree->leader[i] = i;
        tree->anchor[i] = tree->parent[i];
        tree->joint_count[i] = 0;
        tree->first_joint[i] = -1;
    }
    int32_t a, b;
    for (int32_t j = 0; j < model->joint_count; j++)
        if (ends(model, state, j, &a, &b))
            close_loop(tree, a, b);
    for (int32_t j = model->joint_count - 1; j >= 0; j--) {
        tree->block[j] = -1;
        if (!ends(model, state, j, &a, &b))
            continue;
        const int32_t leader = find(tree, tree->depth[a] > tree->depth[b] ? a : b);
        tree->block[j] = leader;
        tree->joint_count[leader]++;
        tree->next_joint[j] = tree->first_joint[leader];
        tree->first_joint[leader] = j;
    }
    for (int32_t i = 0; i < tree->nodes; i++) /* from now on leader is the block itself */
        tree->leader[i] = find(tree, i);
}

void tn_tree_build(const tn_model *model, const tn_state *state, int32_t prefer, tn_tree *tree)
{
    list_incidences(model, state, tree);
    for (int32_t i = 0; i < tree->nodes; i++)
        tree->parent[i] = UNSEEN;
    tree->visited = 0;
    grow(model, tree, model->body_count);
    for (int32_t i = 0; i < model->body_count; i++)
        if (tree->parent[i] == UNSEEN && model->bodies[i].dim > 0)
            grow_floating(model, tree, i, prefer);
    find_blocks(model, state, tree);
}
