/* limits_impl.h: room law/limits: what the two files about limits share. */
#ifndef TN_LAW_LIMITS_LIMITS_IMPL_H
#define TN_LAW_LIMITS_LIMITS_IMPL_H

#include <math.h>

#include "law/drives/drives.h"
#include "motion/kinematics.h"
#include "law/limits/limits.h"

/* A held row moving inwards faster than this after an impact has left its limit (m/s, rad/s). */
#define TN_LEAVING_SPEED 1e-9

/* let_go of a switch. */
enum { TN_STAYS, TN_PULLS, TN_LET_GO, TN_CAME_BACK, TN_BEHIND };

static inline int32_t tn_limit_coordinate_count(const tn_sim *sim, int32_t j)
{
    return tn_state_is_on(sim->model, &sim->state, j)
               ? sim->model->joints[j].geometry.cls->info.coordinate_count
               : 0;
}

static inline double tn_limit_beyond(const tn_sim *sim, int32_t j, int32_t i)
{
    const tn_switches *s = &sim->state.switches[j];
    const double q = tn_state_coordinate(&sim->state, j, i);
    const double above = q - s->upper[i], below = s->lower[i] - q;
    return above > below ? above : below;
}

/* Is the upper limit of coordinate i the nearer one? */
static inline int tn_limit_is_upper(const tn_sim *sim, int32_t j, int32_t i)
{
    const tn_switches *s = &sim->state.switches[j];
    const double q = tn_state_coordinate(&sim->state, j, i);
    return q - s->upper[i] > s->lower[i] - q;
}

/* The motion row of coordinate i. */
static inline int32_t tn_limit_row_of(const tn_sim *sim, int32_t j, int32_t i)
{
    return sim->model->joints[j].geometry.cls->info.bilateral_count + i;
}

/* Is coordinate i held at a limit that only pushes? */
static inline int tn_limit_holds(const tn_sim *sim, int32_t j, int32_t i)
{
    return sim->state.switches[j].hold[i] >= TN_HOLD_LOWER;
}

/* Which way the limit that holds coordinate i pushes it: 1 up, -1 down; 0: both ways. */
static inline double tn_limit_inwards(const tn_sim *sim, int32_t j, int32_t i)
{
    return tn_hold_kind_of(&sim->state, j, i)->pushes;
}

/* A limit that yields is a spring on one side: held as long as it is compressed. */
static inline int tn_limit_yields(const tn_sim *sim, int32_t j, int32_t i)
{
    return sim->state.switches[j].compliance[tn_limit_row_of(sim, j, i)] > 0.0;
}

/* Speed of coordinate i at the current kinematics. */
static inline double tn_limit_speed_of(const tn_sim *sim, int32_t j, int32_t i)
{
    double speeds[TN_MAX_COORDINATES] = {0};
    tn_coordinate_speeds(sim, j, speeds);
    return speeds[i];
}

/* A coordinate of an element that is on, which has a limit or is held at one. */
typedef struct tn_limited {
    int32_t joint, coordinate;
} tn_limited;

/* All of them, by elements; whether limits hold any, and whether anything has happened to one in the step. */
typedef struct tn_limited_list {
    const tn_limited *all;
    int32_t count;
    bool holds, happened;
} tn_limited_list;

/* Of the switches of the state: made anew where these have changed. */
const tn_limited_list *tn_limits_list(const tn_sim *sim);

/* Coordinate i is held at its limit: has it left the deadband since it was last, in the step that began
 * with tn_limits_begin_heights? Known where steps are divided. */
void tn_limits_begin_heights(tn_sim *sim);
bool tn_limits_comes_back(tn_sim *sim, int32_t j, int32_t i);

/* Releases a held coordinate and logs the event. */
void tn_limit_release(tn_sim *sim, int32_t joint, int32_t coordinate);

#endif
