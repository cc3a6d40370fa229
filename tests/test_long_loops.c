/* test_long_loops.c: loops of thousands of joints are no change points: steps of them are solved as
 * often as those of short ones, joints stay closed and energy is kept.
 *
 * Rows of such loops are weak for their length alone: 1 / n^2 and less is the smallest eigenvalue
 * of G M^-1 G^T.
 */
#include <check.h>
#include <math.h>

#include "alpha_sims.h"
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
    tn_model *model = compiled(speed_scene_find(loops[_i].scene)->make(loops[_i].n));
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

/* Of a first step: at most so many factors, and solves. */
#define START_FACTORS 4
#define START_SOLVES  20

static tn_sim *start_net(tn_model **model, double speed, tn_step_report *report)
{
    tn_spec *spec = speed_scene_find("wavy_net")->make(12);
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_model_compile(spec, NULL, model), TN_OK);
    tn_spec_destroy(spec);
    ck_assert_int_eq(tn_sim_create(*model, NULL, NULL, &sim), TN_OK);
    const tn_twist twist = {.v = {speed, 0.0, speed}};
    if (speed > 0.0)
        ck_assert_int_eq(tn_sim_set_body_velocity(sim, (tn_body){100}, twist), TN_OK);
    ck_assert_int_eq(tn_sim_step(sim, 1e-3, report), TN_OK);
    return sim;
}

/* Velocities that fit their joints to the last bit, as at rest, are not projected; what is so slow as to move nothing
 * is: both starts are the same, and cost little. */
START_TEST(test_start_at_rest)
{
    tn_model *model[2];
    tn_step_report report[2];
    tn_sim *rest = start_net(&model[0], 0.0, &report[0]);
    tn_sim *slow = start_net(&model[1], 1e-13, &report[1]);
    ck_assert_int_le(report[0].factorizations, START_FACTORS);
    ck_assert_int_le(report[0].solves, START_SOLVES);
    ck_assert_int_gt(report[1].factorizations, report[0].factorizations);
    double largest = 0.0, off = 0.0;
    for (int32_t j = 0; j < tn_model_get_size(model[0]).joints; j++) {
        const tn_vec3 a = tn_sim_joint_wrench(rest, (tn_joint){j}, TN_WRENCH_ON_A).f;
        const tn_vec3 b = tn_sim_joint_wrench(slow, (tn_joint){j}, TN_WRENCH_ON_A).f;
        largest = fmax(largest, fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z))));
        off = fmax(off, fmax(fabs(a.x - b.x), fmax(fabs(a.y - b.y), fabs(a.z - b.z))));
    }
    ck_assert_double_gt(largest, 1.0);
    ck_assert_double_lt(off, 1e-8 * largest);
    for (int k = 0; k < 2; k++) {
        tn_sim_destroy(k == 0 ? rest : slow);
        tn_model_destroy(model[k]);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("long_loops");
    TCase *tests = tcase_create("steps");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, test_long_loop, 0, sizeof loops / sizeof *loops);
    tcase_add_test(tests, test_start_at_rest);
    suite_add_tcase(suite, tests);
    return suite;
}
