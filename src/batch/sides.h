/* sides.h: room batch: members side by side, where they can go through one kernel (lanes/lanes.h). */
#ifndef TN_BATCH_SIDES_H
#define TN_BATCH_SIDES_H

#include "batch/batch.h"
#include "lanes/lanes.h"

/* NULL shape: no member can be computed in SIMD lanes. */
typedef struct tn_sides {
    tn_lane_shape *shape;
    tn_sim **sims;     /* [count] the batch's */
    tn_status *status; /* [count] likewise */
    int32_t count, width;
    unsigned char *fits; /* [count] 1: it may go into a block */
    unsigned char *in;   /* [count] 1: its current state is in its block, not in the simulation */
    int64_t *taken;      /* [count] steps side by side so far */
    double h;            /* s, of the steps for which blocks are packed */
    unsigned char *memory;
    unsigned char *blocks; /* [count / width rounded up][block_size] */
    unsigned char *works;  /* [threads][work_size] */
    size_t block_size, work_size;
} tn_sides;

/* At most `most` members in one block. */
tn_status tn_sides_create(tn_sides *sides, tn_sim **sims, tn_status *status, int32_t count,
                          int32_t threads, int32_t most);
void tn_sides_destroy(tn_sides *sides);

/* Before steps of h seconds. */
void tn_sides_begin(tn_sides *sides, double h);
/* Takes `steps` steps with members first to first + count - 1 that have not failed. */
void tn_sides_step(tn_sides *sides, int64_t steps, int32_t thread, int32_t first, int32_t count);
/* Writes the state of member i from its block back to the simulation. for_ever: it does not return to a block, because
 * the program may read or change the simulation at any time. */
void tn_sides_leave(tn_sides *sides, int32_t i, bool for_ever);
/* Discards the state in the block: the simulation has been set. */
void tn_sides_forget(tn_sides *sides, int32_t i);
/* Writes back only pose, velocity, coordinates and time of the simulation; its state stays in the block. */
void tn_sides_show(const tn_sides *sides, int32_t i);

#endif
