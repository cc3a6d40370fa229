/* run_report.c: what came of a run: one JSON object for programs, a few lines for people. */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "json.h"
#include "runs/run.h"

/* Members of the report that are plain fields of run_result. */
typedef struct report_field {
    const char *key;
    bool integer;
    size_t offset;
} report_field;

#define INTEGER(name)                                                                              \
    {                                                                                              \
#name, true, offsetof(run_result, name)                                                    \
    }
#define NUMBER(name)                                                                               \
    {                                                                                              \
#name, false, offsetof(run_result, name)                                                   \
    }

static const report_field report_fields[] = {
    INTEGER(steps),
    NUMBER(sim_time),
    NUMBER(wall_s),
    NUMBER(cpu_s),
    INTEGER(bodies),
    INTEGER(joints),
    INTEGER(dof),
    INTEGER(rows),
    INTEGER(compliant),
    INTEGER(rank),
    INTEGER(redundant),
    NUMBER(max_position_error),
    NUMBER(max_angle_error),
    NUMBER(max_gap),
    NUMBER(max_gap_angle),
    NUMBER(energy_initial),
    NUMBER(energy_final),
    NUMBER(energy_max_drift),
    NUMBER(energy_work),
    NUMBER(energy_lost),
    INTEGER(factorizations),
    INTEGER(solves),
    INTEGER(fallbacks),
    INTEGER(halvings),
    INTEGER(parts),
    INTEGER(implicit_parts),
    INTEGER(rejections),
    NUMBER(shortest_part),
    NUMBER(longest_part),
    INTEGER(folds),
    NUMBER(fold_distance),
    NUMBER(fold_time),
    INTEGER(sweeps),
    NUMBER(sweep_residual),
    NUMBER(step_us_per_joint),
};

static void write_field(tool_json *json, const report_field *field, const run_result *result)
{
    const char *at = (const char *)result + field->offset;
    int64_t integer;
    double number;
    if (!result->started) {
        tool_json_null(json, field->key);
    } else if (field->integer) {
        memcpy(&integer, at, sizeof integer);
        if (integer < 0) {
            tool_json_null(json, field->key);
        } else {
            tool_json_integer(json, field->key, integer);
        }
    } else {
        memcpy(&number, at, sizeof number);
        tool_json_number(json, field->key, number);
    }
}

/* NULL where there is no choice. */
static const char *formulation_of(const tool_loaded *loaded)
{
    return tn_integrator_traits_of(loaded->options.integrator).formulations
               ? tn_formulation_name(loaded->options.formulation)
               : NULL;
}

static bool has_accuracy(const tool_loaded *loaded)
{
    return loaded->options.accuracy > 0.0;
}

void run_write_report(FILE *stream, const char *model_path, const tool_loaded *loaded,
                      const run_plan *plan, const run_result *result)
{
    tool_json json = tool_json_begin(stream);
    tool_json_open(&json, NULL, '{');
    tool_json_text(&json, "status", result->status);
    for (size_t i = 0; i < sizeof report_fields / sizeof report_fields[0]; i++)
        write_field(&json, &report_fields[i], result);
    tool_json_text(&json, "model", model_path);
    tool_json_text(&json, "integrator",
                   result->started ? tn_integrator_name(loaded->options.integrator) : NULL);
    tool_json_text(&json, "formulation", result->started ? formulation_of(loaded) : NULL);
    tool_json_text(&json, "solver",
                   result->started ? tn_solver_name(loaded->options.solver) : NULL);
    tool_json_number(&json, "relative_accuracy",
                     has_accuracy(loaded) ? loaded->options.accuracy : NAN);
    tool_json_number(&json, "step", result->started ? plan->grid.step : NAN);
    tool_json_text(&json, "fold_joint", result->fold_joint);
    run_audit_write(&json, &result->audit);
    if (result->started) {
        run_accuracy_write(&json, result);
        run_estimate_write(&json, loaded, &result->estimate);
        run_history_write(&json, result);
        run_events_write(&json, &result->events, loaded);
        run_measures_write(&json, &result->measures, loaded);
    }
    run_unique_write(&json, loaded, result);
    tool_json_text(&json, "message", result->message[0] == '\0' ? NULL : result->message);
    tool_json_text(&json, "culprit", result->culprit);
    tool_json_close(&json, '}');
}

static const char *plural(int64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

static void print_size(const run_result *r)
{
    printf("  size         %" PRId64 " %s, %" PRId64 " %s, %" PRId64 " %s", r->bodies,
           plural(r->bodies, "body", "bodies"), r->joints, plural(r->joints, "joint", "joints"),
           r->rows, plural(r->rows, "row", "rows"));
    if (r->compliant > 0)
        printf(", %" PRId64 " compliant,", r->compliant);
    if (r->rank >= 0) {
        printf(" of rank %" PRId64 " (%" PRId64 " redundant), %" PRId64 " %s of freedom", r->rank,
               r->redundant, r->dof, plural(r->dof, "degree", "degrees"));
    }
    putchar('\n');
}

/* s: shorter ones are what rounding leaves of a time. */
#define NO_TIME 1e-12

void run_print_lengths(double shortest, double longest, double sim_time)
{
    const double most = fmin(longest, sim_time), least = fmin(shortest, most);
    if (least < NO_TIME)
        printf("at most %.3g s", most);
    else if (most <= (1.0 + NO_TIME) * least)
        printf("%.3g s", most);
    else
        printf("%.3g to %.3g s", least, most);
}

static void print_effort(const run_result *r)
{
    double steps = r->steps > 0 ? (double)r->steps : 1.0;
    printf("  time         %.3g s, %.3g us a step in the solver (%.3g us a joint), "
           "%.3g x real time\n",
           r->wall_s, 1e6 * r->step_cpu_s / steps, r->step_us_per_joint, r->sim_time / r->wall_s);
    printf("  solver       %" PRId64 " factorizations, %" PRId64 " solves", r->factorizations,
           r->solves);
    if (r->fallbacks > 0)
        printf(", %" PRId64 " %s", r->fallbacks, plural(r->fallbacks, "fallback", "fallbacks"));
    if (r->halvings > 0)
        printf(", %" PRId64 " halved %s", r->halvings, plural(r->halvings, "step", "steps"));
    putchar('\n');
    if (r->parts > 0) {
        printf("  parts        %" PRId64 " of ", r->parts);
        run_print_lengths(r->shortest_part, r->longest_part, r->sim_time);
        printf(", %" PRId64 " of them implicit, %" PRId64 " more rejected\n", r->implicit_parts,
               r->rejections);
    }
    run_history_print(r);
    if (r->sweeps > 0) {
        printf("  impulses     %" PRId64 " sweeps, %.2g m/s or rad/s left at worst\n", r->sweeps,
               r->sweep_residual);
    }
}

/* Of the energy there is or was turned over, what is no work but rounding of a start. */
#define NO_WORK 1e-12

/* Likewise of one of both, where the other is some: steps know them no better. */
#define NO_SHARE 1e-9

/* What nothing drives and nothing brakes shows by how far its energy is off at worst. */
static void print_energy(const run_result *r)
{
    const double most = fmax(fabs(r->energy_initial), fabs(r->energy_final));
    const double none = NO_WORK * fmax(r->accuracy.energy_turnover, most);
    printf("  energy       %.9g J at the start, %.9g J at the end", r->energy_initial,
           r->energy_final);
    if (!(fmax(fabs(r->energy_work), r->energy_lost) <= none)) {
        const double least = NO_SHARE * fmax(r->accuracy.energy_turnover, most);
        printf("; %.3g J put in, %.3g J lost\n",
               fabs(r->energy_work) <= least ? 0.0 : r->energy_work,
               fabs(r->energy_lost) <= least ? 0.0 : r->energy_lost);
    } else {
        printf(", at most %.3g J away\n", r->energy_max_drift);
    }
}

void run_print_summary(const char *title, const tool_loaded *loaded, const run_plan *plan,
                       const run_result *r, const char *const *files, int64_t frames)
{
    const int by_speeds = loaded->options.formulation != TN_INDEX_3 && formulation_of(loaded);
    printf("%s: %.9g s in %" PRId64 " %s of %g s with %s%s%s", title, r->sim_time, r->steps,
           plural(r->steps, "step", "steps"), plan->grid.step,
           tn_integrator_name(loaded->options.integrator), by_speeds ? ", " : "",
           by_speeds ? formulation_of(loaded) : "");
    if (has_accuracy(loaded))
        printf(", accuracy %g", loaded->options.accuracy);
    putchar('\n');
    print_size(r);
    print_effort(r);
    if (r->is_moved) {
        printf(
            "  moved        %.3g m, %.3g rad from the file at the start, to close the joints, to "
            "what is set, and to where drives begin\n",
            r->moved.distance, r->moved.angle);
    }
    printf("  joint error  %.2g m, %.2g rad at worst\n", r->max_position_error, r->max_angle_error);
    if (fmax(r->max_gap, r->max_gap_angle) > 0.0) {
        printf(
            "  open loops   %.2g m, %.2g rad: their geometry is not exact, no pose closes them\n",
            r->max_gap, r->max_gap_angle);
    }
    if (r->folds > 0) {
        printf("  singular     %" PRId64
               " %s near a change point, nearest at %.6g s, joint '%s', rows %.1e from "
               "dependent\n",
               r->folds, plural(r->folds, "step", "steps"), r->fold_time, r->fold_joint,
               r->fold_distance);
    }
    print_energy(r);
    run_accuracy_print(r);
    run_audit_print(&r->audit);
    run_estimate_print(loaded, &r->estimate);
    run_measures_print(&r->measures, loaded);
    run_unique_print(loaded, r);
    run_events_print(&r->events, loaded);
    if (r->stopped)
        printf("  stopped      as requested\n");
    for (int i = 0; files[i] != NULL; i++) {
        printf("  written      %s (%" PRId64 " %s)\n", files[i], frames,
               plural(frames, "frame", "frames"));
    }
}
