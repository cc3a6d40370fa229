/* freedoms.h: room motion/tree: the motions that a joint leaves free at a pose.
 *
 * The rows W of a joint are wrenches at the origin of its frame G. Those that hold hard, those that yield and the motion
 * rows of coordinates with an armature are completed to a basis of all wrenches, by unit wrenches or an orthonormal
 * complement. The dual basis T, W_k . T_n = 1 where k = n and else 0, are twists: those of hard rows take the required speeds,
 * all others are free. A row with compliance 1 / k, or a coordinate with armature a, adds the inertia k or a to its own free
 * twist alone.
 *
 * In: kinematics and switches of a joint. Out: its twists, in the world.
 */
#ifndef TN_MOTION_TREE_FREEDOMS_H
#define TN_MOTION_TREE_FREEDOMS_H

#include "motion/simulation.h"
#include "sparse/tree/branches.h"

/* A hard row: the twist of A against B about P in which it alone has speed 1, the armature of its coordinate, and its
 * place among the active rows. */
typedef struct tn_hard_row {
    tn_twist dual;
    double own; /* kg, kg m^2 */
    int32_t slot;
} tn_hard_row;

typedef struct tn_freedoms {
    int32_t held, free;
    tn_hard_row rows[TN_MAX_ROWS];
    tn_branch_motion *motions; /* [free] z and own: those of the branch */
} tn_freedoms;

/* At the current kinematics, for rows by this law (tn_row_law); `flat`: bodies move in the plane z = 0 alone. false: rows are
 * nearly dependent, or too many. */
bool tn_freedoms_find(const tn_sim *sim, int32_t j, const tn_row_law *law, bool flat,
                      tn_freedoms *out);
/* Of a body without a joint. */
void tn_freedoms_of_none(bool flat, tn_freedoms *out);

#endif
