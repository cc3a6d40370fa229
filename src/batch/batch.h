/* batch.h: room batch: members of a batch, and what threads do with them.
 *
 * In: models, and how many simulations of each. Out: steps of all of them with the bits of each
 * alone.
 */
#ifndef TN_BATCH_BATCH_H
#define TN_BATCH_BATCH_H

#include <stdbool.h>

#include "tenon/batch.h"

/* Members in a run: as many as ever go through one kernel side by side (lanes/lanes.h). */
#define TN_BATCH_RUN 8

/* As tn_batch_create, with up to so many side by side (lanes/lanes.h); 1: each by itself. */
tn_status tn_batch_create_wide(const tn_model *const *models, int32_t model_count, int32_t count,
                               const tn_sim_options *options, int32_t threads, int32_t lanes,
                               tn_diagnostics *diags, tn_batch **out);

/* How many steps of a member were taken side by side with others, since the batch was made. */
int64_t tn_batch_side_steps(const tn_batch *batch, int32_t index);

#endif
