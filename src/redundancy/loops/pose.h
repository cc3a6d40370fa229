/* pose.h: room redundancy/loops: a pose whose rows are looked at, and how one gets to others.
 *
 * In: a model and a state. Out: kinematics and errors of a pose of its own, which may close, move along
 * what the rows allow, or be another's; the simulation stays as it is.
 */
#ifndef TN_REDUNDANCY_LOOPS_POSE_H
#define TN_REDUNDANCY_LOOPS_POSE_H

#include <stdbool.h>

#include "assemble/system.h"
#include "base/arena.h"
#include "tenon/analysis.h"

typedef struct tn_red_pose {
    const tn_model *model;
    tn_state state;
    tn_system sys;
    double size;     /* m, of the mechanism */
    double residual; /* m or rad, largest error of a hard row */
    double relative; /* the same in sizes of the mechanism or rad */
    int32_t worst;   /* its joint or coupling, or -1 */
    bool yields;     /* rows that yield are none: what is compliant repeats nothing */
} tn_red_pose;

/* At the model's initial state, not closed. */
tn_status tn_red_pose_create(const tn_model *model, tn_red_pose *pose);
void tn_red_pose_destroy(tn_red_pose *pose);
/* The pose and switches of another state, without the rows of its springs: those are to close nowhere. */
void tn_red_pose_take(tn_red_pose *pose, const tn_state *state);
/* Has it rows that yield? They are taken away: what is hard is all there is from then on. */
bool tn_red_pose_has_yielding(const tn_red_pose *pose);
int32_t tn_red_pose_yield(tn_red_pose *pose); /* how many */
/* The same mechanism at the same pose, for another one to be moved from there. */
void tn_red_pose_follow(tn_red_pose *pose, const tn_red_pose *other);
/* What the error of active row n of element j counts by: 1 / size for lengths, 1 for turns. */
double tn_red_weight(const tn_red_pose *pose, int32_t j, int32_t n);
/* Kinematics and errors of the state as it is. */
void tn_red_pose_refresh(tn_red_pose *pose);
/* Moves the bodies least, by lengths and not by masses, until the errors of all active rows are as
 * small as they get; contradictory ones keep their least-squares residual. */
tn_status tn_red_pose_close(tn_red_pose *pose);
/* Factors the pose's rows, for velocities. */
tn_status tn_red_pose_factor(tn_red_pose *pose);
/* A random velocity that the rows of the pose factored allow, in u: 0 in *speed if there is none;
 * else scaled so that no body turns faster than 1 rad/s nor moves faster than one size per second.
 */
tn_status tn_red_pose_velocity(tn_red_pose *pose, uint64_t *seed, double *u, double *speed);
/* Moves by `step` along such a velocity and closes. *reached is 0 when it did not close, which it may do but for
 * `open`, in sizes of the mechanism or rad. */
tn_status tn_red_pose_wander(tn_red_pose *pose, uint64_t *seed, double step, double open,
                             int32_t *reached);
/* Deterministic, in (-1, 1). */
double tn_red_random(uint64_t *seed);

/* The row behind slot n of joint or coupling j. */
static inline int32_t tn_red_row(const tn_red_pose *pose, int32_t j, int32_t n)
{
    return pose->state.switches[j].active[n];
}

#endif
