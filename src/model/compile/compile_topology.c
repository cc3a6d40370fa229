/* compile_topology.c: room model/compile: the graph of bodies, joints and armatures, handed to the sparse solver. */
#include "model/compile/compile.h"

typedef struct tn_graph {
    int32_t *dim, *cap, *usual, *start, *primal, *key;
    int8_t *waits;
} tn_graph;

static tn_status graph_create(const tn_model *model, tn_graph *graph)
{
    graph->dim = TN_NEW_ARRAY(int32_t, model->body_count);
    const int32_t coupled = model->coupled_start[model->coupling_count];
    const int32_t duals = model->element_count + model->armature_count;
    const int64_t joints = model->joint_count + model->armature_count;
    graph->cap = TN_NEW_ARRAY(int32_t, duals);
    graph->usual = TN_NEW_ARRAY(int32_t, duals);
    graph->start = TN_NEW_ARRAY(int32_t, duals + 1);
    int64_t of_means = 0;
    for (int32_t k = 0; k < model->mean_count; k++)
        of_means += model->means[k].count;
    graph->primal = TN_NEW_ARRAY(int32_t, 2 * joints + coupled + of_means);
    graph->key = TN_NEW_ARRAY(int32_t, duals);
    graph->waits = TN_NEW_ARRAY(int8_t, duals);
    return graph->dim && graph->cap && graph->usual && graph->start && graph->primal &&
                   graph->key && graph->waits
               ? TN_OK
               : TN_ERROR_MEMORY;
}

static void graph_destroy(tn_graph *graph)
{
    tn_free(graph->dim);
    tn_free(graph->cap);
    tn_free(graph->usual);
    tn_free(graph->start);
    tn_free(graph->primal);
    tn_free(graph->key);
    tn_free(graph->waits);
}

static int32_t add_bodies(const tn_model *model, const tn_model_joint *joint, int32_t *primal,
                          int32_t n)
{
    primal[n++] = joint->a;
    if (joint->mean > 0) {
        const tn_model_mean *mean = &model->means[joint->mean - 1];
        for (int32_t i = 0; i < mean->count; i++)
            primal[n++] = mean->bodies[i];
    } else if (joint->b >= 0) {
        primal[n++] = joint->b;
    }
    return n;
}

/* Body A of joint j is its first incidence, body B (unless ground) or the nodes of its frame come behind, and of an armature those of its joint; a coupling
 * has its bodies in the order of model->coupled. */
static void graph_fill(const tn_model *model, tn_graph *graph)
{
    int32_t n = 0;
    for (int32_t i = 0; i < model->body_count; i++)
        graph->dim[i] = model->bodies[i].dim;
    for (int32_t j = 0; j < model->joint_count; j++) {
        const tn_model_joint *joint = &model->joints[j];
        graph->cap[j] = joint->kept_count;
        graph->usual[j] = joint->kept_bilateral;
        graph->key[j] = joint->hard_outer >= 0 ? joint->hard_outer : joint->outer_body;
        graph->start[j] = n;
        if (joint->mean > 0) {
            graph->key[j] = -1;
            graph->waits[j] = 1;
        }
        if (tn_model_is_removed(model, TN_SECTION_JOINT, j))
            continue;
        n = add_bodies(model, joint, graph->primal, n);
    }
    for (int32_t k = 0; k < model->coupling_count; k++) {
        const int32_t j = model->joint_count + k;
        graph->cap[j] = graph->usual[j] = model->joints[j].kept_count;
        graph->key[j] = -1;
        graph->start[j] = n;
        for (int32_t i = model->coupled_start[k]; i < model->coupled_start[k + 1]; i++)
            graph->primal[n++] = model->coupled[i];
    }
    for (int32_t k = 0; k < model->armature_count; k++) {
        const int32_t node = model->element_count + k;
        graph->cap[node] = graph->usual[node] = 1;
        graph->key[node] = -1;
        graph->start[node] = n;
        n = add_bodies(model, &model->joints[model->armatures[k].joint], graph->primal, n);
    }
    graph->start[model->element_count + model->armature_count] = n;
}

tn_status tn_model_compile_topology(tn_model *model)
{
    tn_graph graph = {0};
    tn_status status = graph_create(model, &graph);
    if (status == TN_OK) {
        graph_fill(model, &graph);
        const tn_kkt_pattern pattern = {
            .n_primal = model->body_count,
            .primal_dim = graph.dim,
            .n_dual = model->element_count + model->armature_count,
            .dual_cap = graph.cap,
            .dual_usual = graph.usual,
            .dual_start = graph.start,
            .dual_primal = graph.primal,
            .dual_key = graph.key,
            .dual_waits = graph.waits,
            .n_pair = model->pair_count,
            .pair_primal = model->pairs,
        };
        status = tn_kkt_analyze(&pattern, &model->kkt);
    }
    graph_destroy(&graph);
    return status;
}
