/* bridges.c: room model/graph: which joints lie in a closed loop.
 *
 * A joint in no loop is a bridge of the graph (Tarjan 1974). If its outer body, the one away from ground, feels its
 * rows as independent, they are independent of all others: from ground outwards every such joint
 * brings columns of its own. The solver then treats them exactly, which takes eliminating the outer
 * body first: it hangs on nothing else, while the inner one may already be held by its own joint.
 * Only the rows of the other joints may be redundant.
 */
#include <math.h>

#include "model/graph/graph.h"

/* A row counts as dependent on earlier ones when less than this share of it is new. */
#define TN_DEPENDENT_ROW 1e-6

/* A depth-first search, by node. */
typedef struct tn_search {
    int32_t *next;        /* joint to go by next */
    int32_t *enter, *low; /* order of discovery (0: not yet), Tarjan's low link */
    int32_t *entry;       /* the joint it was reached by */
    int32_t *stack;
} tn_search;

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
int tn_graph_feels_all_rows(const tn_model *model, const tn_model_joint *joint, int32_t body)
{
    if (model->bodies[body].dim == 6)
        return 1;
    if (tn_kind_is_point(model->bodies[body].kind))
        return joint->geometry.cls->rows_may_vanish;
    const int32_t other = joint->a == body ? joint->b : joint->a;
    const int flat =
        other < 0 || model->bodies[other].dim == 0 || tn_kind_is_flat(model->bodies[other].kind);
    return model->bodies[body].kind == TN_BODY_PLANAR && flat &&
           planar_rows_independent(model, joint, body);
}

static void mark_bridge(tn_model *model, int32_t joint, int32_t outer_body)
{
    tn_model_joint *j = &model->joints[joint];
    if (tn_graph_feels_all_rows(model, j, outer_body)) {
        j->in_loop = 0;
        j->outer_body = outer_body;
    }
}

/* Depth-first search from one node; marks the bridges it finds. */
static void search(tn_model *model, const tn_model_graph *graph, tn_search *d, int32_t root,
                   int32_t *clock)
{
    int32_t depth = 0;
    d->stack[depth++] = root;
    d->entry[root] = -1;
    d->enter[root] = d->low[root] = ++*clock;
    while (depth > 0) {
        const int32_t node = d->stack[depth - 1];
        if (d->next[node] < graph->start[node + 1]) {
            const int32_t joint = graph->joint[d->next[node]++];
            const int32_t to = tn_graph_other_end(model, joint, node);
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

tn_status tn_graph_mark_loops(tn_model *model, const tn_model_graph *graph)
{
    const int64_t n = (int64_t)model->body_count + 1;
    int32_t *block = TN_NEW_ARRAY(int32_t, 5 * n), clock = 0;
    if (!block)
        return TN_ERROR_MEMORY;
    tn_search d = {block, block + n, block + 2 * n, block + 3 * n, block + 4 * n};
    for (int32_t i = 0; i < n; i++)
        d.next[i] = graph->start[i];
    for (int32_t j = 0; j < model->joint_count; j++) {
        model->joints[j].in_loop = !tn_model_is_removed(model, TN_SECTION_JOINT, j);
        model->joints[j].outer_body = -1;
    }
    for (int32_t i = model->body_count; i >= 0; i--) {
        if (!d.enter[i])
            search(model, graph, &d, i, &clock);
    }
    for (int32_t j = 0; j < model->joint_count; j++)
        model->loop_joints += model->joints[j].in_loop;
    model->loop_joints += model->coupling_count;
    tn_free(block);
    return TN_OK;
}
