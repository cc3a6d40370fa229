/* test_pinned.c: trees of planar bodies on pins go through an iteration of their own (method/pinned), and end where the
 * general one ends.
 *
 * Each step of random trees is taken twice from one state, with that iteration and without it. Poses agree to
 * what the tolerances leave, velocities to that by h, accelerations and reactions to that by h^2; kinematics
 * are those of the pose.
 */
#include <check.h>
#include <math.h>

#include "assemble/joint_terms.h"
#include "method/alpha/alpha.h"
#include "assemble/load/stored_energy.h"
#include "method/pinned/pinned.h"
#include "motion/kinematics.h"
#include "support/alpha_sims.h"
#include "support/attachments.h"
#include "support/random_numbers.h"
#include "support/run_main.h"
#include "support/saved_states.h"
#include "tenon/tenon.h"

/* Errors of two that are met, what one body's are for another's, and rounding of coordinates of some metres. */
#define SAME    1e-11
#define ROUNDED 1e-13
#define LARGEST 24

/* ---- random trees ---- */

static const double steps_tried[] = {1e-4, 1e-3, 1e-2, 1.0 / 60};

enum { GROUND = -1, FLOATS = -2 };

static tn_pose random_frame(uint64_t *seed, double z)
{
    const double half = random_between(seed, -1.5, 1.5);
    return (tn_pose){{random_between(seed, -0.6, 0.6), random_between(seed, -0.6, 0.6), z},
                     {cos(half), 0.0, 0.0, sin(half)}};
}

static void add_random_body(tn_spec *spec, uint64_t *seed)
{
    tn_body_def body = tn_default_body_def();
    body.kind = TN_BODY_PLANAR;
    body.pose = random_frame(seed, 0.0);
    body.mass = exp(random_between(seed, -2.0, 2.0));
    body.com = (tn_vec3){random_between(seed, -0.3, 0.3), random_between(seed, -0.3, 0.3), 0.0};
    body.inertia = (tn_mat3){{{0.0}}};
    body.inertia.m[2][2] = body.mass * exp(random_between(seed, -4.0, 0.0));
    body.velocity.w = (tn_vec3){0.0, 0.0, random_between(seed, -3.0, 3.0)};
    ck_assert_int_eq(tn_spec_add_body(spec, &body, NULL), TN_OK);
}

/* The pin of body i to another, either way round. Bodies are put together by the start. */
static void add_random_pin(tn_spec *spec, uint64_t *seed, int32_t i, int32_t inner)
{
    tn_joint_def joint = tn_default_joint_def();
    const bool is_a = inner == GROUND || random_between(seed, 0.0, 1.0) < 0.5;
    const double z = random_between(seed, -0.3, 0.3);
    joint.type = random_between(seed, 0.0, 1.0) < 0.8 ? "hinge" : "spherical";
    joint.a.i = is_a ? i : inner;
    joint.b.i = is_a ? inner : i;
    joint.placement = TN_PLACE_BODY_FRAMES;
    joint.frame_c = random_frame(seed, z);
    joint.frame_d = random_frame(seed, z);
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
}

/* What body i hangs on: of a bush any before it, of a chain the last; or it begins a tree. */
static int32_t random_inner(uint64_t *seed, int32_t i, double bushy, double begins)
{
    const double floats = 0.4;
    if (i == 0 || random_between(seed, 0.0, 1.0) < begins)
        return i > 0 && random_between(seed, 0.0, 1.0) < floats ? FLOATS : GROUND;
    return random_between(seed, 0.0, 1.0) < bushy ? (int32_t)random_between(seed, 0.0, i) : i - 1;
}

/* Bodies are numbered inner ones first, last or anyhow. */
static int32_t number_of(int32_t k, int32_t n, int way)
{
    return way == 0 ? k : way == 1 ? n - 1 - k : (5 * k + 3) % n;
}

static tn_model *random_tree(uint64_t seed)
{
    tn_spec *spec = tn_spec_create();
    tn_world_def world = tn_default_world_def();
    const int32_t n = 1 + (int32_t)random_between(&seed, 0.0, LARGEST);
    const double bushy = random_between(&seed, 0.0, 1.0), begins = random_between(&seed, 0.0, 0.2);
    const int way = n % 5 == 0 ? 0 : (int)random_between(&seed, 0.0, 3.0);
    world.gravity = (tn_vec3){random_between(&seed, -3.0, 3.0), -9.0, 0.0};
    tn_spec_set_world(spec, &world);
    for (int32_t i = 0; i < n; i++)
        add_random_body(spec, &seed);
    for (int32_t k = 0; k < n; k++) {
        const int32_t inner = random_inner(&seed, k, bushy, begins);
        if (inner != FLOATS)
            add_random_pin(spec, &seed, number_of(k, n, way),
                           inner < 0 ? inner : number_of(inner, n, way));
    }
    return compiled(spec);
}

/* ---- two simulations ---- */

static void forget_pinned(tn_sim *sim)
{
    ck_assert_ptr_nonnull(tn_alpha_of(sim)->pinned);
    tn_pinned_destroy(tn_alpha_of(sim)->pinned);
    tn_alpha_of(sim)->pinned = NULL;
    forget_hinges(sim);
}

/* Of n numbers. */
static double furthest(const double *a, const double *b, size_t n)
{
    double largest = 0.0;
    for (size_t k = 0; k < n; k++)
        largest = fmax(largest, fabs(a[k] - b[k]));
    return largest;
}

static double largest_of(const double *a, size_t n)
{
    double largest = 0.0;
    for (size_t k = 0; k < n; k++)
        largest = fmax(largest, fabs(a[k]));
    return largest;
}

/* Relative to 1 or the largest. */
static void check_same(const char *what, uint64_t seed, double h, const double *a, const double *b,
                       size_t n, double same)
{
    const double off = furthest(a, b, n), size = fmax(1.0, largest_of(b, n));
    ck_assert_msg(off <= same * size, "tree %d, h %g: %s off by %g of %g, %g may be", (int)seed, h,
                  what, off, size, same);
}

static void compare(const tn_sim *a, const tn_sim *b, uint64_t seed, double h)
{
    const tn_model *model = a->model;
    const size_t n = (size_t)model->size.velocities, bodies = (size_t)model->body_count;
    const size_t rows = TN_MAX_ROWS * (size_t)model->element_count;
    const tn_alpha_memory ma = tn_alpha_remembers(model, &a->state),
                          mb = tn_alpha_remembers(model, &b->state);
    const double rate = SAME / h, acc = SAME / (h * h);
    check_same("places", seed, h, &a->state.x[0].x, &b->state.x[0].x, 3 * bodies, SAME);
    check_same("turns", seed, h, &a->state.q[0].w, &b->state.q[0].w, 4 * bodies, SAME);
    check_same("velocities", seed, h, a->state.u, b->state.u, n, rate);
    check_same("udot", seed, h, a->state.udot, b->state.udot, n, acc);
    check_same("a", seed, h, ma.acc, mb.acc, n, acc);
    check_same("rates", seed, h, ma.udot_rate, mb.udot_rate, n, acc / h);
    check_same("rates of multipliers", seed, h, ma.lambda_rate, mb.lambda_rate, rows, acc / h);
    check_same("what starts are off", seed, h, ma.closing, mb.closing, n, acc / h);
    check_same("multipliers", seed, h, a->state.lambda, b->state.lambda, rows, acc);
    check_same("coordinates", seed, h, a->state.coordinates, b->state.coordinates,
               TN_MAX_COORDINATES * (size_t)model->joint_count, SAME);
}

/* As the general functions find them. */
static void check_kinematics(tn_sim *sim)
{
    for (int32_t j = 0; j < sim->model->joint_count; j++) {
        const tn_joint_kinematics seen = sim->sys.kin[j];
        const tn_joint_kinematics *kin = &sim->sys.kin[j];
        tn_joint_refresh(&sim->sys, &sim->state, j);
        ck_assert_double_le(furthest(&seen.R_GW.m[0][0], &kin->R_GW.m[0][0], 9), ROUNDED);
        ck_assert_double_le(furthest(&seen.r_A.x, &kin->r_A.x, 3), ROUNDED);
        ck_assert_double_le(furthest(&seen.r_B.x, &kin->r_B.x, 3), ROUNDED);
        ck_assert_double_le(furthest(seen.error, kin->error, 6), ROUNDED);
        ck_assert_double_le(furthest(&seen.T_GD.R.m[0][0], &kin->T_GD.R.m[0][0], 9), ROUNDED);
        ck_assert_double_le(furthest(sim->sys.phi + sim->sys.layout->y_offset[j], kin->error, 2),
                            ROUNDED);
    }
}

/* What the step has told is what is found by looking: errors, the worst joint, kinetic and potential energy, squares of
 * mean velocities. Parts of a step tell of the last one: there was none. */
static void check_told(tn_sim *sim, const tn_step_report *report)
{
    tn_step_report seen = *report;
    tn_measure_errors(sim, sim->sys.phi, &seen);
    ck_assert(report->position_error == seen.position_error);
    ck_assert(report->angle_error == seen.angle_error);
    const int32_t worst = report->worst_joint.i;
    ck_assert_int_eq(worst < 0, seen.worst_joint.i < 0);
    if (worst >= 0) {
        const double *phi = sim->sys.phi + sim->sys.layout->y_offset[worst];
        ck_assert(fmax(fabs(phi[0]), fabs(phi[1])) == seen.position_error);
    }
    double now[2], before[2], size = 0.0, run = 0.0, spun = 0.0;
    tn_body_energy(&sim->sys, &sim->state, &now[0], &now[1]);
    tn_body_energy(&sim->sys, &sim->backup, &before[0], &before[1]);
    for (int k = 0; k < 2; k++)
        size += fabs(now[k]) + fabs(before[k]);
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        const double *u = sim->state.u + body->u, *u0 = sim->backup.u + body->u;
        if (body->dim == 0)
            continue;
        const double x = 0.5 * (u[0] + u0[0]), y = 0.5 * (u[1] + u0[1]), w = 0.5 * (u[2] + u0[2]);
        run += body->mass * (x * x + y * y);
        spun += body->J.m[2][2] * w * w;
    }
    const tn_moved *told = &sim->told.moved;
    ck_assert(sim->told.moves && sim->told.errors);
    ck_assert_double_eq_tol(told->made, now[0] + now[1] - before[0] - before[1],
                            1e-13 * (1.0 + size));
    ck_assert_double_eq_tol(told->run, run, 1e-12 * run);
    ck_assert_double_eq_tol(told->spun, spun, 1e-12 * spun);
    ck_assert_double_ge(told->moved, fabs(told->made));
}

/* What floats has its momentum put right after the step. */
static bool some_floats(const tn_sim *sim)
{
    const tn_pinned *pinned = tn_alpha_of(sim)->pinned;
    bool floats = false;
    for (int32_t n = 0; n < pinned->count; n++)
        floats |= pinned->links[n].floats;
    return floats;
}

/* Some steps are half as long, and begin with a start in balance. */
static double length_of(double h, int k)
{
    return k % 7 == 3 ? 0.5 * h : h;
}

/* Each step from the state that the iteration of trees has left. */
static int take_steps(const tn_model *model, uint64_t seed, double step, int count)
{
    tn_sim *pinned = alpha_sim_to(model, TOLERANCE), *general = alpha_sim_to(model, TOLERANCE);
    int taken = 0, turns = 0;
    forget_pinned(general);
    for (int k = 0; k < count; k++) {
        tn_step_report one, other;
        const double h = length_of(step, k);
        const void *before = pinned->state.block;
        take_over(general, pinned);
        ck_assert_int_eq(tn_sim_step(pinned, h, &one), TN_OK);
        ck_assert_int_eq(tn_sim_step(general, h, &other), TN_OK);
        ck_assert(!general->factor_is_old);
        turns += pinned->state.block != before;
        ck_assert_double_le(one.position_error, 1e-12);
        if (!pinned->factor_is_old || one.halvings > 0 || other.halvings > 0)
            continue;
        taken++;
        ck_assert_int_le(one.iterations, other.iterations);
        if (k > 0 && !some_floats(pinned) && h == length_of(step, k - 1))
            check_told(pinned, &one);
        check_kinematics(pinned);
        if (k > 0) /* before that each has found the start by itself */
            compare(pinned, general, seed, h);
    }
    ck_assert_msg(turns >= taken / 4, "%d of %d from one state to another", turns, taken);
    tn_sim_destroy(pinned);
    tn_sim_destroy(general);
    return taken;
}

START_TEST(test_same_as_general)
{
    const double h = steps_tried[_i];
    int taken = 0, all = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        tn_model *model = random_tree(seed);
        if (model->joint_count > 0) {
            taken += take_steps(model, seed, h, 30);
            all += 30;
        }
        tn_model_destroy(model);
    }
    ck_assert_msg(taken >= 0.8 * all, "%d of %d steps", taken, all);
}
END_TEST

/* ---- which models ---- */

typedef struct kind_of_chain {
    tn_body_kind kind;
    double damping, inertia;
    bool loop, load, coupled, locked;
} kind_of_chain;

static tn_model *make_chain(const kind_of_chain *as, int32_t n)
{
    tn_spec *spec = tn_spec_create();
    const tn_coupling_term terms[2] = {{.joint = {0}, .ratio = 1.0}, {.joint = {1}, .ratio = 0.5}};
    tn_coupling_def gear = tn_default_coupling_def();
    tn_world_def world = tn_default_world_def();
    world.gravity = (tn_vec3){0.0, -9.81, 0.0};
    tn_spec_set_world(spec, &world);
    for (int32_t k = 0; k < n; k++) {
        tn_body_def link = tn_default_body_def();
        link.kind = as->kind;
        link.pose.p.x = k + 0.5;
        link.mass = 1.0;
        link.inertia = (tn_mat3){{{0.1, 0.0, 0.0}, {0.0, 0.1, 0.0}, {0.0, 0.0, as->inertia}}};
        link.frame_damping = as->damping;
        ck_assert_int_eq(tn_spec_add_body(spec, &link, NULL), TN_OK);
        for (int32_t ends = 0; ends < (as->loop && k == n - 1 ? 2 : 1); ends++) {
            tn_joint_def pin = tn_default_joint_def();
            pin.type = "hinge";
            pin.a.i = k;
            pin.b.i = ends == 0 ? k - 1 : -1;
            pin.placement = TN_PLACE_ORIGIN;
            pin.origin.x = k + ends;
            pin.locked[0] = (int8_t)(as->locked && k == 1);
            ck_assert_int_eq(tn_spec_add_joint(spec, &pin, NULL), TN_OK);
        }
    }
    gear.terms = terms;
    gear.term_count = 2;
    if (as->coupled)
        ck_assert_int_eq(tn_spec_add_coupling(spec, &gear, NULL), TN_OK);
    return compiled(spec);
}

static bool is_pinned(kind_of_chain as)
{
    tn_model *model = make_chain(&as, 4);
    tn_pinned *pinned = NULL;
    ck_assert_int_eq(tn_pinned_create(model, &pinned), TN_OK);
    const bool is = pinned != NULL;
    tn_pinned_destroy(pinned);
    tn_model_destroy(model);
    return is;
}

START_TEST(test_which)
{
    ck_assert(is_pinned((kind_of_chain){.kind = TN_BODY_PLANAR, .inertia = 0.1}));
    ck_assert(is_pinned((kind_of_chain){.kind = TN_BODY_PLANAR, .inertia = 0.1, .locked = true}));
    ck_assert(!is_pinned((kind_of_chain){.kind = TN_BODY_RIGID, .inertia = 0.1}));
    ck_assert(!is_pinned((kind_of_chain){.kind = TN_BODY_PLANAR, .inertia = 0.1, .loop = true}));
    ck_assert(!is_pinned((kind_of_chain){.kind = TN_BODY_PLANAR, .inertia = 0.1, .damping = 1.0}));
    ck_assert(!is_pinned((kind_of_chain){.kind = TN_BODY_PLANAR, .inertia = 0.1, .coupled = true}));
}
END_TEST

/* ---- states, and other ways ---- */

/* What is saved and taken up again goes on with the same bits, to the last byte of the state, whatever way was
 * gone. */
START_TEST(test_saved)
{
    tn_model *model = random_tree((uint64_t)_i + 100);
    tn_sim *one = alpha_sim_to(model, TOLERANCE);
    for (int k = 0; k < 40; k++) {
        tn_sim *other = alpha_sim_to(model, TOLERANCE);
        take_over(other, one);
        for (int n = 0; n < 3; n++) {
            const double h = k % 10 == 9 ? 0.05 : 0.01; /* far predictions, and changes of step */
            ck_assert_int_eq(tn_sim_step(one, h, NULL), TN_OK);
            ck_assert_int_eq(tn_sim_step(other, h, NULL), TN_OK);
        }
        ck_assert(is_same_saved(one, other));
        tn_sim_destroy(other);
    }
    tn_sim_destroy(one);
    tn_model_destroy(model);
}
END_TEST

/* J, of a chain that falls. */
static double run_chain(tn_sim *sim, double h, double seconds, bool lock, int *taken)
{
    *taken = 0;
    for (int k = 0; k < (int)(seconds / h + 0.5); k++) {
        if (lock && k % 40 == 20)
            ck_assert_int_eq(tn_sim_set_locked(sim, (tn_joint){1}, 0, 1), TN_OK);
        if (lock && k % 40 == 30)
            ck_assert_int_eq(tn_sim_set_locked(sim, (tn_joint){1}, 0, 0), TN_OK);
        ck_assert_int_eq(tn_sim_step(sim, h, NULL), TN_OK);
        *taken += sim->factor_is_old;
    }
    return tn_sim_energy(sim).total;
}

/* A hinge that is locked and let go again: the ways change, and places do not tell. */
START_TEST(test_switches)
{
    const kind_of_chain as = {.kind = TN_BODY_PLANAR, .inertia = 0.1};
    tn_model *model = make_chain(&as, 6);
    tn_sim *pinned = alpha_sim_to(model, TOLERANCE), *general = alpha_sim_to(model, TOLERANCE);
    int taken, others;
    forget_pinned(general);
    const double e = run_chain(pinned, 2e-3, 0.4, true, &taken);
    const double other = run_chain(general, 2e-3, 0.4, true, &others);
    ck_assert_int_ge(taken, 120);
    ck_assert_int_le(taken, 180);
    ck_assert_int_eq(others, 0);
    ck_assert_double_le(fabs(e - other), 1e-8);
    for (int32_t i = 0; i < model->body_count; i++) {
        ck_assert_double_le(fabs(pinned->state.x[i].x - general->state.x[i].x), 1e-9);
        ck_assert_double_le(fabs(pinned->state.x[i].y - general->state.x[i].y), 1e-9);
    }
    tn_sim_destroy(pinned);
    tn_sim_destroy(general);
    tn_model_destroy(model);
}
END_TEST

/* A long chain that is let go lying: what a correction of angles alone would leave of its length. */
START_TEST(test_taut)
{
    const kind_of_chain as = {.kind = TN_BODY_PLANAR, .inertia = 1.0 / 12};
    tn_model *model = make_chain(&as, 300);
    tn_sim *sim = alpha_sim_to(model, TOLERANCE);
    tn_step_report report;
    int taken = 0, iterations = 0, cut = 0;
    const double before = tn_sim_energy(sim).total;
    for (int k = 0; k < 60; k++) {
        ck_assert_int_eq(tn_sim_step(sim, 1.0 / 60, &report), TN_OK);
        ck_assert_double_le(report.position_error, 1e-12);
        if (sim->factor_is_old) {
            taken++;
            iterations += report.iterations;
        }
        if (k > 10 &&
            report.halvings > 0) { /* cut, and started anew, without a general iteration */
            cut++;
            ck_assert_int_eq(report.factorizations, 0);
        }
    }
    ck_assert_int_ge(cut, 1);
    ck_assert_int_ge(taken, 50);
    ck_assert_int_le(iterations, 5 * taken);
    ck_assert_double_le(fabs(tn_sim_energy(sim).total - before), 1e-5 * 9.81 * 0.5 * 300 * 300);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("pinned");
    TCase *tests = tcase_create("steps");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, test_same_as_general, 0, sizeof steps_tried / sizeof *steps_tried);
    tcase_add_test(tests, test_which);
    tcase_add_loop_test(tests, test_saved, 0, 6);
    tcase_add_test(tests, test_switches);
    tcase_add_test(tests, test_taut);
    suite_add_tcase(suite, tests);
    return suite;
}
