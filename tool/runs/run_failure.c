/* run_failure.c: the message of a step that failed: contradicting rows, residuals that are too large, limits reached,
 * dead points.
 *
 * The simulation has the state at the end of the last good step. A coordinate that was at its limit in the failed step
 * may still be on its way there.
 */
#include <math.h>
#include <string.h>

#include "pick/coordinate.h"
#include "pick/marker.h"
#include "runs/run.h"
#include "tenon/coords.h"
#include "tool.h"

#define RUN_MORE_SIZE 512

/* Of steps whose energy or forces do not balance: the unit of the residual, and its name. */
typedef struct imbalance_words {
    const char *unit;
    double factor;
    const char *what;
} imbalance_words;

static const imbalance_words imbalances[] = {
    [TN_IMBALANCE_NONE] = {"", 1.0, ""},
    [TN_IMBALANCE_ENERGY] = {" %", 100.0, "of the energy moved was made or lost"},
    [TN_IMBALANCE_REACTIONS] = {" %", 100.0, "of the largest force on it is not balanced"},
    [TN_IMBALANCE_CLOSURE] = {" %", 100.0, "of its bodies' extent it is open"},
    [TN_IMBALANCE_PULL] = {" %", 100.0, "of the largest force on it a limit pulls with"},
    [TN_IMBALANCE_RANGE] = {" m or rad", 1.0, "it is beyond its range"},
    [TN_IMBALANCE_MULTIPLIERS] = {" %", 100.0, "of its reactions act on nothing"},
    [TN_IMBALANCE_BOUND] = {" %", 100.0, "of its bound friction or a motor holds beyond it"},
    [TN_IMBALANCE_ROUNDING] = {"", 1.0,
                               "of error near a change point cannot be separated from rounding by "
                               "dormand_prince (auto can)"},
};

/* Joints open by less than this (m, rad) count as closed in messages: then speeds contradict each other,
 * such as a limit and a prescribed motion into it. */
#define TOOL_CLOSED 1e-9

/* Most coordinates named when speeds contradict each other. */
enum { MOST_HELD = 4 };

/* True if the coordinate has a motor without cap. */
static bool is_strong(const tool_loaded *loaded, tn_joint joint, int32_t i)
{
    const tn_joint_def *def = tn_spec_joint(loaded->spec, joint);
    for (int32_t k = 0; k < def->drive_count; k++) {
        if (def->drives[k].coordinate == i)
            return !isfinite(def->drives[k].motor.max_force);
    }
    return false;
}

/* What holds a coordinate with unlimited force; NULL: nothing. */
static const char *held_by(const tool_loaded *loaded, tn_joint joint, int32_t i)
{
    switch (tn_sim_coordinate_holder(loaded->sim, joint, i)) {
    case TN_HELD_BY_LIMIT:
        return "at its limit";
    case TN_HELD_BY_LOCK:
        return "locked";
    case TN_HELD_BY_DRIVER:
        return "prescribed";
    case TN_HELD_BY_MOTOR:
        return is_strong(loaded, joint, i) ? "driven by a motor without max_force" : NULL;
    default:
        return NULL;
    }
}

/* Index of the coordinate of a joint that reaches a limit first at the present speeds; -1: none. */
static int32_t nears_limit(const tool_loaded *loaded, tn_joint joint)
{
    double q[TN_MAX_COORDINATES], v[TN_MAX_COORDINATES], soonest = INFINITY;
    const tn_joint_type_info *info = tn_model_joint_info(loaded->model, joint);
    int32_t first = -1;
    tn_sim_joint_coordinates(loaded->sim, joint, q);
    tn_sim_joint_speeds(loaded->sim, joint, v);
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        double ends[2];
        if (tn_sim_get_range(loaded->sim, joint, i, &ends[0], &ends[1]) != TN_OK)
            continue;
        const double when = ((v[i] > 0.0 ? ends[1] : ends[0]) - q[i]) / v[i];
        if (isfinite(when) && when < soonest) {
            soonest = when;
            first = i;
        }
    }
    return first;
}

static void add_held(const tool_loaded *loaded, tn_joint joint, int32_t i, const char *how,
                     int *count, char *text, size_t size)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s.%s %s", *count > 0 ? ", " : "",
             tn_model_joint_name(loaded->model, joint),
             tn_model_joint_info(loaded->model, joint)->coordinates[i].name, how);
    (*count)++;
}

/* Lists what cannot have speeds together: "guide.z at its limit, shaft.theta prescribed". */
static int list_held(const tool_loaded *loaded, const tn_step_report *report, char *text,
                     size_t size)
{
    const tn_model_size counts = tn_model_get_size(loaded->model);
    int count = 0;
    const bool of_joint = report->culprit_joint.i >= 0 && report->culprit_joint.i < counts.joints;
    const int32_t near = of_joint ? nears_limit(loaded, report->culprit_joint) : -1;
    if (near >= 0 && held_by(loaded, report->culprit_joint, near) == NULL)
        add_held(loaded, report->culprit_joint, near, "at its limit", &count, text, size);
    for (int32_t j = 0; j < counts.joints; j++) {
        const tn_joint joint = {.i = j};
        const tn_joint_type_info *info = tn_model_joint_info(loaded->model, joint);
        for (int32_t i = 0; i < info->coordinate_count && count < MOST_HELD; i++) {
            const char *how = held_by(loaded, joint, i);
            if (how != NULL)
                add_held(loaded, joint, i, how, &count, text, size);
        }
    }
    for (int32_t k = 0; k < counts.couplings && count < MOST_HELD; k++) {
        const tn_joint joint = tn_model_coupling_joint(loaded->model, (tn_coupling){k});
        if (tn_sim_coordinate_holder(loaded->sim, joint, 0) == TN_HELD_BY_LIMIT)
            add_held(loaded, joint, 0, "at its limit", &count, text, size);
    }
    return count;
}

static void tell_conflict(const tool_loaded *loaded, const tn_step_report *report, char *text,
                          size_t size)
{
    const bool gaps = fmax(report->gap, report->gap_angle) > 0.0;
    const double open = gaps ? report->gap : report->position_error;
    const double turned = gaps ? report->gap_angle : report->angle_error;
    char held[RUN_MORE_SIZE / 2] = "";
    const int count = list_held(loaded, report, held, sizeof held);
    if (fmax(open, turned) > TOOL_CLOSED) {
        snprintf(text, size, ": %.3g m, %.3g rad remain", open, turned);
    } else if (count > 1) {
        snprintf(text, size, ": no speeds satisfy them: %s", held);
    } else {
        snprintf(text, size,
                 ": no speeds satisfy all limits, locks and prescribed motions here%s%s%s",
                 count > 0 ? " (" : "", held, count > 0 ? ")" : "");
    }
}

/* How much rows contradict each other, or which residual is too large. */
static void tell_more(const tool_loaded *loaded, const tn_step_report *report, char *text,
                      size_t size)
{
    text[0] = '\0';
    if (report->status == TN_ERROR_CONFLICT)
        tell_conflict(loaded, report, text, size);
    if (report->status == TN_ERROR_INACCURATE) {
        const imbalance_words *w = &imbalances[report->imbalance];
        snprintf(text, size, ": %.2g%s %s, where %.2g%s may be", w->factor * report->unbalanced,
                 w->unit, w->what, w->factor * report->allowed, w->unit);
    }
}

/* Names coordinates at the end of their range, at most this many: one of them may prevent the step. */
enum { MOST_ENDS = 3 };

static void tell_ends(const tool_loaded *loaded, run_result *result)
{
    const tn_model_size size = tn_model_get_size(loaded->model);
    int32_t told = 0;
    for (int32_t j = 0; j < size.joints; j++) {
        const tn_joint joint = {.i = j};
        const tn_joint_type_info *info = tn_model_joint_info(loaded->model, joint);
        for (int32_t i = 0; i < info->coordinate_count && told < MOST_ENDS; i++) {
            const size_t used = strlen(result->message);
            if (tn_sim_at_limit(loaded->sim, joint, i, NULL) == 0)
                continue;
            snprintf(result->message + used, sizeof result->message - used, "%s %s.%s",
                     told == 0 ? "; at the end of its range:" : ",",
                     tn_model_joint_name(loaded->model, joint), info->coordinates[i].name);
            told++;
        }
    }
}

/* Names dead points of driven coordinates, at most this many. */
enum { MOST_DEAD_POINTS = 3 };

static void tell_dead_points(const tool_loaded *loaded, const tn_dead_point *points, int32_t count,
                             run_result *result)
{
    for (int32_t k = 0; k < count && k < MOST_DEAD_POINTS; k++) {
        const tn_dead_point *point = &points[k];
        const tn_coordinate_info *info =
            tool_coordinate_info(loaded->model, point->joint, point->coordinate);
        const size_t used = strlen(result->message);
        snprintf(result->message + used, sizeof result->message - used,
                 "; %s.%s has a dead point at %.6g %s and cannot be driven further",
                 tn_model_joint_name(loaded->model, point->joint), info->name,
                 info->angular ? point->value * TOOL_DEGREES : point->value,
                 info->angular ? "deg" : "m");
    }
}

/* A drive into a dead point makes other speeds grow without bound; a coarser accuracy would not help. */
static const char *cause_of(tn_status status, int32_t dead_points)
{
    return status == TN_ERROR_STIFF && dead_points > 0 ? "speeds grow without bound"
                                                       : tn_status_text(status);
}

void run_step_failed(const tool_loaded *loaded, const run_plan *plan, const tn_step_report *report,
                     run_result *result)
{
    const char *kind = "";
    char more[RUN_MORE_SIZE];
    tn_dead_point points[MOST_DEAD_POINTS];
    int32_t count = 0;
    tell_more(loaded, report, more, sizeof more);
    if (report->culprit_joint.i >= 0) {
        kind = "joint";
        result->culprit = tn_model_joint_name(loaded->model, report->culprit_joint);
    } else if (report->culprit_load.i >= 0) {
        kind = "load";
        result->culprit = tn_model_load_name(loaded->model, report->culprit_load);
    } else if (report->culprit_body.i >= 0) {
        kind = "body";
        result->culprit = tn_model_body_name(loaded->model, report->culprit_body);
    }
    result->status = tool_status_word(report->status);
    result->exit_code = tool_exit_code(report->status);
    if (result->exit_code == TOOL_NUMERICAL &&
        tn_sim_dead_points(loaded->sim, points, MOST_DEAD_POINTS, &count) != TN_OK)
        count = 0;
    snprintf(result->message, sizeof result->message,
             "step %lld of %lld failed at t = %.9g s: %s%s%s%s%s%s", (long long)result->steps + 1,
             (long long)plan->grid.steps, tn_sim_time(loaded->sim), cause_of(report->status, count),
             result->culprit == NULL ? "" : ": ", kind, result->culprit == NULL ? "" : " ",
             result->culprit == NULL ? "" : result->culprit, more);
    if (result->exit_code == TOOL_NUMERICAL) {
        tell_dead_points(loaded, points, count, result);
        tell_ends(loaded, result);
    }
}
