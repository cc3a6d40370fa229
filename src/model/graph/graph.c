/* graph.c: room model/graph: a model as nodes and edges (graph.h). */
#include "model/graph/graph.h"

static tn_status create(const tn_model *model, tn_model_graph *graph)
{
    const int32_t n = model->body_count + 1;
    graph->start = TN_NEW_ARRAY(int32_t, n + 2);
    graph->joint = TN_NEW_ARRAY(int32_t, 2 * (int64_t)model->joint_count);
    if (!graph->start || !graph->joint)
        return TN_ERROR_MEMORY;
    for (int32_t j = 0; j < model->joint_count; j++) {
        if (tn_model_is_removed(model, TN_SECTION_JOINT, j))
            continue;
        graph->start[tn_graph_node(model, model->joints[j].a) + 2]++;
        graph->start[tn_graph_node(model, model->joints[j].b) + 2]++;
    }
    for (int32_t i = 0; i < n; i++)
        graph->start[i + 2] += graph->start[i + 1];
    for (int32_t j = 0; j < model->joint_count; j++) {
        if (tn_model_is_removed(model, TN_SECTION_JOINT, j))
            continue;
        graph->joint[graph->start[tn_graph_node(model, model->joints[j].a) + 1]++] = j;
        graph->joint[graph->start[tn_graph_node(model, model->joints[j].b) + 1]++] = j;
    }
    return TN_OK;
}

tn_status tn_model_compile_loops(tn_model *model)
{
    tn_model_graph graph = {0};
    tn_status status = create(model, &graph);
    if (status == TN_OK)
        status = tn_graph_mark_loops(model, &graph);
    if (status == TN_OK)
        status = tn_graph_mark_hard_forest(model, &graph);
    tn_graph_mark_carriers(model);
    if (status == TN_OK)
        status = tn_graph_hang(model, &graph);
    tn_free(graph.start);
    tn_free(graph.joint);
    return status;
}
