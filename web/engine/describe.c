/* describe.c: room web: the model as JSON: what bodies, joints and couplings there are. */
#include "page.h"

static void write_coordinate(tool_json *json, const tn_coordinate_info *info)
{
    tool_json_open(json, NULL, '{');
    tool_json_text(json, "name", info->name);
    tool_json_integer(json, "angular", info->angular);
    tool_json_close(json, '}');
}

static void write_row(tool_json *json, const tn_row_info *row)
{
    tool_json_open(json, NULL, '{');
    tool_json_text(json, "name", row->name);
    tool_json_integer(json, "bilateral", (row->flags & TN_ROW_BILATERAL) != 0);
    tool_json_integer(json, "linear", (row->flags & TN_ROW_LINEAR) != 0);
    tool_json_close(json, '}');
}

static void write_joint(tool_json *json, int32_t j)
{
    const tn_joint_type_info *info = tn_model_joint_info(the_page.model, page_joint(j));
    tn_body a, b;
    tn_model_joint_bodies(the_page.model, page_joint(j), &a, &b);
    tool_json_open(json, NULL, '{');
    tool_json_text(json, "name", tn_model_joint_name(the_page.model, page_joint(j)));
    tool_json_text(json, "type", info->name);
    tool_json_text(json, "summary", info->summary);
    tool_json_integer(json, "a", a.i);
    tool_json_integer(json, "b", b.i);
    tool_json_open(json, "coordinates", '[');
    for (int32_t i = 0; i < info->coordinate_count; i++)
        write_coordinate(json, &info->coordinates[i]);
    tool_json_close(json, ']');
    tool_json_open(json, "rows", '[');
    for (int32_t k = 0; k < info->row_count; k++)
        write_row(json, &info->rows[k]);
    tool_json_close(json, ']');
    tool_json_close(json, '}');
}

static void write_coupling(tool_json *json, int32_t c)
{
    tn_coupling coupling = {c};
    const tn_coupling_def *def = tn_spec_coupling(the_page.spec, coupling);
    const tn_joint_type_info *info = tn_model_joint_info(the_page.model, def->terms[0].joint);
    const tn_coordinate_info value = {"value", info->coordinates[def->terms[0].coordinate].angular};
    tool_json_open(json, NULL, '{');
    tool_json_text(json, "name", tn_model_coupling_name(the_page.model, coupling));
    tool_json_text(json, "hold", tn_coupling_hold_name(def->hold));
    tool_json_open(json, "joints", '[');
    for (int32_t k = 0; k < def->term_count; k++)
        tool_json_integer(json, NULL, def->terms[k].joint.i);
    tool_json_close(json, ']');
    tool_json_open(json, "coordinates", '[');
    write_coordinate(json, &value);
    tool_json_close(json, ']');
    tool_json_close(json, '}');
}

static void write_body(tool_json *json, int32_t b)
{
    const tn_mass_properties mass = tn_model_body_mass(the_page.model, page_body(b));
    const double com[3] = {mass.com.x, mass.com.y, mass.com.z};
    tool_json_open(json, NULL, '{');
    tool_json_text(json, "name", tn_model_body_name(the_page.model, page_body(b)));
    tool_json_text(json, "kind",
                   tn_body_kind_name(tn_model_body_kind(the_page.model, page_body(b))));
    tool_json_number(json, "mass", mass.mass);
    tool_json_row(json, "com", com, 3);
    tool_json_close(json, '}');
}

static void write_markers(tool_json *json)
{
    tool_json_open(json, "markers", '[');
    for (int32_t m = 0; m < the_page.size.markers; m++) {
        const tn_marker marker = {m};
        tool_json_open(json, NULL, '{');
        tool_json_text(json, "name", tn_model_marker_name(the_page.model, marker));
        tool_json_integer(json, "body", tn_model_marker_body(the_page.model, marker).i);
        tool_json_close(json, '}');
    }
    tool_json_close(json, ']');
}

static void write_parameters(tool_json *json)
{
    tool_json_open(json, "parameters", '[');
    for (int32_t i = 0; i < tn_spec_parameter_count(the_page.spec); i++) {
        const tn_parameter *parameter = tn_spec_parameter(the_page.spec, i);
        tool_json_open(json, NULL, '{');
        tool_json_text(json, "name", parameter->name);
        tool_json_row(json, "value", parameter->value, parameter->count);
        tool_json_text(json, "unit", parameter->unit);
        tool_json_text(json, "text", parameter->text);
        tool_json_integer(json, "used", parameter->used);
        tool_json_close(json, '}');
    }
    tool_json_close(json, ']');
}

static void write_columns(tool_json *json)
{
    tool_json_open(json, "columns", '[');
    for (int32_t k = 0; k < tn_recorder_column_count(the_page.recorder); k++) {
        char name[256];
        tn_recorder_column_name(the_page.recorder, k, name, sizeof name);
        tool_json_text(json, NULL, name);
    }
    tool_json_close(json, ']');
    tool_json_open(json, "units", '[');
    for (int32_t k = 0; k < tn_recorder_column_count(the_page.recorder); k++)
        tool_json_text(json, NULL, tn_recorder_column_unit(the_page.recorder, k));
    tool_json_close(json, ']');
}

static void write_lists(tool_json *json)
{
    tool_json_open(json, "bodies", '[');
    for (int32_t b = 0; b < the_page.size.bodies; b++)
        write_body(json, b);
    tool_json_close(json, ']');
    tool_json_open(json, "joints", '[');
    for (int32_t j = 0; j < the_page.size.joints; j++)
        write_joint(json, j);
    tool_json_close(json, ']');
    tool_json_open(json, "couplings", '[');
    for (int32_t c = 0; c < the_page.size.couplings; c++)
        write_coupling(json, c);
    tool_json_close(json, ']');
    write_markers(json);
    write_parameters(json);
    write_columns(json);
}

const char *PAGE_EXPORT(page_describe)(void)
{
    FILE *stream = page_text_begin();
    if (stream == NULL)
        return NULL;
    const tn_simulation_def *simulation = tn_model_simulation(the_page.model);
    const tn_world_def *world = tn_spec_world(the_page.spec);
    const double gravity[3] = {world->gravity.x, world->gravity.y, world->gravity.z};
    tool_json json = tool_json_begin(stream);
    tool_json_open(&json, NULL, '{');
    tool_json_text(&json, "name", tn_model_name(the_page.model));
    tool_json_row(&json, "gravity", gravity, 3);
    tool_json_integer(&json, "planar", world->kind == TN_WORLD_PLANAR);
    tool_json_text(&json, "up", tn_up_name(tn_model_up(the_page.model)));
    tool_json_number(&json, "step", simulation->step);
    tool_json_number(&json, "duration", simulation->duration);
    tool_json_text(&json, "integrator", tn_integrator_name(simulation->integrator));
    tool_json_number(&json, "unit", tn_sim_draw_unit(the_page.sim));
    tool_json_integer(&json, "velocities", the_page.size.velocities);
    tool_json_integer(&json, "rows", the_page.size.rows);
    write_lists(&json);
    tool_json_close(&json, '}');
    return page_text_end(stream);
}
