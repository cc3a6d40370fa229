/* test_audit.c: the reference mechanisms (tests/data/mechanisms), built here and asked after every
 * step what `tenon run --audit` asks: Newton and Euler of every body with the reactions told, closed
 * joints, energy over the run. Examples are audited by the program itself (test_audit_examples.py).
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/run_main.h"
#include "support/trajectories.h"

/* What the audit allows. */
#define FORCES 1e-10 /* of the largest on a body */
#define OPEN   1e-9  /* m, rad */

/* By the accuracy that is the default, and by steps of second order with reactions to round-off. */
enum { BY_ACCURACY, BY_STEPS, WAYS };

static void start(const trajectory *t, int way, mechanism *m)
{
    *m = t->build();
    tn_sim_options options =
        mechanism_compile(m, way == BY_STEPS ? TN_GENERALIZED_ALPHA : TN_ACCURATE_INTEGRATOR);
    options.accuracy = way == BY_ACCURACY ? 1e-6 : 0.0;
    options.force_tolerance = 0.5 * FORCES;
    options.max_iterations = 30;
    mechanism_start_with(m, &options);
}

START_TEST(reference_mechanisms_pass)
{
    const trajectory *t = &trajectories[_i / WAYS];
    const int way = _i % WAYS;
    const double every = way == BY_STEPS ? t->step : 0.02;
    const int steps = (int)fmin(400.0, ceil(t->duration / every));
    double forces = 0.0, open = 0.0;
    mechanism m;
    start(t, way, &m);
    for (int k = 1; k <= steps; k++) {
        tn_balance balance;
        ck_assert_int_eq(tn_sim_advance(m.sim, k * every, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_balance(m.sim, &balance), TN_OK);
        const tn_residuals residuals = tn_sim_residuals(m.sim);
        forces = fmax(forces, fmax(balance.force, balance.moment));
        open = fmax(open, fmax(residuals.position, residuals.angle));
    }
    const tn_accuracy a = tn_sim_accuracy(m.sim);
    printf("%-20s %s: forces %.1e, joints %.1e, energy %.1e of %.1e\n", t->name,
           way == BY_STEPS ? "steps   " : "accuracy", forces, open, a.energy_share,
           a.energy_allowed);
    ck_assert_double_le(forces, FORCES);
    ck_assert_double_le(open, OPEN);
    ck_assert_int_eq(a.holds, 1);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("audit");
    TCase *known = tcase_create("reference mechanisms");
    tcase_add_loop_test(known, reference_mechanisms_pass, 0, WAYS * trajectory_count);
    tcase_set_timeout(known, 60.0);
    suite_add_tcase(suite, known);
    return suite;
}
