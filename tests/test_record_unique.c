/* test_record_unique.c: files say which multipliers mean something by themselves: of the hinges of
 * a four-bar the forces in its plane; of a tree's joints all; of two gears of one ratio neither.
 * And what they say of couplings and drives.
 */
#include <check.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/run_main.h"
#include "support/sample_mechanisms.h"
#include "tenon/drive.h"
#include "tenon/io.h"
#include "tenon/record.h"
#include "tenon/results.h"

#define FILE_NAME TN_TEST_OUTPUT "/record_unique.h5"
#define CSV_NAME  TN_TEST_OUTPUT "/record_unique.csv"

enum { MOST = 64 };

/* Of everything, multipliers too. */
static tn_recorder *make_recorder(const mechanism *m)
{
    tn_recorder *recorder = NULL;
    tn_record_def def = *tn_model_record(m->model);
    def.what = TN_RECORD_ALL;
    ck_assert_int_eq(tn_recorder_create(m->sim, &def, &recorder), TN_OK);
    return recorder;
}

/* Records one frame; the mask, and how many columns it has. */
static int recorded_mask(mechanism *m, double mask[MOST])
{
    mechanism_start(m, TN_GENERALIZED_ALPHA);
    tn_recorder *recorder = make_recorder(m);
    ck_assert_int_eq(tn_recorder_add_hdf5(recorder, FILE_NAME, NULL), TN_OK);
    ck_assert_int_eq(tn_recorder_write(recorder, NULL), TN_OK);
    ck_assert_int_eq(tn_recorder_close(recorder, NULL), TN_OK);
    tn_recorder_destroy(recorder);
    const hid_t file = H5Fopen(FILE_NAME, H5F_ACC_RDONLY, H5P_DEFAULT);
    ck_assert_int_ge(file, 0);
    const hid_t set = H5Dopen2(file, "/joints/multipliers_unique", H5P_DEFAULT);
    ck_assert_int_ge(set, 0);
    const hid_t space = H5Dget_space(set);
    const int count = (int)H5Sget_simple_extent_npoints(space);
    ck_assert_int_le(count, MOST);
    ck_assert_int_ge(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, mask), 0);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    return count;
}

/* Rows fx fy fz mx my of each hinge, z along its axis. */
START_TEST(in_a_four_bar_only_forces_in_its_plane)
{
    double mask[MOST];
    mechanism m = sample_four_bar();
    ck_assert_int_eq(recorded_mask(&m, mask), 20);
    for (int k = 0; k < 20; k++)
        ck_assert_double_eq(mask[k], k % 5 < 2 ? 1.0 : 0.0);
    mechanism_free(&m);
}
END_TEST

START_TEST(in_a_tree_all)
{
    double mask[MOST];
    mechanism m = sample_hinge_chain(5);
    ck_assert_int_eq(recorded_mask(&m, mask), 25);
    for (int k = 0; k < 25; k++)
        ck_assert_double_eq(mask[k], 1.0);
    mechanism_free(&m);
}
END_TEST

/* The head of a CSV file of one frame: the line of names, and comments before it. */
static void csv_header(mechanism *m, char *line, int size, char *comments)
{
    size_t used = 0;
    mechanism_start(m, TN_GENERALIZED_ALPHA);
    tn_recorder *recorder = make_recorder(m);
    ck_assert_int_eq(tn_recorder_add_csv(recorder, CSV_NAME, NULL), TN_OK);
    ck_assert_int_eq(tn_recorder_close(recorder, NULL), TN_OK);
    tn_recorder_destroy(recorder);
    FILE *file = fopen(CSV_NAME, "r");
    ck_assert_ptr_nonnull(file);
    comments[0] = '\0';
    for (line[0] = '#'; line[0] == '#';) {
        ck_assert_ptr_nonnull(fgets(line, size, file));
        if (line[0] == '#')
            used += (size_t)snprintf(comments + used, (size_t)size - used, "%s", line);
    }
    fclose(file);
}

/* In a comment line, never in the names; components of reactions are judged by themselves. */
START_TEST(csv_headers_have_the_mask)
{
    static const char *const fields[] = {"fx", "fy", "fz", "mx", "my", "mz"};
    char line[8192], comments[8192], name[64];
    mechanism m = sample_four_bar();
    csv_header(&m, line, sizeof line, comments);
    char *mark = strstr(comments, "# not unique: ");
    ck_assert_ptr_nonnull(mark);
    *strchr(mark, '\n') = ',';
    mark[strlen("# not unique:")] = ',';
    ck_assert_ptr_null(strstr(line, "unique"));
    for (int j = 0; j < 4; j++) {
        const char *joint = tn_model_joint_name(m.model, (tn_joint){j});
        for (int k = 0; k < 5; k++) {
            snprintf(name, sizeof name, ",%s.lambda%d,", joint, k);
            ck_assert_msg((strstr(mark, name) == NULL) == (k < 2), "%s in %s", name, mark);
        }
        for (int k = 0; k < 5; k++) {
            snprintf(name, sizeof name, ",%s.%s,", joint, fields[k]);
            ck_assert_msg(strstr(line, name) != NULL, "no %s in %s", name, line);
            ck_assert_msg((strstr(mark, name) == NULL) == (k < 2), "%s in %s", name, mark);
        }
    }
    mechanism_free(&m);
    m = sample_hinge_chain(5);
    csv_header(&m, line, sizeof line, comments);
    ck_assert_ptr_null(strstr(comments, "not unique"));
    mechanism_free(&m);
}
END_TEST

/* A wheel with a motor and two gears to another; a third gear is not recorded. */
static const char gears_text[] =
    "tenon: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1]}\n"
    "  b: {mass: 1, inertia: [1, 1, 2], position: [1, 0, 0]}\n"
    "  c: {mass: 1, inertia: [1, 1, 2], position: [2, 0, 0]}\n"
    "joints:\n"
    "  p: {type: hinge, a: a, b: ground, origin: [0, 0, 0], motor: {theta: {speed: 2, max_force: "
    "5}}, friction: {theta: {viscous: 0.5}}}\n"
    "  q: {type: hinge, a: b, b: ground, origin: [1, 0, 0]}\n"
    "  r: {type: slider, a: c, b: ground, origin: [2, 0, 0]}\n"
    "couplings:\n"
    "  g: {gear: {a: p.theta, b: q.theta, ratio: -2}}\n"
    "  h: {gear: {a: p.theta, b: q.theta, ratio: -2}}\n"
    "  k: {rack_and_pinion: {rack: r.z, pinion: p.theta, radius: 0.1}}\n"
    "record: {bodies: [], joints: [p], couplings: [h, k]}\n";

static void read_last(const char *path, hid_t file, double *out)
{
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    ck_assert_int_ge(set, 0);
    ck_assert_int_ge(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out), 0);
    H5Dclose(set);
}

START_TEST(couplings_and_drives_are_recorded)
{
    mechanism m = {NULL, NULL, NULL};
    ck_assert_int_eq(tn_spec_read_string(gears_text, strlen(gears_text), "test", NULL, &m.spec),
                     TN_OK);
    char line[1024], comments[1024];
    csv_header(&m, line, sizeof line, comments);
    ck_assert_str_eq(comments, "# units: s,rad,rad/s,N m,N,N,N,N m,N m,N m,rad,N m,m,N,J,J,J,J,J,J,"
                               "N,N,N,N m,N m\n# not unique: h.force\n");
    ck_assert_str_eq(line, "t,p.theta,p.theta.speed,p.theta.effort,p.fx,p.fy,p.fz,p.mx,p.my,p.mz,"
                           "h.value,h.force,k.value,k.force,energy.kinetic,energy.potential,"
                           "energy.elastic,energy.total,energy.work,energy.lost,"
                           "p.lambda0,p.lambda1,p.lambda2,p.lambda3,p.lambda4\n");
    mechanism_run(&m, 1e-3, 100, NULL);
    tn_recorder *recorder = make_recorder(&m);
    ck_assert_int_eq(tn_recorder_add_hdf5(recorder, FILE_NAME, NULL), TN_OK);
    ck_assert_int_eq(tn_recorder_write(recorder, NULL), TN_OK);
    ck_assert_int_eq(tn_recorder_close(recorder, NULL), TN_OK);
    tn_recorder_destroy(recorder);
    const hid_t file = H5Fopen(FILE_NAME, H5F_ACC_RDONLY, H5P_DEFAULT);
    double value[2], force[2], unique[2], work[2], drive;
    read_last("/couplings/value", file, value);
    read_last("/couplings/force", file, force);
    read_last("/couplings/force_unique", file, unique);
    read_last("/work", file, work);
    read_last("/joints/effort", file, &drive);
    H5Fclose(file);
    const tn_energy e = tn_sim_energy(m.sim);
    for (int i = 0; i < 2; i++) {
        ck_assert_double_eq(value[i], tn_sim_coupling_value(m.sim, (tn_coupling){1 + i}));
        ck_assert_double_eq(force[i], tn_sim_coupling_force(m.sim, (tn_coupling){1 + i}));
        ck_assert_double_eq(unique[i], i);
        ck_assert_double_gt(fabs(force[i]), 1e-3);
    }
    /* 5 N m turn 1 + 4 * 2 kg m^2 + 0.01 kg m^2 against 0.5 N m s/rad */
    const double J = 9.01, d = 0.5, t = 0.1, w = 5.0 / d * (1.0 - exp(-d / J * t));
    ck_assert_double_eq_tol(drive, 5.0 - d * w, 1e-6);
    ck_assert_double_eq_tol(work[0] - work[1], 0.5 * J * w * w, 1e-6);
    ck_assert_double_eq(work[0], e.work);
    ck_assert_double_eq(work[1], e.lost);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("record_unique");
    TCase *tests = tcase_create("unique");
    tcase_add_test(tests, in_a_four_bar_only_forces_in_its_plane);
    tcase_add_test(tests, in_a_tree_all);
    tcase_add_test(tests, csv_headers_have_the_mask);
    tcase_add_test(tests, couplings_and_drives_are_recorded);
    suite_add_tcase(suite, tests);
    return suite;
}
