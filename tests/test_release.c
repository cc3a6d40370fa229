/* test_release.c: limits that let go at the right time, against closed forms and their quadrature.
 *
 * A particle slides down a sphere and leaves it; a bead on a plate that shakes lifts off and lands.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>

#include "support/drive_scenes.h"
#include "support/quadrature.h"
#include "support/run_main.h"

static const double gravity = 9.81;
static const tn_vec3 zero = {0.0, 0.0, 0.0};

static int second_order(int integrator)
{
    return method_is_second_order(integrator);
}

/* One event of a run. */
typedef struct moment {
    double time, speed; /* s; m/s of the body then, at the end of the step */
    int count;
} moment;

static void step(mechanism *m, double h, tn_event_kind kind, moment *out)
{
    tn_step_report report;
    const tn_status status = tn_sim_step(m->sim, h, &report);
    ck_assert_msg(status == TN_OK && report.fallbacks == 0, "%s at t = %g", tn_status_text(status),
                  tn_sim_time(m->sim));
    for (int32_t k = 0; k < tn_sim_event_count(m->sim); k++) {
        if (tn_sim_event(m->sim, k)->kind != kind)
            continue;
        if (out->count++ == 0)
            out->time = tn_sim_event(m->sim, k)->time;
    }
}

/* ---- down a sphere ---- */

/* A particle starts on the top of a sphere of radius R with speed v0: its speed at the angle a is
 * v^2 = v0^2 + 2 g R (1 - cos a), and it leaves where g cos a = v^2 / R. Energy in J/kg. */
typedef struct slide {
    double radius, speed; /* m, m/s */
} slide;

static double speed_at(const slide *s, double angle)
{
    return sqrt(s->speed * s->speed + 2.0 * gravity * s->radius * (1.0 - cos(angle)));
}

static double time_per_angle(double angle, const void *context)
{
    const slide *s = context;
    return s->radius / speed_at(s, angle);
}

static double leaving_angle(const slide *s)
{
    return acos(2.0 / 3.0 + s->speed * s->speed / (3.0 * gravity * s->radius));
}

static mechanism particle_on_a_sphere(const slide *s, int integrator)
{
    mechanism m = mechanism_new(vec(0.0, 0.0, -gravity));
    tn_body_def def = tn_default_body_def();
    def.kind = TN_BODY_PARTICLE;
    def.mass = 0.7;
    def.pose.p = vec(0.0, 0.0, s->radius);
    def.velocity.v = vec(s->speed, 0.0, 0.0);
    tn_joint_def joint = tn_default_joint_def();
    joint.type = "distance";
    joint.a = mechanism_body(&m, &def);
    joint.b = tn_ground();
    joint.placement = TN_PLACE_BODY_FRAMES;
    joint.frame_c = tn_pose_identity();
    joint.frame_d = tn_pose_identity();
    joint.lower[0] = s->radius;
    mechanism_joint(&m, &joint);
    mechanism_start(&m, integrator);
    return m;
}

/* Time of leaving; *flight is how far off the parabola from there the particle is 0.1 s later. */
static double leave(const slide *s, int integrator, double h, double *flight)
{
    mechanism m = particle_on_a_sphere(s, integrator);
    moment off = {0};
    while (off.count == 0 && tn_sim_time(m.sim) < 5.0)
        step(&m, h, TN_EVENT_LIMIT_RELEASED, &off);
    while (tn_sim_time(m.sim) < off.time + 0.1)
        step(&m, h, TN_EVENT_LIMIT_RELEASED, &off);
    ck_assert_int_eq(off.count, 1);
    const double a = leaving_angle(s), v = speed_at(s, a), t = tn_sim_time(m.sim) - off.time;
    const tn_vec3 p = tn_sim_body_pose(m.sim, (tn_body){0}).p;
    const tn_vec3 there = {s->radius * sin(a) + v * cos(a) * t, 0.0,
                           s->radius * cos(a) - v * sin(a) * t - 0.5 * gravity * t * t};
    *flight = vec_norm(vec_sub(p, there));
    mechanism_free(&m);
    return off.time;
}

static const slide slides[] = {{1.0, 0.05}, {1.0, 1.0}, {0.3, 0.9}};
enum { SLIDES = sizeof slides / sizeof slides[0] };

/* Errors are C h^2, or C h: s and m. C is what was measured, some 2 and 4 or 0.5 and 2, and half.
 */
static void expect_small(int integrator, double h, double time, double place)
{
    ck_assert_double_le(fabs(time), second_order(integrator) ? 3.0 * h * h : 0.8 * h);
    ck_assert_double_le(place, second_order(integrator) ? 6.0 * h * h : 2.5 * h);
}

START_TEST(particle_leaves_the_sphere_at_two_thirds)
{
    for (int n = 0; n < SLIDES; n++) {
        const slide *s = &slides[n];
        const double expected = integral(time_per_angle, s, 0.0, leaving_angle(s));
        double h = 4e-3;
        for (int k = 0; k < 4; k++, h /= 1.6) {
            double flight;
            const double error = leave(s, _i, h, &flight) - expected;
            printf("%-27s R = %.1f, v = %.2f, h = %.1e: leaves at %.6f s, off by %.1e s, flight "
                   "by %.1e m\n",
                   method_name(_i), s->radius, s->speed, h, expected, error, flight);
            expect_small(_i, h, error, flight);
        }
    }
}
END_TEST

/* ---- on a plate ---- */

/* A plate goes z = a sin(w t), driven; a bead on it (half_space) stays until a w^2 sin(w t) = g,
 * and then flies. */
static const double a_plate = 0.05, w_plate = 20.0;

static mechanism shaken_bead(int integrator)
{
    static double motion[4];
    mechanism m = mechanism_new(vec(0.0, 0.0, -gravity));
    tn_body_def def = tn_default_body_def();
    def.mass = 1.0;
    def.com = zero;
    def.inertia = mat_diagonal(0.1, 0.1, 0.1);
    def.velocity.v = vec(0.0, 0.0, a_plate * w_plate);
    tn_joint_def joint = tn_default_joint_def();
    tn_drive_def drive = tn_default_drive_def();
    motion[0] = a_plate;
    motion[1] = w_plate;
    drive.position = drive_sine(motion);
    joint.type = "slider";
    joint.a = mechanism_body(&m, &def);
    joint.b = tn_ground();
    joint.placement = TN_PLACE_ORIGIN;
    joint.drives = &drive;
    joint.drive_count = 1;
    mechanism_joint(&m, &joint);
    const tn_body plate = joint.a;
    def.kind = TN_BODY_PARTICLE;
    def.mass = 0.2;
    def.inertia.m[0][0] = (double)NAN;
    joint = tn_default_joint_def();
    joint.type = "half_space";
    joint.a = mechanism_body(&m, &def);
    joint.b = plate;
    joint.placement = TN_PLACE_ORIGIN;
    mechanism_joint(&m, &joint);
    mechanism_start(&m, integrator);
    return m;
}

/* Height of the bead over the plate t after it has left at t0. */
static double height(double t0, double t)
{
    const double a = a_plate, w = w_plate;
    return a * sin(w * t0) + a * w * cos(w * t0) * t - 0.5 * gravity * t * t -
           a * sin(w * (t0 + t));
}

/* The first landing, by bisection. */
static double landing(double t0)
{
    double low = 0.01, high = low;
    while (height(t0, high) > 0.0)
        high += 0.001;
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        *(height(t0, middle) > 0.0 ? &low : &high) = middle;
    }
    return t0 + low;
}

START_TEST(bead_lifts_off_where_the_plate_falls_faster)
{
    const double lifts = asin(gravity / (a_plate * w_plate * w_plate)) / w_plate;
    const double lands = landing(lifts);
    double h = 2e-3;
    for (int k = 0; k < 4; k++, h /= 1.6) {
        mechanism m = shaken_bead(_i);
        moment off = {0}, on = {0};
        while (off.count == 0 && tn_sim_time(m.sim) < 1.0)
            step(&m, h, TN_EVENT_LIMIT_RELEASED, &off);
        while (on.count == 0 && tn_sim_time(m.sim) < 1.0)
            step(&m, h, TN_EVENT_LIMIT_REACHED, &on);
        printf("%-27s h = %.1e: lifts at %.6f s, off by %.1e, lands at %.6f s, off by %.1e\n",
               method_name(_i), h, lifts, off.time - lifts, lands, on.time - lands);
        expect_small(_i, h, off.time - lifts, fabs(on.time - lands) * a_plate * w_plate);
        mechanism_free(&m);
    }
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("release");
    TCase *tc = tcase_create("release");
    tcase_add_loop_test(tc, particle_leaves_the_sphere_at_two_thirds, 0, METHODS);
    tcase_add_loop_test(tc, bead_lifts_off_where_the_plate_falls_faster, 0, METHODS);
    suite_add_tcase(suite, tc);
    return suite;
}
