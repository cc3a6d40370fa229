/* test_linkage.c: planar linkages drawn in space, and hinges in space with loops, go through iterations of their own
 * (method/linkage), as ball joints with loops do, and end where the general one ends.
 *
 * Each mechanism runs beside itself without that iteration. Places agree to what iterations that
 * end within the tolerance leave, over all steps, reactions to 1e-7 of the forces, those of redundant rows
 * among them; forces balance on every body (Newton, Euler).
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "alpha_sims.h"
#include "beside_general.h"
#include "random_numbers.h"
#include "run_main.h"
#include "saved_states.h"
#include "scenes/scenes.h"
#include "tenon/tenon.h"
#include "support/heavy.h"

#define STEPS 150

static tn_joint_def hinge_at(int32_t a, int32_t b, tn_vec3 origin, tn_vec3 axis)
{
    tn_joint_def joint = tn_default_joint_def();
    joint.type = "hinge";
    joint.a.i = a;
    joint.b.i = b;
    joint.placement = TN_PLACE_AXIS;
    joint.origin = origin;
    joint.axis = axis;
    return joint;
}

/* ---- a linkage across space ---- */

/* Two unit vectors and their product, no axis of the world among them. */
static const tn_vec3 along = {2.0 / 3.0, -2.0 / 3.0, 1.0 / 3.0},
                     up = {1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0},
                     out = {-2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0};

static tn_vec3 at(double x, double y, double z)
{
    return (tn_vec3){x * along.x + y * up.x + z * out.x, x * along.y + y * up.y + z * out.y,
                     x * along.z + y * up.z + z * out.z};
}

/* A body at a place of the plane, but not its centre of mass; no axis of it a principal one. */
static int32_t add_odd(tn_spec *spec, double x, double y, double z, tn_body_kind kind)
{
    tn_body_def body = tn_default_body_def();
    body.kind = kind;
    body.pose.p = at(x, y, z);
    body.pose.q = (tn_quat){0.5, 0.1, -0.7, 0.5};
    body.mass = 1.5;
    body.com = (tn_vec3){0.1, -0.05, 0.2};
    body.inertia = (tn_mat3){{{0.3, 0.02, -0.03}, {0.02, 0.4, 0.05}, {-0.03, 0.05, 0.35}}};
    tn_body id = {0};
    ck_assert_int_eq(tn_spec_add_body(spec, &body, &id), TN_OK);
    return id.i;
}

/* A five-bar of odd bodies between ground and a body that stands, hinges to both sides, shares of its own;
 * and an arm that hangs on it. With tilt one axis is out of parallel, with lift one hinge is higher. */
static tn_spec *make_odd(double tilt, double lift)
{
    tn_spec *spec = tn_spec_create();
    const tn_vec3 g = {1.0, -9.0, 3.0}, back = at(0.0, 0.0, -1.0);
    tn_world_def world = tn_default_world_def();
    world.gravity = g;
    tn_spec_set_world(spec, &world);
    const int32_t stand = add_odd(spec, 3.0, 0.0, 0.0, TN_BODY_FIXED);
    const int32_t one = add_odd(spec, 0.2, 0.6, 0.1, TN_BODY_RIGID);
    const int32_t two = add_odd(spec, 1.0, 1.2, -0.2, TN_BODY_RIGID);
    const int32_t three = add_odd(spec, 2.0, 1.1, 0.3, TN_BODY_RIGID);
    const int32_t four = add_odd(spec, 2.8, 0.5, 0.0, TN_BODY_RIGID);
    const int32_t arm = add_odd(spec, 1.2, 2.0, 0.0, TN_BODY_RIGID);
    tn_joint_def joints[] = {
        hinge_at(one, -1, at(0.0, 0.0, 0.2), out),
        hinge_at(two, one, at(0.4, 1.1, 0.0), back),
        hinge_at(two, three, at(1.6, 1.4, 0.1), out),
        hinge_at(four, three, at(2.6, 1.0, 0.3 + lift), out),
        hinge_at(four, stand, at(3.0, 0.0, -0.1), back),
        hinge_at(arm, two, at(1.1, 1.4, 0.0), at(0.0, tilt, 1.0)),
    };
    joints[1].relative_compliance = 10.0;
    joints[4].relative_compliance = 0.3;
    for (size_t k = 0; k < sizeof joints / sizeof *joints; k++)
        ck_assert_int_eq(tn_spec_add_joint(spec, &joints[k], NULL), TN_OK);
    return spec;
}

static tn_spec *make_plain_odd(int32_t n)
{
    (void)n;
    return make_odd(0.0, 0.0);
}

/* A parallelogram with a third crank: a row of the plane repeats others. */
static tn_spec *make_three_cranks(int32_t n)
{
    (void)n;
    tn_spec *spec = tn_spec_create();
    const tn_vec3 z = {0.0, 0.0, 1.0};
    tn_body_def bar = tn_default_body_def();
    bar.mass = 1.0;
    bar.inertia = (tn_mat3){{{0.1, 0.0, 0.0}, {0.0, 0.1, 0.0}, {0.0, 0.0, 0.1}}};
    for (int k = 0; k < 4; k++) {
        bar.pose.p = k < 3 ? (tn_vec3){k, 0.5, 0.0} : (tn_vec3){1.0, 1.0, 0.0};
        tn_spec_add_body(spec, &bar, NULL);
    }
    for (int k = 0; k < 3; k++) {
        tn_joint_def joint = hinge_at(k, -1, (tn_vec3){k, 0.0, 0.0}, z);
        joint.speed[0] = k == 0 ? 2.0 : NAN;
        tn_spec_add_joint(spec, &joint, NULL);
        joint = hinge_at(3, k, (tn_vec3){k, 1.0, 0.0}, z);
        tn_spec_add_joint(spec, &joint, NULL);
    }
    return spec;
}

/* A loop of n hinges with axes every which way, n - 1 odd bodies between them, shares of their own, and an arm. */
static tn_spec *make_chain_loop(int32_t n)
{
    tn_spec *spec = tn_spec_create();
    tn_vec3 places[16];
    for (int32_t k = 0; k < n; k++)
        places[k] = (tn_vec3){cos(6.28 * k / n), sin(6.28 * k / n), 0.3 * sin(2.0 * k)};
    for (int32_t k = 0; k + 1 < n; k++) {
        const tn_vec3 a = places[k], b = places[k + 1];
        add_odd(spec, 0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z), TN_BODY_RIGID);
    }
    for (int32_t k = 0; k < n; k++) {
        const tn_vec3 p = places[k], axis = {cos(1.3 * k), sin(2.1 * k), 0.4 + cos(0.7 * k)};
        tn_joint_def joint = hinge_at(k < n - 1 ? k : n - 2, k == 0 || k == n - 1 ? -1 : k - 1,
                                      at(p.x, p.y, p.z), axis);
        joint.relative_compliance = k % 2 ? 3.0 : NAN;
        ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
    }
    const int32_t arm = add_odd(spec, 0.0, 2.0, 0.5, TN_BODY_RIGID);
    const tn_joint_def joint = hinge_at(arm, 1, at(0.0, 1.5, 0.2), (tn_vec3){0.3, -1.0, 0.5});
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
    return spec;
}

/* ---- ball joints ---- */

static void add_ball(tn_spec *spec, int32_t a, int32_t b, tn_vec3 p, double compliance)
{
    tn_joint_def joint = hinge_at(a, b, p, (tn_vec3){0.0, 0.0, 1.0});
    joint.type = "spherical";
    joint.relative_compliance = compliance;
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
}

/* A loop of n ball joints, n - 1 odd bodies between them, shares of their own, and two arms in a row that no loop has. */
static tn_spec *make_ball_loop(int32_t n)
{
    tn_spec *spec = tn_spec_create();
    for (int32_t k = 0; k + 1 < n; k++)
        add_odd(spec, cos(6.28 * (k + 0.5) / n), sin(6.28 * (k + 0.5) / n),
                0.3 * sin(2.0 * k + 1.0), TN_BODY_RIGID);
    for (int32_t k = 0; k < n; k++)
        add_ball(spec, k < n - 1 ? k : n - 2, k == 0 || k == n - 1 ? -1 : k - 1,
                 at(cos(6.28 * k / n), sin(6.28 * k / n), 0.3 * sin(2.0 * k)), k % 2 ? 3.0 : NAN);
    const int32_t arm = add_odd(spec, 0.0, 2.0, 0.5, TN_BODY_RIGID);
    const int32_t hand = add_odd(spec, 0.5, 2.5, 0.5, TN_BODY_RIGID);
    add_ball(spec, arm, 1, at(0.0, 1.5, 0.2), NAN);
    add_ball(spec, arm, hand, at(0.2, 2.2, 0.4), NAN);
    return spec;
}

/* Bodies that hold each other by two and by three points: rows of four motions repeat others. A body that stands, and one
 * that is held from both sides. */
static tn_spec *make_plates(int32_t n)
{
    (void)n;
    tn_spec *spec = tn_spec_create();
    const int32_t stand = add_odd(spec, -1.0, 0.0, 0.0, TN_BODY_FIXED);
    const int32_t one = add_odd(spec, 0.5, 0.1, 0.2, TN_BODY_RIGID);
    const int32_t two = add_odd(spec, 1.2, 0.3, -0.1, TN_BODY_RIGID);
    const int32_t three = add_odd(spec, 2.0, -0.2, 0.1, TN_BODY_RIGID);
    add_ball(spec, one, stand, at(0.0, 0.0, 0.0), NAN);
    add_ball(spec, two, one, at(1.0, 0.0, 0.0), 2.0);
    add_ball(spec, one, two, at(1.0, 0.6, 0.1), NAN);
    add_ball(spec, two, one, at(0.9, 0.2, 0.7), 0.5);
    add_ball(spec, three, two, at(1.6, 0.0, 0.0), NAN);
    add_ball(spec, two, three, at(1.7, 0.5, 0.2), NAN);
    return spec;
}

/* Doors on doors, on n or two hinges of one axis each: five rows of each hinge but one repeat others, and many steps are left to
 * the general iteration. */
static tn_spec *make_doors(int32_t n)
{
    tn_spec *spec = tn_spec_create();
    const tn_vec3 axes[] = {{0.3, -1.0, 0.5}, {1.0, 0.2, 0.4}, {-0.2, 0.5, 1.0}};
    const int32_t stand = add_odd(spec, -1.0, 0.0, 0.0, TN_BODY_FIXED);
    int32_t inner = stand;
    for (int32_t k = 0; k < 3; k++) {
        const int32_t door = add_odd(spec, 0.8 * k + 0.4, 0.2, 0.1 * k, TN_BODY_RIGID);
        const tn_vec3 p = at(0.8 * k, 0.1 * k, 0.0);
        for (int32_t i = 0; i < (k == 1 ? 2 : n); i++) {
            const double t = 0.7 * i;
            const tn_vec3 o = {p.x + t * axes[k].x, p.y + t * axes[k].y, p.z + t * axes[k].z};
            tn_joint_def joint =
                i % 2 ? hinge_at(inner, door, o, axes[k]) : hinge_at(door, inner, o, axes[k]);
            joint.relative_compliance = i == 1 ? 2.0 : NAN;
            ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
        }
        inner = door;
    }
    return spec;
}

/* ---- two simulations ---- */

static const struct {
    const char *name;
    tn_spec *(*make)(int32_t n); /* NULL: the scene of that name */
    int32_t n;
    int steps; /* at least so many are taken by the linkage */
} cases[] = {
    {"n_four_bar", NULL, 1, 145},
    {"n_four_bar", NULL, 10, 145},
    {"ring", NULL, 12, 140},
    {"four_bar", NULL, 0, 140},
    {"odd", make_plain_odd, 0, 140},
    {"cranks", make_three_cranks, 0, 0},
    {"bricard", NULL, 0, 140},
    {"loop of 7", make_chain_loop, 7, 140},
    {"loop of 8", make_chain_loop, 8, 140},
    {"loop of 9", make_chain_loop, 9, 140},
    {"loop of 10", make_chain_loop, 10, 140},
    {"loop of 14", make_chain_loop, 14, 130},
    {"ladder", NULL, 1, 140},
    {"ladder", NULL, 3, 140},
    {"ladder", NULL, 10, 140},
    {"balls of 4", make_ball_loop, 4, 140},
    {"balls of 5", make_ball_loop, 5, 140},
    {"balls of 7", make_ball_loop, 7, 140},
    {"plates", make_plates, 0, 140},
    {"doors on 2", make_doors, 2, 1},
    {"doors on 3", make_doors, 3, 1},
    {"doors on 4", make_doors, 4, 1},
};

static tn_model *model_of(int i)
{
    if (cases[i].make)
        return compiled(cases[i].make(cases[i].n));
    return compiled(speed_scene_find(cases[i].name)->make(cases[i].n));
}

static void compare(const tn_sim *a, const tn_sim *b, int i, int k)
{
    const joints_off off = compare_joints(a, b);
    expect_same_places(a, b, cases[i].name, k);
    ck_assert_msg(off.wrench <= SAME_FORCE * off.size, "%s, step %d: wrenches off by %g of %g",
                  cases[i].name, k, off.wrench, off.size);
    ck_assert_msg(off.angle <= 10.0 * SAME_PLACE, "%s, step %d: angles off by %g", cases[i].name, k,
                  off.angle);
}

START_TEST(test_same_as_general)
{
    tn_model *model = model_of(_i);
    tn_sim *linkage = tight_sim(model), *general = tight_sim(model);
    int taken = 0;
    ck_assert(tn_alpha_of(linkage)->linkage || tn_alpha_of(linkage)->space);
    forget_linkage(general);
    for (int k = 0; k < STEPS; k++) {
        tn_step_report report, other;
        ck_assert_int_eq(tn_sim_step(linkage, STEP, &report), TN_OK);
        ck_assert_int_eq(tn_sim_step(general, STEP, &other), TN_OK);
        ck_assert(!general->coordinates_known);
        taken += linkage->coordinates_known;
        check_kinematics(linkage);
        compare(linkage, general, _i, k);
        const double off = balance_of(linkage), others = balance_of(general);
        ck_assert_msg(off <= fmax(SAME_BALANCE, 2.0 * others), "%s, step %d: off balance by %g, %g",
                      cases[_i].name, k, off, others);
        ck_assert_double_le(report.position_error, 1e-10);
    }
    ck_assert_int_ge(taken, cases[_i].steps);
    if (cases[_i].steps == 0)
        ck_assert_int_eq(taken, 0);
    tn_sim_destroy(linkage);
    tn_sim_destroy(general);
    tn_model_destroy(model);
}
END_TEST

/* Rows of a long ring are weak for its length alone (method/linkage/linkage_rows.c): steps stay in the plane, and end where the
 * general iteration ends, both 1.5e-4 m from dormand_prince. An even pull all around has an eigenvalue of some
 * (2 pi / n)^2, which rounding of coordinates makes forces of, so that only places are compared. */
#define SAME_RING 2e-9 /* m */
/* Poses met to 1e-10 m leave forces unknown by 1e-5 of gravity. */
#define RING_BALANCE 1e-5
#define RING_STEPS   25

START_TEST(test_long_ring)
{
    tn_model *model = compiled(speed_scene_find("ring")->make(4000));
    tn_sim *linkage = alpha_sim_to(model, 1e-10), *general = alpha_sim_to(model, 1e-10);
    int taken = 0;
    forget_linkage(general);
    for (int k = 0; k < RING_STEPS; k++) {
        tn_step_report report, other;
        ck_assert_int_eq(tn_sim_step(linkage, STEP, &report), TN_OK);
        ck_assert_int_eq(tn_sim_step(general, STEP, &other), TN_OK);
        taken += linkage->coordinates_known;
        ck_assert(k == 0 || report.smallest_pivot < TN_CLEARLY_REGULAR);
        ck_assert(k == 0 || report.solves <= 12);
        ck_assert_double_le(report.position_error, 1e-10);
        ck_assert_double_le(balance_of(linkage), RING_BALANCE);
        for (int32_t n = 0; n < model->body_count; n++)
            ck_assert_double_le(apart(linkage->state.x[n], general->state.x[n]), SAME_RING);
    }
    ck_assert_int_eq(taken, RING_STEPS);
    ck_assert_double_lt(tn_loop_epsilon(&linkage->state), TN_EPSILON);
    tn_sim_destroy(linkage);
    tn_sim_destroy(general);
    tn_model_destroy(model);
}
END_TEST

/* ---- which models ---- */

static bool is_linkage(tn_spec *spec)
{
    tn_model *model = compiled(spec);
    tn_linkage *linkage = NULL;
    ck_assert_int_eq(tn_linkage_create(model, &linkage), TN_OK);
    const bool is = linkage != NULL;
    tn_linkage_destroy(linkage);
    tn_model_destroy(model);
    return is;
}

/* Axes and heights but for rounding; a loop; hinges alone; nothing that floats. */
START_TEST(test_which)
{
    ck_assert(is_linkage(make_odd(0.0, 0.0)));
    ck_assert(!is_linkage(make_odd(1e-12, 0.0)));
    ck_assert(is_linkage(speed_scene_find("n_four_bar")->make(3)));
    ck_assert(!is_linkage(speed_scene_find("bricard")->make(0)));
    ck_assert(!is_linkage(speed_scene_find("chain")->make(3)));
    ck_assert(!is_linkage(speed_scene_find("ladder")->make(2)));
    ck_assert(!is_linkage(speed_scene_find("ragdoll")->make(0)));
}
END_TEST

/* What is saved and taken up again goes on with the same bits; so does what turned aside. */
START_TEST(test_saved)
{
    tn_model *model = compiled(make_odd(0.0, 0.0));
    tn_sim *one = tight_sim(model), *other = tight_sim(model);
    for (int k = 0; k < 40; k++)
        ck_assert_int_eq(tn_sim_step(one, STEP, NULL), TN_OK);
    take_over(other, one);
    for (int k = 0; k < 40; k++) {
        ck_assert_int_eq(tn_sim_step(one, STEP, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_step(other, STEP, NULL), TN_OK);
        for (int32_t i = 0; i < model->body_count; i++) {
            ck_assert(memcmp(&one->state.x[i], &other->state.x[i], sizeof one->state.x[i]) == 0);
            ck_assert(memcmp(&one->state.q[i], &other->state.q[i], sizeof one->state.q[i]) == 0);
        }
    }
    ck_assert(one->coordinates_known);
    tn_sim_destroy(one);
    tn_sim_destroy(other);
    tn_model_destroy(model);
}
END_TEST

/* Pushed out of its plane by a part of a micrometre it is left to the general way, which closes it. */
START_TEST(test_out_of_plane)
{
    tn_model *model = compiled(make_odd(0.0, 0.0));
    tn_sim *sim = tight_sim(model);
    for (int k = 0; k < 20; k++)
        ck_assert_int_eq(tn_sim_step(sim, STEP, NULL), TN_OK);
    ck_assert(sim->coordinates_known);
    sim->state.x[2].x += 1e-7;
    ck_assert_int_eq(tn_sim_step(sim, STEP, NULL), TN_OK);
    ck_assert(!sim->coordinates_known);
    for (int k = 0; k < 40; k++)
        ck_assert_int_eq(tn_sim_step(sim, STEP, NULL), TN_OK);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

/* ---- widths ---- */

/* Two or four at a time; steps of a length at which bodies turn far, too, and predictions are far off. */
START_TEST(test_widths)
{
    const double steps[] = {STEP, 0.02};
    tn_model *model = model_of(_i);
    int taken = 0;
    for (int n = 0; n < 2; n++) {
        tn_sim *one = tight_sim(model), *other = tight_sim(model);
        tn_space *space = tn_alpha_of(one)->space;
        if (space)
            space->kernel = space->ball_fours ? &tn_space_balls_2 : &tn_space_kernel_2;
        for (int k = 0; k < STEPS; k++) {
            step_both(one, other, steps[n]);
            ck_assert_msg(is_same_saved(one, other), "%s, step %d", cases[_i].name, k);
            taken += one->coordinates_known;
        }
        tn_sim_destroy(one);
        tn_sim_destroy(other);
    }
    ck_assert_int_ge(taken, cases[_i].steps);
    tn_model_destroy(model);
}
END_TEST

/* ---- far predictions ---- */

/* A loop under a hundred times its weight: bodies turn by much in a step, and axes of predictions are apart. It ends
 * where the general iteration ends, or neither does. */
START_TEST(test_far)
{
    const double h = 4e-3;
    tn_spec *spec = make_chain_loop(7 + _i);
    tn_world_def world = tn_default_world_def();
    world.gravity = (tn_vec3){300.0, -800.0, 200.0};
    tn_spec_set_world(spec, &world);
    tn_model *model = compiled(spec);
    tn_sim *space = tight_sim(model), *general = tight_sim(model);
    forget_linkage(general);
    int taken = 0;
    double turned = 0.0;
    for (int k = 0; k < 60; k++) {
        if (step_both(space, general, h) != TN_OK)
            break;
        taken += space->coordinates_known;
        for (int32_t i = 0; i < model->body_count; i++) {
            ck_assert_double_le(apart(space->state.x[i], general->state.x[i]), 1e-8);
            turned = fmax(turned, h * fabs(space->state.u[6 * i + 3]));
        }
    }
    ck_assert_int_ge(taken, 10);
    ck_assert_double_ge(turned, 0.1);
    tn_sim_destroy(space);
    tn_sim_destroy(general);
    tn_model_destroy(model);
}
END_TEST

/* ---- any loops in space ---- */

static tn_vec3 any_near(uint64_t *seed, tn_vec3 p, double off)
{
    const double x = off * random_number(seed), y = off * random_number(seed);
    return (tn_vec3){p.x + x, p.y + y, p.z + off * random_number(seed)};
}

/* Two loops of seven and more hinges that have a body in common, one of them to a body that stands, and a tail; shares of
 * their own. */
static tn_spec *make_any_loops(uint64_t *seed)
{
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    world.gravity = any_near(seed, (tn_vec3){0.0, 0.0, -9.0}, 3.0);
    tn_spec_set_world(spec, &world);
    const int32_t stand = add_odd(spec, 2.0, 0.0, 0.0, TN_BODY_FIXED);
    int32_t before = -1, middle = -1;
    for (int loop = 0; loop < 2; loop++) {
        const int32_t n = 7 + (int32_t)(1.5 + 1.4 * random_number(seed));
        for (int32_t k = 0; k < n; k++) {
            const double angle = 6.0 * k / n;
            const tn_vec3 p = any_near(seed, at(cos(angle), sin(angle), loop), 0.2);
            const tn_vec3 axis = any_near(seed, (tn_vec3){0.1, 0.2, 0.3}, 1.0);
            const int32_t end = loop == 0 ? stand : -1;
            const int32_t next =
                k + 1 < n ? add_odd(spec, cos(angle + 0.4), sin(angle + 0.4), loop, TN_BODY_RIGID)
                          : end;
            if (next >= 0 || before >= 0) {
                tn_joint_def joint =
                    hinge_at(before >= 0 ? before : next, before >= 0 ? next : -1, p, axis);
                joint.relative_compliance = k % 3 == 1 ? 2.0 + random_number(seed) : NAN;
                ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
            }
            middle = loop == 0 && k == n / 2 ? next : middle;
            before = next;
        }
        before = middle;
    }
    const int32_t tail = add_odd(spec, 0.0, 2.0, 0.5, TN_BODY_RIGID);
    const tn_joint_def joint = hinge_at(tail, middle, at(0.0, 1.5, 0.2), (tn_vec3){0.3, -1.0, 0.5});
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
    return spec;
}

/* A hinge that is locked for a while leaves the step to the general way, and so do 16 steps after one that did not end here. */
static void lock_for_a_while(tn_sim *sim, int k)
{
    if (k == 20 || k == 30)
        ck_assert_int_eq(tn_sim_set_locked(sim, (tn_joint){2}, 0, k == 20), TN_OK);
}

START_TEST(test_any_loops)
{
    uint64_t seed = 5u + (uint64_t)_i;
    tn_model *model = compiled(make_any_loops(&seed));
    tn_sim *space = tight_sim(model), *general = tight_sim(model), *again = tight_sim(model);
    int taken = 0, exchanged = 0;
    ck_assert_ptr_nonnull(tn_alpha_of(space)->space);
    forget_linkage(general);
    for (int k = 0; k < 60; k++) {
        lock_for_a_while(space, k);
        lock_for_a_while(general, k);
        if (k == 40)
            take_over(again, space);
        const tn_status status = tn_sim_step(space, STEP, NULL);
        ck_assert_int_eq(tn_sim_step(general, STEP, NULL), status);
        if (k >= 40)
            ck_assert_int_eq(tn_sim_step(again, STEP, NULL), status);
        if (status != TN_OK)
            break;
        taken += space->coordinates_known;
        ck_assert(k < 20 || k >= 30 || !space->coordinates_known);
        exchanged += tn_state_are_twins(&space->state, &space->backup);
        check_kinematics(space);
        expect_as_general(space, general, k);
    }
    ck_assert_msg(taken >= 15 && exchanged >= 10, "%d: %d steps, %d", _i, taken, exchanged);
    ck_assert(is_same_saved(space, again));
    tn_sim_destroy(space);
    tn_sim_destroy(general);
    tn_sim_destroy(again);
    tn_model_destroy(model);
}
END_TEST

/* ---- any ball joints ---- */

/* Bodies in a row, each held by the one before or the ground in one to three points, some by a further one, a body that
 * stands, and what hangs in no loop; shares of their own. The first point of each is held from either side. */
static tn_spec *make_any_balls(uint64_t *seed)
{
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    world.gravity = any_near(seed, (tn_vec3){0.0, 0.0, -9.0}, 3.0);
    tn_spec_set_world(spec, &world);
    const int32_t n = 5 + (int32_t)(2.5 + 2.4 * random_number(seed));
    const int32_t stand = add_odd(spec, 0.9 * n, 0.5, 0.0, TN_BODY_FIXED);
    int32_t before = -1, early = stand;
    for (int32_t k = 0; k < n; k++) {
        const tn_vec3 p = any_near(seed, (tn_vec3){k + 0.5, 0.0, 0.0}, 0.2);
        const int32_t body = add_odd(spec, p.x, p.y, p.z, TN_BODY_RIGID);
        const int32_t more = (int32_t)(1.0 + 0.99 * random_number(seed)) +
                             (int32_t)(0.6 + 0.5 * random_number(seed));
        const int32_t points = k == 0 ? 1 : 1 + more;
        for (int32_t point = 0; point < points; point++) {
            const bool turned = before >= 0 && random_number(seed) > 0.0;
            const tn_vec3 q = any_near(seed, at(k, 0.4 * point, 0.0), 0.3);
            add_ball(spec, turned ? before : body, turned ? body : before, q,
                     random_number(seed) > 0.0 ? 2.0 + random_number(seed) : NAN);
        }
        if (k % 4 == 3)
            add_ball(spec, body, early, any_near(seed, at(k, 1.0, 0.5), 0.2), NAN);
        early = k % 4 == 1 ? body : early;
        before = body;
    }
    return spec;
}

/* A force from outside leaves the step to the general way. */
static void push_for_a_while(tn_sim *sim, int k)
{
    const tn_wrench push = {.f = {0.1, 0.2, -0.3}, .m = {0.01, 0.0, 0.02}};
    if (k >= 20 && k < 25)
        ck_assert_int_eq(tn_sim_apply_wrench(sim, (tn_body){2}, push), TN_OK);
}

/* A body that is held in place is for the general way. */
static bool some_rests(const tn_sim *sim)
{
    bool some = false;
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        double fastest = 0.0;
        for (int32_t k = 0; k < body->dim; k++)
            fastest = fmax(fastest, fabs(sim->state.u[body->u + k]));
        some |= body->dim > 0 && fastest < 1e-9;
    }
    return some;
}

START_TEST(test_any_balls)
{
    uint64_t seed = 77u + (uint64_t)_i;
    tn_model *model = compiled(make_any_balls(&seed));
    tn_sim *space = tight_sim(model), *general = tight_sim(model), *again = tight_sim(model);
    int taken = 0, folds = 0, exchanged = 0;
    ck_assert_int_eq(tn_alpha_of(space)->space != NULL, model->loop_joints > 0);
    forget_linkage(general);
    for (int k = 0; k < 60; k++) {
        const double h = k < 50 ? STEP : 0.5 * STEP;
        push_for_a_while(space, k);
        push_for_a_while(general, k);
        if (k == 40)
            take_over(again, space);
        const tn_status status = tn_sim_step(space, h, NULL);
        tn_step_report report;
        ck_assert_int_eq(tn_sim_step(general, h, &report), status);
        folds += report.folds;
        if (k >= 40)
            ck_assert_int_eq(tn_sim_step(again, h, NULL), status);
        ck_assert_int_eq(status, TN_OK);
        taken += space->coordinates_known;
        ck_assert(k < 20 || k >= 25 || !space->coordinates_known);
        exchanged += tn_state_are_twins(&space->state, &space->backup);
        check_kinematics(space);
        expect_as_general(space, general, k);
    }
    ck_assert_msg(taken >= 45 || model->loop_joints == 0 || folds > 0 || some_rests(space),
                  "%d: %d steps", _i, taken);
    ck_assert(taken < 45 || exchanged >= 30);
    ck_assert(is_same_saved(space, again));
    tn_sim_destroy(space);
    tn_sim_destroy(general);
    tn_sim_destroy(again);
    tn_model_destroy(model);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("linkage");
    TCase *tests = tcase_create("steps");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, test_same_as_general, 0, sizeof cases / sizeof *cases);
    tcase_add_loop_test(tests, test_widths, 0, sizeof cases / sizeof *cases);
    tcase_add_loop_test(tests, test_far, 0, 4);
    tcase_add_loop_test(tests, test_any_loops, 0, ALL_OR_FEW(24, 6));
    tcase_add_loop_test(tests, test_any_balls, 0, ALL_OR_FEW(40, 10));
    tcase_add_test(tests, test_which);
    tcase_add_test(tests, test_long_ring);
    tcase_add_test(tests, test_saved);
    tcase_add_test(tests, test_out_of_plane);
    suite_add_tcase(suite, tests);
    return suite;
}
