/* ratios.c: room sim: kinematic ratios of a simulation; the work is room coords'. */
#include <string.h>

#include "sim/sim_internal.h"

/* Accelerations of the bodies' origins and of their rotation in world axes, from the packed ones at
 * the centres of mass: with r = R c from origin to centre of mass, w' = R w_body',
 *     a_origin = a - w' x r - w x (w x r). */
static void body_accelerations(const tn_sim *sim, const double *du, double *out)
{
    for (int32_t i = 0; i < sim->model->body_count; i++, out += 6) {
        const tn_mat3 *R = &sim->sys.T[i].R;
        const tn_twist speed = tn_assemble_twist(&sim->sys, sim->state.u, i);
        const tn_twist a = tn_assemble_twist(&sim->sys, du, i);
        const tn_vec3 r = m3_mulv(R, sim->model->bodies[i].com);
        const tn_vec3 around = v3_cross(speed.w, v3_cross(speed.w, r));
        v3_store(out, v3_sub(v3_sub(a.v, v3_cross(a.w, r)), around));
        v3_store(out + 3, a.w);
    }
}

tn_status tn_sim_motion_ratios(tn_sim *sim, tn_joint joint, int32_t coordinate, double *rate,
                               double *second, double *body_second)
{
    TN_COME_IN(sim, TN_ERROR_BUSY);
    const int32_t j = tn_sim_element(sim, joint);
    if (j < 0 || !rate || !second || !tn_model_has_coordinate(sim->model, j, coordinate))
        return TN_ERROR_ARGUMENT;
    if (!tn_sim_coords(sim))
        return TN_ERROR_MEMORY;
    const tn_status status = tn_coords_ratios(sim->coords, j, coordinate);
    const size_t bytes = sizeof(double) * TN_MAX_COORDINATES * (size_t)sim->model->joint_count;
    if (status == TN_OK) {
        memcpy(rate, sim->coords->rate, bytes);
        memcpy(second, sim->coords->second, bytes);
    }
    if (status == TN_OK && body_second)
        body_accelerations(sim, sim->sys.du, body_second);
    return status;
}
