/* Model files with one mistake each (tests/data/broken): the reader refuses every one, says what
 * its first line expects, says where, and gives back all memory. */
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/allocator.h"
#include "support/run_main.h"
#include "support/solids.h"
#include "tenon/io.h"

/* Fewest files there must be. */
#define LEAST_FILES 200

/* What one file expects, from its first line. */
static void read_expectation(const char *path, char *expected, int size)
{
    static const char mark[] = "expect: ";
    char line[512];
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(line, (int)sizeof(line), file));
    fclose(file);
    const char *start = strstr(line, mark);
    ck_assert_msg(start != NULL, "%s expects nothing", path);
    snprintf(expected, (size_t)size, "%s", start + strlen(mark));
    expected[strcspn(expected, "\n")] = '\0';
    ck_assert_uint_gt(strlen(expected), 3);
}

/* Whether an error with a line contains the text. */
static int is_told(const tn_diagnostics *diags, const char *text)
{
    for (int32_t i = 0; i < tn_diagnostics_count(diags); i++) {
        const tn_diagnostic *d = tn_diagnostics_get(diags, i);
        if (d->at.line > 0 && d->at.column > 0 && d->at.file != NULL && d->severity == TN_ERROR &&
            strstr(d->message, text) != NULL) {
            return 1;
        }
    }
    return 0;
}

static int check_file(const char *path, FILE *sink)
{
    char expected[256];
    read_expectation(path, expected, (int)sizeof(expected));
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_spec *spec = NULL;
    tn_status status = tn_spec_read_file(path, diags, &spec);
    int ok = status == TN_ERROR_INPUT && spec == NULL && is_told(diags, expected);
    if (!ok) {
        printf("%s: expected '%s', got:\n", strrchr(path, '/') + 1, expected);
        tn_diagnostics_print(diags, stdout, NULL, 0);
    }
    tn_diagnostics_print(diags, sink, NULL, 0);
    tn_diagnostics_destroy(diags);
    tn_spec_destroy(spec);
    return ok;
}

START_TEST(test_broken_files)
{
    test_allocator allocator = {.left = -1};
    tn_set_allocator(test_realloc, &allocator);
    DIR *directory = opendir(TN_TEST_DATA "/broken");
    ck_assert_ptr_nonnull(directory);
    FILE *sink = fopen("/dev/null", "w");
    int count = 0, good = 0;
    struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        if (strstr(entry->d_name, ".yaml") != NULL) {
            char path[1024];
            snprintf(path, sizeof(path), "%s/%s", TN_TEST_DATA "/broken", entry->d_name);
            good += check_file(path, sink);
            count++;
            ck_assert_int_eq(allocator.alive, 0);
        }
    }
    closedir(directory);
    fclose(sink);
    tn_set_allocator(NULL, NULL);
    printf("%d broken files, %d refused as expected\n", count, good);
    ck_assert_int_ge(count, LEAST_FILES);
    ck_assert_int_eq(good, count);
}
END_TEST

/* The expectation alone proves nothing if the good model were refused too: with the mistakes taken
 * back the model is read. The good model is the beginning of every file, so one is repaired here.
 */
START_TEST(test_good_model)
{
    static char text[8192];
    FILE *file = fopen(TN_TEST_DATA "/broken/001_version_missing.yaml", "rb");
    ck_assert_ptr_nonnull(file);
    static const char head[] = "tenon: 1\n";
    memcpy(text, head, sizeof(head) - 1);
    size_t length = sizeof(head) - 1;
    length += fread(text + length, 1, sizeof(text) - length, file);
    fclose(file);
    tn_spec *spec = NULL;
    tn_diagnostics *diags = tn_diagnostics_create();
    ck_assert_int_eq(tn_spec_read_string(text, length, NULL, diags, &spec), TN_OK);
    ck_assert_int_eq(tn_diagnostics_count(diags), 0);
    tn_diagnostics_destroy(diags);
    tn_spec_destroy(spec);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("broken");
    TCase *tcase = tcase_create("broken");
    tcase_add_test(tcase, test_broken_files);
    tcase_add_test(tcase, test_good_model);
    suite_add_tcase(suite, tcase);
    return suite;
}
