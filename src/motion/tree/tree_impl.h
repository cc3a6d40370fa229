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

/* How C of a joint moves against D at an end of a sub-step, times its length (between.h): its origin in axes of D, and its turn from the
 * start in axes of C. */
typedef struct tn_tree_end {
    tn_vec3 v, w; /* m, rad */
} tn_tree_end;

/* From end to end. */
typedef struct tn_tree_course {
    tn_tree_end ends[2];
    tn_vec3 begins, shift; /* m: of C's origin in D, where it begins and by the end */
    tn_vec3 turn;          /* rad: by the end, axes of C */
    tn_quat rel;           /* the body in the inner one, where it begins */
    int32_t
        root; /* the link of the outermost body that floats and that it hangs from, or is; -1: it hangs from what does not move */
    /* Of such a root, for all that hangs from it: mass, kg; what the common centre of mass begins at, moves by to the end, and by the speeds
     * at both ends; and how far a state put between is off it; times the mass. */
    double mass;
    tn_vec3 centre, rise, rate[2], off;
} tn_tree_course;

/* A factor, and of hard rows what it is of: where there are the same bodies and switches again, it is not made again. */
typedef struct tn_tree_factor {
    tn_branch *branches; /* [count] */
    tn_freedoms *held;   /* [count] */
    tn_vec3 *x;          /* [bodies] */
    tn_quat *q;          /* [bodies] */
    tn_edition switched;
    bool is_known;
} tn_tree_factor;

struct tn_body_tree {
    tn_tree_link *links; /* [count] inner ones first */
    /* of the arena of what is seldom used: no memory where the tree is never asked */
    tn_tree_factor factors
        [2]; /* the one taken last, and the one before: an event looks ahead and comes back */
    tn_tree_part *bodies;    /* [count] */
    tn_tree_course *courses; /* [count] */
    int32_t count;
    bool flat; /* all bodies move in the plane */
};

#endif
