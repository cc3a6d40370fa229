/* test_lanes.c: members of a batch that go side by side (lanes/lanes.h) have the bits of simulations of
 * their own: everything that a saved state holds, at every width this machine has, whatever the number
 * of threads, of calls and of steps that some of them have to take by themselves.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alpha_sims.h"
#include "batch/batch.h"
#include "lanes/lanes.h"
#include "random_numbers.h"
#include "run_main.h"
#include "tenon/tenon.h"

enum { MEMBERS = 11, MOST = 80 };

/* What a tree is made of. */
typedef struct plan {
    uint64_t seed;  /* of the build */
    int32_t bodies; /* that move */
    bool chain, fixed_base, ranges;
    bool principal; /* bodies have the axes of their inertia */
    double heavier; /* factor of the masses: of one member and another */
} plan;

static tn_body add_body(tn_spec *spec, uint64_t *r, const plan *p, int32_t k)
{
    tn_body_def def = tn_default_body_def();
    def.pose.p = (tn_vec3){k, 0.3 * (k % 2), 0.1 * k};
    def.pose.q = tn_quat_from_rpy(random_between(r, -1.0, 1.0), random_between(r, -1.0, 1.0), 0.3);
    def.mass = p->heavier * random_between(r, 0.5, 2.0);
    def.com = random_within(r, 0.1);
    const double a = random_between(r, 0.05, 0.1), b = random_between(r, 0.05, 0.1);
    const double apart = p->principal ? 0.0 : 0.01;
    def.inertia = (tn_mat3){{{a, apart, 0.4 * apart},
                             {apart, b, -0.6 * apart},
                             {0.4 * apart, -0.6 * apart, 0.5 * (a + b)}}};
    tn_body body;
    ck_assert_int_eq(tn_spec_add_body(spec, &def, &body), TN_OK);
    return body;
}

static void add_hinge(tn_spec *spec, uint64_t *r, const plan *p, int32_t k, tn_body body,
                      tn_body inner)
{
    const bool swap = random_between(r, 0.0, 1.0) < 0.4;
    tn_joint_def joint = tn_default_joint_def();
    joint.type = "hinge";
    joint.a = swap && inner.i >= 0 ? inner : body;
    joint.b = swap && inner.i >= 0 ? body : inner;
    joint.placement = TN_PLACE_AXIS;
    joint.origin = (tn_vec3){k - 0.5, 0.1, 0.1 * k};
    joint.axis = random_axis(r);
    if (p->ranges && k == p->bodies - 1) {
        joint.lower[0] = -0.05;
        joint.upper[0] = 0.05;
    }
    tn_spec_add_joint(spec, &joint, NULL);
}

static tn_model *make_model(const plan *p)
{
    uint64_t r = p->seed;
    tn_spec *spec = tn_spec_create();
    tn_body bodies[MOST];
    tn_body base = tn_ground();
    if (p->fixed_base) {
        tn_body_def def = tn_default_body_def();
        def.kind = TN_BODY_FIXED;
        def.pose.p = (tn_vec3){-3.0, 0.2, 0.1};
        def.pose.q = tn_quat_from_rpy(0.3, 0.2, 0.1);
        ck_assert_int_eq(tn_spec_add_body(spec, &def, &base), TN_OK);
    }
    for (int32_t k = 0; k < p->bodies; k++) {
        const int32_t to = p->chain ? k - 1 : (int32_t)random_between(&r, -0.6, k - 0.001);
        bodies[k] = add_body(spec, &r, p, k);
        add_hinge(spec, &r, p, k, bodies[k], k == 0 || to < 0 ? base : bodies[to]);
    }
    return compiled(spec);
}

/* Something different for every member; some so fast that an iteration needs a new factor. */
static void fill_starts(uint64_t seed, int32_t joints, double fast, double *q, double *speed)
{
    uint64_t r = seed;
    for (int32_t k = 0; k < MEMBERS * joints; k++) {
        q[k] = random_between(&r, -0.04, 0.04);
        speed[k] = random_between(&r, -1.0, 1.0) * (k / joints % 3 == 2 ? fast : 2.0);
    }
}

static tn_sim_options options_of(const tn_model *model)
{
    tn_sim_options options = tn_default_sim_options(model);
    options.integrator = TN_GENERALIZED_ALPHA;
    return options;
}

/* Saved states of simulations that run alone, or why one failed. */
typedef struct outcome {
    unsigned char *saved;
    size_t size;
    tn_status status[MEMBERS];
} outcome;

static void place(tn_sim *sim, int32_t joints, const double *q, const double *speed)
{
    tn_coordinate_request at[MOST], rate[MOST];
    for (int32_t j = 0; j < joints; j++) {
        at[j] = (tn_coordinate_request){{j}, 0, q[j]};
        rate[j] = (tn_coordinate_request){{j}, 0, speed[j]};
    }
    ck_assert_int_eq(tn_sim_set_coordinates(sim, at, joints, NULL, NULL, NULL), TN_OK);
    ck_assert_int_eq(tn_sim_set_coordinate_speeds(sim, rate, joints, NULL, NULL, NULL), TN_OK);
}

static outcome run_alone(tn_model *const *models, int32_t joints, const double *q,
                         const double *speed, double h, int steps)
{
    outcome out = {NULL, 0, {TN_OK}};
    for (int32_t i = 0; i < MEMBERS; i++) {
        const tn_sim_options options = options_of(models[i]);
        tn_sim *sim = NULL;
        ck_assert_int_eq(tn_sim_create(models[i], &options, NULL, &sim), TN_OK);
        place(sim, joints, q + i * joints, speed + i * joints);
        for (int k = 0; k < steps && out.status[i] == TN_OK; k++)
            out.status[i] = tn_sim_step(sim, h, NULL);
        if (!out.saved) {
            out.size = tn_sim_state_size(sim);
            out.saved = calloc(MEMBERS, out.size);
        }
        ck_assert_uint_eq(tn_sim_state_size(sim), out.size);
        tn_sim_save(sim, out.saved + (size_t)i * out.size);
        tn_sim_destroy(sim);
    }
    return out;
}

/* Steps in calls of different lengths, looked at in between. */
static void step_batch(tn_batch *batch, int32_t joints, double h, int steps, tn_status *status)
{
    double q[MEMBERS * MOST];
    ck_assert_int_eq(tn_batch_width(batch, TN_BATCH_COORDINATES), joints);
    for (int done = 0, n = 1; done < steps; done += n, n = n * 2 + 1) {
        n = n < steps - done ? n : steps - done;
        tn_batch_step(batch, h, n, NULL, status);
        tn_batch_get(batch, TN_BATCH_COORDINATES, q);
    }
}

/* Rows of the batch and of its simulations. */
static void compare_rows(tn_batch *batch, const double *q, const double *speed, int32_t joints)
{
    for (int32_t i = 0; i < MEMBERS; i++)
        for (int32_t j = 0; j < joints; j++) {
            double one;
            tn_sim_joint_coordinates(tn_batch_sim(batch, i), (tn_joint){j}, &one);
            ck_assert_double_eq(q[i * joints + j], one);
            tn_sim_joint_speeds(tn_batch_sim(batch, i), (tn_joint){j}, &one);
            ck_assert_double_eq(speed[i * joints + j], one);
        }
}

/* Returns how many steps were taken side by side. */
static int64_t compare(tn_model *const *models, const outcome *alone, int32_t joints,
                       const double *q, const double *speed, double h, int steps, int threads,
                       int32_t lanes)
{
    const tn_sim_options options = options_of(models[0]);
    tn_batch *batch = NULL;
    const tn_model *listed[MEMBERS];
    tn_status status[MEMBERS];
    double at[MEMBERS * MOST], rate[MEMBERS * MOST];
    int64_t beside = 0;
    memcpy(listed, models, sizeof listed);
    ck_assert_int_eq(
        tn_batch_create_wide(listed, MEMBERS, MEMBERS, &options, threads, lanes, NULL, &batch),
        TN_OK);
    ck_assert_int_eq(tn_batch_place(batch, q, speed, NULL), TN_OK);
    step_batch(batch, joints, h, steps, status);
    tn_batch_get(batch, TN_BATCH_COORDINATES, at);
    tn_batch_get(batch, TN_BATCH_SPEEDS, rate);
    unsigned char *saved = calloc(1, alone->size);
    for (int32_t i = 0; i < MEMBERS; i++) {
        ck_assert_int_eq(status[i], alone->status[i]);
        tn_sim_save(tn_batch_sim(batch, i), saved);
        ck_assert_msg(memcmp(saved, alone->saved + (size_t)i * alone->size, alone->size) == 0,
                      "member %d of %d threads, width %d", i, threads, tn_lane_width(lanes));
        beside += tn_batch_side_steps(batch, i);
    }
    compare_rows(batch, at, rate, joints);
    free(saved);
    tn_batch_destroy(batch);
    return beside;
}

static const plan plans[] = {
    {.seed = 3, .bodies = 10, .chain = true, .heavier = 1.0},
    {.seed = 5, .bodies = 7, .heavier = 1.3},
    {.seed = 8, .bodies = 13, .fixed_base = true, .heavier = 1.0},
    {.seed = 9, .bodies = 1, .fixed_base = true, .heavier = 0.1},
    {.seed = 12, .bodies = 12, .heavier = 1.0},
    {.seed = 14, .bodies = 10, .chain = true, .principal = true, .heavier = 1.0},
    {.seed = 15, .bodies = 9, .principal = true, .heavier = 1.0},
};

static const int32_t widths[] = {2, 4, 8};

/* At the widths this machine has. */
static void compare_all(tn_model *const *models, int32_t joints, double fast, double h, int steps,
                        double share)
{
    double q[MEMBERS * MOST], speed[MEMBERS * MOST];
    fill_starts(77, joints, fast, q, speed);
    const outcome alone = run_alone(models, joints, q, speed, h, steps);
    for (size_t w = 0; w < TN_COUNT_OF(widths); w++) {
        for (int threads = 1; threads <= 3; threads += 2) {
            const int64_t beside =
                compare(models, &alone, joints, q, speed, h, steps, threads, widths[w]);
            ck_assert_double_ge((double)beside, share * MEMBERS * steps);
        }
    }
    free(alone.saved);
}

START_TEST(test_same_bits)
{
    plan p = plans[_i];
    tn_model *models[MEMBERS];
    for (int32_t i = 0; i < MEMBERS; i++) {
        p.heavier = plans[_i].heavier * (1.0 + 0.1 * (i % 4));
        models[i] = make_model(&p);
    }
    compare_all(models, p.bodies, 2.0, 1e-3, 130, 0.9);
    for (int32_t i = 0; i < MEMBERS; i++)
        tn_model_destroy(models[i]);
}
END_TEST

/* Members whose axes are principal ones and others do not share lanes: those that are not as the first go by
 * themselves. */
START_TEST(test_some_axes_are_principal)
{
    plan p = plans[0];
    tn_model *models[MEMBERS];
    for (int32_t i = 0; i < MEMBERS; i++) {
        p.principal = (i % 4 != 2) == (_i == 0);
        models[i] = make_model(&p);
    }
    compare_all(models, p.bodies, 2.0, 1e-3, 60, 0.5);
    for (int32_t i = 0; i < MEMBERS; i++)
        tn_model_destroy(models[i]);
}
END_TEST

START_TEST(test_many_bodies)
{
    const plan p = {.seed = 21, .bodies = MOST, .principal = true, .heavier = 1.0};
    tn_model *models[MEMBERS];
    for (int32_t i = 0; i < MEMBERS; i++)
        models[i] = make_model(&p);
    compare_all(models, p.bodies, 2.0, 1e-3, 40, 0.2);
    for (int32_t i = 0; i < MEMBERS; i++)
        tn_model_destroy(models[i]);
}
END_TEST

/* Whips: a third of the members turns so fast that iterations need a new factor, or that steps are
 * parted; they take such steps by themselves. */
START_TEST(test_fast)
{
    tn_model *models[MEMBERS];
    for (int32_t i = 0; i < MEMBERS; i++)
        models[i] = make_model(&plans[_i]);
    compare_all(models, plans[_i].bodies, 60.0, 4e-3, 60, 0.1);
    for (int32_t i = 0; i < MEMBERS; i++)
        tn_model_destroy(models[i]);
}
END_TEST

/* Every second member has a range, which it meets. */
START_TEST(test_some_meet_limits)
{
    tn_model *models[MEMBERS];
    plan p = plans[_i];
    for (int32_t i = 0; i < MEMBERS; i++) {
        p.ranges = i % 2 == 1;
        models[i] = make_model(&p);
    }
    compare_all(models, p.bodies, 2.0, 1e-3, 60, 0.4);
    for (int32_t i = 0; i < MEMBERS; i++)
        tn_model_destroy(models[i]);
}
END_TEST

/* One member is given speeds that no step can follow: it fails, stays where it was and says why; the
 * others do not notice. */
START_TEST(test_one_fails)
{
    tn_model *models[MEMBERS];
    double q[MEMBERS * MOST], speed[MEMBERS * MOST];
    const plan *p = &plans[0];
    for (int32_t i = 0; i < MEMBERS; i++)
        models[i] = make_model(p);
    fill_starts(78, p->bodies, 2.0, q, speed);
    for (int32_t j = 0; j < p->bodies; j++)
        speed[5 * p->bodies + j] = 1e9 * (j % 2 ? 1.0 : -1.0);
    const outcome alone = run_alone(models, p->bodies, q, speed, 1e-3, 30);
    ck_assert_int_ne(alone.status[5], TN_OK);
    for (size_t w = 0; w < TN_COUNT_OF(widths); w++) {
        compare(models, &alone, p->bodies, q, speed, 1e-3, 30, 1, widths[w]);
    }
    free(alone.saved);
    for (int32_t i = 0; i < MEMBERS; i++)
        tn_model_destroy(models[i]);
}
END_TEST

/* What is done to members between the calls: steps of another length, efforts, a member set back, one
 * changed from outside, speeds that are no numbers. */
static void disturb(tn_batch *batch, int32_t joints, int round, tn_status *status)
{
    double efforts[MEMBERS * MOST];
    unsigned char marks[MEMBERS] = {0};
    for (int32_t k = 0; k < MEMBERS * joints; k++)
        efforts[k] = 0.01 * (k % 7);
    tn_batch_step(batch, 1e-3, 12, NULL, status);
    tn_batch_step(batch, round % 2 ? 5e-4 : 1e-3, 9, round == 1 ? efforts : NULL, status);
    marks[round * 3] = 1;
    tn_batch_reset(batch, marks);
    tn_batch_step(batch, 1e-3, 13, NULL, status);
    if (round != 2)
        return;
    tn_sim *sim = tn_batch_sim(batch, 4);
    const tn_coordinate_request wrong = {{0}, 0, (double)NAN};
    ck_assert_int_ne(tn_sim_set_coordinate_speeds(sim, &wrong, 1, NULL, NULL, NULL), TN_OK);
    const tn_coordinate_request other = {{0}, 0, 0.5};
    ck_assert_int_eq(tn_sim_set_coordinate_speeds(sim, &other, 1, NULL, NULL, NULL), TN_OK);
}

/* Widths against each other: 1 is every member by itself. */
START_TEST(test_disturbed)
{
    const plan *p = &plans[0];
    tn_model *made = make_model(p);
    const tn_model *model = made;
    const tn_sim_options options = options_of(model);
    double q[MEMBERS * MOST], speed[MEMBERS * MOST];
    static double poses[TN_COUNT_OF(widths) + 1][MEMBERS * MOST * 7];
    fill_starts(79, p->bodies, 2.0, q, speed);
    for (size_t w = 0; w <= TN_COUNT_OF(widths); w++) {
        tn_batch *batch = NULL;
        tn_status status[MEMBERS];
        const int32_t lanes = w < TN_COUNT_OF(widths) ? widths[w] : 1;
        ck_assert_int_eq(tn_batch_create_wide(&model, 1, MEMBERS, &options, 2, lanes, NULL, &batch),
                         TN_OK);
        ck_assert_int_eq(tn_batch_place(batch, q, speed, NULL), TN_OK);
        for (int round = 0; round < 4; round++)
            disturb(batch, p->bodies, round, status);
        ck_assert((tn_batch_side_steps(batch, 1) > 50) == (w < TN_COUNT_OF(widths)));
        tn_batch_get(batch, TN_BATCH_POSES, poses[w]);
        tn_batch_destroy(batch);
    }
    for (size_t w = 0; w < TN_COUNT_OF(widths); w++)
        ck_assert_mem_eq(poses[w], poses[TN_COUNT_OF(widths)], sizeof poses[w]);
    tn_model_destroy(made);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("lanes");
    TCase *tests = tcase_create("side by side");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, test_same_bits, 0, TN_COUNT_OF(plans));
    tcase_add_loop_test(tests, test_some_axes_are_principal, 0, 2);
    tcase_add_test(tests, test_many_bodies);
    tcase_add_loop_test(tests, test_fast, 0, 3);
    tcase_add_loop_test(tests, test_some_meet_limits, 0, 2);
    tcase_add_test(tests, test_one_fails);
    tcase_add_test(tests, test_disturbed);
    suite_add_tcase(suite, tests);
    return suite;
}
