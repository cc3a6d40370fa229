/* test_impulses.c: sequential impulses: exact on one joint, bounds met exactly within a block, on
 * the way to the direct solution on chains, quicker from a warm start, honest about what is left.
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "solve/impulse_block.h"
#include "sparse/kkt.h"
#include "support/mechanism.h"
#include "support/random_numbers.h"
#include "support/run_main.h"
#include "tenon/io.h"

/* ---- one block with bounds, against every choice of sides ---- */

enum { N = 4 };

/* K = B B^T + small, random. */
static void random_block(uint64_t *seed, double *k)
{
    double b[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            b[i][j] = random_number(seed);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            k[i * N + j] = i == j ? 0.05 : 0.0;
            for (int l = 0; l < N; l++)
                k[i * N + j] += b[i][l] * b[j][l];
        }
}

START_TEST(bounds_of_a_block_are_met)
{
    uint64_t seed = 7 + (uint64_t)_i;
    for (int trial = 0; trial < 200; trial++) {
        double k[N * N], w[N], lambda[N], lo[N], hi[N], x[N];
        random_block(&seed, k);
        for (int i = 0; i < N; i++) {
            w[i] = 3.0 * random_number(&seed);
            const double pick = random_number(&seed);
            lo[i] = pick < -0.3 ? -INFINITY : -fabs(random_number(&seed));
            hi[i] = pick > 0.5 ? INFINITY : pick > 0.4 ? lo[i] : fabs(random_number(&seed));
            hi[i] = fmax(lo[i], hi[i]);
            lo[i] = isinf(lo[i]) && pick < -0.8 ? -INFINITY : lo[i];
            lambda[i] = fmin(fmax(random_number(&seed), lo[i]), hi[i]);
        }
        tn_impulse_bounded(k, N, N, w, lambda, lo, hi, x);
        for (int i = 0; i < N; i++) {
            double after = w[i];
            for (int j = 0; j < N; j++)
                after += k[i * N + j] * x[j];
            const double value = lambda[i] + x[i];
            ck_assert_double_ge(value, lo[i]);
            ck_assert_double_le(value, hi[i]);
            /* inside: w = 0; at lo: w >= 0; at hi: w <= 0 */
            if (value > lo[i] + 1e-12)
                ck_assert_double_le(after, 1e-11);
            if (value < hi[i] - 1e-12)
                ck_assert_double_ge(after, -1e-11);
        }
    }
}
END_TEST

START_TEST(rows_that_repeat_share_the_load)
{
    /* two equal rows: K is singular */
    const double scale[2] = {2.0, 2.0};
    double k[4] = {2.0, 2.0, 2.0, 2.0}, x[2] = {6.0, 6.0};
    ck_assert_int_eq(tn_impulse_factor(k, 2, 2, scale), TN_OK);
    tn_impulse_back_solve(k, 2, 2, x);
    ck_assert_double_eq_tol(x[0] + x[1], 3.0, 1e-9);
    double bad[1] = {NAN};
    ck_assert_int_eq(tn_impulse_factor(bad, 1, 1, scale), TN_ERROR_NOT_FINITE);
    double zero[1] = {0.0};
    ck_assert_int_eq(tn_impulse_factor(zero, 1, 1, NULL), TN_ERROR_SINGULAR);
}
END_TEST

/* ---- whole simulations ---- */

static tn_sim *make(const tn_model *model, tn_integrator integrator, tn_solver solver,
                    int iterations)
{
    tn_sim_options options = tn_default_sim_options(model);
    tn_sim *sim = NULL;
    options.integrator = integrator;
    options.solver = solver;
    options.iterations = iterations;
    ck_assert_int_eq(tn_sim_create(model, &options, NULL, &sim), TN_OK);
    return sim;
}

/* n planar links in a row from the origin along direction, gravity along -y, spinning at w. */
static mechanism row_of_links(int n, const char *joint, tn_vec3 direction, double w)
{
    mechanism m = mechanism_new(vec(0.0, -9.81, 0.0));
    for (int k = 0; k < n; k++) {
        tn_body_def def = tn_default_body_def();
        def.kind = TN_BODY_PLANAR;
        def.pose.p = vec((k + 0.5) * direction.x, (k + 0.5) * direction.y, 0.0);
        def.velocity.v = vec(-w * def.pose.p.y, w * def.pose.p.x, 0.0);
        def.velocity.w.z = w;
        def.mass = 1.0 + k;
        def.com = vec(0.0, 0.0, 0.0);
        def.inertia = mat_diagonal(0.0, 0.0, def.mass / 12.0);
        const tn_body body = mechanism_body(&m, &def);
        tn_joint_def pin = tn_default_joint_def();
        pin.type = joint;
        pin.a = body;
        pin.b = (tn_body){k - 1};
        pin.placement = TN_PLACE_ORIGIN;
        pin.origin = vec(k * direction.x, k * direction.y, 0.0);
        mechanism_joint(&m, &pin);
    }
    ck_assert_int_eq(tn_model_compile(m.spec, NULL, &m.model), TN_OK);
    return m;
}

/* How far apart the bodies' velocities are after a step. */
static double step_both(const mechanism *m, tn_sim *direct, tn_sim *swept, int steps)
{
    double worst = 0.0;
    for (int k = 0; k < steps; k++) {
        ck_assert_int_eq(tn_sim_step(direct, 0.01, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_step(swept, 0.01, NULL), TN_OK);
    }
    for (int i = 0; i < tn_model_get_size(m->model).bodies; i++) {
        const tn_twist a = tn_sim_body_velocity(direct, (tn_body){i});
        const tn_twist b = tn_sim_body_velocity(swept, (tn_body){i});
        worst = fmax(worst, vec_norm(vec_sub(a.v, b.v)));
        worst = fmax(worst, vec_norm(vec_sub(a.w, b.w)));
    }
    return worst;
}

static const char *const one_joint[] = {"hinge", "solid", "rotation_lock"};

/* Rows stand still while they are swept, with either integrator. */
START_TEST(one_joint_is_exact_at_once)
{
    mechanism m = row_of_links(1, one_joint[_i], vec(0.6, 0.8, 0.0), 2.0);
    for (int integrator = TN_CONSTRAINED_BACKWARD_EULER; integrator <= TN_BACKWARD_EULER;
         integrator++) {
        tn_sim *direct = make(m.model, TN_BACKWARD_EULER, TN_SOLVER_DIRECT, 1);
        tn_sim *swept = make(m.model, (tn_integrator)integrator, TN_SOLVER_SEQUENTIAL_IMPULSES, 1);
        ck_assert_double_le(step_both(&m, direct, swept, 1), 1e-13);
        double a[TN_MAX_ROWS], b[TN_MAX_ROWS];
        tn_sim_joint_multipliers(direct, (tn_joint){0}, a);
        tn_sim_joint_multipliers(swept, (tn_joint){0}, b);
        for (int k = 0; k < 6; k++)
            ck_assert_double_eq_tol(a[k], b[k], 1e-10);
        tn_sim_destroy(direct);
        tn_sim_destroy(swept);
    }
    mechanism_free(&m);
}
END_TEST

/* Gauss-Seidel on a chain: the more sweeps, the nearer. */
START_TEST(chains_converge_to_the_direct_solution)
{
    mechanism m = row_of_links(6, "hinge", vec(0.6, 0.8, 0.0), 1.0);
    static const int sweeps[] = {1, 10, 100, 1000};
    double before = INFINITY;
    for (int i = 0; i < 4; i++) {
        tn_sim *direct = make(m.model, TN_BACKWARD_EULER, TN_SOLVER_DIRECT, 1);
        tn_sim *swept = make(m.model, TN_BACKWARD_EULER, TN_SOLVER_SEQUENTIAL_IMPULSES, sweeps[i]);
        const double off = step_both(&m, direct, swept, 1);
        printf("%5d sweeps: %.1e from the direct solution\n", sweeps[i], off);
        ck_assert_double_le(off, before);
        before = off;
        tn_sim_destroy(direct);
        tn_sim_destroy(swept);
    }
    ck_assert_double_le(before, 1e-8);
    mechanism_free(&m);
}
END_TEST

/* A chain at rest under its weight: the multipliers of the last step are the answer of the next. */
START_TEST(warm_start_carries_the_load_over)
{
    mechanism m = row_of_links(10, "hinge", vec(0.0, -1.0, 0.0), 0.0);
    tn_sim *sim = make(m.model, TN_BACKWARD_EULER, TN_SOLVER_SEQUENTIAL_IMPULSES, 10);
    tn_step_report first, last;
    ck_assert_int_eq(tn_sim_step(sim, 0.01, &first), TN_OK);
    for (int k = 0; k < 400; k++)
        ck_assert_int_eq(tn_sim_step(sim, 0.01, &last), TN_OK);
    printf("hanging chain: %.1e m/s left by the first step, %.1e by the 401st\n",
           first.sweep_residual, last.sweep_residual);
    ck_assert_int_eq(first.sweeps, 20); /* ten for velocities, ten for positions */
    ck_assert_int_eq(first.factorizations, last.factorizations);
    ck_assert_double_le(last.sweep_residual, 1e-3 * first.sweep_residual);
    double lambda[TN_MAX_ROWS];
    tn_sim_joint_multipliers(sim, (tn_joint){0}, lambda);
    ck_assert_double_eq_tol(lambda[1], 55.0 * 9.81, 0.01); /* 1 + 2 + ... + 10 kg */
    tn_sim_destroy(sim);
    mechanism_free(&m);
}
END_TEST

/* Same input, same bits; a step that is too coarse for twenty sweeps says so instead of failing. */
START_TEST(is_deterministic_and_never_silent)
{
    mechanism m = row_of_links(40, "hinge", vec(1.0, 0.0, 0.0), 0.0);
    tn_sim *a = make(m.model, TN_BACKWARD_EULER, TN_SOLVER_SEQUENTIAL_IMPULSES, 5);
    tn_sim *b = make(m.model, TN_BACKWARD_EULER, TN_SOLVER_SEQUENTIAL_IMPULSES, 5);
    tn_step_report report;
    for (int k = 0; k < 50; k++) {
        ck_assert_int_eq(tn_sim_step(a, 1.0 / 60.0, &report), TN_OK);
        ck_assert_int_eq(tn_sim_step(b, 1.0 / 60.0, NULL), TN_OK);
    }
    double poses_a[40 * 7], poses_b[40 * 7];
    tn_sim_get_poses(a, poses_a);
    tn_sim_get_poses(b, poses_b);
    ck_assert_mem_eq(poses_a, poses_b, sizeof poses_a);
    ck_assert_double_gt(report.sweep_residual, 1e-6);
    ck_assert_double_gt(report.position_error, 1e-6);
    tn_sim_destroy(a);
    tn_sim_destroy(b);
    mechanism_free(&m);
}
END_TEST

static tn_sim *read_sim(const char *text, tn_model **model)
{
    tn_spec *spec = NULL;
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_spec_read_string(text, strlen(text), "impulses", NULL, &spec), TN_OK);
    ck_assert_int_eq(tn_model_compile(spec, NULL, model), TN_OK);
    ck_assert_int_eq(tn_sim_create(*model, NULL, NULL, &sim), TN_OK);
    tn_spec_destroy(spec);
    return sim;
}

#define HANGING                                                                                    \
    "tenon: 1\nworld: planar\ngravity: [0, -10]\nbodies:\n"                                        \
    "  b: {position: [0, 0], mass: 2, inertia: 1}\njoints:\n"                                      \
    "  j: {type: slider, a: b, origin: [0, 0], axis: [0, 1], %s}\n"                                \
    "simulation: {integrator: backward_euler, solver: sequential_impulses, iterations: 3}\n"

/* A slider that falls onto its limit rests there; the model file chooses the solver. */
START_TEST(limits_hold)
{
    char text[512];
    snprintf(text, sizeof text, HANGING, "range: {z: [-0.1, 1]}");
    tn_model *model;
    tn_sim *sim = read_sim(text, &model);
    double q[TN_MAX_COORDINATES], force = 0.0;
    for (int k = 0; k < 100; k++)
        ck_assert_int_eq(tn_sim_step(sim, 0.01, NULL), TN_OK);
    tn_sim_joint_coordinates(sim, (tn_joint){0}, q);
    ck_assert_double_eq_tol(q[0], -0.1, 1e-10);
    ck_assert_int_eq(tn_sim_at_limit(sim, (tn_joint){0}, 0, &force), -1);
    ck_assert_double_eq_tol(force, 20.0, 1e-9);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

/* A compliant weld sags by C m g, as with the direct solver. */
START_TEST(compliant_rows_sag)
{
    tn_model *model;
    tn_sim *sim =
        read_sim("tenon: 1\nworld: planar\ngravity: [0, -10]\nbodies:\n"
                 "  b: {position: [0, 0], mass: 2, inertia: 1}\njoints:\n"
                 "  j: {type: solid, a: b, origin: [0, 0], linear_compliance: 1.0e-3}\n"
                 "simulation: {integrator: backward_euler, solver: sequential_impulses}\n",
                 &model);
    for (int k = 0; k < 400; k++)
        ck_assert_int_eq(tn_sim_step(sim, 0.01, NULL), TN_OK);
    ck_assert_double_eq_tol(tn_sim_body_pose(sim, (tn_body){0}).p.y, -0.02, 1e-9);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

START_TEST(second_order_is_refused)
{
    mechanism m = row_of_links(1, "hinge", vec(1.0, 0.0, 0.0), 0.0);
    tn_sim_options options = tn_default_sim_options(m.model);
    options.solver = TN_SOLVER_SEQUENTIAL_IMPULSES;
    tn_diagnostics *diags = tn_diagnostics_create();
    tn_sim *sim = NULL;
    ck_assert_int_eq(tn_sim_create(m.model, &options, diags, &sim), TN_ERROR_UNSUPPORTED);
    ck_assert_ptr_null(sim);
    ck_assert_ptr_nonnull(strstr(tn_diagnostics_get(diags, 0)->message, "generalized_alpha"));
    tn_diagnostics_clear(diags);
    const char *text = "tenon: 1\nbodies:\n  b: {mass: 1, inertia: [1, 1, 1]}\n"
                       "simulation: {solver: sequential_impulses}\n";
    tn_spec *spec = NULL;
    ck_assert_int_eq(tn_spec_read_string(text, strlen(text), "x", diags, &spec), TN_ERROR_INPUT);
    ck_assert_int_eq(tn_diagnostics_get(diags, 0)->at.line, 4);
    tn_diagnostics_destroy(diags);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("impulses");
    TCase *tc = tcase_create("impulses");
    tcase_add_loop_test(tc, bounds_of_a_block_are_met, 0, 5);
    tcase_add_test(tc, rows_that_repeat_share_the_load);
    tcase_add_loop_test(tc, one_joint_is_exact_at_once, 0, 3);
    tcase_add_test(tc, chains_converge_to_the_direct_solution);
    tcase_add_test(tc, warm_start_carries_the_load_over);
    tcase_add_test(tc, is_deterministic_and_never_silent);
    tcase_add_test(tc, limits_hold);
    tcase_add_test(tc, compliant_rows_sag);
    tcase_add_test(tc, second_order_is_refused);
    suite_add_tcase(suite, tc);
    return suite;
}
