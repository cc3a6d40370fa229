/* batch.h: many simulations stepped together: one mechanism from many states, or with many values of
 * its parameters.
 *
 * Each is a simulation of its own: results are bit-identical to those of tn_sim_step, whatever the number
 * of threads and however many go side by side in vectors of the machine: trees of rigid bodies on hinges
 * by generalized_alpha, in steps in which nothing but motion happens (no limits,
 * drives, loads or efforts; no body at rest). What goes in and comes out of all of them is flat: out[count][width], row-major. A member
 * that fails stays as it was before the step, its status says why, and the others go on.
 */
#ifndef TENON_BATCH_H
#define TENON_BATCH_H

#include "tenon/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tn_batch tn_batch;

/* Makes count simulations. models: one for all (model_count 1), or one for each, all with as many
 * bodies, joints and couplings, in the same order and of the same types: TN_ERROR_ARGUMENT otherwise.
 * They must outlive the batch. options NULL: the models' own. threads: how many step at a time, the
 * calling one among them; 1: no others. A member that cannot be made ends it; diags says why. */
TN_API tn_status tn_batch_create(const tn_model *const *models, int32_t model_count, int32_t count,
                                 const tn_sim_options *options, int32_t threads,
                                 tn_diagnostics *diags, tn_batch **out);
TN_API void tn_batch_destroy(tn_batch *batch);
TN_API int32_t tn_batch_count(const tn_batch *batch);
/* How many threads step: fewer than asked for where they cannot be had, or would have nothing to do:
 * each takes eight members at a time. */
TN_API int32_t tn_batch_threads(const tn_batch *batch);
/* NULL: there is none of this index. One of them, to be set up, stepped or looked at alone, between the
 * calls of the batch; it does not go side by side with others from then on. */
TN_API tn_sim *tn_batch_sim(tn_batch *batch, int32_t index);

/* Takes step_count steps of h seconds with each member that has not failed. Efforts (N, N m; may be NULL)
 * act along the coordinates during all of these steps: [count][coordinates]. status[count] (may be NULL)
 * is TN_OK or why a member failed, in this call or before. Answers TN_OK when none has failed, else the
 * status of the first. TN_ERROR_ARGUMENT: a negative count or a time that is not positive and finite;
 * TN_ERROR_WORK: more than 10 000 000 steps: nothing happens. TN_ERROR_STOPPED (tn_set_stop): members keep the
 * steps they have taken, which are not as many for each, and go on with the next call. Allocates nothing. */
TN_API tn_status tn_batch_step(tn_batch *batch, double h, int64_t step_count, const double *efforts,
                               tn_status *status);

/* What the rows of a batch are made of. One line per choice: enum, name, what it is; joints and
 * couplings have their coordinates one after the other, without gaps. */
#define TN_BATCH_ROW_LIST(X)                                                                       \
    X(TN_BATCH_POSES, "poses", "[bodies][7]: position, quaternion w first")                        \
    X(TN_BATCH_VELOCITIES, "velocities", "[bodies][6]: of the origin, angular, world axes")        \
    X(TN_BATCH_COORDINATES, "coordinates", "[coordinates] of all joints, rad and m")               \
    X(TN_BATCH_SPEEDS, "speeds", "[coordinates] their speeds")                                     \
    X(TN_BATCH_TIMES, "times", "[1] s")

typedef enum tn_batch_row {
#define TN_BATCH_ROW_ENUM(row, name, text) row,
    TN_BATCH_ROW_LIST(TN_BATCH_ROW_ENUM)
#undef TN_BATCH_ROW_ENUM
        TN_BATCH_ROW_COUNT
} tn_batch_row;

TN_API const char *tn_batch_row_name(tn_batch_row row);
/* Numbers of one member. */
TN_API int32_t tn_batch_width(const tn_batch *batch, tn_batch_row row);
/* out[count][width] */
TN_API void tn_batch_get(const tn_batch *batch, tn_batch_row row, double *out);
/* Sets coordinates and then speeds of all members, each [count][coordinates] or NULL: loops follow on
 * their branch (tn_sim_set_coordinates: an earlier coordinate wins over a later one of the same loop).
 * A member that cannot take them has failed. A failed one that can goes on again. */
TN_API tn_status tn_batch_place(tn_batch *batch, const double *coordinates, const double *speeds,
                                tn_status *status);
/* Sets members back to what they were when the batch was made: those with a mark other than 0,
 * marks[count], or all (NULL). */
TN_API void tn_batch_reset(tn_batch *batch, const unsigned char *marks);

#ifdef __cplusplus
}
#endif
#endif
