/* test_bounds.c: no call runs on without end: every loop ends by a number, and says so. */
#include <check.h>
#include <string.h>

#include "support/heavy.h"
#include "support/mechanism.h"
#include "support/random_numbers.h"
#include "support/run_main.h"
#include "tenon/io.h"

static const double g = 9.81, h = 1e-3; /* m/s^2, s */

/* A particle this far below the ground that yields. */
static mechanism sunken(double depth, double compliance)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -g));
    tn_body_def body = tn_default_body_def();
    body.kind = TN_BODY_PARTICLE;
    body.pose.p = vec(0.0, 0.0, -depth);
    body.mass = 1.0;
    tn_joint_def joint = tn_default_joint_def();
    joint.type = "half_space";
    joint.a = mechanism_body(&m, &body);
    joint.b = tn_ground();
    joint.placement = TN_PLACE_BODY_FRAMES;
    joint.frame_c = joint.frame_d = tn_pose_identity();
    joint.compliance[0] = compliance;
    mechanism_joint(&m, &joint);
    return m;
}

/* m v^2 / 2 + m g z of a particle that a spring threw up: depth^2 / (2 C). */
START_TEST(particle_far_below_soft_ground)
{
    const double depth = 1.1, C = 1e-4;
    mechanism m = sunken(depth, C);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    run_stats stats = {0};
    mechanism_run(&m, 1e-4, 1000, &stats);
    const tn_body body = {0};
    const double z = tn_sim_body_pose(m.sim, body).p.z, v = tn_sim_body_velocity(m.sim, body).v.z;
    const double given = depth * depth / (2.0 * C) - g * depth;
    ck_assert_double_gt(z, 0.0);
    ck_assert_double_eq_tol(0.5 * v * v + g * z, given, 1e-4 * given);
    mechanism_free(&m);
}
END_TEST

static mechanism swing(double lower, double upper)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -g));
    const rod bar = {.q = vec(1.0, 0.0, 0.0), .mass = 1.0, .along = 0.01, .across = 0.1};
    tn_joint_def joint = mechanism_axis_def("hinge", mechanism_rod(&m, &bar), tn_ground(),
                                            vec(0.0, 0.0, 0.0), vec(0.0, 1.0, 0.0));
    joint.lower[0] = lower;
    joint.upper[0] = upper;
    mechanism_joint(&m, &joint);
    return m;
}

/* At the limit of how far a coordinate is moved into its range, and beyond it. */
START_TEST(range_far_away)
{
    tn_step_report report;
    mechanism near = swing(TN_MOST_STRIDES, INFINITY);
    mechanism_start(&near, TN_GENERALIZED_ALPHA);
    ck_assert_int_eq(tn_sim_step(near.sim, h, &report), TN_OK);
    double q = 0.0;
    tn_sim_joint_coordinates(near.sim, (tn_joint){0}, &q);
    ck_assert_double_ge(q, TN_MOST_STRIDES - 1e-9);
    ck_assert_double_lt(q, TN_MOST_STRIDES + 1.0);
    mechanism_free(&near);

    mechanism far = swing(TN_MOST_STRIDES + 1.0, INFINITY);
    mechanism_start(&far, TN_GENERALIZED_ALPHA);
    ck_assert_int_eq(tn_sim_step(far.sim, h, &report), TN_ERROR_WORK);
    ck_assert_int_eq(report.culprit_joint.i, 0);
    ck_assert_int_le(report.factorizations, 10);
    mechanism_free(&far);

    mechanism furthest = swing(1e9, 2e9);
    mechanism_start(&furthest, TN_BACKWARD_EULER);
    ck_assert_int_eq(tn_sim_step(furthest.sim, h, &report), TN_ERROR_WORK);
    mechanism_free(&furthest);
}
END_TEST

/* The tyre of a truck a metre under the road: its spring throws the truck up. */
START_TEST(tyre_under_the_road)
{
    tn_spec *spec = NULL;
    tn_model *model = NULL;
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_spec_read_file(TN_TEST_DATA "/defects/truck_sunken.yaml", NULL, &spec),
                     TN_OK);
    ck_assert_int_eq(tn_model_compile(spec, NULL, &model), TN_OK);
    ck_assert_int_eq(tn_sim_create(model, NULL, NULL, &sim), TN_OK);
    tn_step_report report;
    for (int k = 0; k < 20; k++) {
        const tn_status status = tn_sim_step(sim, h, &report);
        ck_assert_int_lt(report.factorizations, TN_MOST_FACTORIZATIONS);
        if (status != TN_OK)
            break;
    }
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    tn_spec_destroy(spec);
}
END_TEST

/* Numbers of iterations that nobody would see the end of are refused. */
START_TEST(iterations_have_a_bound)
{
    mechanism m = swing(-INFINITY, INFINITY);
    tn_sim_options options = mechanism_compile(&m, TN_BACKWARD_EULER);
    options.solver = TN_SOLVER_SEQUENTIAL_IMPULSES;
    options.iterations = TN_MOST_ITERATIONS;
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_sim_create(m.model, &options, NULL, &sim), TN_OK);
    ck_assert_int_eq(tn_sim_step(sim, h, NULL), TN_OK);
    tn_sim_destroy(sim);
    options.iterations++;
    ck_assert_int_eq(tn_sim_create(m.model, &options, NULL, &sim), TN_ERROR_ARGUMENT);
    options.iterations = 10;
    options.max_iterations = TN_MOST_ITERATIONS + 1;
    ck_assert_int_eq(tn_sim_create(m.model, &options, NULL, &sim), TN_ERROR_ARGUMENT);
    mechanism_free(&m);
}
END_TEST

/* Random ranges, locks and requests on a four-bar that has become impossible in many ways. */
START_TEST(coordinates_between_limits)
{
    tn_spec *spec = NULL;
    tn_model *model = NULL;
    tn_sim *sim = NULL;
    uint64_t seed = (uint64_t)_i + 1;
    int32_t most = 0;
    ck_assert_int_eq(tn_spec_read_file(TN_EXAMPLES "/four_bar_hard.yaml", NULL, &spec), TN_OK);
    ck_assert_int_eq(tn_model_compile(spec, NULL, &model), TN_OK);
    ck_assert_int_eq(tn_sim_create(model, NULL, NULL, &sim), TN_OK);
    const int32_t joints = tn_model_get_size(model).joints;
    for (int k = 0; k < ALL_OR_FEW(400, 60); k++) {
        const tn_joint joint = {(int32_t)random_between(&seed, 0.0, joints)};
        const double a = random_between(&seed, -4.0, 4.0), b = random_between(&seed, -4.0, 4.0);
        tn_coordinate_request requests[2] = {{joint, 0, a},
                                             {{(int32_t)random_between(&seed, 0.0, joints)}, 0, b}};
        tn_placement_report report = {0};
        if (k % 5 == 0)
            tn_sim_set_range(sim, joint, 0, fmin(a, b), fmax(a, b));
        else if (k % 17 == 1)
            tn_sim_set_locked(sim, joint, 0, a > 0.0);
        tn_sim_set_coordinates(sim, requests, 1 + k % 2, NULL, NULL, &report);
        most = report.factorizations > most ? report.factorizations : most;
        if (k % 3 == 0)
            tn_sim_step(sim, h, NULL);
    }
    ck_assert_int_lt(most, TN_MOST_FACTORIZATIONS);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    tn_spec_destroy(spec);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("bounds");
    TCase *tests = tcase_create("every loop ends");
    tcase_add_test(tests, particle_far_below_soft_ground);
    tcase_add_test(tests, range_far_away);
    tcase_add_test(tests, tyre_under_the_road);
    tcase_add_test(tests, iterations_have_a_bound);
    tcase_add_loop_test(tests, coordinates_between_limits, 0, 8);
    suite_add_tcase(suite, tests);
    return suite;
}
