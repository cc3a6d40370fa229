/* tree_impl.h: room motion/tree, private: what it works with. */
#ifndef TN_MOTION_TREE_TREE_IMPL_H
#define TN_MOTION_TREE_TREE_IMPL_H

#include "motion/tree/freedoms.h"
#include "motion/tree/tree_order.h"

/* Of a body, world axes. */
typedef struct tn_tree_part {
    tn_vec3 f, m;           /* N, N m: what acts on it but for joints */
    tn_vec3 v, w;           /* of its centre of mass: what is solved for */
    tn_vec3 pull_f, pull_m; /* N, N m: of its joint, at P */
    tn_vec3 left_f, left_m; /* N, N m: what Newton and Euler leave */
} tn_tree_part;

struct tn_body_tree {
    tn_tree_link *links; /* [count] inner ones first */
    /* of the arena of what is seldom used: no memory where the tree is never asked */
    tn_branch *branches;  /* [count] */
    tn_freedoms *held;    /* [count] */
    tn_tree_part *bodies; /* [count] */
    int32_t count;
    bool flat; /* all bodies move in the plane */
};

#endif
