/* hinge_world.h: room method/hinges: prediction and correction of one world of hinges: stages of blocks
 * (hinge_block.h) and what goes from limb to limb, tile by tile. As hinge_tree.h has it, with the same bits.
 */
#ifndef TN_METHOD_HINGES_HINGE_WORLD_H
#define TN_METHOD_HINGES_HINGE_WORLD_H

#include "method/hinges/hinge_block.h"

typedef struct tn_hinge_forest {
    tn_hinge_world world;
    const tn_hinge_stages *stages;
    tn_hinge_inertia *inertias; /* by slots, of wrenches alone */
} tn_hinge_forest;

/* What is predicted from where the step begins, its matrix, and the first half of a solve. False: it cannot be solved. */
bool tn_hinges_predict(const tn_hinge_forest *forest, const tn_hinge_rule *c, tn_hinge_sizes *left);
/* The second half, and a correction, of the first order where it is `small`, rad^2. */
void tn_hinges_correct(const tn_hinge_forest *forest, const tn_hinge_rule *c, double small);
/* What it has left, wrenches, and the first half of the next solve. False: that is no number. */
bool tn_hinges_look(const tn_hinge_forest *forest, const tn_hinge_rule *c, tn_hinge_sizes *left);
/* Wrenches alone, of blocks after all that come after them. */
void tn_hinges_pull(const tn_hinge_forest *forest, int32_t begin, int32_t end);
/* The first of the blocks before `end` that are gone through together. */
int32_t tn_hinges_tile(int32_t end);

#endif
