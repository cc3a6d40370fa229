/* placement.c: room integrate: setting coordinates of a simulation; the work is room coords'. */
#include <string.h>

#include "integrate/sim_internal.h"

tn_coords *tn_sim_coords(tn_sim *sim)
{
    if (!sim->coords)
        (void)tn_coords_create(sim->model, &sim->state, &sim->sys, &sim->coords);
    return sim->coords;
}

tn_status tn_sim_set_coordinates(tn_sim *sim, const tn_coordinate_request *requests, int32_t count,
                                 const tn_coordinate_options *options,
                                 tn_coordinate_answer *answers, tn_placement_report *report)
{
    tn_placement_report local;
    report = report ? report : &local;
    memset(report, 0, sizeof *report);
    report->moved_most.i = -1;
    if (!sim)
        return report->status = TN_ERROR_ARGUMENT;
    if (!tn_sim_coords(sim))
        return report->status = TN_ERROR_MEMORY;
    tn_status status = tn_coords_set(sim->coords, requests, count, options, answers, report);
    if (status == TN_OK && options && options->project_velocity) {
        tn_step_report step = tn_empty_report();
        status = tn_project_velocity(sim, &step);
        if (status != TN_OK) {
            tn_state_copy(&sim->state, &sim->coords->saved);
            tn_refresh_kinematics(sim);
        }
    }
    return report->status = status;
}
