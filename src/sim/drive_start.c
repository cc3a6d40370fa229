/* drive_start.c: room sim: a new simulation on its prescribed motions.
 *
 * In: a closed mechanism. Out: driven coordinates at q(0) with speed q'(0), the mechanism following
 * on its branch; or the names of what contradicts what.
 */
#include <math.h>

#include "law/drives/drives.h"
#include "motion/kinematics.h"
#include "sim/sim_internal.h"
#include "motion/closing/project.h"

static const tn_location nowhere = {NULL, 0, 0};

/* m, rad; m/s, rad/s: prescribed motions may miss each other by this. */
#define TN_START_ERROR 1e-7

static bool is_driven(const tn_sim *sim, const tn_drive *d)
{
    return d->set.driven && tn_state_is_on(sim->model, &sim->state, d->joint) &&
           tn_drive_hold_of(sim, d) < TN_HOLD_LOCK;
}

static int32_t gather(const tn_sim *sim, tn_coordinate_request *out)
{
    int32_t count = 0;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive *d = &sim->state.drives[k];
        if (!is_driven(sim, d))
            continue;
        if (out) {
            out[count] = (tn_coordinate_request){tn_joint_of(sim->model, d->joint), d->coordinate,
                                                 d->target};
        }
        count++;
    }
    return count;
}

static const char *kind_of(const tn_sim *sim, int32_t element)
{
    return tn_model_as_coupling(sim->model, element) < 0 ? "joint" : "coupling";
}

static const char *coordinate_name(const tn_sim *sim, int32_t joint, int32_t coordinate)
{
    return sim->model->joints[joint].geometry.cls->info.coordinates[coordinate].name;
}

/* Names something else that holds a coordinate of the same loop. */
static void name_rival(const tn_sim *sim, const tn_coordinate_request *r, tn_diagnostics *diags)
{
    const tn_coords *c = sim->coords;
    const int32_t own = tn_sim_element(sim, r->joint);
    for (int32_t j = 0; j < sim->model->element_count; j++) {
        const tn_switches *s = &sim->state.switches[j];
        if (c->tree.block[j] != c->tree.block[own] || !tn_state_is_on(sim->model, &sim->state, j))
            continue;
        for (int32_t i = 0; i < sim->model->joints[j].geometry.cls->info.coordinate_count; i++) {
            const tn_drive *d = tn_state_drive(&sim->state, j, i);
            const int locked = s->hold[i] == TN_HOLD_LOCK || s->hold[i] == TN_HOLD_PINNED;
            if ((j != own || i != r->coordinate) && (locked || (d && is_driven(sim, d)))) {
                tn_diagnostics_add(diags, TN_NOTE, TN_OK, tn_model_place(sim->model, j), NULL,
                                   "in the same loop %s '%s' has its coordinate '%s' %s",
                                   kind_of(sim, j), tn_element_name(sim->model, j),
                                   coordinate_name(sim, j, i), locked ? "locked" : "driven");
            }
        }
    }
}

static tn_status judge(const tn_sim *sim, const tn_coordinate_request *requests,
                       const tn_coordinate_answer *answers, int32_t count, tn_diagnostics *diags)
{
    tn_status status = TN_OK;
    for (int32_t k = 0; k < count; k++) {
        const tn_coordinate_request *r = &requests[k];
        const bool there = fabs(answers[k].value - r->value) <= TN_START_ERROR;
        if (answers[k].outcome == TN_COORDINATE_SET && there)
            continue;
        status = TN_ERROR_CONFLICT;
        const int32_t j = tn_sim_element(sim, r->joint);
        if (there && answers[k].outcome == TN_COORDINATE_SINGULAR) {
            tn_diagnostics_add(
                diags, TN_ERROR, status, tn_model_place(sim->model, j),
                "start beside it, or move another coordinate of the loop",
                "the prescribed motion of '%s' cannot begin: the mechanism starts at a dead point "
                "of "
                "%s.%s "
                "at %s",
                tn_model_joint_name(sim->model, r->joint),
                tn_model_joint_name(sim->model, r->joint), coordinate_name(sim, j, r->coordinate),
                tn_tell_coordinate(sim, j, r->coordinate, answers[k].value, "").text);
            continue;
        }
        if (there) {
            tn_diagnostics_add(diags, TN_ERROR, status, tn_model_place(sim->model, j),
                               "drive or lock fewer: what else holds its loop moves it already",
                               "%s '%s': '%s' cannot be given a motion, it has no freedom left",
                               kind_of(sim, j), tn_model_joint_name(sim->model, r->joint),
                               coordinate_name(sim, j, r->coordinate));
            name_rival(sim, r, diags);
            continue;
        }
        tn_diagnostics_add(diags, TN_ERROR, status, tn_model_place(sim->model, j),
                           "coordinates count from where bodies are drawn, or from 'initial'; "
                           "drive or lock fewer, or start where it can be",
                           "%s '%s': the prescribed motion of '%s' starts at %s, but it is %s "
                           "and comes to %s",
                           kind_of(sim, j), tn_model_joint_name(sim->model, r->joint),
                           coordinate_name(sim, j, r->coordinate),
                           tn_tell_coordinate(sim, j, r->coordinate, r->value, "").text,
                           tn_coordinate_outcome_word(answers[k].outcome),
                           tn_tell_coordinate(sim, j, r->coordinate, answers[k].value, "").text);
        name_rival(sim, r, diags);
    }
    return status;
}

/* They cannot start, for a reason that names none of them: the farthest is named. */
static void name_farthest(const tn_sim *sim, const tn_coordinate_request *requests, int32_t count,
                          tn_status status, tn_diagnostics *diags)
{
    const tn_coordinate_request *r = &requests[0];
    for (int32_t k = 1; k < count; k++)
        r = fabs(requests[k].value) > fabs(r->value) ? &requests[k] : r;
    const int32_t j = tn_sim_element(sim, r->joint);
    tn_diagnostics_add(
        diags, TN_ERROR, status, tn_model_place(sim->model, j),
        "coordinates count from where bodies are drawn, or from 'initial'",
        "%s '%s': the prescribed motion of '%s' cannot start at %s: %s", kind_of(sim, j),
        tn_model_joint_name(sim->model, r->joint), coordinate_name(sim, j, r->coordinate),
        tn_tell_coordinate(sim, j, r->coordinate, r->value, "").text, tn_status_text(status));
}

static tn_status place(tn_sim *sim, tn_coordinate_request *requests, tn_coordinate_answer *answers,
                       int32_t count, tn_diagnostics *diags)
{
    tn_placement_report report;
    if (!tn_sim_coords(sim))
        return TN_ERROR_MEMORY;
    gather(sim, requests);
    const tn_status status = tn_coords_set(sim->coords, requests, count, NULL, answers, &report);
    return status == TN_OK ? judge(sim, requests, answers, count, diags) : status;
}

/* Dry friction and motors with a cap. */
static bool is_bounded(const tn_sim *sim, const tn_drive *d)
{
    const tn_hold hold = tn_drive_hold_of(sim, d);
    const bool sticks = hold == TN_HOLD_FRICTION || hold == TN_HOLD_MOTOR;
    return sticks && isfinite(tn_drive_bound(sim, d));
}

/* Does something that has a bound not get the speed that it holds? */
static bool contradicts(const tn_sim *sim)
{
    bool found = false;
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive *d = &sim->state.drives[k];
        found |= is_bounded(sim, d) && fabs(tn_drive_speed(sim, d) - d->rate) > TN_START_ERROR;
    }
    return found;
}

static void let_go_what_is_bounded(tn_sim *sim)
{
    for (int32_t k = 0; k < sim->state.head->drive_count; k++) {
        const tn_drive *d = &sim->state.drives[k];
        if (is_bounded(sim, d))
            tn_drive_free(sim, d);
    }
}

static tn_status fit(tn_sim *sim)
{
    tn_step_report report = tn_empty_report();
    tn_status status = tn_project_position(sim, sim->options.position_tolerance, &report);
    tn_update_coordinates(sim, 0.0);
    if (status == TN_OK)
        status = tn_project_velocity(sim, &report);
    return status;
}

/* Velocities on the prescribed motions, with the least change. Sticking parts are carried along if all sticking
 * friction can bear it. Otherwise the motions begin with an impulse in which no bounded force takes part, and the
 * restart sorts sticking and slipping by the resulting speeds. */
static tn_status start_moving(tn_sim *sim)
{
    tn_drives_sort(sim, 0.0);
    tn_state_copy(&sim->mark, &sim->state);
    const tn_status status = fit(sim);
    if (status == TN_OK && !contradicts(sim))
        return TN_OK;
    tn_state_copy(&sim->state, &sim->mark);
    tn_refresh_kinematics(sim);
    let_go_what_is_bounded(sim);
    return fit(sim);
}

tn_status tn_drives_start(tn_sim *sim, tn_diagnostics *diags)
{
    tn_drives_move(sim, 0.0);
    const int32_t count = gather(sim, NULL);
    if (count == 0)
        return TN_OK;
    tn_coordinate_request *requests = TN_NEW_ARRAY(tn_coordinate_request, count);
    tn_coordinate_answer *answers = TN_NEW_ARRAY(tn_coordinate_answer, count);
    tn_status status = requests && answers ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK)
        status = place(sim, requests, answers, count, diags);
    if (status == TN_OK)
        status = start_moving(sim);
    if (status != TN_OK && status != TN_ERROR_NOT_CONVERGED && status != TN_ERROR_CONFLICT &&
        status != TN_ERROR_MEMORY && status != TN_ERROR_STOPPED)
        name_farthest(sim, requests, count, status, diags);
    tn_free(requests);
    tn_free(answers);
    if (status == TN_ERROR_NOT_CONVERGED) {
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_CONFLICT, nowhere, NULL,
                           "the prescribed motions cannot start together");
    }
    return status == TN_ERROR_NOT_CONVERGED ? TN_ERROR_CONFLICT : status;
}
