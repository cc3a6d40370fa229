/* test_placement.c: joints placed by two axes: what turns or slides goes where the axes point. */
#include <check.h>
#include <math.h>

#include "support/mechanism.h"
#include "support/run_main.h"
#include "support/solids.h"

static tn_vec3 random_direction(uint64_t *seed)
{
    for (;;) {
        const tn_vec3 v = {random_number(seed), random_number(seed), random_number(seed)};
        const double n = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
        if (n > 0.2)
            return (tn_vec3){v.x / n, v.y / n, v.z / n};
    }
}

static tn_vec3 cross(tn_vec3 a, tn_vec3 b)
{
    return (tn_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(tn_vec3 a, tn_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* A body at the world's axes on a joint to ground; its pose after coordinate c was set to value. */
static tn_pose pose_after(tn_joint_def def, int c, double value)
{
    mechanism m = mechanism_new((tn_vec3){0.0, 0.0, 0.0});
    tn_body_def body = tn_default_body_def();
    body.mass = 1.0;
    body.inertia = (tn_mat3){{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    def.a = mechanism_body(&m, &body);
    def.placement = TN_PLACE_AXIS;
    def.set[c] = value;
    mechanism_joint(&m, &def);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    const tn_pose pose = tn_sim_body_pose(m.sim, def.a);
    mechanism_free(&m);
    return pose;
}

static void expect_turn(tn_pose pose, tn_vec3 axis, double angle)
{
    const tn_quat q = tn_quat_from_axis_angle(axis, angle);
    const double same = q.w * pose.q.w + q.x * pose.q.x + q.y * pose.q.y + q.z * pose.q.z;
    const tn_vec3 v = {pose.q.x * q.w - pose.q.w * q.x, pose.q.y * q.w - pose.q.w * q.y,
                       pose.q.z * q.w - pose.q.w * q.z};
    ck_assert_double_gt(fabs(same), 0.9);
    ck_assert_double_le(sqrt(dot(v, v)), 1e-14);
}

START_TEST(pitch_turns_about_the_second_axis)
{
    uint64_t seed = 5;
    for (int trial = 0; trial < 50; trial++) {
        tn_joint_def def = tn_default_joint_def();
        def.type = "universal";
        def.axis = random_direction(&seed);
        def.y_axis = cross(def.axis, random_direction(&seed));
        expect_turn(pose_after(def, 1, 0.3), def.y_axis, 0.3);
        def.type = "gimbal";
        expect_turn(pose_after(def, 1, -0.7), def.y_axis, -0.7);
    }
}
END_TEST

/* Two axes at any angle: the skew follows. */
START_TEST(skew_is_inferred)
{
    uint64_t seed = 6;
    for (int trial = 0; trial < 50; trial++) {
        tn_joint_def def = tn_default_joint_def();
        def.type = "skewed_universal";
        def.axis = random_direction(&seed);
        def.y_axis = random_direction(&seed);
        if (fabs(dot(def.axis, def.y_axis)) > 0.99)
            continue;
        expect_turn(pose_after(def, 1, 0.4), def.y_axis, 0.4);
        expect_turn(pose_after(def, 0, 0.4), def.axis, 0.4);
    }
}
END_TEST

START_TEST(slot_lies_along_the_second_axis)
{
    uint64_t seed = 7;
    for (int trial = 0; trial < 50; trial++) {
        tn_joint_def def = tn_default_joint_def();
        def.type = "slotted_hinge";
        def.axis = random_direction(&seed);
        def.x_axis = cross(def.axis, random_direction(&seed));
        const double length = sqrt(dot(def.x_axis, def.x_axis));
        const tn_pose pose = pose_after(def, 0, 0.25);
        ck_assert_double_eq_tol(pose.p.x, 0.25 * def.x_axis.x / length, 1e-14);
        ck_assert_double_eq_tol(pose.p.y, 0.25 * def.x_axis.y / length, 1e-14);
        ck_assert_double_eq_tol(pose.p.z, 0.25 * def.x_axis.z / length, 1e-14);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("placement");
    TCase *tcase = tcase_create("placement");
    tcase_add_test(tcase, pitch_turns_about_the_second_axis);
    tcase_add_test(tcase, skew_is_inferred);
    tcase_add_test(tcase, slot_lies_along_the_second_axis);
    suite_add_tcase(suite, tcase);
    return suite;
}
