/* run_main.h: test support: the main of a test program with one suite. Include once.
 *
 * Where the address sanitizer looks for leaks, cases run in one process: to look through a process of each took as long as the
 * cases did. A case that crashes ends its program, which counts as failed; leaks are told when the program ends. Programs
 * whose cases abort, or leave an allocator of their own behind, define TENON_TESTS_FORK before.
 */
#ifndef TENON_TESTS_RUN_MAIN_H
#define TENON_TESTS_RUN_MAIN_H

#include <check.h>
#include <stdlib.h>

Suite *make_suite(void);

int main(void)
{
    SRunner *runner = srunner_create(make_suite());
#if defined(__SANITIZE_ADDRESS__) && !defined(TENON_TESTS_FORK)
    if (!getenv("CK_FORK"))
        srunner_set_fork_status(runner, CK_NOFORK);
#endif
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
