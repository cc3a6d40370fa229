/* run_unique.c: what of a run's numbers is one of many ways to share a load, in the state it ends with.
 *
 * Limits, motors and friction that sticks hold as constraints do, and where they hold may differ from what
 * a file could say when it was opened.
 */
#include <math.h>
#include <stdio.h>

#include "json.h"
#include "measure/formula.h"
#include "report/analysis.h"
#include "runs/run.h"
#include "tenon/measure.h"
#include "tool.h"

/* Beyond so many rows the question takes longer than many a run: `tenon check` answers it. */
enum { MOST_ROWS = 1500 };
/* Longer lists are cut; reports have them whole. */
enum { MOST_NAMES = 8 };

static bool look(const tool_loaded *loaded, const run_result *result, tn_analysis *analysis)
{
    tn_analysis_options options = tn_default_analysis_options();
    options.witnesses = 0; /* only this pose is analysed */
    return result->started && result->rows <= MOST_ROWS &&
           tn_sim_analyze(loaded->sim, &options, analysis) == TN_OK;
}

/* Is a coordinate of a joint, or the value of a coupling, held by one of these (bits)? */
static bool holds(const tool_loaded *loaded, uint32_t holders)
{
    const tn_model_size size = tn_model_get_size(loaded->model);
    uint32_t found = 0;
    for (int32_t k = 0; k < size.joints + size.couplings; k++) {
        const tn_joint joint =
            k < size.joints
                ? (tn_joint){.i = k}
                : tn_model_coupling_joint(loaded->model, (tn_coupling){.i = k - size.joints});
        const int32_t count = tn_model_joint_info(loaded->model, joint)->coordinate_count;
        for (int32_t i = 0; i < count; i++)
            found |= 1u << tn_sim_coordinate_holder(loaded->sim, joint, i);
    }
    return (found & holders) != 0;
}

/* Those whose rows the rank that the run began with does not count, or may not have counted yet. */
static const uint32_t uncounted =
    1u << TN_HELD_BY_FRICTION | 1u << TN_HELD_BY_MOTOR | 1u << TN_HELD_BY_LIMIT;
static const uint32_t all_holders = 1u << TN_HELD_BY_FRICTION | 1u << TN_HELD_BY_MOTOR |
                                    1u << TN_HELD_BY_LIMIT | 1u << TN_HELD_BY_DRIVER |
                                    1u << TN_HELD_BY_LOCK;

/* Of the model's start: a joint that has broken carries nothing at the end. */
static bool look_at_breaks(const tool_loaded *loaded, const run_result *result,
                           tn_analysis *analysis)
{
    tn_analysis_options options = tn_default_analysis_options();
    options.witnesses = 0;
    return result->started && result->rows <= MOST_ROWS &&
           tn_model_analyze(loaded->model, &options, analysis) == TN_OK;
}

/* Can a joint or a coupling of the file break? */
static bool may_break(const tool_loaded *loaded)
{
    bool some = false;
    for (int32_t j = 0; j < tn_spec_joint_count(loaded->spec); j++) {
        const tn_joint_def *def = tn_spec_joint(loaded->spec, (tn_joint){.i = j});
        some |= isfinite(def->break_force) || isfinite(def->break_torque);
    }
    for (int32_t k = 0; k < tn_spec_coupling_count(loaded->spec); k++)
        some |= isfinite(tn_spec_coupling(loaded->spec, (tn_coupling){.i = k})->break_force);
    return some;
}

static void write_breaks(tool_json *json, const tool_loaded *loaded, const run_result *result)
{
    tn_analysis analysis = {0};
    if (result->started && !may_break(loaded)) {
        tool_json_open(json, "break_not_unique", '[');
        tool_json_close(json, ']');
    } else if (look_at_breaks(loaded, result, &analysis)) {
        analysis_write_breaks(json, loaded->model, &analysis);
    } else {
        tool_json_null(json, "break_not_unique");
    }
    tn_analysis_free(&analysis);
}

/* By the names of columns in CSV files; those names are fixed and so carry no mark. Null when the
 * model did not start or is too large to analyse. */
void run_unique_write(tool_json *json, const tool_loaded *loaded, const run_result *result)
{
    tn_analysis analysis = {0};
    if (result->started && result->redundant == 0 && !holds(loaded, uncounted)) {
        tool_json_open(json, "indeterminate", '[');
        tool_json_close(json, ']');
        tool_json_open(json, "friction_not_unique", '[');
        tool_json_close(json, ']');
    } else if (look(loaded, result, &analysis)) {
        analysis_write_indeterminate(json, loaded->model, loaded->sim, &analysis);
        analysis_write_friction(json, loaded->model, &analysis);
    } else {
        tool_json_null(json, "indeterminate");
        tool_json_null(json, "friction_not_unique");
    }
    write_breaks(json, loaded, result);
    tn_analysis_free(&analysis);
}

static bool measures_forces(const tool_loaded *loaded)
{
    bool some = false;
    for (int32_t i = 0; i < tn_model_measure_count(loaded->model); i++)
        some |= !tn_measure_is_of_pose(loaded->model, (tn_measure_id){.i = i});
    return some;
}

bool run_rubs_by_force(const tool_loaded *loaded)
{
    bool some = false;
    for (int32_t j = 0; j < tn_spec_joint_count(loaded->spec); j++) {
        const tn_joint_def *def = tn_spec_joint(loaded->spec, (tn_joint){.i = j});
        for (int32_t k = 0; k < def->drive_count; k++)
            some |= def->drives[k].friction.coefficient > 0.0 ||
                    def->drives[k].friction.static_coefficient > 0.0;
    }
    return some;
}

/* A list of names that begins a line. */
typedef struct name_list {
    const char *begin;
    int32_t count;
} name_list;

static void print_name(void *context, const char *name)
{
    name_list *list = context;
    if (list->count <= MOST_NAMES) {
        printf("%s%s", list->count == 0 ? list->begin : ", ",
               list->count < MOST_NAMES ? name : "...");
    }
    ++list->count;
}

static void print_breaks(const tool_loaded *loaded, const run_result *result)
{
    tn_analysis analysis = {0};
    name_list breaks = {"  not unique   whether and when these break: ", 0};
    const analysis_names take = {print_name, &breaks, true};
    if (may_break(loaded) && look_at_breaks(loaded, result, &analysis))
        analysis_name_breaks(loaded->model, &analysis, &take);
    if (breaks.count > 0)
        printf("; redundant joints share their load, and their compliance determines it\n");
    tn_analysis_free(&analysis);
}

void run_unique_print(const tool_loaded *loaded, const run_result *result)
{
    tn_analysis analysis = {0};
    name_list columns = {"  not unique   at the end: ", 0},
              friction = {"  not unique   the motion: friction of ", 0};
    const analysis_names take_columns = {print_name, &columns, true},
                         take_friction = {print_name, &friction, true};
    const bool asked =
        holds(loaded, all_holders) || measures_forces(loaded) || run_rubs_by_force(loaded);
    const bool known = asked && look(loaded, result, &analysis);
    if (known)
        analysis_name_columns(loaded->model, loaded->sim, &analysis, &take_columns);
    if (columns.count > 0)
        printf("; one of many ways to share the load\n");
    if (known)
        analysis_name_friction(loaded->model, &analysis, &take_friction);
    if (friction.count > 0)
        printf(" goes by forces that redundant joints share; their compliance determines it\n");
    tn_analysis_free(&analysis);
    print_breaks(loaded, result);
}
