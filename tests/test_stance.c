/* test_stance.c: velocities, accelerations, multipliers and closed joints of trees at one pose, by their own elimination
 * (motion/stance/stance.h), against those of the general one (motion/closing/project.h): random trees of hinges and
 * balls, floating and not, at states on the way through their stops, with what holds then.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "alpha_sims.h"
#include "motion/closing/project.h"
#include "motion/kinematics.h"
#include "motion/stance/stance.h"
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

/* Velocities off by this, m/s and rad/s, are brought back by both ways alike. */
static void expect_velocities(tn_sim *sim, uint64_t *r, double off)
{
    const int64_t n = sim->sys.layout->u_size;
    double start[6 * BODIES], u[6 * BODIES], rows[ROOM];
    tn_step_report report = tn_empty_report();
    for (int64_t k = 0; k < n; k++)
        start[k] = sim->state.u[k] += random_between(r, -off, off);
    ck_assert_int_eq(tn_project_velocity(sim, &report), TN_OK);
    memcpy(u, sim->state.u, sizeof u);
    memcpy(sim->state.u, start, sizeof start);
    ck_assert_int_eq(tn_stance_take(sim, TN_STANCE_AHEAD, &report), TN_OK);
    tn_stance_velocity(sim, TN_STANCE_AHEAD, &report);
    ck_assert_double_lt(apart(sim->state.u, u, n), 1e-11);
    ck_assert_double_gt(apart(start, u, n), 1e-3 * off);
    memset(rows, 0, sizeof rows);
    tn_assemble_speeds(&sim->sys, &sim->state, sim->state.u, rows);
    for (int32_t k = 0; k < ROOM; k++)
        ck_assert_double_lt(fabs(rows[k]), 1e-12);
}

static void expect_accelerations(tn_sim *sim)
{
    const int64_t n = sim->sys.layout->u_size;
    double udot[6 * BODIES], lambda[ROOM], before[6 * BODIES];
    tn_step_report report = tn_empty_report();
    const size_t rows = TN_MAX_ROWS * (size_t)sim->model->joint_count;
    ck_assert_int_eq(tn_solve_acceleration(sim, &report), TN_OK);
    memcpy(udot, sim->state.udot, sizeof(double) * (size_t)n);
    memcpy(lambda, sim->state.lambda, sizeof(double) * rows);
    memset(sim->state.lambda, 0x5a, sizeof(double) * rows);
    for (int64_t k = 0; k < n; k++)
        before[k] = sim->state.udot[k] = 0.5 * udot[k];
    ck_assert_int_eq(tn_stance_take(sim, TN_STANCE_HERE, &report), TN_OK);
    ck_assert(tn_stance_accelerate(sim, TN_STANCE_HERE, true, &report));
    ck_assert_double_lt(apart(sim->state.udot, udot, n), 1e-10);
    ck_assert_double_lt(apart(sim->state.lambda, lambda, (int64_t)rows), 1e-10);
    for (int64_t k = 0; k < n; k++)
        ck_assert_double_eq(sim->sys.du[k], sim->state.udot[k] - before[k]);
}

/* Poses off by this, m and rad, are closed alike, to the square of it. */
static void expect_closed(tn_sim *sim, uint64_t *r, double off)
{
    tn_vec3 x[BODIES], x_to[BODIES];
    tn_quat q[BODIES], q_to[BODIES];
    double d[6 * BODIES];
    tn_step_report report = tn_empty_report();
    for (int k = 0; k < 6 * BODIES; k++)
        d[k] = random_between(r, -off, off);
    tn_move_bodies(sim->model, sim->state.x, sim->state.q, d, 1.0, sim->state.x, sim->state.q);
    memcpy(x, sim->state.x, sizeof x);
    memcpy(q, sim->state.q, sizeof q);
    tn_refresh_kinematics(sim);
    ck_assert_double_gt(tn_measure_position(sim, &report), 0.1 * off);
    ck_assert_int_eq(tn_correct_position(sim, 0.0, &report), TN_OK);
    memcpy(x_to, sim->state.x, sizeof x);
    memcpy(q_to, sim->state.q, sizeof q);
    memcpy(sim->state.x, x, sizeof x);
    memcpy(sim->state.q, q, sizeof q);
    tn_refresh_kinematics(sim);
    ck_assert_int_eq(tn_stance_take(sim, TN_STANCE_HERE, &report), TN_OK);
    tn_stance_close(sim, TN_STANCE_HERE, &report);
    ck_assert_double_lt(tn_measure_position(sim, &report), 1e3 * off * off);
    for (int k = 0; k < BODIES; k++) {
        ck_assert_double_lt(v3_norm(v3_sub(sim->state.x[k], x_to[k])), 1e-6 * off);
        ck_assert_double_lt(fabs(sim->state.q[k].w - q_to[k].w), 1e-6 * off);
    }
}

START_TEST(as_by_the_general_elimination)
{
    uint64_t r = (uint64_t)_i + 71;
    tn_sim *sim = make_tree(&r, _i % 3 == 1);
    static unsigned char saved[1 << 16];
    ck_assert_uint_le(tn_sim_state_size(sim), sizeof saved);
    int asked = 0, held = 0;
    for (int k = 0; k < STEPS; k++) {
        const tn_status status = tn_sim_step(sim, 1e-3, NULL);
        ck_assert_msg(status == TN_OK, "%s in step %d", tn_status_text(status), k);
        if (k % 5 != 0 || !tn_stance_serves(sim))
            continue;
        tn_sim_save(sim, saved);
        asked++;
        held += is_held(sim);
        tn_refresh_kinematics(sim);
        expect_velocities(sim, &r, 0.1);
        expect_accelerations(sim);
        expect_closed(sim, &r, 1e-6);
        ck_assert_int_eq(tn_sim_restore(sim, saved), TN_OK);
    }
    printf("%d: %d states, %d that hold something\n", _i, asked, held);
    ck_assert_int_ge(asked, STEPS / 8);
    ck_assert_int_gt(held, 0);
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

/* Whole runs, events and all: without a stance everything is found by the general elimination. States between ends of a
 * step are other cubics then, and rates of a start are known to some hundredths: both are as far from the same at a
 * sixteenth of the step. */
START_TEST(runs_as_by_the_general_elimination)
{
    enum { FINE = 16 };
    tn_sim *sims[3];
    tn_stance *kept[3];
    double apart_most = 0.0;
    int events = 0;
    for (int k = 0; k < 3; k++) {
        uint64_t r = (uint64_t)_i + 171;
        sims[k] = make_tree(&r, _i % 3 == 1);
        kept[k] = sims[k]->stance;
        sims[k]->stance = k == 0 ? kept[k] : NULL;
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
    ck_assert_double_le(apart_most, 0.2 * general);
    ck_assert_double_le(off, 1.1 * general);
    for (int k = 0; k < 3; k++) {
        sims[k]->stance = kept[k];
        destroy_with_model(sims[k]);
    }
}
END_TEST

/* Accelerations whose bodies' equations cannot be met to rounding are told. */
START_TEST(what_is_not_met_is_told)
{
    uint64_t r = 5;
    tn_sim *sim = make_tree(&r, false);
    tn_step_report report = tn_empty_report();
    ck_assert_int_eq(tn_sim_step(sim, 1e-3, NULL), TN_OK);
    ck_assert(tn_stance_serves(sim));
    ck_assert_int_eq(tn_stance_take(sim, TN_STANCE_HERE, &report), TN_OK);
    sim->state.u[3] = (double)NAN;
    ck_assert(!tn_stance_accelerate(sim, TN_STANCE_HERE, true, &report));
    ck_assert(isfinite(sim->state.udot[0]));
    destroy_with_model(sim);
}
END_TEST

/* What something else holds or drives is not for it. */
START_TEST(it_serves_where_nothing_else_acts)
{
    uint64_t r = 6;
    tn_sim *sim = make_tree(&r, false);
    ck_assert(tn_stance_serves(sim));
    ck_assert_int_eq(tn_sim_set_enabled(sim, (tn_joint){BODIES - 1}, 0), TN_OK);
    ck_assert(!tn_stance_serves(sim));
    ck_assert_int_eq(tn_sim_set_enabled(sim, (tn_joint){BODIES - 1}, 1), TN_OK);
    ck_assert(tn_stance_serves(sim));
    destroy_with_model(sim);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("stance");
    TCase *tests = tcase_create("trees");
    tcase_add_loop_test(tests, as_by_the_general_elimination, 0, 12);
    tcase_add_loop_test(tests, runs_as_by_the_general_elimination, 0, 12);
    tcase_add_test(tests, what_is_not_met_is_told);
    tcase_add_test(tests, it_serves_where_nothing_else_acts);
    suite_add_tcase(suite, tests);
    return suite;
}
