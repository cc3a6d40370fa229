/* lanes.h: room lanes: whole steps of generalized-alpha for several worlds of one build, one in each SIMD lane.
 *
 * In: simulations of trees of rigid bodies on hinges with motion only: no limits, drives, loads, nothing that
 * breaks, nothing at rest. Out: the result of tn_sim_step, with the same bits, as the equations are the same
 * source (method/angles/hinge_kernel.h). A lane that has converged waits for the others. A lane in which anything
 * else happens (no convergence, a factor to be renewed, a failed check) drops out: it is left at the start of the
 * step, and its simulation takes the step.
 *
 * A block holds the states of a few worlds, field by field. Until a world is unpacked, its current state is the
 * one in the block.
 *
 * Limits: of the powers and tallies of a state only those that such steps change.
 */
#ifndef TN_LANES_LANES_H
#define TN_LANES_LANES_H

#include "motion/simulation.h"

/* Most worlds in one block. */
#define TN_MOST_LANES 8

typedef struct tn_lane_shape tn_lane_shape;

/* Number of lanes: 8 with AVX-512, 4 with AVX2, else 2; not more than `most`; 1: one world at a time. */
int32_t tn_lane_width(int32_t most);

/* What all simulations that share blocks with this one have in common, with at most `most` lanes. NULL: its model is
 * no such tree, or *status is TN_ERROR_MEMORY. */
tn_lane_shape *tn_lane_shape_create(const tn_sim *sim, int32_t most, tn_status *status);
int32_t tn_lane_shape_width(const tn_lane_shape *shape);
/* True if a simulation, perhaps of another model, has this shape. */
bool tn_lane_fits(const tn_lane_shape *shape, const tn_sim *sim);
void tn_lane_shape_destroy(tn_lane_shape *shape);

/* Bytes of a block, and of the work memory of its steps; both aligned to TN_LANE_ALIGNMENT. */
#define TN_LANE_ALIGNMENT 64
size_t tn_lane_block_size(const tn_lane_shape *shape);
size_t tn_lane_work_size(const tn_lane_shape *shape);

/* If the next step of h seconds can be taken in a lane, copies the world there and returns true. */
bool tn_lane_pack(const tn_lane_shape *shape, const tn_sim *sim, double h, double *block,
                  int32_t lane);
/* Fills a lane without a world with a copy of another one. */
void tn_lane_copy(const tn_lane_shape *shape, double *block, int32_t from, int32_t to);
/* Writes a world back to its simulation. tn_lane_unpack: the whole state with kinematics. tn_lane_show: only poses,
 * velocities, coordinates and time; the simulation may then be read but not stepped. */
void tn_lane_unpack(const tn_lane_shape *shape, const double *block, int32_t lane, tn_sim *sim);
void tn_lane_show(const tn_lane_shape *shape, const double *block, int32_t lane, tn_sim *sim);

/* Takes up to `steps` steps with the worlds of these lanes (bits). Returns how many were taken. If fewer, *left (bits)
 * are the lanes that could not take the next one; all lanes are at its start, and tn_lane_commit moves the others
 * to its end. */
int64_t tn_lane_run(const tn_lane_shape *shape, double h, double *block, double *work,
                    unsigned lanes, int64_t steps, unsigned *left);
void tn_lane_commit(const tn_lane_shape *shape, double h, double *block, double *work);

#endif
