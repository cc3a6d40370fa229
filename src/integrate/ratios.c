/* ratios.c: room integrate: kinematic ratios of a simulation; the work is room coords'. */
#include "integrate/sim_internal.h"

tn_status tn_sim_motion_ratios(tn_sim *sim, tn_joint joint, int32_t coordinate, double *rate,
                               double *second)
{
    if (!sim || !rate || !second || joint.i < 0 || joint.i >= sim->model->element_count ||
        coordinate < 0 ||
        coordinate >= sim->model->joints[joint.i].geometry.cls->info.coordinate_count)
        return TN_ERROR_ARGUMENT;
    if (!tn_sim_coords(sim))
        return TN_ERROR_MEMORY;
    return tn_coords_ratios(sim->coords, joint.i, coordinate, rate, second);
}
