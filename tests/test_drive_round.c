/* test_drive_round.c: dry friction and caps of springs that bound a force vector, not its
 * components: closed forms of a block on a slope and on a table, the same from every direction, and
 * rest.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/drive_scenes.h"
#include "support/run_main.h"

#define PI 3.14159265358979323846

static const int steppers[] = {TN_GENERALIZED_ALPHA, TN_CONSTRAINED_BACKWARD_EULER,
                               TN_BACKWARD_EULER, TN_DORMAND_PRINCE};

/* A block of 2 kg on a table under a force (gravity in the plane), a velocity, and friction of 6 N,
 * 8 N where it sticks, in all directions. */
static mechanism block_on_table(double gx, double gy, double vx, double vy)
{
    char text[1024];
    snprintf(text, sizeof text,
             "tenon: 1\nworld: planar\ngravity: [%.17g, %.17g]\nbodies:\n"
             "  b: {position: [0, 0], mass: 2, inertia: 0.1, velocity: {linear: [%.17g, %.17g]}}\n"
             "joints:\n  j: {type: pin, a: b, origin: [0, 0], round: true,\n"
             "    friction: {x: {force: 6, static_force: 8}, y: {force: 6, static_force: 8}}}\n",
             gx, gy, vx, vy);
    return mechanism_read(text);
}

/* |f| < 8 N, though |f_x| + |f_y| would be more than any box's: it rests, exactly and without an
 * event. */
START_TEST(rests_within_the_disc)
{
    for (int n = 0; n < 16; n++) {
        const double angle = 0.1 + 2.0 * PI * n / 16, g = 3.99;
        mechanism m = block_on_table(g * cos(angle), g * sin(angle), 0.0, 0.0);
        mechanism_start(&m, steppers[_i]);
        ck_assert_int_eq(drive_run(&m, 1e-3, 300), 0);
        ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 0.0, 1e-15);
        ck_assert_double_eq_tol(drive_coordinate(&m, 0, 1), 0.0, 1e-15);
        mechanism_free(&m);
    }
}
END_TEST

/* Beyond it it slides from rest along the force, with (2 g - 6) / 2. */
START_TEST(slides_off_along_the_force)
{
    for (int n = 0; n < 16; n++) {
        const double angle = 0.1 + 2.0 * PI * n / 16, g = 4.01;
        mechanism m = block_on_table(g * cos(angle), g * sin(angle), 0.0, 0.0);
        mechanism_start(&m, steppers[_i]);
        drive_run(&m, 1e-3, 500);
        const double wanted = 0.5 * (g - 3.0);
        ck_assert_double_eq_tol(drive_speed(&m, 0, 0), wanted * cos(angle), 1e-8);
        ck_assert_double_eq_tol(drive_speed(&m, 0, 1), wanted * sin(angle), 1e-8);
        mechanism_free(&m);
    }
}
END_TEST

/* A push against no other force: it stops after v^2 / (2 * 3) on its line at t = v / 3, whatever
 * the direction, and stays; friction has taken all. */
START_TEST(stops_on_its_line)
{
    for (int n = 0; n < 16; n++) {
        const double angle = 0.1 + 2.0 * PI * n / 16, v = 0.9;
        mechanism m = block_on_table(0.0, 0.0, v * cos(angle), v * sin(angle));
        mechanism_start(&m, TN_GENERALIZED_ALPHA);
        ck_assert_int_le(drive_run(&m, 1e-3, 400), 1);
        ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), v * v / 6.0 * cos(angle), 1e-7);
        ck_assert_double_eq_tol(drive_coordinate(&m, 0, 1), v * v / 6.0 * sin(angle), 1e-7);
        ck_assert_double_eq_tol(drive_speed(&m, 0, 0), 0.0, 1e-15);
        ck_assert_double_eq_tol(tn_sim_energy(m.sim).lost, 0.5 * 2.0 * v * v, 1e-6);
        mechanism_free(&m);
    }
}
END_TEST

/* On a slope across the push the path bends: v' = -3 + g sin(phi), v phi' = g cos(phi), phi the
 * direction against the horizontal, gravity along +y; RK4 at a ten thousandth of the time. */
static void bent_path(double g, double v, double t, double end[4])
{
    const int steps = 20000;
    double s[4] = {0.0, 0.0, v, 0.0}; /* x, y, vx, vy */
    for (int k = 0; k < steps; k++) {
        double sum[4] = {0.0}, d[4] = {0.0}, at[4];
        for (int stage = 0; stage < 4; stage++) {
            const double h = t / steps, part = stage == 0 ? 0.0 : stage == 3 ? h : 0.5 * h;
            for (int i = 0; i < 4; i++)
                at[i] = s[i] + part * d[i];
            const double speed = hypot(at[2], at[3]);
            d[0] = at[2];
            d[1] = at[3];
            d[2] = -3.0 * at[2] / speed;
            d[3] = g - 3.0 * at[3] / speed;
            for (int i = 0; i < 4; i++)
                sum[i] += (stage == 1 || stage == 2 ? 2.0 : 1.0) * d[i] * h / 6.0;
        }
        for (int i = 0; i < 4; i++)
            s[i] += sum[i];
    }
    for (int i = 0; i < 4; i++)
        end[i] = s[i];
}

static double path_error(double h)
{
    double end[4];
    mechanism m = block_on_table(0.0, 3.5, 1.0, 0.0);
    bent_path(3.5, 1.0, 0.8, end);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    drive_run(&m, h, (int)(0.8 / h + 0.5));
    const double error =
        hypot(drive_coordinate(&m, 0, 0) - end[0], drive_coordinate(&m, 0, 1) - end[1]);
    mechanism_free(&m);
    return error;
}

START_TEST(path_bends_to_second_order)
{
    const double coarse = path_error(4e-3), fine = path_error(2e-3);
    printf("bent path: off by %.2e m at 4 ms, %.2e m at 2 ms\n", coarse, fine);
    ck_assert_double_le(fine, 5e-5);
    ck_assert_double_le(fine, 0.35 * coarse);
}
END_TEST

/* With less than what keeps it going it stops. With g = 2, the friction 3 and u = sec phi + tan phi
 * the speed is sec phi u^(-3/2), and the way is x = int (u^-3 + u^-5) du / 4 = 3 / 16 and
 * y = int (u^-2 - u^-6) du / 8 = 1 / 10 from u = 1 to infinity. */
static double stop_error(double h)
{
    mechanism m = block_on_table(0.0, 2.0, 1.0, 0.0);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    drive_run(&m, h, (int)(1.2 / h + 0.5));
    const double error =
        hypot(drive_coordinate(&m, 0, 0) - 3.0 / 16.0, drive_coordinate(&m, 0, 1) - 0.1);
    ck_assert_double_eq_tol(drive_speed(&m, 0, 0), 0.0, 1e-15);
    ck_assert_int_eq(drive_run(&m, h, 50), 0); /* and stays, without an event */
    mechanism_free(&m);
    return error;
}

START_TEST(bent_path_ends_at_rest)
{
    const double coarse = stop_error(4e-3), fine = stop_error(1e-3);
    printf("stops off by %.1e m at 4 ms, %.1e m at 1 ms\n", coarse, fine);
    ck_assert_double_le(coarse, 1e-4);
    ck_assert_double_le(fine, 1e-5);
}
END_TEST

/* Held off its centre of mass a body also turns: friction points against the motion of the point
 * whatever the masses it sees in different directions, from the first step on, with just its bound
 * (for 0.33 s: then it sticks); energy and what is lost balance. */
START_TEST(friction_opposes_the_motion_of_the_point)
{
    mechanism m =
        mechanism_read("tenon: 1\nworld: planar\ngravity: [3, 4]\nbodies:\n"
                       "  b: {position: [0, 0], mass: 2, inertia: 0.05, velocity: {angular: 0}}\n"
                       "joints:\n  j: {type: pin, a: b, origin: [0.3, 0.1], round: true,\n"
                       "    friction: {x: {force: 6}, y: {force: 6}}}\n");
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    drive_run(&m, 1e-4, 1);
    const double before = drive_balance_of_energy(&m);
    double worst = 0.0;
    for (int k = 0; k < 3200; k++) {
        drive_run(&m, 1e-4, 1);
        const double vx = drive_speed(&m, 0, 0), vy = drive_speed(&m, 0, 1);
        const double fx = tn_sim_coordinate_force(m.sim, joint0, 0, TN_WRENCH_FRICTION);
        const double fy = tn_sim_coordinate_force(m.sim, joint0, 1, TN_WRENCH_FRICTION);
        ck_assert_double_eq_tol(hypot(fx, fy), 6.0, 1e-9);
        ck_assert_double_le(fx * vx + fy * vy, 0.0);
        worst = fmax(worst, fabs(fx * vy - fy * vx) / hypot(vx, vy) / 6.0);
    }
    printf("friction off the motion of the point by %.1e rad at most\n", worst);
    ck_assert_double_le(worst, 1e-3);
    ck_assert_double_eq_tol(drive_balance_of_energy(&m), before, 1e-5);
    mechanism_free(&m);
}
END_TEST

/* ---- a spring whose force has a cap in any direction ---- */

/* Pulled from far by at most 5 N along the diagonal: 5 / 2 along it until the spring is shorter
 * than 5 / 100. */
START_TEST(pull_is_capped_in_its_direction)
{
    mechanism m = mechanism_read("tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies:\n"
                                 "  b: {position: [3, 4], mass: 2, inertia: 0.1}\n"
                                 "joints:\n  j: {type: pin, a: b, frame_c: {position: [3, 4]}, "
                                 "frame_d: {position: [0, 0]},\n"
                                 "    pull: {stiffness: 100, max_force: 5}}\n");
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    for (int k = 0; k < 1000; k++) {
        drive_run(&m, 1e-3, 1);
        const double t = tn_sim_time(m.sim), r = 5.0 - 0.5 * 2.5 * t * t;
        ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 0.6 * r, 1e-7);
        ck_assert_double_eq_tol(drive_coordinate(&m, 0, 1), 0.8 * r, 1e-7);
        ck_assert_double_eq_tol(hypot(tn_sim_coordinate_force(m.sim, joint0, 0, TN_WRENCH_SPRING),
                                      tn_sim_coordinate_force(m.sim, joint0, 1, TN_WRENCH_SPRING)),
                                5.0, 1e-9);
    }
    mechanism_free(&m);
}
END_TEST

/* Through the cap and back, with damping, it comes to the target; the books of energy close. */
START_TEST(capped_pull_arrives)
{
    mechanism m = mechanism_read("tenon: 1\ngravity: [0, 0, 0]\nbodies:\n"
                                 "  b: {position: [0.3, 0.4, 0.5], mass: 2, inertia: [0.1, 0.1, "
                                 "0.1], velocity: {linear: [0, 1, 0]}}\n"
                                 "joints:\n  j: {type: pin, a: b, frame_c: {position: [0.3, 0.4, "
                                 "0.5]}, frame_d: {position: [0, 0, 0]},\n"
                                 "    pull: {stiffness: 100, damping: 20, max_force: 9}}\n");
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    drive_run(&m, 1e-3, 1);
    const double before = drive_balance_of_energy(&m);
    for (int k = 0; k < 4000; k++) {
        drive_run(&m, 1e-3, 1);
        ck_assert_double_eq_tol(drive_balance_of_energy(&m), before, 1e-3);
    }
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(drive_coordinate(&m, 0, i), 0.0, 1e-6);
    mechanism_free(&m);
}
END_TEST

/* ---- motors whose caps are round: the motor joint of planar engines ---- */

/* A block of 2 kg under a force, with a velocity, and motors along x and y. */
static mechanism block_with_motors(const double g[2], const double v[2], const char *x,
                                   const char *y)
{
    char text[1024];
    snprintf(text, sizeof text,
             "tenon: 1\nworld: planar\ngravity: [%.17g, %.17g]\nbodies:\n"
             "  b: {position: [0, 0], mass: 2, inertia: 0.1, velocity: {linear: [%.17g, %.17g]}}\n"
             "joints:\n  j: {type: planar, a: b, origin: [0, 0], round: true,\n"
             "    motor: {x: {%s, max_force: 6}, y: {%s, max_force: 6}}}\n",
             g[0], g[1], v[0], v[1], x, y);
    return mechanism_read(text);
}

static double motor_force(const mechanism *m)
{
    return hypot(tn_sim_coordinate_force(m->sim, joint0, 0, TN_WRENCH_MOTOR),
                 tn_sim_coordinate_force(m->sim, joint0, 1, TN_WRENCH_MOTOR));
}

/* Seen from what moves with the speed they want, motors are friction of 6 N: a block that is pushed
 * to one side and thrown to another comes along the same bent path, and moves on with that speed.
 */
START_TEST(motors_are_friction_on_a_moving_ground)
{
    static const double wanted[2] = {0.7, -0.4}, g[2] = {0.6, -1.1}, slides[2] = {0.5, 0.8};
    const double v[2] = {wanted[0] + slides[0], wanted[1] + slides[1]};
    mechanism a = block_with_motors(g, v, "speed: 0.7", "speed: -0.4");
    mechanism b = block_on_table(g[0], g[1], slides[0], slides[1]);
    mechanism_start(&a, steppers[_i]);
    mechanism_start(&b, steppers[_i]);
    int tracks = 0;
    for (int k = 0; k < 800; k++) {
        drive_run(&a, 1e-3, 1);
        drive_run(&b, 1e-3, 1);
        for (int i = 0; i < 2; i++) {
            const double along = wanted[i] * tn_sim_time(a.sim);
            ck_assert_double_eq_tol(drive_coordinate(&a, 0, i), drive_coordinate(&b, 0, i) + along,
                                    1e-9);
            ck_assert_double_eq_tol(drive_speed(&a, 0, i), drive_speed(&b, 0, i) + wanted[i], 1e-8);
        }
        const int now = tn_sim_coordinate_holder(a.sim, joint0, 1) == TN_HELD_BY_MOTOR;
        ck_assert_int_ge(now, tracks);
        tracks = now;
        ck_assert_double_eq_tol(motor_force(&a), now ? 2.0 * hypot(g[0], g[1]) : 6.0, 1e-6);
    }
    ck_assert_int_eq(tracks, 1);
    mechanism_free(&a);
    mechanism_free(&b);
}
END_TEST

/* From rest a force of 6 N, 3 m/s^2, in the direction of the wanted speed, then that speed; a box
 * would give 8.5 N to the diagonal. */
START_TEST(motors_start_along_the_speed_they_want)
{
    static const double none[2] = {0.0, 0.0};
    mechanism m = block_with_motors(none, none, "speed: 0.6", "speed: 0.6");
    mechanism_start(&m, steppers[_i]);
    const double speed = 0.6 * sqrt(2.0);
    for (int k = 0; k < 400; k++) {
        drive_run(&m, 1e-3, 1);
        const double v = fmin(3.0 * tn_sim_time(m.sim), speed) / sqrt(2.0);
        ck_assert_double_eq_tol(drive_speed(&m, 0, 0), v, 1e-8);
        ck_assert_double_eq_tol(drive_speed(&m, 0, 1), v, 1e-8);
    }
    ck_assert_double_le(motor_force(&m), 1e-6);
    mechanism_free(&m);
}
END_TEST

/* To a place 1 m away, however far: never more than 6 N, and it arrives and stays. */
START_TEST(position_motors_arrive)
{
    static const double g[2] = {0.0, -2.0}, none[2] = {0.0, 0.0};
    mechanism m = block_with_motors(g, none, "position: 0.6, time_constant: 0.4",
                                    "position: 0.8, time_constant: 0.4");
    mechanism_start(&m, steppers[_i]);
    for (int k = 0; k < 9000; k++) {
        drive_run(&m, 1e-3, 1);
        ck_assert_double_le(motor_force(&m), 6.0 + 1e-6);
    }
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 0.6, 1e-6);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 1), 0.8, 1e-6);
    ck_assert_double_eq_tol(tn_sim_coordinate_force(m.sim, joint0, 1, TN_WRENCH_MOTOR), 4.0, 1e-5);
    mechanism_free(&m);
}
END_TEST

/* A wall in the way of x: the motor there presses with its cap, that of y goes on. */
START_TEST(motors_press_against_a_stop)
{
    static const double none[2] = {0.0, 0.0};
    mechanism m = block_with_motors(none, none, "speed: 0.3", "speed: 0.3");
    mechanism_start(&m, steppers[_i]);
    ck_assert_int_eq(tn_sim_set_range(m.sim, joint0, 0, -1.0, 0.1), TN_OK);
    drive_run(&m, 1e-3, 1000);
    ck_assert_double_eq_tol(drive_coordinate(&m, 0, 0), 0.1, 1e-12);
    ck_assert_double_eq_tol(drive_speed(&m, 0, 1), 0.3, 1e-9);
    ck_assert_double_eq_tol(tn_sim_coordinate_force(m.sim, joint0, 0, TN_WRENCH_LIMIT), -6.0, 1e-6);
    mechanism_free(&m);
}
END_TEST

/* A round bound is that of motors or that of friction, and all of its motors have caps or none. */
START_TEST(motors_and_friction_do_not_share_a_bound)
{
    static const double none[2] = {0.0, 0.0};
    mechanism m = block_on_table(0.0, 0.0, 0.0, 0.0);
    static const double one = 1.0;
    tn_motor_def motor = tn_default_motor_def();
    motor.speed = drive_constant(&one);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    ck_assert_int_eq(tn_sim_set_motor(m.sim, joint0, 0, &motor), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_driver_motion(m.sim, joint0, 0, 0.0, 0.0, 0.0), TN_ERROR_ARGUMENT);
    mechanism_free(&m);
    m = block_with_motors(none, none, "speed: 1", "speed: 1");
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    tn_friction_def friction = tn_default_friction_def();
    friction.force = 1.0;
    ck_assert_int_eq(tn_sim_set_friction(m.sim, joint0, 0, &friction), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_motor(m.sim, joint0, 0, &motor), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_motor_cap(m.sim, joint0, 0, 2.0), TN_OK);
    ck_assert_int_eq(tn_sim_set_friction(m.sim, joint0, 2, &friction), TN_OK); /* an angle */
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("drive_round");
    TCase *tc = tcase_create("drive_round");
    tcase_add_loop_test(tc, rests_within_the_disc, 0, 4);
    tcase_add_loop_test(tc, slides_off_along_the_force, 0, 4);
    tcase_add_test(tc, stops_on_its_line);
    tcase_add_test(tc, path_bends_to_second_order);
    tcase_add_test(tc, bent_path_ends_at_rest);
    tcase_add_test(tc, friction_opposes_the_motion_of_the_point);
    tcase_add_test(tc, pull_is_capped_in_its_direction);
    tcase_add_test(tc, capped_pull_arrives);
    tcase_add_loop_test(tc, motors_are_friction_on_a_moving_ground, 0, 4);
    tcase_add_loop_test(tc, motors_start_along_the_speed_they_want, 0, 4);
    tcase_add_loop_test(tc, position_motors_arrive, 0, 4);
    tcase_add_loop_test(tc, motors_press_against_a_stop, 0, 4);
    tcase_add_test(tc, motors_and_friction_do_not_share_a_bound);
    suite_add_tcase(suite, tc);
    return suite;
}
