/* test_linkage_held.c: planar linkages of which angles are held, by prescribed motions, motors and locks, go through the
 * iteration of linkages (method/linkage/linkage_held.h), and end where the general one ends.
 *
 * Each mechanism runs beside itself without that iteration, and the same is done to both on the way. Places agree to what
 * iterations that end within the tolerance leave, over all steps, reactions and what motors give to 1e-7 of
 * the forces, or what those of the general way are off balance by (Newton, Euler), the energies turned over likewise.
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

#define STEPS     150
#define SAME_WORK 1e-8 /* of what was turned over */

static tn_joint_def hinge_at(int32_t a, int32_t b, double x, double y)
{
    tn_joint_def joint = tn_default_joint_def();
    joint.type = "hinge";
    joint.a.i = a;
    joint.b.i = b;
    joint.placement = TN_PLACE_AXIS;
    joint.origin = (tn_vec3){x, y, 0.0};
    joint.axis = (tn_vec3){0.0, 0.0, b < 0 ? 1.0 : -1.0};
    return joint;
}

/* Of a bar from one place to another, out of its plane and off its axes. */
static void add_bar(tn_spec *spec, double x, double y, double to_x, double to_y)
{
    tn_body_def body = tn_default_body_def();
    body.pose.p = (tn_vec3){0.5 * (x + to_x), 0.5 * (y + to_y), 0.1};
    body.mass = 1.5;
    body.com = (tn_vec3){0.05, -0.02, 0.03};
    body.inertia = (tn_mat3){{{0.03, 0.002, -0.003}, {0.002, 0.04, 0.005}, {-0.003, 0.005, 0.035}}};
    ck_assert_int_eq(tn_spec_add_body(spec, &body, NULL), TN_OK);
}

/* A loop of bars between ground and ground over these places. */
static tn_spec *make_loop(const double places[][2], int32_t count)
{
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    world.gravity = (tn_vec3){1.0, -9.0, 2.0};
    tn_spec_set_world(spec, &world);
    for (int32_t k = 0; k + 1 < count; k++)
        add_bar(spec, places[k][0], places[k][1], places[k + 1][0], places[k + 1][1]);
    for (int32_t k = 0; k < count; k++) {
        const tn_joint_def joint =
            hinge_at(k + 1 < count ? k : k - 1, k == 0 || k + 1 == count ? -1 : k - 1, places[k][0],
                     places[k][1]);
        ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
    }
    return spec;
}

static tn_spec *make_crank(void)
{
    static const double places[][2] = {{0.0, 0.0}, {0.1, 0.3}, {1.2, 0.9}, {1.5, 0.0}};
    return make_loop(places, 4);
}

static tn_spec *make_five(void)
{
    static const double places[][2] = {{0.0, 0.0}, {-0.2, 0.7}, {0.6, 1.3}, {1.4, 0.8}, {1.2, 0.0}};
    return make_loop(places, 5);
}

static tn_spec *make_seven(void)
{
    static const double places[][2] = {{0.0, 0.0}, {-0.3, 0.6}, {0.1, 1.2}, {0.8, 1.5},
                                       {1.4, 1.1}, {1.7, 0.6},  {1.5, 0.0}};
    return make_loop(places, 7);
}

static tn_spec *make_ten(void)
{
    static const double places[][2] = {{0.0, 0.0}, {-0.3, 0.6}, {0.0, 1.2}, {0.6, 1.7}, {1.2, 1.9},
                                       {1.8, 1.7}, {2.3, 1.2},  {2.5, 0.7}, {2.4, 0.3}, {2.1, 0.0}};
    return make_loop(places, 10);
}

static tn_spec *make_parallelogram(void)
{
    static const double places[][2] = {{0.0, 0.0}, {0.2, 0.5}, {1.2, 0.5}, {1.0, 0.0}};
    return make_loop(places, 4);
}

static tn_spec *make_jansen_legs(void)
{
    return speed_scene_find("jansen")->make(12);
}

/* ---- what is done before step k ---- */

static const tn_joint first = {0}, third = {2}, last = {3};

static double angle_of(const tn_sim *sim, tn_joint joint)
{
    return tn_state_coordinate(&sim->state, joint.i, 0);
}

static void drive(tn_sim *sim, tn_joint joint, double rate, double acceleration)
{
    const double now = angle_of(sim, joint);
    const double t = tn_sim_time(sim);
    const double value = now - rate * t - 0.5 * acceleration * t * t;
    ck_assert_int_eq(tn_sim_set_driver_motion(sim, joint, 0, value, rate, acceleration), TN_OK);
}

static void set_motor(tn_sim *sim, tn_joint joint, double speed, double cap)
{
    tn_motor_def motor = tn_default_motor_def();
    motor.speed = (tn_function_def){.kind = TN_FUNCTION_POLYNOMIAL, .numbers = &speed, .count = 1};
    motor.max_force = cap;
    ck_assert_int_eq(tn_sim_set_motor(sim, joint, 0, &motor), TN_OK);
}

static void drive_crank(tn_sim *sim, int k)
{
    if (k == 0)
        drive(sim, first, 3.0, 0.5);
    if (k == 100)
        ck_assert_int_eq(tn_sim_set_driver(sim, first, 0, NULL), TN_OK);
}

static void drive_by_sine(tn_sim *sim, int k)
{
    const double numbers[] = {0.2, 4.0, 0.0, angle_of(sim, first)};
    const tn_function_def sine = {.kind = TN_FUNCTION_SINE, .numbers = numbers, .count = 4};
    if (k == 0)
        ck_assert_int_eq(tn_sim_set_driver(sim, first, 0, &sine), TN_OK);
}

static void turn_fast(tn_sim *sim, int k)
{
    if (k == 0)
        set_motor(sim, first, 60.0, INFINITY);
    if (k == 75)
        ck_assert_int_eq(tn_sim_set_motor_target(sim, first, 0, -50.0), TN_OK);
}

static void go_to(tn_sim *sim, int k)
{
    const double goal = angle_of(sim, first) + 0.6;
    tn_motor_def motor = tn_default_motor_def();
    if (k != 0)
        return;
    motor.position =
        (tn_function_def){.kind = TN_FUNCTION_POLYNOMIAL, .numbers = &goal, .count = 1};
    ck_assert_int_eq(tn_sim_set_motor(sim, first, 0, &motor), TN_OK);
}

/* At its cap first, then it keeps its speed. */
static void turn_weakly(tn_sim *sim, int k)
{
    if (k == 0)
        set_motor(sim, first, 4.0, 60.0);
}

static void rub(tn_sim *sim, int k)
{
    tn_friction_def friction = tn_default_friction_def();
    friction.force = 0.5;
    if (k == 0) {
        set_motor(sim, first, 4.0, INFINITY);
        ck_assert_int_eq(tn_sim_set_friction(sim, first, 0, &friction), TN_OK);
    }
}

static void lock(tn_sim *sim, int k)
{
    if (k == 10 || k == 80)
        ck_assert_int_eq(tn_sim_set_locked(sim, third, 0, k == 10), TN_OK);
}

static void drive_two(tn_sim *sim, int k)
{
    if (k == 0) {
        drive(sim, first, -1.0, 0.0);
        drive(sim, (tn_joint){4}, 1.5, 2.0);
    }
}

/* Neighbours, which share a body, among them. */
static void hold_four(tn_sim *sim, int k)
{
    if (k == 0) {
        drive(sim, first, -0.5, 0.0);
        set_motor(sim, (tn_joint){1}, 0.4, INFINITY);
        ck_assert_int_eq(tn_sim_set_locked(sim, third, 0, 1), TN_OK);
    }
    if (k == 50)
        ck_assert_int_eq(tn_sim_set_locked(sim, last, 0, 1), TN_OK);
}

/* More than are taken. */
static void lock_five(tn_sim *sim, int k)
{
    for (int32_t j = 1; j < 6 && k == 0; j++)
        ck_assert_int_eq(tn_sim_set_locked(sim, (tn_joint){j}, 0, 1), TN_OK);
}

/* Both cranks alike: one row repeats the others. */
static void drive_both(tn_sim *sim, int k)
{
    if (k == 0) {
        drive(sim, first, 1.0, 0.0);
        drive(sim, last, 1.0, 0.0);
    }
}

static void leave(tn_sim *sim, int k)
{
    (void)sim;
    (void)k;
}

static const struct {
    const char *name;
    tn_spec *(*make)(void);
    void (*act)(tn_sim *sim, int k);
    int least, most; /* steps that are taken by the linkage with something held */
} cases[] = {
    {"crank", make_crank, drive_crank, 140, 150},
    {"sine", make_crank, drive_by_sine, 140, 150},
    {"fast", make_crank, turn_fast, 100, 150},
    {"position", make_crank, go_to, 140, 150},
    {"weak", make_crank, turn_weakly, 30, 145},
    {"friction", make_crank, rub, 0, 0},
    {"lock", make_five, lock, 65, 70},
    {"two", make_five, drive_two, 140, 150},
    {"four", make_seven, hold_four, 140, 150},
    {"five", make_ten, lock_five, 0, 0},
    {"both", make_parallelogram, drive_both, 0, 0},
    {"jansen", make_jansen_legs, leave, 140, 150},
};

/* ---- two simulations ---- */

static tn_model *model_of(int i)
{
    return compiled(cases[i].make());
}

static tn_sim *sim_of(const tn_model *model)
{
    tn_sim *sim = tight_sim(model);
    ck_assert_ptr_nonnull(tn_alpha_of(sim)->linkage);
    return sim;
}

static void expect_same_joints(const tn_sim *a, const tn_sim *b, int i, int k)
{
    joints_off off = compare_joints(a, b);
    for (int32_t j = 0; j < a->model->joint_count; j++) {
        const double held = *tn_state_held_force(a->model, &a->state, j, 0) -
                            *tn_state_held_force(b->model, &b->state, j, 0);
        off.wrench = fmax(off.wrench, fabs(held));
    }
    const double same = fmax(SAME_FORCE, 10.0 * balance_of(b));
    ck_assert_msg(off.wrench <= same * off.size, "%s, step %d: wrenches off by %g of %g",
                  cases[i].name, k, off.wrench, off.size);
    ck_assert_msg(off.angle <= 10.0 * SAME_PLACE, "%s, step %d: angles off by %g", cases[i].name, k,
                  off.angle);
}

static void compare(const tn_sim *a, const tn_sim *b, int i, int k)
{
    expect_same_places(a, b, cases[i].name, k);
    expect_same_joints(a, b, i, k);
    const double turned = 1.0 + fabs(b->state.head->work);
    ck_assert_msg(fabs(a->state.head->work - b->state.head->work) <= SAME_WORK * turned,
                  "%s, step %d: work %.12g, %.12g J", cases[i].name, k, a->state.head->work,
                  b->state.head->work);
}

static int is_held(const tn_sim *sim)
{
    return sim->coordinates_known &&
           memchr(sim->state.plain, 0, (size_t)sim->model->joint_count) != NULL;
}

START_TEST(test_same_as_general)
{
    tn_model *model = model_of(_i);
    tn_sim *linkage = sim_of(model), *general = sim_of(model);
    int taken = 0;
    forget_linkage(general);
    for (int k = 0; k < STEPS; k++) {
        tn_step_report report, other;
        cases[_i].act(linkage, k);
        cases[_i].act(general, k);
        const tn_status status = tn_sim_step(linkage, STEP, &report);
        ck_assert_int_eq(tn_sim_step(general, STEP, &other), status);
        ck_assert_msg(status == TN_OK, "%s, step %d: %s", cases[_i].name, k,
                      tn_status_text(status));
        ck_assert(!general->coordinates_known);
        ck_assert_int_eq(report.events, other.events);
        taken += is_held(linkage);
        check_kinematics(linkage);
        compare(linkage, general, _i, k);
        ck_assert_double_le(balance_of(linkage), fmax(SAME_BALANCE, 2.0 * balance_of(general)));
        ck_assert_double_le(report.position_error, 1e-10);
        ck_assert_double_le(report.angle_error, 1e-10);
    }
    ck_assert_msg(taken >= cases[_i].least && taken <= cases[_i].most, "%s: %d steps",
                  cases[_i].name, taken);
    tn_sim_destroy(linkage);
    tn_sim_destroy(general);
    tn_model_destroy(model);
}
END_TEST

/* What is saved and taken up again goes on with the same bits. */
START_TEST(test_saved)
{
    tn_model *model = model_of(_i);
    tn_sim *one = sim_of(model), *other = sim_of(model);
    cases[_i].act(other, 0);
    for (int k = 0; k < 40; k++) {
        cases[_i].act(one, k);
        ck_assert_int_eq(tn_sim_step(one, STEP, NULL), TN_OK);
    }
    take_over(other, one);
    for (int k = 40; k < 60; k++) {
        cases[_i].act(one, k);
        cases[_i].act(other, k);
        ck_assert_int_eq(tn_sim_step(one, STEP, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_step(other, STEP, NULL), TN_OK);
    }
    ck_assert(is_same_saved(one, other));
    tn_sim_destroy(one);
    tn_sim_destroy(other);
    tn_model_destroy(model);
}
END_TEST

/* Without the copies for AVX2 the same bits. */
START_TEST(test_widths)
{
    tn_model *model = model_of(_i);
    tn_sim *one = sim_of(model), *other = sim_of(model);
    tn_alpha_of(one)->linkage->wide = false;
    for (int k = 0; k < STEPS; k++) {
        cases[_i].act(one, k);
        cases[_i].act(other, k);
        ck_assert_int_eq(tn_sim_step(one, STEP, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_step(other, STEP, NULL), TN_OK);
    }
    ck_assert(is_same_saved(one, other));
    tn_sim_destroy(one);
    tn_sim_destroy(other);
    tn_model_destroy(model);
}
END_TEST

/* ---- any of them ---- */

/* Around a circle, each somewhat off it. */
static tn_spec *make_any(uint64_t *seed, int32_t count)
{
    double places[8][2];
    for (int32_t k = 0; k < count; k++) {
        const double angle = 3.0 - 5.5 * k / (count - 1),
                     radius = 0.7 + 0.6 * random_between(seed, 0.0, 1.0);
        places[k][0] = radius * cos(angle);
        places[k][1] = radius * sin(angle);
    }
    return make_loop(places, count);
}

/* Motors, motions and locks on as many hinges as the loop can move. */
static void hold_any(tn_sim *one, tn_sim *other, uint64_t *seed, int32_t count)
{
    const int32_t begin = (int32_t)(random_between(seed, 0.0, 1.0) * count);
    const int32_t some = 1 + (int32_t)(random_between(seed, 0.0, 1.0) * (count - 3));
    for (int32_t k = 0; k < some; k++) {
        const tn_joint joint = {(begin + k) % count};
        const double kind = random_between(seed, 0.0, 1.0),
                     rate = 4.0 * random_between(seed, 0.0, 1.0) - 2.0;
        tn_sim *sims[] = {one, other};
        for (int n = 0; n < 2; n++) {
            if (kind < 0.3) {
                ck_assert_int_eq(tn_sim_set_locked(sims[n], joint, 0, 1), TN_OK);
            } else if (kind < 0.6) {
                set_motor(sims[n], joint, rate, INFINITY);
            } else {
                drive(sims[n], joint, rate, 1.0);
            }
        }
    }
}

static void release_all(tn_sim *sim, int32_t count)
{
    for (int32_t j = 0; j < count; j++) {
        ck_assert_int_eq(tn_sim_set_locked(sim, (tn_joint){j}, 0, 0), TN_OK);
        ck_assert_int_eq(tn_sim_set_motor(sim, (tn_joint){j}, 0, NULL), TN_OK);
        ck_assert_int_eq(tn_sim_set_driver(sim, (tn_joint){j}, 0, NULL), TN_OK);
    }
}

/* Of forces, of which less is known near folds: what iterations leave in poses is magnified there. */
static void compare_any(const tn_sim *a, const tn_sim *b, int i, int k)
{
    double size = 0.0, off = 0.0;
    const double same = fmax(10.0 * SAME_FORCE, 10.0 * balance_of(b));
    for (int32_t n = 0; n < a->model->body_count; n++)
        ck_assert_msg(apart(a->state.x[n], b->state.x[n]) <= 10.0 * SAME_PLACE,
                      "%d, step %d: body %d off by %g m", i, k, n,
                      apart(a->state.x[n], b->state.x[n]));
    for (int32_t j = 0; j < TN_MAX_ROWS * a->model->joint_count; j++) {
        size = fmax(size, fabs(b->state.lambda[j]));
        off = fmax(off, fabs(a->state.lambda[j] - b->state.lambda[j]));
    }
    ck_assert_msg(off <= same * size, "%d, step %d: multipliers off by %g of %g", i, k, off, size);
}

/* Loops of four to eight hinges; what holds them changes on the way. */
START_TEST(test_any)
{
    uint64_t seed = 77u + (uint64_t)_i;
    int taken = 0;
    for (int m = 0; m < 8; m++) {
        const int32_t count = 4 + (int32_t)(5.0 * random_between(&seed, 0.0, 1.0));
        tn_model *model = compiled(make_any(&seed, count));
        tn_sim *linkage = sim_of(model), *general = sim_of(model);
        forget_linkage(general);
        for (int k = 0; k < 60; k++) {
            if (k % 20 == 0) {
                release_all(linkage, count);
                release_all(general, count);
                hold_any(linkage, general, &seed, count);
            }
            const tn_status status = tn_sim_step(linkage, STEP, NULL);
            ck_assert_int_eq(tn_sim_step(general, STEP, NULL), status);
            if (status != TN_OK)
                break;
            taken += is_held(linkage);
            compare_any(linkage, general, 100 * _i + m, k);
        }
        tn_sim_destroy(linkage);
        tn_sim_destroy(general);
        tn_model_destroy(model);
    }
    ck_assert_msg(taken >= 150, "%d steps", taken);
}
END_TEST

Suite *make_suite(void)
{
    const int count = sizeof cases / sizeof *cases;
    Suite *suite = suite_create("linkage_held");
    TCase *tests = tcase_create("steps");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, test_same_as_general, 0, count);
    tcase_add_loop_test(tests, test_saved, 0, count);
    tcase_add_loop_test(tests, test_widths, 0, count);
    tcase_add_loop_test(tests, test_any, 0, 8);
    suite_add_tcase(suite, tests);
    return suite;
}
