/* placement.c: room integrate: setting coordinates of a simulation; the work is room coords'. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "integrate/sim_internal.h"

tn_coords *tn_sim_coords(tn_sim *sim)
{
    if (!sim->coords)
        (void)tn_coords_create(sim->model, &sim->state, &sim->sys, &sim->coords);
    return sim->coords;
}

/* After a placement that succeeded; where velocities cannot be fitted it has failed after all. */
static tn_status fit_velocities(tn_sim *sim, tn_placement_report *report)
{
    tn_state_copy(&sim->start, &sim->coords->saved);
    const tn_status status = tn_fit_velocities(sim, report);
    if (status != TN_OK) {
        tn_state_copy(&sim->state, &sim->start);
        tn_refresh_kinematics(sim);
    }
    return report->status = status;
}

tn_status tn_sim_set_coordinates(tn_sim *sim, const tn_coordinate_request *requests, int32_t count,
                                 const tn_coordinate_options *options,
                                 tn_coordinate_answer *answers, tn_placement_report *report)
{
    tn_placement_report local;
    report = report ? report : &local;
    *report = tn_coords_empty_report();
    if (!sim)
        return report->status = TN_ERROR_ARGUMENT;
    if (!tn_sim_coords(sim))
        return report->status = TN_ERROR_MEMORY;
    const tn_status status = tn_coords_set(sim->coords, requests, count, options, answers, report);
    return status == TN_OK && options && options->project_velocity ? fit_velocities(sim, report)
                                                                   : status;
}

static tn_status check_markers(const tn_sim *sim, const tn_marker_request *markers, int32_t count)
{
    if (count < 0 || (count > 0 && !markers))
        return TN_ERROR_ARGUMENT;
    for (int32_t k = 0; k < count; k++) {
        if (markers[k].marker.i < 0 || markers[k].marker.i >= sim->model->marker_count ||
            markers[k].weight < 0.0)
            return TN_ERROR_ARGUMENT;
        if (!v3_is_finite(markers[k].position) || !isfinite(markers[k].weight))
            return TN_ERROR_NOT_FINITE;
    }
    return TN_OK;
}

/* What a soft marker of weight 1 counts where there are hard ones. */
#define TN_SOFT 1e-6

static tn_status reach_markers(tn_sim *sim, const tn_coordinate_request *requests, int32_t count,
                               const tn_marker_request *markers, int32_t marker_count,
                               tn_placement_report *report)
{
    tn_coords_target *targets = TN_NEW_ARRAY(tn_coords_target, marker_count);
    if (!targets)
        return TN_ERROR_MEMORY;
    double soft = 1.0;
    for (int32_t k = 0; k < marker_count; k++)
        if (markers[k].weight == 0.0)
            soft = TN_SOFT;
    for (int32_t k = 0; k < marker_count; k++) {
        const tn_model_marker *m = &sim->model->markers[markers[k].marker.i];
        const int hard = markers[k].weight == 0.0;
        targets[k] = (tn_coords_target){.body = m->body,
                                        .p = m->p,
                                        .goal = markers[k].position,
                                        .weight = hard ? 1.0 : soft * markers[k].weight,
                                        .hard = hard};
    }
    const tn_status status =
        /* NOLINTNEXTLINE(readability-suspicious-call-argument): both lists have a count */
        tn_coords_reach(sim->coords, targets, marker_count, requests, count, report);
    tn_free(targets);
    return status;
}

tn_status tn_sim_pose(tn_sim *sim, const tn_coordinate_request *requests, int32_t count,
                      const tn_marker_request *markers, int32_t marker_count,
                      const tn_coordinate_options *options, tn_coordinate_answer *answers,
                      tn_placement_report *report)
{
    tn_placement_report local;
    report = report ? report : &local;
    *report = tn_coords_empty_report();
    if (!sim)
        return TN_ERROR_ARGUMENT;
    tn_status status = check_markers(sim, markers, marker_count);
    if (status != TN_OK)
        return status;
    tn_state_copy(&sim->backup, &sim->state);
    status = tn_sim_set_coordinates(sim, requests, count, options, answers, report);
    if (status != TN_OK || marker_count == 0)
        return status;
    status = reach_markers(sim, requests, count, markers, marker_count, report);
    if (status != TN_OK) {
        tn_state_copy(&sim->state, &sim->backup);
        tn_refresh_kinematics(sim);
    }
    return report->status = status;
}

tn_status tn_sim_assemble(tn_sim *sim, tn_placement_report *report)
{
    tn_placement_report local;
    report = report ? report : &local;
    *report = tn_coords_empty_report();
    if (!sim)
        return report->status = TN_ERROR_ARGUMENT;
    if (!tn_sim_coords(sim))
        return report->status = TN_ERROR_MEMORY;
    const tn_status status = tn_coords_assemble(sim->coords, report);
    return status == TN_OK ? fit_velocities(sim, report) : status;
}

/* m and rad: joints open by less are left to the projection, whose movement is then least to twice
 * as many digits. */
#define TN_DRAWING_ERROR 1e-7

static const tn_location nowhere = {NULL, 0, 0};

static void report_open_joints(const tn_sim *sim, const tn_placement_report *report,
                               tn_diagnostics *diags)
{
    for (int32_t k = 0; k < report->worst_count; k++)
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_CONFLICT, nowhere,
                           "check the placement of the joints in this loop",
                           "joint '%s' cannot be closed: it stays open by %.3g m or rad",
                           tn_model_joint_name(sim->model, report->worst_joint[k]),
                           report->worst_error[k]);
}

tn_status tn_close_drawing(tn_sim *sim, tn_diagnostics *diags)
{
    tn_step_report step = tn_empty_report();
    tn_placement_report report;
    tn_assemble_errors(&sim->sys, &sim->state, sim->sys.phi);
    tn_measure_errors(sim, sim->sys.phi, &step);
    if (step.position_error <= TN_DRAWING_ERROR && step.angle_error <= TN_DRAWING_ERROR)
        return TN_OK;
    if (!tn_sim_coords(sim))
        return TN_ERROR_MEMORY;
    const tn_status status = tn_coords_assemble(sim->coords, &report);
    if (status == TN_ERROR_NOT_CONVERGED) {
        report_open_joints(sim, &report, diags);
        return TN_ERROR_CONFLICT;
    }
    if (status == TN_OK && report.moved_most.i >= 0)
        tn_diagnostics_add(diags, TN_NOTE, TN_OK, nowhere, NULL,
                           "joints were open by up to %.3g m, %.3g rad (joint '%s') and were "
                           "closed: bodies moved by up to %.3g m, %.3g rad (body '%s')",
                           step.position_error, step.angle_error,
                           tn_model_joint_name(sim->model, step.worst_joint), report.largest_move,
                           report.largest_turn, tn_model_body_name(sim->model, report.moved_most));
    return status;
}
