/* wishes.c: room sim: coordinates of loops and speeds that the model requests at the start.
 *
 * In: the model's requests, each with its place in the file, and a mechanism whose loops are closed. Out: the
 * mechanism with the requested values, or an error at each request that cannot be met. If a loop cannot come inside all
 * ranges on its own branch, another branch that is inside is taken; if there is none, the first step moves it in, with
 * impacts. What starts outside is reported.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "sim/sim_internal.h"

/* m or rad: a coordinate this near to the requested value has it. */
#define TN_WISH_ERROR 1e-7
/* m/s or rad/s, or this share of the speed: likewise. */
#define TN_WISH_SPEED_ERROR 1e-9

/* What differs between requested coordinates and requested speeds. */
typedef struct wish_kind {
    tn_status (*ask)(tn_sim *sim, const tn_coordinate_request *requests, int32_t count,
                     tn_coordinate_answer *answers, tn_placement_report *report);
    bool (*is_met)(const tn_model_set *set, const tn_coordinate_answer *answer);
    const char *hint;
    const char *text; /* of a message: joint, coordinate, requested value, outcome, value reached */
    const char *per;  /* of its unit */
    const char *none; /* instead of the value, if none was reached */
} wish_kind;

static tn_status ask_values(tn_sim *sim, const tn_coordinate_request *requests, int32_t count,
                            tn_coordinate_answer *answers, tn_placement_report *report)
{
    return tn_coords_set(sim->coords, requests, count, NULL, answers, report);
}

static bool has_value(const tn_model_set *set, const tn_coordinate_answer *answer)
{
    return fabs(answer->value - set->value) <= TN_WISH_ERROR;
}

static tn_status ask_speeds(tn_sim *sim, const tn_coordinate_request *requests, int32_t count,
                            tn_coordinate_answer *answers, tn_placement_report *report)
{
    return tn_coords_set_speeds(sim->coords, requests, count, NULL, answers, report);
}

static bool has_speed(const tn_model_set *set, const tn_coordinate_answer *answer)
{
    return fabs(answer->value - set->value) <= TN_WISH_SPEED_ERROR * fmax(1.0, fabs(set->value));
}

static const wish_kind values_kind = {
    ask_values,
    has_value,
    "set fewer coordinates of the loop, or values it can reach on its branch",
    "joint '%s': %s cannot be set to %s, it is %s and comes to %s",
    "",
    "the coordinates of loops cannot be set"};
static const wish_kind speeds_kind = {
    ask_speeds,
    has_speed,
    "give fewer speeds, of coordinates that are free to move",
    "joint '%s': %s cannot start with the speed %s, it is %s and has %s",
    "/s",
    "the speeds at the start cannot be found"};

/* The key in the model file: the coordinate's name, or that of the angular velocity. */
static const char *key_of(const tn_sim *sim, const tn_model_set *set)
{
    const tn_joint_type_info *info = &sim->model->joints[set->joint].geometry.cls->info;
    return tn_joint_is_ball(info) && set->coordinate >= info->coordinate_count
               ? "angular_velocity"
               : info->coordinates[set->coordinate].name;
}

static tn_location written_at(const tn_model_set *set)
{
    return (tn_location){set->file, set->line, set->column};
}

/* A mechanism drawn in line, as parallelograms often are: the set value does not determine the direction. */
static void report_singular(const tn_sim *sim, const tn_model_set *set, tn_diagnostics *diags)
{
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_CONFLICT, written_at(set),
                       "set another coordinate of the loop too, or draw it a little along the way "
                       "that is meant",
                       "joint '%s': %s cannot be set to %s from this drawing: its loop is in a "
                       "singular pose, where more than one way begins or none does",
                       tn_element_name(sim->model, set->joint), key_of(sim, set),
                       tn_tell_coordinate(sim, set->joint, set->coordinate, set->value, "").text);
}

/* Reports an error for each request whose value the mechanism does not have. */
static tn_status judge(const tn_sim *sim, const wish_kind *kind, const tn_model_set *sets,
                       int32_t count, const tn_coordinate_answer *answers, tn_diagnostics *diags)
{
    tn_status status = TN_OK;
    for (int32_t k = 0; k < count; k++) {
        if (kind->is_met(&sets[k], &answers[k]))
            continue;
        status = TN_ERROR_CONFLICT;
        if (answers[k].outcome == TN_COORDINATE_SINGULAR) {
            report_singular(sim, &sets[k], diags);
            continue;
        }
        tn_diagnostics_add(
            diags, TN_ERROR, status, written_at(&sets[k]), kind->hint, kind->text,
            tn_element_name(sim->model, sets[k].joint), key_of(sim, &sets[k]),
            tn_tell_coordinate(sim, sets[k].joint, sets[k].coordinate, sets[k].value, kind->per)
                .text,
            tn_coordinate_outcome_word(answers[k].outcome),
            tn_tell_coordinate(sim, sets[k].joint, sets[k].coordinate, answers[k].value, kind->per)
                .text);
    }
    return status;
}

/* Reports joints that no longer close, at the place of the first request. */
static tn_status report_open_joints(const tn_sim *sim, const wish_kind *kind,
                                    const tn_model_set *first, const tn_placement_report *report,
                                    tn_diagnostics *diags)
{
    const tn_location at = written_at(first);
    for (int32_t k = 0; k < report->worst_count; k++) {
        tn_diagnostics_add(
            diags, TN_ERROR, TN_ERROR_CONFLICT, at, "set values that the loop can reach",
            "setting coordinates of loops leaves joint '%s' open by %.3g m or rad",
            tn_model_joint_name(sim->model, report->worst_joint[k]), report->worst_error[k]);
    }
    if (report->worst_count == 0)
        tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_CONFLICT, at, kind->hint, "%s", kind->none);
    return TN_ERROR_CONFLICT;
}

static tn_status fulfil(tn_sim *sim, const wish_kind *kind, const tn_model_set *sets, int32_t count,
                        tn_diagnostics *diags)
{
    if (count == 0)
        return TN_OK;
    tn_coordinate_request *requests = TN_NEW_ARRAY(tn_coordinate_request, count);
    tn_coordinate_answer *answers = TN_NEW_ARRAY(tn_coordinate_answer, count);
    tn_placement_report report = tn_coords_empty_report();
    tn_status status = requests && answers && tn_sim_coords(sim) ? TN_OK : TN_ERROR_MEMORY;
    for (int32_t k = 0; k < count && status == TN_OK; k++) {
        requests[k] = (tn_coordinate_request){tn_joint_of(sim->model, sets[k].joint),
                                              sets[k].coordinate, sets[k].value};
    }
    if (status == TN_OK)
        status = kind->ask(sim, requests, count, answers, &report);
    if (status == TN_OK) {
        status = judge(sim, kind, sets, count, answers, diags);
    } else if (status == TN_ERROR_NOT_CONVERGED) {
        status = report_open_joints(sim, kind, &sets[0], &report, diags);
    }
    tn_free(requests);
    tn_free(answers);
    return status;
}

tn_status tn_set_loop_coordinates(tn_sim *sim, tn_diagnostics *diags)
{
    return fulfil(sim, &values_kind, sim->model->sets, sim->model->set_count, diags);
}

/* Lists the speeds of its motions; returns how many. */
static int32_t list_spin(const tn_sim *sim, const tn_model_spin *spin, tn_model_set *out)
{
    tn_coordinate_request requests[TN_MOTIONS_OF_BALL];
    const int32_t count = tn_spin_requests(sim, spin->joint, spin->w, requests);
    for (int32_t k = 0; k < count; k++) {
        out[k] = (tn_model_set){spin->joint,       requests[k].coordinate,
                                requests[k].value, spin->file,
                                spin->line,        spin->column};
    }
    return count;
}

/* Sets all initial speeds at once, because they are the start of one motion. */
tn_status tn_set_initial_speeds(tn_sim *sim, tn_diagnostics *diags)
{
    const tn_model *model = sim->model;
    if (model->spin_count == 0)
        return fulfil(sim, &speeds_kind, model->speeds, model->speed_count, diags);
    tn_model_set *all =
        TN_NEW_ARRAY(tn_model_set, model->speed_count + TN_MOTIONS_OF_BALL * model->spin_count);
    if (!all)
        return TN_ERROR_MEMORY;
    if (model->speed_count > 0)
        memcpy(all, model->speeds, (size_t)model->speed_count * sizeof *all);
    int32_t count = model->speed_count;
    for (int32_t k = 0; k < model->spin_count; k++)
        count += list_spin(sim, &model->spins[k], all + count);
    const tn_status status = fulfil(sim, &speeds_kind, all, count, diags);
    tn_free(all);
    return status;
}

/* ---- ranges ---- */

/* A coordinate further beyond its limit than this (rad, m) does not start there by rounding. */
#define TN_OUTSIDE 1e-6

static bool is_outside(const tn_sim *sim, int32_t j, int32_t i, double q)
{
    const tn_switches *s = &sim->state.switches[j];
    return s->hold[i] < TN_HOLD_DRIVER && fmax(s->lower[i] - q, q - s->upper[i]) > TN_OUTSIDE;
}

/* Calls for each coordinate of the joints: joint j, coordinate i. */
#define FOR_COORDINATES(sim, j, i)                                                                 \
    for (int32_t j = 0; j < (sim)->model->joint_count; j++)                                        \
        for (int32_t i = 0; i < (sim)->model->joints[j].geometry.cls->info.coordinate_count; i++)

/* Reports coordinates that were outside their ranges in `saved`, with their present values. */
static void report_branch(const tn_sim *sim, const tn_state *saved, tn_diagnostics *diags)
{
    FOR_COORDINATES(sim, j, i)
    {
        const double before = tn_state_coordinate(saved, j, i),
                     q = tn_state_coordinate(&sim->state, j, i);
        if (!is_outside(sim, j, i, before) || is_outside(sim, j, i, q))
            continue;
        tn_diagnostics_add(diags, TN_WARNING, TN_OK, tn_model_place(sim->model, j),
                           "draw the loop the way that is meant",
                           "joint '%s' is drawn at %s = %s, outside its range, and its loop "
                           "cannot come inside all ranges on the branch it is drawn on: it starts "
                           "on another, at %s",
                           tn_model_joint_name(sim->model, (tn_joint){j}),
                           sim->model->joints[j].geometry.cls->info.coordinates[i].name,
                           tn_tell_coordinate(sim, j, i, before, "").text,
                           tn_tell_coordinate(sim, j, i, q, "").text);
    }
}

static bool any_outside(const tn_sim *sim)
{
    bool any = false;
    FOR_COORDINATES(sim, j, i)
    any |= is_outside(sim, j, i, tn_state_coordinate(&sim->state, j, i));
    return any;
}

tn_status tn_start_inside(tn_sim *sim, tn_diagnostics *diags)
{
    const tn_model *model = sim->model;
    if (model->loop_joints == 0 || !any_outside(sim))
        return TN_OK;
    tn_coordinate_request *requests = TN_NEW_ARRAY(tn_coordinate_request, model->set_count);
    if (!requests || !tn_sim_coords(sim)) {
        tn_free(requests);
        return TN_ERROR_MEMORY;
    }
    for (int32_t k = 0; k < model->set_count; k++) {
        const tn_model_set *set = &model->sets[k];
        requests[k] =
            (tn_coordinate_request){tn_joint_of(model, set->joint), set->coordinate, set->value};
    }
    if (tn_coords_start_inside(sim->coords, requests, model->set_count))
        report_branch(sim, &sim->coords->saved, diags);
    tn_free(requests);
    return TN_OK;
}

void tn_warn_of_outside(const tn_sim *sim, tn_diagnostics *diags)
{
    const int32_t tried = sim->coords ? sim->coords->poses_tried : 0;
    FOR_COORDINATES(sim, j, i)
    {
        const double q = tn_state_coordinate(&sim->state, j, i);
        const tn_switches *s = &sim->state.switches[j];
        const tn_coordinate_info *info = &sim->model->joints[j].geometry.cls->info.coordinates[i];
        if (!is_outside(sim, j, i, q))
            continue;
        char hint[120];
        (void)snprintf(hint, sizeof hint, "none of %d poses tried has its loop inside all ranges",
                       (int)tried);
        tn_diagnostics_add(
            diags, TN_WARNING, TN_OK, tn_model_place(sim->model, j),
            tried > 0       ? hint
            : info->angular ? "frames do not show whole turns: 'initial' counts them"
                            : NULL,
            "joint '%s' starts at %s = %s, outside its range %s .. %s: the first step moves it in",
            tn_model_joint_name(sim->model, (tn_joint){j}), info->name,
            tn_tell_coordinate(sim, j, i, q, "").text,
            tn_tell_coordinate(sim, j, i, s->lower[i], "").text,
            tn_tell_coordinate(sim, j, i, s->upper[i], "").text);
    }
}
