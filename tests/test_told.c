/* test_told.c: what iterations of loops tell of a step, so that nobody has to look again (tn_told), is what is found by
 * looking: errors of joints, books of energy, whether all numbers are such, and whether Newton and Euler hold of every body.
 *
 * Loops of hinges every which way and linkages across a plane, random ones and scenes; and states that are wrong, of which it
 * must not be told that they are right.
 */
#include <check.h>
#include <math.h>
#include <string.h>

#include "alpha_sims.h"
#include "method/linkage/linkage.h"
#include "method/method.h"
#include "method/space/space.h"
#include "motion/kinematics.h"
#include "random_numbers.h"
#include "run_main.h"
#include "scenes/scenes.h"
#include "step/part/reactions.h"
#include "tenon/tenon.h"

#define STEP  1e-3 /* s */
#define STEPS 120

/* ---- mechanisms ---- */

enum { MOST = 14, LARGEST = 128, RANDOM = 24 };

static const struct {
    const char *scene;
    int32_t n;
} scenes[] = {{"bricard", 0}, {"n_four_bar", 7}, {"ring", 12}, {"four_bar", 0}, {"jansen", 2}};

enum { SCENES = sizeof scenes / sizeof *scenes };

static void add_body(tn_spec *spec, tn_vec3 place, uint64_t *r)
{
    tn_body_def body = tn_default_body_def();
    const double size = random_between(r, 0.3, 3.0), apart = size * random_between(r, -0.04, 0.04);
    body.pose.p = place;
    body.pose.q = tn_quat_from_rpy(random_between(r, -2.0, 2.0), random_between(r, -1.0, 1.0),
                                   random_between(r, -2.0, 2.0));
    body.mass = pow(10.0, random_between(r, -1.0, 1.0));
    body.com = (tn_vec3){0.1, random_between(r, -0.1, 0.1), 0.05};
    body.inertia = (tn_mat3){{{0.3 * size, apart, -0.03 * size},
                              {apart, 0.4 * size, 0.05 * size},
                              {-0.03 * size, 0.05 * size, 0.35 * size}}};
    ck_assert_int_eq(tn_spec_add_body(spec, &body, NULL), TN_OK);
}

static void add_hinge(tn_spec *spec, int32_t a, int32_t b, tn_vec3 origin, tn_vec3 axis,
                      uint64_t *r)
{
    tn_joint_def joint = tn_default_joint_def();
    const bool turned = a >= 0 && b >= 0 && random_between(r, 0.0, 1.0) < 0.5;
    joint.type = "hinge";
    joint.a.i = turned ? b : a;
    joint.b.i = turned ? a : b;
    joint.placement = TN_PLACE_AXIS;
    joint.origin = origin;
    joint.axis = axis;
    joint.relative_compliance =
        random_between(r, 0.0, 1.0) < 0.4 ? random_between(r, 0.3, 3.0) : NAN;
    ck_assert_int_eq(tn_spec_add_joint(spec, &joint, NULL), TN_OK);
}

/* A loop of n hinges through the ground; the axes along `out`, or any. */
static tn_spec *make_loop(int32_t n, bool flat, uint64_t *r)
{
    tn_spec *spec = tn_spec_create();
    const double tilt = random_between(r, -1.5, 1.5), turn = random_between(r, -3.0, 3.0);
    const tn_vec3 out = {cos(turn) * sin(tilt), sin(turn) * sin(tilt), cos(tilt)};
    const tn_vec3 along = {-sin(turn), cos(turn), 0.0},
                  up = {-cos(turn) * cos(tilt), -sin(turn) * cos(tilt), sin(tilt)};
    tn_vec3 places[MOST];
    for (int32_t k = 0; k < n; k++) {
        const double x = cos(6.28 * k / n) * random_between(r, 0.7, 1.3),
                     y = sin(6.28 * k / n) * random_between(r, 0.7, 1.3),
                     z = random_between(r, -0.3, 0.3);
        places[k] =
            (tn_vec3){x * along.x + y * up.x + z * out.x, x * along.y + y * up.y + z * out.y,
                      x * along.z + y * up.z + z * out.z};
    }
    for (int32_t k = 0; k + 1 < n; k++) {
        const tn_vec3 a = places[k], b = places[k + 1];
        add_body(spec, (tn_vec3){0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z)}, r);
    }
    for (int32_t k = 0; k < n; k++) {
        const tn_vec3 any = {random_between(r, -1.0, 1.0), random_between(r, -1.0, 1.0),
                             random_between(r, 0.2, 1.0)};
        add_hinge(spec, k < n - 1 ? k : n - 2, k == 0 || k == n - 1 ? -1 : k - 1, places[k],
                  flat ? out : any, r);
    }
    return spec;
}

static tn_model *model_of(int i, uint64_t *r)
{
    const bool flat = i % 2 == 0;
    tn_spec *spec = i < SCENES ? speed_scene_find(scenes[i].scene)->make(scenes[i].n)
                               : make_loop((flat ? 4 : 7) + (i - SCENES) % 5, flat, r);
    return compiled(spec);
}

/* Where a step began. */
typedef struct start {
    tn_vec3 x[LARGEST];
    double u[6 * LARGEST];
} start;

static void keep_start(const tn_sim *sim, start *s)
{
    ck_assert_int_le(sim->model->body_count, LARGEST);
    memcpy(s->x, sim->state.x, sizeof *s->x * (size_t)sim->model->body_count);
    memcpy(s->u, sim->state.u, sizeof *s->u * (size_t)sim->model->size.velocities);
}

/* ---- what is told, and what is found ---- */

static void expect_errors(const tn_sim *sim, const tn_step_report *report)
{
    tn_step_report seen = *report;
    tn_measure_errors(sim, sim->sys.phi, &seen);
    ck_assert(report->position_error == seen.position_error);
    ck_assert(report->angle_error == seen.angle_error);
    ck_assert_int_eq(report->worst_joint.i, seen.worst_joint.i);
    ck_assert_int_eq(report->skipped_rows, seen.skipped_rows);
}

static void expect_near(double told, double found, double size, const char *what)
{
    ck_assert_msg(fabs(told - found) <= 1e-10 * size, "%s: %.17g, not %.17g", what, told, found);
}

/* As the head of step/part/books.c has them. */
static void expect_books(const tn_sim *sim, const start *s)
{
    const tn_moved *told = &sim->told.moved;
    tn_moved all = {0};
    for (int32_t i = 0; i < sim->model->body_count; i++) {
        const tn_model_body *body = &sim->model->bodies[i];
        const double *u = sim->state.u + body->u, *u0 = s->u + body->u;
        double mean[6], change[6];
        if (body->dim == 0)
            continue;
        for (int n = 0; n < 6; n++) {
            mean[n] = 0.5 * (u[n] + u0[n]);
            change[n] = u[n] - u0[n];
        }
        const tn_vec3 v = v3_load(mean), w = v3_load(mean + 3);
        const tn_vec3 dv = v3_load(change), dw = v3_load(change + 3);
        const double run = body->mass * v3_dot(v, v), pushed = body->mass * v3_dot(dv, dv);
        const double spun = v3_dot(w, m3_mulv(&body->J, w)),
                     twisted = v3_dot(dw, m3_mulv(&body->J, dw));
        const double fallen =
            body->mass * v3_dot(sim->model->gravity, v3_sub(sim->state.x[i], s->x[i]));
        all.made += body->mass * v3_dot(v, dv) + v3_dot(w, m3_mulv(&body->J, dw)) - fallen;
        all.moved +=
            sqrt(run * pushed) + sqrt(spun * twisted) + STEP * spun * v3_norm(w) + fabs(fallen);
        all.size += fabs(fallen);
        all.run += run;
        all.pushed += pushed;
        all.spun += spun;
        all.twisted += twisted;
    }
    expect_near(told->made, all.made, all.moved, "made");
    expect_near(told->moved, all.moved, all.moved, "moved");
    expect_near(told->size, all.size, all.moved, "size");
    expect_near(told->run, all.run, all.run, "run");
    expect_near(told->pushed, all.pushed, all.pushed, "pushed");
    expect_near(told->spun, all.spun, all.spun, "spun");
    expect_near(told->twisted, all.twisted, all.twisted, "twisted");
}

/* By how much bodies are off balance beyond what poses leave unknown, of all of them. */
static double off_balance(const tn_sim *sim, const start *s)
{
    tn_reaction_check check = {0};
    const tn_part_taken part = {sim->method, s->u, STEP};
    ck_assert_int_eq(tn_reactions_check_create(sim->model, &check), TN_OK);
    const tn_force_balance off = tn_reactions_check(sim, &check, &part, true);
    tn_reactions_check_destroy(&check);
    return fmax(off.force, off.moment);
}

START_TEST(test_told)
{
    uint64_t r = (uint64_t)_i + 5;
    tn_model *model = model_of(_i, &r);
    tn_sim *sim = alpha_sim(model);
    int told = 0, balanced = 0;
    ck_assert(tn_alpha_of(sim)->linkage || tn_alpha_of(sim)->space);
    for (int k = 0; k < STEPS; k++) {
        tn_step_report report;
        start s;
        int32_t body, joint;
        keep_start(sim, &s);
        ck_assert_int_eq(tn_sim_step(sim, STEP, &report), TN_OK);
        if (!sim->told.moves || report.halvings > 0 || k == 0)
            continue;
        ck_assert(sim->told.errors && sim->told.sound);
        ck_assert(tn_state_is_sound(model, &sim->state, &body, &joint));
        told++;
        balanced += sim->told.balances;
        expect_errors(sim, &report);
        expect_books(sim, &s);
        if (sim->told.balances)
            ck_assert(off_balance(sim, &s) == 0.0);
    }
    ck_assert_int_ge(told, STEPS - 30);
    ck_assert_int_ge(balanced, told - 5);
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

/* ---- what is wrong ---- */

/* A step in the iteration of loops. */
static tn_alpha stepped(tn_sim *sim)
{
    for (int k = 0; k < 30 || !sim->told.moves; k++) {
        ck_assert_int_lt(k, 90);
        ck_assert_int_eq(tn_sim_step(sim, STEP, NULL), TN_OK);
    }
    tn_alpha c = tn_alpha_coefficients(sim, STEP);
    c.u_before = sim->state.u;
    return c;
}

static double largest_inertia(const tn_model_body *body)
{
    return fmax(body->J.m[0][0], fmax(body->J.m[1][1], body->J.m[2][2]));
}

static double mass_of(const tn_model *model)
{
    double sum = 0.0;
    for (int32_t i = 0; i < model->body_count; i++)
        sum += model->bodies[i].dim > 0 ? model->bodies[i].mass : 0.0;
    return sum;
}

/* N, or N m: what may be left of number n of a body's forces and moments. */
static double may_be_left(const tn_sim *sim, int32_t i, int n)
{
    const tn_model_body *body = &sim->model->bodies[i];
    const double force = mass_of(sim->model) * sim->options.position_tolerance / (STEP * STEP);
    return n < 3 ? force : force * sqrt(largest_inertia(body) / body->mass);
}

static bool space_balances(tn_sim *sim, const tn_alpha *c)
{
    tn_loop_step_results told;
    tn_alpha_of(sim)->space->kernel->finish(sim, c, tn_alpha_of(sim)->space, &told);
    return told.balances;
}

/* What is taken from the multipliers, bodies feel, and whoever asks is told. */
static void take_and_put_back(tn_sim *sim, const tn_alpha *c, int32_t row)
{
    tn_space *space = tn_alpha_of(sim)->space;
    const double before = space->y[row];
    memset(space->part, 0, sizeof *space->part * TN_SPACE_STRIDE * (size_t)space->hinge_count);
    space->part[row] = 1.0;
    space->kernel->take_part(space);
    ck_assert(space->y[row] == before - 1.0);
    ck_assert(!space_balances(sim, c));
    space->part[row] = -1.0;
    space->kernel->take_part(space);
    ck_assert(space_balances(sim, c));
    space->y[row] = before;
}

/* A force that is not borne, of each body: a little more, and a little less, than may be. */
START_TEST(test_off_balance_in_space)
{
    uint64_t r = (uint64_t)_i + 5;
    tn_model *model = model_of(SCENES + 2 * (_i / 2), &r);
    tn_sim *sim = alpha_sim(model);
    tn_space *space = tn_alpha_of(sim)->space;
    ck_assert(space != NULL);
    if (_i % 2)
        space->kernel = &tn_space_kernel_2;
    const tn_alpha c = stepped(sim);
    ck_assert(space_balances(sim, &c));
    for (int32_t k = 0; k < space->hinge_count; k++) {
        for (int n = 0; n < TN_SPACE_ROWS; n++)
            take_and_put_back(sim, &c, TN_SPACE_STRIDE * k + n);
    }
    for (int32_t k = 0; k < space->moving; k++) {
        for (int n = 0; n < 6; n++) {
            double *pull = &space->bodies[k].pull[n];
            const double kept = *pull, bound = may_be_left(sim, space->bodies[k].body, n);
            *pull = -1.01 * bound;
            ck_assert(!space_balances(sim, &c));
            *pull = NAN;
            ck_assert(!space_balances(sim, &c));
            *pull = 0.98 * bound;
            ck_assert(space_balances(sim, &c));
            *pull = kept;
        }
    }
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

static bool linkage_balances(tn_sim *sim, const tn_alpha *c)
{
    return tn_linkage_finish(sim, c, tn_alpha_of(sim)->linkage).of.balances;
}

START_TEST(test_off_balance_in_plane)
{
    uint64_t r = (uint64_t)_i + 5;
    tn_model *model = model_of(SCENES + 1 + 2 * (_i / 2), &r);
    tn_sim *sim = alpha_sim(model);
    tn_linkage *linkage = tn_alpha_of(sim)->linkage;
    ck_assert(linkage != NULL);
    if (_i % 2)
        linkage->wide = false;
    const tn_alpha c = stepped(sim);
    ck_assert(linkage_balances(sim, &c));
    for (int32_t k = 0; k < linkage->bar_count; k++) {
        double *lack = linkage->lack + TN_BAR_STRIDE * k, *f = linkage->bars[k].f;
        double *const left[6] = {&f[0], &f[1], &lack[0], &lack[1], &lack[2], &f[2]};
        for (int n = 0; n < 6; n++) {
            const double kept = *left[n], by = left[n] >= f && left[n] < f + 4 ? c.beta_prime : 1.0;
            const double bound = may_be_left(sim, linkage->bars[k].body, n) / by;
            *left[n] = -1.01 * bound;
            ck_assert(!linkage_balances(sim, &c));
            *left[n] = NAN;
            ck_assert(!linkage_balances(sim, &c));
            *left[n] = 0.98 * bound;
            ck_assert(linkage_balances(sim, &c));
            *left[n] = kept;
        }
    }
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

/* No step says that all is well with numbers that are none, whatever it begins with. */
START_TEST(test_unsound)
{
    uint64_t r = (uint64_t)_i + 5;
    tn_model *model = model_of(_i % (SCENES + RANDOM), &r);
    tn_sim *sim = alpha_sim(model);
    stepped(sim);
    const tn_alpha_memory m = tn_alpha_remembers(model, &sim->state);
    double *const velocities[] = {sim->state.udot, sim->state.u, m.acc, m.udot_rate};
    double *const rows[] = {sim->state.lambda, m.lambda_rate};
    const int64_t some = (int64_t)random_between(&r, 0.0, model->size.velocities - 1e-9);
    const int64_t row = (int64_t)random_between(&r, 0.0, TN_MAX_ROWS * model->joint_count - 1e-9);
    *(_i % 3 == 0 ? &rows[_i % 2][row] : &velocities[_i % 4][some]) = _i % 5 == 0 ? INFINITY : NAN;
    tn_state_written(&sim->state);
    for (int k = 0; k < 3; k++) {
        int32_t body, joint;
        if (tn_sim_step(sim, STEP, NULL) == TN_OK)
            ck_assert(tn_state_is_sound(model, &sim->state, &body, &joint));
    }
    tn_sim_destroy(sim);
    tn_model_destroy(model);
}
END_TEST

/* ---- who is asked in which turn ---- */

static tn_model *random_tree_with_couplings(int32_t bodies, uint64_t *r)
{
    tn_spec *spec = tn_spec_create();
    for (int32_t k = 0; k < bodies; k++) {
        add_body(spec, (tn_vec3){k, 0.0, 0.0}, r);
        add_hinge(spec, k, (int32_t)random_between(r, 0.0, k + 1 - 1e-9) - 1,
                  (tn_vec3){k, 0.5, 0.0}, (tn_vec3){0.0, 0.0, 1.0}, r);
    }
    for (int32_t k = 0; k < bodies / 2; k++) {
        tn_coupling_term terms[4] = {0};
        tn_coupling_def def = tn_default_coupling_def();
        const int32_t some = bodies / 4; /* as many joints for each term, so that they are unlike */
        def.term_count = bodies < 4 ? 1 : 1 + (int32_t)random_between(r, 0.0, 4 - 1e-9);
        for (int32_t i = 0; i < def.term_count; i++) {
            const int32_t at = i * some + (int32_t)random_between(r, 0.0, some - 1e-9);
            terms[i] = (tn_coupling_term){.joint = {at}, .ratio = 1.0 + i};
        }
        def.terms = terms;
        def.hold = TN_COUPLING_IN_RANGE;
        ck_assert_int_eq(tn_spec_add_coupling(spec, &def, NULL), TN_OK);
    }
    return compiled(spec);
}

static bool acts_on(const tn_model *model, int32_t j, int32_t first, int32_t end)
{
    for (int32_t p = model->through_start[j]; p < model->through_start[j + 1]; p++) {
        const tn_model_joint *joint = &model->joints[model->through[p]];
        if ((joint->a >= first && joint->a < end) || (joint->b >= first && joint->b < end))
            return true;
    }
    return false;
}

/* Whatever acts on the bodies of a turn, each once and in order, and nothing else. */
START_TEST(test_elements_of_turns)
{
    enum { TURNS = 128 };
    static const int32_t bodies[] = {1, 2, 3, 5, 40, 127, 128, 129, 255, 257, 400, 700};
    uint64_t r = 77 + (uint64_t)_i;
    tn_model *model = random_tree_with_couplings(bodies[_i], &r);
    const int32_t some = 1 + (model->body_count - 1) / TURNS;
    tn_reaction_check check = {0};
    ck_assert_int_eq(tn_reactions_check_create(model, &check), TN_OK);
    int32_t count = 0;
    for (int32_t turn = 0; turn < TURNS; turn++) {
        ck_assert_int_eq(check.start[turn], count);
        for (int32_t j = 0; j < model->element_count; j++) {
            if (!acts_on(model, j, turn * some, (turn + 1) * some))
                continue;
            ck_assert_int_lt(count, check.start[TURNS]);
            ck_assert_int_eq(check.element[count], j);
            count++;
        }
    }
    ck_assert_int_eq(check.start[TURNS], count);
    tn_reactions_check_destroy(&check);
    tn_model_destroy(model);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("told");
    TCase *tests = tcase_create("steps");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, test_told, 0, SCENES + RANDOM);
    tcase_add_loop_test(tests, test_off_balance_in_space, 0, 10);
    tcase_add_loop_test(tests, test_off_balance_in_plane, 0, 10);
    tcase_add_loop_test(tests, test_unsound, 0, 48);
    tcase_add_loop_test(tests, test_elements_of_turns, 0, 12);
    suite_add_tcase(suite, tests);
    return suite;
}
