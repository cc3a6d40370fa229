/* freedoms.h: room motion/tree: what a joint leaves free at a pose.
 *
 * The rows W of a joint are wrenches at the origin of its frame G. Those that hold hard, those that yield and the motion
 * rows of coordinates with an armature are completed to a basis of all wrenches, by unit wrenches or an orthonormal
 * complement; the dual basis T, W_k . T_n = 1 where k = n and else 0, are twists: those of rows that hold ask for their
 * speeds, all others are free. A row that yields by 1 / k, or has an armature a, gives its free twist the inertia of its
 * own, k or a, and takes nothing from others.
 *
 * In: kinematics and switches of a joint. Out: its twists, in the world.
 */
#ifndef TN_MOTION_TREE_FREEDOMS_H
#define TN_MOTION_TREE_FREEDOMS_H

#include "motion/simulation.h"
#include "sparse/tree/branches.h"

/* A row that holds: the twist of A against B about P in which it alone has speed 1, the armature of its coordinate, and its
 * place among the active rows. */
typedef struct tn_held_row {
    tn_twist dual;
    double own; /* kg, kg m^2 */
    int32_t slot;
} tn_held_row;

typedef struct tn_freedoms {
    int32_t held, free;
    tn_held_row rows[TN_MAX_ROWS];
    tn_branch_motion *motions; /* [free] z and own: those of the branch */
} tn_freedoms;

/* At the kinematics of now, of rows by this law (tn_row_law); `flat`: bodies move in the plane z alone. false: rows do not
 * tell motions apart, or are too many. */
bool tn_freedoms_find(const tn_sim *sim, int32_t j, const tn_row_law *law, bool flat,
                      tn_freedoms *out);
/* Of a body that nothing holds. */
void tn_freedoms_of_none(bool flat, tn_freedoms *out);

#endif
