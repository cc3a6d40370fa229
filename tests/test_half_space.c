/* Points over planes: the fall, the bounces and the rest of a ball, the three legs of a table, a
 * beam that leaves its support. Expected numbers are closed forms. */
#include <check.h>
#include <stdio.h>

#include "math/m3.h"
#include "support/mechanism.h"
#include "support/run_main.h"

static const double g = 9.81; /* m/s^2 */

static tn_body box(mechanism *m, tn_vec3 p, double mass)
{
    tn_body_def def = tn_default_body_def();
    def.pose.p = p;
    def.mass = mass;
    def.com = vec(0.0, 0.0, 0.0);
    def.inertia = mat_diagonal(0.2 * mass, 0.3 * mass, 0.4 * mass);
    return mechanism_body(m, &def);
}

/* A point of the body over the ground plane z = 0; e: restitution. */
static tn_joint foot(mechanism *m, tn_body body, tn_vec3 point, double e)
{
    tn_joint_def def = tn_default_joint_def();
    def.type = "half_space";
    def.a = body;
    def.b = tn_ground();
    def.placement = TN_PLACE_BODY_FRAMES;
    def.frame_c = tn_pose_identity();
    def.frame_c.p = point;
    def.frame_d = tn_pose_identity();
    def.restitution[0] = e;
    return mechanism_joint(m, &def);
}

static double force_on(const mechanism *m, tn_joint joint)
{
    double force = 0.0;
    tn_sim_at_limit(m->sim, joint, 0, &force);
    return force;
}

START_TEST(range_is_the_upper_half)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -g));
    const tn_joint joint = foot(&m, box(&m, vec(0.0, 0.0, 0.5), 2.0), vec(0.0, 0.0, 0.0), 0.0);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    double lower = -1.0, upper = -1.0, distance = -1.0;
    ck_assert_int_eq(tn_sim_get_range(m.sim, joint, 0, &lower, &upper), TN_OK);
    ck_assert(lower == 0.0 && isinf(upper) && upper > 0.0);
    tn_sim_joint_coordinates(m.sim, joint, &distance);
    ck_assert_double_eq_tol(distance, 0.5, 1e-15);
    mechanism_free(&m);
}
END_TEST

START_TEST(ball_falls_bounces_and_rests)
{
    const double height = 0.3, e = 0.5, h = 1e-3;
    mechanism m = mechanism_new(vec(0.0, 0.0, -g));
    const tn_joint joint = foot(&m, box(&m, vec(0.0, 0.0, height), 2.0), vec(0.0, 0.0, 0.0), e);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    const double first = sqrt(2.0 * height / g);
    double expected = first, flight = 2.0 * e * first, worst = 0.0, lowest = 0.0;
    int bounces = 0;
    for (int n = 0; n < 1500; n++) {
        mechanism_run(&m, h, 1, NULL);
        double distance = 0.0;
        tn_sim_joint_coordinates(m.sim, joint, &distance);
        lowest = fmin(lowest, distance);
        for (int32_t k = 0; k < tn_sim_event_count(m.sim) && bounces < 5; k++) {
            const tn_event *event = tn_sim_event(m.sim, k);
            if (event->kind != TN_EVENT_LIMIT_REACHED)
                continue;
            worst = fmax(worst, fabs(event->time - expected));
            expected += flight;
            flight *= e;
            bounces++;
        }
    }
    printf("ball: %d bounces, times off by %.1e s, lowest %.1e m, rests with %.12f N\n", bounces,
           worst, lowest, force_on(&m, joint));
    ck_assert_int_eq(bounces, 5);
    ck_assert_double_le(worst, 1e-9);
    ck_assert_double_ge(lowest, -1e-9);
    ck_assert_double_eq_tol(force_on(&m, joint), 2.0 * g, 1e-9);
    mechanism_free(&m);
}
END_TEST

/* Legs at (-1, 0), (1, -1), (1, 2), the centre of mass over the origin: b = A f with the moments
 * about x and y gives f = m g (1/2, 1/3, 1/6). */
START_TEST(table_stands_on_three_legs)
{
    const double mass = 3.0, share[3] = {1.0 / 2.0, 1.0 / 3.0, 1.0 / 6.0};
    mechanism m = mechanism_new(vec(0.0, 0.0, -g));
    const tn_body body = box(&m, vec(0.0, 0.0, 0.7), mass);
    const tn_joint legs[3] = {foot(&m, body, vec(-1.0, 0.0, -0.7), 0.0),
                              foot(&m, body, vec(1.0, -1.0, -0.7), 0.0),
                              foot(&m, body, vec(1.0, 2.0, -0.7), 0.0)};
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    mechanism_run(&m, 1e-3, 10, NULL);
    double steady[3], change = 0.0;
    for (int k = 0; k < 3; k++)
        steady[k] = force_on(&m, legs[k]);
    for (int n = 0; n < 200; n++) {
        mechanism_run(&m, 1e-3, 1, NULL);
        ck_assert_int_eq(tn_sim_event_count(m.sim), 0);
        for (int k = 0; k < 3; k++)
            change = fmax(change, fabs(force_on(&m, legs[k]) - steady[k]));
    }
    printf("table: legs carry %.9f %.9f %.9f N, steady to %.1e N\n", steady[0], steady[1],
           steady[2], change);
    for (int k = 0; k < 3; k++)
        ck_assert_double_eq_tol(steady[k], share[k] * mass * g, 1e-9 * mass * g);
    ck_assert_double_le(change, 1e-9 * mass * g);
    mechanism_free(&m);
}
END_TEST

/* On one leg less the table tips: the leg on the far side lifts off at once. With legs at
 * x = 1 and x = 2 and the centre at 0 the far one goes up. */
START_TEST(leg_that_would_have_to_pull_lifts_off)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -g));
    const tn_body body = box(&m, vec(0.0, 0.0, 0.0), 3.0);
    const tn_joint near = foot(&m, body, vec(1.0, 0.0, 0.0), 0.0);
    const tn_joint far = foot(&m, body, vec(2.0, 0.0, 0.0), 0.0);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    mechanism_run(&m, 1e-4, 1, NULL);
    /* about the near leg: I = J_y + m, so N = m g - m a, a = m g / I, J_y = 0.3 m */
    ck_assert_double_eq_tol(force_on(&m, near), 3.0 * g * (1.0 - 1.0 / 1.3), 1e-4);
    ck_assert_double_eq(force_on(&m, far), 0.0);
    mechanism_run(&m, 1e-3, 100, NULL);
    double distance[2];
    tn_sim_joint_coordinates(m.sim, near, &distance[0]);
    tn_sim_joint_coordinates(m.sim, far, &distance[1]);
    ck_assert_double_eq_tol(distance[0], 0.0, 1e-9);
    ck_assert_double_ge(distance[1], 0.01);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("half space");
    TCase *tc = tcase_create("point over plane");
    tcase_add_test(tc, range_is_the_upper_half);
    tcase_add_test(tc, ball_falls_bounces_and_rests);
    tcase_add_test(tc, table_stands_on_three_legs);
    tcase_add_test(tc, leg_that_would_have_to_pull_lifts_off);
    suite_add_tcase(suite, tc);
    return suite;
}
