/* velocities.c: room sim: velocities consistent with the joints: at the start, and set by the user.
 *
 * The change is the one of least kinetic energy, min 1/2 |u' - u|_M^2 with G u' = 0: an impulse of
 * the joints alone, so that a floating mechanism keeps its momenta.
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/base.h"
#include "motion/kinematics.h"
#include "law/impact/impact.h"
#include "law/limits/limits.h"
#include "sim/sim_internal.h"
#include "motion/closing/project.h"

tn_status tn_fit_velocities(tn_sim *sim, tn_placement_report *report)
{
    tn_step_report step = tn_empty_report();
    tn_state_copy(&sim->coords->saved, &sim->state);
    const tn_status status = tn_project_velocity(sim, &step);
    if (status != TN_OK) {
        tn_state_copy(&sim->state, &sim->coords->saved);
        return status;
    }
    for (int64_t k = 0; k < sim->sys.layout->u_size; k++)
        sim->sys.du[k] = sim->state.u[k] - sim->coords->saved.u[k];
    tn_coords_report_change(sim->coords, sim->sys.du, report);
    return TN_OK;
}

/* Share of all motion (mass metric) below which a change is the rounding of written numbers. */
#define TN_WORTH_TELLING 1e-6
/* Most bodies named in the note. */
#define TN_NAMED_BODIES 5

/* One note in all, then one for each body. */
static void tell_changes(const tn_sim *sim, const tn_placement_report *report,
                         tn_diagnostics *diags)
{
    const tn_placement_report none = tn_coords_empty_report();
    const double least = TN_WORTH_TELLING * tn_coords_norm(sim->coords, sim->coords->saved.u);
    int32_t named = 0;
    if (report->changed_bodies == 0 || sqrt(2.0 * report->energy_change) <= least)
        return;
    tn_diagnostics_add(diags, TN_NOTE, TN_OK,
                       tn_model_body_place(sim->model, report->changed_most.i), NULL,
                       "velocities did not fit the joints and were changed with the least "
                       "kinetic energy, %.3g J (%d bodies, body '%s' most)",
                       report->energy_change, (int)report->changed_bodies,
                       tn_model_body_name(sim->model, report->changed_most));
    for (int32_t i = 0; i < sim->model->body_count && named < TN_NAMED_BODIES; i++) {
        tn_placement_report one = none;
        tn_coords_report_body_change(sim->coords, sim->sys.du, i, least, &one);
        if (one.changed_bodies == 0)
            continue;
        tn_diagnostics_add(diags, TN_NOTE, TN_OK, tn_model_body_place(sim->model, i), NULL,
                           "body '%s': its velocity was changed by %.3g m/s, %.3g rad/s",
                           tn_model_body_name(sim->model, (tn_body){i}), one.velocity_change,
                           one.spin_change);
        named++;
    }
}

/* Integrators that solve for velocities keep inconsistent velocities: their first solve makes them consistent, and its
 * multipliers are the impulse (restart.c). */
tn_status tn_fit_initial_velocities(tn_sim *sim, tn_diagnostics *diags)
{
    if (!sim->traits.accelerations || sim->options.keep_velocities || !tn_sim_moves(sim))
        return TN_OK;
    if (!tn_sim_coords(sim))
        return TN_ERROR_MEMORY;
    tn_placement_report report = tn_coords_empty_report();
    const tn_status status = tn_fit_velocities(sim, &report);
    if (status == TN_OK)
        tell_changes(sim, &report, diags);
    return status;
}

void tn_warn_of_no_motion(tn_sim *sim, tn_diagnostics *diags)
{
    const int32_t joint = tn_impact_without_motion(sim);
    sim->begins_nothing = joint;
    if (joint >= 0 && !tn_sim_moves(sim)) {
        tn_diagnostics_add(diags, TN_WARNING, TN_ERROR_CONFLICT, tn_model_place(sim->model, joint),
                           "start a little away from this pose, or make a joint compliant",
                           "rigid but for a freedom to first order, along which the loads act: no "
                           "finite force bears them, joint '%s' would open in the first step, "
                           "which will be refused",
                           tn_element_name(sim->model, joint));
    } else if (joint >= 0) {
        tn_diagnostics_add(
            diags, TN_WARNING, TN_ERROR_CONFLICT, tn_model_place(sim->model, joint),
            "give speeds of one of the motions that are possible from here, or start "
            "a little away from the change point",
            "the velocities begin no motion: at this singular pose joint '%s' would "
            "open in the first step, which will be refused",
            tn_element_name(sim->model, joint));
    }
}

tn_status tn_sim_set_coordinate_speeds(tn_sim *sim, const tn_coordinate_request *requests,
                                       int32_t count, const tn_coordinate_options *options,
                                       tn_coordinate_answer *answers, tn_placement_report *report)
{
    tn_placement_report local;
    report = report ? report : &local;
    if (tn_placement_begin(sim, report) != TN_OK)
        return report->status;
    TN_COME_IN(sim, TN_ERROR_BUSY);
    for (int32_t k = 0; k < count && requests; k++) {
        if (!tn_model_has_coordinate(sim->model, tn_sim_element(sim, requests[k].joint),
                                     requests[k].coordinate))
            return report->status = TN_ERROR_ARGUMENT;
    }
    return tn_coords_set_speeds(sim->coords, requests, count, options, answers, report);
}

tn_status tn_sim_set_coordinate_speed(tn_sim *sim, tn_joint joint, int32_t coordinate, double speed)
{
    const tn_coordinate_request request = {joint, coordinate, speed};
    tn_coordinate_options options = tn_default_coordinate_options();
    options.all_or_nothing = 1;
    return tn_sim_set_coordinate_speeds(sim, &request, 1, &options, NULL, NULL);
}

int32_t tn_spin_requests(const tn_sim *sim, int32_t joint, tn_vec3 w, tn_coordinate_request *out)
{
    const tn_model_joint *j = &sim->model->joints[joint];
    const tn_vec3 world =
        m3_mulv(&tn_system_xform(&sim->sys, j->b)->R, m3_mulv(&j->geometry.T_DB.R, w));
    int32_t count = 0;
    for (int32_t n = j->kept_bilateral; n < j->kept_count; n++) {
        tn_vec3 f, m;
        tn_joint_row_wrench(&j->geometry, &sim->sys.kin[joint], j->kept[n], &f, &m);
        out[count++] = (tn_coordinate_request){
            {joint}, j->kept[n] - j->geometry.cls->info.bilateral_count, v3_dot(m, world)};
    }
    return count;
}

/* rad/s, or this share of the angular velocity: met. */
#define TN_SPIN_MET 1e-9

tn_status tn_sim_set_angular_velocity(tn_sim *sim, tn_joint joint, tn_vec3 w,
                                      tn_placement_report *report)
{
    tn_placement_report local;
    tn_coordinate_request requests[TN_MOTIONS_OF_BALL];
    tn_coordinate_answer answers[TN_MOTIONS_OF_BALL];
    report = report ? report : &local;
    if (tn_placement_begin(sim, report) != TN_OK)
        return report->status;
    TN_COME_IN(sim, TN_ERROR_BUSY);
    if (!tn_has_joint(sim->model, joint))
        return report->status = TN_ERROR_ARGUMENT;
    if (!tn_joint_is_ball(&sim->model->joints[joint.i].geometry.cls->info))
        return report->status = TN_ERROR_UNSUPPORTED;
    const int32_t count = tn_spin_requests(sim, joint.i, w, requests);
    if (tn_coords_set_speeds(sim->coords, requests, count, NULL, answers, report) != TN_OK)
        return report->status;
    bool met = true; /* also for motions held by a loop, if they have the requested speed */
    for (int32_t k = 0; k < count; k++)
        met &= fabs(answers[k].value - requests[k].value) <= TN_SPIN_MET * fmax(1.0, v3_norm(w));
    if (met)
        return TN_OK;
    tn_state_copy(&sim->state, &sim->coords->saved);
    return report->status = TN_ERROR_CONFLICT;
}
