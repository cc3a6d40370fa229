/* pose.c: `tenon pose MODEL`: sets coordinates and brings markers to places, loops included. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordinate.h"
#include "load.h"
#include "tool.h"

enum { SET, MARKER, SOFT, OUT };

static const tool_option options[] = {
    [SET] = {"--set", "JOINT.COORDINATE=VALUE", TOOL_LIST, "set a coordinate (again for more)"},
    [MARKER] = {"--marker", "NAME=X,Y,Z", TOOL_LIST,
                "bring a marker to a place, m (again for more)"},
    [SOFT] = {"--soft", NULL, TOOL_FLAG, "markers only as near to their places as they get"},
    [OUT] = {"--out", "FILE", TOOL_TEXT, "write the model in its new pose"},
    {NULL, NULL, TOOL_FLAG, NULL},
};

typedef struct pose_plan {
    tn_coordinate_request requests[TOOL_MAX_LISTED];
    tn_coordinate_answer answers[TOOL_MAX_LISTED];
    tn_marker_request markers[TOOL_MAX_LISTED];
    int32_t count, marker_count;
} pose_plan;

static int parse_set(const tn_model *model, const char *text, tn_coordinate_request *out)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL) {
        tool_error("--set needs JOINT.COORDINATE=VALUE, not '%s'", text);
        return TOOL_USAGE;
    }
    const int code =
        tool_parse_coordinate(model, text, (size_t)(equals - text), &out->joint, &out->coordinate);
    if (code != TOOL_OK)
        return code;
    return tool_parse_quantity(
        equals + 1, tool_coordinate_info(model, out->joint, out->coordinate)->angular, &out->value);
}

static const char *marker_at(const void *model, int index)
{
    const tn_model *m = model;
    return index < tn_model_get_size(m).markers ? tn_model_marker_name(m, (tn_marker){index})
                                                : NULL;
}

/* "X,Y,Z", all finite, and nothing after it. */
static int parse_point(const char *text, double v[3])
{
    for (int i = 0; i < 3; i++) {
        char *end;
        v[i] = strtod(text, &end);
        if (end == text || !isfinite(v[i]) || *end != (i < 2 ? ',' : '\0'))
            return 0;
        text = end + 1;
    }
    return 1;
}

static int parse_marker(const tn_model *model, const char *text, tn_marker_request *out)
{
    char name[256];
    const size_t length = strcspn(text, "=");
    double v[3] = {0.0, 0.0, 0.0};
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (text[length] != '=' || !parse_point(text + length + 1, v)) {
        tool_error("--marker needs NAME=X,Y,Z in m, not '%s'", text);
        return TOOL_USAGE;
    }
    if (tn_model_find_marker(model, name, &out->marker) != TN_OK) {
        tool_unknown("marker", name, tool_closest(name, marker_at, model));
        return TOOL_USAGE;
    }
    out->position = (tn_vec3){v[0], v[1], v[2]};
    return TOOL_OK;
}

static int parse(const tool_arguments *arguments, const tn_model *model, pose_plan *plan)
{
    int code = TOOL_OK;
    for (int k = 0; k < arguments->listed_count && code == TOOL_OK; k++) {
        if (arguments->listed_option[k] == SET) {
            code = parse_set(model, arguments->listed[k], &plan->requests[plan->count++]);
        } else {
            tn_marker_request *m = &plan->markers[plan->marker_count++];
            code = parse_marker(model, arguments->listed[k], m);
            m->weight = arguments->value[SOFT].given ? 1.0 : 0.0;
        }
    }
    return code;
}

/* The same model with bodies where they are now. Joints keep the frames they have in their bodies.
 */
static tn_status write_posed(tool_loaded *loaded, const char *path)
{
    tn_spec *spec = tn_spec_create();
    tn_status status = spec ? TN_OK : TN_ERROR_MEMORY;
    if (status == TN_OK)
        status = tn_spec_set_world(spec, tn_spec_world(loaded->spec));
    if (status == TN_OK)
        status = tn_spec_set_simulation(spec, tn_spec_simulation(loaded->spec));
    if (status == TN_OK)
        status = tn_spec_set_record(spec, tn_spec_record(loaded->spec));
    for (int32_t i = 0; i < tn_spec_body_count(loaded->spec) && status == TN_OK; i++) {
        tn_body_def def = *tn_spec_body(loaded->spec, (tn_body){i});
        def.pose = tn_sim_body_pose(loaded->sim, (tn_body){i});
        status = tn_spec_add_body(spec, &def, NULL);
    }
    for (int32_t j = 0; j < tn_spec_joint_count(loaded->spec) && status == TN_OK; j++) {
        tn_joint_def def = *tn_spec_joint(loaded->spec, (tn_joint){j});
        def.placement = TN_PLACE_BODY_FRAMES;
        tn_model_joint_frames(loaded->model, (tn_joint){j}, &def.frame_c, &def.frame_d);
        for (int i = 0; i < TN_MAX_COORDINATES; i++)
            def.initial[i] = def.set[i] = NAN;
        status = tn_spec_add_joint(spec, &def, NULL);
    }
    for (int32_t k = 0; k < tn_spec_coupling_count(loaded->spec) && status == TN_OK; k++)
        status = tn_spec_add_coupling(spec, tn_spec_coupling(loaded->spec, (tn_coupling){k}), NULL);
    for (int32_t i = 0; i < tn_spec_marker_count(loaded->spec) && status == TN_OK; i++)
        status = tn_spec_add_marker(spec, tn_spec_marker(loaded->spec, (tn_marker){i}), NULL);
    if (status == TN_OK)
        status = tn_spec_write_file(spec, path, loaded->diags);
    tn_spec_destroy(spec);
    return status;
}

static void print_answers(const tool_loaded *loaded, const pose_plan *plan)
{
    for (int32_t k = 0; k < plan->count; k++) {
        const tn_coordinate_request *r = &plan->requests[k];
        const tn_coordinate_info *info =
            tool_coordinate_info(loaded->model, r->joint, r->coordinate);
        printf("%s.%s = %.12g %s (%s)\n", tn_model_joint_name(loaded->model, r->joint), info->name,
               plan->answers[k].value, info->angular ? "rad" : "m",
               tn_coordinate_outcome_word(plan->answers[k].outcome));
    }
    for (int32_t k = 0; k < plan->marker_count; k++) {
        const tn_vec3 p = tn_sim_marker_position(loaded->sim, plan->markers[k].marker);
        printf("%s = %.12g, %.12g, %.12g m\n",
               tn_model_marker_name(loaded->model, plan->markers[k].marker), p.x, p.y, p.z);
    }
}

static int place(const tool_arguments *arguments, tool_loaded *loaded, pose_plan *plan)
{
    tn_placement_report report;
    const tn_status status = tn_sim_pose(loaded->sim, plan->requests, plan->count, plan->markers,
                                         plan->marker_count, NULL, plan->answers, &report);
    if (status != TN_OK) {
        tool_error("%s: the mechanism cannot take this pose: %s", arguments->operand,
                   tn_status_text(status));
        for (int32_t k = 0; k < report.worst_count; k++)
            tool_error("joint '%s' stays open by %.3g",
                       tn_model_joint_name(loaded->model, report.worst_joint[k]),
                       report.worst_error[k]);
        if (report.beyond_joint.i >= 0)
            tool_error(
                "joint '%s': %s stays outside its range by %.3g",
                tn_model_joint_name(loaded->model, report.beyond_joint),
                tool_coordinate_info(loaded->model, report.beyond_joint, report.beyond_coordinate)
                    ->name,
                report.beyond);
        return tool_exit_code(status);
    }
    print_answers(loaded, plan);
    if (!arguments->value[OUT].given)
        return TOOL_OK;
    return tool_exit_code(write_posed(loaded, arguments->value[OUT].text));
}

static int run(const tool_arguments *arguments)
{
    tool_loaded loaded;
    int code = tool_load(arguments->operand, NULL, &loaded);
    pose_plan *plan = calloc(1, sizeof *plan);
    if (code == TOOL_OK)
        code = plan != NULL ? parse(arguments, loaded.model, plan) : TOOL_BAD_INPUT;
    if (code == TOOL_OK)
        code = place(arguments, &loaded, plan);
    tool_show_diagnostics(&loaded);
    tool_unload(&loaded);
    free(plan);
    return code;
}

const tool_command tool_pose = {
    .name = "pose",
    .operand = "MODEL",
    .summary = "set coordinates of a mechanism, loops included",
    .details =
        "Values are radians and metres, or have a unit: 70deg, 12mm. All --set are satisfied\n"
        "together, an earlier one wins; the answer says set, dependent or limited for each.\n"
        "Markers are then brought to their places while the coordinates set stay. Exit code 2\n"
        "when the joints cannot be closed or a marker cannot get to its place.\n",
    .options = options,
    .run = run,
};
