/* test_methods.c: the seam of the integrators: one more of them is one file with one row.
 *
 * The file is this one, the row is the_midpoint_rule: the explicit midpoint rule on the group,
 *     u_m = u + h/2 u',  q_m = q o exp(h/2 u),  M u'_m = f_m + G^T l,
 *     u+ = u + h u'_m,   q+ = q o exp(h u_m),  projected,
 * of order two, with something to remember, which fails when told to. Everything a simulation does
 * around a step must work with it as it is: order, events, saving, falling back.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "motion/kinematics.h"
#include "law/impact/impact.h"
#include "method/method.h"
#include "sim/sim_internal.h"
#include "mechanism.h"
#include "run_main.h"
#include "tenon/io.h"
#include "motion/closing/project.h"
#include "saved_states.h"

/* ---- the integrator ---- */

typedef struct memory {
    double steps; /* parts of steps taken */
} memory;

static int refuses; /* steps longer than this many units of 1e-4 s; 0: none */

static size_t memory_size(const tn_model *model)
{
    (void)model;
    return sizeof(memory);
}

typedef struct workspace {
    tn_state start;
    double *u; /* [velocities] of the middle */
} workspace;

static tn_status create(tn_sim *sim)
{
    workspace *w = sim->work = TN_NEW(workspace);
    if (!w)
        return TN_ERROR_MEMORY;
    w->u = TN_NEW_ARRAY(double, sim->model->size.velocities);
    return w->u ? tn_state_create(sim->model, sim->state.memory_size, &w->start) : TN_ERROR_MEMORY;
}

static void destroy(tn_sim *sim)
{
    workspace *w = sim->work;
    if (!w)
        return;
    tn_state_destroy(&w->start);
    tn_free(w->u);
    tn_free(w);
}

static memory *remembered(const tn_state *state)
{
    return state->memory;
}

static tn_status start(tn_sim *sim, double h, tn_step_report *report)
{
    (void)h;
    return sim->state.head->limited ? tn_impact_accelerate(sim, report)
                                    : tn_solve_acceleration(sim, report);
}

/* From the start: the pose by the velocities u, the velocities by the accelerations of now. */
static void move(tn_sim *sim, const double *u, double h)
{
    tn_state *s = &sim->state;
    const tn_state *from = &((workspace *)sim->work)->start;
    tn_move_bodies(sim->model, from->x, from->q, u, h, s->x, s->q);
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        s->u[k] = from->u[k] + h * s->udot[k];
    sim->sys.lead = h;
    tn_refresh_kinematics(sim);
}

static tn_status step(tn_sim *sim, double h, tn_step_report *report)
{
    const size_t bytes = sizeof(double) * (size_t)sim->model->size.velocities;
    workspace *w = sim->work;
    if (refuses && h > 1e-4 * refuses)
        return TN_ERROR_NOT_CONVERGED;
    tn_state_copy(&w->start, &sim->state);
    remembered(&sim->state)->steps++;
    move(sim, w->start.u, 0.5 * h);
    tn_status status = tn_solve_acceleration(sim, report);
    if (status != TN_OK)
        return status;
    memcpy(w->u, sim->state.u, bytes);
    move(sim, w->u, h);
    status = tn_project_position(sim, sim->options.position_tolerance, report);
    if (status == TN_OK)
        status = tn_project_motion(sim, report);
    tn_measure_position(sim, report);
    return status;
}

static const tn_method the_midpoint_rule = {
    .traits = {.accelerations = 1, .closes_joints = 1},
    .restores_momenta = true,
    .fallback = &tn_method_backward_euler,
    .memory_size = memory_size,
    .create = create,
    .destroy = destroy,
    .start = start,
    .step = step,
};

/* ---- what a simulation does with it ---- */

static void start_with(mechanism *m, const tn_method *method)
{
    const tn_sim_options options = mechanism_compile(m, TN_GENERALIZED_ALPHA);
    refuses = 0;
    ck_assert_int_eq(tn_sim_create_with(m->model, &options, method, NULL, &m->sim), TN_OK);
}

/* Two bars in the plane y = 0, the second at right angles to the first. */
static mechanism double_pendulum(void)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -9.81));
    const rod first = {.q = vec(1.0, 0.0, 0.0), .mass = 1.0, .along = 0.01, .across = 0.1};
    const rod second = {.p = vec(1.0, 0.0, 0.0),
                        .q = vec(1.0, 0.0, -0.5),
                        .mass = 0.5,
                        .along = 0.01,
                        .across = 0.02};
    const tn_body a = mechanism_rod(&m, &first), b = mechanism_rod(&m, &second);
    mechanism_axis_joint(&m, "hinge", a, tn_ground(), first.p, vec(0.0, 1.0, 0.0));
    mechanism_axis_joint(&m, "hinge", b, a, second.p, vec(0.0, 1.0, 0.0));
    return m;
}

static tn_vec3 end_after(mechanism *m, double time, int steps)
{
    mechanism_run(m, time / steps, steps, NULL);
    return tn_sim_body_pose(m->sim, (tn_body){1}).p;
}

START_TEST(it_has_its_order)
{
    mechanism m = double_pendulum();
    mechanism_start_exact(&m, 1e-11);
    const tn_vec3 exact = end_after(&m, 0.5, 50);
    double error[3];
    for (int k = 0; k < 3; k++) {
        start_with(&m, &the_midpoint_rule);
        error[k] = vec_norm(vec_sub(end_after(&m, 0.5, 100 << k), exact));
        ck_assert_double_eq(remembered(&m.sim->state)->steps, 100 << k);
    }
    printf("midpoint rule: errors %.2e, %.2e, %.2e m\n", error[0], error[1], error[2]);
    ck_assert_double_lt(error[0], 1e-3);
    for (int k = 0; k < 2; k++)
        ck_assert_double_eq_tol(error[k] / error[k + 1], 4.0, 0.3);
    mechanism_free(&m);
}
END_TEST

/* Newton and Euler hold with its multipliers, which are those of the end. */
START_TEST(its_reactions_balance)
{
    mechanism m = double_pendulum();
    tn_balance balance;
    start_with(&m, &the_midpoint_rule);
    mechanism_run(&m, 1e-3, 100, NULL);
    ck_assert_int_eq(tn_sim_balance(m.sim, &balance), TN_OK);
    ck_assert_double_lt(balance.force, 1e-10);
    mechanism_free(&m);
}
END_TEST

/* A pendulum that falls on a stop, without restitution, and stays there. */
START_TEST(it_meets_limits)
{
    mechanism m = mechanism_read("tenon: 1\n"
                                 "gravity: [0, 0, -9.81]\n"
                                 "bodies:\n"
                                 "  bar: {position: [0.5, 0, 0], mass: 1, inertia: [0, 0.1, 0.1]}\n"
                                 "joints:\n"
                                 "  pin: {type: hinge, a: bar, origin: [0, 0, 0], axis: [0, 1, 0],"
                                 " range: {theta: [-1, 0.5]}}\n");
    double angle;
    start_with(&m, &the_midpoint_rule);
    mechanism_run(&m, 1e-3, 1000, NULL);
    tn_sim_joint_coordinates(m.sim, (tn_joint){0}, &angle);
    ck_assert_double_eq_tol(angle, 0.5, 1e-12);
    const int32_t row = tn_motion_row(&m.model->joints[0], 0);
    const double moment = 9.81 * 0.5 * cos(0.5); /* of the weight */
    ck_assert_double_eq_tol(fabs(m.sim->state.lambda[row]), moment, 1e-9);
    mechanism_free(&m);
}
END_TEST

START_TEST(its_memory_is_part_of_the_state)
{
    mechanism m = double_pendulum();
    start_with(&m, &the_midpoint_rule);
    mechanism_run(&m, 1e-3, 10, NULL);
    void *middle = saved_state(m.sim);
    mechanism_run(&m, 1e-3, 10, NULL);
    void *end = saved_state(m.sim);
    ck_assert_int_eq(tn_sim_restore(m.sim, middle), TN_OK);
    ck_assert_double_eq(remembered(&m.sim->state)->steps, 10.0);
    mechanism_run(&m, 1e-3, 10, NULL);
    ck_assert(is_saved_as(m.sim, end));
    free(middle);
    free(end);
    mechanism_free(&m);
}
END_TEST

/* What fails is taken in parts; what fails at any length, by the fallback. */
START_TEST(its_failures_are_mended)
{
    mechanism m = double_pendulum();
    tn_step_report report;
    start_with(&m, &the_midpoint_rule);
    refuses = 25; /* 2.5 ms */
    ck_assert_int_eq(tn_sim_step(m.sim, 8e-3, &report), TN_OK);
    ck_assert_int_eq(report.halvings, 2);
    ck_assert_int_eq(report.fallbacks, 0);
    ck_assert_double_eq(remembered(&m.sim->state)->steps, 4.0); /* of the parts that were taken */
    ck_assert_int_eq(tn_sim_step(m.sim, 0.2, &report), TN_OK);
    ck_assert_int_eq(report.fallbacks, 1);
    tn_method alone = the_midpoint_rule;
    alone.fallback = NULL;
    start_with(&m, &alone);
    refuses = 25;
    ck_assert_int_eq(tn_sim_step(m.sim, 0.2, &report), TN_ERROR_NOT_CONVERGED);
    ck_assert_double_eq(tn_sim_time(m.sim), 0.0);
    mechanism_free(&m);
}
END_TEST

/* ---- what is judged, whatever a method says of itself ---- */

static double energy_factor = 1.0, force_factor = 1.0, slide; /* of velocities, multipliers; m */

/* The midpoint rule, whose results are changed behind its back. */
static tn_status step_and_lie(tn_sim *sim, double h, tn_step_report *report)
{
    const tn_status status = step(sim, h, report);
    for (int32_t k = 0; k < sim->model->size.velocities; k++)
        sim->state.u[k] *= energy_factor;
    for (int32_t k = 0; k < TN_MAX_ROWS * sim->model->element_count; k++)
        sim->state.lambda[k] *= force_factor;
    report->position_error = fmax(report->position_error, slide);
    return status;
}

typedef struct lie {
    double energy, force, slide; /* factors; m */
    tn_imbalance found;          /* NONE: such a one is within what may be */
} lie;

static const lie lies[] = {
    {1.0, 1.0, 0.0, TN_IMBALANCE_NONE},       {1.05, 1.0, 0.0, TN_IMBALANCE_ENERGY},
    {0.95, 1.0, 0.0, TN_IMBALANCE_ENERGY},    {1.0, 1.002, 0.0, TN_IMBALANCE_NONE},
    {1.0, 1.05, 0.0, TN_IMBALANCE_REACTIONS}, {1.0, -1.0, 0.0, TN_IMBALANCE_REACTIONS},
    {1.0, 1.0, 3.0, TN_IMBALANCE_CLOSURE},
};

/* Steps that move the pendulum: energy from nothing, reactions that are none, joints that are open
 * are refused and named, in a state left as it was. */
START_TEST(what_is_not_so_is_refused)
{
    const lie *l = &lies[_i];
    mechanism m = double_pendulum();
    tn_method liar = the_midpoint_rule;
    liar.step = step_and_lie;
    liar.fallback = NULL;
    liar.traits.closes_joints = l->slide == 0.0;
    energy_factor = force_factor = 1.0;
    slide = 0.0;
    start_with(&m, &liar);
    mechanism_run(&m, 1e-3, 100, NULL);
    energy_factor = l->energy;
    force_factor = l->force;
    slide = l->slide;
    const double time = tn_sim_time(m.sim);
    tn_step_report report;
    tn_status status = TN_OK;
    for (int k = 0; k < 2 && status == TN_OK; k++) /* each body has its turn */
        status = tn_sim_step(m.sim, 1e-3, &report);
    ck_assert_int_eq(status, l->found == TN_IMBALANCE_NONE ? TN_OK : TN_ERROR_INACCURATE);
    if (l->found != TN_IMBALANCE_NONE) {
        ck_assert_int_eq(report.imbalance, l->found);
        ck_assert_double_gt(report.unbalanced, report.allowed);
        ck_assert(report.culprit_body.i >= 0 || report.culprit_joint.i >= 0);
        ck_assert_double_le(tn_sim_time(m.sim), time + 1.5e-3);
    }
    mechanism_free(&m);
}
END_TEST

/* Each integrator has its row, and its order is that of the public list. */
START_TEST(the_table_is_whole)
{
    for (int i = 0; i < TN_INTEGRATOR_COUNT; i++) {
        const tn_method *method = tn_method_of((tn_integrator)i);
        const tn_integrator_traits traits = tn_integrator_traits_of((tn_integrator)i);
        ck_assert_ptr_nonnull(method);
        ck_assert(method->step != NULL);
        ck_assert(method->start != NULL);
        ck_assert(traits.accelerations == (tn_integrator_order((tn_integrator)i) > 1));
        ck_assert(!method->create == !method->destroy);
        ck_assert(!method->begin_part == !method->judge_part);
        ck_assert(!method->fallback || !method->fallback->memory_size);
    }
    ck_assert_ptr_null(tn_method_of(TN_INTEGRATOR_COUNT));
    ck_assert_int_eq(tn_integrator_traits_of(TN_INTEGRATOR_COUNT).accelerations, 0);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("methods");
    TCase *test = tcase_create("one more integrator");
    tcase_add_test(test, it_has_its_order);
    tcase_add_test(test, its_reactions_balance);
    tcase_add_test(test, it_meets_limits);
    tcase_add_test(test, its_memory_is_part_of_the_state);
    tcase_add_test(test, its_failures_are_mended);
    tcase_add_loop_test(test, what_is_not_so_is_refused, 0, sizeof lies / sizeof *lies);
    tcase_add_test(test, the_table_is_whole);
    suite_add_tcase(suite, test);
    return suite;
}
