/* test_long_loops.c: loops of thousands of joints are no change points: steps of them are solved as
 * often as those of short ones, joints stay closed and energy is kept.
 *
 * Rows of such loops are weak for their length alone: 1 / n^2 and less is the smallest eigenvalue
 * of G M^-1 G^T.
 */
#include <check.h>
#include <math.h>

#include "run_main.h"
#include "scenes/scenes.h"
#include "tenon/tenon.h"

#define LINK 0.1 /* m */
/* Steps before counting, those of the start, and counted. */
#define LEAD    20
#define COUNTED 10
/* Solves of a step, however long the loop. */
#define MOST_SOLVES 12

static double energy_of(const tn_sim *sim)
{
    const tn_energy e = tn_sim_energy(sim);
    return e.kinetic + e.potential;
}

/* Scenes of bench_speed. */
static const struct {
    const char *scene;
    int32_t n;
} loops[] = {
    {"ladder", 1500}, /* cells */
    {"ring", 3000},   /* hinges: three rows repeat others */
    {"wavy_net", 20}, /* crosses each way */
};

START_TEST(test_long_loop)
{
    tn_spec *spec = speed_scene_find(loops[_i].scene)->make(loops[_i].n);
    tn_model *model = NULL;
    ck_assert_int_eq(tn_model_compile(spec, NULL, &model), TN_OK);
    tn_spec_destroy(spec);
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_sim_create(model, NULL, NULL, &sim), TN_OK);
    const double before = energy_of(sim);
    double solves = 0.0;
    for (int k = 0; k < LEAD + COUNTED; k++) {
        tn_step_report report;
        ck_assert_msg(tn_sim_step(sim, 1e-3, &report) == TN_OK, "%s", loops[_i].scene);
        ck_assert_msg(report.folds == 0 && report.halvings == 0, "%s: step %d takes a change point",
                      loops[_i].scene, k);
        ck_assert_double_lt(report.position_error, 1e-12 * fmax(1.0, loops[_i].n * LINK));
        solves += k >= LEAD ? report.solves : 0;
    }
    ck_assert_msg(solves <= MOST_SOLVES * COUNTED, "%s: %g solves a step", loops[_i].scene,
                  solves / COUNTED);
    const double kinetic = tn_sim_energy(sim).kinetic;
    ck_assert_double_gt(kinetic, 0.0);
    ck_assert_double_lt(fabs(energy_of(sim) - before), 1e-3 * kinetic);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("long_loops");
    TCase *tests = tcase_create("steps");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, test_long_loop, 0, sizeof loops / sizeof *loops);
    suite_add_tcase(suite, tests);
    return suite;
}
