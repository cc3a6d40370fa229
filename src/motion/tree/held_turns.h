/* held_turns.h: room motion/tree: coordinates of a tree's joint (tree_order.h) that are held, by a limit, a
 * lock or a range without width.
 *
 * A held coordinate q is a row n of the relative turn, n . w = q'. With the rows n_k of what is held and
 * their dual basis d_k, d_k . n_l = 1 where k = l and else 0, in the plane, or line, that they span, turns that
 * rows ask for are sums of d_k, and what is square to all n_k stays free: two directions of a ball
 * of which one coordinate is held, one where two are, as of a hinge, none of three, or of a hinge. The joint's
 * moment is sum lambda_k n_k: lambda_k = M . d_k.
 *
 * In: the kinematics of the joint. Out: rows and dual basis, and what is left free.
 */
#ifndef TN_MOTION_STANCE_HELD_TURNS_H
#define TN_MOTION_STANCE_HELD_TURNS_H

#include "motion/simulation.h"
#include "sparse/tree/articulated.h"

/* What holds the turns of a joint, for A against B, world axes. */
typedef struct tn_held_turns {
    int32_t count;
    int8_t row[3];
    tn_vec3 n[3], dual[3];
} tn_held_turns;

/* At the kinematics of now; false: they do not tell turns apart. */
bool tn_held_turns_find(const tn_sim *sim, int32_t j, tn_held_turns *held);
/* The limb's joint while these turns are held. */
void tn_held_turns_leave(const tn_held_turns *held, bool is_hinge, tn_limb *limb);

#endif
