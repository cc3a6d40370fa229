/* bench_plane: a falling chain in the plane: what a step costs, whether joints stay closed, and
 * what becomes of the energy. Game engines of the system, where they were found, run the same chain
 * beside it.
 *
 * n links of 1 m and 1 kg (inertia 1/12 kg m^2, no shapes, so that nothing collides) in a row along
 * +x, hinged to each other and the first to the ground; let go at rest under 9.81 m/s^2, step
 * 1/60 s for 5 s. The tip may weigh more. Printed: microseconds of CPU time per link and step,
 * largest separation of a joint's two points at any step end, the energy's change relative to
 * m g n L / 2, and the step at which an engine gives up, if it does. Tenon runs with its defaults,
 * and once with the settings of a game (GAME_RADIUS, GAME_TOLERANCE).
 *
 *     bench_plane [n, default 1000]
 *     bench_plane n ROUNDS     Tenon with its defaults and the engines in turn, so often: the least and the median
 *                              of the times, which is how they are to be compared where others are at work
 */
#include "bench_plane.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "tenon/tenon.h"

static const plane_engine *const engines[] = {
#ifdef TN_BENCH_BOX2D
    &plane_box2d,
#endif
#ifdef TN_BENCH_BOX2D_V3
    &plane_box2d_v3,
#endif
#ifdef TN_BENCH_CHIPMUNK
    &plane_chipmunk,
#endif
    NULL};

static void stop(const char *what, tn_status status)
{
    fprintf(stderr, "bench_plane: %s: %s\n", what, tn_status_text(status));
    exit(1);
}

static tn_model *make_chain(const plane_chain *chain)
{
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    world.gravity = (tn_vec3){0.0, -PLANE_GRAVITY, 0.0};
    tn_spec_set_world(spec, &world);
    for (int32_t k = 0; k < chain->links; k++) {
        tn_body_def link = tn_default_body_def();
        link.kind = TN_BODY_PLANAR;
        link.pose.p.x = k + 0.5;
        link.mass = k + 1 == chain->links ? chain->tip_mass : 1.0;
        link.com = (tn_vec3){0.0, 0.0, 0.0};
        link.inertia = (tn_mat3){{{0.0}}};
        link.inertia.m[2][2] = link.mass / 12.0;
        tn_spec_add_body(spec, &link, NULL);
        tn_joint_def hinge = tn_default_joint_def();
        hinge.type = "hinge";
        hinge.a.i = k;
        hinge.b.i = k - 1;
        hinge.placement = TN_PLACE_ORIGIN;
        hinge.origin.x = k;
        tn_spec_add_joint(spec, &hinge, NULL);
    }
    tn_model *model = NULL;
    const tn_status status = tn_model_compile(spec, NULL, &model);
    if (status != TN_OK)
        stop("compile", status);
    tn_spec_destroy(spec);
    return model;
}

/* Settings of a game: what the step does not resolve is damped, joints within a hair's breadth. */
#define GAME_RADIUS    0.1
#define GAME_TOLERANCE 3e-8 /* m and rad; separations stay far below */

static plane_result run_tenon(const plane_chain *chain, tn_integrator integrator, bool game,
                              double *solves)
{
    tn_model *model = make_chain(chain);
    tn_sim_options options = tn_default_sim_options(model);
    options.integrator = integrator;
    if (game) {
        options.spectral_radius = GAME_RADIUS;
        options.position_tolerance = GAME_TOLERANCE;
    }
    tn_sim *sim = NULL;
    tn_status status = tn_sim_create(model, &options, NULL, &sim);
    if (status != TN_OK)
        stop("create", status);
    plane_result result = {0.0, 0.0, 0.0, chain->steps};
    const double before = tn_sim_energy(sim).total;
    double seconds = 0.0;
    *solves = 0.0;
    for (int32_t k = 0; k < chain->steps; k++) {
        tn_step_report report;
        const double start = plane_seconds();
        status = tn_sim_step(sim, chain->step, &report);
        seconds += plane_seconds() - start;
        if (status != TN_OK) { /* the state has stayed what it was */
            result.steps = k;
            break;
        }
        *solves += report.solves;
        result.separation = fmax(result.separation, tn_sim_residuals(sim).position);
    }
    *solves /= fmax(result.steps, 1.0);
    result.microseconds = 1e6 * seconds / fmax(result.steps, 1.0) / chain->links;
    result.energy = (tn_sim_energy(sim).total - before) / plane_energy_scale(chain);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    return result;
}

static void print(const char *name, const plane_chain *chain, plane_result result)
{
    printf("    %-38s %8.3f us  separation %9.2e m  energy %+9.2e", name, result.microseconds,
           result.separation, result.energy);
    if (result.steps < chain->steps)
        printf("  refuses step %d", result.steps);
    printf("\n");
    fflush(stdout);
}

static void compare_tenon(const plane_chain *chain, tn_integrator integrator, bool game)
{
    char name[64];
    double solves;
    const plane_result result = run_tenon(chain, integrator, game, &solves);
    snprintf(name, sizeof name, "tenon %s%s, %.1f", tn_integrator_name(integrator),
             game ? " for games" : "", solves);
    print(name, chain, result);
}

static void compare(const char *title, const plane_chain *chain)
{
    printf("%s\n", title);
    for (int i = 0; i < TN_INTEGRATOR_COUNT; i++)
        compare_tenon(chain, (tn_integrator)i, false);
    compare_tenon(chain, TN_GENERALIZED_ALPHA, true);
    for (int i = 0; engines[i]; i++)
        print(engines[i]->name, chain, engines[i]->run(chain));
}

#define MOST_ROUNDS  101
#define MOST_ENGINES 8

typedef struct duel {
    const char *name;
    plane_result result; /* of the last round: the same in all of them but for the time */
    double us[MOST_ROUNDS];
} duel;

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void add_round(duel *d, const char *name, int round, plane_result result)
{
    d->name = name;
    d->result = result;
    d->us[round] = result.microseconds;
}

static void print_duels(duel *all, int count, int rounds, const plane_chain *chain)
{
    for (int k = 0; k < count; k++)
        qsort(all[k].us, (size_t)rounds, sizeof all[k].us[0], by_size);
    for (int k = 0; k < count; k++) {
        const double least = all[k].us[0], median = all[k].us[rounds / 2];
        all[k].result.microseconds = least;
        print(all[k].name, chain, all[k].result);
        printf("%44s median %.3f us, Tenon takes %.3f of it, median %.3f\n", "", median,
               all[0].us[0] / least, all[0].us[rounds / 2] / median);
    }
}

static void take_turns(const plane_chain *chain, int rounds)
{
    static duel all[MOST_ENGINES];
    int count = 0;
    double solves;
    for (int round = 0; round < rounds; round++) {
        count = 0;
        add_round(&all[count++], "tenon generalized_alpha", round,
                  run_tenon(chain, TN_GENERALIZED_ALPHA, false, &solves));
        for (int i = 0; engines[i] && count < MOST_ENGINES; i++)
            add_round(&all[count++], engines[i]->name, round, engines[i]->run(chain));
    }
    print_duels(all, count, rounds, chain);
}

int main(int argc, char **argv)
{
    const long n = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
    const long rounds = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
    if (n < 1 || n > 1000000 || rounds < 0 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: bench_plane [number of links, 1 to 1000000 [rounds, 1 to %d]]\n",
                MOST_ROUNDS);
        return 3;
    }
    char title[128];
    plane_chain chain = {(int32_t)n, 1.0, 1.0 / 60.0, 300};
    if (rounds > 0) {
        take_turns(&chain, (int)rounds);
        return 0;
    }
    snprintf(title, sizeof title, "%ld links of 1 kg", n);
    compare(title, &chain);
    static const double tips[] = {1e3, 1e6};
    for (size_t i = 0; i < 2; i++) {
        chain = (plane_chain){10, tips[i], 1.0 / 60.0, 300};
        snprintf(title, sizeof title, "10 links, the last of %g kg", tips[i]);
        compare(title, &chain);
    }
    return 0;
}
