/* validate.c: checks every item of a spec (validate.h).
 *
 * Room spec/validate. Here: names, the world, markers, the simulation and record sections. Bodies and joints
 * have files of their own.
 */
#include "spec/validate/validate.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "tenon/limits.h"

#include "base/names.h"
#include "spec/validate/check.h"

/* The word for the world as a body; no body may have it as its name. */
#define GROUND_NAME "ground"

static void look_at(tn_check *check, tn_section section, int32_t item, const char *what,
                    const char *name, tn_location at)
{
    check->section = section;
    check->item = item;
    check->what = what;
    check->name = name;
    check->at = at;
}

/* Names become column headings and lines of text: no control characters, no blank ends. */
static void check_name(tn_check *check, tn_names *names)
{
    const char *name = check->name;
    size_t length = strlen(name);
    if (length == 0 || name[0] == ' ' || name[length - 1] == ' ') {
        tn_complain(check, "name", TN_WHOLE_FIELD, NULL,
                    "a name must not be empty or begin or end with a blank");
    }
    for (const unsigned char *c = (const unsigned char *)name; *c != 0; c++) {
        if (*c < 0x20 || *c == 0x7f) {
            tn_complain(check, "name", TN_WHOLE_FIELD, NULL,
                        "a name must not contain control characters");
            break;
        }
    }
    tn_status status = tn_names_add(names, name, length, check->item);
    if (status == TN_ERROR_CONFLICT) {
        tn_complain(check, "name", TN_WHOLE_FIELD, NULL, "the name is used twice");
    } else if (status != TN_OK) {
        check->status = status;
    }
}

static void check_world(tn_check *check)
{
    const tn_world_def *def = &check->spec->world;
    look_at(check, TN_SECTION_WORLD, 0, "model", NULL, def->at);
    if ((unsigned)def->kind >= TN_WORLD_KIND_COUNT) {
        tn_complain(check, "world", TN_WHOLE_FIELD, NULL, "there is no kind of world number %d",
                    (int)def->kind);
    }
    if ((unsigned)def->up >= TN_UP_COUNT) {
        tn_complain(check, "draw", TN_WHOLE_FIELD, NULL, "there is no axis number %d to be up",
                    (int)def->up);
    }
    if (def->kind == TN_WORLD_PLANAR && def->up == TN_UP_Z) {
        tn_complain(check, "draw", TN_WHOLE_FIELD, "write 'up: x' or 'up: y'",
                    "z cannot be up in a planar world, which is seen along z");
    }
    tn_check_vector(check, "gravity", def->gravity, "gravity");
    tn_check_plane_of_world(check, def);
    tn_check_not_negative(check, "damping", 0, def->frame_damping, "frame damping");
    tn_check_not_negative(check, "damping", 1, def->rotary_damping, "rotary damping");
}

static void check_bodies(tn_check *check)
{
    tn_names names = {0};
    for (int32_t i = 0; i < check->spec->body_count && check->status != TN_ERROR_MEMORY; i++) {
        const tn_body_def *def = &check->spec->bodies[i].def;
        look_at(check, TN_SECTION_BODY, i, "body", def->name, def->at);
        check_name(check, &names);
        if (strcmp(def->name, GROUND_NAME) == 0) {
            tn_complain(check, "name", TN_WHOLE_FIELD, "choose another name",
                        "'ground' stands for the world and cannot name a body");
        }
        tn_check_body(check, def);
        tn_check_plane_of_body(check, def);
    }
    tn_names_free(&names);
}

/* Couplings are found by name where joints are. */
static void check_couplings(tn_check *check, tn_names *names)
{
    for (int32_t i = 0; i < check->spec->coupling_count && check->status != TN_ERROR_MEMORY; i++) {
        const tn_coupling_def *def = &check->spec->couplings[i].def;
        look_at(check, TN_SECTION_COUPLING, i, "coupling", def->name, def->at);
        check_name(check, names);
        tn_check_coupling(check, def);
    }
}

static void check_joints(tn_check *check)
{
    tn_names names = {0};
    for (int32_t i = 0; i < check->spec->joint_count && check->status != TN_ERROR_MEMORY; i++) {
        const tn_joint_def *def = &check->spec->joints[i].def;
        look_at(check, TN_SECTION_JOINT, i, "joint", def->name, def->at);
        check_name(check, &names);
        tn_check_joint(check, def);
        tn_check_plane_of_joint(check, def);
    }
    check_couplings(check, &names);
    tn_names_free(&names);
}

static void check_markers(tn_check *check)
{
    tn_names names = {0};
    for (int32_t i = 0; i < check->spec->marker_count && check->status != TN_ERROR_MEMORY; i++) {
        const tn_marker_def *def = &check->spec->markers[i].def;
        look_at(check, TN_SECTION_MARKER, i, "marker", def->name, def->at);
        check_name(check, &names);
        if (def->body.i != TN_GROUND_INDEX) {
            tn_check_index(check, "body", TN_SECTION_BODY, def->body.i, def->body.of, "body");
        }
        tn_check_vector(check, "position", def->position, "position");
        tn_check_rotation(check, "rotation", def->rotation, "marker");
        tn_check_plane_of_marker(check, def);
    }
    tn_names_free(&names);
}

static void check_loads(tn_check *check)
{
    tn_names names = {0};
    for (int32_t i = 0; i < check->spec->load_count && check->status != TN_ERROR_MEMORY; i++) {
        const tn_load_def *def = &check->spec->loads[i].def;
        look_at(check, TN_SECTION_LOAD, i, "load", def->name, def->at);
        check_name(check, &names);
        tn_check_load(check, def);
    }
    tn_names_free(&names);
}

static void check_measures(tn_check *check)
{
    tn_names names = {0};
    for (int32_t i = 0; i < check->spec->measure_count && check->status != TN_ERROR_MEMORY; i++) {
        const tn_measure_def *def = &check->spec->measures[i].def;
        look_at(check, TN_SECTION_MEASURE, i, "measure", def->name, def->at);
        check_name(check, &names);
        tn_check_measure(check, def);
    }
    tn_names_free(&names);
}

static void check_choice(tn_check *check, const char *field, unsigned choice, unsigned count,
                         const char *what)
{
    if (choice >= count) {
        tn_complain(check, field, TN_WHOLE_FIELD, NULL, "there is no %s number %d", what,
                    (int)choice);
    }
}

/* Positive, maybe infinite: whatever is closer is met. */
static void check_tolerance(tn_check *check, const char *field, double value, double most)
{
    if (!(value > 0.0 && value <= most)) {
        tn_complain(check, field, TN_WHOLE_FIELD, NULL, "%s must be positive, is %g", field, value);
    }
}

static void check_solver(tn_check *check, const tn_simulation_def *def)
{
    check_choice(check, "integrator", def->integrator, TN_INTEGRATOR_COUNT, "integrator");
    check_choice(check, "solver", def->solver, TN_SOLVER_COUNT, "solver");
    if (def->solver == TN_SOLVER_SEQUENTIAL_IMPULSES && tn_integrator_order(def->integrator) > 1) {
        tn_complain(check, "solver", TN_WHOLE_FIELD,
                    "take 'integrator: backward_euler' or 'constrained_backward_euler'",
                    "sequential impulses solve for velocities, which %s does not",
                    tn_integrator_name(def->integrator));
    }
    if (def->iterations < 1 || def->iterations > TN_MOST_ITERATIONS) {
        tn_complain(check, "iterations", TN_WHOLE_FIELD, NULL,
                    "iterations must be from 1 to %d, not %d", TN_MOST_ITERATIONS,
                    (int)def->iterations);
    }
    if (!(def->spectral_radius >= 0.0 && def->spectral_radius <= 1.0)) {
        tn_complain(check, "spectral_radius", TN_WHOLE_FIELD, NULL,
                    "spectral_radius must be between 0 and 1, not %g", def->spectral_radius);
    }
}

static void check_accuracy(tn_check *check, const tn_simulation_def *def)
{
    if (def->accuracy == 0.0) {
        return;
    }
    if (!(def->accuracy >= TN_LEAST_ACCURACY && def->accuracy <= TN_MOST_ACCURACY)) {
        tn_complain(check, "accuracy", TN_WHOLE_FIELD, NULL,
                    "accuracy must be between %g and %g, is %g", TN_LEAST_ACCURACY,
                    TN_MOST_ACCURACY, def->accuracy);
    } else if (!tn_integrator_controls_errors(def->integrator)) {
        tn_complain(check, "accuracy", TN_WHOLE_FIELD, "leave the integrator out, or the accuracy",
                    "%s takes steps of one length: it has no accuracy to ask for",
                    tn_integrator_name(def->integrator));
    }
}

static void check_simulation(tn_check *check)
{
    const tn_simulation_def *def = &check->spec->simulation;
    look_at(check, TN_SECTION_SIMULATION, 0, "simulation", NULL, def->at);
    tn_check_positive(check, "step", TN_WHOLE_FIELD, def->step, "step");
    tn_check_not_negative(check, "duration", TN_WHOLE_FIELD, def->duration, "duration");
    check_solver(check, def);
    check_tolerance(check, "position_tolerance", def->position_tolerance, DBL_MAX);
    check_tolerance(check, "force_tolerance", def->force_tolerance, INFINITY);
    check_tolerance(check, "relative_tolerance", def->relative_tolerance, INFINITY);
    check_accuracy(check, def);
    tn_check_not_negative(check, "absolute_tolerance", TN_WHOLE_FIELD, def->absolute_tolerance,
                          "absolute_tolerance");
    check_choice(check, "formulation", def->formulation, TN_FORMULATION_COUNT, "formulation");
    check_choice(check, "events", def->events, TN_EVENT_TIMING_COUNT, "timing");
    if (def->events == TN_EVENTS_AT_STEPS && def->solver == TN_SOLVER_DIRECT) {
        tn_complain(check, "events", TN_WHOLE_FIELD, "take 'solver: sequential_impulses'",
                    "the direct solver locates its events");
    }
    check_choice(check, "inconsistent_loops", def->loops, TN_LOOPS_COUNT, "way to treat loops");
}

static void check_record(tn_check *check)
{
    const tn_spec *spec = check->spec;
    const tn_record_def *def = &spec->record;
    look_at(check, TN_SECTION_RECORD, 0, "record", NULL, def->at);
    if (!isnan(def->every)) {
        tn_check_positive(check, "every", TN_WHOLE_FIELD, def->every, "every");
    }
    if ((def->what & ~(uint32_t)TN_RECORD_ALL) != 0) {
        tn_complain(check, "what", TN_WHOLE_FIELD, NULL, "unknown flags 0x%x", (unsigned)def->what);
    }
    for (int32_t i = 0; i < def->body_count; i++) {
        tn_check_index(check, "bodies", TN_SECTION_BODY, def->bodies[i].i, def->bodies[i].of,
                       "a body");
    }
    for (int32_t i = 0; i < def->joint_count; i++) {
        tn_check_index(check, "joints", TN_SECTION_JOINT, def->joints[i].i, def->joints[i].of,
                       "a joint");
    }
    for (int32_t i = 0; i < def->marker_count; i++) {
        tn_check_index(check, "markers", TN_SECTION_MARKER, def->markers[i].i, def->markers[i].of,
                       "a marker");
    }
    for (int32_t i = 0; i < def->coupling_count; i++) {
        tn_check_index(check, "couplings", TN_SECTION_COUPLING, def->couplings[i].i,
                       def->couplings[i].of, "a coupling");
    }
}

/* What a call has refused is not there, which a program that does not read statuses has to hear of. */
static void check_refused(const tn_check *check)
{
    if (check->spec->refused != NULL) {
        tn_diagnostics_add(check->diags, TN_WARNING, TN_OK, (tn_location){0},
                           "every definition starts from its tn_default_..._def(); read the status",
                           "%s has refused a definition: it is not in the model",
                           check->spec->refused);
    }
}

tn_status tn_spec_validate(const tn_spec *spec, tn_diagnostics *diags)
{
    tn_check check = {.spec = spec, .diags = diags, .status = TN_OK};
    check_refused(&check);
    check_world(&check);
    check_bodies(&check);
    check_joints(&check);
    check_markers(&check);
    check_loads(&check);
    check_measures(&check);
    check_simulation(&check);
    check_record(&check);
    return check.status;
}

tn_status tn_spec_judge(const tn_spec *spec, tn_diagnostics *found)
{
    tn_diagnostics *judged = tn_diagnostics_create();
    if (judged == NULL) {
        return TN_ERROR_MEMORY;
    }
    const tn_status status = tn_spec_validate(spec, judged);
    for (int32_t i = 0; status != TN_OK && i < tn_diagnostics_count(judged); i++) {
        const tn_diagnostic *d = tn_diagnostics_get(judged, i);
        tn_diagnostics_add(found, d->severity, d->code, d->at, d->hint, "%s", d->message);
    }
    tn_diagnostics_destroy(judged);
    return status;
}
