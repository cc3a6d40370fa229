/* compile_loops.c: room model/compile: which joints lie in a closed loop, and by which ones bodies hang.
 *
 * Bodies are nodes, joints edges, and ground with all fixed bodies is one node. A joint in no loop
 * is a bridge of this graph (Tarjan 1974). If its outer body, the one away from ground, feels its
 * rows as independent, they are independent of all others: from ground outwards every such joint
 * brings columns of its own. The solver then treats them exactly, which takes eliminating the outer
 * body first: it hangs on nothing else, while the inner one may already be held by its own joint.
 * Only the rows of the other joints may be redundant.
 *
 * And by which joints bodies hang: a spanning tree, grown from ground, or from one body of what floats, breadth first, so
 * that paths are short (Prim 1957). Joints along which something is to act, and others than hinges and ball joints, are
 * taken first: what is left, the cuts, are joints that only hold.
 */
#include <math.h>

#include "model/compile/compile.h"

/* A row counts as dependent on earlier ones when less than this share of it is new. */
#define TN_DEPENDENT_ROW 1e-6

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
        if (tn_model_is_removed(model, TN_SECTION_JOINT, j))
            continue;
        d->start[node_of(model, model->joints[j].a) + 2]++;
        d->start[node_of(model, model->joints[j].b) + 2]++;
    }
    for (int32_t i = 0; i < n; i++)
        d->start[i + 2] += d->start[i + 1];
    for (int32_t j = 0; j < model->joint_count; j++) {
        if (tn_model_is_removed(model, TN_SECTION_JOINT, j))
            continue;
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

/* Gram-Schmidt: 1 when what earlier rows leave of this one counts; it then joins them. */
static int adds_a_row(int32_t dim, double basis[][6], int32_t count, const double *row)
{
    double *rest = basis[count], before = 0.0, after = 0.0;
    for (int32_t c = 0; c < dim; c++) {
        rest[c] = row[c];
        before += row[c] * row[c];
    }
    for (int32_t k = 0; k < count; k++) {
        double along = 0.0;
        for (int32_t c = 0; c < dim; c++)
            along += basis[k][c] * rest[c];
        for (int32_t c = 0; c < dim; c++)
            rest[c] -= along * basis[k][c];
    }
    for (int32_t c = 0; c < dim; c++)
        after += rest[c] * rest[c];
    if (after <= TN_DEPENDENT_ROW * TN_DEPENDENT_ROW * before)
        return 0;
    for (int32_t c = 0; c < dim; c++)
        rest[c] /= sqrt(after);
    return 1;
}

/* Whether a planar body feels all rows of the joint as independent, at t = 0 and so always: to
 * the plane the frames of a joint between planar bodies only turn about z. */
static int planar_rows_independent(const tn_model *model, const tn_model_joint *joint, int32_t body)
{
    const tn_motion_subspace *s = tn_motion_subspace_get(TN_BODY_PLANAR);
    const tn_xform T_A = tn_model_initial_xform(model, joint->a);
    const tn_xform T_B = tn_model_initial_xform(model, joint->b);
    const int is_b = joint->b == body;
    tn_joint_moving moving;
    tn_joint_kinematics kin = {.moving = &moving};
    tn_joint_kinematics_update(&joint->geometry, &T_A, &T_B, joint->q0, &kin);
    double basis[TN_MAX_ROWS][6];
    for (int32_t n = 0; n < joint->kept_count; n++) {
        double row[6], felt[6];
        tn_joint_row_covector(&joint->geometry, &kin, joint->kept[n], is_b ? &T_B.R : &T_A.R,
                              is_b ? kin.r_B : kin.r_A, 1.0, row);
        for (int32_t c = 0; c < s->dim; c++)
            felt[c] = row[s->column[c]];
        if (!adds_a_row(s->dim, basis, n, felt))
            return 0;
    }
    return 1;
}

/* Whether a body of the joint feels its rows as independent at every pose. One with six motions
 * feels any joint so; a particle a rod or rope, a force along it; a planar one those that do not turn
 * with a body that may tilt. */
static int rows_independent(const tn_model *model, const tn_model_joint *joint, int32_t body)
{
    if (model->bodies[body].dim == 6)
        return 1;
    if (model->bodies[body].kind == TN_BODY_PARTICLE)
        return joint->geometry.cls->rows_may_vanish;
    const int32_t other = joint->a == body ? joint->b : joint->a;
    const int flat =
        other < 0 || model->bodies[other].dim == 0 || model->bodies[other].kind == TN_BODY_PLANAR;
    return model->bodies[body].kind == TN_BODY_PLANAR && flat &&
           planar_rows_independent(model, joint, body);
}

static void mark_bridge(tn_model *model, int32_t joint, int32_t outer_body)
{
    tn_model_joint *j = &model->joints[joint];
    if (rows_independent(model, j, outer_body)) {
        j->in_loop = 0;
        j->outer_body = outer_body;
    }
}

/* Depth-first search from one node; marks the bridges it finds. */
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
                mark_bridge(model, d->entry[node], node);
        }
    }
}

/* ---- the spanning tree ---- */

/* A joint that leads to a body, which may hang by another one by now. */
typedef struct tn_span_edge {
    int32_t joint, to;
} tn_span_edge;

typedef struct tn_span {
    int8_t *wanted;         /* [joints] 1: rather no cut */
    int8_t *reached;        /* [bodies + 1] */
    tn_span_edge *queue[2]; /* [2 joints] of joints that are wanted, and others */
    int32_t head[2], tail[2];
} tn_span;

/* Does it hold all but turns, or but one turn, with nothing in the way of these? */
static bool only_holds(const tn_model_joint *joint)
{
    const tn_joint_type_info *info = &joint->geometry.cls->info;
    bool free = joint->type.i == TN_JOINT_hinge || joint->type.i == TN_JOINT_spherical;
    for (int32_t i = 0; i < info->coordinate_count && free; i++)
        free = !joint->locked[i] && joint->armature[i] == 0.0 && isinf(joint->lower[i]) &&
               isinf(joint->upper[i]);
    return free;
}

static void mark_wanted(const tn_model *model, int8_t *wanted)
{
    for (int32_t j = 0; j < model->joint_count; j++)
        wanted[j] = !only_holds(&model->joints[j]);
    for (int32_t k = 0; k < model->drive_count; k++) {
        if (model->drives[k].joint < model->joint_count)
            wanted[model->drives[k].joint] = 1;
    }
}

static void reach(const tn_model *model, const tn_dfs *d, tn_span *span, int32_t node)
{
    span->reached[node] = 1;
    for (int32_t n = d->start[node]; n < d->start[node + 1]; n++) {
        const tn_span_edge edge = {d->joint[n], other_end(model, d->joint[n], node)};
        const int which = span->wanted[edge.joint] ? 0 : 1;
        if (!span->reached[edge.to])
            span->queue[which][span->tail[which]++] = edge;
    }
}

static void grow(tn_model *model, const tn_dfs *d, tn_span *span, int32_t root)
{
    reach(model, d, span, root);
    while (span->head[0] < span->tail[0] || span->head[1] < span->tail[1]) {
        const int which = span->head[0] < span->tail[0] ? 0 : 1;
        const tn_span_edge edge = span->queue[which][span->head[which]++];
        if (span->reached[edge.to])
            continue;
        model->joints[edge.joint].hangs = edge.to;
        reach(model, d, span, edge.to);
    }
}

/* ---- shorter loops ---- */

/* Bodies that are passed of a component in search of shorter loops, at most: some 10 ms. */
enum { TN_SWAPS_WORTH = 4000000 };

/* The tree from bodies inward, and the component that is worked on. */
typedef struct tn_span_loops {
    tn_model *model;
    const int8_t *wanted;
    int32_t *hung; /* [bodies + 1] the joint a body hangs by; -1: it is a root */
    int32_t *up;   /* [bodies + 1] what it hangs on */
    int32_t *far;  /* [bodies + 1] of a body that is passed: by how many joints; -1: it is not */
    int32_t *cuts; /* [joints] by component */
    int32_t *root; /* [joints] of cuts[n] */
    int32_t first, last; /* cuts of the component */
    int64_t passed;      /* bodies */
} tn_span_loops;

static int32_t root_of_node(const tn_span_loops *l, int32_t node)
{
    while (l->up[node] >= 0)
        node = l->up[node];
    return node;
}

/* Joints of the tree between the bodies of a cut. */
static int32_t length_of(tn_span_loops *l, int32_t joint)
{
    const int32_t a = node_of(l->model, l->model->joints[joint].a),
                  b = node_of(l->model, l->model->joints[joint].b);
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

static int64_t length_of_all(tn_span_loops *l)
{
    int64_t sum = 0;
    for (int32_t n = l->first; n < l->last; n++)
        sum += length_of(l, l->cuts[n]);
    return sum;
}

/* Body u hangs by the joint on v from now on, and what it hung on, as far as x, on it. */
static void hang_on(tn_span_loops *l, int32_t joint, int32_t u, int32_t v, int32_t x)
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

/* Cut n for a joint of the tree between one of its bodies and what both hang on, where all loops are shorter then. */
static bool swap_on(tn_span_loops *l, int32_t n, int32_t u, int32_t v, int64_t *best)
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
        if (l->wanted[other] && !l->wanted[cut])
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

static void shorten(tn_span_loops *l)
{
    l->passed = 0;
    int64_t best = length_of_all(l);
    bool goes_on = true;
    while (goes_on) {
        goes_on = false;
        for (int32_t n = l->first; n < l->last && l->passed < TN_SWAPS_WORTH; n++) {
            const int32_t a = node_of(l->model, l->model->joints[l->cuts[n]].a),
                          b = node_of(l->model, l->model->joints[l->cuts[n]].b);
            goes_on |= swap_on(l, n, a, b, &best) || swap_on(l, n, b, a, &best);
        }
    }
}

static void sort_cuts(const tn_span_loops *l, int32_t count)
{
    for (int32_t n = 0; n < count; n++) {
        const int32_t cut = l->cuts[n],
                      root = root_of_node(l, node_of(l->model, l->model->joints[cut].a));
        int32_t at = n;
        for (; at > 0 && l->root[at - 1] > root; at--) {
            l->cuts[at] = l->cuts[at - 1];
            l->root[at] = l->root[at - 1];
        }
        l->cuts[at] = cut;
        l->root[at] = root;
    }
}

static void shorten_all(tn_model *model, const tn_span *span, int32_t *block)
{
    const int32_t n = model->body_count + 1;
    tn_span_loops l = {model,
                       span->wanted,
                       block,
                       block + n,
                       block + 2 * n,
                       block + 3 * n,
                       block + 3 * n + model->joint_count,
                       0,
                       0};
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++)
        l.hung[i] = l.up[i] = l.far[i] = -1;
    for (int32_t j = 0; j < model->joint_count; j++) {
        const int32_t body = model->joints[j].hangs;
        if (body >= 0) {
            l.hung[body] = j;
            l.up[body] = other_end(model, j, body);
        } else if (model->joints[j].in_loop) {
            l.cuts[count++] = j;
        }
    }
    sort_cuts(&l, count);
    for (l.first = 0; l.first < count; l.first = l.last) {
        for (l.last = l.first + 1; l.last < count && l.root[l.last] == l.root[l.first]; l.last++)
            ;
        shorten(&l);
    }
    for (int32_t j = 0; j < model->joint_count; j++)
        model->joints[j].hangs = -1;
    for (int32_t i = 0; i < n; i++) {
        if (l.hung[i] >= 0)
            model->joints[l.hung[i]].hangs = i;
    }
}

static tn_status hang_all(tn_model *model, const tn_dfs *d)
{
    const int64_t joints = model->joint_count;
    tn_span_edge *edges = TN_NEW_ARRAY(tn_span_edge, 4 * joints);
    int8_t *marks = TN_NEW_ARRAY(int8_t, joints + model->body_count + 1);
    int32_t *block = TN_NEW_ARRAY(int32_t, 3 * ((int64_t)model->body_count + 1) + 2 * joints);
    const tn_status status = edges && marks && block ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        tn_span span = {
            .wanted = marks, .reached = marks + joints, .queue = {edges, edges + 2 * joints}};
        mark_wanted(model, span.wanted);
        for (int32_t j = 0; j < joints; j++)
            model->joints[j].hangs = -1;
        for (int32_t i = model->body_count; i >= 0; i--) {
            if (!span.reached[i])
                grow(model, d, &span, i);
        }
        shorten_all(model, &span, block);
    }
    tn_free(block);
    tn_free(edges);
    tn_free(marks);
    return status;
}

tn_status tn_model_compile_loops(tn_model *model)
{
    tn_dfs d = {0};
    tn_status status = dfs_create(model, &d);
    if (status == TN_OK) {
        int32_t clock = 0;
        for (int32_t j = 0; j < model->joint_count; j++) {
            model->joints[j].in_loop = !tn_model_is_removed(model, TN_SECTION_JOINT, j);
            model->joints[j].outer_body = -1;
        }
        for (int32_t i = model->body_count; i >= 0; i--) {
            if (!d.enter[i])
                dfs_run(model, &d, i, &clock);
        }
        for (int32_t j = 0; j < model->joint_count; j++)
            model->loop_joints += model->joints[j].in_loop;
        model->loop_joints += model->coupling_count;
        status = hang_all(model, &d);
    }
    dfs_destroy(&d);
    return status;
}
