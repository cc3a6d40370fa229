/* run_audit.c: `tenon run --audit`: every step is asked whether it obeys mechanics.
 *
 * Newton and Euler for every body with the reported reactions, the joints' residuals, and the
 * energy where nothing may take any.
 */
#include <math.h>
#include <stddef.h>

#include "math/worst.h"
#include "json.h"
#include "run.h"
#include "tool.h"

#define AUDIT_POSITION 1e-9 /* m: a hundred times what the default step accepts */
#define AUDIT_ANGLE    1e-9 /* rad */
/* Share of the energy turned over: what a second-order method may lose at a sensible step. */
#define AUDIT_ENERGY 1e-2
/* Share of the total that counts as turned over in any case: what round-off moves is no motion. */
#define AUDIT_REST 1e-9

/* A line of the table and of the report. */
typedef struct audit_line {
    const char *key, *text;
    double allowed;
    size_t offset;  /* of the value */
    size_t applies; /* of the bool that says whether it is judged */
} audit_line;

static const audit_line lines[] = {
    {"force_balance", "forces on each body", RUN_AUDIT_FORCE, offsetof(run_audit, force),
     offsetof(run_audit, balanced)},
    {"moment_balance", "moments on each body", RUN_AUDIT_FORCE, offsetof(run_audit, moment),
     offsetof(run_audit, balanced)},
    {"position_error", "joint error, m", AUDIT_POSITION, offsetof(run_audit, position),
     offsetof(run_audit, closed)},
    {"angle_error", "joint error, rad", AUDIT_ANGLE, offsetof(run_audit, angle),
     offsetof(run_audit, closed)},
    {"energy_drift", "energy, relative", AUDIT_ENERGY, offsetof(run_audit, energy),
     offsetof(run_audit, conservative)},
};
enum { LINES = sizeof lines / sizeof lines[0] };

static double value_of(const run_audit *audit, const audit_line *line)
{
    return *(const double *)(const void *)((const char *)audit + line->offset);
}

static bool applies(const run_audit *audit, const audit_line *line)
{
    return *(const bool *)(const void *)((const char *)audit + line->applies);
}

static bool exceeds(const run_audit *audit, const audit_line *line)
{
    return applies(audit, line) && !(value_of(audit, line) <= line->allowed);
}

static bool is_damped(const tool_loaded *loaded)
{
    const tn_world_def *world = tn_spec_world(loaded->spec);
    bool damped = false;
    for (int32_t i = 0; i < tn_spec_body_count(loaded->spec); i++) {
        const tn_body_def *body = tn_spec_body(loaded->spec, (tn_body){i});
        damped = damped ||
                 (isnan(body->frame_damping) ? world->frame_damping : body->frame_damping) > 0.0 ||
                 (isnan(body->rotary_damping) ? world->rotary_damping : body->rotary_damping) > 0.0;
    }
    for (int32_t j = 0; j < tn_model_get_size(loaded->model).joints; j++) {
        double compliance[TN_MAX_ROWS] = {0}, damping[TN_MAX_ROWS] = {0};
        tn_model_joint_compliance(loaded->model, (tn_joint){j}, compliance, damping);
        for (int k = 0; k < TN_MAX_ROWS; k++)
            damped = damped || (compliance[k] > 0.0 && damping[k] > 0.0);
    }
    return damped;
}

/* What stays: what the bodies and springs have, less what drives put in, plus what friction took.
 */
static double books(const tn_energy *energy)
{
    return energy->total - energy->work + energy->lost;
}

static double turnover(const tn_energy *energy)
{
    return fmax(fmax(energy->kinetic, fabs(energy->work)),
                fmax(energy->lost, AUDIT_REST * fabs(energy->total)));
}

void run_audit_begin(const tool_loaded *loaded, run_audit *audit)
{
    if (!audit->on)
        return;
    const tn_energy energy = tn_sim_energy(loaded->sim);
    const tn_integrator_traits traits = tn_integrator_traits_of(loaded->options.integrator);
    audit->balanced = traits.accelerations;
    audit->closed = traits.closes_joints && loaded->options.solver == TN_SOLVER_DIRECT;
    audit->conservative = audit->balanced && !is_damped(loaded);
    audit->energy_start = books(&energy);
    audit->turnover = turnover(&energy);
}

static void add_energy(const tool_loaded *loaded, run_audit *audit)
{
    const tn_energy energy = tn_sim_energy(loaded->sim);
    audit->energy_drift = tn_worst(audit->energy_drift, fabs(books(&energy) - audit->energy_start));
    audit->turnover = tn_worst(audit->turnover, turnover(&energy));
    audit->energy = audit->energy_drift == 0.0 ? 0.0 : audit->energy_drift / audit->turnover;
    for (int32_t k = 0; k < tn_sim_event_count(loaded->sim) && k < TN_EVENTS_KEPT; k++)
        if (tn_sim_event(loaded->sim, k)->kind != TN_EVENT_LIMIT_RELEASED)
            audit->conservative = false;
}

void run_audit_step(const tool_loaded *loaded, run_audit *audit)
{
    if (!audit->on)
        return;
    const tn_residuals residuals = tn_sim_residuals(loaded->sim);
    tn_balance balance;
    audit->steps++;
    audit->position = tn_worst(audit->position, residuals.position);
    audit->angle = tn_worst(audit->angle, residuals.angle);
    if (audit->balanced && tn_sim_balance(loaded->sim, &balance) == TN_OK) {
        audit->force = tn_worst(audit->force, balance.force);
        audit->moment = tn_worst(audit->moment, balance.moment);
    }
    add_energy(loaded, audit);
}

void run_audit_end(run_result *result)
{
    run_audit *audit = &result->audit;
    if (!audit->on || !result->started)
        return;
    audit->passed = true;
    for (int i = 0; i < LINES; i++) {
        if (!exceeds(audit, &lines[i]))
            continue;
        audit->passed = false;
        if (result->exit_code != TOOL_OK)
            continue;
        result->status = "audit_failed";
        result->exit_code = TOOL_NUMERICAL;
        snprintf(result->message, sizeof result->message, "audit failed: %s: %.3g, allowed %.3g",
                 lines[i].text, value_of(audit, &lines[i]), lines[i].allowed);
    }
}

void run_audit_print(const run_audit *audit)
{
    if (!audit->on)
        return;
    printf("  audit        %s over %lld steps\n", audit->passed ? "passed" : "FAILED",
           (long long)audit->steps);
    for (int i = 0; i < LINES; i++) {
        printf("    %-22s %9.2g", lines[i].text, value_of(audit, &lines[i]));
        if (applies(audit, &lines[i]))
            printf("  allowed %.0e%s\n", lines[i].allowed,
                   exceeds(audit, &lines[i]) ? "  EXCEEDED" : "");
        else
            printf("  not judged\n");
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
        tool_json_open(json, lines[i].key, '{');
        tool_json_number(json, "worst", value_of(audit, &lines[i]));
        tool_json_number(json, "allowed", applies(audit, &lines[i]) ? lines[i].allowed : NAN);
        tool_json_close(json, '}');
    }
    tool_json_close(json, '}');
}
