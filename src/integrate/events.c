/* events.c: room integrate: keeping and reading the events of a step, and joints that break. */
#include <math.h>

#include "assemble/drive_terms.h"
#include "integrate/sim_internal.h"

static const char *const texts[TN_EVENT_KIND_COUNT] = {
#define TN_EVENT_TEXT(kind, text) text,
    TN_EVENT_LIST(TN_EVENT_TEXT)
#undef TN_EVENT_TEXT
};

const char *tn_event_text(tn_event_kind kind)
{
    return kind >= 0 && kind < TN_EVENT_KIND_COUNT ? texts[kind] : "unknown event";
}

void tn_event_log_add(tn_event_log *log, tn_event event)
{
    if (log->count < TN_EVENTS_KEPT)
        log->events[log->count] = event;
    log->count++;
}

int32_t tn_sim_event_count(const tn_sim *sim)
{
    return sim->log.count;
}

const tn_event *tn_sim_event(const tn_sim *sim, int32_t index)
{
    return index >= 0 && index < sim->log.count && index < TN_EVENTS_KEPT ? &sim->log.events[index]
                                                                          : NULL;
}

/* The force of a coupling over its threshold, or 0. */
static double coupling_overload(const tn_sim *sim, int32_t j)
{
    const double force = fabs(sim->state.lambda[(size_t)j * TN_MAX_ROWS]);
    return force > sim->model->joints[j].break_force ? force : 0.0;
}

/* Load of a joint over its threshold, at frame C: the force's or the moment's, or 0. */
static double overload(const tn_sim *sim, int32_t j)
{
    const tn_model_joint *joint = &sim->model->joints[j];
    const tn_wrench w = tn_drive_total_wrench(&sim->sys, &sim->state, j);
    const tn_xform T_CW = xf_mul(&sim->sys.T[joint->a], &joint->geometry.T_CA);
    const tn_vec3 at = v3_add(sim->sys.T[joint->a].p, sim->sys.kin[j].r_A);
    const double force = v3_norm(w.f);
    const double moment = v3_norm(v3_add(w.m, v3_cross(v3_sub(at, T_CW.p), w.f)));
    if (force > joint->break_force)
        return force;
    return moment > joint->break_torque ? moment : 0.0;
}

void tn_break_joints(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->element_count && sim->model->breakable; j++) {
        const tn_model_joint *joint = &sim->model->joints[j];
        if (!sim->state.switches[j].enabled ||
            (isinf(joint->break_force) && isinf(joint->break_torque)))
            continue;
        const double load =
            j < sim->model->joint_count ? overload(sim, j) : coupling_overload(sim, j);
        if (load <= 0.0)
            continue;
        tn_sim_set_enabled(sim, (tn_joint){j}, 0);
        tn_event_log_add(&sim->log,
                         (tn_event){TN_EVENT_JOINT_BROKE, sim->state.head->time, {j}, -1, 0, load});
    }
}
