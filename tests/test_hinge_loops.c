/* test_hinge_loops.c: loops in steps in the coordinates of a spanning tree (method/hinges/hinge_cuts.c, method/links/hinge_loops.c), beside the
 * same in the general iteration of bodies and rows: chains that joints of every kind close, once and several times, one within the
 * other, also on a body that floats, with what acts along their joints or on their bodies; and mechanisms whose rows repeat others,
 * with multipliers of least energy. What the wrenches of joints leave of each body's balance is looked at apart from both.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "attachments.h"
#include "method/alpha/alpha_tree.h"
#include "method/hinges/alpha_hinges.h"
#include "method/linkage/linkage.h"
#include "method/space/space.h"
#include "overconstrained.h"
#include "random_numbers.h"
#include "run_main.h"
#include "same_sims.h"
#include "tenon/tenon.h"

enum { BODIES = 9, STEPS = 60, CLOSINGS_MOST = 2, BODIES_MOST = 256 };

#define STEP 1e-3 /* s */
/* Of the largest force. The general iteration leaves 1e-13 m open, which by h^2 is a force; loops bear it with long levers. */
#define LOOPS_FORCE 1e-4

/* A joint between two bodies of the chain; -1: ground. Or a coupling of the joints that these hang by. With a compliance, in m/N and
 * rad/(N m), and a damping of rows, 0: none. */
typedef struct closing {
    const char *type;
    int32_t a, b;
    double compliance, damping;
} closing;

typedef struct closings {
    const char *name;
    closing all[CLOSINGS_MOST];
    bool floats;
} closings;

static const closings closed[] = {
    {"a ball at the tip", {{"spherical", 8, -1}}, false},
    {"a ball, the other way round", {{"spherical", 0, 8}}, false},
    {"a hinge at the tip", {{"hinge", 8, -1}}, false},
    {"a universal joint", {{"universal", 8, 1}}, false},
    {"a slider at the tip", {{"slider", 8, -1}}, false},
    {"a cylindrical joint", {{"cylindrical", 2, 8}}, false},
    {"a plane", {{"planar", 7, 0}}, false},
    {"a gimbal", {{"gimbal", 8, 3}}, false},
    {"a solid joint", {{"solid", 8, -1}}, false},
    {"a hinge within", {{"hinge", 8, 1}}, false},
    {"balls one within the other", {{"spherical", 8, 0}, {"spherical", 6, 2}}, false},
    {"balls that share links", {{"spherical", 8, 2}, {"spherical", 5, -1}}, false},
    {"balls on the same link", {{"spherical", 8, 3}, {"spherical", 7, 3}}, false},
    {"balls on each other", {{"spherical", 4, -1}, {"spherical", 8, 4}}, false},
    {"two planes", {{"planar", 8, 3}, {"planar", 6, -1}}, false},
    {"a ball on what floats", {{"spherical", 8, 1}}, true},
    {"a hinge on what floats", {{"hinge", 8, 0}}, true},
    {"a gear", {{"gear", 5, 2}}, false},
    {"gears in a row", {{"gear", 4, 3}, {"gear", 5, 4}}, false},
    {"a gear and a curve", {{"gear", 6, 1}, {"curve", 8, 4}}, false},
    {"a gear in a loop", {{"spherical", 8, 1}, {"gear", 4, 6}}, false},
    {"a gear out of a loop", {{"hinge", 8, 1}, {"gear", 0, 4}}, false},
    {"a gear on what floats", {{"gear", 7, 4}}, true},
    {"balls within each other on what floats", {{"spherical", 8, 0}, {"spherical", 7, 3}}, true},
};
enum { CLOSED = sizeof closed / sizeof *closed };

/* Joints that yield, and those by which no body hangs in joint coordinates: rows, whether they close a loop or not. */
static const closings as_rows[] = {
    {"a soft ball", {{"spherical", 8, -1, 1e-4, 0.0}}, false},
    {"a soft, damped hinge", {{"hinge", 8, 1, 1e-3, 5.0}}, false},
    {"a soft ball on what floats", {{"spherical", 8, 1, 1e-5, 20.0}}, true},
    {"a soft slider and a hard ball", {{"slider", 8, 2, 2e-4, 1.0}, {"spherical", 6, 0}}, false},
    {"a point on a plane", {{"point_plane", 8, 0}}, false},
    {"a point on a line", {{"point_line", 8, -1}}, false},
    {"axes that stay parallel", {{"parallel_axes", 8, 2}}, false},
    {"a turn that is locked", {{"rotation_lock", 6, 1}}, true},
    {"a joint of constant velocity", {{"constant_velocity", 8, 1}}, false},
};
enum { AS_ROWS = sizeof as_rows / sizeof *as_rows };

static void add_link(tn_spec *spec, int32_t k, const attachment *what, bool floats, bool there,
                     uint64_t *r)
{
    tn_load_def load = tn_default_load_def(TN_LOAD_KIND_COUNT);
    const tn_body body = attach_body(spec, k, there ? what : NULL, &load, r);
    tn_joint_def joint = tn_default_joint_def();
    if (floats && k == 0)
        return;
    joint.type = "hinge";
    joint.a.i = k;
    joint.b.i = k - 1;
    joint.placement = TN_PLACE_AXIS;
    joint.origin = (tn_vec3){k - 0.5, 0.1 + 0.3 * sin(2.0 * k), 0.1 * k + 0.2 * cos(3.0 * k)};
    joint.axis = random_axis(r);
    load.joint = attach_joint(spec, &joint, there ? what : NULL);
    attach_load(spec, &load, body);
}

static bool couples(const closing *of)
{
    return strcmp(of->type, "gear") == 0 || strcmp(of->type, "curve") == 0;
}

/* Values stay what they are at the start. */
static void add_coupling(tn_spec *spec, const closing *of, bool floats)
{
    static const double curve[] = {0.0, 0.8, -0.3, 0.2};
    const int32_t first = floats ? 1 : 0;
    tn_coupling_def def = tn_default_coupling_def();
    tn_coupling_term terms[] = {{.joint = {of->a - first}, .ratio = 1.0},
                                {.joint = {of->b - first}, .ratio = -1.5}};
    if (strcmp(of->type, "curve") == 0)
        terms[0].function =
            (tn_function_def){.kind = TN_FUNCTION_POLYNOMIAL, .numbers = curve, .count = 4};
    def.terms = terms;
    def.term_count = 2;
    ck_assert_int_eq(tn_spec_add_coupling(spec, &def, NULL), TN_OK);
}

static void add_closing(tn_spec *spec, const closing *of, int n, const attachment *what, bool there,
                        uint64_t *r)
{
    tn_body_def body = tn_default_body_def();
    tn_joint_def joint = tn_default_joint_def();
    tn_load_def load = tn_default_load_def(TN_LOAD_KIND_COUNT);
    joint.type = of->type;
    joint.a.i = of->a;
    joint.b.i = of->b;
    joint.placement = TN_PLACE_AXIS;
    joint.origin = (tn_vec3){6.0 + n, 0.7 - n, 0.4};
    joint.axis = random_axis(r);
    for (int row = 0; row < TN_MAX_ROWS && of->compliance > 0.0; row++) {
        joint.compliance[row] = of->compliance;
        joint.damping[row] = of->damping;
    }
    load.joint = attach_joint(spec, &joint, there ? what : NULL);
    if (there && what->load)
        what->load(&body, &load);
    if (load.kind == TN_LOAD_EFFORT)
        ck_assert_int_eq(tn_spec_add_load(spec, &load, NULL), TN_OK);
}

/* Can it act along the joint that closes the loop, which is of one coordinate? */
static bool is_for(const attachment *what, const closing *of)
{
    return (strcmp(of->type, "hinge") == 0 || strcmp(of->type, "slider") == 0) && what->put;
}

/* Attached to link `on`; -1: to the first joint that closes a loop; -2: to nothing. */
static tn_model *make_closed(const closings *of, const attachment *what, int32_t on, uint64_t seed)
{
    tn_spec *spec = tn_spec_create();
    for (int32_t k = 0; k < BODIES; k++)
        add_link(spec, k, what, of->floats, k == on, &seed);
    for (int n = 0; n < CLOSINGS_MOST && of->all[n].type; n++) {
        if (couples(&of->all[n]))
            add_coupling(spec, &of->all[n], of->floats);
        else
            add_closing(spec, &of->all[n], n, what, n == 0 && on == -1, &seed);
    }
    return compiled(spec);
}

/* Ways of loops on which nothing acts. */
static void forget_others(tn_sim *sim)
{
    tn_linkage_destroy(tn_alpha_of(sim)->linkage);
    tn_space_destroy(tn_alpha_of(sim)->space);
    tn_alpha_of(sim)->linkage = NULL;
    tn_alpha_of(sim)->space = NULL;
}

/* m/s, rad/s: does something move faster than such steps resolve? */
static bool is_too_fast(const tn_sim *sim)
{
    double most = 0.0;
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        most = fmax(fabs(sim->state.u[k]), most);
    return most > 10.0;
}

/* Out: steps in coordinates. */
static int compare_steps(tn_sim *sim, tn_sim *general, const char *name)
{
    int in_coordinates = 0;
    for (int k = 0; k < STEPS; k++) {
        const tn_status status = tn_sim_step(sim, STEP, NULL);
        ck_assert_msg(tn_sim_step(general, STEP, NULL) == status, "%s, step %d: %s", name, k,
                      tn_status_text(status));
        if (status != TN_OK || is_too_fast(general)) /* what is given leads to a dead point */
            return STEPS;
        in_coordinates += sim->reactions_balance;
        ck_assert(!general->reactions_balance);
        expect_same(sim, general, LOOPS_FORCE);
        ck_assert_double_le(balance_of(sim), fmax(1e-6, 2.0 * balance_of(general)));
    }
    return in_coordinates;
}

static void compare(const tn_model *model, const char *name, bool may_be_still)
{
    tn_sim *sim = alpha_sim_to(model, TOLERANCE), *general = alpha_sim_to(model, TOLERANCE);
    ck_assert_ptr_nonnull(tn_alpha_of(sim)->hinges);
    forget_hinges(general);
    forget_others(sim);
    forget_others(general);
    const int in_coordinates = compare_steps(sim, general, name);
    ck_assert_msg(in_coordinates > STEPS / 2 || may_be_still, "%s: %d steps in coordinates", name,
                  in_coordinates);
    tn_sim_destroy(sim);
    tn_sim_destroy(general);
}

/* What acts on a link that is in the loops, or on a joint that closes one, in turn. */
START_TEST(test_closed)
{
    const attachment *what = &attachments[_i % ATTACHMENTS];
    const closings *of = &closed[_i % CLOSED];
    const bool within = _i < 2 * ATTACHMENTS || !is_for(what, &of->all[0]);
    tn_model *model = make_closed(of, what, within ? 4 : -1, 3u * (uint64_t)_i + 5u);
    char name[128];
    snprintf(name, sizeof name, "%s, %s", of->name, what->name);
    compare(model, name, false);
    tn_model_destroy(model);
}
END_TEST

/* With nothing else, and with something that acts on a link on their path. */
START_TEST(test_as_rows)
{
    const closings *of = &as_rows[_i / 2];
    const attachment *what = &attachments[_i % 2 == 0 ? 0 : _i % ATTACHMENTS];
    tn_model *model = make_closed(of, what, _i % 2 == 0 ? -2 : 4, 7u * (uint64_t)_i + 11u);
    char name[128];
    snprintf(name, sizeof name, "%s, %s", of->name, what->name);
    compare(model, name, false);
    tn_model_destroy(model);
}
END_TEST

/* Of rows that repeat others, with drag on all bodies. */
static void add_drag(mechanism *m)
{
    tn_body bodies[BODIES_MOST];
    tn_load_def load = tn_default_load_def(TN_LOAD_DRAG);
    load.linear = 0.5;
    load.rotary = 0.1;
    load.bodies = bodies;
    load.body_count = 0;
    for (int32_t i = 0; i < tn_spec_body_count(m->spec); i++) {
        ck_assert_int_lt(i, BODIES_MOST);
        if (tn_spec_body(m->spec, (tn_body){i})->kind != TN_BODY_FIXED)
            bodies[load.body_count++] = (tn_body){i};
    }
    ck_assert_int_eq(tn_spec_add_load(m->spec, &load, NULL), TN_OK);
}

START_TEST(test_overconstrained)
{
    mechanism m = overconstrained_list[_i].build();
    add_drag(&m);
    mechanism_compile(&m, TN_GENERALIZED_ALPHA);
    tn_sim *sim = alpha_sim_to(m.model, TOLERANCE);
    const bool here = tn_alpha_of(sim)->hinges != NULL;
    tn_sim_destroy(sim);
    if (here)
        compare(m.model, overconstrained_list[_i].name, true);
    mechanism_free(&m);
}
END_TEST

/* A hinge or a ball joint between two bodies, -1: ground. */
static void join(tn_spec *spec, const char *type, int32_t a, int32_t b, tn_vec3 at, tn_vec3 axis)
{
    tn_joint_def joint = tn_default_joint_def();
    joint.type = type;
    joint.a.i = a;
    joint.b.i = b;
    joint.placement = TN_PLACE_AXIS;
    joint.origin = at;
    joint.axis = axis;
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
}

/* Posts up from the ground, and a bar from the top of each to the next one, each of which closes a loop with its neighbours.
 * Upright the loops of four hinges are planar, and three rows of each repeat others; of leaning ones, whose bars end in balls,
 * none do but the spin of bars. */
static tn_model *make_row(int loops, bool upright)
{
    tn_spec *spec = tn_spec_create();
    const tn_vec3 z = {0.0, 0.0, 1.0};
    tn_world_def world = tn_default_world_def();
    uint64_t r = 7;
    world.gravity = (tn_vec3){0.0, -9.81, 0.0};
    ck_assert_int_eq(tn_spec_set_world(spec, &world), TN_OK);
    for (int k = 0; k <= loops; k++) {
        const tn_vec3 foot = {k, 0.0, 0.0},
                      lean = {0.3 + 0.01 * k, 1.0, upright ? 0.0 : 0.1 * (k % 3)},
                      top = v3_add(foot, lean);
        tn_body_def body = tn_default_body_def();
        tn_load_def load = tn_default_load_def(TN_LOAD_DRAG);
        body.mass = 1.0 + 0.1 * k;
        body.inertia = (tn_mat3){{{0.1, 0.0, 0.0}, {0.0, 0.1, 0.0}, {0.0, 0.0, 0.1}}};
        body.pose.p = v3_axpy(foot, 0.5, lean);
        ck_assert_int_eq(tn_spec_add_body(spec, &body, NULL), TN_OK);
        join(spec, "hinge", k == 0 ? 0 : 2 * k - 1, -1, foot, upright ? z : random_axis(&r));
        if (k == 0)
            continue;
        const tn_vec3 before = {k - 1 + 0.3 + 0.01 * (k - 1), 1.0,
                                upright ? 0.0 : 0.1 * ((k - 1) % 3)};
        body.pose.p = v3_scale(0.5, v3_add(before, top));
        ck_assert_int_eq(tn_spec_add_body(spec, &body, NULL), TN_OK);
        join(spec, upright ? "hinge" : "universal", 2 * k, k == 1 ? 0 : 2 * k - 3, before, z);
        join(spec, upright ? "hinge" : "spherical", 2 * k, 2 * k - 1, top, z);
        load.linear = 0.2;
        load.bodies = &(tn_body){2 * k};
        load.body_count = 1;
        ck_assert_int_eq(tn_spec_add_load(spec, &load, NULL), TN_OK);
    }
    return compiled(spec);
}

/* More rows share links than a dense matrix would be worth. */
START_TEST(test_rows_of_loops)
{
    static const int loops[] = {1, 3, 12, 40};
    tn_model *model = make_row(loops[_i / 2], _i % 2 == 0);
    char name[64];
    snprintf(name, sizeof name, "%d loops in a row, %s", loops[_i / 2],
             _i % 2 == 0 ? "upright" : "leaning");
    compare(model, name, false);
    tn_model_destroy(model);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("hinge_loops");
    TCase *all = tcase_create("hinge_loops");
    tcase_set_timeout(all, 120.0);
    tcase_add_loop_test(all, test_closed, 0, 4 * ATTACHMENTS);
    tcase_add_loop_test(all, test_as_rows, 0, 2 * AS_ROWS);
    tcase_add_loop_test(all, test_overconstrained, 0, overconstrained_count);
    tcase_add_loop_test(all, test_rows_of_loops, 0, 8);
    suite_add_tcase(suite, all);
    return suite;
}
