/* placement.c: room sim: setting coordinates of a simulation; the work is room coords'. */
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "motion/kinematics.h"
#include "sim/sim_internal.h"

tn_coords *tn_sim_coords(tn_sim *sim)
{
    if (!sim->coords)
        (void)tn_coords_create(sim->model, &sim->state, &sim->sys, &sim->coords);
    return sim->coords;
}

tn_status tn_placement_begin(tn_sim *sim, tn_placement_report *report)
{
    *report = tn_coords_empty_report();
    report->status = TN_ERROR_ARGUMENT;
    if (tn_sim_is_at_work(sim))
        return report->status = TN_ERROR_BUSY;
    if (sim)
        report->status = tn_sim_coords(sim) ? TN_OK : TN_ERROR_MEMORY;
    return report->status;
}

/* After a placement that succeeded; where velocities cannot be fitted it has failed after all. */
static tn_status fit_velocities(tn_sim *sim, tn_placement_report *report)
{
    tn_state_copy(&sim->mark, &sim->coords->saved);
    const tn_status status = tn_fit_velocities(sim, report);
    if (status != TN_OK) {
        tn_state_copy(&sim->state, &sim->mark);
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
    if (tn_placement_begin(sim, report) != TN_OK)
        return report->status;
    TN_COME_IN(sim, TN_ERROR_BUSY);
    const tn_status status = tn_coords_set(sim->coords, requests, count, options, answers, report);
    return status == TN_OK && options && options->project_velocity ? fit_velocities(sim, report)
                                                                   : status;
}

tn_marker_request tn_default_marker_request(tn_marker marker)
{
    return (tn_marker_request){
        .marker = marker, .rotation = {1.0, 0.0, 0.0, 0.0}, .body = {TN_GROUND_INDEX}};
}

tn_marker_request tn_default_point_request(tn_body body, tn_vec3 point)
{
    tn_marker_request request = tn_default_marker_request((tn_marker){-1});
    request.body = body;
    request.point = point;
    return request;
}

/* The marker of a request, or what stands for one at its point. */
static tn_model_marker marker_of(const tn_sim *sim, const tn_marker_request *request)
{
    if (request->marker.i >= 0)
        return sim->model->markers[request->marker.i];
    tn_model_marker m = {request->body.i, request->point, {1.0, 0.0, 0.0, 0.0}};
    if (m.body >= 0)
        m.p = v3_sub(m.p, sim->model->bodies[m.body].com);
    return m;
}

/* A marker of the model, or a body of it with a point. */
static bool is_there(const tn_sim *sim, const tn_marker_request *request)
{
    if (request->marker.i == -1)
        return tn_has_body(sim->model, request->body);
    return tn_has_marker(sim->model, request->marker);
}

/* Checks a requested orientation: it must be a rotation, of a body that can turn. */
static tn_status check_rotation(const tn_sim *sim, const tn_marker_request *request)
{
    const tn_quat q = request->rotation;
    const int32_t body = marker_of(sim, request).body;
    if (request->aim == TN_AIM_POSITION)
        return TN_OK;
    if (body >= 0 && tn_kind_is_point(sim->model->bodies[body].kind))
        return TN_ERROR_UNSUPPORTED;
    const double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!isfinite(square))
        return TN_ERROR_NOT_FINITE;
    return square > 0.0 ? TN_OK : TN_ERROR_ARGUMENT;
}

static tn_status check_markers(const tn_sim *sim, const tn_marker_request *markers, int32_t count)
{
    if (count < 0 || (count > 0 && !markers))
        return TN_ERROR_ARGUMENT;
    for (int32_t k = 0; k < count; k++) {
        if (!is_there(sim, &markers[k]) || markers[k].weight < 0.0 || markers[k].arm < 0.0 ||
            markers[k].aim > TN_AIM_POSE)
            return TN_ERROR_ARGUMENT;
        const tn_status status = check_rotation(sim, &markers[k]);
        if (status != TN_OK)
            return status;
        if (!v3_is_finite(markers[k].position) || !v3_is_finite(markers[k].point) ||
            !isfinite(markers[k].weight) || !isfinite(markers[k].arm))
            return TN_ERROR_NOT_FINITE;
    }
    return TN_OK;
}

static tn_coords_target target_of(const tn_sim *sim, const tn_marker_request *request)
{
    const tn_model_marker m = marker_of(sim, request);
    const tn_quat back = {m.q.w, -m.q.x, -m.q.y, -m.q.z};
    tn_coords_target target = {.body = m.body,
                               .place = request->aim != TN_AIM_ROTATION,
                               .turn = request->aim != TN_AIM_POSITION,
                               .hard = request->weight == 0.0,
                               .weight = request->weight,
                               .p = m.p,
                               .goal = request->position,
                               .arm = request->arm};
    if (target.turn)
        target.q = q_mul(q_normalize(request->rotation), back);
    return target;
}

static tn_status reach_markers(tn_sim *sim, const tn_coordinate_request *requests, int32_t count,
                               const tn_marker_request *markers, int32_t marker_count,
                               tn_marker_answer *answers, tn_placement_report *report)
{
    tn_coords_target *targets = TN_NEW_ARRAY(tn_coords_target, marker_count);
    tn_marker_answer *misses = TN_NEW_ARRAY(tn_marker_answer, marker_count);
    tn_status status = targets && misses ? TN_OK : TN_ERROR_MEMORY;
    for (int32_t k = 0; k < marker_count && status == TN_OK; k++)
        targets[k] = target_of(sim, &markers[k]);
    if (status == TN_OK) {
        status =
            /* NOLINTNEXTLINE(readability-suspicious-call-argument): both lists have a count */
            tn_coords_reach(sim->coords, targets, marker_count, requests, count, misses, report);
        for (int32_t k = 0; k < marker_count && answers; k++)
            answers[k] = misses[k];
    }
    tn_free(targets);
    tn_free(misses);
    return status;
}

tn_status tn_sim_pose(tn_sim *sim, const tn_coordinate_request *requests, int32_t count,
                      const tn_marker_request *markers, int32_t marker_count,
                      const tn_coordinate_options *options, tn_coordinate_answer *answers,
                      tn_marker_answer *marker_answers, tn_placement_report *report)
{
    tn_placement_report local;
    report = report ? report : &local;
    *report = tn_coords_empty_report();
    TN_COME_IN(sim, report->status = TN_ERROR_BUSY);
    if (!sim)
        return TN_ERROR_ARGUMENT;
    tn_status status = check_markers(sim, markers, marker_count);
    if (status != TN_OK)
        return status;
    const int gaps = tn_gap_is_on(&sim->state); /* they belong to the pose and go back with it */
    const int64_t rows = gaps ? sim->sys.layout->y_size : 0;
    double *gap = TN_NEW_ARRAY(double, rows);
    if (!gap)
        return report->status = TN_ERROR_MEMORY;
    memcpy(gap, sim->sys.gap, sizeof(double) * (size_t)rows);
    tn_state_copy(&sim->backup, &sim->state);
    status = tn_sim_set_coordinates(sim, requests, count, options, answers, report);
    if (status == TN_OK && marker_count > 0) {
        status = reach_markers(sim, requests, count, markers, marker_count, marker_answers, report);
        report->status = status;
        if (status != TN_OK) {
            tn_state_copy(&sim->state, &sim->backup);
            memcpy(sim->sys.gap, gap, sizeof(double) * (size_t)rows);
            tn_refresh_kinematics(sim);
        }
    }
    tn_free(gap);
    return status;
}

tn_status tn_sim_assemble(tn_sim *sim, tn_placement_report *report)
{
    tn_placement_report local;
    report = report ? report : &local;
    if (tn_placement_begin(sim, report) != TN_OK)
        return report->status;
    TN_COME_IN(sim, TN_ERROR_BUSY);
    const tn_status status = tn_coords_assemble(sim->coords, report);
    return status == TN_OK ? fit_velocities(sim, report) : status;
}

/* Units of length and rad: joints open by less are left to the projection, whose movement is then
 * least to twice as many digits. */
#define TN_DRAWING_ERROR 1e-7

static void report_open_joints(const tn_sim *sim, const tn_placement_report *report,
                               tn_diagnostics *diags)
{
    for (int32_t k = 0; k < report->worst_count; k++) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_CONFLICT,
                           tn_model_place(sim->model, tn_sim_element(sim, report->worst_joint[k])),
                           "check the placement of the joints in this loop",
                           "joint '%s' cannot be closed: it stays open by %.3g m or rad",
                           tn_model_joint_name(sim->model, report->worst_joint[k]),
                           report->worst_error[k]);
    }
}

tn_status tn_close_drawing(tn_sim *sim, tn_diagnostics *diags)
{
    tn_step_report step = tn_empty_report();
    tn_placement_report report;
    if (tn_measure_position(sim, &step) <= TN_DRAWING_ERROR)
        return TN_OK;
    if (!tn_sim_coords(sim))
        return TN_ERROR_MEMORY;
    const tn_status status = tn_coords_assemble(sim->coords, &report);
    if (status == TN_ERROR_NOT_CONVERGED) {
        report_open_joints(sim, &report, diags);
        return TN_ERROR_CONFLICT;
    }
    if (status == TN_OK && report.moved_most.i >= 0) {
        tn_diagnostics_add(diags, TN_NOTE, TN_OK, tn_model_place(sim->model, step.worst_joint.i),
                           NULL,
                           "joints were open by up to %.3g m, %.3g rad (joint '%s') and were "
                           "closed: bodies moved by up to %.3g m, %.3g rad (body '%s')",
                           step.position_error, step.angle_error,
                           tn_element_name(sim->model, step.worst_joint.i), report.largest_move,
                           report.largest_turn, tn_model_body_name(sim->model, report.moved_most));
    }
    return status;
}
