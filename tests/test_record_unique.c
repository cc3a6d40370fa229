/* test_record_unique.c: HDF5 files say which multipliers mean something by themselves: of the
 * hinges of a four-bar the forces in its plane; of a tree's joints all.
 */
#include <check.h>
#include <hdf5.h>

#include "support/run_main.h"
#include "support/sample_mechanisms.h"
#include "tenon/record.h"

#define FILE_NAME TN_TEST_OUTPUT "/record_unique.h5"

enum { MOST = 64 };

/* Records one frame; the mask, and how many columns it has. */
static int recorded_mask(mechanism *m, double mask[MOST])
{
    tn_recorder *recorder;
    mechanism_start(m, TN_GENERALIZED_ALPHA);
    ck_assert_int_eq(tn_recorder_create(m->sim, NULL, &recorder), TN_OK);
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

Suite *make_suite(void)
{
    Suite *suite = suite_create("record_unique");
    TCase *tests = tcase_create("unique");
    tcase_add_test(tests, in_a_four_bar_only_forces_in_its_plane);
    tcase_add_test(tests, in_a_tree_all);
    suite_add_tcase(suite, tests);
    return suite;
}
