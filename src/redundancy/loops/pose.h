/* pose.h: room redundancy/loops: a pose whose rows are analysed, and ways to others.
 *
 * In: a model and a state. Out: kinematics and errors of a copy of the pose. It can be closed, moved along the
 * motions that the rows allow, or set to that of another state; the simulation is not changed.
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
    bool yields;     /* 1: compliant rows are left out, as they repeat nothing */
} tn_red_pose;

/* At the model's initial state, not closed. */
tn_status tn_red_pose_create(const tn_model *model, tn_red_pose *pose);
void tn_red_pose_destroy(tn_red_pose *pose);
/* The pose and switches of another state, without the rows of its springs, which need not close. */
void tn_red_pose_take(tn_red_pose *pose, const tn_state *state);
/* tn_red_pose_has_yielding: true if there are compliant rows. tn_red_pose_yield removes them, so that only hard rows
 * remain; returns how many. */
bool tn_red_pose_has_yielding(const tn_red_pose *pose);
int32_t tn_red_pose_yield(tn_red_pose *pose);
/* Makes this pose a copy of another pose of the same mechanism, to be moved from there. */
void tn_red_pose_follow(tn_red_pose *pose, const tn_red_pose *other);
/* Weight of the error of active row n of element j: 1 / size for lengths, 1 for angles. */
double tn_red_weight(const tn_red_pose *pose, int32_t j, int32_t n);
/* Kinematics and errors of the state as it is. */
void tn_red_pose_refresh(tn_red_pose *pose);
/* Moves the bodies least, by lengths and not by masses, until the errors of all active rows are as
 * small as they get; contradictory ones keep their least-squares residual. */
tn_status tn_red_pose_close(tn_red_pose *pose);
/* Factors the pose's rows, for velocities. */
tn_status tn_red_pose_factor(tn_red_pose *pose);
/* A random velocity that the rows of the factored pose allow, in u. *speed is 0 if there is none; else u is scaled
 * so that no body turns faster than 1 rad/s nor moves faster than one size per second.
 */
tn_status tn_red_pose_velocity(tn_red_pose *pose, uint64_t *seed, double *u, double *speed);
/* Moves by `step` along such a velocity and closes. *reached is 0 if a loop stays open by more than `open`, in sizes of
 * the mechanism or rad. */
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
