/* tree_order.h: room motion/tree: trees of rigid bodies on hinges and joints that hold a point.
 *
 * In: a model. Out: is it such a tree, and its bodies with the joints they hang by, inner ones first: what its
 * steps (method/alpha/alpha_tree.h) and its motion at one pose (tree.h) are gone through by.
 *
 * A model is such a tree or it is not: rigid bodies, hinges and joints that hold a point, none in a loop; no couplings. It is
 * bare where nothing acts on its bodies, neither loads nor damping. Links are made of trees with sliders, screws, solid joints and
 * chains of turns and shifts (joint_class.h, chain) too, and of the spanning tree where there are loops (model/graph), which steps in
 * coordinates of joints are for (method/hinges). There joints that carry no body (model/graph/carries.c) are rows, and their bodies hang
 * by other joints or float.
 */
#ifndef TN_MOTION_TREE_TREE_ORDER_H
#define TN_MOTION_TREE_TREE_ORDER_H

#include <stdbool.h>

#include "model/graph/graph.h"
#include "sparse/tree/articulated.h"

/* A body and the joint it hangs by. */
typedef struct tn_tree_link {
    tn_vec3 at, inner_at;     /* m, the joint's points from the centres of mass, body axes */
    tn_vec3 axis, inner_axis; /* of a hinge, body axes */
    tn_sym3 J;                /* kg m^2, body axes */
    double mass;              /* kg */
    double sign;              /* 1: the body is a of its joint; -1: b */
    int64_t u;                /* offset in velocities */
    int32_t body, inner_body; /* -1: ground */
    int32_t inner;            /* the link of the inner body; -1: it does not move */
    int32_t joint;            /* -1: it floats */
    bool is_hinge;
    bool in_coordinates; /* neither a hinge nor does it hold a point alone */
} tn_tree_link;

bool tn_is_tree(const tn_model *model);
/* Is it one whose joints may be others too, with loops that further ones close, couplings, and joints that are rows only? */
bool tn_tree_has_links(const tn_model *model);
bool tn_tree_is_bare(const tn_model *model);
/* Of bodies in a spanning tree (model/graph), by all of its joints, or as they hang `in_coordinates` of joints: *links with room for
 * all bodies, so many in use. */
tn_status tn_tree_links_create(const tn_model *model, bool in_coordinates, tn_tree_link **links,
                               int32_t *count);
/* Has some coordinate a range, so that starts within steps are frequent? */
bool tn_model_has_range(const tn_model *model);

/* Turns and shifts in a row that a joint of a tree is, of motions that its bodies have: 1 of one freedom, and of a solid joint, which
 * is a hinge that is held. */
int32_t tn_tree_screws(const tn_model_joint *joint);

/* The body that hangs by a joint in joint coordinates; -1: none, and the joint is rows, a cut. */
static inline int32_t tn_tree_hangs(const tn_model_joint *joint)
{
    return joint->carries ? joint->hangs : -1;
}

static inline bool tn_tree_is_hinge(const tn_model_joint *joint)
{
    return joint->type.i == TN_JOINT_hinge;
}

static inline bool tn_tree_is_solid(const tn_model_joint *joint)
{
    return joint->type.i == TN_JOINT_solid;
}

#endif
