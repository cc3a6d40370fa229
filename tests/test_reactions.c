/* test_reactions.c: what joints are said to carry is what they carry at the pose and velocity of
 * the step's end, however the step was taken.
 *
 * Right values: closed forms, given with each test.
 */
#include <math.h>
#include <string.h>

#include "mechanism.h"
#include "run_main.h"
#include "sample_mechanisms.h"
#include "tenon/io.h"

#define GRAVITY 9.81

static mechanism defect(const char *name)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/defects/%s", TN_TEST_DATA, name);
    mechanism m = {NULL, NULL, NULL};
    ck_assert_int_eq(tn_spec_read_file(path, NULL, &m.spec), TN_OK);
    return m;
}

static tn_vec3 force_on_a(const mechanism *m, int joint)
{
    return tn_sim_joint_wrench(m->sim, (tn_joint){joint}, TN_WRENCH_ON_A).f;
}

/* A kilogram on a massless bar of a metre, by its angle below the horizontal and speed of turning:
 * the bar pulls with m l w^2 + m g sin, and across it with nothing. */
static double pull_of_pendulum(const mechanism *m, double *across)
{
    double angle, speed;
    tn_sim_joint_coordinates(m->sim, (tn_joint){0}, &angle);
    tn_sim_joint_speeds(m->sim, (tn_joint){0}, &speed);
    const tn_vec3 f = force_on_a(m, 0);
    *across = f.y * cos(angle) - f.x * sin(angle);
    return -(f.x * cos(angle) + f.y * sin(angle)) - (speed * speed - GRAVITY * sin(angle));
}

static void expect_pull(const mechanism *m, double tolerance)
{
    double across;
    ck_assert_double_le(fabs(pull_of_pendulum(m, &across)), tolerance);
    ck_assert_double_le(fabs(across), tolerance);
}

/* Next to no inertia about the centre of mass: what rounding leaves of a moment would turn the body
 * far, were it alone. No step may fail for that. */
START_TEST(next_to_no_inertia)
{
    mechanism m = defect("fallback_reactions.yaml");
    run_stats stats = {0};
    double lowest = 0.0;
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    for (int k = 0; k < 300; k++) {
        mechanism_run(&m, 0.01, 1, &stats);
        expect_pull(&m, 0.03);
        lowest = fmax(lowest, vec_norm(force_on_a(&m, 0)));
    }
    ck_assert_int_eq(stats.fallbacks + stats.halvings, 0);
    ck_assert_double_eq_tol(lowest, 3.0 * GRAVITY, 0.1); /* at the lowest point */
    ck_assert_double_lt(stats.energy_drift, 1e-3 * GRAVITY);
    mechanism_free(&m);
}
END_TEST

/* The weight of a crank that a drive turns by 1e-5 rad/s, in steps of up to hours. */
START_TEST(steps_of_hours)
{
    static const double steps[] = {1.0, 100.0, 1000.0, 10000.0};
    for (int i = 0; i < 4; i++) {
        mechanism m = mechanism_read(
            "tenon: 1\n"
            "gravity: [0, 0, -9.81]\n"
            "bodies: {crank: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1]}}\n"
            "joints: {pin: {type: hinge, a: crank, origin: [0, 0, 0], axis: [0, -1, 0],"
            " drive: {theta: {position: {polynomial: [0, 1.0e-5]}}}}}\n");
        run_stats stats = {0};
        mechanism_start(&m, TN_GENERALIZED_ALPHA);
        for (int k = 1; k <= 100; k++) {
            mechanism_run(&m, steps[i], 1, &stats);
            const double moment = 0.5 * GRAVITY * cos(1e-5 * steps[i] * k);
            const double found = tn_sim_coordinate_force(m.sim, (tn_joint){0}, 0, TN_WRENCH_DRIVER);
            ck_assert_double_eq_tol(found, moment, 1e-8);
        }
        ck_assert_int_eq(stats.fallbacks + stats.halvings, 0);
        mechanism_free(&m);
    }
}
END_TEST

/* Steps that fall back, as one Newton iteration is not enough: the reactions are those of the end,
 * to round-off (index 3 keeps its velocities off the rows by the square of the step). */
START_TEST(steps_that_fall_back)
{
    mechanism m =
        mechanism_read("tenon: 1\n"
                       "world: planar\n"
                       "gravity: [0, -9.81]\n"
                       "bodies: {pole: {mass: 1, center_of_mass: [1, 0], inertia: 1.0e-12}}\n"
                       "joints: {pin: {type: hinge, a: pole, origin: [0, 0]}}\n");
    tn_sim_options options = mechanism_compile(&m, BY_SPEEDS);
    run_stats stats = {0};
    options.max_iterations = 1;
    mechanism_start_with(&m, &options);
    for (int k = 0; k < 30; k++) {
        tn_balance balance;
        const int before = stats.fallbacks;
        mechanism_run(&m, 0.02, 1, &stats);
        if (stats.fallbacks == before)
            continue;
        expect_pull(&m, 1e-10);
        ck_assert_int_eq(tn_sim_balance(m.sim, &balance), TN_OK);
        ck_assert_double_lt(fmax(balance.force, balance.moment), 1e-12);
    }
    ck_assert_int_ge(stats.fallbacks, 20);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("reactions");
    TCase *test = tcase_create("of the end of the step");
    tcase_add_test(test, next_to_no_inertia);
    tcase_add_test(test, steps_of_hours);
    tcase_add_test(test, steps_that_fall_back);
    suite_add_tcase(suite, test);
    return suite;
}
