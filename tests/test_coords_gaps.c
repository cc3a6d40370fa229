/* test_coords_gaps.c: setting coordinates of overconstrained loops whose geometry is not quite
 * exact, as numbers rounded in a file leave it. They follow the exact mechanism, the requested
 * value is met, and what stays open is told.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion/simulation.h"
#include "overconstrained.h"
#include "random_numbers.h"
#include "run_main.h"
#include "sample_mechanisms.h"
#include "tenon/tenon.h"

/* m, rad: error of the joints' frames. */
static const double errors[] = {1e-8, 1e-6, 1e-5, 1e-4, 1e-3};

typedef struct loop_case {
    const char *name;
    mechanism (*build)(void);
    double start, low, high; /* of joint 0, around where it is */
} loop_case;

static const loop_case cases[] = {{"four-bar", sample_four_bar, 0.0, -0.6, 0.6},
                                  {"Bricard", sample_bricard, 0.0, -0.4, 0.4}};

static double first(const tn_sim *sim)
{
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(sim, (tn_joint){0}, q);
    return q[0];
}

static double distance(const mechanism *a, const mechanism *b)
{
    double worst = 0.0;
    for (int i = 0; i < tn_model_get_size(a->model).bodies; i++)
        worst = fmax(worst, vec_norm(vec_sub(tn_sim_body_pose(a->sim, (tn_body){i}).p,
                                             tn_sim_body_pose(b->sim, (tn_body){i}).p)));
    return worst;
}

/* How far ratios are apart, first and second ones. */
static void compare_ratios(const mechanism *a, const mechanism *b, double *rate, double *second)
{
    enum { MOST = 8 * TN_MAX_COORDINATES };
    double of_a[2][MOST], of_b[2][MOST];
    const int joints = tn_model_get_size(a->model).joints;
    ck_assert_int_le(joints * TN_MAX_COORDINATES, MOST);
    ck_assert_int_eq(tn_sim_motion_ratios(a->sim, (tn_joint){0}, 0, of_a[0], of_a[1], NULL), TN_OK);
    ck_assert_int_eq(tn_sim_motion_ratios(b->sim, (tn_joint){0}, 0, of_b[0], of_b[1], NULL), TN_OK);
    for (int j = 0; j < joints; j++) {
        const int k = j * TN_MAX_COORDINATES;
        ck_assert(isfinite(of_b[0][k]) && isfinite(of_b[1][k]));
        *rate = fmax(*rate, fabs(of_a[0][k] - of_b[0][k]));
        *second = fmax(*second, fabs(of_a[1][k] - of_b[1][k]));
    }
}

static void set_both(const loop_case *c, double off)
{
    mechanism exact = c->build();
    mechanism_start(&exact, TN_GENERALIZED_ALPHA);
    mechanism rough = disturbed(&exact, off, 5);
    tn_sim_options options = tn_default_sim_options(rough.model);
    options.loops = TN_LOOPS_LEAST_SQUARES; /* larger gaps are refused without it */
    ck_assert_int_eq(tn_sim_create(rough.model, &options, NULL, &rough.sim), TN_OK);
    const double shift = first(rough.sim) - first(exact.sim), start = first(exact.sim);
    uint64_t seed = 4;
    double far = 0.0, gap = 0.0, rate = 0.0, second = 0.0;
    for (int k = 0; k < 40; k++) {
        const double q = start + random_between(&seed, c->low, c->high);
        const tn_coordinate_request to = {{0}, 0, q}, near = {{0}, 0, q + shift};
        tn_coordinate_answer a;
        tn_placement_report report;
        ck_assert_int_eq(tn_sim_set_coordinates(exact.sim, &to, 1, NULL, NULL, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_set_coordinates(rough.sim, &near, 1, NULL, &a, &report), TN_OK);
        ck_assert_int_eq(a.outcome, TN_COORDINATE_SET);
        ck_assert_double_eq_tol(a.value, q + shift, 1e-10);
        ck_assert_int_eq(report.converged, 1);
        ck_assert_double_le(fmax(report.position_error, report.angle_error), 1e-10);
        far = fmax(far, distance(&exact, &rough));
        gap = fmax(gap, fmax(report.gap, report.gap_angle));
        compare_ratios(&exact, &rough, &rate, &second);
    }
    printf("%s off by %.0e: bodies off by %.1e, gap %.1e, ratios %.1e, second %.1e\n", c->name, off,
           far, gap, rate, second);
    ck_assert_double_gt(gap, 0.03 * off);
    ck_assert_double_lt(gap, 20.0 * off);
    ck_assert_double_lt(far, 300.0 * off);
    ck_assert_double_lt(rate, 100.0 * off);
    if (off < 1e-3) /* at 1e-3 Bricard's second ratios are off by 4 */
        ck_assert_double_lt(second, 300.0 * off);
    mechanism_run(&rough, 1e-3, 10, NULL); /* and it runs from there */
    mechanism_free(&exact);
    mechanism_free(&rough);
}

START_TEST(rough_loops_follow_exact_ones)
{
    for (int k = 0; k < (int)(sizeof errors / sizeof errors[0]); k++)
        set_both(&cases[_i], errors[k]);
}
END_TEST

/* A request that is met and a marker that cannot come to its place: all goes back, gaps included.
 */
START_TEST(what_stays_open_goes_back_too)
{
    mechanism exact = sample_four_bar();
    const tn_marker marker = mechanism_marker(&exact, (tn_body){1}, (tn_vec3){0.0, 0.0, 0.0});
    mechanism_start(&exact, TN_GENERALIZED_ALPHA);
    mechanism m = disturbed(&exact, 1e-5, 5);
    ck_assert_int_eq(tn_sim_create(m.model, NULL, NULL, &m.sim), TN_OK);
    const size_t size = sizeof(double) * (size_t)m.sim->sys.layout->y_size;
    double *before = malloc(size);
    ck_assert_ptr_nonnull(before);
    memcpy(before, m.sim->sys.gap, size);
    const tn_coordinate_request r = {{0}, 0, first(m.sim) + 0.5};
    tn_marker_request far = tn_default_marker_request(marker);
    far.position = (tn_vec3){50.0, 0.0, 0.0};
    ck_assert_int_eq(tn_sim_pose(m.sim, &r, 1, &far, 1, NULL, NULL, NULL, NULL),
                     TN_ERROR_NOT_CONVERGED);
    ck_assert_mem_eq(before, m.sim->sys.gap, size);
    ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &r, 1, NULL, NULL, NULL), TN_OK);
    ck_assert_mem_ne(before, m.sim->sys.gap, size); /* elsewhere they are others */
    free(before);
    mechanism_free(&exact);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("coords_gaps");
    TCase *tests = tcase_create("gaps");
    tcase_add_loop_test(tests, rough_loops_follow_exact_ones, 0,
                        (int)(sizeof cases / sizeof cases[0]));
    tcase_add_test(tests, what_stays_open_goes_back_too);
    suite_add_tcase(suite, tests);
    return suite;
}
