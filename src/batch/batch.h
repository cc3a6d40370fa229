/* batch.h: room batch: members of a batch, and the threads that work on them.
 *
 * In: models, and how many simulations of each. Out: steps of all of them with the bits of each
 * alone.
 */
#ifndef TN_BATCH_BATCH_H
#define TN_BATCH_BATCH_H

#include <stdbool.h>

#include "tenon/batch.h"

/* What is done with a run of members: first .. first + count - 1, by thread 0 .. crew size - 1. Runs are
 * TN_BATCH_RUN long: as many as ever go through one kernel side by side (lanes/lanes.h). */
#define TN_BATCH_RUN 8
typedef void (*tn_batch_work)(void *context, int32_t thread, int32_t first, int32_t count);

/* As tn_batch_create, with up to so many side by side (lanes/lanes.h); 1: each by itself. */
tn_status tn_batch_create_wide(const tn_model *const *models, int32_t model_count, int32_t count,
                               const tn_sim_options *options, int32_t threads, int32_t lanes,
                               tn_diagnostics *diags, tn_batch **out);

/* How many steps of a member were taken side by side with others, since the batch was made. */
int64_t tn_batch_side_steps(const tn_batch *batch, int32_t index);

typedef struct tn_crew tn_crew;

/* threads.c. Threads that wait for work; NULL: there are none to be had, or none are needed. */
tn_crew *tn_crew_create(int32_t threads);
void tn_crew_destroy(tn_crew *crew);
int32_t tn_crew_size(const tn_crew *crew); /* with the calling one */
/* All runs of `count` members, by the caller and the others; comes back when all is done. */
void tn_crew_do(tn_crew *crew, int32_t count, tn_batch_work work, void *context);

#endif
