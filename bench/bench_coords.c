/* bench_coords: what setting one coordinate of a chain costs, against one factorization of it.
 *
 * n boxes on hinges about world y and x in turn, the first to the ground. Sets the coordinate of
 * the first joint (everything moves), of the middle one and of the last one to ever new values, and
 * prints the time of a call and its ratio to that of filling and factoring the chain's matrix with
 * one row more per joint, and to that of the factoring alone. Best of several runs: time that
 * others take on the machine is no property of the call.
 *
 *     bench_coords [n, default 1000]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/sim_internal.h"
#include "tenon/tenon.h"
#include "sparse/factor/factor.h"

#define RUNS  30
#define CALLS 20

static void stop(const char *what, tn_status status)
{
    fprintf(stderr, "bench_coords: %s: %s\n", what, tn_status_text(status));
    exit(1);
}

static tn_model *make_chain(int32_t n)
{
    static const tn_vec3 axes[2] = {{0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}};
    tn_spec *spec = tn_spec_create();
    tn_model *model = NULL;
    for (int32_t k = 0; k < n; k++) {
        tn_body_def link = tn_default_body_def();
        link.mass = 0.04; /* kg */
        link.inertia = (tn_mat3){{{3e-6, 0.0, 0.0}, {0.0, 3e-5, 0.0}, {0.0, 0.0, 3e-5}}};
        link.pose.p.x = 0.1 * (k + 0.5);
        tn_spec_add_body(spec, &link, NULL);
        tn_joint_def hinge = tn_default_joint_def();
        hinge.type = "hinge";
        hinge.a.i = k;
        hinge.b.i = k == 0 ? TN_GROUND_INDEX : k - 1;
        hinge.placement = TN_PLACE_AXIS;
        hinge.origin = (tn_vec3){0.1 * k, 0.0, 0.0};
        hinge.axis = axes[k % 2];
        tn_spec_add_joint(spec, &hinge, NULL);
    }
    const tn_status status = tn_model_compile(spec, NULL, &model);
    if (status != TN_OK)
        stop("compile", status);
    tn_spec_destroy(spec);
    return model;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef void (*work)(tn_sim *sim, int32_t joint, int run);

static void set(tn_sim *sim, int32_t joint, int run)
{
    const tn_coordinate_request r = {{joint}, 0, 0.01 * (run + 1)};
    const tn_status status = tn_sim_set_coordinates(sim, &r, 1, NULL, NULL, NULL);
    if (status != TN_OK)
        stop("set", status);
}

/* What a placement of a loop as large as the chain would do once or more. */
static void fill_and_factor(tn_sim *sim, int32_t joint, int run)
{
    (void)joint;
    (void)run;
    const tn_status status = tn_coords_factor(tn_sim_coords(sim), 0.0);
    if (status != TN_OK)
        stop("factor", status);
}

static void factor(tn_sim *sim, int32_t joint, int run)
{
    (void)joint;
    (void)run;
    int32_t node;
    const tn_status status =
        tn_kkt_factorize(sim->model->kkt, sim->sys.values, sim->sys.factor, &node);
    if (status != TN_OK)
        stop("factor", status);
}

/* s, best of RUNS */
static double measure(work what, tn_sim *sim, int32_t joint)
{
    double best = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        const double before = cpu_seconds();
        for (int k = 0; k < CALLS; k++)
            what(sim, joint, run * CALLS + k);
        best = fmin(best, (cpu_seconds() - before) / CALLS);
    }
    return best;
}

int main(int argc, char **argv)
{
    const int32_t n = argc > 1 ? (int32_t)strtol(argv[1], NULL, 10) : 1000;
    if (n < 2)
        stop("n must be at least 2", TN_ERROR_ARGUMENT);
    tn_model *model = make_chain(n);
    tn_sim *sim = NULL;
    const tn_status status = tn_sim_create(model, NULL, NULL, &sim);
    if (status != TN_OK)
        stop("create", status);
    set(sim, 0, 0); /* what the first call makes */
    tn_coords_enter_whole(tn_sim_coords(sim));
    const double filled = measure(fill_and_factor, sim, 0), factored = measure(factor, sim, 0);
    printf("chain of %d joints: filling and factoring %.3f ms, factoring alone %.3f ms\n", (int)n,
           1e3 * filled, 1e3 * factored);
    const int32_t joints[3] = {0, n / 2, n - 1};
    for (int k = 0; k < 3; k++) {
        const double call = measure(set, sim, joints[k]);
        printf("joint %6d: %.3f ms, %.2f of filling and factoring, %.2f of factoring\n",
               (int)joints[k], 1e3 * call, call / filled, call / factored);
    }
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    return 0;
}
