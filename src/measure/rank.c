/* rank.c: room measure: how many of the active rows are independent at the current pose. */
#include <stdbool.h>
#include <string.h>

#include "base/base.h"
#include "integrate/sim_internal.h"
#include "measure/measure.h"

/* Rows of bridges are independent of all others: only those of loops need a look. NULL without
 * memory. */
static bool *joints_in_loops(const tn_model *model)
{
    bool *in_loop = TN_NEW_ARRAY(bool, model->element_count);
    for (int32_t j = 0; in_loop && j < model->element_count; j++)
        in_loop[j] = model->joints[j].in_loop;
    return in_loop;
}

/* The state with nothing but constraints: springs, friction and motors are forces. */
static tn_status take_constraints(const tn_sim *sim, tn_state *state)
{
    const tn_status status = tn_state_create(sim->model, 0, state);
    if (status != TN_OK)
        return status;
    tn_state_copy(state, &sim->state);
    for (int32_t k = 0; k < state->head->drive_count; k++) {
        tn_drive *drive = &state->drives[k];
        drive->stiffness = drive->damping = 0.0;
        if (state->switches[drive->joint].hold[drive->coordinate] < TN_HOLD_DRIVER)
            tn_state_hold(sim->model, state, drive->joint, drive->coordinate, TN_HOLD_NONE);
    }
    return TN_OK;
}

tn_status tn_sim_rank(const tn_sim *sim, tn_rank *out)
{
    if (!sim || !out)
        return TN_ERROR_ARGUMENT;
    memset(out, 0, sizeof *out);
    tn_system sys = {0};
    tn_state state = {0};
    tn_kkt_rank_report report = {0};
    tn_status status = take_constraints(sim, &state);
    if (status == TN_OK)
        status = tn_measure_system(sim, &state, &sys);
    bool *suspect = joints_in_loops(sim->model);
    if (status == TN_OK && !suspect)
        status = TN_ERROR_MEMORY;
    if (status == TN_OK)
        status = tn_kkt_rank(sim->model->kkt, sys.values, suspect, NULL, NULL, &report);
    tn_free(suspect);
    tn_system_destroy(&sys);
    tn_state_destroy(&state);
    if (status != TN_OK)
        return status;
    out->rows = report.rows;
    out->rank = report.rank;
    out->redundant = report.rows - report.rank;
    out->dof = sim->model->size.velocities - report.rank;
    out->gap_low = report.largest_dropped;
    out->gap_high = report.smallest_kept;
    return TN_OK;
}
