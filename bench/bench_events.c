/* bench_events: fixed steps of a model, sorted by what happens in them, for bench/events to count the instructions of.
 *
 *     bench_events MODEL STEP STEPS [KEYFRAME]
 *
 * The run is taken twice, with the same bits: the first run counts the events of each step, the second calls steps with events, the
 * SETTLING steps after them, and all others through functions of their own. Prints how many there were of each, and the events.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tenon/io.h"
#include "tenon/tenon.h"

/* Steps after an event in which the predictor has fewer steps to go by than it uses. */
#define SETTLING 12

static void stop(const char *what, tn_status status, tn_diagnostics *problems)
{
    fprintf(stderr, "bench_events: %s: %s\n", what, tn_status_text(status));
    tn_diagnostics_print(problems, stderr, NULL, 0);
    exit(1);
}

static tn_sim *start(const tn_model *model)
{
    tn_sim_options options = tn_default_sim_options(model);
    options.integrator = TN_GENERALIZED_ALPHA;
    tn_sim *sim = NULL;
    const tn_status status = tn_sim_create(model, &options, NULL, &sim);
    if (status != TN_OK)
        stop("start", status, NULL);
    return sim;
}

/* Events of the step. */
static int take(tn_sim *sim, double h)
{
    tn_step_report report;
    const tn_status status = tn_sim_step(sim, h, &report);
    if (status != TN_OK)
        stop("step", status, NULL);
    return report.events;
}

/* The sort of the step taken last: three functions that differ in nothing would be made one. */
static volatile int sort_now;

#define STEP_OF(sort, number)                                                                      \
    __attribute__((noinline)) static int sort##_step(tn_sim *sim, double h)                        \
    {                                                                                              \
        const int events = take(sim, h);                                                           \
        sort_now = number;                                                                         \
        return events;                                                                             \
    }
STEP_OF(event, 0)
STEP_OF(settling, 1)
STEP_OF(plain, 2)

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "bench_events MODEL STEP STEPS [KEYFRAME]\n");
        return 2;
    }
    const double h = atof(argv[2]);
    const int steps = atoi(argv[3]);
    const tn_setting setting = {"keyframe", argc > 4 ? argv[4] : ""};
    tn_diagnostics *problems = tn_diagnostics_create();
    tn_spec *spec = NULL;
    tn_model *model = NULL;
    tn_status status = tn_spec_read_file_with(argv[1], &setting, argc > 4, problems, &spec);
    if (status == TN_OK)
        status = tn_model_compile(spec, problems, &model);
    int *events = calloc((size_t)(steps > 0 ? steps : 1), sizeof *events);
    if (status != TN_OK || !events)
        stop(argv[1], status, problems);
    tn_sim *sim = start(model);
    for (int k = 0; k < steps; k++)
        events[k] = take(sim, h);
    tn_sim_destroy(sim);
    int count[3] = {0, 0, 0}, all = 0, since = 0;
    sim = start(model);
    for (int k = 0; k < steps; k++) {
        since = events[k] > 0 ? 0 : since + 1;
        const int sort = since == 0 ? 0 : since <= SETTLING ? 1 : 2;
        count[sort]++;
        all += sort == 0   ? event_step(sim, h)
               : sort == 1 ? settling_step(sim, h)
                           : plain_step(sim, h);
    }
    printf("%d event steps, %d settling steps, %d plain steps, %d events\n", count[0], count[1],
           count[2], all);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(problems);
    free(events);
    return 0;
}
