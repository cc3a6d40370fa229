/* The reader of the ArtiSynth reference runs: what it reads must satisfy laws that the files were
 * not made to satisfy: rotations are orthonormal, momentum balances gravity, coordinates follow
 * from the poses, multipliers are the reaction that Newton's law asks for. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "artisynth_ref.h"
#include "run_main.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static const double pi = 3.14159265358979323846;
static const double gravity = 9.8; /* m/s^2, downwards along z, in all runs but RigidBodyJoint */

static const struct {
    const char *name;
    const char *type;
    int body_count, dynamic_count, joint_count, row_count, column_count;
    double compliance[2]; /* of the first and of the last bilateral row */
} files[] = {
    {"hinge_gnd_cbe", "hinge", 1, 1, 1, 101, 25, {0, 0}},
    {"hinge_gnd_cbe_compliant", "hinge", 1, 1, 1, 101, 25, {1e-4, 1e-3}},
    {"hinge_two_cbe", "hinge", 2, 2, 1, 101, 43, {0, 0}},
    {"hinge_two_cbe_compliant", "hinge", 2, 2, 1, 101, 43, {1e-4, 1e-3}},
    {"cylindrical_gnd_cbe", "cylindrical", 1, 1, 1, 101, 25, {0, 0}},
    {"cylindrical_gnd_cbe_compliant", "cylindrical", 1, 1, 1, 101, 25, {1e-4, 1e-3}},
    {"cylindrical_two_cbe", "cylindrical", 2, 2, 1, 101, 43, {0, 0}},
    {"cylindrical_two_cbe_compliant", "cylindrical", 2, 2, 1, 101, 43, {1e-4, 1e-3}},
    {"spherical_gnd_cbe", "spherical", 1, 1, 1, 101, 22, {0, 0}},
    {"spherical_gnd_cbe_compliant", "spherical", 1, 1, 1, 101, 22, {1e-4, 1e-4}},
    {"spherical_two_cbe", "spherical", 2, 2, 1, 101, 40, {0, 0}},
    {"spherical_two_cbe_compliant", "spherical", 2, 2, 1, 101, 40, {1e-4, 1e-4}},
    {"solid_gnd_cbe", "solid", 1, 1, 1, 101, 25, {0, 0}},
    {"solid_gnd_cbe_compliant", "solid", 1, 1, 1, 101, 25, {1e-4, 1e-3}},
    {"solid_two_cbe", "solid", 2, 2, 1, 101, 43, {0, 0}},
    {"solid_two_cbe_compliant", "solid", 2, 2, 1, 101, 43, {1e-4, 1e-3}},
    {"RigidBodyJoint", "hinge", 2, 1, 1, 501, 25, {0, 0}},
    {"FourBarLinkage", "hinge", 4, 3, 4, 501, 79, {1e-6, 1e-6}},
};

static const char *const files_with_coordinates[] = {
    "hinge_gnd_cbe",       "hinge_gnd_cbe_compliant",       "hinge_two_cbe",
    "cylindrical_gnd_cbe", "cylindrical_gnd_cbe_compliant", "hinge_two_cbe_compliant",
    "cylindrical_two_cbe", "cylindrical_two_cbe_compliant", "RigidBodyJoint",
    "FourBarLinkage",
};
static const char *const files_with_free_pairs[] = {
    "hinge_two_cbe",     "hinge_two_cbe_compliant",     "cylindrical_two_cbe",
    "solid_two_cbe",     "solid_two_cbe_compliant",     "cylindrical_two_cbe_compliant",
    "spherical_two_cbe", "spherical_two_cbe_compliant",
};
/* A hangs on the ground by three translation rows. */
static const char *const files_with_grounded_points[] = {
    "hinge_gnd_cbe",           "hinge_gnd_cbe_compliant", "spherical_gnd_cbe",
    "solid_gnd_cbe_compliant", "solid_gnd_cbe",           "spherical_gnd_cbe_compliant",
};

static void open_reference(const char *name, artisynth_ref *ref)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/artisynth/%s.csv", TN_TEST_DATA, name);
    ck_assert_msg(artisynth_ref_read(path, ref), "%s: %s", path, ref->error);
}

static tn_vec3 column(const tn_mat3 *m, int k)
{
    return (tn_vec3){m->m[0][k], m->m[1][k], m->m[2][k]};
}

static double dot(tn_vec3 a, tn_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static void expect_rotation(const tn_mat3 *R)
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            ck_assert_double_eq_tol(dot(column(R, i), column(R, k)), i == k, 1e-13);
        }
    }
}

/* A frame that was at `start` while its body was at `body_start`, now that the body is at `body`.
 */
static artisynth_pose carried(artisynth_pose start, artisynth_pose body_start, artisynth_pose body)
{
    artisynth_pose now;
    tn_vec3 arm = {start.p.x - body_start.p.x, start.p.y - body_start.p.y,
                   start.p.z - body_start.p.z};
    double local_arm[3];
    for (int i = 0; i < 3; i++) {
        local_arm[i] = dot(column(&body_start.R, i), arm);
    }
    double p[3] = {body.p.x, body.p.y, body.p.z};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            now.R.m[i][k] = 0.0;
            for (int j = 0; j < 3; j++) {
                double local = dot(column(&body_start.R, j), column(&start.R, k));
                now.R.m[i][k] += body.R.m[i][j] * local;
            }
            p[i] += body.R.m[i][k] * local_arm[k];
        }
    }
    now.p = (tn_vec3){p[0], p[1], p[2]};
    return now;
}

static artisynth_pose frame_now(const artisynth_ref *ref, int row, int body, artisynth_pose start)
{
    if (body == ARTISYNTH_GROUND || !ref->bodies[body].dynamic) {
        return start;
    }
    int slot = ref->bodies[body].slot;
    return carried(start, artisynth_ref_motion(ref, 0, slot).pose,
                   artisynth_ref_motion(ref, row, slot).pose);
}

START_TEST(header_matches_the_file_name)
{
    artisynth_ref ref;
    open_reference(files[_i].name, &ref);
    ck_assert_str_eq(ref.name, files[_i].name);
    ck_assert_str_eq(ref.integrator, "ConstrainedBackwardEuler");
    ck_assert_str_eq(ref.stabilization, "GlobalMass");
    ck_assert_double_eq(ref.step, 0.01);
    ck_assert_int_eq(ref.body_count, files[_i].body_count);
    ck_assert_int_eq(ref.dynamic_count, files[_i].dynamic_count);
    ck_assert_int_eq(ref.joint_count, files[_i].joint_count);
    ck_assert_int_eq(ref.row_count, files[_i].row_count);
    ck_assert_int_eq(ref.column_count, files[_i].column_count);
    for (int i = 0; i < ref.joint_count; i++) {
        const artisynth_joint *joint = &ref.joints[i];
        ck_assert_str_eq(joint->type, files[_i].type);
        ck_assert_double_eq(joint->compliance[0], files[_i].compliance[0]);
        ck_assert_double_eq(joint->compliance[joint->bilateral_count - 1], files[_i].compliance[1]);
        ck_assert_int_eq(joint->damping[0] > 0, joint->compliance[0] > 0);
        ck_assert_int_ne(joint->body_a, joint->body_b);
    }
    artisynth_ref_free(&ref);
}
END_TEST

START_TEST(bodies_and_frames_are_physical)
{
    artisynth_ref ref;
    open_reference(files[_i].name, &ref);
    for (int i = 0; i < ref.body_count; i++) {
        const tn_mat3 *J = &ref.bodies[i].inertia;
        ck_assert_double_gt(ref.bodies[i].mass, 0);
        for (int k = 0; k < 3; k++) { /* no principal moment exceeds the sum of the others */
            double other = J->m[(k + 1) % 3][(k + 1) % 3] + J->m[(k + 2) % 3][(k + 2) % 3];
            ck_assert_double_gt(J->m[k][k], 0);
            ck_assert_double_lt(J->m[k][k], other);
        }
        ck_assert_double_lt(fabs(ref.bodies[i].com.x) + fabs(ref.bodies[i].com.y), 1e-15);
    }
    for (int i = 0; i < ref.joint_count; i++) {
        expect_rotation(&ref.joints[i].T_CW.R);
        expect_rotation(&ref.joints[i].T_DW.R);
    }
    for (int row = 0; row < ref.row_count; row++) {
        ck_assert_double_eq_tol(artisynth_ref_time(&ref, row), row * ref.step, 1e-12);
        for (int slot = 0; slot < ref.dynamic_count; slot++) {
            artisynth_motion motion = artisynth_ref_motion(&ref, row, slot);
            expect_rotation(&motion.pose.R);
        }
    }
    artisynth_ref_free(&ref);
}
END_TEST

/* theta and z of a joint whose axis is z_D, from the poses of a row. */
static void expect_coordinates(const artisynth_ref *ref, int row, const artisynth_joint *joint)
{
    const double *q = artisynth_ref_coordinates(ref, row) + joint->first_coordinate;
    artisynth_pose C = frame_now(ref, row, joint->body_a, joint->T_CW);
    artisynth_pose D = frame_now(ref, row, joint->body_b, joint->T_DW);
    double R00 = dot(column(&D.R, 0), column(&C.R, 0));
    double R11 = dot(column(&D.R, 1), column(&C.R, 1));
    double R10 = dot(column(&D.R, 1), column(&C.R, 0));
    double R01 = dot(column(&D.R, 0), column(&C.R, 1));
    double turn = atan2(R10 - R01, R00 + R11);
    double theta = q[joint->coordinate_count - 1];
    ck_assert_double_eq_tol(remainder(theta - turn, 2 * pi), 0, 1e-12);
    if (joint->coordinate_count == 2) {
        tn_vec3 offset = {C.p.x - D.p.x, C.p.y - D.p.y, C.p.z - D.p.z};
        ck_assert_double_eq_tol(q[0], dot(column(&D.R, 2), offset), 1e-12);
    }
}

START_TEST(coordinates_follow_from_the_poses)
{
    artisynth_ref ref;
    open_reference(files_with_coordinates[_i], &ref);
    for (int row = 0; row < ref.row_count; row++) {
        for (int i = 0; i < ref.joint_count; i++) {
            expect_coordinates(&ref, row, &ref.joints[i]);
        }
    }
    artisynth_ref_free(&ref);
}
END_TEST

/* Two bodies held only by each other: the joint cannot change their momentum. */
START_TEST(free_pairs_fall_with_gravity)
{
    artisynth_ref ref;
    open_reference(files_with_free_pairs[_i], &ref);
    double mass_a = ref.bodies[0].mass, mass_b = ref.bodies[1].mass;
    tn_vec3 start = artisynth_ref_motion(&ref, 0, 1).velocity.v; /* A starts at rest */
    for (int row = 0; row < ref.row_count; row++) {
        tn_vec3 a = artisynth_ref_motion(&ref, row, 0).velocity.v;
        tn_vec3 b = artisynth_ref_motion(&ref, row, 1).velocity.v;
        double gained = (mass_a + mass_b) * gravity * row * ref.step;
        ck_assert_double_eq_tol(mass_a * a.x + mass_b * b.x, mass_b * start.x, 1e-12);
        ck_assert_double_eq_tol(mass_a * a.y + mass_b * b.y, mass_b * start.y, 1e-12);
        ck_assert_double_eq_tol(mass_a * a.z + mass_b * b.z, mass_b * start.z - gained, 1e-11);
    }
    artisynth_ref_free(&ref);
}
END_TEST

/* The reaction on A is as long as m (dv/h - g). */
START_TEST(multipliers_are_the_reaction)
{
    artisynth_ref ref;
    open_reference(files_with_grounded_points[_i], &ref);
    for (int row = 1; row < ref.row_count; row++) {
        const double *f = artisynth_ref_multipliers(&ref, row);
        tn_vec3 now = artisynth_ref_motion(&ref, row, 0).velocity.v;
        tn_vec3 before = artisynth_ref_motion(&ref, row - 1, 0).velocity.v;
        tn_vec3 a = {(now.x - before.x) / ref.step, (now.y - before.y) / ref.step,
                     (now.z - before.z) / ref.step + gravity};
        double expected = ref.bodies[0].mass * sqrt(dot(a, a));
        double found = sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        ck_assert_double_eq_tol(found, expected, 1e-10 * expected);
    }
    artisynth_ref_free(&ref);
}
END_TEST

static const char run_line[] = "# run h=0.01 integrator=I stabilization=S\n";
static const char body_line[] = "# body A dynamic=true mass=2 Jxx=1 Jyy=1 Jzz=1 Jxy=0 Jxz=0 "
                                "Jyz=0 com=0 0 0\n";
static const char joint_line[] =
    "# joint SphericalJoint A=A B=ground TCW=[[; 1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1 ]] "
    "TDW=[[; 1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1 ]] compliance=0 0 0 0 damping=0 0 0 0\n";
static const char bad_type_line[] = "# joint ScrewJoint A=A B=ground\n";
static const char bad_body_line[] = "# body A dynamic=true mass=two\n";
static const char stranger_line[] = "# joint SolidJoint A=A B=stranger\n";
static const char good_row[] = "0,1,2,3,1,0,0,0,1,0,0,0,1,4,5,6,7,8,9,-1,-2,-3\n";
static const char short_row[] = "0,1,2\n";
static const char long_row[] = "0,1,2,3,1,0,0,0,1,0,0,0,1,4,5,6,7,8,9,-1,-2,-3,-4\n";

static const struct {
    const char *parts[4];
    const char *error; /* NULL: reads well */
} texts[] = {
    {{run_line, body_line, joint_line, good_row}, NULL},
    {{run_line, body_line, joint_line, ""}, "no data rows"},
    {{run_line, body_line, joint_line, short_row}, "data row 0 does not hold 22 numbers"},
    {{run_line, body_line, joint_line, long_row}, "data row 0 does not hold 22 numbers"},
    {{run_line, body_line, bad_type_line, good_row}, "unknown joint type 'ScrewJoint'"},
    {{run_line, body_line, stranger_line, good_row}, "bad joint line 0"},
    {{run_line, bad_body_line, joint_line, good_row}, "bad body line 0"},
    {{body_line, joint_line, good_row, ""}, "no run, body or joint line"},
    {{"# run\n", body_line, joint_line, good_row}, "bad run line"},
    {{"", "", "", ""}, "no run, body or joint line"},
};

START_TEST(bad_files_are_refused_with_a_reason)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/artisynth_ref_%d.csv", TN_TEST_OUTPUT, _i);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    for (int i = 0; i < 4; i++) {
        ck_assert_int_ge(fputs(texts[_i].parts[i], file), 0);
    }
    ck_assert_int_eq(fclose(file), 0);
    artisynth_ref ref;
    int ok = artisynth_ref_read(path, &ref);
    if (texts[_i].error != NULL) {
        ck_assert_int_eq(ok, 0);
        ck_assert_str_eq(ref.error, texts[_i].error);
        ck_assert_ptr_null(ref.values);
        return;
    }
    ck_assert_int_eq(ok, 1);
    artisynth_motion motion = artisynth_ref_motion(&ref, 0, 0);
    ck_assert_double_eq(motion.pose.p.z, 3);
    ck_assert_double_eq(motion.velocity.v.x, 4);
    ck_assert_double_eq(motion.velocity.w.z, 9);
    ck_assert_double_eq(artisynth_ref_multipliers(&ref, 0)[2], -3);
    ck_assert_int_eq(ref.joints[0].body_b, ARTISYNTH_GROUND);
    artisynth_ref_free(&ref);
}
END_TEST

START_TEST(missing_file_is_refused)
{
    artisynth_ref ref;
    ck_assert_int_eq(artisynth_ref_read(TN_TEST_OUTPUT "/no such file", &ref), 0);
    ck_assert_str_eq(ref.error, "cannot read the file");
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("artisynth_ref");
    TCase *reading = tcase_create("reading");
    tcase_add_loop_test(reading, header_matches_the_file_name, 0, COUNT(files));
    tcase_add_loop_test(reading, bodies_and_frames_are_physical, 0, COUNT(files));
    tcase_add_loop_test(reading, coordinates_follow_from_the_poses, 0,
                        COUNT(files_with_coordinates));
    tcase_add_loop_test(reading, free_pairs_fall_with_gravity, 0, COUNT(files_with_free_pairs));
    tcase_add_loop_test(reading, multipliers_are_the_reaction, 0,
                        COUNT(files_with_grounded_points));
    suite_add_tcase(suite, reading);
    TCase *refusing = tcase_create("refusing");
    tcase_add_loop_test(refusing, bad_files_are_refused_with_a_reason, 0, COUNT(texts));
    tcase_add_test(refusing, missing_file_is_refused);
    suite_add_tcase(suite, refusing);
    return suite;
}
