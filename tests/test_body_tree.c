/* test_body_tree.c: velocities, accelerations, multipliers and closed joints of trees at one pose, by their own elimination
 * (motion/tree/tree.h), against those of the general one: every joint type between two bodies and on the ground, with
 * coordinates locked, rows that yield, switched off; chains of several freedoms with armatures, in space and in the plane;
 * random trees of hinges and balls at states on the way through their stops, with what holds then; whole runs; poses
 * between the ends of a step (motion/tree/between.h).
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "alpha_sims.h"
#include "joint_sims.h"
#include "motion/closing/project.h"
#include "motion/kinematics.h"
#include "motion/tree/between.h"
#include "motion/tree/tree.h"
#include "random_trees.h"
#include "run_main.h"
#include "tenon/tenon.h"

enum { BODIES = 9, STEPS = 200, ROOM = BODIES * TN_MAX_ROWS };

/* Stops are a little way off. */
static const tree_stops stops = {0.2, 0.9, 0.002, 0.05};

static tn_sim *make_tree(uint64_t *r, bool floating)
{
    const tree_plan plan = {
        .count = BODIES,
        .floating = floating,
        .types = {"hinge", "spherical_swing_twist", "spherical_rotation", "spherical"},
        .type_count = 4,
        .stops = &stops};
    return alpha_sim(compiled(random_tree_spec(r, &plan)));
}

/* The largest difference, relative to the largest of b and one. */
static double apart(const double *a, const double *b, int64_t count)
{
    double largest = 0.0, size = 1.0;
    for (int64_t k = 0; k < count; k++) {
        largest = fmax(largest, fabs(a[k] - b[k]));
        size = fmax(size, fabs(b[k]));
    }
    return largest / size;
}

static bool is_held(const tn_sim *sim)
{
    return memchr(sim->state.plain, 0, (size_t)sim->model->joint_count) != NULL;
}

/* What there is of a simulation at one pose. */
enum { MOST_ROWS = 16 * TN_MAX_ROWS, MOST_SPEEDS = 6 * 16 };
typedef struct answer {
    double u[MOST_SPEEDS], udot[MOST_SPEEDS], lambda[MOST_ROWS];
    tn_vec3 x[16];
    tn_quat q[16];
} answer;

/* By the tree, or without it. */
static void answer_of(tn_sim *sim, bool by_tree, double off, uint64_t r, answer *to)
{
    tn_body_tree *tree = sim->tree;
    tn_step_report report = tn_empty_report();
    const int64_t n = sim->sys.layout->u_size;
    double d[MOST_SPEEDS];
    if (!by_tree)
        sim->tree = NULL;
    for (int64_t k = 0; k < n; k++)
        sim->state.u[k] += random_between(&r, -0.1, 0.1);
    for (int64_t k = 0; k < n; k++)
        d[k] = random_between(&r, -off, off);
    tn_move_bodies(sim->model, sim->state.x, sim->state.q, d, 1.0, sim->state.x, sim->state.q);
    tn_refresh_kinematics(sim);
    ck_assert_int_eq(tn_correct_position(sim, 1e-3, &report), TN_OK);
    memcpy(to->x, sim->state.x, sizeof(tn_vec3) * (size_t)sim->model->body_count);
    memcpy(to->q, sim->state.q, sizeof(tn_quat) * (size_t)sim->model->body_count);
    ck_assert_int_eq(tn_project_velocity(sim, &report), TN_OK);
    memcpy(to->u, sim->state.u, sizeof(double) * (size_t)n);
    ck_assert_int_eq(tn_solve_acceleration(sim, &report), TN_OK);
    memcpy(to->udot, sim->state.udot, sizeof(double) * (size_t)n);
    memcpy(to->lambda, sim->state.lambda,
           sizeof(double) * TN_MAX_ROWS * (size_t)sim->model->element_count);
    sim->tree = tree;
}

/* Does the tree's elimination take this pose? */
static bool takes(tn_sim *sim)
{
    tn_step_report report = tn_empty_report();
    tn_refresh_kinematics(sim);
    return tn_body_tree_serves(sim) && tn_body_tree_take_hard(sim, &report) == TN_OK;
}

static void expect_the_same(tn_sim *sim, double off, uint64_t r, const char *what)
{
    static unsigned char saved[1 << 17];
    static answer general, own;
    const int64_t n = sim->sys.layout->u_size;
    ck_assert_uint_le(tn_sim_state_size(sim), sizeof saved);
    ck_assert_msg(takes(sim), "%s is not taken", what);
    tn_sim_save(sim, saved);
    answer_of(sim, false, off, r, &general);
    ck_assert_int_eq(tn_sim_restore(sim, saved), TN_OK);
    answer_of(sim, true, off, r, &own);
    ck_assert_int_eq(tn_sim_restore(sim, saved), TN_OK);
    const double x = apart(&own.x->x, &general.x->x, 3 * (int64_t)sim->model->body_count),
                 q = apart(&own.q->w, &general.q->w, 4 * (int64_t)sim->model->body_count),
                 u = apart(own.u, general.u, n), udot = apart(own.udot, general.udot, n),
                 lambda = apart(own.lambda, general.lambda,
                                TN_MAX_ROWS * (int64_t)sim->model->element_count);
    ck_assert_msg(
        x < 1e-11 && q < 1e-11 && u < 1e-10 && udot < 1e-9 && lambda < 1e-9,
        "%s: poses %.1e %.1e, velocities %.1e, accelerations %.1e, multipliers %.1e apart", what, x,
        q, u, udot, lambda);
}

START_TEST(as_by_the_general_elimination)
{
    uint64_t r = (uint64_t)_i + 71;
    tn_sim *sim = make_tree(&r, _i % 3 == 1);
    int asked = 0, held = 0;
    for (int k = 0; k < STEPS; k++) {
        const tn_status status = tn_sim_step(sim, 1e-3, NULL);
        ck_assert_msg(status == TN_OK, "%s in step %d", tn_status_text(status), k);
        if (k % 5 != 0 || !takes(sim))
            continue;
        asked++;
        held += is_held(sim);
        expect_the_same(sim, 1e-6, r++, "a tree");
    }
    printf("%d: %d states, %d that hold something\n", _i, asked, held);
    ck_assert_int_ge(asked, STEPS / 8);
    ck_assert_int_gt(held, 0);
    destroy_with_model(sim);
}
END_TEST

/* ---- every joint type ---- */

typedef enum change { AS_IT_IS, LOCKED, YIELDING, OFF, CHANGES } change;

/* false: it has nothing to change so. */
static bool make_change(tn_sim *sim, change how)
{
    const tn_joint joint = {0};
    const tn_joint_type_info *info = &sim->model->joints[0].geometry.cls->info;
    if (how == LOCKED && info->coordinate_count > 0)
        return tn_sim_set_locked(sim, joint, 0, 1) == TN_OK;
    if (how == YIELDING && info->bilateral_count > 0)
        return tn_sim_set_compliance(sim, joint, 0, 1e-4, 3.0) == TN_OK;
    if (how == OFF)
        return tn_sim_set_enabled(sim, joint, 0) == TN_OK;
    return how == AS_IT_IS;
}

START_TEST(every_joint_type)
{
    const tn_joint_type type = {_i};
    int asked = 0;
    for (int n = 0; n < 6 * CHANGES; n++) {
        uint64_t seed = 900 + (uint64_t)n;
        const joint_scene scene = sample_scene(type, &seed);
        joint_sim s =
            joint_sim_create(&scene, n % 2, v3(1.0, -2.0, -9.0), TN_GENERALIZED_ALPHA, seed);
        if (make_change(s.sim, (change)(n / 6))) {
            expect_the_same(s.sim, 1e-7, seed, tn_joint_type_get(type)->name);
            asked++;
        }
        joint_sim_destroy(&s);
    }
    ck_assert_int_ge(asked, 12);
}
END_TEST

/* ---- what acts along coordinates ---- */

typedef struct link {
    const char *type;
    tn_vec3 axis;
} link;
enum { LINKS = 8 };

static const link in_space[LINKS] = {
    {"universal", {0.0, 0.0, 1.0}}, {"cylindrical", {0.2, 0.3, 1.0}}, {"hinge", {0.4, 0.0, 1.0}},
    {"gimbal", {0.0, 0.3, 1.0}},    {"planar", {0.2, 0.0, 1.0}},      {"slider", {0.4, 0.3, 1.0}},
    {"screw", {0.0, 0.0, 1.0}},     {"hinge", {0.2, 0.3, 1.0}}};
static const link in_plane[LINKS] = {
    {"hinge", {0.0, 0.0, 1.0}},  {"slider", {0.8, 0.6, 0.0}}, {"planar", {0.0, 0.0, 1.0}},
    {"slider", {0.0, 1.0, 0.0}}, {"hinge", {0.0, 0.0, 1.0}},  {"slotted_hinge", {0.0, 0.0, 1.0}},
    {"solid", {0.0, 0.0, 1.0}},  {"hinge", {0.0, 0.0, 1.0}}};

/* A chain of these joints, every other one with armatures. */
static tn_sim *make_chain(uint64_t *r, const link *links, tn_body_kind kind)
{
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    if (kind == TN_BODY_PLANAR)
        world.gravity = v3(1.0, -9.0, 0.0);
    ck_assert_int_eq(tn_spec_set_world(spec, &world), TN_OK);
    for (size_t k = 0; k < LINKS; k++) {
        tn_body_def body = tn_default_body_def();
        body.kind = kind;
        body.mass = random_between(r, 0.5, 2.0);
        body.pose.p = v3(0.4 * (double)(k + 1), 0.1 * random_between(r, -1.0, 1.0), 0.0);
        body.inertia = (tn_mat3){{{0.0}}};
        for (int i = 0; i < 3; i++)
            body.inertia.m[i][i] = random_between(r, 0.02, 0.03);
        tn_body id = {-1};
        ck_assert_int_eq(tn_spec_add_body(spec, &body, &id), TN_OK);
        tn_joint_def joint = tn_default_joint_def();
        joint.type = links[k].type;
        joint.a = id;
        joint.b = (tn_body){(int32_t)k - 1};
        joint.placement = TN_PLACE_AXIS;
        joint.origin = v3(0.4 * (double)k + 0.2, 0.0, 0.0);
        joint.axis = links[k].axis;
        tn_joint_type type;
        ck_assert_int_eq(tn_joint_type_find(links[k].type, &type), TN_OK);
        for (int32_t i = 0; i < tn_joint_type_get(type)->coordinate_count; i++)
            joint.armature[i] = k % 2 == 0 ? 0.0 : random_between(r, 0.01, 0.1);
        ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
    }
    return alpha_sim(compiled(spec));
}

/* Steps of it, then with one coordinate of two joints locked. */
static tn_sim *step_and_lock(uint64_t seed, const link *links, tn_body_kind kind,
                             const int32_t locked[2][2])
{
    tn_sim *sim = make_chain(&seed, links, kind);
    for (int k = 0; k < 20; k++) {
        ck_assert_int_eq(tn_sim_step(sim, 1e-3, NULL), TN_OK);
        expect_the_same(sim, 1e-7, seed++, "a chain");
    }
    for (int k = 0; k < 2; k++)
        ck_assert_int_eq(tn_sim_set_locked(sim, (tn_joint){locked[k][0]}, locked[k][1], 1), TN_OK);
    expect_the_same(sim, 1e-7, seed, "a chain that is locked");
    return sim;
}

START_TEST(with_armatures)
{
    static const int32_t locked[2][2] = {{1, 0}, {3, 1}};
    tn_sim *sim = step_and_lock(2000 + (uint64_t)_i, in_space, TN_BODY_RIGID, locked);
    ck_assert_int_gt(sim->model->armature_count, 4);
    destroy_with_model(sim);
}
END_TEST

START_TEST(in_the_plane)
{
    static const int32_t locked[2][2] = {{1, 0}, {2, 2}};
    tn_sim *sim = step_and_lock(3000 + (uint64_t)_i, in_plane, TN_BODY_PLANAR, locked);
    ck_assert_int_eq(tn_sim_set_compliance(sim, (tn_joint){4}, 0, 1e-4, 3.0), TN_OK);
    expect_the_same(sim, 1e-7, 4000 + (uint64_t)_i, "a planar chain that yields");
    ck_assert_int_gt(sim->model->armature_count, 2);
    destroy_with_model(sim);
}
END_TEST

static double furthest(const tn_sim *one, const tn_sim *other)
{
    double most = 0.0;
    for (int32_t i = 0; i < BODIES; i++)
        most = fmax(most, v3_norm(v3_sub(one->state.x[i], other->state.x[i])));
    return most;
}

/* Whole runs, events and all: without it everything is found by the general elimination. States between ends of a
 * step are other cubics then, and rates of a start are known to some hundredths: both are as far from the same at a
 * sixteenth of the step. */
START_TEST(runs_as_by_the_general_elimination)
{
    enum { FINE = 16 };
    tn_sim *sims[3];
    tn_body_tree *kept[3];
    double apart_most = 0.0;
    int events = 0;
    for (int k = 0; k < 3; k++) {
        uint64_t r = (uint64_t)_i + 171;
        sims[k] = make_tree(&r, _i % 3 == 1);
        kept[k] = sims[k]->tree;
        sims[k]->tree = k == 0 ? kept[k] : NULL;
    }
    for (int k = 0; k < STEPS; k++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_step(sims[0], 1e-3, &report), TN_OK);
        ck_assert_int_eq(tn_sim_step(sims[1], 1e-3, NULL), TN_OK);
        for (int part = 0; part < FINE; part++)
            ck_assert_int_eq(tn_sim_step(sims[2], 1e-3 / FINE, NULL), TN_OK);
        events += report.events;
        apart_most = fmax(apart_most, furthest(sims[0], sims[1]));
        ck_assert_double_lt(tn_sim_residuals(sims[0]).position, 1e-12);
        ck_assert_double_lt(tn_sim_residuals(sims[0]).angle, 1e-11);
    }
    const double off = furthest(sims[0], sims[2]), general = furthest(sims[1], sims[2]);
    printf("%d: %d events, %.2e m apart, %.3e and %.3e m off\n", _i, events, apart_most, off,
           general);
    ck_assert_int_gt(events, 0);
    ck_assert_double_gt(apart_most, 0.0);
    ck_assert_double_le(off, 3.0 * general);
    for (int k = 0; k < 3; k++) {
        sims[k]->tree = kept[k];
        destroy_with_model(sims[k]);
    }
}
END_TEST

/* Accelerations whose bodies' equations cannot be met to rounding are told, and change nothing. */
START_TEST(what_is_not_met_is_told)
{
    uint64_t r = 5;
    tn_sim *sim = make_tree(&r, false);
    tn_step_report report = tn_empty_report();
    double f[6 * BODIES] = {0.0}, u[6 * BODIES] = {0.0}, y[ROOM];
    ck_assert_int_eq(tn_sim_step(sim, 1e-3, NULL), TN_OK);
    ck_assert(takes(sim));
    f[3] = (double)NAN;
    ck_assert(!tn_body_tree_solve(sim, f, NULL, 0.0, u, y, &report));
    for (int k = 0; k < 6 * BODIES; k++)
        ck_assert(u[k] == 0.0);
    destroy_with_model(sim);
}
END_TEST

/* The largest distance of bodies, m, and the error of the joints, of the pose at a share of a step. */
static double put_between(tn_sim *sim, double share, const tn_vec3 *x, double *error)
{
    tn_step_report report = tn_empty_report();
    double far = 0.0;
    tn_body_tree_between_put(sim, share);
    tn_refresh_kinematics(sim);
    *error = tn_measure_position(sim, &report);
    for (int32_t i = 0; i < sim->model->body_count; i++)
        far = fmax(far, v3_norm(v3_sub(sim->state.x[i], x[i])));
    return far;
}

/* Poses between the ends of two steps: at the ends those, and on the joints at any time between; halfway that after one step, but
 * for (h w)^4 / 384. */
START_TEST(between_the_ends_of_a_step)
{
    uint64_t r = 40 + (uint64_t)_i;
    const tree_plan plan = {.count = BODIES,
                            .floating = _i % 2 == 1,
                            .backwards = _i % 4 > 1,
                            .types = {"hinge", "slider", "spherical", "cylindrical"},
                            .type_count = 4};
    double error;
    tn_sim *sim = alpha_sim(compiled(random_tree_spec(&r, &plan)));
    tn_state ends[3]; /* and what is halfway */
    for (int k = 0; k < 3; k++)
        ck_assert_int_eq(tn_state_create(sim->model, sim->state.memory_size, &ends[k]), TN_OK);
    for (int k = 0; k < 20; k++)
        ck_assert_int_eq(tn_sim_step(sim, 1e-3, NULL), TN_OK);
    for (int k = 0; k < 3; k++) {
        tn_state_copy(&ends[k], &sim->state);
        if (k < 2)
            ck_assert_int_eq(tn_sim_step(sim, 1e-3, NULL), TN_OK);
    }
    tn_refresh_kinematics(sim);
    ck_assert(tn_body_tree_between_begin(sim, &ends[0], 2e-3));
    ck_assert_double_le(put_between(sim, 0.0, ends[0].x, &error), 1e-12);
    ck_assert_double_le(put_between(sim, 1.0, ends[2].x, &error), 1e-12);
    const double off = put_between(sim, 0.5, ends[1].x, &error);
    printf("halfway %.1e m off, joints %.1e\n", off, error);
    ck_assert_double_le(error, 1e-12);
    ck_assert_double_le(off, 1e-10);
    for (int k = 0; k < 3; k++)
        tn_state_destroy(&ends[k]);
    destroy_with_model(sim);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("body tree");
    TCase *tests = tcase_create("trees");
    tcase_add_loop_test(tests, as_by_the_general_elimination, 0, 12);
    tcase_add_loop_test(tests, runs_as_by_the_general_elimination, 0, 12);
    tcase_add_test(tests, what_is_not_met_is_told);
    tcase_add_loop_test(tests, between_the_ends_of_a_step, 0, 8);
    tcase_add_loop_test(tests, every_joint_type, 0, tn_joint_type_count());
    tcase_add_loop_test(tests, with_armatures, 0, 4);
    tcase_add_loop_test(tests, in_the_plane, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}
