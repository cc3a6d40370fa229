/* test_limits_bounces.c: the chain of test_limits_chain.c with stops that bounce; a program of its
 * own, for it takes long.
 */
#include "support/heavy.h"
#include "support/limit_scenes.h"
#include "support/run_main.h"

START_TEST(chain_of_limits_bounces_about)
{
    expect_chain_inside(_i, 0.4, ALL_OR_FEW(steps_of_chain(_i), 400));
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("chain of bouncing limits");
    TCase *chain = tcase_create("chain");
    tcase_add_loop_test(chain, chain_of_limits_bounces_about, 0, METHODS);
    suite_add_tcase(suite, chain);
    return suite;
}
