/* test_welds.c: bodies that are welded to others or to the ground, which are rigid parts of links (method/hinges/hinge_welds.c), beside
 * the same as bodies and rows of their own in the general iteration: every joint type between welded bodies, with each attachment, and
 * loads on welded bodies; welds that come to yield or are switched off while they run; what a weld bears by hand. Poses, velocities, accelerations, reactions and
 * energies are the same, and the reported wrenches balance every body by Newton and Euler.
 */
#include <check.h>
#include <math.h>

#include "attachments.h"
#include "joint_samples.h"
#include "joint_sims.h"
#include "method/hinges/alpha_hinges.h"
#include "run_main.h"
#include "same_sims.h"
#include "tenon/tenon.h"

/* Attachments from the first that acts on bodies on, so many. */
enum { LOAD = 14, LOADS = 7 };

enum { STEPS = 40, TYPED = 2, SEEDS = 2 };

#define STEP 1e-3 /* s */
/* Of the largest force, in loops: the general iteration leaves 1e-13 m open, which by h^2 is a force. */
#define LOOPS_FORCE 1e-4

/* Bodies of a scene, in order: a rigid part of three on the ground, one of three by the type, one of two by it, one by a hinge; and one of
 * two that floats. */
enum {
    BASE,
    BASE_TOP,
    PART,
    PART_SIDE,
    PART_TOP,
    TIP,
    TIP_SIDE,
    LAST,
    FLOATS,
    FLOATS_SIDE,
    BODIES
};

typedef struct builder {
    tn_spec *spec;
    const attachment *what;
    tn_xform at[BODIES]; /* of centres of mass */
    tn_joint typed[TYPED];
    tn_joint weld[BODIES];
    uint64_t seed;
} builder;

static void add_body(builder *b, int32_t i, tn_xform at, bool is_loaded)
{
    tn_body_def def = tn_default_body_def();
    tn_load_def load = tn_default_load_def(TN_LOAD_KIND_COUNT);
    tn_body added;
    b->at[i] = at;
    def.pose = pose_of(&at);
    def.mass = 1.2 + 0.8 * random_number(&b->seed);
    def.inertia = (tn_mat3){{{0.30, 0.02, 0.0}, {0.02, 0.35, 0.01}, {0.0, 0.01, 0.28}}};
    if (is_loaded && b->what->load)
        b->what->load(&def, &load);
    ck_assert_int_eq(tn_spec_add_body(b->spec, &def, &added), TN_OK);
    ck_assert_int_eq(added.i, i);
    if (is_loaded && load.kind != TN_LOAD_EFFORT)
        attach_load(b->spec, &load, added);
}

static tn_xform beside(builder *b, int32_t on)
{
    const tn_xform by = sample_pose(&b->seed);
    return on < 0 ? by : xf_mul(&b->at[on], &by);
}

/* A body, and the weld that holds it; every other weld has it as its second body. */
static void add_welded(builder *b, int32_t i, int32_t on, bool is_loaded)
{
    tn_joint_def def = tn_default_joint_def();
    add_body(b, i, beside(b, on), is_loaded);
    const bool is_b = i % 2 == 0 && on >= 0;
    def.type = "solid";
    def.a.i = is_b ? on : i;
    def.b.i = is_b ? i : on;
    def.placement = TN_PLACE_AXIS;
    def.origin = b->at[i].p;
    def.axis = random_axis(&b->seed);
    ck_assert_int_eq(tn_spec_add_joint(b->spec, &def, &b->weld[i]), TN_OK);
}

/* A body on another one by a sample of the type; `reversed`: as its second body. */
static void add_typed(builder *b, int32_t i, int32_t on, tn_joint_type type, bool reversed,
                      int32_t n)
{
    const joint_scene scene = sample_scene(type, &b->seed);
    const tn_joint_type_info *info = &scene.joint.cls->info;
    const tn_xform *inner = reversed ? &scene.T_A : &scene.T_B,
                   *outer = reversed ? &scene.T_B : &scene.T_A;
    const tn_xform in_inner = xf_inv_mul(inner, outer);
    tn_joint_def def = tn_default_joint_def();
    tn_load_def load = tn_default_load_def(TN_LOAD_KIND_COUNT);
    tn_body_def unused = tn_default_body_def();
    add_body(b, i, xf_mul(&b->at[on], &in_inner), false);
    def.type = info->name;
    def.data = scene.joint.data;
    def.a.i = reversed ? on : i;
    def.b.i = reversed ? i : on;
    def.placement = TN_PLACE_BODY_FRAMES;
    def.frame_c = pose_of(&scene.geometry.T_CA);
    def.frame_d = pose_of(&scene.geometry.T_DB);
    for (int32_t k = 0; k < info->parameter_count; k++)
        def.parameters[k] = scene.joint.setup.parameters[k];
    for (int32_t k = 0; k < info->coordinate_count; k++) {
        def.lower[k] = info->ranges ? -1e6 : def.lower[k];
        def.upper[k] = info->ranges ? 1e6 : def.upper[k];
    }
    const bool acts = info->coordinate_count > 0 && info->dof > 0;
    if (acts && b->what->load)
        b->what->load(&unused, &load);
    b->typed[n] = attach_joint(b->spec, &def, acts ? b->what : NULL);
    load.joint = b->typed[n];
    if (load.kind == TN_LOAD_EFFORT)
        attach_load(b->spec, &load, (tn_body){i});
}

static void add_hinged(builder *b, int32_t i, int32_t on)
{
    tn_joint_def def = tn_default_joint_def();
    add_body(b, i, beside(b, on), false);
    def.type = "hinge";
    def.a.i = i;
    def.b.i = on;
    def.placement = TN_PLACE_AXIS;
    def.origin = beside(b, on).p;
    def.axis = random_axis(&b->seed);
    ck_assert_int_eq(tn_spec_add_joint(b->spec, &def, NULL), TN_OK);
}

static builder build(tn_joint_type type, const attachment *what, uint64_t seed)
{
    builder b = {.spec = tn_spec_create(), .what = what, .seed = seed};
    add_welded(&b, BASE, -1, false);
    add_welded(&b, BASE_TOP, BASE, true);
    add_typed(&b, PART, BASE_TOP, type, seed % 2 == 0, 0);
    add_welded(&b, PART_SIDE, PART, true);
    add_welded(&b, PART_TOP, PART_SIDE, false);
    add_typed(&b, TIP, PART_TOP, type, seed % 2 == 1, 1);
    add_welded(&b, TIP_SIDE, TIP, true);
    add_hinged(&b, LAST, TIP_SIDE);
    add_body(&b, FLOATS, beside(&b, -1), false);
    add_welded(&b, FLOATS_SIDE, FLOATS, true);
    return b;
}

/* One by links and welded bodies, one by bodies and rows. */
typedef struct both {
    tn_model *model;
    tn_sim *sim, *general;
    int parted; /* steps that were taken by links */
} both;

static both both_of(builder *b)
{
    both s = {.model = compiled(b->spec)};
    s.sim = alpha_sim_to(s.model, TOLERANCE);
    s.general = alpha_sim_to(s.model, TOLERANCE);
    forget_hinges(s.general);
    return s;
}

static void destroy(both *s)
{
    tn_sim_destroy(s->sim);
    tn_sim_destroy(s->general);
    tn_model_destroy(s->model);
}

static void set_going(tn_sim *sim)
{
    const tn_twist twist = {{0.3, -0.2, 0.1}, {0.5, 0.4, -0.7}};
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_coordinate_request rate = {{j}, 0, 0.8 - 0.3 * (j % 4)};
        if (sim->model->joints[j].geometry.cls->info.coordinate_count > 0 && sim->state.plain[j])
            (void)tn_sim_set_coordinate_speeds(sim, &rate, 1, NULL, NULL, NULL);
    }
    ck_assert_int_eq(tn_sim_set_body_velocity(sim, (tn_body){FLOATS}, twist), TN_OK);
}

static void run(both *s, int steps, const char *what)
{
    for (int k = 0; k < steps; k++) {
        const tn_status one = tn_sim_step(s->sim, STEP, NULL),
                        other = tn_sim_step(s->general, STEP, NULL);
        ck_assert_msg(one == TN_OK && other == TN_OK, "%s, step %d: %s, %s", what, k,
                      tn_status_text(one), tn_status_text(other));
        s->parted += s->sim->reactions_balance;
        expect_same(s->sim, s->general, SAME_FORCE);
        ck_assert_double_le(balance_of(s->sim), 1e-6);
    }
}

/* How many bodies are welded, with these that stand still. */
static int32_t welded(const tn_sim *sim)
{
    const tn_alpha_hinges *hinges = tn_alpha_of(sim)->hinges;
    return hinges ? hinges->welds.count : 0;
}

/* Has the type several smooth pieces, as those that slide over segments? It has no links then. */
static bool has_links(const both *s)
{
    return tn_alpha_of(s->sim)->hinges != NULL;
}

START_TEST(test_types)
{
    const tn_joint_type type = {_i};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const attachment *what = &attachments[seed == 0 ? 0 : LOAD + _i % LOADS];
        builder b = build(type, what, 31 * (uint64_t)_i + seed + 1);
        both s = both_of(&b);
        set_going(s.sim);
        set_going(s.general);
        if (has_links(&s)) {
            ck_assert_int_ge(welded(s.sim), 6);
            run(&s, STEPS, what->name);
            /* what holds nothing may begin with a jolt where its range does */
            const bool holds = tn_joint_type_get(type)->bilateral_count > 0;
            ck_assert_msg(s.parted > STEPS / 2 || seed > 0 || !holds, "%s: %d steps by links",
                          tn_joint_type_get(type)->name, s.parted);
        }
        destroy(&s);
    }
}
END_TEST

/* Every attachment between welded bodies: of one freedom, and of two. */
START_TEST(test_attachments)
{
    static const tn_joint_type types[] = {{TN_JOINT_slider}, {TN_JOINT_cylindrical}};
    int parted = 0; /* stiff or moved ones begin with a jolt, which bodies and rows take */
    for (int n = 0; n < 2; n++) {
        builder b = build(types[n], &attachments[_i], (uint64_t)(_i + 50 * n) + 7);
        both s = both_of(&b);
        set_going(s.sim);
        set_going(s.general);
        run(&s, STEPS, attachments[_i].name);
        parted += s.parted;
        destroy(&s);
    }
    ck_assert_int_gt(parted, STEPS / 8);
}
END_TEST

typedef enum change { YIELDS, OFF, CHANGES } change;

static void make_change(tn_sim *sim, tn_joint weld, change how, bool on)
{
    if (how == YIELDS)
        ck_assert_int_eq(tn_sim_set_compliance(sim, weld, 0, on ? 1e-4 : 0.0, on ? 3.0 : 0.0),
                         TN_OK);
    if (how == OFF)
        ck_assert_int_eq(tn_sim_set_enabled(sim, weld, !on), TN_OK);
}

/* Of a body in the middle of a part, one of the part on the ground, and one that carries a hinge. */
START_TEST(test_changes)
{
    static const int32_t at[] = {PART_SIDE, BASE_TOP, TIP_SIDE};
    builder b = build((tn_joint_type){TN_JOINT_universal}, &attachments[0], (uint64_t)_i + 90);
    both s = both_of(&b);
    const change how = (change)(_i % CHANGES);
    const tn_joint weld = b.weld[at[_i / CHANGES]];
    set_going(s.sim);
    set_going(s.general);
    run(&s, STEPS / 2, "before");
    ck_assert_int_gt(s.parted, 0);
    make_change(s.sim, weld, how, true);
    make_change(s.general, weld, how, true);
    for (int k = 0; k < STEPS / 4; k++) {
        ck_assert_int_eq(tn_sim_step(s.sim, STEP, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_step(s.general, STEP, NULL), TN_OK);
        ck_assert(!s.sim->reactions_balance);
    }
    expect_near(&s.sim->state.x[0].x, &s.general->state.x[0].x, 3 * BODIES, 1e-8, "place");
    destroy(&s);
}
END_TEST

static tn_joint add_plain(builder *b, const char *type, int32_t i, int32_t on)
{
    tn_joint_def def = tn_default_joint_def();
    tn_joint added;
    def.type = type;
    def.a.i = i;
    def.b.i = on;
    def.placement = TN_PLACE_AXIS;
    def.origin = beside(b, on).p;
    def.axis = random_axis(&b->seed);
    ck_assert_int_eq(tn_spec_add_joint(b->spec, &def, &added), TN_OK);
    return added;
}

/* A body that swings on a welded one, another on a ball, and a ball that closes the loop on the welded body. */
static void add_loop(builder *b, int32_t i, int32_t on)
{
    add_body(b, i, beside(b, on), false);
    add_plain(b, "hinge", i, on);
    add_body(b, i + 1, beside(b, i), false);
    add_plain(b, "spherical", i + 1, i);
    add_plain(b, "spherical", i + 1, on);
}

/* Two bodies that swing on welded ones, geared to each other. */
static void add_geared(builder *b, int32_t i, int32_t on, int32_t other)
{
    tn_coupling_term terms[2] = {{.ratio = 1.0}, {.ratio = -0.6}};
    tn_coupling_def def = tn_default_coupling_def();
    add_body(b, i, beside(b, on), false);
    terms[0].joint = add_plain(b, "hinge", i, on);
    add_body(b, i + 1, beside(b, other), false);
    terms[1].joint = add_plain(b, "hinge", i + 1, other);
    def.terms = terms;
    def.term_count = 2;
    ck_assert_int_eq(tn_spec_add_coupling(b->spec, &def, NULL), TN_OK);
}

/* Loops that close on welded bodies, one that moves and one that stands still, or a gear between what hangs on them: rows and forces
 * act on these bodies, which are no links. */
START_TEST(test_loops)
{
    enum { SWINGS = 2, SIDE, MOVING_LOOP, STILL_LOOP = MOVING_LOOP + 2 };
    builder b = {.spec = tn_spec_create(), .what = &attachments[0], .seed = 41 + (uint64_t)_i};
    add_welded(&b, BASE, -1, false);
    add_welded(&b, BASE_TOP, BASE, false);
    add_hinged(&b, SWINGS, BASE_TOP);
    add_welded(&b, SIDE, SWINGS, false);
    if (_i % 2 == 0) {
        add_loop(&b, MOVING_LOOP, SIDE);
        add_loop(&b, STILL_LOOP, BASE_TOP);
    } else {
        add_geared(&b, MOVING_LOOP, SIDE, BASE_TOP);
    }
    both s = both_of(&b);
    ck_assert(has_links(&s));
    ck_assert_int_eq(welded(s.sim), 3);
    for (int k = 0; k < STEPS; k++) {
        ck_assert_int_eq(tn_sim_step(s.sim, STEP, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_step(s.general, STEP, NULL), TN_OK);
        s.parted += s.sim->reactions_balance;
        expect_same(s.sim, s.general, LOOPS_FORCE);
        ck_assert_double_le(balance_of(s.sim), 1e-6);
    }
    ck_assert_int_gt(s.parted, STEPS / 2);
    destroy(&s);
}
END_TEST

/* What a weld on the ground bears: two weights at rest, the second 1 m out, and a growing force on that. */
START_TEST(test_by_hand)
{
    static const double growing[] = {0.0, -1000.0}; /* N, N/s */
    tn_spec *spec = tn_spec_create();
    tn_body_def body = tn_default_body_def();
    tn_joint_def joint = tn_default_joint_def();
    tn_load_def load = tn_default_load_def(TN_LOAD_WRENCH);
    tn_body base, tip;
    body.mass = 10.0;
    body.inertia = m3_identity();
    ck_assert_int_eq(tn_spec_add_body(spec, &body, &base), TN_OK);
    body.pose.p.x = 1.0;
    ck_assert_int_eq(tn_spec_add_body(spec, &body, &tip), TN_OK);
    joint.type = "solid";
    joint.a = base;
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
    joint.type = "hinge";
    joint.a = tip;
    joint.b = base;
    joint.placement = TN_PLACE_AXIS;
    joint.axis = (tn_vec3){1.0, 0.0, 0.0};
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
    load.force[2] =
        (tn_function_def){.kind = TN_FUNCTION_POLYNOMIAL, .numbers = growing, .count = 2};
    load.bodies = &tip;
    load.body_count = 1;
    ck_assert_int_eq(tn_spec_add_load(spec, &load, NULL), TN_OK);
    tn_model *model = compiled(spec);
    tn_sim *sim = alpha_sim(model);
    for (int k = 1; k <= 100; k++) {
        const double weight = 9.81 * 10.0, pull = 2.0 * weight + 1000.0 * STEP * k;
        ck_assert_int_eq(tn_sim_step(sim, STEP, NULL), TN_OK);
        ck_assert(sim->reactions_balance || k < 3);
        const tn_wrench w = tn_sim_joint_wrench(sim, (tn_joint){0}, TN_WRENCH_ON_A);
        ck_assert_double_eq_tol(w.f.z, pull, 1e-6);
        ck_assert_double_eq_tol(w.m.y, -(weight + 1000.0 * STEP * k), 1e-6);
    }
    destroy_with_model(sim);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("welds");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, test_types, 0, tn_joint_type_count());
    tcase_add_loop_test(all, test_attachments, 0, ATTACHMENTS);
    tcase_add_loop_test(all, test_changes, 0, 3 * CHANGES);
    tcase_add_loop_test(all, test_loops, 0, 6);
    tcase_add_test(all, test_by_hand);
    suite_add_tcase(suite, all);
    return suite;
}
