/* run_accuracy.c: the verdict on a whole run: what its steps made of nothing or lost, in all.
 *
 * Every step is judged by itself (docs/theory.md, "What is judged"); what adds up over the run is
 * judged here. Beyond what may be, the run ends with exit code 2.
 */
#include <math.h>

#include "json.h"
#include "run.h"
#include "tool.h"

/* A line of the verdict. */
typedef struct line {
    const char *key, *what;
    double worst, allowed;
} line;
enum { LINES = 4 };

static void lines_of(const tn_accuracy *a, line lines[LINES])
{
    lines[0] = (line){"energy", "made or lost, of the energy turned over", a->energy_share,
                      a->energy_allowed};
    lines[1] = (line){"forces", "on a body that its reactions leave, of the largest", a->force,
                      a->balance_allowed};
    lines[2] = (line){"moments", "on a body that its reactions leave, of the largest", a->moment,
                      a->balance_allowed};
    lines[3] = (line){"open", "joints, of the extent of their bodies", a->open, a->open_allowed};
}

/* NaN is too large. */
static bool exceeds(const line *l)
{
    return !(l->worst <= l->allowed);
}

void run_accuracy_end(const tool_loaded *loaded, run_result *result)
{
    line lines[LINES];
    if (!result->started)
        return;
    result->accuracy = tn_sim_accuracy(loaded->sim);
    lines_of(&result->accuracy, lines);
    for (int k = 0; k < LINES && result->exit_code == TOOL_OK; k++) {
        if (!exceeds(&lines[k]))
            continue;
        result->status = tool_status_word(TN_ERROR_INACCURATE);
        result->exit_code = TOOL_NUMERICAL;
        snprintf(
            result->message, sizeof result->message,
            "the run is not accurate: %s: %.2g %% %s, where %.2g %% may be: take shorter steps",
            lines[k].key, 100.0 * lines[k].worst, lines[k].what, 100.0 * lines[k].allowed);
    }
}

void run_accuracy_print(const run_result *result)
{
    line lines[LINES];
    lines_of(&result->accuracy, lines);
    printf("  accuracy     %s:", result->accuracy.holds ? "within tolerance" : "EXCEEDED");
    for (int k = 0; k < LINES; k++)
        printf("%s %s %.2g %% of %.2g", k > 0 ? "," : "", lines[k].key, 100.0 * lines[k].worst,
               100.0 * lines[k].allowed);
    putchar('\n');
}

void run_accuracy_write(tool_json *json, const run_result *result)
{
    line lines[LINES];
    lines_of(&result->accuracy, lines);
    tool_json_open(json, "accuracy", '{');
    tool_json_text(json, "verdict", result->accuracy.holds ? "within" : "exceeded");
    for (int k = 0; k < LINES; k++) {
        tool_json_open(json, lines[k].key, '{');
        tool_json_number(json, "worst", lines[k].worst);
        tool_json_number(json, "allowed", lines[k].allowed);
        tool_json_close(json, '}');
    }
    tool_json_close(json, '}');
}
