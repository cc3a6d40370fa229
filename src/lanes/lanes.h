/* lanes.h: room lanes: whole steps of generalized-alpha for several worlds of one build side by side, one
 * in each lane of a vector.
 *
 * In: simulations of trees of rigid bodies on hinges in which nothing happens but motion: no limits,
 * drives, loads, nothing that breaks, nothing at rest. Out: what tn_sim_step makes of them, with its
 * bits: the equations are the same source (method/angles/hinge_kernel.h), a lane that is done waits for the
 * others, and one to which anything else happens (no convergence, a factor gone stale, a verdict) is
 * told: it is left at the start of the step, which its simulation then takes.
 *
 * A block holds the states of a few worlds, field by field, and is the truth about them until they
 * are unpacked.
 *
 * Limits: of the powers and tallies of a state those that such steps change.
 */
#ifndef TN_LANES_LANES_H
#define TN_LANES_LANES_H

#include "motion/simulation.h"

/* The most worlds side by side. */
#define TN_MOST_LANES 8

typedef struct tn_lane_shape tn_lane_shape;

/* How many worlds go side by side: 8 with AVX-512, 4 with AVX2, else 2; of `most` or fewer; 1: none
 * beside another. */
int32_t tn_lane_width(int32_t most);

/* What a simulation has in common with all that may be in blocks with it, of so many lanes at most;
 * NULL: its model is no such tree. *status: whether there was memory. */
tn_lane_shape *tn_lane_shape_create(const tn_sim *sim, int32_t most, tn_status *status);
int32_t tn_lane_shape_width(const tn_lane_shape *shape);
/* Is another one, of another model perhaps, of that shape? */
bool tn_lane_fits(const tn_lane_shape *shape, const tn_sim *sim);
void tn_lane_shape_destroy(tn_lane_shape *shape);

/* Bytes of a block and of what a step of one works with, both to be aligned to TN_LANE_ALIGNMENT. */
#define TN_LANE_ALIGNMENT 64
size_t tn_lane_block_size(const tn_lane_shape *shape);
size_t tn_lane_work_size(const tn_lane_shape *shape);

/* May the next step of h seconds be taken in a lane? Puts the world there if so. */
bool tn_lane_pack(const tn_lane_shape *shape, const tn_sim *sim, double h, double *block,
                  int32_t lane);
/* A lane nobody has goes along with another one. */
void tn_lane_copy(const tn_lane_shape *shape, double *block, int32_t from, int32_t to);
/* State, kinematics and all; or what poses, velocities, coordinates and time are read from, which
 * leaves the simulation useless for anything else. */
void tn_lane_unpack(const tn_lane_shape *shape, const double *block, int32_t lane, tn_sim *sim);
void tn_lane_show(const tn_lane_shape *shape, const double *block, int32_t lane, tn_sim *sim);

/* Up to `steps` of them with the worlds of these lanes (bits). Comes back with how many were taken;
 * after fewer, *left (bits) are those that could not take the next: all are at its start, and
 * tn_lane_commit takes the others over it. */
int64_t tn_lane_run(const tn_lane_shape *shape, double h, double *block, double *work,
                    unsigned lanes, int64_t steps, unsigned *left);
void tn_lane_commit(const tn_lane_shape *shape, double h, double *block, double *work);

#endif
