/* run_accuracy.c: the verdict on a whole run: what its steps made of nothing or lost, in all.
 *
 * Every step is verified by itself (docs/explanation/verification.md); what adds up over the run is
 * verified here. Beyond what may be, the run ends with exit code 2. Words and figures are the library's.
 */
#include "json.h"
#include "runs/run.h"
#include "tool.h"

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
