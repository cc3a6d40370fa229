/* run_audit.c: `tenon run --audit`: every step is checked against the laws of mechanics, strictly.
 *
 * In every step Newton and Euler for every body with the reported reactions, and the joints'
 * residuals; over the run the energy. Every run is verified: integrators that have no accelerations
 * by what their steps make of the velocities, of one body in 64, cyclically; those that do
 * not close joints to a tolerance by what stays open of the extent of the bodies
 * (tn_sim_accuracy).
 */
#include <math.h>
#include <stddef.h>

#include "json.h"
#include "runs/run.h"
#include "tool.h"

#define AUDIT_POSITION 1e-9 /* m: a hundred times what the default step accepts */
#define AUDIT_ANGLE    1e-9 /* rad */

/* A line of the table and of the report. */
typedef struct audit_line {
    const char *key, *text;
    size_t offset; /* of the figure */
} audit_line;

static const audit_line lines[] = {
    {"force_balance", "forces on each body", offsetof(run_audit, force)},
    {"moment_balance", "moments on each body", offsetof(run_audit, moment)},
    {"position_error", "joint error, m", offsetof(run_audit, position)},
    {"angle_error", "joint error, rad", offsetof(run_audit, angle)},
    {"joints_open", "joint error, of extent", offsetof(run_audit, open)},
    {"energy_drift", "energy, relative", offsetof(run_audit, energy)},
};
enum { LINES = sizeof lines / sizeof lines[0] };

static const run_figure *figure_of(const run_audit *audit, const audit_line *line)
{
    return (const run_figure *)(const void *)((const char *)audit + line->offset);
}

/* NaN is too large. Without a bound another line decides. */
static bool is_judged(const run_figure *figure)
{
    return !isnan(figure->allowed);
}

static bool exceeds(const run_figure *figure)
{
    return is_judged(figure) && !(figure->worst <= figure->allowed);
}

void run_audit_begin(const tool_loaded *loaded, run_audit *audit)
{
    if (!audit->on)
        return;
    const tn_integrator_traits traits = tn_integrator_traits_of(loaded->options.integrator);
    const tn_accuracy accuracy = tn_sim_accuracy(loaded->sim);
    const bool closed = traits.closes_joints && loaded->options.solver == TN_SOLVER_DIRECT;
    audit->balanced = traits.accelerations;
    audit->force.allowed = audit->balanced ? RUN_AUDIT_FORCE : accuracy.balance_allowed;
    audit->moment.allowed = audit->force.allowed;
    audit->position.allowed = closed ? AUDIT_POSITION : NAN;
    audit->angle.allowed = closed ? AUDIT_ANGLE : NAN;
    audit->open.allowed = closed ? NAN : accuracy.open_allowed;
    audit->energy.allowed = accuracy.energy_allowed;
}

static void note(run_figure *figure, double value)
{
    figure->worst = fmax(figure->worst, value);
}

void run_audit_step(const tool_loaded *loaded, run_audit *audit)
{
    if (!audit->on)
        return;
    const tn_residuals residuals = tn_sim_residuals(loaded->sim);
    const tn_accuracy accuracy = tn_sim_accuracy(loaded->sim);
    tn_balance balance = {accuracy.force, accuracy.moment, {-1}};
    audit->steps++;
    note(&audit->position, residuals.position);
    note(&audit->angle, residuals.angle);
    note(&audit->open, accuracy.open);
    note(&audit->energy, accuracy.energy_share);
    if (!audit->balanced || tn_sim_balance(loaded->sim, &balance) == TN_OK) {
        note(&audit->force, balance.force);
        note(&audit->moment, balance.moment);
    }
}

void run_audit_end(run_result *result)
{
    run_audit *audit = &result->audit;
    if (!audit->on || !result->started)
        return;
    audit->passed = true;
    for (int i = 0; i < LINES; i++) {
        const run_figure *figure = figure_of(audit, &lines[i]);
        if (!exceeds(figure))
            continue;
        audit->passed = false;
        if (result->exit_code != TOOL_OK)
            continue;
        result->status = "audit_failed";
        result->exit_code = TOOL_NUMERICAL;
        snprintf(result->message, sizeof result->message, "audit failed: %s: %.3g, allowed %.3g",
                 lines[i].text, figure->worst, figure->allowed);
    }
}

void run_audit_print(const run_audit *audit)
{
    if (!audit->on)
        return;
    printf("  audit        %s over %lld steps\n", audit->passed ? "passed" : "FAILED",
           (long long)audit->steps);
    for (int i = 0; i < LINES; i++) {
        const run_figure *figure = figure_of(audit, &lines[i]);
        if (is_judged(figure)) {
            printf("    %-22s %9.2g  allowed %.0e%s\n", lines[i].text, figure->worst,
                   figure->allowed, exceeds(figure) ? "  EXCEEDED" : "");
        }
    }
}

void run_audit_write(tool_json *json, const run_audit *audit)
{
    if (!audit->on)
        return;
    tool_json_open(json, "audit", '{');
    tool_json_text(json, "verdict", audit->passed ? "passed" : "failed");
    tool_json_integer(json, "steps", audit->steps);
    for (int i = 0; i < LINES; i++) {
        const run_figure *figure = figure_of(audit, &lines[i]);
        tool_json_open(json, lines[i].key, '{');
        tool_json_number(json, "worst", figure->worst);
        tool_json_number(json, "allowed", figure->allowed);
        tool_json_close(json, '}');
    }
    tool_json_close(json, '}');
}
