/* test_redundancy_folds.c: N parallelograms in a row through their folds: cranks stay parallel.
 *
 * Twice a revolution all bars lie in one line, and each parallelogram could go on as an
 * antiparallelogram. Position alone does not tell: at the fold the closing error is quadratic in
 * the angle between the cranks, round-off of 1e-16 m leaves 1e-8 rad. Every stepper must keep the
 * branch, or refuse.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/heavy.h"
#include "support/overconstrained.h"
#include "support/run_main.h"
#include "support/sample_mechanisms.h"

#define PARALLEL 1e-8 /* rad */

typedef struct fold_case {
    int n;
    int integrator;
    double h, duration; /* s */
    double parallel;    /* rad */
    int may_refuse;
} fold_case;

static const fold_case cases[] = {
    {1, TN_GENERALIZED_ALPHA, 1e-2, 20.0, PARALLEL, 0},
    {1, TN_GENERALIZED_ALPHA, 3.7e-3, 8.0, PARALLEL, 0},
    {1, TN_BACKWARD_EULER, 1e-2, 8.0, PARALLEL, 0},
    {1, TN_BACKWARD_EULER, 3.1e-3, 4.0, PARALLEL, 0},
    {1, TN_CONSTRAINED_BACKWARD_EULER, 1.2e-3, 4.0, PARALLEL, 0},
    {1, TN_CONSTRAINED_BACKWARD_EULER, 3e-3, 20.0, PARALLEL, 1},
    {1, TN_CONSTRAINED_BACKWARD_EULER, 1e-2, 20.0, PARALLEL, 1},
    {40, TN_GENERALIZED_ALPHA, 1e-2, 2.0, PARALLEL, 0},
    /* steps that end within 4e-5 rad of the first fold, which comes after 0.72 s */
    {40, TN_GENERALIZED_ALPHA, 9.885314223e-3, 0.8, PARALLEL, 0},
    {40, TN_GENERALIZED_ALPHA, 7.216031319e-3, 0.8, PARALLEL, 0},
    {40, TN_GENERALIZED_ALPHA, 3.607907542e-3, 0.75, PARALLEL, 0},
    {40, TN_GENERALIZED_ALPHA, 1.803940031e-3, 0.74, PARALLEL, 0},
    /* ... and within 1e-6 */
    {40, TN_GENERALIZED_ALPHA, 9.885407623e-3, 0.8, PARALLEL, 0},
    {40, TN_GENERALIZED_ALPHA, 3.607941633e-3, 0.75, PARALLEL, 0},
    {40, TN_BACKWARD_EULER, 1e-2, 1.0, PARALLEL, 0},
    {40, TN_BACKWARD_EULER, 9.912716173e-3, 0.8, PARALLEL, 0},
    {40, TN_CONSTRAINED_BACKWARD_EULER, 9.861716177e-3, 0.8, PARALLEL, 0},
    /* a step that ends within 4e-6 of the second fold */
    {40, TN_BACKWARD_EULER, 5.329197428e-3, 3.0, PARALLEL, 0},
};

/* Largest angle of a crank with crank 0. */
static double spread(const tn_sim *sim, int cranks)
{
    double worst = 0.0;
    const tn_vec3 x =
        tn_pose_rotate_vector(tn_sim_body_pose(sim, (tn_body){0}), vec(1.0, 0.0, 0.0));
    for (int k = 1; k < cranks; k++) {
        const tn_vec3 y =
            tn_pose_rotate_vector(tn_sim_body_pose(sim, (tn_body){k}), vec(1.0, 0.0, 0.0));
        worst = fmax(worst, atan2(vec_norm(vec_cross(x, y)), x.x * y.x + x.y * y.y + x.z * y.z));
    }
    return worst;
}

START_TEST(cranks_stay_parallel)
{
    const fold_case *c = &cases[_i];
    mechanism m = sample_n_four_bar(c->n, TN_BODY_RIGID);
    mechanism_start(&m, (int)c->integrator);
    double worst = 0.0;
    tn_status status = TN_OK;
    for (int k = 0; k < c->duration / c->h && status == TN_OK; k++) {
        tn_step_report r;
        status = tn_sim_step(m.sim, c->h, &r);
        worst = fmax(worst, spread(m.sim, c->n + 1));
        if (status != TN_OK)
            ck_assert(r.culprit_joint.i >= 0 || r.culprit_body.i >= 0);
    }
    printf("N = %d, %s, h = %g: %s at %.3f s, cranks parallel to %.1e\n", c->n,
           method_name(c->integrator), c->h, tn_status_text(status), tn_sim_time(m.sim), worst);
    ck_assert(status == TN_OK || c->may_refuse);
    ck_assert_double_le(worst, c->parallel);
    mechanism_free(&m);
}
END_TEST

/* How far crank 0 is from the line of all bars after some steps, rad, with sign; *worst: the spread
 * until two steps later. */
static double distance_after(int integrator, double h, int steps, double *worst)
{
    mechanism m = sample_n_four_bar(4, TN_BODY_RIGID);
    mechanism_start(&m, integrator);
    double distance = NAN;
    *worst = 0.0;
    for (int k = 1; k <= steps + 2; k++) {
        ck_assert_int_eq(tn_sim_step(m.sim, h, NULL), TN_OK);
        *worst = fmax(*worst, spread(m.sim, 5));
        const tn_vec3 x =
            tn_pose_rotate_vector(tn_sim_body_pose(m.sim, (tn_body){0}), vec(1.0, 0.0, 0.0));
        distance = k == steps ? atan(x.y / x.x) : distance;
    }
    mechanism_free(&m);
    return distance;
}

/* First-order steps that end at any distance from the fold, and on it. */
START_TEST(steps_may_end_at_folds)
{
    static const int both[] = {TN_BACKWARD_EULER, TN_CONSTRAINED_BACKWARD_EULER};
    const int integrator = both[_i];
    const double aside = 2e-4; /* rad */
    const int steps = 146;     /* the fold comes after 0.72 s */
    double worst, a = 4.9e-3, b = 4.901e-3, fa, fb;
    fa = distance_after(integrator, a, steps, &worst);
    for (int k = 0; k < 3; k++) { /* the secant, but to points beside the fold */
        fb = distance_after(integrator, b, steps, &worst);
        const double slope = (fb - fa) / (b - a), root = b - fb / slope;
        a = root - aside / fabs(slope);
        b = root + aside / fabs(slope);
        fa = distance_after(integrator, a, steps, &worst);
    }
    fb = distance_after(integrator, b, steps, &worst);
    ck_assert_double_lt(fa * fb, 0.0);
    for (double x = 1e-4; x > 1e-8; x *= 0.3) {
        const double h = a + (x - fa) * (b - a) / (fb - fa);
        const double got = distance_after(integrator, h, steps, &worst);
        printf("%s, %.1e from the fold: ends %.1e from it, cranks parallel to %.1e\n",
               method_name(integrator), x, got, worst);
        ck_assert_double_le(worst, PARALLEL);
    }
}
END_TEST

/* A step that ends on the fold says so, and where; one that does not is silent. */
START_TEST(the_report_tells_of_folds)
{
    const double h = 9.885314223e-3;
    mechanism m = sample_n_four_bar(40, TN_BODY_RIGID);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    double nearest = INFINITY;
    int at = 0;
    for (int k = 1; k <= 80; k++) {
        tn_step_report r;
        ck_assert_int_eq(tn_sim_step(m.sim, h, &r), TN_OK);
        ck_assert_int_eq(r.folds, r.fold_joint.i >= 0);
        if (k <= 60) /* the fold is that of step 73 */
            ck_assert_int_eq(r.folds, 0);
        if (r.folds && r.fold_distance < nearest) {
            nearest = r.fold_distance;
            at = k;
        }
    }
    printf("nearest fold: step %d, %.1e from dependent rows\n", at, nearest);
    ck_assert_int_eq(at, 73);
    ck_assert_double_le(nearest, 1e-3);
    mechanism_free(&m);
}
END_TEST

/* Reactions balance the motion near folds too, where they have a pole. */
START_TEST(reactions_balance_near_folds)
{
    /* the last ends within 4e-5 rad of the fold, where reactions are 1e4 N */
    static const struct {
        double h, balance;
    } cases_of[] = {{5e-3, 1e-10}, {1.7e-3, 1e-10}, {9.885314223e-3, 1e-9}};
    const double h = cases_of[_i].h;
    mechanism m = sample_n_four_bar(40, TN_BODY_RIGID);
    double worst = 0.0;
    mechanism_start_tight(&m, TN_GENERALIZED_ALPHA);
    for (int k = 0; k * h < 0.76; k++) {
        tn_balance balance;
        ck_assert_int_eq(tn_sim_step(m.sim, h, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_balance(m.sim, &balance), TN_OK);
        worst = fmax(worst, fmax(balance.force, balance.moment));
    }
    printf("h = %g: forces and moments balance to %.1e\n", h, worst);
    ck_assert_double_le(worst, cases_of[_i].balance);
    mechanism_free(&m);
}
END_TEST

/* With joints off by e bars in line do not close, nor do bars within sqrt(e) of it: rigid ones
 * would jam or take the other branch. They give way instead, by e, for hardly any energy. */
typedef struct disturbed_case {
    double off; /* m, rad */
    int integrator;
    double lost; /* J, of 66 that swing, beyond what is lost without disturbance */
} disturbed_case;

static const disturbed_case disturbances[] = {
    {1e-9, TN_GENERALIZED_ALPHA, 5e-3}, {1e-8, TN_GENERALIZED_ALPHA, 5e-3},
    {1e-7, TN_GENERALIZED_ALPHA, 5e-3}, {1e-6, TN_GENERALIZED_ALPHA, 4e-2},
    {1e-5, TN_GENERALIZED_ALPHA, 0.5},  {1e-7, TN_BACKWARD_EULER, 2e-2},
};

typedef struct swing {
    double energy; /* J, at the end */
    double worst;  /* rad, spread of the cranks */
    double gap;    /* m or rad, largest */
    int folds;     /* told of */
} swing;

static swing swing_of(const mechanism *exact, double off, int integrator, double h)
{
    mechanism m = disturbed(exact, off, 20);
    tn_sim_options options = tn_default_sim_options(m.model);
    swing seen = {0};
    options.integrator = (tn_integrator)integrator;
    ck_assert_int_eq(tn_sim_create(m.model, &options, NULL, &m.sim), TN_OK);
    for (int k = 0; k * h < 3.0; k++) {
        tn_step_report r;
        ck_assert_int_eq(tn_sim_step(m.sim, h, &r), TN_OK);
        ck_assert_int_eq(r.folds, r.fold_joint.i >= 0);
        seen.worst = fmax(seen.worst, spread(m.sim, 5));
        seen.gap = fmax(seen.gap, fmax(r.gap, r.gap_angle));
        seen.folds += r.folds;
    }
    seen.energy = tn_sim_energy(m.sim).total;
    mechanism_free(&m);
    return seen;
}

START_TEST(bars_that_do_not_fit_pass_their_folds)
{
    static const double steps[] = {2e-3, 3.42e-3, 5.25e-3, 8.07e-3, 1e-2};
    const disturbed_case *c = &disturbances[_i];
    mechanism exact = sample_n_four_bar(4, TN_BODY_RIGID);
    mechanism_start(&exact, TN_GENERALIZED_ALPHA);
    for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++) {
        const swing without = swing_of(&exact, 0.0, c->integrator, steps[k]);
        const swing with = swing_of(&exact, c->off, c->integrator, steps[k]);
        printf("joints off by %g, %s, h = %g: %.1e J more, cranks parallel to %.1e, gap %.1e, %d "
               "folds\n",
               c->off, method_name(c->integrator), steps[k], with.energy - without.energy,
               with.worst, with.gap, with.folds);
        ck_assert_double_le(fabs(with.energy - without.energy), c->lost);
        ck_assert_double_le(with.worst, 2.0 * sqrt(c->off));
    }
    mechanism_free(&exact);
}
END_TEST

/* A motion that runs away is refused while the branch is kept, and the state stays. */
START_TEST(a_runaway_is_refused)
{
    mechanism m = sample_n_four_bar(1, TN_BODY_RIGID);
    mechanism_start(&m, TN_CONSTRAINED_BACKWARD_EULER);
    tn_status status = TN_OK;
    tn_step_report r;
    double worst = 0.0;
    for (int k = 0; k < 2000 && status == TN_OK; k++) {
        status = tn_sim_step(m.sim, 1e-2, &r);
        worst = fmax(worst, spread(m.sim, 2));
    }
    ck_assert_int_eq(status, TN_ERROR_UNSTABLE);
    ck_assert(r.culprit_body.i >= 0);
    ck_assert_double_le(worst, PARALLEL);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("redundancy_folds");
    TCase *tests = tcase_create("folds");
    tcase_set_timeout(tests, 60.0);
    tcase_add_loop_test(tests, cranks_stay_parallel, 0,
                        ALL_OR_FEW((int)(sizeof cases / sizeof cases[0]), 10));
    tcase_add_loop_test(tests, steps_may_end_at_folds, 0, 2);
    tcase_add_test(tests, the_report_tells_of_folds);
    tcase_add_loop_test(tests, reactions_balance_near_folds, 0, 3);
    tcase_add_loop_test(tests, bars_that_do_not_fit_pass_their_folds, 0,
                        (int)(sizeof disturbances / sizeof disturbances[0]));
    tcase_add_test(tests, a_runaway_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
