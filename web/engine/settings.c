/* settings.c: room web: what of joints and couplings can be set, as JSON: how it stands now.
 *
 * One array, all joints, then the couplings. What is infinite or unset is null; compliance is absent
 * where there are no such rows, and null where the rows differ.
 */
#include <math.h>

#include "page.h"

/* What the model's functions are, by kind and numbers or formula; null: none. */
static void write_function(tool_json *json, const char *key, const tn_function_def *f)
{
    if (f->kind == TN_FUNCTION_NONE) {
        tool_json_null(json, key);
        return;
    }
    tool_json_open(json, key, '{');
    tool_json_text(json, "kind", tn_function_kind_name(f->kind));
    tool_json_row(json, "numbers", f->numbers, f->count);
    if (f->formula != NULL)
        tool_json_text(json, "formula", f->formula);
    tool_json_close(json, '}');
}

static void write_motor(tool_json *json, const tn_motor_def *motor)
{
    if (motor->speed.kind == TN_FUNCTION_NONE && motor->position.kind == TN_FUNCTION_NONE) {
        tool_json_null(json, "motor");
        return;
    }
    tool_json_open(json, "motor", '{');
    write_function(json, "speed", &motor->speed);
    write_function(json, "position", &motor->position);
    tool_json_number(json, "max_force", motor->max_force);
    tool_json_number(json, "time_constant", motor->time_constant);
    tool_json_close(json, '}');
}

static void write_friction(tool_json *json, const tn_friction_def *friction)
{
    tool_json_open(json, "friction", '{');
    tool_json_number(json, "force", isnan(friction->force) ? 0.0 : friction->force);
    tool_json_number(json, "viscous", isnan(friction->viscous) ? 0.0 : friction->viscous);
    tool_json_number(json, "coefficient", friction->coefficient);
    tool_json_number(json, "radius", friction->radius);
    tool_json_number(json, "static_force", friction->static_force);
    tool_json_number(json, "static_coefficient", friction->static_coefficient);
    tool_json_close(json, '}');
}

static void write_spring(tool_json *json, const tn_spring_def *spring)
{
    tool_json_open(json, "spring", '{');
    tool_json_number(json, "stiffness", spring->stiffness);
    tool_json_number(json, "frequency", spring->frequency);
    tool_json_number(json, "damping", spring->damping);
    tool_json_number(json, "damping_ratio", spring->damping_ratio);
    tool_json_number(json, "max_force", spring->max_force);
    write_function(json, "rest", &spring->rest);
    write_function(json, "force", &spring->force);
    tool_json_close(json, '}');
}

static void write_coordinate(tool_json *json, int32_t j, int32_t i, double value)
{
    const page_drive *drive = &the_page.drives[j * TN_MAX_COORDINATES + i];
    double lower = -INFINITY, upper = INFINITY;
    (void)tn_sim_get_range(the_page.sim, page_joint(j), i, &lower, &upper);
    tool_json_open(json, NULL, '{');
    tool_json_number(json, "value", value);
    tool_json_number(json, "lower", lower);
    tool_json_number(json, "upper", upper);
    tool_json_integer(json, "locked", tn_sim_is_locked(the_page.sim, page_joint(j), i));
    write_function(json, "driver", &drive->position);
    write_motor(json, &drive->motor);
    write_friction(json, &drive->friction);
    write_spring(json, &drive->spring);
    tool_json_close(json, '}');
}

static void write_compliance(tool_json *json, const char *key, int32_t j, uint32_t group)
{
    double compliance = 0.0;
    int mixed = 0;
    if (tn_sim_get_group_compliance(the_page.sim, page_joint(j), group, &compliance, &mixed) ==
        TN_OK)
        tool_json_number(json, key, compliance);
}

static void write_coordinates(tool_json *json, int32_t j)
{
    const bool is_joint = j < the_page.size.joints;
    double q[TN_MAX_COORDINATES] = {0.0};
    tool_json_open(json, "coordinates", '[');
    if (is_joint)
        tn_sim_joint_coordinates(the_page.sim, page_joint(j), q);
    else
        q[0] = tn_sim_coupling_value(the_page.sim, (tn_coupling){j - the_page.size.joints});
    const int32_t count =
        is_joint ? tn_model_joint_info(the_page.model, page_joint(j))->coordinate_count : 1;
    for (int32_t i = 0; i < count; i++)
        write_coordinate(json, j, i, q[i]);
    tool_json_close(json, ']');
}

const char *PAGE_EXPORT(page_settings)(void)
{
    FILE *stream = page_text_begin();
    if (stream == NULL)
        return NULL;
    tool_json json = tool_json_begin(stream);
    tool_json_open(&json, NULL, '[');
    for (int32_t j = 0; j < page_joint_count(); j++) {
        double force = INFINITY, torque = INFINITY;
        (void)tn_sim_get_break(the_page.sim, page_joint(j), &force, &torque);
        tool_json_open(&json, NULL, '{');
        tool_json_integer(&json, "enabled", tn_sim_is_enabled(the_page.sim, page_joint(j)));
        tool_json_number(&json, "break_force", force);
        tool_json_number(&json, "break_torque", torque);
        if (j < the_page.size.joints) {
            write_compliance(&json, "linear", j, TN_ROW_LINEAR);
            write_compliance(&json, "rotary", j, TN_ROW_ROTARY);
        }
        write_coordinates(&json, j);
        tool_json_close(&json, '}');
    }
    tool_json_close(&json, ']');
    return page_text_end(stream);
}
