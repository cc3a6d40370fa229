/* test_conflicts.c: what contradicts itself is refused with a reason: locks and ranges that fight
 * in a loop, a weld upside down. Nothing moves, nothing becomes NaN, and all goes on once one gives
 * in.
 *
 * The cranks of a parallelogram (joints 0 and 1, at ground) turn alike: what holds one at an angle
 * holds the other at the same.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/overconstrained.h"
#include "support/run_main.h"
#include "support/sample_mechanisms.h"
#include "support/saved_states.h"
#include "support/solids.h"

static const tn_joint first = {0}, second = {1};

static mechanism parallelogram(int integrator)
{
    mechanism m = sample_n_four_bar(1, TN_BODY_RIGID);
    mechanism_start(&m, integrator);
    mechanism_run(&m, 1e-3, 20, NULL);
    return m;
}

/* The step is refused, names a joint of the loop and how far it stays off; the state keeps its
 * bits.
 */
static void check_refused(mechanism *m)
{
    void *before = saved_state(m->sim);
    tn_step_report r;
    ck_assert_int_eq(tn_sim_step(m->sim, 1e-3, &r), TN_ERROR_CONFLICT);
    ck_assert(is_saved_as(m->sim, before));
    ck_assert_int_ge(r.culprit_joint.i, 0);
    ck_assert_double_gt(fmax(r.position_error, r.angle_error), 1e-3);
    ck_assert_double_lt(fmax(r.position_error, r.angle_error), 1.0);
    free(before);
}

static double angle_of(const mechanism *m, tn_joint joint)
{
    double q;
    tn_sim_joint_coordinates(m->sim, joint, &q);
    return q;
}

START_TEST(a_range_against_a_lock)
{
    mechanism m = parallelogram(TN_GENERALIZED_ALPHA);
    const double q = angle_of(&m, second);
    ck_assert_int_eq(tn_sim_set_locked(m.sim, first, 0, 1), TN_OK);
    ck_assert_int_eq(tn_sim_set_range(m.sim, second, 0, q + 0.1, q + 0.2), TN_OK);
    check_refused(&m);
    ck_assert_int_eq(tn_sim_set_locked(m.sim, first, 0, 0), TN_OK);
    mechanism_run(&m, 1e-3, 100, NULL);
    ck_assert_double_ge(angle_of(&m, second), q + 0.1 - 1e-9);
    mechanism_free(&m);
}
END_TEST

START_TEST(two_ranges_without_a_common_angle)
{
    mechanism m = parallelogram(TN_GENERALIZED_ALPHA);
    const double q = angle_of(&m, first) - angle_of(&m, second);
    ck_assert_int_eq(tn_sim_set_range(m.sim, first, 0, q + 0.3, q + 0.4), TN_OK);
    ck_assert_int_eq(tn_sim_set_range(m.sim, second, 0, -0.4, -0.3), TN_OK);
    check_refused(&m);
    ck_assert_int_eq(tn_sim_set_range(m.sim, second, 0, -INFINITY, INFINITY), TN_OK);
    mechanism_run(&m, 1e-3, 100, NULL);
    mechanism_free(&m);
}
END_TEST

/* A crank on its way to where the range of the other ends: that one is named. */
START_TEST(a_limit_against_a_motion_is_named)
{
    mechanism m = parallelogram(TN_AUTO);
    tn_step_report r = {.status = TN_OK};
    const double q = angle_of(&m, second), motion[2] = {angle_of(&m, first), 1.0};
    const tn_function_def turn = {.kind = TN_FUNCTION_POLYNOMIAL, .numbers = motion, .count = 2};
    ck_assert_int_eq(tn_sim_set_range(m.sim, second, 0, q - 1.0, q + 0.1), TN_OK);
    ck_assert_int_eq(tn_sim_set_driver(m.sim, first, 0, &turn), TN_OK);
    for (int k = 0; k < 200 && r.status == TN_OK; k++)
        tn_sim_step(m.sim, 1e-3, &r);
    ck_assert_int_eq(r.status, TN_ERROR_CONFLICT);
    ck_assert_int_eq(r.culprit_joint.i, second.i);
    mechanism_free(&m);
}
END_TEST

/* Two locks that agree are redundant, not contradictory; all stands still. */
START_TEST(two_locks_that_agree)
{
    for (int i = 0; i < METHODS; i++) {
        mechanism m = parallelogram(i);
        const double q = angle_of(&m, first);
        ck_assert_int_eq(tn_sim_set_locked(m.sim, first, 0, 1), TN_OK);
        ck_assert_int_eq(tn_sim_set_locked(m.sim, second, 0, 1), TN_OK);
        mechanism_run(&m, 1e-3, 100, NULL);
        ck_assert_double_eq_tol(angle_of(&m, first), q, 1e-9);
        double lambda[2 * TN_MAX_ROWS + 2 * TN_MAX_ROWS];
        tn_sim_get_multipliers(m.sim, lambda);
        for (int k = 0; k < 4 * TN_MAX_ROWS; k++)
            ck_assert(isfinite(lambda[k]) && fabs(lambda[k]) < 1e3);
        mechanism_free(&m);
    }
}
END_TEST

/* One weld of an H-frame turned over by 180 degrees. */
START_TEST(a_weld_upside_down)
{
    for (int k = 0; k < overconstrained_count; k++) {
        if (strcmp(overconstrained_list[k].name, "H-frame") != 0)
            continue;
        mechanism right = overconstrained_list[k].build();
        mechanism_start(&right, TN_GENERALIZED_ALPHA);
        mechanism wrong = mechanism_new(vec(0.0, 0.0, -9.81));
        for (int i = 0; i < tn_spec_body_count(right.spec); i++)
            mechanism_body(&wrong, tn_spec_body(right.spec, (tn_body){i}));
        for (int j = 0; j < tn_spec_joint_count(right.spec); j++) {
            tn_joint_def def = *tn_spec_joint(right.spec, (tn_joint){j});
            tn_model_joint_frames(right.model, (tn_joint){j}, &def.frame_c, &def.frame_d);
            def.placement = TN_PLACE_BODY_FRAMES;
            const tn_pose over = {vec(0.0, 0.0, 0.0),
                                  tn_quat_from_axis_angle(vec(1.0, 0.0, 0.0), PI)};
            if (j == 1)
                def.frame_c = tn_pose_multiply(def.frame_c, over);
            mechanism_joint(&wrong, &def);
        }
        tn_diagnostics *diags = tn_diagnostics_create();
        ck_assert_int_eq(tn_model_compile(wrong.spec, NULL, &wrong.model), TN_OK);
        ck_assert_int_eq(tn_sim_create(wrong.model, NULL, diags, &wrong.sim), TN_ERROR_CONFLICT);
        ck_assert_ptr_null(wrong.sim);
        ck_assert_int_gt(tn_diagnostics_error_count(diags), 0);
        ck_assert_ptr_nonnull(strstr(tn_diagnostics_get(diags, 0)->message, "cannot be closed"));
        tn_diagnostics_destroy(diags);
        mechanism_free(&wrong);
        mechanism_free(&right);
        return;
    }
    ck_abort_msg("no H-frame");
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("conflicts");
    TCase *tests = tcase_create("conflicts");
    tcase_add_test(tests, a_range_against_a_lock);
    tcase_add_test(tests, two_ranges_without_a_common_angle);
    tcase_add_test(tests, a_limit_against_a_motion_is_named);
    tcase_add_test(tests, two_locks_that_agree);
    tcase_add_test(tests, a_weld_upside_down);
    suite_add_tcase(suite, tests);
    return suite;
}
