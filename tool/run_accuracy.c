/* run_accuracy.c: the verdict on a whole run: what its steps made of nothing or lost, in all.
 *
 * Every step is judged by itself (docs/theory.md, "What is judged"); what adds up over the run is
 * judged here. Beyond what may be, the run ends with exit code 2.
 */
#include <math.h>

#include "json.h"
#include "run.h"
#include "tool.h"

void run_accuracy_end(const tool_loaded *loaded, run_result *result)
{
    if (!result->started)
        return;
    const tn_accuracy *a = &result->accuracy;
    result->accuracy = tn_sim_accuracy(loaded->sim);
    if (a->holds || result->exit_code != TOOL_OK)
        return;
    result->status = tool_status_word(TN_ERROR_INACCURATE);
    result->exit_code = TOOL_NUMERICAL;
    snprintf(
        result->message, sizeof result->message,
        "the run is not accurate: the steps made or lost %.3g J of %.3g J turned over, %.2g %% "
        "where %.2g %% may be: take shorter ones",
        a->energy_made, a->energy_turnover, 100.0 * a->energy_share, 100.0 * a->energy_allowed);
}

void run_accuracy_print(const run_result *result)
{
    const tn_accuracy *a = &result->accuracy;
    printf("  accuracy     energy off by %.2g %% of what was turned over (%.2g %% may be)%s\n",
           100.0 * a->energy_share, 100.0 * a->energy_allowed, a->holds ? "" : ": EXCEEDED");
}

void run_accuracy_write(tool_json *json, const run_result *result)
{
    const tn_accuracy *a = &result->accuracy;
    tool_json_open(json, "accuracy", '{');
    tool_json_text(json, "verdict", a->holds ? "within" : "exceeded");
    tool_json_open(json, "energy", '{');
    tool_json_number(json, "made", a->energy_made);
    tool_json_number(json, "turnover", a->energy_turnover);
    tool_json_number(json, "share", a->energy_share);
    tool_json_number(json, "allowed", a->energy_allowed);
    tool_json_close(json, '}');
    tool_json_close(json, '}');
}
