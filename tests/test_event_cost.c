/* test_event_cost.c: what events of fixed steps cost, counted in factorizations. */
#include <math.h>
#include <stdio.h>

#include "support/limit_scenes.h"
#include "support/run_main.h"

typedef struct bill {
    double steps, events, factorizations, iterations;
} bill;

static bill run(mechanism *m, double h, int steps)
{
    bill b = {.steps = steps};
    for (int k = 0; k < steps; k++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_step(m->sim, h, &report), TN_OK);
        b.events += report.events;
        b.factorizations += report.factorizations;
        b.iterations += report.iterations;
    }
    return b;
}

/* A plain step takes one factor, an event those of its place, its impact, its accelerations and one more part:
 * 14 while every trial began anew. What hardly leaves its limit rests: there were 800 events while each hit of
 * limits that throw each other's coordinates off was followed. */
START_TEST(an_event_takes_few_factors)
{
    mechanism m = thrown_chain(0.0);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    const bill b = run(&m, 1e-3, 1000);
    const double factors = (b.factorizations - b.steps) / b.events;
    printf("%g events in %g steps, %.1f factorizations each, %.1f iterations a step\n", b.events,
           b.steps, factors, b.iterations / b.steps);
    ck_assert_double_gt(b.events, 100.0);
    ck_assert_double_le(b.events, 650.0);
    ck_assert_double_le(factors, 10.0);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("event_cost");
    TCase *tc = tcase_create("counts");
    tcase_add_test(tc, an_event_takes_few_factors);
    suite_add_tcase(suite, tc);
    return suite;
}
