/* spanning_tree.c: room model/graph: the spanning tree of the joints.
 *
 * It is grown from ground, or from one body of a floating component, breadth first, so that paths are short (Prim
 * 1957). Joints along which something acts, and joints other than hinges and ball joints, are taken first, and last those by which
 * bodies cannot hang in joint coordinates (carries.c). The remaining joints, the cuts, then only constrain.
 */
#include <math.h>

#include "model/graph/graph.h"

/* A joint that leads to a body; the body may have been reached by another joint meanwhile. */
typedef struct tn_span_edge {
    int32_t joint, to;
} tn_span_edge;

typedef struct tn_span {
    int8_t *rank;                        /* [joints] tn_graph_rank */
    int8_t *reached;                     /* [bodies + 1] */
    tn_span_edge *queue[TN_GRAPH_RANKS]; /* [2 joints] by rank */
    int32_t head[TN_GRAPH_RANKS], tail[TN_GRAPH_RANKS];
} tn_span;

/* True for a hinge or ball joint without lock, armature and limits. */
static bool only_holds(const tn_model_joint *joint)
{
    const tn_joint_type_info *info = &joint->geometry.cls->info;
    bool free = joint->type.i == TN_JOINT_hinge || joint->type.i == TN_JOINT_spherical;
    for (int32_t i = 0; i < info->coordinate_count && free; i++)
        free = !joint->locked[i] && joint->armature[i] == 0.0 && isinf(joint->lower[i]) &&
               isinf(joint->upper[i]);
    return free;
}

static void put_ranks(const tn_model *model, int8_t *rank)
{
    for (int32_t j = 0; j < model->joint_count; j++)
        rank[j] = only_holds(&model->joints[j]) ? TN_CARRIES : TN_CARRIES_RATHER;
    for (int32_t k = 0; k < model->drive_count; k++) {
        if (model->drives[k].joint < model->joint_count)
            rank[model->drives[k].joint] = TN_CARRIES_RATHER;
    }
    for (int32_t j = 0; j < model->joint_count; j++)
        rank[j] = model->joints[j].carries ? rank[j] : TN_CARRIES_NOTHING;
}

static void reach(const tn_model *model, const tn_model_graph *graph, tn_span *span, int32_t node)
{
    span->reached[node] = 1;
    for (int32_t n = graph->start[node]; n < graph->start[node + 1]; n++) {
        const tn_span_edge edge = {graph->joint[n],
                                   tn_graph_other_end(model, graph->joint[n], node)};
        const int rank = span->rank[edge.joint];
        if (!span->reached[edge.to])
            span->queue[rank][span->tail[rank]++] = edge;
    }
}

/* The highest one of which joints are left; -1: none. */
static int next_rank(const tn_span *span)
{
    int rank = TN_GRAPH_RANKS - 1;
    while (rank >= 0 && span->head[rank] == span->tail[rank])
        rank--;
    return rank;
}

static void grow(tn_model *model, const tn_model_graph *graph, tn_span *span, int32_t root)
{
    reach(model, graph, span, root);
    for (int rank = next_rank(span); rank >= 0; rank = next_rank(span)) {
        const tn_span_edge edge = span->queue[rank][span->head[rank]++];
        if (span->reached[edge.to])
            continue;
        model->joints[edge.joint].hangs = edge.to;
        reach(model, graph, span, edge.to);
    }
}

tn_status tn_graph_hang(tn_model *model, const tn_model_graph *graph)
{
    const int64_t joints = model->joint_count;
    tn_span_edge *edges = TN_NEW_ARRAY(tn_span_edge, 2 * TN_GRAPH_RANKS * joints);
    int8_t *marks = TN_NEW_ARRAY(int8_t, joints + model->body_count + 1);
    tn_status status = edges && marks ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK) {
        tn_span span = {.rank = marks, .reached = marks + joints};
        for (int rank = 0; rank < TN_GRAPH_RANKS; rank++)
            span.queue[rank] = edges + 2 * joints * rank;
        put_ranks(model, span.rank);
        for (int32_t j = 0; j < joints; j++)
            model->joints[j].hangs = -1;
        for (int32_t i = model->body_count; i >= 0; i--) {
            if (!span.reached[i])
                grow(model, graph, &span, i);
        }
        status = tn_graph_shorten(model, span.rank);
    }
    tn_free(edges);
    tn_free(marks);
    return status;
}
