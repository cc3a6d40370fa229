/* test_setting_out.c: given motions that begin with neither speed nor acceleration, against friction, limits and capped motors.
 *
 * Nothing but the motion tells what rests to give way: its rows would contradict it a moment later. All motions here are
 * kinematic, and forces of the driven coordinate follow from Newton and Euler.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/mechanism.h"
#include "support/run_main.h"

static const int methods[] = {TN_AUTO, TN_DORMAND_PRINCE, TN_GENERALIZED_ALPHA, TN_BACKWARD_EULER,
                              TN_CONSTRAINED_BACKWARD_EULER};
enum { WAYS = 5 };

static void run_to(mechanism *m, double end)
{
    while (tn_sim_time(m->sim) < end - 5e-4)
        ck_assert_int_eq(tn_sim_step(m->sim, 1e-3, NULL), TN_OK);
    ck_assert_int_eq(tn_sim_accuracy(m->sim).holds, 1);
    const tn_residuals r = tn_sim_residuals(m->sim);
    ck_assert_double_le(fmax(r.position, r.angle), 1e-9);
}

static double coordinate(const mechanism *m, int joint)
{
    double q[TN_MAX_COORDINATES] = {0};
    tn_sim_joint_coordinates(m->sim, (tn_joint){joint}, q);
    return q[0];
}

static double speed(const mechanism *m, int joint)
{
    double v[TN_MAX_COORDINATES] = {0};
    tn_sim_joint_speeds(m->sim, (tn_joint){joint}, v);
    return v[0];
}

static double effort(const mechanism *m, int joint)
{
    return tn_sim_coordinate_force(m->sim, (tn_joint){joint}, 0, TN_WRENCH_DRIVER);
}

/* Of forces: fixed steps of 1 ms leave some of it. */
static double within(int i)
{
    return methods[i] == TN_GENERALIZED_ALPHA ? 3e-4 : 6e-6;
}

static bool is_second_order(int i)
{
    return method_is_second_order(methods[i]);
}

/* Two wheels in mesh, the second one rubs: M = 2 I a'' + bound. */
START_TEST(a_gear_drives_what_rubs)
{
    mechanism m =
        mechanism_read("tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies:\n"
                       "  a: {position: [0, 0], mass: 1, inertia: 0.1}\n  b: {position: [1, 0], "
                       "mass: 1, inertia: 0.1}\n"
                       "joints:\n  a: {type: hinge, a: a, origin: [0, 0], drive: {theta: "
                       "{position: {step: [0, 0, 0.5, 0.2]}}}}\n"
                       "  b: {type: hinge, a: b, origin: [1, 0], friction: {theta: {force: 1}}}\n"
                       "couplings: {g: {gear: {a: a.theta, b: b.theta, ratio: -1}}}\n");
    mechanism_start(&m, methods[_i]);
    const double from[] = {0.005, 0.01, 0.015};
    for (int k = 0; k < 3; k++) {
        run_to(&m, from[k]);
        const double s = tn_sim_time(m.sim) / 0.5;
        const double bend = 0.2 / 0.25 * 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s);
        ck_assert_double_eq_tol(coordinate(&m, 1), -coordinate(&m, 0), 1e-12);
        if (is_second_order(_i))
            ck_assert_double_eq_tol(effort(&m, 0), 0.2 * bend + 1.0, within(_i));
    }
    mechanism_free(&m);
}
END_TEST

/* One body on two sliders of one line, one led, the other one rubbing: F = m a + bound. It begins with a third power, and comes back:
 * at rest, and then the other way. */
START_TEST(one_line_twice)
{
    mechanism m = mechanism_read(
        "tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies: {a: {mass: 2, inertia: 0.1}}\njoints:\n"
        "  a: {type: slider, a: a, origin: [0, 0], axis: [1, 0], drive: {z: {position: "
        "{polynomial: [0, 0, 0, 0.3, -0.3]}}}}\n"
        "  b: {type: slider, a: a, origin: [0, 0], axis: [1, 0], friction: {z: {force: 1.5}}}\n");
    mechanism_start(&m, methods[_i]);
    run_to(&m, 0.4);
    ck_assert_double_eq_tol(coordinate(&m, 0), 0.3 * 0.064 - 0.3 * 0.0256, 1e-12);
    if (is_second_order(_i))
        ck_assert_double_eq_tol(effort(&m, 0), 2.0 * (1.8 * 0.4 - 3.6 * 0.16) + 1.5, within(_i));
    run_to(&m, 0.95); /* it turns at 3/4 s */
    if (is_second_order(_i))
        ck_assert_double_eq_tol(effort(&m, 0), 2.0 * (1.8 * 0.95 - 3.6 * 0.9025) - 1.5, within(_i));
    mechanism_free(&m);
}
END_TEST

static mechanism four_bar(const char *k, const char *h, const char *b)
{
    char text[1500];
    snprintf(text, sizeof text,
             "tenon: 1\nworld: planar\nbodies:\n"
             "  crank: {position: [0, 0.15], mass: 1, inertia: 0.01}\n"
             "  coupler: {position: [0.4, 0.4], mass: 1, inertia: 0.05}\n"
             "  rocker: {position: [0.8, 0.25], mass: 1, inertia: 0.02}\njoints:\n"
             "  o: {type: hinge, a: crank, origin: [0, 0]}\n"
             "  k: {type: hinge, a: coupler, b: crank, origin: [0, 0.3]%s}\n"
             "  h: {type: hinge, a: rocker, b: coupler, origin: [0.8, 0.5]%s}\n"
             "  b: {type: hinge, a: rocker, origin: [0.8, 0]%s}\n",
             k, h, b);
    return mechanism_read(text);
}

/* Of an independent integration in all coordinates, friction and limit by hand: the moment of the drive 0.1 s on. Without friction it is
 * that of the same motion without a limit. */
START_TEST(a_four_bar_is_driven_at_its_knee)
{
    static const char drive[] = ", drive: {theta: {position: {step: [0, 0, 0.5, 0.2]}}}";
    mechanism rubs = four_bar(drive, ", friction: {theta: {force: 1}}", ""),
              stops = four_bar(drive, ", range: {theta: [-1, 0]}", ""),
              plain = four_bar(drive, "", "");
    mechanism *const all[] = {&rubs, &stops, &plain};
    for (int k = 0; k < 3; k++) {
        mechanism_start(all[k], methods[_i]);
        run_to(all[k], 0.1);
    }
    if (is_second_order(_i)) {
        ck_assert_double_eq_tol(effort(&rubs, 1), 1.24078, within(_i));
        ck_assert_double_eq_tol(effort(&stops, 1), effort(&plain, 1), within(_i));
    }
    ck_assert_double_eq_tol(coordinate(&rubs, 2), coordinate(&plain, 2), 1e-9);
    ck_assert_double_eq_tol(coordinate(&stops, 2), coordinate(&plain, 2), 1e-9);
    for (int k = 0; k < 3; k++)
        mechanism_free(all[k]);
}
END_TEST

/* Off its stop and rubbing, both at once: as it rubs without the stop. */
START_TEST(what_leaves_its_stop_may_rub)
{
    static const char drive[] = ", drive: {theta: {position: {step: [0, 0, 0.5, 0.2]}}}";
    mechanism both =
                  four_bar(drive, ", range: {theta: [-1, 0]}, friction: {theta: {force: 1}}", ""),
              rubs = four_bar(drive, ", friction: {theta: {force: 1}}", "");
    mechanism *const all[] = {&both, &rubs};
    for (int k = 0; k < 2; k++) {
        mechanism_start(all[k], methods[_i]);
        run_to(all[k], 0.1);
    }
    ck_assert_double_eq_tol(coordinate(&both, 2), coordinate(&rubs, 2), 1e-9);
    if (is_second_order(_i))
        ck_assert_double_eq_tol(effort(&both, 1), effort(&rubs, 1), within(_i));
    mechanism_free(&both);
    mechanism_free(&rubs);
}
END_TEST

/* Any joint led by a drive or by a motor without a cap, any other one rubbing. */
START_TEST(any_joint_sets_any_other_going)
{
    static const char *const lead[] = {", drive: {theta: {position: {step: [0, 0, 0.5, 0.1]}}}",
                                       ", motor: {theta: {speed: {step: [0, 0, 0.5, -0.3]}}}"};
    static const char rubs[] = ", friction: {theta: {force: 0.7}}";
    for (int led = 0; led < 3; led++) {
        for (int rubbing = 0; rubbing < 3; rubbing++) {
            const char *of[3] = {"", "", ""};
            if (led == rubbing)
                continue;
            of[led] = lead[_i % 2];
            of[rubbing] = rubs;
            mechanism m = four_bar(of[0], of[1], of[2]);
            mechanism_start(&m, methods[_i / 2]);
            run_to(&m, 0.3);
            ck_assert_double_gt(fabs(coordinate(&m, 1 + rubbing)), 1e-4);
            mechanism_free(&m);
        }
    }
}
END_TEST

/* Two bars: one led with 0.2 rad/s from the start, the other one rides along where it sticks; else it is struck at its pin, at 0.4 m, and
 * turns by -l w m d / (J + m d^2). */
START_TEST(what_sticks_rides_along)
{
    static const char *const holds[] = {"", ", friction: {theta: {force: 1}}",
                                        ", motor: {theta: {speed: 0, max_force: 3}}"};
    const double struck = -0.2 * (1.0 + 2.0 * 0.4 * 0.2 / (0.03 + 2.0 * 0.04));
    char text[1000];
    snprintf(text, sizeof text,
             "tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies:\n"
             "  a: {position: [0, 0.2], mass: 1, inertia: 0.04}\n"
             "  b: {position: [0, 0.6], mass: 2, inertia: 0.03}\njoints:\n"
             "  o: {type: hinge, a: a, origin: [0, 0], drive: {theta: {position: {sine: [0.1, 2, "
             "0, 0]}}}}\n"
             "  k: {type: hinge, a: b, b: a, origin: [0, 0.4]%s}\n",
             holds[_i % 3]);
    mechanism m = mechanism_read(text);
    mechanism_start(&m, methods[_i / 3]);
    ck_assert_double_eq_tol(speed(&m, 0), 0.2, 1e-12);
    ck_assert_double_eq_tol(speed(&m, 1), _i % 3 == 0 ? struck : 0.0, 1e-12);
    mechanism_free(&m);
}
END_TEST

/* Five bars have two freedoms: one joint is led with a speed from the start, and three more would hold theirs, which cannot be. Speeds
 * of the least change of the motion alone (NumPy, in all coordinates), however the mechanism lies. */
START_TEST(what_cannot_all_stick_is_struck)
{
    static const double lies[] = {0.0, 0.3, 1.1, 2.0};
    static const double expected[] = {0.2566093956015535, -0.36242677388706, 0.3238967215281035,
                                      -0.21500053924018195, 0.003078804002415031};
    static const double at[][2] = {
        {-0.01763636534565674, 0.21302357589568724}, {0.1684764613497709, 0.6414210499875981},
        {0.6757697508810543, 0.6304696446027844},    {0.8838694456508588, 0.2237638725490518},
        {0.06895583137477411, -0.03123974128191264}, {-0.10422856206608759, 0.4572868930732871},
        {0.4411814847656294, 0.8255552069019091},    {0.9103580169964792, 0.4353840823036599},
        {0.8573808743052383, 0.012143662794443719}};
    double p[9][2];
    for (int k = 0; k < 9; k++) {
        const double c = cos(lies[_i]), s = sin(lies[_i]);
        p[k][0] = c * at[k][0] - s * at[k][1];
        p[k][1] = s * at[k][0] + c * at[k][1];
    }
    char text[2500];
    snprintf(
        text, sizeof text,
        "tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies:\n"
        "  b0: {position: [%.17g, %.17g], mass: 1.4954595554662162, inertia: 0.04017568644603638}\n"
        "  b1: {position: [%.17g, %.17g], mass: 0.3440027873818729, inertia: "
        "0.014898542973081779}\n"
        "  b2: {position: [%.17g, %.17g], mass: 2.858765793353238, inertia: 0.10644903877768855}\n"
        "  b3: {position: [%.17g, %.17g], mass: 2.718228522227618, inertia: "
        "0.049455186161485684}\njoints:\n"
        "  j0: {type: hinge, a: b0, origin: [%.17g, %.17g], drive: {theta: {position: {sine: "
        "[0.14279585830205327, "
        "1.797036683366211, 0, 0]}}}}\n"
        "  j1: {type: hinge, a: b1, b: b0, origin: [%.17g, %.17g], friction: {theta: {force: "
        "0.7}}}\n"
        "  j2: {type: hinge, a: b2, b: b1, origin: [%.17g, %.17g], motor: {theta: {speed: 0, "
        "max_force: 12}}}\n"
        "  j3: {type: hinge, a: b3, b: b2, origin: [%.17g, %.17g]}\n"
        "  j4: {type: hinge, a: b3, origin: [%.17g, %.17g], friction: {theta: {force: 0.6}}}\n",
        p[0][0], p[0][1], p[1][0], p[1][1], p[2][0], p[2][1], p[3][0], p[3][1], p[4][0], p[4][1],
        p[5][0], p[5][1], p[6][0], p[6][1], p[7][0], p[7][1], p[8][0], p[8][1]);
    mechanism m = mechanism_read(text);
    mechanism_start(&m, TN_AUTO);
    for (int k = 0; k < 5; k++)
        ck_assert_double_eq_tol(speed(&m, k), expected[k], 1e-12);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("setting_out");
    TCase *tc = tcase_create("core");
    tcase_add_loop_test(tc, a_gear_drives_what_rubs, 0, WAYS);
    tcase_add_loop_test(tc, one_line_twice, 0, WAYS);
    tcase_add_loop_test(tc, a_four_bar_is_driven_at_its_knee, 0, WAYS);
    tcase_add_loop_test(tc, what_leaves_its_stop_may_rub, 0, WAYS);
    tcase_add_loop_test(tc, any_joint_sets_any_other_going, 0, 2 * WAYS);
    tcase_add_loop_test(tc, what_sticks_rides_along, 0, 3 * WAYS);
    tcase_add_loop_test(tc, what_cannot_all_stick_is_struck, 0, 4);
    suite_add_tcase(suite, tc);
    return suite;
}
