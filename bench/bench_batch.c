/* bench_batch: what a step of many chains costs that are stepped together.
 *
 * count chains of n boxes of 0.1 x 0.02 x 0.02 m, density 1000 kg/m^3, on hinges, each from a pose and
 * with speeds of its own, by generalized_alpha in steps of 1e-3 s, on one thread. Chains in a plane's
 * two directions (axes y, x in turn) and in all (y, x, (1, 1, 1)). Prints the least CPU time of a few
 * runs in nanoseconds per joint and step: alone, each by tn_sim_step; in a batch, for calls of one step
 * and of many; and at every width the machine has.
 *
 *     bench_batch [chains, default 4096] [links, default 10]
 *
 * Under valgrind --tool=callgrind --toggle-collect=tn_lane_run with few chains: instructions.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/base.h"
#include "batch/batch.h"
#include "lanes/lanes.h"
#include "tenon/tenon.h"

#define LINK 0.1  /* m */
#define STEP 1e-3 /* s */

enum { RUNS = 5, STEPS = 50, WARM_UP = 5 };

static void stop_if(tn_status status, const char *what)
{
    if (status == TN_OK)
        return;
    fprintf(stderr, "bench_batch: %s: %s\n", what, tn_status_text(status));
    exit(1);
}

static void add_link(tn_spec *spec, int32_t k, int32_t period)
{
    static const tn_vec3 axes[3] = {{0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    tn_shape_def box = tn_default_shape_def(TN_SHAPE_BOX);
    box.size = (tn_vec3){LINK, 0.02, 0.02};
    tn_body_def link = tn_default_body_def();
    link.pose.p.x = LINK * (k + 0.5);
    link.shapes = &box;
    link.shape_count = 1;
    link.density = 1000.0;
    tn_spec_add_body(spec, &link, NULL);
    tn_joint_def hinge = tn_default_joint_def();
    hinge.type = "hinge";
    hinge.a.i = k;
    hinge.b.i = k == 0 ? TN_GROUND_INDEX : k - 1;
    hinge.placement = TN_PLACE_AXIS;
    hinge.origin = (tn_vec3){LINK * k, 0.0, 0.0};
    hinge.axis = axes[k % period];
    tn_spec_add_joint(spec, &hinge, NULL);
}

static tn_model *make_model(int32_t n, int32_t period)
{
    tn_spec *spec = tn_spec_create();
    for (int32_t k = 0; k < n; k++)
        add_link(spec, k, period);
    tn_model *model = NULL;
    stop_if(tn_model_compile(spec, NULL, &model), "compiling");
    tn_spec_destroy(spec);
    return model;
}

static tn_batch *make_batch(const tn_model *model, int32_t count, int32_t n, int32_t lanes)
{
    tn_sim_options options = tn_default_sim_options(model);
    tn_batch *batch = NULL;
    double *q = calloc((size_t)count * (size_t)n, sizeof *q);
    double *speed = calloc((size_t)count * (size_t)n, sizeof *speed);
    options.integrator = TN_GENERALIZED_ALPHA;
    stop_if(tn_batch_create_wide(&model, 1, count, &options, 1, lanes, NULL, &batch),
            "making the batch");
    for (int32_t k = 0; k < count * n; k++) {
        q[k] = 0.3 * sin(1.7 * k);
        speed[k] = 0.5 * cos(2.3 * k);
    }
    stop_if(tn_batch_place(batch, q, speed, NULL), "placing");
    free(q);
    free(speed);
    stop_if(tn_batch_step(batch, STEP, WARM_UP, NULL, NULL), "the first steps");
    return batch;
}

static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ns per joint and step of `calls` calls of `each` steps. */
static double measure(tn_batch *batch, int32_t n, int32_t calls, int32_t each)
{
    double best = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        const double start = cpu();
        for (int32_t k = 0; k < calls; k++)
            stop_if(tn_batch_step(batch, STEP, each, NULL, NULL), "stepping");
        best = fmin(best, cpu() - start);
    }
    const double joint_steps = (double)tn_batch_count(batch) * n * calls * each;
    return 1e9 * best / joint_steps;
}

static void bench(const tn_model *model, const char *name, int32_t count, int32_t n)
{
    static const int32_t widths[] = {1, 2, 4, 8};
    for (size_t w = 0; w < TN_COUNT_OF(widths); w++) {
        if (tn_lane_width(widths[w]) != widths[w])
            continue;
        tn_batch *batch = make_batch(model, count, n, widths[w]);
        const double many = measure(batch, n, 1, STEPS), one = measure(batch, n, STEPS / 5, 1);
        const double beside = (double)tn_batch_side_steps(batch, 0);
        printf("%-8s %6d %4d %6d %12.1f %12.1f %10.2f\n", name, count, n, widths[w], many, one,
               beside / (WARM_UP + RUNS * (STEPS + STEPS / 5)));
        fflush(stdout);
        tn_batch_destroy(batch);
    }
}

int main(int argc, char **argv)
{
    const int32_t count = argc > 1 ? atoi(argv[1]) : 4096, n = argc > 2 ? atoi(argv[2]) : 10;
    static const char *const names[] = {"chain", "chain3"};
    printf("%-8s %6s %4s %6s %12s %12s %10s\n", "scene", "worlds", "n", "lanes", "ns, many",
           "ns, one", "beside");
    for (int32_t k = 0; k < 2; k++) {
        tn_model *model = make_model(n, 2 + k);
        bench(model, names[k], count, n);
        tn_model_destroy(model);
    }
    return 0;
}
