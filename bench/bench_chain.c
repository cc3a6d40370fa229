/* bench_chain: what a step of a long chain costs, and how exact it is.
 *
 * n boxes of 0.1 x 0.02 x 0.02 m, density 1000 kg/m^3, on hinges about world y and x in turn, in a
 * row along +x, the first to the ground; let go at rest under 9.81 m/s^2. Prints microseconds of
 * CPU time per joint and step inside tn_sim_step for each integrator, the exponent p of the growth
 * n^p over each decade, and at step 1e-3 the distance of the free end after 1 s from the end points
 * that many engines at very small steps agree on.
 *
 *     bench_chain [largest n, default 100000]
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tenon/tenon.h"

#define LINK          0.1  /* m */
#define STEP          1e-3 /* s */
#define JOINT_STEPS   2e6  /* joints x steps measured for a size: a second or two */
#define FEWEST_STEPS  5    /* but never fewer */
#define MOST_STEPS    900  /* nor more: until then the chain falls, later it whips about */
#define WARM_UP_STEPS 3    /* first touches of memory are not the price of a step */

typedef struct end_point {
    int32_t n;
    tn_vec3 tip; /* m, at t = 1 s */
} end_point;

static const end_point end_points[] = {
    {10, {-0.8857568183, 0.0, -0.1077240120}},
    {100, {7.5336801, 0.0, -4.90499985}},
    {1000, {99.0369794, 0.0, -4.905}},
};

static void stop(const char *what, tn_status status, const tn_diagnostics *problems)
{
    fprintf(stderr, "bench_chain: %s: %s\n", what, tn_status_text(status));
    for (int32_t i = 0; i < tn_diagnostics_count(problems) && i < 5; i++)
        fprintf(stderr, "  %s\n", tn_diagnostics_get(problems, i)->message);
    exit(1);
}

static void add_link(tn_spec *spec, int32_t k)
{
    static const tn_vec3 axes[2] = {{0.0, 1.0, 0.0}, {1.0, 0.0, 0.0}};
    tn_shape_def box = tn_default_shape_def(TN_SHAPE_BOX);
    box.size = (tn_vec3){LINK, 0.02, 0.02};
    tn_body_def link = tn_default_body_def();
    link.pose.p.x = LINK * (k + 0.5);
    link.shapes = &box;
    link.shape_count = 1;
    link.density = 1000.0; /* kg/m^3 */
    tn_spec_add_body(spec, &link, NULL);
    tn_joint_def hinge = tn_default_joint_def();
    hinge.type = "hinge";
    hinge.a.i = k;
    hinge.b.i = k == 0 ? TN_GROUND_INDEX : k - 1;
    hinge.placement = TN_PLACE_AXIS;
    hinge.origin = (tn_vec3){LINK * k, 0.0, 0.0};
    hinge.axis = axes[k % 2];
    tn_spec_add_joint(spec, &hinge, NULL);
}

static tn_model *make_chain(int32_t n)
{
    tn_spec *spec = tn_spec_create();
    tn_diagnostics *problems = tn_diagnostics_create();
    for (int32_t k = 0; k < n; k++)
        add_link(spec, k);
    tn_marker_def tip = tn_default_marker_def();
    tip.body.i = n - 1;
    tip.position.x = LINK / 2;
    tn_spec_add_marker(spec, &tip, NULL);
    tn_model *model = NULL;
    tn_status status = tn_model_compile(spec, problems, &model);
    if (status != TN_OK)
        stop("compile", status, problems);
    tn_diagnostics_destroy(problems);
    tn_spec_destroy(spec);
    return model;
}

static tn_sim *make_sim(const tn_model *model, tn_integrator integrator)
{
    tn_sim *sim = NULL;
    tn_sim_options options = tn_default_sim_options(model);
    options.integrator = integrator;
    tn_status status = tn_sim_create(model, &options, NULL, &sim);
    if (status != TN_OK)
        stop("create", status, NULL);
    return sim;
}

/* False when a step fails. */
static bool advance(tn_sim *sim, int32_t steps)
{
    tn_status status = TN_OK;
    for (int32_t i = 0; i < steps && status == TN_OK; i++)
        status = tn_sim_step(sim, STEP, NULL);
    if (status != TN_OK)
        fprintf(stderr, "bench_chain: t = %g s: %s\n", tn_sim_time(sim), tn_status_text(status));
    return status == TN_OK;
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* us per joint and step; NaN when a step fails. */
static double measure(const tn_model *model, int32_t n, tn_integrator integrator)
{
    tn_sim *sim = make_sim(model, integrator);
    bool good = advance(sim, WARM_UP_STEPS);
    int32_t steps = (int32_t)fmin(fmax(JOINT_STEPS / n, FEWEST_STEPS), MOST_STEPS);
    double before = cpu_seconds();
    good = advance(sim, steps) && good;
    double cost = 1e6 * (cpu_seconds() - before) / steps / n;
    tn_sim_destroy(sim);
    return good ? cost : (double)NAN;
}

static void print_costs(int32_t largest)
{
    double last[TN_INTEGRATOR_COUNT] = {0};
    printf("us per joint and step (exponent over the last decade)\n%10s", "n");
    for (int i = 0; i < TN_INTEGRATOR_COUNT; i++)
        printf(" %28s", tn_integrator_name((tn_integrator)i));
    printf("\n");
    for (int32_t n = 100; n <= largest; n *= 10) {
        tn_model *model = make_chain(n);
        printf("%10d", (int)n);
        for (int i = 0; i < TN_INTEGRATOR_COUNT; i++) {
            double cost = measure(model, n, (tn_integrator)i);
            char exponent[16] = "";
            if (last[i] > 0.0)
                snprintf(exponent, sizeof exponent, "(%.2f)", 1.0 + log10(cost / last[i]));
            printf(" %19.3f %8s", cost, exponent);
            fflush(stdout);
            last[i] = cost;
        }
        printf("\n");
        tn_model_destroy(model);
    }
}

static void print_errors(void)
{
    printf("\ndistance of the free end from its true place after 1 s at step %g, m\n%10s", STEP,
           "n");
    for (int i = 0; i < TN_INTEGRATOR_COUNT; i++)
        printf(" %28s", tn_integrator_name((tn_integrator)i));
    printf("\n");
    for (size_t k = 0; k < sizeof end_points / sizeof end_points[0]; k++) {
        tn_model *model = make_chain(end_points[k].n);
        printf("%10d", (int)end_points[k].n);
        for (int i = 0; i < TN_INTEGRATOR_COUNT; i++) {
            tn_sim *sim = make_sim(model, (tn_integrator)i);
            bool good = advance(sim, (int32_t)lround(1.0 / STEP));
            tn_vec3 tip = tn_sim_marker_position(sim, (tn_marker){0});
            tn_vec3 want = end_points[k].tip;
            double error =
                sqrt(pow(tip.x - want.x, 2) + pow(tip.y - want.y, 2) + pow(tip.z - want.z, 2));
            printf(" %28.2e", good ? error : (double)NAN);
            fflush(stdout);
            tn_sim_destroy(sim);
        }
        printf("\n");
        tn_model_destroy(model);
    }
}

int main(int argc, char **argv)
{
    long largest = argc > 1 ? strtol(argv[1], NULL, 10) : 100000;
    if (largest < 100 || largest > 10000000) {
        fprintf(stderr, "usage: bench_chain [largest number of joints, 100 to 10000000]\n");
        return 3;
    }
    print_costs((int32_t)largest);
    print_errors();
    return 0;
}
