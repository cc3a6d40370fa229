/* graph.h: room model/graph: bodies as nodes, joints as edges.
 *
 * Ground and all fixed bodies are one node. Which joints lie in a closed loop: bridges.c. By which ones bodies hang:
 * spanning_tree.c, and short_loops.c where another tree has shorter loops.
 *
 * In: bodies, joints and drives of a model that is made. Out: in_loop, outer_body, hard_outer, carries and hangs of its joints,
 * loop_joints.
 */
#ifndef TN_MODEL_GRAPH_GRAPH_H
#define TN_MODEL_GRAPH_GRAPH_H

#include "model/model.h"

/* Nodes are bodies by their numbers; node body_count is what does not move. */
typedef struct tn_model_graph {
    int32_t *start; /* [nodes + 1] */
    int32_t *joint; /* of node i: joint[start[i]] .. joint[start[i + 1] - 1] */
} tn_model_graph;

/* The node of a body. */
static inline int32_t tn_graph_node(const tn_model *model, int32_t body)
{
    return body < 0 || model->bodies[body].dim == 0 ? model->body_count : body;
}

/* The node that a joint leads to from one of its own. */
static inline int32_t tn_graph_other_end(const tn_model *model, int32_t joint, int32_t node)
{
    const int32_t a = tn_graph_node(model, model->joints[joint].a);
    return a == node ? tn_graph_node(model, model->joints[joint].b) : a;
}

/* After the drives: the last rows must be known. */
tn_status tn_model_compile_loops(tn_model *model);

/* bridges.c: in_loop and outer_body of all joints. */
tn_status tn_graph_mark_loops(tn_model *model, const tn_model_graph *graph);
/* Does a body of the joint feel its rows as independent at every pose? */
int tn_graph_feels_all_rows(const tn_model *model, const tn_model_joint *joint, int32_t body);
/* hard_forest.c: hard_outer of all joints, after these. */
tn_status tn_graph_mark_hard_forest(tn_model *model, const tn_model_graph *graph);
/* spanning_tree.c: `hangs` of all joints, after these. */
tn_status tn_graph_hang(tn_model *model, const tn_model_graph *graph);
/* short_loops.c: `hangs` of another tree, where loops are shorter in sum, of joints of the same ranks (tn_graph_rank) or higher ones. */
tn_status tn_graph_shorten(tn_model *model, const int8_t *rank);

/* Which joints are rather in the tree than others: those that only hold rather than those that carry nothing, and those along which
 * something acts, or that are neither hinges nor ball joints, rather than these. */
typedef enum tn_graph_rank {
    TN_CARRIES_NOTHING,
    TN_CARRIES,
    TN_CARRIES_RATHER,
    TN_GRAPH_RANKS
} tn_graph_rank;

/* carries.c: */

/* Rows of a joint that planar bodies feel, if they hold as much as they leave free: forces along x and y, the moment about z. */
enum { TN_PLANE_ROWS = 3 };

/* `carries` of all joints, after in_loop. */
void tn_graph_mark_carriers(tn_model *model);
/* Does it hold a point and nothing else, with rows along the axes of C? */
bool tn_graph_holds_point(const tn_model_joint *joint);
/* Is the first body that moves a planar one? */
bool tn_graph_is_flat(const tn_model *model);

#endif
