/* test_compliance.c: compliant rows against the exact oscillations of P09.md.
 *
 * Case A (two bodies, one compliant row along the hinge's axis), case C (all five rows of a hinge
 * compliant and coupled), case D (statics), and the discrete scheme (3.22) step by step. Joints close whatever springs do.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/csv_table.h"
#include "support/mechanism.h"
#include "support/run_main.h"

static tn_joint_def hinge_between(tn_body a, tn_body b)
{
    tn_joint_def def = tn_default_joint_def();
    def.type = "hinge";
    def.a = a;
    def.b = b;
    def.placement = TN_PLACE_BODY_FRAMES;
    def.frame_c = tn_pose_identity();
    def.frame_d = tn_pose_identity();
    return def;
}

/* Case A: phi = z2 - z1, so A is body 2. */
static mechanism two_masses(double damping)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, 0.0));
    tn_body_def def = tn_default_body_def();
    def.com = vec(0.0, 0.0, 0.0);
    def.inertia = mat_diagonal(0.1, 0.2, 0.3);
    def.mass = 2.0;
    def.pose.p.z = -0.006;
    const tn_body body1 = mechanism_body(&m, &def);
    def.mass = 3.0;
    def.pose.p.z = 0.004;
    const tn_body body2 = mechanism_body(&m, &def);
    tn_joint_def joint = hinge_between(body2, body1);
    joint.compliance[2] = 1e-4;
    joint.damping[2] = damping;
    mechanism_joint(&m, &joint);
    return m;
}

static double row_error(const tn_sim *sim, int row)
{
    double phi[TN_MAX_ROWS];
    tn_sim_joint_error(sim, (tn_joint){0}, phi);
    return phi[row];
}

/* Largest deviations of phi (m) and lambda (N) from P09.csv over the first rows. */
static void two_masses_error(const csv_table *table, double h, double *phi, double *lambda)
{
    mechanism m = two_masses(5.0);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    *phi = *lambda = 0.0;
    double time = 0.0;
    for (int row = 1; row < table->row_count; row++) {
        const double next = csv_table_at(table, row, "t");
        mechanism_run(&m, h, (int)lround((next - time) / h), NULL);
        time = next;
        double all[TN_MAX_ROWS];
        tn_sim_joint_multipliers(m.sim, (tn_joint){0}, all);
        *phi = fmax(*phi, fabs(row_error(m.sim, 2) - csv_table_at(table, row, "phi")));
        *lambda = fmax(*lambda, fabs(all[2] - csv_table_at(table, row, "lambda")));
    }
    mechanism_free(&m);
}

START_TEST(two_masses_swing_to_second_order)
{
    csv_table table = csv_table_read("P09");
    double phi[2], lambda[2];
    for (int k = 0; k < 2; k++)
        two_masses_error(&table, 1e-4 / (k + 1), &phi[k], &lambda[k]);
    printf("two masses: phi error %.2e m, h/2 %.2e, ratio %.3f; lambda error %.2e N of 100, h/2 "
           "%.2e, ratio %.3f\n",
           phi[0], phi[1], phi[0] / phi[1], lambda[0], lambda[1], lambda[0] / lambda[1]);
    ck_assert_double_eq_tol(phi[0] / phi[1], 4.0, 0.5);
    ck_assert_double_eq_tol(lambda[0] / lambda[1], 4.0, 0.5);
    ck_assert_double_le(phi[1], 1e-3 * 0.01);
    csv_table_free(&table);
}
END_TEST

typedef struct oscillation {
    double frequency; /* rad/s, damped */
    double decrement; /* of one period */
} oscillation;

/* From the times of the falling zeros and the extremes between them, over the given periods. */
static oscillation measure(mechanism *m, double h, int periods)
{
    double first = 0.0, last = 0.0, before = row_error(m->sim, 2), peak[2] = {0.0, 0.0};
    int zeros = 0;
    while (zeros <= periods) {
        mechanism_run(m, h, 1, NULL);
        const double now = row_error(m->sim, 2);
        if (before > 0.0 && now <= 0.0) {
            last = tn_sim_time(m->sim) - h * now / (now - before);
            first = zeros == 0 ? last : first;
            zeros++;
        }
        if (zeros == 1 || zeros == periods)
            peak[zeros > 1] = fmin(peak[zeros > 1], now);
        before = now;
    }
    return (oscillation){2.0 * 3.14159265358979323846 * periods / (last - first),
                         log(peak[0] / peak[1]) / (periods - 1)};
}

START_TEST(frequency_and_decrement)
{
    const double frequency = 91.263317140872957, decrement = 0.14343078687082955;
    double error[2][2];
    for (int k = 0; k < 2; k++) {
        mechanism m = two_masses(5.0);
        mechanism_start(&m, TN_GENERALIZED_ALPHA);
        const oscillation got = measure(&m, 1e-4 / (k + 1), 10);
        error[k][0] = fabs(got.frequency / frequency - 1.0);
        error[k][1] = fabs(got.decrement / decrement - 1.0);
        mechanism_free(&m);
    }
    printf("two masses: frequency off by %.2e, h/2 %.2e; decrement off by %.2e, h/2 %.2e\n",
           error[0][0], error[1][0], error[0][1], error[1][1]);
    /* (w h)^2 = 8.3e-5 at the larger step */
    ck_assert_double_le(error[0][0], 8.3e-5);
    ck_assert_double_le(error[1][0], 0.3 * error[0][0]);
    ck_assert_double_le(error[0][1], 1e-3);
}
END_TEST

START_TEST(discrete_scheme_is_reproduced)
{
    csv_table table = csv_table_read("P09_discrete");
    mechanism m = two_masses(0.0);
    mechanism_start(&m, TN_CONSTRAINED_BACKWARD_EULER);
    double phi = 0.0, rate = 0.0;
    for (int row = 1; row < table.row_count; row++) {
        mechanism_run(&m, 1e-3, 1, NULL);
        const double speed = tn_sim_body_velocity(m.sim, (tn_body){1}).v.z -
                             tn_sim_body_velocity(m.sim, (tn_body){0}).v.z;
        phi = fmax(phi, fabs(row_error(m.sim, 2) - csv_table_at(&table, row, "phi")));
        rate = fmax(rate, fabs(speed - csv_table_at(&table, row, "phidot")));
    }
    printf("scheme (3.22): %d steps, phi %.1e m, speed %.1e m/s\n", table.row_count - 1, phi, rate);
    ck_assert_double_le(phi, 1e-12);
    ck_assert_double_le(rate, 1e-12);
    mechanism_free(&m);
    csv_table_free(&table);
}
END_TEST

/* |phi| of a step is that of the last but one times the square of the spectral radius, up to the
 * rotation: from three values in a row, x2 = t x1 - d x0 with d = radius^2. */
START_TEST(spectral_radius_of_the_scheme)
{
    mechanism m = two_masses(0.0);
    mechanism_start(&m, TN_CONSTRAINED_BACKWARD_EULER);
    double x[4];
    for (int k = 0; k < 4; k++) {
        mechanism_run(&m, 1e-3, 8, NULL);
        x[k] = row_error(m.sim, 2);
    }
    /* x2 = t x1 - d x0, x3 = t x2 - d x1 */
    const double d = (x[2] * x[2] - x[1] * x[3]) / (x[1] * x[1] - x[0] * x[2]);
    const double radius = pow(d, 1.0 / 16.0);
    printf("scheme (3.22): spectral radius %.15f\n", radius);
    ck_assert_double_eq_tol(radius, 0.997923154559828, 1e-12);
    mechanism_free(&m);
}
END_TEST

/* ---- case C: five coupled rows ---- */

static mechanism coupled(void)
{
    const tn_vec3 origin = {0.0, 0.0, 0.0};
    mechanism m = mechanism_new(origin);
    tn_body_def def = tn_default_body_def();
    def.mass = 2.0;
    def.com = vec(-0.3, 0.0, 0.0);
    def.inertia = mat_diagonal(0.2, 0.25, 0.1);
    const tn_body body1 = mechanism_body(&m, &def);
    def.mass = 3.0;
    def.com = vec(0.4, 0.1, 0.0);
    def.inertia = mat_diagonal(0.3, 0.2, 0.15);
    def.pose.p = vec(1e-6, 0.0, 0.0);
    def.pose.q = tn_quat_from_axis_angle(vec(0.0, 1.0, 0.0), 2e-6);
    const tn_body body2 = mechanism_body(&m, &def);
    tn_joint_def joint = hinge_between(body2, body1);
    for (int k = 0; k < 5; k++) {
        joint.compliance[k] = k < 3 ? 1e-5 : 1e-4;
        joint.damping[k] = k < 3 ? 20.0 : 0.5;
    }
    mechanism_joint(&m, &joint);
    return m;
}

/* Relative to the amplitude 1e-6. */
static double coupled_error(const csv_table *table, double h, double until)
{
    static const char *const columns[] = {"phi_x", "phi_y", "phi_z", "phi_rx", "phi_ry"};
    mechanism m = coupled();
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    double worst = 0.0, time = 0.0;
    for (int row = 1; row < table->row_count && time < until; row++) {
        const double next = csv_table_at(table, row, "t");
        mechanism_run(&m, h, (int)lround((next - time) / h), NULL);
        time = next;
        for (int k = 0; k < 5; k++)
            worst = fmax(worst, fabs(row_error(m.sim, k) - csv_table_at(table, row, columns[k])));
    }
    mechanism_free(&m);
    return worst / 1e-6;
}

START_TEST(coupled_rows_swing_to_second_order)
{
    csv_table table = csv_table_read("P09_coupled");
    const double coarse = coupled_error(&table, 2e-5, 0.05),
                 fine = coupled_error(&table, 1e-5, 0.05);
    printf("coupled rows: relative error %.2e, h/2 %.2e, ratio %.3f\n", coarse, fine,
           coarse / fine);
    ck_assert_double_le(fine, 2e-3);
    ck_assert_double_eq_tol(coarse / fine, 4.0, 0.5);
    csv_table_free(&table);
}
END_TEST

/* ---- case D: the sag of a body that hangs on a compliant hinge ---- */

START_TEST(static_sag)
{
    mechanism m = mechanism_new(vec(0.0, -9.81, 0.0));
    tn_body_def def = tn_default_body_def();
    def.mass = 3.0;
    def.com = vec(0.0, 0.0, 0.5);
    def.inertia = mat_diagonal(0.1, 0.1, 0.1);
    def.rotary_damping = 0.0;
    const tn_body body = mechanism_body(&m, &def);
    tn_joint_def joint = hinge_between(body, tn_ground());
    joint.linear_compliance = 1e-5;
    joint.rotary_compliance = 1e-4;
    mechanism_joint(&m, &joint);
    mechanism_start(&m, TN_BACKWARD_EULER);
    mechanism_run(&m, 1e-2, 500, NULL);
    double phi[TN_MAX_ROWS], lambda[TN_MAX_ROWS];
    tn_sim_joint_error(m.sim, (tn_joint){0}, phi);
    tn_sim_joint_multipliers(m.sim, (tn_joint){0}, lambda);
    printf("sag %.6e m, tilt %.6e rad, reaction %.6f N %.6f N m\n", phi[1], phi[3], lambda[1],
           lambda[3]);
    /* first order in the compliance: relative corrections are of the order of the tilt squared */
    ck_assert_double_eq_tol(phi[1], -2.943e-4, 1e-5 * 2.943e-4);
    ck_assert_double_eq_tol(fabs(phi[3]), 1.4715e-3, 1e-5 * 1.4715e-3);
    ck_assert_double_eq_tol(lambda[1], 29.43, 1e-4);
    ck_assert_double_eq_tol(fabs(lambda[3]), 14.715, 1e-4);
    mechanism_free(&m);
}
END_TEST

/* A chain of three bars that turn at 4 rad/s about axes every which way, with springs of one stiffness, N m/rad. */
static mechanism springy_chain(double stiffness)
{
    char text[1024];
    snprintf(text, sizeof text,
             "tenon: 1\ngravity: [0, 0, -9.81]\nparameters: {k: %g}\nbodies:\n"
             "  a: {mass: 1, inertia: [0.02, 0.02, 0.02], position: [0.25, 0, 0], velocity: "
             "{linear: [0, 0, -1], angular: [0, 4, 0]}}\n"
             "  b: {mass: 1, inertia: [0.02, 0.02, 0.02], position: [0.75, 0, 0], velocity: "
             "{linear: [0, 0, -3], angular: [0, 4, 0]}}\n"
             "  c: {mass: 1, inertia: [0.02, 0.02, 0.02], position: [1.25, 0, 0], velocity: "
             "{linear: [0, 0, -5], angular: [0, 4, 0]}}\n"
             "joints:\n"
             "  p: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 1, 0], spring: {theta: "
             "{stiffness: =k, damping: 30, rest: 0.4}}}\n"
             "  q: {type: hinge, a: b, b: a, origin: [0.5, 0, 0], axis: [1, 0, 0], spring: {theta: "
             "{stiffness: =k, damping: 30, rest: 0.4}}}\n"
             "  r: {type: hinge, a: c, b: b, origin: [1, 0, 0], axis: [0, 1, 0], spring: {theta: "
             "{stiffness: =k, damping: 30, rest: 0.4}}}\n",
             stiffness);
    mechanism m = mechanism_read(text);
    mechanism_start(&m, TN_BACKWARD_EULER);
    return m;
}

/* Soft rows, which a pass moves by a part of what they are off, once kept hard ones from closing: steps were halved. */
START_TEST(springs_of_any_stiffness_let_joints_close)
{
    const double stiffness = pow(10.0, 1 + _i);
    mechanism m = springy_chain(stiffness);
    int halvings = 0, factors = 0;
    double open = 0.0;
    for (int k = 0; k < 200; k++) {
        tn_step_report report;
        ck_assert_int_eq(tn_sim_step(m.sim, 2e-3, &report), TN_OK);
        halvings += report.halvings;
        factors += report.factorizations;
        open = fmax(open, report.position_error);
    }
    printf("%g N m/rad: %.1f factorizations a step, open by %.1e m\n", stiffness, factors / 200.0,
           open);
    ck_assert_int_eq(halvings, 0);
    ck_assert_int_le(factors, 200 * 6);
    ck_assert_double_le(open, 1e-9);
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("compliance");
    TCase *rows = tcase_create("rows");
    tcase_add_test(rows, two_masses_swing_to_second_order);
    tcase_add_test(rows, frequency_and_decrement);
    tcase_add_test(rows, discrete_scheme_is_reproduced);
    tcase_add_test(rows, spectral_radius_of_the_scheme);
    tcase_add_test(rows, coupled_rows_swing_to_second_order);
    tcase_add_test(rows, static_sag);
    tcase_add_loop_test(rows, springs_of_any_stiffness_let_joints_close, 0, 7);
    suite_add_tcase(suite, rows);
    return suite;
}
