/* test_straight_hinges.c: hinges that generalized_alpha evaluates in straight lines
 * (method/alpha/hinge_terms.h) do what any joint does, and everybody else finds of them what the
 * general functions have.
 *
 * Each mechanism runs beside itself with drives that do nothing on all its hinges, which the
 * general loops take. Reactions are known to 1e-10 of the forces (tn_sim_balance).
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "alpha_sims.h"
#include "beside_general.h"
#include "run_main.h"
#include "scenes/scenes.h"
#include "tenon/tenon.h"

#define STEPS 150

static const struct {
    const char *scene;
    int32_t n;
} scenes[] = {{"bricard", 0}, {"n_four_bar", 5}, {"ring", 12}, {"jansen", 0}, {"excavator", 0}};

static tn_model *model_of(int i)
{
    return compiled(speed_scene_find(scenes[i].scene)->make(scenes[i].n));
}

/* How many hinges are straight now. */
static int straight_in(const tn_sim *sim)
{
    int count = 0;
    for (int32_t j = 0; j < sim->model->joint_count; j++)
        count += tn_alpha_of(sim)->straight[j] && sim->state.plain[j];
    return count;
}

static void brake_and_let_go(tn_sim *sim)
{
    tn_friction_def friction = tn_default_friction_def();
    friction.force = 1.0;
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        if (!tn_alpha_of(sim)->straight[j])
            continue;
        ck_assert_int_eq(tn_sim_set_friction(sim, (tn_joint){j}, 0, &friction), TN_OK);
        ck_assert_int_eq(tn_sim_set_friction(sim, (tn_joint){j}, 0, NULL), TN_OK);
    }
}

/* Kinematics as they are, and as the general function finds them, to the last bit. */
static void check_exact_kinematics(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_joint_kinematics seen = sim->sys.kin[j];
        const int64_t slot = sim->sys.layout->y_offset[j];
        if (!tn_alpha_of(sim)->straight[j])
            continue;
        tn_joint_refresh(&sim->sys, &sim->state, j);
        const tn_joint_kinematics *kin = &sim->sys.kin[j];
        ck_assert(memcmp(&seen.R_GW, &kin->R_GW, sizeof seen.R_GW) == 0);
        ck_assert(memcmp(&seen.r_A, &kin->r_A, sizeof seen.r_A) == 0);
        ck_assert(memcmp(&seen.r_B, &kin->r_B, sizeof seen.r_B) == 0);
        ck_assert(memcmp(&seen.T_GD, &kin->T_GD, sizeof seen.T_GD) == 0);
        ck_assert(memcmp(sim->sys.phi + slot, kin->error, 5 * sizeof(double)) == 0);
    }
}

static void compare(const tn_sim *a, const tn_sim *b, const char *scene, int k)
{
    const tn_vec3 none = {0.0, 0.0, 0.0};
    double force = 0.0, off = 0.0;
    expect_same_places(a, b, scene, k);
    for (int32_t j = 0; j < a->model->joint_count; j++) {
        const tn_wrench wa = tn_sim_joint_wrench(a, (tn_joint){j}, TN_WRENCH_ON_A);
        const tn_wrench wb = tn_sim_joint_wrench(b, (tn_joint){j}, TN_WRENCH_ON_A);
        force = fmax(force, apart(wa.f, none));
        off = fmax(off, apart(wa.f, wb.f));
    }
    ck_assert_msg(off <= SAME_FORCE * force, "%s, step %d: forces off by %g of %g N", scene, k, off,
                  force);
}

START_TEST(test_straight)
{
    tn_model *model = model_of(_i);
    tn_sim *straight = alpha_sim(model), *general = alpha_sim(model);
    /* linkages have iterations of their own (test_linkage.c), with drives that were taken away, too */
    forget_linkage(straight);
    forget_linkage(general);
    brake_and_let_go(general);
    ck_assert_int_gt(straight_in(straight), 2);
    ck_assert_int_eq(straight_in(general), 0);
    for (int k = 0; k < STEPS; k++) {
        tn_step_report report, other;
        ck_assert_int_eq(tn_sim_step(straight, STEP, &report), TN_OK);
        ck_assert_int_eq(tn_sim_step(general, STEP, &other), TN_OK);
        ck_assert_int_le(report.iterations, other.iterations + 1);
        check_exact_kinematics(straight);
        compare(straight, general, scenes[_i].scene, k);
        const double off = balance_of(straight), others = balance_of(general);
        ck_assert_msg(off <= fmax(SAME_BALANCE, 2.0 * others), "%s, step %d: off balance by %g, %g",
                      scenes[_i].scene, k, off, others);
    }
    tn_sim_destroy(straight);
    tn_sim_destroy(general);
    tn_model_destroy(model);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("straight_hinges");
    TCase *tests = tcase_create("steps");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, test_straight, 0, sizeof scenes / sizeof *scenes);
    suite_add_tcase(suite, tests);
    return suite;
}
