/* test_change.c: bodies, joints and loads added to and removed from a running simulation.
 *
 * Judged by closed forms (a body let go flies on a parabola), invariants (momentum over the impulse
 * of a joint that closes), and by the same simulation left alone.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion/simulation.h"
#include "support/allocator.h"
#include "support/mechanism.h"
#include "support/model_text.h"
#include "support/run_main.h"
#include "support/saved_states.h"
#include "tenon/io.h"
#include "tenon/record.h"

/* A driven, a motorised and a passive part, side by side; a coupling, loads and measures. */
static const char *const machine =
    "tenon: 1\n"
    "bodies:\n"
    "  crank: {mass: 0.4, inertia: [4.0e-5, 3.0e-3, 3.0e-3], position: [0.15, 0, 0]}\n"
    "  rod: {mass: 0.5, inertia: [5.0e-5, 7.0e-3, 7.0e-3], position: [0.5, 0, 0]}\n"
    "  wheel: {mass: 2, inertia: [5.0e-3, 5.0e-3, 1.0e-2], position: [0, 2, 0]}\n"
    "  other: {mass: 8, inertia: [8.0e-2, 8.0e-2, 0.16], position: [0, 2.3, 0]}\n"
    "joints:\n"
    "  root: {type: hinge, a: crank, origin: [0, 0, 0], axis: [0, 1, 0], motor: {theta: {speed: "
    "{sine: "
    "{amplitude: 3, rate: 4}}, max_force: 2}}}\n"
    "  elbow: {type: hinge, a: rod, b: crank, origin: [0.3, 0, 0], axis: [0, 1, 0]}\n"
    "  axle: {type: hinge, a: wheel, origin: [0, 2, 0], axis: [0, 0, 1], speed: {theta: 20}}\n"
    "  axle2: {type: hinge, a: other, origin: [0, 2.3, 0], axis: [0, 0, 1]}\n"
    "couplings:\n"
    "  gears: {gear: {a: axle.theta, b: axle2.theta, ratio: -2}}\n"
    "loads:\n"
    "  drag: {bodies: [rod, crank], drag: {linear: 0.1}}\n"
    "measures:\n"
    "  turned: {coordinate: gears.value, quantity: effort}\n";

static mechanism start(int method)
{
    mechanism m = mechanism_read(machine);
    mechanism_start(&m, method);
    return m;
}

static void steps(tn_sim *sim, double h, int count)
{
    tn_step_report report;
    for (int k = 0; k < count; k++)
        ck_assert_msg(tn_sim_step(sim, h, &report) == TN_OK, "step %d: %s", k,
                      tn_status_text(report.status));
}

static void change(mechanism *m)
{
    tn_diagnostics *diags = tn_diagnostics_create();
    const tn_status status = tn_sim_change(m->sim, m->spec, diags);
    expect_ok(status, diags, "a change");
    tn_diagnostics_destroy(diags);
}

static tn_mat3 round_inertia(double moment)
{
    return (tn_mat3){{{moment, 0.0, 0.0}, {0.0, moment, 0.0}, {0.0, 0.0, moment}}};
}

/* A pendulum far from everything else. */
static tn_body add_pendulum(mechanism *m, const char *name, tn_joint *hinge)
{
    tn_body_def def = tn_default_body_def();
    def.name = name;
    def.mass = 1.0;
    def.inertia = round_inertia(0.01);
    def.pose.p = (tn_vec3){10.0, 0.0, 0.0};
    const tn_body body = mechanism_body(m, &def);
    *hinge = mechanism_axis_joint(m, "hinge", body, (tn_body){TN_GROUND_INDEX},
                                  (tn_vec3){10.5, 0.0, 0.0}, (tn_vec3){0.0, 1.0, 0.0});
    return body;
}

static double largest_difference(const tn_sim *a, const tn_sim *b, int bodies)
{
    double most = 0.0;
    for (int i = 0; i < bodies; i++) {
        const tn_pose p = tn_sim_body_pose(a, (tn_body){i}), q = tn_sim_body_pose(b, (tn_body){i});
        const double d[] = {p.p.x - q.p.x, p.p.y - q.p.y, p.p.z - q.p.z, p.q.w - q.q.w,
                            p.q.x - q.q.x, p.q.y - q.q.y, p.q.z - q.q.z};
        for (size_t k = 0; k < sizeof d / sizeof d[0]; k++)
            most = fmax(most, fabs(d[k]));
    }
    return most;
}

/* What the added pendulum does not touch goes on as if alone: to rounding with methods of one step;
 * generalized alpha begins anew in its balance, an order above its own error; those that choose
 * their steps, which the newcomer may shorten, within what they may err. */
START_TEST(the_rest_goes_on_as_it_was)
{
    mechanism alone = start(_i), changed = start(_i);
    steps(alone.sim, 1e-3, 300);
    steps(changed.sim, 1e-3, 300);
    ck_assert(largest_difference(alone.sim, changed.sim, 4) == 0.0);
    tn_joint hinge;
    const tn_body added = add_pendulum(&changed, "added", &hinge);
    change(&changed);
    ck_assert_int_eq(added.i, 4);
    ck_assert(largest_difference(alone.sim, changed.sim, 4) == 0.0);
    ck_assert_double_eq(tn_sim_time(changed.sim), tn_sim_time(alone.sim));
    steps(alone.sim, 1e-3, 300);
    steps(changed.sim, 1e-3, 300);
    const double off = largest_difference(alone.sim, changed.sim, 4);
    const double allowed = tn_integrator_controls_errors((tn_integrator)_i) ? 1e-8
                           : method_order(_i) > 1                           ? 1e-6
                                                                            : 1e-11;
    if (getenv("TENON_TELL"))
        printf("%s: %.3g\n", method_name(_i), off);
    ck_assert_msg(off <= allowed, "%s: %.3g", method_name(_i), off);
    double q = 0.0;
    tn_sim_joint_coordinates(changed.sim, hinge, &q);
    ck_assert(fabs(q) > 0.1); /* the newcomer swings */
    mechanism_free(&alone);
    mechanism_free(&changed);
}
END_TEST

/* The same number added and removed again: every old value, id, turn and drive is there. */
START_TEST(ids_turns_and_drives_stay)
{
    mechanism m = start(TN_GENERALIZED_ALPHA);
    steps(m.sim, 1e-3, 700);
    double before = 0.0, after = 0.0;
    tn_joint axle, hinge;
    tn_coupling gears;
    ck_assert(tn_model_find_joint(tn_sim_model(m.sim), "axle", &axle) == TN_OK);
    tn_sim_joint_coordinates(m.sim, axle, &before);
    ck_assert(before > 6.0); /* more than a turn, near enough */
    const tn_energy energy = tn_sim_energy(m.sim);
    ck_assert(tn_model_find_coupling(tn_sim_model(m.sim), "gears", &gears) == TN_OK);
    const tn_joint as_joint = tn_model_coupling_joint(tn_sim_model(m.sim), gears);
    const tn_body body = add_pendulum(&m, "added", &hinge);
    change(&m);
    ck_assert(tn_model_find_coupling(tn_sim_model(m.sim), "gears", &gears) == TN_OK);
    ck_assert_int_eq(gears.i, 0);
    const tn_joint geared = tn_model_coupling_joint(tn_sim_model(m.sim), gears);
    ck_assert_int_eq(geared.i, as_joint.i); /* added joints do not move it */
    double q_gears = 0.0;
    tn_sim_joint_coordinates(m.sim, geared, &q_gears);
    ck_assert(q_gears == tn_sim_coupling_value(m.sim, gears));
    tn_sim_joint_coordinates(m.sim, axle, &after);
    ck_assert(before == after);
    ck_assert(tn_sim_energy(m.sim).work == energy.work);
    ck_assert_int_eq(tn_sim_has_drive(m.sim, (tn_joint){0}, 0), 1);
    steps(m.sim, 1e-3, 50);
    ck_assert(tn_spec_remove_body(m.spec, body) == TN_OK);
    ck_assert(tn_spec_remove_body(m.spec, body) == TN_ERROR_NOT_FOUND);
    ck_assert(tn_spec_remove_joint(m.spec, hinge) == TN_ERROR_NOT_FOUND); /* gone with the body */
    change(&m);
    ck_assert_int_eq(tn_model_has_body(tn_sim_model(m.sim), body), 0);
    ck_assert_int_eq(tn_model_has_joint(tn_sim_model(m.sim), hinge), 0);
    ck_assert_int_eq(tn_model_has_joint(tn_sim_model(m.sim), axle), 1);
    ck_assert_int_eq((int)tn_sim_change_count(m.sim), 2);
    tn_body found = {-1};
    ck_assert(tn_model_find_body(tn_sim_model(m.sim), "added", &found) == TN_ERROR_NOT_FOUND);
    const tn_body again = add_pendulum(&m, "added", &hinge);
    change(&m);
    ck_assert_int_eq(again.i, 5);
    steps(m.sim, 1e-3, 50);
    mechanism_free(&m);
}
END_TEST

/* A marker and a measure come and go: what moves keeps every bit. */
START_TEST(what_only_looks_changes_no_bit)
{
    mechanism alone = start(_i), changed = start(_i);
    tn_marker_def at = tn_default_marker_def();
    tn_measure_def tip = tn_default_measure_def(TN_QUANTITY_POSITION);
    at.name = "tip";
    at.body = (tn_body){1};
    tip.name = "tip";
    for (int round = 0; round < 4; round++) {
        steps(alone.sim, 1e-3, 50);
        steps(changed.sim, 1e-3, 50);
        tn_measure_id measured;
        if (round % 2 == 0) {
            ck_assert(tn_spec_add_marker(changed.spec, &at, &tip.markers[0]) == TN_OK);
            ck_assert(tn_spec_add_measure(changed.spec, &tip, &measured) == TN_OK);
        } else {
            ck_assert(tn_model_find_measure(tn_sim_model(changed.sim), tip.name, &measured) ==
                      TN_OK);
            ck_assert(tn_spec_remove_measure(changed.spec, measured) == TN_OK);
            tip.name = "tip again";
            at.name = "tip again";
        }
        change(&changed);
        ck_assert_int_eq((int)tn_sim_change_count(changed.sim), round + 1);
    }
    steps(alone.sim, 1e-3, 50);
    steps(changed.sim, 1e-3, 50);
    ck_assert_msg(largest_difference(alone.sim, changed.sim, 4) == 0.0, "%s: %.3g", method_name(_i),
                  largest_difference(alone.sim, changed.sim, 4));
    mechanism_free(&alone);
    mechanism_free(&changed);
}
END_TEST

/* Driven by the same sine before and after; the measure of the coupling is still of the coupling. */
/* With the marker the world's damping comes: that acts, and the integrator begins with what it makes of
 * the accelerations. w = w0 exp(-c t / J) of a top of equal inertias. */
START_TEST(damping_that_comes_with_a_marker_acts_at_once)
{
    const double h = 1e-3, J = 0.5, c = 10.0;
    mechanism m = mechanism_read("tenon: 1\ngravity: [0, 0, 0]\nbodies:\n"
                                 "  top: {mass: 1, inertia: [0.5, 0.5, 0.5], velocity: {angular: "
                                 "[3, 0, 0]}}\n");
    tn_marker_def at = tn_default_marker_def();
    tn_world_def world;
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    steps(m.sim, h, 10);
    at.name = "tip";
    at.body.i = 0;
    world = *tn_spec_world(m.spec);
    world.rotary_damping = c;
    ck_assert(tn_spec_set_world(m.spec, &world) == TN_OK);
    ck_assert(tn_spec_add_marker(m.spec, &at, NULL) == TN_OK);
    change(&m);
    for (int k = 1; k <= 20; k++) {
        steps(m.sim, h, 1);
        const double w = tn_sim_body_velocity(m.sim, (tn_body){0}).w.x;
        ck_assert_double_eq_tol(w, 3.0 * exp(-c * h * k / J), 1e-4);
    }
    mechanism_free(&m);
}
END_TEST

START_TEST(functions_and_measures_are_carried)
{
    mechanism alone = start(TN_DORMAND_PRINCE), m = start(TN_DORMAND_PRINCE);
    const tn_function_def wave = {
        .kind = TN_FUNCTION_SINE, .numbers = (const double[]){0.3, 5.0, 0.0, 0.0}, .count = 4};
    ck_assert(tn_function_problem(&wave) == NULL);
    ck_assert(tn_sim_set_driver(alone.sim, (tn_joint){1}, 0, &wave) == TN_OK);
    ck_assert(tn_sim_set_driver(m.sim, (tn_joint){1}, 0, &wave) == TN_OK);
    for (int round = 0; round < 3; round++) {
        tn_joint hinge;
        char name[16];
        snprintf(name, sizeof name, "added %d", round);
        steps(alone.sim, 1e-3, 40);
        steps(m.sim, 1e-3, 40);
        add_pendulum(&m, name, &hinge);
        change(&m);
        steps(alone.sim, 1e-3, 40);
        steps(m.sim, 1e-3, 40);
        double effort[2] = {0.0, 0.0};
        tn_measure_id turned;
        ck_assert(tn_model_find_measure(tn_sim_model(m.sim), "turned", &turned) == TN_OK);
        tn_sim_measure(alone.sim, turned, &effort[0]);
        tn_sim_measure(m.sim, turned, &effort[1]);
        ck_assert_double_eq_tol(effort[0], effort[1], 1e-8);
        ck_assert(largest_difference(alone.sim, m.sim, 4) < 1e-8);
    }
    mechanism_free(&alone);
    mechanism_free(&m);
}
END_TEST

static mechanism pendulum(void)
{
    mechanism m =
        mechanism_read("tenon: 1\n"
                       "bodies:\n"
                       "  bob: {mass: 2, inertia: [0.02, 0.02, 0.02], position: [0.5, 0, 0]}\n"
                       "joints:\n"
                       "  pivot: {type: hinge, a: bob, origin: [0, 0, 0], axis: [0, 1, 0]}\n");
    mechanism_start_exact(&m, 1e-12);
    return m;
}

/* Let go, it flies on the parabola and keeps its spin. */
START_TEST(a_body_let_go_flies_on_a_parabola)
{
    mechanism m = pendulum();
    const tn_body bob = {0};
    steps(m.sim, 1e-3, 400);
    const tn_pose pose = tn_sim_body_pose(m.sim, bob);
    const tn_twist speed = tn_sim_body_velocity(m.sim, bob);
    ck_assert(tn_spec_remove_joint(m.spec, (tn_joint){0}) == TN_OK);
    change(&m);
    steps(m.sim, 1e-3, 500);
    const tn_pose now = tn_sim_body_pose(m.sim, bob);
    ck_assert_double_eq_tol(now.p.x, pose.p.x + 0.5 * speed.v.x, 1e-12);
    ck_assert_double_eq_tol(now.p.z, pose.p.z + 0.5 * speed.v.z - 0.5 * 9.81 * 0.25, 1e-12);
    ck_assert_double_eq_tol(tn_sim_body_velocity(m.sim, bob).w.y, speed.w.y, 1e-12);
    mechanism_free(&m);
}
END_TEST

/* A weight on the flying body, and off again. */
START_TEST(a_load_comes_and_goes)
{
    mechanism m = pendulum();
    ck_assert(tn_spec_remove_joint(m.spec, (tn_joint){0}) == TN_OK);
    change(&m);
    tn_load_def def = tn_default_load_def(TN_LOAD_WRENCH);
    const tn_body bob = {0};
    def.name = "push";
    def.bodies = &bob;
    def.body_count = 1;
    const double push = 6.0; /* N, on 2 kg */
    def.force[0] = (tn_function_def){.kind = TN_FUNCTION_CONSTANT, .numbers = &push, .count = 1};
    tn_load load;
    ck_assert(tn_spec_add_load(m.spec, &def, &load) == TN_OK);
    change(&m);
    steps(m.sim, 1e-3, 500);
    ck_assert_double_eq_tol(tn_sim_body_velocity(m.sim, bob).v.x, 1.5, 1e-12);
    ck_assert_double_eq_tol(tn_sim_load_work(m.sim, load), 6.0 * 0.375, 1e-11);
    ck_assert(tn_spec_remove_load(m.spec, load) == TN_OK);
    change(&m);
    ck_assert_int_eq(tn_model_has_load(tn_sim_model(m.sim), load), 0);
    steps(m.sim, 1e-3, 500);
    ck_assert_double_eq_tol(tn_sim_body_velocity(m.sim, bob).v.x, 1.5, 1e-12);
    mechanism_free(&m);
}
END_TEST

typedef struct sums {
    tn_vec3 linear, angular; /* N s; N m s about the world's origin */
} sums;

/* From poses and velocities, for bodies whose inertia is 0.1 kg m^2 about any axis. */
static sums momenta(const tn_sim *sim)
{
    sums s = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int i = 0; i < 2; i++) {
        const double mass = 1.0 + 2.0 * i;
        const tn_vec3 p = tn_sim_body_pose(sim, (tn_body){i}).p;
        const tn_twist t = tn_sim_body_velocity(sim, (tn_body){i});
        s.linear.x += mass * t.v.x;
        s.linear.z += mass * t.v.z;
        s.angular.y += mass * (p.z * t.v.x - p.x * t.v.z) + 0.1 * t.w.y;
        s.angular.z += mass * (p.x * t.v.y - p.y * t.v.x) + 0.1 * t.w.z;
    }
    return s;
}

/* Two free bodies on which nothing acts, joined while they pass: the impulse keeps linear and
 * angular momentum and takes kinetic energy; what comes out is one body if the joint is solid. */
START_TEST(a_joint_closes_by_an_impulse)
{
    mechanism m = mechanism_new((tn_vec3){0.0, 0.0, 0.0});
    for (int i = 0; i < 2; i++) {
        tn_body_def def = tn_default_body_def();
        def.mass = 1.0 + 2.0 * i;
        def.inertia = round_inertia(0.1);
        def.pose.p = (tn_vec3){i ? 1.0 : -1.0, 0.1 * i, 0.0};
        def.velocity.v = (tn_vec3){i ? -1.0 : 1.0, 0.2, 0.3 * i};
        def.velocity.w = (tn_vec3){0.0, 0.5, i ? -0.4 : 0.7};
        mechanism_body(&m, &def);
    }
    mechanism_start_exact(&m, 1e-12);
    steps(m.sim, 1e-2, 50);
    const sums before = momenta(m.sim);
    const double energy = tn_sim_energy(m.sim).kinetic;
    const tn_vec3 middle = tn_sim_body_pose(m.sim, (tn_body){0}).p;
    mechanism_axis_joint(&m, "solid", (tn_body){0}, (tn_body){1}, middle, (tn_vec3){0.0, 0.0, 1.0});
    change(&m);
    steps(m.sim, 1e-2, 50);
    const sums after = momenta(m.sim);
    ck_assert_double_eq_tol(after.linear.x, before.linear.x, 1e-12);
    ck_assert_double_eq_tol(after.linear.z, before.linear.z, 1e-12);
    ck_assert_double_eq_tol(after.angular.y, before.angular.y, 1e-10);
    ck_assert_double_eq_tol(after.angular.z, before.angular.z, 1e-10);
    ck_assert(tn_sim_energy(m.sim).kinetic < energy);
    const tn_vec3 w[2] = {tn_sim_body_velocity(m.sim, (tn_body){0}).w,
                          tn_sim_body_velocity(m.sim, (tn_body){1}).w};
    ck_assert_double_eq_tol(w[0].y, w[1].y, 1e-11);
    mechanism_free(&m);
}
END_TEST

/* Joints, couplings, loads and measures go with what they hang on. */
START_TEST(what_hangs_on_it_goes_too)
{
    mechanism m = start(TN_DORMAND_PRINCE);
    steps(m.sim, 1e-3, 20);
    ck_assert(tn_spec_remove_body(m.spec, (tn_body){3}) == TN_OK);
    change(&m);
    const tn_model *model = tn_sim_model(m.sim);
    ck_assert_int_eq(tn_model_has_joint(model, (tn_joint){3}), 0);
    ck_assert_int_eq(tn_model_has_coupling(model, (tn_coupling){0}), 0);
    ck_assert_int_eq(tn_model_has_measure(model, (tn_measure_id){0}), 0);
    ck_assert_int_eq(tn_model_has_load(model, (tn_load){0}), 1);
    double before = 0.0, after = 0.0;
    steps(m.sim, 1e-3, 5);
    tn_sim_joint_speeds(m.sim, (tn_joint){2}, &before);
    steps(m.sim, 1e-3, 200);
    tn_sim_joint_speeds(m.sim, (tn_joint){2}, &after);
    ck_assert_double_eq_tol(after, before, 1e-11); /* the wheel runs free of its gear */
    ck_assert(tn_spec_remove_body(m.spec, (tn_body){1}) == TN_OK); /* off the list of the drag */
    change(&m);
    ck_assert_int_eq(tn_model_has_load(tn_sim_model(m.sim), (tn_load){0}), 1);
    steps(m.sim, 1e-3, 50);
    char *text = NULL;
    ck_assert(tn_spec_remove_body(m.spec, (tn_body){0}) == TN_OK);
    change(&m);
    ck_assert_int_eq(tn_model_has_load(tn_sim_model(m.sim), (tn_load){0}), 0);
    steps(m.sim, 1e-3, 50);
    tn_text_free(text);
    mechanism_free(&m);
}
END_TEST

/* Bytes of a simulation and of what it does next. */
static uint64_t trail(tn_sim *sim)
{
    const size_t size = tn_sim_state_size(sim);
    unsigned char *block = malloc(size), *moved = malloc(size);
    uint64_t sum = 14695981039346656037u;
    tn_sim_save(sim, block);
    steps(sim, 1e-3, 20);
    tn_sim_save(sim, moved);
    for (size_t k = 0; k < size; k++)
        sum = ((sum ^ block[k]) * 1099511628211u ^ moved[k]) * 1099511628211u;
    ck_assert(tn_sim_restore(sim, block) == TN_OK);
    free(block);
    free(moved);
    return sum;
}

static void must_refuse(mechanism *m, const tn_spec *spec, tn_status expected)
{
    const uint64_t before = trail(m->sim);
    const tn_model *model = tn_sim_model(m->sim);
    tn_diagnostics *diags = tn_diagnostics_create();
    const tn_status status = tn_sim_change(m->sim, spec, diags);
    ck_assert_msg(status == expected, "%s", tn_status_text(status));
    ck_assert(tn_diagnostics_count(diags) > 0);
    ck_assert(tn_sim_model(m->sim) == model);
    ck_assert(trail(m->sim) == before);
    ck_assert_int_eq((int)tn_sim_change_count(m->sim), 0);
    tn_diagnostics_destroy(diags);
}

/* Refused: another mechanism's spec, a joint of no type, one that cannot close, a formula that names
 * what is no more. The simulation goes on with the same bits. */
START_TEST(on_failure_nothing_has_changed)
{
    mechanism m = start(_i), other = pendulum();
    steps(m.sim, 1e-3, 100);
    must_refuse(&m, other.spec, TN_ERROR_ARGUMENT);
    tn_joint_def def = mechanism_axis_def("hinch", (tn_body){0}, (tn_body){TN_GROUND_INDEX},
                                          (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.0, 0.0, 1.0});
    tn_joint bad;
    ck_assert(tn_spec_add_joint(m.spec, &def, &bad) == TN_OK);
    must_refuse(&m, m.spec, TN_ERROR_INPUT);
    ck_assert(tn_spec_remove_joint(m.spec, bad) == TN_OK);
    def = tn_default_joint_def();
    def.type = "spherical";
    def.a = (tn_body){1};
    def.b = (tn_body){TN_GROUND_INDEX};
    def.placement = TN_PLACE_BODY_FRAMES;
    def.frame_c = def.frame_d = tn_pose_identity();
    def.frame_d.p = (tn_vec3){5.0, 0.0, 0.0}; /* the arm is 0.5 m long */
    ck_assert(tn_spec_add_joint(m.spec, &def, &bad) == TN_OK);
    must_refuse(&m, m.spec, TN_ERROR_CONFLICT);
    ck_assert(tn_spec_remove_joint(m.spec, bad) == TN_OK);
    change(&m);
    steps(m.sim, 1e-3, 20);
    mechanism_free(&m);
    mechanism_free(&other);
}
END_TEST

/* A spec without changes changes nothing, not a bit and not the model. */
START_TEST(no_change_is_none)
{
    mechanism m = start(_i);
    steps(m.sim, 1e-3, 100);
    const uint64_t before = trail(m.sim);
    change(&m);
    ck_assert(tn_sim_model(m.sim) == m.model);
    ck_assert(trail(m.sim) == before);
    mechanism_free(&m);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    test_allocator a = {.left = -1};
    tn_set_allocator(test_realloc, &a);
    mechanism m = start(TN_GENERALIZED_ALPHA);
    steps(m.sim, 1e-3, 50);
    const uint64_t before = trail(m.sim);
    tn_joint hinge;
    add_pendulum(&m, "added", &hinge);
    const int64_t alive = a.alive;
    tn_status status = TN_ERROR_MEMORY;
    int64_t at = 0;
    for (; status == TN_ERROR_MEMORY; at++) {
        a.left = at;
        status = tn_sim_change(m.sim, m.spec, NULL);
        a.left = -1;
        if (status == TN_ERROR_MEMORY) {
            ck_assert_msg(a.alive == alive, "at %d", (int)at);
            if (at % 16 == 0)
                ck_assert(trail(m.sim) == before);
        }
    }
    ck_assert(status == TN_OK);
    ck_assert(at > 100);
    status = TN_ERROR_MEMORY;
    for (at = 0; status == TN_ERROR_MEMORY; at++) {
        a.left = at;
        status = tn_spec_remove_joint(m.spec, hinge);
        a.left = -1;
    }
    ck_assert(status == TN_OK);
    change(&m);
    mechanism_free(&m);
    ck_assert_int_eq((int)a.alive, 0);
    tn_set_allocator(NULL, NULL);
}
END_TEST

START_TEST(recorders_of_before_refuse)
{
    mechanism m = start(TN_DORMAND_PRINCE);
    tn_recorder *before = NULL, *after = NULL;
    ck_assert(tn_recorder_create(m.sim, NULL, &before) == TN_OK);
    ck_assert(tn_recorder_write(before, NULL) == TN_OK);
    const int32_t columns = tn_recorder_column_count(before);
    ck_assert(tn_spec_remove_body(m.spec, (tn_body){3}) == TN_OK);
    change(&m);
    ck_assert(tn_recorder_write(before, NULL) == TN_ERROR_ARGUMENT);
    ck_assert(tn_recorder_create(m.sim, NULL, &after) == TN_OK);
    ck_assert_int_lt(tn_recorder_column_count(after), columns);
    ck_assert(tn_recorder_write(after, NULL) == TN_OK);
    tn_recorder_destroy(before);
    tn_recorder_destroy(after);
    mechanism_free(&m);
}
END_TEST

/* A four-bar whose links are not quite in one plane: no pose closes it. A joint of it goes, and with it
 * what stayed open: the chain that is left swings like one that was described so. */
START_TEST(a_loop_that_does_not_close_is_opened)
{
    mechanism m =
        mechanism_read("tenon: 1\n"
                       "gravity: [0, -9.81, 0]\n"
                       "bodies:\n"
                       "  a: {mass: 1, inertia: [0.1, 0.01, 0.1], position: [0, 0.5, 0]}\n"
                       "  b: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [0.5, 1, 0]}\n"
                       "  c: {mass: 1, inertia: [0.1, 0.01, 0.1], position: [1, 0.5, 0]}\n"
                       "joints:\n"
                       "  A: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 0, 1]}\n"
                       "  B: {type: hinge, a: b, b: a, origin: [0, 1, 0], axis: [0, 0, 1]}\n"
                       "  C: {type: hinge, a: c, b: b, frame_c: {position: [0, 0.5, 0]},\n"
                       "      frame_d: {position: [0.5, 0, 1e-5]}}\n"
                       "  D: {type: hinge, a: c, origin: [1, 0, 0], axis: [0, 0, 1]}\n"
                       "simulation: {step: 1e-3}\n");
    mechanism_start(&m, _i);
    ck_assert(tn_sim_step(m.sim, 1e-3, NULL) == TN_OK);
    ck_assert(m.sim->state.head->gap_epsilon > 0.0);
    ck_assert(tn_spec_remove_joint(m.spec, (tn_joint){2}) == TN_OK);
    change(&m);
    ck_assert(m.sim->state.head->gap_epsilon == 0.0);
    const double before = tn_sim_energy(m.sim).kinetic + tn_sim_energy(m.sim).potential;
    for (int k = 0; k < 200; k++) {
        tn_step_report report;
        ck_assert(tn_sim_step(m.sim, 1e-3, &report) == TN_OK);
        ck_assert(report.gap == 0.0 && report.gap_angle == 0.0);
    }
    const tn_energy energy = tn_sim_energy(m.sim);
    ck_assert_double_gt(energy.kinetic, 0.1);
    if (method_order(_i) > 1)
        ck_assert_double_eq_tol(energy.kinetic + energy.potential, before, 1e-4 * energy.kinetic);
    mechanism_free(&m);
}
END_TEST

/* Blocks know what the model had of what a state has something of. */
START_TEST(states_of_before_are_refused)
{
    mechanism m = start(TN_GENERALIZED_ALPHA);
    void *block = saved_state(m.sim);
    ck_assert(tn_spec_remove_measure(m.spec, (tn_measure_id){0}) == TN_OK);
    change(&m);
    ck_assert(tn_sim_restore(m.sim, block) == TN_OK); /* a measure has no part in it */
    ck_assert(tn_spec_remove_load(m.spec, (tn_load){0}) == TN_OK);
    change(&m);
    ck_assert(tn_sim_restore(m.sim, block) == TN_ERROR_ARGUMENT);
    tn_sim_save(m.sim, block);
    ck_assert(tn_spec_remove_coupling(m.spec, (tn_coupling){0}) == TN_OK);
    change(&m);
    ck_assert(tn_sim_restore(m.sim, block) == TN_ERROR_ARGUMENT);
    free(block);
    mechanism_free(&m);
}
END_TEST

static tn_status count_body(void *context, const tn_primitive *primitive)
{
    int *drawn = context;
    ck_assert(isfinite(primitive->pose.p.x) && primitive->body.i != 3);
    ++*drawn;
    return TN_OK;
}

/* What was removed is not drawn, and its node in glTF files is empty. */
START_TEST(drawings_leave_out_what_went)
{
    mechanism m = start(TN_GENERALIZED_ALPHA);
    tn_recorder *recorder = NULL;
    int drawn = 0;
    ck_assert(tn_spec_remove_body(m.spec, (tn_body){3}) == TN_OK);
    change(&m);
    ck_assert(tn_sim_draw(m.sim, NULL, count_body, &drawn) == TN_OK);
    ck_assert_int_gt(drawn, 0);
    const char *path = TN_TEST_OUTPUT "/removed.glb";
    ck_assert(tn_recorder_create(m.sim, NULL, &recorder) == TN_OK);
    ck_assert(tn_recorder_add_gltf(recorder, path, NULL) == TN_OK);
    ck_assert(tn_recorder_write(recorder, NULL) == TN_OK);
    ck_assert(tn_recorder_close(recorder, NULL) == TN_OK);
    tn_recorder_destroy(recorder);
    char text[1 << 14] = {0};
    FILE *file = fopen(path, "rb");
    ck_assert(file != NULL);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    for (size_t k = 0; k < length; k++)
        if (text[k] == '\0')
            text[k] = ' ';
    ck_assert(strstr(text, "\"nodes\"") != NULL);
    ck_assert(strstr(text, ":[nan") == NULL && strstr(text, ",nan") == NULL);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *change_suite = suite_create("change");
    TCase *tc = tcase_create("change");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, the_rest_goes_on_as_it_was, 0, TN_INTEGRATOR_COUNT);
    tcase_add_loop_test(tc, what_only_looks_changes_no_bit, 0, TN_INTEGRATOR_COUNT);
    tcase_add_test(tc, damping_that_comes_with_a_marker_acts_at_once);
    tcase_add_test(tc, ids_turns_and_drives_stay);
    tcase_add_test(tc, functions_and_measures_are_carried);
    tcase_add_test(tc, a_body_let_go_flies_on_a_parabola);
    tcase_add_test(tc, a_load_comes_and_goes);
    tcase_add_test(tc, a_joint_closes_by_an_impulse);
    tcase_add_test(tc, what_hangs_on_it_goes_too);
    tcase_add_loop_test(tc, on_failure_nothing_has_changed, 0, TN_INTEGRATOR_COUNT);
    tcase_add_loop_test(tc, no_change_is_none, 0, TN_INTEGRATOR_COUNT);
    tcase_add_test(tc, every_allocation_may_fail);
    tcase_add_test(tc, recorders_of_before_refuse);
    tcase_add_loop_test(tc, a_loop_that_does_not_close_is_opened, 0, TN_INTEGRATOR_COUNT);
    tcase_add_test(tc, states_of_before_are_refused);
    tcase_add_test(tc, drawings_leave_out_what_went);
    suite_add_tcase(change_suite, tc);
    return change_suite;
}
