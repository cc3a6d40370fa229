/* run_main.h: test support: the main of a test program with one suite. Include once. */
#ifndef TENON_TESTS_RUN_MAIN_H
#define TENON_TESTS_RUN_MAIN_H

#include <check.h>
#include <stdlib.h>

Suite *make_suite(void);

int main(void)
{
    SRunner *runner = srunner_create(make_suite());
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
