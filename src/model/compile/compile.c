/* compile.c: room model/compile: from what the user wrote to a compiled mechanism.
 *
 * In: a spec. Out: a model, or the list of everything that is wrong and no model. The stages run in
 * a fixed order, each in its own file; a stage that fails ends the compilation after it has
 * reported all of its own problems.
 */
#include <string.h>

#include "model/compile/compile.h"
#include "model/graph/graph.h"
#include "spec/validate/validate.h"

/* A copy of a list of ids, all of which are as large; NULL for an empty one. */
static tn_status copy_ids(const void *source, int32_t count, void **out)
{
    const size_t size = sizeof(tn_body) * (size_t)(count > 0 ? count : 0);
    if (size == 0 || !source)
        return TN_OK;
    *out = tn_alloc(size, 1);
    if (!*out)
        return TN_ERROR_MEMORY;
    memcpy(*out, source, size);
    return TN_OK;
}

/* The lists of the record section are copied into model->record_lists, which owns them. */
static tn_status copy_record(tn_model *model, const tn_record_def *from)
{
    void **lists = model->record_lists;
    tn_status status = copy_ids(from->bodies, from->body_count, &lists[0]);
    if (status == TN_OK)
        status = copy_ids(from->joints, from->joint_count, &lists[1]);
    if (status == TN_OK)
        status = copy_ids(from->markers, from->marker_count, &lists[2]);
    if (status == TN_OK)
        status = copy_ids(from->couplings, from->coupling_count, &lists[3]);
    model->record = *from;
    model->record.bodies = lists[0];
    model->record.joints = lists[1];
    model->record.markers = lists[2];
    model->record.couplings = lists[3];
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

/* Copies the hash in the id of each item, and marks the removed ones. */
static tn_status copy_marks(tn_model *model, const tn_spec *spec)
{
    for (int s = 0; s < TN_SECTION_COUNT; s++) {
        const int32_t count = tn_spec_count(spec, (tn_section)s);
        if (!(model->of[s] = TN_NEW_ARRAY(uint32_t, count)))
            return TN_ERROR_MEMORY;
        for (int32_t i = 0; i < count; i++) {
            const tn_mark *mark = tn_spec_mark(spec, (tn_section)s, i);
            model->of[s][i] = mark->of;
            if (!mark->removed)
                continue;
            if (!model->removed[s] && !(model->removed[s] = TN_NEW_ARRAY(bool, count)))
                return TN_ERROR_MEMORY;
            model->removed[s][i] = true;
        }
    }
    return TN_OK;
}

static tn_status compile(tn_model *model, const tn_spec *spec, tn_diagnostics *diags)
{
    tn_status status = tn_spec_validate(spec, diags);
    if (status == TN_OK)
        status = copy_world(model, spec);
    if (status == TN_OK)
        status = copy_marks(model, spec);
    if (status == TN_OK)
        status = tn_model_compile_bodies(model, spec);
    if (status == TN_OK)
        status = compile_markers(model, spec);
    if (status == TN_OK)
        status = tn_model_compile_joints(model, spec, diags);
    if (status == TN_OK) {
        tn_model_compile_stand_ins(model);
        tn_model_compile_lever(model);
    }
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
        status = tn_model_compile_armatures(model);
    if (status == TN_OK)
        status = tn_model_note_places(model, spec);
    if (status == TN_OK)
        status = tn_model_compile_drives(model, spec, diags);
    if (status == TN_OK)
        status = tn_model_compile_loads(model, spec, diags);
    if (status == TN_OK)
        status = tn_model_compile_measures(model, spec, diags);
    if (status == TN_OK)
        status = tn_model_compile_solids(model, spec, diags);
    if (status == TN_OK)
        status = tn_model_compile_loops(model);
    if (status == TN_OK)
        status = tn_model_compile_bearing(model);
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
    tn_arena_free(&model->solid_data);
    tn_model_drawing_free(&model->drawing);
    tn_free(model->bodies);
    tn_free(model->joints);
    tn_arena_free(&model->joint_data);
    tn_free(model->markers);
    tn_free(model->drives);
    tn_free(model->armatures);
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
    for (int s = 0; s < TN_SECTION_COUNT; s++) {
        tn_free(model->removed[s]);
        tn_free(model->of[s]);
    }
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
