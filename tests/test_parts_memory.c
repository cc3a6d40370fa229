/* test_parts_memory.c: the k-th allocation fails while files with parts, repetitions, included files,
 * loads and formulas of measures are read, compiled and written: a status, no leak, no half a
 * model.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "support/run_main.h"
#include "support/allocator.h"
#include "tenon/io.h"
#include "tenon/measure.h"
#include "tenon/tenon.h"

#define MAIN_FILE TN_TEST_OUTPUT "/parts_memory.yaml"
#define PART_FILE TN_TEST_OUTPUT "/parts_memory_leg.yaml"

static const char leg[] =
    "tenon: 1\n"
    "angle: deg\n"
    "parameters: {length: 0.3 m, side: 1}\n"
    "bodies:\n"
    "  bone: {position: [=side*length/2, 0, 0], mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  hip: {type: hinge, a: bone, origin: [0, 0, 0], axis: [0, 1, 0],\n"
    "    range: {theta: [-40, 40]}}\n"
    "markers: {foot: {body: bone, position: [=side*length/2, 0, 0]}}\n"
    "loads: {push: {marker: foot, force: [0, 0, {sine: [3, 360, 0, 0]}]}}\n"
    "measures: {arc: =length*hip.theta, twice: =2*arc}\n";

static const char whole[] =
    "tenon: 1\n"
    "parts: {leg: {include: parts_memory_leg.yaml}}\n"
    "instances:\n"
    "  left: {part: leg, repeat: 2, position: [0, =0.2*index, 0]}\n"
    "  right: {part: leg, parameters: {side: -1}}\n"
    "measures: {sum: '=left[0].twice + right.arc', power: {load: right.push}}\n";

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, strlen(text), file), strlen(text));
    ck_assert_int_eq(fclose(file), 0);
}

/* From the file to a simulation, and the description written again. */
static tn_status all_of_it(int32_t *measures)
{
    tn_spec *spec = NULL;
    tn_model *model = NULL;
    tn_sim *sim = NULL;
    char *text = NULL;
    tn_status status = tn_spec_read_file(MAIN_FILE, NULL, &spec);
    ck_assert_int_eq(spec != NULL, status == TN_OK);
    if (status == TN_OK)
        status = tn_model_compile(spec, NULL, &model);
    if (status == TN_OK)
        status = tn_sim_create(model, NULL, NULL, &sim);
    if (status == TN_OK)
        status = tn_spec_write_string(spec, NULL, &text, NULL);
    *measures = status == TN_OK ? tn_model_measure_count(model) : 0;
    tn_text_free(text);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
    tn_spec_destroy(spec);
    return status;
}

START_TEST(every_allocation_may_fail)
{
    write_file(MAIN_FILE, whole);
    write_file(PART_FILE, leg);
    test_allocator allocator = {.left = -1};
    tn_set_allocator(test_realloc, &allocator);
    tn_status status = TN_ERROR_MEMORY;
    int64_t allowed = 0;
    int32_t measures = 0;
    for (; status != TN_OK; allowed++) {
        allocator = (test_allocator){.left = allowed};
        status = all_of_it(&measures);
        ck_assert_msg(status == TN_OK || status == TN_ERROR_MEMORY, "%s after %d",
                      tn_status_text(status), (int)allowed);
        ck_assert_int_eq(allocator.alive, 0);
    }
    ck_assert_int_gt(allowed, 100);
    ck_assert_int_eq(measures, 8);
    tn_set_allocator(NULL, NULL);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("parts_memory");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, every_allocation_may_fail);
    suite_add_tcase(suite, tests);
    return suite;
}
