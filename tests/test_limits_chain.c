/* test_limits_chain.c: twenty links with a range at every hinge, thrown about: no bouncing; and the
 * same bits, without allocation, through impacts that bounce.
 */
#include <stdlib.h>

#include "support/allocator.h"
#include "support/heavy.h"
#include "support/limit_scenes.h"
#include "support/run_main.h"
#include "support/saved_states.h"

START_TEST(chain_of_limits_thrown_about)
{
    expect_chain_inside(_i, 0.0, ALL_OR_FEW(steps_of_chain(_i), 600));
}
END_TEST

START_TEST(same_bits_and_no_allocation_through_impacts)
{
    test_allocator memory = {.left = -1};
    tn_set_allocator(test_realloc, &memory);
    mechanism m[2];
    for (int k = 0; k < 2; k++) {
        m[k] = thrown_chain(0.3);
        mechanism_start(&m[k], _i);
    }
    void *middle = malloc(tn_sim_state_size(m[0].sim));
    const int64_t before = memory.calls;
    int events = 0;
    for (int k = 0; k < 600; k++) {
        step(&m[0], 1e-3);
        events += tn_sim_event_count(m[0].sim);
        double time = 0.0;
        for (int n = 0; n < tn_sim_event_count(m[0].sim) && n < TN_EVENTS_KEPT; n++) {
            ck_assert_double_ge(tn_sim_event(m[0].sim, n)->time, time); /* in order */
            time = tn_sim_event(m[0].sim, n)->time;
        }
        if (k == 299)
            tn_sim_save(m[0].sim, middle);
        step(&m[1], 1e-3);
    }
    ck_assert_int_eq(memory.calls, before);
    ck_assert_int_gt(events, 10);
    ck_assert(is_same_saved(m[0].sim, m[1].sim));
    ck_assert_int_eq(tn_sim_restore(m[1].sim, middle), TN_OK);
    for (int k = 300; k < 600; k++)
        step(&m[1], 1e-3);
    ck_assert(is_same_saved(m[0].sim, m[1].sim));
    free(middle);
    for (int k = 0; k < 2; k++)
        mechanism_free(&m[k]);
    tn_set_allocator(NULL, NULL);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("chain of limits");
    TCase *chain = tcase_create("chain");
    tcase_add_loop_test(chain, chain_of_limits_thrown_about, 0, METHODS);
    tcase_add_loop_test(chain, same_bits_and_no_allocation_through_impacts, 0, METHODS);
    suite_add_tcase(suite, chain);
    return suite;
}
