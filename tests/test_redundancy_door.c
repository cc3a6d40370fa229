/* test_redundancy_door.c: reactions of a door on n hinges: symmetric, and right where unique.
 *
 * The leaf of 1 kg hangs at rest, pulled by gravity along x away from its hinges; the pull passes
 * through the middle of the hinges' axis. Statics fixes the sums over all hinges: force -m g along
 * x, no moment about the middle; symmetry the rest: hinges at z and -z feel the same force and
 * opposite moments. No single hinge has a unique reaction but for the moment about the axis: zero.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/overconstrained.h"
#include "support/run_main.h"

/* N, of 9.81 N. Equal rows share to round-off; a tight step leaves some 1e-11 in what is unique. */
#define SYMMETRIC 1e-10
#define STATICS   1e-9  /* N, N m */
#define TIGHT     1e-13 /* m: an error of a step's position is a force over its square */

enum { MOST = 10 };

static const double pull = 9.81; /* N, as in door() */

static tn_wrench on_leaf(const mechanism *m, int hinge)
{
    return tn_sim_joint_wrench(m->sim, (tn_joint){hinge}, TN_WRENCH_IN_D);
}

static double height(int hinge, int hinges)
{
    return 2.0 * hinge / (hinges - 1) - 1.0;
}

/* Mirror images in the plane z = 0. */
static double asymmetry(const mechanism *m, int hinges)
{
    double worst = 0.0;
    for (int k = 0; k < hinges; k++) {
        const tn_wrench a = on_leaf(m, k), b = on_leaf(m, hinges - 1 - k);
        worst = fmax(worst, vec_norm(vec(a.f.x - b.f.x, a.f.y - b.f.y, a.f.z + b.f.z)));
        worst = fmax(worst, vec_norm(vec(a.m.x + b.m.x, a.m.y + b.m.y, a.m.z - b.m.z)));
    }
    return worst;
}

/* Sums over the hinges against statics. */
static double statics_error(const mechanism *m, int hinges)
{
    tn_vec3 f = {0.0, 0.0, 0.0}, moment = {0.0, 0.0, 0.0};
    for (int k = 0; k < hinges; k++) {
        const tn_wrench w = on_leaf(m, k);
        const double z = height(k, hinges);
        f = vec(f.x + w.f.x, f.y + w.f.y, f.z + w.f.z);
        moment = vec(moment.x + w.m.x - z * w.f.y, moment.y + w.m.y + z * w.f.x, moment.z + w.m.z);
    }
    return fmax(vec_norm(vec(f.x + pull, f.y, f.z)), vec_norm(moment));
}

static void check_door(int hinges, int integrator, int steps)
{
    mechanism m = door(hinges);
    mechanism_start(&m, integrator);
    tn_sim_destroy(m.sim);
    tn_sim_options options = tn_default_sim_options(m.model);
    method_choose(integrator, &options);
    options.position_tolerance = TIGHT;
    ck_assert_int_eq(tn_sim_create(m.model, &options, NULL, &m.sim), TN_OK);
    mechanism_run(&m, 1e-2, steps, NULL);
    const double asymmetric = asymmetry(&m, hinges), wrong = statics_error(&m, hinges);
    printf("door, %2d hinges, %s, %d steps: asymmetry %.1e N, statics %.1e N\n", hinges,
           method_name(integrator), steps, asymmetric, wrong);
    ck_assert_double_le(asymmetric, SYMMETRIC);
    ck_assert_double_le(wrong, STATICS);
    mechanism_free(&m);
}

/* One tiny step: the multipliers are those of the acceleration solve at the initial state. */
START_TEST(at_the_first_moment)
{
    for (int n = 2; n <= MOST; n++)
        check_door(n, TN_GENERALIZED_ALPHA, 1);
}
END_TEST

START_TEST(at_rest_for_a_while)
{
    for (int n = 2; n <= MOST; n++)
        for (int i = 0; i < METHODS; i++)
            check_door(n, i, 50);
}
END_TEST

/* Rows fx fy fz mx my of mirrored hinges. */
static double multiplier_asymmetry(const double *lambda, int hinges)
{
    static const double sign[5] = {1.0, 1.0, -1.0, -1.0, -1.0};
    double worst = 0.0;
    for (int k = 0; k < hinges; k++)
        for (int row = 0; row < 5; row++)
            worst = fmax(worst, fabs(lambda[k * TN_MAX_ROWS + row] -
                                     sign[row] * lambda[(hinges - 1 - k) * TN_MAX_ROWS + row]));
    return worst;
}

/* tn_analysis_share keeps the sums and brings the symmetry to round-off. */
START_TEST(shared_reactions_are_symmetric)
{
    for (int n = 2; n <= MOST; n++) {
        double lambda[MOST * TN_MAX_ROWS], before = 0.0, after = 0.0;
        mechanism m = door(n);
        mechanism_start(&m, TN_GENERALIZED_ALPHA);
        mechanism_run(&m, 1e-2, 1, NULL);
        tn_analysis a;
        ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, &a), TN_OK);
        tn_sim_get_multipliers(m.sim, lambda);
        for (int k = 0; k < n; k++)
            before += lambda[k * TN_MAX_ROWS];
        ck_assert_int_eq(tn_analysis_share(&a, m.model, NULL, lambda), TN_OK);
        for (int k = 0; k < n; k++)
            after += lambda[k * TN_MAX_ROWS];
        ck_assert_double_le(fabs(before - after), 1e-12);
        ck_assert_double_le(fabs(after + pull), STATICS);
        ck_assert_double_le(multiplier_asymmetry(lambda, n), 1e-10);
        tn_analysis_free(&a);
        mechanism_free(&m);
    }
}
END_TEST

/* A weight hangs along the axis of two hinges; the lower is ten times as soft along it and so
 * carries one eleventh. */
START_TEST(weights_share_as_compliances_do)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    tn_body_def def = tn_default_body_def();
    def.mass = 1.0;
    def.com = vec(0.0, 0.0, 0.0);
    def.inertia = mat_diagonal(0.1, 0.1, 0.1);
    const tn_body leaf = mechanism_body(&m, &def);
    for (int k = 0; k < 2; k++)
        mechanism_axis_joint(&m, "hinge", leaf, tn_ground(), vec(0.0, 0.0, k), vec(0.0, 0.0, 1.0));
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    mechanism_run(&m, 1e-2, 1, NULL);
    double lambda[2 * TN_MAX_ROWS], weights[2 * TN_MAX_ROWS];
    tn_analysis a;
    ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, &a), TN_OK);
    tn_sim_get_multipliers(m.sim, lambda);
    for (int i = 0; i < 2 * TN_MAX_ROWS; i++)
        weights[i] = 1.0;
    weights[2] = 10.0; /* fz of the lower hinge */
    ck_assert_int_eq(tn_analysis_share(&a, m.model, weights, lambda), TN_OK);
    ck_assert_double_eq_tol(lambda[2], 9.81 / 11.0, STATICS);
    ck_assert_double_eq_tol(lambda[TN_MAX_ROWS + 2], 9.81 * 10.0 / 11.0, STATICS);
    weights[3] = 0.0;
    ck_assert_int_eq(tn_analysis_share(&a, m.model, weights, lambda), TN_ERROR_ARGUMENT);
    tn_analysis_free(&a);
    ck_assert_int_eq(tn_analysis_share(&a, m.model, NULL, lambda), TN_ERROR_ARGUMENT);
    mechanism_free(&m);
}
END_TEST

/* The same from the joint's definition, in the step's own reactions. */
START_TEST(relative_compliance_shares_in_the_step)
{
    for (int i = 0; i < METHODS; i++) {
        mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
        tn_body_def def = tn_default_body_def();
        def.mass = 1.0;
        def.com = vec(0.0, 0.0, 0.0);
        def.inertia = mat_diagonal(0.1, 0.1, 0.1);
        const tn_body leaf = mechanism_body(&m, &def);
        for (int k = 0; k < 2; k++) {
            tn_joint_def joint = tn_default_joint_def();
            joint.type = "hinge";
            joint.a = leaf;
            joint.b = tn_ground();
            joint.origin = vec(0.0, 0.0, k);
            joint.axis = vec(0.0, 0.0, 1.0);
            joint.relative_compliance = k == 0 ? 10.0 : NAN;
            mechanism_joint(&m, &joint);
        }
        mechanism_start(&m, i);
        mechanism_run(&m, 1e-2, 20, NULL);
        double lambda[2 * TN_MAX_ROWS];
        tn_sim_get_multipliers(m.sim, lambda);
        ck_assert_double_eq_tol(lambda[2], 9.81 / 11.0, STATICS);
        ck_assert_double_eq_tol(lambda[TN_MAX_ROWS + 2], 9.81 * 10.0 / 11.0, STATICS);
        tn_analysis a;
        ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, &a), TN_OK);
        ck_assert_int_eq(tn_analysis_share(&a, m.model, NULL, lambda), TN_OK);
        ck_assert_double_eq_tol(lambda[2], 9.81 / 11.0, STATICS);
        tn_analysis_free(&a);
        mechanism_free(&m);
    }
}
END_TEST

START_TEST(figures_of_every_door)
{
    for (int n = 2; n <= MOST; n++) {
        mechanism m = door(n);
        mechanism_start(&m, TN_GENERALIZED_ALPHA);
        tn_analysis a;
        ck_assert_int_eq(tn_sim_analyze(m.sim, NULL, &a), TN_OK);
        ck_assert_int_eq(a.dof, 1);
        ck_assert_int_eq(a.redundant, 5 * (n - 1));
        ck_assert_int_eq(a.indeterminate, 5 * (n - 1));
        ck_assert_int_eq(a.loop_count, n - 1);
        for (int j = 0; j < n; j++)
            ck_assert_uint_eq(a.joints[j].wrench, 32u); /* only mz, which is zero */
        tn_analysis_free(&a);
        mechanism_free(&m);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("redundancy_door");
    TCase *tests = tcase_create("door");
    tcase_add_test(tests, at_the_first_moment);
    tcase_add_test(tests, at_rest_for_a_while);
    tcase_add_test(tests, shared_reactions_are_symmetric);
    tcase_add_test(tests, weights_share_as_compliances_do);
    tcase_add_test(tests, relative_compliance_shares_in_the_step);
    tcase_add_test(tests, figures_of_every_door);
    suite_add_tcase(suite, tests);
    return suite;
}
