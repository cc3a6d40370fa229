/* Sums, changes of frame, principal axes and refusals of mass properties. */
#include <check.h>
#include <float.h>
#include <math.h>

#include "support/run_main.h"
#include "support/solids.h"

static const tn_location nowhere = {NULL, 0, 0};

/* Inertia about the point o of point masses: the definition. */
static tn_mass_properties of_points(const tn_vec3 *points, const double *masses, int count)
{
    tn_mass_properties sum = {0};
    for (int k = 0; k < count; k++) {
        sum.mass += masses[k];
        sum.com.x += masses[k] * points[k].x;
        sum.com.y += masses[k] * points[k].y;
        sum.com.z += masses[k] * points[k].z;
    }
    sum.com = (tn_vec3){sum.com.x / sum.mass, sum.com.y / sum.mass, sum.com.z / sum.mass};
    for (int k = 0; k < count; k++) {
        double d[3] = {points[k].x - sum.com.x, points[k].y - sum.com.y, points[k].z - sum.com.z};
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                double square = i == j ? d[0] * d[0] + d[1] * d[1] + d[2] * d[2] : 0;
                sum.inertia.m[i][j] += masses[k] * (square - d[i] * d[j]);
            }
        }
    }
    return sum;
}

enum { POINTS = 12 };

static void random_cloud(uint64_t *seed, tn_vec3 points[POINTS], double masses[POINTS])
{
    for (int k = 0; k < POINTS; k++) {
        points[k] = random_vector(seed);
        masses[k] = 1.5 + random_number(seed);
    }
}

START_TEST(test_combine_point_clouds)
{
    uint64_t seed = 5;
    for (int trial = 0; trial < 200; trial++) {
        tn_vec3 points[POINTS];
        double masses[POINTS];
        random_cloud(&seed, points, masses);
        tn_mass_properties parts[3] = {of_points(points, masses, 3),
                                       of_points(points + 3, masses + 3, 4),
                                       of_points(points + 7, masses + 7, POINTS - 7)};
        tn_mass_properties sum = tn_mass_properties_combine(parts, 3);
        tn_mass_properties whole = of_points(points, masses, POINTS);
        expect_same(&sum, &whole, 1, 1e-14);
    }
}
END_TEST

START_TEST(test_transform_point_clouds)
{
    uint64_t seed = 6;
    for (int trial = 0; trial < 200; trial++) {
        tn_vec3 points[POINTS];
        double masses[POINTS];
        random_cloud(&seed, points, masses);
        tn_mass_properties before = of_points(points, masses, POINTS);
        tn_pose pose = random_pose(&seed);
        for (int k = 0; k < POINTS; k++) {
            points[k] = tn_pose_transform_point(pose, points[k]);
        }
        tn_mass_properties after = of_points(points, masses, POINTS);
        tn_mass_properties moved = tn_mass_properties_transform(pose, &before);
        expect_same(&moved, &after, 1, 1e-14);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < i; j++) {
                ck_assert(moved.inertia.m[i][j] == moved.inertia.m[j][i]);
            }
        }
    }
}
END_TEST

START_TEST(test_combine_edge_cases)
{
    tn_mass_properties none = tn_mass_properties_combine(NULL, 0);
    ck_assert(none.mass == 0 && none.com.x == 0 && none.inertia.m[2][2] == 0);
    tn_mass_properties massless[2] = {{.com = {1, 2, 3}}, {.com = {4, 5, 6}}};
    none = tn_mass_properties_combine(massless, 2);
    ck_assert(none.mass == 0 && none.com.x == 0 && none.inertia.m[2][2] == 0);
    tn_mass_properties one[2] = {centred(2, 3, 4, 5), {.com = {9, 9, 9}}};
    one[0].com = (tn_vec3){0.1, 0.2, 0.3};
    tn_mass_properties same = tn_mass_properties_combine(one, 2);
    ck_assert(same.com.x == 0.1 && same.com.y == 0.2 && same.com.z == 0.3);
    ck_assert(same.mass == 2 && same.inertia.m[0][0] == 3 && same.inertia.m[2][2] == 5);
}
END_TEST

START_TEST(test_principal_axes)
{
    uint64_t seed = 7;
    for (int trial = 0; trial < 200; trial++) {
        tn_mass_properties body = centred(4, 1, 2, 2.5);
        tn_pose pose = random_pose(&seed);
        tn_mass_properties turned = tn_mass_properties_transform(pose, &body);
        tn_vec3 moments;
        tn_quat axes;
        tn_mass_properties_principal(&turned, &moments, &axes);
        ck_assert_double_eq_tol(moments.x, 1, 1e-14);
        ck_assert_double_eq_tol(moments.y, 2, 1e-14);
        ck_assert_double_eq_tol(moments.z, 2.5, 1e-14);
        tn_mass_properties principal = centred(4, moments.x, moments.y, moments.z);
        tn_pose back = {.p = pose.p, .q = axes};
        tn_mass_properties again = tn_mass_properties_transform(back, &principal);
        expect_same(&again, &turned, 1, 2e-15 * 4);
    }
    tn_mass_properties body = centred(1, 1, 2, 3);
    tn_mass_properties_principal(&body, NULL, NULL);
}
END_TEST

static tn_status check(const tn_mass_properties *props, tn_mass_check how, const char *expected)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_location at = {"model.yaml", 12, 3};
    tn_status status = tn_mass_properties_check(props, how, at, diags);
    ck_assert(tn_mass_properties_check(props, how, nowhere, NULL) == status);
    if (expected == NULL) {
        ck_assert_int_eq(tn_diagnostics_count(diags), 0);
    } else {
        ck_assert_int_eq(tn_diagnostics_count(diags), 1);
        const tn_diagnostic *problem = tn_diagnostics_get(diags, 0);
        ck_assert_msg(strstr(problem->message, expected) != NULL, "'%s' without '%s'",
                      problem->message, expected);
        ck_assert_int_eq(problem->at.line, 12);
    }
    tn_diagnostics_destroy(diags);
    return status;
}

START_TEST(test_check_accepts)
{
    tn_mass_properties plate = centred(1, 0.333333, 0.333333, 0.666667); /* flat, six digits */
    ck_assert_int_eq(check(&plate, TN_MASS_POSITIVE, NULL), TN_OK);
    tn_mass_properties rod = centred(1, 0, 2, 2), particle = centred(1, 0, 0, 0);
    ck_assert_int_eq(check(&rod, TN_MASS_POSITIVE, NULL), TN_OK);
    ck_assert_int_eq(check(&particle, TN_MASS_POSITIVE, NULL), TN_OK);
    tn_mass_properties nothing = centred(0, 0, 0, 0);
    ck_assert_int_eq(check(&nothing, TN_MASS_MAY_BE_ZERO, NULL), TN_OK);
    uint64_t seed = 8; /* a rod stays acceptable however it is turned */
    for (int trial = 0; trial < 500; trial++) {
        tn_mass_properties turned = tn_mass_properties_transform(random_pose(&seed), &rod);
        ck_assert_int_eq(check(&turned, TN_MASS_POSITIVE, NULL), TN_OK);
    }
    tn_mass_properties tiny = centred(1e-300, 1e-300, 1e-300, 1e-300);
    ck_assert_int_eq(check(&tiny, TN_MASS_POSITIVE, NULL), TN_OK);
    tn_mass_properties huge = centred(1e308, 1e308, 1e308, 1e308);
    ck_assert_int_eq(check(&huge, TN_MASS_POSITIVE, NULL), TN_OK);
}
END_TEST

START_TEST(test_check_refuses)
{
    const double nan = (double)NAN, inf = (double)INFINITY;
    tn_mass_properties symmetric = centred(1, 1, 1, 1), off = symmetric;
    struct {
        tn_mass_properties props;
        const char *message;
    } cases[] = {
        {centred(nan, 1, 1, 1), "mass is not finite"},
        {centred(inf, 1, 1, 1), "mass is not finite"},
        {centred(0, 0, 0, 0), "mass must be positive"},
        {centred(-1, 1, 1, 1), "mass must be positive"},
        {centred(1, 1, nan, 1), "inertia[1][1] is not finite"},
        {centred(1, 1, 1, inf), "inertia[2][2] is not finite"},
        {centred(1, -1, 1, 1), "negative principal moment"},
        {centred(1, 1, 1, 2.001), "larger than the sum"},
        {centred(1, 1, 3, 1), "larger than the sum"},
        {centred(1, 1e308, 1, 0.99e308), "larger than the sum"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ck_assert_int_eq(check(&cases[k].props, TN_MASS_POSITIVE, cases[k].message),
                         TN_ERROR_INPUT);
    }
    off.inertia.m[0][1] = 0.1;
    ck_assert_int_eq(check(&off, TN_MASS_POSITIVE, "not symmetric: [0][1]"), TN_ERROR_INPUT);
    off.inertia.m[1][0] = 0.1; /* symmetric and fine */
    ck_assert_int_eq(check(&off, TN_MASS_POSITIVE, NULL), TN_OK);
    off.inertia.m[1][0] = off.inertia.m[0][1] = 1.5; /* moments -0.5, 1, 2.5 */
    ck_assert_int_eq(check(&off, TN_MASS_POSITIVE, "negative principal"), TN_ERROR_INPUT);
    symmetric.com.y = inf;
    ck_assert_int_eq(check(&symmetric, TN_MASS_POSITIVE, "centre of mass"), TN_ERROR_INPUT);
    tn_mass_properties ghost = centred(0, 1, 1, 1), negative = centred(-1, 0, 0, 0);
    ck_assert_int_eq(check(&ghost, TN_MASS_MAY_BE_ZERO, "without mass"), TN_ERROR_INPUT);
    ck_assert_int_eq(check(&negative, TN_MASS_MAY_BE_ZERO, "positive or zero"), TN_ERROR_INPUT);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("mass_properties");
    TCase *tests = tcase_create("mass_properties");
    tcase_add_test(tests, test_combine_point_clouds);
    tcase_add_test(tests, test_transform_point_clouds);
    tcase_add_test(tests, test_combine_edge_cases);
    tcase_add_test(tests, test_principal_axes);
    tcase_add_test(tests, test_check_accepts);
    tcase_add_test(tests, test_check_refuses);
    suite_add_tcase(suite, tests);
    return suite;
}
