/* batch.h: many simulations stepped together: one mechanism from many states, or with many values of
 * its parameters.
 *
 * Each member is a simulation of its own: results are bit-identical to those of tn_sim_step with any number
 * of threads. Trees of rigid bodies on hinges with generalized_alpha are computed side by side in SIMD lanes,
 * in steps with motion only: no limits, drives, loads or efforts, no body at rest. The bits are the same.
 * Input and output of all members are flat arrays: out[count][width], row-major. A member that fails stays as
 * it was before the step, its status gives the reason, and the others continue.
 */
#ifndef TENON_BATCH_H
#define TENON_BATCH_H

#include "tenon/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Many simulations of one kind of mechanism. Not to be used by several threads at a time. */
typedef struct tn_batch tn_batch;

/* Makes count simulations. models: one for all (model_count 1), or one for each member, all with the same
 * number, order and types of bodies, joints and couplings: TN_ERROR_ARGUMENT otherwise. The models must
 * outlive the batch. options NULL: the models' own. threads: number that step, including the calling thread;
 * 1: no others. If one member cannot be made, none is; diags gives the reason. */
TN_API tn_status tn_batch_create(const tn_model *const *models, int32_t model_count, int32_t count,
                                 const tn_sim_options *options, int32_t threads,
                                 tn_diagnostics *diags, tn_batch **out);
/* Frees the batch and its simulations; NULL is accepted. */
TN_API void tn_batch_destroy(tn_batch *batch);
/* Number of members. */
TN_API int32_t tn_batch_count(const tn_batch *batch);
/* Number of threads that step. Fewer than requested if the system provides fewer, or if some would have no
 * work: each takes eight members at a time. */
TN_API int32_t tn_batch_threads(const tn_batch *batch);
/* Returns one member, NULL if there is no such index. It may be changed, stepped or read alone between calls
 * of the batch; from then on it is not computed in SIMD lanes with others. */
TN_API tn_sim *tn_batch_sim(tn_batch *batch, int32_t index);

/* Takes step_count steps of h seconds with each member that has not failed. efforts (N, N m; may be NULL)
 * act along the coordinates during all of these steps: [count][coordinates]. status[count] (may be NULL)
 * is TN_OK, or why the member failed in this call or before. Returns TN_OK when none has failed, else the
 * status of the first. TN_ERROR_ARGUMENT: a negative count, or an h that is not positive and finite.
 * TN_ERROR_WORK: more than TN_MOST_STEPS steps; nothing is done. TN_ERROR_STOPPED (tn_set_stop): members keep
 * the steps they have taken, which may differ in number, and continue with the next call. Allocates nothing. */
TN_API tn_status tn_batch_step(tn_batch *batch, double h, int64_t step_count, const double *efforts,
                               tn_status *status);

/* The quantities a batch can return. One line per choice: enum, name, what it is; coordinates of joints, then
 * of couplings, follow each other without gaps. */
#define TN_BATCH_ROW_LIST(X)                                                                       \
    X(TN_BATCH_POSES, "poses", "[bodies][7]: position, quaternion w first")                        \
    X(TN_BATCH_VELOCITIES, "velocities", "[bodies][6]: of the origin, angular, world axes")        \
    X(TN_BATCH_COORDINATES, "coordinates", "[coordinates] of all joints, rad and m")               \
    X(TN_BATCH_SPEEDS, "speeds", "[coordinates] their speeds")                                     \
    X(TN_BATCH_TIMES, "times", "[1] s")

/* Which quantity: see TN_BATCH_ROW_LIST. */
typedef enum tn_batch_row {
#define TN_BATCH_ROW_ENUM(row, name, text) row,
    TN_BATCH_ROW_LIST(TN_BATCH_ROW_ENUM)
#undef TN_BATCH_ROW_ENUM
        TN_BATCH_ROW_COUNT
} tn_batch_row;

/* The name of a quantity, such as "poses"; NULL: no such quantity. */
TN_API const char *tn_batch_row_name(tn_batch_row row);
/* Numbers per member. */
TN_API int32_t tn_batch_width(const tn_batch *batch, tn_batch_row row);
/* out[count][width] */
TN_API void tn_batch_get(const tn_batch *batch, tn_batch_row row, double *out);
/* Sets coordinates and then speeds of all members, each [count][coordinates] or NULL. Loops follow on their
 * branch; an earlier coordinate has priority over a later one of the same loop (tn_sim_set_coordinates). A
 * member that cannot be placed has failed. A failed member that is placed successfully takes part again. */
TN_API tn_status tn_batch_place(tn_batch *batch, const double *coordinates, const double *speeds,
                                tn_status *status);
/* Sets members back to what they were when the batch was made: those with a mark other than 0,
 * marks[count], or all (NULL). */
TN_API void tn_batch_reset(tn_batch *batch, const unsigned char *marks);

#ifdef __cplusplus
}
#endif
#endif
