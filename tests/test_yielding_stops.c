/* test_yielding_stops.c: limits with compliance and damping, hit at speed: how long the contact
 * lasts and what comes back, against the damped oscillator.
 *
 * A mass m hits a stop of frequency f and damping ratio z with speed v: with w = 2 pi f and wd = w
 * sqrt(1 - z^2),
 *     x = v / wd exp(-z w t) sin(wd t),
 * so that contact ends after pi / wd, with the speed -v exp(-z w pi / wd), and the deepest point,
 * where tan(wd t) = wd / (z w), is at v / w exp(-z w t). All of it to the order of the stepper.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/mechanism.h"
#include "support/run_main.h"

static const double pi = 3.14159265358979323846;
static const tn_vec3 zero = {0.0, 0.0, 0.0};
static const tn_joint first = {0};

/* How the stop is said to yield. */
typedef enum words { BY_FREQUENCY, BY_STIFFNESS } words;

typedef struct stop {
    double hertz, ratio, speed; /* Hz, 1, m/s or rad/s */
    words words;
} stop;

/* The row of the coordinate's limits yields; mass is what swings on it, free what its bodies oppose
 * to it without the joint, which the frequency and the ratio of a row are about; kg or kg m^2. */
static void soften(tn_joint_def *def, const stop *s, double mass, double free)
{
    const int row = 5; /* of a slider and a hinge */
    const double w = 2.0 * pi * s->hertz;
    if (s->words == BY_FREQUENCY) {
        def->frequency[row] = s->hertz * sqrt(mass / free);
        def->damping_ratio[row] = s->ratio * sqrt(mass / free);
    } else {
        def->compliance[row] = 1.0 / (mass * w * w);
        def->damping[row] = 2.0 * s->ratio * mass * w;
    }
}

static tn_body_def ball(double mass, double x, double speed)
{
    tn_body_def def = tn_default_body_def();
    def.mass = mass;
    def.com = zero;
    def.inertia = mat_diagonal(0.1, 0.1, 0.1);
    def.pose.p = vec(x, 0.0, 0.0);
    def.velocity.v = vec(speed, 0.0, 0.0);
    return def;
}

/* Two free bodies on one slider run together: the reduced mass swings on the stop between them. */
static mechanism two_bodies(const stop *s)
{
    const double a = 2.0, b = 3.0, reduced = a * b / (a + b);
    mechanism m = mechanism_new(zero);
    tn_joint_def def = tn_default_joint_def();
    def.type = "slider";
    tn_body_def body = ball(a, 0.0, 1.0 + b / (a + b) * s->speed);
    def.a = mechanism_body(&m, &body);
    body = ball(b, 0.0, 1.0 - a / (a + b) * s->speed);
    def.b = mechanism_body(&m, &body);
    def.placement = TN_PLACE_AXIS;
    def.axis = vec(1.0, 0.0, 0.0);
    def.upper[0] = 0.01;
    soften(&def, s, reduced, reduced);
    mechanism_joint(&m, &def);
    return m;
}

/* A rod on a hinge at its end, in weightlessness. */
static mechanism rod_on_a_hinge(const stop *s)
{
    const double mass = 2.0, inertia = mass / 3.0; /* of 1 m about its end */
    mechanism m = mechanism_new(zero);
    const rod r = {.q = {1.0, 0.0, 0.0},
                   .mass = mass,
                   .along = 0.01,
                   .across = mass / 12.0,
                   .velocity = {{0.0, 0.5 * s->speed, 0.0}, {0.0, 0.0, s->speed}}};
    tn_joint_def def = tn_default_joint_def();
    def.type = "hinge";
    def.a = mechanism_rod(&m, &r);
    def.b = tn_ground();
    def.placement = TN_PLACE_AXIS;
    def.axis = vec(0.0, 0.0, 1.0);
    def.upper[0] = 0.01;
    soften(&def, s, inertia, r.across);
    mechanism_joint(&m, &def);
    return m;
}

typedef struct contact {
    double lasts, speed, depth; /* s, m/s, m or with rad */
    int events;
} contact;

static contact bounce(mechanism *m, double h, double until)
{
    contact c = {0};
    double reached = 0.0, released = 0.0, q[TN_MAX_COORDINATES], v[TN_MAX_COORDINATES];
    while (tn_sim_time(m->sim) < until) {
        mechanism_run(m, h, 1, NULL);
        tn_sim_joint_coordinates(m->sim, first, q);
        c.depth = fmax(c.depth, q[0] - 0.01);
        for (int32_t k = 0; k < tn_sim_event_count(m->sim); k++, c.events++) {
            const tn_event *e = tn_sim_event(m->sim, k);
            *(e->kind == TN_EVENT_LIMIT_REACHED ? &reached : &released) = e->time;
        }
    }
    tn_sim_joint_speeds(m->sim, first, v);
    c.speed = v[0];
    c.lasts = released - reached;
    return c;
}

static contact closed_form(const stop *s)
{
    const double w = 2.0 * pi * s->hertz, wd = w * sqrt(1.0 - s->ratio * s->ratio);
    const double deepest = atan2(wd, s->ratio * w) / wd;
    return (contact){.lasts = pi / wd,
                     .speed = -s->speed * exp(-s->ratio * w * pi / wd),
                     .depth = s->speed / w * exp(-s->ratio * w * deepest)};
}

static mechanism (*const machines[])(const stop *) = {two_bodies, rod_on_a_hinge};
static const double ratios[] = {0.0, 0.1, 0.3, 0.7};

enum { MACHINES = 2, RATIOS = 4, LEVELS = 3 };

/* Largest errors of time, rebound and depth: relative, in units of (w h)^p. The stop is hit and
 * left somewhere in a step, so that they do not fall evenly; the depth is that at the ends of
 * steps. */
typedef struct bounds {
    double lasts, speed, depth;
} bounds;
static const bounds first_order = {0.8, 1.8, 0.9}, second_order = {0.1, 0.08, 0.15};

static void compare(const stop *s, mechanism *m, int integrator, double h)
{
    const contact expected = closed_form(s);
    mechanism_start(m, integrator);
    const contact c = bounce(m, h, 0.2);
    const double wh = 2.0 * pi * s->hertz * h;
    const int second = method_is_second_order(integrator);
    const bounds *most = second ? &second_order : &first_order;
    const double lasts = c.lasts / expected.lasts - 1.0, unit = second ? wh * wh : wh;
    const double speed = (c.speed - expected.speed) / s->speed;
    const double depth = c.depth / expected.depth - 1.0;
    printf("%-27s z = %.1f, h = %.1e: contact %+.1e, rebound %+.1e, depth %+.1e\n",
           method_name(integrator), s->ratio, h, lasts, speed, depth);
    ck_assert_int_eq(c.events, 2);
    ck_assert_double_le(fabs(lasts), most->lasts * unit);
    ck_assert_double_le(fabs(speed), most->speed * unit);
    ck_assert_double_le(fabs(depth), most->depth * unit);
}

START_TEST(contact_time_and_rebound_are_those_of_the_oscillator)
{
    const double ratio = ratios[_i % RATIOS];
    for (int k = 0; k < LEVELS * 2; k++) {
        const stop s = {5.0, ratio, 1.5, k % 2 ? BY_FREQUENCY : BY_STIFFNESS};
        mechanism m = machines[_i / RATIOS % MACHINES](&s);
        compare(&s, &m, _i / (MACHINES * RATIOS), 2e-3 / pow(1.7, k / 2));
        mechanism_free(&m);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("yielding stops");
    TCase *tc = tcase_create("yielding stops");
    tcase_add_loop_test(tc, contact_time_and_rebound_are_those_of_the_oscillator, 0,
                        METHODS * MACHINES * RATIOS);
    suite_add_tcase(suite, tc);
    return suite;
}
