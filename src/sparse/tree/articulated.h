/* articulated.h: trees of rigid bodies, eliminated through what their joints leave free.
 *
 * Room sparse/tree: knows no joint types. The system is that of kkt.h for bodies with six motions on
 * hard joints that form a tree, with every body hanging on one other or on the ground,
 *
 *     M du - G^T l = b,     G du = g.
 *
 * Where kkt.h eliminates a body through its six motions and a hinge through its five rows, here the
 * body at the outer end of a joint is eliminated through the joint's free motions: one for a hinge, three for a ball
 * joint, two or none if something holds the others. With the joint's point P, the required relative twist e, and Z
 * the free twists, its twist at P is that of the inner body plus e + Z s, and
 *     s = (Z^T I Z)^-1 Z^T (b - I (e + V)),
 * I the inertia of the body with all that hangs on it. For the inner body remain
 *     I - I Z (Z^T I Z)^-1 Z^T I   and   b - I (e + Z s)
 * (Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 7, with the joints' errors in e).
 * Everything is in world axes.
 *
 * In: arms and axes, masses and inertias, then per solve e and b. Out: twists of the centres of
 * mass, and the wrenches of the joints.
 *
 * Limits: no redundant rows, as there are no loops; no compliance. Every inertia must be positive.
 */
#ifndef TN_SPARSE_ARTICULATED_H
#define TN_SPARSE_ARTICULATED_H

#include <stdint.h>

#include "sparse/tree/articulated_kernel.h"

/* Factorizes inertias, arms and axes. Returns -1, or the first link, counted from the tips, whose free motions
 * have no inertia. */
int32_t tn_limbs_factorize(tn_limb *limbs, int32_t count);
/* Computes v, w and the pulls. */
void tn_limbs_solve(tn_limb *limbs, int32_t count);

#endif
