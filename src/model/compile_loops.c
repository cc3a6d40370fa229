/* compile_loops.c: room model: which joints lie in a closed loop.
 *
 * Bodies are nodes, joints edges, and ground with all fixed bodies is one node. A joint in no loop
 * is a bridge of this graph (Tarjan 1974). The rows of a bridge are always independent of all
 * others, so the solver treats them exactly; only rows of loops may be redundant.
 */
#include "model/model.h"

typedef struct tn_dfs {
    int32_t *start, *joint; /* joints of node i: joint[start[i]] .. [i + 1] */
    int32_t *next;          /* per node: next joint to look at */
    int32_t *enter, *low;   /* per node: order of discovery (0: not yet), Tarjan's low link */
    int32_t *entry;         /* per node: the joint it was reached by */
    int32_t *stack;
} tn_dfs;

static void dfs_destroy(tn_dfs *d)
{
    tn_free(d->start);
    tn_free(d->joint);
    tn_free(d->next);
    tn_free(d->enter);
    tn_free(d->low);
    tn_free(d->entry);
    tn_free(d->stack);
}

static int32_t node_of(const tn_model *model, int32_t body)
{
    return body < 0 || model->bodies[body].dim == 0 ? model->body_count : body;
}

/* Node body_count is ground. */
static tn_status dfs_create(const tn_model *model, tn_dfs *d)
{
    const int32_t n = model->body_count + 1;
    d->start = TN_NEW_ARRAY(int32_t, n + 2);
    d->joint = TN_NEW_ARRAY(int32_t, 2 * (int64_t)model->joint_count);
    d->next = TN_NEW_ARRAY(int32_t, n);
    d->enter = TN_NEW_ARRAY(int32_t, n);
    d->low = TN_NEW_ARRAY(int32_t, n);
    d->entry = TN_NEW_ARRAY(int32_t, n);
    d->stack = TN_NEW_ARRAY(int32_t, n);
    if (!d->start || !d->joint || !d->next || !d->enter || !d->low || !d->entry || !d->stack)
        return TN_ERROR_MEMORY;
    for (int32_t j = 0; j < model->joint_count; j++) {
        d->start[node_of(model, model->joints[j].a) + 2]++;
        d->start[node_of(model, model->joints[j].b) + 2]++;
    }
    for (int32_t i = 0; i < n; i++)
        d->start[i + 2] += d->start[i + 1];
    for (int32_t j = 0; j < model->joint_count; j++) {
        d->joint[d->start[node_of(model, model->joints[j].a) + 1]++] = j;
        d->joint[d->start[node_of(model, model->joints[j].b) + 1]++] = j;
    }
    for (int32_t i = 0; i < n; i++)
        d->next[i] = d->start[i];
    return TN_OK;
}

static int32_t other_end(const tn_model *model, int32_t joint, int32_t node)
{
    const int32_t a = node_of(model, model->joints[joint].a);
    return a == node ? node_of(model, model->joints[joint].b) : a;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* Depth-first search from one node; marks the bridges it finds by in_loop = 0. */
static void dfs_run(tn_model *model, tn_dfs *d, int32_t root, int32_t *clock)
{
    int32_t depth = 0;
    d->stack[depth++] = root;
    d->entry[root] = -1;
    d->enter[root] = d->low[root] = ++*clock;
    while (depth > 0) {
        const int32_t node = d->stack[depth - 1];
        if (d->next[node] < d->start[node + 1]) {
            const int32_t joint = d->joint[d->next[node]++];
            const int32_t to = other_end(model, joint, node);
            if (joint == d->entry[node])
                continue;
            if (d->enter[to]) {
                d->low[node] = smaller(d->low[node], d->enter[to]);
                continue;
            }
            d->entry[to] = joint;
            d->enter[to] = d->low[to] = ++*clock;
            d->stack[depth++] = to;
            continue;
        }
        depth--;
        if (depth > 0) {
            const int32_t parent = d->stack[depth - 1];
            d->low[parent] = smaller(d->low[parent], d->low[node]);
            if (d->low[node] > d->enter[parent])
                model->joints[d->entry[node]].in_loop = 0;
        }
    }
}

/* A particle has no orientation: what a joint asks of the other body's orientation may be asked
 * again by another joint, so such joints count as loops. */
static int may_repeat(const tn_model *model, const tn_model_joint *joint)
{
    const int32_t ends[2] = {joint->a, joint->b};
    for (int k = 0; k < 2; k++)
        if (ends[k] >= 0 && model->bodies[ends[k]].kind == TN_BODY_PARTICLE)
            return 1;
    return 0;
}

tn_status tn_model_compile_loops(tn_model *model)
{
    tn_dfs d = {0};
    const tn_status status = dfs_create(model, &d);
    if (status == TN_OK) {
        int32_t clock = 0;
        for (int32_t j = 0; j < model->joint_count; j++)
            model->joints[j].in_loop = 1;
        for (int32_t i = model->body_count; i >= 0; i--)
            if (!d.enter[i])
                dfs_run(model, &d, i, &clock);
        for (int32_t j = 0; j < model->joint_count; j++) {
            model->joints[j].in_loop |= (int8_t)may_repeat(model, &model->joints[j]);
            model->loop_joints += model->joints[j].in_loop;
        }
    }
    dfs_destroy(&d);
    return status;
}
