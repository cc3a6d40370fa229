/* test_breaking.c: joints that break under a load, at rest, on a ramp, in motion, one after
 * another.
 *
 * Expected times are closed forms or their quadrature. Energy does not jump where a joint breaks.
 */
#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/drive_scenes.h"
#include "support/quadrature.h"
#include "support/run_main.h"
#include "support/saved_states.h"

static const double gravity = 9.81, mass = 2.0;
static const tn_vec3 zero = {0.0, 0.0, 0.0}, Z = {0.0, 0.0, 1.0};

static int second_order(int integrator)
{
    return method_is_second_order(integrator);
}

static const char *name_of(int integrator)
{
    return method_name(integrator);
}

static tn_body weight(mechanism *m)
{
    tn_body_def def = tn_default_body_def();
    def.mass = mass;
    def.com = zero;
    def.inertia = mat_diagonal(0.1, 0.2, 0.25);
    return mechanism_body(m, &def);
}

/* A joint to the ground that breaks at a force (N). */
static tn_joint_def hanger(const char *type, tn_body body, double break_force)
{
    tn_joint_def def = tn_default_joint_def();
    def.type = type;
    def.a = body;
    def.b = tn_ground();
    def.placement = TN_PLACE_AXIS;
    def.axis = Z;
    def.break_force = break_force;
    return def;
}

/* What broke, in order. */
typedef struct breaks {
    int count;
    int32_t joint[8];
    double time[8], load[8];
} breaks;

static void step(mechanism *m, double h, breaks *b)
{
    tn_step_report report;
    const tn_status status = tn_sim_step(m->sim, h, &report);
    ck_assert_msg(status == TN_OK && report.fallbacks == 0 && report.halvings == 0, "%s at t = %g",
                  tn_status_text(status), tn_sim_time(m->sim));
    for (int32_t k = 0; k < tn_sim_event_count(m->sim); k++) {
        const tn_event *e = tn_sim_event(m->sim, k);
        ck_assert_int_eq(e->kind, TN_EVENT_JOINT_BROKE);
        ck_assert_int_lt(b->count, 8);
        ck_assert_int_eq(tn_sim_is_enabled(m->sim, e->joint), 0);
        b->joint[b->count] = e->joint.i;
        b->load[b->count] = e->value;
        b->time[b->count++] = e->time;
    }
}

/* ---- at rest ---- */

/* A weight hangs from the first instant on: a joint too weak for it breaks then and there, one that
 * is strong enough never does. */
START_TEST(hanging_weight_breaks_what_is_too_weak_at_once)
{
    for (int strong = 0; strong < 2; strong++) {
        mechanism m = mechanism_new(vec(0.0, 0.0, -gravity));
        const double threshold = (strong ? 1.001 : 0.999) * mass * gravity;
        tn_joint_def def = hanger("solid", weight(&m), threshold);
        mechanism_joint(&m, &def);
        mechanism_start(&m, _i);
        breaks b = {0};
        for (int k = 0; k < 500; k++)
            step(&m, 2e-3, &b);
        const double z = tn_sim_body_pose(m.sim, (tn_body){0}).p.z;
        ck_assert_int_eq(b.count, !strong);
        if (strong) {
            ck_assert_double_le(fabs(z), 1e-12);
        } else {
            printf("%-27s breaks at %.1e s, at %.9f of the weight\n", name_of(_i), b.time[0],
                   b.load[0] / (mass * gravity));
            const double late = second_order(_i) ? 1e-12 : 2e-3; /* s */
            ck_assert_double_le(b.time[0], late);
            ck_assert_double_eq_tol(b.load[0], mass * gravity, 1e-7 * mass * gravity);
            /* half a step more or less is the first order's way to fall */
            const double fall = 1.0 - b.time[0];
            ck_assert_double_eq_tol(z, -0.5 * gravity * fall * fall, 1e-9 + 0.5 * gravity * late);
        }
        mechanism_free(&m);
    }
}
END_TEST

/* ---- on a ramp ---- */

/* A spring to the ground pulls the hanging weight down by more and more: k r(t), r = a sin(w t).
 * With a threshold of m g + k a / 2 the joint goes at w t = pi / 6. */
static const double k_ramp = 400.0, a_ramp = 0.1, w_ramp = 1.3;

static mechanism ramp(int integrator)
{
    static double rest[4];
    mechanism m = mechanism_new(vec(0.0, 0.0, -gravity));
    const tn_body body = weight(&m);
    tn_joint_def def = hanger("solid", body, mass * gravity + 0.5 * k_ramp * a_ramp);
    mechanism_joint(&m, &def);
    tn_drive_def drive = tn_default_drive_def();
    rest[0] = -a_ramp;
    rest[1] = w_ramp;
    drive.spring.stiffness = k_ramp;
    drive.spring.rest = drive_sine(rest);
    def = hanger("slider", body, (double)NAN);
    def.drives = &drive;
    def.drive_count = 1;
    mechanism_joint(&m, &def);
    mechanism_start(&m, integrator);
    return m;
}

/* Until shortly after the break; *jump is the largest change of the energy that springs and work
 * account for, J, over the steps around it. */
static breaks run_ramp(int integrator, double h, double until, double *jump)
{
    mechanism m = ramp(integrator);
    breaks b = {0};
    double before = drive_balance_of_energy(&m);
    *jump = 0.0;
    while (tn_sim_time(m.sim) < until) {
        step(&m, h, &b);
        const double now = drive_balance_of_energy(&m);
        if (b.count && tn_sim_time(m.sim) < b.time[0] + 1.5 * h)
            *jump = fmax(*jump, fabs(now - before));
        before = now;
    }
    ck_assert_double_lt(tn_sim_body_pose(m.sim, (tn_body){0}).p.z, -1e-3);
    mechanism_free(&m);
    return b;
}

START_TEST(ramp_of_load_breaks_in_time)
{
    const double expected = acos(-1.0) / 6.0 / w_ramp;
    const double threshold = mass * gravity + 0.5 * k_ramp * a_ramp;
    const double rate = k_ramp * a_ramp * w_ramp; /* N/s, at most */
    for (int k = 0; k < 3; k++) {
        const double h = 1e-2 / (1 << k);
        double jump;
        const breaks b = run_ramp(_i, h, expected + 0.05, &jump);
        ck_assert_int_eq(b.count, 1);
        printf("%-27s h = %.4f: time off by %.1e s, load by %.1e, energy by %.1e J\n", name_of(_i),
               h, b.time[0] - expected, b.load[0] / threshold - 1.0, jump);
        ck_assert_int_eq(b.joint[0], 0);
        ck_assert_double_ge(b.time[0], expected - 1e-9);
        ck_assert_double_le(b.time[0], expected + (second_order(_i) ? 1e-9 : h));
        ck_assert_double_ge(b.load[0], threshold);
        ck_assert_double_le(b.load[0] - threshold, second_order(_i) ? 1e-9 * threshold : rate * h);
        ck_assert_double_le(jump, second_order(_i) ? 3.0 * h * h : 4.0 * h);
    }
}
END_TEST

/* ---- in motion ---- */

static double per_speed(double s, const void *context)
{
    const double theta = s * s, length = *(const double *)context;
    return s > 0.0 ? 2.0 * s / sqrt(3.0 * gravity * sin(theta) / length)
                   : 2.0 / sqrt(3.0 * gravity / length);
}

/* A rod let go level turns by theta with theta'^2 = 3 (g / L) sin theta; its hinge carries m g
 * (5/2 sin theta, 1/4 cos theta), which is 2 m g where sin^2 theta = 7/11. */
static double rod_breaks(int integrator, double h, bool later, double *jump)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -gravity));
    const tn_body body = mechanism_rod(
        &m, &(rod){.q = {1.0, 0.0, 0.0}, .mass = mass, .along = 0.01, .across = mass / 12.0});
    tn_joint_def def = hanger("hinge", body, later ? (double)NAN : 2.0 * mass * gravity);
    def.axis = vec(0.0, 1.0, 0.0);
    mechanism_joint(&m, &def);
    mechanism_start(&m, integrator);
    breaks b = {0};
    double before = 0.0;
    for (int k = 0; k < 10 && later; k++)
        step(&m, h, &b);
    if (later)
        ck_assert_int_eq(tn_sim_set_break(m.sim, (tn_joint){0}, 2.0 * mass * gravity, INFINITY),
                         TN_OK);
    while (b.count == 0 && tn_sim_time(m.sim) < 2.0) {
        before = tn_sim_energy(m.sim).total;
        step(&m, h, &b);
    }
    ck_assert_int_eq(b.count, 1);
    *jump = fabs(tn_sim_energy(m.sim).total - before);
    mechanism_free(&m);
    return b.time[0];
}

/* Every second time the threshold is set on the way. The error is C h^2, or C h, with a C that changes with the share of the step at whose end the
 * joint breaks: steps in a ratio that is no whole number meet many. */
START_TEST(swinging_rod_breaks_off_in_time)
{
    const double length = 1.0, end = sqrt(asin(sqrt(7.0 / 11.0)));
    const double expected = integral(per_speed, &length, 0.0, end);
    double h = 5e-3;
    for (int k = 0; k < 6; k++, h /= 1.37) {
        double jump;
        const double error = rod_breaks(_i, h, k % 2, &jump) - expected;
        printf("%-27s h = %.1e: time off by %.2e s, energy by %.1e J\n", name_of(_i), h, error,
               jump);
        ck_assert_double_le(fabs(error), second_order(_i) ? 2.5 * h * h : 2.3 * h);
        ck_assert_double_le(jump, second_order(_i) ? 2.5 * h * h : 2.3 * h);
    }
}
END_TEST

/* ---- one after another ---- */

/* Two joints share a weight; thresholds in units of it, and which break, in order. */
static const struct {
    double threshold[2];
    int count, first;
} shared[] = {
    {{0.6, 0.6}, 0, 0}, {{0.4, 1.1}, 1, 0}, {{1.1, 0.4}, 1, 1},
    {{0.9, 0.4}, 2, 1}, {{0.4, 0.9}, 2, 0}, {{0.45, 0.45}, 2, 0},
};
enum { SHARED = sizeof shared / sizeof shared[0] };

START_TEST(load_falls_on_what_is_left)
{
    for (int n = 0; n < SHARED; n++) {
        mechanism m = mechanism_new(vec(0.0, 0.0, -gravity));
        const tn_body body = weight(&m);
        for (int k = 0; k < 2; k++) {
            tn_joint_def def = hanger("solid", body, shared[n].threshold[k] * mass * gravity);
            def.origin = vec(k ? 0.5 : -0.5, 0.0, 0.0);
            mechanism_joint(&m, &def);
        }
        mechanism_start(&m, _i);
        breaks b = {0};
        for (int k = 0; k < 10; k++)
            step(&m, 1e-3, &b);
        ck_assert_msg(b.count == shared[n].count, "case %d: %d break", n, b.count);
        for (int k = 0; k < b.count; k++) {
            ck_assert_int_eq(b.joint[k], k ? !shared[n].first : shared[n].first);
            ck_assert_double_le(b.time[k], second_order(_i) ? 1e-12 : (k + 1) * 1.001e-3);
        }
        mechanism_free(&m);
    }
}
END_TEST

/* ---- set while it runs ---- */

/* Below the load of now a joint breaks as the next step begins; a saved state keeps its own. */
START_TEST(thresholds_are_set_while_it_hangs)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -gravity));
    tn_joint_def def = hanger("solid", weight(&m), 1.5 * mass * gravity);
    mechanism_joint(&m, &def);
    mechanism_start(&m, _i);
    const tn_joint joint = {0};
    double force, torque;
    breaks b = {0};
    step(&m, 1e-3, &b);
    ck_assert_int_eq(tn_sim_get_break(m.sim, joint, &force, &torque), TN_OK);
    ck_assert_double_eq(force, 1.5 * mass * gravity);
    ck_assert_double_infinite(torque);
    ck_assert_int_eq(tn_sim_set_break(m.sim, joint, INFINITY, 1.0),
                     TN_OK); /* N m; it carries none */
    step(&m, 1e-3, &b);
    ck_assert_int_eq(b.count, 0);
    void *strong = saved_state(m.sim);
    ck_assert_int_eq(tn_sim_set_break(m.sim, joint, 0.9 * mass * gravity, INFINITY), TN_OK);
    step(&m, 1e-3, &b);
    ck_assert_int_eq(b.count, 1);
    ck_assert_double_le(b.time[0], 2e-3 + (second_order(_i) ? 1e-12 : 1e-3 + 1e-12));
    /* what was saved has the threshold it had */
    ck_assert_int_eq(tn_sim_restore(m.sim, strong), TN_OK);
    ck_assert_int_eq(tn_sim_get_break(m.sim, joint, &force, &torque), TN_OK);
    ck_assert_double_infinite(force);
    ck_assert_double_eq(torque, 1.0);
    for (int k = 0; k < 20; k++)
        step(&m, 1e-3, &b);
    ck_assert_int_eq(b.count, 1);
    free(strong);
    mechanism_free(&m);
}
END_TEST

START_TEST(thresholds_that_are_none_are_refused)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -gravity));
    tn_joint_def def = hanger("hinge", weight(&m), 50.0);
    mechanism_joint(&m, &def);
    tn_coupling_def held = tn_default_coupling_def();
    const tn_coupling_term term = {.joint = {0}, .ratio = 1.0};
    held.terms = &term;
    held.term_count = 1;
    ck_assert_int_eq(tn_spec_add_coupling(m.spec, &held, NULL), TN_OK);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    const tn_joint joint = {0}, coupling = tn_coupling_as_joint((tn_coupling){0});
    const double wrong[] = {0.0, -1.0, (double)NAN, -INFINITY};
    double force, torque;
    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(tn_sim_set_break(m.sim, joint, wrong[k], 1.0), TN_ERROR_ARGUMENT);
        ck_assert_int_eq(tn_sim_set_break(m.sim, joint, 1.0, wrong[k]), TN_ERROR_ARGUMENT);
    }
    for (int32_t i = -1; i < 3; i += 3) {
        ck_assert_int_eq(tn_sim_set_break(m.sim, (tn_joint){i}, 1.0, 1.0), TN_ERROR_ARGUMENT);
        ck_assert_int_eq(tn_sim_get_break(m.sim, (tn_joint){i}, &force, &torque),
                         TN_ERROR_ARGUMENT);
    }
    ck_assert_int_eq(tn_sim_set_break(m.sim, coupling, 2.0, 1.0), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_break(m.sim, coupling, 2.0, INFINITY), TN_OK);
    ck_assert_int_eq(tn_sim_get_break(m.sim, coupling, &force, &torque), TN_OK);
    ck_assert_double_eq(force, 2.0);
    ck_assert_int_eq(tn_sim_get_break(m.sim, joint, &force, &torque), TN_OK);
    ck_assert_double_eq(force, 50.0);
    mechanism_free(&m);
}
END_TEST

/* ---- between the ends of long parts ---- */

/* A pendulum let go level pulls with 3 m g cos at its lowest point. A threshold of that at 0.1 rad is
 * passed 22 ms before it, in parts of 0.1 s and more. */
START_TEST(a_peak_within_a_part_breaks)
{
    static const double accuracies[] = {1e-1, 1e-2, 1e-3, 1e-4};
    mechanism m = mechanism_new(vec(0.0, -gravity, 0.0));
    tn_body_def def = tn_default_body_def();
    def.mass = mass;
    def.pose.p = vec(1.0, 0.0, 0.0);
    def.inertia = mat_diagonal(1e-9, 1e-9, 1e-9);
    const tn_body bob = mechanism_body(&m, &def);
    const double angle = 0.1, accuracy = accuracies[_i];
    tn_joint_def joint = hanger("hinge", bob, 3.0 * mass * gravity * cos(angle));
    mechanism_joint(&m, &joint);
    tn_sim_options options = mechanism_compile(&m, TN_AUTO);
    options.accuracy = accuracy;
    mechanism_start_with(&m, &options);
    tn_step_report report;
    ck_assert_int_eq(tn_sim_advance(m.sim, 2.0, &report), TN_OK);
    printf("accuracy %g: %d parts, the longest %.3f s\n", accuracy, (int)report.parts,
           report.longest_part);
    ck_assert_int_eq(tn_sim_is_enabled(m.sim, (tn_joint){0}), 0);
    /* flies on from where it broke */
    const tn_vec3 w = tn_sim_body_velocity(m.sim, bob).w;
    ck_assert_double_eq_tol(fabs(w.z), sqrt(2.0 * gravity * cos(angle)), 10.0 * accuracy);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("breaking");
    TCase *tc = tcase_create("breaking");
    tcase_add_loop_test(tc, hanging_weight_breaks_what_is_too_weak_at_once, 0, METHODS);
    tcase_add_loop_test(tc, ramp_of_load_breaks_in_time, 0, METHODS);
    tcase_add_loop_test(tc, swinging_rod_breaks_off_in_time, 0, METHODS);
    tcase_add_loop_test(tc, load_falls_on_what_is_left, 0, METHODS);
    tcase_add_loop_test(tc, thresholds_are_set_while_it_hangs, 0, METHODS);
    tcase_add_loop_test(tc, a_peak_within_a_part_breaks, 0, 4);
    tcase_add_test(tc, thresholds_that_are_none_are_refused);
    suite_add_tcase(suite, tc);
    return suite;
}
