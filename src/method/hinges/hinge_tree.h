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
    const tn_hinge_state *from;  /* [count] before the step */
    tn_hinge_state *to;          /* [count] after it */
    const int32_t *inner;        /* [count] -1: what does not move */
    const tn_hinge_slots *slots; /* [count] */
    tn_hinge_inertia *inertias;
    int32_t count;
    bool principal; /* axes of all bodies are principal ones */
} tn_hinge_tree;

/* The limb it hangs on; NULL: what does not move. */
TN_INLINE tn_hinge_limb *hinge_inner(const tn_hinge_tree *tree, int32_t k)
{
    return tree->inner[k] < 0 ? NULL : &tree->limbs[tree->inner[k]];
}

TN_INLINE tn_hinge_pair hinge_pair(const tn_hinge_tree *tree, int32_t k)
{
    const int32_t inner = tree->inner[k];
    if (inner < 0)
        return (tn_hinge_pair){&tree->limbs[k], NULL, &tree->from[k], &tree->to[k], NULL};
    return (tn_hinge_pair){&tree->limbs[k], &tree->limbs[inner], &tree->from[k], &tree->to[k],
                           &tree->to[inner]};
}

/* Outward: poses, motion and forces, once all have turned. */
TN_INLINE void hinge_try(const tn_hinge_tree *tree, const tn_hinge_rule *c, tn_real3 gravity,
                         tn_hinge_trial trial, bool principal)
{
    for (int32_t k = 0; k < tree->count; k++) {
        const tn_hinge_pair pair = hinge_pair(tree, k);
        hinge_follow(&pair);
        const tn_hinge_effort now = hinge_move(c, gravity, trial, principal, &pair);
        if (trial == TN_HINGE_PREDICTED)
            hinge_put_turns(c, principal, &now, &pair);
    }
}

/* Compiled for both. */
TN_INLINE void hinge_tree_try(const tn_hinge_tree *tree, const tn_hinge_rule *c, tn_real3 gravity,
                              tn_hinge_trial trial)
{
    if (tree->principal) {
        hinge_try(tree, c, gravity, trial, true);
    } else {
        hinge_try(tree, c, gravity, trial, false);
    }
}

/* What is predicted, its matrix, and the first half of a solve. Where it can be solved. */
TN_INLINE tn_mask hinge_tree_predict(const tn_hinge_tree *tree, const tn_hinge_rule *c,
                                     tn_real3 gravity, tn_hinge_sizes *left)
{
    tn_mask good = r_yes();
    left->largest = left->sum = r_splat(0.0);
    for (int32_t k = 0; k < tree->count; k++)
        hinge_predict(c, &tree->from[k], &tree->limbs[k]);
    for (int32_t k = 0; k < tree->count; k++) {
        const tn_hinge_pair pair = hinge_pair(tree, k);
        hinge_turn(&pair);
    }
    hinge_tree_try(tree, c, gravity, TN_HINGE_PREDICTED);
    for (int32_t k = tree->count - 1; k >= 0; k--) {
        tn_hinge_limb *limb = &tree->limbs[k], *inner = hinge_inner(tree, k);
        const tn_hinge_slots *slots = &tree->slots[k];
        const tn_hinge_pull pull = hinge_weigh(slots->order, limb, inner);
        good &= hinge_factor(c, slots, &pull, tree->inertias, limb, inner);
        hinge_gather(c, slots->order, &pull, limb, inner, left);
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
        const tn_hinge_pair pair = hinge_pair(tree, k);
        const tn_real turn = pair.own->turn + hinge_scatter(pair.inner, pair.own);
        pair.own->turn = all ? turn : r_select(moving, turn, pair.own->turn);
        hinge_turn(&pair);
    }
    hinge_tree_try(tree, c, gravity, TN_HINGE_CORRECTED);
    for (int32_t k = tree->count - 1; k >= 0; k--) {
        tn_hinge_limb *limb = &tree->limbs[k], *inner = hinge_inner(tree, k);
        const tn_hinge_order order = tree->slots[k].order;
        const tn_hinge_pull pull = hinge_weigh(order, limb, inner);
        tree->to[k].force = pull.force;
        tree->to[k].moment = pull.moment;
        hinge_gather(c, order, &pull, limb, inner, left);
    }
    return left->sum < TN_HINGE_LARGE;
}

#endif
