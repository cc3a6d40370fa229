/* Compliance and damping of rows that change while a simulation runs: the same as if the model had
 * them, sag and recovery, frequencies, critical damping, locks that yield, getters. Expected
 * numbers are closed forms. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "support/mechanism.h"
#include "support/run_main.h"

static const double pi = 3.14159265358979323846, g = 9.81; /* g: m/s^2 */
static const tn_joint first = {0};

/* A body on a hinge to ground, z up along its axis; C (m/N) of row fz in the model. Row 2 is fz. */
static mechanism hung(double mass, double compliance, double damping, tn_vec3 gravity)
{
    mechanism m = mechanism_new(gravity);
    tn_body_def body = tn_default_body_def();
    body.mass = mass;
    body.com = vec(0.0, 0.0, 0.0);
    body.inertia = mat_diagonal(0.1, 0.2, 0.3);
    body.velocity.w = vec(0.0, 0.0, 2.0);
    tn_joint_def joint = tn_default_joint_def();
    joint.type = "hinge";
    joint.a = mechanism_body(&m, &body);
    joint.b = tn_ground();
    joint.placement = TN_PLACE_ORIGIN;
    if (compliance > 0.0) {
        joint.compliance[2] = compliance;
        joint.damping[2] = damping;
    }
    mechanism_joint(&m, &joint);
    return m;
}

static double height(const mechanism *m)
{
    return tn_sim_body_pose(m->sim, (tn_body){0}).p.z;
}

static double force(const mechanism *m, int row)
{
    double lambda[TN_MAX_ROWS];
    tn_sim_joint_multipliers(m->sim, first, lambda);
    return lambda[row];
}

START_TEST(same_as_if_the_model_had_it)
{
    mechanism written = hung(2.0, 1e-4, 3.0, vec(1.0, 0.0, -g));
    mechanism set = hung(2.0, 0.0, 0.0, vec(1.0, 0.0, -g));
    mechanism_start(&written, _i);
    mechanism_start(&set, _i);
    ck_assert_int_eq(tn_sim_set_compliance(set.sim, first, 2, 1e-4, 3.0), TN_OK);
    for (int n = 0; n < 300; n++) {
        mechanism_run(&written, 1e-3, 1, NULL);
        mechanism_run(&set, 1e-3, 1, NULL);
        double a[7], b[7];
        tn_sim_get_poses(written.sim, a);
        tn_sim_get_poses(set.sim, b);
        ck_assert_mem_eq(a, b, sizeof a);
        ck_assert_double_eq(force(&written, 2), force(&set, 2));
    }
    mechanism_free(&written);
    mechanism_free(&set);
}
END_TEST

/* Softened, the body sags by C m g; hard again, it is back and the joint carries m g; restoring
 * the state brings the compliance back with it. */
START_TEST(sag_and_back)
{
    const double mass = 3.0, C = 2e-4;
    mechanism m = hung(mass, 0.0, 0.0, vec(0.0, 0.0, -g));
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    mechanism_run(&m, 1e-3, 100, NULL);
    const double hard = height(&m);
    ck_assert_int_eq(tn_sim_set_group_compliance(m.sim, first, TN_ROW_LINEAR, C, 1.0), TN_OK);
    mechanism_run(&m, 1e-3, 1000, NULL);
    static double block[4096];
    ck_assert_uint_le(tn_sim_state_size(m.sim), sizeof block);
    tn_sim_save(m.sim, block);
    const double sagged = height(&m);
    ck_assert_int_eq(tn_sim_set_compliance(m.sim, first, 2, 0.0, 0.0), TN_OK);
    mechanism_run(&m, 1e-3, 100, NULL);
    const double again = height(&m), carried = force(&m, 2);
    ck_assert_int_eq(tn_sim_restore(m.sim, block), TN_OK);
    mechanism_run(&m, 1e-3, 100, NULL);
    printf("hard %.2e m, sags to %.12e m, hard again %.2e m with %.9f N, restored %.12e m\n", hard,
           sagged, again, carried, height(&m));
    ck_assert_double_eq_tol(hard, 0.0, 1e-11);
    ck_assert_double_eq_tol(sagged, -C * mass * g, 1e-12);
    ck_assert_double_eq_tol(again, 0.0, 1e-11);
    ck_assert_double_eq_tol(carried, mass * g, 1e-6);
    ck_assert_double_eq_tol(height(&m), sagged, 1e-12);
    mechanism_free(&m);
}
END_TEST

/* Time of the first return to z = 0 upwards and the extremes before and after it. */
typedef struct swing {
    double period, decrement;
} swing;

/* The body starts at its undeformed place under gravity that then pulls it down: about the sagged
 * place it swings as exp(-ratio w t). */
static swing measure(mechanism *m, double h, double sag)
{
    double before = height(m) - sag, falls[3] = {0}, peaks[3] = {0};
    int count = 0;
    for (int n = 0; n < 100000 && count < 3; n++) {
        mechanism_run(m, h, 1, NULL);
        const double now = height(m) - sag;
        if (before > 0.0 && now <= 0.0)
            falls[count++] = tn_sim_time(m->sim) - h * now / (now - before);
        if (count > 0 && count < 3)
            peaks[count] = fmax(peaks[count], now);
        before = now;
    }
    return (swing){falls[1] - falls[0], log(peaks[1] / peaks[2])};
}

START_TEST(frequency_and_ratio_are_those_asked_for)
{
    const double mass = 2.5, hertz = 7.0, ratio = 0.05, h = 2e-5;
    mechanism m = hung(mass, 0.0, 0.0, vec(0.0, 0.0, -g));
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    const double row_mass = tn_sim_row_mass(m.sim, first, 2);
    ck_assert_double_eq_tol(row_mass, mass, 1e-14);
    double C = 0.0, D = 0.0;
    ck_assert_int_eq(tn_compliance_from_frequency(row_mass, hertz, ratio, &C, &D), TN_OK);
    ck_assert_int_eq(tn_sim_set_compliance(m.sim, first, 2, C, D), TN_OK);
    const swing got = measure(&m, h, -C * mass * g);
    const double damped = hertz * sqrt(1.0 - ratio * ratio);
    const double decrement = 2.0 * pi * ratio / sqrt(1.0 - ratio * ratio);
    printf("%.9f Hz of %.9f, decrement %.9f of %.9f\n", 1.0 / got.period, damped, got.decrement,
           decrement);
    ck_assert_double_eq_tol(1.0 / got.period, damped, 1e-5 * damped);
    ck_assert_double_eq_tol(got.decrement, decrement, 1e-4 * decrement);
    mechanism_free(&m);
}
END_TEST

/* Under critical damping the fall to the sagged place is (1 + w t) exp(-w t), without overshoot. */
START_TEST(critical_damping_is_critical)
{
    const double mass = 2.0, C = 1e-3, w = sqrt(1.0 / (mass * C));
    mechanism m = hung(mass, 0.0, 0.0, vec(0.0, 0.0, -g));
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    ck_assert_int_eq(tn_sim_set_group_compliance(m.sim, first, TN_ROW_LINEAR, C, 1.0), TN_OK);
    double worst = 0.0;
    for (int n = 1; n <= 3000; n++) {
        mechanism_run(&m, 1e-4, 1, NULL);
        const double t = n * 1e-4, sag = C * mass * g;
        worst = fmax(worst, fabs(height(&m) + sag * (1.0 - (1.0 + w * t) * exp(-w * t))));
    }
    printf("critically damped fall: off by %.1e m of %.1e\n", worst, C * mass * g);
    ck_assert_double_le(worst, 1e-5 * C * mass * g);
    mechanism_free(&m);
}
END_TEST

/* A locked hinge that yields: under a moment m g l about its axis it turns by C m g l cos(angle),
 * and the energy counts the spring. */
START_TEST(lock_that_yields)
{
    const double mass = 1.5, arm = 0.4, C = 0.05;
    mechanism m = mechanism_new(vec(0.0, -g, 0.0));
    tn_body_def body = tn_default_body_def();
    body.mass = mass;
    body.com = vec(arm, 0.0, 0.0);
    body.inertia = mat_diagonal(0.1, 0.1, 0.1);
    const tn_body a = mechanism_body(&m, &body);
    mechanism_axis_joint(&m, "hinge", a, tn_ground(), vec(0.0, 0.0, 0.0), vec(0.0, 0.0, 1.0));
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    ck_assert_int_eq(tn_sim_set_locked(m.sim, first, 0, 1), TN_OK);
    const double inertia = tn_sim_row_mass(m.sim, first, 5);
    ck_assert_double_eq_tol(inertia, 0.1 + 0.0, 1e-14); /* the body alone, about its centre */
    ck_assert_int_eq(tn_sim_set_compliance(m.sim, first, 5, C, 1.0), TN_OK);
    mechanism_run(&m, 1e-3, 20000, NULL);
    double q = 0.0, expected = 0.0;
    tn_sim_joint_coordinates(m.sim, first, &q);
    for (int k = 0; k < 100; k++)
        expected = -C * mass * g * arm * cos(expected);
    printf("lock yields by %.12f rad, expected %.12f\n", q, expected);
    ck_assert_double_eq_tol(q, expected, 1e-9);
    ck_assert_double_eq_tol(force(&m, 5), -expected / C, 1e-6);
    ck_assert_double_eq_tol(tn_sim_energy(m.sim).elastic, 0.5 * q * q / C, 1e-12);
    mechanism_free(&m);
}
END_TEST

/* ---- limits that yield ---- */

/* A mass on a slider along x with a stop at 0.1 m. */
static mechanism bumper(double mass, double speed, tn_vec3 gravity, double C, double D)
{
    mechanism m = mechanism_new(gravity);
    tn_body_def body = tn_default_body_def();
    body.mass = mass;
    body.com = vec(0.0, 0.0, 0.0);
    body.inertia = mat_diagonal(0.1, 0.1, 0.1);
    body.velocity.v = vec(speed, 0.0, 0.0);
    tn_joint_def joint = tn_default_joint_def();
    joint.type = "slider";
    joint.a = mechanism_body(&m, &body);
    joint.b = tn_ground();
    joint.placement = TN_PLACE_AXIS;
    joint.axis = vec(1.0, 0.0, 0.0);
    joint.upper[0] = 0.1;
    mechanism_joint(&m, &joint);
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    ck_assert_int_eq(tn_sim_set_compliance(m.sim, first, 5, C, D), TN_OK);
    return m;
}

static double place(const mechanism *m)
{
    return tn_sim_body_pose(m->sim, (tn_body){0}).p.x;
}

typedef struct bounce {
    double depth, reached, released, speed; /* m, s, s, m/s */
    int events;
} bounce;

static bounce bounce_off(mechanism *m, double h, int steps)
{
    bounce b = {0};
    for (int n = 0; n < steps; n++) {
        mechanism_run(m, h, 1, NULL);
        b.depth = fmax(b.depth, place(m) - 0.1);
        for (int32_t k = 0; k < tn_sim_event_count(m->sim); k++) {
            const tn_event *event = tn_sim_event(m->sim, k);
            *(event->kind == TN_EVENT_LIMIT_REACHED ? &b.reached : &b.released) = event->time;
            b.events++;
        }
    }
    b.speed = tn_sim_body_velocity(m->sim, (tn_body){0}).v.x;
    return b;
}

/* Into an undamped stop with speed v: v sqrt(m C) deep, out again after pi sqrt(m C) with -v. */
START_TEST(elastic_stop)
{
    const double mass = 2.0, v = 1.5, C = 1e-4, w = 1.0 / sqrt(mass * C);
    double error[2];
    for (int k = 0; k < 2; k++) {
        mechanism m = bumper(mass, v, vec(0.0, 0.0, 0.0), C, 0.0);
        const bounce b = bounce_off(&m, 1e-4 / (1 + k), 1500 * (1 + k));
        printf("elastic stop: depth %.9f of %.9f, contact %.9f of %.9f s, speed %.9f\n", b.depth,
               v / w, b.released - b.reached, pi / w, b.speed);
        ck_assert_int_eq(b.events, 2);
        ck_assert_double_eq_tol(b.depth, v / w, 1e-4 * v / w);
        error[k] = fabs(b.released - b.reached - pi / w);
        ck_assert_double_eq_tol(b.speed, -v, 1e-4 * v);
        mechanism_free(&m);
    }
    ck_assert_double_le(error[0], 1e-4 * pi / w);
    ck_assert_double_le(error[1], 0.35 * error[0]);
}
END_TEST

/* Damped, with ratio z: out with v exp(-z pi / sqrt(1 - z^2)). */
START_TEST(damped_stop)
{
    const double mass = 2.0, v = 1.5, z = 0.3;
    double C = 0.0, D = 0.0;
    ck_assert_int_eq(tn_compliance_from_frequency(mass, 10.0, z, &C, &D), TN_OK);
    mechanism m = bumper(mass, v, vec(0.0, 0.0, 0.0), C, D);
    const bounce b = bounce_off(&m, 1e-4, 3000);
    const double expected = -v * exp(-z * pi / sqrt(1.0 - z * z));
    printf("damped stop: speed %.9f of %.9f m/s, %d events\n", b.speed, expected, b.events);
    ck_assert_int_eq(b.events, 2);
    ck_assert_double_eq_tol(b.speed, expected, 1e-4 * v);
    mechanism_free(&m);
}
END_TEST

/* Pressed against the stop by its weight it comes to rest C m g beyond it, without chatter, and
 * made hard it is back at the stop. */
START_TEST(rest_on_a_stop_that_yields)
{
    const double mass = 2.0;
    double C = 0.0, D = 0.0, carried = 0.0;
    ck_assert_int_eq(tn_compliance_from_frequency(mass, 10.0, 1.0, &C, &D), TN_OK);
    mechanism m = bumper(mass, 0.0, vec(g, 0.0, 0.0), C, D);
    int events = bounce_off(&m, 1e-3, 2000).events;
    const double sunk = place(&m) - 0.1;
    ck_assert_int_eq(tn_sim_at_limit(m.sim, first, 0, &carried), 1);
    printf("rests %.12f m beyond the stop of %.12f, %.9f N, %d events\n", sunk, C * mass * g,
           carried, events);
    ck_assert_double_eq_tol(sunk, C * mass * g, 1e-11);
    ck_assert_double_eq_tol(carried, -mass * g, 1e-6);
    ck_assert_int_le(events, 3);
    ck_assert_int_eq(tn_sim_set_compliance(m.sim, first, 5, 0.0, 0.0), TN_OK);
    bounce_off(&m, 1e-3, 100);
    ck_assert_double_eq_tol(place(&m), 0.1, 1e-9);
    mechanism_free(&m);
}
END_TEST

START_TEST(getters_and_refusals)
{
    mechanism m = hung(2.0, 1e-4, 3.0, vec(0.0, 0.0, 0.0));
    mechanism_start(&m, TN_GENERALIZED_ALPHA);
    double C = -1.0, D = -1.0;
    int mixed = -1;
    ck_assert_int_eq(tn_sim_get_compliance(m.sim, first, 2, &C, &D), TN_OK);
    ck_assert(C == 1e-4 && D == 3.0);
    ck_assert_int_eq(tn_sim_get_group_compliance(m.sim, first, TN_ROW_LINEAR, &C, &mixed), TN_OK);
    ck_assert(mixed == 1 && isnan(C));
    ck_assert_int_eq(tn_sim_get_group_compliance(m.sim, first, TN_ROW_ROTARY, &C, &mixed), TN_OK);
    ck_assert(mixed == 0 && C == 0.0);
    ck_assert_int_eq(tn_sim_set_group_compliance(m.sim, first, TN_ROW_LINEAR, 2e-4, 0.5), TN_OK);
    ck_assert_int_eq(tn_sim_get_group_compliance(m.sim, first, TN_ROW_LINEAR, &C, &mixed), TN_OK);
    ck_assert(mixed == 0 && C == 2e-4);
    ck_assert_int_eq(tn_sim_get_compliance(m.sim, first, 0, &C, &D), TN_OK);
    ck_assert_double_eq_tol(D, sqrt(2.0 / 2e-4), 1e-12 * D); /* 2 * 0.5 sqrt(m / C) */

    ck_assert_int_eq(tn_sim_set_compliance(m.sim, first, 2, -1.0, 0.0), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_compliance(m.sim, first, 2, 1.0, (double)NAN), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_compliance(m.sim, first, 6, 1.0, 0.0), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_compliance(m.sim, (tn_joint){1}, 0, 1.0, 0.0), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_sim_set_group_compliance(m.sim, first, TN_ROW_MOTION, 1.0, 1.0),
                     TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_compliance_from_frequency(0.0, 1.0, 1.0, &C, &D), TN_ERROR_ARGUMENT);
    ck_assert_int_eq(tn_compliance_from_frequency(1.0, 1e-200, 1.0, &C, &D), TN_ERROR_ARGUMENT);
    ck_assert(isnan(tn_sim_row_mass(m.sim, first, -1)));
    ck_assert_int_eq(tn_sim_get_compliance(m.sim, first, 2, &C, &D), TN_OK);
    ck_assert_double_eq(C, 2e-4); /* refused values change nothing */
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("run-time compliance");
    TCase *tc = tcase_create("rows");
    tcase_add_loop_test(tc, same_as_if_the_model_had_it, 0, TN_INTEGRATOR_COUNT);
    tcase_add_test(tc, sag_and_back);
    tcase_add_test(tc, frequency_and_ratio_are_those_asked_for);
    tcase_add_test(tc, critical_damping_is_critical);
    tcase_add_test(tc, lock_that_yields);
    tcase_add_test(tc, elastic_stop);
    tcase_add_test(tc, damped_stop);
    tcase_add_test(tc, rest_on_a_stop_that_yields);
    tcase_add_test(tc, getters_and_refusals);
    suite_add_tcase(suite, tc);
    return suite;
}
