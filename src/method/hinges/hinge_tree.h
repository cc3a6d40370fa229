/* hinge_tree.h: room method/hinges: prediction and correction of a tree of hinges, body by body (hinge_kernel.h).
 *
 * What does not wait for the inner body, or for no more than a product, has a pass of its own: the
 * bodies' long chains of sums and products then overlap.
 */
#ifndef TN_METHOD_HINGES_HINGE_TREE_H
#define TN_METHOD_HINGES_HINGE_TREE_H

#include "method/hinges/hinge_inertia.h"

typedef struct tn_hinge_tree {
    tn_hinge_limb *limbs;        /* [count] inner ones first */
    const int32_t *inner;        /* [count] -1: what does not move */
    const tn_hinge_slots *slots; /* [count] */
    tn_hinge_inertia *inertias;
    int32_t count;
} tn_hinge_tree;

/* The limb it hangs on; NULL: what does not move. */
TN_INLINE tn_hinge_limb *hinge_inner(const tn_hinge_tree *tree, int32_t k)
{
    return tree->inner[k] < 0 ? NULL : &tree->limbs[tree->inner[k]];
}

/* Outward: poses, motion and forces of the angles. */
TN_INLINE void hinge_tree_try(const tn_hinge_tree *tree, const tn_hinge_rule *c, tn_real3 gravity)
{
    for (int32_t k = 0; k < tree->count; k++)
        hinge_turn(&tree->limbs[k]);
    for (int32_t k = 0; k < tree->count; k++)
        hinge_turn_along(hinge_inner(tree, k), &tree->limbs[k]);
    for (int32_t k = 0; k < tree->count; k++) {
        hinge_follow(hinge_inner(tree, k), &tree->limbs[k]);
        hinge_move(c, gravity, &tree->limbs[k]);
    }
}

/* What is predicted, its matrix, and the first half of a solve. Where it can be solved. */
TN_INLINE tn_mask hinge_tree_predict(const tn_hinge_tree *tree, const tn_hinge_rule *c,
                                     tn_real3 gravity, tn_hinge_sizes *left)
{
    tn_mask good = r_yes();
    left->largest = left->sum = r_splat(0.0);
    hinge_tree_try(tree, c, gravity);
    for (int32_t k = tree->count - 1; k >= 0; k--) {
        tn_hinge_limb *limb = &tree->limbs[k], *inner = hinge_inner(tree, k);
        hinge_weigh(limb, inner);
        good &= hinge_factor(c, &tree->slots[k], tree->inertias, limb, inner);
        hinge_gather(c, limb, inner, left);
    }
    return good & (left->sum < TN_HINGE_LARGE);
}

/* The second half of a solve where worlds are `moving`, which may be all, and what it leaves. Where that is
 * a number. */
TN_INLINE tn_mask hinge_tree_correct(const tn_hinge_tree *tree, const tn_hinge_rule *c,
                                     tn_real3 gravity, tn_mask moving, bool all,
                                     tn_hinge_sizes *left)
{
    left->largest = left->sum = r_splat(0.0);
    for (int32_t k = 0; k < tree->count; k++) {
        tn_hinge_limb *limb = &tree->limbs[k];
        const tn_real turn = limb->turn + hinge_scatter(hinge_inner(tree, k), limb);
        limb->turn = all ? turn : r_select(moving, turn, limb->turn);
    }
    hinge_tree_try(tree, c, gravity);
    for (int32_t k = tree->count - 1; k >= 0; k--) {
        tn_hinge_limb *limb = &tree->limbs[k], *inner = hinge_inner(tree, k);
        hinge_weigh(limb, inner);
        hinge_gather(c, limb, inner, left);
    }
    return left->sum < TN_HINGE_LARGE;
}

#endif
