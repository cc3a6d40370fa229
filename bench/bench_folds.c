/* bench_folds: how well rows of parallelograms keep their branch, at many step sizes.
 *
 * The N-four-bar of the IFToMM library, which all engines find hard: twice a revolution all bars lie
 * in one line, and each parallelogram could go on as an antiparallelogram. For every integrator, 20 s at 40 step sizes between 3e-4 s and 1e-2 s: the
 * largest angle between cranks, the change of energy relative to what swings, where it was refused.
 *
 *     bench_folds [N, default 40] [duration in s, default 20]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenes/scenes.h"
#include "tenon/tenon.h"

#define SIZES    40
#define SHORTEST 3e-4 /* s */
#define LONGEST  1e-2 /* s */
#define PARALLEL 1e-8 /* rad: more is marked */
#define GRAVITY  9.81 /* m/s^2 */
#define PI       3.14159265358979323846

static tn_model *make_model(int32_t n)
{
    tn_spec *spec = speed_scene_find("n_four_bar")->make(n);
    tn_model *model = NULL;
    if (tn_model_compile(spec, NULL, &model) != TN_OK) {
        fprintf(stderr, "bench_folds: the model does not compile\n");
        exit(1);
    }
    tn_spec_destroy(spec);
    return model;
}

/* Largest angle of a crank with crank 0, rad: all turn about z. */
static double spread(const tn_sim *sim, int32_t n)
{
    const tn_quat q = tn_sim_body_pose(sim, (tn_body){0}).q;
    double worst = 0.0;
    for (int32_t k = 1; k <= n; k++) {
        const tn_quat p = tn_sim_body_pose(sim, (tn_body){k}).q;
        const double half = atan2(q.w * p.z - q.z * p.w, q.w * p.w + q.z * p.z);
        worst = fmax(worst, fabs(remainder(2.0 * half, 2.0 * PI)));
    }
    return worst;
}

static void run(const tn_model *model, int32_t n, tn_integrator integrator, double h,
                double duration)
{
    const double swings = 2.0 * GRAVITY * (0.5 * (n + 1) + n); /* J */
    tn_sim_options options = tn_default_sim_options(model);
    options.integrator = integrator;
    tn_sim *sim = NULL;
    if (tn_sim_create(model, &options, NULL, &sim) != TN_OK)
        exit(1);
    const double start = tn_sim_energy(sim).total;
    double worst = 0.0;
    int32_t cut = 0;
    tn_step_report report = {.status = TN_OK};
    while (tn_sim_time(sim) < duration && report.status == TN_OK) {
        tn_sim_step(sim, h, &report);
        cut += report.halvings > 0;
        worst = fmax(worst, spread(sim, n));
    }
    printf("  h = %.4e  parallel to %.1e%s  energy %+.1e  %d steps cut", h, worst,
           worst > PARALLEL ? " !" : "  ", (tn_sim_energy(sim).total - start) / swings, (int)cut);
    if (report.status != TN_OK)
        printf("  refused at %.3f s: %s", tn_sim_time(sim), tn_status_text(report.status));
    printf("\n");
    fflush(stdout);
    tn_sim_destroy(sim);
}

int main(int argc, char **argv)
{
    const int32_t n = argc > 1 ? (int32_t)atoi(argv[1]) : 40;
    const double duration = argc > 2 ? atof(argv[2]) : 20.0;
    tn_model *model = make_model(n);
    for (int i = 0; i < TN_INTEGRATOR_COUNT; i++) {
        printf("N = %d, %s\n", (int)n, tn_integrator_name((tn_integrator)i));
        for (int k = 0; k < SIZES; k++)
            run(model, n, (tn_integrator)i, SHORTEST * pow(LONGEST / SHORTEST, k / (SIZES - 1.0)),
                duration);
    }
    tn_model_destroy(model);
    return 0;
}
