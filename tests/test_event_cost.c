/* test_event_cost.c: what events of fixed steps cost, counted in factorizations, and that motion stays of
 * their order through them.
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

/* A plain step takes one factor, an event those of its impact, its accelerations, their rates and one more part:
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
    ck_assert_double_le(factors, 5.5);
    mechanism_free(&m);
}
END_TEST

/* The ragdoll of the examples after 0.4 s, some fifteen events on: the reference is by error control, to 1e-9. */
static double error_of_ragdoll(const mechanism *reference, int method, double h)
{
    mechanism m = mechanism_read_file("../../examples/ragdoll.yaml");
    mechanism_start(&m, method);
    const bill b = run(&m, h, (int)lround(0.4 / h));
    double worst = 0.0;
    for (int32_t i = 0; i < tn_model_get_size(m.model).bodies; i++) {
        const tn_vec3 p = tn_sim_body_pose(m.sim, (tn_body){i}).p,
                      q = tn_sim_body_pose(reference->sim, (tn_body){i}).p;
        worst = fmax(worst, hypot(hypot(p.x - q.x, p.y - q.y), p.z - q.z));
    }
    printf("%s, h = %g: %g events, %.1f factorizations a step, %.2e m off\n", method_name(method),
           h, b.events, b.factorizations / b.steps, worst);
    ck_assert_double_gt(b.events, 10.0);
    mechanism_free(&m);
    return worst;
}

static mechanism make_reference(void)
{
    mechanism reference = mechanism_read_file("../../examples/ragdoll.yaml");
    tn_sim_options options = mechanism_compile(&reference, TN_AUTO);
    options.accuracy = 1e-9;
    ck_assert_int_eq(tn_sim_create(reference.model, &options, NULL, &reference.sim), TN_OK);
    ck_assert_int_eq(tn_sim_advance(reference.sim, 0.4, NULL), TN_OK);
    return reference;
}

START_TEST(motion_stays_of_second_order_through_events)
{
    mechanism reference = make_reference();
    double coarse = error_of_ragdoll(&reference, TN_GENERALIZED_ALPHA, 1e-3);
    ck_assert_double_le(coarse, 2e-5);
    for (double h = 5e-4; h > 1e-4; h *= 0.5) {
        const double fine = error_of_ragdoll(&reference, TN_GENERALIZED_ALPHA, h);
        ck_assert_double_eq_tol(coarse / fine, 4.0, 0.2);
        coarse = fine;
    }
    mechanism_free(&reference);
}
END_TEST

static const int first_order[] = {TN_CONSTRAINED_BACKWARD_EULER, TN_BACKWARD_EULER};

START_TEST(motion_stays_of_first_order_through_events)
{
    mechanism reference = make_reference();
    const double coarse = error_of_ragdoll(&reference, first_order[_i], 5e-4),
                 fine = error_of_ragdoll(&reference, first_order[_i], 2.5e-4);
    ck_assert_double_eq_tol(coarse / fine, 2.0, 0.1);
    mechanism_free(&reference);
}
END_TEST

/* Of the four stops that the rag doll starts at, both elbows leave theirs and both knees press: there were two events a step,
 * and 44 to 126 factorizations, while each pull of a mean multiplier was looked for within its part. */
START_TEST(what_presses_stays_at_its_limit)
{
    mechanism m = mechanism_read_file("../../examples/ragdoll.yaml");
    mechanism_start(&m, first_order[_i]);
    const bill b = run(&m, 1e-3, 120);
    const double factors = b.factorizations / b.steps;
    printf("%s: %g events, %.1f factorizations a step\n", method_name(first_order[_i]), b.events,
           factors);
    ck_assert_double_ge(b.events, 1.0);
    ck_assert_double_le(b.events, 4.0);
    ck_assert_double_le(factors, 2.5);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("event_cost");
    TCase *tc = tcase_create("counts");
    tcase_add_test(tc, an_event_takes_few_factors);
    tcase_add_test(tc, motion_stays_of_second_order_through_events);
    tcase_add_loop_test(tc, motion_stays_of_first_order_through_events, 0, 2);
    tcase_add_loop_test(tc, what_presses_stays_at_its_limit, 0, 2);
    tcase_set_timeout(tc, 60);
    suite_add_tcase(suite, tc);
    return suite;
}
