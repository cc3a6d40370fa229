/* run_history.c: what parts of steps an integrator that controls its errors took, by kind: how many,
 * how long, and how many it took again, shorter, and why.
 */
#include <inttypes.h>
#include <math.h>

#include "json.h"
#include "runs/run.h"

static const char *const kinds[TN_PARTS_KIND_COUNT] = {
#define KIND_NAME(kind, name) #name,
    TN_PARTS_KIND_LIST(KIND_NAME)
#undef KIND_NAME
};

static void add(run_history *sum, const tn_part_history *step)
{
    if (step->taken > 0)
        sum->shortest = sum->taken == 0 ? step->shortest : fmin(sum->shortest, step->shortest);
    sum->longest = fmax(sum->longest, step->longest);
    sum->taken += step->taken;
    sum->off += step->off;
    sum->unsolved += step->unsolved;
    sum->unbalanced += step->unbalanced;
}

void run_history_add(run_result *result, const tn_step_report *report)
{
    for (int k = 0; k < TN_PARTS_KIND_COUNT; k++)
        add(&result->history[k], &report->history[k]);
}

static bool is_used(const run_history *h)
{
    return h->taken + h->off + h->unsolved + h->unbalanced > 0;
}

void run_history_print(const run_result *result)
{
    for (int k = 0; k < TN_PARTS_KIND_COUNT; k++) {
        const run_history *h = &result->history[k];
        if (!is_used(h))
            continue;
        printf("    %-10s %" PRId64 " %s", kinds[k], h->taken, h->taken == 1 ? "part" : "parts");
        if (h->taken > 0) {
            printf(" of ");
            run_print_lengths(h->shortest, h->longest, result->sim_time);
        }
        printf("; taken again: %" PRId64 " for their error, %" PRId64 " unsolved, %" PRId64
               " that did not balance\n",
               h->off, h->unsolved, h->unbalanced);
    }
}

void run_history_write(tool_json *json, const run_result *result)
{
    tool_json_open(json, "history", '{');
    for (int k = 0; k < TN_PARTS_KIND_COUNT; k++) {
        const run_history *h = &result->history[k];
        tool_json_open(json, kinds[k], '{');
        tool_json_integer(json, "taken", h->taken);
        tool_json_number(json, "shortest", h->shortest);
        tool_json_number(json, "longest", h->longest);
        tool_json_integer(json, "rejected_error", h->off);
        tool_json_integer(json, "rejected_unsolved", h->unsolved);
        tool_json_integer(json, "rejected_unbalanced", h->unbalanced);
        tool_json_close(json, '}');
    }
    tool_json_close(json, '}');
}
