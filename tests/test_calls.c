/* test_calls.c: the programs of fuzz_calls from bytes by chance, the same every time: mechanisms of
 * any joints with plausible and with wild numbers, random calls. TENON_CALL_PROGRAMS: how many;
 * TENON_CALL_FIRST: the number of the first, for campaigns in several processes.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/call_machine.h"
#include "support/run_main.h"

#define PROGRAMS 400
#define BYTES    700 /* most of a program */

static long setting(const char *name, long usual)
{
    const char *text = getenv(name);
    return text ? atol(text) : usual;
}

/* Splitmix64, on the number of the program. */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void run_program(long number, call_counts *counts)
{
    uint8_t bytes[BYTES];
    uint64_t state = (uint64_t)number;
    const size_t size = 200 + next(&state) % (BYTES - 200);
    for (size_t k = 0; k < size; k++)
        bytes[k] = (uint8_t)next(&state);
    call_machine_run(bytes, size, counts);
}

/* Programs of campaigns that found something: a planar body on a joint that points out of its plane. */
START_TEST(programs_that_found_something)
{
    static const long found[] = {2057194};
    for (size_t k = 0; k < sizeof found / sizeof *found; k++)
        run_program(found[k], &(call_counts){0});
}
END_TEST

START_TEST(random_programs)
{
    const long programs = setting("TENON_CALL_PROGRAMS", PROGRAMS);
    const long first = setting("TENON_CALL_FIRST", 0);
    const int talks = getenv("TENON_CALL_TALK") != NULL;
    call_counts counts;
    memset(&counts, 0, sizeof counts);
    for (long n = first; n < first + programs; n++) {
        if (talks)
            fprintf(stderr, "program %ld\n", n);
        run_program(n, &counts);
    }
    printf("%ld programs: %ld mechanisms compiled, %ld started, %ld calls, %ld steps taken, "
           "%ld refusals, %ld changes of descriptions; most work of a call: %d factorisations\n",
           counts.programs, counts.mechanisms, counts.started, counts.calls, counts.steps,
           counts.failures, counts.changes, (int)counts.most_work);
    ck_assert_int_gt(counts.started, programs / 20);
    ck_assert_int_gt(counts.steps, 0);
    ck_assert_int_gt(counts.changes, 0);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("calls");
    TCase *tests = tcase_create("programs");
    tcase_add_test(tests, programs_that_found_something);
    tcase_add_test(tests, random_programs);
    suite_add_tcase(suite, tests);
    return suite;
}
