/* hinge_tree.h: room method/angles: prediction and correction of a tree of hinges, body by body (hinge_kernel.h).
 *
 * Computations that do not depend on the inner body, or only through a single product, have a pass of their own, so
 * that the processor can overlap those of several bodies.
 */
#ifndef TN_METHOD_ANGLES_HINGE_TREE_H
#define TN_METHOD_ANGLES_HINGE_TREE_H

#include "method/angles/hinge_inertia.h"

typedef struct tn_hinge_tree {
    tn_hinge_limb *limbs;        /* [count] inner ones first */
    const tn_hinge_state *from;  /* [count] before the step */
    tn_hinge_state *to;          /* [count] after it */
    const int32_t *inner;        /* [count] -1: fixed */
    const tn_hinge_slots *slots; /* [count] */
    tn_hinge_inertia *inertias;
    int32_t count;
    bool principal; /* axes of all bodies are principal ones */
} tn_hinge_tree;

/* The inner link; NULL: the inner body is fixed. */
TN_INLINE tn_hinge_limb *hinge_inner(const tn_hinge_tree *tree, int32_t k)
{
    return tree->inner[k] < 0 ? NULL : &tree->limbs[tree->inner[k]];
}

/* The sums over what hangs on it, and those of its inner body. */
TN_INLINE tn_hinge_inertia *hinge_hung(const tn_hinge_tree *tree, int32_t k)
{
    return &tree->inertias[tree->slots[k].own];
}

TN_INLINE tn_hinge_inertia *hinge_inner_hung(const tn_hinge_tree *tree, int32_t k)
{
    return tree->inner[k] < 0 ? NULL : &tree->inertias[tree->slots[k].inner];
}

TN_INLINE tn_hinge_pair hinge_pair(const tn_hinge_tree *tree, int32_t k)
{
    const int32_t inner = tree->inner[k];
    if (inner < 0)
        return (tn_hinge_pair){&tree->limbs[k], NULL, &tree->from[k], &tree->to[k], NULL};
    return (tn_hinge_pair){&tree->limbs[k], &tree->limbs[inner], &tree->from[k], &tree->to[k],
                           &tree->to[inner]};
}

/* R, axes and arms of the start. */
TN_INLINE void hinge_tree_return(const tn_hinge_tree *tree)
{
    for (int32_t k = 0; k < tree->count; k++) {
        hinge_orient(&tree->from[k].pose, &tree->limbs[k]);
        hinge_begin(hinge_inner(tree, k), &tree->limbs[k]);
    }
}

/* Start and prediction of a step. */
TN_INLINE void hinge_tree_begin(const tn_hinge_tree *tree, const tn_hinge_rule *c)
{
    hinge_tree_return(tree);
    for (int32_t k = 0; k < tree->count; k++)
        hinge_predict(c, &tree->from[k], &tree->limbs[k]);
}

TN_INLINE void hinge_turn_all(const tn_hinge_tree *tree, tn_mask moving, bool all)
{
    for (int32_t k = 0; k < tree->count; k++) {
        const tn_hinge_pair pair = hinge_pair(tree, k);
        hinge_turn(&pair, moving, all);
    }
}

/* Motion of the prediction, and the matrix of each body alone. */
TN_INLINE void hinge_try_as(const tn_hinge_tree *tree, const tn_hinge_rule *c, tn_real3 gravity,
                            bool principal)
{
    for (int32_t k = 0; k < tree->count; k++) {
        const tn_hinge_pair pair = hinge_pair(tree, k);
        hinge_orient(&pair.to->pose, pair.own);
        hinge_move(c, &pair, r_yes(), true);
        const tn_hinge_effort now = hinge_strive(gravity, principal, &pair);
        pair.own->part = hinge_part(c, principal, &now, &pair);
    }
}

/* Compiled for bodies with principal axes, and for others. */
TN_INLINE void hinge_try(const tn_hinge_tree *tree, const tn_hinge_rule *c, tn_real3 gravity)
{
    if (tree->principal) {
        hinge_try_as(tree, c, gravity, true);
    } else {
        hinge_try_as(tree, c, gravity, false);
    }
}

/* The prediction, its matrix, and the first half of a solve. Returns in which worlds it can be solved. */
TN_INLINE tn_mask hinge_tree_predict(const tn_hinge_tree *tree, const tn_hinge_rule *c,
                                     tn_real3 gravity, tn_hinge_sizes *left)
{
    tn_mask good = r_yes();
    left->largest = left->sum = r_splat(0.0);
    hinge_turn_all(tree, r_yes(), true);
    hinge_try(tree, c, gravity);
    for (int32_t k = tree->count - 1; k >= 0; k--) {
        tn_hinge_limb *limb = &tree->limbs[k], *inner = hinge_inner(tree, k);
        const tn_hinge_slots *slots = &tree->slots[k];
        tn_hinge_inertia *hung = hinge_hung(tree, k), *inner_hung = hinge_inner_hung(tree, k);
        const tn_hinge_pull pull = hinge_weigh(slots->order, limb, hung, inner_hung);
        good &= hinge_factor(c, slots->order, &pull, limb, hung, inner, inner_hung);
        hinge_gather(c, slots->order, r3_dot(limb->axis, pull.moment), limb, hung, inner_hung,
                     left);
    }
    return good & (left->sum < TN_HINGE_LARGE);
}

/* The second half of a solve, and a linearised correction of poses and motion. Returns the square of the largest
 * rotation of a body. */
TN_INLINE tn_real hinge_nudge_all(const tn_hinge_tree *tree, const tn_hinge_rule *c, tn_mask moving,
                                  bool all)
{
    tn_real widest = r_splat(0.0);
    for (int32_t k = 0; k < tree->count; k++) {
        const tn_hinge_pair pair = hinge_pair(tree, k);
        hinge_scatter(pair.inner, pair.own);
        const tn_hinge_swing swing = hinge_swing_on(pair.own, pair.to->memory.half);
        hinge_nudge(c, &pair, moving, all);
        hinge_close(&pair, swing.half[0], swing.half[1], moving, all);
        hinge_settle(&pair);
        widest = r_max(r3_dot(pair.own->w, pair.own->w), widest);
    }
    return widest;
}

/* The correction computed exactly from the angles, where the linearised one is not accurate enough. */
TN_INLINE void hinge_turn_again(const tn_hinge_tree *tree, const tn_hinge_rule *c, tn_mask moving)
{
    hinge_tree_return(tree);
    hinge_turn_all(tree, moving, false);
    for (int32_t k = 0; k < tree->count; k++) {
        const tn_hinge_pair pair = hinge_pair(tree, k);
        hinge_settle(&pair);
        hinge_move(c, &pair, moving, false);
    }
}

/* A correction of the worlds that are `moving`, possibly all; linearised where it is `small`. */
TN_INLINE void hinge_tree_correct(const tn_hinge_tree *tree, const tn_hinge_rule *c, tn_real small,
                                  tn_mask moving, bool all)
{
    const tn_real widest = hinge_nudge_all(tree, c, moving, all);
    const tn_mask again = moving & (widest > small);
    if (r_some(again))
        hinge_turn_again(tree, c, again);
}

/* Wrenches of the hinges for the present motion. */
TN_INLINE tn_hinge_pull hinge_pull_of(const tn_hinge_tree *tree, tn_real3 gravity, bool principal,
                                      int32_t k)
{
    const tn_hinge_pair pair = hinge_pair(tree, k);
    hinge_strive(gravity, principal, &pair);
    return pair.own->pull = hinge_weigh(tree->slots[k].order, pair.own, hinge_hung(tree, k),
                                        hinge_inner_hung(tree, k));
}

TN_INLINE void hinge_look_as(const tn_hinge_tree *tree, const tn_hinge_rule *c, tn_real3 gravity,
                             bool principal, tn_hinge_sizes *left)
{
    for (int32_t k = tree->count - 1; k >= 0; k--) {
        const tn_hinge_pull pull = hinge_pull_of(tree, gravity, principal, k);
        tn_hinge_limb *limb = &tree->limbs[k];
        hinge_gather(c, tree->slots[k].order, r3_dot(limb->axis, pull.moment), limb,
                     hinge_hung(tree, k), hinge_inner_hung(tree, k), left);
    }
}

/* The residual after a correction, and the first half of the next solve. Returns in which worlds it is a number. */
TN_INLINE tn_mask hinge_tree_look(const tn_hinge_tree *tree, const tn_hinge_rule *c,
                                  tn_real3 gravity, tn_hinge_sizes *left)
{
    left->largest = left->sum = r_splat(0.0);
    if (tree->principal) {
        hinge_look_as(tree, c, gravity, true, left);
    } else {
        hinge_look_as(tree, c, gravity, false, left);
    }
    return left->sum < TN_HINGE_LARGE;
}

/* The wrenches alone. */
TN_INLINE void hinge_tree_pull(const tn_hinge_tree *tree, tn_real3 gravity)
{
    for (int32_t k = tree->count - 1; k >= 0; k--) {
        hinge_pull_of(tree, gravity, tree->principal, k);
    }
}

#endif
