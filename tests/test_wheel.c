/* test_wheel.c: wheels on struts against closed forms, in the plane and in space: the damped
 * oscillation and sag of the suspension, the gyroscopic moment of steering, rolling up to speed.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/drive_scenes.h"
#include "support/run_main.h"
#include "tenon/io.h"

#define PI 3.14159265358979323846

enum { FY, FZ, CROSS }; /* bilateral rows */
enum { SUSPENSION, STEERING, SPIN };

/* A wheel of 3 kg below a fixed chassis, in the plane and in space, the strut upwards. */
static const char *const hanging[] = {
    "tenon: 1\nworld: planar\ngravity: [0, -10]\nbodies:\n"
    "  w: {position: [1, 0], mass: 3, inertia: 0.1}\n"
    "joints:\n  j: {type: wheel, a: w, origin: [1, 0], axis: [0, 1], %s}\n",
    "tenon: 1\ngravity: [0, 0, -10]\nbodies:\n"
    "  w: {position: [1, 2, 0], mass: 3, inertia: [0.2, 0.1, 0.2]}\n"
    "joints:\n  j: {type: wheel, a: w, origin: [1, 2, 0], axis: [0, 1, 0], x_axis: [0, 0, 1], "
    "locked: [steering], %s}\n"};

static mechanism wheel_with(int world, const char *extra)
{
    char text[1024];
    snprintf(text, sizeof text, hanging[world], extra);
    return mechanism_read(text);
}

/* x = -g/w0^2 (1 - e^(-z w0 t) (cos wd t + z w0/wd sin wd t)): it falls from where the spring is
 * unloaded; w0 of 2 Hz, z = 0.3. */
START_TEST(suspension_swings_as_asked)
{
    mechanism m = wheel_with(_i, "spring: {suspension: {frequency: 2, damping_ratio: 0.3}}");
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    const double w0 = 4.0 * PI, z = 0.3, wd = w0 * sqrt(1.0 - z * z);
    for (int k = 0; k < 1000; k++) {
        drive_run(&m, 1e-3, 1);
        const double t = tn_sim_time(m.sim);
        const double e = exp(-z * w0 * t) * (cos(wd * t) + z * w0 / wd * sin(wd * t));
        ck_assert_double_eq_tol(drive_coordinate(&m, 0, SUSPENSION), -10.0 / (w0 * w0) * (1.0 - e),
                                2e-6);
    }
    ck_assert_double_eq_tol(tn_sim_coordinate_mass(m.sim, joint0, SUSPENSION), 3.0, 1e-12);
    mechanism_free(&m);
}
END_TEST

/* Upon its stop it presses with what the spring does not carry: m g - k (0 - x). */
START_TEST(suspension_rests_on_its_stop)
{
    mechanism m = wheel_with(_i, "spring: {suspension: {stiffness: 100, damping: 40}}, "
                                 "range: {suspension: [-0.2, 0.1]}");
    mechanism_start_tight(&m, TN_GENERALIZED_ALPHA);
    for (int k = 0; k < 3000; k++)
        ck_assert_int_eq(tn_sim_step(m.sim, 1e-3, NULL), TN_OK);
    double force;
    ck_assert_int_eq(tn_sim_at_limit(m.sim, joint0, SUSPENSION, &force), -1);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, SUSPENSION), -0.2, 1e-12);
    ck_assert_double_eq_tol(force, 30.0 - 20.0, 1e-8);
    mechanism_free(&m);
}
END_TEST

/* The motor spins it up with its cap: w = cap / I t. */
START_TEST(motor_spins_the_wheel)
{
    mechanism m = wheel_with(_i, "spring: {suspension: {frequency: 2}}, "
                                 "motor: {spin: {speed: 5, max_force: 0.4}}");
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    for (int k = 0; k < 2000; k++) {
        drive_run(&m, 1e-3, 1);
        ck_assert_double_eq_tol(drive_speed(&m, 0, SPIN), fmin(4.0 * tn_sim_time(m.sim), 5.0),
                                1e-8);
    }
    mechanism_free(&m);
}
END_TEST

/* A wheel that spins with 20 rad/s and is steered with 3 rad/s; an arm that carries a wheel round
 * with 4 rad/s, 2 m from the hinge. */
static const char *const steered =
    "tenon: 1\ngravity: [0, 0, 0]\nbodies:\n"
    "  w: {position: [1, 2, 0], mass: 3, inertia: [0.2, 0.1, 0.2]}\n"
    "joints:\n  j: {type: wheel, a: w, origin: [1, 2, 0], axis: [0, 1, 0], x_axis: [0, 0, 1],\n"
    "    drive: {suspension: {position: 0}, steering: {position: {polynomial: [0, 3]}},\n"
    "      spin: {position: {polynomial: [0, 20]}}}}\n";
static const char *const carried_round =
    "tenon: 1\ngravity: [0, 0, 0]\nbodies:\n"
    "  w: {position: [2, 0, 0], mass: 3, inertia: [0.1, 0.2, 0.2]}\n"
    "  arm: {position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  j: {type: wheel, a: w, b: arm, origin: [2, 0, 0], axis: [1, 0, 0], x_axis: [0, 0, 1],\n"
    "    locked: [steering], spring: {suspension: {frequency: 3}}}\n"
    "  turn: {type: hinge, a: arm, origin: [0, 0, 0], axis: [0, 0, 1],\n"
    "    drive: {theta: {position: {polynomial: [0, 4]}}}}\n";

/* The worst that a multiplier of joint 0 is off what it should be, in half a second. */
static double worst_of(const char *text, int row, double wanted, double h)
{
    mechanism m = mechanism_read(text);
    mechanism_start_tight(&m, TN_GENERALIZED_ALPHA);
    double worst = 0.0;
    for (int k = 0; k < 0.5 / h; k++) {
        double lambda[TN_MAX_ROWS];
        tn_balance balance;
        drive_run(&m, h, 1);
        tn_sim_joint_multipliers(m.sim, joint0, lambda);
        worst = fmax(worst, fabs(lambda[row] - wanted));
        ck_assert_int_eq(tn_sim_balance(m.sim, &balance), TN_OK);
        ck_assert_double_le(fmax(balance.force, balance.moment), 1e-9);
    }
    mechanism_free(&m);
    return worst;
}

static void expect_reaction(const char *text, int row, double wanted, double error)
{
    const double coarse = worst_of(text, row, wanted, 1e-3);
    const double fine = worst_of(text, row, wanted, 0.5e-3);
    ck_assert_double_le(coarse, error);
    ck_assert_double_le(fine, 0.3 * coarse + 1e-6);
}

/* The moment is -J w W across axle and strut; steering and spin need none. */
START_TEST(steering_a_spinning_wheel_takes_the_gyroscopic_moment)
{
    expect_reaction(steered, CROSS, -0.1 * 20.0 * 3.0, 3e-3);
    expect_reaction(steered, 3 + STEERING, 0.0, 1e-4);
    expect_reaction(steered, 3 + SPIN, 0.0, 1e-4);
}
END_TEST

/* What keeps the wheel on its circle, m w^2 r, lies along its axle. */
START_TEST(bearing_carries_the_force_along_the_axle)
{
    expect_reaction(carried_round, FZ, -3.0 * 4.0 * 4.0 * 2.0, 2e-3);
    expect_reaction(carried_round, FY, 0.0, 1e-4);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("wheel");
    TCase *tc = tcase_create("wheel");
    tcase_add_loop_test(tc, suspension_swings_as_asked, 0, 2);
    tcase_add_loop_test(tc, suspension_rests_on_its_stop, 0, 2);
    tcase_add_loop_test(tc, motor_spins_the_wheel, 0, 2);
    tcase_add_test(tc, steering_a_spinning_wheel_takes_the_gyroscopic_moment);
    tcase_add_test(tc, bearing_carries_the_force_along_the_axle);
    suite_add_tcase(suite, tc);
    return suite;
}
