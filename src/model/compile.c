/* compile.c: room model: from what the user wrote to a compiled mechanism.
 *
 * In: a spec. Out: a model, or the list of everything that is wrong and no model. The stages run in
 * a fixed order, each in its own file; a stage that fails ends the compilation after it has
 * reported all of its own problems.
 */
#include <string.h>

#include "model/model.h"
#include "spec/validate.h"

static tn_status copy_indices(const void *source, int32_t count, const void **out)
{
    if (count <= 0 || !source) {
        *out = NULL;
        return TN_OK;
    }
    int32_t *copy = TN_NEW_ARRAY(int32_t, count);
    if (!copy)
        return TN_ERROR_MEMORY;
    memcpy(copy, source, sizeof(int32_t) * (size_t)count);
    *out = copy;
    return TN_OK;
}

static tn_status copy_record(tn_record_def *record)
{
    const tn_record_def from = *record;
    record->bodies = NULL;
    record->joints = NULL;
    record->markers = NULL;
    record->at.file = NULL;
    const void *bodies = NULL, *joints = NULL, *markers = NULL;
    tn_status status = copy_indices(from.bodies, from.body_count, &bodies);
    record->bodies = bodies;
    if (status == TN_OK)
        status = copy_indices(from.joints, from.joint_count, &joints);
    record->joints = joints;
    if (status == TN_OK)
        status = copy_indices(from.markers, from.marker_count, &markers);
    record->markers = markers;
    return status;
}

static tn_status copy_world(tn_model *model, const tn_spec *spec)
{
    const tn_world_def *world = tn_spec_world(spec);
    model->gravity = world->gravity;
    model->simulation = *tn_spec_simulation(spec);
    model->simulation.at.file = NULL;
    const char *title = world->name ? world->name : "";
    model->title = tn_copy_text(title, strlen(title));
    model->record = *tn_spec_record(spec);
    const tn_status status = copy_record(&model->record);
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
        if (def->body.i >= 0)
            marker->p = v3_sub(def->position, model->bodies[def->body.i].com);
        const tn_status status =
            tn_names_add(&model->marker_names, def->name, strlen(def->name), i);
        if (status != TN_OK)
            return status;
    }
    return TN_OK;
}

static tn_status compile(tn_model *model, const tn_spec *spec, tn_diagnostics *diags)
{
    tn_status status = tn_spec_validate(spec, diags);
    if (status == TN_OK)
        status = copy_world(model, spec);
    if (status == TN_OK)
        status = tn_model_compile_bodies(model, spec);
    if (status == TN_OK)
        status = compile_markers(model, spec);
    if (status == TN_OK)
        status = tn_model_compile_joints(model, spec, diags);
    if (status == TN_OK)
        status = tn_model_set_coordinates(model, spec, diags);
    if (status == TN_OK)
        status = tn_model_compile_rows(model, spec, diags);
    if (status == TN_OK)
        status = tn_model_compile_loops(model);
    if (status == TN_OK)
        status = tn_model_compile_components(model);
    if (status == TN_OK)
        status = tn_model_compile_topology(model);
    if (status == TN_OK)
        status = tn_model_compile_drawing(model, spec);
    return status;
}

tn_status tn_model_compile(const tn_spec *spec, tn_diagnostics *diags, tn_model **out)
{
    if (!spec || !out)
        return TN_ERROR_ARGUMENT;
    *out = NULL;
    tn_model *model = TN_NEW(tn_model);
    if (!model)
        return TN_ERROR_MEMORY;
    const tn_status status = compile(model, spec, diags);
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
    tn_names_free(&model->body_names);
    tn_names_free(&model->joint_names);
    tn_names_free(&model->marker_names);
    tn_model_drawing_free(&model->drawing);
    tn_free(model->bodies);
    tn_free(model->joints);
    tn_free(model->markers);
    tn_free(model->floating_start);
    tn_free(model->floating_bodies);
    tn_free((void *)(uintptr_t)model->record.bodies);
    tn_free((void *)(uintptr_t)model->record.joints);
    tn_free((void *)(uintptr_t)model->record.markers);
    tn_free(model->title);
    tn_free(model);
}
