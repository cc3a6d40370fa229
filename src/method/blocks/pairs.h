/* pairs.h: room method/blocks: which hinges share a body, and the sparse matrix of these pairs. */
#ifndef TN_METHOD_BLOCKS_PAIRS_H
#define TN_METHOD_BLOCKS_PAIRS_H

#include "method/blocks/spd.h"
#include "model/model.h"

/* Has the model nothing but bodies on hinges, in loops? */
bool tn_are_rigid_on_hinges(const tn_model *model);
/* The same for ball joints. */
bool tn_are_rigid_on_balls(const tn_model *model);

/* Two hinges of one body, in the order of the matrix. */
typedef struct tn_pair {
    int32_t first, second, bar, block;
    bool opens; /* it is the first pair of that block */
} tn_pair;

typedef struct tn_pairs {
    tn_pair *pairs; /* in the order of their blocks */
    int32_t count;
    int32_t *start;            /* [n + 1] the first pair of each row of blocks */
    int32_t *bare, bare_count; /* blocks without a pair */
    int32_t *bare_start;       /* [n + 1] the first of these of each row of blocks */
} tn_pairs;

void tn_pairs_destroy(tn_pairs *pairs);

/* Input: all joints of a model are nodes; bar: the numbers of bodies, of which those below `moving` move; rows of a
 * block; most pairs, blocks and updates a joint. */
typedef struct tn_pairs_of {
    const tn_model *model;
    const int32_t *bar; /* [bodies] */
    int32_t moving, size, most;
} tn_pairs_of;

/* *fits: are there no more than that? Otherwise nothing is created. */
tn_status tn_pairs_create(const tn_pairs_of *of, tn_spd *spd, tn_pairs *out, bool *fits);

#endif
