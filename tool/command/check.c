/* check.c: `tenon check MODEL`: what a mechanism is, before anything moves.
 *
 * The count of Gruebler takes every row for independent; the rank does not. Where the two differ
 * the mechanism is overconstrained and some of its reactions are not unique.
 *
 * Room tool/command, as of every file of it. In: the words of a command line. Out: one
 * tool_command, which main.c lists.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "report/beams.h"
#include "report/check_turns.h"
#include "report/analysis.h"
#include "report/freedoms.h"
#include "report/moved.h"
#include "json.h"
#include "load.h"
#include "problems.h"
#include "tenon/lint.h"
#include "tenon/results.h"
#include "tool.h"

enum { JSON, WERROR };

static const tool_option options[] = {
    [JSON] = {"--json", NULL, TOOL_FLAG, "one JSON object instead of text"},
    [WERROR] = {"--werror", NULL, TOOL_FLAG, "exit with 1 when there are warnings"},
    {NULL, NULL, TOOL_FLAG, NULL},
};

typedef struct check_result {
    tn_model_size size;
    tn_rank rank;
    tn_residuals residuals;
    tool_moved moved;
    const char *worst; /* joint with the largest error, or NULL */
    bool analyzed;     /* the analysis holds something; false: too many loops hang together */
    tn_analysis analysis;
} check_result;

static tn_rank rank_of(const tn_analysis *a)
{
    return (tn_rank){.rows = a->rows,
                     .rank = a->rank,
                     .redundant = a->redundant,
                     .dof = a->dof,
                     .gap_low = a->gap_low,
                     .gap_high = a->gap_high,
                     .unclear = a->unclear};
}

/* One count: that of the explanation, or the same without one where too many loops hang together.
 */
static tn_status examine(const tool_loaded *loaded, check_result *out)
{
    out->size = tn_model_get_size(loaded->model);
    out->residuals = tn_sim_residuals(loaded->sim);
    out->moved = tool_find_moved(loaded);
    out->worst = out->residuals.worst.i < 0
                     ? NULL
                     : tn_model_joint_name(loaded->model, out->residuals.worst);
    tn_status status = tn_sim_analyze(loaded->sim, NULL, &out->analysis);
    out->analyzed = status == TN_OK;
    if (out->analyzed) {
        out->rank = rank_of(&out->analysis);
    } else if (status == TN_ERROR_UNSUPPORTED) {
        status = tn_sim_rank(loaded->sim, &out->rank);
    }
    return status;
}

/* A model whose joints contradict each other makes no simulation, but can be explained. */
static void explain(const tool_arguments *arguments, const tool_loaded *loaded)
{
    tn_analysis analysis;
    if (tn_model_analyze(loaded->model, NULL, &analysis) != TN_OK)
        return;
    if (arguments->value[JSON].given) {
        tool_json json = tool_json_begin(stdout);
        tool_json_open(&json, NULL, '{');
        tool_json_text(&json, "model", arguments->operand);
        tool_json_text(&json, "name", tn_model_name(loaded->model));
        tool_json_open(&json, "analysis", '{');
        analysis_write(&json, loaded->model, NULL, &analysis);
        tool_json_close(&json, '}');
        tool_json_close(&json, '}');
    } else {
        printf("%s\n", tool_title(loaded, arguments->operand));
        analysis_print(loaded->model, &analysis);
    }
    tn_analysis_free(&analysis);
}

static void print_json(const tool_arguments *arguments, const tool_loaded *loaded,
                       const check_result *r)
{
    tool_json json = tool_json_begin(stdout);
    tool_json_open(&json, NULL, '{');
    tool_json_text(&json, "model", arguments->operand);
    tool_json_text(&json, "name", tn_model_name(loaded->model));
    tool_json_integer(&json, "bodies", r->size.bodies);
    tool_json_integer(&json, "moving", r->size.moving);
    tool_json_integer(&json, "joints", r->size.joints);
    tool_json_integer(&json, "couplings", r->size.couplings);
    tool_json_integer(&json, "markers", r->size.markers);
    tool_write_beams(&json, loaded);
    tool_json_integer(&json, "velocities", r->size.velocities);
    tool_json_integer(&json, "gruebler", r->size.velocities - r->rank.rows);
    tool_json_integer(&json, "rows", r->rank.rows);
    tool_json_integer(&json, "rank", r->rank.rank);
    tool_json_integer(&json, "redundant", r->rank.redundant);
    tool_json_integer(&json, "dof", r->rank.dof);
    tool_json_number(&json, "gap_low", r->rank.gap_low);
    tool_json_number(&json, "gap_high", r->rank.gap_high);
    tool_json_number(&json, "position_error", r->residuals.position);
    tool_json_number(&json, "angle_error", r->residuals.angle);
    tool_json_number(&json, "speed_error", r->residuals.speed);
    tool_json_number(&json, "turn_rate_error", r->residuals.turn_rate);
    tool_json_text(&json, "worst_joint", r->worst);
    tool_json_number(&json, "moved_distance", r->moved.distance);
    tool_json_number(&json, "moved_angle", r->moved.angle);
    if (r->analyzed) {
        tool_json_open(&json, "analysis", '{');
        analysis_write(&json, loaded->model, loaded->sim, &r->analysis);
        tool_json_close(&json, '}');
    } else {
        tool_json_null(&json, "analysis");
    }
    tool_write_problems(&json, "warnings", loaded->diags);
    tool_json_close(&json, '}');
}

/* Of a joint, by what the model says of its coordinates. */
static bool is_driven(const tn_joint_def *def, int32_t i)
{
    bool driven = false;
    for (int32_t k = 0; k < def->drive_count; k++) {
        driven |=
            def->drives[k].coordinate == i && def->drives[k].position.kind != TN_FUNCTION_NONE;
    }
    return driven;
}

static bool is_locked(const tn_joint_def *def, int32_t i)
{
    return def->locked[i] != 0;
}

/* A line of the coordinates that this is so of, if there are any. */
static void print_coordinates(const tool_loaded *loaded, const char *title,
                              bool (*is)(const tn_joint_def *def, int32_t i))
{
    const char *before = title;
    for (int32_t j = 0; j < tn_spec_joint_count(loaded->spec); j++) {
        const tn_joint_def *def = tn_spec_joint(loaded->spec, (tn_joint){j});
        const tn_joint_type_info *info = tn_model_joint_info(loaded->model, (tn_joint){j});
        for (int32_t i = 0; i < info->coordinate_count; i++) {
            if (is(def, i)) {
                printf("%s%s.%s", before, def->name, info->coordinates[i].name);
                before = ", ";
            }
        }
    }
    if (before != title)
        putchar('\n');
}

static void print_text(const char *title, const tool_loaded *loaded, const check_result *r)
{
    printf("%s\n", title);
    printf("  bodies              %" PRId32 " (%" PRId32 " moving)\n", r->size.bodies,
           r->size.moving);
    printf("  joints              %" PRId32 "\n", r->size.joints);
    if (r->size.couplings > 0)
        printf("  couplings           %" PRId32 "\n", r->size.couplings);
    printf("  markers             %" PRId32 "\n", r->size.markers);
    tool_print_beams(loaded);
    printf("  velocities          %" PRId32 "\n", r->size.velocities);
    printf("  constraint rows     %" PRId32 "\n", r->rank.rows);
    printf("  rank                %" PRId32 "\n", r->rank.rank);
    printf("  redundant rows      %" PRId32 "%s\n", r->rank.redundant,
           r->rank.redundant > 0 ? " (overconstrained: some reactions are not unique)" : "");
    printf("  degrees of freedom  %" PRId32, r->rank.dof);
    if (r->analyzed && r->analysis.momentary > 0)
        printf(" (to first order; of finite motion %" PRId32 ")", r->analysis.freedoms);
    if (r->analyzed && r->analysis.rigid_dof != r->rank.dof)
        printf(" (%" PRId32 " with all parts rigid)", r->analysis.rigid_dof);
    printf("\n");
    print_coordinates(loaded, "  moved as given      ", is_driven);
    print_coordinates(loaded, "  locked              ", is_locked);
    printf("  Gruebler's count    %" PRId32 "\n", r->size.velocities - r->rank.rows);
    if (r->rank.redundant > 0 || r->rank.unclear) {
        printf("  rank gap            largest value called zero %.1e, smallest kept %.1e%s\n",
               r->rank.gap_low, r->rank.gap_high, r->rank.unclear ? " (not clear)" : "");
    }
    printf("  closing error       %.2g m, %.2g rad%s%s\n", r->residuals.position,
           r->residuals.angle, r->worst == NULL ? "" : " at worst, joint ",
           r->worst == NULL ? "" : r->worst);
    printf("  moved from the file %.2g m, %.2g rad\n", r->moved.distance, r->moved.angle);
    if (r->analyzed) {
        analysis_print(loaded->model, &r->analysis);
    } else {
        printf("  Too many loops hang together to say which rows repeat which.\n");
    }
    freedoms_print(loaded->sim, loaded->model, r->analyzed ? r->analysis.rigid_dof : r->rank.dof);
}

/* Adds what is probably not meant to the diagnostics. */
static void find_oddities(tool_loaded *loaded, const check_result *r)
{
    if (r->analyzed && r->analysis.momentary > 0) {
        tn_diagnostics_add(loaded->diags, TN_WARNING, TN_OK, tn_spec_world(loaded->spec)->at,
                           "start a little beside it, or set a coordinate",
                           "the model starts at a singular pose, a dead point or one where "
                           "branches of its motion cross");
    }
    if (tn_sim_lint(loaded->sim, loaded->spec, loaded->diags) != TN_OK ||
        tool_check_turns(loaded->sim, loaded->spec, loaded->diags) != TN_OK)
        tool_error("%s", tn_status_text(TN_ERROR_MEMORY));
}

/* Examines a model that could be loaded and prints what it is. */
static int tell(const tool_arguments *arguments, tool_loaded *loaded)
{
    check_result result = {0};
    const int32_t before = tool_count_warnings(loaded->diags);
    tool_show_diagnostics(loaded);
    const tn_status status = examine(loaded, &result);
    if (status != TN_OK) {
        tool_error("%s: the rank cannot be found: %s", arguments->operand, tn_status_text(status));
        tn_analysis_free(&result.analysis);
        return tool_exit_code(status);
    }
    find_oddities(loaded, &result);
    const int32_t warnings = before + tool_count_warnings(loaded->diags);
    if (arguments->value[JSON].given) {
        print_json(arguments, loaded, &result);
    } else {
        print_text(tool_title(loaded, arguments->operand), loaded, &result);
        tool_show_diagnostics(loaded);
    }
    tn_analysis_free(&result.analysis);
    return arguments->value[WERROR].given && warnings > 0 ? TOOL_BAD_INPUT : TOOL_OK;
}

static int run(const tool_arguments *arguments)
{
    tool_loaded loaded;
    int code = tool_load(arguments, NULL, &loaded);
    if (code == TOOL_OK) {
        code = tell(arguments, &loaded);
    } else {
        tool_show_diagnostics(&loaded);
        if (code == TOOL_NUMERICAL && loaded.model != NULL)
            explain(arguments, &loaded);
    }
    tool_unload(&loaded);
    return code;
}

const tool_command tool_check = {
    .name = "check",
    .operand = "MODEL",
    .summary = "count degrees of freedom and redundant rows",
    .details =
        "The model is assembled but not moved. Degrees of freedom are velocities less rank;\n"
        "Gruebler's count is velocities less rows, as if all rows were independent.\n"
        "'moved from the file' is how far bodies had to go from the poses in the file to\n"
        "close the joints and to reach the coordinates given with 'set'.\n"
        "Then, in words: which rows repeat which, in which loop, for ever or at this pose only;\n"
        "which reactions are therefore not unique; what change would end it. A model whose\n"
        "joints contradict each other is explained too (exit code 2). Each freedom is described by "
        "what\n"
        "moves and what follows. Warnings say what is allowed and probably not meant.\n",
    .options = options,
    .run = run,
    .reads_model = true,
};
