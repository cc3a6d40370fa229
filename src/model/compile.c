/* compile.c: room model: from what the user wrote to a compiled mechanism.
 *
 * In: a spec. Out: a model, or the list of everything that is wrong and no model. The stages run in
 * a fixed order, each in its own file; a stage that fails ends the compilation after it has
 * reported all of its own problems.
 */
#include <string.h>

#include "model/model.h"
#include "spec/validate.h"

/* A copy of a list of ids; NULL for an empty one. */
static tn_status copy_indices(const void *source, int32_t count, int32_t **out)
{
    if (count <= 0 || !source)
        return TN_OK;
    *out = TN_NEW_ARRAY(int32_t, count);
    if (!*out)
        return TN_ERROR_MEMORY;
    memcpy(*out, source, sizeof(int32_t) * (size_t)count);
    return TN_OK;
}

/* The lists of the record section are copied into model->record_lists, which owns them. */
static tn_status copy_record(tn_model *model, const tn_record_def *from)
{
    int32_t **lists = model->record_lists;
    tn_status status = copy_indices(from->bodies, from->body_count, &lists[0]);
    if (status == TN_OK)
        status = copy_indices(from->joints, from->joint_count, &lists[1]);
    if (status == TN_OK)
        status = copy_indices(from->markers, from->marker_count, &lists[2]);
    if (status == TN_OK)
        status = copy_indices(from->couplings, from->coupling_count, &lists[3]);
    model->record = *from;
    model->record.bodies = (const tn_body *)(const void *)lists[0];
    model->record.joints = (const tn_joint *)(const void *)lists[1];
    model->record.markers = (const tn_marker *)(const void *)lists[2];
    model->record.couplings = (const tn_coupling *)(const void *)lists[3];
    model->record.at.file = NULL;
    return status;
}

static tn_status copy_world(tn_model *model, const tn_spec *spec)
{
    const tn_world_def *world = tn_spec_world(spec);
    model->gravity = world->gravity;
    model->planar = world->kind == TN_WORLD_PLANAR;
    model->up = world->up;
    model->simulation = *tn_spec_simulation(spec);
    model->simulation.at.file = NULL;
    const char *title = world->name ? world->name : "";
    model->title = tn_copy_text(title, strlen(title));
    const tn_status status = copy_record(model, tn_spec_record(spec));
    return model->title ? status : TN_ERROR_MEMORY;
}

static tn_status compile_markers(tn_model *model, const tn_spec *spec)
{
    model->marker_count = tn_spec_marker_count(spec);
    model->markers = TN_NEW_ARRAY(tn_model_marker, model->marker_count);
    if (!model->markers)
        return TN_ERROR_MEMORY;
    for (int32_t i = 0; i < model->marker_count; i++) {
        const tn_marker_def *def = tn_spec_marker(spec, (tn_marker){i});
        tn_model_marker *marker = &model->markers[i];
        marker->body = def->body.i;
        marker->p = def->position;
        marker->q = q_normalize(def->rotation);
        if (def->body.i >= 0)
            marker->p = v3_sub(def->position, model->bodies[def->body.i].com);
        const tn_status status =
            tn_names_add(&model->marker_names, def->name, strlen(def->name), i);
        if (status != TN_OK)
            return status;
    }
    return TN_OK;
}

/* Notes what was removed. */
static tn_status copy_removed(tn_model *model, const tn_spec *spec)
{
    const int32_t counts[TN_SECTION_COUNT] = {
        [TN_SECTION_BODY] = spec->body_count,     [TN_SECTION_JOINT] = spec->joint_count,
        [TN_SECTION_MARKER] = spec->marker_count, [TN_SECTION_COUPLING] = spec->coupling_count,
        [TN_SECTION_LOAD] = spec->load_count,     [TN_SECTION_MEASURE] = spec->measure_count,
    };
    for (int s = 0; s < TN_SECTION_COUNT; s++)
        for (int32_t i = 0; i < counts[s]; i++) {
            if (!tn_spec_is_removed(spec, (tn_section)s, i))
                continue;
            if (!model->removed[s] && !(model->removed[s] = TN_NEW_ARRAY(bool, counts[s])))
                return TN_ERROR_MEMORY;
            model->removed[s][i] = true;
        }
    return TN_OK;
}

static tn_status compile(tn_model *model, const tn_spec *spec, tn_diagnostics *diags)
{
    tn_status status = tn_spec_validate(spec, diags);
    if (status == TN_OK)
        status = copy_world(model, spec);
    if (status == TN_OK)
        status = copy_removed(model, spec);
    if (status == TN_OK)
        status = tn_model_compile_bodies(model, spec);
    if (status == TN_OK)
        status = compile_markers(model, spec);
    if (status == TN_OK)
        status = tn_model_compile_joints(model, spec, diags);
    if (status == TN_OK)
        tn_model_compile_stand_ins(model);
    if (status == TN_OK)
        status = tn_model_set_coordinates(model, spec, diags);
    if (status == TN_OK)
        status = tn_model_compile_speeds(model, spec);
    if (status == TN_OK)
        status = tn_model_compile_spins(model, spec);
    if (status == TN_OK)
        status = tn_model_check_finite(model, spec, diags);
    if (status == TN_OK)
        status = tn_model_compile_rows(model, spec, diags);
    if (status == TN_OK)
        status = tn_model_compile_couplings(model, spec);
    if (status == TN_OK)
        status = tn_model_note_places(model, spec);
    if (status == TN_OK)
        status = tn_model_compile_drives(model, spec, diags);
    if (status == TN_OK)
        status = tn_model_compile_loads(model, spec, diags);
    if (status == TN_OK)
        status = tn_model_compile_measures(model, spec, diags);
    if (status == TN_OK)
        status = tn_model_compile_loops(model);
    if (status == TN_OK)
        status = tn_model_compile_components(model);
    if (status == TN_OK)
        status = tn_model_compile_topology(model);
    if (status == TN_OK)
        status = tn_model_compile_drawing(model, spec);
    if (status == TN_OK)
        tn_model_compile_fingerprint(model);
    return status;
}

tn_status tn_model_compile(const tn_spec *spec, tn_diagnostics *diags, tn_model **out)
{
    if (!spec || !out)
        return TN_ERROR_ARGUMENT;
    return tn_model_compile_from(spec, NULL, diags, out);
}

tn_status tn_model_compile_from(const tn_spec *spec, const tn_going_on *from, tn_diagnostics *diags,
                                tn_model **out)
{
    *out = NULL;
    tn_model *model = TN_NEW(tn_model);
    if (!model)
        return TN_ERROR_MEMORY;
    model->from = from;
    const tn_status status = compile(model, spec, diags);
    model->from = NULL;
    if (status != TN_OK) {
        tn_model_destroy(model);
        return status;
    }
    *out = model;
    return TN_OK;
}

void tn_model_destroy(tn_model *model)
{
    if (!model)
        return;
    tn_kkt_destroy(model->kkt);
    tn_names_free(&model->files);
    tn_free(model->places);
    tn_names_free(&model->body_names);
    tn_names_free(&model->joint_names);
    tn_names_free(&model->marker_names);
    tn_names_free(&model->load_names);
    tn_names_free(&model->measure_names);
    tn_model_free_measures(model);
    tn_free(model->loads);
    tn_arena_free(&model->load_lists);
    tn_model_drawing_free(&model->drawing);
    tn_free(model->bodies);
    tn_free(model->joints);
    tn_arena_free(&model->joint_data);
    tn_free(model->markers);
    tn_free(model->drives);
    tn_function_list_free(&model->drive_functions);
    tn_free(model->terms);
    tn_free(model->term_start);
    tn_free(model->coupled_start);
    tn_free(model->coupled);
    tn_free(model->through_start);
    tn_free(model->through);
    tn_arena_free(&model->functions);
    tn_free(model->floating_start);
    tn_free(model->floating_bodies);
    for (size_t i = 0; i < TN_COUNT_OF(model->record_lists); i++)
        tn_free(model->record_lists[i]);
    for (int s = 0; s < TN_SECTION_COUNT; s++)
        tn_free(model->removed[s]);
    for (int32_t k = 0; k < model->set_count; k++)
        tn_free(model->sets[k].file);
    for (int32_t k = 0; k < model->speed_count; k++)
        tn_free(model->speeds[k].file);
    tn_free(model->sets);
    tn_free(model->speeds);
    for (int32_t k = 0; k < model->spin_count; k++)
        tn_free(model->spins[k].file);
    tn_free(model->spins);
    tn_free(model->title);
    tn_free(model);
}
