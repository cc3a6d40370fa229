/* test_event_cost.c: what events of fixed steps cost, counted in factorizations, and that motion stays of
 * second order through them.
 */
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

/* The ragdoll of the examples after 0.4 s, some fifteen events on: the reference is by error control, to 1e-9. */
static double error_of_ragdoll(const mechanism *reference, double h)
{
    mechanism m = mechanism_read_file("../../examples/ragdoll.yaml");
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    const bill b = run(&m, h, (int)lround(0.4 / h));
    double worst = 0.0;
    for (int32_t i = 0; i < tn_model_get_size(m.model).bodies; i++) {
        const tn_vec3 p = tn_sim_body_pose(m.sim, (tn_body){i}).p,
                      q = tn_sim_body_pose(reference->sim, (tn_body){i}).p;
        worst = fmax(worst, hypot(hypot(p.x - q.x, p.y - q.y), p.z - q.z));
    }
    printf("h = %g: %g events, %.2e m off\n", h, b.events, worst);
    ck_assert_double_gt(b.events, 10.0);
    mechanism_free(&m);
    return worst;
}

START_TEST(motion_stays_of_second_order_through_events)
{
    mechanism reference = mechanism_read_file("../../examples/ragdoll.yaml");
    tn_sim_options options = mechanism_compile(&reference, TN_AUTO);
    options.accuracy = 1e-9;
    ck_assert_int_eq(tn_sim_create(reference.model, &options, NULL, &reference.sim), TN_OK);
    ck_assert_int_eq(tn_sim_advance(reference.sim, 0.4, NULL), TN_OK);
    double coarse = error_of_ragdoll(&reference, 1e-3);
    ck_assert_double_le(coarse, 2e-5);
    for (double h = 5e-4; h > 1e-4; h *= 0.5) {
        const double fine = error_of_ragdoll(&reference, h);
        ck_assert_double_eq_tol(coarse / fine, 4.0, 0.2);
        coarse = fine;
    }
    mechanism_free(&reference);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("event_cost");
    TCase *tc = tcase_create("counts");
    tcase_add_test(tc, an_event_takes_few_factors);
    tcase_add_test(tc, motion_stays_of_second_order_through_events);
    tcase_set_timeout(tc, 60);
    suite_add_tcase(suite, tc);
    return suite;
}
