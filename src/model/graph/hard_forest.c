/* hard_forest.c: room model/graph: joints that hold hard, where loops close through others that yield.
 *
 * In: bodies, joints and their compliance at the start. Out: hard_outer. Where the joints with hard rows form
 * a forest whose outer bodies, away from ground or else from any body, feel their rows as independent, no
 * hard row repeats others at any pose (bridges.c has the proof for bridges): the solver needs no E for them if
 * it eliminates outer bodies first.
 */
#include <string.h>

#include "model/graph/graph.h"

static bool holds_hard(const tn_model_joint *joint)
{
    bool hard = false;
    for (int32_t n = 0; n < joint->kept_bilateral; n++)
        hard = hard || joint->compliance[joint->kept[n]] <= 0.0;
    return hard;
}

/* Does a loop close through what yields? Else there is nothing to gain. */
static bool some_loop_yields(const tn_model *model)
{
    for (int32_t j = 0; j < model->joint_count; j++) {
        if (model->joints[j].in_loop && model->joints[j].kept_bilateral > 0 &&
            !holds_hard(&model->joints[j]))
            return true;
    }
    return false;
}

/* Goes outwards from a node that was not met yet; false: hard joints close a loop, or a body does not feel all rows. */
static bool grow(tn_model *model, const tn_model_graph *graph, int8_t *met, int32_t *queue,
                 int32_t root)
{
    int32_t first = 0, end = 0;
    queue[end++] = root;
    met[root] = 1;
    while (first < end) {
        const int32_t node = queue[first++];
        for (int32_t t = graph->start[node]; t < graph->start[node + 1]; t++) {
            tn_model_joint *joint = &model->joints[graph->joint[t]];
            const int32_t to = tn_graph_other_end(model, graph->joint[t], node);
            if (joint->hard_outer >= 0 || !holds_hard(joint))
                continue;
            if (met[to] || !tn_graph_feels_all_rows(model, joint, to))
                return false;
            joint->hard_outer = to;
            met[to] = 1;
            queue[end++] = to;
        }
    }
    return true;
}

static void clear(tn_model *model)
{
    for (int32_t j = 0; j < model->joint_count; j++)
        model->joints[j].hard_outer = -1;
}

tn_status tn_graph_mark_hard_forest(tn_model *model, const tn_model_graph *graph)
{
    const int32_t nodes = model->body_count + 1;
    clear(model);
    if (!some_loop_yields(model))
        return TN_OK;
    int8_t *met = TN_NEW_ARRAY(int8_t, nodes);
    int32_t *queue = TN_NEW_ARRAY(int32_t, nodes);
    bool grows = met && queue;
    for (int32_t i = nodes - 1; i >= 0 && grows; i--)
        grows = met[i] || grow(model, graph, met, queue, i);
    if (!grows)
        clear(model);
    const tn_status status = met && queue ? TN_OK : TN_ERROR_MEMORY;
    tn_free(met);
    tn_free(queue);
    return status;
}
