/* test_kinematics.c: kinematic analysis: transmission, accelerations, turning and dead points.
 *
 * Four-bar with crank a, coupler b, rocker c, ground d; D the distance from the crank's end to the
 * rocker's bearing at crank angle t, D^2 = a^2 + d^2 - 2 a d cos t:
 *     cos mu = (b^2 + c^2 - D^2) / (2 b c)                 transmission angle
 *     D^2 = a^2 + d^2 - 2 a d cos t  at the rocker's dead points, where the crank lies along the
 *     coupler: the far end of the coupler is b - a or b + a from the crank's bearing.
 */
#include <math.h>
#include <stdio.h>

#include "coords_mechanisms.h"
#include "run_main.h"

#define PI 3.14159265358979323846

static const double a = 1.0, b = 3.0, c = 2.5, d = 3.0; /* m, coords_four_bar's crank-rocker */
#define CRANK_0 (0.5 * PI)

static mechanism crank_rocker(void)
{
    return coords_four_bar(COORDS_CRANK_ROCKER);
}

static void set(mechanism *m, int joint, double value)
{
    const tn_coordinate_request r = {{joint}, 0, value};
    tn_coordinate_answer answer;
    ck_assert_int_eq(tn_sim_set_coordinates(m->sim, &r, 1, NULL, &answer, NULL), TN_OK);
    ck_assert_int_eq(answer.outcome, TN_COORDINATE_SET);
}

START_TEST(transmission_angle_of_a_four_bar)
{
    mechanism m = crank_rocker();
    const tn_joint crank = {0}, rocker = {3}, pin = {2};
    double worst = 0.0;
    for (double q = 0.0; q < 6.3; q += 0.1) {
        set(&m, 0, q);
        const double t = CRANK_0 + q, D2 = a * a + d * d - 2.0 * a * d * cos(t);
        const double cosine = (b * b + c * c - D2) / (2.0 * b * c);
        tn_transmission chosen, given;
        ck_assert_int_eq(tn_sim_transmission(m.sim, crank, 0, rocker, 0, (tn_joint){-1}, &chosen),
                         TN_OK);
        ck_assert_int_eq(chosen.through.i, pin.i);
        ck_assert_int_eq(tn_sim_transmission(m.sim, crank, 0, rocker, 0, pin, &given), TN_OK);
        worst = fmax(worst, fabs(chosen.index - sqrt(1.0 - cosine * cosine)));
        ck_assert_double_eq_tol(chosen.index, given.index, 1e-15);
        ck_assert_double_eq_tol(chosen.angle, asin(chosen.index), 1e-15);
    }
    printf("four-bar: transmission index off the closed form by %.1e\n", worst);
    ck_assert_double_le(worst, 1e-12);
    tn_transmission none;
    ck_assert_int_eq(tn_sim_transmission(m.sim, crank, 0, rocker, 0, crank, &none),
                     TN_ERROR_NOT_FOUND);
    mechanism_free(&m);
}
END_TEST

/* Bodies that only move in the plane, and a slide: the angle between the rod and the slide's
 * normal.
 */
START_TEST(transmission_in_the_plane)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    const tn_vec3 z = vec(0.0, 0.0, 1.0);
    const double crank = 0.7, rod_length = 1.5, s = 0.6 * sin(0.4);
    const double angle = asin(crank * s / rod_length); /* of the rod */
    const tn_vec3 p = vec(crank * sqrt(1.0 - s * s), crank * s, 0.0);
    const tn_vec3 q = vec(p.x + rod_length * cos(angle), 0.0, 0.0);
    const tn_vec3 at[3] = {vec(0.0, 0.0, 0.0), p, q};
    tn_body body[3];
    for (int k = 0; k < 3; k++) {
        tn_body_def def = tn_default_body_def();
        def.kind = TN_BODY_PLANAR;
        def.pose.p = at[k];
        def.mass = 1.0;
        def.com = vec(0.1, 0.05, 0.0);
        def.inertia = mat_diagonal(0.0, 0.0, 0.1);
        body[k] = mechanism_body(&m, &def);
    }
    mechanism_axis_joint(&m, "hinge", body[0], tn_ground(), at[0], z);
    mechanism_axis_joint(&m, "hinge", body[1], body[0], p, z);
    mechanism_axis_joint(&m, "hinge", body[1], body[2], q, z);
    mechanism_axis_joint(&m, "slider", body[2], tn_ground(), q, vec(1.0, 0.0, 0.0));
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    tn_transmission t;
    ck_assert_int_eq(
        tn_sim_transmission(m.sim, (tn_joint){0}, 0, (tn_joint){3}, 0, (tn_joint){-1}, &t), TN_OK);
    ck_assert_int_eq(t.through.i, 2);
    ck_assert_double_eq_tol(t.index, cos(angle), 1e-12);
    mechanism_free(&m);
}
END_TEST

/* A parallelogram in one line transmits nothing; a free five-bar is not held by one crank. */
START_TEST(nothing_is_transmitted)
{
    mechanism m = coords_four_bar(COORDS_PARALLELOGRAM);
    tn_transmission t;
    for (double q = 0.01; q > 1e-9; q *= 0.1) {
        set(&m, 0, q);
        ck_assert_int_eq(
            tn_sim_transmission(m.sim, (tn_joint){0}, 0, (tn_joint){3}, 0, (tn_joint){2}, &t),
            TN_OK);
        ck_assert_double_le(t.index, 1.01 * sin(q) + 1e-6);
    }
    mechanism_free(&m);
    m = coords_ring(5);
    ck_assert_int_eq(
        tn_sim_transmission(m.sim, (tn_joint){0}, 0, (tn_joint){4}, 0, (tn_joint){3}, &t), TN_OK);
    ck_assert_double_eq(t.index, 0.0);
    mechanism_free(&m);
}
END_TEST

/* Velocities and accelerations of the bodies against differences of their poses, in space. */
START_TEST(accelerations_are_second_derivatives)
{
    mechanism (*const make[])(void) = {crank_rocker, coords_watt, coords_universal_four_bar};
    mechanism m = make[_i]();
    enum { BODIES = 5, J = 7 * TN_MAX_COORDINATES };
    const double h = 2e-4;
    const int bodies = tn_model_get_size(m.model).bodies;
    double rate[J], second[J], acceleration[6 * BODIES], v[3][6 * BODIES];
    double q0[TN_MAX_COORDINATES], worst = 0.0;
    tn_sim_joint_coordinates(m.sim, (tn_joint){0}, q0);
    for (int n = 1; n < 5; n++)
        for (int k = 0; k < 3; k++) {
            set(&m, 0, q0[0] + 0.07 * n + h * (k == 0 ? -1 : k == 1 ? 1 : 0));
            ck_assert_int_eq(
                tn_sim_motion_ratios(m.sim, (tn_joint){0}, 0, rate, second, acceleration), TN_OK);
            tn_sim_get_velocities(m.sim, v[k]);
            for (int i = 0; k == 2 && i < 6 * bodies; i++)
                worst = fmax(worst, fabs(acceleration[i] - (v[1][i] - v[0][i]) / (2.0 * h)));
        }
    printf("accelerations off the differences of velocities by %.1e\n", worst);
    ck_assert_double_le(worst, 1e-6);
    mechanism_free(&m);
}
END_TEST

/* The crank angles at which the rocker turns back. */
START_TEST(dead_points_of_the_rocker)
{
    mechanism m = crank_rocker();
    double last[TN_MAX_COORDINATES * 4], rate[TN_MAX_COORDINATES * 4],
        second[TN_MAX_COORDINATES * 4];
    const int rocker = 3 * TN_MAX_COORDINATES;
    int found = 0;
    double worst = 0.0;
    set(&m, 0, 0.0);
    ck_assert_int_eq(tn_sim_motion_ratios(m.sim, (tn_joint){0}, 0, last, second, NULL), TN_OK);
    for (double q = 0.25; q < 6.3; q += 0.25) {
        set(&m, 0, q);
        ck_assert_int_eq(tn_sim_motion_ratios(m.sim, (tn_joint){0}, 0, rate, second, NULL), TN_OK);
        if (last[rocker] * rate[rocker] < 0.0) {
            double at = 0.0;
            set(&m, 0, q - 0.25);
            ck_assert_int_eq(tn_sim_find_turning(m.sim, (tn_joint){0}, 0, q, (tn_joint){3}, 0, &at),
                             TN_OK);
            /* distance of the rocker's end from the crank's bearing */
            const tn_vec3 pin = vec_sub(tn_sim_body_pose(m.sim, (tn_body){2}).p, vec(d, 0, 0));
            const double end = hypot(d + 2.0 * pin.x, 2.0 * pin.y);
            worst = fmax(worst, fmin(fabs(end - (b - a)), fabs(end - (b + a))));
            const double D2 = end * end, t = CRANK_0 + at;
            const double cosine = (d * d + D2 - c * c) / (2.0 * d * end);
            const double angle = end > b ? acos(cosine) : PI + acos(cosine);
            worst = fmax(worst, fabs(remainder(t - angle, 2.0 * PI)));
            found++;
            set(&m, 0, q);
        }
        for (int k = 0; k < TN_MAX_COORDINATES * 4; k++)
            last[k] = rate[k];
    }
    printf("rocker turns back %d times, off the closed form by %.1e\n", found, worst);
    ck_assert_int_eq(found, 2);
    ck_assert_double_le(worst, 1e-12);
    mechanism_free(&m);
}
END_TEST

/* The rocker asked beyond its reach: where it was stopped, and the dead point itself. */
START_TEST(dead_point_of_the_driven_coordinate)
{
    mechanism m = crank_rocker();
    const double e = coords_rocker_angle_at_dead_point(), start = coords_rocker_angle(0.0);
    const double sense = e > start ? 1.0 : -1.0;
    const tn_coordinate_request r = {{3}, 0, 3.0 * sense};
    tn_coordinate_answer answer;
    double at = 0.0;
    ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &r, 1, NULL, &answer, NULL), TN_OK);
    ck_assert_int_eq(answer.outcome, TN_COORDINATE_LIMITED);
    ck_assert_int_eq(tn_sim_find_dead_point(m.sim, (tn_joint){3}, 0, sense, &at), TN_OK);
    printf("dead point: stopped %.1e before it, located to %.1e\n",
           fabs(answer.value - (e - start)), fabs(at - (e - start)));
    ck_assert_double_eq_tol(at, e - start, 1e-12);
    /* there it has no ratios, and nothing has changed */
    double rate[TN_MAX_COORDINATES * 4], second[TN_MAX_COORDINATES * 4];
    const tn_pose before = tn_sim_body_pose(m.sim, (tn_body){1});
    const tn_status status = tn_sim_motion_ratios(m.sim, (tn_joint){3}, 0, rate, second, NULL);
    const tn_pose after = tn_sim_body_pose(m.sim, (tn_body){1});
    ck_assert(status == TN_ERROR_SINGULAR || fabs(rate[0]) > 1e4);
    ck_assert_mem_eq(&before, &after, sizeof before);
    /* away from any dead point there is none to be found */
    set(&m, 0, 0.5);
    ck_assert_int_eq(tn_sim_find_dead_point(m.sim, (tn_joint){0}, 0, 1.0, &at), TN_ERROR_NOT_FOUND);
    mechanism_free(&m);
}
END_TEST

/* On a change point of a parallelogram the motion is that of the parallelogram, not a mean of both
 * branches: the coupler does not turn. Turning points are not seen there. */
START_TEST(ratios_at_a_change_point_are_those_of_the_branch)
{
    mechanism m = coords_four_bar(COORDS_PARALLELOGRAM);
    enum { J = 4 * TN_MAX_COORDINATES };
    double rate[J], second[J], q[TN_MAX_COORDINATES], at = 0.0;
    for (double next = 0.9; next > -0.05; next -= 0.1) /* the change point is at 0 */
        set(&m, 0, fabs(next) < 1e-9 ? 0.0 : next);
    tn_sim_joint_coordinates(m.sim, (tn_joint){0}, q);
    ck_assert_double_eq_tol(q[0], 0.0, 1e-15);
    ck_assert_int_eq(tn_sim_motion_ratios(m.sim, (tn_joint){0}, 0, rate, second, NULL), TN_OK);
    const double want[4] = {1.0, -1.0, 1.0, 1.0};
    for (int j = 0; j < 4; j++)
        ck_assert_double_eq_tol(rate[j * TN_MAX_COORDINATES], want[j], 1e-6);
    ck_assert(isnan(second[TN_MAX_COORDINATES]));
    set(&m, 0, 0.5);
    ck_assert_int_eq(tn_sim_find_turning(m.sim, (tn_joint){0}, 0, -0.5, (tn_joint){3}, 0, &at),
                     TN_ERROR_NOT_FOUND);
    set(&m, 0, -0.3);
    tn_sim_joint_coordinates(m.sim, (tn_joint){1}, q);
    ck_assert_double_eq_tol(q[0], 0.3 + 0.25 * PI, 1e-9);
    mechanism_free(&m);
}
END_TEST

/* The ends of a step so small that its direction is round-off must not lead the next one astray. */
START_TEST(tiny_requests_do_no_harm)
{
    mechanism m = crank_rocker();
    for (double q = 0.1; q < 6.0; q += 0.37)
        for (int k = -16; k < -6; k++) {
            set(&m, 0, q);
            set(&m, 0, q + pow(10.0, k));
            set(&m, 0, q + 0.2);
        }
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("kinematics");
    TCase *all = tcase_create("all");
    tcase_add_test(all, transmission_angle_of_a_four_bar);
    tcase_add_test(all, transmission_in_the_plane);
    tcase_add_test(all, nothing_is_transmitted);
    tcase_add_loop_test(all, accelerations_are_second_derivatives, 0, 3);
    tcase_add_test(all, dead_points_of_the_rocker);
    tcase_add_test(all, dead_point_of_the_driven_coordinate);
    tcase_add_test(all, ratios_at_a_change_point_are_those_of_the_branch);
    tcase_add_test(all, tiny_requests_do_no_harm);
    suite_add_tcase(suite, all);
    return suite;
}
