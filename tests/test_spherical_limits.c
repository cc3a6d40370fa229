/* Cones, rotation limits and swing-twist limits of spherical joints: where an inverted pendulum
 * comes to rest on them and with what moment (closed forms), that nothing gets past them, that a
 * twist bounces in time, and the edges of what is measured. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "joint/joint_class.h"
#include "support/mechanism.h"
#include "support/run_main.h"

static const double g = 9.81, mass = 2.0, arm = 0.7; /* m/s^2, kg, m */

typedef struct limited {
    const char *type;
    double parameters[3];
    double upper[2]; /* rad */
} limited;

/* A body above its joint at the world's origin, turned by angle about axis, with angular velocity
 * w. */
static mechanism pendulum(const limited *l, tn_vec3 axis, double angle, tn_vec3 w, tn_vec3 gravity)
{
    mechanism m = mechanism_new(gravity);
    tn_body_def body = tn_default_body_def();
    body.pose.q = tn_quat_from_axis_angle(axis, angle);
    body.mass = mass;
    body.com = vec(0.0, 0.0, arm);
    body.inertia = mat_diagonal(0.1, 0.1, 0.2);
    body.velocity.w = w;
    tn_joint_def joint = tn_default_joint_def();
    joint.type = l->type;
    joint.a = mechanism_body(&m, &body);
    joint.b = tn_ground();
    joint.placement = TN_PLACE_BODY_FRAMES;
    joint.frame_c = tn_pose_identity();
    joint.frame_d = tn_pose_identity();
    tn_joint_type type;
    ck_assert_int_eq(tn_joint_type_find(l->type, &type), TN_OK);
    const tn_joint_type_info *info = tn_joint_type_get(type);
    for (int32_t i = 0; i < info->parameter_count; i++)
        joint.parameters[i] = l->parameters[i];
    for (int32_t i = 0; i < info->coordinate_count; i++) {
        joint.upper[i] = l->upper[i];
        joint.lower[i] = i == 0 ? -INFINITY : -l->upper[i];
        joint.restitution[i] = i == 0 ? 0.0 : 1.0;
    }
    mechanism_joint(&m, &joint);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    return m;
}

static tn_vec3 down(void)
{
    return vec(0.0, 0.0, -g);
}

/* ---- rest --------------------------------------------------------------------------------- */

typedef struct rest {
    limited joint;
    tn_vec3 axis;
    double angle; /* rad, of the tilt at rest */
    double lever; /* d angle / d coordinate */
} rest;

static const rest rests[] = {
    {{"spherical_tilt", {0}, {0.5, INFINITY}}, {0.6, 0.8, 0.0}, 0.5, 1.0},
    {{"spherical_tilt", {0}, {2.0, INFINITY}}, {-0.8, 0.6, 0.0}, 2.0, 1.0},
    {{"spherical_rotation", {1.0, 0.5, 2.0}, {0.6, INFINITY}}, {1.0, 0.0, 0.0}, 0.6, 1.0},
    {{"spherical_rotation", {1.0, 0.5, 2.0}, {0.6, INFINITY}}, {0.0, 1.0, 0.0}, 0.3, 0.5},
    {{"spherical_swing_twist", {1.5, 0.5}, {0.6, INFINITY}}, {-1.0, 0.0, 0.0}, 0.9, 1.5},
    {{"spherical_swing_twist", {1.5, 0.5}, {0.6, INFINITY}}, {0.0, -1.0, 0.0}, 0.3, 0.5},
};

/* From a tilt of 0.1 the pendulum falls onto its limit: there its multiplier is -m g l sin(angle)
 * times the lever, and does not change any more. */
START_TEST(pendulum_rests_on_its_limit)
{
    const rest *r = &rests[_i];
    mechanism m = pendulum(&r->joint, r->axis, 0.1, vec(0.0, 0.0, 0.0), down());
    mechanism_run(&m, 1e-3, 1500, NULL);
    double q[TN_MAX_COORDINATES], force = 0.0, change = 0.0;
    ck_assert_int_eq(tn_sim_at_limit(m.sim, (tn_joint){0}, 0, &force), 1);
    const double expected = -mass * g * arm * sin(r->angle) * r->lever;
    for (int n = 0; n < 100; n++) {
        double now = 0.0;
        mechanism_run(&m, 1e-3, 1, NULL);
        ck_assert_int_eq(tn_sim_event_count(m.sim), 0);
        ck_assert_int_eq(tn_sim_at_limit(m.sim, (tn_joint){0}, 0, &now), 1);
        change = fmax(change, fabs(now - force));
    }
    tn_sim_joint_coordinates(m.sim, (tn_joint){0}, q);
    const tn_mat3 R = tn_quat_to_matrix(tn_sim_body_pose(m.sim, (tn_body){0}).q);
    const double tilt = atan2(hypot(R.m[0][2], R.m[1][2]), R.m[2][2]);
    printf("%-22s rests at %.12f rad with %.9f N m, off by %.1e, steady to %.1e\n", r->joint.type,
           tilt, force, fabs(force - expected), change);
    ck_assert_double_eq_tol(q[0], r->joint.upper[0], 1e-9);
    ck_assert_double_eq_tol(tilt, r->angle, 1e-9);
    ck_assert_double_eq_tol(force, expected, 1e-8 * fabs(expected));
    ck_assert_double_le(change, 1e-8 * fabs(expected));
    mechanism_free(&m);
}
END_TEST

/* ---- nothing gets past -------------------------------------------------------------------- */

static const limited cones[] = {
    {"spherical_tilt", {0}, {0.8, INFINITY}},
    {"spherical_rotation", {1.0, 0.4, 0.7}, {1.1, INFINITY}},
    {"spherical_swing_twist", {1.0, 0.4}, {0.9, 0.3}},
};

/* Thrown with a spin it slides along the limit, where the row turns all the time. Impacts take
 * energy (the twist bounces elastically), never give any. */
START_TEST(thrown_pendulum_stays_inside)
{
    const limited *l = &cones[_i];
    mechanism m = pendulum(l, vec(1.0, 0.3, 0.1), 0.2, vec(2.0, -1.5, 1.0), down());
    double beyond = -1.0, gained = 0.0, last = tn_sim_energy(m.sim).total;
    const double start = last;
    int events = 0;
    for (int n = 0; n < 3000; n++) {
        mechanism_run(&m, 1e-3, 1, NULL);
        double q[TN_MAX_COORDINATES] = {0};
        tn_sim_joint_coordinates(m.sim, (tn_joint){0}, q);
        beyond = fmax(beyond, q[0] - l->upper[0]);
        if (isfinite(l->upper[1]))
            beyond = fmax(beyond, fabs(q[1]) - l->upper[1]);
        const double energy = tn_sim_energy(m.sim).total;
        gained = fmax(gained, energy - last);
        last = energy;
        events += tn_sim_event_count(m.sim);
    }
    printf("%-22s %d events, beyond by %.1e rad at most, energy %.3f to %.3f J, gained %.1e J in a "
           "step\n",
           l->type, events, beyond, start, last, gained);
    ck_assert_int_gt(events, 0);
    ck_assert_int_lt(events, 400);
    ck_assert_double_le(beyond, 1e-9);
    ck_assert_double_le(gained, 1e-3 * mass * g * arm);
    mechanism_free(&m);
}
END_TEST

/* Without gravity a twist at 1 rad/s bounces between +-0.3 rad: a triangle of period 1.2 s. */
START_TEST(twist_bounces_in_time)
{
    const limited l = {"spherical_swing_twist", {1.0, 1.0}, {0.5, 0.3}};
    mechanism m = pendulum(&l, vec(1.0, 0.0, 0.0), 0.0, vec(0.0, 0.0, 1.0), vec(0.0, 0.0, 0.0));
    double worst = 0.0;
    for (int n = 1; n <= 3000; n++) {
        mechanism_run(&m, 1e-3, 1, NULL);
        double q[TN_MAX_COORDINATES];
        tn_sim_joint_coordinates(m.sim, (tn_joint){0}, q);
        const double phase = fmod(n * 1e-3 + 0.3, 1.2); /* 0 at the lower limit */
        worst = fmax(worst, fabs(q[1] - (phase < 0.6 ? phase - 0.3 : 0.9 - phase)));
    }
    printf("twist: off the triangle by %.1e rad\n", worst);
    ck_assert_double_le(worst, 1e-9);
    mechanism_free(&m);
}
END_TEST

/* ---- edges -------------------------------------------------------------------------------- */

static const char *const types[] = {"spherical_tilt", "spherical_rotation",
                                    "spherical_swing_twist"};

/* No rotation, half turns about every axis: finite rows that keep W^T T = I. */
START_TEST(rows_are_finite_at_the_edges)
{
    const double pi = 3.14159265358979323846;
    const tn_joint_setup setup = {.parameters = {1.0, 0.7, 1.3}};
    tn_joint_type type;
    ck_assert_int_eq(tn_joint_type_find(types[_i], &type), TN_OK);
    const tn_joint_class *cls = tn_joint_class_get(type);
    for (int axis = 0; axis < 3; axis++) {
        for (int half = 0; half < 2; half++) {
            const tn_vec3 a = vec(axis == 0, axis == 1, axis == 2);
            const tn_xform T_GD = {tn_quat_to_matrix(tn_quat_from_axis_angle(a, half * pi)),
                                   {0.0, 0.0, 0.0}};
            double q[TN_MAX_COORDINATES] = {0}, W[6][6] = {{0}}, T[6][6] = {{0}}, dW[6][6] = {{0}};
            const double twist[6] = {0.0, 0.0, 0.0, 0.3, -0.2, 0.5};
            cls->pose_to_coordinates(&setup, &T_GD, q, q);
            cls->wrenches(&setup, &T_GD, q, W);
            cls->twists(&setup, &T_GD, q, T);
            cls->wrench_rates(&setup, &T_GD, q, twist, dW);
            for (int k = 0; k < 6; k++)
                for (int c = 0; c < 6; c++)
                    ck_assert(isfinite(W[k][c]) && isfinite(dW[k][c]) && isfinite(T[k][c]));
            for (int i = 0; i < 3; i++)
                for (int k = 0; k < 3; k++) {
                    double dot = 0.0;
                    for (int c = 3; c < 6; c++)
                        dot += W[3 + k][c] * T[i][c];
                    ck_assert_double_eq_tol(dot, i == k, 1e-3);
                }
            ck_assert(isfinite(q[0]) && isfinite(q[1]));
        }
    }
}
END_TEST

/* Values that were worked out by hand. */
START_TEST(measured_values)
{
    const tn_vec3 axis = {0.6, 0.8, 0.0};
    const tn_pose turned = {{0.0, 0.0, 0.0}, tn_quat_from_axis_angle(axis, 0.9)};
    const double a[TN_MAX_PARAMETERS] = {2.0, 0.5, 1.0};
    double q[TN_MAX_COORDINATES];
    tn_joint_type type;
    ck_assert_int_eq(tn_joint_type_find("spherical_tilt", &type), TN_OK);
    ck_assert_int_eq(tn_joint_pose_to_coordinates(type, NULL, turned, NULL, q, NULL), TN_OK);
    ck_assert_double_eq_tol(q[0], 0.9, 1e-14);
    ck_assert_int_eq(tn_joint_type_find("spherical_rotation", &type), TN_OK);
    ck_assert_int_eq(tn_joint_pose_to_coordinates(type, a, turned, NULL, q, NULL), TN_OK);
    ck_assert_double_eq_tol(q[0], 0.9 / sqrt(1.2 * 1.2 + 0.4 * 0.4), 1e-14);
    ck_assert_int_eq(tn_joint_type_find("spherical_swing_twist", &type), TN_OK);
    ck_assert_int_eq(tn_joint_pose_to_coordinates(type, a, turned, NULL, q, NULL), TN_OK);
    ck_assert_double_eq_tol(q[0], 0.9 * sqrt(0.3 * 0.3 + 1.6 * 1.6), 1e-14);
    ck_assert_double_eq_tol(q[1], 0.0, 1e-14);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("spherical limits");
    TCase *tc = tcase_create("limits");
    tcase_add_loop_test(tc, pendulum_rests_on_its_limit, 0, sizeof rests / sizeof rests[0]);
    tcase_add_loop_test(tc, thrown_pendulum_stays_inside, 0, sizeof cones / sizeof cones[0]);
    tcase_add_loop_test(tc, rows_are_finite_at_the_edges, 0, sizeof types / sizeof types[0]);
    tcase_add_test(tc, twist_bounces_in_time);
    tcase_add_test(tc, measured_values);
    suite_add_tcase(suite, tc);
    return suite;
}
