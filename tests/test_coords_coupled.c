/* test_coords_coupled.c: setting coordinates that others follow through couplings: a train of
 * wheels and a rack, and a wheel that drives the crank of a loop. Random requests, judged by the
 * ratios and by the closed form of the four-bar.
 */
#include <math.h>
#include <stdio.h>

#include "coords_mechanisms.h"
#include "random_numbers.h"
#include "run_main.h"

enum { REQUESTS = 200, WHEELS = 6, RACK = WHEELS };

static double coordinate(const mechanism *m, int joint)
{
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(m->sim, (tn_joint){joint}, q);
    return q[0];
}

static tn_body wheel_at(mechanism *m, double x)
{
    tn_body_def def = tn_default_body_def();
    def.mass = 1.0;
    def.inertia = mat_diagonal(0.1, 0.1, 0.2);
    def.pose.p = vec(x, -2.0, 0.0);
    return mechanism_body(m, &def);
}

/* q_b - ratio q_a stays as it is. */
static void gear(mechanism *m, int a, int b, double ratio)
{
    const tn_coupling_term terms[2] = {{.joint = {b}, .ratio = 1.0},
                                       {.joint = {a}, .ratio = -ratio}};
    tn_coupling_def def = tn_default_coupling_def();
    def.terms = terms;
    def.term_count = 2;
    ck_assert_int_eq(tn_spec_add_coupling(m->spec, &def, NULL), TN_OK);
}

/* Of all couplings, which hold 0. */
static double residual(const mechanism *m)
{
    double worst = 0.0;
    for (int k = 0; k < tn_model_get_size(m->model).couplings; k++)
        worst = fmax(worst, fabs(tn_sim_coupling_value(m->sim, (tn_coupling){k})));
    return worst;
}

static const double ratios[RACK] = {-2.0, 3.0, -0.5, -1.25, 0.8, 0.02}; /* the last one: m/rad */

static mechanism train(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    for (int k = 0; k < WHEELS; k++)
        mechanism_axis_joint(&m, "hinge", wheel_at(&m, k), tn_ground(), vec(k, -2.0, 0.0),
                             vec(0.0, 0.0, 1.0));
    mechanism_axis_joint(&m, "slider", wheel_at(&m, WHEELS), tn_ground(), vec(WHEELS, -2.0, 0.0),
                         vec(1.0, 0.0, 0.0));
    for (int k = 0; k < RACK; k++)
        gear(&m, k, k + 1, ratios[k]);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    return m;
}

START_TEST(wheels_follow_one)
{
    mechanism m = train();
    uint64_t seed = 3;
    double off = 0.0, open = 0.0;
    for (int trial = 0; trial < REQUESTS; trial++) {
        const int chosen = (int)random_between(&seed, 0.0, RACK + 0.99);
        const double largest = chosen == RACK ? 0.2 : 20.0;
        double wanted[RACK + 1];
        wanted[chosen] = random_between(&seed, -largest, largest);
        for (int k = chosen; k > 0; k--)
            wanted[k - 1] = wanted[k] / ratios[k - 1];
        for (int k = chosen; k < RACK; k++)
            wanted[k + 1] = wanted[k] * ratios[k];
        const tn_coordinate_request r = {{chosen}, 0, wanted[chosen]};
        tn_coordinate_answer a;
        tn_placement_report report;
        ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &r, 1, NULL, &a, &report), TN_OK);
        ck_assert_int_eq(a.outcome, TN_COORDINATE_SET);
        ck_assert_int_eq(report.converged, 1);
        for (int k = 0; k <= RACK; k++)
            off = fmax(off, fabs(coordinate(&m, k) - wanted[k]) / fmax(1.0, fabs(wanted[k])));
        open = fmax(open, residual(&m));
    }
    printf("wheels and rack: off by %.1e, couplings open by %.1e\n", off, open);
    ck_assert_double_le(off, 1e-10);
    ck_assert_double_le(open, 1e-12);
    /* two wheels at once: the second one depends on the first */
    const tn_coordinate_request two[2] = {{{0}, 0, 0.3}, {{2}, 0, 5.0}};
    tn_coordinate_answer answers[2];
    ck_assert_int_eq(tn_sim_set_coordinates(m.sim, two, 2, NULL, answers, NULL), TN_OK);
    ck_assert_int_eq(answers[0].outcome, TN_COORDINATE_SET);
    ck_assert_int_eq(answers[1].outcome, TN_COORDINATE_DEPENDENT);
    ck_assert_double_eq_tol(coordinate(&m, 2), 0.3 * ratios[0] * ratios[1], 1e-10);
    mechanism_free(&m);
}
END_TEST

/* A wheel beside a crank-rocker turns its crank 3 times as fast, another one its rocker backwards.
 */
START_TEST(wheels_and_a_loop)
{
    enum { CRANK = 0, ROCKER = 3, FAST = 4, SLOW = 5 };
    mechanism m = coords_four_bar(COORDS_CRANK_ROCKER);
    const double rest = coordinate(&m, ROCKER);
    for (int k = 0; k < 2; k++)
        mechanism_axis_joint(&m, "hinge", wheel_at(&m, k), tn_ground(), vec(k, -2.0, 0.0),
                             vec(0.0, 0.0, 1.0));
    gear(&m, FAST, CRANK, 3.0);
    gear(&m, ROCKER, SLOW, -0.25);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    uint64_t seed = 9;
    double off = 0.0, open = 0.0;
    for (int trial = 0; trial < REQUESTS; trial++) {
        const int chosen = random_between(&seed, 0.0, 1.0) < 0.5 ? CRANK : FAST;
        const double crank = random_between(&seed, -7.0, 7.0);
        const tn_coordinate_request r = {{chosen}, 0, chosen == FAST ? crank / 3.0 : crank};
        tn_coordinate_answer a;
        tn_placement_report report;
        ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &r, 1, NULL, &a, &report), TN_OK);
        ck_assert_int_eq(a.outcome, TN_COORDINATE_SET);
        ck_assert_double_le(fmax(report.position_error, report.angle_error), 1e-12);
        const double rocker = coords_rocker_angle(crank) - coords_rocker_angle(0.0);
        off = fmax(off, fabs(coordinate(&m, CRANK) - crank));
        off = fmax(off, fabs(coordinate(&m, FAST) - crank / 3.0));
        off = fmax(off, fabs(coordinate(&m, ROCKER) - rest - rocker));
        off = fmax(off, fabs(coordinate(&m, SLOW) + 0.25 * coordinate(&m, ROCKER)));
        open = fmax(open, residual(&m));
    }
    printf("wheels and a loop: off by %.1e, couplings open by %.1e\n", off, open);
    ck_assert_double_le(off, 1e-10);
    ck_assert_double_le(open, 1e-12);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("coords_coupled");
    TCase *tests = tcase_create("coupled");
    tcase_add_test(tests, wheels_follow_one);
    tcase_add_test(tests, wheels_and_a_loop);
    suite_add_tcase(suite, tests);
    return suite;
}
