/* start.c: room law/impact: what the limits that hold at the start leave of its motion. See impact.h. */
#include "law/impact/impact.h"
#include "law/limits/limits_impl.h"
#include "motion/ahead/refusals.h"

/* Holds the limits that coordinates are at and that the loads push them to. How many. */
static int32_t hold_what_is_pushed(tn_sim *sim)
{
    tn_step_report report = tn_empty_report();
    const bool some = tn_limits_hold_touching(sim, TN_TOUCH_ALL) > 0;
    return some && tn_impact_accelerate(sim, &report) == TN_OK ? tn_limits_held(sim) : 0;
}

int32_t tn_impact_without_motion(tn_sim *sim)
{
    const int32_t joint = tn_joint_without_motion(sim);
    if (joint >= 0 || !sim->state.head->limited || sim->model->loop_joints == 0 ||
        tn_sim_moves(sim))
        return joint;
    const tn_event_log log = sim->log;
    tn_state_copy(&sim->mark, &sim->state);
    const int32_t jammed = hold_what_is_pushed(sim) > 0 ? tn_joint_without_motion(sim) : -1;
    tn_state_copy(&sim->state, &sim->mark);
    sim->log = log;
    return jammed;
}
