/* bench_order: the order of the integrators, measured.
 *
 * Three mechanisms are run to the same time with steps h, h/2, h/4, ... From the distances d_k
 * between the results of neighbouring steps the order follows as log2(d_k / d_(k+1)): 2 for
 * generalized_alpha, 1 for the Euler methods, 5 for dormand_prince, whose steps are not divided
 * then. Positions, velocities and multipliers are looked at
 * separately: each distance is the largest difference of any number of that sort.
 *
 *     bench_order [integrator, default generalized_alpha]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tenon/io.h"
#include "tenon/tenon.h"

#define LEVELS 6 /* h .. h/32 */

enum { POSITIONS, VELOCITIES, MULTIPLIERS, SORTS };
static const char *const sort_names[SORTS] = {"positions", "velocities", "multipliers"};

static void stop(const char *what, tn_status status, tn_diagnostics *problems)
{
    fprintf(stderr, "bench_order: %s: %s\n", what, tn_status_text(status));
    tn_diagnostics_print(problems, stderr, NULL, 0);
    exit(1);
}

/* --- the mechanisms --------------------------------------------------------------------------- */

static tn_body add_bar(tn_spec *spec, tn_vec3 from, tn_vec3 to, double mass)
{
    tn_vec3 along = {to.x - from.x, to.y - from.y, to.z - from.z};
    double square = along.x * along.x + along.y * along.y + along.z * along.z;
    tn_body_def bar = tn_default_body_def();
    bar.pose.p = (tn_vec3){(from.x + to.x) / 2, (from.y + to.y) / 2, (from.z + to.z) / 2};
    bar.pose.q = tn_quat_from_z_axis(along);
    bar.mass = mass;
    bar.inertia = (tn_mat3){
        {{mass * square / 12, 0, 0}, {0, mass * square / 12, 0}, {0, 0, mass * square / 100}}};
    tn_body body = {0};
    tn_spec_add_body(spec, &bar, &body);
    return body;
}

static void add_joint(tn_spec *spec, const char *type, tn_body a, tn_body b, tn_vec3 origin,
                      tn_vec3 axis)
{
    tn_joint_def joint = tn_default_joint_def();
    joint.type = type;
    joint.a = a;
    joint.b = b;
    joint.placement = TN_PLACE_AXIS;
    joint.origin = origin;
    joint.axis = axis;
    tn_spec_add_joint(spec, &joint, NULL);
}

/* Six bars in a row, with axes in three directions so that nothing is symmetric. */
static tn_spec *make_chain(void)
{
    static const tn_vec3 axes[3] = {{0, 1, 0}, {1, 0, 0}, {0.3, 0.5, 0.8}};
    tn_spec *spec = tn_spec_create();
    tn_body last = tn_ground();
    for (int k = 0; k < 6; k++) {
        tn_vec3 from = {0.2 * k, 0, 0};
        tn_vec3 to = {0.2 * (k + 1), 0, 0};
        tn_body bar = add_bar(spec, from, to, 0.5);
        add_joint(spec, "hinge", bar, last, from, axes[k % 3]);
        last = bar;
    }
    return spec;
}

/* bricard.yaml: closed and overconstrained. */
static tn_spec *make_bricard(void)
{
    tn_spec *spec = NULL;
    tn_diagnostics *problems = tn_diagnostics_create();
    tn_status status = tn_spec_read_file(TN_EXAMPLES "/bricard.yaml", problems, &spec);
    if (status != TN_OK)
        stop("bricard.yaml", status, problems);
    tn_diagnostics_destroy(problems);
    return spec;
}

/* A crank drives a carriage on a slide through a rod with ball ends: a closed loop in space. A
 * weight is welded to the carriage, and a bar turns and slides on a tilted shaft of it. */
static tn_spec *make_mixed(void)
{
    const tn_vec3 pin = {0, 0, 0}, tip = {0.3, 0, 0.1}, end = {0.2, 0.8, 0.3};
    const tn_vec3 top = {0.2, 0.8, 0.6}, side = {0.6, 0.8, 0.5};
    tn_spec *spec = tn_spec_create();
    tn_body crank = add_bar(spec, pin, tip, 1.0);
    tn_body rod = add_bar(spec, tip, end, 0.7);
    tn_body carriage = add_bar(spec, end, top, 1.5);
    tn_body weight = add_bar(spec, top, side, 0.4);
    tn_body bar = add_bar(spec, end, (tn_vec3){0.3, 0.9, 0.0}, 0.6);
    add_joint(spec, "hinge", crank, tn_ground(), pin, (tn_vec3){0, 0.2, 1});
    add_joint(spec, "spherical", rod, crank, tip, (tn_vec3){0, 0, 1});
    add_joint(spec, "spherical", rod, carriage, end, (tn_vec3){0, 0, 1});
    add_joint(spec, "slider", carriage, tn_ground(), end, (tn_vec3){0, 1, 0.5});
    add_joint(spec, "solid", weight, carriage, top, (tn_vec3){0, 0, 1});
    add_joint(spec, "cylindrical", bar, carriage, end, (tn_vec3){1, 0.4, 0.3});
    return spec;
}

typedef struct mechanism {
    const char *name;
    tn_spec *(*make)(void);
    double duration; /* s */
    int32_t steps;   /* of the coarsest run */
} mechanism;

static const mechanism mechanisms[] = {
    {"chain of 6 hinges, 3 axes", make_chain, 0.5, 50},
    {"Bricard (6 hinges, 1 redundant row)", make_bricard, 1.0, 100},
    {"slider, cylindrical, spherical, solid, hinge", make_mixed, 0.5, 50},
};

/* --- measuring -------------------------------------------------------------------------------- */

/* What a run ends with, one block per sort. */
typedef struct outcome {
    double *values[SORTS];
    size_t count[SORTS];
} outcome;

static outcome run(const tn_model *model, tn_integrator integrator, double duration, int32_t steps)
{
    tn_model_size size = tn_model_get_size(model);
    tn_sim_options options = tn_default_sim_options(model);
    tn_diagnostics *problems = tn_diagnostics_create();
    tn_sim *sim = NULL;
    options.integrator = integrator;
    options.relative_tolerance = 1.0;
    tn_status status = tn_sim_create(model, &options, problems, &sim);
    for (int32_t i = 0; i < steps && status == TN_OK; i++)
        status = tn_sim_step(sim, duration / steps, NULL);
    if (status != TN_OK)
        stop("run", status, problems);
    outcome result;
    result.count[POSITIONS] = (size_t)size.bodies * 7;
    result.count[VELOCITIES] = (size_t)size.bodies * 6;
    result.count[MULTIPLIERS] = (size_t)size.joints * TN_MAX_ROWS;
    for (int s = 0; s < SORTS; s++)
        result.values[s] = calloc(result.count[s], sizeof(double));
    tn_sim_get_poses(sim, result.values[POSITIONS]);
    tn_sim_get_velocities(sim, result.values[VELOCITIES]);
    tn_sim_get_multipliers(sim, result.values[MULTIPLIERS]);
    tn_sim_destroy(sim);
    tn_diagnostics_destroy(problems);
    return result;
}

static double distance(const outcome *a, const outcome *b, int sort)
{
    double largest = 0.0;
    for (size_t i = 0; i < a->count[sort]; i++)
        largest = fmax(largest, fabs(a->values[sort][i] - b->values[sort][i]));
    return largest;
}

static void print_slopes(const outcome *runs, int sort)
{
    double last = 0.0;
    printf("  %-12s", sort_names[sort]);
    for (int k = 0; k + 1 < LEVELS; k++) {
        double d = distance(&runs[k], &runs[k + 1], sort);
        if (k == 0)
            printf(" %8.1e", d);
        else
            printf(" %8.1e (%4.2f)", d, log2(last / d));
        last = d;
    }
    printf("\n");
}

static void measure(const mechanism *m, tn_integrator integrator)
{
    tn_diagnostics *problems = tn_diagnostics_create();
    tn_spec *spec = m->make();
    tn_model *model = NULL;
    tn_status status = tn_model_compile(spec, problems, &model);
    if (status != TN_OK)
        stop(m->name, status, problems);
    outcome runs[LEVELS];
    for (int k = 0; k < LEVELS; k++)
        runs[k] = run(model, integrator, m->duration, m->steps << k);
    printf("%s, %g s, steps from %g s\n", m->name, m->duration, m->duration / m->steps);
    for (int s = 0; s < SORTS; s++)
        print_slopes(runs, s);
    for (int k = 0; k < LEVELS; k++)
        for (int s = 0; s < SORTS; s++)
            free(runs[k].values[s]);
    tn_model_destroy(model);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(problems);
}

int main(int argc, char **argv)
{
    tn_integrator integrator = TN_GENERALIZED_ALPHA;
    if (argc > 1 && tn_integrator_find(argv[1], &integrator) != TN_OK) {
        fprintf(stderr, "bench_order: there is no integrator '%s'\n", argv[1]);
        return 3;
    }
    printf("%s: distance between the results of step h and h/2 (order)\n",
           tn_integrator_name(integrator));
    for (size_t i = 0; i < sizeof mechanisms / sizeof mechanisms[0]; i++)
        measure(&mechanisms[i], integrator);
    return 0;
}
