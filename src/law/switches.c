/* switches.c: room law: ranges, locks and enabling of joints while a simulation runs. */
#include <math.h>

#include "assemble/holds.h"
#include "base/base.h"
#include "motion/kinematics.h"
#include "law/limits/limits.h"
#include "law/switches.h"

/* The element that has this coordinate; -1: there is no such one. */
static int32_t element_with(const tn_sim *sim, tn_joint joint, int32_t coordinate)
{
    const int32_t j = tn_sim_element(sim, joint);
    return j >= 0 && tn_model_has_coordinate(sim->model, j, coordinate) ? j : -1;
}

static void update(tn_sim *sim, int32_t element)
{
    tn_state_update_active(sim->model, &sim->state, element);
    tn_state_count_limited(sim->model, &sim->state);
}

static void changed(tn_sim *sim, int32_t element)
{
    update(sim, element);
    sim->state.head->restart = 1;
}

tn_status tn_sim_set_range(tn_sim *sim, tn_joint joint, int32_t coordinate, double lower,
                           double upper)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    const int32_t j = element_with(sim, joint, coordinate);
    if (j < 0 || isnan(lower) || isnan(upper) || lower > upper || lower == INFINITY ||
        upper == -INFINITY)
        return TN_ERROR_ARGUMENT;
    tn_switches *s = tn_state_edit(&sim->state, j);
    s->lower[coordinate] = lower;
    s->upper[coordinate] = upper;
    if (s->hold[coordinate] > TN_HOLD_LOCK) { /* found again at the restart */
        tn_state_hold(sim->model, &sim->state, j, coordinate, TN_HOLD_NONE);
        *tn_state_held_force(sim->model, &sim->state, j, coordinate) = 0.0;
    }
    tn_state_pin(sim->model, &sim->state, j, coordinate);
    changed(sim, j);
    return TN_OK;
}

tn_status tn_sim_get_range(const tn_sim *sim, tn_joint joint, int32_t coordinate, double *lower,
                           double *upper)
{
    const int32_t j = element_with(sim, joint, coordinate);
    if (j < 0 || !lower || !upper)
        return TN_ERROR_ARGUMENT;
    const tn_switches *s = &sim->state.switches[j];
    *lower = s->lower[coordinate];
    *upper = s->upper[coordinate];
    return TN_OK;
}

tn_status tn_sim_set_locked(tn_sim *sim, tn_joint joint, int32_t coordinate, int locked)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    const int32_t j = element_with(sim, joint, coordinate);
    if (j < 0)
        return TN_ERROR_ARGUMENT;
    tn_switches *s = tn_state_edit(&sim->state, j);
    if ((s->hold[coordinate] == TN_HOLD_LOCK) == (locked != 0))
        return TN_OK;
    tn_state_hold(sim->model, &sim->state, j, coordinate, locked ? TN_HOLD_LOCK : TN_HOLD_NONE);
    s->hold_value[coordinate] = tn_state_coordinate(&sim->state, j, coordinate);
    tn_state_pin(sim->model, &sim->state, j, coordinate);
    *tn_state_held_force(sim->model, &sim->state, j, coordinate) = 0.0;
    changed(sim, j);
    return TN_OK;
}

int tn_sim_is_locked(const tn_sim *sim, tn_joint joint, int32_t coordinate)
{
    const int32_t j = element_with(sim, joint, coordinate);
    if (j < 0)
        return 0;
    const tn_switches *s = &sim->state.switches[j];
    return s->hold[coordinate] == TN_HOLD_LOCK || s->hold[coordinate] == TN_HOLD_PINNED;
}

void tn_switch_element(tn_sim *sim, int32_t element, int enabled)
{
    tn_state_edit(&sim->state, element)->enabled = (int8_t)(enabled != 0);
    for (int32_t k = 0; k < TN_MAX_ROWS; k++)
        sim->state.lambda[element * TN_MAX_ROWS + k] = 0.0;
    for (int32_t k = sim->model->joint_count; k < sim->model->element_count; k++)
        tn_state_update_active(sim->model, &sim->state, k);
    update(sim, element);
    tn_refresh_kinematics(sim);
}

tn_status tn_sim_set_enabled(tn_sim *sim, tn_joint joint, int enabled)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    const int32_t j = tn_sim_element(sim, joint);
    if (j < 0)
        return TN_ERROR_ARGUMENT;
    if (sim->state.switches[j].enabled == (enabled != 0))
        return TN_OK;
    tn_switch_element(sim, j, enabled);
    sim->state.head->restart = 1;
    if (enabled)
        tn_update_coordinates(sim, 0.0);
    return TN_OK;
}

int tn_sim_is_enabled(const tn_sim *sim, tn_joint joint)
{
    const int32_t j = tn_sim_element(sim, joint);
    TN_DEMAND(j >= 0, 0);
    return sim->state.switches[j].enabled;
}

/* The limit a coordinate touches that nothing holds there. */
static int touching_side(const tn_sim *sim, int32_t j, int32_t coordinate)
{
    const tn_switches *s = &sim->state.switches[j];
    const double q = tn_state_coordinate(&sim->state, j, coordinate);
    if (q <= s->lower[coordinate] + TN_LIMIT_TOLERANCE)
        return -1;
    return q >= s->upper[coordinate] - TN_LIMIT_TOLERANCE ? 1 : 0;
}

int tn_sim_at_limit(const tn_sim *sim, tn_joint joint, int32_t coordinate, double *force)
{
    if (force)
        *force = 0.0;
    const int32_t j = element_with(sim, joint, coordinate);
    if (j < 0)
        return 0;
    const tn_switches *s = &sim->state.switches[j];
    if (!s->enabled || s->hold[coordinate] == TN_HOLD_LOCK)
        return 0;
    if (s->hold[coordinate] < TN_HOLD_LOCK)
        return touching_side(sim, j, coordinate);
    const double pushes = *tn_state_held_force(sim->model, &sim->state, j, coordinate);
    if (force)
        *force = pushes;
    const int inwards = tn_hold_kind_of(&sim->state, j, coordinate)->pushes;
    return inwards != 0 ? -inwards : pushes < 0.0 ? 1 : -1;
}
