/* inspect.c: `tenon inspect MODEL`: the equations at the initial state, as JSON.
 *
 * J u = 0 are the constraint rows, M the mass matrix, K = J M^-1 J^T what the rows feel of it, and
 * b = -J u the right-hand side of K lambda = b. u is (velocity of the centre of mass in world axes,
 * angular velocity in body axes) of each moving body, as far as its kind can move.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "load.h"
#include "runs/run.h"
#include "tenon/results.h"
#include "tool.h"

enum { JOINT, TIME, DIGITS };

static const tool_option options[] = {
    [JOINT] = {"--joint", "NAME", TOOL_TEXT, "only the rows of this joint or coupling"},
    [TIME] = {"--time", "SECONDS", TOOL_NOT_NEGATIVE, "simulate that long first"},
    [DIGITS] = {"--digits", "N", TOOL_POSITIVE, "significant digits (default: 6; 17 are exact)"},
    {NULL, NULL, TOOL_FLAG, NULL},
};

#define NAME_SIZE 512

/* Of numbers that are read by people, and that give a double exactly. */
#define USUAL_DIGITS 6
#define MOST_DIGITS  17

/* The velocities a body kind has, as letters. */
static const char *const velocity_letters[TN_BODY_KIND_COUNT][7] = {
    [TN_BODY_RIGID] = {"vx", "vy", "vz", "wx", "wy", "wz"},
    [TN_BODY_FIXED] = {NULL},
    [TN_BODY_PLANAR] = {"vx", "vy", "wz"},
    [TN_BODY_PARTICLE] = {"vx", "vy", "vz"},
    [TN_BODY_PLANAR_PARTICLE] = {"vx", "vy"},
};

static void write_velocity_names(tool_json *json, const tn_model *model)
{
    char name[NAME_SIZE];
    tool_json_open(json, "velocities", '[');
    for (int32_t i = 0; i < tn_model_get_size(model).bodies; i++) {
        const char *const *letters = velocity_letters[tn_model_body_kind(model, (tn_body){i})];
        for (; *letters != NULL; letters++) {
            snprintf(name, sizeof name, "%s.%s", tn_model_body_name(model, (tn_body){i}), *letters);
            tool_json_text(json, NULL, name);
        }
    }
    tool_json_close(json, ']');
}

static void write_row_names(tool_json *json, const tn_model *model, const tn_equations *e)
{
    char name[NAME_SIZE];
    tool_json_open(json, "rows", '[');
    for (int32_t i = 0; i < e->rows; i++) {
        tn_joint joint = {e->row_joint[i]};
        const tn_joint_type_info *info = tn_model_joint_info(model, joint);
        snprintf(name, sizeof name, "%s.%s", tn_model_joint_name(model, joint),
                 info->rows[e->row_index[i]].name);
        tool_json_text(json, NULL, name);
    }
    tool_json_close(json, ']');
}

static void write_matrix(tool_json *json, const char *key, const double *values, int32_t rows,
                         int32_t columns)
{
    if (values == NULL) {
        tool_json_null(json, key);
        return;
    }
    tool_json_open(json, key, '[');
    for (int32_t i = 0; i < rows; i++)
        tool_json_row(json, NULL, values + (size_t)i * (size_t)columns, columns);
    tool_json_close(json, ']');
}

static void write_equations(const tn_model *model, const tn_equations *e, int digits)
{
    tool_json json = tool_json_begin(stdout);
    json.digits = digits;
    tool_json_open(&json, NULL, '{');
    tool_json_text(&json, "name", tn_model_name(model));
    write_velocity_names(&json, model);
    write_row_names(&json, model, e);
    write_matrix(&json, "M", e->mass, e->velocities, e->velocities);
    write_matrix(&json, "J", e->jacobian, e->rows, e->velocities);
    write_matrix(&json, "K", e->effective, e->rows, e->rows);
    tool_json_row(&json, "b", e->rhs, e->rows);
    tool_json_close(&json, '}');
}

/* The joint or coupling of this name; NULL: index -1, all of them. */
static int find_element(const tool_loaded *loaded, const char *name, tn_joint *out)
{
    tn_coupling coupling;
    if (name == NULL || tn_model_find_coupling(loaded->model, name, &coupling) != TN_OK)
        return tool_find_joint(loaded, name, out);
    *out = tn_model_coupling_joint(loaded->model, coupling);
    return TOOL_OK;
}

static int inspect(const tool_arguments *arguments, const tool_loaded *loaded)
{
    tn_joint joint = {-1};
    const tool_value *digits = &arguments->value[DIGITS];
    const int shown = digits->given ? (int)fmin(digits->number, MOST_DIGITS) : USUAL_DIGITS;
    int code = find_element(loaded, arguments->value[JOINT].text, &joint);
    if (code != TOOL_OK)
        return code;
    tn_equations equations;
    tn_status status = tn_sim_equations(loaded->sim, joint, &equations);
    if (status != TN_OK && status != TN_ERROR_SINGULAR) {
        tool_error("%s: %s", arguments->operand, tn_status_text(status));
        return tool_exit_code(status);
    }
    if (status == TN_ERROR_SINGULAR)
        tool_error("%s: a body without inertia has no inverse mass: K is null", arguments->operand);
    write_equations(loaded->model, &equations, shown < 1 ? 1 : shown);
    tn_equations_free(&equations);
    return TOOL_OK;
}

static int run(const tool_arguments *arguments)
{
    tool_loaded loaded;
    const tool_value *time = &arguments->value[TIME];
    int code = time->given ? tool_load(arguments, NULL, &loaded)
                           : tool_load_as_written(arguments, &loaded);
    if (code == TOOL_OK && time->given)
        code = run_advance(&loaded, time->number);
    tool_show_diagnostics(&loaded);
    if (code == TOOL_OK)
        code = inspect(arguments, &loaded);
    tool_unload(&loaded);
    return code;
}

const tool_command tool_inspect = {
    .name = "inspect",
    .operand = "MODEL",
    .summary = "print J, K, b and the mass matrix as JSON",
    .details =
        "The equations of the initial state, or with --time of a later one: rows J u = 0, mass "
        "matrix M, effective mass\n"
        "K = J M^-1 J^T, b = -J u. u is the velocity of the centre of mass in world axes and\n"
        "the angular velocity in body axes, per moving body.\n",
    .options = options,
    .run = run,
    .reads_model = true,
};
