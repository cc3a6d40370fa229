/* test_judge_rows.c: what steps end with: limits that push only, coordinates in their ranges, and
 * reactions of loops without what acts on nothing. Lies about each are found, by as much as was lied.
 */
#include <math.h>
#include <stdio.h>

#include "method/method.h"
#include "sim/sim_internal.h"
#include "step/part/rows.h"
#include "support/limit_scenes.h"
#include "support/overconstrained.h"
#include "support/run_main.h"

static const tn_joint first = {0};

/* ---- limits ---- */

/* The worst of all limits now, N m; positive: it pulls. */
static double largest_pull(const mechanism *m)
{
    const int32_t joints = tn_model_get_size(m->model).joints;
    double worst = -INFINITY, force = 0.0;
    for (int32_t j = 0; j < joints; j++) {
        const int side = tn_sim_at_limit(m->sim, (tn_joint){j}, 0, &force);
        if (side != 0)
            worst = fmax(worst, side * force);
    }
    return worst;
}

/* Twenty links with a range at every hinge, some of which come back to their limits more often
 * than is followed within a step: kept there, by the end of it they push or are free. */
START_TEST(no_limit_pulls)
{
    mechanism m = thrown_chain(0.0);
    mechanism_start(&m, _i);
    double worst = -INFINITY;
    int held = 0;
    for (int k = 0; k < (_i == TN_DORMAND_PRINCE ? 300 : 900); k++) {
        ck_assert_int_eq(tn_sim_step(m.sim, 1e-3, NULL), TN_OK);
        const double pull = largest_pull(&m);
        held += isfinite(pull);
        worst = fmax(worst, pull);
    }
    const tn_accuracy a = tn_sim_accuracy(m.sim);
    printf("%s: %d steps end at limits, that pull by %.1e N m, %.1e of the largest force; %.1e rad "
           "beyond\n",
           method_name(_i), held, worst, a.pull, a.beyond);
    ck_assert_int_ge(held, 50);
    ck_assert_double_le(worst, 1e-6);
    ck_assert_double_le(a.pull, 1e-6);
    ck_assert_double_le(a.beyond, 1e-10);
    ck_assert_int_eq(a.holds, 1);
    mechanism_free(&m);
}
END_TEST

/* A weight of 2 kg that rests on the end of its slider. */
static mechanism weight_on_its_stop(void)
{
    mechanism m = mechanism_read(
        "tenon: 1\ngravity: [0, 0, -10]\nbodies: {b: {mass: 2, inertia: [1, 1, 1]}}\njoints:\n"
        "  j: {type: slider, a: b, origin: [0, 0, 0], axis: [0, 0, 1], range: {z: [0, 1]}}\n");
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    mechanism_run(&m, 1e-3, 10, NULL);
    return m;
}

static tn_rows_ended ask(const mechanism *m)
{
    tn_rows_check check;
    int32_t solves = 0;
    ck_assert_int_eq(tn_rows_check_create(m->sim, &check), TN_OK);
    const tn_rows_ended ended = tn_rows_verify(m->sim, &check, 0.0, true, &solves);
    tn_rows_check_destroy(&check);
    return ended;
}

START_TEST(limits_that_pull_are_found)
{
    mechanism m = weight_on_its_stop();
    double force = 0.0;
    ck_assert_int_eq(tn_sim_at_limit(m.sim, first, 0, &force), -1);
    ck_assert_double_eq_tol(force, 20.0, 1e-9);
    ck_assert_double_eq(ask(&m).pull, 0.0);
    ck_assert_int_eq(ask(&m).body, -1);
    for (int row = 0; row < TN_MAX_ROWS; row++)
        m.sim->state.lambda[row] *= -0.25;
    const tn_rows_ended ended = ask(&m);
    ck_assert_double_eq_tol(ended.pull, 0.25, 1e-12); /* 5 N of the weight of 20 N */
    ck_assert_int_eq(ended.body, 0);
    ck_assert_int_eq(ended.pulling, 0);
    mechanism_free(&m);
}
END_TEST

START_TEST(coordinates_beyond_their_ranges_are_found)
{
    mechanism m = weight_on_its_stop();
    ck_assert_double_eq(ask(&m).beyond, 0.0);
    tn_state_hold(m.model, &m.sim->state, 0, 0, TN_HOLD_NONE);
    m.sim->state.coordinates[0] = -1e-3;
    ck_assert_double_eq_tol(ask(&m).beyond, 1e-3, 1e-15);
    ck_assert_int_eq(ask(&m).ranged, 0);
    m.sim->state.coordinates[0] = 1.25;
    ck_assert_double_eq_tol(ask(&m).beyond, 0.25, 1e-15);
    mechanism_free(&m);
}
END_TEST

/* ---- reactions of loops ---- */

static double lie; /* N, with which two hinges on one axis pull at each other */
enum { ALONG_THE_AXIS = 2 };

static tn_status step_and_lie(tn_sim *sim, double h, tn_step_report *report)
{
    const tn_status status = tn_method_generalized_alpha.step(sim, h, report);
    sim->state.lambda[ALONG_THE_AXIS] += lie;
    sim->state.lambda[TN_MAX_ROWS + ALONG_THE_AXIS] -= lie;
    return status;
}

/* A door on two hinges: what they pull at each other with moves nothing, so that Newton and Euler
 * have nothing to say. */
static tn_status step_of_a_liar(double force, tn_step_report *report, tn_accuracy *accuracy)
{
    tn_method liar = tn_method_generalized_alpha;
    liar.step = step_and_lie;
    liar.fallback = NULL;
    lie = force;
    mechanism m = door(2);
    tn_sim_options options = mechanism_compile(&m, TN_GENERALIZED_ALPHA);
    ck_assert_int_eq(tn_sim_create_with(m.model, &options, &liar, NULL, &m.sim), TN_OK);
    const tn_status status = tn_sim_step(m.sim, 1e-3, report);
    *accuracy = tn_sim_accuracy(m.sim);
    mechanism_free(&m);
    return status;
}

START_TEST(reactions_that_act_on_nothing_are_refused)
{
    tn_step_report report;
    tn_accuracy a;
    ck_assert_int_eq(step_of_a_liar(0.0, &report, &a), TN_OK);
    ck_assert_double_le(a.idle, 1e-9);
    ck_assert_int_eq(step_of_a_liar(1e-3, &report, &a), TN_OK); /* within what may be, and told */
    ck_assert_double_ge(a.idle, 1e-5);
    ck_assert_double_le(a.idle, 1e-3);
    ck_assert_int_eq(step_of_a_liar(100.0, &report, &a), TN_ERROR_INACCURATE);
    ck_assert_int_eq(report.imbalance, TN_IMBALANCE_MULTIPLIERS);
    ck_assert_double_gt(report.unbalanced, 0.9);
    ck_assert_double_le(report.unbalanced, 1.0);
    ck_assert_double_gt(report.unbalanced, report.allowed);
    ck_assert(report.culprit_joint.i == 0 || report.culprit_joint.i == 1);
}
END_TEST

/* Multipliers that are nothing but rounding act on nothing, whatever their shares. */
START_TEST(what_falls_freely_has_no_idle_reactions)
{
    mechanism m = mechanism_read_file("defects/falling_loop.yaml");
    mechanism_start_as_given(&m);
    tn_step_report report;
    for (int k = 1; k <= 20; k++)
        ck_assert_int_eq(tn_sim_advance(m.sim, 1e-3 * k, &report), TN_OK);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("rows judged");
    TCase *limits = tcase_create("limits");
    tcase_add_loop_test(limits, no_limit_pulls, 0, METHODS);
    tcase_add_test(limits, limits_that_pull_are_found);
    tcase_add_test(limits, coordinates_beyond_their_ranges_are_found);
    tcase_set_timeout(limits, 60.0);
    suite_add_tcase(suite, limits);
    TCase *loops = tcase_create("loops");
    tcase_add_test(loops, reactions_that_act_on_nothing_are_refused);
    tcase_add_test(loops, what_falls_freely_has_no_idle_reactions);
    suite_add_tcase(suite, loops);
    return suite;
}
