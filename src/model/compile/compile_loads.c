/* compile_loads.c: room model/compile: loads with their places measured from centres of mass.
 *
 * In: a validated spec, compiled bodies, markers and joints. Out: model->loads (force/load.h).
 */
#include <math.h>
#include <string.h>

#include "model/compile/compile.h"
#include "spec/spec_internal.h"

static double or_else(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

static tn_load_place place_of_marker(const tn_model *model, tn_marker marker)
{
    const tn_model_marker *m = &model->markers[marker.i];
    return (tn_load_place){m->body, m->p, q_to_m3(m->q)};
}

/* A point in the frame of a body. */
static tn_load_place place_in_body(const tn_model *model, int32_t body, tn_vec3 point)
{
    return (tn_load_place){body, v3_sub(point, model->bodies[body].com), m3_identity()};
}

/* Where it acts, and what that is measured from. */
static void compile_places(const tn_model *model, const tn_load_def *def, tn_load_data *load)
{
    const tn_vec3 origin = {0.0, 0.0, 0.0};
    const tn_vec3 at = isnan(def->point.x) ? origin : def->point;
    load->places[0] = load->places[1] = (tn_load_place){TN_GROUND_INDEX, origin, m3_identity()};
    if (def->kind == TN_LOAD_WRENCH && def->markers[0].i < 0) {
        load->places[0] = place_in_body(model, def->bodies[0].i, at);
    } else if (def->kind == TN_LOAD_WRENCH || def->kind == TN_LOAD_PAIR) {
        load->places[0] = place_of_marker(model, def->markers[0]);
    }
    if (def->kind == TN_LOAD_PAIR)
        load->places[1] = place_of_marker(model, def->markers[1]);
    if (def->kind == TN_LOAD_DRAG && !isnan(def->point.x)) /* of one body, else centres of mass */
        load->places[0] = place_in_body(model, def->bodies[0].i, def->point);
    if (def->kind == TN_LOAD_CENTRAL && def->markers[0].i >= 0) {
        load->places[1] = place_of_marker(model, def->markers[0]);
    } else if (def->kind == TN_LOAD_CENTRAL) {
        load->places[1].p = def->point;
    }
}

static bool moves(const tn_model *model, int32_t body)
{
    return body >= 0 && model->bodies[body].dim > 0;
}

static tn_status list_all(tn_model *model, tn_load_data *load)
{
    const size_t size = sizeof(int32_t) * (size_t)model->body_count;
    int32_t *list = tn_arena_alloc(&model->load_lists, size);
    if (!list)
        return TN_ERROR_MEMORY;
    for (int32_t i = 0; i < model->body_count; i++) {
        if (moves(model, i))
            list[load->body_count++] = i;
    }
    load->bodies = list;
    return TN_OK;
}

/* Those of ends[count] that move. */
static tn_status list_moving(tn_model *model, const int32_t *ends, int32_t count,
                             tn_load_data *load)
{
    int32_t *list = tn_arena_alloc(&model->load_lists, sizeof(int32_t) * ((size_t)count + 1));
    if (!list)
        return TN_ERROR_MEMORY;
    for (int32_t i = 0; i < count; i++) {
        if (moves(model, ends[i]))
            list[load->body_count++] = ends[i];
    }
    load->bodies = list;
    return TN_OK;
}

static tn_status list_named(tn_model *model, const tn_load_def *def, tn_load_data *load)
{
    int32_t *list =
        tn_arena_alloc(&model->load_lists, sizeof(int32_t) * ((size_t)def->body_count + 1));
    if (!list)
        return TN_ERROR_MEMORY;
    for (int32_t i = 0; i < def->body_count; i++) {
        if (moves(model, def->bodies[i].i))
            list[load->body_count++] = def->bodies[i].i;
    }
    load->bodies = list;
    return TN_OK;
}

/* Those whose points the nodes of a surface are. */
static tn_status list_loaded(tn_model *model, const tn_spec *spec, const tn_load_def *def,
                             tn_load_data *load)
{
    const tn_solid_entry *solid = &spec->solids[def->solid.i];
    const tn_surface_entry *surface = &solid->surfaces[def->surface];
    bool *listed = TN_NEW_ARRAY(bool, model->body_count);
    int32_t *list =
        tn_arena_alloc(&model->load_lists, sizeof(int32_t) * ((size_t)solid->size.nodes + 1));
    for (int32_t f = 0; f < surface->count && listed && list; f++) {
        const tn_solid_element *element =
            &solid->elements[solid->faces[surface->first + f].element];
        for (int32_t i = 0; i < tn_element_kind_nodes(element->kind); i++) {
            const int32_t body = solid->places[element->nodes[i]].body;
            if (!moves(model, body) || listed[body])
                continue;
            listed[body] = true;
            list[load->body_count++] = body;
        }
    }
    tn_free(listed);
    load->bodies = list;
    return listed && list ? TN_OK : TN_ERROR_MEMORY;
}

static tn_status list_bodies(tn_model *model, const tn_spec *spec, const tn_load_def *def,
                             tn_load_data *load)
{
    const int32_t places[2] = {load->places[0].body, load->places[1].body};
    if (def->kind == TN_LOAD_WRENCH)
        return list_moving(model, places, 1, load);
    if (def->kind == TN_LOAD_PAIR)
        return list_moving(model, places, 2, load);
    if (def->kind == TN_LOAD_EFFORT) {
        const tn_model_joint *joint = &model->joints[def->joint.i];
        return list_moving(model, (const int32_t[]){joint->a, joint->b}, 2, load);
    }
    if (def->kind == TN_LOAD_PRESSURE)
        return list_loaded(model, spec, def, load);
    return def->body_count < 0 ? list_all(model, load) : list_named(model, def, load);
}

static tn_status make_functions(tn_arena *arena, const tn_function_def *defs, int32_t count,
                                tn_function *out)
{
    tn_status status = TN_OK;
    for (int32_t i = 0; i < count && status == TN_OK; i++) {
        if (defs[i].kind != TN_FUNCTION_NONE)
            status = tn_function_make(&defs[i], arena, &out[i]);
    }
    return status;
}

static tn_status compile_functions(tn_model *model, const tn_load_def *def, tn_load_data *load)
{
    tn_arena *arena = &model->load_lists;
    tn_status status = make_functions(arena, def->force, 3, load->force);
    if (status == TN_OK)
        status = make_functions(arena, def->moment, 3, load->moment);
    if (status == TN_OK)
        status = make_functions(arena, def->acceleration, 3, load->acceleration);
    if (status == TN_OK)
        status = make_functions(arena, def->medium, 3, load->medium);
    if (status == TN_OK)
        status = make_functions(arena, &def->thrust, 1, &load->thrust);
    if (status == TN_OK)
        status = make_functions(arena, &def->effort, 1, &load->effort);
    return status == TN_OK ? make_functions(arena, &def->pressure, 1, &load->pressure) : status;
}

static bool may_jump(const tn_load_data *load)
{
    bool any = tn_function_may_jump(&load->thrust) || tn_function_may_jump(&load->effort) ||
               tn_function_may_jump(&load->pressure);
    for (int i = 0; i < 3; i++) {
        any = any || tn_function_may_jump(&load->force[i]) ||
              tn_function_may_jump(&load->moment[i]) ||
              tn_function_may_jump(&load->acceleration[i]) ||
              tn_function_may_jump(&load->medium[i]);
    }
    return any;
}

static void compile_numbers(const tn_model *model, const tn_load_def *def, tn_load_data *load)
{
    load->kind = def->kind;
    load->axes = def->axes;
    load->weight = v3_scale(or_else(def->scale, 1.0) - 1.0, model->gravity);
    load->linear = or_else(def->linear, 0.0);
    load->quadratic = or_else(def->quadratic, 0.0);
    load->rotary = or_else(def->rotary, 0.0);
    load->rotary_quadratic = or_else(def->rotary_quadratic, 0.0);
    load->strength = or_else(def->strength, 0.0);
    load->exponent = or_else(def->exponent, 2.0); /* gravitation */
    load->joint = def->joint.i;
    load->coordinate = def->coordinate;
    load->solid = def->solid.i;
    load->surface = def->surface;
}

static tn_status refuse(const tn_model *model, const tn_load_def *def, tn_diagnostics *diags)
{
    const tn_joint_type_info *info = &model->joints[def->joint.i].geometry.cls->info;
    tn_diagnostics_add(diags, TN_ERROR, TN_ERROR_CONFLICT, def->at,
                       "the bodies of the joint cannot move that way",
                       "load '%s': no effort can act along the coordinate '%s'", def->name,
                       info->coordinates[def->coordinate].name);
    return TN_ERROR_CONFLICT;
}

static tn_status compile_load(tn_model *model, const tn_spec *spec, const tn_load_def *def,
                              tn_load_data *load, tn_diagnostics *diags)
{
    if (def->kind == TN_LOAD_EFFORT &&
        !tn_model_has_motion(&model->joints[def->joint.i], def->coordinate))
        return refuse(model, def, diags);
    compile_numbers(model, def, load);
    compile_places(model, def, load);
    const tn_status status = list_bodies(model, spec, def, load);
    return status == TN_OK ? compile_functions(model, def, load) : status;
}

tn_status tn_model_compile_loads(tn_model *model, const tn_spec *spec, tn_diagnostics *diags)
{
    tn_status status = TN_OK;
    const int32_t count = tn_spec_load_count(spec);
    model->loads = TN_NEW_ARRAY(tn_load_data, count);
    if (!model->loads)
        return TN_ERROR_MEMORY;
    for (int32_t k = 0; k < count && status == TN_OK; k++) {
        const tn_load_def *def = tn_spec_load(spec, (tn_load){k});
        status = tn_names_add(&model->load_names, def->name, strlen(def->name), k);
        if (status == TN_OK)
            status = compile_load(model, spec, def, &model->loads[k], diags);
        model->loads_jump = model->loads_jump || may_jump(&model->loads[k]);
        model->load_count += status == TN_OK;
    }
    return status;
}
