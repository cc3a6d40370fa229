/* test_hinge_blocks.c: limbs of one world that go side by side (method/links/hinge_block.h) have the same bits on every
 * machine, leave what everybody else reads as it would be found from the state, and go on from a saved state
 * with the same bits: random trees, chains and forests, of bodies that are a or b of their joints, whatever
 * becomes of a block.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "alpha_sims.h"
#include "assemble/load/stored_energy.h"
#include "method/hinges/alpha_hinges.h"
#include "motion/kinematics.h"
#include "random_numbers.h"
#include "run_main.h"
#include "tenon/tenon.h"
#include "support/heavy.h"

enum { MOST = 40, STEPS = 120 };

/* Which bodies are b of their joints. */
typedef enum side { ALL_A, ALL_B, SOME_B, SIDES } side;

typedef struct plan {
    int32_t bodies;
    side side;
    bool chain, principal, fixed_base;
    double fast; /* rad/s */
    double from; /* m: by which all is away from where places are counted from */
} plan;

static plan plan_of(int i, uint64_t *r)
{
    return (plan){.bodies = 1 + (int32_t)random_between(r, 0.0, MOST - 1e-9),
                  .side = (side)(i % SIDES),
                  .chain = i % 2 == 0,
                  .principal = i % 5 < 3,
                  .fixed_base = i % 7 < 3,
                  .fast = i % 4 == 3 ? 30.0 : 3.0,
                  .from = i % 6 == 4 ? 1e4 : 0.0};
}

static tn_body add_body(tn_spec *spec, const plan *p, int32_t k, uint64_t *r)
{
    tn_body_def def = tn_default_body_def();
    const double apart = p->principal ? 0.0 : 0.01;
    def.pose.p = (tn_vec3){p->from + k, 0.3 * (k % 3), 0.1 * k};
    def.pose.q = tn_quat_from_rpy(random_between(r, -1.0, 1.0), random_between(r, -1.0, 1.0), 0.3);
    def.mass = pow(10.0, random_between(r, -0.5, 0.5));
    def.com = random_within(r, 0.1);
    def.inertia = (tn_mat3){{{0.06, apart, 0.0}, {apart, 0.08, -apart}, {0.0, -apart, 0.07}}};
    tn_body body;
    ck_assert_int_eq(tn_spec_add_body(spec, &def, &body), TN_OK);
    return body;
}

static tn_body add_base(tn_spec *spec, const plan *p)
{
    tn_body base = tn_ground();
    tn_body_def def = tn_default_body_def();
    def.kind = TN_BODY_FIXED;
    def.pose.p = (tn_vec3){p->from - 3.0, 0.2, 0.1};
    def.pose.q = tn_quat_from_rpy(0.3, 0.2, 0.1);
    if (p->fixed_base)
        ck_assert_int_eq(tn_spec_add_body(spec, &def, &base), TN_OK);
    return base;
}

static void add_hinge(tn_spec *spec, const plan *p, int32_t k, tn_body body, tn_body inner,
                      uint64_t *r)
{
    const double chance = random_between(r, 0.0, 1.0);
    const bool is_b = p->side == ALL_B || (p->side == SOME_B && chance < 0.4);
    tn_joint_def joint = tn_default_joint_def();
    joint.type = "hinge";
    joint.a = is_b && inner.i >= 0 ? inner : body;
    joint.b = is_b && inner.i >= 0 ? body : inner;
    joint.placement = TN_PLACE_AXIS;
    joint.origin = (tn_vec3){p->from + k - 0.5, 0.1, 0.1 * k};
    joint.axis = random_axis(r);
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
}

static tn_model *make_model(const plan *p, uint64_t *r)
{
    tn_spec *spec = tn_spec_create();
    tn_body bodies[MOST];
    const tn_body base = add_base(spec, p);
    for (int32_t k = 0; k < p->bodies; k++) {
        const int32_t to = p->chain ? k - 1 : (int32_t)random_between(r, -1.6, k - 0.001);
        bodies[k] = add_body(spec, p, k, r);
        add_hinge(spec, p, k, bodies[k], to < 0 || k == 0 ? base : bodies[to], r);
    }
    return compiled(spec);
}

/* Two of them, with the same motion, which the first goes through on this machine as any other would. */
typedef struct twins {
    tn_sim *any, *here;
    size_t size;
    unsigned char *saved[2];
} twins;

static twins make_twins(const tn_model *model, const plan *p, uint64_t *r)
{
    twins t = {alpha_sim(model), alpha_sim(model), 0, {NULL, NULL}};
    tn_alpha_of(t.any)->hinges->forest.stages = &tn_hinge_stages_any;
    t.size = tn_sim_state_size(t.any);
    t.saved[0] = malloc(t.size);
    t.saved[1] = malloc(t.size);
    for (int32_t j = 0; j < p->bodies; j++) {
        const tn_coordinate_request rate = {{j}, 0, p->fast * random_between(r, -1.0, 1.0)};
        ck_assert_int_eq(tn_sim_set_coordinate_speeds(t.any, &rate, 1, NULL, NULL, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_set_coordinate_speeds(t.here, &rate, 1, NULL, NULL, NULL), TN_OK);
    }
    return t;
}

static void free_twins(twins *t)
{
    free(t->saved[0]);
    free(t->saved[1]);
    tn_sim_destroy(t->any);
    tn_sim_destroy(t->here);
}

static void expect_same(twins *t)
{
    tn_sim_save(t->any, t->saved[0]);
    tn_sim_save(t->here, t->saved[1]);
    ck_assert_mem_eq(t->saved[0], t->saved[1], t->size);
}

/* The same but for the sign of 0. */
static void expect_numbers(const double *a, const double *b, size_t count)
{
    for (size_t n = 0; n < count; n++)
        ck_assert_msg(a[n] == b[n], "number %zu: %.17g, not %.17g", n, a[n], b[n]);
}

/* Coordinates are, to the last bit, those of the angles remembered, as wound as they are. */
static void expect_angles(const tn_sim *sim)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    for (int32_t k = 0; k < hinges->count; k++) {
        const tn_hinge_place *place = &hinges->places[k];
        const tn_hinge_memory *memory = tn_alpha_hinge_memory(sim, &sim->state, place->joint);
        const double q = tn_state_coordinate(&sim->state, place->joint, 0);
        expect_numbers(&q, &(double){tn_alpha_hinge_coordinate(memory, place->is_a, q)}, 1);
    }
}

/* Frames and errors are those of the state. */
static void expect_shown(tn_sim *sim)
{
    const int32_t joints = sim->model->joint_count;
    const size_t size = (size_t)joints * sizeof(tn_joint_kinematics);
    tn_joint_kinematics *kept = malloc(size);
    memcpy(kept, sim->sys.kin, size);
    tn_refresh_kinematics(sim);
    for (int32_t j = 0; j < joints; j++) {
        const tn_joint_kinematics *was = &kept[j], *is = &sim->sys.kin[j];
        expect_numbers(was->R_GW.m[0], is->R_GW.m[0], 9);
        expect_numbers(&was->r_A.x, &is->r_A.x, 3);
        expect_numbers(&was->r_B.x, &is->r_B.x, 3);
        expect_numbers(was->error, is->error, 6);
        expect_numbers(was->T_GD.R.m[0], is->T_GD.R.m[0], 12);
        expect_numbers(sim->sys.phi + sim->sys.layout->y_offset[j], is->error, 5);
        ck_assert_int_eq(was->unique, is->unique);
        ck_assert_int_eq(was->off, is->off);
        ck_assert_int_eq(was->vanished, is->vanished);
    }
    expect_angles(sim);
    free(kept);
}

/* What a step has told of itself is what is found by looking: errors of joints and the worst of them, and the sums of
 * books, from the states before and after it (kinetic and potential energy: made is what they differ by). */
static void expect_told(tn_sim *sim, const tn_step_report *report)
{
    tn_step_report seen = *report;
    tn_measure_errors(sim, sim->sys.phi, &seen);
    expect_numbers(&report->position_error, &seen.position_error, 1);
    expect_numbers(&report->angle_error, &seen.angle_error, 1);
    const double worst = fmax(seen.position_error, seen.angle_error);
    if (worst > 0.0) { /* of several that are as far off it may be another */
        const double *phi = sim->sys.phi + sim->sys.layout->y_offset[report->worst_joint.i];
        double off = 0.0;
        for (int n = 0; n < 5; n++)
            off = fmax(off, fabs(phi[n]));
        ck_assert_double_eq(off, worst);
    } else {
        ck_assert_int_eq(report->worst_joint.i, -1);
    }
    double now[2], before[2], sum = 0.0, size = 0.0, run = 0.0, spun = 0.0, fallen = 0.0;
    tn_body_energy(&sim->sys, &sim->state, &now[0], &now[1]);
    tn_body_energy(&sim->sys, &sim->backup, &before[0], &before[1]);
    for (int k = 0; k < 2; k++) {
        sum += now[k] - before[k];
        size += fabs(now[k]) + fabs(before[k]);
    }
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        if (body->dim == 0)
            continue;
        const double *u = sim->state.u + body->u, *u0 = sim->backup.u + body->u;
        double mean[6];
        for (int n = 0; n < 6; n++)
            mean[n] = 0.5 * (u[n] + u0[n]);
        const tn_vec3 v = v3_load(mean), w = v3_load(mean + 3);
        run += body->mass * v3_dot(v, v);
        spun += v3_dot(w, m3_mulv(&body->J, w));
        fallen += fabs(body->mass *
                       v3_dot(sim->model->gravity, v3_sub(sim->state.x[i], sim->backup.x[i])));
    }
    ck_assert(sim->told.moves);
    ck_assert_double_eq_tol(sim->told.moved.made, sum, 1e-13 * size);
    ck_assert_double_eq_tol(sim->told.moved.run, run, 1e-12 * run);
    ck_assert_double_eq_tol(sim->told.moved.spun, spun, 1e-12 * spun);
    ck_assert_double_eq_tol(sim->told.moved.size, fallen, 1e-12 * fallen);
    ck_assert_double_ge(sim->told.moved.moved, fabs(sim->told.moved.made));
    const tn_hinge_world *w = &tn_alpha_of(sim)->hinges->forest.world;
    ck_assert(sim->told.sound);
    for (int32_t k = 0; k < w->count;
         k++) /* hinges are shown together, whichever of their bodies is a */
        ck_assert_int_eq(w->apart[k], 0);
    ck_assert(sim->state.sound);
}

/* A step in the angles of the hinges; false: in another way. */
static bool step_twins(twins *t)
{
    const bool goes_on = tn_alpha_hinges_go_on(t->here, 1e-3);
    tn_step_report one, other;
    tn_state_written(&t->here->state); /* and so looked through before the step */
    const tn_status status = tn_sim_step(t->any, 1e-3, &one);
    ck_assert_int_eq(tn_sim_step(t->here, 1e-3, &other), status);
    ck_assert_int_eq(one.iterations, other.iterations);
    expect_numbers(&one.position_error, &other.position_error, 1);
    expect_numbers(&one.angle_error, &other.angle_error, 1);
    const bool so = goes_on && status == TN_OK && other.halvings == 0 && t->here->reactions_balance;
    if (so) {
        expect_told(t->any, &one);
        expect_told(t->here, &other);
    }
    return so;
}

/* No step says that all is well with numbers that are none, whatever it begins with. */
START_TEST(test_unsound)
{
    uint64_t r = (uint64_t)_i + 271;
    const plan p = plan_of(3 * _i, &r);
    tn_model *model = make_model(&p, &r);
    twins t = make_twins(model, &p, &r);
    for (int k = 0; k < STEPS / 2; k++)
        step_twins(&t);
    const tn_alpha_memory m = tn_alpha_remembers(model, &t.here->state);
    double *const places[] = {t.here->state.udot, t.here->state.u, m.acc, m.udot_rate};
    const int64_t some = (int64_t)random_between(&r, 0.0, model->size.velocities - 1e-9);
    places[_i % 4][some] = _i % 3 == 0 ? NAN : INFINITY;
    for (int k = 0; k < 3; k++) {
        int32_t body, joint;
        if (tn_sim_step(t.here, 1e-3, NULL) == TN_OK)
            ck_assert(tn_state_is_sound(model, &t.here->state, &body, &joint));
    }
    free_twins(&t);
    tn_model_destroy(model);
}
END_TEST

START_TEST(test_every_machine)
{
    uint64_t r = (uint64_t)_i + 71;
    const plan p = plan_of(_i, &r);
    tn_model *model = make_model(&p, &r);
    twins t = make_twins(model, &p, &r);
    int in_angles = 0;
    for (int k = 0; k < STEPS; k++) {
        const bool so = step_twins(&t);
        in_angles += so;
        expect_same(&t);
        if (so && k % 7 == 0)
            expect_shown(t.here);
    }
    if (p.fast < 10.0)
        ck_assert_int_ge(in_angles, STEPS / 2);
    free_twins(&t);
    tn_model_destroy(model);
}
END_TEST

/* What was saved goes on as what was not, after other steps, changes and jumps in between. */
START_TEST(test_saved)
{
    uint64_t r = (uint64_t)_i + 171;
    const plan p = plan_of(_i, &r);
    tn_model *model = make_model(&p, &r);
    twins t = make_twins(model, &p, &r);
    for (int k = 0; k < STEPS; k++)
        step_twins(&t);
    tn_sim_save(t.here, t.saved[1]);
    const tn_coordinate_request rate = {{0}, 0, 0.3};
    ck_assert_int_eq(tn_sim_set_coordinate_speeds(t.any, &rate, 1, NULL, NULL, NULL), TN_OK);
    tn_sim_step(t.any, 2e-3, NULL);
    for (int k = 0; k < 20; k++)
        tn_sim_step(t.any, 1e-3, NULL);
    ck_assert_int_eq(tn_sim_restore(t.any, t.saved[1]), TN_OK);
    for (int k = 0; k < 30; k++) {
        step_twins(&t);
        expect_same(&t);
    }
    free_twins(&t);
    tn_model_destroy(model);
}
END_TEST

static void change_one(tn_sim *sim, int what, int32_t joint, double much)
{
    const tn_coordinate_request rate = {{joint}, 0, much};
    const tn_wrench push = {{much, 0.0, 1.0}, {0.0, much, 0.0}};
    switch (what) {
    case 0:
        ck_assert_int_eq(tn_sim_set_coordinate_speeds(sim, &rate, 1, NULL, NULL, NULL), TN_OK);
        break;
    case 1:
        ck_assert_int_eq(tn_sim_set_locked(sim, (tn_joint){joint}, 0, much > 0.0), TN_OK);
        break;
    case 2:
        ck_assert_int_eq(tn_sim_apply_wrench(sim, (tn_body){sim->model->joints[joint].a}, push),
                         TN_OK);
        break;
    case 3:
        ck_assert_int_eq(
            tn_sim_set_range(sim, (tn_joint){joint}, 0, -50.0, much > 0.0 ? 50.0 : INFINITY),
            TN_OK);
        break;
    case 4:
        ck_assert_int_eq(tn_sim_project(sim, NULL), TN_OK);
        break;
    case 5:
        ck_assert_int_eq(tn_sim_start(sim, 1e-3, NULL), TN_OK);
        break;
    default:
        sim->state.head->restart = 1;
    }
}

/* What holds or bounds its joints is taken away. */
static void free_joints(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        ck_assert_int_eq(tn_sim_set_locked(sim, (tn_joint){j}, 0, 0), TN_OK);
        ck_assert_int_eq(tn_sim_set_range(sim, (tn_joint){j}, 0, -INFINITY, INFINITY), TN_OK);
    }
}

/* Whether the states before and after steps take turns or one is copied to the other cannot be told, whatever comes
 * between steps, or makes one fail: the first of the two looks its state through before each step and keeps a copy, the
 * other only where it must. */
START_TEST(test_between)
{
    uint64_t r = (uint64_t)_i + 371;
    const plan p = plan_of(_i, &r);
    tn_model *model = make_model(&p, &r);
    twins t = make_twins(model, &p, &r);
    int turns = 0;
    for (int k = 0; k < 3 * STEPS; k++) {
        const double h = k % 50 > 40 ? 2e-3 : 1e-3, chance = random_between(&r, 0.0, 1.0);
        const int what = (int)random_between(&r, 0.0, 7.0 - 1e-9);
        const int32_t joint = (int32_t)random_between(&r, 0.0, p.bodies - 1e-9);
        const double much = random_between(&r, -1.0, 1.0);
        if (chance < 0.03) {
            change_one(t.any, what, joint, much);
            change_one(t.here, what, joint, much);
        }
        if (k % 60 == 30) {
            free_joints(t.any);
            free_joints(t.here);
        }
        tn_state_written(&t.here->state);
        const void *block = t.any->state.block;
        const bool breaks = k % 97 == 60; /* no step ends within no iterations */
        t.any->options.max_iterations = t.here->options.max_iterations = breaks ? 0 : 50;
        const tn_status status = tn_sim_step(t.any, h, NULL);
        ck_assert_int_eq(tn_sim_step(t.here, h, NULL), status);
        turns += t.any->state.block != block;
        ck_assert_ptr_null(t.any->state.elsewhere);
        expect_same(&t);
    }
    if (p.fast < 10.0)
        ck_assert_int_ge(turns, STEPS / 4);
    free_twins(&t);
    tn_model_destroy(model);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("hinge_blocks");
    TCase *tests = tcase_create("blocks");
    tcase_set_timeout(tests, 60.0);
    tcase_add_loop_test(tests, test_every_machine, 0, ALL_OR_FEW(42, 14));
    tcase_add_loop_test(tests, test_saved, 0, 21);
    tcase_add_loop_test(tests, test_between, 0, ALL_OR_FEW(28, 7));
    tcase_add_loop_test(tests, test_unsound, 0, 24);
    suite_add_tcase(suite, tests);
    return suite;
}
