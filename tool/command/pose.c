/* pose.c: `tenon pose MODEL`: sets coordinates and brings markers to places, loops included. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pick/coordinate.h"
#include "load.h"
#include "pick/marker.h"
#include "output.h"
#include "pick/posed.h"
#include "tenon/measure.h"
#include "tenon/record.h"
#include "tool.h"

enum { SET, MARKER, ROTATION, SOFT, OUT, PLAIN };

static const tool_option options[] = {
    [SET] = {"--set", "JOINT.COORDINATE=VALUE", TOOL_LIST,
             "set a coordinate, or what a COUPLING holds (again for more)"},
    [MARKER] = {"--marker", "NAME=X,Y,Z[@WEIGHT]", TOOL_LIST,
                "bring a marker to a place, m (again for more)"},
    [ROTATION] = {"--marker-rotation", "NAME=ROTATION[@WEIGHT]", TOOL_LIST,
                  "turn a marker's axes, e.g. tip=rpy:0,0,90deg (again for more)"},
    [SOFT] = {"--soft", NULL, TOOL_FLAG, "markers without a weight have weight 1"},
    [OUT] = {"--out", "FILE", TOOL_TEXT, "write the model in its new pose, its text kept"},
    [PLAIN] = {"--plain", NULL, TOOL_FLAG,
               "write every value anew: no comments, formulas, parameters, parts or units"},
    {NULL, NULL, TOOL_FLAG, NULL},
};

typedef struct pose_plan {
    tn_coordinate_request requests[TOOL_MAX_LISTED];
    tn_coordinate_answer answers[TOOL_MAX_LISTED];
    tn_marker_request markers[TOOL_MAX_LISTED];
    tn_marker_answer misses[TOOL_MAX_LISTED];
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

static int parse(const tool_arguments *arguments, const tn_model *model, pose_plan *plan)
{
    int code = TOOL_OK;
    for (int k = 0; k < arguments->listed_count && code == TOOL_OK; k++) {
        if (arguments->listed_option[k] == SET) {
            code = parse_set(model, arguments->listed[k], &plan->requests[plan->count++]);
        } else {
            const int turn = arguments->listed_option[k] == ROTATION;
            code = (turn ? tool_parse_marker_rotation : tool_parse_marker_place)(
                model, arguments->listed[k], arguments->value[SOFT].given ? 1.0 : 0.0,
                &plan->markers[plan->marker_count++]);
        }
    }
    return code;
}

static void print_answers(const tool_loaded *loaded, const pose_plan *plan)
{
    for (int32_t k = 0; k < plan->count; k++) {
        const tn_coordinate_request *r = &plan->requests[k];
        const tn_coordinate_info *info =
            tool_coordinate_info(loaded->model, r->joint, r->coordinate);
        const char *unit; /* as the model's file counts */
        const double scale =
            tn_record_scale(tn_model_record(loaded->model), info->angular ? "rad" : "m", &unit);
        printf("%s.%s = %.12g %s (%s)\n", tn_model_joint_name(loaded->model, r->joint), info->name,
               scale * plan->answers[k].value, unit,
               tn_coordinate_outcome_word(plan->answers[k].outcome));
    }
    for (int32_t k = 0; k < plan->marker_count; k++)
        tool_print_marker(loaded->sim, &plan->markers[k], &plan->misses[k]);
}

/* How near the markers came that were to be exactly somewhere. */
static void tell_misses(const tool_loaded *loaded, const pose_plan *plan)
{
    for (int32_t k = 0; k < plan->marker_count; k++) {
        const char *name = tn_model_marker_name(loaded->model, plan->markers[k].marker);
        if (plan->markers[k].weight > 0.0)
            continue;
        if (plan->misses[k].distance > 0.0) {
            tool_error("marker '%s' comes no nearer than %.3g m to its place", name,
                       plan->misses[k].distance);
        }
        if (plan->misses[k].angle > 0.0) {
            tool_error("marker '%s' comes no nearer than %.3g rad (%.3g deg) to its orientation",
                       name, plan->misses[k].angle, plan->misses[k].angle * TOOL_DEGREES);
        }
    }
}

static bool was_limited(const pose_plan *plan)
{
    for (int32_t k = 0; k < plan->count; k++) {
        if (plan->answers[k].outcome == TN_COORDINATE_LIMITED ||
            plan->answers[k].outcome == TN_COORDINATE_SINGULAR)
            return true;
    }
    return false;
}

static int place(const tool_arguments *arguments, tool_loaded *loaded, pose_plan *plan)
{
    tn_placement_report report;
    const tn_status status =
        tn_sim_pose(loaded->sim, plan->requests, plan->count, plan->markers, plan->marker_count,
                    NULL, plan->answers, plan->misses, &report);
    if (status != TN_OK) {
        tool_error("%s: the mechanism cannot take this pose: %s", arguments->operand,
                   tn_status_text(status));
        for (int32_t k = 0; k < report.worst_count; k++) {
            tool_error("joint '%s' stays open by %.3g",
                       tn_model_joint_name(loaded->model, report.worst_joint[k]),
                       report.worst_error[k]);
        }
        if (report.beyond_joint.i >= 0) {
            tool_error(
                "joint '%s': %s stays outside its range by %.3g",
                tn_model_joint_name(loaded->model, report.beyond_joint),
                tool_coordinate_info(loaded->model, report.beyond_joint, report.beyond_coordinate)
                    ->name,
                report.beyond);
        }
        tell_misses(loaded, plan);
        return tool_exit_code(status);
    }
    print_answers(loaded, plan);
    if (report.gap > 0.0 || report.gap_angle > 0.0) {
        printf("open loops: %.3g m, %.3g rad: their geometry is not exact, no pose closes them\n",
               report.gap, report.gap_angle);
    }
    const int reached = was_limited(plan) ? TOOL_STOPPED : TOOL_OK;
    if (!arguments->value[OUT].given)
        return reached;
    const char *path = arguments->value[OUT].text;
    const tn_status written =
        arguments->value[PLAIN].given
            ? tool_write_posed(arguments->operand, loaded, path)
            : tool_keep_posed(arguments, loaded, plan->requests, plan->count, path);
    if (written != TN_OK && tn_diagnostics_error_count(loaded->diags) == 0)
        tool_error("%s: cannot be written: %s", path, tn_status_text(written));
    return written == TN_OK ? reached : tool_exit_code(written);
}

/* A --set that names no coordinate may mean a parameter of the model: moves those to the settings.
 */
static void part_settings(tool_arguments *arguments)
{
    tn_spec *spec = NULL;
    int kept = 0;
    const tn_status status = tn_spec_read_file(arguments->operand, NULL, &spec);
    for (int i = 0; i < arguments->listed_count; i++) {
        const char *text = arguments->listed[i];
        const size_t length = strcspn(text, "=");
        bool taken = false;
        for (int32_t k = 0; status == TN_OK && arguments->listed_option[i] == SET && !taken &&
                            k < tn_spec_parameter_count(spec);
             k++) {
            const char *name = tn_spec_parameter(spec, k)->name;
            taken = strlen(name) == length && memcmp(name, text, length) == 0 &&
                    tool_take_setting(arguments, text);
        }
        if (!taken) {
            arguments->listed[kept] = text;
            arguments->listed_option[kept++] = arguments->listed_option[i];
        }
    }
    arguments->listed_count = kept;
    tn_spec_destroy(spec);
}

static int run(const tool_arguments *given)
{
    tool_loaded loaded;
    tool_arguments parted = *given;
    const tool_arguments *arguments = &parted;
    if (given->listed_count > 0)
        part_settings(&parted);
    int code = tool_load(arguments, NULL, &loaded);
    pose_plan *plan = calloc(1, sizeof *plan);
    if (code == TOOL_OK)
        code = plan != NULL ? parse(arguments, loaded.model, plan) : TOOL_BAD_INPUT;
    if (code == TOOL_OK)
        code = tool_refuse_outputs(arguments->operand, loaded.spec, &arguments->value[OUT].text, 1);
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
        "Values are radians and metres, or have a unit: 70deg, 12mm. A --set may also give a\n"
        "parameter of the model another value. All --set of coordinates are satisfied\n"
        "together, an earlier one wins; the answer says set, dependent, limited or singular\n"
        "(the loop stands where more than one way begins, or none) for each.\n"
        "Exit code 4: a coordinate was limited, or singular.\n"
        "Markers are then brought to their places and orientations while the coordinates set\n"
        "stay: exactly, or with @WEIGHT as nearly as they get, against others with a weight (a\n"
        "radian counts as much as the mechanism is long). A rotation is that of the marker's\n"
        "axes in the world: angle:A about z, rpy:R,P,Y with R = Rz(R) Ry(P) Rx(Y),\n"
        "axis_angle:X,Y,Z,A, rotation_vector:X,Y,Z, quaternion:W,X,Y,Z, or matrix: with nine\n"
        "numbers row by row. The file written is the model's own text with 'set' of the joints "
        "that\n"
        "moved, and parameters that were given; where that cannot say the pose (bodies that no "
        "joint\n"
        "holds, joints of parts) it is written anew, with a warning. Exit code 2 when the joints "
        "cannot be closed or a marker cannot get\n"
        "where it is wanted.\n",
    .options = options,
    .run = run,
    .reads_model = true,
};
