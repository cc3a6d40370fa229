/* test_loads.c: loads against closed forms: every way of stepping at its order, the work of loads
 * in the balance of energy, loads applied step by step and by a callback.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/mechanism.h"
#include "support/run_main.h"
#include "tenon/load.h"
#include "tenon/results.h"

#define PI 3.14159265358979323846

typedef struct scene {
    const char *name;
    const char *text;
    double duration, h;                           /* s */
    double (*error)(const tn_sim *sim, double t); /* against the closed form */
} scene;

static double coordinate(const tn_sim *sim, int joint)
{
    double q[TN_MAX_COORDINATES];
    tn_sim_joint_coordinates(sim, (tn_joint){joint}, q);
    return q[0];
}

static double speed(const tn_sim *sim, int joint)
{
    double v[TN_MAX_COORDINATES];
    tn_sim_joint_speeds(sim, (tn_joint){joint}, v);
    return v[0];
}

/* Falls from rest in air: v = -u tanh(g t / u), z = -u^2 / g ln cosh(g t / u), u^2 = m g / c. */
static double falling(const tn_sim *sim, double t)
{
    const double g = 9.81, u = sqrt(2.0 * g / 0.05);
    const double z = -u * u / g * log(cosh(g * t / u)), v = -u * tanh(g * t / u);
    return fabs(tn_sim_body_pose(sim, (tn_body){0}).p.z - z) / 10.0 +
           fabs(tn_sim_body_velocity(sim, (tn_body){0}).v.z - v) / 10.0;
}

/* The same thrown upwards in the plane: v = u tan(a - g t / u), a = atan(v0 / u), until it turns.
 */
static double thrown(const tn_sim *sim, double t)
{
    const double g = 9.81, u = sqrt(2.0 * g / 0.05), a = atan(15.0 / u), b = a - g * t / u;
    const double y = u * u / g * log(cos(b) / cos(a)), v = u * tan(b);
    return fabs(tn_sim_body_pose(sim, (tn_body){0}).p.y - y) / 10.0 +
           fabs(tn_sim_body_velocity(sim, (tn_body){0}).v.y - v) / 10.0;
}

/* I theta'' = L F sin(w t): theta = a (t - sin(w t) / w) / w, a = L F / I. */
static double followed(const tn_sim *sim, double t)
{
    const double a = 2.0 * 3.0 / (1.5 * 1.0 + 0.5), w = 5.0;
    return fabs(coordinate(sim, 0) - a / w * (t - sin(w * t) / w)) +
           fabs(speed(sim, 0) - a / w * (1.0 - cos(w * t)));
}

/* m q'' + d q' + k q = F sin(w t) from rest. */
static double driven(const tn_sim *sim, double t)
{
    const double m = 2.0, d = 1.5, k = 80.0, F = 7.0, w = 4.0;
    const double p = k - m * w * w, s = d * w, size = p * p + s * s;
    const double A = F * p / size, B = -F * s / size; /* A sin + B cos */
    const double decay = d / (2.0 * m), w1 = sqrt(k / m - decay * decay);
    const double c = -B, e = (-A * w - decay * B) / w1; /* exp(-decay t) (c cos + e sin) */
    const double q =
        A * sin(w * t) + B * cos(w * t) + exp(-decay * t) * (c * cos(w1 * t) + e * sin(w1 * t));
    return fabs(coordinate(sim, 0) - q) * 10.0;
}

/* A symmetric top spun up about its axis z by M in body axes: w3 = w30 + M t / C, and w1 + i w2
 * turns in the body by (C - A) / A times the angle w3 has made. */
static double spun(const tn_sim *sim, double t)
{
    const double A = 2.0, C = 3.0, M = 4.0, w0 = 2.0, w1 = 0.5;
    const double angle = (C - A) / A * (w0 * t + 0.5 * M / C * t * t);
    const tn_pose pose = tn_sim_body_pose(sim, (tn_body){0});
    const tn_vec3 w =
        tn_pose_rotate_vector(tn_pose_inverse(pose), tn_sim_body_velocity(sim, (tn_body){0}).w);
    return fabs(w.z - (w0 + M * t / C)) + fabs(w.x - w1 * cos(angle)) + fabs(w.y - w1 * sin(angle));
}

/* A circle about an attracting point, mu = 4: w^2 r^3 = mu. */
static double orbiting(const tn_sim *sim, double t)
{
    const double r = 1.6, w = sqrt(4.0 / (r * r * r));
    const tn_vec3 p = tn_sim_body_pose(sim, (tn_body){0}).p;
    return vec_norm(vec_sub(p, vec(1.0 + r * cos(w * t), r * sin(w * t), 0.0)));
}

/* Two bodies on a line pushed apart by F sin^2: only what is between them changes. */
static double pushed_apart(const tn_sim *sim, double t)
{
    const double F = 6.0, w = 3.0, a = F / w * (t - sin(w * t) / w);
    const double x0 = tn_sim_body_pose(sim, (tn_body){0}).p.x;
    const double x1 = tn_sim_body_pose(sim, (tn_body){1}).p.x;
    return fabs(x0 - (1.0 + a / 2.0)) + fabs(x1 - (-1.0 - a / 4.0));
}

#define BALL "mass: 2, inertia: [1, 1, 1]"

static const scene scenes[] = {
    {"falling in air",
     "tenon: 1\nbodies: {ball: {" BALL "}}\n"
     "loads: {air: {drag: {quadratic: 0.05}}}\n",
     2.0, 0.02, falling},
    {"thrown in the plane",
     "tenon: 1\nworld: planar\n"
     "bodies: {ball: {mass: 2, inertia: 1, velocity: {linear: [0, 15]}}}\n"
     "loads: {air: {body: ball, drag: {quadratic: 0.05}}}\n",
     1.0, 0.02, thrown},
    {"follower force",
     "tenon: 1\ngravity: [0, 0, 0]\n"
     "bodies: {arm: {mass: 1.5, inertia: [0.5, 0.5, 0.5], center_of_mass: [1, 0, 0]}}\n"
     "joints: {pin: {type: hinge, a: arm, b: ground, origin: [0, 0, 0], axis: [0, 0, 1]}}\n"
     "loads: {jet: {body: arm, at: [2, 0, 0], axes: body, force: [0, {sine: [3, 5, 0, 0]}, 0]}}\n",
     2.0, 0.02, followed},
    {"follower force in the plane",
     "tenon: 1\nworld: planar\ngravity: [0, 0]\n"
     "bodies: {arm: {mass: 1.5, inertia: 0.5, center_of_mass: [1, 0]}}\n"
     "joints: {pin: {type: hinge, a: arm, b: ground, origin: [0, 0]}}\n"
     "markers: {tip: {body: arm, position: [2, 0]}}\n"
     "loads: {jet: {marker: tip, axes: marker, force: [0, {sine: [3, 5, 0, 0]}]}}\n",
     2.0, 0.02, followed},
    {"driven oscillator",
     "tenon: 1\ngravity: [0, 0, 0]\n"
     "bodies: {cart: {" BALL "}}\n"
     "joints: {rail: {type: slider, a: cart, b: ground, origin: [0, 0, 0], axis: [1, 0, 0],\n"
     "  spring: {z: {stiffness: 80, damping: 1.5}}}}\n"
     "loads: {shaker: {coordinate: rail.z, effort: {sine: [7, 4, 0, 0]}}}\n",
     2.0, 0.02, driven},
    {"driven oscillator in the plane",
     "tenon: 1\nworld: planar\ngravity: [0, 0]\n"
     "bodies: {cart: {mass: 0.5, inertia: 2}}\n"
     "joints: {pin: {type: hinge, a: cart, b: ground, origin: [0, 0],\n"
     "  spring: {theta: {stiffness: 80, damping: 1.5}}}}\n"
     "loads: {shaker: {coordinate: pin.theta, effort: {sine: [7, 4, 0, 0]}}}\n",
     2.0, 0.02, driven},
    {"gyroscope under a moment",
     "tenon: 1\ngravity: [0, 0, 0]\n"
     "bodies: {top: {mass: 1, inertia: [2, 2, 3], velocity: {angular: [0.5, 0, 2]}}}\n"
     "joints: {ball: {type: spherical, a: top, b: ground, origin: [0, 0, 0]}}\n"
     "loads: {motor: {body: top, axes: body, moment: [0, 0, 4]}}\n",
     2.0, 0.02, spun},
    {"orbit",
     "tenon: 1\ngravity: [0, 0, 0]\n"
     "bodies: {moon: {kind: particle, mass: 3, position: [2.6, 0, 0],\n"
     "  velocity: {linear: [0, 1.5811388300841898, 0]}}}\n"
     "markers: {sun: {body: ground, position: [1, 0, 0]}}\n"
     "loads: {pull: {central: {marker: sun, strength: 4}}}\n",
     4.0, 0.01, orbiting},
    {"thrust between markers",
     "tenon: 1\ngravity: [0, 0, 0]\n"
     "bodies: {front: {mass: 2, inertia: [1, 1, 1], position: [1, 0, 0]},\n"
     "  back: {mass: 4, inertia: [1, 1, 1], position: [-1, 0, 0]}}\n"
     "markers: {nose: {body: front, position: [-0.5, 0, 0]}, tail: {body: back}}\n"
     "loads: {spring: {between: [nose, tail], thrust: {sine: [6, 3, 0, 0]}}}\n",
     2.0, 0.02, pushed_apart},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

/* The largest error on the way. */
static double run(const scene *s, int method, double h)
{
    mechanism m = mechanism_read(s->text);
    tn_sim_options options = mechanism_compile(&m, method);
    options.relative_tolerance = 2.0; /* whole steps */
    options.spectral_radius = 0.8;
    mechanism_start_with(&m, &options);
    const int steps = (int)lround(s->duration / h);
    double error = 0.0;
    for (int k = 1; k <= steps; k++) {
        mechanism_run(&m, h, 1, NULL);
        error = fmax(error, s->error(m.sim, k * h));
    }
    mechanism_free(&m);
    return error;
}

/* Halving the step divides the error by 2 to the order, or it is round-off already. */
START_TEST(errors_fall_at_the_order)
{
    const scene *s = &scenes[_i / METHODS];
    const int method = _i % METHODS, order = method_order(method);
    const double coarse = run(s, method, s->h), fine = run(s, method, 0.5 * s->h);
    const double measured = log2(coarse / fine);
    printf("%-30s %-27s error %.2e -> %.2e, order %.2f of %d\n", s->name, method_name(method),
           coarse, fine, measured, order);
    ck_assert_msg(fine < 1e-11 || measured > order - 0.25, "order %g of %d", measured, order);
    ck_assert_double_lt(fine, order == 1 ? 0.5 : 1e-2);
}
END_TEST

/* total - work + lost, against what loads have turned over. */
START_TEST(work_closes_the_balance)
{
    const scene *s = &scenes[_i];
    mechanism m = mechanism_read(s->text);
    mechanism_start_exact(&m, 1e-11);
    const tn_energy start = tn_sim_energy(m.sim);
    double turnover = 0.0, drift = 0.0, of_loads = 0.0;
    for (int k = 0; k < 100; k++) {
        mechanism_run(&m, 0.01 * s->duration, 1, NULL);
        const tn_energy e = tn_sim_energy(m.sim);
        turnover = fmax(turnover, fmax(fabs(e.work), e.kinetic));
        drift = fmax(drift,
                     fabs((e.total - e.work + e.lost) - (start.total - start.work + start.lost)));
        of_loads = fmax(of_loads, fabs(tn_sim_load_work(m.sim, (tn_load){0}) - e.work));
        tn_balance balance;
        ck_assert_int_eq(tn_sim_balance(m.sim, &balance), TN_OK);
        ck_assert_double_lt(fmax(balance.force, balance.moment), 1e-9);
    }
    printf("%-30s balance of energy %.1e of %.2g J\n", s->name, drift / turnover, turnover);
    ck_assert_double_lt(drift, 1e-9 * turnover);
    ck_assert_double_le(of_loads, 0.0);
    ck_assert_double_lt(s->error(m.sim, s->duration), 1e-8);
    mechanism_free(&m);
}
END_TEST

/* ---- what the program applies ---- */

static const char pendulum[] =
    "tenon: 1\ngravity: [0, 0, -9.81]\n"
    "bodies: {bob: {mass: 2, inertia: [0.1, 0.2, 0.3], position: [1, 0, 0]}}\n"
    "joints: {pin: {type: hinge, a: bob, b: ground, origin: [0, 0, 0], axis: [0, 1, 0]}}\n"
    "%s\n";

static mechanism swinging(const char *loads, int method)
{
    char text[1000];
    snprintf(text, sizeof text, pendulum, loads);
    mechanism m = mechanism_read(text);
    tn_sim_options options = mechanism_compile(&m, method);
    mechanism_start_with(&m, &options);
    return m;
}

/* A constant load applied in every step is the load of the model. */
START_TEST(applied_steps_are_the_constant_load)
{
    mechanism a = swinging("loads: {wind: {body: bob, force: [0, 0, 30], moment: [0, 2, 0]},\n"
                           "  motor: {coordinate: pin.theta, effort: -3}}",
                           _i);
    mechanism b = swinging("", _i);
    const tn_wrench wind = {{0.0, 0.0, 30.0}, {0.0, 2.0, 0.0}};
    /* parts of other lengths and orders, where they are as long as errors allow */
    const double within = method_order(_i) > 2 ? 1e-8 : 1e-10;
    for (int k = 0; k < 200; k++) {
        mechanism_run(&a, 0.01, 1, NULL);
        ck_assert_int_eq(tn_sim_apply_wrench(b.sim, (tn_body){0}, wind), TN_OK);
        ck_assert_int_eq(tn_sim_apply_effort(b.sim, (tn_joint){0}, 0, -1.0), TN_OK);
        ck_assert_int_eq(tn_sim_apply_effort(b.sim, (tn_joint){0}, 0, -2.0), TN_OK);
        mechanism_run(&b, 0.01, 1, NULL);
        ck_assert_double_eq_tol(coordinate(a.sim, 0), coordinate(b.sim, 0), within);
        ck_assert_double_eq_tol(tn_sim_energy(a.sim).work, tn_sim_energy(b.sim).work,
                                100.0 * within);
        tn_balance balance;
        if (method_order(_i) > 1) {
            ck_assert_int_eq(tn_sim_balance(b.sim, &balance), TN_OK);
            ck_assert_double_lt(fmax(balance.force, balance.moment), 1e-4);
        }
    }
    mechanism_run(&b, 0.01, 1, NULL); /* used up: gravity alone */
    const double q = coordinate(b.sim, 0), inertia = 2.2;
    double v = speed(b.sim, 0);
    mechanism_run(&b, 1e-4, 1, NULL);
    ck_assert_double_eq_tol((speed(b.sim, 0) - v) / 1e-4, 2.0 * 9.81 * cos(q) / inertia, 0.5);
    mechanism_free(&a);
    mechanism_free(&b);
}
END_TEST

typedef struct damper {
    double stiffness, damping;
    int calls;
} damper;

/* A spring and damper at the bob's origin, with derivatives. */
static void pull(void *context, tn_stage *stage)
{
    damper *d = context;
    const tn_body bob = {0};
    const tn_vec3 p = tn_stage_body_pose(stage, bob).p, v = tn_stage_body_velocity(stage, bob).v;
    double q[TN_MAX_COORDINATES], u[TN_MAX_COORDINATES], K[36] = {0}, D[36] = {0};
    tn_stage_coordinates(stage, (tn_joint){0}, q, u);
    ck_assert_double_eq_tol(cos(q[0]), p.x, 1e-2);
    tn_wrench w = {{0, 0, 0}, {0, 0, 0}};
    w.f.x = -d->stiffness * p.x - d->damping * v.x;
    w.f.z = -d->stiffness * p.z - d->damping * v.z;
    w.f.y = -d->stiffness * p.y - d->damping * v.y;
    for (int i = 0; i < 3; i++) {
        K[7 * i] = d->stiffness;
        D[7 * i] = d->damping;
    }
    tn_stage_add_wrench(stage, bob, w);
    tn_stage_add_derivatives(stage, bob, K, D);
    tn_stage_add_effort(stage, (tn_joint){0}, 0, 2.0 * sin(3.0 * tn_stage_time(stage)));
    d->calls++;
}

/* Linear drag at the bob and an effort, as loads and as a callback; the spring at constant distance
 * does no work. */
START_TEST(a_callback_is_a_load)
{
    mechanism a = swinging("loads: {air: {drag: {linear: 4, at: [0, 0, 0]}, body: bob},\n"
                           "  shaker: {coordinate: pin.theta, effort: {sine: [2, 3, 0, 0]}}}",
                           _i);
    mechanism b = swinging("", _i);
    damper d = {method_order(_i) > 1 ? 1e3 : 20.0, 4.0, 0};
    ck_assert_int_eq(tn_sim_set_load_callback(b.sim, pull, &d), TN_OK);
    for (int k = 0; k < 200; k++) {
        mechanism_run(&a, 0.01, 1, NULL);
        mechanism_run(&b, 0.01, 1, NULL);
    }
    const double tolerance = method_order(_i) == 1 ? 0.05 : 1e-6;
    ck_assert_double_eq_tol(coordinate(a.sim, 0), coordinate(b.sim, 0), tolerance);
    ck_assert_double_eq_tol(tn_sim_energy(a.sim).work, tn_sim_energy(b.sim).work,
                            method_order(_i) == 1 ? 2.0 : 0.02);
    ck_assert_int_gt(d.calls, 200);
    mechanism_free(&a);
    mechanism_free(&b);
}
END_TEST

/* Changing loads step by step is exact to the order: forces that jump at steps. */
START_TEST(jumps_between_steps_are_met)
{
    mechanism m = mechanism_read("tenon: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 2, inertia: "
                                 "[1, 1, 1]}}\n");
    tn_sim_options options = mechanism_compile(&m, _i);
    mechanism_start_with(&m, &options);
    double v = 0.0, x = 0.0;
    for (int k = 0; k < 20; k++) {
        const double f = k % 3 == 0 ? 6.0 : -1.0, h = 0.1;
        tn_sim_apply_wrench(m.sim, (tn_body){0}, (tn_wrench){{f, 0, 0}, {0, 0, 0}});
        mechanism_run(&m, h, 1, NULL);
        x += h * v + 0.25 * h * h * f;
        v += 0.5 * h * f;
        const tn_body b = {0};
        ck_assert_double_eq_tol(tn_sim_body_velocity(m.sim, b).v.x, v, 1e-12);
        if (method_order(_i) > 1)
            ck_assert_double_eq_tol(tn_sim_body_pose(m.sim, b).p.x, x, 1e-12);
    }
    mechanism_free(&m);
}
END_TEST

/* ---- tables and their ends, stiffness in the matrix, floating pairs ---- */

START_TEST(beyond_a_bounded_table_is_an_error)
{
    mechanism m = mechanism_read(
        "tenon: 1\nbodies: {b: {mass: 2, inertia: [1, 1, 1]}}\n"
        "loads: {calm: {gravity_scale: 0}, gust: {body: b, force: [{table: [0, 0, 0.5, 10], "
        "outside: refuse}, 0, 0]}}\n");
    tn_sim_options options = mechanism_compile(&m, _i);
    mechanism_start_with(&m, &options);
    mechanism_run(&m, 0.05, 10, NULL);
    tn_step_report report;
    const tn_pose before = tn_sim_body_pose(m.sim, (tn_body){0});
    ck_assert_int_eq(tn_sim_step(m.sim, 0.05, &report), TN_ERROR_LOAD);
    ck_assert_int_eq(report.culprit_load.i, 1);
    const tn_pose after = tn_sim_body_pose(m.sim, (tn_body){0});
    ck_assert_mem_eq(&before, &after, sizeof before);
    mechanism_free(&m);
}
END_TEST

/* Drag a thousand times faster than the step: implicit methods take it, terminal speed exact. */
START_TEST(stiff_drag_is_implicit)
{
    mechanism m = mechanism_read("tenon: 1\nbodies: {b: {mass: 2, inertia: [1, 1, 1]}}\n"
                                 "loads: {honey: {drag: {linear: 2.0e6}}}\n");
    tn_sim_options options = mechanism_compile(&m, _i);
    mechanism_start_with(&m, &options);
    mechanism_run(&m, 0.01, 100, NULL);
    ck_assert_double_eq_tol(tn_sim_body_velocity(m.sim, (tn_body){0}).v.z, -9.81e-6, 1e-12);
    mechanism_free(&m);
}
END_TEST

static tn_vec3 momentum(const tn_sim *sim)
{
    const tn_vec3 a = tn_sim_body_velocity(sim, (tn_body){0}).v;
    const tn_vec3 b = tn_sim_body_velocity(sim, (tn_body){1}).v;
    return vec(2.0 * a.x + 4.0 * b.x, 2.0 * a.y + 4.0 * b.y, 2.0 * a.z + 4.0 * b.z);
}

/* What acts between two bodies leaves their momentum, and what acts from outside changes it. */
START_TEST(a_pair_keeps_the_momentum)
{
    mechanism m = mechanism_read(
        "tenon: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 2, inertia: [1, 2, 3], position: [1, 0, 0], velocity: {linear: [0, 1, "
        "0]}},\n"
        "  b: {mass: 4, inertia: [1, 1, 1], position: [-1, 0, 0]}}\n"
        "markers: {ma: {body: a, position: [0, 0.3, 0]}, mb: {body: b, position: [0, 0, 0.2]}}\n"
        "loads: {pair: {between: [ma, mb], axes: body, force: [3, 1, 2], moment: [0.1, 0.2, 0.3],\n"
        "  thrust: {sine: [6, 3, 0, 0]}}}\n");
    tn_sim_options options = mechanism_compile(&m, _i);
    mechanism_start_with(&m, &options);
    mechanism_run(&m, 0.01, 100, NULL);
    ck_assert_double_lt(vec_norm(vec_sub(momentum(m.sim), vec(0.0, 2.0, 0.0))), 1e-12);
    for (int k = 0; k < 10; k++) {
        tn_sim_apply_wrench(m.sim, (tn_body){1}, (tn_wrench){{0.0, 0.0, 5.0}, {0, 0, 0}});
        mechanism_run(&m, 0.01, 1, NULL);
    }
    ck_assert_double_lt(vec_norm(vec_sub(momentum(m.sim), vec(0.0, 2.0, 0.5))), 1e-6);
    mechanism_free(&m);
}
END_TEST

/* The same chain under the same loads as a planar and as a spatial model. */
static const char chain[] =
    "tenon: 1\nworld: %s\ngravity: %s\n"
    "bodies:\n"
    "  l1: {%s position: [1, 0%s], mass: 1, inertia: %s}\n"
    "  l2: {%s position: [3, 0%s], mass: 1, inertia: %s}\n"
    "  l3: {%s position: [5, 0%s], mass: 1, inertia: %s}\n"
    "joints:\n"
    "  p1: {type: hinge, a: l1, b: ground, origin: [0, 0%s]%s}\n"
    "  p2: {type: hinge, a: l2, b: l1, origin: [2, 0%s]%s}\n"
    "  p3: {type: hinge, a: l3, b: l2, origin: [4, 0%s]%s}\n"
    "markers: {tip: {body: l3, position: [1, 0%s]}, post: {body: ground, position: [0, 3%s]}}\n"
    "loads:\n"
    "  air: {drag: {linear: 0.3, quadratic: 0.1, rotary: 0.2%s}}\n"
    "  rope: {between: [tip, post], thrust: -4}\n"
    "  kick: {body: l2, force: [0, 5%s]}\n"
    "  motor: {coordinate: p2.theta, effort: {sine: [2, 3, 0, 0]}}\n";

START_TEST(a_planar_chain_is_the_spatial_one)
{
    char text[2][2000];
    const char *z = ", 0", *axis = ", axis: [0, 0, 1]", *I = "[1, 1, 0.4]";
    snprintf(text[0], sizeof text[0], chain, "planar", "[0, -9.81]", "", "", "0.4", "", "", "0.4",
             "", "", "0.4", "", "", "", "", "", "", "", "", "", "");
    snprintf(text[1], sizeof text[1], chain, "spatial", "[0, -9.81, 0]", "", z, I, "", z, I, "", z,
             I, z, axis, z, axis, z, axis, z, z, "", z);
    mechanism m[2];
    for (int k = 0; k < 2; k++) {
        m[k] = mechanism_read(text[k]);
        tn_sim_options options = mechanism_compile(&m[k], _i);
        mechanism_start_with(&m[k], &options);
        mechanism_run(&m[k], 0.005, 200, NULL);
    }
    for (int j = 0; j < 3; j++)
        ck_assert_double_eq_tol(coordinate(m[0].sim, j), coordinate(m[1].sim, j), 1e-9);
    ck_assert_double_eq_tol(tn_sim_energy(m[0].sim).work, tn_sim_energy(m[1].sim).work, 1e-8);
    mechanism_free(&m[0]);
    mechanism_free(&m[1]);
}
END_TEST

/* Restoring a state goes on with the same bits, works of loads included. */
START_TEST(saved_works_go_on)
{
    mechanism m = mechanism_read(scenes[4].text);
    tn_sim_options options = mechanism_compile(&m, _i);
    mechanism_start_with(&m, &options);
    mechanism_run(&m, 0.01, 20, NULL);
    unsigned char block[20000];
    ck_assert_uint_le(tn_sim_state_size(m.sim), sizeof block);
    tn_sim_save(m.sim, block);
    mechanism_run(&m, 0.01, 20, NULL);
    const double work = tn_sim_load_work(m.sim, (tn_load){0}), q = coordinate(m.sim, 0);
    tn_sim_restore(m.sim, block);
    mechanism_run(&m, 0.01, 20, NULL);
    ck_assert_double_eq(work, tn_sim_load_work(m.sim, (tn_load){0}));
    ck_assert_double_eq(q, coordinate(m.sim, 0));
    mechanism_free(&m);
}
END_TEST

Suite *make_suite(void)
{
    Suite *suite = suite_create("loads");
    TCase *tc = tcase_create("loads");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, errors_fall_at_the_order, 0, SCENES * METHODS);
    tcase_add_loop_test(tc, work_closes_the_balance, 0, SCENES);
    tcase_add_loop_test(tc, applied_steps_are_the_constant_load, 0, METHODS);
    tcase_add_loop_test(tc, a_callback_is_a_load, 0, METHODS);
    tcase_add_loop_test(tc, jumps_between_steps_are_met, 0, METHODS);
    tcase_add_loop_test(tc, beyond_a_bounded_table_is_an_error, 0, METHODS);
    tcase_add_loop_test(tc, stiff_drag_is_implicit, 0, 3);
    tcase_add_test(tc, a_pair_keeps_the_momentum);
    tcase_add_loop_test(tc, a_planar_chain_is_the_spatial_one, 0, METHODS);
    tcase_add_loop_test(tc, saved_works_go_on, 0, METHODS);
    suite_add_tcase(suite, tc);
    return suite;
}
