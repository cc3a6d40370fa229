/* test_coords_trees.c: requests of joints outside loops: what they visit, and that visiting only
 * what moves leaves everything as visiting all does.
 *
 * Velocities made consistent afterwards need the whole state, so with that option the same request
 * takes the way of all others: the one judges the other.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coords_mechanisms.h"
#include "motion/kinematics.h"
#include "random_numbers.h"
#include "run_main.h"
#include "saved_states.h"

/* Are poses and kinematics those of the state, to the last bit? */
static void expect_current(tn_sim *sim)
{
    const size_t poses = sizeof(tn_xform) * (size_t)sim->model->body_count;
    const size_t joints = sizeof(tn_joint_kinematics) * (size_t)sim->model->element_count;
    void *T = malloc(poses);
    tn_joint_kinematics *kin = malloc(joints);
    ck_assert(T != NULL && kin != NULL);
    memcpy(T, sim->sys.T, poses);
    memcpy(kin, sim->sys.kin, joints);
    tn_refresh_kinematics(sim);
    ck_assert_mem_eq(T, sim->sys.T, poses);
    for (int j = 0; j < sim->model->element_count; j++) {
        ck_assert_mem_eq(&kin[j].R_GW, &sim->sys.kin[j].R_GW, sizeof(tn_mat3));
        ck_assert_mem_eq(kin[j].error, sim->sys.kin[j].error, sizeof kin[j].error);
        ck_assert_mem_eq(&kin[j].T_GD, &sim->sys.kin[j].T_GD, sizeof(tn_xform));
    }
    free(T);
    free(kin);
}

/* In a chain of 1000 joints nothing is factored, and only what hangs on the joint is visited. */
START_TEST(only_what_moves_is_visited)
{
    enum { N = 1000 };
    mechanism m = coords_chain(N);
    const int joints[] = {0, 1, N / 2, N - 1};
    for (int k = 0; k < 4; k++) {
        const tn_coordinate_request r = {{joints[k]}, 0, 0.1};
        tn_placement_report report;
        tn_coordinate_answer a;
        ck_assert_int_eq(tn_sim_set_coordinates(m.sim, &r, 1, NULL, &a, &report), TN_OK);
        ck_assert_int_eq(a.outcome, TN_COORDINATE_SET);
        ck_assert_double_eq_tol(a.value, 0.1, 1e-15);
        ck_assert_int_eq(report.factorizations, 0);
        ck_assert_int_eq(report.moved_bodies, N - joints[k]);
        ck_assert_int_eq(m.sim->coords->renewed, N - joints[k]);
        ck_assert_double_le(report.position_error, 1e-11); /* 1000 m away from ground */
        expect_current(m.sim);
    }
    mechanism_free(&m);
}
END_TEST

/* What cannot be met leaves the state as it was, to the last bit. */
START_TEST(failure_leaves_everything)
{
    mechanism m = coords_ranged_and_locked();
    mechanism_run(&m, 1e-3, 3, NULL);
    void *before = saved_state(m.sim);
    const tn_coordinate_request r[2] = {{{1}, 0, 0.3}, {{0}, 0, 2.0}};
    tn_coordinate_options options = tn_default_coordinate_options();
    options.all_or_nothing = 1;
    ck_assert_int_eq(tn_sim_set_coordinates(m.sim, r, 2, &options, NULL, NULL),
                     TN_ERROR_NOT_CONVERGED);
    ck_assert(is_saved_as(m.sim, before));
    expect_current(m.sim);
    free(before);
    mechanism_free(&m);
}
END_TEST

enum { BODIES = 40 };

/* A random tree of joints of several types; some parts hang on nothing. */
static mechanism random_tree(uint64_t *seed)
{
    static const char *const types[] = {"hinge", "slider", "universal", "cylindrical", "spherical"};
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    for (int k = 0; k < BODIES; k++) {
        tn_body_def def = tn_default_body_def();
        def.mass = random_between(seed, 0.5, 2.0);
        def.inertia = mat_diagonal(0.1, 0.1, 0.1);
        def.pose.p = vec(random_between(seed, -2.0, 2.0), random_between(seed, -2.0, 2.0),
                         random_between(seed, -2.0, 2.0));
        mechanism_body(&m, &def);
    }
    for (int k = 0; k < BODIES; k++) {
        const int parent = (int)random_between(seed, 0.0, k + 0.5) - 1;
        if (k > 0 && random_between(seed, 0.0, 1.0) < 0.1)
            continue;
        tn_body a = {k}, b = parent < 0 ? tn_ground() : (tn_body){parent};
        if (parent >= 0 && random_between(seed, 0.0, 1.0) < 0.5) { /* either way round */
            a.i = parent;
            b.i = k;
        }
        mechanism_axis_joint(&m, types[k % 5], a, b,
                             vec(random_between(seed, -2.0, 2.0), random_between(seed, -2.0, 2.0),
                                 random_between(seed, -2.0, 2.0)),
                             vec(random_between(seed, -1.0, 1.0), random_between(seed, -1.0, 1.0),
                                 random_between(seed, 0.2, 1.0)));
    }
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    return m;
}

static double pose_distance(const tn_sim *a, const tn_sim *b)
{
    double worst = 0.0, p[7 * BODIES], q[7 * BODIES];
    tn_sim_get_poses(a, p);
    tn_sim_get_poses(b, q);
    for (int i = 0; i < 7 * BODIES; i++)
        worst = fmax(worst, fmin(fabs(p[i] - q[i]), i % 7 < 3 ? INFINITY : fabs(p[i] + q[i])));
    return worst;
}

/* Requests on random trees whose joints are switched off and on in between. */
START_TEST(visiting_all_says_the_same)
{
    uint64_t seed = 17 + (uint64_t)_i;
    mechanism m = random_tree(&seed);
    tn_sim *all = NULL;
    ck_assert_int_eq(tn_sim_create(m.model, NULL, NULL, &all), TN_OK);
    const int joints = tn_model_get_size(m.model).joints;
    tn_coordinate_options options = tn_default_coordinate_options();
    options.project_velocity = 1;
    double worst = 0.0;
    int set = 0;
    for (int trial = 0; trial < 60; trial++) {
        tn_coordinate_request r[4];
        tn_coordinate_answer a[4], b[4];
        const int count = 1 + (int)random_between(&seed, 0.0, 3.99);
        for (int k = 0; k < count; k++) {
            const int j = (int)random_between(&seed, 0.0, joints - 0.01);
            const int n = tn_model_joint_info(m.model, (tn_joint){j})->coordinate_count;
            r[k] = (tn_coordinate_request){
                {j}, (int)random_between(&seed, 0.0, n - 0.01), random_between(&seed, -0.7, 0.7)};
        }
        if (trial % 5 == 4) {
            const tn_joint other = {(int)random_between(&seed, 0.0, joints - 0.01)};
            const int on = !tn_sim_is_enabled(m.sim, other);
            ck_assert_int_eq(tn_sim_set_enabled(m.sim, other, on), TN_OK);
            ck_assert_int_eq(tn_sim_set_enabled(all, other, on), TN_OK);
        }
        const tn_status status = tn_sim_set_coordinates(m.sim, r, count, NULL, a, NULL);
        ck_assert_int_eq(tn_sim_set_coordinates(all, r, count, &options, b, NULL), status);
        for (int k = 0; k < count && status == TN_OK; k++) {
            ck_assert_int_eq(a[k].outcome, b[k].outcome);
            set += a[k].outcome == TN_COORDINATE_SET;
            ck_assert_double_eq_tol(a[k].value, b[k].value, 1e-12);
        }
        worst = fmax(worst, pose_distance(m.sim, all));
        expect_current(m.sim);
    }
    printf("tree %d: %d coordinates set, poses differ by %.1e\n", _i, set, worst);
    ck_assert_int_ge(set, 30); /* a joint switched on again may be open: all is refused */
    ck_assert_double_le(worst, 1e-12);
    tn_sim_destroy(all);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("coords_trees");
    TCase *trees = tcase_create("trees");
    tcase_add_test(trees, only_what_moves_is_visited);
    tcase_add_test(trees, failure_leaves_everything);
    tcase_add_loop_test(trees, visiting_all_says_the_same, 0, 5);
    suite_add_tcase(suite, trees);
    return suite;
}
