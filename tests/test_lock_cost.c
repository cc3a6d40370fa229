/* test_lock_cost.c: what locking and unlocking cost in a long chain, in counts, not in time.
 *
 * A new analysis of the structure needs memory: no allocation means that there is none. The work of
 * a step is its factorizations and back-solves.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/allocator.h"
#include "support/run_main.h"
#include "support/sample_mechanisms.h"

typedef struct work {
    int factorizations, solves;
} work;

static work step(mechanism *m)
{
    tn_step_report report;
    ck_assert_int_eq(tn_sim_step(m->sim, 1e-3, &report), TN_OK);
    ck_assert_int_eq(report.halvings + report.fallbacks, 0);
    return (work){report.factorizations, report.solves};
}

enum { BEFORE, LOCKING, LOCKED, UNLOCKING, AFTER, MOMENTS };

/* Every third hinge is locked for a while; the work of one step at each moment. */
static void lock_for_a_while(mechanism *m, int links, work at[MOMENTS])
{
    for (int k = 0; k < 4; k++)
        at[BEFORE] = step(m);
    for (int locked = 1; locked >= 0; locked--) {
        for (int k = 0; k < links; k += 3)
            ck_assert_int_eq(tn_sim_set_locked(m->sim, (tn_joint){k}, 0, locked), TN_OK);
        at[locked ? LOCKING : UNLOCKING] = step(m);
        for (int k = 0; k < 4; k++)
            at[locked ? LOCKED : AFTER] = step(m);
    }
}

/* The locked hinges stand still, the others go on. */
static void expect_held(const mechanism *m, int links, const double *q, int held)
{
    double moved[2] = {0.0, 0.0};
    for (int k = 0; k < links; k++) {
        double now[TN_MAX_COORDINATES];
        tn_sim_joint_coordinates(m->sim, (tn_joint){k}, now);
        moved[k % 3 == 0] = fmax(moved[k % 3 == 0], fabs(now[0] - q[k]));
    }
    ck_assert_double_gt(moved[0], 1e-9);
    if (held)
        ck_assert_double_le(moved[1], 1e-12);
    else
        ck_assert_double_gt(moved[1], 1e-9);
}

static const int sizes[] = {10, 1000};

START_TEST(locks_need_no_analysis_and_no_more_work)
{
    work at[2][MOMENTS];
    for (int n = 0; n < 2; n++) {
        test_allocator allocator = {.left = -1};
        tn_set_allocator(test_realloc, &allocator);
        mechanism m = sample_hinge_chain(sizes[n]);
        mechanism_start(&m, _i);
        const int64_t before = allocator.calls;
        lock_for_a_while(&m, sizes[n], at[n]);
        ck_assert_int_eq(allocator.calls, before);
        mechanism_free(&m);
        tn_set_allocator(NULL, NULL);
        printf("%-27s %4d hinges: factorizations %d, locking %d, locked %d, unlocking %d, after "
               "%d\n",
               method_name(_i), sizes[n], at[n][BEFORE].factorizations,
               at[n][LOCKING].factorizations, at[n][LOCKED].factorizations,
               at[n][UNLOCKING].factorizations, at[n][AFTER].factorizations);
        /* of steps in the middle of a part: one closes its joints where they are open */
        const int looked = _i == TN_AUTO;
        ck_assert_int_le(at[n][LOCKED].factorizations, at[n][BEFORE].factorizations + looked);
        ck_assert_int_le(at[n][AFTER].factorizations, at[n][BEFORE].factorizations + looked);
        ck_assert_int_le(at[n][LOCKED].solves, at[n][BEFORE].solves + 2);
    }
    /* However long the chain and however many the locks; who controls errors projects at the end of
     * parts, whose errors add up along the chain: a pass more or less. */
    const int spread = _i < TN_INTEGRATOR_COUNT && tn_integrator_controls_errors((tn_integrator)_i);
    for (int k = 0; k < MOMENTS; k++)
        ck_assert_int_le(abs(at[1][k].factorizations - at[0][k].factorizations), spread);
}
END_TEST

START_TEST(locked_hinges_of_a_long_chain_stand_still)
{
    enum { LINKS = 200 };
    mechanism m = sample_hinge_chain(LINKS);
    mechanism_start(&m, _i);
    for (int k = 0; k < 4; k++)
        step(&m);
    for (int locked = 1; locked >= 0; locked--) {
        double q[LINKS];
        for (int k = 0; k < LINKS; k++) {
            double now[TN_MAX_COORDINATES];
            tn_sim_joint_coordinates(m.sim, (tn_joint){k}, now);
            q[k] = now[0];
            if (k % 3 == 0)
                ck_assert_int_eq(tn_sim_set_locked(m.sim, (tn_joint){k}, 0, locked), TN_OK);
        }
        for (int k = 0; k < 20; k++)
            step(&m);
        expect_held(&m, LINKS, q, locked);
    }
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("cost of locks");
    TCase *tc = tcase_create("cost of locks");
    tcase_set_timeout(tc, 120.0);
    tcase_add_loop_test(tc, locks_need_no_analysis_and_no_more_work, 0, METHODS);
    tcase_add_loop_test(tc, locked_hinges_of_a_long_chain_stand_still, 0, METHODS);
    suite_add_tcase(suite, tc);
    return suite;
}
