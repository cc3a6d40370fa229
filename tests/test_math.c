/* The public math functions: rotations and rigid transforms, against definitions and invariants. */
#define TENON_TESTS_FORK /* assertions end their process */
#include <check.h>
#include <float.h>
#include <math.h>

#include "base/base.h"
#include "random_numbers.h"
#include "run_main.h"
#include "tenon/math.h"

static const double pi = 3.14159265358979323846;
static const double tiny = 16 * DBL_EPSILON;
static const double exact = DBL_MIN; /* Check compares with <, so 0 cannot be asked */

static tn_pose random_pose(uint64_t *seed)
{
    tn_vec3 axis = random_vector(seed);
    double angle = pi * random_number(seed);
    return (tn_pose){random_vector(seed), tn_quat_from_axis_angle(axis, angle)};
}

static void expect_vector(tn_vec3 a, tn_vec3 b, double tolerance)
{
    ck_assert_double_eq_tol(a.x, b.x, tolerance);
    ck_assert_double_eq_tol(a.y, b.y, tolerance);
    ck_assert_double_eq_tol(a.z, b.z, tolerance);
}

static double norm(tn_quat q)
{
    return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}

/* The same rotation: q and -q are one. */
static void expect_rotation(tn_quat a, tn_quat b, double tolerance)
{
    double dot = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
    double s = dot < 0 ? -1 : 1;
    ck_assert_double_eq_tol(a.w, s * b.w, tolerance);
    ck_assert_double_eq_tol(a.x, s * b.x, tolerance);
    ck_assert_double_eq_tol(a.y, s * b.y, tolerance);
    ck_assert_double_eq_tol(a.z, s * b.z, tolerance);
}

static tn_vec3 matrix_times(const tn_mat3 *m, tn_vec3 v)
{
    return (tn_vec3){m->m[0][0] * v.x + m->m[0][1] * v.y + m->m[0][2] * v.z,
                     m->m[1][0] * v.x + m->m[1][1] * v.y + m->m[1][2] * v.z,
                     m->m[2][0] * v.x + m->m[2][1] * v.y + m->m[2][2] * v.z};
}

/* Rodrigues' formula: R = cos t I + sin t [a] + (1 - cos t) a a^T, a unit. */
static tn_mat3 rodrigues(tn_vec3 a, double t)
{
    double c = cos(t), s = sin(t), d = 1 - c;
    return (tn_mat3){{
        {c + d * a.x * a.x, d * a.x * a.y - s * a.z, d * a.x * a.z + s * a.y},
        {d * a.x * a.y + s * a.z, c + d * a.y * a.y, d * a.y * a.z - s * a.x},
        {d * a.x * a.z - s * a.y, d * a.y * a.z + s * a.x, c + d * a.z * a.z},
    }};
}

static tn_vec3 unit(tn_vec3 v)
{
    double length = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    return (tn_vec3){v.x / length, v.y / length, v.z / length};
}

START_TEST(pose_and_inverse_cancel)
{
    uint64_t seed = 1;
    for (int i = 0; i < 1000; i++) {
        tn_pose t = random_pose(&seed);
        tn_vec3 p = random_vector(&seed);
        tn_pose back = tn_pose_inverse(t);
        expect_vector(tn_pose_transform_point(back, tn_pose_transform_point(t, p)), p, tiny);
        tn_pose same = tn_pose_multiply(t, back);
        expect_vector(same.p, (tn_vec3){0, 0, 0}, tiny);
        expect_rotation(same.q, tn_pose_identity().q, tiny);
    }
}
END_TEST

START_TEST(pose_product_maps_like_its_factors)
{
    uint64_t seed = 2;
    for (int i = 0; i < 1000; i++) {
        tn_pose t_ba = random_pose(&seed), t_cb = random_pose(&seed);
        tn_vec3 p = random_vector(&seed);
        tn_pose t_ca = tn_pose_multiply(t_ba, t_cb);
        tn_vec3 in_steps = tn_pose_transform_point(t_ba, tn_pose_transform_point(t_cb, p));
        expect_vector(tn_pose_transform_point(t_ca, p), in_steps, tiny);
        tn_vec3 turned = tn_pose_rotate_vector(t_ba, tn_pose_rotate_vector(t_cb, p));
        expect_vector(tn_pose_rotate_vector(t_ca, p), turned, tiny);
        ck_assert_double_eq_tol(norm(t_ca.q), 1, tiny);
    }
}
END_TEST

START_TEST(axis_angle_is_rodrigues)
{
    uint64_t seed = 3;
    for (int i = 0; i < 1000; i++) {
        tn_vec3 axis = unit(random_vector(&seed));
        double angle = 2 * pi * random_number(&seed);
        double length = pow(10, 300 * random_number(&seed)); /* any length of the axis */
        tn_vec3 scaled = {axis.x * length, axis.y * length, axis.z * length};
        tn_quat q = tn_quat_from_axis_angle(scaled, angle);
        tn_mat3 got = tn_quat_to_matrix(q), expected = rodrigues(axis, angle);
        tn_vec3 p = random_vector(&seed);
        tn_vec3 turned = tn_pose_rotate_vector((tn_pose){.q = q}, p);
        for (int k = 0; k < 9; k++) {
            ck_assert_double_eq_tol(got.m[k / 3][k % 3], expected.m[k / 3][k % 3], tiny);
        }
        expect_vector(turned, matrix_times(&expected, p), tiny);
    }
}
END_TEST

START_TEST(roll_pitch_yaw_order)
{
    uint64_t seed = 4;
    const tn_vec3 ex = {1, 0, 0}, ey = {0, 1, 0}, ez = {0, 0, 1};
    for (int i = 0; i < 1000; i++) {
        double roll = pi * random_number(&seed), pitch = pi * random_number(&seed);
        double yaw = pi * random_number(&seed);
        tn_vec3 p = random_vector(&seed);
        tn_mat3 rz = rodrigues(ez, roll), ry = rodrigues(ey, pitch), rx = rodrigues(ex, yaw);
        tn_vec3 expected = matrix_times(&rx, p);
        expected = matrix_times(&ry, expected);
        expected = matrix_times(&rz, expected);
        tn_pose t = {.q = tn_quat_from_rpy(roll, pitch, yaw)};
        expect_vector(tn_pose_rotate_vector(t, p), expected, tiny);
    }
}
END_TEST

/* z goes onto the axis, by the shortest way: the rotation axis is normal to both. */
START_TEST(z_axis_goes_onto_the_axis)
{
    uint64_t seed = 5;
    const tn_vec3 ez = {0, 0, 1};
    for (int i = 0; i < 2000; i++) {
        tn_vec3 axis = random_vector(&seed);
        if (i % 2 == 1) { /* ever closer to exactly opposite */
            double offset = pow(10, -(i % 320));
            axis = (tn_vec3){offset * axis.x, offset * axis.y, -1};
        }
        tn_quat q = tn_quat_from_z_axis(axis);
        ck_assert_double_eq_tol(norm(q), 1, tiny);
        expect_vector(tn_pose_rotate_vector((tn_pose){.q = q}, ez), unit(axis), tiny);
        ck_assert_double_eq(q.z, 0);
        ck_assert_double_ge(q.w, 0);
    }
}
END_TEST

START_TEST(z_axis_exact_directions)
{
    tn_quat same = tn_quat_from_z_axis((tn_vec3){0, 0, 3});
    expect_rotation(same, tn_pose_identity().q, exact);
    tn_quat opposite = tn_quat_from_z_axis((tn_vec3){0, 0, -0.25});
    expect_rotation(opposite, (tn_quat){0, 1, 0, 0}, exact);
    tn_quat sideways = tn_quat_from_z_axis((tn_vec3){1e-300, 0, 0});
    expect_rotation(sideways, (tn_quat){sqrt(0.5), 0, sqrt(0.5), 0}, tiny);
}
END_TEST

/* Matrices of rotations by exactly and nearly 180 degrees, and by all others. */
START_TEST(matrix_round_trip)
{
    static const double short_of_pi[] = {0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.1, 1, 2, 3, 3.1415};
    uint64_t seed = 6;
    for (int i = 0; i < 2000; i++) {
        tn_vec3 axis = unit(random_vector(&seed));
        if (i % 3 == 0) { /* one component tiny, or two */
            axis.x *= 1e-9;
            axis.y *= i % 2 == 0 ? 1e-9 : 1;
            axis = unit(axis);
        }
        double angle = pi - short_of_pi[(size_t)i % TN_COUNT_OF(short_of_pi)];
        tn_mat3 m = rodrigues(axis, angle);
        tn_quat q = tn_quat_from_matrix(&m);
        ck_assert_double_eq_tol(norm(q), 1, tiny);
        ck_assert_double_ge(q.w, 0);
        expect_rotation(q, tn_quat_from_axis_angle(axis, angle), tiny);
        tn_mat3 again = tn_quat_to_matrix(q);
        for (int k = 0; k < 9; k++) {
            ck_assert_double_eq_tol(again.m[k / 3][k % 3], m.m[k / 3][k % 3], tiny);
        }
    }
}
END_TEST

START_TEST(half_turns_about_the_axes)
{
    for (int k = 0; k < 3; k++) {
        tn_mat3 m = {{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
        m.m[k][k] = 1;
        tn_quat expected = {0, k == 0, k == 1, k == 2};
        expect_rotation(tn_quat_from_matrix(&m), expected, exact);
    }
}
END_TEST

#ifndef TN_ASSERTIONS
START_TEST(zero_axis_is_the_identity)
{
    tn_vec3 zero = {0, 0, 0}, bad = {NAN, 0, 1};
    expect_rotation(tn_quat_from_axis_angle(zero, 1), tn_pose_identity().q, exact);
    expect_rotation(tn_quat_from_z_axis(zero), tn_pose_identity().q, exact);
    expect_rotation(tn_quat_from_z_axis(bad), tn_pose_identity().q, exact);
}
END_TEST
#else
START_TEST(zero_axis_is_the_callers_bug)
{
    tn_quat_from_z_axis((tn_vec3){0, 0, 0});
}
END_TEST
#endif

Suite *make_suite(void)
{
    Suite *suite = suite_create("math");
    TCase *all = tcase_create("rotations and poses");
    tcase_add_test(all, pose_and_inverse_cancel);
    tcase_add_test(all, pose_product_maps_like_its_factors);
    tcase_add_test(all, axis_angle_is_rodrigues);
    tcase_add_test(all, roll_pitch_yaw_order);
    tcase_add_test(all, z_axis_goes_onto_the_axis);
    tcase_add_test(all, z_axis_exact_directions);
    tcase_add_test(all, matrix_round_trip);
    tcase_add_test(all, half_turns_about_the_axes);
#ifndef TN_ASSERTIONS
    tcase_add_test(all, zero_axis_is_the_identity);
#else
    tcase_add_test_raise_signal(all, zero_axis_is_the_callers_bug, 6 /* SIGABRT */);
#endif
    suite_add_tcase(suite, all);
    return suite;
}
