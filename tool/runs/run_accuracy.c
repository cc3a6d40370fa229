/* run_accuracy.c: the verdict on a whole run, and `tenon run --estimate`: how far a run of half the step ends up from this one, at worst.
 *
 * In: a simulation at its start. Out: the coordinate and the body that differ most at the end of any step, by how much
 * and when, between the run and one beside it in steps half as long; where an integrator controls its errors, in
 * the same steps to a tenth of the accuracy. With errors that fall as h^p the run itself is off by 2^p / (2^p - 1) of
 * that. Records and events are those of the run alone.
 *
 * The verdict: every step is verified by itself (docs/explanation/verification.md); what adds up over the run is
 * verified here. Beyond what may be, the run ends with exit code 2. Words and figures are the library's.
 */
#include <math.h>
#include <stdlib.h>

#include "json.h"
#include "runs/run.h"
#include "tenon/coords.h"
#include "tool.h"

#define FINER 0.1 /* of the accuracy */

/* What both runs have now, [2]: of the run, and of the finer one. */
typedef struct motions {
    double *coordinates[2], *poses[2];
} motions;

struct run_finer {
    tn_sim *sim;
    motions now;
};

static void free_motions(motions *m)
{
    for (int k = 0; k < 2; k++) {
        free(m->coordinates[k]);
        free(m->poses[k]);
    }
}

static bool make_motions(const tool_loaded *loaded, motions *m)
{
    const tn_model_size size = tn_model_get_size(loaded->model);
    bool good = true;
    for (int k = 0; k < 2; k++) {
        m->coordinates[k] = calloc((size_t)size.joints * TN_MAX_COORDINATES + 1, sizeof(double));
        m->poses[k] = calloc((size_t)size.bodies * 7 + 1, sizeof(double));
        good = good && m->coordinates[k] != NULL && m->poses[k] != NULL;
    }
    return good;
}

/* Does the integrator choose its own steps? Then it is the accuracy that is finer. */
static bool is_controlled(const tool_loaded *loaded)
{
    return tn_integrator_traits_of(loaded->options.integrator).divides_steps != 0;
}

static tn_sim_options finer_options(const tool_loaded *loaded)
{
    tn_sim_options options = loaded->options;
    if (!is_controlled(loaded))
        return options;
    if (options.accuracy > 0.0)
        options.accuracy *= FINER;
    options.relative_tolerance *= FINER;
    options.absolute_tolerance *= FINER;
    return options;
}

int run_estimate_begin(const tool_loaded *loaded, run_estimate *estimate)
{
    const tn_sim_options options = finer_options(loaded);
    estimate->controlled = is_controlled(loaded);
    estimate->finer = calloc(1, sizeof *estimate->finer);
    if (estimate->finer == NULL || !make_motions(loaded, &estimate->finer->now))
        return tool_exit_code(TN_ERROR_MEMORY);
    return tool_exit_code(
        tn_sim_create(loaded->model, &options, loaded->diags, &estimate->finer->sim));
}

void run_estimate_free(run_estimate *estimate)
{
    if (estimate->finer == NULL)
        return;
    tn_sim_destroy(estimate->finer->sim);
    free_motions(&estimate->finer->now);
    free(estimate->finer);
    estimate->finer = NULL;
}

/* The same step, in two halves where steps are of one length. */
static tn_status step_finely(const run_estimate *estimate, double h)
{
    tn_sim *sim = estimate->finer->sim;
    if (estimate->controlled)
        return tn_sim_take_step(sim, h, NULL);
    const tn_status status = tn_sim_take_step(sim, 0.5 * h, NULL);
    return status == TN_OK ? tn_sim_take_step(sim, 0.5 * h, NULL) : status;
}

static void note(run_difference *worst, double difference, double time, int32_t of,
                 int32_t coordinate)
{
    if (difference > worst->by || isnan(difference))
        *worst = (run_difference){difference, time, of, coordinate};
}

static void compare_coordinates(const tool_loaded *loaded, run_estimate *estimate, double time)
{
    const motions *now = &estimate->finer->now;
    const tn_model_size size = tn_model_get_size(loaded->model);
    for (int32_t j = 0; j < size.joints; j++) {
        const tn_joint_type_info *info = tn_model_joint_info(loaded->model, (tn_joint){j});
        for (int32_t i = 0; i < info->coordinate_count; i++) {
            const size_t at = (size_t)j * TN_MAX_COORDINATES + (size_t)i;
            const double by = fabs(now->coordinates[0][at] - now->coordinates[1][at]);
            note(info->coordinates[i].angular ? &estimate->angle : &estimate->length, by, time, j,
                 i);
        }
    }
}

static void compare_bodies(const tool_loaded *loaded, run_estimate *estimate, double time)
{
    const motions *now = &estimate->finer->now;
    const tn_model_size size = tn_model_get_size(loaded->model);
    for (int32_t b = 0; b < size.bodies; b++) {
        const double *one = now->poses[0] + 7 * (size_t)b, *other = now->poses[1] + 7 * (size_t)b;
        const double by = hypot(hypot(one[0] - other[0], one[1] - other[1]), one[2] - other[2]);
        note(&estimate->body, by, time, b, -1);
    }
}

void run_estimate_step(const tool_loaded *loaded, double h, run_estimate *estimate)
{
    if (estimate->finer == NULL || estimate->failed > 0.0)
        return;
    const double time = tn_sim_time(loaded->sim);
    if (step_finely(estimate, h) != TN_OK) {
        estimate->failed = time;
        return;
    }
    tn_sim *const both[2] = {loaded->sim, estimate->finer->sim};
    for (int k = 0; k < 2; k++) {
        tn_sim_get_coordinates(both[k], estimate->finer->now.coordinates[k]);
        tn_sim_get_poses(both[k], estimate->finer->now.poses[k]);
    }
    compare_coordinates(loaded, estimate, time);
    compare_bodies(loaded, estimate, time);
}

static const char *way_of(const run_estimate *estimate)
{
    return estimate->controlled ? "a tenth of the accuracy" : "half the step";
}

static const char *coordinate_name(const tool_loaded *loaded, const run_difference *worst)
{
    return tn_model_joint_info(loaded->model, (tn_joint){worst->of})
        ->coordinates[worst->coordinate]
        .name;
}

static void print_coordinate(const tool_loaded *loaded, const run_difference *worst,
                             const char *unit)
{
    if (worst->by > 0.0 || isnan(worst->by)) {
        printf("; %s.%s by %.3g %s at %.6g s",
               tn_model_joint_name(loaded->model, (tn_joint){worst->of}),
               coordinate_name(loaded, worst), worst->by, unit, worst->time);
    }
}

void run_estimate_print(const tool_loaded *loaded, const run_estimate *estimate)
{
    if (!estimate->on)
        return;
    const run_difference *body = &estimate->body;
    printf("  estimate     with %s", way_of(estimate));
    if (body->by > 0.0 || isnan(body->by)) {
        printf(" body '%s' is off by %.3g m at %.6g s",
               tn_model_body_name(loaded->model, (tn_body){body->of}), body->by, body->time);
    } else {
        printf(" no body is off");
    }
    print_coordinate(loaded, &estimate->angle, "rad");
    print_coordinate(loaded, &estimate->length, "m");
    if (estimate->failed > 0.0)
        printf("; that run failed at %.6g s", estimate->failed);
    putchar('\n');
}

static void write_difference(tool_json *json, const char *key, const tool_loaded *loaded,
                             const run_difference *worst)
{
    tool_json_open(json, key, '{');
    const bool any = worst->by > 0.0 || isnan(worst->by);
    if (worst->coordinate >= 0) {
        tool_json_text(json, "joint",
                       any ? tn_model_joint_name(loaded->model, (tn_joint){worst->of}) : NULL);
        tool_json_text(json, "coordinate", any ? coordinate_name(loaded, worst) : NULL);
    } else {
        tool_json_text(json, "name",
                       any ? tn_model_body_name(loaded->model, (tn_body){worst->of}) : NULL);
    }
    tool_json_number(json, "difference", worst->by);
    tool_json_number(json, "time", any ? worst->time : (double)NAN);
    tool_json_close(json, '}');
}

void run_estimate_write(tool_json *json, const tool_loaded *loaded, const run_estimate *estimate)
{
    if (!estimate->on)
        return;
    tool_json_open(json, "estimate", '{');
    tool_json_text(json, "beside", way_of(estimate));
    write_difference(json, "body", loaded, &estimate->body);
    write_difference(json, "angle", loaded, &estimate->angle);
    write_difference(json, "length", loaded, &estimate->length);
    tool_json_number(json, "failed_at", estimate->failed > 0.0 ? estimate->failed : (double)NAN);
    tool_json_close(json, '}');
}

enum { SENTENCE = 1024 };

void run_accuracy_end(const tool_loaded *loaded, run_result *result)
{
    if (!result->started)
        return;
    result->accuracy = tn_sim_accuracy(loaded->sim);
    if (result->accuracy.holds || result->exit_code != TOOL_OK)
        return;
    result->status = tool_status_word(TN_ERROR_INACCURATE);
    result->exit_code = TOOL_NUMERICAL;
    tn_accuracy_complain(&result->accuracy, result->message, sizeof result->message);
}

void run_accuracy_print(const run_result *result)
{
    char text[SENTENCE];
    tn_accuracy_print(&result->accuracy, text, sizeof text);
    printf("  accuracy     %s\n", text);
}

void run_accuracy_write(tool_json *json, const run_result *result)
{
    const tn_accuracy *a = &result->accuracy;
    char text[SENTENCE];
    tn_accuracy_print(a, text, sizeof text);
    tool_json_open(json, "accuracy", '{');
    tool_json_text(json, "verdict", tn_verdict_word(a->verdict));
    tool_json_text(json, "text", text);
    tool_json_integer(json, "order", a->order);
    tool_json_number(json, "exceeded_at", a->exceeded_at);
    for (int32_t k = 0; k < tn_accuracy_figure_count(); k++) {
        const tn_accuracy_figure figure = tn_accuracy_get_figure(a, k);
        tool_json_open(json, figure.name, '{');
        tool_json_number(json, "worst", figure.worst);
        tool_json_number(json, "allowed", figure.allowed);
        tool_json_close(json, '}');
    }
    tool_json_number(json, "energy_made", a->energy_made);
    tool_json_number(json, "energy_faded", a->energy_faded);
    tool_json_number(json, "energy_turnover", a->energy_turnover);
    tool_json_close(json, '}');
}
