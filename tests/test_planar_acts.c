/* test_planar_acts.c: planar bodies in steps in the coordinates of their joints (method/hinges), beside the same in the general iteration
 * of bodies and rows: random trees and loops, with each kind of thing that acts along joints or on bodies at one place, at some or at
 * all. Bodies are in planes of their own, and loads and gravity point out of these. Poses, velocities, accelerations, multipliers,
 * what drives do, and energies are the same. What the wrenches of joints leave of each body's balance is looked at apart from both.
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "attachments.h"
#include "method/hinges/alpha_hinges.h"
#include "method/pinned/pinned.h"
#include "random_numbers.h"
#include "run_main.h"
#include "same_sims.h"
#include "tenon/tenon.h"

enum { BODIES = 9, STEPS = 60, CLOSINGS_MOST = 2 };

#define STEP 1e-3 /* s */

/* A joint between two bodies; -1: ground. Or a gear between the joints that these hang by. */
typedef struct closing {
    const char *type;
    int32_t a, b;
} closing;

/* The types of joints that bodies hang by, one after the other again and again; the first may be another one, or float. */
typedef struct mechanism {
    const char *name;
    const char *types[5];
    const char *root;
    bool in_row; /* each body hangs on the one before; else they branch */
    bool floats;
    closing closed[CLOSINGS_MOST];
} mechanism;

static const mechanism mechanisms[] = {
    {"pins", {"hinge"}, NULL, false, false, {{0}}},
    {"pins in a row", {"hinge"}, NULL, true, false, {{0}}},
    {"a slider at the root", {"hinge"}, "slider", true, false, {{0}}},
    {"sliders among pins", {"hinge", "slider"}, NULL, false, false, {{0}}},
    {"welds among pins", {"hinge", "solid", "slider", "solid"}, NULL, false, false, {{0}}},
    {"a weld to the ground", {"hinge"}, "solid", true, false, {{0}}},
    {"slots", {"slotted_hinge", "hinge"}, NULL, false, false, {{0}}},
    {"planes", {"planar", "hinge", "planar_translation"}, NULL, false, false, {{0}}},
    {"points", {"spherical", "hinge"}, NULL, false, false, {{0}}},
    {"a floating body", {"hinge", "slider"}, NULL, true, true, {{0}}},
    {"a free joint", {"hinge"}, "free", true, false, {{0}}},
    {"closed by a pin", {"hinge"}, NULL, true, false, {{"hinge", 8, -1}}},
    {"closed by a pin, the other way round", {"hinge"}, NULL, true, false, {{"hinge", 0, 8}}},
    {"closed by a slider", {"hinge"}, NULL, true, false, {{"slider", 8, -1}}},
    {"closed by a weld", {"hinge"}, NULL, true, false, {{"solid", 8, 1}}},
    {"closed by a slot", {"hinge"}, "slider", true, false, {{"slotted_hinge", 7, 1}}},
    {"closed by points", {"hinge"}, NULL, true, false, {{"spherical", 8, 0}, {"spherical", 6, 2}}},
    {"closed on what floats", {"hinge"}, NULL, true, true, {{"hinge", 8, 1}}},
    {"a gear", {"hinge"}, NULL, true, false, {{"gear", 5, 2}}},
    {"a gear and a pin", {"hinge"}, NULL, true, false, {{"hinge", 8, 1}, {"gear", 4, 6}}},
};
enum { MECHANISMS = sizeof mechanisms / sizeof *mechanisms, TREES = 11 };

static const char *type_of(const mechanism *of, int32_t k)
{
    int32_t count = 0;
    while (of->types[count])
        count++;
    if (k == 0 && (of->root || of->floats))
        return of->root;
    return of->types[k % count];
}

/* Is there something of it along which things act? */
static bool has_coordinate(const mechanism *of, int32_t k)
{
    const char *type = type_of(of, k);
    return type && strcmp(type, "solid") != 0 && strcmp(type, "spherical") != 0;
}

/* Pins turn about z or -z; all others slide in the plane. */
static tn_vec3 axis_of(const char *type, uint64_t *r)
{
    const double angle = 3.0 * random_number(r);
    if (strcmp(type, "slider") == 0 || strcmp(type, "slotted_hinge") == 0)
        return (tn_vec3){cos(angle), sin(angle), 0.0};
    return (tn_vec3){0.0, 0.0, strcmp(type, "hinge") == 0 && angle < 0.0 ? -1.0 : 1.0};
}

static void add_link(tn_spec *spec, int32_t k, const attachment *what, const mechanism *of,
                     bool there, uint64_t *r)
{
    tn_load_def load = tn_default_load_def(TN_LOAD_KIND_COUNT);
    const tn_body added = attach_planar_body(spec, k, there ? what : NULL, &load, r);
    int32_t inner = k == 0 ? -1 : (int32_t)random_between(r, 0.0, k - 1e-9);
    if (of->in_row)
        inner = k - 1;
    const bool is_b = inner >= 0 && random_number(r) > 0.0;
    tn_joint_def joint = tn_default_joint_def();
    joint.type = type_of(of, k);
    if (!joint.type)
        return;
    joint.a.i = is_b ? inner : k;
    joint.b.i = is_b ? k : inner;
    joint.placement = TN_PLACE_AXIS;
    joint.origin = (tn_vec3){k - 0.5, 0.1 + 0.3 * sin(2.0 * k), 0.1 * k};
    joint.axis = axis_of(joint.type, r);
    load.joint = attach_joint(spec, &joint, there ? what : NULL);
    if (there)
        attach_load(spec, &load, added);
}

static void add_closing(tn_spec *spec, const closing *of, int n, bool floats, uint64_t *r)
{
    tn_joint_def joint = tn_default_joint_def();
    tn_coupling_def gear = tn_default_coupling_def();
    const tn_coupling_term terms[] = {{.joint = {of->a - floats}, .ratio = 1.0},
                                      {.joint = {of->b - floats}, .ratio = -1.5}};
    gear.terms = terms;
    gear.term_count = 2;
    if (strcmp(of->type, "gear") == 0) {
        ck_assert_int_eq(tn_spec_add_coupling(spec, &gear, NULL), TN_OK);
        return;
    }
    joint.type = of->type;
    joint.a.i = of->a;
    joint.b.i = of->b;
    joint.placement = TN_PLACE_AXIS;
    joint.origin = (tn_vec3){6.0 + n, 0.7 - n, 0.4};
    joint.axis = axis_of(joint.type, r);
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
}

static tn_model *make(const attachment *what, const mechanism *of, int where, uint64_t seed)
{
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    world.gravity = (tn_vec3){1.0, -9.81, 3.0};
    ck_assert_int_eq(tn_spec_set_world(spec, &world), TN_OK);
    for (int32_t k = 0; k < BODIES; k++) {
        const bool there = where == 2 || (where == 1 ? k % 3 != 1 : k == 4);
        add_link(spec, k, what, of, there && has_coordinate(of, k), &seed);
    }
    for (int n = 0; n < CLOSINGS_MOST && of->closed[n].type; n++)
        add_closing(spec, &of->closed[n], n, of->floats, &seed);
    return compiled(spec);
}

static void set_going(tn_sim *sim)
{
    const tn_coordinate_request rate = {{sim->model->joint_count / 2}, 0, 0.7};
    const int32_t j = rate.joint.i;
    if (sim->model->joints[j].geometry.cls->info.coordinate_count > 0 &&
        sim->state.switches[j].hold[0] <= TN_HOLD_SPRING && sim->state.switches[j].drive < 0)
        ck_assert_int_eq(tn_sim_set_coordinate_speeds(sim, &rate, 1, NULL, NULL, NULL), TN_OK);
}

/* Nothing has left its plane, and rows that no body feels bear nothing. */
static void expect_in_plane(const tn_sim *sim)
{
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_quat q = sim->state.q[i];
        ck_assert(sim->state.x[i].z == sim->model->bodies[i].x0.z && q.x == 0.0 && q.y == 0.0);
    }
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_model_joint *joint = &sim->model->joints[j];
        const int32_t count = joint->geometry.cls->info.bilateral_count;
        for (int32_t row = 0, n = 0; row < count; row++) {
            const bool kept = n < joint->kept_bilateral && joint->kept[n] == row;
            ck_assert(kept || sim->state.lambda[j * TN_MAX_ROWS + row] == 0.0);
            n += kept;
        }
    }
}

/* What trees on pins have where nothing acts. */
static void forget_pinned(tn_sim *sim)
{
    tn_pinned_destroy(tn_alpha_of(sim)->pinned);
    tn_alpha_of(sim)->pinned = NULL;
}

static void compare(const attachment *what, const mechanism *of, int where, uint64_t seed)
{
    tn_model *model = make(what, of, where, seed);
    tn_sim *sim = alpha_sim_to(model, TOLERANCE), *general = alpha_sim_to(model, TOLERANCE);
    int in_coordinates = 0;
    bool held = false;
    forget_hinges(general);
    forget_pinned(sim);
    forget_pinned(general);
    set_going(sim);
    set_going(general);
    for (int k = 0; k < STEPS; k++) {
        ck_assert_int_eq(tn_sim_step(sim, STEP, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_step(general, STEP, NULL), TN_OK);
        in_coordinates += sim->reactions_balance;
        ck_assert(!general->reactions_balance);
        expect_same(sim, general, of->closed[0].type ? 10.0 * SAME_FORCE : SAME_FORCE);
        expect_in_plane(sim);
        ck_assert_double_le(balance_of(sim), 1e-6);
    }
    held = what->still && where == 2;
    ck_assert_msg(in_coordinates > STEPS / 2 || held, "%s, %s: %d steps in coordinates", what->name,
                  of->name, in_coordinates);
    tn_sim_destroy(sim);
    tn_sim_destroy(general);
    tn_model_destroy(model);
}

/* What would hold more than one of the joints of a gear contradicts it. */
static bool has_gear(const mechanism *of)
{
    bool has = false;
    for (int n = 0; n < CLOSINGS_MOST && of->closed[n].type; n++)
        has |= strcmp(of->closed[n].type, "gear") == 0;
    return has;
}

/* Each mechanism with some attachments, so that each of these has been with some mechanisms. */
START_TEST(test_beside_general)
{
    const mechanism *of = &mechanisms[_i % MECHANISMS];
    const attachment *what = &attachments[(3 * _i + _i / MECHANISMS) % ATTACHMENTS];
    const bool closed = of->closed[0].type != NULL;
    compare(what, of, has_gear(of) ? 0 : _i / 2 % (closed ? 2 : 3), (uint64_t)_i + 3);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("planar_acts");
    TCase *all = tcase_create("planar_acts");
    tcase_set_timeout(all, 120.0);
    tcase_add_loop_test(all, test_beside_general, 0, 3 * MECHANISMS);
    suite_add_tcase(suite, all);
    return suite;
}
