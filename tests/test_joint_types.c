/* Joint types one by one, against closed forms: T_CD of the catalogue, rows in D where a formula is
 * known, what makes each type what it is, and the nearest point of an ellipsoid.
 */
#include <check.h>
#include <string.h>

#include "joint/point/ellipsoid_surface.h"
#include "joint_samples.h"
#include "run_main.h"

enum { SAMPLES = 500 };

static tn_joint_type type_of(const char *name)
{
    tn_joint_type type = {-1};
    ck_assert_int_eq(tn_joint_type_find(name, &type), TN_OK);
    return type;
}

static tn_mat3 rx(double t)
{
    const double c = cos(t), s = sin(t);
    return (tn_mat3){{{1.0, 0.0, 0.0}, {0.0, c, -s}, {0.0, s, c}}};
}

static tn_mat3 ry(double t)
{
    const double c = cos(t), s = sin(t);
    return (tn_mat3){{{c, 0.0, s}, {0.0, 1.0, 0.0}, {-s, 0.0, c}}};
}

static tn_mat3 rz(double t)
{
    return m3_rot_z(cos(t), sin(t));
}

static tn_mat3 product(tn_mat3 a, tn_mat3 b, tn_mat3 c)
{
    const tn_mat3 ab = m3_mul(&a, &b);
    return m3_mul(&ab, &c);
}

static void expect_pose(const char *name, const tn_xform *T, const tn_mat3 *R, tn_vec3 p)
{
    const tn_xform expected = {*R, p};
    const double d = pose_distance(T, &expected);
    ck_assert_msg(d < 1e-14, "%s: T_CD off by %g", name, d);
}

/* ---- T_CD of the catalogue ---------------------------------------------------------------- */

/* T_CD by its formula. */
typedef tn_xform (*closed_form)(const double *parameters, const double *q);

static tn_xform hinge_form(const double *parameters, const double *q)
{
    (void)parameters;
    return (tn_xform){rz(q[0]), {0.0, 0.0, 0.0}};
}

static tn_xform slider_form(const double *parameters, const double *q)
{
    (void)parameters;
    return (tn_xform){rz(0.0), {0.0, 0.0, q[0]}};
}

static tn_xform cylindrical_form(const double *parameters, const double *q)
{
    (void)parameters;
    return (tn_xform){rz(q[1]), {0.0, 0.0, q[0]}};
}

static tn_xform screw_form(const double *parameters, const double *q)
{
    return (tn_xform){rz(q[0]), {0.0, 0.0, parameters[0] * q[0]}};
}

static tn_xform slotted_hinge_form(const double *parameters, const double *q)
{
    (void)parameters;
    return (tn_xform){rz(q[1]), {q[0], 0.0, 0.0}};
}

static tn_xform wheel_form(const double *parameters, const double *q)
{
    (void)parameters;
    return (tn_xform){product(rx(q[1]), rz(q[2]), rz(0.0)), {q[0], 0.0, 0.0}};
}

static tn_xform universal_form(const double *parameters, const double *q)
{
    (void)parameters;
    return (tn_xform){product(rz(q[0]), ry(q[1]), rz(0.0)), {0.0, 0.0, 0.0}};
}

/* Entry by entry, as a skewed universal is written in the literature. */
static tn_xform skewed_universal_form(const double *parameters, const double *q)
{
    const double sa = sin(parameters[0]), ca = cos(parameters[0]);
    const double cr = cos(q[0]), sr = sin(q[0]), cp = cos(q[1]), sp = sin(q[1]), vp = 1.0 - cp;
    const double b = ca * ca + sa * sa * cp;
    return (tn_xform){
        {{{cp * cr - sa * sp * sr, -sr * b - sa * cr * sp, ca * (cr * sp - sa * sr * vp)},
          {cp * sr + sa * cr * sp, cr * b - sa * sp * sr, ca * (sr * sp + sa * cr * vp)},
          {-ca * sp, ca * sa * vp, vp * sa * sa + cp}}},
        {0.0, 0.0, 0.0}};
}

static tn_xform gimbal_form(const double *parameters, const double *q)
{
    (void)parameters;
    return (tn_xform){product(rz(q[0]), ry(q[1]), rx(q[2])), {0.0, 0.0, 0.0}};
}

static tn_xform planar_form(const double *parameters, const double *q)
{
    (void)parameters;
    return (tn_xform){rz(q[2]), {q[0], q[1], 0.0}};
}

static tn_xform planar_translation_form(const double *parameters, const double *q)
{
    (void)parameters;
    return (tn_xform){rz(0.0), {q[0], q[1], 0.0}};
}

static tn_xform free_form(const double *parameters, const double *q)
{
    (void)parameters;
    return (tn_xform){product(rz(q[3]), ry(q[4]), rx(q[5])), {q[0], q[1], q[2]}};
}

/* S of OpenSim's variant is a gimbal, Rx(longitude) Ry(latitude); else its axes are built from the
 * gradient of the surface and the tangent along the meridian. */
static tn_mat3 surface_frame(const double *par, const double *q)
{
    if (par[4] > 0.5)
        return product(rx(q[0]), ry(q[1]), rz(0.0));
    const double su = sin(q[0]), cu = cos(q[0]), sg = sin(q[1]), cg = cos(q[1]);
    tn_vec3 z = v3(sg / par[0], -su * cg / par[1], cu * cg / par[2]);
    tn_vec3 x = v3(par[0] * cg, par[1] * su * sg, -par[2] * cu * sg);
    z = v3_scale(1.0 / v3_norm(z), z);
    x = v3_scale(1.0 / v3_norm(x), x);
    const tn_vec3 y = v3_cross(z, x);
    return (tn_mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

static tn_xform ellipsoid_form(const double *par, const double *q)
{
    const tn_mat3 C = product(rz(q[2] + par[3]), rx(q[3]), rz(-par[3]));
    const tn_vec3 p = {par[0] * sin(q[1]), -par[1] * sin(q[0]) * cos(q[1]),
                       par[2] * cos(q[0]) * cos(q[1])};
    return (tn_xform){product(surface_frame(par, q), C, rz(0.0)), p};
}

static const struct {
    const char *name;
    closed_form form;
} forms[] = {
    {"hinge", hinge_form},
    {"slider", slider_form},
    {"cylindrical", cylindrical_form},
    {"screw", screw_form},
    {"slotted_hinge", slotted_hinge_form},
    {"wheel", wheel_form},
    {"universal", universal_form},
    {"skewed_universal", skewed_universal_form},
    {"gimbal", gimbal_form},
    {"planar", planar_form},
    {"planar_translation", planar_translation_form},
    {"free", free_form},
    {"ellipsoid", ellipsoid_form},
};
enum { FORMS = sizeof forms / sizeof forms[0] };

START_TEST(pose_is_the_closed_form)
{
    uint64_t seed = 20 + (uint64_t)_i;
    for (int n = 0; n < SAMPLES; n++) {
        const joint_sample s = sample_joint(type_of(forms[_i].name), &seed);
        const tn_xform expected = forms[_i].form(s.setup.parameters, s.q);
        expect_pose(forms[_i].name, &s.T_GD, &expected.R, expected.p);
    }
}
END_TEST

START_TEST(zero_coordinates_put_c_on_d)
{
    for (int32_t i = 0; i < tn_joint_type_count(); i++) {
        const double zero[TN_MAX_COORDINATES] = {0};
        tn_pose pose;
        if (tn_joint_type_get((tn_joint_type){i})->data != TN_JOINT_DATA_NONE) {
            ck_assert_int_eq(tn_joint_coordinates_to_pose((tn_joint_type){i}, NULL, zero, &pose),
                             TN_ERROR_ARGUMENT); /* the user's own choice */
            continue;
        }
        ck_assert_int_eq(tn_joint_coordinates_to_pose((tn_joint_type){i}, NULL, zero, &pose),
                         TN_OK);
        const int up = i == type_of("ellipsoid").i; /* on top of the ellipsoid, semi-axis 1 m */
        const int along = i == type_of("beam").i;   /* at its end, length 1 m */
        const tn_xform T = xf_from_pose(pose);
        const tn_mat3 identity = m3_identity();
        expect_pose(tn_joint_type_get((tn_joint_type){i})->name, &T, &identity,
                    v3(along ? 1.0 : 0.0, 0.0, up ? 1.0 : 0.0));
    }
}
END_TEST

/* ---- rows with known formulas in D -------------------------------------------------------- */

/* The moment of row k in D. */
static tn_vec3 moment_in_d(const joint_sample *s, int k)
{
    double W[TN_MAX_ROWS][6];
    tn_joint_wrenches(s->cls, &s->setup, &s->T_GD, s->q, W);
    return m3_mulv(&s->T_GD.R, v3_load(W[k] + 3));
}

static void expect_vector(tn_vec3 a, tn_vec3 b)
{
    ck_assert_double_le(v3_norm(v3_sub(a, b)), 1e-13 * (1.0 + v3_norm(b)));
}

START_TEST(universal_rows_in_d)
{
    uint64_t seed = 50;
    for (int n = 0; n < SAMPLES; n++) {
        const joint_sample s = sample_joint(type_of("skewed_universal"), &seed);
        const double ta = tan(s.setup.parameters[0]), ca = cos(s.setup.parameters[0]);
        const double cr = cos(s.q[0]), sr = sin(s.q[0]);
        expect_vector(moment_in_d(&s, 3), v3(cr, sr, 0.0));
        expect_vector(moment_in_d(&s, 4), v3(ta * sr, -ta * cr, 1.0));
        expect_vector(moment_in_d(&s, 5), v3(-sr / ca, cr / ca, 0.0));
    }
}
END_TEST

START_TEST(gimbal_rows_in_d)
{
    uint64_t seed = 51;
    for (int n = 0; n < SAMPLES; n++) {
        const joint_sample s = sample_joint(type_of("gimbal"), &seed);
        const double cr = cos(s.q[0]), sr = sin(s.q[0]), cp = cos(s.q[1]), sp = sin(s.q[1]);
        expect_vector(moment_in_d(&s, 3), v3(sp * cr / cp, sp * sr / cp, 1.0));
        expect_vector(moment_in_d(&s, 4), v3(-sr, cr, 0.0));
        expect_vector(moment_in_d(&s, 5), v3(cr / cp, sr / cp, 0.0));
    }
}
END_TEST

/* The first row of the ellipsoid is a pure force along the surface's normal, and it carries all
 * force across the surface. */
START_TEST(ellipsoid_normal_row_carries_the_normal_force)
{
    uint64_t seed = 52;
    for (int n = 0; n < SAMPLES; n++) {
        const joint_sample s = sample_joint(type_of("ellipsoid"), &seed);
        const tn_vec3 p = s.T_GD.p;
        const double *e = s.setup.parameters;
        tn_vec3 normal = v3(p.x / (e[0] * e[0]), p.y / (e[1] * e[1]), p.z / (e[2] * e[2]));
        normal = v3_scale(1.0 / v3_norm(normal), normal);
        double W[TN_MAX_ROWS][6];
        tn_joint_wrenches(s.cls, &s.setup, &s.T_GD, s.q, W);
        expect_vector(m3_mulv(&s.T_GD.R, v3_load(W[0])), normal);
        for (int k = 1; k < 6; k++)
            ck_assert_double_le(fabs(v3_dot(m3_mulv(&s.T_GD.R, v3_load(W[k])), normal)), 1e-13);
    }
}
END_TEST

/* ---- what makes a type what it is --------------------------------------------------------- */

/* One shaft turns by t, the other by t: still legal, at the same bend. */
START_TEST(constant_velocity_shafts_turn_together)
{
    uint64_t seed = 60;
    for (int n = 0; n < SAMPLES; n++) {
        const joint_sample s = sample_joint(type_of("constant_velocity"), &seed);
        const double t = TN_PI * random_number(&seed);
        const tn_xform turned = {product(rz(-t), s.T_GD.R, rz(t)), {0.0, 0.0, 0.0}};
        tn_xform legal;
        tn_joint_project(s.cls, &s.setup, &turned, s.q, &legal);
        ck_assert_double_le(pose_distance(&turned, &legal), 1e-14);
        const tn_xform ahead = {product(rz(-t), s.T_GD.R, rz(t + 0.1)), {0.0, 0.0, 0.0}};
        tn_joint_project(s.cls, &s.setup, &ahead, s.q, &legal);
        ck_assert_double_ge(pose_distance(&ahead, &legal), 1e-4);
    }
}
END_TEST

START_TEST(screw_counts_turns_on_the_thread)
{
    const tn_joint_type screw = type_of("screw");
    const double parameters[TN_MAX_PARAMETERS] = {2e-4}, zero[1] = {0.0};
    for (double theta = -100.0; theta < 100.0; theta += 0.7) {
        tn_pose pose;
        double q[1];
        tn_joint_coordinates_to_pose(screw, parameters, &theta, &pose);
        pose.p.z += 1e-4; /* less than half a lead */
        tn_joint_pose_to_coordinates(screw, parameters, pose, zero, q, NULL);
        ck_assert_double_eq_tol(q[0], theta, 1e-11);
    }
}
END_TEST

/* ---- the nearest point of an ellipsoid ---------------------------------------------------- */

static double on_surface(tn_vec3 e, tn_vec3 p)
{
    return p.x * p.x / (e.x * e.x) + p.y * p.y / (e.y * e.y) + p.z * p.z / (e.z * e.z) - 1.0;
}

/* On the surface, and no random surface point nearer. */
static void expect_nearest(tn_vec3 e, tn_vec3 y, uint64_t *seed)
{
    tn_vec3 x;
    tn_ellipsoid_nearest(e, y, &x);
    ck_assert_double_le(fabs(on_surface(e, x)), 1e-14);
    const double distance = v3_norm(v3_sub(x, y));
    for (int n = 0; n < 50; n++) {
        const tn_vec3 v = random_vector(seed);
        const tn_vec3 s = v3_scale(1.0 / v3_norm(v), v);
        const tn_vec3 other = v3(e.x * s.x, e.y * s.y, e.z * s.z);
        ck_assert_double_ge(v3_norm(v3_sub(other, y)), distance - 1e-14);
    }
}

START_TEST(nearest_point_of_an_ellipsoid)
{
    uint64_t seed = 70;
    for (int n = 0; n < SAMPLES; n++) {
        const tn_vec3 r = random_vector(&seed);
        const tn_vec3 e = v3(1.0 + 0.9 * r.x, 1.0 + 0.9 * r.y, 1.0 + 0.9 * r.z);
        const tn_vec3 y = v3_scale(n % 3 + 0.3, random_vector(&seed));
        tn_vec3 x;
        expect_nearest(e, y, &seed);
        ck_assert_int_eq(tn_ellipsoid_nearest(e, y, &x), 1);
        /* y - x is along the gradient */
        const tn_vec3 g = v3(x.x / (e.x * e.x), x.y / (e.y * e.y), x.z / (e.z * e.z));
        const double across = v3_norm(v3_cross(v3_sub(y, x), g)) / v3_norm(g);
        ck_assert_double_le(across, 1e-13);
    }
}
END_TEST

/* On planes of symmetry, axes and at the centre; also spheroids and spheres. */
START_TEST(nearest_point_where_it_is_not_unique)
{
    static const tn_vec3 ellipsoids[] = {
        {1.0, 2.0, 3.0}, {3.0, 2.0, 1.0}, {1.0, 1.0, 1.0}, {1.0, 1.0, 2.0}, {2.0, 1.0, 2.0}};
    static const double places[] = {-2.5, -0.4, 0.0, 1e-200, 1e-9, 0.4, 0.75};
    enum { PLACES = sizeof places / sizeof places[0] };
    uint64_t seed = 71;
    for (int k = 0; k < 5; k++) {
        for (int n = 0; n < PLACES * PLACES * PLACES; n++)
            expect_nearest(
                ellipsoids[k],
                v3(places[n % PLACES], places[n / PLACES % PLACES], places[n / PLACES / PLACES]),
                &seed);
        tn_vec3 x;
        ck_assert_int_eq(tn_ellipsoid_nearest(ellipsoids[k], v3(0.0, 0.0, 0.0), &x), 0);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("joint types");
    TCase *tc = tcase_create("closed forms");
    tcase_add_loop_test(tc, pose_is_the_closed_form, 0, FORMS);
    tcase_add_test(tc, zero_coordinates_put_c_on_d);
    tcase_add_test(tc, universal_rows_in_d);
    tcase_add_test(tc, gimbal_rows_in_d);
    tcase_add_test(tc, ellipsoid_normal_row_carries_the_normal_force);
    tcase_add_test(tc, constant_velocity_shafts_turn_together);
    tcase_add_test(tc, screw_counts_turns_on_the_thread);
    tcase_add_test(tc, nearest_point_of_an_ellipsoid);
    tcase_add_test(tc, nearest_point_where_it_is_not_unique);
    suite_add_tcase(suite, tc);
    return suite;
}
