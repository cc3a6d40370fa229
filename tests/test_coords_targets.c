/* test_coords_targets.c: markers brought to places and orientations: inverse kinematics.
 *
 * Where they should be comes from closed forms written here: products of exponentials for an arm of
 * six hinges, lengths of legs for a Stewart platform, triangles for an arm in the plane.
 */
#include <math.h>
#include <stdio.h>

#include "coords_mechanisms.h"
#include "random_numbers.h"
#include "run_main.h"

#define PI 3.14159265358979323846

static double coordinate(const mechanism *m, int joint)
{
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(m->sim, (tn_joint){joint}, q);
    return q[0];
}

/* rad, between two orientations */
static double angle_between(tn_quat a, tn_quat b)
{
    const tn_pose d = tn_pose_multiply(tn_pose_inverse((tn_pose){vec(0.0, 0.0, 0.0), a}),
                                       (tn_pose){vec(0.0, 0.0, 0.0), b});
    return 2.0 * atan2(vec_norm(vec(d.q.x, d.q.y, d.q.z)), fabs(d.q.w));
}

static tn_marker_request exactly(int marker, tn_pose pose)
{
    tn_marker_request r = tn_default_marker_request((tn_marker){marker});
    r.aim = TN_AIM_POSE;
    r.position = pose.p;
    r.rotation = pose.q;
    return r;
}

static tn_status reach(mechanism *m, const tn_marker_request *r, int count,
                       tn_marker_answer *answers)
{
    tn_placement_report report;
    const tn_status status = tn_sim_pose(m->sim, NULL, 0, r, count, NULL, NULL, answers, &report);
    if (status == TN_OK) {
        ck_assert_double_le(report.position_error, 1e-12);
        ck_assert_double_le(report.angle_error, 1e-12);
    }
    return status;
}

/* ---- an arm of six hinges ---- */

static const char arm_text[] =
    "tenon: 1\n"
    "angle: deg\n"
    "bodies:\n"
    "  b1: {mass: 4, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.2]}\n"
    "  b2: {mass: 3, inertia: [0.1, 0.1, 0.1], position: [0.25, 0, 0.4]}\n"
    "  b3: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.7, 0, 0.4]}\n"
    "  b4: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.9, 0, 0.4]}\n"
    "  b5: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.9, 0, 0.4]}\n"
    "  b6: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [1, 0, 0.4]}\n"
    "joints:\n"
    "  j1: {type: hinge, a: b1, b: ground, origin: [0, 0, 0], axis: [0, 0, 1]}\n"
    "  j2: {type: hinge, a: b2, b: b1, origin: [0, 0, 0.4], axis: [0, 1, 0]}\n"
    "  j3: {type: hinge, a: b3, b: b2, origin: [0.5, 0, 0.4], axis: [0, 1, 0]}\n"
    "  j4: {type: hinge, a: b4, b: b3, origin: [0.9, 0, 0.4], axis: [1, 0, 0]}\n"
    "  j5: {type: hinge, a: b5, b: b4, origin: [0.9, 0, 0.4], axis: [0, 1, 0]}\n"
    "  j6: {type: hinge, a: b6, b: b5, origin: [0.9, 0, 0.4], axis: [1, 0, 0]}\n"
    "markers:\n"
    "  tip: {body: b6, position: [0.05, 0, 0], rpy: [0, 90, 30]}\n";

enum { ARM_JOINTS = 6 };

/* Product of exponentials: turns about the axes as they are at rest, the last one first. */
static tn_pose arm_tip(const double q[ARM_JOINTS])
{
    static const tn_vec3 axis[ARM_JOINTS] = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0},
                                             {1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    static const tn_vec3 at[ARM_JOINTS] = {{0, 0, 0},     {0, 0, 0.4},   {0.5, 0, 0.4},
                                           {0.9, 0, 0.4}, {0.9, 0, 0.4}, {0.9, 0, 0.4}};
    tn_pose tip = {vec(1.05, 0.0, 0.4), tn_quat_from_rpy(0.0, PI / 2.0, PI / 6.0)};
    for (int k = ARM_JOINTS - 1; k >= 0; k--) {
        tn_pose turn = {vec(0.0, 0.0, 0.0), tn_quat_from_axis_angle(axis[k], q[k])};
        turn.p = vec_sub(at[k], tn_pose_rotate_vector(turn, at[k]));
        tip = tn_pose_multiply(turn, tip);
    }
    return tip;
}

/* From a pose near by the arm comes to the angles that the closed form was made from. */
START_TEST(arm_of_six_hinges)
{
    mechanism m = mechanism_of(arm_text, TN_GENERALIZED_ALPHA);
    uint64_t random = 7;
    double worst_pose = 0.0, worst_angle = 0.0;
    for (int trial = 0; trial < 40; trial++) {
        double q[ARM_JOINTS];
        tn_coordinate_request near[ARM_JOINTS];
        tn_marker_answer miss;
        q[0] = random_between(&random, -3.0, 3.0);
        q[1] = random_between(&random, -1.0, 0.3);
        q[2] = random_between(&random, 0.5, 2.0); /* the elbow is bent */
        q[3] = random_between(&random, -1.5, 1.5);
        q[4] = random_between(&random, 0.4, 1.5); /* and so is the wrist */
        q[5] = random_between(&random, -2.0, 2.0);
        for (int k = 0; k < ARM_JOINTS; k++)
            near[k] = (tn_coordinate_request){{k}, 0, q[k] + random_between(&random, -0.25, 0.25)};
        ck_assert_int_eq(tn_sim_set_coordinates(m.sim, near, ARM_JOINTS, NULL, NULL, NULL), TN_OK);
        const tn_marker_request r = exactly(0, arm_tip(q));
        ck_assert_int_eq(reach(&m, &r, 1, &miss), TN_OK);
        const tn_pose tip = tn_sim_marker_pose(m.sim, r.marker);
        worst_pose = fmax(worst_pose, vec_norm(vec_sub(tip.p, r.position)));
        worst_pose = fmax(worst_pose, angle_between(tip.q, r.rotation));
        worst_pose = fmax(worst_pose, fmax(miss.distance, miss.angle));
        for (int k = 0; k < ARM_JOINTS; k++)
            worst_angle = fmax(worst_angle, fabs(coordinate(&m, k) - q[k]));
    }
    printf("six hinges: pose off by %.1e, angles by %.1e\n", worst_pose, worst_angle);
    ck_assert_double_le(worst_pose, 1e-10);
    ck_assert_double_le(worst_angle, 1e-9);
    mechanism_free(&m);
}
END_TEST

/* ---- Stewart platform ---- */

/* The platform of coords_mechanisms.c to random poses: its legs are as long as the distance between
 * their ends says. */
START_TEST(stewart_platform)
{
    mechanism m = coords_stewart();
    const tn_marker platform = mechanism_marker(&m, (tn_body){0}, vec(0.0, 0.0, 0.0));
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    uint64_t random = 11;
    double worst = 0.0, worst_way_back = 0.0;
    for (int trial = 0; trial < 20; trial++) {
        tn_pose pose = {
            vec(random_between(&random, -0.15, 0.15), random_between(&random, -0.15, 0.15),
                random_between(&random, 0.9, 1.2)),
            tn_quat_from_rpy(random_between(&random, -0.3, 0.3), random_between(&random, -0.3, 0.3),
                             random_between(&random, -0.3, 0.3))};
        const tn_marker_request r = exactly(platform.i, pose);
        ck_assert_int_eq(reach(&m, &r, 1, NULL), TN_OK);
        tn_coordinate_request legs[6], home[6];
        for (int k = 0; k < 6; k++) {
            const double side = k % 2 ? 1.0 : -1.0, third = 2.0 * PI / 3.0 * (k / 2);
            const double base = third + side * 0.2, head = third + side * 0.8;
            const tn_vec3 foot = vec(cos(base), sin(base), 0.0);
            const tn_vec3 top = vec(0.6 * cos(head), 0.6 * sin(head), 0.0);
            const tn_vec3 first = vec(top.x, top.y, 1.0);
            const double now = vec_norm(vec_sub(tn_pose_transform_point(pose, top), foot)) -
                               vec_norm(vec_sub(first, foot));
            worst = fmax(worst, fabs(coordinate(&m, k) - now));
            legs[k] = (tn_coordinate_request){{k}, 0, now};
            home[k] = (tn_coordinate_request){{k}, 0, 0.0};
        }
        /* and back again: home, then the legs to their lengths */
        ck_assert_int_eq(tn_sim_set_coordinates(m.sim, home, 6, NULL, NULL, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_set_coordinates(m.sim, legs, 6, NULL, NULL, NULL), TN_OK);
        const tn_pose back = tn_sim_marker_pose(m.sim, platform);
        worst_way_back = fmax(worst_way_back, vec_norm(vec_sub(back.p, pose.p)));
        worst_way_back = fmax(worst_way_back, angle_between(back.q, pose.q));
    }
    printf("Stewart platform: legs off by %.1e, pose from the legs by %.1e\n", worst,
           worst_way_back);
    ck_assert_double_le(worst, 1e-10);
    ck_assert_double_le(worst_way_back, 1e-10);
    mechanism_free(&m);
}
END_TEST

/* ---- an arm in the plane ---- */

/* Angles of three unit rods that end at (x, y) and point along phi; elbow 1 or -1 is the sign of
 * the second angle. */
static void plane_arm(double x, double y, double phi, double elbow, double q[3])
{
    const double wx = x - cos(phi), wy = y - sin(phi);
    const double c = 0.5 * (wx * wx + wy * wy) - 1.0;
    q[1] = elbow * acos(c);
    q[0] = atan2(wy, wx) - 0.5 * q[1];
    q[2] = remainder(phi - q[0] - q[1], 2.0 * PI);
}

static const char plane_text[] = "tenon: 1\n"
                                 "world: planar\n"
                                 "bodies:\n"
                                 "  a: {mass: 1, inertia: 0.1, position: [0.5, 0]}\n"
                                 "  b: {mass: 1, inertia: 0.1, position: [1.5, 0]}\n"
                                 "  c: {mass: 1, inertia: 0.1, position: [2.5, 0]}\n"
                                 "joints:\n"
                                 "  j: {type: hinge, a: a, b: ground, origin: [0, 0]}\n"
                                 "  k: {type: hinge, a: b, b: a, origin: [1, 0]}\n"
                                 "  l: {type: hinge, a: c, b: b, origin: [2, 0]}\n"
                                 "markers:\n"
                                 "  tip: {body: c, position: [0.5, 0]}\n";

static void set_three(mechanism *m, const double q[3])
{
    tn_coordinate_request r[3];
    for (int k = 0; k < 3; k++)
        r[k] = (tn_coordinate_request){{k}, 0, q[k]};
    ck_assert_int_eq(tn_sim_set_coordinates(m->sim, r, 3, NULL, NULL, NULL), TN_OK);
}

START_TEST(plane_arm_keeps_its_elbow)
{
    mechanism m = mechanism_of(plane_text, TN_GENERALIZED_ALPHA);
    uint64_t random = 5;
    double worst = 0.0;
    for (int trial = 0; trial < 100; trial++) {
        const double elbow = trial % 2 ? 1.0 : -1.0;
        const double start[3] = {random_between(&random, -0.5, 0.5), elbow * 1.3,
                                 random_between(&random, -0.5, 0.5)};
        const double turned[3] = {start[0] + random_between(&random, -0.6, 0.6),
                                  start[1] + random_between(&random, -0.6, 0.6),
                                  start[2] + random_between(&random, -0.6, 0.6)};
        const double phi = turned[0] + turned[1] + turned[2];
        const double x = cos(turned[0]) + cos(turned[0] + turned[1]) + cos(phi);
        const double y = sin(turned[0]) + sin(turned[0] + turned[1]) + sin(phi);
        double q[3];
        plane_arm(x, y, phi, elbow, q);
        set_three(&m, start);
        const tn_pose pose = {vec(x, y, 0.0), tn_quat_from_axis_angle(vec(0.0, 0.0, 1.0), phi)};
        const tn_marker_request r = exactly(0, pose);
        ck_assert_int_eq(reach(&m, &r, 1, NULL), TN_OK);
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fabs(remainder(coordinate(&m, k) - q[k], 2.0 * PI)));
    }
    printf("arm in the plane: angles off by %.1e\n", worst);
    ck_assert_double_le(worst, 1e-10);
    mechanism_free(&m);
}
END_TEST

/* The orientation alone, from 0 to nearly half a turn either way: by the shorter way. */
START_TEST(rotation_alone_by_the_shorter_way)
{
    mechanism m = mechanism_of(plane_text, TN_GENERALIZED_ALPHA);
    for (int side = -1; side <= 1; side += 2) {
        const double zero[3] = {0.0, 0.0, 0.0};
        set_three(&m, zero);
        tn_marker_request r = tn_default_marker_request((tn_marker){0});
        r.aim = TN_AIM_ROTATION;
        r.rotation = tn_quat_from_axis_angle(vec(0.0, 0.0, 1.0), side * 3.1);
        tn_marker_answer miss;
        ck_assert_int_eq(reach(&m, &r, 1, &miss), TN_OK);
        ck_assert_double_le(miss.angle, 1e-10);
        ck_assert_double_eq(miss.distance, 0.0);
        const double sum = coordinate(&m, 0) + coordinate(&m, 1) + coordinate(&m, 2);
        ck_assert_double_eq_tol(sum, side * 3.1, 1e-10);
    }
    mechanism_free(&m);
}
END_TEST

/* Out of the plane by 0.4 rad and 10 m away where 3 are within reach: what is missing is told in
 * both parts, the pose stays when it was to be exact and is the best one when it was not. */
START_TEST(what_is_missing_is_told)
{
    mechanism m = mechanism_of(plane_text, TN_GENERALIZED_ALPHA);
    const double bent[3] = {0.4, -0.9, 0.7};
    set_three(&m, bent);
    const tn_pose before = tn_sim_body_pose(m.sim, (tn_body){2});
    const tn_pose pose = {vec(10.0, 0.0, 0.0), tn_quat_from_axis_angle(vec(1.0, 0.0, 0.0), 0.4)};
    tn_marker_request r = exactly(0, pose);
    tn_marker_answer miss = {0.0, 0.0};
    ck_assert_int_eq(reach(&m, &r, 1, &miss), TN_ERROR_NOT_CONVERGED);
    ck_assert_double_eq_tol(miss.distance, 7.0, 1e-9);
    ck_assert_double_eq_tol(miss.angle, 0.4, 1e-6);
    const tn_pose after = tn_sim_body_pose(m.sim, (tn_body){2});
    ck_assert_mem_eq(&before, &after, sizeof before);
    r.weight = 2.0;
    ck_assert_int_eq(reach(&m, &r, 1, &miss), TN_OK);
    ck_assert_double_eq_tol(miss.distance, 7.0, 1e-9);
    ck_assert_double_eq_tol(miss.angle, 0.4, 1e-6);
    const tn_pose tip = tn_sim_marker_pose(m.sim, r.marker);
    ck_assert_double_eq_tol(vec_norm(vec_sub(tip.p, pose.p)), miss.distance, 1e-14);
    ck_assert_double_eq_tol(angle_between(tip.q, pose.q), miss.angle, 1e-14);
    mechanism_free(&m);
}
END_TEST

/* A point of a body that has no marker: brought to the same place as a marker there, bit for bit,
 * and elsewhere on the body to where it was wanted. */
START_TEST(a_point_without_a_marker)
{
    const double bent[3] = {0.4, -0.9, 0.7};
    mechanism by_marker = mechanism_of(plane_text, TN_GENERALIZED_ALPHA),
              by_point = mechanism_of(plane_text, TN_GENERALIZED_ALPHA);
    set_three(&by_marker, bent);
    set_three(&by_point, bent);
    tn_marker_request marker = tn_default_marker_request((tn_marker){0});
    marker.position = vec(1.2, 1.1, 0.0);
    const tn_body body = tn_model_marker_body(by_point.model, marker.marker);
    const tn_marker_def *def = tn_spec_marker(by_point.spec, marker.marker);
    tn_marker_request point = tn_default_point_request(body, def->position);
    point.position = marker.position;
    ck_assert_int_eq(reach(&by_marker, &marker, 1, NULL), TN_OK);
    ck_assert_int_eq(reach(&by_point, &point, 1, NULL), TN_OK);
    const tn_pose one = tn_sim_body_pose(by_marker.sim, body);
    const tn_pose other = tn_sim_body_pose(by_point.sim, body);
    ck_assert_mem_eq(&one, &other, sizeof one);

    point.point = vec(0.2, -0.3, 0.0);
    ck_assert_int_eq(reach(&by_point, &point, 1, NULL), TN_OK);
    const tn_vec3 at = tn_pose_transform_point(tn_sim_body_pose(by_point.sim, body), point.point);
    ck_assert_double_le(vec_norm(vec_sub(at, point.position)), 1e-9);

    point.body = tn_ground();
    ck_assert_int_eq(reach(&by_point, &point, 1, NULL), TN_ERROR_ARGUMENT);
    point.body.i = tn_model_get_size(by_point.model).bodies;
    ck_assert_int_eq(reach(&by_point, &point, 1, NULL), TN_ERROR_ARGUMENT);
    point = tn_default_point_request(body, vec(0.0, NAN, 0.0));
    ck_assert_int_eq(reach(&by_point, &point, 1, NULL), TN_ERROR_NOT_FINITE);
    mechanism_free(&by_marker);
    mechanism_free(&by_point);
}
END_TEST

/* One rod of length 1 whose tip is to be at angle 0 and whose axes are to be turned by 0.5, arm
 * 0.7: w1 sin t + w2 arm^2 (t - 0.5) = 0. */
START_TEST(place_against_rotation)
{
    mechanism m = coords_chain(1);
    for (int k = 0; k < 3; k++) {
        const double w1 = 1.0, w2 = pow(4.0, k - 1), arm = 0.7;
        tn_marker_request r[2] = {tn_default_marker_request((tn_marker){0}),
                                  tn_default_marker_request((tn_marker){0})};
        const tn_pose rest = {vec(0.0, 0.0, 0.0), tn_sim_marker_pose(m.sim, r[0].marker).q};
        const tn_pose back = {rest.p,
                              tn_quat_from_axis_angle(vec(0.0, 0.0, 1.0), 0.5 - coordinate(&m, 0))};
        r[0].position = vec(1.0, 0.0, 0.0);
        r[0].weight = w1;
        r[1].aim = TN_AIM_ROTATION;
        r[1].rotation = tn_pose_multiply(back, rest).q;
        r[1].weight = w2;
        r[1].arm = arm;
        double low = 0.0, high = 0.5;
        for (int n = 0; n < 60; n++) {
            const double t = 0.5 * (low + high);
            *(w1 * sin(t) + w2 * arm * arm * (t - 0.5) > 0.0 ? &high : &low) = t;
        }
        ck_assert_int_eq(reach(&m, r, 2, NULL), TN_OK);
        ck_assert_double_eq_tol(coordinate(&m, 0), low, 1e-7);
    }
    mechanism_free(&m);
}
END_TEST

/* The tip exactly at a place, pointing as nearly as it can along an angle: an arm of three is then
 * bent by its elbows' freedom until it points there exactly; an arm of two misses by what it must.
 */
START_TEST(exact_place_and_wanted_rotation)
{
    mechanism m = coords_chain(2);
    const tn_coordinate_request bend[2] = {{{0}, 0, 0.8}, {{1}, 0, -1.0}};
    ck_assert_int_eq(tn_sim_set_coordinates(m.sim, bend, 2, NULL, NULL, NULL), TN_OK);
    const tn_quat rest = tn_sim_marker_pose(m.sim, (tn_marker){1}).q; /* points along -0.2 */
    const tn_pose turn = {vec(0.0, 0.0, 0.0),
                          tn_quat_from_axis_angle(vec(0.0, 0.0, 1.0), 1.0 + 0.2)};
    tn_marker_request r[2] = {tn_default_marker_request((tn_marker){1}),
                              tn_default_marker_request((tn_marker){1})};
    r[0].position = vec(1.5, 0.0, 0.0);
    r[1].aim = TN_AIM_ROTATION;
    r[1].rotation = tn_pose_multiply(turn, (tn_pose){turn.p, rest}).q;
    r[1].weight = 1.0;
    tn_marker_answer miss[2];
    ck_assert_int_eq(reach(&m, r, 2, miss), TN_OK);
    /* elbow up: both rods at acos(0.75) to the line, the second one downwards */
    ck_assert_double_le(miss[0].distance, 1e-10);
    ck_assert_double_eq_tol(miss[1].angle, 1.0 + acos(0.75), 1e-9);
    mechanism_free(&m);
}
END_TEST

/* ---- ranges ---- */

/* Random goals that are within all ranges, from elsewhere within them: reached within the ranges,
 * or the pose is the old one. */
START_TEST(ranges_are_kept_and_left_again)
{
    mechanism m = mechanism_of(plane_text, TN_GENERALIZED_ALPHA);
    static const double lower[3] = {-1.0, 0.2, -1.2}, upper[3] = {1.0, 2.2, 1.2};
    for (int k = 0; k < 3; k++)
        ck_assert_int_eq(tn_sim_set_range(m.sim, (tn_joint){k}, 0, lower[k], upper[k]), TN_OK);
    uint64_t random = 13;
    int reached = 0;
    for (int trial = 0; trial < 100; trial++) {
        double goal[3], start[3];
        for (int k = 0; k < 3; k++) {
            goal[k] = random_between(&random, lower[k], upper[k]);
            start[k] = random_between(&random, lower[k], upper[k]);
        }
        set_three(&m, goal);
        const tn_marker_request r = exactly(0, tn_sim_marker_pose(m.sim, (tn_marker){0}));
        set_three(&m, start);
        const tn_status status = reach(&m, &r, 1, NULL);
        reached += status == TN_OK;
        for (int k = 0; k < 3; k++) {
            const double q = coordinate(&m, k);
            ck_assert_double_ge(q, lower[k] - 1e-11);
            ck_assert_double_le(q, upper[k] + 1e-11);
            ck_assert_double_eq_tol(q, status == TN_OK ? goal[k] : start[k], 1e-9);
        }
        ck_assert(status == TN_OK || status == TN_ERROR_NOT_CONVERGED);
    }
    printf("%d of 100 goals within ranges reached\n", reached);
    ck_assert_int_ge(reached, 95);
    mechanism_free(&m);
}
END_TEST

/* ---- what is refused ---- */

START_TEST(refused)
{
    mechanism m = mechanism_of("tenon: 1\n"
                               "bodies:\n"
                               "  dot: {kind: particle, mass: 1, position: [1, 0, 0]}\n"
                               "  bar: {mass: 1, inertia: [1, 1, 1]}\n"
                               "joints:\n"
                               "  j: {type: hinge, a: bar, b: ground, origin: [0, 0, 0]}\n"
                               "  k: {type: rod, a: dot, b: bar, frame_c: {position: [1, 0, 0]}, "
                               "frame_d: {position: [0, 0, 0]}}\n"
                               "markers:\n"
                               "  on_dot: {body: dot}\n"
                               "  on_bar: {body: bar}\n",
                               TN_GENERALIZED_ALPHA);
    tn_marker_request r = tn_default_marker_request((tn_marker){0});
    r.aim = TN_AIM_ROTATION;
    ck_assert_int_eq(reach(&m, &r, 1, NULL), TN_ERROR_UNSUPPORTED);
    r.aim = TN_AIM_POSE;
    ck_assert_int_eq(reach(&m, &r, 1, NULL), TN_ERROR_UNSUPPORTED);
    r.aim = TN_AIM_POSITION;
    r.position = vec(0.0, 1.0, 0.0);
    ck_assert_int_eq(reach(&m, &r, 1, NULL), TN_OK);
    r.marker.i = 1;
    r.aim = TN_AIM_ROTATION;
    r.rotation = (tn_quat){0.0, 0.0, 0.0, 0.0};
    ck_assert_int_eq(reach(&m, &r, 1, NULL), TN_ERROR_ARGUMENT);
    r.rotation.w = NAN;
    ck_assert_int_eq(reach(&m, &r, 1, NULL), TN_ERROR_NOT_FINITE);
    r.rotation.w = -2.0; /* of any length */
    ck_assert_int_eq(reach(&m, &r, 1, NULL), TN_OK);
    r.arm = -1.0;
    ck_assert_int_eq(reach(&m, &r, 1, NULL), TN_ERROR_ARGUMENT);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("coords_targets");
    TCase *loops = tcase_create("targets");
    tcase_add_test(loops, arm_of_six_hinges);
    tcase_add_test(loops, stewart_platform);
    tcase_add_test(loops, plane_arm_keeps_its_elbow);
    tcase_add_test(loops, rotation_alone_by_the_shorter_way);
    tcase_add_test(loops, what_is_missing_is_told);
    tcase_add_test(loops, place_against_rotation);
    tcase_add_test(loops, a_point_without_a_marker);
    tcase_add_test(loops, exact_place_and_wanted_rotation);
    tcase_add_test(loops, ranges_are_kept_and_left_again);
    tcase_add_test(loops, refused);
    suite_add_tcase(suite, loops);
    return suite;
}
