/* The fuzz program of model files on its seeds, on their beginnings and on a few thousand mutations
 * that are the same every time: what libFuzzer does at random, in any build. */
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fuzz/fuzz_model.c"
#include "support/run_main.h"
#include "support/solids.h"

#define MAX_SIZE 65536

/* Mutations of each seed. */
#define ROUNDS 12

static void run(const uint8_t *data, size_t size)
{
    ck_assert_int_eq(LLVMFuzzerTestOneInput(data, size), 0);
}

/* A place of the text, by chance. */
static size_t any(uint64_t *seed, size_t size)
{
    size_t i = (size_t)((random_number(seed) + 1) / 2 * (double)size);
    return i < size ? i : size - 1;
}

/* One of: change a byte to a sign of the format, cut a piece out, copy a piece elsewhere. */
static size_t mutate(uint64_t *seed, uint8_t *data, size_t size)
{
    static const char signs[] = "[]{},:-?#'\"\\ \n\t&*!|>%@.0~x";
    size_t a = any(seed, size), b = any(seed, size), length = any(seed, 20);
    length = length < size - (a > b ? a : b) ? length : size - (a > b ? a : b);
    switch (any(seed, 3)) {
    case 0:
        data[a] = (uint8_t)signs[any(seed, sizeof(signs) - 1)];
        return size;
    case 1:
        memmove(data + a, data + a + length, size - a - length);
        return size - length;
    default:
        memmove(data + a, data + b, length);
        return size;
    }
}

static int run_file(const char *path, uint64_t *seed)
{
    static uint8_t data[MAX_SIZE], changed[MAX_SIZE];
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    size_t size = fread(data, 1, sizeof(data), file);
    fclose(file);
    run(data, size);
    for (int round = 0; size > 0 && round < ROUNDS; round++) {
        run(data, any(seed, size));
        memcpy(changed, data, size);
        size_t length = size;
        for (size_t i = any(seed, 4) + 1; i > 0 && length > 20; i--) {
            length = mutate(seed, changed, length);
        }
        run(changed, length);
    }
    return 1 + 2 * ROUNDS;
}

static int run_directory(const char *name)
{
    DIR *directory = opendir(name);
    uint64_t seed = 7;
    int count = 0;
    struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        if (strstr(entry->d_name, ".yaml") != NULL && strstr(entry->d_name, "n_four") == NULL) {
            char path[1024];
            snprintf(path, sizeof(path), "%s/%s", name, entry->d_name);
            count += run_file(path, &seed);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return count;
}

START_TEST(test_seeds)
{
    int count = run_directory(TN_TEST_DATA "/broken") + run_directory(TN_TEST_DATA "/models") +
                run_directory(TN_EXAMPLES);
    printf("%d texts\n", count);
    ck_assert_int_gt(count, 5000);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("fuzz_model");
    TCase *tcase = tcase_create("fuzz_model");
    tcase_add_test(tcase, test_seeds);
    suite_add_tcase(suite, tcase);
    return suite;
}
