/* test_sim_contract.c: what the library promises about memory, bits, failures and odd models.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/allocator.h"
#include "support/heavy.h"
#include "support/run_main.h"
#include "support/sample_mechanisms.h"
#include "support/saved_states.h"

/* ---- memory ---- */

typedef mechanism (*builder)(void);

static mechanism small_n_four_bar(void)
{
    return sample_n_four_bar(3, TN_BODY_PLANAR);
}

static mechanism chain_of_six(void)
{
    return sample_hinge_chain(6);
}

static const builder builders[] = {sample_four_bar,     sample_bricard,           sample_bennett,
                                   sample_slider_crank, sample_inclined_cylinder, sample_top,
                                   sample_mixed,        small_n_four_bar,         chain_of_six};
enum { BUILDERS = sizeof builders / sizeof builders[0] };

START_TEST(step_allocates_nothing)
{
    test_allocator c = {.left = -1};
    tn_set_allocator(test_realloc, &c);
    for (int integrator = 0; integrator < METHODS; integrator++) {
        mechanism m = builders[_i]();
        mechanism_start(&m, integrator);
        void *saved = malloc(tn_sim_state_size(m.sim));
        const int64_t before = c.calls, alive = c.alive;
        mechanism_run(&m, 1e-3, 50, NULL);
        tn_sim_save(m.sim, saved);
        ck_assert_int_eq(tn_sim_restore(m.sim, saved), TN_OK);
        ck_assert_int_eq(tn_sim_project(m.sim, NULL), TN_OK);
        ck_assert_int_eq(c.calls, before);
        ck_assert_int_eq(c.alive, alive);
        free(saved);
        mechanism_free(&m);
    }
    ck_assert_int_eq(c.alive, 0);
    tn_set_allocator(NULL, NULL);
}
END_TEST

/* A whole life with every public call that allocates; the first status that is not TN_OK ends it.
 */
static tn_status small_life(int duplicate)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = tn_spec_create();
    tn_model *model = NULL;
    tn_sim *sim = NULL;
    tn_equations eq = {0};
    tn_status status = diags && spec ? TN_OK : TN_ERROR_MEMORY;
    for (int k = 0; k < 3 && status == TN_OK; k++) {
        tn_body_def body = tn_default_body_def();
        body.name = k ? NULL : "arm";
        body.pose.p.x = k;
        body.mass = 1.0;
        body.com = vec(0.0, 0.0, 0.0);
        body.inertia = mat_diagonal(1.0, 1.0, 1.0);
        status = tn_spec_add_body(spec, &body, NULL);
        tn_joint_def joint = tn_default_joint_def();
        joint.type = "hinge";
        joint.a.i = k;
        joint.b.i = k - 1;
        joint.placement = TN_PLACE_AXIS;
        joint.origin = vec(k, 0.0, 0.0);
        joint.axis = vec(0.0, 1.0, 0.0);
        for (int j = 0; j <= duplicate && status == TN_OK; j++)
            status = tn_spec_add_joint(spec, &joint, NULL);
    }
    tn_marker_def marker = tn_default_marker_def();
    marker.body.i = 2;
    if (status == TN_OK)
        status = tn_spec_add_marker(spec, &marker, NULL);
    if (status == TN_OK)
        status = tn_model_compile(spec, diags, &model);
    if (status == TN_OK)
        status = tn_sim_create(model, NULL, diags, &sim);
    if (status == TN_OK)
        status = tn_sim_step(sim, 1e-3, NULL);
    if (status == TN_OK)
        status = tn_sim_equations(sim, (tn_joint){-1}, &eq);
    if (status == TN_OK)
        tn_equations_free(&eq);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    tn_spec_destroy(spec);
    tn_diagnostics_destroy(diags);
    return status;
}

START_TEST(every_allocation_may_fail)
{
    int failures = 0;
    for (int fail_at = 1;; fail_at++) {
        test_allocator c = {.left = fail_at - 1};
        tn_set_allocator(test_realloc, &c);
        const tn_status status = small_life(_i);
        tn_set_allocator(NULL, NULL);
        ck_assert_msg(c.alive == 0, "%d blocks leaked when allocation %d fails", (int)c.alive,
                      fail_at);
        if (c.refused == 0) {
            ck_assert_int_eq(status, TN_OK);
            break;
        }
        ck_assert_msg(status == TN_ERROR_MEMORY, "allocation %d fails: %s", fail_at,
                      tn_status_text(status));
        failures++;
    }
    printf("%d allocations were made to fail one by one\n", failures);
    ck_assert_int_gt(failures, 30);
}
END_TEST

/* ---- bits ---- */

START_TEST(same_input_same_bits)
{
    enum { HALF = ALL_OR_FEW(500, 100) };
    for (int integrator = 0; integrator < METHODS; integrator++) {
        mechanism m[2];
        for (int k = 0; k < 2; k++) {
            m[k] = builders[_i]();
            mechanism_start(&m[k], integrator);
        }
        mechanism_run(&m[0], 1e-3, HALF, NULL);
        void *half_way = saved_state(m[0].sim);
        mechanism_run(&m[0], 1e-3, HALF, NULL);
        mechanism_run(&m[1], 1e-3, 2 * HALF, NULL);
        ck_assert(is_same_saved(m[0].sim, m[1].sim));
        /* from half-way again, in a simulation that has been elsewhere */
        ck_assert_int_eq(tn_sim_restore(m[1].sim, half_way), TN_OK);
        mechanism_run(&m[1], 1e-3, HALF, NULL);
        ck_assert(is_same_saved(m[0].sim, m[1].sim));
        free(half_way);
        for (int k = 0; k < 2; k++)
            mechanism_free(&m[k]);
    }
}
END_TEST

/* ---- failures ---- */

static int all_finite(const tn_sim *sim)
{
    const tn_model_size size = tn_model_get_size(tn_sim_model(sim));
    double *x = malloc(sizeof *x * 13 * (size_t)size.bodies);
    tn_sim_get_poses(sim, x);
    tn_sim_get_velocities(sim, x + 7 * size.bodies);
    int finite = 1;
    for (int k = 0; k < 13 * size.bodies; k++)
        finite = finite && isfinite(x[k]);
    free(x);
    return finite;
}

START_TEST(bad_steps_are_refused)
{
    static const double bad[] = {
        0.0, -1e-3, -0.0, (double)NAN, (double)INFINITY, -(double)INFINITY};
    mechanism m = builders[_i]();
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    mechanism_run(&m, 1e-3, 3, NULL);
    void *before = saved_state(m.sim);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_step(m.sim, bad[k], &report), TN_ERROR_ARGUMENT);
        ck_assert_int_eq(report.status, TN_ERROR_ARGUMENT);
        ck_assert(is_saved_as(m.sim, before));
    }
    free(before);
    mechanism_free(&m);
}
END_TEST

/* Velocities from large to absurd, steps from small to huge: a step succeeds and all is finite, or
 * it fails, nothing has changed and somebody is named. */
START_TEST(nothing_gets_out_that_is_not_finite)
{
    static const double speeds[] = {1e3, 1e8, 1e100, 1e154, 1e200, 1e300, 1.7e308};
    static const double steps[] = {1e-300, 1e-9, 1e-3, 1.0, 1e6, 1e300};
    int succeeded = 0, failed = 0;
    for (int integrator = 0; integrator < METHODS; integrator++) {
        mechanism m = builders[_i]();
        mechanism_start(&m, integrator);
        const int bodies = tn_model_get_size(m.model).bodies;
        void *start = saved_state(m.sim), *before = malloc(tn_sim_state_size(m.sim));
        for (size_t k = 0; k < 7 * 6; k++) {
            const double speed = speeds[k % 7];
            ck_assert_int_eq(tn_sim_restore(m.sim, start), TN_OK);
            const tn_status set = tn_sim_set_body_velocity(
                m.sim, (tn_body){bodies - 1}, (tn_twist){{speed, 0.0, speed}, {0.0, speed, 0.0}});
            ck_assert_msg(set == TN_OK || set == TN_ERROR_NOT_FINITE, "%s", tn_status_text(set));
            ck_assert(all_finite(m.sim));
            tn_sim_save(m.sim, before);
            tn_step_report report;
            const tn_status status = tn_sim_step(m.sim, steps[k / 7], &report);
            ck_assert_int_eq(status, report.status);
            ck_assert_msg(all_finite(m.sim), "speed %g, step %g, %s", speed, steps[k / 7],
                          method_name(integrator));
            if (status == TN_OK) {
                succeeded++;
                continue;
            }
            failed++;
            ck_assert(is_saved_as(m.sim, before));
            if (steps[k / 7] < TN_SHORTEST_STEP || steps[k / 7] > TN_LONGEST_STEP) {
                ck_assert_int_eq(status, TN_ERROR_ARGUMENT);
                continue;
            }
            ck_assert_msg(report.culprit_body.i >= 0 || report.culprit_joint.i >= 0,
                          "nobody named: speed %g, step %g, %s: %s", speed, steps[k / 7],
                          method_name(integrator), tn_status_text(status));
        }
        free(start);
        free(before);
        mechanism_free(&m);
    }
    printf("absurd velocities and steps: %d steps succeeded, %d were refused\n", succeeded, failed);
    ck_assert_int_gt(succeeded, 0);
    ck_assert_int_gt(failed, 0);
}
END_TEST

START_TEST(not_finite_input_is_refused)
{
    mechanism m = sample_top();
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    void *before = saved_state(m.sim);
    const tn_body body = {0};
    tn_twist twist = {{0.0, (double)NAN, 0.0}, {0.0, 0.0, 0.0}};
    ck_assert_int_eq(tn_sim_set_body_velocity(m.sim, body, twist), TN_ERROR_NOT_FINITE);
    twist = (tn_twist){{0.0, 0.0, 0.0}, {(double)INFINITY, 0.0, 0.0}};
    ck_assert_int_eq(tn_sim_set_body_velocity(m.sim, body, twist), TN_ERROR_NOT_FINITE);
    tn_pose pose = tn_pose_identity();
    pose.p.z = (double)NAN;
    ck_assert_int_eq(tn_sim_set_body_pose(m.sim, body, pose), TN_ERROR_NOT_FINITE);
    pose = tn_pose_identity();
    pose.q.w = 0.0;
    ck_assert_int_ne(tn_sim_set_body_pose(m.sim, body, pose), TN_OK);
    ck_assert_int_eq(tn_sim_set_body_velocity(m.sim, (tn_body){1}, twist), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_body_velocity(m.sim, tn_ground(), twist), TN_ERROR_ARGUMENT);
    ck_assert(is_saved_as(m.sim, before));
    free(before);
    mechanism_free(&m);
}
END_TEST

/* ---- odd models ---- */

static tn_body plain_body(mechanism *m, tn_body_kind kind, double x)
{
    tn_body_def def = tn_default_body_def();
    def.kind = kind;
    def.pose.p.x = x;
    def.mass = 2.0;
    if (kind != TN_BODY_PARTICLE) {
        def.com = vec(0.0, 0.0, 0.0);
        def.inertia = mat_diagonal(0.1, 0.2, 0.25);
    }
    return mechanism_body(m, &def);
}

static const tn_vec3 gravity = {0.0, 0.0, -10.0};

START_TEST(empty_model)
{
    mechanism m = mechanism_new(gravity);
    mechanism_start(&m, _i);
    mechanism_run(&m, 1e-3, 10, NULL);
    ck_assert_int_eq(tn_sim_project(m.sim, NULL), TN_OK);
    ck_assert_double_eq_tol(tn_sim_time(m.sim), 0.01, 1e-15);
    ck_assert_double_eq(tn_sim_energy(m.sim).total, 0.0);
    ck_assert_int_eq(tn_sim_residuals(m.sim).worst.i, -1);
    tn_equations eq;
    ck_assert_int_eq(tn_sim_equations(m.sim, (tn_joint){-1}, &eq), TN_OK);
    ck_assert_int_eq(eq.rows + eq.velocities, 0);
    tn_equations_free(&eq);
    mechanism_free(&m);
}
END_TEST

START_TEST(only_fixed_bodies)
{
    mechanism m = mechanism_new(gravity);
    const tn_body a = plain_body(&m, TN_BODY_FIXED, 0.0), b = plain_body(&m, TN_BODY_FIXED, 1.0);
    mechanism_start(&m, _i);
    mechanism_run(&m, 1e-3, 10, NULL);
    ck_assert_double_eq(tn_sim_body_pose(m.sim, b).p.x, 1.0);
    mechanism_axis_joint(&m, "hinge", b, a, vec(0.5, 0.0, 0.0), vec(0.0, 0.0, 1.0));
    mechanism_axis_joint(&m, "solid", a, tn_ground(), vec(0.0, 0.0, 0.0), vec(0.0, 0.0, 1.0));
    mechanism_start(&m, _i);
    mechanism_run(&m, 1e-3, 10, NULL);
    ck_assert_int_eq(tn_sim_project(m.sim, NULL), TN_OK);
    ck_assert_double_eq(tn_sim_body_pose(m.sim, a).p.z, 0.0);
    mechanism_free(&m);
}
END_TEST

/* Free bodies of each kind fall as they should, next to a joint between fixed bodies. */
START_TEST(free_bodies_fall)
{
    mechanism m = mechanism_new(vec(1.0, 2.0, -10.0));
    const tn_body rigid = plain_body(&m, TN_BODY_RIGID, 0.0);
    const tn_body planar = plain_body(&m, TN_BODY_PLANAR, 1.0);
    const tn_body particle = plain_body(&m, TN_BODY_PARTICLE, 2.0);
    const tn_body wall = plain_body(&m, TN_BODY_FIXED, 3.0);
    mechanism_axis_joint(&m, "slider", wall, tn_ground(), vec(0.0, 0.0, 0.0), vec(0.0, 1.0, 0.0));
    mechanism_start(&m, _i);
    const double h = 1e-3;
    mechanism_run(&m, h, 1000, NULL);
    /* higher orders are exact for constant forces; Euler moves by h^2 (1 + ... + n) g */
    const double fall = method_is_second_order(_i) ? 0.5 : 0.5 + 0.5 * h;
    const tn_vec3 p = tn_sim_body_pose(m.sim, rigid).p, q = tn_sim_body_pose(m.sim, planar).p,
                  r = tn_sim_body_pose(m.sim, particle).p;
    ck_assert_double_le(vec_norm(vec_sub(p, vec(fall, 2.0 * fall, -10.0 * fall))), 1e-11);
    ck_assert_double_le(vec_norm(vec_sub(q, vec(1.0 + fall, 2.0 * fall, 0.0))), 1e-11);
    ck_assert_double_le(vec_norm(vec_sub(r, vec(2.0 + fall, 2.0 * fall, -10.0 * fall))), 1e-11);
    ck_assert_double_eq_tol(tn_sim_body_velocity(m.sim, rigid).v.z, -10.0, 1e-11);
    mechanism_free(&m);
}
END_TEST

START_TEST(ten_thousand_bodies)
{
    enum { COUNT = 10000 };
    mechanism m = mechanism_new(gravity);
    for (int k = 0; k < COUNT; k++) {
        const tn_body body = plain_body(&m, TN_BODY_RIGID, k);
        mechanism_axis_joint(&m, "hinge", body, k % 100 ? (tn_body){k - 1} : tn_ground(),
                             vec(k - 0.5, 0.0, 0.0), vec(0.0, 1.0, 0.0));
    }
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    run_stats stats = {0};
    mechanism_run(&m, 1e-3, 5, &stats);
    printf("10000 bodies: errors %.1e m %.1e rad\n", stats.position_error, stats.angle_error);
    ck_assert_double_le(fmax(stats.position_error, stats.angle_error), 1e-10);
    mechanism_free(&m);
}
END_TEST

/* ---- turns ---- */

/* More than half a turn a step: 5 rad at h = 1e-3. */
static void count_turns(int integrator)
{
    const double rate = 5000.0, h = 1e-3;
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    tn_body_def def = tn_default_body_def();
    def.mass = 1.0;
    def.com = vec(0.0, 0.0, 0.0);
    def.inertia = mat_diagonal(0.1, 0.2, 0.25);
    def.velocity.w.z = rate;
    const tn_body body = mechanism_body(&m, &def);
    mechanism_axis_joint(&m, "hinge", body, tn_ground(), vec(0.0, 0.0, 0.0), vec(0.0, 0.0, 1.0));
    mechanism_start(&m, integrator);
    double worst = 0.0;
    for (int k = 1; k <= 1000; k++) {
        mechanism_run(&m, h, 1, NULL);
        double theta;
        tn_sim_joint_coordinates(m.sim, (tn_joint){0}, &theta);
        worst = fmax(worst, fabs(theta - rate * h * k));
    }
    printf("%-27s 5000 rad/s: theta off by %.2e rad in 1 s\n", method_name(integrator), worst);
    ck_assert_double_le(worst, 1e-8);
    mechanism_free(&m);
}

START_TEST(turns_are_counted)
{
    count_turns(_i);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("sim_contract");
    TCase *memory = tcase_create("memory");
    tcase_add_loop_test(memory, step_allocates_nothing, 0, BUILDERS);
    tcase_add_loop_test(memory, every_allocation_may_fail, 0, 2);
    suite_add_tcase(suite, memory);
    TCase *bits = tcase_create("bits");
    tcase_add_loop_test(bits, same_input_same_bits, 0, BUILDERS);
    suite_add_tcase(suite, bits);
    TCase *failures = tcase_create("failures");
    tcase_add_loop_test(failures, bad_steps_are_refused, 0, BUILDERS);
    tcase_add_loop_test(failures, nothing_gets_out_that_is_not_finite, 0, BUILDERS);
    tcase_add_test(failures, not_finite_input_is_refused);
    suite_add_tcase(suite, failures);
    TCase *odd = tcase_create("odd models");
    tcase_add_loop_test(odd, empty_model, 0, METHODS);
    tcase_add_loop_test(odd, only_fixed_bodies, 0, METHODS);
    tcase_add_loop_test(odd, free_bodies_fall, 0, METHODS);
    tcase_add_test(odd, ten_thousand_bodies);
    suite_add_tcase(suite, odd);
    TCase *turns = tcase_create("turns");
    tcase_add_loop_test(turns, turns_are_counted, 0, METHODS);
    suite_add_tcase(suite, turns);
    return suite;
}
